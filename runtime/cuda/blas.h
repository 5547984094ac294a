/* blas.h: the functions of cuBLAS that cuna calls; spec/cuda/toolkit_spec.lua compares it with cublas_v2.h. */
#ifndef CUNA_CUDA_BLAS_H
#define CUNA_CUDA_BLAS_H

#include "seam/driver.h"
#include "seam/library_cuda_type.h"

typedef int cublas_status;
typedef int cublas_operation;
typedef int cublas_side;
typedef int cublas_fill;
typedef int cublas_diagonal;
typedef int cublas_compute;
typedef int cublas_algorithm;
typedef int cuda_data_type;
typedef struct cublas_handle_s *cublas_handle;

/* Values that are used; the numbers are those of cublas_api.h and library_types.h. */
enum {
    CUBLAS_STATUS_SUCCESS = 0,
    CUBLAS_STATUS_NOT_INITIALIZED = 1,
    CUBLAS_STATUS_ALLOC_FAILED = 3,
    CUBLAS_STATUS_INVALID_VALUE = 7,
    CUBLAS_STATUS_ARCH_MISMATCH = 8,
    CUBLAS_STATUS_MAPPING_ERROR = 11,
    CUBLAS_STATUS_EXECUTION_FAILED = 13,
    CUBLAS_STATUS_INTERNAL_ERROR = 14,
    CUBLAS_STATUS_NOT_SUPPORTED = 15,
    CUBLAS_STATUS_LICENSE_ERROR = 16,
    CUBLAS_OP_N = 0,
    CUBLAS_OP_T = 1,
    CUBLAS_OP_C = 2,
    CUBLAS_SIDE_LEFT = 0,
    CUBLAS_SIDE_RIGHT = 1,
    CUBLAS_FILL_MODE_LOWER = 0,
    CUBLAS_FILL_MODE_UPPER = 1,
    CUBLAS_DIAG_NON_UNIT = 0,
    CUBLAS_DIAG_UNIT = 1,
    CUBLAS_COMPUTE_32F = 68,
    CUBLAS_COMPUTE_32F_FAST_TF32 = 77,
    CUBLAS_COMPUTE_64F = 70,
    CUBLAS_GEMM_DEFAULT = -1,
};

/* X(exported symbol, field, parameters); every row returns cublas_status. Those of 64-bit sizes are of CUDA 12. */
#define CUNA_CUBLAS_ROWS(X)                                                                                            \
    X("cublasCreate_v2", cublas_create, (cublas_handle * handle))                                                      \
    X("cublasSetStream_v2", cublas_set_stream, (cublas_handle handle, cu_stream stream))                               \
    X("cublasSetWorkspace_v2", cublas_set_workspace, (cublas_handle handle, void *workspace, size_t nbytes))           \
    X("cublasGemmStridedBatchedEx_64", cublas_gemm_strided_batched,                                                    \
      (cublas_handle handle, cublas_operation op_a, cublas_operation op_b, int64_t m, int64_t n, int64_t k,            \
       const cuda_factor *alpha, const void *a, cuda_data_type a_type, int64_t lda, long long stride_a, const void *b, \
       cuda_data_type b_type, int64_t ldb, long long stride_b, const cuda_factor *beta, void *c,                       \
       cuda_data_type c_type, int64_t ldc, long long stride_c, int64_t count, cublas_compute compute,                  \
       cublas_algorithm algorithm))                                                                                    \
    X("cublasStrsm_v2_64", cublas_strsm,                                                                               \
      (cublas_handle handle, cublas_side side, cublas_fill fill, cublas_operation op, cublas_diagonal diagonal,        \
       int64_t m, int64_t n, const float *alpha, const float *a, int64_t lda, float *b, int64_t ldb))                  \
    X("cublasDtrsm_v2_64", cublas_dtrsm,                                                                               \
      (cublas_handle handle, cublas_side side, cublas_fill fill, cublas_operation op, cublas_diagonal diagonal,        \
       int64_t m, int64_t n, const double *alpha, const double *a, int64_t lda, double *b, int64_t ldb))               \
    X("cublasCtrsm_v2_64", cublas_ctrsm,                                                                               \
      (cublas_handle handle, cublas_side side, cublas_fill fill, cublas_operation op, cublas_diagonal diagonal,        \
       int64_t m, int64_t n, const cuda_complex64 *alpha, const cuda_complex64 *a, int64_t lda, cuda_complex64 *b,     \
       int64_t ldb))                                                                                                   \
    X("cublasZtrsm_v2_64", cublas_ztrsm,                                                                               \
      (cublas_handle handle, cublas_side side, cublas_fill fill, cublas_operation op, cublas_diagonal diagonal,        \
       int64_t m, int64_t n, const cuda_complex128 *alpha, const cuda_complex128 *a, int64_t lda, cuda_complex128 *b,  \
       int64_t ldb))

/* Called by factorisations of stacks (lapack.c): matrices are passed as addresses in device memory. */
#define CUNA_CUBLAS_STACK_ROWS(X)                                                                                    \
    X("cublasSgetrfBatched", cublas_sgetrf_batched,                                                                  \
      (cublas_handle handle, int n, float *const a[], int lda, int *pivots, int *info, int count))                   \
    X("cublasSgetrsBatched", cublas_sgetrs_batched,                                                                  \
      (cublas_handle handle, cublas_operation op, int n, int k, const float *const a[], int lda, const int *pivots,  \
       float *const b[], int ldb, int *info, int count))                                                             \
    X("cublasSgetriBatched", cublas_sgetri_batched,                                                                  \
      (cublas_handle handle, int n, const float *const a[], int lda, const int *pivots, float *const c[], int ldc,   \
       int *info, int count))                                                                                        \
    X("cublasStrsmBatched_64", cublas_strsm_batched,                                                                 \
      (cublas_handle handle, cublas_side side, cublas_fill fill, cublas_operation op, cublas_diagonal diagonal,      \
       int64_t m, int64_t n, const float *alpha, const float *const a[], int64_t lda, float *const b[], int64_t ldb, \
       int64_t count))                                                                                               \
    X("cublasDgetrfBatched", cublas_dgetrf_batched,                                                                  \
      (cublas_handle handle, int n, double *const a[], int lda, int *pivots, int *info, int count))                  \
    X("cublasDgetrsBatched", cublas_dgetrs_batched,                                                                  \
      (cublas_handle handle, cublas_operation op, int n, int k, const double *const a[], int lda, const int *pivots, \
       double *const b[], int ldb, int *info, int count))                                                            \
    X("cublasDgetriBatched", cublas_dgetri_batched,                                                                  \
      (cublas_handle handle, int n, const double *const a[], int lda, const int *pivots, double *const c[], int ldc, \
       int *info, int count))                                                                                        \
    X("cublasDtrsmBatched_64", cublas_dtrsm_batched,                                                                 \
      (cublas_handle handle, cublas_side side, cublas_fill fill, cublas_operation op, cublas_diagonal diagonal,      \
       int64_t m, int64_t n, const double *alpha, const double *const a[], int64_t lda, double *const b[],           \
       int64_t ldb, int64_t count))                                                                                  \
    X("cublasCgetrfBatched", cublas_cgetrf_batched,                                                                  \
      (cublas_handle handle, int n, cuda_complex64 *const a[], int lda, int *pivots, int *info, int count))          \
    X("cublasCgetrsBatched", cublas_cgetrs_batched,                                                                  \
      (cublas_handle handle, cublas_operation op, int n, int k, const cuda_complex64 *const a[], int lda,            \
       const int *pivots, cuda_complex64 *const b[], int ldb, int *info, int count))                                 \
    X("cublasCgetriBatched", cublas_cgetri_batched,                                                                  \
      (cublas_handle handle, int n, const cuda_complex64 *const a[], int lda, const int *pivots,                     \
       cuda_complex64 *const c[], int ldc, int *info, int count))                                                    \
    X("cublasCtrsmBatched_64", cublas_ctrsm_batched,                                                                 \
      (cublas_handle handle, cublas_side side, cublas_fill fill, cublas_operation op, cublas_diagonal diagonal,      \
       int64_t m, int64_t n, const cuda_complex64 *alpha, const cuda_complex64 *const a[], int64_t lda,              \
       cuda_complex64 *const b[], int64_t ldb, int64_t count))                                                       \
    X("cublasZgetrfBatched", cublas_zgetrf_batched,                                                                  \
      (cublas_handle handle, int n, cuda_complex128 *const a[], int lda, int *pivots, int *info, int count))         \
    X("cublasZgetrsBatched", cublas_zgetrs_batched,                                                                  \
      (cublas_handle handle, cublas_operation op, int n, int k, const cuda_complex128 *const a[], int lda,           \
       const int *pivots, cuda_complex128 *const b[], int ldb, int *info, int count))                                \
    X("cublasZgetriBatched", cublas_zgetri_batched,                                                                  \
      (cublas_handle handle, int n, const cuda_complex128 *const a[], int lda, const int *pivots,                    \
       cuda_complex128 *const c[], int ldc, int *info, int count))                                                   \
    X("cublasZtrsmBatched_64", cublas_ztrsm_batched,                                                                 \
      (cublas_handle handle, cublas_side side, cublas_fill fill, cublas_operation op, cublas_diagonal diagonal,      \
       int64_t m, int64_t n, const cuda_complex128 *alpha, const cuda_complex128 *const a[], int64_t lda,            \
       cuda_complex128 *const b[], int64_t ldb, int64_t count))

#endif
