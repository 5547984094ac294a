/* special_complex.cuh: complex numbers of parts of about 32 digits (special_twofold.cuh), and gamma, its logarithm and
 * digamma of them.
 *
 * Stirling's series (DLMF 5.11) where |z| >= 24, to which a product of neighbours leads, whose argument is counted
 * beyond pi; left of 0 the reflection formula (5.5), of which the sine is written by powers of exp(2 pi i z), so that
 * the logarithm is continuous in the upper half plane. Below the real axis, values are conjugates. */
namespace cuna {
namespace special {

template <class R> struct point {
    R re, im;
    CUNA_INLINE point(R x = R(0), R y = R(0)) : re(x), im(y) {}
};

#define CUNA_POINT template <class R> CUNA_INLINE point<R>
CUNA_POINT operator+(point<R> a, point<R> b) { return point<R>(a.re + b.re, a.im + b.im); }
CUNA_POINT operator-(point<R> a, point<R> b) { return point<R>(a.re - b.re, a.im - b.im); }
CUNA_POINT operator*(point<R> a, point<R> b)
{
    return point<R>(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
}
CUNA_POINT operator*(point<R> a, R b) { return point<R>(a.re * b, a.im * b); }
CUNA_POINT operator/(point<R> a, point<R> b)
{
    const double size = fabs(b.re.high) + fabs(b.im.high), power = size > 1e100 ? power_of_2(-500) : 1.0;
    const R x = times(b.re, power), y = times(b.im, power), square = x * x + y * y;
    const point<R> product = a * point<R>(x, -y);
    return point<R>(times(product.re / square, power), times(product.im / square, power));
}
#undef CUNA_POINT

template <class R> CUNA_APART inline point<R> log(point<R> z)
{
    const double most = fabs(z.re.high) > fabs(z.im.high) ? fabs(z.re.high) : fabs(z.im.high);
    const double power = most > 1e150 ? power_of_2(-600) : most < 1e-150 ? power_of_2(600) : 1.0;
    const R x = times(z.re, power), y = times(z.im, power), back = R(most > 1e150 ? 600 : most < 1e-150 ? -600 : 0);
    return point<R>(times(log(x * x + y * y), 0.5) + back * log_2<R>(), angle_of_point(z.im, z.re));
}
template <class R> CUNA_INLINE point<R> exp(point<R> z)
{
    const R size = exp(z.re);
    const Angle<R> angle = angle_of(z.im);
    return point<R>(size * angle.cosine, size * angle.sine);
}

/* exp(2 pi i z). */
template <class R> CUNA_INLINE point<R> turn(point<R> z)
{
    const R size = exp(-times(pi<R>(), 2) * z.im);
    const Angle<R> angle = angle_of_half_turns<R>(2 * (z.re.high - rint(z.re.high)));
    return point<R>(size * angle.cosine, size * angle.sine);
}

/* log(gamma(z)) of z right of 0, its imaginary part not negative. */
template <class R> CUNA_APART inline point<R> log_gamma_right(point<R> z)
{
    point<R> product(R(1));
    const double from = R::FROM;
    double turns = 0;
    while (fabs(z.re.high) < from && z.im.high < from) {
        const bool was_above = product.im.high >= 0;
        product = product * z;
        turns += was_above && product.im.high < 0 ? 1 : 0;
        z.re = z.re + R(1);
    }
    const point<R> inverse = point<R>(R(1)) / z, square = inverse * inverse;
    point<R> sum;
    for (int k = R::STIRLING; k > 0; --k)
        sum = sum * square + point<R>(stirling_term<R>(k));
    const R half_log(0.9189385332046728, -3.8782941580672414e-17);
    const point<R> far = (z - point<R>(R(0.5))) * log(z) - z + point<R>(half_log) + sum * inverse;
    return far - log(product) - point<R>(R(0), times(pi<R>(), 2 * turns));
}

/* Of any z whose imaginary part is not negative. */
template <class R> CUNA_APART inline point<R> log_gamma_upper(point<R> z)
{
    if (z.re.high >= 0)
        return log_gamma_right(z);
    point<R> mirrored = log_gamma_right(point<R>(R(1) - z.re, z.im));
    mirrored.im = -mirrored.im;
    const point<R> q = turn(z), rest = log(point<R>(R(1) - q.re, -q.im));
    const R re = log(pi<R>()) + log_2<R>() - pi<R>() * z.im - rest.re - mirrored.re;
    return point<R>(re, pi<R>() * (z.re - R(0.5)) - rest.im - mirrored.im);
}

template <class R> CUNA_APART inline point<R> digamma_right(point<R> z)
{
    point<R> below;
    const double from = R::FROM;
    while (fabs(z.re.high) < from && z.im.high < from) {
        below = below + point<R>(R(1)) / z;
        z.re = z.re + R(1);
    }
    const point<R> inverse = point<R>(R(1)) / z, square = inverse * inverse;
    point<R> sum;
    for (int k = R::STIRLING; k > 0; --k)
        sum = sum * square + point<R>(stirling_term<R>(k) * R(2 * k - 1));
    return log(z) - inverse * R(0.5) - sum * square - below;
}

template <class R> CUNA_APART inline point<R> digamma_upper(point<R> z)
{
    if (z.re.high >= 0)
        return digamma_right(z);
    point<R> mirrored = digamma_right(point<R>(R(1) - z.re, z.im));
    mirrored.im = -mirrored.im;
    const point<R> q = turn(z), ratio = point<R>(q.re + R(1), q.im) / point<R>(q.re - R(1), q.im);
    return point<R>(mirrored.re + pi<R>() * ratio.im, mirrored.im - pi<R>() * ratio.re);
}

/* Whether a function with gamma's poles is NaN. */
template <class T> CUNA_INLINE bool is_nowhere(complex<T> z)
{
    return !isfinite(z) || (z.im == 0 && is_pole(double(z.re)));
}
template <class T> CUNA_INLINE point<typename work<T>::type> above_axis(complex<T> z)
{
    typedef typename work<T>::type R;
    return point<R>(R(z.re), R(fabs(z.im)));
}

template <class T> CUNA_APART inline complex<T> loggamma(complex<T> z)
{
    if (is_nowhere(z))
        return limits<complex<T>>::nan();
    if (z.im == 0 && (z.re == 1 || z.re == 2))
        return complex<T>(0, z.re == 1 ? -z.im : z.im);
    const auto w = log_gamma_upper(above_axis(z));
    const T im = z.im == 0 && z.re > 0 ? T(0) : T(value(w.im));
    return complex<T>(T(value(w.re)), signbit(z.im) ? -im : im);
}

template <class T> CUNA_APART inline complex<T> gamma(complex<T> z)
{
    if (is_nowhere(z))
        return limits<complex<T>>::nan();
    const auto w = log_gamma_upper(above_axis(z));
    const auto angle = angle_of(w.im);
    const T re = T(value_times_exp(angle.cosine, w.re)), im = T(value_times_exp(angle.sine, w.re));
    return complex<T>(re, z.im == 0 ? z.im : signbit(z.im) ? -im : im);
}

template <class T> CUNA_APART inline complex<T> digamma(complex<T> z)
{
    if (isinf(z.re) && z.re > 0 && isfinite(z.im))
        return complex<T>(z.re, T(0));
    if (is_nowhere(z))
        return limits<complex<T>>::nan();
    const auto w = digamma_upper(above_axis(z));
    const T im = T(value(w.im));
    return complex<T>(T(value(w.re)), z.im == 0 ? T(0) : signbit(z.im) ? -im : im);
}

}
}
