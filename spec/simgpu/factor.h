/* factor.h: factorisations of the simulated GPU: the common form of cuSOLVER's calls, and of cuBLAS's for stacks. */
#ifndef SIMGPU_FACTOR_H
#define SIMGPU_FACTOR_H

#include "cuda/lapack.h"
#include "seam/lapack.h"
#include "simgpu.h"

/* A call with all that it has to be checked for. Rows fill it in; unused members are zero. */
struct simgpu_factor {
    cuna_lapack_call call;           /* first: op, options, batch, lengths, addresses, info */
    cuda_data_type type, other_type; /* of matrices, and of operands that are their real or complex part */
    cuda_data_type compute;
    int64_t ld[3], wanted_ld[3]; /* leading dimensions: no gaps are simulated */
    void *workspace, *host;
    size_t workspace_nbytes, host_nbytes;
    bool is_narrow;                             /* pivots have 32 bits */
    bool is_plain_v;                            /* v, not transposed */
    const void *pointers[CUNA_LAPACK_OPERANDS]; /* on the device: addresses of matrices */
    struct simgpu_call owner;
};

/* Ends a workspace query, and a call. */
cusolver_status simgpu__factor_ask(const struct simgpu_call *call, cusolver_handle handle, struct simgpu_factor *factor,
                                   size_t *device_nbytes, size_t *host_nbytes);
cusolver_status simgpu__factor_do(const struct simgpu_call *call, cusolver_handle handle, struct simgpu_factor *factor);

/* The same on a stream, when its handle was found. */
cu_result simgpu__factor_queue(const struct simgpu_call *call, cu_stream stream, struct simgpu_factor *factor);

/* The stream of a handle that there is. */
cu_stream simgpu__solver_stream(cusolver_handle handle);

/* Whether handles are this device's. */
bool simgpu__solver_has(const struct simgpu_call *call, enum simgpu_kind kind, const void *handle);

#endif
