/* stream.c: the rows of streams, events and host functions. */
#include "stream.h"

#include <stdlib.h>

#define STREAM_LEGACY     ((cu_stream)1)
#define STREAM_PER_THREAD ((cu_stream)2)
#define GREATEST_PRIORITY (-5)

/* All threads share the per-thread stream, which CUDA has for each thread: the resulting order is legal, and CUDA
 * guarantees no other. */
static struct simgpu_stream *find_thread_stream(struct simgpu_context *context)
{
    if (context->thread_stream == NULL)
        context->thread_stream = simgpu__queue_create(context, CU_STREAM_DEFAULT);
    return context->thread_stream;
}

struct simgpu_stream *simgpu__stream_find(struct simgpu_context *context, cu_stream handle)
{
    if (handle == NULL || handle == STREAM_LEGACY)
        return context->null_stream;
    if (handle == STREAM_PER_THREAD)
        return find_thread_stream(context);
    return simgpu__handle_here(SIMGPU_STREAMS, handle, context);
}

cu_result simgpu__row_ctx_get_stream_priority_range(int *least, int *greatest)
{
    SIMGPU_ENTER(ctx_get_stream_priority_range, SIMGPU_NEED_CONTEXT);
    if (least != NULL)
        *least = 0;
    if (greatest != NULL)
        *greatest = GREATEST_PRIORITY;
    return CU_SUCCESS;
}

cu_result simgpu__row_stream_create_with_priority(cu_stream *stream, unsigned flags, int priority)
{
    SIMGPU_ENTER(stream_create_with_priority, SIMGPU_NEED_CONTEXT);
    (void)priority; /* any number is clamped to what the device has, and decides nothing about what is legal */
    if (stream == NULL || flags > CU_STREAM_NON_BLOCKING)
        return CU_ERROR_INVALID_VALUE;
    struct simgpu_stream *created = simgpu__queue_create(call.context, flags);
    if (created == NULL)
        return CU_ERROR_OUT_OF_MEMORY;
    *stream = (cu_stream)created;
    return CU_SUCCESS;
}

/* Its work goes on. */
cu_result simgpu__row_stream_destroy(cu_stream stream)
{
    SIMGPU_ENTER(stream_destroy, SIMGPU_NEED_CONTEXT);
    struct simgpu_stream *found = simgpu__handle_here(SIMGPU_STREAMS, stream, call.context);
    if (found == NULL)
        return CU_ERROR_INVALID_HANDLE;
    if (simgpu__queue_is_captured(found))
        return cuna__cpu_capture_refuse(&found->capture);
    simgpu__handle_destroy(found);
    return CU_SUCCESS;
}

/* Whether a stream may be waited for, or asked. */
static cu_result check_stream(struct simgpu_stream *stream)
{
    if (stream == NULL)
        return CU_ERROR_INVALID_HANDLE;
    return simgpu__queue_is_captured(stream) ? cuna__cpu_capture_refuse(&stream->capture)
                                             : cuna__cpu_capture_check_thread();
}

cu_result simgpu__row_stream_synchronize(cu_stream stream)
{
    SIMGPU_ENTER(stream_synchronize, SIMGPU_NEED_CONTEXT);
    struct simgpu_stream *found = simgpu__stream_find(call.context, stream);
    cu_result result = check_stream(found);
    if (result != CU_SUCCESS)
        return result;
    simgpu__queue_force_stream(found);
    simgpu__pool_settle(found->handle.context);
    return found->handle.context->dead;
}

cu_result simgpu__row_stream_query(cu_stream stream)
{
    SIMGPU_ENTER(stream_query, SIMGPU_NEED_CONTEXT);
    struct simgpu_stream *found = simgpu__stream_find(call.context, stream);
    cu_result result = check_stream(found);
    if (result != CU_SUCCESS)
        return result;
    if (found->head != NULL)
        simgpu__queue_poll();
    if (found->handle.context->dead != CU_SUCCESS)
        return found->handle.context->dead;
    return found->head == NULL ? CU_SUCCESS : CU_ERROR_NOT_READY;
}

static bool is_pending(const struct simgpu_event *event)
{
    return event->recorded != 0 && !simgpu__queue_has_done(event->stream, event->recorded);
}

cu_result simgpu__stream_wait(struct simgpu_stream *stream, struct simgpu_event *event)
{
    if (!is_pending(event))
        return CU_SUCCESS;
    struct simgpu_op *op = simgpu__queue_op(SIMGPU_WAIT, 0);
    if (op == NULL)
        return CU_ERROR_OUT_OF_MEMORY;
    op->event = event;
    op->event_sequence = event->recorded;
    op->event_stream = event->stream;
    return simgpu__queue_add(stream, op);
}

/* Waits for the last record before this call; for an event that has none, for nothing. */
cu_result simgpu__row_stream_wait_event(cu_stream stream, cu_event event, unsigned flags)
{
    SIMGPU_ENTER(stream_wait_event, SIMGPU_NEED_CONTEXT);
    struct simgpu_stream *found = simgpu__stream_find(call.context, stream);
    struct simgpu_event *awaited = simgpu__handle_find(SIMGPU_EVENTS, event);
    if (found == NULL || awaited == NULL)
        return CU_ERROR_INVALID_HANDLE;
    if (flags != 0)
        return CU_ERROR_INVALID_VALUE;
    if (simgpu__queue_is_captured(found) || awaited->capture.capture != 0)
        return cuna__cpu_capture_wait(&found->capture, &awaited->capture);
    return simgpu__stream_wait(found, awaited);
}

cu_result simgpu__row_event_create(cu_event *event, unsigned flags)
{
    SIMGPU_ENTER(event_create, SIMGPU_NEED_CONTEXT);
    const unsigned shared = CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING;
    if (event == NULL || flags > (CU_EVENT_BLOCKING_SYNC | shared) || (flags & shared) == CU_EVENT_INTERPROCESS)
        return CU_ERROR_INVALID_VALUE;
    struct simgpu_event *created = simgpu__handle_create(SIMGPU_EVENTS, call.context, sizeof *created);
    if (created == NULL)
        return CU_ERROR_OUT_OF_MEMORY;
    created->flags = flags;
    *event = (cu_event)created;
    return CU_SUCCESS;
}

cu_result simgpu__row_event_destroy(cu_event event)
{
    SIMGPU_ENTER(event_destroy, SIMGPU_NEED_CONTEXT);
    struct simgpu_event *found = simgpu__handle_here(SIMGPU_EVENTS, event, call.context);
    if (found == NULL)
        return CU_ERROR_INVALID_HANDLE;
    simgpu__handle_destroy(found);
    return CU_SUCCESS;
}

cu_result simgpu__stream_record(struct simgpu_stream *stream, struct simgpu_event *event)
{
    struct simgpu_op *op = simgpu__queue_op(SIMGPU_RECORD, 0);
    if (op == NULL)
        return CU_ERROR_OUT_OF_MEMORY;
    op->event = event;
    event->stream = stream;
    event->recorded = simgpu__queue_next();
    return simgpu__queue_add(stream, op);
}

cu_result simgpu__row_event_record(cu_event event, cu_stream stream)
{
    SIMGPU_ENTER(event_record, SIMGPU_NEED_CONTEXT);
    struct simgpu_event *found = simgpu__handle_here(SIMGPU_EVENTS, event, call.context);
    struct simgpu_stream *on = simgpu__stream_find(call.context, stream);
    if (found == NULL || on == NULL || found->handle.context != on->handle.context)
        return CU_ERROR_INVALID_HANDLE;
    if (simgpu__queue_is_captured(on))
        return cuna__cpu_capture_record(&on->capture, &found->capture);
    found->capture.capture = 0;
    return simgpu__stream_record(on, found);
}

/* Whether an event may be waited for, or asked. */
static cu_result check_event(const struct simgpu_event *event)
{
    if (event == NULL)
        return CU_ERROR_INVALID_HANDLE;
    return event->capture.capture != 0 ? cuna__cpu_capture_refuse_event(&event->capture)
                                       : cuna__cpu_capture_check_thread();
}

cu_result simgpu__row_event_query(cu_event event)
{
    SIMGPU_ENTER(event_query, SIMGPU_NEED_CONTEXT);
    struct simgpu_event *found = simgpu__handle_here(SIMGPU_EVENTS, event, call.context);
    cu_result result = check_event(found);
    if (result != CU_SUCCESS)
        return result;
    if (is_pending(found))
        simgpu__queue_poll();
    if (found->handle.context->dead != CU_SUCCESS)
        return found->handle.context->dead;
    return is_pending(found) ? CU_ERROR_NOT_READY : CU_SUCCESS;
}

cu_result simgpu__row_event_synchronize(cu_event event)
{
    SIMGPU_ENTER(event_synchronize, SIMGPU_NEED_CONTEXT);
    struct simgpu_event *found = simgpu__handle_here(SIMGPU_EVENTS, event, call.context);
    cu_result result = check_event(found);
    if (result != CU_SUCCESS)
        return result;
    if (is_pending(found))
        simgpu__queue_force(found->stream, found->recorded);
    simgpu__pool_settle(found->handle.context);
    return found->handle.context->dead;
}

cu_result simgpu__row_event_elapsed_time(float *ms, cu_event start, cu_event end)
{
    SIMGPU_ENTER(event_elapsed_time, SIMGPU_NEED_CONTEXT);
    struct simgpu_event *from = simgpu__handle_here(SIMGPU_EVENTS, start, call.context);
    struct simgpu_event *to = simgpu__handle_here(SIMGPU_EVENTS, end, call.context);
    if (ms == NULL)
        return CU_ERROR_INVALID_VALUE;
    if (from != NULL && to != NULL && (from->capture.capture | to->capture.capture) != 0)
        return cuna__cpu_capture_refuse_event(from->capture.capture != 0 ? &from->capture : &to->capture);
    if (from == NULL || to == NULL || from->recorded == 0 || to->recorded == 0 ||
        ((from->flags | to->flags) & CU_EVENT_DISABLE_TIMING))
        return CU_ERROR_INVALID_HANDLE;
    if (is_pending(from) || is_pending(to))
        return CU_ERROR_NOT_READY;
    *ms = (float)((double)(to->time_ns - from->time_ns) * 1e-6);
    return CU_SUCCESS;
}

cu_result simgpu__row_launch_host_func(cu_stream stream, cu_host_fn fn, void *data)
{
    SIMGPU_ENTER(launch_host_func, SIMGPU_NEED_CONTEXT);
    struct simgpu_stream *found = simgpu__stream_find(call.context, stream);
    if (found == NULL || fn == NULL)
        return found == NULL ? CU_ERROR_INVALID_HANDLE : CU_ERROR_INVALID_VALUE;
    struct simgpu_op *op = simgpu__queue_op(SIMGPU_CALL, 0);
    if (op == NULL)
        return CU_ERROR_OUT_OF_MEMORY;
    op->fn = fn;
    op->data = data;
    return simgpu__queue_add(found, op);
}
