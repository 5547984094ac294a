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
SAME_SIZE(cu_array, CUarray)
SAME_TYPE(cu_tex_object, CUtexObject)
SAME_TYPE(cu_tex_object, CUsurfObject)
SAME_SIZE(cu_array_desc, CUDA_ARRAY3D_DESCRIPTOR)
SAME_SIZE(cu_resource_desc, CUDA_RESOURCE_DESC)
SAME_SIZE(cu_texture_desc, CUDA_TEXTURE_DESC)
SAME_SIZE(cu_copy, CUDA_MEMCPY3D)
SAME_SIZE(cu_ipc_handle, CUipcMemHandle)
SAME_SIZE(cu_kernel_node_params, CUDA_KERNEL_NODE_PARAMS_v1)
SAME_SIZE(nvrtc_program, nvrtcProgram)

#define SAME_PLACE(struct_, theirs_, ours, theirs)                                                           \
    _Static_assert(offsetof(struct_, ours) == offsetof(theirs_, theirs) &&                                   \
                       sizeof((struct_){0}.ours) == sizeof((theirs_){0}.theirs),                             \
                   #ours " has the place and the size of " #theirs);
SAME_PLACE(cu_kernel_node_params, CUDA_KERNEL_NODE_PARAMS_v1, function, func)
SAME_PLACE(cu_kernel_node_params, CUDA_KERNEL_NODE_PARAMS_v1, grid_x, gridDimX)
SAME_PLACE(cu_kernel_node_params, CUDA_KERNEL_NODE_PARAMS_v1, grid_y, gridDimY)
SAME_PLACE(cu_kernel_node_params, CUDA_KERNEL_NODE_PARAMS_v1, grid_z, gridDimZ)
SAME_PLACE(cu_kernel_node_params, CUDA_KERNEL_NODE_PARAMS_v1, block_x, blockDimX)
SAME_PLACE(cu_kernel_node_params, CUDA_KERNEL_NODE_PARAMS_v1, block_y, blockDimY)
SAME_PLACE(cu_kernel_node_params, CUDA_KERNEL_NODE_PARAMS_v1, block_z, blockDimZ)
SAME_PLACE(cu_kernel_node_params, CUDA_KERNEL_NODE_PARAMS_v1, shared_nbytes, sharedMemBytes)
SAME_PLACE(cu_kernel_node_params, CUDA_KERNEL_NODE_PARAMS_v1, params, kernelParams)
SAME_PLACE(cu_kernel_node_params, CUDA_KERNEL_NODE_PARAMS_v1, extra, extra)
SAME_PLACE(cu_array_desc, CUDA_ARRAY3D_DESCRIPTOR, width, Width)
SAME_PLACE(cu_array_desc, CUDA_ARRAY3D_DESCRIPTOR, height, Height)
SAME_PLACE(cu_array_desc, CUDA_ARRAY3D_DESCRIPTOR, depth, Depth)
SAME_PLACE(cu_array_desc, CUDA_ARRAY3D_DESCRIPTOR, format, Format)
SAME_PLACE(cu_array_desc, CUDA_ARRAY3D_DESCRIPTOR, channels, NumChannels)
SAME_PLACE(cu_array_desc, CUDA_ARRAY3D_DESCRIPTOR, flags, Flags)
SAME_PLACE(cu_resource_desc, CUDA_RESOURCE_DESC, type, resType)
SAME_PLACE(cu_resource_desc, CUDA_RESOURCE_DESC, of, res)
SAME_PLACE(cu_resource_desc, CUDA_RESOURCE_DESC, of.array, res.array.hArray)
SAME_PLACE(cu_resource_desc, CUDA_RESOURCE_DESC, of.linear.ptr, res.linear.devPtr)
SAME_PLACE(cu_resource_desc, CUDA_RESOURCE_DESC, of.linear.format, res.linear.format)
SAME_PLACE(cu_resource_desc, CUDA_RESOURCE_DESC, of.linear.channels, res.linear.numChannels)
SAME_PLACE(cu_resource_desc, CUDA_RESOURCE_DESC, of.linear.nbytes, res.linear.sizeInBytes)
SAME_PLACE(cu_resource_desc, CUDA_RESOURCE_DESC, of.pitch.ptr, res.pitch2D.devPtr)
SAME_PLACE(cu_resource_desc, CUDA_RESOURCE_DESC, of.pitch.format, res.pitch2D.format)
SAME_PLACE(cu_resource_desc, CUDA_RESOURCE_DESC, of.pitch.channels, res.pitch2D.numChannels)
SAME_PLACE(cu_resource_desc, CUDA_RESOURCE_DESC, of.pitch.width, res.pitch2D.width)
SAME_PLACE(cu_resource_desc, CUDA_RESOURCE_DESC, of.pitch.height, res.pitch2D.height)
SAME_PLACE(cu_resource_desc, CUDA_RESOURCE_DESC, of.pitch.pitch_nbytes, res.pitch2D.pitchInBytes)
SAME_PLACE(cu_resource_desc, CUDA_RESOURCE_DESC, flags, flags)
SAME_PLACE(cu_texture_desc, CUDA_TEXTURE_DESC, address, addressMode)
SAME_PLACE(cu_texture_desc, CUDA_TEXTURE_DESC, filter, filterMode)
SAME_PLACE(cu_texture_desc, CUDA_TEXTURE_DESC, flags, flags)
SAME_PLACE(cu_texture_desc, CUDA_TEXTURE_DESC, max_anisotropy, maxAnisotropy)
SAME_PLACE(cu_texture_desc, CUDA_TEXTURE_DESC, mipmap_filter, mipmapFilterMode)
SAME_PLACE(cu_texture_desc, CUDA_TEXTURE_DESC, mipmap_bias, mipmapLevelBias)
SAME_PLACE(cu_texture_desc, CUDA_TEXTURE_DESC, mipmap_least, minMipmapLevelClamp)
SAME_PLACE(cu_texture_desc, CUDA_TEXTURE_DESC, mipmap_most, maxMipmapLevelClamp)
SAME_PLACE(cu_texture_desc, CUDA_TEXTURE_DESC, border, borderColor)
SAME_PLACE(cu_copy, CUDA_MEMCPY3D, src.x_nbytes, srcXInBytes)
SAME_PLACE(cu_copy, CUDA_MEMCPY3D, src.y, srcY)
SAME_PLACE(cu_copy, CUDA_MEMCPY3D, src.z, srcZ)
SAME_PLACE(cu_copy, CUDA_MEMCPY3D, src.lod, srcLOD)
SAME_PLACE(cu_copy, CUDA_MEMCPY3D, src.memory, srcMemoryType)
SAME_PLACE(cu_copy, CUDA_MEMCPY3D, src.host, srcHost)
SAME_PLACE(cu_copy, CUDA_MEMCPY3D, src.ptr, srcDevice)
SAME_PLACE(cu_copy, CUDA_MEMCPY3D, src.array, srcArray)
SAME_PLACE(cu_copy, CUDA_MEMCPY3D, src.pitch_nbytes, srcPitch)
SAME_PLACE(cu_copy, CUDA_MEMCPY3D, src.height, srcHeight)
SAME_PLACE(cu_copy, CUDA_MEMCPY3D, dst.x_nbytes, dstXInBytes)
SAME_PLACE(cu_copy, CUDA_MEMCPY3D, dst.y, dstY)
SAME_PLACE(cu_copy, CUDA_MEMCPY3D, dst.z, dstZ)
SAME_PLACE(cu_copy, CUDA_MEMCPY3D, dst.lod, dstLOD)
SAME_PLACE(cu_copy, CUDA_MEMCPY3D, dst.memory, dstMemoryType)
SAME_PLACE(cu_copy, CUDA_MEMCPY3D, dst.host, dstHost)
SAME_PLACE(cu_copy, CUDA_MEMCPY3D, dst.ptr, dstDevice)
SAME_PLACE(cu_copy, CUDA_MEMCPY3D, dst.array, dstArray)
SAME_PLACE(cu_copy, CUDA_MEMCPY3D, dst.pitch_nbytes, dstPitch)
SAME_PLACE(cu_copy, CUDA_MEMCPY3D, dst.height, dstHeight)
SAME_PLACE(cu_copy, CUDA_MEMCPY3D, width_nbytes, WidthInBytes)
SAME_PLACE(cu_copy, CUDA_MEMCPY3D, height, Height)
SAME_PLACE(cu_copy, CUDA_MEMCPY3D, depth, Depth)

#define SAME_FLAG(ours, theirs) _Static_assert((int)ours == (int)theirs, #ours " is another number than " #theirs);
SAME_FLAG(CUNA_ARRAY_LAYERED, CUDA_ARRAY3D_LAYERED)
SAME_FLAG(CUNA_ARRAY_SURFACE, CUDA_ARRAY3D_SURFACE_LDST)
SAME_FLAG(CUNA_ARRAY_GATHER, CUDA_ARRAY3D_TEXTURE_GATHER)
SAME_FLAG(CUNA_TEXTURE_AS_INTEGER, CU_TRSF_READ_AS_INTEGER)
SAME_FLAG(CUNA_TEXTURE_NORMALIZED, CU_TRSF_NORMALIZED_COORDINATES)
SAME_FLAG(CUNA_TEXTURE_SRGB, CU_TRSF_SRGB)

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
#define cu_array              CUarray
#define cu_array_desc         CUDA_ARRAY3D_DESCRIPTOR
#define cu_copy               CUDA_MEMCPY3D
#define cu_ipc_handle         CUipcMemHandle
#define cu_resource_desc      CUDA_RESOURCE_DESC
#define cu_texture_desc       CUDA_TEXTURE_DESC
#define nvrtc_program         nvrtcProgram
#define cu_host_fn            CUhostFn

#define ROW(function, result, parameters)                                                 \
    _Static_assert(__builtin_types_compatible_p(__typeof__(function), result parameters), \
                   "the row of " #function " has another signature");
#define VALUE(ours, theirs) _Static_assert((int)driver_##ours == (int)theirs, #ours " is another number than " #theirs);
#include "driver_rows.h"
