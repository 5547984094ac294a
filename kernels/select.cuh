// select.cuh: moves elements of a row to where sorting would put them, and all others to their side; builds on
// search.cuh.
//
// Hoare's quickselect, for blocks of one lane. A partition exchanges every element and has no branch that depends on
// one, since the processor would mispredict it half of the time. The random numbers for pivots depend on lengths
// alone.
namespace cuna {

enum { SELECT_SHORT = 24 };

// Copies n elements, those that are NaN to the end; returns how many are not.
template <class S>
CUNA_INLINE int64 gathered_numbers(int64 from, int64 to, int64 n)
{
    const S *p = (const S *)from;
    S *out = (S *)to;
    int64 at = 0, end = n;
    for (int64 i = 0; i < n; ++i)
        out[isnan(load(p[i])) ? --end : at++] = p[i];
    return at;
}

// Moves the elements before v, or those not after v, to the front; returns how many they are.
template <bool EQUALS, class S>
CUNA_INLINE int64 parted(S *p, int64 n, typename value_of<S>::type v)
{
    int64 at = 0;
    for (int64 i = 0; i < n; ++i) {
        const S e = p[i];
        p[i] = p[at];
        p[at] = e;
        at += is_before<EQUALS>(load(e), v);
    }
    return at;
}

template <class S>
CUNA_INLINE void sort_few(S *p, int64 n)
{
    for (int64 i = 1; i < n; ++i) {
        const S e = p[i];
        int64 at = i;
        for (; at > 0 && load(e) < load(p[at - 1]); --at)
            p[at] = p[at - 1];
        p[at] = e;
    }
}

// The middle one of three elements.
template <class S>
CUNA_INLINE typename value_of<S>::type pivot_of(const S *p, int64 n, uint64 &drawn)
{
    typename value_of<S>::type v[3];
    for (int k = 0; k < 3; ++k) {
        drawn = drawn * 6364136223846793005 + 1442695040888963407;
        v[k] = load(p[(drawn >> 33) % uint64(n)]);
    }
    const bool up = v[0] < v[1];
    const auto low = v[up ? 0 : 1], high = v[up ? 1 : 0];
    return v[2] < low ? low : high < v[2] ? high : v[2];
}

// Puts the element of a place, from 0, and the next one where sorting would, among n of which those from `first` on come
// before none that stand before them. Answers the place.
template <class S>
CUNA_INLINE int64 selected(int64 row, int64 first, int64 n, int64 place)
{
    S *p = (S *)row;
    int64 low = first, high = n;
    uint64 drawn = uint64(n);
    while (high - low > SELECT_SHORT) {
        const auto v = pivot_of(p + low, high - low, drawn);
        const int64 middle = low + parted<false>(p + low, high - low, v);
        if (place < middle)
            high = middle;
        else if (middle > low)
            low = middle;
        else { // none is before v, so its equals come first
            const int64 end = low + parted<true>(p + low, high - low, v);
            if (place >= end)
                low = end;
            else
                high = low = end;
        }
    }
    sort_few(p + low, high - low);
    if (place + 1 == high && high < n) {
        int64 least = high;
        for (int64 i = high + 1; i < n; ++i)
            least = load(p[i]) < load(p[least]) ? i : least;
        const S e = p[least];
        p[least] = p[high];
        p[high] = e;
    }
    return place;
}

}  // namespace cuna
