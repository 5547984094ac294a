/* watch.c: makes a replay of what a function records.
 *
 * A queue is watched while the function runs. If all that happens is recorded, its nodes are copied: a leaf is then a
 * part of one of the function's arrays, and a result is a node's value, or a view of one or of an array. The copies and
 * their plan serve all calls whose arrays have the same dtypes, shapes, strides and device, and share memory alike. */
#include <stdlib.h>
#include <string.h>

#include "record/record.h"
#include "record/replay.h"

/* ---- forms ---- */

/* Describes an array without a share in its memory. */
static cuna_status copy_form(cuna_array *out, const cuna_array *array)
{
    CUNA_TRY(cuna__array_share(out, array));
    cuna__buffer_release(out->buffer);
    out->buffer = NULL;
    return CUNA_OK;
}

static void drop_form(cuna_array *form)
{
    if (form->dims != form->inline_dims)
        free(form->dims);
    form->dims = NULL;
}

/* ---- the watch ---- */

static cuna_status fail_memory(void)
{
    return cuna_fail(CUNA_MEMORY, "the host has no memory left for a replay");
}

/* Lets the arrays get their memory, and notes which it is. */
static cuna_status note_contents(cuna_replay *replay, const cuna_array *const *arrays)
{
    for (int i = 0; i < replay->nsources; i++)
        CUNA_TRY(cuna__array_use(arrays[i], "fuse"));
    for (int i = 0; i < replay->nsources; i++)
        replay->sources[i].content = cuna__buffer_content(arrays[i]->buffer);
    return CUNA_OK;
}

cuna_status cuna_replay_watch(cuna_replay **out, cuna_context *context, int narrays, const cuna_array *const *arrays)
{
    cuna_queue *queue = context->queue != NULL ? context->queue : cuna__queue_create(context);
    cuna_replay *replay = *out = queue != NULL ? calloc(1, sizeof *replay) : NULL;
    if (replay == NULL || (replay->sources = calloc((size_t)narrays + 1, sizeof *replay->sources)) == NULL)
        return fail_memory();
    replay->current = cuna__context_device(context);
    replay->tf32 = context->tf32;
    replay->nsources = narrays;
    CUNA_TRY(cuna__queue_flush(queue));
    CUNA_TRY(note_contents(replay, arrays));
    if (queue->count == 0) /* else this is called while it runs */
        cuna__queue_watch(queue);
    return CUNA_OK;
}

bool cuna_replay_is_watching(const cuna_context *context)
{
    return context->queue != NULL && context->is_watched;
}

cuna_status cuna_replay_unwatch(cuna_context *context)
{
    return context->queue != NULL ? cuna__queue_end_watch(context->queue) : CUNA_OK;
}

/* ---- copies of what was recorded ---- */

/* The array of the function whose first content a buffer has. */
static int find_source(const cuna_replay *replay, const cuna_buffer *buffer)
{
    for (int i = 0; i < replay->nsources; i++)
        if (cuna__buffer_recipe(buffer) == NULL && replay->sources[i].content == cuna__buffer_content(buffer))
            return i;
    return CUNA_NOWHERE;
}

static cuna_status copy_sources(cuna_replay *replay, const cuna_array *const *arrays)
{
    for (int i = 0; i < replay->nsources; i++) {
        cuna_source *s = &replay->sources[i];
        CUNA_TRY(copy_form(&s->form, arrays[i]));
        while (arrays[s->twin]->buffer != arrays[i]->buffer)
            s->twin++;
        s->distance = arrays[i]->offset - arrays[s->twin]->offset;
    }
    return CUNA_OK;
}

static size_t shapes_nbytes(const cuna_node *node)
{
    return 2 * (size_t)node->walk.ndim * sizeof *node->walk.shape;
}

/* Copies a node, whose inputs follow. */
static cuna_node *copy_node(const cuna_node *node)
{
    size_t inputs_nbytes = (size_t)node->ninputs * sizeof *node->input;
    cuna_node *out = calloc(1, sizeof *out + inputs_nbytes + shapes_nbytes(node));
    if (out == NULL)
        return NULL;
    int64_t *shape = (int64_t *)((char *)out->input + inputs_nbytes);
    memcpy(shape, node->walk.shape, shapes_nbytes(node));
    *out = *node;
    cuna_program_retain(out->program);
    out->queue = NULL;
    out->buffer = NULL;
    out->allocator = NULL;
    out->place = NULL;
    out->result.buffer = NULL;
    out->walk.shape = shape;
    out->value.shape = node->value.shape == node->walk.shape ? shape : shape + node->walk.ndim;
    out->ninputs = 0;
    return out;
}

/* Copies an input; an array keeps its buffer until the plan is made. *known is false for arrays that are not the
 * function's. */
static cuna_status copy_input(bool *known, cuna_replay *replay, cuna_node *to, int k, const cuna_node_input *in,
                              const cuna_array *const *arrays)
{
    cuna_part *l = &replay->leaves[replay->nleaves];
    *l = (cuna_part){to->index, k, {.source = CUNA_NOWHERE, .node = CUNA_NOWHERE}};
    to->input[k].from = in->from != NULL ? replay->nodes[in->from->index] : NULL;
    if (in->array.buffer == NULL) {
        to->input[k].number = in->number;
        return CUNA_OK;
    }
    if (in->from != NULL)
        l->from = (cuna_origin){CUNA_NOWHERE, in->from->index, in->array.offset};
    else
        l->from.source = find_source(replay, in->array.buffer);
    *known = in->from != NULL || l->from.source != CUNA_NOWHERE;
    if (!*known)
        return CUNA_OK;
    if (in->from != NULL)
        replay->is_viewed[in->from->index] = true;
    else
        l->from.offset = in->array.offset - arrays[l->from.source]->offset;
    replay->nleaves++;
    return cuna__array_share(&to->input[k].array, &in->array);
}

static cuna_status copy_nodes(bool *known, cuna_replay *replay, const cuna_queue *queue,
                              const cuna_array *const *arrays)
{
    int ninputs = 0;
    for (int i = 0; i < queue->count; i++)
        ninputs += queue->nodes[i]->ninputs;
    replay->leaves = calloc((size_t)ninputs + 1, sizeof *replay->leaves);
    if (replay->leaves == NULL)
        return fail_memory();
    for (int i = 0; i < queue->count; i++) {
        const cuna_node *node = queue->nodes[i];
        cuna_node *copy = replay->nodes[replay->count] = copy_node(node);
        if (copy == NULL)
            return fail_memory();
        replay->count++;
        for (int k = 0; k < node->ninputs && *known; k++) {
            CUNA_TRY(copy_input(known, replay, copy, k, &node->input[k], arrays));
            copy->ninputs++;
        }
    }
    replay->device = queue->count > 0 ? queue->device : NULL;
    return CUNA_OK;
}

/* The recorded node whose value a buffer will have, or CUNA_NOWHERE. */
static int find_node(const cuna_buffer *buffer)
{
    const cuna_node *node = cuna__node_of(cuna__buffer_recipe(buffer));
    return node != NULL && node->state == CUNA_NODE_QUEUED ? node->index : CUNA_NOWHERE;
}

/* Notes the arrays that were written. One that is freed, or that is a part of a written one, is none for a replay. */
static cuna_status copy_writes(bool *known, cuna_replay *replay, const cuna_array *const *arrays)
{
    replay->writes = calloc((size_t)replay->nsources + 1, sizeof *replay->writes);
    if (replay->writes == NULL)
        return fail_memory();
    for (int i = 0; i < replay->nsources && *known; i++) {
        int node = find_node(arrays[i]->buffer);
        if (node == CUNA_NOWHERE || replay->sources[i].twin != i)
            continue;
        *known = cuna__array_is_all(arrays[i]);
        replay->writes[replay->nwrites++] = (cuna_write){node, i};
        replay->wanted[node] = true;
    }
    return CUNA_OK;
}

static cuna_status copy_result(bool *known, cuna_replay *replay, cuna_given *out, const cuna_array *array,
                               const cuna_array *const *arrays)
{
    int i = 0;
    out->from = (cuna_origin){CUNA_NOWHERE, find_node(array->buffer), array->offset};
    while (i < replay->nsources && arrays[i]->buffer != array->buffer)
        i++;
    if (i < replay->nsources)
        out->from = (cuna_origin){i, CUNA_NOWHERE, array->offset - arrays[i]->offset};
    else if (out->from.node != CUNA_NOWHERE)
        replay->wanted[out->from.node] = true;
    *known = i < replay->nsources || out->from.node != CUNA_NOWHERE;
    return *known ? copy_form(&out->form, array) : CUNA_OK;
}

static cuna_status copy_results(bool *known, cuna_replay *replay, int nresults, const cuna_array *const *results,
                                const cuna_array *const *arrays)
{
    replay->results = calloc((size_t)nresults + 1, sizeof *replay->results);
    if (replay->results == NULL)
        return fail_memory();
    for (; replay->nresults < nresults && *known; replay->nresults++)
        CUNA_TRY(copy_result(known, replay, &replay->results[replay->nresults], results[replay->nresults], arrays));
    return CUNA_OK;
}

static void release_leaves(cuna_replay *replay)
{
    for (int i = 0; i < replay->nleaves; i++)
        cuna__buffer_release(replay->nodes[replay->leaves[i].node]->input[replay->leaves[i].input].array.buffer);
    cuna__replay_clear(replay);
}

/* Whether the value of a node is all that a replay does. */
static bool gives_whole(const cuna_replay *replay, int node)
{
    return replay->nwrites == 0 && replay->nresults == 1 && replay->results[0].from.node == node &&
           cuna__gives_all(&replay->results[0].form, replay->nodes[node]);
}

static cuna_status make_plan(cuna_replay *replay)
{
    CUNA_TRY(cuna__plan_create(&replay->plan, replay->count, replay->nodes, replay->wanted, CUNA_REACH_ROWS));
    const cuna_step *step = &replay->plan->steps[0];
    bool is_single = replay->plan->nsteps == 1 && !cuna__node_moves(replay->nodes[step->node]);
    bool is_map = is_single && cuna_program_get_text(step->program)->kind == CUNA_PROGRAM_MAP;
    replay->writes_directly = is_map;
    replay->is_operation = is_single && step->program->is_plain && step->program->noperands > 1 &&
                           (gives_whole(replay, step->output[0]) || (is_map && replay->nresults == 0));
    return CUNA_OK;
}

/* Copies the queue's nodes. What is not known makes no replay. */
static cuna_status copy_all(bool *known, cuna_replay *replay, const cuna_queue *queue, const cuna_array *const *arrays,
                            int nresults, const cuna_array *const *results)
{
    for (int i = 0; i < replay->nsources && *known; i++)
        *known = arrays[i]->buffer != NULL;
    for (int i = 0; i < nresults && *known; i++)
        *known = results[i]->buffer != NULL;
    if (*known)
        CUNA_TRY(copy_sources(replay, arrays));
    if (*known)
        CUNA_TRY(copy_nodes(known, replay, queue, arrays));
    if (*known)
        CUNA_TRY(copy_writes(known, replay, arrays));
    if (*known)
        CUNA_TRY(copy_results(known, replay, nresults, results, arrays));
    return *known && replay->count > 0 ? make_plan(replay) : CUNA_OK;
}

cuna_status cuna_replay_make(bool *made, cuna_replay *replay, cuna_context *context, const cuna_array *const *arrays,
                             int nresults, const cuna_array *const *results)
{
    cuna_queue *queue = context->queue;
    *made = queue->context->is_watched;
    cuna__queue_unwatch(queue);
    if (!*made)
        return CUNA_OK;
    for (int i = 0; i < queue->count; i++)
        queue->nodes[i]->index = i;
    cuna_status status = copy_all(made, replay, queue, arrays, nresults, results);
    release_leaves(replay);
    if (status == CUNA_OK)
        status = *made ? cuna__queue_flush_wanted(queue, replay->wanted) : cuna__queue_end_watch(queue);
    *made = *made && context->rehearsal == NULL; /* a rehearsal does not record what writes to arrays */
    return status;
}

void cuna_replay_free(cuna_replay *replay)
{
    if (replay == NULL)
        return;
    for (int i = 0; i < replay->nleaves; i++)
        drop_form(&replay->nodes[replay->leaves[i].node]->input[replay->leaves[i].input].array);
    for (int i = 0; i < replay->count; i++) {
        cuna_program_release(replay->nodes[i]->program);
        free(replay->nodes[i]);
    }
    for (int i = 0; i < replay->nsources; i++)
        drop_form(&replay->sources[i].form);
    for (int i = 0; i < replay->nresults; i++)
        drop_form(&replay->results[i].form);
    cuna__plan_free(replay->plan);
    free(replay->sources);
    free(replay->leaves);
    free(replay->writes);
    free(replay->results);
    free(replay);
}
