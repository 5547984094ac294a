/* special_beta.cuh: zeta functions by Euler's and Maclaurin's summation (DLMF 25.11), the beta function, and ratios of
 * gamma functions, whose great parts cancel as exponents in twice the digits. */
namespace cuna {
namespace special {

/* ---- zeta ---- */

/* The sum of (q + k)^-s from k = n on, at = q + n: the integral, half a term and twelve Bernoulli numbers. */
CUNA_APART inline double zeta_tail(double s, double at, double power)
{
    const double coefficients[] = {0.08333333333333333, -0.001388888888888889, 3.306878306878307e-05,
                                   -8.267195767195768e-07, 2.08767569878681e-08, -5.284190138687493e-10,
                                   1.3382536530684679e-11, -3.3896802963225827e-13, 8.586062056277845e-15,
                                   -2.174868698558062e-16, 5.5090028283602295e-18, -1.3954464685812522e-19};
    double sum = power * at / (s - 1) + 0.5 * power, factor = s * power / at;
    for (int k = 0; k < 12; ++k) {
        sum += rounded(coefficients[k] * factor);
        factor *= (s + (2 * k + 1)) / at * ((s + (2 * k + 2)) / at);
    }
    return sum;
}

/* base^-s with the sign of a negative base to a whole power. */
CUNA_INLINE double inverse_power(double base, double s)
{
    const double size = own::pow(fabs(base), -s);
    return base < 0 && is_odd(s) ? -size : size;
}

/* Hurwitz' zeta function; also of s < 1, where the summation continues it, for q > 0. */
CUNA_APART inline double hurwitz_sum(double s, double q)
{
    double sum = 0, at = q;
    for (int i = 0; i < 10 || at <= 10; ++i, at += 1) {
        const double term = inverse_power(at, s);
        sum += term;
        if (fabs(term) < 1e-18 * fabs(sum) && s > 1 && at > 0)
            return sum;
    }
    return sum + zeta_tail(s, at, own::pow(at, -s));
}

CUNA_APART inline double zeta(double s, double q)
{
    if (s != s || q != q || s < 1)
        return limits<double>::nan();
    if (s == 1 || is_pole(q))
        return limits<double>::infinity();
    if (q < 0 && !is_whole(s))
        return limits<double>::nan();
    if (q > 1e8) /* two terms are all */
        return (1 / (s - 1) + 1 / (2 * q)) * own::pow(q, 1 - s);
    return hurwitz_sum(s, q);
}
CUNA_INLINE float zeta(float s, float q) { return float(zeta(double(s), double(q))); }

/* Riemann's zeta function of s < 0, by reflection (DLMF 25.4.1); what 1 - s loses counts. */
CUNA_APART inline double zeta_mirrored(double s)
{
    const double up = 1 - s, lost = (1 - up) - s;
    Exponent exponent;
    exponent.add_log(-up, 6.283185307179586);
    const double product = add_gamma(exponent, up);
    exponent.low += fma(lost, digamma_of_size(up) - 1.8378770664093453, -3.8981718325193755e-17 * up);
    return 2 * sinpi(0.5 * s) * exponent.exp() / product * (1 + hurwitz_sum(up, 2));
}

/* zeta(s) + 1 / (1 - s) of 0 <= s < 1. */
CUNA_INLINE double zeta_middle(double s)
{
    return horner(s, 0.5, 0.08106146679532726, -0.003178227954292808, -0.0007851944770353019, 0.00012070049936079522,
                  -1.940895937383866e-06, -1.301147374661403e-06, 1.686189848495116e-07, -5.769506354265469e-09,
                  -9.062532159437133e-10, 1.4688791593767316e-10, -8.628240918078406e-12);
}

/* The sum from `first` on, 1 or 2: all of Riemann's zeta function, or what it has beyond 1. */
CUNA_APART inline double riemann_sum(double s, int first)
{
    if (s != s || s == -limits<double>::infinity())
        return limits<double>::nan();
    if (s == 1 || s > 1100)
        return s == 1 ? limits<double>::infinity() : 2 - first;
    if (s >= 0)
        return s > 1 ? hurwitz_sum(s, first) : zeta_middle(s) - (first - 1) - 1 / (1 - s);
    return (is_whole(s * 0.5) ? 0.0 : zeta_mirrored(s)) - (first - 1);
}

template <class T> CUNA_INLINE T riemann_zeta(T s) { return T(riemann_sum(s, 1)); }
template <class T> CUNA_INLINE T zetac(T s) { return T(riemann_sum(s, 2)); }

/* The derivative of this order of digamma (DLMF 25.11.12); NaN unless the order is whole and not negative. */
CUNA_APART inline double polygamma(double order, double x)
{
    if (!(order >= 0) || !is_whole(order))
        return limits<double>::nan();
    if (order == 0)
        return called::digamma(x);
    const double size = called::gamma(order + 1) * zeta(order + 1, x);
    return is_odd(order) ? size : -size;
}
CUNA_INLINE float polygamma(float order, float x) { return float(polygamma(double(order), double(x))); }

/* ---- beta ---- */

/* a + b, and what its rounding lost. */
CUNA_INLINE double sum_of(double a, double b, double &lost)
{
    const double sum = a + b, back = sum - a;
    lost = (a - (sum - back)) + (b - back);
    return sum;
}

/* What log(gamma(x) / gamma(x + m)) is, x great: by Stirling's formula at both; if m^2 < x the greatest parts are taken
 * away before they are computed. */
CUNA_APART inline void add_ratio(Exponent &exponent, double x, double m)
{
    double lost;
    const double top = sum_of(x, m, lost);
    if (m * m < x) {
        exponent.add_log(-m, top);
        exponent.low += fma(-(x - 0.5), log1pmx(m / x), 0.5 * m / x);
    } else {
        exponent.add_log(x - 0.5, x);
        exponent.add_log(-(top - 0.5), top);
        exponent.add(m);
        exponent.low -= lost * (own::log(top) + 1);
    }
    exponent.low += stirling_rest(x) - stirling_rest(top);
}

/* About digamma(x), x > 0: how much a digit counts that x has lost. */
CUNA_INLINE double slope_of_gamma(double x)
{
    return double(own::log(float(at_most_great(x)) + 0.5f)) - 1 / x;
}

/* beta(a, b) = exp(exponent) * the result, a >= b > 0. */
CUNA_APART inline double add_beta(Exponent &exponent, double a, double b)
{
    double lost;
    const double sum = sum_of(a, b, lost);
    if (sum < 171) {
        const double of_a = add_growth(exponent, a, 1), of_b = add_growth(exponent, b, 1);
        const double of_sum = add_growth(exponent, sum, -1);
        exponent.low -= lost * slope_of_gamma(sum);
        return of_sum / of_a / of_b;
    }
    const double of_b = add_gamma(exponent, b);
    add_ratio(exponent, a, b);
    return 1 / of_b;
}

CUNA_INLINE double beta_of_size(double a, double b)
{
    Exponent exponent;
    const double factor = add_beta(exponent, a < b ? b : a, a < b ? a : b);
    return factor * exponent.exp();
}

/* gamma(a) gamma(b) / gamma(c + lost), by logarithms where one of them is beyond the range of double. */
CUNA_APART inline double product_of_gammas(double a, double b, double c, double lost)
{
    const double value = called::gamma(a) * called::gamma(b) * called::rgamma(c), size = fabs(value);
    if (is_pole(c))
        return 0;
    if (size > 1e-290 && size < limits<double>::infinity())
        return lost == 0 ? value : fma(value, -lost * called::digamma(c), value);
    const double logarithm = called::gammaln(a) + called::gammaln(b) - called::gammaln(c);
    return gammasgn(a) * gammasgn(b) * gammasgn(c) * own::exp(logarithm);
}

/* Of numbers that are not positive: by gamma functions, and where a is a pole, by reflection. */
CUNA_APART inline double beta_mirrored(double a, double b)
{
    double lost;
    const double c = sum_of(a, b, lost);
    if (is_pole(b) && !(is_pole(a) && a < b)) {
        const double swapped = a;
        a = b;
        b = swapped;
    }
    if (!is_pole(a))
        return product_of_gammas(a, b, c, lost);
    if (!is_whole(b) || b < 0 || 1 - c <= 0)
        return limits<double>::infinity();
    const double value = beta_of_size(1 - c, b);
    return is_odd(b) ? -value : value;
}

CUNA_APART inline double beta(double a, double b)
{
    if (a != a || b != b)
        return a + b;
    if (!(a > 0 && b > 0))
        return beta_mirrored(a, b);
    if (a + b == limits<double>::infinity())
        return 0;
    if (a < 1e-290 || b < 1e-290)
        return 1 / a + 1 / b;
    return beta_of_size(a, b);
}
CUNA_INLINE float beta(float a, float b) { return float(beta(double(a), double(b))); }

CUNA_APART inline double betaln(double a, double b)
{
    if (!(a > 0 && b > 0) || a + b == limits<double>::infinity())
        return own::log(fabs(beta(a, b)));
    if (a < 1e-290 || b < 1e-290)
        return own::log(1 / a + 1 / b);
    Exponent exponent;
    const double factor = add_beta(exponent, a < b ? b : a, a < b ? a : b);
    exponent.add_log(1, factor);
    return exponent.value();
}
CUNA_INLINE float betaln(float a, float b) { return float(betaln(double(a), double(b))); }

/* ---- ratios of gamma functions ---- */

/* gamma(x + m) / gamma(x), neither of them at a pole. */
CUNA_APART inline double gamma_ratio(double x, double m)
{
    if (x >= 8 && x + m >= 8) {
        Exponent exponent;
        add_ratio(exponent, x, m);
        exponent.high = -exponent.high;
        exponent.low = -exponent.low;
        return exponent.exp();
    }
    double lost;
    const double top = sum_of(x, m, lost), value = product_of_gammas(top, 1, x, 0);
    return lost == 0 ? value : fma(value, lost * called::digamma(top), value);
}

/* x (x + 1) ... (x + m - 1), of any m gamma(x + m) / gamma(x). */
CUNA_APART inline double poch(double x, double m)
{
    const double top = x + m;
    double product = 1;
    if (x != x || m != m)
        return x + m;
    if (is_pole(top) && !is_pole(x) && m != 0)
        return limits<double>::infinity();
    if (is_whole(m) && fabs(m) <= 30) {
        for (int i = 0; i < int(m); ++i)
            product *= x + i;
        for (int i = -1; i >= int(m); --i)
            product /= x + i;
        return product;
    }
    if (is_pole(x))
        return is_pole(top) ? (is_odd(m) ? -1.0 : 1.0) * gamma_ratio(1 - top, m) : 0.0;
    return gamma_ratio(x, m);
}
CUNA_INLINE float poch(float x, float m) { return float(poch(double(x), double(m))); }

/* The product (n - k + 1) / 1 ... n / k of few factors, which is exact while it is a small whole number. */
CUNA_APART inline double binom_of_few(double n, int k)
{
    double above = 1, below = 1;
    for (int i = 1; i <= k; ++i) {
        above *= n - (k - i);
        below *= i;
        if (fabs(above) > 1e50) {
            above /= below;
            below = 1;
        }
    }
    return above / below;
}

/* gamma(n + 1) / gamma(k + 1) / gamma(n - k + 1), by the beta function where all of them are positive. */
CUNA_APART inline double binom(double n, double k)
{
    if (n != n || k != k || is_pole(n + 1))
        return n != n || k != k ? n + k : limits<double>::nan();
    const bool is_lower = is_whole(n) && is_whole(k) && k > 0.5 * n && n > 0;
    const double few = is_lower ? n - k : k;
    if (is_whole(few) && (few < 30 || (is_whole(n) && n >= 0 && k > n)))
        return few < 0 || (few > n && is_whole(n) && n >= 0) ? 0.0 : binom_of_few(n, int(few));
    double lost, lost_again, lost_k;
    const double gap = sum_of(n, -k, lost), low = sum_of(gap, 1, lost_again), next = sum_of(k, 1, lost_k);
    if (low > 0.5 && next > 0.5) {
        const double whole = slope_of_gamma(n + 2), of_low = whole - slope_of_gamma(low);
        const double more = fma(lost + lost_again, of_low, rounded(lost_k * (whole - slope_of_gamma(next))));
        const double value = 1 / (n + 1) / beta(low, next);
        return value < limits<double>::infinity() ? fma(value, more, value) : value;
    }
    if (low >= 8)
        return gamma_ratio(low, k) * called::rgamma(k + 1);
    return product_of_gammas(n + 1, 1, low, lost + lost_again) * called::rgamma(k + 1);
}
CUNA_INLINE float binom(float n, float k) { return float(binom(double(n), double(k))); }

/* ---- counts: 0 where there is nothing to count ---- */

template <class T> CUNA_INLINE T comb(T n, T k)
{
    return n != n || k != k ? n + k : k >= 0 && k <= n ? binom(n, k) : T(0);
}
CUNA_INLINE double perm(double n, double k)
{
    return n != n || k != k ? n + k : k >= 0 && k <= n ? poch(n - k + 1, k) : 0.0;
}
CUNA_INLINE float perm(float n, float k) { return float(perm(double(n), double(k))); }
CUNA_INLINE double factorial(double n) { return n < 0 ? 0.0 : gamma(n + 1); }
CUNA_INLINE float factorial(float n) { return float(factorial(double(n))); }

}
}
