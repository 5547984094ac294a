--- slice_transforms.lua: the transforms of a signal's slices, and back, for ShortTimeFFT.
--
-- `s` has the facts of a cuna.ShortTimeFFT: window (slice_window.lua), hop, m_num, m_num_mid, mfft, fft_mode,
-- onesided_fft, f_pts, scaling, phase_shift, p_min, k_min. Samples of this file count from 0: slice p begins with
-- sample p hop - m_num_mid.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local dtype_facts = require "cuna.base.dtype_facts"
local given = require "cuna.signal.given"
local segments = require "cuna.signal.segments"
local short_time = require "cuna.signal.short_time"
local slice_window = require "cuna.signal.slice_window"
local slices = require "cuna.base.slices"

local M = {}

local fail, kind_of = check.fail, dtype_facts.kind_of
local max, min = math.max, math.min

-- ---- one transform ----

--- What doubles all frequencies but 0 and half the sampling frequency, or their squares; nil if nothing is doubled.
local function doubling(s, part, device, name)
  if s.fft_mode ~= "onesided2X" then return nil end
  local list = {}
  for k = 1, s.f_pts do
    local is_single = k == 1 or s.mfft % 2 == 0 and k == s.f_pts
    list[k] = is_single and 1 or s.scaling == "psd" and math.sqrt(2) or 2
  end
  return core.as_array(list, part, device, name)
end

--- By how many samples slices are rolled before their transforms.
local function rolled(s) return s.phase_shift and (s.phase_shift + s.m_num_mid) % s.m_num or 0 end

local function transformed(s, parts, part, name)
  local cn, shift = args.namespace, rolled(s)
  if shift ~= 0 then
    if s.mfft > s.m_num then parts = cn.pad(parts, {{0, 0}, {0, 0}, {0, s.mfft - s.m_num}}) end
    parts = cn.roll(parts, -shift, 3)
  end
  if s.onesided_fft then
    local made, factors = cn.fft.rfft(parts, s.mfft, -1), doubling(s, part, parts.device, name)
    return factors and made * factors or made
  end
  local made = cn.fft.fft(parts, s.mfft, -1)
  return s.fft_mode == "centered" and cn.fft.fftshift(made, 3) or made
end

local function restored(s, spectra, part, name)
  local cn, shift = args.namespace, rolled(s)
  local parts
  if s.onesided_fft then
    local factors = doubling(s, part, spectra.device, name)
    parts = cn.fft.irfft(factors and spectra / factors or spectra, s.mfft, -1)
  else
    parts = cn.fft.ifft(s.fft_mode == "centered" and cn.fft.ifftshift(spectra, 3) or spectra, s.mfft, -1)
  end
  if shift ~= 0 then parts = cn.roll(parts, shift, 3) end
  return slices.part(parts, 3, 1, s.m_num)
end

-- How lines continue: the arguments of cn.pad.
local PADDINGS = {zeros = {"constant"}, edge = {"edge"}, even = {"reflect", {reflect_type = "even"}},
  odd = {"reflect", {reflect_type = "odd"}}}
local PADDING_NAMES = {"zeros", "edge", "even", "odd"}

--- Lines from one sample (from 0) on, `count` of them, continued beyond their ends.
local function stretch(lines, first, count, padding, name)
  local n = lines.shape[2]
  local from, to = max(first, 0), min(first + count, n)
  if to <= from then fail("%s: no sample lies within the slices", name) end
  lines = slices.part(lines, 2, from + 1, to - from)
  local before, after = from - first, first + count - to
  if before == 0 and after == 0 then return core.cast(lines, nil, name) end
  return core.cast(args.namespace.pad(lines, {{0, 0}, {before, after}}, unpack(PADDINGS[padding])), nil, name)
end

--- The transforms of slices p0 to p1 of x: frequencies in place of the signal's axis, slices last. `options` has
--- k_offset, padding and detr.
function M.forwards(s, x, axis, p0, p1, options, name)
  local is_complex, part = kind_of[x.dtype] == "c", segments.part_of(x.dtype)
  if s.onesided_fft and is_complex then
    fail('%s: x is complex, and fft_mode is %q; "twosided" or "centered" fits', name, s.fft_mode)
  end
  local offset = check.integer(options.k_offset == nil and 0 or options.k_offset, name, "k_offset")
  local padding = given.word(options.padding, PADDING_NAMES, name, "padding")
  local detrend = segments.check_detrend(options.detr, false, name)
  local computed = is_complex and (part == "float32" and "complex64" or "complex128") or part
  local lines, shape = given.lines(x, axis, computed, name)
  local count = p1 - p0 + 1
  lines = stretch(lines, p0 * s.hop - s.m_num_mid + offset, (count - 1) * s.hop + s.m_num, padding, name)
  local parts = core.view(lines, {lines.shape[1], count, s.m_num}, {lines.shape[2], s.hop, 1}, 0)
  local window = slice_window.array(s.window, part, lines.device, name)
  if s.window.im then window = window:conj() end
  parts = segments.detrended(parts, detrend, name) * window
  return segments.placed(transformed(s, parts, part, name), shape, axis, name)
end

-- ---- the inverse ----

--- Where the samples of an inverse begin and end: counts from 0, the end without.
local function samples_of(s, count, k0, k1, name)
  local least, most = s.k_min, (count + s.p_min - 1) * s.hop + s.m_num - s.m_num_mid
  k0 = check.integer(k0 == nil and 1 or k0, name, "k0")
  k1 = check.integer(k1 == nil and most or k1, name, "k1")
  if k0 < least or k1 > most or k1 - k0 + 1 < s.m_num - s.m_num_mid then
    fail("%s: %d slices have samples from %d to %d, and at least %d are computed; got k0 = %d and k1 = %d", name, count,
      least, most, s.m_num - s.m_num_mid, k0, k1)
  end
  return k0 - 1, k1
end

--- The signal of transforms S of slices from p_min on. `asked` has k0, k1, f_axis, t_axis, the dual window, and how
--- many slices S has at least.
function M.backwards(s, S, asked, name)
  local cn = args.namespace
  if S.ndim < 2 then fail("%s: expected at least 2 axes, got shape %s", name, tostring(S.shape)) end
  local f_axis = core.axis(asked.f_axis == nil and -2 or asked.f_axis, S.ndim, name)
  local t_axis = core.axis(asked.t_axis == nil and -1 or asked.t_axis, S.ndim, name)
  if f_axis == t_axis then fail("%s: f_axis and t_axis are both %d", name, t_axis) end
  local count = S.shape[t_axis]
  if S.shape[f_axis] ~= s.f_pts then
    fail("%s: %d frequencies along axis %d, got %d", name, s.f_pts, f_axis, S.shape[f_axis])
  end
  if count < asked.least then
    fail("%s: at least %d slices along axis %d, got %d", name, asked.least, t_axis, count)
  end
  local from, to = samples_of(s, count, asked.k0, asked.k1, name)
  local moved = cn.moveaxis(S, {t_axis, f_axis}, {-2, -1})
  local shape, lines = moved.shape, 1
  table.remove(shape)
  table.remove(shape)
  for _, length in ipairs(shape) do lines = lines * length end
  local part = segments.part_of(S.dtype)
  local parts = restored(s, cn.reshape(moved, lines, count, s.f_pts), part, name)
  parts = parts * slice_window.array(asked.dual, part, S.device, name)
  local x = short_time.overlap_added(parts, s.hop)
  x = slices.part(x, 2, from - (s.p_min * s.hop - s.m_num_mid) + 1, to - from)
  local place = f_axis <= #shape + 1 and f_axis or t_axis
  return given.unlined(core.cast(x, nil, name), shape, min(place, #shape + 1), name)
end

return M
