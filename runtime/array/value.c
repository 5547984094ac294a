/* value.c: the memory of arrays: its owners, and the copies in flight.
 *
 * Memory of a device is used by its streams: each use is noted in the block (stream.c). Memory of the host may be used by
 * a copy that some device does on its stream, beside the host: then the value has the copy's event, and the next user of
 * the memory waits for it, even if only to free it. */
#include "array/value.h"

#include <pthread.h>
#include <stdlib.h>

#include "array/array.h"
#include "array/graph.h"
#include "device/allocator.h"

/* What foreign memory needs, and memory of the host that a device copies from and to by itself. */
struct cuna_outside {
    void (*release)(void *owner); /* NULL: the memory is not given back */
    void *owner;
    cuna_device *copying; /* that may be at a copy; NULL: none */
    cu_event copied;      /* of `copying`: after the last copy */
};

/* ---- room ---- */

/* Room that a thread keeps for arrays to come: the collector frees garbage by thousands, and new arrays take as much. A
 * build that looks for uses of freed memory keeps one. */
enum { MOST_SPARES = CUNA_HIDES_CONTENT ? 1 : 4096 };

typedef struct spares {
    int count;
    cuna_value_room *at[MOST_SPARES];
} spares;

static pthread_key_t key; /* the loader has little room for thread-local data */
static pthread_once_t key_made = PTHREAD_ONCE_INIT;

static void end_thread(void *ended)
{
    spares *own = ended;
    while (own->count > 0)
        free(own->at[--own->count]);
    free(own);
}

static void make_key(void)
{
    pthread_key_create(&key, end_thread);
}

/* This thread's, or NULL. */
static spares *find_spares(void)
{
    pthread_once(&key_made, make_key);
    return pthread_getspecific(key);
}

static spares *make_spares(void)
{
    spares *made = calloc(1, sizeof *made);
    if (made != NULL && pthread_setspecific(key, made) == 0)
        return made;
    free(made);
    return NULL;
}

/* The next one is fetched meanwhile: it was garbage, which is in no cache. */
cuna_value_room *cuna__value_alloc(void)
{
    spares *own = find_spares();
    if (own == NULL || own->count == 0)
        return malloc(sizeof(cuna_value_room));
    cuna_value_room *taken = own->at[--own->count];
    if (own->count > 0)
        cuna__fetch(own->at[own->count - 1], sizeof *taken);
    return taken;
}

static void free_value(cuna_value *value)
{
    spares *own = find_spares();
    if (__builtin_expect(own == NULL, 0))
        own = make_spares();
    if (own != NULL && own->count < MOST_SPARES)
        own->at[own->count++] = (cuna_value_room *)value;
    else
        free(value);
}

/* ---- values ---- */

cuna_value *cuna__value_create(cuna_device *device, cuna_block *block)
{
    cuna_value *value = (cuna_value *)cuna__value_alloc();
    if (value != NULL)
        cuna__value_begin(value, device, block, block->ptr, block->nbytes);
    return value;
}

static cuna_status need_outside(cuna_value *value)
{
    if (value->outside == NULL)
        value->outside = calloc(1, sizeof *value->outside);
    return value->outside != NULL ? CUNA_OK : cuna_fail(CUNA_MEMORY, "the host has no memory left for an array");
}

cuna_status cuna__value_set_owner(cuna_value *value, void (*release)(void *owner), void *owner)
{
    if (release == NULL)
        return CUNA_OK;
    CUNA_TRY(need_outside(value));
    value->outside->release = release;
    value->outside->owner = owner;
    return CUNA_OK;
}

bool cuna__value_is_borrowed(const cuna_value *value)
{
    return value->block == NULL && (value->outside == NULL || value->outside->release == NULL);
}

static bool is_copied(const cuna_value *value)
{
    return value->outside != NULL && value->outside->copying != NULL;
}

/* Waits until the copy is done. Where that fails it counts as under way, so that no half of it is read. */
static cuna_status settle(cuna_value *value)
{
    struct cuna_outside *outside = value->outside;
    cuna_device *device = outside->copying;
    CUNA_TRY(cuna__device_enter(device));
    CUNA_TRY(cuna__device_check(device, device->driver->event_synchronize(outside->copied), "cuEventSynchronize"));
    device->driver->event_destroy(outside->copied);
    outside->copying = NULL;
    return CUNA_OK;
}

/* The memory goes: what did not work with the event is tried with the device, if that is not dead and nothing copied. */
static void abandon_copy(const struct cuna_outside *outside)
{
    if (cuna__device_enter(outside->copying) != CUNA_OK)
        return;
    cuna__streams_wait(outside->copying);
    outside->copying->driver->event_destroy(outside->copied);
}

static void end_outside(cuna_value *value)
{
    if (is_copied(value) && settle(value) != CUNA_OK)
        abandon_copy(value->outside);
    if (value->outside->release != NULL)
        value->outside->release(value->outside->owner);
    free(value->outside);
}

void cuna__value_release(cuna_value *value)
{
    if (!cuna__drop_holder(&value->uses))
        return;
    if (__builtin_expect(value->outside != NULL, 0))
        end_outside(value);
    if (__builtin_expect(value->recipe != NULL, 0))
        value->recipe->drop(value->recipe);
    cuna__block_free(value->device, value->block);
    free_value(value);
}

/* ---- users of memory ---- */

static cuna_status refuse_device(const cuna_device *only, const cuna_device *device)
{
    return cuna_fail(CUNA_VALUE, "a graph of %s cannot record work on %s; make one for each device", only->name,
                     device->name);
}

cuna_status cuna__value_claim_slowly(const cuna_context *context, cuna_stream *stream, cuna_value *value, cuna_use use)
{
    if (context->only != NULL && context->only != stream->device)
        return refuse_device(context->only, stream->device);
    CUNA_TRY(cuna__value_settle(context, stream->device, value));
    bool is_kept = false;
    if (stream->capture != NULL)
        CUNA_TRY(cuna__graph_keep(&is_kept, stream->capture, value, use));
    value->is_kept |= is_kept;
    if (is_kept) /* launches use it, and claim it */
        return CUNA_OK;
    bool is_pinned = value->device != stream->device;
    return value->block != NULL && !is_pinned ? cuna__stream_claim(stream, value->block) : CUNA_OK;
}

cuna_status cuna__value_settle(const cuna_context *context, cuna_device *device, cuna_value *value)
{
    if (!is_copied(value))
        return CUNA_OK;
    CUNA_TRY(cuna__context_check_waiting(context, "an array that a copy is under way from or to"));
    CUNA_TRY(settle(value));
    return cuna__device_enter(device);
}

static cuna_status open_copy(struct cuna_outside *outside, cuna_device *device)
{
    CUNA_TRY(cuna__device_check(device, device->driver->event_create(&outside->copied, CU_EVENT_DISABLE_TIMING),
                                "cuEventCreate"));
    outside->copying = device;
    return CUNA_OK;
}

/* A copy after another one on the same device follows it in stream order; on another device the host waits between
 * them. */
cuna_status cuna__value_begin_copy(cuna_value *value, cuna_device *host, cuna_stream *stream)
{
    cuna_device *device = stream->device;
    CUNA_TRY(need_outside(value));
    if (is_copied(value) && value->outside->copying != device)
        CUNA_TRY(settle(value));
    CUNA_TRY(cuna__device_enter(host));
    CUNA_TRY(cuna__streams_track(host));
    CUNA_TRY(cuna__device_enter(device));
    if (!is_copied(value))
        return open_copy(value->outside, device);
    return cuna__device_check(device, device->driver->stream_wait_event(stream->handle, value->outside->copied, 0),
                              "cuStreamWaitEvent");
}

cuna_status cuna__value_end_copy(cuna_value *value, cuna_stream *stream)
{
    cuna_device *device = stream->device;
    cu_result result = CUNA_DEVICE_CALL(device, device->driver->event_record(value->outside->copied, stream->handle));
    return __builtin_expect(result == CU_SUCCESS, 1) ? CUNA_OK
                                                     : cuna__device_wait(device, stream->handle, "cuEventRecord");
}
