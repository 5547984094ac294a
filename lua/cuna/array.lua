--- array.lua: what an array does as a Lua object: comparison, Lua values out of it, iteration, printing, wrong names.
local args = require "cuna.base.args"
local array_methods = require "cuna.method"
local check = require "cuna.base.check"
local core = require "cuna.core"
require "cuna.element"
local elementwise = require "cuna.elementwise"
local ffi = require "ffi"
local later = require "cuna.base.later"
local shapes = require "cuna.base.shapes"
local stand_in = require "cuna.stand_in"
local suggest = require "cuna.base.suggest"

local M = {functions = {}}
local F = M.functions
local methods, metatable = core.methods(), core.metatable()
local format, logic = later.functions "io.format", later.functions "logic"

local fail = check.fail

--- An array: elements of one dtype on one device, under a shape. Operators are + - * / % ^ and -x element by element;
--- x .. y joins, #x is the length of the first axis, x == y is whether all is equal; x[key] reads, x[key] = v writes.
--- Follows numpy.ndarray, cupy.ndarray.
---@class cuna.Array
---@field shape cuna.ShapeTable the lengths of the axes, a table of its own at each reading
---@field ndim integer how many axes
---@field size integer how many elements
---@field dtype string
---@field itemsize integer bytes of an element
---@field nbytes integer bytes of all elements
---@field strides integer[] bytes from an element to the next one along each axis
---@field device cuna.Device where the elements are
---@field T cuna.Array the view with the axes in reverse order
---@field mT cuna.Array the view with the last two axes swapped
---@field real cuna.Array the real part, a view of complex arrays
---@field imag cuna.Array the imaginary part, a view of complex arrays
---@field base cuna.Array|nil the array whose memory a view shows
---@field flags table {c_contiguous, f_contiguous, owndata, writeable = boolean}

---@alias cuna.ShapeTable integer[] shapes of equal lengths are ==, and tostring gives (3, 4)

-- ---- shapes ----

local function same_shape(a, b)
  if type(b) ~= "table" or #a ~= #b then return false end
  for i = 1, #a do
    if a[i] ~= b[i] then return false end
  end
  return true
end

--- What a shape has not. Behind the last length there is nil, as in any list, for loops and for `shape[2] or 1`; 0 and
--- below are a slip of NumPy's counting. A shape without axes is asked for its last one, shape[x.ndim], and has none.
local function missing_length(shape, key)
  if type(key) ~= "number" or key > 0 and key % 1 == 0 or #shape == 0 then return nil end
  fail("shape[%s]: axes count from 1 to %d, the shape is %s%s", tostring(key), #shape, shapes.text(shape),
    key == -1 and "; write x.shape[x.ndim] for the last one" or "")
end

local SHAPE = {
  __tostring = shapes.text, __eq = same_shape, __index = missing_length,
  __call = function(shape) fail("shape is a field: write x.shape without brackets; it is %s", shapes.text(shape)) end,
}
core.hook("shape", SHAPE)

--- A list of lengths as a shape, which prints and compares as x.shape does.
function M.shape(lengths) return setmetatable(lengths, SHAPE) end

--- Whether x has exactly this shape.
---@param x cuna.Array
---@param ... integer|integer[] the shape, as numbers or one table
---@return boolean
---@usage cn.zeros({2, 3}):has_shape(2, 3) --> true
function methods.has_shape(x, ...)
  local shape, wanted = check.self(x, "has_shape").shape, {...}
  if select("#", ...) == 1 and type(wanted[1]) == "table" then wanted = wanted[1] end
  return same_shape(shape, wanted)
end

-- ---- Lua values ----

--- The one element of an array as a Lua value: a boolean, a number, or cdata for complex numbers and integers beyond
--- 2^53. Synchronises. Follows numpy.ndarray.item.
---@param x cuna.Array size 1
---@return number|boolean|ffi.cdata*
---@usage cn.array({{7}}):item() --> 7
function methods.item(x)
  if check.self(x, "item").size ~= 1 then
    fail("item: the array has %d elements, shape %s; index one of them", x.size, tostring(x.shape))
  end
  return core.item(x, "item")
end

--- The single elements of several arrays as Lua values; other values stay as they are. Synchronises.
---@param ... cuna.Array|any
---@return any ...
---@usage cn.item(cn.array(1), 2, cn.array(true)) --> 1, 2, true
function F.item(...)
  local values = {...}
  for i = 1, select("#", ...) do
    if core.is_array(values[i]) then values[i] = methods.item(values[i]) end
  end
  return unpack(values, 1, select("#", ...))
end

local function nest(values, shape, axis, at)
  local list = {}
  for i = 1, shape[axis] do
    if axis == #shape then
      list[i], at = values[at], at + 1
    else
      list[i], at = nest(values, shape, axis + 1, at)
    end
  end
  return list, at
end

--- The elements as nested Lua tables; of a 0-d array the element itself. Synchronises. Follows numpy.ndarray.tolist.
---@param x cuna.Array
---@return table|number|boolean|ffi.cdata*
---@usage cn.arange(4):reshape(2, 2):totable()[2][1] --> 2
function methods.totable(x)
  local values = core.elements(check.self(x, "totable"))
  if x.ndim == 0 then return values[1] end
  if x.ndim == 1 then return values end
  return (nest(values, x.shape, 1, 1))
end

--- The bytes of the elements in row-major order. Synchronises. Follows numpy.ndarray.tobytes.
---@param x cuna.Array
---@return string
---@usage cn.array({72, 105}, "uint8"):tobytes() --> Hi
function methods.tobytes(x) return core.get_bytes(check.self(x, "tobytes")) end

local BLOCK = 1024

local function elements_of_vector(x)
  local length, block, first = #x, {}, 0
  return function(_, i)
    i = i + 1
    if i > length then return nil end
    if i > first + #block then
      first = i - 1
      block = core.elements(x[{{i, math.min(first + BLOCK, length)}}], "iter")
    end
    return i, block[i - first]
  end, nil, 0
end

--- An iterator over the first axis: views, or of a 1-d array its elements, fetched in blocks.
---@param x cuna.Array at least 1-d
---@return function, nil, integer
---@usage (function(sum) for i, v in cn.arange(4):iter() do sum = sum + i * v end return sum end)(0) --> 20
function methods.iter(x)
  if check.self(x, "iter").ndim == 0 then fail "iter: a 0-d array has no axis to go along" end
  if x.ndim == 1 then return elements_of_vector(x) end
  local length = #x
  return function(_, i)
    i = i + 1
    if i <= length then return i, x[i] end
  end, nil, 0
end

local CTYPES = {
  bool = "bool *", int8 = "int8_t *", int16 = "int16_t *", int32 = "int32_t *", int64 = "int64_t *",
  uint8 = "uint8_t *", uint16 = "uint16_t *", uint32 = "uint32_t *", uint64 = "uint64_t *", float16 = "uint16_t *",
  bfloat16 = "uint16_t *", float32 = "float *", float64 = "double *", complex64 = "complex float *",
  complex128 = "complex double *",
}

--- A typed FFI pointer to the elements of a contiguous array on the cpu device: p[0] is the first. It waits for pending
--- work and keeps x alive; a pointer computed from it does not. That of a read-only array points to const elements.
--- Those of float16 and bfloat16 are uint16_t. Other arrays are copied first: x:get():pointer(), x:copy():pointer().
---@param x cuna.Array
---@return ffi.cdata*
---@usage cn.array({5, 6}, "int8"):pointer()[1] --> 6
function methods.pointer(x)
  local high, low = core.address(check.self(x, "pointer"), true)
  local const = core.why_readonly(x) and "const " or ""
  local pointer = ffi.cast(const .. CTYPES[x.dtype], ffi.cast("uintptr_t", high * 2 ^ 32 + low))
  return ffi.gc(pointer, function() return x end)
end

--- Sets every element to a number. Raises for whole numbers that the dtype cannot hold. Follows numpy.ndarray.fill.
---@param x cuna.Array
---@param value cuna.Number
---@return cuna.Array x
---@usage cn.zeros(2):fill(7) --> [7. 7.]
function methods.fill(x, value) return core.fill(check.self(x, "fill"), value) end

--- Gives the memory back now, unless views still use it; freeing twice is harmless, any other use raises.
---@param x cuna.Array
---@usage cn.zeros(2):free() -->
function methods.free(x) core.free(x) end

-- ---- printing ----

--- The elements of what format.lua prints, or only those near the corners, and their shape.
local function corner_of(view, edge)
  local part, shape = view.array, view.shape
  for axis = 1, edge and #shape or 0 do
    local length = shape[axis]
    if length > 2 * edge then
      local key = {}
      for i = 1, #shape do key[i] = {} end
      key[axis] = {1, edge}
      local front = part[key]
      key[axis] = {length - edge + 1, length}
      part = stand_in.functions.concatenate({front, part[key]}, axis)
    end
  end
  return core.elements(part, view.name), part.shape
end

--- What format.lua asks of an array; `name` is the function that prints. A closure over x in place of corner_of would
--- live as long as the machine code that LuaJIT makes of a call to it, and the array's memory with it.
local function view_of(x, name)
  core.check_alive(x, name)
  return {array = x, name = name, dtype = x.dtype, shape = x.shape, ndim = x.ndim, size = x.size, corner = corner_of}
end

function metatable.__tostring(x) return format.str(view_of(x, "tostring")) end

--- What cn.array2string takes; what is left out is as cn.set_printoptions has it.
---@class cuna.TextOptions
---@field max_line_width number|nil characters of a line
---@field precision integer|nil digits after the point
---@field suppress_small boolean|nil true: no exponents for small numbers
---@field separator string|nil between elements, default " "
---@field prefix string|nil text that will stand before the array: later lines are indented by its length
---@field suffix string|nil text that will follow: lines are shorter by its length
---@field edgeitems integer|nil elements printed at each edge of a long array
---@field threshold number|nil elements above which only edges are printed
---@field floatmode string|nil as of cuna.PrintOptions
---@field sign string|nil as of cuna.PrintOptions

--- The text of an array, as NumPy's array2string has it. Follows numpy.array2string.
---@param x cuna.Operand
---@param options cuna.TextOptions|nil
---@return string
---@usage cn.array2string(cn.array {1, 2.5}, {precision = 2}) --> [1. 2.5]
function F.array2string(x, options)
  return format.array2string(view_of(check.array(x, "array2string"), "array2string"), options)
end

--- The text of an array with its dtype where that does not show. Follows numpy.array_repr.
---@param x cuna.Operand
---@param options {max_line_width?: number, precision?: integer, suppress_small?: boolean}|nil
---@return string
---@usage cn.array_repr(cn.array({1}, "int8")) --> array([1], dtype=int8)
function F.array_repr(x, options) return format.repr(view_of(check.array(x, "array_repr"), "array_repr"), options) end

--- The text of an array, as tostring has it. Follows numpy.array_str.
---@param x cuna.Operand
---@param options {max_line_width?: number, precision?: integer, suppress_small?: boolean}|nil
---@return string
---@usage cn.array_str(cn.array {1}) --> [1.]
function F.array_str(x, options) return format.str(view_of(check.array(x, "array_str"), "array_str"), options) end

--- How arrays are printed.
---@class cuna.PrintOptions
---@field precision integer|nil digits after the point, default 8
---@field threshold number|nil elements above which only edges are printed, default 1000; math.huge prints all
---@field edgeitems integer|nil elements printed at each edge then, default 3
---@field linewidth number|nil characters of a line, default 75
---@field suppress boolean|nil true: no exponents for small numbers
---@field nanstr string|nil default "nan"
---@field infstr string|nil default "inf"
---@field sign string|nil before positive numbers: "-" (default): nothing, "+" or " "
---@field floatmode string|nil "maxprec" (default): as many digits as needed, "fixed": precision digits, "unique": as
--- many as identify the number, "maxprec_equal": as maxprec, the same for all

--- Sets how arrays are printed from now on. Follows numpy.set_printoptions.
---@param options cuna.PrintOptions
---@usage cn.set_printoptions {} -->
F.set_printoptions = format.set_printoptions

--- How arrays are printed. Follows numpy.get_printoptions.
---@return cuna.PrintOptions
---@usage cn.get_printoptions().precision --> 8
F.get_printoptions = format.get_printoptions

--- Calls fn(...) with other print options. Follows numpy.printoptions.
---@param options cuna.PrintOptions
---@param fn function
---@return any ... fn's results
---@usage cn.printoptions({precision = 2}, function() return tostring(cn.array {1 / 3}) end) --> [0.33]
F.printoptions = format.printoptions

-- ---- comparison and joining ----

-- Lua asks only for two different objects of the same type.
function metatable.__eq(a, b) return core.is_array(a) and core.is_array(b) and logic.is_equal(a, b, nil, "==") end

local function single(x, operator, method)
  x = check.array(x, operator)
  if x.size == 1 then return x end
  fail("%s: Lua makes one boolean of it, so it needs single elements, not shape %s; for all elements write x:%s(y)",
    operator, tostring(x.shape), method)
end

local function order(operator, method)
  return function(a, b)
    core.check_waiting(operator)
    return methods.item(elementwise.functions[method](single(a, operator, method), single(b, operator, method)))
  end
end
metatable.__lt, metatable.__le = order("<", "lt"), order("<=", "le")

function metatable.__concat(a, b)
  if type(a) == "string" or type(b) == "string" then return tostring(a) .. tostring(b) end
  return require("cuna.join").concat(a, b)
end

function metatable.__call(x)
  fail("an array is not a function: index it with x[...]; fields such as T, real, imag and base are written without "
    .. "brackets; its shape is %s", tostring(x.shape))
end

-- ---- unknown fields ----

local HINTS = {
  clone = "copy", t = "T", numpy = "get", cat = "..", mm = "matmul", bmm = "matmul",
  narrow = "x[{{first, last}}]", norm = "cn.linalg.norm", inv = "cn.linalg.inv", svd = "cn.linalg.svd",
  inverse = "cn.linalg.inv", clamp = "clip", detach = "copy", sigmoid = "cn.special.expit",
  softmax = "cn.special.softmax", relu = "maximum", index_select = "take", masked_fill = "where",
  expand = "broadcast_to", contiguous = "copy", is_contiguous = "flags", itemset = "fill",
  dim = "ndim", length = "size", type = "dtype", float = 'astype("float32")',
  double = 'astype("float64")', int = 'astype("int32")', long = 'astype("int64")', cuda = 'to("cuda:0")', cpu = "get()",
  numel = "size", permute = "transpose", unsqueeze = "expand_dims", item_ = "item", to_table = "totable",
  repeat_ = "repeat_interleave", data = "pointer", len = "size", flat = "ravel", append = "cn.append",
}

core.hook("missing", function(_, name)
  local found = array_methods.find(name)
  if found then return found end
  local near = HINTS[name] or suggest.find(name, array_methods.all(), core.getters())
  fail("an array has no field or method '%s'%s", name, suggest.phrase(near))
end)

args.bound(F, {array2string = "x options", array_repr = "x options", array_str = "x options"})

args.bound(methods, {
  item = "x", totable = "x", tobytes = "x", iter = "x",
  pointer = "x", fill = "x value", free = "x",
})
methods.tolist = methods.totable

return M
