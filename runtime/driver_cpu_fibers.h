/* driver_cpu_fibers.h: blocks whose threads wait for each other, on the cpu device. */
#ifndef CUNA_DRIVER_CPU_FIBERS_H
#define CUNA_DRIVER_CPU_FIBERS_H

#include "driver_cpu_raw.h"

/* Runs all threads of a block in the calling thread, from start to end. Returns false when they cannot go on: then
 * `words` says why. */
bool cuna__fibers_run(const cuna_raw_block *block, void (*thread)(const cuna_raw_block *block), char *words,
                      size_t nbytes);

/* Whether a thread of a block runs in the calling thread, on a stack of its own. */
bool cuna__fibers_running(void);

/* Ends the block that runs: cuna__fibers_run returns false. */
_Noreturn void cuna__fibers_trap(const char *words);

int cuna__fibers_sync(cuna_raw_thread *thread, bool p);
void cuna__fibers_gather(cuna_raw_thread *thread, unsigned mask, const void *value, void *all, unsigned nbytes,
                         unsigned *lanes);
unsigned cuna__fibers_active_lanes(cuna_raw_thread *thread, const void *frame);
void cuna__fibers_yield(cuna_raw_thread *thread);

#endif
