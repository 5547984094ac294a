--- gradient.lua: derivatives of sampled functions.
--
-- Inside, the derivative in the middle of three neighbours; at the ends, that of the line through the two or the
-- parabola through the three elements there. Each of the three parts of a result is one pass; both ends are one, where
-- lines with one spacing go through them. float16 and bfloat16 are computed in float32.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local dtype_rules = require "cuna.base.dtype_rules"
local program = require "cuna.base.program"
local reducers = require "cuna.reducers"
local slices = require "cuna.base.slices"

local M = {functions = {}}
local F = M.functions

local fail = check.fail

-- Derivatives of elements a and b, or a, b and c, which are so far from the first of three, and of the spacing, the
-- argument after them, where it is the same everywhere; ...
local EVEN = {
  middle = {"(b - a) / (T(2) * c)", 0, 2},
  first1 = {"(b - a) / c", 0, 1}, last1 = {"(b - a) / c", 1, 2},
  first2 = {"T(-1.5) / d * a + T(2) / d * b + T(-0.5) / d * c", 0, 1, 2},
  last2 = {"T(0.5) / d * a + T(-2) / d * b + T(1.5) / d * c", 0, 1, 2},
}
-- ... of three elements with d as the distance before b and e as the distance after it.
local UNEVEN = {
  middle = "-e / (d * (d + e)) * a + (e - d) / (d * e) * b + d / (e * (d + e)) * c",
  first1 = "(b - a) / d", last1 = "(c - b) / e",
  first2 = "-(T(2) * d + e) / (d * (d + e)) * a + (d + e) / (d * e) * b + -d / (e * (d + e)) * c",
  last2 = "e / (d * (d + e)) * a + -(e + d) / (d * e) * b + (T(2) * e + d) / (e * (d + e)) * c",
}

--- The derivative of elements of `own`, with a spacing (a number, "scalar", or an array).
local function draw_even(draft, own, dtype, spacing, kind, place, result)
  local inputs = {}
  for k = 2, #EVEN[place] do inputs[k - 1] = draft:input(own) end
  inputs[#inputs + 1] = draft:input(spacing, kind)
  draft:step("gradient", EVEN[place][1], dtype, inputs)
  draft.output = result
end

--- The derivative of three elements with three coordinates.
local function draw_uneven(draft, own, dtype, spacing, _, place, result)
  local a, b, c = draft:input(own), draft:input(own), draft:input(own)
  local d, e, f = draft:input(spacing), draft:input(spacing), draft:input(spacing)
  local before = draft:step("subtract", "wrap_sub(a, b)", dtype, {e, d})
  local behind = draft:step("subtract", "wrap_sub(a, b)", dtype, {f, e})
  draft:step("gradient", UNEVEN[place], dtype, {a, b, c, before, behind})
  draft.output = result
end

local function float_of(dtype) return reducers.is_inexact(dtype) and dtype or dtype_rules.default_dtype() end

--- The dtype that a result of `result` is computed in, with a spacing of some dtype.
local function loop_of(result, spacing)
  local dtype = core.promote(result, float_of(spacing))
  return (dtype == "float16" or dtype == "bfloat16") and "float32" or dtype
end

local function is_even(spacing) return not core.is_array(spacing) or spacing.ndim == 0 end

--- Writes `length` derivatives from `to` on: of the triples of elements from `from` on. They are `step` apart (default
--- 1), and those that are written `step_out`.
local function derive(place, f, axis, from, to, length, spacing, out, step, step_out)
  local operands, is_number, count = {}, not core.is_array(spacing), core.length(f, axis)
  --- Adds a part of x; of two elements one stands for the third, which no line through two asks for.
  local function add(x, first)
    operands[#operands + 1] = slices.part(x, axis, math.max(1, math.min(first, count)), length, step)
  end
  local own = is_number and out.dtype or spacing.dtype
  local dtype = loop_of(out.dtype, own)
  if is_number then own = dtype end
  if is_even(spacing) then
    for k = 2, #EVEN[place] do add(f, from + EVEN[place][k]) end
    operands[#operands + 1] = spacing
  else
    for k = 0, 2 do add(f, from + k) end
    for k = 0, 2 do add(spacing, from + k) end
  end
  core.map(program.of(is_even(spacing) and draw_even or draw_uneven, f.dtype, dtype, own, is_number and "scalar" or nil,
    place, out.dtype), "gradient", nil, slices.part(out, axis, to, length, step_out), unpack(operands))
end

--- The derivative along an axis.
local function along(f, axis, spacing, order)
  local length = core.length(f, axis)
  if length < order + 1 then
    fail("gradient: axis %d has length %d, and edge_order %d takes at least %d", axis, length, order, order + 1)
  end
  local out = core.empty_like(f, float_of(f.dtype), "gradient")
  if length > 2 then derive("middle", f, axis, 1, 2, length - 2, spacing, out) end
  if length > 2 and order == 1 and is_even(spacing) then
    derive("first1", f, axis, 1, 1, 2, spacing, out, length - 2, length - 1)
  else
    derive("first" .. order, f, axis, 1, 1, 1, spacing, out)
    derive("last" .. order, f, axis, length - 2, length, 1, spacing, out)
  end
  return out
end

-- ---- arguments ----

--- A spacing: a number, a 0-d array, or coordinates along the axis.
local function spacing_of(value, f, axis, number)
  local kind = not core.is_array(value) and core.number_kind(value)
  if kind and kind ~= "complex" then return check.number(value, "gradient", "a spacing") end
  local line = check.array(value, "gradient", f.device)
  check.same_device(f, line, "gradient")
  if line.dtype:find "^complex" then fail("gradient: spacing %d is complex", number) end
  if line.ndim == 0 then return line end
  if line.ndim > 1 then fail("gradient: spacing %d is a number or 1-d, got shape %s", number, tostring(line.shape)) end
  if line.size ~= f.shape[axis] then
    fail("gradient: spacing %d has %d coordinates for axis %d of length %d", number, line.size, axis, f.shape[axis])
  end
  return slices.along(line, axis, f.ndim)
end

--- The axes in the order given, counted from 1.
local function axes_of(axis, ndim)
  local axes = {}
  core.axes(axis, ndim, "gradient")
  if axis == nil then
    for k = 1, ndim do axes[k] = k end
  else
    for k, given in ipairs(type(axis) == "table" and axis or {axis}) do axes[k] = core.axis(given, ndim, "gradient") end
  end
  return axes
end

--- Derivatives of f along axes: second-order differences inside, one-sided ones at the ends. Spacings are numbers, or
--- coordinates along their axis. Integers are computed as floats, not for bool. Follows numpy.gradient.
---@param f cuna.Operand at least edge_order + 1 long along the axes
---@param ... cuna.Operand|table spacings: none (1 each), one number for all axes, or one for each axis; then options:
--- axis (a number or a list, default all), edge_order (1, default, or 2: of the differences at the ends)
---@return cuna.Array|cuna.Array[] of f's shape; of several axes a table of them
---@usage cn.gradient {1, 2, 4, 7} --> [1. 1.5 2.5 3. ]
---@usage cn.gradient({1, 4, 16}, {0, 1, 3}, {edge_order = 2}) --> [2. 4. 8.]
---@usage cn.gradient({{1, 2}, {3, 5}}, 2, {axis = 1}) --> [[1. 1.5] [1. 1.5]]
function F.gradient(...)
  local values, count, options = args.split("gradient", {axis = true, edge_order = true}, ...)
  local f, order = check.array(values[1], "gradient", check.device_of(values)), options.edge_order or 1
  if f.dtype == "bool" then fail "gradient: not defined for bool; use astype(\"int8\")" end
  if order ~= 1 and order ~= 2 then fail("gradient: edge_order is 1 or 2, got %s", check.show(order)) end
  local axes, results = axes_of(options.axis, f.ndim), {}
  if count > 2 and count - 1 ~= #axes then
    fail("gradient: %d spacings for %s", count - 1, #axes == 1 and "1 axis" or #axes .. " axes")
  end
  if count == 2 and #axes > 1 and not core.number_kind(values[2])
    and check.array(values[2], "gradient", f.device).ndim > 0 then
    fail("gradient: one spacing for %d axes is a number; give one for each axis, or name the axis", #axes)
  end
  for k, axis in ipairs(axes) do
    local value = values[count > 2 and k + 1 or 2]
    results[k] = along(f, axis, spacing_of(value == nil and 1 or value, f, axis, count > 2 and k or 1), order)
  end
  return #results == 1 and results[1] or results
end

return M
