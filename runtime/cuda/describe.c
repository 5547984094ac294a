/* describe.c: the CUDA libraries that were loaded, for display.
 *
 * A row that was found in a library points into it; a missing one points to a stub in cuna's library. */
#define _GNU_SOURCE

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "seam/dft.h"
#include "seam/driver.h"

/* The file that a function lies in; false when that is cuna's library. */
static bool find_library(const char **path, void *function)
{
    Dl_info found, own;
    if (dladdr(function, &found) == 0 || dladdr((void *)(uintptr_t)cuna__driver_cuda_describe, &own) == 0)
        return false;
    *path = found.dli_fname;
    return found.dli_fbase != own.dli_fbase;
}

static void describe_cufft(void (*emit)(void *data, const char *name, const char *value), void *data)
{
    const cuna_dft *dft;
    const char *path;
    char text[600];
    int version;
    if (cuna__dft_cuda(&dft) != CUNA_OK) {
        emit(data, "fft_missing", cuna_message());
    } else if (find_library(&path, (void *)(uintptr_t)dft->dft_exec) &&
               dft->dft_get_version(&version) == CUFFT_SUCCESS) {
        snprintf(text, sizeof text, "%.500s, %d.%d", path, version / 1000, version % 1000 / 100);
        emit(data, "fft", text);
    }
}

void cuna__driver_cuda_describe(void (*emit)(void *data, const char *name, const char *value), void *data)
{
    const cuna_driver *driver;
    const char *path;
    char text[32];
    int version = 0, major = 0, minor = 0;
    if (cuna__driver_cuda(&driver) != CUNA_OK) {
        emit(data, "missing", cuna_message());
        return;
    }
    if (find_library(&path, (void *)(uintptr_t)driver->driver_get_version))
        emit(data, "library", path);
    if (driver->driver_get_version(&version) == CU_SUCCESS) {
        snprintf(text, sizeof text, "%d.%d", version / 1000, version % 1000 / 10);
        emit(data, "version", text);
    }
    describe_cufft(emit, data);
    /* The driver alone can load kernels; without NVRTC nothing can be compiled, which is the line that helps. */
    if (driver->nvrtc_version(&major, &minor) != CU_SUCCESS) {
        emit(data, "remedy", driver->facts.remedy);
        return;
    }
    if (find_library(&path, (void *)(uintptr_t)driver->nvrtc_version))
        emit(data, "compiler", path);
    snprintf(text, sizeof text, "%d.%d", major, minor);
    emit(data, "compiler_version", text);
}
