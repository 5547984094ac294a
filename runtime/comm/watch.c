/* watch.c: deadlines, and the end of a process, which is the job's as well.
 *
 * A thread looks at what this rank does: a call that waits longer than the timeout, or for a message from a rank that has
 * ended, ends the job. The end of the process with a status other than 0 does so at once. A normal end is compared with
 * the calls of other ranks as a call is, without a deadline, because others may still compute. */
#define _GNU_SOURCE 1
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "comm/board.h"
#include "comm/nccl.h"

#define STATUS_LATE   86
#define LOOK_MS       50
#define GRACE_NS      1000000000 /* after a rank's end, for its messages that are on the way */
#define PATIENCE_MS   3000       /* of a rank that has ended and should not have, for the others to say so */
#define FORWARD_MS    50         /* for the launcher to pass on a message */
#define LAST_RESORT_S 2          /* for the library's way to end all ranks */

static void sleep_ms(int ms)
{
    struct timespec time = {ms / 1000, (long)(ms % 1000) * 1000000};
    nanosleep(&time, NULL);
}

static void say(const char *line)
{
    ssize_t written = write(STDERR_FILENO, line, strlen(line));
    (void)written;
}

/* Waits until the launcher has read what this process wrote to its pipes, and a little longer, so that it passes the
 * message on before it ends the job. */
static void let_through(void)
{
    for (int waits = 0; waits < 20; waits++) {
        int out = 0, errors = 0;
        ioctl(STDOUT_FILENO, FIONREAD, &out);
        ioctl(STDERR_FILENO, FIONREAD, &errors);
        if (out == 0 && errors == 0)
            break;
        sleep_ms(10);
    }
    sleep_ms(FORWARD_MS);
}

/* The launcher ends the other ranks when this process leaves with a status, if the library does not. */
void cuna__watch_abort(int status)
{
    sigset_t alarms;
    signal(SIGALRM, SIG_DFL);
    sigemptyset(&alarms);
    sigaddset(&alarms, SIGALRM);
    pthread_sigmask(SIG_UNBLOCK, &alarms, NULL);
    alarm(LAST_RESORT_S);
    let_through();
    if (cuna__job.world != NULL)
        cuna__job.engine->abort(status);
    _exit(status);
}

/* ---- deadlines ---- */

/* "rank 1 has computed for 300 s since call 41, barrier at train.lua:80" */
static void describe_slot(char *text, size_t nbytes, const cuna_board_slot *slot)
{
    char call[600];
    cuna__check_describe(call, sizeof call, &slot->signature);
    double seconds = (double)(cuna__board_now() - slot->since_ns) / 1e9;
    if (slot->state == CUNA_BOARD_ENDED)
        snprintf(text, nbytes, "rank %d has ended", slot->rank);
    else if (slot->state == CUNA_BOARD_CALLS)
        snprintf(text, nbytes, "rank %d has waited for %.0f s in %s", slot->rank, seconds, call);
    else if (slot->signature.number == 0)
        snprintf(text, nbytes, "rank %d has computed for %.0f s since it started", slot->rank, seconds);
    else
        snprintf(text, nbytes, "rank %d has computed for %.0f s since call %lld, %s", slot->rank, seconds,
                 (long long)slot->signature.number, call);
}

/* Reports this rank's call and what the others of the machine do, once on a machine, and ends the job. */
static void report(const cuna_board_slot *own, const char *why) __attribute__((noreturn));
static void report(const cuna_board_slot *own, const char *why)
{
    cuna_strbuf line = {.text = NULL};
    cuna_board_slot other;
    char text[800];
    if (cuna__board_is_first()) {
        describe_slot(text, sizeof text, own);
        cuna__strbuf_printf(&line, "cuna: %s: %s", why, text);
        for (int i = 0; i < 64 && cuna__board_read(&other, i); i++) {
            if (other.rank == own->rank)
                continue;
            describe_slot(text, sizeof text, &other);
            cuna__strbuf_printf(&line, "; %s", text);
        }
        cuna__strbuf_add(&line, "\n");
        say(line.text != NULL ? line.text : "cuna: a call has waited too long\n");
    }
    sleep_ms(200); /* other machines report, too */
    cuna__watch_abort(STATUS_LATE);
}

static bool has_ended(int rank)
{
    cuna_board_slot slot;
    for (int i = 0; rank >= 0 && cuna__board_read(&slot, i); i++)
        if (slot.rank == rank)
            return slot.state == CUNA_BOARD_ENDED && cuna__board_now() - slot.since_ns > GRACE_NS;
    return false;
}

/* Reports a call that was given to the GPU, as one that this rank waits in. */
static void report_flight(const cuna_flight *flight, const char *why) __attribute__((noreturn));
static void report_flight(const cuna_flight *flight, const char *why)
{
    cuna_board_slot own;
    cuna__board_own(&own);
    own.state = CUNA_BOARD_CALLS;
    own.signature = flight->signature;
    own.since_ns = flight->since_ns;
    report(&own, why);
}

static void look_at_flights(void)
{
    cuna_flight oldest;
    char why[100];
    if (__atomic_load_n(&cuna__job.nccl, __ATOMIC_ACQUIRE) == NULL || !cuna__flight_oldest(&oldest))
        return;
    int error = cuna__flight_error();
    if (error != 0) {
        snprintf(why, sizeof why, "NCCL failed with %s", cuna__nccl_describe(error));
        report_flight(&oldest, why);
    }
    if (cuna__board_now() - oldest.since_ns > cuna__job.timeout_s * 1000000000) {
        snprintf(why, sizeof why, "no end on the GPU within %lld s", (long long)cuna__job.timeout_s);
        report_flight(&oldest, why);
    }
}

static void look(void)
{
    cuna_board_slot own;
    char why[64];
    look_at_flights();
    cuna__board_own(&own);
    if (own.state != CUNA_BOARD_CALLS)
        return;
    int64_t waited_ns = cuna__board_now() - own.since_ns;
    if (waited_ns > cuna__job.timeout_s * 1000000000) {
        snprintf(why, sizeof why, "no end within %lld s", (long long)cuna__job.timeout_s);
        report(&own, why);
    }
    if (own.peer >= 0 && waited_ns > GRACE_NS && has_ended(own.peer))
        report(&own, "a message that never comes");
}

static void *watch(void *unused)
{
    for (;; sleep_ms(LOOK_MS))
        look();
    return unused;
}

/* ---- the end of the process ---- */

/* One comparison on each communicator that lives. */
typedef struct ending {
    cuna_comm *comm;
    cuna_comm_check check;
    bool done;
} ending;

/* Others do not end: they say so, or this rank does. */
static void leave_disputed(cuna_comm *comm, const cuna_comm_signature *end) __attribute__((noreturn));
static void leave_disputed(cuna_comm *comm, const cuna_comm_signature *end)
{
    char line[2200];
    cuna__check_explain(comm, end);
    snprintf(line, sizeof line, "cuna: %.2000s\n", cuna_message());
    sleep_ms(PATIENCE_MS);
    say(line);
    cuna__watch_abort(1);
}

/* Ends the job where the engine fails at the end. */
static void check_end(int code)
{
    char line[700];
    if (cuna__comm_judge(code, "the end of a rank") == CUNA_OK)
        return;
    snprintf(line, sizeof line, "cuna: %.650s\n", cuna_message());
    say(line);
    cuna__watch_abort(1);
}

/* Compares the end on all communicators; returns when all ranks end. */
static void agree(ending *endings, int count)
{
    cuna_comm_signature end;
    int left = count;
    cuna__check_end(&end);
    for (int i = 0; i < count; i++)
        check_end(cuna__check_start(endings[i].comm, &end, &endings[i].check));
    for (int looks = 0; left > 0; looks++) {
        for (int i = 0; i < count; i++) {
            ending *e = &endings[i];
            if (e->done)
                continue;
            check_end(cuna__check_test(e->comm, &e->done, &e->check));
            if (e->done && !e->check.agrees)
                leave_disputed(e->comm, &end);
            left -= e->done;
        }
        if (looks < 1000)
            sched_yield();
        else
            sleep_ms(1);
    }
}

static void end_normally(void)
{
    int count = 0;
    if (cuna__job.nccl != NULL)
        cuna__flight_finish(); /* the end of this process would end its part of them */
    for (cuna_comm *comm = cuna__job.all; comm != NULL; comm = comm->next) {
        cuna__request_finish_all(comm);
        count += cuna__comm_compares(comm);
    }
    ending *endings = calloc((size_t)count + 1, sizeof *endings);
    if (endings == NULL)
        cuna__watch_abort(1);
    count = 0;
    for (cuna_comm *comm = cuna__job.all; comm != NULL; comm = comm->next)
        if (cuna__comm_compares(comm))
            endings[count++].comm = comm;
    cuna__board_end();
    agree(endings, count);
    free(endings);
    cuna__job.engine->finish();
}

static void end(int status, void *unused)
{
    (void)unused;
    if (cuna__job.pid != getpid() || cuna__job.world == NULL)
        return;
    if (cuna__job.world->size == 1) {
        cuna__job.engine->finish();
        return;
    }
    fflush(NULL);
    if (status != 0 || cuna__job.failed)
        cuna__watch_abort(status != 0 ? status : 1);
    end_normally();
}

#ifndef __GLIBC__
/* Without on_exit the status is not known: another rank's call shows that this one has ended. */
static void end_without_status(void)
{
    end(0, NULL);
}
#define on_exit(fn, data) atexit(end_without_status)
#endif

static void leave_child(void)
{
    snprintf(cuna__job.dead, sizeof cuna__job.dead, "a child of a fork has no part in the communication of its parent");
    cuna__job.failed = true;
}

cuna_status cuna__watch_start(void)
{
    pthread_t thread;
    sigset_t all, before;
    cuna__job.pid = getpid();
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failed = pthread_create(&thread, NULL, watch, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (failed != 0 || pthread_atfork(NULL, NULL, leave_child) != 0)
        return cuna_fail(CUNA_DEVICE, "distributed.init: the system starts no thread for deadlines");
    pthread_detach(thread);
    return CUNA_OK;
}

cuna_status cuna__watch_end(void)
{
    return on_exit(end, NULL) == 0 ? CUNA_OK : cuna_fail(CUNA_MEMORY, "distributed.init: the host has no memory left");
}
