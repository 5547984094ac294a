/* openblas.h: OpenBLAS, which has BLAS and LAPACK for the cpu device. */
#ifndef CUNA_CPU_LAPACK_OPENBLAS_H
#define CUNA_CPU_LAPACK_OPENBLAS_H

#include "base/status.h"
#include "seam/library.h"

/* Ensures that OpenBLAS finds the addresses for its threads before it is opened and used; without them it retries for
 * ever. MEMORY, in words that end a line, where a limit (RLIMIT_AS) leaves too few; may be asked again. */
cuna_status cuna__openblas_make_room(void);

/* The library, opened by the first question; DEVICE, in words that end a line, when there is none. */
cuna_status cuna__openblas(const cuna_library **out);

/* Its file, and what it says of itself: version, options and the kind of processor that it computes for. */
const char *cuna__openblas_where(void);

/* Between these two, of which pairs may be open in several threads, calls keep to the thread that they come from. */
void cuna__openblas_begin_alone(void);
void cuna__openblas_end_alone(void);

#endif
