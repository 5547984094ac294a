/* product.c: products among recorded operations.
 *
 * A product of two matrices that have few tiles is recorded: its kernel can compute what follows it. A library computes
 * the others by itself, and what leads to them and follows them is one kernel each anyway. But they do not end the queue
 * where both factors are in memory: they read nothing that is recorded, write memory that nobody knows yet, and run on the
 * stream on which the queue will run. So what was recorded before them and what is recorded next still share kernels. */
#include "record/draft.h"

static cuna_status record(bool *recorded, cuna_array *out, cuna_context *context, const char *name, const cuna_array *a,
                          const cuna_array *b)
{
    cuna_draft d;
    const cuna_operand inputs[] = {{.array = a}, {.array = b}};
    const cuna_program *program;
    *recorded = false;
    CUNA_TRY(cuna_matmul_step(&program, context, a, b));
    if (program == NULL)
        return CUNA_OK;
    const int64_t shape[] = {cuna_array_shape(a)[0], cuna_array_shape(b)[1]};
    cuna__draft_begin(&d, context, program, inputs);
    cuna__draft_take_shape(&d, 2, shape);
    *recorded = cuna__draft_takes_pieces(&d);
    return *recorded ? cuna__draft_record(out, name, &d) : CUNA_OK;
}

static bool is_stored(const cuna_array *array)
{
    return array->buffer != NULL && cuna__buffer_recipe(array->buffer) == NULL;
}

/* Whether work of a device, which reads what is stored and makes its output, has no order with what is queued. */
static bool may_step_aside(cuna_context *context, cuna_device *device)
{
    const cuna_queue *queue = context->queue;
    return queue != NULL && queue->count > 0 && !queue->is_running && !context->is_watched && queue->device == device &&
           pthread_equal(queue->thread, pthread_self()) && queue->stream == cuna__context_stream(context, device);
}

cuna_status cuna_record_matmul(cuna_context *context, const char *name, const cuna_program *program,
                               const cuna_array *a, const cuna_array *b, cuna_array *out)
{
    bool recorded = false;
    if (program == NULL && out->buffer == NULL && cuna__draft_records(context))
        CUNA_TRY(record(&recorded, out, context, name, a, b));
    if (recorded)
        return CUNA_OK;
    bool aside = out->buffer == NULL && is_stored(a) && is_stored(b) && may_step_aside(context, a->buffer->device);
    cuna_device *device = aside ? a->buffer->device : NULL;
    if (aside) /* as far as the device knows, nothing is queued */
        __atomic_sub_fetch(&device->nqueues, 1, __ATOMIC_RELAXED);
    cuna_status status = cuna_matmul(context, name, program, a, b, out);
    if (aside)
        __atomic_add_fetch(&device->nqueues, 1, __ATOMIC_RELAXED);
    return status;
}
