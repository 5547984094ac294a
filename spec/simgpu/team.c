/* team.c: the lanes of a block that work together are fibers: each has a stack, all run in the calling thread.
 *
 * Lanes run in random order, each until it waits or ends. When all 256 wait at a barrier, or all 32 of a group at a
 * shuffle, they are let go; when nobody can go on and not all have ended, the kernel is wrong. A shuffle publishes in
 * one of two rooms by turns, so that one meeting suffices: a room is written again only after the next meeting, and
 * everyone has read by then. */
#define _GNU_SOURCE 1
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "cpu/execute/stack.h"
#include "simgpu.h"

#if defined(__SANITIZE_ADDRESS__)
#define STACK_NBYTES ((size_t)65 * PAGE)
#else
#define STACK_NBYTES ((size_t)17 * PAGE)
#endif

#define GROUP        32
#define NGROUPS      (SIMGPU_LANES / GROUP)
#define ROOM_NBYTES  64
#define PAGE         4096
#define LIVE_NBYTES  1024 /* more than the frame of live() */
#define GUARD_NBYTES ((size_t)PAGE)

typedef unsigned char room[ROOM_NBYTES];

enum state { READY, AT_BARRIER, AT_SHUFFLE, ENDED };

struct lane {
    cuna_stack fiber;
    enum state state;
    unsigned turn; /* of shuffles */
};

/* One per OS thread. */
struct team {
    struct lane lanes[SIMGPU_LANES];
    cuna_stack main;
    const void *main_bottom;
    size_t main_nbytes;
    unsigned char *stacks;
    unsigned current, order, passed; /* lanes of this pass that had their turn */
    bool running, starting;
    unsigned waiting, shuffling[NGROUPS], ended;
    void (*body)(const void *arguments, unsigned block);
    const void *arguments;
    unsigned block;
    room rooms[2][SIMGPU_LANES];
#if !defined(__x86_64__)
    ucontext_t contexts[SIMGPU_LANES], main_context;
#endif
};

static _Thread_local struct team *team __attribute__((tls_model("initial-exec")));
static _Thread_local unsigned lane_now __attribute__((tls_model("initial-exec")));

static unsigned char *stack_of(const struct team *t, unsigned lane)
{
    return t->stacks + lane * STACK_NBYTES + GUARD_NBYTES;
}

/* Where a lane's stack begins, downwards. An odd number of pages a stack, and another place in the page for every 16
 * lanes, so that not all lie in the same sets of the caches. */
static unsigned char *top_of(const struct team *t, unsigned lane)
{
    return t->stacks + (lane + 1) * STACK_NBYTES - lane / 16 * (PAGE / 16);
}

/* What the sanitizer knows of frames that were left without a return: of live() alone, or of all lanes. */
static void forget_frames(const struct team *t, unsigned lane, size_t nbytes)
{
    cuna__stack_forget(top_of(t, lane) - nbytes, nbytes);
}

static void forget_all_frames(const struct team *t)
{
    for (unsigned lane = 0; lane < SIMGPU_LANES; lane++)
        forget_frames(t, lane, (size_t)(top_of(t, lane) - stack_of(t, lane)));
}

static void live(void);

static void prepare(struct team *t, unsigned lane)
{
#if !defined(__x86_64__)
    t->lanes[lane].fiber.top = &t->contexts[lane];
#endif
    cuna__cpu_stack_prepare(&t->lanes[lane].fiber, stack_of(t, lane), top_of(t, lane), live);
}

/* The next lane of this pass that can go on; SIMGPU_LANES: none. */
static unsigned next_lane(struct team *t)
{
    while (t->passed < SIMGPU_LANES) {
        unsigned lane = (t->passed++ * (t->order | 1) + (t->order >> 8)) % SIMGPU_LANES;
        if (t->lanes[lane].state == READY)
            return lane;
    }
    return SIMGPU_LANES;
}

/* Goes on with a lane, or with the main stack. `ends`: nobody comes back here. */
static void go_on(struct team *t, cuna_stack *from, unsigned lane, bool ends)
{
    bool to_main = lane == SIMGPU_LANES;
    const void *bottom = to_main ? t->main_bottom : stack_of(t, lane);
    size_t nbytes = to_main ? t->main_nbytes : (size_t)(top_of(t, lane) - stack_of(t, lane));
    t->current = lane_now = lane;
    cuna__stack_leave(ends ? NULL : &from->fake_stack, bottom, nbytes);
    cuna__stack_change(from, to_main ? &t->main : &t->lanes[lane].fiber);
    cuna__stack_arrive(from->fake_stack, NULL, NULL);
}

/* Lets others run until this lane may go on. */
static void wait_in(struct team *t, enum state state)
{
    struct lane *lane = &t->lanes[t->current];
    lane->state = state;
    go_on(t, &lane->fiber, next_lane(t), state == ENDED);
}

/* A lane, from its first instruction on. The first of a block comes from the main stack. */
static void live(void)
{
    struct team *t = team;
    const void *bottom = NULL;
    size_t nbytes = 0;
    cuna__stack_arrive(NULL, &bottom, &nbytes);
    if (t->starting) {
        t->starting = false;
        t->main_bottom = bottom;
        t->main_nbytes = nbytes;
    }
    t->body(t->arguments, t->block);
    t->ended++;
    wait_in(t, ENDED);
    abort();
}

static void release(struct team *t, unsigned first, unsigned count)
{
    for (unsigned lane = first; lane < first + count; lane++)
        t->lanes[lane].state = READY;
}

static bool release_those_who_met(struct team *t)
{
    bool any = t->waiting == SIMGPU_LANES;
    if (any) {
        t->waiting = 0;
        release(t, 0, SIMGPU_LANES);
    }
    for (unsigned group = 0; group < NGROUPS; group++) {
        if (t->shuffling[group] != GROUP)
            continue;
        t->shuffling[group] = 0;
        release(t, group * GROUP, GROUP);
        any = true;
    }
    return any;
}

static void *destroy_team(struct team *t)
{
    if (t != NULL && t->stacks != NULL)
        munmap(t->stacks, SIMGPU_LANES * STACK_NBYTES);
    free(t);
    return NULL;
}

static pthread_key_t key;
static pthread_once_t key_made = PTHREAD_ONCE_INIT;

static void end_thread(void *t)
{
    team = destroy_team(t);
}

static void make_key(void)
{
    pthread_key_create(&key, end_thread);
}

static struct team *create_team(void)
{
    struct team *t = calloc(1, sizeof *t);
    if (t == NULL)
        return NULL;
    t->stacks = mmap(NULL, SIMGPU_LANES * STACK_NBYTES, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (t->stacks == MAP_FAILED) {
        t->stacks = NULL;
        return destroy_team(t);
    }
    for (unsigned lane = 0; lane < SIMGPU_LANES; lane++)
        mprotect(t->stacks + lane * STACK_NBYTES, GUARD_NBYTES, PROT_NONE);
    pthread_once(&key_made, make_key);
    pthread_setspecific(key, t);
    return t;
}

static unsigned scramble(unsigned block)
{
    static _Atomic unsigned round; /* not the lock's generator: any thread comes here */
    uint64_t bits = ((uint64_t)block << 32 | ++round) * 0x9e3779b97f4a7c15u;
    static uint64_t seed;
    if (seed == 0)
        seed = simgpu__setting("SIMGPU_SEED", 1) * 2 + 1;
    bits = (bits ^ bits >> 29) * (seed * 0xbf58476d1ce4e5b9u | 1);
    return (unsigned)(bits >> 32);
}

/* One lane of a block after another. */
static void run_lanes(void (*body)(const void *arguments, unsigned block), const void *arguments, unsigned block)
{
    unsigned order = scramble(block);
    for (unsigned i = 0; i < SIMGPU_LANES; i++) {
        lane_now = (i * (order | 1) + (order >> 8)) % SIMGPU_LANES;
        body(arguments, block);
    }
}

/* All lanes of a block, from start to end. */
static void run_team(void (*body)(const void *arguments, unsigned block), const void *arguments, unsigned block)
{
    if (team == NULL)
        team = create_team();
    struct team *t = team;
    if (t == NULL || t->running)
        simgpu__block_fault(CU_ERROR_LAUNCH_FAILED, "no memory for the stacks of a block's lanes");
    t->body = body;
    t->arguments = arguments;
    t->block = block;
    t->waiting = t->ended = 0;
    memset(t->shuffling, 0, sizeof t->shuffling);
    t->running = t->starting = true;
#if !defined(__x86_64__)
    t->main.top = &t->main_context;
#endif
    for (unsigned lane = 0; lane < SIMGPU_LANES; lane++) {
        t->lanes[lane].state = READY;
        t->lanes[lane].turn = 0;
        forget_frames(t, lane, LIVE_NBYTES);
        prepare(t, lane);
    }
    do {
        /* Each pass has another order, so that no kernel relies on one. */
        t->order = scramble(block);
        t->passed = 0;
        go_on(t, &t->main, next_lane(t), false);
    } while (release_those_who_met(t));
    t->running = false;
    if (t->ended == SIMGPU_LANES)
        return;
    forget_all_frames(t);
    simgpu__block_fault(CU_ERROR_LAUNCH_FAILED,
                        "in block %u %u lanes ended and %u wait at a barrier, the others at a shuffle: not all lanes "
                        "reach it",
                        block, t->ended, t->waiting);
}

static struct team *in_lane(const char *what)
{
    if (team == NULL || !team->running)
        simgpu__block_fault(CU_ERROR_LAUNCH_FAILED, "%s in a kernel whose entry says that lanes do not work together",
                            what);
    return team;
}

static unsigned lane_number(void)
{
    return lane_now;
}

static void barrier(void)
{
    struct team *t = in_lane("a barrier");
    t->waiting++;
    wait_in(t, AT_BARRIER);
}

/* Shows a value to the group; the rooms of all lanes, in which the group's have theirs. */
static const room *meet(struct team *t, const void *value, unsigned nbytes)
{
    unsigned lane = t->current;
    room *rooms = t->rooms[t->lanes[lane].turn++ % 2];
    memcpy(rooms[lane], value, nbytes);
    t->shuffling[lane / GROUP]++;
    wait_in(t, AT_SHUFFLE);
    return rooms;
}

/* Piece by piece, each with a meeting. */
static void shuffle(void *out, const void *value, unsigned nbytes, unsigned distance)
{
    struct team *t = in_lane("a shuffle");
    unsigned lane = t->current, from = lane % GROUP + distance < GROUP ? lane + distance : lane;
    for (unsigned done = 0; done < nbytes; done += ROOM_NBYTES) {
        unsigned n = nbytes - done < ROOM_NBYTES ? nbytes - done : ROOM_NBYTES;
        const room *rooms = meet(t, (const unsigned char *)value + done, n);
        memcpy((unsigned char *)out + done, rooms[from], n);
    }
}

static unsigned alike(unsigned value)
{
    struct team *t = in_lane("a vote");
    const room *rooms = meet(t, &value, sizeof value) + t->current / GROUP * GROUP;
    unsigned lanes = 0;
    for (unsigned i = 0; i < GROUP; i++) {
        unsigned theirs;
        memcpy(&theirs, rooms[i], sizeof theirs); /* inline, which memcmp is not */
        lanes |= (unsigned)(theirs == value) << i;
    }
    return lanes;
}

static void misaligned(const void *ptr)
{
    simgpu__block_fault(CU_ERROR_MISALIGNED_ADDRESS, "an access of several elements at %p, which is not aligned for it",
                        ptr);
}

bool simgpu__team_is_lane(void)
{
    return team != NULL && team->running;
}

void simgpu__team_reset(void)
{
    if (!simgpu__team_is_lane())
        return;
    cuna__stack_leave(NULL, team->main_bottom, team->main_nbytes);
    cuna__stack_arrive(team->main.fake_stack, NULL, NULL);
    team->running = false;
    forget_all_frames(team);
}

const struct simgpu_services simgpu__services = {run_lanes, run_team, lane_number, barrier, shuffle, alike, misaligned};
