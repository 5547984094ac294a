/* team.h: the threads of a block that wait for each other, for the files that let them wait: fibers.c, lanes.c. */
#ifndef CUNA_CPU_EXECUTE_TEAM_H
#define CUNA_CPU_EXECUTE_TEAM_H

#include "cpu/execute/raw.h"
#include "cpu/execute/stack.h"
#include "cpu/execute/stacks.h"

#define WARP       32
#define MAX_FIBERS CUNA_RAW_MAX_THREADS
#define MAX_WARPS  (MAX_FIBERS / WARP)

struct fiber {
    cuna_raw_thread thread;        /* first: kernels know this part */
    bool sleeping;                 /* has yielded */
    unsigned number, mask, nbytes; /* of the threads in the block; of a meeting of lanes */
    uintptr_t call;                /* querying the active mask */
    const void *frame;             /* of the function in which the fiber lives */
    const void *value;
    void *all;
    unsigned *lanes;
};

/* Masks of lanes: not ended, waiting for others of a mask, querying the active mask, and waiting for their step. */
struct warp {
    unsigned alive, waiting, asking, stepping;
};

/* Where a lane waits for its step; what it loaded last, from where, and how often it has found the same there. */
struct step {
    unsigned place, repeats, load_place;
    const void *from;
    uint64_t value;
};

/* One per OS thread. */
struct team {
    cuna_stack main;
    const void *main_bottom;
    size_t main_nbytes;
    cuna_stacks stacks;
    unsigned parked;        /* fibers that wait at the head of their loop */
    bool running, for_grid; /* the meeting of the block is for one of the grid */
    cuna_raw_dim shape;
    const cuna_raw_block *block;
    void (*thread)(const cuna_raw_block *block);
    struct Turns turns;
    cuna_raw_thread ready, at_barrier; /* where lists of threads begin, while none of them runs */
    unsigned nthreads, alive;
    unsigned asking, stepping; /* those that wait for cuna__lanes_answer */
    unsigned arrived;          /* at the barrier at the last yield */
    uint64_t vain;             /* attempts that were in vain since a thread did something else */
    struct warp warps[MAX_WARPS];
    struct step steps[MAX_FIBERS];
#if !defined(__x86_64__)
    ucontext_t contexts[MAX_FIBERS], main_context;
#endif
};

extern _Thread_local struct team *cuna__cpu_team
    __attribute__((tls_model("initial-exec"), visibility("hidden"))); /* NULL: none yet */

static inline struct fiber *cuna__team_fiber(const struct team *t, unsigned number)
{
    return (struct fiber *)record_at((uintptr_t)cuna__stacks_at(&t->stacks, number));
}

/* Queues a fiber that can continue, and does not run. */
static inline void cuna__team_enqueue(struct team *t, struct fiber *fiber)
{
    t->turns.last->next = &fiber->thread;
    t->turns.last = &fiber->thread;
    fiber->thread.next = NULL;
}

/* The running fiber waits until it is queued and its turn comes. */
void cuna__team_wait(struct team *t, struct fiber *fiber);

/* Ends the launch. */
void cuna__team_trap(const struct fiber *fiber, const char *words);

/* Queues lanes that wait until no others can continue: their step, or the active mask. */
void cuna__lanes_answer(struct team *t);

/* Releases lanes that wait for this one, which has ended. */
void cuna__lanes_end(struct team *t, const struct fiber *fiber);

#endif
