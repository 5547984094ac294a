--- response.lua: the gain and the delay of digital filters at frequencies.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local complex = require "cuna.signal.complex"
local core = require "cuna.core"
local forms = require "cuna.signal.forms"
local given = require "cuna.signal.given"

local M = {functions = {}}
local F = M.functions -- cn.signal

local fail, pi = check.fail, math.pi

--- Frequencies as angles: a count of them from 0 to half the sampling frequency (or all of it), or these.
---@return cuna.Array angles
---@return number factor from angles to the caller's unit
local function angles_of(worN, whole, fs, include_nyquist, name)
  local cn = args.namespace
  whole = check.boolean(whole, false, name, "whole")
  fs = check.real(fs == nil and 2 * pi or fs, name, "fs")
  if worN == nil then worN = 512 end
  if type(worN) == "number" and worN % 1 == 0 then
    local last = whole and 2 * pi or pi
    local ends = check.boolean(include_nyquist, false, name, "include_nyquist") and not whole
    return cn.linspace(0, last, check.count(worN, name, "the number of frequencies"),
      {endpoint = ends, dtype = "float64"}), fs / (2 * pi)
  end
  local w = given.vector(worN, name, "frequencies")
  return cn.multiply(given.real(core.cast(w, "float64", name), name, "a frequency"), 2 * pi / fs), fs / (2 * pi)
end

--- The values of a polynomial in exp(-i w), lowest power first, at angles.
local function values(list, w)
  local cn, n = args.namespace, #list
  local k = cn.arange(0, n, 1, "float64")
  local turns = cn.exp(core.with_axis(w, 2) * k * cn.complex(0, -1))
  return (turns * forms.complex_array(list)):sum(2)
end

--- Coefficients that a filter is given by, as a list.
local function coefficients(x, default, name, what)
  local list = x == nil and {default} or type(x) == "number" and {x} or forms.read(given.vector(x, name, what), name)
  if #list == 0 then fail("%s: %s has no coefficients", name, what) end
  return complex.list(list)
end

local read_freqz = args.reader("signal.freqz", {"b", "a", "worN", "whole", "fs", "include_nyquist"})

--- The gain of a digital filter. Follows scipy.signal.freqz.
---@param b cuna.Operand numerator, a vector
---@param a cuna.Operand|nil denominator, default 1
---@param worN integer|cuna.Operand|nil how many frequencies, or which; default 512
---@param whole boolean|nil whether frequencies go up to fs, not to half of it
---@param fs number|nil sampling frequency, default 2 pi
---@param include_nyquist boolean|nil whether half of fs is the last frequency
---@return cuna.Array w frequencies
---@return cuna.Array h complex gains
---@usage (select(2, cn.signal.freqz({0.5, 0.5}, 1, 2))):round(6) --> [1. +0.j 0.5-0.5j]
function F.freqz(...)
  local b, a, worN, whole, fs, include_nyquist = read_freqz(...)
  local name = "signal.freqz"
  if b == nil then fail("%s: b is missing", name) end
  local w, factor = angles_of(worN, whole, fs, include_nyquist, name)
  local h = values(coefficients(b, nil, name, "b"), w) / values(coefficients(a, 1, name, "a"), w)
  return w * factor, h
end

local read_sosfreqz = args.reader("signal.sosfreqz", {"sos", "worN", "whole", "fs"})

--- The gain of a filter in sections of second order. Follows scipy.signal.sosfreqz.
---@param sos cuna.Operand shape (n, 6)
---@param worN integer|cuna.Operand|nil how many frequencies, or which; default 512
---@param whole boolean|nil
---@param fs number|nil default 2 pi
---@return cuna.Array w
---@return cuna.Array h
---@usage (select(2, cn.signal.sosfreqz({{1, 1, 0, 2 / 2, 0, 0}}, 2))):round(6) --> [2.+0.j 1.-1.j]
function F.sosfreqz(...)
  local sos, worN, whole, fs = read_sosfreqz(...)
  local name = "signal.sosfreqz"
  local w, factor = angles_of(worN, whole, fs, nil, name)
  local h
  for _, row in ipairs(forms.read_digital_sos(sos, name)) do
    local own = values(complex.list {unpack(row, 1, 3)}, w) / values(complex.list {unpack(row, 4, 6)}, w)
    h = h and h * own or own
  end
  return w * factor, h
end

local read_freqz_zpk = args.reader("signal.freqz_zpk", {"z", "p", "k", "worN", "whole", "fs"}, 3)

--- The gain of a filter of zeros and poles. Follows scipy.signal.freqz_zpk.
---@param z cuna.Operand zeros
---@param p cuna.Operand poles
---@param k number gain
---@param worN integer|cuna.Operand|nil default 512
---@param whole boolean|nil
---@param fs number|nil default 2 pi
---@return cuna.Array w
---@return cuna.Array h
---@usage (select(2, cn.signal.freqz_zpk({-1}, {}, 1, 2))):round(6) --> [2.+0.j 1.+1.j]
function F.freqz_zpk(...)
  local z, p, k, worN, whole, fs = read_freqz_zpk(...)
  local name, cn = "signal.freqz_zpk", args.namespace
  local w, factor = angles_of(worN, whole, fs, nil, name)
  local turn = cn.exp(w * cn.complex(0, 1))
  local function product(list)
    local made = cn.ones_like(turn)
    for _, root in ipairs(list) do made = made * (turn - cn.complex(root.re, root.im)) end
    return made
  end
  return w * factor, product(forms.read(z, name)) * check.real(k, name, "k") / product(forms.read(p, name))
end

local read_group_delay = args.reader("signal.group_delay", {"system", "w", "whole", "fs"}, 1)

--- The group delay of a digital filter in samples; 0 where the filter's gain is 0. Follows scipy.signal.group_delay.
---@param system table {b, a}
---@param w integer|cuna.Operand|nil how many frequencies, or which; default 512
---@param whole boolean|nil
---@param fs number|nil default 2 pi
---@return cuna.Array w
---@return cuna.Array gd
---@usage (select(2, cn.signal.group_delay({{1, 2, 1}, {1}}, 3))):round(6) --> [1. 1. 1.]
function F.group_delay(...)
  local system, worN, whole, fs = read_group_delay(...)
  local name, cn = "signal.group_delay", args.namespace
  if type(system) ~= "table" or #system ~= 2 then
    fail("%s: a system is {b, a}, got %s", name, check.show(system))
  end
  local w, factor = angles_of(worN, whole, fs, nil, name)
  local b, a = coefficients(system[1], 1, name, "b"), coefficients(system[2], 1, name, "a")
  local reversed, zero = {}, complex.new(0, 0)
  for k = 1, #a do reversed[k] = a[#a + 1 - k] end
  local c = {}
  for k = 1, #b + #a - 1 do c[k] = zero end
  for i = 1, #b do
    for j = 1, #a do c[i + j - 1] = c[i + j - 1] + b[i] * reversed[j] end
  end
  local weighted = {}
  for k = 1, #c do weighted[k] = c[k] * (k - 1) end
  local delay = (values(weighted, w) / values(c, w)).real - (#a - 1)
  return w * factor, cn.where(cn.isfinite(delay), delay, 0)
end

return M
