// sort.cuh: stable sorting of rows by the digits of their keys, from the lowest digit to the highest (radix sort).
//
// A key is an unsigned number of the element's size with the order of the elements: the first pass makes it from the
// element's bits, and the last one stores elements again, or their positions. NaN is last in either direction. A pass
// computes where an element goes from counts: the totals of each digit in the whole row, which sort_count makes for
// all digits at once, and the counts of the tiles before, which blocks pass on while they run (sort_place). Blocks
// take tiles by tickets, so a block only waits for blocks that have started. Rows that fit into one block are sorted
// there (sort_rows, and sort_short where many fit), in one launch.
//
// Codegen prints a struct Program with Key, Position (of an element in its row, from 0), KIND ('u', 'i' or 'f'), INF
// (the bits of infinity), PASSES, and POSITIONS (whether the results are positions, not elements).
namespace cuna {

enum { DIGITS = 256, SORT_FIRST = 1, SORT_LAST = 2, SORT_DESCENDING = 4 };

struct Sort {
    word source;     // elements (in the first pass), or keys; rows lie one after the other
    word source_at;  // their positions; not in the first pass
    word target;     // keys, or in the last pass elements or positions (int64, from 1)
    word target_at;
    word count;  // elements of a row
    word rows;
    word tile;   // elements of a tile, or of a stretch to count; of short rows: rows of a block
    word tiles;  // of a row
    word pass;   // the digit, from the lowest
    word flags;
    word totals;     // of each row, pass and digit; 8 bytes each
    word workspace;  // the counter of tickets of each pass, 8 of them, then the published count of each tile and digit
};

template <class P>
CUNA_INLINE typename P::Key key_of(typename P::Key bits, word flags)
{
    typedef typename P::Key Key;
    const Key sign = Key(Key(1) << (8 * sizeof(Key) - 1)), last = Key(~Key(0));
    Key key = bits;
    if (P::KIND == 'i')
        key = Key(bits ^ sign);
    if (P::KIND == 'f') {
        const Key size = Key(bits & Key(~sign));
        if (size > P::INF)
            return last;
        const bool negative = (bits & sign) != 0 && !(P::POSITIONS && size == 0);  // zeros are equal, and keep their order
        key = negative ? Key(~bits) : Key(size | sign);
    }
    return flags & SORT_DESCENDING ? Key(~key) : key;
}

// The bits of the element that a key was made of; of NaN there is one.
template <class P>
CUNA_INLINE typename P::Key element_of(typename P::Key key, word flags)
{
    typedef typename P::Key Key;
    const Key sign = Key(Key(1) << (8 * sizeof(Key) - 1)), last = Key(~Key(0));
    if (P::KIND == 'f' && key == last)
        return Key(P::INF | P::INF >> 1);
    key = flags & SORT_DESCENDING ? Key(~key) : key;
    if (P::KIND == 'i')
        return Key(key ^ sign);
    return P::KIND == 'f' ? key & sign ? Key(key ^ sign) : Key(~key) : key;
}

template <class Key>
CUNA_INLINE unsigned digit_of(Key key, word pass) { return byte_of(key, unsigned(pass)); }

// Rows as the passes of a sort see them.
template <class P>
struct Passing {
    typedef typename P::Key Key;
    typedef typename P::Position Position;
    const Key *source;
    const Position *source_at;
    word first;  // element of the row that source begins with
    word flags;

    CUNA_INLINE Passing(const Sort &args, word row, word first)
        : source((const Key *)args.source + row * args.count + first),
          source_at((const Position *)args.source_at + row * args.count + first), first(first),
          flags(args.flags) {}
    CUNA_INLINE bool is_first() const { return (flags & SORT_FIRST) != 0; }
    CUNA_INLINE Key key(word i) const { return is_first() ? key_of<P>(source[i], flags) : source[i]; }
    CUNA_INLINE Position position(word i) const { return is_first() ? Position(first + i) : source_at[i]; }
};

// Where a row's elements go.
template <class P>
struct Placing {
    typedef typename P::Key Key;
    typedef typename P::Position Position;
    Key *keys;
    Position *at;
    int64 *positions;
    word flags;

    CUNA_INLINE Placing(const Sort &args, word row)
        : keys((Key *)args.target + row * args.count), at((Position *)args.target_at + row * args.count),
          positions((int64 *)args.target + row * args.count), flags(args.flags) {}
    CUNA_INLINE bool is_last() const { return (flags & SORT_LAST) != 0; }
    CUNA_INLINE bool takes_keys() const { return !(P::POSITIONS && is_last()); }
    CUNA_INLINE void put_key(word place, Key key) const { keys[place] = is_last() ? element_of<P>(key, flags) : key; }
    CUNA_INLINE void put_position(word place, Position position) const
    {
        if (is_last())
            positions[place] = int64(position) + 1;
        else
            at[place] = position;
    }
};

// What a tile publishes of a digit: its count, or the sum up to this tile, marked with the pass it belongs to.
enum { SORT_OWN = 1, SORT_ALL = 2, SORT_MARK_SHIFT = 56 };
CUNA_INLINE uint64 sort_mark(word pass, int kind) { return uint64(4 * pass + kind) << SORT_MARK_SHIFT; }
CUNA_INLINE uint64 sort_slot(word pass, int kind, uint64 count) { return sort_mark(pass, kind) | count; }
CUNA_INLINE bool sort_says(uint64 slot, word pass, int kind) { return slot >> SORT_MARK_SHIFT == uint64(4 * pass + kind); }
CUNA_INLINE uint64 sort_counted(uint64 slot) { return slot & ((uint64(1) << SORT_MARK_SHIFT) - 1); }

// The slots of a tile, after the tickets' counters.
CUNA_INLINE uint64 *sort_slots(const Sort &args, word row, word tile)
{
    return (uint64 *)args.workspace + 8 + (row * args.tiles + tile) * DIGITS;
}

template <class P>
CUNA_INLINE uint64 *sort_totals(const Sort &args, word row, word pass)
{
    return (uint64 *)args.totals + (row * P::PASSES + pass) * DIGITS;
}

}  // namespace cuna
