/* plan.c: which kernels compute recorded operations.
 *
 * A node that reads another one's value element for element, in the same shape, can be in one kernel with it. Where it
 * reads the value otherwise (it broadcasts it, or views it), the value is stored before: the reader is at a level above.
 * Connected nodes of a level are a group, and a group is one program, or several where that is too much for one. */
#include "record/queue.h"

typedef struct plan {
    cuna_queue *queue;
    int count;
    cuna_node *const *nodes;
    int level[CUNA_QUEUE_NODES], group[CUNA_QUEUE_NODES]; /* a group's number is its first node's */
    bool stored[CUNA_QUEUE_NODES], needed[CUNA_QUEUE_NODES];
} plan;

/* ---- levels and groups ---- */

static bool same_shape(const cuna_node *a, const cuna_node *b)
{
    return a->ndim == b->ndim && cuna__same_lengths(a->shape, b->shape, a->ndim);
}

/* A node of the plan whose value another one reads, or NULL. */
static const cuna_node *source_of(const cuna_node *node, int k)
{
    const cuna_node *from = node->input[k].from;
    return from != NULL && from->state != CUNA_NODE_DONE ? from : NULL;
}

static void find_levels(plan *p)
{
    for (int i = 0; i < p->count; i++) {
        p->level[i] = 0;
        for (int k = 0; k < p->nodes[i]->ninputs; k++) {
            const cuna_node *from = source_of(p->nodes[i], k);
            if (from != NULL) {
                int least = p->level[from->index] + !same_shape(from, p->nodes[i]);
                p->level[i] = least > p->level[i] ? least : p->level[i];
            }
        }
    }
}

static bool is_joined(const plan *p, const cuna_node *from, int i)
{
    return p->level[from->index] == p->level[i] && same_shape(from, p->nodes[i]);
}

/* What is needed for what is wanted, and what is stored for others. */
static void find_needed(plan *p, const bool *wanted)
{
    for (int i = p->count - 1; i >= 0; i--) {
        p->stored[i] |= wanted[i];
        p->needed[i] |= p->stored[i];
        for (int k = 0; k < p->nodes[i]->ninputs && p->needed[i]; k++) {
            const cuna_node *from = source_of(p->nodes[i], k);
            if (from == NULL)
                continue;
            p->needed[from->index] = true;
            p->stored[from->index] |= !is_joined(p, from, i);
        }
    }
}

static void join_groups(plan *p, int a, int b)
{
    int from = a > b ? a : b, to = a > b ? b : a;
    for (int i = 0; i < p->count && from != to; i++)
        if (p->group[i] == from)
            p->group[i] = to;
}

static void find_groups(plan *p)
{
    for (int i = 0; i < p->count; i++) {
        p->group[i] = i;
        for (int k = 0; k < p->nodes[i]->ninputs && p->needed[i]; k++) {
            const cuna_node *from = source_of(p->nodes[i], k);
            if (from != NULL && is_joined(p, from, i))
                join_groups(p, p->group[i], p->group[from->index]);
        }
    }
}

/* ---- running ---- */

static cuna_status make_result(const plan *p, cuna_node *node)
{
    cuna_context *context = p->queue->context;
    uint8_t dtype = cuna__node_text(node)->output_dtype[0];
    if (node->buffer == NULL)
        return cuna_array_create_on(&node->result, context, p->queue->device, dtype, node->ndim, node->shape);
    CUNA_TRY(cuna__buffer_take_memory(node->buffer, context));
    cuna_status status = cuna__array_over(&node->result, node->buffer, dtype, node->ndim, node->shape);
    if (status != CUNA_OK)
        cuna__buffer_give_back(node->buffer);
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

/* A program that nobody refers to loses its kernels, so the queue keeps the last ones; it takes the caller's reference. */
static void keep_program(cuna_queue *queue, const cuna_program *program)
{
    const cuna_program **slot = &queue->programs[(uintptr_t)program / sizeof *program % CUNA_QUEUE_PROGRAMS];
    if (*slot != NULL)
        cuna_program_release(*slot);
    *slot = program;
}

static cuna_status run_composed(const plan *p, const cuna_composed *c, int count, cuna_node *const *nodes,
                                const bool *stored)
{
    const cuna_program *program;
    cuna_array *outputs[CUNA_MAX_OPERANDS];
    int noutputs = 0;
    for (int i = 0; i < count; i++) {
        if (!stored[i])
            continue;
        CUNA_TRY(make_result(p, nodes[i]));
        outputs[noutputs++] = &nodes[i]->result;
    }
    CUNA_TRY(cuna_program_intern(&program, &c->text));
    keep_program(p->queue, program);
    return cuna_elementwise(p->queue->context, nodes[count - 1]->name, program, c->inputs, outputs, nodes[0]->ndim,
                            nodes[0]->shape);
}

/* A node alone has the kernel that it would have had at once. */
static cuna_status run_single(const plan *p, cuna_node *node)
{
    cuna_operand inputs[CUNA_MAX_OPERANDS];
    cuna_array *outputs[] = {&node->result};
    for (int k = 0; k < node->ninputs; k++)
        cuna__node_operand(&inputs[k], &node->input[k]);
    CUNA_TRY(make_result(p, node));
    return cuna_elementwise(p->queue->context, node->name, node->program, inputs, outputs, node->ndim, node->shape);
}

/* Which of the first nodes of a group are stored when these are one program: besides those that are stored anyway, those
 * that the rest of the group reads (`last[i]`: the last node of the group that reads nodes[i]). Returns how many. */
static int find_stored(bool *stored, const plan *p, cuna_node *const *nodes, const int *last, int most)
{
    int found = 0;
    for (int i = 0; i < most; i++) {
        stored[i] = p->stored[nodes[i]->index] || last[i] >= most;
        found += stored[i];
    }
    return found;
}

static void find_last_readers(int *last, const plan *p, int count, cuna_node *const *nodes)
{
    int place[CUNA_QUEUE_NODES];
    for (int i = 0; i < p->count; i++)
        place[i] = -1;
    for (int i = 0; i < count; i++) {
        last[i] = 0;
        place[nodes[i]->index] = i;
        for (int k = 0; k < nodes[i]->ninputs; k++) {
            const cuna_node *from = source_of(nodes[i], k);
            if (from != NULL && place[from->index] >= 0)
                last[place[from->index]] = i;
        }
    }
}

/* How many of a group's first nodes have no more instructions than a program. */
static int count_short(int count, cuna_node *const *nodes)
{
    int ninstructions = 0, n = 0;
    while (n < count && (ninstructions += cuna__node_text(nodes[n])->ninstructions) <= CUNA_MAX_INSTRUCTIONS)
        n++;
    return n;
}

/* Composes the next program of a group; returns how many nodes it has. Of the cuts in the second half of what there is
 * room for it takes the one across which fewest values are read. */
static int compose_next(cuna_composed *c, bool *stored, const plan *p, int count, cuna_node *const *nodes)
{
    int last[CUNA_QUEUE_NODES];
    int most = count_short(count, nodes), cut = most, least = CUNA_QUEUE_NODES;
    find_last_readers(last, p, count, nodes);
    for (int at = most; most < count && at > most / 2; at--) {
        int found = find_stored(stored, p, nodes, last, at);
        if (found < least) {
            least = found;
            cut = at;
        }
    }
    for (; cut > 1; cut--) {
        find_stored(stored, p, nodes, last, cut);
        if (cuna__compose(c, cut, nodes, stored))
            return cut;
    }
    return 1;
}

static cuna_status run_group(plan *p, int count, cuna_node **nodes)
{
    bool stored[CUNA_QUEUE_NODES];
    cuna_composed c;
    for (int done = 0, cut; done < count; done += cut) {
        cut = compose_next(&c, stored, p, count - done, nodes + done);
        if (cut == 1)
            CUNA_TRY(run_single(p, nodes[done]));
        else
            CUNA_TRY(run_composed(p, &c, cut, nodes + done, stored));
    }
    return CUNA_OK;
}

/* A group and, before it, those whose values it reads otherwise: they are at levels below. */
static cuna_status run_level(plan *p, int level)
{
    for (int first = 0; first < p->count; first++) {
        cuna_node *nodes[CUNA_QUEUE_NODES];
        int count = 0;
        for (int i = first; i < p->count && p->needed[first] && p->level[first] == level; i++)
            if (p->group[i] == first && p->needed[i])
                nodes[count++] = p->nodes[i];
        if (count > 0)
            CUNA_TRY(run_group(p, count, nodes));
    }
    return CUNA_OK;
}

cuna_status cuna__plan_run(cuna_queue *queue, int count, cuna_node *const *nodes, const bool *wanted)
{
    plan p = {.queue = queue, .count = count, .nodes = nodes};
    cuna_status status = CUNA_OK;
    find_levels(&p);
    find_needed(&p, wanted);
    find_groups(&p);
    for (int level = 0; level < count && status == CUNA_OK; level++)
        status = run_level(&p, level);
    for (int i = 0; i < count; i++) {
        if (status != CUNA_OK)
            unmake_result(nodes[i]);
        else
            nodes[i]->state = nodes[i]->result.buffer != NULL ? CUNA_NODE_DONE : CUNA_NODE_PASSED;
    }
    return status;
}
