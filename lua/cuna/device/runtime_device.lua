--- runtime_device.lua: cn.cuda.runtime's functions of devices: versions, the current device, properties, memory.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local suggest = require "cuna.base.suggest"

local M = {functions = {}}
local F = M.functions -- of cn.cuda.runtime

local cn = args.namespace
local fail = check.fail

--- The CUDA device of a number.
local function device_of(id, name)
  if type(id) ~= "number" or id < 0 or id ~= math.floor(id) or id > 999 then
    fail("cuda.runtime.%s: device is CUDA's number of one, a whole number from 0 on, got %s", name, check.show(id))
  end
  return core.device(("cuda:%d"):format(id))
end

-- ---- versions ----

--- A version as CUDA's functions return it: 12080 for "12.8".
local function read_version(name, field)
  local found = core.describe_driver "cuda"
  if not found[field] then fail("DeviceError: cuda.runtime.%s: %s", name, found.missing or found.remedy) end
  local major, minor = found[field]:match "^(%d+)%.(%d+)$"
  return 1000 * major + 10 * minor
end

--- The newest version of CUDA that the driver supports: 12080 is 12.8. An error without a driver. Follows
--- cupy.cuda.runtime.driverGetVersion.
---@return integer
---@usage (not cn.cuda.is_available() or cn.cuda.runtime.driverGetVersion() >= 12000) --> true
function F.driverGetVersion() return read_version("driverGetVersion", "version") end

--- The version of the CUDA toolkit whose NVRTC compiles kernels: 12080 is 12.8. An error without one. cuna uses the
--- driver and NVRTC, and none of the runtime's library. Follows cupy.cuda.runtime.runtimeGetVersion.
---@return integer
---@usage (not cn.cuda.is_available() or cn.cuda.runtime.runtimeGetVersion() >= 12000) --> true
function F.runtimeGetVersion() return read_version("runtimeGetVersion", "compiler_version") end

-- ---- the current device ----

--- The number of CUDA devices: 0 without CUDA, where CuPy raises an error. Follows cupy.cuda.runtime.getDeviceCount.
---@return integer
---@usage cn.cuda.runtime.getDeviceCount() == cn.cuda.device_count() --> true
function F.getDeviceCount() return core.device_count "cuda" end

--- The number of the current device, which must be a CUDA device. Follows cupy.cuda.runtime.getDevice.
---@return integer
---@usage (not cn.cuda.is_available() or cn.cuda.Device(0):with(cn.cuda.runtime.getDevice) == 0) --> true
function F.getDevice() return cn.cuda.get_device_id() end

--- Makes a CUDA device current, as cn.cuda.Device(device):use(). Follows cupy.cuda.runtime.setDevice.
---@param device integer 0 is the first
---@usage (not cn.cuda.is_available() or cn.scope(cn.cuda.runtime.setDevice, 0) == nil) --> true
function F.setDevice(device) core.use_device(device_of(device, "setDevice")) end

--- Waits until the current device has done all of its work, as cn.synchronize(). Follows
--- cupy.cuda.runtime.deviceSynchronize.
---@usage cn.cuda.runtime.deviceSynchronize() -->
function F.deviceSynchronize() cn.synchronize() end

--- Free and total memory of the current device in bytes. Follows cupy.cuda.runtime.memGetInfo.
---@return integer free
---@return integer total
---@usage select("#", cn.cuda.runtime.memGetInfo()) --> 2
function F.memGetInfo() return cn.cuda.memory_info() end

-- ---- facts about devices ----

--- An attribute of a CUDA device by its name, as in Device.attributes. Follows cupy.cuda.runtime.deviceGetAttribute.
---@param attrib string "MultiProcessorCount" or "cudaDevAttrMultiProcessorCount"
---@param device integer 0 is the first
---@return integer
---@usage (not cn.cuda.is_available() or cn.cuda.runtime.deviceGetAttribute("WarpSize", 0) == 32) --> true
function F.deviceGetAttribute(attrib, device)
  local found = device_of(device, "deviceGetAttribute")
  if type(attrib) ~= "string" then
    fail("cuda.runtime.deviceGetAttribute: attrib is a name such as \"MultiProcessorCount\", got %s",
      check.show(attrib))
  end
  return found.attributes[attrib:gsub("^cudaDevAttr", "")]
end

-- A property, and its attributes if they are not the property with a capital letter.
local PROPERTIES = [[
  accessPolicyMaxWindowSize MaxAccessPolicyWindowSize
  asyncEngineCount
  canMapHostMemory
  canUseHostPointerForRegisteredMem
  clockRate
  computeMode
  computePreemptionSupported
  concurrentKernels
  concurrentManagedAccess
  cooperativeLaunch
  deviceOverlap GpuOverlap
  directManagedMemAccessFromHost
  ECCEnabled EccEnabled
  globalL1CacheSupported
  hostNativeAtomicSupported
  integrated
  isMultiGpuBoard
  kernelExecTimeoutEnabled KernelExecTimeout
  l2CacheSize
  localL1CacheSupported
  major ComputeCapabilityMajor
  managedMemory
  maxBlocksPerMultiProcessor MaxBlocksPerMultiprocessor
  maxGridSize MaxGridDimX MaxGridDimY MaxGridDimZ
  maxSurface1D MaxSurface1DWidth
  maxSurface1DLayered MaxSurface1DLayeredWidth MaxSurface1DLayeredLayers
  maxSurface2D MaxSurface2DWidth MaxSurface2DHeight
  maxSurface2DLayered MaxSurface2DLayeredWidth MaxSurface2DLayeredHeight MaxSurface2DLayeredLayers
  maxSurface3D MaxSurface3DWidth MaxSurface3DHeight MaxSurface3DDepth
  maxSurfaceCubemap MaxSurfaceCubemapWidth
  maxSurfaceCubemapLayered MaxSurfaceCubemapLayeredWidth MaxSurfaceCubemapLayeredLayers
  maxTexture1D MaxTexture1DWidth
  maxTexture1DLayered MaxTexture1DLayeredWidth MaxTexture1DLayeredLayers
  maxTexture1DLinear MaxTexture1DLinearWidth
  maxTexture1DMipmap MaxTexture1DMipmappedWidth
  maxTexture2D MaxTexture2DWidth MaxTexture2DHeight
  maxTexture2DGather MaxTexture2DGatherWidth MaxTexture2DGatherHeight
  maxTexture2DLayered MaxTexture2DLayeredWidth MaxTexture2DLayeredHeight MaxTexture2DLayeredLayers
  maxTexture2DLinear MaxTexture2DLinearWidth MaxTexture2DLinearHeight MaxTexture2DLinearPitch
  maxTexture2DMipmap MaxTexture2DMipmappedWidth MaxTexture2DMipmappedHeight
  maxTexture3D MaxTexture3DWidth MaxTexture3DHeight MaxTexture3DDepth
  maxTexture3DAlt MaxTexture3DWidthAlt MaxTexture3DHeightAlt MaxTexture3DDepthAlt
  maxTextureCubemap MaxTextureCubemapWidth
  maxTextureCubemapLayered MaxTextureCubemapLayeredWidth MaxTextureCubemapLayeredLayers
  maxThreadsDim MaxBlockDimX MaxBlockDimY MaxBlockDimZ
  maxThreadsPerBlock
  maxThreadsPerMultiProcessor
  memoryBusWidth GlobalMemoryBusWidth
  memoryClockRate
  minor ComputeCapabilityMinor
  multiGpuBoardGroupID
  multiProcessorCount
  pageableMemoryAccess
  pageableMemoryAccessUsesHostPageTables
  pciBusID PciBusId
  pciDeviceID PciDeviceId
  pciDomainID PciDomainId
  persistingL2CacheMaxSize MaxPersistingL2CacheSize
  regsPerBlock MaxRegistersPerBlock
  regsPerMultiprocessor MaxRegistersPerMultiprocessor
  reservedSharedMemPerBlock ReservedSharedMemoryPerBlock
  sharedMemPerBlock MaxSharedMemoryPerBlock
  sharedMemPerBlockOptin MaxSharedMemoryPerBlockOptin
  sharedMemPerMultiprocessor MaxSharedMemoryPerMultiprocessor
  singleToDoublePrecisionPerfRatio
  streamPrioritiesSupported
  surfaceAlignment
  tccDriver
  textureAlignment
  texturePitchAlignment
  totalConstMem TotalConstantMemory
  unifiedAddressing
  warpSize
]]

--- The value of a row of PROPERTIES: a number, or a list where there are several attributes.
local function read_property(attributes, property, names)
  local values = {}
  for name in names:gmatch "%S+" do values[#values + 1] = rawget(attributes, name) end
  if names == "" then values[1] = rawget(attributes, (property:gsub("^%l", string.upper))) end
  return #values > 1 and values or values[1]
end

local properties = {}
function properties.__index(known, name)
  fail("the device has no property '%s'%s", tostring(name), suggest.hint(name, known))
end

--- Facts about a CUDA device, by the names of cudaDeviceProp: name, totalGlobalMem, multiProcessorCount, major, minor,
--- maxThreadsDim and so on. What the driver does not know is left out; so are uuid and luid. Follows
--- cupy.cuda.runtime.getDeviceProperties, whose name is in bytes.
---@param device integer 0 is the first
---@return table<string, integer|integer[]|string> properties a new table; an unknown name in it is an error
---@usage (not cn.cuda.is_available() or cn.cuda.runtime.getDeviceProperties(0).warpSize == 32) --> true
function F.getDeviceProperties(device)
  local found = device_of(device, "getDeviceProperties")
  local attributes = found.attributes
  local known = {name = found.model, totalGlobalMem = found.total_memory}
  for property, names in PROPERTIES:gmatch "(%w+) ?([%w ]*)\n" do
    known[property] = read_property(attributes, property, names)
  end
  return setmetatable(known, properties)
end

--- The place of a CUDA device on the bus: "0000:65:00.0". Follows cupy.cuda.runtime.deviceGetPCIBusId.
---@param device integer 0 is the first
---@return string
---@usage (not cn.cuda.is_available() or #cn.cuda.runtime.deviceGetPCIBusId(0) >= 7) --> true
function F.deviceGetPCIBusId(device) return device_of(device, "deviceGetPCIBusId").pci_bus_id end

--- The number of the CUDA device at a place on the bus. Follows cupy.cuda.runtime.deviceGetByPCIBusId.
---@param pci_bus_id string as deviceGetPCIBusId returns it
---@return integer
---@usage cn.cuda.device_count() == 0 or cn.cuda.runtime.deviceGetByPCIBusId(cn.device("cuda").pci_bus_id) == 0 --> true
function F.deviceGetByPCIBusId(pci_bus_id)
  local name = "cuda.runtime.deviceGetByPCIBusId"
  if type(pci_bus_id) ~= "string" then
    fail("%s: pci_bus_id is text such as \"0000:65:00.0\", got %s", name, check.show(pci_bus_id))
  end
  for id = 0, core.device_count "cuda" - 1 do
    if core.device("cuda:" .. id).pci_bus_id:lower() == pci_bus_id:lower() then return id end
  end
  fail("%s: there is no CUDA device at %s", name, check.show(pci_bus_id))
end

args.bound(F, {driverGetVersion = "", runtimeGetVersion = "", getDeviceCount = "", getDevice = "", setDevice = "device",
  deviceSynchronize = "", memGetInfo = "", deviceGetAttribute = "attrib device", getDeviceProperties = "device",
  deviceGetPCIBusId = "device", deviceGetByPCIBusId = "pci_bus_id"}, "cuda.runtime.")

return M
