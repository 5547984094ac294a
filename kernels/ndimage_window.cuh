// ndimage_window.cuh: what windows of images are folded with. The elements of a window are read relative to the address of
// the walk's element; the lists of reads and their order are in lua/cuna/ndimage/fold.lua and rank.lua.
namespace cuna {
namespace ndimage {

// The element `away` bytes from an address, as a value of dtype A.
template <class S, class A>
CUNA_INLINE typename value_of<A>::type tap(int64 at, int64 away = 0)
{
    return convert<A>(load(*(const S *)(at + away)));
}

// Entry k of a list of weights.
template <class W>
CUNA_INLINE W weight(int64 list, int k) { return ((const W *)list)[k]; }

CUNA_INLINE double scaled(double value, double weight) { return value * weight; }
template <class Z> CUNA_INLINE Z scaled(Z value, double weight) { return Z(value.re * weight, value.im * weight); }
template <class Z> CUNA_INLINE Z scaled(Z value, Z weight) { return value * weight; }

CUNA_INLINE double divided(double sum, double count) { return sum / count; }
template <class Z> CUNA_INLINE Z divided(Z sum, double count) { return Z(sum.re / count, sum.im / count); }

// A sum as dtype D. To integers it is cut off, and what is out of range wraps, as SciPy's sums do.
template <class D, bool FRACTIONS> struct cutting {
    template <class V> static CUNA_INLINE typename value_of<D>::type of(V sum) { return convert<D>(sum); }
};
template <class D> struct cutting<D, false> {
    static CUNA_INLINE typename value_of<D>::type of(double sum)
    {
        const int64 low = int64(convert<int64>(sum));
        const bool above = sizeof(D) == 8 && sum >= 9223372036854775808.0;
        return convert<D>(above ? int64(convert<uint64>(sum)) : low);
    }
};
template <class D>
struct has_fractions { enum { value = 0 }; };
template <> struct has_fractions<float16> { enum { value = 1 }; };
template <> struct has_fractions<bfloat16> { enum { value = 1 }; };
template <> struct has_fractions<float32> { enum { value = 1 }; };
template <> struct has_fractions<float64> { enum { value = 1 }; };

template <class D>
CUNA_INLINE typename value_of<D>::type cut(double sum) { return cutting<D, has_fractions<D>::value>::of(sum); }
template <class D, class Z>
CUNA_INLINE typename value_of<D>::type cut(Z sum) { return convert<D>(sum); }

// Sorts two values; NaN stays where it is.
template <class T>
CUNA_INLINE void exchange(T &a, T &b)
{
    const T lower = b < a ? b : a;
    b = b < a ? a : b;
    a = lower;
}

// The value of rank k (from 0) of n values, by Hoare's selection. The values are rearranged.
template <class T>
CUNA_INLINE T ranked(T *values, int n, int k)
{
    int low = 0, high = n - 1;
    while (low < high) {
        const T pivot = values[k];
        int i = low, j = high;
        while (i <= j) {
            while (values[i] < pivot)
                ++i;
            while (pivot < values[j])
                --j;
            if (i <= j) {
                const T other = values[i];
                values[i++] = values[j];
                values[j--] = other;
            }
        }
        if (j < k)
            low = i;
        if (k < i)
            high = j;
    }
    return values[k];
}

// The same for the elements of a window, which lie at the distances, in bytes, of a list.
template <class S, int MOST>
CUNA_INLINE typename value_of<S>::type ranked_at(int64 at, int64 list, int64 n, int64 k)
{
    typename value_of<S>::type values[MOST];
    for (int i = 0; i < int(n); ++i)
        values[i] = tap<S, S>(at, ((const int64 *)list)[i]);
    return ranked(values, int(n), int(k));
}

}  // namespace ndimage
}  // namespace cuna
