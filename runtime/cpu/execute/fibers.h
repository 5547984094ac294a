/* fibers.h: blocks whose threads wait for each other, on the cpu device. */
#ifndef CUNA_CPU_EXECUTE_FIBERS_H
#define CUNA_CPU_EXECUTE_FIBERS_H

#include "cpu/execute/raw.h"

/* Runs all threads of a block in the calling thread, from start to end. Returns false when they cannot continue, with
 * the reason in `words`. */
bool cuna__cpu_fibers_run(const cuna_raw_block *block, void (*thread)(const cuna_raw_block *block), char *words,
                          size_t nbytes);

/* Which thread of the block that runs in the calling thread has this address on its stack; false: none. */
bool cuna__cpu_fibers_find(cuna_raw_dim *thread, uintptr_t stack_pointer);

/* Discards the block that was left by a jump out of cuna__cpu_fibers_run, if any. */
void cuna__cpu_fibers_abandon(void);

int cuna__cpu_fibers_sync(cuna_raw_thread *thread, bool p);
void cuna__cpu_fibers_gather(cuna_raw_thread *thread, unsigned mask, const void *value, void *all, unsigned nbytes,
                             unsigned *lanes);
unsigned cuna__cpu_fibers_active_lanes(cuna_raw_thread *thread, const void *frame);
void cuna__cpu_fibers_yield(cuna_raw_thread *thread);
void cuna__cpu_fibers_sync_grid(cuna_raw_thread *thread);

#endif
