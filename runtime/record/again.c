/* again.c: values that are computed again by those who read them later, instead of being stored for them.
 *
 * Where a fold computes what it folds, as sums of exponentials do, and elements of that are read after the fold, storing
 * them costs a kernel that reads what leads to them and writes as much. To compute them once more where they are read
 * costs their instructions, and no byte more than to read them, if one array of their size leads to them. Where blocks
 * have one lane, instructions take longer than memory. */
#include "record/group.h"

enum { MOST_INSTRUCTIONS = 12 };

/* The nodes that lead to a value, and the array that they read, which is as large. */
typedef struct way {
    bool has[CUNA_QUEUE_NODES];
    int ninstructions, nlarge;
    const cuna_node *large; /* a node's value; or */
    int leaf;               /* an array that was there before */
} way;

/* Whether a node's elements follow from those that it reads, and from nothing else. */
static bool is_plain(const cuna_grouping *g, const cuna_node *node)
{
    int i = node->index;
    return cuna__node_text(node)->kind == CUNA_PROGRAM_MAP && !cuna__node_moves(node) &&
           cuna__node_text(node)->gathers == CUNA_GATHERS_NOT && g->axes[i] == 0 && g->walker[i] == NULL &&
           !g->has_draws[i] && !g->has_products[i];
}

/* Notes what a node reads that is stored. */
static void read_stored(way *w, const cuna_node *value, const cuna_node_input *in, const cuna_node *from)
{
    bool is_same = from != NULL ? from == w->large : w->large == NULL && w->nlarge > 0 && w->leaf == in->leaf;
    if (is_same || (from != NULL && !cuna__same_space(&from->value, &value->value)))
        return;
    w->nlarge++;
    w->large = from;
    w->leaf = in->leaf;
}

/* Collects the nodes that compute a value; false if that is not plain. */
static bool collect(way *w, const cuna_grouping *g, const cuna_node *value, const cuna_node *node)
{
    w->has[node->index] = true;
    w->ninstructions += cuna__node_text(node)->ninstructions;
    if (!is_plain(g, node))
        return false;
    for (int k = 0; k < node->ninputs; k++) {
        const cuna_node *from = cuna__source_of(g, node, k);
        if (cuna__node_text(node)->input_scalar[k] || (from != NULL && w->has[from->index]))
            continue;
        if (from == NULL || !cuna__is_joined(g, node, k) || g->role[from->index].stored)
            read_stored(w, value, &node->input[k], from);
        else if (!collect(w, g, value, from))
            return false;
    }
    return true;
}

/* Whether all of a group are elementwise. */
static bool is_elementwise(const cuna_grouping *g, int group)
{
    for (int i = 0; i < g->count; i++)
        if (g->needed[i] && g->group[i] == group && !is_plain(g, g->nodes[i]))
            return false;
    return true;
}

/* Notes a group that reads a value; false if others do. */
static bool note_group(int *group, int reader)
{
    bool is_new = reader != CUNA_NO_GROUP && *group != CUNA_NO_GROUP && *group != reader;
    if (reader != CUNA_NO_GROUP)
        *group = reader;
    return !is_new;
}

/* The one group of a higher level whose nodes read a value, element for element, or compute again what reads it; none if
 * others do, or if nobody in its own group needs it. */
static int find_reader(const cuna_grouping *g, const cuna_node *value)
{
    int group = CUNA_NO_GROUP;
    bool is_read_here = false;
    for (int i = 0; i < g->count; i++)
        for (int k = 0; g->needed[i] && k < g->nodes[i]->ninputs; k++) {
            const cuna_node *node = g->nodes[i];
            if (node->input[k].from != value)
                continue;
            bool joins = cuna__is_joined(g, node, k), is_whole = cuna__source_of(g, node, k) == value;
            is_read_here |= joins;
            if (!joins && (!is_whole || !cuna__same_space(&value->value, &node->walk)))
                return CUNA_NO_GROUP;
            if (!note_group(&group, joins ? CUNA_NO_GROUP : g->group[i]) || !note_group(&group, g->again[i]))
                return CUNA_NO_GROUP;
        }
    return is_read_here && group != CUNA_NO_GROUP && is_elementwise(g, group) ? group : CUNA_NO_GROUP;
}

/* Whether what leads to a value can be computed by a group, too. */
static bool suits(const cuna_grouping *g, const way *w, int group)
{
    if (w->ninstructions > MOST_INSTRUCTIONS || w->nlarge > 1)
        return false;
    for (int i = 0; i < g->count; i++)
        if (w->has[i] && g->again[i] != CUNA_NO_GROUP && g->again[i] != group)
            return false;
    return true;
}

void cuna__find_again(cuna_grouping *g)
{
    for (int i = 0; i < g->count; i++)
        g->again[i] = CUNA_NO_GROUP;
    bool pays = g->reach > CUNA_REACH_ALONE && g->nodes[0]->device->driver->facts.lanes > 1;
    for (int i = g->count - 1; i >= 0 && pays; i--) {
        way w = {.nlarge = 0};
        const cuna_node *value = g->nodes[i];
        if (!g->inside[i] || !g->needed[i] || g->wanted[i] || !g->role[i].stored)
            continue;
        int group = find_reader(g, value);
        if (group == CUNA_NO_GROUP || !collect(&w, g, value, value) || !suits(g, &w, group))
            continue;
        g->role[i].stored = false;
        for (int k = 0; k <= i; k++)
            g->again[k] = w.has[k] ? group : g->again[k];
    }
}
