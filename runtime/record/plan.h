/* plan.h: which kernels compute recorded operations. */
#ifndef CUNA_RECORD_PLAN_H
#define CUNA_RECORD_PLAN_H

#include "record/queue.h"

/* What a step reads: an input of a node, a node's own value, or the number that its fold's `finish` takes. */
enum { CUNA_LEAF_VALUE = -1, CUNA_LEAF_EXTRA = -2 };
typedef struct cuna_leaf {
    int16_t node, input;
} cuna_leaf;

/* One call of an engine. */
typedef struct cuna_step {
    const cuna_program *program; /* with a reference */
    int node;                    /* the last one that it computes: name and walk are this one's */
    int ninputs, noutputs;
    uint32_t axes, keepdims; /* as cuna_reduce and cuna_stages take them; of nodes */
    cuna_leaf input[CUNA_MAX_OPERANDS];
    uint8_t output[CUNA_MAX_OPERANDS]; /* nodes */
    int ncomputed;                     /* nodes that the step computes; what they need of each other is among them */
    uint8_t *computed;
    int nlast; /* stored values that nobody asked for, and that no later step reads */
    uint8_t *last;
    struct cuna_plan *otherwise; /* the same by simpler steps, once the engine declined; NULL before */
    uint64_t declined;           /* the lengths for which it never takes the step; 0: none */
} cuna_step;

/* The axis of a scan, as cuna_scan takes it. */
static inline int cuna__step_axis(const cuna_step *step)
{
    return step->axes == CUNA_SCANS_ALL ? -1 : __builtin_ctz(step->axes);
}

/* Whether it computes the first node together with others. */
static inline bool cuna__step_joins_first(const cuna_step *step)
{
    return step->ncomputed > 1 && step->computed[0] == 0; /* in the order of the nodes */
}

/* Steps in the order in which they run. Nodes are numbers, so a plan serves all operations that are alike. */
typedef struct cuna_plan {
    int nsteps, room;
    bool is_known;           /* it ran before */
    bool is_compiled;        /* its kernels were, together */
    bool has_waited;         /* for its kernels, which are compiled in the background; */
    uint64_t seen;           /* units that were done there when they were looked for last */
    struct cuna_plan *apart; /* the same by single operations, while it waits for its kernels; NULL: it does not */
    cuna_step *steps;
    uint64_t hash; /* the rest is for the table of plans (plans.c): what it serves */
    int nwords;
    uint64_t *words;
    int nprograms;
    const cuna_program **programs; /* which the words name, with references */
    uint8_t *last;                 /* of all steps */
} cuna_plan;

/* How much a step may compute: one operation, as at once; what is elementwise, and folds by themselves; folds with what leads to them; all of a row, folded in stages, but
 * for arrays of positions and numbers alone; the same with these. */
typedef enum cuna_reach {
    CUNA_REACH_ALONE,
    CUNA_REACH_FOLDS,
    CUNA_REACH_PRODUCERS,
    CUNA_REACH_STORED_ROWS,
    CUNA_REACH_ROWS
} cuna_reach;

/* Plans the nodes that are `inside`: those that are `wanted`, and what leads to them. Other nodes are computed already.
 * `leaf` of inputs and `index` of nodes are set. MEMORY. */
cuna_status cuna__plan_make(cuna_plan *out, int count, cuna_node *const *nodes, const bool *inside, const bool *wanted,
                            cuna_reach reach);
void cuna__plan_free(cuna_plan *plan); /* or NULL */

/* Describes the step of a node alone: the call that it would have been at once, with a borrowed program. What lies in */
void cuna__step_alone(cuna_step *out, const cuna_node *node);

/* Counts a step that ran, and lists it on stderr where CUNA_LOG asks for that. */
void cuna__record_log(cuna_queue *queue, const cuna_step *step, cuna_node *const *nodes);

/* The plan of all nodes: the one that served such nodes before, or a new one. It belongs to the queue. MEMORY. */
cuna_status cuna__plan_find(cuna_plan **out, cuna_queue *queue, int count, cuna_node *const *nodes, const bool *wanted);
void cuna__plans_drop(cuna_queue *queue);

/* A new plan, which is the caller's; and a run of it for nodes of which some have their result already. What the others
 * computed is theirs until cuna__plan_unmake, after a failure, too. MEMORY. */
cuna_status cuna__plan_create(cuna_plan **out, int count, cuna_node *const *nodes, const bool *wanted,
                              cuna_reach reach);
cuna_status cuna__plan_repeat(cuna_queue *queue, const cuna_plan *plan, int count, cuna_node *const *nodes,
                              const bool *wanted);
void cuna__plan_unmake(int count, cuna_node *const *nodes);

/* ---- for plan.c and compose.c ---- */

/* What a group of nodes is to a program. */
typedef struct cuna_role {
    bool stored;   /* the value is an output */
    bool is_row;   /* it is the same for a row of the walk */
    bool keepdims; /* its shape has the folded axes */
} cuna_role;

/* Composes nodes, in order, to a program of a kind, and describes its step; what they read that is not among them is an
 * input. A fold or scan is the last node and the only one that is stored. False if that is too much for one program. */
bool cuna__compose(cuna_program_text *text, cuna_step *step, cuna_program_kind kind, int count, cuna_node *const *nodes,
                   const cuna_role *roles);

/* The node of the plan whose whole value, in its order, is an input of another one; NULL: there is none. */
static inline const cuna_node *cuna__input_node(const cuna_node_input *in)
{
    return in->from != NULL && in->from->state != CUNA_NODE_DONE && in->array.buffer == NULL ? in->from : NULL;
}

#endif
