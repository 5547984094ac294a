/* limits.h: processors and memory that this process may use. */
#ifndef CUNA_CPU_EXECUTE_LIMITS_H
#define CUNA_CPU_EXECUTE_LIMITS_H

#include "base/base.h"

typedef struct cuna_limits_memory {
    uint64_t free_nbytes, total_nbytes;
} cuna_limits_memory;

/* Processors this process may run on at once, at least 1: the affinity mask, bounded by cgroup quotas (rounded up). */
int cuna__cpu_limits_cpus(void);

/* Available and total memory: the machine's, bounded by cgroup limits and by RLIMIT_AS. */
cuna_limits_memory cuna__cpu_limits_memory(void);

#endif
