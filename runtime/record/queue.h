/* queue.h: operations that were recorded and not run yet. */
#ifndef CUNA_RECORD_QUEUE_H
#define CUNA_RECORD_QUEUE_H

#include <pthread.h>

#include "kernel/program.h"
#include "operands/call.h"

#define CUNA_QUEUE_NODES     256
#define CUNA_QUEUE_WANTED    1024
#define CUNA_QUEUE_PLANS     16 /* times CUNA_QUEUE_ALIKE */
#define CUNA_QUEUE_ALIKE     4
#define CUNA_QUEUE_LONE_BITS 8
#define CUNA_NODE_NAME       32
#define CUNA_NODE_NBYTES     576 /* enough for three inputs and four axes, as almost all nodes have them */

/* Nodes kept for operations to come. A build that looks for uses of freed memory keeps one. */
#define CUNA_QUEUE_SPARES (CUNA_HIDES_CONTENT ? 1 : 4096)

/* What a node reads: the value of another one, all of it in its order, or a view of it; an array; or a number. */
typedef struct cuna_node_input {
    struct cuna_node *from; /* with a reference; NULL: an array or a number */
    union {
        cuna_array array; /* or the view; with a share, counted among its buffer's readers */
        struct {
            cuna_buffer *no_array; /* NULL: the array's buffer */
            cuna_number number;
        };
    };
    int leaf; /* in the plan under way: equal arrays and numbers have the same */
} cuna_node_input;

typedef struct cuna_space {
    int ndim;
    const int64_t *shape;
} cuna_space;

static inline bool cuna__same_space(const cuna_space *a, const cuna_space *b)
{
    return a->ndim == b->ndim && cuna__same_lengths(a->shape, b->shape, a->ndim);
}

/* A queued operation becomes DONE by a flush that computes its value, or PASSED by one that used the value only on the
 * way to others. */
typedef enum cuna_node_state { CUNA_NODE_QUEUED, CUNA_NODE_PASSED, CUNA_NODE_DONE } cuna_node_state;

/* An operation that was recorded; it has one output. */
typedef struct cuna_node {
    cuna_recipe recipe;
    struct cuna_queue *queue; /* with a reference */
    int32_t references;       /* by its buffer until it is DONE, by nodes that read it, by who runs it */
    cuna_node_state state;
    bool is_rehearsed;           /* recorded in a rehearsal; a queue has no others beside such nodes */
    bool is_write;               /* of an array that was there before: state of a program, which will ask for it */
    bool is_small;               /* of CUNA_NODE_NBYTES, and spare afterwards */
    bool is_made;                /* in the plan under way: its value is computed */
    bool is_update;              /* puts the value of its second input into the content that is the first one, */
    int64_t part;                /* from this element on; */
    bool has_old;                /* in the plan under way: all of that is copied already */
    bool is_join;                /* puts the values of its inputs side by side, along an axis (join.c) */
    struct cuna_node *into;      /* borrowed: the update, or in a run the join, that alone reads the value; else NULL */
    int index;                   /* in the plan under way */
    cuna_buffer *buffer;         /* borrowed; NULL: nobody can ask for the value, or it is DONE */
    const cuna_program *program; /* with a reference */
    cuna_device *device;         /* the queue's when it was recorded; that may have another one since */
    cuna_allocator *allocator;   /* the context's then, with a reference; NULL: the devices' own pools */
    char *place;                 /* of a large result: the script's line; NULL: not known */
    uint64_t path;               /* identifies it: the operations before it, back to the last flush */
    cuna_array result;           /* DONE: the value, with a share, counted among its buffer's readers */
    struct cuna_node *before, *after; /* PASSED ones of the queue */
    char name[CUNA_NODE_NAME];
    cuna_space walk, value; /* of its inputs, broadcast; of its value: the walk, unless it folds or scans all */
    uint32_t axes;          /* that it folds, and whether its value keeps them; that it scans */
    bool keepdims;
    double extra;       /* as cuna_reduce takes it */
    int64_t due_nbytes; /* of a value that a flush would store, as far as one knows; else 0 */
    int ninputs;
    cuna_node_input input[];
} cuna_node;

/* Whether an input is computed in the queue. */
static inline bool cuna__is_queued(const cuna_node *from)
{
    return from != NULL && from->state == CUNA_NODE_QUEUED;
}

/* The recorded operations of a context, which are for one stream of one device. */
typedef struct cuna_queue {
    int32_t references;    /* by the context and by nodes */
    cuna_context *context; /* NULL: it is gone */
    cuna_device *device;
    cuna_stream *stream; /* the context's current one: another one ends the queue, which has a share meanwhile */
    pthread_t thread;    /* that records, or watches */
    int ndevices;        /* that seem to have recorded work while it is watched; else 0 */
    bool is_on;          /* operations are recorded */
    int64_t noperations, nkernels; /* that ran */
    bool logs;                     /* each kernel is listed on stderr */
    bool reads_known;              /* nodes read memory that others know: a flush stores all values */
    bool is_running;               /* what is launched are recorded operations */
    int64_t due_nbytes;            /* of its nodes together */
    int64_t marked_nbytes;         /* the least that was due since the collector ran last */
    int count;
    cuna_node *nodes[CUNA_QUEUE_NODES];
    cuna_node *passed; /* a list */
    int nspares;
    cuna_node *spares[CUNA_QUEUE_SPARES];    /* of CUNA_NODE_NBYTES */
    bool first_joined;                       /* in the flush under way: a step computes the first node and others */
    uint8_t lone[1 << CUNA_QUEUE_LONE_BITS]; /* by first operations: how often they ran alone of late */
    uint64_t path;                           /* of the newest node */
    uint64_t wanted[CUNA_QUEUE_WANTED];      /* paths of values that were asked for after they were passed */
    struct cuna_plan *plans[CUNA_QUEUE_PLANS][CUNA_QUEUE_ALIKE]; /* by what they serve; the newest first */
    struct cuna_queue *next;
} cuna_queue;

static inline const cuna_program_text *cuna__node_text(const cuna_node *node)
{
    return &node->program->text;
}

static inline bool cuna__node_folds(const cuna_node *node)
{
    return cuna__node_text(node)->kind == CUNA_PROGRAM_FOLD;
}

static inline bool cuna__node_scans(const cuna_node *node)
{
    return cuna__program_scans(cuna__node_text(node));
}

/* Whether its value is a product of matrices. */
static inline bool cuna__node_multiplies(const cuna_node *node)
{
    return cuna__node_text(node)->kind == CUNA_PROGRAM_PRODUCTS;
}

#define CUNA_SCANS_ALL (~(uint32_t)0) /* axes of scans of all elements as one axis */

/* Whether it only moves values to where they belong. */
static inline bool cuna__node_moves(const cuna_node *node)
{
    return node->is_update || node->is_join;
}

/* Whether it combines what it reads: of one program it is the end, unless rows are folded in stages. */
static inline bool cuna__node_combines(const cuna_node *node)
{
    return cuna__program_combines(cuna__node_text(node));
}

/* Runs what is queued. On a failure that is still queued. */
cuna_status cuna__queue_flush(cuna_queue *queue);

/* The same, but stores the values that are wanted, by numbers of nodes. */
cuna_status cuna__queue_flush_wanted(cuna_queue *queue, const bool *wanted);

/* Watches a queue without operations, and ends that: so does all work of this thread that is not recorded. */
void cuna__queue_watch(cuna_queue *queue);
void cuna__queue_unwatch(cuna_queue *queue);

/* The same, and runs what must not wait longer. MEMORY, DEVICE, COMPILE. */
cuna_status cuna__queue_end_watch(cuna_queue *queue);

/* Runs nodes, on the queue's stream, or late, on the current one. `nodes` and `wanted` are as cuna__plan_run takes them. */
cuna_status cuna__queue_run(cuna_queue *queue, int count, cuna_node *const *nodes, const bool *wanted, bool is_late);

/* ---- operations that are alone (lone.c) ---- */

/* Whether the first operation of a queue is to run at once; nbytes: of as many elements of its result as it walks. */
bool cuna__queue_leaves(cuna_queue *queue, const cuna_program *program, int64_t nbytes);

/* Notes, after a flush, whether no other operation was computed with its first one. */
void cuna__queue_note_lone(cuna_queue *queue, const cuna_node *first);

/* ---- values that were passed (late.c) ---- */

void cuna__node_link(cuna_node *node); /* to the queue's list of passed ones */
void cuna__node_unlink(cuna_node *node);

/* Runs what is queued, and computes the passed values that depend on a buffer; all of them if that is NULL. */
cuna_status cuna__queue_evaluate_readers(cuna_queue *queue, const cuna_buffer *buffer);

/* Notes that a flush need not store a node's value. */
static inline void cuna__node_forgive(cuna_node *node)
{
    node->queue->due_nbytes -= node->due_nbytes;
    node->due_nbytes = 0;
}

/* Bytes that results may need which no operation has read; more are computed. */
int64_t cuna__record_room(const cuna_context *context, const cuna_device *device);

/* How many nodes of a full queue a flush computes, so that flushes of a loop are alike, and after how many nodes they repeat;
 * 0: they do not (period.c). */
int cuna__queue_end(int *period, const cuna_queue *queue);

/* Marks those of the first `count` nodes that the next round will read, if it reads as the last one did. `index` of nodes
 * is set. */
void cuna__queue_expect(bool *is_read_later, const cuna_queue *queue, int count, int period);

/* Makes room for nodes: a full queue is flushed in part. Adds one, with the queue's reference. */
cuna_status cuna__queue_make_room(cuna_queue *queue, int count);
void cuna__queue_add(cuna_queue *queue, cuna_node *node);

/* A node of a size, of unspecified content, that is not counted yet; NULL when the host has no memory left. The last
 * release ends it, and all that it has. */
cuna_node *cuna__node_alloc(cuna_queue *queue, size_t nbytes);
void cuna__node_release(cuna_node *node);

/* Computes the values of nodes for which `wanted` is set, and what leads there. `nodes` have the order in which they were
 * recorded, and each is after those that it reads, unless these are DONE; `index` counts them. On success their states
 * are DONE, with results, or PASSED; on a failure all are as they were. */
cuna_status cuna__plan_run(cuna_queue *queue, int count, cuna_node *const *nodes, const bool *wanted);

#endif
