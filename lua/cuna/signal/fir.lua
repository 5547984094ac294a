--- fir.lua: design of filters without recursion: taps by windows, least squares or the least greatest error.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local given = require "cuna.signal.given"
local remez = require "cuna.signal.remez"
local windows = require "cuna.signal.windows"

local M = {functions = {}}
local F = M.functions -- cn.signal

local fail, pi = check.fail, math.pi
local MOST = 2 ^ 24 -- taps

-- ---- arguments ----

local function taps_count(numtaps, name)
  numtaps = check.few(numtaps, MOST, name, "numtaps")
  if numtaps < 1 then fail("%s: numtaps is from 1 on, got %d", name, numtaps) end
  return numtaps
end

local function sampling(fs, default, name)
  fs = check.real(fs == nil and default or fs, name, "fs")
  if fs ~= fs or fs <= 0 then fail("%s: fs is above 0, got %g", name, fs) end
  return fs
end

--- Real numbers of a table, an array or a number.
local function list_of(x, name, what)
  if type(x) == "number" then return {x} end
  return (given.reals(x, name, what))
end

local function window_of(window, numtaps)
  return core.cast(windows.functions.get_window(window, numtaps, false), "float64")
end

-- ---- Kaiser's formulas ----

--- The parameter of a Kaiser window for an attenuation. Follows scipy.signal.kaiser_beta.
---@param a number dB
---@return number
---@usage ("%.4f"):format(cn.signal.kaiser_beta(65)) --> 6.2043
function F.kaiser_beta(a)
  a = check.real(a, "signal.kaiser_beta", "a")
  if a > 50 then return 0.1102 * (a - 8.7) end
  return a > 21 and 0.5842 * (a - 21) ^ 0.4 + 0.07886 * (a - 21) or 0
end

--- The attenuation of a filter by a Kaiser window. Follows scipy.signal.kaiser_atten.
---@param numtaps integer
---@param width number of the transition, in units of half the sampling frequency
---@return number dB
---@usage ("%.4f"):format(cn.signal.kaiser_atten(211, 0.0375)) --> 64.4810
function F.kaiser_atten(numtaps, width)
  local name = "signal.kaiser_atten"
  return 2.285 * (taps_count(numtaps, name) - 1) * pi * check.real(width, name, "width") + 7.95
end

--- How many taps, and which parameter, a Kaiser window takes for an attenuation. Follows scipy.signal.kaiserord.
---@param ripple number dB
---@param width number of the transition, in units of half the sampling frequency
---@return integer numtaps
---@return number beta
---@usage ("%d %.4f"):format(cn.signal.kaiserord(65, 0.0375)) --> 213 6.2043
function F.kaiserord(ripple, width)
  local name = "signal.kaiserord"
  ripple, width = math.abs(check.real(ripple, name, "ripple")), check.real(width, name, "width")
  if ripple < 8 then fail("%s: Kaiser's formula is for ripples from 8 dB on, got %g", name, ripple) end
  if width ~= width or width <= 0 then fail("%s: width is above 0, got %g", name, width) end
  return math.ceil((ripple - 7.95) / 2.285 / (pi * width) + 1), F.kaiser_beta(ripple)
end

args.bound(F, {kaiser_beta = "a", kaiser_atten = "numtaps width", kaiserord = "ripple width"})

-- ---- windows ----

local PASS = {lowpass = true, bandstop = true, bandpass = false, highpass = false}

--- Whether 0 is passed, of true, false or the name of a band.
local function passes_zero(pass_zero, count, name)
  if type(pass_zero) ~= "string" then return check.boolean(pass_zero, true, name, "pass_zero") end
  if PASS[pass_zero] == nil then
    fail("%s: pass_zero is true, false, \"lowpass\", \"highpass\", \"bandpass\" or \"bandstop\", got %q", name,
      pass_zero)
  end
  local is_one = pass_zero:find "^[lh]" ~= nil
  if is_one ~= (count == 1) then
    fail("%s: a %s filter takes %s, got %d", name, pass_zero, is_one and "one frequency" or "several frequencies",
      count)
  end
  return PASS[pass_zero]
end

--- The edges of the bands that are passed, from 0 to 1: first, last, first, last.
local function bands_of(cutoff, pass_zero, numtaps, fs, name)
  local list, last = {}, 0
  for k, f in ipairs(list_of(cutoff, name, "cutoff")) do
    f = f / (fs / 2)
    if not (f > last and f < 1) then
      fail("%s: frequencies rise between 0 and fs / 2 = %g; number %d is %g", name, fs / 2, k, f * fs / 2)
    end
    list[k], last = f, f
  end
  if #list == 0 then fail("%s: there are no frequencies", name) end
  if passes_zero(pass_zero, #list, name) then table.insert(list, 1, 0) end
  if #list % 2 == 1 then
    if numtaps % 2 == 0 then fail("%s: an even number of taps passes nothing at fs / 2, got %d", name, numtaps) end
    list[#list + 1] = 1
  end
  return list
end

local read_firwin = args.reader("signal.firwin", {"numtaps", "cutoff", "width", "window", "pass_zero", "scale", "fs"},
  2)

--- Taps by a window of the ideal filter. Follows scipy.signal.firwin.
---@param numtaps integer
---@param cutoff number|number[] edges of the bands, in units of half the sampling frequency, or fs
---@param width number|nil of the transition; a Kaiser window is taken
---@param window string|number|table|nil as of cn.signal.get_window, default "hamming"
---@param pass_zero boolean|"lowpass"|"highpass"|"bandpass"|"bandstop"|nil whether 0 is passed, default true
---@param scale boolean|nil whether the first band's middle has the gain 1, default true
---@param fs number|nil sampling frequency, default 2
---@return cuna.Array
---@usage cn.signal.firwin(3, 0.1):round(4) --> [0.068 0.864 0.068]
---@usage cn.signal.firwin(3, 0.5, {pass_zero = false}):round(4) --> [-0.0462 0.9076 -0.0462]
function F.firwin(...)
  local numtaps, cutoff, width, window, pass_zero, scale, fs = read_firwin(...)
  local name, cn = "signal.firwin", args.namespace
  numtaps, fs = taps_count(numtaps, name), sampling(fs, 2, name)
  local bands = bands_of(cutoff, pass_zero, numtaps, fs, name)
  if width ~= nil then
    window = {"kaiser", F.kaiser_beta(F.kaiser_atten(numtaps, check.real(width, name, "width") / (fs / 2)))}
  end
  local m, h = cn.arange(0, numtaps, 1, "float64") - (numtaps - 1) / 2, nil
  for k = 1, #bands, 2 do
    local band = cn.sinc(m * bands[k + 1]) * bands[k + 1] - cn.sinc(m * bands[k]) * bands[k]
    h = h and h + band or band
  end
  h = h * window_of(window == nil and "hamming" or window, numtaps)
  if not check.boolean(scale, true, name, "scale") then return h end
  local left, right = bands[1], bands[2]
  local at = left == 0 and 0 or right == 1 and 1 or (left + right) / 2
  return h / (h * cn.cos(m * (pi * at))):sum()
end

--- Checks frequencies and gains of firwin2, and moves equal frequencies apart.
local function check_gains(freq, gain, half, name)
  local n = #freq
  if n ~= #gain or n < 2 then fail("%s: as many gains as frequencies, from 2 on, got %d and %d", name, #gain, n) end
  if freq[1] ~= 0 or freq[n] ~= half then
    fail("%s: freq begins with 0 and ends with fs / 2 = %g, got %g and %g", name, half, freq[1], freq[n])
  end
  if freq[2] == 0 or freq[n - 1] == half then fail("%s: 0 and fs / 2 come once in freq", name) end
  local tiny = 2 ^ -52 * half
  for k = 2, n do
    if freq[k] < freq[k - 1] then fail("%s: freq does not fall; number %d does", name, k) end
    if k > 2 and freq[k] == freq[k - 2] then fail("%s: a frequency comes at most twice; %g does not", name, freq[k]) end
  end
  for k = 1, n - 1 do
    if freq[k] == freq[k + 1] then freq[k], freq[k + 1] = freq[k] - tiny, freq[k + 1] + tiny end
  end
end

--- Checks that the kind of a symmetric filter has the gains at 0 and half the sampling frequency.
local function check_kind(kind, gain, name)
  if (kind == 3 or kind == 4) and gain[1] ~= 0 then
    fail("%s: an antisymmetric filter has the gain 0 at frequency 0, got %g", name, gain[1])
  end
  if (kind == 2 or kind == 3) and gain[#gain] ~= 0 then
    fail("%s: this number of taps has the gain 0 at fs / 2, got %g", name, gain[#gain])
  end
end

local read_firwin2 = args.reader("signal.firwin2", {"numtaps", "freq", "gain", "nfreqs", "window", "antisymmetric",
  "fs"},
  3)

--- Taps by a window of a filter with any gain. Follows scipy.signal.firwin2.
---@param numtaps integer
---@param freq cuna.Operand rising frequencies, from 0 to fs / 2
---@param gain cuna.Operand gains at these
---@param nfreqs integer|nil points of the transform, default 1 + a power of two
---@param window string|number|table|false|nil default "hamming"; false: none
---@param antisymmetric boolean|nil default false
---@param fs number|nil sampling frequency, default 2
---@return cuna.Array
---@usage cn.signal.firwin2(3, {0, 0.5, 1}, {1, 1, 0}):round(4) --> [0.0171 0.75 0.0171]
function F.firwin2(...)
  local numtaps, freq, gain, nfreqs, window, antisymmetric, fs = read_firwin2(...)
  local name, cn = "signal.firwin2", args.namespace
  numtaps = taps_count(numtaps, name)
  local half = sampling(fs, 2, name) / 2
  antisymmetric = check.boolean(antisymmetric, false, name, "antisymmetric")
  local edges = list_of(freq, name, "freq")
  freq, gain = {}, list_of(gain, name, "gain")
  for k, f in ipairs(edges) do freq[k] = f end
  check_gains(freq, gain, half, name)
  local kind = (antisymmetric and 3 or 1) + (numtaps % 2 == 0 and 1 or 0)
  check_kind(kind, gain, name)
  if nfreqs == nil then nfreqs = 1 + 2 ^ math.ceil(math.log(numtaps) / math.log(2) - 1e-12) end
  nfreqs = check.count(nfreqs, name, "nfreqs")
  if nfreqs <= numtaps then
    fail("%s: nfreqs is above numtaps, got %d and %d", name, nfreqs, numtaps)
  end
  local x = cn.linspace(0, half, nfreqs, {dtype = "float64"})
  local turn = cn.exp(x * cn.complex(0, -(numtaps - 1) / 2 * pi / half))
  if antisymmetric then turn = turn * cn.scalar(cn.complex(0, 1)) end
  local taps = cn.fft.irfft(cn.interp(x, freq, gain) * turn)[{{1, numtaps}}]
  if window ~= false then taps = taps * window_of(window == nil and "hamming" or window, numtaps) end
  if kind == 3 then taps[(numtaps + 1) / 2] = 0 end
  return taps
end

-- ---- least squares ----

--- Bands, gains at their edges and weights of firls, bands in units of half the sampling frequency.
local function squares_asked(bands, desired, weight, half, name)
  bands, desired = {unpack(list_of(bands, name, "bands"))}, list_of(desired, name, "desired")
  if #bands == 0 or #bands % 2 == 1 then fail("%s: bands are pairs of frequencies, got %d numbers", name, #bands) end
  if #desired ~= #bands then fail("%s: a gain for each of %d frequencies, got %d", name, #bands, #desired) end
  weight = weight ~= nil and list_of(weight, name, "weight") or nil
  if weight and #weight ~= #bands / 2 then fail("%s: %d weights for %d bands", name, #weight, #bands / 2) end
  for k = 1, #bands do
    bands[k] = bands[k] / half
    local is_first = k % 2 == 1
    if not (bands[k] >= 0 and bands[k] <= 1) or k > 1 and (is_first and bands[k] < bands[k - 1]
      or not is_first and bands[k] <= bands[k - 1]) then
      fail("%s: bands rise between 0 and fs / 2 = %g; number %d is %g", name, half, k, bands[k] * half)
    end
    if desired[k] ~= desired[k] or desired[k] < 0 then fail("%s: gains are at least 0, got %g", name, desired[k]) end
    local w = weight and k % 2 == 0 and weight[k / 2] or 0
    if w ~= w or w < 0 then fail("%s: weights are at least 0, got %g", name, w) end
  end
  return bands, desired, weight
end

local function sinc(x) return x == 0 and 1 or math.sin(pi * x) / (pi * x) end

--- The right side of firls' equations for tap n: the integral of what is desired times a cosine.
local function projected(n, f, slope, constant)
  local value = f * (slope * f + constant) * sinc(f * n)
  if n == 0 then return value - slope * f * f / 2 end
  return value + slope * math.cos(n * pi * f) / (pi * n) ^ 2
end

local read_firls = args.reader("signal.firls", {"numtaps", "bands", "desired", "weight", "fs"}, 3)

--- Taps of a symmetric filter with the least squared error. Follows scipy.signal.firls.
---@param numtaps integer odd
---@param bands cuna.Operand edges of the bands, two for each
---@param desired cuna.Operand gains at the edges
---@param weight cuna.Operand|nil one for each band
---@param fs number|nil sampling frequency, default 2
---@return cuna.Array
---@usage cn.signal.firls(3, {0, 0.5, 0.7, 1}, {1, 1, 0, 0}):round(4) --> [0.2975 0.5798 0.2975]
function F.firls(...)
  local numtaps, bands, desired, weight, fs = read_firls(...)
  local name, cn = "signal.firls", args.namespace
  if taps_count(numtaps, name) % 2 == 0 then fail("%s: numtaps is odd, got %d", name, numtaps) end
  if numtaps > 4097 then fail("%s: numtaps is at most 4097, got %d", name, numtaps) end
  bands, desired, weight = squares_asked(bands, desired, weight, sampling(fs, 2, name) / 2, name)
  local half, q, right, rows = (numtaps - 1) / 2, {}, {}, {}
  for n = 0, numtaps - 1 do
    q[n], right[n + 1] = 0, 0
    for k = 1, #bands, 2 do
      local w, left, last = weight and weight[(k + 1) / 2] or 1, bands[k], bands[k + 1]
      local slope = (desired[k + 1] - desired[k]) / (last - left)
      local constant = desired[k] - left * slope
      q[n] = q[n] + w * (sinc(last * n) * last - sinc(left * n) * left)
      right[n + 1] = right[n + 1] + w * (projected(n, last, slope, constant)
        - projected(n, left, slope, constant))
    end
  end
  for i = 0, half do
    rows[i + 1] = {}
    for j = 0, half do rows[i + 1][j + 1] = q[math.abs(i - j)] + q[i + j] end
  end
  local a = cn.linalg.solve(core.as_array(rows, "float64", nil, name),
    core.as_array({unpack(right, 1, half + 1)}, "float64", nil, name))
  return cn.concatenate {a["-1:2:-1"], a[{{1, 1}}] * 2, a["2:"]}
end

-- ---- the least phase ----

local PHASES = {"homomorphic", "hilbert"}
local read_minimum_phase = args.reader("signal.minimum_phase", {"h", "method", "n_fft", "half"})

--- The taps whose spectrum is `mag` in size, with the least phase, by the Hilbert transform of its logarithm.
local function of_magnitude(mag)
  local cn, n = args.namespace, mag.size
  local at = cn.arange(0, n, 1, "float64")
  local half = math.floor(n / 2)
  local sign = cn.where(cn.equal(at, 0), 0, cn.where(cn.less(at, half), 1, cn.where(cn.greater(at, half), -1, 0)))
  return cn.fft.ifft(cn.exp(cn.fft.fft(sign * cn.fft.ifft(cn.log(mag)))) * mag).real
end

--- The size of the least phase by moving the spectrum above 0 (Herrmann and Schüssler).
local function by_hilbert(h, n, name)
  local cn, half = args.namespace, math.floor(h.size / 2)
  local turn = cn.exp(cn.arange(0, n, 1, "float64") * cn.complex(0, 2 * pi / n * half))
  local H = (cn.fft.fft(h, n) * turn).real
  local above, below = H:max() - 1, -H:min()
  if not core.is_preparing() and (1 - above + below):item() < 0 then
    fail("%s: method \"hilbert\" is for taps with a gain of about 1 in the passband, got %g", name, (above + 1):item())
  end
  local scale = 4 / (cn.sqrt(1 + above + below) + cn.sqrt(1 - above + below)) ^ 2
  return of_magnitude(cn.sqrt((H + below) * scale) + 1e-10)
end

--- The taps of least phase by the cepstrum (Oppenheim and Schafer, "Discrete-Time Signal Processing", 13.5).
local function by_cepstrum(h, n, is_half)
  local cn = args.namespace
  local size = cn.abs(cn.fft.fft(h, n))
  size = size + cn.where(cn.greater(size, 0), size, cn.inf):min() * 1e-7
  local cepstrum = cn.fft.ifft(cn.log(size) * (is_half and 0.5 or 1)).real
  local at, middle = cn.arange(0, n, 1, "float64"), math.floor(n / 2)
  local last = n % 2 == 1 and cn.equal(at, middle) or 0
  local weight = cn.where(cn.equal(at, 0), 1, cn.where(cn.less(at, middle), 2, last))
  return cn.fft.ifft(cn.exp(cn.fft.fft(cepstrum * weight))).real
end

--- Taps with the least phase from symmetric ones. Follows scipy.signal.minimum_phase.
---@param h cuna.Operand real vector of at least 3 taps
---@param method "homomorphic"|"hilbert"|nil default "homomorphic", for filters of any gain; "hilbert" is for equal
--- ripples, of firwin and remez
---@param n_fft integer|nil points of the transforms, default: a power of two, 200 times the taps or more
---@param half boolean|nil of "homomorphic": whether half as many taps have the root of the gain, default true
---@return cuna.Array
---@usage cn.signal.minimum_phase({1, 2, 3, 2, 1}):round(2) --> [1. 1. 1.]
---@usage cn.signal.minimum_phase({1, 2, 3, 2, 1}, {half = false}).size --> 5
function F.minimum_phase(...)
  local h, method, n, half = read_minimum_phase(...)
  local name = "signal.minimum_phase"
  h = core.cast(given.real(given.vector(h, name, "h"), name, "h"), "float64", name)
  if h.size < 3 then fail("%s: h has at least 3 taps, got %d", name, h.size) end
  method = given.word(method, PHASES, name, "method")
  half = check.boolean(half, true, name, "half")
  if method == "hilbert" and not half then fail("%s: half = false is of method \"homomorphic\"", name) end
  if n == nil then n = 2 ^ math.ceil(math.log(200 * (h.size - 1)) / math.log(2) - 1e-12) end
  n = check.count(n, name, "n_fft")
  if n < h.size then fail("%s: n_fft is at least the number of taps, %d, got %d", name, h.size, n) end
  local made = method == "hilbert" and by_hilbert(h, n, name) or by_cepstrum(h, n, half)
  return made[{{1, half and math.ceil(h.size / 2) or h.size}}]:copy()
end

-- ---- the least greatest error ----

local KINDS = {"bandpass", "differentiator", "hilbert"}
local read_remez = args.reader("signal.remez", {"numtaps", "bands", "desired", "weight", "type", "maxiter",
  "grid_density", "fs"}, 3)

--- Taps of a filter whose greatest error is least. Computed on the host. Follows scipy.signal.remez.
---@param numtaps integer
---@param bands cuna.Operand rising edges of the bands, two for each
---@param desired cuna.Operand a gain for each band
---@param weight cuna.Operand|nil one for each band
---@param type "bandpass"|"differentiator"|"hilbert"|nil default "bandpass"
---@param maxiter integer|nil default 25
---@param grid_density integer|nil points between extremes, default 16
---@param fs number|nil sampling frequency, default 1
---@return cuna.Array
---@usage cn.signal.remez(3, {0, 0.1, 0.3, 0.5}, {1, 0}):round(4) --> [0.2764 0.3618 0.2764]
function F.remez(...)
  local numtaps, bands, desired, weight, kind, maxiter, density, fs = read_remez(...)
  local name = "signal.remez"
  local asked = {numtaps = check.few(taps_count(numtaps, name), 4096, name, "numtaps"),
    kind = given.word(kind, KINDS, name, "type"),
    maxiter = check.count(maxiter == nil and 25 or maxiter, name, "maxiter"),
    density = check.few(density == nil and 16 or density, 4096, name, "grid_density"),
    bands = {unpack(list_of(bands, name, "bands"))}, desired = list_of(desired, name, "desired")}
  fs = sampling(fs, 1, name)
  if numtaps < 3 then fail("%s: numtaps is from 3 on, got %d", name, numtaps) end
  if #asked.bands ~= 2 * #asked.desired or #asked.desired == 0 then
    fail("%s: a gain for each two frequencies, got %d and %d", name, #asked.desired, #asked.bands)
  end
  for k, f in ipairs(asked.bands) do
    if not (f >= 0 and f <= fs / 2) or k > 1 and f / fs <= asked.bands[k - 1] then
      fail("%s: bands rise between 0 and fs / 2 = %g; number %d is %g", name, fs / 2, k, f)
    end
    asked.bands[k] = f / fs
  end
  asked.weight = weight ~= nil and list_of(weight, name, "weight") or {}
  for k = 1, #asked.desired do asked.weight[k] = asked.weight[k] or weight == nil and 1 end
  if #asked.weight ~= #asked.desired then
    fail("%s: %d weights for %d bands", name, #asked.weight, #asked.desired)
  end
  return core.as_array(remez.taps(asked, name), "float64", nil, name)
end

return M
