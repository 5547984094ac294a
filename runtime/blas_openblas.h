/* blas_openblas.h: OpenBLAS, which has BLAS and LAPACK for the cpu device. */
#ifndef CUNA_BLAS_OPENBLAS_H
#define CUNA_BLAS_OPENBLAS_H

#include "library.h"
#include "status.h"

/* The library, opened by the first question; DEVICE, in words that end a line, when there is none. */
cuna_status cuna__openblas(const cuna_library **out);

#endif
