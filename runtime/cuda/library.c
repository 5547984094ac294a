/* library.c: finds and opens CUDA's libraries. A name is tried on the loader's path first and then in the toolkit's
 * folders. */
#define _GNU_SOURCE 1
#include "cuda/library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/environment.h"

/* The major versions of CUDA whose libraries are searched for. */
enum { FIRST_MAJOR = 12, LAST_MAJOR = 15 };

#define TARGET_FOLDER CUNA_TARGET_FOLDER "/lib"

static const char *const root_variables[CUNA_LIBRARY_ROOTS - 1] = {"CUDA_HOME", "CUDA_PATH"};
static const char default_root[] = "/usr/local/cuda";
static const char *const folders[] = {"lib64", "lib", TARGET_FOLDER};

void cuna__library_driver(cuna_library *out)
{
    memset(out, 0, sizeof *out);
    if (!cuna__library_open(out, "libcuda.so.1") && !cuna__library_open(out, "libcuda.so"))
        cuna__library_explain(out, "libcuda.so.1 and libcuda.so on the loader's path");
}

static bool open_below(cuna_library *library, const char *root, const char *name)
{
    char path[sizeof library->name];
    bool found = false;
    for (size_t i = 0; !found && i < sizeof folders / sizeof *folders; i++) {
        int length = snprintf(path, sizeof path, "%s/%s/%s", root, folders[i], name);
        found = length < (int)sizeof path && cuna__library_open(library, path);
    }
    return found;
}

const char *cuna__library_root(int i)
{
    return i < CUNA_LIBRARY_ROOTS - 1 ? cuna__environment_text(root_variables[i]) : default_root;
}

static bool open_name(cuna_library *library, const char *name)
{
    bool found = cuna__library_open(library, name);
    for (int i = 0; !found && i < CUNA_LIBRARY_ROOTS; i++) {
        const char *root = cuna__library_root(i);
        found = root != NULL && open_below(library, root, name);
    }
    return found;
}

void cuna__library_nvtx(cuna_library *out)
{
    memset(out, 0, sizeof *out);
    if (!open_name(out, "libnvToolsExt.so.1") && !open_name(out, "libnvtx3interop.so.1"))
        cuna__library_explain(out, "libnvToolsExt.so.1 and libnvtx3interop.so.1");
}

void cuna__library_nccl(cuna_library *out)
{
    if (cuna__environment_text("CUNA_NCCL") != NULL) {
        cuna__library_search(out, "CUNA_NCCL", NULL);
        return;
    }
    memset(out, 0, sizeof *out);
    if (!open_name(out, "libnccl.so.2"))
        cuna__library_explain(out, "libnccl.so.2 on the loader's path and in the toolkit's folders");
}

/* A library whose major version is CUDA's plus `more`. */
static bool open_major(cuna_library *library, const char *stem, int more, int major)
{
    char name[64];
    snprintf(name, sizeof name, "%s.so.%d", stem, major + more);
    return open_name(library, name);
}

/* From `major` downward, then upward: one no newer than the driver comes before all that are. */
static bool open_versions(cuna_library *library, const char *stem, int more, int major)
{
    bool found = false;
    char name[64];
    int start = major < LAST_MAJOR ? major : LAST_MAJOR;
    for (int each = start; !found && each >= FIRST_MAJOR; each--)
        found = open_major(library, stem, more, each);
    for (int each = start < FIRST_MAJOR ? FIRST_MAJOR : start + 1; !found && each <= LAST_MAJOR; each++)
        found = open_major(library, stem, more, each);
    snprintf(name, sizeof name, "%s.so", stem);
    return found || open_name(library, name);
}

/* NVRTC opens a second library by its bare name, which the loader knows once it is open: from outside the loader's path
 * it has to be opened by path first. Without it, compiling says what is missing. */
static void open_builtins(const cuna_library *library)
{
    int (*version)(int *, int *) = (int (*)(int *, int *))dlsym(library->handle, "nvrtcVersion");
    const char *slash = strrchr(library->name, '/');
    char path[sizeof library->name + 40];
    int major, minor;
    if (slash == NULL || version == NULL || version(&major, &minor) != 0)
        return;
    snprintf(path, sizeof path, "%.*slibnvrtc-builtins.so.%d.%d", (int)(slash + 1 - library->name), library->name,
             major, minor);
    if (dlopen(path, RTLD_NOW | RTLD_LOCAL) == NULL)
        dlerror();
}

static const char *value_or(const char *variable, const char *otherwise)
{
    const char *value = cuna__environment_text(variable);
    return value != NULL ? value : otherwise;
}

static void explain_versions(cuna_library *library, const char *stem, int more)
{
    char sought[600];
    snprintf(sought, sizeof sought,
             "%s.so.%d to .%d and %s.so on the loader's path, then in lib64, lib and %s of $CUDA_HOME (%.100s), "
             "$CUDA_PATH (%.100s) and %s",
             stem, FIRST_MAJOR + more, LAST_MAJOR + more, stem, TARGET_FOLDER, value_or("CUDA_HOME", "not set"),
             value_or("CUDA_PATH", "not set"), default_root);
    cuna__library_explain(library, sought);
}

void cuna__library_nvrtc(cuna_library *out, int major)
{
    if (cuna__environment_text("CUNA_NVRTC") != NULL)
        cuna__library_search(out, "CUNA_NVRTC", NULL);
    else
        cuna__library_toolkit(out, "libnvrtc", 0, major);
    if (out->handle != NULL)
        open_builtins(out);
}

void cuna__library_toolkit(cuna_library *out, const char *stem, int more, int major)
{
    memset(out, 0, sizeof *out);
    if (!open_versions(out, stem, more, major))
        explain_versions(out, stem, more);
}
