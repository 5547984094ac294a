/* join.c: arrays joined along an axis, as an operation that is recorded.
 *
 * A value that only the join reads gets no memory of its own: its kernel writes it where it lies in the join's result.
 * Arrays that are in memory, and values that others read too, are copied there. */
#include "record/join.h"

#include "record/draft.h"

#define MOST_PIECES (CUNA_MAX_OPERANDS - 1) /* operands of a program but its output */
#define STACKED     ((uint32_t)1 << 31)     /* among the axes of a node: the joined axis is a new one */

/* ---- nodes ---- */

/* The program of such nodes, which stands for what cuna__join_run does. */
static cuna_status join_program(const cuna_program **out, cuna_dtype dtype, int narrays,
                                const cuna_array *const *arrays)
{
    cuna_program_text text = {.ninputs = (uint8_t)narrays, .noutputs = 1};
    for (int k = 0; k < narrays; k++)
        text.input_dtype[k] = arrays[k]->dtype;
    text.output_dtype[0] = (uint8_t)dtype;
    return cuna_program_intern(out, &text);
}

/* Joining arrays that are in memory is a copy, which gains nothing; but while anything is recorded, all is. */
static bool is_worth_it(const cuna_context *context, const cuna_joint *j)
{
    const cuna_queue *queue = context->queue;
    return queue != NULL && j->narrays > 1 && j->narrays <= MOST_PIECES && 1u << j->axis < STACKED &&
           (context->is_watched || (queue->count > 0 && queue->device == j->device));
}

static cuna_status record(bool *recorded, cuna_array *out, cuna_context *context, const cuna_joint *j,
                          const cuna_array *const *arrays)
{
    cuna_draft d;
    cuna_node *node;
    const cuna_program *program;
    cuna_operand inputs[MOST_PIECES];
    for (int k = 0; k < j->narrays; k++)
        inputs[k] = (cuna_operand){.array = arrays[k]};
    CUNA_TRY(join_program(&program, j->dtype, j->narrays, arrays));
    cuna__draft_begin(&d, context, program, inputs);
    cuna__draft_take_shape(&d, j->ndim, j->shape);
    d.axes = 1u << j->axis | (j->stacked ? STACKED : 0);
    *recorded = cuna__draft_is_open(&d) && cuna__draft_takes_pieces(&d);
    cuna_status status = *recorded ? cuna__draft_make_node(&node, context->queue, j->name, &d) : CUNA_OK;
    if (status == CUNA_OK && *recorded) {
        node->is_join = true;
        status = cuna__array_create_recorded(out, d.device, j->dtype, j->ndim, j->shape, &node->recipe);
        if (status == CUNA_OK)
            cuna__draft_add(context->queue, node, out->buffer);
        cuna__node_release(node);
    }
    cuna_program_release(program);
    return status;
}

/* Values of another dtype, too, are computed where they lie: what is recorded there is the conversion. */
static cuna_status record_converted(bool *recorded, cuna_array *out, cuna_context *context, const cuna_joint *j)
{
    int nconverted = 0;
    cuna_status status = CUNA_OK;
    const cuna_array *arrays[MOST_PIECES];
    cuna_array converted[MOST_PIECES];
    for (int k = 0; k < j->narrays && status == CUNA_OK; k++) {
        const cuna_array *array = arrays[k] = j->arrays[k];
        if (array->dtype == j->dtype || array->buffer == NULL || cuna__buffer_recipe(array->buffer) == NULL)
            continue;
        arrays[k] = &converted[nconverted];
        converted[nconverted] = (cuna_array){.buffer = NULL};
        status = cuna_record_cast(&converted[nconverted], context, array, j->dtype);
        nconverted += status == CUNA_OK;
    }
    if (status == CUNA_OK)
        status = record(recorded, out, context, j, arrays);
    for (int k = 0; k < nconverted; k++)
        cuna_array_release(&converted[k]);
    return status;
}

cuna_status cuna_record_join(cuna_array *out, cuna_context *context, const cuna_joint *j)
{
    bool recorded = false;
    if (is_worth_it(context, j))
        CUNA_TRY(record_converted(&recorded, out, context, j));
    if (recorded)
        return CUNA_OK;
    CUNA_TRY(cuna_array_create_on(out, context, j->device, j->dtype, j->ndim, j->shape));
    cuna_status status = cuna_array_join(context, out, j->axis, j->stacked, j->narrays, j->arrays);
    if (status != CUNA_OK)
        cuna_array_release(out);
    return status;
}

/* ---- places ---- */

static bool is_stacked(const cuna_node *join)
{
    return (join->axes & STACKED) != 0;
}

static int axis_of(const cuna_node *join)
{
    return __builtin_ctz(join->axes);
}

/* The node of the plan whose value, all of it or a view, an input is; NULL: there is none. */
static cuna_node *origin_of(const cuna_node_input *in)
{
    return in->from != NULL && in->from->state != CUNA_NODE_DONE ? in->from : NULL;
}

/* Scans combine in an order that depends on how their results lie, and what moves values has its own memory. */
static bool may_lie_inside(const cuna_node *piece, const cuna_node *join)
{
    const cuna_program_text *text = cuna__node_text(piece);
    return text->kind == CUNA_PROGRAM_MAP && !cuna__node_moves(piece) && piece->result.buffer == NULL &&
           text->output_dtype[0] == cuna__node_text(join)->output_dtype[0];
}

static void place_pieces(cuna_node *join, const int *nreaders, const bool *wanted)
{
    for (int k = 0; k < join->ninputs; k++) {
        cuna_node *piece = origin_of(&join->input[k]);
        if (piece != NULL && join->input[k].array.buffer == NULL && nreaders[piece->index] == 1 &&
            !wanted[piece->index] && may_lie_inside(piece, join))
            piece->into = join;
    }
}

void cuna__join_place(int count, cuna_node *const *nodes, const bool *wanted)
{
    int nreaders[CUNA_QUEUE_NODES] = {0};
    bool any = false;
    for (int i = 0; i < count; i++) {
        any |= nodes[i]->is_join;
        for (int k = 0; k < nodes[i]->ninputs; k++)
            if (origin_of(&nodes[i]->input[k]) != NULL)
                nreaders[nodes[i]->input[k].from->index]++;
    }
    for (int i = 0; i < count && any; i++)
        if (nodes[i]->is_join)
            place_pieces(nodes[i], nreaders, wanted);
}

void cuna__join_leave(int count, cuna_node *const *nodes)
{
    for (int i = 0; i < count; i++)
        for (int k = 0; nodes[i]->is_join && k < nodes[i]->ninputs; k++)
            if (nodes[i]->input[k].from != NULL && nodes[i]->input[k].from->into == nodes[i])
                nodes[i]->input[k].from->into = NULL;
}

bool cuna__join_is_placed(const cuna_node *join)
{
    int k = 0;
    while (k < join->ninputs && join->input[k].from != NULL && join->input[k].from->into == join)
        k++;
    return join->is_join && k == join->ninputs;
}

/* How far an input of a join goes along the joined axis. */
static int64_t length_of(const cuna_node *join, int k)
{
    const cuna_node_input *in = &join->input[k];
    const int64_t *shape = in->array.buffer != NULL ? cuna_array_shape(&in->array) : in->from->value.shape;
    return is_stacked(join) ? 1 : shape[axis_of(join)];
}

cuna_status cuna__join_view(cuna_array *out, const cuna_node *join, const cuna_node *piece)
{
    cuna_geometry part = {.ndim = piece->value.ndim};
    const int64_t *strides = cuna_array_strides(&join->result);
    int axis = axis_of(join);
    for (int k = 0; join->input[k].from != piece; k++)
        part.offset += length_of(join, k) * strides[axis];
    cuna__copy_lengths(part.shape, piece->value.shape, part.ndim);
    for (int i = 0; i < part.ndim; i++)
        part.strides[i] = strides[i + (is_stacked(join) && i >= axis)];
    return cuna_array_view(out, &join->result, (cuna_dtype)join->result.dtype, &part);
}

cuna_status cuna__join_run(cuna_context *context, const cuna_node *join, const cuna_operand *pieces)
{
    const cuna_array *arrays[MOST_PIECES];
    for (int k = 0; k < join->ninputs; k++)
        arrays[k] = pieces[k].array;
    return cuna_array_join(context, &join->result, axis_of(join), is_stacked(join), join->ninputs, arrays);
}
