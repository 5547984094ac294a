/* launch_blas.h: calls of a device's BLAS, on the context's stream. */
#ifndef CUNA_LAUNCH_BLAS_H
#define CUNA_LAUNCH_BLAS_H

#include "blas.h"
#include "launch.h"

/* The table of a device, whose library is opened by the first question; DEVICE without one. `name`, here and below, is
 * the user's function. */
cuna_status cuna__blas_get(const cuna_blas **out, cuna_device *device, const char *name);

/* Gives a product, or a triangular system, to the context's stream: what it touches was claimed. Nothing where the context
 * only rehearses. VALUE for what the library cannot count, MEMORY, DEVICE. */
cuna_status cuna__blas_gemm(cuna_context *context, cuna_device *device, const char *name,
                            const cuna_blas_gemm *product);
cuna_status cuna__blas_trsm(cuna_context *context, cuna_device *device, const char *name, const cuna_blas_trsm *system);

#endif
