--- cosine.lua: cosine and sine transforms of cn.fft, and lengths that are transformed fast.
--
-- Each type is a Fourier transform of a line that is extended, reordered or turned, as scipy.fft defines it: type 1 of
-- the even or odd extension; types 2 and 3 of the same length (Makhoul, "A fast cosine transform in one and two
-- dimensions", 1980); type 4 of half the length, or of the same where that is odd. A sine transform is the
-- cosine transform of the line with signs, and its elements in opposite order.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local fft_axes = require "cuna.fft.axes"
local given = require "cuna.fft.given"
local program = require "cuna.base.program"
local slices = require "cuna.base.slices"
local with = require "cuna.base.with"

local M = {functions = {}}
local F = M.functions -- cn.fft

local fail = check.fail

---@alias cuna.FftType 1|2|3|4 which cosine or sine transform: 1 of an extended line, 2 usual, 3 its inverse, 4 its own

-- ---- parts of lines ----

local function join(parts, axis) return args.namespace.concatenate(parts, axis) end

--- All elements of an axis in opposite order.
local function reversed(x, axis) return slices.part(x, axis, x.shape[axis], x.shape[axis], -1) end

--- The shape of a line along an axis of x.
local function line_shape(x, axis, count)
  local shape = {}
  for k = 1, x.ndim do shape[k] = k == axis and count or 1 end
  return shape
end

--- A formula of the positions 0, 1, ... of an axis of x, as a factor for x.
local function factors(x, axis, count, formula)
  local cn = args.namespace
  local places = with.on(x, cn.arange, 0, count, 1, "float64")
  return formula(places, cn):astype(x.dtype):reshape(line_shape(x, axis, count))
end

local function draw_waves(draft, dtype)
  local shift, step = draft:input("float64", "scalar"), draft:input("float64", "scalar")
  local place = draft:step("place", "a + b", "float64", {draft:position(), shift})
  local angle = draft:step("multiply", "wrap_mul(a, b)", "float64", {place, step})
  for _, wave in ipairs {"cos", "sin"} do draft:give(draft:step(wave, wave .. "(a)", "float64", {angle}), dtype) end
end

--- Cosines and sines of (k + shift) * step for the positions k = 0, 1, ... of an axis, as factors for x.
local function waves(x, axis, count, step, shift, name)
  local shape = line_shape(x, axis, count)
  local c, s = core.empty(shape, x.dtype, x, name), core.empty(shape, x.dtype, x, name)
  core.map(program.get(x.dtype, draw_waves, x.dtype), name, nil, {c, s}, shift, step)
  return c, s
end

--- 1, -1, 1, ... along an axis.
local function signs(x, axis)
  return factors(x, axis, x.shape[axis], function(k) return 1 - k % 2 * 2 end)
end

-- ---- transforms of lines ----

local function to_complex(x, axis, name) return fft_axes.to_complex(x, {axis}, 1, name, x.shape) end

local function even(x, axis, name)
  local n = x.shape[axis]
  local inner = slices.part(x, axis, n - 1, n - 2, -1)
  return to_complex(join({x, inner}, axis), axis, name).real
end

local function odd(x, axis, name)
  local n, zero = x.shape[axis], slices.part(x, axis, 1, 1) * 0
  local y = to_complex(join({zero, x, zero, -reversed(x, axis)}, axis), axis, name)
  return -slices.part(y.imag, axis, 2, n)
end

local function draw_pairs(draft, dtype)
  for _, input in ipairs {draft:input(dtype), draft:input(dtype)} do draft:give(input, dtype) end
end

--- The elements 0, 2, 4, ..., 5, 3, 1 of an axis: neighbours in one pass, which reads x once.
local function folded(x, axis, name)
  local n = x.shape[axis]
  local count = math.floor(n / 2)
  if count == 0 then return x end
  local y = core.empty_like(x, nil, name)
  core.map(program.get(x.dtype, draw_pairs, x.dtype), name, nil,
    {slices.part(y, axis, 1, count), slices.part(y, axis, n, count, -1)},
    slices.part(x, axis, 1, count, 2), slices.part(x, axis, 2, count, 2))
  if n > 2 * count then core.copy(slices.part(y, axis, count + 1, 1), slices.part(x, axis, n, 1), name) end
  return y
end

local function draw_turned(draft, dtype, both)
  local of = {fft_axes.complex_of(dtype), dtype, dtype}
  local list = {draft:input(of[1]), draft:input(dtype), draft:input(dtype)}
  local texts = {"(a.re * b + a.im * c) * 2", both and "(a.re * c - a.im * b) * 2" or nil}
  for k, text in ipairs(texts) do texts[k] = draft:step("turned", text, dtype, list, of) end
  for _, value in ipairs(texts) do draft:give(value, dtype) end
end

--- The cosine transform of lines of n, from the spectrum of the folded ones: elements k and n - k in one pass.
local function turned(y, axis, n, dtype, name)
  local half, shape = y.shape[axis], y.shape
  local angle = math.pi / (2 * n)
  shape[axis] = n
  local out = core.empty(shape, dtype, y.device, name)
  local c, s = waves(out, axis, half, angle, 0, name)
  local function run(first, count, step, outs)
    core.map(program.get(dtype .. #outs, draw_turned, dtype, #outs == 2), name, nil, outs,
      slices.part(y, axis, first, count, step), slices.part(c, axis, first, count, step),
      slices.part(s, axis, first, count, step))
  end
  local rest = n - half
  local alone = half - rest -- the first element, and of even lengths the one in the middle
  run(1, alone, half - 1, {slices.part(out, axis, 1, alone, half - 1)})
  if rest > 0 then run(2, rest, 1, {slices.part(out, axis, 2, rest), slices.part(out, axis, n, rest, -1)}) end
  return out
end

local function second(x, axis, name)
  return turned(to_complex(folded(x, axis, name), axis, name), axis, x.shape[axis], x.dtype, name)
end

--- The inverse of `folded`.
local function unfolded(x, axis, name)
  local n = x.shape[axis]
  local y, count = core.empty_like(x, nil, name), math.floor(n / 2)
  core.copy(slices.part(y, axis, 1, n - count, 2), slices.part(x, axis, 1, n - count), name)
  if count > 0 then
    core.copy(slices.part(y, axis, 2 * count, count, -2), slices.part(x, axis, n - count + 1, count), name)
  end
  return y
end

local function third(x, axis, name)
  local cn, n = args.namespace, x.shape[axis]
  local half = math.floor(n / 2) + 1
  local c, s = waves(x, axis, half, math.pi / (2 * n), 0, name)
  local first = slices.part(x, axis, 1, half < n and half or n)
  local zero = slices.part(x, axis, 1, 1) * 0
  if half > n then first = join({first, zero}, axis) end
  local mirrored = join({zero, slices.part(x, axis, n, half - 1, -1)}, axis)
  local re, im = first * c + mirrored * s, first * s - mirrored * c
  local spectrum = cn.add(re, cn.multiply(im, cn.complex(0, 1))):astype(fft_axes.complex_of(x.dtype))
  return unfolded(fft_axes.to_real(spectrum, {axis}, n, 1, true, name), axis, name)
end

--- exp(-i angle (k + shift)) along an axis, of k = 0, ..., count - 1.
local function turns(x, axis, count, angle, shift, name)
  local cn = args.namespace
  local c, s = waves(x, axis, count, angle, shift, name)
  return cn.subtract(c, cn.multiply(s, cn.complex(0, 1))):astype(fft_axes.complex_of(x.dtype))
end

local function fourth_even(x, axis, name)
  local cn, n = args.namespace, x.shape[axis]
  local count = n / 2
  local angle = math.pi / n
  local im = slices.part(x, axis, n, count, -2)
  local z = cn.add(slices.part(x, axis, 1, count, 2), cn.multiply(im, cn.complex(0, 1)))
  z = (z * turns(x, axis, count, angle, 0.25, name)):astype(fft_axes.complex_of(x.dtype))
  local y = fft_axes.complex(z, false, {axis}, 1, z, name) * turns(x, axis, count, angle, 0, name) * 2
  local out = core.empty_like(x, nil, name)
  core.copy(slices.part(out, axis, 1, count, 2), y.real, name)
  core.copy(slices.part(out, axis, n, count, -2), -y.imag, name)
  return out
end

--- Element k of an odd line of n stands at place 2 k + 1 of its extension, which is even, and odd about 2 n. Positions
--- and signs of what is at the places n, n + 8, n + 16, ...: each element once.
local function spread(places, n, cn)
  local at = (places * 8 + n) % (8 * n)
  at = cn.minimum(at, 8 * n - at)
  return cn.floor(cn.minimum(at, 4 * n - at) / 2) + 1, cn.where(at:gt(2 * n), -1, 1)
end

--- By a transform of real numbers of the same length (Chan and Ho, "Direct methods for computing discrete sinusoidal
--- transforms", 1990): element k is the sum of both parts of place 2 k + 1 of the spectrum, each with a sign.
local function fourth_odd(x, axis, name)
  local cn, n = args.namespace, x.shape[axis]
  local places = x.device:with(cn.arange, 0, n, 1, "float64")
  local positions, sign = spread(places, n, cn)
  local function line(values) return factors(x, axis, n, function() return values end) end
  local y = to_complex(cn.take(x, positions:astype "int64", axis) * line(sign), axis, name)
  local b = places * 2 + 1
  local at = b % n
  y = cn.take(y, (cn.minimum(at, n - at) + 1):astype "int64", axis)
  local re = cn.where(((b + 1) % 8):lt(4), math.sqrt(2), -math.sqrt(2))
  local im = cn.where((b % 8):lt(4):eq(at:lt(n / 2)), math.sqrt(2), -math.sqrt(2))
  return y.real * line(re) + y.imag * line(im)
end

local function fourth(x, axis, name)
  return (x.shape[axis] % 2 == 0 and fourth_even or fourth_odd)(x, axis, name)
end

local COSINE = {even, second, third, fourth}
local SINE = {odd,
  function(x, axis, name) return reversed(second(x * signs(x, axis), axis, name), axis) end,
  function(x, axis, name) return third(reversed(x, axis), axis, name) * signs(x, axis) end,
  function(x, axis, name) return fourth(reversed(x, axis), axis, name) * signs(x, axis) end,
}
local INVERSE = {1, 3, 2, 4}

-- What an orthogonal transform of a type multiplies before and after, by type: elements that are at the first position,
-- or at the last one.
local BEFORE = {cosine = {{first = math.sqrt(2), last = math.sqrt(2)}, nil, {first = math.sqrt(2)}},
  sine = {nil, nil, {last = math.sqrt(2)}}}
local AFTER = {cosine = {{first = math.sqrt(0.5), last = math.sqrt(0.5)}, {first = math.sqrt(0.5)}},
  sine = {nil, {last = math.sqrt(0.5)}}}

local function weighted(x, axis, weights)
  if not weights then return x end
  local n = x.shape[axis]
  return x * factors(x, axis, n, function(k, cn)
    local first = cn.where(k:eq(0), weights.first or 1, 1)
    return cn.where(k:eq(n - 1), weights.last or 1, first)
  end)
end

--- How many points a line of n has for its norm.
local function points_of(kind, type, n)
  if type > 1 then return 2 * n end
  return kind == "cosine" and 2 * (n - 1) or 2 * (n + 1)
end

--- Transforms real numbers along one axis.
local function along(x, axis, asked)
  local type = asked.inverse and INVERSE[asked.type] or asked.type
  local transforms = asked.kind == "cosine" and COSINE or SINE
  local points = points_of(asked.kind, asked.type, x.shape[axis])
  local before, after = BEFORE[asked.kind][type], AFTER[asked.kind][type]
  if not asked.orthogonal then before, after = nil, nil end
  local y = transforms[type](weighted(x, axis, before), axis, asked.name)
  y = weighted(y, axis, after)
  local factor = given.factor(asked.norm, asked.inverse, points)
  return factor == 1 and y or y * factor
end

-- ---- arguments ----

local function check_type(type, name)
  if type == nil then return 2 end
  if type == 1 or type == 2 or type == 3 or type == 4 then return type end
  fail("%s: type is 1, 2, 3 or 4, got %s", name, check.show(type))
end

--- Lengths that axes are brought to.
local function sizes_of(x, axes, lengths, asked)
  local sizes, shape = {}, x.shape
  for i, axis in ipairs(axes) do
    local length = lengths[i] ~= nil and lengths[i] ~= -1 and lengths[i] or shape[axis]
    sizes[i] = given.points(length, axis, asked.name)
    if asked.kind == "cosine" and asked.type == 1 and length < 2 then
      fail("%s: axis %d of length 1 is too short for type 1, which takes at least 2 points", asked.name, axis)
    end
  end
  return sizes
end

local function check_axes(axes, name)
  local seen = {}
  for _, axis in ipairs(axes) do
    if seen[axis] then fail("%s: axis %d is given twice", name, axis) end
    seen[axis] = true
  end
end

--- Transforms along axes; of complex numbers both parts.
local function run(x, axes, lengths, asked)
  if fft_axes.is_complex(x.dtype) then
    local cn = args.namespace
    return cn.add(run(x.real, axes, lengths, asked), cn.multiply(run(x.imag, axes, lengths, asked), cn.complex(0, 1)))
      :astype(x.dtype)
  end
  local sizes = sizes_of(x, axes, lengths, asked)
  local y, is_copy = given.fitted(x, axes, sizes, fft_axes.real_of(x.dtype), asked.name)
  for _, axis in ipairs(axes) do y = along(y, axis, asked) end
  if #axes == 0 and not is_copy then return core.cast(y, nil, asked.name) end
  return core.dense(y, nil, asked.name)
end

--- What a transform is asked for.
local function asked_for(name, kind, inverse, type, norm, orthogonalize)
  norm = given.norm(norm, name)
  local orthogonal = check.boolean(orthogonalize, norm == "ortho", name, "orthogonalize")
  return {name = name, kind = kind, inverse = inverse, type = check_type(type, name), norm = norm,
    orthogonal = orthogonal}
end

--- A transform along one axis.
local function along_one(word, kind, inverse)
  local name = "fft." .. word
  local read = args.reader(name, {"x", "type", "n", "axis", "norm", "orthogonalize"})
  return function(...)
    local x, type, n, axis, norm, orthogonalize = read(...)
    x = check.array(x, name)
    if n ~= nil then given.length(n, name, "n") end
    local place = core.axis(axis or -1, x, name)
    return run(x, {place}, {n}, asked_for(name, kind, inverse, type, norm, orthogonalize))
  end
end

--- A transform along several axes.
local function along_many(word, kind, inverse)
  local name = "fft." .. word
  local read = args.reader(name, {"x", "type", "s", "axes", "norm", "orthogonalize"})
  return function(...)
    local x, type, s, axes, norm, orthogonalize = read(...)
    x = check.array(x, name)
    local list, lengths = given.axes(x, s, axes, name)
    check_axes(list, name)
    return run(x, list, lengths, asked_for(name, kind, inverse, type, norm, orthogonalize))
  end
end

-- ---- transforms ----

--- The discrete cosine transform along one axis: with N points, of type 2 the sums of 2 x[n] cos(pi k (2 n + 1) / 2 N)
--- for k = 0, ..., N - 1. Of complex numbers both parts are transformed. float32 stays single. Follows scipy.fft.dct.
---@param x cuna.Operand
---@param type cuna.FftType|nil default 2
---@param n integer|nil points: x is cut to them, or filled up with zeros; default: the axis' length
---@param axis integer|nil default: the last
---@param norm cuna.FftNorm|nil default "backward"; the points are 2 N, of type 1 2 (N - 1)
---@param orthogonalize boolean|nil scales the first element (of type 1 the last one too) so that the transform is
---  orthogonal with norm "ortho"; default: whether norm is "ortho"
---@return cuna.Array
---@usage cn.fft.dct {1, 2} --> [ 6. -1.41421356]
---@usage cn.fft.dct({4, 4, 4, 4}, {norm = "ortho"}) --> [8. 0. 0. 0.]
F.dct = along_one("dct", "cosine", false)

--- The inverse of cn.fft.dct of a type. Follows scipy.fft.idct.
---@param x cuna.Operand
---@param type cuna.FftType|nil default 2
---@param n integer|nil points: x is cut to them, or filled up with zeros; default: the axis' length
---@param axis integer|nil default: the last
---@param norm cuna.FftNorm|nil default "backward"
---@param orthogonalize boolean|nil default: whether norm is "ortho"
---@return cuna.Array
---@usage cn.fft.idct(cn.fft.dct {1, 2, 3}) --> [1. 2. 3.]
F.idct = along_one("idct", "cosine", true)

--- The discrete sine transform along one axis: with N points, of type 2 the sums of
--- 2 x[n] sin(pi (k + 1) (2 n + 1) / 2 N) for k = 0, ..., N - 1. Of complex numbers both parts are transformed. Follows
--- scipy.fft.dst, but for orthogonal transforms of the types 2 and 3: SciPy 1.10 scales the first element of a
--- transform of type 2, which is not orthogonal then; here the last one is scaled, as its documentation says.
---@param x cuna.Operand
---@param type cuna.FftType|nil default 2
---@param n integer|nil points: x is cut to them, or filled up with zeros; default: the axis' length
---@param axis integer|nil default: the last
---@param norm cuna.FftNorm|nil default "backward"; the points are 2 N, of type 1 2 (N + 1)
---@param orthogonalize boolean|nil scales the last element so that the transform is orthogonal with norm "ortho";
---  default: whether norm is "ortho"
---@return cuna.Array
---@usage cn.fft.dst({1, 2, 3}, 1) --> [ 9.65685425 -4. 1.65685425]
F.dst = along_one("dst", "sine", false)

--- The inverse of cn.fft.dst of a type. Follows scipy.fft.idst.
---@param x cuna.Operand
---@param type cuna.FftType|nil default 2
---@param n integer|nil points: x is cut to them, or filled up with zeros; default: the axis' length
---@param axis integer|nil default: the last
---@param norm cuna.FftNorm|nil default "backward"
---@param orthogonalize boolean|nil default: whether norm is "ortho"
---@return cuna.Array
---@usage cn.fft.idst(cn.fft.dst {1, 2, 3}) --> [1. 2. 3.]
F.idst = along_one("idst", "sine", true)

--- The discrete cosine transform along several axes, one after the other. Follows scipy.fft.dctn.
---@param x cuna.Operand
---@param type cuna.FftType|nil default 2
---@param s integer[]|nil points by axis (-1: the axis' length): x is cut to them, or filled up with zeros
---@param axes integer[]|nil default: all, or with s as many of the last
---@param norm cuna.FftNorm|nil default "backward"
---@param orthogonalize boolean|nil default: whether norm is "ortho"
---@return cuna.Array
---@usage cn.fft.dctn({{1, 1}, {1, 1}}) --> [[16. 0.] [ 0. 0.]]
F.dctn = along_many("dctn", "cosine", false)

--- The inverse of cn.fft.dctn of a type. Follows scipy.fft.idctn.
---@param x cuna.Operand
---@param type cuna.FftType|nil default 2
---@param s integer[]|nil points by axis (-1: the axis' length): x is cut to them, or filled up with zeros
---@param axes integer[]|nil default: all, or with s as many of the last
---@param norm cuna.FftNorm|nil default "backward"
---@param orthogonalize boolean|nil default: whether norm is "ortho"
---@return cuna.Array
---@usage cn.fft.idctn {{16, 0}, {0, 0}} --> [[1. 1.] [1. 1.]]
F.idctn = along_many("idctn", "cosine", true)

--- The discrete sine transform along several axes, one after the other. Follows scipy.fft.dstn.
---@param x cuna.Operand
---@param type cuna.FftType|nil default 2
---@param s integer[]|nil points by axis (-1: the axis' length): x is cut to them, or filled up with zeros
---@param axes integer[]|nil default: all, or with s as many of the last
---@param norm cuna.FftNorm|nil default "backward"
---@param orthogonalize boolean|nil default: whether norm is "ortho"
---@return cuna.Array
---@usage cn.fft.dstn({{1, 2}, {3, 5}}, 1):round() --> [[ 33. -9.] [-15. 3.]]
F.dstn = along_many("dstn", "sine", false)

--- The inverse of cn.fft.dstn of a type. Follows scipy.fft.idstn.
---@param x cuna.Operand
---@param type cuna.FftType|nil default 2
---@param s integer[]|nil points by axis (-1: the axis' length): x is cut to them, or filled up with zeros
---@param axes integer[]|nil default: all, or with s as many of the last
---@param norm cuna.FftNorm|nil default "backward"
---@param orthogonalize boolean|nil default: whether norm is "ortho"
---@return cuna.Array
---@usage cn.fft.idstn(cn.fft.dstn {{1, 2}, {3, 4}}) --> [[1. 2.] [3. 4.]]
F.idstn = along_many("idstn", "sine", true)

-- ---- fast lengths ----

--- The least product of the given primes and powers of 2 that is not below `target`, at most `best`.
local function least_product(target, primes, product, at, best)
  if at > #primes then
    while product < target do product = product * 2 end
    return math.min(product, best)
  end
  while product < best do
    best = least_product(target, primes, product, at + 1, best)
    product = product * primes[at]
  end
  return best
end

local read_length = args.reader("fft.next_fast_len", {"target", "real"})

--- The least length from `target` on whose prime factors are at most 11, or 5 for transforms of real numbers: such
--- transforms are fast. Follows scipy.fft.next_fast_len.
---@param target integer
---@param real boolean|nil default false
---@return integer
---@usage cn.fft.next_fast_len(91), cn.fft.next_fast_len(91, true) --> 96, 96
---@usage cn.fft.next_fast_len(7), cn.fft.next_fast_len(7, true) --> 7, 8
function F.next_fast_len(...)
  local target, real = read_length(...)
  given.length(target, "fft.next_fast_len", "target")
  real = check.boolean(real, false, "fft.next_fast_len", "real")
  return least_product(target, real and {5, 3} or {11, 7, 5, 3}, 1, 1, 2 ^ math.ceil(math.log(target) / math.log(2)))
end

return M
