/* draft.c: which operations are recorded, and how they become nodes.
 *
 * What is checked at a call is checked here as well: operations that are not plain are run at once, by the engine, which
 * has the words for what is wrong. */
#include "record/draft.h"

#include <stdlib.h>
#include <string.h>

#include "device/allocator.h"
#include "device/trace.h"

/* ---- what is recorded ---- */

static bool add_shape(cuna_draft *d, const cuna_array *array)
{
    const int64_t *shape = cuna_array_shape(array);
    if (d->shape == NULL) {
        d->ndim = array->ndim;
        d->shape = shape;
        d->size = array->size;
        return true;
    }
    if (d->ndim == array->ndim && cuna__same_lengths(d->shape, shape, d->ndim))
        return true;
    if (d->shape != d->broadcast)
        cuna__copy_lengths(d->broadcast, d->shape, d->ndim);
    d->shape = d->broadcast;
    d->size = -1;
    return cuna__shape_broadcast(&d->ndim, d->broadcast, array->ndim, shape);
}

/* Launches of graphs write to what these keep, and no recipe knows of that. Within a capture that does not matter: at its
 * end nothing is recorded. */
bool cuna__draft_takes_buffer(const cuna_draft *d, const cuna_buffer *buffer)
{
    return cuna__buffer_is_private(buffer) && (d->replays || !cuna__buffer_is_kept(buffer));
}

/* An array with elements, of the draft's device or the first one. */
static bool takes_array(cuna_draft *d, const cuna_array *array)
{
    if (array->buffer == NULL || (d->device != NULL && d->device != array->buffer->device) || array->size == 0)
        return false;
    d->device = array->buffer->device;
    return true;
}

/* They broadcast to the caller's shape. */
static bool takes_arrays(cuna_draft *d)
{
    const cuna_program_text *text = &d->program->text;
    const int64_t *given = d->shape;
    int ndim = d->ndim;
    for (int k = 0; k < text->ninputs; k++) {
        const cuna_array *array = d->inputs[k].array;
        if (text->input_scalar[k])
            continue;
        if (!takes_array(d, array) || !add_shape(d, array))
            return false;
    }
    return d->device != NULL && (given == NULL || (d->ndim == ndim && cuna__same_lengths(d->shape, given, ndim)));
}

/* Whether the arrays are in memory that only cuna knows. What is watched runs before others can use theirs. */
static bool takes_buffers(const cuna_draft *d)
{
    const cuna_program_text *text = &d->program->text;
    for (int k = 0; k < text->ninputs && !d->context->is_watched; k++)
        if (!text->input_scalar[k] && !cuna__draft_takes_buffer(d, d->inputs[k].array->buffer))
            return false;
    return true;
}

/* The bytes of a result that has an element for each of the walk's; false: none, or too many to count. */
static bool find_nbytes(const cuna_draft *d, int64_t *nbytes)
{
    int64_t size = d->size, itemsize = cuna_dtype_size((cuna_dtype)d->program->text.output_dtype[0]);
    if (size < 0 && cuna__shape_size(&size, d->ndim, d->shape) != CUNA_OK)
        return false;
    return size > 0 && cuna__mul(size, itemsize, nbytes);
}

/* Whether recording costs less than it may save. While anything is recorded, all is: what runs at once ends that. For very
 * large results there may be no memory, which an operation shall say at its line. What is watched runs soon. */
static bool takes_size(const cuna_draft *d)
{
    cuna_queue *queue = d->context->queue;
    int64_t nbytes;
    bool continues = queue->count > 0 && queue->device == d->device;
    if (!find_nbytes(d, &nbytes))
        return false;
    bool suits = (continues || nbytes >= d->device->record_limit) && nbytes <= cuna__record_room(d->context, d->device);
    return d->context->is_watched || (suits && (continues || !cuna__queue_leaves(queue, d->program, nbytes)));
}

/* Work that no graph gets, or the only one that the context captures: its stream knows whose work it is given. */
static bool takes_stream(const cuna_draft *d)
{
    const cuna_stream *stream = cuna__context_stream(d->context, d->device), *origin = d->context->capturing;
    if (__builtin_expect(origin == NULL, 1))
        return stream->capture == NULL;
    return stream->capture == origin->capture && origin->next_capturing == NULL;
}

/* Results whose memory is the device's, and not traced: who traces works also traces memory. */
static bool takes_memory(const cuna_draft *d)
{
    const cuna_allocator *allocator = d->context->allocator;
    return (allocator == NULL || allocator->kind == CUNA_ALLOCATE_DEVICE) &&
           !__atomic_load_n(&cuna__trace_memory, __ATOMIC_RELAXED);
}

/* Bad positions that are reported at once do not wait, nor are they reported again by a replay. */
static bool takes_reports(const cuna_draft *d)
{
    return d->program->text.gathers == CUNA_GATHERS_NOT || d->program->text.is_sure ||
           (d->device->driver->facts.asynchronous && !d->context->is_watched && !d->replays);
}

static bool takes_device(const cuna_draft *d)
{
    const cuna_device *device = d->device, *only = d->context->only;
    if (device->barred || !takes_stream(d) || !takes_reports(d))
        return false;
    if (d->context->is_watched) /* no graph gets that */
        return only == NULL && d->context->capturing == NULL;
    return !device->always_waits && (only == NULL || only == device) && takes_memory(d);
}

bool cuna__draft_takes_inputs(cuna_draft *d)
{
    return takes_arrays(d) && takes_size(d) && takes_buffers(d) && takes_device(d);
}

bool cuna__draft_takes_pieces(cuna_draft *d)
{
    for (int k = 0; k < d->program->text.ninputs; k++)
        if (!takes_array(d, d->inputs[k].array))
            return false;
    return takes_size(d) && takes_buffers(d) && takes_device(d);
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
static cuna_status find_sources(cuna_draft *d)
{
    const cuna_program_text *text = &d->program->text;
    for (int k = 0; k <= text->ninputs; k++) {
        const cuna_array *array = k == text->ninputs ? d->old : text->input_scalar[k] ? NULL : d->inputs[k].array;
        d->source[k] = NULL;
        if (array == NULL || cuna__array_is_ready(array))
            continue;
        d->source[k] = find_source(array);
        if (d->source[k] == NULL) {
            CUNA_TRY(cuna__array_ready(array));
            k = -1;
        }
    }
    return CUNA_OK;
}

static cuna_status read_array(cuna_node_input *in, cuna_queue *queue, const cuna_array *array)
{
    const cuna_buffer *buffer = array->buffer;
    cuna_status status = cuna__array_share(&in->array, array);
    queue->reads_known |=
        !cuna__buffer_is_private(buffer) || (queue->context->is_watched && cuna__buffer_is_kept(buffer));
    if (status == CUNA_OK)
        in->array.buffer->readers++;
    else
        in->no_array = NULL;
    return status;
}

cuna_status cuna__node_read(cuna_node *node, cuna_node *from, const cuna_array *array)
{
    cuna_node_input *in = &node->input[node->ninputs++];
    in->from = from;
    in->no_array = NULL;
    if (from != NULL) {
        from->references++;
        cuna__node_forgive(from);
    }
    bool is_address = cuna__node_text(node)->input_address[node->ninputs - 1] != 0;
    bool is_value = array == NULL || (from != NULL && !is_address && is_whole(array, from));
    return is_value ? CUNA_OK : read_array(in, node->queue, array);
}

static cuna_status read_inputs(cuna_node *node, const cuna_draft *d)
{
    const cuna_program_text *text = &d->program->text;
    for (int k = 0; k < text->ninputs; k++) {
        CUNA_TRY(cuna__node_read(node, d->source[k], text->input_scalar[k] ? NULL : d->inputs[k].array));
        if (text->input_scalar[k])
            node->input[k].number = d->inputs[k].number;
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

/* The shape of what scans all elements: they are one axis. */
static void set_line(cuna_node *node, int64_t *shape)
{
    *shape = 1;
    for (int axis = 0; axis < node->walk.ndim; axis++)
        *shape *= node->walk.shape[axis];
    node->value = (cuna_space){.ndim = 1, .shape = shape};
}

/* Writes the shapes of a node, which lie behind its inputs. */
static void set_shapes(cuna_node *node, int64_t *shape, const cuna_draft *d)
{
    cuna__copy_lengths(shape, d->shape, d->ndim);
    node->walk = node->value = (cuna_space){.ndim = d->ndim, .shape = shape};
    if (cuna__node_scans(node) && node->axes == CUNA_SCANS_ALL)
        set_line(node, shape + d->ndim);
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
cuna_node *cuna__draft_alloc_node(cuna_queue *queue, const char *name, const cuna_draft *d)
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
    node->allocator = d->context->allocator;
    node->place = NULL;
    if (node->allocator != NULL)
        cuna_allocator_retain(node->allocator);
    cuna_program_retain(d->program);
    node->result.buffer = NULL;
    copy_name(node->name, name);
    node->axes = d->axes;
    node->keepdims = d->keepdims;
    node->is_write = node->is_update = node->is_join = node->is_made = node->has_old = false;
    node->into = NULL;
    node->extra = d->extra;
    node->due_nbytes = 0;
    node->ninputs = 0;
    set_shapes(node, (int64_t *)((char *)node->input + inputs_nbytes), d);
    return node;
}

cuna_status cuna__record_fail_memory(void)
{
    return cuna_fail(CUNA_MEMORY, "the host has no memory left to record an operation");
}

/* A queue is for one stream of one device, and memory of one allocator. */
static cuna_status prepare_queue(cuna_queue *queue, const cuna_draft *d)
{
    cuna_stream *stream = cuna__context_stream(d->context, d->device);
    bool continues = queue->count == 0 || queue->nodes[0]->allocator == d->context->allocator;
    if (queue->device == d->device && queue->stream == stream && continues)
        return CUNA_OK;
    if (queue->count > 0)
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

void cuna__draft_add(cuna_queue *queue, cuna_node *node, cuna_buffer *buffer)
{
    node->buffer = buffer;
    buffer->rehearsed = node->is_rehearsed;
    node->references++;
    cuna__queue_add(queue, node);
    if (__builtin_expect(node->due_nbytes >= LARGE_NBYTES, 0))
        node->place = find_place(queue->context);
}

/* A node whose inputs are found, to be added or released. */
cuna_status cuna__draft_make_node(cuna_node **out, cuna_queue *queue, const char *name, cuna_draft *d)
{
    CUNA_TRY(prepare_queue(queue, d));
    CUNA_TRY(cuna__queue_make_room(queue, d->old != NULL ? 2 : 1));
    CUNA_TRY(find_sources(d));
    cuna_node *node = *out = cuna__draft_alloc_node(queue, name, d);
    if (node == NULL)
        return cuna__record_fail_memory();
    cuna_status status = read_inputs(node, d);
    if (status != CUNA_OK)
        cuna__node_release(node);
    return status;
}

cuna_status cuna__draft_record(cuna_array *out, const char *name, cuna_draft *d)
{
    cuna_node *node;
    CUNA_TRY(cuna__draft_make_node(&node, d->context->queue, name, d));
    cuna_status status = cuna__array_create_recorded(out, d->device, cuna__node_text(node)->output_dtype[0],
                                                     node->value.ndim, node->value.shape, &node->recipe);
    if (status == CUNA_OK)
        cuna__draft_add(d->context->queue, node, out->buffer);
    cuna__node_release(node);
    return status;
}
