/* record.c: operations that are recorded instead of run, and run at once where that cannot be. */
#include "record/record.h"

#include "base/environment.h"
#include "record/draft.h"

static bool is_new(cuna_draft *d, const cuna_array *out)
{
    return cuna__draft_is_open(d) && out->dims == NULL && cuna__draft_takes_inputs(d);
}

/* ---- functions for others ---- */

cuna_status cuna_record(cuna_context *context, const char *name, const cuna_program *program,
                        const cuna_operand *inputs, cuna_array *const *outputs, int ndim, const int64_t *shape)
{
    cuna_draft d;
    bool recorded = false;
    cuna__draft_begin(&d, context, program, inputs);
    cuna__draft_take_shape(&d, ndim, shape);
    if (!cuna__draft_is_open(&d)) /* others may have no output */
        return cuna_elementwise(context, name, program, inputs, outputs, ndim, shape);
    if (is_new(&d, outputs[0]))
        return cuna__draft_record(outputs[0], name, &d);
    if (outputs[0]->dims != NULL)
        CUNA_TRY(cuna__record_write(&recorded, name, &d, outputs[0]));
    return recorded ? CUNA_OK : cuna_elementwise(context, name, program, inputs, outputs, ndim, shape);
}

static cuna_status make_at_once(cuna_array *out, const cuna_draft *d, const char *name)
{
    CUNA_TRY(cuna_array_create_on(out, d->context, d->device, d->program->text.output_dtype[0], d->ndim, d->shape));
    cuna_status status =
        cuna_elementwise(d->context, name, d->program, d->inputs, (cuna_array *[]){out}, d->ndim, d->shape);
    if (status != CUNA_OK)
        cuna_array_release(out);
    return status;
}

cuna_status cuna_record_new(cuna_array *out, cuna_context *context, const char *name, const cuna_program *program,
                            const cuna_operand *inputs, cuna_device *device, int ndim, const int64_t *shape)
{
    cuna_draft d;
    cuna__draft_begin(&d, context, program, inputs);
    cuna__draft_take_shape(&d, ndim, shape);
    d.device = device;
    return is_new(&d, out) ? cuna__draft_record(out, name, &d) : make_at_once(out, &d, name);
}

cuna_status cuna_record_full(cuna_array *out, cuna_context *context, const char *name, cuna_dtype dtype,
                             cuna_device *device, int ndim, const int64_t *shape, const cuna_number *number)
{
    cuna_draft d;
    const cuna_program *program;
    cuna_operand value = {.number = *number};
    CUNA_TRY(cuna_fill_program(&program, dtype));
    cuna__draft_begin(&d, context, program, &value);
    cuna__draft_take_shape(&d, ndim, shape);
    d.device = device;
    if (is_new(&d, out))
        return cuna__draft_record(out, name, &d);
    CUNA_TRY(cuna_array_create_on(out, context, device, dtype, ndim, shape));
    cuna_status status = cuna_array_fill(context, out, number);
    if (status != CUNA_OK)
        cuna_array_release(out);
    return status;
}

cuna_status cuna_record_fold(bool *ran, cuna_context *context, const char *name, const cuna_program *program,
                             const cuna_operand *inputs, cuna_array *const *outputs, uint32_t axes, bool keepdims,
                             double extra)
{
    cuna_draft d;
    cuna__draft_begin(&d, context, program, inputs);
    d.axes = axes;
    d.keepdims = keepdims;
    d.extra = extra;
    *ran = true;
    return is_new(&d, outputs[0])
               ? cuna__draft_record(outputs[0], name, &d)
               : cuna_reduce(ran, context, name, program, inputs, outputs, axes, keepdims, extra, -1, NULL);
}

cuna_status cuna_record_scan(cuna_context *context, const char *name, const cuna_program *program,
                             const cuna_operand *inputs, cuna_array *const *outputs, int axis)
{
    cuna_draft d;
    bool ran;
    cuna__draft_begin(&d, context, program, inputs);
    d.axes = axis < 0 ? CUNA_SCANS_ALL : 1u << axis;
    return cuna__program_scans(&program->text) && is_new(&d, outputs[0]) && d.ndim > cuna__max(axis, 0)
               ? cuna__draft_record(outputs[0], name, &d)
               : cuna_scan(&ran, context, name, program, inputs, outputs, axis, -1, NULL);
}

cuna_status cuna_record_cast(cuna_array *out, cuna_context *context, const cuna_array *src, cuna_dtype dtype)
{
    cuna_draft d;
    const cuna_program *program;
    cuna_operand input = {.array = src};
    if (context->queue == NULL || (src->dtype == dtype && !context->is_watched))
        return cuna_array_cast(out, context, src, dtype);
    CUNA_TRY(cuna_cast_program(&program, dtype, (cuna_dtype)src->dtype));
    cuna__draft_begin(&d, context, program, &input);
    return is_new(&d, out) ? cuna__draft_record(out, "copy", &d) : cuna_array_cast(out, context, src, dtype);
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
        return cuna__record_fail_memory();
    if (queue == NULL)
        return CUNA_OK;
    queue->is_on = on;
    return on ? CUNA_OK : cuna__queue_flush(queue);
}

bool cuna_context_set_composing(cuna_context *context, bool on)
{
    bool before = context->composes;
    context->composes = on;
    return before;
}

cuna_status cuna_record_flush(cuna_context *context)
{
    return context->queue != NULL ? cuna__queue_flush(context->queue) : CUNA_OK;
}

cuna_status cuna_array_evaluate(const cuna_array *array)
{
    return cuna__array_use(array, "evaluate");
}

bool cuna_context_is_recording(const cuna_context *context)
{
    return context->queue != NULL && context->queue->is_on;
}

bool cuna_context_has_recorded(const cuna_context *context)
{
    return context->queue != NULL && (context->queue->count > 0 || context->queue->passed != NULL);
}

int64_t cuna_device_record_limit(const cuna_device *device)
{
    return device->record_limit;
}

void cuna_device_set_record_limit(cuna_device *device, int64_t nbytes)
{
    device->record_limit = nbytes;
}
