/* special_harmonics.cuh: spherical harmonics: the recurrence in the degree ascends (DLMF 14.10.3), with functions
 * that are normalised (14.30), from the degree m. */
namespace cuna {
namespace harmonics {
using namespace special;

/* The normalised function of degree n >= m >= 0: sine and cosine are theta's. */
template <class R> CUNA_APART inline R normalised(double n, double m, R sine, R cosine)
{
    R square = times(R(1) / pi<R>(), 0.25), power(1);
    for (double j = 1; j <= m; ++j) {
        square = square * R(2 * j + 1) / (2 * j);
        power = -power * sine;
    }
    R before(0), now = power * sqrt(square), last(0);
    for (double j = m + 1; j <= n; ++j) {
        const R factor = sqrt(R(4 * j * j - 1) / (R(j - m) * R(j + m)));
        const R after = factor * (cosine * now - last * before);
        before = now;
        now = after;
        last = R(1) / factor;
    }
    return now;
}

template <class T> CUNA_APART inline complex<T> sph_harm_y(T degree, T order, T theta, T phi)
{
    typedef typename work<T>::type R;
    const double n = degree, m = fabs(double(order));
    if (n != rint(n) || m != rint(m) || !(fabs(n) < 1e5) || !(fabs(theta) < T(1e15)) || !(fabs(phi) < T(1e9)))
        return limits<complex<T>>::nan();
    if (m > n)
        return complex<T>(T(0), T(0));
    const Angle<R> polar = angle_of(R(theta)), around = angle_of(R(phi) * R(m));
    const R p = normalised<R>(n, m, size_of(polar.sine), polar.cosine);
    const R re = p * around.cosine, im = p * around.sine;
    const bool is_odd_order = order < 0 && is_odd(m);
    const T across = T(value(is_odd_order ? -re : re)), up = T(value(order < 0 && !is_odd_order ? -im : im));
    return complex<T>(across, order == 0 ? T(0) : up);
}

}
}
