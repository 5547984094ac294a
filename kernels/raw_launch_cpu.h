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
};

struct Block {
    const struct Launch *launch;
    struct uint3 idx;
    void *shared;
};

struct Thread {
    struct uint3 idx;
    unsigned lane;
    const struct Block *block;
};

/* Functions that kernels call; a kernel without a team calls only `trap`. */
struct Services {
    void (*trap)(const char *words, const struct uint3 *block, const struct uint3 *thread);
    int (*sync)(struct Thread *thread, bool p);
    void (*gather)(struct Thread *thread, unsigned mask, const void *value, void *all, unsigned nbytes,
                   unsigned *lanes);
    unsigned (*active_lanes)(struct Thread *thread, const void *frame);
    void (*yield)(struct Thread *thread);
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
#define CUNA_COLOUR_NBYTES 320
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
