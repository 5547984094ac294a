/* buffer.c: the memory of arrays: its owners, and the copies in flight.
 *
 * Memory of a device is used by its streams: each use is noted in the block (stream.c). Memory of the host may be used by
 * a copy that some device does on its stream, beside the host: then the buffer has the copy's event, and the next
 * user of the memory waits for it, even if only to free it. */
#include "array/array.h"

#include <stdlib.h>

#include "array/graph.h"
#include "device/allocator.h"

/* Of memory of the host that a device copies from and to by itself. */
struct cuna_host_part {
    cuna_device *owner;   /* whose pinned memory it is; NULL: foreign memory */
    cuna_device *copying; /* that may be at a copy; NULL: none */
    cu_event copied;      /* of `copying`: after the last copy */
};

cuna_buffer *cuna__buffer_create(cuna_device *device, cuna_block *block, cu_deviceptr ptr, int64_t nbytes)
{
    cuna_buffer *buffer = malloc(sizeof *buffer);
    if (buffer != NULL)
        *buffer = (cuna_buffer){.references = 1, .device = device, .block = block, .ptr = ptr, .nbytes = nbytes};
    return buffer;
}

static cuna_status no_memory(void)
{
    return cuna_fail(CUNA_MEMORY, "the host has no memory left for an array");
}

static cuna_status need_host_part(cuna_buffer *buffer)
{
    if (buffer->host_part == NULL)
        buffer->host_part = calloc(1, sizeof *buffer->host_part);
    return buffer->host_part != NULL ? CUNA_OK : no_memory();
}

cuna_status cuna__buffer_pin(cuna_buffer *buffer, cuna_device *owner)
{
    CUNA_TRY(need_host_part(buffer));
    buffer->host_part->owner = owner;
    return CUNA_OK;
}

static bool is_copied(const cuna_buffer *buffer)
{
    return buffer->host_part != NULL && buffer->host_part->copying != NULL;
}

/* Waits until the copy is done. Where that fails it counts as under way, so that no half of it is read. */
static cuna_status settle(cuna_buffer *buffer)
{
    struct cuna_host_part *part = buffer->host_part;
    cuna_device *device = part->copying;
    CUNA_TRY(cuna__device_enter(device));
    CUNA_TRY(cuna__device_check(device, device->driver->event_synchronize(part->copied), "cuEventSynchronize"));
    device->driver->event_destroy(part->copied);
    part->copying = NULL;
    return CUNA_OK;
}

/* The memory goes: what did not work with the event is tried with the device, if that is not dead and nothing copied. */
static void abandon_copy(const struct cuna_host_part *part)
{
    if (cuna__device_enter(part->copying) != CUNA_OK)
        return;
    cuna__streams_wait(part->copying);
    part->copying->driver->event_destroy(part->copied);
}

/* Answers whose memory the block is. */
static cuna_device *release_host_part(cuna_buffer *buffer)
{
    if (is_copied(buffer) && settle(buffer) != CUNA_OK)
        abandon_copy(buffer->host_part);
    cuna_device *owner = buffer->host_part->owner;
    free(buffer->host_part);
    return owner != NULL ? owner : buffer->device;
}

void cuna__buffer_release(cuna_buffer *buffer)
{
    if (__atomic_sub_fetch(&buffer->references, 1, __ATOMIC_ACQ_REL) != 0)
        return;
    cuna_device *owner = __builtin_expect(buffer->host_part != NULL, 0) ? release_host_part(buffer) : buffer->device;
    cuna__block_free(owner, buffer->block);
    if (buffer->release != NULL)
        buffer->release(buffer->owner);
    if (buffer->root != NULL && buffer->root->dims != buffer->root->inline_dims)
        free(buffer->root->dims);
    free(buffer->root);
    free(buffer);
}

/* ---- users of memory ---- */

static cuna_status refuse_device(const cuna_device *only, const cuna_device *device)
{
    return cuna_fail(CUNA_VALUE, "a graph of %s cannot record work on %s; make one for each device", only->name,
                     device->name);
}

cuna_status cuna__array_claim_slowly(const cuna_context *context, cuna_stream *stream, const cuna_array *array)
{
    cuna_buffer *buffer = array->buffer;
    if (context->only != NULL && context->only != stream->device)
        return refuse_device(context->only, stream->device);
    if (buffer->host_part != NULL)
        CUNA_TRY(cuna_array_settle(context, array));
    bool is_kept = false;
    if (stream->capture != NULL)
        CUNA_TRY(cuna__graph_keep(&is_kept, stream->capture, buffer));
    if (is_kept) /* launches use it, and claim it */
        return CUNA_OK;
    bool is_plain = buffer->host_part == NULL || buffer->host_part->owner == NULL;
    return buffer->block != NULL && is_plain ? cuna__stream_claim(stream, buffer->block) : CUNA_OK;
}

cuna_status cuna_array_claim(cuna_context *context, cuna_stream *stream, const cuna_array *array)
{
    CUNA_TRY(cuna__device_enter(array->buffer->device));
    return cuna__array_claim(context, stream, array);
}

cuna_status cuna_array_settle(const cuna_context *context, const cuna_array *array)
{
    cuna_device *device = array->buffer->device;
    if (!is_copied(array->buffer))
        return CUNA_OK;
    CUNA_TRY(cuna__context_check_waiting(context, "an array that a copy is under way from or to"));
    CUNA_TRY(settle(array->buffer));
    return cuna__device_enter(device);
}

static cuna_status open_copy(struct cuna_host_part *part, cuna_device *device)
{
    CUNA_TRY(cuna__device_check(device, device->driver->event_create(&part->copied, CU_EVENT_DISABLE_TIMING),
                                "cuEventCreate"));
    part->copying = device;
    return CUNA_OK;
}

/* A copy after another one on the same device follows it in stream order; on another device the host waits between
 * them. */
cuna_status cuna__array_begin_copy(const cuna_array *array, cuna_stream *stream)
{
    cuna_buffer *buffer = array->buffer;
    cuna_device *device = stream->device;
    CUNA_TRY(need_host_part(buffer));
    if (is_copied(buffer) && buffer->host_part->copying != device)
        CUNA_TRY(settle(buffer));
    CUNA_TRY(cuna__device_enter(buffer->device));
    CUNA_TRY(cuna__streams_track(buffer->device));
    CUNA_TRY(cuna__device_enter(device));
    if (!is_copied(buffer))
        return open_copy(buffer->host_part, device);
    return cuna__device_check(device, device->driver->stream_wait_event(stream->handle, buffer->host_part->copied, 0),
                              "cuStreamWaitEvent");
}

cuna_status cuna__array_end_copy(const cuna_array *array, cuna_stream *stream)
{
    cuna_device *device = stream->device;
    cu_result result =
        CUNA_DEVICE_CALL(device, device->driver->event_record(array->buffer->host_part->copied, stream->handle));
    return __builtin_expect(result == CU_SUCCESS, 1) ? CUNA_OK
                                                     : cuna__device_wait(device, stream->handle, "cuEventRecord");
}
