/* attributes.c: facts about a device: attributes by name, compute capability, memory, place on the bus.
 *
 * The names are the CUDA runtime's (cudaDevAttr...), which CuPy's Device.attributes has too; attributes that only the
 * driver's header knows are named alike. The numbers are cuda.h's; those it calls deprecated in favour of another are
 * left out. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "device/device.h"

/* X(number, name) */
#define ATTRIBUTE_ROWS(X)                            \
    X(1, MaxThreadsPerBlock)                         \
    X(2, MaxBlockDimX)                               \
    X(3, MaxBlockDimY)                               \
    X(4, MaxBlockDimZ)                               \
    X(5, MaxGridDimX)                                \
    X(6, MaxGridDimY)                                \
    X(7, MaxGridDimZ)                                \
    X(8, MaxSharedMemoryPerBlock)                    \
    X(9, TotalConstantMemory)                        \
    X(10, WarpSize)                                  \
    X(11, MaxPitch)                                  \
    X(12, MaxRegistersPerBlock)                      \
    X(13, ClockRate)                                 \
    X(14, TextureAlignment)                          \
    X(15, GpuOverlap)                                \
    X(16, MultiProcessorCount)                       \
    X(17, KernelExecTimeout)                         \
    X(18, Integrated)                                \
    X(19, CanMapHostMemory)                          \
    X(20, ComputeMode)                               \
    X(21, MaxTexture1DWidth)                         \
    X(22, MaxTexture2DWidth)                         \
    X(23, MaxTexture2DHeight)                        \
    X(24, MaxTexture3DWidth)                         \
    X(25, MaxTexture3DHeight)                        \
    X(26, MaxTexture3DDepth)                         \
    X(27, MaxTexture2DLayeredWidth)                  \
    X(28, MaxTexture2DLayeredHeight)                 \
    X(29, MaxTexture2DLayeredLayers)                 \
    X(30, SurfaceAlignment)                          \
    X(31, ConcurrentKernels)                         \
    X(32, EccEnabled)                                \
    X(33, PciBusId)                                  \
    X(34, PciDeviceId)                               \
    X(35, TccDriver)                                 \
    X(36, MemoryClockRate)                           \
    X(37, GlobalMemoryBusWidth)                      \
    X(38, L2CacheSize)                               \
    X(39, MaxThreadsPerMultiProcessor)               \
    X(40, AsyncEngineCount)                          \
    X(41, UnifiedAddressing)                         \
    X(42, MaxTexture1DLayeredWidth)                  \
    X(43, MaxTexture1DLayeredLayers)                 \
    X(45, MaxTexture2DGatherWidth)                   \
    X(46, MaxTexture2DGatherHeight)                  \
    X(47, MaxTexture3DWidthAlt)                      \
    X(48, MaxTexture3DHeightAlt)                     \
    X(49, MaxTexture3DDepthAlt)                      \
    X(50, PciDomainId)                               \
    X(51, TexturePitchAlignment)                     \
    X(52, MaxTextureCubemapWidth)                    \
    X(53, MaxTextureCubemapLayeredWidth)             \
    X(54, MaxTextureCubemapLayeredLayers)            \
    X(55, MaxSurface1DWidth)                         \
    X(56, MaxSurface2DWidth)                         \
    X(57, MaxSurface2DHeight)                        \
    X(58, MaxSurface3DWidth)                         \
    X(59, MaxSurface3DHeight)                        \
    X(60, MaxSurface3DDepth)                         \
    X(61, MaxSurface1DLayeredWidth)                  \
    X(62, MaxSurface1DLayeredLayers)                 \
    X(63, MaxSurface2DLayeredWidth)                  \
    X(64, MaxSurface2DLayeredHeight)                 \
    X(65, MaxSurface2DLayeredLayers)                 \
    X(66, MaxSurfaceCubemapWidth)                    \
    X(67, MaxSurfaceCubemapLayeredWidth)             \
    X(68, MaxSurfaceCubemapLayeredLayers)            \
    X(69, MaxTexture1DLinearWidth)                   \
    X(70, MaxTexture2DLinearWidth)                   \
    X(71, MaxTexture2DLinearHeight)                  \
    X(72, MaxTexture2DLinearPitch)                   \
    X(73, MaxTexture2DMipmappedWidth)                \
    X(74, MaxTexture2DMipmappedHeight)               \
    X(75, ComputeCapabilityMajor)                    \
    X(76, ComputeCapabilityMinor)                    \
    X(77, MaxTexture1DMipmappedWidth)                \
    X(78, StreamPrioritiesSupported)                 \
    X(79, GlobalL1CacheSupported)                    \
    X(80, LocalL1CacheSupported)                     \
    X(81, MaxSharedMemoryPerMultiprocessor)          \
    X(82, MaxRegistersPerMultiprocessor)             \
    X(83, ManagedMemory)                             \
    X(84, IsMultiGpuBoard)                           \
    X(85, MultiGpuBoardGroupID)                      \
    X(86, HostNativeAtomicSupported)                 \
    X(87, SingleToDoublePrecisionPerfRatio)          \
    X(88, PageableMemoryAccess)                      \
    X(89, ConcurrentManagedAccess)                   \
    X(90, ComputePreemptionSupported)                \
    X(91, CanUseHostPointerForRegisteredMem)         \
    X(95, CooperativeLaunch)                         \
    X(97, MaxSharedMemoryPerBlockOptin)              \
    X(98, CanFlushRemoteWrites)                      \
    X(99, HostRegisterSupported)                     \
    X(100, PageableMemoryAccessUsesHostPageTables)   \
    X(101, DirectManagedMemAccessFromHost)           \
    X(102, VirtualMemoryManagementSupported)         \
    X(103, HandleTypePosixFileDescriptorSupported)   \
    X(106, MaxBlocksPerMultiprocessor)               \
    X(107, GenericCompressionSupported)              \
    X(108, MaxPersistingL2CacheSize)                 \
    X(109, MaxAccessPolicyWindowSize)                \
    X(110, GpuDirectRdmaWithCudaVmmSupported)        \
    X(111, ReservedSharedMemoryPerBlock)             \
    X(112, SparseCudaArraySupported)                 \
    X(113, HostRegisterReadOnlySupported)            \
    X(114, TimelineSemaphoreInteropSupported)        \
    X(115, MemoryPoolsSupported)                     \
    X(116, GPUDirectRDMASupported)                   \
    X(117, GPUDirectRDMAFlushWritesOptions)          \
    X(118, GPUDirectRDMAWritesOrdering)              \
    X(119, MemoryPoolSupportedHandleTypes)           \
    X(120, ClusterLaunch)                            \
    X(121, DeferredMappingCudaArraySupported)        \
    X(122, CanUse64BitStreamMemOps)                  \
    X(123, CanUseStreamWaitValueNor)                 \
    X(124, DmaBufSupported)                          \
    X(125, IpcEventSupport)                          \
    X(126, MemSyncDomainCount)                       \
    X(127, TensorMapAccessSupported)                 \
    X(128, HandleTypeFabricSupported)                \
    X(129, UnifiedFunctionPointers)                  \
    X(130, NumaConfig)                               \
    X(131, NumaId)                                   \
    X(132, MulticastSupported)                       \
    X(133, MpsEnabled)                               \
    X(134, HostNumaId)                               \
    X(135, D3D12CigSupported)                        \
    X(136, MemDecompressAlgorithmMask)               \
    X(137, MemDecompressMaximumLength)               \
    X(138, VulkanCigSupported)                       \
    X(139, GpuPciDeviceId)                           \
    X(140, GpuPciSubsystemId)                        \
    X(141, HostNumaVirtualMemoryManagementSupported) \
    X(142, HostNumaMemoryPoolsSupported)             \
    X(143, HostNumaMultinodeIpcSupported)            \
    X(144, HostMemoryPoolsSupported)                 \
    X(145, HostVirtualMemoryManagementSupported)     \
    X(146, HostAllocDmaBufSupported)                 \
    X(147, OnlyPartialHostNativeAtomicSupported)

static const struct {
    int number;
    const char *name;
} rows[] = {
#define ROW(number, name) {number, #name},
    ATTRIBUTE_ROWS(ROW)
#undef ROW
};

enum { NROWS = sizeof rows / sizeof *rows };

const char *cuna_device_attribute_name(int index)
{
    return index >= 0 && index < NROWS ? rows[index].name : NULL;
}

cuna_status cuna_device_attribute(int *value, cuna_device *device, const char *name)
{
    for (int i = 0; i < NROWS; i++) {
        if (strcmp(rows[i].name, name) != 0)
            continue;
        cu_result result = device->driver->device_get_attribute(value, rows[i].number, device->handle);
        if (result == CU_ERROR_INVALID_VALUE)
            return cuna_fail(CUNA_VALUE, "device %s has no attribute '%s'", device->name, name);
        return cuna__device_check(device, result, "cuDeviceGetAttribute");
    }
    return cuna_fail(CUNA_VALUE, "there is no device attribute '%s'", name);
}

cu_result cuna__device_capability(int *major, int *minor, const cuna_driver *driver, cu_device handle)
{
    cu_result result = driver->device_get_attribute(major, CU_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, handle);
    return result == CU_SUCCESS ? driver->device_get_attribute(minor, CU_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, handle)
                                : result;
}

cuna_status cuna_device_compute_capability(int *major, int *minor, cuna_device *device)
{
    cu_result result = cuna__device_capability(major, minor, device->driver, device->handle);
    if (result == CU_ERROR_INVALID_VALUE)
        return cuna_fail(CUNA_VALUE, "device %s has no compute capability: that is a field of CUDA devices",
                         device->name);
    return cuna__device_check(device, result, "cuDeviceGetAttribute");
}

cuna_status cuna_device_pci_bus_id(char *text, size_t nbytes, cuna_device *device)
{
    cu_result result =
        device->driver->device_get_pci_bus_id(text, (int)cuna__min((int64_t)nbytes, INT_MAX), device->handle);
    if (result == CU_ERROR_NOT_FOUND)
        return cuna_fail(CUNA_VALUE, "device %s has no PCI bus id: that is a field of CUDA devices", device->name);
    return cuna__device_check(device, result, "cuDeviceGetPCIBusId");
}

cuna_status cuna_device_total_memory(int64_t *nbytes, cuna_device *device)
{
    size_t total_nbytes = 0;
    CUNA_TRY(cuna__device_check(device, device->driver->device_total_mem(&total_nbytes, device->handle),
                                "cuDeviceTotalMem"));
    *nbytes = (int64_t)total_nbytes;
    return CUNA_OK;
}

cuna_status cuna_device_memory_info(int64_t *free_nbytes, int64_t *total_nbytes, cuna_device *device)
{
    size_t free_now = 0, total_now = 0;
    CUNA_TRY(cuna__device_enter(device));
    CUNA_TRY(cuna__device_check(device, device->driver->mem_get_info(&free_now, &total_now), "cuMemGetInfo"));
    *free_nbytes = (int64_t)free_now;
    *total_nbytes = (int64_t)total_now;
    return CUNA_OK;
}

cuna_status cuna_device_options(char *text, size_t nbytes, cuna_device *device)
{
    const cuna_target *target;
    CUNA_TRY(cuna__device_target(&target, device));
    size_t length = 0;
    text[0] = '\0';
    for (int i = 0; i < target->noptions && length < nbytes; i++)
        length += (size_t)snprintf(text + length, nbytes - length, "%s%s", i ? " " : "", target->options[i]);
    return CUNA_OK;
}

cuna_status cuna_device_stream_priorities(int *least, int *greatest, cuna_device *device)
{
    CUNA_TRY(cuna__device_enter(device));
    return cuna__device_check(device, device->driver->ctx_get_stream_priority_range(least, greatest),
                              "cuCtxGetStreamPriorityRange");
}
