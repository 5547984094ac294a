/* group.h: which recorded operations belong together. */
#ifndef CUNA_RECORD_GROUP_H
#define CUNA_RECORD_GROUP_H

#include "base/shape.h"
#include "record/plan.h"

/* The nodes of a plan, by their number. A group's nodes have one level, and come after those at levels below. */
typedef struct cuna_grouping {
    cuna_reach reach;
    int count;
    cuna_node *const *nodes;
    const bool *inside, *wanted;
    int level[CUNA_QUEUE_NODES], group[CUNA_QUEUE_NODES]; /* a group's number is its first node's */
    uint32_t group_axes[CUNA_QUEUE_NODES];                /* that its folds fold, or its scans scan */
    int again[CUNA_QUEUE_NODES]; /* the group of a higher level that computes the value, too; CUNA_NO_GROUP: none */
    bool needed[CUNA_QUEUE_NODES];
    cuna_role role[CUNA_QUEUE_NODES];
    uint32_t axes[CUNA_QUEUE_NODES];           /* of the folds in a node's group that it reads; 0: of none */
    bool has_draws[CUNA_QUEUE_NODES];          /* its value is made of random numbers in its group, */
    bool has_products[CUNA_QUEUE_NODES];       /* or of products of matrices */
    const cuna_node *walker[CUNA_QUEUE_NODES]; /* of a row's value: a fold of such rows */
} cuna_grouping;

#define CUNA_NO_GROUP (-1)

/* Finds levels, roles and groups; the fields before `level` are set, the others zero. */
void cuna__find_groups(cuna_grouping *g);

/* Finds the values that groups of higher levels compute again (again.c). */
void cuna__find_again(cuna_grouping *g);

/* The node of the plan whose whole value an input is; NULL: it is in memory when the plan runs, or never was a node's. */
static inline const cuna_node *cuna__source_of(const cuna_grouping *g, const cuna_node *node, int k)
{
    const cuna_node *from = cuna__input_node(&node->input[k]);
    return from != NULL && g->inside[from->index] ? from : NULL;
}

/* Whether a node's program takes what the walk of rows in stages lacks: positions, addresses, or no array at all. */
static inline bool cuna__lacks_rows(const cuna_node *node)
{
    return cuna__node_text(node)->uses_index || cuna__node_text(node)->gathers || node->program->noperands == 1;
}

/* Whether a fold's elements are so few that a block of many lanes is done with them sooner than with another launch. */
static inline bool cuna__has_short_row(const cuna_node *node)
{
    int64_t size;
    return node->device->driver->facts.lanes > 1 &&
           cuna__shape_size(&size, node->walk.ndim, node->walk.shape) == CUNA_OK && size <= CUNA_STAGED_ELEMENTS;
}

/* Whether it folds rows of what it reads, in a plan whose steps may do so in stages. All of it is one row. */
static inline bool cuna__folds_rows(const cuna_grouping *g, const cuna_node *node)
{
    return g->reach >= CUNA_REACH_STORED_ROWS && cuna__node_folds(node) &&
           (node->axes + 1ull != 1ull << node->walk.ndim || cuna__has_short_row(node));
}

/* Whether a node is in the group of one that it reads. */
static inline bool cuna__is_joined(const cuna_grouping *g, const cuna_node *node, int k)
{
    const cuna_node *from = cuna__source_of(g, node, k);
    return from != NULL && g->level[from->index] == g->level[node->index];
}

#endif
