/* grid.h: cooperative launches, whose blocks wait for each other. */
#ifndef CUNA_CPU_EXECUTE_GRID_H
#define CUNA_CPU_EXECUTE_GRID_H

#include "cpu/execute/fault.h"
#include "cpu/execute/raw.h"
#include "cpu/execute/threads.h"

#define CUNA_GRID_MAX_THREADS 16384 /* of all blocks: each has a stack */

/* Runs fn for each block of the launch, in a thread of its own, and returns when all have ended. */
void cuna__cpu_grid_run(cuna_raw_launch *launch, cuna_outcome *outcome, cuna__threads_fn fn, void *data);

/* Waits for the other blocks, on behalf of all threads of this one. Leaves the kernel if they never come. */
void cuna__cpu_grid_meet(const cuna_raw_launch *launch);

#endif
