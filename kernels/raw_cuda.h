/* raw_cuda.h: names that raw kernels may use besides NVRTC's built-in ones.
 *
 * NVRTC has CUDA C++ built in, assert and printf included, but no headers. This file and raw_names.cuh define what
 * headers would add, and what the cpu device also accepts: integers where a function takes floating point, two types
 * in min and max, atomics of all 64-bit integers. These are templates, so that a user's own functions are preferred. */
#define INFINITY __builtin_bit_cast(float, 0x7f800000)
#define NAN __builtin_bit_cast(float, 0x7fffffff)
#define HUGE_VALF __builtin_bit_cast(float, 0x7f800000)
#define HUGE_VAL __builtin_bit_cast(double, 0x7ff0000000000000ull)
#define __assume(condition) __builtin_assume(condition)
#define CUNA_RAW __device__ __forceinline__

namespace cuna_raw {

template <class T> struct same { typedef T type; };
/* The type that functions of integers are computed in, and that of what mixes with floats. */
template <class T> struct integer {};
template <class T> struct real {};
template <> struct real<float> { typedef float type; };
template <> struct real<double> { typedef double type; };
/* T if it is a number. */
template <class T> struct number {};
template <> struct number<float> { typedef float type; };
template <> struct number<double> { typedef double type; };
#define CUNA_INTEGER(T)                                                                                                \
    template <> struct integer<T> { typedef double type; };                                                            \
    template <> struct real<T> { typedef double type; };                                                               \
    template <> struct number<T> { typedef T type; };
CUNA_INTEGER(bool) CUNA_INTEGER(char) CUNA_INTEGER(signed char) CUNA_INTEGER(unsigned char)
CUNA_INTEGER(short) CUNA_INTEGER(unsigned short) CUNA_INTEGER(int) CUNA_INTEGER(unsigned)
CUNA_INTEGER(long) CUNA_INTEGER(unsigned long) CUNA_INTEGER(long long) CUNA_INTEGER(unsigned long long)
#undef CUNA_INTEGER

/* Types that CUDA's atomics leave out, and the type of theirs with the same bits. */
template <class T> struct wide {};
template <> struct wide<long> { typedef unsigned long long type; };
template <> struct wide<unsigned long> { typedef unsigned long long type; };
template <> struct wide<long long> { typedef unsigned long long type; };
template <> struct wide<unsigned long long> { typedef unsigned long long type; };
template <class T> struct ordered {};
template <> struct ordered<long> { typedef long long type; };
template <> struct ordered<unsigned long> { typedef unsigned long long type; };
template <class T> struct wide_real {};
template <> struct wide_real<double> { typedef unsigned long long type; };

}

#define CUNA_OF_INTEGER(name)                                                                                          \
    template <class T> CUNA_RAW typename cuna_raw::integer<T>::type name(T x) { return name(double(x)); }
CUNA_OF_INTEGER(sin) CUNA_OF_INTEGER(cos) CUNA_OF_INTEGER(tan) CUNA_OF_INTEGER(asin) CUNA_OF_INTEGER(acos)
CUNA_OF_INTEGER(atan) CUNA_OF_INTEGER(sinh) CUNA_OF_INTEGER(cosh) CUNA_OF_INTEGER(tanh) CUNA_OF_INTEGER(exp)
CUNA_OF_INTEGER(exp2) CUNA_OF_INTEGER(exp10) CUNA_OF_INTEGER(expm1) CUNA_OF_INTEGER(log) CUNA_OF_INTEGER(log2)
CUNA_OF_INTEGER(log10) CUNA_OF_INTEGER(log1p) CUNA_OF_INTEGER(sqrt) CUNA_OF_INTEGER(rsqrt) CUNA_OF_INTEGER(cbrt)
CUNA_OF_INTEGER(fabs) CUNA_OF_INTEGER(floor) CUNA_OF_INTEGER(ceil) CUNA_OF_INTEGER(trunc) CUNA_OF_INTEGER(round)
CUNA_OF_INTEGER(rint) CUNA_OF_INTEGER(erf) CUNA_OF_INTEGER(erfc) CUNA_OF_INTEGER(tgamma) CUNA_OF_INTEGER(lgamma)
#undef CUNA_OF_INTEGER

/* Mixed types only: CUDA has the others. */
#define CUNA_OF_TWO(name)                                                                                              \
    template <class T, class U>                                                                                        \
    CUNA_RAW decltype(typename cuna_raw::real<T>::type() + typename cuna_raw::real<U>::type()) name(T x, U y)          \
    {                                                                                                                  \
        typedef decltype(typename cuna_raw::real<T>::type() + typename cuna_raw::real<U>::type()) real;                \
        return name(real(x), real(y));                                                                                 \
    }
CUNA_OF_TWO(pow) CUNA_OF_TWO(atan2) CUNA_OF_TWO(fmod) CUNA_OF_TWO(hypot) CUNA_OF_TWO(copysign) CUNA_OF_TWO(fmax)
CUNA_OF_TWO(fmin) CUNA_OF_TWO(fdim)
#undef CUNA_OF_TWO
#define CUNA_OF_NUMBERS(name)                                                                                          \
    template <class T, class U>                                                                                        \
    CUNA_RAW decltype(typename cuna_raw::number<T>::type() + typename cuna_raw::number<U>::type()) name(T x, U y)      \
    {                                                                                                                  \
        typedef decltype(x + y) both;                                                                                  \
        return name(both(x), both(y));                                                                                 \
    }
CUNA_OF_NUMBERS(min) CUNA_OF_NUMBERS(max)
#undef CUNA_OF_NUMBERS

template <class T> CUNA_RAW decltype(typename cuna_raw::real<T>::type(), true) isnormal(T x)
{
    return isfinite(x) && fabs(x) >= (sizeof(T) == 4 ? 1.175494350822287508e-38 : 2.225073858507201383e-308);
}

#define CUNA_ATOMIC(name, map)                                                                                         \
    CUNA_ATOMIC_IN(name, map) CUNA_ATOMIC_IN(name##_block, map) CUNA_ATOMIC_IN(name##_system, map)
#define CUNA_ATOMIC_IN(name, map)                                                                                      \
    template <class T, class W = typename cuna_raw::map<T>::type>                                                      \
    CUNA_RAW T name(T *p, typename cuna_raw::same<T>::type v)                                                          \
    {                                                                                                                  \
        return (T)name((W *)p, (W)v);                                                                                  \
    }
CUNA_ATOMIC(atomicAdd, wide) CUNA_ATOMIC(atomicExch, wide) CUNA_ATOMIC(atomicAnd, wide) CUNA_ATOMIC(atomicOr, wide)
CUNA_ATOMIC(atomicXor, wide) CUNA_ATOMIC(atomicMin, ordered) CUNA_ATOMIC(atomicMax, ordered)
#undef CUNA_ATOMIC
#undef CUNA_ATOMIC_IN
#define CUNA_ATOMIC(scope)                                                                                             \
    template <class T, class W = typename cuna_raw::wide<T>::type>                                                     \
    CUNA_RAW T atomicSub##scope(T *p, typename cuna_raw::same<T>::type v)                                              \
    {                                                                                                                  \
        return (T)atomicAdd##scope((W *)p, (W)0 - (W)v);                                                               \
    }                                                                                                                  \
    template <class T, class W = typename cuna_raw::wide<T>::type>                                                     \
    CUNA_RAW T atomicCAS##scope(T *p, typename cuna_raw::same<T>::type expected, typename cuna_raw::same<T>::type v)   \
    {                                                                                                                  \
        return (T)atomicCAS##scope((W *)p, (W)expected, (W)v);                                                         \
    }                                                                                                                  \
    template <class T, class W = typename cuna_raw::wide_real<T>::type, int = 0>                                       \
    CUNA_RAW T atomicExch##scope(T *p, typename cuna_raw::same<T>::type v)                                             \
    {                                                                                                                  \
        return __longlong_as_double((long long)atomicExch##scope((W *)p, (W)__double_as_longlong(v)));                 \
    }
CUNA_ATOMIC() CUNA_ATOMIC(_block) CUNA_ATOMIC(_system)
#undef CUNA_ATOMIC
