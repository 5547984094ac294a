/* driver_cuda_library.c: CUDA's libraries, found and opened.
 *
 * A name is tried on the loader's path first and then in the toolkit's folders. The first one that opens is taken and
 * never closed: what a driver's library has started in a process does not end before it. */
#define _GNU_SOURCE 1
#include "driver_cuda_library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The major versions of NVRTC that are looked for. */
enum { FIRST_MAJOR = 12, LAST_MAJOR = 15 };

#if defined(__aarch64__)
#define TARGET_FOLDER "targets/sbsa-linux/lib"
#else
#define TARGET_FOLDER "targets/x86_64-linux/lib"
#endif

static const char *const root_variables[] = {"CUDA_HOME", "CUDA_PATH"};
static const char default_root[] = "/usr/local/cuda";
static const char *const folders[] = {"lib64", "lib", TARGET_FOLDER};

/* A library that is there and does not open says more than one that is not there. */
static void keep_reason(cuna_library *library, const char *reason)
{
    if (reason == NULL)
        return;
    bool first = library->words[0] == '\0';
    if (first || (strstr(library->words, "No such file") != NULL && strstr(reason, "No such file") == NULL))
        snprintf(library->words, sizeof library->words, "%s", reason);
}

static bool open_path(cuna_library *library, const char *path)
{
    library->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library->handle == NULL)
        keep_reason(library, dlerror());
    else
        snprintf(library->name, sizeof library->name, "%s", path);
    return library->handle != NULL;
}

/* Puts what was looked for in front of the loader's reason. */
static void explain(cuna_library *library, const char *sought)
{
    char reason[300];
    snprintf(reason, sizeof reason, "%.299s", library->words);
    snprintf(library->words, sizeof library->words, "looked for %.600s (dlopen says: %s)", sought, reason);
}

void cuna__library_driver(cuna_library *out)
{
    memset(out, 0, sizeof *out);
    if (!open_path(out, "libcuda.so.1") && !open_path(out, "libcuda.so"))
        explain(out, "libcuda.so.1 and libcuda.so on the loader's path");
}

static bool open_below(cuna_library *library, const char *root, const char *name)
{
    char path[sizeof library->name];
    bool found = false;
    for (size_t i = 0; !found && i < sizeof folders / sizeof *folders; i++) {
        int length = snprintf(path, sizeof path, "%s/%s/%s", root, folders[i], name);
        found = length < (int)sizeof path && open_path(library, path);
    }
    return found;
}

static bool open_name(cuna_library *library, const char *name)
{
    bool found = open_path(library, name);
    for (size_t i = 0; !found && i < sizeof root_variables / sizeof *root_variables; i++) {
        const char *root = getenv(root_variables[i]);
        found = root != NULL && *root != '\0' && open_below(library, root, name);
    }
    return found || open_below(library, default_root, name);
}

void cuna__library_nvtx(cuna_library *out)
{
    memset(out, 0, sizeof *out);
    if (!open_name(out, "libnvToolsExt.so.1") && !open_name(out, "libnvtx3interop.so.1"))
        explain(out, "libnvToolsExt.so.1 and libnvtx3interop.so.1");
}

static bool open_major(cuna_library *library, int major)
{
    char name[32];
    snprintf(name, sizeof name, "libnvrtc.so.%d", major);
    return open_name(library, name);
}

/* From `major` downward, then upward: an NVRTC no newer than the driver comes before all that are. */
static bool open_versions(cuna_library *library, int major)
{
    bool found = false;
    int start = major < LAST_MAJOR ? major : LAST_MAJOR;
    for (int each = start; !found && each >= FIRST_MAJOR; each--)
        found = open_major(library, each);
    for (int each = start < FIRST_MAJOR ? FIRST_MAJOR : start + 1; !found && each <= LAST_MAJOR; each++)
        found = open_major(library, each);
    return found || open_name(library, "libnvrtc.so");
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
    const char *value = getenv(variable);
    return value != NULL && *value != '\0' ? value : otherwise;
}

void cuna__library_nvrtc(cuna_library *out, int major)
{
    char sought[600];
    const char *asked = value_or("CUNA_NVRTC", NULL);
    memset(out, 0, sizeof *out);
    if (asked != NULL ? open_path(out, asked) : open_versions(out, major)) {
        open_builtins(out);
        return;
    }
    if (asked != NULL)
        snprintf(sought, sizeof sought, "$CUNA_NVRTC (%.200s) and nothing else", asked);
    else
        snprintf(sought, sizeof sought,
                 "libnvrtc.so.%d to .%d and libnvrtc.so on the loader's path, then in lib64, lib and %s of $CUDA_HOME "
                 "(%.100s), $CUDA_PATH (%.100s) and %s",
                 FIRST_MAJOR, LAST_MAJOR, TARGET_FOLDER, value_or("CUDA_HOME", "not set"),
                 value_or("CUDA_PATH", "not set"), default_root);
    explain(out, sought);
}
