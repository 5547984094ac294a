/* special_normal.cuh: rarer functions of the normal distribution, and the distribution of Tukey's lambda. */
namespace cuna {
namespace special {

/* ---- Owen's T: the integral of exp(-h^2 (1 + x^2) / 2) / (1 + x^2) / (2 pi) from 0 to a ---- */

struct OwenFactor {
    double half_square;
    CUNA_INLINE double operator()(double x) const
    {
        const double square = rounded(x * x);
        return own::exp(-half_square * square) / (1 + square);
    }
};

/* Of h >= 0 and 0 <= a <= 1. */
CUNA_APART inline double owen_near(double h, double a)
{
    if (!(h < 40))
        return h == h ? 0.0 : h;
    const double length = a * h > 9.2 ? 9.2 / h : a;
    return exp_of_square(h, -0.5) * 0.15915494309189535 * integral(OwenFactor{0.5 * h * h}, length);
}

/* Of h >= 0 and a > 1: by T(a h, 1 / a), and what both are together. */
CUNA_APART inline double owen_far(double h, double a)
{
    const double up = h == 0 ? 0.0 : a * h, other = owen_near(up, 1 / a);
    if (h <= 0.67)
        return 0.25 * fma(-erf(0.7071067811865476 * h), erf(0.7071067811865476 * up), 1.0) - other;
    const double tail = normal_tail(h), tail_up = normal_tail(up);
    return fma(-tail, tail_up, 0.5 * (tail + tail_up)) - other;
}

CUNA_APART inline double owens_t(double h, double a)
{
    if (h != h || a != a)
        return limits<double>::nan();
    const double size = fabs(a) <= 1 ? owen_near(fabs(h), fabs(a)) : owen_far(fabs(h), fabs(a));
    return a < 0 ? -size : size;
}
CUNA_INLINE float owens_t(float h, float a) { return float(owens_t(double(h), double(a))); }

/* ---- the inverse of log_ndtr ---- */

/* Of y below -5: by Newton's method, log_ndtr(x) = -x^2/2 + log(erfcx(-x / sqrt(2)) / 2). */
CUNA_APART inline double normal_of_log(double y)
{
    const double start = -2 * y, near = start - own::log(start) - 1.8378770664093453;
    double x = -sqrt(near > 5 ? near : 5.0);
    for (int i = 0; i < 6; ++i) {
        const double scaled = erfcx_of_size(-0.7071067811865476 * x);
        const double gap = fma(-0.5 * x, x, -y) + own::log(0.5 * scaled), step = gap * scaled * 1.2533141373155001;
        x -= step;
        if (fabs(step) < 1e-9 * -x)
            break;
    }
    return x;
}

CUNA_APART inline double ndtri_exp(double y)
{
    const double inf = limits<double>::infinity();
    if (!(y <= 0))
        return limits<double>::nan();
    if (y == -inf)
        return y;
    return y > -0.5 ? -ndtri(-own::expm1(y)) : y > -5 ? ndtri(own::exp(y)) : normal_of_log(y);
}
CUNA_INLINE float ndtri_exp(float y) { return float(ndtri_exp(double(y))); }

/* ---- Tukey's lambda: the p with (p^lambda - (1 - p)^lambda) / lambda = x ---- */

/* At log odds w <= 0 of p: -x or 1 + lambda x, and its derivative. */
struct TukeyPoint { double value, slope; };

CUNA_APART inline TukeyPoint tukey_at(double lambda, double w, bool is_edge)
{
    const double e = own::exp(w), log_q = -own::log1p(e), log_p = w + log_q;
    const double p_power = own::exp(lambda * log_p), q_power = own::exp(lambda * log_q);
    const double slope = fma(p_power, own::exp(log_q), rounded(own::exp(log_p) * q_power));
    if (is_edge)
        return TukeyPoint{p_power - own::expm1(lambda * log_q), lambda * slope};
    const double bend = fabs(lambda) < 1e-300 ? w : own::expm1(lambda * w) / lambda;
    return TukeyPoint{-q_power * bend, -slope};
}

/* p of x = -size < 0, by Newton's method for w; near the end of the distribution for 1 + lambda x. */
CUNA_APART inline double tukey_tail(double size, double lambda)
{
    const double rest = fma(-lambda, size, 1.0), first = -size * own::pow(2.0, lambda);
    const bool is_edge = lambda > 0 && rest < 0.5;
    if (lambda > 0 && rest <= 0)
        return 0;
    const double wanted = is_edge ? rest : size;
    double low = -800, high = 0, w = first > -1 ? first : -1.0, step = 0;
    for (int i = 0; i < 200; ++i) {
        const TukeyPoint at = tukey_at(lambda, w, is_edge);
        const bool is_low = is_edge ? at.value < wanted : at.value > wanted;
        low = is_low ? w : low;
        high = is_low ? high : w;
        step = w > -1 && !is_edge ? (wanted - at.value) / at.slope
                                  : own::log(wanted / at.value) * (at.value / at.slope);
        const bool is_near = fabs(step) < 1e-9 * (w > -1 ? -w : 1.0);
        if (is_near || !(high - low > 1e-16 * -low))
            break;
        const double moved = w + step;
        step = 0;
        w = moved > low && moved < high ? moved : 0.5 * (low + high);
    }
    const double odds = own::exp_of_sum(w, fabs(step) < 1e-9 ? step : 0.0);
    return odds / (1 + odds);
}

CUNA_APART inline double tklmbda(double x, double lambda)
{
    if (x != x || lambda != lambda)
        return limits<double>::nan();
    if (x == 0)
        return 0.5;
    if (isinf(x) || isinf(lambda))
        return isinf(x) || lambda > 0 ? (x > 0 ? 1.0 : 0.0) : 0.5;
    const double tail = tukey_tail(fabs(x), lambda);
    return x > 0 ? 1 - tail : tail;
}
CUNA_INLINE float tklmbda(float x, float lambda) { return float(tklmbda(double(x), double(lambda))); }

}
}
