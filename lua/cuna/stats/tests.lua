--- tests.lua: tests of means and of frequencies.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local given = require "cuna.stats.given"

local M = {functions = {}}
local F = M.functions -- cn.stats

local fail = check.fail

---@alias cuna.Alternative "two-sided"|"less"|"greater" the hypothesis that a test has beside its own

--- The probability of a t as far from 0 with so many degrees of freedom.
function M.probability(t, free, alternative)
  local cn = args.namespace
  local stdtr = cn.special.stdtr
  if alternative == "less" then return stdtr(free, t) end
  if alternative == "greater" then return stdtr(free, -t) end
  return stdtr(free, -cn.abs(t)) * 2
end

--- Results without the axis that was kept, unless it stays; degrees of freedom of all slices are a number or an array.
local function conclude(t, free, axis, alternative, stays)
  t = given.drop(t, axis, stays)
  if type(free) ~= "number" then free = given.drop(free, axis, stays) end
  return t, M.probability(t, free, alternative), args.namespace.zeros_like(t) + free
end

--- t of the mean of x against a mean, and degrees of freedom.
local function of_mean(x, mean, axis, omits)
  local n = given.count(x, axis, omits)
  local distance = given.mean(x, axis, omits) - mean
  return distance / (given.variance(x, axis, omits) / n) ^ 0.5, n - 1
end

local read_one = args.reader("stats.ttest_1samp", {"a", "popmean", "axis", "nan_policy", "alternative",
  "keepdims"}, 2)

--- Student's test of the mean of one sample. Follows scipy.stats.ttest_1samp.
---@param a cuna.Operand
---@param popmean cuna.Operand the mean that is expected: a number, or an array with length 1 along the axis
---@param axis integer|nil default 1
---@param nan_policy cuna.NanPolicy|nil default "propagate"
---@param alternative cuna.Alternative|nil default "two-sided"
---@param keepdims boolean|nil default false
---@return cuna.Array t
---@return cuna.Array p
---@return cuna.Array df degrees of freedom
---@usage cn.stats.ttest_1samp({1, 2, 4, 5}, 3) --> 0.0, 1.0, 3.0
function F.ttest_1samp(...)
  local name, a, popmean, axis, policy, alternative, keepdims = "stats.ttest_1samp", read_one(...)
  if type(popmean) == "number" then
    a = given.floats(given.sample(a, name))
  else
    a, popmean = given.pair(a, popmean, name)
  end
  axis, alternative = given.axis(axis, a, name), given.alternative(alternative, name)
  local omits = given.omits(policy, name, a)
  local t, free = of_mean(a, popmean, axis, omits)
  if t.ndim ~= a.ndim or t.shape[axis] ~= 1 then
    fail("%s: popmean of shape %s has more than one mean along axis %d", name, tostring(popmean.shape), axis)
  end
  return conclude(t, free, axis, alternative, check.boolean(keepdims, false, name, "keepdims"))
end

local read_rel = args.reader("stats.ttest_rel", {"a", "b", "axis", "nan_policy", "alternative", "keepdims"}, 2)

--- Student's test of the means of two samples whose elements belong together. Follows scipy.stats.ttest_rel.
---@param a cuna.Operand
---@param b cuna.Operand of a's shape
---@param axis integer|nil default 1
---@param nan_policy cuna.NanPolicy|nil "omit" leaves pairs out; default "propagate"
---@param alternative cuna.Alternative|nil default "two-sided"
---@param keepdims boolean|nil default false
---@return cuna.Array t
---@return cuna.Array p
---@return cuna.Array df degrees of freedom
---@usage cn.stats.ttest_rel({1, 2, 3}, {2, 2, 2}) --> 0.0, 1.0, 2.0
function F.ttest_rel(...)
  local name, a, b, axis, policy, alternative, keepdims = "stats.ttest_rel", read_rel(...)
  a, b = given.pair(a, b, name)
  if a.shape ~= b.shape then
    fail("%s: samples of shapes %s and %s differ in shape", name, tostring(a.shape), tostring(b.shape))
  end
  axis, alternative = given.axis(axis, a, name), given.alternative(alternative, name)
  local omits = given.omits(policy, name, a, b)
  local t, free = of_mean(a - b, 0, axis, omits)
  return conclude(t, free, axis, alternative, check.boolean(keepdims, false, name, "keepdims"))
end

--- The deviation of the difference of two means, and degrees of freedom, of equal variances.
local function pooled(va, na, vb, nb)
  local free = na + nb - 2
  return (((na - 1) * va + (nb - 1) * vb) / free * (1 / na + 1 / nb)) ^ 0.5, free
end

--- The same of variances that may differ: Welch's.
local function separate(va, na, vb, nb)
  local cn = args.namespace
  va, vb = va / na, vb / nb
  local free = (va + vb) ^ 2 / (va * va / (na - 1) + vb * vb / (nb - 1))
  return (va + vb) ^ 0.5, cn.where(cn.isnan(free), 1, free)
end

local read_ind = args.reader("stats.ttest_ind", {"a", "b", "axis", "equal_var", "nan_policy", "alternative"}, 2)

--- Student's test of the means of two independent samples, or Welch's. Follows scipy.stats.ttest_ind.
---@param a cuna.Operand
---@param b cuna.Operand of a's shape but for the axis
---@param axis integer|nil default 1
---@param equal_var boolean|nil false: the variances may differ (Welch's test); default true
---@param nan_policy cuna.NanPolicy|nil default "propagate"
---@param alternative cuna.Alternative|nil default "two-sided"
---@return cuna.Array t
---@return cuna.Array p
---@return cuna.Array df degrees of freedom
---@usage cn.stats.ttest_ind({1, 2, 3}, {0, 2, 4}) --> 0.0, 1.0, 4.0
---@usage select(2, cn.stats.ttest_ind({1, 2, 3}, {3, 4, 5})):round(6) --> 0.070484
function F.ttest_ind(...)
  local name, a, b, axis, equal_var, policy, alternative = "stats.ttest_ind", read_ind(...)
  a, b = given.pair(a, b, name)
  if a.ndim ~= b.ndim then
    fail("%s: samples of shapes %s and %s differ in axes", name, tostring(a.shape), tostring(b.shape))
  end
  axis, alternative = given.axis(axis, a, name), given.alternative(alternative, name)
  given.check_fit(a, b, axis, name)
  equal_var = check.boolean(equal_var, true, name, "equal_var")
  local omits = given.omits(policy, name, a, b)
  local deviation, free = (equal_var and pooled or separate)(given.variance(a, axis, omits),
    given.count(a, axis, omits), given.variance(b, axis, omits), given.count(b, axis, omits))
  local t = (given.mean(a, axis, omits) - given.mean(b, axis, omits)) / deviation
  return conclude(t, free, axis, alternative)
end

--- Refuses expected frequencies with another sum than the observed ones, which waits.
local function check_sums(observed, expected, axis, name)
  local cn = args.namespace
  core.check_waiting(name)
  local a, b = observed:sum(axis), expected:sum(axis)
  local off = (cn.abs(a - b) / cn.minimum(a, b)):max():item()
  if not core.is_preparing() and off > 1e-8 then
    fail("%s: observed and expected frequencies have different sums; they differ by %.3g of the sum", name, off)
  end
end

local read_chisquare = args.reader("stats.chisquare", {"f_obs", "f_exp", "ddof", "axis"})

--- The chi-square test of frequencies along an axis. With f_exp it waits, to see whether the sums agree. Follows
--- scipy.stats.chisquare.
---@param f_obs cuna.Operand observed frequencies
---@param f_exp cuna.Operand|nil expected ones, with the same sums; default: equal ones
---@param ddof integer|nil degrees of freedom less than their number, below it less 1; default 0
---@param axis integer|nil default 1
---@return cuna.Array statistic
---@return cuna.Array p
---@usage cn.stats.chisquare {16, 18, 16, 14, 12, 12} --> 2.0, 0.8491450360846097
function F.chisquare(...)
  local name, observed, expected, ddof, axis = "stats.chisquare", read_chisquare(...)
  local cn = args.namespace
  if expected ~= nil then
    observed, expected = given.pair(observed, expected, name)
    if not check.broadcast(observed.shape, expected.shape) then
      fail("%s: frequencies of shapes %s and %s do not broadcast", name, tostring(observed.shape),
        tostring(expected.shape))
    end
    observed, expected = cn.broadcast_arrays(observed, expected)
  else
    observed = given.floats(given.sample(observed, name))
  end
  axis, ddof = given.axis(axis, observed, name), check.real(ddof == nil and 0 or ddof, name, "ddof")
  if expected then
    check_sums(observed, expected, axis, name)
  else
    expected = cn.mean(observed, {axis = axis, keepdims = true})
  end
  local distance = observed - expected
  local statistic = cn.sum(distance * distance / expected, axis)
  return statistic, cn.special.chdtrc(observed.shape[axis] - 1 - ddof, statistic)
end

return M
