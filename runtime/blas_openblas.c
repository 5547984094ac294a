/* blas_openblas.c: OpenBLAS, opened once.
 *
 * It chooses its kernels when it is loaded, by a list of processors that ends with those of its year: it takes a newer one
 * for an old Prescott and computes at a fifth of the speed. So it is told what the processor can do, unless the user says.
 */
#define _GNU_SOURCE 1
#include "blas_openblas.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "driver_cpu_threads.h"
#include "environment.h"

static const char *const names[] = {"libopenblas.so.0", "libopenblas.so", NULL};

static cuna_library library;

#if defined(__x86_64__)
static void choose_core(void)
{
    bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                  __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
    bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    if (avx512 || avx2)
        setenv("OPENBLAS_CORETYPE", avx512 ? "SKYLAKEX" : "HASWELL", 0);
}
#else
static void choose_core(void)
{
}
#endif

/* ---- threads ---- */

static void (*set_num_threads)(int); /* NULL: the library has none to set */
static int (*get_num_threads)(void);

/* As many threads as cuna's own work has. */
static void choose_threads(void)
{
    const cuna_symbol symbols[] = {{"openblas_set_num_threads", &set_num_threads},
                                   {"openblas_get_num_threads", &get_num_threads}};
    bool is_asked = cuna__environment_text("OPENBLAS_NUM_THREADS") != NULL;
    if (cuna__library_bind(&library, symbols, 2) != NULL)
        set_num_threads = NULL;
    if (set_num_threads != NULL && (!is_asked || cuna__environment_text("CUNA_NUM_THREADS") != NULL))
        set_num_threads(cuna__threads_count());
}

/* How many pairs are open, and what the last one sets again. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int alone, nthreads;

void cuna__openblas_begin_alone(void)
{
    pthread_mutex_lock(&lock);
    if (alone++ == 0 && set_num_threads != NULL) {
        nthreads = get_num_threads();
        set_num_threads(1);
    }
    pthread_mutex_unlock(&lock);
}

void cuna__openblas_end_alone(void)
{
    pthread_mutex_lock(&lock);
    if (--alone == 0 && set_num_threads != NULL)
        set_num_threads(nthreads);
    pthread_mutex_unlock(&lock);
}

static void open_library(void)
{
    choose_core();
    cuna__library_search(&library, "CUNA_OPENBLAS", names);
    if (library.handle != NULL)
        choose_threads();
}

cuna_status cuna__openblas(const cuna_library **out)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, open_library);
    *out = &library;
    if (library.handle != NULL)
        return CUNA_OK;
    return cuna_fail(CUNA_DEVICE,
                     "no OpenBLAS: %s; install it (apt-get install libopenblas0), or name the library in CUNA_OPENBLAS",
                     library.words);
}

const char *cuna__openblas_where(void)
{
    static char text[800];
    static const char *(*get_config)(void);
    const cuna_symbol symbol = {"openblas_get_config", &get_config};
    char file[500];
    if (library.handle == NULL || cuna__library_bind(&library, &symbol, 1) != NULL)
        return library.name;
    cuna__library_file(file, sizeof file, (const void *)(uintptr_t)get_config);
    snprintf(text, sizeof text, "%s, %.250s", file, get_config());
    return text;
}
