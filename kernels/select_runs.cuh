// select_runs.cuh: selecting by blocks of one lane (select.cuh).
//
// Keys are made, compared and collected a stretch at a time, by loops without branches: the processor would mispredict
// every one that depends on an element. Rows that fit into a block are selected by Hoare's quickselect; the random
// numbers for its pivots depend on lengths alone.
namespace cuna {

enum { SELECT_STRETCH = 1024, SELECT_SHORT = 24 };

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

// ---- rows that a block has room for ----

// Moves the keys before v, or those not after v, to the front; returns how many they are.
template <bool EQUALS, class Key>
CUNA_INLINE int parted(Key *p, int n, Key v)
{
    int at = 0;
    for (int i = 0; i < n; ++i) {
        const Key e = p[i];
        p[i] = p[at];
        p[at] = e;
        at += EQUALS ? e <= v : e < v;
    }
    return at;
}

template <class Key>
CUNA_INLINE void sort_few(Key *p, int n)
{
    for (int i = 1; i < n; ++i) {
        const Key e = p[i];
        int at = i;
        for (; at > 0 && e < p[at - 1]; --at)
            p[at] = p[at - 1];
        p[at] = e;
    }
}

// The middle one of three keys.
template <class Key>
CUNA_INLINE Key pivot_of(const Key *p, int n, uint64 &drawn)
{
    Key v[3];
    for (int k = 0; k < 3; ++k) {
        drawn = drawn * 6364136223846793005 + 1442695040888963407;
        v[k] = p[(drawn >> 33) % uint64(n)];
    }
    const bool up = v[0] < v[1];
    const Key low = v[up ? 0 : 1], high = v[up ? 1 : 0];
    return v[2] < low ? low : high < v[2] ? high : v[2];
}

// Puts the key at a place where sorting would, among n of which those from `low` on come before none that stand before
// them.
template <class Key>
CUNA_OUTLINE void select_key(Key *p, int low, int n, int place)
{
    int high = n;
    uint64 drawn = uint64(n);
    while (high - low > SELECT_SHORT) {
        const Key v = pivot_of(p + low, high - low, drawn);
        const int middle = low + parted<false>(p + low, high - low, v);
        if (place < middle)
            high = middle;
        else if (middle > low)
            low = middle;
        else { // none is before v, so its equals come first
            const int end = low + parted<true>(p + low, high - low, v);
            if (place < end)
                return;
            low = end;
        }
    }
    sort_few(p + low, high - low);
}

template <class P>
CUNA_INLINE void part_row(const Select &args, word row, typename P::Key pivot, const typename P::Key *keys)
{
    uint64 counts[2] = {};
    count_parts<P>(keys, int(args.count), pivot, counts);
    word at[3] = {0, word(counts[0]), word(counts[0] + counts[1])};
    part_tile<P>(args, row, 0, args.count, pivot, at);
}

template <class P>
CUNA_INLINE void select_row(const Select &args, word row, typename P::Key *keys)
{
    typedef typename P::Key Key;
    const int count = int(args.count);
    const Order<P> order(args);
    Key *to = (Key *)args.target + row * args.limit;
    part_keys<P>(order, (const Key *)args.source + row * args.count, keys, count);
    if (args.flags & SELECT_NAN)
        to[args.many] = select_nan<P>(order, have_nan<P>(keys, count));
    for (word j = 0, low = 0; j < args.many; ++j) {
        const word place = select_places(args, row)[j];
        low = place < low ? 0 : low;
        select_key(keys, int(low), count, int(place));
        low = place;
        if (!(args.flags & SELECT_PARTS))
            to[j] = order.element_of(keys[place]);
        else
            part_row<P>(args, row, keys[place], keys);
    }
}

template <class P>
CUNA_INLINE void select_rows(const Select &args, unsigned block)
{
    typename P::Key keys[SORT_ROW];
    const word first = word(block) * args.tile, last = first + args.tile < args.rows ? first + args.tile : args.rows;
    for (word row = first; row < last; ++row)
        select_row<P>(args, row, keys);
}

}  // namespace cuna
