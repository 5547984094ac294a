--- smooth.lua: linear filters that are separable: Gaussian and uniform ones, derivatives, and functions of these.
local border = require "cuna.ndimage.border"
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local dtype_facts = require "cuna.base.dtype_facts"
local given = require "cuna.ndimage.given"
local weights = require "cuna.ndimage.weights"

local M = {}

local fail = check.fail

-- ---- Gaussian weights ----

--- The coefficients of the polynomial that the derivative of an order multiplies a Gaussian with: of one order more it
--- is the derivative of the polynomial, minus x / sigma^2 times it.
local function polynomial(order, variance)
  local q = {[0] = 1}
  for k = 1, order do q[k] = 0 end
  for _ = 1, order do
    local next_q = {}
    for k = 0, order do
      next_q[k] = (k < order and (k + 1) * q[k + 1] or 0) - (k > 0 and q[k - 1] / variance or 0)
    end
    q = next_q
  end
  return q
end

--- The weights of a correlation with a Gaussian or one of its derivatives.
local function gaussian(sigma, order, radius)
  local list, sum, variance = {}, 0, sigma * sigma
  for x = -radius, radius do
    list[x + radius + 1] = math.exp(-0.5 / variance * x * x)
    sum = sum + list[x + radius + 1]
  end
  local q = polynomial(order, variance)
  for x = -radius, radius do
    local factor, k = 0, radius - x + 1 -- a correlation runs the other way
    for power = order, 0, -1 do factor = factor * x + q[power] end
    list[k] = order == 0 and list[k] / sum or factor * (math.exp(-0.5 / variance * x * x) / sum)
  end
  return list
end

--- The number of weights on either side.
local function read_radius(sigma, truncate, radius, name)
  if radius ~= nil then return check.count(radius, name, "radius") end
  truncate = check.real(truncate == nil and 4 or truncate, name, "truncate")
  if truncate < 0 or truncate ~= truncate then fail("%s: truncate is at least 0, got %s", name, tostring(truncate)) end
  return math.floor(truncate * sigma + 0.5)
end

local function radius_of(sigma, truncate, radius, name)
  radius = read_radius(sigma, truncate, radius, name)
  given.check_size(2 * radius + 1, name)
  return radius
end

local function check_gaussian(sigma, order, name)
  sigma = check.real(sigma, name, "sigma")
  if not (sigma >= 0 and sigma < math.huge) then fail("%s: sigma is at least 0, got %s", name, tostring(sigma)) end
  return sigma, check.few(order == nil and 0 or order, 64, name, "order")
end

--- Filters one axis into `out`.
local function blur(x, sigma, axis, order, mode, cval, truncate, radius, out, name)
  radius = radius_of(sigma, truncate, radius, name)
  local list = sigma > 0 and gaussian(sigma, order, radius) or {1}
  if sigma == 0 then radius = 0 end
  weights.line(border.holding(x, {mode}, cval, name), list, axis, radius, mode, cval, out, name)
end

--- gaussian_filter1d.
function M.gaussian_line(x, sigma, axis, order, output, mode, cval, truncate, radius, name)
  x = given.image(x, name)
  sigma, order = check_gaussian(sigma, order, name)
  axis, mode, cval = core.axis(axis == nil and -1 or axis, x.ndim, name), border.mode(mode, name),
    given.cval(cval, name)
  return given.output(output, x, x.shape, x.dtype, name, function(out)
    weights.check_output(out, x.dtype, name)
    blur(x, sigma, axis, order, mode, cval, truncate, radius, out, name)
  end)
end

--- gaussian_filter.
function M.gaussian(x, sigma, order, output, mode, cval, truncate, radius, axes, name)
  x = given.image(x, name)
  axes = given.axes(axes, x, name)
  local count = #axes
  local sigmas, orders = given.numbers(sigma, nil, count, name, "sigma"), given.each(order, count, name, "order")
  local modes, radii, used = given.modes(mode, count, name), given.each(radius, count, name, "radius"), {}
  cval = given.cval(cval, name)
  for k = 1, count do
    sigmas[k], orders[k] = check_gaussian(sigmas[k], orders[k], name)
    if sigmas[k] > 1e-15 then used[#used + 1] = k end
  end
  return given.chain(output, x, x.dtype, #used, name, function(src, out, i)
    local k = used[i]
    weights.check_output(out, x.dtype, name)
    blur(src, sigmas[k], axes[k], orders[k], modes[k], cval, truncate, radii[k], out, name)
  end)
end

-- ---- uniform filters ----

--- Means along one axis into `out`.
local function level(x, size, axis, origin, mode, cval, out, name)
  weights.mean(border.holding(x, {mode}, cval, name), size, axis, (given.reach(size, origin, name)), mode, cval, out,
    name)
end

--- uniform_filter1d.
function M.uniform_line(x, size, axis, output, mode, cval, origin, name)
  x, size = given.image(x, name), given.sizes(size, 1, name)[1]
  axis, mode, cval = core.axis(axis == nil and -1 or axis, x.ndim, name), border.mode(mode, name),
    given.cval(cval, name)
  given.reach(size, origin, name)
  return given.output(output, x, x.shape, x.dtype, name, function(out)
    weights.check_output(out, x.dtype, name)
    level(x, size, axis, origin, mode, cval, out, name)
  end)
end

--- uniform_filter.
function M.uniform(x, size, output, mode, cval, origin, axes, name)
  x = given.image(x, name)
  axes = given.axes(axes, x, name)
  local count, used = #axes, {}
  local sizes, modes = given.sizes(size == nil and 3 or size, count, name), given.modes(mode, count, name)
  local origins = given.origins(origin, count, name)
  cval = given.cval(cval, name)
  for k = 1, count do
    given.reach(sizes[k], origins[k], name)
    if sizes[k] > 1 then used[#used + 1] = k end
  end
  return given.chain(output, x, x.dtype, #used, name, function(src, out, i)
    local k = used[i]
    weights.check_output(out, x.dtype, name)
    level(src, sizes[k], axes[k], origins[k], modes[k], cval, out, name)
  end)
end

-- ---- derivatives ----

--- sobel and prewitt: differences along one axis, smoothed along the others.
function M.derivative(smoothing, x, axis, output, mode, cval, name)
  x = given.image(x, name)
  axis = core.axis(axis == nil and -1 or axis, x.ndim, name)
  local modes, order = given.modes(mode, x.ndim, name), {axis}
  cval = given.cval(cval, name)
  for k = 1, x.ndim do
    if k ~= axis then order[#order + 1] = k end
  end
  return given.chain(output, x, x.dtype, #order, name, function(src, out, i)
    local along, list = order[i], i == 1 and {-1, 0, 1} or smoothing
    weights.check_output(out, x.dtype, name)
    weights.line(border.holding(src, {modes[along]}, cval, name), list, along, 1, modes[along], cval, out, name)
  end)
end

--- Second differences along an axis, into `out`.
function M.second(x, axis, out, mode, cval, name)
  weights.line(border.holding(x, {mode}, cval, name), {1, -2, 1}, axis, 1, mode, cval, out, name)
end

--- Combines what `term(k, out)` computes for each axis: the first one, then next(sum, one) for the others, then
--- last(sum).
local function combine(output, x, name, term, start, join, finish)
  return given.output(output, x, x.shape, x.dtype, name, function(out)
    local cn, sum = args.namespace, nil
    for axis = 1, x.ndim do
      local one = core.empty_like(x, out.dtype, name)
      term(axis, one)
      if start then one = start(cn, one) end
      sum = sum and join(cn, sum, one) or one
    end
    core.copy(out, finish and finish(cn, sum) or sum, name)
  end)
end

local function add(cn, a, b) return cn.add(a, b) end

--- The sum of second derivatives: second(k, out) computes that along axis k.
function M.sum_of_seconds(x, output, name, second) return combine(output, x, name, second, nil, add) end

--- The root of the sum of squared derivatives. Integers are rooted as float64 and cut off.
function M.magnitude(x, output, name, derivative)
  return combine(output, x, name, derivative, function(cn, one) return cn.multiply(one, one) end, add,
    function(cn, sum) return cn.sqrt(dtype_facts.is_inexact(sum.dtype) and sum or core.cast(sum, "float64", name)) end)
end

return M
