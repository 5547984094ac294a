/* install.c: files that lie beside this library, one for each instruction set. */
#define _GNU_SOURCE 1
#include "cpu/execute/install.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Whether the processor has each set that the Makefile builds for, the widest first. */
enum { SETS = 3 };
static const char *const sets[SETS] = {"avx512", "avx2", "sse2"};

static int widest_set(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512bw"))
        return 0;
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? 1 : 2;
#else
    return SETS;
#endif
}

static bool find(char path[CUNA_FOLDER_NBYTES], const char *folder, const char *noun, int set, const char *extension)
{
    return snprintf(path, CUNA_FOLDER_NBYTES, "%s/libcuna_%s_%s%s", folder, noun, set < SETS ? sets[set] : "generic",
                    extension) < CUNA_FOLDER_NBYTES &&
           access(path, R_OK) == 0;
}

bool cuna__cpu_install_find(char path[CUNA_FOLDER_NBYTES], const char *noun, const char *extension, bool narrower)
{
    Dl_info self;
    char library[PATH_MAX];
    if (dladdr((void *)(uintptr_t)cuna__cpu_install_find, &self) == 0 || realpath(self.dli_fname, library) == NULL)
        return false;
    *strrchr(library, '/') = 0;
    int set = widest_set();
    while (!find(path, library, noun, set, extension))
        if (!narrower || ++set >= SETS)
            return false;
    return true;
}
