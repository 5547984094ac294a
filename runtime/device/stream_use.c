/* stream_use.c: uses of a single stream: its facts, whether it is done, calls of functions. Nothing here
 * looks at other streams, so nothing takes the lock of stream.c. */
#include "device/context.h"
#include "device/device.h"
#include "device/stream.h"

cuna_stream *cuna_stream_default(cuna_device *device)
{
    return &device->streams.base;
}

void cuna_stream_retain(cuna_stream *stream)
{
    __atomic_add_fetch(&stream->references, 1, __ATOMIC_RELAXED);
}

cuna_device *cuna_stream_device(const cuna_stream *stream)
{
    return stream->device;
}

uint64_t cuna_stream_handle(const cuna_stream *stream)
{
    return (uintptr_t)stream->handle;
}

bool cuna_stream_is_non_blocking(const cuna_stream *stream)
{
    return stream->non_blocking;
}

int cuna_stream_priority(const cuna_stream *stream)
{
    return stream->priority;
}

cuna_status cuna_stream_synchronize(cuna_context *context, cuna_stream *stream)
{
    CUNA_TRY(cuna__device_enter(stream->device));
    CUNA_TRY(cuna__device_wait(stream->device, stream->handle, "cuStreamSynchronize"));
    cuna__stream_settle_partings(false);
    return cuna__device_check_reports(context, stream->device);
}

cuna_status cuna_stream_query(bool *done, cuna_stream *stream)
{
    *done = false;
    CUNA_TRY(cuna__device_enter(stream->device));
    if (stream->capture != NULL) /* asking would end the capture */
        return CUNA_OK;
    cu_result result = stream->device->driver->stream_query(stream->handle);
    *done = result == CU_SUCCESS;
    return result == CU_ERROR_NOT_READY ? CUNA_OK : cuna__device_check(stream->device, result, "cuStreamQuery");
}

bool cuna_context_is_busy(const cuna_context *context)
{
    cuna_device *device = context->device;
    if (device == NULL || !device->driver->facts.asynchronous || context->capturing != NULL)
        return false;
    return cuna__device_make_current(device) == CUNA_OK &&
           device->driver->stream_query(cuna__context_stream(context, device)->handle) == CU_ERROR_NOT_READY;
}

cuna_status cuna_stream_call(cuna_stream *stream, void (*fn)(void *data), void *data)
{
    CUNA_TRY(cuna__device_enter(stream->device));
    return cuna__device_check(stream->device, stream->device->driver->launch_host_func(stream->handle, fn, data),
                              "cuLaunchHostFunc");
}

cuna_status cuna__stream_check_life(const cuna_stream *stream, const char *name)
{
    cuna_device *device = stream->device;
    if (!device->driver->facts.asynchronous || stream->capture != NULL)
        return CUNA_OK;
    cu_result result = CUNA_DEVICE_CALL(device, device->driver->stream_query(stream->handle));
    bool lives = result == CU_ERROR_NOT_READY || result == CU_ERROR_STREAM_CAPTURE_IMPLICIT;
    return lives ? CUNA_OK : cuna__device_check(device, result, name);
}
