/* nccl_rows.c: compares seam/nccl.h with nccl.h, as blas_rows.c compares cuda/blas.h with cublas_v2.h. */
#include "library_renames.h"

#include "seam/nccl.h"

#include "library_values.h"

#include <nccl.h>

#define SAME(ours, theirs) _Static_assert((int)ours == (int)theirs, #ours " is another number than " #theirs);
SAME(our_CUNA_NCCL_INT8, ncclInt8)
SAME(our_CUNA_NCCL_UINT8, ncclUint8)
SAME(our_CUNA_NCCL_INT32, ncclInt32)
SAME(our_CUNA_NCCL_UINT32, ncclUint32)
SAME(our_CUNA_NCCL_INT64, ncclInt64)
SAME(our_CUNA_NCCL_UINT64, ncclUint64)
SAME(our_CUNA_NCCL_FLOAT16, ncclFloat16)
SAME(our_CUNA_NCCL_FLOAT32, ncclFloat32)
SAME(our_CUNA_NCCL_FLOAT64, ncclFloat64)
SAME(our_CUNA_NCCL_BFLOAT16, ncclBfloat16)
SAME(our_CUNA_NCCL_SUM, ncclSum)
SAME(our_CUNA_NCCL_PROD, ncclProd)
SAME(our_CUNA_NCCL_MAX, ncclMax)
SAME(our_CUNA_NCCL_MIN, ncclMin)
SAME(our_CUNA_NCCL_OLDEST, NCCL_VERSION(2, 18, 0))
_Static_assert(sizeof(cuna_nccl_id) == sizeof(ncclUniqueId), "an id has the size of ncclUniqueId");

#define cu_stream cudaStream_t

#define ROW(function, parameters)                                                                 \
    _Static_assert(__builtin_types_compatible_p(__typeof__(function), ncclResult_t parameters), \
                   "the row of " #function " has another signature");
#define VALUE(name)
#include "library_rows.h"
