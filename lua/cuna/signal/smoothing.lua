--- smoothing.lua: medians and ranks of windows, Wiener's filter, fitted polynomials.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local given = require "cuna.signal.given"
local slices = require "cuna.base.slices"

local M = {functions = {}}
local F = M.functions -- cn.signal

local fail = check.fail

-- ---- windows ----

--- Odd lengths of a window for each axis.
local function sizes_of(size, x, name, what)
  local list = {}
  if core.is_array(size) then size = given.reals(size, name, what) end
  for axis = 1, x.ndim do
    local length = size == nil and 3 or size
    if type(size) == "table" then length = size[axis] end
    length = check.count(length, name, what)
    if length % 2 == 0 then fail("%s: %s is odd, got %d", name, what, length) end
    list[axis] = length
  end
  if type(size) == "table" and #size ~= x.ndim then
    fail("%s: %s has %d lengths for %d axes", name, what, #size, x.ndim)
  end
  return list
end

local read_medfilt = args.reader("signal.medfilt", {"volume", "kernel_size"})

--- The median of each window, with zeros beyond the border. Follows scipy.signal.medfilt.
---@param volume cuna.Operand real
---@param kernel_size integer|integer[]|nil odd lengths, default 3
---@return cuna.Array
---@usage cn.signal.medfilt {1, 9, 2, 3, 4} --> [1. 2. 3. 3. 3.]
function F.medfilt(...)
  local x, size = read_medfilt(...)
  local name = "signal.medfilt"
  x = given.real(given.signal(x, name), name, "the signal")
  return args.namespace.ndimage.median_filter(x, sizes_of(size, x, name, "kernel_size"), {mode = "constant"})
end

local read_medfilt2d = args.reader("signal.medfilt2d", {"input", "kernel_size"})

--- cn.signal.medfilt of a matrix. Follows scipy.signal.medfilt2d.
---@param input cuna.Operand real matrix
---@param kernel_size integer|integer[]|nil odd lengths, default 3
---@return cuna.Array
---@usage cn.signal.medfilt2d({{1, 2}, {3, 4}}, 1) --> [[1. 2.] [3. 4.]]
function F.medfilt2d(...)
  local x, size = read_medfilt2d(...)
  local name = "signal.medfilt2d"
  x = given.real(check.array(x, name), name, "the matrix")
  if x.ndim ~= 2 then fail("%s: expected a matrix, got shape %s", name, tostring(x.shape)) end
  return args.namespace.ndimage.median_filter(x, sizes_of(size, x, name, "kernel_size"), {mode = "constant"})
end

--- The value of a rank among the neighbours that a domain has, with zeros beyond the border. Follows
--- scipy.signal.order_filter.
---@param a cuna.Operand real
---@param domain cuna.Operand odd lengths, as many axes as a; not 0 where a neighbour counts
---@param rank integer from 1, the least
---@return cuna.Array
---@usage cn.signal.order_filter({1, 9, 2, 3, 4}, {1, 1, 1}, 3) --> [9. 9. 9. 4. 4.]
function F.order_filter(a, domain, rank)
  local name = "signal.order_filter"
  a = given.real(given.signal(a, name), name, "the signal")
  domain = given.signal(domain, name)
  if domain.ndim ~= a.ndim then
    fail("%s: a domain of shape %s for shape %s", name, tostring(domain.shape), tostring(a.shape))
  end
  for _, length in ipairs(domain.shape) do
    if length % 2 == 0 then fail("%s: lengths of the domain are odd, got shape %s", name, tostring(domain.shape)) end
  end
  return args.namespace.ndimage.rank_filter(a, rank, {footprint = domain, mode = "constant"})
end

args.bound(F, {order_filter = "a domain rank"})

local read_wiener = args.reader("signal.wiener", {"im", "mysize", "noise"})

--- Wiener's filter: nearer to the mean of a window where its variance is small. Follows scipy.signal.wiener.
---@param im cuna.Operand real
---@param mysize integer|integer[]|nil odd lengths of the window, default 3
---@param noise number|nil the noise's variance, default: the mean of the windows' variances
---@return cuna.Array
---@usage cn.signal.wiener({0, 1, 0, 9, 0}):round(4) --> [0.3333 0.3333 2.1644 5.4889 1.7556]
function F.wiener(...)
  local x, size, noise = read_wiener(...)
  local name, cn = "signal.wiener", args.namespace
  x = given.real(given.signal(x, name), name, "the signal")
  local sizes, count = sizes_of(size, x, name, "mysize"), 1
  for _, length in ipairs(sizes) do count = count * length end
  local dtype = given.inexact(x.dtype)
  local values = core.cast(x, "float64", name)
  local ones = cn.ones(sizes, "float64")
  local mean = cn.signal.correlate(values, ones, "same") / count
  local variance = cn.signal.correlate(values * values, ones, "same") / count - mean * mean
  if noise == nil then noise = variance:mean() else noise = check.real(noise, name, "noise") end
  local made = cn.where(cn.less(variance, noise), mean, mean + (values - mean) * (1 - noise / variance))
  return core.cast(made, dtype, name)
end

-- ---- fitted polynomials ----

--- Checks a window and the order of polynomials in it.
local function check_fit(window_length, polyorder, deriv, name)
  window_length = check.few(window_length, 2 ^ 16, name, "window_length")
  polyorder, deriv = check.count(polyorder, name, "polyorder"), check.count(deriv == nil and 0 or deriv, name, "deriv")
  if polyorder >= window_length then
    fail("%s: polyorder is below window_length, got %d and %d", name, polyorder, window_length)
  end
  return window_length, polyorder, deriv
end

local function factorial(n)
  local product = 1
  for k = 2, n do product = product * k end
  return product
end

--- Orthonormal polynomials at some places, by orthogonalising powers twice; and their derivatives of an order at 0.
local function orthonormal(x, order, deriv)
  local n, scale = #x, 0
  for k = 1, n do scale = math.max(scale, math.abs(x[k])) end
  scale = scale == 0 and 1 or scale
  local basis = {} -- values at x, and coefficients of powers of x / scale
  for degree = 0, order do
    local values, powers = {}, {}
    for k = 1, n do values[k] = degree == 0 and 1 or basis[degree].values[k] * x[k] / scale end
    for j = 0, order do powers[j] = degree == 0 and (j == 0 and 1 or 0) or j > 0 and basis[degree].powers[j - 1]
      or 0 end
    for _ = 1, 2 do
      for d = 1, degree do
        local other, dot = basis[d], 0
        for k = 1, n do dot = dot + values[k] * other.values[k] end
        for k = 1, n do values[k] = values[k] - dot * other.values[k] end
        for j = 0, order do powers[j] = powers[j] - dot * other.powers[j] end
      end
    end
    local norm = 0
    for k = 1, n do norm = norm + values[k] ^ 2 end
    norm = math.sqrt(norm)
    for k = 1, n do values[k] = values[k] / norm end
    for j = 0, order do powers[j] = powers[j] / norm end
    basis[degree + 1] = {values = values, powers = powers}
  end
  for _, p in ipairs(basis) do p.slope = factorial(deriv) * p.powers[deriv] / scale ^ deriv end
  return basis
end

--- The factors by which values at places x give the derivative, at 0, of the polynomial that fits them best.
local function factors_of(x, order, deriv, delta)
  local factors = {}
  for k = 1, #x do factors[k] = 0 end
  if deriv > order then return factors end
  for _, p in ipairs(orthonormal(x, order, deriv)) do
    for k = 1, #x do factors[k] = factors[k] + p.slope * p.values[k] / delta ^ deriv end
  end
  return factors
end

--- Places of a window about a position, from the first one on.
local function places_of(window_length, position)
  local x = {}
  for k = 1, window_length do x[k] = k - 1 - position end
  return x
end

local read_coeffs = args.reader("signal.savgol_coeffs", {"window_length", "polyorder", "deriv", "delta", "pos",
  "use"}, 2)

--- The taps of a Savitzky-Golay filter. Follows scipy.signal.savgol_coeffs.
---@param window_length integer
---@param polyorder integer
---@param deriv integer|nil of which derivative, default 0
---@param delta number|nil the distance of the points, default 1
---@param pos integer|nil the position in the window at which the polynomial is evaluated, default: its middle
---@param use "conv"|"dot"|nil whether taps are reversed for convolutions (default), or not
---@return cuna.Array
---@usage cn.signal.savgol_coeffs(5, 2):round(6) --> [-0.085714 0.342857 0.485714 0.342857 -0.085714]
function F.savgol_coeffs(...)
  local window_length, polyorder, deriv, delta, pos, use = read_coeffs(...)
  local name = "signal.savgol_coeffs"
  window_length, polyorder, deriv = check_fit(window_length, polyorder, deriv, name)
  delta = check.real(delta == nil and 1 or delta, name, "delta")
  local at = (window_length - 1) / 2
  if pos ~= nil then
    at = check.integer(pos, name, "pos") - 1
    if at < 0 or at >= window_length then fail("%s: pos is from 1 to %d, got %d", name, window_length, pos) end
  end
  local factors = factors_of(places_of(window_length, at), polyorder, deriv, delta)
  if given.word(use, {"conv", "dot"}, name, "use") == "conv" then
    local turned = {}
    for k = 1, window_length do turned[k] = factors[window_length + 1 - k] end
    factors = turned
  end
  return core.as_array(factors, "float64", nil, name)
end

--- The values, at the first or last elements of lines, of the polynomials that fit the first or last window.
local function edge(lines, first, window_length, from, count, fit, name)
  local rows = {}
  for j = 1, count do rows[j] = factors_of(places_of(window_length, from + j - 1), fit.polyorder, fit.deriv,
    fit.delta) end
  local part = slices.part(lines, 2, first, window_length)
  return core.cast(part, "float64", name):matmul(core.as_array(rows, "float64", lines.device, name).T)
end

local MODES = {"interp", "mirror", "constant", "nearest", "wrap"}
local read_filter = args.reader("signal.savgol_filter", {"x", "window_length", "polyorder", "deriv", "delta", "axis",
  "mode", "cval"}, 3)

--- A Savitzky-Golay filter: each value is that of the polynomial that fits a window best. Follows
--- scipy.signal.savgol_filter.
---@param x cuna.Operand real
---@param window_length integer
---@param polyorder integer
---@param deriv integer|nil default 0
---@param delta number|nil default 1
---@param axis integer|nil default -1
---@param mode "interp"|"mirror"|"constant"|"nearest"|"wrap"|nil at the ends: the polynomials of the first and last
--- windows (default), or how the signal continues, as in cn.ndimage
---@param cval number|nil default 0
---@return cuna.Array
---@usage cn.signal.savgol_filter({2, 2, 5, 2, 1, 0, 1}, 5, 2):round(2) --> [1.66 3.17 3.54 2.86 0.66 0.23 0.94]
function F.savgol_filter(...)
  local x, window_length, polyorder, deriv, delta, axis, mode, cval = read_filter(...)
  local name, cn = "signal.savgol_filter", args.namespace
  x = given.real(given.signal(x, name), name, "the signal")
  axis = given.axis(axis, x, name)
  window_length, polyorder, deriv = check_fit(window_length, polyorder, deriv, name)
  local fit = {polyorder = polyorder, deriv = deriv, delta = check.real(delta == nil and 1 or delta, name, "delta")}
  mode = given.word(mode, MODES, name, "mode")
  local dtype = x.dtype == "float32" and "float32" or "float64"
  local lines, shape, n = given.lines(x, axis, dtype, name)
  if mode == "interp" and window_length > n then
    fail("%s: mode \"interp\" takes a window of at most the axis' length, %d, got %d", name, n, window_length)
  end
  local taps = F.savgol_coeffs(window_length, polyorder, {deriv = deriv, delta = fit.delta})
  local y = cn.ndimage.convolve1d(lines, taps, 2, {mode = mode == "interp" and "constant" or mode, cval = cval})
  if mode == "interp" then
    local half = math.floor(window_length / 2)
    if half == 0 then return given.unlined(y, shape, axis, name) end
    core.copy(slices.part(y, 2, 1, half), edge(lines, 1, window_length, 0, half, fit, name), name)
    core.copy(slices.part(y, 2, n - half + 1, half),
      edge(lines, n - window_length + 1, window_length, window_length - half, half, fit, name), name)
  end
  return given.unlined(y, shape, axis, name)
end

return M
