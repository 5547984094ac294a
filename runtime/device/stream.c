/* stream.c: a device's streams, and their waits for each other where memory changes hands.
 *
 * Within one life of a block its users order themselves, by wait_event or by waiting: that is the program's business. What
 * no program can see is that a block had an earlier life. So a block keeps the streams that used it (`streams`) and, from
 * the life before, those that may not be done with it (`earlier`). The first work of a stream on a block waits for
 * these, once per life; when the block is given back, its users become what the next life waits for, because each of
 * them waited for the ones before. A stream that is idle is struck out instead. A stale bit costs a wait, never a result.
 *
 * Uses are noted from a device's second stream on: creating it waits for all that was done before, so that nothing is
 * missing in the notes. With one stream everything is in order and nothing is noted.
 *
 * `lock` guards the list of streams and the event that marks where one waits for another. */
#include "device/stream.h"

#include <pthread.h>
#include <stdlib.h>

#include "device/device.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* By devices' numbers. Read while a device is waited for, written while a capture begins there: the driver ends captures
 * when a thread waits for their device. Taken before `lock`. */
static pthread_rwlock_t captures[CUNA_MAX_DEVICES] = {[0 ... CUNA_MAX_DEVICES - 1] = PTHREAD_RWLOCK_INITIALIZER};

static uint64_t bit_of(const cuna_stream *stream)
{
    return (uint64_t)1 << stream->number;
}

/* Whether the legacy default stream's rule orders the two anyway. */
static bool are_ordered(const cuna_stream *a, const cuna_stream *b)
{
    return a == b || ((a->number == 0 || b->number == 0) && !a->non_blocking && !b->non_blocking);
}

/* ---- life ---- */

static cuna_status make_event(cuna_device *device)
{
    if (device->streams.event != NULL)
        return CUNA_OK;
    return cuna__device_check(device, device->driver->event_create(&device->streams.event, CU_EVENT_DISABLE_TIMING),
                              "cuEventCreate");
}

/* Called with the lock. */
static cuna_status track(cuna_device *device)
{
    if (device->streams.tracked)
        return CUNA_OK;
    CUNA_TRY(make_event(device));
    __atomic_store_n(&device->streams.tracked, true, __ATOMIC_SEQ_CST);
    cuna_status status = cuna__device_check(device, device->driver->ctx_synchronize(), "cuCtxSynchronize");
    if (status != CUNA_OK) /* what came before is not noted */
        __atomic_store_n(&device->streams.tracked, false, __ATOMIC_SEQ_CST);
    return status;
}

cuna_status cuna__streams_track(cuna_device *device)
{
    pthread_mutex_lock(&lock);
    cuna_status status = track(device);
    pthread_mutex_unlock(&lock);
    return status;
}

/* Called with the lock. */
static bool is_any_captured(const cuna_device *device)
{
    bool any = false;
    for (int number = 1; number < CUNA_MAX_STREAMS; number++)
        any |= device->streams.other[number] != NULL && device->streams.other[number]->capture != NULL;
    return any;
}

/* Called with the lock. Whether a stream without an owner has done its work. One that was made elsewhere may not be
 * queried any more: its mark is queried, or the device, where that ends no capture. */
static bool is_idle(const cuna_stream *stream)
{
    const cuna_driver *driver = stream->device->driver;
    if (!stream->foreign)
        return driver->stream_query(stream->handle) == CU_SUCCESS;
    if (stream->mark != NULL)
        return driver->event_query(stream->mark) == CU_SUCCESS;
    return !is_any_captured(stream->device) && driver->ctx_synchronize() == CU_SUCCESS;
}

static void bury(cuna_stream *stream)
{
    cuna_streams *streams = &stream->device->streams;
    if (!stream->foreign)
        stream->device->driver->stream_destroy(stream->handle);
    if (stream->mark != NULL)
        stream->device->driver->event_destroy(stream->mark);
    streams->other[stream->number] = NULL;
    __atomic_and_fetch(&streams->live, ~bit_of(stream), __ATOMIC_RELAXED);
    free(stream);
}

/* Whether a stream has no owner, and takes part in no owned capture. */
static bool is_orphan(const cuna_stream *stream)
{
    return stream != NULL && __atomic_load_n(&stream->references, __ATOMIC_ACQUIRE) == 0 && stream->capture == NULL;
}

/* Whether finding out if an orphan is idle costs no wait for the device. */
static bool can_be_asked(const cuna_stream *stream)
{
    return is_orphan(stream) && (!stream->foreign || stream->mark != NULL);
}

/* Called with the lock: streams that were released go when they are idle. */
static void sweep(cuna_device *device)
{
    for (int number = 1; number < CUNA_MAX_STREAMS; number++) {
        cuna_stream *stream = device->streams.other[number];
        if (can_be_asked(stream) && is_idle(stream))
            bury(stream);
    }
}

/* Called with the lock: waits for one that was released; false when there is none. */
static bool bury_busy(cuna_device *device)
{
    for (int number = 1; number < CUNA_MAX_STREAMS; number++) {
        cuna_stream *stream = device->streams.other[number];
        if (!is_orphan(stream))
            continue;
        if (!stream->foreign)
            device->driver->stream_synchronize(stream->handle);
        else if (stream->mark != NULL)
            device->driver->event_synchronize(stream->mark);
        else if (!is_idle(stream))
            continue;
        bury(stream);
        return true;
    }
    return false;
}

/* Called with the lock: the smallest number that is free, 0 for none. */
static int find_number(cuna_device *device)
{
    sweep(device);
    if (~device->streams.live == 0 && !bury_busy(device))
        return 0;
    return __builtin_ctzll(~device->streams.live);
}

static cuna_status enter_locked(cuna_device *device, cuna_stream *stream)
{
    CUNA_TRY(track(device));
    stream->number = find_number(device);
    if (stream->number == 0)
        return cuna_fail(CUNA_VALUE, "%s has %d streams, which is all it can have; free some (stream:free())",
                         device->name, CUNA_MAX_STREAMS);
    device->streams.other[stream->number] = stream;
    __atomic_or_fetch(&device->streams.live, bit_of(stream), __ATOMIC_RELAXED);
    return CUNA_OK;
}

/* Others see the stream as soon as it is in the list: it is `made` from the beginning. */
static cuna_status enter(cuna_stream **out, cuna_device *device, cuna_stream made)
{
    cuna_stream *stream = calloc(1, sizeof *stream);
    if (stream == NULL)
        return cuna_fail(CUNA_MEMORY, "the host has no memory left for a stream");
    *stream = made;
    stream->device = device;
    stream->references = 1;
    pthread_mutex_lock(&lock);
    cuna_status status = enter_locked(device, stream);
    pthread_mutex_unlock(&lock);
    if (status != CUNA_OK) {
        free(stream);
        return status;
    }
    *out = stream;
    return CUNA_OK;
}

cuna_status cuna_stream_create(cuna_stream **out, cuna_device *device, bool non_blocking, int priority)
{
    cu_stream handle;
    unsigned flags = non_blocking ? CU_STREAM_NON_BLOCKING : CU_STREAM_DEFAULT;
    int least = 0, greatest = 0;
    CUNA_TRY(cuna_device_stream_priorities(&least, &greatest, device));
    priority = (int)cuna__max(greatest, cuna__min(least, priority));
    CUNA_TRY(cuna__device_check(device, device->driver->stream_create_with_priority(&handle, flags, priority),
                                "cuStreamCreateWithPriority"));
    cuna_stream made = {.handle = handle, .non_blocking = non_blocking, .priority = priority};
    cuna_status status = enter(out, device, made);
    if (status != CUNA_OK)
        device->driver->stream_destroy(handle);
    return status;
}

/* It is not known how it was made: it is taken for one that does not wait for others. */
cuna_status cuna_stream_adopt(cuna_stream **out, cuna_device *device, uint64_t handle)
{
    CUNA_TRY(cuna__device_enter(device));
    cuna_stream made = {.handle = (cu_stream)(uintptr_t)handle, .non_blocking = true, .foreign = true};
    return enter(out, device, made);
}

/* What is still at work goes on, and the stream keeps its number until then. */
void cuna_stream_release(cuna_stream *stream)
{
    cuna_device *device = stream->device;
    if (stream->number == 0)
        return;
    if (stream->capture != NULL)
        cuna__device_flush(device); /* what is recorded for it holds it */
    if (stream->capture != NULL && __atomic_load_n(&stream->references, __ATOMIC_ACQUIRE) == 1)
        cuna_stream_drop_capture(stream);                 /* it has no owner left to end it */
    bool entered = cuna__device_enter(device) == CUNA_OK; /* without the lock: launches of a flush take it */
    pthread_mutex_lock(&lock);
    __atomic_sub_fetch(&stream->references, 1, __ATOMIC_ACQ_REL);
    if (entered && can_be_asked(stream) && is_idle(stream))
        bury(stream);
    pthread_mutex_unlock(&lock);
}

void cuna__streams_abandon(cuna_device *device)
{
    pthread_mutex_init(&lock, NULL);
    pthread_rwlock_init(&captures[device->number], NULL);
    device->streams.tracked = false;
}

/* ---- waiting for each other ---- */

/* Whether a stream that was made elsewhere may be gone. */
static bool has_left(const cuna_stream *stream)
{
    return stream->foreign && stream->references == 0;
}

/* Called with the lock. Of a stream without a mark that may be gone. */
static cuna_status wait_without_mark(cuna_device *device)
{
    if (!is_any_captured(device))
        return cuna__device_check(device, device->driver->ctx_synchronize(), "cuCtxSynchronize");
    return cuna_fail(CUNA_VALUE,
                     "a stream made elsewhere has used this memory of %s, and cannot be waited for while another one "
                     "captures; end the capture first",
                     device->name);
}

/* Called with the lock. The event is recorded again each time: a wait is for the latest record before it. */
static cuna_status wait_for_stream(cuna_stream *stream, const cuna_stream *other)
{
    cuna_device *device = stream->device;
    const cuna_driver *driver = device->driver;
    cu_event event = has_left(other) ? other->mark : device->streams.event;
    if (event == NULL)
        return wait_without_mark(device);
    if (!has_left(other))
        CUNA_TRY(cuna__device_check(device, driver->event_record(event, other->handle), "cuEventRecord"));
    return cuna__device_check(device, driver->stream_wait_event(stream->handle, event, 0), "cuStreamWaitEvent");
}

static const cuna_stream *find_stream(const cuna_device *device, int number)
{
    return number == 0 ? &device->streams.base : device->streams.other[number];
}

/* Called with the lock. Whether a stream may neither be queried nor waited for: it captures, or, the default one, would
 * wait for a stream that captures. What it was given before is done: captures began after that. */
static bool is_held(const cuna_stream *stream)
{
    const cuna_streams *streams = &stream->device->streams;
    if (stream->number != 0)
        return stream->capture != NULL;
    for (int number = 1; number < CUNA_MAX_STREAMS; number++)
        if (streams->other[number] != NULL && streams->other[number]->capture != NULL &&
            !streams->other[number]->non_blocking)
            return true;
    return false;
}

/* Called with the lock. *idle: the stream of that number has nothing to do any more, so that no wait is needed. In one
 * capture recorded work is ordered as other work is; with what is outside it has nothing to do. */
static cuna_status wait_for_number(bool *idle, cuna_stream *stream, int number)
{
    const cuna_stream *other = find_stream(stream->device, number);
    *idle = false;
    if (stream->capture != NULL)
        return other != NULL && other->capture == stream->capture ? wait_for_stream(stream, other) : CUNA_OK;
    *idle = other == NULL || is_held(other);
    if (*idle || are_ordered(stream, other))
        return CUNA_OK;
    *idle = has_left(other) ? is_idle(other) : stream->device->driver->stream_query(other->handle) == CU_SUCCESS;
    return *idle ? CUNA_OK : wait_for_stream(stream, other);
}

static cuna_status wait_for_earlier(cuna_stream *stream, cuna_block *block, uint64_t others)
{
    cuna_status status = CUNA_OK;
    pthread_mutex_lock(&lock);
    for (; others != 0 && status == CUNA_OK; others &= others - 1) {
        bool idle = false;
        int number = __builtin_ctzll(others);
        status = wait_for_number(&idle, stream, number);
        if (idle)
            __atomic_and_fetch(&block->earlier, ~((uint64_t)1 << number), __ATOMIC_RELAXED);
    }
    pthread_mutex_unlock(&lock);
    return status;
}

cuna_status cuna__stream_claim(cuna_stream *stream, cuna_block *block)
{
    uint64_t bit = bit_of(stream);
    if (__atomic_load_n(&block->streams, __ATOMIC_RELAXED) & bit)
        return CUNA_OK; /* it waited when it first used the block */
    uint64_t others = cuna__block_earlier(block) & ~bit;
    if (others != 0)
        CUNA_TRY(wait_for_earlier(stream, block, others));
    __atomic_or_fetch(&block->streams, bit, __ATOMIC_RELAXED);
    return CUNA_OK;
}

/* Called with the lock: the stream of a number, or, where it is gone or held, one that may be given work; NULL: none. */
static cuna_stream *find_worker(cuna_device *device, int number)
{
    cuna_streams *streams = &device->streams;
    cuna_stream *home = number == 0 ? &streams->base : streams->other[number];
    if (home != NULL && !is_held(home))
        return home;
    if (!is_held(&streams->base))
        return &streams->base;
    for (number = 1; number < CUNA_MAX_STREAMS; number++)
        if (streams->other[number] != NULL && !streams->other[number]->foreign && !is_held(streams->other[number]))
            return streams->other[number];
    return NULL;
}

static cuna_status follow(cu_stream *out, bool *found, cuna_device *device, int number, uint64_t others)
{
    cuna_status status = CUNA_OK;
    pthread_mutex_lock(&lock);
    cuna_stream *stream = find_worker(device, number);
    *found = stream != NULL;
    for (others &= *found ? ~bit_of(stream) : 0; others != 0 && status == CUNA_OK; others &= others - 1) {
        bool idle;
        status = wait_for_number(&idle, stream, __builtin_ctzll(others));
    }
    *out = *found ? stream->handle : NULL;
    pthread_mutex_unlock(&lock);
    return status;
}

cuna_status cuna__stream_follow(cu_stream *out, cuna_stream **made, cuna_device *device, int number, uint64_t others)
{
    bool found;
    *made = NULL;
    CUNA_TRY(follow(out, &found, device, number, others));
    if (found)
        return CUNA_OK;
    CUNA_TRY(cuna_stream_create(made, device, true, 0));
    return follow(out, &found, device, (*made)->number, others);
}

/* ---- waiting for all of them ---- */

/* Retains the stream of a number; NULL where there is none that can be waited for. */
static cuna_stream *borrow(cuna_device *device, int number)
{
    pthread_mutex_lock(&lock);
    cuna_stream *stream = number == 0 ? &device->streams.base : device->streams.other[number];
    if (stream != NULL && (is_held(stream) || (stream->foreign && is_orphan(stream))))
        stream = NULL;
    if (stream != NULL && number != 0)
        cuna_stream_retain(stream);
    pthread_mutex_unlock(&lock);
    return stream;
}

static cuna_status visit_each(cuna_device *device, cuna_stream_visit *visit, void *data)
{
    cuna_status status = CUNA_OK;
    for (int number = 0; number < CUNA_MAX_STREAMS && status == CUNA_OK; number++) {
        cuna_stream *stream = borrow(device, number);
        if (stream == NULL)
            continue;
        status = visit(data, stream);
        cuna_stream_release(stream);
    }
    return status;
}

cuna_status cuna__streams_visit(cuna_device *device, cuna_stream_visit *visit, void *data)
{
    pthread_rwlock_rdlock(&captures[device->number]);
    cuna_status status = visit_each(device, visit, data);
    pthread_rwlock_unlock(&captures[device->number]);
    return status;
}

static cuna_status wait_for_one(void *data, const cuna_stream *stream)
{
    (void)data;
    cu_result result = stream->device->driver->stream_synchronize(stream->handle);
    return cuna__device_check(stream->device, result, "cuStreamSynchronize");
}

static bool has_captures(const cuna_device *device)
{
    if (__atomic_load_n(&device->streams.live, __ATOMIC_RELAXED) == 1)
        return false;
    pthread_mutex_lock(&lock);
    bool any = is_any_captured(device);
    pthread_mutex_unlock(&lock);
    return any;
}

static cuna_status wait_for_all(cuna_device *device)
{
    if (has_captures(device))
        return visit_each(device, wait_for_one, NULL);
    return cuna__device_check(device, device->driver->ctx_synchronize(), "cuCtxSynchronize");
}

cuna_status cuna__streams_wait(cuna_device *device)
{
    pthread_rwlock_rdlock(&captures[device->number]);
    cuna_status status = wait_for_all(device);
    pthread_rwlock_unlock(&captures[device->number]);
    return status;
}

/* ---- captures ---- */

static cuna_status begin_capture(cuna_stream *stream, struct cuna_graph *capture)
{
    cuna_device *device = stream->device;
    CUNA_TRY(wait_for_all(device));
    pthread_mutex_lock(&lock); /* a caller that queries a stream holds it too */
    cu_result result =
        CUNA_DEVICE_CALL(device, device->driver->stream_begin_capture(stream->handle, CU_STREAM_CAPTURE_MODE_RELAXED));
    if (result == CU_SUCCESS)
        stream->capture = capture;
    pthread_mutex_unlock(&lock);
    return cuna__device_check(device, result, "cuStreamBeginCapture");
}

cuna_status cuna__stream_begin_capture(cuna_stream *stream, struct cuna_graph *capture)
{
    pthread_rwlock_t *mine = &captures[stream->device->number];
    pthread_rwlock_wrlock(mine);
    cuna_status status = begin_capture(stream, capture);
    pthread_rwlock_unlock(mine);
    return status;
}

/* Called with the lock: gives a new capture, or none, to the streams that take part in one; whether there are any. */
static bool replace_capture(cuna_device *device, const struct cuna_graph *capture, struct cuna_graph *by)
{
    bool any = false;
    for (int number = 1; number < CUNA_MAX_STREAMS; number++) {
        cuna_stream *stream = device->streams.other[number];
        if (stream != NULL && stream->capture == capture) {
            stream->capture = by;
            any = true;
        }
    }
    return any;
}

cuna_status cuna__stream_make_ready(cuna_stream *stream)
{
    cuna_device *device = stream->device;
    if (stream->capture != NULL || stream->number == 0)
        return CUNA_OK;
    CUNA_TRY(cuna__device_wait(device, stream->handle, "cuStreamSynchronize"));
    pthread_mutex_lock(&lock);
    bool waits = !stream->non_blocking && !is_held(&device->streams.base);
    pthread_mutex_unlock(&lock);
    return waits ? cuna__device_wait(device, NULL, "cuStreamSynchronize") : CUNA_OK;
}

/* The capture is still open while some stream takes part in it. */
void cuna__stream_join(cuna_stream *stream, struct cuna_graph *capture)
{
    if (capture == NULL)
        return;
    pthread_mutex_lock(&lock);
    if (replace_capture(stream->device, capture, capture))
        stream->capture = capture;
    pthread_mutex_unlock(&lock);
}

void cuna__streams_leave(cuna_device *device, const struct cuna_graph *capture)
{
    pthread_mutex_lock(&lock);
    replace_capture(device, capture, NULL);
    pthread_mutex_unlock(&lock);
}
