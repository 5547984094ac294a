/* install.c: files that lie beside this library, one for each instruction set. */
#define _GNU_SOURCE 1
#include "cpu/execute/install.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The widest set of those that the Makefile builds for. */
static const char *instruction_set(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512bw"))
        return "avx512";
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? "avx2" : "sse2";
#else
    return "generic";
#endif
}

bool cuna__cpu_install_find(char path[CUNA_FOLDER_NBYTES], const char *noun, const char *extension)
{
    Dl_info self;
    char library[PATH_MAX];
    if (dladdr((void *)(uintptr_t)cuna__cpu_install_find, &self) == 0 || realpath(self.dli_fname, library) == NULL)
        return false;
    *strrchr(library, '/') = 0;
    return snprintf(path, CUNA_FOLDER_NBYTES, "%s/libcuna_%s_%s%s", library, noun, instruction_set(), extension) <
               CUNA_FOLDER_NBYTES &&
           access(path, R_OK) == 0;
}
