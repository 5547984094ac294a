/* interrupt.c: the flag of a user interrupt. */
#include "base/interrupt.h"

bool cuna__interrupted;

void cuna_interrupt(bool asked)
{
    __atomic_store_n(&cuna__interrupted, asked, __ATOMIC_RELAXED);
}

cuna_status cuna_interrupt_fail(void)
{
    return cuna_fail(CUNA_INTERRUPTED, "interrupted!");
}
