/* draft.h: an operation before it is recorded. */
#ifndef CUNA_RECORD_DRAFT_H
#define CUNA_RECORD_DRAFT_H

#include "record/record.h"

typedef struct cuna_draft {
    cuna_context *context;
    const cuna_program *program;
    const cuna_operand *inputs;
    uint32_t axes; /* of folds, as are the next two */
    bool keepdims;
    double extra;
    cuna_device *device;
    bool replays;                     /* the operation becomes a part of a graph, or is tried before it does */
    int ndim;                         /* of the walk */
    int64_t size;                     /* the same; -1: not known yet */
    const int64_t *shape;             /* the caller's, an input's, or */
    int64_t broadcast[CUNA_MAX_NDIM]; /* what several make together */
    const cuna_array *old;            /* NULL, or what is written to in part */
    cuna_node *
        source[CUNA_MAX_OPERANDS + 1]; /* of inputs, then `old`: the queued node whose value it is, or views, or NULL */
} cuna_draft;

/* Begins a draft of an elementwise operation, whose inputs say device and shape; says the shape, unless ndim is below 0. */
static inline void cuna__draft_begin(cuna_draft *d, cuna_context *context, const cuna_program *program,
                                     const cuna_operand *inputs)
{
    d->context = context;
    d->program = program;
    d->inputs = inputs;
    d->axes = 0;
    d->keepdims = false;
    d->extra = 0;
    d->device = NULL;
    d->replays = context->only != NULL || context->capturing != NULL;
    d->size = -1;
    d->shape = NULL;
    d->old = NULL;
}
static inline void cuna__draft_take_shape(cuna_draft *d, int ndim, const int64_t *shape)
{
    d->ndim = ndim;
    d->shape = ndim >= 0 ? shape : NULL;
}

/* Whether a context records. */
static inline bool cuna__draft_records(const cuna_context *context)
{
    const cuna_queue *queue = context->queue;
    return queue != NULL && queue->is_on && !queue->is_running;
}

/* Whether it does, and the program can be part of others. */
static inline bool cuna__draft_is_open(const cuna_draft *d)
{
    return cuna__draft_records(d->context) && d->program->is_plain;
}

/* Whether the operation may read a buffer again later. */
bool cuna__draft_takes_buffer(const cuna_draft *d, const cuna_buffer *buffer);

/* Whether its inputs and its device are such that it is recorded. */
bool cuna__draft_takes_inputs(cuna_draft *d);

/* The same of one whose inputs do not broadcast, and whose shape is given. */
bool cuna__draft_takes_pieces(cuna_draft *d);

/* Records a draft, whose inputs and device suit, to a new array. */
cuna_status cuna__draft_record(cuna_array *out, const char *name, cuna_draft *d);

/* A node whose inputs are found, to be added or released. */
cuna_status cuna__draft_make_node(cuna_node **out, cuna_queue *queue, const char *name, cuna_draft *d);

/* A node without its inputs, or NULL when the host has no memory left; and one more input: a queued node's value, or an
 * array, which may be that value or view it. */
cuna_node *cuna__draft_alloc_node(cuna_queue *queue, const char *name, const cuna_draft *d);
cuna_status cuna__node_read(cuna_node *node, cuna_node *from, const cuna_array *array);

/* Adds a node, which computes the content of a buffer. */
void cuna__draft_add(cuna_queue *queue, cuna_node *node, cuna_buffer *buffer);

cuna_status cuna__record_fail_memory(void);

/* Records an elementwise operation that writes to an array; *recorded is false, and nothing was done, if it has to run at
 * once (write.c). */
cuna_status cuna__record_write(bool *recorded, const char *name, cuna_draft *d, const cuna_array *out);

#endif
