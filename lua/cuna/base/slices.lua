--- slices.lua: parts of arrays along one axis, as views.
local core = require "cuna.core"

local M = {}

--- The elements first, first + step, ... along an axis, `length` in all (none below 1), as a view. The caller must
--- ensure that they exist.
---@param x cuna.Array
---@param axis integer
---@param first integer from 1
---@param length integer
---@param step integer|nil default 1
---@return cuna.Array
function M.part(x, axis, first, length, step)
  local shape, strides, itemsize = x.shape, x.strides, x.itemsize
  for k = 1, #strides do strides[k] = strides[k] / itemsize end
  local offset = length > 0 and (first - 1) * strides[axis] or 0
  shape[axis], strides[axis] = math.max(length, 0), strides[axis] * (step or 1)
  return core.view(x, shape, strides, offset)
end

--- The slice at one position of an axis, without that axis, as a view.
function M.at(x, axis, position)
  local shape, strides, itemsize = x.shape, x.strides, x.itemsize
  for k = 1, #strides do strides[k] = strides[k] / itemsize end
  local offset = (position - 1) * strides[axis]
  table.remove(shape, axis)
  table.remove(strides, axis)
  return core.view(x, shape, strides, offset)
end

--- A vector along one axis of arrays with `ndim` axes, as a view.
function M.along(line, axis, ndim)
  local shape, strides = {}, {}
  for k = 1, ndim do shape[k], strides[k] = 1, 0 end
  shape[axis], strides[axis] = line.size, line.strides[1] / line.itemsize
  return core.view(line, shape, strides, 0)
end

return M
