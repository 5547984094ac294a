--- distribution_counts.lua: distributions of whole numbers: a row each, and its documentation.
--
-- Parameters for which there is no distribution are refused (demand.lua); elements that are drawn all the same are -1.
local demand = require "cuna.random.demand"
local draw = require "cuna.random.draw"
local generator = require "cuna.random.generator"

local methods = generator.methods

local INT64 = {int64 = true}
local BLOCK, HALF_BLOCK = 4, 2 -- words for a value

--- A method of a row whose parameters are doubles and whose values are int64.
local function counted(row)
  row.dtypes, row.dtype, row.words = INT64, "int64", row.words or BLOCK
  for _, parameter in ipairs(row.parameters) do parameter.dtype = parameter.dtype or "float64" end
  return draw.method(row)
end

--- Numbers of the Poisson distribution, by Hoermann's transformed rejection if lam is at least 10. Follows
--- numpy.random.Generator.poisson.
---@param lam number|cuna.Array|nil the mean, not negative, default 1
---@param size cuna.Shape|nil default: what the parameters broadcast to
---@param dtype string|nil "int64"
---@param out cuna.Array|nil
---@return cuna.Array
---@usage cn.random.default_rng(1):poisson(4, 3) --> [6 4 6]
methods.poisson = counted {name = "poisson", sampler = "random::Poisson<D>(lam)",
  parameters = {{name = "lam", default = 1, demand = demand.rate}}}

--- The number of successes in n trials, by Hoermann's transformed rejection if n p and n (1 - p) are at least 10.
--- Follows numpy.random.Generator.binomial.
---@param n number|cuna.Array a whole number, not negative
---@param p number|cuna.Array of a trial, from 0 to 1
---@param size cuna.Shape|nil default: what the parameters broadcast to
---@param dtype string|nil "int64"
---@param out cuna.Array|nil
---@return cuna.Array
---@usage cn.random.default_rng(1):binomial(100, 0.3, 3) --> [33 22 32]
methods.binomial = counted {name = "binomial", sampler = "random::Binomial<D>(n, p)",
  parameters = {{name = "n", dtype = "int64", demand = demand.not_negative},
    {name = "p", demand = demand.probability}}}

--- The number of failures before n successes: Poisson numbers of gamma numbers. Follows
--- numpy.random.Generator.negative_binomial.
---@param n number|cuna.Array above 0, whole or not
---@param p number|cuna.Array of a trial, above 0, at most 1
---@param size cuna.Shape|nil default: what the parameters broadcast to
---@param dtype string|nil "int64"
---@param out cuna.Array|nil
---@return cuna.Array
---@usage cn.random.default_rng(1):negative_binomial(5, 0.5, 3) --> [1 2 4]
methods.negative_binomial = counted {name = "negative_binomial", sampler = "random::NegativeBinomial<D>(n, p)",
  parameters = {{name = "n", demand = demand.finite_positive}, {name = "p", demand = demand.success}}}

--- The number of the first successful trial, from 1. Follows numpy.random.Generator.geometric.
---@param p number|cuna.Array of a trial, above 0, at most 1
---@param size cuna.Shape|nil default: what the parameters broadcast to
---@param dtype string|nil "int64"
---@param out cuna.Array|nil
---@return cuna.Array
---@usage cn.random.default_rng(1):geometric(0.25, 3) --> [2 9 2]
methods.geometric = counted {name = "geometric", sampler = "random::Geometric<D>(p)",
  parameters = {{name = "p", demand = demand.success}}, words = HALF_BLOCK}

--- The number of good elements in a sample of good and bad ones, drawn without replacement. Follows
--- numpy.random.Generator.hypergeometric.
---@param ngood number|cuna.Array whole numbers, not negative
---@param nbad number|cuna.Array
---@param nsample number|cuna.Array at most ngood + nbad
---@param size cuna.Shape|nil default: what the parameters broadcast to
---@param dtype string|nil "int64"
---@param out cuna.Array|nil
---@return cuna.Array
---@usage cn.random.default_rng(1):hypergeometric(60, 40, 10, 3) --> [8 7 5]
methods.hypergeometric = counted {name = "hypergeometric",
  sampler = "random::Hypergeometric<D>(ngood, nbad, nsample)", parameters = {
    {name = "ngood", dtype = "int64", demand = demand.not_negative},
    {name = "nbad", dtype = "int64", demand = demand.not_negative},
    {name = "nsample", dtype = "int64", demand = demand.not_negative}},
  check = function(values)
    local sample, all = tonumber(values[3]), tonumber(values[1]) + tonumber(values[2])
    if sample > all then return ("nsample is %.14g, of ngood + nbad = %.14g"):format(sample, all) end
  end,
  relation = function()
    return demand.relation("nsample must be at most ngood + nbad", "nsample <= ngood + nbad", "nsample")
  end}

--- Numbers of the logarithmic series distribution, from 1, by Kemp's method. Follows
--- numpy.random.Generator.logseries.
---@param p number|cuna.Array from 0 to below 1
---@param size cuna.Shape|nil default: what the parameters broadcast to
---@param dtype string|nil "int64"
---@param out cuna.Array|nil
---@return cuna.Array
---@usage cn.random.default_rng(1):logseries(0.6, 3) --> [1 3 1]
methods.logseries = counted {name = "logseries", sampler = "random::Logseries<D>(p)",
  parameters = {{name = "p", demand = demand.below_one}}}

--- Numbers of the Zipf (zeta) distribution, from 1, by Devroye's method. Follows numpy.random.Generator.zipf.
---@param a number|cuna.Array above 1
---@param size cuna.Shape|nil default: what the parameters broadcast to
---@param dtype string|nil "int64"
---@param out cuna.Array|nil
---@return cuna.Array
---@usage cn.random.default_rng(1):zipf(4, 3) --> [1 2 1]
methods.zipf = counted {name = "zipf", sampler = "random::Zipf<D>(a)",
  parameters = {{name = "a", demand = demand.above_one}}}

return {}
