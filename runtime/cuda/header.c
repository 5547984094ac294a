/* header.c: finds the folders of the toolkit's headers, which NVRTC does not have.
 *
 * Headers of two toolkits do not fit together, so that all folders are of one. The toolkit beside NVRTC comes first,
 * because its headers are of NVRTC's version. Folders are patterns: a wheel of Python's has one folder for each of its
 * packages. */
#define _GNU_SOURCE 1
#include "cuda/header.h"

#include <dlfcn.h>
#include <glob.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cuda/library.h"

enum { MAX_FOLDERS = 64 };

/* From a library's folder. The second is for folders such as /usr/lib/x86_64-linux-gnu, the last for wheels. */
static const char *const beside_library[] = {"/../include", "/../../include", "/../../../nvidia/*/include"};
static const char *const below_root[] = {"/include", "/" CUNA_TARGET_FOLDER "/include"};

const char *cuna__header_folders[MAX_FOLDERS + 1];
static int nfolders;

static void add(const char *folder)
{
    char *path = realpath(folder, NULL);
    if (path != NULL && nfolders < MAX_FOLDERS)
        cuna__header_folders[nfolders++] = path;
    else
        free(path);
}

static bool has(const char *folder, const char *name)
{
    char path[PATH_MAX];
    return snprintf(path, sizeof path, "%s/%s", folder, name) < (int)sizeof path && access(path, R_OK) == 0;
}

/* The C++ libraries of CUDA 13 have a folder of their own. */
static void add_all(const glob_t *found)
{
    char path[PATH_MAX];
    for (size_t i = 0; i < found->gl_pathc; i++) {
        add(found->gl_pathv[i]);
        if (snprintf(path, sizeof path, "%s/cccl", found->gl_pathv[i]) < (int)sizeof path)
            add(path);
    }
}

/* Takes the folders if they are a toolkit's. */
static bool take(const char *place, const char *pattern)
{
    char whole[PATH_MAX];
    glob_t found;
    bool is_toolkit = false;
    if (snprintf(whole, sizeof whole, "%s%s", place, pattern) >= (int)sizeof whole || glob(whole, 0, NULL, &found) != 0)
        return false;
    for (size_t i = 0; i < found.gl_pathc; i++)
        is_toolkit |= has(found.gl_pathv[i], "cuda_runtime.h");
    if (is_toolkit)
        add_all(&found);
    globfree(&found);
    return is_toolkit;
}

static bool take_beside(const cuna_library *library)
{
    struct link_map *map;
    char path[PATH_MAX];
    bool found = false;
    if (dlinfo(library->handle, RTLD_DI_LINKMAP, &map) != 0 || realpath(map->l_name, path) == NULL)
        return false;
    *strrchr(path, '/') = '\0';
    for (size_t i = 0; !found && i < sizeof beside_library / sizeof *beside_library; i++)
        found = take(path, beside_library[i]);
    return found;
}

void cuna__header_find(const cuna_library *nvrtc)
{
    bool found = take_beside(nvrtc);
    for (int i = 0; !found && i < CUNA_LIBRARY_ROOTS; i++) {
        const char *root = cuna__library_root(i);
        for (size_t k = 0; !found && root != NULL && k < sizeof below_root / sizeof *below_root; k++)
            found = take(root, below_root[k]);
    }
}
