/* blas_plan.h: how small products are multiplied by cuBLASLt: layouts and algorithm, found once per kind of product. */
#ifndef CUNA_CUDA_BLAS_PLAN_H
#define CUNA_CUDA_BLAS_PLAN_H

#include "cuda/blas_lt.h"
#include "seam/blas.h"

/* The plans of a device; the caller lets one thread at a time call their functions. */
typedef struct cuna_blas_plans cuna_blas_plans;
typedef struct cuna_blas_plan cuna_blas_plan;

/* Opens cuBLASLt, as cuna_blas.open does. */
cuna_status cuna__blas_plan_open(int cuda_major);

/* None at first. NULL: the host has no memory left. */
cuna_blas_plans *cuna__blas_plans_create(void);

/* The plan of a product, which the next call may destroy; NULL where cuBLAS has to choose: of large products, and those
 * that cuBLASLt has no algorithm for. */
cublas_status cuna__blas_plan_find(const cuna_blas_plan **out, cuna_blas_plans *plans, cublas_handle handle,
                                   const cuna_blas_gemm *product, int64_t most_workspace_nbytes);

int64_t cuna__blas_plan_nbytes(const cuna_blas_plan *plan); /* of the workspace that its call needs */
cublas_status cuna__blas_plan_run(const cuna_blas_plan *plan, cublas_handle handle, const cuna_blas_call *call,
                                  const cuna_blas_gemm *product);

/* What products of a dtype are computed in. */
cublas_compute cuna__blas_compute(const cuna_blas_gemm *product);

#endif
