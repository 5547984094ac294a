/* library_cuda_type.h: element types of CUDA's libraries, and how they take single elements; the numbers are
 * library_types.h's, the alignments those of vector_types.h. */
#ifndef CUNA_SEAM_LIBRARY_CUDA_TYPE_H
#define CUNA_SEAM_LIBRARY_CUDA_TYPE_H

#include "base/dtype.h"

/* cudaDataType */
enum {
    CUDA_R_16F = 2,
    CUDA_R_16BF = 14,
    CUDA_R_32F = 0,
    CUDA_R_64F = 1,
    CUDA_C_32F = 4,
    CUDA_C_64F = 5,
};

/* The type of a float or complex dtype. */
static inline int cuna__cuda_type(cuna_dtype dtype)
{
    static const int types[] = {CUDA_R_16F, CUDA_R_16BF, CUDA_R_32F, CUDA_R_64F, CUDA_C_32F, CUDA_C_64F};
    return types[dtype - CUNA_FLOAT16];
}

/* Libraries load a complex number as one vector, so it lies at a multiple of its size. */
typedef struct cuda_complex64 {
    _Alignas(8) float x;
    float y;
} cuda_complex64;
typedef struct cuda_complex128 {
    _Alignas(16) double x;
    double y;
} cuda_complex128;

/* A factor (alpha, beta) in host memory, aligned for each of its types, because rows with an element type argument take
 * its address. */
typedef union cuda_factor {
    float s;
    double d;
    cuda_complex64 c;
    cuda_complex128 z;
} cuda_factor;

/* The factor of a product of matrices of `dtype`; for float16 and bfloat16 it is a float. */
static inline cuda_factor cuna__cuda_factor(cuna_dtype dtype, const double value[2])
{
    if (dtype == CUNA_FLOAT64 || dtype == CUNA_COMPLEX128)
        return (cuda_factor){.z = {value[0], value[1]}};
    return (cuda_factor){.c = {(float)value[0], (float)value[1]}};
}

#endif
