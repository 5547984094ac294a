/* staging.c: a ring of pinned memory per device, through which the host's memory goes to and fro.
 *
 * Invariant: only the first `used` bytes of a slot may be in use by copies that the device has not done yet. All of
 * them went to the slot's `stream`, and its event was recorded after the last of them; where recording failed,
 * `marked` is false and the whole device has to be waited for, since the stream may be gone by then. So a call that fails
 * leaves a ring that can be used.
 *
 * Bytes: one core copies 9 GB/s (slots of 0.25 to 8 MiB measured alike), PCIe 5 moves 55 GB/s. A slot of 2 MiB takes
 * the host 230 us and the device 40 us, which overlap the next slot's 230; two calls of the driver cost about 3 us,
 * 1% of it. Four slots are two more than that needs: the device may be late. The host's copy is the limit; several
 * threads doing it would bring up to the factor of six between the two rates.
 *
 * Small pieces share a slot, each on a separate line, and do not wait for anything until it is full. Slots are made
 * on first use and kept until unused pinned memory is released on request (cuna__staging_release). */
#include "device/staging.h"

#include "device/trace.h"

#include <pthread.h>
#include <string.h>

#define SLOTS         4
#define SLOT_NBYTES   ((int64_t)2 << 20)
#define LINE_NBYTES   64
#define DIRECT_NBYTES ((int64_t)64 << 10) /* up to this a copy by the host costs less than asking about the memory */

typedef struct slot {
    char *memory;
    cu_event event;
    cu_stream stream;
    int64_t used;
    bool marked;
} slot;

typedef struct ring {
    pthread_mutex_t lock; /* held for a whole transfer */
    int nslots, current;
    slot slots[SLOTS];
} ring;

static ring rings[CUNA_MAX_DEVICES] = {[0 ... CUNA_MAX_DEVICES - 1] = {.lock = PTHREAD_MUTEX_INITIALIZER}};

static cuna_status wait_for(cuna_device *device, cu_stream stream)
{
    return cuna__device_wait(device, stream, "cuStreamSynchronize");
}

static cuna_status add_slot(ring *r, cuna_device *device)
{
    const cuna_driver *driver = device->driver;
    void *memory = NULL;
    slot added = {0};
    CUNA_TRY(cuna__device_check(device, driver->mem_host_alloc(&memory, (size_t)SLOT_NBYTES, 0), "cuMemHostAlloc"));
    added.memory = memory;
    cuna_status status =
        cuna__device_check(device, driver->event_create(&added.event, CU_EVENT_DISABLE_TIMING), "cuEventCreate");
    if (status != CUNA_OK) {
        driver->mem_free_host(memory);
        return status;
    }
    r->slots[r->nslots++] = added;
    return CUNA_OK;
}

/* Brings a ring to `wanted` slots; without memory for all of them it is content with one. */
static cuna_status grow(ring *r, cuna_device *device, int64_t wanted)
{
    while (r->nslots < wanted) {
        cuna_status status = add_slot(r, device);
        if (status == CUNA_MEMORY && r->nslots > 0)
            return CUNA_OK;
        CUNA_TRY(status);
    }
    return CUNA_OK;
}

/* Waits until the device is done with a slot. */
static cuna_status drain(slot *s, cuna_device *device)
{
    if (s->used == 0)
        return CUNA_OK;
    if (s->marked)
        CUNA_TRY(cuna__device_check(device, device->driver->event_synchronize(s->event), "cuEventSynchronize"));
    else
        CUNA_TRY(cuna__streams_wait(device));
    s->used = 0;
    return CUNA_OK;
}

/* Goes on to the next slot, which is empty then. */
static cuna_status advance(slot **out, ring *r, cuna_device *device)
{
    r->current = (r->current + 1) % r->nslots;
    *out = &r->slots[r->current];
    return drain(*out, device);
}

/* Notes that a copy on the stream uses `nbytes` more of a slot. */
static cuna_status mark(slot *s, cuna_device *device, cu_stream stream, int64_t nbytes)
{
    s->used += cuna__ceil_div(nbytes, LINE_NBYTES) * LINE_NBYTES;
    s->stream = stream;
    cu_result result = CUNA_DEVICE_CALL(device, device->driver->event_record(s->event, stream));
    s->marked = result == CU_SUCCESS;
    return cuna__device_check(device, result, "cuEventRecord");
}

static bool has_room(const ring *r, cu_stream stream, int64_t nbytes)
{
    const slot *s = &r->slots[r->current];
    return r->nslots > 0 && s->used + nbytes <= SLOT_NBYTES && (s->used == 0 || s->stream == stream);
}

/* Sends up to a slot's bytes. */
static cuna_status send(ring *r, cuna_device *device, cu_stream stream, cu_deviceptr dst, const char *src,
                        int64_t nbytes)
{
    slot *s = &r->slots[r->current];
    if (!has_room(r, stream, nbytes)) {
        CUNA_TRY(grow(r, device, cuna__min(SLOTS, r->nslots + 1)));
        CUNA_TRY(advance(&s, r, device));
    }
    char *at = s->memory + s->used;
    memcpy(at, src, (size_t)nbytes);
    CUNA_TRY(cuna__device_check(device, device->driver->memcpy_htod_async(dst, at, (size_t)nbytes, stream),
                                "cuMemcpyHtoDAsync"));
    return mark(s, device, stream, nbytes);
}

/* Sends everything; `done` returns how much of it was sent. */
static cuna_status send_all(int64_t *done, cuna_device *device, cu_stream stream, cu_deviceptr dst, const char *src,
                            int64_t nbytes)
{
    ring *r = &rings[device->number];
    cuna_status status = CUNA_OK;
    pthread_mutex_lock(&r->lock);
    while (status == CUNA_OK && *done < nbytes) {
        int64_t piece = cuna__min(nbytes - *done, SLOT_NBYTES);
        status = send(r, device, stream, dst + (cu_deviceptr)*done, src + *done, piece);
        if (status == CUNA_OK)
            *done += piece;
    }
    pthread_mutex_unlock(&r->lock);
    return status;
}

/* Asks the device for up to a slot's bytes. */
static cuna_status ask(slot **out, ring *r, cuna_device *device, cu_stream stream, cu_deviceptr src, int64_t nbytes)
{
    CUNA_TRY(advance(out, r, device));
    CUNA_TRY(cuna__device_check(device, device->driver->memcpy_dtoh_async((*out)->memory, src, (size_t)nbytes, stream),
                                "cuMemcpyDtoHAsync"));
    return mark(*out, device, stream, nbytes);
}

/* Keeps all slots asked for and takes their bytes out in turn. */
static cuna_status receive(ring *r, cuna_device *device, cu_stream stream, char *dst, cu_deviceptr src, int64_t nbytes)
{
    slot *queue[SLOTS];
    CUNA_TRY(grow(r, device, cuna__min(SLOTS, cuna__ceil_div(nbytes, SLOT_NBYTES))));
    int64_t asked = 0, pieces = 0;
    for (int64_t done = 0, taken = 0; done < nbytes; taken++) {
        for (; asked < nbytes && pieces - taken < r->nslots; pieces++) {
            int64_t piece = cuna__min(nbytes - asked, SLOT_NBYTES);
            CUNA_TRY(ask(&queue[pieces % SLOTS], r, device, stream, src + (cu_deviceptr)asked, piece));
            asked += piece;
        }
        int64_t piece = cuna__min(nbytes - done, SLOT_NBYTES);
        CUNA_TRY(drain(queue[taken % SLOTS], device));
        memcpy(dst + done, queue[taken % SLOTS]->memory, (size_t)piece);
        done += piece;
    }
    return CUNA_OK;
}

static cuna_status receive_all(cuna_device *device, cu_stream stream, char *dst, cu_deviceptr src, int64_t nbytes)
{
    ring *r = &rings[device->number];
    pthread_mutex_lock(&r->lock);
    cuna_status status = receive(r, device, stream, dst, src, nbytes);
    pthread_mutex_unlock(&r->lock);
    return status;
}

/* Asking about pageable memory is an error. */
bool cuna__staging_is_pinned(cuna_device *device, const void *memory)
{
    unsigned type = 0;
    int attribute = CU_POINTER_ATTRIBUTE_MEMORY_TYPE;
    void *value = &type;
    if (cuna__device_enter(device) != CUNA_OK)
        return false;
    cu_result result = device->driver->pointer_get_attributes(1, &attribute, &value, (cu_deviceptr)(uintptr_t)memory);
    return result == CU_SUCCESS && type == CU_MEMORYTYPE_HOST;
}

/* What the driver is left alone with it may read later. */
static cuna_status upload_direct(cuna_device *device, cu_stream stream, cu_deviceptr dst, const void *src,
                                 int64_t nbytes)
{
    CUNA_TRY(cuna__device_check(device, device->driver->memcpy_htod_async(dst, src, (size_t)nbytes, stream),
                                "cuMemcpyHtoDAsync"));
    return device->driver->facts.asynchronous ? wait_for(device, stream) : CUNA_OK;
}

cuna_status cuna__staging_check_capture(const cuna_stream *stream)
{
    if (stream->capture == NULL)
        return CUNA_OK;
    return cuna_fail(CUNA_VALUE, "a copy from or to %s cannot be captured; make it before the graph",
                     stream->device->name);
}

static cuna_status upload(cuna_device *device, cu_stream stream, cu_deviceptr dst, const void *src, int64_t nbytes)
{
    int64_t done = 0;
    if (device->driver->facts.host_memory || (nbytes > DIRECT_NBYTES && cuna__staging_is_pinned(device, src)))
        return upload_direct(device, stream, dst, src, nbytes);
    cuna_status status = send_all(&done, device, stream, dst, src, nbytes);
    if (status != CUNA_MEMORY)
        return status;
    return upload_direct(device, stream, dst + (cu_deviceptr)done, (const char *)src + done, nbytes - done);
}

cuna_status cuna__staging_upload(const cuna_context *context, cuna_device *device, cu_deviceptr dst, const void *src,
                                 int64_t nbytes)
{
    cuna_stream *stream = cuna__context_stream(context, device);
    CUNA_TRY(cuna__staging_check_capture(stream));
    CUNA_TRY(cuna__device_enter(device));
    int64_t trace = cuna__trace_begin(CUNA_TRACE_COPY, "to device", stream, nbytes);
    cuna_status status = upload(device, stream->handle, dst, src, nbytes);
    cuna__trace_end(trace, stream);
    return status;
}

static cuna_status download_direct(cuna_device *device, cu_stream stream, void *dst, cu_deviceptr src, int64_t nbytes)
{
    CUNA_TRY(cuna__device_check(device, device->driver->memcpy_dtoh_async(dst, src, (size_t)nbytes, stream),
                                "cuMemcpyDtoHAsync"));
    return wait_for(device, stream);
}

static cuna_status download(cuna_device *device, cu_stream stream, void *dst, cu_deviceptr src, int64_t nbytes)
{
    if (device->driver->facts.host_memory || nbytes <= DIRECT_NBYTES || cuna__staging_is_pinned(device, dst))
        return download_direct(device, stream, dst, src, nbytes);
    cuna_status status = receive_all(device, stream, dst, src, nbytes);
    return status == CUNA_MEMORY ? download_direct(device, stream, dst, src, nbytes) : status;
}

cuna_status cuna__staging_download(const cuna_context *context, cuna_device *device, void *dst, cu_deviceptr src,
                                   int64_t nbytes)
{
    cuna_stream *stream = cuna__context_stream(context, device);
    CUNA_TRY(cuna__context_check_waiting(context, "reading elements"));
    CUNA_TRY(cuna__staging_check_capture(stream));
    CUNA_TRY(cuna__device_enter(device));
    int64_t trace = cuna__trace_begin(CUNA_TRACE_COPY, "to host", stream, nbytes);
    cuna_status status = download(device, stream->handle, dst, src, nbytes);
    cuna__trace_end(trace, stream);
    cuna__stream_settle_partings(false);
    return status == CUNA_OK ? cuna__device_check_reports(context, device) : status;
}

int64_t cuna__staging_idle(int64_t *slots, const cuna_device *device)
{
    ring *r = &rings[device->number];
    pthread_mutex_lock(&r->lock);
    *slots = r->nslots;
    pthread_mutex_unlock(&r->lock);
    return *slots * SLOT_NBYTES;
}

cuna_status cuna__staging_release(cuna_device *device)
{
    ring *r = &rings[device->number];
    cuna_status status = CUNA_OK;
    pthread_mutex_lock(&r->lock);
    for (; r->nslots > 0 && status == CUNA_OK; r->nslots -= status == CUNA_OK) {
        slot *last = &r->slots[r->nslots - 1];
        status = drain(last, device);
        if (status == CUNA_OK) {
            device->driver->event_destroy(last->event);
            device->driver->mem_free_host(last->memory);
        }
    }
    r->current = 0;
    pthread_mutex_unlock(&r->lock);
    return status;
}
