/* interrupt.h: whether the user asked what runs to end, as by Ctrl-C.
 *
 * A signal's handler sets the flag; long work looks at it between its parts and ends early with CUNA_INTERRUPTED; who tells
 * the user clears it. It is one for the process: whichever thread works, the user wants it to end. */
#ifndef CUNA_BASE_INTERRUPT_H
#define CUNA_BASE_INTERRUPT_H

#include <stdbool.h>

#include "base/status.h"

extern bool cuna__interrupted;

static inline bool cuna_is_interrupted(void)
{
    return __builtin_expect(__atomic_load_n(&cuna__interrupted, __ATOMIC_RELAXED), 0);
}

/* Asks what runs to end, or takes that back. Legal in a signal's handler. */
void cuna_interrupt(bool asked);

/* The answer of work that ended early: CUNA_INTERRUPTED. */
cuna_status cuna_interrupt_fail(void);

#endif
