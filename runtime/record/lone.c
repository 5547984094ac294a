/* lone.c: operations that are computed alone.
 *
 * To record an operation that is read at once costs as much as running a small one; and while it waits, small ones are
 * recorded after it. A queue counts, by programs and sizes, how often its first operation had a kernel of its own of late.
 * One that had it several times in a row runs at once from then on, and is recorded again now and then, to see whether
 * others join it by now. A table entry may serve several operations: nothing but time depends on it. */
#include "record/queue.h"

enum {
    LONE_TIMES = 8,          /* that an operation ran alone before it runs at once, */
    LONE_ROUNDS = 32,        /* as often until it is recorded again */
    LONE_NBYTES = 128 << 10, /* of a result: others take much longer than it takes to record them, */
    LONE_FOLDED = 1 << 20    /* or of as many elements, which a fold only reads */
};

static uint8_t *find(cuna_queue *queue, const cuna_program *program, int64_t nbytes)
{
    uint64_t key = (program->hash ^ (uint64_t)nbytes << 32) * 0x9e3779b97f4a7c15u; /* the same in each process */
    return &queue->lone[key >> (64 - CUNA_QUEUE_LONE_BITS)];
}

/* What is compiled together, or becomes a part of a graph, shall not depend on what ran before. */
static bool is_settled(const cuna_context *context)
{
    return context->composes || context->rehearsal != NULL || context->capturing != NULL;
}

bool cuna__queue_leaves(cuna_queue *queue, const cuna_program *program, int64_t nbytes)
{
    uint8_t *times = find(queue, program, nbytes);
    int64_t most = program->text.kind == CUNA_PROGRAM_FOLD ? LONE_FOLDED : LONE_NBYTES;
    if (*times < LONE_TIMES || nbytes > most || is_settled(queue->context))
        return false;
    if (++*times <= LONE_TIMES + LONE_ROUNDS)
        return true;
    *times = LONE_TIMES - 1;
    return false;
}

void cuna__queue_note_lone(cuna_queue *queue, const cuna_node *first)
{
    int64_t size;
    (void)cuna__shape_size(&size, first->walk.ndim, first->walk.shape); /* an array has it */
    int64_t itemsize = cuna_dtype_size((cuna_dtype)cuna__node_text(first)->output_dtype[0]);
    uint8_t *times = find(queue, first->program, size * itemsize);
    bool is_alone = first->state == CUNA_NODE_DONE && !queue->first_joined;
    *times = is_alone ? (uint8_t)cuna__min(*times + 1, LONE_TIMES) : 0;
}
