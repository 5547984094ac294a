--- spectra.lua: spectral densities of signals, by transforms of their segments.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local dtype_facts = require "cuna.base.dtype_facts"
local given = require "cuna.signal.given"
local segments = require "cuna.signal.segments"
local slices = require "cuna.base.slices"

local M = {functions = {}}
local F = M.functions -- cn.signal

local fail, kind_of = check.fail, dtype_facts.kind_of

---@alias cuna.WindowChoice string|number|table|cuna.Operand a window as of cn.signal.get_window, or its numbers
---@alias cuna.Detrending "constant"|"linear"|false|function what is taken from each segment: its mean, its trend,
--- nothing, or what a function of the segments (along the last axis) returns

-- ---- averages ----

--- Two signals whose other axes broadcast.
local function pair_of(x, y, axis, name)
  x, y = given.pair(x, y, name)
  x, y = given.signal(x, name), given.signal(y, name)
  if x.ndim ~= y.ndim then fail("%s: signals of shapes %s and %s", name, tostring(x.shape), tostring(y.shape)) end
  local at, sx, sy = given.axis(axis, x, name), x.shape, y.shape
  sx[at], sy[at] = 1, 1
  local shape = check.broadcast(sx, sy)
  if not shape then fail("%s: shapes %s and %s do not broadcast", name, tostring(x.shape), tostring(y.shape)) end
  local function wide(z)
    shape[at] = z.shape[at]
    return args.namespace.broadcast_to(z, shape)
  end
  return wide(x), wide(y)
end

--- By how much a median of n squares is less than their mean.
local function median_bias(n)
  local bias = 1
  for k = 1, math.floor((n - 1) / 2) do bias = bias + 1 / (2 * k + 1) - 1 / (2 * k) end
  return bias
end

--- The mean or median of densities over segments.
local function averaged(density, average, name)
  local count = density.shape[2]
  if given.word(average, {"mean", "median"}, name, "average") == "mean" then
    return density:mean(2, {keepdims = true})
  end
  local cn, bias = args.namespace, median_bias(count)
  if kind_of[density.dtype] ~= "c" then return cn.median(density, 2, {keepdims = true}) / bias end
  local re, im = cn.median(density.real, 2, {keepdims = true}), cn.median(density.imag, 2, {keepdims = true})
  return (re + im * cn.scalar(cn.complex(0, 1), density.dtype)) / bias
end

--- welch and csd.
local function averaged_density(x, y, options, average, name)
  segments.check_length(x, options.axis, name)
  segments.check_length(y, options.axis, name)
  local asked = segments.read_asked(x, y, options, {detrend = "constant", overlap = 2}, name)
  local density, shape = segments.densities(x, y, asked, name)
  local mean = segments.placed(averaged(density, average, name), shape, asked.axis, name)
  return segments.frequencies(asked), slices.at(mean, mean.ndim, 1)
end

local WELCH = {"x", "fs", "window", "nperseg", "noverlap", "nfft", "detrend", "return_onesided", "scaling", "axis",
  "average"}
local read_welch = args.reader("signal.welch", WELCH)

--- The power spectral density: mean squares of the transforms of segments. Follows scipy.signal.welch.
---@param x cuna.Operand
---@param fs number|nil sampling frequency, default 1
---@param window cuna.WindowChoice|nil default "hann"
---@param nperseg integer|nil length of a segment, default 256, at most the axis' length
---@param noverlap integer|nil points that neighbouring segments share, default half of nperseg
---@param nfft integer|nil points of a transform, default nperseg
---@param detrend cuna.Detrending|nil default "constant"
---@param return_onesided boolean|nil whether real signals have half a spectrum, default true
---@param scaling "density"|"spectrum"|nil squares over frequencies (default), or squares
---@param axis integer|nil default -1
---@param average "mean"|"median"|nil default "mean"
---@return cuna.Array f frequencies
---@return cuna.Array Pxx
---@usage (select(2, cn.signal.welch({1, -1, 1, -1}, {window = "boxcar", nperseg = 4, detrend = false}))) --> [0. 0. 4.]
function F.welch(...)
  local name, options = "signal.welch", segments.by_name(WELCH, read_welch(...))
  local x = given.signal(options.x, name)
  return averaged_density(x, x, options, options.average, name)
end

local CSD = {"x", "y", "fs", "window", "nperseg", "noverlap", "nfft", "detrend", "return_onesided", "scaling", "axis",
  "average"}
local read_csd = args.reader("signal.csd", CSD, 2)

--- The cross spectral density of two signals. Follows scipy.signal.csd.
---@param x cuna.Operand
---@param y cuna.Operand with as many axes; the shorter one is filled up with zeros
---@param fs number|nil
---@param window cuna.WindowChoice|nil default "hann"
---@param nperseg integer|nil default 256
---@param noverlap integer|nil
---@param nfft integer|nil
---@param detrend cuna.Detrending|nil default "constant"
---@param return_onesided boolean|nil
---@param scaling "density"|"spectrum"|nil
---@param axis integer|nil default -1
---@param average "mean"|"median"|nil
---@return cuna.Array f
---@return cuna.Array Pxy complex
---@usage (select(2, cn.signal.csd({1, 0, 0, 0}, {0, 1, 0, 0}, {window = "boxcar", detrend = false}))).shape --> (3,)
function F.csd(...)
  local name, options = "signal.csd", segments.by_name(CSD, read_csd(...))
  local x, y = pair_of(options.x, options.y, options.axis, name)
  local f, density = averaged_density(x, y, options, options.average, name)
  if kind_of[density.dtype] ~= "c" then density = density + 0 * args.namespace.complex(0, 1) end
  return f, density
end

local PERIODOGRAM = {"x", "fs", "window", "nfft", "detrend", "return_onesided", "scaling", "axis"}
local read_periodogram = args.reader("signal.periodogram", PERIODOGRAM)

--- The power spectral density by one transform. Follows scipy.signal.periodogram.
---@param x cuna.Operand
---@param fs number|nil
---@param window cuna.WindowChoice|nil default "boxcar"
---@param nfft integer|nil points; the signal is cut to them, or filled up with zeros
---@param detrend cuna.Detrending|nil default "constant"
---@param return_onesided boolean|nil
---@param scaling "density"|"spectrum"|nil
---@param axis integer|nil default -1
---@return cuna.Array f
---@return cuna.Array Pxx
---@usage cn.signal.periodogram {1, -1, 1, -1} --> [0. 0.25 0.5 ], [0. 0. 4.]
function F.periodogram(...)
  local name, options = "signal.periodogram", segments.by_name(PERIODOGRAM, read_periodogram(...))
  local x = given.signal(options.x, name)
  local axis = segments.check_length(x, options.axis, name)
  local n = x.shape[axis]
  if options.nfft ~= nil and check.count(options.nfft, name, "nfft") < n then
    if options.nfft < 1 then fail("%s: nfft is from 1 on, got %d", name, options.nfft) end
    x = slices.part(x, axis, 1, options.nfft)
    n = options.nfft
  end
  if options.window == nil then options.window = "boxcar" end
  if segments.is_numbers(options.window) and given.vector(options.window, name, "window").size ~= n then
    fail("%s: a window of %d numbers for an axis of length %d", name, given.vector(options.window, name,
      "window").size, n)
  end
  options.nperseg, options.noverlap = n, 0
  return averaged_density(x, x, options, nil, name)
end

local COHERENCE = {"x", "y", "fs", "window", "nperseg", "noverlap", "nfft", "detrend", "axis"}
local read_coherence = args.reader("signal.coherence", COHERENCE, 2)

--- The coherence of two signals: the square of their cross spectral density over both densities. Follows
--- scipy.signal.coherence.
---@param x cuna.Operand
---@param y cuna.Operand with as many axes
---@param fs number|nil
---@param window cuna.WindowChoice|nil default "hann"
---@param nperseg integer|nil default 256
---@param noverlap integer|nil
---@param nfft integer|nil
---@param detrend cuna.Detrending|nil default "constant"
---@param axis integer|nil default -1
---@return cuna.Array f
---@return cuna.Array Cxy from 0 to 1
---@usage (select(2, cn.signal.coherence({1, 2, 4, 1}, {1, 2, 4, 1}, {nperseg = 2}))):round(6) --> [1. 1.]
function F.coherence(...)
  local name, options = "signal.coherence", segments.by_name(COHERENCE, read_coherence(...))
  local x, y = pair_of(options.x, options.y, options.axis, name)
  local f, cross = averaged_density(x, y, options, nil, name)
  local _, first = averaged_density(x, x, options, nil, name)
  local _, second = averaged_density(y, y, options, nil, name)
  return f, (cross.real * cross.real + cross.imag * cross.imag) / first / second
end

return M
