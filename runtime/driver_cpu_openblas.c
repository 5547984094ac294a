/* driver_cpu_openblas.c: OpenBLAS, the library behind the cpu device's linear algebra.
 *
 * It is loaded with two settings in the environment that it reads only then: how many threads it starts, and the kind of
 * processor where its own guess would be poor (0.3.21 takes newer Xeons for a Prescott, at a fifth of their speed). What
 * the user set stays. */
#define _GNU_SOURCE 1
#include "driver_cpu_openblas.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "driver_cpu_threads.h"

static cuna_library library;
static void (*set_threads)(int count);
static const char *(*get_config)(void);

/* The kind of processor as OpenBLAS spells it; NULL: its own guess will do. */
static const char *core_type(void)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512vl"))
        return "SKYLAKEX";
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return "HASWELL";
#endif
    return NULL;
}

/* Sets a variable that is not set; whether it did. */
static bool lend(const char *variable, const char *value)
{
    return value != NULL && getenv(variable) == NULL && setenv(variable, value, 1) == 0;
}

static void open_library(void)
{
    static const char *const names[] = {"libopenblas.so.0", "libopenblas.so", NULL};
    const cuna_symbol symbols[] = {{"openblas_set_num_threads", &set_threads}, {"openblas_get_config", &get_config}};
    char threads[16];
    snprintf(threads, sizeof threads, "%d", cuna__threads_count());
    bool lent_core = lend("OPENBLAS_CORETYPE", core_type()), lent_threads = lend("OPENBLAS_NUM_THREADS", threads);
    cuna__library_search(&library, "CUNA_OPENBLAS", names);
    if (lent_core)
        unsetenv("OPENBLAS_CORETYPE");
    if (lent_threads)
        unsetenv("OPENBLAS_NUM_THREADS");
    if (library.handle == NULL)
        return;
    cuna__library_bind(&library, symbols, sizeof symbols / sizeof *symbols);
    if (set_threads != NULL) /* also where another library had loaded it before */
        set_threads(cuna__threads_count());
}

const cuna_library *cuna__openblas(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, open_library);
    return &library;
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int alone; /* how many threads are between begin and end */

static void change_alone(int by)
{
    pthread_mutex_lock(&lock);
    bool was = alone > 0;
    alone += by;
    if (set_threads != NULL && was != (alone > 0))
        set_threads(alone > 0 ? 1 : cuna__threads_count());
    pthread_mutex_unlock(&lock);
}

void cuna__openblas_begin_alone(void)
{
    change_alone(1);
}

void cuna__openblas_end_alone(void)
{
    change_alone(-1);
}

const char *cuna__openblas_config(void)
{
    return cuna__openblas()->handle != NULL && get_config != NULL ? get_config() : NULL;
}
