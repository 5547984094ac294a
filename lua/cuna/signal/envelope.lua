--- envelope.lua: envelopes of signals' bands of frequencies.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local dtype_facts = require "cuna.base.dtype_facts"
local given = require "cuna.signal.given"
local slices = require "cuna.base.slices"

local M = {functions = {}}
local F = M.functions -- cn.signal

local fail, kind_of = check.fail, dtype_facts.kind_of

--- The first and the last frequency of a band, in whole numbers of periods, of those that n samples have.
local function band_of(bp_in, n, name)
  if bp_in == nil then bp_in = {1} end
  if type(bp_in) ~= "table" or core.is_array(bp_in) then
    fail("%s: bp_in is {first, last}, got %s", name, check.show(bp_in))
  end
  local least, most = -math.floor(n / 2), math.floor((n - 1) / 2)
  local first = bp_in[1] and check.integer(bp_in[1], name, "bp_in[1]") or least
  local last = bp_in[2] and check.integer(bp_in[2], name, "bp_in[2]") or most
  if first < least or last > most or last < first then
    fail("%s: frequencies of %d samples are from %d to %d, got a band from %d to %d", name, n, least, most, first, last)
  end
  return first, last
end

--- The spectrum of lines; of real ones without frequencies below 0, and those of the band above 0 doubled.
local function spectrum_of(lines, first, last, name)
  local cn, n = args.namespace, lines.shape[2]
  if kind_of[lines.dtype] == "c" then return cn.fft.fft(lines, n, 2) end
  local half, factors = cn.fft.rfft(lines, n, 2), {}
  for k = 0, half.shape[2] - 1 do factors[k + 1] = k >= math.max(first, 1) and k <= last and 2 or 1 end
  half = half * core.as_array(factors, lines.dtype, lines.device, name)
  return cn.pad(half, {{0, 0}, {0, n - half.shape[2]}})
end

--- The spectrum without a band, and without what is above it if only the part below is wanted.
local function rest_of(spectrum, first, last, is_low, part, name)
  local n, kept = spectrum.shape[2], {}
  for k = 0, n - 1 do
    local q = k < (n + 1 - (n + 1) % 2) / 2 and k or k - n -- its frequency
    local is_above = is_low and (last >= 0 and q > last and q >= 0 or last < 0 and (q >= 0 or q >= first))
    kept[k + 1] = (q >= first and q <= last or is_above) and 0 or 1
  end
  return spectrum * core.as_array(kept, part, spectrum.device, name)
end

--- The signal of what is left of the spectrum, at `count` points.
local function residual_of(rest, count, is_complex, name)
  local cn, n = args.namespace, rest.shape[2]
  if is_complex then return cn.signal.resample(rest, count, {axis = 2, domain = "freq"}) end
  local least = math.min(n, count)
  if count ~= n and least % 2 == 0 then
    local middle = slices.part(rest, 2, least / 2 + 1, 1)
    core.copy(middle, middle * (count < n and 2 or 0.5), name)
  end
  return cn.fft.irfft(rest, count, 2) * (count / n)
end

local read = args.reader("signal.envelope", {"z", "bp_in", "n_out", "squared", "residual", "axis"})

--- The envelope of a band of a signal's frequencies, and what is left without the band. Follows scipy.signal.envelope,
--- whose bp_in ends before its second number.
---@param z cuna.Operand
---@param bp_in integer[]|nil {first, last}: the band's frequencies, in periods along the axis; false for the least;
--- default {1}: all above 0
---@param n_out integer|nil points of the result, default: the axis' length
---@param squared boolean|nil whether the envelope is squared, default false
---@param residual "lowpass"|"all"|false|nil what is left below the band (default), or all without the band; false: only
--- the envelope is returned
---@param axis integer|nil default -1
---@return cuna.Array (2, ...): the envelope, and what is left; without residual of z's shape
---@usage cn.signal.envelope({3, 1, -1, 1}, {residual = false}) --> [2. 2. 2. 2.]
---@usage cn.signal.envelope({3, 1, -1, 1})[2] --> [1. 1. 1. 1.]
function F.envelope(...)
  local z, bp_in, n_out, squared, residual, axis = read(...)
  local name, cn = "signal.envelope", args.namespace
  z = given.signal(z, name)
  axis = given.axis(axis, z, name)
  local n = z.shape[axis]
  if n == 0 then fail("%s: axis %d has no elements", name, axis) end
  local count = check.count(n_out == nil and n or n_out, name, "n_out")
  if count < 1 then fail("%s: n_out is from 1 on, got %d", name, count) end
  if residual ~= false then residual = given.word(residual, {"lowpass", "all"}, name, "residual") end
  local first, last = band_of(bp_in, n, name)
  local dtype = given.inexact(z.dtype)
  dtype = (dtype == "float16" or dtype == "bfloat16") and "float32" or dtype
  local lines, shape = given.lines(z, axis, dtype, name)
  local spectrum = spectrum_of(lines, first, last, name)
  local places = cn.remainder(cn.range(first, last), n) + 1
  local band = cn.fft.ifft(cn.take(spectrum, places, 2), count, 2) * (count / n)
  local made = check.boolean(squared, false, name, "squared") and band.real ^ 2 + band.imag ^ 2 or cn.abs(band)
  made = given.unlined(made, shape, axis, name)
  if not residual then return made end
  local rest = rest_of(spectrum, first, last, residual == "lowpass", dtype_facts.part_of[dtype] or dtype, name)
  local left = residual_of(core.cast(rest, nil, name), count, kind_of[dtype] == "c", name)
  return cn.stack {made:astype(left.dtype), given.unlined(left, shape, axis, name)}
end

return M
