/* aside.c: products beside recorded operations.
 *
 * A product is not recorded: its library computes it by itself, and what leads to it and follows it is one kernel each
 * anyway. But it does not end the queue where both factors are in memory: it reads nothing that is recorded, writes
 * memory that nobody knows yet, and runs on the stream on which the queue will run. So what was recorded before it and
 * what is recorded next still share kernels. */
#include "record/draft.h"

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
                               const cuna_array *a, const cuna_array *b, cuna_array *out, bool tf32)
{
    bool aside = out->buffer == NULL && is_stored(a) && is_stored(b) && may_step_aside(context, a->buffer->device);
    cuna_device *device = aside ? a->buffer->device : NULL;
    if (aside) /* as far as the device knows, nothing is queued */
        __atomic_sub_fetch(&device->nqueues, 1, __ATOMIC_RELAXED);
    cuna_status status = cuna_matmul(context, name, program, a, b, out, tf32);
    if (aside)
        __atomic_add_fetch(&device->nqueues, 1, __ATOMIC_RELAXED);
    return status;
}
