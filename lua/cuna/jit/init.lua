--- jit/init.lua: cn.jit, which translates kernels written in Lua and runs them on the device.
--
-- A call descends a tree by the types of its arguments (dtype, axes and density of an array, kind of a number) to the
-- variants for them: translations that differ in constants which the function captured. A variant is compiled once per
-- device.
local args = require "cuna.base.args"
local branch = require("cuna.base.program").branch
local calls = require "cuna.jit.calls"
local check = require "cuna.base.check"
local constants = require "cuna.jit.constant"
local core = require "cuna.core"
local cub = require "cuna.jit.cub"
local devices = require "cuna.device"
local ffi = require "ffi"
local functions = require "cuna.jit.function"
local groups = require "cuna.jit.group"
local new_table = require "table.new"
local range = require "cuna.jit.range"
local report = require "cuna.jit.report"
local source = require "cuna.jit.source"
local streams = require "cuna.device.stream"
local suggest = require "cuna.base.suggest"
local thrust = require "cuna.jit.thrust"
local types = require "cuna.jit.types"
local units = require "cuna.kernel.raw_unit"

local M = {namespace = calls.namespace}
local F = calls.namespace -- cn.jit

local fail = check.fail
local metatable_of, ARRAY = debug.getmetatable, core.metatable()
local INSIDE = {} -- the key of a kernel's state

--- Calls fn and raises its problem at the line of the kernel that caused it.
local function at_its_line(kernel_name, fn, ...)
  local ok, result = pcall(fn, ...)
  if ok then return result end
  if type(result) ~= "table" or not result.line then error(result, 0) end
  error(("%s:%d: cuna: %s: %s"):format(result.file, result.line, kernel_name, result.message), 0)
end

-- ---- types of arguments ----

local uint64 = ffi.typeof "uint64_t"

--- The kind of a number: "int64", "weak", "int64 strong", ...; nil for other values.
local function kind_of_number(value)
  local kind = type(value)
  if kind == "number" then
    local is_whole = value % 1 == 0 and value >= -2 ^ 63 and value < 2 ^ 63 and not (value == 0 and 1 / value < 0)
    return is_whole and "int64" or "weak"
  elseif kind == "boolean" then
    return "bool"
  end
  local word = kind == "cdata" and core.number_kind(value)
  if word and word ~= "complex" then return ffi.istype(uint64, value) and "uint64 strong" or "int64 strong" end
end

-- Numbers of calls, by kind. Those of Lua are weak; a whole one may be the first value of a sum of floats.
local NUMBERS = {int64 = {type = "int64", is_open = true}, weak = {type = "float64", weak = true},
  bool = {type = "bool"}, ["int64 strong"] = {type = "int64"}, ["uint64 strong"] = {type = "uint64"}}

local function refuse(kernel, k, value)
  local name = kernel.found.tree.params[k].name
  if value == nil then fail("%s: argument '%s' is missing", kernel.name, name) end
  fail("%s: argument '%s' is an array, a number or a boolean, got %s", kernel.name, name, check.show(value))
end

--- A 0-d array is passed as a number of its dtype.
local function describe_scalar(kernel, k, dtype)
  local t = types.of(dtype)
  if not t then
    fail("%s: argument '%s' is %s, and kernels written in Lua have no complex numbers", kernel.name,
      kernel.found.tree.params[k].name, dtype)
  end
  return {type = t.name}
end

--- The description of an argument for the translator.
local function describe(kernel, k, value)
  if metatable_of(value) ~= ARRAY then return NUMBERS[kind_of_number(value)] end
  core.check_alive(value, ("%s: argument '%s'"):format(kernel.name, kernel.found.tree.params[k].name))
  local dtype, ndim = value.dtype, value.ndim
  if ndim == 0 then return describe_scalar(kernel, k, dtype) end
  if not types.of(dtype) then describe_scalar(kernel, k, dtype) end
  return {array = {dtype = dtype, ndim = ndim, dense = core.raw_layout(value) % 2 == 1}}
end

--- The variants for these arguments.
local function find_variants(kernel, values, count, has_checks)
  local node = branch(kernel.variants, has_checks)
  for k = 1, count do
    local value = values[k]
    node = branch(node, core.raw_layout(value) or kind_of_number(value) or refuse(kernel, k, value))
  end
  return branch(node, "variants")
end

-- ---- variants ----

--- Whether two constants are the same. NaN equals itself, and 0 differs from -0.
local function is_same(a, b)
  if rawequal(a, b) then return a ~= 0 or 1 / a == 1 / b end
  return a ~= a and b ~= b
end

--- Whether the values that a translation read are unchanged.
local function is_current(variant)
  local captures = variant.captures
  for k = 1, #captures do
    local ok, value = pcall(constants.walk, captures[k].way)
    if not ok or not is_same(value, captures[k].value) then return false end
  end
  return true
end

local function translate(kernel, list, has_checks, proves)
  local variant = at_its_line(kernel.name, functions.translate, kernel.found, kernel.symbol, list, has_checks, proves)
  variant.made, variant.list, variant.has_checks = {}, list, #variant.sites > 0
  for k = #list, 1, -1 do variant.first_array = list[k].array and k or variant.first_array end
  return variant
end

--- The variant that checks all positions, for launches that do not meet all conditions.
local function find_careful(kernel, variant)
  variant.careful = variant.careful or translate(kernel, variant.list, true, false)
  return variant.careful
end

--- The variant for these arguments; translates the kernel if there is none.
local function find_variant(kernel, values, count, has_checks)
  local list = find_variants(kernel, values, count, has_checks)
  for k = 1, #list do
    if is_current(list[k]) then return list[k] end
  end
  local descriptions = {}
  for k = 1, count do descriptions[k] = describe(kernel, k, values[k]) end
  local variant = translate(kernel, descriptions, has_checks, true)
  table.insert(list, 1, variant)
  return variant
end

-- ---- launches ----

local modules = setmetatable({}, {__mode = "k"}) -- by device, then by text: those that some kernel still has

--- The compiled text of a variant. Kernels of closures of one function share it.
local function module_of(kernel, variant, device)
  local list = modules[device] or setmetatable({}, {__mode = "v"})
  modules[device] = list
  local module = list[variant.text]
  if not module then
    module = core.raw_compile(device, kernel.name, variant.text, {}, {kernel.symbol})
    list[variant.text] = module
  end
  return module
end

--- A variant's function on a device.
local function make(kernel, variant, device)
  local module = module_of(kernel, variant, device)
  local made = {kernel = kernel, variant = variant, device = device, launches = 0, module = module,
    fn = core.raw_function(module, kernel.symbol, kernel.name, variant.params)}
  variant.made[device] = made
  return made
end

local function fail_device(kernel, k, value, device)
  fail("%s: argument '%s' is on %s, and the kernel runs on %s; move it with x:to(%q)", kernel.name,
    kernel.found.tree.params[k].name, value.device.name, device.name, device.name)
end

--- The address of an array that is not dense, after the checks that C makes of other arrays.
local function address_of(kernel, param, value, device)
  if value.device ~= device then fail_device(kernel, param.argument, value, device) end
  if not param.const and not value.flags.writeable then
    fail("%s: argument '%s' is written to, and is %s; pass a copy (x:copy())", kernel.name, param.name,
      core.why_readonly(value))
  end
  return core.raw_address(value)
end

local function stride_of(kernel, param, value)
  local stride = value.strides[param.stride] / value.itemsize
  if stride % 1 ~= 0 then
    fail("%s: argument '%s' has strides that are not multiples of the element size; pass a copy (x:copy())",
      kernel.name, param.name)
  end
  return stride
end

--- The argument for a parameter in C++.
local function passed(kernel, param, value, device)
  if param.axis then return param.is_only and value.size or value.shape[param.axis] end
  if param.stride then return stride_of(kernel, param, value) end
  if param.kind == "pointer" then
    return param.info.dense and value or address_of(kernel, param, value, device)
  end
  if metatable_of(value) ~= ARRAY then return value end
  if not core.may_wait() then core.check_waiting(("%s: the 0-d array '%s'"):format(kernel.name, param.name)) end
  return value:item()
end

--- Whether a launch meets the conditions under which checks are omitted.
local function has_proof(conditions, list, gx, gy, gz, bx, by, bz)
  if conditions.of_launch then
    list[-1], list[-2], list[-3], list[-4], list[-5], list[-6] = bx, by, bz, gx * bx, gy * by, gz * bz
  end
  return range.hold(conditions, list)
end

--- Classes of cn.jit.cub know the size of blocks.
local function check_block(kernel, block, bx, by, bz)
  if block[1] == bx and block[2] == by and block[3] == bz then return end
  fail("%s: cn.jit.cub's classes are for blocks of %s threads, and the launch has %s", kernel.name,
    table.concat(block, " x "), table.concat({bx, by, bz}, " x "))
end

local function launch(kernel, variant, device, gx, gy, gz, bx, by, bz, values, shared)
  local params = variant.params
  if variant.block then check_block(kernel, variant.block, bx, by, bz) end
  local list = new_table(#params, 0)
  for j = 1, #params do
    local param = params[j]
    list[j] = param.argument and passed(kernel, param, values[param.argument], device) or shared
  end
  if #variant.conditions > 0 and not has_proof(variant.conditions, list, gx, gy, gz, bx, by, bz) then
    variant = find_careful(kernel, variant)
  end
  local made = variant.made[device] or make(kernel, variant, device)
  local last = params[#params]
  if last and last.name == "jit_error" and not last.argument then list[#params] = report.words(made) end
  core.raw_launch(made.fn, gx, gy, gz, bx, by, bz, shared, variant.is_cooperative, list, #params)
  if variant.has_checks then report.watch(made) end
end

-- ---- kernels as objects ----

local function read_options(kernel, options, has_checks)
  if type(options) ~= "table" then
    fail("%s: options are a table such as {boundscheck = false}, got %s; pass all arguments in one table: "
      .. "%s(grid, block, {arguments})", kernel.name, check.show(options), kernel.name)
  end
  for key in pairs(options) do
    if key ~= "boundscheck" and key ~= "shared_mem" and key ~= "stream" then
      fail("%s: unknown option '%s'; known are boundscheck, shared_mem, stream", kernel.name, tostring(key))
    end
  end
  if options.shared_mem ~= nil then check.count(options.shared_mem, kernel.name, "shared_mem") end
  has_checks = check.boolean(options.boundscheck, has_checks, kernel.name, "boundscheck")
  return has_checks, options.shared_mem or 0, options.stream
end

--- Rejects arguments that do not match the kernel's parameters.
local function check_arguments(kernel, list)
  local params = kernel.found.tree.params
  if type(list) ~= "table" then
    fail("%s: the arguments are a table, got %s; a call is %s(grid, block, {%s})", kernel.name, check.show(list),
      kernel.name, kernel.signature)
  end
  for key in pairs(list) do
    if type(key) ~= "number" or key < 1 or key > #params or key % 1 ~= 0 then
      fail("%s: takes %d arguments (%s), and the table has the key '%s'", kernel.name, #params, kernel.signature,
        tostring(key))
    end
  end
  for k = 1, #params do
    if list[k] == nil then refuse(kernel, k, nil) end
  end
  return #params
end

local function call(self, grid, block, list, options, extra)
  local kernel = self[INSIDE]
  local gx, gy, gz = units.lengths(kernel, "the grid", grid)
  local bx, by, bz = units.lengths(kernel, "the block", block)
  if list == nil and #kernel.found.tree.params == 0 then list = {} end
  local count = check_arguments(kernel, list)
  local has_checks, shared, stream = kernel.has_checks, 0, nil
  if options ~= nil then has_checks, shared, stream = read_options(kernel, options, has_checks) end
  if extra ~= nil then fail("%s: takes a grid, a block, arguments and options, got more", kernel.name) end
  local variant = find_variant(kernel, list, count, has_checks)
  local device = variant.first_array and list[variant.first_array].device or core.current_device()
  if stream == nil then return launch(kernel, variant, device, gx, gy, gz, bx, by, bz, list, shared) end
  streams.run(stream, device, kernel.name, launch, kernel, variant, device, gx, gy, gz, bx, by, bz, list, shared)
end

--- A kernel created by cn.jit.rawkernel, called k(grid, block, {arguments}, options).
---@class cuna.jit.Kernel
---@field name string
---@overload fun(grid: integer|integer[], block: integer|integer[], arguments: any[]|nil, options: table|nil)

local methods = {}

--- The CUDA C++ translation of a kernel for certain arguments, without the fixed text before it.
---@param ... cuna.Array|number|boolean the arguments
---@return string
---@usage cn.jit.rawkernel("function(x) x[1] = 2 end"):source(cn.zeros(1)):match "2.*;" --> 2.0, 1ll);
function methods:source(...)
  local kernel = type(self) == "table" and rawget(self, INSIDE)
  if not kernel then fail "source: a kernel's function is called with a colon: kernel:source(x, y)" end
  local list = {...}
  local count = check_arguments(kernel, list)
  return find_variant(kernel, list, count, kernel.has_checks).kernel_text
end

--- Numba's form of a call: k[{grid, block}](x, y).
local function at_shape(self, shape)
  if shape[1] == nil or shape[2] == nil or shape[3] ~= nil then
    fail("%s: a launch is kernel[{grid, block}](x, y), or kernel(grid, block, {x, y})", rawget(self, INSIDE).name)
  end
  return function(...) return call(self, shape[1], shape[2], {...}) end
end

local function field(self, key)
  if methods[key] then return methods[key] end
  if type(key) == "table" then return at_shape(self, key) end
  if key == "name" then return rawget(self, INSIDE).name end
  fail("a kernel has no field '%s'%s", tostring(key), suggest.hint(key, methods, {name = true}))
end

local function refuse_field(_, key) fail("a kernel's fields cannot be changed: '%s'", tostring(key)) end

local function to_text(self)
  local kernel = rawget(self, INSIDE)
  return ("<jit.rawkernel %s(%s)>"):format(kernel.name, kernel.signature)
end

local kernel_metatable = {__call = call, __index = field, __newindex = refuse_field, __tostring = to_text}

-- ---- making kernels ----

local function make_kernel(found, name, has_checks)
  if not found.tree then found.tree = at_its_line(name, functions.parse, found) end
  local kernel = {found = found, name = name, symbol = "jit_" .. name, variants = {}, has_checks = has_checks}
  local words = {}
  for k, variable in ipairs(found.tree.params) do words[k] = variable.name end
  kernel.signature = table.concat(words, ", ")
  return setmetatable({[INSIDE] = kernel}, kernel_metatable)
end

local read_arguments = args.reader("jit.rawkernel", {"fn", "name", "boundscheck"}, 1)

--- The environment of a kernel given as text: the globals, cuna as `cn`, and perhaps a function as `fn`.
local function text_environment(fn)
  return setmetatable({cn = args.namespace, fn = fn}, {__index = _G})
end

local function find_source(fn)
  if type(fn) == "string" then return source.read(fn, text_environment()) end
  if type(fn) ~= "function" then
    fail("jit.rawkernel: expected a function, or its text as a string, got %s", check.show(fn))
  end
  return source.find(fn)
end

local function read_name(name, found)
  if name == nil then name = (found.name or ""):find "^[%w_]+$" and found.name or "kernel" end
  if type(name) ~= "string" or not name:find "^[%a_][%w_]*$" then
    fail("jit.rawkernel: name is an identifier, got %s", check.show(name))
  end
  return name
end

--- cn.jit: thread indices, synchronisation, shared memory and other functions of CUDA for kernels written in Lua. All
--- except rawkernel can be used in kernels only.
---@class cuna.jit
---@field threadIdx {x: integer, y: integer, z: integer} from 0
---@field blockIdx {x: integer, y: integer, z: integer} from 0
---@field blockDim {x: integer, y: integer, z: integer}
---@field gridDim {x: integer, y: integer, z: integer}
---@field warpsize integer 32
---@field grid fun(ndim: 1|2|3): integer, ... position of the thread among all, from 1, along each axis
---@field gridsize fun(ndim: 1|2|3): integer, ... number of threads along each axis
---@field laneid fun(): integer position of the thread in its warp, from 0
---@field syncthreads fun() waits for all threads of the block
---@field syncwarp fun(mask: integer|nil) waits for the threads of the warp
---@field shared_memory fun(dtype: string, shape: cuna.Shape|nil): cuna.Array of a block; default: shared_mem bytes
---@field cast fun(value: number|boolean, dtype: string): number
---@field atomic_add fun(x: cuna.Array, position: integer|integer[], value: number): number returns the old element
---@field atomic_sub fun(x: cuna.Array, position: integer|integer[], value: number): number
---@field atomic_exch fun(x: cuna.Array, position: integer|integer[], value: number): number
---@field atomic_min fun(x: cuna.Array, position: integer|integer[], value: number): number
---@field atomic_max fun(x: cuna.Array, position: integer|integer[], value: number): number
---@field atomic_and fun(x: cuna.Array, position: integer|integer[], value: integer): integer
---@field atomic_or fun(x: cuna.Array, position: integer|integer[], value: integer): integer
---@field atomic_xor fun(x: cuna.Array, position: integer|integer[], value: integer): integer
---@field atomic_inc fun(x: cuna.Array, position: integer|integer[], limit: integer): integer
---@field atomic_dec fun(x: cuna.Array, position: integer|integer[], limit: integer): integer
---@field atomic_cas fun(x: cuna.Array, position: integer|integer[], expected: integer, value: integer): integer
---@field shfl_sync fun(mask: integer, value: number, lane: integer, width: integer|nil): number
---@field shfl_up_sync fun(mask: integer, value: number, delta: integer, width: integer|nil): number
---@field shfl_down_sync fun(mask: integer, value: number, delta: integer, width: integer|nil): number
---@field shfl_xor_sync fun(mask: integer, value: number, lane_mask: integer, width: integer|nil): number
---@field all_sync fun(mask: integer, value: boolean): boolean
---@field any_sync fun(mask: integer, value: boolean): boolean
---@field ballot_sync fun(mask: integer, value: boolean): integer
---@field cg cuna.jit.cg cooperative groups
---@field cub cuna.jit.cub reductions and scans of warps and blocks
---@field thrust cuna.jit.thrust algorithms of single threads

--- Creates a kernel from a function written in Lua, whose text is translated to CUDA C++ for the types of a call's
--- arguments. Follows cupyx.jit.rawkernel. It runs on the cpu device too.
---
--- It is called k(grid, block, {arguments}, {boundscheck = boolean, shared_mem = bytes, stream = s}), or in Numba's
--- form k[{grid, block}](x, y). grid and block are the number of blocks, and of threads per block: a number or a table
--- of up to three. The stream is for this call only. Arguments are arrays of any layout (x[i], x[{i, j}] or x[i][j],
--- positions from 1, #x, x.size, x.ndim, x.shape[d], x.strides[d] in bytes, x.dtype), numbers and booleans; a 0-d
--- array, such as cn.scalar(v, dtype), is a number of its dtype. Fewer positions than axes give a row, which is an
--- array. A position outside of an array reads 0, writes nothing and raises an error: on the cpu device in the call,
--- elsewhere at cn.synchronize() or in a later call; with CUNA_SYNC=1 always in the call itself.
---
--- The function may use locals, arithmetic, comparisons, and or not, if, numeric for, while, repeat, break, inner
--- functions and captured ones; captured numbers, strings and booleans are constants. A variable has the type of its
--- first value. An integer combined with a float takes the float's dtype; so do a literal, a Lua number with a fraction
--- and int / int. `/` is a division of floats, `%` is Lua's. The results of math.floor and math.ceil can be stored in
--- integers and used as positions; those of int / int are exact. Available are math.*, bit.* (in the width of the
--- operand), and the other functions of cn.jit.
---@param fn function|string the kernel, or its text: "function(x) ... end"
---@param name string|nil for messages; default: the variable that the kernel is assigned to
---@param boundscheck boolean|nil default of the option of calls: whether positions are checked; default true
---@return cuna.jit.Kernel
---@usage cn.jit.rawkernel [[function(x, y) local i = cn.jit.grid(1) y[i] = x[i] end]] --> <jit.rawkernel kernel(x, y)>
F.rawkernel = function(...)
  local fn, name, has_checks = read_arguments(...)
  args.check_dot("jit.rawkernel", fn)
  local found, problem = find_source(fn)
  if not found then fail("jit.rawkernel: %s", problem) end
  return make_kernel(found, read_name(name, found), check.boolean(has_checks, true, "jit.rawkernel", "boundscheck"))
end

--- A kernel of a text that calls a function by the name `fn`, without checks of positions.
---@return cuna.jit.Kernel
function M.kernel_of(text, name, fn) return make_kernel(source.read(text, text_environment(fn)), name, false) end

--- The types of the results of a function that a kernel calls with these arguments.
---@param kernel cuna.jit.Kernel
---@param values any[] the kernel's arguments
---@param fn function
---@return table[] {type, weak, ...}
function M.results_of(kernel, values, fn)
  kernel = kernel[INSIDE]
  local tree = functions.source_of(fn).tree
  for _, made in pairs(find_variant(kernel, values, #values, false).instances) do
    if made.fn == tree then return made.list end
  end
end

F.cg, F.cub, F.thrust = groups.namespace, cub.namespace, thrust.namespace
constants.namespaces[args.namespace] = true
devices.watchers[#devices.watchers + 1] = report.look
return M
