--- short_time_fft.lua: ShortTimeFFT, an object with a window and a step that transforms signals and back.
--
-- Slices have numbers: slice p is p steps after the one that is centred on the first sample, so that it lies at the
-- time p hop / fs, and some numbers are negative. Samples are positions from 1. Windows are lists of numbers on the
-- host, from which all facts come; calls take them to the signal's device.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local class = require "cuna.base.class"
local given = require "cuna.signal.given"
local segments = require "cuna.signal.segments"
local slice_transforms = require "cuna.signal.slice_transforms"
local slice_window = require "cuna.signal.slice_window"
local windows = require "cuna.signal.windows"
local with = require "cuna.base.with"

local M = {functions = {}}
local F = M.functions -- cn.signal

local fail, is_zero = check.fail, slice_window.is_zero
local floor, max = math.floor, math.max

--- Transforms of a signal's slices, by a window that goes on by `hop` samples. Fields cannot be set: make another one.
---@class cuna.ShortTimeFFT
---@field win cuna.Array the window, after scaling
---@field dual_win cuna.Array the window of the inverse; an error if there is none
---@field invertible boolean whether there is one
---@field hop integer samples from slice to slice
---@field fs number sampling frequency
---@field T number 1 / fs
---@field fft_mode string
---@field onesided_fft boolean whether frequencies below 0 are left out
---@field mfft integer points of a transform
---@field scaling string|nil "magnitude", "psd", or nil
---@field phase_shift integer|nil
---@field m_num integer the window's length
---@field m_num_mid integer samples of the window before its centre
---@field f cuna.Array frequencies
---@field f_pts integer how many there are
---@field delta_f number the distance of two
---@field delta_t number the time from slice to slice
---@field p_min integer the first slice that reaches into a signal
---@field k_min integer the position of its first sample, which lies before 1
---@field fac_magnitude number what takes the window to scaling "magnitude"
---@field fac_psd number what takes the window to scaling "psd"
local methods, fields = {}, {}
M.methods = methods

local meta, self_of = class.make("short-time transform", "a short-time transform", "stft", methods)
local method_of = meta.__index

-- An object has a table of facts, so that none of its fields can be set. These may be nil.
local OPTIONAL = {scaling = true, phase_shift = true}

local function facts_of(value, method) return rawget(self_of(value, method), "facts") end

function meta.__index(object, key)
  local s = rawget(object, "facts")
  if fields[key] then return fields[key](s) end
  if s[key] ~= nil or OPTIONAL[key] then return s[key] end
  return method_of(object, key)
end

function meta.__newindex(_, key)
  fail("'%s' of a short-time transform cannot be set; make another one", tostring(key))
end

function meta.__tostring(object)
  local s = rawget(object, "facts")
  return ("ShortTimeFFT(window of %d, hop %d, fs %g, %s)"):format(s.m_num, s.hop, s.fs, s.fft_mode)
end

-- ---- slices ----

--- The first slice that reaches into a signal; SciPy's rule, which keeps some whose window ends with zeros.
local function first_slice(s)
  local p, at = 0, -s.m_num_mid
  while at - s.hop + s.m_num > 0 and not is_zero(s.window, s.m_num + at - s.hop, s.m_num) do
    p, at = p - 1, at - s.hop
  end
  return p
end

--- The last slice that reaches into a signal of n samples.
local function last_slice(s, n)
  local p = floor(n / s.hop)
  local at = p * s.hop - s.m_num_mid
  while at + s.hop < n and not is_zero(s.window, 0, n - at - s.hop) do p, at = p + 1, at + s.hop end
  return p
end

--- A count of samples that slices can be made of.
local function samples(s, n, name)
  n = check.count(n, name, "n")
  local least = s.m_num - s.m_num_mid
  if n < least then fail("%s: a signal has at least half of the window's samples, %d, got %d", name, least, n) end
  return n
end

-- ---- facts ----

function fields.win(s) return slice_window.array(s.window, "float64", nil, "ShortTimeFFT") end

local function dual_list(s, name)
  return s.dual or fail("%s: slices of a window of %d that go on by %d cannot be inverted", name, s.m_num,
    s.hop)
end

function fields.dual_win(s)
  return slice_window.array(dual_list(s, "dual_win"), "float64", nil, "ShortTimeFFT")
end

function fields.invertible(s) return s.dual ~= nil end

function fields.f(s)
  local fft = args.namespace.fft
  if s.onesided_fft then return fft.rfftfreq(s.mfft, 1 / s.fs) end
  local f = fft.fftfreq(s.mfft, 1 / s.fs)
  return s.fft_mode == "centered" and fft.fftshift(f) or f
end

local function magnitude_factor(s) return 1 / slice_window.size_of_sum(s.window) end
local function psd_factor(s) return 1 / math.sqrt(slice_window.energy(s.window) * s.fs) end

function fields.fac_magnitude(s) return s.scaling == "magnitude" and 1 or magnitude_factor(s) end
function fields.fac_psd(s) return s.scaling == "psd" and 1 or psd_factor(s) end

--- The position of the last sample that slices of a signal of n samples reach. Follows
--- scipy.signal.ShortTimeFFT.k_max.
---@param n integer
---@return integer
---@usage cn.signal.ShortTimeFFT({1, 1, 1, 1}, 2, 1):k_max(8) --> 10
function methods:k_max(n)
  local s = facts_of(self, "k_max")
  return last_slice(s, samples(s, n, "ShortTimeFFT.k_max")) * s.hop + s.m_num - s.m_num_mid
end

--- The last slice that reaches into a signal of n samples; SciPy's is one more. Follows
--- scipy.signal.ShortTimeFFT.p_max.
---@param n integer
---@return integer
---@usage cn.signal.ShortTimeFFT({1, 1, 1, 1}, 2, 1):p_max(8) --> 4
function methods:p_max(n)
  local s = facts_of(self, "p_max")
  return last_slice(s, samples(s, n, "ShortTimeFFT.p_max"))
end

--- How many slices a signal of n samples has. Follows scipy.signal.ShortTimeFFT.p_num.
---@param n integer
---@return integer
---@usage cn.signal.ShortTimeFFT({1, 1, 1, 1}, 2, 1):p_num(8) --> 5
function methods:p_num(n)
  local s = facts_of(self, "p_num")
  return last_slice(s, samples(s, n, "ShortTimeFFT.p_num")) - s.p_min + 1
end

local function range_of(s, n, p0, p1, name)
  local last = last_slice(s, samples(s, n, name))
  p0 = p0 == nil and s.p_min or check.integer(p0, name, "p0")
  p1 = p1 == nil and last or check.integer(p1, name, "p1")
  if p0 < s.p_min or p1 > last or p1 < p0 then
    fail("%s: slices of %d samples are from %d to %d, got p0 = %d and p1 = %d", name, n, s.p_min, last, p0, p1)
  end
  return p0, p1
end

local read_range = args.reader("ShortTimeFFT.p_range", {"n", "p0", "p1"}, 1)

--- The first and the last slice of a signal of n samples, with p0 and p1 in their place. Follows
--- scipy.signal.ShortTimeFFT.p_range, whose second result is one more.
---@param n integer
---@param p0 integer|nil
---@param p1 integer|nil
---@return integer p0
---@return integer p1
---@usage cn.signal.ShortTimeFFT({1, 1, 1, 1}, 2, 1):p_range(8) --> 0, 4
function methods:p_range(...)
  local s = facts_of(self, "p_range")
  local n, p0, p1 = read_range(...)
  return range_of(s, n, p0, p1, "ShortTimeFFT.p_range")
end

--- The first sample and the first slice that do not depend on what precedes the signal. Follows
--- scipy.signal.ShortTimeFFT.lower_border_end.
---@return integer k position of the sample
---@return integer p
---@usage cn.signal.ShortTimeFFT({1, 1, 1, 1}, 2, 1):lower_border_end() --> 3, 1
function methods:lower_border_end()
  local s = facts_of(self, "lower_border_end")
  local first = 0
  while is_zero(s.window, first, first + 1) do first = first + 1 end
  local at = first - s.m_num_mid
  if at > s.hop then return 1, max(s.p_min, 0) end
  local p = max(math.ceil(-at / s.hop), 1)
  return at + (p - 1) * s.hop + s.m_num + 1, p
end

--- The first sample and the first slice that depend on what follows a signal of n samples. Follows
--- scipy.signal.ShortTimeFFT.upper_border_begin.
---@param n integer
---@return integer k position of the sample
---@return integer p
---@usage cn.signal.ShortTimeFFT({1, 1, 1, 1}, 2, 1):upper_border_begin(8) --> 7, 4
function methods:upper_border_begin(n)
  local s, name = facts_of(self, "upper_border_begin"), "ShortTimeFFT.upper_border_begin"
  n = samples(s, n, name)
  local p = floor(n / s.hop) + 1
  while true do
    local last = p * s.hop + s.m_num - s.m_num_mid
    if last <= n or is_zero(s.window, n - last + s.m_num, s.m_num) then break end
    p = p - 1
  end
  return (p + 1) * s.hop - s.m_num_mid + 1, p + 1
end

local read_nearest = args.reader("ShortTimeFFT.nearest_k_p", {"k", "left"}, 1)

--- The position of the sample nearest to one on which a slice is centred. Follows
--- scipy.signal.ShortTimeFFT.nearest_k_p.
---@param k integer position
---@param left boolean|nil whether it lies to the left, default true
---@return integer
---@usage cn.signal.ShortTimeFFT({1, 1, 1, 1}, 3, 1):nearest_k_p(3) --> 1
function methods:nearest_k_p(...)
  local s, name = facts_of(self, "nearest_k_p"), "ShortTimeFFT.nearest_k_p"
  local k, left = read_nearest(...)
  k = check.integer(k, name, "k") - 1
  local round = check.boolean(left, true, name, "left") and floor or math.ceil
  return round(k / s.hop) * s.hop + 1
end

local read_t = args.reader("ShortTimeFFT.t", {"n", "p0", "p1", "k_offset"}, 1)

--- The times of the slices of a signal of n samples. Follows scipy.signal.ShortTimeFFT.t.
---@param n integer
---@param p0 integer|nil the first slice
---@param p1 integer|nil the last slice
---@param k_offset integer|nil by how many samples slices are moved, default 0
---@return cuna.Array
---@usage cn.signal.ShortTimeFFT({1, 1, 1, 1}, 2, 10):t(8) --> [0. 0.2 0.4 0.6 0.8]
function methods:t(...)
  local s, name = facts_of(self, "t"), "ShortTimeFFT.t"
  local n, p0, p1, offset = read_t(...)
  p0, p1 = range_of(s, n, p0, p1, name)
  offset = check.integer(offset == nil and 0 or offset, name, "k_offset")
  return args.namespace.range(p0, p1):astype "float64" * s.delta_t + offset * s.T
end

local read_extent = args.reader("ShortTimeFFT.extent", {"n", "axes_seq", "center_bins"}, 1)

--- The edges of a picture of the slices of a signal of n samples. Follows scipy.signal.ShortTimeFFT.extent.
---@param n integer
---@param axes_seq "tf"|"ft"|nil which axis comes first, default "tf"
---@param center_bins boolean|nil whether edges lie half a step before the points, default false
---@return number t0 for "ft" f0, f1, t0, t1
---@return number t1
---@return number f0
---@return number f1
---@usage cn.signal.ShortTimeFFT({1, 1, 1, 1}, 2, 1):extent(8) --> 0, 10, 0, 0.75
function methods:extent(...)
  local s, name = facts_of(self, "extent"), "ShortTimeFFT.extent"
  local n, axes_seq, center_bins = read_extent(...)
  axes_seq = given.word(axes_seq, {"tf", "ft"}, name, "axes_seq")
  local p0, p1 = range_of(s, n, nil, nil, name)
  local before = check.boolean(center_bins, false, name, "center_bins") and 0.5 or 0
  if s.fft_mode == "twosided" then fail("%s: frequencies of fft_mode \"twosided\" do not rise", name) end
  local q0 = s.onesided_fft and 0 or -floor(s.mfft / 2)
  local t0, t1 = s.delta_t * (p0 - before), s.delta_t * (p1 + 1 - before)
  local f0, f1 = s.delta_f * (q0 - before), s.delta_f * (q0 + s.f_pts - before)
  if axes_seq == "tf" then return t0, t1, f0, f1 end
  return f0, f1, t0, t1
end

-- ---- transforms ----

--- The transforms of slices of options.x.
local function transforms(s, options, name)
  local x = given.signal(options.x, name)
  local axis = given.axis(options.axis, x, name)
  local p0, p1 = range_of(s, x.shape[axis], options.p0, options.p1, name)
  return with.on(x, slice_transforms.forwards, s, x, axis, p0, p1, options, name)
end

local STFT = {"x", "p0", "p1", "k_offset", "padding", "axis"}
local read_stft = args.reader("ShortTimeFFT.stft", STFT)

--- The transforms of the slices of a signal. Follows scipy.signal.ShortTimeFFT.stft.
---@param x cuna.Operand real unless fft_mode is "twosided" or "centered"
---@param p0 integer|nil the first slice, default p_min
---@param p1 integer|nil the last slice, default p_max(n)
---@param k_offset integer|nil by how many samples slices are moved, default 0
---@param padding "zeros"|"edge"|"even"|"odd"|nil how the signal continues at its ends, default "zeros"
---@param axis integer|nil default -1
---@return cuna.Array complex, frequencies in place of the signal's axis, slices last
---@usage cn.signal.ShortTimeFFT({1, 1, 1, 1}, 2, 1):stft(cn.ones(8)).shape --> (3, 5)
function methods:stft(...)
  local s = facts_of(self, "stft")
  local options = segments.by_name(STFT, read_stft(...))
  return transforms(s, options, "ShortTimeFFT.stft")
end

local DETREND = {"x", "detr", "p0", "p1", "k_offset", "padding", "axis"}
local read_detrend = args.reader("ShortTimeFFT.stft_detrend", DETREND)

--- The transforms of slices without their trends. Follows scipy.signal.ShortTimeFFT.stft_detrend.
---@param x cuna.Operand
---@param detr cuna.Detrending|nil default false
---@param p0 integer|nil
---@param p1 integer|nil
---@param k_offset integer|nil
---@param padding "zeros"|"edge"|"even"|"odd"|nil
---@param axis integer|nil
---@return cuna.Array
---@usage cn.signal.ShortTimeFFT({1, 1}, 2, 1):stft_detrend({1, 1, 2, 2}, "constant", 1, 1):abs() --> [[0.] [1.]]
function methods:stft_detrend(...)
  local s = facts_of(self, "stft_detrend")
  local options = segments.by_name(DETREND, read_detrend(...))
  return transforms(s, options, "ShortTimeFFT.stft_detrend")
end

local SPECTROGRAM = {"x", "y", "detr", "p0", "p1", "k_offset", "padding", "axis"}
local read_spectrogram = args.reader("ShortTimeFFT.spectrogram", SPECTROGRAM)

--- Squared absolute values of transforms; with y, products of those of x and the conjugate ones of y. Follows
--- scipy.signal.ShortTimeFFT.spectrogram.
---@param x cuna.Operand
---@param y cuna.Operand|nil
---@param detr cuna.Detrending|nil default false
---@param p0 integer|nil
---@param p1 integer|nil
---@param k_offset integer|nil
---@param padding "zeros"|"edge"|"even"|"odd"|nil
---@param axis integer|nil
---@return cuna.Array
---@usage cn.signal.ShortTimeFFT({1, 1}, 2, 1):spectrogram({1, 1, 2, 2}, {p0 = 1, p1 = 1}) --> [[9.] [1.]]
function methods:spectrogram(...)
  local s, name = facts_of(self, "spectrogram"), "ShortTimeFFT.spectrogram"
  local options = segments.by_name(SPECTROGRAM, read_spectrogram(...))
  local first = transforms(s, options, name)
  if options.y == nil or rawequal(options.y, options.x) then
    return first.real * first.real + first.imag * first.imag
  end
  options.x = options.y
  return first * transforms(s, options, name):conj()
end

-- ---- the inverse ----

local read_istft = args.reader("ShortTimeFFT.istft", {"S", "k0", "k1", "f_axis", "t_axis"})

--- The signal of transforms of slices from p_min on. Follows scipy.signal.ShortTimeFFT.istft.
---@param S cuna.Operand transforms
---@param k0 integer|nil position of the first sample, default 1
---@param k1 integer|nil position of the last one, default: of the last that slices reach
---@param f_axis integer|nil default -2
---@param t_axis integer|nil default -1
---@return cuna.Array real if frequencies below 0 are left out
---@usage cn.signal.ShortTimeFFT({1}, 1, 1):istft({{1, 2, 3}}) --> [1. 2. 3.]
function methods:istft(...)
  local s, name = facts_of(self, "istft"), "ShortTimeFFT.istft"
  local S, k0, k1, f_axis, t_axis = read_istft(...)
  S = check.array(S, name)
  local least = last_slice(s, s.m_num - s.m_num_mid) - s.p_min + 1
  local asked = {k0 = k0, k1 = k1, f_axis = f_axis, t_axis = t_axis, least = least, dual = dual_list(s, name)}
  return with.on(S, slice_transforms.backwards, s, S, asked, name)
end

-- ---- making one ----

local MODES = {"onesided", "onesided2X", "twosided", "centered"}
local OPTIONS = {"win", "hop", "fs", "fft_mode", "mfft", "dual_win", "scale_to", "phase_shift", "nperseg",
  "symmetric_win"}
local read = args.reader("signal.ShortTimeFFT", OPTIONS)

--- The window that is given, or named.
local function window_of(options, name)
  if options.win == nil then
    return fail("%s: win is numbers or the name of a window; nil takes dual_win", name)
  end
  if segments.is_numbers(options.win) then
    if options.nperseg ~= nil then fail("%s: nperseg is for windows that are named", name) end
    return slice_window.read(options.win, name, "win")
  end
  if options.nperseg == nil then fail("%s: a window that is named takes nperseg, its length", name) end
  local count = check.count(options.nperseg, name, "nperseg")
  local is_symmetric = check.boolean(options.symmetric_win, false, name, "symmetric_win")
  return slice_window.read(windows.functions.get_window(options.win, count, not is_symmetric), name, "win")
end

--- Reads both windows. The one that is missing is the canonical dual one of the other.
local function read_windows(s, options, name)
  s.dual = options.dual_win ~= nil and slice_window.read(options.dual_win, name, "dual_win") or nil
  if options.win == nil and s.dual then
    s.window = slice_window.dual_of(s.dual, s.hop) or fail("%s: slices of a dual window of %d that go on by %d have no "
      .. "window", name, #s.dual.re, s.hop)
  else
    s.window = window_of(options, name)
  end
  s.m_num = #s.window.re
  if is_zero(s.window, 0, s.m_num) then fail("%s: win has a number other than 0", name) end
  if s.dual and #s.dual.re ~= s.m_num then
    fail("%s: dual_win has %d numbers, and win %d", name, #s.dual.re, s.m_num)
  end
end

local function positive(value, name, what)
  value = check.count(value, name, what)
  if value < 1 then fail("%s: %s is from 1 on, got %d", name, what, value) end
  return value
end

--- Reads how windows are scaled and transformed; `s` has its window and lengths.
local function read_mode(s, options, name)
  s.fft_mode = given.word(options.fft_mode, MODES, name, "fft_mode")
  s.onesided_fft = s.fft_mode:find "^onesided" ~= nil
  if s.onesided_fft and (s.window.im or s.dual and s.dual.im) then
    fail('%s: the window is complex, and fft_mode is %q; "twosided" or "centered" fits', name, s.fft_mode)
  end
  s.mfft = options.mfft == nil and s.m_num or check.count(options.mfft, name, "mfft")
  if s.mfft < s.m_num then fail("%s: mfft is at least the window's length, %d, got %d", name, s.m_num, s.mfft) end
  s.f_pts = s.onesided_fft and floor(s.mfft / 2) + 1 or s.mfft
  s.scaling = options.scale_to ~= nil and given.word(options.scale_to, {"magnitude", "psd"}, name, "scale_to") or nil
  if s.fft_mode == "onesided2X" and not s.scaling then
    fail('%s: fft_mode "onesided2X" takes scale_to = "magnitude" or "psd"', name)
  end
  local shift = options.phase_shift
  s.phase_shift = shift ~= false and check.integer(shift == nil and 0 or shift, name, "phase_shift") or nil
  if s.phase_shift and math.abs(s.phase_shift) >= s.mfft then
    fail("%s: phase_shift is below mfft = %d in size, got %d", name, s.mfft, s.phase_shift)
  end
end

--- The windows of a scaling: its own, and the inverse's.
local function scale(s, name)
  local factor = not s.scaling and 1 or s.scaling == "psd" and psd_factor(s) or magnitude_factor(s)
  if factor - factor ~= 0 then fail("%s: the window's sum is 0, which cannot be scaled to a magnitude", name) end
  s.window, s.dual = slice_window.times(s.window, factor), s.dual and slice_window.times(s.dual, 1 / factor)
end

--- An object that transforms the slices of signals, and slices back to signals: a window goes on by `hop` samples. Its
--- fields and methods know the slices' times, frequencies and borders. Follows scipy.signal.ShortTimeFFT, its
--- from_window where the window is named, and its from_dual where only dual_win is given. Slice p has the time
--- p hop / fs; ranges include both ends.
---@param win cuna.Operand|cuna.WindowChoice|nil numbers, which are fetched and may be complex, or as of
---  cn.signal.get_window, with nperseg; nil: the canonical dual window of dual_win
---@param hop integer samples from slice to slice; nperseg - noverlap of from_window
---@param fs number sampling frequency
---@param fft_mode "onesided"|"onesided2X"|"twosided"|"centered"|nil which frequencies, in which order; "onesided2X"
---  doubles those that stand for two; default "onesided"
---@param mfft integer|nil points of a transform, default: the window's length
---@param dual_win cuna.Operand|nil the window of the inverse, default: the canonical dual window
---@param scale_to "magnitude"|"psd"|nil what sizes of transforms are: amplitudes of sines, or roots of densities
---@param phase_shift integer|false|nil the sample of a slice, from its centre, whose phase is 0; false: the first one;
---  default 0
---@param nperseg integer|nil the length of a window that is named
---@param symmetric_win boolean|nil whether a window that is named is symmetric, default false
---@return cuna.ShortTimeFFT
---@usage cn.signal.ShortTimeFFT("hann", 4, 100, {nperseg = 8}) --> ShortTimeFFT(window of 8, hop 4, fs 100, onesided)
---@usage cn.signal.ShortTimeFFT(nil, 2, 100, {dual_win = {1, 1, 1, 1}}).win --> [0.5 0.5 0.5 0.5]
---@usage cn.signal.ShortTimeFFT("hann", 4, 100, {nperseg = 8}).f --> [ 0. 12.5 25. 37.5 50. ]
function F.ShortTimeFFT(...)
  local name, options = "signal.ShortTimeFFT", segments.by_name(OPTIONS, read(...))
  local s = {hop = positive(options.hop, name, "hop"), fs = segments.sampling(check.real(options.fs, name, "fs"), name)}
  read_windows(s, options, name)
  s.m_num_mid, s.T, s.delta_t = floor(s.m_num / 2), 1 / s.fs, s.hop / s.fs
  read_mode(s, options, name)
  s.delta_f = s.fs / s.mfft
  scale(s, name)
  s.dual = s.dual or slice_window.dual_of(s.window, s.hop)
  s.p_min = first_slice(s)
  s.k_min = s.p_min * s.hop - s.m_num_mid + 1
  return setmetatable({facts = s}, meta)
end

return M
