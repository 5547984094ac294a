--- line.lua: functions of one variable through points: lines, steps and splines by name, and polynomials.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local dtype_facts = require "cuna.base.dtype_facts"
local given = require "cuna.interpolate.given"
local later = require "cuna.base.later"
local object = require "cuna.interpolate.object"

local M = {functions = {}}
local F = M.functions -- cn.interpolate

local fail = check.fail
local rows = given.rows
local interp = later.functions "interp"

-- ---- interp1d ----

--- Where among n points the interval of x begins, from 1 to n - 1, and elements of y there and at the next point.
local function linear(x, y, points)
  local cn = args.namespace
  local at = cn.clip(cn.searchsorted(points, x) - 1, 1, points.size - 1)
  local left, right = cn.take(points, at), cn.take(points, at + 1)
  local low, high = cn.take(y, at, 1), cn.take(y, at + 1, 1)
  local slope = (high - low) / given.column(right - left, y.ndim)
  return slope * given.column(x - left, y.ndim) + low
end

--- The element of y that a search among points finds, moved and kept inside.
local function step(x, y, points, side, shift)
  local cn = args.namespace
  return cn.take(y, cn.clip(cn.searchsorted(points, x, side) + shift, 1, y.shape[1]), 1)
end

local function middles(points)
  return rows(points, 1, points.size - 1) + given.steps(points) / 2
end

-- By kind: values (x, y, points) at points x.
local KINDS = {
  linear = linear, slinear = linear,
  previous = function(x, y, points) return step(x, y, points, "right", -1) end,
  next = function(x, y, points) return step(x, y, points, "left", 0) end,
  nearest = function(x, y, points) return step(x, y, middles(points), "left", 0) end,
  ["nearest-up"] = function(x, y, points) return step(x, y, middles(points), "right", 0) end,
}
KINDS.zero = KINDS.previous
local DEGREES = {quadratic = 2, cubic = 3}

--- The spline of a degree through points.
local function spline_of(x, y, degree, name)
  if x.size < degree + 1 then
    fail("%s: a spline of degree %d takes at least %d points, got %d", name, degree, degree + 1, x.size)
  end
  local spline = require("cuna.interpolate.bspline").functions.make_interp_spline(x, y, degree)
  return function(at) return spline(at) end
end

local function method_of(kind, x, y, name)
  if kind == nil then kind = "linear" end
  if type(kind) == "number" and kind >= 0 and kind % 1 == 0 then
    if kind == 0 then return KINDS.zero end
    return spline_of(x, y, kind, name)
  end
  if DEGREES[kind] then return spline_of(x, y, DEGREES[kind], name) end
  return KINDS[kind] or fail("%s: kind is \"linear\", \"nearest\", \"nearest-up\", \"zero\", \"slinear\", "
    .. "\"quadratic\", \"cubic\", \"previous\", \"next\" or a degree, got %s", name, check.show(kind))
end

--- The values below and above the points; nil: the kind's own, but that nothing is before the first or after the last
--- point.
local function beyond_of(fill, kind, name)
  if fill == nil then return 0 / 0, 0 / 0 end
  if fill == "extrapolate" then return kind == "previous" and 0 / 0 or nil, kind == "next" and 0 / 0 or nil end
  if type(fill) == "table" and not core.is_array(fill) then
    if #fill ~= 2 then fail("%s: fill_value is a value, a table of two, or \"extrapolate\"", name) end
    return fill[1], fill[2]
  end
  if type(fill) == "string" or type(fill) == "boolean" then
    fail("%s: fill_value is a value, a table of two, or \"extrapolate\", got %s", name, check.show(fill))
  end
  return fill, fill
end

--- Lines through a vector of real numbers, with a number beyond each end: cn.interp has one kernel for them. Nil for
--- other functions.
local function in_one_kernel(method, x, y, below, above)
  local is_plain = method == linear and y.ndim == 1 and dtype_facts.kind_of[y.dtype] ~= "c"
  if not is_plain or type(below) ~= "number" or type(above) ~= "number" then return nil end
  local values, ends = y:astype "float64", core.as_array({below, above}, "float64", y.device, "interp1d")
  return function(at) return interp.on_lines(at, x, values, ends.dtype, ends) end
end

--- Refuses points beyond the ends; waits.
function M.check_bounds(x, low, high, name)
  local cn = args.namespace
  if x.size == 0 then return end
  core.check_waiting(name)
  local least, most, first, last = cn.item(x:min(), x:max(), low, high)
  if core.is_preparing() then return end
  if least < first then fail("%s: x has %.17g, which is below the first point %.17g", name, least, first) end
  if most > last then fail("%s: x has %.17g, which is beyond the last point %.17g", name, most, last) end
end

--- The points and values in order.
local function sorted(x, y, assume_sorted)
  local cn = args.namespace
  if assume_sorted then return x, y end
  local order = cn.argsort(x)
  return cn.take(x, order), cn.take(y, order, 1)
end

local read_interp = args.reader("interpolate.interp1d",
  {"x", "y", "kind", "axis", "bounds_error", "fill_value", "assume_sorted"}, 2)

--- A function through points, of a kind: lines (default), steps, or a spline. Splines are solved for on the host, so
--- that this waits for x; a call waits where points beyond the ends are an error. Follows scipy.interpolate.interp1d.
---@param x cuna.Operand a vector
---@param y cuna.Operand real or complex
---@param kind string|integer|nil "linear", "nearest" (halves round down), "nearest-up", "previous", "next", "zero"
---  (as "previous"), "slinear" (as "linear"), "quadratic", "cubic", or the degree of a spline
---@param axis integer|nil along which y has the values of x, default: the last
---@param bounds_error boolean|nil whether points beyond the ends are an error; default: without fill_value
---@param fill_value number|cuna.Operand|table|string|nil the value beyond the ends, a table of those below and above,
---  or "extrapolate"; default NaN
---@param assume_sorted boolean|nil default false: points are sorted first
---@return cuna.Interpolator
---@usage cn.interpolate.interp1d({0, 1, 2}, {0, 10, 40})({0.5, 1.5}) --> [ 5. 25.]
---@usage cn.interpolate.interp1d({0, 1}, {0, 1}, {fill_value = {-1, 9}})({-2, 2}) --> [-1. 9.]
function F.interp1d(...)
  local name, x, y, kind, axis, bounds_error, fill_value, assume_sorted = "interpolate.interp1d", read_interp(...)
  local cn = args.namespace
  x, y, axis = given.points(x, y, axis, -1, 1, name)
  x, y = sorted(x, y, check.boolean(assume_sorted, false, name, "assume_sorted"))
  local method = method_of(kind, x, y, name)
  if x.size < 2 and method == linear then fail("%s: lines take at least 2 points, got 1", name) end
  local below, above = beyond_of(fill_value, kind, name)
  bounds_error = check.boolean(bounds_error, fill_value == nil, name, "bounds_error")
  if bounds_error and fill_value == "extrapolate" then fail("%s: bounds_error does not go with extrapolation", name) end
  local first, last = x[{1, cn.ellipsis}], x[{x.size, cn.ellipsis}]
  local whole = in_one_kernel(method, x, y, below, above)
  return object.new("interp1d", y.device, function(at, ...)
    if select("#", ...) > 0 then fail("interp1d: takes one argument, got %d", 1 + select("#", ...)) end
    at = given.asked(at, "interp1d", y.device)
    if bounds_error then M.check_bounds(at, first, last, "interp1d") end
    local line = at:reshape(-1):astype "float64"
    if whole then return given.placed(whole(line), at.shape, axis):astype(y.dtype) end
    local value = method(line, y, x) + given.column(line * 0, y.ndim) -- NaN of NaN
    if below ~= nil then value = given.masked(value, cn.less(line, first), below) end
    if above ~= nil then value = given.masked(value, cn.greater(line, last), above) end
    return given.placed(value, at.shape, axis):astype(y.dtype)
  end)
end

-- ---- polynomials ----

local read_bary = args.reader("interpolate.BarycentricInterpolator", {"xi", "yi", "axis"}, 2)

--- The weights of points: 1 over the product of the distances to all others, which are scaled so that they neither
--- overflow nor vanish.
local function weights_of(x)
  local cn, n = args.namespace, x.size
  local distance = (x:reshape(n, 1) - x) * 4 / (cn.max(x) - cn.min(x))
  local own = cn.arange(n):reshape(n, 1):eq(cn.arange(n))
  return 1 / cn.prod(cn.where(own, 1, distance), 2)
end

--- The polynomial through points, by the barycentric formula (Berrut and Trefethen, 2004): good for Chebyshev's points,
--- and for few others. Follows scipy.interpolate.BarycentricInterpolator.
---@param xi cuna.Operand a vector of different numbers
---@param yi cuna.Operand
---@param axis integer|nil default 1
---@return cuna.Interpolator
---@usage cn.interpolate.BarycentricInterpolator({0, 1, 2}, {0, 1, 4})({0.5, 3}) --> [0.25 9. ]
function F.BarycentricInterpolator(...)
  local name, x, y, axis = "interpolate.BarycentricInterpolator", read_bary(...)
  local cn = args.namespace
  x, y, axis = given.points(x, y, axis, 1, 1, name)
  if x.size > 1 then given.check_rising(cn.sort(x), name, "sorted xi", true) end
  local weights = x.size > 1 and weights_of(x) or cn.ones(1, "float64", x.device)
  local flat = y:reshape(x.size, -1)
  return object.new("BarycentricInterpolator", y.device, function(at, ...)
    if select("#", ...) > 0 then fail("BarycentricInterpolator: takes one argument, got %d", 1 + select("#", ...)) end
    at = given.asked(at, "BarycentricInterpolator", y.device)
    local distance = at:reshape(-1, 1):astype "float64" - x
    local hit = distance:eq(0)
    local share = weights / cn.where(hit, 1, distance)
    local value = cn.matmul(share:astype(core.dtype_of(flat.real)), flat) / share:sum(2):reshape(-1, 1)
    local exact = cn.take(flat, cn.argmax(hit, 2), 1)
    value = cn.where(cn.any(hit, 2):reshape(-1, 1), exact, value)
    local whole = y.shape
    whole[1] = at.size
    return given.placed(value:reshape(whole), at.shape, axis):astype(y.dtype)
  end)
end

return M
