--- views.lua: the less common views: axes added, moved and reversed, arrays broadcast to each other.
--
-- All results share memory with their arguments, except those made from numbers and tables.
local args = require "cuna.base.args"
local array = require "cuna.array"
local check = require "cuna.base.check"
local core = require "cuna.core"
local manipulate = require "cuna.manipulate"

local M = {functions = {}}
local F = M.functions

local fail = check.fail
local flip = manipulate.functions.flip

-- ---- order of axes ----

--- x with its axes in another order; without one, reversed. A view. Follows numpy.permute_dims, another name of
--- cn.transpose.
---@param x cuna.Operand
---@param ... integer|integer[] every axis once, as numbers or one table
---@return cuna.Array
---@usage cn.permute_dims(cn.zeros {2, 3, 4}, {2, 1, 3}).shape --> (3, 2, 4)
function F.permute_dims(x, ...) return manipulate.transpose("permute_dims", x, ...) end

--- x with its last two axes exchanged. A view. Follows numpy.matrix_transpose.
---@param x cuna.Operand at least 2-d
---@return cuna.Array
---@usage cn.matrix_transpose(cn.zeros {2, 3, 4}).shape --> (2, 4, 3)
function F.matrix_transpose(x)
  x = check.array(x, "matrix_transpose")
  if x.ndim < 2 then fail("matrix_transpose: expected at least 2 axes, got shape %s", tostring(x.shape)) end
  return manipulate.functions.swapaxes(x, -2, -1)
end

local read_rollaxis = args.reader("rollaxis", {"x", "axis", "start"}, 2)

--- x with an axis moved in front of another one; cn.moveaxis says where it goes. A view. Follows numpy.rollaxis.
---@param x cuna.Operand
---@param axis integer
---@param start integer|nil the axis that it comes in front of, x.ndim + 1 for the end, default 1
---@return cuna.Array
---@usage cn.zeros({2, 3, 4}):rollaxis(3).shape --> (4, 2, 3)
---@usage cn.zeros({2, 3, 4}):rollaxis(1, 4).shape --> (3, 4, 2)
function F.rollaxis(...)
  local x, axis, start = read_rollaxis(...)
  x = check.array(x, "rollaxis")
  local ndim = x.ndim
  axis = core.axis(axis, ndim, "rollaxis")
  start = check.integer(start == nil and 1 or start, "rollaxis", "start")
  local place = start < 0 and start + ndim + 1 or start
  if place < 1 or place > ndim + 1 then
    fail("rollaxis: start is an axis of the %d, or %d, got %d", ndim, ndim + 1, start)
  end
  return manipulate.functions.moveaxis(x, axis, axis < place and place - 1 or place)
end

-- ---- turned ----

local function flipped(name, axis)
  return function(x)
    x = check.array(x, name)
    if x.ndim < axis then
      fail("%s: expected at least %d %s, got shape %s", name, axis, axis == 1 and "axis" or "axes", tostring(x.shape))
    end
    return flip(x, axis)
  end
end

--- x with its rows in reverse order. A view. Follows numpy.flipud.
---@param x cuna.Operand at least 1-d
---@return cuna.Array
---@usage cn.flipud {{1, 2}, {3, 4}} --> [[3. 4.] [1. 2.]]
F.flipud = flipped("flipud", 1)

--- x with its columns in reverse order. A view. Follows numpy.fliplr.
---@param x cuna.Operand at least 2-d
---@return cuna.Array
---@usage cn.fliplr {{1, 2}, {3, 4}} --> [[2. 1.] [4. 3.]]
F.fliplr = flipped("fliplr", 2)

local read_rot90 = args.reader("rot90", {"x", "k", "axes"})

--- x turned by right angles in the plane of two axes, from the first towards the second. A view. Follows numpy.rot90.
---@param x cuna.Operand at least 2-d
---@param k integer|nil how many right angles, default 1
---@param axes integer[]|nil default {1, 2}
---@return cuna.Array
---@usage cn.rot90 {{1, 2}, {3, 4}} --> [[2. 4.] [1. 3.]]
function F.rot90(...)
  local x, k, axes = read_rot90(...)
  x, k, axes = check.array(x, "rot90"), check.integer(k == nil and 1 or k, "rot90", "k") % 4, axes or {1, 2}
  if type(axes) ~= "table" or #axes ~= 2 then fail("rot90: axes are a table of two") end
  local a, b = core.axis(axes[1], x.ndim, "rot90"), core.axis(axes[2], x.ndim, "rot90")
  if a == b then fail("rot90: both axes are %d", a) end
  if k == 0 then return x[core.ellipsis] end
  if k == 2 then return flip(x, {a, b}) end
  local turned = manipulate.functions.swapaxes(x, a, b)
  return flip(turned, k == 1 and a or b)
end

-- ---- more axes, for several arrays ----

--- The arguments as arrays, tables and numbers on the device of the first array.
local function arrays_of(name, ...)
  local arrays, count = {...}, select("#", ...)
  if count == 0 then fail("%s: expected an array", name) end
  local device = check.device_of(arrays)
  for i = 1, count do arrays[i] = check.array(arrays[i], name, device) end
  return arrays, count
end

local function raising(name, ndim)
  return function(...)
    local arrays, count = arrays_of(name, ...)
    for i = 1, count do arrays[i] = manipulate.raise(arrays[i], ndim, name) end
    return unpack(arrays, 1, count)
  end
end

--- Each array with at least 1 axis. A view, or the array itself. Follows numpy.atleast_1d.
---@param ... cuna.Operand
---@return cuna.Array ...
---@usage cn.atleast_1d(5, {1, 2}) --> [5.], [1. 2.]
F.atleast_1d = raising("atleast_1d", 1)

--- Each array with at least 2 axes: vectors become rows. A view, or the array itself. Follows numpy.atleast_2d.
---@param ... cuna.Operand
---@return cuna.Array ...
---@usage cn.atleast_2d {1, 2} --> [[1. 2.]]
F.atleast_2d = raising("atleast_2d", 2)

--- Each array with at least 3 axes: a vector of length n gets shape (1, n, 1), a matrix a last axis. A view, or the
--- array itself. Follows numpy.atleast_3d.
---@param ... cuna.Operand
---@return cuna.Array ...
---@usage cn.atleast_3d({1, 2}).shape --> (1, 2, 1)
F.atleast_3d = raising("atleast_3d", 3)

-- ---- broadcasting ----

--- The shape that shapes broadcast to.
function M.common_shape(shapes, count, name)
  local shape = {}
  for i = 1, count do
    local merged = check.broadcast(shape, shapes[i])
    if not merged then
      local texts = {}
      for k = 1, count do texts[k] = tostring(array.shape(shapes[k])) end
      fail("%s: shapes %s do not broadcast", name, table.concat(texts, ", "))
    end
    shape = merged
  end
  return shape
end

--- Arrays as views of the shape that they broadcast to, which are read-only. Follows numpy.broadcast_arrays.
---@param ... cuna.Operand
---@return cuna.Array ...
---@usage cn.broadcast_arrays({1, 2}, {{3}, {4}}) --> [[1. 2.] [1. 2.]], [[3. 3.] [4. 4.]]
function F.broadcast_arrays(...)
  local arrays, count = arrays_of("broadcast_arrays", ...)
  local shapes = {}
  for i = 1, count do
    check.same_device(arrays[1], arrays[i], "broadcast_arrays")
    shapes[i] = arrays[i].shape
  end
  local shape = M.common_shape(shapes, count, "broadcast_arrays")
  for i = 1, count do arrays[i] = core.broadcast_to(arrays[i], shape, "broadcast_arrays") end
  return unpack(arrays, 1, count)
end

--- The shape that shapes broadcast to. Follows numpy.broadcast_shapes.
---@param ... cuna.Shape
---@return integer[]
---@usage cn.broadcast_shapes({2, 1}, 3, {1, 3}) --> (2, 3)
function F.broadcast_shapes(...)
  local shapes, count = {...}, select("#", ...)
  for i = 1, count do shapes[i] = check.lengths(shapes[i], "broadcast_shapes", "a length of a shape") end
  return array.shape(M.common_shape(shapes, count, "broadcast_shapes"))
end

args.bound(F, {matrix_transpose = "x", flipud = "x", fliplr = "x"})

return M
