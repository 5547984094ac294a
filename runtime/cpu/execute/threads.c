/* threads.c: the one thread pool of the cpu device.
 *
 * One job at a time. The caller that takes `busy` writes the job, puts as many seats into `entrance` as there are
 * pieces for others, and rings `bell`; workers that hear it take a seat, then pieces from `next` until none is left,
 * and leave. When the caller finds no piece left it removes the seats and waits for those inside; a worker that wakes
 * late finds none and goes back to waiting, so a run never waits for a sleeper. Invariant: a job is written only while
 * the entrance has no seats and nobody inside.
 *
 * Waking a thread costs the caller a system call, which a single short job does not repay; many of them do. So the work
 * of empty seats is summed, and threads are woken when the sum reaches the cost of waking. Workers that find no seat
 * stop spinning.
 *
 * Waiting is a short spin, then a futex. If other programs compete for the processors, a worker may lose its processor
 * during a job, and the caller waits for a time slice; or the worker takes the caller's. If that costs more than the
 * worker does, callers work alone for a while, in proportion to the loss, so that losses of any length take a small share
 * of the time.
 *
 * All state is in atomics: a forked child, which has no workers, starts over by setting them to zero. */
#define _GNU_SOURCE 1
#include "cpu/execute/threads.h"

#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/environment.h"
#include "cpu/execute/limits.h"

#define MAX_THREADS 256
#define SPIN_NS     30000
#define WAKE_NS     8000    /* of work that pays for waking a thread */
#define ALONE_TIMES 16      /* as long as the loss */
#define SHARED_NS   1000000 /* alone after a worker took the caller's processor, because no other was idle */

enum { INSIDE = 0xffff, SEAT = 1 << 16, SEATS = 0xff * SEAT, CALLER_SLEEPS = 1 << 24 }; /* of `entrance` */

static struct {
    _Alignas(64) atomic_flag busy;
    atomic_int workers; /* threads started, 0 before the first run */
    _Atomic int64_t alone_until_ns;
    atomic_int caller_cpu;      /* where the last job was written */
    int64_t ended_ns, empty_ns; /* for the holder of `busy`: end of the last job, work of empty seats */
    _Alignas(64) _Atomic uint32_t bell;
    _Atomic uint32_t sleepers;
    _Alignas(64) _Atomic uint32_t entrance;
    _Alignas(64) _Atomic int64_t next;
    cuna__threads_fn fn;
    void *data;
    int64_t count, chunk;
} pool = {.busy = ATOMIC_FLAG_INIT};

static atomic_int threads_count;

static void futex_wait(_Atomic uint32_t *word, uint32_t seen)
{
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, seen, NULL, NULL, 0);
}

static void futex_wake(_Atomic uint32_t *word, int nthreads)
{
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, nthreads, NULL, NULL, 0);
}

static inline void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static int64_t read_clock(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static int64_t now_ns(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

static bool has_callers_cpu(void)
{
    return sched_getcpu() == atomic_load_explicit(&pool.caller_cpu, memory_order_relaxed);
}

static void be_alone(int64_t from_ns, int64_t for_ns)
{
    atomic_store_explicit(&pool.alone_until_ns, from_ns + for_ns, memory_order_relaxed);
}

static bool is_alone(int64_t at_ns)
{
    return at_ns < atomic_load_explicit(&pool.alone_until_ns, memory_order_relaxed);
}

/* Spins until the word differs from `seen` or a limit after a given time, and returns its last value. */
static uint32_t spin_while(_Atomic uint32_t *word, uint32_t seen, int64_t since_ns)
{
    int64_t deadline = since_ns + SPIN_NS;
    do {
        for (int i = 0; i < 32; i++) {
            uint32_t value = atomic_load_explicit(word, memory_order_acquire);
            if (value != seen)
                return value;
            relax();
        }
    } while (now_ns() < deadline);
    return seen;
}

/* Returns the number of items done. */
static int64_t take_pieces(void)
{
    int64_t done = 0;
    for (;;) {
        int64_t first = atomic_fetch_add_explicit(&pool.next, pool.chunk, memory_order_relaxed);
        if (first >= pool.count)
            return done;
        int64_t last = cuna__min(first + pool.chunk, pool.count);
        pool.fn(pool.data, first, last);
        done += last - first;
    }
}

static bool enter(void)
{
    uint32_t seen = atomic_load_explicit(&pool.entrance, memory_order_relaxed);
    while (seen & SEATS)
        if (atomic_compare_exchange_weak_explicit(&pool.entrance, &seen, seen - SEAT + 1, memory_order_acquire,
                                                  memory_order_relaxed))
            return true;
    return false;
}

static void leave(void)
{
    uint32_t before = atomic_fetch_sub_explicit(&pool.entrance, 1, memory_order_release);
    if ((before & INSIDE) == 1 && (before & CALLER_SLEEPS))
        futex_wake(&pool.entrance, 1);
}

/* The two clocks of a worker, since it last slept: they diverge while it has no processor. */
typedef struct {
    int64_t wall_ns, thread_ns;
} clocks;

static clocks read_clocks(void)
{
    return (clocks){now_ns(), read_clock(CLOCK_THREAD_CPUTIME_ID)};
}

/* Records the time that a job, which this worker entered at `begin_ns`, lost through it, if it did less than it lost:
 * else a job of seconds would be followed by one whose only thread is the caller, for some milliseconds that others took. */
static clocks note_loss(clocks before, int64_t begin_ns)
{
    clocks now = read_clocks();
    int64_t lost_ns = now.wall_ns - before.wall_ns - (now.thread_ns - before.thread_ns);
    int64_t took_ns = now.wall_ns - begin_ns;
    lost_ns = cuna__min(lost_ns, took_ns);
    if (lost_ns > SPIN_NS && lost_ns > took_ns - lost_ns)
        be_alone(now.wall_ns, ALONE_TIMES * lost_ns);
    return now;
}

/* Returns the bell's new value; `since` is when this worker last had work. The sleepers' count goes up before the
 * kernel compares the bell, and the caller rings before it reads the count: one of them notices the other. */
static uint32_t wait_for_bell(uint32_t seen, clocks *since)
{
    uint32_t value = seen;
    if (!has_callers_cpu()) /* it would keep the bell from ringing */
        value = spin_while(&pool.bell, seen, since->wall_ns);
    while (value == seen) {
        atomic_fetch_add(&pool.sleepers, 1);
        futex_wait(&pool.bell, seen);
        atomic_fetch_sub(&pool.sleepers, 1);
        *since = read_clocks();
        value = atomic_load(&pool.bell);
    }
    return value;
}

static void *work(void *first_bell)
{
    uint32_t seen = (uint32_t)(uintptr_t)first_bell;
    clocks since = read_clocks();
    for (;;) {
        seen = wait_for_bell(seen, &since);
        if (enter()) {
            int64_t begin_ns = now_ns();
            if (has_callers_cpu())
                be_alone(begin_ns, SHARED_NS);
            take_pieces();
            leave();
            since = note_loss(since, begin_ns);
        }
    }
    return NULL;
}

/* Workers block asynchronous signals: handlers run in the program's threads. Faults of kernel code still reach the
 * program's handler. */
void cuna__cpu_threads_block_signals(sigset_t *before)
{
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS};
    sigset_t blocked;
    sigfillset(&blocked);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        sigdelset(&blocked, faults[i]);
    pthread_sigmask(SIG_SETMASK, &blocked, before);
}

static void reset_in_child(void)
{
    atomic_flag_clear(&pool.busy);
    atomic_store(&pool.workers, 0);
    atomic_store(&pool.alone_until_ns, 0);
    atomic_store(&pool.bell, 0);
    atomic_store(&pool.sleepers, 0);
    atomic_store(&pool.entrance, 0);
}

static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, reset_in_child);
}

/* Starts missing threads. If the system refuses one, the run continues with the existing ones. */
static void start_workers(int wanted)
{
    static pthread_once_t watched = PTHREAD_ONCE_INIT;
    pthread_attr_t detached;
    sigset_t before;
    pthread_t thread;
    pthread_once(&watched, watch_forks);
    if (pthread_attr_init(&detached) != 0)
        return;
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    cuna__cpu_threads_block_signals(&before);
    int started = atomic_load(&pool.workers);
    void *bell = (void *)(uintptr_t)atomic_load(&pool.bell);
    while (started < wanted && pthread_create(&thread, &detached, work, bell) == 0)
        started++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    atomic_store(&pool.workers, started);
    pthread_attr_destroy(&detached);
}

/* The number of sleepers that a job wakes for its seats; `total_ns` is its work, 0 if unknown. A thread that was woken
 * long before the next job sleeps again by then. */
static int count_wakes(int64_t seats, int64_t begin_ns, int64_t total_ns)
{
    int64_t sleepers = atomic_load(&pool.sleepers);
    int64_t empty = cuna__min(seats - (atomic_load_explicit(&pool.workers, memory_order_relaxed) - sleepers), sleepers);
    if (empty <= 0 || total_ns == 0)
        return (int)cuna__max(empty, 0);
    if (begin_ns - pool.ended_ns > SPIN_NS)
        pool.empty_ns = 0;
    pool.empty_ns += total_ns;
    int64_t wakes = cuna__min(empty, pool.empty_ns / WAKE_NS);
    if (wakes > 0)
        pool.empty_ns = 0;
    return (int)wakes;
}

static void open_job(cuna__threads_fn fn, void *data, int64_t count, int64_t chunk, int64_t seats)
{
    pool.fn = fn;
    pool.data = data;
    pool.count = count;
    pool.chunk = chunk;
    atomic_store_explicit(&pool.caller_cpu, sched_getcpu(), memory_order_relaxed);
    atomic_store_explicit(&pool.next, 0, memory_order_relaxed);
    atomic_store_explicit(&pool.entrance, (uint32_t)seats * SEAT, memory_order_release);
    atomic_fetch_add(&pool.bell, 1);
}

static void close_job(void)
{
    uint32_t seen =
        atomic_fetch_and_explicit(&pool.entrance, ~(uint32_t)SEATS, memory_order_acquire) & ~(uint32_t)SEATS;
    while (seen & INSIDE) {
        uint32_t value = spin_while(&pool.entrance, seen, now_ns());
        if (value == seen && (seen & CALLER_SLEEPS)) {
            futex_wait(&pool.entrance, seen);
            value = atomic_load_explicit(&pool.entrance, memory_order_acquire);
        } else if (value == seen) {
            value = atomic_fetch_or_explicit(&pool.entrance, CALLER_SLEEPS, memory_order_acquire) | CALLER_SLEEPS;
        }
        seen = value;
    }
}

static int decide_count(void)
{
    int64_t asked = cuna__environment_number("CUNA_NUM_THREADS", 0);
    return (int)cuna__min(asked > 0 ? asked : cuna__cpu_limits_cpus(), MAX_THREADS);
}

int cuna__cpu_threads_count(void)
{
    int count = atomic_load_explicit(&threads_count, memory_order_relaxed);
    if (__builtin_expect(count == 0, 0)) {
        count = decide_count();
        atomic_store_explicit(&threads_count, count, memory_order_relaxed);
    }
    return count;
}

void cuna__cpu_threads_set_count(int count)
{
    atomic_store_explicit(&threads_count, count, memory_order_relaxed);
}

/* Records the duration of an item; a single disturbed job has little weight. */
static void note_item(_Atomic int64_t *item_ns, int64_t took_ns)
{
    int64_t before = atomic_load_explicit(item_ns, memory_order_relaxed);
    took_ns = cuna__max(took_ns, 1);
    atomic_store_explicit(item_ns, before > 0 ? cuna__min(took_ns, 2 * before) : took_ns, memory_order_relaxed);
}

/* The holder of `busy` shares a job with the workers. */
static void share_job(cuna__threads_fn fn, void *data, int64_t count, int64_t chunk, int64_t begin_ns,
                      _Atomic int64_t *item_ns)
{
    int64_t workers = atomic_load_explicit(&pool.workers, memory_order_relaxed);
    int64_t seats = cuna__min(cuna__min(workers, cuna__cpu_threads_count() - 1), cuna__ceil_div(count, chunk) - 1);
    open_job(fn, data, count, chunk, seats);
    int wakes = count_wakes(seats, begin_ns, count * atomic_load_explicit(item_ns, memory_order_relaxed));
    if (wakes > 0) {
        futex_wake(&pool.bell, wakes);
        begin_ns = now_ns();
    }
    int64_t done = take_pieces();
    pool.ended_ns = now_ns();
    if (done > 0)
        note_item(item_ns, (pool.ended_ns - begin_ns) / done);
    close_job();
}

void cuna__cpu_threads_run_again(cuna__threads_fn fn, void *data, int64_t count, int64_t chunk,
                                 _Atomic int64_t *item_ns)
{
    int workers = cuna__cpu_threads_count() - 1;
    int64_t begin_ns = count <= chunk || workers == 0 ? 0 : now_ns();
    if (begin_ns == 0 || is_alone(begin_ns) || atomic_flag_test_and_set_explicit(&pool.busy, memory_order_acquire)) {
        for (int64_t first = 0; first < count; first += chunk)
            fn(data, first, cuna__min(first + chunk, count));
        return;
    }
    if (atomic_load_explicit(&pool.workers, memory_order_relaxed) < workers)
        start_workers(workers);
    share_job(fn, data, count, chunk, begin_ns, item_ns);
    atomic_flag_clear_explicit(&pool.busy, memory_order_release);
}

void cuna__cpu_threads_run(cuna__threads_fn fn, void *data, int64_t count, int64_t chunk)
{
    _Atomic int64_t item_ns = 0;
    cuna__cpu_threads_run_again(fn, data, count, chunk, &item_ns);
}
