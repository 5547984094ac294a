/* interrupt.c: flags that end long work. */
#include "base/interrupt.h"

#include <stddef.h>

bool cuna__interrupted;
static _Thread_local const bool *cancelled;

void cuna_interrupt(bool asked)
{
    __atomic_store_n(&cuna__interrupted, asked, __ATOMIC_RELAXED);
}

void cuna_cancel_by(const bool *flag)
{
    cancelled = flag;
}

bool cuna_is_background(void)
{
    return cancelled != NULL;
}

bool cuna_is_cancelled(void)
{
    return cuna_is_interrupted() || (cancelled != NULL && __atomic_load_n(cancelled, __ATOMIC_RELAXED));
}

cuna_status cuna_interrupt_fail(void)
{
    return cuna_fail(CUNA_INTERRUPTED, "interrupted!");
}
