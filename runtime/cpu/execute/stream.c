/* stream.c: streams and events of the cpu device.
 *
 * A stream's work is done when its row returns: a stream is always complete, an event is a time. Waits and queries
 * return immediately, unless a capture forbids them. All priorities are equal. */
#include "cpu/execute/stream.h"

#include <stdlib.h>
#include <time.h>

struct cu_event_s {
    cuna_capture_event capture;
    unsigned flags;
    bool recorded;
    struct timespec time;
};

struct cu_stream_s cuna__cpu_stream_legacy;
struct cu_stream_s cuna__cpu_stream_per_thread = {.capture = {.legacy = &cuna__cpu_stream_legacy.capture}};

cu_result cuna__cpu_stream_priority_range(int *least, int *greatest)
{
    if (least != NULL)
        *least = 0;
    if (greatest != NULL)
        *greatest = 0;
    return CU_SUCCESS;
}

cu_result cuna__cpu_stream_create(cu_stream *stream, unsigned flags, int priority)
{
    if (stream == NULL || flags > CU_STREAM_NON_BLOCKING)
        return CU_ERROR_INVALID_VALUE;
    cu_stream created = calloc(1, sizeof *created);
    if (created == NULL)
        return CU_ERROR_OUT_OF_MEMORY;
    created->flags = flags;
    created->priority = priority;
    created->capture.legacy = &cuna__cpu_stream_legacy.capture;
    created->capture.non_blocking = flags == CU_STREAM_NON_BLOCKING;
    *stream = created;
    return CU_SUCCESS;
}

/* The default streams are not destroyed. */
cu_result cuna__cpu_stream_destroy(cu_stream stream)
{
    if ((uintptr_t)stream <= 2)
        return CU_ERROR_INVALID_HANDLE;
    if (cuna__stream_is_held(stream))
        return cuna__cpu_capture_refuse(&stream->capture);
    free(stream);
    return CU_SUCCESS;
}

cu_result cuna__cpu_stream_synchronize(cu_stream stream)
{
    return cuna__stream_is_held(stream) ? cuna__cpu_capture_refuse(&cuna__stream_of(stream)->capture)
                                        : cuna__cpu_capture_check_thread();
}

cu_result cuna__cpu_stream_synchronize_all(void)
{
    return cuna__cpu_capture_check_context(&cuna__cpu_stream_legacy.capture);
}

cu_result cuna__cpu_stream_wait_event(cu_stream stream, cu_event event, unsigned flags)
{
    if (event == NULL)
        return CU_ERROR_INVALID_HANDLE;
    if (flags != 0)
        return CU_ERROR_INVALID_VALUE;
    return cuna__stream_is_held(stream) || event->capture.capture != 0
               ? cuna__cpu_capture_wait(&cuna__stream_of(stream)->capture, &event->capture)
               : CU_SUCCESS;
}

/* Interprocess events record no times, as on CUDA. */
cu_result cuna__cpu_event_create(cu_event *event, unsigned flags)
{
    const unsigned shared = CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING;
    if (event == NULL || flags > (CU_EVENT_BLOCKING_SYNC | shared) || (flags & shared) == CU_EVENT_INTERPROCESS)
        return CU_ERROR_INVALID_VALUE;
    cu_event created = calloc(1, sizeof *created);
    if (created == NULL)
        return CU_ERROR_OUT_OF_MEMORY;
    created->flags = flags;
    *event = created;
    return CU_SUCCESS;
}

cu_result cuna__cpu_event_destroy(cu_event event)
{
    if (event == NULL)
        return CU_ERROR_INVALID_HANDLE;
    free(event);
    return CU_SUCCESS;
}

cu_result cuna__cpu_event_record(cu_event event, cu_stream stream)
{
    if (event == NULL)
        return CU_ERROR_INVALID_HANDLE;
    if (cuna__stream_is_held(stream))
        return cuna__cpu_capture_record(&cuna__stream_of(stream)->capture, &event->capture);
    event->capture.capture = 0;
    if (!(event->flags & CU_EVENT_DISABLE_TIMING))
        clock_gettime(CLOCK_MONOTONIC, &event->time);
    event->recorded = true;
    return CU_SUCCESS;
}

/* Done, also for an event that was never recorded, as on CUDA. */
cu_result cuna__cpu_event_synchronize(cu_event event)
{
    if (event == NULL)
        return CU_ERROR_INVALID_HANDLE;
    return event->capture.capture != 0 ? cuna__cpu_capture_refuse_event(&event->capture)
                                       : cuna__cpu_capture_check_thread();
}

static bool has_time(cu_event event)
{
    return event != NULL && event->recorded && !(event->flags & CU_EVENT_DISABLE_TIMING);
}

cu_result cuna__cpu_event_elapsed_time(float *ms, cu_event start, cu_event end)
{
    if (ms == NULL)
        return CU_ERROR_INVALID_VALUE;
    if (start != NULL && end != NULL && (start->capture.capture | end->capture.capture) != 0)
        return cuna__cpu_capture_refuse_event(start->capture.capture != 0 ? &start->capture : &end->capture);
    if (!has_time(start) || !has_time(end))
        return CU_ERROR_INVALID_HANDLE;
    double seconds = (double)(end->time.tv_sec - start->time.tv_sec);
    *ms = (float)(seconds * 1e3 + (double)(end->time.tv_nsec - start->time.tv_nsec) / 1e6);
    return CU_SUCCESS;
}
