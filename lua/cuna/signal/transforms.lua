--- transforms.lua: analog filters moved to other frequencies, and made digital: of zeros and poles, or coefficients.
--
-- Computed on the host in doubles. Functions of coefficients collect powers as SciPy's do.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local complex = require "cuna.signal.complex"
local forms = require "cuna.signal.forms"
local given = require "cuna.signal.given"

local M = {functions = {}, made = {}}
local F = M.functions -- cn.signal
local P = M.made      -- the same of lists on the host

local fail = check.fail
local make = complex.new

-- ---- zeros and poles ----

--- How many poles there are beyond the zeros.
local function degree(z, p, name)
  if #p < #z then fail("%s: at least as many poles as zeros, got %d and %d", name, #p, #z) end
  return #p - #z
end

local function times(list, factor) return complex.map(list, function(z) return z * factor end) end

local function append(list, count, value)
  for _ = 1, count do list[#list + 1] = value end
  return list
end

local function negative(z) return -z end

local function gain_at_zero(z, p) return (complex.product(z, negative) / complex.product(p, negative)).re end

function P.lp2lp(z, p, k, wo, name)
  return times(z, wo), times(p, wo), k * wo ^ degree(z, p, name)
end

function P.lp2hp(z, p, k, wo, name)
  local function inverted(q) return wo / q end
  local made = append(complex.map(z, inverted), degree(z, p, name), make(0, 0))
  return made, complex.map(p, inverted), k * gain_at_zero(z, p)
end

--- Both numbers whose distance from the middle is root(z ^ 2 - wo ^ 2).
local function both(list, wo)
  local made, n = {}, #list
  for j, z in ipairs(list) do
    local root = complex.sqrt(z * z - wo * wo)
    made[j], made[n + j] = z + root, z - root
  end
  return made
end

function P.lp2bp(z, p, k, wo, bw, name)
  local more = degree(z, p, name)
  return append(both(times(z, bw / 2), wo), more, make(0, 0)), both(times(p, bw / 2), wo), k * bw ^ more
end

function P.lp2bs(z, p, k, wo, bw, name)
  local function inverted(q) return bw / 2 / q end
  local more = degree(z, p, name)
  local made = append(both(complex.map(z, inverted), wo), more, make(0, wo))
  return append(made, more, make(0, -wo)), both(complex.map(p, inverted), wo), k * gain_at_zero(z, p)
end

function P.bilinear(z, p, k, fs, name)
  local twice = 2 * fs
  local function moved(q) return (twice + q) / (twice - q) end
  local function distance(q) return twice - q end
  local made = append(complex.map(z, moved), degree(z, p, name), make(-1, 0))
  return made, complex.map(p, moved), k * (complex.product(z, distance) / complex.product(p, distance)).re
end

--- A function of z, p, k and numbers, which are 1 by default.
local function of_zpk(word, count, parameters)
  local name, names = "signal." .. word .. "_zpk", {"z", "p", "k", unpack(parameters)}
  local read = args.reader(name, names, 3)
  return function(...)
    local values = {read(...)}
    local k, numbers = check.real(values[3], name, "k"), {}
    for j = 1, count do
      local value = values[3 + j]
      numbers[j] = check.real(value == nil and 1 or value, name, parameters[j])
    end
    numbers[#numbers + 1] = name
    local z, p, gain = P[word](forms.read(values[1], name), forms.read(values[2], name), k, unpack(numbers))
    return forms.complex_array(z, name), forms.complex_array(p, name), gain
  end
end

--- A lowpass filter of another edge. Follows scipy.signal.lp2lp_zpk.
---@param z cuna.Operand zeros
---@param p cuna.Operand poles
---@param k number gain
---@param wo number|nil default 1
---@return cuna.Array z
---@return cuna.Array p
---@return number k
---@usage cn.signal.lp2lp_zpk({}, {-1}, 1, 3) --> [], [-3.+0.j], 3
F.lp2lp_zpk = of_zpk("lp2lp", 1, {"wo"})

--- A highpass filter from a lowpass one. Follows scipy.signal.lp2hp_zpk.
---@param z cuna.Operand
---@param p cuna.Operand
---@param k number
---@param wo number|nil default 1
---@return cuna.Array z
---@return cuna.Array p
---@return number k
---@usage (cn.signal.lp2hp_zpk({}, {-1}, 1, 3)) --> [0.+0.j]
F.lp2hp_zpk = of_zpk("lp2hp", 1, {"wo"})

--- A bandpass filter from a lowpass one. Follows scipy.signal.lp2bp_zpk.
---@param z cuna.Operand
---@param p cuna.Operand
---@param k number
---@param wo number|nil the middle, default 1
---@param bw number|nil the width, default 1
---@return cuna.Array z
---@return cuna.Array p
---@return number k
---@usage select(3, cn.signal.lp2bp_zpk({}, {-1}, 1, 3, 2)) --> 2
F.lp2bp_zpk = of_zpk("lp2bp", 2, {"wo", "bw"})

--- A bandstop filter from a lowpass one. Follows scipy.signal.lp2bs_zpk.
---@param z cuna.Operand
---@param p cuna.Operand
---@param k number
---@param wo number|nil the middle, default 1
---@param bw number|nil the width, default 1
---@return cuna.Array z
---@return cuna.Array p
---@return number k
---@usage (cn.signal.lp2bs_zpk({}, {-1}, 1, 3, 2)) --> [0.+3.j 0.-3.j]
F.lp2bs_zpk = of_zpk("lp2bs", 2, {"wo", "bw"})

--- A digital filter from an analog one, by Tustin's method. Follows scipy.signal.bilinear_zpk.
---@param z cuna.Operand
---@param p cuna.Operand
---@param k number
---@param fs number sampling frequency
---@return cuna.Array z
---@return cuna.Array p
---@return number k
---@usage cn.signal.bilinear_zpk({}, {-1}, 1, 1) --> [-1.+0.j], [0.33333333+0.j], 0.33333333333333
F.bilinear_zpk = of_zpk("bilinear", 1, {"fs"})

-- ---- coefficients ----

local function choose(n, k)
  local c = 1
  for j = 1, k do c = c * (n - k + j) / j end
  return c
end

--- Coefficients (lowest power first, from 0) by their powers: each of b's is added to some of the result's.
local function collect(list, count, visit)
  local made = {}
  for k = 1, count + 1 do made[k] = make(0, 0) end
  local last = #list - 1
  for i = 0, last do
    visit(i, function(power,
      factor) made[count + 1 - power] = made[count + 1 - power] + list[last + 1 - i] * factor end)
  end
  return made
end

-- Of the power i of a coefficient, the most powers M, the middle wo and the width bw: which powers of the result it
-- gives, times what. The first function says how many powers the result has, of `last` and M.
local POWERS = {
  lp2bp = {function(last, most) return last + most end, function(i, most, wo, bw, give)
    for k = 0, i do give(most - i + 2 * k, choose(i, k) * (wo * wo) ^ (i - k) / bw ^ i) end
  end},
  lp2bs = {function(_, most) return 2 * most end, function(i, most, wo, bw, give)
    for k = 0, most - i do give(i + 2 * k, choose(most - i, k) * (wo * wo) ^ (most - i - k) * bw ^ i) end
  end},
  lp2lp = {function(last) return last end, function(i, _, wo, _, give) give(i, wo ^ -i) end},
  lp2hp = {function(_, most) return most end, function(i, most, wo, _, give) give(most - i, wo ^ i) end},
  bilinear = {function(_, most) return most end, function(i, most, fs, _, give)
    for k = 0, i do
      for l = 0, most - i do
        give(most - k - l, choose(i, k) * choose(most - i, l) * (2 * fs) ^ i * (-1) ^ k)
      end
    end
  end},
}

--- A function of b, a and numbers, which are 1 by default.
local function of_coefficients(word, parameters)
  local name = "signal." .. word
  local read, powers = args.reader(name, {"b", "a", unpack(parameters)}, 2), POWERS[word]
  return function(...)
    local b, a, first, second = read(...)
    local numbers = {first == nil and 1 or first, second == nil and 1 or second}
    for k, parameter in ipairs(parameters) do check.real(numbers[k], name, parameter) end
    b, a = forms.read(b, name), forms.read(a, name)
    if #b == 0 or #a == 0 then fail("%s: there are no coefficients", name) end
    local most = math.max(#a, #b) - 1
    local function moved(list)
      return collect(list, powers[1](#list - 1, most), function(i, give)
        powers[2](i, most, numbers[1], numbers[2], give)
      end)
    end
    b, a = forms.normalised(moved(b), moved(a), name)
    return forms.array(b, name), forms.array(a, name)
  end
end

--- A lowpass filter of another edge. Follows scipy.signal.lp2lp.
---@param b cuna.Operand numerator, highest power first
---@param a cuna.Operand denominator
---@param wo number|nil default 1
---@return cuna.Array b
---@return cuna.Array a
---@usage cn.signal.lp2lp({1}, {1, 1}, 3) --> [3.], [1. 3.]
F.lp2lp = of_coefficients("lp2lp", {"wo"})

--- A highpass filter from a lowpass one. Follows scipy.signal.lp2hp.
---@param b cuna.Operand
---@param a cuna.Operand
---@param wo number|nil default 1
---@return cuna.Array b
---@return cuna.Array a
---@usage cn.signal.lp2hp({1}, {1, 1}, 3) --> [1. 0.], [1. 3.]
F.lp2hp = of_coefficients("lp2hp", {"wo"})

--- A bandpass filter from a lowpass one. Follows scipy.signal.lp2bp.
---@param b cuna.Operand
---@param a cuna.Operand
---@param wo number|nil the middle, default 1
---@param bw number|nil the width, default 1
---@return cuna.Array b
---@return cuna.Array a
---@usage cn.signal.lp2bp({1}, {1, 1}, 3, 2) --> [2. 0.], [1. 2. 9.]
F.lp2bp = of_coefficients("lp2bp", {"wo", "bw"})

--- A bandstop filter from a lowpass one. Follows scipy.signal.lp2bs.
---@param b cuna.Operand
---@param a cuna.Operand
---@param wo number|nil the middle, default 1
---@param bw number|nil the width, default 1
---@return cuna.Array b
---@return cuna.Array a
---@usage cn.signal.lp2bs({1}, {1, 1}, 3, 2) --> [1. 0. 9.], [1. 2. 9.]
F.lp2bs = of_coefficients("lp2bs", {"wo", "bw"})

--- A digital filter from an analog one, by Tustin's method. Follows scipy.signal.bilinear.
---@param b cuna.Operand
---@param a cuna.Operand
---@param fs number|nil sampling frequency, default 1
---@return cuna.Array b
---@return cuna.Array a
---@usage cn.signal.bilinear({1}, {1, 1}, 1) --> [0.33333333 0.33333333], [ 1. -0.33333333]
F.bilinear = of_coefficients("bilinear", {"fs"})

-- ---- from one form to another ----

--- Zeros, poles and gain of coefficients. Follows scipy.signal.tf2zpk.
---@param b cuna.Operand
---@param a cuna.Operand
---@return cuna.Array z complex
---@return cuna.Array p complex
---@return number k
---@usage cn.signal.tf2zpk({1, 2}, {1, 0.5}) --> [-2.+0.j], [-0.5+0.j], 1
function F.tf2zpk(b, a)
  local name = "signal.tf2zpk"
  local z, p, k = forms.to_zpk(forms.read(b, name), forms.read(a, name), name)
  return forms.complex_array(z, name), forms.complex_array(p, name), k.re
end

--- Coefficients of zeros, poles and a gain. Follows scipy.signal.zpk2tf.
---@param z cuna.Operand
---@param p cuna.Operand
---@param k number
---@return cuna.Array b real where the zeros are in conjugate pairs
---@return cuna.Array a
---@usage cn.signal.zpk2tf({-1}, {0.5}, 2) --> [2. 2.], [ 1. -0.5]
function F.zpk2tf(z, p, k)
  local name = "signal.zpk2tf"
  local b, a = forms.to_tf(forms.read(z, name), forms.read(p, name), check.real(k, name, "k"))
  return forms.array(b, name), forms.array(a, name)
end

local PAIRINGS = {"nearest", "keep_odd", "minimal"}

--- How zeros are paired with poles.
function M.pairing(pairing, analog, name)
  if pairing == nil then pairing = analog and "minimal" or "nearest" end
  given.word(pairing, PAIRINGS, name, "pairing")
  if analog and pairing ~= "minimal" then fail("%s: of analog filters the pairing is \"minimal\"", name) end
  return pairing
end

local read_zpk2sos = args.reader("signal.zpk2sos", {"z", "p", "k", "pairing", "analog"}, 3)

--- Sections of second order of zeros, poles and a gain. Follows scipy.signal.zpk2sos.
---@param z cuna.Operand in conjugate pairs
---@param p cuna.Operand in conjugate pairs
---@param k number
---@param pairing "nearest"|"keep_odd"|"minimal"|nil default "nearest", of analog filters "minimal"
---@param analog boolean|nil default false
---@return cuna.Array sos shape (n, 6)
---@usage cn.signal.zpk2sos({-1}, {0.5}, 2) --> [[ 2. 2. 0. 1. -0.5 0. ]]
function F.zpk2sos(...)
  local z, p, k, pairing, analog = read_zpk2sos(...)
  local name = "signal.zpk2sos"
  analog = check.boolean(analog, false, name, "analog")
  return forms.matrix(forms.to_sos(forms.read(z, name), forms.read(p, name), check.real(k, name, "k"),
    M.pairing(pairing, analog, name), analog, name), name)
end

local read_tf2sos = args.reader("signal.tf2sos", {"b", "a", "pairing", "analog"}, 2)

--- Sections of second order of coefficients. Follows scipy.signal.tf2sos.
---@param b cuna.Operand
---@param a cuna.Operand
---@param pairing "nearest"|"keep_odd"|"minimal"|nil
---@param analog boolean|nil default false
---@return cuna.Array sos shape (n, 6)
---@usage cn.signal.tf2sos({2, 2}, {1, -0.5}) --> [[ 2. 2. 0. 1. -0.5 0. ]]
function F.tf2sos(...)
  local b, a, pairing, analog = read_tf2sos(...)
  local name = "signal.tf2sos"
  analog = check.boolean(analog, false, name, "analog")
  local z, p, k = forms.to_zpk(forms.read(b, name), forms.read(a, name), name)
  return forms.matrix(forms.to_sos(z, p, k.re, M.pairing(pairing, analog, name), analog, name), name)
end

--- Coefficients of sections of second order. Follows scipy.signal.sos2tf.
---@param sos cuna.Operand shape (n, 6)
---@return cuna.Array b
---@return cuna.Array a
---@usage cn.signal.sos2tf {{1, 2, 1, 1, 0, 0}, {1, 0, 0, 1, 0.5, 0}} --> [1. 2. 1. 0. 0.], [1. 0.5 0. 0. 0. ]
function F.sos2tf(sos)
  local name, b, a = "signal.sos2tf", {1}, {1}
  for _, row in ipairs(forms.read_sos(sos, name)) do
    b, a = forms.multiply(b, {unpack(row, 1, 3)}), forms.multiply(a, {unpack(row, 4, 6)})
  end
  local function cut(list) -- NumPy's polymul
    while #list > 1 and list[1] == 0 do table.remove(list, 1) end
    return complex.list(list)
  end
  return forms.array(cut(b), name), forms.array(cut(a), name)
end

--- Zeros, poles and gain of sections of second order. Follows scipy.signal.sos2zpk.
---@param sos cuna.Operand shape (n, 6)
---@return cuna.Array z complex, two for each section
---@return cuna.Array p complex
---@return number k
---@usage (cn.signal.sos2zpk {{1, 2, 1, 1, 0, 0}}):round(6) --> [-1.+0.j -1.+0.j]
function F.sos2zpk(sos)
  local name, zeros, poles, gain = "signal.sos2zpk", {}, {}, 1
  for _, row in ipairs(forms.read_sos(sos, name)) do
    local z, p, k = forms.to_zpk(complex.list {unpack(row, 1, 3)}, complex.list {unpack(row, 4, 6)}, name)
    for j = 1, 2 do
      zeros[#zeros + 1], poles[#poles + 1] = z[j] or make(0, 0), p[j] or make(0, 0)
    end
    gain = gain * k.re
  end
  return forms.complex_array(zeros, name), forms.complex_array(poles, name), gain
end

args.bound(F, {tf2zpk = "b a", zpk2tf = "z p k", sos2tf = "sos", sos2zpk = "sos"})

return M
