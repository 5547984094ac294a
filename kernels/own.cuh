/* own.cuh: transcendental functions that have the same bits on every device.
 *
 * Everything is made of operations that are rounded exactly (+ - * / sqrt fma, comparisons) and of bits: no function of a
 * library's, no product that a compiler could join with a sum (such a product is an operand of fma, or `rounded`). Choices
 * are of finished values, so that loops vectorise. Polynomials are minimax fits (Remez) of the remainder that the
 * comment above them names; spec/own_spec.lua measures the errors.
 *
 * namespace own holds float and double forms of
 *   log log1p exp expm1      within 2 ulp, log and exp within 1
 *   sincospi tanpi atan      within 1, 3 and 3 ulp; sincospi for |x| < 2^20
 *   pow                      of x >= 0, within 2 ulp
 *   lgamma                   of x >= 0, within 3 ulp from 7 up and 5e-15 below, where it has zeros */
namespace cuna {
namespace own {

/* How a float type is made: x = 2^k m. MAGIC + x has the integer nearest to x in its low bits. */
template <class T> struct format;
template <> struct format<float> {
    typedef uint32 bits;
    typedef int32 count;
    enum { DIGITS = 23, BIAS = 127, LIFT = 25 };
    static CUNA_INLINE float magic() { return 12582912.0f; }
    static CUNA_INLINE bits least_mantissa() { return 0x3f2aaaabu; } /* 2/3: mantissas are in [2/3, 4/3) */
    static CUNA_INLINE float lift() { return 33554432.0f; }
};
template <> struct format<double> {
    typedef uint64 bits;
    typedef int64 count;
    enum { DIGITS = 52, BIAS = 1023, LIFT = 54 };
    static CUNA_INLINE double magic() { return 6755399441055744.0; }
    static CUNA_INLINE bits least_mantissa() { return 0x3fe6a09e667f3bcdull; } /* sqrt(1/2) */
    static CUNA_INLINE double lift() { return 18014398509481984.0; }
};

/* c0 + c1 x + c2 x^2 + ... */
template <class T> CUNA_INLINE T horner(T, T c) { return c; }
template <class T, class... C> CUNA_INLINE T horner(T x, T c, C... more)
{
    return fma(horner(x, more...), x, c);
}

template <class T> CUNA_INLINE T as_float(typename format<T>::count k) /* |k| < 2^22 */
{
    return from_bits(typename format<T>::bits(bits_of(format<T>::magic()) + k)) - format<T>::magic();
}

/* 2^k for a normal result. */
template <class T> CUNA_INLINE T power_of_two(typename format<T>::count k)
{
    return from_bits(typename format<T>::bits(k + format<T>::BIAS) << format<T>::DIGITS);
}

/* The k of x = 2^k m, x positive and normal. */
template <class T> CUNA_INLINE typename format<T>::count exponent_of(T x)
{
    typedef typename format<T>::count count;
    return count(bits_of(x) - format<T>::least_mantissa()) >> format<T>::DIGITS;
}

template <class T> CUNA_INLINE T mantissa_of(T x, typename format<T>::count k)
{
    return from_bits(typename format<T>::bits(bits_of(x) - (typename format<T>::bits(k) << format<T>::DIGITS)));
}

/* ---- logarithms ---- */

/* log(2^k (1 + f)). (log1p(f) - f + f^2/2) / f^3 on [-1/3, 1/3]. */
CUNA_INLINE float log_of_parts(float f, float k)
{
    float q = horner(f, -0.5f, 3.3333337e-01f, -2.499982e-01f, 1.9999306e-01f, -1.6679616e-01f, 1.431284e-01f,
                     -1.2195288e-01f, 1.0661357e-01f, -1.2847106e-01f, 1.2358035e-01f);
    return fma(k, 0.6931472f, fma(q, rounded(f * f), f));
}

/* With s = f / (2 + f), log(1 + f) = f - f^2/2 + s (f^2/2 + R(s^2)), as in Sun's fdlibm, whose R this is. */
CUNA_INLINE double log_of_parts(double f, double k, double s)
{
    double z = s * s, half = rounded(0.5 * f * f);
    double r = horner(z, 6.666666666666735130e-01, 3.999999999940941908e-01, 2.857142874366239149e-01,
                      2.222219843214978396e-01, 1.818357216161805012e-01, 1.531383769920937332e-01,
                      1.479819860510658591e-01);
    double rest = fma(s, fma(z, r, half), rounded(k * 1.90821492927058770002e-10));
    return fma(k, 6.93147180369123816490e-01, f - (half - rest));
}
CUNA_INLINE double log_of_parts(double f, double k) { return log_of_parts(f, k, f / (2 + f)); }

/* log(2^k m): f = m - 1 is 0 or has a digit that m has. */
CUNA_INLINE float log_of_scaled(float m, float k) { return log_of_parts(m - 1, k); }
CUNA_INLINE double log_of_scaled(double m, double k)
{
    return log_of_parts(m - 1, k, quotient_of_middle(m - 1, 2 + (m - 1)));
}

/* What log is where its argument has none: x is 0, negative, infinite or NaN. */
template <class T> CUNA_INLINE T log_or_edge(T x, T value)
{
    T edge = x == 0 ? -limits<T>::infinity() : x < 0 ? limits<T>::nan() : x;
    return x > 0 && x < limits<T>::infinity() ? value : edge;
}

/* The same as log(x), of a positive, normal x. */
template <class T> CUNA_INLINE T log_of_normal(T x)
{
    const auto k = exponent_of(x);
    return log_of_scaled(mantissa_of(x, k), as_float<T>(k));
}

template <class T> CUNA_INLINE T log(T x)
{
    bool tiny = x < limits<T>::min();
    T normal = choose(tiny, x * format<T>::lift(), x);
    auto k = exponent_of(normal);
    T exponent = as_float<T>(k) - (tiny ? T(format<T>::LIFT) : T(0));
    return log_or_edge(x, log_of_scaled(mantissa_of(normal, k), exponent));
}

/* 1 + x loses digits of x, which 2^-k x + (2^-k - 1) has while k is small. */
template <class T> CUNA_INLINE T log1p(T x)
{
    T sum = 1 + x;
    auto k = exponent_of(sum);
    bool great = k > 60;
    T scale = power_of_two<T>(great ? typename format<T>::count(0) : -k);
    T f = choose(great, mantissa_of(sum, k) - 1, fma(x, scale, scale - 1));
    T result = log_or_edge(sum, log_of_parts(f, as_float<T>(k)));
    return x == 0 ? x : result;
}

/* ---- exponentials ---- */

/* (exp(r) - 1 - r) / r^2 on [-log(2)/2, log(2)/2]. */
CUNA_INLINE float exp_rest(float r)
{
    return horner(r, 5e-01f, 1.6666667e-01f, 4.1666355e-02f, 8.333273e-03f, 1.3940998e-03f, 1.9914158e-04f);
}
CUNA_INLINE double exp_rest(double r)
{
    return horner(r, 0.5, 0.16666666666666677, 0.0416666666666667, 0.008333333333321626, 0.0013888888888866895,
                  0.00019841269886131105, 2.480158736045592e-05, 2.755724421237879e-06, 2.7557242834781485e-07,
                  2.51090333589183e-08, 2.0924422772953528e-09);
}

/* x = k log(2) + r: k as the low bits of `magic`. */
CUNA_INLINE float exp_reduced(float x, float &magic)
{
    magic = fma(x, 1.442695f, 12582912.0f);
    float k = magic - 12582912.0f;
    return fma(k, 1.9046543e-09f, fma(k, -0.6931472f, x));
}
CUNA_INLINE double exp_reduced(double x, double &magic)
{
    magic = fma(x, 1.4426950408889634, 6755399441055744.0);
    double k = magic - 6755399441055744.0;
    return fma(k, -2.3190468138462996e-17, fma(k, -0.6931471805599453, x));
}

template <class T> CUNA_INLINE typename format<T>::count low_integer(T magic)
{
    return typename format<T>::count(bits_of(magic) - bits_of(format<T>::magic()));
}

/* Beyond these exp is infinite or 0. */
CUNA_INLINE float exp_clamped(float x) { return x > 89.0f ? 89.0f : x < -105.0f ? -105.0f : x; }
CUNA_INLINE double exp_clamped(double x) { return x > 710.0 ? 710.0 : x < -746.0 ? -746.0 : x; }

/* exp(x + more), `more` far below x's last digit or below 1; scaled in two steps, of which the second one rounds. */
template <class T> CUNA_INLINE T exp_of_sum(T x, T more)
{
    T magic, r = exp_reduced(exp_clamped(x), magic) + more;
    auto k = low_integer(magic), half = k >> 1;
    return (1 + fma(exp_rest(r), rounded(r * r), r)) * power_of_two<T>(half) * power_of_two<T>(k - half);
}

/* exp(x + more) 2^-down where this is normal, `more` below 1. */
template <class T> CUNA_INLINE T exp_of_normal(T x, T more, typename format<T>::count down = 0)
{
    T magic, r = exp_reduced(x, magic) + more;
    return (1 + fma(exp_rest(r), rounded(r * r), r)) * power_of_two<T>(low_integer(magic) - down);
}

template <class T> CUNA_INLINE T exp(T x) { return exp_of_sum(x, T(0)); }

template <class T> CUNA_INLINE T expm1(T x)
{
    T magic, r = exp_reduced(x < -50 ? T(-50) : exp_clamped(x), magic);
    auto k = low_integer(magic);
    T small = fma(exp_rest(r), rounded(r * r), r), scale = power_of_two<T>(k - 1);
    T result = 2 * fma(small, scale, scale - T(0.5));
    return x == 0 ? x : k == 0 ? small : result;
}

/* ---- angles, in half turns ---- */

/* (sin(pi r)/r - pi) / r^2 and (cos(pi r) - 1) / r^2 of z = r^2 in [0, 1/16]. */
CUNA_INLINE float sin_rest(float z) { return horner(z, -5.1677127f, 2.5501628f, -5.992061e-01f, 8.103042e-02f); }
CUNA_INLINE float cos_rest(float z) { return horner(z, -4.934802f, 4.0587077f, -1.3350585f, 2.3142955e-01f); }
CUNA_INLINE double sin_rest(double z)
{
    return horner(z, -5.16771278004997, 2.5501640398773424, -0.5992645293203479, 0.08214588658203807,
                  -0.0073704299265599385, 0.0004662831785572776, -2.1719326176326634e-05);
}
CUNA_INLINE double cos_rest(double z)
{
    return horner(z, -4.934802200544679, 4.058712126416751, -1.3352627688521883, 0.23533063020160805,
                  -0.025806885879323924, 0.001929468173319117, -0.00010357788566394456);
}
CUNA_INLINE float pi_below(float) { return -8.742278e-08f; }
CUNA_INLINE double pi_below(double) { return 1.2246467991473532e-16; }

/* x, negated where bit 1 of `quarter` is set. */
template <class T> CUNA_INLINE T turned_half(T x, typename format<T>::bits quarter)
{
    typedef typename format<T>::bits bits;
    enum { SIGN = 8 * sizeof(T) - 1 };
    return from_bits(bits(bits_of(x) ^ (quarter << (SIGN - 1) & bits(1) << SIGN)));
}

/* sin(pi x) and cos(pi x) for |x| < 2^20. */
template <class T> CUNA_INLINE void sincospi(T x, T &sine, T &cosine)
{
    T magic = fma(x, T(2), format<T>::magic());
    T r = fma(magic - format<T>::magic(), T(-0.5), x), z = r * r;
    T s = fma(r, T(3.141592653589793), rounded(r * fma(z, sin_rest(z), pi_below(z))));
    T c = fma(z, cos_rest(z), T(1));
    auto quarter = bits_of(magic);
    bool turned = quarter & 1;
    sine = turned_half(choose(turned, c, s), quarter);
    cosine = turned_half(choose(turned, s, c), quarter + 1);
}

template <class T> CUNA_INLINE T tanpi(T x)
{
    T sine, cosine;
    sincospi(x, sine, cosine);
    return sine / cosine;
}

/* (atan(x)/x - 1) / x^2 of z = x^2 for |x| <= tan(pi/8). */
CUNA_INLINE float atan_rest(float z)
{
    return horner(z, -3.3333316e-01f, 1.999849e-01f, -1.4243849e-01f, 1.0596001e-01f, -6.083452e-02f);
}
CUNA_INLINE double atan_rest(double z)
{
    return horner(z, -0.33333333333333326, 0.19999999999997695, -0.1428571428539109, 0.1111111108837013,
                  -0.09090908151475838, 0.07692282915933364, -0.06666229082644409, 0.05877044596632755,
                  -0.0521855134016671, 0.045041477777114675, -0.03348840697292211, 0.015209342249763804);
}

/* Around 0, 1 and infinity: atan(x) = pi/4 + atan((x - 1) / (x + 1)) = pi/2 + atan(-1 / x). */
template <class T> CUNA_INLINE T atan(T x)
{
    T size = fabs(x);
    bool high = size > T(2.414213562373095), middle = size > T(0.41421356237309503);
    T above = high ? T(-1) : middle ? size - 1 : size, below = high ? size : middle ? size + 1 : T(1);
    T y = above / below, z = y * y;
    T start = high ? T(1.5707963267948966) : middle ? T(0.7853981633974483) : T(0);
    T start_below = pi_below(x) * (high ? T(0.5) : middle ? T(0.25) : T(0));
    T result = start + (fma(rounded(y * z), atan_rest(z), y) + start_below);
    return copysign(result, x);
}

/* ---- powers ---- */

/* A sum of two numbers, the second below the first one's last digit. */
template <class T> struct pair { T high, low; };

/* (atanh(s)/s - 1 - z/3) / z^2 of z = s^2 for s = (m - 1) / (m + 1); and parts of log(2) and 1/3. */
CUNA_INLINE float atanh_rest(float z) { return horner(z, 2.0000115e-01f, 1.4268424e-01f, 1.1844207e-01f); }
CUNA_INLINE double atanh_rest(double z)
{
    return horner(z, 0.19999999999999998, 0.14285714285717113, 0.11111111110050792, 0.09090909283087142,
                  0.07692288446802382, 0.06667787214358305, 0.05844683329991975, 0.059360468780218195);
}
CUNA_INLINE pair<float> log2_parts(float) { pair<float> p = {6.9313812256e-01f, 9.0580006145e-06f}; return p; }
CUNA_INLINE pair<double> log2_parts(double)
{
    pair<double> p = {6.93147180369123816490e-01, 1.90821492927058770002e-10};
    return p;
}
CUNA_INLINE float third_below(float) { return -9.934107e-09f; }
CUNA_INLINE double third_below(double) { return 1.850371707708594e-17; }

/* log(2^k m) in about twice the digits, of a normal number's parts: 2 atanh(s), where s, z = s^2 and the first term of
 * the series are pairs. */
template <class T> CUNA_INLINE pair<T> log_as_pair(T m, T k)
{
    const T f = m - 1, g = m + 1, g_low = m - (g - 1), s = quotient_of_middle(f, g);
    const T s_low = quotient_of_middle(fma(-s, g_low, fma(-s, g, f)), g);
    const T z = s * s, z_low = fma(s + s, s_low, fma(s, s, -z));
    const T third = T(0.3333333333333333), w = fma(z, atanh_rest(z), third_below(z));
    const T t = third + w, t_low = w - (t - third);
    const T v = z * t, v_low = fma(z, t, -v) + fma(z, t_low, rounded(z_low * t));
    const T p = s * v, p_low = fma(s, v, -p) + fma(s, v_low, rounded(s_low * v));
    const T h = s + p, h_low = (p - (h - s)) + (s_low + p_low);
    const pair<T> log2 = log2_parts(m);
    const T a = rounded(k * log2.high), sum = fma(T(2), h, a);
    const pair<T> result = {sum, fma(T(2), h, a - sum) + fma(k, log2.low, 2 * h_low)};
    return result;
}

/* x^y for x >= 0, NaN for x < 0. */
template <class T> CUNA_INLINE T pow(T x, T y)
{
    const T inf = limits<T>::infinity();
    bool tiny = x < limits<T>::min();
    T normal = choose(tiny, x * format<T>::lift(), x);
    auto k = exponent_of(normal);
    pair<T> base = log_as_pair(mantissa_of(normal, k), as_float<T>(k) - (tiny ? T(format<T>::LIFT) : T(0)));
    T whole = rounded(y * base.high), rest = fma(y, base.high, -whole) + rounded(y * base.low);
    T value = exp_of_sum(whole, fabs(rest) < 1 ? rest : T(0));
    T at_zero = choose(y > 0, T(0), choose(y < 0, inf, y)), at_infinity = choose(y > 0, inf, choose(y < 0, T(0), y));
    T edge = x == 0 ? at_zero : x > 0 ? at_infinity : x < 0 ? limits<T>::nan() : x;
    value = x > 0 && x < inf ? value : edge;
    value = x == 1 ? T(1) : value;
    return y == 0 ? T(1) : value;
}

/* ---- log of the gamma function ---- */

/* Stirling's series from 7 up; what is below is moved up by gamma(x + 1) = x gamma(x). */
CUNA_INLINE double lgamma(double x)
{
    double product = 1, y = x;
    for (int i = 0; i < 7; ++i) {
        bool below = y < 7;
        product = below ? product * y : product;
        y = below ? y + 1 : y;
    }
    double inverse = 1 / y, z = inverse * inverse;
    double series = horner(z, 8.333333333333333e-02, -2.777777777777778e-03, 7.936507936507937e-04,
                           -5.952380952380953e-04, 8.417508417508418e-04, -1.9175269175269176e-03,
                           6.410256410256410e-03, -2.955065359477124e-02, 1.7964437236883057e-01);
    double rest = fma(inverse, series, 0.4189385332046727); /* log(2 pi)/2 - 1/2 */
    double result = fma(y - 0.5, log(y) - 1, rest) - log(product);
    return x == limits<double>::infinity() ? x : result;
}
CUNA_INLINE float lgamma(float x) { return float(lgamma(double(x))); }

}
}
