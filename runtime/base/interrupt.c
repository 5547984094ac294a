/* interrupt.c: flags that end long work. */
#include "base/interrupt.h"

#include <pthread.h>
#include <stddef.h>

bool cuna__interrupted;
static struct {
    pthread_t thread;
    const bool *flag; /* NULL: no thread has one */
} cancelled;

void cuna_interrupt(bool asked)
{
    __atomic_store_n(&cuna__interrupted, asked, __ATOMIC_RELAXED);
}

void cuna_cancel_by(const bool *flag)
{
    cancelled.thread = pthread_self();
    __atomic_store_n(&cancelled.flag, flag, __ATOMIC_RELEASE);
}

const bool *cuna_cancel_flag(void)
{
    const bool *flag = __atomic_load_n(&cancelled.flag, __ATOMIC_ACQUIRE);
    return flag != NULL && pthread_equal(cancelled.thread, pthread_self()) ? flag : NULL;
}

bool cuna_is_background(void)
{
    return cuna_cancel_flag() != NULL;
}

bool cuna_is_cancelled(void)
{
    const bool *flag = cuna_cancel_flag();
    return cuna_is_interrupted() || (flag != NULL && __atomic_load_n(flag, __ATOMIC_RELAXED));
}

cuna_status cuna_interrupt_fail(void)
{
    return cuna_fail(CUNA_INTERRUPTED, "interrupted!");
}
