/* special_incomplete_elliptic.cuh: incomplete elliptic integrals by Carlson's duplication (DLMF 19.36), and the
 * elliptic functions of Jacobi by Landen's transformation (22.7). */
namespace cuna {
namespace elliptic {
using namespace special;

/* Carlson's R_F and R_D of (x, y, 1). */
template <class R> struct Carlson { R f, d; };

template <class R> CUNA_APART inline R f_series(R x, R y, R z, R mean)
{
    const R a = R(1) - x / mean, b = R(1) - y / mean, c = -(a + b);
    const R e2 = a * b - c * c, e3 = a * b * c;
    const R first = R(1) - e2 / 10 + e3 / 14 + e2 * e2 / 24 - R(3) * e2 * e3 / 44;
    const R second = R(3) * e3 * e3 / 104 - R(5) * e2 * e2 * e2 / 208 + e2 * e2 * e3 / 16;
    return (first + second) / sqrt(mean);
}

template <class R> CUNA_APART inline R d_series(R x, R y, R mean)
{
    const R a = R(1) - x / mean, b = R(1) - y / mean, c = -(a + b) / 3, p = a * b, s = c * c;
    const R e2 = p - R(6) * s, e3 = (R(3) * p - R(8) * s) * c, e4 = R(3) * (p - s) * s, e5 = p * s * c;
    R sum = R(1) - R(3) * e2 / 14 + e3 / 6 + R(9) * e2 * e2 / 88 - R(3) * e4 / 22;
    sum = sum - R(9) * e2 * e3 / 52 + R(3) * e5 / 26 - e2 * e2 * e2 / 16 + R(3) * e3 * e3 / 40;
    sum = sum + R(3) * e2 * e4 / 20 + R(45) * e2 * e2 * e3 / 272 - R(9) * (e3 * e4 + e2 * e5) / 68;
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
    const R d = R(3) * sum + times(d_series(x, y, (x + y + R(3) * z) / 5), part);
    return Carlson<R>{f_series(x, y, z, (x + y + z) / 3), d};
}

/* The angle phi less as many half turns, n, as leave at most a quarter. */
template <class R> CUNA_INLINE Angle<R> less_half_turns(double phi, double &n)
{
    n = rint(phi * 0.3183098861837907);
    const Angle<R> angle = angle_of(R(phi));
    return n == 2 * rint(n * 0.5) ? angle : Angle<R>{-angle.sine, -angle.cosine};
}

/* The integral of the second kind. */
template <class R> CUNA_APART inline R second_of_angle(R sine, R cosine, double m)
{
    const R square = sine * sine;
    const Carlson<R> c = carlson(cosine * cosine, cosine.high == 0 ? R(1) - R(m) : R(1) - R(m) * square);
    return sine * c.f - R(m) * square * sine * c.d / 3;
}

/* The same of a finite phi and m <= 1: the whole half turns are complete integrals. */
template <class R> CUNA_APART inline R second_in_full(double phi, double m)
{
    double n;
    const Angle<R> angle = less_half_turns<R>(phi, n);
    const R at = second_of_angle(angle.sine, angle.cosine, m);
    return n == 0 ? at : at + R(2 * n) * second_of_angle(R(1), R(0), m);
}

/* R_F of (x, y, 1) in doubles: all that it adds is positive. */
CUNA_APART inline double first_of(double x, double y)
{
    double z = 1, mean = (x + y + z) / 3;
    for (int i = 0; i < 60 && fmax(fmax(fabs(x - mean), fabs(y - mean)), fabs(z - mean)) > 0.004 * mean; ++i) {
        const double a = cuna::sqrt(x), b = cuna::sqrt(y), c = cuna::sqrt(z), shift = fma(a, b, fma(b, c, rounded(c * a)));
        x = 0.25 * (x + shift);
        y = 0.25 * (y + shift);
        z = 0.25 * (z + shift);
        mean = (x + y + z) / 3;
    }
    const double a = (mean - x) / mean, b = (mean - y) / mean, c = -(a + b), e2 = a * b - rounded(c * c), e3 = a * b * c;
    const double tail = e2 * (e2 / 24 - 0.1 - 3 * e3 / 44) + e3 / 14 + e3 * e3 * 3 / 104 + e2 * e2 * (e3 / 16 - 5 * e2 / 208);
    return (1 + tail) / cuna::sqrt(mean);
}

/* The integral of the first kind, in the digits of a double. Nothing cancels: 1 - m sin^2 is a sum for m of each sign, and
 * what half turns add is at least twice as great as the rest. */
template <class R> CUNA_INLINE double first_alone(double phi, double m)
{
    double n;
    const Angle<R> angle = less_half_turns<R>(phi, n);
    const double sine = angle.sine.high, square = rounded(sine * sine), rest = rounded(angle.cosine.high * angle.cosine.high);
    const double at = sine * first_of(rest, m > 0 ? fma(m, rest, 1 - m) : fma(-m, square, 1.0));
    return n == 0 ? at : fma(2 * n, ellipk(m), at);
}

template <class T> CUNA_APART inline T ellipkinc(T phi, T m)
{
    typedef typename work<T>::type R;
    const T inf = limits<T>::infinity();
    if (!(m <= 1) || phi != phi || (isinf(phi) && isinf(m)))
        return limits<T>::nan();
    if (isinf(phi) || phi == 0 || isinf(m))
        return isinf(m) ? T(0) : phi;
    if (m == 1 && fabs(double(phi)) >= 1.5707963267948966)
        return inf;
    return fabs(phi) < T(1e15) ? T(first_alone<R>(phi, m)) : limits<T>::nan();
}

template <class T> CUNA_APART inline T ellipeinc(T phi, T m)
{
    typedef typename work<T>::type R;
    if (!(m <= 1) || phi != phi)
        return limits<T>::nan();
    if (isinf(phi) || (phi == 0 && !isinf(m)))
        return phi;
    if (isinf(m))
        return limits<T>::infinity();
    if (m == 1) {
        double n;
        const R sine = less_half_turns<R>(phi, n).sine;
        return T(value(sine + R(2 * n)));
    }
    return fabs(phi) < T(1e15) ? T(value(second_in_full<R>(phi, m))) : limits<T>::nan();
}

/* ---- Jacobi's functions ---- */

template <class R> struct Jacobi { R sn, cn, dn, mean; }; /* the amplitude without its swings */

/* Of the parameter 1. */
template <class R> CUNA_APART inline Jacobi<R> hyperbolic(double u)
{
    const double size = fabs(u);
    const R q = exp(R(-size)), square = q * q, cn = times(q, 2) / (R(1) + square), z = R(size) * R(size);
    const R near = R(size) * (R(1) - z / 3 + R(2) * z * z / 15), far = (R(1) - square) / (R(1) + square);
    const R sn = size < 1e-5 ? near : far;
    return Jacobi<R>{u < 0 ? -sn : sn, cn, cn, R(0)};
}

/* Of m in [0, 1): Landen's transformation makes moduli smaller until the functions are a circle's, and leads back to the
 * first modulus without a function of angles (DLMF 22.7). */
template <class R> CUNA_APART inline Jacobi<R> jacobi_of(double u, double m)
{
    R moduli[14], a(1), b = sqrt(R(1) - R(m));
    int n = 0;
    for (R gap = sqrt(R(m)); n < 13 && fabs(gap.high) > R::epsilon() * a.high;) {
        const R mean = times(a + b, 0.5);
        gap = times(a - b, 0.5);
        b = sqrt(a * b);
        a = mean;
        moduli[++n] = gap / a;
    }
    const R mean = a * R(u), nan(limits<double>::nan());
    if (!(fabs(mean.high) < 1e15))
        return Jacobi<R>{nan, nan, nan, nan};
    const Angle<R> angle = angle_of(mean);
    R sn = angle.sine, cn = angle.cosine, dn(1);
    for (; n > 0; --n) {
        const R part = moduli[n] * sn * sn, scale = R(1) / (R(1) + part);
        sn = (R(1) + moduli[n]) * sn * scale;
        cn = cn * dn * scale;
        dn = (R(1) - part) * scale;
    }
    return Jacobi<R>{sn, cn, dn, mean};
}

template <class T> CUNA_APART inline Jacobi<typename work<T>::type> jacobi(T u, T m)
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

/* The amplitude: the angle of (cn, sn), and as many turns as lead nearest to the mean. */
template <class T> CUNA_APART inline T ph(T u, T m)
{
    typedef typename work<T>::type R;
    if (u == 0 && m >= 0 && m <= 1)
        return u;
    const Jacobi<R> at = jacobi(u, m);
    const R angle = angle_of_point(at.sn, at.cn);
    const double turns = rint((at.mean.high - angle.high) * 0.15915494309189535);
    return T(value(angle + times(pi<R>(), 2) * R(turns)));
}

}
}
