/* raw_cucomplex.cuh: the names of <cuComplex.h> and <cufft.h> that kernels use, for all devices. */
#ifndef CUNA_RAW_CUCOMPLEX
#define CUNA_RAW_CUCOMPLEX
#define CUNA_PLAIN static __device__ __forceinline__

/* f: the suffix of names. Quotients and lengths are scaled, so that only what is out of range overflows. */
#define CUNA_CUCOMPLEX(C, T, f, make)                                                                                  \
    CUNA_PLAIN C make(T x, T y)                                                                                        \
    {                                                                                                                  \
        C z;                                                                                                           \
        z.x = x, z.y = y;                                                                                              \
        return z;                                                                                                      \
    }                                                                                                                  \
    CUNA_PLAIN T cuCreal##f(C z) { return z.x; }                                                                       \
    CUNA_PLAIN T cuCimag##f(C z) { return z.y; }                                                                       \
    CUNA_PLAIN C cuConj##f(C z) { return make(z.x, -z.y); }                                                            \
    CUNA_PLAIN T cuCabs##f(C z) { return hypot(z.x, z.y); }                                                            \
    CUNA_PLAIN C cuCadd##f(C a, C b) { return make(a.x + b.x, a.y + b.y); }                                            \
    CUNA_PLAIN C cuCsub##f(C a, C b) { return make(a.x - b.x, a.y - b.y); }                                            \
    CUNA_PLAIN C cuCmul##f(C a, C b) { return make(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }                    \
    CUNA_PLAIN C cuCdiv##f(C a, C b)                                                                                   \
    {                                                                                                                  \
        T scale = 1 / (fabs(b.x) + fabs(b.y));                                                                         \
        T ax = a.x * scale, ay = a.y * scale, bx = b.x * scale, by = b.y * scale, over = 1 / (bx * bx + by * by);      \
        return make((ax * bx + ay * by) * over, (ay * bx - ax * by) * over);                                           \
    }                                                                                                                  \
    CUNA_PLAIN C cuCfma##f(C a, C b, C c)                                                                              \
    {                                                                                                                  \
        return make(fma(-a.y, b.y, fma(a.x, b.x, c.x)), fma(a.y, b.x, fma(a.x, b.y, c.y)));                            \
    }
typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;
typedef float cufftReal;
typedef double cufftDoubleReal;
typedef cuComplex cufftComplex;
typedef cuDoubleComplex cufftDoubleComplex;
#define CUFFT_FORWARD (-1)
#define CUFFT_INVERSE 1
CUNA_CUCOMPLEX(cuFloatComplex, float, f, make_cuFloatComplex)
CUNA_CUCOMPLEX(cuDoubleComplex, double, , make_cuDoubleComplex)
CUNA_PLAIN cuComplex make_cuComplex(float x, float y) { return make_cuFloatComplex(x, y); }
CUNA_PLAIN cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) { return make_cuDoubleComplex(z.x, z.y); }
CUNA_PLAIN cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z)
{
    return make_cuFloatComplex(float(z.x), float(z.y));
}
#endif
