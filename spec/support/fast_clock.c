/* fast_clock.c: when preloaded into a process, its monotonic clock runs a thousand times as fast. */
#define _GNU_SOURCE 1
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *out)
{
    int result = (int)syscall(SYS_clock_gettime, clock, out);
    int64_t ns = ((int64_t)out->tv_sec * 1000000000 + out->tv_nsec) * 1000;
    if (clock == CLOCK_MONOTONIC)
        *out = (struct timespec){.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};
    return result;
}
