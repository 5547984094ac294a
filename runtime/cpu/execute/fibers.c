/* fibers.c: the threads of a block that wait for each other are fibers: each has a stack, all run in the calling
 * thread.
 *
 * Fibers that can continue are in a FIFO queue; a fiber runs until it waits or ends. The last one to arrive at a
 * meeting does its work (counts votes, distributes the values of all lanes) and queues the others. When the queue is
 * empty and not all have ended, the kernel is wrong. Lanes that query the active mask wait until only sleeping ones can
 * continue; then the lanes of a warp with the same call stack are active together, independent of the order in which
 * they ran. Between blocks every fiber is parked at the head of its loop, so that the next block needs no new stacks. A
 * fiber's record is at the end of its stack, where kernels find it by the stack's address (record_at in
 * kernels/raw_launch_cpu.h). */
#define _GNU_SOURCE 1
#include "cpu/execute/fibers.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu/execute/grid.h"
#include "cpu/execute/stack.h"
#include "cpu/execute/stacks.h"

#define WARP         32
#define MAX_FIBERS   CUNA_RAW_MAX_THREADS
#define MAX_WARPS    (MAX_FIBERS / WARP)
#define LOCAL_NBYTES (512 << 10) /* CUDA's limit for a thread */
#define CALLS_NBYTES (128 << 10)
#define STACK_NBYTES CUNA_STACK_NBYTES

struct fiber {
    cuna_raw_thread thread; /* first: kernels know this part */
    cuna_stack place;
    unsigned number, mask, nbytes; /* of the threads in the block; of a meeting of lanes */
    uintptr_t call;                /* querying the active mask */
    const void *frame;             /* of live() */
    const void *value;
    void *all;
    unsigned *lanes;
};

_Static_assert(sizeof(struct fiber) <= CUNA_RECORD_NBYTES, "a record must fit in its place");
_Static_assert(STACK_NBYTES - CUNA_STACK_COLOURS * CUNA_COLOUR_NBYTES >= LOCAL_NBYTES + CALLS_NBYTES,
               "stacks must keep room");

/* Masks of lanes: not ended, waiting for others of a mask, and querying the active mask. */
struct warp {
    unsigned alive, waiting, asking;
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
    unsigned nthreads, alive, arrived, votes, result, head, tail;
    unsigned asking, sleeping; /* those that query the active mask; those in the queue that yielded */
    struct fiber *queue[MAX_FIBERS], *waiting[MAX_FIBERS];
    struct warp warps[MAX_WARPS];
#if !defined(__x86_64__)
    ucontext_t contexts[MAX_FIBERS], main_context;
#endif
};

static _Thread_local struct team *team __attribute__((tls_model("initial-exec")));

static struct fiber *fiber_of(const struct team *t, unsigned number)
{
    return (struct fiber *)record_at((uintptr_t)cuna__stacks_at(&t->stacks, number));
}

/* ---- changing stacks ---- */

static void live(void);

static void prepare(struct team *t, struct fiber *fiber)
{
    unsigned char *bottom = cuna__stacks_at(&t->stacks, fiber->number) + t->stacks.guard_nbytes;
#if !defined(__x86_64__)
    fiber->place.context = &t->contexts[fiber->number];
#endif
    cuna__cpu_stack_prepare(&fiber->place, bottom, fiber, live);
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

static unsigned bit_of(const struct fiber *fiber)
{
    return 1u << fiber->thread.lane;
}

static struct fiber *lane_of(const struct team *t, unsigned warp, unsigned lane)
{
    return fiber_of(t, warp * WARP + lane);
}

static void enqueue(struct team *t, struct fiber *fiber)
{
    t->queue[t->tail++ % MAX_FIBERS] = fiber;
}

/* Returns the active mask to the lanes of a warp that query it. */
static void answer_lanes(struct team *t, unsigned number)
{
    unsigned rest = t->warps[number].asking;
    t->warps[number].asking = 0;
    while (rest != 0) {
        uintptr_t call = lane_of(t, number, (unsigned)__builtin_ctz(rest))->call;
        unsigned together = 0;
        for (unsigned others = rest; others != 0; others &= others - 1) {
            unsigned lane = (unsigned)__builtin_ctz(others);
            together |= (unsigned)(lane_of(t, number, lane)->call == call) << lane;
        }
        for (unsigned lanes = together; lanes != 0; lanes &= lanes - 1) {
            struct fiber *fiber = lane_of(t, number, (unsigned)__builtin_ctz(lanes));
            fiber->mask = together;
            enqueue(t, fiber);
        }
        rest &= ~together;
    }
}

static void answer_all(struct team *t)
{
    t->asking = 0;
    for (unsigned warp = 0; warp * WARP < t->nthreads; warp++)
        answer_lanes(t, warp);
}

/* The next fiber that can continue, while the one after it is prefetched; without any: back to cuna__cpu_fibers_run. */
static cuna_stack *next_place(struct team *t)
{
    if (t->asking > 0 && t->tail - t->head == t->sleeping)
        answer_all(t);
    if (t->head == t->tail)
        return &t->main;
    struct fiber *fiber = t->queue[t->head++ % MAX_FIBERS];
#if defined(__x86_64__)
    if (t->head != t->tail)
        __builtin_prefetch(t->queue[t->head % MAX_FIBERS]->place.stack_pointer, 1);
    if (t->head + 1 != t->tail)
        __builtin_prefetch(t->queue[(t->head + 1) % MAX_FIBERS], 1);
#endif
    return &fiber->place;
}

static void wait(struct team *t, struct fiber *fiber)
{
    go_on(t, &fiber->place, next_place(t));
}

/* The same for one that may be the next. */
static void let_others(struct team *t, struct fiber *fiber)
{
    cuna_stack *next = next_place(t);
    if (next != &fiber->place)
        go_on(t, &fiber->place, next);
}

/* ---- meetings ---- */

static void trap(const struct fiber *fiber, const char *words)
{
    cuna__cpu_raw_services.trap(words, &fiber->thread.block->idx, &fiber->thread.idx);
}

static void release_block(struct team *t)
{
    if (t->for_grid)
        cuna__cpu_grid_meet(t->block->launch);
    t->for_grid = false;
    for (unsigned i = 0; i < t->arrived; i++)
        enqueue(t, t->waiting[i]);
    t->result = t->votes;
    t->arrived = t->votes = 0;
}

/* No fiber arrives here again before all have read the result. */
int cuna__cpu_fibers_sync(cuna_raw_thread *thread, bool p)
{
    struct team *t = team;
    struct fiber *fiber = (struct fiber *)thread;
    t->votes += p;
    if (t->arrived + 1 == t->alive) {
        release_block(t);
    } else {
        t->waiting[t->arrived++] = fiber;
        wait(t, fiber);
    }
    return (int)t->result;
}

void cuna__cpu_fibers_sync_grid(cuna_raw_thread *thread)
{
    if (thread->block->launch->meeting == NULL)
        trap((struct fiber *)thread, "grid.sync() in a launch that is not cooperative: launch with cooperative = true");
    team->for_grid = true;
    cuna__cpu_fibers_sync(thread, false);
}

/* Whether all lanes of `mask` that have not ended wait, and for the same lanes. */
static bool have_met(const struct team *t, unsigned warp, unsigned mask)
{
    unsigned needed = mask & t->warps[warp].alive;
    if ((needed & ~t->warps[warp].waiting) != 0 || needed == 0)
        return false;
    for (unsigned rest = needed; rest != 0; rest &= rest - 1)
        if (lane_of(t, warp, (unsigned)__builtin_ctz(rest))->mask != mask)
            return false;
    return true;
}

/* Fills the first lane's table with the values of all, and copies it to the others. */
static void exchange(struct team *t, unsigned warp, unsigned mask)
{
    unsigned needed = mask & t->warps[warp].alive;
    struct fiber *first = lane_of(t, warp, (unsigned)__builtin_ctz(needed));
    for (unsigned rest = needed; rest != 0; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        const struct fiber *fiber = lane_of(t, warp, lane);
        if (fiber->nbytes != first->nbytes)
            trap(fiber, "lanes of a warp meet in different functions");
        memcpy((unsigned char *)first->all + lane * (size_t)first->nbytes, fiber->value, first->nbytes);
        *fiber->lanes = needed;
    }
    for (unsigned rest = needed & (needed - 1); rest != 0; rest &= rest - 1)
        memcpy(lane_of(t, warp, (unsigned)__builtin_ctz(rest))->all, first->all, WARP * (size_t)first->nbytes);
    t->warps[warp].waiting &= ~needed;
}

static void release_lanes(struct team *t, unsigned warp, unsigned lanes)
{
    for (unsigned rest = lanes; rest != 0; rest &= rest - 1)
        enqueue(t, lane_of(t, warp, (unsigned)__builtin_ctz(rest)));
}

void cuna__cpu_fibers_gather(cuna_raw_thread *thread, unsigned mask, const void *value, void *all, unsigned nbytes,
                             unsigned *lanes)
{
    struct team *t = team;
    struct fiber *fiber = (struct fiber *)thread;
    unsigned warp = fiber->number / WARP, bit = bit_of(fiber);
    if ((mask & bit) == 0)
        trap(fiber, "a warp function is called by a lane that its mask does not name");
    fiber->mask = mask;
    fiber->value = value;
    fiber->all = all;
    fiber->nbytes = nbytes;
    fiber->lanes = lanes;
    t->warps[warp].waiting |= bit;
    if (!have_met(t, warp, mask)) {
        wait(t, fiber);
        return;
    }
    exchange(t, warp, mask);
    release_lanes(t, warp, *lanes & ~bit);
}

/* A call stack: the return addresses of all open functions. Kernels have frame pointers; live() has the last. */
static uintptr_t way_to(const struct fiber *fiber, const void *call, const void *frame)
{
    uintptr_t way = (uintptr_t)call;
    const uintptr_t *at = frame, *end = fiber->frame;
    while (at < end) {
        way = (way ^ at[1]) * (uintptr_t)0x9e3779b97f4a7c15u;
        const uintptr_t *next = (const uintptr_t *)at[0]; /* a frame begins with its caller's */
        if (next <= at)
            break;
        at = next;
    }
    return way;
}

unsigned cuna__cpu_fibers_active_lanes(cuna_raw_thread *thread, const void *frame)
{
    struct team *t = team;
    struct fiber *fiber = (struct fiber *)thread;
    fiber->call = way_to(fiber, __builtin_return_address(0), frame);
    t->warps[fiber->number / WARP].asking |= bit_of(fiber);
    t->asking++;
    let_others(t, fiber);
    return fiber->mask;
}

void cuna__cpu_fibers_yield(cuna_raw_thread *thread)
{
    struct team *t = team;
    struct fiber *fiber = (struct fiber *)thread;
    enqueue(t, fiber);
    t->sleeping++;
    let_others(t, fiber);
    t->sleeping--;
}

/* Lanes that wait for a lane that has ended are released. */
static void end_lane(struct team *t, const struct fiber *fiber)
{
    unsigned number = fiber->number / WARP;
    struct warp *warp = &t->warps[number];
    warp->alive &= ~bit_of(fiber);
    for (unsigned rest = warp->waiting; rest != 0; rest &= (rest - 1) & warp->waiting) {
        unsigned mask = lane_of(t, number, (unsigned)__builtin_ctz(rest))->mask;
        if (have_met(t, number, mask)) {
            exchange(t, number, mask);
            release_lanes(t, number, mask & warp->alive);
        }
    }
}

static void end(struct team *t, struct fiber *fiber)
{
    t->alive--;
    end_lane(t, fiber);
    if (t->arrived > 0 && t->arrived == t->alive)
        release_block(t);
    wait(t, fiber);
}

/* ---- a fiber's life ---- */

/* The fiber on whose stack this is called. */
static struct fiber *own_fiber(const struct team *t)
{
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    return fiber_of(t, (unsigned)((here - (uintptr_t)t->stacks.first) / STACK_NBYTES));
}

/* From a fiber's first instruction on; one pass of the loop is one block. */
static void live(void)
{
    struct team *t = team;
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
    team = NULL;
    cuna__cpu_stacks_free(&ended->stacks);
    free(ended);
}

static void make_key(void)
{
    pthread_key_create(&key, end_thread);
}

static struct team *find_team(void)
{
    if (team == NULL) {
        team = calloc(1, sizeof *team);
        pthread_once(&key_made, make_key);
        pthread_setspecific(key, team);
    }
    return team;
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
        struct fiber *fiber = fiber_of(t, number);
        unsigned row = number / shape.x;
        fiber->thread.idx = (cuna_raw_dim){number % shape.x, row % shape.y, row / shape.y};
        fiber->thread.lane = number % WARP;
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
    t->arrived = t->votes = t->head = t->tail = t->asking = t->sleeping = 0;
    for (unsigned warp = 0; warp * WARP < t->nthreads; warp++) {
        unsigned rest = t->nthreads - warp * WARP;
        t->warps[warp] = (struct warp){.alive = rest < WARP ? (1u << rest) - 1 : ~0u};
    }
    for (; t->parked < t->nthreads; t->parked++)
        prepare(t, fiber_of(t, t->parked));
    for (unsigned number = 0; number < t->nthreads; number++)
        enqueue(t, fiber_of(t, number));
}

static void say_deadlock(const struct team *t, char *words, size_t nbytes)
{
    unsigned lanes = 0;
    for (unsigned warp = 0; warp * WARP < t->nthreads; warp++)
        lanes += (unsigned)__builtin_popcount(t->warps[warp].waiting);
    snprintf(words, nbytes,
             "block (%u, %u, %u): its threads wait for each other for ever: %u of %u at a barrier, %u at a warp "
             "function for lanes of its mask, %u have ended",
             t->block->idx.x, t->block->idx.y, t->block->idx.z, t->arrived, t->nthreads, lanes, t->nthreads - t->alive);
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
    t->main.context = &t->main_context;
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

/* A jump that the sanitizer did not see returned to the thread's own stack. */
void cuna__cpu_fibers_abandon(void)
{
    struct team *t = team;
    if (t == NULL || !t->running)
        return;
    leave(t, NULL, &t->main);
    arrive(t, NULL, false);
    forget_block(t);
}

bool cuna__cpu_fibers_find(cuna_raw_dim *thread, uintptr_t stack_pointer)
{
    const struct team *t = team;
    if (t == NULL || !t->running || stack_pointer - (uintptr_t)t->stacks.first >= t->nthreads * STACK_NBYTES)
        return false;
    *thread = fiber_of(t, (unsigned)((stack_pointer - (uintptr_t)t->stacks.first) / STACK_NBYTES))->thread.idx;
    return true;
}
