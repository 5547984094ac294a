/* blas_lt.h: the functions of cuBLASLt that cuna calls; spec/cuda/toolkit_spec.lua compares it with cublasLt.h. */
#ifndef CUNA_CUDA_BLAS_LT_H
#define CUNA_CUDA_BLAS_LT_H

#include "cuda/blas.h"

typedef cublas_handle cublaslt_handle; /* one of cuBLAS contains one of cuBLASLt, and serves as such */
typedef struct cublaslt_operation_s *cublaslt_operation;
typedef struct cublaslt_layout_s *cublaslt_layout;
typedef struct cublaslt_preference_s *cublaslt_preference;
typedef int cublaslt_operation_attribute;
typedef int cublaslt_layout_attribute;
typedef int cublaslt_preference_attribute;

typedef struct cublaslt_algorithm {
    uint64_t data[8];
} cublaslt_algorithm;

typedef struct cublaslt_choice {
    cublaslt_algorithm algorithm;
    size_t workspace_nbytes;
    cublas_status state;
    float waves;
    int reserved[4];
} cublaslt_choice;

/* Values that are used; the numbers are those of cublasLt.h. */
enum {
    CUBLASLT_MATMUL_DESC_TRANSA = 3, /* int32_t, as is the next */
    CUBLASLT_MATMUL_DESC_TRANSB = 4,
    CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT = 5,          /* int32_t */
    CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET = 6, /* int64_t, in elements */
    CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES = 1,    /* uint64_t */
    CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK = 3,  /* uint32_t, as are the next */
    CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES = 5,
    CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES = 6,
    CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES = 7,
    CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES = 8,
    CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE = 2,
};

/* X(exported symbol, field, parameters); every row returns cublas_status. */
#define CUNA_CUBLASLT_ROWS(X)                                                                                         \
    X("cublasLtMatmulDescCreate", cublaslt_create_operation,                                                          \
      (cublaslt_operation * operation, cublas_compute compute, cuda_data_type scale_type))                            \
    X("cublasLtMatmulDescSetAttribute", cublaslt_set_operation,                                                       \
      (cublaslt_operation operation, cublaslt_operation_attribute attribute, const void *value, size_t nbytes))       \
    X("cublasLtMatmulDescDestroy", cublaslt_destroy_operation, (cublaslt_operation operation))                        \
    X("cublasLtMatrixLayoutCreate", cublaslt_create_layout,                                                           \
      (cublaslt_layout * layout, cuda_data_type type, uint64_t rows, uint64_t columns, int64_t ld))                   \
    X("cublasLtMatrixLayoutSetAttribute", cublaslt_set_layout,                                                        \
      (cublaslt_layout layout, cublaslt_layout_attribute attribute, const void *value, size_t nbytes))                \
    X("cublasLtMatrixLayoutDestroy", cublaslt_destroy_layout, (cublaslt_layout layout))                               \
    X("cublasLtMatmulPreferenceCreate", cublaslt_create_preference, (cublaslt_preference * preference))               \
    X("cublasLtMatmulPreferenceSetAttribute", cublaslt_set_preference,                                                \
      (cublaslt_preference preference, cublaslt_preference_attribute attribute, const void *value, size_t nbytes))    \
    X("cublasLtMatmulPreferenceDestroy", cublaslt_destroy_preference, (cublaslt_preference preference))               \
    X("cublasLtMatmulAlgoGetHeuristic", cublaslt_choose,                                                              \
      (cublaslt_handle handle, cublaslt_operation operation, cublaslt_layout a, cublaslt_layout b, cublaslt_layout c, \
       cublaslt_layout d, cublaslt_preference preference, int most, cublaslt_choice *choices, int *count))            \
    X("cublasLtMatmul", cublaslt_matmul,                                                                              \
      (cublaslt_handle handle, cublaslt_operation operation, const cuda_factor *alpha, const void *a,                 \
       cublaslt_layout a_layout, const void *b, cublaslt_layout b_layout, const cuda_factor *beta, const void *c,     \
       cublaslt_layout c_layout, void *d, cublaslt_layout d_layout, const cublaslt_algorithm *algorithm,              \
       void *workspace, size_t workspace_nbytes, cu_stream stream))

#endif
