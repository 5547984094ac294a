/* driver_cpu_openblas.h: OpenBLAS, the library behind the cpu device's linear algebra. */
#ifndef CUNA_DRIVER_CPU_OPENBLAS_H
#define CUNA_DRIVER_CPU_OPENBLAS_H

#include "library.h"

/* OpenBLAS, opened by the first call; without a handle its words say what was looked for. It uses as many threads as the
 * cpu device. */
const cuna_library *cuna__openblas(void);

/* What to do where there is none. */
#define CUNA_OPENBLAS_REMEDY \
    "install OpenBLAS (Debian: apt install libopenblas0-pthread), or name its library in CUNA_OPENBLAS"

/* Between these two, whoever calls OpenBLAS does its work alone: for work that is itself shared out over threads. */
void cuna__openblas_begin_alone(void);
void cuna__openblas_end_alone(void);

/* OpenBLAS' own words for itself: version, options and the kind of processor that it computes for; NULL without it. */
const char *cuna__openblas_config(void);

#endif
