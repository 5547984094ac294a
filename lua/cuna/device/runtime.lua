--- runtime.lua: cn.cuda.runtime: CuPy's names for CUDA's runtime: constants, and functions that are loaded later.
--
-- The functions take and return cuna's objects (streams, events, pointers) where CuPy has handles as integers.
local later = require "cuna.base.later"
local namespace = require "cuna.base.namespace"

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

local F = {
  memcpyHostToHost = 0, memcpyHostToDevice = 1, memcpyDeviceToHost = 2, memcpyDeviceToDevice = 3, memcpyDefault = 4,
  streamDefault = 0, streamNonBlocking = 1,
  eventDefault = 0, eventBlockingSync = 1, eventDisableTiming = 2, eventInterprocess = 4,
  cudaSuccess = 0, cudaErrorNotReady = 600,
  cudaChannelFormatKindSigned = 0, cudaChannelFormatKindUnsigned = 1, cudaChannelFormatKindFloat = 2,
  cudaResourceTypeArray = 0, cudaResourceTypeLinear = 2, cudaResourceTypePitch2D = 3,
  cudaAddressModeWrap = 0, cudaAddressModeClamp = 1, cudaAddressModeMirror = 2, cudaAddressModeBorder = 3,
  cudaFilterModePoint = 0, cudaFilterModeLinear = 1,
  cudaReadModeElementType = 0, cudaReadModeNormalizedFloat = 1,
  cudaArrayDefault = 0, cudaArrayLayered = 1, cudaArraySurfaceLoadStore = 2, cudaArrayTextureGather = 8,
}

local FILES = {
  ["device.runtime_device"] = "driverGetVersion runtimeGetVersion getDeviceCount getDevice setDevice deviceSynchronize "
    .. "deviceGetAttribute getDeviceProperties deviceGetPCIBusId deviceGetByPCIBusId memGetInfo",
  ["device.runtime_memory"] = "malloc mallocManaged free memcpy memcpyAsync memset memsetAsync",
  ["device.runtime_stream"] = "streamCreate streamCreateWithFlags streamCreateWithPriority streamDestroy "
    .. "streamSynchronize streamQuery streamWaitEvent eventCreate eventCreateWithFlags eventDestroy eventRecord "
    .. "eventSynchronize eventQuery eventElapsedTime",
}
for file, names in pairs(FILES) do
  local functions = later.functions(file)
  for name in names:gmatch "%S+" do F[name] = functions[name] end
end

-- CuPy's names whose work is written otherwise, or done without a call.
local HINTS = {
  createSurfaceObject = "cn.cuda.texture.SurfaceObject", createTextureObject = "cn.cuda.texture.TextureObject",
  CUDARuntimeError = "message:find \"DeviceError\"", deviceCanAccessPeer = "y:to(device)",
  deviceEnablePeerAccess = "y:to(device)", freeArray = "texels:free()", freeHost = "x:free()",
  graphInstantiate = "cn.graph", graphLaunch = "cn.graph", hostAlloc = "cn.empty_pinned",
  hostRegister = "cn.empty_pinned", launchHostFunc = "stream:launch_host_func(fn, arg)",
  malloc3DArray = "cn.cuda.texture.CUDAarray", mallocArray = "cn.cuda.texture.CUDAarray",
  mallocAsync = "cn.cuda.MemoryAsyncPool", memcpyPeer = "y:to(device)", memcpyPeerAsync = "y:to(device)",
  memcpy2D = "y:copyto(x)", memcpy2DAsync = "y:copyto(x)", pointerGetAttributes = "x.device",
  profilerStart = "cn.profiler.trace", profilerStop = "cn.profiler.trace",
  streamAddCallback = "stream:add_callback(fn, arg)", streamBeginCapture = "stream:begin_capture()",
  streamEndCapture = "stream:end_capture()", streamGetFlags = "stream.is_non_blocking",
  streamGetPriority = "stream.priority", streamIsCapturing = "stream.is_capturing",
}

--- Constants of attributes, too: their functions take the name.
setmetatable(HINTS, {__index = function(_, key)
  local attribute = tostring(key):match "^cudaDevAttr(.+)"
  return attribute and ("deviceGetAttribute(%q, 0)"):format(attribute)
end})

return namespace.make("cuda.runtime", F, HINTS)
