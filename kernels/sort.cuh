// sort.cuh: stable sorting of rows by the digits of their keys, from the lowest digit to the highest (radix sort).
//
// A key is an unsigned number of the element's size with the order of the elements: the first pass makes it from the
// element's bits, and the last one stores elements again, or their positions. NaN is last in either direction. A pass
// computes where an element goes from counts: the totals of each digit in the whole row, which sort_count makes for
// all digits at once, and the counts of the tiles before, which blocks pass on while they run (sort_place). Blocks
// take tiles by tickets, so a block only waits for blocks that have started. Rows that fit into one block are sorted
// there (sort_rows, and sort_short where many fit), in one launch.
//
// A digit that all keys of a row have moves nothing, so its pass does nothing (Stage): the block that counts a row last
// notes which passes run. What the first and the last one do, and where a pass finds the keys, depends on that. Elements of
// one byte are not moved at all: the counts say what is at each place (sort_fill).
//
// Codegen prints a struct Program with Key, Position (of an element in its row, from 0), KIND (of elements), PASSES, and
// POSITIONS (whether the results are positions, not elements). What else there is to know of a dtype is data: each kernel
// takes long to compile.
namespace cuna {

enum { DIGITS = 256, SORT_ALIASED = 1, SORT_DESCENDING = 4, SORT_SIGNED = 8, SORT_HAS_NAN = 16 };

// Kinds: whole numbers, floats, or what the flag SORT_HAS_NAN says.
enum { SORT_WHOLE, SORT_FLOATS, SORT_EITHER };

struct Sort {
    word source;  // elements; rows lie one after the other
    word target;  // elements, or positions (int64, from 1)
    word count;  // elements of a row
    word rows;
    word tile;   // elements of a tile, or of a stretch to count; of short rows: rows of a block
    word tiles;  // of a row
    word pass;   // the digit, from the lowest that is regarded, `skipped`
    word skipped;
    word flags;
    word keys[2], positions[2];  // room for keys and their positions between passes
    word plans;      // of each row: how many blocks have counted, and which passes run (SortPlan)
    word totals;     // of each row, pass and digit; 8 bytes each
    word workspace;  // the counter of tickets of each pass, 8 of them, then the published count of each tile and digit
    word greatest;   // bits of the greatest element: of floats infinity, of bools 1, since every byte but 0 is true
};

// How keys are made of the bits of elements.
template <class P>
struct Order {
    typedef typename P::Key Key;
    word flags;
    Key flip;  // bits in which the keys of whole numbers differ from these; of floats, what descending keys differ in
    Key greatest;

    template <class A>
    CUNA_INLINE explicit Order(const A &args)
        : flags(args.flags), flip(Key((flags & SORT_SIGNED ? sign() : Key(0)) ^ (flags & SORT_DESCENDING ? last() : Key(0)))),
          greatest(Key(args.greatest)) {}
    static CUNA_INLINE Key sign() { return Key(Key(1) << (8 * sizeof(Key) - 1)); }
    static CUNA_INLINE Key last() { return Key(~Key(0)); }
    CUNA_INLINE bool is_whole() const
    {
        return P::KIND == SORT_WHOLE || (P::KIND == SORT_EITHER && !(flags & SORT_HAS_NAN));
    }

    CUNA_INLINE Key key_of(Key bits) const
    {
        if (is_whole())
            return Key((sizeof(Key) == 1 && bits > greatest ? greatest : bits) ^ flip);
        const Key size = Key(bits & Key(~sign()));
        if (size > greatest)
            return last();
        if (P::POSITIONS && size == 0)  // zeros are equal, and keep their order
            bits = size;
        return Key(bits ^ ((bits & sign()) != 0 ? Key(~flip) : Key(sign() ^ flip)));
    }

    // The bits of the element that a key was made of; of NaN there is one.
    CUNA_INLINE Key element_of(Key key) const
    {
        if (is_whole())
            return Key(key ^ flip);
        if (key == last())
            return Key(greatest | greatest >> 1);
        key ^= flip;
        return key & sign() ? Key(key ^ sign()) : Key(~key);
    }
};

template <class Key>
CUNA_INLINE unsigned digit_of(Key key, word pass) { return byte_of(key, unsigned(pass)); }

struct SortPlan {
    uint64 counted, passes;
};

// The plan of a row, of whose passes some have been found to move nothing. One has to run; two, if the elements are sorted
// where they are: a pass that stores elements must not read where other tiles are stored.
CUNA_INLINE uint64 sort_plan(const Sort &args, uint64 idle, int passes)
{
    uint64 plan = 0;
    int running = 0;
    for (int pass = int(args.skipped); pass < passes; ++pass) {
        const bool runs = !(idle >> pass & 1) || passes - pass <= (args.flags & SORT_ALIASED ? 2 : 1) - running;
        plan |= uint64(runs) << pass;
        running += runs;
    }
    return plan;
}

// What a pass does to a row.
struct Stage {
    bool runs, is_first, is_last;
    word source, source_at;  // elements or keys, and their positions; not in the first pass
    word target, target_at;

    // Of a row that is sorted in one launch.
    CUNA_INLINE explicit Stage(const Sort &args)
        : runs(true), is_first(true), is_last(true), source(args.source), source_at(0), target(args.target), target_at(0) {}

    CUNA_INLINE Stage(const Sort &args, word row)
    {
        const uint64 plan = ((const SortPlan *)args.plans)[row].passes, before = plan & ((uint64(1) << args.pass) - 1);
        const bool is_odd = 0x6996 >> ((before ^ before >> 4) & 15) & 1;  // how many passes ran before
        runs = plan >> args.pass & 1;
        is_first = before == 0;
        is_last = plan >> args.pass == 1;
        source = is_first ? args.source : args.keys[!is_odd];
        source_at = args.positions[!is_odd];
        target = is_last ? args.target : args.keys[is_odd];
        target_at = args.positions[is_odd];
    }
};

// Rows as the passes of a sort see them.
template <class P>
struct Passing {
    typedef typename P::Key Key;
    typedef typename P::Position Position;
    const Key *source;
    const Position *source_at;
    word first;  // element of the row that source begins with
    bool is_first;
    Order<P> order;

    CUNA_INLINE Passing(const Sort &args, word row, word first, const Stage &stage)
        : source((const Key *)stage.source + row * args.count + first),
          source_at((const Position *)stage.source_at + row * args.count + first), first(first), is_first(stage.is_first),
          order(args) {}
    CUNA_INLINE Key key(word i) const { return is_first ? order.key_of(source[i]) : source[i]; }
    CUNA_INLINE Position position(word i) const { return is_first ? Position(first + i) : source_at[i]; }
};

// Where a row's elements go.
template <class P>
struct Placing {
    typedef typename P::Key Key;
    typedef typename P::Position Position;
    Key *keys;
    Position *at;
    int64 *positions;
    bool is_last;
    Order<P> order;

    CUNA_INLINE Placing(const Sort &args, word row, const Stage &stage)
        : keys((Key *)stage.target + row * args.count), at((Position *)stage.target_at + row * args.count),
          positions((int64 *)stage.target + row * args.count), is_last(stage.is_last), order(args) {}
    CUNA_INLINE bool takes_keys() const { return !(P::POSITIONS && is_last); }
    CUNA_INLINE void put_key(word place, Key key) const { keys[place] = is_last ? order.element_of(key) : key; }
    CUNA_INLINE void put_position(word place, Position position) const
    {
        if (is_last)
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
