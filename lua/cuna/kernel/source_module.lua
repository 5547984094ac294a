--- source_module.lua: PyCUDA's interface: SourceModule, prepared calls, memory by bytes, and host arrays as arguments.
--
-- Memory comes from device/memory.lua; kernels accept its pointers for any pointer type. Host arrays (In, Out, InOut)
-- are copied to the kernel's device before the launch and back after it.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local memory = require "cuna.device.memory"
local raw_kernel = require "cuna.kernel.raw_kernel"
local streams = require "cuna.device.stream"
local suggest = require "cuna.base.suggest"
local units = require "cuna.kernel.raw_unit"

local M = {functions = {}}
local F = M.functions -- of cn.cuda

local fail = check.fail
local INSIDE = {} -- the key of an object's state

local hint = suggest.hint

--- An object's state, for a method that must be called with a colon.
local function inside(self, name, what)
  local state = type(self) == "table" and rawget(self, INSIDE)
  if not state then
    fail("%s: %s's function is called with a colon: %s:%s()", name, what, what:match "%a+$", name)
  end
  return state
end

-- ---- memory ----

--- Allocates memory on the current device, which kernels accept for any pointer. Follows pycuda.driver.mem_alloc.
---@param nbytes integer
---@return cuna.MemoryPointer memory fields nbytes, ptr (its address), device; free() frees it before garbage collection
---@usage cn.cuda.mem_alloc(256).nbytes --> 256
function F.mem_alloc(nbytes)
  args.check_dot("cuda.mem_alloc", nbytes)
  nbytes = check.count(nbytes, "cuda.mem_alloc", "nbytes")
  if nbytes == 0 then fail "cuda.mem_alloc: nbytes is 1 at least" end
  return memory.pointer(core.empty(nbytes, "uint8", nil, "cuda.mem_alloc"))
end

-- ---- copies ----

local function check_dtypes(dst, src, name)
  if core.is_array(dst) and core.is_array(src) and dst.dtype ~= src.dtype then
    fail("%s: dst is an array of %s and src one of %s; convert one with x:astype(dtype)", name, dst.dtype, src.dtype)
  end
end

--- Copies all of src to the beginning of device memory. Follows pycuda.driver.memcpy_htod.
---@param dst cuna.MemoryPointer|cuna.Array
---@param src cuna.Array|ffi.cdata*|string an array of the cpu device, an FFI array or struct, or bytes
---@usage cn.cuda.memcpy_htod(cn.cuda.mem_alloc(8), cn.arange(1):to "cpu") -->
function F.memcpy_htod(dst, src)
  local name = "cuda.memcpy_htod"
  args.check_dot("cuda.memcpy_htod", dst)
  check_dtypes(dst, src, name)
  local to, from = memory.device_span(dst, name, "dst"), memory.host_span(src, name, "src")
  memory.copy(to, from, from[3], name)
end

--- Fills host memory from the beginning of device memory, and waits for it. Follows pycuda.driver.memcpy_dtoh.
---@param dst cuna.Array|ffi.cdata* an array of the cpu device, or an FFI array or struct
---@param src cuna.MemoryPointer|cuna.Array
---@usage cn.cuda.memcpy_dtoh(cn.zeros(1):to "cpu", cn.cuda.mem_alloc(8)) -->
function F.memcpy_dtoh(dst, src)
  local name = "cuda.memcpy_dtoh"
  args.check_dot("cuda.memcpy_dtoh", dst)
  core.check_waiting(name)
  check_dtypes(dst, src, name)
  local to, from = memory.host_span(dst, name, "dst"), memory.device_span(src, name, "src")
  memory.copy(to, from, to[3], name)
end

--- Copies the first nbytes bytes of device memory. Follows pycuda.driver.memcpy_dtod.
---@param dst cuna.MemoryPointer|cuna.Array
---@param src cuna.MemoryPointer|cuna.Array
---@param nbytes integer|nil default: all of src
---@usage cn.cuda.memcpy_dtod(cn.cuda.mem_alloc(8), cn.zeros(2), 8) -->
function F.memcpy_dtod(dst, src, nbytes)
  local name = "cuda.memcpy_dtod"
  args.check_dot("cuda.memcpy_dtod", dst)
  check_dtypes(dst, src, name)
  local to, from = memory.device_span(dst, name, "dst"), memory.device_span(src, name, "src")
  memory.copy(to, from, nbytes == nil and from[3] or check.count(nbytes, name, "nbytes"), name)
end

--- Sets the first `count` bytes of device memory to one value. Follows pycuda.driver.memset_d8.
---@param dst cuna.MemoryPointer|cuna.Array
---@param byte integer 0 to 255
---@param count integer|nil default: all
---@usage cn.cuda.memset(cn.cuda.mem_alloc(8), 0, 8) -->
function F.memset(dst, byte, count)
  args.check_dot("cuda.memset", dst)
  memory.fill(memory.device_span(dst, "cuda.memset", "dst"), byte, count, "cuda.memset")
end
F.memset_d8 = F.memset

-- ---- host arrays as arguments ----

local handler_metatable = {__index = function(_, key) fail("In, Out and InOut have no field '%s'", tostring(key)) end}

local function is_handler(value) return type(value) == "table" and getmetatable(value) == handler_metatable end

local function handler(name, x)
  args.check_dot("cuda." .. name, x)
  local is_list = name == "In" and type(x) == "table" and getmetatable(x) == nil
  if not (core.is_array(x) or is_list) then
    fail("cuda.%s: expected an array%s, got %s", name, name == "In" and " or a nested table" or "", check.show(x))
  end
  return setmetatable({[INSIDE] = {name = name, x = x}}, handler_metatable)
end

--- A host array that a kernel of a SourceModule reads: the kernel uses a copy. Follows pycuda.driver.In.
---@param x cuna.Array|table an array of the cpu device, or a nested table
---@return table
---@usage type(cn.cuda.In({1, 2})) --> table
function F.In(x) return handler("In", x) end

--- A host array that a kernel of a SourceModule fills. Follows pycuda.driver.Out.
---@param x cuna.Array of the cpu device
---@return table
---@usage type(cn.cuda.Out(cn.zeros(2))) --> table
function F.Out(x) return handler("Out", x) end

--- A host array that a kernel of a SourceModule reads and writes. Follows pycuda.driver.InOut.
---@param x cuna.Array of the cpu device
---@return table
---@usage type(cn.cuda.InOut(cn.zeros(2))) --> table
function F.InOut(x) return handler("InOut", x) end

--- The array on the kernel's device for In, Out or InOut, and whether it is copied back.
local function bring(kernel, k, state, device)
  local x, param = state.x, kernel.params and kernel.params[k]
  local name = ("%s: argument %d"):format(kernel.name, k)
  if type(x) == "table" then return core.as_array(x, param and param.dtype, device, name), false end
  if state.name == "Out" and x.device ~= device then return core.empty(x.shape, x.dtype, device, name), true end
  if x.device ~= device then return core.as_array(x, nil, device, name), state.name ~= "In" end
  if state.name ~= "In" and x.flags.c_contiguous then return x, false end
  return core.cast(x, nil, name), state.name ~= "In"
end

--- The device of a call: that of its first array, else of its first allocation, else the current one.
local function find_device(list, count)
  local device = nil
  for k = 1, count do
    if core.is_array(list[k]) then return list[k].device end
    if memory.is_pointer(list[k]) then device = device or list[k].device end
  end
  return device or core.current_device()
end

--- Copies host arrays to the device, launches, and copies them back, which waits for the kernel.
local function launch_now(kernel, grid, block, list, count, shared)
  local gx, gy, gz = units.lengths(kernel, "the grid", grid)
  local bx, by, bz = units.lengths(kernel, "the block", block)
  local back, device = nil, nil
  for k = 1, count do
    if is_handler(list[k]) then
      device = device or find_device(list, count)
      local state = rawget(list[k], INSIDE)
      local array, returns = bring(kernel, k, state, device)
      list[k] = array
      if returns then
        back = back or {}
        back[#back + 1] = {state.x, array}
      end
    end
  end
  if back then core.check_waiting(kernel.name) end
  units.launch(kernel, gx, gy, gz, bx, by, bz, list, shared, false)
  for _, pair in ipairs(back or {}) do core.copy(pair[1], pair[2], kernel.name) end
end

local function launch(stream, kernel, grid, block, list, count, shared)
  if stream == nil then return launch_now(kernel, grid, block, list, count, shared) end
  streams.run(stream, find_device(list, count), kernel.name, launch_now, kernel, grid, block, list, count, shared)
end

-- ---- functions ----

local CALL = {block = true, grid = true, shared = true, stream = true}
local PREPARED_CALL = {shared_size = true, stream = true}

--- Whether a value is a table of options: it has string keys and no metatable.
local function is_options(value, name)
  return type(value) == "table" and getmetatable(value) == nil and core.is_options(value, name)
end

local function fail_block(kernel)
  fail("%s: the block is missing; a call is %s(arguments..., {block = {x, y, z}, grid = {x, y}})", kernel.name,
    kernel.name)
end

local function read_shared(kernel, shared, name)
  return shared ~= nil and check.count(shared, kernel.name, name) or 0
end

local function call(self, ...)
  local kernel = self[INSIDE].kernel
  local count, list = select("#", ...), {...}
  local options = list[count]
  if not is_options(options, kernel.name) then fail_block(kernel) end
  args.check_known(kernel.name, options, CALL)
  if options.block == nil then fail_block(kernel) end
  list[count] = nil
  launch(options.stream, kernel, options.grid or 1, options.block, list, count - 1,
    read_shared(kernel, options.shared, "shared"))
end

jit.off(call) -- its JIT traces abort early: twenty times slower

-- Characters of Python's struct module and NumPy.
local LETTERS = {b = "int8", B = "uint8", h = "int16", H = "uint16", i = "int32", I = "uint32", l = "int64",
  L = "uint64", q = "int64", Q = "uint64", n = "int64", N = "uint64", e = "float16", f = "float32", d = "float64",
  F = "complex64", D = "complex128", ["?"] = "bool"}

--- The parameters of prepare's text, checked against the source.
local function read_types(kernel, types)
  local made, known = {}, kernel.params
  for letter in types:gmatch "%S" do
    local k, dtype = #made + 1, LETTERS[letter]
    if letter ~= "P" and not dtype then
      fail("%s: prepare: '%s' is not a type; P is a pointer, i an int, f a float, d a double", kernel.name, letter)
    end
    local param = known and known[k] or {name = tostring(k), kind = "opaque", text = letter}
    local is_opaque = param.kind == "opaque"
    if known and not is_opaque and (dtype and "number" or "pointer") ~= param.kind or
      (param.kind == "number" and (param.dtype ~= dtype or param.lanes > 1)) then
      fail("%s: prepare: argument %d is '%s' in the code, and '%s' is %s", kernel.name, k, param.text, letter,
        dtype or "a pointer")
    end
    made[k] = is_opaque and {name = param.name, text = param.text, kind = dtype and "number" or "pointer",
      dtype = dtype, lanes = 1} or param
  end
  if known and #made ~= #known then
    fail("%s: prepare: the kernel takes %d arguments (%s), and \"%s\" says %d", kernel.name, #known,
      units.describe(kernel), types, #made)
  end
  return made
end

--- A kernel of cn.cuda.SourceModule, called f(arguments..., {block = {x, y, z}, grid = {x, y}, shared = bytes, stream =
--- s}); its attributes (num_regs, shared_size_bytes, ...) are fields, as in cuna.RawKernel. Follows
--- pycuda.driver.Function.
---@class cuna.SourceFunction
---@field name string
---@overload fun(...: any)

local methods = {}

--- Declares the types of the arguments, one letter each, as Python's struct module does: P is a pointer, i an int, f a
--- float, d a double. Types that the source declares are checked; prepare adds the others.
---@param types string "PPi"
---@return cuna.SourceFunction
---@usage cn.cuda.SourceModule("__global__ void f(int n) {}"):get_function("f"):prepare("i").name --> f
function methods:prepare(types)
  local state = inside(self, "prepare", "a function")
  if type(types) ~= "string" then
    fail("%s: prepare: the types are a string such as \"PPi\", got %s", state.kernel.name, check.show(types))
  end
  state.prepared = units.with_params(state.kernel, read_types(state.kernel, types))
  return self
end

--- Launches a prepared function. {shared_size = bytes, stream = s} may follow the arguments.
---@param grid integer|integer[]
---@param block integer|integer[]
---@param ... any the arguments
---@usage cn.cuda.SourceModule("__global__ void f(int n) {}"):get_function("f"):prepare("i"):prepared_call(1, 1, 3) -->
function methods:prepared_call(grid, block, ...)
  local state = inside(self, "prepared_call", "a function")
  local kernel, shared, stream = state.prepared, 0, nil
  if not kernel then
    fail("%s: prepared_call: the types come first: f:prepare(\"PPi\")", state.kernel.name)
  end
  local count, list = select("#", ...), {...}
  if count > 0 and is_options(list[count], kernel.name) then
    args.check_known(kernel.name, list[count], PREPARED_CALL)
    shared, stream = read_shared(kernel, list[count].shared_size, "shared_size"), list[count].stream
    list[count], count = nil, count - 1
  end
  launch(stream, kernel, grid, block, list, count, shared)
end

local function field(self, key)
  local kernel = rawget(self, INSIDE).kernel
  if methods[key] then return methods[key] end
  if key == "name" then return kernel.name end
  if units.ATTRIBUTES[key] then return units.attribute(kernel, key) end
  fail("a function has no field '%s'%s", tostring(key), hint(key, methods, units.ATTRIBUTES))
end

local function set_field(self, key, value)
  if not units.ATTRIBUTES[key] then fail("a function's fields cannot be changed: '%s'", tostring(key)) end
  units.set_attribute(rawget(self, INSIDE).kernel, key, value)
end

local function to_text(self)
  local kernel = rawget(self, INSIDE).kernel
  return ("<function %s(%s)>"):format(kernel.name, units.describe(kernel))
end

local function_metatable = {__call = call, __index = field, __newindex = set_field, __tostring = to_text}

-- ---- modules ----

--- Kernels and variables of one source, from cn.cuda.SourceModule. Follows pycuda.compiler.SourceModule.
---@class cuna.SourceModule

local module_methods = {}

--- A kernel of the module, called f(arguments..., {block = {x, y, z}, grid = {x, y}, shared = bytes, stream = s}).
---@param name string
---@return cuna.SourceFunction
---@usage cn.cuda.SourceModule("__global__ void f() {}"):get_function("f").name --> f
function module_methods:get_function(name)
  local state = inside(self, "get_function", "a module")
  local kernel = units.kernel(state.unit, name)
  return setmetatable({[INSIDE] = {kernel = kernel}}, function_metatable)
end

--- A variable of the module on the current device: an array that shares its memory, and its size in bytes.
---@param name string
---@return cuna.Array
---@return integer nbytes
---@usage select(2, cn.cuda.SourceModule("__device__ int n[3]; __global__ void f() {}"):get_global "n") --> 12
function module_methods:get_global(name)
  local array = raw_kernel.variable(inside(self, "get_global", "a module").unit, name, "get_global")
  return array, array.nbytes
end

local module_metatable = {
  __index = function(_, key)
    if module_methods[key] then return module_methods[key] end
    fail("a module has no field '%s'%s; its kernels are module:get_function(name)", tostring(key),
      hint(key, module_methods))
  end,
  __newindex = function(_, key) fail("a module's fields cannot be changed: '%s'", tostring(key)) end,
  __tostring = function() return "<SourceModule>" end,
}

local function add_folders(options, folders)
  if options ~= nil and type(options) ~= "table" then
    fail("SourceModule: options is a table of strings, got %s", check.show(options))
  end
  if folders == nil then return options end
  if type(folders) ~= "table" then
    fail("SourceModule: include_dirs is a table of strings, got %s", check.show(folders))
  end
  local list = {unpack(options or {})}
  for _, folder in ipairs(folders) do list[#list + 1] = "-I" .. tostring(folder) end
  return list
end

local read_module = args.reader("SourceModule", {"source", "options", "include_dirs", "no_extern_c"})

--- Kernels from CUDA C++ source, with PyCUDA's interface. Follows pycuda.compiler.SourceModule: functions are called
--- f(a, b, {block = {4, 4, 1}, grid = {1, 1}, shared = 0, stream = s}), with arrays, numbers, allocations
--- (cn.cuda.mem_alloc) and host arrays (cn.cuda.In, Out, InOut). Numbers need no dtype, since the source declares it.
--- It runs on the cpu device too.
---@param source string CUDA C++; with or without `extern "C"`
---@param options string[]|nil compiler options, {"-DN=4"}
---@param include_dirs string[]|nil folders with headers
---@param no_extern_c boolean|nil accepted for compatibility with PyCUDA and ignored: C++ names are found too
---@return cuna.SourceModule
---@usage tostring(cn.cuda.SourceModule("__global__ void f(int n) {}"):get_function "f") --> <function f(int n)>
function F.SourceModule(...)
  local source, options, folders, no_extern_c = read_module(...)
  args.check_dot("cuda.SourceModule", source)
  check.boolean(no_extern_c, true, "SourceModule", "no_extern_c")
  if type(source) ~= "string" then
    fail("SourceModule: source is a string of CUDA C++, got %s", check.show(source))
  end
  return setmetatable({[INSIDE] = {unit = raw_kernel.unit("SourceModule", source, nil, add_folders(options, folders))}},
    module_metatable)
end

return M
