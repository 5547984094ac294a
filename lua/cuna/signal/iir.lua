--- iir.lua: design of recursive filters: their analog prototype is moved to the band and made digital.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local complex = require "cuna.signal.complex"
local core = require "cuna.core"
local forms = require "cuna.signal.forms"
local given = require "cuna.signal.given"
local prototypes = require "cuna.signal.prototypes"
local transforms = require "cuna.signal.transforms"

local M = {functions = {}}
local F = M.functions -- cn.signal

local fail = check.fail

---@alias cuna.BandType "lowpass"|"highpass"|"bandpass"|"bandstop" also "low", "lp", "high", "hp", "band", "pass", "bp",
--- "stop", "bs", "bands"

local BANDS, KINDS = {}, {}
for band, words in pairs {lowpass = "lowpass low lp l", highpass = "highpass high hp h", bandpass =
  "bandpass band pass bp", bandstop = "bandstop stop bands bs"} do
  for word in words:gmatch "%S+" do BANDS[word] = band end
end
for kind, words in pairs {butter = "butter butterworth", cheby1 = "cheby1 chebyi chebyshev1", cheby2 =
  "cheby2 chebyii chebyshev2", ellip = "ellip elliptic cauer",
    bessel = "bessel bessel_phase bessel_delay bessel_mag"} do
  for word in words:gmatch "%S+" do KINDS[word] = kind end
end

--- The kind of a word for it; nil for other words.
function M.kind(word) return KINDS[word] end

-- ---- what is asked for ----

--- One or two frequencies, in units in which half the sampling frequency is 1.
local function edges_of(Wn, fs, analog, name)
  if Wn == nil then fail("%s: Wn is missing", name) end
  local list = core.is_array(Wn) and given.reals(Wn, name, "Wn") or type(Wn) == "table" and {unpack(Wn)} or {Wn}
  if fs ~= nil and analog then fail("%s: an analog filter is without fs", name) end
  if #list < 1 or #list > 2 then fail("%s: Wn is one frequency or two, got %d", name, #list) end
  local half = fs ~= nil and check.real(fs, name, "fs") / 2 or 1
  for k = 1, #list do
    local w = check.real(list[k], name, "Wn")
    if (w ~= w or w <= 0) or not analog and (w ~= w or w >= half) then
      fail("%s: a frequency is above 0%s, got %g", name, analog and "" or (" and below %g"):format(half), w)
    end
    list[k] = w / half
  end
  if list[2] and list[1] >= list[2] then fail("%s: Wn[1] is below Wn[2], got %g and %g", name, list[1], list[2]) end
  return list
end

--- The prototype of a kind.
local function prototype(asked, name)
  local kind, order = KINDS[asked.ftype], prototypes.order(asked.N, name)
  local function decibels(what)
    if asked[what] == nil then fail("%s: a filter of ftype %q takes %s", name, asked.ftype, what) end
    return prototypes.decibels(asked[what], name, what)
  end
  if kind == "cheby1" then return prototypes.made.cheby1(order, decibels "rp") end
  if kind == "cheby2" then return prototypes.made.cheby2(order, decibels "rs") end
  if kind == "ellip" then return prototypes.made.ellip(order, decibels "rp", decibels "rs", name) end
  if kind == "bessel" then return prototypes.made.bessel(order, asked.ftype:match "_(%l+)$" or "phase", name) end
  return prototypes.made.butter(order)
end

--- A prototype moved to a band.
local function moved(band, z, p, k, edges, name)
  local move = transforms.made
  if band == "lowpass" then return move.lp2lp(z, p, k, edges[1], name) end
  if band == "highpass" then return move.lp2hp(z, p, k, edges[1], name) end
  local width, middle = edges[2] - edges[1], math.sqrt(edges[1] * edges[2])
  return move[band == "bandpass" and "lp2bp" or "lp2bs"](z, p, k, middle, width, name)
end

--- What a filter of some zeros and poles is returned as.
local function put_out(z, p, k, output, analog, name)
  if output == "zpk" then return forms.complex_array(z, name), forms.complex_array(p, name), k end
  if output == "sos" then
    return forms.matrix(forms.to_sos(z, p, k, transforms.pairing(nil, analog, name), analog, name), name)
  end
  local b, a = forms.to_tf(z, p, k)
  return forms.array(b, name), forms.array(a, name)
end

local OUTPUTS = {"ba", "zpk", "sos"}

--- Designs a filter: asked has N, Wn, rp, rs, btype, analog, ftype, output, fs.
local function design(asked, name)
  local band = BANDS[asked.btype]
  if not band then
    fail("%s: btype is \"lowpass\", \"highpass\", \"bandpass\" or \"bandstop\", got %s", name, check.show(asked.btype))
  end
  if not KINDS[asked.ftype] then
    fail("%s: ftype is \"butter\", \"cheby1\", \"cheby2\", \"ellip\" or \"bessel\", got %s", name,
      check.show(asked.ftype))
  end
  local output = given.word(asked.output, OUTPUTS, name, "output")
  local analog = check.boolean(asked.analog, false, name, "analog")
  local edges = edges_of(asked.Wn, asked.fs, analog, name)
  local wanted = (band == "lowpass" or band == "highpass") and 1 or 2
  if #edges ~= wanted then
    fail("%s: a %s filter takes %s, got %d", name, band, wanted == 1 and "one frequency" or "two frequencies", #edges)
  end
  local z, p, k = prototype(asked, name)
  if not analog then
    for j, w in ipairs(edges) do edges[j] = 4 * math.tan(math.pi * w / 2) end
  end
  z, p, k = moved(band, z, p, k, edges, name)
  if not analog then z, p, k = transforms.made.bilinear(z, p, k, 2, name) end
  return put_out(z, p, k, output, analog, name)
end

local read_iirfilter = args.reader("signal.iirfilter", {"N", "Wn", "rp", "rs", "btype", "analog", "ftype", "output",
  "fs"}, 2)

--- Designs a recursive filter. Follows scipy.signal.iirfilter.
---@param N integer order
---@param Wn number|number[] edges of the band; of digital filters in units of half the sampling frequency, or fs
---@param rp number|nil ripples of the passband in dB ("cheby1", "ellip")
---@param rs number|nil attenuation of the stopband in dB ("cheby2", "ellip")
---@param btype cuna.BandType|nil default "bandpass"
---@param analog boolean|nil default false
---@param ftype "butter"|"cheby1"|"cheby2"|"ellip"|"bessel"|nil default "butter"
---@param output "ba"|"zpk"|"sos"|nil coefficients (default); zeros, poles, gain; sections
---@param fs number|nil sampling frequency
---@return cuna.Array b, or z, or sos
---@return cuna.Array|nil a, or p
---@return number|nil k
---@usage cn.signal.iirfilter(1, 0.2, {btype = "lowpass"}) --> [0.24523728 0.24523728], [ 1. -0.50952545]
function F.iirfilter(...)
  local N, Wn, rp, rs, btype, analog, ftype, output, fs = read_iirfilter(...)
  return design({N = N, Wn = Wn, rp = rp, rs = rs, btype = btype == nil and "bandpass" or btype, analog = analog,
    ftype = ftype == nil and "butter" or ftype, output = output, fs = fs}, "signal.iirfilter")
end

--- A function that designs one kind, whose parameters in front of Wn are `own`.
local function designer(word, own)
  local name, names = "signal." .. word, {"N"}
  for _, parameter in ipairs(own) do names[#names + 1] = parameter end
  for parameter in ("Wn btype analog output " .. (word == "bessel" and "norm fs" or "fs")):gmatch "%S+" do
    names[#names + 1] = parameter
  end
  local read = args.reader(name, names, 2 + #own)
  return function(...)
    local values, asked = {read(...)}, {ftype = word}
    for k, parameter in ipairs(names) do asked[parameter] = values[k] end
    if asked.btype == nil then asked.btype = "lowpass" end
    if asked.norm ~= nil then
      asked.ftype = "bessel_" .. given.word(asked.norm, {"phase", "delay", "mag"}, name, "norm")
    end
    return design(asked, name)
  end
end

--- A Butterworth filter, as flat as can be in its passband. Follows scipy.signal.butter.
---@param N integer order
---@param Wn number|number[] edges of the band
---@param btype cuna.BandType|nil default "lowpass"
---@param analog boolean|nil
---@param output "ba"|"zpk"|"sos"|nil
---@param fs number|nil
---@return cuna.Array b, or z, or sos
---@return cuna.Array|nil a, or p
---@return number|nil k
---@usage cn.signal.butter(1, 0.2) --> [0.24523728 0.24523728], [ 1. -0.50952545]
F.butter = designer("butter", {})

--- A Chebyshev filter with ripples in its passband. Follows scipy.signal.cheby1.
---@param N integer order
---@param rp number ripples in dB
---@param Wn number|number[]
---@param btype cuna.BandType|nil default "lowpass"
---@param analog boolean|nil
---@param output "ba"|"zpk"|"sos"|nil
---@param fs number|nil
---@return cuna.Array b, or z, or sos
---@return cuna.Array|nil a, or p
---@return number|nil k
---@usage (cn.signal.cheby1(2, 1, 0.2)):round(4) --> [0.0704 0.1408 0.0704]
F.cheby1 = designer("cheby1", {"rp"})

--- A Chebyshev filter with ripples in its stopband. Follows scipy.signal.cheby2.
---@param N integer order
---@param rs number attenuation in dB
---@param Wn number|number[]
---@param btype cuna.BandType|nil default "lowpass"
---@param analog boolean|nil
---@param output "ba"|"zpk"|"sos"|nil
---@param fs number|nil
---@return cuna.Array b, or z, or sos
---@return cuna.Array|nil a, or p
---@return number|nil k
---@usage (cn.signal.cheby2(2, 40, 0.2)):round(4) --> [ 0.0114 -0.0148 0.0114]
F.cheby2 = designer("cheby2", {"rs"})

--- An elliptic filter, with ripples in both bands. Follows scipy.signal.ellip.
---@param N integer order
---@param rp number ripples of the passband in dB
---@param rs number attenuation in dB
---@param Wn number|number[]
---@param btype cuna.BandType|nil default "lowpass"
---@param analog boolean|nil
---@param output "ba"|"zpk"|"sos"|nil
---@param fs number|nil
---@return cuna.Array b, or z, or sos
---@return cuna.Array|nil a, or p
---@return number|nil k
---@usage (cn.signal.ellip(2, 1, 40, 0.2)):round(4) --> [0.0776 0.1281 0.0776]
F.ellip = designer("ellip", {"rp", "rs"})

--- A Bessel filter, whose delay hardly depends on the frequency. Follows scipy.signal.bessel.
---@param N integer order, up to 25
---@param Wn number|number[]
---@param btype cuna.BandType|nil default "lowpass"
---@param analog boolean|nil
---@param output "ba"|"zpk"|"sos"|nil
---@param norm "phase"|"delay"|"mag"|nil what Wn is of, default "phase"
---@param fs number|nil
---@return cuna.Array b, or z, or sos
---@return cuna.Array|nil a, or p
---@return number|nil k
---@usage (cn.signal.bessel(2, 0.2)):round(4) --> [0.0633 0.1266 0.0633]
F.bessel = designer("bessel", {})

-- ---- one frequency ----

--- A frequency in units of half the sampling frequency, and a quality.
local function tuned(w0, Q, fs, name)
  fs = check.real(fs == nil and 2 or fs, name, "fs")
  w0, Q = check.real(w0, name, "w0"), check.real(Q, name, "Q")
  if not (w0 > 0 and w0 < fs / 2) then fail("%s: w0 is above 0 and below fs / 2 = %g, got %g", name, fs / 2, w0) end
  if Q ~= Q or Q <= 0 then fail("%s: Q is above 0, got %g", name, Q) end
  return 2 * w0 / fs, Q
end

local function vectors(b, a, name)
  return core.as_array(b, "float64", nil, name), core.as_array(a, "float64", nil, name)
end

--- iirnotch and iirpeak, whose gains at half the width are 1 / sqrt(2).
local function resonance(w0, Q, fs, is_peak, name)
  w0, Q = tuned(w0, Q, fs, name)
  local gain = 1 / (1 + math.tan(w0 / Q * math.pi / 2))
  local c = math.cos(w0 * math.pi)
  local b = is_peak and {1 - gain, 0, gain - 1} or {gain, -2 * gain * c, gain}
  return vectors(b, {1, -2 * gain * c, 2 * gain - 1}, name)
end

local read_iirnotch = args.reader("signal.iirnotch", {"w0", "Q", "fs"}, 2)

--- A filter that takes out one frequency. Follows scipy.signal.iirnotch.
---@param w0 number the frequency
---@param Q number quality: w0 over the width at -3 dB
---@param fs number|nil sampling frequency, default 2
---@return cuna.Array b
---@return cuna.Array a
---@usage (cn.signal.iirnotch(0.5, 1)):round(4) --> [ 0.5 -0. 0.5]
function F.iirnotch(...)
  local w0, Q, fs = read_iirnotch(...)
  return resonance(w0, Q, fs, false, "signal.iirnotch")
end

local read_iirpeak = args.reader("signal.iirpeak", {"w0", "Q", "fs"}, 2)

--- A filter that leaves one frequency. Follows scipy.signal.iirpeak.
---@param w0 number the frequency
---@param Q number quality
---@param fs number|nil default 2
---@return cuna.Array b
---@return cuna.Array a
---@usage (cn.signal.iirpeak(0.5, 1)):round(4) --> [ 0.5 0. -0.5]
function F.iirpeak(...)
  local w0, Q, fs = read_iirpeak(...)
  return resonance(w0, Q, fs, true, "signal.iirpeak")
end

local MOST_COMB = 1e6 -- coefficients, which are a table of Lua first
local read_iircomb = args.reader("signal.iircomb", {"w0", "Q", "ftype", "fs", "pass_zero"}, 2)

--- A filter that takes out, or leaves, a frequency and its multiples. Follows scipy.signal.iircomb.
---@param w0 number the frequency; fs is a multiple of it
---@param Q number quality
---@param ftype "notch"|"peak"|nil default "notch"
---@param fs number|nil default 2
---@param pass_zero boolean|nil whether the notches, or peaks, begin between 0 and w0, default false
---@return cuna.Array b
---@return cuna.Array a
---@usage (cn.signal.iircomb(0.5, 10, "notch")):round(4) --> [ 0.8633 0. 0. 0. -0.8633]
function F.iircomb(...)
  local w0, Q, ftype, fs, pass_zero = read_iircomb(...)
  local name = "signal.iircomb"
  local is_peak = given.word(ftype, {"notch", "peak"}, name, "ftype") == "peak"
  pass_zero = check.boolean(pass_zero, false, name, "pass_zero")
  w0, Q = tuned(w0, Q, fs, name)
  local N = check.few(math.floor(2 / w0 + 0.5), MOST_COMB, name, "fs / w0")
  if math.abs(w0 - 2 / N) > 2e-14 then fail("%s: fs is a multiple of w0", name) end
  local beta = math.tan(N * math.pi * w0 / Q / 4)
  local ax, sign = (1 - beta) / (1 + beta), is_peak == pass_zero and -1 or 1
  local bx, cx = (is_peak and beta or 1) / (1 + beta), (is_peak and -beta or 1) / (1 + beta)
  local b, a = {}, {}
  for k = 1, N + 1 do b[k], a[k] = 0, 0 end
  b[1], b[N + 1], a[1], a[N + 1] = bx, sign * cx, 1, sign * ax
  return vectors(b, a, name)
end

--- The poles of a denominator, whose filter is stable if they are within the unit circle.
function M.is_stable(a, name)
  for _, p in ipairs(forms.roots(complex.list(a), name)) do
    if complex.abs(p) >= 1 then return false end
  end
  return true
end

return M
