--- multivariate_normal.lua: normal vectors of a mean and a covariance: standard normal numbers times a factor of it.
--
-- A vector is z f^T + mean with f f^T = cov. The factor comes from the host (covariance.lua) or from cn.linalg; the
-- product adds in order, so that it has the same bits on every device (products.in_order).
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local covariance = require "cuna.random.covariance"
local draw = require "cuna.random.draw"
local elementwise = require "cuna.elementwise"
local ffi = require "ffi"
local generator = require "cuna.random.generator"
local products = require "cuna.linalg.products"

local M = {NAME = "multivariate_normal"}

local NAME = M.NAME
local E = elementwise.functions
local methods, fail = generator.methods, check.fail

-- ---- factors: fn(opened mean and covariance, tol, whether to check, device) -> f^T ----

local FACTORS = {}

local function transposed(x) return core.transpose(x, {2, 1}, NAME) end

function FACTORS.cholesky(of, tol, checks, device)
  local factor = core.empty({of.n, of.n}, "float64", device, NAME)
  if factor.size > 0 and not core.is_preparing() then
    local rows = covariance.cholesky(of, tol, checks, NAME)
    core.set_bytes(factor, tonumber(ffi.cast("uintptr_t", rows)), 0)
  end
  return transposed(factor)
end

--- The symmetric root v s v^T: there is but one, whichever signs and order libraries give eigenvectors.
local function root_of(vectors, roots)
  return products.matmul(E.multiply(vectors, roots), transposed(vectors), nil, NAME)
end

--- Cov on a device.
local function moved(of, device) return core.as_array(of.cov, nil, device, NAME) end

function FACTORS.eigh(of, tol, checks, device)
  local values, vectors = require("cuna.linalg.factor").hermitian(NAME, moved(of, device), "L", true, true)
  if checks and of.n > 0 and not core.is_preparing() then
    local list = core.elements(values, NAME)
    if list[1] < -tol * math.max(list[of.n], -list[1]) then
      fail("%s: cov is not positive semidefinite: it has the eigenvalue %.6g", NAME, list[1])
    end
  end
  return root_of(vectors, E.sqrt(E.maximum(values, 0)))
end

--- Singular values are the eigenvalues' sizes, so their sum is above the trace by twice what is negative.
local function check_singular(of, tol, values)
  local sum, trace = 0, 0
  for i, value in ipairs(core.elements(values, NAME)) do
    sum, trace = sum + value, trace + of.values[(i - 1) * (of.n + 1)]
  end
  local negative = (trace - sum) / 2
  if negative < -tol * sum then
    fail("%s: cov is not positive semidefinite: its negative eigenvalues add up to %.6g", NAME, negative)
  end
end

function FACTORS.svd(of, tol, checks, device)
  local values, _, right = require("cuna.linalg.factor").svd(NAME, moved(of, device), "full", true)
  if checks and not core.is_preparing() then check_singular(of, tol, values) end
  return root_of(transposed(right), E.sqrt(values))
end

-- ---- draws ----

--- The transposed factor on a device.
local function factor_of(of, given, device)
  local check_valid, tol, method = given.check_valid, given.tol, given.method
  if check_valid ~= nil and check_valid ~= "raise" and check_valid ~= "ignore" then
    fail("%s: check_valid is \"raise\" or \"ignore\", got %s", NAME, check.show(check_valid))
  end
  local factor = FACTORS[method == nil and "cholesky" or method]
  if not factor then
    fail("%s: method is \"cholesky\", \"eigh\" or \"svd\", got %s", NAME, check.show(method))
  end
  tol = tol == nil and of.tol or tonumber(check.number(tol, NAME, "tol"))
  if tol < 0 or tol ~= tol then fail("%s: tol must not be negative, got %.14g", NAME, tol) end
  local checks = check_valid ~= "ignore"
  if checks then covariance.check_symmetric(of, tol, NAME) end
  covariance.symmetrise(of)
  return factor(of, tol, checks, device)
end

--- What is drawn as matrices: a vector has a row.
local function as_rows(x)
  if x.ndim > 1 then return x end
  return core.view(x, {1, x.size}, {0, x.strides[1] / x.itemsize}, 0)
end

--- The device of arrays, else the current one.
local function device_of(list)
  local first
  for _, x in ipairs(list) do
    if core.is_array(x) then
      first = first or x
      check.same_device(first, x, NAME)
    end
  end
  return first and first.device or core.current_device()
end

--- The shape of a result, with the vectors' axis.
local function shape_of(size, out, n)
  local shape = size ~= nil and check.lengths(size, NAME, "size") or out ~= nil and out.shape or {n}
  shape[size ~= nil and #shape + 1 or math.max(#shape, 1)] = n
  check.output(out, nil, shape, nil, NAME)
  return shape
end

--- Vectors z f^T + mean of a dtype that is computed in; f^T is `factor`.
local function made_of(numbers, factor, of, out)
  local made = out or core.empty_like(numbers, nil, NAME)
  if made.size > 0 then products.in_order(as_rows(numbers), factor, NAME, as_rows(made)) end
  if of.moves then
    made:add_(core.cast(core.as_array(of.mean, nil, numbers.device, NAME), numbers.dtype, NAME))
  end
  return made
end

--- Draws vectors of a mean and a covariance.
---@param normal fun(shape: integer[], dtype: string, device: cuna.Device): cuna.Array standard normal numbers
---@param given table {mean =, cov =, check_valid =, tol =, method =}
function M.draw(normal, given, size, dtype, out)
  for _, what in ipairs {"mean", "cov"} do
    if given[what] == nil then fail("%s: %s is missing", NAME, what) end
  end
  if out ~= nil then check.array(out, NAME) end
  local device = device_of {given.mean, given.cov, out}
  local of = covariance.open(given.mean, given.cov, NAME)
  local shape = shape_of(size, out, of.n)
  local computed = dtype == "float64" and dtype or "float32"
  local factor = core.cast(factor_of(of, given, device), computed, NAME)
  local made = made_of(normal(shape, computed, device), factor, of, out ~= nil and out.dtype == computed and out or nil)
  if made.dtype ~= dtype then made = made:astype(dtype) end
  if out == nil or rawequal(made, out) then return made end
  out[core.ellipsis] = made
  return out
end

local NORMAL = {name = NAME, parameters = {}, sampler = "random::Normal<D>(R(0), R(1))"}

local read = args.reader(NAME, {"generator", "mean", "cov", "size", "check_valid", "tol", "method", "dtype", "out"}, 3)

--- Normal vectors with a mean and a covariance, along the last axis. The host reads both, which waits for arrays, but
--- not for numbers in tables. With the default method a seed gives the same bits on every device. The other methods,
--- which use cn.linalg, wait, and their numbers are equal up to rounding. Follows
--- numpy.random.Generator.multivariate_normal, whose default method is "svd", and which warns where this function
--- raises an error.
---@param mean number[]|cuna.Array shape (n,), finite
---@param cov number[][]|cuna.Array shape (n, n), finite, symmetric and positive semidefinite
---@param size cuna.Shape|nil of the draws, default: one vector
---@param check_valid string|nil "raise" (default): an invalid covariance is an error; "ignore": uses its lower
--- triangle, and negative values in its factor count as 0
---@param tol number|nil tolerance of the checks of cov: relative to variances, with "eigh" and "svd" to the greatest
--- eigenvalue; default: 1e-8, or 64 times the precision of a narrower cov
---@param method string|nil the factorisation of cov: "cholesky" (default), "eigh" or "svd"
---@param dtype string|nil a float dtype, default: the default float; all except float64 are computed in float32
---@param out cuna.Array|nil
---@return cuna.Array whose last axis is mean's
---@usage cn.random.default_rng(1):multivariate_normal({0, 10}, {{1, 0.5}, {0.5, 2}}) --> [-0.45650082 6.92153843]
---@usage cn.random.default_rng(1):multivariate_normal({0, 10}, {{1, 1}, {1, 1}}, {4, 5}).shape --> (4, 5, 2)
function methods.multivariate_normal(...)
  local own, mean, cov, size, check_valid, tol, method, dtype, out = read(...)
  draw.check_generator(own, NAME)
  dtype = draw.result_dtype(NORMAL, dtype, out)
  local given = {mean = mean, cov = cov, check_valid = check_valid, tol = tol, method = method}
  return M.draw(function(shape, computed, device)
    return (draw.launch(NORMAL, own, {}, {}, shape, computed, nil, device))
  end, given, size, dtype, out)
end

return M
