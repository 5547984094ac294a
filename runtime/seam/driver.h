/* driver.h: the device interface ("the seam"): one table of functions, shaped like the CUDA driver API and NVRTC, from
 * one list of rows.
 *
 * A row is (exported symbol, field, parameters); names, argument order and meanings are CUDA's. driver_cuda fills the
 * table by dlsym; driver_cpu emulates the documented semantics. Code above this header does not know which table it
 * uses: devices differ by facts (struct cuna_driver_facts, or an attribute), never by name.
 *
 * All device work enters through a stream row (launch, copy, set, host function). */
#ifndef CUNA_SEAM_DRIVER_H
#define CUNA_SEAM_DRIVER_H

#include "base/base.h"
#include "base/status.h"

typedef struct cuna_dft cuna_dft; /* dft.h: Fourier transforms */

typedef int cu_result; /* CUresult and nvrtcResult: 0 is success */
typedef int cu_device; /* ordinal of a device within its driver */
typedef uint64_t cu_deviceptr;
typedef struct cu_context_s *cu_context;
typedef struct cu_stream_s *cu_stream; /* NULL is the legacy default stream */
typedef struct cu_event_s *cu_event;
typedef struct cu_module_s *cu_module;
typedef struct cu_function_s *cu_function;
typedef struct cu_mem_pool_s *cu_mem_pool;
typedef struct cu_graph_s *cu_graph;
typedef struct cu_graph_exec_s *cu_graph_exec;
typedef struct cu_graph_node_s *cu_graph_node;
typedef struct cu_array_s *cu_array;      /* texels in a layout of the device's own */
typedef unsigned long long cu_tex_object; /* what kernels get: CUtexObject and CUsurfObject */
typedef struct nvrtc_program_s *nvrtc_program;
typedef void (*cu_host_fn)(void *data);

/* How a node of a graph launches its kernel: cuda.h's CUDA_KERNEL_NODE_PARAMS_v1. */
typedef struct cu_kernel_node_params {
    cu_function function;
    unsigned grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_nbytes;
    void **params, **extra;
} cu_kernel_node_params;

/* How an array of texels is made: cuda.h's CUDA_ARRAY3D_DESCRIPTOR. Lengths in texels; 0 for axes that it lacks. */
typedef struct cu_array_desc {
    size_t width, height, depth;
    int format;
    unsigned channels, flags;
} cu_array_desc;

/* What a texture or surface object is over: CUDA_RESOURCE_DESC. */
typedef struct cu_resource_desc {
    int type;
    union {
        cu_array array;
        struct {
            cu_deviceptr ptr;
            int format;
            unsigned channels;
            size_t nbytes;
        } linear;
        struct {
            cu_deviceptr ptr;
            int format;
            unsigned channels;
            size_t width, height, pitch_nbytes;
        } pitch;
        int reserved[32];
    } of;
    unsigned flags; /* 0 */
} cu_resource_desc;

/* How a texture object reads: CUDA_TEXTURE_DESC. */
typedef struct cu_texture_desc {
    int address[3], filter;
    unsigned flags, max_anisotropy;
    int mipmap_filter;
    float mipmap_bias, mipmap_least, mipmap_most;
    float border[4];
    int reserved[12];
} cu_texture_desc;

/* By what another process finds memory: cuda.h's CUipcMemHandle. */
typedef struct cu_ipc_handle {
    char bytes[64];
} cu_ipc_handle;

/* One side of a copy of up to three axes; `memory` is a CUmemorytype. Offsets, lengths of rows and rows of a slice. */
typedef struct cu_copy_side {
    size_t x_nbytes, y, z, lod;
    int memory;
    const void *host;
    cu_deviceptr ptr;
    cu_array array;
    void *reserved;
    size_t pitch_nbytes, height; /* of memory without a layout of its own */
} cu_copy_side;

/* CUDA_MEMCPY3D. */
typedef struct cu_copy {
    cu_copy_side src, dst;
    size_t width_nbytes, height, depth;
} cu_copy;

struct cuna_blas;

/* CUresult values that the runtime tests; the numbers are cuda.h's. */
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
    CU_ERROR_ECC_UNCORRECTABLE = 214,
    CU_ERROR_UNSUPPORTED_PTX_VERSION = 222,
    CU_ERROR_CONTAINED = 226,
    CU_ERROR_OPERATING_SYSTEM = 304,
    CU_ERROR_INVALID_HANDLE = 400,
    CU_ERROR_ILLEGAL_STATE = 401,
    CU_ERROR_NOT_FOUND = 500,
    CU_ERROR_NOT_READY = 600,
    CU_ERROR_ILLEGAL_ADDRESS = 700,
    CU_ERROR_LAUNCH_OUT_OF_RESOURCES = 701,
    CU_ERROR_LAUNCH_TIMEOUT = 702,
    CU_ERROR_PEER_ACCESS_ALREADY_ENABLED = 704,
    CU_ERROR_CONTEXT_IS_DESTROYED = 709,
    CU_ERROR_ASSERT = 710,
    CU_ERROR_HARDWARE_STACK_ERROR = 714,
    CU_ERROR_ILLEGAL_INSTRUCTION = 715,
    CU_ERROR_MISALIGNED_ADDRESS = 716,
    CU_ERROR_INVALID_ADDRESS_SPACE = 717,
    CU_ERROR_INVALID_PC = 718,
    CU_ERROR_LAUNCH_FAILED = 719,
    CU_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE = 720,
    CU_ERROR_TENSOR_MEMORY_LEAK = 721,
    CU_ERROR_MPS_CLIENT_TERMINATED = 810,
    CU_ERROR_NOT_SUPPORTED = 801,
    CU_ERROR_STREAM_CAPTURE_UNSUPPORTED = 900,
    CU_ERROR_STREAM_CAPTURE_INVALIDATED = 901,
    CU_ERROR_STREAM_CAPTURE_MERGE = 902,
    CU_ERROR_STREAM_CAPTURE_UNMATCHED = 903,
    CU_ERROR_STREAM_CAPTURE_UNJOINED = 904,
    CU_ERROR_STREAM_CAPTURE_ISOLATION = 905,
    CU_ERROR_STREAM_CAPTURE_IMPLICIT = 906,
    CU_ERROR_CAPTURED_EVENT = 907,
    CU_ERROR_STREAM_CAPTURE_WRONG_THREAD = 908,
    CU_ERROR_EXTERNAL_DEVICE = 911,
    CU_ERROR_UNKNOWN = 999,
    CUNA_ERROR_INTERRUPTED =
        100720, /* a launch that the user interrupted (base/interrupt.h); CUDA has no such result */
};

/* CUdevice_attribute values the runtime reads. */
enum {
    CU_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 1,
    CU_ATTRIBUTE_TEXTURE_ALIGNMENT = 14,
    CU_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
    CU_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT = 51,
    CU_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
    CU_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
    CU_ATTRIBUTE_COOPERATIVE_LAUNCH = 95,
    CU_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97,
};

/* CUfunction_attribute values the runtime reads and sets. */
enum {
    CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 0,
    CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES = 1,
    CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES = 2,
    CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES = 3,
    CU_FUNC_ATTRIBUTE_NUM_REGS = 4,
    CU_FUNC_ATTRIBUTE_PTX_VERSION = 5,
    CU_FUNC_ATTRIBUTE_BINARY_VERSION = 6,
    CU_FUNC_ATTRIBUTE_CACHE_MODE_CA = 7,
    CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8,
    CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT = 9,
};

/* CUpointer_attribute and CUmemorytype values the runtime reads. */
enum {
    CU_POINTER_ATTRIBUTE_MEMORY_TYPE = 2,
    CU_MEMORYTYPE_HOST = 1,
    CU_MEMORYTYPE_DEVICE = 2,
    CU_MEMORYTYPE_ARRAY = 3,
};

/* Texels, and how textures read them. */
enum {
    CU_AD_FORMAT_UNSIGNED_INT8 = 1,
    CU_AD_FORMAT_UNSIGNED_INT16 = 2,
    CU_AD_FORMAT_UNSIGNED_INT32 = 3,
    CU_AD_FORMAT_SIGNED_INT8 = 8,
    CU_AD_FORMAT_SIGNED_INT16 = 9,
    CU_AD_FORMAT_SIGNED_INT32 = 10,
    CU_AD_FORMAT_HALF = 16,
    CU_AD_FORMAT_FLOAT = 32,
    CU_RESOURCE_TYPE_ARRAY = 0,
    CU_RESOURCE_TYPE_LINEAR = 2,
    CU_RESOURCE_TYPE_PITCH2D = 3,
    CU_TR_ADDRESS_MODE_WRAP = 0,
    CU_TR_ADDRESS_MODE_CLAMP = 1,
    CU_TR_ADDRESS_MODE_MIRROR = 2,
    CU_TR_ADDRESS_MODE_BORDER = 3,
    CU_TR_FILTER_MODE_POINT = 0,
    CU_TR_FILTER_MODE_LINEAR = 1,
};

/* Their flags: macros in cuda.h. */
enum {
    CUNA_ARRAY_LAYERED = 1,
    CUNA_ARRAY_SURFACE = 2,
    CUNA_ARRAY_GATHER = 8,
    CUNA_TEXTURE_AS_INTEGER = 1,
    CUNA_TEXTURE_NORMALIZED = 2,
    CUNA_TEXTURE_SRGB = 16,
};

enum {
    CU_STREAM_DEFAULT = 0,
    CU_STREAM_NON_BLOCKING = 1,
    CU_EVENT_DEFAULT = 0,
    CU_EVENT_BLOCKING_SYNC = 1,
    CU_EVENT_DISABLE_TIMING = 2,
    CU_EVENT_INTERPROCESS = 4,
    CU_MEMHOSTALLOC_PORTABLE = 1,
    CU_MEM_ATTACH_GLOBAL = 1,
    CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS = 1,
    CU_MEM_ATTACH_HOST = 2,
    CU_STREAM_CAPTURE_MODE_GLOBAL = 0,
    CU_STREAM_CAPTURE_MODE_THREAD_LOCAL = 1,
    CU_STREAM_CAPTURE_MODE_RELAXED = 2,
    CU_STREAM_CAPTURE_STATUS_NONE = 0,
    CU_STREAM_CAPTURE_STATUS_ACTIVE = 1,
    CU_STREAM_CAPTURE_STATUS_INVALIDATED = 2,
    CU_MEMPOOL_ATTR_RELEASE_THRESHOLD = 4,
    CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT = 5,
    CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH = 6,
    CU_MEMPOOL_ATTR_USED_MEM_CURRENT = 7,
    CU_MEMPOOL_ATTR_USED_MEM_HIGH = 8,
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
    X("cuDeviceGetPCIBusId", device_get_pci_bus_id, (char *id, int nbytes, cu_device device))                          \
    X("cuDeviceTotalMem_v2", device_total_mem, (size_t * nbytes, cu_device device))                                    \
    X("cuDevicePrimaryCtxRetain", device_primary_ctx_retain, (cu_context * context, cu_device device))                 \
    X("cuDevicePrimaryCtxRelease_v2", device_primary_ctx_release, (cu_device device))                                  \
    X("cuCtxGetCurrent", ctx_get_current, (cu_context * context))                                                      \
    X("cuCtxSetCurrent", ctx_set_current, (cu_context context))                                                        \
    X("cuCtxSynchronize", ctx_synchronize, (void))                                                                     \
    X("cuDeviceCanAccessPeer", device_can_access_peer, (int *answer, cu_device device, cu_device peer))                \
    X("cuCtxEnablePeerAccess", ctx_enable_peer_access, (cu_context peer, unsigned flags))                              \
    X("cuMemGetInfo_v2", mem_get_info, (size_t * free_nbytes, size_t * total_nbytes))                                  \
    X("cuMemAlloc_v2", mem_alloc, (cu_deviceptr * ptr, size_t nbytes))                                                 \
    X("cuMemFree_v2", mem_free, (cu_deviceptr ptr))                                                                    \
    X("cuIpcGetMemHandle", ipc_get_mem_handle, (cu_ipc_handle * handle, cu_deviceptr ptr))                             \
    X("cuIpcOpenMemHandle_v2", ipc_open_mem_handle, (cu_deviceptr * ptr, cu_ipc_handle handle, unsigned flags))        \
    X("cuIpcCloseMemHandle", ipc_close_mem_handle, (cu_deviceptr ptr))                                                 \
    X("cuMemAllocManaged", mem_alloc_managed, (cu_deviceptr * ptr, size_t nbytes, unsigned flags))                     \
    X("cuMemAllocAsync", mem_alloc_async, (cu_deviceptr * ptr, size_t nbytes, cu_stream stream))                       \
    X("cuMemFreeAsync", mem_free_async, (cu_deviceptr ptr, cu_stream stream))                                          \
    X("cuDeviceGetDefaultMemPool", device_get_default_mem_pool, (cu_mem_pool * pool, cu_device device))                \
    X("cuMemPoolGetAttribute", mem_pool_get_attribute, (cu_mem_pool pool, int attribute, void *value))                 \
    X("cuMemPoolSetAttribute", mem_pool_set_attribute, (cu_mem_pool pool, int attribute, void *value))                 \
    X("cuMemPoolTrimTo", mem_pool_trim_to, (cu_mem_pool pool, size_t keep_nbytes))                                     \
    X("cuMemPrefetchAsync", mem_prefetch_async, (cu_deviceptr ptr, size_t nbytes, cu_device device, cu_stream stream)) \
    X("cuMemAdvise", mem_advise, (cu_deviceptr ptr, size_t nbytes, int advice, cu_device device))                      \
    X("cuMemHostAlloc", mem_host_alloc, (void **ptr, size_t nbytes, unsigned flags))                                   \
    X("cuMemFreeHost", mem_free_host, (void *ptr))                                                                     \
    X("cuMemcpyHtoDAsync_v2", memcpy_htod_async, (cu_deviceptr dst, const void *src, size_t nbytes, cu_stream stream)) \
    X("cuMemcpyDtoHAsync_v2", memcpy_dtoh_async, (void *dst, cu_deviceptr src, size_t nbytes, cu_stream stream))       \
    X("cuMemcpyDtoDAsync_v2", memcpy_dtod_async,                                                                       \
      (cu_deviceptr dst, cu_deviceptr src, size_t nbytes, cu_stream stream))                                           \
    X("cuMemcpyPeerAsync", memcpy_peer_async,                                                                          \
      (cu_deviceptr dst, cu_context dst_context, cu_deviceptr src, cu_context src_context, size_t nbytes,              \
       cu_stream stream))                                                                                              \
    X("cuPointerGetAttributes", pointer_get_attributes,                                                                \
      (unsigned count, int *attributes, void **values, cu_deviceptr ptr))                                              \
    X("cuMemsetD8Async", memset_d8_async, (cu_deviceptr dst, unsigned char value, size_t count, cu_stream stream))     \
    X("cuArray3DCreate_v2", array_create, (cu_array * array, const cu_array_desc *desc))                               \
    X("cuArrayDestroy", array_destroy, (cu_array array))                                                               \
    X("cuMemcpy3DAsync_v2", memcpy_3d_async, (const cu_copy *copy, cu_stream stream))                                  \
    X("cuTexObjectCreate", tex_object_create,                                                                          \
      (cu_tex_object * object, const cu_resource_desc *resource, const cu_texture_desc *texture, const void *view))    \
    X("cuTexObjectDestroy", tex_object_destroy, (cu_tex_object object))                                                \
    X("cuSurfObjectCreate", surf_object_create, (cu_tex_object * object, const cu_resource_desc *resource))            \
    X("cuSurfObjectDestroy", surf_object_destroy, (cu_tex_object object))                                              \
    X("cuCtxGetStreamPriorityRange", ctx_get_stream_priority_range, (int *least, int *greatest))                       \
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
    X("cuStreamBeginCapture_v2", stream_begin_capture, (cu_stream stream, int mode))                                   \
    X("cuStreamEndCapture", stream_end_capture, (cu_stream stream, cu_graph * graph))                                  \
    X("cuStreamIsCapturing", stream_is_capturing, (cu_stream stream, int *status))                                     \
    X("cuStreamGetCaptureInfo_v2", stream_get_capture_info,                                                            \
      (cu_stream stream, int *status, uint64_t *id, cu_graph *graph, const cu_graph_node **last, size_t *count))       \
    X("cuGraphInstantiateWithFlags", graph_instantiate,                                                                \
      (cu_graph_exec * exec, cu_graph graph, unsigned long long flags))                                                \
    X("cuGraphExecKernelNodeSetParams", graph_exec_kernel_node_set_params,                                             \
      (cu_graph_exec exec, cu_graph_node node, const cu_kernel_node_params *params))                                   \
    X("cuGraphUpload", graph_upload, (cu_graph_exec exec, cu_stream stream))                                           \
    X("cuGraphLaunch", graph_launch, (cu_graph_exec exec, cu_stream stream))                                           \
    X("cuGraphExecDestroy", graph_exec_destroy, (cu_graph_exec exec))                                                  \
    X("cuGraphDestroy", graph_destroy, (cu_graph graph))                                                               \
    X("cuModuleLoadData", module_load_data, (cu_module * module, const void *image))                                   \
    X("cuModuleUnload", module_unload, (cu_module module))                                                             \
    X("cuModuleGetFunction", module_get_function, (cu_function * function, cu_module module, const char *name))        \
    X("cuLaunchKernel", launch_kernel,                                                                                 \
      (cu_function function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,    \
       unsigned block_z, unsigned shared_nbytes, cu_stream stream, void **params, void **extra))                       \
    X("cuLaunchCooperativeKernel", launch_cooperative_kernel,                                                          \
      (cu_function function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,    \
       unsigned block_z, unsigned shared_nbytes, cu_stream stream, void **params))                                     \
    X("cuFuncGetAttribute", func_get_attribute, (int *value, int attribute, cu_function function))                     \
    X("cuFuncSetAttribute", func_set_attribute, (cu_function function, int attribute, int value))                      \
    X("cuFuncGetParamInfo", func_get_param_info,                                                                       \
      (cu_function function, size_t index, size_t * offset, size_t * nbytes))                                          \
    X("cuModuleGetGlobal_v2", module_get_global,                                                                       \
      (cu_deviceptr * ptr, size_t * nbytes, cu_module module, const char *name))                                       \
    X("nvrtcVersion", nvrtc_version, (int *major, int *minor))                                                         \
    X("nvrtcGetNumSupportedArchs", nvrtc_get_num_supported_archs, (int *count))                                        \
    X("nvrtcGetSupportedArchs", nvrtc_get_supported_archs, (int *archs))                                               \
    X("nvrtcCreateProgram", nvrtc_create_program,                                                                      \
      (nvrtc_program * program, const char *source, const char *name, int nheaders, const char *const *headers,        \
       const char *const *include_names))                                                                              \
    X("nvrtcDestroyProgram", nvrtc_destroy_program, (nvrtc_program * program))                                         \
    X("nvrtcAddNameExpression", nvrtc_add_name_expression, (nvrtc_program program, const char *expression))            \
    X("nvrtcGetLoweredName", nvrtc_get_lowered_name,                                                                   \
      (nvrtc_program program, const char *expression, const char **name))                                              \
    X("nvrtcSetFlowCallback", nvrtc_set_flow_callback,                                                                 \
      (nvrtc_program program, int (*is_ended)(void *payload, void *reserved), void *payload))                          \
    X("nvrtcCompileProgram", nvrtc_compile_program, (nvrtc_program program, int noptions, const char *const *options)) \
    X("nvrtcGetProgramLogSize", nvrtc_get_program_log_size, (nvrtc_program program, size_t * nbytes))                  \
    X("nvrtcGetProgramLog", nvrtc_get_program_log, (nvrtc_program program, char *log))                                 \
    X("nvrtcGetCUBINSize", nvrtc_get_cubin_size, (nvrtc_program program, size_t * nbytes))                             \
    X("nvrtcGetCUBIN", nvrtc_get_cubin, (nvrtc_program program, char *image))                                          \
    X("nvrtcGetPTXSize", nvrtc_get_ptx_size, (nvrtc_program program, size_t * nbytes))                                 \
    X("nvrtcGetPTX", nvrtc_get_ptx, (nvrtc_program program, char *image))

/* How a device's kernels are compiled. */
typedef struct cuna_target {
    char text[8192]; /* everything besides source that determines an image: compiler, version, architecture, options */
    const char *options[8]; /* for nvrtcCompileProgram; they point into static memory or into `room` */
    char room[64];
    int noptions;     /* the first ones, for texts that users wrote parts of */
    int nown_options; /* all, for texts that are cuna's alone */
    bool is_ptx;      /* the image is PTX, which the driver compiles when it loads it */
} cuna_target;

/* Whose header has a name that several have. */
typedef enum cuna_header_kind {
    CUNA_HEADER_REPLACED, /* the toolkit's, if there is one */
    CUNA_HEADER_OF_C,     /* not the toolkit's; compilers for hosts have their own */
    CUNA_HEADER_OURS,     /* not the toolkit's */
} cuna_header_kind;

/* A header that sources may include by its name, without a file. */
typedef struct cuna_header {
    const char *name;
    const char *const *texts; /* concatenated; NULL ends them; NULL: its declarations are always available */
    cuna_header_kind kind;
} cuna_header;

struct cuna_lapack;

/* Differences between kinds of device that rows cannot report. */
typedef struct cuna_driver_facts {
    const char *kind;                  /* "cpu" or "cuda": the first half of a device's public name */
    const char *const *preludes;       /* kernel texts that come first in every compilation; NULL ends them */
    const char *const *text_preludes;  /* the same for programs with a user's text, which has CUDA's vocabulary */
    const char *const *raw_preludes;   /* those of raw kernels (raw.c), which have name expressions */
    const cuna_header *const *headers; /* of users' texts, for nvrtcCreateProgram; a NULL name ends each list, NULL the
                                        * lists. NULL: it has its own */
    const char *const *header_folders; /* of headers that replace those and serve further names; NULL ends them */
    int lanes; /* threads of a block in cuna's built-in kernels; 1 and more use different templates and partitions */
    int vector_nbytes;              /* the widest access of one lane; 0: elements are accessed one by one */
    int parameter_nbytes;           /* of a kernel's arguments at most; 0: no limit */
    int64_t tile_elements;          /* elements one block of one lane handles in an elementwise kernel */
    int64_t streaming_nbytes;       /* outputs at least this large bypass the caches; 0: never */
    int64_t garbage_nbytes;         /* of arrays that nobody uses any more: so many cost the device little, */
    double garbage_s;               /* and as many again what a collection may cost the host's thread */
    int oldest_capability;          /* required of devices: 70 for 7.0; 0: any */
    int64_t record_limit;           /* bytes of a result from which an operation is worth recording */
    bool default_memory_limit;      /* whether pools start with a limit (the host overcommits) */
    bool host_memory;               /* whether the host may read and write device memory directly */
    bool asynchronous;              /* rows return before their work is done; later rows may report its failure */
    bool interprets;                /* loads images that name loops (loop_image.h) */
    bool forks;                     /* usable in the child of a fork */
    int compile_threads;            /* that compile at once at most; 0: as many as there are processors */
    const char *remedy;             /* what to do when there is no compiler */
    void (*set_threads)(int count); /* of the host, that blocks are shared among; NULL where it has none */
    /* Does items [0, count) of work for the host on its threads, in pieces of `chunk`: cpu/execute/threads.h. */
    void (*share_work)(void (*fn)(void *data, int64_t first, int64_t last), void *data, int64_t count, int64_t chunk);
    bool dft_is_own; /* whether Fourier transforms extend cuFFT's: see dft.h */
    /* Describes how kernels are compiled for a device. NOT_FOUND without a compiler. */
    cu_result (*target)(cuna_target *out, cu_device device);
    const struct cuna_blas *blas;     /* the device's table for products of matrices (blas.h) */
    const struct cuna_lapack *lapack; /* the same for factorisations (lapack.h) */
    /* The table of Fourier transforms for devices of this driver. DEVICE with the reason if there is none. */
    cuna_status (*dft)(const cuna_dft **out);
} cuna_driver_facts;

typedef struct cuna_driver {
    cuna_driver_facts facts;
#define ROW(symbol, field, parameters) cu_result(*field) parameters;
    CUNA_DRIVER_ROWS(ROW)
#undef ROW
} cuna_driver;

/* The table of the cpu device; always available. */
const cuna_driver *cuna__driver_cpu(void);

/* The table of CUDA devices; the first call loads libcuda and NVRTC, which stay loaded. DEVICE with the names that were
 * searched for if there is no usable libcuda; without NVRTC `target` returns NOT_FOUND. */
cuna_status cuna__driver_cuda(const cuna_driver **out);

/* Fills in the facts and the NVRTC rows of the table of CUDA devices, for which libcuda is not needed. Without NVRTC
 * its rows return NOT_FOUND, and the fact `remedy` has the names that were searched for. */
void cuna__driver_cuda_compiler(cuna_driver *out);

/* The table of devices that only compile, for CUDA devices of an architecture: the ordinal is the capability (90). The
 * first call loads NVRTC. VALUE with a text that ends a line if NVRTC does not support the architecture, COMPILE
 * without NVRTC. */
cuna_status cuna__driver_pack(const cuna_driver **out, int capability);

/* Describes the libraries and tools of a table, for display: calls emit(data, name, value) for each fact. The names are
 * "library" (of the driver), "version", "compiler", "compiler_version", "instructions", "threads", "fft"; "missing" and
 * "fft_missing" are lines about missing libraries, "remedy" how to install a missing compiler. */
void cuna__driver_cpu_describe(void (*emit)(void *data, const char *name, const char *value), void *data);
void cuna__driver_cuda_describe(void (*emit)(void *data, const char *name, const char *value), void *data);

#endif
