--- distributions.lua: what generators draw: a row for each distribution, and its documentation.
local draw = require "cuna.draw"
local generator = require "cuna.generator"

local M = {}

local methods, demands = generator.methods, draw.demands

local LOC = {name = "loc", default = 0}
local SCALE = {name = "scale", default = 1, demand = demands.not_negative}

-- ---- of intervals ----

--- Numbers of [0, 1), evenly spaced and all as likely. Follows numpy.random.Generator.random.
---@param size cuna.Shape|nil default: one number
---@param dtype string|nil a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@usage cn.random.default_rng(1):random(3) --> ?
methods.random = draw.method {name = "random", parameters = {}, sampler = "random::Uniform<D>(R(0), R(1))"}

--- Numbers of [low, high), all as likely. Follows numpy.random.Generator.uniform.
---@param low number|cuna.Array|nil default 0
---@param high number|cuna.Array|nil default 1
---@param size cuna.Shape|nil default: what low and high broadcast to
---@param dtype string|nil a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@usage cn.random.default_rng(1):uniform(-1, 1, 3) --> ?
methods.uniform = draw.method {name = "uniform", sampler = "random::Uniform<D>(low, high)",
  parameters = {{name = "low", default = 0, demand = demands.finite}, {name = "high", default = 1, demand = demands.finite}}}

-- ---- normal ----

--- Numbers of the normal distribution around 0 with standard deviation 1, by Box and Muller's method. Follows
--- numpy.random.Generator.standard_normal.
---@param size cuna.Shape|nil default: one number
---@param dtype string|nil a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@usage cn.random.default_rng(1):standard_normal(3) --> ?
methods.standard_normal = draw.method {name = "standard_normal", parameters = {},
  sampler = "random::Normal<D>(R(0), R(1))"}

--- Numbers of the normal distribution. Follows numpy.random.Generator.normal.
---@param loc number|cuna.Array|nil the mean, default 0
---@param scale number|cuna.Array|nil the standard deviation, default 1
---@param size cuna.Shape|nil default: what loc and scale broadcast to
---@param dtype string|nil a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@usage cn.random.default_rng(1):normal(10, 2, 3) --> ?
methods.normal = draw.method {name = "normal", parameters = {LOC, SCALE}, sampler = "random::Normal<D>(loc, scale)"}

-- ---- exponential ----

--- Numbers of the exponential distribution with mean 1. Follows numpy.random.Generator.standard_exponential.
---@param size cuna.Shape|nil default: one number
---@param dtype string|nil a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@usage cn.random.default_rng(1):standard_exponential(3) --> ?
methods.standard_exponential = draw.method {name = "standard_exponential", parameters = {},
  sampler = "random::Exponential<D>(R(1))"}

--- Numbers of the exponential distribution. Follows numpy.random.Generator.exponential.
---@param scale number|cuna.Array|nil the mean, default 1
---@param size cuna.Shape|nil default: scale's shape
---@param dtype string|nil a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@usage cn.random.default_rng(1):exponential(5, 3) --> ?
methods.exponential = draw.method {name = "exponential", parameters = {SCALE}, sampler = "random::Exponential<D>(scale)"}

return M
