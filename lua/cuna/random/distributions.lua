--- distributions.lua: distributions of generators: a row for each, and its documentation.
local demand = require "cuna.random.demand"
local draw = require "cuna.random.draw"
local generator = require "cuna.random.generator"

local M = {}

local methods = generator.methods

local LOC = {name = "loc", default = 0}
local SCALE = {name = "scale", default = 1, demand = demand.not_negative}

-- ---- of intervals ----

local MOST = {float64 = 1.7976931348623157e308} -- others are computed in float32

local NEAR = {least = -1e38, most = 1e38} -- no further apart than a float32 holds

local function most_of(dtype) return MOST[dtype] or 3.4028234663852886e38 end

local function check_range(values, dtype)
  local low, high = tonumber(values[1]), tonumber(values[2])
  if math.max(math.abs(low), math.abs(high), math.abs(high - low)) > most_of(dtype) then
    return "low and high are further apart than " .. dtype .. " holds"
  end
end

local function range_relation(dtype)
  return demand.relation("low and high must be no further apart than " .. dtype .. " holds",
    ("fmax(fmax(fabs(low), fabs(high)), fabs(high - low)) <= %.17g"):format(most_of(dtype)), "high - low")
end

--- Uniform random numbers in [0, 1), evenly spaced. Follows numpy.random.Generator.random.
---@param size cuna.Shape|nil default: one number
---@param dtype string|nil a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@usage cn.random.default_rng(1):random(3) --> [0.7299931 0.08327684 0.63314053]
methods.random = draw.method {name = "random", parameters = {}, digits = true,
  sampler = "random::UnitInterval<D>()"}

--- Uniform random numbers in [low, high). Follows numpy.random.Generator.uniform.
---@param low number|cuna.Array|nil default 0
---@param high number|cuna.Array|nil default 1
---@param size cuna.Shape|nil default: what low and high broadcast to
---@param dtype string|nil a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@usage cn.random.default_rng(1):uniform(-1, 1, 3) --> [ 0.4599862 -0.83344632 0.26628105]
methods.uniform = draw.method {name = "uniform", sampler = "random::Uniform<D>(low, high)", digits = true,
  check = check_range, relation = range_relation, parameters = {
    {name = "low", default = 0, demand = demand.finite, safe = NEAR},
    {name = "high", default = 1, demand = demand.finite, safe = NEAR}}}

-- ---- normal ----

--- Standard normal random numbers, with mean 0 and standard deviation 1, by Box and Muller's method. Follows
--- numpy.random.Generator.standard_normal.
---@param size cuna.Shape|nil default: one number
---@param dtype string|nil a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@usage cn.random.default_rng(1):standard_normal(3) --> [-0.45650082 -2.15455712 -0.73788876]
methods.standard_normal = draw.method {name = "standard_normal", parameters = {},
  sampler = "random::Normal<D>(R(0), R(1))"}

--- Numbers of the normal distribution. Follows numpy.random.Generator.normal.
---@param loc number|cuna.Array|nil the mean, default 0
---@param scale number|cuna.Array|nil the standard deviation, default 1
---@param size cuna.Shape|nil default: what loc and scale broadcast to
---@param dtype string|nil a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@usage cn.random.default_rng(1):normal(10, 2, 3) --> [9.08699837 5.69088576 8.52422249]
methods.normal = draw.method {name = "normal", parameters = {LOC, SCALE}, sampler = "random::Normal<D>(loc, scale)"}

-- ---- exponential ----

--- Numbers of the exponential distribution with mean 1. Follows numpy.random.Generator.standard_exponential.
---@param size cuna.Shape|nil default: one number
---@param dtype string|nil a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@usage cn.random.default_rng(1):standard_exponential(3) --> [0.3147202 2.48558477 0.45706288]
methods.standard_exponential = draw.method {name = "standard_exponential", parameters = {},
  sampler = "random::Exponential<D>(R(1))"}

--- Numbers of the exponential distribution. Follows numpy.random.Generator.exponential.
---@param scale number|cuna.Array|nil the mean, default 1
---@param size cuna.Shape|nil default: scale's shape
---@param dtype string|nil a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@usage cn.random.default_rng(1):exponential(5, 3) --> [ 1.57360098 12.42792386 2.2853144 ]
methods.exponential = draw.method {name = "exponential", parameters = {SCALE},
  sampler = "random::Exponential<D>(scale)"}

return M
