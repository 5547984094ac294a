--- convolution.lua: convolutions and correlations of arrays with as many axes as each other.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local convolve = require "cuna.convolve"
local core = require "cuna.core"
local dtype_facts = require "cuna.base.dtype_facts"
local dtype_rules = require "cuna.base.dtype_rules"
local given = require "cuna.signal.given"
local overlap = require "cuna.signal.overlap"
local slide = require "cuna.signal.slide"

local M = {functions = {}}
local F = M.functions -- cn.signal

local fail, kind_of = check.fail, dtype_facts.kind_of
local METHODS = {"auto", "direct", "fft"}

---@alias cuna.ConvolutionMode "full"|"valid"|"same" all results; those for which one operand lies within the other; the
--- middle ones, as many as in1 has

-- ---- arguments ----

--- Two arrays on one device with as many axes.
local function operands_of(a, b, name)
  a, b = given.pair(a, b, name)
  if a.ndim ~= b.ndim then
    fail("%s: both arrays have as many axes, got shapes %s and %s", name, tostring(a.shape), tostring(b.shape))
  end
  return a, b
end

local function all_axes(x)
  local axes = {}
  for axis = 1, x.ndim do axes[axis] = axis end
  return axes
end

--- The axes that are convolved; the others broadcast.
local function axes_of(a, b, axes, name)
  local list, kept, named = {}, {}, {}
  for i, axis in ipairs(axes == nil and all_axes(a) or type(axes) == "table" and axes or {axes}) do
    list[i] = core.axis(axis, a.ndim, name)
  end
  if axes ~= nil and #list == 0 then fail("%s: axes has no axis", name) end
  local sa, sb = a.shape, b.shape
  for _, axis in ipairs(list) do
    if named[axis] then fail("%s: axis %d is given twice", name, axis) end
    named[axis] = true
    if sa[axis] ~= 1 and sb[axis] ~= 1 then kept[#kept + 1] = axis end
  end
  for axis = 1, a.ndim do
    if not named[axis] and sa[axis] ~= sb[axis] and sa[axis] ~= 1 and sb[axis] ~= 1 then
      fail("%s: shapes %s and %s do not broadcast along axis %d", name, tostring(sa), tostring(sb), axis)
    end
  end
  return kept
end

--- The dtype of whole numbers as transforms have them.
local function floating(x, name)
  if dtype_facts.is_inexact(x.dtype) then return x end
  return core.cast(x, "float64", name)
end

-- ---- by transforms ----

--- fftconvolve and oaconvolve; `full` convolves along axes.
local function by_transforms(a, b, mode, axes, full, name)
  a, b = operands_of(a, b, name)
  mode = given.word(mode, overlap.MODES, name, "mode")
  if a.ndim == 0 then return args.namespace.multiply(a, b) end
  if a.size == 0 or b.size == 0 then return args.namespace.zeros(0, given.inexact(a.dtype, b.dtype)) end
  axes = axes_of(a, b, axes, name)
  if overlap.is_swapped(mode, a.shape, b.shape, axes, name) then a, b = b, a end
  local made = full(floating(a, name), floating(b, name), axes)
  local part = overlap.part(made, a.shape, b.shape, mode, axes)
  return core.dense(part, nil, name)
end

local read_fftconvolve = args.reader("signal.fftconvolve", {"in1", "in2", "mode", "axes"}, 2)

--- Convolution by Fourier transforms. Follows scipy.signal.fftconvolve.
---@param in1 cuna.Operand
---@param in2 cuna.Operand with as many axes
---@param mode cuna.ConvolutionMode|nil default "full"
---@param axes cuna.Axes|nil default: all; along others, shapes broadcast
---@return cuna.Array floats or complex numbers
---@usage cn.signal.fftconvolve({1, 2, 3}, {0, 1, 0.5}):round(6) --> [0. 1. 2.5 4. 1.5]
function F.fftconvolve(...)
  local a, b, mode, axes = read_fftconvolve(...)
  return by_transforms(a, b, mode, axes, overlap.whole, "signal.fftconvolve")
end

local read_oaconvolve = args.reader("signal.oaconvolve", {"in1", "in2", "mode", "axes"}, 2)

--- Convolution by Fourier transforms of blocks, whose ends overlap and are added: for operands of very different
--- lengths along one axis. Along several axes it is cn.signal.fftconvolve. Follows scipy.signal.oaconvolve.
---@param in1 cuna.Operand
---@param in2 cuna.Operand with as many axes
---@param mode cuna.ConvolutionMode|nil default "full"
---@param axes cuna.Axes|nil default: all
---@return cuna.Array
---@usage cn.signal.oaconvolve(cn.ones(100), {1, 1}, "valid"):allclose(2) --> true
function F.oaconvolve(...)
  local a, b, mode, axes = read_oaconvolve(...)
  return by_transforms(a, b, mode, axes, overlap.blocks, "signal.oaconvolve")
end

-- ---- which method ----

-- SciPy's seconds for each operation of a transform and of a sum, and how many seconds the transform is behind.
local COSTS = {
  [true] = {valid = {1.89095737e-9, 2.1364985e-10, -1e-3}, full = {1.7649070e-9, 2.1414831e-10, -1e-3},
    same = {3.2646654e-9, 2.8478277e-10, -1e-3}, same_swapped = {3.21635404e-9, 1.1773253e-8, -1e-5}},
  [false] = {valid = {1.85927e-9, 2.11242e-8, -1e-4}, full = {1.99817e-9, 1.66174e-8, -1e-4},
    same = {2.04735e-9, 1.55367e-8, -1e-4}},
}

--- How many products transforms and sums take.
local function work_of(a, b, mode)
  local sa, sb, full, out = a.shape, b.shape, 1, 1
  for axis = 1, a.ndim do
    full = full * (sa[axis] + sb[axis] - 1)
    out = out * (mode == "valid" and math.abs(sa[axis] - sb[axis]) + 1 or sa[axis] + sb[axis] - 1)
  end
  local n, k = a.size, b.size
  local direct
  if mode == "same" then
    direct = n * k - (a.ndim == 1 and n >= k and math.floor(k / 2) * math.floor((k + 1) / 2) or 0)
  else
    direct = a.ndim == 1 and mode == "full" and n * k or math.min(n, k) * out
  end
  return 3 * full * math.log(full), direct
end

--- Whether integers are too great for sums of floats. Their greatest values are fetched.
local function is_too_great(a, b, name)
  local bound = math.min(a.size, b.size)
  for _, x in ipairs {a, b} do
    if x.size == 0 then return false end
    bound = bound * math.abs(tonumber(core.cast(x, "float64", name):abs():max():item()) or 0)
  end
  return bound > 2 ^ 52 - 1
end

local function method_of(a, b, mode, name)
  local ka, kb = kind_of[a.dtype], kind_of[b.dtype]
  if ka == "b" and kb == "b" or a.size == 0 or b.size == 0 then return "direct" end
  local costs = COSTS[a.ndim == 1]
  local cost = mode == "same" and b.size > a.size and costs.same_swapped or costs[mode]
  local transforms, sums = work_of(a, b, mode)
  if cost[1] * transforms >= cost[2] * sums + cost[3] then return "direct" end
  local is_whole = dtype_facts.is_integer(a.dtype) or dtype_facts.is_integer(b.dtype)
  return is_whole and is_too_great(a, b, name) and "direct" or "fft"
end

local read_choose = args.reader("signal.choose_conv_method", {"in1", "in2", "mode"}, 2)

--- The method that cn.signal.convolve takes: "fft", or "direct" for few products and for integers whose sums floats do
--- not hold. SciPy's estimates decide; nothing is timed. Follows scipy.signal.choose_conv_method.
---@param in1 cuna.Operand
---@param in2 cuna.Operand
---@param mode cuna.ConvolutionMode|nil default "full"
---@return "direct"|"fft"
---@usage cn.signal.choose_conv_method(cn.ones(10), cn.ones(3)) --> direct
function F.choose_conv_method(...)
  local a, b, mode = read_choose(...)
  local name = "signal.choose_conv_method"
  a, b = operands_of(a, b, name)
  return method_of(a, b, given.word(mode, overlap.MODES, name, "mode"), name)
end

-- ---- sums ----

local function flipped(x) return args.namespace.flip(x) end

--- x continued by `widths` zeros, or as another mode of cn.pad does.
local function continued(x, widths, mode, fill)
  local cn = args.namespace
  if mode ~= "constant" then return cn.pad(x, widths, mode) end
  return cn.pad(x, widths, "constant", {constant_values = fill})
end

local function of_convolution(k) return k - 1 - math.floor((k - 1) / 2) end
local function of_correlation(k) return math.floor((k - 1) / 2) end

--- a continued so that the parts that b covers whole are the results of a mode. `before` says how many elements precede
--- the middle results.
local function bordered(a, b, mode, boundary, fill, before)
  local sa, sb, widths = a.shape, b.shape, {}
  for axis = 1, a.ndim do
    local k = sb[axis]
    local first = mode == "full" and k - 1 or mode == "same" and before(k) or 0
    local length = mode == "full" and sa[axis] + k - 1 or mode == "same" and sa[axis] or sa[axis] - k + 1
    widths[axis] = {first, length + k - 1 - sa[axis] - first}
  end
  return mode == "valid" and a or continued(a, widths, boundary, fill)
end

--- The full, middle or valid convolution of arrays of one dtype, as sums.
local function sums(a, b, mode, name)
  return slide.valid(bordered(a, b, mode, "constant", 0, of_convolution), flipped(b), name)
end

--- Whether an array is at least as long as another along all axes.
local function holds(a, b)
  local sa, sb = a.shape, b.shape
  for axis = 1, #sa do
    if sa[axis] < sb[axis] then return false end
  end
  return true
end

--- The convolution in the common dtype, as sums.
local function directly(a, b, mode, name)
  local dtype = dtype_rules.common {a.dtype, b.dtype}
  if a.ndim == 1 and (mode ~= "same" or a.size >= b.size) and dtype ~= "bool" then
    return convolve.functions.convolve(a, b, mode)
  end
  local computed = dtype == "bool" and "int64" or dtype
  a, b = core.cast(a, computed, name), core.cast(b, computed, name)
  local made
  if mode ~= "same" and not holds(a, b) and holds(b, a) then
    made = sums(b, a, mode, name)
  else
    made = sums(a, b, mode, name)
  end
  return dtype == "bool" and core.cast(made, "bool", name) or made
end

--- The convolution of two arrays by a method, in their common dtype.
local function convolved(a, b, mode, method, name)
  mode, method = given.word(mode, overlap.MODES, name, "mode"), given.word(method, METHODS, name, "method")
  if a.ndim == 0 then return args.namespace.multiply(a, b) end
  if overlap.is_swapped(mode, a.shape, b.shape, all_axes(a), name) then a, b = b, a end
  for _, x in ipairs {a, b} do
    if x.size == 0 then fail("%s: an array has no elements: shape %s", name, tostring(x.shape)) end
  end
  if method == "auto" then method = method_of(a, b, mode, name) end
  if method == "direct" then return directly(a, b, mode, name) end
  local dtype = dtype_rules.common {a.dtype, b.dtype}
  local made = by_transforms(a, b, mode, nil, overlap.whole, name)
  if not dtype_facts.is_inexact(dtype) then made = core.cast(args.namespace.rint(made), "int64", name) end -- wraps
  return core.dtype_of(made) == dtype and made or core.cast(made, dtype, name)
end

local read_convolve = args.reader("signal.convolve", {"in1", "in2", "mode", "method"}, 2)

--- Convolution over all axes, in the operands' common dtype. Follows scipy.signal.convolve.
---@param in1 cuna.Operand
---@param in2 cuna.Operand with as many axes
---@param mode cuna.ConvolutionMode|nil default "full"
---@param method "auto"|"direct"|"fft"|nil "auto" (default): the one that cn.signal.choose_conv_method names
---@return cuna.Array
---@usage cn.signal.convolve({1, 2, 3}, {0, 1, 0.5}) --> [0. 1. 2.5 4. 1.5]
---@usage cn.signal.convolve({{1, 2}, {3, 4}}, {{1, 1}}, "same") --> [[1. 3.] [3. 7.]]
function F.convolve(...)
  local a, b, mode, method = read_convolve(...)
  a, b = operands_of(a, b, "signal.convolve")
  return convolved(a, b, mode, method, "signal.convolve")
end

local read_correlate = args.reader("signal.correlate", {"in1", "in2", "mode", "method"}, 2)

--- Correlation over all axes: convolution with in2 reversed and conjugated. Follows scipy.signal.correlate.
---@param in1 cuna.Operand
---@param in2 cuna.Operand with as many axes
---@param mode cuna.ConvolutionMode|nil default "full"
---@param method "auto"|"direct"|"fft"|nil default "auto"
---@return cuna.Array
---@usage cn.signal.correlate({1, 2, 3}, {0, 1, 0.5}) --> [0.5 2. 3.5 3. 0. ]
function F.correlate(...)
  local a, b, mode, method = read_correlate(...)
  local name = "signal.correlate"
  a, b = operands_of(a, b, name)
  if kind_of[b.dtype] == "c" then b = b:conj() end
  if a.ndim == 0 then return args.namespace.multiply(a, b) end
  return convolved(a, flipped(b), mode, method, name)
end

-- Of n and k elements, first and second: the first lag and the last.
local LAGS = {
  full = function(n, k) return 1 - k, n - 1 end,
  same = function(n, k)
    local middle, bound = math.floor((n + k - 1) / 2), math.floor(n / 2)
    return 1 - k + middle - bound, 1 - k + middle + bound - 1 + n % 2
  end,
  valid = function(n, k) return math.min(n - k, 0), math.max(n - k, 0) end,
}

local read_lags = args.reader("signal.correlation_lags", {"in1_len", "in2_len", "mode"}, 2)

--- By how much in2 is moved for each result of cn.signal.correlate. Follows scipy.signal.correlation_lags.
---@param in1_len integer
---@param in2_len integer
---@param mode cuna.ConvolutionMode|nil default "full"
---@return cuna.Array int64
---@usage cn.signal.correlation_lags(3, 2) --> [-1 0 1 2]
function F.correlation_lags(...)
  local n, k, mode = read_lags(...)
  local name = "signal.correlation_lags"
  n, k = check.count(n, name, "in1_len"), check.count(k, name, "in2_len")
  local first, last = LAGS[given.word(mode, overlap.MODES, name, "mode")](n, k)
  return args.namespace.arange(first, last + 1, 1, "int64")
end

-- ---- two axes, with borders ----

local BOUNDARIES = {fill = "constant", pad = "constant", wrap = "wrap", circular = "wrap", symm = "symmetric",
  symmetric = "symmetric"}

--- convolve2d and correlate2d: in2 is turned by the caller, so that both are correlations.
local function over_two(a, b, mode, boundary, fill, name, before)
  a, b = operands_of(a, b, name)
  if a.ndim ~= 2 then
    fail("%s: expected matrices, got shapes %s and %s", name, tostring(a.shape), tostring(b.shape))
  end
  if a.size == 0 or b.size == 0 then fail("%s: a matrix has no elements", name) end
  mode = given.word(mode, overlap.MODES, name, "mode")
  local found = BOUNDARIES[boundary == nil and "fill" or boundary]
  if not found then
    fail("%s: boundary is \"fill\", \"wrap\" or \"symm\", got %s", name, check.show(boundary))
  end
  fill = check.number(fill == nil and 0 or fill, name, "fillvalue")
  local dtype = dtype_rules.common {a.dtype, b.dtype}
  local computed = dtype == "bool" and "int64" or dtype
  a, b = core.cast(a, computed, name), core.cast(b, computed, name)
  local made = slide.valid(bordered(a, b, mode, found, fill, before), b, name)
  return dtype == "bool" and core.cast(made, "bool", name) or made
end

local read_convolve2d = args.reader("signal.convolve2d", {"in1", "in2", "mode", "boundary", "fillvalue"}, 2)

--- Convolution of matrices, with borders; computed as sums. Follows scipy.signal.convolve2d.
---@param in1 cuna.Operand matrix
---@param in2 cuna.Operand matrix
---@param mode cuna.ConvolutionMode|nil default "full"
---@param boundary "fill"|"wrap"|"symm"|nil beyond the border: fillvalue (default), the other side, a mirror image
---@param fillvalue number|nil default 0
---@return cuna.Array
---@usage cn.signal.convolve2d({{1, 2}, {3, 4}}, {{1, 1}}, "same") --> [[1. 3.] [3. 7.]]
function F.convolve2d(...)
  local a, b, mode, boundary, fill = read_convolve2d(...)
  local name = "signal.convolve2d"
  a, b = operands_of(a, b, name)
  if a.ndim == 2 and overlap.is_swapped(given.word(mode, overlap.MODES, name, "mode"), a.shape, b.shape, {1, 2},
    name) then
    a, b = b, a
  end
  return over_two(a, flipped(b), mode, boundary, fill, name, of_convolution)
end

local read_correlate2d = args.reader("signal.correlate2d", {"in1", "in2", "mode", "boundary", "fillvalue"}, 2)

--- Correlation of matrices, with borders; in2 is conjugated. Follows scipy.signal.correlate2d.
---@param in1 cuna.Operand matrix
---@param in2 cuna.Operand matrix
---@param mode cuna.ConvolutionMode|nil default "full"
---@param boundary "fill"|"wrap"|"symm"|nil
---@param fillvalue number|nil default 0
---@return cuna.Array
---@usage cn.signal.correlate2d({{1, 2}, {3, 4}}, {{1, 1}}, "valid") --> [[3.] [7.]]
function F.correlate2d(...)
  local a, b, mode, boundary, fill = read_correlate2d(...)
  local name = "signal.correlate2d"
  a, b = operands_of(a, b, name)
  mode = given.word(mode, overlap.MODES, name, "mode")
  local is_swapped = a.ndim == 2 and overlap.is_swapped(mode, a.shape, b.shape, {1, 2}, name)
  if kind_of[b.dtype] == "c" then b = b:conj() end
  if is_swapped then a, b = b, a end
  local made = over_two(a, b, mode, boundary, fill, name, of_correlation)
  return is_swapped and core.cast(flipped(made), nil, name) or made
end

return M
