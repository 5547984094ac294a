/* event.c: marks in streams.
 *
 * The driver's event is made with the first record, on the device of the stream: an event that is made before anybody
 * knows where it will be used needs no current device. */
#include "device/event.h"

#include <stdlib.h>

#include "device/context.h"
#include "device/device.h"
#include "device/stream.h"

#define KNOWN_FLAGS (CUNA_EVENT_BLOCKING | CUNA_EVENT_DISABLE_TIMING | CUNA_EVENT_INTERPROCESS)

_Static_assert((int)CUNA_EVENT_BLOCKING == CU_EVENT_BLOCKING_SYNC &&
                   (int)CUNA_EVENT_DISABLE_TIMING == CU_EVENT_DISABLE_TIMING &&
                   (int)CUNA_EVENT_INTERPROCESS == CU_EVENT_INTERPROCESS,
               "flags are the driver's");

cuna_status cuna_event_create(cuna_event **out, unsigned flags)
{
    if ((flags & ~(unsigned)KNOWN_FLAGS) != 0)
        return cuna_fail(CUNA_VALUE, "an event has no flags %u", flags);
    if ((flags & CUNA_EVENT_INTERPROCESS) != 0 && (flags & CUNA_EVENT_DISABLE_TIMING) == 0)
        return cuna_fail(CUNA_VALUE, "an event for several processes takes no times: give disable_timing = true too");
    cuna_event *event = calloc(1, sizeof *event);
    if (event == NULL)
        return cuna_fail(CUNA_MEMORY, "the host has no memory left for an event");
    event->flags = flags;
    *out = event;
    return CUNA_OK;
}

void cuna_event_destroy(cuna_event *event)
{
    if (event->handle != NULL && cuna__device_make_current(event->device) == CUNA_OK)
        event->device->driver->event_destroy(event->handle);
    free(event);
}

static cuna_status make(cuna_event *event, cuna_device *device)
{
    CUNA_TRY(cuna__device_check(device, device->driver->event_create(&event->handle, event->flags), "cuEventCreate"));
    event->device = device;
    return CUNA_OK;
}

cuna_status cuna_event_record(cuna_event *event, cuna_stream *stream)
{
    cuna_device *device = stream->device;
    CUNA_TRY(cuna__device_enter(device));
    if (event->handle == NULL)
        CUNA_TRY(make(event, device));
    if (event->device != device)
        return cuna_fail(CUNA_VALUE,
                         "record: the event was recorded on %s before, and the stream is of %s; make another "
                         "event",
                         event->device->name, device->name);
    event->capture = stream->capture;
    return cuna__device_check(device, device->driver->event_record(event->handle, stream->handle), "cuEventRecord");
}

cuna_status cuna_event_synchronize(cuna_context *context, cuna_event *event)
{
    if (event->handle == NULL)
        return CUNA_OK;
    CUNA_TRY(cuna__device_enter(event->device));
    CUNA_TRY(cuna__device_check(event->device, event->device->driver->event_synchronize(event->handle),
                                "cuEventSynchronize"));
    cuna__stream_settle_partings(false);
    return cuna__device_check_reports(context, event->device);
}

cuna_status cuna_event_query(bool *done, cuna_event *event)
{
    *done = true;
    if (event->handle == NULL)
        return CUNA_OK;
    CUNA_TRY(cuna__device_enter(event->device));
    cu_result result = event->device->driver->event_query(event->handle);
    *done = result == CU_SUCCESS;
    return result == CU_ERROR_NOT_READY ? CUNA_OK : cuna__device_check(event->device, result, "cuEventQuery");
}

static cuna_status check_timed(const cuna_event *event, const char *which)
{
    if ((event->flags & CUNA_EVENT_DISABLE_TIMING) != 0)
        return cuna_fail(CUNA_VALUE, "get_elapsed_time: the %s event was made with disable_timing and takes no times",
                         which);
    if (event->handle == NULL)
        return cuna_fail(CUNA_VALUE, "get_elapsed_time: the %s event was never recorded", which);
    return CUNA_OK;
}

cuna_status cuna_event_elapsed(double *ms, cuna_event *start, cuna_event *end)
{
    float between = 0;
    CUNA_TRY(check_timed(start, "first"));
    CUNA_TRY(check_timed(end, "second"));
    cuna_device *device = start->device;
    if (device != end->device)
        return cuna_fail(CUNA_VALUE, "get_elapsed_time: one event is of %s and the other of %s", device->name,
                         end->device->name);
    CUNA_TRY(cuna__device_enter(device));
    cu_result result = device->driver->event_elapsed_time(&between, start->handle, end->handle);
    if (result == CU_ERROR_NOT_READY)
        return cuna_fail(CUNA_VALUE,
                         "get_elapsed_time: the work before an event is not done; call its synchronize() first");
    *ms = between;
    return cuna__device_check(device, result, "cuEventElapsedTime");
}

/* Devices of different drivers know nothing of each other's events: then the host waits. */
cuna_status cuna_stream_wait_event(cuna_stream *stream, const cuna_event *event)
{
    cuna_device *device = stream->device, *other = event->device;
    if (event->handle == NULL)
        return CUNA_OK;
    if (other->driver != device->driver) {
        CUNA_TRY(cuna__device_enter(other));
        return cuna__device_check(other, other->driver->event_synchronize(event->handle), "cuEventSynchronize");
    }
    CUNA_TRY(cuna__device_enter(device));
    if (event->capture != NULL)
        CUNA_TRY(cuna__stream_make_ready(stream));
    CUNA_TRY(cuna__device_check(device, device->driver->stream_wait_event(stream->handle, event->handle, 0),
                                "cuStreamWaitEvent"));
    cuna__stream_join(stream, event->capture);
    return CUNA_OK;
}

cuna_device *cuna_event_device(const cuna_event *event)
{
    return event->device;
}

uint64_t cuna_event_handle(const cuna_event *event)
{
    return (uintptr_t)event->handle;
}
