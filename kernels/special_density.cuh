/* special_density.cuh: the densities that the incomplete gamma and beta functions are multiples of.
 *
 * Their logarithms are small where their parts a log(x) and log(gamma(a)) are great, and those cancel. They are computed
 * in twice the digits, because the density loses as many last digits as its logarithm has. Great numbers, beyond 171 for
 * the gamma function and from 8 on for the beta function, are taken around the mean (C. Loader, Fast and accurate
 * computation of binomial probabilities, 2000): Stirling's formula leaves a (log(1 + u) - u) with u = (x - a) / a, of the
 * beta function one such part of each side, and all parts have one sign. */
namespace cuna {
namespace special {

typedef own::pair<double> Pair;

/* A pair over a number. */
CUNA_INLINE Pair divided(const Pair &a, double b)
{
    const double high = a.high / b;
    return Pair{high, (fma(-high, b, a.high) + a.low) / b};
}

/* log(1 + u) - u of -0.29 < u < 0.41: with s = u / (2 + u), 2 atanh(s) = log(1 + u) and u = 2 s + s u. */
CUNA_APART inline Pair log1pmx_near(const Pair &u)
{
    const double below = 2 + u.high, below_low = (u.high - (below - 2)) + u.low, s = u.high / below;
    const double s_low = (fma(-s, below, u.high) + fma(-s, below_low, u.low)) / below;
    const double z = s * s, z_low = fma(s + s, s_low, fma(s, s, -z)), third = 0.3333333333333333;
    const double w = fma(z, own::atanh_rest(z), own::third_below(z)), t = third + w, t_low = w - (t - third);
    const double v = z * t, v_low = fma(z, t, -v) + fma(z, t_low, rounded(z_low * t));
    const double p = 2 * (s * v), p_low = 2 * (fma(s, v, -0.5 * p) + fma(s, v_low, rounded(s_low * v)));
    const double less = s * u.high, less_low = fma(s, u.high, -less) + fma(s, u.low, rounded(s_low * u.high));
    const double high = p - less;
    return Pair{high, (p - (high + less)) + (p_low - less_low)};
}

/* Adds a (log(1 + u) - u), where a u = offset and 1 + u = ratio, a >= 8. */
CUNA_APART inline void add_log1pmx(Exponent &exponent, double a, const Pair &offset, const Pair &ratio)
{
    if (ratio.high > 0.71 && ratio.high < 1.41) {
        const Pair part = log1pmx_near(divided(offset, a));
        exponent.add_product(a, part.high);
        exponent.low += rounded(a * part.low);
        return;
    }
    if (!(ratio.high > 1e-300)) { /* to a power of 8 or more */
        exponent.add(-1e4);
        return;
    }
    exponent.add_log(a, ratio.high);
    exponent.add(-offset.high);
    exponent.low += fma(a, ratio.low / ratio.high, -offset.low);
}

/* What remains of a log(x) - x - log(gamma(a)) beside log(a / (2 pi)) / 2, a >= 8. */
CUNA_APART inline Exponent gamma_exponent(double a, double x)
{
    double lost;
    const double offset = sum_of(x, -a, lost);
    Exponent exponent;
    add_log1pmx(exponent, a, Pair{offset, lost}, divided(Pair{x, 0}, a));
    return exponent;
}

/* x^a exp(-x) / gamma(a), a and x positive and finite. */
CUNA_APART inline double gamma_density(double a, double x)
{
    if (a >= 171) {
        Exponent exponent = gamma_exponent(a, x);
        exponent.low -= stirling_rest(a);
        return exponent.exp() * sqrt(a * 0.15915494309189535);
    }
    Exponent exponent;
    const double product = add_growth(exponent, a, -1);
    exponent.add_log(a, x);
    exponent.add(-x);
    return exponent.exp() * product;
}

/* Two numbers whose sum is 1, and what their roundings lost, as parts of them. */
struct Split { double x, y, lost_x, lost_y; };

/* a y - b x, which cancels around the mean. */
CUNA_APART inline Pair gap_to_mean(double a, double b, const Split &at)
{
    const double above = a * at.y, below = b * at.x;
    double lost;
    const double gap = sum_of(above, -below, lost);
    const double above_low = fma(a, at.y, -above), below_low = fma(b, at.x, -below);
    const double low = lost + (fma(above, at.lost_y, above_low) - fma(below, at.lost_x, below_low));
    Pair normal;
    normal.high = sum_of(gap, low, normal.low);
    return normal;
}

/* x over its mean a / sum. */
CUNA_INLINE Pair over_mean(double x, double lost_x, double a, const Pair &sum)
{
    const Pair inverse = divided(sum, a);
    const double high = x * inverse.high;
    return Pair{high, fma(x, inverse.high, -high) + fma(x, inverse.low, rounded(high * lost_x))};
}

/* x^a y^b / beta(a, b), a and b positive and finite; without y^b, which is near 1 then, if `is_of_x`. */
CUNA_APART inline double beta_density(double a, double b, const Split &at, bool is_of_x = false)
{
    const double least = a < b ? a : b, most = a < b ? b : a;
    Pair sum;
    sum.high = sum_of(a, b, sum.low);
    Exponent exponent;
    double factor;
    if (least >= 8) {
        const Pair gap = gap_to_mean(a, b, at);
        add_log1pmx(exponent, a, Pair{-gap.high, -gap.low}, over_mean(at.x, at.lost_x, a, sum));
        add_log1pmx(exponent, b, gap, over_mean(at.y, at.lost_y, b, sum));
        exponent.low += stirling_rest(sum.high) - stirling_rest(a) - stirling_rest(b);
        if (is_of_x)
            exponent.low -= rounded(b * own::log1p(-at.x));
        return exponent.exp() * sqrt(least * (most / sum.high) * 0.15915494309189535);
    }
    if (most >= 64) {
        const double of_beta = add_beta(exponent, most, least);
        exponent.high = -exponent.high;
        exponent.low = -exponent.low;
        factor = 1 / of_beta;
    } else {
        const double of_a = add_growth(exponent, a, -1), of_b = add_growth(exponent, b, -1);
        factor = of_a / add_growth(exponent, sum.high, 1) * of_b;
        exponent.low += sum.low * own::log(sum.high < 1 ? 1.0 : sum.high);
    }
    exponent.add_log(a, at.x);
    exponent.low += rounded(a * at.lost_x);
    if (!is_of_x) {
        exponent.add_log(b, at.y);
        exponent.low += rounded(b * at.lost_y);
    }
    return exponent.exp() * factor;
}

}
}
