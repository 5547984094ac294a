/* dft_rows.c: compares seam/dft.h with cufft.h, as blas_rows.c compares cuda/blas.h with cublas_v2.h. */
#include "library_renames.h"

#include "seam/dft.h"

#include "library_values.h"

#include <cufft.h>
#include <cufftXt.h>

#define SAME_SIZE(ours, theirs) _Static_assert(sizeof(ours) == sizeof(theirs), #ours " has the size of " #theirs);

SAME_SIZE(int, cufftResult)
SAME_SIZE(int, cudaDataType)
SAME_SIZE(cu_stream, cudaStream_t)
_Static_assert(__builtin_types_compatible_p(cufft_handle, cufftHandle), "handles are of one type");

#define cufft_handle cufftHandle
#define cu_stream    cudaStream_t

#define ROW(function, parameters)                                                              \
    _Static_assert(__builtin_types_compatible_p(__typeof__(function), cufftResult parameters), \
                   "the row of " #function " has another signature");
#define VALUE(name) _Static_assert((int)our_##name == (int)name, #name " is another number");
#include "library_rows.h"
