/* replay.c: runs the recorded operations of a function for other arrays: these are put into the leaves, and the plan's
 * steps run, without a record.
 *
 * An array that the function writes gets its new content when all steps ran, as it does when it is recorded; where one
 * kernel does everything, that writes to the array itself. */
#include "record/replay.h"

#include <string.h>

/* ---- whether it serves ---- */

static bool has_form(const cuna_array *array, const cuna_array *form)
{
    return array->buffer != NULL && array->dtype == form->dtype && array->ndim == form->ndim &&
           (array->flags & CUNA_ARRAY_READONLY) == (form->flags & CUNA_ARRAY_READONLY) &&
           memcmp(array->dims, form->dims, 2 * form->ndim * sizeof *form->dims) == 0;
}

/* Whether arrays share memory as those of the watch did. Where nothing is written, others may share it too. */
static bool shares_alike(const cuna_replay *replay, const cuna_array *const *arrays)
{
    for (int i = 0; i < replay->nsources; i++) {
        const cuna_source *s = &replay->sources[i];
        const cuna_array *twin = arrays[s->twin];
        if (arrays[i]->buffer != twin->buffer || arrays[i]->offset - twin->offset != s->distance)
            return false;
    }
    for (int w = 0; w < replay->nwrites; w++)
        for (int i = 0; i < replay->nsources; i++)
            if (replay->sources[i].twin != replay->writes[w].source &&
                cuna__array_meets(arrays[i], arrays[replay->writes[w].source]))
                return false;
    return true;
}

bool cuna_replay_serves(const cuna_replay *replay, cuna_context *context, const cuna_array *const *arrays)
{
    if (replay->current != cuna__context_device(context) || replay->tf32 != context->tf32)
        return false;
    for (int i = 0; i < replay->nsources; i++)
        if (!has_form(arrays[i], &replay->sources[i].form) ||
            (replay->device != NULL && arrays[i]->buffer->device != replay->device))
            return false;
    for (int w = 0; w < replay->nwrites; w++) {
        const cuna_array *array = arrays[replay->writes[w].source];
        if (!cuna__array_is_all(array) || (!replay->writes_directly && !cuna__buffer_is_private(array->buffer)))
            return false;
    }
    return !replay->is_running && shares_alike(replay, arrays);
}

/* ---- runs ---- */

void cuna__replay_clear(cuna_replay *replay)
{
    for (int i = 0; i < replay->nleaves; i++)
        replay->nodes[replay->leaves[i].node]->input[replay->leaves[i].input].array.buffer = NULL;
}

static void fill_leaf(const cuna_replay *replay, const cuna_part *l, const cuna_array *from)
{
    cuna_array *array = &replay->nodes[l->node]->input[l->input].array;
    array->buffer = from->buffer;
    array->offset = from->offset + l->from.offset;
}

/* Values that are viewed get their memory first. */
static cuna_status fill_leaves(cuna_replay *replay, cuna_context *context, const cuna_array *const *arrays)
{
    for (int i = 0; i < replay->count; i++) {
        cuna_node *node = replay->nodes[i];
        if (replay->is_viewed[i] && node->result.buffer == NULL)
            CUNA_TRY(cuna_array_create_on(&node->result, context, node->device, cuna__node_text(node)->output_dtype[0],
                                          node->value.ndim, node->value.shape));
    }
    for (int i = 0; i < replay->nleaves; i++) {
        const cuna_part *l = &replay->leaves[i];
        fill_leaf(replay, l,
                  l->from.source != CUNA_NOWHERE ? arrays[l->from.source] : &replay->nodes[l->from.node]->result);
    }
    return CUNA_OK;
}

/* An array that is written, in the shape in which its node writes: that of a view, maybe. */
static cuna_status share_written(cuna_array *out, const cuna_replay *replay, int write, const cuna_array *const *arrays)
{
    const cuna_node *node = replay->nodes[replay->writes[write].node];
    return cuna__array_over(out, arrays[replay->writes[write].source]->buffer, cuna__node_text(node)->output_dtype[0],
                            node->value.ndim, node->value.shape);
}

/* Lets the arrays that are written be the results of their nodes, where nothing reads them later. */
static cuna_status aim_writes(const cuna_replay *replay, const cuna_array *const *arrays)
{
    for (int w = 0; w < replay->nwrites && replay->writes_directly; w++) {
        cuna_node *node = replay->nodes[replay->writes[w].node];
        if (node->result.buffer == NULL)
            CUNA_TRY(share_written(&node->result, replay, w, arrays));
    }
    return CUNA_OK;
}

/* What a rehearsal does not run must not take a content away. */
static cuna_status do_writes(const cuna_replay *replay, const cuna_context *context, const cuna_array *const *arrays)
{
    bool writes = !replay->writes_directly && context->rehearsal == NULL;
    for (int w = 0; w < replay->nwrites && writes; w++)
        CUNA_TRY(cuna__array_change(arrays[replay->writes[w].source]));
    for (int w = 0; w < replay->nwrites && writes; w++) {
        const cuna_array *array = arrays[replay->writes[w].source];
        cuna__buffer_exchange(array->buffer, replay->nodes[replay->writes[w].node]->result.buffer);
        cuna__array_begin_life(array); /* other streams wait: no program orders them for the new content */
    }
    return CUNA_OK;
}

/* Makes an array of a result's form in the memory of another one. */
static cuna_status give_result(cuna_array *out, const cuna_given *r, const cuna_array *from)
{
    cuna_geometry geometry;
    int64_t itemsize = cuna_dtype_size((cuna_dtype)r->form.dtype);
    geometry.ndim = r->form.ndim;
    geometry.offset = r->from.offset / itemsize;
    cuna__copy_lengths(geometry.shape, r->form.dims, r->form.ndim);
    cuna__copy_lengths(geometry.strides, r->form.dims + r->form.ndim, r->form.ndim);
    return cuna_array_view(out, from, (cuna_dtype)r->form.dtype, &geometry);
}

static cuna_status give_results(const cuna_replay *replay, const cuna_array *const *arrays, cuna_array *const *results)
{
    for (int i = 0; i < replay->nresults; i++) {
        const cuna_given *r = &replay->results[i];
        const cuna_node *node = r->from.source == CUNA_NOWHERE ? replay->nodes[r->from.node] : NULL;
        if (node != NULL && cuna__gives_all(&r->form, node))
            CUNA_TRY(cuna__array_share(results[i], &node->result));
        else if (node != NULL && (r->form.flags & CUNA_ARRAY_VIEW) == 0) /* what a view of it wrote */
            CUNA_TRY(cuna__array_over(results[i], node->result.buffer, (cuna_dtype)r->form.dtype, r->form.ndim,
                                      r->form.dims));
        else
            CUNA_TRY(give_result(results[i], r, node != NULL ? &node->result : arrays[r->from.source]));
    }
    return CUNA_OK;
}

static cuna_status run(cuna_replay *replay, cuna_context *context, const cuna_array *const *arrays,
                       cuna_array *const *results)
{
    for (int i = 0; i < replay->nsources; i++)
        CUNA_TRY(cuna__array_use(arrays[i], "fuse"));
    CUNA_TRY(aim_writes(replay, arrays));
    CUNA_TRY(fill_leaves(replay, context, arrays));
    if (replay->plan != NULL)
        CUNA_TRY(cuna__plan_repeat(context->queue, replay->plan, replay->count, replay->nodes, replay->wanted));
    CUNA_TRY(give_results(replay, arrays, results));
    return do_writes(replay, context, arrays);
}

static void read_operand(cuna_operand *out, const cuna_replay *replay, const cuna_leaf *from)
{
    const cuna_node *node = replay->nodes[from->node];
    *out = (cuna_operand){.array = NULL};
    if (from->input == CUNA_LEAF_EXTRA)
        out->number = (cuna_number){.kind = CUNA_NUMBER_FLOAT, .f = node->extra};
    else if (node->input[from->input].array.buffer != NULL)
        out->array = &node->input[from->input].array;
    else
        out->number = node->input[from->input].number;
}

static cuna_status record_operation(bool *ran, const cuna_replay *replay, cuna_context *context,
                                    const cuna_operand *inputs, cuna_array *out)
{
    const cuna_step *step = &replay->plan->steps[0];
    const cuna_node *node = replay->nodes[step->node];
    *ran = true;
    if (cuna__node_scans(node))
        return cuna_record_scan(context, node->name, step->program, inputs, &out, cuna__step_axis(step));
    return cuna__node_folds(node)
               ? cuna_record_fold(ran, context, node->name, step->program, inputs, &out, step->axes, node->keepdims,
                                  node->extra)
               : cuna_record(context, node->name, step->program, inputs, &out, node->walk.ndim, node->walk.shape);
}

/* Does what an operation outside of the function does: it is recorded, if that is worth while. *ran is false if the
 * engine declines it. */
static cuna_status run_operation(bool *ran, cuna_replay *replay, cuna_context *context, const cuna_array *const *arrays,
                                 cuna_array *const *results)
{
    const cuna_step *step = &replay->plan->steps[0];
    cuna_operand inputs[CUNA_MAX_OPERANDS];
    cuna_array target = {0};
    CUNA_TRY(fill_leaves(replay, context, arrays));
    for (int k = 0; k < step->ninputs; k++)
        read_operand(&inputs[k], replay, &step->input[k]);
    if (replay->nwrites == 0)
        return record_operation(ran, replay, context, inputs, results[0]);
    CUNA_TRY(share_written(&target, replay, 0, arrays));
    cuna_status status = record_operation(ran, replay, context, inputs, &target);
    cuna_array_release(&target);
    return status;
}

static cuna_status run_either(cuna_replay *replay, cuna_context *context, const cuna_array *const *arrays,
                              cuna_array *const *results)
{
    bool ran = false;
    if (replay->is_operation)
        CUNA_TRY(run_operation(&ran, replay, context, arrays, results));
    return ran ? CUNA_OK : run(replay, context, arrays, results);
}

cuna_status cuna_replay_run(cuna_replay *replay, cuna_context *context, const cuna_array *const *arrays,
                            cuna_array *const *results)
{
    replay->is_running = true;
    cuna_status status = run_either(replay, context, arrays, results);
    for (int i = 0; i < replay->nresults && status != CUNA_OK; i++)
        if (results[i]->buffer != NULL)
            cuna_array_release(results[i]);
    cuna__plan_unmake(replay->count, replay->nodes);
    cuna__replay_clear(replay);
    replay->is_running = false;
    return status;
}
