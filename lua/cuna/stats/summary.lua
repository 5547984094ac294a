--- summary.lua: numbers that describe samples: scores, entropies, trimmed means, skewness, kurtosis, modes.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local given = require "cuna.stats.given"
local slices = require "cuna.base.slices"

local M = {functions = {}}
local F = M.functions -- cn.stats

local fail = check.fail

---@alias cuna.NanPolicy "propagate"|"raise"|"omit" what NaN does: it makes NaN, is an error, or is left out

-- ---- scores ----

--- Scores of x by the mean and deviation of another sample; NaN where that has equal elements.
local function scores(name, x, other, axis, ddof, policy)
  local cn = args.namespace
  ddof = given.ddof(ddof, 0, name)
  axis = given.axis(axis, other, name)
  local omits = given.omits(policy, name, other)
  if other.size == 0 then return x * 1.0 end
  local least = cn[omits and "nanmin" or "min"](other, {axis = axis, keepdims = true})
  local most = cn[omits and "nanmax" or "max"](other, {axis = axis, keepdims = true})
  local deviation = given.deviation(other, axis, ddof, omits)
  deviation = cn.where(cn.equal(least, most), 0 / 0, deviation)
  return (x - given.mean(other, axis, omits)) / deviation
end

local read_zscore = args.reader("stats.zscore", {"a", "axis", "ddof", "nan_policy"})

--- Distances from the mean along an axis, over the standard deviation. NaN where all elements are equal. Follows
--- scipy.stats.zscore.
---@param a cuna.Operand
---@param axis integer|nil default 1
---@param ddof number|nil the deviation divides by n - ddof, default 0
---@param nan_policy cuna.NanPolicy|nil default "propagate"
---@return cuna.Array of a's shape
---@usage cn.stats.zscore {1, 3} --> [-1. 1.]
function F.zscore(...)
  local name, a, axis, ddof, policy = "stats.zscore", read_zscore(...)
  a = given.floats(given.sample(a, name))
  return scores(name, a, a, axis, ddof, policy)
end

local read_zmap = args.reader("stats.zmap", {"scores", "compare", "axis", "ddof", "nan_policy"}, 2)

--- Distances from the mean of another sample along an axis, over its standard deviation. Follows scipy.stats.zmap.
---@param scores cuna.Operand
---@param compare cuna.Operand the sample with the mean and the deviation
---@param axis integer|nil of compare, default 1
---@param ddof number|nil the deviation divides by n - ddof, default 0
---@param nan_policy cuna.NanPolicy|nil default "propagate"
---@return cuna.Array
---@usage cn.stats.zmap({2, 5}, {1, 3}) --> [0. 3.]
function F.zmap(...)
  local name, x, other, axis, ddof, policy = "stats.zmap", read_zmap(...)
  x, other = given.pair(x, other, name)
  return scores(name, x, other, axis, ddof, policy)
end

-- ---- entropies ----

local read_entropy = args.reader("stats.entropy", {"pk", "qk", "base", "axis"})

--- Entropies of distributions along an axis, which are scaled to sum to 1; with qk entropies relative to it. Follows
--- scipy.stats.entropy.
---@param pk cuna.Operand
---@param qk cuna.Operand|nil
---@param base number|nil of the logarithm, default e
---@param axis integer|nil default 1
---@return cuna.Array
---@usage cn.stats.entropy({1, 1}, nil, 2) --> 1.0
---@usage cn.stats.entropy({1, 1}, {1, 3}, {base = 2}):round(6) --> 0.207519
function F.entropy(...)
  local name, pk, qk, base, axis = "stats.entropy", read_entropy(...)
  local special = args.namespace.special
  if qk ~= nil then pk, qk = given.pair(pk, qk, name) else pk = given.floats(given.sample(pk, name)) end
  base = base ~= nil and check.real(base, name, "base") or nil
  if base and base <= 0 then fail("%s: base is a positive number, got %s", name, tostring(base)) end
  axis = given.axis(axis, pk, name)
  if qk then given.check_fit(pk, qk, nil, name) end
  local function scaled(x) return x / args.namespace.sum(x, {axis = axis, keepdims = true}) end
  local terms = qk and special.rel_entr(scaled(pk), scaled(qk)) or special.entr(scaled(pk))
  local sum = terms:sum(axis)
  return base and sum / math.log(base) or sum
end

-- ---- moments ----

local read_trim = args.reader("stats.trim_mean", {"a", "proportiontocut", "axis"}, 2)

--- Means along an axis without a share of the least and as many of the greatest elements. Follows
--- scipy.stats.trim_mean.
---@param a cuna.Operand
---@param proportiontocut number the share of each side, from 0 and below 0.5
---@param axis integer|nil default 1
---@return cuna.Array
---@usage cn.stats.trim_mean({1, 2, 3, 100}, 0.25) --> 2.5
function F.trim_mean(...)
  local name, a, share, axis = "stats.trim_mean", read_trim(...)
  a = given.sample(a, name)
  axis = given.axis(axis, a, name)
  if check.real(share, name, "proportiontocut") < 0 or share >= 0.5 then
    fail("%s: proportiontocut is a share from 0 and below 0.5, got %s", name, tostring(share))
  end
  local count = a.shape[axis]
  local cut = math.floor(share * count)
  local sorted = args.namespace.sort(a, axis)
  return args.namespace.mean(slices.part(sorted, axis, cut + 1, count - 2 * cut), axis)
end

local RESOLUTION = {float64 = 1e-15, float32 = 1e-6, float16 = 1e-3, bfloat16 = 1e-2}

--- The second and another moment of a sample along an axis; the first is NaN where the elements are equal up to
--- rounding.
local function moments(x, power, axis, omits)
  local cn, mean = args.namespace, given.mean(x, axis, omits)
  local second, other = given.moment(x, 2, axis, mean, omits), given.moment(x, power, axis, mean, omits)
  local least = (mean * RESOLUTION[x.dtype]) ^ 2
  return cn.where(cn.less_equal(second, least), 0 / 0, second), other
end

--- What `corrected` gives where there are more than `least` elements, and else the plain value.
local function unbiased(plain, count, least, corrected)
  if type(count) == "number" then return count > least and corrected(count) or plain end
  return args.namespace.where(count:gt(least), corrected(count), plain)
end

local function open_moments(name, a, axis, bias, policy)
  a = given.floats(given.sample(a, name))
  axis, bias = given.axis(axis, a, name), check.boolean(bias, true, name, "bias")
  return a, axis, bias, given.omits(policy, name, a)
end

local read_skew = args.reader("stats.skew", {"a", "axis", "bias", "nan_policy", "keepdims"})

--- Skewness along an axis: the third moment about the mean over the deviation's third power. NaN of equal elements.
--- Follows scipy.stats.skew.
---@param a cuna.Operand
---@param axis integer|nil default 1
---@param bias boolean|nil false: corrected for the bias of samples; default true
---@param nan_policy cuna.NanPolicy|nil default "propagate"
---@param keepdims boolean|nil default false
---@return cuna.Array
---@usage cn.stats.skew {0, 0, 3} --> 0.7071067811865475
function F.skew(...)
  local name, a, axis, bias, policy, keepdims = "stats.skew", read_skew(...)
  local omits
  a, axis, bias, omits = open_moments(name, a, axis, bias, policy)
  local second, third = moments(a, 3, axis, omits)
  local value = third / second ^ 1.5
  if not bias then
    value = unbiased(value, given.count(a, axis, omits), 2, function(n)
      return ((n - 1) * n) ^ 0.5 / (n - 2) * value
    end)
  end
  return given.drop(value, axis, check.boolean(keepdims, false, name, "keepdims"))
end

local read_kurtosis = args.reader("stats.kurtosis", {"a", "axis", "fisher", "bias", "nan_policy", "keepdims"})

--- Kurtosis along an axis: the fourth moment about the mean over the squared variance. NaN of equal elements. Follows
--- scipy.stats.kurtosis.
---@param a cuna.Operand
---@param axis integer|nil default 1
---@param fisher boolean|nil true (default): less 3, so that a normal distribution has 0
---@param bias boolean|nil false: corrected for the bias of samples; default true
---@param nan_policy cuna.NanPolicy|nil default "propagate"
---@param keepdims boolean|nil default false
---@return cuna.Array
---@usage cn.stats.kurtosis {1, 2, 3, 4} --> -1.36
function F.kurtosis(...)
  local name, a, axis, fisher, bias, policy, keepdims = "stats.kurtosis", read_kurtosis(...)
  local omits
  fisher = check.boolean(fisher, true, name, "fisher")
  a, axis, bias, omits = open_moments(name, a, axis, bias, policy)
  local second, fourth = moments(a, 4, axis, omits)
  local value = fourth / (second * second)
  if not bias then
    value = unbiased(value, given.count(a, axis, omits), 3, function(n)
      return ((n ^ 2 - 1) * value - (n - 1) ^ 2 * 3) / (n - 2) / (n - 3) + 3
    end)
  end
  return given.drop(fisher and value - 3 or value, axis, check.boolean(keepdims, false, name, "keepdims"))
end

-- ---- modes ----

local read_mode = args.reader("stats.mode", {"a", "axis", "nan_policy", "keepdims"})

--- The most frequent element along an axis, the least one of several, and how often it comes. NaN is an element like
--- others, and with nan_policy "omit" none. Follows scipy.stats.mode.
---@param a cuna.Operand
---@param axis integer|nil default 1
---@param nan_policy cuna.NanPolicy|nil default "propagate"
---@param keepdims boolean|nil default false
---@return cuna.Array modes
---@return cuna.Array counts int64
---@usage cn.stats.mode {3, 1, 2, 1} --> 1.0, 2
function F.mode(...)
  local name, a, axis, policy, keepdims = "stats.mode", read_mode(...)
  local cn = args.namespace
  a = given.sample(a, name)
  axis, keepdims = given.axis(axis, a, name), check.boolean(keepdims, false, name, "keepdims")
  local omits = given.omits(policy, name, a)
  if a.shape[axis] == 0 then fail("%s: axis %d has no elements", name, axis) end
  local runs = require("cuna.stats.ranks").runs(a, axis, name)
  local lengths = runs.place - runs.first + 1
  if omits then lengths = cn.where(cn.isnan(runs.sorted), 0, lengths) end
  local at = cn.expand_dims(cn.argmax(lengths, axis), axis)
  local value, count = cn.take_along_axis(runs.sorted, at, axis), cn.take_along_axis(lengths, at, axis)
  if omits then value = cn.where(count:eq(0), 0 / 0, value) end
  count = core.cast(count, "int64", name)
  if keepdims then return value, count end
  return given.drop(value, axis), given.drop(count, axis)
end

return M
