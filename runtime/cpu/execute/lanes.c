/* lanes.c: the lanes of a warp wait for each other: they meet, query the active mask, or go in step.
 *
 * The last lane to arrive at a meeting distributes the values of all and queues the others. Lanes that query the active
 * mask wait until only sleeping threads can continue; then the lanes of a warp with the same call stack are active
 * together, independent of the order in which they ran.
 *
 * Sources that rely on warps in lock step (cpu/compile/step.c) wait before each access to volatile memory, at a place,
 * a number that grows along the source. When nothing else can continue, the lanes of a warp at the least place
 * continue, which are furthest behind: so lanes that took different ways go on together where the ways join. A lane
 * that loads one value at one place many times spins, and lets the others go first. */
#define _GNU_SOURCE 1
#include <string.h>

#include "cpu/execute/fibers.h"
#include "cpu/execute/team.h"

#define MAX_REPEATS 64

static unsigned bit_of(const struct fiber *fiber)
{
    return 1u << fiber->thread.lane;
}

static struct fiber *lane_of(const struct team *t, unsigned warp, unsigned lane)
{
    return cuna__team_fiber(t, warp * WARP + lane);
}

static void release_lanes(struct team *t, unsigned warp, unsigned lanes)
{
    for (unsigned rest = lanes; rest != 0; rest &= rest - 1)
        cuna__team_enqueue(t, lane_of(t, warp, (unsigned)__builtin_ctz(rest)));
}

/* ---- meetings ---- */

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
    t->vain = 0;
    struct fiber *first = lane_of(t, warp, (unsigned)__builtin_ctz(needed));
    for (unsigned rest = needed; rest != 0; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        const struct fiber *fiber = lane_of(t, warp, lane);
        if (fiber->nbytes != first->nbytes)
            cuna__team_trap(fiber, "lanes of a warp meet in different functions");
        memcpy((unsigned char *)first->all + lane * (size_t)first->nbytes, fiber->value, first->nbytes);
        *fiber->lanes = needed;
    }
    for (unsigned rest = needed & (needed - 1); rest != 0; rest &= rest - 1)
        memcpy(lane_of(t, warp, (unsigned)__builtin_ctz(rest))->all, first->all, WARP * (size_t)first->nbytes);
    t->warps[warp].waiting &= ~needed;
}

void cuna__cpu_fibers_gather(cuna_raw_thread *thread, unsigned mask, const void *value, void *all, unsigned nbytes,
                             unsigned *lanes)
{
    struct team *t = cuna__cpu_team;
    struct fiber *fiber = (struct fiber *)thread;
    unsigned warp = fiber->number / WARP, bit = bit_of(fiber);
    if ((mask & bit) == 0)
        cuna__team_trap(fiber, "a warp function is called by a lane that its mask does not name");
    fiber->mask = mask;
    fiber->value = value;
    fiber->all = all;
    fiber->nbytes = nbytes;
    fiber->lanes = lanes;
    t->warps[warp].waiting |= bit;
    if (!have_met(t, warp, mask)) {
        cuna__team_wait(t, fiber);
        return;
    }
    exchange(t, warp, mask);
    release_lanes(t, warp, *lanes & ~bit);
}

void cuna__lanes_end(struct team *t, const struct fiber *fiber)
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

/* ---- the active mask ---- */

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
    struct team *t = cuna__cpu_team;
    struct fiber *fiber = (struct fiber *)thread;
    fiber->call = way_to(fiber, __builtin_return_address(0), frame);
    t->warps[fiber->number / WARP].asking |= bit_of(fiber);
    t->asking++;
    cuna__team_wait(t, fiber);
    return fiber->mask;
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
        for (unsigned lanes = together; lanes != 0; lanes &= lanes - 1)
            lane_of(t, number, (unsigned)__builtin_ctz(lanes))->mask = together;
        release_lanes(t, number, together);
        rest &= ~together;
    }
}

/* ---- steps ---- */

/* What the lane is about to load, of at most 8 bytes. */
static void note_load(struct step *step, unsigned place, const void *from, unsigned nbytes)
{
    uint64_t value = 0;
    memcpy(&value, from, nbytes);
    bool repeats = step->load_place == place && step->from == from && step->value == value;
    step->repeats = repeats ? step->repeats + 1 : 0;
    step->load_place = place;
    step->from = from;
    step->value = value;
}

void cuna__cpu_fibers_step(cuna_raw_thread *thread, unsigned place, const void *from, unsigned nbytes)
{
    struct team *t = cuna__cpu_team;
    struct fiber *fiber = (struct fiber *)thread;
    struct step *step = &t->steps[fiber->number];
    step->place = place;
    if (from != NULL)
        note_load(step, place, from, nbytes);
    else if (nbytes > 0)
        step->repeats = 0;
    t->warps[fiber->number / WARP].stepping |= bit_of(fiber);
    t->stepping++;
    cuna__team_wait(t, fiber);
}

/* The lanes at the least place, of those that do not spin; all, if all spin. */
static unsigned find_last(const struct team *t, unsigned number)
{
    const struct step *steps = &t->steps[number * WARP];
    unsigned last = 0, least = ~0u;
    for (unsigned rest = t->warps[number].stepping; rest != 0; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        if (steps[lane].repeats >= MAX_REPEATS || steps[lane].place > least)
            continue;
        last = steps[lane].place < least ? 1u << lane : last | 1u << lane;
        least = steps[lane].place;
    }
    return last != 0 ? last : t->warps[number].stepping;
}

static void answer_steps(struct team *t, unsigned number)
{
    unsigned lanes = find_last(t, number);
    t->warps[number].stepping &= ~lanes;
    t->stepping -= (unsigned)__builtin_popcount(lanes);
    release_lanes(t, number, lanes);
}

void cuna__lanes_answer(struct team *t)
{
    bool steps = t->stepping > 0;
    for (unsigned warp = 0; warp * WARP < t->nthreads; warp++)
        if (steps)
            answer_steps(t, warp);
        else
            answer_lanes(t, warp);
    t->asking = steps ? t->asking : 0;
}
