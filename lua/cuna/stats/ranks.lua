--- ranks.lua: ranks of elements, by runs of equal ones in sorted samples.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local dtype_facts = require "cuna.base.dtype_facts"
local given = require "cuna.stats.given"
local slices = require "cuna.base.slices"
local with = require "cuna.base.with"

local M = {functions = {}}
local F = M.functions -- cn.stats

local fail = check.fail

--- A sample sorted along an axis, and its runs of equal elements; NaN equals NaN.
---@return {order: cuna.Array, sorted: cuna.Array, place: cuna.Array, starts: cuna.Array, first: cuna.Array} `place`: 1,
--- 2, ... along the axis; `starts`: where a run begins; `first`: where that of an element begins
function M.runs(x, axis, name)
  local cn = args.namespace
  local order = cn.argsort(x, axis)
  local sorted = cn.take_along_axis(x, order, axis)
  local n, shape = x.shape[axis], {}
  for k = 1, x.ndim do shape[k] = k == axis and n or 1 end
  local place = with.on(x, cn.range, 1, n):reshape(shape)
  local starts = cn.ones(x.shape, "bool", x.device)
  if n > 1 then
    local left, right = slices.part(sorted, axis, 1, n - 1), slices.part(sorted, axis, 2, n - 1)
    local differ = cn.not_equal(left, right)
    if dtype_facts.kind_of[x.dtype] == "f" then
      differ = differ:band(cn.isnan(left):band(cn.isnan(right)):logical_not())
    end
    core.copy(slices.part(starts, axis, 2, n - 1), differ, name)
  end
  local first = cn.cummax(cn.where(starts, place, 1), axis)
  return {order = order, sorted = sorted, place = place, starts = starts, first = first}
end

--- Where the run of each element ends.
local function last_of(runs, axis, name)
  local cn, n = args.namespace, runs.sorted.shape[axis]
  local ends = cn.ones(runs.sorted.shape, "bool", runs.sorted.device)
  if n > 1 then
    core.copy(slices.part(ends, axis, 1, n - 1), slices.part(runs.starts, axis, 2, n - 1), name)
  end
  return cn.flip(cn.cummin(cn.flip(cn.where(ends, runs.place, n), axis), axis), axis)
end

-- Ranks of sorted elements.
local RANKS = {
  min = function(runs) return runs.first end,
  max = last_of,
  average = function(runs, axis, name) return (runs.first + last_of(runs, axis, name)) / 2 end,
  dense = function(runs, axis) return args.namespace.cumsum(runs.starts, axis) end,
  ordinal = function(runs) return args.namespace.broadcast_to(runs.place, runs.sorted.shape) end,
}

--- Ranks along an axis by a method.
function M.rank(x, method, axis, name)
  local cn = args.namespace
  local runs = M.runs(x, axis, name)
  local ranks = RANKS[method](runs, axis, name)
  ranks = core.cast(ranks, method == "average" and "float64" or "int64", name)
  local out = cn.empty(x.shape, ranks.dtype, x.device)
  cn.put_along_axis(out, runs.order, ranks, axis)
  return out
end

--- Whether there is NaN, which waits.
local function has_nan(x, name)
  core.check_waiting(name)
  return args.namespace.any(args.namespace.isnan(x)) and not core.is_preparing()
end

--- Ranks where NaN has the rank NaN, or makes all ranks along the axis NaN.
local function with_nan(x, ranks, axis, omits)
  local cn, nan = args.namespace, args.namespace.isnan(x)
  if not omits then nan = cn.any(nan, {axis = axis, keepdims = true}) end
  return cn.where(nan, 0 / 0, ranks)
end

local read_rankdata = args.reader("stats.rankdata", {"a", "method", "axis", "nan_policy"})

--- Ranks of elements among those along an axis, from 1 up: float64 of the method "average", int64 of others. NaN makes
--- the ranks along its axis NaN, and with nan_policy "omit" its own; methods other than "average" wait to know whether
--- there is NaN, and are float64 then. Follows scipy.stats.rankdata.
---@param a cuna.Operand
---@param method string|nil ranks of equal elements: "average" (default), "min", "max", "dense" (as min, without gaps),
---  "ordinal" (all different, in order of a)
---@param axis integer|nil default: a is flattened
---@param nan_policy cuna.NanPolicy|nil default "propagate"
---@return cuna.Array of a's shape, without an axis 1-d
---@usage cn.stats.rankdata {0, 2, 3, 2} --> [1. 2.5 4. 2.5]
---@usage cn.stats.rankdata({0, 2, 3, 2}, "min") --> [1 2 4 2]
function F.rankdata(...)
  local name, a, method, axis, policy = "stats.rankdata", read_rankdata(...)
  a, method = given.sample(a, name), method == nil and "average" or method
  if not RANKS[method] then
    fail("%s: method is \"average\", \"min\", \"max\", \"dense\" or \"ordinal\", got %s", name, check.show(method))
  end
  if axis == nil then a = core.reshape(a, -1, name) end
  axis = given.axis(axis, a, name)
  local omits = given.omits(policy, name, a)
  if a.size == 0 then return args.namespace.zeros(a.shape, method == "average" and "float64" or "int64", a.device) end
  local ranks = M.rank(a, method, axis, name)
  if dtype_facts.kind_of[a.dtype] ~= "f" then return ranks end
  if method ~= "average" and not has_nan(a, name) then return ranks end
  return with_nan(a, ranks, axis, omits)
end

local read_percentile = args.reader("stats.percentileofscore", {"a", "score", "kind"}, 2)

-- Of how many elements are below and at most the score.
local SHARES = {
  rank = function(below, most) return (below + most + args.namespace.less(below, most)) * 0.5 end,
  weak = function(_, most) return most end,
  strict = function(below) return below end,
  mean = function(below, most) return (below + most) * 0.5 end,
}

--- Where scores are among the elements of a sample, in percent. Follows scipy.stats.percentileofscore.
---@param a cuna.Operand a vector
---@param score cuna.Operand
---@param kind string|nil of elements equal to the score, "rank" (default) counts the middle one, "weak" all, "strict"
---  none, "mean" half
---@return cuna.Array of the shape of score
---@usage cn.stats.percentileofscore({1, 2, 3, 4}, {2, 3}) --> [50. 75.]
function F.percentileofscore(...)
  local name, a, score, kind = "stats.percentileofscore", read_percentile(...)
  kind = kind == nil and "rank" or kind
  if not SHARES[kind] then
    fail("%s: kind is \"rank\", \"weak\", \"strict\" or \"mean\", got %s", name, check.show(kind))
  end
  local cn = args.namespace
  a = given.floats(given.sample(a, name))
  if a.ndim ~= 1 or a.size == 0 then
    fail("%s: expected a vector with elements, got shape %s", name, tostring(a.shape))
  end
  score = given.floats(check.array(score, name, a.device))
  local sorted = cn.sort(a)
  local below, most = cn.searchsorted(sorted, score, "left") - 1, cn.searchsorted(sorted, score, "right") - 1
  local unknown = cn.isnan(score):bor(cn.any(cn.isnan(a), {axis = 1}))
  return cn.where(unknown, 0 / 0, SHARES[kind](below, most) * (100 / a.size))
end

local read_score = args.reader("stats.scoreatpercentile", {"a", "per", "limit", "interpolation_method", "axis"}, 2)
local INTERPOLATIONS = {fraction = "linear", lower = "lower", higher = "higher"}

--- Percentiles, of the elements between limits if some are given, for which it waits. Follows
--- scipy.stats.scoreatpercentile; cn.percentile has more methods.
---@param a cuna.Operand
---@param per cuna.Operand percentiles, 0 to 100
---@param limit number[]|nil the least and the greatest element that counts
---@param interpolation_method string|nil "fraction" (default), "lower" or "higher"
---@param axis integer|nil default: a is flattened; with limits it always is
---@return cuna.Array
---@usage cn.stats.scoreatpercentile(cn.arange(100), 50) --> 49.5
---@usage cn.stats.scoreatpercentile({1, 2, 3, 400}, 50, {0, 10}) --> 2.0
function F.scoreatpercentile(...)
  local name, a, per, limit, method, axis = "stats.scoreatpercentile", read_score(...)
  local cn, how = args.namespace, INTERPOLATIONS[method == nil and "fraction" or method]
  if not how then
    fail("%s: interpolation_method is \"fraction\", \"lower\" or \"higher\", got %s", name, check.show(method))
  end
  a = given.floats(given.sample(a, name))
  if limit ~= nil then
    if type(limit) ~= "table" or #limit ~= 2 then fail("%s: limit is two numbers, got %s", name, check.show(limit)) end
    a, axis = a[cn.greater_equal(a, limit[1]):band(cn.less_equal(a, limit[2]))], nil
  end
  return cn.percentile(a, per, {axis = axis, method = how})
end

return M
