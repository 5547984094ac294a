// sort_lanes.cuh: sorting by blocks of many lanes (sort.cuh).
//
// A block holds a tile in registers: ITEMS elements per lane, in the order of warps, items and lanes. Lanes of a warp
// with the same digit find each other, one of them counts all, and the counts of the warps before give an element's
// rank in the tile. Elements are then exchanged through shared memory, so that those with the same digit are stored
// side by side. The limit is the number of instructions, not memory: loops over items are unrolled and have no bounds
// check in whole tiles, and decisions of a pass are made outside of them.
namespace cuna {

enum { SORT_WARPS = LANES / 32, SORT_FEW = 2 };

#define EACH_ITEM CUNA_UNROLL for (int i = 0; i < ITEMS; ++i)

// The sum of all lanes before this one in the block. The room is not read by others before the next barrier.
template <class T>
CUNA_INLINE T sum_before(T value, T *room)
{
    const unsigned at = lane() % 32, warp = lane() / 32;
    T all = value;
    CUNA_UNROLL
    for (unsigned distance = 1; distance < 32; distance *= 2) {
        const T before = shuffle(all, at >= distance ? at - distance : at);
        all += at >= distance ? before : T(0);
    }
    if (at == 31)
        room[warp] = all;
    barrier();
    T sum = all - value;
    CUNA_UNROLL
    for (unsigned w = 0; w < SORT_WARPS; ++w)
        sum += w < warp ? room[w] : T(0);
    return sum;
}

template <int ITEMS>
struct TileRoom {
    uint32 counts[SORT_WARPS][DIGITS];  // of warps; then the rank of a warp's first element with a digit
    uint32 sums[SORT_WARPS];
    uint32 words[ITEMS * LANES];  // while elements are exchanged
};

// The `count` elements of a tile. What is past its end has the highest key and comes after all others.
template <class P, int ITEMS>
struct Tile {
    typedef typename P::Key Key;
    typedef typename P::Position Position;
    TileRoom<ITEMS> &room;
    const unsigned count;
    Key key[ITEMS];
    uint32 rank[ITEMS];

    CUNA_INLINE Tile(TileRoom<ITEMS> &room, unsigned count) : room(room), count(count) {}
    CUNA_INLINE unsigned place(int i) const { return lane() / 32 * (32 * ITEMS) + lane() % 32 + 32 * i; }

    // body(i) for each item that is there.
    template <class F>
    CUNA_INLINE void each(F body) const
    {
        if (count == ITEMS * LANES) {
            EACH_ITEM body(i);
        } else {
            EACH_ITEM if (place(i) < count) body(i);
        }
    }

    CUNA_INLINE void load(const Passing<P> &from)
    {
        EACH_ITEM key[i] = Key(~Key(0));
        each([&](int i) { key[i] = from.source[place(i)]; });
        if (from.is_first)
            each([&](int i) { key[i] = from.order.key_of(key[i]); });
    }

    // Finds ranks in the tile by digit(i) of item i. Lane d returns how many elements have digit d, and how many a
    // lower one.
    template <class F>
    CUNA_INLINE void find_ranks(F digit, unsigned &own, unsigned &lower)
    {
        uint32 *counts = room.counts[lane() / 32];
        for (unsigned d = lane() % 32; d < DIGITS; d += 32)
            counts[d] = 0;
        warp_barrier();
        EACH_ITEM rank[i] = count_item(counts, digit(i));
        barrier();
        sum_warps(own, lower);
        EACH_ITEM rank[i] += counts[digit(i)];
    }

    // How many elements of this warp before have the digit.
    CUNA_INLINE uint32 count_item(uint32 *counts, unsigned digit)
    {
        const unsigned at = lane() % 32;
        const uint32 peers = alike<8>(digit), before = counts[digit] + bits_set(peers & ((uint32(1) << at) - 1));
        warp_barrier();
        if (peers >> at == 1)
            counts[digit] = before + 1;
        warp_barrier();
        return before;
    }

    CUNA_INLINE void sum_warps(unsigned &own, unsigned &lower)
    {
        uint32 before[SORT_WARPS];
        own = 0;
        CUNA_UNROLL
        for (unsigned w = 0; w < SORT_WARPS; ++w) {
            before[w] = own;
            own += room.counts[w][lane()];
        }
        lower = sum_before(own, room.sums);
        CUNA_UNROLL
        for (unsigned w = 0; w < SORT_WARPS; ++w)
            room.counts[w][lane()] = before[w] + lower;
        barrier();
    }

    // Puts values where they belong in the tile, 4 bytes at a time.
    CUNA_INLINE void exchange(uint32 *value)
    {
        EACH_ITEM room.words[rank[i]] = value[i];
        barrier();
        EACH_ITEM value[i] = room.words[place(i)];
        barrier();
    }
    template <class T>
    CUNA_INLINE void exchange(T *value)
    {
        uint32 low[ITEMS], high[ITEMS];
        EACH_ITEM low[i] = uint32(value[i]);
        exchange(low);
        if (sizeof(T) > 4) {
            EACH_ITEM high[i] = uint32(uint64(value[i]) >> 32);
            exchange(high);
        }
        EACH_ITEM value[i] = T(sizeof(T) > 4 ? uint64(high[i]) << 32 | low[i] : low[i]);
    }
};

// ---- rows that a block has room for ----

// A tile of rows, and where in it its elements were.
template <class P, int ITEMS>
struct RowsTile {
    Tile<P, ITEMS> tile;
    uint32 at[ITEMS];

    CUNA_INLINE RowsTile(TileRoom<ITEMS> &room, unsigned count) : tile(room, count) {}

    template <class F>
    CUNA_INLINE void sort_by(F digit, bool carries)
    {
        unsigned own, lower;
        tile.find_ranks(digit, own, lower);
        tile.exchange(tile.key);
        if (carries)
            tile.exchange(at);
    }
    CUNA_INLINE void sort(const Passing<P> &from, bool carries)
    {
        tile.load(from);
        EACH_ITEM at[i] = tile.place(i);
        for (int pass = 0; pass < P::PASSES; ++pass)
            sort_by([&](int i) { return digit_of(tile.key[i], pass); }, carries);
    }
    CUNA_INLINE void store(const Placing<P> &to, unsigned length) const
    {
        tile.each([&](int i) {
            if (P::POSITIONS)
                to.put_position(tile.place(i), at[i] % length);
            else
                to.put_key(tile.place(i), tile.key[i]);
        });
    }
};

template <class P, int ITEMS>
CUNA_INLINE void sort_row(const Sort &args, unsigned block, TileRoom<ITEMS> &room)
{
    const unsigned length = unsigned(args.count);
    RowsTile<P, ITEMS> rows(room, length);
    rows.sort(Passing<P>(args, block, 0, Stage(args)), P::POSITIONS);
    rows.store(Placing<P>(args, block, Stage(args)), length);
}

// Up to 256 rows in a tile: all are sorted as one, and then by the row that elements came from.
template <class P>
CUNA_INLINE void sort_short(const Sort &args, unsigned block)
{
    enum { ITEMS = SORT_ROW / LANES };
    CUNA_SHARED TileRoom<ITEMS> room;
    const word first = word(block) * args.tile, count = args.rows - first < args.tile ? args.rows - first : args.tile;
    const unsigned length = unsigned(args.count);
    RowsTile<P, ITEMS> rows(room, unsigned(count) * length);
    rows.sort(Passing<P>(args, first, 0, Stage(args)), true);
    rows.sort_by([&](int i) {
        const unsigned row = rows.at[i] / length;
        return row < DIGITS ? row : DIGITS - 1;
    }, true);
    rows.store(Placing<P>(args, first, Stage(args)), length);
}

template <class P>
CUNA_INLINE void sort_rows(const Sort &args, unsigned block)
{
    CUNA_SHARED union {
        TileRoom<SORT_FEW> few;
        TileRoom<SORT_ROW / LANES> many;
    } room;
    if (args.count <= SORT_FEW * LANES)
        sort_row<P>(args, block, room.few);
    else
        sort_row<P>(args, block, room.many);
}

// ---- rows that blocks share ----

// The block that counts a row last finds the passes whose digit all keys share.
template <class P>
CUNA_INLINE void plan_passes(const Sort &args, word row)
{
    CUNA_SHARED uint32 idle;
    CUNA_SHARED bool is_last;
    SortPlan &plan = ((SortPlan *)args.plans)[row];
    settle();
    barrier();
    if (lane() == 0) {
        idle = 0;
        is_last = take_ticket(&plan.counted) == args.tiles - 1;
    }
    barrier();
    if (!is_last)
        return;
    settle();
    for (int pass = 0; pass < P::PASSES; ++pass)
        if (get_slot(sort_totals<P>(args, row, pass) + lane()) == uint64(args.count))
            add_beside(&idle, uint32(1) << pass);
    barrier();
    if (lane() == 0)
        plan.passes = sort_plan(args, idle, P::PASSES);
}

// The digits of a stretch of keys. Those that a key shares with the first one are counted by each lane for itself: lanes that
// add to the same place wait for each other, and often one digit is that of most keys.
template <class P>
struct DigitCount {
    enum { ITEMS = sizeof(typename P::Key) > 4 ? 4 : 8 };
    typedef typename P::Key Key;
    uint32 (&counts)[P::PASSES][DIGITS];
    const Key first;
    uint32 shared[P::PASSES];

    CUNA_INLINE DigitCount(uint32 (&counts)[P::PASSES][DIGITS], Key first) : counts(counts), first(first)
    {
        CUNA_UNROLL
        for (int pass = 0; pass < P::PASSES; ++pass)
            shared[pass] = 0;
    }
    CUNA_INLINE void add(Key key)
    {
        CUNA_UNROLL
        for (int pass = 0; pass < P::PASSES; ++pass) {
            const unsigned digit = digit_of(key, pass);
            if (digit == digit_of(first, pass))
                ++shared[pass];
            else
                add_beside(&counts[pass][digit], uint32(1));
        }
    }
    CUNA_INLINE void add_all(const Passing<P> &from, word count)
    {
        word at = lane();
        for (; at + (ITEMS - 1) * LANES < count; at += ITEMS * LANES) {
            Key key[ITEMS];
            EACH_ITEM key[i] = from.source[at + i * LANES];
            EACH_ITEM add(from.order.key_of(key[i]));
        }
        for (; at < count; at += LANES)
            add(from.key(at));
    }
    CUNA_INLINE void finish()
    {
        CUNA_UNROLL
        for (int pass = 0; pass < P::PASSES; ++pass)
            if (shared[pass] != 0)
                add_beside(&counts[pass][digit_of(first, pass)], shared[pass]);
    }
};

template <class P>
CUNA_INLINE void sort_count(const Sort &args, unsigned block)
{
    CUNA_SHARED uint32 counts[P::PASSES][DIGITS];
    const word row = block / args.tiles, first = block % args.tiles * args.tile;
    const word count = first + args.tile < args.count ? args.tile : args.count - first;
    const Passing<P> from(args, row, first, Stage(args));
    for (int pass = 0; pass < P::PASSES; ++pass)
        counts[pass][lane()] = 0;
    barrier();
    DigitCount<P> digits(counts, from.key(0));
    digits.add_all(from, count);
    digits.finish();
    barrier();
    for (int pass = 0; pass < P::PASSES; ++pass)
        if (counts[pass][lane()] != 0)
            add_slot(sort_totals<P>(args, row, pass) + lane(), counts[pass][lane()]);
    plan_passes<P>(args, row);
}

// How many elements with this lane's digit the tiles before have.
CUNA_INLINE uint64 count_before(const Sort &args, const uint64 *own, word tile)
{
    uint64 before = 0, slot = 0;
    for (word back = 1; back <= tile && !sort_says(slot, args.pass, SORT_ALL); ++back) {
        for (int tries = 0;; ++tries) {
            slot = get_slot(own - back * DIGITS);
            if (sort_says(slot, args.pass, SORT_OWN) || sort_says(slot, args.pass, SORT_ALL))
                break;
            relax(tries);
        }
        before += sort_counted(slot);
    }
    return before;
}

// The place in its row, less that in the tile, of the first element with this lane's digit. Publishes what others need.
template <class P, class T, class Between>
CUNA_INLINE word find_start(const Sort &args, word row, word number, T &tile, Between between)
{
    CUNA_SHARED uint64 sums[SORT_WARPS];
    const uint64 total = sort_totals<P>(args, row, args.pass)[lane()];
    uint64 *slot = sort_slots(args, row, number) + lane();
    unsigned own, lower;
    tile.find_ranks([&](int i) { return digit_of(tile.key[i], args.pass); }, own, lower);
    // What is past the end is counted with the highest digit.
    own -= lane() == DIGITS - 1 ? SORT_TILE - tile.count : 0;
    put_slot(slot, sort_slot(args.pass, SORT_OWN, own));
    between();
    const uint64 below = sum_before(total, sums), before = count_before(args, slot, number);
    put_slot(slot, sort_slot(args.pass, SORT_ALL, before + own));
    return word(below + before) - word(lower);
}

// Stores keys at their places.
template <class P, class T>
CUNA_INLINE void place_keys(const Placing<P> &to, T &tile, const typename P::Position *place)
{
    enum { ITEMS = SORT_TILE / LANES };
    if (to.is_last) {
        EACH_ITEM tile.key[i] = to.order.element_of(tile.key[i]);
    }
    tile.each([&](int i) { to.keys[place[i]] = tile.key[i]; });
}

// Exchanges positions as keys were, and stores them.
template <class P, class T>
CUNA_INLINE void place_positions(const Passing<P> &from, const Placing<P> &to, T &tile,
                                 const typename P::Position *place)
{
    enum { ITEMS = SORT_TILE / LANES };
    typename P::Position at[ITEMS];
    EACH_ITEM at[i] = typename P::Position(from.first + tile.place(i));
    if (!from.is_first)
        tile.each([&](int i) { at[i] = from.source_at[tile.place(i)]; });
    tile.exchange(at);
    if (to.is_last)
        tile.each([&](int i) { to.positions[place[i]] = int64(at[i]) + 1; });
    else
        tile.each([&](int i) { to.at[place[i]] = at[i]; });
}

// Keys of one byte: what is sorted is known from the counts alone. A lane stores some elements side by side.
template <class P>
CUNA_INLINE void sort_fill(const Sort &args, unsigned block)
{
    enum { EACH = SORT_TILE / LANES, PACK = 8 / sizeof(typename P::Key) };
    typedef typename P::Key Key;
    struct Pack {
        Key key[PACK];
    };
    CUNA_SHARED uint64 sums[SORT_WARPS];
    CUNA_SHARED word ends[DIGITS];
    const word row = block / args.tiles, tile = block % args.tiles * SORT_TILE;
    const uint64 own = sort_totals<P>(args, row, 0)[lane()];
    ends[lane()] = word(sum_before(own, sums) + own);
    barrier();
    const Placing<P> to(args, row, Stage(args));
    word at = tile + word(lane()) * EACH;
    unsigned digit = 0;
    CUNA_UNROLL
    for (unsigned half = DIGITS / 2; half > 0; half /= 2)
        digit += ends[digit + half - 1] <= at ? half : 0;
    for (int p = 0; p < EACH / PACK; ++p) {
        Pack pack;
        CUNA_UNROLL
        for (int k = 0; k < PACK; ++k) {
            while (digit < DIGITS - 1 && ends[digit] <= at + k)
                ++digit;
            pack.key[k] = to.order.element_of(Key(digit));
        }
        if (at + PACK <= args.count && word(to.keys + at) % 8 == 0)
            pack_store((Pack *)(to.keys + at), pack);
        else
            for (int k = 0; k < PACK && at + k < args.count; ++k)
                to.keys[at + k] = pack.key[k];
        at += PACK;
    }
}

template <class P>
CUNA_INLINE void sort_place(const Sort &args, unsigned block)
{
    enum { ITEMS = SORT_TILE / LANES };
    if (P::PASSES == 1 && !P::POSITIONS) {
        sort_fill<P>(args, block);
        return;
    }
    typedef typename P::Position Position;
    CUNA_SHARED TileRoom<ITEMS> room;
    CUNA_SHARED Position starts[DIGITS];
    CUNA_SHARED word ticket;
    if (args.rows == 1 && !Stage(args, 0).runs)
        return;
    if (lane() == 0)
        ticket = take_ticket((uint64 *)args.workspace + args.pass);
    barrier();
    const word row = ticket / args.tiles, number = ticket % args.tiles, first = number * SORT_TILE;
    const Stage stage(args, row);
    if (!stage.runs)
        return;
    const Passing<P> from(args, row, first, stage);
    const Placing<P> to(args, row, stage);
    Tile<P, ITEMS> tile(room, unsigned(args.count - first < SORT_TILE ? args.count - first : SORT_TILE));
    tile.load(from);
    starts[lane()] = Position(find_start<P>(args, row, number, tile, [&] { tile.exchange(tile.key); }));
    barrier();
    Position place[ITEMS];
    EACH_ITEM place[i] = starts[digit_of(tile.key[i], args.pass)] + tile.place(i);
    if (to.takes_keys())
        place_keys<P>(to, tile, place);
    if (P::POSITIONS)
        place_positions<P>(from, to, tile, place);
}

#undef EACH_ITEM

}  // namespace cuna
