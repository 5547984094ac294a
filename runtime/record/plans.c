/* plans.c: plans that served before.
 *
 * A plan depends on the device, whose engines may decline steps, on the programs of nodes, on which of their inputs are
 * the same, and on which shapes are: not on the arrays, numbers and shapes themselves. All that is written as words, and
 * plans are found by these. */
#include <stdlib.h>
#include <string.h>

#include "record/plan.h"

#define INPUT_SLOTS (4 * CUNA_QUEUE_NODES * CUNA_MAX_OPERANDS)
#define MAX_WORDS   (1 + CUNA_QUEUE_NODES * (3 + CUNA_MAX_OPERANDS / 2))

typedef struct description {
    int count;
    cuna_node *const *nodes;
    int nshapes, nwords;
    const cuna_space *shape[2 * CUNA_QUEUE_NODES];
    uint64_t words[MAX_WORDS];
} description;

/* Most of the fields stay unused, and are not set. */
static void begin(description *d, int count, cuna_node *const *nodes)
{
    d->count = count;
    d->nodes = nodes;
    d->nshapes = d->nwords = 0;
    d->words[d->nwords++] = (uintptr_t)nodes[0]->device;
}

/* ---- inputs that are the same ---- */

static bool same_array(const cuna_array *a, const cuna_array *b)
{
    return a->buffer == b->buffer && a->offset == b->offset && a->dtype == b->dtype && a->ndim == b->ndim &&
           memcmp(a->dims, b->dims, 2 * a->ndim * sizeof *a->dims) == 0;
}

/* The array in memory that an input will be, or NULL for a number. */
static const cuna_array *array_of(const cuna_node_input *in)
{
    if (in->array.buffer != NULL)
        return &in->array;
    return in->from != NULL ? &in->from->result : NULL;
}

static bool same_input(const cuna_node_input *a, const cuna_node_input *b)
{
    const cuna_array *x = array_of(a), *y = array_of(b);
    if (x != NULL || y != NULL)
        return x != NULL && y != NULL && same_array(x, y);
    const cuna_number *p = &a->number, *q = &b->number;
    return p->kind == q->kind && p->u == q->u && (p->kind != CUNA_NUMBER_COMPLEX || p->imag == q->imag);
}

static uint64_t hash_input(const cuna_node_input *in)
{
    const cuna_array *array = array_of(in);
    uint64_t word = array != NULL ? (uintptr_t)array->buffer + (uint64_t)array->offset : in->number.u;
    return word * 0x9e3779b97f4a7c15u >> 32;
}

/* Numbers the inputs that are not a node's whole value. */
static void number_inputs(const description *d)
{
    cuna_node_input *slots[INPUT_SLOTS];
    int ninputs = 0, nleaves = 0, nslots = 2;
    for (int i = 0; i < d->count; i++)
        ninputs += d->nodes[i]->ninputs;
    while (nslots < 2 * ninputs)
        nslots *= 2;
    memset(slots, 0, (size_t)nslots * sizeof *slots);
    for (int i = 0; i < d->count; i++)
        for (int k = 0; k < d->nodes[i]->ninputs; k++) {
            cuna_node_input *in = &d->nodes[i]->input[k];
            if (cuna__input_node(in) != NULL)
                continue;
            uint64_t at = hash_input(in) % (uint64_t)nslots;
            while (slots[at] != NULL && !same_input(slots[at], in))
                at = (at + 1) % (uint64_t)nslots;
            in->leaf = slots[at] != NULL ? slots[at]->leaf : nleaves++;
            slots[at] = in;
        }
}

/* ---- words ---- */

static uint64_t number_shape(description *d, const cuna_space *space)
{
    int at = d->nshapes - 1;
    while (at >= 0 &&
           (d->shape[at]->ndim != space->ndim || !cuna__same_lengths(d->shape[at]->shape, space->shape, space->ndim)))
        at--;
    if (at < 0)
        d->shape[at = d->nshapes++] = space;
    return (uint64_t)at;
}

/* 32 bits: which it is, and of a view, whose. */
static uint64_t describe_input(const cuna_node_input *in)
{
    const cuna_node *from = cuna__input_node(in);
    bool views = from == NULL && in->from != NULL && in->from->state != CUNA_NODE_DONE;
    if (from != NULL)
        return (uint64_t)1 << 31 | (uint64_t)from->index;
    return (uint64_t)in->leaf | (views ? (uint64_t)(in->from->index + 1) << 16 : 0);
}

static void describe_node(description *d, const cuna_node *node, bool wanted)
{
    uint64_t pair = 0;
    d->words[d->nwords++] = (uintptr_t)node->program;
    d->words[d->nwords++] = (uint64_t)node->axes << 32 | number_shape(d, &node->walk) << 16 |
                            number_shape(d, &node->value) << 4 | (uint64_t)node->keepdims << 1 | wanted;
    for (int k = 0; k < node->ninputs; k++) {
        pair = pair << 32 | describe_input(&node->input[k]);
        if (k % 2 == 1 || k + 1 == node->ninputs) {
            d->words[d->nwords++] = pair;
            pair = 0;
        }
    }
}

static uint64_t hash_words(const description *d)
{
    uint64_t hash = 0;
    for (int i = 0; i < d->nwords; i++) {
        hash = (hash ^ d->words[i]) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 32;
    }
    return hash;
}

/* ---- values that only steps read ---- */

/* The node of the plan whose value a leaf is, or views; NULL: none. */
static const cuna_node *node_of(const description *d, const cuna_leaf *leaf)
{
    const cuna_node *node = d->nodes[leaf->node];
    if (leaf->input < 0)
        return leaf->input == CUNA_LEAF_VALUE ? node : NULL;
    const cuna_node *from = node->input[leaf->input].from;
    return from != NULL && from->state != CUNA_NODE_DONE ? from : NULL;
}

static void find_last_readers(int *reader, const cuna_plan *plan, const description *d, const bool *wanted)
{
    for (int i = 0; i < d->count; i++)
        reader[i] = -1;
    for (int i = 0; i < plan->nsteps; i++)
        for (int k = 0; k < plan->steps[i].ninputs; k++) {
            const cuna_node *node = node_of(d, &plan->steps[i].input[k]);
            if (node != NULL && !wanted[node->index])
                reader[node->index] = i;
        }
}

/* Says after which step a value can go. */
static cuna_status end_values(cuna_plan *plan, const description *d, const bool *wanted)
{
    int reader[CUNA_QUEUE_NODES];
    uint8_t *at = plan->last = malloc((size_t)d->count);
    if (at == NULL)
        return cuna_fail(CUNA_MEMORY, "the host has no memory left for a plan");
    find_last_readers(reader, plan, d, wanted);
    for (int i = 0; i < plan->nsteps; i++) {
        cuna_step *step = &plan->steps[i];
        step->last = at;
        for (int node = 0; node < d->count; node++)
            if (reader[node] == i)
                *at++ = (uint8_t)node;
        step->nlast = (int)(at - step->last);
    }
    return CUNA_OK;
}

/* ---- the table ---- */

/* The plan has copies of the words, and references to the programs, so that no other ones get their addresses. */
static cuna_status keep_description(cuna_plan *plan, const description *d, uint64_t hash)
{
    plan->words = malloc((size_t)d->nwords * sizeof *plan->words);
    plan->programs = malloc((size_t)d->count * sizeof(cuna_program *));
    if (plan->words == NULL || plan->programs == NULL)
        return cuna_fail(CUNA_MEMORY, "the host has no memory left for a plan");
    memcpy(plan->words, d->words, (size_t)d->nwords * sizeof *plan->words);
    plan->nwords = d->nwords;
    plan->hash = hash;
    for (; plan->nprograms < d->count; plan->nprograms++) {
        plan->programs[plan->nprograms] = d->nodes[plan->nprograms]->program;
        cuna_program_retain(plan->programs[plan->nprograms]);
    }
    return CUNA_OK;
}

static bool serves(const cuna_plan *plan, const description *d, uint64_t hash)
{
    return plan != NULL && plan->hash == hash && plan->nwords == d->nwords &&
           memcmp(plan->words, d->words, (size_t)d->nwords * sizeof *plan->words) == 0;
}

static cuna_status make_plan(cuna_plan **out, const description *d, const bool *wanted, uint64_t hash, cuna_reach reach)
{
    bool inside[CUNA_QUEUE_NODES];
    cuna_plan *plan = *out = calloc(1, sizeof *plan);
    if (plan == NULL)
        return cuna_fail(CUNA_MEMORY, "the host has no memory left for a plan");
    memset(inside, true, sizeof inside);
    cuna_status status = cuna__plan_make(plan, d->count, d->nodes, inside, wanted, reach);
    if (status == CUNA_OK)
        status = end_values(plan, d, wanted);
    return status == CUNA_OK ? keep_description(plan, d, hash) : status;
}

static void describe(description *d, int count, cuna_node *const *nodes, const bool *wanted)
{
    begin(d, count, nodes);
    number_inputs(d);
    for (int i = 0; i < count; i++)
        describe_node(d, nodes[i], wanted[i]);
}

cuna_status cuna__plan_create(cuna_plan **out, int count, cuna_node *const *nodes, const bool *wanted, cuna_reach reach)
{
    description d;
    describe(&d, count, nodes, wanted);
    cuna_status status = make_plan(out, &d, wanted, hash_words(&d), reach);
    if (status != CUNA_OK) {
        cuna__plan_free(*out);
        *out = NULL;
    }
    return status;
}

/* Puts a plan first of those with a hash like its own; the others move up to its place. */
static void put_first(cuna_plan **like, cuna_plan *plan, int place)
{
    memmove(like + 1, like, (size_t)place * sizeof *like);
    like[0] = plan;
}

cuna_status cuna__plan_find(cuna_plan **out, cuna_queue *queue, int count, cuna_node *const *nodes, const bool *wanted)
{
    description d;
    describe(&d, count, nodes, wanted);
    uint64_t hash = hash_words(&d);
    cuna_plan **like = queue->plans[hash % CUNA_QUEUE_PLANS];
    int place = 0;
    while (place < CUNA_QUEUE_ALIKE && !serves(like[place], &d, hash))
        place++;
    if (place < CUNA_QUEUE_ALIKE) {
        *out = like[place];
        put_first(like, *out, place);
        return CUNA_OK;
    }
    cuna_status status = make_plan(out, &d, wanted, hash, CUNA_REACH_ROWS);
    cuna__plan_free(status == CUNA_OK ? like[CUNA_QUEUE_ALIKE - 1] : *out);
    if (status == CUNA_OK)
        put_first(like, *out, CUNA_QUEUE_ALIKE - 1);
    return status;
}

void cuna__plans_drop(cuna_queue *queue)
{
    for (int i = 0; i < CUNA_QUEUE_PLANS; i++)
        for (int k = 0; k < CUNA_QUEUE_ALIKE; k++)
            cuna__plan_free(queue->plans[i][k]);
}
