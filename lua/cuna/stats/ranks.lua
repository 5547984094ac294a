--- ranks.lua: ranks of elements, by runs of equal ones in sorted samples.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local dtype_facts = require "cuna.base.dtype_facts"
local given = require "cuna.stats.given"
local slices = require "cuna.base.slices"

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
  local place = x.device:with(cn.range, 1, n):reshape(shape)
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

return M
