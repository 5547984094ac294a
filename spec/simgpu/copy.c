/* copy.c: the rows that allocate, free, copy and set memory.
 *
 * Pageable host memory is read before the call returns and written before it returns; pinned memory is read and written
 * when the operation runs. A captured copy stores addresses only: all memory is read and written when the graph
 * runs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simgpu.h"
#include "stream.h"

#define STAGED_NBYTES ((size_t)1 << 20) /* larger pageable copies wait for their turn, as the real driver's do */

cu_result simgpu__row_mem_get_info(size_t *free_nbytes, size_t *total_nbytes)
{
    SIMGPU_ENTER(mem_get_info, SIMGPU_NEED_CONTEXT);
    if (free_nbytes == NULL || total_nbytes == NULL)
        return CU_ERROR_INVALID_VALUE;
    *total_nbytes = call.context->arena.total;
    *free_nbytes = call.context->arena.total - call.context->arena.used;
    return CU_SUCCESS;
}

cu_result simgpu__row_mem_alloc(cu_deviceptr *ptr, size_t nbytes)
{
    SIMGPU_ENTER(mem_alloc, SIMGPU_NEED_CONTEXT);
    cu_result result = cuna__cpu_capture_check_thread();
    if (ptr == NULL || nbytes == 0 || result != CU_SUCCESS)
        return result != CU_SUCCESS ? result : CU_ERROR_INVALID_VALUE;
    return simgpu__memory_take(&call.context->arena, ptr, nbytes);
}

/* The real one also waits for the device, and accepts memory of any context. */
cu_result simgpu__row_mem_free(cu_deviceptr ptr)
{
    SIMGPU_ENTER(mem_free, SIMGPU_NEED_CONTEXT);
    struct simgpu_context *owner = simgpu__device_of(ptr);
    cu_result result = cuna__cpu_capture_check_thread();
    if (owner != call.context || result != CU_SUCCESS)
        return result != CU_SUCCESS ? result : CU_ERROR_INVALID_VALUE;
    simgpu__queue_force_context(owner);
    return owner->dead != CU_SUCCESS ? owner->dead : simgpu__pool_give(owner, ptr);
}

cu_result simgpu__row_mem_host_alloc(void **ptr, size_t nbytes, unsigned flags)
{
    SIMGPU_ENTER(mem_host_alloc, SIMGPU_NEED_CONTEXT);
    cu_result result = cuna__cpu_capture_check_thread();
    if (ptr == NULL || nbytes == 0 || flags > 7 || result != CU_SUCCESS)
        return result != CU_SUCCESS ? result : CU_ERROR_INVALID_VALUE;
    return simgpu__pinned_take(ptr, nbytes);
}

/* Nothing promises that this waits for copies that are under way: one that needs the memory still is an error. */
cu_result simgpu__row_mem_free_host(void *ptr)
{
    SIMGPU_ENTER(mem_free_host, SIMGPU_NEED_CONTEXT);
    cu_result result = cuna__cpu_capture_check_thread();
    if (simgpu__pinned_find(ptr) != ptr || ptr == NULL || result != CU_SUCCESS)
        return result != CU_SUCCESS ? result : CU_ERROR_INVALID_VALUE;
    if (simgpu__queue_uses(ptr, simgpu__pinned_nbytes(ptr))) {
        simgpu__kill(call.context, CU_ERROR_ILLEGAL_ADDRESS, "pinned memory was freed before a queued copy was done");
        return call.context->dead;
    }
    return simgpu__pinned_give(ptr);
}

/* Whose memory these bytes are: an allocation's or a variable's; NULL: nobody's. */
static struct simgpu_context *owner_of(cu_deviceptr ptr, size_t nbytes)
{
    struct simgpu_context *owner = simgpu__device_of(ptr);
    if (owner != NULL && simgpu__memory_holds(simgpu__arena_of(ptr), ptr, nbytes))
        return owner;
    return simgpu__raw_variable(ptr, nbytes);
}

/* Whether work of a context may touch [ptr, ptr + nbytes) of device memory; then the device's bit is in *opens. */
static bool may_touch(unsigned *opens, const struct simgpu_context *context, cu_deviceptr ptr, size_t nbytes)
{
    const struct simgpu_context *owner = owner_of(ptr, nbytes);
    if (owner == NULL)
        return false;
    *opens |= 1u << owner->ordinal;
    return owner == context || (context->peers >> owner->ordinal & 1);
}

static void *host_pointer(cu_deviceptr ptr)
{
    return (void *)(uintptr_t)ptr;
}

/* What a copy does with the host's memory. */
struct host_side {
    const void *pinned; /* NULL: it is pageable, or there is none */
    bool staged, waits;
};

static cu_result add_copy(const struct simgpu_call *call, cu_stream handle, void *dst, const void *src, size_t nbytes,
                          unsigned opens, struct host_side host)
{
    struct simgpu_stream *stream = simgpu__stream_find(call->context, handle);
    if (stream == NULL)
        return CU_ERROR_INVALID_HANDLE;
    bool captured = simgpu__queue_is_captured(stream), staged = host.staged && !captured;
    struct simgpu_op *op = simgpu__queue_op(SIMGPU_COPY, 0);
    void *stage = staged && op != NULL ? malloc(nbytes) : NULL;
    if (op == NULL || (staged && stage == NULL)) {
        free(op);
        return CU_ERROR_OUT_OF_MEMORY;
    }
    op->dst = dst;
    op->src = staged ? memcpy(stage, src, nbytes) : src;
    op->staged = stage;
    op->nbytes = nbytes;
    op->opens = opens;
    op->fault = call->fault;
    op->pinned = host.pinned;
    cu_result result = simgpu__queue_add(stream, op);
    if (!host.waits || captured)
        return result;
    simgpu__queue_force_stream(stream);
    return call->context->dead;
}

cu_result simgpu__row_memcpy_htod_async(cu_deviceptr dst, const void *src, size_t nbytes, cu_stream stream)
{
    SIMGPU_ENTER(memcpy_htod_async, SIMGPU_NEED_CONTEXT);
    unsigned opens = 0;
    if (nbytes == 0)
        return CU_SUCCESS;
    may_touch(&opens, call.context, dst, nbytes);
    if (opens == 0 || src == NULL)
        return CU_ERROR_INVALID_VALUE;
    bool pinned = simgpu__pinned_find(src) != NULL;
    if (pinned && !simgpu__pinned_holds(src, nbytes))
        return CU_ERROR_INVALID_VALUE;
    bool staged = !pinned && nbytes <= STAGED_NBYTES;
    return add_copy(&call, stream, host_pointer(dst), src, nbytes, opens,
                    (struct host_side){pinned ? src : NULL, staged, !pinned && !staged});
}

cu_result simgpu__row_memcpy_dtoh_async(void *dst, cu_deviceptr src, size_t nbytes, cu_stream stream)
{
    SIMGPU_ENTER(memcpy_dtoh_async, SIMGPU_NEED_CONTEXT);
    unsigned opens = 0;
    if (nbytes == 0)
        return CU_SUCCESS;
    may_touch(&opens, call.context, src, nbytes);
    if (opens == 0 || dst == NULL)
        return CU_ERROR_INVALID_VALUE;
    bool pinned = simgpu__pinned_find(dst) != NULL;
    if (pinned && !simgpu__pinned_holds(dst, nbytes))
        return CU_ERROR_INVALID_VALUE;
    return add_copy(&call, stream, dst, host_pointer(src), nbytes, opens,
                    (struct host_side){pinned ? dst : NULL, false, !pinned});
}

cu_result simgpu__row_memcpy_dtod_async(cu_deviceptr dst, cu_deviceptr src, size_t nbytes, cu_stream stream)
{
    SIMGPU_ENTER(memcpy_dtod_async, SIMGPU_NEED_CONTEXT);
    unsigned opens = 0;
    if (nbytes == 0)
        return CU_SUCCESS;
    if (!may_touch(&opens, call.context, dst, nbytes) || !may_touch(&opens, call.context, src, nbytes))
        return CU_ERROR_INVALID_VALUE;
    return add_copy(&call, stream, host_pointer(dst), host_pointer(src), nbytes, opens, (struct host_side){0});
}

cu_result simgpu__row_memcpy_peer_async(cu_deviceptr dst, cu_context dst_context, cu_deviceptr src,
                                        cu_context src_context, size_t nbytes, cu_stream stream)
{
    SIMGPU_ENTER(memcpy_peer_async, SIMGPU_NEED_CONTEXT);
    unsigned opens = 0;
    struct simgpu_context *to = owner_of(dst, nbytes), *from = owner_of(src, nbytes);
    if (nbytes == 0)
        return CU_SUCCESS;
    if (dst_context == NULL || src_context == NULL)
        return CU_ERROR_INVALID_CONTEXT;
    if ((cu_context)to != dst_context || (cu_context)from != src_context || !may_touch(&opens, to, dst, nbytes) ||
        !may_touch(&opens, from, src, nbytes))
        return CU_ERROR_INVALID_VALUE;
    if (to->dead != CU_SUCCESS || from->dead != CU_SUCCESS)
        return to->dead != CU_SUCCESS ? to->dead : from->dead;
    return add_copy(&call, stream, host_pointer(dst), host_pointer(src), nbytes, opens, (struct host_side){0});
}

cu_result simgpu__row_memset_d8_async(cu_deviceptr dst, unsigned char value, size_t count, cu_stream handle)
{
    SIMGPU_ENTER(memset_d8_async, SIMGPU_NEED_CONTEXT);
    unsigned opens = 0;
    struct simgpu_stream *stream = simgpu__stream_find(call.context, handle);
    if (stream == NULL)
        return CU_ERROR_INVALID_HANDLE;
    if (count == 0)
        return CU_SUCCESS;
    if (!may_touch(&opens, call.context, dst, count))
        return CU_ERROR_INVALID_VALUE;
    struct simgpu_op *op = simgpu__queue_op(SIMGPU_SET, 0);
    if (op == NULL)
        return CU_ERROR_OUT_OF_MEMORY;
    op->dst = host_pointer(dst);
    op->value = value;
    op->nbytes = count;
    op->opens = opens;
    op->fault = call.fault;
    return simgpu__queue_add(stream, op);
}

/* CUpointer_attribute: 1 context, 2 memory type, 9 ordinal of the device. */
static void answer_attribute(void *value, int attribute, struct simgpu_context *owner, struct simgpu_context *current,
                             bool pinned)
{
    switch (attribute) {
    case 1:
        *(cu_context *)value = (cu_context)(owner != NULL ? owner : pinned ? current : NULL);
        break;
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
        *(unsigned *)value = owner != NULL ? 2 : pinned ? CU_MEMORYTYPE_HOST : 0;
        break;
    default:
        *(int *)value = owner != NULL ? owner->ordinal : pinned ? current->ordinal : -2;
    }
}

/* A pointer unknown to CUDA is not an error: its attributes are zero. */
cu_result simgpu__row_pointer_get_attributes(unsigned count, int *attributes, void **values, cu_deviceptr ptr)
{
    SIMGPU_ENTER(pointer_get_attributes, SIMGPU_NEED_CONTEXT);
    struct simgpu_context *owner = simgpu__device_of(ptr);
    if (owner != NULL && !simgpu__memory_holds(simgpu__arena_of(ptr), ptr, 1))
        owner = NULL;
    if (count == 0 || attributes == NULL || values == NULL)
        return CU_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < count; i++) {
        if (values[i] == NULL ||
            (attributes[i] != 1 && attributes[i] != CU_POINTER_ATTRIBUTE_MEMORY_TYPE && attributes[i] != 9))
            return CU_ERROR_INVALID_VALUE;
        answer_attribute(values[i], attributes[i], owner, call.context, simgpu__pinned_holds(host_pointer(ptr), 1));
    }
    return CU_SUCCESS;
}
