/* staging.c: a ring of pinned memory per device, through which the host's memory goes to and fro.
 *
 * Invariant: only the first `used` bytes of a slot may be in use by copies that the device has not done yet. All of
 * them went to the slot's `stream`, and its event was recorded after the last of them; where recording failed,
 * `marked` is false and the whole device has to be waited for, since the stream may be gone by then. So a call that fails
 * leaves a ring that can be used.
 *
 * Bytes: one core copies 9 GB/s (slots of 0.25 to 8 MiB measured alike), PCIe 5 moves 55 GB/s. So the host's threads
 * fill or empty half of the slots together, while the device transfers the other half: 256 MiB take 6.4 ms on an H100
 * with 16 cores. A slot of 2 MiB takes the device 40 us; two calls of the driver cost about 3 us. Threads take parts of
 * all these slots in turn, so that they begin on different huge pages of memory that nobody has touched yet.
 *
 * Small pieces share a slot, each on a separate line, and do not wait for anything until it is full. Slots are made
 * on first use and kept until unused pinned memory is released on request (cuna__staging_release). */
#include "device/staging.h"

#include "device/trace.h"

#include <pthread.h>
#include <string.h>

#define SLOTS         16
#define SHARED_SLOTS  4 /* of these, that transfers of less than a slot use */
#define SLOT_NBYTES   ((int64_t)2 << 20)
#define PART_NBYTES   ((int64_t)256 << 10) /* of a slot, that one thread copies at a time */
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

/* Copies between the host's memory and slots that threads make together; all but the last are of a slot's bytes. */
typedef struct host_copies {
    int64_t count;
    struct {
        char *dst;
        const char *src;
        int64_t nbytes;
    } copies[SLOTS];
} host_copies;

/* Pinned memory for reads of few bytes: the driver copies to pageable memory by a slower way. */
typedef struct reader {
    pthread_mutex_t lock; /* held by one read, from its copy to its end; others take the driver's way meanwhile */
    char *memory;         /* DIRECT_NBYTES, made by the first read */
} reader;

static reader readers[CUNA_MAX_DEVICES] = {[0 ... CUNA_MAX_DEVICES - 1] = {.lock = PTHREAD_MUTEX_INITIALIZER}};
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

static void add_copy(host_copies *all, void *dst, const void *src, int64_t nbytes)
{
    all->copies[all->count].dst = dst;
    all->copies[all->count].src = src;
    all->copies[all->count++].nbytes = nbytes;
}

/* Does the items [first, last): item i is part i / count of copy i % count. */
static void copy_parts(void *data, int64_t first, int64_t last)
{
    const host_copies *all = data;
    for (int64_t i = first; i < last; i++) {
        int64_t at = i / all->count * PART_NBYTES, rest = all->copies[i % all->count].nbytes - at;
        if (rest > 0)
            memcpy(all->copies[i % all->count].dst + at, all->copies[i % all->count].src + at,
                   (size_t)cuna__min(rest, PART_NBYTES));
    }
}

static void copy_together(cuna_device *device, host_copies *all)
{
    int64_t parts = all->count == 0 ? 0 : cuna__ceil_div(all->copies[0].nbytes, PART_NBYTES);
    device->driver->facts.share_work(copy_parts, all, all->count * parts, 1);
}

/* How many slots the host fills or empties at a time: the others are the device's. */
static int64_t count_together(const ring *r, int64_t nbytes)
{
    return cuna__min(cuna__max(r->nslots / 2, 1), cuna__ceil_div(nbytes, SLOT_NBYTES));
}

/* Transfers a slot's bytes from `at` on. */
static cuna_status send_slot(slot *s, cuna_device *device, cu_stream stream, cu_deviceptr dst, const char *at,
                             int64_t nbytes)
{
    CUNA_TRY(cuna__device_check(device, device->driver->memcpy_htod_async(dst, at, (size_t)nbytes, stream),
                                "cuMemcpyHtoDAsync"));
    return mark(s, device, stream, nbytes);
}

/* Sends up to a slot's bytes, which may share it with earlier ones. */
static cuna_status send_one(ring *r, cuna_device *device, cu_stream stream, cu_deviceptr dst, const char *src,
                            int64_t nbytes)
{
    slot *s = &r->slots[r->current];
    host_copies copies = {0};
    if (!has_room(r, stream, nbytes)) {
        CUNA_TRY(grow(r, device, cuna__min(SHARED_SLOTS, r->nslots + 1)));
        CUNA_TRY(advance(&s, r, device));
    }
    char *at = s->memory + s->used;
    add_copy(&copies, at, src, nbytes);
    copy_together(device, &copies);
    return send_slot(s, device, stream, dst, at, nbytes);
}

/* Sends the first bytes of several slots; `*done` grows by those that were sent. */
static cuna_status send_several(int64_t *done, ring *r, cuna_device *device, cu_stream stream, cu_deviceptr dst,
                                const char *src, int64_t nbytes)
{
    slot *slots[SLOTS];
    host_copies all = {0};
    CUNA_TRY(grow(r, device, cuna__min(SLOTS, cuna__ceil_div(nbytes, SLOT_NBYTES))));
    for (int64_t at = 0, count = count_together(r, nbytes); all.count < count; at += SLOT_NBYTES) {
        CUNA_TRY(advance(&slots[all.count], r, device));
        add_copy(&all, slots[all.count]->memory, src + at, cuna__min(nbytes - at, SLOT_NBYTES));
    }
    copy_together(device, &all);
    for (int64_t i = 0; i < all.count; i++) {
        CUNA_TRY(send_slot(slots[i], device, stream, dst + (cu_deviceptr)(i * SLOT_NBYTES), slots[i]->memory,
                           all.copies[i].nbytes));
        *done += all.copies[i].nbytes;
    }
    return CUNA_OK;
}

/* Sends everything; `done` returns how much of it was sent. */
static cuna_status send_all(int64_t *done, cuna_device *device, cu_stream stream, cu_deviceptr dst, const char *src,
                            int64_t nbytes)
{
    ring *r = &rings[device->number];
    cuna_status status = CUNA_OK;
    pthread_mutex_lock(&r->lock);
    while (status == CUNA_OK && nbytes - *done > SLOT_NBYTES)
        status = send_several(done, r, device, stream, dst + (cu_deviceptr)*done, src + *done, nbytes - *done);
    if (status == CUNA_OK && *done < nbytes) {
        status = send_one(r, device, stream, dst + (cu_deviceptr)*done, src + *done, nbytes - *done);
        *done = status == CUNA_OK ? nbytes : *done;
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

/* Takes the bytes of the next `count` slots out, once the device has filled them. */
static cuna_status take_out(slot **queue, int64_t taken, int64_t count, cuna_device *device, char *dst, int64_t nbytes)
{
    host_copies all = {0};
    while (all.count < count) {
        slot *next = queue[(taken + all.count) % SLOTS];
        int64_t at = all.count * SLOT_NBYTES;
        CUNA_TRY(drain(next, device));
        add_copy(&all, dst + at, next->memory, cuna__min(nbytes - at, SLOT_NBYTES));
    }
    copy_together(device, &all);
    return CUNA_OK;
}

/* Keeps all slots asked for and takes their bytes out in turn. */
static cuna_status receive(ring *r, cuna_device *device, cu_stream stream, char *dst, cu_deviceptr src, int64_t nbytes)
{
    slot *queue[SLOTS];
    int64_t pieces = cuna__ceil_div(nbytes, SLOT_NBYTES), asked = 0, taken = 0;
    CUNA_TRY(grow(r, device, cuna__min(SLOTS, pieces)));
    while (taken < pieces) {
        int64_t done = taken * SLOT_NBYTES, count = count_together(r, nbytes - done);
        for (; asked < pieces && asked - taken < r->nslots; asked++)
            CUNA_TRY(ask(&queue[asked % SLOTS], r, device, stream, src + (cu_deviceptr)(asked * SLOT_NBYTES),
                         cuna__min(nbytes - asked * SLOT_NBYTES, SLOT_NBYTES)));
        CUNA_TRY(take_out(queue, taken, count, device, dst + done, nbytes - done));
        taken += count;
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

/* A copy that fails may still be under way: its memory is not used again. */
static cuna_status read_few(reader *r, cuna_device *device, cu_stream stream, void *dst, cu_deviceptr src,
                            int64_t nbytes)
{
    char *memory = r->memory;
    r->memory = NULL;
    CUNA_TRY(download_direct(device, stream, memory, src, nbytes));
    memcpy(dst, memory, (size_t)nbytes);
    r->memory = memory;
    return CUNA_OK;
}

static bool has_memory(reader *r, cuna_device *device)
{
    void *memory = NULL;
    if (r->memory == NULL &&
        CUNA_DEVICE_CALL(device, device->driver->mem_host_alloc(&memory, (size_t)DIRECT_NBYTES, 0)) == CU_SUCCESS)
        r->memory = memory;
    return r->memory != NULL;
}

static cuna_status download_few(cuna_device *device, cu_stream stream, void *dst, cu_deviceptr src, int64_t nbytes)
{
    reader *r = &readers[device->number];
    if (pthread_mutex_trylock(&r->lock) != 0)
        return download_direct(device, stream, dst, src, nbytes);
    cuna_status status = (has_memory(r, device) ? read_few(r, device, stream, dst, src, nbytes)
                                                : download_direct(device, stream, dst, src, nbytes));
    pthread_mutex_unlock(&r->lock);
    return status;
}

static cuna_status download(cuna_device *device, cu_stream stream, void *dst, cu_deviceptr src, int64_t nbytes)
{
    if (!device->driver->facts.host_memory && nbytes <= DIRECT_NBYTES)
        return download_few(device, stream, dst, src, nbytes);
    if (device->driver->facts.host_memory || cuna__staging_is_pinned(device, dst))
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
