// select_lanes.cuh: selecting by blocks of many lanes (select.cuh).
//
// A block counts digits in shared memory and adds what it counted to the row's counts at its end. Keys that are kept are
// counted by each lane first: the block takes room for all of them at once. A tile is parted by ballots, without an
// exchange: elements of one part that lie side by side are stored side by side.
namespace cuna {

#define EACH_ITEM CUNA_UNROLL for (int i = 0; i < ITEMS; ++i)

// ---- rows that blocks share: counting ----

enum { SELECT_WARPS = LANES / 32 };

template <class P>
struct CountRoom {
    uint32 counts[SELECT_BINS];
    typename P::Key prefix[SELECT_MOST];
    uint32 sums[SELECT_WARPS];
    typename P::Key *kept; // where the block puts what it keeps
    bool is_last;
};

// The block's part of a pass over a row. The first pass counts all keys, later ones those of the groups.
template <class P>
struct BlockCount {
    enum { ITEMS = sizeof(typename P::Key) > 4 ? 8 : 16, STEP = ITEMS * LANES };
    typedef typename P::Key Key;
    const Select &args;
    const Digits<P> digits;
    const Order<P> order;
    Selecting &state;
    CountRoom<P> &room;
    const unsigned groups;
    const bool keeps;
    Key *const kept;

    CUNA_INLINE BlockCount(const Select &args, word row, CountRoom<P> &room)
        : args(args), digits(args), order(args), state(*select_state(args, row)), room(room),
          groups(digits.is_first() ? 1 : unsigned(state.groups)),
          keeps(!digits.is_first() && state.step == SELECT_KEEPS), kept((Key *)args.kept + row * args.room) {}

    CUNA_INLINE unsigned bins() const { return groups << digits.width; }
    CUNA_INLINE void begin()
    {
        for (unsigned i = lane(); i < bins(); i += LANES)
            room.counts[i] = 0;
        if (lane() < SELECT_MOST)
            room.prefix[lane()] = Key(state.prefix[lane()]);
        barrier();
    }

    // Fills the shared cache with the keys of a step, in lines of 128 bytes.
    CUNA_INLINE void fill(const Key *keys) const
    {
        if (lane() < STEP * sizeof(Key) / 128)
            prefetch_shared((const char *)keys + lane() * 128);
    }
    CUNA_INLINE void fill_first(const Counting<P> &from) const
    {
        if (from.count >= STEP)
            fill(from.source + (digits.is_first() ? 0 : from.count / STEP * STEP - STEP));
    }

    // Loads keys, of which ALL or so many are there.
    template <bool ALL>
    CUNA_INLINE void load(Key (&key)[ITEMS], const Counting<P> &from, word first) const
    {
        const unsigned left = unsigned(from.count - first);
        const Key *source = from.source + first + lane();
        EACH_ITEM key[i] = ALL || i * LANES + lane() < left ? source[i * LANES] : Key(0);
        if (!from.are_keys) {
            EACH_ITEM key[i] = order.key_of(key[i]);
        }
    }

    template <bool ALL>
    CUNA_INLINE bool count_first(const Counting<P> &from, word first)
    {
        const unsigned left = unsigned(from.count - first);
        bool has_nan = false;
        Key key[ITEMS];
        load<ALL>(key, from, first);
        EACH_ITEM {
            uint32 *count = &room.counts[digits.digit(key[i])];
            const bool is_there = ALL || i * LANES + lane() < left;
            if (is_there)
                add_beside(count, uint32(1));
            has_nan |= is_there && key[i] == order.last();
        }
        return has_nan;
    }
    CUNA_INLINE void count_first(const Counting<P> &from)
    {
        bool has_nan = false;
        word first = 0;
        for (; from.count - first >= STEP; first += STEP) {
            if (from.count - first >= 2 * STEP)
                fill(from.source + first + STEP);
            has_nan |= count_first<true>(from, first);
        }
        if (first < from.count)
            has_nan |= count_first<false>(from, first);
        if ((args.flags & SELECT_NAN) && has_nan)
            put_slot(&state.has_nan, 1);
    }

    template <bool ALL>
    CUNA_INLINE void count_later(const Counting<P> &from, word first)
    {
        const unsigned left = unsigned(from.count - first);
        uint32 found = 0;
        Key key[ITEMS];
        load<ALL>(key, from, first);
        for (unsigned g = 0; g < groups; ++g) {
            const Key prefix = room.prefix[g];
            uint32 *const counts = room.counts + (g << digits.width);
            EACH_ITEM {
                uint32 *count = counts + digits.digit(key[i]);
                const bool is_in = digits.above(key[i]) == prefix && (ALL || i * LANES + lane() < left);
                if (is_in)
                    add_beside(count, uint32(1));
                found |= is_in ? uint32(1) << i : 0;
            }
        }
        if (keeps)
            keep(key, found);
    }
    // From the end, which the pass before has left in the shared cache.
    CUNA_INLINE void count_later(const Counting<P> &from)
    {
        word first = from.count / STEP * STEP;
        if (first < from.count)
            count_later<false>(from, first);
        while ((first -= STEP) >= 0) {
            if (first >= STEP)
                fill(from.source + first - STEP);
            count_later<true>(from, first);
        }
    }
    CUNA_INLINE void keep(const Key (&key)[ITEMS], uint32 found)
    {
        const uint32 own = bits_set(found), before = sum_before(own, room.sums);
        if (lane() == LANES - 1)
            room.kept = kept + take_tickets(&state.kept, before + own);
        barrier();
        Key *const to = room.kept;
        unsigned at = before;
        EACH_ITEM {
            if (found >> i & 1)
                to[at] = key[i];
            at += found >> i & 1;
        }
    }
    CUNA_INLINE void finish(uint64 *counts)
    {
        barrier();
        for (unsigned i = lane(); i < bins(); i += LANES)
            if (room.counts[i] != 0)
                add_slot(counts + i, room.counts[i]);
        barrier();
        if (lane() == 0) { // whose fences stand for the lanes that met at the barrier
            settle();
            room.is_last = take_ticket(&state.finished) == args.tiles - 1;
            settle();
        }
        barrier();
    }
};

struct PickRoom {
    Selecting state;
    int64 places[SELECT_MOST];
    Picked picked[SELECT_MOST];
    uint64 sums[SELECT_WARPS];
};

// What the places of one group find in its counts. Each lane has some of the digits, side by side.
template <class P>
CUNA_INLINE void pick_group(const Select &args, unsigned g, uint64 *counts, PickRoom &room)
{
    enum { EACH = (1 << SELECT_WIDTH) / LANES };
    const unsigned bins = 1u << args.width, each = bins < LANES ? 1 : bins / LANES, first = lane() * each;
    const bool is_first = Digits<P>(args).is_first();
    uint64 own[EACH], sum = 0;
    CUNA_UNROLL
    for (unsigned d = 0; d < EACH; ++d)
        own[d] = d < each && first + d < bins ? get_slot(counts + first + d) : 0;
    CUNA_UNROLL
    for (unsigned d = 0; d < EACH; ++d)
        sum += own[d];
    const uint64 before = sum_before(sum, room.sums);
    for (word j = 0; j < args.many; ++j) {
        uint64 rank = is_first ? uint64(room.places[j]) : room.state.rank[j], lower = before;
        if (room.state.group[j] != g || rank < before || rank >= before + sum)
            continue;
        CUNA_UNROLL
        for (unsigned d = 0; d < EACH; ++d) {
            if (rank >= lower && rank < lower + own[d])
                room.picked[j] = Picked{rank - lower, own[d], first + d};
            lower += own[d];
        }
    }
    barrier();
    for (unsigned d = lane(); d < bins; d += LANES)
        counts[d] = 0;
}

// The last block of a pass works on a copy of the row's state, which all lanes read and write at once.
template <class P>
CUNA_INLINE void pick(const Select &args, word row, unsigned groups, PickRoom &room)
{
    enum { WORDS = sizeof(Selecting) / 8 };
    static_assert(unsigned(WORDS) <= unsigned(LANES), "each lane moves a word");
    uint64 *state = (uint64 *)select_state(args, row), *counts = select_counts(args, row);
    if (lane() < WORDS)
        ((uint64 *)&room.state)[lane()] = get_slot(state + lane());
    if (lane() < args.many)
        room.places[lane()] = select_places(args, row)[lane()];
    barrier();
    for (unsigned g = 0; g < groups; ++g)
        pick_group<P>(args, g, counts + (uint64(g) << args.width), room);
    if (lane() == 0) {
        hand_on<P>(args, row, room.state, room.picked, room.places);
        room.state.finished = 0;
    }
    barrier();
    if (lane() < WORDS)
        state[lane()] = ((const uint64 *)&room.state)[lane()];
}

template <class P>
CUNA_INLINE void select_count(const Select &args, unsigned block)
{
    CUNA_SHARED union {
        CountRoom<P> count;
        PickRoom pick;
    } room;
    const unsigned tiles = unsigned(args.tiles);
    const word row = block / tiles;
    Selecting &state = *select_state(args, row);
    BlockCount<P> work(args, row, room.count);
    const unsigned groups = work.groups;
    const Counting<P> from(args, state, row, block % tiles);
    work.fill_first(from);
    work.begin();
    if (work.digits.is_first())
        work.count_first(from);
    else
        work.count_later(from);
    work.finish(select_counts(args, row));
    const bool is_last = room.count.is_last;
    barrier();
    if (!is_last)
        return;
    pick<P>(args, row, groups, room.pick);
}

// ---- parts ----

// What lanes do together: all of a block, or 32 of them.
template <int TEAM>
struct Team {
    static CUNA_INLINE unsigned member() { return TEAM == 32 ? lane() % 32 : lane(); }
    static CUNA_INLINE void wait()
    {
        if (TEAM == 32)
            warp_barrier();
        else
            barrier();
    }
};

struct PartRoom {
    uint32 before[SELECT_WARPS], equal[SELECT_WARPS]; // of warps
    uint64 tiles_before[2];
};

// Keys that a team holds, in the order of warps, items and lanes.
template <class P, int TEAM, int ITEMS>
struct Held {
    typedef typename P::Key Key;
    const unsigned count;
    Key key[ITEMS];

    CUNA_INLINE explicit Held(unsigned count) : count(count) {}
    CUNA_INLINE unsigned place(int i) const { return (TEAM == 32 ? 0 : lane() / 32 * (32 * ITEMS)) + lane() % 32 + 32 * i; }
    CUNA_INLINE void load(const Key *source, const Order<P> &order)
    {
        if (count == TEAM * ITEMS) {
            EACH_ITEM key[i] = source[place(i)];
        } else {
            EACH_ITEM key[i] = place(i) < count ? source[place(i)] : Key(0);
        }
        EACH_ITEM key[i] = order.key_of(key[i]);
    }

    // How many of a warp's keys are before a pivot, and equal to it.
    CUNA_INLINE void count_warp(Key pivot, uint32 &before, uint32 &equal) const
    {
        uint32 both = 0; // in two halves
        EACH_ITEM both += place(i) >= count ? 0 : key[i] < pivot ? 1 : key[i] == pivot ? 0x10000 : 0;
        CUNA_UNROLL
        for (unsigned distance = 16; distance > 0; distance /= 2)
            both += shuffle(both, lane() % 32 ^ distance);
        before = both & 0xffff;
        equal = both >> 16;
    }

    // Stores elements where they belong; the first place of each part is given, less those of the warps before. `first`:
    // the position of key 0. Places are of a type W.
    template <class W>
    CUNA_INLINE void put(const Parting<P> &to, Key pivot, word first, W before, W equal, W behind) const
    {
        const uint32 lower = (uint32(1) << lane() % 32) - 1;
        const W limit = W(to.limit);
        EACH_ITEM {
            const bool is_there = place(i) < count, is_less = key[i] < pivot, is_same = key[i] == pivot;
            if (behind >= limit && ballot(is_there && (is_less || is_same)) == 0) {
                behind += 32; // nothing of these is stored
                continue;
            }
            const uint32 less = ballot(is_there && is_less), same = ballot(is_there && is_same);
            const uint32 alike = is_less ? less : is_same ? same : ~(less | same);
            // Keys past the end come after all that are there, so they are in nobody's rank.
            const W at = (is_less ? before : is_same ? equal : behind) + bits_set(alike & lower);
            if (is_there && at < limit)
                to.store(word(at), key[i], first + place(i));
            const uint32 nless = bits_set(less), nsame = bits_set(same);
            before += nless;
            equal += nsame;
            behind += 32 - nless - nsame;
        }
    }
};

// The sum of what the tiles before have in one of their slots; 32 lanes look at as many tiles at once.
CUNA_INLINE uint64 select_tiles_before(const uint64 *own, word tile)
{
    uint64 sum = 0;
    for (word back = 1; back <= tile; back += 32) {
        const word number = tile - back - word(lane() % 32);
        uint64 slot = sort_slot(0, SORT_ALL, 0);
        if (number >= 0)
            for (int tries = 0; !(sort_says(slot = get_slot(own - 2 * (tile - number)), 0, SORT_OWN) ||
                                  sort_says(slot, 0, SORT_ALL)); ++tries)
                relax(tries);
        // Those behind the first tile that has a sum are in that sum.
        const uint32 all = ballot(sort_says(slot, 0, SORT_ALL)), needed = all == 0 ? ~uint32(0) : all ^ (all - 1);
        uint64 part = needed >> lane() % 32 & 1 ? sort_counted(slot) : 0;
        CUNA_UNROLL
        for (unsigned distance = 16; distance > 0; distance /= 2)
            part += shuffle(part, lane() % 32 ^ distance);
        sum += part;
        if (all != 0)
            break;
    }
    return sum;
}

// Counts what each warp of the block has of the first two parts.
template <class H>
CUNA_INLINE void count_warps(const H &held, typename H::Key pivot, PartRoom &room)
{
    uint32 before, equal;
    held.count_warp(pivot, before, equal);
    if (lane() % 32 == 0) {
        room.before[lane() / 32] = before;
        room.equal[lane() / 32] = equal;
    }
    barrier();
}

// Sums what warps counted: those before this one, and all.
CUNA_INLINE void sum_warps(const uint32 *counts, uint32 &before, uint32 &all)
{
    before = all = 0;
    CUNA_UNROLL
    for (unsigned w = 0; w < SELECT_WARPS; ++w) {
        before += w < lane() / 32 ? counts[w] : 0;
        all += counts[w];
    }
}

// Publishes a tile's counts, and finds those of the tiles before.
CUNA_INLINE void pass_on(uint64 *slots, word tile, const uint32 *own, PartRoom &room)
{
    const unsigned k = lane() / 32;
    if (k >= 2)
        return;
    if (lane() % 32 == 0)
        put_slot(slots + k, sort_slot(0, SORT_OWN, own[k]));
    const uint64 before = select_tiles_before(slots + k, tile);
    if (lane() % 32 == 0) {
        put_slot(slots + k, sort_slot(0, SORT_ALL, before + own[k]));
        room.tiles_before[k] = before;
    }
}

template <class P>
CUNA_INLINE void select_part(const Select &args, unsigned)
{
    enum { ITEMS = SELECT_TILE / LANES };
    CUNA_SHARED PartRoom room;
    CUNA_SHARED word ticket;
    if (lane() == 0)
        ticket = take_ticket((uint64 *)args.slots);
    barrier();
    const word row = ticket / args.tiles, tile = ticket % args.tiles, first = tile * SELECT_TILE;
    const Selecting &state = *select_state(args, row);
    const Parting<P> to(args, row);
    const typename P::Key pivot = typename P::Key(state.prefix[0]);
    Held<P, LANES, ITEMS> held(unsigned(args.count - first < SELECT_TILE ? args.count - first : SELECT_TILE));
    held.load((const typename P::Key *)args.source + row * args.count + first, to.order);
    uint32 before, equal, all[2];
    count_warps(held, pivot, room);
    const uint32 own[] = {room.before[lane() / 32], room.equal[lane() / 32]};
    sum_warps(room.before, before, all[0]);
    sum_warps(room.equal, equal, all[1]);
    pass_on(select_slots(args, row, tile), tile, all, room);
    barrier();
    const word start = first + held.place(0) - lane() % 32; // of the warp
    const word less = word(room.tiles_before[0]) + before, same = word(room.tiles_before[1]) + equal;
    const word behind = word(state.before + state.equal) + start - less - same;
    // Of few first places most warps store nothing.
    if (own[0] > 0 || own[1] > 0 || behind < args.limit)
        held.put(to, pivot, first, less, word(state.before) + same, behind);
}

#undef EACH_ITEM

}  // namespace cuna
