--- demand.lua: what parameters of distributions must be: words, a test of numbers, and the same test in kernel text.
--
-- Arrays are tested by a program that reports the first value that is not as it must be. On a device that the host
-- waits for this raises before anything is drawn, elsewhere at the next wait.
local core = require "cuna.core"
local program = require "cuna.base.program"

local M = {}

local HUGE, TINY = 1.7976931348623157e308, 4.9406564584124654e-324
local MOST_RATE = 9.223372006484771e18

--- A demand: what stands behind the parameter's name in errors, a function of a number, an expression of v, a double,
--- and the least and the most number of those for which it holds, but for -0.
local function demand(words, holds, expr, least, most)
  return {words = words, holds = holds, expr = expr, least = least, most = most}
end

--- A demand that holds of the numbers from the least to the most one, and of no others.
local function within(words, expr, least, most)
  return demand(words, function(v) return v >= least and v <= most end, expr, least, most)
end

M.not_negative = demand("must not be negative", function(v) return v >= 0 and 1 / v >= 0 or v ~= v end,
  "v >= 0 && 1 / v >= 0 || v != v", 0, math.huge)
M.positive = demand("must be above 0", function(v) return v > 0 or v ~= v end, "v > 0 || v != v", TINY, math.huge)
M.probability = within("must be from 0 to 1", "v >= 0 && v <= 1", 0, 1)
M.finite = within("must be finite", "v - v == 0", -HUGE, HUGE)
M.rate = within("must be from 0 to 9.22e18", ("v >= 0 && v <= %.17g"):format(MOST_RATE), 0, MOST_RATE)
M.success = within("must be above 0 and at most 1", "v > 0 && v <= 1", TINY, 1)
M.below_one = within("must be from 0 to below 1", "v >= 0 && v < 1", 0, 1 - 2 ^ -53)
M.above_one = within("must be above 1", "v > 1", 1 + 2 ^ -52, math.huge)
M.finite_positive = within("must be above 0 and finite", "v > 0 && v - v == 0", TINY, HUGE)
M.whole = demand("must be a whole number", function(v) return v == math.floor(v) end, "v == floor(v)")

--- That a number is at most another, in words.
function M.at_most(most, words) return within(words, ("v <= %.17g"):format(most), -math.huge, most) end

--- What must hold of parameters beside each other.
---@param words string
---@param expr string of the parameters' names
---@param got string the value that an error shows, in the same way
function M.relation(words, expr, got) return {words = words, expr = expr, got = got} end

local LETTERS = "abcdef"
local FLOATS = {float16 = true, bfloat16 = true, float32 = true, float64 = true}

local function draw(draft, expr, got, kinds, count)
  local values, dtypes = {}, {}
  for k = 1, count do
    values[k], dtypes[k] = draft:input(kinds[k] or "float64", not kinds[k] and "scalar"), "float64"
  end
  values[count + 1], dtypes[count + 1] = draft:input("int64", "scalar"), "int64"
  draft.outputs, draft.gathers = {}, true
  draft:step("demanded", ("demanded(%s, %s, %s)"):format(expr, got, LETTERS:sub(count + 1, count + 1)), "bool", values,
    dtypes)
end

--- A program that tests values of `kinds`, where a number has none, and reports.
local function tester(expr, got, kinds, count)
  local key = {expr}
  for k = 1, count do key[k + 1] = kinds[k] or "" end
  return program.get(table.concat(key, "|"), draw, expr, got, kinds, count)
end

local function test(made, shape, label, name, device, values)
  local operands = {unpack(values)}
  operands[#operands + 1] = core.report_mark(device, label)
  core.map(made, name, shape, {}, unpack(operands))
end

--- Demands something of an array's elements.
---@param x cuna.Array
---@param what table a row of this module
---@param parameter string
function M.check(x, what, name, parameter)
  if x.size == 0 or what == M.whole and not FLOATS[x.dtype] then return end
  local expr = what.expr:gsub("%f[%w]v%f[%W]", "a")
  test(tester(expr, "a", {x.dtype}, 1), x.shape, ("%s: %s %s"):format(name, parameter, what.words), name, x.device, {x})
end

--- Demands something of values beside each other, some of which are arrays, of dtypes `kinds`.
---@param names string[] of the values
---@param shape integer[] that they broadcast to
function M.check_relation(relation, values, kinds, names, shape, name)
  local place, device = {}, nil
  for k, own in ipairs(names) do
    place[own], device = LETTERS:sub(k, k), device or kinds[k] and values[k].device
  end
  local function spell(text) return (text:gsub("%f[%w_][%a_][%w_]*%f[^%w_]", place)) end
  test(tester(spell(relation.expr), spell(relation.got), kinds, #names), shape, name .. ": " .. relation.words, name,
    device, values)
end

return M
