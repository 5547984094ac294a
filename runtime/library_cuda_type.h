/* library_cuda_type.h: what CUDA's libraries call types of elements; the numbers are library_types.h's. */
#ifndef CUNA_LIBRARY_CUDA_TYPE_H
#define CUNA_LIBRARY_CUDA_TYPE_H

/* cudaDataType */
enum {
    CUDA_R_16F = 2,
    CUDA_R_16BF = 14,
    CUDA_R_32F = 0,
    CUDA_R_64F = 1,
    CUDA_C_32F = 4,
    CUDA_C_64F = 5,
};

#endif
