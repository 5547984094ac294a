/* special_gamma.cuh: the gamma function and what is made of it.
 *
 * gamma grows from the whole numbers, whose values are tables, by Stirling's series (DLMF 5.11). Its logarithm is a
 * polynomial around 2 (the Chebyshev interpolant of the function named above it, in t = x - 2) and Stirling's series
 * further up; recurrences lead from one to the other, the reflection formula to negative x (DLMF 5.5). Powers
 * and exponentials of great numbers are sums of products with logarithms in twice the digits (`Exponent`), so that
 * gamma, beta and the densities of special_incomplete.cuh keep their last digits. Both dtypes are computed in double.
 */
namespace cuna {
namespace special {

CUNA_INLINE bool is_whole(double x) { return x == rint(x); }
CUNA_INLINE bool is_odd(double whole) { return whole != 2 * rint(whole * 0.5); }
CUNA_INLINE bool is_pole(double x) { return x <= 0 && is_whole(x); }

/* sin(pi x) and tan(pi x) of any x: the halves, that is, whole turns, are taken away exactly. */
CUNA_INLINE double sinpi(double x)
{
    double sine, cosine;
    own::sincospi(x - 2 * rint(x * 0.5), sine, cosine);
    return sine;
}
CUNA_INLINE double tanpi(double x) { return own::tanpi(x - rint(x)); }

/* ---- logarithm of gamma ---- */

/* log(gamma(2 + t)) / t, |t| <= 1/2. */
CUNA_INLINE double log_gamma_near_2(double t)
{
    return horner(t, 0.42278433509846713, 0.32246703342411326, -0.0673523010531981, 0.02058080842778038,
                  -0.0073855510286719986, 0.002890510331034267, -0.0011927539118428156, 0.0005096695154115458,
                  -0.00022315475400520507, 9.945767355819498e-05, -4.49263133791557e-05, 2.0505590755833454e-05,
                  -9.438715099211532e-06, 4.38470440459836e-06, -2.0439048107029907e-06, 9.200527894968101e-07,
                  -4.3252393445604814e-07, 2.78740805211359e-07, -1.3219945666117874e-07);
}

/* What Stirling's formula for log(gamma(x)) lacks, x >= 7.5: 1 / x times this function of 1 / x^2. */
CUNA_INLINE double stirling_series(double z)
{
    return horner(z, 0.08333333333333333, -0.0027777777777698684, 0.0007936507864954393, -0.0005952356552865964,
                  0.000841351480772293, -0.001883462005502802, 0.004915438477086982);
}
CUNA_INLINE double stirling_rest(double x)
{
    const double inverse = quotient_of_middle(1.0, at_most_great(x));
    return inverse * stirling_series(rounded(inverse * inverse));
}

/* log(gamma(x)) of x >= 0. The argument of the one logarithm is x or a product of x's neighbours. */
CUNA_INLINE double log_gamma_of_size(double x)
{
    const bool is_far = x >= 8, is_low = x < 1.5;
    double t = x < 0.5 ? x : is_low ? x - 1 : x - 2, product = x < 0.5 ? x * (x + 1) : is_low ? x : 1.0;
    for (int i = 0; i < 6; ++i) {
        const bool above = t > 0.5;
        product = above ? product * (t + 1) : product;
        t = above ? t - 1 : t;
    }
    const double log = own::log(is_far ? x : product);
    double near = x, far = x;
    if (is_needed(!is_far))
        near = fma(t, log_gamma_near_2(t), is_low ? -log : log);
    if (is_needed(is_far))
        far = fma(x - 0.5, log - 1, stirling_rest(x) + 0.4189385332046727);
    return x == limits<double>::infinity() ? x : is_far ? far : near;
}

CUNA_INLINE double gammaln(double x)
{
    const double upper = log_gamma_of_size(x < 0 ? 1 - x : x);
    double mirrored = upper;
    if (is_needed(x < 0))
        mirrored = 1.1447298858494002 - own::log(fabs(sinpi(x))) - upper;
    return x == -limits<double>::infinity() ? -x : x < 0 ? mirrored : upper;
}
CUNA_INLINE float gammaln(float x) { return float(gammaln(double(x))); }

template <class T> CUNA_INLINE T loggamma(T x) { return x < 0 ? limits<T>::nan() : gammaln(x); }

/* ---- exponents in twice the digits ---- */

/* A sum of products of numbers and logarithms, as high + low. */
struct Exponent {
    double high, low;

    CUNA_INLINE Exponent() : high(0), low(0) {}

    CUNA_INLINE void add(double x)
    {
        const double sum = high + x, back = sum - high;
        low += (high - (sum - back)) + (x - back);
        high = sum;
    }
    CUNA_INLINE void add_product(double a, double b)
    {
        const double product = rounded(a * b);
        low += fma(a, b, -product);
        add(product);
    }
    /* count log(2). */
    CUNA_INLINE void add_doublings(double count)
    {
        add_product(count, 0.6931471805599453);
        low += rounded(count * 2.3190468138462996e-17);
    }
    /* factor log(x), x positive. */
    CUNA_INLINE void add_log(double factor, double x)
    {
        const bool tiny = x < limits<double>::min();
        const double normal = tiny ? x * own::format<double>::lift() : x;
        const auto k = own::exponent_of(normal);
        const double count = own::as_float<double>(k) - (tiny ? double(own::format<double>::LIFT) : 0.0);
        const own::pair<double> log = own::log_as_pair(own::mantissa_of(normal, k), count);
        add_product(factor, log.high);
        low += rounded(factor * log.low);
    }
    /* What `low` has beyond 1 goes to `high`, so that exp can take the sum. */
    CUNA_INLINE double value() const { return high + low; }
    CUNA_INLINE double exp() const
    {
        const double sum = high + low, back = sum - high, rest = (high - (sum - back)) + (low - back);
        return own::exp_of_sum(sum, fabs(rest) < 1 ? rest : 0.0);
    }
};

/* x (x + 1) ... (x + 7) of |x| <= 8, from u = x (x + 7) as u (u + 6) (u + 10) (u + 12) in twice the digits: the digits
 * below the result's are `low`. */
CUNA_INLINE double product_of_eight(double x, double &low)
{
    const double y = x + 7, u = x * y, u_low = fma(x, y, -u) + rounded(x * (x - (y - 7)));
    double product = u;
    low = u_low;
    CUNA_UNROLL_4
    for (int i = 0; i < 3; ++i) {
        const double step = i == 0 ? 6.0 : i == 1 ? 10.0 : 12.0, v = u + step, gap = v - u;
        const double v_low = (u - (v - gap)) + (step - gap) + u_low, next = product * v;
        low = fma(product, v, -next) + fma(product, v_low, rounded(low * v));
        product = next;
    }
    return product;
}

/* x > -1/2 as n + t, n = 8 + index the whole number next to x, or to x + 8 below 8; an n of the tables for every x. */
struct Whole { int64 index; double t; };

CUNA_INLINE Whole whole_next_to(double x)
{
    const double from = x > 0 ? x : 0.0, magic = (from < 171 ? from : 171.0) + own::format<double>::magic();
    const double gap = x - (magic - own::format<double>::magic());
    return Whole{own::low_integer(magic) - (from < 8 ? 0 : 8), gap > 9 ? 9.0 : gap};
}

/* log(gamma(n + t) / gamma(n)): t log(n), (n + t - 1/2) log(1 + t / n) - t, written with the inverse hyperbolic tangent
 * of u = t / (2 n + t), and what Stirling's formula lacks. */
CUNA_INLINE Exponent growth_from(const Whole &whole)
{
    const double t = whole.t, n = 8 + own::as_float<double>(whole.index), at = n + t, sum = n + at;
    const double both = quotient_of_middle(1.0, rounded(at * sum)), inverse = both * sum, u = t * (both * at), z = u * u;
    const double series = z * horner(z, 0.3333333333333333, 0.2, 0.14285714285714285, 0.1111111111111111,
                                     0.09090909090909091);
    const double bend = fma(u * (2 * at - 1), series, rounded(u * (t - 1)));
    const double rest = fma(inverse, stirling_series(rounded(inverse * inverse)), -whole_rest[whole.index]);
    const double log = whole_log[whole.index], more = t == 0 ? 0.0 : bend + rest;
    Exponent growth;
    growth.high = rounded(t * log);
    growth.low = fma(t, log, -growth.high) + fma(t, whole_log_low[whole.index], more);
    return growth;
}

/* gamma(x) = exp(exponent) / result, 0 < x < 171. A sign of -1 subtracts it from the exponent. */
CUNA_INLINE double add_growth(Exponent &exponent, double x, double sign)
{
    const Whole whole = whole_next_to(x);
    const Exponent growth = growth_from(whole);
    double product = 1, below = 0;
    if (x < 8) {
        product = product_of_eight(x, below);
        below *= quotient_of_middle(1.0, product > 1e-30 ? product : 1e30); /* less than half a digit of one so little */
    }
    exponent.add(sign * growth.high);
    exponent.low += sign * (growth.low - below);
    return product / whole_gamma[whole.index];
}

/* The same of any x > 0: a result that is neither great nor little, and Stirling's formula. */
CUNA_APART inline double add_gamma(Exponent &exponent, double x, double sign = 1)
{
    if (x < 8)
        return add_growth(exponent, x, sign);
    exponent.add_log(sign * (x - 0.5), x);
    exponent.add(-sign * x);
    exponent.add(sign * 0.9189385332046727);
    exponent.low += sign * (stirling_rest(x) - 3.878294158067242e-17);
    return 1;
}

/* ---- gamma ---- */

/* A quotient corrected by what it leaves of its dividend, `rest`, times the divisor's inverse; infinite ones stay. */
CUNA_INLINE double quotient_with(double quotient, double rest, double inverse)
{
    return fabs(quotient) < limits<double>::infinity() ? fma(rest, inverse, quotient) : quotient;
}

/* gamma(n + t) of x, x >= 8 or moved up by 8. */
CUNA_INLINE double gamma_above(double x)
{
    const Whole whole = whole_next_to(x);
    const Exponent growth = growth_from(whole);
    return whole_gamma[whole.index] * own::exp_of_normal(growth.high, growth.low);
}

/* gamma(x), x > -1/2: exact at whole numbers. */
CUNA_INLINE double gamma_of_size(double x)
{
    const double far = gamma_above(x);
    double near = far;
    if (is_needed(x < 8)) {
        double low;
        const double product = product_of_eight(x, low), inverse = 1 / product, quotient = far * inverse;
        near = quotient_with(quotient, fma(-quotient, low, fma(-quotient, product, far)), inverse);
    }
    return x < 8 ? near : far;
}

CUNA_INLINE double gamma(double x)
{
    const bool is_negative = x < -0.5;
    const double upper = gamma_of_size(is_negative ? -x : x);
    double mirrored = upper, edge = upper;
    if (is_needed(is_negative))
        mirrored = -3.141592653589793 / (-x * sinpi(-x) * upper);
    if (is_needed(is_pole(x)))
        edge = x == 0 ? 1 / x : x == -limits<double>::infinity() ? x : -x * limits<double>::infinity();
    return is_pole(x) ? edge : is_negative ? mirrored : upper;
}
CUNA_INLINE float gamma(float x) { return float(gamma(double(x))); }

/* 1 / gamma(x), x > -1/2: exact, or rounded correctly, at whole numbers. */
CUNA_INLINE double rgamma_of_size(double x)
{
    const Whole whole = whole_next_to(x);
    const Exponent growth = growth_from(whole);
    const double inverse = whole_inverse[whole.index];
    double near = inverse;
    if (is_needed(x < 8)) {
        double low;
        const double product = product_of_eight(x, low), rest = whole_inverse_low[whole.index < 8 ? whole.index : 8];
        near = fma(product, inverse, fma(product, rest, rounded(low * inverse)));
    }
    return (x < 8 ? near : inverse) * own::exp_of_normal(-growth.high, -growth.low);
}

CUNA_INLINE double rgamma(double x)
{
    const bool is_negative = x < -0.5;
    const double upper = rgamma_of_size(is_negative ? -x : x);
    double mirrored = upper;
    if (is_needed(is_negative))
        mirrored = x * sinpi(-x) / (upper * 3.141592653589793);
    return is_pole(x) ? 0.0 : is_negative ? mirrored : upper;
}
CUNA_INLINE float rgamma(float x) { return float(rgamma(double(x))); }

template <class T> CUNA_INLINE T gammasgn(T x)
{
    const T whole = floor(x), sign = whole == 2 * floor(whole * T(0.5)) ? T(1) : T(-1);
    return x > 0 ? T(1) : x == whole ? T(0) : x == x ? sign : x;
}

/* ---- digamma ---- */

/* digamma(y) / (y - root), y in [1, 2], of y - 1.5. */
CUNA_INLINE double digamma_middle(double t)
{
    return horner(t, 0.951055876031833, -0.4236274212814605, 0.2405424842407742, -0.14840492305390884,
                  0.09498872445494122, -0.061922133273064534, 0.04076083381242074, -0.02697579675613825,
                  0.0179072524394512, -0.011908218001568644, 0.007926944646403797, -0.005279964873257405,
                  0.003519006401502276, -0.002345267632540769, 0.0015566317474486838, -0.0010376374098418604,
                  0.0007233266279287554, -0.0004821990530566789, 0.0002272331660987376, -0.00015148586836773365,
                  0.00025968482126430747, -0.00017312261802727394);
}

/* digamma(x) of x > 0: between 2 and 8 1/y is added for each step y down to [1, 2]; above, the asymptotic series. */
CUNA_INLINE double digamma_of_size(double x)
{
    double y = x < 1 ? x + 1 : x, above = x < 1 ? -1.0 : 0.0, below = x < 1 ? x : 1.0;
    CUNA_UNROLL
    for (int i = 0; i < 7; ++i) {
        const bool more = y > 2 && x < 8;
        y = more ? y - 1 : y;
        above = more ? fma(above, y, below) : above;
        below = more ? below * y : below;
    }
    double near = x, far = x;
    if (is_needed(x < 8)) {
        const double root = (y - 1.4616321449683622) - 9.549995429965697e-17;
        near = fma(root, digamma_middle(y - 1.5), above / below);
    }
    if (is_needed(!(x < 8))) {
        const double inverse = 1 / x, z = rounded(inverse * inverse);
        const double series = horner(z, 0.08333333333333333, -0.008333333333333333, 0.003968253968253968,
                                     -0.004166666666666667, 0.007575757575757576, -0.021092796092796094,
                                     0.08333333333333333, -0.4432598039215686, 3.0539543302701198);
        far = own::log(x) - fma(0.5, inverse, rounded(z * series));
    }
    return x < 8 ? near : far;
}

CUNA_INLINE double digamma(double x)
{
    const double inf = limits<double>::infinity(), edge = x == 0 ? -copysign(inf, x) : limits<double>::nan();
    const double upper = digamma_of_size(x < 0 ? 1 - x : x);
    double mirrored = upper;
    if (is_needed(x < 0))
        mirrored = upper - 3.141592653589793 / tanpi(x);
    return is_pole(x) ? edge : x < 0 ? mirrored : upper;
}
CUNA_INLINE float digamma(float x) { return float(digamma(double(x))); }

/* ---- the same as calls, for functions that have several of them ---- */

namespace called {
CUNA_APART inline double gamma(double x) { return special::gamma(x); }
CUNA_APART inline double rgamma(double x) { return special::rgamma(x); }
CUNA_APART inline double gammaln(double x) { return special::gammaln(x); }
CUNA_APART inline double digamma(double x) { return special::digamma(x); }
}

}
}
