/* library.c: the loops that were compiled with cuna for this processor.
 *
 * They are in a shared object beside this library, which is opened when the first program needs it. Its rows are found
 * by FNV-1a hashes of names (Fowler, Noll and Vo), which tools/loops.lua computes as well. */
#define _GNU_SOURCE 1
#include "cpu/interpret/library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

#include "cpu/execute/install.h"

extern const char cuna__text_version[]; /* of the kernel texts, by the Makefile */

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const cuna_loop_library *library;

/* Loops of other texts could give other values. */
static void open_library(void)
{
    char path[CUNA_FOLDER_NBYTES];
    void *handle = cuna__cpu_install_find(path, "loops", ".so", true) ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    const cuna_loop_library *found = handle != NULL ? dlsym(handle, "cuna_loops") : NULL;
    if (found != NULL && strcmp(found->version, cuna__text_version) == 0)
        library = found;
    else if (handle != NULL)
        dlclose(handle);
}

const cuna_loop_library *cuna__cpu_library_get(void)
{
    pthread_once(&once, open_library);
    return library;
}

static uint64_t hash(const char *name)
{
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    for (; *name != '\0'; name++)
        sum = (sum ^ (unsigned char)*name) * UINT64_C(0x100000001b3);
    return sum;
}

static void *find_row(const cuna_loop_part *part, uint64_t key)
{
    int low = 0, high = part->nrows;
    while (low < high) {
        int middle = (low + high) / 2;
        if (part->rows[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < part->nrows && part->rows[low].key == key ? part->rows[low].loop : NULL;
}

void *cuna__cpu_library_find(const cuna_loop_library *from, const char *name)
{
    uint64_t key = hash(name);
    void *loop = NULL;
    for (int k = 0; k < from->nparts && loop == NULL; k++)
        loop = find_row(&from->parts[k], key);
    return loop;
}
