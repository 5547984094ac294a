--- weights.lua: sums of neighbours with weights: correlations along one axis, and over all.
--
-- Sums have SciPy's order, so that they have its bits: along an axis, neighbours on both sides are added first where
-- their weights are equal, and subtracted where these are opposite.
local border = require "cuna.ndimage.border"
local cdata = require "cuna.base.cdata"
local check = require "cuna.base.check"
local core = require "cuna.core"
local dtype_facts = require "cuna.base.dtype_facts"
local fold = require "cuna.ndimage.fold"
local given = require "cuna.ndimage.given"
local slices = require "cuna.base.slices"

local M = {}

local kind_of = dtype_facts.kind_of

--- Weights on the host: list (of numbers, row-major), shape, is_complex.
---@class cuna.Weights

--- The weights of a table or an array, which are fetched.
---@return cuna.Weights
function M.read(weights, name)
  local list, shape = given.elements(weights, name)
  local is_complex = false
  for k, w in ipairs(list) do
    if core.number_kind(w) == "complex" then is_complex = true
    elseif type(w) == "boolean" then list[k] = w and 1 or 0
    else list[k] = tonumber(w) end
  end
  return {list = list, shape = shape, is_complex = is_complex}
end

--- The dtype that sums are computed in, and that of results without an output.
local function types_of(x, is_complex)
  if kind_of[x.dtype] == "c" then return "complex128", x.dtype end
  if is_complex then return "complex128", x.dtype == "float32" and "complex64" or "complex128" end
  return "float64", x.dtype
end

-- ---- along one axis ----

local EPSILON = 2 ^ -52

--- How weights stand about their middle: "+" symmetric, "-" antisymmetric, nil neither.
local function symmetry_of(list)
  local n = #list
  if n % 2 == 0 or n == 1 then return nil end
  local even, odd = true, true
  for k = 1, (n - 1) / 2 do
    even = even and math.abs(list[k] - list[n + 1 - k]) <= EPSILON
    odd = odd and math.abs(list[k] + list[n + 1 - k]) <= EPSILON
  end
  return even and "+" or odd and "-" or nil
end

--- The neighbours and weights of a line in the order of the sum: the middle with both sides, or the last one and then
--- those from the first on.
local function line_of(list, ndim, axis, before, is_complex)
  local n, symmetry = #list, not is_complex and symmetry_of(list) or nil
  local neighbours, weights = {}, {}
  local function add(at, weight, mirror)
    local steps = {}
    for k = 1, ndim do steps[k] = k == axis and at or 0 end
    neighbours[#neighbours + 1], weights[#weights + 1] = {steps = steps, mirror = mirror}, weight
  end
  if symmetry then
    local middle = (n + 1) / 2
    add(0, list[middle])
    for k = 1, middle - 1 do add(k - middle, list[k], symmetry) end
    return neighbours, weights, before - (middle - 1)
  end
  add(n - 1 - before, list[n])
  for k = 1, n - 1 do add(k - 1 - before, list[k]) end
  return neighbours, weights, 0
end

--- Correlates along one axis into `out`.
---@param list number[] weights
---@param mode string of cn.pad
function M.line(x, list, axis, before, mode, cval, out, name, is_complex)
  local what = {fold = "sum", computed = types_of(x, is_complex), weighs = is_complex and "complex128" or "float64"}
  local neighbours, weights, moved = line_of(list, x.ndim, axis, before, is_complex)
  local both = fold.weights(weights, what.weighs, x.device, name)
  border.along(x, axis, before, #list - 1 - before, mode, cval, out, function(src, part)
    -- A symmetric window may be about an element beside this one.
    if moved ~= 0 then src = slices.part(src, axis, 1 - moved, src.shape[axis]) end
    fold.fold(what, src, part, neighbours, both, name)
  end)
end

--- correlate1d or, with is_convolution, convolve1d.
function M.along(x, weights, axis, output, mode, cval, origin, name, is_convolution)
  x, weights = given.image(x, name), M.read(weights, name)
  local n, list = #weights.list, weights.list
  if #weights.shape ~= 1 or n == 0 then
    check.fail("%s: weights are a vector of at least 1 element, got shape %s", name, tostring(weights.shape))
  end
  axis, origin = core.axis(axis == nil and -1 or axis, x.ndim, name), origin == nil and 0 or origin
  origin = check.integer(origin, name, "origin")
  if is_convolution then
    local turned = {}
    for k = 1, n do turned[k] = list[n + 1 - k] end
    list, origin = turned, -origin - (n % 2 == 0 and 1 or 0)
  elseif weights.is_complex then
    list = M.conjugated(list)
  end
  local before = given.reach(n, origin, name)
  local _, dtype = types_of(x, weights.is_complex)
  mode, cval = border.mode(mode, name), given.cval(cval, name)
  return given.output(output, x, x.shape, dtype, name, function(out)
    M.check_output(out, dtype, name)
    M.line(border.holding(x, {mode}, cval, name), list, axis, before, mode, cval, out, name, weights.is_complex)
  end)
end

--- Complex sums need a complex output.
function M.check_output(out, dtype, name)
  if kind_of[dtype] == "c" and kind_of[out.dtype] ~= "c" then
    check.fail("%s: the result is %s, which an output of %s does not hold", name, dtype, out.dtype)
  end
end

function M.conjugated(list)
  local made = {}
  for k, w in ipairs(list) do made[k] = type(w) == "cdata" and cdata.complex(w.re, -w.im) or w end
  return made
end

--- Means of windows of `size` elements along one axis, into `out`.
function M.mean(x, size, axis, before, mode, cval, out, name)
  local what, neighbours = {fold = "sum", computed = types_of(x, false), divisor = size}, {}
  for k = 1, size do
    local steps = {}
    for j = 1, x.ndim do steps[j] = j == axis and k - 1 - before or 0 end
    neighbours[k] = {steps = steps}
  end
  border.along(x, axis, before, size - 1 - before, mode, cval, out, function(src, part)
    fold.fold(what, src, part, neighbours, nil, name)
  end)
end

-- ---- over all axes ----

--- The neighbours whose weights are not 0, in row-major order, and these weights.
local function window_of(weights, before)
  local neighbours, list, at = {}, {}, {}
  for axis = 1, #before do at[axis] = -before[axis] end
  for _, w in ipairs(weights.list) do
    if weights.is_complex and (w.re ~= 0 or w.im ~= 0) or not weights.is_complex and math.abs(w) > EPSILON then
      neighbours[#neighbours + 1], list[#list + 1] = {steps = {unpack(at)}}, w
    end
    for axis = #at, 1, -1 do
      at[axis] = at[axis] + 1
      if at[axis] < weights.shape[axis] - before[axis] then break end
      at[axis] = -before[axis]
    end
  end
  return neighbours, list
end

--- correlate or, with is_convolution, convolve.
function M.over(x, weights, output, mode, cval, origin, name, is_convolution)
  x, weights = given.image(x, name), M.read(weights, name)
  local shape, ndim = weights.shape, x.ndim
  if #shape ~= ndim then
    check.fail("%s: weights of shape %s for an image of %d axes", name, tostring(shape), ndim)
  end
  local origins, list, n = given.origins(origin, ndim, name), weights.list, #weights.list
  if n == 0 then check.fail("%s: there are no weights, got shape %s", name, tostring(shape)) end
  if is_convolution then
    local turned = {}
    for k = 1, n do turned[k] = list[n + 1 - k] end
    for k = 1, ndim do origins[k] = -origins[k] - (shape[k] % 2 == 0 and 1 or 0) end
    weights.list = turned
  elseif weights.is_complex then
    weights.list = M.conjugated(list)
  end
  local before, after = {}, {}
  for k = 1, ndim do before[k], after[k] = given.reach(shape[k], origins[k], name) end
  local computed, dtype = types_of(x, weights.is_complex)
  local modes = given.modes(mode, ndim, name)
  cval = given.cval(cval, name)
  return given.output(output, x, x.shape, dtype, name, function(out)
    M.check_output(out, dtype, name)
    local neighbours, used = window_of(weights, before)
    if #neighbours == 0 then return core.fill(out, 0, name) end
    local what = {fold = "sum", computed = computed, weighs = weights.is_complex and "complex128" or "float64"}
    local src = border.around(border.holding(x, modes, cval, name), before, after, modes, cval)
    fold.fold(what, src, out, neighbours, fold.weights(used, what.weighs, x.device, name), name)
  end)
end

return M
