/* run.c: computes recorded operations by a plan. */
#include <stdlib.h>
#include <string.h>

#include "record/plan.h"

#define LARGE_NBYTES 65536

typedef struct runner {
    cuna_queue *queue;
    int count;
    cuna_node *const *nodes;
} runner;

/* ---- results ---- */

static cuna_status take_memory(const runner *r, cuna_node *node)
{
    cuna_context *context = r->queue->context;
    uint8_t dtype = cuna__node_text(node)->output_dtype[0];
    const cuna_space *value = &node->value;
    if (node->result.buffer != NULL)
        return CUNA_OK;
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
    if (node->buffer != NULL)
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
                             node->extra);
        break;
    case CUNA_PROGRAM_STAGES:
        return cuna_stages(how, context, node->name, step->program, inputs, outputs, step->axes, step->keepdims);
    default:
        status = cuna_elementwise(context, node->name, step->program, inputs, outputs, node->walk.ndim, node->walk.shape);
    }
    *how = ran ? CUNA_STAGED : CUNA_STAGED_NEVER;
    return status;
}

static cuna_status run_steps(const runner *r, const cuna_plan *plan);

/* What an engine declines is computed by simpler steps, now and whenever the plan serves again. */
static cuna_status plan_otherwise(const runner *r, cuna_step *step)
{
    bool inside[CUNA_QUEUE_NODES] = {false}, wanted[CUNA_QUEUE_NODES] = {false};
    bool is_fold = cuna_program_get_text(step->program)->kind == CUNA_PROGRAM_FOLD;
    cuna_plan *plan = calloc(1, sizeof *plan);
    if (plan == NULL)
        return cuna_fail(CUNA_MEMORY, "the host has no memory left for a plan");
    for (int i = 0; i < step->ncomputed; i++)
        inside[step->computed[i]] = true;
    for (int k = 0; k < step->noutputs; k++)
        wanted[step->output[k]] = true;
    cuna_status status =
        cuna__plan_make(plan, r->count, r->nodes, inside, wanted, is_fold ? CUNA_REACH_FOLDS : CUNA_REACH_PRODUCERS);
    if (status == CUNA_OK) {
        step->otherwise = plan;
        return CUNA_OK;
    }
    cuna__plan_free(plan);
    return status;
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
    CUNA_TRY(call_engine(how, r, step, inputs, outputs));
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

static cuna_status run_or_replace(const runner *r, cuna_step *step)
{
    cuna_staged how = CUNA_STAGED_NEVER;
    if (step->otherwise == NULL || step->is_due)
        CUNA_TRY(run_step(&how, r, step));
    step->is_due = how == CUNA_STAGED_LATER;
    if (how == CUNA_STAGED)
        return CUNA_OK;
    if (step->otherwise == NULL)
        CUNA_TRY(plan_otherwise(r, step));
    return run_steps(r, step->otherwise);
}

static cuna_status run_steps(const runner *r, const cuna_plan *plan)
{
    for (int i = 0; i < plan->nsteps; i++) {
        CUNA_TRY(run_or_replace(r, &plan->steps[i]));
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

static cuna_status run_plan(const runner *r, const bool *wanted)
{
    cuna_plan *plan;
    CUNA_TRY(cuna__plan_find(&plan, r->queue, r->count, r->nodes, wanted));
    return run_steps(r, plan);
}

cuna_status cuna__plan_run(cuna_queue *queue, int count, cuna_node *const *nodes, const bool *wanted)
{
    runner r = {.queue = queue, .count = count, .nodes = nodes};
    cuna_status status = count > 1 ? run_plan(&r, wanted) : wanted[0] ? run_alone(&r) : CUNA_OK;
    for (int i = 0; i < count; i++) {
        if (status != CUNA_OK)
            unmake_result(nodes[i]);
        else
            nodes[i]->state = nodes[i]->result.buffer != NULL ? CUNA_NODE_DONE : CUNA_NODE_PASSED;
    }
    return status;
}
