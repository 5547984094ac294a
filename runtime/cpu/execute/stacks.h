/* stacks.h: memory for stacks of one size, each aligned to it. */
#ifndef CUNA_CPU_EXECUTE_STACKS_H
#define CUNA_CPU_EXECUTE_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/raw_launch_cpu.h"

typedef struct cuna_stacks {
    void *memory;
    size_t memory_nbytes, guard_nbytes; /* a guard is an inaccessible page at a stack's end */
    unsigned char *first;
    unsigned count, mapped_guards; /* stacks, and those whose guard is a mapping */
} cuna_stacks;

/* Ensures at least `count` stacks; false: out of memory. */
bool cuna__cpu_stacks_create(cuna_stacks *stacks, unsigned count);
void cuna__cpu_stacks_free(cuna_stacks *stacks);

/* Frames on the first `count` stacks that were left without a return: the sanitizer forgets them. */
void cuna__cpu_stacks_forget(const cuna_stacks *stacks, unsigned count);

static inline unsigned char *cuna__stacks_at(const cuna_stacks *stacks, unsigned number)
{
    return stacks->first + number * CUNA_STACK_NBYTES;
}

#endif
