/* openblas.c: OpenBLAS, opened once.
 *
 * It chooses its kernels when it is loaded, by a list of processors that ends with those of its year: it takes a newer one
 * for an old Prescott and computes at a fifth of the speed. So cuna names the processor's kernels for it, unless the user does.
 */
#define _GNU_SOURCE 1
#include "cpu/lapack/openblas.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/environment.h"
#include "cpu/execute/threads.h"
#include "seam/blas.h"

#define BUFFER_NBYTES \
    ((int64_t)128 << 20) /* that it maps for a thread: 32 << 22 in its common_x86_64.h and similar headers */
#define LIBRARY_NBYTES ((int64_t)64 << 20) /* its code and data */
#define MOST_BUFFERS   256

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

static void choose_threads(void)
{
    const cuna_symbol symbols[] = {{"openblas_set_num_threads", &set_num_threads},
                                   {"openblas_get_num_threads", &get_num_threads}};
    if (cuna__library_bind(&library, symbols, 2) != NULL)
        set_num_threads = NULL;
    cuna__blas_cpu_set_threads();
}

void cuna__blas_cpu_set_threads(void)
{
    bool is_asked = cuna__environment_text("OPENBLAS_NUM_THREADS") != NULL;
    if (set_num_threads != NULL && (!is_asked || cuna__environment_text("CUNA_NUM_THREADS") != NULL))
        set_num_threads(cuna__cpu_threads_count());
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

/* ---- room ----
 *
 * A thread's first product maps a buffer, and repeats that until it succeeds. Where addresses are limited all buffers
 * are mapped beforehand, once they are known to fit; the library keeps them. */

static void *(*take_buffer)(int how);
static void (*give_buffer)(void *buffer);

static int64_t read_count(const char *variable, int64_t otherwise)
{
    const char *text = cuna__environment_text(variable);
    long long count = text != NULL ? atoll(text) : 0;
    return count > 0 ? count : otherwise;
}

/* The threads that it starts, whether they are used or not. */
static int64_t count_started(void)
{
    return read_count("OPENBLAS_NUM_THREADS", sysconf(_SC_NPROCESSORS_ONLN));
}

/* One for each of its threads, which take theirs when they start, and for each of cuna's that call it alone. It can note
 * 50, and two for each thread that it starts. */
static int count_buffers(void)
{
    int64_t started = count_started(), known = cuna__max(50, 2 * started);
    return (int)cuna__min(cuna__cpu_threads_count() + started - 1, cuna__min(known, MOST_BUFFERS));
}

static int64_t count_nbytes(void)
{
    size_t stack_nbytes = 0;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_getstacksize(&attributes, &stack_nbytes);
    pthread_attr_destroy(&attributes);
    return LIBRARY_NBYTES + count_started() * (int64_t)stack_nbytes + count_buffers() * BUFFER_NBYTES;
}

static bool fits(int64_t nbytes)
{
    void *probe = mmap(NULL, (size_t)nbytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return probe != MAP_FAILED && munmap(probe, (size_t)nbytes) == 0;
}

static void keep_buffers(void)
{
    const cuna_symbol symbols[] = {{"blas_memory_alloc", &take_buffer}, {"blas_memory_free", &give_buffer}};
    const cuna_library *opened;
    void *buffers[MOST_BUFFERS];
    if (cuna__openblas(&opened) != CUNA_OK || cuna__library_bind(opened, symbols, 2) != NULL)
        return;
    for (int i = 0; i < count_buffers(); i++)
        buffers[i] = take_buffer(0);
    for (int i = 0; i < count_buffers(); i++)
        give_buffer(buffers[i]);
}

static cuna_status make_room(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return CUNA_OK;
    if (!fits(count_nbytes()))
        return cuna_fail(CUNA_MEMORY,
                         "OpenBLAS takes %lld MiB of addresses for %d threads, which the limit of %lld MiB (ulimit -v) "
                         "does not leave; raise it, or set CUNA_NUM_THREADS and OPENBLAS_NUM_THREADS",
                         (long long)(count_nbytes() >> 20), cuna__cpu_threads_count(),
                         (long long)(limit.rlim_cur >> 20));
    keep_buffers();
    return CUNA_OK;
}

cuna_status cuna__openblas_make_room(void)
{
    static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;
    static bool made;
    cuna_status status = CUNA_OK;
    if (__builtin_expect(__atomic_load_n(&made, __ATOMIC_ACQUIRE), 1))
        return CUNA_OK;
    pthread_mutex_lock(&making);
    if (!made)
        status = make_room();
    __atomic_store_n(&made, status == CUNA_OK, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&making);
    return status;
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
