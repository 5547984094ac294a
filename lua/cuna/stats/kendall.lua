--- kendall.lua: Kendall's tau: pairs that two samples order alike.
--
-- The pairs ordered in opposite ways are the inversions of one sample's ranks in the order of the other. They are
-- counted bit by bit, from the highest: of ranks that agree above a bit, each one without it counts those with it that
-- are before it.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local given = require "cuna.stats.given"
local ranks = require "cuna.stats.ranks"

local M = {functions = {}}
local F = M.functions -- cn.stats

local fail = check.fail

--- The pairs of an array of whole numbers from 0 whose first one is greater, a 0-d array of float64.
local function inversions(v)
  local cn, count = args.namespace, nil
  local bit = 2 ^ math.max(math.ceil(math.log(v.size) / math.log(2)) - 1, 0)
  while true do
    local group, has = cn.floor_divide(v, 2 * bit), cn.bitwise_and(v, bit):gt(0)
    local before = cn.cumsum(has) - has:astype "int64"
    local starts = cn.concatenate {cn.ones(1, "bool"), cn.not_equal(group[{{2, -1}}], group[{{1, -2}}])}
    local own = before - cn.cummax(cn.where(starts, before, 0)) -- of the group
    local part = cn.sum(cn.where(has, 0, own):astype "float64")
    count = count and count + part or part
    if bit == 1 then return count end
    v = v[cn.argsort(cn.floor_divide(v, bit))]
    bit = bit / 2
  end
end

--- Pairs of equal ranks, and the two sums that the variance takes: arrays of float64.
local function ties(rank)
  local t = args.namespace.bincount(rank):astype "float64"
  local pairs = t * (t - 1)
  return pairs:sum() / 2, (pairs * (t - 2)):sum(), (pairs * (t * 2 + 5)):sum()
end

--- What tau and its probability are made of, as Lua numbers.
local function tallies(x, y, name)
  local cn, n = args.namespace, x.size
  local a, b = ranks.rank(x, "dense", 1, name), ranks.rank(y, "dense", 1, name)
  local both = (a - 1) * n + b
  local x_ties, x_third, x_sum = ties(a)
  local y_ties, y_third, y_sum = ties(b)
  local together = ties(ranks.rank(both, "dense", 1, name))
  local list = {inversions(b[cn.argsort(both)] - 1), x_ties, y_ties, together, x_third, y_third, x_sum, y_sum,
    cn.sum(cn.isnan(x):bor(cn.isnan(y)))}
  local t = {}
  t.opposite, t.x, t.y, t.both, t.x_third, t.y_third, t.x_sum, t.y_sum, t.nan = cn.item(unpack(list))
  return t
end

--- The probability of at most c pairs in opposite order, or as many more, of n different elements, by counting orders.
local function exact(n, c)
  if n < 3 then return 1 end
  local counts, share = {1, 1}, 2
  for i = 3, c + 1 do counts[i] = 0 end
  for k = 1, n do share = share / k end
  if c < 2 then return (c == 0 and 1 or n) * share end
  for length = 3, n do
    local sum, fresh = 0, {}
    for i = 1, c + 1 do
      sum = sum + counts[i] - (i > length and counts[i - length] or 0)
      fresh[i] = sum
    end
    counts = fresh
  end
  local sum = 0
  for i = 1, c + 1 do sum = sum + counts[i] end
  return math.min(sum * share, 1)
end

--- The two-sided probability from the normal distribution.
local function asymptotic(n, difference, t)
  local m = n * (n - 1)
  local var = (m * (2 * n + 5) - t.x_sum - t.y_sum) / 18 + 2 * t.x * t.y / m
  if n > 2 then var = var + t.x_third * t.y_third / (9 * m * (n - 2)) end
  return args.namespace.special.erfc(math.abs(difference) / math.sqrt(var) / math.sqrt(2)):item()
end

local METHODS = {auto = true, exact = true, asymptotic = true}
local MOST_EXACT = 33 -- elements where "auto" counts orders

local read = args.reader("stats.kendalltau", {"x", "y", "method"}, 2)

--- Kendall's tau-b of two samples, and the probability of one as far from 0 without correlation. Waits; the results are
--- Lua numbers. NaN where a sample has NaN or equal elements only. Follows scipy.stats.kendalltau.
---@param x cuna.Operand a vector of at least 2 elements
---@param y cuna.Operand as long
---@param method string|nil "exact" (without equal elements), "asymptotic" or "auto" (default): exact for up to 33
---  elements without equal ones
---@return number tau
---@return number p
---@usage cn.stats.kendalltau({1, 2, 3, 4}, {1, 3, 2, 4}) --> 0.66666666666667, 0.33333333333333
function F.kendalltau(...)
  local name, x, y, method = "stats.kendalltau", read(...)
  x, y = given.vectors(x, y, name)
  method = method == nil and "auto" or method
  if not METHODS[method] then
    fail("%s: method is \"auto\", \"exact\" or \"asymptotic\", got %s", name, check.show(method))
  end
  core.check_waiting(name)
  local n, t = x.size, tallies(x, y, name)
  if core.is_preparing() then return 0, 1 end
  local all = n * (n - 1) / 2
  if t.nan > 0 or t.x == all or t.y == all then return 0 / 0, 0 / 0 end
  local difference, has_ties = all - t.x - t.y + t.both - 2 * t.opposite, t.x + t.y > 0
  if method == "exact" and has_ties then fail("%s: method \"exact\" takes samples without equal elements", name) end
  local tau = math.min(math.max(difference / math.sqrt(all - t.x) / math.sqrt(all - t.y), -1), 1)
  local c = math.min(t.opposite, all - t.opposite)
  if method == "exact" or method == "auto" and not has_ties and (n <= MOST_EXACT or c <= 1) then
    return tau, 2 * c == all and 1 or exact(n, c)
  end
  return tau, asymptotic(n, difference, t)
end

return M
