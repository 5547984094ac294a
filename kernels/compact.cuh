// compact.cuh: the elements of an array where a mask is true, or their positions.
//
// Two launches with the host's wait between them, which makes the result. In the first, blocks count the true elements of
// tiles of the mask, and of groups of tiles. One word has the true elements of all blocks that are done, and in its high
// bits how many these are: the last block writes the total to the host. In the second launch a block adds up the groups
// before its own and the tiles before it in that, and writes the true elements of its tile side by side. So the mask is
// read twice, and everything else once.
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

enum { COMPACT_DONE = 38 }; // from which bit on a word counts blocks

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

// Notes what a tile has; the last block writes the total. One lane calls it.
CUNA_INLINE void compact_note(const Compact &args, unsigned tile, uint64 own)
{
    uint64 *done = (uint64 *)args.sums;
    const uint64 one = uint64(1) << COMPACT_DONE;
    ((uint32 *)args.counts)[tile] = uint32(own);
    add_slot(done + 1 + tile / COMPACT_GROUP, own);
    const uint64 before = add_slot(done, one + own);
    if (word(before / one) + 1 == args.tiles)
        put_slot((uint64 *)args.total, before % one + own);
}

}  // namespace cuna
