--- segments.lua: transforms of the segments of signals, and what functions of spectra are asked for.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local dtype_facts = require "cuna.base.dtype_facts"
local formula = require "cuna.base.formula"
local given = require "cuna.signal.given"
local slices = require "cuna.base.slices"
local windows = require "cuna.signal.windows"
local with = require "cuna.base.with"

local M = {}

local fail, kind_of = check.fail, dtype_facts.kind_of

-- ---- arguments ----

--- Whether a window is given by its numbers.
function M.is_numbers(window)
  return core.is_array(window) or type(window) == "table" and core.number_kind(window[1]) ~= nil
end

--- A window's numbers, and the length of segments, which is at most `length`.
function M.window_of(window, nperseg, length, device, name)
  if nperseg ~= nil and check.count(nperseg, name, "nperseg") < 1 then
    fail("%s: nperseg is from 1 on, got %d", name, nperseg)
  end
  if not M.is_numbers(window) then
    nperseg = math.min(nperseg == nil and 256 or nperseg, length)
    return with.on(device, windows.functions.get_window, window == nil and "hann" or window, nperseg), nperseg
  end
  local w = given.real(given.vector(window, name, "window", device), name, "window")
  if nperseg ~= nil and nperseg ~= w.size then
    fail("%s: a window of %d numbers, and nperseg is %d", name, w.size, nperseg)
  end
  if w.size > length or w.size == 0 then
    fail("%s: a window of %d numbers for an axis of length %d", name, w.size, length)
  end
  return w, w.size
end

--- How many points transforms have, and how many points segments share.
function M.lengths_of(nperseg, noverlap, nfft, default, name)
  nfft = check.count(nfft == nil and nperseg or nfft, name, "nfft")
  if nfft < nperseg then fail("%s: nfft is at least nperseg, %d, got %d", name, nperseg, nfft) end
  noverlap = check.count(noverlap == nil and math.floor(nperseg / default) or noverlap, name, "noverlap")
  if noverlap >= nperseg then fail("%s: noverlap is below nperseg, %d, got %d", name, nperseg, noverlap) end
  return nfft, noverlap
end

function M.sampling(fs, name)
  fs = check.real(fs == nil and 1 or fs, name, "fs")
  if fs ~= fs or fs <= 0 then fail("%s: fs is above 0, got %g", name, fs) end
  return fs
end

--- The part of complex results of signals.
function M.part_of(...)
  local dtype = given.inexact(...)
  return (dtype == "float32" or dtype == "complex64" or dtype == "float16" or dtype == "bfloat16") and "float32"
    or "float64"
end

local function in_dtype(x, dtype, name) return x.dtype == dtype and x or core.cast(x, dtype, name) end

local function row_major(x, name) return core.dense(x, nil, name) end

-- ---- segments ----

-- How lines continue: the elements before the first one and after the last one.
M.BOUNDARIES = {zeros = true, even = true, odd = true, constant = true}

--- Lines continued by a count of elements at both ends.
local function continued(lines, count, boundary, name)
  local cn, n = args.namespace, lines.shape[2]
  if count == 0 then return lines end
  if boundary == "zeros" then return cn.pad(lines, {{0, 0}, {count, count}}) end
  if n <= count then
    fail("%s: boundary %q takes more than %d elements along the axis, got %d", name, boundary, count, n)
  end
  local first, last = slices.part(lines, 2, 1, 1), slices.part(lines, 2, n, 1)
  local before = slices.part(lines, 2, count + 1, count, -1)
  local after = slices.part(lines, 2, n - 1, count, -1)
  if boundary == "odd" then before, after = first * 2 - before, last * 2 - after end
  if boundary == "constant" then before, after = first + before * 0, last + after * 0 end
  return cn.concatenate({before, lines, after}, 2)
end

--- The segments of lines, as a view of shape (lines, segments, nperseg).
local function segments_of(lines, nperseg, step)
  local n = lines.shape[2]
  local count = math.max(math.floor((n - nperseg) / step) + 1, 0)
  return core.view(lines, {lines.shape[1], count, nperseg}, {n, step, 1}, 0)
end

--- Segments (lines, segments, nperseg) without their trends.
function M.detrended(segments, detrend, name)
  if detrend == false then return segments end
  if type(detrend) == "function" then
    local made = check.array(detrend(segments), name)
    if made:has_shape(unpack(segments.shape)) then return made end
    fail("%s: detrend made shape %s of segments of shape %s", name, tostring(made.shape), tostring(segments.shape))
  end
  local cn, n = args.namespace, segments.shape[3]
  local level = segments - segments:mean(3, {keepdims = true})
  if detrend == "constant" or n == 1 then return level end
  local t = cn.arange(0, n, 1, "float64") - (n - 1) / 2
  t = core.cast(t, dtype_facts.part_of[segments.dtype] or segments.dtype, name)
  return level - (level * t):sum(3, {keepdims = true}) / (n * (n * n - 1) / 12) * t
end

function M.check_detrend(detrend, default, name)
  if detrend == nil then return default end
  if detrend == false or type(detrend) == "function" then return detrend end
  if detrend == "l" or detrend == "c" then return detrend == "l" and "linear" or "constant" end
  return given.word(detrend, {"constant", "linear"}, name, "detrend")
end

--- What spectra are asked for: window, nperseg, noverlap, nfft, fs, detrend, is_half, boundary, padded, part.
---@class cuna.SpectraAsked

--- The transforms of a signal's segments: shape (lines, segments, frequencies); and the length of a line.
function M.transforms(lines, asked, name)
  local cn = args.namespace
  if asked.boundary then lines = continued(lines, math.floor(asked.nperseg / 2), asked.boundary, name) end
  local step = asked.nperseg - asked.noverlap
  if asked.padded then
    local more = -(lines.shape[2] - asked.nperseg) % step % asked.nperseg
    if more > 0 then lines = cn.pad(lines, {{0, 0}, {0, more}}) end
  end
  lines = row_major(lines, name)
  local parts = M.detrended(segments_of(lines, asked.nperseg, step), asked.detrend, name) * asked.window
  local transform = asked.is_half and cn.fft.rfft or cn.fft.fft
  return transform(parts, asked.nfft, -1), lines.shape[2]
end

-- ---- densities ----

--- Reads what spectra of x (and y) are asked for; `options` has values by the names of parameters.
function M.read_asked(x, y, options, defaults, name)
  local asked = {fs = M.sampling(options.fs, name), name = name,
    detrend = M.check_detrend(options.detrend, defaults.detrend, name),
    scaling = given.word(options.scaling, {"density", "spectrum"}, name, "scaling")}
  local is_complex = kind_of[x.dtype] == "c" or kind_of[y.dtype] == "c"
  local one_sided = check.boolean(options.return_onesided, true, name, "return_onesided")
  asked.is_half, asked.part = one_sided and not is_complex, M.part_of(x.dtype, y.dtype)
  asked.computed = is_complex and (asked.part == "float32" and "complex64" or "complex128") or asked.part
  asked.axis = given.axis(options.axis, x, name)
  local length = math.max(x.shape[asked.axis], y.shape[asked.axis])
  asked.window, asked.nperseg = M.window_of(options.window, options.nperseg, length, x.device, name)
  asked.nfft, asked.noverlap = M.lengths_of(asked.nperseg, options.noverlap, options.nfft, defaults.overlap, name)
  local w = in_dtype(asked.window, "float64", name)
  local sum = asked.scaling == "density" and (w * w):sum() * asked.fs or w:sum() ^ 2
  asked.scale, asked.window = in_dtype(1 / sum, asked.part, name), in_dtype(w, asked.part, name)
  return asked
end

function M.frequencies(asked)
  local fft = args.namespace.fft
  return (asked.is_half and fft.rfftfreq or fft.fftfreq)(asked.nfft, 1 / asked.fs)
end

--- Spectra of shape (lines, segments, frequencies) with frequencies where the signal's axis was, segments last.
function M.placed(spectra, shape, axis, name)
  local whole = {unpack(shape)}
  whole[#whole + 1], whole[#whole + 2] = spectra.shape[2], spectra.shape[3]
  return args.namespace.moveaxis(core.reshape(row_major(spectra, name), whole, name), -1, axis)
end

--- Lines of x, filled up with zeros to a length.
function M.lines_of(x, length, asked, name)
  local lines, shape, n = given.lines(x, asked.axis, asked.computed, name)
  if n < length then lines = args.namespace.pad(lines, {{0, 0}, {0, length - n}}) end
  return lines, shape
end

--- Doubles all frequencies of half a spectrum but 0 and half the sampling frequency.
local function doubled(density, asked, name)
  if not asked.is_half then return density end
  local last = density.shape[3]
  local also = asked.nfft % 2 == 1 and 0 or last - 1
  local text = "a == 0 || a == b ? 1.0 : 2.0"
  return density * formula.make(name, last, asked.part, density.device, text, "float64", also)
end

--- Spectral densities of x with itself, or with y: shape (lines, segments, frequencies), and the lines' shape.
function M.densities(x, y, asked, name)
  local axis = asked.axis
  local length = math.max(x.shape[axis], y.shape[axis])
  local lines, shape = M.lines_of(x, length, asked, name)
  local first, total = M.transforms(lines, asked, name)
  local density
  if rawequal(x, y) then
    density = first.real * first.real + first.imag * first.imag
  else
    density = first:conj() * M.transforms(M.lines_of(y, length, asked, name), asked, name)
  end
  return doubled(density * asked.scale, asked, name), shape, total
end

--- Refuses signals without elements along the axis.
function M.check_length(x, axis, name)
  if x.size == 0 then fail("%s: a signal has no elements: shape %s", name, tostring(x.shape)) end
  return given.axis(axis, x, name)
end

--- Values by the names of parameters.
function M.by_name(names, ...)
  local options = {}
  for k, parameter in ipairs(names) do options[parameter] = (select(k, ...)) end
  return options
end

function M.times_of(asked, total)
  local step = asked.nperseg - asked.noverlap
  local count = math.max(math.floor((total - asked.nperseg) / step) + 1, 0)
  local first = asked.boundary and 0 or asked.nperseg / 2
  return args.namespace.arange(0, count, 1, "float64") * (step / asked.fs) + first / asked.fs
end

return M
