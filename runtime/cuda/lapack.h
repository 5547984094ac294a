/* lapack.h: the functions of cuSOLVER that cuna calls; spec/cuda/toolkit_spec.lua compares it with cusolverDn.h. Those
 * of cuBLAS are in blas.h. */
#ifndef CUNA_CUDA_LAPACK_H
#define CUNA_CUDA_LAPACK_H

#include "cuda/blas.h"

typedef int cusolver_status;
typedef int cusolver_mode;
typedef struct cusolver_handle_s *cusolver_handle;
typedef struct cusolver_params_s *cusolver_params;
typedef struct cusolver_jacobi_s *cusolver_jacobi;
typedef struct cusolver_eigen_jacobi_s *cusolver_eigen_jacobi;

/* Values that are used; the numbers are those of cusolver_common.h. */
enum {
    CUSOLVER_STATUS_SUCCESS = 0,
    CUSOLVER_STATUS_NOT_INITIALIZED = 1,
    CUSOLVER_STATUS_ALLOC_FAILED = 2,
    CUSOLVER_STATUS_INVALID_VALUE = 3,
    CUSOLVER_STATUS_ARCH_MISMATCH = 4,
    CUSOLVER_STATUS_EXECUTION_FAILED = 6,
    CUSOLVER_STATUS_INTERNAL_ERROR = 7,
    CUSOLVER_STATUS_NOT_SUPPORTED = 9,
    CUSOLVER_EIG_MODE_NOVECTOR = 0,
    CUSOLVER_EIG_MODE_VECTOR = 1,
};

/* X(exported symbol, field, parameters); every row returns cusolver_status. Xgeev and XsyevBatched are of CUDA 12.6. */
#define CUNA_CUSOLVER_ROWS(X)                                                                                          \
    X("cusolverDnCreate", cusolver_create, (cusolver_handle * handle))                                                 \
    X("cusolverDnSetStream", cusolver_set_stream, (cusolver_handle handle, cu_stream stream))                          \
    X("cusolverDnCreateParams", cusolver_create_params, (cusolver_params * params))                                    \
    X("cusolverDnCreateGesvdjInfo", cusolver_create_jacobi, (cusolver_jacobi * jacobi))                                \
    X("cusolverDnCreateSyevjInfo", cusolver_create_eigen_jacobi, (cusolver_eigen_jacobi * jacobi))                     \
    X("cusolverDnDestroy", cusolver_destroy, (cusolver_handle handle))                                                 \
    X("cusolverDnDestroyParams", cusolver_destroy_params, (cusolver_params params))                                    \
    X("cusolverDnDestroyGesvdjInfo", cusolver_destroy_jacobi, (cusolver_jacobi jacobi))                                \
    X("cusolverDnDestroySyevjInfo", cusolver_destroy_eigen_jacobi, (cusolver_eigen_jacobi jacobi))                     \
    X("cusolverDnXgetrf_bufferSize", cusolver_getrf_size,                                                              \
      (cusolver_handle handle, cusolver_params params, int64_t m, int64_t n, cuda_data_type a_type, const void *a,     \
       int64_t lda, cuda_data_type compute, size_t *device_nbytes, size_t *host_nbytes))                               \
    X("cusolverDnXgetrf", cusolver_getrf,                                                                              \
      (cusolver_handle handle, cusolver_params params, int64_t m, int64_t n, cuda_data_type a_type, void *a,           \
       int64_t lda, int64_t *pivots, cuda_data_type compute, void *device, size_t device_nbytes, void *host,           \
       size_t host_nbytes, int *info))                                                                                 \
    X("cusolverDnXgetrs", cusolver_getrs,                                                                              \
      (cusolver_handle handle, cusolver_params params, cublas_operation op, int64_t n, int64_t k,                      \
       cuda_data_type a_type, const void *a, int64_t lda, const int64_t *pivots, cuda_data_type b_type, void *b,       \
       int64_t ldb, int *info))                                                                                        \
    X("cusolverDnXpotrf_bufferSize", cusolver_potrf_size,                                                              \
      (cusolver_handle handle, cusolver_params params, cublas_fill fill, int64_t n, cuda_data_type a_type,             \
       const void *a, int64_t lda, cuda_data_type compute, size_t *device_nbytes, size_t *host_nbytes))                \
    X("cusolverDnXpotrf", cusolver_potrf,                                                                              \
      (cusolver_handle handle, cusolver_params params, cublas_fill fill, int64_t n, cuda_data_type a_type, void *a,    \
       int64_t lda, cuda_data_type compute, void *device, size_t device_nbytes, void *host, size_t host_nbytes,        \
       int *info))                                                                                                     \
    X("cusolverDnXpotrs", cusolver_potrs,                                                                              \
      (cusolver_handle handle, cusolver_params params, cublas_fill fill, int64_t n, int64_t k, cuda_data_type a_type,  \
       const void *a, int64_t lda, cuda_data_type b_type, void *b, int64_t ldb, int *info))                            \
    X("cusolverDnXtrtri_bufferSize", cusolver_trtri_size,                                                              \
      (cusolver_handle handle, cublas_fill fill, cublas_diagonal diagonal, int64_t n, cuda_data_type a_type, void *a,  \
       int64_t lda, size_t *device_nbytes, size_t *host_nbytes))                                                       \
    X("cusolverDnXtrtri", cusolver_trtri,                                                                              \
      (cusolver_handle handle, cublas_fill fill, cublas_diagonal diagonal, int64_t n, cuda_data_type a_type, void *a,  \
       int64_t lda, void *device, size_t device_nbytes, void *host, size_t host_nbytes, int *info))                    \
    X("cusolverDnXgeqrf_bufferSize", cusolver_geqrf_size,                                                              \
      (cusolver_handle handle, cusolver_params params, int64_t m, int64_t n, cuda_data_type a_type, const void *a,     \
       int64_t lda, cuda_data_type tau_type, const void *tau, cuda_data_type compute, size_t *device_nbytes,           \
       size_t *host_nbytes))                                                                                           \
    X("cusolverDnXgeqrf", cusolver_geqrf,                                                                              \
      (cusolver_handle handle, cusolver_params params, int64_t m, int64_t n, cuda_data_type a_type, void *a,           \
       int64_t lda, cuda_data_type tau_type, void *tau, cuda_data_type compute, void *device, size_t device_nbytes,    \
       void *host, size_t host_nbytes, int *info))                                                                     \
    X("cusolverDnXgesvd_bufferSize", cusolver_gesvd_size,                                                              \
      (cusolver_handle handle, cusolver_params params, signed char u_job, signed char vt_job, int64_t m, int64_t n,    \
       cuda_data_type a_type, const void *a, int64_t lda, cuda_data_type s_type, const void *s, cuda_data_type u_type, \
       const void *u, int64_t ldu, cuda_data_type vt_type, const void *vt, int64_t ldvt, cuda_data_type compute,       \
       size_t *device_nbytes, size_t *host_nbytes))                                                                    \
    X("cusolverDnXgesvd", cusolver_gesvd,                                                                              \
      (cusolver_handle handle, cusolver_params params, signed char u_job, signed char vt_job, int64_t m, int64_t n,    \
       cuda_data_type a_type, void *a, int64_t lda, cuda_data_type s_type, void *s, cuda_data_type u_type, void *u,    \
       int64_t ldu, cuda_data_type vt_type, void *vt, int64_t ldvt, cuda_data_type compute, void *device,              \
       size_t device_nbytes, void *host, size_t host_nbytes, int *info))                                               \
    X("cusolverDnXsyevd_bufferSize", cusolver_syevd_size,                                                              \
      (cusolver_handle handle, cusolver_params params, cusolver_mode job, cublas_fill fill, int64_t n,                 \
       cuda_data_type a_type, const void *a, int64_t lda, cuda_data_type w_type, const void *w,                        \
       cuda_data_type compute, size_t *device_nbytes, size_t *host_nbytes))                                            \
    X("cusolverDnXsyevd", cusolver_syevd,                                                                              \
      (cusolver_handle handle, cusolver_params params, cusolver_mode job, cublas_fill fill, int64_t n,                 \
       cuda_data_type a_type, void *a, int64_t lda, cuda_data_type w_type, void *w, cuda_data_type compute,            \
       void *device, size_t device_nbytes, void *host, size_t host_nbytes, int *info))                                 \
    X("cusolverDnXgeev_bufferSize", cusolver_geev_size,                                                                \
      (cusolver_handle handle, cusolver_params params, cusolver_mode left_job, cusolver_mode right_job, int64_t n,     \
       cuda_data_type a_type, const void *a, int64_t lda, cuda_data_type w_type, const void *w,                        \
       cuda_data_type vl_type, const void *vl, int64_t ldvl, cuda_data_type vr_type, const void *vr, int64_t ldvr,     \
       cuda_data_type compute, size_t *device_nbytes, size_t *host_nbytes))                                            \
    X("cusolverDnXgeev", cusolver_geev,                                                                                \
      (cusolver_handle handle, cusolver_params params, cusolver_mode left_job, cusolver_mode right_job, int64_t n,     \
       cuda_data_type a_type, void *a, int64_t lda, cuda_data_type w_type, void *w, cuda_data_type vl_type, void *vl,  \
       int64_t ldvl, cuda_data_type vr_type, void *vr, int64_t ldvr, cuda_data_type compute, void *device,             \
       size_t device_nbytes, void *host, size_t host_nbytes, int *info))                                               \
    X("cusolverDnXsyevBatched_bufferSize", cusolver_syev_batched_size,                                                 \
      (cusolver_handle handle, cusolver_params params, cusolver_mode job, cublas_fill fill, int64_t n,                 \
       cuda_data_type a_type, const void *a, int64_t lda, cuda_data_type w_type, const void *w,                        \
       cuda_data_type compute, size_t *device_nbytes, size_t *host_nbytes, int64_t count))                             \
    X("cusolverDnXsyevBatched", cusolver_syev_batched,                                                                 \
      (cusolver_handle handle, cusolver_params params, cusolver_mode job, cublas_fill fill, int64_t n,                 \
       cuda_data_type a_type, void *a, int64_t lda, cuda_data_type w_type, void *w, cuda_data_type compute,            \
       void *device, size_t device_nbytes, void *host, size_t host_nbytes, int *info, int64_t count))                  \
    X("cusolverDnSorgqr_bufferSize", cusolver_sorgqr_size,                                                             \
      (cusolver_handle handle, int m, int n, int k, const float *a, int lda, const float *tau, int *size))             \
    X("cusolverDnSorgqr", cusolver_sorgqr,                                                                             \
      (cusolver_handle handle, int m, int n, int k, float *a, int lda, const float *tau, float *work, int size,        \
       int *info))                                                                                                     \
    X("cusolverDnSormqr_bufferSize", cusolver_sormqr_size,                                                             \
      (cusolver_handle handle, cublas_side side, cublas_operation op, int m, int n, int k, const float *a, int lda,    \
       const float *tau, const float *c, int ldc, int *size))                                                          \
    X("cusolverDnSormqr", cusolver_sormqr,                                                                             \
      (cusolver_handle handle, cublas_side side, cublas_operation op, int m, int n, int k, const float *a, int lda,    \
       const float *tau, float *c, int ldc, float *work, int size, int *info))                                         \
    X("cusolverDnDorgqr_bufferSize", cusolver_dorgqr_size,                                                             \
      (cusolver_handle handle, int m, int n, int k, const double *a, int lda, const double *tau, int *size))           \
    X("cusolverDnDorgqr", cusolver_dorgqr,                                                                             \
      (cusolver_handle handle, int m, int n, int k, double *a, int lda, const double *tau, double *work, int size,     \
       int *info))                                                                                                     \
    X("cusolverDnDormqr_bufferSize", cusolver_dormqr_size,                                                             \
      (cusolver_handle handle, cublas_side side, cublas_operation op, int m, int n, int k, const double *a, int lda,   \
       const double *tau, const double *c, int ldc, int *size))                                                        \
    X("cusolverDnDormqr", cusolver_dormqr,                                                                             \
      (cusolver_handle handle, cublas_side side, cublas_operation op, int m, int n, int k, const double *a, int lda,   \
       const double *tau, double *c, int ldc, double *work, int size, int *info))                                      \
    X("cusolverDnCungqr_bufferSize", cusolver_corgqr_size,                                                             \
      (cusolver_handle handle, int m, int n, int k, const cuda_complex64 *a, int lda, const cuda_complex64 *tau,       \
       int *size))                                                                                                     \
    X("cusolverDnCungqr", cusolver_corgqr,                                                                             \
      (cusolver_handle handle, int m, int n, int k, cuda_complex64 *a, int lda, const cuda_complex64 *tau,             \
       cuda_complex64 *work, int size, int *info))                                                                     \
    X("cusolverDnCunmqr_bufferSize", cusolver_cormqr_size,                                                             \
      (cusolver_handle handle, cublas_side side, cublas_operation op, int m, int n, int k, const cuda_complex64 *a,    \
       int lda, const cuda_complex64 *tau, const cuda_complex64 *c, int ldc, int *size))                               \
    X("cusolverDnCunmqr", cusolver_cormqr,                                                                             \
      (cusolver_handle handle, cublas_side side, cublas_operation op, int m, int n, int k, const cuda_complex64 *a,    \
       int lda, const cuda_complex64 *tau, cuda_complex64 *c, int ldc, cuda_complex64 *work, int size, int *info))     \
    X("cusolverDnZungqr_bufferSize", cusolver_zorgqr_size,                                                             \
      (cusolver_handle handle, int m, int n, int k, const cuda_complex128 *a, int lda, const cuda_complex128 *tau,     \
       int *size))                                                                                                     \
    X("cusolverDnZungqr", cusolver_zorgqr,                                                                             \
      (cusolver_handle handle, int m, int n, int k, cuda_complex128 *a, int lda, const cuda_complex128 *tau,           \
       cuda_complex128 *work, int size, int *info))                                                                    \
    X("cusolverDnZunmqr_bufferSize", cusolver_zormqr_size,                                                             \
      (cusolver_handle handle, cublas_side side, cublas_operation op, int m, int n, int k, const cuda_complex128 *a,   \
       int lda, const cuda_complex128 *tau, const cuda_complex128 *c, int ldc, int *size))                             \
    X("cusolverDnZunmqr", cusolver_zormqr,                                                                             \
      (cusolver_handle handle, cublas_side side, cublas_operation op, int m, int n, int k, const cuda_complex128 *a,   \
       int lda, const cuda_complex128 *tau, cuda_complex128 *c, int ldc, cuda_complex128 *work, int size, int *info))  \
    X("cusolverDnSpotrfBatched", cusolver_spotrf_batched,                                                              \
      (cusolver_handle handle, cublas_fill fill, int n, float *a[], int lda, int *info, int count))                    \
    X("cusolverDnSgesvdjBatched_bufferSize", cusolver_sgesvdj_batched_size,                                            \
      (cusolver_handle handle, cusolver_mode job, int m, int n, const float *a, int lda, const float *s,               \
       const float *u, int ldu, const float *v, int ldv, int *size, cusolver_jacobi jacobi, int count))                \
    X("cusolverDnSgesvdjBatched", cusolver_sgesvdj_batched,                                                            \
      (cusolver_handle handle, cusolver_mode job, int m, int n, float *a, int lda, float *s, float *u, int ldu,        \
       float *v, int ldv, float *work, int size, int *info, cusolver_jacobi jacobi, int count))                        \
    X("cusolverDnSsyevjBatched_bufferSize", cusolver_ssyevj_batched_size,                                              \
      (cusolver_handle handle, cusolver_mode job, cublas_fill fill, int n, const float *a, int lda, const float *w,    \
       int *size, cusolver_eigen_jacobi jacobi, int count))                                                            \
    X("cusolverDnSsyevjBatched", cusolver_ssyevj_batched,                                                              \
      (cusolver_handle handle, cusolver_mode job, cublas_fill fill, int n, float *a, int lda, float *w, float *work,   \
       int size, int *info, cusolver_eigen_jacobi jacobi, int count))                                                  \
    X("cusolverDnDpotrfBatched", cusolver_dpotrf_batched,                                                              \
      (cusolver_handle handle, cublas_fill fill, int n, double *a[], int lda, int *info, int count))                   \
    X("cusolverDnDgesvdjBatched_bufferSize", cusolver_dgesvdj_batched_size,                                            \
      (cusolver_handle handle, cusolver_mode job, int m, int n, const double *a, int lda, const double *s,             \
       const double *u, int ldu, const double *v, int ldv, int *size, cusolver_jacobi jacobi, int count))              \
    X("cusolverDnDgesvdjBatched", cusolver_dgesvdj_batched,                                                            \
      (cusolver_handle handle, cusolver_mode job, int m, int n, double *a, int lda, double *s, double *u, int ldu,     \
       double *v, int ldv, double *work, int size, int *info, cusolver_jacobi jacobi, int count))                      \
    X("cusolverDnDsyevjBatched_bufferSize", cusolver_dsyevj_batched_size,                                              \
      (cusolver_handle handle, cusolver_mode job, cublas_fill fill, int n, const double *a, int lda, const double *w,  \
       int *size, cusolver_eigen_jacobi jacobi, int count))                                                            \
    X("cusolverDnDsyevjBatched", cusolver_dsyevj_batched,                                                              \
      (cusolver_handle handle, cusolver_mode job, cublas_fill fill, int n, double *a, int lda, double *w,              \
       double *work, int size, int *info, cusolver_eigen_jacobi jacobi, int count))                                    \
    X("cusolverDnCpotrfBatched", cusolver_cpotrf_batched,                                                              \
      (cusolver_handle handle, cublas_fill fill, int n, cuda_complex64 *a[], int lda, int *info, int count))           \
    X("cusolverDnCgesvdjBatched_bufferSize", cusolver_cgesvdj_batched_size,                                            \
      (cusolver_handle handle, cusolver_mode job, int m, int n, const cuda_complex64 *a, int lda, const float *s,      \
       const cuda_complex64 *u, int ldu, const cuda_complex64 *v, int ldv, int *size, cusolver_jacobi jacobi,          \
       int count))                                                                                                     \
    X("cusolverDnCgesvdjBatched", cusolver_cgesvdj_batched,                                                            \
      (cusolver_handle handle, cusolver_mode job, int m, int n, cuda_complex64 *a, int lda, float *s,                  \
       cuda_complex64 *u, int ldu, cuda_complex64 *v, int ldv, cuda_complex64 *work, int size, int *info,              \
       cusolver_jacobi jacobi, int count))                                                                             \
    X("cusolverDnCheevjBatched_bufferSize", cusolver_csyevj_batched_size,                                              \
      (cusolver_handle handle, cusolver_mode job, cublas_fill fill, int n, const cuda_complex64 *a, int lda,           \
       const float *w, int *size, cusolver_eigen_jacobi jacobi, int count))                                            \
    X("cusolverDnCheevjBatched", cusolver_csyevj_batched,                                                              \
      (cusolver_handle handle, cusolver_mode job, cublas_fill fill, int n, cuda_complex64 *a, int lda, float *w,       \
       cuda_complex64 *work, int size, int *info, cusolver_eigen_jacobi jacobi, int count))                            \
    X("cusolverDnZpotrfBatched", cusolver_zpotrf_batched,                                                              \
      (cusolver_handle handle, cublas_fill fill, int n, cuda_complex128 *a[], int lda, int *info, int count))          \
    X("cusolverDnZgesvdjBatched_bufferSize", cusolver_zgesvdj_batched_size,                                            \
      (cusolver_handle handle, cusolver_mode job, int m, int n, const cuda_complex128 *a, int lda, const double *s,    \
       const cuda_complex128 *u, int ldu, const cuda_complex128 *v, int ldv, int *size, cusolver_jacobi jacobi,        \
       int count))                                                                                                     \
    X("cusolverDnZgesvdjBatched", cusolver_zgesvdj_batched,                                                            \
      (cusolver_handle handle, cusolver_mode job, int m, int n, cuda_complex128 *a, int lda, double *s,                \
       cuda_complex128 *u, int ldu, cuda_complex128 *v, int ldv, cuda_complex128 *work, int size, int *info,           \
       cusolver_jacobi jacobi, int count))                                                                             \
    X("cusolverDnZheevjBatched_bufferSize", cusolver_zsyevj_batched_size,                                              \
      (cusolver_handle handle, cusolver_mode job, cublas_fill fill, int n, const cuda_complex128 *a, int lda,          \
       const double *w, int *size, cusolver_eigen_jacobi jacobi, int count))                                           \
    X("cusolverDnZheevjBatched", cusolver_zsyevj_batched,                                                              \
      (cusolver_handle handle, cusolver_mode job, cublas_fill fill, int n, cuda_complex128 *a, int lda, double *w,     \
       cuda_complex128 *work, int size, int *info, cusolver_eigen_jacobi jacobi, int count))

#endif
