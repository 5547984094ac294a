/* capture.c: captures of streams.
 *
 * A capture begins in one stream, its origin; streams that wait for one of its events join it. Each of its streams
 * knows its last step: recording an event stores that step, a wait adds a step that joins two. A call that is illegal
 * during capture invalidates the captures it affects: they can then only be ended.
 *
 * While a blocking stream is captured, the legacy default stream of its context is held too: work there would have to
 * wait for work that does not run. One lock guards captures and the fields of streams except `held`, which rows read
 * before they call these functions. */
#include "cpu/execute/capture.h"

#include <pthread.h>
#include <stdlib.h>

struct cuna_capture {
    cuna_capture *next; /* of all that are open */
    uint64_t number;
    int mode;
    pthread_t thread; /* that began it */
    cuna_capture_stream *origin, *streams;
    cuna_tape *tape;
    bool invalid;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static cuna_capture *captures;
static uint64_t last_number;
static atomic_int count; /* of captures */

static void enter(void)
{
    pthread_mutex_lock(&lock);
}

static void leave(void)
{
    pthread_mutex_unlock(&lock);
}

/* A fork takes the lock first, so that it is free in the child. */
static void watch_forks(void)
{
    pthread_atfork(enter, leave, leave);
}

/* ---- under the lock ---- */

static cuna_capture *find(uint64_t number)
{
    cuna_capture *capture = captures;
    while (capture != NULL && capture->number != number)
        capture = capture->next;
    return capture;
}

static void join(cuna_capture *capture, cuna_capture_stream *stream, int last)
{
    stream->capture = capture;
    stream->last = last;
    stream->next = capture->streams;
    capture->streams = stream;
    atomic_fetch_add(&stream->held, 1);
    if (!stream->non_blocking)
        atomic_fetch_add(&stream->legacy->held, 1);
}

static void disband(cuna_capture *capture)
{
    for (cuna_capture_stream *stream = capture->streams; stream != NULL; stream = stream->next) {
        stream->capture = NULL;
        atomic_fetch_sub(&stream->held, 1);
        if (!stream->non_blocking)
            atomic_fetch_sub(&stream->legacy->held, 1);
    }
    cuna_capture **link = &captures;
    while (*link != capture)
        link = &(*link)->next;
    *link = capture->next;
    atomic_fetch_sub(&count, 1);
}

static bool has_stream(const cuna_capture *capture, const cuna_capture_stream *legacy, bool or_non_blocking)
{
    for (const cuna_capture_stream *stream = capture->streams; stream != NULL; stream = stream->next)
        if (stream->legacy == legacy && (or_non_blocking || !stream->non_blocking))
            return true;
    return false;
}

static bool belongs_to(const cuna_capture *capture, const cuna_capture_stream *legacy)
{
    return has_stream(capture, legacy, true);
}

static bool blocks(const cuna_capture *capture, const cuna_capture_stream *legacy)
{
    return has_stream(capture, legacy, false);
}

/* Invalidates the captures for which `meets` returns true; returns whether there were any. */
static bool invalidate(bool (*meets)(const cuna_capture *capture, const cuna_capture_stream *legacy),
                       const cuna_capture_stream *legacy)
{
    bool any = false;
    for (cuna_capture *capture = captures; capture != NULL; capture = capture->next) {
        bool met = meets(capture, legacy);
        capture->invalid |= met;
        any |= met;
    }
    return any;
}

static bool minds_this_thread(const cuna_capture *capture, const cuna_capture_stream *legacy)
{
    (void)legacy;
    return pthread_equal(capture->thread, pthread_self()) ? capture->mode != CU_STREAM_CAPTURE_MODE_RELAXED
                                                          : capture->mode == CU_STREAM_CAPTURE_MODE_GLOBAL;
}

/* Whether a held stream accepts steps. */
static cu_result admit(cuna_capture_stream *stream)
{
    if (stream->legacy == NULL) {
        invalidate(blocks, stream);
        return CU_ERROR_STREAM_CAPTURE_IMPLICIT;
    }
    if (stream->capture == NULL)
        return CU_ERROR_ILLEGAL_STATE; /* it ended meanwhile in another thread */
    return stream->capture->invalid ? CU_ERROR_STREAM_CAPTURE_INVALIDATED : CU_SUCCESS;
}

static cu_result add(cuna_capture_stream *stream, cuna_tape_step step)
{
    cu_result result = admit(stream);
    if (result != CU_SUCCESS)
        return result;
    step.after[0] = stream->last;
    int number = cuna__cpu_tape_add(stream->capture->tape, step);
    if (number == CUNA_TAPE_NONE)
        return CU_ERROR_OUT_OF_MEMORY;
    stream->last = number;
    return CU_SUCCESS;
}

static cu_result spoil(cuna_capture_stream *stream, cu_result result)
{
    stream->capture->invalid = true;
    return result;
}

/* A stream of a capture waits for an event of the same one. */
static cu_result order_after(cuna_capture_stream *stream, int step)
{
    if (step == CUNA_TAPE_NONE || step == stream->last)
        return CU_SUCCESS;
    if (stream->last != CUNA_TAPE_NONE)
        return add(stream, (cuna_tape_step){.after = {0, step}});
    stream->last = step;
    return CU_SUCCESS;
}

static cu_result wait_in(cuna_capture_stream *stream, const cuna_capture_event *event)
{
    cuna_capture *capture = event->capture != 0 ? find(event->capture) : NULL;
    bool held = stream->legacy == NULL ? atomic_load(&stream->held) != 0 : stream->capture != NULL;
    cu_result result = held ? admit(stream) : CU_SUCCESS;
    if (result != CU_SUCCESS)
        return result;
    if (capture == NULL)
        return held ? spoil(stream, CU_ERROR_STREAM_CAPTURE_ISOLATION) : CU_ERROR_CAPTURED_EVENT;
    if (capture->invalid)
        return CU_ERROR_STREAM_CAPTURE_INVALIDATED;
    /* The legacy stream cannot join a capture: waiting for a recorded event there would never end. */
    if (!held && stream->legacy == NULL) {
        capture->invalid = true;
        return CU_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    }
    /* Waiting for an event of a capture makes the stream join it; two captures cannot merge. */
    if (!held)
        join(capture, stream, event->step);
    else if (stream->capture != capture)
        capture->invalid = true, result = spoil(stream, CU_ERROR_STREAM_CAPTURE_MERGE);
    else
        result = order_after(stream, event->step);
    return result;
}

static cu_result check_end(const cuna_capture_stream *stream)
{
    cuna_capture *capture = stream->capture;
    if (capture == NULL)
        return CU_ERROR_ILLEGAL_STATE;
    if (capture->origin != stream) {
        capture->invalid = true;
        return CU_ERROR_STREAM_CAPTURE_UNMATCHED;
    }
    return capture->mode != CU_STREAM_CAPTURE_MODE_RELAXED && !pthread_equal(capture->thread, pthread_self())
               ? CU_ERROR_STREAM_CAPTURE_WRONG_THREAD
               : CU_SUCCESS;
}

/* ---- what rows call ---- */

cu_result cuna__cpu_capture_begin(cuna_capture_stream *stream, int mode, void (*drop)(void *work))
{
    static pthread_once_t watched = PTHREAD_ONCE_INIT;
    if (mode < CU_STREAM_CAPTURE_MODE_GLOBAL || mode > CU_STREAM_CAPTURE_MODE_RELAXED)
        return CU_ERROR_INVALID_VALUE;
    if (stream->legacy == NULL)
        return CU_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    pthread_once(&watched, watch_forks);
    /* Memory is allocated before the lock is taken. */
    cuna_capture *capture = calloc(1, sizeof *capture);
    cuna_tape *tape = cuna__cpu_tape_create(drop);
    enter();
    bool free_to = stream->capture == NULL && capture != NULL && tape != NULL;
    cu_result result = free_to ? CU_SUCCESS : stream->capture != NULL ? CU_ERROR_ILLEGAL_STATE : CU_ERROR_OUT_OF_MEMORY;
    if (free_to) {
        *capture = (cuna_capture){captures, ++last_number, mode, pthread_self(), stream, NULL, tape, false};
        captures = capture;
        atomic_fetch_add(&count, 1);
        join(capture, stream, CUNA_TAPE_NONE);
    }
    leave();
    if (result != CU_SUCCESS) {
        cuna__cpu_tape_release(tape);
        free(capture);
    }
    return result;
}

cu_result cuna__cpu_capture_end(cuna_capture_stream *stream, cuna_tape **tape)
{
    *tape = NULL;
    enter();
    cu_result result = check_end(stream);
    cuna_capture *capture = result == CU_SUCCESS ? stream->capture : NULL;
    if (capture != NULL)
        disband(capture);
    leave();
    /* Disbanded, the capture belongs to this thread only, and needs no lock. */
    if (capture == NULL)
        return result;
    result = capture->invalid                                       ? CU_ERROR_STREAM_CAPTURE_INVALIDATED
             : !cuna__cpu_tape_ends_in(capture->tape, stream->last) ? CU_ERROR_STREAM_CAPTURE_UNJOINED
                                                                    : CU_SUCCESS;
    if (result == CU_SUCCESS)
        *tape = capture->tape;
    else
        cuna__cpu_tape_release(capture->tape);
    free(capture);
    return result;
}

cu_result cuna__cpu_capture_status(int *status, cuna_capture_stream *stream)
{
    enter();
    bool implicit = stream->legacy == NULL && atomic_load(&stream->held) != 0;
    if (!implicit)
        *status = stream->capture == NULL    ? CU_STREAM_CAPTURE_STATUS_NONE
                  : stream->capture->invalid ? CU_STREAM_CAPTURE_STATUS_INVALIDATED
                                             : CU_STREAM_CAPTURE_STATUS_ACTIVE;
    leave();
    return implicit ? CU_ERROR_STREAM_CAPTURE_IMPLICIT : CU_SUCCESS;
}

/* Called with the lock, for a stream that is captured. */
static cu_result find_last(void *const **last, size_t *nlast, const cuna_capture_stream *stream)
{
    const cuna_tape_step *step = stream->last != CUNA_TAPE_NONE ? &stream->capture->tape->steps[stream->last] : NULL;
    if (step != NULL && step->work == NULL)
        return CU_ERROR_NOT_SUPPORTED;
    if (last != NULL)
        *last = step != NULL ? &step->work : NULL;
    if (nlast != NULL)
        *nlast = step != NULL;
    return CU_SUCCESS;
}

cu_result cuna__cpu_capture_info(int *status, uint64_t *id, void *const **last, size_t *nlast,
                                 cuna_capture_stream *stream)
{
    cu_result result = cuna__cpu_capture_status(status, stream);
    if (result != CU_SUCCESS || *status != CU_STREAM_CAPTURE_STATUS_ACTIVE)
        return result;
    enter();
    if (stream->capture == NULL)
        result = CU_ERROR_ILLEGAL_STATE; /* it ended meanwhile in another thread */
    else
        result = find_last(last, nlast, stream);
    if (result == CU_SUCCESS && id != NULL)
        *id = stream->capture->number;
    leave();
    return result;
}

cu_result cuna__cpu_capture_add(cuna_capture_stream *stream, void *work)
{
    enter();
    cu_result result = add(stream, (cuna_tape_step){.after = {0, CUNA_TAPE_NONE}, .work = work});
    leave();
    return result;
}

cu_result cuna__cpu_capture_record(cuna_capture_stream *stream, cuna_capture_event *event)
{
    enter();
    cu_result result = admit(stream);
    if (result == CU_SUCCESS)
        *event = (cuna_capture_event){stream->capture->number, stream->last};
    leave();
    return result;
}

cu_result cuna__cpu_capture_wait(cuna_capture_stream *stream, const cuna_capture_event *event)
{
    enter();
    cu_result result = wait_in(stream, event);
    leave();
    return result;
}

cu_result cuna__cpu_capture_refuse(cuna_capture_stream *stream)
{
    enter();
    cu_result result = admit(stream);
    if (result == CU_SUCCESS)
        result = spoil(stream, CU_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    leave();
    return result;
}

cu_result cuna__cpu_capture_refuse_event(const cuna_capture_event *event)
{
    enter();
    cuna_capture *capture = find(event->capture);
    if (capture != NULL)
        capture->invalid = true;
    leave();
    return CU_ERROR_CAPTURED_EVENT;
}

static cu_result check(bool (*meets)(const cuna_capture *capture, const cuna_capture_stream *legacy),
                       const cuna_capture_stream *legacy)
{
    if (atomic_load_explicit(&count, memory_order_relaxed) == 0)
        return CU_SUCCESS;
    enter();
    bool any = invalidate(meets, legacy);
    leave();
    return any ? CU_ERROR_STREAM_CAPTURE_UNSUPPORTED : CU_SUCCESS;
}

cu_result cuna__cpu_capture_check_context(const cuna_capture_stream *legacy)
{
    return check(belongs_to, legacy);
}

void cuna__cpu_capture_forget(const cuna_capture_stream *legacy)
{
    enter();
    for (cuna_capture *capture = captures, *next; capture != NULL; capture = next) {
        next = capture->next;
        if (!belongs_to(capture, legacy))
            continue;
        disband(capture);
        cuna__cpu_tape_release(capture->tape);
        free(capture);
    }
    leave();
}

cu_result cuna__cpu_capture_check_thread(void)
{
    return check(minds_this_thread, NULL);
}
