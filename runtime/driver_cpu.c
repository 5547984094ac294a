/* driver_cpu.c: the cpu device behind the seam.
 *
 * Work is done, in the caller's thread and the thread pool's, before its row returns: a stream is always finished, an
 * event is a time. Handles are real all the same, so that their misuse is seen here as it would be on CUDA. A context
 * need not be current, and any thread may use any handle. */
#define _GNU_SOURCE 1
#include "driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "driver_cpu_compile.h"
#include "driver_cpu_error.h"
#include "driver_cpu_limits.h"
#include "driver_cpu_memory.h"
#include "driver_cpu_module.h"
#include "driver_cpu_raw.h"
#include "driver_cpu_target.h"
#include "driver_cpu_threads.h"

#define TILE_ELEMENTS     16384
#define STREAMING_NBYTES  ((int64_t)8 << 20)
#define GARBAGE_NBYTES    ((int64_t)32 << 20) /* small: memory that was just given back is in the caches */
#define PIECES_PER_THREAD 4                   /* of a launch, so that no thread waits long for the last one */

extern const char cuna__text_prelude_cpu[], cuna__text_block_cpu[]; /* of kernels/, made text by the build */

static const char *const preludes[] = {cuna__text_prelude_cpu, cuna__text_block_cpu, NULL};

struct cu_context_s {
    char unused;
};

struct cu_stream_s {
    unsigned flags;
    int priority;
};

struct cu_event_s {
    unsigned flags;
    bool recorded;
    struct timespec time;
};

static struct cu_context_s primary_context;

static cu_result init(unsigned flags)
{
    return flags == 0 ? CU_SUCCESS : CU_ERROR_INVALID_VALUE;
}

/* The version of the interface that is imitated. */
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

/* "model name : text" of the first processor; not every architecture has the line. */
static bool read_model(char *name, size_t nbytes)
{
    char line[512];
    bool found = false;
    FILE *info = fopen("/proc/cpuinfo", "re");
    while (info != NULL && !found && fgets(line, sizeof line, info) != NULL) {
        const char *text = strchr(line, ':');
        found = text != NULL && strncmp(line, "model name", 10) == 0;
        if (found)
            snprintf(name, nbytes, "%.*s", (int)strcspn(text + 2, "\n"), text + 2);
    }
    if (info != NULL)
        fclose(info);
    return found;
}

static cu_result device_get_name(char *name, int nbytes, cu_device device)
{
    struct utsname machine;
    cu_result result = check_device(device, name);
    if (result != CU_SUCCESS || nbytes <= 0)
        return result != CU_SUCCESS ? result : CU_ERROR_INVALID_VALUE;
    if (!read_model(name, (size_t)nbytes))
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
        *value = cuna__threads_count();
        return CU_SUCCESS;
    default:
        return CU_ERROR_INVALID_VALUE;
    }
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
        *nbytes = cuna__limits_memory().total_nbytes;
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

static cu_result ctx_set_current(cu_context context)
{
    return context == NULL || context == &primary_context ? CU_SUCCESS : CU_ERROR_INVALID_CONTEXT;
}

static cu_result ctx_synchronize(void)
{
    return CU_SUCCESS;
}

/* There is one device of this kind, and no device is its own peer. */
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
    cuna_limits_memory memory = cuna__limits_memory();
    *free_nbytes = memory.free_nbytes;
    *total_nbytes = memory.total_nbytes;
    return CU_SUCCESS;
}

/* Flags say who else may see the memory; here everyone does. */
static cu_result mem_host_alloc(void **ptr, size_t nbytes, unsigned flags)
{
    (void)flags;
    return cuna__memory_host_alloc(ptr, nbytes);
}

static void *host_pointer(cu_deviceptr ptr)
{
    return (void *)(uintptr_t)ptr;
}

static cu_result memcpy_htod_async(cu_deviceptr dst, const void *src, size_t nbytes, cu_stream stream)
{
    (void)stream;
    return cuna__memory_copy(host_pointer(dst), src, nbytes);
}

static cu_result memcpy_dtoh_async(void *dst, cu_deviceptr src, size_t nbytes, cu_stream stream)
{
    (void)stream;
    return cuna__memory_copy(dst, host_pointer(src), nbytes);
}

static cu_result memcpy_dtod_async(cu_deviceptr dst, cu_deviceptr src, size_t nbytes, cu_stream stream)
{
    (void)stream;
    return cuna__memory_copy(host_pointer(dst), host_pointer(src), nbytes);
}

static cu_result memcpy_peer_async(cu_deviceptr dst, cu_context dst_context, cu_deviceptr src, cu_context src_context,
                                   size_t nbytes, cu_stream stream)
{
    if (dst_context != &primary_context || src_context != &primary_context)
        return CU_ERROR_INVALID_CONTEXT;
    return memcpy_dtod_async(dst, src, nbytes, stream);
}

/* All memory is the host's. */
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

static cu_result memset_d8_async(cu_deviceptr dst, unsigned char value, size_t count, cu_stream stream)
{
    (void)stream;
    return cuna__memory_set(host_pointer(dst), value, count);
}

static cu_result stream_create_with_priority(cu_stream *stream, unsigned flags, int priority)
{
    if (stream == NULL || flags > CU_STREAM_NON_BLOCKING)
        return CU_ERROR_INVALID_VALUE;
    cu_stream created = malloc(sizeof *created);
    if (created == NULL)
        return CU_ERROR_OUT_OF_MEMORY;
    *created = (struct cu_stream_s){flags, priority};
    *stream = created;
    return CU_SUCCESS;
}

static cu_result stream_destroy(cu_stream stream)
{
    if (stream == NULL)
        return CU_ERROR_INVALID_HANDLE;
    free(stream);
    return CU_SUCCESS;
}

static cu_result stream_is_done(cu_stream stream)
{
    (void)stream;
    return CU_SUCCESS;
}

static cu_result stream_wait_event(cu_stream stream, cu_event event, unsigned flags)
{
    (void)stream;
    if (event == NULL)
        return CU_ERROR_INVALID_HANDLE;
    return flags == 0 ? CU_SUCCESS : CU_ERROR_INVALID_VALUE;
}

static cu_result event_create(cu_event *event, unsigned flags)
{
    if (event == NULL || flags > (CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING))
        return CU_ERROR_INVALID_VALUE;
    cu_event created = calloc(1, sizeof *created);
    if (created == NULL)
        return CU_ERROR_OUT_OF_MEMORY;
    created->flags = flags;
    *event = created;
    return CU_SUCCESS;
}

static cu_result event_destroy(cu_event event)
{
    if (event == NULL)
        return CU_ERROR_INVALID_HANDLE;
    free(event);
    return CU_SUCCESS;
}

static cu_result event_record(cu_event event, cu_stream stream)
{
    (void)stream;
    if (event == NULL)
        return CU_ERROR_INVALID_HANDLE;
    if (!(event->flags & CU_EVENT_DISABLE_TIMING))
        clock_gettime(CLOCK_MONOTONIC, &event->time);
    event->recorded = true;
    return CU_SUCCESS;
}

/* Also for an event that was never recorded, as on CUDA. */
static cu_result event_is_done(cu_event event)
{
    return event != NULL ? CU_SUCCESS : CU_ERROR_INVALID_HANDLE;
}

static bool has_time(cu_event event)
{
    return event != NULL && event->recorded && !(event->flags & CU_EVENT_DISABLE_TIMING);
}

static cu_result event_elapsed_time(float *ms, cu_event start, cu_event end)
{
    if (ms == NULL)
        return CU_ERROR_INVALID_VALUE;
    if (!has_time(start) || !has_time(end))
        return CU_ERROR_INVALID_HANDLE;
    double seconds = (double)(end->time.tv_sec - start->time.tv_sec);
    *ms = (float)(seconds * 1e3 + (double)(end->time.tv_nsec - start->time.tv_nsec) / 1e6);
    return CU_SUCCESS;
}

static cu_result launch_host_func(cu_stream stream, cu_host_fn fn, void *data)
{
    (void)stream;
    if (fn == NULL)
        return CU_ERROR_INVALID_VALUE;
    fn(data);
    return CU_SUCCESS;
}

struct launch {
    cuna__module_entry entry;
    void **params;
};

static void run_blocks(void *data, int64_t first, int64_t last)
{
    const struct launch *launch = data;
    launch->entry(launch->params, (unsigned)first, (unsigned)last);
}

/* In cuna's own kernels a block is one thread, and shared memory is the kernel's own business. One block goes the short
 * way: a small operation is mostly this function. */
static cu_result launch_kernel(cu_function function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                               unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_nbytes,
                               cu_stream stream, void **params, void **extra)
{
    (void)stream;
    if (function == NULL)
        return CU_ERROR_INVALID_HANDLE;
    if (__builtin_expect(function->raw != NULL, 0))
        return extra != NULL ? CU_ERROR_INVALID_VALUE
                             : cuna__raw_launch(function, grid_x, grid_y, grid_z, block_x, block_y, block_z,
                                                shared_nbytes, params);
    if ((grid_y ^ 1) | (grid_z ^ 1) | (block_x ^ 1) | (block_y ^ 1) | (block_z ^ 1) | (grid_x == 0) | (extra != NULL))
        return CU_ERROR_INVALID_VALUE;
    if (grid_x == 1) {
        function->entry(params, 0, 1);
        return CU_SUCCESS;
    }
    struct launch launch = {function->entry, params};
    cuna__threads_run(run_blocks, &launch, grid_x, cuna__ceil_div(grid_x, cuna__threads_count() * PIECES_PER_THREAD));
    return CU_SUCCESS;
}

static cu_result target(cuna_target *out, cu_device device)
{
    cu_result result = check_device(device, out);
    return result == CU_SUCCESS ? cuna__target_describe(out->text, sizeof out->text) : result;
}

static const cuna_driver driver = {
    .facts =
        {
            .kind = "cpu",
            .preludes = preludes,
            .raw_preludes = cuna__raw_preludes,
            .lanes = 1,
            .tile_elements = TILE_ELEMENTS,
            .streaming_nbytes = STREAMING_NBYTES,
            .garbage_nbytes = GARBAGE_NBYTES,
            .default_memory_limit = true,
            .host_memory = true,
            .forks = true,
            .remedy = "looked for one that answers --version: $CUNA_CXX (when set, for nothing else), $CXX, g++, c++, "
                      "clang++ on PATH; install g++ (apt-get install g++) or name a compiler in CUNA_CXX",
            .target = target,
        },
    .init = init,
    .driver_get_version = driver_get_version,
    .get_error_name = cuna__error_name,
    .get_error_string = cuna__error_string,
    .device_get_count = device_get_count,
    .device_get = device_get,
    .device_get_name = device_get_name,
    .device_get_attribute = device_get_attribute,
    .device_get_pci_bus_id = device_get_pci_bus_id,
    .device_total_mem = device_total_mem,
    .device_primary_ctx_retain = device_primary_ctx_retain,
    .device_primary_ctx_release = device_primary_ctx_release,
    .ctx_set_current = ctx_set_current,
    .ctx_synchronize = ctx_synchronize,
    .device_can_access_peer = device_can_access_peer,
    .ctx_enable_peer_access = ctx_enable_peer_access,
    .mem_get_info = mem_get_info,
    .mem_alloc = cuna__memory_alloc,
    .mem_free = cuna__memory_free,
    .mem_host_alloc = mem_host_alloc,
    .mem_free_host = cuna__memory_host_free,
    .memcpy_htod_async = memcpy_htod_async,
    .memcpy_dtoh_async = memcpy_dtoh_async,
    .memcpy_dtod_async = memcpy_dtod_async,
    .memcpy_peer_async = memcpy_peer_async,
    .pointer_get_attributes = pointer_get_attributes,
    .memset_d8_async = memset_d8_async,
    .stream_create_with_priority = stream_create_with_priority,
    .stream_destroy = stream_destroy,
    .stream_synchronize = stream_is_done,
    .stream_query = stream_is_done,
    .stream_wait_event = stream_wait_event,
    .event_create = event_create,
    .event_destroy = event_destroy,
    .event_record = event_record,
    .event_query = event_is_done,
    .event_synchronize = event_is_done,
    .event_elapsed_time = event_elapsed_time,
    .launch_host_func = launch_host_func,
    .module_load_data = cuna__module_load,
    .module_unload = cuna__module_unload,
    .module_get_function = cuna__module_function,
    .launch_kernel = launch_kernel,
    .launch_cooperative_kernel = cuna__raw_cooperative,
    .func_get_attribute = cuna__raw_get_attribute,
    .func_set_attribute = cuna__raw_set_attribute,
    .func_get_param_info = cuna__raw_param_info,
    .module_get_global = cuna__module_global,
    .nvrtc_version = cuna__compile_version,
    .nvrtc_get_num_supported_archs = cuna__compile_archs_count,
    .nvrtc_get_supported_archs = cuna__compile_archs,
    .nvrtc_create_program = cuna__compile_create,
    .nvrtc_destroy_program = cuna__compile_destroy,
    .nvrtc_add_name_expression = cuna__compile_add_expression,
    .nvrtc_get_lowered_name = cuna__compile_lowered_name,
    .nvrtc_compile_program = cuna__compile_run,
    .nvrtc_get_program_log_size = cuna__compile_log_size,
    .nvrtc_get_program_log = cuna__compile_log,
    .nvrtc_get_cubin_size = cuna__compile_image_size,
    .nvrtc_get_cubin = cuna__compile_image,
    .nvrtc_get_ptx_size = cuna__compile_ptx_size,
    .nvrtc_get_ptx = cuna__compile_ptx,
};

const cuna_driver *cuna__driver_cpu(void)
{
    return &driver;
}
