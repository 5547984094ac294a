// interpolate.cuh: values of products of B-splines of degree K at a point of a grid.
namespace cuna {
namespace interpolate {

// The functions that are not 0 at a coordinate: their values, and the first one's number, from 0; of `count` on an axis.
template <int K> struct Basis {
    double value[K + 1];
    int64 first, count;

    CUNA_INLINE Basis(const double *knots, int64 n, double x) : count(n)
    {
        int64 l = K + 1; // the knot after which x is, by bisection without branches
        for (int64 left = n - l; left > 0;) {
            const int64 half = (left + 1) >> 1;
            l += half & -int64(knots[l + half - 1] <= x);
            left -= half;
        }
        first = l - K - 1;
        value[0] = x * 0 + 1; // NaN at NaN
        CUNA_UNROLL
        for (int degree = 1; degree <= K; ++degree)
            raise(knots + l, degree, x);
    }

    // From the functions of the degree below, by de Boor's recursion.
    CUNA_INLINE void raise(const double *knots, int degree, double x)
    {
        double saved = 0;
        CUNA_UNROLL
        for (int r = 1; r <= degree; ++r) {
            const double right = knots[r - 1], before = knots[r - degree - 1];
            const double share = value[r - 1] / (right - before), part = (right - x) * share;
            value[r - 1] = r > 1 ? saved + part : part;
            saved = (x - before) * share;
        }
        value[degree] = saved;
    }
};

// Sums over the coefficients about a point, the last axis fastest. Only two axes are unrolled, since compilers take long
// for hundreds of terms.
template <int K> CUNA_INLINE double sum(const double *c, const Basis<K> &x)
{
    double sum = -0.0;
    CUNA_UNROLL
    for (int i = 0; i <= K; ++i)
        sum = sum + c[x.first + i] * x.value[i];
    return sum;
}

template <int K> CUNA_INLINE double sum(const double *c, const Basis<K> &x, const Basis<K> &y)
{
    double sum = -0.0;
    CUNA_UNROLL
    for (int i = 0; i <= K; ++i)
        CUNA_UNROLL
        for (int j = 0; j <= K; ++j)
            sum = sum + c[(x.first + i) * y.count + y.first + j] * (y.value[j] * x.value[i]);
    return sum;
}

template <int K>
CUNA_INLINE double sum(const double *c, const Basis<K> &x, const Basis<K> &y, const Basis<K> &z)
{
    double sum = -0.0;
    CUNA_REPEAT
    for (int h = 0; h <= K; ++h) {
        const int64 plane = (x.first + h) * y.count;
        CUNA_UNROLL
        for (int i = 0; i <= K; ++i)
            CUNA_UNROLL
            for (int j = 0; j <= K; ++j)
                sum = sum + c[(plane + y.first + i) * z.count + z.first + j] * (z.value[j] * y.value[i] * x.value[h]);
    }
    return sum;
}

} // namespace interpolate
} // namespace cuna
