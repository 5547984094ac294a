/* fibers.h: blocks whose threads wait for each other, on the cpu device. */
#ifndef CUNA_CPU_EXECUTE_FIBERS_H
#define CUNA_CPU_EXECUTE_FIBERS_H

#include "cpu/execute/raw.h"

/* Runs all threads of a block in the calling thread, from start to end. Returns false when they cannot continue, with
 * the reason in `words`. */
bool cuna__cpu_fibers_run(const cuna_raw_block *block, void (*thread)(const cuna_raw_block *block), char *words,
                          size_t nbytes);

/* Discards the block that was left by a jump out of cuna__cpu_fibers_run, if any, before anything else is called. Returns
 * whether a thread of it had the address on its stack, and which. */
bool cuna__cpu_fibers_abandon(cuna_raw_dim *thread, uintptr_t stack_pointer);

void cuna__cpu_fibers_sync(cuna_raw_thread *thread);
void cuna__cpu_fibers_gather(cuna_raw_thread *thread, unsigned mask, const void *value, void *all, unsigned nbytes,
                             unsigned *lanes);
unsigned cuna__cpu_fibers_active_lanes(cuna_raw_thread *thread, const void *frame);

/* Before a lane loads `nbytes` from an address, or (NULL) stores as many, or none, at a place of the source. */
void cuna__cpu_fibers_step(cuna_raw_thread *thread, unsigned place, const void *from, unsigned nbytes);

void cuna__cpu_fibers_yield(cuna_raw_thread *thread, enum Wait wait);
void cuna__cpu_fibers_sync_grid(cuna_raw_thread *thread);

#endif
