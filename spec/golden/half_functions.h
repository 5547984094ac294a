/* half_functions.h: what functions of 16-bit floats give, in kernels and in the program whose results are golden: a
 * hash for each over all pairs of values. Adding 0 hides the sign of zeros, where the functions for hosts have another
 * one than those for GPUs. */
#define HALF_UNARY(X, N)                                                                                               \
    X(neg, __hneg(a)) X(abs, __habs(a)) X(minus, -a) X(isnan, __hisnan(a)) X(isinf, __hisinf(a))                       \
    X(to_float, __##N##2float(a)) X(int_rz, __##N##2int_rz(a)) X(uint_rz, __##N##2uint_rz(a))                          \
    X(short_rz, __##N##2short_rz(a)) X(ushort_rz, __##N##2ushort_rz(a)) X(char_rz, __##N##2char_rz(a))                 \
    X(uchar_rz, __##N##2uchar_rz(a)) X(ll_rz, __##N##2ll_rz(a)) X(ull_rz, __##N##2ull_rz(a))                           \
    X(neg2, __hneg2(p)) X(abs2, __habs2(p)) X(isnan2, __hisnan2(p)) X(after, a++) X(before, --a)                       \
    X(swap, __lowhigh2highlow(p)) X(low2, __low2##N##2(p)) X(high2, __high2##N##2(p))
#define HALF_BINARY(X, N)                                                                                              \
    X(add, __hadd(a, b)) X(sub, __hsub(a, b)) X(mul, __hmul(a, b)) X(div, __hdiv(a, b))                                \
    X(add_rn, __hadd_rn(a, b)) X(sub_rn, __hsub_rn(a, b)) X(mul_rn, __hmul_rn(a, b))                                   \
    X(add_sat, __hadd_sat(a, b)) X(sub_sat, __hsub_sat(a, b)) X(mul_sat, __hmul_sat(a, b))                             \
    X(add2, __hadd2(p, q)) X(sub2, __hsub2(p, q)) X(mul2, __hmul2(p, q)) X(div2, __h2div(p, q))                        \
    X(add2_rn, __hadd2_rn(p, q)) X(add2_sat, __hadd2_sat(p, q)) X(mul2_sat, __hmul2_sat(p, q))                         \
    X(max, __hmax(a, b)) X(min, __hmin(a, b)) X(max_nan, __hmax_nan(a, b) + o) X(min_nan, __hmin_nan(a, b) + o)        \
    X(max2, __hmax2(p, q)) X(min2_nan, __hmin2_nan(p, q) + __halves2##N##2(o, o)) X(lows2, __lows2##N##2(p, q))        \
    X(highs2, __highs2##N##2(p, q)) HALF_TEST(X, eq, ==) HALF_TEST(X, ne, !=) HALF_TEST(X, lt, <)                      \
    HALF_TEST(X, le, <=) HALF_TEST(X, gt, >) HALF_TEST(X, ge, >=)
#define HALF_TEST(X, name, op)                                                                                         \
    X(name, __h##name(a, b)) X(name##u, __h##name##u(a, b)) X(name##2, __h##name##2(p, q))                             \
    X(name##u2, __h##name##u2(p, q)) X(name##_mask, __h##name##2_mask(p, q)) X(name##u_mask, __h##name##u2_mask(p, q)) \
    X(b##name##2, __hb##name##2(p, q)) X(b##name##u2, __hb##name##u2(p, q))                                            \
    X(operator_##name, a op b) X(operator2_##name, p op q)
#define HALF_FROM(X, N)                                                                                                \
    X(float_rn, __float2##N##_rn(f)) X(float_rz, __float2##N##_rz(f)) X(float_rd, __float2##N##_rd(f))                 \
    X(float_ru, __float2##N##_ru(f)) X(doubles, __double2##N(d))                                                       \
    HALF_FROM_INTEGER(X, N, int) HALF_FROM_INTEGER(X, N, uint) HALF_FROM_INTEGER(X, N, short)                          \
    HALF_FROM_INTEGER(X, N, ushort) HALF_FROM_INTEGER(X, N, ll) HALF_FROM_INTEGER(X, N, ull)
#define HALF_FROM_INTEGER(X, N, I) X(I##_to_rn, __##I##2##N##_rn(w)) HALF_DIRECTED_##N(X, I)
#define HALF_DIRECTED_half(X, I)                                                                                       \
    X(I##_to_rz, __##I##2half_rz(w)) X(I##_to_rd, __##I##2half_rd(w)) X(I##_to_ru, __##I##2half_ru(w))
#define HALF_DIRECTED_bfloat16(X, I) /* hosts do not have them */
#define HALF_ROWS(X, N) HALF_UNARY(X, N) HALF_BINARY(X, N) HALF_FROM(X, N)

#define HALF_COUNT(name, expression) +1
enum { NHASHES_half = 0 HALF_ROWS(HALF_COUNT, half), NHASHES_bfloat16 = 0 HALF_ROWS(HALF_COUNT, bfloat16) };

/* NaN is one value. */
#define HALF_FUNCTIONS(H, H2, N, INF)                                                                                  \
    __device__ unsigned long long bits_of(H x)                                                                         \
    {                                                                                                                  \
        unsigned bits = __##N##_as_ushort(x);                                                                          \
        return (bits & 0x7fff) > INF ? 0x7fff : bits;                                                                  \
    }                                                                                                                  \
    __device__ unsigned long long bits_of(H2 x) { return bits_of(x.x) | bits_of(x.y) << 16; }                          \
    __device__ H value_of(H *, int i) { return __ushort_as_##N(half_values[i]); }                                      \
    __device__ void hash_##N(unsigned *hashes)                                                                         \
    {                                                                                                                  \
        int row = 0;                                                                                                   \
        HALF_ROWS(HALF_HASH_##N, N)                                                                                    \
    }
#define HALF_HASH(H, H2, expression)                                                                                   \
    {                                                                                                                  \
        unsigned long long hash = 0;                                                                                   \
        for (int i = 0; i < NVALUES * NVALUES; i++) {                                                                  \
            H a = value_of((H *)0, i / NVALUES), b = value_of((H *)0, i % NVALUES);                                    \
            H2 p(a, b), q(b, value_of((H *)0, (i + 5) % NVALUES));                                                     \
            H o = value_of((H *)0, 0);                                                                                 \
            float f = half_reals[i % NREALS_];                                                                         \
            double d = f * 1.0000001;                                                                                  \
            long long w = half_wholes[i % NWHOLES];                                                                    \
            (void)p, (void)q, (void)o, (void)f, (void)d, (void)w;                                                      \
            hash = (hash ^ bits_of(expression)) * 0x9e3779b97f4a7c15ull;                                               \
            hash ^= hash >> 29;                                                                                        \
        }                                                                                                              \
        hashes[row++] = (unsigned)(hash >> 32);                                                                        \
    }
#define HALF_HASH_half(name, expression) HALF_HASH(__half, __half2, expression)
#define HALF_HASH_bfloat16(name, expression) HALF_HASH(__nv_bfloat16, __nv_bfloat162, expression)

enum { NVALUES = 30, NREALS_ = 22, NWHOLES = 19 };
__device__ const unsigned short half_values[NVALUES] = {
    0x0000, 0x8000, 0x0001, 0x8001, 0x03ff, 0x0400, 0x8400, 0x3c00, 0xbc00, 0x3c01, 0x3bff, 0x3800, 0x3f80, 0xbf80,
    0x4000, 0x4248, 0xc248, 0x5640, 0xd640, 0x63d0, 0x6bcd, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0xfe01, 0x7f80,
    0xff80, 0x47ff};
__device__ const float half_reals[NREALS_] = {
    0.0f, -0.0f, 1.0f, -1.0f, 1.0004f, 1.0005f, -1.0005f, 0.3333333f, -0.3333333f, 65504.0f, 65519.0f,
    65520.0f, -1e6f, 3e38f, -3.4e38f, 6e-8f, 2.9e-8f, -1e-10f, 1e-40f, 1.00390625f, 1.01171875f, 1234.5678f};
__device__ const long long half_wholes[NWHOLES] = {
    0, 1, -1, 2047, 2049, 2051, -2049, 257, 259, -259, 65503, 65505, -70000, 1000001, 2147483647, -2147483647,
    1234567890123456789, -1234567890123456789, 9223372036854775807};

__device__ unsigned long long bits_of(bool x) { return x; }
__device__ unsigned long long bits_of(int x) { return (unsigned)x; }
__device__ unsigned long long bits_of(unsigned x) { return x; }
__device__ unsigned long long bits_of(short x) { return (unsigned short)x; }
__device__ unsigned long long bits_of(unsigned short x) { return x; }
__device__ unsigned long long bits_of(signed char x) { return (unsigned char)x; }
__device__ unsigned long long bits_of(unsigned char x) { return x; }
__device__ unsigned long long bits_of(long long x) { return (unsigned long long)x; }
__device__ unsigned long long bits_of(unsigned long long x) { return x; }
__device__ unsigned long long bits_of(float x)
{
    unsigned bits;
    memcpy(&bits, &x, sizeof bits);
    return x == x ? bits : 0x7fffffff;
}
HALF_FUNCTIONS(__half, __half2, half, 0x7c00)
HALF_FUNCTIONS(__nv_bfloat16, __nv_bfloat162, bfloat16, 0x7f80)
