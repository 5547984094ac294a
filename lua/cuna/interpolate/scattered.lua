--- scattered.lua: functions of several variables through scattered points: radial basis functions, the nearest point.
--
-- Distances of points are sums over coordinates of arrays (points, centers), which are recorded: a call folds them
-- without storing them where no system is solved.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local given = require "cuna.interpolate.given"
local object = require "cuna.interpolate.object"

local M = {functions = {}}
local F = M.functions -- cn.interpolate

local fail = check.fail

--- Points (n, d) as float64.
local function points_of(y, name, what)
  y = given.real(y, name, what):astype "float64"
  if y.ndim == 1 then y = y:reshape(-1, 1) end
  if y.ndim ~= 2 or y.shape[1] == 0 then
    fail("%s: %s are (points, coordinates), got shape %s", name, what, tostring(y.shape))
  end
  return y
end

--- Squared distances (..., points, centers) of points (..., points, d) and centers (..., centers, d).
local function squares(x, centers)
  local cn, sum = args.namespace, nil
  for k = 1, x.shape[x.ndim] do
    local d = cn.expand_dims(x[{cn.ellipsis, k}], -1) - cn.expand_dims(centers[{cn.ellipsis, k}], -2)
    sum = sum and sum + d * d or d * d
  end
  return sum
end

--- What a call is given: points (..., d) as (n, d), and the shape before the last axis.
local function asked(x, count, device, name)
  x = given.asked(x, name, device):astype "float64"
  local shape = x.shape
  if count == 1 and (#shape == 0 or shape[#shape] ~= 1) then return x:reshape(-1, 1), {unpack(shape)} end
  if #shape == 0 or shape[#shape] ~= count then
    fail("%s: points have %d coordinates, got shape %s", name, count, tostring(shape))
  end
  shape[#shape] = nil
  return x:reshape(-1, count), {unpack(shape)}
end

-- ---- radial basis functions ----

-- By kernel: a function of the squared distance, the least degree of the polynomial, whether epsilon may be left out.
local KERNELS = {
  linear = {function(s, cn) return -cn.sqrt(s) end, 0, true},
  thin_plate_spline = {function(s, cn) return cn.special.xlogy(s, s) * 0.5 end, 1, true},
  cubic = {function(s, cn) return s * cn.sqrt(s) end, 1, true},
  quintic = {function(s, cn) return -(s * s * cn.sqrt(s)) end, 2, true},
  multiquadric = {function(s, cn) return -cn.sqrt(s + 1) end, 0},
  inverse_multiquadric = {function(s, cn) return 1 / cn.sqrt(s + 1) end, -1},
  inverse_quadratic = {function(s) return 1 / (s + 1) end, -1},
  gaussian = {function(s, cn) return cn.exp(-s) end, -1},
}

--- How many monomials of `count` coordinates have at most a degree.
local function count_powers(count, degree)
  local number = degree < 0 and 0 or 1
  for k = 1, count do number = number * (degree + k) / k end
  return number
end

--- Powers of coordinates up to a degree: lists with a power by coordinate.
local function powers_of(count, degree)
  local list = {}
  local function extend(powers, k, left)
    if k > count then
      list[#list + 1] = {unpack(powers)}
      return
    end
    for p = 0, left do
      powers[k] = p
      extend(powers, k + 1, left - p)
    end
  end
  if degree >= 0 then extend({}, 1, degree) end
  return list
end

--- Monomials of points (..., points, monomials).
local function monomials(x, powers)
  local cn, columns = args.namespace, {}
  for i, list in ipairs(powers) do
    local value = cn.ones({unpack(x.shape, 1, x.ndim - 1)}, "float64", x.device)
    for k, p in ipairs(list) do
      for _ = 1, p do value = value * x[{cn.ellipsis, k}] end
    end
    columns[i] = value
  end
  return cn.stack(columns, -1)
end

local function options_of(kernel, epsilon, degree, name)
  kernel = kernel == nil and "thin_plate_spline" or kernel
  local row = KERNELS[kernel]
  if not row then
    fail("%s: kernel is one of %s, got %s", name, args.names(KERNELS), check.show(kernel))
  end
  if epsilon == nil and not row[3] then fail("%s: kernel \"%s\" takes epsilon", name, kernel) end
  epsilon = check.real(epsilon == nil and 1 or epsilon, name, "epsilon")
  if degree == nil then
    degree = math.max(row[2], 0)
  elseif check.integer(degree, name, "degree") < -1 then
    fail("%s: degree is at least -1, got %d", name, degree)
  end
  return row[1], epsilon, degree
end

--- The values (n, ...) as (n, columns), and the axes after the first.
local function values_of(y, d, name)
  d = given.floats(d, name, y.device)
  check.same_device(y, d, name)
  if d.ndim == 0 or d.shape[1] ~= y.shape[1] then
    fail("%s: %d points, and values of shape %s", name, y.shape[1], tostring(d.shape))
  end
  local shape = d.shape
  return d, {unpack(shape, 2)}
end

--- Smoothing as a vector or number for the diagonal.
local function smoothing_of(value, y, name)
  if value == nil then return 0 end
  if type(value) == "number" then return value end
  value = given.real(value, name, "smoothing", y.device)
  if not value:has_shape(y.shape[1]) then
    fail("%s: smoothing of shape %s for %d points", name, tostring(value.shape), y.shape[1])
  end
  return value
end

--- What is between the ends of points and half of the range: (..., 1, d), where points are (..., points, d).
local function frame_of(y)
  local cn = args.namespace
  local least, most = cn.min(y, -2, {keepdims = true}), cn.max(y, -2, {keepdims = true})
  local half = (most - least) / 2
  return (most + least) / 2, cn.where(cn.equal(half, 0), 1, half)
end

--- Coefficients of the kernels and of the polynomial: (points + monomials, columns).
local function solve(f, shift, scale)
  local cn, y, n, m = args.namespace, f.y, f.y.shape[1], #f.powers
  local matrix = cn.zeros({n + m, n + m}, "float64", y.device)
  local near = f.kernel(squares(y * f.epsilon, y * f.epsilon), cn)
  matrix[{{1, n}, {1, n}}] = near + cn.eye(n) * f.smoothing
  if m > 0 then
    local p = monomials((y - shift) / scale, f.powers)
    matrix[{{1, n}, {n + 1, n + m}}] = p
    matrix[{{n + 1, n + m}, {1, n}}] = p.T
  end
  local right = cn.concatenate({f.values, cn.zeros({m, f.values.shape[2]}, f.values.dtype, y.device)}, 1)
  return cn.linalg.solve(matrix, right)
end

--- A function of points whose values (points, columns) come from one system of all points.
local function whole_values(f)
  local shift, scale = frame_of(f.y)
  local c = solve(f, shift, scale)
  return function(_, x)
    local cn = args.namespace
    local terms = f.kernel(squares(x * f.epsilon, f.y * f.epsilon), cn)
    if #f.powers > 0 then terms = cn.concatenate({terms, monomials((x - shift) / scale, f.powers)}, 2) end
    return cn.matmul(terms, c)
  end
end

-- ---- by neighbours ----

local MOST_AT_ONCE = 2 ^ 24 -- numbers of the greatest array of a call

--- Values (points, columns) at points x, each by a system of its own with its nearest points.
local function local_values(f, x)
  local cn, m, count = args.namespace, #f.powers, f.neighbors
  local nearest = cn.argpartition(squares(x, f.y), count, 2)[{{}, {1, count}}]
  local y, values = cn.take(f.y, nearest, 1), cn.take(f.values, nearest, 1)
  local matrix = f.kernel(squares(y * f.epsilon, y * f.epsilon), cn)
  local smoothing = type(f.smoothing) == "number" and f.smoothing or cn.expand_dims(cn.take(f.smoothing, nearest), -1)
  matrix = matrix + cn.eye(count) * smoothing
  local own = f.kernel(squares(cn.expand_dims(x, 2) * f.epsilon, y * f.epsilon), cn)
  if m > 0 then
    local shift, scale = frame_of(y)
    local p = monomials((y - shift) / scale, f.powers)
    local zeros = cn.zeros({x.shape[1], m, m}, "float64", x.device)
    matrix = cn.concatenate({cn.concatenate({matrix, p}, 3), cn.concatenate({p:swapaxes(2, 3), zeros}, 3)}, 2)
    values = cn.concatenate({values, cn.zeros({x.shape[1], m, values.shape[3]}, values.dtype, x.device)}, 2)
    own = cn.concatenate({own, monomials((cn.expand_dims(x, 2) - shift) / scale, f.powers)}, 3)
  end
  return cn.matmul(own, cn.linalg.solve(matrix, values)):reshape(x.shape[1], -1)
end

--- The same in parts, whose arrays have at most MOST_AT_ONCE numbers.
local function all_values(f, x)
  local cn, parts = args.namespace, {}
  local step = math.max(math.floor(MOST_AT_ONCE / (f.y.shape[1] + (f.neighbors + #f.powers) ^ 2)), 1)
  for first = 1, x.shape[1], step do
    parts[#parts + 1] = local_values(f, x[{{first, math.min(first + step - 1, x.shape[1])}}])
  end
  if #parts == 0 then return cn.zeros({0, f.values.shape[2]}, f.values.dtype, x.device) end
  return parts[2] and cn.concatenate(parts, 1) or parts[1]
end

local function neighbors_of(value, count, name)
  if value == nil then return nil end
  value = check.count(value, name, "neighbors")
  if value < 1 then fail("%s: neighbors is from 1 on, got %d", name, value) end
  return math.min(value, count)
end

local read_rbf = args.reader("interpolate.RBFInterpolator",
  {"y", "d", "neighbors", "smoothing", "kernel", "epsilon", "degree"}, 2)

--- A sum of radial functions about scattered points, and a polynomial, through their values; called with points
--- (..., coordinates). One system with an equation for each point is solved, so that memory grows with the square of
--- their number; with `neighbors` a call solves a small one for each point that it asks for. Follows
--- scipy.interpolate.RBFInterpolator.
---@param y cuna.Operand (points, coordinates); a vector has one coordinate
---@param d cuna.Operand values (points, ...)
---@param neighbors integer|nil how many of the nearest points a value is made of, default: all
---@param smoothing number|cuna.Operand|nil how far values may be missed, one for all or each point; default 0
---@param kernel string|nil of r times epsilon: "linear" -r, "thin_plate_spline" r^2 log(r) (default), "cubic" r^3,
---  "quintic" -r^5, "multiquadric", "inverse_multiquadric", "inverse_quadratic", "gaussian"
---@param epsilon number|nil default 1; the last four kernels need it
---@param degree integer|nil of the polynomial, -1 for none; default: the least that the kernel needs, and 0
---@return cuna.Interpolator
---@usage cn.interpolate.RBFInterpolator({0, 1, 2}, {0, 1, 4}, {kernel = "cubic"})({1, 1.5}):round(6) --> [1. 2.3125]
function F.RBFInterpolator(...)
  local name, y, d, neighbors, smoothing, kernel, epsilon, degree = "interpolate.RBFInterpolator", read_rbf(...)
  y = points_of(y, name, "y")
  local values, rest = values_of(y, d, name)
  local call, width, order = options_of(kernel, epsilon, degree, name)
  neighbors = neighbors_of(neighbors, y.shape[1], name)
  local least = count_powers(y.shape[2], order)
  if least > (neighbors or y.shape[1]) then
    fail("%s: a polynomial of degree %g takes at least %g %s, got %d", name, order, least,
      neighbors and "neighbors" or "points", neighbors or y.shape[1])
  end
  local f = {y = y, values = values:reshape(y.shape[1], -1), kernel = call, epsilon = width,
    powers = powers_of(y.shape[2], order), smoothing = smoothing_of(smoothing, y, name), neighbors = neighbors}
  local evaluate = neighbors and all_values or whole_values(f)
  return object.new("RBFInterpolator", y.device, function(x, ...)
    if select("#", ...) > 0 then fail("RBFInterpolator: takes one argument, got %d", 1 + select("#", ...)) end
    local points, shape = asked(x, y.shape[2], y.device, "RBFInterpolator")
    local value = evaluate(f, points)
    return given.placed(value:reshape(points.shape[1], unpack(rest)), shape, 1):astype(values.dtype)
  end)
end

-- ---- the nearest point ----

local read_nearest = args.reader("interpolate.NearestNDInterpolator", {"x", "y", "rescale"}, 2)

--- The value of the nearest of scattered points, by all distances; called with points (..., coordinates). Follows
--- scipy.interpolate.NearestNDInterpolator.
---@param x cuna.Operand (points, coordinates); a vector has one coordinate
---@param y cuna.Operand values (points, ...)
---@param rescale boolean|nil whether coordinates are scaled to the range 1, default false
---@return cuna.Interpolator
---@usage cn.interpolate.NearestNDInterpolator({{0, 0}, {1, 1}}, {10, 20})({{0.2, 0.1}, {2, 1}}) --> [10. 20.]
function F.NearestNDInterpolator(...)
  local name, x, y, rescale = "interpolate.NearestNDInterpolator", read_nearest(...)
  local cn = args.namespace
  x = points_of(x, name, "x")
  local values = values_of(x, y, name)
  local scale, center = 1, 0
  if check.boolean(rescale, false, name, "rescale") then
    local spread = cn.max(x, 1) - cn.min(x, 1)
    scale, center = cn.where(cn.greater(spread, 0), spread, 1), cn.mean(x, 1)
  end
  local centers = (x - center) / scale
  return object.new("NearestNDInterpolator", x.device, function(at, ...)
    if select("#", ...) > 0 then fail("NearestNDInterpolator: takes one argument, got %d", 1 + select("#", ...)) end
    local points, shape = asked(at, x.shape[2], x.device, "NearestNDInterpolator")
    local nearest = cn.argmin(squares((points - center) / scale, centers), 2)
    return given.placed(cn.take(values, nearest, 1), shape, 1)
  end)
end

return M
