// select.cuh: the elements at some places of sorted rows, and rows parted around one of them, without sorting (radix
// select); builds on sort.cuh, whose keys it has.
//
// A place is followed from the highest digit of the keys to the lowest. A pass counts a digit of the keys that begin with
// the digits found so far; the counts show which digit the key at the place has, and its place among those that have it.
// Places with the same digits so far form a group, which is counted once. The block that finishes a row's pass last
// picks the digits (pick) and leaves them in the row's state. Few keys remain after one or two digits: the next pass
// keeps them beside the row, and all later passes read only these. Which key is at a place depends on no order, so
// results are the same whatever order blocks run in.
//
// A row is parted by one more pass: elements before the key at the place, its equals, and the others, each in the order
// of the row. Rows that fit into one block are selected there, in one launch (select_rows).
//
// Codegen prints a struct Program with Key, KIND, PASSES (bytes of a key) and POSITIONS (whether rows of positions are
// parted, where zeros are equal).
namespace cuna {

// Flags beside those of sorts: rows are parted; one more value of each row is NaN if the row has NaN.
enum { SELECT_PARTS = 32, SELECT_NAN = 64 };

struct Select {
    word source; // rows of elements, one after the other
    word places; // int64, from 0; `many` of each row
    word apart;  // of a row's places from those of the next row: `many`, or 0 where all rows have the same
    word target; // elements at places, `limit` of each row; or parted rows, of elements or of positions (int64, from 1)
    word count;  // elements of a row
    word rows;
    word tile;  // elements of a tile, which a block counts or parts
    word tiles; // of a row
    word many;  // places of a row, at most SELECT_MOST
    word limit; // results of a row: of one that is parted those at the first places
    word shift; // the lowest bit of this pass' digit,
    word width; // and how many bits it has
    word next;  // bits of the next digit; 0 in the last pass
    word flags;
    word greatest;
    word states; // of rows; SELECT_WORDS of 8 bytes each, first zeros
    word counts; // of each row, group and digit; 8 bytes each, first zeros
    word bins;   // room of a row's counts
    word slots;  // when rows are parted: of tickets, then two of each tile; first zeros
    word kept;   // keys that remain: room for so many of each row
    word room;
};

// How a pass comes by the keys of its groups: it reads the row, it keeps them as well, or they have been kept.
enum { SELECT_READS, SELECT_KEEPS, SELECT_HAS };

// What is known of a row between passes.
struct Selecting {
    uint64 finished; // blocks: of this pass, or where they have one lane, in all passes so far
    uint64 kept;     // keys
    uint64 step;
    uint64 groups;
    uint64 before, equal; // elements before the key at the first place, and equal to it
    uint64 has_nan;
    uint64 prefix[SELECT_MOST]; // of a group: its digits so far
    uint64 group[SELECT_MOST];  // of a place
    uint64 rank[SELECT_MOST];   // of a place in its group
};
static_assert(sizeof(Selecting) <= 8 * SELECT_WORDS, "the workspace has this much room for a row's state");

CUNA_INLINE bool select_is_last(const Select &args) { return args.shift == 0; }
CUNA_INLINE word select_bins(const Select &args) { return word(1) << args.width; }
CUNA_INLINE Selecting *select_state(const Select &args, word row)
{
    return (Selecting *)((uint64 *)args.states + row * SELECT_WORDS);
}
CUNA_INLINE uint64 *select_counts(const Select &args, word row)
{
    return (uint64 *)args.counts + row * args.bins;
}
CUNA_INLINE const int64 *select_places(const Select &args, word row) { return (const int64 *)args.places + row * args.apart; }

template <class P>
struct Digits {
    typedef typename P::Key Key;
    unsigned shift, width;

    CUNA_INLINE explicit Digits(const Select &args) : shift(unsigned(args.shift)), width(unsigned(args.width)) {}
    CUNA_INLINE bool is_first() const { return shift + width == 8 * sizeof(Key); }
    CUNA_INLINE unsigned digit(Key key) const { return unsigned(key >> shift) & ((1u << width) - 1); }
    CUNA_INLINE Key above(Key key) const { return is_first() ? Key(0) : Key(key >> (shift + width)); }
    CUNA_INLINE uint64 longer(uint64 prefix, unsigned digit) const { return is_first() ? digit : prefix << width | digit; }
};

// The keys that a block counts in a pass: of a tile, or its part of those kept.
template <class P>
struct Counting {
    typedef typename P::Key Key;
    const Key *source;
    word count;
    bool are_keys;

    CUNA_INLINE Counting(const Select &args, const Selecting &state, word row, word tile)
    {
        are_keys = state.step == SELECT_HAS;
        const word all = are_keys ? word(state.kept) : args.count;
        const word part = are_keys ? (all + args.tiles - 1) / args.tiles : args.tile, first = tile * part;
        source = are_keys ? (const Key *)args.kept + row * args.room : (const Key *)args.source + row * args.count;
        source += first;
        count = first >= all ? 0 : all - first < part ? all - first : part;
    }
};

// What a pass found of a place: its digit, its place among the keys with it, and how many these are.
struct Picked {
    uint64 rank, size;
    unsigned digit;
};

// What says whether a row has NaN.
template <class P>
CUNA_INLINE typename P::Key select_nan(const Order<P> &order, bool has_nan)
{
    return has_nan ? order.element_of(order.last()) : typename P::Key(0);
}

// Makes of a row's state what the next pass has to know; the last pass stores the elements at its places.
template <class P>
CUNA_INLINE void hand_on(const Select &args, word row, Selecting &state, const Picked *picked, const int64 *places)
{
    const Digits<P> digits(args);
    uint64 prefix[SELECT_MOST], remaining = 0, groups = 0;
    for (word j = 0; j < args.many; ++j) {
        const uint64 longer = digits.longer(state.prefix[state.group[j]], picked[j].digit);
        uint64 g = 0;
        while (g < groups && prefix[g] != longer)
            ++g;
        if (g == groups) {
            prefix[groups++] = longer;
            remaining += picked[j].size;
        }
        state.group[j] = g;
        state.rank[j] = picked[j].rank;
    }
    for (uint64 g = 0; g < groups; ++g)
        state.prefix[g] = prefix[g];
    state.groups = groups;
    // Keeping pays where a pass after the next one reads what is kept.
    const bool keeps = state.step == SELECT_READS && args.next < args.shift && remaining <= uint64(args.room);
    state.step = state.step != SELECT_READS ? uint64(SELECT_HAS) : keeps ? uint64(SELECT_KEEPS) : uint64(SELECT_READS);
    state.before = uint64(places[0]) - picked[0].rank;
    state.equal = picked[0].size;
    if (!select_is_last(args) || (args.flags & SELECT_PARTS))
        return;
    typename P::Key *to = (typename P::Key *)args.target + row * args.limit;
    const Order<P> order(args);
    for (word j = 0; j < args.many; ++j)
        to[j] = order.element_of(typename P::Key(state.prefix[state.group[j]]));
    if (args.flags & SELECT_NAN)
        to[args.many] = select_nan<P>(order, state.has_nan != 0);
}

// Where the three parts of a row begin, and where a parted element goes.
template <class P>
struct Parting {
    typedef typename P::Key Key;
    Key *keys;
    int64 *positions;
    word limit;
    Order<P> order;

    CUNA_INLINE Parting(const Select &args, word row)
        : keys((Key *)args.target + row * args.limit), positions((int64 *)args.target + row * args.limit),
          limit(args.limit), order(args) {}
    CUNA_INLINE void put(word place, Key key, word position) const
    {
        if (place < limit)
            store(place, key, position);
    }
    CUNA_INLINE void store(word place, Key key, word position) const
    {
        if (P::POSITIONS)
            positions[place] = position + 1;
        else
            keys[place] = order.element_of(key);
    }
};

// The slots of a tile, after the rows' tickets: elements before, and equal ones.
CUNA_INLINE uint64 *select_slots(const Select &args, word row, word tile)
{
    return (uint64 *)args.slots + 8 + 2 * (row * args.tiles + tile);
}

}  // namespace cuna
