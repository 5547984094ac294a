/* nvtx.c: ranges in the timelines of NVIDIA's profilers.
 *
 * The first range opens NVTX's library, which stays open; it does nothing unless a profiler is attached. */
#define _GNU_SOURCE 1
#include <dlfcn.h>
#include <pthread.h>

#include "cuda/library.h"
#include "cuna.h"

static int (*range_push)(const char *message); /* NULL: there is no library */
static int (*range_pop)(void);

static void open_library(void)
{
    cuna_library library;
    cuna__library_nvtx(&library);
    if (library.handle == NULL)
        return;
    range_pop = (int (*)(void))dlsym(library.handle, "nvtxRangePop");
    if (range_pop != NULL)
        range_push = (int (*)(const char *))dlsym(library.handle, "nvtxRangePushA");
}

void cuna_nvtx_push(const char *message)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, open_library);
    if (range_push != NULL)
        range_push(message);
}

void cuna_nvtx_pop(void)
{
    if (range_push != NULL)
        range_pop();
}
