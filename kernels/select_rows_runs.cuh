// select_rows_runs.cuh: selecting in rows that a block of one lane has room for (select.cuh); builds on select_runs.cuh.
//
// Hoare's quickselect of keys. A partition exchanges every key and has no branch that depends on one. The random numbers
// for pivots depend on lengths alone.
namespace cuna {

enum { SELECT_SHORT = 24 };

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
