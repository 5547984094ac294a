/* queue.c: recorded operations wait here, and run in time.
 *
 * Nodes are run when anything else enters the device (cuna__device_enter), when a value is asked for, or when the queue is
 * full; so all other work finds the device as if they had run at once.
 *
 * A flush computes the values that no other node reads. What others read is used on the way, and not stored: its node
 * remains as the recipe of an array that nobody may ever ask for. If somebody does, the value is computed then, and the
 * queue remembers the place, by the path of operations that leads there, to store it the next time. A recipe keeps what
 * it reads. Before that is written to, the recipe is evaluated. */
#include "record/queue.h"

#include <stdlib.h>
#include <string.h>

#include "base/environment.h"
#include "device/allocator.h"
#include "kernel/prepare.h"
#include "record/plan.h"
#include "record/record.h"

#define MEMORY_PART 16 /* of a device, for results that no operation has read */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* the list */
static cuna_queue *queues;

/* ---- nodes ---- */

static void drop_reader(cuna_array *array)
{
    if (array->buffer == NULL)
        return;
    array->buffer->readers--;
    cuna_array_release(array);
}

static void drop_inputs(cuna_node *node)
{
    for (int k = 0; k < node->ninputs; k++) {
        cuna_node *from = node->input[k].from;
        node->input[k].from = NULL;
        drop_reader(&node->input[k].array);
        if (from != NULL) {
            if (from->buffer != NULL)
                cuna__buffer_fetch(from->buffer); /* the collector ends new arrays first: that one's is next */
            cuna__node_release(from);
        }
    }
    node->ninputs = 0;
}

static void release_queue(cuna_queue *queue)
{
    if (--queue->references > 0)
        return;
    while (queue->nspares > 0)
        free(queue->spares[--queue->nspares]);
    cuna__plans_drop(queue);
    free(queue);
}

/* Arrays become garbage by thousands before their nodes come back, and as many are recorded next. */
static void free_node(cuna_queue *queue, cuna_node *node)
{
    if (node->is_small && queue->nspares < CUNA_QUEUE_SPARES)
        queue->spares[queue->nspares++] = node;
    else
        free(node);
}

/* The next one is fetched meanwhile: it was garbage, which is in no cache. */
static cuna_node *take_spare(cuna_queue *queue)
{
    cuna_node *node = queue->spares[--queue->nspares];
    if (queue->nspares > 0)
        cuna__fetch(queue->spares[queue->nspares - 1], CUNA_NODE_NBYTES);
    return node;
}

cuna_node *cuna__node_alloc(cuna_queue *queue, size_t nbytes)
{
    bool is_small = nbytes <= CUNA_NODE_NBYTES;
    if (is_small && queue->nspares > 0)
        return take_spare(queue);
    cuna_node *node = malloc(is_small ? CUNA_NODE_NBYTES : nbytes);
    if (node != NULL)
        node->is_small = is_small;
    return node;
}

/* A node holds others of its flush only, so the recursion ends soon. */
void cuna__node_release(cuna_node *node)
{
    if (--node->references > 0)
        return;
    if (node->state == CUNA_NODE_PASSED)
        cuna__node_unlink(node);
    drop_inputs(node);
    drop_reader(&node->result);
    cuna_program_release(node->program);
    if (node->allocator != NULL)
        cuna_allocator_release(node->allocator);
    free(node->place);
    cuna_queue *queue = node->queue;
    free_node(queue, node);
    release_queue(queue);
}

/* ---- flushes ---- */

/* Values of nodes that were run have their memory, and need nothing any more. */
static void settle(int count, cuna_node *const *nodes)
{
    for (int i = 0; i < count; i++) {
        cuna_node *node = nodes[i];
        if (node->state == CUNA_NODE_PASSED)
            cuna__node_link(node);
        if (node->state != CUNA_NODE_DONE)
            continue;
        node->result.buffer->readers++;
        if (node->buffer != NULL) {
            cuna__buffer_set_recipe(node->buffer, NULL);
            node->buffer = NULL;
            node->references--; /* there is the caller's */
        }
        drop_inputs(node);
    }
}

/* A late evaluation takes place where no program knows of it: the stream waits for all who used what it reads, and others
 * wait for the stream before they use that or what it computes. */
static void begin_lives(int count, cuna_node *const *nodes)
{
    for (int i = 0; i < count; i++) {
        cuna__array_begin_life(&nodes[i]->result);
        for (int k = 0; k < nodes[i]->ninputs; k++) {
            const cuna_node_input *in = &nodes[i]->input[k];
            cuna__array_begin_life(&in->array);
            if (in->from != NULL)
                cuna__array_begin_life(&in->from->result);
        }
    }
}

/* A rehearsal notes the kernels of those nodes only that are its own. When it is over they run no kernels either: what they
 * read has no values. */
static cuna_status run_rehearsed(cuna_queue *queue, int count, cuna_node *const *nodes, const bool *wanted)
{
    cuna_context *context = queue->context;
    struct cuna_rehearsal *rehearsal = context->rehearsal;
    int nkernels;
    if (nodes[0]->is_rehearsed && rehearsal == NULL)
        CUNA_TRY(cuna__rehearsal_open(context));
    if (!nodes[0]->is_rehearsed)
        context->rehearsal = NULL;
    cuna_status status = cuna__plan_run(queue, count, nodes, wanted);
    if (nodes[0]->is_rehearsed && rehearsal == NULL)
        (void)cuna_prepare_end(&nkernels, context, false);
    context->rehearsal = rehearsal;
    return status;
}

static cuna_status run_on(cuna_queue *queue, cuna_stream *stream, int count, cuna_node *const *nodes,
                          const bool *wanted)
{
    cuna_context *context = queue->context;
    cuna_allocator *allocator = context->allocator;
    cuna_device *only = context->only;
    cuna_stream **slot = &context->streams[nodes[0]->device->number], *current = *slot;
    queue->is_running = true;
    *slot = stream;
    context->only = NULL;                             /* that was asked when they were recorded */
    context->allocator = nodes[count - 1]->allocator; /* of all, or of the one that is asked for */
    cuna_status status = run_rehearsed(queue, count, nodes, wanted);
    context->allocator = allocator;
    context->only = only;
    *slot = current;
    queue->is_running = false;
    return status;
}

/* What a capture has passed belongs to its graph, whatever stream is current. */
static cuna_stream *late_stream(const cuna_context *context, cuna_device *device)
{
    cuna_stream *stream = cuna__context_stream(context, device), *origin = context->capturing;
    return origin != NULL && origin->device == device && stream->capture != origin->capture ? origin : stream;
}

cuna_status cuna__queue_run(cuna_queue *queue, int count, cuna_node *const *nodes, const bool *wanted, bool is_late)
{
    if (queue->context == NULL)
        return cuna_fail(CUNA_VALUE, "the array was recorded by a state that is closed");
    for (int i = 0; i < count; i++)
        nodes[i]->index = i;
    cuna_stream *stream = is_late ? late_stream(queue->context, nodes[0]->device) : queue->stream;
    if (is_late)
        begin_lives(count, nodes);
    CUNA_TRY(run_on(queue, stream, count, nodes, wanted));
    if (is_late)
        begin_lives(count, nodes);
    settle(count, nodes);
    return CUNA_OK;
}

/* Which of the first nodes' values are computed: those that nobody reads, that are written to arrays, that are read after
 * them, or will be in a loop, or that were asked for the last time. */
static void choose_wanted(bool *wanted, const cuna_queue *queue, int count, int period)
{
    bool is_read[CUNA_QUEUE_NODES], is_read_later[CUNA_QUEUE_NODES];
    for (int i = 0; i < queue->count; i++) {
        queue->nodes[i]->index = i;
        is_read[i] = is_read_later[i] = false;
    }
    for (int i = 0; i < queue->count; i++) {
        const cuna_node *node = queue->nodes[i];
        for (int k = 0; k < node->ninputs; k++)
            if (cuna__is_queued(node->input[k].from))
                (i < count ? is_read : is_read_later)[node->input[k].from->index] = true;
    }
    cuna__queue_expect(is_read_later, queue, count, period);
    for (int i = 0; i < count; i++) {
        const cuna_node *node = queue->nodes[i];
        bool was_asked_for = queue->wanted[node->path % CUNA_QUEUE_WANTED] == node->path;
        wanted[i] = is_read_later[i] || (queue->reads_known && node->buffer != NULL) || (is_read[i] && was_asked_for) ||
                    (node->buffer != NULL && (!is_read[i] || node->is_write));
    }
}

static void begin_waiting(cuna_queue *queue)
{
    __atomic_add_fetch(&queue->device->nqueues, 1, __ATOMIC_RELAXED);
}

static void end_waiting(cuna_queue *queue)
{
    __atomic_sub_fetch(&queue->device->nqueues, 1, __ATOMIC_RELAXED);
}

/* What is recorded runs on the stream that was current then, which lives as long: a flush that failed is done again when
 * another one is current. */
static void hold_stream(cuna_queue *queue)
{
    if (queue->stream->number != 0)
        cuna_stream_retain(queue->stream);
}

static void drop_stream(cuna_queue *queue)
{
    if (queue->count == 0)
        cuna_stream_release(queue->stream);
}

static cuna_status run_first(cuna_queue *queue, int count, const bool *wanted)
{
    cuna_node *nodes[CUNA_QUEUE_NODES];
    memcpy(nodes, queue->nodes, (size_t)count * sizeof *nodes);
    end_waiting(queue); /* else each launch would look for what this thread has recorded */
    cuna_status status = cuna__queue_run(queue, count, nodes, wanted, false);
    if (status == CUNA_OK) {
        queue->count -= count;
        memmove(queue->nodes, queue->nodes + count, (size_t)queue->count * sizeof *queue->nodes);
        queue->path = 0;
        queue->reads_known = queue->reads_known && queue->count > 0;
    }
    if (queue->count > 0)
        begin_waiting(queue);
    CUNA_TRY(status);
    cuna__queue_note_lone(queue, nodes[0]);
    for (int i = 0; i < count; i++) {
        cuna__node_forgive(nodes[i]);
        cuna__node_release(nodes[i]);
    }
    drop_stream(queue);
    return CUNA_OK;
}

/* In a loop, `period` nodes after each other are alike; else it is 0. */
static cuna_status flush_first(cuna_queue *queue, int count, int period)
{
    bool wanted[CUNA_QUEUE_NODES];
    cuna__queue_unwatch(queue);
    choose_wanted(wanted, queue, count, period);
    return run_first(queue, count, wanted);
}

cuna_status cuna__queue_flush_wanted(cuna_queue *queue, const bool *wanted)
{
    return queue->count > 0 ? run_first(queue, queue->count, wanted) : CUNA_OK;
}

cuna_status cuna__queue_flush(cuna_queue *queue)
{
    cuna__queue_unwatch(queue);
    return queue->count > 0 && !queue->is_running ? flush_first(queue, queue->count, 0) : CUNA_OK;
}

int64_t cuna__record_room(const cuna_context *context, const cuna_device *device)
{
    const cuna_allocator *allocator = context->allocator;
    const cuna_pool *pool = allocator != NULL ? allocator->pools[device->number] : device->pool;
    int64_t limit = pool != NULL ? cuna__pool_limit(pool) : 0;
    return (limit != 0 ? cuna__min(limit, device->total_nbytes) : device->total_nbytes) / MEMORY_PART;
}

cuna_status cuna__queue_make_room(cuna_queue *queue, int room)
{
    if (queue->due_nbytes > cuna__record_room(queue->context, queue->device))
        return cuna__queue_flush(queue);
    if (queue->count + room <= CUNA_QUEUE_NODES)
        return CUNA_OK;
    int period, count = cuna__queue_end(&period, queue);
    return flush_first(queue, count, period);
}

/* The path depends on the device and on what leads to an operation, but not on arrays or lengths: those of a loop change. */
static uint64_t extend_path(uint64_t path, const cuna_queue *queue, const cuna_node *node)
{
    path = (path ^ (uintptr_t)node->program) * 0x9e3779b97f4a7c15u;
    path ^= (uint64_t)node->device->number << 8 | (uint64_t)node->walk.ndim;
    for (int k = 0; k < node->ninputs; k++) {
        const cuna_node *from = node->input[k].from;
        path = (path ^ (path >> 29) ^ (uint64_t)(cuna__is_queued(from) ? queue->count - from->index : 0)) *
               0xbf58476d1ce4e5b9u;
    }
    return path ^ path >> 31;
}

void cuna__queue_add(cuna_queue *queue, cuna_node *node)
{
    int64_t size;
    if (queue->count == 0) {
        queue->thread = pthread_self();
        hold_stream(queue);
        begin_waiting(queue);
    }
    node->index = queue->count;
    node->path = queue->path = extend_path(queue->path, queue, node);
    node->references++;
    queue->nodes[queue->count++] = node;
    (void)cuna__shape_size(&size, node->value.ndim, node->value.shape); /* its array was made */
    node->due_nbytes = size * cuna_dtype_size((cuna_dtype)cuna__node_text(node)->output_dtype[0]);
    queue->due_nbytes += node->due_nbytes;
}

/* ---- watching ---- */

/* All devices seem to have recorded work, so that other work of them asks for it. */
static void count_watch(const cuna_queue *queue, int change)
{
    for (int i = 0; i < queue->ndevices; i++) {
        cuna_device *device = cuna__device_by_number(i);
        device->recorder = &cuna__recorder;
        __atomic_add_fetch(&device->nqueues, change, __ATOMIC_RELAXED);
    }
}

void cuna__queue_watch(cuna_queue *queue)
{
    queue->thread = pthread_self();
    queue->context->is_watched = true;
    for (queue->ndevices = 0; cuna__device_by_number(queue->ndevices) != NULL;)
        queue->ndevices++;
    count_watch(queue, 1);
}

void cuna__queue_unwatch(cuna_queue *queue)
{
    if (queue->context == NULL || !queue->context->is_watched)
        return;
    queue->context->is_watched = false;
    count_watch(queue, -1);
    queue->ndevices = 0;
}

cuna_status cuna__queue_end_watch(cuna_queue *queue)
{
    cuna__queue_unwatch(queue);
    return queue->reads_known ? cuna__queue_flush(queue) : CUNA_OK;
}

/* ---- queues ---- */

/* The next queue of this thread after one, or the first; of a device, or, where that is NULL, of any. Work of other threads
 * has no order with what this one does. */
static cuna_queue *find_own(const cuna_queue *after, const cuna_device *device)
{
    pthread_mutex_lock(&lock);
    cuna_queue *queue = after != NULL ? after->next : queues;
    while (queue != NULL &&
           ((device != NULL && queue->device != device) || !pthread_equal(queue->thread, pthread_self())))
        queue = queue->next;
    pthread_mutex_unlock(&lock);
    return queue;
}

/* The queue that this thread watches; it watches one at a time. */
static cuna_queue *find_watched(void)
{
    cuna_queue *queue = find_own(NULL, NULL);
    while (queue != NULL && queue->ndevices == 0)
        queue = find_own(queue, NULL);
    return queue;
}

static cuna_status flush_device(cuna_device *device)
{
    cuna_queue *watched = find_watched();
    if (watched != NULL)
        CUNA_TRY(cuna__queue_end_watch(watched));
    for (cuna_queue *queue = NULL; (queue = find_own(queue, device)) != NULL;)
        CUNA_TRY(cuna__queue_flush(queue));
    return CUNA_OK;
}

/* A queue keeps what it passed for a device when it records for another one. */
static cuna_status evaluate_readers(cuna_buffer *buffer)
{
    for (cuna_queue *queue = NULL; (queue = find_own(queue, NULL)) != NULL;)
        CUNA_TRY(cuna__queue_evaluate_readers(queue, buffer));
    return CUNA_OK;
}

/* Nobody can ask for what is still recorded but arrays that outlive their state. */
static void leave_context(cuna_queue *queue)
{
    pthread_mutex_lock(&lock);
    cuna_queue **at = &queues;
    while (*at != queue)
        at = &(*at)->next;
    *at = queue->next;
    pthread_mutex_unlock(&lock);
    cuna__queue_unwatch(queue);
    queue->context = NULL;
    int count = queue->count;
    queue->count = 0;
    if (count > 0)
        end_waiting(queue);
    for (int i = 0; i < count; i++)
        cuna__node_release(queue->nodes[i]);
    if (count > 0)
        drop_stream(queue);
    release_queue(queue);
}

static cuna_status evaluate_queue(cuna_queue *queue)
{
    return cuna__queue_evaluate_readers(queue, NULL);
}

const cuna_recorder cuna__recorder = {flush_device, evaluate_readers, cuna__queue_flush, evaluate_queue, leave_context};

cuna_queue *cuna__queue_create(cuna_context *context)
{
    cuna_queue *queue = calloc(1, sizeof *queue);
    if (queue == NULL)
        return NULL;
    queue->references = 1;
    queue->context = context;
    queue->logs = cuna__environment_logs("fuse");
    context->queue = queue;
    context->recorder = &cuna__recorder;
    pthread_mutex_lock(&lock);
    queue->next = queues;
    queues = queue;
    pthread_mutex_unlock(&lock);
    return queue;
}
