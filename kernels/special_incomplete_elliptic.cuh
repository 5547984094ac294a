/* special_incomplete_elliptic.cuh: incomplete elliptic integrals by Carlson's duplication (DLMF 19.36), and the
 * elliptic functions of Jacobi by Gauss' transformation (22.20). */
namespace cuna {
namespace elliptic {
using namespace special;

/* Carlson's R_F and R_D of (x, y, 1). */
template <class R> struct Carlson { R f, d; };

template <class R> CUNA_INLINE R f_series(R x, R y, R z, R mean)
{
    const R a = R(1) - x / mean, b = R(1) - y / mean, c = -(a + b);
    const R e2 = a * b - c * c, e3 = a * b * c;
    const R first = R(1) - e2 / R(10) + e3 / R(14) + e2 * e2 / R(24) - R(3) * e2 * e3 / R(44);
    const R second = R(3) * e3 * e3 / R(104) - R(5) * e2 * e2 * e2 / R(208) + e2 * e2 * e3 / R(16);
    return (first + second) / sqrt(mean);
}

template <class R> CUNA_INLINE R d_series(R x, R y, R mean)
{
    const R a = R(1) - x / mean, b = R(1) - y / mean, c = -(a + b) / R(3), p = a * b, s = c * c;
    const R e2 = p - R(6) * s, e3 = (R(3) * p - R(8) * s) * c, e4 = R(3) * (p - s) * s, e5 = p * s * c;
    R sum = R(1) - R(3) * e2 / R(14) + e3 / R(6) + R(9) * e2 * e2 / R(88) - R(3) * e4 / R(22);
    sum = sum - R(9) * e2 * e3 / R(52) + R(3) * e5 / R(26) - e2 * e2 * e2 / R(16) + R(3) * e3 * e3 / R(40);
    sum = sum + R(3) * e2 * e4 / R(20) + R(45) * e2 * e2 * e3 / R(272) - R(9) * (e3 * e4 + e2 * e5) / R(68);
    return sum / (mean * sqrt(mean));
}

template <class R> CUNA_APART inline Carlson<R> carlson(R x, R y)
{
    R z(1), sum(0);
    double part = 1;
    for (int i = 0; i < 60; ++i) {
        const double mean = x.high + y.high + z.high, near = mean * 2e-4;
        if (fabs(3 * x.high - mean) < near && fabs(3 * y.high - mean) < near && fabs(3 * z.high - mean) < near)
            break;
        const R a = sqrt(x), b = sqrt(y), c = sqrt(z), shift = a * b + b * c + c * a;
        sum = sum + times(R(1) / (c * (z + shift)), part);
        part *= 0.25;
        x = times(x + shift, 0.25);
        y = times(y + shift, 0.25);
        z = times(z + shift, 0.25);
    }
    const R d = R(3) * sum + times(d_series(x, y, (x + y + R(3) * z) / R(5)), part);
    return Carlson<R>{f_series(x, y, z, (x + y + z) / R(3)), d};
}

/* The integrals of the first and the second kind. */
template <class R> struct Integrals { R first, second; };

template <class R> CUNA_INLINE Integrals<R> of_angle(R sine, R cosine, double m)
{
    const R square = sine * sine;
    const Carlson<R> c = carlson(cosine * cosine, cosine.high == 0 ? R(1) - R(m) : R(1) - R(m) * square);
    const R first = sine * c.f;
    return Integrals<R>{first, first - R(m) * square * sine * c.d / R(3)};
}

/* Of a finite phi and m <= 1: the whole half turns are complete integrals. */
template <class R> CUNA_INLINE Integrals<R> incomplete(double phi, double m)
{
    const double n = rint(phi * 0.3183098861837907);
    const Angle<R> angle = angle_of(R(phi));
    const bool is_odd_turn = n != 2 * rint(n * 0.5);
    const R sine = is_odd_turn ? -angle.sine : angle.sine;
    Integrals<R> at = of_angle(sine, angle.cosine, m);
    if (n != 0) {
        const Integrals<R> quarter = of_angle(R(1), R(0), m);
        at.first = at.first + R(2 * n) * quarter.first;
        at.second = at.second + R(2 * n) * quarter.second;
    }
    return at;
}

template <class T> CUNA_INLINE T ellipkinc(T phi, T m)
{
    typedef typename work<T>::type R;
    const T inf = limits<T>::infinity();
    if (!(m <= 1) || phi != phi || (isinf(phi) && isinf(m)))
        return limits<T>::nan();
    if (isinf(phi) || phi == 0 || isinf(m))
        return isinf(m) ? T(0) : phi;
    if (m == 1 && fabs(double(phi)) >= 1.5707963267948966)
        return inf;
    return fabs(phi) < T(1e15) ? T(value(incomplete<R>(phi, m).first)) : limits<T>::nan();
}

template <class T> CUNA_INLINE T ellipeinc(T phi, T m)
{
    typedef typename work<T>::type R;
    if (!(m <= 1) || phi != phi)
        return limits<T>::nan();
    if (isinf(phi) || (phi == 0 && !isinf(m)))
        return phi;
    if (isinf(m))
        return limits<T>::infinity();
    if (m == 1) {
        const double n = rint(double(phi) * 0.3183098861837907);
        const R sine = angle_of(R(phi)).sine;
        return T(value((n != 2 * rint(n * 0.5) ? -sine : sine) + R(2 * n)));
    }
    return fabs(phi) < T(1e15) ? T(value(incomplete<R>(phi, m).second)) : limits<T>::nan();
}

/* ---- Jacobi's functions ---- */

template <class R> struct Jacobi { R sn, cn, dn, ph; };

/* Of the parameter 1. */
template <class R> CUNA_INLINE Jacobi<R> hyperbolic(double u)
{
    const double size = fabs(u);
    const R q = exp(R(-size)), square = q * q, cn = times(q, 2) / (R(1) + square), z = R(size) * R(size);
    const R near = R(size) * (R(1) - z / R(3) + R(2) * z * z / R(15)), far = (R(1) - square) / (R(1) + square);
    const R sn = size < 1e-5 ? near : far, ph = angle_of_point(sn, cn);
    return Jacobi<R>{u < 0 ? -sn : sn, cn, cn, u < 0 ? -ph : ph};
}

/* Of m in [0, 1). */
template <class R> CUNA_APART inline Jacobi<R> jacobi_of(double u, double m)
{
    R means[14], halves[14], b = sqrt(R(1) - R(m));
    means[0] = R(1);
    halves[0] = sqrt(R(m));
    int n = 0;
    while (n < 13 && fabs(halves[n].high) > R::epsilon() * means[n].high) {
        const R a = means[n];
        means[n + 1] = times(a + b, 0.5);
        halves[n + 1] = times(a - b, 0.5);
        b = sqrt(a * b);
        ++n;
    }
    R ph = times(means[n] * R(u), double(1 << n));
    const R nan(limits<double>::nan());
    if (!(fabs(ph.high) < 1e15))
        return Jacobi<R>{nan, nan, nan, nan};
    for (; n > 0; --n) {
        const R sine = halves[n] * angle_of(ph).sine / means[n];
        ph = times(ph + angle_of_point(sine, sqrt((R(1) - sine) * (R(1) + sine))), 0.5);
    }
    const Angle<R> angle = angle_of(ph);
    return Jacobi<R>{angle.sine, angle.cosine, sqrt(R(1) - R(m) * angle.sine * angle.sine), ph};
}

template <class T> CUNA_INLINE Jacobi<typename work<T>::type> jacobi(T u, T m)
{
    typedef typename work<T>::type R;
    const R nan(limits<double>::nan());
    if (!(m >= 0 && m <= 1) || !isfinite(u))
        return Jacobi<R>{nan, nan, nan, nan};
    return m == 1 ? hyperbolic<R>(u) : jacobi_of<R>(u, m);
}

template <class T> CUNA_INLINE T sn(T u, T m) { return u == 0 && m >= 0 && m <= 1 ? u : T(value(jacobi(u, m).sn)); }
template <class T> CUNA_INLINE T cn(T u, T m) { return T(value(jacobi(u, m).cn)); }
template <class T> CUNA_INLINE T dn(T u, T m) { return T(value(jacobi(u, m).dn)); }
template <class T> CUNA_INLINE T ph(T u, T m) { return u == 0 && m >= 0 && m <= 1 ? u : T(value(jacobi(u, m).ph)); }

}
}
