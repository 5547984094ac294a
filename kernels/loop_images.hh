// loop_images.hh: steps of images' programs as loops have them (lua/cuna/ndimage/).
//
// Kernels have neighbours, networks, orders and modes in their text. Loops read them from lists, so that there are few
// loops; they do the same operations in the same order.
namespace cuna {
namespace ndimage {

// ---- folds of neighbours: a list has their number and how they are weighed (0: not, 1: by real numbers, 2: by complex
// ones); for each its distance in bytes, what is done with the opposite neighbour (0: nothing, 1: it is added, -1:
// subtracted), and both parts of its weight ----

enum { OF_LIST = 2, OF_NEIGHBOUR = 4 };

template <class S, class A>
static typename value_of<A>::type neighbour(int64 at, const double *one)
{
    typedef typename value_of<A>::type V;
    const V value = tap<S, A>(at, int64(one[0]));
    if (one[1] == 0)
        return value;
    const V opposite = tap<S, A>(at, -int64(one[0]));
    return one[1] > 0 ? V(value + opposite) : V(value - opposite);
}

CUNA_INLINE double weighed(double value, const double *one, double how)
{
    return how != 0 ? scaled(value, one[2]) : value;
}
template <class Z> CUNA_INLINE Z weighed(Z value, const double *one, double how)
{
    return how == 2 ? scaled(value, Z(one[2], one[3])) : how == 1 ? scaled(value, one[2]) : value;
}

template <class S, class A>
static typename value_of<A>::type sum_from(int64 at, int64 list, typename value_of<A>::type sum, int first)
{
    const double *const words = (const double *)list, *one = words + OF_LIST + first * OF_NEIGHBOUR;
    for (int k = first; k < int(words[0]); ++k, one += OF_NEIGHBOUR)
        sum = sum + weighed(neighbour<S, A>(at, one), one, words[1]);
    return sum;
}
template <class S, class A>
CUNA_INLINE typename value_of<A>::type summed(int64 at, int64 list)
{
    const double *const words = (const double *)list, *const one = words + OF_LIST;
    return sum_from<S, A>(at, list, weighed(neighbour<S, A>(at, one), one, words[1]), 1);
}
template <class S, class A>
CUNA_INLINE typename value_of<A>::type summed(int64 at, int64 list, typename value_of<A>::type sum)
{
    return sum_from<S, A>(at, list, sum, 0);
}

// The least values less heights, and the greatest ones and heights.
template <class V> struct Least {
    static CUNA_INLINE V of(V a, V b) { return minimum(a, b); }
    static CUNA_INLINE V at_height(V value, double height) { return V(value - V(height)); }
};
template <class V> struct Greatest {
    static CUNA_INLINE V of(V a, V b) { return maximum(a, b); }
    static CUNA_INLINE V at_height(V value, double height) { return V(value + V(height)); }
};

template <class S, class A, template <class> class Which>
static typename value_of<A>::type extreme_from(int64 at, int64 list, typename value_of<A>::type most, bool goes_on)
{
    typedef Which<typename value_of<A>::type> which;
    const double *const words = (const double *)list, *one = words + OF_LIST;
    for (int k = 0; k < int(words[0]); ++k, one += OF_NEIGHBOUR) {
        typename value_of<A>::type value = tap<S, A>(at, int64(one[0]));
        if (words[1] != 0)
            value = which::at_height(value, one[2]);
        most = k > 0 || goes_on ? which::of(most, value) : value;
    }
    return most;
}
template <class S, class A, template <class> class Which>
CUNA_INLINE typename value_of<A>::type extreme(int64 at, int64 list)
{
    return extreme_from<S, A, Which>(at, list, typename value_of<A>::type(0), false);
}
template <class S, class A, template <class> class Which>
CUNA_INLINE typename value_of<A>::type extreme(int64 at, int64 list, typename value_of<A>::type most)
{
    return extreme_from<S, A, Which>(at, list, most, true);
}

// ---- runs of folds: elements that lie side by side, whose neighbours do, too, go through the list together ----

enum { ABREAST = 16 };

template <class S>
CUNA_INLINE bool are_side_by_side(const int64 *at)
{
    bool are = true;
    for (int j = 1; j < ABREAST; ++j)
        are &= at[j] == at[0] + j * int64(sizeof(S));
    return are;
}

template <class S, class A>
CUNA_INLINE void take_abreast(typename value_of<A>::type *values, int64 at)
{
    for (int j = 0; j < ABREAST; ++j)
        values[j] = convert<A>(load(((const S *)at)[j]));
}

template <class S, class A>
struct Sum {
    typedef typename value_of<A>::type V;
    static CUNA_INLINE V one(int64 at, int64 list) { return summed<S, A>(at, list); }
    static CUNA_INLINE V one(int64 at, int64 list, V sum) { return summed<S, A>(at, list, sum); }

    // The values of a neighbour, with its opposite one, weighed.
    static CUNA_INLINE void take(V *values, int64 at, const double *one, double how)
    {
        V others[ABREAST];
        take_abreast<S, A>(values, at + int64(one[0]));
        if (one[1] != 0)
            take_abreast<S, A>(others, at - int64(one[0]));
        if (one[1] > 0)
            for (int j = 0; j < ABREAST; ++j)
                values[j] = values[j] + others[j];
        else if (one[1] < 0)
            for (int j = 0; j < ABREAST; ++j)
                values[j] = values[j] - others[j];
        if (how != 0)
            for (int j = 0; j < ABREAST; ++j)
                values[j] = weighed(values[j], one, how);
    }
    static void abreast(V *sums, int64 at, int64 list, bool goes_on)
    {
        const double *const words = (const double *)list, *one = words + OF_LIST;
        for (int k = 0; k < int(words[0]); ++k, one += OF_NEIGHBOUR) {
            V values[ABREAST];
            if (k == 0 && !goes_on) {
                take(sums, at, one, words[1]);
                continue;
            }
            take(values, at, one, words[1]);
            for (int j = 0; j < ABREAST; ++j)
                sums[j] = sums[j] + values[j];
        }
    }
};

template <class S, class A, template <class> class Which>
struct Extreme {
    typedef typename value_of<A>::type V;
    static CUNA_INLINE V one(int64 at, int64 list) { return extreme<S, A, Which>(at, list); }
    static CUNA_INLINE V one(int64 at, int64 list, V most) { return extreme<S, A, Which>(at, list, most); }

    static CUNA_INLINE void take(V *values, int64 at, const double *one, double has_heights)
    {
        take_abreast<S, A>(values, at + int64(one[0]));
        if (has_heights != 0)
            for (int j = 0; j < ABREAST; ++j)
                values[j] = Which<V>::at_height(values[j], one[2]);
    }
    static void abreast(V *most, int64 at, int64 list, bool goes_on)
    {
        const double *const words = (const double *)list, *one = words + OF_LIST;
        for (int k = 0; k < int(words[0]); ++k, one += OF_NEIGHBOUR) {
            V values[ABREAST];
            if (k == 0 && !goes_on) {
                take(most, at, one, words[1]);
                continue;
            }
            take(values, at, one, words[1]);
            for (int j = 0; j < ABREAST; ++j)
                most[j] = Which<V>::of(most[j], values[j]);
        }
    }
};

// Folds one by one; what `before` has goes on, if it is there.
template <class Fold, class A>
static void fold_each(typename slot_of<A>::type *to, const int64 *at, const int64 *list,
                      const typename slot_of<A>::type *before, int64 count)
{
    for (int64 j = 0; j < count; ++j)
        to[j] = slot_of<A>::put(before ? Fold::one(at[j], list[j], slot_of<A>::get(before[j]))
                                       : Fold::one(at[j], list[j]));
}

template <class Fold, class S, class A>
static void fold_run(typename slot_of<A>::type *to, const int64 *at, const int64 *list,
                     const typename slot_of<A>::type *before, int64 count)
{
    typename value_of<A>::type values[ABREAST];
    int64 j = 0;
    for (; j + ABREAST <= count; j += ABREAST) {
        if (!are_side_by_side<S>(at + j)) {
            fold_each<Fold, A>(to + j, at + j, list + j, before ? before + j : before, ABREAST);
            continue;
        }
        for (int i = 0; before && i < ABREAST; ++i)
            values[i] = slot_of<A>::get(before[j + i]);
        Fold::abreast(values, at[j], list[j], before != 0);
        for (int i = 0; i < ABREAST; ++i)
            to[j + i] = slot_of<A>::put(values[i]);
    }
    fold_each<Fold, A>(to + j, at + j, list + j, before ? before + j : before, count - j);
}

// ---- ranks: a list has the number of neighbours, the rank, the number of exchanges; the distances; and of each
// exchange both places and whether it only writes the lesser (1) or the greater value (2) ----

enum { MOST_SORTED = 64 };

template <class S>
static typename value_of<S>::type sorted_out(int64 at, int64 list)
{
    typename value_of<S>::type values[MOST_SORTED];
    const int64 *const words = (const int64 *)list, *one = words + 3 + words[0];
    for (int k = 0; k < int(words[0]); ++k)
        values[k] = tap<S, S>(at, words[3 + k]);
    for (int k = 0; k < int(words[2]); ++k, one += 3) {
        auto &low = values[one[0]], &high = values[one[1]];
        if (one[2] == 0)
            exchange(low, high);
        else if (one[2] == 1)
            low = lesser_of(low, high);
        else
            high = greater_of(low, high);
    }
    return values[words[1]];
}

// ---- connected elements: a list has the number of neighbours, and for each its distances in the mask and in the trees,
// in bytes ----

template <class W>
static bool united(int64 mask, int64 at, int64 parents, int64 list)
{
    const int64 *const words = (const int64 *)list;
    if (!is_set(mask))
        return false;
    for (int k = 0; k < int(words[0]); ++k)
        if (is_set(mask + words[1 + 2 * k]))
            unite<W>(parents, at, at + words[2 + 2 * k]);
    return true;
}

// ---- splines: after lengths and strides, `facts` has order, mode, and number of the image's dtype ----

template <class S, class A, bool IS_COMPLEX> struct reading {
    static CUNA_INLINE typename value_of<A>::type of(int64 at) { return tap<S, A>(at); }
};
template <class S> struct reading<S, float64, true> {
    static CUNA_INLINE double of(int64) { return 0; }
};

// An element of the dtype that has a number in lua/cuna/ndimage/spline.lua.
template <class A>
static typename value_of<A>::type any_tap(int64 at, int64 dtype)
{
    switch (dtype) {
    case 1: return reading<bool8, A, false>::of(at);
    case 2: return reading<int8, A, false>::of(at);
    case 3: return reading<int16, A, false>::of(at);
    case 4: return reading<int32, A, false>::of(at);
    case 5: return reading<int64, A, false>::of(at);
    case 6: return reading<uint8, A, false>::of(at);
    case 7: return reading<uint16, A, false>::of(at);
    case 8: return reading<uint32, A, false>::of(at);
    case 9: return reading<uint64, A, false>::of(at);
    case 10: return reading<float16, A, false>::of(at);
    case 11: return reading<bfloat16, A, false>::of(at);
    case 12: return reading<float32, A, false>::of(at);
    case 13: return reading<float64, A, false>::of(at);
    case 14: return reading<complex64, A, true>::of(at);
    default: return reading<complex128, A, true>::of(at);
    }
}

template <class A>
struct Interpolation {
    typedef typename value_of<A>::type V;
    enum { MOST_AXES = 16, MOST_TERMS = 6 };
    int axes, order;
    int64 dtype;
    V outside;
    int64 away[MOST_AXES][MOST_TERMS];
    double weight[MOST_AXES][MOST_TERMS];

    V sum(int axis, int64 at, bool missing) const
    {
        if (axis == axes)
            return missing ? outside : any_tap<A>(at, dtype);
        V total = V();
        for (int k = 0; k <= order; ++k) {
            const bool out = missing || away[axis][k] == OUTSIDE;
            const V one = sum(axis + 1, out ? at : at + away[axis][k], out);
            total = total + scaled(one, weight[axis][k]);
        }
        return total;
    }
};

template <class A>
static typename value_of<A>::type interpolated_along(int64 at, const int64 *facts, typename value_of<A>::type outside,
                                                     const double *coordinates, int axes)
{
    Interpolation<A> made;
    made.axes = axes;
    made.order = int(facts[2 * axes]);
    made.dtype = facts[2 * axes + 2];
    made.outside = outside;
    for (int axis = 0; axis < axes; ++axis)
        if (!support_of(made.order, int(facts[2 * axes + 1]), coordinates[axis], facts[2 * axis], facts[2 * axis + 1],
                        made.away[axis], made.weight[axis]))
            return outside;
    return made.sum(0, at, false);
}
template <class A, int N>
CUNA_INLINE typename value_of<A>::type interpolated(int64 at, int64 facts, typename value_of<A>::type outside,
                                                    point<N> p)
{
    return interpolated_along<A>(at, (const int64 *)facts, outside, p.at, N);
}

}  // namespace ndimage
}  // namespace cuna
