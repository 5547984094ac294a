--- prelude.lua: the text that precedes the C++ translations of kernels written in Lua, on every device.
--
-- Integers wrap and never divide by zero. An access outside of an array reads 0 and writes nothing; the first one of a
-- launch is recorded in four words: its place in the source, the axis, the position and the axis' length.
return [[
#define JIT_INLINE __device__ __forceinline__

namespace jit {

typedef unsigned long long uint64;

/* ---- elements: how values lie in memory ---- */

struct bool8 { unsigned char v; };
struct float16 { unsigned short bits; };
struct bfloat16 { unsigned short bits; };

JIT_INLINE float load_half(unsigned short bits)
{
#ifdef CUNA_CPU
    return cuna::to_float(cuna::float16{bits});
#else
    float x;
    asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(bits));
    return x;
#endif
}
JIT_INLINE unsigned short store_half(float x)
{
#ifdef CUNA_CPU
    return cuna::to_float16(x).bits;
#else
    unsigned short bits;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(x));
    return bits;
#endif
}
JIT_INLINE unsigned short store_bfloat16(float x)
{
    unsigned bits = __float_as_uint(x);
    return (unsigned short)(x == x ? (bits + 0x7fff + (bits >> 16 & 1)) >> 16 : 0x7fff);
}

/* The double as a float that rounds to 16 bits as the double does: all bits far below become one. */
JIT_INLINE float sticky(double x)
{
    uint64 bits = (uint64)__double_as_longlong(x), below = bits & ((1ull << 39) - 1);
    return float(__longlong_as_double((long long)((bits ^ below) | (below ? 1ull << 39 : 0))));
}
JIT_INLINE float sticky(float x) { return x; }

template <class T> struct element {
    typedef T value;
    static JIT_INLINE T load(T e) { return e; }
    static JIT_INLINE T store(T v) { return v; }
};
template <> struct element<bool8> {
    typedef bool value;
    static JIT_INLINE bool load(bool8 e) { return e.v != 0; }
    static JIT_INLINE bool8 store(bool v) { return bool8{(unsigned char)v}; }
};
template <> struct element<float16> {
    typedef float value;
    static JIT_INLINE float load(float16 e) { return load_half(e.bits); }
    template <class V> static JIT_INLINE float16 store(V v) { return float16{store_half(sticky(v))}; }
};
template <> struct element<bfloat16> {
    typedef float value;
    static JIT_INLINE float load(bfloat16 e) { return __uint_as_float(unsigned(e.bits) << 16); }
    template <class V> static JIT_INLINE bfloat16 store(V v) { return bfloat16{store_bfloat16(sticky(v))}; }
};

/* ---- arrays, whose positions count from 1 ---- */

static __device__ __noinline__ void report(long long *error, int site, int axis, long long position, long long length)
{
    if (atomicCAS((uint64 *)error, 0ull, (uint64)site) == 0) {
        error[1] = axis;
        error[2] = position;
        error[3] = length;
    }
}

/* DENSE: elements lie without gaps, in C order. */
template <class T, int N, bool DENSE> struct array {
    typedef typename element<T>::value value;
    T *data;
    long long shape[N], strides[N];

    /* Of as many positions as axes, or of the first ones. */
    template <class... I> JIT_INLINE T *place(I... i) const
    {
        const long long at[] = {i...};
        long long offset = 0;
#pragma unroll
        for (int k = 0; k < int(sizeof...(I)); ++k)
            offset = DENSE ? (k == 0 ? 0 : offset * shape[k]) + (at[k] - 1) : offset + (at[k] - 1) * strides[k];
#pragma unroll
        for (int k = sizeof...(I); DENSE && k < N; ++k)
            offset *= shape[k];
        return data + offset;
    }
    template <class... I> JIT_INLINE bool has(long long *error, int site, I... i) const
    {
        const long long at[] = {i...};
#pragma unroll
        for (int k = 0; k < int(sizeof...(I)); ++k)
            if (__builtin_expect(uint64(at[k]) - 1 >= uint64(shape[k]), 0)) {
                report(error, site, k + 1, at[k], shape[k]);
                return false;
            }
        return true;
    }
    template <class... I> JIT_INLINE value at(I... i) const { return element<T>::load(*place(i...)); }
    template <class V, class... I> JIT_INLINE void set(V v, I... i) const { *place(i...) = element<T>::store(v); }
    template <class... I> JIT_INLINE T *find(long long *error, int site, I... i) const
    {
        return has(error, site, i...) ? place(i...) : nullptr;
    }
    template <class... I> JIT_INLINE value get(long long *error, int site, I... i) const
    {
        return has(error, site, i...) ? at(i...) : value();
    }
    template <class V, class... I> JIT_INLINE void put(long long *error, int site, V v, I... i) const
    {
        if (has(error, site, i...))
            set(v, i...);
    }
    template <class... I> JIT_INLINE array<T, N - int(sizeof...(I)), DENSE> row_at(I... i) const
    {
        array<T, N - int(sizeof...(I)), DENSE> result;
        result.data = place(i...);
#pragma unroll
        for (int k = sizeof...(I); k < N; ++k) {
            result.shape[k - int(sizeof...(I))] = shape[k];
            result.strides[k - int(sizeof...(I))] = strides[k];
        }
        return result;
    }
    template <class... I>
    JIT_INLINE array<T, N - int(sizeof...(I)), DENSE> row(long long *error, int site, I... i) const
    {
        array<T, N - int(sizeof...(I)), DENSE> result = row_at(i...);
        const bool exists = has(error, site, i...);
#pragma unroll
        for (int k = sizeof...(I); k < N; ++k)
            result.shape[k - int(sizeof...(I))] = exists ? shape[k] : 0;
        return result;
    }
    JIT_INLINE long long size() const
    {
        long long count = 1;
#pragma unroll
        for (int k = 0; k < N; ++k)
            count *= shape[k];
        return count;
    }
    /* Bytes from an element to the next one along axis number k, from 0. */
    JIT_INLINE long long stride(int k) const
    {
        long long step = DENSE ? 1 : strides[k];
#pragma unroll
        for (int inner = N - 1; DENSE && inner > k; --inner)
            step *= shape[inner] > 0 ? shape[inner] : 1;
        return step * (long long)sizeof(T);
    }
    /* What `read` says of an axis; 0 where there is none. */
    template <class F> JIT_INLINE long long along(long long *error, int site, long long axis, F read) const
    {
        long long found = 0;
#pragma unroll
        for (int k = 0; k < N; ++k)
            found = axis == k + 1 ? read(k) : found;
        if (error && uint64(axis) - 1 >= N)
            report(error, site, 0, axis, N);
        return found;
    }
    JIT_INLINE long long length(long long *error, int site, long long axis) const
    {
        return along(error, site, axis, [&](int k) { return shape[k]; });
    }
    JIT_INLINE long long stride_along(long long *error, int site, long long axis) const
    {
        return along(error, site, axis, [&](int k) { return stride(k); });
    }
};

/* ---- integers ---- */

template <class T> struct unsigned_of { typedef unsigned type; };
template <> struct unsigned_of<long long> { typedef uint64 type; };
template <> struct unsigned_of<uint64> { typedef uint64 type; };
template <class T> struct width { enum { BITS = 8 * sizeof(T) }; };

template <class T> JIT_INLINE T add(T a, T b) { typedef typename unsigned_of<T>::type U; return T(U(a) + U(b)); }
template <class T> JIT_INLINE T sub(T a, T b) { typedef typename unsigned_of<T>::type U; return T(U(a) - U(b)); }
template <class T> JIT_INLINE T mul(T a, T b) { typedef typename unsigned_of<T>::type U; return T(U(a) * U(b)); }
template <class T> JIT_INLINE T neg(T a) { typedef typename unsigned_of<T>::type U; return T(U(0) - U(a)); }

template <class T> JIT_INLINE T fmod(T a, T b)
{
    return b == 0 || (T(-1) < T(0) && b == T(-1)) ? T(0) : T(a % b);
}
template <class T> JIT_INLINE T mod(T a, T b)
{
    T rest = fmod(a, b);
    return rest != 0 && (rest < 0) != (b < 0) ? T(rest + b) : rest;
}
template <class T> JIT_INLINE T floor_divide(T a, T b)
{
    if (b == 0 || (T(-1) < T(0) && b == T(-1)))
        return b == 0 ? T(0) : neg(a);
    return T(a / b - (a % b != 0 && (a < 0) != (b < 0)));
}
template <class T> JIT_INLINE T ceil_divide(T a, T b)
{
    if (b == 0 || (T(-1) < T(0) && b == T(-1)))
        return b == 0 ? T(0) : neg(a);
    return T(a / b + (a % b != 0 && (a < 0) == (b < 0)));
}
template <class T> JIT_INLINE T power(T base, long long exponent)
{
    T result = 1;
    for (; exponent > 0; exponent >>= 1, base = mul(base, base))
        result = exponent & 1 ? mul(result, base) : result;
    return result;
}

/* Takes a loop of whole numbers to its next one; false behind the last. What is left is compared, and not the next
   number, which 64 bits may not hold. */
JIT_INLINE bool advance(long long &at, long long last, long long step)
{
    const unsigned long long up = (unsigned long long)last - (unsigned long long)at;
    const unsigned long long by = (unsigned long long)step;
    if (step > 0 ? up < by : 0 - up < 0 - by)
        return false;
    at += step;
    return true;
}

/* Floats saturate, NaN is 0. */
template <class D, class F> JIT_INLINE D to_int(F v)
{
    const bool is_signed = D(-1) < D(0);
    const D most = D(~uint64(0) >> (64 - width<D>::BITS + is_signed)), least = is_signed ? D(-most - 1) : D(0);
    return v >= F(most) ? most : v > F(least) ? D(v) : v == v ? least : D(0);
}

/* Counts of shifts are taken modulo the width, as LuaJIT does. */
template <class T> JIT_INLINE T lshift(T a, long long n)
{
    typedef typename unsigned_of<T>::type U;
    return T(U(a) << (n & (width<T>::BITS - 1)));
}
template <class T> JIT_INLINE T rshift(T a, long long n)
{
    typedef typename unsigned_of<T>::type U;
    return T((U(a) & (~U(0) >> (width<U>::BITS - width<T>::BITS))) >> (n & (width<T>::BITS - 1)));
}
template <class T> JIT_INLINE T arshift(T a, long long n) { return T(a >> (n & (width<T>::BITS - 1))); }
template <class T> JIT_INLINE T rol(T a, long long n)
{
    return T(lshift(a, n) | (n & (width<T>::BITS - 1) ? rshift(a, -n) : T(0)));
}
template <class T> JIT_INLINE T ror(T a, long long n) { return rol(a, -n); }
template <class T> JIT_INLINE T bswap(T a)
{
    T result = 0;
    for (int k = 0; k < width<T>::BITS; k += 8)
        result = T(lshift(result, 8) | (rshift(a, k) & T(255)));
    return width<T>::BITS == 8 ? a : result;
}

template <class T> JIT_INLINE T abs(T a) { return a < 0 ? neg(a) : a; }
/* Where one is NaN, or both are 0, the second, as LuaJIT has it. */
template <class T> JIT_INLINE T min(T a, T b) { return a < b ? a : b; }
template <class T> JIT_INLINE T max(T a, T b) { return a > b ? a : b; }

/* ---- floats ---- */

JIT_INLINE float square(float a) { return a * a; }
JIT_INLINE double square(double a) { return a * a; }
JIT_INLINE float abs(float a) { return fabsf(a); }
JIT_INLINE double abs(double a) { return ::fabs(a); }
JIT_INLINE float fmod(float a, float b) { return fmodf(a, b); }
JIT_INLINE double fmod(double a, double b) { return ::fmod(a, b); }
/* What Lua's manual says, each step rounded. */
JIT_INLINE float mod(float a, float b) { return __fsub_rn(a, __fmul_rn(floorf(a / b), b)); }
JIT_INLINE double mod(double a, double b) { return __dsub_rn(a, __dmul_rn(::floor(a / b), b)); }
/* pow(a, 0.5): -0 becomes 0, and minus infinity infinity. */
JIT_INLINE float root(float a) { return fabsf(a) == INFINITY ? fabsf(a) : sqrtf(a + 0.0f); }
JIT_INLINE double root(double a) { return ::fabs(a) == INFINITY ? ::fabs(a) : ::sqrt(a + 0.0); }

template <class T> struct parts { T v1, v2; };
template <class T> struct binary { T v1; long long v2; };
JIT_INLINE parts<float> modf(float a)
{
    float whole, rest = ::modff(a, &whole);
    return {whole, rest};
}
JIT_INLINE parts<double> modf(double a)
{
    double whole, rest = ::modf(a, &whole);
    return {whole, rest};
}
JIT_INLINE binary<float> frexp(float a)
{
    int exponent = 0;
    float mantissa = ::frexpf(a, &exponent);
    return {mantissa, exponent};
}
JIT_INLINE binary<double> frexp(double a)
{
    int exponent = 0;
    double mantissa = ::frexp(a, &exponent);
    return {mantissa, exponent};
}
JIT_INLINE int exponent_of(long long n) { return int(n < -100000 ? -100000 : n > 100000 ? 100000 : n); }
JIT_INLINE float ldexp(float a, long long n) { return ::ldexpf(a, exponent_of(n)); }
JIT_INLINE double ldexp(double a, long long n) { return ::ldexp(a, exponent_of(n)); }

/* ---- atomics: what was there before; nothing is done for a position outside ---- */

template <class T> struct word_of { typedef T type; };
template <> struct word_of<long long> { typedef uint64 type; };
template <> struct word_of<short> { typedef unsigned short type; };

/* No macros: the cpu device reads what a kernel calls. */
template <class T> using word = typename word_of<T>::type;
template <class T> JIT_INLINE T atomic_add(T *p, T v) { return p ? T(atomicAdd((word<T> *)p, word<T>(v))) : T(); }
template <class T> JIT_INLINE T atomic_sub(T *p, T v)
{
    return p ? T(atomicAdd((word<T> *)p, word<T>(0) - word<T>(v))) : T();
}
template <class T> JIT_INLINE T atomic_exch(T *p, T v) { return p ? T(atomicExch((word<T> *)p, word<T>(v))) : T(); }
template <class T> JIT_INLINE T atomic_and(T *p, T v) { return p ? T(atomicAnd((word<T> *)p, word<T>(v))) : T(); }
template <class T> JIT_INLINE T atomic_or(T *p, T v) { return p ? T(atomicOr((word<T> *)p, word<T>(v))) : T(); }
template <class T> JIT_INLINE T atomic_xor(T *p, T v) { return p ? T(atomicXor((word<T> *)p, word<T>(v))) : T(); }
template <class T> JIT_INLINE T atomic_inc(T *p, T v) { return p ? T(atomicInc((word<T> *)p, word<T>(v))) : T(); }
template <class T> JIT_INLINE T atomic_dec(T *p, T v) { return p ? T(atomicDec((word<T> *)p, word<T>(v))) : T(); }
template <class T> JIT_INLINE T atomic_min(T *p, T v) { return p ? atomicMin(p, v) : T(); }
template <class T> JIT_INLINE T atomic_max(T *p, T v) { return p ? atomicMax(p, v) : T(); }
template <class T> struct same { typedef T type; };
template <class T> JIT_INLINE T atomic_cas(T *p, typename same<T>::type expected, typename same<T>::type v)
{
    return p ? T(atomicCAS((word<T> *)p, word<T>(expected), word<T>(v))) : T();
}

JIT_INLINE unsigned bits_of(float x) { return __float_as_uint(x); }
JIT_INLINE uint64 bits_of(double x) { return (uint64)__double_as_longlong(x); }
JIT_INLINE float from_bits(unsigned x) { return __uint_as_float(x); }
JIT_INLINE double from_bits(uint64 x) { return __longlong_as_double((long long)x); }

/* CUDA has these for integers only. */
template <class T, class W> JIT_INLINE T float_extreme(T *p, T v, W *words, bool least)
{
    if (!p)
        return T();
    W before = *(volatile W *)words;
    for (;;) {
        T old = from_bits(before);
        W found = before;
        if (least ? v < old : v > old)
            found = atomicCAS(words, before, bits_of(v));
        if (found == before)
            return old;
        before = found;
    }
}
JIT_INLINE float atomic_min(float *p, float v) { return float_extreme(p, v, (unsigned *)p, true); }
JIT_INLINE float atomic_max(float *p, float v) { return float_extreme(p, v, (unsigned *)p, false); }
JIT_INLINE double atomic_min(double *p, double v) { return float_extreme(p, v, (uint64 *)p, true); }
JIT_INLINE double atomic_max(double *p, double v) { return float_extreme(p, v, (uint64 *)p, false); }
JIT_INLINE double atomic_exch(double *p, double v)
{
    return p ? from_bits(atomicExch((uint64 *)p, bits_of(v))) : 0;
}

/* What is added is rounded to 16 bits first, as GPUs have it. */
template <class H> JIT_INLINE H add_half(H *p, H v)
{
    unsigned short before = *(volatile unsigned short *)p;
    for (;;) {
        const float sum = element<H>::load(H{before}) + element<H>::load(v);
        const unsigned short found = atomicCAS((unsigned short *)p, before, element<H>::store(sum).bits);
        if (found == before)
            return H{before};
        before = found;
    }
}
#if defined(__CUDA_ARCH__) && !defined(CUNA_CPU)
#define JIT_ADD_HALF(type, name)                                                                                      \
    JIT_INLINE type add_half(type *p, type v)                                                                         \
    {                                                                                                                 \
        type old;                                                                                                     \
        asm volatile("atom.add.noftz." name " %0, [%1], %2;" : "=h"(old.bits) : "l"(p), "h"(v.bits) : "memory");      \
        return old;                                                                                                   \
    }
JIT_ADD_HALF(float16, "f16")
#if __CUDA_ARCH__ >= 900
JIT_ADD_HALF(bfloat16, "bf16")
#endif
#endif
template <class H, class V> JIT_INLINE float atomic_add_half(H *p, V v)
{
    return p ? element<H>::load(add_half(p, element<H>::store(v))) : 0;
}
template <class V> JIT_INLINE float atomic_add(float16 *p, V v) { return atomic_add_half(p, v); }
template <class V> JIT_INLINE float atomic_add(bfloat16 *p, V v) { return atomic_add_half(p, v); }
template <class V> JIT_INLINE float atomic_sub(float16 *p, V v) { return atomic_add_half(p, -v); }
template <class V> JIT_INLINE float atomic_sub(bfloat16 *p, V v) { return atomic_add_half(p, -v); }

JIT_INLINE long long lane()
{
    return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % 32;
}

}
]]
