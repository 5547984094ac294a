/* driver.c: the driver table of the cpu device.
 *
 * The caller's thread and the thread pool do the work before its row returns, unless its stream is captured: then it is
 * recorded. Handles are still real objects, so that misuse fails as it would on CUDA. A context need not be current,
 * and any thread may use any handle. */
#define _GNU_SOURCE 1
#include "seam/driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "cpu/compile/compile.h"
#include "cpu/compile/target.h"
#include "cpu/execute/error.h"
#include "cpu/execute/graph.h"
#include "cpu/execute/launch.h"
#include "cpu/execute/limits.h"
#include "cpu/execute/memory.h"
#include "cpu/execute/module.h"
#include "cpu/execute/raw.h"
#include "cpu/execute/stream.h"
#include "cpu/execute/texture.h"
#include "cpu/execute/threads.h"
#include "cpu/interpret/interpret.h"
#include "cpu/processor.h"
#include "seam/blas.h"
#include "seam/dft.h"
#include "seam/lapack.h"

#define TILE_ELEMENTS    16384
#define STREAMING_NBYTES ((int64_t)8 << 20)
#define GARBAGE_NBYTES   ((int64_t)8 << 20) /* with its operands it fits in common last-level caches */
#define GARBAGE_S        0.6e-3             /* writing uncached memory costs 30 to 50 us per MiB */
#define RECORD_LIMIT     16384              /* smaller results stay in the first cache */
#define MAX_ADVICE       6                  /* CU_MEM_ADVISE_UNSET_ACCESSED_BY */
#define HOST_DEVICE      (-1)               /* CU_DEVICE_CPU, as a location of managed memory */

extern const char cuna__text_prelude_cpu[], cuna__text_block_cpu[]; /* of kernels/, embedded by the build */

static const char *const preludes[] = {cuna__text_prelude_cpu, cuna__text_block_cpu, NULL};

struct cu_context_s {
    char unused;
};

static struct cu_context_s primary_context;

static cu_result init(unsigned flags)
{
    return flags == 0 ? CU_SUCCESS : CU_ERROR_INVALID_VALUE;
}

/* The version of the emulated interface. */
static cu_result driver_get_version(int *version)
{
    if (version == NULL)
        return CU_ERROR_INVALID_VALUE;
    *version = 12000;
    return CU_SUCCESS;
}

static cu_result device_get_count(int *count)
{
    if (count == NULL)
        return CU_ERROR_INVALID_VALUE;
    *count = 1;
    return CU_SUCCESS;
}

static cu_result check_device(cu_device device, const void *out)
{
    if (out == NULL)
        return CU_ERROR_INVALID_VALUE;
    return device == 0 ? CU_SUCCESS : CU_ERROR_INVALID_DEVICE;
}

static cu_result device_get(cu_device *device, int ordinal)
{
    cu_result result = check_device(ordinal, device);
    if (result == CU_SUCCESS)
        *device = ordinal;
    return result;
}

static cu_result device_get_name(char *name, int nbytes, cu_device device)
{
    struct utsname machine;
    cu_result result = check_device(device, name);
    if (result != CU_SUCCESS || nbytes <= 0)
        return result != CU_SUCCESS ? result : CU_ERROR_INVALID_VALUE;
    if (!cuna__cpu_read_model(name, (size_t)nbytes))
        snprintf(name, (size_t)nbytes, "%s", uname(&machine) == 0 ? machine.machine : "cpu");
    return CU_SUCCESS;
}

static cu_result device_get_attribute(int *value, int attribute, cu_device device)
{
    cu_result result = check_device(device, value);
    if (result != CU_SUCCESS)
        return result;
    switch (attribute) {
    case CU_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
        *value = 1;
        return CU_SUCCESS;
    case CU_ATTRIBUTE_MULTIPROCESSOR_COUNT:
        *value = cuna__cpu_threads_count();
        return CU_SUCCESS;
    default:
        return CU_ERROR_INVALID_VALUE;
    }
}

/* OpenBLAS as well. */
static void set_threads(int count)
{
    cuna__cpu_threads_set_count(count);
    cuna__blas_cpu_set_threads();
}

static cu_result device_get_pci_bus_id(char *id, int nbytes, cu_device device)
{
    cu_result result = check_device(device, id);
    return result == CU_SUCCESS ? CU_ERROR_NOT_FOUND : nbytes > 0 ? result : CU_ERROR_INVALID_VALUE;
}

static cu_result device_total_mem(size_t *nbytes, cu_device device)
{
    cu_result result = check_device(device, nbytes);
    if (result == CU_SUCCESS)
        *nbytes = cuna__cpu_limits_memory().total_nbytes;
    return result;
}

static cu_result device_primary_ctx_retain(cu_context *context, cu_device device)
{
    cu_result result = check_device(device, context);
    if (result == CU_SUCCESS)
        *context = &primary_context;
    return result;
}

static cu_result device_primary_ctx_release(cu_device device)
{
    return device == 0 ? CU_SUCCESS : CU_ERROR_INVALID_DEVICE;
}

/* Every thread has it. */
static cu_result ctx_get_current(cu_context *context)
{
    *context = &primary_context;
    return CU_SUCCESS;
}

static cu_result ctx_set_current(cu_context context)
{
    return context == NULL || context == &primary_context ? CU_SUCCESS : CU_ERROR_INVALID_CONTEXT;
}

/* There is one device of this kind, and a device is not its own peer. */
static cu_result device_can_access_peer(int *answer, cu_device device, cu_device peer)
{
    cu_result result = check_device(device, answer);
    if (result == CU_SUCCESS)
        result = check_device(peer, answer);
    if (result == CU_SUCCESS)
        *answer = 0;
    return result;
}

static cu_result ctx_enable_peer_access(cu_context peer, unsigned flags)
{
    return flags != 0                 ? CU_ERROR_INVALID_VALUE
           : peer == &primary_context ? CU_ERROR_INVALID_DEVICE
                                      : CU_ERROR_INVALID_CONTEXT;
}

static cu_result mem_get_info(size_t *free_nbytes, size_t *total_nbytes)
{
    if (free_nbytes == NULL || total_nbytes == NULL)
        return CU_ERROR_INVALID_VALUE;
    cuna_limits_memory memory = cuna__cpu_limits_memory();
    *free_nbytes = memory.free_nbytes;
    *total_nbytes = memory.total_nbytes;
    return CU_SUCCESS;
}

/* Rows that captures cannot record check whether a capture forbids them. */

static cu_result mem_alloc(cu_deviceptr *ptr, size_t nbytes)
{
    cu_result result = cuna__cpu_capture_check_thread();
    return result == CU_SUCCESS ? cuna__cpu_memory_alloc(ptr, nbytes) : result;
}

static cu_result mem_free(cu_deviceptr ptr)
{
    cu_result result = cuna__cpu_capture_check_thread();
    return result == CU_SUCCESS ? cuna__cpu_memory_free(ptr) : result;
}

/* All memory is also host memory. */
static cu_result mem_alloc_managed(cu_deviceptr *ptr, size_t nbytes, unsigned flags)
{
    return flags == CU_MEM_ATTACH_GLOBAL || flags == CU_MEM_ATTACH_HOST ? mem_alloc(ptr, nbytes)
                                                                        : CU_ERROR_INVALID_VALUE;
}

/* Flags say who may access the memory; here everyone may. */
static cu_result mem_host_alloc(void **ptr, size_t nbytes, unsigned flags)
{
    (void)flags;
    cu_result result = cuna__cpu_capture_check_thread();
    return result == CU_SUCCESS ? cuna__cpu_memory_host_alloc(ptr, nbytes) : result;
}

static cu_result mem_free_host(void *ptr)
{
    cu_result result = cuna__cpu_capture_check_thread();
    return result == CU_SUCCESS ? cuna__cpu_memory_host_free(ptr) : result;
}

/* Graphs of this device cannot own memory: a capture rejects these. */

static cu_result mem_alloc_async(cu_deviceptr *ptr, size_t nbytes, cu_stream stream)
{
    return cuna__stream_is_held(stream) ? cuna__cpu_capture_refuse(&cuna__stream_of(stream)->capture)
                                        : cuna__cpu_memory_pool_alloc(ptr, nbytes);
}

static cu_result mem_free_async(cu_deviceptr ptr, cu_stream stream)
{
    return cuna__stream_is_held(stream) ? cuna__cpu_capture_refuse(&cuna__stream_of(stream)->capture)
                                        : cuna__cpu_memory_free(ptr);
}

static cu_result device_get_default_mem_pool(cu_mem_pool *pool, cu_device device)
{
    cu_result result = check_device(device, pool);
    if (result == CU_SUCCESS)
        *pool = cuna__cpu_memory_pool();
    return result;
}

static cu_result check_place(cu_deviceptr ptr, size_t nbytes, cu_device device)
{
    if (ptr == 0 || nbytes == 0)
        return CU_ERROR_INVALID_VALUE;
    return device == 0 || device == HOST_DEVICE ? CU_SUCCESS : CU_ERROR_INVALID_DEVICE;
}

static cu_result mem_prefetch_async(cu_deviceptr ptr, size_t nbytes, cu_device device, cu_stream stream)
{
    return cuna__stream_is_held(stream) ? cuna__cpu_capture_refuse(&cuna__stream_of(stream)->capture)
                                        : check_place(ptr, nbytes, device);
}

static cu_result mem_advise(cu_deviceptr ptr, size_t nbytes, int advice, cu_device device)
{
    return advice >= 1 && advice <= MAX_ADVICE ? check_place(ptr, nbytes, device) : CU_ERROR_INVALID_VALUE;
}

struct copy {
    cuna_work base;
    void *dst;
    const void *src;
    size_t nbytes;
};

static cu_result run_copy(const cuna_work *base)
{
    const struct copy *work = (const struct copy *)base;
    return cuna__cpu_memory_copy(work->dst, work->src, work->nbytes);
}

static cu_result record_copy(void *dst, const void *src, size_t nbytes, cu_stream stream)
{
    if (nbytes > 0 && (dst == NULL || src == NULL))
        return CU_ERROR_INVALID_VALUE;
    struct copy *work = malloc(sizeof *work);
    if (work != NULL)
        *work = (struct copy){{run_copy}, dst, src, nbytes};
    return cuna__cpu_graph_add(stream, &work->base);
}

static cu_result copy(void *dst, const void *src, size_t nbytes, cu_stream stream)
{
    return cuna__stream_is_held(stream) ? record_copy(dst, src, nbytes, stream)
                                        : cuna__cpu_memory_copy(dst, src, nbytes);
}

static void *host_pointer(cu_deviceptr ptr)
{
    return (void *)(uintptr_t)ptr;
}

static cu_result memcpy_htod_async(cu_deviceptr dst, const void *src, size_t nbytes, cu_stream stream)
{
    return copy(host_pointer(dst), src, nbytes, stream);
}

static cu_result memcpy_dtoh_async(void *dst, cu_deviceptr src, size_t nbytes, cu_stream stream)
{
    return copy(dst, host_pointer(src), nbytes, stream);
}

static cu_result memcpy_dtod_async(cu_deviceptr dst, cu_deviceptr src, size_t nbytes, cu_stream stream)
{
    return copy(host_pointer(dst), host_pointer(src), nbytes, stream);
}

static cu_result memcpy_peer_async(cu_deviceptr dst, cu_context dst_context, cu_deviceptr src, cu_context src_context,
                                   size_t nbytes, cu_stream stream)
{
    if (dst_context != &primary_context || src_context != &primary_context)
        return CU_ERROR_INVALID_CONTEXT;
    return memcpy_dtod_async(dst, src, nbytes, stream);
}

/* All memory is host memory. */
static cu_result pointer_get_attributes(unsigned count, int *attributes, void **values, cu_deviceptr ptr)
{
    (void)ptr;
    if (count == 0 || attributes == NULL || values == NULL)
        return CU_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < count; i++) {
        if (attributes[i] != CU_POINTER_ATTRIBUTE_MEMORY_TYPE)
            return CU_ERROR_INVALID_VALUE;
        *(unsigned *)values[i] = CU_MEMORYTYPE_HOST;
    }
    return CU_SUCCESS;
}

struct set {
    cuna_work base;
    void *dst;
    unsigned char value;
    size_t nbytes;
};

static cu_result run_set(const cuna_work *base)
{
    const struct set *work = (const struct set *)base;
    return cuna__cpu_memory_set(work->dst, work->value, work->nbytes);
}

static cu_result memset_d8_async(cu_deviceptr dst, unsigned char value, size_t count, cu_stream stream)
{
    if (!cuna__stream_is_held(stream))
        return cuna__cpu_memory_set(host_pointer(dst), value, count);
    if (count > 0 && dst == 0)
        return CU_ERROR_INVALID_VALUE;
    struct set *work = malloc(sizeof *work);
    if (work != NULL)
        *work = (struct set){{run_set}, host_pointer(dst), value, count};
    return cuna__cpu_graph_add(stream, &work->base);
}

static cu_result target(cuna_target *out, cu_device device)
{
    cu_result result = check_device(device, out);
    return result == CU_SUCCESS ? cuna__cpu_target_describe(out->text, sizeof out->text) : result;
}

static cu_result module_load_data(cu_module *module, const void *image)
{
    if (module == NULL || image == NULL)
        return CU_ERROR_INVALID_VALUE;
    return cuna__cpu_interpret_accepts(image) ? cuna__cpu_interpret_load(module, image)
                                              : cuna__cpu_module_load(module, image);
}

static const cuna_driver driver = {
    .facts =
        {
            .kind = "cpu",
            .preludes = preludes,
            .text_preludes = cuna__cpu_text_preludes,
            .raw_preludes = cuna__cpu_raw_preludes,
            .lanes = 1,
            .tile_elements = TILE_ELEMENTS,
            .streaming_nbytes = STREAMING_NBYTES,
            .garbage_nbytes = GARBAGE_NBYTES,
            .garbage_s = GARBAGE_S,
            .record_limit = RECORD_LIMIT,
            .default_memory_limit = true,
            .host_memory = true,
            .forks = true,
            .set_threads = set_threads,
            .share_work = cuna__cpu_threads_run,
            .interprets = true,
            .dft_is_own = true,
            .remedy = "looked for one that answers --version: $CUNA_CXX (when set, for nothing else), $CXX, g++, c++, "
                      "clang++ on PATH; install g++ (apt-get install g++) or name a compiler in CUNA_CXX",
            .target = target,
            .blas = &cuna__blas_cpu,
            .lapack = &cuna__lapack_cpu,
            .dft = cuna__dft_cpu,
        },
    .init = init,
    .driver_get_version = driver_get_version,
    .get_error_name = cuna__cpu_error_name,
    .get_error_string = cuna__cpu_error_string,
    .device_get_count = device_get_count,
    .device_get = device_get,
    .device_get_name = device_get_name,
    .device_get_attribute = device_get_attribute,
    .device_get_pci_bus_id = device_get_pci_bus_id,
    .device_total_mem = device_total_mem,
    .device_primary_ctx_retain = device_primary_ctx_retain,
    .device_primary_ctx_release = device_primary_ctx_release,
    .ctx_get_current = ctx_get_current,
    .ctx_set_current = ctx_set_current,
    .ctx_synchronize = cuna__cpu_stream_synchronize_all,
    .device_can_access_peer = device_can_access_peer,
    .ctx_enable_peer_access = ctx_enable_peer_access,
    .mem_get_info = mem_get_info,
    .mem_alloc = mem_alloc,
    .mem_free = mem_free,
    .ipc_get_mem_handle = cuna__cpu_memory_handle_get,
    .ipc_open_mem_handle = cuna__cpu_memory_handle_open,
    .ipc_close_mem_handle = cuna__cpu_memory_handle_close,
    .mem_alloc_managed = mem_alloc_managed,
    .mem_alloc_async = mem_alloc_async,
    .mem_free_async = mem_free_async,
    .device_get_default_mem_pool = device_get_default_mem_pool,
    .mem_pool_get_attribute = cuna__cpu_memory_pool_get_attribute,
    .mem_pool_set_attribute = cuna__cpu_memory_pool_set_attribute,
    .mem_pool_trim_to = cuna__cpu_memory_pool_trim,
    .mem_prefetch_async = mem_prefetch_async,
    .mem_advise = mem_advise,
    .mem_host_alloc = mem_host_alloc,
    .mem_free_host = mem_free_host,
    .memcpy_htod_async = memcpy_htod_async,
    .memcpy_dtoh_async = memcpy_dtoh_async,
    .memcpy_dtod_async = memcpy_dtod_async,
    .memcpy_peer_async = memcpy_peer_async,
    .pointer_get_attributes = pointer_get_attributes,
    .memset_d8_async = memset_d8_async,
    .array_create = cuna__cpu_array_create,
    .array_destroy = cuna__cpu_array_destroy,
    .memcpy_3d_async = cuna__cpu_memcpy_3d,
    .tex_object_create = cuna__cpu_tex_create,
    .tex_object_destroy = cuna__cpu_tex_destroy,
    .surf_object_create = cuna__cpu_surf_create,
    .surf_object_destroy = cuna__cpu_surf_destroy,
    .ctx_get_stream_priority_range = cuna__cpu_stream_priority_range,
    .stream_create_with_priority = cuna__cpu_stream_create,
    .stream_destroy = cuna__cpu_stream_destroy,
    .stream_synchronize = cuna__cpu_stream_synchronize,
    .stream_query = cuna__cpu_stream_synchronize,
    .stream_wait_event = cuna__cpu_stream_wait_event,
    .event_create = cuna__cpu_event_create,
    .event_destroy = cuna__cpu_event_destroy,
    .event_record = cuna__cpu_event_record,
    .event_query = cuna__cpu_event_synchronize,
    .event_synchronize = cuna__cpu_event_synchronize,
    .event_elapsed_time = cuna__cpu_event_elapsed_time,
    .launch_host_func = cuna__cpu_launch_host_func,
    .stream_begin_capture = cuna__cpu_graph_begin_capture,
    .stream_end_capture = cuna__cpu_graph_end_capture,
    .stream_is_capturing = cuna__cpu_graph_is_capturing,
    .stream_get_capture_info = cuna__cpu_graph_capture_info,
    .graph_instantiate = cuna__cpu_graph_instantiate,
    .graph_exec_kernel_node_set_params = cuna__cpu_graph_set_kernel,
    .graph_upload = cuna__cpu_graph_upload,
    .graph_launch = cuna__cpu_graph_launch,
    .graph_exec_destroy = cuna__cpu_graph_exec_destroy,
    .graph_destroy = cuna__cpu_graph_destroy,
    .module_load_data = module_load_data,
    .module_unload = cuna__cpu_module_unload,
    .module_get_function = cuna__cpu_module_function,
    .launch_kernel = cuna__cpu_launch_kernel,
    .launch_cooperative_kernel = cuna__cpu_launch_cooperative,
    .func_get_attribute = cuna__cpu_raw_get_attribute,
    .func_set_attribute = cuna__cpu_raw_set_attribute,
    .func_get_param_info = cuna__cpu_raw_param_info,
    .module_get_global = cuna__cpu_module_global,
    .nvrtc_version = cuna__cpu_compile_version,
    .nvrtc_get_num_supported_archs = cuna__cpu_compile_archs_count,
    .nvrtc_get_supported_archs = cuna__cpu_compile_archs,
    .nvrtc_create_program = cuna__cpu_compile_create,
    .nvrtc_destroy_program = cuna__cpu_compile_destroy,
    .nvrtc_add_name_expression = cuna__cpu_compile_add_expression,
    .nvrtc_get_lowered_name = cuna__cpu_compile_lowered_name,
    .nvrtc_set_flow_callback = cuna__cpu_compile_set_callback,
    .nvrtc_compile_program = cuna__cpu_compile_run,
    .nvrtc_get_program_log_size = cuna__cpu_compile_log_size,
    .nvrtc_get_program_log = cuna__cpu_compile_log,
    .nvrtc_get_cubin_size = cuna__cpu_compile_image_size,
    .nvrtc_get_cubin = cuna__cpu_compile_image,
    .nvrtc_get_ptx_size = cuna__cpu_compile_ptx_size,
    .nvrtc_get_ptx = cuna__cpu_compile_ptx,
};

const cuna_driver *cuna__driver_cpu(void)
{
    return &driver;
}
