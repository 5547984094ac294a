/* fibers.c: the threads of a block that wait for each other are fibers: each has a stack, all run in the calling
 * thread.
 *
 * Fibers that can continue are in a FIFO queue, which begins at the one that runs; a fiber runs until it waits or ends.
 * At the block's barrier kernels change to the next fiber themselves (wait_directly in kernels/raw_block_cpu.h); the
 * last one to arrive queues the others. When the queue is empty and not all have ended, the kernel is wrong. Lanes of a
 * warp have waits of their own (lanes.c). Between blocks every fiber is parked at the head of its
 * loop, so that the next block needs no new stacks. A fiber's record is at the end of its stack, where kernels find it
 * by the stack's address (record_at in kernels/raw_launch_cpu.h). */
#define _GNU_SOURCE 1
#include "cpu/execute/fibers.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu/execute/error.h"
#include "cpu/execute/fault.h"
#include "cpu/execute/grid.h"
#include "cpu/execute/team.h"

#define LOCAL_NBYTES (512 << 10) /* CUDA's limit for a thread */
#define CALLS_NBYTES (128 << 10)
#define STACK_NBYTES CUNA_STACK_NBYTES
#define ATTEMPTS     (1 << 20) /* that a thread makes and gives up, perhaps, without any that is in vain */

_Static_assert(sizeof(struct fiber) <= CUNA_RECORD_NBYTES, "a record must fit in its place");
_Static_assert(STACK_NBYTES - CUNA_STACK_COLOURS * CUNA_COLOUR_NBYTES >= LOCAL_NBYTES + CALLS_NBYTES,
               "stacks must keep room");

_Thread_local struct team *cuna__cpu_team __attribute__((tls_model("initial-exec")));

/* ---- changing stacks ---- */

static void live(void);

static void prepare(struct team *t, struct fiber *fiber)
{
    unsigned char *bottom = cuna__stacks_at(&t->stacks, fiber->number) + t->stacks.guard_nbytes;
#if !defined(__x86_64__)
    fiber->thread.place.top = &t->contexts[fiber->number];
#endif
    cuna__cpu_stack_prepare(&fiber->thread.place, bottom, fiber, live);
    fiber->sleeping = false;
}

/* Announces the target of a switch. `fake_stack` is NULL for a stack that is left for good. */
static void leave(const struct team *t, void **fake_stack, const cuna_stack *to)
{
    const unsigned char *end = (const unsigned char *)((uintptr_t)to & ~(STACK_NBYTES - 1));
    const unsigned char *bottom = end + t->stacks.guard_nbytes;
    if (to == &t->main)
        cuna__stack_leave(fake_stack, t->main_bottom, t->main_nbytes);
    else
        cuna__stack_leave(fake_stack, bottom, (size_t)((const unsigned char *)to - bottom));
}

/* The stack switched from matters only if it is the main stack. */
static void arrive(struct team *t, void *fake_stack, bool starting)
{
    cuna__stack_arrive(fake_stack, starting ? &t->main_bottom : NULL, starting ? &t->main_nbytes : NULL);
}

static void go_on(struct team *t, cuna_stack *from, cuna_stack *to)
{
    leave(t, &from->fake_stack, to);
    cuna__stack_change(from, to);
    arrive(t, from->fake_stack, from != &t->main && t->main_bottom == NULL);
}

/* Nobody runs: the list of those that can continue begins at the team. */
static void step_back(struct team *t, struct fiber *fiber)
{
    t->ready.next = fiber->thread.next;
    if (t->turns.last == &fiber->thread)
        t->turns.last = &t->ready;
}

static bool all_sleep(const struct team *t)
{
    const cuna_raw_thread *at = t->ready.next;
    while (at != NULL && ((const struct fiber *)at)->sleeping)
        at = at->next;
    return at == NULL;
}

/* The next fiber that can continue; without any: back to cuna__cpu_fibers_run. */
static cuna_stack *next_place(struct team *t)
{
    if (t->asking + t->stepping > 0 && all_sleep(t))
        cuna__lanes_answer(t);
    return t->ready.next != NULL ? &t->ready.next->place : &t->main;
}

static void change(struct team *t, struct fiber *fiber)
{
    cuna_stack *next = next_place(t);
    if (next != &fiber->thread.place)
        go_on(t, &fiber->thread.place, next);
}

void cuna__team_wait(struct team *t, struct fiber *fiber)
{
    t->vain = 0;
    step_back(t, fiber);
    change(t, fiber);
}

/* ---- meetings ---- */

void cuna__team_trap(const struct fiber *fiber, const char *words)
{
    cuna__cpu_raw_services.trap(words, &fiber->thread.block->idx, &fiber->thread.idx);
}

static void release_block(struct team *t)
{
    struct Turns *turns = &t->turns;
    if (t->for_grid)
        cuna__cpu_grid_meet(t->block->launch);
    t->for_grid = false;
    t->vain = 0;
    if (turns->arrived > 0) {
        turns->waiting->next = NULL;
        turns->last->next = t->at_barrier.next;
        turns->last = turns->waiting;
        turns->waiting = &t->at_barrier;
    }
    turns->result = turns->votes;
    turns->arrived = turns->votes = 0;
}

/* No fiber arrives here again before all have read the result. */
void cuna__cpu_fibers_sync(cuna_raw_thread *thread)
{
    struct team *t = cuna__cpu_team;
    if (t->turns.arrived + 1 == t->alive) {
        release_block(t);
    } else {
        t->turns.waiting->next = thread;
        t->turns.waiting = thread;
        t->turns.arrived++;
        cuna__team_wait(t, (struct fiber *)thread);
    }
}

void cuna__cpu_fibers_sync_grid(cuna_raw_thread *thread)
{
    if (thread->block->launch->meeting == NULL)
        cuna__team_trap((struct fiber *)thread,
                        "grid.sync() in a launch that is not cooperative: launch with cooperative = true");
    cuna__cpu_team->for_grid = true;
    cuna__cpu_fibers_sync(thread);
}

/* Whether threads have yielded only for each other, each once more than any of them did something else, or many times
 * between attempts. Kernels change threads at the barrier by themselves, which is seen by those that have arrived. */
static bool is_stuck(struct team *t, enum Wait wait)
{
    bool in_vain = wait == WAIT_IN_VAIN || wait == WAIT_BETWEEN;
    t->vain = in_vain && t->turns.arrived == t->arrived ? t->vain + (wait == WAIT_BETWEEN ? 1 : ATTEMPTS) : 0;
    t->arrived = t->turns.arrived;
    return t->vain > (uint64_t)t->alive * ATTEMPTS;
}

/* What it waits for may be the work of another block: the launch may end meanwhile. */
void cuna__cpu_fibers_yield(cuna_raw_thread *thread, enum Wait wait)
{
    struct team *t = cuna__cpu_team;
    struct fiber *fiber = (struct fiber *)thread;
    if (cuna__outcome_is_decided(thread->block->launch->outcome))
        cuna__cpu_fault_leave(CUNA_ERROR_KERNEL, "the launch ended meanwhile");
    step_back(t, fiber);
    if (is_stuck(t, wait)) /* does not return: nobody continues this one */
        go_on(t, &fiber->thread.place, &t->main);
    fiber->sleeping = true;
    cuna__team_enqueue(t, fiber);
    change(t, fiber);
    fiber->sleeping = false;
}

static void end(struct team *t, struct fiber *fiber)
{
    t->alive--;
    cuna__lanes_end(t, fiber);
    if (t->turns.arrived > 0 && t->turns.arrived == t->alive)
        release_block(t);
    cuna__team_wait(t, fiber);
}

/* ---- a fiber's life ---- */

/* The fiber on whose stack this is called. */
static struct fiber *own_fiber(const struct team *t)
{
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    return cuna__team_fiber(t, (unsigned)((here - (uintptr_t)t->stacks.first) / STACK_NBYTES));
}

/* From a fiber's first instruction on; one pass of the loop is one block. */
static void live(void)
{
    struct team *t = cuna__cpu_team;
    struct fiber *fiber = own_fiber(t);
    arrive(t, NULL, t->main_bottom == NULL);
    fiber->frame = __builtin_frame_address(0);
    for (;;) {
        fiber->thread.block = t->block;
        t->thread(t->block);
        end(t, fiber);
    }
}

/* ---- teams ---- */

static pthread_key_t key;
static pthread_once_t key_made = PTHREAD_ONCE_INIT;

static void end_thread(void *t)
{
    struct team *ended = t;
    cuna__cpu_team = NULL;
    cuna__cpu_stacks_free(&ended->stacks);
    free(ended);
}

static void make_key(void)
{
    pthread_key_create(&key, end_thread);
}

static struct team *find_team(void)
{
    if (cuna__cpu_team == NULL) {
        cuna__cpu_team = calloc(1, sizeof *cuna__cpu_team);
        pthread_once(&key_made, make_key);
        pthread_setspecific(key, cuna__cpu_team);
    }
    return cuna__cpu_team;
}

static bool grow(struct team *t, unsigned count)
{
    t->parked = 0;
    t->shape = (cuna_raw_dim){0, 0, 0};
    cuna__cpu_stacks_free(&t->stacks);
    return cuna__cpu_stacks_create(&t->stacks, count);
}

static void place_threads(struct team *t, cuna_raw_dim shape)
{
    for (unsigned number = 0; number < t->nthreads; number++) {
        struct fiber *fiber = cuna__team_fiber(t, number);
        unsigned row = number / shape.x;
        fiber->thread.idx = (cuna_raw_dim){number % shape.x, row % shape.y, row / shape.y};
        fiber->thread.lane = number % WARP;
        fiber->thread.turns = &t->turns;
        fiber->number = number;
    }
    t->shape = shape;
}

/* For a block that cannot continue: its fibers are not parked. */
static void forget_block(struct team *t)
{
    cuna__cpu_stacks_forget(&t->stacks, t->parked);
    t->parked = 0;
    t->running = t->for_grid = false;
}

static void start_block(struct team *t)
{
    t->alive = t->nthreads;
    t->asking = t->stepping = t->vain = 0;
    t->turns = (struct Turns){.last = &t->ready, .waiting = &t->at_barrier, .indirect = CUNA_STACK_ANNOUNCED};
    t->ready.next = NULL;
    for (unsigned warp = 0; warp * WARP < t->nthreads; warp++) {
        unsigned rest = t->nthreads - warp * WARP;
        t->warps[warp] = (struct warp){.alive = rest < WARP ? (1u << rest) - 1 : ~0u};
    }
    for (; t->parked < t->nthreads; t->parked++)
        prepare(t, cuna__team_fiber(t, t->parked));
    for (unsigned number = 0; number < t->nthreads; number++)
        cuna__team_enqueue(t, cuna__team_fiber(t, number));
}

static void say_deadlock(const struct team *t, char *words, size_t nbytes)
{
    unsigned lanes = 0;
    for (unsigned warp = 0; warp * WARP < t->nthreads; warp++)
        lanes += (unsigned)__builtin_popcount(t->warps[warp].waiting);
    unsigned objects = t->alive - t->turns.arrived - lanes;
    snprintf(words, nbytes,
             "block (%u, %u, %u): its threads wait for each other for ever: %u of %u at a barrier, %u at a warp "
             "function for lanes of its mask, %u for an object of the block (cuda::barrier), %u have ended",
             t->block->idx.x, t->block->idx.y, t->block->idx.z, t->turns.arrived, t->nthreads, lanes, objects,
             t->nthreads - t->alive);
}

bool cuna__cpu_fibers_run(const cuna_raw_block *block, void (*thread)(const cuna_raw_block *block), char *words,
                          size_t nbytes)
{
    cuna_raw_dim shape = block->launch->block;
    struct team *t = find_team();
    unsigned count = shape.x * shape.y * shape.z;
    if (t == NULL || (t->stacks.count < count && !grow(t, count))) {
        snprintf(words, nbytes, "no memory for the stacks of a block's %u threads", count);
        return false;
    }
    t->block = block;
    t->thread = thread;
    t->nthreads = count;
    t->main_bottom = NULL;
#if !defined(__x86_64__)
    t->main.top = &t->main_context;
#endif
    /* Positions of threads are in their stacks and are valid for all blocks of one shape. */
    if (memcmp(&t->shape, &shape, sizeof shape) != 0)
        place_threads(t, shape);
    start_block(t);
    t->running = true;
    /* Returns when no thread can continue: all have ended, or each waits for another. */
    go_on(t, &t->main, next_place(t));
    t->running = false;
    if (t->alive == 0)
        return true;
    say_deadlock(t, words, nbytes);
    forget_block(t);
    return false;
}

/* A jump that the sanitizer did not see returned to the thread's own stack, from which frames are left behind. */
static void return_to_main(struct team *t)
{
    unsigned char *bottom = (unsigned char *)(uintptr_t)t->main_bottom;
    leave(t, NULL, &t->main);
    arrive(t, NULL, false);
    cuna__stack_forget(bottom, (size_t)((unsigned char *)__builtin_frame_address(0) - bottom));
}

bool cuna__cpu_fibers_abandon(cuna_raw_dim *thread, uintptr_t stack_pointer)
{
    struct team *t = cuna__cpu_team;
    if (t == NULL || !t->running)
        return false;
    uintptr_t offset = stack_pointer - (uintptr_t)t->stacks.first;
    bool found = offset < t->nthreads * STACK_NBYTES;
    return_to_main(t);
    if (found)
        *thread = cuna__team_fiber(t, (unsigned)(offset / STACK_NBYTES))->thread.idx;
    forget_block(t);
    return found;
}
