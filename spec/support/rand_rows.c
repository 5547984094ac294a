/* rand_rows.c: compares cuda/rand.h with curand.h, as blas_rows.c compares cuda/blas.h with cublas_v2.h. */
#include "library_renames.h"

#include "cuda/rand.h"

#include "library_values.h"

#include <curand.h>

#define cu_stream cudaStream_t

#define ROW(function, parameters)                                                                  \
    _Static_assert(__builtin_types_compatible_p(__typeof__(function), curandStatus_t parameters), \
                   "the row of " #function " has another signature");
#define VALUE(name) _Static_assert((int)our_##name == (int)name, #name " is another number than the library's");
#include "library_rows.h"
