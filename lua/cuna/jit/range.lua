--- range.lua: bounds of positions in kernels written in Lua, which make checks unnecessary.
--
-- An integer may have `low`, a lower bound; `exact`, the bound that it equals; `uppers`, upper bounds. A bound is
-- {source, offset}: the value of the source at a launch plus a number, or the number alone. Sources are the kernel's
-- parameters in C++ (lengths and integers) and the launch's dimensions (BLOCK, THREADS). Integers wrap around, so the
-- bounds of a sum follow from those of its terms only far from overflow (is_tame). A position with a lower bound of at
-- least 1 is inside of an axis if one of its upper bounds is at most the axis' length. This is a condition of the
-- launch, which the host checks; it runs the kernel without the checks only if all conditions are true.
--
-- Facts that conditions imply about variables that are never assigned are in a list, the latest first: ctx.facts.
local types = require "cuna.jit.types"

local M = {
  BLOCK = {x = -1, y = -2, z = -3}, -- threads per block along an axis
  THREADS = {x = -4, y = -5, z = -6}, -- threads of all blocks along an axis
}

local LIMIT = 2 ^ 53

--- The upper bounds of a value, of which `exact` is one.
local function uppers_of(v)
  if v.literal then return {{offset = v.literal}} end
  local list = {v.exact}
  for _, bound in ipairs(v.uppers or {}) do list[#list + 1] = bound end
  return list
end

local function low_of(v) return v.literal or v.low end

local function shifted(bound, offset) return bound and {source = bound.source, offset = bound.offset + offset} end

--- Whether an integer is between -2^53 and 2^53, possibly under a condition of the launch.
local function is_tame(inst, v)
  if v.literal then return math.abs(v.literal) < LIMIT end
  if v.is_bounded then return true end
  local bounds = v.exact and {v.exact} or v.low and v.uppers
  if not bounds or #bounds == 0 or not inst.ctx.proves then return false end
  M.require(inst, bounds, {offset = LIMIT})
  return true
end

--- Sets the bounds of an int64 that is `v` plus `offset`.
function M.shift(inst, result, v, offset)
  if math.abs(offset) >= 2 ^ 31 or result.type ~= types.TYPES.int64 or not is_tame(inst, v) then return end
  result.is_bounded, result.low, result.exact = true, v.low and v.low + offset, shifted(v.exact, offset)
  if not v.uppers then return end
  result.uppers = {}
  for k, bound in ipairs(v.uppers) do result.uppers[k] = shifted(bound, offset) end
end

--- Sets the bounds of the remainder of a division: for a positive divisor, 0 and the divisor - 1.
function M.remainder(inst, result, divisor)
  if result.type ~= types.TYPES.int64 then return end
  if divisor.literal and divisor.literal > 0 and divisor.literal < 2 ^ 31 then
    result.low, result.uppers = 0, {{offset = divisor.literal - 1}}
  elseif divisor.exact and inst.ctx.proves then
    M.require(inst, {{offset = 1}}, divisor.exact)
    result.low, result.uppers = 0, {shifted(divisor.exact, -1)}
  end
end

--- Sets the bounds of an integer loop's variable.
function M.loop(inst, v, first, last, step)
  if not types.is_int(last) or not types.is_int(first) then return end
  local is_slow = step.literal and math.abs(step.literal) < 2 ^ 16 -- an overflow would take days
  if not is_slow and not (is_tame(inst, step) and is_tame(inst, last)) then return end
  if step.positive or (step.literal or 0) > 0 then
    v.low, v.uppers = low_of(first), uppers_of(last)
  elseif step.literal then
    v.low, v.uppers = low_of(last), uppers_of(first)
  end
end

-- ---- facts ----

--- Adds the bounds of a variable that the present facts imply.
function M.recall(inst, variable, v)
  local fact = inst.ctx.facts
  if not fact or variable.assignments > 0 or not types.is_int(v) then return v end
  local uppers = {}
  while fact do
    if fact.variable == variable then
      if fact.low then v.low = math.max(v.low or fact.low, fact.low) end
      for _, bound in ipairs(fact.uppers or {}) do uppers[#uppers + 1] = bound end
    end
    fact = fact.next
  end
  for _, bound in ipairs(v.uppers or {}) do uppers[#uppers + 1] = bound end
  v.uppers = uppers
  return v
end

--- Whether an expression has no effect and can be translated a second time without emitting lines.
local function is_simple(node)
  if node.tag == "name" or node.tag == "number" or node.tag == "string" then return true end
  if node.tag == "unary" then return is_simple(node.operand) end
  if node.tag == "paren" then return is_simple(node.inner) end
  if node.tag == "binary" then return is_simple(node.left) and is_simple(node.right) end
  return node.tag == "index" and is_simple(node.object) and is_simple(node.key)
end

local MIRRORED = {["<"] = ">", ["<="] = ">=", [">"] = "<", [">="] = "<=", ["=="] = "==", ["~="] = "~="}
local DENIED = {["<"] = ">=", ["<="] = ">", [">"] = "<=", [">="] = "<", ["=="] = "~=", ["~="] = "=="}

--- Records the fact `variable operator other`.
local function note(inst, variable, operator, other)
  local fact = {variable = variable, next = inst.ctx.facts}
  local low = low_of(other)
  if operator == ">" or operator == ">=" or operator == "==" then
    fact.low = low and low + (operator == ">" and 1 or 0)
  end
  if operator == "<" or operator == "<=" or operator == "==" then
    fact.uppers = uppers_of(other)
    for k, bound in ipairs(fact.uppers) do fact.uppers[k] = shifted(bound, operator == "<" and -1 or 0) end
  end
  inst.ctx.facts = fact
end

local function compare(inst, node, truth, expression)
  local operator = truth and node.operator or DENIED[node.operator]
  local left, right = node.left, node.right
  if not is_simple(left) or not is_simple(right) then return end
  for _ = 1, 2 do
    if left.tag == "name" and left.variable and left.variable.assignments == 0 then
      local v, other = expression(inst, left), expression(inst, right)
      if v.type and other.type and types.is_int(v) and types.is_int(other) then
        note(inst, left.variable, operator, other)
      end
    end
    left, right, operator = right, left, MIRRORED[operator]
  end
end

--- Records facts that follow if a condition, which has been translated, is true or false.
---@param expression function translates an expression
function M.assume(inst, node, truth, expression)
  if node.tag == "paren" then
    M.assume(inst, node.inner, truth, expression)
  elseif node.tag == "unary" and node.operator == "not" then
    M.assume(inst, node.operand, not truth, expression)
  elseif node.tag == "binary" and node.operator == (truth and "and" or "or") then
    M.assume(inst, node.left, truth, expression)
    M.assume(inst, node.right, truth, expression)
  elseif node.tag == "binary" and MIRRORED[node.operator] then
    compare(inst, node, truth, expression)
  end
end

-- ---- conditions of launches ----

--- Adds a condition: at least one of the bounds is at most `limit`.
function M.require(inst, bounds, limit)
  local words = {}
  for k, bound in ipairs(bounds) do words[k] = ("%s+%.0f"):format(bound.source or "", bound.offset) end
  local key = ("%s<=%s+%.0f"):format(table.concat(words, "|"), limit.source or "", limit.offset)
  local conditions = inst.ctx.conditions
  conditions.of_launch = conditions.of_launch or (limit.source or 0) < 0 -- whether sources are dimensions
  if conditions[key] then return end
  conditions[key] = true
  for _, bound in ipairs(bounds) do conditions.of_launch = conditions.of_launch or (bound.source or 0) < 0 end
  conditions[#conditions + 1] = {bounds = bounds, limit = limit}
end

--- Whether a position is inside of an axis, under conditions that this call adds.
function M.is_inside(inst, v, array, axis)
  local limit = array.lengths and array.lengths[axis]
  if not inst.ctx.proves or not limit or not types.is_int(v) then return false end
  if (low_of(v) or 0) < 1 then return false end
  local bounds, open = uppers_of(v), {}
  for _, bound in ipairs(bounds) do
    if bound.source == limit.source then
      if bound.offset <= limit.offset then return true end
    else
      open[#open + 1] = bound
    end
  end
  if #open == 0 then return false end
  M.require(inst, open, limit)
  return true
end

--- The value of a bound at a launch; nil if it is too large to be exact.
local function amount(bound, list)
  local base = bound.source and tonumber(list[bound.source]) or 0
  return base > -LIMIT and base < LIMIT and base + bound.offset or nil
end

--- Whether a launch meets all conditions.
---@param conditions table[]
---@param list table values of the sources
---@return boolean
function M.hold(conditions, list)
  for k = 1, #conditions do
    local bounds, limit, holds = conditions[k].bounds, amount(conditions[k].limit, list), false
    for j = 1, limit and #bounds or 0 do
      local least = amount(bounds[j], list)
      if least and least <= limit then
        holds = true
        break
      end
    end
    if not holds then return false end
  end
  return true
end

return M
