/* compile_find.c: finds the program that one of the suite's compilers stands before. */
#define _GNU_SOURCE 1
#include "compile_find.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool compile_find_own_folder(char out[PATH_MAX])
{
    ssize_t nbytes = readlink("/proc/self/exe", out, PATH_MAX - 1);
    if (nbytes <= 0)
        return false;
    out[nbytes] = 0;
    *strrchr(out, '/') = 0;
    return true;
}

/* The next program of this name on a search path. */
static bool find_on(char out[PATH_MAX], const char *path, const char *own, const char *name)
{
    for (const char *place = path; *place != 0;) {
        int length = (int)strcspn(place, ":");
        bool is_own = strlen(own) == (size_t)length && strncmp(place, own, (size_t)length) == 0;
        if (!is_own && snprintf(out, PATH_MAX, "%.*s/%s", length, place, name) < PATH_MAX && access(out, X_OK) == 0)
            return true;
        place += length + (place[length] == ':');
    }
    return false;
}

bool compile_find_next(char out[PATH_MAX], const char *own, const char *called)
{
    const char *path = getenv("PATH"), *slash = strrchr(called, '/');
    const char *name = slash != NULL ? slash + 1 : called;
    return (path != NULL && find_on(out, path, own, name)) || find_on(out, "/usr/local/bin:/usr/bin", own, name);
}
