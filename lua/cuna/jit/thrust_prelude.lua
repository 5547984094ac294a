--- thrust_prelude.lua: the text of Thrust's algorithms for one thread, on every device (thrust.lua).
--
-- A range is an array of one axis and its place in the source, for what it records about positions outside of it: then
-- nothing is done. Positions count from 1; one behind the last stands for "none". Ranges may be the same memory where
-- Thrust allows that.
return [[
namespace jit { namespace seq {

template <class A> struct range {
    typedef typename A::value value;
    A a;
    int site;
    JIT_INLINE long long size() const { return a.shape[0]; }
    JIT_INLINE value at(long long i) const { return a.at(i); }
    JIT_INLINE void set(value v, long long i) const { a.set(v, i); }
    JIT_INLINE bool has(long long *error, long long i) const { return !error || a.has(error, site, i); }
    /* Whether it is as long as another one. */
    JIT_INLINE bool holds(long long *error, long long count) const { return count == 0 || has(error, count); }
};
template <class A> JIT_INLINE range<A> of(const A &a, int site) { return range<A>{a, site}; }

template <class T> JIT_INLINE T plus(T a, T b) { return add(a, b); }
template <class T> JIT_INLINE T minus(T a, T b) { return sub(a, b); }
template <class T> JIT_INLINE T times(T a, T b) { return mul(a, b); }
JIT_INLINE float plus(float a, float b) { return a + b; }
JIT_INLINE float minus(float a, float b) { return a - b; }
JIT_INLINE float times(float a, float b) { return a * b; }
JIT_INLINE double plus(double a, double b) { return a + b; }
JIT_INLINE double minus(double a, double b) { return a - b; }
JIT_INLINE double times(double a, double b) { return a * b; }

/* ---- one range ---- */

template <class R, class V> JIT_INLINE void fill(long long *, R x, V v)
{
    for (long long i = 1; i <= x.size(); ++i)
        x.set(v, i);
}
template <class R, class V> JIT_INLINE void sequence(long long *, R x, V first, V step)
{
    for (long long i = 1; i <= x.size(); ++i)
        x.set(plus(first, times(V(i - 1), step)), i);
}
template <class R, class V> JIT_INLINE long long find(long long *, R x, V v)
{
    long long i = 1;
    while (i <= x.size() && !(x.at(i) == v))
        ++i;
    return i;
}
template <class R, class V> JIT_INLINE long long count(long long *, R x, V v)
{
    long long n = 0;
    for (long long i = 1; i <= x.size(); ++i)
        n += x.at(i) == v;
    return n;
}
template <class R, class V> JIT_INLINE V reduce(long long *, R x, V sum)
{
    for (long long i = 1; i <= x.size(); ++i)
        sum = plus(sum, V(x.at(i)));
    return sum;
}
template <class R> JIT_INLINE long long is_sorted_until(long long *, R x)
{
    long long i = 2;
    while (i <= x.size() && !(x.at(i) < x.at(i - 1)))
        ++i;
    return x.size() == 0 ? 1 : i;
}
template <class R> JIT_INLINE bool is_sorted(long long *error, R x) { return is_sorted_until(error, x) > x.size(); }

/* The first position whose element is not below v, or is above it. */
template <class R, class V> JIT_INLINE long long bound(R x, V v, bool above)
{
    long long low = 1, high = x.size() + 1;
    while (low < high) {
        const long long middle = low + (high - low) / 2;
        const V found = x.at(middle);
        if (above ? !(v < found) : found < v)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
template <class R, class V> JIT_INLINE long long lower_bound(long long *, R x, V v) { return bound(x, v, false); }
template <class R, class V> JIT_INLINE long long upper_bound(long long *, R x, V v) { return bound(x, v, true); }
template <class R, class V> JIT_INLINE parts<long long> equal_range(long long *, R x, V v)
{
    return {bound(x, v, false), bound(x, v, true)};
}
template <class R, class V> JIT_INLINE bool binary_search(long long *, R x, V v)
{
    const long long i = bound(x, v, false);
    return i <= x.size() && !(v < x.at(i));
}
template <class R> JIT_INLINE void swap_at(R x, long long i, long long j)
{
    const typename R::value v = x.at(i);
    x.set(x.at(j), i);
    x.set(v, j);
}
template <class R> JIT_INLINE void reverse(long long *, R x)
{
    for (long long i = 1; i <= x.size() / 2; ++i)
        swap_at(x, i, x.size() + 1 - i);
}
template <class R, class V> JIT_INLINE void replace(long long *, R x, V old, V v)
{
    for (long long i = 1; i <= x.size(); ++i)
        if (x.at(i) == old)
            x.set(v, i);
}

/* Heapsort: in place, and never slower than by a logarithm. `both` exchanges two elements. */
template <class R, class F> JIT_INLINE void sink(R x, long long from, long long last, F both)
{
    for (long long at = from; 2 * at <= last;) {
        long long child = 2 * at;
        if (child < last && x.at(child) < x.at(child + 1))
            ++child;
        if (!(x.at(at) < x.at(child)))
            return;
        both(at, child);
        at = child;
    }
}
template <class R, class F> JIT_INLINE void sort_with(R x, F both)
{
    for (long long i = x.size() / 2; i >= 1; --i)
        sink(x, i, x.size(), both);
    for (long long last = x.size(); last > 1; --last) {
        both(1, last);
        sink(x, 1, last - 1, both);
    }
}
template <class R> JIT_INLINE void sort(long long *, R x)
{
    sort_with(x, [&](long long i, long long j) { swap_at(x, i, j); });
}
template <class R, class S> JIT_INLINE void sort_by_key(long long *error, R keys, S x)
{
    if (!x.holds(error, keys.size()))
        return;
    sort_with(keys, [&](long long i, long long j) {
        swap_at(keys, i, j);
        swap_at(x, i, j);
    });
}

/* ---- several ranges ---- */

template <class R, class S> JIT_INLINE void copy(long long *error, R x, S y)
{
    for (long long i = 1; y.holds(error, x.size()) && i <= x.size(); ++i)
        y.set(x.at(i), i);
}
template <class R, class S> JIT_INLINE void reverse_copy(long long *error, R x, S y)
{
    for (long long i = 1; y.holds(error, x.size()) && i <= x.size(); ++i)
        y.set(x.at(x.size() + 1 - i), i);
}
template <class R, class S, class V> JIT_INLINE void replace_copy(long long *error, R x, S y, V old, V v)
{
    for (long long i = 1; y.holds(error, x.size()) && i <= x.size(); ++i)
        y.set(x.at(i) == old ? v : x.at(i), i);
}
template <class R, class S> JIT_INLINE void swap_ranges(long long *error, R x, S y)
{
    for (long long i = 1; y.holds(error, x.size()) && i <= x.size(); ++i) {
        const typename R::value v = x.at(i);
        x.set(y.at(i), i);
        y.set(v, i);
    }
}
template <class R, class S> JIT_INLINE long long mismatch(long long *error, R x, S y)
{
    long long i = 1;
    while (y.holds(error, x.size()) && i <= x.size() && x.at(i) == y.at(i))
        ++i;
    return i;
}
template <class R, class S> JIT_INLINE bool equal(long long *error, R x, S y)
{
    return mismatch(error, x, y) > x.size();
}
template <class R, class S, class V> JIT_INLINE V inner_product(long long *error, R x, S y, V sum)
{
    for (long long i = 1; y.holds(error, x.size()) && i <= x.size(); ++i)
        sum = plus(sum, times(V(x.at(i)), V(y.at(i))));
    return sum;
}
template <class R, class S> JIT_INLINE void adjacent_difference(long long *error, R x, S y)
{
    typename R::value before = 0;
    for (long long i = 1; y.holds(error, x.size()) && i <= x.size(); ++i) {
        const typename R::value v = x.at(i);
        y.set(i == 1 ? v : minus(v, before), i);
        before = v;
    }
}

/* Sums that begin again where the key changes. */
template <class F, class R, class S, class V>
JIT_INLINE void scan(long long *error, F begins, R x, S y, V first, bool inclusive)
{
    V sum = first;
    for (long long i = 1; y.holds(error, x.size()) && i <= x.size(); ++i) {
        const V v = x.at(i), before = begins(i) ? first : sum;
        sum = inclusive && begins(i) ? v : plus(before, v);
        y.set(inclusive ? sum : before, i);
    }
}
struct first_only {
    JIT_INLINE bool operator()(long long i) const { return i == 1; }
};
template <class K> struct key_changes {
    K keys;
    JIT_INLINE bool operator()(long long i) const { return i == 1 || !(keys.at(i) == keys.at(i - 1)); }
};
template <class R, class S> JIT_INLINE void inclusive_scan(long long *error, R x, S y)
{
    scan(error, first_only(), x, y, typename R::value(), true);
}
template <class R, class S, class V> JIT_INLINE void exclusive_scan(long long *error, R x, S y, V first)
{
    scan(error, first_only(), x, y, first, false);
}
template <class K, class R, class S>
JIT_INLINE void inclusive_scan_by_key(long long *error, K keys, R x, S y)
{
    if (keys.holds(error, x.size()))
        scan(error, key_changes<K>{keys}, x, y, typename R::value(), true);
}
template <class K, class R, class S, class V>
JIT_INLINE void exclusive_scan_by_key(long long *error, K keys, R x, S y, V first)
{
    if (keys.holds(error, x.size()))
        scan(error, key_changes<K>{keys}, x, y, first, false);
}
template <class P, class R, class S> JIT_INLINE void gather(long long *error, P map, R x, S y)
{
    for (long long i = 1; y.holds(error, map.size()) && i <= map.size(); ++i)
        if (x.has(error, (long long)map.at(i)))
            y.set(x.at((long long)map.at(i)), i);
}
template <class R, class P, class S> JIT_INLINE void scatter(long long *error, R x, P map, S y)
{
    for (long long i = 1; map.holds(error, x.size()) && i <= x.size(); ++i)
        if (y.has(error, (long long)map.at(i)))
            y.set(x.at(i), (long long)map.at(i));
}

/* Copies what `keeps` says of elements and those before them; returns how many there are. */
template <class R, class S, class F> JIT_INLINE long long keep(long long *error, R x, S y, F keeps)
{
    typename R::value before = typename R::value();
    long long n = 0;
    for (long long i = 1; i <= x.size(); ++i) {
        const typename R::value v = x.at(i);
        if (keeps(i, v, before)) {
            if (!y.has(error, n + 1))
                return n;
            y.set(v, ++n);
        }
        before = v;
    }
    return n;
}
template <class R, class S, class V> JIT_INLINE long long remove_copy(long long *error, R x, S y, V removed)
{
    return keep(error, x, y, [&](long long, V v, V) { return !(v == removed); });
}
template <class R, class V> JIT_INLINE long long remove(long long *error, R x, V removed)
{
    return remove_copy(error, x, x, removed);
}
template <class R, class S> JIT_INLINE long long unique_copy(long long *error, R x, S y)
{
    typedef typename R::value V;
    return keep(error, x, y, [&](long long i, V v, V before) { return i == 1 || !(v == before); });
}
template <class R> JIT_INLINE long long unique(long long *error, R x) { return unique_copy(error, x, x); }
template <class K, class R, class L, class S>
JIT_INLINE long long reduce_by_key(long long *error, K keys, R x, L kept, S y)
{
    long long n = 0;
    for (long long i = 1; x.holds(error, keys.size()) && i <= keys.size(); ++i) {
        const typename R::value v = x.at(i);
        const typename K::value key = keys.at(i);
        const bool begins = n == 0 || !(key == kept.at(n));
        if (begins && (!kept.has(error, n + 1) || !y.has(error, n + 1)))
            return n;
        n += begins;
        kept.set(key, n);
        y.set(begins ? v : plus(y.at(n), v), n);
    }
    return n;
}

} }
]]
