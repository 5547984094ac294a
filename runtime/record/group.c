/* group.c: which recorded operations belong together.
 *
 * A node that reads another one's value element for element can be in one kernel with it, as can a fold with what it
 * folds, and, if rows are folded in stages, what reads a row's result with the row. Where a value is read otherwise (it
 * broadcasts, or is viewed), or it is a scan's, it is stored before: the reader is at a level above. What only readers
 * at a higher level need is computed there. Nodes of a level that are connected, or walk alike and read one array, are
 * a group. */
#include "record/group.h"

#include <string.h>

enum { SHORT_INSTRUCTIONS = 16 };

#define SCANS ((uint32_t)1 << 31) /* among the axes of a group: no axes of folds */

/* ---- levels ---- */

/* The node of the plan whose value an input is, or views. */
static const cuna_node *origin_of(const cuna_grouping *g, const cuna_node *node, int k)
{
    const cuna_node *from = node->input[k].from;
    return from != NULL && from->state != CUNA_NODE_DONE && g->inside[from->index] ? from : NULL;
}

/* What a node and those that it may share a kernel with have in common. */
typedef struct relation {
    bool found, is_row, keepdims;
    uint32_t axes;
    const cuna_node *walker;
} relation;

/* Whether a node's relation to one that it reads, `next`, agrees with those found before, which become its. */
static bool agree(relation *all, const relation *next)
{
    bool same_axes = !all->found || all->axes == 0 || next->axes == 0 || all->axes == next->axes;
    bool same_rows = !all->found || (all->is_row == next->is_row && all->keepdims == next->keepdims &&
                                     (!next->is_row || cuna__same_space(&all->walker->walk, &next->walker->walk)));
    uint32_t axes = next->axes != 0 ? next->axes : all->axes;
    *all = *next;
    all->found = true;
    all->axes = axes;
    return same_axes && same_rows;
}

/* Whether a node makes numbers that another program makes faster in one piece. */
static bool has_filler(const cuna_node *node)
{
    bool many = node->device->driver->facts.lanes > 1;
    return node->program->filler[many].program != NULL;
}

/* Whether random numbers cost much more one by one than in one piece, as whole ones do on processors: 1e6 of them in a
 * sum with others take 12 ms, stored before 1.8. */
static bool is_slow_draw(const cuna_node *node)
{
    char kind = cuna_dtype_kind((cuna_dtype)cuna__node_text(node)->output_dtype[0]);
    return has_filler(node) && node->device->driver->facts.lanes == 1 && (kind == 'i' || kind == 'u');
}

/* Whether a node is never in one kernel with others: one that moves values, and on devices of many lanes one that calls
 * functions (cuna__codegen_calls). */
static bool is_alone(const cuna_node *node)
{
    return cuna__node_moves(node) || (node->program->calls && node->device->driver->facts.lanes > 1);
}

/* Whether a value is stored before others read it: an array that is made in one piece anyway, one of a node that is alone,
 * a scan, a product where steps are simple, or what the walk of rows in stages cannot compute. */
static bool is_apart(const cuna_grouping *g, const cuna_node *from)
{
    return is_alone(from) || (g->reach < CUNA_REACH_STORED_ROWS && cuna__node_multiplies(from)) ||
           cuna__node_scans(from) || (g->wanted[from->index] && has_filler(from)) || is_slow_draw(from) ||
           (g->reach == CUNA_REACH_STORED_ROWS && cuna__lacks_rows(from));
}

/* Whether a node that combines values computes this one. A scan computes each several times, which costs more than to
 * store it where it is made of random numbers. A program has rows, or tiles of products. */
static bool may_combine(const cuna_grouping *g, const cuna_node *node, const cuna_node *from)
{
    return g->reach >= CUNA_REACH_PRODUCERS && !g->has_products[from->index] &&
           (!cuna__node_scans(node) || (g->axes[from->index] == 0 && !g->has_draws[from->index]));
}

/* How a node could be in one kernel with one whose value it reads. False if it cannot. */
static bool relate(relation *out, const cuna_grouping *g, const cuna_node *node, const cuna_node *from)
{
    const cuna_role *role = &g->role[from->index];
    const cuna_node *walker = g->walker[from->index];
    *out = (relation){.axes = g->axes[from->index]};
    if (g->reach == CUNA_REACH_ALONE || is_alone(node) || cuna__node_multiplies(node) || is_apart(g, from))
        return false;
    if (walker == NULL) /* an element for each of the walk's */
        return !cuna__node_folds(from) && cuna__same_space(&from->value, &node->walk) &&
               (!cuna__node_combines(node) || may_combine(g, node, from));
    if (cuna__node_scans(node))
        return false;
    if ((role->keepdims || from->value.ndim == 0) && cuna__same_space(&walker->walk, &node->walk))
        return true; /* a number of a row, or of all elements, broadcasts to these */
    out->is_row = true;
    out->keepdims = role->keepdims;
    out->walker = walker;
    return !cuna__node_folds(node) && cuna__same_space(&from->value, &node->walk);
}

/* A value of a row is computed from others of the row, and from numbers. */
static bool is_row_value(const cuna_grouping *g, const cuna_node *node)
{
    for (int k = 0; k < node->ninputs; k++)
        if (!cuna__is_joined(g, node, k) && !cuna__node_text(node)->input_scalar[k])
            return false;
    return true;
}

/* What a node has in common with those that it reads at its level; false if it cannot be in one kernel with all. */
static bool find_kin(relation *out, const cuna_grouping *g, const cuna_node *node)
{
    relation next;
    *out = (relation){.found = false};
    for (int k = 0; k < node->ninputs; k++)
        if (cuna__is_joined(g, node, k) && (!relate(&next, g, node, cuna__source_of(g, node, k)) || !agree(out, &next)))
            return false;
    bool same_axes = !cuna__node_folds(node) || out->axes == 0 || out->axes == node->axes;
    return same_axes && (!out->is_row || is_row_value(g, node));
}

static int lowest_level(const cuna_grouping *g, const cuna_node *node)
{
    int level = 0;
    relation ignored;
    for (int k = 0; k < node->ninputs; k++) {
        const cuna_node *from = origin_of(g, node, k);
        if (from == NULL)
            continue;
        bool joins = from == cuna__source_of(g, node, k) && relate(&ignored, g, node, from);
        int least = g->level[from->index] + !joins;
        level = least > level ? least : level;
    }
    return level;
}

/* Whether a node reads another one's value nowhere else than where its own elements are. */
static bool is_joined_only(const cuna_grouping *g, const cuna_node *node, const cuna_node *from)
{
    relation ignored;
    for (int k = 0; k < node->ninputs; k++)
        if (origin_of(g, node, k) == from && from != cuna__source_of(g, node, k))
            return false;
    return relate(&ignored, g, node, from);
}

/* What needs no array is computed with the first node that reads it. */
static void delay_sources(cuna_grouping *g, const cuna_node *node, bool *is_read)
{
    for (int k = 0; k < node->ninputs; k++) {
        const cuna_node *from = origin_of(g, node, k);
        if (from == NULL)
            continue;
        if (!is_read[from->index] && from->program->noperands == 1 && is_joined_only(g, node, from))
            g->level[from->index] = g->level[node->index];
        is_read[from->index] = true;
    }
}

/* Whether one that a node reads in its group has a property. */
static bool has_before(const cuna_grouping *g, const cuna_node *node, const bool *property)
{
    bool found = false;
    for (int k = 0; k < node->ninputs; k++)
        found |= cuna__is_joined(g, node, k) && property[cuna__source_of(g, node, k)->index];
    return found;
}

static void find_levels(cuna_grouping *g)
{
    bool is_read[CUNA_QUEUE_NODES] = {false};
    for (int i = 0; i < g->count; i++) {
        const cuna_node *node = g->nodes[i];
        relation kin = {.found = false};
        if (!g->inside[i])
            continue;
        g->level[i] = lowest_level(g, node);
        delay_sources(g, node, is_read);
        if (!find_kin(&kin, g, node)) {
            g->level[i]++;
            kin.axes = 0;
            kin.is_row = false;
        }
        bool folds = cuna__folds_rows(g, node);
        g->axes[i] = folds ? node->axes : kin.axes;
        g->walker[i] = folds ? node : kin.is_row ? kin.walker : NULL;
        g->has_draws[i] = has_filler(node) || has_before(g, node, g->has_draws);
        g->has_products[i] = cuna__node_multiplies(node) || has_before(g, node, g->has_products);
        g->role[i].is_row = folds || kin.is_row;
        g->role[i].keepdims = folds ? node->keepdims : kin.is_row && kin.keepdims;
    }
}

/* ---- later levels ---- */

/* Who reads a node's value: how many inputs of others, which node if there is one, and their level if they have one and
 * could all be in a kernel with it; else none. */
typedef struct audience {
    int count, level;
    const cuna_node *only;
} audience;

enum { NO_LEVEL = -1, MOST_SHARED = 2 };

static void add_reader(audience *of, const cuna_grouping *g, const cuna_node *node, int k)
{
    const cuna_node *from = origin_of(g, node, k);
    audience *a = &of[from->index];
    relation ignored;
    int level =
        from == cuna__source_of(g, node, k) && relate(&ignored, g, node, from) ? g->level[node->index] : NO_LEVEL;
    a->level = a->count == 0 || a->level == level ? level : NO_LEVEL;
    a->only = a->count == 0 || a->only == node ? node : NULL;
    a->count++;
}

static void find_audiences(audience *of, const cuna_grouping *g)
{
    memset(of, 0, (size_t)g->count * sizeof *of);
    for (int i = 0; i < g->count; i++)
        for (int k = 0; g->inside[i] && k < g->nodes[i]->ninputs; k++)
            if (origin_of(g, g->nodes[i], k) != NULL)
                add_reader(of, g, g->nodes[i], k);
}

/* An elementwise node that nobody wants, and that does not depend on folds in its group. */
static bool is_movable(const cuna_grouping *g, const cuna_node *node)
{
    return !g->wanted[node->index] && !cuna__node_combines(node) && !is_alone(node) && g->axes[node->index] == 0 &&
           g->walker[node->index] == NULL;
}

/* Whether other nodes of the level read an array that is in memory, too, as large as the walk. */
static bool is_shared(const cuna_grouping *g, const cuna_node *node, int k)
{
    const cuna_node_input *in = &node->input[k];
    if (cuna__node_text(node)->input_scalar[k] || cuna__input_node(in) != NULL)
        return false;
    for (int i = 0; i < g->count; i++)
        for (int m = 0; g->inside[i] && g->nodes[i] != node && m < g->nodes[i]->ninputs; m++)
            if (g->level[i] == g->level[node->index] && cuna__input_node(&g->nodes[i]->input[m]) == NULL &&
                g->nodes[i]->input[m].leaf == in->leaf)
                return true;
    return false;
}

/* Whether what a node reads in its group, which only it reads, can be computed with it later; what is stored anyway
 * need not. *nshared counts arrays that are then read once more. */
static bool can_wait(int *nshared, const cuna_grouping *g, const audience *of, const cuna_node *node)
{
    for (int k = 0; k < node->ninputs; k++) {
        const cuna_node *from = cuna__source_of(g, node, k);
        *nshared += is_shared(g, node, k);
        if (!cuna__is_joined(g, node, k) || g->wanted[from->index])
            continue;
        if (of[from->index].only != node || !is_movable(g, from) || !can_wait(nshared, g, of, from))
            return false;
    }
    return *nshared <= MOST_SHARED;
}

/* A value that only a node at a higher level reads is computed there, with what only it reads, and not stored. */
static void delay_values(cuna_grouping *g)
{
    audience of[CUNA_QUEUE_NODES];
    relation ignored;
    find_audiences(of, g);
    for (int i = g->count - 1; i >= 0; i--) {
        int nshared = 0, level = g->level[i];
        const cuna_node *node = g->nodes[i];
        if (!g->inside[i] || of[i].only == NULL || !is_movable(g, node))
            continue;
        int later = g->level[of[i].only->index];
        if (of[i].level == NO_LEVEL || later <= level || !can_wait(&nshared, g, of, node))
            continue;
        g->level[i] = later;
        if (!find_kin(&ignored, g, of[i].only))
            g->level[i] = level;
    }
}

/* ---- groups ---- */

/* What is needed for what is wanted, and what is stored for others. */
static void find_needed(cuna_grouping *g)
{
    for (int i = g->count - 1; i >= 0; i--) {
        if (!g->inside[i])
            continue;
        g->role[i].stored |= g->wanted[i];
        g->needed[i] |= g->role[i].stored;
        for (int k = 0; k < g->nodes[i]->ninputs && g->needed[i]; k++) {
            const cuna_node *from = origin_of(g, g->nodes[i], k);
            if (from == NULL)
                continue;
            g->needed[from->index] = true;
            g->role[from->index].stored |= !cuna__is_joined(g, g->nodes[i], k);
        }
    }
}

static void join_groups(cuna_grouping *g, int a, int b)
{
    int from = a > b ? a : b, to = a > b ? b : a;
    g->group_axes[to] |= g->group_axes[from];
    for (int i = 0; i < g->count && from != to; i++)
        if (g->group[i] == from)
            g->group[i] = to;
}

/* Whether two nodes read one array that is in memory. */
static bool share_input(const cuna_node *a, const cuna_node *b)
{
    for (int k = 0; k < a->ninputs; k++)
        for (int m = 0; m < b->ninputs && !cuna__node_text(a)->input_scalar[k]; m++)
            if (cuna__input_node(&a->input[k]) == NULL && cuna__input_node(&b->input[m]) == NULL &&
                a->input[k].leaf == b->input[m].leaf)
                return true;
    return false;
}

/* Whether two groups together are far from too much for a program. Products have enough to do. */
static bool are_short(const cuna_grouping *g, int a, int b)
{
    int ninstructions = 0, noperands = 0;
    for (int i = 0; i < g->count; i++) {
        const cuna_node *node = g->nodes[i];
        if (!g->needed[i] || (g->group[i] != a && g->group[i] != b))
            continue;
        if (cuna__node_multiplies(node))
            return false;
        ninstructions += cuna__node_text(node)->ninstructions + cuna__node_combines(node);
        noperands += g->role[i].stored;
        for (int k = 0; k < node->ninputs; k++)
            noperands += !cuna__is_joined(g, node, k); /* one that several nodes read counts as often */
    }
    return ninstructions <= SHORT_INSTRUCTIONS && noperands <= CUNA_MAX_OPERANDS;
}

/* Groups that read one array, and walk alike, read it once. */
static void join_readers(cuna_grouping *g, int i)
{
    for (int j = 0; j < i; j++) {
        int a = g->group[i], b = g->group[j];
        uint32_t axes = g->group_axes[a], others = g->group_axes[b];
        bool may_join = g->reach > CUNA_REACH_ALONE && !is_alone(g->nodes[i]) && !is_alone(g->nodes[j]) &&
                        g->needed[j] && g->level[j] == g->level[i];
        if (a != b && may_join && (axes == 0 || others == 0 || axes == others) &&
            cuna__same_space(&g->nodes[j]->walk, &g->nodes[i]->walk) && share_input(g->nodes[j], g->nodes[i]) &&
            are_short(g, a, b))
            join_groups(g, a, b);
    }
}

static void join_all(cuna_grouping *g)
{
    for (int i = 0; i < g->count; i++) {
        g->group[i] = i;
        g->group_axes[i] = g->nodes[i]->axes | (cuna__node_scans(g->nodes[i]) ? SCANS : 0);
    }
    for (int i = 0; i < g->count; i++)
        for (int k = 0; g->needed[i] && k < g->nodes[i]->ninputs; k++)
            if (cuna__is_joined(g, g->nodes[i], k))
                join_groups(g, g->group[i], g->group[cuna__source_of(g, g->nodes[i], k)->index]);
    for (int i = 0; i < g->count; i++)
        if (g->needed[i])
            join_readers(g, i);
}

void cuna__find_groups(cuna_grouping *g)
{
    find_levels(g);
    if (g->reach > CUNA_REACH_ALONE)
        delay_values(g);
    find_needed(g);
    join_all(g);
    cuna__find_again(g);
}
