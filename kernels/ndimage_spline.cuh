// ndimage_spline.cuh: images between their elements, by splines of the orders 0 to 5, after Briand and Monasse (2018) and
// scipy.ndimage. Coordinates count from 0.
namespace cuna {
namespace ndimage {

enum { REFLECT, CONSTANT, NEAREST, MIRROR, WRAP_AROUND, GRID_CONSTANT, GRID_WRAP };

// Modes and orders are constants where a kernel calls these functions.

// A coordinate below 0 or beyond the last element, as one within; -1 in mode CONSTANT.
CUNA_INLINE double mapped(int mode, double x, int64 n)
{
    const double last = double(n - 1), period = mode == MIRROR ? 2 * last : mode == REFLECT ? 2 * double(n)
                                                : mode == WRAP_AROUND ? last : double(n);
    if (x >= 0 && x <= last)
        return x;
    if (mode == CONSTANT || x != x)
        return -1;
    if (mode == NEAREST)
        return x < 0 ? 0 : last;
    if (n <= 1)
        return 0;
    if (mode == MIRROR) {
        x = x < 0 ? period * trunc(-x / period) + x : x - period * trunc(x / period);
        return x < 0 ? (x <= 1 - double(n) ? x + period : -x) : x >= double(n) ? period - x : x;
    }
    if (mode == REFLECT) {
        if (x > 0) {
            x -= period * trunc(x / period);
            return x >= double(n) ? period - x - 1 : x;
        }
        if (x < -period)
            x += period * trunc(-x / period);
        return x < -double(n) ? x + period : (x > -1e-15 ? 1e-15 : -x) - 1;
    }
    if (x > 0)
        return x - period * trunc(x / period);
    return x + period * (trunc((mode == GRID_WRAP ? -1 - x : -x) / period) + 1);
}

// What weights the order + 1 coefficients from the first on have at a coordinate.
CUNA_INLINE void spline_weights(int order, double x, double *w)
{
    x -= floor(order % 2 ? x : x + 0.5);
    double y = x, z = 1 - x, t;
    if (order == 1) {
        w[0] = 1 - x;
    } else if (order == 2) {
        w[1] = 0.75 - x * x;
        y = 0.5 - x;
        w[0] = 0.5 * y * y;
    } else if (order == 3) {
        w[1] = (y * y * (y - 2) * 3 + 4) / 6;
        w[2] = (z * z * (z - 2) * 3 + 4) / 6;
        w[0] = z * z * z / 6;
    } else if (order == 4) {
        t = x * x;
        y = 1 + x;
        w[2] = t * (t * 0.25 - 0.625) + 115.0 / 192;
        w[1] = y * (y * (y * (5 - y) / 6 - 1.25) + 5.0 / 24) + 55.0 / 96;
        w[3] = z * (z * (z * (5 - z) / 6 - 1.25) + 5.0 / 24) + 55.0 / 96;
        t = 0.5 - x;
        t *= t;
        w[0] = t * t / 24;
    } else if (order == 5) {
        t = y * y;
        w[2] = t * (t * (0.25 - y / 12) - 0.5) + 0.55;
        t = z * z;
        w[3] = t * (t * (0.25 - z / 12) - 0.5) + 0.55;
        y += 1;
        w[1] = y * (y * (y * (y * (y / 24 - 0.375) + 1.25) - 1.75) + 0.625) + 0.425;
        z += 1;
        w[4] = z * (z * (z * (z * (z / 24 - 0.375) + 1.25) - 1.75) + 0.625) + 0.425;
        z = 1 - x;
        t = z * z;
        w[0] = z * t * t / 120;
    }
    w[order] = 1;
    for (int k = 0; k < order; ++k)
        w[order] -= w[k];
}

// A coordinate along each of N axes.
template <int N> struct point { double at[N]; };

// Distances in bytes of the coefficients about a point along each axis, or OUTSIDE, and their weights.
static const int64 OUTSIDE = int64(uint64(1) << 63);
template <int ORDER, int N>
struct Support {
    int64 away[N][ORDER + 1];
    double weight[N][ORDER + 1];
};

// The sum over axes from AXIS on.
template <class S, class A, int AXIS, int N> struct summing {
    template <class Z, int ORDER>
    static CUNA_INLINE Z of(int64 at, const Support<ORDER, N> &support, Z outside, bool missing)
    {
        Z sum = Z();
        CUNA_UNROLL
        for (int k = 0; k <= ORDER; ++k) {
            const int64 away = support.away[AXIS][k];
            const bool out = missing || away == OUTSIDE;
            const Z one = summing<S, A, AXIS + 1, N>::of(out ? at : at + away, support, outside, out);
            sum = sum + scaled(one, support.weight[AXIS][k]);
        }
        return sum;
    }
};
template <class S, class A, int N> struct summing<S, A, N, N> {
    template <class Z, int ORDER>
    static CUNA_INLINE Z of(int64 at, const Support<ORDER, N> &, Z outside, bool missing)
    {
        return missing ? outside : Z(tap<S, A>(at));
    }
};

// The mode of the coefficients beyond an image: splines of some modes have no such continuation, and are mirrored.
CUNA_INLINE int beyond(int mode) { return mode == CONSTANT || mode == WRAP_AROUND ? int(MIRROR) : mode; }

// Distances and weights of the coefficients along an axis of n elements; false: the coordinate is outside.
CUNA_INLINE bool support_of(int order, int mode, double x, int64 n, int64 stride, int64 *away, double *weight)
{
    if (mode == NEAREST) /* its coefficients continue, not its coordinates */
        x = x < -16 ? -16 : x > double(n + 16) ? double(n + 16) : x;
    else if (mode != GRID_CONSTANT)
        x = mapped(mode, x, n);
    if (!(mode == GRID_CONSTANT || mode == NEAREST ? fabs(x) < 9e15 : x > -1))
        return false;
    const int64 first = int64(floor(order % 2 ? x : x + 0.5)) - order / 2;
    for (int k = 0; k <= order; ++k) {
        int64 place = first + k;
        const bool out = place < 0 || place >= n;
        if (out && mode != GRID_CONSTANT)
            place = int64(mapped(beyond(mode), double(place), n));
        away[k] = out && mode == GRID_CONSTANT ? OUTSIDE : place * stride;
    }
    spline_weights(order, x, weight);
    return true;
}

// The value of an image of dtype S at a point; `facts` has length and stride in bytes of each axis.
template <class S, class A, int ORDER, int MODE, int N>
CUNA_INLINE typename value_of<A>::type interpolated(int64 at, int64 facts, typename value_of<A>::type outside,
                                                    point<N> p)
{
    Support<ORDER, N> support;
    const int64 *const words = (const int64 *)facts;
    for (int axis = 0; axis < N; ++axis)
        if (!support_of(ORDER, MODE, p.at[axis], words[2 * axis], words[2 * axis + 1], support.away[axis],
                        support.weight[axis]))
            return outside;
    return summing<S, A, 0, N>::of(at, support, outside, false);
}

// A value as dtype D: to integers it is rounded, to unsigned ones also limited.
template <class D, bool FRACTIONS> struct rounding {
    static CUNA_INLINE typename value_of<D>::type of(double v) { return convert<D>(v); }
};
template <class D> struct rounding<D, false> {
    static CUNA_INLINE typename value_of<D>::type of(double v)
    {
        return convert<D>(limits<D>::is_signed ? (v > 0 ? v + 0.5 : v - 0.5) : v > 0 ? v + 0.5 : 0.0);
    }
};
template <> struct rounding<bool8, false> {
    static CUNA_INLINE bool of(double v) { return int64(convert<int64>(v)) != 0; }
};
template <class D>
CUNA_INLINE typename value_of<D>::type rounded(double v) { return rounding<D, has_fractions<D>::value>::of(v); }
template <class D, class Z>
CUNA_INLINE typename value_of<D>::type rounded(Z v) { return convert<D>(v); }

// ---- coefficients of splines ----

CUNA_INLINE double whole_power(double z, int64 n)
{
    double result = 1;
    for (; n > 0; n >>= 1, z *= z)
        if (n & 1)
            result *= z;
    return result;
}

// A line of values of a spline, which become its coefficients: a causal recursion and an anticausal one for each pole.
template <class Z, int MODE>
struct Line {
    enum { BATCH = 16 };
    int64 at, stride, n;
    CUNA_INLINE Z &operator[](int64 i) const { return *(Z *)(at + i * stride); }

    // Terms of a sum with factors z, z^2, ... until these are too small to count.
    CUNA_INLINE int64 terms(double z, int64 most) const
    {
        int64 count = 0;
        for (double factor = z; count < most && fabs(factor) > 1e-40; factor *= z)
            ++count;
        return count;
    }
    // The first coefficient of the causal recursion, for values times `gain`.
    CUNA_INLINE Z begin(double z, double gain) const
    {
        const Line &c = *this;
        const Z first = scaled(c[0], gain);
        Z sum = first;
        double factor = z;
        if (MODE == GRID_WRAP) {
            for (int64 i = 1, end = terms(z, n - 1); i <= end; ++i, factor *= z)
                sum = sum + scaled(scaled(c[n - i], gain), factor);
            return divided(sum, 1 - whole_power(z, n));
        }
        const int64 most = MODE == REFLECT ? n - 1 : n - 2;
        const double power = whole_power(z, MODE == REFLECT ? n : n - 1);
        sum = sum + scaled(scaled(c[n - 1], gain), power);
        for (int64 i = 1, end = terms(z, most); i <= end; ++i, factor *= z) {
            const Z opposite = i < n - 1 ? scaled(c[n - 1 - i], gain) : sum; /* SciPy's sum grows in element 0 */
            sum = sum + scaled(scaled(c[i], gain) + scaled(opposite, power), factor);
        }
        return MODE == REFLECT ? scaled(sum, z / (1 - power * power)) + first : divided(sum, 1 - power * power);
    }
    // The last coefficient, from those of the causal recursion.
    CUNA_INLINE Z turn(double z) const
    {
        const Line &c = *this;
        if (MODE == GRID_WRAP) {
            Z sum = c[n - 1];
            double factor = z;
            for (int64 i = 0, end = terms(z, n - 1); i < end; ++i, factor *= z)
                sum = sum + scaled(c[i], factor);
            return scaled(sum, z / (whole_power(z, n) - 1));
        }
        return MODE == REFLECT ? scaled(c[n - 1], z / (z - 1))
                               : divided(scaled(scaled(c[n - 2], z) + c[n - 1], z), z * z - 1);
    }
    // A recursion along the line, from its first element or back from its last one, which becomes `last`. A batch is
    // read before it is written: for a compiler every store might change the elements to come.
    template <bool BACK>
    CUNA_INLINE void recur(Z last, double z, double gain) const
    {
        const Line &c = *this;
        const int64 origin = BACK ? n - 1 : 0, step = BACK ? -1 : 1;
        c[origin] = last;
        for (int64 i = 1; i < n; i += BATCH) {
            Z batch[BATCH];
            CUNA_UNROLL
            for (int64 k = 0; k < BATCH; ++k)
                if (i + k < n)
                    batch[k] = c[origin + step * (i + k)];
            CUNA_UNROLL
            for (int64 k = 0; k < BATCH; ++k)
                if (i + k < n)
                    c[origin + step * (i + k)] = last =
                        BACK ? scaled(last - batch[k], z) : scaled(batch[k], gain) + scaled(last, z);
        }
    }
    CUNA_INLINE void filter(double z, double gain) const
    {
        recur<false>(begin(z, gain), z, gain);
        recur<true>(turn(z), z, 1);
    }
};

template <class Z, int MODE>
CUNA_INLINE bool spline_line(int64 at, int64 stride, int64 n, double gain, double z1, double z2)
{
    const Line<Z, MODE> line = {at, stride, n};
    line.filter(z1, gain);
    if (z2 != 0)
        line.filter(z2, 1);
    return true;
}

}  // namespace ndimage
}  // namespace cuna
