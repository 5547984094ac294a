/* special_legendre.cuh: associated Legendre functions on the interval from -1 to 1.
 *
 * The recurrence in the degree ascends (DLMF 14.10.3) from the degrees m + d and m + d + 1, d the fraction of the
 * degree, whose hypergeometric series (14.3.4) have no terms that cancel, and end where d = 0. */
namespace cuna {
namespace legendre {
using namespace special;

/* P of the degree v and order m >= 0, x in (-1, 1), by powers of (1 - x) / 2. */
template <class R> CUNA_APART inline R by_series(R v, double m, R x)
{
    const R z = times(R(1) - x, 0.5), root = sqrt((R(1) - x) * (R(1) + x));
    R factor(1), sum(1), term(1);
    for (double j = 1; j <= m; ++j) factor = -factor * (v + R(j)) * (v - R(j - 1)) * root / (2 * j);
    for (double k = 1; k < 1e6 && fabs(term.high) > R::epsilon() * fabs(sum.high); ++k) {
        term = term * (R(m + k - 1) - v) * (R(m + k) + v) * z / (R(k) * R(m + k));
        sum = sum + term;
    }
    return factor * sum;
}

/* Of the degree v >= -1/2. */
template <class R> CUNA_APART inline R of_degree(double v, double m, double x)
{
    const double whole = floor(v - m);
    if (whole < 1)
        return by_series(R(v), m, R(x));
    const R d = R(v) - R(floor(v)), base = d + R(m);
    R before = by_series(base, m, R(x)), now = by_series(base + R(1), m, R(x));
    for (double j = 1; j < whole; ++j) {
        const R at = base + R(j), after = ((at + at + R(1)) * R(x) * now - (at + R(m)) * before) / (at - R(m - 1));
        before = now;
        now = after;
    }
    return now;
}

/* gamma(v - m + 1) / gamma(v + m + 1), which leads to the order -m. */
template <class R> CUNA_INLINE R mirrored_factor(double v, double m)
{
    R factor(1);
    for (double j = 1; j <= m; ++j) factor = -factor / ((R(v) + R(j)) * (R(v) - R(j - 1)));
    return factor;
}

template <class T> CUNA_APART inline T lpmv(T order, T degree, T argument)
{
    typedef typename work<T>::type R;
    const double m = fabs(double(order)), v = degree < T(-0.5) ? -1 - double(degree) : double(degree), x = argument;
    const bool is_whole = v == rint(v);
    if (!(m < 1e6) || m != rint(m) || !(v < 1e6) || !(fabs(x) <= 1) || (order < 0 && is_whole && v < m))
        return limits<T>::nan();
    if (is_whole && v < m)
        return T(0);
    const double sine = angle_of_half_turns<onefold>(v).sine.high;
    if (fabs(x) == 1)
        return m == 0 && (x > 0 || is_whole) ? T(x > 0 || !is_odd(v) ? 1 : -1)
               : x > 0 || is_whole           ? T(0)
                                             : T(-sine * limits<double>::infinity());
    const R p = of_degree<R>(v, m, x);
    return T(value(order < 0 ? p * mirrored_factor<R>(v, m) : p));
}

}
}
