/* special_hypergeometric.cuh: hypergeometric functions 0F1, 1F1 and 2F1 of real numbers (DLMF 13.2, 15.2).
 *
 * Power series in twice the digits, after transformations to where few of these cancel: Kummer's of 1F1, Pfaff's of 2F1 at
 * negative x, that to 1 - x near 1 (DLMF 15.8.4), where the poles of its gamma functions are passed on both sides; far
 * out Bessel functions and asymptotic series. A sum remembers its greatest term: where more than it has digits for
 * has cancelled, the result is NaN. Both dtypes are computed so. */
namespace cuna {
namespace hypergeometric {
using namespace special;

/* A sum, and the greatest of its terms: what it lost to them. */
struct Sum {
    twofold value;
    double most;
    CUNA_INLINE bool is_exact() const { return most < 1e17 * fabs(value.high); }
};

CUNA_INLINE Sum nothing() { return Sum{twofold(limits<double>::nan()), limits<double>::infinity()}; }

/* The sum of (a)_k (b)_k / (c)_k x^k / k!, without a or b where `count` says so. */
CUNA_APART inline Sum series(twofold a, twofold b, twofold c, twofold x, int count)
{
    const double low = a.high < b.high ? a.high : b.high, from = -(low < c.high ? low : c.high);
    twofold sum(1), term(1);
    double most = 1;
    for (double k = 0; k < 50000; k += 1) {
        if ((count > 0 && (a + k).high == 0) || (count > 1 && (b + k).high == 0))
            return Sum{sum, most};
        twofold ratio = x / (twofold(k + 1) * (c + k));
        if (count > 0)
            ratio = ratio * (a + k);
        if (count > 1)
            ratio = ratio * (b + k);
        term = term * ratio;
        sum = sum + term;
        const double size = fabs(term.high);
        most = size > most ? size : most;
        if (size == 0 || !(size < 1e300) || (k > from && fabs(ratio.high) < 1 && size < 1e-34 * most))
            return size < 1e300 ? Sum{sum, most} : nothing();
    }
    return nothing();
}

/* 1 / gamma(z), as factor exp(exponent): 0 at the poles. */
struct Part { twofold factor, exponent; };

CUNA_APART inline Part over_gamma(twofold z)
{
    if (z.high > 0) {
        const Gamma<twofold> gamma = gamma_parts(z);
        return Part{gamma.product, -gamma.exponent};
    }
    const Gamma<twofold> gamma = gamma_parts(twofold(1) - z); /* by reflection: 1 / gamma(1 - z) */
    const double whole = rint(z.high);
    const twofold angle = pi<twofold>() * (z - twofold(whole));
    const twofold sine = angle_of(angle).sine;
    return Part{(is_odd(whole) ? -sine : sine) / (pi<twofold>() * gamma.product), gamma.exponent};
}

/* gamma(a) gamma(b) / (gamma(c) gamma(d)) exp(more). */
CUNA_APART inline twofold gammas(twofold a, twofold b, twofold c, twofold d, twofold more)
{
    const Part p = over_gamma(a), q = over_gamma(b), r = over_gamma(c), s = over_gamma(d);
    if (r.factor.high == 0 || s.factor.high == 0)
        return twofold(0);
    return r.factor * s.factor / (p.factor * q.factor) * special::exp(r.exponent + s.exponent - p.exponent - q.exponent + more);
}

CUNA_INLINE bool is_end(twofold a) { return a.low == 0 && a.high <= 0 && a.high == rint(a.high); }

/* ---- 0F1 ---- */

/* Of great negative x: gamma(b) |x|^((1 - b) / 2) J of b - 1 at 2 sqrt(|x|), which is moved by what its rounding lost. */
CUNA_INLINE double by_bessel(double b, double x)
{
    const twofold at = times(special::sqrt(twofold(-x)), 2);
    const double v = b - 1, j = bessel::jv(v, at.high), slope = bessel::jv(v - 1, at.high) - v / at.high * j;
    return special::gamma(b) * own::pow(0.5 * at.high, 1 - b) * fma(at.low, slope, j);
}

template <class T> CUNA_APART inline T hyp0f1(T parameter, T argument)
{
    const double b = parameter, x = argument;
    if (b != b || x != x || is_end(b) || isinf(b) || isinf(x))
        return isinf(b) && b > 0 && fabs(x) < limits<double>::infinity() ? T(1) : limits<T>::nan();
    if (x < -250)
        return T(by_bessel(b, x));
    const Sum sum = series(0, 0, b, x, 0);
    return sum.is_exact() ? T(value(sum.value)) : x > 0 ? limits<T>::infinity() : limits<T>::nan();
}

/* ---- 1F1 ---- */

/* a = -n: Laguerre's recurrence, which ascends. */
CUNA_APART inline double kummer_polynomial(double n, double b, double x)
{
    twofold before(1), now = twofold(1) - twofold(x) / twofold(b);
    for (double k = 1; k < n; k += 1) {
        const twofold next = ((twofold(2 * k) + twofold(b) - twofold(x)) * now - twofold(k) * before) / (twofold(k) + twofold(b));
        before = now;
        now = next;
    }
    return value(n == 0 ? before : now);
}

/* The sum of (a)_s (b)_s / s! z^s until its terms grow. */
CUNA_APART inline Sum diverging(twofold a, twofold b, twofold z)
{
    twofold sum(1), term(1);
    double most = 1;
    for (double k = 0; k < 500; k += 1) {
        const twofold next = term * (a + k) * (b + k) * z / twofold(k + 1);
        const double size = fabs(next.high);
        if (size > fabs(term.high) && k > 2 && k > -a.high && k > -b.high)
            break;
        term = next;
        sum = sum + term;
        most = size > most ? size : most;
        if (size < 1e-20 * fabs(sum.high))
            return Sum{sum, most};
    }
    return fabs(term.high) < 1e-16 * fabs(sum.high) ? Sum{sum, most} : nothing();
}

/* Of x < 0 or a < 0, far out: the greater one of the two solutions (DLMF 13.7.2). */
CUNA_APART inline Sum kummer_far(double a, double b, double x)
{
    const twofold gap = twofold(b) - twofold(a), log = special::log(twofold(fabs(x)));
    const Sum sum = x < 0 ? diverging(a, twofold(a) - twofold(b) + 1, twofold(-1) / twofold(x))
                          : diverging(twofold(1) - twofold(a), gap, twofold(1) / twofold(x));
    const twofold exponent = x < 0 ? -(log * twofold(a)) : twofold(x) - log * gap;
    return Sum{sum.value * gammas(b, 1, x < 0 ? gap : twofold(a), 1, exponent), 0};
}

CUNA_APART inline double kummer(double a, double b, double x)
{
    const double nan = limits<double>::nan();
    if (is_end(a) && (!is_end(b) || a >= b))
        return a > -1e6 ? kummer_polynomial(-a, b, x) : nan;
    if (is_end(b))
        return limits<double>::infinity();
    const Sum direct = x > -60 || b < 0 ? series(a, 0, b, x, 1) : nothing();
    if (direct.is_exact())
        return value(direct.value);
    const Sum turned = x < 60 ? series(twofold(b) - twofold(a), 0, b, -twofold(x), 1) : nothing();
    if (turned.is_exact())
        return value_times_exp(turned.value, twofold(x));
    if (x > 700 && a > 0 && b > 0)
        return limits<double>::infinity();
    return fabs(x) > 20 ? value(kummer_far(a, b, x).value) : nan;
}

template <class T> CUNA_INLINE T hyp1f1(T a, T b, T x)
{
    return isinf(a) || isinf(b) || isinf(x) || a != a || b != b || x != x ? limits<T>::nan() : T(kummer(a, b, x));
}

/* ---- 2F1 ---- */

/* By powers of y = 1 - x, where c - a - b is not a whole number. */
CUNA_APART inline Sum gauss_beside_1(twofold a, twofold b, twofold c, twofold y)
{
    const twofold s = c - a - b;
    const Sum first = series(a, b, twofold(1) - s, y, 2), second = series(c - a, c - b, s + 1, y, 2);
    const twofold p = gammas(c, s, c - a, c - b, 0) * first.value;
    const twofold q = gammas(c, -s, a, b, s * special::log(y)) * second.value, sum = p + q;
    return Sum{sum, fabs(p.high) > fabs(q.high) ? fabs(p.high) : fabs(q.high)};
}

/* The same of any: around a pole, half of what is on both sides. */
CUNA_APART inline Sum gauss_near_1(twofold a, twofold b, twofold c, twofold y)
{
    const twofold s = c - a - b;
    const double gap = fabs((s - twofold(rint(s.high))).high);
    if (gap > 1e-8)
        return gauss_beside_1(a, b, c, y);
    const double step = 1e-9;
    const Sum up = gauss_beside_1(a + step, b, c, y), down = gauss_beside_1(a - step, b, c, y);
    return Sum{times(up.value + down.value, 0.5), up.most};
}

/* Of 0 <= x < 1 where y = 1 - x. */
CUNA_APART inline Sum gauss_inside(twofold a, twofold b, twofold c, twofold x, twofold y)
{
    if (x.high <= 0.75 || is_end(a) || is_end(b))
        return series(a, b, c, x, 2);
    const Sum near = gauss_near_1(a, b, c, y);
    return near.is_exact() && near.most < 1e14 * fabs(near.value.high) ? near : series(a, b, c, x, 2);
}

/* gamma(c) gamma(c - a - b) / (gamma(c - a) gamma(c - b)), the value at 1. */
CUNA_APART inline double gauss_at_1(double a, double b, double c)
{
    const twofold s = twofold(c) - twofold(a) - twofold(b);
    if (!(s.high > 0))
        return limits<double>::infinity();
    return value(gammas(c, s, twofold(c) - twofold(a), twofold(c) - twofold(b), 0));
}

/* Of x < 0 by Pfaff's transformation of a, or of b; by that of which more terms have one sign first. */
CUNA_APART inline double gauss_below(double a, double b, double c, double x, bool is_b)
{
    const twofold y = twofold(1) - twofold(x), inside = twofold(x) / (twofold(x) - twofold(1));
    for (int i = 0; i < 2; ++i) {
        const twofold p = is_b ? b : a, q = twofold(c) - (is_b ? twofold(a) : twofold(b));
        const Sum sum = gauss_inside(p, q, c, inside, twofold(1) / y);
        if (sum.is_exact())
            return value_times_exp(sum.value, -(p * special::log(y)));
        is_b = !is_b;
    }
    return limits<double>::nan();
}

CUNA_APART inline double gauss(double a, double b, double c, double x)
{
    const double inf = limits<double>::infinity(), nan = limits<double>::nan();
    const bool is_finite_sum = (is_end(a) && (!is_end(c) || a >= c)) || (is_end(b) && (!is_end(c) || b >= c));
    if (a == 0 || b == 0 || x == 0)
        return is_end(c) && x != 0 && !is_finite_sum ? inf : 1.0;
    if (!is_finite_sum && (is_end(c) || x > 1))
        return inf;
    if (x == 1 && !is_finite_sum)
        return gauss_at_1(a, b, c);
    if (x >= -0.5 || is_finite_sum) {
        const Sum sum = x < 0 || is_finite_sum ? series(a, b, c, x, 2) : gauss_inside(a, b, c, x, twofold(1) - twofold(x));
        return sum.is_exact() ? value(sum.value) : nan;
    }
    return gauss_below(a, b, c, x, fabs(c - a) < fabs(c - b));
}

template <class T> CUNA_INLINE T hyp2f1(T a, T b, T c, T x)
{
    const bool is_number = a == a && b == b && c == c && x == x;
    return !is_number || isinf(a) || isinf(b) || isinf(c) || isinf(x) ? limits<T>::nan() : T(gauss(a, b, c, x));
}

}
}
