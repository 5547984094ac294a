--- given.lua: what functions of interpolation are given: points that rise, values along an axis; results of calls.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local dtype_facts = require "cuna.base.dtype_facts"
local slices = require "cuna.base.slices"

local M = {}

local fail = check.fail

--- An array in floats or complex numbers.
function M.floats(x, name, device)
  x = check.array(x, name, device)
  local kind = dtype_facts.kind_of[x.dtype]
  if kind ~= "f" and kind ~= "c" then return x:astype(core.default_dtype()) end
  return x.itemsize < 4 and x:astype "float32" or x
end

-- Antiderivatives are made one after the other.
local MOST_ORDERS = 1000

--- How many antiderivatives are asked for; default 1.
function M.orders(nu, name) return check.few(nu == nil and 1 or nu, MOST_ORDERS, name, "nu") end

--- An array of real numbers in floats.
function M.real(x, name, what, device)
  x = M.floats(x, name, device)
  if dtype_facts.kind_of[x.dtype] == "c" then fail("%s: %s is real, got %s", name, what, x.dtype) end
  return x
end

--- Refuses a vector whose elements do not rise; waits. Without `strictly` equal ones are allowed.
function M.check_rising(x, name, what, strictly)
  if x.size < 2 then return end
  local cn, n = args.namespace, x.size
  core.check_waiting(name)
  local step = slices.part(x, 1, 2, n - 1) - slices.part(x, 1, 1, n - 1)
  local good = cn.all(strictly and cn.greater(step, 0) or cn.greater_equal(step, 0))
  if good or core.is_preparing() then return end
  local at = cn.argmin(step):item()
  fail("%s: %s does not rise%s: element %d is %.17g, and the next one %.17g", name, what, strictly and "" or " or stay",
    at, slices.part(x, 1, at, 1):item(), slices.part(x, 1, at + 1, 1):item())
end

--- Points and values on one device: x rises, and y has as many elements along an axis, which comes first in the result.
---@return cuna.Array x float64
---@return cuna.Array y (n, ...)
---@return integer axis
function M.points(x, y, axis, default, least, name)
  local device = core.device_of(x, y)
  x, y = M.real(x, name, "x", device), M.floats(y, name, device)
  check.same_device(x, y, name)
  if x.ndim ~= 1 then fail("%s: x is a vector, got shape %s", name, tostring(x.shape)) end
  if y.ndim == 0 then fail("%s: y has no axis", name) end
  axis = core.axis(axis == nil and default or axis, y.ndim, name)
  if y.shape[axis] ~= x.size then
    fail("%s: x has %d elements, and y of shape %s has %d along axis %d", name, x.size, tostring(y.shape),
      y.shape[axis], axis)
  end
  if x.size < least then fail("%s: expected at least %d points, got %d", name, least, x.size) end
  return x:astype "float64", axis == 1 and y or args.namespace.moveaxis(y, axis, 1), axis
end

--- A vector along the first axis of arrays with `ndim` axes.
function M.column(x, ndim)
  local shape = {x.size}
  for k = 2, ndim do shape[k] = 1 end
  return x:reshape(shape)
end

--- The elements from one on along the first axis: `count` of them.
function M.rows(x, first, count) return slices.part(x, 1, first, count) end

--- Differences along the first axis.
function M.steps(x)
  local n = x.shape[1] - 1
  return M.rows(x, 2, n) - M.rows(x, 1, n)
end

--- What a function of points is called with: an array of real numbers on a device.
function M.asked(x, name, device)
  x = M.real(x, name, "x", device)
  if x.device ~= device then
    fail("%s: the data are on %s and x on %s; move x with x:to(%q)", name, device.name, x.device.name, device.name)
  end
  return x
end

--- Values (points, ...) in the shape that was asked for, whose axes take the place of the data's axis.
function M.placed(values, shape, axis)
  local rest, whole, order = values.shape, {}, {}
  for k = 1, #shape do whole[k] = shape[k] end
  for k = 2, #rest do whole[#shape + k - 1] = rest[k] end
  local y = values:reshape(whole)
  if axis == 1 then return y end
  for k = 1, axis - 1 do order[k] = #shape + k end
  for k = 1, #shape do order[#order + 1] = k end
  for k = axis, #rest - 1 do order[#order + 1] = #shape + k end
  return args.namespace.permute_dims(y, order)
end

--- The number of the interval between sorted points that each x is in, from 1 to their number less 1.
function M.intervals(points, x)
  local cn = args.namespace
  return cn.clip(cn.searchsorted(points, x, "right") - 1, 1, points.size - 1)
end

--- NaN, or another value, where a mask of points holds.
function M.masked(values, mask, value)
  return args.namespace.where(M.column(mask, values.ndim), value, values)
end

return M
