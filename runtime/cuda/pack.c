/* pack.c: devices that only compile, to build a kernel pack for absent GPUs.
 *
 * Facts and NVRTC rows are those of CUDA devices, so that a rehearsal selects the kernels that a real device of the
 * architecture would, and stores them under the same keys. Memory and streams are the cpu device's. Images are never
 * read, and launches are rejected. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "cuda/target.h"
#include "seam/driver.h"

enum { MAX_ARCHS = 128 };

static cuna_driver driver;

/* Rows that name a device: its ordinal and handle are the capability, the cpu device's are 0. */

static cu_result device_get(cu_device *device, int ordinal)
{
    *device = ordinal;
    return CU_SUCCESS;
}

static cu_result device_get_name(char *name, int nbytes, cu_device device)
{
    snprintf(name, (size_t)nbytes, "compiler for sm_%d", device);
    return CU_SUCCESS;
}

static cu_result device_get_attribute(int *value, int attribute, cu_device device)
{
    if (attribute != CU_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR && attribute != CU_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)
        return CU_ERROR_INVALID_VALUE;
    *value = attribute == CU_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR ? device / 10 : device % 10;
    return CU_SUCCESS;
}

static cu_result device_get_pci_bus_id(char *id, int nbytes, cu_device device)
{
    (void)id, (void)nbytes, (void)device;
    return CU_ERROR_NOT_SUPPORTED;
}

static cu_result device_total_mem(size_t *nbytes, cu_device device)
{
    (void)device;
    return cuna__driver_cpu()->device_total_mem(nbytes, 0);
}

static cu_result device_get_default_mem_pool(cu_mem_pool *pool, cu_device device)
{
    (void)device;
    return cuna__driver_cpu()->device_get_default_mem_pool(pool, 0);
}

static cu_result mem_prefetch_async(cu_deviceptr ptr, size_t nbytes, cu_device device, cu_stream stream)
{
    (void)device;
    return cuna__driver_cpu()->mem_prefetch_async(ptr, nbytes, 0, stream);
}

static cu_result mem_advise(cu_deviceptr ptr, size_t nbytes, int advice, cu_device device)
{
    (void)device;
    return cuna__driver_cpu()->mem_advise(ptr, nbytes, advice, 0);
}

static cu_result device_primary_ctx_retain(cu_context *context, cu_device device)
{
    (void)device;
    return cuna__driver_cpu()->device_primary_ctx_retain(context, 0);
}

static cu_result device_primary_ctx_release(cu_device device)
{
    (void)device;
    return cuna__driver_cpu()->device_primary_ctx_release(0);
}

static cu_result device_can_access_peer(int *answer, cu_device device, cu_device peer)
{
    (void)device, (void)peer;
    *answer = 0;
    return CU_SUCCESS;
}

static cu_result get_error_name(cu_result error, const char **text)
{
    if (error != CU_ERROR_NOT_SUPPORTED)
        return cuna__driver_cpu()->get_error_name(error, text);
    *text = "CUDA_ERROR_NOT_SUPPORTED";
    return CU_SUCCESS;
}

static cu_result get_error_string(cu_result error, const char **text)
{
    if (error != CU_ERROR_NOT_SUPPORTED)
        return cuna__driver_cpu()->get_error_string(error, text);
    *text = "this device only compiles kernels, inside cn.prepare; compute on another one";
    return CU_SUCCESS;
}

/* Any address serves as a module or function: it is never dereferenced. */

static cu_result module_load_data(cu_module *module, const void *image)
{
    *module = (cu_module)&driver;
    return image != NULL ? CU_SUCCESS : CU_ERROR_INVALID_VALUE;
}

static cu_result module_unload(cu_module module)
{
    (void)module;
    return CU_SUCCESS;
}

static cu_result module_get_function(cu_function *function, cu_module module, const char *name)
{
    (void)module, (void)name;
    *function = (cu_function)&driver;
    return CU_SUCCESS;
}

static cu_result launch_kernel(cu_function function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                               unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_nbytes,
                               cu_stream stream, void **params, void **extra)
{
    (void)function, (void)grid_x, (void)grid_y, (void)grid_z, (void)block_x, (void)block_y, (void)block_z;
    (void)shared_nbytes, (void)stream, (void)params, (void)extra;
    return CU_ERROR_NOT_SUPPORTED;
}

static cu_result launch_cooperative_kernel(cu_function function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                           unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_nbytes,
                                           cu_stream stream, void **params)
{
    return launch_kernel(function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_nbytes, stream, params,
                         NULL);
}

static cu_result func_get_attribute(int *value, int attribute, cu_function function)
{
    (void)value, (void)attribute, (void)function;
    return CU_ERROR_NOT_SUPPORTED;
}

static cu_result func_set_attribute(cu_function function, int attribute, int value)
{
    (void)function, (void)attribute, (void)value;
    return CU_ERROR_NOT_SUPPORTED;
}

static cu_result func_get_param_info(cu_function function, size_t index, size_t *offset, size_t *nbytes)
{
    (void)function, (void)index, (void)offset, (void)nbytes;
    return CU_ERROR_NOT_SUPPORTED;
}

static cu_result module_get_global(cu_deviceptr *ptr, size_t *nbytes, cu_module module, const char *name)
{
    (void)ptr, (void)nbytes, (void)module, (void)name;
    return CU_ERROR_NOT_SUPPORTED;
}

static cu_result target(cuna_target *out, cu_device device)
{
    return cuna__cuda_target(out, &driver, device);
}

static void start(void)
{
    /* The cpu device with the compiler, the facts and the attributes of a GPU; rows that would run code fail. */
    driver = *cuna__driver_cpu();
    cuna__driver_cuda_compiler(&driver);
    driver.facts.target = target;
    driver.facts.forks = true;
    driver.device_get = device_get;
    driver.device_get_name = device_get_name;
    driver.device_get_attribute = device_get_attribute;
    driver.device_get_pci_bus_id = device_get_pci_bus_id;
    driver.device_total_mem = device_total_mem;
    driver.device_get_default_mem_pool = device_get_default_mem_pool;
    driver.mem_prefetch_async = mem_prefetch_async;
    driver.mem_advise = mem_advise;
    driver.device_primary_ctx_retain = device_primary_ctx_retain;
    driver.device_primary_ctx_release = device_primary_ctx_release;
    driver.device_can_access_peer = device_can_access_peer;
    driver.get_error_name = get_error_name;
    driver.get_error_string = get_error_string;
    driver.module_load_data = module_load_data;
    driver.module_unload = module_unload;
    driver.module_get_function = module_get_function;
    driver.launch_kernel = launch_kernel;
    driver.launch_cooperative_kernel = launch_cooperative_kernel;
    driver.func_get_attribute = func_get_attribute;
    driver.func_set_attribute = func_set_attribute;
    driver.func_get_param_info = func_get_param_info;
    driver.module_get_global = module_get_global;
}

/* The architectures for which NVRTC compiles binaries; 0 without NVRTC. */
static int read_archs(int archs[MAX_ARCHS])
{
    int count;
    bool known = driver.nvrtc_get_num_supported_archs(&count) == CU_SUCCESS && count > 0 && count <= MAX_ARCHS;
    return known && driver.nvrtc_get_supported_archs(archs) == CU_SUCCESS ? count : 0;
}

cuna_status cuna__driver_pack(const cuna_driver **out, int capability)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    char known[MAX_ARCHS * 16] = "";
    int archs[MAX_ARCHS];
    size_t length = 0;
    pthread_once(&once, start);
    int count = read_archs(archs);
    if (count == 0)
        return cuna_fail(CUNA_COMPILE, "no compiler for its kernels: %s", driver.facts.remedy);
    for (int i = 0; i < count; i++) {
        if (archs[i] == capability) {
            *out = &driver;
            return CUNA_OK;
        }
        length += (size_t)snprintf(known + length, sizeof known - length, "%ssm_%d", i > 0 ? ", " : "", archs[i]);
    }
    return cuna_fail(CUNA_VALUE, "NVRTC here compiles for %s", known);
}
