--- density.lua: densities estimated from samples by Gaussian kernels.
--
-- The data are turned by the Cholesky factor of their covariance, so that all kernels are round. The distances of
-- points and data are summed axis by axis and folded over the data, which is recorded and runs as few kernels.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local class = require "cuna.base.class"
local core = require "cuna.core"
local given = require "cuna.stats.given"
local with = require "cuna.base.with"

local M = {functions = {}}
local F = M.functions -- cn.stats

local fail = check.fail

--- A density of a sample, from cn.stats.gaussian_kde; k(points) is k:evaluate(points).
---@class cuna.GaussianKde
---@field dataset cuna.Array the sample, (axes, elements)
---@field weights cuna.Array that sum to 1, (elements,)
---@field d integer axes
---@field n integer elements
---@field neff number effective elements: 1 over the sum of the squared weights
---@field factor number the bandwidth
---@field covariance cuna.Array of the kernels, (d, d)
local methods = {}
M.methods = methods

local meta, self_of = class.make("density", "a density", "density", methods)

function meta.__call(kde, points) return methods.evaluate(kde, points) end

function meta.__tostring(kde) return ("GaussianKde(%d elements, %d axes)"):format(kde.n, kde.d) end

-- ---- bandwidths ----

local BANDWIDTHS = {
  scott = function(n, d) return n ^ (-1 / (d + 4)) end,
  silverman = function(n, d) return (n * (d + 2) / 4) ^ (-1 / (d + 4)) end,
}

local function bandwidth_of(kde, method, name)
  if method == nil then method = "scott" end
  if BANDWIDTHS[method] then return BANDWIDTHS[method](kde.neff, kde.d) end
  if type(method) == "number" and method > 0 and method < math.huge then return method end
  if type(method) == "function" then return check.real(method(kde), name, "the result of bw_method") end
  fail("%s: bw_method is \"scott\", \"silverman\", a positive number or a function, got %s", name, check.show(method))
end

--- Sets what depends on the bandwidth.
local function set_bandwidth(kde, method, name)
  rawset(kde, "factor", bandwidth_of(kde, method, name))
  rawset(kde, "covariance", kde.data_covariance * kde.factor ^ 2)
  rawset(kde, "root", kde.data_root * kde.factor)
  return kde
end

--- Sets another bandwidth. Follows scipy.stats.gaussian_kde.set_bandwidth.
---@param bw_method string|number|function|nil "scott" (default), "silverman", a number, or a function of the density
---@return cuna.GaussianKde itself
---@usage cn.stats.gaussian_kde({1, 2, 4}):set_bandwidth(0.5).factor --> 0.5
function methods:set_bandwidth(bw_method)
  return set_bandwidth(self_of(self, "set_bandwidth"), bw_method, "gaussian_kde.set_bandwidth")
end

-- ---- densities ----

--- Points as (axes, points), in the coordinates of round kernels.
local function turned(kde, x) return args.namespace.linalg.solve_triangular(kde.root, x, {lower = true}) end

local function points_of(kde, points, name)
  points = given.floats(given.sample(points, name, kde.dataset.device))
  check.same_device(kde.dataset, points, name)
  if points.ndim == 1 then points = core.reshape(points, kde.d == 1 and {1, -1} or {-1, 1}, name) end
  if points.ndim ~= 2 or points.shape[1] ~= kde.d then
    fail("%s: expected points of %d coordinates, got shape %s", name, kde.d, tostring(points.shape))
  end
  return core.cast(points, kde.dataset.dtype, name)
end

--- Half of the squared distances of points and data, (points, elements).
local function distances(kde, points, name)
  points = turned(kde, points_of(kde, points, name))
  local data, sum = turned(kde, kde.dataset), nil
  for axis = 1, kde.d do
    local d = points[axis]:reshape(-1, 1) - data[axis]
    sum = sum and sum + d * d or d * d
  end
  return sum * 0.5
end

--- The logarithm of what normal kernels are divided by.
local function log_scale(kde)
  local cn = args.namespace
  return cn.log(cn.linalg.diagonal(kde.root)):sum() + kde.d / 2 * math.log(2 * math.pi)
end

--- The density at points. Follows scipy.stats.gaussian_kde.evaluate.
---@param points cuna.Operand (axes, points); of one axis a vector
---@return cuna.Array (points,)
---@usage cn.stats.gaussian_kde({1, 2, 4}):evaluate({2}):round(6) --> [0.214895]
function methods:evaluate(points)
  local kde = self_of(self, "evaluate")
  local cn = args.namespace
  local kernels = cn.exp(-distances(kde, points, "gaussian_kde.evaluate")) * kde.weights
  return kernels:sum(2) * cn.exp(-log_scale(kde))
end
methods.pdf = methods.evaluate

--- The logarithm of the density at points, also where the density is 0. Follows scipy.stats.gaussian_kde.logpdf.
---@param points cuna.Operand (axes, points); of one axis a vector
---@return cuna.Array (points,)
---@usage cn.stats.gaussian_kde({1, 2, 4}):logpdf({2}):round(6) --> [-1.537604]
function methods:logpdf(points)
  local kde = self_of(self, "logpdf")
  local cn = args.namespace
  local distance = -distances(kde, points, "gaussian_kde.logpdf")
  return cn.special.logsumexp(distance, 2, kde.weights) - log_scale(kde)
end

--- The probability of an interval, of one axis. Follows scipy.stats.gaussian_kde.integrate_box_1d.
---@param low number
---@param high number
---@return cuna.Array 0-d
---@usage cn.stats.gaussian_kde({1, 2, 4}):integrate_box_1d(-cn.inf, cn.inf) --> 1.0
function methods:integrate_box_1d(low, high)
  local name = "gaussian_kde.integrate_box_1d"
  local kde = self_of(self, "integrate_box_1d")
  if kde.d ~= 1 then fail("%s: the density has %d axes", name, kde.d) end
  low, high = check.real(low, name, "low"), check.real(high, name, "high")
  local ndtr, data, root = args.namespace.special.ndtr, kde.dataset[1], kde.root[{1, 1, args.namespace.ellipsis}]
  return ((ndtr((high - data) / root) - ndtr((low - data) / root)) * kde.weights):sum()
end

--- Draws from the density. Follows scipy.stats.gaussian_kde.resample.
---@param size integer|nil default: the effective elements
---@param seed cuna.Generator|integer|nil default: the generator of cn.random
---@return cuna.Array (axes, size)
---@usage cn.stats.gaussian_kde({1, 2, 4}):resample(10, 1).shape --> (1, 10)
function methods:resample(size, seed)
  local name = "gaussian_kde.resample"
  local kde, cn = self_of(self, "resample"), args.namespace
  size = check.count(size == nil and math.floor(kde.neff) or size, name, "size")
  local rng = require("cuna.random").named(seed, name)
  return with.on(kde.dataset, function()
    local chosen = rng:choice(kde.n, size, true, kde.weights)
    local noise = cn.matmul(kde.root, rng:standard_normal({kde.d, size}, kde.dataset.dtype))
    return cn.take(kde.dataset, chosen, 2) + noise
  end)
end

-- ---- making one ----

local function weights_of(weights, data, n, name)
  local cn = args.namespace
  if weights == nil then return cn.full(n, 1 / n, data.dtype, data.device), n end
  weights = given.floats(given.sample(weights, name, data.device))
  check.same_device(data, weights, name)
  if not weights:has_shape(n) then
    fail("%s: weights of shape %s for %d elements", name, tostring(weights.shape), n)
  end
  core.check_waiting(name)
  weights = core.cast(weights / weights:sum(), data.dtype, name)
  return weights, core.is_preparing() and n or 1 / (weights * weights):sum():item()
end

local read = args.reader("stats.gaussian_kde", {"dataset", "bw_method", "weights"})

--- The density of a sample, estimated by Gaussian kernels with the covariance of the sample times a squared bandwidth.
--- A sample in a plane of fewer axes is a LinAlgError. Follows scipy.stats.gaussian_kde.
---@param dataset cuna.Operand (axes, elements); of one axis a vector
---@param bw_method string|number|function|nil "scott" (default), "silverman", a number, or a function of the density
---@param weights cuna.Operand|nil (elements,)
---@return cuna.GaussianKde
---@usage cn.stats.gaussian_kde({1, 2, 4})({1, 3}):round(4) --> [0.1917 0.1842]
function F.gaussian_kde(...)
  local name, dataset, bw_method, weights = "stats.gaussian_kde", read(...)
  local cn = args.namespace
  local data = given.floats(given.sample(dataset, name))
  if data.ndim == 1 then data = core.reshape(data, {1, -1}, name) end
  if data.ndim ~= 2 or data.shape[2] < 2 then
    fail("%s: expected at least 2 elements, of shape (axes, elements), got shape %s", name, tostring(data.shape))
  end
  if data.itemsize < 4 then data = core.cast(data, "float32", name) end
  local shares, effective = weights_of(weights, data, data.shape[2], name)
  local kde = setmetatable({dataset = data, weights = shares, d = data.shape[1], n = data.shape[2],
    neff = effective}, meta)
  local covariance = core.reshape(cn.cov(data, {aweights = weights ~= nil and shares or nil}), {kde.d, kde.d}, name)
  rawset(kde, "data_covariance", core.cast(covariance, data.dtype, name))
  rawset(kde, "data_root", cn.linalg.cholesky(kde.data_covariance))
  return set_bandwidth(kde, bw_method, name)
end

return M
