--- discrete.lua: the distributions of whole numbers in cn.stats: rows of distribution.lua.
local args = require "cuna.base.args"
local core = require "cuna.core"
local distribution = require "cuna.stats.distribution"

local M = {functions = {}}
local F = M.functions -- cn.stats

local inf = math.huge
local constant, log_of, special = distribution.constant, distribution.log_of, distribution.special

--- The least whole number from 0 to `most` whose probability up to it is at least q, by bisection: it waits for how
--- many steps that takes, and each step is run before the next one.
local function least_count(cn, q, most, cdf)
  local low = cn.zeros_like(cn.add(q, most)) - 1
  local high = low + 1 + most
  core.check_waiting "ppf"
  local longest = core.is_preparing() and 1 or cn.max(cn.where(cn.isfinite(high), high, 0)):item()
  for _ = 1, math.ceil(math.log(longest + 2) / math.log(2)) + 1 do
    local middle = cn.floor((low + high) / 2)
    local reached = cn.greater_equal(cdf(cn.maximum(middle, 0)), q):band(cn.greater_equal(middle, 0))
    local open = cn.greater(high - low, 1)
    high = cn.where(reached:band(open), middle, high)
    low = cn.where(reached:logical_not():band(open), middle, low)
    cn.evaluate(low, high)
  end
  return high
end

--- Whether operands are at least 0.
local function at_least_zero(x)
  if type(x) == "number" then return x >= 0 end
  return args.namespace.greater_equal(x, 0)
end

--- The Poisson distribution of mean mu. Its functions take (k, mu, loc). ppf, isf and median wait. Follows
--- scipy.stats.poisson.
---@param mu cuna.Operand
---@param loc cuna.Operand|nil default 0
---@return cuna.Distribution
---@usage cn.stats.poisson.pmf({0, 1, 2}, 2) --> [0.13533528 0.27067057 0.27067057]
---@usage cn.stats.poisson.ppf(0.5, {1, 10}) --> [ 1. 10.]
F.poisson = distribution.new {name = "poisson", shapes = {"mu"}, support = {0, inf}, discrete = true,
  valid = at_least_zero,
  logpdf = function(_, k, mu) return special().xlogy(k, mu) - special().gammaln(k + 1) - mu end,
  cdf = function(_, k, mu) return special().pdtr(k, mu) end,
  sf = function(_, k, mu) return special().pdtrc(k, mu) end,
  ppf = function(cn, q, mu)
    local most = cn.ceil(mu ^ 0.5 * 12 + mu + 60) -- beyond it is less than a float's distance from 1
    if type(mu) == "number" then most = most:astype(q.dtype) end
    return least_count(cn, q, most, function(k) return special().pdtr(k, mu) end)
  end,
  mean = function(_, mu) return mu end, var = function(_, mu) return mu end,
  draw = function(rng, size, mu) return rng:poisson(mu, size) end}

--- Whether p is a probability.
local function is_probability(p)
  if type(p) == "number" then return p >= 0 and p <= 1 end
  return args.namespace.greater_equal(p, 0):band(args.namespace.less_equal(p, 1))
end

--- Whether n is a count and p a probability.
local function valid_binomial(n, p)
  local cn = args.namespace
  local is_count = type(n) == "number" and n >= 0 and n % 1 == 0
  if type(n) ~= "number" then is_count = cn.greater_equal(n, 0):band(cn.equal(cn.floor(n), n)) end
  return distribution.both(is_count, is_probability(p))
end

--- The binomial distribution of n trials with probability p. Its functions take (k, n, p, loc). ppf, isf and median
--- wait. Follows scipy.stats.binom.
---@param n cuna.Operand
---@param p cuna.Operand
---@param loc cuna.Operand|nil default 0
---@return cuna.Distribution
---@usage cn.stats.binom.pmf({0, 1, 2}, 2, 0.5) --> [0.25 0.5 0.25]
---@usage cn.stats.binom(10, 0.3):ppf {0.1, 0.9} --> [1. 5.]
F.binom = distribution.new {name = "binom", shapes = {"n", "p"}, discrete = true, valid = valid_binomial,
  support = function(n) return 0, n end,
  logpdf = function(_, k, n, p)
    local rest = -k + n
    return special().xlogy(k, p) + special().xlog1py(rest, -p) - special().betaln(k + 1, rest + 1) - log_of(n + 1)
  end,
  cdf = function(_, k, n, p) return special().bdtr(k, n, p) end,
  sf = function(_, k, n, p) return special().bdtrc(k, n, p) end,
  ppf = function(cn, q, n, p)
    return least_count(cn, q, n, function(k) return special().bdtr(cn.minimum(k, n), n, p) end)
  end,
  mean = function(_, n, p) return n * p end,
  var = function(_, n, p) return n * p * (1 - p) end,
  draw = function(rng, size, n, p) return rng:binomial(n, p, size) end}

--- The Bernoulli distribution: 1 with probability p, else 0. Its functions take (k, p, loc). Follows
--- scipy.stats.bernoulli.
---@param p cuna.Operand
---@param loc cuna.Operand|nil default 0
---@return cuna.Distribution
---@usage cn.stats.bernoulli.pmf({0, 1, 2}, 0.25) --> [0.75 0.25 0. ]
F.bernoulli = distribution.new {name = "bernoulli", shapes = {"p"}, discrete = true, support = {0, 1},
  valid = is_probability,
  logpdf = function(_, k, p) return special().xlogy(k, p) + special().xlog1py(1 - k, -p) end,
  cdf = function(_, k, p) return k * p + (1 - p) end,
  sf = function(_, k, p) return (1 - k) * p end,
  ppf = function(cn, q, p) return cn.where(cn.greater(q, 1 - p), cn.ones_like(q), 0) end,
  mean = function(_, p) return p end, var = function(_, p) return (1 - p) * p end,
  draw = function(rng, size, p) return rng:binomial(1, p, size) end}

--- Whether p is a probability above 0.
local function positive_share(p) return distribution.both(is_probability(p), distribution.positive(p)) end

--- The geometric distribution: how many trials the first success takes that has probability p. Its functions take (k,
--- p, loc). Follows scipy.stats.geom.
---@param p cuna.Operand
---@param loc cuna.Operand|nil default 0
---@return cuna.Distribution
---@usage cn.stats.geom.pmf({1, 2, 3}, 0.5) --> [0.5 0.25 0.125]
---@usage cn.stats.geom.ppf({0.5, 0.9}, 0.5) --> [1. 4.]
F.geom = distribution.new {name = "geom", shapes = {"p"}, discrete = true, support = {1, inf}, valid = positive_share,
  logpdf = function(_, k, p) return special().xlog1py(k - 1, -p) + log_of(p) end,
  cdf = function(cn, k, p) return -cn.expm1(k * constant(k, cn.log1p, -p)) end,
  sf = function(cn, k, p) return cn.exp(k * constant(k, cn.log1p, -p)) end,
  logsf = function(cn, k, p) return k * constant(k, cn.log1p, -p) end,
  ppf = function(cn, q, p)
    local rest = constant(q, cn.log1p, -p)
    local k = cn.maximum(cn.ceil(cn.log1p(-q) / rest), 1)
    local before = -cn.expm1((k - 1) * rest) -- rounding may have carried the quotient over a whole number
    return cn.where(cn.greater_equal(before, q):band(cn.greater(k, 1)), k - 1, k)
  end,
  mean = function(_, p) return 1 / p end, var = function(_, p) return (1 - p) / (p * p) end,
  draw = function(rng, size, p) return rng:geometric(p, size) end}

--- Whether n is above 0 and p a probability above 0.
local function valid_negative(n, p) return distribution.both(distribution.positive(n), positive_share(p)) end

--- The negative binomial distribution: failures before n successes that have probability p. n need not be whole. Its
--- functions take (k, n, p, loc). ppf, isf and median wait. Follows scipy.stats.nbinom.
---@param n cuna.Operand
---@param p cuna.Operand
---@param loc cuna.Operand|nil default 0
---@return cuna.Distribution
---@usage cn.stats.nbinom.pmf({0, 1, 2}, 2, 0.5) --> [0.25 0.25 0.1875]
---@usage cn.stats.nbinom(5, 0.5):ppf {0.1, 0.9} --> [1. 9.]
F.nbinom = distribution.new {name = "nbinom", shapes = {"n", "p"}, discrete = true, support = {0, inf},
  valid = valid_negative,
  logpdf = function(_, k, n, p)
    local sum = k + n
    return special().xlog1py(k, -p) + log_of(p) * n - special().betaln(k + 1, n) - log_of(sum)
  end,
  cdf = function(_, k, n, p) return special().betainc(n, k + 1, p) end,
  sf = function(_, k, n, p) return special().betaincc(n, k + 1, p) end,
  ppf = function(cn, q, n, p)
    local mean = n * (1 - p) / p -- a tail is as long as that of the geometric distribution
    local most = cn.ceil((mean / p) ^ 0.5 * 40 + mean + 60 / p)
    if type(n) == "number" and type(p) == "number" then most = most:astype(q.dtype) end
    return least_count(cn, q, most, function(k) return special().betainc(n, k + 1, p) end)
  end,
  mean = function(_, n, p) return n * (1 - p) / p end,
  var = function(_, n, p) return n * (1 - p) / (p * p) end,
  draw = function(rng, size, n, p) return rng:negative_binomial(n, p, size) end}

return M
