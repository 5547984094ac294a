// sort_lanes.cuh: sorting by blocks of many lanes (sort.cuh).
//
// A block has a tile in registers: ITEMS elements a lane, those of a warp side by side, so that the order of elements is
// that of warps, items and lanes. Lanes of a warp with the same digit find each other, one of them counts all, and the
// counts of the warps before give an element's rank in the tile. Elements are then exchanged through shared memory, so
// that those with the same digit leave side by side.
namespace cuna {

enum { SORT_WARPS = LANES / 32, SORT_ITEMS = SORT_TILE / LANES };

template <class P>
struct TileRoom {
    uint32 counts[SORT_WARPS][DIGITS];  // of warps; then the rank of a warp's first element with a digit
    uint32 warps[SORT_WARPS];
    word places[DIGITS];  // of the tile's first element with a digit, less its rank
    word ticket;
    union {  // while elements are exchanged
        typename P::Key keys[SORT_TILE];
        typename P::Position positions[P::CARRIES ? SORT_TILE : 1];
    };
};

// The sum of all lanes before this one in the block.
template <class T>
CUNA_INLINE T sum_before(T value, T *room)
{
    const unsigned at = lane() % 32, warp = lane() / 32;
    T all = value;
    for (unsigned distance = 1; distance < 32; distance *= 2) {
        const T before = shuffle(all, at >= distance ? at - distance : at);
        all += at >= distance ? before : T(0);
    }
    barrier();
    if (at == 31)
        room[warp] = all;
    barrier();
    T sum = all - value;
    for (unsigned w = 0; w < warp; ++w)
        sum += room[w];
    return sum;
}

// Elements of a tile. What is past its end has the highest key and comes behind all others.
template <class P>
struct TileKeys {
    typedef typename P::Key Key;
    typedef typename P::Position Position;
    Key key[SORT_ITEMS];
    Position at[P::CARRIES ? SORT_ITEMS : 1];
    uint32 rank[SORT_ITEMS];
    int items;  // that lanes have, at most SORT_ITEMS

    CUNA_INLINE unsigned place(int i) const { return (lane() / 32 * items + i) * 32 + lane() % 32; }

    CUNA_INLINE void load(const Passing<P> &from, unsigned count)
    {
        items = int((count + LANES - 1) / LANES);
        CUNA_UNROLL
        for (int i = 0; i < SORT_ITEMS; ++i) {
            const bool has = i < items && place(i) < count;
            key[i] = has ? from.key(place(i)) : Key(~Key(0));
            if (P::CARRIES)
                at[P::CARRIES ? i : 0] = has ? from.position(place(i)) : Position(SORT_TILE);
        }
    }

    // Finds ranks in the tile by digit(i) of item i. Lane d answers how many elements have digit d, and how many a lower
    // one.
    template <class F>
    CUNA_INLINE void find_ranks(TileRoom<P> &room, F digit, unsigned &count, unsigned &lower)
    {
        const unsigned warp = lane() / 32;
        uint32 *counts = room.counts[warp];
        const uint32 below = (uint32(1) << lane() % 32) - 1;
        for (unsigned w = 0; w < SORT_WARPS; ++w)
            room.counts[w][lane()] = 0;
        barrier();
        CUNA_UNROLL
        for (int i = 0; i < SORT_ITEMS; ++i)
            if (i < items) {
                const unsigned d = digit(i);
                const uint32 peers = alike<8>(d);
                const uint32 before = counts[d];
                rank[i] = before + bits_set(peers & below);
                warp_barrier();
                if ((peers & below) == 0)
                    counts[d] = before + bits_set(peers);
                warp_barrier();
            }
        barrier();
        count = 0;
        for (unsigned w = 0; w < SORT_WARPS; ++w) {
            const uint32 own = room.counts[w][lane()];
            room.counts[w][lane()] = count;
            count += own;
        }
        lower = sum_before(count, room.warps);
        for (unsigned w = 0; w < SORT_WARPS; ++w)
            room.counts[w][lane()] += lower;
        barrier();
        CUNA_UNROLL
        for (int i = 0; i < SORT_ITEMS; ++i)
            if (i < items)
                rank[i] += counts[digit(i)];
        barrier();
    }

    // Puts elements where they belong in the tile.
    CUNA_INLINE void exchange(TileRoom<P> &room)
    {
        CUNA_UNROLL
        for (int i = 0; i < SORT_ITEMS; ++i)
            if (i < items)
                room.keys[rank[i]] = key[i];
        barrier();
        CUNA_UNROLL
        for (int i = 0; i < SORT_ITEMS; ++i)
            if (i < items)
                key[i] = room.keys[place(i)];
        barrier();
        if (P::CARRIES)
            exchange_positions(room.positions);
    }

    CUNA_INLINE void exchange_positions(Position *room)
    {
        CUNA_UNROLL
        for (int i = 0; i < SORT_ITEMS; ++i)
            if (i < items)
                room[rank[i]] = at[P::CARRIES ? i : 0];
        barrier();
        CUNA_UNROLL
        for (int i = 0; i < SORT_ITEMS; ++i)
            if (i < items)
                at[P::CARRIES ? i : 0] = room[place(i)];
        barrier();
    }

    // Sorts by all digits of the keys.
    CUNA_INLINE void sort(TileRoom<P> &room)
    {
        unsigned own, lower;
        for (int pass = 0; pass < P::PASSES; ++pass) {
            find_ranks(room, [&](int i) { return digit_of(key[i], pass); }, own, lower);
            exchange(room);
        }
    }

    // Stores `count` elements, which begin a row of the target. Positions are those of a row of `length`.
    CUNA_INLINE void store(const Placing<P> &to, unsigned count, unsigned length) const
    {
        CUNA_UNROLL
        for (int i = 0; i < SORT_ITEMS; ++i)
            if (i < items && place(i) < count) {
                if (P::POSITIONS)
                    to.put_position(place(i), at[P::CARRIES ? i : 0] % length);
                else
                    to.put_key(place(i), key[i]);
            }
    }
};

// A row that fills a block's tile.
template <class P>
CUNA_INLINE void sort_rows(const Sort &args, unsigned block)
{
    CUNA_SHARED TileRoom<P> room;
    const unsigned count = unsigned(args.count);
    TileKeys<P> tile;
    tile.load(Passing<P>(args, block, 0), count);
    tile.sort(room);
    tile.store(Placing<P>(args, block), count, count);
}

// Up to 256 rows in a tile: all are sorted as one, and then by the row that elements came from.
template <class P>
CUNA_INLINE void sort_short(const Sort &args, unsigned block)
{
    CUNA_SHARED TileRoom<P> room;
    const word first = word(block) * args.tile, rows = args.rows - first < args.tile ? args.rows - first : args.tile;
    const unsigned length = unsigned(args.count), count = unsigned(rows) * length;
    TileKeys<P> tile;
    unsigned own, lower;
    tile.load(Passing<P>(args, first, 0), count);
    tile.sort(room);
    tile.find_ranks(room, [&](int i) {
        const unsigned row = unsigned(tile.at[P::CARRIES ? i : 0]) / length;
        return row < DIGITS ? row : DIGITS - 1;
    }, own, lower);
    tile.exchange(room);
    tile.store(Placing<P>(args, first), count, length);
}

template <class P>
CUNA_INLINE void sort_count(const Sort &args, unsigned block)
{
    CUNA_SHARED uint32 counts[P::PASSES][DIGITS];
    const word row = block / args.tiles, first = block % args.tiles * args.tile;
    const word count = first + args.tile < args.count ? args.tile : args.count - first;
    const Passing<P> from(args, row, first);
    for (int pass = 0; pass < P::PASSES; ++pass)
        counts[pass][lane()] = 0;
    barrier();
    for (word i = lane(); i < count; i += LANES) {
        const typename P::Key key = from.key(i);
        CUNA_UNROLL
        for (int pass = 0; pass < P::PASSES; ++pass)
            add_atomically(&counts[pass][digit_of(key, pass)], uint32(1));
    }
    barrier();
    for (int pass = 0; pass < P::PASSES; ++pass)
        if (counts[pass][lane()] != 0)
            add_slot(sort_totals<P>(args, row, pass) + lane(), counts[pass][lane()]);
}

// ---- what tiles tell each other ----
//
// The last of SORT_GROUP tiles tells what they have together, and then what all have up to its end. What is before a
// tile is told by the groups before its own, and by the tiles before it in its group. A lane looks after a digit.

enum { SORT_AT_ONCE = 8 };

// The sum of what `count` slots tell, from the last one back to one that tells all up to its end, if there is one.
CUNA_INLINE uint64 sum_told(const uint64 *last, word count, word pass)
{
    uint64 sum = 0;
    bool found = false;
    for (word back = 0, tries = 0; back < count && !found; ++tries) {
        uint64 slot[SORT_AT_ONCE];
        CUNA_UNROLL
        for (int i = 0; i < SORT_AT_ONCE; ++i)
            slot[i] = back + i < count ? get_slot(last - (back + i) * DIGITS) : 0;
        bool told = true;
        CUNA_UNROLL
        for (int i = 0; i < SORT_AT_ONCE; ++i) {
            const bool all = sort_says(slot[i], pass, SORT_ALL);
            told = told && !found && (all || sort_says(slot[i], pass, SORT_OWN));
            sum += told ? sort_counted(slot[i]) : 0;
            back += told;
            found = found || (told && all);
        }
        if (!told)
            relax(int(tries));
    }
    return sum;
}

// How many elements with this lane's digit the tiles before have; `own` was told.
CUNA_INLINE uint64 count_before(const Sort &args, word row, word tile, unsigned own)
{
    const word group = tile / SORT_GROUP, within = tile % SORT_GROUP;
    uint64 *groups = sort_groups(args, row, group) + lane();
    const uint64 inside = sum_told(sort_slots(args, row, tile - 1) + lane(), within, args.pass);
    if (within == SORT_GROUP - 1)
        put_slot(groups, sort_slot(args.pass, SORT_OWN, inside + own));
    const uint64 before = inside + sum_told(groups - DIGITS, group, args.pass);
    if (within == SORT_GROUP - 1)
        put_slot(groups, sort_slot(args.pass, SORT_ALL, before + own));
    return before;
}

template <class P>
CUNA_INLINE void sort_place(const Sort &args, unsigned)
{
    CUNA_SHARED TileRoom<P> room;
    CUNA_SHARED uint64 totals[SORT_WARPS];
    if (lane() == 0)
        room.ticket = take_ticket((uint64 *)args.workspace + args.pass);
    barrier();
    const word row = room.ticket / args.tiles, tile = room.ticket % args.tiles, first = tile * SORT_TILE;
    const unsigned count = unsigned(args.count - first < SORT_TILE ? args.count - first : SORT_TILE);
    const Passing<P> from(args, row, first);
    const Placing<P> to(args, row);
    TileKeys<P> keys;
    unsigned own, lower;
    keys.load(from, count);
    keys.find_ranks(room, [&](int i) { return digit_of(keys.key[i], args.pass); }, own, lower);
    // What is past the end is counted with the highest digit.
    own -= lane() == DIGITS - 1 ? unsigned(keys.items) * LANES - count : 0;
    put_slot(sort_slots(args, row, tile) + lane(), sort_slot(args.pass, SORT_OWN, own));
    keys.exchange(room);
    const uint64 below = sum_before(sort_totals<P>(args, row, args.pass)[lane()], totals);
    room.places[lane()] = word(below + count_before(args, row, tile, own)) - word(lower);
    barrier();
    CUNA_UNROLL
    for (int i = 0; i < SORT_ITEMS; ++i)
        if (i < keys.items && keys.place(i) < count) {
            const word place = room.places[digit_of(keys.key[i], args.pass)] + keys.place(i);
            if (to.takes_keys())
                to.put_key(place, keys.key[i]);
            if (P::POSITIONS)
                to.put_position(place, keys.at[P::CARRIES ? i : 0]);
        }
}

}  // namespace cuna
