/* raw_math_cpu.h: the mathematics of CUDA C++ on the cpu device.
 *
 * `sin` and `sinf` are libm's names, inlined as prelude_cpu.h's functions, so that loops over them are vectorised;
 * functions without a vector form remain libm's. `sin` of a float or an integer is a template. Functions that CUDA has
 * and libm lacks (erfinv, norm3d, ...) are computed here, within a few units in the last place in double. */
#define CUNA_LIBM extern "C" inline __attribute__((gnu_inline, always_inline))

namespace cuna_raw {

/* The type that functions of T are computed in: what mixes with float or double decides, as in <cmath>. */
template <class T> struct real {};
template <> struct real<float> { typedef float type; };
template <> struct real<double> { typedef double type; };
/* T if it is a number. */
template <class T> struct number {};
template <> struct number<float> { typedef float type; };
template <> struct number<double> { typedef double type; };
/* Integers: the type of the same bits without sign. */
template <class T> struct integer {};
#define CUNA_INTEGER(T, U)                                                                                             \
    template <> struct real<T> { typedef double type; };                                                               \
    template <> struct number<T> { typedef T type; };                                                                  \
    template <> struct integer<T> { typedef U type; };
CUNA_INTEGER(bool, bool)
CUNA_INTEGER(char, unsigned char)
CUNA_INTEGER(signed char, unsigned char)
CUNA_INTEGER(unsigned char, unsigned char)
CUNA_INTEGER(short, unsigned short)
CUNA_INTEGER(unsigned short, unsigned short)
CUNA_INTEGER(int, unsigned)
CUNA_INTEGER(unsigned, unsigned)
CUNA_INTEGER(long, unsigned long)
CUNA_INTEGER(unsigned long, unsigned long)
CUNA_INTEGER(long long, unsigned long long)
CUNA_INTEGER(unsigned long long, unsigned long long)
#undef CUNA_INTEGER

template <class T> using real_t = typename real<T>::type;
template <class T, class U> using real2_t = decltype(real_t<T>() + real_t<U>());
template <class T, class U> using number2_t = typename number<decltype(T() + U())>::type;

}

/* ---- functions that prelude_cpu.h has ---- */

#define CUNA_MATH1_OF(home, name)                                                                                      \
    CUNA_LIBM double name(double x) noexcept { return home::name(x); }                                                 \
    CUNA_LIBM float name##f(float x) noexcept { return home::name(x); }                                                \
    template <class T> CUNA_INLINE cuna_raw::real_t<T> name(T x) { return home::name(cuna_raw::real_t<T>(x)); }
#define CUNA_MATH2_OF(home, name)                                                                                      \
    CUNA_LIBM double name(double x, double y) noexcept { return home::name(x, y); }                                    \
    CUNA_LIBM float name##f(float x, float y) noexcept { return home::name(x, y); }                                    \
    template <class T, class U> CUNA_INLINE cuna_raw::real2_t<T, U> name(T x, U y)                                     \
    {                                                                                                                  \
        typedef cuna_raw::real2_t<T, U> real;                                                                          \
        return home::name(real(x), real(y));                                                                           \
    }
/* Those of lanes_cpu.cc by libm's names, which the compiler knows: calls under a condition become vectors as well. */
#define CUNA_MATH1_LANES(name)                                                                                         \
    extern "C" CUNA_SIMD double name(double x) noexcept __asm__("cuna_" #name "_f64");                                 \
    extern "C" CUNA_SIMD float name##f(float x) noexcept __asm__("cuna_" #name "_f32");                                \
    namespace cuna_raw {                                                                                               \
    CUNA_INLINE double lanes_##name(double x) { return ::name(x); }                                                    \
    CUNA_INLINE float lanes_##name(float x) { return ::name##f(x); }                                                   \
    }                                                                                                                  \
    template <class T> CUNA_INLINE cuna_raw::real_t<T> name(T x)                                                       \
    {                                                                                                                  \
        return cuna_raw::lanes_##name(cuna_raw::real_t<T>(x));                                                         \
    }
#define CUNA_MATH1(name) CUNA_MATH1_OF(cuna, name)
#define CUNA_MATH2(name) CUNA_MATH2_OF(cuna, name)
CUNA_MATH1_LANES(sin) CUNA_MATH1_LANES(cos) CUNA_MATH1_LANES(tan) CUNA_MATH1_LANES(asin) CUNA_MATH1_LANES(acos)
CUNA_MATH1_LANES(atan) CUNA_MATH1_LANES(sinh) CUNA_MATH1_LANES(cosh) CUNA_MATH1_LANES(tanh) CUNA_MATH1_LANES(asinh)
CUNA_MATH1_LANES(acosh) CUNA_MATH1_LANES(atanh) CUNA_MATH1_LANES(exp) CUNA_MATH1_LANES(exp2) CUNA_MATH1_LANES(exp10)
CUNA_MATH1_LANES(expm1) CUNA_MATH1_LANES(cbrt) CUNA_MATH1_LANES(erf) CUNA_MATH1_LANES(erfc) CUNA_MATH1_LANES(log)
CUNA_MATH1_LANES(log2) CUNA_MATH1_LANES(log10) CUNA_MATH1_LANES(log1p)
CUNA_MATH1(sqrt) CUNA_MATH1(fabs) CUNA_MATH1(floor) CUNA_MATH1(ceil) CUNA_MATH1(trunc) CUNA_MATH1(rint)
CUNA_MATH2(atan2) CUNA_MATH2(hypot) CUNA_MATH2(fmod) CUNA_MATH2(copysign)

namespace cuna_raw {

/* Squares are what most powers are. */
template <class T> CUNA_INLINE T pow(T x, T y) { return __builtin_constant_p(y) && y == 2 ? x * x : cuna::pow(x, y); }

}

CUNA_MATH2_OF(cuna_raw, pow)
CUNA_INLINE float pow(float x, int n) { return cuna_raw::pow(x, float(n)); } /* float, as CUDA's */

/* ---- functions of one expression, written so that they become vectors ---- */

namespace cuna_raw {

CUNA_INLINE float nearbyint(float x) { return cuna::rint(x); }
CUNA_INLINE double nearbyint(double x) { return cuna::rint(x); }
/* Half away from zero: what is added is the greatest number below a half. */
CUNA_INLINE float round(float x) { return cuna::trunc(x + cuna::copysign(0.49999997f, x)); }
CUNA_INLINE double round(double x) { return cuna::trunc(x + cuna::copysign(0.49999999999999994, x)); }
template <class T> CUNA_INLINE T fmax(T x, T y) { return (x > y) | (y != y) ? x : y; }
template <class T> CUNA_INLINE T fmin(T x, T y) { return (x < y) | (y != y) ? x : y; }
template <class T> CUNA_INLINE T fdim(T x, T y) { return x <= y ? T(0) : x - y; }

}

CUNA_MATH1_OF(cuna_raw, nearbyint) CUNA_MATH1_OF(cuna_raw, round)
CUNA_MATH2_OF(cuna_raw, fmax) CUNA_MATH2_OF(cuna_raw, fmin) CUNA_MATH2_OF(cuna_raw, fdim)
CUNA_LIBM float fmaf(float x, float y, float z) noexcept { return __builtin_fmaf(x, y, z); }
CUNA_LIBM double fma(double x, double y, double z) noexcept { return __builtin_fma(x, y, z); }
template <class T, class U, class V> CUNA_INLINE cuna_raw::real2_t<cuna_raw::real2_t<T, U>, V> fma(T x, U y, V z)
{
    typedef cuna_raw::real2_t<cuna_raw::real2_t<T, U>, V> real;
    return cuna::fma(real(x), real(y), real(z));
}

/* Two numbers of any types, as CUDA's min and max of equal types; a number wins over NaN. */
template <class T, class U> CUNA_INLINE cuna_raw::number2_t<T, U> max(T x, U y)
{
    return cuna_raw::fmax<cuna_raw::number2_t<T, U>>(x, y);
}
template <class T, class U> CUNA_INLINE cuna_raw::number2_t<T, U> min(T x, U y)
{
    return cuna_raw::fmin<cuna_raw::number2_t<T, U>>(x, y);
}

#define CUNA_OF_TYPE(prefix, T)                                                                                        \
    CUNA_INLINE T prefix##min(T x, T y) { return x < y ? x : y; }                                                      \
    CUNA_INLINE T prefix##max(T x, T y) { return x < y ? y : x; }
CUNA_OF_TYPE(u, unsigned) CUNA_OF_TYPE(ll, long long) CUNA_OF_TYPE(ull, unsigned long long)
#undef CUNA_OF_TYPE

/* That of the least integer is itself, as in CUDA. */
CUNA_LIBM int abs(int x) noexcept { return int(x < 0 ? -unsigned(x) : unsigned(x)); }
CUNA_LIBM long labs(long x) noexcept { return long(x < 0 ? 0 - (unsigned long)x : (unsigned long)x); }
CUNA_LIBM long long llabs(long long x) noexcept { return labs(x); }
template <class T> CUNA_INLINE typename cuna_raw::number<decltype(+T())>::type abs(T x)
{
    return x < 0 ? -x : x;
}
template <> CUNA_INLINE float abs(float x) { return cuna::fabs(x); }
template <> CUNA_INLINE double abs(double x) { return cuna::fabs(x); }

template <class T> CUNA_INLINE decltype(cuna_raw::real_t<T>(), true) isnan(T x) { return x != x; }
template <class T> CUNA_INLINE decltype(cuna_raw::real_t<T>(), true) isinf(T x)
{
    return cuna::fabs(cuna_raw::real_t<T>(x)) == cuna::limits<cuna_raw::real_t<T>>::infinity();
}
template <class T> CUNA_INLINE decltype(cuna_raw::real_t<T>(), true) isfinite(T x)
{
    return cuna::fabs(cuna_raw::real_t<T>(x)) <= cuna::limits<cuna_raw::real_t<T>>::max();
}
template <class T> CUNA_INLINE decltype(cuna_raw::real_t<T>(), true) isnormal(T x)
{
    return isfinite(x) && cuna::fabs(cuna_raw::real_t<T>(x)) >= cuna::limits<cuna_raw::real_t<T>>::min();
}
template <class T> CUNA_INLINE decltype(cuna_raw::real_t<T>(), true) signbit(T x)
{
    return cuna::copysign(cuna_raw::real_t<T>(1), cuna_raw::real_t<T>(x)) < 0;
}

/* ---- functions of libm ---- */

#define CUNA_FOREIGN1(name)                                                                                            \
    extern "C" double name(double) noexcept;                                                                           \
    extern "C" float name##f(float) noexcept;                                                                          \
    template <class T> CUNA_INLINE cuna_raw::real_t<T> name(T x)                                                       \
    {                                                                                                                  \
        return sizeof(cuna_raw::real_t<T>) == 4 ? ::name##f(x) : ::name(double(x));                                    \
    }
#define CUNA_FOREIGN2(name)                                                                                            \
    extern "C" double name(double, double) noexcept;                                                                   \
    extern "C" float name##f(float, float) noexcept;                                                                   \
    template <class T, class U> CUNA_INLINE cuna_raw::real2_t<T, U> name(T x, U y)                                     \
    {                                                                                                                  \
        return sizeof(cuna_raw::real2_t<T, U>) == 4 ? ::name##f(x, y) : ::name(double(x), double(y));                  \
    }
#define CUNA_FOREIGN_BY(name, I)                                                                                       \
    extern "C" double name(double, I) noexcept;                                                                        \
    extern "C" float name##f(float, I) noexcept;                                                                       \
    template <class T> CUNA_INLINE cuna_raw::real_t<T> name(T x, I n)                                                  \
    {                                                                                                                  \
        return sizeof(cuna_raw::real_t<T>) == 4 ? ::name##f(x, n) : ::name(double(x), n);                              \
    }
#define CUNA_FOREIGN_TO(I, name)                                                                                       \
    extern "C" I name(double) noexcept;                                                                                \
    extern "C" I name##f(float) noexcept;                                                                              \
    template <class T> CUNA_INLINE decltype(cuna_raw::real_t<T>(), (I)0) name(T x)                                     \
    {                                                                                                                  \
        return sizeof(cuna_raw::real_t<T>) == 4 ? ::name##f(x) : ::name(double(x));                                    \
    }
CUNA_FOREIGN1(tgamma) CUNA_FOREIGN1(lgamma) CUNA_FOREIGN1(logb)
CUNA_FOREIGN1(j0) CUNA_FOREIGN1(j1) CUNA_FOREIGN1(y0) CUNA_FOREIGN1(y1)
CUNA_FOREIGN2(nextafter) CUNA_FOREIGN2(remainder)
CUNA_FOREIGN_BY(ldexp, int) CUNA_FOREIGN_BY(scalbn, int) CUNA_FOREIGN_BY(scalbln, long) CUNA_FOREIGN_BY(frexp, int *)
CUNA_FOREIGN_TO(int, ilogb) CUNA_FOREIGN_TO(long, lrint) CUNA_FOREIGN_TO(long, lround)
CUNA_FOREIGN_TO(long long, llrint) CUNA_FOREIGN_TO(long long, llround)
extern "C" {
double modf(double, double *) noexcept;
float modff(float, float *) noexcept;
double remquo(double, double, int *) noexcept;
float remquof(float, float, int *) noexcept;
double jn(int, double) noexcept;
float jnf(int, float) noexcept;
double yn(int, double) noexcept;
float ynf(int, float) noexcept;
double nan(const char *) noexcept;
float nanf(const char *) noexcept;
}
template <class T> CUNA_INLINE cuna_raw::real_t<T> modf(T x, T *whole) { return modff(x, whole); }
template <class T> CUNA_INLINE cuna_raw::real_t<T> remquo(T x, T y, int *quotient) { return remquof(x, y, quotient); }
CUNA_INLINE float jn(int n, float x) { return jnf(n, x); }
CUNA_INLINE float yn(int n, float x) { return ynf(n, x); }

/* ---- functions that libm has not ---- */

namespace cuna_raw {

/* sin and cos of pi x: sin or cos of pi times what is left of x after quarters of the circle. */
struct Turn {
    double s, c;
    int quarter;
    CUNA_INLINE Turn(double x)
    {
        double rest = x - 2 * cuna::rint(x / 2), quarters = cuna::rint(2 * rest), angle = M_PI * (rest - quarters / 2);
        s = cuna::sin(angle), c = cuna::cos(angle), quarter = int(quarters);
    }
    CUNA_INLINE double sin() const
    {
        double size = quarter & 1 ? c : s;
        return quarter & 2 ? -size : size;
    }
    CUNA_INLINE double cos() const
    {
        double size = quarter & 1 ? s : c;
        return (quarter + 1) & 2 ? -size : size;
    }
};

/* y >= 0 with erf(y) = p or erfc(y) = q, where p + q = 1: an estimate of 3 digits (Winitzki), improved by Halley's
 * steps on the smaller of both. */
inline double erf_inverse(double p, double q)
{
    const double a = 0.147;
    double l = cuna::log(q) + cuna::log1p(p), b = 2 / (M_PI * a) + l / 2;
    double y = cuna::sqrt(cuna::sqrt(b * b - l / a) - b);
    for (int i = 0; i < 4; ++i) {
        double miss = p < 0.5 ? cuna::erf(y) - p : q - cuna::erfc(y);
        double step = miss / (M_2_SQRTPI * cuna::exp(-y * y));
        y -= step / (1 + step * y);
    }
    return y;
}

inline double erfinv(double x)
{
    double size = cuna::fabs(x);
    if (size >= 1 || size < 1e-8)
        return size == 1 ? x / 0.0 : size > 1 ? NAN : x / M_2_SQRTPI;
    return cuna::copysign(erf_inverse(size, 1 - size), x);
}

inline double erfcinv(double x)
{
    if (!(x > 0 && x < 2))
        return x == 0 ? HUGE_VAL : x == 2 ? -HUGE_VAL : NAN;
    return x < 1 ? erf_inverse(1 - x, x) : -erf_inverse(x - 1, 2 - x);
}

/* e^(x^2) erfc(x), with the rounding of x^2; far out by the asymptotic series. */
inline double erfcx(double x)
{
    double square = x * x, term = 1, sum = 1;
    if (x < 10)
        return cuna::exp(square) * cuna::erfc(x) * (x < -26 ? 1 : 1 + cuna::fma(x, x, -square));
    for (int k = 1; k < 16; ++k)
        sum += term *= -(2 * k - 1) / (2 * square);
    return x > 1e150 ? M_2_SQRTPI / 2 / x : sum * (M_2_SQRTPI / 2) / x;
}

/* Half of erfc(-x / sqrt 2), whose derivative makes up for the quotient's rounding. */
inline double normcdf(double x)
{
    double y = -x * M_SQRT1_2, miss = cuna::fma(-x, M_SQRT1_2, -y) - x * -4.833646656726457e-17;
    double slope = M_2_SQRTPI * cuna::exp(-y * y);
    return cuna::fabs(x) < 40 ? (cuna::erfc(y) - slope * miss) / 2 : cuna::erfc(y) / 2;
}

/* The modified Bessel function I of order n = 0 or 1: power series, far out the asymptotic one. */
inline double bessel_i(int n, double x)
{
    double size = cuna::fabs(x), term = 1, sum = 1;
    double sign = n & (x < 0) ? -1 : 1;
    if (size < 30) {
        for (int k = 1; term > 1e-17 * sum; ++k)
            sum += term *= size * size / 4 / k / (k + n);
        return sign * (n ? sum * size / 2 : sum);
    }
    for (int k = 1; k < 30; ++k)
        sum += term *= -(4.0 * n * n - (2 * k - 1) * (2 * k - 1)) / (8 * size * k);
    double root = cuna::exp(size / 2);
    return sign * (root * (sum / cuna::sqrt(2 * M_PI * size)) * root);
}

/* The length of a vector, whose squares may leave the range. */
template <int N> CUNA_INLINE double length(const double (&x)[N])
{
    double greatest = 0, sum = 0;
    for (int i = 0; i < N; ++i)
        greatest = cuna_raw::fmax(greatest, cuna::fabs(x[i]));
    if (greatest == 0 || greatest == HUGE_VAL)
        return greatest + 0 * x[0] * (greatest == 0);
    for (int i = 0; i < N; ++i)
        sum += x[i] / greatest * (x[i] / greatest);
    return greatest * cuna::sqrt(sum);
}

}

#define CUNA_OWN1(name, expression)                                                                                    \
    CUNA_LIBM double name(double x) noexcept { return expression; }                                                    \
    CUNA_LIBM float name##f(float x) noexcept { return float(::name(double(x))); }                                     \
    template <class T> CUNA_INLINE cuna_raw::real_t<T> name(T x) { return cuna_raw::real_t<T>(::name(double(x))); }
CUNA_OWN1(rcbrt, 1 / cuna::cbrt(x))
CUNA_OWN1(sinpi, cuna_raw::Turn(x).sin())
CUNA_OWN1(cospi, cuna_raw::Turn(x).cos())
CUNA_OWN1(erfinv, cuna_raw::erfinv(x))
CUNA_OWN1(erfcinv, cuna_raw::erfcinv(x))
CUNA_OWN1(erfcx, cuna_raw::erfcx(x))
CUNA_OWN1(normcdf, cuna_raw::normcdf(x))
CUNA_OWN1(normcdfinv, -M_SQRT2 * cuna_raw::erfcinv(2 * x))
CUNA_OWN1(cyl_bessel_i0, cuna_raw::bessel_i(0, x))
CUNA_OWN1(cyl_bessel_i1, cuna_raw::bessel_i(1, x))

CUNA_LIBM double rsqrt(double x) noexcept { return 1 / cuna::sqrt(x); }
CUNA_LIBM float rsqrtf(float x) noexcept { return 1 / cuna::sqrt(x); }
template <class T> CUNA_INLINE cuna_raw::real_t<T> rsqrt(T x) { return 1 / cuna::sqrt(cuna_raw::real_t<T>(x)); }

#define CUNA_LENGTH(T, rhypot, norm3d, rnorm3d, norm4d, rnorm4d)                                                       \
    CUNA_LIBM T rhypot(T x, T y) noexcept { return T(1 / cuna_raw::length({double(x), double(y)})); }                  \
    CUNA_LIBM T norm3d(T x, T y, T z) noexcept { return T(cuna_raw::length({double(x), double(y), double(z)})); }      \
    CUNA_LIBM T rnorm3d(T x, T y, T z) noexcept { return T(1 / cuna_raw::length({double(x), double(y), double(z)})); } \
    CUNA_LIBM T norm4d(T x, T y, T z, T w) noexcept                                                                    \
    {                                                                                                                  \
        return T(cuna_raw::length({double(x), double(y), double(z), double(w)}));                                      \
    }                                                                                                                  \
    CUNA_LIBM T rnorm4d(T x, T y, T z, T w) noexcept                                                                   \
    {                                                                                                                  \
        return T(1 / cuna_raw::length({double(x), double(y), double(z), double(w)}));                                  \
    }
CUNA_LENGTH(double, rhypot, norm3d, rnorm3d, norm4d, rnorm4d)
CUNA_LENGTH(float, rhypotf, norm3df, rnorm3df, norm4df, rnorm4df)
CUNA_INLINE float rhypot(float x, float y) { return rhypotf(x, y); }

#define CUNA_SINCOS(name, sine, cosine)                                                                                \
    CUNA_LIBM void name(double x, double *s, double *c) noexcept { *s = sine(x), *c = cosine(x); }                     \
    CUNA_LIBM void name##f(float x, float *s, float *c) noexcept { *s = sine##f(x), *c = cosine##f(x); }               \
    CUNA_INLINE void name(float x, float *s, float *c) { name##f(x, s, c); }
CUNA_SINCOS(sincos, sin, cos)
CUNA_SINCOS(sincospi, sinpi, cospi)

CUNA_INLINE float fdividef(float x, float y) { return x / y; }
#undef CUNA_MATH1_OF
#undef CUNA_MATH2_OF
#undef CUNA_MATH1
#undef CUNA_MATH2
#undef CUNA_FOREIGN1
#undef CUNA_FOREIGN2
#undef CUNA_FOREIGN_BY
#undef CUNA_FOREIGN_TO
#undef CUNA_OWN1
#undef CUNA_LENGTH
#undef CUNA_SINCOS
