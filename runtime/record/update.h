/* update.h: nodes that put a value into a part of an array. */
#ifndef CUNA_RECORD_UPDATE_H
#define CUNA_RECORD_UPDATE_H

#include "record/queue.h"

/* The program of such nodes, which stands for what cuna__update_run does: its inputs are the old content and the part. It
 * lives as long as the process. */
cuna_status cuna__update_program(const cuna_program **out, cuna_dtype dtype);

/* Fills `out` with a view of the part of an update's result. MEMORY. */
cuna_status cuna__update_view(cuna_array *out, const cuna_node *update, const cuna_array *result,
                              const cuna_space *part);

/* Whether all of an old content is copied before the part is computed: one copy costs less than several of its faces. */
bool cuna__update_copies_all(const cuna_array *old);

/* Computes an update's result: copies the old content around the part, unless the result has that already, and the part,
 * unless that was computed there. */
cuna_status cuna__update_run(cuna_context *context, const cuna_node *update, const cuna_array *old,
                             const cuna_array *part, const cuna_array *result);

#endif
