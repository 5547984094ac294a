/* launch_blas.h: calls of a device's BLAS, on the context's stream. */
#ifndef CUNA_KERNEL_LAUNCH_BLAS_H
#define CUNA_KERNEL_LAUNCH_BLAS_H

#include "kernel/launch.h"
#include "seam/blas.h"

/* Gives a product, or a triangular system, to the context's stream: what it touches was claimed. Nothing where the context
 * only rehearses. `name` is the user's function. VALUE for what the library cannot count, MEMORY; DEVICE, also without the
 * library. */
cuna_status cuna__blas_gemm(cuna_context *context, cuna_device *device, const char *name,
                            const cuna_blas_gemm *product);
cuna_status cuna__blas_trsm(cuna_context *context, cuna_device *device, const char *name, const cuna_blas_trsm *system);

#endif
