/* special_parameter.cuh: inverses of distributions with respect to a parameter.
 *
 * A probability that falls while a positive parameter grows is bracketed by powers of two and solved by
 * Chandrupatla's method (A new hybrid quadratic/bisection algorithm for finding the zero of a nonlinear function,
 * Advances in Engineering Software 28, 1997) for log of the lesser side, which has the digits. Where every parameter or
 * none has the probability, the limit is given: 0 or infinity. */
namespace cuna {
namespace parameter {
using namespace special;
using special::Parts; /* cuna has another one */

/* A probability that is wanted, and its complement. */
CUNA_INLINE Parts wanted(double p) { return Parts{p, 1 - p}; }
CUNA_INLINE Parts other(Parts p) { return Parts{p.upper, p.lower}; }

/* Above 0 where the probability is too great, that is, t too small. */
CUNA_INLINE double gap_of(Parts at, Parts p)
{
    const double gap = p.lower < p.upper ? own::log(at.lower / p.lower) : -own::log(at.upper / p.upper);
    return gap < -1000 ? -1000.0 : gap > 1000 ? 1000.0 : gap;
}

/* Where between x1 and x2 = x1 + 1 the root is: by inverse quadratic interpolation, if this is known to converge. */
CUNA_APART inline double place_of(double x1, double x2, double x3, double f1, double f2, double f3)
{
    const double xi = (x1 - x2) / (x3 - x2), phi = (f1 - f2) / (f3 - f2), rest = 1 - phi;
    if (!(phi * phi < xi && rest * rest < 1 - xi))
        return 0.5;
    return f1 / (f2 - f1) * (f3 / (f2 - f3)) + (x3 - x1) / (x2 - x1) * (f1 / (f3 - f1)) * (f2 / (f3 - f2));
}

/* The t with gap 0 between x1 and x2, where the gaps are f1 and f2. */
template <class F>
CUNA_APART inline double root_between(const F &of, Parts p, double x1, double f1, double x2, double f2)
{
    double x3 = x2, f3 = f2, place = 0.5;
    for (int i = 0; i < 120; ++i) {
        const double x = x1 + place * (x2 - x1), f = gap_of(of.at(x), p);
        const bool is_same = (f > 0) == (f1 > 0);
        x3 = is_same ? x1 : x2;
        f3 = is_same ? f1 : f2;
        x2 = is_same ? x2 : x1;
        f2 = is_same ? f2 : f1;
        x1 = x;
        f1 = f;
        const double best = fabs(f1) < fabs(f2) ? x1 : x2, least = 2e-16 * best / fabs(x2 - x1);
        if (f1 == 0 || f2 == 0 || !(least < 0.5))
            return f2 == 0 || (f1 != 0 && fabs(f2) < fabs(f1)) ? x2 : x1;
        const double next = place_of(x1, x2, x3, f1, f2, f3);
        place = next < least ? least : next > 1 - least ? 1 - least : next;
    }
    return x1;
}

/* The t with of.at(t) = p, from a first t that is positive. */
template <class F> CUNA_APART inline double solved(const F &of, Parts p, double first)
{
    const double inf = limits<double>::infinity(), least = 1e-300, most = 1e300;
    if (!(p.lower >= 0 && p.upper >= 0 && of.is_valid()))
        return limits<double>::nan();
    if (p.lower == 0 || p.upper == 0)
        return p.lower == 0 ? inf : 0.0;
    double t = first < least ? least : first > 1e15 || first != first ? 1e15 : first, f = gap_of(of.at(t), p);
    const bool grows = f > 0;
    for (double factor = 2; t >= least && t <= most; factor = factor < 1e16 ? factor * factor : factor) {
        const double next = grows ? t * factor : t / factor, g = gap_of(of.at(next), p);
        if (g != g || f != f)
            return limits<double>::nan();
        if ((g > 0) != grows)
            return root_between(of, p, t, f, next, g);
        t = next;
        f = g;
    }
    return grows ? inf : 0.0;
}

/* The t with of.at(t) = p that is nearest to `first`, where the probability need not fall. Where none is found, the
 * end of the positive numbers that comes nearest. */
template <class F> CUNA_APART inline double nearest(const F &of, Parts p, double first)
{
    const double nan = limits<double>::nan(), inf = limits<double>::infinity();
    if (!(p.lower >= 0 && p.upper >= 0 && of.is_valid()))
        return nan;
    double low = first, high = first, at_low = gap_of(of.at(first), p), at_high = at_low, factor = 2;
    for (int i = 0; i < 48; ++i) {
        const double up = high * factor, down = low / factor, f = gap_of(of.at(up), p), g = gap_of(of.at(down), p);
        if (f != f || g != g)
            return nan;
        if ((f > 0) != (at_high > 0))
            return root_between(of, p, high, at_high, up, f);
        if ((g > 0) != (at_low > 0))
            return root_between(of, p, low, at_low, down, g);
        high = up;
        low = down;
        at_high = f;
        at_low = g;
        factor = i < 32 ? 2.0 : i < 40 ? 1e6 : 1e30;
    }
    return fabs(of.at(high).lower - p.lower) < fabs(of.at(low).lower - p.lower) ? inf : 0.0;
}

/* ---- the incomplete gamma function ---- */

struct GammaShape {
    double x;
    CUNA_INLINE bool is_valid() const { return x > 0 && x < limits<double>::infinity(); }
    CUNA_APART Parts at(double a) const { return special::gamma_parts_or_edge(a, x); }
};

/* The a with P(a, x) = p; 0 at x = 0, where P is 0 for none. */
CUNA_APART inline double gamma_shape(double x, Parts p)
{
    return x == 0 && p.lower > 0 && p.upper >= 0 ? 0.0 : solved(GammaShape{x}, p, x + 0.5);
}

template <class T> CUNA_INLINE T gdtrib(T a, T p, T x)
{
    return a > 0 ? T(gamma_shape(double(a) * double(x), wanted(p))) : limits<T>::nan();
}
template <class T> CUNA_INLINE T chdtriv(T p, T x) { return T(2 * gamma_shape(0.5 * double(x), wanted(p))); }
template <class T> CUNA_INLINE T pdtrik(T p, T m)
{
    const double next = gamma_shape(m, other(wanted(p)));
    return next < 1 ? T(0) : T(next - 1);
}

/* ---- the incomplete beta function ---- */

struct BetaShape {
    Split at_x;
    double b;
    CUNA_INLINE bool is_valid() const { return b > 0 && b < limits<double>::infinity() && at_x.x > 0 && at_x.y > 0; }
    CUNA_APART Parts at(double a) const { return special::beta_parts(a, b, at_x); }
};

/* The a with I = p at x and y. */
CUNA_APART inline double beta_shape(Split at, double b, Parts p)
{
    return solved(BetaShape{at, b}, p, b * at.x / at.y);
}

CUNA_INLINE double first_shape(double b, double x, Parts p) { return beta_shape(split_at(x), b, p); }
CUNA_INLINE double second_shape(double a, double x, Parts p)
{
    return beta_shape(swapped(split_at(x)), a, other(p));
}

template <class T> CUNA_INLINE T btdtria(T p, T b, T x) { return T(first_shape(b, x, wanted(p))); }
template <class T> CUNA_INLINE T btdtrib(T a, T p, T x) { return T(second_shape(a, x, wanted(p))); }

/* ---- counts of trials ---- */

/* The probability of more than k successes in n trials, as k changes. */
struct Successes {
    double n;
    Split at_p;
    CUNA_INLINE bool is_valid() const { return n > 0 && n < limits<double>::infinity() && at_p.x >= 0 && at_p.y >= 0; }
    CUNA_APART Parts at(double k) const { return k < n ? special::beta_parts(k + 1, n - k, at_p) : Parts{0, 1}; }
};

/* The k with probability y of at most k; 0 where y is less than that of none. */
CUNA_APART inline double successes(double n, double p, Parts y)
{
    const Successes of = {n, split_at(p)};
    if (of.is_valid() && y.lower >= 0 && y.lower <= of.at(0).upper)
        return 0;
    const double k = solved(of, other(y), n * p);
    return k > n ? n : k;
}

template <class T> CUNA_INLINE T bdtrik(T y, T n, T p) { return T(successes(n, p, wanted(y))); }
template <class T> CUNA_INLINE T bdtrin(T k, T y, T p)
{
    return k >= 0 ? T(k + second_shape(double(k) + 1, p, other(wanted(y)))) : limits<T>::nan();
}
template <class T> CUNA_INLINE T nbdtrik(T y, T n, T p)
{
    const double next = second_shape(n, p, wanted(y));
    return next < 1 ? T(0) : T(next - 1);
}
template <class T> CUNA_INLINE T nbdtrin(T k, T y, T p)
{
    return k >= 0 ? T(first_shape(double(k) + 1, p, wanted(y))) : limits<T>::nan();
}

/* ---- the normal distribution and Student's t ---- */

template <class T> CUNA_INLINE T nrdtrimn(T p, T std, T x)
{
    return std > 0 ? T(fma(-double(std), double(special::ndtri(double(p))), double(x))) : limits<T>::nan();
}
template <class T> CUNA_INLINE T nrdtrisd(T mean, T p, T x)
{
    return T((double(x) - double(mean)) / double(special::ndtri(double(p))));
}

struct Degrees {
    double t;
    CUNA_INLINE bool is_valid() const { return t > 0 && t < limits<double>::infinity(); }
    CUNA_APART Parts at(double df) const
    {
        const double tail = special::student_tail(df < 1e20 ? df : limits<double>::infinity(), t);
        return Parts{tail, 1 - tail};
    }
};

/* Infinity where the normal distribution has less than this beyond t. */
template <class T> CUNA_INLINE T stdtridf(T p, T t)
{
    const double tail = t > 0 ? 1 - double(p) : double(p);
    return tail < 0.5 ? T(solved(Degrees{fabs(double(t))}, wanted(tail), 1)) : limits<T>::nan();
}

}
}
