--- averages.lua: averages of samples other than the arithmetic mean, and how samples spread.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local given = require "cuna.stats.given"

local M = {functions = {}}
local F = M.functions -- cn.stats

local fail = check.fail

-- ---- averages ----

--- Means of fn's values along an axis, with weights if there are some, the axis kept.
local function weighted(name, fn, a, axis, weights, policy)
  local cn = args.namespace
  if weights == nil then
    local omits = given.omits(policy, name, a)
    return given.mean(fn(a), axis, omits)
  end
  given.keeps_nan(policy, name, a)
  local _
  _, weights = given.pair(a, weights, name)
  if weights.ndim == 1 and a.ndim > 1 and weights.size == a.shape[axis] then
    local shape = {}
    for k = 1, a.ndim do shape[k] = k == axis and weights.size or 1 end
    weights = weights:reshape(shape)
  end
  given.check_fit(a, weights, nil, name)
  weights = cn.broadcast_to(weights, a.shape)
  return cn.sum(fn(a) * weights, {axis = axis, keepdims = true}) / cn.sum(weights, {axis = axis, keepdims = true})
end

local function open(name, a, axis)
  a = given.floats(given.sample(a, name))
  return a, given.axis(axis, a, name)
end

local read_gmean = args.reader("stats.gmean", {"a", "axis", "weights", "nan_policy", "keepdims"})

--- Geometric means along an axis: NaN where an element is negative. Follows scipy.stats.gmean.
---@param a cuna.Operand
---@param axis integer|nil default 1
---@param weights cuna.Operand|nil of a's shape, or of the axis alone; default: all equal
---@param nan_policy cuna.NanPolicy|nil default "propagate"; with weights not "omit"
---@param keepdims boolean|nil default false
---@return cuna.Array
---@usage cn.stats.gmean {1, 4} --> 2.0
function F.gmean(...)
  local name, a, axis, weights, policy, keepdims = "stats.gmean", read_gmean(...)
  local cn = args.namespace
  a, axis = open(name, a, axis)
  local value = cn.exp(weighted(name, cn.log, a, axis, weights, policy))
  return given.drop(value, axis, check.boolean(keepdims, false, name, "keepdims"))
end

local read_hmean = args.reader("stats.hmean", {"a", "axis", "weights", "nan_policy", "keepdims"})

--- Harmonic means along an axis: 0 where an element is 0, NaN where one is negative, for which scipy.stats.hmean raises
--- an error.
---@param a cuna.Operand
---@param axis integer|nil default 1
---@param weights cuna.Operand|nil of a's shape, or of the axis alone; default: all equal
---@param nan_policy cuna.NanPolicy|nil default "propagate"; with weights not "omit"
---@param keepdims boolean|nil default false
---@return cuna.Array
---@usage cn.stats.hmean {1, 3} --> 1.5
function F.hmean(...)
  local name, a, axis, weights, policy, keepdims = "stats.hmean", read_hmean(...)
  local cn = args.namespace
  a, axis = open(name, a, axis)
  local function inverse(x) return cn.where(cn.less(x, 0), 0 / 0, 1 / cn.abs(x)) end -- of -0, too, as of 0
  local value = 1 / weighted(name, inverse, a, axis, weights, policy)
  return given.drop(value, axis, check.boolean(keepdims, false, name, "keepdims"))
end

-- ---- spread ----

local read_sem = args.reader("stats.sem", {"a", "axis", "ddof", "nan_policy"})

--- Standard errors of means along an axis. Follows scipy.stats.sem.
---@param a cuna.Operand
---@param axis integer|nil default 1
---@param ddof number|nil the deviation divides by n - ddof, default 1
---@param nan_policy cuna.NanPolicy|nil default "propagate"
---@return cuna.Array
---@usage cn.stats.sem {1, 2, 3, 4}:round(6) --> 0.645497
function F.sem(...)
  local name, a, axis, ddof, policy = "stats.sem", read_sem(...)
  a, axis = open(name, a, axis)
  ddof = given.ddof(ddof, 1, name)
  local omits = given.omits(policy, name, a)
  local deviation = given.deviation(a, axis, ddof, omits)
  return given.drop(deviation / given.count(a, axis, omits) ^ 0.5, axis)
end

local read_variation = args.reader("stats.variation", {"a", "axis", "nan_policy", "ddof", "keepdims"})

--- Standard deviations along an axis over the means. Follows scipy.stats.variation.
---@param a cuna.Operand
---@param axis integer|nil default 1
---@param nan_policy cuna.NanPolicy|nil default "propagate"
---@param ddof number|nil the deviation divides by n - ddof, default 0
---@param keepdims boolean|nil default false
---@return cuna.Array
---@usage cn.stats.variation {1, 3} --> 0.5
function F.variation(...)
  local name, a, axis, policy, ddof, keepdims = "stats.variation", read_variation(...)
  a, axis = open(name, a, axis)
  ddof = given.ddof(ddof, 0, name)
  local omits = given.omits(policy, name, a)
  local deviation = given.deviation(a, axis, ddof, omits)
  return given.drop(deviation / given.mean(a, axis, omits), axis, check.boolean(keepdims, false, name, "keepdims"))
end

local read_moment = args.reader("stats.moment", {"a", "order", "axis", "nan_policy"})

--- Moments about the mean along an axis. Follows scipy.stats.moment.
---@param a cuna.Operand
---@param order integer|nil default 1, whose moment is 0
---@param axis integer|nil default 1
---@param nan_policy cuna.NanPolicy|nil default "propagate"
---@return cuna.Array
---@usage cn.stats.moment({1, 2, 6}, 3) --> 6.0
function F.moment(...)
  local name, a, order, axis, policy = "stats.moment", read_moment(...)
  a, axis = open(name, a, axis)
  order = order == nil and 1 or check.count(order, name, "order")
  local omits = given.omits(policy, name, a)
  local mean = given.mean(a, axis, omits)
  if order < 2 then return given.drop(mean * 0 + (1 - order), axis) end
  return given.drop(given.moment(a, order, axis, mean, omits), axis)
end

--- What a deviation of a normal distribution is divided by: "normal", or a number.
local function scale_of(scale, normal, name)
  if scale == "normal" then return normal end
  if scale == nil then return 1 end
  if type(scale) == "number" then return scale end
  fail("%s: scale is a number or \"normal\", got %s", name, check.show(scale))
end

local function read_range(rng, name)
  if type(rng) ~= "table" or #rng ~= 2 then fail("%s: rng is two percentiles, got %s", name, check.show(rng)) end
  return check.real(rng[1], name, "a percentile of rng"), check.real(rng[2], name, "a percentile of rng")
end

local read_iqr = args.reader("stats.iqr", {"x", "axis", "rng", "scale", "nan_policy", "method", "keepdims"})

--- Ranges between two percentiles along an axis, the quartiles if no others are given. Follows scipy.stats.iqr, whose
--- method is called interpolation.
---@param x cuna.Operand
---@param axis integer|nil default: x is flattened
---@param rng number[]|nil the two percentiles, default {25, 75}
---@param scale number|"normal"|nil what ranges are divided by, default 1; "normal": 1.349, for deviations of normal
---  samples
---@param nan_policy cuna.NanPolicy|nil default "propagate"
---@param method string|nil as of cn.percentile, default "linear"
---@param keepdims boolean|nil default false
---@return cuna.Array
---@usage cn.stats.iqr {1, 2, 3, 4, 5} --> 2.0
function F.iqr(...)
  local name, x, axis, rng, scale, policy, method, keepdims = "stats.iqr", read_iqr(...)
  x = given.floats(given.sample(x, name))
  local first, second = read_range(rng == nil and {25, 75} or rng, name)
  local percentile = args.namespace[given.omits(policy, name, x) and "nanpercentile" or "percentile"]
  local options = {axis = axis, method = method, keepdims = keepdims}
  local low, high = math.min(first, second), math.max(first, second)
  return (percentile(x, high, options) - percentile(x, low, options)) / scale_of(scale, 1.3489795003921634, name)
end

local read_mad = args.reader("stats.median_abs_deviation", {"x", "axis", "scale", "nan_policy"})

--- Medians of the distances from the median along an axis. Follows scipy.stats.median_abs_deviation.
---@param x cuna.Operand
---@param axis integer|nil default 1
---@param scale number|"normal"|nil what they are divided by, default 1; "normal": 0.6745, for deviations of normal
---  samples
---@param nan_policy cuna.NanPolicy|nil default "propagate"
---@return cuna.Array
---@usage cn.stats.median_abs_deviation {1, 2, 3, 4, 100} --> 1.0
function F.median_abs_deviation(...)
  local name, x, axis, scale, policy = "stats.median_abs_deviation", read_mad(...)
  local cn = args.namespace
  x, axis = open(name, x, axis)
  local median = cn[given.omits(policy, name, x) and "nanmedian" or "median"]
  local distances = cn.abs(x - median(x, {axis = axis, keepdims = true}))
  return median(distances, axis) / scale_of(scale, 0.6744897501960817, name)
end

return M
