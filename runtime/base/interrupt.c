/* interrupt.c: flags that end long work. */
#include "base/interrupt.h"

#include <pthread.h>
#include <stddef.h>

bool cuna__interrupted;
static struct {
    pthread_once_t once;
    pthread_key_t key; /* of threads' flags; thread-local data would take room of the loader */
    bool is_made;
} cancelled = {.once = PTHREAD_ONCE_INIT};

static void make_key(void)
{
    __atomic_store_n(&cancelled.is_made, pthread_key_create(&cancelled.key, NULL) == 0, __ATOMIC_RELEASE);
}

void cuna_interrupt(bool asked)
{
    __atomic_store_n(&cuna__interrupted, asked, __ATOMIC_RELAXED);
}

void cuna_cancel_by(const bool *flag)
{
    pthread_once(&cancelled.once, make_key);
    if (cancelled.is_made)
        pthread_setspecific(cancelled.key, flag);
}

const bool *cuna_cancel_flag(void)
{
    return __atomic_load_n(&cancelled.is_made, __ATOMIC_ACQUIRE) ? pthread_getspecific(cancelled.key) : NULL;
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
