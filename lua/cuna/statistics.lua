--- statistics.lua: weighted averages, covariances and correlations.
--
-- A product that is summed is one program with two inputs: nothing of its size is made. Those of many variables are a
-- product of matrices. Weights are not looked at; those that sum to 0 give NaN or infinity.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local dtype_rules = require "cuna.base.dtype_rules"
local elementwise = require "cuna.elementwise"
local join = require "cuna.join"
local later = require "cuna.base.later"
local manipulate = require "cuna.manipulate"
local matrix = require "cuna.matrix"
local program = require "cuna.base.program"
local reduce = require "cuna.reduce"
local reducers = require "cuna.reducers"
local shapes = require "cuna.base.shapes"
local with = require "cuna.base.with"

local M = {functions = {}}
local F = M.functions

local fail = check.fail
local products = later.functions "linalg.products"
local E, R = elementwise.functions, reduce.functions

local function draw_product(draft, a, b, dtype, conjugate)
  local accumulator, result = reducers.sum_types(dtype, dtype)
  draft:step("product", conjugate and "wrap_mul(a, conj(b))" or "wrap_mul(a, b)", accumulator,
    {draft:input(a), draft:input(b)})
  draft.reducer, draft.accumulator, draft.output = reducers.row("sum", dtype), accumulator, result
end

--- The sum over axes of the product of two arrays, which broadcast; with `conjugate`, of a and b's conjugate.
local function sum_of_products(a, b, dtype, axes, keepdims, conjugate, name)
  local key = table.concat({a.dtype, b.dtype, dtype, tostring(conjugate)}, " ")
  local made = program.get(key, draw_product, a.dtype, b.dtype, dtype, conjugate)
  return core.reduce(made, name, axes, keepdims, 0, nil, a, b)
end

-- ---- averages ----

--- Weights that broadcast against x: of x's shape, or one for each position along the one axis.
local function weights_beside(weights, x, axis, name)
  weights = check.array(weights, name, x.device)
  check.same_device(x, weights, name)
  if core.same_shape(weights, x) then return weights end
  if type(axis) ~= "number" then
    fail("%s: weights of shape %s for an array of shape %s need one axis, that of the weights", name,
      tostring(weights.shape), tostring(x.shape))
  end
  axis = core.axis(axis, x.ndim, name)
  if weights.ndim ~= 1 or weights.size ~= x.shape[axis] then
    fail("%s: weights of shape %s do not fit axis %d of shape %s", name, tostring(weights.shape), axis,
      tostring(x.shape))
  end
  local lengths = {}
  for k = 1, x.ndim do lengths[k] = k == axis and weights.size or 1 end
  return core.reshape(weights, lengths, name)
end

local function weighted_dtype(x, weights)
  local common = core.promote(x.dtype, weights.dtype)
  return reducers.is_inexact(x.dtype) and common or core.promote(common, dtype_rules.default_dtype())
end

--- A weighted average and the sum of the weights, which broadcasts to it.
local function weighted(x, axes, weights, keepdims, name)
  local dtype = weighted_dtype(x, weights)
  local total = sum_of_products(x, weights, dtype, axes, keepdims, false, name)
  local accumulator, result = reducers.sum_types(weights.dtype, dtype)
  local folded = core.reduce(reducers.program("sum", weights.dtype, accumulator, result), name, axes, keepdims, 0, nil,
    weights)
  return E.divide(total, folded), folded
end


--- How many elements are folded into one.
local function folded_count(x, axes)
  local count = 1
  for axis, length in ipairs(x.shape) do
    if shapes.is_named(axes, axis) then count = count * length end
  end
  return count
end

local read_average = args.reader("average", {"x", "axis", "weights", "returned", "keepdims"})

--- Average over axes, with weights: sum(x * weights) / sum(weights). Follows numpy.average, but that weights which
--- sum to 0 give NaN or infinity.
---@param x cuna.Operand any shape and dtype
---@param axis cuna.Axes|nil
---@param weights cuna.Operand|nil of x's shape, or 1-d along the one axis
---@param returned boolean|nil true: also returns the sum of the weights, too
---@param keepdims boolean|nil
---@return cuna.Array
---@return cuna.Array|nil sum_of_weights of the average's shape; without weights the count
---@usage cn.average({1, 2, 4}, {weights = {1, 1, 2}}) --> 2.75
---@usage cn.average({{1, 2}, {3, 4}}, 2, {1, 3}, true) --> [1.75 3.75], [4. 4.]
function F.average(...)
  local x, axis, weights, returned, keepdims = read_average(...)
  local name = "average"
  x = check.beside(x, name, weights)
  returned = check.boolean(returned, false, name, "returned")
  keepdims = check.boolean(keepdims, false, name, "keepdims")
  local axes = core.axes(axis, x, name)
  if weights ~= nil then
    local result, sum = weighted(x, axes, weights_beside(weights, x, axis, name), keepdims, name)
    if not returned then return result end
    return result, core.cast(core.broadcast_to(sum, result.shape, name), result.dtype, name)
  end
  local result = R.mean(x, axis, {keepdims = keepdims})
  if not returned then return result end
  return result, core.fill(core.empty(result.shape, result.dtype, x.device, name), folded_count(x, axes), name)
end

-- ---- covariances ----

--- Variables as rows of a matrix.
local function as_rows(x, rowvar, name)
  if x.ndim > 2 then fail("%s: expected at most 2 axes, got shape %s", name, tostring(x.shape)) end
  if x.ndim < 2 then x = core.reshape(x, {1, x.size}, name) end
  return not rowvar and x.shape[1] ~= 1 and x.T or x
end

--- Weights of observations, 1-d.
local function observation_weights(weights, x, name, what)
  if weights == nil then return nil end
  weights = check.array(weights, name, x.device)
  check.same_device(x, weights, name)
  if weights.ndim ~= 1 or weights.size ~= x.shape[2] then
    fail("%s: %s of shape %s for %d observations", name, what, tostring(weights.shape), x.shape[2])
  end
  return weights
end

--- What the sums of squares are divided by: how much the observations count, less what the mean took.
local function divisor(x, ddof, aweights, weights)
  if not weights then return math.max(x.shape[2] - ddof, 0) end
  local sum = R.sum(weights, {dtype = "float64"})
  if ddof == 0 then return sum end
  local taken = aweights and R.sum(E.multiply(weights, aweights), {dtype = "float64"}) / sum * ddof or ddof
  return E.maximum(sum - taken, 0)
end

--- Variables of `x` and `y`, as rows of one matrix in the dtype of the result.
local function variables(x, y, rowvar, dtype, name)
  x = as_rows(check.beside(x, name, y), rowvar, name)
  if y ~= nil then
    y = check.array(y, name, x.device)
    check.same_device(x, y, name)
    x = join.functions.concatenate {x, as_rows(y, rowvar, name)}
  end
  return core.cast(x, check.dtype(dtype, name) or core.promote(x.dtype, "float64"), name)
end

local MANY_ROWS = 8 -- from which on BLAS takes less time

--- The inner products of the rows of a with those of b's conjugate. BLAS may round products above the diagonal in
--- another way than those below it: a with itself has those below twice.
local function row_products(a, b, name)
  local rows, count, dtype = a.shape[1], a.shape[2], a.dtype
  local is_of_blas = (dtype == "float64" or dtype == "float32") and dtype == b.dtype
  if rows < MANY_ROWS or count == 0 or not is_of_blas then
    return sum_of_products(core.reshape(a, {rows, 1, count}, name), core.reshape(b, {1, rows, count}, name), dtype,
      core.axes(3, 3, name), false, true, name)
  end
  local product = products.matmul(a, b.T, nil, name)
  if not rawequal(a, b) then return product end
  return E.where(with.on(a, matrix.functions.tri, rows, rows, 0, "bool"), product, product.T)
end

local function covariances(name, x, y, rowvar, bias, ddof, fweights, aweights, dtype)
  rowvar = check.boolean(rowvar, true, name, "rowvar")
  bias = check.boolean(bias, false, name, "bias")
  ddof = ddof == nil and (bias and 0 or 1) or check.integer(ddof, name, "ddof")
  x = variables(x, y, rowvar, dtype, name)
  if not reducers.is_inexact(x.dtype) then fail("%s: dtype is a float or complex dtype, not %s", name, x.dtype) end
  local rows = x.shape[1]
  if rows == 0 then return core.empty({0, 0}, x.dtype, x.device, name) end
  fweights = observation_weights(fweights, x, name, "fweights")
  aweights = observation_weights(aweights, x, name, "aweights")
  local weights = fweights and aweights and E.multiply(fweights, aweights) or fweights or aweights
  local mean = F.average(x, {axis = 2, weights = weights, keepdims = true})
  x = E.subtract(x, mean, {dtype = x.dtype})
  local scaled = weights and E.multiply(x, weights, {dtype = x.dtype}) or x
  return E.divide(row_products(x, scaled, name), divisor(x, ddof, aweights, weights), {dtype = x.dtype})
end

local read_cov = args.reader("cov", {"x", "y", "rowvar", "bias", "ddof", "fweights", "aweights", "dtype"})

--- Covariances of variables. Follows numpy.cov, but that the weights' signs are not looked at.
---@param x cuna.Operand shape (variables, observations), or one variable
---@param y cuna.Operand|nil more variables
---@param rowvar boolean|nil false: shape (observations, variables)
---@param bias boolean|nil true: divided by the count of observations, in place of one less
---@param ddof integer|nil what is taken from the count in place of that
---@param fweights cuna.Operand|nil how often each observation counts
---@param aweights cuna.Operand|nil how much each observation weighs beside others
---@param dtype string|nil default: at least float64
---@return cuna.Array shape (variables, variables); of one variable a 0-d array
---@usage cn.cov {{0, 1, 2}, {2, 1, 0}} --> [[ 1. -1.] [-1. 1.]]
---@usage cn.cov({1, 2, 4, 9}, {bias = true}) --> 9.5
function F.cov(...)
  local result = covariances("cov", read_cov(...))
  return result.size == 1 and manipulate.functions.squeeze(result) or result
end

local read_corrcoef = args.reader("corrcoef", {"x", "y", "rowvar", "dtype"})

--- Correlation coefficients of variables: covariances divided by the standard deviations. Follows numpy.corrcoef.
---@param x cuna.Operand shape (variables, observations), or one variable
---@param y cuna.Operand|nil more variables
---@param rowvar boolean|nil false: shape (observations, variables)
---@param dtype string|nil default: at least float64
---@return cuna.Array shape (variables, variables); of one variable a 0-d array
---@usage cn.corrcoef({{0, 1, 2}, {2, 1, 0}}) --> [[ 1. -1.] [-1. 1.]]
function F.corrcoef(...)
  local x, y, rowvar, dtype = read_corrcoef(...)
  local result = covariances("corrcoef", x, y, rowvar, nil, nil, nil, nil, dtype)
  local rows = result.shape[1]
  if rows == 0 then return result end
  local spread = E.sqrt(E.real(core.view(result, {rows}, {rows + 1}, 0)))
  result = E.divide(result, core.reshape(spread, {rows, 1}, "corrcoef"))
  E.divide(result, spread, {out = result})
  if result.dtype:find "^complex" then
    for _, part in ipairs {result.real, result.imag} do E.clip(part, -1, 1, {out = part}) end
  else
    E.clip(result, -1, 1, {out = result})
  end
  return rows == 1 and core.reshape(result, {}, "corrcoef") or result
end

return M
