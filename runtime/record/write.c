/* write.c: recorded operations that write to arrays which were there before.
 *
 * One that writes to all of an array gives it another content (rename.c). One that writes to most of it, a box, is two
 * nodes: the first computes the elements of the box, which no array has; the second, an update, is the array's next
 * content, the box amid the old elements. When they run, the box is computed where it lies in the new content, and the
 * update copies the faces, what is around the box. So a write waits for nothing, and nothing for it. */
#include "record/draft.h"
#include "record/update.h"

/* ---- what can get another content ---- */

/* Whether a buffer may have other memory, of the context's allocator, from now on. A graph knows memory that is there. */
static bool is_movable(const cuna_draft *d, const cuna_buffer *buffer)
{
    const cuna_node *node = cuna__node_of(cuna__buffer_recipe(buffer));
    if (node != NULL)
        return cuna__buffer_is_private(buffer) && node->allocator == d->context->allocator;
    return cuna__draft_takes_buffer(d, buffer) && !d->replays && d->context->allocator == NULL &&
           cuna__buffer_is_pooled(buffer);
}

/* What a rehearsal does not run must not take a content away. */
static bool is_own(const cuna_draft *d, const cuna_array *out)
{
    return out->buffer->device == d->device && (out->flags & CUNA_ARRAY_READONLY) == 0 && is_movable(d, out->buffer) &&
           d->context->rehearsal == NULL;
}

static bool has_result(const cuna_draft *d, const cuna_array *out)
{
    return out->dtype == d->program->text.output_dtype[0] && out->ndim == d->ndim &&
           cuna__same_lengths(cuna_array_shape(out), d->shape, d->ndim);
}

/* Replays write to whole arrays only. Whether an array is at least half of the one that it views, all that lies between two corners: then what a new content
 * takes from the old one is less than what a separate copy of the box would move. */
static bool is_box(const cuna_draft *d, const cuna_array *out)
{
    const cuna_array *all = out->buffer->root;
    return !d->context->is_watched && all != NULL && cuna__array_is_all(all) && out->dtype == all->dtype &&
           out->ndim == all->ndim && out->size < all->size && 2 * out->size >= all->size &&
           cuna__same_lengths(cuna_array_strides(out), cuna_array_strides(all), out->ndim);
}

/* ---- nodes ---- */

static cuna_status record_whole(bool *recorded, cuna_queue *queue, const char *name, cuna_draft *d,
                                const cuna_array *out)
{
    cuna_node *node;
    CUNA_TRY(cuna__draft_make_node(&node, queue, name, d));
    cuna_status status = cuna__rename(recorded, queue, node, out);
    node->is_write = *recorded;
    if (status == CUNA_OK && *recorded)
        cuna__draft_add(queue, node, out->buffer);
    cuna__node_release(node);
    return status;
}

/* The update that puts a node's value into a part of an array. */
static cuna_status make_update(cuna_node **out, cuna_queue *queue, const cuna_draft *box, cuna_node *value,
                               const cuna_array *part)
{
    cuna_draft d;
    const cuna_program *program;
    const cuna_array *all = box->old;
    CUNA_TRY(cuna__update_program(&program, (cuna_dtype)all->dtype));
    cuna__draft_begin(&d, box->context, program, NULL);
    cuna__draft_take_shape(&d, all->ndim, cuna_array_shape(all));
    d.device = box->device;
    cuna_node *node = *out = cuna__draft_alloc_node(queue, "faces", &d);
    if (node == NULL)
        return cuna__record_fail_memory();
    node->is_update = true;
    node->part = part->offset / cuna_dtype_size((cuna_dtype)part->dtype);
    cuna_status status = cuna__node_read(node, box->source[box->program->text.ninputs], all);
    if (status == CUNA_OK)
        status = cuna__node_read(node, value, NULL);
    if (status != CUNA_OK)
        cuna__node_release(node);
    return status;
}

/* The value is queued before the content changes, so that it reads the old one. If that may not change, nothing asks for
 * the value, and it is never computed. */
static cuna_status add_update(bool *recorded, cuna_queue *queue, const cuna_draft *d, cuna_node *value,
                              const cuna_array *out)
{
    cuna_node *update;
    CUNA_TRY(make_update(&update, queue, d, value, out));
    cuna__queue_add(queue, value);
    cuna__node_forgive(value);
    cuna_status status = cuna__rename(recorded, queue, update, d->old);
    if (status == CUNA_OK && *recorded) {
        update->is_write = true;
        value->into = update;
        cuna__draft_add(queue, update, out->buffer);
    }
    cuna__node_release(update);
    return status;
}

static cuna_status record_box(bool *recorded, cuna_queue *queue, const char *name, cuna_draft *d, const cuna_array *out)
{
    cuna_node *value;
    d->old = out->buffer->root;
    CUNA_TRY(cuna__draft_make_node(&value, queue, name, d));
    cuna_status status = add_update(recorded, queue, d, value, out);
    cuna__node_release(value);
    return status;
}

cuna_status cuna__record_write(bool *recorded, const char *name, cuna_draft *d, const cuna_array *out)
{
    *recorded = false;
    if (!cuna__draft_is_open(d) || d->program->text.kind != CUNA_PROGRAM_MAP || out->buffer == NULL ||
        !cuna__draft_takes_inputs(d) || !is_own(d, out) || !has_result(d, out))
        return CUNA_OK;
    if (cuna__array_is_all(out))
        return record_whole(recorded, d->context->queue, name, d, out);
    return is_box(d, out) ? record_box(recorded, d->context->queue, name, d, out) : CUNA_OK;
}

/* ---- copies ---- */

/* What lies in memory with its dtype is moved as it is, at once, unless a replay shall do it again. */
static bool is_moved(const cuna_context *context, const cuna_array *dst, const cuna_array *src)
{
    bool is_pending = src->buffer != NULL && !cuna__array_is_ready(src);
    return dst->dtype == src->dtype && !is_pending && !context->is_watched;
}

cuna_status cuna_record_copy(cuna_context *context, const cuna_array *dst, const cuna_array *src)
{
    cuna_draft d;
    bool recorded = false;
    const cuna_program *program;
    cuna_operand input = {.array = src};
    if (context->queue == NULL || is_moved(context, dst, src))
        return cuna_array_copy(context, dst, src);
    CUNA_TRY(cuna_cast_program(&program, (cuna_dtype)dst->dtype, (cuna_dtype)src->dtype));
    cuna__draft_begin(&d, context, program, &input);
    cuna__draft_take_shape(&d, dst->ndim, cuna_array_shape(dst));
    CUNA_TRY(cuna__record_write(&recorded, "copy", &d, dst));
    return recorded ? CUNA_OK : cuna_array_copy(context, dst, src);
}

cuna_status cuna_record_fill(cuna_context *context, const cuna_array *dst, const cuna_number *number)
{
    cuna_draft d;
    bool recorded = false;
    const cuna_program *program;
    cuna_operand value = {.number = *number};
    if (context->queue == NULL || dst->buffer == NULL)
        return cuna_array_fill(context, dst, number);
    CUNA_TRY(cuna_fill_program(&program, (cuna_dtype)dst->dtype));
    cuna__draft_begin(&d, context, program, &value);
    cuna__draft_take_shape(&d, dst->ndim, cuna_array_shape(dst));
    d.device = dst->buffer->device;
    CUNA_TRY(cuna__record_write(&recorded, "fill", &d, dst));
    return recorded ? CUNA_OK : cuna_array_fill(context, dst, number);
}
