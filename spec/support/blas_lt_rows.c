/* blas_lt_rows.c: compares cuda/blas_lt.h with cublasLt.h, as blas_rows.c compares cuda/blas.h with cublas_v2.h. */
#include "library_renames.h"

#include "cuda/blas_lt.h" /* whose types of int stand for the library's enumerations */

#include "library_values.h"

#include <cublasLt.h>

#define SAME_PLACE(ours, theirs)                                                                                    \
    _Static_assert(offsetof(cublaslt_choice, ours) == offsetof(cublasLtMatmulHeuristicResult_t, theirs) &&         \
                       sizeof(((cublaslt_choice *)0)->ours) == sizeof(((cublasLtMatmulHeuristicResult_t *)0)->theirs), \
                   #ours " lies where " #theirs " does")
SAME_PLACE(algorithm, algo);
SAME_PLACE(workspace_nbytes, workspaceSize);
SAME_PLACE(state, state);
SAME_PLACE(waves, wavesCount);
_Static_assert(sizeof(cublaslt_choice) == sizeof(cublasLtMatmulHeuristicResult_t), "nothing follows");

#define cu_stream                     cudaStream_t
#define cublas_status                 cublasStatus_t
#define cublas_compute                cublasComputeType_t
#define cuda_data_type                cudaDataType
#define cublaslt_handle               cublasLtHandle_t
#define cublaslt_operation            cublasLtMatmulDesc_t
#define cublaslt_layout               cublasLtMatrixLayout_t
#define cublaslt_preference           cublasLtMatmulPreference_t
#define cublaslt_operation_attribute  cublasLtMatmulDescAttributes_t
#define cublaslt_layout_attribute     cublasLtMatrixLayoutAttribute_t
#define cublaslt_preference_attribute cublasLtMatmulPreferenceAttributes_t
#define cublaslt_algorithm            cublasLtMatmulAlgo_t
#define cublaslt_choice               cublasLtMatmulHeuristicResult_t

#define ROW(function, parameters)                                                                  \
    _Static_assert(__builtin_types_compatible_p(__typeof__(function), cublasStatus_t parameters), \
                   "the row of " #function " has another signature");
#define VALUE(name) _Static_assert((int)our_##name == (int)name, #name " is another number than the library's");
#include "library_rows.h"
