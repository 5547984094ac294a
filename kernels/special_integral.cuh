/* special_integral.cuh: sine and cosine, and the exponential, trigonometric and hyperbolic integrals.
 *
 * Small arguments by power series (DLMF 6.6, 8.19.8), great ones by continued fractions (DLMF 8.19.17) and asymptotic
 * series (DLMF 6.12); Ei and Ci around their zeros by polynomials; Si and Ci from 4 on by their auxiliary
 * functions (DLMF 6.2), Chebyshev interpolants in (x - 8) / (x + 8). */
namespace cuna {
namespace special {

/* sin(x) and cos(x): x less k pi/2, in three parts of pi/2, is within a quarter of a turn; |x| < 2^50. */
CUNA_INLINE void sincos(double x, double &sine, double &cosine)
{
    const double k = rint(x * 0.6366197723675814);
    double rest = fma(-k, 1.5707963267948966, x);
    rest = fma(-k, 6.123233995736766e-17, rest);
    rest = fma(-k, -1.4973849048591833e-33, rest);
    double s, c;
    own::sincospi(rest * 0.3183098861837907, s, c);
    const double turn = k - 4 * rint(k * 0.25);
    const bool is_odd_turn = turn == 1 || turn == -1;
    const double a = choose(is_odd_turn, c, s), b = choose(is_odd_turn, s, c);
    sine = turn == 1 || turn == 0 ? a : -a;
    cosine = turn == -1 || turn == 0 ? b : -b;
}

CUNA_INLINE double cosm1(double x)
{
    double sine, cosine;
    sincos(0.5 * x, sine, cosine);
    return fabs(x) < 1e15 ? 0.0 - 2 * sine * sine : limits<double>::nan();
}
CUNA_INLINE float cosm1(float x) { return float(cosm1(double(x))); }

/* ---- exponential integrals ---- */

/* E_n of 0 < x <= 1, n a whole number from 1 on. */
CUNA_APART inline double expn_series(double n, double x)
{
    const double last = n - 1, log = own::log(x), gamma = 0.5772156649015329;
    double sum = last == 0 ? -log - gamma : 1 / last, term = 1;
    for (double k = 1; k < 200; k += 1) {
        term *= -x / k;
        const double part = k == last ? term * (digamma(n) - log) : -term / (k - last);
        sum += part;
        if (fabs(part) < 1e-18 * fabs(sum) && k > last)
            break;
    }
    return sum;
}

CUNA_INLINE double expn(double order, double x)
{
    const double n = trunc(order);
    if (!(n >= 0 && x >= 0) || n == limits<double>::infinity())
        return limits<double>::nan();
    if (x == 0)
        return n < 2 ? limits<double>::infinity() : 1 / (n - 1);
    if (x > 800)
        return 0;
    if (n == 0)
        return own::exp(-x) / x;
    return x <= 1 && n < 100 ? expn_series(n, x) : own::exp(-x) * gamma_fraction(1 - n, x);
}
CUNA_INLINE float expn(float n, float x) { return float(expn(double(n), double(x))); }

/* The sum of x^k / (k k!) over all k, over the odd or over the even ones, all of x > 0. What powers and the sum lose is
 * kept, because it gathers. */
CUNA_APART inline double integral_series(double x, int first, int step)
{
    const double square = x * x, square_low = fma(x, x, -square);
    const double factor = step == 1 ? x : square, factor_low = step == 1 ? 0.0 : square_low;
    double power = first == 1 ? x : 0.5 * square, low = first == 1 ? 0.0 : 0.5 * square_low, sum = 0, lost = 0;
    for (double k = first; k < 300; k += step) {
        const double part = power / k, more = sum + part;
        lost += (part < sum ? part - (more - sum) : sum - (more - part)) + low / k;
        sum = more;
        if (part < 1e-18 * sum)
            break;
        const double divisor = step == 1 ? k + 1 : (k + 1) * (k + 2), inverse = 1 / divisor, product = power * factor;
        const double rest = fma(power, factor, -product) + fma(power, factor_low, low * factor);
        power = product * inverse;
        low = (fma(-power, divisor, product) + rest) * inverse;
    }
    return sum + lost;
}

/* x exp(-x) Ei(x) of x >= 40: the sum of k! / x^k, from below. */
CUNA_APART inline double expi_asymptotic(double x)
{
    const double inverse = 1 / x;
    double sum = 1;
    for (double k = x < 80 ? 39 : 18; k > 0; k -= 1) sum = fma(k * inverse, sum, 1);
    return sum;
}

/* Ei of x around its zero, up to 1.5. */
CUNA_INLINE double expi_middle(double x)
{
    const double d = (x - 0.3725074107813666) - 1.3140183414386028e-17;
    const double rest = horner(d, 1.2117053830864597, 0.3216900454331978, 0.07364911783692578,
                                  0.014058457874600673, 0.0022764039044730917, 0.00031888587137344793,
                                  3.929945812172136e-05, 4.320007751271732e-06, 4.283879846022818e-07,
                                  3.868207682523232e-08, 3.205354177901719e-09, 2.464905629118735e-10,
                                  1.643135153220349e-11, 1.6253580912558168e-12);
    return fma(d, rest, own::log1p(d / 0.3725074107813666));
}

CUNA_INLINE double expi_of_size(double x)
{
    if (x < 0.1)
        return 0.5772156649015329 + own::log(x) + integral_series(x, 1, 1);
    if (x < 1.5)
        return expi_middle(x);
    if (x < 40)
        return 0.5772156649015329 + own::log(x) + integral_series(x, 1, 1);
    return x > 720 ? limits<double>::infinity() : own::exp(x - 32) / x * expi_asymptotic(x) * 78962960182680.69;
}

CUNA_INLINE double exp1(double x)
{
    return expn(1, x);
}
CUNA_INLINE float exp1(float x) { return float(exp1(double(x))); }

CUNA_INLINE double expi(double x)
{
    return x == 0 ? -limits<double>::infinity() : x != x ? x : x < 0 ? -expn(1, -x) : expi_of_size(x);
}
CUNA_INLINE float expi(float x) { return float(expi(double(x))); }

/* ---- sine and cosine integrals ---- */

CUNA_INLINE double sici_f(double v)
{
    return horner(v, 0.9729943077879409, 0.09514446244174415, -0.14981524068297097, 0.15469946286966615,
                   -0.1294872265166928, 0.09800832572028448, -0.07211743143257324, 0.05337038205829461,
                   -0.04005869798789478, 0.030554030404508273, -0.02369628828372197, 0.01867081727893034,
                   -0.014928571477666954, 0.012095020287315475, -0.009904856760886468, 0.008191545955836542,
                   -0.006900505970093803, 0.0060006518999108725, -0.005278589626449478, 0.004339329503203455,
                   -0.0030042874103268064, 0.0015941698393316973, -0.0005918675771305858, 0.00013532577965216482,
                   -1.4268100211268513e-05);
}

CUNA_INLINE double sici_g(double v)
{
    return horner(v, 0.9254220765670682, 0.24495970312470494, -0.3342922037660219, 0.2638586752219755,
                   -0.14245884660693872, 0.05538616701103795, -0.01389294863771531, -0.0027471334451509544,
                   0.009244349312161173, -0.011198683569650057, 0.011108907549032836, -0.010251901735545573,
                   0.009150894473889044, -0.008034334970322975, 0.0069934766671162435, -0.006065700103526372,
                   0.00531436916789446, -0.004780940086679275, 0.004322912404518998, -0.003622956812814204,
                   0.0025390688921613463, -0.001357495451873739, 0.0005064445630824301, -0.00011617807673929982,
                   1.2278308335313706e-05);
}

/* Si(x), or Ci(x) - gamma - log(x), of 0 <= x < 4: the sum of (-1)^j x^k / (k k!) over odd or even k. */
CUNA_APART inline double sici_series(double x, int first)
{
    double power = first == 1 ? x : -0.5 * x * x, sum = 0;
    for (double k = first; k < 60; k += 2) {
        const double part = power / k;
        sum += part;
        if (fabs(part) < 1e-18 * fabs(sum))
            break;
        power *= -x / (k + 1) * (x / (k + 2));
    }
    return sum;
}

/* Ci(x) of 0.3 <= x < 4: around a zero, log(x / zero) and a polynomial in d = x - zero that has the factor d. */
CUNA_INLINE double cosine_middle(double x)
{
    const bool is_low = x < 1.9;
    const double zero = is_low ? 0.6165054856207163 : 3.3841804225511862;
    const double d = (x - zero) - (is_low ? -4.209920321433186e-17 : 1.972125462363411e-16);
    const double low = horner(d, -0.29861223529546926, -0.22674191867837337, 0.02461826049418107, 0.009127981753681928,
                              -0.0008161907570834585, -0.00019931573215617785, 1.4527620848392536e-05,
                              2.6411763883067726e-06, -1.6106892007297371e-07, -2.331034163172647e-08,
                              1.2183554727509488e-09, 1.4635454893869568e-10, -6.622221897907771e-12,
                              -7.280223521690517e-13, 4.254650565764821e-14);
    const double high = horner(d, -0.5823329012317381, 0.12152843887126832, 0.023866233856876008, -0.008246797744481447,
                               -0.0004408428775758882, 0.0002071407292782237, 4.448314678634425e-06,
                               -2.910601071688029e-06, -2.5956646678197538e-08, 2.6463680984368975e-08,
                               7.697503499704509e-11, -1.6906643608372348e-10, 8.517250567309924e-14,
                               8.453590661730473e-13, 1.6951607335132517e-14);
    return fma(d, is_low ? low : high, own::log1p(d / zero));
}

struct Waves { double sine, cosine; }; /* Si and Ci, or Shi and Chi */

CUNA_APART inline Waves sici_of_size(double x)
{
    const double pi_half = 1.5707963267948966;
    if (x < 4)
        return Waves{sici_series(x, 1), x < 0.3 ? 0.5772156649015329 + (own::log(x) + sici_series(x, 2))
                                                : cosine_middle(x)};
    if (x > 1e15)
        return Waves{pi_half, 0};
    const double v = (x - 8) / (x + 8), f = sici_f(v) / x, g = sici_g(v) / x / x;
    double sine, cosine;
    sincos(x, sine, cosine);
    return Waves{pi_half - fma(f, cosine, rounded(g * sine)), fma(f, sine, -rounded(g * cosine))};
}

CUNA_INLINE double sici_sine(double x)
{
    const double size = sici_of_size(fabs(x)).sine;
    return x != x ? x : x < 0 ? -size : size;
}
CUNA_INLINE double sici_cosine(double x)
{
    if (x != x || x == -limits<double>::infinity())
        return limits<double>::nan();
    return x == 0 ? -limits<double>::infinity() : sici_of_size(fabs(x)).cosine;
}
CUNA_INLINE float sici_sine(float x) { return float(sici_sine(double(x))); }
CUNA_INLINE float sici_cosine(float x) { return float(sici_cosine(double(x))); }

/* ---- hyperbolic sine and cosine integrals ---- */

CUNA_INLINE double shichi_sine(double x)
{
    const double size = fabs(x), value = size < 40 ? integral_series(size, 1, 2) : 0.5 * expi_of_size(size);
    return x != x ? x : x < 0 ? -value : value;
}
CUNA_INLINE double shichi_cosine(double x)
{
    if (x == 0 || x != x)
        return x == 0 ? -limits<double>::infinity() : x;
    return fabs(x) < 40 ? 0.5772156649015329 + (own::log(fabs(x)) + integral_series(fabs(x), 2, 2))
                        : 0.5 * expi_of_size(fabs(x));
}
CUNA_INLINE float shichi_sine(float x) { return float(shichi_sine(double(x))); }
CUNA_INLINE float shichi_cosine(float x) { return float(shichi_cosine(double(x))); }

}
}
