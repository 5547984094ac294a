/* trace.c: a record of what was given to devices: launches, copies, memory, with times of the host and of the device.
 *
 * Around each piece of work two events are recorded in its stream. Their times are read when the work is done, during the
 * trace in the order of beginnings and for the rest at its end, and the events are used again: a long trace has as many
 * as there is work in flight. A device's time is measured from an anchor: the first event that was recorded
 * there, whose time on the host's clock is known because the host waited for it, or a later one measured from that,
 * since distances are floats of milliseconds and lose precision with their length.
 *
 * A trace is the process' own; all threads write into it under `lock`. Nothing is recorded in a stream that captures. */
#include "device/trace.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "device/device.h"
#include "device/stream.h"

#define SETTLE_EVERY    256  /* records, from which those that are done are looked for */
#define ANCHOR_REACH_MS 1000 /* up to here a float resolves a tenth of a microsecond */
#define NUMBER_BITS     40   /* of a piece of work, below the number of its trace */

bool cuna__trace_works, cuna__trace_memory;

typedef struct record {
    cuna_trace_record seen;
    cu_event before, after;
} record;

typedef struct device_clock {
    cuna_device *device; /* NULL: it took no part */
    cu_event anchor;     /* NULL: it has no times */
    double anchor_s;
    cu_event *spare; /* events to be recorded again */
    int64_t spares, room;
} device_clock;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool is_taken; /* from the beginning of a trace until its records are read; cuna__trace_works until its end */
static int64_t trace_number;
static record *records;
static int64_t count, capacity, settled; /* the first `settled` records have their times */
static device_clock clocks[CUNA_MAX_DEVICES];

static _Thread_local cuna_trace_listener listener;
static _Thread_local void *listener_data;
static int listeners; /* threads that listen */

static _Thread_local int thread; /* its number; 0: none was needed yet */
static int threads;

static double now_s(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Called with the lock. */
static void set_flags(bool works)
{
    __atomic_store_n(&cuna__trace_works, works, __ATOMIC_RELAXED);
    __atomic_store_n(&cuna__trace_memory, works || listeners > 0, __ATOMIC_RELAXED);
}

/* ---- events; all of these are called with the lock, and with the clock's device current ---- */

static cu_event take_event(device_clock *c)
{
    cu_event event = NULL;
    if (c->spares > 0)
        return c->spare[--c->spares];
    cu_result result = CUNA_DEVICE_CALL(c->device, c->device->driver->event_create(&event, CU_EVENT_DEFAULT));
    return result == CU_SUCCESS ? event : NULL;
}

static bool grow_spare(device_clock *c)
{
    int64_t wanted = c->room * 2 + 64;
    cu_event *grown = realloc(c->spare, (size_t)wanted * sizeof *grown);
    if (grown == NULL)
        return false;
    c->spare = grown;
    c->room = wanted;
    return true;
}

static void give_event(device_clock *c, cu_event event)
{
    if (event == NULL)
        return;
    if (c->spares < c->room || grow_spare(c))
        c->spare[c->spares++] = event;
    else
        c->device->driver->event_destroy(event);
}

static cu_event mark(device_clock *c, const cuna_stream *stream)
{
    cu_event event = take_event(c);
    if (event == NULL || c->device->driver->event_record(event, stream->handle) == CU_SUCCESS)
        return event;
    give_event(c, event);
    return NULL;
}

/* The clock of a stream's device, which starts with the first work there. */
static device_clock *start_clock(const cuna_stream *stream)
{
    device_clock *c = &clocks[stream->device->number];
    if (c->device != NULL)
        return c;
    c->device = stream->device;
    c->anchor = mark(c, stream);
    if (c->anchor != NULL)
        c->device->driver->event_synchronize(c->anchor);
    c->anchor_s = now_s();
    return c;
}

static void stop_clock(device_clock *c)
{
    if (c->device != NULL && cuna__device_enter(c->device) == CUNA_OK) {
        give_event(c, c->anchor);
        while (c->spares > 0)
            c->device->driver->event_destroy(c->spare[--c->spares]);
    }
    free(c->spare);
    *c = (device_clock){0};
}

static bool read_distance(double *ms, const device_clock *c, cu_event from, cu_event to)
{
    float distance = 0;
    if (from == NULL || to == NULL || c->device->driver->event_elapsed_time(&distance, from, to) != CU_SUCCESS)
        return false;
    *ms = distance;
    return true;
}

/* ---- records; called with the lock ---- */

/* NULL when the host has no memory left: the trace then lacks what comes. */
static record *add(cuna_trace_kind kind, const char *name, cuna_device *device, int64_t nbytes)
{
    if (count == capacity) {
        int64_t wanted = capacity * 2 + 256;
        record *grown = realloc(records, (size_t)wanted * sizeof *grown);
        if (grown == NULL)
            return NULL;
        records = grown;
        capacity = wanted;
    }
    if (thread == 0)
        thread = ++threads;
    record *added = &records[count++];
    memset(added, 0, sizeof *added);
    added->seen = (cuna_trace_record){
        .kind = kind, .device = device, .thread = thread, .nbytes = nbytes, .host_begin_s = now_s()};
    strncpy(added->seen.name, name, sizeof added->seen.name - 1);
    return added;
}

static bool is_memory(const record *r)
{
    return r->seen.kind == CUNA_TRACE_ALLOC || r->seen.kind == CUNA_TRACE_FREE;
}

/* Reads the times of work that is done; marks work that has none, because an event is missing or the device is dead. */
static void settle(record *r)
{
    device_clock *c = &clocks[r->seen.device->number];
    double since_ms, length_ms;
    if (is_memory(r))
        return;
    r->seen.device_begin_s = r->seen.device_end_s = -1;
    if (cuna__device_enter(c->device) != CUNA_OK)
        return;
    bool timed = read_distance(&since_ms, c, c->anchor, r->before) && read_distance(&length_ms, c, r->before, r->after);
    if (timed) {
        r->seen.device_begin_s = c->anchor_s + 1e-3 * since_ms;
        r->seen.device_end_s = r->seen.device_begin_s + 1e-3 * (length_ms > 0 ? length_ms : 0);
    }
    /* Distances are floats: before they get too coarse, this record's last event becomes the anchor. */
    if (timed && since_ms > ANCHOR_REACH_MS) {
        cu_event before = c->anchor;
        c->anchor = r->after;
        c->anchor_s = r->seen.device_end_s;
        r->after = before;
    }
    give_event(c, r->before);
    give_event(c, r->after);
    r->before = r->after = NULL;
}

static bool is_done(const record *r)
{
    cuna_device *device = r->seen.device;
    if (is_memory(r) || r->after == NULL)
        return is_memory(r) || r->seen.host_end_s != 0;
    return cuna__device_enter(device) == CUNA_OK && device->driver->event_query(r->after) == CU_SUCCESS;
}

/* Work that is not done yet holds up what began after it. */
static void settle_done(cuna_device *current)
{
    while (settled < count && is_done(&records[settled]))
        settle(&records[settled++]);
    cuna__device_enter(current);
}

int64_t cuna__trace_begin_work(cuna_trace_kind kind, const char *name, cuna_stream *stream, int64_t nbytes,
                               int index_bits)
{
    int64_t number = -1;
    if (stream->capture != NULL)
        return number;
    pthread_mutex_lock(&lock);
    if (cuna__trace_works) {
        if (count - settled >= SETTLE_EVERY && count % SETTLE_EVERY == 0)
            settle_done(stream->device);
        device_clock *c = start_clock(stream);
        record *added = add(kind, name, stream->device, nbytes);
        if (added != NULL) {
            added->seen.stream = stream->number;
            added->seen.index_bits = index_bits;
            added->before = mark(c, stream);
            number = trace_number << NUMBER_BITS | (count - 1);
        }
    }
    pthread_mutex_unlock(&lock);
    return number;
}

/* The trace of the number may be over. */
void cuna__trace_end_work(int64_t number, cuna_stream *stream)
{
    int64_t index = number & (((int64_t)1 << NUMBER_BITS) - 1);
    pthread_mutex_lock(&lock);
    if (cuna__trace_works && number >> NUMBER_BITS == trace_number) {
        records[index].after = mark(&clocks[stream->device->number], stream);
        records[index].seen.host_end_s = now_s();
    }
    pthread_mutex_unlock(&lock);
}

void cuna__trace_tell_memory(cuna_trace_kind kind, cuna_device *device, uint64_t ptr, int64_t nbytes)
{
    if (listener != NULL)
        listener(listener_data, kind, device, ptr, nbytes);
    if (!__atomic_load_n(&cuna__trace_works, __ATOMIC_RELAXED))
        return;
    pthread_mutex_lock(&lock);
    record *added = cuna__trace_works ? add(kind, kind == CUNA_TRACE_ALLOC ? "alloc" : "free", device, nbytes) : NULL;
    if (added != NULL) {
        added->seen.ptr = ptr;
        added->seen.host_end_s = added->seen.host_begin_s;
    }
    pthread_mutex_unlock(&lock);
}

/* ---- a trace ---- */

cuna_status cuna_trace_begin(void)
{
    pthread_mutex_lock(&lock);
    bool begins = !is_taken;
    if (begins) {
        is_taken = true;
        trace_number++;
        set_flags(true);
    }
    pthread_mutex_unlock(&lock);
    return begins ? CUNA_OK : cuna_fail(CUNA_VALUE, "a trace is being taken, and there is one at a time");
}

/* Waits for events and not for devices: some stream may capture. */
static void settle_rest(void)
{
    for (; settled < count; settled++) {
        record *r = &records[settled];
        if (r->after != NULL && cuna__device_enter(r->seen.device) == CUNA_OK)
            r->seen.device->driver->event_synchronize(r->after);
        settle(r);
    }
}

/* Nobody writes any more between the two times that the lock is held. */
void cuna_trace_end(void (*emit)(void *data, const cuna_trace_record *record), void *data)
{
    pthread_mutex_lock(&lock);
    set_flags(false);
    pthread_mutex_unlock(&lock);
    settle_rest();
    for (int64_t i = 0; i < count; i++)
        emit(data, &records[i].seen);
    for (int i = 0; i < CUNA_MAX_DEVICES; i++)
        stop_clock(&clocks[i]);
    free(records);
    records = NULL;
    count = capacity = settled = 0;
    pthread_mutex_lock(&lock);
    is_taken = false;
    pthread_mutex_unlock(&lock);
}

void cuna_trace_listen(cuna_trace_listener fn, void *data)
{
    pthread_mutex_lock(&lock);
    listeners += (fn != NULL) - (listener != NULL);
    listener = fn;
    listener_data = data;
    set_flags(cuna__trace_works);
    pthread_mutex_unlock(&lock);
}
