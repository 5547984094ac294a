/* stream_parting.c: owners of memory that streams may still be at work on: they get it back when that is done.
 *
 * The streams of the device get marks. The thread that gave the memory up looks at them where it waits for anything, and
 * where it takes in or gives up other such memory; it never waits for this alone. No other thread calls the owner, whose
 * function may be one of Lua's. */
#include <stdlib.h>
#include <string.h>

#include "device/device.h"

typedef struct parting {
    struct parting *next;
    cuna_device *device;
    void (*release)(void *owner);
    void *owner;
    int nmarks;
    cu_event marks[];
} parting;

static _Thread_local parting *partings;

typedef struct mark_list {
    int count;
    cu_event at[CUNA_MAX_STREAMS];
} mark_list;

/* What is idle needs no mark. */
static cuna_status mark(void *data, const cuna_stream *stream)
{
    mark_list *m = data;
    cuna_device *device = stream->device;
    const cuna_driver *driver = device->driver;
    if (driver->stream_query(stream->handle) == CU_SUCCESS)
        return CUNA_OK;
    CUNA_TRY(
        cuna__device_check(device, driver->event_create(&m->at[m->count], CU_EVENT_DISABLE_TIMING), "cuEventCreate"));
    cu_result result = driver->event_record(m->at[m->count++], stream->handle);
    return cuna__device_check(device, result, "cuEventRecord");
}

static void drop_marks(cuna_device *device, const cu_event *marks, int count)
{
    for (int i = 0; i < count && cuna__device_make_current(device) == CUNA_OK; i++)
        device->driver->event_destroy(marks[i]);
}

/* NULL: nothing is under way, or the host has waited because something was missing. */
static parting *make(cuna_device *device)
{
    mark_list m = {0};
    parting *made = NULL;
    cuna_status status = cuna__streams_visit(device, mark, &m);
    if (status == CUNA_OK && m.count > 0)
        made = malloc(sizeof *made + (size_t)m.count * sizeof *m.at);
    if (made != NULL) {
        *made = (parting){.device = device, .nmarks = m.count};
        memcpy(made->marks, m.at, (size_t)m.count * sizeof *m.at);
        return made;
    }
    if (status != CUNA_OK || m.count > 0)
        cuna__streams_wait(device);
    drop_marks(device, m.at, m.count);
    return NULL;
}

void cuna__stream_part(cuna_device *device, void (*release)(void *owner), void *owner)
{
    parting *made = make(device);
    if (made == NULL) {
        release(owner);
        return;
    }
    made->release = release;
    made->owner = owner;
    made->next = partings;
    partings = made;
}

/* On a device that is dead nothing is under way. */
static bool is_over(const parting *p, bool waits)
{
    const cuna_driver *driver = p->device->driver;
    bool is_entered = cuna__device_enter(p->device) == CUNA_OK;
    for (int i = 0; i < p->nmarks && is_entered; i++) {
        cu_result result = waits ? driver->event_synchronize(p->marks[i]) : driver->event_query(p->marks[i]);
        if (result == CU_ERROR_NOT_READY)
            return false;
    }
    return true;
}

/* A finished part leaves the list before its owner is called, because the owner may call back. */
static parting *take_over(bool waits)
{
    for (parting **link = &partings; *link != NULL; link = &(*link)->next) {
        parting *each = *link;
        if (is_over(each, waits)) {
            *link = each->next;
            return each;
        }
    }
    return NULL;
}

void cuna__stream_settle_partings(bool all)
{
    for (parting *over; partings != NULL && (over = take_over(all)) != NULL;) {
        drop_marks(over->device, over->marks, over->nmarks);
        over->release(over->owner);
        free(over);
    }
}
