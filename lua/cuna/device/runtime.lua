--- runtime.lua: cn.cuda.runtime: the constants of CUDA's runtime that cuna's functions take.
local namespace = require "cuna.base.namespace"

-- CuPy's functions of the runtime.
local HINTS = {
  deviceSynchronize = "cn.synchronize", driverGetVersion = "cn.cuda.Device(0).attributes",
  getDevice = "cn.cuda.get_device_id", getDeviceCount = "cn.cuda.device_count",
  getDeviceProperties = "cn.cuda.Device(0).attributes", memGetInfo = "cn.cuda.Device(0).mem_info",
  setDevice = "cn.cuda.Device(0):use()",
}

--- The constants of CUDA's runtime for textures, by CuPy's names. Follows cupy.cuda.runtime.
---@class cuna.cuda.runtime
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

return namespace.make("cuda.runtime", {
  cudaChannelFormatKindSigned = 0, cudaChannelFormatKindUnsigned = 1, cudaChannelFormatKindFloat = 2,
  cudaResourceTypeArray = 0, cudaResourceTypeLinear = 2, cudaResourceTypePitch2D = 3,
  cudaAddressModeWrap = 0, cudaAddressModeClamp = 1, cudaAddressModeMirror = 2, cudaAddressModeBorder = 3,
  cudaFilterModePoint = 0, cudaFilterModeLinear = 1,
  cudaReadModeElementType = 0, cudaReadModeNormalizedFloat = 1,
  cudaArrayDefault = 0, cudaArrayLayered = 1, cudaArraySurfaceLoadStore = 2, cudaArrayTextureGather = 8,
}, HINTS)
