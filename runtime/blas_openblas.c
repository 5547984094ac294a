/* blas_openblas.c: OpenBLAS, opened once.
 *
 * It chooses its kernels when it is loaded, by a list of processors that ends with those of its year: it takes a newer one
 * for an old Prescott and computes at a fifth of the speed. So it is told what the processor can do, unless the user says.
 */
#define _GNU_SOURCE 1
#include "blas_openblas.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

#include "driver_cpu_threads.h"

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

/* As many threads as cuna's own work has. */
static void choose_threads(void)
{
    void (*set_num_threads)(int) = (void (*)(int))dlsym(library.handle, "openblas_set_num_threads");
    const char *asked = getenv("OPENBLAS_NUM_THREADS");
    if (set_num_threads != NULL && (asked == NULL || getenv("CUNA_NUM_THREADS") != NULL))
        set_num_threads(cuna__threads_count());
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
