/* background.c: kernels that are compiled while the script goes on.
 *
 * Threads of low priority take the requests that lost most time, some at a time, since a unit costs little
 * more than a kernel. A new kernel stands before the code in its program's list, so the next call takes it. What cannot
 * be compiled is not tried again: its code stays. Kernels of composed operations are asked for as well, by devices
 * without code (record/first.c): meanwhile the operations run one by one.
 *
 * At exit the compilers are ended and the threads joined: nothing of a process outlives it. A forked child has no such
 * threads; it starts some of its own with the first request. */
#define _GNU_SOURCE 1
#include "kernel/background.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "device/compile_wait.h"
#include "device/module.h"

/* NVRTC serves as many threads at once. Other compilers get one: they are processes beside the script. */
#define MAX_THREADS  4
#define MAX_REQUESTS 64
#define UNIT_KERNELS 8         /* compiled together at most: the first of them shall not wait long */
#define SLICE_NS     500000    /* of waiting */
#define GRACE_NS     100000000 /* after a script waited for a compiler */
#define NICE         5         /* of threads, and of their compilers: beside a busy script 19 gets nothing */

typedef struct request {
    cuna_kernel_request what;
    const cuna_heat *heat;
} request;

static struct {
    pthread_mutex_t lock;
    pthread_cond_t asked;
    pthread_t threads[MAX_THREADS];
    int nthreads;
    bool leaving, hooked, hooked_late;
    int count, busy, awaited; /* requests; those that are being compiled; scripts that wait for some */
    uint64_t done;            /* units */
    request requests[MAX_REQUESTS];
} queue = {.lock = PTHREAD_MUTEX_INITIALIZER, .asked = PTHREAD_COND_INITIALIZER};

static int64_t loss_ps(const cuna_heat *heat)
{
    return heat != NULL ? __atomic_load_n(&heat->loss_ps, __ATOMIC_RELAXED) : INT64_MAX;
}

/* Takes the request of a device that lost most, NULL: of any device; false: there is none. With the lock. */
static bool take_hottest(cuna_kernel_request *taken, const cuna_device *device)
{
    int hottest = -1;
    for (int i = 0; i < queue.count; i++)
        if ((device == NULL || queue.requests[i].what.device == device) &&
            (hottest < 0 || loss_ps(queue.requests[i].heat) > loss_ps(queue.requests[hottest].heat)))
            hottest = i;
    if (hottest < 0)
        return false;
    *taken = queue.requests[hottest].what;
    queue.requests[hottest] = queue.requests[--queue.count];
    return true;
}

/* Whether scripts compile, and will again in a moment: compilers inside of the process hold each other up. With the lock. */
static bool is_in_the_way(void)
{
    return __atomic_load_n(&queue.awaited, __ATOMIC_RELAXED) == 0 &&
           !queue.requests->what.device->driver->facts.interprets && cuna__compile_idle_ns() < GRACE_NS;
}

/* With the lock, which it gives away meanwhile. */
static void wait_for_requests(void)
{
    const struct timespec slice = {.tv_nsec = SLICE_NS};
    while (!queue.leaving && (queue.count == 0 || is_in_the_way())) {
        if (queue.count == 0) {
            pthread_cond_wait(&queue.asked, &queue.lock);
        } else {
            pthread_mutex_unlock(&queue.lock);
            nanosleep(&slice, NULL);
            pthread_mutex_lock(&queue.lock);
        }
    }
}

/* Waits for requests; returns how many of one device were taken, 0 when the process ends. Threads share what there is. */
static int take_unit(cuna_kernel_request *unit)
{
    int count = 0;
    pthread_mutex_lock(&queue.lock);
    wait_for_requests();
    int most = (int)cuna__min(UNIT_KERNELS, cuna__ceil_div(queue.count, cuna__max(queue.nthreads, 1)));
    while (count < most && !queue.leaving && take_hottest(&unit[count], count > 0 ? unit->device : NULL))
        count++;
    queue.busy += count;
    pthread_mutex_unlock(&queue.lock);
    return count;
}

static void end_unit(int count, const cuna_kernel_request *unit)
{
    for (int i = 0; i < count; i++)
        cuna_program_release(unit[i].program);
    pthread_mutex_lock(&queue.lock);
    queue.busy -= count;
    pthread_mutex_unlock(&queue.lock);
    __atomic_add_fetch(&queue.done, 1, __ATOMIC_RELEASE);
}

static void *compile_requests(void *data)
{
    cuna_kernel_request unit[UNIT_KERNELS];
    (void)data;
    setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), NICE);
    cuna_cancel_by(&queue.leaving);
    for (int count = take_unit(unit); count > 0; count = take_unit(unit)) {
        cuna__kernel_prepare(count, unit);
        end_unit(count, unit);
    }
    return NULL;
}

/* ---- the end of the process, and forks ---- */

static void leave(void)
{
    pthread_mutex_lock(&queue.lock);
    int nthreads = queue.nthreads;
    __atomic_store_n(&queue.leaving, true, __ATOMIC_RELAXED);
    queue.nthreads = 0;
    pthread_cond_broadcast(&queue.asked);
    pthread_mutex_unlock(&queue.lock);
    for (int i = 0; i < nthreads; i++)
        pthread_join(queue.threads[i], NULL);
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
    queue.nthreads = queue.count = queue.busy = queue.awaited = 0;
}

/* What was registered last runs first at exit: threads have to be gone before the compiler's own functions run, which it
 * registers at its first compilation. */
static void hook_behind_compiler(cuna_device *device)
{
    bool *has_hook = device->driver->facts.interprets ? &queue.hooked : &queue.hooked_late;
    if (__atomic_exchange_n(has_hook, true, __ATOMIC_RELAXED))
        return;
    if (!device->driver->facts.interprets)
        cuna__module_start_compiler(device);
    atexit(leave);
}

/* Signals are for the script's threads. With the lock. */
static bool start(const cuna_device *device)
{
    sigset_t all, before;
    int most = device->driver->facts.interprets ? 1 : MAX_THREADS;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (queue.nthreads < most && pthread_create(&queue.threads[queue.nthreads], NULL, compile_requests, NULL) == 0)
        queue.nthreads++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return queue.nthreads > 0;
}

static void hook_forks(void)
{
    pthread_atfork(lock_queue, unlock_queue, forget_in_child);
}

bool cuna__background_request(const cuna_kernel_request *what, const cuna_heat *heat)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, hook_forks);
    hook_behind_compiler(what->device);
    pthread_mutex_lock(&queue.lock);
    bool fits = queue.count < MAX_REQUESTS && !queue.leaving && start(what->device);
    if (fits) {
        cuna_program_retain(what->program);
        queue.requests[queue.count++] = (request){*what, heat};
        pthread_cond_signal(&queue.asked);
    }
    pthread_mutex_unlock(&queue.lock);
    return fits;
}

uint64_t cuna__background_done(void)
{
    return __atomic_load_n(&queue.done, __ATOMIC_ACQUIRE);
}

double cuna__background_wait(uint64_t done, double seconds)
{
    const struct timespec slice = {.tv_nsec = SLICE_NS};
    __atomic_add_fetch(&queue.awaited, 1, __ATOMIC_RELAXED);
    while (seconds > 0 && cuna__background_done() == done && cuna_background_count() > 0) {
        nanosleep(&slice, NULL);
        seconds = cuna_is_interrupted() ? 0 : seconds - SLICE_NS * 1e-9;
    }
    __atomic_sub_fetch(&queue.awaited, 1, __ATOMIC_RELAXED);
    return seconds > 0 ? seconds : 0;
}

int cuna_background_count(void)
{
    pthread_mutex_lock(&queue.lock);
    int count = queue.count + queue.busy;
    pthread_mutex_unlock(&queue.lock);
    return count;
}
