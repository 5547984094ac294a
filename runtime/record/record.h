/* record.h: operations that are recorded instead of run, so that several become one kernel. */
#ifndef CUNA_RECORD_RECORD_H
#define CUNA_RECORD_RECORD_H

#include "device/device.h"
#include "record/queue.h"

extern const cuna_recorder cuna__recorder;

/* The queue of a context, which has none yet; NULL when the host has no memory left. */
cuna_queue *cuna__queue_create(cuna_context *context);

/* The node that will compute an array's memory; NULL when there is that. */
cuna_node *cuna__node_of(const cuna_array *array);

/* The recipe of a node. */
cuna_status cuna__node_evaluate(cuna_recipe *recipe);
void cuna__node_drop(cuna_recipe *recipe);

#endif
