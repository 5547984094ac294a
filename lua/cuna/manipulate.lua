--- manipulate.lua: views under another shape or order of axes, and arrays joined.
local args = require "cuna.args"
local core = require "cuna.core"
local elementwise = require "cuna.elementwise"

local M = {functions = {}}
local F = M.functions

local function fail(format, ...) core.fail(format:format(...)) end
local function array_of(x, name) return core.is_array(x) and x or core.as_array(x, nil, nil, name) end

--- Lua numbers given one by one, or in one table.
local function list_of(...)
  if select("#", ...) == 1 and type(...) == "table" then return (...) end
  return {...}
end

--- x under another shape with the same elements in row-major order: a view where strides allow it, else a copy.
---@param x cuna.Array
---@param ... integer|integer[] the shape; one length may be -1
---@return cuna.Array
function F.reshape(x, ...) return core.reshape(array_of(x, "reshape"), list_of(...)) end

--- x as one axis: a view where possible.
function F.ravel(x) return core.reshape(array_of(x, "ravel"), -1, "ravel") end

--- x as one axis, always a copy.
function F.flatten(x) return core.reshape(core.cast(array_of(x, "flatten"), nil, "flatten"), -1, "flatten") end

--- x with its axes in the given order; without one, reversed. A view.
---@param x cuna.Array
---@param ... integer|integer[] axes, from 1
function F.transpose(x, ...)
  x = array_of(x, "transpose")
  local axes = list_of(...)
  if select("#", ...) == 0 or (...) == nil then
    for axis = 1, x.ndim do axes[axis] = x.ndim + 1 - axis end
  end
  return core.transpose(x, axes)
end

local function in_order(ndim)
  local order = {}
  for axis = 1, ndim do order[axis] = axis end
  return order
end

--- x with two axes exchanged. A view.
function F.swapaxes(x, axis1, axis2)
  x = array_of(x, "swapaxes")
  local order = in_order(x.ndim)
  axis1, axis2 = core.axis(axis1, x.ndim, "swapaxes"), core.axis(axis2, x.ndim, "swapaxes")
  order[axis1], order[axis2] = axis2, axis1
  return core.transpose(x, order, "swapaxes")
end

local function axes_of(value, ndim, name)
  local axes = type(value) == "table" and value or {value}
  local out = {}
  for i, axis in ipairs(axes) do out[i] = core.axis(axis, ndim, name) end
  return out
end

--- x with axes moved to new places, the others in their order. A view.
---@param source integer|integer[]
---@param destination integer|integer[]
function F.moveaxis(x, source, destination)
  x = array_of(x, "moveaxis")
  local from, to = axes_of(source, x.ndim, "moveaxis"), axes_of(destination, x.ndim, "moveaxis")
  if #from ~= #to then fail("moveaxis: %d sources but %d destinations", #from, #to) end
  local order, moved, at = {}, {}, 1
  for i, axis in ipairs(from) do order[to[i]], moved[axis] = axis, true end
  for axis = 1, x.ndim do
    if not moved[axis] then
      while order[at] do at = at + 1 end
      order[at] = axis
    end
  end
  if #order ~= x.ndim then fail("moveaxis: an axis is named twice") end
  return core.transpose(x, order, "moveaxis")
end

local function is_named(axes, axis) return math.floor(axes / 2 ^ (axis - 1)) % 2 == 1 end

--- x without axes of length 1: all of them, or those given. A view.
function F.squeeze(x, axis)
  x = array_of(x, "squeeze")
  local axes, shape, key = core.axes(axis, x.ndim, "squeeze"), x.shape, {}
  for i = 1, #shape do
    local drop = is_named(axes, i) and shape[i] == 1
    if axis ~= nil and is_named(axes, i) and shape[i] ~= 1 then
      fail("squeeze: axis %d has length %d, not 1", i, shape[i])
    end
    key[i] = drop and 1 or {}
  end
  key[#key + 1] = core.ellipsis
  return x[key]
end

--- x with a new axis of length 1 at each given place of the result. A view.
function F.expand_dims(x, axis)
  x = array_of(x, "expand_dims")
  local count = type(axis) == "table" and #axis or 1
  local axes = core.axes(axis, x.ndim + count, "expand_dims")
  local key = {}
  for i = 1, x.ndim + count do key[i] = is_named(axes, i) and core.newaxis or {} end
  return x[key]
end

--- x as a larger shape by repeating axes of length 1. A read-only view.
function F.broadcast_to(x, ...) return core.broadcast_to(array_of(x, "broadcast_to"), list_of(...)) end

--- x with the order of elements reversed along the given axes (all by default). A view.
function F.flip(x, axis)
  x = array_of(x, "flip")
  local axes, key = core.axes(axis, x.ndim, "flip"), {}
  for i = 1, x.ndim do key[i] = is_named(axes, i) and {-1, 1, -1} or {} end
  if x.size == 0 or x.ndim == 0 then return x end
  return x[key]
end

local KINDS = {K = true, C = true, A = true}

--- A copy of x, row-major.
function F.copy(x, order)
  if order ~= nil and not KINDS[order] then fail("copy: order is \"C\" or \"K\", got %s", tostring(order)) end
  return core.cast(array_of(x, "copy"), nil, "copy")
end

--- x in another dtype: floats to integers saturate, NaN becomes 0, integers wrap, complex to real drops the imaginary part.
---@param dtype string
---@param options {copy: boolean}|nil copy = false gives x itself when it has the dtype
local read_astype = args.reader("astype", {"x", "dtype", "copy"}, 2)
function F.astype(...)
  local x, dtype, copy = read_astype(...)
  x, dtype = array_of(x, "astype"), core.check_dtype(dtype, "astype")
  if copy == false and x.dtype == dtype then return x end
  return core.cast(x, dtype, "astype")
end

--- x itself when it is contiguous (row-major), else a contiguous copy.
function F.ascontiguousarray(x, dtype)
  x = core.as_array(x, dtype, nil, "ascontiguousarray")
  return x.flags.c_contiguous and x or core.cast(x, nil, "ascontiguousarray")
end

-- ---- joining ----

local function arrays_of(list, name)
  if core.is_array(list) then return {list[{{}, core.ellipsis}]} end
  if type(list) ~= "table" or #list == 0 then fail("%s: expected a table of arrays", name) end
  local arrays = {}
  for i, x in ipairs(list) do arrays[i] = array_of(x, name) end
  return arrays
end

local function common_dtype(arrays)
  local dtype = arrays[1].dtype
  for i = 2, #arrays do dtype = core.promote(dtype, arrays[i].dtype) end
  return dtype
end

local function joined_shape(arrays, axis, name)
  local shape = arrays[1].shape
  for i = 2, #arrays do
    local other = arrays[i].shape
    if #other ~= #shape then fail("%s: array 1 has %d axes and array %d has %d", name, #shape, i, #other) end
    for k = 1, #shape do
      if k ~= axis and other[k] ~= shape[k] then
        fail("%s: shapes %s and %s differ in axis %d, along which nothing is joined", name, tostring(arrays[1].shape),
          tostring(other), k)
      end
    end
    shape[axis] = shape[axis] + other[axis]
  end
  return shape
end

--- Copies arrays one behind the other into out.
local function fill_joined(out, arrays, axis)
  local key, at = {}, 0
  for i = 1, out.ndim do key[i] = {} end
  for _, x in ipairs(arrays) do
    local length = x.shape[axis]
    if length > 0 then
      key[axis] = {at + 1, at + length}
      out[key] = x
      at = at + length
    end
  end
  return out
end

local function join(list, axis, out, dtype, name)
  local arrays = arrays_of(list, name)
  if arrays[1].ndim == 0 then fail("%s: 0-d arrays cannot be joined; stack them", name) end
  axis = core.axis(axis or 1, arrays[1].ndim, name)
  local shape = joined_shape(arrays, axis, name)
  if out == nil then
    out = core.empty(shape, dtype or common_dtype(arrays), arrays[1].device, name)
  elseif out.shape ~= shape then
    fail("%s: out has shape %s, but the result has shape %s", name, tostring(out.shape), tostring(shape))
  end
  return fill_joined(out, arrays, axis)
end

--- Arrays joined along an axis that they have.
---@param arrays cuna.Array[]
---@param axis integer|nil default 1; options out, dtype
local read_concatenate = args.reader("concatenate", {"arrays", "axis", "out", "dtype"})
function F.concatenate(...)
  local arrays, axis, out, dtype = read_concatenate(...)
  return join(arrays, axis, out, dtype and core.check_dtype(dtype, "concatenate"), "concatenate")
end
F.concat = F.concatenate

local function each(list, name, change)
  local changed = arrays_of(list, name)
  for i, x in ipairs(changed) do changed[i] = change(x) end
  return changed
end

--- Arrays of one shape joined along a new axis.
local read_stack = args.reader("stack", {"arrays", "axis", "out", "dtype"})
function F.stack(...)
  local list, axis, out, dtype = read_stack(...)
  local arrays = arrays_of(list, "stack")
  axis = core.axis(axis or 1, arrays[1].ndim + 1, "stack")
  for i, x in ipairs(arrays) do
    if x.shape ~= arrays[1].shape then
      fail("stack: array 1 has shape %s and array %d has %s", tostring(arrays[1].shape), i, tostring(x.shape))
    end
  end
  local raised = each(arrays, "stack", function(x) return F.expand_dims(x, axis) end)
  return join(raised, axis, out, dtype and core.check_dtype(dtype, "stack"), "stack")
end

local function at_least(ndim)
  return function(x)
    if x.ndim >= ndim then return x end
    return x.ndim == 0 and core.reshape(x, ndim == 1 and {1} or {1, 1}) or x[{core.newaxis, {}}]
  end
end

--- Rows joined: 1-d arrays become rows.
function F.vstack(arrays) return join(each(arrays, "vstack", at_least(2)), 1, nil, nil, "vstack") end
F.row_stack = F.vstack

--- Columns joined: along axis 2, or axis 1 for 1-d arrays.
function F.hstack(list)
  local arrays = each(list, "hstack", at_least(1))
  return join(arrays, arrays[1].ndim == 1 and 1 or 2, nil, nil, "hstack")
end

--- Whether two arrays may share memory.
function F.shares_memory(a, b) return core.shares_memory(a, b) end

local methods = core.methods()
for _, name in ipairs {"reshape", "ravel", "flatten", "transpose", "swapaxes", "moveaxis", "squeeze", "expand_dims",
  "broadcast_to", "flip", "copy", "astype"} do
  methods[name] = F[name]
end

core.getters().T = function(x) return F.transpose(x) end

--- Real and imaginary parts of a complex array are views of every second number; a real array is its own real part.
local function part(name, offset)
  local halves = {complex64 = "float32", complex128 = "float64"}
  return function(x)
    x = array_of(x, name)
    local half = halves[x.dtype]
    if not half then return name == "real" and x or elementwise.functions.imag(x) end
    local strides, itemsize = x.strides, x.itemsize
    for i = 1, #strides do strides[i] = strides[i] * 2 / itemsize end
    return core.view(x, x.shape, strides, offset, half)
  end
end
core.getters().real, core.getters().imag = part("real", 0), part("imag", 1)
F.real, F.imag = part("real", 0), part("imag", 1)

return M
