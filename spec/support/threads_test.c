/* threads_test.c: whether a job is shared after one in which the pool's worker lost time.
 *
 *     threads_test PERCENT
 *
 * Items sleep, so that a second thread takes some on a busy machine, too. The clock of a thread's time is here the given
 * share of the real time: the rest is what a worker has lost. Prints how many items of a second job others did. */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "cpu/execute/threads.h"

enum { ITEMS = 20, ITEM_NS = 2000000 };

static int64_t percent = 100;
static _Thread_local bool is_caller;
static atomic_int by_others;

int clock_gettime(clockid_t clock, struct timespec *out)
{
    bool is_thread = clock == CLOCK_THREAD_CPUTIME_ID;
    int result = (int)syscall(SYS_clock_gettime, is_thread ? CLOCK_MONOTONIC : clock, out);
    if (is_thread) {
        int64_t ns = (out->tv_sec * INT64_C(1000000000) + out->tv_nsec) / 100 * percent;
        *out = (struct timespec){.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};
    }
    return result;
}

static void sleep_through(void *data, int64_t first, int64_t last)
{
    (void)data;
    for (; first < last; first++)
        nanosleep(&(struct timespec){.tv_nsec = ITEM_NS}, NULL);
    by_others += !is_caller;
}

int main(int argc, char **argv)
{
    percent = argc > 1 ? atoi(argv[1]) : 100;
    is_caller = true;
    cuna__cpu_threads_set_count(2);
    for (int job = 0; job < 2; job++) {
        by_others = 0;
        cuna__cpu_threads_run(sleep_through, NULL, ITEMS, 1);
    }
    printf("%d\n", (int)by_others);
    return 0;
}
