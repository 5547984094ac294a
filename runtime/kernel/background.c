/* background.c: kernels that are compiled while the script goes on.
 *
 * One thread of low priority takes the requests that lost most time, some at a time, since a unit costs little
 * more than a kernel. A new kernel stands before the code in its program's list, so the next call takes it. What cannot
 * be compiled is not tried again: its code stays.
 *
 * At exit the compiler is ended and the thread joined: nothing of a process outlives it. A forked child has no such
 * thread; it starts one of its own with the first request. */
#define _GNU_SOURCE 1
#include "kernel/background.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/interrupt.h"

#define MAX_REQUESTS 64
#define UNIT_KERNELS 8 /* compiled together at most: the first of them shall not wait long */
#define NICE         5 /* of the thread, and of compilers that it starts: beside a busy script 19 gets nothing */

typedef struct request {
    cuna_kernel_request what;
    const cuna_heat *heat;
} request;

static struct {
    pthread_mutex_t lock;
    pthread_cond_t asked;
    pthread_t thread;
    bool started, leaving, has_hooks;
    int count, busy;
    request requests[MAX_REQUESTS];
} queue = {.lock = PTHREAD_MUTEX_INITIALIZER, .asked = PTHREAD_COND_INITIALIZER};

static bool loses_more(const request *a, const request *b)
{
    return __atomic_load_n(&a->heat->loss_ps, __ATOMIC_RELAXED) > __atomic_load_n(&b->heat->loss_ps, __ATOMIC_RELAXED);
}

/* Takes the request that lost most; with the lock. */
static cuna_kernel_request take_hottest(void)
{
    int hottest = 0;
    for (int i = 1; i < queue.count; i++)
        if (loses_more(&queue.requests[i], &queue.requests[hottest]))
            hottest = i;
    cuna_kernel_request taken = queue.requests[hottest].what;
    queue.requests[hottest] = queue.requests[--queue.count];
    return taken;
}

/* Waits for requests; returns how many were taken, 0 when the process ends. */
static int take_unit(cuna_kernel_request *unit)
{
    int count = 0;
    pthread_mutex_lock(&queue.lock);
    queue.busy = 0;
    while (queue.count == 0 && !queue.leaving)
        pthread_cond_wait(&queue.asked, &queue.lock);
    while (queue.count > 0 && count < UNIT_KERNELS && !queue.leaving)
        unit[count++] = take_hottest();
    queue.busy = count;
    pthread_mutex_unlock(&queue.lock);
    return count;
}

static void *compile_requests(void *data)
{
    cuna_kernel_request unit[UNIT_KERNELS];
    (void)data;
    setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), NICE);
    cuna_cancel_by(&queue.leaving);
    for (int count = take_unit(unit); count > 0; count = take_unit(unit)) {
        cuna__kernel_prepare(count, unit);
        for (int i = 0; i < count; i++)
            cuna_program_release(unit[i].program);
    }
    return NULL;
}

/* ---- the end of the process, and forks ---- */

static void leave(void)
{
    pthread_mutex_lock(&queue.lock);
    bool started = queue.started;
    __atomic_store_n(&queue.leaving, true, __ATOMIC_RELAXED);
    queue.started = false;
    pthread_cond_signal(&queue.asked);
    pthread_mutex_unlock(&queue.lock);
    if (started)
        pthread_join(queue.thread, NULL);
}

static void lock_queue(void)
{
    pthread_mutex_lock(&queue.lock);
}

static void unlock_queue(void)
{
    pthread_mutex_unlock(&queue.lock);
}

/* Requests are the parent's, which compiles them. */
static void forget_in_child(void)
{
    pthread_mutex_init(&queue.lock, NULL);
    pthread_cond_init(&queue.asked, NULL);
    queue.started = false;
    queue.count = queue.busy = 0;
}

/* Signals are for the script's threads. With the lock. */
static bool start(void)
{
    sigset_t all, before;
    if (!queue.has_hooks) {
        queue.has_hooks = true;
        atexit(leave);
        pthread_atfork(lock_queue, unlock_queue, forget_in_child);
    }
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    queue.started = queue.started || pthread_create(&queue.thread, NULL, compile_requests, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return queue.started;
}

/* Where there is no room, or no thread, the code stays. */
void cuna__background_request(const cuna_kernel_request *what, const cuna_heat *heat)
{
    pthread_mutex_lock(&queue.lock);
    if (queue.count < MAX_REQUESTS && !queue.leaving && start()) {
        cuna_program_retain(what->program);
        queue.requests[queue.count++] = (request){*what, heat};
        pthread_cond_signal(&queue.asked);
    }
    pthread_mutex_unlock(&queue.lock);
}

int cuna_background_count(void)
{
    pthread_mutex_lock(&queue.lock);
    int count = queue.count + queue.busy;
    pthread_mutex_unlock(&queue.lock);
    return count;
}
