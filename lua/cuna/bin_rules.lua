--- bin_rules.lua: rules that choose the number of equal bins for some elements. They wait for the device, because the
-- number of bins is a shape.
--
-- A rule is a function of the elements' statistics {size, ptp, x}. It returns the width of a bin, or 0 for a single
-- bin. The formulas are NumPy's (numpy/lib/_histograms_impl.py cites their sources).
local arrays = require "cuna.array"
local check = require "cuna.base.check"
local core = require "cuna.core"
local reduce = require "cuna.reduce"
local reducers = require "cuna.reducers"

local M = {}

local fail = check.fail
local rules = {}

function rules.sqrt(s) return s.ptp / math.sqrt(s.size) end

function rules.sturges(s) return s.ptp / (math.log(s.size) / math.log(2) + 1) end

function rules.rice(s) return s.ptp / (2 * s.size ^ (1 / 3)) end

--- Twice the distance of the quartiles by the cube root of the count (Freedman and Diaconis 1981).
function rules.fd(s)
  local quartiles = require("cuna.quantile").functions.percentile(s.x, {25, 75}):totable()
  return 2 * (quartiles[2] - quartiles[1]) / s.size ^ (1 / 3)
end

--- The narrower one of fd and sturges, where fd has a width.
function rules.auto(s)
  local width = rules.fd(s)
  return width > 0 and math.min(width, rules.sturges(s)) or rules.sturges(s)
end

function rules.scott(s) return (24 * math.sqrt(math.pi) / s.size) ^ (1 / 3) * reduce.functions.std(s.x):item() end

--- Sturges' rule with what skewness adds to it (Doane 1976).
function rules.doane(s)
  if s.size <= 2 then return 0 end
  local n = s.size
  local spread = math.sqrt(6 * (n - 2) / ((n + 1) * (n + 3)))
  local sigma = reduce.functions.std(s.x)
  if sigma:item() == 0 then return 0 end
  local z = (s.x - reduce.functions.mean(s.x)) / sigma
  local skewness = reduce.functions.mean(z ^ 3):item()
  return s.ptp / (1 + math.log(n) / math.log(2) + math.log(1 + math.abs(skewness) / spread) / math.log(2))
end

--- The width that leaves the least estimated error, by leaving one out (Stone 1984): a histogram for each count of
--- bins.
function rules.stone(s)
  if s.size <= 1 or s.ptp == 0 then return 0 end
  local histogram = require("cuna.histogram").functions.histogram
  local most = math.max(100, math.floor(math.sqrt(s.size)))
  local squares = core.empty({most}, "float64", s.x.device, s.name)
  for bins = 1, most do
    local share = histogram(s.x, bins, s.range) / s.size
    squares[{{bins, bins}}] = reduce.functions.sum(share * share)
  end
  local best, least = 1, math.huge
  for bins, square in ipairs(squares:totable()) do
    local estimate = (2 - (s.size + 1) * square) / (s.ptp / bins)
    if estimate < least then best, least = bins, estimate end
  end
  return s.ptp / best
end

local function names()
  local list = {}
  for name in pairs(rules) do list[#list + 1] = name end
  table.sort(list)
  return table.concat(list, ", ")
end

--- The elements inside a range.
local function inside(x, low, high)
  local elementwise = require("cuna.elementwise").functions
  return x[elementwise.logical_and(elementwise.greater_equal(x, low), elementwise.less_equal(x, high))]
end

--- How many bins a rule wants for the elements of x.
---@param x cuna.Array 1-d
---@param rule string
---@param range number[]|nil
---@return integer
function M.count(x, rule, range, name)
  if not rules[rule] then fail("%s: bins %s is not a rule; known are %s", name, check.show(rule), names()) end
  local low, high
  core.check_waiting(name)
  if range then
    low, high = require("cuna.histogram").check_range(range, name)
    x = inside(x, low, high)
  end
  if x.size == 0 or core.is_preparing() then return 1 end
  if x.dtype == "bool" then x = x:astype "int8" end
  local least, most = arrays.functions.item(reduce.functions.min(x), reduce.functions.max(x))
  least, most = tonumber(least), tonumber(most)
  local ptp = most - least
  low, high = low or least, high or most
  if ptp ~= ptp or ptp == math.huge then
    fail("%s: the elements' range is not finite; give range = {least, greatest}", name)
  end
  if low == high then low, high = low - 0.5, high + 0.5 end
  local width = rules[rule] {x = x, size = x.size, ptp = ptp, range = {low, high}, name = name}
  if not reducers.is_inexact(x.dtype) and width > 0 then width = math.max(width, 1) end
  return width > 0 and math.ceil((high - low) / width) or 1
end

return M
