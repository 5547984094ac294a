--- raw_kernel.lua: user kernels from CUDA C++ source, as CuPy's RawKernel and RawModule.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local signature = require "cuna.kernel.raw_signature"
local suggest = require "cuna.base.suggest"
local units = require "cuna.kernel.raw_unit"

local M = {functions = {}}
local F = M.functions

local fail = check.fail
local INSIDE = {} -- the key of an object's state

--- A suggestion for a misspelt field: "; did you mean 'num_regs'?".
local hint = suggest.hint

-- ---- calls ----

local function read_options(kernel, options)
  if type(options) ~= "table" then
    fail("%s: options are a table such as {shared_mem = 1024}, got %s; pass all arguments in one table: "
      .. "%s(grid, block, {arguments})", kernel.name, check.show(options), kernel.name)
  end
  for key in pairs(options) do
    if key ~= "shared_mem" and key ~= "cooperative" and key ~= "stream" then
      fail("%s: unknown option '%s'; known are cooperative, shared_mem, stream", kernel.name, tostring(key))
    end
  end
  local shared = options.shared_mem
  if shared ~= nil then shared = check.count(shared, kernel.name, "shared_mem") end
  local is_cooperative = check.boolean(options.cooperative, kernel.is_cooperative, kernel.name, "cooperative")
  return shared or 0, is_cooperative, options.stream
end

--- Rejects arguments that are not a table, and missing arguments.
local function read_arguments(kernel, list)
  if list == nil and (kernel.count or 1) == 0 then return {} end
  if list == nil then
    fail("%s: the arguments (%s) are missing; a call is %s(grid, block, {arguments})", kernel.name,
      units.describe(kernel), kernel.name)
  end
  fail("%s: the arguments are a table, got %s; write %s(grid, block, {...})", kernel.name, check.show(list),
    kernel.name)
end

local function call(self, grid, block, list, options, extra)
  local kernel = self[INSIDE]
  if type(grid) == "table" and block == nil then
    fail("%s: the block is missing; a call is %s(grid, block, {arguments})", kernel.name, kernel.name)
  end
  local gx, gy, gz = units.lengths(kernel, "the grid", grid)
  local bx, by, bz = units.lengths(kernel, "the block", block)
  if type(list) ~= "table" then list = read_arguments(kernel, list) end
  local shared, is_cooperative, stream = 0, kernel.is_cooperative, nil
  if options ~= nil then shared, is_cooperative, stream = read_options(kernel, options) end
  if extra ~= nil then fail("%s: takes a grid, a block, arguments and options, got more", kernel.name) end
  units.launch(kernel, gx, gy, gz, bx, by, bz, list, shared, is_cooperative, stream)
end

-- ---- kernels as objects ----

--- A kernel of CUDA C++ source, from cn.RawKernel or module:get_function. Its attributes are those of the code compiled
--- for the current device. Follows cupy.RawKernel.
---@class cuna.RawKernel
---@field name string
---@field code string
---@field options string[]
---@field enable_cooperative_groups boolean
---@field attributes table<string, integer> all of the following, by name
---@field num_regs integer registers per thread; 0 on the cpu device, where this and the following have no meaning
---@field local_size_bytes integer per thread
---@field const_size_bytes integer
---@field ptx_version integer
---@field binary_version integer
---@field cache_mode_ca integer
---@field shared_size_bytes integer static; on the cpu device 0 if several kernels were compiled together
---@field max_threads_per_block integer
---@field max_dynamic_shared_size_bytes integer may be assigned
---@field preferred_shared_memory_carveout integer may be assigned
---@overload fun(grid: integer|integer[], block: integer|integer[], arguments: any[]|nil, options: table|nil)

local methods = {}

--- Compiles the kernel for the current device. Otherwise its first call does so.
---@return cuna.RawKernel
---@usage cn.RawKernel("__global__ void f() {}", "f"):compile().name --> f
function methods:compile()
  local kernel = type(self) == "table" and rawget(self, INSIDE)
  if not (kernel and kernel.functions) then -- a module's own
    fail "compile: a kernel's function is called with a colon: kernel:compile()"
  end
  units.function_on(kernel, core.current_device())
  return self
end

local FIELDS = {}

function FIELDS.name(kernel) return kernel.name end
function FIELDS.code(kernel) return kernel.unit.code end
function FIELDS.options(kernel) return {unpack(kernel.unit.options)} end
function FIELDS.enable_cooperative_groups(kernel) return kernel.is_cooperative end

--- All attributes by name, without those that the device does not have.
function FIELDS.attributes(kernel)
  local list = {}
  units.function_on(kernel, core.current_device())
  for name in pairs(units.ATTRIBUTES) do
    local known, value = pcall(units.attribute, kernel, name)
    if known then list[name] = value end
  end
  return list
end

local function field(self, key)
  local kernel = rawget(self, INSIDE)
  if methods[key] then return methods[key] end
  if FIELDS[key] then return FIELDS[key](kernel) end
  if units.ATTRIBUTES[key] then return units.attribute(kernel, key) end
  fail("a kernel has no field '%s'%s", tostring(key), hint(key, FIELDS, units.ATTRIBUTES, methods))
end

local function set_field(self, key, value)
  local kernel = rawget(self, INSIDE)
  if not units.ATTRIBUTES[key] then
    fail("a kernel's fields cannot be changed: '%s'%s", tostring(key), hint(key, units.SETTABLE))
  end
  units.set_attribute(kernel, key, value)
end

local function to_text(self)
  local kernel = rawget(self, INSIDE)
  return ("<RawKernel %s(%s)>"):format(kernel.name, units.describe(kernel))
end

local kernel_metatable = {__call = call, __index = field, __newindex = set_field, __tostring = to_text}

--- CuPy's choices of a compiler: there is one, which has cuComplex's functions and the headers that every device has.
local function check_compiler(what, backend, translate, jitify)
  if backend ~= nil and backend ~= "nvrtc" then
    fail("%s: backend is \"nvrtc\", got %s; what nvcc compiled is loaded by cn.RawModule {path = \"kernels.cubin\"}",
      what, check.show(backend))
  end
  check.boolean(translate, false, what, "translate_cucomplex")
  check.boolean(jitify, false, what, "jitify")
end

local read_kernel = args.reader("RawKernel", {"code", "name", "options", "backend", "translate_cucomplex",
  "enable_cooperative_groups", "jitify"}, 2)

--- Creates a kernel from CUDA C++ source. Follows cupy.RawKernel. It runs on the cpu device too.
---
--- It is called k(grid, block, {arguments}, {shared_mem = bytes, cooperative = boolean, stream = s}). grid and block
--- are the number of blocks, and of threads per block: a number or a table of up to three. The stream is for this call
--- only and must belong to the device where the kernel runs, which is that of the first array. The arguments are
--- checked against the parameters in the source: an array for a pointer must have its dtype, be contiguous and be on
--- the same device; a number must be in range. cn.scalar(v, dtype) is a number too, a complex64 array suits float2 *,
--- and a pointer may be a cn.cuda.MemoryPointer, an FFI pointer, or 0 for null. If a type cannot be read from the
--- source (a struct, a macro with arguments), pass cn.scalar(v, dtype), an FFI struct, or a string of the bytes.
--- Positions inside arrays are not checked. The kernel is compiled at its first call on a device, or by k:compile().
---
--- An access to unmapped memory, unbounded recursion or an illegal instruction ends the kernel and makes its device
--- unusable: the call (on a GPU the next synchronisation) raises a DeviceError, and so does every later use of the
--- device. The process and its other devices continue. On the cpu device the error names block and address, and also
--- the thread if the kernel synchronises threads; an integer division by 0 is such a fault there. A write to other
--- memory of the process is not detected. Locks that a kernel holds when it faults stay locked: after a fault inside of
--- printf, other threads wait for stdout forever. __trap() and a failed assert end a kernel too, but the cpu device
--- stays usable.
---
--- A thread has up to 512 KiB of local memory. A kernel that has become unreachable is unloaded later. Until then a
--- kernel with the same source may share its module, with the present values of its variables.
---
--- Lanes of a warp do not run in lockstep on the cpu device, and CUDA does not guarantee it since Volta: data that one
--- lane writes to shared memory and another reads needs __syncwarp() in between, even if the memory is volatile.
---@param code string CUDA C++; `extern "C"` is not needed
---@param name string of the kernel, with namespace and template arguments if it has any: "f", "ns::f<float, 3>"
---@param options string[]|nil compiler options, {"-DN=4", "--use_fast_math"}
---@param backend string|nil "nvrtc": accepted for compatibility with CuPy, as the next one and jitify are
---@param translate_cucomplex boolean|nil ignored: cuComplex.h is there on every device
---@param enable_cooperative_groups boolean|nil calls are cooperative launches, whose blocks run at once (grid.sync())
---@param jitify boolean|nil ignored
---@return cuna.RawKernel
---@usage tostring(cn.RawKernel("__global__ void f(float *x, int n) {}", "f")) --> <RawKernel f(float *x, int n)>
function F.RawKernel(...)
  local code, name, options, backend, translate, is_cooperative, jitify = read_kernel(...)
  check.dot(code, "RawKernel")
  check_compiler("RawKernel", backend, translate, jitify)
  is_cooperative = check.boolean(is_cooperative, false, "RawKernel", "enable_cooperative_groups")
  if type(name) == "string" and name:find("__global__", 1, true) then
    fail "RawKernel: the name has code in it; write RawKernel(code, name)"
  end
  local label = type(name) == "string" and name:find "%S" and name or nil
  local unit = units.new("RawKernel", code, options, label)
  return setmetatable({[INSIDE] = units.kernel(unit, name, is_cooperative)}, kernel_metatable)
end

-- ---- modules ----

--- Kernels and variables of one source or image, from cn.RawModule. Follows cupy.RawModule.
---@class cuna.RawModule
---@field code string|nil
---@field options string[]
---@field name_expressions string[]
---@field file_path string|nil

local module_methods = {}

local function check_module(self, name)
  local state = type(self) == "table" and rawget(self, INSIDE)
  if not state then fail("%s: a module's function is called with a colon: module:%s()", name, name) end
  return state
end

--- A kernel of the module, by its name or a template instance.
---@param name string "f", "ns::f", "f<float, 3>"
---@return cuna.RawKernel
---@usage cn.RawModule {code = "__global__ void f() {}"}:get_function("f").name --> f
function module_methods:get_function(name)
  local state = check_module(self, "get_function")
  local kernel = type(name) == "string" and state.kernels[name]
  if not kernel then
    kernel = units.kernel(state.unit, name, state.is_cooperative)
    kernel = setmetatable({[INSIDE] = kernel}, kernel_metatable)
    state.kernels[name] = kernel
  end
  return kernel
end

local function count_of(variable)
  if not (variable and variable.dtype and variable.shape) then return nil end
  local count = variable.lanes
  for _, length in ipairs(variable.shape) do count = count * length end
  return count
end

--- The declared shape of a variable: float4 v[8] has (8, 4), a number (1,).
local function shape_of(variable, count)
  local shape = {unpack(variable.shape)}
  if variable.lanes > 1 then shape[#shape + 1] = variable.lanes end
  return count > 0 and #shape > 1 and shape or nil
end

--- A variable of a unit on the current device, as an array that shares its memory.
function M.variable(unit, name, what)
  if type(name) ~= "string" then
    fail("%s: the name of a variable is a string, got %s", what, check.show(name))
  end
  local variable, symbol = nil, name
  if unit.source then variable, symbol = signature.variable(unit.source, name, what) end
  local module, count = units.module(unit, core.current_device()), count_of(variable)
  local array = core.raw_global(module, symbol, variable and variable.dtype, count)
  local shape = count and shape_of(variable, count)
  return shape and core.reshape(array, shape, what) or array
end

--- A variable of the module (__device__, __constant__) on the current device, as an array that shares its memory. Its
--- dtype and shape are those declared in the source, or bytes (uint8) if they cannot be determined.
---@param name string "limit", "ns::limit"
---@return cuna.Array
---@usage cn.RawModule {code = "__device__ int n[3]; __global__ void f() {}"}:get_global("n").shape --> (3,)
function module_methods:get_global(name)
  return M.variable(check_module(self, "get_global").unit, name, "get_global")
end

--- Compiles the module for the current device. Otherwise the first call of a kernel does so.
---@return cuna.RawModule
---@usage tostring(cn.RawModule {code = "__global__ void f() {}"}:compile()) --> <RawModule f>
function module_methods:compile()
  units.module(check_module(self, "compile").unit, core.current_device())
  return self
end

local MODULE_FIELDS = {}

function MODULE_FIELDS.code(state) return state.unit.code end
function MODULE_FIELDS.options(state) return {unpack(state.unit.options)} end
function MODULE_FIELDS.name_expressions(state) return {unpack(state.name_expressions)} end
function MODULE_FIELDS.file_path(state) return state.path end

local function module_field(self, key)
  if module_methods[key] then return module_methods[key] end
  if MODULE_FIELDS[key] then return MODULE_FIELDS[key](rawget(self, INSIDE)) end
  fail("a module has no field '%s'%s; its kernels are module:get_function(name)", tostring(key),
    hint(key, MODULE_FIELDS, module_methods))
end

local function refuse_field(_, key) fail("a module's fields cannot be changed: '%s'", tostring(key)) end

local function module_to_text(self)
  local state, names = rawget(self, INSIDE), {}
  if not state.unit.source then return "<RawModule of an image>" end
  for k, kernel in ipairs(state.unit.source.order) do names[k] = kernel.name .. (kernel.template and "<>" or "") end
  return ("<RawModule %s>"):format(table.concat(names, ", "))
end

local module_metatable = {__index = module_field, __newindex = refuse_field, __tostring = module_to_text}

local function read_file(path)
  if type(path) ~= "string" then fail("RawModule: path is a string, got %s", check.show(path)) end
  local file, problem = io.open(path, "rb")
  if not file then fail("RawModule: cannot open %s", problem) end
  local bytes = file:read "*a"
  file:close()
  if not bytes then fail("RawModule: cannot read %s", path) end
  return bytes
end

--- Adds all kernels that the compiler certainly finds, so that one compilation serves them.
local function add_kernels(unit)
  for _, kernel in ipairs(unit.source.order) do
    local is_sure = kernel.is_defined and not (kernel.template or kernel.doubtful or kernel.is_hidden)
    if is_sure then units.add_expression(unit, kernel.name) end
  end
end

local function add_names(state, names)
  if names == nil then return {} end
  if type(names) ~= "table" then
    fail("RawModule: name_expressions is a table of strings such as {\"f<float>\"}, got %s", check.show(names))
  end
  for key in pairs(names) do
    if type(key) ~= "number" then fail "RawModule: name_expressions is a table of strings such as {\"f<float>\"}" end
  end
  for _, name in ipairs(names) do module_methods.get_function({[INSIDE] = state}, name) end
  return names
end

--- A unit of the code, or of the contents of the file at `path`.
function M.unit(what, code, path, options)
  if code ~= nil and path ~= nil then fail("%s: both code and path are given; pass one", what) end
  if code == nil and path == nil then fail("%s: code or path is missing", what) end
  local folder = type(path) == "string" and (path:match "^(.*)/[^/]*$" or ".")
  local unit = units.new(what, path ~= nil and read_file(path) or code, options, path, folder)
  if unit.source then add_kernels(unit) end
  return unit
end

local read_module = args.reader("RawModule", {"code", "options", "path", "name_expressions",
  "enable_cooperative_groups", "backend", "translate_cucomplex", "jitify"}, 0)

--- Kernels and variables of one source or of a compiled image. Follows cupy.RawModule, but instances of templates need
--- not be listed. Its methods are get_function(name), get_global(name) and compile().
---@param code string|nil CUDA C++, or an image: cubin, fatbin, PTX
---@param options string[]|nil compiler options, {"-DN=4"}
---@param path string|nil instead of code: a file with source or an image
---@param name_expressions string[]|nil instances of templates to compile with the others, {"f<float>", "f<double>"}
---@param enable_cooperative_groups boolean|nil calls are cooperative launches, whose blocks run at once (grid.sync())
---@param backend string|nil "nvrtc": accepted for compatibility with CuPy, as the next two are
---@param translate_cucomplex boolean|nil ignored: cuComplex.h is there on every device
---@param jitify boolean|nil ignored
---@return cuna.RawModule
---@usage tostring(cn.RawModule {code = "__global__ void f(float *x) {}"}:get_function "f") --> <RawKernel f(float *x)>
function F.RawModule(...)
  local code, options, path, names, is_cooperative, backend, translate, jitify = read_module(...)
  check.dot(code, "RawModule")
  check_compiler("RawModule", backend, translate, jitify)
  is_cooperative = check.boolean(is_cooperative, false, "RawModule", "enable_cooperative_groups")
  local unit = M.unit("RawModule", code, path, options)
  if names and not unit.source then fail "RawModule: name_expressions are for source, and the code is an image" end
  local state = {unit = unit, kernels = {}, is_cooperative = is_cooperative, path = path}
  state.name_expressions = add_names(state, names)
  units.fix(unit)
  return setmetatable({[INSIDE] = state}, module_metatable)
end

return M
