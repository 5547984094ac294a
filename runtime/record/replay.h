/* replay.h: the recorded operations of a function, to be run again for other arrays: watch.c makes a replay, replay.c
 * runs it. */
#ifndef CUNA_RECORD_REPLAY_H
#define CUNA_RECORD_REPLAY_H

#include "record/plan.h"

enum { CUNA_NOWHERE = -1 };

/* An array of the function. */
typedef struct cuna_source {
    cuna_array form;  /* without a buffer */
    uint64_t content; /* the address of its memory when the watch began: writes move that to other buffers */
    int twin;         /* the first array that shares its memory */
    int64_t distance; /* from that one's first element, in bytes */
} cuna_source;

/* Where an array comes from: an array of the function, or a node's value; with the bytes from there to its first
 * element. */
typedef struct cuna_origin {
    int source, node;
    int64_t offset;
} cuna_origin;

/* An input of a node that is an array in memory when the node runs. */
typedef struct cuna_part {
    int node, input;
    cuna_origin from;
} cuna_part;

/* The node whose value an array of the function has at the end. */
typedef struct cuna_write {
    int node, source;
} cuna_write;

/* An array that the function makes and returns. */
typedef struct cuna_given {
    cuna_array form; /* without a buffer */
    cuna_origin from;
} cuna_given;

struct cuna_replay {
    cuna_device *device;  /* NULL: there are no nodes */
    cuna_device *current; /* where the function makes arrays */
    bool tf32;            /* the context's then: its products might not have been recorded */
    bool is_running, writes_directly;
    bool is_operation; /* one program computes one value, which is written, or is the only result */
    int nsources, count, nleaves, nwrites, nresults;
    cuna_source *sources;
    cuna_node *nodes[CUNA_QUEUE_NODES];
    cuna_part *leaves;
    cuna_write *writes;
    cuna_given *results;
    bool wanted[CUNA_QUEUE_NODES], is_viewed[CUNA_QUEUE_NODES];
    cuna_plan *plan;
};

/* Whether an array of a form is all of a node's value. */
static inline bool cuna__gives_all(const cuna_array *form, const cuna_node *node)
{
    return (form->flags & CUNA_ARRAY_VIEW) == 0 && form->dtype == cuna__node_text(node)->output_dtype[0] &&
           node->value.ndim == form->ndim && cuna__same_lengths(node->value.shape, form->dims, form->ndim);
}

/* The leaves have no buffers but in runs. */
void cuna__replay_clear(cuna_replay *replay);

#endif
