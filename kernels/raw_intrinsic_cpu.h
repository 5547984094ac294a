/* raw_intrinsic_cpu.h: CUDA's numeric intrinsics on the cpu device: bits, integers, roundings, conversions, time.
 *
 * Integer results equal CUDA's bit for bit, as do operations with a rounding in their name: those other than `rn`
 * switch the processor's rounding mode, which is slow. The fast ones (__sinf, ...) are as precise as the full
 * functions. */

/* ---- bits ---- */

#define CUNA_BITS(name, From, To)                                                                                      \
    CUNA_INLINE To name(From x) { return cuna::same_bits<To>(x); }
CUNA_BITS(__float_as_int, float, int)
CUNA_BITS(__float_as_uint, float, unsigned)
CUNA_BITS(__int_as_float, int, float)
CUNA_BITS(__uint_as_float, unsigned, float)
CUNA_BITS(__double_as_longlong, double, long long)
CUNA_BITS(__longlong_as_double, long long, double)
#undef CUNA_BITS
CUNA_INLINE int __double2hiint(double x) { return int(__double_as_longlong(x) >> 32); }
CUNA_INLINE int __double2loint(double x) { return int(__double_as_longlong(x)); }
CUNA_INLINE double __hiloint2double(int high, int low)
{
    return __longlong_as_double((long long)((unsigned long long)unsigned(high) << 32 | unsigned(low)));
}

CUNA_INLINE int __popc(unsigned x) { return __builtin_popcount(x); }
CUNA_INLINE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
CUNA_INLINE int __clz(int x) { return x ? __builtin_clz(unsigned(x)) : 32; }
CUNA_INLINE int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
CUNA_INLINE int __ffs(int x) { return __builtin_ffs(x); }
CUNA_INLINE int __ffsll(long long x) { return __builtin_ffsll(x); }
CUNA_INLINE unsigned __brev(unsigned x)
{
    x = (x >> 1 & 0x55555555) | (x & 0x55555555) << 1;
    x = (x >> 2 & 0x33333333) | (x & 0x33333333) << 2;
    x = (x >> 4 & 0x0f0f0f0f) | (x & 0x0f0f0f0f) << 4;
    return __builtin_bswap32(x);
}
CUNA_INLINE unsigned long long __brevll(unsigned long long x)
{
    return (unsigned long long)__brev(unsigned(x)) << 32 | __brev(unsigned(x >> 32));
}

/* Bit `count` of those set in mask, counted from bit `base` upwards, or downwards if negative; 0: bit `base` itself. */
CUNA_INLINE unsigned __fns(unsigned mask, unsigned base, int count)
{
    int left = count < 0 ? -count : count, step = count < 0 ? -1 : 1;
    if (left == 0)
        return base < 32 && mask >> base & 1 ? base : ~0u;
    for (unsigned at = base; at < 32; at += unsigned(step))
        if (mask >> at & 1 && --left == 0)
            return at;
    return ~0u;
}

CUNA_INLINE unsigned __byte_perm(unsigned x, unsigned y, unsigned selector)
{
    unsigned long long bytes = (unsigned long long)y << 32 | x;
    unsigned result = 0;
    for (int i = 0; i < 32; i += 8, selector >>= 4)
        result |= unsigned(bytes >> 8 * (selector & 7) & 255) << i;
    return result;
}

#define CUNA_FUNNEL(name, limited, shifted)                                                                            \
    CUNA_INLINE unsigned name(unsigned low, unsigned high, unsigned count)                                             \
    {                                                                                                                  \
        unsigned long long both = (unsigned long long)high << 32 | low;                                                \
        count = limited;                                                                                               \
        return unsigned(shifted);                                                                                      \
    }
CUNA_FUNNEL(__funnelshift_l, count & 31, both << count >> 32)
CUNA_FUNNEL(__funnelshift_lc, count < 32 ? count : 32, both << count >> 32)
CUNA_FUNNEL(__funnelshift_r, count & 31, both >> count)
CUNA_FUNNEL(__funnelshift_rc, count < 32 ? count : 32, both >> count)
#undef CUNA_FUNNEL

/* ---- integers ---- */

CUNA_INLINE int __mul24(int x, int y)
{
    return int(((long long)(int(unsigned(x) << 8) >> 8)) * (int(unsigned(y) << 8) >> 8));
}
CUNA_INLINE unsigned __umul24(unsigned x, unsigned y) { return (x & 0xffffff) * (y & 0xffffff); }
CUNA_INLINE int __mulhi(int x, int y) { return int((long long)x * y >> 32); }
CUNA_INLINE unsigned __umulhi(unsigned x, unsigned y) { return unsigned((unsigned long long)x * y >> 32); }
CUNA_INLINE long long __mul64hi(long long x, long long y) { return (long long)((__int128)x * y >> 64); }
CUNA_INLINE unsigned long long __umul64hi(unsigned long long x, unsigned long long y)
{
    return (unsigned long long)((unsigned __int128)x * y >> 64);
}
CUNA_INLINE unsigned __sad(int x, int y, unsigned z) { return (x > y ? unsigned(x) - y : unsigned(y) - x) + z; }
CUNA_INLINE unsigned __usad(unsigned x, unsigned y, unsigned z) { return (x > y ? x - y : y - x) + z; }
CUNA_INLINE int __hadd(int x, int y) { return int(((long long)x + y) >> 1); }
CUNA_INLINE int __rhadd(int x, int y) { return int(((long long)x + y + 1) >> 1); }
CUNA_INLINE unsigned __uhadd(unsigned x, unsigned y) { return unsigned(((unsigned long long)x + y) >> 1); }
CUNA_INLINE unsigned __urhadd(unsigned x, unsigned y) { return unsigned(((unsigned long long)x + y + 1) >> 1); }

namespace cuna_raw {

/* Four products of bytes and c; sums wrap around. */
template <class T, class B> CUNA_INLINE T dot_bytes(T a, T b, T c)
{
    unsigned sum = unsigned(c);
    for (int i = 0; i < 32; i += 8)
        sum += unsigned(B(a >> i)) * unsigned(B(b >> i));
    return T(sum);
}

}

CUNA_INLINE int __dp4a(int a, int b, int c) { return cuna_raw::dot_bytes<int, signed char>(a, b, c); }
CUNA_INLINE unsigned __dp4a(unsigned a, unsigned b, unsigned c)
{
    return cuna_raw::dot_bytes<unsigned, unsigned char>(a, b, c);
}
CUNA_INLINE int __dp2a_lo(int a, int b, int c)
{
    return int(unsigned(c) + unsigned(short(a) * (signed char)b) + unsigned((a >> 16) * (signed char)(b >> 8)));
}
CUNA_INLINE int __dp2a_hi(int a, int b, int c) { return __dp2a_lo(a, b >> 16, c); }

/* ---- floating point with a rounding ---- */

extern "C" int fegetround() noexcept;
extern "C" int fesetround(int) noexcept;

namespace cuna_raw {

#if defined __x86_64__
enum { RZ = 0xc00, RU = 0x800, RD = 0x400 };
#elif defined __aarch64__
enum { RZ = 0xc00000, RU = 0x400000, RD = 0x800000 };
#endif

/* A rounding mode of the processor; operations stay in it by operands and results that are hidden from the compiler. */
struct Rounding {
    int before;
    CUNA_INLINE Rounding(int mode) : before(fegetround()) { fesetround(mode); }
    CUNA_INLINE ~Rounding() { fesetround(before); }
};

}

#define CUNA_HIDE(...) asm volatile("" : __VA_ARGS__ : : "memory")
#define CUNA_MODES(ROWS, name, ...)                                                                                    \
    ROWS(name##_rz, RZ, __VA_ARGS__) ROWS(name##_ru, RU, __VA_ARGS__) ROWS(name##_rd, RD, __VA_ARGS__)
#define CUNA_IN_MODE(mode, R, expression, ...)                                                                         \
    {                                                                                                                  \
        cuna_raw::Rounding rounding(cuna_raw::mode);                                                                   \
        CUNA_HIDE(__VA_ARGS__);                                                                                        \
        R result = expression;                                                                                         \
        CUNA_HIDE("+m"(result));                                                                                       \
        return result;                                                                                                 \
    }
#define CUNA_MODE1(name, mode, R, T, expression)                                                                       \
    inline R name(T x) CUNA_IN_MODE(mode, R, expression, "+m"(x))
#define CUNA_MODE2(name, mode, T, expression)                                                                          \
    inline T name(T x, T y) CUNA_IN_MODE(mode, T, expression, "+m"(x), "+m"(y))
#define CUNA_MODE3(name, mode, T, expression)                                                                          \
    inline T name(T x, T y, T z) CUNA_IN_MODE(mode, T, expression, "+m"(x), "+m"(y), "+m"(z))
#define CUNA_DIRECTED1(name, R, T, expression)                                                                         \
    CUNA_INLINE R name##_rn(T x) { return expression; }                                                                \
    CUNA_MODES(CUNA_MODE1, name, R, T, expression)
#define CUNA_DIRECTED2(name, T, expression)                                                                            \
    CUNA_INLINE T name##_rn(T x, T y) { return expression; }                                                           \
    CUNA_MODES(CUNA_MODE2, name, T, expression)
#define CUNA_DIRECTED3(name, T, expression)                                                                            \
    CUNA_INLINE T name##_rn(T x, T y, T z) { return expression; }                                                      \
    CUNA_MODES(CUNA_MODE3, name, T, expression)
/* Nothing here is joined with a product or sum around it, whatever the options allow. */
#define CUNA_DIRECTED(ADD, SUB, MUL, DIV, RCP, SQRT, FMA, T)                                                           \
    CUNA_DIRECTED2(ADD, T, cuna::rounded(cuna::rounded(x) + cuna::rounded(y)))                                         \
    CUNA_DIRECTED2(SUB, T, cuna::rounded(cuna::rounded(x) - cuna::rounded(y)))                                         \
    CUNA_DIRECTED2(MUL, T, cuna::rounded(x * y))                                                                       \
    CUNA_DIRECTED2(DIV, T, x / y)                                                                                      \
    CUNA_DIRECTED1(RCP, T, T, 1 / x)                                                                                   \
    CUNA_DIRECTED1(SQRT, T, T, cuna::sqrt(x))                                                                          \
    CUNA_DIRECTED3(FMA, T, cuna::fma(x, y, z))
CUNA_DIRECTED(__fadd, __fsub, __fmul, __fdiv, __frcp, __fsqrt, __fmaf, float)
CUNA_DIRECTED(__dadd, __dsub, __dmul, __ddiv, __drcp, __dsqrt, __fma, double)
CUNA_INLINE float __frsqrt_rn(float x) { return float(1 / cuna::sqrt(double(x))); }

CUNA_DIRECTED1(__double2float, float, double, float(x))
CUNA_DIRECTED1(__int2float, float, int, float(x))
CUNA_DIRECTED1(__uint2float, float, unsigned, float(x))
CUNA_DIRECTED1(__ll2float, float, long long, float(x))
CUNA_DIRECTED1(__ull2float, float, unsigned long long, float(x))
CUNA_DIRECTED1(__ll2double, double, long long, double(x))
CUNA_DIRECTED1(__ull2double, double, unsigned long long, double(x))
CUNA_INLINE double __int2double_rn(int x) { return x; }
CUNA_INLINE double __uint2double_rn(unsigned x) { return x; }
#undef CUNA_DIRECTED
#undef CUNA_DIRECTED1
#undef CUNA_DIRECTED2
#undef CUNA_DIRECTED3
#undef CUNA_HIDE
#undef CUNA_MODES
#undef CUNA_IN_MODE
#undef CUNA_MODE1
#undef CUNA_MODE2
#undef CUNA_MODE3

namespace cuna_raw {

/* The integer of an integral x: the nearest there is; of NaN, 0 or in 64 bits the highest bit, as cvt of PTX. */
template <class I, class F> CUNA_INLINE I saturate(F x)
{
    if (x != x)
        return sizeof(F) + sizeof(I) > 8 ? I(I(1) << (8 * sizeof(I) - 1)) : I(0);
    if (x >= F(cuna::limits<I>::max()))
        return cuna::limits<I>::max();
    return x <= F(cuna::limits<I>::min()) ? cuna::limits<I>::min() : I(x);
}

}

#define CUNA_TO_INTEGER(name, I, F)                                                                                    \
    CUNA_INLINE I name##_rn(F x) { return cuna_raw::saturate<I>(cuna::rint(x)); }                                      \
    CUNA_INLINE I name##_rz(F x) { return cuna_raw::saturate<I>(cuna::trunc(x)); }                                     \
    CUNA_INLINE I name##_ru(F x) { return cuna_raw::saturate<I>(cuna::ceil(x)); }                                      \
    CUNA_INLINE I name##_rd(F x) { return cuna_raw::saturate<I>(cuna::floor(x)); }
CUNA_TO_INTEGER(__float2int, int, float)
CUNA_TO_INTEGER(__float2uint, unsigned, float)
CUNA_TO_INTEGER(__float2ll, long long, float)
CUNA_TO_INTEGER(__float2ull, unsigned long long, float)
CUNA_TO_INTEGER(__double2int, int, double)
CUNA_TO_INTEGER(__double2uint, unsigned, double)
CUNA_TO_INTEGER(__double2ll, long long, double)
CUNA_TO_INTEGER(__double2ull, unsigned long long, double)
#undef CUNA_TO_INTEGER

/* ---- "fast" functions; glibc has some of these names ---- */

#define CUNA_FAST(name, expression)                                                                                    \
    CUNA_LIBM float name(float x) noexcept { return expression; }
CUNA_FAST(__sinf, cuna::sin(x))
CUNA_FAST(__cosf, cuna::cos(x))
CUNA_FAST(__tanf, cuna::tan(x))
CUNA_FAST(__tanhf, cuna::tanh(x))
CUNA_FAST(__expf, cuna::exp(x))
CUNA_FAST(__exp10f, cuna::exp10(x))
CUNA_FAST(__logf, cuna::log(x))
CUNA_FAST(__log2f, cuna::log2(x))
CUNA_FAST(__log10f, cuna::log10(x))
CUNA_FAST(__saturatef, x > 0 ? (x < 1 ? x : 1) : 0)
#undef CUNA_FAST
CUNA_LIBM float __powf(float x, float y) noexcept { return cuna::pow(x, y); }
CUNA_INLINE float __fdividef(float x, float y) { return x / y; }
CUNA_LIBM void __sincosf(float x, float *s, float *c) noexcept { *s = cuna::sin(x), *c = cuna::cos(x); }

/* ---- time ---- */

CUNA_INLINE long long clock64()
{
#if defined __x86_64__
    return (long long)__builtin_ia32_rdtsc();
#elif defined __aarch64__
    long long ticks;
    asm volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
#else
#error clock64 needs a counter of this processor
#endif
}
CUNA_LIBM clock_t clock() noexcept { return clock64(); }
