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
    enum { TERMS = 14, STIRLING = 15, FROM = 24 }; /* of series of sine; of Stirling's, and where it begins */
    CUNA_INLINE twofold(double a = 0, double b = 0) : high(a), low(b) {}
    static CUNA_INLINE double epsilon() { return 1e-32; }
    static CUNA_INLINE double tiny_order() { return 1e-10; } /* below, differences of orders become derivatives */
};

struct onefold {
    double high;
    enum { TERMS = 9, STIRLING = 8, FROM = 10 };
    CUNA_INLINE onefold(double a = 0, double = 0) : high(a) {}
    static CUNA_INLINE double epsilon() { return 1e-17; }
    static CUNA_INLINE double tiny_order() { return 1e-5; }
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
    const twofold rest = a - b * first;
    const double second = rest.high / b.high, third = (rest - b * second).high / b.high;
    const twofold sum = quick_sum(first, second);
    return quick_sum(sum.high, sum.low + third);
}

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
    return r + (a - r * r) / R(2 * root);
}

/* ---- exponentials and logarithms ---- */

/* exp(x) = result 2^k, |x| < 2^30. */
CUNA_INLINE onefold exp_parts(onefold x, int64 &k)
{
    const double turns = rint(x.high * 1.4426950408889634);
    k = int64(turns);
    return onefold(own::exp_of_sum(fma(turns, -0.6931471805599453, x.high), turns * -2.3190468138462996e-17));
}
CUNA_APART inline twofold exp_parts(twofold x, int64 &k)
{
    const double turns = rint(x.high * 1.4426950408889634);
    k = int64(turns);
    const twofold whole = x - log_2<twofold>() * turns - twofold(turns * 5.707708438416212e-34);
    const twofold r = times(whole, 0.001953125);
    twofold sum(1);
    for (int n = 10; n > 1; --n) sum = twofold(1) + sum * r / twofold(n);
    sum = sum * r;
    for (int i = 0; i < 9; ++i) sum = times(sum, 2) + sum * sum;
    return sum + 1;
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
template <class R> CUNA_INLINE R exp(R x)
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
CUNA_INLINE twofold log(twofold x)
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

/* |r| at most a little above pi / 4. */
template <class R> CUNA_INLINE Angle<R> angle_of_small(R r)
{
    const R z = r * r;
    R sine(1), cosine(1);
    for (int n = 2 * R::TERMS; n > 0; n -= 2) {
        sine = R(1) - sine * z / R(n * (n + 1));
        cosine = R(1) - cosine * z / R(n * (n - 1));
    }
    return Angle<R>{sine * r, cosine};
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
    const double above[] = {1, -1, 1, -1, 5, -691, 7, -3617, 43867, -174611, 854513, -236364091, 8553103, -23749461029,
                            8615841276005};
    const double below[] = {6, 30, 42, 30, 66, 2730, 6, 510, 798, 330, 138, 2730, 6, 870, 14322};
    return R(above[k - 1]) / R(below[k - 1] * (2 * k) * (2 * k - 1));
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

/* (x / 2)^v / gamma(v + 1) = factor exp(exponent). */
template <class R> struct Power { R factor, exponent; };

template <class R> CUNA_INLINE Power<R> power_over_gamma(double v, double x)
{
    const Gamma<R> gamma = gamma_parts(R(v) + 1);
    const R power = v == 0 ? R(0) : (log(R(x)) - log_2<R>()) * R(v);
    return Power<R>{gamma.product, power - gamma.exponent};
}

}
}
