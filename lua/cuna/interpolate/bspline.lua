--- bspline.lua: B-splines, and those through points.
--
-- A spline is evaluated as the piecewise polynomial that it is: its derivatives at the knots are its coefficients (de
-- Boor, "A Practical Guide to Splines", 2001). Values of basis functions are computed on the host, once for a spline.
local args = require "cuna.base.args"
local banded = require "cuna.interpolate.banded"
local check = require "cuna.base.check"
local class = require "cuna.base.class"
local core = require "cuna.core"
local cubic = require "cuna.interpolate.cubic"
local given = require "cuna.interpolate.given"
local piecewise = require "cuna.interpolate.piecewise"
local with = require "cuna.base.with"

local M = {functions = {}}
local F = M.functions -- cn.interpolate

local fail, cut = check.fail, banded.cut
local rows = given.rows

--- A spline in terms of B-splines. It is called at points: s(x, nu, extrapolate) has its derivative of order nu.
---@class cuna.BSpline
---@field t cuna.Array knots, (n + k + 1,)
---@field c cuna.Array coefficients, (n, ...)
---@field k integer the degree
---@field extrapolate boolean|string what is beyond t[k + 1] and t[n + 1]: true: the first and the last piece, false:
--- NaN; "periodic"
---@field axis integer of results, where the axes of points are
local methods = {}
M.methods = methods

local meta, self_of = class.make("B-spline", "a B-spline", "spline", methods)

function meta.__tostring(s) return ("BSpline(%d coefficients, degree %d)"):format(s.c.shape[1], s.k) end

--- A spline of parts that fit; `knots` are t's numbers.
local function new(t, c, k, extrapolate, axis, knots)
  return setmetatable({t = t, c = c, k = k, extrapolate = extrapolate, axis = axis, knots = knots}, meta)
end

-- ---- basis functions on the host ----

--- Values at x of the k + 1 basis functions that are not 0 between knots l and l + 1.
local function basis(knots, k, x, l)
  local b = {1}
  for degree = 1, k do
    local saved = 0
    for r = 1, degree do
      local right, left = knots[l + r], knots[l + r - degree]
      local share = right == left and 0 or b[r] / (right - left)
      b[r], saved = saved + (right - x) * share, (x - left) * share
    end
    b[degree + 1] = saved
  end
  return b
end

--- The derivative of order nu at x of the k + 1 basis functions that are not 0 between knots l and l + 1.
local function derivatives(knots, k, x, l, nu)
  if nu == 0 then return basis(knots, k, x, l) end
  local lower, d = derivatives(knots, k - 1, x, l, nu - 1), {}
  for r = 1, k + 1 do
    local function share(i) -- of function i of degree k - 1, from l - k + 1
      local first = l - k + i
      local width = knots[first + k] - knots[first]
      return lower[i] and width > 0 and lower[i] / width or 0
    end
    d[r] = k * ((r > 1 and share(r - 1) or 0) - (r <= k and share(r) or 0))
  end
  return d
end

--- The l with knots[l] <= x < knots[l + 1], among intervals from k + 1 to n.
local function interval(knots, k, n, x)
  local low, high = k + 1, n
  while low < high do
    local middle = math.ceil((low + high) / 2)
    if knots[middle] <= x then low = middle else high = middle - 1 end
  end
  while low > k + 1 and knots[low] == knots[low + 1] do low = low - 1 end
  return low
end

-- ---- derivatives, integrals ----

--- Differences of coefficients over those of knots: the derivative's coefficients, one fewer.
local function derived(c, knots, k, device)
  local n, factors = c.shape[1], {}
  for i = 1, n - 1 do
    local width = knots[i + k + 1] - knots[i + 1]
    factors[i] = width > 0 and k / width or 0
  end
  return given.steps(c) * given.column(banded.vector(factors, device), c.ndim):astype(core.dtype_of(c.real))
end

--- The knots of a spline whose ends lose one.
local function inner(s, knots)
  return rows(s.t, 2, s.t.size - 2), cut(knots, 2, #knots - 1)
end

--- The derivative. Follows scipy.interpolate.BSpline.derivative.
---@param nu integer|nil its order, default 1
---@return cuna.BSpline
---@usage cn.interpolate.make_interp_spline({0, 1, 2, 3}, {0, 1, 8, 27}):derivative()({1, 2}):round(6) --> [ 3. 12.]
function methods:derivative(nu)
  local s = self_of(self, "derivative")
  for _ = 1, check.count(nu == nil and 1 or nu, "BSpline.derivative", "nu") do
    if s.k == 0 then return new(s.t, s.c * 0, 0, s.extrapolate, s.axis, s.knots) end
    local t, knots = inner(s, s.knots)
    s = new(t, derived(s.c, s.knots, s.k, s.c.device), s.k - 1, s.extrapolate, s.axis, knots)
  end
  return s
end

local function integrated(s)
  local cn, n, k, factors = args.namespace, s.c.shape[1], s.k, {}
  for i = 1, n do factors[i] = (s.knots[i + k + 1] - s.knots[i]) / (k + 1) end
  local weights = given.column(banded.vector(factors, s.c.device), s.c.ndim):astype(core.dtype_of(s.c.real))
  local sum = cn.cumsum(s.c * weights, 1)
  local first, last = rows(s.t, 1, 1), rows(s.t, s.t.size, 1)
  local knots = cut(s.knots, 1, #s.knots)
  table.insert(knots, 1, knots[1])
  knots[#knots + 1] = knots[#knots]
  return new(cn.concatenate {first, s.t, last}, cn.concatenate {rows(sum, 1, 1) * 0, sum}, k + 1,
    s.extrapolate ~= "periodic" and s.extrapolate, s.axis, knots)
end

--- An antiderivative. Follows scipy.interpolate.BSpline.antiderivative.
---@param nu integer|nil its order, default 1
---@return cuna.BSpline
---@usage cn.interpolate.make_interp_spline({0, 1, 2}, {0, 2, 4}, 1):antiderivative()(2) --> 4.0
function methods:antiderivative(nu)
  local s = self_of(self, "antiderivative")
  for _ = 1, given.orders(nu, "BSpline.antiderivative") do s = integrated(s) end
  return s
end

-- ---- values ----

--- Coefficients of a power: the derivative of its order at the left ends of intervals l, over its factorial.
local function power_of(s, c, order, places)
  local cn, k = args.namespace, s.k - order
  local weights, knots = {}, cut(s.knots, order + 1, #s.knots - order)
  for i, l in ipairs(places) do weights[i] = basis(knots, k, s.knots[l], l - order) end
  local value
  for r = 1, k + 1 do
    local at, weight = {}, {}
    for i, l in ipairs(places) do at[i], weight[i] = l - order - k + r - 1, weights[i][r] end
    local part = cn.take(c, cn.array(at, "int64", c.device), 1)
      * given.column(banded.vector(weight, c.device), c.ndim):astype(core.dtype_of(c.real))
    value = value and value + part or part
  end
  return value
end

--- A spline as a piecewise polynomial: made once.
function M.pieces(s)
  local made = rawget(s, "made")
  if made then return made end
  local cn, places, ends, n = args.namespace, {}, {}, s.c.shape[1]
  for l = s.k + 1, n do
    if s.knots[l] < s.knots[l + 1] or s.k == 0 and l == n then places[#places + 1], ends[#ends + 1] = l, s.knots[l] end
  end
  ends[#ends + 1] = s.knots[n + 1]
  local powers, c, factorial = {}, s.c, 1
  for order = 0, s.k do
    if order > 0 then
      c = derived(c, cut(s.knots, order, #s.knots - order + 1), s.k - order + 1, c.device)
      factorial = factorial * order
    end
    powers[s.k + 1 - order] = power_of(s, c, order, places) / factorial
  end
  made = piecewise.new(cn.stack(powers), banded.vector(ends, s.c.device), s.extrapolate, s.axis)
  rawset(s, "made", made)
  return made
end

function meta.__call(s, ...)
  local list, count = {...}, select("#", ...)
  return with.on(s.c, function() return M.pieces(s)(unpack(list, 1, count)) end)
end

local read_integrate = args.reader("BSpline.integrate", {"a", "b", "extrapolate"}, 2)

--- The integral from a to b; without extrapolation of the part between the ends. Follows
--- scipy.interpolate.BSpline.integrate.
---@param a number
---@param b number
---@param extrapolate boolean|string|nil default: the spline's
---@return cuna.Array
---@usage cn.interpolate.make_interp_spline({0, 1, 2}, {0, 2, 4}, 1):integrate(0, 2) --> 4.0
function methods:integrate(...)
  local s = self_of(self, "integrate")
  local a, b, extrapolate = read_integrate(...)
  a, b = check.real(a, "BSpline.integrate", "a"), check.real(b, "BSpline.integrate", "b")
  extrapolate = piecewise.extrapolation(extrapolate, s.extrapolate, "BSpline.integrate")
  local first, last = s.knots[s.k + 1], s.knots[s.c.shape[1] + 1]
  if extrapolate == false then
    a, b = math.min(math.max(a, first), last), math.min(math.max(b, first), last)
  end
  return with.on(s.c, function() return M.pieces(s):integrate(a, b, extrapolate) end)
end

--- The points where the spline is 0; waits.
---@param discontinuity boolean|nil whether changes of sign at jumps count, default true
---@param extrapolate boolean|string|nil default: the spline's
---@return cuna.Array|cuna.Array[] rising; of several splines a table, in row-major order
---@usage cn.interpolate.make_interp_spline({0, 1, 2}, {-1, 0, 1}, 1):roots() --> [1.]
function methods:roots(discontinuity, extrapolate)
  local s = self_of(self, "roots")
  return with.on(s.c, function() return M.pieces(s):roots(discontinuity, extrapolate) end)
end

-- ---- making one ----

local MOST_DEGREE = 25 -- powers of greater ones lose all digits

local function degree_of(k, name)
  k = check.count(k, name, "k")
  if k > MOST_DEGREE then fail("%s: k is at most %d, got %d", name, MOST_DEGREE, k) end
  return k
end

local function check_knots(t, n, k, name)
  if t.ndim ~= 1 or t.size ~= n + k + 1 then
    fail("%s: %d coefficients of degree %d take %d knots, got shape %s", name, n, k, n + k + 1, tostring(t.shape))
  end
  if n < k + 1 then fail("%s: degree %d takes at least %d coefficients, got %d", name, k, k + 1, n) end
  given.check_rising(t, name, "t", false)
  local knots = banded.numbers(t, name)
  if knots[k + 1] == knots[n + 1] then fail("%s: all inner knots of t are equal", name) end
  return knots
end

local read = args.reader("interpolate.BSpline", {"t", "c", "k", "extrapolate", "axis"}, 3)

--- A spline of degree k in terms of B-splines. Waits for the knots. Follows scipy.interpolate.BSpline.
---@param t cuna.Operand knots that do not fall, (n + k + 1,)
---@param c cuna.Operand coefficients, n along an axis
---@param k integer
---@param extrapolate boolean|string|nil default true
---@param axis integer|nil of c, default 1
---@return cuna.BSpline
---@usage cn.interpolate.BSpline({0, 1, 2, 3}, {1, 2}, 1)({1, 1.5, 2}) --> [1. 1.5 2. ]
function F.BSpline(...)
  local name, t, c, k, extrapolate, axis = "interpolate.BSpline", read(...)
  local device = core.device_of(t, c)
  t, c = given.real(t, name, "t", device):astype "float64", given.floats(c, name, device)
  check.same_device(t, c, name)
  if c.ndim == 0 then fail("%s: c has no axis", name) end
  k, axis = degree_of(k, name), core.axis(axis == nil and 1 or axis, c.ndim, name)
  if axis ~= 1 then c = args.namespace.moveaxis(c, axis, 1) end
  local knots = check_knots(t, c.shape[1], k, name)
  return new(t, c, k, piecewise.extrapolation(extrapolate, true, name), axis, knots)
end

-- ---- splines through points ----

--- A list of numbers with the first and the last one more often.
local function padded(list, first, last, count)
  local knots = {}
  for _ = 1, count do knots[#knots + 1] = first end
  for _, v in ipairs(list) do knots[#knots + 1] = v end
  for _ = 1, count do knots[#knots + 1] = last end
  return knots
end

--- Knots for points without, or with, conditions at the ends.
local function default_knots(x, k, has_conditions, name)
  local n = #x
  if has_conditions then return padded(x, x[1], x[n], k) end
  if k % 2 == 1 then return padded(cut(x, (k - 1) / 2 + 2, n - (k - 1) / 2 - 1), x[1], x[n], k + 1) end
  if k ~= 2 then fail("%s: without t the degree is odd or 2, got %d", name, k) end
  local middles = {}
  for i = 2, n - 2 do middles[#middles + 1] = (x[i] + x[i + 1]) / 2 end
  return padded(middles, x[1], x[n], k + 1)
end

--- Conditions at an end as a list of {order, value}.
local function conditions_at(value, k, name)
  if value == nil or value == "not-a-knot" then return {} end
  if value == "natural" or value == "clamped" then return {{value == "natural" and 2 or 1, 0}} end
  local list = type(value) == "table" and not core.is_array(value) and value or nil
  for _, one in ipairs(list or {}) do
    local order = type(one) == "table" and one[1]
    if type(order) ~= "number" or order < 1 or order >= k + 1 or order % 1 ~= 0 or one[2] == nil then list = nil end
  end
  return list or fail("%s: bc_type is \"periodic\", or \"not-a-knot\", \"natural\", \"clamped\" or a table of {order, "
    .. "value} with orders from 1 to %d, for both ends or for each", name, k)
end

local function both_conditions(bc_type, k, name)
  if bc_type == nil or type(bc_type) == "string" then
    return conditions_at(bc_type, k, name), conditions_at(bc_type, k, name)
  end
  if type(bc_type) ~= "table" or #bc_type > 2 then
    fail("%s: bc_type is a name, or a table of the conditions at both ends", name)
  end
  return conditions_at(bc_type[1], k, name), conditions_at(bc_type[2], k, name)
end

--- Adds the equation of a derivative at a point.
local function add_equation(list, knots, k, n, x, order)
  local l, row = interval(knots, k, n, x), {}
  for r, value in ipairs(derivatives(knots, k, x, l, order)) do row[l - k + r - 1] = value end
  list[#list + 1] = row
end

--- The coefficients of the spline with these knots through points.
local function coefficients(x, y, knots, k, left, right, name)
  local list, sides, n, count = {}, {}, #knots - k - 1, #x
  for _, one in ipairs(left) do
    add_equation(list, knots, k, n, x[1], one[1])
    sides[#sides + 1] = cubic.value_row(one[2], y, name)
  end
  for i = 1, count do add_equation(list, knots, k, n, x[i], 0) end
  sides[#sides + 1] = y
  for _, one in ipairs(right) do
    add_equation(list, knots, k, n, x[count], one[1])
    sides[#sides + 1] = cubic.value_row(one[2], y, name)
  end
  return banded.solve(list, #sides == 1 and y or args.namespace.concatenate(sides), name)
end

-- ---- periodic splines ----

--- Knots of a periodic spline: the points, of even degrees the middles between them, continued beyond their ends.
local function periodic_knots(x, k)
  local n, t = #x, {}
  local points = cut(x, 1, n)
  if k % 2 == 0 then
    for i = 2, n - 1 do points[i] = (x[i - 1] + x[i]) / 2 end
  end
  local function width(i) return points[i + 1] - points[i] end
  for i = 1, n do t[k + i] = points[i] end
  for i = 0, k - 1 do
    t[k - i] = t[k + 1 - i] - width(n - 1 - i % (n - 1))
    t[n + k + 1 + i] = t[n + k + i] + width(1 + i % (n - 1))
  end
  return t
end

--- The place of column j of N that go round in a circle, where both halves lie side by side: neighbours stay near.
local function folded(j, N) return j <= math.ceil(N / 2) and 2 * j - 1 or 2 * (N - j + 1) end

--- Coefficients of the periodic spline: as many as pieces, then the first k again.
local function periodic_coefficients(x, y, knots, k, name)
  local cn, N = args.namespace, #x - 1
  local list, order, back = {}, {}, {}
  for i = 1, N do
    local l, row = interval(knots, k, N + k, x[i]), {}
    for r, value in ipairs(derivatives(knots, k, x[i], l, 0)) do
      local column = folded((l - k + r - 2) % N + 1, N)
      row[column] = (row[column] or 0) + value
    end
    local place = folded((i - 1 + math.floor(k / 2)) % N + 1, N)
    list[place], order[place] = row, i
  end
  for j = 1, N + k do back[j] = folded((j - 1) % N + 1, N) end
  local sides = cn.take(y, cn.array(order, "int64", y.device), 1)
  return cn.take(banded.solve(list, sides, name), cn.array(back, "int64", y.device), 1)
end

local function periodic_spline(x, y, k, t, axis, name)
  if t ~= nil then fail("%s: bc_type \"periodic\" has knots of its own; leave t out", name) end
  if x.size < 2 or k == 0 then
    fail("%s: bc_type \"periodic\" takes a degree from 1 and 2 points, got degree %d and %d points", name, k, x.size)
  end
  cubic.check_period(y, name)
  local numbers = banded.numbers(x, name)
  local knots = periodic_knots(numbers, k)
  return new(banded.vector(knots, x.device), periodic_coefficients(numbers, y, knots, k, name), k, "periodic", axis,
    knots)
end

local read_make = args.reader("interpolate.make_interp_spline", {"x", "y", "k", "t", "bc_type", "axis"}, 2)

--- Knots of points, or those that a user gave.
local function knots_of(t, x, k, conditions, name)
  local numbers = banded.numbers(x, name)
  if t == nil then
    if k == 0 then return padded(numbers, numbers[1], numbers[#x], 0), numbers end
    return default_knots(numbers, k, conditions > 0, name), numbers
  end
  t = given.real(t, name, "t", x.device)
  return check_knots(t:astype "float64", x.size + conditions, k, name), numbers
end

--- The spline of degree k through points. Its coefficients are solved for on the host, so that this waits. Follows
--- scipy.interpolate.make_interp_spline.
---@param x cuna.Operand rising, at least k + 1 elements without conditions
---@param y cuna.Operand real or complex
---@param k integer|nil default 3; without t odd, or 0 or 2
---@param t cuna.Operand|nil knots; default: the points without those near the ends
---@param bc_type string|table|nil at both ends, or a table of the two: "not-a-knot" (default), "natural", "clamped", or
---  a table of {order, value}; "periodic": the last point is the first one again
---@param axis integer|nil default 1
---@return cuna.BSpline
---@usage cn.interpolate.make_interp_spline({0, 1, 2, 3}, {0, 1, 8, 27})({0.5, 2.5}):round(6) --> [ 0.125 15.625]
function F.make_interp_spline(...)
  local name, x, y, k, t, bc_type, axis = "interpolate.make_interp_spline", read_make(...)
  local cn = args.namespace
  k = degree_of(k == nil and 3 or k, name)
  x, y, axis = given.points(x, y, axis, 1, 1, name)
  given.check_rising(x, name, "x", true)
  if bc_type == "periodic" then return periodic_spline(x, y, k, t, axis, name) end
  local left, right = both_conditions(bc_type, k, name)
  local conditions = #left + #right
  if x.size + conditions < k + 1 then
    fail("%s: degree %d takes at least %d points and conditions, got %d", name, k, k + 1, x.size + conditions)
  end
  local knots, numbers = knots_of(t, x, k, conditions, name)
  if k == 0 and t == nil then knots[#knots + 1] = numbers[#numbers] end
  if #knots ~= x.size + conditions + k + 1 then
    fail("%s: %d points and %d conditions do not determine a spline with %d knots", name, x.size, conditions, #knots)
  end
  local c = k == 0 and t == nil and cn.copy(y) or coefficients(numbers, y, knots, k, left, right, name)
  return new(banded.vector(knots, x.device), c, k, true, axis, knots)
end

return M
