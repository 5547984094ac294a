--- given.lua: the arguments that functions of statistics share: samples, axes, NaN, alternatives; and folds of samples.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local dtype_facts = require "cuna.base.dtype_facts"

local M = {}

local fail = check.fail

--- A sample of real numbers, with at least one axis.
function M.sample(x, name, device)
  x = check.array(x, name, device)
  if dtype_facts.kind_of[x.dtype] == "c" then fail("%s: takes real numbers, got an array of %s", name, x.dtype) end
  return x.ndim == 0 and core.reshape(x, 1, name) or x
end

--- x in floats.
function M.floats(x)
  return dtype_facts.kind_of[x.dtype] == "f" and x or x:astype(core.default_dtype())
end

--- Two samples on one device, in floats.
function M.pair(x, y, name)
  local device = core.device_of(x, y)
  x, y = M.sample(x, name, device), M.sample(y, name, device)
  check.same_device(x, y, name)
  return M.floats(x), M.floats(y)
end

--- Refuses samples that do not broadcast, beside an axis if one is given.
function M.check_fit(x, y, axis, name)
  local a, b = x.shape, y.shape
  if axis then a[axis], b[axis] = 1, 1 end
  if not check.broadcast(a, b) then
    fail("%s: samples of shapes %s and %s do not fit%s", name, tostring(x.shape), tostring(y.shape),
      axis and (" beside axis %d"):format(axis) or "")
  end
end

--- The axis that is folded; default: the first.
function M.axis(axis, x, name) return core.axis(axis == nil and 1 or axis, x.ndim, name) end

local POLICIES = {propagate = true, raise = true, omit = true}

--- Whether NaN is left out. With "raise" NaN is an error, for which this waits.
---@param ... cuna.Array samples
function M.omits(policy, name, ...)
  if policy == nil then return false end
  if not POLICIES[policy] then
    fail("%s: nan_policy is \"propagate\", \"raise\" or \"omit\", got %s", name, check.show(policy))
  end
  if policy ~= "raise" then return policy == "omit" end
  core.check_waiting(name)
  for _, x in ipairs {...} do
    local found = dtype_facts.kind_of[x.dtype] == "f" and args.namespace.any(args.namespace.isnan(x))
    if found and not core.is_preparing() then fail("%s: the sample has NaN, and nan_policy is \"raise\"", name) end
  end
  return false
end

--- Refuses "omit", which a function does not have.
function M.keeps_nan(policy, name, ...)
  if policy == "omit" then fail("%s: nan_policy is \"propagate\" or \"raise\", got \"omit\"", name) end
  return M.omits(policy, name, ...)
end

local ALTERNATIVES = {["two-sided"] = true, less = true, greater = true}

function M.alternative(value, name)
  if value == nil then return "two-sided" end
  if ALTERNATIVES[value] then return value end
  fail("%s: alternative is \"two-sided\", \"less\" or \"greater\", got %s", name, check.show(value))
end

--- Vectors of one length, at least 2.
function M.vectors(x, y, name)
  x, y = M.pair(x, y, name)
  if x.ndim ~= 1 or y.ndim ~= 1 or x.size ~= y.size then
    fail("%s: expected vectors of one length, got shapes %s and %s", name, tostring(x.shape), tostring(y.shape))
  end
  if x.size < 2 then fail("%s: expected at least 2 elements, got %d", name, x.size) end
  return x, y
end

-- ---- folds ----

--- Means over an axis, which stays with length 1; of no elements they are NaN.
function M.mean(x, axis, omits)
  return args.namespace[omits and "nanmean" or "mean"](x, {axis = axis, keepdims = true})
end

--- How many elements count along an axis: a number, or an array with the axis kept.
function M.count(x, axis, omits)
  if not omits then return x.shape[axis] end
  local cn = args.namespace
  return cn.sum(cn.isfinite(x):bor(cn.isinf(x)), {axis = axis, keepdims = true})
end

--- Means of a power of the distance from the mean, with the axis kept.
function M.moment(x, power, axis, mean, omits)
  local distance = x - mean
  return M.mean(power == 2 and distance * distance or distance ^ power, axis, omits)
end

--- What is taken from n where deviations divide by it.
function M.ddof(ddof, default, name) return ddof == nil and default or check.real(ddof, name, "ddof") end

--- Standard deviations with n - ddof, with the axis kept.
function M.deviation(x, axis, ddof, omits)
  return args.namespace[omits and "nanstd" or "std"](x, {axis = axis, ddof = ddof, keepdims = true})
end

--- Variances with n - 1, with the axis kept.
function M.variance(x, axis, omits)
  return args.namespace[omits and "nanvar" or "var"](x, {axis = axis, ddof = 1, keepdims = true})
end

--- A result without the axis that was kept, unless it stays.
function M.drop(x, axis, stays) return stays and x or args.namespace.squeeze(x, axis) end

return M
