/* threads.h: the one thread pool of the cpu device. */
#ifndef CUNA_CPU_EXECUTE_THREADS_H
#define CUNA_CPU_EXECUTE_THREADS_H

#include <signal.h>

#include "base/base.h"

/* Does the items [first, last) of a job. Must not leave by longjmp. */
typedef void (*cuna__threads_fn)(void *data, int64_t first, int64_t last);

/* Threads in a run, including the caller: CUNA_NUM_THREADS (1 to 256), else the processors this process may use, unless
 * it was set. */
int cuna__cpu_threads_count(void);

/* Sets their number. Between runs. */
void cuna__cpu_threads_set_count(int count);

/* Does items [0, count) in pieces of at most `chunk` (> 0) and returns when all are done. The assignment of pieces to
 * threads is unspecified, so pieces must be independent. Legal from any thread, from inside a running fn and after
 * fork: a caller that finds the pool busy does its items alone. */
void cuna__cpu_threads_run(cuna__threads_fn fn, void *data, int64_t count, int64_t chunk);

/* The same for a repeated job: `item_ns` is the last duration of an item, initially 0, and is updated. Sleeping threads
 * are woken once the work that they missed exceeds the cost of waking. */
void cuna__cpu_threads_run_again(cuna__threads_fn fn, void *data, int64_t count, int64_t chunk,
                                 _Atomic int64_t *item_ns);

/* For a thread that is about to start others: they block asynchronous signals, as the pool's do. */
void cuna__cpu_threads_block_signals(sigset_t *before);

#endif
