/* grid.c: cooperative launches, whose blocks wait for each other.
 *
 * A block has a thread of the system of its own, because what its threads share is thread-local. A block that waits
 * looks from time to time whether the launch has failed, or whether it would wait forever. */
#define _GNU_SOURCE 1
#include "cpu/execute/grid.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "cpu/execute/error.h"

#define LOOK_NS 10000000 /* between looks */

struct meeting {
    pthread_mutex_t lock;
    pthread_cond_t met;
    cuna_outcome *outcome;
    int64_t nblocks, here, gone; /* all; those that wait; those that have ended */
    uint64_t round;
};

struct member {
    pthread_t thread;
    struct meeting *meeting;
    cuna__threads_fn fn;
    void *data;
    int64_t number;
};

/* Whether the blocks that have not ended all wait, and one has ended. */
static bool is_stuck(const struct meeting *m)
{
    return m->gone > 0 && m->here > 0 && m->here + m->gone == m->nblocks;
}

static void say_stuck(const struct meeting *m)
{
    char words[160];
    snprintf(words, sizeof words, "blocks wait at grid.sync() for ever: %lld of %lld have ended without it",
             (long long)m->gone, (long long)m->nblocks);
    cuna__cpu_outcome_fail(m->outcome, CUNA_ERROR_KERNEL, words);
}

/* Until the round ends; false: it never will. */
static bool wait(struct meeting *m)
{
    uint64_t round = m->round;
    while (m->round == round && !cuna__outcome_is_decided(m->outcome)) {
        struct timespec until;
        if (is_stuck(m))
            say_stuck(m);
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += LOOK_NS;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&m->met, &m->lock, &until);
    }
    return m->round != round;
}

void cuna__cpu_grid_meet(const cuna_raw_launch *launch)
{
    struct meeting *m = launch->meeting;
    bool good = true;
    pthread_mutex_lock(&m->lock);
    m->here++;
    if (m->here == m->nblocks) {
        m->here = 0;
        m->round++;
        pthread_cond_broadcast(&m->met);
    } else {
        good = wait(m);
    }
    pthread_mutex_unlock(&m->lock);
    if (!good)
        cuna__cpu_fault_leave(CUNA_ERROR_KERNEL, "the launch failed in another block");
}

static void *run_member(void *data)
{
    struct member *member = data;
    struct meeting *m = member->meeting;
    member->fn(member->data, member->number, member->number + 1);
    pthread_mutex_lock(&m->lock);
    m->gone++;
    pthread_mutex_unlock(&m->lock);
    return NULL;
}

/* The caller runs the first block. */
static void run_members(struct member *members, struct meeting *m)
{
    int64_t started = 1;
    sigset_t before;
    cuna__cpu_threads_block_signals(&before);
    while (started < m->nblocks && pthread_create(&members[started].thread, NULL, run_member, &members[started]) == 0)
        started++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (started < m->nblocks)
        cuna__cpu_outcome_fail(m->outcome, CUNA_ERROR_KERNEL, "the system has no more threads for the launch's blocks");
    run_member(&members[0]);
    while (--started > 0)
        pthread_join(members[started].thread, NULL);
}

void cuna__cpu_grid_run(cuna_raw_launch *launch, cuna_outcome *outcome, cuna__threads_fn fn, void *data)
{
    struct meeting m = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, outcome, .nblocks = 0};
    m.nblocks = (int64_t)launch->grid.x * launch->grid.y * launch->grid.z;
    struct member *members = calloc((size_t)m.nblocks, sizeof *members);
    if (members == NULL) {
        cuna__cpu_outcome_fail(outcome, CUNA_ERROR_KERNEL, "no memory for the launch's blocks");
        return;
    }
    launch->meeting = &m;
    for (int64_t i = 0; i < m.nblocks; i++)
        members[i] = (struct member){.meeting = &m, .fn = fn, .data = data, .number = i};
    run_members(members, &m);
    free(members);
}
