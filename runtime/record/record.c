/* record.c: which operations are recorded, and how they become nodes.
 *
 * What is checked at a call is checked here as well: operations that are not plain are run at once, by the engine, which
 * has the words for what is wrong. */
#include "record/record.h"

#include <stdlib.h>
#include <string.h>

#include "base/environment.h"
#include "device/trace.h"

/* An operation before it is recorded. */
typedef struct draft {
    cuna_context *context;
    const cuna_program *program;
    const cuna_operand *inputs;
    cuna_device *device;
    int ndim;
    const int64_t *shape;                 /* an input's, or */
    int64_t broadcast[CUNA_MAX_NDIM];     /* what several make together */
    cuna_node *source[CUNA_MAX_OPERANDS]; /* by inputs: the queued node whose value it is, or NULL */
} draft;

/* ---- what is recorded ---- */

static bool add_shape(draft *d, const cuna_array *array)
{
    const int64_t *shape = cuna_array_shape(array);
    if (d->shape == NULL) {
        d->ndim = array->ndim;
        d->shape = shape;
        return true;
    }
    if (d->ndim == array->ndim && cuna__same_lengths(d->shape, shape, d->ndim))
        return true;
    if (d->shape != d->broadcast)
        cuna__copy_lengths(d->broadcast, d->shape, d->ndim);
    d->shape = d->broadcast;
    return cuna__shape_broadcast(&d->ndim, d->broadcast, array->ndim, shape);
}

/* Arrays of one device that have elements, in memory that only cuna knows. */
static bool takes_arrays(draft *d)
{
    const cuna_program_text *text = &d->program->text;
    for (int k = 0; k < text->ninputs; k++) {
        const cuna_array *array = d->inputs[k].array;
        if (text->input_scalar[k])
            continue;
        if (array->buffer == NULL || (d->device != NULL && d->device != array->buffer->device) || array->size == 0 ||
            !cuna__buffer_is_private(array->buffer) || !add_shape(d, array))
            return false;
        d->device = array->buffer->device;
    }
    return d->device != NULL;
}

/* Work beside the host, while no graph is captured, of whose memory and launches nobody asks. Who traces works also traces
 * memory. */
static bool takes_device(const draft *d)
{
    const cuna_device *device = d->device;
    return device->driver->facts.asynchronous && !device->always_waits && !device->barred &&
           cuna__context_stream(d->context, d->device)->capture == NULL && d->context->capturing == NULL &&
           d->context->allocator == NULL && cuna__pool_limit(device->pool) == 0 && d->context->only == NULL &&
           !__atomic_load_n(&cuna__trace_memory, __ATOMIC_RELAXED);
}

/* ---- nodes ---- */

/* Whether an array is all that a node computes, in its order. */
static bool is_whole(const cuna_array *array, const cuna_node *node)
{
    return array->offset == 0 && (array->flags & CUNA_ARRAY_CONTIGUOUS) != 0 && array->ndim == node->ndim &&
           array->dtype == cuna__node_text(node)->output_dtype[0] &&
           cuna__same_lengths(cuna_array_shape(array), node->shape, node->ndim);
}

/* The queued node whose value an array is, or NULL. A view of a value that is not computed yet needs it in memory. */
static cuna_node *find_source(const cuna_array *array)
{
    cuna_node *from = cuna__node_of(cuna__buffer_recipe(array->buffer));
    return from != NULL && from->state == CUNA_NODE_QUEUED && is_whole(array, from) ? from : NULL;
}

/* Finds the sources of inputs, and lets the others be read. What flushes the queue for one of them ends the nodes of
 * others: all come once more. */
static cuna_status find_sources(draft *d)
{
    const cuna_program_text *text = &d->program->text;
    for (int k = 0; k < text->ninputs; k++) {
        const cuna_array *array = d->inputs[k].array;
        d->source[k] = NULL;
        if (text->input_scalar[k] || cuna__array_is_ready(array))
            continue;
        d->source[k] = find_source(array);
        if (d->source[k] == NULL) {
            CUNA_TRY(cuna__array_ready(array));
            k = -1;
        }
    }
    return CUNA_OK;
}

static cuna_status read_inputs(cuna_node *node, const draft *d)
{
    const cuna_program_text *text = &d->program->text;
    for (int k = 0; k < text->ninputs; k++) {
        cuna_node_input *in = &node->input[k];
        in->from = d->source[k];
        in->no_array = NULL;
        if (in->from != NULL) {
            in->from->references++;
        } else if (text->input_scalar[k]) {
            in->number = d->inputs[k].number;
        } else {
            CUNA_TRY(cuna__array_share(&in->array, d->inputs[k].array));
            in->array.buffer->readers++;
        }
        node->ninputs++;
    }
    return CUNA_OK;
}

/* Names are short: a call would cost more. */
static void copy_name(char *dst, const char *name)
{
    int i = 0;
    for (; i < CUNA_NODE_NAME - 1 && name[i] != '\0'; i++)
        dst[i] = name[i];
    dst[i] = '\0';
}

/* Fields are written one by one: most of a node's bytes have nothing to say. Its axes lie behind its inputs. */
static cuna_node *make_node(cuna_queue *queue, const char *name, const draft *d)
{
    size_t inputs_nbytes = (size_t)d->program->text.ninputs * sizeof(cuna_node_input);
    cuna_node *node = cuna__node_alloc(queue, sizeof *node + inputs_nbytes + (size_t)d->ndim * sizeof *node->shape);
    if (node == NULL)
        return NULL;
    node->recipe = (cuna_recipe){cuna__node_evaluate, cuna__node_drop};
    node->queue = queue;
    queue->references++;
    node->references = 1;
    node->state = CUNA_NODE_QUEUED;
    node->is_rehearsed = d->context->rehearsal != NULL;
    node->buffer = NULL;
    node->program = d->program;
    cuna_program_retain(d->program);
    node->result.buffer = NULL;
    copy_name(node->name, name);
    node->ninputs = 0;
    node->ndim = d->ndim;
    node->shape = (int64_t *)((char *)node->input + inputs_nbytes);
    cuna__copy_lengths(node->shape, d->shape, d->ndim);
    return node;
}

static cuna_status fail_memory(void)
{
    return cuna_fail(CUNA_MEMORY, "the host has no memory left to record an operation");
}

/* A queue is for one stream of one device. */
static cuna_status prepare_queue(cuna_queue *queue, const draft *d)
{
    cuna_stream *stream = cuna__context_stream(d->context, d->device);
    if (queue->device == d->device && queue->stream == stream)
        return CUNA_OK;
    CUNA_TRY(cuna__queue_flush(queue));
    queue->device = d->device;
    queue->stream = stream;
    d->device->recorder = &cuna__recorder;
    return CUNA_OK;
}

static cuna_status record(cuna_queue *queue, const char *name, draft *d, cuna_array *out)
{
    CUNA_TRY(prepare_queue(queue, d));
    CUNA_TRY(cuna__queue_make_room(queue));
    CUNA_TRY(find_sources(d));
    cuna_node *node = make_node(queue, name, d);
    if (node == NULL)
        return fail_memory();
    cuna_status status = read_inputs(node, d);
    if (status == CUNA_OK)
        status = cuna__array_create_recorded(out, d->device, cuna__node_text(node)->output_dtype[0], d->ndim, d->shape,
                                             &node->recipe);
    if (status == CUNA_OK) {
        node->buffer = out->buffer;
        out->buffer->rehearsed = node->is_rehearsed;
        node->references++;
        cuna__queue_add(queue, node);
    }
    cuna__node_release(node);
    return status;
}

/* ---- functions for others ---- */

cuna_status cuna_record(cuna_context *context, const char *name, const cuna_program *program,
                        const cuna_operand *inputs, cuna_array *const *outputs)
{
    draft d;
    cuna_queue *queue = context->queue;
    d.context = context;
    d.program = program;
    d.inputs = inputs;
    d.device = NULL;
    d.shape = NULL;
    bool recorded = queue != NULL && queue->is_on && !queue->is_running && outputs[0]->dims == NULL &&
                    program->is_plain && takes_arrays(&d) && takes_device(&d);
    return recorded ? record(queue, name, &d, outputs[0])
                    : cuna_elementwise(context, name, program, inputs, outputs, -1, NULL);
}

bool cuna_records_at_first(void)
{
    return cuna__environment_number("CUNA_EAGER", 1) == 0;
}

cuna_status cuna_context_set_recording(cuna_context *context, bool on)
{
    cuna_queue *queue = context->queue;
    if (queue == NULL && on && (queue = cuna__queue_create(context)) == NULL)
        return fail_memory();
    if (queue == NULL)
        return CUNA_OK;
    queue->is_on = on;
    return on ? CUNA_OK : cuna__queue_flush(queue);
}

cuna_status cuna_array_evaluate(const cuna_array *array)
{
    return cuna__array_use(array, "evaluate");
}

bool cuna_context_is_recording(const cuna_context *context)
{
    return context->queue != NULL && context->queue->is_on;
}
