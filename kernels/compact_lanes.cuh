// compact_lanes.cuh: the elements of an array where a mask is true, or their positions, by blocks of many lanes.
//
// Two launches with the host's wait between them, which makes the result. In the first, blocks count the true elements of
// tiles of the mask, and pass on how many there are up to the end of each tile while all of them run: a tile says how many
// it has, and then, when it has added up what the tiles before it said, how many there are so far. Blocks take tiles by
// tickets, so a block only waits for blocks that have started. The last tile tells the host. In the second launch a block
// lists the true elements of its tile in shared memory, and writes them side by side. So the mask is read twice, and
// everything else once.
//
// Codegen prints a struct Program with Element (of the result) and POSITIONS (whether that is a position, from 1).
namespace cuna {

struct Compact {
    word mask;    // bools, side by side
    word source;  // elements, or 0
    word target;
    word size;
    word tiles;
    word states;  // the counter of tickets, and what each tile says
    word total;   // in the host's memory
};

enum { COMPACT_OWN = 1, COMPACT_ALL = 2, COMPACT_SHIFT = 62, COMPACT_RUN = 16, COMPACT_BATCH = 4 };
enum { COMPACT_RUNS = COMPACT_TILE / (LANES * COMPACT_RUN) }; // of a lane

CUNA_INLINE uint64 compact_says(int kind, word count) { return uint64(kind) << COMPACT_SHIFT | uint64(count); }
CUNA_INLINE word compact_count_of(uint64 said) { return word(said & ((uint64(1) << COMPACT_SHIFT) - 1)); }

// Where run number `run` of this lane begins in a tile.
CUNA_INLINE unsigned compact_offset(int run) { return (run * LANES + lane()) * COMPACT_RUN; }

// Which elements of a run are true, as bits. A bool is any byte but 0.
CUNA_INLINE uint32 compact_bits(const Compact &args, word tile, int run)
{
    const word first = tile * COMPACT_TILE + compact_offset(run);
    const uint8 *mask = (const uint8 *)args.mask + first;
    uint32 bits = 0;
    if (args.mask % COMPACT_RUN == 0 && first + COMPACT_RUN <= args.size) {
        const Pack<uint32, COMPACT_RUN / 4> four = pack_load((const Pack<uint32, COMPACT_RUN / 4> *)mask);
        CUNA_UNROLL
        for (int i = 0; i < COMPACT_RUN / 4; ++i) {
            const uint32 word = four.at[i], high = (((word & 0x7f7f7f7fu) + 0x7f7f7f7fu) | word) & 0x80808080u;
            bits |= ((high >> 7) * 0x01020408u >> 24 & 15u) << (4 * i); // the four high bits beside each other
        }
        return bits;
    }
    for (int i = 0; i < COMPACT_RUN && first + i < args.size; ++i)
        bits |= uint32(mask[i] != 0) << i;
    return bits;
}

// How many true elements the tiles before have, for 32 lanes, which look at as many tiles at once.
CUNA_INLINE word compact_before(const uint64 *states, word tile)
{
    word before = 0;
    for (word last = tile - 1;; last -= 32) {
        const word own = last - lane();
        uint64 said = compact_says(COMPACT_ALL, 0); // before the first tile there is none
        for (int tries = 0; own >= 0 && (said = get_slot(states + own)) == 0; ++tries)
            relax(tries);
        const bool is_all = said >> COMPACT_SHIFT == COMPACT_ALL;
        const uint32 same = alike<1>(is_all), all = is_all ? same : ~same;
        const unsigned nearest = bits_set((all & (0u - all)) - 1); // 32: none
        word sum = lane() <= nearest ? compact_count_of(said) : 0;
        for (unsigned distance = 16; distance > 0; distance /= 2)
            sum += shuffle_down(sum, distance);
        before += shuffle(sum, 0);
        if (all != 0)
            return before;
    }
}

template <class P>
CUNA_INLINE void compact_count(const Compact &args, unsigned)
{
    CUNA_SHARED uint32 sums[SORT_WARPS];
    CUNA_SHARED word ticket;
    uint64 *states = (uint64 *)args.states + 1;
    if (lane() == 0)
        ticket = take_ticket((uint64 *)args.states);
    barrier();
    const word tile = ticket;
    uint32 count = 0;
    CUNA_UNROLL
    for (int run = 0; run < COMPACT_RUNS; ++run)
        count += bits_set(compact_bits(args, tile, run));
    sum_before(count, sums);
    if (lane() >= 32)
        return;
    word own = 0;
    for (unsigned warp = 0; warp < SORT_WARPS; ++warp)
        own += sums[warp];
    if (lane() == 0 && tile > 0)
        put_slot(states + tile, compact_says(COMPACT_OWN, own));
    const word all = compact_before(states, tile) + own;
    if (lane() != 0)
        return;
    put_slot(states + tile, compact_says(COMPACT_ALL, all));
    if (tile + 1 == args.tiles)
        put_slot((uint64 *)args.total, uint64(all));
}

template <class P> struct compact_source {
    typedef typename P::Element Element;
    const Element *first;
    CUNA_INLINE compact_source(const Compact &args, word tile) : first((const Element *)args.source + tile * COMPACT_TILE) {}
    CUNA_INLINE Element operator[](unsigned i) const { return first[i]; }
};

struct compact_positions {
    word first;
    CUNA_INLINE compact_positions(const Compact &, word tile) : first(tile * COMPACT_TILE + 1) {}
    CUNA_INLINE int64 operator[](unsigned i) const { return first + i; }
};

template <class P, bool POSITIONS> struct compact_from { typedef compact_source<P> type; };
template <class P> struct compact_from<P, true> { typedef compact_positions type; };

// Lists the true elements of a tile, by their places in it. Runs of one number lie side by side in the tile, so a lane's
// first one comes after those of all lanes before it, its second one after the first ones of all lanes.
CUNA_INLINE void compact_list(uint16 *list, const uint32 (&bits)[COMPACT_RUNS], uint32 *sums)
{
    static_assert(COMPACT_RUNS == 2 && LANES * COMPACT_RUN < 1 << 16, "counts of both runs share a word");
    const uint32 before = sum_before(bits_set(bits[0]) | bits_set(bits[1]) << 16, sums);
    uint32 firsts = 0;
    for (unsigned warp = 0; warp < SORT_WARPS; ++warp)
        firsts += sums[warp] & 0xffff;
    CUNA_UNROLL
    for (int run = 0; run < COMPACT_RUNS; ++run) {
        uint32 at = run == 0 ? before & 0xffff : firsts + (before >> 16);
        for (uint32 left = bits[run]; left != 0; left &= left - 1)
            list[at++] = uint16(compact_offset(run) + bits_set((left & (0u - left)) - 1));
    }
}

template <class P>
CUNA_INLINE void compact_place(const Compact &args, unsigned block)
{
    CUNA_SHARED uint32 sums[SORT_WARPS];
    CUNA_SHARED uint16 list[COMPACT_TILE];
    const uint64 *states = (const uint64 *)args.states + 1;
    const word before = block > 0 ? compact_count_of(states[block - 1]) : 0;
    const unsigned count = unsigned(compact_count_of(states[block]) - before);
    if (count == 0)
        return;
    uint32 bits[COMPACT_RUNS];
    CUNA_UNROLL
    for (int run = 0; run < COMPACT_RUNS; ++run)
        bits[run] = compact_bits(args, block, run);
    compact_list(list, bits, sums);
    barrier();
    const typename compact_from<P, P::POSITIONS>::type from(args, block);
    typename P::Element *to = (typename P::Element *)args.target + before;
    for (unsigned first = lane(); first < count; first += COMPACT_BATCH * LANES) {
        typename P::Element own[COMPACT_BATCH];
        CUNA_UNROLL
        for (unsigned k = 0; k < COMPACT_BATCH; ++k)
            if (first + k * LANES < count)
                own[k] = from[list[first + k * LANES]];
        CUNA_UNROLL
        for (unsigned k = 0; k < COMPACT_BATCH; ++k)
            if (first + k * LANES < count)
                to[first + k * LANES] = own[k];
    }
}

}  // namespace cuna
