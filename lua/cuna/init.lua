--- cuna: arrays with a GPU's speed for LuaJIT. This file assembles the namespace and has no logic of its own.
if not jit then error("cuna: needs LuaJIT, and this is " .. _VERSION .. "; for busted write busted --lua=luajit", 3) end
local loaded, core = pcall(require, "cuna.core")
-- A bad environment variable is reported at the line that loads cuna: the core does not know this file's folder yet.
if not loaded then error((core:gsub("^[^\n]-: cuna: ", "cuna: ")), 3) end

core.set_home(require("cuna.base.home").folder)

local args = require "cuna.base.args"
local cdata = require "cuna.base.cdata"
local dtype_rules = require "cuna.base.dtype_rules"
local later = require "cuna.base.later"
local suggest = require "cuna.base.suggest"

local pool, text = later.functions "device.pool", later.functions "io.text"

local cn = {
  newaxis = core.newaxis, ellipsis = core.ellipsis, pi = math.pi, e = math.exp(1), euler_gamma = 0.5772156649015329,
  inf = math.huge,
  nan = math.abs(0 / 0), -- without the sign that x86 gives 0 / 0
  _VERSION = "0.1.0",
}
args.namespace, args.namespaces[cn] = cn, "cuna"

for _, dtype in ipairs(core.dtypes) do cn[dtype.name] = dtype.name end

for _, name in ipairs {"elementwise", "manipulate", "create", "array", "device", "device.waiting", "stand_in"} do
  for key, value in pairs(require("cuna." .. name).functions) do cn[key] = value end
end

require("cuna.method").insist()

-- Loaded when one of their functions is first used: this halves the time that loading takes.
local LATER = {
  fuse = "fuse", vectorize = "fuse", ElementwiseKernel = "kernel.elementwise_kernel",
  ReductionKernel = "kernel.reduction_kernel", ScanKernel = "kernel.scan_kernel", RawKernel = "kernel.raw_kernel",
  RawModule = "kernel.raw_kernel", graph = "device.graph", cuda = "device.cuda",
  is_eager = "device.recording", set_eager = "device.recording", evaluate = "device.recording",
}
-- Of operations: add_reduce, ...
local FORMS = {reduce = "ufunc", accumulate = "ufunc", reduceat = "ufunc", outer = "ufunc"}
local NAMESPACES = {testing = "testing", jit = "jit", profiler = "device.profiler", linalg = "linalg",
  random = "random", fft = "fft", distributed = "distributed", special = "special", ndimage = "ndimage",
  sparse = "sparse", signal = "signal", stats = "stats", interpolate = "interpolate",
  cm = "picture.cm", plot = "plot", h5 = "io.h5"}

--- A complex number, for parts that are variables: 1 + 2i is one too. Complex numbers, which elements of complex arrays
--- are, have + - * / ^ among themselves and with numbers and arrays, ==, and the fields re and im.
---@param re number
---@param im number|nil default 0
---@return ffi.cdata* complex a boxed number that operations take like a Lua number
---@usage cn.complex(1, 2) --> 1+2i
---@usage 2i * cn.complex(1, 2), cn.complex(1, 2).im --> -4+2i, 2
cn.complex = cdata.complex

--- The default memory pool of arrays; cn.cuda.set_allocator selects another. It has the methods used_bytes, free_bytes,
--- total_bytes, n_free_blocks, free_all_blocks, set_limit, get_limit, malloc and with, which use the current device, or
--- the one given last. Follows cupy.get_default_memory_pool.
---@return cuna.MemoryPool
---@usage cn.get_default_memory_pool():n_free_blocks() >= 0 --> true
cn.get_default_memory_pool = pool.default

--- The pool of pinned arrays (cn.empty_pinned), with the same functions; what transfers keep for themselves it counts
--- as free. Follows cupy.get_default_pinned_memory_pool.
---@return cuna.MemoryPool
---@usage cn.get_default_pinned_memory_pool():n_free_blocks() >= 0 --> true
cn.get_default_pinned_memory_pool = pool.default_pinned

--- Reads an array from delimited text: a row for each line; blank lines and comments are skipped. A field that is not
--- a number, a line of another length or a missing column is an error that names file, line and column. Follows
--- numpy.loadtxt.
---@param source string|table a path, or {text = s}
---@param dtype string|nil default: the default float
---@param options cuna.LoadtxtOptions|nil
---@return cuna.Array shape (rows, columns), without axes of length 1; without rows (0,)
---@return string[]|nil names of the columns, with the option names
---@usage cn.loadtxt({text = "1,2\n3,4"}, {delimiter = ","}) --> [[1. 2.] [3. 4.]]
---@usage cn.loadtxt({text = "a b\n1 NA"}, {skiprows = 1, missing = 0, usecols = {2, 1}}) --> [0. 1.]
cn.loadtxt = text.loadtxt

--- Writes a vector or matrix as text. Follows numpy.savetxt.
---@param path string the file; an existing one is replaced when the new one is complete
---@param x cuna.Operand 1-d (one number per line) or 2-d (one row per line)
---@param fmt string|string[]|nil default "%.18e"
---@param options cuna.SavetxtOptions|nil
---@usage cn.savetxt("/dev/null", {{1, 2}, {3, 4}}, {fmt = "%g", delimiter = ","}) -->
cn.savetxt = text.savetxt

--- Whether a value is an array.
---@param value any
---@return boolean
---@usage cn.is_array(cn.zeros(2)), cn.is_array({0, 0}) --> true, false
cn.is_array = core.is_array

--- Whether a rule lets one dtype be cast to another. Follows numpy.can_cast.
---@param from string
---@param to string
---@param casting string|nil "no" and "equiv": to itself; "safe" (default): every value can be had in the other;
---  "same_kind": also with loss within a kind; "unsafe": any
---@return boolean
---@usage cn.can_cast("int16", "int8"), cn.can_cast("int16", "int8", "same_kind") --> false, true
function cn.can_cast(from, to, casting) return core.can_cast(from, to, casting) end

--- The dtype that holds the values of two. Follows numpy.promote_types.
---@param a string
---@param b string
---@return string
---@usage cn.promote_types("int8", "uint8") --> int16
cn.promote_types = core.promote

--- Sets the float dtype that stands where no operand forces one: of tables, creation, random numbers and int / int.
---@param dtype string "float64" (at first) or "float32"
---@return string before the dtype until now
---@usage cn.set_default_dtype "float64" --> float64
function cn.set_default_dtype(dtype)
  if dtype ~= "float32" and dtype ~= "float64" then
    core.fail "set_default_dtype: expected \"float32\" or \"float64\""
  end
  dtype_rules.set_default_dtype(dtype)
  return core.default_dtype(dtype)
end

--- Loads what a name stands for; nil for other names.
local function load_later(name)
  local file = LATER[name] or FORMS[tostring(name):match "_(%l+)$"]
  if file then
    for key, value in pairs(require("cuna." .. file).functions) do cn[key] = value end
  elseif NAMESPACES[name] then
    local module = require("cuna." .. NAMESPACES[name])
    cn[name] = module.namespace or module
  end
  return rawget(cn, name)
end

--- The table of cuna that has a function; nil if none has.
local function namespace_with(name)
  local spaces = {}
  for space in pairs(NAMESPACES) do spaces[#spaces + 1] = space end
  table.sort(spaces)
  for _, space in ipairs(spaces) do
    local was_loaded, functions = pcall(function() return cn[space] end)
    if was_loaded and rawget(functions, name) ~= nil then return space end
  end
end

--- What an error about an unknown name adds: where it stands, what it is called here, or what it resembles.
local function hint_for(name)
  local word = require "cuna.base.words"[name]
  if word then return "; write " .. word end
  local space = namespace_with(name)
  if space then return ("; write cn.%s.%s"):format(space, name) end
  local near = suggest.find(name, cn, LATER, NAMESPACES)
  return near and ("; did you mean '%s'?"):format(near) or ("; cn.has %q asks for a name"):format(name)
end

--- Whether cuna has a function, a table or a constant of this name, for scripts that run with several versions. Asking
--- cn itself for a name that is not there is an error.
---@param name string such as "topk" or "special.erf"
---@return boolean
---@usage cn.has "special.erf", cn.has "erf" --> true, false
function cn.has(name)
  if type(name) ~= "string" then core.fail("has: a name is a string, got " .. type(name)) end
  local place = cn
  for part in name:gmatch "[^.]+" do
    if type(place) ~= "table" then return false end
    local found, value = pcall(function() return place[part] end)
    if not found then return false end
    place = value
  end
  return place ~= nil and place ~= cn
end

setmetatable(cn, {__index = function(_, name)
  local value = load_later(name)
  if value then return value end
  core.fail(("cuna has no function '%s'%s"):format(tostring(name), hint_for(tostring(name))))
end})

return cn
