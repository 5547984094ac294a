---@meta _
-- Made by `make docs` from the comments in lua/cuna/, for editors: nothing loads this file.
-- CUDA's runtime by CuPy's names.

---@class cuna.cuda
local cuda = {}

--- The constants of CUDA's runtime, by CuPy's names. Functions take cuna's objects where CuPy has handles as integers:
--- a stream instead of `stream.ptr`, a pointer of cn.cuda.malloc instead of an address. Errors are messages with the
--- word DeviceError or OutOfMemoryError, which pcall returns, instead of CUDARuntimeError. Follows cupy.cuda.runtime.
---@class cuna.cuda.runtime
---@field memcpyHostToHost integer
---@field memcpyHostToDevice integer
---@field memcpyDeviceToHost integer
---@field memcpyDeviceToDevice integer
---@field memcpyDefault integer
---@field streamDefault integer
---@field streamNonBlocking integer
---@field eventDefault integer
---@field eventBlockingSync integer
---@field eventDisableTiming integer
---@field eventInterprocess integer
---@field cudaSuccess integer
---@field cudaErrorNotReady integer what streamQuery and eventQuery return while there is work
---@field cudaChannelFormatKindSigned integer
---@field cudaChannelFormatKindUnsigned integer
---@field cudaChannelFormatKindFloat integer
---@field cudaResourceTypeArray integer
---@field cudaResourceTypeLinear integer
---@field cudaResourceTypePitch2D integer
---@field cudaAddressModeWrap integer
---@field cudaAddressModeClamp integer
---@field cudaAddressModeMirror integer
---@field cudaAddressModeBorder integer
---@field cudaFilterModePoint integer
---@field cudaFilterModeLinear integer
---@field cudaReadModeElementType integer
---@field cudaReadModeNormalizedFloat integer
---@field cudaArrayDefault integer
---@field cudaArrayLayered integer
---@field cudaArraySurfaceLoadStore integer
---@field cudaArrayTextureGather integer
local runtime = {}

--- The newest version of CUDA that the driver supports: 12080 is 12.8. An error without a driver. Follows
--- cupy.cuda.runtime.driverGetVersion.
---
--- ```lua
--- (not cn.cuda.is_available() or cn.cuda.runtime.driverGetVersion() >= 12000) --> true
--- ```
---@return integer
function runtime.driverGetVersion() end

--- The version of the CUDA toolkit whose NVRTC compiles kernels: 12080 is 12.8. An error without one. cuna uses the
--- driver and NVRTC, and none of the runtime's library. Follows cupy.cuda.runtime.runtimeGetVersion.
---
--- ```lua
--- (not cn.cuda.is_available() or cn.cuda.runtime.runtimeGetVersion() >= 12000) --> true
--- ```
---@return integer
function runtime.runtimeGetVersion() end

--- The number of CUDA devices: 0 without CUDA, where CuPy raises an error. Follows cupy.cuda.runtime.getDeviceCount.
---
--- ```lua
--- cn.cuda.runtime.getDeviceCount() == cn.cuda.device_count() --> true
--- ```
---@return integer
function runtime.getDeviceCount() end

--- The number of the current device, which must be a CUDA device. Follows cupy.cuda.runtime.getDevice.
---
--- ```lua
--- (not cn.cuda.is_available() or cn.cuda.Device(0):with(cn.cuda.runtime.getDevice) == 0) --> true
--- ```
---@return integer
function runtime.getDevice() end

--- Makes a CUDA device current, as cn.cuda.Device(device):use(). Follows cupy.cuda.runtime.setDevice.
---
--- ```lua
--- (not cn.cuda.is_available() or cn.scope(cn.cuda.runtime.setDevice, 0) == nil) --> true
--- ```
---@param device integer # 0 is the first
function runtime.setDevice(device) end

--- Waits until the current device has done all of its work, as cn.synchronize(). Follows
--- cupy.cuda.runtime.deviceSynchronize.
---
--- ```lua
--- cn.cuda.runtime.deviceSynchronize() -->
--- ```
function runtime.deviceSynchronize() end

--- Free and total memory of the current device in bytes. Follows cupy.cuda.runtime.memGetInfo.
---
--- ```lua
--- select("#", cn.cuda.runtime.memGetInfo()) --> 2
--- ```
---@return integer # free
---@return integer # total
function runtime.memGetInfo() end

--- An attribute of a CUDA device by its name, as in Device.attributes. Follows cupy.cuda.runtime.deviceGetAttribute.
---
--- ```lua
--- (not cn.cuda.is_available() or cn.cuda.runtime.deviceGetAttribute("WarpSize", 0) == 32) --> true
--- ```
---@param attrib string # "MultiProcessorCount" or "cudaDevAttrMultiProcessorCount"
---@param device integer # 0 is the first
---@return integer
function runtime.deviceGetAttribute(attrib, device) end

--- Facts about a CUDA device, by the names of cudaDeviceProp: name, totalGlobalMem, multiProcessorCount, major, minor,
--- maxThreadsDim and so on. What the driver does not know is left out; so are uuid and luid. Follows
--- cupy.cuda.runtime.getDeviceProperties, whose name is in bytes.
---
--- ```lua
--- (not cn.cuda.is_available() or cn.cuda.runtime.getDeviceProperties(0).warpSize == 32) --> true
--- ```
---@param device integer # 0 is the first
---@return table<string, integer|integer[]|string> # properties a new table; an unknown name in it is an error
function runtime.getDeviceProperties(device) end

--- The place of a CUDA device on the bus: "0000:65:00.0". Follows cupy.cuda.runtime.deviceGetPCIBusId.
---
--- ```lua
--- (not cn.cuda.is_available() or #cn.cuda.runtime.deviceGetPCIBusId(0) >= 7) --> true
--- ```
---@param device integer # 0 is the first
---@return string
function runtime.deviceGetPCIBusId(device) end

--- The number of the CUDA device at a place on the bus. Follows cupy.cuda.runtime.deviceGetByPCIBusId.
---
--- ```lua
--- cn.cuda.device_count() == 0 or cn.cuda.runtime.deviceGetByPCIBusId(cn.device("cuda").pci_bus_id) == 0 --> true
--- ```
---@param pci_bus_id string # as deviceGetPCIBusId returns it
---@return integer
function runtime.deviceGetByPCIBusId(pci_bus_id) end

--- Device memory outside of pools, as cn.cuda.malloc(size). Follows cupy.cuda.runtime.malloc.
---
--- ```lua
--- cn.cuda.runtime.malloc(64).nbytes --> 64
--- ```
---@param size integer # bytes
---@return cuna.MemoryPointer
function runtime.malloc(size) end

--- Memory that the driver moves between host and device, as cn.cuda.malloc_managed(size). Follows
--- cupy.cuda.runtime.mallocManaged.
---
--- ```lua
--- cn.cuda.runtime.mallocManaged(64).nbytes --> 64
--- ```
---@param size integer # bytes
---@return cuna.MemoryPointer
function runtime.mallocManaged(size) end

--- Frees memory of malloc or another allocator. The garbage collector does so, too. Follows cupy.cuda.runtime.free.
---
--- ```lua
--- cn.cuda.runtime.free(cn.cuda.runtime.malloc(64)) -->
--- ```
---@param ptr cuna.MemoryPointer
function runtime.free(ptr) end

--- Copies bytes, and waits for those that go to the host. Follows cupy.cuda.runtime.memcpy.
---
--- ```lua
--- (function(m) cn.cuda.runtime.memcpy(m, "1234", 4, 1) return m:array() end)(cn.cuda.alloc(4)) --> [49 50 51 52]
--- ```
---@param dst cuna.MemoryPointer|cuna.Array|ffi.cdata* # device memory, an array, an FFI array or pointer
---@param src cuna.MemoryPointer|cuna.Array|ffi.cdata*|string
---@param size integer # bytes
---@param kind integer|nil # cn.cuda.runtime.memcpyHostToDevice and so on; default: memcpyDefault, as the operands are
---@overload fun(dst: cuna.MemoryPointer|cuna.Array|ffi.cdata*, src: cuna.MemoryPointer|cuna.Array|ffi.cdata*|string, size: integer, options: {kind?: integer})
function runtime.memcpy(dst, src, size, kind) end

--- Copies bytes in stream order, without waiting: only pinned memory of the host (cn.empty_pinned) is copied while the
--- script goes on. Follows cupy.cuda.runtime.memcpyAsync.
---
--- ```lua
--- cn.cuda.runtime.memcpyAsync(cn.cuda.alloc(8), cn.cuda.alloc(8), 8, 3, cn.cuda.Stream.null) -->
--- ```
---@param dst cuna.MemoryPointer|cuna.Array|ffi.cdata*
---@param src cuna.MemoryPointer|cuna.Array|ffi.cdata*|string
---@param size integer # bytes
---@param kind integer|nil # default: memcpyDefault
---@param stream cuna.Stream|nil # default: the current one
---@overload fun(dst: cuna.MemoryPointer|cuna.Array|ffi.cdata*, src: cuna.MemoryPointer|cuna.Array|ffi.cdata*|string, size: integer, options: {kind?: integer, stream?: cuna.Stream})
function runtime.memcpyAsync(dst, src, size, kind, stream) end

--- Sets bytes of device memory to one value. Follows cupy.cuda.runtime.memset.
---
--- ```lua
--- (function(m) cn.cuda.runtime.memset(m, 7, 2) return m:array()["1:2"] end)(cn.cuda.alloc(4)) --> [7 7]
--- ```
---@param ptr cuna.MemoryPointer|cuna.Array
---@param value integer # 0 to 255
---@param size integer # bytes
function runtime.memset(ptr, value, size) end

--- memset in stream order. Follows cupy.cuda.runtime.memsetAsync.
---
--- ```lua
--- cn.cuda.runtime.memsetAsync(cn.cuda.alloc(4), 0, 4, cn.cuda.Stream.null) -->
--- ```
---@param ptr cuna.MemoryPointer|cuna.Array
---@param value integer # 0 to 255
---@param size integer # bytes
---@param stream cuna.Stream|nil # default: the current one
function runtime.memsetAsync(ptr, value, size, stream) end

--- A new stream, as cn.cuda.Stream(). Follows cupy.cuda.runtime.streamCreate.
---
--- ```lua
--- cn.cuda.runtime.streamCreate().is_non_blocking --> false
--- ```
---@return cuna.Stream
function runtime.streamCreate() end

--- A new stream by CUDA's flags. Follows cupy.cuda.runtime.streamCreateWithFlags.
---
--- ```lua
--- cn.cuda.runtime.streamCreateWithFlags(cn.cuda.runtime.streamNonBlocking).is_non_blocking --> true
--- ```
---@param flags integer # cn.cuda.runtime.streamDefault or streamNonBlocking
---@return cuna.Stream
function runtime.streamCreateWithFlags(flags) end

--- A new stream with a priority: smaller numbers are higher priorities. Follows
--- cupy.cuda.runtime.streamCreateWithPriority.
---
--- ```lua
--- cn.cuda.runtime.streamCreateWithPriority(0, 0).priority --> 0
--- ```
---@param flags integer
---@param priority integer
---@return cuna.Stream
function runtime.streamCreateWithPriority(flags, priority) end

--- Frees a stream, as stream:free(). Follows cupy.cuda.runtime.streamDestroy.
---
--- ```lua
--- cn.cuda.runtime.streamDestroy(cn.cuda.runtime.streamCreate()) -->
--- ```
---@param stream cuna.Stream
function runtime.streamDestroy(stream) end

--- Waits until a stream has done all of its work, as stream:synchronize(). Follows cupy.cuda.runtime.streamSynchronize.
---
--- ```lua
--- cn.cuda.runtime.streamSynchronize(0) -->
--- ```
---@param stream cuna.Stream|integer # 0 is the default one
function runtime.streamSynchronize(stream) end

--- Whether a stream has work, without waiting; stream.done is a boolean. Follows cupy.cuda.runtime.streamQuery.
---
--- ```lua
--- (function(s) s:synchronize() return cn.cuda.runtime.streamQuery(s) end)(cn.cuda.Stream()) --> 0
--- ```
---@param stream cuna.Stream|integer # 0 is the default one
---@return integer # status cn.cuda.runtime.cudaSuccess (0), or cudaErrorNotReady (600) while there is work
function runtime.streamQuery(stream) end

--- Makes later work in a stream wait for an event, as stream:wait_event(event). Follows
--- cupy.cuda.runtime.streamWaitEvent.
---
--- ```lua
--- cn.cuda.runtime.streamWaitEvent(0, cn.cuda.Event()) -->
--- ```
---@param stream cuna.Stream|integer # 0 is the default one
---@param event cuna.Event
function runtime.streamWaitEvent(stream, event) end

--- A new event, as cn.cuda.Event(). Follows cupy.cuda.runtime.eventCreate.
---
--- ```lua
--- cn.cuda.runtime.eventCreate().done --> true
--- ```
---@return cuna.Event
function runtime.eventCreate() end

--- A new event by CUDA's flags. Follows cupy.cuda.runtime.eventCreateWithFlags.
---
--- ```lua
--- cn.cuda.runtime.eventCreateWithFlags(cn.cuda.runtime.eventDisableTiming).done --> true
--- ```
---@param flags integer # a sum of cn.cuda.runtime.eventBlockingSync, eventDisableTiming and eventInterprocess
---@return cuna.Event
function runtime.eventCreateWithFlags(flags) end

--- Frees an event, as event:free(). Follows cupy.cuda.runtime.eventDestroy.
---
--- ```lua
--- cn.cuda.runtime.eventDestroy(cn.cuda.runtime.eventCreate()) -->
--- ```
---@param event cuna.Event
function runtime.eventDestroy(event) end

--- Marks the current end of a stream, as event:record(stream). Follows cupy.cuda.runtime.eventRecord.
---
--- ```lua
--- cn.cuda.runtime.eventRecord(cn.cuda.Event(), 0) -->
--- ```
---@param event cuna.Event
---@param stream cuna.Stream|integer # 0 is the default one
function runtime.eventRecord(event, stream) end

--- Waits until the work before an event is done, as event:synchronize(). Follows cupy.cuda.runtime.eventSynchronize.
---
--- ```lua
--- cn.cuda.runtime.eventSynchronize(cn.cuda.Event():record()) -->
--- ```
---@param event cuna.Event
function runtime.eventSynchronize(event) end

--- Whether the work before an event is done, without waiting; event.done is a boolean. Follows
--- cupy.cuda.runtime.eventQuery.
---
--- ```lua
--- cn.cuda.runtime.eventQuery(cn.cuda.Event()) --> 0
--- ```
---@param event cuna.Event
---@return integer # status cn.cuda.runtime.cudaSuccess (0), or cudaErrorNotReady (600) while there is work
function runtime.eventQuery(event) end

--- The time between two events in milliseconds, as cn.cuda.get_elapsed_time; both must be complete. Follows
--- cupy.cuda.runtime.eventElapsedTime.
---
--- ```lua
--- (function(e) e:synchronize() return cn.cuda.runtime.eventElapsedTime(e, e)end)(cn.cuda.Event():record()) --> 0
--- ```
---@param start_event cuna.Event
---@param end_event cuna.Event
---@return number
function runtime.eventElapsedTime(start_event, end_event) end
