--- filters.lua: linear filters of cn.ndimage: correlations, Gaussian and uniform filters, derivatives.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local given = require "cuna.ndimage.given"
local smooth = require "cuna.ndimage.smooth"
local weights = require "cuna.ndimage.weights"

local M = {functions = {}}
local F = M.functions -- cn.ndimage

---@alias cuna.ImageMode string how an image continues beyond its borders: "reflect" (d c b a | a b c d | d c b a, the
--- default), "mirror" (d c b | a b c d | c b a), "nearest" (a a | a b c d | d d), "wrap" (c d | a b c d | a b),
--- "constant" (cval); "grid-mirror", "grid-constant", "grid-wrap": other names of "reflect", "constant" and "wrap"

-- ---- correlations ----

local ALONG = {"input", "weights", "axis", "output", "mode", "cval", "origin"}
local read_correlate1d = args.reader("ndimage.correlate1d", ALONG, 2)

--- Sums of neighbours along an axis times weights: y[i] = sum of x[i + k] weights[k]. Sums are computed in float64, or
--- complex128; integers as output cut off fractions and wrap. Follows scipy.ndimage.correlate1d.
---@param input cuna.Operand
---@param weights cuna.Operand a vector; one on a GPU is fetched
---@param axis integer|nil default -1
---@param output cuna.Array|string|nil an array for the result, or its dtype; default: the input's
---@param mode cuna.ImageMode|nil
---@param cval number|nil the value beyond the border in mode "constant", default 0
---@param origin integer|nil moves the window: the weight of the element itself is number floor(n / 2) + 1 + origin
---@return cuna.Array
---@usage cn.ndimage.correlate1d({2, 8, 0, 4, 1, 9, 9, 0}, {1, 3}) --> [ 8. 26.  8. 12.  7. 28. 36.  9.]
function F.correlate1d(...)
  local x, w, axis, output, mode, cval, origin = read_correlate1d(...)
  return weights.along(x, w, axis, output, mode, cval, origin, "ndimage.correlate1d", false)
end

local read_convolve1d = args.reader("ndimage.convolve1d", ALONG, 2)

--- Convolution along an axis: correlate1d with the weights reversed. Follows scipy.ndimage.convolve1d.
---@param input cuna.Operand
---@param weights cuna.Operand a vector
---@param axis integer|nil default -1
---@param output cuna.Array|string|nil
---@param mode cuna.ImageMode|nil
---@param cval number|nil
---@param origin integer|nil
---@return cuna.Array
---@usage cn.ndimage.convolve1d({2, 8, 0, 4, 1, 9, 9, 0}, {1, 3}) --> [14. 24.  4. 13. 12. 36. 27.  0.]
function F.convolve1d(...)
  local x, w, axis, output, mode, cval, origin = read_convolve1d(...)
  return weights.along(x, w, axis, output, mode, cval, origin, "ndimage.convolve1d", true)
end

local OVER = {"input", "weights", "output", "mode", "cval", "origin"}
local read_correlate = args.reader("ndimage.correlate", OVER, 2)

--- Sums of all neighbours times weights, without those whose weight is 0. Computed as correlate1d. Follows
--- scipy.ndimage.correlate.
---@param input cuna.Operand
---@param weights cuna.Operand with the input's number of axes; an array on a GPU is fetched
---@param output cuna.Array|string|nil
---@param mode cuna.ImageMode|cuna.ImageMode[]|nil one for all axes, or one for each
---@param cval number|nil
---@param origin integer|integer[]|nil
---@return cuna.Array
---@usage cn.ndimage.correlate({{1, 2}, {3, 4}}, {{0, 0}, {1, 1}}, {mode = "constant"}) --> [[1. 3.] [3. 7.]]
function F.correlate(...)
  local x, w, output, mode, cval, origin = read_correlate(...)
  return weights.over(x, w, output, mode, cval, origin, "ndimage.correlate", false)
end

local read_convolve = args.reader("ndimage.convolve", OVER, 2)

--- Convolution over all axes: correlate with the weights reversed. Follows scipy.ndimage.convolve.
---@param input cuna.Operand
---@param weights cuna.Operand with the input's number of axes
---@param output cuna.Array|string|nil
---@param mode cuna.ImageMode|cuna.ImageMode[]|nil
---@param cval number|nil
---@param origin integer|integer[]|nil
---@return cuna.Array
---@usage cn.ndimage.convolve({{1, 2}, {3, 4}}, {{0, 0}, {1, 1}}, {mode = "constant"}) --> [[3. 2.] [7. 4.]]
function F.convolve(...)
  local x, w, output, mode, cval, origin = read_convolve(...)
  return weights.over(x, w, output, mode, cval, origin, "ndimage.convolve", true)
end

-- ---- Gaussian and uniform filters ----

local read_gaussian_filter1d = args.reader("ndimage.gaussian_filter1d", {"input", "sigma", "axis", "order", "output",
  "mode",
  "cval", "truncate", "radius"}, 2)

--- Correlation with a Gaussian along an axis, or with its derivative of an order. Follows
--- scipy.ndimage.gaussian_filter1d.
---@param input cuna.Operand
---@param sigma number
---@param axis integer|nil default -1
---@param order integer|nil default 0
---@param output cuna.Array|string|nil
---@param mode cuna.ImageMode|nil
---@param cval number|nil
---@param truncate number|nil the window ends at so many sigma, default 4
---@param radius integer|nil elements on either side, in place of truncate
---@return cuna.Array
---@usage cn.ndimage.gaussian_filter1d({1, 2, 3, 4, 5}, 1) --> [1.42704095 2.06782203 3.         3.93217797 4.57295905]
function F.gaussian_filter1d(...)
  local x, sigma, axis, order, output, mode, cval, truncate, radius = read_gaussian_filter1d(...)
  return smooth.gaussian_line(x, sigma, axis, order, output, mode, cval, truncate, radius, "ndimage.gaussian_filter1d")
end

local read_gaussian_filter = args.reader("ndimage.gaussian_filter", {"input", "sigma", "order", "output", "mode",
  "cval",
  "truncate", "radius", "axes"}, 2)

--- Gaussian filter over all axes, one after the other; results between have the output's dtype. Follows
--- scipy.ndimage.gaussian_filter.
---@param input cuna.Operand
---@param sigma number|number[] one for all axes, or one for each
---@param order integer|integer[]|nil of derivatives, default 0
---@param output cuna.Array|string|nil
---@param mode cuna.ImageMode|cuna.ImageMode[]|nil
---@param cval number|nil
---@param truncate number|nil default 4
---@param radius integer|integer[]|nil
---@param axes cuna.Axes|nil default: all
---@return cuna.Array
---@usage cn.ndimage.gaussian_filter({{0, 0, 0}, {0, 9, 0}, {0, 0, 0}}, 0.5):max() --> 5.568241561406464
function F.gaussian_filter(...)
  local x, sigma, order, output, mode, cval, truncate, radius, axes = read_gaussian_filter(...)
  return smooth.gaussian(x, sigma, order, output, mode, cval, truncate, radius, axes, "ndimage.gaussian_filter")
end

local read_uniform_filter1d = args.reader("ndimage.uniform_filter1d", {"input", "size", "axis", "output", "mode",
  "cval",
  "origin"}, 2)

--- Means of windows along an axis. Follows scipy.ndimage.uniform_filter1d.
---@param input cuna.Operand
---@param size integer
---@param axis integer|nil default -1
---@param output cuna.Array|string|nil
---@param mode cuna.ImageMode|nil
---@param cval number|nil
---@param origin integer|nil
---@return cuna.Array
---@usage cn.ndimage.uniform_filter1d({2, 8, 0, 4, 1, 9, 9, 0}, 3):rint() --> [4. 3. 4. 2. 5. 6. 6. 3.]
function F.uniform_filter1d(...)
  local x, size, axis, output, mode, cval, origin = read_uniform_filter1d(...)
  return smooth.uniform_line(x, size, axis, output, mode, cval, origin, "ndimage.uniform_filter1d")
end

local read_uniform_filter = args.reader("ndimage.uniform_filter", {"input", "size", "output", "mode", "cval",
  "origin", "axes"})

--- Means of windows over all axes, one after the other. Follows scipy.ndimage.uniform_filter.
---@param input cuna.Operand
---@param size integer|integer[]|nil default 3
---@param output cuna.Array|string|nil
---@param mode cuna.ImageMode|cuna.ImageMode[]|nil
---@param cval number|nil
---@param origin integer|integer[]|nil
---@param axes cuna.Axes|nil default: all
---@return cuna.Array
---@usage cn.ndimage.uniform_filter({{0, 0, 0}, {0, 9, 0}, {0, 0, 0}}) --> [[1. 1. 1.] [1. 1. 1.] [1. 1. 1.]]
function F.uniform_filter(...)
  local x, size, output, mode, cval, origin, axes = read_uniform_filter(...)
  return smooth.uniform(x, size, output, mode, cval, origin, axes, "ndimage.uniform_filter")
end

-- ---- derivatives ----

local DERIVATIVE = {"input", "axis", "output", "mode", "cval"}
local read_sobel, read_prewitt = args.reader("ndimage.sobel", DERIVATIVE), args.reader("ndimage.prewitt", DERIVATIVE)

--- Sobel's filter: differences {-1, 0, 1} along an axis, smoothed by {1, 2, 1} along the others. Follows
--- scipy.ndimage.sobel.
---@param input cuna.Operand
---@param axis integer|nil default -1
---@param output cuna.Array|string|nil
---@param mode cuna.ImageMode|cuna.ImageMode[]|nil
---@param cval number|nil
---@return cuna.Array
---@usage cn.ndimage.sobel {{0, 1}, {0, 1}} --> [[4. 4.] [4. 4.]]
function F.sobel(...)
  local x, axis, output, mode, cval = read_sobel(...)
  return smooth.derivative({1, 2, 1}, x, axis, output, mode, cval, "ndimage.sobel")
end

--- Prewitt's filter: differences {-1, 0, 1} along an axis, smoothed by {1, 1, 1} along the others. Follows
--- scipy.ndimage.prewitt.
---@param input cuna.Operand
---@param axis integer|nil default -1
---@param output cuna.Array|string|nil
---@param mode cuna.ImageMode|cuna.ImageMode[]|nil
---@param cval number|nil
---@return cuna.Array
---@usage cn.ndimage.prewitt {{0, 1}, {0, 1}} --> [[3. 3.] [3. 3.]]
function F.prewitt(...)
  local x, axis, output, mode, cval = read_prewitt(...)
  return smooth.derivative({1, 1, 1}, x, axis, output, mode, cval, "ndimage.prewitt")
end

--- Calls a user's derivative, which writes to `out` or returns its result.
local function call_derivative(fn, x, axis, out, mode, cval, extra, name)
  local made = fn(x, axis, out, mode, cval, unpack(extra))
  if made == nil or rawequal(made, out) then return end
  if not core.is_array(made) then
    check.fail("%s: the function returns an array or writes to its third argument; it returned %s", name,
      check.show(made))
  end
  core.copy(out, made, name)
end

local GENERIC = {"input", "derivative", "output", "mode", "cval", "extra_arguments"}
local read_generic_laplace = args.reader("ndimage.generic_laplace", GENERIC, 2)

--- Sum of second derivatives along all axes, each computed by a function. Follows scipy.ndimage.generic_laplace.
---@param input cuna.Operand
---@param derivative fun(input: cuna.Array, axis: integer, output: cuna.Array, mode: string, cval: number, ...: any)
--- writes to output, or returns its result
---@param output cuna.Array|string|nil
---@param mode cuna.ImageMode|nil
---@param cval number|nil
---@param extra_arguments table|nil more arguments for the function
---@return cuna.Array
---@usage cn.ndimage.generic_laplace({0, 1, 4}, function(x) return x:diff {append = 0} end) --> [ 1. 3. -4.]
function F.generic_laplace(...)
  local x, derivative, output, mode, cval, extra = read_generic_laplace(...)
  check.callable(derivative, "ndimage.generic_laplace")
  extra = given.extra(extra, "ndimage.generic_laplace")
  x, cval = given.image(x, "ndimage.generic_laplace"), given.cval(cval, "ndimage.generic_laplace")
  return smooth.sum_of_seconds(x, output, "ndimage.generic_laplace", function(axis, out)
    call_derivative(derivative, x, axis, out, mode == nil and "reflect" or mode, cval, extra,
      "ndimage.generic_laplace")
  end)
end

local read_generic_gradient_magnitude = args.reader("ndimage.generic_gradient_magnitude", GENERIC, 2)

--- Root of the sum of squares of derivatives along all axes, each computed by a function. Follows
--- scipy.ndimage.generic_gradient_magnitude.
---@param input cuna.Operand
---@param derivative fun(input: cuna.Array, axis: integer, output: cuna.Array, mode: string, cval: number, ...: any)
---@param output cuna.Array|string|nil
---@param mode cuna.ImageMode|nil
---@param cval number|nil
---@param extra_arguments table|nil
---@return cuna.Array
---@usage cn.ndimage.generic_gradient_magnitude({{0, 3}, {4, 7}}, cn.ndimage.sobel) --> [[20. 20.] [20. 20.]]
function F.generic_gradient_magnitude(...)
  local x, derivative, output, mode, cval, extra = read_generic_gradient_magnitude(...)
  local name = "ndimage.generic_gradient_magnitude"
  check.callable(derivative, name)
  x, cval = given.image(x, name), given.cval(cval, name)
  return smooth.magnitude(x, output, name, function(axis, out)
    call_derivative(derivative, x, axis, out, mode == nil and "reflect" or mode, cval, given.extra(extra, name), name)
  end)
end

local read_laplace = args.reader("ndimage.laplace", {"input", "output", "mode", "cval"})

--- Sum of second differences {1, -2, 1} along all axes. Follows scipy.ndimage.laplace.
---@param input cuna.Operand
---@param output cuna.Array|string|nil
---@param mode cuna.ImageMode|cuna.ImageMode[]|nil
---@param cval number|nil
---@return cuna.Array
---@usage cn.ndimage.laplace({0, 0, 1, 0, 0}) --> [ 0.  1. -2.  1.  0.]
function F.laplace(...)
  local x, output, mode, cval = read_laplace(...)
  x, cval = given.image(x, "ndimage.laplace"), given.cval(cval, "ndimage.laplace")
  local modes = given.modes(mode, x.ndim, "ndimage.laplace")
  return smooth.sum_of_seconds(x, output, "ndimage.laplace", function(axis, out)
    smooth.second(x, axis, out, modes[axis], cval, "ndimage.laplace")
  end)
end

local GAUSSIAN = {"input", "sigma", "output", "mode", "cval", "truncate", "radius"}
local read_gaussian_laplace = args.reader("ndimage.gaussian_laplace", GAUSSIAN, 2)

--- Orders of derivatives: `order` along one axis, 0 along the others.
local function orders(x, axis, order)
  local list = {}
  for k = 1, x.ndim do list[k] = k == axis and order or 0 end
  return list
end

--- Sum of Gaussian second derivatives along all axes. Follows scipy.ndimage.gaussian_laplace.
---@param input cuna.Operand
---@param sigma number|number[]
---@param output cuna.Array|string|nil
---@param mode cuna.ImageMode|cuna.ImageMode[]|nil
---@param cval number|nil
---@param truncate number|nil default 4
---@param radius integer|integer[]|nil
---@return cuna.Array
---@usage cn.ndimage.gaussian_laplace({0, 0, 1, 0, 0}, 0.5):argmin() --> 3
function F.gaussian_laplace(...)
  local x, sigma, output, mode, cval, truncate, radius = read_gaussian_laplace(...)
  x = given.image(x, "ndimage.gaussian_laplace")
  return smooth.sum_of_seconds(x, output, "ndimage.gaussian_laplace", function(axis, out)
    smooth.gaussian(x, sigma, orders(x, axis, 2), out, mode, cval, truncate, radius, nil, "ndimage.gaussian_laplace")
  end)
end

local read_gaussian_gradient_magnitude = args.reader("ndimage.gaussian_gradient_magnitude", GAUSSIAN, 2)

--- Root of the sum of squares of Gaussian derivatives along all axes. Follows
--- scipy.ndimage.gaussian_gradient_magnitude.
---@param input cuna.Operand
---@param sigma number|number[]
---@param output cuna.Array|string|nil
---@param mode cuna.ImageMode|cuna.ImageMode[]|nil
---@param cval number|nil
---@param truncate number|nil default 4
---@param radius integer|integer[]|nil
---@return cuna.Array
---@usage cn.ndimage.gaussian_gradient_magnitude({0, 1, 2, 3, 4, 5, 6, 7, 8}, 1)[5] --> 0.99992799982707
function F.gaussian_gradient_magnitude(...)
  local x, sigma, output, mode, cval, truncate, radius = read_gaussian_gradient_magnitude(...)
  local name = "ndimage.gaussian_gradient_magnitude"
  x = given.image(x, name)
  return smooth.magnitude(x, output, name, function(axis, out)
    smooth.gaussian(x, sigma, orders(x, axis, 1), out, mode, cval, truncate, radius, nil, name)
  end)
end

return M
