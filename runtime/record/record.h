/* record.h: operations that are recorded instead of run, so that several become one kernel. */
#ifndef CUNA_RECORD_RECORD_H
#define CUNA_RECORD_RECORD_H

#include <stddef.h>

#include "device/device.h"
#include "record/queue.h"

extern const cuna_recorder cuna__recorder;

/* The queue of a context, which has none yet; NULL when the host has no memory left. */
cuna_queue *cuna__queue_create(cuna_context *context);

/* The node of a recipe, or NULL of none; and what the recipe of a node does. */
static inline cuna_node *cuna__node_of(cuna_recipe *recipe)
{
    _Static_assert(offsetof(cuna_node, recipe) == 0, "a recipe is where its node is");
    return (cuna_node *)recipe;
}
cuna_status cuna__node_evaluate(cuna_recipe *recipe);
void cuna__node_drop(cuna_recipe *recipe);

/* Gives an array that is all of its buffer another content, which `writer` will compute; nodes that were recorded, and the
 * writer, keep the old one. *renamed is false, and nothing was done, when others read it. MEMORY. */
cuna_status cuna__rename(bool *renamed, cuna_queue *queue, cuna_node *writer, const cuna_array *array);

#endif
