/* raw_names.cuh: types and constants that kernels expect from C's headers, for all devices.
 *
 * 64-bit types are `long long`, as in NVRTC's headers; the others are CUDA's on Linux. */
#define CUNA_TYPES(prefix)                                                                                             \
    typedef signed char int##prefix##8_t;                                                                              \
    typedef short int##prefix##16_t;                                                                                   \
    typedef int int##prefix##32_t;                                                                                     \
    typedef long long int##prefix##64_t;                                                                               \
    typedef unsigned char uint##prefix##8_t;                                                                           \
    typedef unsigned short uint##prefix##16_t;                                                                         \
    typedef unsigned uint##prefix##32_t;                                                                               \
    typedef unsigned long long uint##prefix##64_t;
CUNA_TYPES() CUNA_TYPES(_least) CUNA_TYPES(_fast)
#undef CUNA_TYPES
typedef long long intptr_t, intmax_t;
typedef unsigned long long uintptr_t, uintmax_t;
typedef unsigned int uint;
typedef unsigned short ushort;
typedef unsigned long ulong;
typedef unsigned long long CUtexObject, CUsurfObject; /* of <cuda.h> */

/* The version of CUDA that texts ask for: NVRTC's, of which some define it; the cpu device has this vocabulary. */
#ifndef CUDART_VERSION
#ifdef __CUDACC_VER_MAJOR__
#define CUDART_VERSION (__CUDACC_VER_MAJOR__ * 1000 + __CUDACC_VER_MINOR__ * 10)
#else
#define CUDART_VERSION 12000
#endif
#endif
#ifndef CUDA_VERSION
#define CUDA_VERSION CUDART_VERSION
#endif

#define CHAR_BIT 8
#define SCHAR_MIN (-128)
#define SCHAR_MAX 127
#define UCHAR_MAX 255
#define CHAR_MIN SCHAR_MIN
#define CHAR_MAX SCHAR_MAX
#define SHRT_MIN (-32768)
#define SHRT_MAX 32767
#define USHRT_MAX 65535
#define INT_MIN (-INT_MAX - 1)
#define INT_MAX 2147483647
#define UINT_MAX 4294967295u
#define LONG_MIN (-LONG_MAX - 1)
#define LONG_MAX 9223372036854775807l
#define ULONG_MAX 18446744073709551615ul
#define LLONG_MIN (-LLONG_MAX - 1)
#define LLONG_MAX 9223372036854775807ll
#define ULLONG_MAX 18446744073709551615ull
#define INT8_MIN SCHAR_MIN
#define INT8_MAX SCHAR_MAX
#define UINT8_MAX UCHAR_MAX
#define INT16_MIN SHRT_MIN
#define INT16_MAX SHRT_MAX
#define UINT16_MAX USHRT_MAX
#define INT32_MIN INT_MIN
#define INT32_MAX INT_MAX
#define UINT32_MAX UINT_MAX
#define INT64_MIN LLONG_MIN
#define INT64_MAX LLONG_MAX
#define UINT64_MAX ULLONG_MAX
#define SIZE_MAX ULONG_MAX
#define INTPTR_MAX LLONG_MAX
#define UINTPTR_MAX ULLONG_MAX
#define INT64_C(c) c##ll
#define UINT64_C(c) c##ull

#define FLT_RADIX 2
#define FLT_MANT_DIG 24
#define FLT_DIG 6
#define FLT_MIN_EXP (-125)
#define FLT_MAX_EXP 128
#define FLT_MAX 3.402823466385288598e38f
#define FLT_MIN 1.175494350822287508e-38f
#define FLT_EPSILON 1.192092895507812500e-7f
#define DBL_MANT_DIG 53
#define DBL_DIG 15
#define DBL_MIN_EXP (-1021)
#define DBL_MAX_EXP 1024
#define DBL_MAX 1.797693134862315708e308
#define DBL_MIN 2.225073858507201383e-308
#define DBL_EPSILON 2.220446049250313081e-16

#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440

/* Of <math_constants.h>. */
#define CUDART_INF_F INFINITY
#define CUDART_NAN_F __int_as_float(0x7fffffff)
#define CUDART_MIN_DENORM_F __int_as_float(1)
#define CUDART_MAX_NORMAL_F FLT_MAX
#define CUDART_NEG_ZERO_F -0.0f
#define CUDART_ZERO_F 0.0f
#define CUDART_ONE_F 1.0f
#define CUDART_SQRT_HALF_F 0.707106781f
#define CUDART_SQRT_TWO_F 1.414213562f
#define CUDART_PIO4_F 0.785398163f
#define CUDART_PIO2_F 1.570796327f
#define CUDART_PI_F 3.141592654f
#define CUDART_2_OVER_PI_F 0.636619772f
#define CUDART_SQRT_2PI_F 2.506628275f
#define CUDART_L2E_F 1.442695041f
#define CUDART_LG2E_F CUDART_L2E_F
#define CUDART_LGE_F 0.434294482f
#define CUDART_LN2_F 0.693147181f
#define CUDART_LNT_F 2.302585093f
#define CUDART_LNPI_F 1.144729886f
#define CUDART_INF HUGE_VAL
#define CUDART_NAN __longlong_as_double((long long)0xfff8000000000000ull)
#define CUDART_MIN_DENORM __longlong_as_double(1)
#define CUDART_MAX_NORMAL DBL_MAX
#define CUDART_NEG_ZERO -0.0
#define CUDART_ZERO 0.0
#define CUDART_ONE 1.0
#define CUDART_SQRT_TWO M_SQRT2
#define CUDART_SQRT_HALF M_SQRT1_2
#define CUDART_SQRT_2PI 2.5066282746310005
#define CUDART_PIO4 M_PI_4
#define CUDART_PIO2 M_PI_2
#define CUDART_PI M_PI
#define CUDART_2_OVER_PI M_2_PI
#define CUDART_L2E M_LOG2E
#define CUDART_LG2E M_LOG2E
#define CUDART_LGE M_LOG10E
#define CUDART_LN2 M_LN2
#define CUDART_LNT M_LN10
#define CUDART_LNPI 1.1447298858494002
