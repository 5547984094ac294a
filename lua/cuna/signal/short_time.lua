--- short_time.lua: transforms of the segments of signals one after the other, and their inverse.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local given = require "cuna.signal.given"
local segments = require "cuna.signal.segments"
local slices = require "cuna.base.slices"
local windows = require "cuna.signal.windows"

local M = {functions = {}}
local F = M.functions -- cn.signal

local fail = check.fail

-- ---- short-time transforms ----

--- The scaled transforms of segments, frequencies in place of the signal's axis, segments last; and times.
local function short_time(x, asked, name)
  local lines, shape = segments.lines_of(x, 0, asked, name)
  local made, total = segments.transforms(lines, asked, name)
  return segments.placed(made * args.namespace.sqrt(asked.scale), shape, asked.axis, name), segments.times_of(asked,
    total)
end

local SPECTROGRAM = {"x", "fs", "window", "nperseg", "noverlap", "nfft", "detrend", "return_onesided", "scaling",
  "axis",
  "mode"}
local read_spectrogram = args.reader("signal.spectrogram", SPECTROGRAM)
local MODES = {"psd", "complex", "magnitude", "angle", "phase"}

--- Spectra of a signal's segments one after the other. Follows scipy.signal.spectrogram.
---@param x cuna.Operand
---@param fs number|nil sampling frequency, default 1
---@param window cuna.WindowChoice|nil default {"tukey", 0.25}
---@param nperseg integer|nil default 256
---@param noverlap integer|nil default an eighth of nperseg
---@param nfft integer|nil
---@param detrend cuna.Detrending|nil default "constant"
---@param return_onesided boolean|nil
---@param scaling "density"|"spectrum"|nil
---@param axis integer|nil default -1
---@param mode "psd"|"complex"|"magnitude"|"angle"|"phase"|nil densities (default); transforms, their absolute values,
--- angles, or angles without jumps
---@return cuna.Array f frequencies
---@return cuna.Array t times
---@return cuna.Array Sxx frequencies in place of the signal's axis, times last
---@usage select(3, cn.signal.spectrogram(cn.ones(1000))).shape --> (129, 4)
function F.spectrogram(...)
  local name, options = "signal.spectrogram", segments.by_name(SPECTROGRAM, read_spectrogram(...))
  local cn, x = args.namespace, given.signal(options.x, name)
  segments.check_length(x, options.axis, name)
  local mode = given.word(options.mode, MODES, name, "mode")
  if options.window == nil then options.window = {"tukey", 0.25} end
  local asked = segments.read_asked(x, x, options, {detrend = "constant", overlap = 8}, name)
  if mode == "psd" then
    local density, shape, total = segments.densities(x, x, asked, name)
    return segments.frequencies(asked), segments.times_of(asked, total), segments.placed(density, shape, asked.axis,
      name)
  end
  local made, times = short_time(x, asked, name)
  if mode == "magnitude" then made = cn.abs(made) end
  if mode == "angle" or mode == "phase" then made = cn.angle(made) end
  if mode == "phase" then made = cn.unwrap(made, {axis = asked.axis}) end
  return segments.frequencies(asked), times, made
end

local STFT = {"x", "fs", "window", "nperseg", "noverlap", "nfft", "detrend", "return_onesided", "boundary", "padded",
  "axis", "scaling"}
local read_stft = args.reader("signal.stft", STFT)

--- Of scaling "spectrum" and "psd", the name in other functions.
local function stft_scaling(scaling, name)
  return given.word(scaling, {"spectrum", "psd"}, name, "scaling") == "psd" and "density" or "spectrum"
end

--- Transforms of a signal's segments one after the other, from which cn.signal.istft computes the signal. Follows
--- scipy.signal.stft.
---@param x cuna.Operand
---@param fs number|nil
---@param window cuna.WindowChoice|nil default "hann"
---@param nperseg integer|nil default 256
---@param noverlap integer|nil default half of nperseg
---@param nfft integer|nil
---@param detrend cuna.Detrending|nil default false
---@param return_onesided boolean|nil
---@param boundary "zeros"|"even"|"odd"|"constant"|false|nil how the signal continues at its ends, default "zeros"
---@param padded boolean|nil whether zeros at the end complete the last segment, default true
---@param axis integer|nil default -1
---@param scaling "spectrum"|"psd"|nil default "spectrum"
---@return cuna.Array f
---@return cuna.Array t
---@return cuna.Array Zxx complex, frequencies in place of the signal's axis, times last
---@usage select(3, cn.signal.stft(cn.ones(8), {nperseg = 4})).shape --> (3, 5)
function F.stft(...)
  local name, options = "signal.stft", segments.by_name(STFT, read_stft(...))
  local x = given.signal(options.x, name)
  segments.check_length(x, options.axis, name)
  options.scaling = stft_scaling(options.scaling, name)
  local boundary = options.boundary == nil and "zeros" or options.boundary
  if boundary ~= false and not segments.BOUNDARIES[boundary] then
    fail("%s: boundary is \"zeros\", \"even\", \"odd\", \"constant\" or false, got %s", name, check.show(boundary))
  end
  local asked = segments.read_asked(x, x, options, {detrend = false, overlap = 2}, name)
  asked.boundary, asked.padded = boundary, check.boolean(options.padded, true, name, "padded")
  local made, times = short_time(x, asked, name)
  return segments.frequencies(asked), times, made
end

--- Adds segments (lines, segments, nperseg), each `step` further on: shape (lines, length).
function M.overlap_added(parts, step)
  local cn, shape = args.namespace, parts.shape
  local lines, count, length = shape[1], shape[2], shape[3]
  local pieces, sum = math.ceil(length / step), nil
  if pieces * step > length then parts = cn.pad(parts, {{0, 0}, {0, 0}, {0, pieces * step - length}}) end
  for k = 1, pieces do
    local piece = cn.pad(slices.part(parts, 3, (k - 1) * step + 1, step), {{0, 0}, {k - 1, pieces - k}, {0, 0}})
    sum = sum and sum + piece or piece
  end
  return slices.part(cn.reshape(sum, lines, (count + pieces - 1) * step), 2, 1, length + (count - 1) * step)
end

local ISTFT = {"Zxx", "fs", "window", "nperseg", "noverlap", "nfft", "input_onesided", "boundary", "time_axis",
  "freq_axis", "scaling"}
local read_istft = args.reader("signal.istft", ISTFT)

--- The lengths of segments and transforms that an inverse is asked for.
local function inverse_lengths(options, points, is_half, name)
  local default = is_half and 2 * (points - 1) or points
  local nperseg = check.count(options.nperseg == nil and default or options.nperseg, name, "nperseg")
  if nperseg < 1 then fail("%s: nperseg is from 1 on, got %d", name, nperseg) end
  local nfft = options.nfft
  if nfft == nil then nfft = is_half and nperseg == default + 1 and nperseg or default end
  local checked, noverlap = segments.lengths_of(nperseg, options.noverlap, nfft, 2, name)
  return nperseg, checked, noverlap
end

--- The signal of transforms of segments. Follows scipy.signal.istft.
---@param Zxx cuna.Operand transforms
---@param fs number|nil
---@param window cuna.WindowChoice|nil default "hann": the transforms' window
---@param nperseg integer|nil default: as many points as the transforms have
---@param noverlap integer|nil default half of nperseg
---@param nfft integer|nil
---@param input_onesided boolean|nil whether the transforms are halves, default true
---@param boundary boolean|nil whether the signal was continued at its ends, default true
---@param time_axis integer|nil default -1
---@param freq_axis integer|nil default -2
---@param scaling "spectrum"|"psd"|nil default "spectrum"
---@return cuna.Array t
---@return cuna.Array x
---@usage (select(2, cn.signal.istft(select(3, cn.signal.stft({1, 2, 3}, {nperseg = 2}))))):round(6) --> [1. 2. 3.]
function F.istft(...)
  local name, options = "signal.istft", segments.by_name(ISTFT, read_istft(...))
  local cn, Z = args.namespace, check.array(options.Zxx, name)
  if Z.ndim < 2 then fail("%s: expected at least 2 axes, got shape %s", name, tostring(Z.shape)) end
  local time_axis = core.axis(options.time_axis == nil and -1 or options.time_axis, Z.ndim, name)
  local freq_axis = core.axis(options.freq_axis == nil and -2 or options.freq_axis, Z.ndim, name)
  if time_axis == freq_axis then fail("%s: time_axis and freq_axis are both %d", name, time_axis) end
  local is_half = check.boolean(options.input_onesided, true, name, "input_onesided")
  local nperseg, nfft, noverlap = inverse_lengths(options, Z.shape[freq_axis], is_half, name)
  local boundary, fs = check.boolean(options.boundary, true, name, "boundary"), segments.sampling(options.fs, name)
  local window = core.cast(segments.window_of(options.window, nperseg, nperseg, Z.device, name),
    segments.part_of(Z.dtype), name)
  local moved = cn.moveaxis(Z, {time_axis, freq_axis}, {-2, -1})
  local shape = moved.shape
  local points = table.remove(shape)
  local count = table.remove(shape)
  local lines = 1
  for _, length in ipairs(shape) do lines = lines * length end
  local parts = (is_half and cn.fft.irfft or cn.fft.ifft)(cn.reshape(moved, lines, count, points), nfft, -1)
  parts = slices.part(parts, 3, 1, nperseg)
  local total = stft_scaling(options.scaling, name) == "spectrum" and window:sum()
    or cn.sqrt((window * window):sum() * fs)
  local x = M.overlap_added(parts * (window * total), nperseg - noverlap)
  local norm = M.overlap_added(cn.broadcast_to(window * window, {1, count, nperseg}), nperseg - noverlap)
  if boundary then
    local half = math.floor(nperseg / 2)
    x = slices.part(x, 2, half + 1, x.shape[2] - 2 * half)
    norm = slices.part(norm, 2, half + 1, norm.shape[2] - 2 * half)
  end
  x = x / cn.where(cn.greater(norm, 1e-10), norm, cn.ones_like(norm))
  local place = time_axis == Z.ndim and #shape + 1 or freq_axis < time_axis and time_axis - 1 or time_axis
  local made = given.unlined(core.cast(x, nil, name), shape, math.min(place, #shape + 1), name)
  return cn.arange(0, made.shape[math.min(place, #shape + 1)], 1, "float64") / fs, made
end

-- ---- what can be inverted ----

--- Sums of what overlapping windows have at each place of a step, of fn(window's number).
local function overlaps(window, nperseg, noverlap, name, fn)
  nperseg, noverlap = check.count(nperseg, name, "nperseg"), check.count(noverlap, name, "noverlap")
  if nperseg < 1 or noverlap >= nperseg then
    fail("%s: noverlap is below nperseg, got %d and %d", name, noverlap, nperseg)
  end
  local list = segments.is_numbers(window) and given.reals(window, name, "window")
    or given.reals(windows.functions.get_window(window, nperseg), name, "window")
  if #list ~= nperseg then fail("%s: a window of %d numbers, and nperseg is %d", name, #list, nperseg) end
  local step, sums = nperseg - noverlap, {}
  for k = 1, nperseg do
    local at = (k - 1) % step + 1
    sums[at] = (sums[at] or 0) + fn(list[k])
  end
  return sums
end

local function tolerance(tol, name) return check.real(tol == nil and 1e-10 or tol, name, "tol") end

local read_cola = args.reader("signal.check_COLA", {"window", "nperseg", "noverlap", "tol"}, 3)

--- Whether overlapping windows add up to a constant. Follows scipy.signal.check_COLA.
---@param window cuna.WindowChoice
---@param nperseg integer
---@param noverlap integer
---@param tol number|nil default 1e-10
---@return boolean
---@usage cn.signal.check_COLA("hann", 8, 4), cn.signal.check_COLA("hann", 8, 3) --> true, false
function F.check_COLA(...)
  local window, nperseg, noverlap, tol = read_cola(...)
  local name = "signal.check_COLA"
  local sums = overlaps(window, nperseg, noverlap, name, function(w) return w end)
  local low, high = math.huge, -math.huge
  for _, sum in ipairs(sums) do low, high = math.min(low, sum), math.max(high, sum) end
  local sorted = {}
  for k, sum in ipairs(sums) do sorted[k] = sum end
  table.sort(sorted)
  local n = #sorted
  local middle = (sorted[math.ceil(n / 2)] + sorted[math.floor(n / 2) + 1]) / 2
  return math.max(high - middle, middle - low) < tolerance(tol, name)
end

local read_nola = args.reader("signal.check_NOLA", {"window", "nperseg", "noverlap", "tol"}, 3)

--- Whether no place is without an overlapping window, so that cn.signal.istft is the inverse. Follows
--- scipy.signal.check_NOLA.
---@param window cuna.WindowChoice
---@param nperseg integer
---@param noverlap integer
---@param tol number|nil default 1e-10
---@return boolean
---@usage cn.signal.check_NOLA("hann", 8, 4), cn.signal.check_NOLA("hann", 8, 0) --> true, false
function F.check_NOLA(...)
  local window, nperseg, noverlap, tol = read_nola(...)
  local name, least = "signal.check_NOLA", math.huge
  for _, sum in ipairs(overlaps(window, nperseg, noverlap, name, function(w) return w * w end)) do
    least = math.min(least, sum)
  end
  return least > tolerance(tol, name)
end

return M
