---@meta _
-- Made by `make docs` from the comments in lua/cuna/, for editors: nothing loads this file.
-- Devices and transfers.

---@class cuna
local cn = {}

---@class cuna.Array
local Array = {}

---@class cuna.cuda
local cuda = {}

--- A device. Equal devices are ==. Follows cupy.cuda.Device.
---@class cuna.Device
---@field name string "cuda:0"
---@field kind string "cuda" or "cpu"
---@field id integer 0: CUDA's own number
---@field model string the manufacturer's name
---@field memory table of the pool: used_bytes, free_bytes, total_bytes, n_free_blocks, limit, device_free, device_total
---@field total_memory integer bytes
---@field mem_info table {free = bytes, total = bytes} at present
---@field attributes table<string, integer> by CUDA's names
---@field compute_capability string "90"; an error unless it is a CUDA device
---@field pci_bus_id string "0000:65:00.0"; an error unless it is a CUDA device
local Device = {}

--- What compilers did in this process, on all devices.
---@class cuna.CompileStats
---@field compiled integer units that a compiler was called for: a kernel, up to 24 kernels together, or the source of a module
---@field kernels integer the kernels of those units
---@field background integer units among them that were compiled while the script went on
---@field failed integer units among them that did not compile
---@field loaded integer units that were found on disk instead: cache hits
---@field compile_time number seconds that compilers took; several at the same time count each
---@field wait_time number seconds that the script waited for compilers, of this process or another
local CompileStats = {}

--- Makes the device current.
---
--- ```lua
--- cn.device("cpu"):use().name --> cpu
--- ```
---@return cuna.Device # device itself
function Device:use() end

--- Runs fn(...) with the device current, and restores the previous one afterwards, after an error or a yield too.
---
--- ```lua
--- cn.device("cpu"):with(function(n) return cn.zeros(n).device.name end, 3) --> cpu
--- ```
---@param fn function
---@return any ... # fn's results
function Device:with(fn) end

--- Waits until the device has done all of its work.
---
--- ```lua
--- cn.device("cpu"):synchronize() -->
--- ```
function Device:synchronize() end

--- The device of a name, or the current one: at the start the first CUDA device if CUDA is usable, else the cpu device.
--- Devices are interned: == works. The name of a device that this machine lacks is an error.
---
--- ```lua
--- cn.device("cpu") == cn.device("cpu") --> true
--- ```
---@param name string|cuna.Device|nil # "cpu", "cuda:0", "cuda:1", ...; "cuda" is "cuda:0"
---@return cuna.Device
function cn.device(name) end

--- Waits until a device has done all of its work.
---
--- ```lua
--- cn.synchronize() -->
--- ```
---@param device cuna.Device|string|nil # default: the current one
function cn.synchronize(device) end

--- Wall-clock seconds, after waiting for the current device. Use differences between two calls.
---
--- ```lua
--- cn.clock() <= cn.clock() --> true
--- ```
---@return number
function cn.clock() end

--- Compiles the kernels that fn(...) needs, many at a time, without running them. fn runs, but launches nothing, so the
--- arrays that it makes have unspecified values, zeros where they have at most 16 MiB, and results that depend on
--- elements are meaningless. fn may use several devices.
---
--- ```lua
--- cn.prepare(function(x) return x + 1 end, cn.zeros(3)) --> 1
--- ```
---@param fn function
---@param ... any # its arguments
---@return integer # kernels the number that fn needs
function cn.prepare(fn, ...) end

--- The CUDA device of a number, or the current device of any kind. Follows cupy.cuda.Device, which also counts from 0.
---
--- ```lua
--- (not cn.cuda.is_available() or cn.cuda.Device(0) == cn.device("cuda:0")) --> true
--- ```
---@param id integer|nil # 0 is the first; default: the current device
---@return cuna.Device
function cuda.Device(id) end

--- Whether arrays can be on CUDA devices: the driver loads and finds a device, and NVRTC is available to compile
--- kernels. Never raises an error; `build/cuna doctor` prints what is missing. Follows torch.cuda.is_available.
---
--- ```lua
--- type(cn.cuda.is_available()) --> boolean
--- ```
---@return boolean
function cuda.is_available() end

--- The number of CUDA devices; 0 without CUDA, never an error. Follows torch.cuda.device_count.
---
--- ```lua
--- cn.cuda.device_count() >= 0 --> true
--- ```
---@return integer
function cuda.device_count() end

--- The number of the current device, which must be a CUDA device. Follows cupy.cuda.get_device_id.
---
--- ```lua
--- (not cn.cuda.is_available() or cn.cuda.Device(0):with(cn.cuda.get_device_id) == 0) --> true
--- ```
---@return integer
function cuda.get_device_id() end

--- Waits until a CUDA device has done all of its work. Follows torch.cuda.synchronize.
---
--- ```lua
--- (not cn.cuda.is_available() or cn.cuda.synchronize(0) == nil) --> true
--- ```
---@param device cuna.Device|integer|string|nil # default: the current device, which must then be a CUDA device
function cuda.synchronize(device) end

--- What compilers did in this process so far, on all devices. `CUNA_LOG=compile` lists each compilation on stderr.
---
--- ```lua
--- cn.cuda.compile_stats().wait_time >= 0 --> true
--- ```
---@return cuna.CompileStats # stats a new table
function cuda.compile_stats() end

--- The version of the CUDA toolkit whose NVRTC compiles kernels, as cn.cuda.runtime.runtimeGetVersion(). Follows
--- cupy.cuda.get_local_runtime_version.
---
--- ```lua
--- (not cn.cuda.is_available() or cn.cuda.get_local_runtime_version() >= 12000) --> true
--- ```
---@return integer
function cuda.get_local_runtime_version() end

--- x as a new array on another device; x itself if it is already there. With a stream of the device (of x's device for
--- copies to the cpu device) or with blocking = false the script does not wait. A copy to the cpu device is a pinned
--- array then, and the next access waits for it. Copies from the cpu device are asynchronous only for pinned arrays.
--- Follows torch.Tensor.to.
---
--- ```lua
--- cn.zeros(2):to("cpu").device.name --> cpu
--- cn.ones(2):to("cpu", {blocking = false}) --> [1. 1.]
--- ```
---@param x cuna.Operand
---@param device cuna.Device|string
---@param stream cuna.Stream|nil # default: the current one
---@param blocking boolean|nil # default: whether no stream is given
---@return cuna.Array
---@overload fun(x: cuna.Operand, device: cuna.Device|string, options: {stream?: cuna.Stream, blocking?: boolean}): cuna.Array
function cn.to(x, device, stream, blocking) end

--- x as a new array on another device; x itself if it is already there. With a stream of the device (of x's device for
--- copies to the cpu device) or with blocking = false the script does not wait. A copy to the cpu device is a pinned
--- array then, and the next access waits for it. Copies from the cpu device are asynchronous only for pinned arrays.
--- Follows torch.Tensor.to.
---
--- ```lua
--- cn.zeros(2):to("cpu").device.name --> cpu
--- cn.ones(2):to("cpu", {blocking = false}) --> [1. 1.]
--- ```
---@param device cuna.Device|string
---@param stream cuna.Stream|nil # default: the current one
---@param blocking boolean|nil # default: whether no stream is given
---@return cuna.Array
---@overload fun(self: cuna.Array, device: cuna.Device|string, options: {stream?: cuna.Stream, blocking?: boolean}): cuna.Array
function Array:to(device, stream, blocking) end

--- A copy of x on the cpu device; as a method x:get(). Synchronises, unless blocking = false: then the result is a
--- pinned array, or `out`, and the next access to it waits. Follows cupy.asnumpy.
---
--- ```lua
--- cn.arange(3):get() --> [0 1 2]
--- cn.arange(3):get{blocking = false, out = cn.empty_pinned(3, "int64")} --> [0 1 2]
--- ```
---@param x cuna.Operand
---@param stream cuna.Stream|nil # of x's device; default: the current one
---@param blocking boolean|nil # default true
---@param out cuna.Array|nil # on the cpu device, of x's shape and dtype; pinned if the script should not wait
---@return cuna.Array
---@overload fun(x: cuna.Operand, options: {stream?: cuna.Stream, blocking?: boolean, out?: cuna.Array}): cuna.Array
function cn.asnumpy(x, stream, blocking, out) end

--- A copy of x on the cpu device; as a method x:get(). Synchronises, unless blocking = false: then the result is a
--- pinned array, or `out`, and the next access to it waits. Follows cupy.asnumpy.
---
--- ```lua
--- cn.arange(3):get() --> [0 1 2]
--- cn.arange(3):get{blocking = false, out = cn.empty_pinned(3, "int64")} --> [0 1 2]
--- ```
---@param stream cuna.Stream|nil # of x's device; default: the current one
---@param blocking boolean|nil # default true
---@param out cuna.Array|nil # on the cpu device, of x's shape and dtype; pinned if the script should not wait
---@return cuna.Array
---@overload fun(self: cuna.Array, options: {stream?: cuna.Stream, blocking?: boolean, out?: cuna.Array}): cuna.Array
function Array:get(stream, blocking, out) end

--- Writes an array of the cpu device, or a nested table, to all of x. With a stream or with blocking = false the script
--- does not wait for a pinned array; the next write to that array waits. Follows cupy.ndarray.set.
---
--- ```lua
--- cn.zeros(3):set {1, 2, 3} --> [1. 2. 3.]
--- ```
---@param host cuna.Array|table # of x's shape; an array of x's dtype too
---@param stream cuna.Stream|nil # of x's device; default: the current one
---@param blocking boolean|nil # default: whether no stream is given
---@return cuna.Array # x
---@overload fun(self: cuna.Array, host: cuna.Array|table, options: {stream?: cuna.Stream, blocking?: boolean}): cuna.Array
function Array:set(host, stream, blocking) end

--- A new array of unspecified values on the cpu device, in pinned memory, which CUDA devices copy asynchronously (get,
--- set and to with blocking = false). Without a CUDA device it is an ordinary array. Follows cupyx.empty_pinned.
---
--- ```lua
--- cn.empty_pinned({2, 3}, "float32").device.name --> cpu
--- ```
---@param shape cuna.Shape
---@param dtype cuna.Dtype|nil # default: the default float
---@return cuna.Array
---@overload fun(shape: cuna.Shape, options: {dtype?: cuna.Dtype}): cuna.Array
function cn.empty_pinned(shape, dtype) end

--- A new pinned array of zeros, like cn.empty_pinned. Follows cupyx.zeros_pinned.
---
--- ```lua
--- cn.zeros_pinned(3) --> [0. 0. 0.]
--- ```
---@param shape cuna.Shape
---@param dtype cuna.Dtype|nil # default: the default float
---@return cuna.Array
---@overload fun(shape: cuna.Shape, options: {dtype?: cuna.Dtype}): cuna.Array
function cn.zeros_pinned(shape, dtype) end

--- A pinned array of unspecified values with the shape and dtype of x, which may be on any device. Follows
--- cupyx.empty_like_pinned.
---
--- ```lua
--- cn.empty_like_pinned(cn.zeros({2, 3})).shape --> (2, 3)
--- ```
---@param x cuna.Operand
---@param dtype cuna.Dtype|nil # default: x's
---@param shape cuna.Shape|nil # default: x's
---@return cuna.Array
---@overload fun(x: cuna.Operand, options: {dtype?: cuna.Dtype, shape?: cuna.Shape}): cuna.Array
function cn.empty_like_pinned(x, dtype, shape) end

--- A pinned array of zeros with the shape and dtype of x, which may be on any device. Follows cupyx.zeros_like_pinned.
---
--- ```lua
--- cn.zeros_like_pinned(cn.arange(3)) --> [0 0 0]
--- ```
---@param x cuna.Operand
---@param dtype cuna.Dtype|nil # default: x's
---@param shape cuna.Shape|nil # default: x's
---@return cuna.Array
---@overload fun(x: cuna.Operand, options: {dtype?: cuna.Dtype, shape?: cuna.Shape}): cuna.Array
function cn.zeros_like_pinned(x, dtype, shape) end
