--- cubic.lua: piecewise cubic polynomials through points: splines, and functions that keep shape.
--
-- Each is made of its slopes at the points. Those of a spline solve a tridiagonal system (banded.lua); others are
-- formulas of neighbouring differences (Fritsch and Butland, 1984; Akima, 1970).
local args = require "cuna.base.args"
local banded = require "cuna.interpolate.banded"
local check = require "cuna.base.check"
local core = require "cuna.core"
local given = require "cuna.interpolate.given"
local piecewise = require "cuna.interpolate.piecewise"

local M = {functions = {}}
local F = M.functions -- cn.interpolate

local fail = check.fail
local rows, steps = given.rows, given.steps

--- The function with slopes at its points.
function M.of_slopes(x, y, slopes, extrapolate, axis)
  local cn, n = args.namespace, x.size
  local width = given.column(steps(x), y.ndim)
  local slope = steps(y) / width
  local left, right = rows(slopes, 1, n - 1), rows(slopes, 2, n - 1)
  local t = (left + right - slope * 2) / width
  local c = cn.stack {t / width, (slope - left) / width - t, left, rows(y, 1, n - 1)}
  return piecewise.new(c:astype(y.dtype), x, extrapolate, axis)
end

-- ---- splines ----

local NAMED = {["not-a-knot"] = true, natural = {2, 0}, clamped = {1, 0}, periodic = true}

--- A condition at an end: "not-a-knot", "periodic", or {order, value}.
local function condition_of(value, name)
  if type(value) == "string" and NAMED[value] then
    return type(NAMED[value]) == "table" and {unpack(NAMED[value])} or value
  end
  if type(value) == "table" and not core.is_array(value) and (value[1] == 1 or value[1] == 2) and value[2] ~= nil then
    return {value[1], value[2]}
  end
  fail("%s: a condition of bc_type is \"not-a-knot\", \"natural\", \"clamped\", \"periodic\" or {order, value} with "
    .. "order 1 or 2, got %s", name, check.show(value))
end

--- The conditions at both ends.
function M.conditions(value, name)
  if value == nil then value = "not-a-knot" end
  if type(value) ~= "table" then
    local both = condition_of(value, name)
    return both, both
  end
  if #value ~= 2 then fail("%s: bc_type is a name, or a table of two conditions", name) end
  local left, right = condition_of(value[1], name), condition_of(value[2], name)
  if (left == "periodic") ~= (right == "periodic") then
    fail("%s: bc_type is \"periodic\" at one end, and not at the other", name)
  end
  return left, right
end

--- The value of a condition as a row of right sides.
function M.value_row(value, y, name)
  local cn = args.namespace
  local shape = y.shape
  shape[1] = 1
  if type(value) == "number" then return cn.full(shape, value, y.dtype, y.device) end
  value = given.floats(value, name, y.device)
  local rest = {unpack(shape, 2)}
  if not value:has_shape(rest) then
    fail("%s: a value of bc_type has shape %s, and y has %s without x's axis", name, tostring(value.shape),
      require("cuna.base.shapes").text(rest))
  end
  return value:reshape(shape)
end

--- The first or last equation of a spline with n points: elements by column, and the right side. `h` are the widths
--- from this end on, `slope` and columns 1, 2, 3 count from it.
local function end_equation(condition, h, slope, y, name)
  local function width(k) return given.column(given.rows(h.array, h.place(k), 1), y.ndim) end
  if condition == "not-a-knot" then
    local first, second = h[1], h[2]
    local d = first + second
    local a, b = width(1), width(2)
    return {second, d}, ((a + d * 2) * b * slope(1) + a * a * slope(2)) / d
  end
  local order, value = condition[1], M.value_row(condition[2], y, name)
  if order == 1 then return {1, 0}, value end
  return {2 * h[1], h[1]}, (slope(1) * 3 - value * (h.sign * h[1]) / 2) * h[1]
end

--- The equations of the inner points, and their right sides.
local function inner_equations(h, x, y)
  local list, n = {}, #h + 1
  for i = 2, n - 1 do list[i] = {[i - 1] = h[i], [i] = 2 * (h[i - 1] + h[i]), [i + 1] = h[i - 1]} end
  if n < 3 then return list, rows(y, 1, 0) end
  local width = given.column(steps(x), y.ndim)
  local slope = steps(y) / width
  return list, (rows(width, 2, n - 2) * rows(slope, 1, n - 2) + rows(width, 1, n - 2) * rows(slope, 2, n - 2)) * 3
end

--- Slopes of a spline whose ends have conditions.
local function slopes_between(x, y, h, left, right, name)
  local cn, n = args.namespace, #h + 1
  local width = steps(x)
  local slope = steps(y) / given.column(width, y.ndim)
  local list, inner = inner_equations(h, x, y)
  local ahead = {array = width, sign = 1, place = function(k) return k end, h[1], h[2]}
  local behind = {array = width, sign = -1, place = function(k) return n - k end, h[n - 1], h[n - 2]}
  local first, first_side = end_equation(left, ahead, function(k) return rows(slope, k, 1) end, y, name)
  local last, last_side = end_equation(right, behind, function(k) return rows(slope, n - k, 1) end, y, name)
  list[1], list[n] = {[1] = first[1], [2] = first[2]}, {[n] = last[1], [n - 1] = last[2]}
  return banded.solve(list, cn.concatenate {first_side, inner, last_side}, name)
end

--- Slopes of a parabola through three points.
local function slopes_of_parabola(x, y)
  local cn, width = args.namespace, given.column(steps(x), y.ndim)
  local slope = steps(y) / width
  local a, b = rows(slope, 1, 1), rows(slope, 2, 1)
  local bend = (b - a) / (rows(width, 1, 1) + rows(width, 2, 1))
  return cn.concatenate {a - bend * rows(width, 1, 1), a + bend * rows(width, 1, 1), b + bend * rows(width, 2, 1)}
end

--- Slopes of a periodic spline: the last point is the first one. The corners of the matrix are a product of vectors,
--- which is taken apart from the solution (Sherman and Morrison, 1950).
local function slopes_around(x, y, h, name)
  local cn, n = args.namespace, #h
  local width = given.column(steps(x), y.ndim)
  local slope = steps(y) / width
  local before = cn.concatenate {rows(width, n, 1), rows(width, 1, n - 1)}
  local slope_before = cn.concatenate {rows(slope, n, 1), rows(slope, 1, n - 1)}
  local side = (width * slope_before + before * slope) * 3
  local list = {}
  for i = 1, n do
    local last = h[(i - 2) % n + 1]
    list[i] = {[i] = 2 * (last + h[i])}
    if i > 1 then list[i][i - 1] = h[i] end
    if i < n then list[i][i + 1] = last end
  end
  local corner, opposite = h[1], h[n - 1] -- elements (1, n) and (n, 1)
  local shift = -list[1][1]
  list[1][1], list[n][n] = list[1][1] - shift, list[n][n] - corner * opposite / shift
  local column = {}
  for i = 1, n do column[i] = i == 1 and shift or i == n and opposite or 0 end
  local u = given.column(banded.vector(column, y.device), y.ndim) * cn.ones_like(rows(side, 1, 1))
  local both = banded.solve(list, cn.stack({side, u:astype(side.dtype)}, 2), name)
  local solution, change = both[{{}, 1}], both[{{}, 2}]
  local function along(v) return rows(v, 1, 1) + rows(v, n, 1) * (corner / shift) end
  local slopes = solution - change * (along(solution) / (along(change) + 1))
  return cn.concatenate {slopes, rows(slopes, 1, 1)}
end

--- Refuses values that do not end as they begin.
function M.check_period(y, name)
  local cn, n = args.namespace, y.shape[1]
  core.check_waiting(name)
  if cn.allclose(rows(y, 1, 1), rows(y, n, 1), 1e-15, 1e-15) or core.is_preparing() then return end
  fail("%s: the first and the last y differ, and bc_type is \"periodic\"", name)
end

local function spline_slopes(x, y, left, right, name)
  local cn, n = args.namespace, x.size
  local h = banded.numbers(steps(x), name)
  if left == "periodic" then
    M.check_period(y, name)
    if n == 2 then return cn.zeros_like(y) end
    if n == 3 then
      local width = given.column(steps(x), y.ndim)
      local slope = steps(y) / width
      local s = (slope / width):sum(1, {keepdims = true}) / (1 / width):sum(1, {keepdims = true})
      return cn.concatenate {s, s, s}
    end
    return slopes_around(x, y, h, name)
  end
  local slope = steps(y) / given.column(steps(x), y.ndim)
  if n == 2 then
    if left == "not-a-knot" then left = {1, slope[1]} end
    if right == "not-a-knot" then right = {1, slope[1]} end
  end
  if n == 3 and left == "not-a-knot" and right == "not-a-knot" then return slopes_of_parabola(x, y) end
  return slopes_between(x, y, h, left, right, name)
end

local read_spline = args.reader("interpolate.CubicSpline", {"x", "y", "axis", "bc_type", "extrapolate"}, 2)

--- The cubic spline through points, whose second derivative is continuous. The slopes are solved for on the host, so
--- that this waits. Follows scipy.interpolate.CubicSpline.
---@param x cuna.Operand rising, at least 2 elements
---@param y cuna.Operand real or complex
---@param axis integer|nil along which y has the values of x, default 1
---@param bc_type string|table|nil at both ends, or a table of the two: "not-a-knot" (default: the first two pieces are
---  one polynomial), "natural" (second derivatives are 0), "clamped" (first ones are 0), "periodic", {order, value}
---@param extrapolate boolean|string|nil default true, of periodic functions "periodic"
---@return cuna.PPoly
---@usage cn.interpolate.CubicSpline({0, 1, 2, 3}, {0, 1, 8, 27})({0.5, 2.5}) --> [ 0.125 15.625]
---@usage cn.interpolate.CubicSpline({0, 1, 2}, {0, 1, 0}, {bc_type = "natural"})(0.5) --> 0.6875
function F.CubicSpline(...)
  local name, x, y, axis, bc_type, extrapolate = "interpolate.CubicSpline", read_spline(...)
  x, y, axis = given.points(x, y, axis, 1, 2, name)
  given.check_rising(x, name, "x", true)
  local left, right = M.conditions(bc_type, name)
  extrapolate = piecewise.extrapolation(extrapolate, left == "periodic" and "periodic" or true, name)
  return M.of_slopes(x, y, spline_slopes(x, y, left, right, name), extrapolate, axis)
end

-- ---- functions that keep shape ----

--- The slope at an end, by three points, which does not overshoot. h and m are the widths and slopes from this end.
local function end_slope(h0, h1, m0, m1)
  local cn = args.namespace
  local d = ((h0 * 2 + h1) * m0 - h0 * m1) / (h0 + h1)
  local steep = cn.not_equal(cn.sign(m0), cn.sign(m1)):band(cn.greater(cn.abs(d), cn.abs(m0) * 3))
  return cn.where(cn.not_equal(cn.sign(d), cn.sign(m0)), 0, cn.where(steep, m0 * 3, d))
end

--- The slopes of a function that keeps shape.
function M.pchip_slopes(x, y)
  local cn, n = args.namespace, x.size
  local h = given.column(steps(x), y.ndim)
  local m = steps(y) / h
  if n == 2 then return cn.concatenate {m, m} end
  local h0, h1, m0, m1 = rows(h, 1, n - 2), rows(h, 2, n - 2), rows(m, 1, n - 2), rows(m, 2, n - 2)
  local w0, w1 = h1 * 2 + h0, h1 + h0 * 2
  local flat = cn.not_equal(cn.sign(m0), cn.sign(m1)):bor(cn.equal(m0, 0)):bor(cn.equal(m1, 0))
  local mean = cn.where(flat, 1, (w0 / cn.where(flat, 1, m0) + w1 / cn.where(flat, 1, m1)) / (w0 + w1))
  local inner = cn.where(flat, 0, 1 / mean)
  local function at(k) return rows(h, k, 1), rows(m, k, 1) end
  local ha, ma = at(1)
  local hb, mb = at(2)
  local hc, mc = at(n - 2)
  local hd, md = at(n - 1)
  return cn.concatenate {end_slope(ha, hb, ma, mb), inner, end_slope(hd, hc, md, mc)}
end

--- Points of a function of real numbers.
local function open_real(x, y, axis, name)
  x, y, axis = given.points(x, y, axis, 1, 2, name)
  if y.dtype:find "^complex" then fail("%s: takes real y, got %s", name, y.dtype) end
  given.check_rising(x, name, "x", true)
  return x, y, axis
end

local read_pchip = args.reader("interpolate.PchipInterpolator", {"x", "y", "axis", "extrapolate"}, 2)

--- A cubic function through points that is monotonic where they are (Fritsch and Butland, 1984). Waits to see whether x
--- rises. Follows scipy.interpolate.PchipInterpolator.
---@param x cuna.Operand rising, at least 2 elements
---@param y cuna.Operand real
---@param axis integer|nil default 1
---@param extrapolate boolean|nil default true
---@return cuna.PPoly
---@usage cn.interpolate.PchipInterpolator({0, 1, 2, 3}, {0, 0, 1, 1})({0.5, 1.5, 2.5}) --> [0. 0.5 1. ]
function F.PchipInterpolator(...)
  local name, x, y, axis, extrapolate = "interpolate.PchipInterpolator", read_pchip(...)
  x, y, axis = open_real(x, y, axis, name)
  return M.of_slopes(x, y, M.pchip_slopes(x, y), piecewise.extrapolation(extrapolate, true, name), axis)
end

local function akima_slopes(x, y)
  local cn, n = args.namespace, x.size
  local m = steps(y) / given.column(steps(x), y.ndim)
  if n == 2 then return cn.concatenate {m, m} end
  local a, b = rows(m, 1, 1), rows(m, 2, 1)
  local c, d = rows(m, n - 1, 1), rows(m, n - 2, 1)
  m = cn.concatenate {a * 3 - b * 2, a * 2 - b, m, c * 2 - d, c * 3 - d * 2}
  local change = cn.abs(steps(m))
  local after, before = rows(change, 3, n), rows(change, 1, n)
  local sum = after + before
  local weighted = (after * rows(m, 2, n) + before * rows(m, 3, n)) / sum
  local plain = (rows(m, 4, n) + rows(m, 1, n)) * 0.5
  return cn.where(cn.greater(sum, cn.max(sum) * 1e-9), weighted, plain)
end

local read_akima = args.reader("interpolate.Akima1DInterpolator", {"x", "y", "axis"}, 2)

--- A cubic function through points with slopes of few neighbours, without the overshoot of splines (Akima, 1970); NaN
--- beyond them. Waits to see whether x rises. Follows scipy.interpolate.Akima1DInterpolator.
---@param x cuna.Operand rising, at least 2 elements
---@param y cuna.Operand real
---@param axis integer|nil default 1
---@return cuna.PPoly
---@usage cn.interpolate.Akima1DInterpolator({0, 1, 2, 3}, {0, 1, 2, 3})({0.5, 4}) --> [0.5 nan]
function F.Akima1DInterpolator(...)
  local name, x, y, axis = "interpolate.Akima1DInterpolator", read_akima(...)
  x, y, axis = open_real(x, y, axis, name)
  return M.of_slopes(x, y, akima_slopes(x, y), false, axis)
end

return M
