--- resampling.lua: signals at other rates, without trends, as analytic signals.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local dtype_facts = require "cuna.base.dtype_facts"
local given = require "cuna.signal.given"
local program = require "cuna.base.program"
local slices = require "cuna.base.slices"
local windows = require "cuna.signal.windows"

local M = {functions = {}}
local F = M.functions -- cn.signal

local fail, kind_of = check.fail, dtype_facts.kind_of

local function is_complex(x) return kind_of[x.dtype] == "c" end

--- x as floats or complex numbers.
local function floating(x, name)
  return dtype_facts.is_inexact(x.dtype) and x or core.cast(x, "float64", name)
end

-- ---- trends ----

local TYPES = {linear = "linear", l = "linear", constant = "constant", c = "constant"}
local read_detrend = args.reader("signal.detrend", {"data", "axis", "type", "bp"})

--- Lines without the straight line that fits each best.
local function straightened(lines)
  local cn, n = args.namespace, lines.shape[2]
  local t = cn.arange(0, n, 1, "float64") - (n - 1) / 2
  local mean = lines:mean(2, {keepdims = true})
  if n == 1 then return lines - mean end
  local slope = ((lines - mean) * t):sum(2, {keepdims = true}) / (n * (n * n - 1) / 12)
  return lines - mean - slope * t
end

--- Where the parts of a line begin, with the length at the end.
local function breaks_of(bp, n, name)
  local list, seen = {1, n + 1}, {[1] = true, [n + 1] = true}
  for _, at in ipairs(bp == nil and {} or given.reals(bp, name, "bp")) do
    if at % 1 ~= 0 or at < 1 or at > n then fail("%s: bp has positions from 1 to %d, got %g", name, n, at) end
    if not seen[at] then list[#list + 1], seen[at] = at, true end
  end
  table.sort(list)
  return list
end

--- A signal without its mean or its trend along an axis. Follows scipy.signal.detrend.
---@param data cuna.Operand
---@param axis integer|nil default -1
---@param type "linear"|"constant"|nil default "linear"
---@param bp cuna.Operand|nil positions where parts begin that have trends of their own
---@return cuna.Array
---@usage cn.signal.detrend({1, 2, 3, 5}):round(4) --> [ 0.2 -0.1 -0.4 0.3]
---@usage cn.signal.detrend({1, 2, 6}, {type = "constant"}) --> [-2. -1. 3.]
function F.detrend(...)
  local data, axis, type, bp = read_detrend(...)
  local name, cn = "signal.detrend", args.namespace
  data = given.signal(data, name)
  axis = given.axis(axis, data, name)
  local found = TYPES[type == nil and "linear" or type]
  if not found then fail("%s: type is \"linear\" or \"constant\", got %s", name, check.show(type)) end
  local dtype = dtype_facts.is_inexact(data.dtype) and data.dtype or "float64"
  if data.size == 0 then return core.cast(data, dtype, name) end
  if found == "constant" then return core.cast(data - data:mean(axis, {keepdims = true}), dtype, name) end
  local lines, shape, n = given.lines(data, axis, is_complex(data) and "complex128" or "float64", name)
  local breaks, parts = breaks_of(bp, n, name), {}
  for k = 1, #breaks - 1 do
    parts[k] = straightened(slices.part(lines, 2, breaks[k], breaks[k + 1] - breaks[k]))
  end
  local made = parts[2] and cn.concatenate(parts, 2) or parts[1]
  return given.unlined(core.cast(made, dtype, name), shape, axis, name)
end

-- ---- analytic signals ----

--- 1 for the frequency 0 and half the sampling frequency, 2 for those between, 0 beyond.
local function analytic(n, spectrum)
  local factors = args.namespace.zeros(n, {dtype = dtype_facts.part_of[spectrum.dtype], device = spectrum.device})
  factors[{{1, 1}}] = 1
  if n > 2 then factors[{{2, math.floor((n + 1) / 2)}}] = 2 end
  if n % 2 == 0 then factors[{{n / 2 + 1, n / 2 + 1}}] = 1 end
  return factors
end

local function points_of(N, length, name, word)
  N = check.count(N == nil and length or N, name, word)
  if N < 1 then fail("%s: %s is from 1 on, got %d", name, word, N) end
  return N
end

local read_hilbert = args.reader("signal.hilbert", {"x", "N", "axis"})

--- The analytic signal of a real one: with its Hilbert transform as the imaginary part. Follows scipy.signal.hilbert.
---@param x cuna.Operand real
---@param N integer|nil points of the transform, default: the axis' length
---@param axis integer|nil default -1
---@return cuna.Array complex
---@usage cn.signal.hilbert({1, 0, -1, 0}):round(6) --> [ 1.+0.j 0.+1.j -1.+0.j 0.-1.j]
function F.hilbert(...)
  local x, N, axis = read_hilbert(...)
  local name, cn = "signal.hilbert", args.namespace
  x = given.real(given.signal(x, name), name, "x")
  axis = given.axis(axis, x, name)
  N = points_of(N, x.shape[axis], name, "N")
  local spectrum = cn.fft.fft(x, N, axis)
  return cn.fft.ifft(spectrum * slices.along(analytic(N, spectrum), axis, x.ndim), nil, axis)
end

local read_hilbert2 = args.reader("signal.hilbert2", {"x", "N"})

--- The analytic signal along two axes. Follows scipy.signal.hilbert2.
---@param x cuna.Operand real matrix
---@param N integer|integer[]|nil points of the transforms, default: the axes' lengths
---@return cuna.Array complex
---@usage cn.signal.hilbert2({{1, 0}, {0, 0}}):round(6) --> [[1.+0.j 0.+0.j] [0.+0.j 0.+0.j]]
function F.hilbert2(...)
  local x, N = read_hilbert2(...)
  local name, cn = "signal.hilbert2", args.namespace
  x = given.real(check.array(x, name), name, "x")
  if x.ndim ~= 2 then fail("%s: expected a matrix, got shape %s", name, tostring(x.shape)) end
  local lengths = type(N) == "table" and N or {N, N}
  local first, second = points_of(lengths[1], x.shape[1], name, "N"), points_of(lengths[2], x.shape[2], name, "N")
  local spectrum = cn.fft.fft2(x, {first, second})
  return cn.fft.ifft2(spectrum * core.with_axis(analytic(first, spectrum), 2) * analytic(second, spectrum))
end

-- ---- by transforms ----

--- The window of a spectrum with as many points, in the order of the transform.
local function spectral_window(window, n, x, name)
  local cn = args.namespace
  local w
  if type(window) == "function" then
    w = check.array(window(cn.fft.fftfreq(n, {device = x.device})), name, x.device)
  elseif core.is_array(window) then
    w = window
  else
    w = cn.fft.ifftshift(windows.functions.get_window(window, n))
  end
  if not w:has_shape(n) then
    fail("%s: a window of shape %s for %d points", name, tostring(w.shape), n)
  end
  return core.cast(w, dtype_facts.part_of[x.dtype] or x.dtype, name)
end

--- A spectrum times a window, of a real signal half of both.
local function windowed(spectrum, window, n, is_half, axis, name)
  local cn = args.namespace
  local w = spectral_window(window, n, spectrum, name)
  if is_half then
    local reversed = cn.concatenate {w[{{1, 1}}], w[{{n, 2, -1}}]}
    w = ((w + reversed) * 0.5)[{{1, math.floor(n / 2) + 1}}]
  end
  return spectrum * slices.along(w, axis, spectrum.ndim)
end

--- The spectrum of `num` points from one of n, of a real signal half of it.
local function refitted(spectrum, n, num, is_half, axis, name)
  local cn, shape = args.namespace, spectrum.shape
  local least = math.min(n, num)
  local half = math.floor(least / 2) + 1
  shape[axis] = is_half and math.floor(num / 2) + 1 or num
  local made = cn.zeros(shape, spectrum.dtype)
  local function part(x, first, count) return slices.part(x, axis, first, count) end
  core.copy(part(made, 1, half), part(spectrum, 1, half), name)
  if not is_half and least > 2 then
    core.copy(part(made, num - least + half + 1, least - half), part(spectrum, n - least + half + 1, least - half),
      name)
  end
  if least % 2 == 1 or num == n then return made end
  local middle = part(made, least / 2 + 1, 1)
  if num > n then
    core.copy(middle, middle * 0.5, name)
    if not is_half then core.copy(part(made, num - least / 2 + 1, 1), middle, name) end
  elseif is_half then
    core.copy(middle, middle * 2, name)
  else
    core.copy(middle, middle + part(spectrum, n - least / 2 + 1, 1), name)
  end
  return made
end

local read_resample = args.reader("signal.resample", {"x", "num", "t", "axis", "window", "domain"}, 2)

--- A signal at `num` points, by a Fourier transform: the signal is taken to be periodic. Follows scipy.signal.resample.
---@param x cuna.Operand
---@param num integer
---@param t cuna.Operand|nil equally spaced times of the points
---@param axis integer|nil default 1
---@param window string|number|table|function|cuna.Array|nil what the spectrum is multiplied with: a name, as of
--- cn.signal.get_window, a function of frequencies, or an array in the transform's order
---@param domain "time"|"freq"|nil whether x is a signal (default) or its transform
---@return cuna.Array y
---@return cuna.Array|nil t the new times, with t
---@usage cn.signal.resample({0, 1, 0, -1}, 8):round(4) --> [ 0. 0.7071 1. 0.7071 0. -0.7071 -1. -0.7071]
function F.resample(...)
  local x, num, t, axis, window, domain = read_resample(...)
  local name, cn = "signal.resample", args.namespace
  x = floating(given.signal(x, name), name)
  axis, num = core.axis(axis == nil and 1 or axis, x.ndim, name), points_of(num, nil, name, "num")
  local n = x.shape[axis]
  if n == 0 then fail("%s: axis %d has no elements", name, axis) end
  local is_time, is_half = given.word(domain, {"time", "freq"}, name, "domain") == "time", not is_complex(x)
  local spectrum = x
  if is_time then spectrum = is_half and cn.fft.rfft(x, nil, axis) or cn.fft.fft(x, nil, axis) end
  if window ~= nil then spectrum = windowed(spectrum, window, n, is_half, axis, name) end
  local y = refitted(spectrum, n, num, is_half, axis, name)
  y = (is_half and cn.fft.irfft(y, num, axis) or cn.fft.ifft(y, nil, axis)) * (num / n)
  if t == nil then return y end
  t = given.reals(t, name, "t")
  if #t < 2 then fail("%s: t has at least 2 times, got %d", name, #t) end
  return y, cn.arange(0, num, 1, "float64") * ((t[2] - t[1]) * n / num) + t[1]
end

-- ---- by filters ----

local function address(x) return core.view(x, {}, {}, 0) end

local function draw_upfirdn(draft, dtype)
  local list = {draft:input(dtype, "address"), draft:input(dtype, "address"), draft:input(dtype, "address")}
  for k = 4, 8 do list[k] = draft:input("int64", "scalar") end
  list[9] = draft:position()
  draft.gathers, draft.outputs, draft.span_log2 = true, {}, 8
  draft:step("upfirdn", ("signal::upfirdn<%s>(a, b, c, d, e, f, g, h, i)"):format(dtype_facts.storage(dtype)), "bool",
    list, "int64")
end

--- The taps of each phase as rows, filled up with zeros.
local function phases_of(taps, up, name)
  local width = math.ceil(taps.size / up)
  local wide = core.fill(core.empty({width * up}, taps.dtype, taps.device, name), 0, name)
  core.copy(slices.part(wide, 1, 1, taps.size), taps, name)
  return core.cast(core.reshape(wide, {width, up}, name).T, nil, name), width
end

local ABREAST = 8 -- results of a call, as in the kernel

--- Lines filled up with up - 1 zeros, filtered, thinned out: the results from number `first` (from 0) on.
local function up_down(lines, taps, up, down, length, name)
  local count, n = lines.shape[1], lines.shape[2]
  local out = core.empty({count, length}, lines.dtype, lines.device, name)
  if out.size == 0 then return out end
  local phases, width = phases_of(taps, up, name)
  core.map(program.get(lines.dtype, draw_upfirdn, lines.dtype), name, {count * math.ceil(length / ABREAST)}, {},
    address(lines), address(phases), address(out), n, width, up, down, length)
  return out
end

local function length_of(taps, n, up, down) return math.floor(((n - 1) * up + taps - 1) / down) + 1 end

--- Lines that go on straight from both ends, by slopes there.
local function prolonged(lines, count, first_slope, last_slope)
  local cn, n = args.namespace, lines.shape[2]
  local steps = cn.range(1, count):astype(dtype_facts.part_of[lines.dtype] or lines.dtype)
  local before = slices.part(lines, 2, 1, 1) - cn.flip(steps) * first_slope
  return cn.concatenate({before, lines, slices.part(lines, 2, n, 1) + steps * last_slope}, 2)
end

--- The difference of elements j and i of lines.
local function rise(lines, i, j) return slices.part(lines, 2, j, 1) - slices.part(lines, 2, i, 1) end

-- How lines continue, so that no result sees their ends: by a count of elements on both sides.
local CONTINUED = {
  line = function(lines, count)
    local n = lines.shape[2]
    local slope = rise(lines, 1, n) / (n - 1)
    return prolonged(lines, count, slope, slope)
  end,
  smooth = function(lines, count)
    local n = lines.shape[2]
    return prolonged(lines, count, rise(lines, 1, 2), rise(lines, n - 1, n))
  end,
  antisymmetric = function(lines, count)
    local cn, n = args.namespace, lines.shape[2]
    local turns = cn.floor_divide(cn.range(-count, n + count - 1), n)
    local sign = 1 - cn.remainder(turns, 2) * 2
    return cn.pad(lines, {{0, 0}, {count, count}}, "symmetric") * sign:astype(dtype_facts.part_of[lines.dtype]
      or lines.dtype)
  end,
  antireflect = function(lines, count)
    return args.namespace.pad(lines, {{0, 0}, {count, count}}, "reflect", {reflect_type = "odd"})
  end,
  constant = function(lines, count, cval)
    return args.namespace.pad(lines, {{0, 0}, {count, count}}, "constant", {constant_values = cval})
  end,
}

for mode in ("wrap edge symmetric reflect"):gmatch "%S+" do
  CONTINUED[mode] = function(lines, count) return args.namespace.pad(lines, {{0, 0}, {count, count}}, mode) end
end

local function check_mode(mode, n, name)
  if mode == nil then mode = "constant" end
  if not CONTINUED[mode] then fail("%s: mode is one of %s, got %s", name, args.names(CONTINUED), check.show(mode)) end
  if n == 1 and (mode == "line" or mode == "smooth") then
    fail("%s: mode %q takes at least 2 elements along the axis, got 1", name, mode)
  end
  return mode
end

local function rate(value, name, what)
  value = check.count(value == nil and 1 or value, name, what)
  if value < 1 then fail("%s: %s is from 1 on, got %d", name, what, value) end
  return value
end

--- Lines upsampled, filtered and downsampled in a mode.
local function resampled(lines, taps, up, down, mode, cval, name)
  local n = lines.shape[2]
  mode = check_mode(mode, n, name)
  cval = check.number(cval == nil and 0 or cval, name, "cval")
  local length = n == 0 and 0 or length_of(taps.size, n, up, down)
  if mode == "constant" and cval == 0 or length == 0 then return up_down(lines, taps, up, down, length, name) end
  local count = math.ceil(math.ceil(taps.size / up) / down) * down
  local wide = core.cast(CONTINUED[mode](lines, count, cval), lines.dtype, name)
  local first = count * up / down
  local whole = up_down(wide, taps, up, down, first + length, name)
  return core.cast(slices.part(whole, 2, first + 1, length), nil, name)
end

local function filtered_dtype(a, b)
  local dtype = given.inexact(a, b)
  return (dtype == "float16" or dtype == "bfloat16") and "float32" or dtype
end

---@alias cuna.SlopingMode "smooth"|"line" on with the slope at an end, or with that from end to end
---@alias cuna.TurningMode "antisymmetric"|"antireflect" mirrored with the sign, or the distance to the end, changed
---@alias cuna.ResamplingMode "constant"|"wrap"|"edge"|"symmetric"|"reflect"|cuna.TurningMode|cuna.SlopingMode how a
--- signal continues

local read_upfirdn = args.reader("signal.upfirdn", {"h", "x", "up", "down", "axis", "mode", "cval"}, 2)

--- Upsamples a signal by zeros, filters it and downsamples it. Follows scipy.signal.upfirdn.
---@param h cuna.Operand taps, a vector
---@param x cuna.Operand
---@param up integer|nil default 1
---@param down integer|nil default 1
---@param axis integer|nil default -1
---@param mode cuna.ResamplingMode|nil how the signal continues at its ends, default "constant"
---@param cval number|nil default 0
---@return cuna.Array
---@usage cn.signal.upfirdn({1, 1, 1}, {1, 2, 3}, 3) --> [1. 1. 1. 2. 2. 2. 3. 3. 3.]
---@usage cn.signal.upfirdn({1}, cn.arange(6), 1, 2) --> [0. 2. 4.]
function F.upfirdn(...)
  local h, x, up, down, axis, mode, cval = read_upfirdn(...)
  local name = "signal.upfirdn"
  h, x = given.pair(h, x, name)
  h, x = given.vector(h, name, "h"), given.signal(x, name)
  if h.size == 0 then fail("%s: h has no taps", name) end
  axis = given.axis(axis, x, name)
  up, down = rate(up, name, "up"), rate(down, name, "down")
  local dtype = filtered_dtype(h.dtype, x.dtype)
  local lines, shape = given.lines(x, axis, dtype, name)
  local made = resampled(lines, core.cast(h, dtype, name), up, down, mode, cval, name)
  return given.unlined(made, shape, axis, name)
end

local function common_divisor(a, b)
  while b > 0 do a, b = b, a % b end
  return a
end

local BACKGROUNDS = {mean = "mean", median = "median", minimum = "min", maximum = "max"}
local read_resample_poly = args.reader("signal.resample_poly", {"x", "up", "down", "axis", "window", "padtype",
  "cval"}, 3)

--- The taps of a resampling filter: those that are given, or by a window.
local function poly_taps(window, up, down, x, dtype, name)
  local most = math.max(up, down)
  local is_list = type(window) == "table" and type(window[1]) == "number"
  local taps
  if core.is_array(window) or is_list then
    taps = given.vector(window, name, "window", x.device)
    check.same_device(x, taps, name)
  else
    taps = args.namespace.signal.firwin(20 * most + 1, 1 / most, {window = window == nil and {"kaiser", 5} or window})
  end
  if taps.size == 0 then fail("%s: the window has no taps", name) end
  return core.cast(taps * up, dtype, name)
end

--- Lines at up / down of their rate.
local function poly(lines, taps, up, down, mode, cval, name)
  local n, half = lines.shape[2], math.floor((taps.size - 1) / 2)
  local count = math.ceil(n * up / down)
  local before = down - half % down
  local skip = (half + before) / down
  local after = 0
  while length_of(taps.size + before + after, n, up, down) < count + skip do after = after + 1 end
  local wide = core.fill(core.empty({taps.size + before + after}, taps.dtype, taps.device, name), 0, name)
  core.copy(slices.part(wide, 1, before + 1, taps.size), taps, name)
  return slices.part(resampled(lines, wide, up, down, mode, cval, name), 2, skip + 1, count)
end

--- A signal at up / down of its rate, by a filter in phases. Follows scipy.signal.resample_poly.
---@param x cuna.Operand
---@param up integer
---@param down integer
---@param axis integer|nil default 1
---@param window string|table|cuna.Array|nil a window as of cn.signal.get_window, default {"kaiser", 5}, or taps
---@param padtype cuna.ResamplingMode|"mean"|"median"|"minimum"|"maximum"|nil how the signal continues at its ends,
--- default "constant"; "mean" and others: by that number
---@param cval number|nil default 0
---@return cuna.Array
---@usage cn.signal.resample_poly(cn.ones(8), 2, 1, {padtype = "edge"}).shape --> (16,)
function F.resample_poly(...)
  local x, up, down, axis, window, padtype, cval = read_resample_poly(...)
  local name = "signal.resample_poly"
  x = given.signal(x, name)
  axis = core.axis(axis == nil and 1 or axis, x.ndim, name)
  up, down = rate(up, name, "up"), rate(down, name, "down")
  local divisor = common_divisor(up, down)
  up, down = up / divisor, down / divisor
  if up == 1 and down == 1 then return x:copy() end
  local dtype = filtered_dtype(x.dtype, x.dtype)
  local taps = poly_taps(window, up, down, x, dtype, name)
  local lines, shape, n = given.lines(x, axis, dtype, name)
  if n == 0 then fail("%s: axis %d has no elements", name, axis) end
  if cval ~= nil and padtype ~= nil and padtype ~= "constant" then fail("%s: cval is of padtype \"constant\"", name) end
  local background = BACKGROUNDS[padtype]
  if background then
    local level = args.namespace[background](lines, 2, {keepdims = true})
    local made = poly(core.cast(lines - level, nil, name), taps, up, down, "constant", 0, name)
    return given.unlined(made + level, shape, axis, name)
  end
  return given.unlined(poly(lines, taps, up, down, padtype, cval, name):copy(), shape, axis, name)
end

local read_decimate = args.reader("signal.decimate", {"x", "q", "n", "ftype", "axis", "zero_phase"}, 2)

--- A signal at a q-th of its rate, after a lowpass filter. Follows scipy.signal.decimate.
---@param x cuna.Operand
---@param q integer
---@param n integer|nil the filter's order, default 8, or 20 q for "fir"
---@param ftype "iir"|"fir"|nil default "iir": a Chebyshev filter
---@param axis integer|nil default -1
---@param zero_phase boolean|nil whether the filter does not move the signal, default true
---@return cuna.Array
---@usage cn.signal.decimate(cn.arange(60), 4).shape --> (15,)
function F.decimate(...)
  local x, q, n, ftype, axis, zero_phase = read_decimate(...)
  local name, signal = "signal.decimate", args.namespace.signal
  x = given.signal(x, name)
  axis, q = given.axis(axis, x, name), rate(q, name, "q")
  zero_phase = check.boolean(zero_phase, true, name, "zero_phase")
  if n ~= nil then n = check.count(n, name, "n") end
  local dtype = filtered_dtype(x.dtype, x.dtype)
  local count = math.ceil(x.shape[axis] / q)
  if given.word(ftype, {"iir", "fir"}, name, "ftype") == "fir" then
    local taps = core.cast(signal.firwin((n or 20 * q) + 1, 1 / q, {window = "hamming"}), dtype, name)
    if zero_phase then return F.resample_poly(x, 1, q, axis, taps) end
    return slices.part(F.upfirdn(taps, x, 1, q, axis), axis, 1, count):copy()
  end
  local sos = core.cast(signal.cheby1(n or 8, 0.05, 0.8 / q, {output = "sos"}), dtype_facts.part_of[dtype] or dtype,
    name)
  local y = zero_phase and signal.sosfiltfilt(sos, x, axis) or signal.sosfilt(sos, x, axis)
  return slices.part(y, axis, 1, count, q):copy()
end

return M
