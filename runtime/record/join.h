/* join.h: nodes that put values side by side in an array. */
#ifndef CUNA_RECORD_JOIN_H
#define CUNA_RECORD_JOIN_H

#include "record/queue.h"

/* Finds, before nodes run, the values that are computed where they lie in a join's result: only the join reads them,
 * and nobody wants them. `index` of nodes is set. */
void cuna__join_place(int count, cuna_node *const *nodes, const bool *wanted);

/* Ends that after the run, whatever became of it. */
void cuna__join_leave(int count, cuna_node *const *nodes);

/* Whether all values were computed there, so that no kernel joins them. */
bool cuna__join_is_placed(const cuna_node *join);

/* Fills `out` with a view of the part of a join's result that is the value of a node placed there. MEMORY. */
cuna_status cuna__join_view(cuna_array *out, const cuna_node *join, const cuna_node *piece);

/* Copies to a join's result what was not computed there. */
cuna_status cuna__join_run(cuna_context *context, const cuna_node *join, const cuna_operand *pieces);

#endif
