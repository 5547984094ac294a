--- manipulate.lua: arrays under another shape, order of axes or dtype. Most results are views: they share memory.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local dtype_facts = require "cuna.base.dtype_facts"
local elementwise = require "cuna.elementwise"
local shapes = require "cuna.base.shapes"

local M = {functions = {}}
local F = M.functions

local fail = check.fail

--- x with the same elements in row-major order under another shape: a view where its strides allow that, else a copy.
--- Follows numpy.reshape.
---@param x cuna.Operand
---@param ... integer|integer[] the shape, as numbers or one table; one length may be -1
---@return cuna.Array
---@usage cn.arange(6):reshape(2, -1) --> [[0 1 2] [3 4 5]]
function F.reshape(x, ...)
  x = check.array(x, "reshape")
  local shape = args.list("reshape", "shape", ...)
  if shape == nil then fail "reshape: the shape is missing" end
  return core.reshape(x, shape, "reshape")
end

--- x as one axis, in row-major order: a view where possible, else a copy. Follows numpy.ravel.
---@param x cuna.Operand
---@return cuna.Array 1-d
---@usage cn.ravel({{1, 2}, {3, 4}}) --> [1. 2. 3. 4.]
function F.ravel(x) return core.reshape(check.array(x, "ravel"), -1, "ravel") end

--- x as one axis, in row-major order: always a copy. Follows numpy.ndarray.flatten.
---@param x cuna.Operand
---@return cuna.Array 1-d
---@usage cn.arange(4):reshape(2, 2):flatten() --> [0 1 2 3]
function F.flatten(x) return core.reshape(core.cast(check.array(x, "flatten"), nil, "flatten"), -1, "flatten") end

--- x with its axes in another order, for functions of this name.
local function transpose(name, x, ...)
  x = check.array(x, name)
  local axes = args.list(name, "axes", ...)
  if type(axes) ~= "table" then axes = axes and {axes} end
  return core.transpose(x, axes and next(axes) and axes, name)
end
M.transpose = transpose

--- x with its axes in another order; without one, reversed. A view. Follows numpy.transpose.
---@param x cuna.Operand
---@param ... integer|integer[] every axis once, as numbers or one table
---@return cuna.Array
---@usage cn.zeros({2, 3, 4}):transpose(2, 1, 3).shape --> (3, 2, 4)
function F.transpose(x, ...) return transpose("transpose", x, ...) end

local function in_order(ndim)
  local order = {}
  for axis = 1, ndim do order[axis] = axis end
  return order
end

local read_swapaxes = args.reader("swapaxes", {"x", "axis1", "axis2"})

--- x with two axes exchanged. A view. Follows numpy.swapaxes.
---@param x cuna.Operand
---@param axis1 integer
---@param axis2 integer
---@return cuna.Array
---@usage cn.zeros({2, 3, 4}):swapaxes(1, 3).shape --> (4, 3, 2)
function F.swapaxes(...)
  local x, axis1, axis2 = read_swapaxes(...)
  x = check.array(x, "swapaxes")
  local order = in_order(x.ndim)
  axis1, axis2 = core.axis(axis1, x.ndim, "swapaxes"), core.axis(axis2, x.ndim, "swapaxes")
  order[axis1], order[axis2] = axis2, axis1
  return core.transpose(x, order, "swapaxes")
end

--- Axes counted from 1 out of a number or a list of different ones.
local function axes_of(value, ndim, what)
  core.axes(value, ndim, what)
  local out = {}
  for i, axis in ipairs(type(value) == "table" and value or {value}) do out[i] = core.axis(axis, ndim, what) end
  return out
end

local read_moveaxis = args.reader("moveaxis", {"x", "source", "destination"})

--- x with axes moved to other places; the rest keep their order. A view. Follows numpy.moveaxis.
---@param x cuna.Operand
---@param source integer|integer[]
---@param destination integer|integer[] as many places in the result
---@return cuna.Array
---@usage cn.zeros({2, 3, 4}):moveaxis(1, 3).shape --> (3, 4, 2)
function F.moveaxis(...)
  local x, source, destination = read_moveaxis(...)
  x = check.array(x, "moveaxis")
  if source == nil or destination == nil then fail "moveaxis: give the axes to move and their places" end
  local from, to = axes_of(source, x.ndim, "moveaxis"), axes_of(destination, x.ndim, "moveaxis")
  if #from ~= #to then fail("moveaxis: %d axes to move, but %d places", #from, #to) end
  local order, moved, at = {}, {}, 1
  for i, axis in ipairs(from) do order[to[i]], moved[axis] = axis, true end
  for axis = 1, x.ndim do
    if not moved[axis] then
      while order[at] do at = at + 1 end
      order[at] = axis
    end
  end
  return core.transpose(x, order, "moveaxis")
end


local read_squeeze = args.reader("squeeze", {"x", "axis"})

--- x without axes of length 1: all of them, or those given. A view. Follows numpy.squeeze.
---@param x cuna.Operand
---@param axis cuna.Axes|nil axes of length 1
---@return cuna.Array
---@usage cn.zeros({1, 3, 1}):squeeze(1).shape --> (3, 1)
function F.squeeze(...)
  local x, axis = read_squeeze(...)
  x = check.array(x, "squeeze")
  return core.squeeze(x, core.axes(axis, x, "squeeze"), axis ~= nil)
end

local read_expand_dims = args.reader("expand_dims", {"x", "axis"})

--- x with new axes of length 1 at the given places of the result. A view. Follows numpy.expand_dims.
---@param x cuna.Operand
---@param axis cuna.Axes
---@return cuna.Array
---@usage cn.arange(3):expand_dims(2) --> [[0] [1] [2]]
function F.expand_dims(...)
  local x, axis = read_expand_dims(...)
  x = check.array(x, "expand_dims")
  if axis == nil then fail "expand_dims: the axis is missing" end
  local ndim = x.ndim + (type(axis) == "table" and #axis or 1)
  if ndim > core.limits.ndim then
    fail("expand_dims: %d axes are more than the %d that an array may have", ndim, core.limits.ndim)
  end
  local axes, key = core.axes(axis, ndim, "expand_dims"), {}
  for i = 1, ndim do key[i] = shapes.is_named(axes, i) and core.newaxis or {} end
  return x[key]
end

-- The shape of an array with fewer axes than 1, 2, 3 when it is raised to as many.
local RAISED = {
  function() return {1} end,
  function(shape) return {1, shape[1] or 1} end,
  function(shape) return {shape[2] and shape[1] or 1, shape[2] or shape[1] or 1, 1} end,
}

--- x with at least `ndim` axes, 1 to 3: a vector becomes a row, a matrix gets a last axis. A view, or x itself.
function M.raise(x, ndim, name) return x.ndim < ndim and core.reshape(x, RAISED[ndim](x.shape), name) or x end

--- x repeated along axes of length 1 and new leading axes, up to a larger shape. A read-only view. Follows
--- numpy.broadcast_to.
---@param x cuna.Operand
---@param ... integer|integer[] the shape, as numbers or one table
---@return cuna.Array
---@usage cn.broadcast_to({1, 2}, {2, 2}) --> [[1. 2.] [1. 2.]]
function F.broadcast_to(x, ...)
  x = check.array(x, "broadcast_to")
  local shape = args.list("broadcast_to", "shape", ...)
  if shape == nil then fail "broadcast_to: the shape is missing" end
  return core.broadcast_to(x, shape, "broadcast_to")
end

local read_flip = args.reader("flip", {"x", "axis"})

--- x with the order of elements reversed along axes (default: all). A view. Follows numpy.flip.
---@param x cuna.Operand
---@param axis cuna.Axes|nil
---@return cuna.Array
---@usage cn.arange(3):flip() --> [2 1 0]
function F.flip(...)
  local x, axis = read_flip(...)
  x = check.array(x, "flip")
  local axes, key = core.axes(axis, x.ndim, "flip"), {}
  for i = 1, x.ndim do key[i] = shapes.is_named(axes, i) and {-1, 1, -1} or {} end
  if x.size == 0 or x.ndim == 0 then return x[core.ellipsis] end
  return x[key]
end

local read_copy = args.reader("copy", {"x", "order"})
local ORDERS = {K = true, C = true, A = true}

--- A copy of x, row-major. Follows numpy.copy.
---@param x cuna.Operand
---@param order string|nil "C", "A" or "K", which all mean row-major here
---@return cuna.Array
---@usage cn.arange(3):copy() --> [0 1 2]
function F.copy(...)
  local x, order = read_copy(...)
  if order ~= nil and not ORDERS[order] then fail("copy: order is \"C\" or \"K\", got %s", check.show(order)) end
  return core.cast(check.array(x, "copy"), nil, "copy")
end

local read_astype = args.reader("astype", {"x", "dtype", "copy"})

--- x in another dtype. Floats to integers are cut to whole numbers and saturate, NaN becomes 0; integers wrap; complex
--- to real drops the imaginary part. Follows numpy.ndarray.astype.
---@param x cuna.Operand
---@param dtype string
---@param copy boolean|nil false gives x itself when it has the dtype
---@return cuna.Array
---@usage cn.array({1.7, -300, cn.nan}):astype "int8" --> [ 1 -128 0]
function F.astype(...)
  local x, dtype, copy = read_astype(...)
  x, dtype = check.array(x, "astype"), core.check_dtype(dtype, "astype")
  if not check.boolean(copy, true, "astype", "copy") and x.dtype == dtype then return x end
  return core.cast(x, dtype, "astype")
end

local read_ascontiguousarray = args.reader("ascontiguousarray", {"x", "dtype"})

--- x itself when it is row-major and has the dtype, else a row-major copy. Follows numpy.ascontiguousarray.
---@param x cuna.Operand
---@param dtype string|nil default: x's
---@return cuna.Array
---@usage cn.ascontiguousarray(cn.ones({2, 3}).T).strides[1] --> 16
function F.ascontiguousarray(...)
  local x, dtype = read_ascontiguousarray(...)
  x, dtype = check.array(x, "ascontiguousarray"), check.dtype(dtype, "ascontiguousarray")
  x = core.as_array(x, dtype, nil, "ascontiguousarray")
  return core.dense(x, nil, "ascontiguousarray")
end

--- Whether two arrays may share memory: whether the ranges of bytes that they span overlap. Follows
--- numpy.may_share_memory.
---@param a cuna.Array
---@param b cuna.Array
---@return boolean
---@usage (function(x) return x:shares_memory(x.T) end)(cn.ones {2, 3}) --> true
function F.shares_memory(a, b) return core.shares_memory(a, b) end

-- ---- the same memory in another dtype ----

--- Scales the last axis from elements of x to elements of `size` bytes.
local function scale(x, shape, strides, dtype, size)
  local last, from = #shape, x.itemsize
  if last == 0 then
    fail("view: a 0-d array of %s (%d bytes) has no axis to scale for %s (%d bytes); write x:reshape(1):view %q",
      x.dtype, from, dtype, size, dtype)
  elseif strides[last] ~= from and shape[last] > 1 and x.size > 0 then
    fail("view: the last axis must be contiguous for a dtype of another size, %s to %s, and its stride is %d bytes; "
      .. "copy the array first: x:copy():view %q", x.dtype, dtype, strides[last], dtype)
  elseif shape[last] * from % size ~= 0 then
    fail("view: the last axis of shape %s has %d bytes, not a multiple of %s's %d", tostring(x.shape),
      shape[last] * from, dtype, size)
  end
  shape[last], strides[last] = shape[last] * from / size, size
end

local read_view = args.reader("view", {"x", "dtype"})

--- The memory of x as elements of another dtype; without one, another view of x. With a dtype of another size the last
--- axis becomes longer or shorter, and must be contiguous. Bytes are not converted (cn.astype does that); as bools, all
--- but 0 are true. Follows numpy.ndarray.view; PyTorch's view of a shape is cn.reshape.
---@param x cuna.Operand
---@param dtype string|nil default: x's
---@return cuna.Array
---@usage cn.array({1, -2}, "float32"):view "uint32" --> [1065353216 3221225472]
---@usage cn.array({1, 256}, "uint16"):view "uint8" --> [1 0 0 1]
function F.view(x, dtype, ...)
  if type(dtype) == "number" or type(dtype) == "table" and dtype[1] then
    fail "view: expected a dtype; for another shape write x:reshape(...)"
  end
  x, dtype = read_view(x, dtype, ...)
  x = check.array(x, "view")
  dtype = check.dtype(dtype, "view") or x.dtype
  local shape, strides, size = x.shape, x.strides, dtype_facts.size_of[dtype]
  if size ~= x.itemsize then scale(x, shape, strides, dtype, size) end
  for axis = 1, #shape do
    local rest = strides[axis] % size
    if rest ~= 0 and shape[axis] > 1 and x.size > 0 then
      fail("view: elements of %s begin at multiples of %d bytes, and the stride of axis %d is %d bytes; copy the array "
        .. "first: x:copy():view %q", dtype, size, axis, strides[axis], dtype)
    end
    strides[axis] = (strides[axis] - rest) / size
  end
  return core.view(x, shape, strides, 0, dtype)
end

-- ---- parts of complex numbers ----

local HALF = dtype_facts.part_of

--- Every second number of a complex array's memory as a view.
local function half_view(x, offset)
  local strides, itemsize = x.strides, x.itemsize
  for i = 1, #strides do strides[i] = strides[i] * 2 / itemsize end
  return core.view(x, x.shape, strides, offset, HALF[x.dtype])
end

--- The real parts: a view of a complex array, which may be written to; a real array itself. Follows numpy.real.
---@param x cuna.Operand
---@return cuna.Array
---@usage cn.real({cn.complex(1, 2)}) --> [1.]
function F.real(x)
  x = check.array(x, "real")
  return HALF[x.dtype] and half_view(x, 0) or x
end

--- The imaginary parts: a view of a complex array, which may be written to; new zeros for a real one. Follows
--- numpy.imag.
---@param x cuna.Operand
---@return cuna.Array
---@usage cn.imag({cn.complex(1, 2)}) --> [2.]
function F.imag(x)
  x = check.array(x, "imag")
  return HALF[x.dtype] and half_view(x, 1) or elementwise.functions.imag(x)
end

for _, name in ipairs {"reshape", "transpose"} do F[name] = core.front(name, F[name]) end

args.bound(F, {ravel = "x", flatten = "x", shares_memory = "a b", real = "x", imag = "x"})

local methods, getters = core.methods(), core.getters()
for _, name in ipairs {"reshape", "ravel", "flatten", "transpose", "swapaxes", "moveaxis", "squeeze", "expand_dims",
  "broadcast_to", "flip", "copy", "astype", "ascontiguousarray", "shares_memory", "view"} do
  methods[name] = F[name]
end

getters.real, getters.imag = function(x) return F.real(x) end, function(x) return F.imag(x) end

function getters.mT(x)
  if x.ndim < 2 then fail("mT: expected at least 2 axes, got shape %s", tostring(x.shape)) end
  return F.swapaxes(x, -1, -2)
end

return M
