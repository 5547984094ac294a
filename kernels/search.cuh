// search.cuh: binary search for values among sorted elements: positions, bins and membership; builds on gather.cuh.
namespace cuna {

// Whether a comes before b in sorted order, where NaN is last.
template <class T> CUNA_INLINE bool sorts_before(T a, T b) { return (a < b) | ((b != b) & (a == a)); }

// The same of an element e and a v that is not NaN; with BEHIND, whether e does not come after v.
template <bool BEHIND, class T> CUNA_INLINE bool is_before(T e, T v) { return BEHIND ? e <= v : e < v; }

// How many of n sorted elements come before a v that is NaN, with the parameters of count_before.
template <class S, class C, bool BEHIND>
CUNA_INLINE int64 count_before_nan(const S *p, int64 n, typename value_of<C>::type v, bool falls)
{
    int64 first = 0;
    while (n > 0) {
        const int64 half = n >> 1;
        auto e = convert<C>(load(p[first + half]));
        const bool before = (BEHIND ? !sorts_before(v, e) : sorts_before(e, v)) != falls;
        first = before ? first + half + 1 : first;
        n = before ? n - half - 1 : half;
    }
    return first;
}

// A guide says of each of `count` equal parts of the way from the first of n sorted elements to the last how many
// elements lie in parts before it; first[count] is n. Which part a value lies in is computed in steps that all keep
// order, whatever they round, so elements of other parts are before or after it. Where that way has no length, or no
// end, all lies in the first part.
template <class S, class C>
struct Guide {
    const int32 *first;
    int32 count;
    double low, scale;

    CUNA_INLINE Guide(const int32 *first, int32 count, const S *p, int64 n) : first(first), count(count)
    {
        low = double(convert<C>(load(p[0])));
        scale = count / (double(convert<C>(load(p[n - 1]))) - low);
        scale = isfinite(scale) ? scale : 0;
    }

    CUNA_INLINE int32 part(typename value_of<C>::type v) const
    {
        const double place = (double(v) - low) * scale, from = place > 0 ? place : 0;
        return int32(from < count - 1 ? from : count - 1);
    }
};

// How many of n sorted elements lie in parts before `part`, for a guide.
template <class S, class C>
CUNA_INLINE int32 guided(int64 table, int64 n, int64 part, int64 count)
{
    const S *p = (const S *)table;
    const Guide<S, C> guide(0, int32(count), p, n);
    int64 first = 0, all = n;
    while (n > 0) {
        const int64 half = n >> 1;
        const bool before = guide.part(convert<C>(load(p[first + half]))) < part;
        first = before ? first + half + 1 : first;
        n = before ? n - half - 1 : half;
    }
    return int32(part == count ? all : first);
}

// Begins a search of N values among n elements where the guide says; returns how many elements are still to be compared
// each of them.
template <int N, class I, class G, class T>
CUNA_INLINE I follow(I *at, const G &guide, const T *v, I n)
{
    I most = 1;
    for (int k = 0; k < N; ++k) {
        const int32 part = guide.part(v[k]);
        const I length = I(guide.first[part + 1]) - I(guide.first[part]);
        at[k] = guide.first[part];
        most = length > most ? length : most;
    }
    for (int k = 0; k < N; ++k)
        at[k] = at[k] < n - most ? at[k] : n - most;
    return most;
}

// Loops share what counts for all that is asked (CUNA_SEARCHED is CUNA_APART there).
#ifndef CUNA_SEARCHED
#define CUNA_SEARCHED CUNA_INLINE
#endif

// How many of n sorted elements come before each of N values, with BEHIND their equals too; `falls`: of elements sorted
// the other way, those that come after them. Computed as C. All values take the same steps, so that loops over them
// are vectors where a block is one lane, and none is a branch, which would be foreseen every other time. `at` has where
// each begins; the first element that it is not after is among the next n of `all` elements.
template <class S, class C, bool BEHIND, int N, class I>
CUNA_SEARCHED void count_before(I *at, const typename value_of<C>::type *v, const S *p, I n, I all, bool falls)
{
    const I flipped = -I(falls);
    for (; n > 1; n -= n >> 1)
        for (int k = 0; k < N; ++k)
            at[k] += n >> 1 & (-I(is_before<BEHIND>(convert<C>(load(p[at[k] + (n >> 1) - 1])), v[k])) ^ flipped);
    for (int k = 0; k < N && all > 0; ++k)
        at[k] -= -I(is_before<BEHIND>(convert<C>(load(p[at[k]])), v[k])) ^ flipped;
    for (int k = 0; k < N; ++k)
        if (isnan(v[k]))
            at[k] = I(count_before_nan<S, C, BEHIND>(p, all, v[k], falls));
}

// The same of one value.
template <class S, class C, bool BEHIND>
CUNA_INLINE int64 count_before(const S *p, int64 n, typename value_of<C>::type v, bool falls)
{
    int64 at[1] = {0};
    count_before<S, C, BEHIND, 1>(at, &v, p, n, n, falls);
    return at[0];
}

template <class S>
CUNA_INLINE bool falls(const S *p, int64 n) { return n > 1 && sorts_before(load(p[n - 1]), load(p[0])); }

// What is computed for values: where they belong, before or after their equals; the same where elements may be sorted
// downwards; their bin between elements that are edges; whether they are among them, or are not.
enum { PLACE_BEFORE, PLACE_BEHIND, EITHER_BEFORE, EITHER_BEHIND, BIN, MEMBER, STRANGER };
template <int ASKED> struct answer { typedef int64 type; };
template <> struct answer<MEMBER> { typedef bool8 type; };
template <> struct answer<STRANGER> { typedef bool8 type; };

// The bin of v, from 0, between n + 1 edges of which `reached` are not above it; the last bin has both of its edges.
// -1: none.
template <class C, class S>
CUNA_INLINE int64 bin_of(int64 reached, const S *p, int64 n, typename value_of<C>::type v)
{
    return reached <= n ? reached - 1 : v == convert<C>(load(p[n])) ? n - 1 : -1;
}

// The result for v, if `at` of n elements come before it.
template <class C, int ASKED, class S>
CUNA_INLINE typename answer<ASKED>::type answer_of(int64 at, const S *p, int64 n, typename value_of<C>::type v)
{
    typedef typename answer<ASKED>::type type;
    if (ASKED == MEMBER || ASKED == STRANGER)
        return store<type>((at < n && convert<C>(load(p[at])) == v) == (ASKED == MEMBER));
    return store<type>(ASKED == BIN ? bin_of<C>(at, p, n - 1, v) : at + 1);
}

// No guide: all elements are searched.
struct Unguided {};
template <int N, class I, class T>
CUNA_INLINE I follow(I *at, const Unguided &, const T *, I n)
{
    for (int k = 0; k < N; ++k)
        at[k] = 0;
    return n;
}

// Writes the results of up to N values of dtype V, of which there are `left`, among n sorted
// elements.
template <class S, class V, class C, int ASKED, int N, class I, class G>
CUNA_INLINE void search_tile(const S *p, I n, const V *values, typename answer<ASKED>::type *out, int64 left,
                             const G &guide)
{
    typename value_of<C>::type v[N];
    I at[N];
    const int count = left < N ? int(left) : N;
    for (int k = 0; k < N; ++k)
        v[k] = convert<C>(load(values[k < count ? k : 0]));
    const bool falling = (ASKED == EITHER_BEFORE || ASKED == EITHER_BEHIND) && falls(p, n);
    count_before<S, C, ASKED == PLACE_BEHIND || ASKED == EITHER_BEHIND || ASKED == BIN, N>(at, v, p, follow<N>(at, guide, v, n), n,
                                                                                     falling);
    for (int k = 0; k < count; ++k)
        out[k] = answer_of<C, ASKED>(at[k], p, n, v[k]);
}

// Tile i, from 0, of `size` values.
template <class S, class V, class C, int ASKED, int N>
CUNA_INLINE bool searched(int64 table, int64 n, int64 values, int64 out, int64 size, int64 i)
{
    const S *p = (const S *)table;
    const V *v = (const V *)values + i * N;
    auto *to = (typename answer<ASKED>::type *)out + i * N;
    if (n <= limits<int32>::max())
        search_tile<S, V, C, ASKED, N>(p, int32(n), v, to, size - i * N, Unguided());
    else
        search_tile<S, V, C, ASKED, N>(p, n, v, to, size - i * N, Unguided());
    return true;
}

// The same with a guide of `count` parts.
template <class S, class V, class C, int ASKED, int N>
CUNA_INLINE bool searched(int64 table, int64 n, int64 values, int64 out, int64 size, int64 i, int64 first, int64 count)
{
    const S *p = (const S *)table;
    auto *to = (typename answer<ASKED>::type *)out + i * N;
    const Guide<S, C> guide((const int32 *)first, int32(count), p, n);
    search_tile<S, V, C, ASKED, N>(p, int32(n), (const V *)values + i * N, to, size - i * N, guide);
    return true;
}

// Whether element i, from 0, and the next of n are sorted, upwards or, where that is allowed, all of them downwards.
template <class S>
CUNA_INLINE bool sorted(int64 table, int64 n, int64 i, int64 mark, bool may_fall)
{
    const S *p = (const S *)table;
    auto a = load(p[i]), b = load(p[i + 1]);
    const bool good = may_fall && falls(p, n) ? !sorts_before(a, b) : !sorts_before(b, a);
    if (!good)
        report(mark, REPORT_UNSORTED, uint64(i + 2), n);
    return good;
}

// How many of n sorted elements come before the first NaN.
template <class S>
CUNA_INLINE int64 numbers(int64 row, int64 n)
{
    const S *p = (const S *)row;
    int64 first = 0;
    if (n == 0 || !isnan(load(p[n - 1])))
        return n;
    while (n > 0) {
        const int64 half = n >> 1;
        const bool before = !isnan(load(p[first + half]));
        first = before ? first + half + 1 : first;
        n = before ? n - half - 1 : half;
    }
    return first;
}

// q where it is from 0 to `most`, else reported.
CUNA_INLINE double probability(double q, int most, int64 mark)
{
    if (q >= 0 && q <= most)
        return q;
    report(mark, REPORT_PROBABILITY, bits_of(q), most);
    return 0;
}

// Edge i of n bins of one width from low to high; without any width they are one wide.
CUNA_INLINE double edge(double low, double high, int64 i, int64 n, int64 mark)
{
    if (!isfinite(low) || !isfinite(high))
        report(mark, REPORT_NOT_FINITE, 0, 0);
    const double half = low == high ? 0.5 : 0.0, start = low - half, stop = high + half;
    const double span = stop - start, step = span / double(n);
    const double offset = step != 0 ? double(i) * step : double(i) / double(n) * span;
    return i == n ? stop : rounded(offset) + start;
}

// The bin of v, from 0, of n.
template <class S, class C>
CUNA_INLINE int64 binned(int64 edges, int64 n, typename value_of<C>::type v)
{
    const S *p = (const S *)edges;
    return bin_of<C>(count_before<S, C, true>(p, n + 1, v, false), p, n, v);
}

// The bin of v where all have one width, but for rounding. A value's distance from the lowest edge, in widths of a bin, is a
// whole number and a fraction. Computed in F it is off by less than 5 n roundings of F, and the edges by 3 n of these at most
// and by twice the rounding of the edge that is furthest from 0, which has BITS bits. If the fraction is farther than that
// from 0 and from 1, no edge lies in between, and none is looked at. Else the edges beside it decide; where their width is
// beyond F, or many are equal, all of them. What does not depend on v comes first, before any branch.
template <class S, class C, int BITS, class F>
CUNA_INLINE int64 evenly_binned(int64 edges, int64 n, typename value_of<C>::type v)
{
    typedef typename value_of<C>::type T;
    const S *p = (const S *)edges;
    const T low = load(p[0]), high = load(p[n]);
    const F start = F(low), stop = F(high), bins = F(n), widths = bins / (stop - start);
    const F furthest = fabs(start) < fabs(stop) ? fabs(stop) : fabs(start);
    const F slack = bins * F(8.0 / double(uint64(1) << (sizeof(F) == 4 ? 24 : 53))) +
                    furthest * widths * F(3.0 / double(uint64(1) << BITS));
    const F place = (F(v) - start) * widths, whole = floor(place), rest = place - whole;
    const bool is_inside = v >= low && v <= high;
    if (is_inside && rest > slack && rest < 1 - slack)
        return sizeof(F) == 4 ? int64(int32(whole)) : int64(whole);
    if (!is_inside)
        return -1;
    int64 bin = whole < bins ? int64(whole) : n - 1;
    bin -= bin > 0 && v < load(p[bin]);
    bin += bin < n - 1 && v >= load(p[bin + 1]);
    const bool is_found = (bin == 0 || v >= load(p[bin])) && (bin == n - 1 || v < load(p[bin + 1]));
    return is_found ? bin : binned<S, C>(edges, n, v);
}

// A bin of several axes from that of the axes before and one of the n along the next.
CUNA_INLINE int64 nested(int64 outer, int64 bin, int64 n) { return outer < 0 || bin < 0 ? -1 : outer * n + bin; }

// Adds to a bin's count; returns whether there is such a bin.
template <class S>
CUNA_INLINE bool tallied(int64 counts, int64 bin, S value)
{
    return added<S>(bin >= 0 ? counts + bin * int64(sizeof(S)) : 0, value);
}

}  // namespace cuna
