/* lapack_rows.c: compares cuda/lapack.h with cusolverDn.h, as blas_rows.c compares cuda/blas.h with cublas_v2.h. */
#include "library_renames.h"

#include "cuda/lapack.h" /* whose types of int stand for the library's enumerations */

#include "library_values.h"

#include <cusolverDn.h>

#define cu_stream         cudaStream_t
#define cublas_operation  cublasOperation_t
#define cublas_side       cublasSideMode_t
#define cublas_fill       cublasFillMode_t
#define cublas_diagonal   cublasDiagType_t
#define cuda_data_type    cudaDataType
#define cublas_handle     cublasHandle_t
#define cuda_complex64  cuComplex
#define cuda_complex128 cuDoubleComplex
#define cusolver_status   cusolverStatus_t
#define cusolver_mode     cusolverEigMode_t
#define cusolver_handle   cusolverDnHandle_t
#define cusolver_params   cusolverDnParams_t
#define cusolver_jacobi   gesvdjInfo_t
#define cusolver_eigen_jacobi syevjInfo_t

#define ROW(function, parameters)                                                                    \
    _Static_assert(__builtin_types_compatible_p(__typeof__(function), cusolverStatus_t parameters), \
                   "the row of " #function " has another signature");
#define VALUE(name) _Static_assert((int)our_##name == (int)name, #name " is another number than the library's");
#include "library_rows.h"
