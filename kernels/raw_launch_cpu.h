/* raw_launch_cpu.h: the interface between the cpu device and raw kernels: a launch, its blocks and
 * threads, and where a thread's record lies. C (runtime/cpu/execute/raw.h) includes it; kernels begin with it. */
#ifndef CUNA_RAW_LAUNCH_CPU_H
#define CUNA_RAW_LAUNCH_CPU_H

struct uint3 { unsigned x, y, z; };

#ifdef __cplusplus
namespace cuna_raw {
#endif

struct Launch {
    void **params;
    struct uint3 grid, block; /* how many blocks, and threads of a block */
    void *meeting;            /* where the blocks of a cooperative launch wait for each other; NULL in others */
    void *outcome;            /* whether it goes on: the runtime's */
};

struct Block {
    const struct Launch *launch;
    struct uint3 idx;
    void *shared;
};

/* Where a suspended function will continue: on x86-64 its registers, elsewhere `top` is its context. */
struct Place {
    void *top, *frame, *code;
    void *fake_stack; /* the sanitizer's */
};

/* What a change of threads needs is in one line of the cache. */
struct Thread {
    struct uint3 idx;
    unsigned lane;
    struct Turns *turns;
    struct Thread *next; /* of the running thread: the first of those that can continue; NULL: there are none */
    struct Place place;
    const struct Block *block;
};

/* Threads of a block take turns. Those that can continue are a list that begins at the running thread; those that wait
 * at the barrier are another one, whose first node is not a thread. */
struct Turns {
    struct Thread *last, *waiting; /* the last of either list, or the node at which it begins */
    unsigned arrived, votes;       /* at the barrier; those of them that passed true */
    unsigned result;               /* the votes of the last meeting */
    unsigned indirect;             /* not 0: threads change only in the functions of Services */
};

/* What a thread waits for that lets the others run: something; what only a thread of its block can do, for the first
 * time, or again in vain; and between its own attempts at that, of which it may give up at any time. */
enum Wait { WAIT_FOR_ANY, WAIT_FOR_OWN, WAIT_IN_VAIN, WAIT_BETWEEN };

/* Functions that kernels call; a kernel without a team calls only `trap`. */
struct Services {
    void (*trap)(const char *words, const struct uint3 *block, const struct uint3 *thread);
    void (*sync)(struct Thread *thread); /* its vote is counted already */
    void (*gather)(struct Thread *thread, unsigned mask, const void *value, void *all, unsigned nbytes,
                   unsigned *lanes);
    unsigned (*active_lanes)(struct Thread *thread, const void *frame);
    void (*step)(struct Thread *thread, unsigned place, const void *from, unsigned nbytes);
    void (*yield)(struct Thread *thread, enum Wait wait);
    void (*sync_grid)(struct Thread *thread);
};

struct Export {
    void (*blocks)(struct Block *block, __UINT64_TYPE__ first, __UINT64_TYPE__ last); /* a kernel without teams */
    void (*thread)(const struct Block *block);                                        /* a kernel with teams */
    unsigned nparams;
    const unsigned *nbytes, *aligns; /* of the parameters */
    const volatile void *variable;   /* not a kernel */
    __UINT64_TYPE__ variable_nbytes;
};

/* Threads that wait for each other have stacks of their own, of this size and at multiples of it. */
#define CUNA_STACK_NBYTES ((__UINTPTR_TYPE__)1 << 20)
#define CUNA_STACK_COLOURS 128
#define CUNA_COLOUR_NBYTES 256
#define CUNA_RECORD_NBYTES 128

/* The record of the thread that has `here` on its stack: near the stack's end, yet not at the same place in all stacks,
 * so that records share the caches' sets. */
static inline __attribute__((always_inline)) struct Thread *record_at(__UINTPTR_TYPE__ here)
{
    __UINTPTR_TYPE__ end = (here | (CUNA_STACK_NBYTES - 1)) + 1;
    __UINTPTR_TYPE__ colour = here / CUNA_STACK_NBYTES % CUNA_STACK_COLOURS;
    return (struct Thread *)(end - CUNA_RECORD_NBYTES - colour * CUNA_COLOUR_NBYTES);
}

#ifdef __cplusplus
}
#endif

#endif
