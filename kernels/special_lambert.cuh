/* special_lambert.cuh: Lambert's function W: the w with w exp(w) = z, on branch k.
 *
 * Halley's iteration from the first terms of the series at the branch point -1/e, at 0 and at infinity (Corless and
 * others, "On the Lambert W function", 1996); w - z exp(-w) is solved, which does not overflow. */
namespace cuna {
namespace lambert {
using namespace special;

/* A first w. Which of the branches -1 and 1 meets 0 at the branch point depends on the half plane. */
template <class R> CUNA_APART inline point<R> start_of(point<R> z, double k, bool is_upper)
{
    const R one(1);
    const double x = z.re.high, y = z.im.high;
    const bool meets = k == 0 || (k == -1 && is_upper) || (k == 1 && !is_upper);
    const double gap = x + 0.36787944117144233;
    const bool is_near = gap * gap + y * y < (k == 0 && x < 0 ? 0.5 : 0.09);
    if (meets && is_near) {
        const R e(2.718281828459045, 1.4456468917292502e-16);
        const point<R> square = (z * e + point<R>(one)) * R(2);
        const point<R> half = log(square) * R(0.5), root = exp(half), p = k == 0 ? root : root * R(-1);
        return point<R>(R(-1)) + p * (point<R>(one) + p * (point<R>(R(-1) / 3) + p * (R(11) / 72)));
    }
    if (k == 0 && x > -0.3 && x * x + y * y < 9) {
        const point<R> a = log(z + point<R>(one)), b = log(a + point<R>(one));
        return a * (point<R>(one) - b / (a + point<R>(R(2))));
    }
    if (k == -1 && y == 0 && is_upper && x < 0 && x > -0.3678) {
        const R a = log(R(-x));
        return point<R>(a - log(-a));
    }
    const point<R> a = log(z) + point<R>(R(0), times(pi<R>(), 2) * R(k));
    return a - log(a);
}

template <class R> CUNA_APART inline point<R> solve(point<R> z, double k, bool is_upper)
{
    const point<R> one(R(1)), two(R(2));
    const double close = 1e-4 * cuna::sqrt(R::epsilon()); /* the step after it would be the cube */
    point<R> w = start_of(z, k, is_upper);
    for (int i = 0; i < 40; ++i) {
        const point<R> rest = w - z * exp(w * R(-1)), above = w + one;
        if (above.re.high == 0 && above.im.high == 0)
            break;
        const point<R> step = rest / (above - (w + two) * rest / (above * R(2)));
        w = w - step;
        if (fabs(step.re.high) + fabs(step.im.high) <= close * (fabs(w.re.high) + fabs(w.im.high)))
            break;
    }
    return w;
}

template <class T> CUNA_APART inline complex<T> lambertw(complex<T> z, int64 branch)
{
    typedef typename work<T>::type R;
    const double k = double(branch), inf = limits<double>::infinity(), turn = 6.283185307179586 * k;
    if (isnan(z))
        return limits<complex<T>>::nan();
    if (z.re == 0 && z.im == 0)
        return k == 0 ? z : complex<T>(T(-inf), T(0));
    if (isinf(z)) {
        const R x(isinf(z.re) ? copysign(1.0, double(z.re)) : 0.0), y(isinf(z.im) ? copysign(1.0, double(z.im)) : 0.0);
        return complex<T>(T(inf), T(turn + angle_of_point(y, x).high));
    }
    const point<R> w = solve(point<R>(R(z.re), R(z.im)), k, !signbit(z.im));
    return complex<T>(T(value(w.re)), T(value(w.im)));
}

}
}
