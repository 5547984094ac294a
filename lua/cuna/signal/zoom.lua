--- zoom.lua: transforms at other frequencies than cn.fft's: along spirals, within a band, of unequal times.
--
-- A chirp-z transform is a convolution with a chirp (Bluestein 1970), by Fourier transforms.
local args = require "cuna.base.args"
local cdata = require "cuna.base.cdata"
local check = require "cuna.base.check"
local complex = require "cuna.signal.complex"
local core = require "cuna.core"
local given = require "cuna.signal.given"
local overlap = require "cuna.signal.overlap"
local slices = require "cuna.base.slices"

local M = {functions = {}}
local F = M.functions -- cn.signal

local fail, pi = check.fail, math.pi

--- exp(z x) of an array of real numbers and a complex number.
local function powers(x, z)
  return args.namespace.exp(x * cdata.complex(z.re, z.im))
end

--- The logarithm of a complex number that a point of the plane is given by.
local function log_of(value, name, what)
  local z = complex.of(check.number(value, name, what))
  local length = complex.abs(z)
  if length == 0 then fail("%s: %s is not 0", name, what) end
  return complex.new(math.log(length), math.atan2(z.im, z.re))
end

local function places(count) return args.namespace.arange(0, count, 1, "float64") end

--- Multiplies lines by two chirps and convolves between: `chirp` has exp of half squares, `start` that of places.
local function transform(x, axis, m, chirp, start, name)
  local cn, n = args.namespace, x.shape[axis]
  local dtype = given.inexact(x.dtype) == "float32" and "complex64" or given.inexact(x.dtype)
  if dtype ~= "complex64" then dtype = "complex128" end
  local lines, shape = given.lines(x, axis, dtype, name)
  local length = overlap.fast_length(n + m - 1)
  local inverse = 1 / chirp
  local filter = cn.concatenate {inverse[{{n, 2, -1}}], inverse[{{1, m}}]}
  if n == 1 then filter = inverse[{{1, m}}] end
  local spectrum = cn.fft.fft(lines * (chirp[{{1, n}}] * start), length, -1) * cn.fft.fft(filter, length)
  local made = slices.part(cn.fft.ifft(spectrum, nil, -1), 2, n, m) * chirp[{{1, m}}]
  return given.unlined(core.cast(made, dtype, name), shape, axis, name)
end

local function points(m, default, name)
  m = check.count(m == nil and default or m, name, "m")
  if m < 1 then fail("%s: m is from 1 on, got %d", name, m) end
  return m
end

local read_czt = args.reader("signal.czt", {"x", "m", "w", "a", "axis"})

--- Half of the squares of places, times the logarithm of a ratio w; without w that of m points of the unit circle.
local function chirp_of(w, m, count, name)
  local k = places(count)
  if w == nil then return powers((k * k) % (2 * m), complex.new(0, -pi / m)) end
  return powers(k * k * 0.5, log_of(w, name, "w"))
end

--- The chirp-z transform: the z-transform at the points a w ^ -k. Follows scipy.signal.czt.
---@param x cuna.Operand
---@param m integer|nil how many points, default: the axis' length
---@param w number|ffi.cdata*|nil the ratio of points, default exp(-2 pi i / m)
---@param a number|ffi.cdata*|nil the first point, default 1
---@param axis integer|nil default -1
---@return cuna.Array complex
---@usage cn.signal.czt({1, 2, 3, 4}):round(6) --> [10.+0.j -2.+2.j -2.+0.j -2.-2.j]
function F.czt(...)
  local x, m, w, a, axis = read_czt(...)
  local name = "signal.czt"
  x = given.signal(x, name)
  axis = given.axis(axis, x, name)
  local n = x.shape[axis]
  if n == 0 then fail("%s: axis %d has no elements", name, axis) end
  m = points(m, n, name)
  local start = powers(places(n) * -1, log_of(a == nil and 1 or a, name, "a"))
  return transform(x, axis, m, chirp_of(w, m, math.max(m, n), name), start, name)
end

local read_points = args.reader("signal.czt_points", {"m", "w", "a"})

--- The points of a chirp-z transform. Follows scipy.signal.czt_points.
---@param m integer
---@param w number|ffi.cdata*|nil default exp(-2 pi i / m)
---@param a number|ffi.cdata*|nil default 1
---@return cuna.Array complex
---@usage cn.signal.czt_points(4):round(6) --> [ 1.+0.j 0.+1.j -1.+0.j -0.-1.j]
function F.czt_points(...)
  local m, w, a = read_points(...)
  local name = "signal.czt_points"
  m = points(m, nil, name)
  local first = complex.of(check.number(a == nil and 1 or a, name, "a"))
  local ratio = w == nil and complex.new(0, -2 * pi / m) or log_of(w, name, "w")
  return powers(places(m) * -1, ratio) * cdata.complex(first.re, first.im)
end

local read_zoom = args.reader("signal.zoom_fft", {"x", "fn", "m", "fs", "endpoint", "axis"}, 2)

--- The Fourier transform at m frequencies of a band. Follows scipy.signal.zoom_fft.
---@param x cuna.Operand
---@param fn number|number[] the band: {first, last}, or its end
---@param m integer|nil how many frequencies, default: the axis' length
---@param fs number|nil sampling frequency, default 2
---@param endpoint boolean|nil whether the last frequency is in it, default false
---@param axis integer|nil default -1
---@return cuna.Array complex
---@usage cn.signal.zoom_fft({1, 2, 3, 4}, 2):allclose(cn.fft.fft {1, 2, 3, 4}) --> true
function F.zoom_fft(...)
  local x, fn, m, fs, endpoint, axis = read_zoom(...)
  local name = "signal.zoom_fft"
  x = given.signal(x, name)
  axis = given.axis(axis, x, name)
  local n = x.shape[axis]
  if n == 0 then fail("%s: axis %d has no elements", name, axis) end
  m, fs = points(m, n, name), check.real(fs == nil and 2 or fs, name, "fs")
  local band = type(fn) == "table" and fn or {0, fn}
  if #band ~= 2 then fail("%s: fn is a frequency or two, got %d", name, #band) end
  local first, last = check.real(band[1], name, "fn"), check.real(band[2], name, "fn")
  local scale = (last - first) / fs
  if check.boolean(endpoint, false, name, "endpoint") then scale = scale * m / (m - 1) end
  local k = places(math.max(m, n))
  return transform(x, axis, m, powers(k * k, complex.new(0, -pi * scale / m)),
    powers(places(n), complex.new(0, -2 * pi * first / fs)), name)
end

-- ---- unequal times ----

--- A vector of real numbers as float64.
local function reals(x, name, what, device)
  return core.cast(given.real(given.vector(x, name, what, device), name, what), "float64", name)
end

local read_lombscargle = args.reader("signal.lombscargle", {"x", "y", "freqs", "precenter", "normalize"}, 3)

--- The periodogram of values at unequal times. Follows scipy.signal.lombscargle.
---@param x cuna.Operand times
---@param y cuna.Operand values
---@param freqs cuna.Operand angular frequencies, not 0
---@param precenter boolean|nil whether the values' mean is taken away, default false
---@param normalize boolean|nil whether the result is a part of the values' energy, default false
---@return cuna.Array
---@usage cn.signal.lombscargle({0, 1, 2.5}, {1, -1, 1}, {2}):round(4) --> [1.4976]
function F.lombscargle(...)
  local x, y, freqs, precenter, normalize = read_lombscargle(...)
  local name, cn = "signal.lombscargle", args.namespace
  local device = core.device_of(x, y, freqs)
  x, y, freqs = reals(x, name, "x", device), reals(y, name, "y", device), reals(freqs, name, "freqs", device)
  check.same_device(x, y, name)
  check.same_device(x, freqs, name)
  if x.size ~= y.size then fail("%s: %d times for %d values", name, x.size, y.size) end
  local energy = (y * y):sum()
  if check.boolean(precenter, false, name, "precenter") then y = y - y:mean() end
  local angle = core.with_axis(freqs, 2) * x
  local c, s = cn.cos(angle), cn.sin(angle)
  local xc, xs = (y * c):sum(2), (y * s):sum(2)
  local cc, ss, cs = (c * c):sum(2), (s * s):sum(2), (c * s):sum(2)
  local turn = cn.arctan2(cs * 2, cc - ss) / 2
  local ct, st = cn.cos(turn), cn.sin(turn)
  local both = ct * st * 2
  local power = ((ct * xc + st * xs) ^ 2 / (ct * ct * cc + both * cs + st * st * ss)
    + (ct * xs - st * xc) ^ 2 / (ct * ct * ss - both * cs + st * st * cc)) * 0.5
  if check.boolean(normalize, false, name, "normalize") then power = power * 2 / energy end
  return power
end

return M
