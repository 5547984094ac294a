--- piecewise.lua: piecewise polynomials: values, derivatives, integrals, roots.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local class = require "cuna.base.class"
local core = require "cuna.core"
local given = require "cuna.interpolate.given"
local pieces = require "cuna.interpolate.roots"
local with = require "cuna.base.with"

local M = {functions = {}}
local F = M.functions -- cn.interpolate

local fail = check.fail

--- A piecewise polynomial. It is called at points: p(x, nu, extrapolate) has its derivative of order nu (default 0).
---@class cuna.PPoly
---@field c cuna.Array coefficients (k + 1, intervals, ...), that of the highest power first, of x less the interval's
--- left end
---@field x cuna.Array the ends of the intervals, (intervals + 1,)
---@field extrapolate boolean|string what is beyond them: true: the first and the last piece, false: NaN; "periodic"
---@field axis integer of results, where the axes of points are
local methods = {}
M.methods = methods

local meta, self_of = class.make("piecewise polynomial", "a piecewise polynomial", "p", methods)

function meta.__tostring(p) return ("PPoly(%d intervals, degree %d)"):format(p.c.shape[2], p.c.shape[1] - 1) end

--- How a function goes on beyond its ends.
function M.extrapolation(value, default, name)
  if value == nil then return default end
  if value == true or value == false or value == "periodic" then return value end
  fail("%s: extrapolate is true, false or \"periodic\", got %s", name, check.show(value))
end

--- A piecewise polynomial of parts that fit.
function M.new(c, x, extrapolate, axis)
  return setmetatable({c = c, x = x, extrapolate = extrapolate, axis = axis}, meta)
end

-- ---- values ----

--- Points brought into the first period.
function M.wrapped(x, first, last) return first + (x - first) % (last - first) end

--- Values (points, ...) at a vector of points.
local function values_at(p, x, extrapolate)
  local cn = args.namespace
  local knots, c = p.x, p.c
  local first, last = knots[{1, cn.ellipsis}], knots[{knots.size, cn.ellipsis}]
  if extrapolate == "periodic" then x = M.wrapped(x, first, last) end
  local at = given.intervals(knots, x)
  local ndim = c.ndim - 1
  local distance, value = given.column(x - cn.take(knots, at), ndim), nil
  for k = 1, c.shape[1] do
    local coefficient = cn.take(c[k], at, 1)
    value = value and value * distance + coefficient or coefficient
  end
  value = value + distance * 0 -- NaN of NaN, where the degree is 0
  if extrapolate ~= false then return value end
  return given.masked(value, cn.less(x, first):bor(cn.greater(x, last)), 0 / 0)
end

local read_call = args.reader("PPoly", {"x", "nu", "extrapolate"})

--- The result's dtype: that of the coefficients, which points do not widen.
local function evaluate(p, ...)
  local x, nu, extrapolate = read_call(...)
  extrapolate = M.extrapolation(extrapolate, p.extrapolate, "PPoly")
  nu = check.count(nu == nil and 0 or nu, "PPoly", "nu")
  x = given.asked(x, "PPoly", p.c.device)
  if nu > 0 then p = methods.derivative(p, nu) end
  local line = x:reshape(-1):astype "float64"
  return given.placed(values_at(p, line, extrapolate), x.shape, p.axis):astype(p.c.dtype)
end

function meta.__call(p, ...) return with.on(p.c, evaluate, p, ...) end

-- ---- derivatives and integrals ----

--- Coefficients times a factor by their power: the list is from the highest on.
local function scaled(c, factors)
  local cn = args.namespace
  return c * given.column(cn.array(factors, nil, c.device), c.ndim):astype(core.dtype_of(c.real))
end

--- The derivative, with the same intervals. Follows scipy.interpolate.PPoly.derivative.
---@param nu integer|nil its order, default 1
---@return cuna.PPoly
---@usage cn.interpolate.PPoly({{1}, {0}, {0}}, {0, 1}):derivative()(3) --> 6.0
function methods:derivative(nu)
  local p = self_of(self, "derivative")
  nu = check.count(nu == nil and 1 or nu, "PPoly.derivative", "nu")
  local degree, factors = p.c.shape[1] - 1, {}
  if nu > degree then return M.new(given.rows(p.c, 1, 1) * 0, p.x, p.extrapolate, p.axis) end
  for power = degree, nu, -1 do
    local factor = 1
    for j = 0, nu - 1 do factor = factor * (power - j) end
    factors[#factors + 1] = factor
  end
  return M.new(scaled(given.rows(p.c, 1, degree + 1 - nu), factors), p.x, p.extrapolate, p.axis)
end

--- One integral: pieces that begin where the one before ends, from 0.
local function integral(p)
  local cn, degree, factors = args.namespace, p.c.shape[1] - 1, {}
  for power = degree, 0, -1 do factors[#factors + 1] = 1 / (power + 1) end
  local c = scaled(p.c, factors)
  local width, sum = given.column(given.steps(p.x), c.ndim - 1):astype(core.dtype_of(c.real)), nil
  for k = 1, degree + 1 do sum = sum and sum * width + c[k] or c[k] end
  sum = cn.cumsum(sum * width, 1)
  local starts = cn.concatenate {given.rows(sum, 1, 1) * 0, given.rows(sum, 1, sum.shape[1] - 1)}
  return M.new(cn.concatenate {c, cn.expand_dims(starts, 1)}, p.x, p.extrapolate, p.axis)
end

--- An antiderivative, which is 0 at the first end. Follows scipy.interpolate.PPoly.antiderivative.
---@param nu integer|nil its order, default 1
---@return cuna.PPoly
---@usage cn.interpolate.PPoly({{2}, {0}}, {0, 1}):antiderivative()(3) --> 9.0
function methods:antiderivative(nu)
  local p = self_of(self, "antiderivative")
  for _ = 1, given.orders(nu, "PPoly.antiderivative") do p = integral(p) end
  if p.extrapolate ~= "periodic" then return p end
  return M.new(p.c, p.x, false, p.axis)
end

--- The integral over whole periods and what is left of one.
local function periodic_integral(p, whole, a, b)
  local cn = args.namespace
  local first, last = cn.item(given.rows(p.x, 1, 1), given.rows(p.x, p.x.size, 1))
  local period = last - first
  local count = math.floor((b - a) / period)
  local from = first + (a - first) % period
  local to = from + (b - a - count * period)
  local sum = (whole(last) - whole(first)) * count
  if to <= last then return sum + whole(to) - whole(from) end
  return sum + whole(last) - whole(from) + whole(first + to - last) - whole(first)
end

local read_integrate = args.reader("PPoly.integrate", {"a", "b", "extrapolate"}, 2)

--- The integral from a to b. Of periodic functions it waits for the ends. Follows
--- scipy.interpolate.PPoly.integrate.
---@param a number
---@param b number
---@param extrapolate boolean|string|nil default: the function's
---@return cuna.Array
---@usage cn.interpolate.PPoly({{2}, {0}}, {0, 1}):integrate(0, 1) --> 1.0
function methods:integrate(...)
  local p = self_of(self, "integrate")
  local a, b, extrapolate = read_integrate(...)
  a, b = check.real(a, "PPoly.integrate", "a"), check.real(b, "PPoly.integrate", "b")
  extrapolate = M.extrapolation(extrapolate, p.extrapolate, "PPoly.integrate")
  local whole = integral(p)
  local function at(v) return whole(v, 0, extrapolate ~= false) end
  if extrapolate ~= "periodic" then return at(b) - at(a) end
  if b < a then return -periodic_integral(p, at, b, a) end
  return periodic_integral(p, at, a, b)
end

-- ---- roots ----

local read_solve = args.reader("PPoly.solve", {"y", "discontinuity", "extrapolate"}, 0)

--- The points where the function is y; waits. Follows scipy.interpolate.PPoly.solve, but that it does not report pieces
--- that are y throughout by NaN: their left end stands for them.
---@param y number|nil default 0
---@param discontinuity boolean|nil whether jumps over y count, default true
---@param extrapolate boolean|string|nil whether points beyond the ends count; default: the function's
---@return cuna.Array|cuna.Array[] rising; of several functions a table, in row-major order
---@usage cn.interpolate.PPoly({{1}, {0}, {-4}}, {0, 3}):solve(0, {extrapolate = false}) --> [2.]
function methods:solve(...)
  local p = self_of(self, "solve")
  local y, discontinuity, extrapolate = read_solve(...)
  local name = "PPoly.solve"
  y = check.real(y == nil and 0 or y, name, "y")
  discontinuity = check.boolean(discontinuity, true, name, "discontinuity")
  extrapolate = M.extrapolation(extrapolate, p.extrapolate, name)
  if p.c.dtype:find "^complex" then fail("%s: takes real functions, got %s", name, p.c.dtype) end
  core.check_waiting(name)
  local found = pieces.solve(p.x:totable(), p.c:reshape(p.c.shape[1], p.c.shape[2], -1):totable(), y, discontinuity,
    extrapolate == true)
  for i, list in ipairs(found) do
    found[i] = #list > 0 and args.namespace.array(list, "float64", p.c.device)
      or args.namespace.zeros(0, "float64", p.c.device)
  end
  return p.c.ndim == 2 and found[1] or found
end

local read_roots = args.reader("PPoly.roots", {"discontinuity", "extrapolate"}, 0)

--- The points where the function is 0; waits. Follows scipy.interpolate.PPoly.roots.
---@param discontinuity boolean|nil whether changes of sign at jumps count, default true
---@param extrapolate boolean|string|nil whether points beyond the ends count; default: the function's
---@return cuna.Array|cuna.Array[] rising; of several functions a table, in row-major order
---@usage cn.interpolate.PPoly({{1}, {0}, {-4}}, {0, 3}):roots() --> [-2. 2.]
function methods:roots(...)
  local discontinuity, extrapolate = read_roots(...)
  return self_of(self, "roots"):solve(0, discontinuity, extrapolate)
end

-- ---- making one ----

local read = args.reader("interpolate.PPoly", {"c", "x", "extrapolate", "axis"}, 2)

--- A piecewise polynomial of coefficients: from x[i] to x[i + 1] it is the sum of c[k] (x - x[i])^(n - k) over its n
--- coefficients. Waits to see whether x rises. Follows scipy.interpolate.PPoly.
---@param c cuna.Operand (k + 1, intervals, ...)
---@param x cuna.Operand (intervals + 1,), rising
---@param extrapolate boolean|string|nil default true
---@param axis integer|nil of results, where the axes of points are; default 1
---@return cuna.PPoly
---@usage cn.interpolate.PPoly({{1, -1}, {0, 1}}, {0, 1, 2})({0.5, 1.5}) --> [0.5 0.5]
function F.PPoly(...)
  local name, c, x, extrapolate, axis = "interpolate.PPoly", read(...)
  local device = core.device_of(c, x)
  c, x = given.floats(c, name, device), given.real(x, name, "x", device):astype "float64"
  check.same_device(c, x, name)
  if c.ndim < 2 or c.shape[1] == 0 or x.ndim ~= 1 or x.size < 2 or x.size ~= c.shape[2] + 1 then
    fail("%s: expected coefficients (k + 1, intervals, ...) and one point more than intervals, got shapes %s and %s",
      name, tostring(c.shape), tostring(x.shape))
  end
  given.check_rising(x, name, "x", true)
  return M.new(c, x, M.extrapolation(extrapolate, true, name), core.axis(axis == nil and 1 or axis, c.ndim - 1, name))
end

return M
