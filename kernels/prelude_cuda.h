/* prelude_cuda.h: what CUDA devices give to kernel text: types, bits, exact and transcendental functions, blocks.
 *
 * With prelude_cpu.h and block_cpu.h the only text that differs between devices; both promise the names below, nothing
 * else may be assumed. NVRTC compiles it without a header: functions of :: are those that it knows by itself, and
 * those with roundings in their names are what their operators would be under any option. */
#define CUNA_DEVICE __device__
#define CUNA_INLINE __device__ __forceinline__
#define CUNA_PART
#define CUNA_APART __device__ __noinline__ /* NVRTC inlines all others, and compiles long ones for each place */
#define CUNA_IVDEP
#define CUNA_UNROLL _Pragma("unroll")
#define CUNA_UNROLL_4 _Pragma("unroll 4")
#define CUNA_ROLLED _Pragma("unroll 1")
#define CUNA_REPEAT _Pragma("unroll 1")
#define CUNA_BRANCHLESS false
#define CUNA_COLUMNS 1
#define CUNA_SHARED __shared__

/* An entry is one block of a launch; what it is given stays in constant memory. Its lanes can always work together. A
 * `team` above 1 says how many blocks a multiprocessor shall have room for at once: its registers are shared among them. */
#define CUNA_ENTRY(name, Args, body, team)                                                                            \
    extern "C" __global__ void __launch_bounds__(cuna::LANES, (team) > 1 ? (team) : 1)                                \
    name(const __grid_constant__ Args args)                                                                           \
    {                                                                                                                 \
        body(args, blockIdx.x);                                                                                       \
    }

namespace cuna {

typedef signed char int8;
typedef short int16;
typedef int int32;
typedef long long int64;
typedef unsigned char uint8;
typedef unsigned short uint16;
typedef unsigned int uint32;
typedef unsigned long long uint64;
typedef float float32;
typedef double float64;

/* Halves of products of 32 bits by 32. The compiler adds a 0 to the high half of a product that it makes itself. */
typedef uint32 half_word;
CUNA_INLINE half_word high_half(uint32 a, half_word b, half_word &low)
{
    half_word high;
    asm("{ .reg .b64 product; mul.wide.u32 product, %2, %3; mov.b64 {%0, %1}, product; }"
        : "=r"(low), "=r"(high) : "r"(a), "r"(b));
    return high;
}

/* Storage types that are not their own value type. */
struct bool8 { unsigned char v; };
struct float16 { unsigned short bits; };
struct bfloat16 { unsigned short bits; };

template <class S> struct value_of { typedef S type; };
template <> struct value_of<bool8> { typedef bool type; };
template <> struct value_of<float16> { typedef float type; };
template <> struct value_of<bfloat16> { typedef float type; };

/* Other warps hide what a load waits for; where there are none, the cache of all multiprocessors is filled ahead. */
CUNA_INLINE void prefetch(const void *) {}
CUNA_INLINE void prefetch_shared(const void *line) { asm volatile("prefetch.global.L2 [%0];" :: "l"(line)); }

template <class To, class From> CUNA_INLINE To same_bits(From from)
{
    To to;
    memcpy(&to, &from, sizeof to);
    return to;
}
CUNA_INLINE uint32 bits_of(float x) { return __float_as_uint(x); }
CUNA_INLINE uint64 bits_of(double x) { return uint64(__double_as_longlong(x)); }
CUNA_INLINE float from_bits(uint32 x) { return __uint_as_float(x); }
CUNA_INLINE double from_bits(uint64 x) { return __longlong_as_double(int64(x)); }

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
    static CUNA_INLINE float max() { return from_bits(0x7f7fffffu); }
    static CUNA_INLINE float min() { return from_bits(0x00800000u); }
    static CUNA_INLINE float lowest() { return -max(); }
    static CUNA_INLINE float infinity() { return from_bits(0x7f800000u); }
    static CUNA_INLINE float nan() { return from_bits(0x7fc00000u); }
};
template <> struct limits<double> {
    static CUNA_INLINE double max() { return from_bits(uint64(0x7fefffffffffffff)); }
    static CUNA_INLINE double min() { return from_bits(uint64(0x0010000000000000)); }
    static CUNA_INLINE double lowest() { return -max(); }
    static CUNA_INLINE double infinity() { return from_bits(uint64(0x7ff0000000000000)); }
    static CUNA_INLINE double nan() { return from_bits(uint64(0x7ff8000000000000)); }
};

/* c ? a : b of two finished values. */
CUNA_INLINE uint32 choose(bool c, uint32 a, uint32 b) { return c ? a : b; }
CUNA_INLINE uint64 choose(bool c, uint64 a, uint64 b) { return c ? a : b; }
CUNA_INLINE float choose(bool c, float a, float b) { return c ? a : b; }
CUNA_INLINE double choose(bool c, double a, double b) { return c ? a : b; }

/* Whether to compute what c will choose: where a lane of a warp will. */
CUNA_INLINE bool is_needed(bool c) { return c; }

/* ---- float16 and bfloat16, by the hardware, which has one NaN: its sign and bits are not kept ---- */

/* The double as a float that rounds to float16 or bfloat16 as the double does: all bits far below become one. */
CUNA_INLINE float sticky_float(double x)
{
    uint64 bits = bits_of(x), below = bits & ((uint64(1) << 39) - 1);
    return float(from_bits((bits ^ below) | (below ? uint64(1) << 39 : 0)));
}

CUNA_INLINE bfloat16 to_bfloat16(float x)
{
    bfloat16 result;
#if __CUDA_ARCH__ >= 800
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(result.bits) : "f"(x));
#else
    result.bits = (unsigned short)((bits_of(x) + 0x7fff + (bits_of(x) >> 16 & 1)) >> 16);
    result.bits = x == x ? result.bits : (unsigned short)0x7fff;
#endif
    return result;
}

/* The compiler knows what its own functions do: it computes them once where it would repeat an instruction. */
CUNA_INLINE float16 to_float16(float x)
{
    float16 result;
#if __has_builtin(__nvvm_f2h_rn)
    result.bits = __nvvm_f2h_rn(x);
#else
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(result.bits) : "f"(x));
#endif
    return result;
}
CUNA_INLINE float16 to_float16(double x)
{
    float16 result;
    asm("cvt.rn.f16.f64 %0, %1;" : "=h"(result.bits) : "d"(x));
    return result;
}

CUNA_INLINE float to_float(float16 s)
{
#if __has_builtin(__nvvm_h2f)
    return __nvvm_h2f(s.bits);
#else
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(s.bits));
    return value;
#endif
}

CUNA_INLINE float round_float16(float x) { return to_float(to_float16(x)); }
CUNA_INLINE float round_float16(double x) { return to_float(to_float16(x)); }

/* ---- functions ---- */

CUNA_INLINE float sqrt(float x) { return __fsqrt_rn(x); }
CUNA_INLINE double sqrt(double x) { return __dsqrt_rn(x); }
CUNA_INLINE float fma(float x, float y, float z) { return __fmaf_rn(x, y, z); }
CUNA_INLINE double fma(double x, double y, double z) { return __fma_rn(x, y, z); }

/* The same bits as sqrt(x) and a / b, by the steps that the compiler takes for them, without its branch to what numbers
 * near the ends of a type's range need: with branches, what stands around is not scheduled together. For x = 0 and x in
 * [1e-30, 1e30], for b in [1e-30, 1e30], and for a = 0 and |a| in [1e-30, 1e30]. */
CUNA_INLINE float sqrt_of_middle(float x)
{
    float y;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    const float root = x * y;
    const float nearest = fma(fma(-root, root, x), y * 0.5f, root);
    return x == 0 ? x : nearest;
}
CUNA_INLINE double sqrt_of_middle(double x)
{
    double y;
    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    const double e = fma(x, -(y * y), 1.0), inverse = fma(fma(e, 0.375, 0.5), y * e, y), root = x * inverse;
    const double nearest = fma(fma(-root, root, x), inverse * 0.5, root);
    return x == 0 ? x : nearest;
}
CUNA_INLINE float quotient_of_middle(float a, float b)
{
    float y;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(b));
    const float inverse = fma(y, fma(-b, y, 1.0f), y), quotient = a * inverse;
    const float closer = fma(inverse, fma(-b, quotient, a), quotient);
    return fma(inverse, fma(-b, closer, a), closer);
}
CUNA_INLINE double quotient_of_middle(double a, double b)
{
    double y;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(b));
    const double e = fma(-b, y, 1.0), closer = fma(y, fma(e, e, e), y), inverse = fma(closer, fma(-b, closer, 1.0), closer);
    const double quotient = a * inverse;
    return fma(inverse, fma(-b, quotient, a), quotient);
}

/* A product that stays a product: no option of ours joins it with a sum (--fmad=false). */
CUNA_INLINE float rounded(float x) { return x; }
CUNA_INLINE double rounded(double x) { return x; }

#define CUNA_BUILTIN(name)                                                                                            \
    CUNA_INLINE float name(float x) { return ::name##f(x); }                                                          \
    CUNA_INLINE double name(double x) { return ::name(x); }
#define CUNA_BUILTIN2(name)                                                                                           \
    CUNA_INLINE float name(float x, float y) { return ::name##f(x, y); }                                              \
    CUNA_INLINE double name(double x, double y) { return ::name(x, y); }
CUNA_BUILTIN(fabs) CUNA_BUILTIN(floor) CUNA_BUILTIN(ceil) CUNA_BUILTIN(trunc) CUNA_BUILTIN(rint)
CUNA_BUILTIN(sin) CUNA_BUILTIN(cos) CUNA_BUILTIN(tan) CUNA_BUILTIN(asin) CUNA_BUILTIN(acos) CUNA_BUILTIN(atan)
CUNA_BUILTIN(sinh) CUNA_BUILTIN(cosh) CUNA_BUILTIN(tanh) CUNA_BUILTIN(asinh) CUNA_BUILTIN(acosh) CUNA_BUILTIN(atanh)
CUNA_BUILTIN(exp) CUNA_BUILTIN(exp2) CUNA_BUILTIN(expm1) CUNA_BUILTIN(cbrt) CUNA_BUILTIN(erf) CUNA_BUILTIN(erfc)
CUNA_BUILTIN(log) CUNA_BUILTIN(log2) CUNA_BUILTIN(log10) CUNA_BUILTIN(log1p)
CUNA_BUILTIN2(copysign) CUNA_BUILTIN2(pow) CUNA_BUILTIN2(atan2) CUNA_BUILTIN2(hypot) CUNA_BUILTIN2(fmod)
#undef CUNA_BUILTIN
#undef CUNA_BUILTIN2

/* Powers of ten that a double holds are exact, since rounding to decimals scales by them; ::exp10 may miss by a bit. */
CUNA_INLINE float exp10(float x) { return ::exp10f(x); }
CUNA_INLINE double exp10(double x)
{
    double power = 1, factor = 10;
    if (x != rint(x) || fabs(x) > 22)
        return ::exp10(x);
    for (int left = int(fabs(x)); left != 0; left >>= 1, factor *= factor)
        power = left & 1 ? power * factor : power;
    return x < 0 ? 1 / power : power;
}

/* ---- blocks: lanes that work together ---- */

enum { LANES = 256 };
CUNA_INLINE unsigned lane() { return threadIdx.x; }
CUNA_INLINE void barrier() { __syncthreads(); }

/* The value of lane + distance among 32 lanes, the lane's own past the end; all 32 must come here. */
template <class T> CUNA_INLINE T shuffle_down(T value, unsigned distance)
{
    enum { WORDS = (sizeof(T) + 3) / 4 };
    uint32 words[WORDS] = {};
    memcpy(words, &value, sizeof value);
    CUNA_UNROLL
    for (int i = 0; i < WORDS; ++i)
        words[i] = __shfl_down_sync(0xffffffffu, words[i], distance);
    memcpy(&value, words, sizeof value);
    return value;
}

/* The value of lane `from`, 0 to 31, among 32 lanes, all of which must come here. */
template <class T> CUNA_INLINE T shuffle(T value, unsigned from)
{
    enum { WORDS = (sizeof(T) + 3) / 4 };
    uint32 words[WORDS] = {};
    memcpy(words, &value, sizeof value);
    CUNA_UNROLL
    for (int i = 0; i < WORDS; ++i)
        words[i] = __shfl_sync(0xffffffffu, words[i], int(from));
    memcpy(&value, words, sizeof value);
    return value;
}

/* Which of 32 lanes have the same BITS low bits as this one; all 32 must come here. Four instructions a bit: the
 * compiler makes six of a ballot and a choice. lop3 0x60 is a & (b ^ c). */
template <int BITS> CUNA_INLINE uint32 alike(unsigned value)
{
    uint32 lanes = 0xffffffffu;
    CUNA_UNROLL
    for (int i = 0; i < BITS; ++i)
        asm volatile("{ .reg .pred has; .reg .b32 bit, those, flip;\n"
                     "and.b32 bit, %1, %2;\nsetp.ne.u32 has, bit, 0;\n"
                     "vote.sync.ballot.b32 those, has, 0xffffffff;\nselp.b32 flip, 0, -1, has;\n"
                     "lop3.b32 %0, %0, those, flip, 0x60; }"
                     : "+r"(lanes) : "r"(value), "r"(1u << i));
    return lanes;
}
/* Which of 32 lanes have the same value as this one; all 32 must come here. */
CUNA_INLINE uint32 lanes_with(uint64 value) { return __match_any_sync(0xffffffffu, value); }
/* Of which of 32 lanes something is true; all 32 must come here. */
CUNA_INLINE uint32 ballot(bool is_true) { return __ballot_sync(0xffffffffu, is_true); }
CUNA_INLINE unsigned bits_set(uint32 word) { return unsigned(__popc(word)); }

/* Byte i of a word, from the lowest. */
template <class W> CUNA_INLINE unsigned byte_of(W word, unsigned i)
{
    return __byte_perm(uint32(i < 4 ? word : uint64(word) >> 32), 0, 0x4440 | i % 4);
}

/* What 32 lanes have written to shared memory is there for each of them; all 32 must come here. */
CUNA_INLINE void warp_barrier() { __syncwarp(); }

/* Packs: 1, 2, 4, 8 or 16 aligned bytes that are read or written by one access. */
template <int NBYTES> struct pack_word;
template <> struct pack_word<1> { typedef unsigned char type; };
template <> struct pack_word<2> { typedef unsigned short type; };
template <> struct pack_word<4> { typedef unsigned int type; };
template <> struct pack_word<8> { typedef uint2 type; };
template <> struct pack_word<16> { typedef uint4 type; };

template <class T> CUNA_INLINE T pack_load(const T *p)
{
    typedef typename pack_word<sizeof(T)>::type word;
    return same_bits<T>(*(const word *)p);
}

template <class T> CUNA_INLINE void pack_store(T *p, T v)
{
    typedef typename pack_word<sizeof(T)>::type word;
    *(word *)p = same_bits<word>(v);
}

/* ---- what blocks tell each other while they run (scan.cuh) ---- */

/* The next number of a counter. */
CUNA_INLINE int64 take_ticket(uint64 *counter) { return int64(atomicAdd(counter, uint64(1))); }

/* The next `count` numbers of a counter: the first of them. */
CUNA_INLINE int64 take_tickets(uint64 *counter, uint64 count) { return int64(atomicAdd(counter, count)); }

/* 8 bytes that are written and read at once, and are seen by all blocks in time. */
CUNA_INLINE void put_slot(uint64 *slot, uint64 value) { *(volatile uint64 *)slot = value; }
CUNA_INLINE uint64 get_slot(const uint64 *slot) { return *(const volatile uint64 *)slot; }

/* Adds to 8 bytes that other blocks add to as well; returns what was there before. */
CUNA_INLINE uint64 add_slot(uint64 *slot, uint64 v) { return atomicAdd(slot, v); }

/* What this lane reads and writes next comes after what it read and wrote so far, in the eyes of other blocks too. */
CUNA_INLINE void settle() { __threadfence(); }

/* Puts `desired` into a word that is `expected`; returns the previous value. */
template <class W> CUNA_INLINE W compare_and_swap(W *word, W expected, W desired)
{
    return atomicCAS(word, expected, desired);
}

/* Adds to an element of global memory that others add to as well, without an answer: of an atomicAdd that might be in
 * shared memory the compiler makes a slower instruction with one. */
enum { ATOMICS_FLUSH = true }; /* whether subnormal floats are 0 to add_atomically: in global memory, says PTX' manual */
#define CUNA_REDUCTION(name, type, operation, letter)                                                                 \
    CUNA_INLINE void name(type *p, type v)                                                                            \
    {                                                                                                                 \
        asm volatile("red.global." operation " [%0], %1;" ::"l"(__cvta_generic_to_global(p)), letter(v));             \
    }
CUNA_REDUCTION(add_atomically, uint32, "add.u32", "r") CUNA_REDUCTION(add_atomically, uint64, "add.u64", "l")
CUNA_REDUCTION(add_atomically, float, "add.f32", "f") CUNA_REDUCTION(add_atomically, double, "add.f64", "d")
CUNA_REDUCTION(raise_atomically, uint32, "max.u32", "r") /* to v, if it is less */
#undef CUNA_REDUCTION
CUNA_INLINE void add_atomically(int32 *p, int32 v) { add_atomically((uint32 *)p, uint32(v)); }
CUNA_INLINE void add_atomically(int64 *p, int64 v) { add_atomically((uint64 *)p, uint64(v)); }

/* The same of half floats; answers whether the GPU can. It adds to two of them in a word, -0 to the other one: that changes
 * no number. Instructions for a single one are loops of comparisons. */
CUNA_INLINE uint32 *word_of(const void *half) { return (uint32 *)((unsigned long long)half & ~3ull); }
CUNA_INLINE uint32 beside_nothing(const void *half, unsigned short bits)
{
    return (unsigned long long)half & 2 ? uint32(bits) << 16 | 0x8000u : 0x80000000u | bits;
}
CUNA_INLINE bool add_half(float16 *p, float v)
{
    asm volatile("red.global.add.noftz.f16x2 [%0], %1;" ::"l"(__cvta_generic_to_global(word_of(p))),
                 "r"(beside_nothing(p, to_float16(v).bits)));
    return true;
}
CUNA_INLINE bool add_half(bfloat16 *p, float v)
{
#if __CUDA_ARCH__ >= 900
    asm volatile("red.global.add.noftz.bf16x2 [%0], %1;" ::"l"(__cvta_generic_to_global(word_of(p))),
                 "r"(beside_nothing(p, to_bfloat16(v).bits)));
    return true;
#else
    return false;
#endif
}

/* Adds to an element of the block's own memory that its other lanes add to as well. Of words the answer is what was there
 * before. */
CUNA_INLINE uint32 add_beside(uint32 *p, uint32 v) { return atomicAdd(p, v); }
CUNA_INLINE void add_beside(float *p, float v) { atomicAdd(p, v); }
CUNA_INLINE void add_beside(double *p, double v) { atomicAdd(p, v); }
CUNA_INLINE void raise_beside(uint32 *p, uint32 v) { atomicMax(p, v); }

/* Lets a moment pass. */
CUNA_INLINE void relax(int tries)
{
    if (tries > 4)
        __nanosleep(20);
}

}
