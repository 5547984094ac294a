/* queue.c: streams are queues that run only when something forces them, in a random legal order.
 *
 * All operations of the process have increasing sequence numbers. What may run is the head of a stream, unless it waits
 * for an event or, by the rule of the legacy default stream, for an older operation of another stream. Forcing raises
 * `forced` of the stream and, until nothing changes, of all streams that it waits for; then heads that are asked for run
 * in random order, now and then one that nobody asked for. An operation waits only for older ones: there is no cycle. */
#include <stdio.h>
#include <stdlib.h>

#include "simgpu.h"

#define MAX_LENGTH 1024 /* of a queue; the real driver's is finite too */

static struct simgpu_stream *streams;
static uint64_t last_sequence;

/* A context's first stream is its legacy default stream. */
struct simgpu_stream *simgpu__queue_create(struct simgpu_context *context, unsigned flags)
{
    struct simgpu_stream *stream = simgpu__handle_create(SIMGPU_STREAMS, context, sizeof *stream);
    if (stream != NULL) {
        stream->flags = flags;
        stream->capture.legacy = context->null_stream != NULL ? &context->null_stream->capture : NULL;
        stream->capture.non_blocking = (flags & CU_STREAM_NON_BLOCKING) != 0;
        stream->next = streams;
        streams = stream;
    }
    return stream;
}

struct simgpu_op *simgpu__queue_op(enum simgpu_op_kind kind, size_t arguments_nbytes)
{
    struct simgpu_op *op = NULL;
    if (posix_memalign((void **)&op, 16, sizeof *op + arguments_nbytes) != 0)
        return NULL;
    *op = (struct simgpu_op){.kind = kind, .arguments_nbytes = arguments_nbytes};
    return op;
}

/* Streams that were destroyed leave when their work is done. */
static void forget_streams(void)
{
    for (struct simgpu_stream **link = &streams; *link != NULL;) {
        struct simgpu_stream *stream = *link;
        if (!stream->handle.live && stream->head == NULL)
            *link = stream->next;
        else
            link = &stream->next;
    }
}

static bool is_null_stream(const struct simgpu_stream *stream)
{
    return stream == stream->handle.context->null_stream;
}

/* Whether the two wait for each other by the legacy default stream's rule. */
static bool are_ordered(const struct simgpu_stream *a, const struct simgpu_stream *b)
{
    return a != b && a->handle.context == b->handle.context && is_null_stream(a) != is_null_stream(b) &&
           !((a->flags | b->flags) & CU_STREAM_NON_BLOCKING);
}

bool simgpu__queue_has_done(const struct simgpu_stream *stream, uint64_t sequence)
{
    return stream->head == NULL || stream->head->sequence > sequence;
}

/* A wait is for one record, whatever became of the event since: records of several streams end in any order. */
static bool is_event_pending(const struct simgpu_op *op)
{
    return op->kind == SIMGPU_WAIT && !simgpu__queue_has_done(op->event_stream, op->event_sequence);
}

static bool is_runnable(const struct simgpu_stream *stream)
{
    const struct simgpu_op *head = stream->head;
    if (head == NULL || stream->busy || is_event_pending(head) ||
        (head->ready != NULL && !head->ready(head->arguments)))
        return false;
    for (const struct simgpu_stream *other = streams; other != NULL; other = other->next)
        if (other->head != NULL && other->head->sequence < stream->head->sequence && are_ordered(stream, other))
            return false;
    return true;
}

static bool raise_forced(struct simgpu_stream *stream, uint64_t sequence)
{
    if (stream->forced >= sequence)
        return false;
    stream->forced = sequence;
    return true;
}

/* What the forced operations of a stream wait for is forced too. */
static bool spread_from(struct simgpu_stream *stream)
{
    bool changed = false;
    uint64_t last = 0;
    for (const struct simgpu_op *op = stream->head; op != NULL && op->sequence <= stream->forced; op = op->next) {
        last = op->sequence;
        if (is_event_pending(op))
            changed |= raise_forced(op->event_stream, op->event_sequence);
    }
    for (struct simgpu_stream *other = streams; other != NULL && last > 0; other = other->next)
        if (other->head != NULL && other->head->sequence < last && are_ordered(stream, other))
            changed |= raise_forced(other, last - 1);
    return changed;
}

static void spread(void)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (struct simgpu_stream *stream = streams; stream != NULL; stream = stream->next)
            changed |= spread_from(stream);
    }
}

/* A random stream whose head may run; with `asked` one whose head is forced. */
static struct simgpu_stream *choose(bool asked)
{
    struct simgpu_stream *chosen = NULL;
    unsigned count = 0;
    for (struct simgpu_stream *stream = streams; stream != NULL; stream = stream->next)
        if (is_runnable(stream) && (!asked || stream->head->sequence <= stream->forced) &&
            simgpu__random() % ++count == 0)
            chosen = stream;
    return chosen;
}

static struct simgpu_op *take_head(struct simgpu_stream *stream)
{
    struct simgpu_op *op = stream->head;
    stream->head = op->next;
    stream->length--;
    return op;
}

void simgpu__queue_drop(void *dropped)
{
    struct simgpu_op *op = dropped;
    free(op->staged);
    free(op);
}

/* The head stays in the queue while a host function runs, for other threads look at it meanwhile. */
static void run_host_function(struct simgpu_stream *stream)
{
    simgpu__operation_close();
    stream->busy = true;
    simgpu__call_pause();
    stream->head->fn(stream->head->data);
    simgpu__call_resume();
    stream->busy = false;
    simgpu__queue_drop(take_head(stream));
}

static void run_head(struct simgpu_stream *stream)
{
    if (stream->head->kind == SIMGPU_CALL) {
        run_host_function(stream);
        return;
    }
    struct simgpu_op *op = take_head(stream);
    struct simgpu_context *context = op->context;
    cu_result result = simgpu__operation_run(op);
    simgpu__queue_drop(op);
    if (result != CU_SUCCESS)
        simgpu__kill(context, result, NULL);
}

void simgpu__queue_force(struct simgpu_stream *stream, uint64_t sequence)
{
    raise_forced(stream, sequence);
    if (!simgpu__queue_has_done(stream, sequence))
        spread();
    while (!simgpu__queue_has_done(stream, sequence)) {
        struct simgpu_stream *chosen = choose(simgpu__random() % 8 != 0);
        if (chosen == NULL)
            chosen = choose(false);
        if (chosen != NULL) {
            run_head(chosen);
        } else {
            simgpu__operation_close();
            simgpu__call_wait();
        }
    }
    simgpu__operation_close();
    forget_streams();
}

void simgpu__queue_force_stream(struct simgpu_stream *stream)
{
    simgpu__queue_force(stream, last_sequence);
}

void simgpu__queue_force_context(struct simgpu_context *context)
{
    uint64_t sequence = last_sequence;
    for (struct simgpu_stream *each = streams; each != NULL; each = each->next)
        if (each->handle.context == context)
            raise_forced(each, sequence);
    struct simgpu_stream *stream = streams;
    while (stream != NULL) {
        if (stream->handle.context == context && !simgpu__queue_has_done(stream, sequence)) {
            simgpu__queue_force(stream, sequence);
            stream = streams; /* the list may have changed */
        } else {
            stream = stream->next;
        }
    }
}

void simgpu__queue_poll(void)
{
    struct simgpu_stream *chosen = simgpu__random() % 2 == 0 ? choose(false) : NULL;
    if (chosen != NULL)
        run_head(chosen);
    simgpu__operation_close();
}

/* The last operation of a stream that others may wait for; 0: there is none. */
static uint64_t last_meeting(const struct simgpu_stream *stream)
{
    uint64_t last = 0;
    for (const struct simgpu_op *op = stream->head; op != NULL; op = op->next)
        last = op->ready != NULL ? op->sequence : last;
    return last;
}

void simgpu__queue_pump(void)
{
    struct simgpu_stream *chosen;
    simgpu__call_lock();
    for (struct simgpu_stream *stream = streams; stream != NULL; stream = stream->next)
        raise_forced(stream, last_meeting(stream));
    spread();
    while ((chosen = choose(true)) != NULL)
        run_head(chosen);
    simgpu__operation_close();
    simgpu__call_unlock();
}

uint64_t simgpu__queue_next(void)
{
    return last_sequence + 1;
}

bool simgpu__queue_is_captured(struct simgpu_stream *stream)
{
    return stream->capture.held != 0;
}

cu_result simgpu__queue_add(struct simgpu_stream *stream, struct simgpu_op *op)
{
    op->context = stream->handle.context;
    if (!simgpu__queue_is_captured(stream)) {
        simgpu__queue_push(stream, op);
        return CU_SUCCESS;
    }
    op->recorded = simgpu__memory_number() + 1;
    cu_result result = cuna__cpu_capture_add(&stream->capture, op);
    if (result != CU_SUCCESS)
        simgpu__queue_drop(op);
    return result;
}

void simgpu__queue_push(struct simgpu_stream *stream, struct simgpu_op *op)
{
    op->sequence = ++last_sequence;
    if (stream->head == NULL)
        stream->head = op;
    else
        stream->tail->next = op;
    stream->tail = op;
    if (++stream->length >= MAX_LENGTH)
        simgpu__queue_force(stream, op->sequence);
}

/* Work of a dead context does not run; waits for its events end. A running host function stays. */
void simgpu__queue_discard(struct simgpu_context *context)
{
    for (struct simgpu_stream *stream = streams; stream != NULL; stream = stream->next) {
        if (stream->handle.context != context)
            continue;
        while (stream->head != NULL && !stream->busy)
            simgpu__queue_drop(take_head(stream));
    }
}

bool simgpu__queue_uses(const void *pinned, size_t nbytes)
{
    for (struct simgpu_stream *stream = streams; stream != NULL; stream = stream->next)
        for (struct simgpu_op *op = stream->head; op != NULL; op = op->next)
            if (op->kind == SIMGPU_COPY &&
                ((uintptr_t)op->src - (uintptr_t)pinned < nbytes || (uintptr_t)op->dst - (uintptr_t)pinned < nbytes))
                return true;
    return false;
}

bool simgpu__queue_launches(const struct simgpu_module *module)
{
    for (const struct simgpu_stream *stream = streams; stream != NULL; stream = stream->next)
        for (const struct simgpu_op *op = stream->head; op != NULL; op = op->next)
            if (op->kind == SIMGPU_LAUNCH && op->function->module == module)
                return true;
    return false;
}
