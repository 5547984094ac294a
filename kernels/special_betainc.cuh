/* special_betainc.cuh: the incomplete beta function, its inverse and the distributions made of them.
 *
 * By a continued fraction on the side of x that is below the mean (A. R. DiDonato, A. H. Morris, Significant digit
 * computation of the incomplete beta function ratios, ACM Transactions on Mathematical Software 18, 1992; a
 * contraction of DLMF 8.17.22), near the mean of great a and b by an integral of the density over log(x / y), and where
 * b x is small by the power series (DLMF 8.17.7). x and y = 1 - x are given side by side, so that neither loses digits.
 * Where a is small and I nearly 1, 1 - I comes from log I, whose terms are all multiples of a. The inverse solves
 * log I = log p by Newton's method in log(x / y), of which log I is a concave function, between bounds; where a or b is
 * below 1, with log p and log I in twice the digits. */
namespace cuna {
namespace special {

/* Level m of the fraction: the numerator, and the term below that the next level joins. */
struct Level { double above, below; };

CUNA_INLINE Level level_of(double a, double b, double x, double gap, double m)
{
    const double base = a + 2 * m - 1, term = m * (b - m) * x / base;
    return Level{(a + m - 1) * (a + b + m - 1) * x * (term / base),
                 m + term + (a + m) * fma(m, 2 - x, gap) / (a + 2 * m + 1)};
}

/* I / (x^a y^b / beta(a, b)), a y >= b x, from below: Steed's method counts the levels, but gathers their roundings.
 * a y - b x cancels. */
CUNA_APART inline double beta_fraction(double a, double b, const Split &at)
{
    const double x = at.x, y = at.y, product = rounded(b * x), lost = fma(b, x, -product);
    const double gap = fma(a, y, -product) + (fma(a * y, at.lost_y, -rounded(product * at.lost_x)) - lost) + 1;
    const double first = a * gap / (a + 1);
    double d = 1 / first, part = d, sum = d, m = 1;
    for (; m < 20000; m += 1) {
        const Level level = level_of(a, b, x, gap, m);
        const double before = d;
        d = 1 / fma(level.above, d, level.below);
        part *= -level.above * before * d;
        sum += part;
        if (fabs(part) < 1e-17 * fabs(sum))
            break;
    }
    double rest = 0;
    for (; m > 0; m -= 1) {
        const Level level = level_of(a, b, x, gap, m);
        rest = level.above / (level.below + rest);
    }
    return 1 / (first + rest);
}

/* I / (x^a / (a beta(a, b))): the sum of (1 - b)_n x^n a / (n! (a + n)). */
CUNA_APART inline double beta_series(double a, double b, double x)
{
    double term = 1, sum = 1, lost = 0;
    for (double n = 1; n < 2000; n += 1) {
        term *= (n - b) / n * x;
        const double part = term * a / (a + n), more = sum + part;
        lost += part - (more - sum);
        sum = more;
        if (fabs(part) < 1e-18 * sum)
            break;
    }
    return sum + lost;
}

/* exp(v) - 1 - v of |v| < 1/2. */
CUNA_APART inline double exp_bend(double v)
{
    return v * v * own::horner(v, 0.5, 0.16666666666666666, 0.041666666666666664, 0.008333333333333333,
                               0.001388888888888889, 0.0001984126984126984, 2.48015873015873e-05,
                               2.7557319223985893e-06, 2.755731922398589e-07, 2.505210838544172e-08,
                               2.08767569878681e-09, 1.6059043836821613e-10, 1.1470745597729725e-11);
}

/* The density at the odds x exp(-v) / y over that at x / y: exp(-gap v - sum K), where K = log(y + x exp(-v)) + x v is
 * the lesser of x and y times e = expm1(v) - v, or -v, and what log1p has beyond the linear term. */
struct FallingDensity {
    double gap, sum, least, sign;
    CUNA_INLINE double operator()(double v) const
    {
        const double at = sign * v, bend = exp_bend(at);
        const double log = fma(least, bend, log1pmx(least * (at + bend)));
        return own::exp(-fma(gap, v, rounded(sum * log)));
    }
};

/* The same as beta_fraction, of great a and b: the integral of the density over the logarithm of the odds. */
CUNA_APART inline double beta_integral(double a, double b, const Split &at)
{
    const bool is_left = at.x <= at.y;
    const double gap = gap_to_mean(a, b, at).high, sum = a + b, bend = sum * at.x * at.y, depth = 42;
    const double length = 2 * depth / (gap + sqrt(fma(gap, gap, 2 * depth * bend)));
    return integral(FallingDensity{gap, sum, is_left ? at.x : at.y, is_left ? -1.0 : 1.0}, length);
}

/* Whether the fraction would have many levels: within three standard deviations of great numbers. */
CUNA_INLINE bool is_near_mean(double a, double b, const Split &at)
{
    const double gap = a * at.y - b * at.x;
    return a > 4000 && b > 4000 && rounded(gap * gap) < 9 * (a + b) * at.x * at.y;
}

/* I below the mean, a and b positive, x and y between 0 and 1. */
CUNA_INLINE double beta_side(double a, double b, const Split &at)
{
    if (b * at.x <= 1 && at.x <= 0.7)
        return beta_density(a, b, at, true) / a * beta_series(a, b, at.x);
    return beta_density(a, b, at) * (is_near_mean(a, b, at) ? beta_integral(a, b, at) : beta_fraction(a, b, at));
}

/* Adds log(gamma(x + m) / gamma(x)) of 0 < m < 1, to the last digits of m: by Stirling's formula from 16 on. */
CUNA_APART inline void add_gamma_step(Exponent &exponent, double x, double m)
{
    if (x < 1 && m > 0.001 * x) {
        double lost;
        const double sum = sum_of(x, m, lost);
        exponent.add_log(1, x);
        exponent.add_log(-1, sum);
        exponent.low -= lost / sum;
        x += 1;
    }
    for (; x < 16; x += 1)
        exponent.add(-own::log1p(m / x));
    const double middle = x + 0.5 * m, square = 1 / (middle * middle);
    const double slope = square * horner(square, 0.08333333333333333, -0.008333333333333333, 0.003968253968253968,
                                         -0.004166666666666667, 0.007575757575757576, -0.021092796092796094);
    const double third = horner(square, 0.5, -0.16666666666666666, 0.16666666666666666) / 24, fifth = 1.0 / 192;
    const double bend = m * m * square * square * fma(m * m * square, fifth, third);
    const double rest = m < 0.1 ? -m * (slope + bend) : stirling_rest(x + m) - stirling_rest(x);
    exponent.add_log(m, x + m);
    exponent.low += fma(x - 0.5, log1pmx(m / x), rest - 0.5 * m / x);
}

/* log I of small a, b x at most 1, by the power series. */
CUNA_APART inline Exponent log_beta_share(double a, double b, double x, double lost_x)
{
    double term = 1, sum = 0;
    for (double n = 1; n < 2000; n += 1) {
        term *= (n - b) / n * x;
        const double part = term / (a + n);
        sum += part;
        if (fabs(part) <= 1e-18 * fabs(sum))
            break;
    }
    Exponent share;
    share.add_log(a, x);
    add_gamma_step(share, b, a);
    share.low += fma(a, lost_x, own::log1p(a * sum) - log_gamma_beyond_1(a));
    return share;
}

/* Whether I comes from log_beta_share, whose terms cancel little here. */
CUNA_INLINE bool has_small_share(double a, double b, double x)
{
    return (a < 0.25) & (x <= 0.7) & (b * x <= 0.25) & (a < 1e300 * b);
}

CUNA_INLINE Split swapped(const Split &at) { return Split{at.y, at.x, at.lost_y, at.lost_x}; }

/* I and 1 - I. */
CUNA_APART inline Parts beta_parts(double a, double b, const Split &at)
{
    const double nan = limits<double>::nan(), inf = limits<double>::infinity(), x = at.x, y = at.y;
    if (!(a >= 0 && b >= 0 && x >= 0 && y >= 0) || (a == 0 && b == 0) || (a == inf && b == inf))
        return Parts{nan, nan};
    if (x == 0 || b == 0 || a == inf)
        return x == 0 && a == 0 ? Parts{nan, nan} : y == 0 && b == 0 ? Parts{nan, nan}
             : y == 0 ? Parts{1, 0} : Parts{0, 1};
    if (y == 0 || a == 0 || b == inf)
        return Parts{1, 0};
    if (a == b && x == y)
        return Parts{0.5, 0.5};
    const bool is_of_a = has_small_share(a, b, x);
    if (is_of_a || has_small_share(b, a, y)) {
        const Exponent log = is_of_a ? log_beta_share(a, b, x, at.lost_x) : log_beta_share(b, a, y, at.lost_y);
        const double most = log.exp(), rest = most > 0.5 ? -own::expm1(log.value()) : 1 - most;
        return is_of_a ? Parts{most, rest} : Parts{rest, most};
    }
    if (a * y >= b * x) {
        const double lower = beta_side(a, b, at);
        return Parts{lower, 1 - lower};
    }
    const double upper = beta_side(b, a, swapped(at));
    return Parts{1 - upper, upper};
}

/* x and 1 - x. */
CUNA_INLINE Split split_at(double x)
{
    const double y = 1 - x;
    return Split{x, y, 0, y > 0 ? ((1 - y) - x) / y : 0.0};
}

/* part / (part + other) and its complement; part + lost is exact. */
CUNA_APART inline Split split_by(double part, double lost, double other)
{
    double lost_sum;
    const double sum = sum_of(part, other, lost_sum), x = part / sum, y = other / sum;
    lost_sum += lost;
    const double rest_x = fma(-x, sum, part) + fma(-x, lost_sum, lost), rest_y = fma(-y, sum, other) - y * lost_sum;
    return Split{x, y, part > 0 ? rest_x / part : 0.0, other > 0 ? rest_y / other : 0.0};
}

/* Two numbers of which the lesser one counts, and the other one is 1 less that. */
CUNA_INLINE Split split_beside(double x, double y)
{
    return Split{x, y, x > y ? ((1 - x) - y) / x : 0.0, x > y ? 0.0 : ((1 - y) - x) / y};
}

CUNA_INLINE Parts beta_parts_of(double a, double b, double x) { return beta_parts(a, b, split_at(x)); }

CUNA_INLINE double betainc(double a, double b, double x) { return beta_parts_of(a, b, x).lower; }
CUNA_INLINE double betaincc(double a, double b, double x) { return beta_parts_of(a, b, x).upper; }
CUNA_INLINE float betainc(float a, float b, float x) { return float(betainc(double(a), double(b), double(x))); }
CUNA_INLINE float betaincc(float a, float b, float x) { return float(betaincc(double(a), double(b), double(x))); }

/* The exact share of an inverse: of small a its log is a multiple of a. */
CUNA_INLINE bool has_power_gap(double a, double b, double x) { return (a < 1) & (x <= 0.7) & (b * x <= 1); }

/* log(I / (p + lost)) where has_power_gap; `share` is I. */
CUNA_APART inline double beta_power_gap(double a, double b, double x, double p, double lost, double &share)
{
    Exponent gap = log_beta_share(a, b, x, 0);
    share = own::exp(gap.value());
    gap.add_log(-1, p);
    gap.low -= lost / p;
    return gap.value();
}

/* The step in log(x / y) to I = p.lower, 1 - I = p.upper; by the greater one where its log, whose errors are multiples
 * of b, determines x / y better. */
CUNA_APART inline double beta_step(double a, double b, double x, double y, Parts p, double &slope)
{
    double share, gap;
    if (has_power_gap(a, b, x)) {
        gap = -beta_power_gap(a, b, x, p.lower, 0, share);
    } else if (has_power_gap(b, a, y) && b * p.upper < 2 * p.lower) {
        gap = beta_power_gap(b, a, y, p.upper, (1 - p.upper) - p.lower, share);
    } else {
        share = beta_parts(a, b, split_beside(x, y)).lower;
        gap = -own::log(share / p.lower);
    }
    slope = beta_density(a, b, split_beside(x, y)) / share;
    return share > 0 ? gap / slope : limits<double>::infinity(); /* below where I is 0 in double */
}

/* The x with I = p.lower, and 1 - x, p.lower at most 1/2 about. */
CUNA_APART inline Parts beta_solution(double a, double b, Parts p)
{
    double x = a / (a + b), y = b / (a + b), low = 0, high = limits<double>::infinity();
    const double log_beta = betaln(a, b); /* the first terms of the series on both sides give: */
    const double near_0 = own::exp((own::log(p.lower) + own::log(a) + log_beta) / a);
    const double near_1 = own::exp((own::log(p.upper) + own::log(b) + log_beta) / b);
    if (near_0 < 0.5 * x || (b < 1 && near_1 < 0.5 * y)) {
        const bool is_0 = near_0 < 0.5 * x;
        x = is_0 ? near_0 : 1 - near_1;
        y = is_0 ? 1 - near_0 : near_1;
    }
    for (int i = 0; i < 200 && x > 0 && y > 0; ++i) {
        double slope;
        const double ratio = x / y, step = beta_step(a, b, x, y, p, slope);
        low = step > 0 ? ratio : low;
        high = step < 0 ? ratio : high;
        const double growth = own::exp(step), moved = ratio * growth;
        if (moved > low && moved < high) {
            const double sum = fma(x, growth, y);
            x = x * growth / sum;
            y = y / sum;
        } else if (!(fabs(step) < 1e-15)) {
            const double middle = between(low, high);
            x = middle / (1 + middle);
            y = 1 / (1 + middle);
        }
        if (step * step * (1 + slope) < 1e-17) /* the next step would be below the last digit */
            break;
    }
    return Parts{x, y};
}

/* The x with I = lower, and 1 - x; lower + upper = 1. */
CUNA_APART inline Parts beta_inverse(double a, double b, double lower, double upper)
{
    const double nan = limits<double>::nan(), inf = limits<double>::infinity();
    if (!(a > 0 && b > 0 && a < inf && b < inf && lower >= 0 && upper >= 0))
        return Parts{nan, nan};
    if (lower == 0 || upper == 0)
        return lower == 0 ? Parts{0, 1} : Parts{1, 0};
    if (lower <= upper)
        return beta_solution(a, b, Parts{lower, upper});
    const Parts other = beta_solution(b, a, Parts{upper, lower});
    return Parts{other.upper, other.lower};
}

CUNA_INLINE double betaincinv(double a, double b, double p) { return beta_inverse(a, b, p, 1 - p).lower; }
CUNA_INLINE double betainccinv(double a, double b, double p) { return beta_inverse(a, b, 1 - p, p).lower; }
CUNA_INLINE float betaincinv(float a, float b, float p) { return float(betaincinv(double(a), double(b), double(p))); }
CUNA_INLINE float betainccinv(float a, float b, float p) { return float(betainccinv(double(a), double(b), double(p))); }

/* ---- distributions: beta, binomial, negative binomial, F, Student's t ---- */

template <class T> CUNA_INLINE T btdtr(T a, T b, T x) { return betainc(a, b, x); }
template <class T> CUNA_INLINE T btdtri(T a, T b, T p) { return betaincinv(a, b, p); }

/* I of the successes that k + 1 to n are, and what stands for it at the ends. */
CUNA_APART inline Parts binomial_parts(double k, double n, double p)
{
    const double nan = limits<double>::nan(), whole = floor(k);
    if (!(p >= 0 && p <= 1) || k != k || n != n || whole > n || !is_whole(n) || n == limits<double>::infinity())
        return Parts{nan, nan};
    if (whole < 0)
        return Parts{1, nan};
    if (whole == n)
        return Parts{0, 1};
    return beta_parts_of(whole + 1, n - whole, p);
}

template <class T> CUNA_INLINE T bdtr(T k, T n, T p) { return T(binomial_parts(k, n, p).upper); }
template <class T> CUNA_INLINE T bdtrc(T k, T n, T p) { return T(binomial_parts(k, n, p).lower); }
template <class T> CUNA_INLINE T bdtri(T k, T n, T y)
{
    const double whole = floor(double(k));
    return whole < 0 || whole >= n ? limits<T>::nan() : T(beta_inverse(whole + 1, n - whole, 1 - double(y), y).lower);
}

template <class T> CUNA_INLINE T nbdtr(T k, T n, T p)
{
    return k < 0 || n <= 0 ? limits<T>::nan() : T(betainc(double(n), floor(double(k)) + 1, double(p)));
}
template <class T> CUNA_INLINE T nbdtrc(T k, T n, T p)
{
    return k < 0 || n <= 0 ? limits<T>::nan() : T(betaincc(double(n), floor(double(k)) + 1, double(p)));
}
template <class T> CUNA_INLINE T nbdtri(T k, T n, T y)
{
    return k < 0 || n <= 0 ? limits<T>::nan() : T(betaincinv(double(n), floor(double(k)) + 1, double(y)));
}

CUNA_APART inline Parts f_parts(double m, double n, double x)
{
    const double nan = limits<double>::nan(), product = rounded(m * x);
    if (!(m > 0 && n > 0 && x >= 0))
        return Parts{nan, nan};
    if (x == limits<double>::infinity())
        return Parts{1, 0};
    return beta_parts(0.5 * m, 0.5 * n, split_by(product, fma(m, x, -product), n));
}

template <class T> CUNA_INLINE T fdtr(T m, T n, T x) { return T(f_parts(m, n, x).lower); }
template <class T> CUNA_INLINE T fdtrc(T m, T n, T x) { return T(f_parts(m, n, x).upper); }
template <class T> CUNA_APART inline T fdtri(T m, T n, T p)
{
    if (p <= 0)
        return limits<T>::nan();
    const Parts parts = beta_inverse(0.5 * m, 0.5 * n, p, 1 - double(p));
    return T(double(n) / double(m) * (parts.lower / parts.upper));
}

/* The probability beyond |t|. */
CUNA_APART inline double student_tail(double df, double t)
{
    const double square = rounded(t * t);
    return df == limits<double>::infinity() ? ndtr(-fabs(t))
         : square == limits<double>::infinity() ? 0.0
         : 0.5 * beta_parts(0.5, 0.5 * df, split_by(square, fma(t, t, -square), df)).upper;
}

template <class T> CUNA_INLINE T stdtr(T df, T t)
{
    const double tail = student_tail(df, t);
    return !(df > 0) || t != t ? limits<T>::nan() : T(t > 0 ? 1 - tail : t == 0 ? 0.5 : tail);
}

template <class T> CUNA_APART inline T stdtrit(T df, T p)
{
    const double rest = p > T(0.5) ? 1 - double(p) : double(p);
    if (!(df > 0 && rest >= 0))
        return limits<T>::nan();
    if (df == limits<T>::infinity())
        return ndtri(p);
    const Parts parts = beta_inverse(0.5 * df, 0.5, 2 * rest, 1 - 2 * rest);
    const double size = sqrt(double(df)) * sqrt(parts.upper) / sqrt(parts.lower);
    return T(p > T(0.5) ? size : -size);
}

}
}
