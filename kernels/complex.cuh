/* complex.cuh: complex numbers: the storage and value type of complex64 and complex128, and what rows call on them.
 *
 * Stands on the prelude and scalar.cuh. Arithmetic is NumPy's. Functions are computed in double for both dtypes, so
 * one formula serves both and complex64 results are right to the last bits. The inverse functions are Kahan's
 * ("Branch cuts for complex elementary functions", 1987): no cancellation, and signed zeros choose the branch. */
namespace cuna {

template <class T> struct alignas(2 * sizeof(T)) complex {
    typedef T value_type;
    T re, im;
    complex() = default;
    CUNA_INLINE complex(T real, T imag = T(0)) : re(real), im(imag) {}
    template <class U> CUNA_INLINE complex(const complex<U> &z) : re(T(z.re)), im(T(z.im)) {}
    CUNA_INLINE T real() const { return re; }
    CUNA_INLINE T imag() const { return im; }
    CUNA_INLINE void real(T x) { re = x; }
    CUNA_INLINE void imag(T x) { im = x; }
    CUNA_INLINE complex &operator+=(complex b) { return *this = *this + b; }
    CUNA_INLINE complex &operator-=(complex b) { return *this = *this - b; }
    CUNA_INLINE complex &operator*=(complex b) { return *this = *this * b; }
    CUNA_INLINE complex &operator/=(complex b) { return *this = *this / b; }
};

typedef complex<float> complex64;
typedef complex<double> complex128;

template <class T> struct arith<complex<T>> { typedef complex<T> type; };
template <class T> struct limits<complex<T>> {
    static CUNA_INLINE complex<T> max() { return complex<T>(limits<T>::infinity(), limits<T>::infinity()); }
    static CUNA_INLINE complex<T> lowest() { return complex<T>(-limits<T>::infinity(), -limits<T>::infinity()); }
    static CUNA_INLINE complex<T> nan() { return complex<T>(limits<T>::nan(), limits<T>::nan()); }
};
template <class T> CUNA_INLINE T square_length(complex<T> a) { return rounded(a.re * a.re) + rounded(a.im * a.im); }

#define CUNA_COMPLEX template <class T> CUNA_INLINE complex<T>
CUNA_COMPLEX operator+(complex<T> a, complex<T> b) { return complex<T>(a.re + b.re, a.im + b.im); }
CUNA_COMPLEX operator-(complex<T> a, complex<T> b) { return complex<T>(a.re - b.re, a.im - b.im); }
CUNA_COMPLEX operator-(complex<T> a) { return complex<T>(-a.re, -a.im); }
CUNA_COMPLEX operator*(complex<T> a, complex<T> b)
{
    return complex<T>(rounded(a.re * b.re) - rounded(a.im * b.im), rounded(a.re * b.im) + rounded(a.im * b.re));
}

/* Smith's division; by 0 + 0i each part is divided by zero. */
CUNA_COMPLEX operator/(complex<T> a, complex<T> b)
{
    bool wide = fabs(b.re) >= fabs(b.im);
    T large = wide ? b.re : b.im, small = wide ? b.im : b.re;
    T ratio = small / large, scale = 1 / (large + rounded(small * ratio));
    T x = rounded(a.re * ratio), y = rounded(a.im * ratio);
    T re = wide ? a.re + y : x + a.im, im = wide ? a.im - x : y - a.re;
    bool zero = (b.re == 0) & (b.im == 0);
    return complex<T>(zero ? a.re / fabs(large) : re * scale, zero ? a.im / fabs(large) : im * scale);
}
CUNA_COMPLEX divide_by(complex<T> a, double n) { return complex<T>(a.re / T(n), a.im / T(n)); }

/* Order is by real, then imaginary part; nothing is ordered with NaN. */
#define CUNA_COMPLEX_TEST template <class T> CUNA_INLINE bool
CUNA_COMPLEX_TEST operator==(complex<T> a, complex<T> b) { return (a.re == b.re) & (a.im == b.im); }
CUNA_COMPLEX_TEST operator!=(complex<T> a, complex<T> b) { return !(a == b); }
CUNA_COMPLEX_TEST comparable(complex<T> a, complex<T> b) { return (a.im == a.im) & (b.im == b.im); }
CUNA_COMPLEX_TEST operator<(complex<T> a, complex<T> b)
{
    return ((a.re < b.re) & comparable(a, b)) | ((a.re == b.re) & (a.im < b.im));
}
CUNA_COMPLEX_TEST operator<=(complex<T> a, complex<T> b)
{
    return ((a.re < b.re) & comparable(a, b)) | ((a.re == b.re) & (a.im <= b.im));
}
CUNA_COMPLEX_TEST isnan(complex<T> a) { return (a.re != a.re) | (a.im != a.im); }
CUNA_COMPLEX_TEST isinf(complex<T> a) { return isinf(a.re) | isinf(a.im); }
CUNA_COMPLEX_TEST isfinite(complex<T> a) { return isfinite(a.re) & isfinite(a.im); }

/* By parts: compilers do not vectorise a choice of structures. */
CUNA_COMPLEX choose(bool first, complex<T> a, complex<T> b)
{
    return complex<T>(choose(first, a.re, b.re), choose(first, a.im, b.im));
}
CUNA_COMPLEX maximum(complex<T> a, complex<T> b) { return choose((b <= a) | isnan(a), a, b); }
CUNA_COMPLEX minimum(complex<T> a, complex<T> b) { return choose((a <= b) | isnan(a), a, b); }
CUNA_COMPLEX fmax(complex<T> a, complex<T> b) { return choose((b <= a) | isnan(b), a, b); }
CUNA_COMPLEX fmin(complex<T> a, complex<T> b) { return choose((a <= b) | isnan(b), a, b); }

/* Conversions: to reals drops the imaginary part, to bool tests both parts. */
template <class T> CUNA_INLINE bool cast(complex<T> v, bool8 *) { return (v.re != 0) | (v.im != 0); }
template <class T> CUNA_INLINE float cast(complex<T> v, float16 *d) { return cast(v.re, d); }
template <class T> CUNA_INLINE float cast(complex<T> v, bfloat16 *d) { return cast(v.re, d); }
template <class T, class D> CUNA_INLINE D cast(complex<T> v, D *) { return to_number<D>(v.re); }
template <class V, class T> CUNA_INLINE complex<T> cast(V v, complex<T> *) { return complex<T>(T(v)); }
template <class V, class T> CUNA_INLINE complex<T> cast(complex<V> v, complex<T> *)
{
    return complex<T>(T(v.re), T(v.im));
}

template <class T> CUNA_INLINE T real(complex<T> a) { return a.re; }
template <class T> CUNA_INLINE T imag(complex<T> a) { return a.im; }
template <class T> CUNA_INLINE T abs(complex<T> a) { return hypot(a.re, a.im); }
template <class T> CUNA_INLINE T extent(complex<T> a) { return fmax(fabs(a.re), fabs(a.im)); }
CUNA_COMPLEX ldexp(complex<T> a, int64 n) { return complex<T>(ldexp(a.re, n), ldexp(a.im, n)); }
template <class T> struct most<complex<T>> : most<T> {
};
template <class T> CUNA_INLINE complex<T> nan_to_num(complex<T> a, T nan, T posinf, T neginf)
{
    return complex<T>(nan_to_num(a.re, nan, posinf, neginf), nan_to_num(a.im, nan, posinf, neginf));
}
template <class T> CUNA_INLINE T angle(complex<T> a) { return atan2(a.im, a.re); }
CUNA_COMPLEX conj(complex<T> a) { return complex<T>(a.re, -a.im); }
CUNA_COMPLEX reciprocal(complex<T> a)
{
    bool wide = fabs(a.re) >= fabs(a.im);
    T large = wide ? a.re : a.im, small = wide ? a.im : a.re;
    T ratio = small / large, size = large + rounded(small * ratio);
    return complex<T>((wide ? 1 : ratio) / size, -(wide ? ratio : 1) / size);
}
CUNA_COMPLEX rint(complex<T> a) { return complex<T>(rint(a.re), rint(a.im)); }
CUNA_COMPLEX round(complex<T> a, int32 decimals) { return complex<T>(round(a.re, decimals), round(a.im, decimals)); }

/* a / |a|, the point of the unit circle in the same direction; NaN between two infinities. */
CUNA_COMPLEX sign(complex<T> a)
{
    T size = abs(a);
    if (isinf(a.re) != isinf(a.im))
        return isinf(a.re) ? complex<T>(copysign(T(1), a.re)) : complex<T>(0, copysign(T(1), a.im));
    return size == 0 ? complex<T>(0) : complex<T>(a.re / size, a.im / size);
}

/* i a and -i a, by which circular functions become hyperbolic ones. */
CUNA_INLINE complex128 times_i(complex128 a) { return complex128(-a.im, a.re); }
CUNA_INLINE complex128 over_i(complex128 a) { return complex128(a.im, -a.re); }

/* e^x in two factors, so that only the final product overflows. */
struct split_exp {
    double factor, rest;
    CUNA_INLINE split_exp(double x) : factor(exp(x > 700 ? x / 2 : x)), rest(x > 700 ? factor : 1) {}
};

CUNA_INLINE complex128 exp(complex128 z)
{
    split_exp size(z.re);
    double c = cos(z.im), s = sin(z.im);
    bool nowhere = !isfinite(z.im), vanishes = z.re == -limits<double>::infinity();
    double re = z.im == 0 ? 1 : c, im = z.im == 0 ? z.im : s;
    double x = size.factor * re * size.rest, y = z.im == 0 ? z.im : size.factor * im * size.rest;
    return complex128(nowhere ? (vanishes ? 0 : isinf(z.re) ? z.re : x) : x, nowhere && vanishes ? 0 : y);
}

/* a^2 + b^2 - 1 where it cancels: squares with their errors. */
CUNA_INLINE double square_excess(double a, double b)
{
    double p = a * a, q = b * b, head = p - 1, sum = head + q;
    double carried = sum - head, error = (head - (sum - carried)) + (q - carried);
    return sum + (error + fma(a, a, -p) + fma(b, b, -q));
}

/* log |z|: by log1p near the unit circle, scaled where the length would overflow or be subnormal. */
CUNA_INLINE double log_size(double x, double y)
{
    double a = fabs(x) > fabs(y) ? fabs(x) : fabs(y), b = fabs(x) > fabs(y) ? fabs(y) : fabs(x);
    if (a > 0.7 && a < 1.5 && b < 1.5)
        return log1p(square_excess(a, b)) / 2;
    double scale = a > 1e300 ? 1e-10 : a < 1e-290 ? 1e20 : 1;
    double shift = a > 1e300 ? 23.025850929940457 : a < 1e-290 ? -46.051701859880914 : 0;
    return log(hypot(x * scale, y * scale)) + shift;
}

CUNA_INLINE complex128 log(complex128 z) { return complex128(log_size(z.re, z.im), atan2(z.im, z.re)); }
CUNA_INLINE complex128 log1p(complex128 z)
{
    bool small = fabs(z.re) < 0.25 && fabs(z.im) < 0.25;
    double near = log1p(z.re * (z.re + 2) + z.im * z.im) / 2;
    return complex128(small ? near : log_size(1 + z.re, z.im), atan2(z.im, 1 + z.re));
}

CUNA_INLINE complex128 scaled(complex128 z, double factor) { return complex128(z.re * factor, z.im * factor); }
CUNA_INLINE complex128 log2(complex128 z) { return scaled(log(z), 1.4426950408889634); }
CUNA_INLINE complex128 log10(complex128 z) { return scaled(log(z), 0.4342944819032518); }
CUNA_INLINE complex128 exp2(complex128 z) { return exp(scaled(z, 0.6931471805599453)); }
CUNA_INLINE complex128 expm1(complex128 z)
{
    double half = sin(z.im / 2);
    return complex128(expm1(z.re) * cos(z.im) - 2 * half * half, exp(z.re) * sin(z.im));
}

/* Of a finite z that is not 0. The scale keeps the length in range. */
CUNA_INLINE complex128 plain_sqrt(complex128 z)
{
    double a = fabs(z.re), b = fabs(z.im), size = a > b ? a : b;
    double scale = size > 1e300 ? 0.0625 : size < 1e-290 ? 18014398509481984.0 : 1;
    double back = size > 1e300 ? 4 : size < 1e-290 ? 7.450580596923828e-09 : 1;
    double large = sqrt((a * scale + hypot(a * scale, b * scale)) / 2);
    double small = b * scale / (2 * large);
    bool right = z.re >= 0;
    return complex128((right ? large : small) * back, copysign((right ? small : large) * back, z.im));
}

CUNA_INLINE complex128 sqrt(complex128 z)
{
    double a = z.re, b = z.im;
    if (a == 0 && b == 0)
        return complex128(0, b);
    if (isinf(b))
        return complex128(fabs(b), b);
    if (isinf(a))
        return signbit(a) ? complex128(fabs(b - b), copysign(a, b)) : complex128(a, copysign(b - b, b));
    return plain_sqrt(z);
}

/* sinh x cos y + i cosh x sin y, and the same with sinh and cosh exchanged; products of 0 and infinity are 0. */
CUNA_INLINE complex128 hyperbolic(double odd, double even, double grow, complex128 z)
{
    double c = z.im == 0 ? 1 : cos(z.im), s = z.im == 0 ? z.im : sin(z.im);
    double im = z.im == 0 && !isfinite(even) ? z.im : even * s * grow;
    return complex128(odd * c * grow, im);
}

CUNA_INLINE complex128 sinh(complex128 z)
{
    bool far = fabs(z.re) > 700;
    double grow = far ? exp(fabs(z.re) / 2) : 1;
    double s = far ? copysign(grow / 2, z.re) : sinh(z.re), c = far ? grow / 2 : cosh(z.re);
    complex128 w = hyperbolic(s, c, grow, z);
    return complex128(isfinite(z.im) ? w.re : z.re == 0 || isinf(z.re) ? z.re : w.re, w.im);
}

CUNA_INLINE complex128 cosh(complex128 z)
{
    bool far = fabs(z.re) > 700;
    double grow = far ? exp(fabs(z.re) / 2) : 1;
    double s = far ? copysign(grow / 2, z.re) : sinh(z.re), c = far ? grow / 2 : cosh(z.re);
    complex128 w = hyperbolic(c, s, grow, z);
    return complex128(!isfinite(z.im) && isinf(z.re) ? fabs(z.re) : w.re, z.re == 0 && w.im != w.im ? z.re : w.im);
}

CUNA_INLINE complex128 tanh(complex128 z)
{
    if (fabs(z.re) > 22) {
        double s = isfinite(z.im) ? sin(z.im) * cos(z.im) : 0;
        return complex128(copysign(1.0, z.re), 4 * s * exp(-2 * fabs(z.re)));
    }
    double t = tan(z.im), beta = 1 + t * t, s = sinh(z.re), below = 1 + beta * s * s;
    double re = beta * sqrt(1 + s * s) * s / below;
    return complex128(z.re == 0 && !isfinite(z.im) ? z.re : re, z.im == 0 ? z.im : t / below);
}

CUNA_INLINE complex128 sin(complex128 z) { return over_i(sinh(times_i(z))); }
CUNA_INLINE complex128 cos(complex128 z) { return cosh(times_i(z)); }
CUNA_INLINE complex128 tan(complex128 z) { return over_i(tanh(times_i(z))); }

CUNA_INLINE complex128 asin(complex128 z)
{
    if (isinf(z))
        return complex128(atan2(z.re, fabs(z.im)), copysign(limits<double>::infinity(), z.im));
    if (isnan(z))
        return complex128(z.re == 0 ? z.re : limits<double>::nan(), limits<double>::nan());
    complex128 a = sqrt(complex128(1 - z.re, -z.im)), b = sqrt(complex128(1 + z.re, z.im));
    return complex128(atan2(z.re, a.re * b.re - a.im * b.im), asinh(a.re * b.im - a.im * b.re));
}

CUNA_INLINE complex128 acos(complex128 z)
{
    if (isinf(z))
        return complex128(atan2(fabs(z.im), z.re), copysign(limits<double>::infinity(), -z.im));
    if (isnan(z))
        return complex128(z.re == 0 ? 1.5707963267948966 : limits<double>::nan(), limits<double>::nan());
    complex128 a = sqrt(complex128(1 - z.re, -z.im)), b = sqrt(complex128(1 + z.re, z.im));
    return complex128(2 * atan2(a.re, b.re), asinh(b.re * a.im - b.im * a.re));
}

CUNA_INLINE complex128 acosh(complex128 z)
{
    if (isinf(z))
        return complex128(limits<double>::infinity(), atan2(z.im, z.re));
    if (isnan(z))
        return complex128(limits<double>::nan(), z.re == 0 ? 1.5707963267948966 : limits<double>::nan());
    complex128 a = sqrt(complex128(z.re - 1, z.im)), b = sqrt(complex128(z.re + 1, z.im));
    return complex128(asinh(a.re * b.re + a.im * b.im), 2 * atan2(a.im, b.re));
}

CUNA_INLINE complex128 atanh(complex128 z)
{
    double x = fabs(z.re), y = fabs(z.im), half_pi = 1.5707963267948966;
    if (isnan(z)) {
        double re = x == 0 || isinf(x) || isinf(y) ? copysign(x == 0 ? x : 0, z.re) : x + y;
        return complex128(re, isinf(y) ? copysign(half_pi, z.im) : x + y);
    }
    if (x > 1e150 || y > 1e150) {
        double size = hypot(x * 0.5, y * 0.5);
        double re = isinf(size) ? 0 : x / size / size / 4;
        return complex128(copysign(re, z.re), copysign(half_pi, z.im));
    }
    double gap = 1 - x, near = gap == 0 && y < 1e-150 ? 0.34657359027997264 - log(y) / 2 : 0;
    double re = near != 0 ? near : log1p(4 * x / (gap * gap + y * y)) / 4;
    return complex128(copysign(re, z.re), atan2(2 * z.im, gap * (1 + x) - y * y) / 2);
}

CUNA_INLINE complex128 asinh(complex128 z) { return over_i(asin(times_i(z))); }
CUNA_INLINE complex128 atan(complex128 z) { return over_i(atanh(times_i(z))); }

/* a^n by squaring, as NumPy does for small integers. */
CUNA_INLINE complex128 integer_power(complex128 a, int32 n)
{
    complex128 result(1);
    bool begun = false;
    for (int32 left = n < 0 ? -n : n; left != 0; left >>= 1) {
        if (left & 1)
            result = begun ? result * a : a;
        begun |= left & 1;
        a = a * a;
    }
    return n < 0 ? reciprocal(result) : result;
}

CUNA_INLINE complex128 pow(complex128 a, complex128 b)
{
    if (b == complex128(0))
        return complex128(1);
    if (a == complex128(0))
        return b.re > 0 ? complex128(0) : complex128(limits<double>::nan(), limits<double>::nan());
    if (b.im == 0 && fabs(b.re) < 100 && b.re == rint(b.re))
        return integer_power(a, int32(b.re));
    return exp(b * log(a));
}

#define CUNA_BY_DOUBLE(f)                                                                                             \
    CUNA_INLINE complex64 f(complex64 z) { return convert<complex64>(f(convert<complex128>(z))); }
CUNA_BY_DOUBLE(exp) CUNA_BY_DOUBLE(exp2) CUNA_BY_DOUBLE(expm1) CUNA_BY_DOUBLE(sqrt) CUNA_BY_DOUBLE(log)
CUNA_BY_DOUBLE(log2) CUNA_BY_DOUBLE(log10) CUNA_BY_DOUBLE(log1p) CUNA_BY_DOUBLE(sin) CUNA_BY_DOUBLE(cos)
CUNA_BY_DOUBLE(tan) CUNA_BY_DOUBLE(sinh) CUNA_BY_DOUBLE(cosh) CUNA_BY_DOUBLE(tanh) CUNA_BY_DOUBLE(asin)
CUNA_BY_DOUBLE(acos) CUNA_BY_DOUBLE(atan) CUNA_BY_DOUBLE(asinh) CUNA_BY_DOUBLE(acosh) CUNA_BY_DOUBLE(atanh)
#undef CUNA_BY_DOUBLE
CUNA_INLINE complex64 pow(complex64 a, complex64 b)
{
    return convert<complex64>(pow(convert<complex128>(a), convert<complex128>(b)));
}
CUNA_COMPLEX power(complex<T> a, complex<T> b) { return pow(a, b); }

/* pi a is rounded to a's dtype, as NumPy does; what is next to 0 counts as 1e-20, so that the quotient is in range. */
CUNA_COMPLEX sinc(complex<T> a)
{
    const T pi = T(3.141592653589793), size = fabs(a.re) + fabs(a.im);
    complex128 x = convert<complex128>(complex<T>(pi * (size < T(1e-20) ? T(1e-20) : a.re), pi * a.im));
    return convert<complex<T>>(sin(x) / x);
}

/* NumPy's sorted order, as search.cuh needs it: numbers without NaN, then those with one in the imaginary part, in the
 * real part, in both; within each group by the parts that are not NaN. */
CUNA_COMPLEX_TEST sorts_before(complex<T> a, complex<T> b)
{
    const int a_rank = 2 * (a.re != a.re) + (a.im != a.im), b_rank = 2 * (b.re != b.re) + (b.im != b.im);
    const bool same_re = (a.re == b.re) | (a_rank >= 2);
    return a_rank != b_rank ? a_rank < b_rank : (a.re < b.re) | (same_re & (a.im < b.im));
}

#undef CUNA_COMPLEX
#undef CUNA_COMPLEX_TEST

}
