--- integrate.lua: integrals of sampled functions: the trapezoid and Simpson's rule.
--
-- Each is one reduction, whose steps make the area of a strip from shifted views of the samples. Floats are computed
-- as they are, float16 and bfloat16 in float32; integers become the default float before anything is added.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local dtype_rules = require "cuna.base.dtype_rules"
local program = require "cuna.base.program"
local reducers = require "cuna.reducers"
local shapes = require "cuna.base.shapes"
local slices = require "cuna.base.slices"

local M = {functions = {}}
local F = M.functions

local fail = check.fail

-- ---- spacings ----

--- How far samples are apart along an axis: coordinates along it (x, any number of axes that broadcast), or a number
--- or 0-d array (step).
---@class cuna.Spacing

--- The spacing along an axis of y.
---@return cuna.Spacing
local function spacing_of(y, x, dx, axis, name)
  local own = {axis = axis}
  if x == nil then
    if dx == nil then dx = 1 end
    own.step = not core.is_array(dx) and check.number(dx, name, "a spacing") or dx
    if core.is_array(dx) then check.same_device(y, dx, name) end
    own.dtype = core.is_array(dx) and dx.dtype or nil
    return own
  end
  x = check.array(x, name, y.device)
  check.same_device(y, x, name)
  if x.ndim == 1 and y.ndim > 1 then x = slices.along(x, axis, y.ndim) end
  if x.ndim ~= y.ndim or x.shape[axis] ~= y.shape[axis] then
    fail("%s: coordinates of shape %s do not fit samples of shape %s along axis %d", name, tostring(x.shape),
      tostring(y.shape), axis)
  end
  own.x, own.dtype = x, x.dtype
  return own
end

--- The dtypes to compute in and to give.
local function dtypes_of(y, ...)
  local types = {y.dtype}
  for _, spacing in ipairs {...} do
    local kind = not spacing.dtype and core.number_kind(spacing.step)
    types[#types + 1] = spacing.dtype or kind == "complex" and "weak_complex" or "weak_int"
  end
  local result = dtype_rules.common(types)
  if not reducers.is_inexact(result) then result = dtype_rules.default_dtype() end
  return (result == "float16" or result == "bfloat16") and "float32" or result, result
end

--- What a spacing is for a program's key.
local function describe(spacing)
  return spacing.x and "x " .. spacing.dtype or spacing.dtype or "number"
end

--- Adds the inputs of a spacing: coordinates of `count` samples, or one step.
local function add_inputs(draft, spacing, count, dtype)
  local values = {}
  for k = 1, spacing.x and count or 1 do
    values[k] = draft:input(spacing.dtype or dtype, not spacing.dtype and "scalar" or nil)
  end
  return values
end

--- Adds the steps that make the distance between samples k and k + 1.
local function add_distance(draft, values, spacing, k, dtype)
  if not spacing.x then return values[1] end
  return draft:step("subtract", "wrap_sub(a, b)", dtype, {values[k + 1], values[k]})
end

--- Adds the operands of a spacing for samples from `first` on.
local function add_operands(list, spacing, first, count, length, step)
  if not spacing.x then
    list[#list + 1] = spacing.step
    return
  end
  for k = 0, count - 1 do list[#list + 1] = slices.part(spacing.x, spacing.axis, first + k, length, step) end
end

local bit_of = shapes.bit_of

-- ---- the trapezoid rule ----

local function draw_trapezoid(draft, own, spacing, dtype, result)
  local a, b = draft:input(own), draft:input(own)
  local d = add_distance(draft, add_inputs(draft, spacing, 2, dtype), spacing, 1, dtype)
  draft:step("trapezoid", "c * (a + b) * T(0.5)", dtype, {a, b, d})
  draft.reducer, draft.accumulator, draft.output = reducers.row("sum", dtype), dtype, result
end

local function trapezoid(y, spacing, name)
  local axis, dtype, result = spacing.axis, dtypes_of(y, spacing)
  local length, operands = y.shape[axis] - 1, {}
  for k = 0, 1 do operands[k + 1] = slices.part(y, axis, 1 + k, length) end
  add_operands(operands, spacing, 1, 2, length)
  local key = table.concat({"trapezoid", y.dtype, describe(spacing), dtype, result}, " ")
  return core.reduce(program.get(key, draw_trapezoid, y.dtype, spacing, dtype, result), name, bit_of(axis), false, 0,
    nil, unpack(operands))
end

--- The samples, and the axis to integrate along.
local function open(y, x, dx, axis, name)
  y = check.beside(y, name, x, dx)
  if y.ndim == 0 then fail("%s: a 0-d array has no axis to integrate along", name) end
  return y, core.axis(axis == nil and -1 or axis, y.ndim, name)
end

local read_trapezoid = args.reader("trapezoid", {"y", "x", "dx", "axis"})

--- Integral along an axis by the trapezoid rule: of samples at coordinates x, or dx apart. Less than two samples give
--- 0. Follows numpy.trapezoid, but that integers are floats before neighbours are added.
---@param y cuna.Operand samples
---@param x cuna.Operand|nil coordinates: 1-d, or an array that broadcasts against y
---@param dx number|cuna.Array|nil distance of samples, default 1
---@param axis integer|nil default -1
---@return cuna.Array y's shape without the axis
---@usage cn.trapezoid {1, 2, 3}, cn.trapezoid({1, 2, 3}, {4, 6, 8}) --> 4.0, 8.0
---@usage cn.trapezoid({{0, 1, 2}, {3, 4, 5}}, {axis = 1, dx = 2}) --> [3. 5. 7.]
function F.trapezoid(...)
  local y, x, dx, axis = read_trapezoid(...)
  y, axis = open(y, x, dx, axis, "trapezoid")
  return trapezoid(y, spacing_of(y, x, dx, axis, "trapezoid"), "trapezoid")
end
F.trapz = F.trapezoid

local function draw_double(draft, own, rows, columns, dtype, result)
  local z = {}
  for k = 1, 4 do z[k] = draft:input(own) end
  local down, right = add_inputs(draft, rows, 2, dtype), add_inputs(draft, columns, 2, dtype)
  local height, width = add_distance(draft, down, rows, 1, dtype), add_distance(draft, right, columns, 1, dtype)
  local corners = draft:step("corners", "(a + b) + (c + d)", dtype, z)
  draft:step("trapezoid", "b * c * a * T(0.25)", dtype, {corners, height, width})
  draft.reducer, draft.accumulator, draft.output = reducers.row("sum", dtype), dtype, result
end

local read_trapz2d = args.reader("trapz2d", {"z", "x", "y", "dx", "dy"})

--- Double integral over the last two axes by the trapezoid rule: cn.trapz(cn.trapz(z, x), y) in one pass. x runs along
--- the last axis (columns), y along the one before (rows). Follows skcuda.integrate.trapz2d.
---@param z cuna.Operand samples, at least 2-d
---@param x cuna.Operand|nil coordinates of the columns, 1-d or as z
---@param y cuna.Operand|nil coordinates of the rows, 1-d or as z
---@param dx number|cuna.Array|nil distance of columns, default 1
---@param dy number|cuna.Array|nil distance of rows, default 1
---@return cuna.Array z's shape without the last two axes
---@usage cn.trapz2d {{1, 2}, {3, 4}}, cn.trapz2d({{1, 2}, {3, 4}}, {dx = 2, y = {0, 3}}) --> 2.5, 15.0
function F.trapz2d(...)
  local z, x, y, dx, dy = read_trapz2d(...)
  z = check.beside(z, "trapz2d", x, y, dx, dy)
  if z.ndim < 2 then fail("trapz2d: expected at least 2 axes, got shape %s", tostring(z.shape)) end
  local columns = spacing_of(z, x, dx, z.ndim, "trapz2d")
  local rows = spacing_of(z, y, dy, z.ndim - 1, "trapz2d")
  local dtype, result = dtypes_of(z, rows, columns)
  local height, width, operands = z.shape[z.ndim - 1] - 1, z.shape[z.ndim] - 1, {}
  local function add(spacing, first)
    add_operands(operands, spacing, first, 2, spacing.axis == z.ndim and width or height)
  end
  for i = 1, 2 do
    local line = slices.part(z, z.ndim - 1, i, height)
    for j = 1, 2 do operands[#operands + 1] = slices.part(line, z.ndim, j, width) end
  end
  add(rows, 1)
  add(columns, 1)
  local key = table.concat({"trapz2d", z.dtype, describe(rows), describe(columns), dtype, result}, " ")
  return core.reduce(program.get(key, draw_double, z.dtype, rows, columns, dtype, result), "trapz2d",
    bit_of(z.ndim - 1) + bit_of(z.ndim), false, 0, nil, unpack(operands))
end

-- ---- Simpson's rule ----

local function quotient(over, under) return ("(%s != T(0) ? (%s) / (%s) : T(0))"):format(under, over, under) end

-- The area under the parabola through a, b, c, which are d and e apart.
local STRIPE = "(d + e) / T(6) * (a * (T(2) - " .. quotient("e", "d") .. ") + b * (d + e) * "
  .. quotient("d + e", "d * e") .. " + c * (T(2) - " .. quotient("d", "e") .. "))"
-- That of its part between b and c.
local LAST = quotient("T(2) * e * e + T(3) * d * e", "(T(6) * (d + e))") .. " * c + "
  .. quotient("e * e + T(3) * d * e", "(T(6) * d)") .. " * b - "
  .. quotient("e * e * e", "(T(6) * d * (d + e))") .. " * a"

--- Adds an expression of three samples and their distances; returns its value, and that of another input (dtype
--- `more`).
local function draw_parabola(draft, own, spacing, dtype, expr, more)
  local samples = {}
  for k = 1, 3 do samples[k] = draft:input(own) end
  local values, other = add_inputs(draft, spacing, 3, dtype), more and draft:input(more)
  samples[4] = add_distance(draft, values, spacing, 1, dtype)
  samples[5] = add_distance(draft, values, spacing, 2, dtype)
  return draft:step("parabola", expr, dtype, samples), other
end

local function draw_stripes(draft, own, spacing, dtype, result)
  if spacing.x then
    draw_parabola(draft, own, spacing, dtype, STRIPE)
  else
    local a, b, c = draft:input(own), draft:input(own), draft:input(own)
    draft:step("parabola", "(a + T(4) * b + c) * (d / T(3))", dtype,
      {a, b, c, add_inputs(draft, spacing, 3, dtype)[1]})
  end
  draft.reducer, draft.accumulator, draft.output = reducers.row("sum", dtype), dtype, result
end

--- Adds the area of the last interval to a result.
local function draw_last(draft, own, spacing, dtype, result)
  local last, area = draw_parabola(draft, own, spacing, dtype, LAST, dtype)
  draft:step("add", "wrap_add(a, b)", dtype, {area, last})
  draft.output = result
end

local function operands_of(y, spacing, first, length)
  local operands = {}
  for k = 0, 2 do operands[k + 1] = slices.part(y, spacing.axis, first + k, length, 2) end
  add_operands(operands, spacing, first, 3, length, 2)
  return operands
end

--- The integral over an odd number of samples, as dtype `result`.
local function stripes(y, spacing, count, dtype, result)
  local key = table.concat({"stripes", y.dtype, describe(spacing), dtype, result}, " ")
  return core.reduce(program.get(key, draw_stripes, y.dtype, spacing, dtype, result), "simpson",
    bit_of(spacing.axis), true, 0, nil, unpack(operands_of(y, spacing, 1, math.max(math.floor((count - 1) / 2), 0))))
end

local read_simpson = args.reader("simpson", {"y", "x", "dx", "axis"})

--- Integral along an axis by Simpson's rule: parabolas through three samples each. Of an even number of samples the
--- last interval is that of the parabola through the last three; of two, the trapezoid. Follows
--- scipy.integrate.simpson.
---@param y cuna.Operand samples
---@param x cuna.Operand|nil coordinates: 1-d, or an array that broadcasts against y
---@param dx number|cuna.Array|nil distance of samples, default 1
---@param axis integer|nil default -1
---@return cuna.Array y's shape without the axis
---@usage cn.simpson {0, 1, 4, 9, 16} --> 21.333333333333332
---@usage cn.simpson({0, 1, 9, 16}, {0, 1, 3, 4}) --> 21.333333333333332
function F.simpson(...)
  local y, x, dx, axis = read_simpson(...)
  y, axis = open(y, x, dx, axis, "simpson")
  local spacing = spacing_of(y, x, dx, axis, "simpson")
  local count, dtype, result = y.shape[axis], dtypes_of(y, spacing)
  if count == 2 then return trapezoid(y, spacing, "simpson") end
  local is_even = count % 2 == 0 and count > 0
  local area = stripes(y, spacing, is_even and count - 1 or count, dtype, is_even and dtype or result)
  if is_even then
    local operands = operands_of(y, spacing, count - 2, 1)
    operands[#operands + 1] = area
    local key = table.concat({"last", y.dtype, describe(spacing), dtype, result}, " ")
    area = core.map(program.get(key, draw_last, y.dtype, spacing, dtype, result), "simpson", nil, nil,
      unpack(operands))
  end
  return slices.at(area, axis, 1)
end

return M
