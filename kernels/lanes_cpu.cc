/* lanes_cpu.cc: the transcendental functions (and fmod) of the cpu device, one vector width for each.
 *
 * A kernel calls cuna_sin_f32 through prelude_cpu.h, where it is declared `simd`: the vectoriser replaces the call by
 * _ZGVeN16v_cuna_sin_f32 (16 lanes, AVX-512), _ZGVdN8v_ (AVX2), _ZGVcN8v_ (AVX), _ZGVbN4v_ (SSE2) or leaves it scalar.
 * libmvec's functions of these widths differ in the last bit, and a value must not depend on its position in an array.
 * So every name here computes through the same function, the widest of the instruction set this file is compiled for:
 * a narrower argument is repeated into a wide vector. libmvec's lanes do not influence each other.
 *
 * Compiled once per instruction set: CUNA_LANES_BYTES is 64, 32 or 16, or not defined on machines without libmvec's
 * names; CUNA_LANES_LIBM takes every lane from libm, for a glibc before 2.35. */

#define HIDDEN extern "C" __attribute__((visibility("hidden")))
#define VECTOR(T, nbytes) T __attribute__((vector_size(nbytes)))

#define UNARY_ROWS(X)                                                                                                 \
    X(sin) X(cos) X(tan) X(asin) X(acos) X(atan) X(sinh) X(cosh) X(tanh) X(asinh) X(acosh) X(atanh) X(exp) X(exp2)    \
    X(exp10) X(expm1) X(log) X(log2) X(log10) X(log1p) X(cbrt) X(erf) X(erfc)
#define BINARY_ROWS(X) X(pow) X(atan2) X(hypot) X(fmod)

#ifndef CUNA_LANES_BYTES

#define DEFINE(name)                                                                                                  \
    HIDDEN float cuna_##name##_f32(float x) { return __builtin_##name##f(x); }                                        \
    HIDDEN double cuna_##name##_f64(double x) { return __builtin_##name(x); }
UNARY_ROWS(DEFINE)
#undef DEFINE
#define DEFINE(name)                                                                                                  \
    HIDDEN float cuna_##name##_f32(float x, float y) { return __builtin_##name##f(x, y); }                            \
    HIDDEN double cuna_##name##_f64(double x, double y) { return __builtin_##name(x, y); }
BINARY_ROWS(DEFINE)
#undef DEFINE

#else

typedef VECTOR(float, CUNA_LANES_BYTES) wide32;
typedef VECTOR(double, CUNA_LANES_BYTES) wide64;
typedef VECTOR(float, CUNA_LANES_BYTES / 2) half32; /* as many floats as a wide64 has lanes */
typedef VECTOR(int, CUNA_LANES_BYTES / 2) half_ints;
typedef VECTOR(long long, CUNA_LANES_BYTES) words;
typedef VECTOR(int, CUNA_LANES_BYTES) ints;
typedef VECTOR(float, 16) f32x4;
typedef VECTOR(double, 16) f64x2;
typedef VECTOR(float, 32) f32x8;
typedef VECTOR(double, 32) f64x4;
typedef VECTOR(float, 64) f32x16;
typedef VECTOR(double, 64) f64x8;

#if CUNA_LANES_BYTES == 64
#define MVEC32(kinds, name) _ZGVeN16##kinds##_##name
#define MVEC64(kinds, name) _ZGVeN8##kinds##_##name
#elif CUNA_LANES_BYTES == 32
#define MVEC32(kinds, name) _ZGVdN8##kinds##_##name
#define MVEC64(kinds, name) _ZGVdN4##kinds##_##name
#else
#define MVEC32(kinds, name) _ZGVbN4##kinds##_##name
#define MVEC64(kinds, name) _ZGVbN2##kinds##_##name
#endif

/* widen(v): v repeated until the wide vector is full. narrow<V>(v): its first lanes. */
static inline wide32 widen(float x) { return x - wide32{}; }
static inline wide64 widen(double x) { return x - wide64{}; }
template <class W, class V> static inline W repeat(V v)
{
    W wide;
    for (unsigned at = 0; at < sizeof wide; at += sizeof v)
        __builtin_memcpy((char *)&wide + at, &v, sizeof v);
    return wide;
}
static inline wide32 widen(f32x4 v) { return repeat<wide32>(v); }
static inline wide64 widen(f64x2 v) { return repeat<wide64>(v); }
#if CUNA_LANES_BYTES >= 32
static inline wide32 widen(f32x8 v) { return repeat<wide32>(v); }
static inline wide64 widen(f64x4 v) { return repeat<wide64>(v); }
#endif
#if CUNA_LANES_BYTES == 64
static inline wide32 widen(f32x16 v) { return v; }
static inline wide64 widen(f64x8 v) { return v; }
#endif

template <class V, class W> static inline V narrow(W wide)
{
    V v;
    __builtin_memcpy(&v, &wide, sizeof v);
    return v;
}

/* Does the lanes marked in `bad` again by the scalar function. */
template <class W, class M, class F> static inline W repair(W result, M bad, F scalar)
{
    words marks = (words)bad;
    long long any = 0;
    for (int i = 0; i < CUNA_LANES_BYTES / 8; ++i)
        any |= marks[i];
    if (__builtin_expect(any != 0, 0))
        for (unsigned i = 0; i < sizeof(W) / sizeof(result[0]); ++i)
            if (bad[i])
                result[i] = scalar(i);
    return result;
}

/* base_<name>(v): libmvec's function on the wide vector, or libm's lane by lane. */
#ifdef CUNA_LANES_LIBM
#define LANE(T, f, ...)                                                                                               \
    T r;                                                                                                              \
    for (unsigned i = 0; i < sizeof r / sizeof r[0]; ++i)                                                             \
        r[i] = f(__VA_ARGS__);                                                                                        \
    return r;
#define DEFINE(name)                                                                                                  \
    static inline wide32 base_##name(wide32 x) { LANE(wide32, __builtin_##name##f, x[i]) }                            \
    static inline wide64 base_##name(wide64 x) { LANE(wide64, __builtin_##name, x[i]) }
#define DEFINE2(name)                                                                                                 \
    static inline wide32 base_##name(wide32 x, wide32 y) { LANE(wide32, __builtin_##name##f, x[i], y[i]) }            \
    static inline wide64 base_##name(wide64 x, wide64 y) { LANE(wide64, __builtin_##name, x[i], y[i]) }
#else
#define DEFINE(name)                                                                                                  \
    extern "C" wide32 MVEC32(v, name##f)(wide32) __attribute__((const));                                              \
    extern "C" wide64 MVEC64(v, name)(wide64) __attribute__((const));                                                 \
    static inline wide32 base_##name(wide32 x) { return MVEC32(v, name##f)(x); }                                      \
    static inline wide64 base_##name(wide64 x) { return MVEC64(v, name)(x); }
#define DEFINE2(name)                                                                                                 \
    extern "C" wide32 MVEC32(vv, name##f)(wide32, wide32) __attribute__((const));                                     \
    extern "C" wide64 MVEC64(vv, name)(wide64, wide64) __attribute__((const));                                        \
    static inline wide32 base_##name(wide32 x, wide32 y) { return MVEC32(vv, name##f)(x, y); }                        \
    static inline wide64 base_##name(wide64 x, wide64 y) { return MVEC64(vv, name)(x, y); }
#endif
UNARY_ROWS(DEFINE)
DEFINE2(pow) DEFINE2(atan2) DEFINE2(hypot)
#undef DEFINE
#undef DEFINE2

/* wide_<name>(v): the function that all names share. The template serves where libmvec is good enough. */
#define DEFINE(name)                                                                                                  \
    template <class W> static inline W wide_##name(W x) { return base_##name(x); }
UNARY_ROWS(DEFINE)
#undef DEFINE
static inline wide32 wide_atan2(wide32 x, wide32 y) { return base_atan2(x, y); }
static inline wide64 wide_atan2(wide64 x, wide64 y) { return base_atan2(x, y); }
static inline wide32 wide_hypot(wide32 x, wide32 y) { return base_hypot(x, y); }
static inline wide64 wide_hypot(wide64 x, wide64 y) { return base_hypot(x, y); }

/* libmvec leaves lanes with no normal result to libm, one by one. Where many have one (a softmax of masked scores, the
 * logarithm of counts, powers of a picture's black), its value is known, and libmvec gets a number that has a normal one:
 * exp(x) is 0 below `least` and infinite above `most`. */
template <class W, class T, class F> static inline W within(W x, T least, T most, F exponential)
{
    auto gone = x < least, great = x > most;
    W y = exponential(gone | great ? W{} : x);
    return gone ? W{} : great ? W{} + T(__builtin_inf()) : y;
}
static inline wide32 wide_exp(wide32 x) { return within(x, -104.0f, 89.0f, [](wide32 v) { return base_exp(v); }); }
static inline wide64 wide_exp(wide64 x) { return within(x, -746.0, 710.0, [](wide64 v) { return base_exp(v); }); }
static inline wide32 wide_exp2(wide32 x) { return within(x, -150.0f, 128.0f, [](wide32 v) { return base_exp2(v); }); }
static inline wide64 wide_exp2(wide64 x) { return within(x, -1075.0, 1024.0, [](wide64 v) { return base_exp2(v); }); }

template <class W, class F> static inline W but_zero(W x, F logarithm)
{
    auto zero = x == 0;
    W y = logarithm(zero ? W{} + 1 : x);
    return zero ? W{} - __builtin_inff() : y;
}
static inline wide32 wide_log(wide32 x) { return but_zero(x, [](wide32 v) { return base_log(v); }); }
static inline wide64 wide_log(wide64 x) { return but_zero(x, [](wide64 v) { return base_log(v); }); }
static inline wide32 wide_log2(wide32 x) { return but_zero(x, [](wide32 v) { return base_log2(v); }); }
static inline wide64 wide_log2(wide64 x) { return but_zero(x, [](wide64 v) { return base_log2(v); }); }

/* A power of +0, all of whose bits are 0, is +0 where the exponent is positive. */
template <class M, class W, class F> static inline W power(W x, W y, F of)
{
    auto gone = ((M)x == 0) & (y > 0);
    W z = of(gone ? W{} + 1 : x, y);
    return gone ? W{} : z;
}
static inline wide32 wide_pow(wide32 x, wide32 y)
{
    return power<ints>(x, y, [](wide32 a, wide32 b) { return base_pow(a, b); });
}
static inline wide64 wide_pow(wide64 x, wide64 y)
{
    return power<words>(x, y, [](wide64 a, wide64 b) { return base_pow(a, b); });
}

/* Halves of a wide32 as doubles, and back. */
static inline wide64 low_half(wide32 x)
{
    half32 half;
    __builtin_memcpy(&half, &x, sizeof half);
    return __builtin_convertvector(half, wide64);
}

static inline wide64 high_half(wide32 x)
{
    half32 half;
    __builtin_memcpy(&half, (const char *)&x + sizeof half, sizeof half);
    return __builtin_convertvector(half, wide64);
}

static inline wide32 join(wide64 low, wide64 high)
{
    half32 halves[2] = {__builtin_convertvector(low, half32), __builtin_convertvector(high, half32)};
    wide32 whole;
    __builtin_memcpy(&whole, halves, sizeof whole);
    return whole;
}

/* The float forms of these miss landmarks (exp10(1), cbrt(27)); double ones rounded to float do not. */
static inline wide32 wide_exp10(wide32 x) { return join(base_exp10(low_half(x)), base_exp10(high_half(x))); }
static inline wide32 wide_cbrt(wide32 x) { return join(base_cbrt(low_half(x)), base_cbrt(high_half(x))); }

static inline wide32 vector_abs(wide32 x) { return (wide32)((words)x & ~(words)widen(-0.0f)); }
static inline wide64 vector_abs(wide64 x) { return (wide64)((words)x & ~(words)widen(-0.0)); }

/* One Newton step with the residual in twice the precision, so that the roots of cubes are exact. */
static inline wide64 wide_cbrt(wide64 x)
{
    wide64 root = base_cbrt(x);
#ifdef __FMA__
    wide64 square = root * root, error, residual;
    for (unsigned i = 0; i < sizeof x / sizeof x[0]; ++i)
        error[i] = __builtin_fma(root[i], root[i], -square[i]);
    for (unsigned i = 0; i < sizeof x / sizeof x[0]; ++i)
        residual[i] = __builtin_fma(square[i], root[i], -x[i]);
    wide64 better = root - (residual + error * root) / (3 * square);
    wide64 size = vector_abs(x);
    root = (size > 1e-270) & (size < 1e308) ? better : root;
#endif
    return root;
}

/* A logarithm within a few ulp of an integer, but not on it, may be that of a power of ten: libm knows those. */
static inline wide32 sharp_log10(wide32 x)
{
    wide32 y = base_log10(x), nearest = (y + 12582912.0f) - 12582912.0f;
    auto doubtful = (y != nearest) & (vector_abs(y - nearest) < vector_abs(y) * 4e-7f);
    return repair(y, doubtful, [&](unsigned i) { return __builtin_log10f(x[i]); });
}

static inline wide64 sharp_log10(wide64 x)
{
    wide64 y = base_log10(x), nearest = (y + 6755399441055744.0) - 6755399441055744.0;
    auto doubtful = (y != nearest) & (vector_abs(y - nearest) < vector_abs(y) * 1e-15);
    return repair(y, doubtful, [&](unsigned i) { return __builtin_log10(x[i]); });
}

static inline wide32 wide_log10(wide32 x) { return but_zero(x, [](wide32 v) { return sharp_log10(v); }); }
static inline wide64 wide_log10(wide64 x) { return but_zero(x, [](wide64 v) { return sharp_log10(v); }); }

/* fmod by one division when the quotient is small: x - trunc(x / y) * y is exact (for floats the product fits a double,
 * for doubles fma keeps it); a quotient rounded up to the next integer shows as a negative rest. NaN: cannot say. */
template <bool fused> static inline wide64 short_fmod(wide64 x, wide64 y)
{
    wide64 size = vector_abs(x), step = vector_abs(y), quotient = size / step, rest;
    words known = (quotient < 268435456) & (step < __builtin_inf());
    quotient = known ? quotient : wide64{};
    wide64 whole = __builtin_convertvector(__builtin_convertvector(quotient, half_ints), wide64);
    if (fused)
        for (unsigned i = 0; i < sizeof x / sizeof x[0]; ++i)
            rest[i] = __builtin_fma(-whole[i], step[i], size[i]);
    else
        rest = size - whole * step;
    rest = rest < 0 ? rest + step : rest;
    wide64 result = (wide64)((words)rest | ((words)x & (words)widen(-0.0)));
    return known ? result : widen(__builtin_nan(""));
}

static inline wide32 wide_fmod(wide32 x, wide32 y)
{
    wide32 rest = join(short_fmod<false>(low_half(x), low_half(y)), short_fmod<false>(high_half(x), high_half(y)));
    return repair(rest, rest != rest, [&](unsigned i) { return __builtin_fmodf(x[i], y[i]); });
}

static inline wide64 wide_fmod(wide64 x, wide64 y)
{
#ifdef __FMA__
    wide64 rest = short_fmod<true>(x, y);
#else
    wide64 rest = widen(__builtin_nan(""));
#endif
    return repair(rest, rest != rest, [&](unsigned i) { return __builtin_fmod(x[i], y[i]); });
}

/* The names that the vectoriser looks for. */
#define NAME(V, symbol, f)                                                                                            \
    HIDDEN V symbol(V x) { return narrow<V>(wide_##f(widen(x))); }
#define NAME2(V, symbol, f)                                                                                           \
    HIDDEN V symbol(V x, V y) { return narrow<V>(wide_##f(widen(x), widen(y))); }
#define SCALAR_AND_SSE(NAME, kinds, f)                                                                                \
    NAME(float, cuna_##f##_f32, f)                                                                                    \
    NAME(double, cuna_##f##_f64, f)                                                                                   \
    NAME(f32x4, _ZGVbN4##kinds##_cuna_##f##_f32, f)                                                                   \
    NAME(f64x2, _ZGVbN2##kinds##_cuna_##f##_f64, f)
#define AVX(NAME, kinds, f)                                                                                           \
    NAME(f32x8, _ZGVcN8##kinds##_cuna_##f##_f32, f)                                                                   \
    NAME(f32x8, _ZGVdN8##kinds##_cuna_##f##_f32, f)                                                                   \
    NAME(f64x4, _ZGVcN4##kinds##_cuna_##f##_f64, f)                                                                   \
    NAME(f64x4, _ZGVdN4##kinds##_cuna_##f##_f64, f)
#define AVX512(NAME, kinds, f)                                                                                        \
    NAME(f32x16, _ZGVeN16##kinds##_cuna_##f##_f32, f)                                                                 \
    NAME(f64x8, _ZGVeN8##kinds##_cuna_##f##_f64, f)

#define DEFINE(f) SCALAR_AND_SSE(NAME, v, f)
#define DEFINE2(f) SCALAR_AND_SSE(NAME2, vv, f)
UNARY_ROWS(DEFINE)
BINARY_ROWS(DEFINE2)
#undef DEFINE
#undef DEFINE2
#if CUNA_LANES_BYTES >= 32
#define DEFINE(f) AVX(NAME, v, f)
#define DEFINE2(f) AVX(NAME2, vv, f)
UNARY_ROWS(DEFINE)
BINARY_ROWS(DEFINE2)
#undef DEFINE
#undef DEFINE2
#endif
#if CUNA_LANES_BYTES == 64
#define DEFINE(f) AVX512(NAME, v, f)
#define DEFINE2(f) AVX512(NAME2, vv, f)
UNARY_ROWS(DEFINE)
BINARY_ROWS(DEFINE2)
#endif

#endif
