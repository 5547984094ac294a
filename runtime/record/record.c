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
    uint32_t axes; /* of folds, as are the next two */
    bool keepdims;
    double extra;
    cuna_device *device;
    int ndim;                             /* of the walk */
    const int64_t *shape;                 /* an input's, or */
    int64_t broadcast[CUNA_MAX_NDIM];     /* what several make together */
    cuna_node *source[CUNA_MAX_OPERANDS]; /* by inputs: the queued node whose value it is, or views, or NULL */
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

/* Whether recording costs less than it may save. While anything is recorded, all is: what runs at once ends that. For very
 * large results there may be no memory, which an operation shall say at its line. */
static bool takes_size(const draft *d)
{
    const cuna_queue *queue = d->context->queue;
    int64_t size, itemsize = cuna_dtype_size((cuna_dtype)d->program->text.output_dtype[0]);
    bool continues = queue->count > 0 && queue->device == d->device;
    if (cuna__shape_size(&size, d->ndim, d->shape) != CUNA_OK)
        return false;
    return (continues || size * itemsize >= d->device->record_limit) && size * itemsize <= cuna__record_room(d->device);
}

/* Work while no graph is captured, of whose memory and launches nobody asks. Who traces works also traces memory. */
static bool takes_device(const draft *d)
{
    const cuna_device *device = d->device;
    return takes_size(d) && !device->always_waits && !device->barred &&
           cuna__context_stream(d->context, d->device)->capture == NULL && d->context->capturing == NULL &&
           d->context->allocator == NULL && d->context->only == NULL &&
           !__atomic_load_n(&cuna__trace_memory, __ATOMIC_RELAXED);
}

/* ---- nodes ---- */

/* Whether an array is all that a node computes, in its order. */
static bool is_whole(const cuna_array *array, const cuna_node *node)
{
    return array->offset == 0 && (array->flags & CUNA_ARRAY_CONTIGUOUS) != 0 && array->ndim == node->value.ndim &&
           array->dtype == cuna__node_text(node)->output_dtype[0] &&
           cuna__same_lengths(cuna_array_shape(array), node->value.shape, node->value.ndim);
}

/* The queued node whose value an array is, or views; NULL: there is none. */
static cuna_node *find_source(const cuna_array *array)
{
    cuna_node *from = cuna__node_of(cuna__buffer_recipe(array->buffer));
    return from != NULL && from->state == CUNA_NODE_QUEUED ? from : NULL;
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

static cuna_status read_array(cuna_node_input *in, const cuna_array *array)
{
    cuna_status status = cuna__array_share(&in->array, array);
    if (status == CUNA_OK)
        in->array.buffer->readers++;
    else
        in->no_array = NULL;
    return status;
}

static cuna_status read_inputs(cuna_node *node, const draft *d)
{
    const cuna_program_text *text = &d->program->text;
    for (int k = 0; k < text->ninputs; k++) {
        cuna_node_input *in = &node->input[k];
        in->from = d->source[k];
        in->no_array = NULL;
        node->ninputs++;
        if (in->from != NULL) {
            in->from->references++;
            cuna__node_forgive(in->from);
        }
        if (text->input_scalar[k])
            in->number = d->inputs[k].number;
        else if (in->from == NULL || !is_whole(d->inputs[k].array, in->from))
            CUNA_TRY(read_array(in, d->inputs[k].array));
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

/* Writes the shapes of a node, which lie behind its inputs. */
static void set_shapes(cuna_node *node, int64_t *shape, const draft *d)
{
    cuna__copy_lengths(shape, d->shape, d->ndim);
    node->walk = node->value = (cuna_space){.ndim = d->ndim, .shape = shape};
    if (!cuna__node_folds(node))
        return;
    node->value = (cuna_space){.shape = shape += d->ndim};
    for (int axis = 0; axis < d->ndim; axis++) {
        bool is_folded = (d->axes >> axis & 1) != 0;
        if (!is_folded || d->keepdims)
            shape[node->value.ndim++] = is_folded ? 1 : d->shape[axis];
    }
}

/* Fields are written one by one: most of a node's bytes have nothing to say. */
static cuna_node *make_node(cuna_queue *queue, const char *name, const draft *d)
{
    size_t inputs_nbytes = (size_t)d->program->text.ninputs * sizeof(cuna_node_input);
    cuna_node *node = cuna__node_alloc(queue, sizeof *node + inputs_nbytes + 2 * (size_t)d->ndim * sizeof *d->shape);
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
    node->device = d->device;
    node->place = NULL;
    cuna_program_retain(d->program);
    node->result.buffer = NULL;
    copy_name(node->name, name);
    node->axes = d->axes;
    node->keepdims = d->keepdims;
    node->is_write = false;
    node->extra = d->extra;
    node->due_nbytes = 0;
    node->ninputs = 0;
    set_shapes(node, (int64_t *)((char *)node->input + inputs_nbytes), d);
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
    queue->stream = stream;
    queue->device = d->device;
    d->device->recorder = &cuna__recorder;
    return CUNA_OK;
}

#define LARGE_NBYTES ((int64_t)16 << 20) /* of results that take longer than the search for the script's line */

static char *find_place(const cuna_context *context)
{
    char place[160] = "";
    if (context->locate != NULL)
        context->locate(context->locate_data, place, sizeof place);
    return place[0] != '\0' ? strdup(place) : NULL; /* without memory for it, too */
}

static void add_node(cuna_queue *queue, cuna_node *node, cuna_buffer *buffer)
{
    node->buffer = buffer;
    buffer->rehearsed = node->is_rehearsed;
    node->references++;
    cuna__queue_add(queue, node);
    if (__builtin_expect(node->due_nbytes >= LARGE_NBYTES, 0))
        node->place = find_place(queue->context);
}

/* A node whose inputs are found, to be added or released. */
static cuna_status begin_node(cuna_node **out, cuna_queue *queue, const char *name, draft *d)
{
    CUNA_TRY(prepare_queue(queue, d));
    CUNA_TRY(cuna__queue_make_room(queue));
    CUNA_TRY(find_sources(d));
    cuna_node *node = *out = make_node(queue, name, d);
    if (node == NULL)
        return fail_memory();
    cuna_status status = read_inputs(node, d);
    if (status != CUNA_OK)
        cuna__node_release(node);
    return status;
}

static cuna_status record(cuna_queue *queue, const char *name, draft *d, cuna_array *out)
{
    cuna_node *node;
    CUNA_TRY(begin_node(&node, queue, name, d));
    cuna_status status = cuna__array_create_recorded(out, d->device, cuna__node_text(node)->output_dtype[0],
                                                     node->value.ndim, node->value.shape, &node->recipe);
    if (status == CUNA_OK)
        add_node(queue, node, out->buffer);
    cuna__node_release(node);
    return status;
}

/* Records an operation that writes all of an array; *recorded is false, and nothing was done, if it has to run at once. */
static cuna_status record_write(bool *recorded, cuna_queue *queue, const char *name, draft *d, const cuna_array *out)
{
    cuna_node *node;
    CUNA_TRY(begin_node(&node, queue, name, d));
    cuna_status status = cuna__rename(recorded, queue, node, out);
    node->is_write = *recorded;
    if (status == CUNA_OK && *recorded)
        add_node(queue, node, out->buffer);
    cuna__node_release(node);
    return status;
}

/* ---- functions for others ---- */

static void begin(draft *d, cuna_context *context, const cuna_program *program, const cuna_operand *inputs)
{
    d->context = context;
    d->program = program;
    d->inputs = inputs;
    d->axes = 0;
    d->keepdims = false;
    d->extra = 0;
    d->device = NULL;
    d->shape = NULL;
}

static bool is_recording(const draft *d)
{
    const cuna_queue *queue = d->context->queue;
    return queue != NULL && queue->is_on && !queue->is_running && d->program->is_plain;
}

static bool is_recorded(draft *d, const cuna_array *out)
{
    return out->dims == NULL && takes_arrays(d) && takes_device(d);
}

/* Whether an array that is written to can get another content. What a rehearsal does not run must not take one away. */
static bool takes_output(const draft *d, const cuna_array *out)
{
    const cuna_program_text *text = &d->program->text;
    return out->buffer != NULL && out->buffer->device == d->device && (out->flags & CUNA_ARRAY_READONLY) == 0 &&
           out->dtype == text->output_dtype[0] && out->ndim == d->ndim &&
           cuna__same_lengths(cuna_array_shape(out), d->shape, d->ndim) && cuna__buffer_is_private(out->buffer) &&
           cuna__array_is_all(out) && d->context->rehearsal == NULL;
}

static bool is_written(draft *d, const cuna_array *out)
{
    return d->program->text.kind == CUNA_PROGRAM_MAP && takes_arrays(d) && takes_device(d) && takes_output(d, out);
}

cuna_status cuna_record(cuna_context *context, const char *name, const cuna_program *program,
                        const cuna_operand *inputs, cuna_array *const *outputs)
{
    draft d;
    bool recorded = false;
    begin(&d, context, program, inputs);
    if (!is_recording(&d)) /* others may have no output */
        return cuna_elementwise(context, name, program, inputs, outputs, -1, NULL);
    if (is_recorded(&d, outputs[0]))
        return record(context->queue, name, &d, outputs[0]);
    if (outputs[0]->dims != NULL && is_written(&d, outputs[0]))
        CUNA_TRY(record_write(&recorded, context->queue, name, &d, outputs[0]));
    return recorded ? CUNA_OK : cuna_elementwise(context, name, program, inputs, outputs, -1, NULL);
}

cuna_status cuna_record_fold(bool *ran, cuna_context *context, const char *name, const cuna_program *program,
                             const cuna_operand *inputs, cuna_array *const *outputs, uint32_t axes, bool keepdims,
                             double extra)
{
    draft d;
    begin(&d, context, program, inputs);
    d.axes = axes;
    d.keepdims = keepdims;
    d.extra = extra;
    *ran = true;
    return is_recording(&d) && is_recorded(&d, outputs[0])
               ? record(context->queue, name, &d, outputs[0])
               : cuna_reduce(ran, context, name, program, inputs, outputs, axes, keepdims, extra);
}

cuna_status cuna_record_cast(cuna_array *out, cuna_context *context, const cuna_array *src, cuna_dtype dtype)
{
    draft d;
    const cuna_program *program;
    cuna_operand input = {.array = src};
    if (context->queue == NULL || src->dtype == dtype)
        return cuna_array_cast(out, context, src, dtype);
    CUNA_TRY(cuna_cast_program(&program, dtype, (cuna_dtype)src->dtype));
    begin(&d, context, program, &input);
    return is_recording(&d) && is_recorded(&d, out) ? record(context->queue, "copy", &d, out)
                                                    : cuna_array_cast(out, context, src, dtype);
}

void cuna_context_set_locator(cuna_context *context, cuna_locator *locate, void *data)
{
    context->locate = locate;
    context->locate_data = data;
}

bool cuna_records_at_first(void)
{
    return cuna__environment_number("CUNA_EAGER", 0) == 0;
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

int64_t cuna_device_record_limit(const cuna_device *device)
{
    return device->record_limit;
}

void cuna_device_set_record_limit(cuna_device *device, int64_t nbytes)
{
    device->record_limit = nbytes;
}
