--- fft/init.lua: cn.fft: discrete Fourier transforms. Loaded when it is asked for.
--
-- axes.lua transforms, by cuFFT or FFTW. Here stands what is around it: arguments, axes
-- that are cut to lengths or filled up with zeros, norms.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local fft_axes = require "cuna.fft.axes"
local formula = require "cuna.base.formula"
local given = require "cuna.fft.given"
local namespace = require "cuna.base.namespace"
local rearrange = require "cuna.rearrange"

local M = {namespace = {}}
local F = M.namespace -- cn.fft

local fail = check.fail
local is_complex, real_of, complex_of = fft_axes.is_complex, fft_axes.real_of, fft_axes.complex_of

local FLOATS = {float16 = true, bfloat16 = true, float32 = true, float64 = true}

---@alias cuna.FftNorm "backward"|"ortho"|"forward" which way divides by the points; "ortho": both by the root

-- ---- arguments ----

--- The length of a real result, where an axis has the first half of its spectrum.
local function length_of_half(half, axis, name)
  if half > 1 then return 2 * (half - 1) end
  fail("%s: axis %d of length %d is the spectrum of no point; say how many points the result has", name, axis, half)
end

--- Refuses complex numbers.
local function check_real(x, name, instead)
  if not is_complex(core.dtype_of(x)) then return x end
  fail("%s: takes real numbers, got an array of %s; use cn.fft.%s, or x.real", name, x.dtype, instead)
end

-- ---- one axis, or several ----

--- The lengths that axes are brought to (where none is asked for, or -1, their own) and how many points these are. Of
--- an axis that comes twice the last one counts.
local function resolve_lengths(shape, axes, lengths, name)
  local sizes, points = {}, 1
  for i, axis in ipairs(axes) do
    local asked = lengths[i] ~= -1 and lengths[i] or nil
    shape[axis] = given.points(asked or shape[axis], axis, name)
  end
  for i, axis in ipairs(axes) do sizes[i], points = shape[axis], points * shape[axis] end
  return sizes, points
end

--- Transforms one axis, of length `own`, of an array as it is: short signals are mostly what is done here.
local function run_line(x, inverse, axes, own, norm, name)
  local factor, dtype = given.factor(norm, inverse, given.points(own, axes[1], name)), core.dtype_of(x)
  if is_complex(dtype) then return fft_axes.line(x, inverse, axes, own, factor, name) end
  return fft_axes.whole(given.cast(x, real_of(dtype), name), inverse, axes[1], own, factor, name)
end

--- Transforms along axes between complex numbers. `own` is the length of the only one.
local function run_complex(x, inverse, axes, lengths, norm, name, own)
  norm = given.norm(norm, name)
  if own and lengths[1] == nil then return run_line(x, inverse, axes, own, norm, name) end
  local sizes, points = resolve_lengths(x.shape, axes, lengths, name)
  local factor = given.factor(norm, inverse, points)
  if #axes == 1 and not is_complex(x.dtype) then
    local fit = given.fitted(x, axes, sizes, real_of(x.dtype), name)
    return fft_axes.whole(fit, inverse, axes[1], sizes[1], factor, name)
  end
  local fit, is_copy = given.fitted(x, axes, sizes, complex_of(x.dtype), name)
  return fft_axes.complex(fit, inverse, axes, factor, is_copy and fit or nil, name)
end

--- Transforms real numbers to the first half of their spectrum. Along one axis `own` is its length.
local function run_to_complex(x, axes, lengths, norm, name, own)
  norm = given.norm(norm, name)
  if own and lengths[1] == nil then
    local factor = given.factor(norm, false, given.points(own, axes[1], name))
    return fft_axes.line_to_complex(given.cast(x, real_of(core.dtype_of(x)), name), axes, own, factor, name)
  end
  local shape = x.shape
  local sizes, points = resolve_lengths(shape, axes, lengths, name)
  local fit = given.fitted(x, axes, sizes, real_of(x.dtype), name)
  return fft_axes.to_complex(fit, axes, given.factor(norm, false, points), name, shape)
end

--- Transforms the first half of a spectrum to real numbers.
local function run_to_real(x, axes, lengths, norm, name, in_place, own)
  if own and lengths[1] == nil then
    local length = length_of_half(own, axes[1], name)
    local fit, is_copy = given.cast(x, complex_of(core.dtype_of(x)), name)
    return fft_axes.line_to_real(fit, axes, length, given.factor(given.norm(norm, name), true, length),
      is_copy or in_place, name)
  end
  local last, count = axes[#axes], #axes
  local length = lengths[count] ~= -1 and lengths[count] or length_of_half(x.shape[last], last, name)
  local asked = {unpack(lengths, 1, count)}
  asked[count] = math.floor(length / 2) + 1
  local sizes, points = resolve_lengths(x.shape, axes, asked, name)
  local factor = given.factor(given.norm(norm, name), true, points / asked[count] * length)
  local fit, is_copy = given.fitted(x, axes, sizes, complex_of(x.dtype), name)
  return fft_axes.to_real(fit, axes, length, factor, is_copy or in_place, name)
end

--- The transform of complex numbers along their last axis into `out`, of their shape and dtype.
---@param inverse boolean
function M.along_last(x, inverse, norm, out, name)
  local points = x.shape[x.ndim]
  return fft_axes.complex(x, inverse, {x.ndim}, given.factor(given.norm(norm, name), inverse, points), out, name)
end

local ONE, MANY = {"x", "n", "axis", "norm"}, {"x", "s", "axes", "norm"}

--- A function along one axis, by run(x, axes, lengths, norm, name, length of the axis).
local function along_one(word, run)
  local name = "fft." .. word
  local read = args.reader(name, ONE)
  return function(...)
    local x, n, axis, norm = read(...)
    x = check.array(x, name)
    if n ~= nil then given.length(n, name, "n") end
    local place, own = core.axis(axis or -1, x, name)
    return run(x, {place}, {n}, norm, name, own)
  end
end

--- A function along several axes, by default these, or all.
local function along_many(word, run, default, least)
  local name = "fft." .. word
  local read = args.reader(name, MANY)
  return function(...)
    local x, s, axes, norm = read(...)
    x = check.array(x, name)
    local list, lengths = given.axes(x, s, axes or default, name)
    if #list < (least or 0) then fail("%s: takes at least one axis", name) end
    return run(x, list, lengths, norm, name)
  end
end

local function forward(x, axes, lengths, norm, name, own)
  return run_complex(x, false, axes, lengths, norm, name, own)
end

local function back(x, axes, lengths, norm, name, own) return run_complex(x, true, axes, lengths, norm, name, own) end

local function to_real(x, axes, lengths, norm, name, own)
  return run_to_real(x, axes, lengths, norm, name, false, own)
end

local function halved(instead)
  return function(x, axes, lengths, norm, name, own)
    return run_to_complex(check_real(x, name, instead), axes, lengths, norm, name, own)
  end
end

--- Transforms what has a real spectrum, of which x has the first half along the last one.
local function hermitian(x, axes, lengths, norm, name)
  local turns = is_complex(x.dtype)
  norm = given.swapped[given.norm(norm, name)]
  return run_to_real(turns and fft_axes.conjugate(x) or x, axes, lengths, norm, name, turns)
end

--- The inverse of it.
local function to_hermitian(instead)
  return function(x, axes, lengths, norm, name, own)
    norm = given.swapped[given.norm(norm, name)]
    local y = run_to_complex(check_real(x, name, instead), axes, lengths, norm, name, own)
    return fft_axes.conjugate(y, y)
  end
end

local LAST_TWO = {-2, -1}

--- The discrete Fourier transform along one axis. float32 and complex64 stay single, as in CuPy, and float16 and
--- bfloat16 become that; other real numbers become the default float first. Follows numpy.fft.fft.
---@param x cuna.Operand
---@param n integer|nil points: x is cut to them, or filled up with zeros; default: the axis' length
---@param axis integer|nil default: the last
---@param norm cuna.FftNorm|nil default "backward"
---@return cuna.Array complex
---@usage cn.fft.fft {1, 2, 3, 4} --> [10.+0.j -2.+2.j -2.+0.j -2.-2.j]
---@usage cn.fft.fft({1, 2, 3, 4}, 2) --> [ 3.+0.j -1.+0.j]
F.fft = along_one("fft", forward)

--- The inverse of cn.fft.fft. Follows numpy.fft.ifft.
---@param x cuna.Operand
---@param n integer|nil points: x is cut to them, or filled up with zeros; default: the axis' length
---@param axis integer|nil default: the last
---@param norm cuna.FftNorm|nil default "backward"
---@return cuna.Array complex
---@usage cn.fft.ifft(cn.fft.fft {1, 2, 3, 4}) --> [1.+0.j 2.+0.j 3.+0.j 4.+0.j]
---@usage cn.fft.ifft {1, 2, 3, 4} --> [ 2.5+0.j -0.5-0.5j -0.5+0.j -0.5+0.5j]
F.ifft = along_one("ifft", back)

--- The first half of cn.fft.fft of real numbers, of which the rest are conjugates: n / 2 + 1 numbers. Follows
--- numpy.fft.rfft.
---@param x cuna.Operand real
---@param n integer|nil points: x is cut to them, or filled up with zeros; default: the axis' length
---@param axis integer|nil default: the last
---@param norm cuna.FftNorm|nil default "backward"
---@return cuna.Array complex
---@usage cn.fft.rfft {1, 2, 3, 4} --> [10.+0.j -2.+2.j -2.+0.j]
F.rfft = along_one("rfft", halved "fft")

--- The inverse of cn.fft.rfft. What it does not need, the imaginary parts of the first number and of the middle one,
--- it does not look at. Follows numpy.fft.irfft.
---@param x cuna.Operand the first half of a spectrum
---@param n integer|nil points of the result; default: 2 (length - 1). Of an odd number it cannot know
---@param axis integer|nil default: the last
---@param norm cuna.FftNorm|nil default "backward"
---@return cuna.Array real
---@usage cn.fft.irfft(cn.fft.rfft {1, 2, 3, 4}) --> [1. 2. 3. 4.]
F.irfft = along_one("irfft", to_real)

--- The transform of what has a real spectrum, of which x is the first half. Follows numpy.fft.hfft.
---@param x cuna.Operand the first half of a signal whose other half are conjugates
---@param n integer|nil points of the result; default: 2 (length - 1)
---@param axis integer|nil default: the last
---@param norm cuna.FftNorm|nil default "backward"
---@return cuna.Array real
---@usage cn.fft.hfft {1, 2, 3} --> [ 8. -2.  0. -2.]
F.hfft = along_one("hfft", hermitian)

--- The inverse of cn.fft.hfft. Follows numpy.fft.ihfft.
---@param x cuna.Operand real
---@param n integer|nil points: x is cut to them, or filled up with zeros; default: the axis' length
---@param axis integer|nil default: the last
---@param norm cuna.FftNorm|nil default "backward"
---@return cuna.Array complex, the first half
---@usage cn.fft.ihfft {8, -2, 0, -2} --> [1.-0.j 2.-0.j 3.-0.j]
F.ihfft = along_one("ihfft", to_hermitian "ifft")

--- The discrete Fourier transform along several axes. Follows numpy.fft.fftn.
---@param x cuna.Operand
---@param s integer[]|nil points by axis (-1: the axis' length): x is cut to them, or filled up with zeros
---@param axes integer[]|nil default: all, or with s as many of the last
---@param norm cuna.FftNorm|nil default "backward"
---@return cuna.Array complex
---@usage cn.fft.fftn {{1, 2}, {3, 4}} --> [[10.+0.j -2.+0.j] [-4.+0.j 0.+0.j]]
F.fftn = along_many("fftn", forward)

--- The inverse of cn.fft.fftn. Follows numpy.fft.ifftn.
---@param x cuna.Operand
---@param s integer[]|nil points by axis (-1: the axis' length): x is cut to them, or filled up with zeros
---@param axes integer[]|nil default: all, or with s as many of the last
---@param norm cuna.FftNorm|nil default "backward"
---@return cuna.Array complex
---@usage cn.fft.ifftn {{10, -2}, {-4, 0}} --> [[1.+0.j 2.+0.j] [3.+0.j 4.+0.j]]
F.ifftn = along_many("ifftn", back)

--- The transform of real numbers along several axes; of the last one the first half. Follows numpy.fft.rfftn.
---@param x cuna.Operand real
---@param s integer[]|nil points by axis (-1: the axis' length): x is cut to them, or filled up with zeros
---@param axes integer[]|nil default: all, or with s as many of the last
---@param norm cuna.FftNorm|nil default "backward"
---@return cuna.Array complex
---@usage cn.fft.rfftn({{1, 2}, {3, 4}}, {axes = {2, 1}}) --> [[10.+0.j -2.+0.j] [-4.+0.j 0.+0.j]]
F.rfftn = along_many("rfftn", halved "fftn", nil, 1)

--- The inverse of cn.fft.rfftn. Follows numpy.fft.irfftn.
---@param x cuna.Operand
---@param s integer[]|nil points of the result by axis; default: the axes' lengths, of the last 2 (length - 1)
---@param axes integer[]|nil default: all, or with s as many of the last
---@param norm cuna.FftNorm|nil default "backward"
---@return cuna.Array real
---@usage cn.fft.irfftn {{10, -2}, {-4, 0}} --> [[1. 2.] [3. 4.]]
F.irfftn = along_many("irfftn", to_real, nil, 1)

--- The discrete Fourier transform along two axes. Follows numpy.fft.fft2.
---@param x cuna.Operand
---@param s integer[]|nil points by axis (-1: the axis' length): x is cut to them, or filled up with zeros
---@param axes integer[]|nil default: the last two
---@param norm cuna.FftNorm|nil default "backward"
---@return cuna.Array complex
---@usage cn.fft.fft2 {{1, 2}, {3, 4}} --> [[10.+0.j -2.+0.j] [-4.+0.j 0.+0.j]]
F.fft2 = along_many("fft2", forward, LAST_TWO)

--- The inverse of cn.fft.fft2. Follows numpy.fft.ifft2.
---@param x cuna.Operand
---@param s integer[]|nil points by axis (-1: the axis' length): x is cut to them, or filled up with zeros
---@param axes integer[]|nil default: the last two
---@param norm cuna.FftNorm|nil default "backward"
---@return cuna.Array complex
---@usage cn.fft.ifft2 {{10, -2}, {-4, 0}} --> [[1.+0.j 2.+0.j] [3.+0.j 4.+0.j]]
F.ifft2 = along_many("ifft2", back, LAST_TWO)

--- The transform of real numbers along two axes; of the last one the first half. Follows numpy.fft.rfft2.
---@param x cuna.Operand real
---@param s integer[]|nil points by axis (-1: the axis' length): x is cut to them, or filled up with zeros
---@param axes integer[]|nil default: the last two
---@param norm cuna.FftNorm|nil default "backward"
---@return cuna.Array complex
---@usage cn.fft.rfft2({{1, 2, 3}, {4, 5, 6}}).shape --> (2, 2)
F.rfft2 = along_many("rfft2", halved "fft2", LAST_TWO, 1)

--- The inverse of cn.fft.rfft2. Follows numpy.fft.irfft2.
---@param x cuna.Operand
---@param s integer[]|nil points of the result by axis; default: the axes' lengths, of the last 2 (length - 1)
---@param axes integer[]|nil default: the last two
---@param norm cuna.FftNorm|nil default "backward"
---@return cuna.Array real
---@usage cn.fft.irfft2 {{10, -2}, {-4, 0}} --> [[1. 2.] [3. 4.]]
F.irfft2 = along_many("irfft2", to_real, LAST_TWO, 1)

--- The transform along several axes of what has a real spectrum, of which x has the first half along the last one.
--- Follows scipy.fft.hfftn.
---@param x cuna.Operand
---@param s integer[]|nil points of the result by axis; default: the axes' lengths, of the last 2 (length - 1)
---@param axes integer[]|nil default: all, or with s as many of the last
---@param norm cuna.FftNorm|nil default "backward"
---@return cuna.Array real
---@usage cn.fft.hfftn {{10, -2}, {-4, 0}} --> [[ 4. 8.] [12. 16.]]
F.hfftn = along_many("hfftn", hermitian, nil, 1)

--- The inverse of cn.fft.hfftn. Follows scipy.fft.ihfftn.
---@param x cuna.Operand real
---@param s integer[]|nil points by axis (-1: the axis' length): x is cut to them, or filled up with zeros
---@param axes integer[]|nil default: all, or with s as many of the last
---@param norm cuna.FftNorm|nil default "backward"
---@return cuna.Array complex; of the last axis the first half
---@usage cn.fft.ihfftn({{4, 8}, {12, 16}}).real --> [[10. -2.] [-4. 0.]]
F.ihfftn = along_many("ihfftn", to_hermitian "ifftn", nil, 1)

--- cn.fft.hfftn along two axes. Follows scipy.fft.hfft2.
---@param x cuna.Operand
---@param s integer[]|nil points of the result by axis; default: the axes' lengths, of the last 2 (length - 1)
---@param axes integer[]|nil default: the last two
---@param norm cuna.FftNorm|nil default "backward"
---@return cuna.Array real
---@usage cn.fft.hfft2 {{10, -2}, {-4, 0}} --> [[ 4. 8.] [12. 16.]]
F.hfft2 = along_many("hfft2", hermitian, LAST_TWO, 1)

--- The inverse of cn.fft.hfft2. Follows scipy.fft.ihfft2.
---@param x cuna.Operand real
---@param s integer[]|nil points by axis (-1: the axis' length): x is cut to them, or filled up with zeros
---@param axes integer[]|nil default: the last two
---@param norm cuna.FftNorm|nil default "backward"
---@return cuna.Array complex; of the last axis the first half
---@usage cn.fft.ihfft2({{4, 8}, {12, 16}}).real --> [[10. -2.] [-4. 0.]]
F.ihfft2 = along_many("ihfft2", to_hermitian "ifft2", LAST_TWO, 1)

-- ---- frequencies ----

--- A function that fills an array of `count(n)` elements with a formula of the position a, n (b) and the step c.
local function frequencies(word, expr, count)
  local name = "fft." .. word
  local read = args.reader(name, {"n", "d", "dtype", "device"})
  return function(...)
    local n, d, dtype, device = read(...)
    given.length(n, name, "n")
    local step = tonumber(check.number(d == nil and 1 or d, name, "d"))
    if step == nil or step == 0 or step ~= step then fail("%s: d is a distance, got %s", name, check.show(d)) end
    dtype = check.dtype(dtype, name) or core.default_dtype()
    if not FLOATS[dtype] then fail("%s: frequencies are floats, got dtype %q", name, dtype) end
    return formula.make(name, count(n), dtype, device, expr, "float64", n, 1 / (n * step))
  end
end

--- The frequency of each number of a transform of n points: 0, 1, ..., then the negative ones, over n d. Follows
--- numpy.fft.fftfreq.
---@param n integer
---@param d number|nil the distance between points, default 1
---@param dtype string|nil default: the default float
---@param device cuna.Device|string|nil default: the current one
---@return cuna.Array
---@usage cn.fft.fftfreq(4) --> [ 0. 0.25 -0.5 -0.25]
F.fftfreq = frequencies("fftfreq", "(a + a < b ? a : a - b) * c", function(n) return n end)

--- The frequency of each number of cn.fft.rfft of n points. Follows numpy.fft.rfftfreq.
---@param n integer
---@param d number|nil the distance between points, default 1
---@param dtype string|nil default: the default float
---@param device cuna.Device|string|nil default: the current one
---@return cuna.Array n / 2 + 1 elements
---@usage cn.fft.rfftfreq(4) --> [0. 0.25 0.5 ]
F.rfftfreq = frequencies("rfftfreq", "a * c", function(n) return math.floor(n / 2) + 1 end)

--- A function that rolls axes by about half of their lengths.
local function shifted(word, half)
  local name = "fft." .. word
  local read = args.reader(name, {"x", "axes"})
  return function(...)
    local x, axes = read(...)
    x = check.array(x, name)
    local list, shifts = given.axes(x, nil, axes, name), {}
    for i, axis in ipairs(list) do shifts[i] = half(x.shape[axis]) end
    return #list > 0 and rearrange.functions.roll(x, shifts, list) or core.cast(x, nil, name)
  end
end

--- x with the zero frequency in the middle of its axes. Follows numpy.fft.fftshift.
---@param x cuna.Operand
---@param axes integer|integer[]|nil default: all
---@return cuna.Array a copy
---@usage cn.fft.fftshift(cn.fft.fftfreq(4)) --> [-0.5 -0.25 0. 0.25]
F.fftshift = shifted("fftshift", function(length) return math.floor(length / 2) end)

--- The inverse of cn.fft.fftshift. Follows numpy.fft.ifftshift.
---@param x cuna.Operand
---@param axes integer|integer[]|nil default: all
---@return cuna.Array a copy
---@usage cn.fft.ifftshift {-0.5, -0.25, 0, 0.25} --> [ 0. 0.25 -0.5 -0.25]
F.ifftshift = shifted("ifftshift", function(length) return -math.floor(length / 2) end)

-- ---- plans ----

--- How many plans of transforms are kept, for those that come again: of the last 16. They hold no arrays.
---@return integer
---@usage cn.fft.plan_cache_size() <= 16 --> true
function F.plan_cache_size() return core.fft_plans(false) end

--- Gives back the plans that are kept, but those that a graph runs.
---@usage cn.fft.clear_plan_cache() -->
function F.clear_plan_cache() core.fft_plans(true) end

for name, fn in pairs(require("cuna.fft.cosine").functions) do F[name] = fn end

args.bound(F, {plan_cache_size = "", clear_plan_cache = ""})
namespace.make("fft", F)

return M
