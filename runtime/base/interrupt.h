/* interrupt.h: user interrupts, as by Ctrl-C.
 *
 * A signal handler sets the flag; long work checks it between its parts and ends early with CUNA_INTERRUPTED; the code
 * that raises the error clears it. The flag is process-wide: an interrupt ends the work of every thread. */
#ifndef CUNA_BASE_INTERRUPT_H
#define CUNA_BASE_INTERRUPT_H

#include <stdbool.h>

#include "base/status.h"

extern bool cuna__interrupted;

static inline bool cuna_is_interrupted(void)
{
    return __builtin_expect(__atomic_load_n(&cuna__interrupted, __ATOMIC_RELAXED), 0);
}

/* Gives the calling thread, which works in the background, a flag of its own that ends its long work. */
void cuna_cancel_by(const bool *flag);

/* Whether the calling thread works in the background: nobody waits for it. */
bool cuna_is_background(void);

/* The calling thread's flag; NULL: it has none. */
const bool *cuna_cancel_flag(void);

/* Whether long work that is not the script's alone, such as a compiler's, ends early. */
bool cuna_is_cancelled(void);

/* Sets or clears the flag. Legal in a signal handler. */
void cuna_interrupt(bool asked);

/* The status of interrupted work: CUNA_INTERRUPTED. */
cuna_status cuna_interrupt_fail(void);

#endif
