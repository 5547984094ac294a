/* context.c: the current device, streams and allocator of one lua_State or thread of control.
 *
 * The cpu device is there from the beginning, so that choosing the default one cannot fail: what keeps CUDA's from being
 * it becomes the reason. */
#include "device/context.h"

#include "base/environment.h"
#include "device/allocator.h"
#include "device/trace.h"

#include <stdio.h>
#include <stdlib.h>

#define CLEARED_NBYTES ((int64_t)16 << 20)

cuna_status cuna_context_create(cuna_context **out)
{
    const char *name = cuna__environment_text("CUNA_DEVICE");
    cuna_device *host, *device = NULL;
    cuna_message(); /* makes this thread's buffer while there is memory */
    CUNA_TRY(cuna__environment_check());
    CUNA_TRY(cuna_device_find(&host, "cpu"));
    cuna_status status = name != NULL ? cuna_device_find(&device, name) : CUNA_OK;
    if (status != CUNA_OK)
        return cuna_fail(status, "CUNA_DEVICE: %s", cuna_message());
    cuna_context *context = calloc(1, sizeof *context);
    if (context == NULL)
        return cuna_fail(CUNA_MEMORY, "the host has no memory left for a context");
    context->host = host;
    context->device = context->named = device;
    if (device != NULL)
        snprintf(context->reason, sizeof context->reason, "CUNA_DEVICE names it");
    *out = context;
    return CUNA_OK;
}

void cuna_context_destroy(cuna_context *context)
{
    while (context != NULL && context->capturing != NULL)
        cuna_stream_drop_capture(context->capturing);
    cuna__stream_settle_partings(true);
    if (context != NULL && context->fft_plans != NULL)
        context->release_fft_plans(context->fft_plans);
    if (context != NULL && context->queue != NULL)
        context->recorder->leave_queue(context->queue);
    for (int i = 0; context != NULL && i < CUNA_MAX_DEVICES; i++)
        if (context->streams[i] != NULL)
            cuna_stream_release(context->streams[i]);
    if (context != NULL && context->allocator != NULL)
        cuna_allocator_release(context->allocator);
    if (context != NULL)
        cuna__device_leave_reports(context);
    free(context);
}

cuna_device *cuna__context_choose(cuna_context *context)
{
    cuna_device *device = context->named;
    if (device == NULL) {
        cuna_status status = cuna_device_check_cuda();
        if (status == CUNA_OK)
            status = cuna_device_find(&device, "cuda:0");
        if (status != CUNA_OK)
            device = context->host;
        snprintf(context->reason, sizeof context->reason, "%s",
                 status == CUNA_OK ? "it is the first CUDA device" : cuna_message());
    }
    return context->device = device;
}

cuna_device *cuna_context_device(cuna_context *context)
{
    return cuna__context_device(context);
}

cuna_device *cuna_context_peek_device(const cuna_context *context)
{
    return context->device;
}

void cuna_context_set_device(cuna_context *context, cuna_device *device)
{
    context->device = device;
}

const char *cuna_context_reason(const cuna_context *context)
{
    return context->reason;
}

cuna_status cuna_context_synchronize(cuna_context *context, cuna_device *device)
{
    device = device != NULL ? device : cuna__context_device(context);
    CUNA_TRY(cuna__device_synchronize(device));
    cuna__stream_settle_partings(false);
    return cuna__device_check_reports(context, device);
}

void cuna_context_settle(void)
{
    cuna__stream_settle_partings(true);
}

cuna_stream *cuna_context_stream(cuna_context *context, cuna_device *device)
{
    return cuna__context_stream(context, device);
}

void cuna_context_set_stream(cuna_context *context, cuna_device *device, cuna_stream *stream)
{
    cuna_stream **slot = &context->streams[device->number], *before = *slot;
    cuna__device_flush(device); /* what fails is still recorded, and fails again */
    if (stream == &device->streams.base)
        stream = NULL;
    if (stream != NULL)
        cuna_stream_retain(stream);
    *slot = stream;
    if (before != NULL) {
        cuna__stream_mark(before);
        cuna_stream_release(before);
    }
}

cuna_allocator *cuna_context_allocator(const cuna_context *context)
{
    return context->allocator != NULL ? context->allocator : cuna_allocator_default(CUNA_ALLOCATE_DEVICE);
}

void cuna_context_set_allocator(cuna_context *context, cuna_allocator *allocator)
{
    cuna_allocator *before = context->allocator;
    if (allocator == cuna_allocator_default(CUNA_ALLOCATE_DEVICE))
        allocator = NULL;
    if (allocator != NULL)
        cuna_allocator_retain(allocator);
    context->allocator = allocator;
    if (before != NULL)
        cuna_allocator_release(before);
}

/* A pool knows no device, nor other pools: one that is dead says so again, to any call, and what others cache may be what
 * is missing here. */
static cuna_status alloc_in_need(cuna_block **out, cuna_pool *pool, const cuna_stream *stream, int64_t nbytes,
                                 cuna_status status)
{
    cuna_device *device = stream->device;
    if (status == CUNA_DEVICE) {
        cu_result result = device->driver->ctx_synchronize();
        return result == CU_SUCCESS ? CUNA_DEVICE : cuna__device_check(device, result, "allocating memory");
    }
    if (!cuna__device_trim(device, pool))
        return status;
    return cuna__pool_alloc(out, pool, stream->number, stream->handle, nbytes);
}

/* Gives memory zeros, when those are done with it who had it before; others wait for the zeros. */
static cuna_status give_zeros(cuna_block *block, cuna_stream *stream, int64_t nbytes)
{
    cuna_device *device = stream->device;
    if (device->streams.tracked)
        CUNA_TRY(cuna__stream_claim(stream, block));
    cu_result result =
        CUNA_DEVICE_CALL(device, device->driver->memset_d8_async(block->ptr, 0, (size_t)nbytes, stream->handle));
    cuna__block_begin_life(block);
    return cuna__device_check(device, result, "cuMemsetD8Async");
}

/* Clears small memory: what a rehearsal reads, and branches on, is small, and not what was there before. */
static cuna_status clear(cuna_block **block, cuna_stream *stream, int64_t nbytes)
{
    if (nbytes > CLEARED_NBYTES || stream->capture != NULL)
        return CUNA_OK;
    cuna_status status = give_zeros(*block, stream, nbytes);
    if (status == CUNA_OK)
        return CUNA_OK;
    cuna__block_free(stream->device, *block);
    *block = NULL;
    return status;
}

cuna_status cuna__context_alloc(cuna_block **out, cuna_context *context, cuna_device *device, int64_t nbytes)
{
    cuna_pool *pool = device->pool;
    CUNA_TRY(cuna__device_enter(device));
    if (__builtin_expect(context->allocator != NULL, 0))
        CUNA_TRY(cuna__allocator_pool(&pool, context->allocator, device));
    cuna_stream *stream = cuna__context_stream(context, device);
    if (__builtin_expect(stream->capture != NULL, 0) && cuna__pool_is_ordered(pool))
        return cuna_fail(CUNA_VALUE,
                         "a stream that captures takes no memory from a MemoryAsyncPool: a graph would own it, "
                         "and could be launched once; make the array before, or use a MemoryPool");
    cuna_status status = cuna__pool_alloc(out, pool, stream->number, stream->handle, nbytes);
    if (__builtin_expect(status != CUNA_OK, 0))
        CUNA_TRY(alloc_in_need(out, pool, stream, nbytes, status));
    if (__builtin_expect(pool != device->pool, 0))
        __atomic_add_fetch(&device->taken_nbytes, (*out)->nbytes, __ATOMIC_RELAXED);
    cuna__trace_block(CUNA_TRACE_ALLOC, device, (*out)->ptr, (*out)->nbytes);
    return __builtin_expect(context->clears, 0) ? clear(out, stream, nbytes) : CUNA_OK;
}

const char *cuna_context_forbid_waiting(cuna_context *context, const char *reason)
{
    const char *before = context->waits_forbidden;
    context->waits_forbidden = reason;
    return before;
}

cuna_device *cuna_context_confine(cuna_context *context, cuna_device *device)
{
    cuna_device *before = context->only;
    context->only = device;
    return before;
}

cuna_status cuna_context_check_waiting(const cuna_context *context, const char *name)
{
    const char *reason = context->waits_forbidden;
    if (reason == NULL && context->capturing != NULL)
        reason = "a graph's capture";
    if (reason == NULL || *reason == '\0')
        return CUNA_OK;
    return cuna_fail(CUNA_VALUE, "%s: waits for the device, and %s forbids that", name, reason);
}

bool cuna_context_is_capturing(const cuna_context *context)
{
    return context->capturing != NULL;
}
