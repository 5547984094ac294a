/* blas_rows.c: compares cuda/blas.h with cublas_v2.h, as cuda_rows.c compares seam/driver.h with cuda.h. */
#include "library_renames.h"

#include "cuda/blas.h" /* whose types of int stand for the library's enumerations */

#include "library_values.h"

#include <cublas_v2.h>

_Static_assert(sizeof(cuda_complex64) == sizeof(cuComplex) && _Alignof(cuda_complex64) == _Alignof(cuComplex),
               "cuda_complex64 lies as cuComplex does");
_Static_assert(sizeof(cuda_complex128) == sizeof(cuDoubleComplex) &&
                   _Alignof(cuda_complex128) == _Alignof(cuDoubleComplex),
               "cuda_complex128 lies as cuDoubleComplex does");

#define cu_stream          cudaStream_t
#define cublas_status      cublasStatus_t
#define cublas_operation   cublasOperation_t
#define cublas_side        cublasSideMode_t
#define cublas_fill        cublasFillMode_t
#define cublas_diagonal    cublasDiagType_t
#define cublas_compute     cublasComputeType_t
#define cublas_algorithm   cublasGemmAlgo_t
#define cuda_data_type     cudaDataType
#define cublas_handle      cublasHandle_t
#define cuda_complex64   cuComplex
#define cuda_complex128  cuDoubleComplex

#define ROW(function, parameters)                                                                  \
    _Static_assert(__builtin_types_compatible_p(__typeof__(function), cublasStatus_t parameters), \
                   "the row of " #function " has another signature");
#define VALUE(name) _Static_assert((int)our_##name == (int)name, #name " is another number than the library's");
#include "library_rows.h"
