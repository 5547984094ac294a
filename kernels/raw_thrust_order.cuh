/* raw_thrust_order.cuh: Thrust's algorithms in kernels that choose, scan, sort or search; follows raw_thrust.cuh.
 *
 * Sorts are stable. They take memory for the elements from the kernel's heap, and so do partitions. */
#ifndef CUNA_RAW_THRUST_ORDER
#define CUNA_RAW_THRUST_ORDER

namespace thrust {
namespace cuna_thrust {

/* Values that nobody wants. */
struct Nowhere {
    struct Place {
        template <class T> CUNA_THRUST const Place &operator=(const T &) const { return *this; }
    };
    CUNA_THRUST Place operator[](cuna_distance) const { return Place(); }
    CUNA_THRUST Place operator*() const { return Place(); }
    CUNA_THRUST Nowhere operator+(cuna_distance) const { return *this; }
};
template <class I> struct Buffer {
    typedef value_of<I> *type;
    static CUNA_THRUST type make(cuna_distance n)
    {
        type room = (type)malloc((size_t)n * sizeof(value_of<I>));
        if (room == nullptr)
            __trap();
        return room;
    }
    static CUNA_THRUST void drop(type room) { free((void *)room); }
};
template <> struct Buffer<Nowhere> {
    typedef Nowhere type;
    static CUNA_THRUST Nowhere make(cuna_distance) { return Nowhere(); }
    static CUNA_THRUST void drop(Nowhere) {}
};

/* Merges k[first, middle) and k[middle, last) into `to`; values go with their keys. */
template <class K, class V, class L, class W, class F>
CUNA_THRUST void merge_runs(K k, V v, L to, W vto, cuna_distance first, cuna_distance middle, cuna_distance last, F f)
{
    for (cuna_distance i = first, j = middle, n = first; n < last; ++n) {
        bool right = i == middle || (j < last && f(k[j], k[i]));
        cuna_distance from = right ? j++ : i++;
        to[n] = k[from];
        vto[n] = v[from];
    }
}

/* Runs of 1, 2, 4, ... elements are merged, to the buffers and back. */
template <class K, class V, class F> CUNA_THRUST void sort_runs(K k, V v, cuna_distance n, F f)
{
    if (n < 2)
        return;
    auto keys = Buffer<K>::make(n);
    auto values = Buffer<V>::make(n);
    for (cuna_distance length = 1; length < n; length *= 2) {
        for (cuna_distance at = 0; at < n; at += 2 * length)
            merge_runs(k, v, keys, values, at, at + length < n ? at + length : n,
                       at + 2 * length < n ? at + 2 * length : n, f);
        for (cuna_distance i = 0; i < n; ++i) {
            k[i] = keys[i];
            v[i] = values[i];
        }
    }
    Buffer<K>::drop(keys);
    Buffer<V>::drop(values);
}

/* The first position where `f` is not true, of positions that begin with those where it is. */
template <class F> CUNA_THRUST cuna_distance split(cuna_distance n, F f)
{
    cuna_distance first = 0;
    while (n > 0) {
        cuna_distance half = n / 2;
        bool after = f(first + half);
        first += after ? half + 1 : 0;
        n = after ? n - half - 1 : half;
    }
    return first;
}

template <class I, class S, class O, class F> CUNA_THRUST O keep(I first, I last, S stencil, O to, F f)
{
    for (; first != last; ++first, ++stencil)
        if (f(*stencil)) {
            *to = *first;
            ++to;
        }
    return to;
}

/* Scans runs, each of which begins where `begins(i)`: `before` (or nothing, if !has) is what precedes a run. */
template <class I, class O, class T, class F, class B, class U>
CUNA_THRUST O scan(I x, cuna_distance n, O to, T before, bool has, bool inclusive, F f, B begins, U map)
{
    T sum = before;
    bool some = has;
    for (cuna_distance i = 0; i < n; ++i, ++to) {
        T mine = map(x[i]);
        if (begins(i)) {
            sum = before;
            some = has;
        }
        T next = some ? T(f(sum, mine)) : mine;
        *to = inclusive ? next : sum;
        sum = next;
        some = true;
    }
    return to;
}
struct Never {
    CUNA_THRUST bool operator()(cuna_distance) const { return false; }
};
template <class K, class F> struct Changes {
    K keys;
    F same;
    CUNA_THRUST bool operator()(cuna_distance i) const { return i > 0 && !same(keys[i - 1], keys[i]); }
};

/* What two sorted ranges are made into: `alone` and `other` say whether elements of one are kept, `both` of both. */
template <class I, class J, class O, class F>
CUNA_THRUST O combine(I x, I xend, J y, J yend, O to, F f, bool alone, bool other, bool both)
{
    while (x != xend || y != yend) {
        bool left = y == yend || (x != xend && f(*x, *y)), right = !left && (x == xend || f(*y, *x));
        if (left ? alone : right ? other : both) {
            if (right)
                *to = *y;
            else
                *to = *x;
            ++to;
        }
        if (!right)
            ++x;
        if (!left)
            ++y;
    }
    return to;
}

} // namespace cuna_thrust

/* ---- parts of a range ---- */

CUNA_ALGORITHM(class I, class O, class F) O copy_if(const cuna_policy &, I first, I last, O to, F f)
{
    return cuna_thrust::keep(first, last, first, to, f);
}
CUNA_ALGORITHM(class I, class S, class O, class F) O copy_if(const cuna_policy &, I first, I last, S stencil, O to, F f)
{
    return cuna_thrust::keep(first, last, stencil, to, f);
}
CUNA_ALGORITHM(class I, class O, class F) O remove_copy_if(const cuna_policy &, I first, I last, O to, F f)
{
    return cuna_thrust::keep(first, last, first, to, cuna_thrust::Not<F>{f});
}
CUNA_ALGORITHM(class I, class O, class T) O remove_copy(const cuna_policy &p, I first, I last, O to, const T &value)
{
    return remove_copy_if(p, first, last, to, cuna_thrust::Is<T>{value});
}
CUNA_ALGORITHM(class I, class F) I remove_if(const cuna_policy &p, I first, I last, F f)
{
    return remove_copy_if(p, first, last, first, f);
}
CUNA_ALGORITHM(class I, class T) I remove(const cuna_policy &p, I first, I last, const T &value)
{
    return remove_copy(p, first, last, first, value);
}
CUNA_ALGORITHM(class I, class O, class F) O unique_copy(const cuna_policy &, I first, I last, O to, F same)
{
    if (first == last)
        return to;
    cuna_thrust::value_of<I> kept = *first;
    *to = kept;
    for (++to, ++first; first != last; ++first)
        if (!same(kept, *first)) {
            kept = *first;
            *to = kept;
            ++to;
        }
    return to;
}
CUNA_ALGORITHM(class I, class F) I unique(const cuna_policy &p, I first, I last, F same)
{
    return unique_copy(p, first, last, first, same);
}
/* The elements for which `f` is true keep their order, and so do the others, which follow. */
CUNA_ALGORITHM(class I, class F) I stable_partition(const cuna_policy &p, I first, I last, F f)
{
    cuna_distance n = last - first;
    auto room = cuna_thrust::Buffer<I>::make(n);
    auto end = copy_if(p, first, last, room, f);
    remove_copy_if(p, first, last, end, f);
    copy(p, room, room + n, first);
    cuna_thrust::Buffer<I>::drop(room);
    return first + (end - room);
}
CUNA_ALGORITHM(class I, class F) I partition(const cuna_policy &p, I first, I last, F f)
{
    return stable_partition(p, first, last, f);
}
CUNA_ALGORITHM(class I, class F) bool is_partitioned(const cuna_policy &p, I first, I last, F f)
{
    return none_of(p, find_if_not(p, first, last, f), last, f);
}
CUNA_ALGORITHM(class K, class V, class L, class W, class E, class F)
pair<L, W> reduce_by_key(const cuna_policy &, K keys, K last, V x, L kept, W to, E same, F f)
{
    while (keys != last) {
        cuna_thrust::value_of<K> key = *keys;
        cuna_thrust::value_of<V> sum = *x;
        for (++keys, ++x; keys != last && same(key, *keys); ++keys, ++x)
            sum = f(sum, *x);
        *kept = key;
        *to = sum;
        ++kept, ++to;
    }
    return pair<L, W>(kept, to);
}
CUNA_ALGORITHM(class K, class V, class L, class W) pair<L, W> reduce_by_key(const cuna_policy &p, K keys, K last, V x, L kept, W to)
{
    return reduce_by_key(p, keys, last, x, kept, to, cuna_thrust::Equal(), cuna_thrust::Plus());
}
CUNA_ALGORITHM(class K, class V, class L, class W, class E)
pair<L, W> reduce_by_key(const cuna_policy &p, K keys, K last, V x, L kept, W to, E same)
{
    return reduce_by_key(p, keys, last, x, kept, to, same, cuna_thrust::Plus());
}

/* ---- scans ---- */

CUNA_ALGORITHM(class I, class O, class U, class F)
O transform_inclusive_scan(const cuna_policy &, I first, I last, O to, U map, F f)
{
    typedef typename cuna_thrust::bare<decltype(map(*first))>::type T;
    return cuna_thrust::scan(first, last - first, to, T(), false, true, f, cuna_thrust::Never(), map);
}
CUNA_ALGORITHM(class I, class O, class U, class T, class F)
O transform_exclusive_scan(const cuna_policy &, I first, I last, O to, U map, T before, F f)
{
    return cuna_thrust::scan(first, last - first, to, before, true, false, f, cuna_thrust::Never(), map);
}
CUNA_ALGORITHM(class I, class O, class F) O inclusive_scan(const cuna_policy &p, I first, I last, O to, F f)
{
    return transform_inclusive_scan(p, first, last, to, cuna_thrust::Same(), f);
}
CUNA_ALGORITHM(class I, class O) O inclusive_scan(const cuna_policy &p, I first, I last, O to)
{
    return inclusive_scan(p, first, last, to, cuna_thrust::Plus());
}
CUNA_ALGORITHM(class I, class O, class T, class F)
O exclusive_scan(const cuna_policy &p, I first, I last, O to, T before, F f)
{
    return transform_exclusive_scan(p, first, last, to, cuna_thrust::Same(), before, f);
}
CUNA_ALGORITHM(class I, class O, class T) O exclusive_scan(const cuna_policy &p, I first, I last, O to, T before)
{
    return exclusive_scan(p, first, last, to, before, cuna_thrust::Plus());
}
CUNA_ALGORITHM(class I, class O) O exclusive_scan(const cuna_policy &p, I first, I last, O to)
{
    return exclusive_scan(p, first, last, to, cuna_thrust::value_of<I>(0));
}
CUNA_ALGORITHM(class K, class V, class O, class E, class F)
O inclusive_scan_by_key(const cuna_policy &, K keys, K last, V x, O to, E same, F f)
{
    typedef cuna_thrust::value_of<V> T;
    return cuna_thrust::scan(x, last - keys, to, T(), false, true, f, cuna_thrust::Changes<K, E>{keys, same},
                             cuna_thrust::Same());
}
CUNA_ALGORITHM(class K, class V, class O) O inclusive_scan_by_key(const cuna_policy &p, K keys, K last, V x, O to)
{
    return inclusive_scan_by_key(p, keys, last, x, to, cuna_thrust::Equal(), cuna_thrust::Plus());
}
CUNA_ALGORITHM(class K, class V, class O, class T, class E, class F)
O exclusive_scan_by_key(const cuna_policy &, K keys, K last, V x, O to, T before, E same, F f)
{
    return cuna_thrust::scan(x, last - keys, to, before, true, false, f, cuna_thrust::Changes<K, E>{keys, same},
                             cuna_thrust::Same());
}
CUNA_ALGORITHM(class K, class V, class O, class T)
O exclusive_scan_by_key(const cuna_policy &p, K keys, K last, V x, O to, T before)
{
    return exclusive_scan_by_key(p, keys, last, x, to, before, cuna_thrust::Equal(), cuna_thrust::Plus());
}
CUNA_ALGORITHM(class K, class V, class O) O exclusive_scan_by_key(const cuna_policy &p, K keys, K last, V x, O to)
{
    return exclusive_scan_by_key(p, keys, last, x, to, cuna_thrust::value_of<V>(0));
}
CUNA_ALGORITHM(class I, class O, class F) O adjacent_difference(const cuna_policy &, I first, I last, O to, F f)
{
    cuna_thrust::value_of<I> before{};
    for (bool begins = true; first != last; ++first, ++to, begins = false) {
        cuna_thrust::value_of<I> value = *first;
        *to = begins ? value : f(value, before);
        before = value;
    }
    return to;
}
CUNA_ALGORITHM(class I, class O) O adjacent_difference(const cuna_policy &p, I first, I last, O to)
{
    return adjacent_difference(p, first, last, to, cuna_thrust::Minus());
}

/* ---- order ---- */

CUNA_ALGORITHM(class I, class F) void stable_sort(const cuna_policy &, I first, I last, F f)
{
    cuna_thrust::sort_runs(first, cuna_thrust::Nowhere(), last - first, f);
}
CUNA_ALGORITHM(class I, class F) void sort(const cuna_policy &p, I first, I last, F f) { stable_sort(p, first, last, f); }
CUNA_ALGORITHM(class K, class V, class F) void stable_sort_by_key(const cuna_policy &, K first, K last, V values, F f)
{
    cuna_thrust::sort_runs(first, values, last - first, f);
}
CUNA_ALGORITHM(class K, class V, class F) void sort_by_key(const cuna_policy &p, K first, K last, V values, F f)
{
    stable_sort_by_key(p, first, last, values, f);
}
CUNA_ALGORITHM(class I, class F) I is_sorted_until(const cuna_policy &, I first, I last, F f)
{
    if (first == last)
        return last;
    I before = first;
    for (++first; first != last && !f(*first, *before); ++first)
        before = first;
    return first;
}
CUNA_ALGORITHM(class I, class F) bool is_sorted(const cuna_policy &p, I first, I last, F f)
{
    return is_sorted_until(p, first, last, f) == last;
}
CUNA_ALGORITHM(class I, class T, class F) I lower_bound(const cuna_policy &, I first, I last, const T &value, F f)
{
    return first + cuna_thrust::split(last - first, [&](cuna_distance i) -> bool { return f(first[i], value); });
}
CUNA_ALGORITHM(class I, class T, class F) I upper_bound(const cuna_policy &, I first, I last, const T &value, F f)
{
    return first + cuna_thrust::split(last - first, [&](cuna_distance i) -> bool { return !f(value, first[i]); });
}
CUNA_ALGORITHM(class I, class T, class F) pair<I, I> equal_range(const cuna_policy &p, I first, I last, const T &value, F f)
{
    return pair<I, I>(lower_bound(p, first, last, value, f), upper_bound(p, first, last, value, f));
}
CUNA_ALGORITHM(class I, class T, class F) bool binary_search(const cuna_policy &p, I first, I last, const T &value, F f)
{
    I at = lower_bound(p, first, last, value, f);
    return at != last && !f(value, *at);
}

/* Of two sorted ranges. */
CUNA_ALGORITHM(class I, class J, class O, class F) O merge(const cuna_policy &, I x, I xend, J y, J yend, O to, F f)
{
    for (; x != xend || y != yend; ++to) {
        bool right = x == xend || (y != yend && f(*y, *x));
        if (right)
            *to = *y, ++y;
        else
            *to = *x, ++x;
    }
    return to;
}
#define CUNA_SET(name, alone, other, both)                                                                             \
    CUNA_ALGORITHM(class I, class J, class O, class F)                                                                 \
    O name(const cuna_policy &, I x, I xend, J y, J yend, O to, F f)                                                   \
    {                                                                                                                  \
        return cuna_thrust::combine(x, xend, y, yend, to, f, alone, other, both);                                      \
    }                                                                                                                  \
    CUNA_ALGORITHM(class I, class J, class O) O name(const cuna_policy &p, I x, I xend, J y, J yend, O to)             \
    {                                                                                                                  \
        return name(p, x, xend, y, yend, to, cuna_thrust::Less());                                                     \
    }
CUNA_SET(set_union, true, true, true)
CUNA_SET(set_intersection, false, false, true)
CUNA_SET(set_difference, true, false, false)
CUNA_SET(set_symmetric_difference, true, true, false)
#undef CUNA_SET

/* ---- the forms without an order or an equality ---- */

CUNA_OF_ONE(unique, Equal, I)
CUNA_OF_ONE(stable_sort, Less, void)
CUNA_OF_ONE(sort, Less, void)
CUNA_OF_ONE(is_sorted_until, Less, I)
CUNA_OF_ONE(is_sorted, Less, bool)
CUNA_OF_TWO(unique_copy, Equal, J, J)
CUNA_OF_TWO(stable_sort_by_key, Less, J, void)
CUNA_OF_TWO(sort_by_key, Less, J, void)
CUNA_OF_TWO(lower_bound, Less, const J &, I)
CUNA_OF_TWO(upper_bound, Less, const J &, I)
CUNA_OF_TWO(equal_range, Less, const J &, auto)
CUNA_OF_TWO(binary_search, Less, const J &, bool)
CUNA_ALGORITHM(class I, class J, class O) O merge(const cuna_policy &p, I x, I xend, J y, J yend, O to)
{
    return merge(p, x, xend, y, yend, to, cuna_thrust::Less());
}

} // namespace thrust

#endif
