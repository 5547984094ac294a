/* driver_cuda_target.c: how kernels are compiled for a CUDA device.
 *
 * A binary runs on its own architecture and on later minor versions of its major one; PTX runs on every later
 * architecture, once the driver has translated it. A binary for the device itself comes first; then, for a device that
 * NVRTC could know and leaves out, one for an earlier minor version; PTX for all that is newer. */
#include "driver_cuda_target.h"

#include <stdio.h>
#include <string.h>

enum { MAX_ARCHS = 128 };

/* What every kernel is compiled with: products are not fused with sums, and what a template leaves unused is no
 * news. */
static const char *const options[] = {"--fmad=false", "--std=c++17", "-diag-suppress=186",
                                      "--device-as-default-execution-space"};

cuna_arch cuna__cuda_target_choose(int count, const int *archs, int capability)
{
    int best = 0, newest = 0;
    for (int i = 0; i < count; i++) {
        newest = archs[i] > newest ? archs[i] : newest;
        best = archs[i] <= capability && archs[i] > best ? archs[i] : best;
    }
    bool same_major = best / 10 == capability / 10;
    bool is_binary = best == capability || (same_major && capability < newest);
    return (cuna_arch){best, best > 0 && !is_binary};
}

/* An nvrtcResult means something else as a CUresult; a missing function alone says so (see driver_cuda.c). */
static cu_result from_nvrtc(cu_result result)
{
    return result == CU_SUCCESS || result == CU_ERROR_NOT_FOUND ? result : CU_ERROR_UNKNOWN;
}

static cu_result read_archs(const cuna_driver *driver, int *count, int archs[MAX_ARCHS])
{
    cu_result result = from_nvrtc(driver->nvrtc_get_num_supported_archs(count));
    if (result != CU_SUCCESS)
        return result;
    if (*count < 1 || *count > MAX_ARCHS)
        return CU_ERROR_UNKNOWN;
    return from_nvrtc(driver->nvrtc_get_supported_archs(archs));
}

int cuna__cuda_target_oldest(const cuna_driver *driver)
{
    int count, archs[MAX_ARCHS];
    return read_archs(driver, &count, archs) == CU_SUCCESS ? archs[0] : 0;
}

static cu_result read_capability(const cuna_driver *driver, cu_device device, int *capability)
{
    int major, minor;
    cu_result result = driver->device_get_attribute(&major, CU_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
    if (result == CU_SUCCESS)
        result = driver->device_get_attribute(&minor, CU_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
    if (result == CU_SUCCESS)
        *capability = 10 * major + minor;
    return result;
}

static void set_options(cuna_target *out, cuna_arch arch)
{
    snprintf(out->room, sizeof out->room, "--gpu-architecture=%s_%d", arch.is_ptx ? "compute" : "sm", arch.number);
    out->noptions = 0;
    out->options[out->noptions++] = out->room;
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        out->options[out->noptions++] = options[i];
    out->is_ptx = arch.is_ptx;
}

/* The driver's version matters where the driver compiles. */
static cu_result describe(cuna_target *out, const cuna_driver *driver)
{
    int major, minor, version = 0;
    cu_result result = from_nvrtc(driver->nvrtc_version(&major, &minor));
    if (result == CU_SUCCESS && out->is_ptx)
        result = driver->driver_get_version(&version);
    if (result != CU_SUCCESS)
        return result;
    size_t length = (size_t)snprintf(out->text, sizeof out->text, "nvrtc %d.%d\n", major, minor);
    for (int i = 0; i < out->noptions; i++)
        length += (size_t)snprintf(out->text + length, sizeof out->text - length, "%s\n", out->options[i]);
    if (out->is_ptx)
        snprintf(out->text + length, sizeof out->text - length, "driver %d\n", version);
    return CU_SUCCESS;
}

cu_result cuna__cuda_target(cuna_target *out, const cuna_driver *driver, cu_device device)
{
    int capability = 0, count = 0, archs[MAX_ARCHS];
    cu_result result = read_archs(driver, &count, archs);
    if (result == CU_SUCCESS)
        result = read_capability(driver, device, &capability);
    if (result != CU_SUCCESS)
        return result;
    cuna_arch arch = cuna__cuda_target_choose(count, archs, capability);
    if (arch.number == 0)
        return CU_ERROR_NOT_FOUND;
    set_options(out, arch);
    return describe(out, driver);
}
