/* special_logistic.cuh: logistic functions, entropies, losses, Box-Cox transformations: what is made of an exponential
 * or a logarithm with care. */
namespace cuna {
namespace special {

template <class T> CUNA_INLINE T expit(T x)
{
    const T e = own::exp(T(-fabs(x)));
    return choose(x < 0, e, T(1)) / (1 + e);
}

template <class T> CUNA_INLINE T logit(T p)
{
    const T rest = 1 - p, middle = own::log1p(fma(T(2), p, T(-1)) / rest);
    return p > T(0.3) && p < T(0.65) ? middle : own::log(p / rest);
}

template <class T> CUNA_INLINE T log_expit(T x)
{
    const T beyond = own::log1p(own::exp(T(-fabs(x))));
    return x < 0 ? x - beyond : -beyond;
}
template <class T> CUNA_INLINE T softplus(T x) { return 0 - log_expit(T(-x)); }

template <class T> CUNA_INLINE T exp10(T x) { return own::pow(T(10), x); }

template <class T> CUNA_INLINE T exprel(T x)
{
    const T value = own::expm1(x) / x;
    return x == 0 ? T(1) : x == limits<T>::infinity() ? x : value;
}

/* log1p(x) - x: its own series where the two cancel, in s = x / (2 + x): log1p(x) = 2 atanh(s). */
CUNA_INLINE double log1pmx(double x)
{
    const double s = x / (2 + x), z = s * s;
    const double series = horner(z, 0.3333333333333333, 0.2, 0.14285714285714285, 0.1111111111111111,
                                 0.09090909090909091, 0.07692307692307693, 0.06666666666666667, 0.058823529411764705,
                                 0.05263157894736842, 0.047619047619047616, 0.043478260869565216, 0.04,
                                 0.037037037037037035, 0.034482758620689655, 0.03225806451612903,
                                 0.030303030303030304, 0.02857142857142857, 0.02702702702702703);
    const double near = s * fma(2 * z, series, -x);
    return x > -0.5 && x < 1 ? near : own::log1p(x) - x;
}
CUNA_INLINE float log1pmx(float x) { return float(log1pmx(double(x))); }

/* ---- entropies: x log(y) is 0 at x = 0 ---- */

template <class T> CUNA_INLINE T xlogy(T x, T y) { return choose((x == 0) & (y == y), T(0), x * own::log(y)); }
template <class T> CUNA_INLINE T xlog1py(T x, T y) { return choose((x == 0) & (y == y), T(0), x * own::log1p(y)); }

template <class T> CUNA_INLINE T entr(T x)
{
    return choose(x < 0, -limits<T>::infinity(), choose(x == 0, T(0), -x * own::log(x)));
}

/* log(x / y) of positive numbers; the ratio may leave the range of T, and near 1 its digits do not suffice. */
template <class T> CUNA_INLINE T log_of_ratio(T x, T y)
{
    const T ratio = x / y, near = own::log1p((x - y) / y);
    const bool is_near = ratio > T(0.5) && ratio < 2, is_plain = ratio >= limits<T>::min() && isfinite(ratio);
    return is_near ? near : is_plain ? own::log(ratio) : own::log(x) - own::log(y);
}

template <class T> CUNA_INLINE T rel_entr(T x, T y)
{
    const T value = x > 0 && y > 0 ? x * log_of_ratio(x, y) : x == 0 && y >= 0 ? T(0) : limits<T>::infinity();
    return x != x || y != y ? x + y : value;
}

template <class T> CUNA_INLINE T kl_div(T x, T y)
{
    const T gap = (y - x) / x, near = 0 - rounded(x * log1pmx(gap));
    const T far = rounded(x * log_of_ratio(x, y)) - x + y, value = gap > T(-0.5) && gap < 1 ? near : far;
    const T edge = x == 0 && y >= 0 ? y : limits<T>::infinity();
    return x != x || y != y ? x + y : x > 0 && y > 0 ? value : edge;
}

/* ---- losses ---- */

template <class T> CUNA_INLINE T huber(T delta, T r)
{
    const T size = fabs(r), near = T(0.5) * r * r, far = delta * (size - T(0.5) * delta);
    return r != r ? r : delta < 0 ? limits<T>::infinity() : size <= delta ? near : far;
}

template <class T> CUNA_INLINE T pseudo_huber(T delta, T r)
{
    const T v = r / delta, root = sqrt(fma(v, v, T(1)));
    const T value = isinf(v) ? delta * fabs(r) : delta * (v / (root + 1)) * r;
    const T plain = delta < 0 ? limits<T>::infinity() : delta == 0 || r == 0 ? T(0) : value;
    return delta != delta || r != r ? delta + r : plain;
}

/* ---- Box-Cox transformations ---- */

/* (x^power - 1) / power of x and its logarithm, and the limit at power 0. */
template <class T> CUNA_INLINE T boxcox_of_log(T x, T log, T power)
{
    const T product = power * log;
    const T value = (fabs(product) < 1 ? own::expm1(product) : own::pow(x, power) - 1) / power;
    return fabs(power) < T(1e-19) ? log : value;
}

template <class T> CUNA_INLINE T boxcox(T x, T power) { return boxcox_of_log(x, own::log(x), power); }
template <class T> CUNA_INLINE T boxcox1p(T x, T power) { return boxcox_of_log(1 + x, own::log1p(x), power); }

template <class T> CUNA_INLINE T inv_boxcox(T y, T power)
{
    return power == 0 ? own::exp(y) : own::exp(own::log1p(power * y) / power);
}

template <class T> CUNA_INLINE T inv_boxcox1p(T y, T power)
{
    return power == 0 ? own::expm1(y) : own::expm1(own::log1p(power * y) / power);
}

}
}
