// compact_runs.cuh: selection by a mask (compact.cuh) by blocks of one lane.
namespace cuna {

// Elements whose truth is read as one word, and elements that are counted in bytes.
enum { COMPACT_STEP = 8, COMPACT_CHUNK = 128 };

template <class P>
CUNA_INLINE void compact_count(const Compact &args, unsigned block)
{
    const word first = word(block) * COMPACT_TILE, left = args.size - first;
    const uint8 *mask = (const uint8 *)args.mask + first;
    const int count = int(left < COMPACT_TILE ? left : COMPACT_TILE);
    uint64 sum = 0;
    int i = 0;
    for (; i + COMPACT_CHUNK <= count; i += COMPACT_CHUNK) {
        uint8 part = 0;
        for (int k = 0; k < COMPACT_CHUNK; ++k)
            part += mask[i + k] != 0;
        sum += part;
    }
    for (; i < count; ++i)
        sum += mask[i] != 0;
    compact_note(args, block, sum);
}

// How many true elements the tiles before one have.
CUNA_INLINE word compact_before(const Compact &args, unsigned tile)
{
    const unsigned group = tile / COMPACT_GROUP;
    word before = 0;
    for (unsigned g = 0; g < group; ++g)
        before += ((const word *)args.sums)[1 + g];
    for (unsigned t = group * COMPACT_GROUP; t < tile; ++t)
        before += ((const uint32 *)args.counts)[t];
    return before;
}

// Every element is written, and one that is not true is overwritten: no branch depends on a single element, and what
// would lie past the tile's part is not written.
template <class P>
CUNA_INLINE void compact_place(const Compact &args, unsigned block)
{
    const word first = word(block) * COMPACT_TILE;
    const uint8 *mask = (const uint8 *)args.mask + first;
    const typename compact_from<P, P::POSITIONS>::type from(args, block);
    typename P::Element *to = (typename P::Element *)args.target + compact_before(args, block);
    typename P::Element *const end = to + ((const uint32 *)args.counts)[block];
    unsigned i = 0;
    for (; end - to >= COMPACT_STEP; i += COMPACT_STEP) {
        uint64 eight;
        __builtin_memcpy(&eight, mask + i, sizeof eight);
        if (eight == 0)
            continue;
        CUNA_UNROLL
        for (unsigned k = 0; k < COMPACT_STEP; ++k) {
            *to = from[i + k];
            to += (eight >> 8 * k & 0xff) != 0;
        }
    }
    for (; to != end; ++i) {
        *to = from[i];
        to += mask[i] != 0;
    }
}

}  // namespace cuna
