/* target.c: how kernels are compiled for a CUDA device.
 *
 * A binary runs on its own architecture, and on later ones of its family; PTX runs on every later architecture, once the
 * driver has translated it. A binary for the device itself comes first, then one of its family, then PTX. */
#include "cuda/target.h"

#include <stdio.h>
#include <string.h>

enum { MAX_ARCHS = 128 };

/* Options of every kernel: products are not fused with sums, and warnings about unused parts of templates are off. */
static const char *const options[] = {"--fmad=false", "--std=c++17", "-diag-suppress=186",
                                      "--device-as-default-execution-space"};

/* What cuna's own texts need of the language compiles in a quarter less time; users' texts may need the rest. */
#define OWN_OPTION      "--minimal"
#define OWN_OPTION_FROM 12080 /* of NVRTC */

/* Families: each runs the binaries of those before it. Equal major versions are not enough: integrated GPUs (7.2, 8.7,
 * 8.8, 10.1) do not run binaries of discrete ones, nor the reverse. A GPU that is not listed uses PTX. */
static const int families[][3] = {{70, 75}, {80, 86, 89}, {100, 103}, {120, 121}};

static int family_of(int arch)
{
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        for (size_t k = 0; k < sizeof *families / sizeof **families; k++)
            if (families[i][k] == arch)
                return (int)i;
    return -1;
}

cuna_arch cuna__cuda_target_choose(int count, const int *archs, int capability)
{
    int newest = 0, relative = 0, family = family_of(capability);
    for (int i = 0; i < count && archs[i] <= capability; i++) {
        newest = archs[i];
        relative = archs[i] == capability || (family >= 0 && family_of(archs[i]) == family) ? archs[i] : relative;
    }
    return relative != 0 ? (cuna_arch){relative, false} : (cuna_arch){newest, newest != 0};
}

/* An nvrtcResult means something else as a CUresult; a missing function alone says so (see driver.c). */
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

/* The driver's version matters if the driver compiles. */
static cu_result describe(cuna_target *out, const cuna_driver *driver)
{
    int major, minor, version = 0;
    cu_result result = from_nvrtc(driver->nvrtc_version(&major, &minor));
    if (result == CU_SUCCESS && out->is_ptx)
        result = driver->driver_get_version(&version);
    if (result != CU_SUCCESS)
        return result;
    out->nown_options = out->noptions;
    if (1000 * major + 10 * minor >= OWN_OPTION_FROM)
        out->options[out->nown_options++] = OWN_OPTION;
    size_t length = (size_t)snprintf(out->text, sizeof out->text, "nvrtc %d.%d\n", major, minor);
    for (int i = 0; i < out->nown_options; i++)
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
