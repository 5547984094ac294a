/* cuda_rows.c: compares seam/driver.h with cuda.h and nvrtc.h; it is compiled, never run.
 *
 * spec/cuda/toolkit_spec.lua takes rows and values out of seam/driver.h and writes three headers for this file:
 *   driver_renames.h   #define N driver_N, for each value N of seam/driver.h
 *   driver_values.h    #undef N, for each of them
 *   driver_rows.h      ROW(function, result, parameters) and VALUE(N, name in cuda.h) for all of them
 * Function types must be compatible once each type of seam/driver.h is read as the type of CUDA's that it stands for; these
 * pairs must have one size and, where C allows it, be one type. */
#include "driver_renames.h"

#include "seam/driver.h"

#include "driver_values.h"

/* Shows the functions under the names that are exported, and earlier versions too. */
#define __CUDA_API_VERSION_INTERNAL
#include <cuda.h>
#include <nvrtc.h>

#define SAME_SIZE(ours, theirs) _Static_assert(sizeof(ours) == sizeof(theirs), #ours " has the size of " #theirs);
#define SAME_TYPE(ours, theirs) \
    _Static_assert(__builtin_types_compatible_p(ours, theirs), #ours " and " #theirs " are compatible");

SAME_SIZE(cu_result, CUresult)
SAME_SIZE(cu_result, nvrtcResult)
SAME_SIZE(int, CUdevice_attribute)
SAME_SIZE(int, CUpointer_attribute)
SAME_SIZE(int, CUfunction_attribute)
SAME_SIZE(int, CUmemPool_attribute)
SAME_SIZE(int, CUmem_advise)
SAME_SIZE(int, CUstreamCaptureMode)
SAME_SIZE(int, CUstreamCaptureStatus)
SAME_SIZE(cu_deviceptr, CUdeviceptr)
_Static_assert((cu_deviceptr)-1 > 0 && (CUdeviceptr)-1 > 0, "addresses are unsigned integers");
SAME_TYPE(cu_device, CUdevice)
SAME_TYPE(cu_host_fn, CUhostFn)
SAME_SIZE(cu_context, CUcontext)
SAME_SIZE(cu_stream, CUstream)
SAME_SIZE(cu_event, CUevent)
SAME_SIZE(cu_module, CUmodule)
SAME_SIZE(cu_function, CUfunction)
SAME_SIZE(cu_mem_pool, CUmemoryPool)
SAME_SIZE(cu_graph, CUgraph)
SAME_SIZE(cu_graph_exec, CUgraphExec)
SAME_SIZE(cu_graph_node, CUgraphNode)
SAME_SIZE(cu_kernel_node_params, CUDA_KERNEL_NODE_PARAMS_v1)
SAME_SIZE(nvrtc_program, nvrtcProgram)

#define SAME_PLACE(ours, theirs)                                                                                  \
    _Static_assert(offsetof(cu_kernel_node_params, ours) == offsetof(CUDA_KERNEL_NODE_PARAMS_v1, theirs) &&       \
                       sizeof((cu_kernel_node_params){0}.ours) == sizeof((CUDA_KERNEL_NODE_PARAMS_v1){0}.theirs), \
                   #ours " has the place and the size of " #theirs);
SAME_PLACE(function, func)
SAME_PLACE(grid_x, gridDimX)
SAME_PLACE(grid_y, gridDimY)
SAME_PLACE(grid_z, gridDimZ)
SAME_PLACE(block_x, blockDimX)
SAME_PLACE(block_y, blockDimY)
SAME_PLACE(block_z, blockDimZ)
SAME_PLACE(shared_nbytes, sharedMemBytes)
SAME_PLACE(params, kernelParams)
SAME_PLACE(extra, extra)

#define cu_result             CUresult
#define cu_device             CUdevice
#define cu_deviceptr          CUdeviceptr
#define cu_context            CUcontext
#define cu_stream             CUstream
#define cu_event              CUevent
#define cu_module             CUmodule
#define cu_function           CUfunction
#define cu_mem_pool           CUmemoryPool
#define cu_graph              CUgraph
#define cu_graph_exec         CUgraphExec
#define cu_graph_node         CUgraphNode
#define cu_kernel_node_params CUDA_KERNEL_NODE_PARAMS_v1
#define nvrtc_program         nvrtcProgram
#define cu_host_fn            CUhostFn

#define ROW(function, result, parameters)                                                 \
    _Static_assert(__builtin_types_compatible_p(__typeof__(function), result parameters), \
                   "the row of " #function " has another signature");
#define VALUE(ours, theirs) _Static_assert((int)driver_##ours == (int)theirs, #ours " is another number than " #theirs);
#include "driver_rows.h"
