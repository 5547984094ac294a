// compact_lanes.cuh: the elements of an array where a mask is true, or their positions, by blocks of many lanes.
//
// Two launches with the host's wait between them, which makes the result. In the first, blocks count the true elements of
// tiles of the mask, and of groups of LANES tiles. One word has the true elements of all blocks that are done, and in its high
// bits how many these are: the last block writes the total to the host. In the second launch a block adds up the groups before
// its own and the tiles before it in that, lists the true elements of its tile in shared memory, and writes them side by
// side. So the mask is read twice, and everything else once.
//
// Codegen prints a struct Program with Element (of the result) and POSITIONS (whether that is a position, from 1).
namespace cuna {

struct Compact {
    word mask;   // bools, side by side
    word source; // elements, or 0
    word target;
    word size;
    word tiles;
    word sums;   // the word, then the count of each group; 8 bytes each
    word counts; // of tiles; 4 bytes each
    word total;  // in the host's memory
};

enum { COMPACT_RUN = 16, COMPACT_RUNS = COMPACT_TILE / (LANES * COMPACT_RUN) }; // elements side by side, of a lane
enum { COMPACT_BATCH = 4 }; // results that a lane has under way at once
enum { COMPACT_DONE = 38 }; // from which bit on a word counts blocks

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
            const uint32 bytes = four.at[i], high = (((bytes & 0x7f7f7f7fu) + 0x7f7f7f7fu) | bytes) & 0x80808080u;
            bits |= ((high >> 7) * 0x01020408u >> 24 & 15u) << (4 * i); // the four high bits beside each other
        }
        return bits;
    }
    for (int i = 0; i < COMPACT_RUN && first + i < args.size; ++i)
        bits |= uint32(mask[i] != 0) << i;
    return bits;
}

// What all lanes of the block add up to, after sum_before.
template <class T>
CUNA_INLINE T compact_sum(const T *sums)
{
    T all = 0;
    CUNA_UNROLL
    for (unsigned warp = 0; warp < SORT_WARPS; ++warp)
        all += sums[warp];
    return all;
}

template <class P>
CUNA_INLINE void compact_count(const Compact &args, unsigned block)
{
    CUNA_SHARED uint32 sums[SORT_WARPS];
    uint32 count = 0;
    CUNA_UNROLL
    for (int run = 0; run < COMPACT_RUNS; ++run)
        count += bits_set(compact_bits(args, block, run));
    sum_before(count, sums);
    if (lane() != 0)
        return;
    uint64 *done = (uint64 *)args.sums;
    const uint64 own = compact_sum(sums), one = uint64(1) << COMPACT_DONE;
    ((uint32 *)args.counts)[block] = uint32(own);
    add_slot(done + 1 + block / LANES, own);
    const uint64 before = add_slot(done, one + own);
    if (word(before / one) + 1 == args.tiles)
        put_slot((uint64 *)args.total, before % one + own);
}

// How many true elements the tiles before one have.
CUNA_INLINE word compact_before(const Compact &args, unsigned tile)
{
    CUNA_SHARED word sums[SORT_WARPS];
    const unsigned group = tile / LANES, first = group * LANES;
    word before = first + lane() < tile ? word(((const uint32 *)args.counts)[first + lane()]) : 0;
    for (unsigned g = lane(); g < group; g += LANES)
        before += ((const word *)args.sums)[1 + g];
    sum_before(before, sums);
    return compact_sum(sums);
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
    const uint32 firsts = compact_sum(sums) & 0xffff;
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
    const unsigned count = ((const uint32 *)args.counts)[block];
    uint32 bits[COMPACT_RUNS];
    if (count == 0)
        return;
    CUNA_UNROLL
    for (int run = 0; run < COMPACT_RUNS; ++run)
        bits[run] = compact_bits(args, block, run);
    const word before = compact_before(args, block);
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
