/* prelude_cpu.h: what the cpu device gives to kernel text: types, bits, exact and transcendental functions.
 *
 * With prelude_cuda.h the only text that differs between devices; both promise the names below, nothing else may be
 * assumed. No standard header, and no hexadecimal floats: the text is compiled as plain C++14.
 * Exact functions are builtins that become one instruction, scalar or vector, with the same result. Transcendental
 * ones are declared `simd`, so that loops over them become calls with whole vectors; lanes_cpu.cc defines them. */
#if defined __OPTIMIZE__ && !defined CUNA_SHARED
#define CUNA_DEVICE __attribute__((always_inline))
#else
#define CUNA_DEVICE /* a function is compiled once, and not for each call: where speed does not need that */
#endif
#define CUNA_INLINE CUNA_DEVICE inline
#define CUNA_PART CUNA_DEVICE /* after the parameters of a lambda that becomes a part of its caller */
#define CUNA_APART __attribute__((noinline)) /* long code that is seldom reached, or stands at several places */
#define CUNA_IVDEP _Pragma("GCC ivdep")
#define CUNA_UNROLL _Pragma("GCC unroll 8")
#define CUNA_UNROLL_4 _Pragma("GCC unroll 4")
#define CUNA_ROLLED _Pragma("GCC unroll 1")
#define CUNA_REPEAT _Pragma("GCC unroll 1")
#define CUNA_BRANCHLESS true /* whether a store that another one overwrites is cheaper than a branch */
#define CUNA_COLUMNS 1024 /* that a lane goes down side by side, reading whole lines of memory */
#if defined __x86_64__ && !defined __clang__
#define CUNA_SIMD __attribute__((simd("notinbranch"), const, nothrow, visibility("hidden")))
#else
#define CUNA_SIMD __attribute__((const, nothrow, visibility("hidden")))
#endif

namespace cuna {

typedef __INT8_TYPE__ int8;
typedef __INT16_TYPE__ int16;
typedef __INT32_TYPE__ int32;
typedef __INT64_TYPE__ int64;
typedef __UINT8_TYPE__ uint8;
typedef __UINT16_TYPE__ uint16;
typedef __UINT32_TYPE__ uint32;
typedef __UINT64_TYPE__ uint64;
typedef float float32;
typedef double float64;

/* Halves of products of 32 bits by 32, in lanes of vectors as wide as products: what is above them is left as it comes. */
typedef uint64 half_word;
CUNA_INLINE half_word high_half(uint32 a, half_word b, half_word &low)
{
    low = uint64(a) * uint32(b);
    return low >> 32;
}

/* Storage types that are not their own value type. */
struct bool8 { unsigned char v; };
struct float16 { unsigned short bits; };
struct bfloat16 { unsigned short bits; };

template <class S> struct value_of { typedef S type; };
template <> struct value_of<bool8> { typedef bool type; };
template <> struct value_of<float16> { typedef float type; };
template <> struct value_of<bfloat16> { typedef float type; };

CUNA_INLINE void prefetch(const void *line) { __builtin_prefetch(line); }
CUNA_INLINE void prefetch_shared(const void *line) { __builtin_prefetch(line, 0, 2); }

/* Byte i of a word, from the lowest. */
template <class W> CUNA_INLINE unsigned byte_of(W word, unsigned i) { return unsigned(word >> (8 * i)) & 0xff; }

template <class To, class From> CUNA_INLINE To same_bits(From from)
{
    To to;
    __builtin_memcpy(&to, &from, sizeof to);
    return to;
}
CUNA_INLINE uint32 bits_of(float x) { return same_bits<uint32>(x); }
CUNA_INLINE uint64 bits_of(double x) { return same_bits<uint64>(x); }
CUNA_INLINE float from_bits(uint32 x) { return same_bits<float>(x); }
CUNA_INLINE double from_bits(uint64 x) { return same_bits<double>(x); }

template <class T> struct limits {
    static constexpr bool is_signed = T(-1) < T(1);
    static CUNA_INLINE T max() { return T(~uint64(0) >> (64 - 8 * sizeof(T) + is_signed)); }
    static CUNA_INLINE T min() { return T(~max() * is_signed); }
    static CUNA_INLINE T lowest() { return min(); }
};
template <> struct limits<bool> {
    static CUNA_INLINE bool max() { return true; }
    static CUNA_INLINE bool min() { return false; }
    static CUNA_INLINE bool lowest() { return false; }
};
template <> struct limits<float> {
    static CUNA_INLINE float max() { return __FLT_MAX__; }
    static CUNA_INLINE float min() { return __FLT_MIN__; }
    static CUNA_INLINE float lowest() { return -__FLT_MAX__; }
    static CUNA_INLINE float infinity() { return __builtin_inff(); }
    static CUNA_INLINE float nan() { return __builtin_nanf(""); }
};
template <> struct limits<double> {
    static CUNA_INLINE double max() { return __DBL_MAX__; }
    static CUNA_INLINE double min() { return __DBL_MIN__; }
    static CUNA_INLINE double lowest() { return -__DBL_MAX__; }
    static CUNA_INLINE double infinity() { return __builtin_inf(); }
    static CUNA_INLINE double nan() { return __builtin_nan(""); }
};

/* c ? a : b of two finished values, without a branch that would keep a loop from being vectorised. */
CUNA_INLINE uint32 choose(bool c, uint32 a, uint32 b) { return b ^ ((a ^ b) & -uint32(c)); }
CUNA_INLINE uint64 choose(bool c, uint64 a, uint64 b) { return b ^ ((a ^ b) & -uint64(c)); }
CUNA_INLINE float choose(bool c, float a, float b) { return from_bits(choose(c, bits_of(a), bits_of(b))); }
CUNA_INLINE double choose(bool c, double a, double b) { return from_bits(choose(c, bits_of(a), bits_of(b))); }

/* Whether to compute what c will choose: always, since lanes of a vector choose each for itself. */
CUNA_INLINE bool is_needed(bool) { return true; }

/* The double as a float that rounds to float16 or bfloat16 as the double does: all bits far below become one. */
CUNA_INLINE float sticky_float(double x)
{
    uint64 bits = bits_of(x), below = bits & ((uint64(1) << 39) - 1);
    return float(from_bits((bits ^ below) | (below ? uint64(1) << 39 : 0)));
}

/* Round to nearest even; NaN stays a (quiet) NaN. */
CUNA_INLINE bfloat16 to_bfloat16(float x)
{
    uint32 bits = bits_of(x), rounded = bits + 0x7fff + ((bits >> 16) & 1);
    bfloat16 result = {(unsigned short)((x == x ? rounded : bits | 0x400000) >> 16)};
    return result;
}

/* gcc 12 does not vectorise conversions of _Float16, so they are made of float operations.
 * Adding and taking away 2^13 times |x|'s power of two rounds |x| to float16's 11 bits, to nearest even by hardware;
 * from 2^-14 down the place stays, as in subnormals. Beyond the greatest float16 the result is too great. */
CUNA_INLINE float float16_size(float x)
{
    uint32 size = bits_of(x) & 0x7fffffffu, place = size & 0x7f800000u;
    place = place < 0x38800000u ? 0x38800000u : place;
    place = place > 0x47800000u ? 0x47800000u : place;
    float lift = from_bits(place + (13u << 23));
    return (from_bits(size) + lift) - lift;
}

CUNA_INLINE float round_float16(float x)
{
    float size = float16_size(x);
    size = size > 65504.0f ? __builtin_inff() : size;
    return __builtin_copysignf(size, x);
}
CUNA_INLINE float round_float16(double x) { return round_float16(sticky_float(x)); }

/* A factor of 2^112 is the difference of the exponents' biases, for subnormals too. */
CUNA_INLINE float16 to_float16(float x)
{
    float size = float16_size(x);
    size = size > 65504.0f ? 65536.0f : size;
    uint32 bits = bits_of(size * 1.925929944387236e-34f) >> 13 & 0x7fff;
    float16 result = {(unsigned short)(bits | (bits_of(x) >> 16 & 0x8000))};
    return result;
}
CUNA_INLINE float16 to_float16(double x) { return to_float16(sticky_float(x)); }

CUNA_INLINE float to_float(float16 s)
{
    uint32 bits = uint32(s.bits & 0x7fff) << 13;
    uint32 size = bits_of(from_bits(bits) * 5.192296858534828e33f);
    uint32 special = choose(bits >= 0x0f800000u, 0x7f800000u, 0u);
    return from_bits(size | special | uint32(s.bits & 0x8000) << 16);
}

#define CUNA_EXACT(name)                                                                                              \
    CUNA_INLINE float name(float x) { return __builtin_##name##f(x); }                                                \
    CUNA_INLINE double name(double x) { return __builtin_##name(x); }
CUNA_EXACT(sqrt) CUNA_EXACT(fabs) CUNA_EXACT(floor) CUNA_EXACT(ceil) CUNA_EXACT(trunc) CUNA_EXACT(rint)
#undef CUNA_EXACT
CUNA_INLINE float copysign(float x, float y) { return __builtin_copysignf(x, y); }
CUNA_INLINE double copysign(double x, double y) { return __builtin_copysign(x, y); }
CUNA_INLINE float fma(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
CUNA_INLINE double fma(double x, double y, double z) { return __builtin_fma(x, y, z); }

/* The same, of numbers far from the ends of a type's range. */
CUNA_INLINE float sqrt_of_middle(float x) { return sqrt(x); }
CUNA_INLINE double sqrt_of_middle(double x) { return sqrt(x); }
CUNA_INLINE float quotient_of_middle(float a, float b) { return a / b; }
CUNA_INLINE double quotient_of_middle(double a, double b) { return a / b; }

/* A product that stays a product: gcc 12 joins p - q and p + q of neighbours into fused operations in spite of
 * -ffp-contract=off, in vectors only, and a value would depend on its position. */
#if __has_builtin(__builtin_assoc_barrier)
CUNA_INLINE float rounded(float x) { return __builtin_assoc_barrier(x); }
CUNA_INLINE double rounded(double x) { return __builtin_assoc_barrier(x); }
#else
CUNA_INLINE float rounded(float x) { return x; }
CUNA_INLINE double rounded(double x) { return x; }
#endif

#define CUNA_LANES(name)                                                                                              \
    extern "C" CUNA_SIMD float cuna_##name##_f32(float);                                                              \
    extern "C" CUNA_SIMD double cuna_##name##_f64(double);                                                            \
    CUNA_INLINE float name(float x) { return cuna_##name##_f32(x); }                                                  \
    CUNA_INLINE double name(double x) { return cuna_##name##_f64(x); }
#define CUNA_LANES2(name)                                                                                             \
    extern "C" CUNA_SIMD float cuna_##name##_f32(float, float);                                                       \
    extern "C" CUNA_SIMD double cuna_##name##_f64(double, double);                                                    \
    CUNA_INLINE float name(float x, float y) { return cuna_##name##_f32(x, y); }                                      \
    CUNA_INLINE double name(double x, double y) { return cuna_##name##_f64(x, y); }
CUNA_LANES(sin) CUNA_LANES(cos) CUNA_LANES(tan) CUNA_LANES(asin) CUNA_LANES(acos) CUNA_LANES(atan)
CUNA_LANES(sinh) CUNA_LANES(cosh) CUNA_LANES(tanh) CUNA_LANES(asinh) CUNA_LANES(acosh) CUNA_LANES(atanh)
CUNA_LANES(exp) CUNA_LANES(exp2) CUNA_LANES(exp10) CUNA_LANES(expm1) CUNA_LANES(cbrt) CUNA_LANES(erf) CUNA_LANES(erfc)
CUNA_LANES(log) CUNA_LANES(log2) CUNA_LANES(log10) CUNA_LANES(log1p)
CUNA_LANES2(pow) CUNA_LANES2(atan2) CUNA_LANES2(hypot) CUNA_LANES2(fmod)
#undef CUNA_LANES
#undef CUNA_LANES2

/* Copies a finished block past the caches: whole 64-byte lines of dst are written without being read first. */
CUNA_INLINE void stream_out(void *dst, const void *src, int64 nbytes)
{
    char *to = (char *)dst;
    const char *from = (const char *)src;
    int64 head = -(__UINTPTR_TYPE__)to & 63;
    head = head < nbytes ? head : nbytes;
    __builtin_memcpy(to, from, head);
    int64 at = head;
#if defined __clang__
    typedef float line __attribute__((vector_size(16)));
    for (line whole; at + 16 <= nbytes; at += 16) {
        __builtin_memcpy(&whole, from + at, sizeof whole);
        __builtin_nontemporal_store(whole, (line *)(to + at));
    }
#elif defined __AVX512F__
    typedef float line __attribute__((vector_size(64), aligned(1), may_alias));
    for (; at + 64 <= nbytes; at += 64)
        __builtin_ia32_movntps512((float *)(to + at), *(const line *)(from + at));
#elif defined __AVX__
    typedef float line __attribute__((vector_size(32), aligned(1), may_alias));
    for (; at + 32 <= nbytes; at += 32)
        __builtin_ia32_movntps256((float *)(to + at), *(const line *)(from + at));
#elif defined __SSE2__
    typedef float line __attribute__((vector_size(16), aligned(1), may_alias));
    for (; at + 16 <= nbytes; at += 16)
        __builtin_ia32_movntps((float *)(to + at), *(const line *)(from + at));
#endif
    __builtin_memcpy(to + at, from + at, nbytes - at);
}

/* Orders streamed lines before later stores that other threads see. */
CUNA_INLINE void stream_fence()
{
#ifdef __SSE2__
    __builtin_ia32_sfence();
#endif
}

}
