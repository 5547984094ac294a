/* run.c: computes recorded operations by a plan. */
#include <stdlib.h>
#include <string.h>

#include "kernel/launch_loops.h"
#include "record/join.h"
#include "record/run.h"
#include "record/update.h"

#define LARGE_NBYTES 65536

typedef cuna_runner runner;

/* ---- results ---- */

static cuna_status make_result(const runner *r, cuna_node *node);
static void read_leaf(cuna_operand *out, const runner *r, const cuna_leaf *leaf);

/* Whether a value is computed where it lies in another one; one that was computed before has memory of its own. */
static bool lies_inside(const runner *r, const cuna_node *node)
{
    return node->into != NULL && node->state != CUNA_NODE_DONE && node->into->index < r->count &&
           r->nodes[node->into->index] == node->into;
}

/* Makes the result of an update whose part is computed next, with the old content if that is small. A program that writes
 * to a part has no order between streams for what is around it: each copy of the old content waits for all who used it. */
static cuna_status begin_update(const runner *r, cuna_node *update)
{
    cuna_operand old;
    const cuna_node *from = update->input[0].from;
    CUNA_TRY(make_result(r, update));
    read_leaf(&old, r, &(cuna_leaf){(int16_t)update->index, 0});
    if (update->has_old || (from != NULL && from->state != CUNA_NODE_DONE && !from->is_made) ||
        !cuna__update_copies_all(old.array))
        return CUNA_OK;
    update->has_old = true;
    cuna__array_begin_life(old.array);
    return cuna_array_copy(r->queue->context, &update->result, old.array);
}

static cuna_status take_memory(const runner *r, cuna_node *node)
{
    cuna_context *context = r->queue->context;
    uint8_t dtype = cuna__node_text(node)->output_dtype[0];
    const cuna_space *value = &node->value;
    if (node->result.buffer != NULL)
        return CUNA_OK;
    if (lies_inside(r, node) && node->into->is_join) {
        CUNA_TRY(make_result(r, node->into));
        return cuna__join_view(&node->result, node->into, node);
    }
    if (lies_inside(r, node)) {
        CUNA_TRY(begin_update(r, node->into));
        return cuna__update_view(&node->result, node->into, &node->into->result, value);
    }
    if (node->buffer == NULL)
        return cuna_array_create_on(&node->result, context, node->device, dtype, value->ndim, value->shape);
    CUNA_TRY(cuna__buffer_take_memory(node->buffer, context));
    cuna_status status = cuna__array_over(&node->result, node->buffer, dtype, value->ndim, value->shape);
    if (status != CUNA_OK)
        cuna__buffer_give_back(node->buffer);
    return status;
}

/* The script has gone on since: what has no memory is named with its place. */
static cuna_status make_result(const runner *r, cuna_node *node)
{
    cuna_status status = take_memory(r, node);
    if (status == CUNA_MEMORY && node->place != NULL)
        return cuna_fail(status, "%s; it is for the result of %s at %s", cuna_message(), node->name, node->place);
    return status;
}

static void unmake_result(cuna_node *node)
{
    if (node->result.buffer == NULL)
        return;
    if (node->result.buffer == node->buffer) /* else it lies in another one */
        cuna__buffer_give_back(node->buffer);
    cuna_array_release(&node->result);
}

/* ---- steps ---- */

static void read_leaf(cuna_operand *out, const runner *r, const cuna_leaf *leaf)
{
    const cuna_node *node = r->nodes[leaf->node];
    *out = (cuna_operand){.array = NULL};
    if (leaf->input == CUNA_LEAF_VALUE)
        out->array = &node->result;
    else if (leaf->input == CUNA_LEAF_EXTRA)
        out->number = (cuna_number){.kind = CUNA_NUMBER_FLOAT, .f = node->extra};
    else if (node->input[leaf->input].array.buffer != NULL)
        out->array = &node->input[leaf->input].array;
    else if (node->input[leaf->input].from != NULL)
        out->array = &node->input[leaf->input].from->result;
    else
        out->number = node->input[leaf->input].number;
}

/* Whether a program only fills its output with a number. */
static bool is_constant(const cuna_program *program)
{
    const cuna_program_text *text = &program->text;
    return program->noperands == 1 && text->noutputs == 1 && text->output_value[0] < text->ninputs;
}

static cuna_status call_engine(cuna_staged *how, const runner *r, const cuna_step *step, const cuna_operand *inputs,
                               cuna_array *const *outputs)
{
    cuna_context *context = r->queue->context;
    const cuna_node *node = r->nodes[step->node];
    bool ran = true;
    cuna_status status;
    switch (cuna_program_get_text(step->program)->kind) {
    case CUNA_PROGRAM_FOLD:
        status = cuna_reduce(&ran, context, node->name, step->program, inputs, outputs, step->axes, node->keepdims,
                             node->extra, node->walk.ndim, node->walk.shape);
        break;
    case CUNA_PROGRAM_SCAN:
    case CUNA_PROGRAM_SCAN_BEFORE:
        status = cuna_scan(&ran, context, node->name, step->program, inputs, outputs, cuna__step_axis(step),
                           node->walk.ndim, node->walk.shape);
        break;
    case CUNA_PROGRAM_PRODUCTS:
        status = cuna_products(context, node->name, step->program, inputs, outputs);
        break;
    case CUNA_PROGRAM_STAGES:
        return cuna_stages(how, context, node->name, step->program, inputs, outputs, step->axes, step->keepdims);
    default:
        status = is_constant(step->program) ? cuna_array_fill(context, outputs[0], &inputs[0].number)
                                            : cuna_elementwise(context, node->name, step->program, inputs, outputs,
                                                               node->walk.ndim, node->walk.shape);
    }
    *how = ran ? CUNA_STAGED : CUNA_STAGED_NEVER;
    return status;
}

cuna_status cuna__run_steps(const runner *r, const cuna_plan *plan);

/* What an engine declines is computed by simpler steps, now and whenever the plan serves again. */
static cuna_status plan_otherwise(const runner *r, cuna_step *step)
{
    bool inside[CUNA_QUEUE_NODES] = {false}, wanted[CUNA_QUEUE_NODES] = {false};
    bool combines = cuna__program_combines(cuna_program_get_text(step->program));
    cuna_plan *plan = calloc(1, sizeof *plan);
    if (plan == NULL)
        return cuna_fail(CUNA_MEMORY, "the host has no memory left for a plan");
    for (int i = 0; i < step->ncomputed; i++)
        inside[step->computed[i]] = true;
    for (int k = 0; k < step->noutputs; k++)
        wanted[step->output[k]] = true;
    cuna_status status =
        cuna__plan_make(plan, r->count, r->nodes, inside, wanted, combines ? CUNA_REACH_FOLDS : CUNA_REACH_PRODUCERS);
    if (status == CUNA_OK) {
        step->otherwise = plan;
        return CUNA_OK;
    }
    cuna__plan_free(plan);
    return status;
}

/* The part's memory is the result's, or not needed any more. Others wait for the copy. */
static cuna_status run_update(const runner *r, cuna_node *update)
{
    cuna_node *part = update->input[1].from;
    cuna_operand old;
    read_leaf(&old, r, &(cuna_leaf){(int16_t)update->index, 0});
    cuna__array_begin_life(old.array);
    CUNA_TRY(cuna__update_run(r->queue->context, update, old.array, &part->result, &update->result));
    cuna__array_begin_life(&update->result);
    if (lies_inside(r, part))
        cuna_array_release(&part->result);
    return CUNA_OK;
}

/* What was computed in the result is a part of that from now on. */
static cuna_status run_join(const runner *r, cuna_node *join, const cuna_operand *pieces)
{
    CUNA_TRY(cuna__join_run(r->queue->context, join, pieces));
    for (int k = 0; k < join->ninputs; k++)
        if (join->input[k].from != NULL && lies_inside(r, join->input[k].from))
            cuna_array_release(&join->input[k].from->result);
    return CUNA_OK;
}

/* The new content of an array is memory that no program orders streams for: others that use the array wait for the write,
 * or they would see neither the old elements nor the new ones. */
static void begin_content(const cuna_node *node)
{
    if (node->is_write && node->buffer != NULL)
        cuna__array_begin_life(&node->result);
}

/* Computes what a step stores, unless the engine declines. */
static cuna_status run_step(cuna_staged *how, const runner *r, const cuna_step *step)
{
    cuna_operand inputs[CUNA_MAX_OPERANDS];
    cuna_array *outputs[CUNA_MAX_OPERANDS];
    for (int k = 0; k < step->ninputs; k++)
        read_leaf(&inputs[k], r, &step->input[k]);
    for (int k = 0; k < step->noutputs; k++) {
        CUNA_TRY(make_result(r, r->nodes[step->output[k]]));
        outputs[k] = &r->nodes[step->output[k]]->result;
    }
    if (r->nodes[step->node]->is_update) {
        *how = CUNA_STAGED;
        CUNA_TRY(run_update(r, r->nodes[step->node]));
    } else if (r->nodes[step->node]->is_join) {
        *how = CUNA_STAGED;
        CUNA_TRY(run_join(r, r->nodes[step->node], inputs));
    } else {
        CUNA_TRY(call_engine(how, r, step, inputs, outputs));
        for (int k = 0; k < step->noutputs; k++)
            begin_content(r->nodes[step->output[k]]);
    }
    if (r->rehearses)
        return CUNA_OK;
    r->queue->first_joined |= *how != CUNA_STAGED_NEVER && cuna__step_joins_first(step);
    if (*how == CUNA_STAGED)
        cuna__record_log(r->queue, step, r->nodes);
    return CUNA_OK;
}

/* Large values go as soon as no step reads them any more, so that a plan needs no more memory than its operations would
 * at once. If somebody asks for one, it is computed again. */
static void end_values(const runner *r, const cuna_step *step)
{
    for (int i = 0; i < step->nlast; i++) {
        cuna_node *node = r->nodes[step->last[i]];
        if (node->result.size * cuna_dtype_size((cuna_dtype)node->result.dtype) >= LARGE_NBYTES)
            unmake_result(node);
    }
}

/* Distinguishes the lengths of a step's operations from others, and is not 0: a plan serves all. */
static uint64_t hash_lengths(const runner *r, const cuna_step *step)
{
    const cuna_node *ends[] = {r->nodes[step->computed[0]], r->nodes[step->node]};
    uint64_t hash = 0;
    for (int k = 0; k < 2; k++)
        for (int axis = 0; axis < ends[k]->walk.ndim; axis++)
            hash = (hash ^ (uint64_t)ends[k]->walk.shape[axis]) * 0x9e3779b97f4a7c15u;
    return hash | 1;
}

static cuna_status run_or_replace(const runner *r, cuna_step *step)
{
    cuna_staged how = CUNA_STAGED_NEVER;
    if (step->otherwise == NULL || step->declined != hash_lengths(r, step))
        CUNA_TRY(run_step(&how, r, step));
    step->declined = how == CUNA_STAGED_NEVER ? hash_lengths(r, step) : 0;
    if (how == CUNA_STAGED)
        return CUNA_OK;
    if (step->otherwise == NULL)
        CUNA_TRY(plan_otherwise(r, step));
    return cuna__run_steps(r, step->otherwise);
}

cuna_status cuna__run_steps(const runner *r, const cuna_plan *plan)
{
    for (int i = 0; i < plan->nsteps; i++) {
        CUNA_TRY(run_or_replace(r, &plan->steps[i]));
        for (int k = 0; k < plan->steps[i].noutputs; k++)
            r->nodes[plan->steps[i].output[k]]->is_made = true;
        end_values(r, &plan->steps[i]);
    }
    return CUNA_OK;
}

/* A node alone is the call that it would have been at once. */
static cuna_status run_alone(const runner *r)
{
    cuna_step step;
    cuna_staged how;
    cuna__step_alone(&step, r->nodes[0]);
    return run_step(&how, r, &step);
}

static void forget_progress(const runner *r)
{
    for (int i = 0; i < r->count; i++)
        r->nodes[i]->is_made = r->nodes[i]->has_old = false;
}

void cuna__run_unmake(const runner *r)
{
    forget_progress(r);
    for (int i = 0; i < r->count; i++)
        unmake_result(r->nodes[i]);
}

/* Devices that interpret wait for no kernel, and a rehearsal only notes which there are. */
static cuna_status run_plan(runner *r, const bool *wanted)
{
    cuna_plan *plan;
    CUNA_TRY(cuna__plan_find(&plan, r->queue, r->count, r->nodes, wanted));
    if (plan->is_compiled || r->queue->context->rehearsal != NULL || r->nodes[0]->device->driver->facts.interprets)
        return cuna__run_steps(r, plan);
    return cuna__run_new(r, plan, wanted);
}

cuna_status cuna__plan_run(cuna_queue *queue, int count, cuna_node *const *nodes, const bool *wanted)
{
    runner r = {.queue = queue, .count = count, .nodes = nodes};
    forget_progress(&r);
    cuna__join_place(count, nodes, wanted);
    queue->first_joined = false;
    cuna_status status = count > 1 ? run_plan(&r, wanted) : wanted[0] ? run_alone(&r) : CUNA_OK;
    for (int i = 0; i < count; i++) {
        if (status != CUNA_OK)
            unmake_result(nodes[i]);
        else
            nodes[i]->state = nodes[i]->result.buffer != NULL ? CUNA_NODE_DONE : CUNA_NODE_PASSED;
    }
    cuna__join_leave(count, nodes);
    return status;
}

cuna_status cuna__plan_repeat(cuna_queue *queue, const cuna_plan *plan, int count, cuna_node *const *nodes,
                              const bool *wanted)
{
    runner r = {.queue = queue, .count = count, .nodes = nodes};
    cuna__join_place(count, nodes, wanted);
    cuna_status status = cuna__run_steps(&r, plan);
    cuna__join_leave(count, nodes);
    return status;
}

void cuna__plan_unmake(int count, cuna_node *const *nodes)
{
    for (int i = 0; i < count; i++)
        unmake_result(nodes[i]);
}
