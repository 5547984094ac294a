// select_runs.cuh: selecting by blocks of one lane (select.cuh).
//
// Keys are made, compared and collected a stretch at a time, by loops without branches: the processor would mispredict
// every one that depends on an element.
namespace cuna {

enum { SELECT_STRETCH = 1024 };

// ---- rows that blocks share ----

// The keys at the front of what a block counts, and what follows them.
template <class P>
CUNA_OUTLINE int next_keys(const Select &args, Counting<P> &from, typename P::Key *keys)
{
    const int count = from.count < SELECT_STRETCH ? int(from.count) : int(SELECT_STRETCH);
    const Order<P> order(args);
    if (from.are_keys)
        for (int i = 0; i < count; ++i)
            keys[i] = from.source[i];
    else
        for (int i = 0; i < count; ++i)
            keys[i] = order.key_of(from.source[i]);
    from.source += count;
    from.count -= count;
    return count;
}

template <class P>
CUNA_OUTLINE bool have_nan(const typename P::Key *keys, int count)
{
    int found = 0;
    for (int i = 0; i < count; ++i)
        found |= keys[i] == Order<P>::last();
    return found != 0;
}

// Collects the keys of one group; returns how many they are.
template <class P>
CUNA_OUTLINE int collect(const typename P::Key *keys, int count, typename P::Key prefix, Digits<P> digits,
                         typename P::Key *out)
{
    int at = 0;
    for (int i = 0; i < count; ++i) {
        out[at] = keys[i];
        at += digits.above(keys[i]) == prefix;
    }
    return at;
}

// What a block counts: digits of each group. Neighbours count in tables of their own where there is room: one that has the
// same digit need not wait for the other.
template <class P>
struct CountTables {
    const Digits<P> digits;
    const int bins, groups, tables;
    uint32 table[SELECT_BINS];

    CUNA_INLINE CountTables(const Select &args, word groups)
        : digits(args), bins(int(select_bins(args))), groups(int(groups)),
          tables(4 * bins * this->groups <= SELECT_BINS ? 4 : 2 * bins * this->groups <= SELECT_BINS ? 2 : 1)
    {
        for (int i = 0; i < tables * bins * this->groups; ++i)
            table[i] = 0;
    }
    CUNA_INLINE void count(const typename P::Key *keys, int n, word group)
    {
        uint32 *first = table + group * bins;
        for (int i = 0; i < n; ++i)
            ++first[(i & (tables - 1)) * bins * groups + int(digits.digit(keys[i]))];
    }
    CUNA_INLINE void add_to(uint64 *counts) const
    {
        for (int i = 0; i < bins * groups; ++i) {
            uint64 sum = 0;
            for (int k = 0; k < tables; ++k)
                sum += table[k * bins * groups + i];
            if (sum != 0)
                add_slot(counts + i, sum);
        }
    }
};

// Counts the keys of groups, and keeps them where the pass does that.
template <class P>
CUNA_INLINE void count_groups(const Select &args, word row, const typename P::Key *keys, int count, Selecting &state,
                              CountTables<P> &tables)
{
    typedef typename P::Key Key;
    Key found[SELECT_STRETCH + 1];
    Key *kept = (Key *)args.kept + row * args.room;
    for (word g = 0; g < word(state.groups); ++g) {
        const int n = collect<P>(keys, count, Key(state.prefix[g]), tables.digits, found);
        tables.count(found, n, g);
        if (state.step != SELECT_KEEPS || n == 0)
            continue;
        const int64 at = take_tickets(&state.kept, uint64(n));
        for (int i = 0; i < n; ++i)
            kept[at + i] = found[i];
    }
}

template <class P>
CUNA_OUTLINE void count_keys(const Select &args, word row, word tile, Selecting &state)
{
    Counting<P> from(args, state, row, tile);
    const bool is_first = Digits<P>(args).is_first();
    CountTables<P> tables(args, is_first ? 1 : word(state.groups));
    typename P::Key keys[SELECT_STRETCH];
    while (from.count > 0) {
        const int count = next_keys<P>(args, from, keys);
        if (is_first && (args.flags & SELECT_NAN) && have_nan<P>(keys, count))
            put_slot(&state.has_nan, 1);
        if (is_first)
            tables.count(keys, count, 0);
        else
            count_groups<P>(args, row, keys, count, state, tables);
    }
    tables.add_to(select_counts(args, row));
}

template <class P>
CUNA_INLINE Picked pick_digit(const uint64 *counts, uint64 rank)
{
    unsigned digit = 0;
    for (; rank >= counts[digit]; ++digit)
        rank -= counts[digit];
    return Picked{rank, counts[digit], digit};
}

template <class P>
CUNA_INLINE void pick(const Select &args, word row, Selecting &state)
{
    const word bins = select_bins(args);
    uint64 *counts = select_counts(args, row);
    const int64 *places = select_places(args, row);
    Picked picked[SELECT_MOST];
    for (word j = 0; j < args.many; ++j) {
        const uint64 rank = Digits<P>(args).is_first() ? uint64(places[j]) : state.rank[j];
        picked[j] = pick_digit<P>(counts + state.group[j] * bins, rank);
    }
    for (word i = 0; i < (state.groups == 0 ? 1 : word(state.groups)) * bins; ++i)
        counts[i] = 0;
    hand_on<P>(args, row, state, picked, places);
}

template <class P>
CUNA_INLINE void select_count(const Select &args, unsigned block)
{
    const word row = block / args.tiles, tile = block % args.tiles;
    Selecting &state = *select_state(args, row);
    count_keys<P>(args, row, tile, state);
    settle();
    if (take_ticket(&state.finished) % args.tiles != args.tiles - 1)
        return;
    settle();
    pick<P>(args, row, state);
}

// ---- parts ----

// The keys of n elements.
template <class P>
CUNA_OUTLINE void part_keys(const Order<P> &given, const typename P::Key *source, typename P::Key *keys, int n)
{
    const Order<P> order = given;
    for (int i = 0; i < n; ++i)
        keys[i] = order.key_of(source[i]);
}

// Puts elements from position `first` on where they belong; `at`: the next places of the three parts.
template <class P>
CUNA_OUTLINE void put_parts(const Parting<P> &given, typename P::Key pivot, const typename P::Key *keys, word first, int n,
                            word *at)
{
    const Parting<P> to = given;
    word before = at[0], equal = at[1], behind = at[2];
    for (int i = 0; i < n; ++i) {
        const typename P::Key key = keys[i];
        const bool is_before = key < pivot, is_behind = key > pivot;
        to.put(is_before ? before : is_behind ? behind : equal, key, first + i);
        before += is_before;
        behind += is_behind;
        equal += !(is_before | is_behind);
    }
    at[0] = before;
    at[1] = equal;
    at[2] = behind;
}

template <class P>
CUNA_OUTLINE void count_parts(const typename P::Key *keys, int n, typename P::Key pivot, uint64 *counts)
{
    uint32 before = 0, equal = 0;
    for (int i = 0; i < n; ++i) {
        before += keys[i] < pivot;
        equal += keys[i] == pivot;
    }
    counts[0] += before;
    counts[1] += equal;
}

template <class P>
CUNA_INLINE void part_tile(const Select &args, word row, word first, word count, typename P::Key pivot, word *at)
{
    typedef typename P::Key Key;
    const Key *source = (const Key *)args.source + row * args.count;
    const Parting<P> to(args, row);
    Key keys[SELECT_STRETCH];
    for (word i = first; i < first + count; i += SELECT_STRETCH) {
        const int n = int(first + count - i < SELECT_STRETCH ? first + count - i : SELECT_STRETCH);
        part_keys<P>(to.order, source + i, keys, n);
        put_parts<P>(to, pivot, keys, i, n, at);
    }
}

template <class P>
CUNA_INLINE void select_part(const Select &args, unsigned)
{
    typedef typename P::Key Key;
    const word ticket = take_ticket((uint64 *)args.slots);
    const word row = ticket / args.tiles, tile = ticket % args.tiles, first = tile * args.tile;
    const word count = first + args.tile < args.count ? args.tile : args.count - first;
    const Selecting &state = *select_state(args, row);
    const Key pivot = Key(state.prefix[0]), *source = (const Key *)args.source + row * args.count + first;
    const Order<P> order(args);
    uint64 *slots = select_slots(args, row, tile), counts[2] = {}, before[2];
    Key keys[SELECT_STRETCH];
    for (word i = 0; i < count; i += SELECT_STRETCH) {
        const int n = int(count - i < SELECT_STRETCH ? count - i : SELECT_STRETCH);
        part_keys<P>(order, source + i, keys, n);
        count_parts<P>(keys, n, pivot, counts);
    }
    for (int k = 0; k < 2; ++k) {
        uint64 slot = sort_slot(0, SORT_ALL, 0);
        if (tile > 0)
            for (int tries = 0; !sort_says(slot = get_slot(slots - 2 + k), 0, SORT_ALL); ++tries)
                relax(tries);
        before[k] = sort_counted(slot);
        put_slot(slots + k, slot + counts[k]);
    }
    word at[3] = {word(before[0]), word(state.before + before[1]),
                  word(state.before + state.equal) + first - word(before[0] + before[1])};
    part_tile<P>(args, row, first, count, pivot, at);
}

}  // namespace cuna
