/* driver.h: the seam. One table of functions, shaped like the CUDA driver API and NVRTC, from one list of rows.
 *
 * A row is (exported symbol, field, parameters); names, argument order and meanings are CUDA's. driver_cuda fills the
 * table by dlsym; driver_cpu imitates the documented semantics. Nothing above this header knows which one it talks to:
 * where devices differ, they differ by a fact (struct cuna_driver_facts, or an attribute), never by name.
 *
 * All device work enters through a stream row (launch, copy, set, host function). */
#ifndef CUNA_DRIVER_H
#define CUNA_DRIVER_H

#include "base.h"

typedef int cu_result; /* CUresult and nvrtcResult: 0 is success */
typedef int cu_device; /* ordinal of a device within its driver */
typedef uint64_t cu_deviceptr;
typedef struct cu_context_s *cu_context;
typedef struct cu_stream_s *cu_stream; /* NULL is the legacy default stream */
typedef struct cu_event_s *cu_event;
typedef struct cu_module_s *cu_module;
typedef struct cu_function_s *cu_function;
typedef struct nvrtc_program_s *nvrtc_program;
typedef void (*cu_host_fn)(void *data);

/* CUresult values that the runtime acts on; the numbers are cuda.h's. */
enum {
    CU_SUCCESS = 0,
    CU_ERROR_INVALID_VALUE = 1,
    CU_ERROR_OUT_OF_MEMORY = 2,
    CU_ERROR_NOT_INITIALIZED = 3,
    CU_ERROR_DEINITIALIZED = 4,
    CU_ERROR_NO_DEVICE = 100,
    CU_ERROR_INVALID_DEVICE = 101,
    CU_ERROR_INVALID_IMAGE = 200,
    CU_ERROR_INVALID_CONTEXT = 201,
    CU_ERROR_NO_BINARY_FOR_GPU = 209,
    CU_ERROR_INVALID_HANDLE = 400,
    CU_ERROR_NOT_FOUND = 500,
    CU_ERROR_NOT_READY = 600,
    CU_ERROR_LAUNCH_FAILED = 719,
    CU_ERROR_UNKNOWN = 999,
};

/* CUdevice_attribute values the runtime reads. */
enum {
    CU_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 1,
    CU_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
    CU_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
    CU_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
};

enum {
    CU_STREAM_DEFAULT = 0,
    CU_STREAM_NON_BLOCKING = 1,
    CU_EVENT_DEFAULT = 0,
    CU_EVENT_BLOCKING_SYNC = 1,
    CU_EVENT_DISABLE_TIMING = 2,
};

/* X(exported symbol, field, parameters); every row returns cu_result. */
#define CUNA_DRIVER_ROWS(X)                                                                                            \
    X("cuInit", init, (unsigned flags))                                                                                \
    X("cuDriverGetVersion", driver_get_version, (int *version))                                                        \
    X("cuGetErrorName", get_error_name, (cu_result error, const char **text))                                          \
    X("cuGetErrorString", get_error_string, (cu_result error, const char **text))                                      \
    X("cuDeviceGetCount", device_get_count, (int *count))                                                              \
    X("cuDeviceGet", device_get, (cu_device * device, int ordinal))                                                    \
    X("cuDeviceGetName", device_get_name, (char *name, int nbytes, cu_device device))                                  \
    X("cuDeviceGetAttribute", device_get_attribute, (int *value, int attribute, cu_device device))                     \
    X("cuDeviceTotalMem_v2", device_total_mem, (size_t * nbytes, cu_device device))                                    \
    X("cuDevicePrimaryCtxRetain", device_primary_ctx_retain, (cu_context * context, cu_device device))                 \
    X("cuDevicePrimaryCtxRelease_v2", device_primary_ctx_release, (cu_device device))                                  \
    X("cuCtxSetCurrent", ctx_set_current, (cu_context context))                                                        \
    X("cuCtxSynchronize", ctx_synchronize, (void))                                                                     \
    X("cuMemGetInfo_v2", mem_get_info, (size_t * free_nbytes, size_t * total_nbytes))                                  \
    X("cuMemAlloc_v2", mem_alloc, (cu_deviceptr * ptr, size_t nbytes))                                                 \
    X("cuMemFree_v2", mem_free, (cu_deviceptr ptr))                                                                    \
    X("cuMemHostAlloc", mem_host_alloc, (void **ptr, size_t nbytes, unsigned flags))                                   \
    X("cuMemFreeHost", mem_free_host, (void *ptr))                                                                     \
    X("cuMemcpyHtoDAsync_v2", memcpy_htod_async, (cu_deviceptr dst, const void *src, size_t nbytes, cu_stream stream)) \
    X("cuMemcpyDtoHAsync_v2", memcpy_dtoh_async, (void *dst, cu_deviceptr src, size_t nbytes, cu_stream stream))       \
    X("cuMemcpyDtoDAsync_v2", memcpy_dtod_async,                                                                       \
      (cu_deviceptr dst, cu_deviceptr src, size_t nbytes, cu_stream stream))                                           \
    X("cuMemsetD8Async", memset_d8_async, (cu_deviceptr dst, unsigned char value, size_t count, cu_stream stream))     \
    X("cuStreamCreateWithPriority", stream_create_with_priority, (cu_stream * stream, unsigned flags, int priority))   \
    X("cuStreamDestroy_v2", stream_destroy, (cu_stream stream))                                                        \
    X("cuStreamSynchronize", stream_synchronize, (cu_stream stream))                                                   \
    X("cuStreamQuery", stream_query, (cu_stream stream))                                                               \
    X("cuStreamWaitEvent", stream_wait_event, (cu_stream stream, cu_event event, unsigned flags))                      \
    X("cuEventCreate", event_create, (cu_event * event, unsigned flags))                                               \
    X("cuEventDestroy_v2", event_destroy, (cu_event event))                                                            \
    X("cuEventRecord", event_record, (cu_event event, cu_stream stream))                                               \
    X("cuEventQuery", event_query, (cu_event event))                                                                   \
    X("cuEventSynchronize", event_synchronize, (cu_event event))                                                       \
    X("cuEventElapsedTime", event_elapsed_time, (float *ms, cu_event start, cu_event end))                             \
    X("cuLaunchHostFunc", launch_host_func, (cu_stream stream, cu_host_fn fn, void *data))                             \
    X("cuModuleLoadData", module_load_data, (cu_module * module, const void *image))                                   \
    X("cuModuleUnload", module_unload, (cu_module module))                                                             \
    X("cuModuleGetFunction", module_get_function, (cu_function * function, cu_module module, const char *name))        \
    X("cuLaunchKernel", launch_kernel,                                                                                 \
      (cu_function function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,    \
       unsigned block_z, unsigned shared_nbytes, cu_stream stream, void **params, void **extra))                       \
    X("nvrtcVersion", nvrtc_version, (int *major, int *minor))                                                         \
    X("nvrtcCreateProgram", nvrtc_create_program,                                                                      \
      (nvrtc_program * program, const char *source, const char *name, int nheaders, const char *const *headers,        \
       const char *const *include_names))                                                                              \
    X("nvrtcDestroyProgram", nvrtc_destroy_program, (nvrtc_program * program))                                         \
    X("nvrtcCompileProgram", nvrtc_compile_program, (nvrtc_program program, int noptions, const char *const *options)) \
    X("nvrtcGetProgramLogSize", nvrtc_get_program_log_size, (nvrtc_program program, size_t * nbytes))                  \
    X("nvrtcGetProgramLog", nvrtc_get_program_log, (nvrtc_program program, char *log))                                 \
    X("nvrtcGetCUBINSize", nvrtc_get_cubin_size, (nvrtc_program program, size_t * nbytes))                             \
    X("nvrtcGetCUBIN", nvrtc_get_cubin, (nvrtc_program program, char *image))

/* What differs between kinds of device and no row can answer. */
typedef struct cuna_driver_facts {
    const char *kind;          /* "cpu" or "cuda": the first half of a device's public name */
    const char *prelude;       /* kernel text that comes first in every compilation */
    int block_threads;         /* threads of a block in cuna's own kernels */
    int64_t tile_elements;     /* elements one block of an elementwise kernel handles */
    int64_t streaming_nbytes;  /* outputs at least this large are written past the caches; 0: never */
    bool default_memory_limit; /* whether pools start with a limit (the host overcommits) */
    bool host_memory;          /* whether the host may read and write device memory directly */
    const char *remedy;        /* what to do when there is no compiler */
    /* Writes what besides source and options decides the meaning of an image (compiler identity and version, machine
     * architecture): a part of the disk cache's key. Fails with a driver error when there is no compiler. */
    cu_result (*target)(char *text, size_t nbytes, cu_device device);
} cuna_driver_facts;

typedef struct cuna_driver {
    cuna_driver_facts facts;
#define ROW(symbol, field, parameters) cu_result(*field) parameters;
    CUNA_DRIVER_ROWS(ROW)
#undef ROW
} cuna_driver;

/* The table of the cpu device; always there. */
const cuna_driver *cuna__driver_cpu(void);

#endif
