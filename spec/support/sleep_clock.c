/* sleep_clock.c: when preloaded into a process, sleeping takes no time, but moves its monotonic clock as far. */
#define _GNU_SOURCE 1
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define SECOND_NS INT64_C(1000000000)

static int64_t slept_ns;

int nanosleep(const struct timespec *wanted, struct timespec *left)
{
    (void)left;
    __atomic_add_fetch(&slept_ns, wanted->tv_sec * SECOND_NS + wanted->tv_nsec, __ATOMIC_RELAXED);
    return 0;
}

int clock_gettime(clockid_t clock, struct timespec *out)
{
    int result = (int)syscall(SYS_clock_gettime, clock, out);
    if (clock == CLOCK_MONOTONIC) {
        int64_t ns = out->tv_sec * SECOND_NS + out->tv_nsec + __atomic_load_n(&slept_ns, __ATOMIC_RELAXED);
        *out = (struct timespec){.tv_sec = ns / SECOND_NS, .tv_nsec = ns % SECOND_NS};
    }
    return result;
}
