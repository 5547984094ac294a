/* library.c: shared by the libraries beside the driver (cuBLAS, cuSOLVER, ...).
 *
 * Their calls check their arguments and queue work, which the cpu device's table does when its turn comes. */
#include <string.h>

#include "simgpu.h"
#include "stream.h"

cu_result simgpu__library_work(const struct simgpu_call *call, cu_stream stream, cuna_cpu_work work,
                               const void *arguments, size_t nbytes)
{
    struct simgpu_stream *found = simgpu__stream_find(call->context, stream);
    if (found == NULL)
        return CU_ERROR_INVALID_HANDLE;
    struct simgpu_op *op = simgpu__queue_op(SIMGPU_WORK, nbytes);
    if (op == NULL)
        return CU_ERROR_OUT_OF_MEMORY;
    op->work = work;
    op->nbytes = nbytes;
    op->fault = call->fault;
    op->opens = 1u << call->context->ordinal | call->context->peers;
    memcpy(op->arguments, arguments, nbytes);
    return simgpu__queue_add(found, op);
}

bool simgpu__library_holds(const struct simgpu_call *call, const void *ptr, size_t nbytes)
{
    cu_deviceptr at = (cu_deviceptr)(uintptr_t)ptr;
    const struct simgpu_context *owner = nbytes == 0 ? NULL : simgpu__device_of(at);
    if (nbytes == 0)
        return true;
    return owner != NULL && (owner == call->context || (call->context->peers >> owner->ordinal & 1)) &&
           simgpu__memory_holds(simgpu__arena_of(at), at, nbytes);
}

bool simgpu__library_factor(double out[2], cuda_data_type type, const void *factor)
{
    bool is_wide = type == CUDA_R_64F || type == CUDA_C_64F, is_complex = type == CUDA_C_32F || type == CUDA_C_64F;
    const float *narrow = factor;
    const double *wide = factor;
    size_t nbytes = (is_wide ? sizeof *wide : sizeof *narrow) << is_complex;
    if (factor == NULL || (uintptr_t)factor % nbytes != 0)
        return false;
    out[0] = is_wide ? wide[0] : (double)narrow[0];
    out[1] = !is_complex ? 0 : is_wide ? wide[1] : (double)narrow[1];
    return true;
}
