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

bool cuna_is_background(void)
{
    const bool *flag = __atomic_load_n(&cancelled.flag, __ATOMIC_ACQUIRE);
    return flag != NULL && pthread_equal(cancelled.thread, pthread_self());
}

bool cuna_is_cancelled(void)
{
    return cuna_is_interrupted() || (cuna_is_background() && __atomic_load_n(cancelled.flag, __ATOMIC_RELAXED));
}

cuna_status cuna_interrupt_fail(void)
{
    return cuna_fail(CUNA_INTERRUPTED, "interrupted!");
}
