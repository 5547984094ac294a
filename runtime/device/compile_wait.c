/* compile_wait.c: how long scripts wait for compilers, and a line about it on a terminal.
 *
 * A wait begins when a first thread begins to wait and ends when none does any more, since the threads of cn.prepare
 * wait together. A terminal shows the line once waits have taken a second; only a pause of several seconds between
 * waits sets this sum back. The line ends with its wait. A single compilation may take longer than a second, so each
 * wait that begins without the line has a thread that shows it in time. */
#define _GNU_SOURCE 1
#include "device/compile_wait.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/interrupt.h"

#define SECOND_NS   INT64_C(1000000000)
#define PATIENCE_NS SECOND_NS /* of waits that are not shown */
#define PAUSE_NS    (5 * SECOND_NS)
#define ERASE       "\r\033[K"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed; /* another wait began, or the wait ended */

/* Of the wait, and of all so far; with the lock. */
static struct {
    int threads, nkernels; /* that wait; that they wait for */
    int64_t number;        /* of the wait */
    int64_t begin_ns, end_ns;
    int64_t total_ns;
    int64_t recent_ns; /* of the waits before this one without a pause between them */
    bool is_shown, is_watched;
    pthread_t watcher;
    char device[sizeof((cuna_device *)0)->name];
} wait;

int64_t cuna__compile_now_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * SECOND_NS + time.tv_nsec;
}

/* ---- forks ---- */

static void lock_wait(void)
{
    pthread_mutex_lock(&lock);
}

static void unlock_wait(void)
{
    pthread_mutex_unlock(&lock);
}

static void make_changed(void)
{
    pthread_condattr_t facts;
    pthread_condattr_init(&facts);
    pthread_condattr_setclock(&facts, CLOCK_MONOTONIC);
    pthread_cond_init(&changed, &facts);
    pthread_condattr_destroy(&facts);
}

/* A child does not have the threads that wait. */
static void forget_in_child(void)
{
    wait.threads = wait.nkernels = 0;
    wait.is_shown = wait.is_watched = false;
    make_changed();
    unlock_wait();
}

static void set_up(void)
{
    make_changed();
    pthread_atfork(lock_wait, unlock_wait, forget_in_child);
}

static void enter(void)
{
    pthread_once(&once, set_up);
    lock_wait();
}

/* ---- the line; all of these are called with the lock ---- */

/* A line that cannot be written is not missed. */
static void write_text(const char *text)
{
    ssize_t wrote = write(STDERR_FILENO, text, strlen(text));
    (void)wrote;
}

static void show(void)
{
    char line[128];
    snprintf(line, sizeof line, ERASE "cuna: compiling %d %s for %s ...", wait.nkernels,
             wait.nkernels == 1 ? "kernel" : "kernels", wait.device);
    write_text(line);
    wait.is_shown = true;
}

static void hide(void)
{
    if (wait.is_shown)
        write_text(ERASE);
    wait.is_shown = false;
}

/* Shows the line of a wait that lasts. */
static void *watch(void *data)
{
    (void)data;
    enter();
    int64_t number = wait.number, due_ns = wait.begin_ns + PATIENCE_NS - wait.recent_ns;
    struct timespec due = {.tv_sec = due_ns / SECOND_NS, .tv_nsec = due_ns % SECOND_NS};
    int result = 0;
    while (wait.threads > 0 && wait.number == number && result != ETIMEDOUT)
        result = pthread_cond_timedwait(&changed, &lock, &due);
    if (wait.threads > 0 && wait.number == number)
        show();
    unlock_wait();
    return NULL;
}

/* Signals are for the script's threads. */
static bool start_watcher(void)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool started = pthread_create(&wait.watcher, NULL, watch, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

/* ---- waits ---- */

static void begin_wait(void)
{
    wait.begin_ns = cuna__compile_now_ns();
    wait.number++;
    if (wait.begin_ns - wait.end_ns > PAUSE_NS)
        wait.recent_ns = 0;
    if (!isatty(STDERR_FILENO))
        return;
    wait.is_shown = wait.recent_ns >= PATIENCE_NS;
    wait.is_watched = !wait.is_shown && start_watcher();
}

static void end_wait(void)
{
    wait.end_ns = cuna__compile_now_ns();
    wait.total_ns += wait.end_ns - wait.begin_ns;
    wait.recent_ns += wait.end_ns - wait.begin_ns;
    hide();
    pthread_cond_broadcast(&changed);
}

void cuna__compile_wait_begin(const cuna_device *device, int nkernels)
{
    if (cuna_is_background())
        return;
    enter();
    if (wait.threads++ == 0)
        begin_wait();
    wait.nkernels += nkernels;
    memcpy(wait.device, device->name, sizeof wait.device);
    if (wait.is_shown)
        show();
    unlock_wait();
}

void cuna__compile_wait_end(int nkernels)
{
    if (cuna_is_background())
        return;
    enter();
    bool is_last = --wait.threads == 0, is_watched = is_last && wait.is_watched;
    pthread_t watcher = wait.watcher;
    wait.nkernels -= nkernels;
    if (is_last) {
        end_wait();
        wait.is_watched = false;
    } else if (wait.is_shown)
        show();
    unlock_wait();
    if (is_watched)
        pthread_join(watcher, NULL);
}

int64_t cuna__compile_wait_ns(void)
{
    enter();
    int64_t total_ns = wait.total_ns + (wait.threads > 0 ? cuna__compile_now_ns() - wait.begin_ns : 0);
    unlock_wait();
    return total_ns;
}

void cuna__compile_wait_write(const char *lines)
{
    enter();
    bool was_shown = wait.is_shown;
    hide();
    write_text(lines);
    if (was_shown)
        show();
    unlock_wait();
}

int64_t cuna__compile_idle_ns(void)
{
    enter();
    bool waits = wait.threads > 0;
    int64_t end_ns = wait.end_ns;
    unlock_wait();
    return waits ? 0 : cuna__compile_now_ns() - end_ns;
}
