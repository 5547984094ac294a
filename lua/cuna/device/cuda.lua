--- cuda.lua: cn.cuda: CUDA devices by number, whether CUDA is available, and the functions that other files add.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local devices = require "cuna.device"
local event = require "cuna.device.event"
require "cuna.device.graph" -- for its functions of streams
local later = require "cuna.base.later"
local memory = require "cuna.device.memory"
local memory_hook = require "cuna.device.memory_hook"
local namespace = require "cuna.base.namespace"
local pool = require "cuna.device.pool"
local stream = require "cuna.device.stream"

local M = {functions = {}}
local F = {} -- cn.cuda

local fail = check.fail

--- The current device, which must be a CUDA device.
local function current(name, advice)
  local device = core.current_device()
  if device.kind ~= "cuda" then fail("cuda.%s: the current device is %s; %s", name, device.name, advice) end
  return device
end

--- The CUDA device of a number, or the current device of any kind. Follows cupy.cuda.Device, which also counts from 0.
---@param id integer|nil 0 is the first; default: the current device
---@return cuna.Device
---@usage (not cn.cuda.is_available() or cn.cuda.Device(0) == cn.device("cuda:0")) --> true
function F.Device(id)
  args.check_dot("cuda.Device", id)
  if id == nil then return core.current_device() end
  if type(id) ~= "number" or id < 0 or id ~= math.floor(id) or id > 999 then
    fail("cuda.Device: the number of a device is a whole number from 0 on, got %s", check.no_number(id))
  end
  return core.device(("cuda:%d"):format(id))
end

--- Whether arrays can be on CUDA devices: the driver loads and finds a device, and NVRTC is available to compile
--- kernels. Never raises an error; `build/cuna doctor` prints what is missing. Follows torch.cuda.is_available.
---@return boolean
---@usage type(cn.cuda.is_available()) --> boolean
function F.is_available() return (core.check_cuda()) end

--- The number of CUDA devices; 0 without CUDA, never an error. Follows torch.cuda.device_count.
---@return integer
---@usage cn.cuda.device_count() >= 0 --> true
function F.device_count() return core.device_count("cuda") end

--- The number of the current device, which must be a CUDA device. Follows cupy.cuda.get_device_id.
---@return integer
---@usage (not cn.cuda.is_available() or cn.cuda.Device(0):with(cn.cuda.get_device_id) == 0) --> true
function F.get_device_id() return current("get_device_id", "make another one current: cn.cuda.Device(0):use()").id end

--- Waits until a CUDA device has done all of its work. Follows torch.cuda.synchronize.
---@param device cuna.Device|integer|string|nil default: the current device, which must then be a CUDA device
---@usage (not cn.cuda.is_available() or cn.cuda.synchronize(0) == nil) --> true
function F.synchronize(device)
  args.check_dot("cuda.synchronize", device)
  if type(device) == "number" then
    device = F.Device(device)
  elseif device == nil then
    device = current("synchronize", "give a number, as in cn.cuda.synchronize(0), or write cn.synchronize()")
  else
    device = core.device(device, "cuda.synchronize")
    if device.kind ~= "cuda" then
      fail("cuda.synchronize: %s is not a CUDA device; write device:synchronize()", device.name)
    end
  end
  devices.synchronize(device)
end

--- What compilers did in this process, on all devices.
---@class cuna.CompileStats
---@field compiled integer units that a compiler was called for: a kernel, up to 24 kernels together, or the source
--- of a module
---@field kernels integer the kernels of those units
---@field background integer units among them that were compiled while the script went on
---@field failed integer units among them that did not compile
---@field loaded integer units that were found on disk instead: cache hits
---@field compile_time number seconds that compilers took; several at the same time count each
---@field wait_time number seconds that the script waited for compilers, of this process or another

--- What compilers did in this process so far, on all devices. `CUNA_LOG=compile` lists each compilation on stderr.
---@return cuna.CompileStats stats a new table
---@usage cn.cuda.compile_stats().wait_time >= 0 --> true
function F.compile_stats() return core.compile_stats() end

-- PyCUDA's functions, which most scripts never use.
local source_module = later.functions "kernel.source_module"
for _, name in ipairs {"SourceModule", "mem_alloc", "memcpy_htod", "memcpy_dtoh", "memcpy_dtod", "memset", "In", "Out",
  "InOut"} do
  F[name] = source_module[name]
end

-- Textures, which most scripts never use either.
local texture = later.functions "device.texture"
F.texture = {}
for _, name in ipairs {"ChannelFormatDescriptor", "CUDAarray", "ResourceDescriptor", "SurfaceObject",
  "TextureDescriptor", "TextureObject"} do
  F.texture[name] = texture[name]
end
namespace.make("cuda.texture", F.texture, {TextureReference = "TextureObject"})
F.runtime = require "cuna.device.runtime"

--- The version of the CUDA toolkit whose NVRTC compiles kernels, as cn.cuda.runtime.runtimeGetVersion(). Follows
--- cupy.cuda.get_local_runtime_version.
---@return integer
---@usage (not cn.cuda.is_available() or cn.cuda.get_local_runtime_version() >= 12000) --> true
function F.get_local_runtime_version() return F.runtime.runtimeGetVersion() end

for _, part in ipairs {event, memory, memory_hook, pool, stream} do
  for name, value in pairs(part.functions) do F[name] = value end
end

-- CuPy's and PyTorch's names.
local HINTS = {
  alloc_pinned_memory = "cn.empty_pinned", current_device = "get_device_id", CUDAGraph = "cn.graph",
  empty_cache = "cn.get_default_memory_pool():free_all_blocks()", get_device_name = "cn.cuda.Device(0).model",
  get_device_properties = "cn.cuda.runtime.getDeviceProperties(0)",
  Graph = "cn.graph", graph = "cn.graph",
  malloc_async = "MemoryAsyncPool", mem_get_info = "memory_info",
  memory_allocated = "cn.get_default_memory_pool():used_bytes()", MemoryHook = "memory_hook",
  memory_reserved = "cn.get_default_memory_pool():total_bytes()", nvtx = "cn.profiler.time_range",
  profile = "cn.profiler.trace", profiler = "cn.profiler",
  set_device = "cn.cuda.Device(0):use()", stream = "cn.cuda.Stream, cn.cuda.Event, or s:with(fn) of a stream",
}

M.functions.cuda = namespace.make("cuda", F, HINTS)

return M
