--- array.lua: what an array does as a Lua object: printing, comparison, conversion to Lua values, iteration, fields.
local core = require "cuna.core"
local elementwise = require "cuna.elementwise"
local ffi = require "ffi"
local format = require "cuna.format"

local M = {functions = {}}
local F = M.functions
local methods, metatable = core.methods(), core.metatable()

local function fail(format_text, ...) core.fail(format_text:format(...)) end

-- ---- shapes ----

local function shape_text(shape)
  return #shape == 1 and ("(%d,)"):format(shape[1]) or "(" .. table.concat(shape, ", ") .. ")"
end

local function same_shape(a, b)
  if #a ~= #b then return false end
  for i = 1, #a do
    if a[i] ~= b[i] then return false end
  end
  return true
end

core.hook("shape", {__tostring = shape_text, __eq = same_shape})

--- Whether x has exactly this shape.
function methods.has_shape(x, ...)
  local wanted = type(...) == "table" and (...) or {...}
  return same_shape(x.shape, wanted)
end

-- ---- Lua values ----

--- The one element of an array as a Lua value.
---@return number|boolean|ffi.cdata*
function methods.item(x)
  if x.size ~= 1 then
    fail("item: the array has %d elements, shape %s; index one of them", x.size, tostring(x.shape))
  end
  return core.reshape(x, 1)[1]
end

--- The single elements of several arrays as Lua values, with one synchronisation.
function F.item(...)
  local values = {...}
  for i = 1, select("#", ...) do
    if core.is_array(values[i]) then values[i] = values[i]:item() end
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

--- The elements as nested Lua tables; of a 0-d array the element itself.
function methods.totable(x)
  local values = core.elements(x)
  if x.ndim == 0 then return values[1] end
  return (nest(values, x.shape, 1, 1))
end
methods.tolist = methods.totable

--- The bytes of the elements in row-major order.
---@return string
function methods.tobytes(x) return core.get_bytes(x) end

local BLOCK = 1024

local function elements_of_vector(x)
  local length, block, first = #x, {}, 0
  return function(_, i)
    i = i + 1
    if i > length then return nil end
    if i > first + #block then
      first = i - 1
      block = core.elements(x[{{i, math.min(first + BLOCK, length)}}])
    end
    return i, block[i - first]
  end, nil, 0
end

--- for i, row in x:iter(): views along the first axis; of a 1-d array its elements, fetched in blocks.
function methods.iter(x)
  if x.ndim == 0 then fail "iter: a 0-d array has no axis to go along" end
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

--- A typed FFI pointer to the elements of a contiguous array on the cpu device: p[0] is the first. It keeps x alive;
--- a pointer computed from it does not.
function methods.pointer(x)
  local high, low = core.address(x)
  local pointer = ffi.cast(CTYPES[x.dtype], ffi.cast("uintptr_t", high * 2 ^ 32 + low))
  return ffi.gc(pointer, function() return x end)
end

methods.fill, methods.free = core.fill, core.free

-- ---- printing ----

--- What format.lua asks of an array: its elements, or only those near the corners.
local function view_of(x)
  local view = {dtype = x.dtype, shape = x.shape, ndim = x.ndim, size = x.size}
  function view.corner(edge)
    local part, shape = x, x.shape
    for axis = 1, edge and #shape or 0 do
      local length = shape[axis]
      if length > 2 * edge then
        local key = {}
        for i = 1, #shape do key[i] = {} end
        key[axis] = {1, edge}
        local front = part[key]
        key[axis] = {length - edge + 1, length}
        part = M.concatenate({front, part[key]}, axis)
      end
    end
    return core.elements(part), part.shape
  end
  return view
end

function metatable.__tostring(x) return format.str(view_of(x)) end

local function array_of(x, name) return core.is_array(x) and x or core.as_array(x, nil, nil, name) end

--- NumPy's array2string, array_repr and array_str of an array.
function F.array2string(x, options) return format.array2string(view_of(array_of(x, "array2string")), options) end
function F.array_repr(x, options) return format.repr(view_of(array_of(x, "array_repr")), options) end
function F.array_str(x, options) return format.str(view_of(array_of(x, "array_str")), options) end
F.set_printoptions, F.get_printoptions, F.printoptions =
  format.set_printoptions, format.get_printoptions, format.printoptions

-- ---- comparison and joining ----

--- Whether two arrays have the same shape and elements; equal_nan = true lets NaN equal NaN.
function F.array_equal(a, b, options)
  a, b = array_of(a, "array_equal"), array_of(b, "array_equal")
  if not same_shape(a.shape, b.shape) then return false end
  local equal = elementwise.functions.equal(a, b)
  if options and options.equal_nan then
    local isnan = elementwise.functions.isnan
    equal = equal:logical_or(isnan(a):logical_and(isnan(b)))
  end
  return M.all(equal)
end

function metatable.__eq(a, b)
  return core.is_array(a) and core.is_array(b) and (rawequal(a, b) and not M.any(a:ne(a)) or F.array_equal(a, b))
end

local function single(x, operator, method)
  if not core.is_array(x) or x.size == 1 then return x end
  fail("%s compares single elements and Lua makes one boolean of it; for all elements write x:%s(y)", operator, method)
end

local function order(operator, method)
  return function(a, b)
    return elementwise.functions[method](single(a, operator, method), single(b, operator, method)):item()
  end
end
metatable.__lt, metatable.__le = order("<", "lt"), order("<=", "le")

function metatable.__concat(a, b)
  if type(a) == "string" or type(b) == "string" then return tostring(a) .. tostring(b) end
  return M.concatenate {array_of(a, ".."), array_of(b, "..")}
end

function metatable.__call(x)
  fail("an array is not a function; index it with x[...]; its shape is %s", tostring(x.shape))
end

-- ---- unknown fields ----

local HINTS = {
  clone = "copy", t = "T", view = "reshape", dim = "ndim", length = "size", type = "dtype", float = 'astype("float32")',
  double = 'astype("float64")', int = 'astype("int32")', long = 'astype("int64")', cuda = 'to("cuda:0")', cpu = "get()",
  numel = "size", permute = "transpose", unsqueeze = "expand_dims", item_ = "item", to_table = "totable",
  repeat_ = "repeat_interleave", data = "pointer", len = "size",
}

local function distance(a, b)
  local row = {}
  for j = 0, #b do row[j] = j end
  for i = 1, #a do
    local diagonal = row[0]
    row[0] = i
    for j = 1, #b do
      local above = row[j]
      row[j] = math.min(above + 1, row[j - 1] + 1, diagonal + (a:byte(i) == b:byte(j) and 0 or 1))
      diagonal = above
    end
  end
  return row[#b]
end

--- The known name nearest to a wrong one, if any is near.
function M.nearest(name, ...)
  local best, least = nil, math.max(1, math.floor(#name / 3)) + 1
  for i = 1, select("#", ...) do
    for known in pairs((select(i, ...))) do
      local d = distance(name, known)
      if d < least or (d == least and best and known < best) then best, least = known, d end
    end
  end
  return best
end

core.hook("missing", function(_, name)
  local near = HINTS[name] or M.nearest(name, methods, core.getters())
  fail("an array has no field or method '%s'%s", name, near and ("; did you mean '%s'?"):format(near) or "")
end)

core.hook("assign", function(_, _, value)
  fail("index arrays and masks cannot be used yet; %s", value == nil and "read with ranges, or with cn.where"
    or "write through ranges, or with cn.where")
end)

return M
