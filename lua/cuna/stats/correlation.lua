--- correlation.lua: correlations of two samples, and lines through points.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local given = require "cuna.stats.given"
local ranks = require "cuna.stats.ranks"
local tests = require "cuna.stats.tests"

local M = {functions = {}}
local F = M.functions -- cn.stats

local fail = check.fail

local function bounded(r) return args.namespace.clip(r, -1, 1) end

--- Pearson's r of vectors.
local function correlation(x, y)
  local cn = args.namespace
  local dx, dy = x - cn.mean(x), y - cn.mean(y)
  return bounded(cn.sum(dx / cn.sqrt(cn.sum(dx * dx)) * (dy / cn.sqrt(cn.sum(dy * dy)))))
end

--- The probability of a correlation at least as far from 0, of n normal variables.
local function probability(r, n, alternative)
  local cn, half = args.namespace, n / 2 - 1
  if n == 2 then return cn.where(cn.isnan(r), r, 1) end
  local function beyond(v) return cn.special.betaincc(half, half, (v + 1) / 2) end
  if alternative == "greater" then return beyond(r) end
  if alternative == "less" then return beyond(-r) end
  return beyond(cn.abs(r)) * 2
end

local read_pearsonr = args.reader("stats.pearsonr", {"x", "y", "alternative"}, 2)

--- Pearson's correlation of two samples, and the probability of one as far from 0 without correlation. NaN where all
--- elements of a sample are equal. Follows scipy.stats.pearsonr.
---@param x cuna.Operand a vector of at least 2 elements
---@param y cuna.Operand as long
---@param alternative cuna.Alternative|nil default "two-sided"
---@return cuna.Array r
---@return cuna.Array p
---@usage cn.stats.pearsonr({1, 2, 3}, {1, 3, 2}):round(6) --> 0.5
---@usage select(2, cn.stats.pearsonr({1, 2, 3}, {1, 3, 2})):round(6) --> 0.666667
function F.pearsonr(...)
  local name, x, y, alternative = "stats.pearsonr", read_pearsonr(...)
  x, y = given.vectors(x, y, name)
  alternative = given.alternative(alternative, name)
  local r = correlation(x, y)
  return r, probability(r, x.size, alternative)
end

--- The variables of spearmanr as columns.
local function columns_of(a, b, axis, name)
  local cn = args.namespace
  if b ~= nil then a, b = given.pair(a, b, name) else a = given.floats(given.sample(a, name)) end
  if a.ndim > 2 or b and b.ndim > 2 then fail("%s: expected at most 2 axes", name) end
  local place = core.axis(axis == nil and 1 or axis, 2, name)
  local function columns(x)
    if x.ndim == 1 then return core.reshape(x, {-1, 1}, name) end
    return place == 1 and x or x.T
  end
  local all = columns(a)
  if b then
    local other = columns(b)
    if other.shape[1] ~= all.shape[1] then
      fail("%s: samples of shapes %s and %s have different lengths", name, tostring(a.shape), tostring(b.shape))
    end
    all = cn.concatenate({all, other}, 2)
  end
  if all.shape[2] < 2 then fail("%s: expected two variables, got one", name) end
  if all.shape[1] < 2 then fail("%s: expected at least 2 elements, got %d", name, all.shape[1]) end
  return all
end

local read_spearmanr = args.reader("stats.spearmanr", {"a", "b", "axis", "nan_policy", "alternative"})

--- Spearman's correlation, that of ranks, and the probability of one as far from 0 without correlation. Of more than
--- two variables both are matrices. NaN where all elements of a variable are equal. Follows scipy.stats.spearmanr.
---@param a cuna.Operand a vector, or variables in columns
---@param b cuna.Operand|nil more variables
---@param axis integer|nil along which the elements of a variable lie, default 1
---@param nan_policy cuna.NanPolicy|nil "propagate" (default) or "raise"
---@param alternative cuna.Alternative|nil default "two-sided"
---@return cuna.Array rho
---@return cuna.Array p
---@usage cn.stats.spearmanr({1, 2, 3}, {10, 30, 20}):round(6) --> 0.5
function F.spearmanr(...)
  local name, a, b, axis, policy, alternative = "stats.spearmanr", read_spearmanr(...)
  local cn = args.namespace
  local all = columns_of(a, b, axis, name)
  alternative = given.alternative(alternative, name)
  given.keeps_nan(policy, name, all)
  local free = all.shape[1] - 2
  local has_nan = cn.any(cn.isnan(all), {axis = 1, keepdims = true})
  local ranked = cn.where(has_nan, 0 / 0, ranks.rank(all, "average", 1, name))
  local rho = bounded(cn.corrcoef(ranked, {rowvar = false}))
  local two = all.shape[2] == 2
  if two then rho = rho[{1, 2, cn.ellipsis}] end
  local t = rho * cn.sqrt(cn.maximum(free / ((rho + 1) * (1 - rho)), 0))
  return rho, tests.probability(t, free, alternative)
end

local read_linregress = args.reader("stats.linregress", {"x", "y", "alternative"}, 2)

--- The line of least squares through points, and how well it is known. Where all x are equal the results are NaN, where
--- all y are all but the line. Follows scipy.stats.linregress, which raises an error for the former.
---@param x cuna.Operand a vector of at least 2 elements
---@param y cuna.Operand as long
---@param alternative cuna.Alternative|nil for the slope, default "two-sided"
---@return cuna.Array slope
---@return cuna.Array intercept
---@return cuna.Array r Pearson's correlation
---@return cuna.Array p the probability of a slope as far from 0 without one
---@return cuna.Array stderr the standard error of the slope
---@return cuna.Array intercept_stderr
---@usage cn.stack({cn.stats.linregress({0, 1, 2}, {1, 3, 5})}):round() --> [2. 1. 1. 0. 0. 0.]
function F.linregress(...)
  local name, x, y, alternative = "stats.linregress", read_linregress(...)
  local cn = args.namespace
  x, y = given.vectors(x, y, name)
  alternative = given.alternative(alternative, name)
  local mean_x, mean_y, n = cn.mean(x), cn.mean(y), x.size
  local dx, dy = x - mean_x, y - mean_y
  local xx, xy, yy = cn.mean(dx * dx), cn.mean(dx * dy), cn.mean(dy * dy)
  local r = bounded(xy / cn.sqrt(xx * yy))
  local slope = xy / xx
  local intercept = mean_y - slope * mean_x
  if n == 2 then
    local zero = slope * 0
    return slope, intercept, r, cn.where(cn.equal(yy, 0), zero + 1, zero), zero, zero
  end
  local tiny = 1e-20
  local t = r * cn.sqrt((n - 2) / ((1 - r + tiny) * (1 + r + tiny)))
  local stderr = cn.sqrt((1 - r * r) * yy / xx / (n - 2))
  return slope, intercept, r, tests.probability(t, n - 2, alternative), stderr,
    stderr * cn.sqrt(xx + mean_x * mean_x)
end

return M
