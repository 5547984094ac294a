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

}

#define CUNA_HALF_FROM(H, N, T)                                                                                        \
    __device__ __forceinline__ H(T x) : __x(cuna_half::N##_bits(cuna_half::sticky(double(x)))) {}
#define CUNA_HALF_OPERATOR(H, op)                                                                                      \
    CUNA_HALF H operator op(H a, H b) { return H(float(a) op float(b)); }                                              \
    CUNA_HALF H &operator op##=(H &a, H b) { return a = a op b; }
#define CUNA_HALF_TEST(H, H2, name, op)                                                                                \
    CUNA_HALF bool operator op(H a, H b) { return float(a) op float(b); }                                              \
    CUNA_HALF bool __h##name(H a, H b) { return float(a) op float(b); }                                                \
    CUNA_HALF H2 __h##name##2(H2 a, H2 b) { return H2(H(float(a.x op b.x)), H(float(a.y op b.y))); }                   \
    CUNA_HALF bool __hb##name##2(H2 a, H2 b) { return a.x op b.x && a.y op b.y; }
#define CUNA_HALF_PAIR(H2, op)                                                                                         \
    CUNA_HALF H2 operator op(H2 a, H2 b) { return H2(a.x op b.x, a.y op b.y); }                                        \
    CUNA_HALF H2 &operator op##=(H2 &a, H2 b) { return a = a op b; }
#define CUNA_HALF_FUNCTION(H, H2, name, f)                                                                             \
    CUNA_HALF H h##name(H x) { return H(f(float(x))); }                                                                \
    CUNA_HALF H2 h2##name(H2 x) { return H2(h##name(x.x), h##name(x.y)); }
#define CUNA_HALF_TO_INTEGER(H, N, I, T)                                                                               \
    CUNA_HALF T __##N##2##I##_rn(H x) { return (T)__float2ll_rn(x); }                                                  \
    CUNA_HALF T __##N##2##I##_rz(H x) { return (T)__float2ll_rz(x); }                                                  \
    CUNA_HALF T __##N##2##I##_ru(H x) { return (T)__float2ll_ru(x); }                                                  \
    CUNA_HALF T __##N##2##I##_rd(H x) { return (T)__float2ll_rd(x); }                                                  \
    CUNA_HALF H __##I##2##N##_rn(T x) { return H(x); }

#define CUNA_HALF_TYPES(H, H2, N)                                                                                      \
    struct alignas(2) H {                                                                                              \
        unsigned short __x;                                                                                            \
        H() = default;                                                                                                 \
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
    };                                                                                                                 \
    CUNA_HALF_OPERATOR(H, +) CUNA_HALF_OPERATOR(H, -) CUNA_HALF_OPERATOR(H, *) CUNA_HALF_OPERATOR(H, /)                \
    CUNA_HALF_PAIR(H2, +) CUNA_HALF_PAIR(H2, -) CUNA_HALF_PAIR(H2, *) CUNA_HALF_PAIR(H2, /)                            \
    CUNA_HALF_TEST(H, H2, eq, ==) CUNA_HALF_TEST(H, H2, ne, !=) CUNA_HALF_TEST(H, H2, lt, <)                           \
    CUNA_HALF_TEST(H, H2, le, <=) CUNA_HALF_TEST(H, H2, gt, >) CUNA_HALF_TEST(H, H2, ge, >=)                           \
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
    CUNA_HALF H2 operator-(H2 x) { return H2(-x.x, -x.y); }                                                            \
    CUNA_HALF bool operator==(H2 a, H2 b) { return a.x == b.x && a.y == b.y; }                                         \
    CUNA_HALF bool operator!=(H2 a, H2 b) { return !(a == b); }                                                        \
    CUNA_HALF H __float2##N(float x) { return H(x); }                                                                  \
    CUNA_HALF H __float2##N##_rn(float x) { return H(x); }                                                             \
    CUNA_HALF H __double2##N(double x) { return H(x); }                                                                \
    CUNA_HALF float __##N##2float(H x) { return x; }                                                                   \
    CUNA_HALF_TO_INTEGER(H, N, int, int) CUNA_HALF_TO_INTEGER(H, N, uint, unsigned)                                    \
    CUNA_HALF_TO_INTEGER(H, N, short, short) CUNA_HALF_TO_INTEGER(H, N, ushort, unsigned short)                        \
    CUNA_HALF_TO_INTEGER(H, N, ll, long long)                                                                          \
    CUNA_HALF H __hadd(H a, H b) { return a + b; }                                                                     \
    CUNA_HALF H __hsub(H a, H b) { return a - b; }                                                                     \
    CUNA_HALF H __hmul(H a, H b) { return a * b; }                                                                     \
    CUNA_HALF H __hdiv(H a, H b) { return a / b; }                                                                     \
    CUNA_HALF H __hfma(H a, H b, H c) { return H(double(float(a)) * double(float(b)) + double(float(c))); }            \
    CUNA_HALF H __hneg(H x) { return -x; }                                                                             \
    CUNA_HALF H __habs(H x) { return __##N##_of_bits(x.__x & 0x7fff); }                                                \
    CUNA_HALF H __hmax(H a, H b) { return H(fmaxf(a, b)); }                                                            \
    CUNA_HALF H __hmin(H a, H b) { return H(fminf(a, b)); }                                                            \
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
    CUNA_HALF H2 __hadd2(H2 a, H2 b) { return a + b; }                                                                 \
    CUNA_HALF H2 __hsub2(H2 a, H2 b) { return a - b; }                                                                 \
    CUNA_HALF H2 __hmul2(H2 a, H2 b) { return a * b; }                                                                 \
    CUNA_HALF H2 __h2div(H2 a, H2 b) { return a / b; }                                                                 \
    CUNA_HALF H2 __hfma2(H2 a, H2 b, H2 c) { return H2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)); }                \
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
