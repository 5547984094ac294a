/* special_carlson.cuh: Carlson's symmetric elliptic integrals (DLMF 19.16), by duplication (19.36): those of two and
 * three numbers by R_F and R_D of (x, y, 1), which special_incomplete_elliptic.cuh has. */
namespace cuna {
namespace carlson {
using namespace special;

/* Three numbers, none negative, in ascending order, and whether they are that. */
struct Sorted { double x, y, z; };

CUNA_INLINE Sorted sorted(double x, double y, double z)
{
    const double low = x < y ? x : y, high = x < y ? y : x;
    return z < low ? Sorted{z, low, high} : z < high ? Sorted{low, z, high} : Sorted{low, high, z};
}
CUNA_INLINE bool is_any_nan(double x, double y, double z) { return x != x || y != y || z != z || x < 0 || y < 0 || z < 0; }

/* The same numbers times a power of 4 that brings z near 1; the results are multiples of powers of the root. */
CUNA_INLINE double unit_of(double z) { return power_of_2(2 * int64(rint(0.5 * own::log(z) * 1.4426950408889634))); }

/* R_F of numbers in R, z the greatest. */
template <class R> CUNA_INLINE R f_of(R x, R y, R z) { return elliptic::carlson<R>(x / z, y / z).f / sqrt(z); }
template <class R> CUNA_INLINE R d_of(R x, R y, R z) { return elliptic::carlson<R>(x / z, y / z).d / (z * sqrt(z)); }

template <class T> CUNA_APART inline T elliprf(T x, T y, T z)
{
    typedef typename work<T>::type R;
    const Sorted s = sorted(x, y, z);
    if (is_any_nan(x, y, z))
        return limits<T>::nan();
    if (s.y == 0 || isinf(s.z))
        return s.y == 0 ? limits<T>::infinity() : T(0);
    const double unit = unit_of(s.z);
    return T(value(f_of<R>(R(s.x / unit), R(s.y / unit), R(s.z / unit))) / sqrt(unit));
}

template <class T> CUNA_APART inline T elliprd(T x, T y, T z)
{
    typedef typename work<T>::type R;
    const T inf = limits<T>::infinity();
    if (is_any_nan(x, y, z))
        return limits<T>::nan();
    if (z == 0 || (x == 0 && y == 0) || isinf(x) || isinf(y) || isinf(z))
        return z == 0 || (x == 0 && y == 0) ? inf : T(0);
    const double unit = unit_of(z);
    return T(value(d_of<R>(R(x / unit), R(y / unit), R(z / unit))) / unit / sqrt(unit));
}

/* R_C of x not negative and y: of negative y Cauchy's principal value. */
template <class R> CUNA_INLINE R c_of(R x, R y)
{
    const R z = y.high < 0 ? x - y : x, w = size_of(y);
    const R f = z.high < w.high ? f_of<R>(z, w, w) : elliptic::carlson<R>(w / z, w / z).f / sqrt(z);
    return y.high < 0 ? sqrt(x / z) * f : f;
}

template <class T> CUNA_APART inline T elliprc(T x, T y)
{
    typedef typename work<T>::type R;
    if (!(x >= 0) || y != y)
        return limits<T>::nan();
    if (y == 0 || isinf(x) || isinf(y))
        return y == 0 ? limits<T>::infinity() : T(0);
    const double unit = unit_of(x > fabs(y) ? double(x) : fabs(double(y)));
    return T(value(c_of<R>(R(x / unit), R(y / unit))) / sqrt(unit));
}

/* (DLMF 19.21.10) with the middle number as z: no part is negative. */
template <class T> CUNA_APART inline T elliprg(T x, T y, T z)
{
    typedef typename work<T>::type R;
    const Sorted s = sorted(x, y, z);
    if (is_any_nan(x, y, z))
        return limits<T>::nan();
    if (s.y == 0 || isinf(s.z))
        return T(0.5 * sqrt(s.z));
    const double unit = unit_of(s.z);
    const R a(s.x / unit), b(s.z / unit), c(s.y / unit);
    const R sum = c * f_of<R>(a, c, b) + (c - a) * (b - c) * d_of<R>(a, b, c) / 3 + sqrt(a * b / c);
    return T(value(sum) * 0.5 * sqrt(unit));
}

/* The series in how far x, y, z and p are from their mean. */
template <class R> CUNA_APART inline R j_series(R x, R y, R z, R p, R mean)
{
    const R a = R(1) - x / mean, b = R(1) - y / mean, c = R(1) - z / mean, d = times(-(a + b + c), 0.5);
    const R all = a * b * c, e2 = a * b + a * c + b * c - R(3) * d * d, e3 = all + times(e2 * d, 2) + times(d * d * d, 4);
    const R e4 = (times(all, 2) + e2 * d + R(3) * d * d * d) * d, e5 = all * d * d;
    R sum = R(1) - R(3) * e2 / 14 + e3 / 6 + R(9) * e2 * e2 / 88 - R(3) * e4 / 22;
    sum = sum - R(9) * e2 * e3 / 52 + R(3) * e5 / 26 - e2 * e2 * e2 / 16 + R(3) * e3 * e3 / 40;
    sum = sum + R(3) * e2 * e4 / 20 + R(45) * e2 * e2 * e3 / 272 - R(9) * (e3 * e4 + e2 * e5) / 68;
    return sum / (mean * sqrt(mean));
}

/* R_J of p > 0. */
template <class R> CUNA_APART inline R j_of(R x, R y, R z, R p)
{
    const R all = (p - x) * (p - y) * (p - z);
    R sum(0);
    double part = 1;
    for (int i = 0; i < 60; ++i) {
        const double mean = (x.high + y.high + z.high + 2 * p.high) / 5, near = mean * 2e-4;
        if (fabs(x.high - mean) < near && fabs(y.high - mean) < near && fabs(z.high - mean) < near
            && fabs(p.high - mean) < near)
            break;
        const R a = sqrt(x), b = sqrt(y), c = sqrt(z), d = sqrt(p), shift = a * b + b * c + c * a;
        const R below = (d + a) * (d + b) * (d + c), e = times(all / (below * below), part * part * part);
        sum = sum + times(c_of<R>(R(1), R(1) + e) / below, part);
        part *= 0.25;
        x = times(x + shift, 0.25);
        y = times(y + shift, 0.25);
        z = times(z + shift, 0.25);
        p = times(p + shift, 0.25);
    }
    return R(6) * sum + times(j_series(x, y, z, p, (x + y + z + p + p) / 5), part);
}

/* Of negative p Cauchy's principal value (DLMF 19.20.14), x <= y <= z. */
template <class R> CUNA_APART inline R j_beyond(R x, R y, R z, R p)
{
    const R q = -p, across = x * y, moved = (z * (x + y + q) - across) / (z + q), product = moved * q;
    const R c = c_of<R>(across + product, product);
    const R sum = (moved - z) * j_of<R>(x, y, z, moved) - R(3) * f_of<R>(x, y, z)
                  + R(3) * sqrt(across * z / (across + product)) * c;
    return sum / (z + q);
}

template <class T> CUNA_APART inline T elliprj(T x, T y, T z, T p)
{
    typedef typename work<T>::type R;
    const Sorted s = sorted(x, y, z);
    if (is_any_nan(x, y, z) || p != p)
        return limits<T>::nan();
    if (s.y == 0 || p == 0 || isinf(s.z) || isinf(p))
        return s.y == 0 || p == 0 ? limits<T>::infinity() : T(0);
    const double unit = unit_of(s.z);
    const R a(s.x / unit), b(s.y / unit), c(s.z / unit), d(double(p) / unit);
    return T(value(p > 0 ? j_of<R>(a, b, c, d) : j_beyond<R>(a, b, c, d)) / unit / sqrt(unit));
}

}
}
