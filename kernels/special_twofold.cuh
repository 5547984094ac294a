/* special_twofold.cuh: numbers of about 32 digits, as sums of two doubles, and the functions that special functions
 * need of them.
 *
 * Functions of several operands cancel and accumulate; in twice the digits they do so without a trace in the result.
 * Their texts are templates of R: twofold for float64, onefold (one double) for float32. Sums and products of twofold
 * are Dekker's and Knuth's; exp, log, sine and arc tangent are series after a reduction, or a step of Newton's. */
namespace cuna {
namespace special {

struct twofold {
    double high, low;
    enum { STIRLING = 15, FROM = 24 }; /* the terms of Stirling's series, and where it begins */
    CUNA_INLINE twofold(double a = 0, double b = 0) : high(a), low(b) {}
    static CUNA_INLINE double epsilon() { return 1e-32; }
    static CUNA_INLINE double tiny_order() { return 1e-10; } /* below, differences of orders become derivatives */
    static CUNA_INLINE double descent() { return 19.2; } /* orders above x, in cube roots of it, where J is small */
};

struct onefold {
    double high;
    enum { STIRLING = 8, FROM = 10 };
    CUNA_INLINE onefold(double a = 0, double = 0) : high(a) {}
    static CUNA_INLINE double epsilon() { return 1e-17; }
    static CUNA_INLINE double tiny_order() { return 1e-5; }
    static CUNA_INLINE double descent() { return 12.5; }
};

/* The type in which a dtype's functions are computed. */
template <class T> struct work { typedef onefold type; };
template <> struct work<double> { typedef twofold type; };

CUNA_INLINE double value(onefold a) { return a.high; }
CUNA_INLINE double value(twofold a)
{
    const double sum = a.high + a.low;
    return sum == sum ? sum : a.high;
}

CUNA_INLINE double low_of(onefold) { return 0; }
CUNA_INLINE double low_of(twofold a) { return a.low; }

/* a + b of |a| >= |b|, or of any, with what its rounding lost. */
CUNA_INLINE twofold quick_sum(double a, double b)
{
    const double sum = a + b;
    return twofold(sum, b - (sum - a));
}
CUNA_INLINE twofold whole_sum(double a, double b)
{
    const double sum = a + b, back = sum - a;
    return twofold(sum, (a - (sum - back)) + (b - back));
}

CUNA_INLINE twofold operator-(twofold a) { return twofold(-a.high, -a.low); }
CUNA_INLINE twofold operator+(twofold a, twofold b)
{
    const twofold s = whole_sum(a.high, b.high), t = whole_sum(a.low, b.low), u = quick_sum(s.high, s.low + t.high);
    return quick_sum(u.high, u.low + t.low);
}
CUNA_INLINE twofold operator-(twofold a, twofold b) { return a + -b; }
CUNA_INLINE twofold operator*(twofold a, twofold b)
{
    const double product = a.high * b.high, lost = fma(a.high, b.high, -product);
    return quick_sum(product, fma(a.high, b.low, fma(a.low, b.high, lost)));
}
CUNA_INLINE twofold operator/(twofold a, twofold b)
{
    const double first = a.high / b.high;
    return quick_sum(first, (a - b * first).high / b.high);
}


/* By a double. */
CUNA_INLINE twofold operator/(twofold a, double b)
{
    const double first = a.high / b;
    return quick_sum(first, (fma(-first, b, a.high) + a.low) / b);
}
CUNA_INLINE onefold operator/(onefold a, double b) { return onefold(a.high / b); }

CUNA_INLINE onefold operator-(onefold a) { return onefold(-a.high); }
CUNA_INLINE onefold operator+(onefold a, onefold b) { return onefold(a.high + b.high); }
CUNA_INLINE onefold operator-(onefold a, onefold b) { return onefold(a.high - b.high); }
CUNA_INLINE onefold operator*(onefold a, onefold b) { return onefold(a.high * b.high); }
CUNA_INLINE onefold operator/(onefold a, onefold b) { return onefold(a.high / b.high); }

/* By a power of two. */
CUNA_INLINE twofold times(twofold a, double power) { return twofold(a.high * power, a.low * power); }
CUNA_INLINE onefold times(onefold a, double power) { return onefold(a.high * power); }

template <class R> CUNA_INLINE R pi() { return R(3.141592653589793, 1.2246467991473532e-16); }
template <class R> CUNA_INLINE R log_2() { return R(0.6931471805599453, 2.3190468138462996e-17); }
template <class R> CUNA_INLINE R euler() { return R(0.5772156649015329, -4.942915152430645e-18); }
template <class R> CUNA_INLINE R half_root() { return R(0.7071067811865476, -4.833646656726457e-17); }
template <class R> CUNA_INLINE R size_of(R a) { return a.high < 0 ? -a : a; }

template <class R> CUNA_INLINE R sqrt(R a)
{
    const double root = cuna::sqrt(a.high);
    if (!(root > 0) || isinf(root))
        return R(root);
    const R r(root);
    return r + R((a - r * r).high / (2 * root));
}

/* ---- exponentials and logarithms ---- */

/* 2^(j / 32) in twice the digits, rounded from fifty. */
struct Root { double high, low; };
static const Root roots_of_2[] = {
    {1.0, 0.0}, {1.0218971486541166, 5.109225028973444e-17}, {1.0442737824274138, 8.551889705537965e-17},
    {1.0671404006768237, -7.899853966841582e-17}, {1.0905077326652577, -3.046782079812471e-17},
    {1.1143867425958924, 1.0410278456845571e-16}, {1.1387886347566916, 8.912812676025408e-17},
    {1.1637248587775775, 3.8292048369240935e-17}, {1.189207115002721, 3.982015231465646e-17},
    {1.215247359980469, -7.712630692681488e-17}, {1.241857812073484, 4.658027591836937e-17},
    {1.2690509571917332, 2.667932131342186e-18}, {1.2968395546510096, 2.5382502794888315e-17},
    {1.3252366431597413, -2.8587312100388614e-17}, {1.3542555469368927, 7.70094837980299e-17},
    {1.383909881963832, -6.770511658794786e-17}, {1.4142135623730951, -9.667293313452913e-17},
    {1.4451808069770467, -3.0237581349939873e-17}, {1.4768261459394993, -3.483994556892796e-17},
    {1.5091644275934228, -1.016455327754295e-16}, {1.5422108254079407, 7.949834809697621e-17},
    {1.5759808451078865, -1.0136916471278304e-17}, {1.6104903319492543, 2.4707192569797888e-17},
    {1.645755478153965, -1.0125679913674773e-16}, {1.681792830507429, 8.199010020581497e-17},
    {1.718619298122478, -1.851380418263111e-17}, {1.7562521603732995, 2.960140695448873e-17},
    {1.7947090750031072, 1.8227458427912087e-17}, {1.8340080864093424, 3.283107224245627e-17},
    {1.8741676341103, -6.122763413004143e-17}, {1.9152065613971474, -1.0619946056195963e-16},
    {1.9571441241754002, 8.960767791036668e-17}};

/* exp(x) = result 2^k, |x| < 2^30. */
CUNA_INLINE onefold exp_parts(onefold x, int64 &k)
{
    const double turns = rint(x.high * 1.4426950408889634);
    k = int64(turns);
    return onefold(own::exp_of_sum(fma(turns, -0.6931471805599453, x.high), turns * -2.3190468138462996e-17));
}
/* By powers of 2^(1/32) and Taylor's series. What is below the last digits of a double is computed in one. */
CUNA_APART inline twofold exp_parts(twofold x, int64 &k)
{
    const double turns = rint(x.high * 46.16624130844683);
    const int64 whole = int64(turns);
    const twofold r = x - times(log_2<twofold>(), 0.03125) * turns - twofold(turns * 1.7836588870113162e-35);
    const double high[] = {0.5, 0.16666666666666666, 0.041666666666666664, 0.008333333333333333,
                           0.001388888888888889};
    const double low[] = {0.0, 9.25185853854297e-18, 2.3129646346357427e-18, 1.1564823173178714e-19,
                          -5.300543954373577e-20};
    twofold sum = own::horner(r.high, 0.0001984126984126984, 2.48015873015873e-5, 2.7557319223985893e-6,
                              2.755731922398589e-7, 2.505210838544172e-8, 2.08767569878681e-9);
    CUNA_UNROLL
    for (int i = 4; i >= 0; --i) sum = sum * r + twofold(high[i], low[i]);
    sum = (sum * r + 1) * r + 1;
    k = whole >> 5;
    const Root root = roots_of_2[whole & 31];
    return sum * twofold(root.high, root.low);
}

/* factor exp(x) 2^more as a double: only the result overflows. */
template <class R> CUNA_INLINE double value_times_exp(R factor, R x, int64 more = 0)
{
    if (x.high > 1e6 || x.high < -1e6)
        return factor.high * (x.high > 0 ? limits<double>::infinity() : 0.0);
    int64 k;
    const R power = exp_parts(x, k);
    return ldexp(value(factor * power), k + more);
}
template <class R> CUNA_APART inline R exp(R x)
{
    if (!(x.high < 1e6 && x.high > -1e6))
        return R(x.high > 0 ? limits<double>::infinity() : x.high < 0 ? 0.0 : x.high);
    int64 k;
    const R power = exp_parts(x, k);
    if (k < -1070 || k > 1023)
        return R(ldexp(power.high, k));
    return times(times(power, ldexp(1.0, k / 2)), ldexp(1.0, k - k / 2));
}

CUNA_INLINE onefold log(onefold x) { return onefold(own::log(x.high)); }
CUNA_APART inline twofold log(twofold x)
{
    if (!(x.high > 0) || isinf(x.high))
        return twofold(own::log(x.high));
    const bool is_tiny = x.high < 1e-290, is_great = x.high > 1e290;
    const twofold y = is_tiny ? times(x, 6.80564733841877e+38) : is_great ? times(x, 1.469367938527859e-39) : x;
    const double first = own::log(y.high);
    const twofold rest = y * exp(twofold(-first)) - 1, back = is_tiny ? -129.0 : is_great ? 129.0 : 0.0;
    return twofold(first) + (rest - times(rest * rest, 0.5)) + log_2<twofold>() * back;
}

/* ---- angles ---- */

template <class R> struct Angle { R sine, cosine; };

/* Taylor's series of z = r r, whose terms take turns in their signs: `rest` are those beyond the table. */
template <class R, int N> CUNA_INLINE R alternating(R z, double rest, const double (&high)[N], const double (&low)[N])
{
    R sum(rest);
    CUNA_UNROLL
    for (int k = N - 1; k >= 0; --k) sum = R(high[k], low[k]) - sum * z;
    return sum;
}

/* |r| at most a little above pi / 4. What is below the last digits of a double is computed in one. */
template <class R> CUNA_APART inline Angle<R> angle_of_small(R r)
{
    const double sine_high[] = {1.0, 0.16666666666666666, 0.008333333333333333, 0.0001984126984126984,
                                2.7557319223985893e-6, 2.505210838544172e-8, 1.6059043836821613e-10,
                                7.647163731819816e-13};
    const double sine_low[] = {0.0, 9.25185853854297e-18, 1.1564823173178714e-19, 1.7209558293420705e-22,
                               -1.858393274046472e-22, -1.448814070935912e-24, 1.2585294588752098e-26,
                               7.03872877733453e-30};
    const double cosine_high[] = {1.0, 0.5, 0.041666666666666664, 0.001388888888888889, 2.48015873015873e-5,
                                  2.755731922398589e-7, 2.08767569878681e-9, 1.1470745597729725e-11,
                                  4.779477332387385e-14};
    const double cosine_low[] = {0.0, 0.0, 2.3129646346357427e-18, -5.300543954373577e-20,
                                 2.1511947866775882e-23, 2.3767714622250297e-23, -1.20734505911326e-25,
                                 2.0655512752830745e-28, 4.399205485834081e-31};
    const R z = r * r;
    const double x = z.high;
    const double of_sine = own::horner(x, 2.8114572543455206e-15, -8.22063524662433e-18, 1.9572941063391263e-20,
                                         -3.868170170630684e-23, 6.446950284384474e-26, -9.183689863795546e-29);
    const double of_cosine = own::horner(x, 1.5619206968586225e-16, -4.110317623312165e-19, 8.896791392450574e-22,
                                          -1.6117375710961184e-24, 2.4795962632247976e-27, -3.279889237069838e-30);
    const R sine = r * alternating(z, of_sine, sine_high, sine_low);
    return Angle<R>{sine, alternating(z, of_cosine, cosine_high, cosine_low)};
}

template <class R> CUNA_INLINE Angle<R> turned(Angle<R> a, double quarters)
{
    const int k = int(quarters - 4 * floor(quarters * 0.25));
    const R sine = k & 1 ? a.cosine : a.sine, cosine = k & 1 ? a.sine : a.cosine;
    return Angle<R>{k & 2 ? -sine : sine, (k + 1) & 2 ? -cosine : cosine};
}

/* Of x radians, |x| < 1e15. */
CUNA_APART inline Angle<twofold> angle_of(twofold x)
{
    const double k = rint(x.high * 0.6366197723675814);
    twofold r = x - twofold(1.5707963267948966) * k;
    r = r - twofold(6.123233995736766e-17) * k;
    r = r - twofold(-1.4973849048591833e-33) * k;
    return turned(angle_of_small(r), k);
}
CUNA_INLINE Angle<onefold> angle_of(onefold x)
{
    const Angle<twofold> a = angle_of(twofold(x.high));
    return Angle<onefold>{a.sine.high, a.cosine.high};
}

/* Of x half turns: exact at the quarters. */
template <class R> CUNA_INLINE Angle<R> angle_of_half_turns(double x)
{
    const double turns = x - 2 * rint(x * 0.5), k = rint(2 * turns);
    return turned(angle_of_small(pi<R>() * R(turns - 0.5 * k)), k);
}

/* The angle of a point: a double's, then a step of Newton's. */
template <class R> CUNA_APART inline R angle_of_point(R y, R x)
{
    const double a = fabs(x.high), b = fabs(y.high), most = a > b ? a : b;
    const R up = signbit(y.high) ? times(pi<R>(), -0.5) : times(pi<R>(), 0.5);
    if (most == 0)
        return signbit(x.high) ? up + up : y;
    const double power = most > 1e150 ? power_of_2(-600) : most < 1e-150 ? power_of_2(600) : 1.0;
    const R high = times(b > a ? x : y, power), low = times(b > a ? y : x, power);
    const R above = low.high < 0 ? -high : high, below = size_of(low);
    const double near = own::atan(above.high / below.high);
    const Angle<R> at = angle_of_small(R(near));
    const R angle = R(near) + (above * at.cosine - below * at.sine) / (below * at.cosine + above * at.sine);
    return b > a ? up - angle : x.high < 0 ? up + up + angle : angle;
}

/* ---- gamma ---- */

/* The coefficient k of Stirling's series (DLMF 5.11), from Bernoulli's number 2k. */
template <class R> CUNA_INLINE R stirling_term(int k)
{
    const double high[] = {0.08333333333333333, -0.002777777777777778, 0.0007936507936507937,
                           -0.0005952380952380953, 0.0008417508417508417, -0.0019175269175269176,
                           0.00641025641025641, -0.029550653594771242, 0.17964437236883057, -1.3924322169059011,
                           13.402864044168393, -156.84828462600203, 2193.1033333333335, -36108.77125372499,
                           691472.268851313};
    const double low[] = {4.625929269271485e-18, 1.0601087908747154e-19, 6.883823317368282e-22,
                          5.36938218754726e-20, 3.6870174889237694e-20, 1.0675702776872475e-19,
                          2.2240044563805217e-19, 4.861760957508855e-19, -6.401600482710946e-19,
                          1.5837056989230303e-17, -6.154114101993966e-16, 9.391823141715389e-15,
                          -1.3339255626002948e-13, 5.897583353514365e-13, 2.5585296305158e-11};
    return R(high[k - 1], low[k - 1]);
}

/* gamma(z) = exp(exponent) / product, z > 0: Stirling's series far up. */
template <class R> struct Gamma { R exponent, product; };

template <class R> CUNA_APART inline Gamma<R> gamma_parts(R z)
{
    R product(1);
    for (const double from = R::FROM; z.high < from;) {
        product = product * z;
        z = z + 1;
    }
    const R inverse = R(1) / z, square = inverse * inverse;
    R sum(0);
    for (int k = R::STIRLING; k > 0; --k)
        sum = sum * square + stirling_term<R>(k);
    const R half_log(0.9189385332046728, -3.8782941580672414e-17);
    return Gamma<R>{(z - 0.5) * log(z) - z + half_log + sum * inverse, product};
}

/* Bessel functions of greater orders are computed where the power series is short, and NaN elsewhere. */
CUNA_INLINE double greatest_order() { return 16384; }

/* What terms of a series are beside its sum when a double's digits are there. */
template <class R> CUNA_INLINE double least_share() { return R::epsilon() > 1e-20 ? R::epsilon() : 1e-20; }

/* The sum of z^k / (k! (v + 1)_k) in doubles, which do where |z| is at most half of v + 1. */
CUNA_INLINE bool is_brief(double v, double z) { return fabs(z) <= 0.5 * (v + 1); }
CUNA_INLINE double brief_sum(double v, double z)
{
    double rest = 0, term = 1;
    for (int k = 1; fabs(term) > 1e-18; ++k) {
        term *= z / (k * (v + k));
        rest += term;
    }
    return 1 + rest;
}

/* (x / 2)^v / gamma(v + 1) = factor exp(exponent). */
template <class R> struct Power { R factor, exponent; };

template <class R> CUNA_INLINE Power<R> power_over_gamma(double v, double x)
{
    const Gamma<R> gamma = gamma_parts(R(v) + 1);
    const R power = v == 0 ? R(0) : (log(R(x)) - log_2<R>()) * R(v);
    return Power<R>{gamma.product, power - gamma.exponent};
}

/* The same of v >= -1/2, where a double's digits are wanted: adds the exponent, and returns the factor. */
CUNA_APART inline double add_power(Exponent &exponent, double v, double x)
{
    const bool is_low = v < 0.5; /* other sums v + 1 would be rounded */
    if (v > 1e6)
        return 0; /* of arguments whose series is short */
    exponent.add_log(v, x);
    exponent.add_doublings(-v);
    const double factor = add_gamma(exponent, is_low ? v + 1 : v, -1);
    return is_low ? factor : factor / v;
}

/* gamma(v) (2 / x)^v, v > 0: what Y and K are of, where x is so little that 2 / x overflows. */
CUNA_APART inline double gamma_over_power(double v, double x)
{
    Exponent power, exponent;
    const double factor = add_power(power, v, x);
    exponent.add(-power.high);
    exponent.low -= power.low;
    return exponent.exp() / (factor * v);
}
CUNA_INLINE bool has_no_quotient(double x) { return x < 1.2e-308; }

}
}
