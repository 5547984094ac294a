/* special_incomplete.cuh: the incomplete gamma function and its inverses.
 *
 * P and Q = 1 - P: by the power series (DLMF 8.7.1) for x below a, by the continued fraction (DLMF 8.9.2)
 * above, and for great a near x by Temme's uniform expansion (DLMF 8.12; N. M. Temme, The asymptotic expansion
 * of the incomplete gamma functions, SIAM Journal on Mathematical Analysis 10, 1979). Loops end when a term changes
 * nothing. Inverses solve log P = log p by Newton's method for log x: log P and log Q are concave in it, so every
 * start leads to the solution. */
namespace cuna {
namespace special {

/* A probability and its complement. */
struct Parts { double lower, upper; };

/* The sum of x^n a! / (a + n)!. */
CUNA_APART inline double gamma_series(double a, double x)
{
    double term = 1, sum = 1, lost = 0;
    for (double n = 1; n < 20000; n += 1) {
        term *= quotient_of_middle(x, a + n);
        const double more = sum + term;
        lost += term - (more - sum);
        sum = more;
        if (term < 1e-17 * sum)
            break;
    }
    return sum + lost;
}

/* Q / (x^a exp(-x) / gamma(a)), x > a, x > 0.7: from below, because the roundings of levels gather from above. */
CUNA_APART inline double gamma_fraction(double a, double x)
{
    const double more = a > 0.5 * x ? 2.7 * sqrt(a) : 0.0, first = x + 1 - a;
    double rest = 0;
    for (double i = floor(12 + 100 / x + (more < 22 ? more : 22.0)); i > 0; i -= 1)
        rest = quotient_of_middle(i * (a - i), fma(2, i, first) + rest);
    return 1 / (first + rest);
}

/* log(gamma(1 + a)) of 0 < a < 1. */
CUNA_INLINE double log_gamma_beyond_1(double a)
{
    return a < 0.5 ? fma(a, log_gamma_near_2(a), -own::log1p(a)) : (a - 1) * log_gamma_near_2(a - 1);
}

/* The sum of (-x)^n / (n! (a + n)) over n from 1 on: P = x^a / gamma(1 + a) (1 + a sum), DLMF 8.7.3. */
CUNA_APART inline double gamma_power_sum(double a, double x)
{
    double term = 1, sum = 0;
    for (double n = 1; n < 60; n += 1) {
        term *= -x / n;
        const double part = term / (a + n);
        sum += part;
        if (fabs(part) < 1e-18 * fabs(sum))
            break;
    }
    return sum;
}

/* Q of x <= 0.75 and small a. */
CUNA_INLINE double gamma_upper_series(double a, double x)
{
    const double exponent = fma(a, own::log(x), -log_gamma_beyond_1(a));
    return -own::expm1(exponent) - rounded(a * own::exp(exponent) * gamma_power_sum(a, x));
}

/* The series of Temme's expansion in 1 / a: each coefficient is a series in eta. */
CUNA_APART inline double temme_sum(double eta, double inverse)
{
    const double c0 = horner(eta, -0.3333333333333333, 0.08333333333333333, -0.014814814814814815,
                             0.0011574074074074073, 0.0003527336860670194, -0.0001787551440329218,
                             3.919263178522438e-05, -2.185448510679992e-06, -1.85406221071516e-06,
                             8.296711340953087e-07, -1.7665952736826078e-07, 6.707853543401498e-09,
                             1.0261809784240309e-08, -4.382036018453353e-09, 9.14769958223679e-10,
                             -2.5514193994946248e-11, -5.830772132550426e-11);
    const double c1 = horner(eta, -0.001851851851851852, -0.003472222222222222, 0.0026455026455026454,
                             -0.0009902263374485596, 0.00020576131687242798, -4.018775720164609e-07,
                             -1.8098550334489977e-05, 7.64916091608111e-06, -1.6120900894563446e-06,
                             4.647127802807434e-09, 1.378633446915721e-07, -5.752545603517705e-08,
                             1.1951628599778148e-08);
    const double c2 = horner(eta, 0.004133597883597883, -0.0026813271604938273, 0.0007716049382716049,
                             2.0093878600823047e-06, -0.0001073665322636516, 5.2923448829120125e-05,
                             -1.2760635188618728e-05, 3.423578734096138e-08, 1.3721957309062934e-06,
                             -6.298992138380055e-07, 1.4280614206064242e-07);
    const double c3 = horner(eta, 0.0006494341563786008, 0.00022947209362139917, -0.0004691894943952557,
                             0.00026772063206283885, -7.561801671883977e-05, -2.396505113867297e-07,
                             1.1082654115347302e-05, -5.6749528269915965e-06, 1.4230900732435883e-06);
    const double c4 = horner(eta, -0.0008618882909167117, 0.0007840392217200666, -0.0002990724803031902,
                             -1.4638452578843418e-06, 6.641498215465122e-05, -3.968365047179435e-05,
                             1.1375726970678419e-05);
    const double c5 = horner(eta, -0.00033679855336635813, -6.972813758365857e-05, 0.0002772753244959392,
                             -0.00019932570516188847, 6.797780477937208e-05);
    const double c6 = horner(eta, 0.0005313079364639922, -0.0005921664373536939, 0.0002708782096718045);
    const double c7 = horner(eta, 0.00034436760689237765, 5.171790908260592e-05, -0.00033493161081142234,
                             0.0002812695154763237);
    return horner(inverse, c0, c1, c2, c3, c4, c5, c6, c7, -0.0006526239185953094);
}

/* P and Q of a >= 64 and |x - a| < 0.3 a. */
CUNA_APART inline Parts gamma_uniform(double a, double x)
{
    const double mu = (x - a) / a;
    const Exponent exponent = gamma_exponent(a, x);
    const double half = -exponent.value(), size = sqrt(2 / a * half), eta = mu < 0 ? -size : size;
    const double bell = exponent.exp();
    const double near = 0.5 * bell * erfcx_of_size(sqrt(half));
    const double rest = bell * temme_sum(eta, 1 / a) / sqrt(6.283185307179586 * a);
    const double side = mu < 0 ? near - rest : near + rest;
    return mu < 0 ? Parts{side, 1 - side} : Parts{1 - side, side};
}

/* Whether P is computed, and not Q: where it is the lesser one, and if its last digits are all that is asked for, as far
 * as its series is short. */
CUNA_INLINE bool is_of_lower(double a, double x, bool needs_upper)
{
    return needs_upper ? x <= 0.75 || (x > 1.1 ? x <= a : a >= 0.9 * x) : x <= 4 || x <= a;
}

/* P and Q where neither is 0 or 1 by the sizes of a and x alone. */
CUNA_APART inline Parts gamma_parts(double a, double x, bool needs_upper)
{
    if (a >= 64 && fabs(x - a) < 0.3 * a)
        return gamma_uniform(a, x);
    if (needs_upper && x <= 0.75 && (x <= 0.5 ? a <= -0.4 / own::log(x) : a < 0.9 * x)) {
        const double upper = gamma_upper_series(a, x);
        return Parts{1 - upper, upper};
    }
    const double density = gamma_density(a, x);
    if (is_of_lower(a, x, needs_upper)) {
        const double lower = density / a * gamma_series(a, x);
        return Parts{lower, 1 - lower};
    }
    const double upper = density * gamma_fraction(a, x);
    return Parts{1 - upper, upper};
}

CUNA_APART inline Parts gamma_parts_or_edge(double a, double x, bool needs_upper = true)
{
    const double inf = limits<double>::infinity(), nan = limits<double>::nan();
    if (!(a >= 0 && x >= 0) || (a == 0 && x == 0) || (a == inf && x == inf))
        return Parts{nan, nan};
    if (a == 0 || x == inf)
        return Parts{1, 0};
    if (x == 0 || a == inf)
        return Parts{0, 1};
    return gamma_parts(a, x, needs_upper);
}

CUNA_INLINE double gammainc(double a, double x)
{
    return gamma_parts_or_edge(a, x, a < 1e-20).lower; /* of so little a P is 1 - Q, and its density has few digits */
}
CUNA_INLINE float gammainc(float a, float x) { return float(gammainc(double(a), double(x))); }

CUNA_INLINE double gammaincc(double a, double x) { return gamma_parts_or_edge(a, x).upper; }
CUNA_INLINE float gammaincc(float a, float x) { return float(gammaincc(double(a), double(x))); }

/* About the x with P = p.lower: by Wilson's and Hilferty's cube root, or for little a by the first term of the
 * series. */
CUNA_APART inline double gamma_guess(double a, Parts p, bool is_upper)
{
    const double z = is_upper ? -ndtri(p.upper) : ndtri(p.lower), ninth = 1 / (9 * a);
    const double root = 1 - ninth + z * sqrt(ninth);
    const double power = own::exp((own::log(p.lower) + gammaln(a + 1)) / a);
    if (is_upper ? a < 1 && power < 0.7 : a < 1 || root < 0.3)
        return power;
    return a < 1 ? 1 + a - own::log(p.upper) : a * root * root * root;
}

/* A guess between the bounds of a search. */
CUNA_INLINE double between(double low, double high)
{
    return low > 0 ? (high < limits<double>::infinity() ? sqrt(low) * sqrt(high) : 16 * low) : high / 16;
}

/* log(P / (p + lost)) of x and a below 1, to the last digits of a, and its derivative for log x. */
CUNA_APART inline double gamma_power_gap(double a, double x, double p, double lost, double &slope)
{
    const double part = a * gamma_power_sum(a, x);
    Exponent gap;
    gap.add_log(a, x);
    gap.add_log(-1, p);
    gap.low += own::log1p(part) - log_gamma_beyond_1(a) - lost / p;
    slope = a * own::exp(-x) / (1 + part);
    return gap.value();
}

/* The x with P = p.lower and Q = p.upper, by the lesser one of them, or by P where x is ill-conditioned. */
CUNA_APART inline double gamma_solution(double a, Parts p)
{
    const bool is_upper = p.upper <= p.lower;
    const double least = is_upper ? p.upper : p.lower;
    double x = gamma_guess(a, p, is_upper), low = 0, high = limits<double>::infinity();
    for (int i = 0; i < 200 && x > 0 && x < limits<double>::infinity(); ++i) {
        double gap, slope, value = 1;
        if (a < 1 && x < 0.75) {
            gap = -gamma_power_gap(a, x, p.lower, (1 - p.lower) - p.upper, slope);
        } else {
            value = is_upper ? gammaincc(a, x) : gammainc(a, x);
            gap = is_upper ? own::log(value / least) : -own::log(value / least);
            slope = gamma_density(a, x) / value;
        }
        const double step = gap / slope;
        low = step > 0 || (is_upper && step != step && value > 0) ? x : low;
        high = step < 0 || value == 0 ? x : high;
        const double moved = x * own::exp(step);
        x = moved > low && moved < high ? moved : fabs(step) < 1e-15 ? x : between(low, high);
        if (step * step * (1 + slope) < 1e-17) /* the next step would be below the last digit */
            break;
    }
    return x;
}

CUNA_APART inline double gamma_inverse(double a, double lower, double upper)
{
    if (!(a > 0 && a < limits<double>::infinity() && lower >= 0 && upper >= 0))
        return limits<double>::nan();
    if (lower == 0)
        return 0;
    if (upper == 0)
        return limits<double>::infinity();
    return gamma_solution(a, Parts{lower, upper});
}

CUNA_INLINE double gammaincinv(double a, double p) { return gamma_inverse(a, p, 1 - p); }
CUNA_INLINE float gammaincinv(float a, float p) { return float(gammaincinv(double(a), double(p))); }
CUNA_INLINE double gammainccinv(double a, double q) { return gamma_inverse(a, 1 - q, q); }
CUNA_INLINE float gammainccinv(float a, float q) { return float(gammainccinv(double(a), double(q))); }

/* ---- distributions made of it: chi square, gamma, Poisson ---- */

template <class T> CUNA_INLINE T chdtr(T v, T x) { return T(gammainc(0.5 * v, 0.5 * x)); }
template <class T> CUNA_INLINE T chdtrc(T v, T x)
{
    return x < 0 && v == v ? T(1) : T(gammaincc(0.5 * v, 0.5 * x));
}
template <class T> CUNA_INLINE T chdtri(T v, T q) { return T(2 * gammainccinv(0.5 * v, double(q))); }

/* What P(b, x) is more at a x than at its double. */
CUNA_APART inline double gamma_slip(double a, double b, double x)
{
    const double at = a * x, lost = fma(a, x, -at), inf = limits<double>::infinity();
    return lost != 0 && at > 0 && at < inf && b > 0 && b < inf ? lost / at * gamma_density(b, at) : 0.0;
}

template <class T> CUNA_INLINE T gdtr(T a, T b, T x)
{
    return T(gammainc(double(b), double(a) * double(x)) + gamma_slip(a, b, x));
}
template <class T> CUNA_INLINE T gdtrc(T a, T b, T x)
{
    return T(gammaincc(double(b), double(a) * double(x)) - gamma_slip(a, b, x));
}
template <class T> CUNA_INLINE T gdtrix(T a, T b, T p) { return T(gammaincinv(double(b), double(p)) / double(a)); }
template <class T> CUNA_INLINE T gdtria(T p, T b, T x) { return T(gammaincinv(double(b), double(p)) / double(x)); }

template <class T> CUNA_INLINE T pdtr(T k, T m)
{
    return k < 0 || m < 0 || k != k ? limits<T>::nan() : T(gammaincc(floor(double(k)) + 1, double(m)));
}
template <class T> CUNA_INLINE T pdtrc(T k, T m)
{
    return k < 0 || m < 0 || k != k ? limits<T>::nan() : T(gammainc(floor(double(k)) + 1, double(m)));
}
template <class T> CUNA_INLINE T pdtri(T k, T y)
{
    return k < 0 || y < 0 || y >= 1 || k != k ? limits<T>::nan() : T(gammainccinv(floor(double(k)) + 1, double(y)));
}

}
}
