// compact_lanes.cuh: selection by a mask (compact.cuh) by blocks of many lanes, which list the true elements of a tile in
// shared memory.
namespace cuna {

enum { COMPACT_RUN = 16, COMPACT_RUNS = COMPACT_TILE / (LANES * COMPACT_RUN) }; // elements side by side, of a lane
enum { COMPACT_BATCH = 4 }; // results that a lane has under way at once

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
    if (lane() == 0)
        compact_note(args, block, compact_sum(sums));
}

// How many true elements the tiles before one have.
CUNA_INLINE word compact_before(const Compact &args, unsigned tile)
{
    static_assert(COMPACT_GROUP == LANES, "a lane for each tile of a group");
    CUNA_SHARED word sums[SORT_WARPS];
    const unsigned group = tile / COMPACT_GROUP, first = group * COMPACT_GROUP;
    word before = first + lane() < tile ? word(((const uint32 *)args.counts)[first + lane()]) : 0;
    for (unsigned g = lane(); g < group; g += LANES)
        before += ((const word *)args.sums)[1 + g];
    sum_before(before, sums);
    return compact_sum(sums);
}

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
