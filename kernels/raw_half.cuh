/* raw_half.cuh: the names of <cuda_fp16.h> and <cuda_bf16.h> that kernels use, for all devices.
 *
 * Follows the device's vocabulary of CUDA C++ (raw_cpu.h and the headers beside it, or NVRTC and raw_cuda.h). Both
 * types are 16 bits of storage; every operation is float's, rounded to nearest even once more, which gives the same
 * bits as arithmetic of 16 bits, but for fma of bfloat16. Mixed operands (half + float) are ambiguous, as in CUDA's
 * headers. */
#ifndef CUNA_RAW_HALF
#define CUNA_RAW_HALF
#define CUNA_HALF static __device__ __forceinline__

namespace cuna_half {

/* The double as a float that rounds to 16 bits as the double does: all bits far below become one. */
CUNA_HALF float sticky(double x)
{
    unsigned long long bits = (unsigned long long)__double_as_longlong(x), below = bits & ((1ull << 39) - 1);
    return float(__longlong_as_double((long long)((bits ^ below) | (below ? 1ull << 39 : 0))));
}

#ifdef CUNA_CPU

CUNA_HALF unsigned short half_bits(float x) { return x == x ? cuna::to_float16(x).bits : 0x7fff; }
CUNA_HALF float half_value(unsigned short bits) { return cuna::to_float(cuna::float16{bits}); }

#else

CUNA_HALF unsigned short half_bits(float x)
{
    unsigned short bits;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(x));
    return bits;
}
CUNA_HALF float half_value(unsigned short bits)
{
    float x;
    asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(bits));
    return x;
}

#endif

CUNA_HALF unsigned short bfloat16_bits(float x)
{
    unsigned bits = __float_as_uint(x);
    return (unsigned short)(x == x ? (bits + 0x7fff + (bits >> 16 & 1)) >> 16 : 0x7fff);
}
CUNA_HALF float bfloat16_value(unsigned short bits) { return __uint_as_float(unsigned(bits) << 16); }

/* The bits of 16 that follow `bits`, which are x rounded to nearest, where x is rounded up (1), down (-1) or to 0. */
CUNA_HALF int direct(int bits, float rounded, float x, int towards)
{
    int sign = bits & 0x8000 ? -1 : 1, wanted = towards != 0 ? towards : -sign;
    bool wrong = wanted > 0 ? rounded < x : rounded > x;
    return wrong ? bits + wanted * sign : bits;
}

CUNA_HALF bool unordered(float a, float b) { return a != a || b != b; }
CUNA_HALF float to_unit(float x) { return x > 0 ? x < 1 ? x : 1.0f : 0.0f; } /* of NaN too */
CUNA_HALF float to_positive(float x) { return x <= 0 ? 0.0f : x; }

/* Integers saturate. */
CUNA_HALF int between(int x, int low, int high) { return x < low ? low : x > high ? high : x; }
CUNA_HALF signed char to_char(int x) { return (signed char)between(x, -128, 127); }
CUNA_HALF unsigned char to_uchar(int x) { return (unsigned char)between(x, 0, 255); }
CUNA_HALF short to_short(int x) { return (short)between(x, -32768, 32767); }
CUNA_HALF unsigned short to_ushort(int x) { return (unsigned short)between(x, 0, 65535); }

}

#define CUNA_HALF_FROM(H, N, T)                                                                                        \
    __device__ __forceinline__ H(T x) : __x(cuna_half::N##_bits(cuna_half::sticky(double(x)))) {}
#define CUNA_HALF_OPERATOR(H, op)                                                                                      \
    CUNA_HALF H operator op(H a, H b) { return H(float(a) op float(b)); }                                              \
    CUNA_HALF H &operator op##=(H &a, H b) { return a = a op b; }
/* Ordered comparisons are false for NaN, those with a u are true. */
#define CUNA_HALF_TEST(H, H2, name, of_operator, op)                                                                   \
    CUNA_HALF bool operator op(H a, H b) { return float(a) op float(b); }                                              \
    CUNA_HALF bool __h##name(H a, H b) { return !cuna_half::unordered(a, b) && a op b; }                               \
    CUNA_HALF bool __h##name##u(H a, H b) { return cuna_half::unordered(a, b) || a op b; }                             \
    CUNA_HALF_TEST2(H, H2, name) CUNA_HALF_TEST2(H, H2, name##u)                                                       \
    CUNA_HALF bool operator op(H2 a, H2 b) { return __hb##of_operator##2(a, b); }
#define CUNA_HALF_TEST2(H, H2, name)                                                                                   \
    CUNA_HALF H2 __h##name##2(H2 a, H2 b) { return H2(H(float(__h##name(a.x, b.x))), H(float(__h##name(a.y, b.y)))); } \
    CUNA_HALF bool __hb##name##2(H2 a, H2 b) { return __h##name(a.x, b.x) && __h##name(a.y, b.y); }                    \
    CUNA_HALF unsigned __h##name##2_mask(H2 a, H2 b)                                                                   \
    {                                                                                                                  \
        return (__h##name(a.x, b.x) ? 0xffffu : 0) | (__h##name(a.y, b.y) ? 0xffff0000u : 0);                          \
    }
#define CUNA_HALF_PAIR(H2, op)                                                                                         \
    CUNA_HALF H2 operator op(H2 a, H2 b) { return H2(a.x op b.x, a.y op b.y); }                                        \
    CUNA_HALF H2 &operator op##=(H2 &a, H2 b) { return a = a op b; }
#define CUNA_HALF_FUNCTION(H, H2, name, f)                                                                             \
    CUNA_HALF H h##name(H x) { return H(f(float(x))); }                                                                \
    CUNA_HALF H2 h2##name(H2 x) { return H2(h##name(x.x), h##name(x.y)); }
#define CUNA_HALF_ARITHMETIC(H, H2, name, op)                                                                          \
    CUNA_HALF H __h##name(H a, H b) { return a op b; }                                                                 \
    CUNA_HALF H __h##name##_rn(H a, H b) { return a op b; }                                                            \
    CUNA_HALF H __h##name##_sat(H a, H b) { return H(cuna_half::to_unit(a op b)); }                                    \
    CUNA_HALF H2 __h##name##2(H2 a, H2 b) { return a op b; }                                                           \
    CUNA_HALF H2 __h##name##2_rn(H2 a, H2 b) { return a op b; }                                                        \
    CUNA_HALF H2 __h##name##2_sat(H2 a, H2 b) { return H2(__h##name##_sat(a.x, b.x), __h##name##_sat(a.y, b.y)); }
#define CUNA_HALF_ROUNDED(H, N, I, T, real)                                                                            \
    CUNA_HALF H __##I##2##N##_rz(T x) { return __##N##_directed(real##_rz(x), 0); }                                    \
    CUNA_HALF H __##I##2##N##_rd(T x) { return __##N##_directed(real##_rd(x), -1); }                                   \
    CUNA_HALF H __##I##2##N##_ru(T x) { return __##N##_directed(real##_ru(x), 1); }
/* W: the integers that the intrinsics have, which `fit` makes of type T. */
#define CUNA_HALF_INTEGER(H, N, I, T, W, fit)                                                                          \
    CUNA_HALF T __##N##2##I##_rn(H x) { return fit(__float2##W##_rn(x)); }                                             \
    CUNA_HALF T __##N##2##I##_rz(H x) { return fit(__float2##W##_rz(x)); }                                             \
    CUNA_HALF T __##N##2##I##_ru(H x) { return fit(__float2##W##_ru(x)); }                                             \
    CUNA_HALF T __##N##2##I##_rd(H x) { return fit(__float2##W##_rd(x)); }                                             \
    CUNA_HALF H __##I##2##N##_rn(T x) { return H(x); }                                                                 \
    CUNA_HALF_ROUNDED(H, N, I, T, __##W##2float)

#define CUNA_HALF_TYPES(H, H2, N)                                                                                      \
    struct alignas(2) H##_raw {                                                                                        \
        unsigned short x;                                                                                              \
    };                                                                                                                 \
    struct alignas(4) H2##_raw {                                                                                       \
        unsigned short x, y;                                                                                           \
    };                                                                                                                 \
    struct alignas(2) H {                                                                                              \
        unsigned short __x;                                                                                            \
        H() = default;                                                                                                 \
        __device__ __forceinline__ H(H##_raw raw) : __x(raw.x) {}                                                      \
        __device__ __forceinline__ operator H##_raw() const { return H##_raw{__x}; }                                   \
        __device__ __forceinline__ H(float x) : __x(cuna_half::N##_bits(x)) {}                                         \
        CUNA_HALF_FROM(H, N, double) CUNA_HALF_FROM(H, N, short) CUNA_HALF_FROM(H, N, unsigned short)                  \
        CUNA_HALF_FROM(H, N, int) CUNA_HALF_FROM(H, N, unsigned) CUNA_HALF_FROM(H, N, long)                            \
        CUNA_HALF_FROM(H, N, unsigned long) CUNA_HALF_FROM(H, N, long long) CUNA_HALF_FROM(H, N, unsigned long long)   \
        __device__ __forceinline__ operator float() const { return cuna_half::N##_value(__x); }                        \
    };                                                                                                                 \
    struct alignas(4) H2 {                                                                                             \
        H x, y;                                                                                                        \
        H2() = default;                                                                                                \
        __device__ __forceinline__ H2(H a, H b) : x(a), y(b) {}                                                        \
        __device__ __forceinline__ H2(H2##_raw raw) : x(H##_raw{raw.x}), y(H##_raw{raw.y}) {}                          \
        __device__ __forceinline__ operator H2##_raw() const { return H2##_raw{x.__x, y.__x}; }                        \
    };                                                                                                                 \
    CUNA_HALF_OPERATOR(H, +) CUNA_HALF_OPERATOR(H, -) CUNA_HALF_OPERATOR(H, *) CUNA_HALF_OPERATOR(H, /)                \
    CUNA_HALF_PAIR(H2, +) CUNA_HALF_PAIR(H2, -) CUNA_HALF_PAIR(H2, *) CUNA_HALF_PAIR(H2, /)                            \
    CUNA_HALF_TEST(H, H2, eq, eq, ==) CUNA_HALF_TEST(H, H2, ne, neu, !=) CUNA_HALF_TEST(H, H2, lt, lt, <)              \
    CUNA_HALF_TEST(H, H2, le, le, <=) CUNA_HALF_TEST(H, H2, gt, gt, >) CUNA_HALF_TEST(H, H2, ge, ge, >=)               \
    CUNA_HALF H __##N##_of_bits(int bits)                                                                              \
    {                                                                                                                  \
        H x;                                                                                                           \
        x.__x = (unsigned short)bits;                                                                                  \
        return x;                                                                                                      \
    }                                                                                                                  \
    CUNA_HALF H __ushort_as_##N(unsigned short bits) { return __##N##_of_bits(bits); }                                 \
    CUNA_HALF H __short_as_##N(short bits) { return __##N##_of_bits(bits); }                                           \
    CUNA_HALF unsigned short __##N##_as_ushort(H x) { return x.__x; }                                                  \
    CUNA_HALF short __##N##_as_short(H x) { return (short)x.__x; }                                                     \
    CUNA_HALF H operator-(H x) { return __##N##_of_bits(x.__x ^ 0x8000); }                                             \
    CUNA_HALF H operator+(H x) { return x; }                                                                           \
    CUNA_HALF H &operator++(H &x) { return x = x + H(1.0f); }                                                          \
    CUNA_HALF H &operator--(H &x) { return x = x - H(1.0f); }                                                          \
    CUNA_HALF H operator++(H &x, int) { H old = x; return ++x, old; }                                                  \
    CUNA_HALF H operator--(H &x, int) { H old = x; return --x, old; }                                                  \
    CUNA_HALF H2 operator-(H2 x) { return H2(-x.x, -x.y); }                                                            \
    CUNA_HALF H __##N##_directed(float x, int towards)                                                                 \
    {                                                                                                                  \
        return __##N##_of_bits(cuna_half::direct(H(x).__x, H(x), x, towards));                                         \
    }                                                                                                                  \
    CUNA_HALF H __float2##N##_rz(float x) { return __##N##_directed(x, 0); }                                           \
    CUNA_HALF H __float2##N##_rd(float x) { return __##N##_directed(x, -1); }                                          \
    CUNA_HALF H __float2##N##_ru(float x) { return __##N##_directed(x, 1); }                                           \
    CUNA_HALF H __float2##N(float x) { return H(x); }                                                                  \
    CUNA_HALF H __float2##N##_rn(float x) { return H(x); }                                                             \
    CUNA_HALF H __double2##N(double x) { return H(x); }                                                                \
    CUNA_HALF float __##N##2float(H x) { return x; }                                                                   \
    CUNA_HALF_INTEGER(H, N, int, int, int, ) CUNA_HALF_INTEGER(H, N, uint, unsigned, uint, )                           \
    CUNA_HALF_INTEGER(H, N, short, short, int, cuna_half::to_short)                                                    \
    CUNA_HALF_INTEGER(H, N, ushort, unsigned short, int, cuna_half::to_ushort)                                         \
    CUNA_HALF_INTEGER(H, N, ll, long long, ll, ) CUNA_HALF_INTEGER(H, N, ull, unsigned long long, ull, )               \
    CUNA_HALF signed char __##N##2char_rz(H x) { return cuna_half::to_char(__float2int_rz(x)); }                       \
    CUNA_HALF unsigned char __##N##2uchar_rz(H x) { return cuna_half::to_uchar(__float2int_rz(x)); }                   \
    CUNA_HALF_ARITHMETIC(H, H2, add, +) CUNA_HALF_ARITHMETIC(H, H2, sub, -) CUNA_HALF_ARITHMETIC(H, H2, mul, *)        \
    CUNA_HALF H __hdiv(H a, H b) { return a / b; }                                                                     \
    CUNA_HALF H __hfma(H a, H b, H c) { return H(double(float(a)) * double(float(b)) + double(float(c))); }            \
    CUNA_HALF H __hfma_sat(H a, H b, H c) { return H(cuna_half::to_unit(__hfma(a, b, c))); }                           \
    CUNA_HALF H __hfma_relu(H a, H b, H c) { return H(cuna_half::to_positive(__hfma(a, b, c))); }                      \
    CUNA_HALF H __hneg(H x) { return -x; }                                                                             \
    CUNA_HALF H __habs(H x) { return __##N##_of_bits(x.__x & 0x7fff); }                                                \
    CUNA_HALF H __hmax(H a, H b) { return a == b ? __##N##_of_bits(a.__x & b.__x) : H(fmaxf(a, b)); }                  \
    CUNA_HALF H __hmin(H a, H b) { return a == b ? __##N##_of_bits(a.__x | b.__x) : H(fminf(a, b)); }                  \
    CUNA_HALF H __hmax_nan(H a, H b) { return cuna_half::unordered(a, b) ? a + b : __hmax(a, b); }                     \
    CUNA_HALF H __hmin_nan(H a, H b) { return cuna_half::unordered(a, b) ? a + b : __hmin(a, b); }                     \
    CUNA_HALF bool __hisnan(H x) { return isnan(float(x)); }                                                           \
    CUNA_HALF int __hisinf(H x) { return isinf(float(x)) ? float(x) > 0 ? 1 : -1 : 0; }                                \
    CUNA_HALF H2 make_##N##2(H a, H b) { return H2(a, b); }                                                            \
    CUNA_HALF H2 __halves2##N##2(H a, H b) { return H2(a, b); }                                                        \
    CUNA_HALF H2 __##N##2##N##2(H x) { return H2(x, x); }                                                              \
    CUNA_HALF H2 __float2##N##2_rn(float x) { return H2(H(x), H(x)); }                                                 \
    CUNA_HALF H2 __floats2##N##2_rn(float a, float b) { return H2(H(a), H(b)); }                                       \
    CUNA_HALF H2 __float22##N##2_rn(float2 x) { return H2(H(x.x), H(x.y)); }                                           \
    CUNA_HALF float2 __##N##22float2(H2 x) { return make_float2(x.x, x.y); }                                           \
    CUNA_HALF H __low2##N(H2 x) { return x.x; }                                                                        \
    CUNA_HALF H __high2##N(H2 x) { return x.y; }                                                                       \
    CUNA_HALF float __low2float(H2 x) { return x.x; }                                                                  \
    CUNA_HALF float __high2float(H2 x) { return x.y; }                                                                 \
    CUNA_HALF H2 __low2##N##2(H2 x) { return H2(x.x, x.x); }                                                           \
    CUNA_HALF H2 __high2##N##2(H2 x) { return H2(x.y, x.y); }                                                          \
    CUNA_HALF H2 __lowhigh2highlow(H2 x) { return H2(x.y, x.x); }                                                      \
    CUNA_HALF H2 __lows2##N##2(H2 a, H2 b) { return H2(a.x, b.x); }                                                    \
    CUNA_HALF H2 __highs2##N##2(H2 a, H2 b) { return H2(a.y, b.y); }                                                   \
    CUNA_HALF H2 __h2div(H2 a, H2 b) { return a / b; }                                                                 \
    CUNA_HALF H2 __hfma2(H2 a, H2 b, H2 c) { return H2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)); }                \
    CUNA_HALF H2 __hfma2_sat(H2 a, H2 b, H2 c) { return H2(__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y)); }    \
    CUNA_HALF H2 __hfma2_relu(H2 a, H2 b, H2 c) { return H2(__hfma_relu(a.x, b.x, c.x), __hfma_relu(a.y, b.y, c.y)); } \
    CUNA_HALF H2 __hcmadd(H2 a, H2 b, H2 c)                                                                            \
    {                                                                                                                  \
        return H2(__hfma(-a.y, b.y, __hfma(a.x, b.x, c.x)), __hfma(a.y, b.x, __hfma(a.x, b.y, c.y)));                  \
    }                                                                                                                  \
    CUNA_HALF H2 __hmax2_nan(H2 a, H2 b) { return H2(__hmax_nan(a.x, b.x), __hmax_nan(a.y, b.y)); }                    \
    CUNA_HALF H2 __hmin2_nan(H2 a, H2 b) { return H2(__hmin_nan(a.x, b.x), __hmin_nan(a.y, b.y)); }                    \
    CUNA_HALF H2 __hisnan2(H2 x) { return H2(H(float(__hisnan(x.x))), H(float(__hisnan(x.y)))); }                      \
    CUNA_HALF H2 __hneg2(H2 x) { return -x; }                                                                          \
    CUNA_HALF H2 __habs2(H2 x) { return H2(__habs(x.x), __habs(x.y)); }                                                \
    CUNA_HALF H2 __hmax2(H2 a, H2 b) { return H2(__hmax(a.x, b.x), __hmax(a.y, b.y)); }                                \
    CUNA_HALF H2 __hmin2(H2 a, H2 b) { return H2(__hmin(a.x, b.x), __hmin(a.y, b.y)); }                                \
    CUNA_HALF_FUNCTION(H, H2, sqrt, sqrtf) CUNA_HALF_FUNCTION(H, H2, rsqrt, rsqrtf)                                    \
    CUNA_HALF_FUNCTION(H, H2, rcp, 1.0f /) CUNA_HALF_FUNCTION(H, H2, exp, expf)                                        \
    CUNA_HALF_FUNCTION(H, H2, exp2, exp2f) CUNA_HALF_FUNCTION(H, H2, exp10, exp10f)                                    \
    CUNA_HALF_FUNCTION(H, H2, log, logf) CUNA_HALF_FUNCTION(H, H2, log2, log2f)                                        \
    CUNA_HALF_FUNCTION(H, H2, log10, log10f) CUNA_HALF_FUNCTION(H, H2, sin, sinf)                                      \
    CUNA_HALF_FUNCTION(H, H2, cos, cosf) CUNA_HALF_FUNCTION(H, H2, tanh, tanhf)                                        \
    CUNA_HALF_FUNCTION(H, H2, floor, floorf) CUNA_HALF_FUNCTION(H, H2, ceil, ceilf)                                    \
    CUNA_HALF_FUNCTION(H, H2, trunc, truncf) CUNA_HALF_FUNCTION(H, H2, rint, rintf)
CUNA_HALF_TYPES(__half, __half2, half)
CUNA_HALF_TYPES(__nv_bfloat16, __nv_bfloat162, bfloat16)

typedef __half half;
typedef __half2 half2;
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#ifndef CUNA_CPU

/* What the cpu device's templates take without more words. */
#define CUNA_HALF_WORDS(H, Word)                                                                                       \
    CUNA_HALF H __ldg(const H *p)                                                                                      \
    {                                                                                                                  \
        Word word = __ldg((const Word *)p);                                                                            \
        return *(H *)&word;                                                                                            \
    }                                                                                                                  \
    CUNA_HALF H atomicAdd(H *p, H v)                                                                                   \
    {                                                                                                                  \
        Word before = *(Word *)p, seen;                                                                                \
        for (;; before = seen) {                                                                                       \
            H sum = *(H *)&before + v;                                                                                 \
            seen = atomicCAS((Word *)p, before, *(Word *)&sum);                                                        \
            if (seen == before)                                                                                        \
                return *(H *)&seen;                                                                                    \
        }                                                                                                              \
    }                                                                                                                  \
    CUNA_HALF_SHUFFLE(H, Word, __shfl_sync, int) CUNA_HALF_SHUFFLE(H, Word, __shfl_up_sync, unsigned)                  \
    CUNA_HALF_SHUFFLE(H, Word, __shfl_down_sync, unsigned) CUNA_HALF_SHUFFLE(H, Word, __shfl_xor_sync, int)
#define CUNA_HALF_SHUFFLE(H, Word, name, D)                                                                            \
    CUNA_HALF H name(unsigned mask, H x, D distance, int width = 32)                                                   \
    {                                                                                                                  \
        Word word = (Word)name(mask, (unsigned)*(Word *)&x, distance, width);                                          \
        return *(H *)&word;                                                                                            \
    }
CUNA_HALF_WORDS(__half, unsigned short)
CUNA_HALF_WORDS(__half2, unsigned)
CUNA_HALF_WORDS(__nv_bfloat16, unsigned short)
CUNA_HALF_WORDS(__nv_bfloat162, unsigned)

#endif
#endif
