/* raw_cpu.h: what CUDA C++ has besides threads, on the cpu device: vectors, libc, assert.
 *
 * It builds on prelude_cpu.h, raw_block_cpu.h and raw_names.cuh; raw_math_cpu.h, raw_intrinsic_cpu.h,
 * raw_simd_cpu.h, raw_atomic_cpu.h and raw_warp_cpu.h follow. All names are global, as in CUDA. No standard header is included,
 * but a user's source may include one, so names must not clash: functions of libc and libm are declared `extern
 * "C"` with the libraries' exception specifications, C++ overloads are templates, to which other functions are
 * preferred, and <stdint.h> counts as included, because raw_names.cuh has all its types. The compiler is NVRTC's to the
 * source. __CUDA_ARCH__ is 800, because bodies of kernels often need some: then they would be empty. */
#define CUNA_CPU 1
#define __CUDACC__ 1
#define __CUDACC_RTC__ 1
#define __CUDA_ARCH__ 800

#define _STDINT_H 1
#define _BITS_STDINT_INTN_H 1
#define _BITS_STDINT_UINTN_H 1
#define __intptr_t_defined 1
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef long clock_t;

/* Handles and results of host code, which structures and headers of both name. */
typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
typedef struct CUgraph_st *cudaGraph_t;
typedef struct CUgraphExec_st *cudaGraphExec_t;
enum cudaError { cudaSuccess, cudaErrorInvalidValue, cudaErrorMemoryAllocation };
typedef enum cudaError cudaError_t;
enum cudaMemcpyKind {
    cudaMemcpyHostToHost,
    cudaMemcpyHostToDevice,
    cudaMemcpyDeviceToHost,
    cudaMemcpyDeviceToDevice,
    cudaMemcpyDefault
};

#ifndef NULL
#define NULL __null
#endif
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define HUGE_VALF __builtin_inff()
#define HUGE_VAL __builtin_inf()

#define CUNA_VECTOR(V, T, two, four)                                                                                   \
    struct V##1 { T x; };                                                                                              \
    struct alignas(two) V##2 { T x, y; };                                                                              \
    struct alignas(four) V##4 { T x, y, z, w; };                                                                       \
    CUNA_INLINE V##1 make_##V##1(T x) { return {x}; }                                                                  \
    CUNA_INLINE V##2 make_##V##2(T x, T y) { return {x, y}; }                                                          \
    CUNA_INLINE V##3 make_##V##3(T x, T y, T z) { return {x, y, z}; }                                                  \
    CUNA_INLINE V##4 make_##V##4(T x, T y, T z, T w) { return {x, y, z, w}; }
#define CUNA_VECTORS(V, T, two, four)                                                                                  \
    struct V##3 { T x, y, z; };                                                                                        \
    CUNA_VECTOR(V, T, two, four)
CUNA_VECTORS(char, signed char, 2, 4)
CUNA_VECTORS(uchar, unsigned char, 2, 4)
CUNA_VECTORS(short, short, 4, 8)
CUNA_VECTORS(ushort, unsigned short, 4, 8)
CUNA_VECTOR(int, int, 8, 16)
CUNA_VECTOR(uint, unsigned, 8, 16)
CUNA_VECTORS(long, long, 16, 16)
CUNA_VECTORS(ulong, unsigned long, 16, 16)
CUNA_VECTORS(longlong, long long, 16, 16)
CUNA_VECTORS(ulonglong, unsigned long long, 16, 16)
CUNA_VECTORS(float, float, 8, 16)
CUNA_VECTORS(double, double, 16, 16)
#undef CUNA_VECTOR
#undef CUNA_VECTORS

extern "C" {
int printf(const char *, ...);
int snprintf(char *, size_t, const char *, ...) noexcept;
void *memcpy(void *, const void *, size_t) noexcept;
void *memmove(void *, const void *, size_t) noexcept;
void *memset(void *, int, size_t) noexcept;
void *malloc(size_t) noexcept;
void free(void *) noexcept;
}

/* No library of C++ is linked. At a place `new` is a template, which gives way to that of <new>. */
void *operator new(size_t nbytes) { return malloc(nbytes); }
void *operator new[](size_t nbytes) { return malloc(nbytes); }
void operator delete(void *p) noexcept { free(p); }
void operator delete[](void *p) noexcept { free(p); }
void operator delete(void *p, size_t) noexcept { free(p); }
void operator delete[](void *p, size_t) noexcept { free(p); }
template <class T> CUNA_INLINE void *operator new(size_t, T *place) noexcept { return (void *)place; }
template <class T> CUNA_INLINE void *operator new[](size_t, T *place) noexcept { return (void *)place; }

namespace cuna_raw {

/* Ends the launch. It says where in the source; the thread is the trap's business. */
[[noreturn]] __attribute__((noinline, cold)) inline void fail(const char *what, const char *file, int line,
                                                              const char *function)
{
    static thread_local char words[512];
    snprintf(words, sizeof words, "%s:%d: %s: %s", file, line, function, what);
    trap(words);
}

}

#ifdef NDEBUG
#define assert(...) ((void)0)
#else
#define assert(...)                                                                                                    \
    (__builtin_expect(!(__VA_ARGS__), 0)                                                                               \
         ? cuna_raw::fail("assertion `" #__VA_ARGS__ "' failed", __FILE__, __LINE__, __func__) : (void)0)
#endif
#define __trap() cuna_raw::fail("__trap()", __FILE__, __LINE__, __func__)
#define __brkpt() cuna_raw::fail("__brkpt()", __FILE__, __LINE__, __func__)

#if !__has_builtin(__builtin_assume)
#define __builtin_assume(condition) ((condition) ? (void)0 : __builtin_unreachable())
#endif
#define __assume(condition) __builtin_assume(condition)
#define __builtin_align__(n) __attribute__((aligned(n)))
