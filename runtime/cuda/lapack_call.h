/* lapack_call.h: shared by the files of CUDA's factorisations: the functions of the two libraries, and their calls. */
#ifndef CUNA_CUDA_LAPACK_CALL_H
#define CUNA_CUDA_LAPACK_CALL_H

#include "cuda/lapack.h"
#include "seam/lapack.h"

#define ROW(symbol, field, parameters) extern cusolver_status(*cuna__##field) parameters;
CUNA_CUSOLVER_ROWS(ROW)
CUNA_CUBLAS_STACK_ROWS(ROW)
#undef ROW

/* What a device keeps. */
typedef struct cuna_lapack_handle {
    cusolver_handle solver;
    cusolver_params params;
    cusolver_jacobi jacobi;
    cusolver_eigen_jacobi eigen_jacobi;
    cublas_handle blas;
} cuna_lapack_handle;

/* One workspace query, or one call. */
typedef struct cuna_lapack_work {
    const cuna_lapack_handle *handle;
    const cuna_lapack_call *call;
    bool asks;                          /* for sizes, and nothing else */
    cuda_data_type type, real, complex; /* of the call */
    int *info;                          /* the call's, or unused memory */
    void *at[CUNA_LAPACK_OPERANDS];
    void *device;                      /* workspaces */
    size_t device_nbytes, host_nbytes; /* results of a query */
} cuna_lapack_work;

#define CUNA_JACOBI_LENGTH 32   /* greatest size of matrices in stacks of Jacobi's method */
#define CUNA_CUBLAS_ANSWER 1000 /* added to results of cuBLAS */

/* The function of a call's dtype: s, d, c or z stands between the two halves of its name. */
#define CUNA_TYPED(work, before, behind, ...)                                 \
    ((work)->call->dtype == CUNA_FLOAT32     ? before##s##behind(__VA_ARGS__) \
     : (work)->call->dtype == CUNA_FLOAT64   ? before##d##behind(__VA_ARGS__) \
     : (work)->call->dtype == CUNA_COMPLEX64 ? before##c##behind(__VA_ARGS__) \
                                             : before##z##behind(__VA_ARGS__))

static inline cublas_fill cuna__cuda_fill(char letter)
{
    return letter == 'U' ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER;
}

static inline cublas_operation cuna__cuda_operation(char letter)
{
    return letter == 'N' ? CUBLAS_OP_N : letter == 'T' ? CUBLAS_OP_T : CUBLAS_OP_C;
}

static inline cublas_diagonal cuna__cuda_diagonal(char letter)
{
    return letter == 'U' ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT;
}

static inline cusolver_mode cuna__cuda_mode(bool vectors)
{
    return vectors ? CUSOLVER_EIG_MODE_VECTOR : CUSOLVER_EIG_MODE_NOVECTOR;
}

/* Queries the workspaces of, or runs, a call for one matrix, and for a stack. */
int cuna__cuda_call(cuna_lapack_work *work);
int cuna__cuda_call_stack(cuna_lapack_work *work);

#endif
