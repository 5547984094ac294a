--- distributions.lua: the distributions of cn.stats: rows of distribution.lua.
local args = require "cuna.base.args"
local core = require "cuna.core"
local distribution = require "cuna.stats.distribution"

local M = {functions = {}}
local F = M.functions -- cn.stats

local inf = math.huge

local function special() return args.namespace.special end

--- What a function gives of shapes, for results like z: of Lua numbers, which are weak, it has z's dtype.
local function constant(z, fn, ...)
  local value = fn(...)
  for _, x in ipairs {...} do
    if type(x) ~= "number" then return value end
  end
  return value:astype(z.dtype)
end

local function log_of(x) return type(x) == "number" and math.log(x) or args.namespace.log(x) end

-- ---- continuous ones ----

--- The normal distribution, of mean loc and standard deviation scale. Its functions take (x, loc, scale). Follows
--- scipy.stats.norm.
---@param loc cuna.Operand|nil default 0
---@param scale cuna.Operand|nil default 1
---@return cuna.Distribution
---@usage cn.stats.norm.cdf({-1, 0, 1}) --> [0.15865525 0.5 0.84134475]
---@usage cn.stats.norm(100, 15):sf(130):round(9) --> 0.022750132
F.norm = distribution.new {name = "norm", support = {-inf, inf}, safe = 0,
  pdf = function(cn, z) return cn.exp(z * z * -0.5) / math.sqrt(2 * math.pi) end,
  logpdf = function(_, z) return z * z * -0.5 - math.log(2 * math.pi) / 2 end,
  cdf = function(_, z) return special().ndtr(z) end,
  sf = function(_, z) return special().ndtr(-z) end,
  logcdf = function(_, z) return special().log_ndtr(z) end,
  logsf = function(_, z) return special().log_ndtr(-z) end,
  ppf = function(_, q) return special().ndtri(q) end,
  isf = function(_, q) return -special().ndtri(q) end,
  mean = function() return 0 end, var = function() return 1 end,
  draw = function(rng, size) return rng:standard_normal(size) end}

--- The uniform distribution from loc to loc + scale. Its functions take (x, loc, scale). Follows scipy.stats.uniform.
---@param loc cuna.Operand|nil default 0
---@param scale cuna.Operand|nil default 1
---@return cuna.Distribution
---@usage cn.stats.uniform.pdf({0, 3, 9}, 1, 4) --> [0. 0.25 0. ]
F.uniform = distribution.new {name = "uniform", support = {0, 1},
  pdf = function(_, z) return z * 0 + 1 end,
  logpdf = function(_, z) return z * 0 end,
  cdf = function(_, z) return z end,
  sf = function(_, z) return 1 - z end,
  ppf = function(_, q) return q end,
  mean = function() return 0.5 end, var = function() return 1 / 12 end,
  draw = function(rng, size) return rng:random(size) end}

--- The exponential distribution of mean scale, from loc on. Its functions take (x, loc, scale). Follows
--- scipy.stats.expon.
---@param loc cuna.Operand|nil default 0
---@param scale cuna.Operand|nil default 1
---@return cuna.Distribution
---@usage cn.stats.expon.sf(3, {scale = 1.5}) --> 0.1353352832366127
F.expon = distribution.new {name = "expon", support = {0, inf},
  pdf = function(cn, z) return cn.exp(-z) end,
  logpdf = function(_, z) return -z end,
  cdf = function(cn, z) return -cn.expm1(-z) end,
  sf = function(cn, z) return cn.exp(-z) end,
  logsf = function(_, z) return -z end,
  ppf = function(cn, q) return -cn.log1p(-q) end,
  isf = function(cn, q) return -cn.log(q) end,
  mean = function() return 1 end, var = function() return 1 end,
  draw = function(rng, size) return rng:standard_exponential(size) end}

--- The gamma distribution of shape a. Its functions take (x, a, loc, scale). Follows scipy.stats.gamma.
---@param a cuna.Operand
---@param loc cuna.Operand|nil default 0
---@param scale cuna.Operand|nil default 1
---@return cuna.Distribution
---@usage cn.stats.gamma.cdf({1, 2}, 2) --> [0.26424112 0.59399415]
F.gamma = distribution.new {name = "gamma", shapes = {"a"}, support = {0, inf},
  logpdf = function(_, z, a)
    return special().xlogy(a - 1, z) - z - constant(z, special().gammaln, a)
  end,
  cdf = function(_, z, a) return special().gammainc(a, z) end,
  sf = function(_, z, a) return special().gammaincc(a, z) end,
  ppf = function(_, q, a) return special().gammaincinv(a, q) end,
  isf = function(_, q, a) return special().gammainccinv(a, q) end,
  mean = function(_, a) return a end, var = function(_, a) return a end,
  draw = function(rng, size, a) return rng:standard_gamma(a, size) end}

--- The beta distribution of shapes a and b, from loc to loc + scale. Its functions take (x, a, b, loc, scale). Follows
--- scipy.stats.beta.
---@param a cuna.Operand
---@param b cuna.Operand
---@param loc cuna.Operand|nil default 0
---@param scale cuna.Operand|nil default 1
---@return cuna.Distribution
---@usage cn.stats.beta.pdf({0.25, 0.5}, 2, 2) --> [1.125 1.5 ]
F.beta = distribution.new {name = "beta", shapes = {"a", "b"}, support = {0, 1},
  logpdf = function(_, z, a, b)
    return special().xlog1py(b - 1, -z) + special().xlogy(a - 1, z) - constant(z, special().betaln, a, b)
  end,
  cdf = function(_, z, a, b) return special().betainc(a, b, z) end,
  sf = function(_, z, a, b) return special().betaincc(a, b, z) end,
  ppf = function(_, q, a, b) return special().betaincinv(a, b, q) end,
  isf = function(_, q, a, b) return special().betainccinv(a, b, q) end,
  mean = function(_, a, b) return a / (a + b) end,
  var = function(_, a, b)
    local sum = a + b
    return a * b / (sum * sum * (sum + 1))
  end,
  draw = function(rng, size, a, b) return rng:beta(a, b, size) end}

--- Infinite, or NaN, where there are too few degrees of freedom for a moment.
local function moment_from(cn, df, least, value, otherwise)
  return cn.where(cn.greater(df, least), value, otherwise)
end

--- Student's t distribution with df degrees of freedom. Its functions take (x, df, loc, scale). Follows scipy.stats.t.
---@param df cuna.Operand
---@param loc cuna.Operand|nil default 0
---@param scale cuna.Operand|nil default 1
---@return cuna.Distribution
---@usage cn.stats.t.sf(2, 10):round(9) --> 0.036694017
F.t = distribution.new {name = "t", shapes = {"df"}, support = {-inf, inf},
  logpdf = function(cn, z, df)
    local half, ln = df / 2, special().gammaln
    return constant(z, ln, half + 0.5) - constant(z, ln, half) - log_of(df * math.pi) * 0.5
      - cn.log1p(z * z / df) * (half + 0.5)
  end,
  cdf = function(_, z, df) return special().stdtr(df, z) end,
  sf = function(_, z, df) return special().stdtr(df, -z) end,
  ppf = function(_, q, df) return special().stdtrit(df, q) end,
  isf = function(_, q, df) return -special().stdtrit(df, q) end,
  mean = function(cn, df) return moment_from(cn, df, 1, 0, inf) end,
  var = function(cn, df)
    local from_one = moment_from(cn, df, 1, inf, 0 / 0)
    return moment_from(cn, df, 2, df / (df - 2), from_one)
  end,
  draw = function(rng, size, df) return rng:standard_t(df, size) end}

--- The chi-square distribution with df degrees of freedom. Its functions take (x, df, loc, scale). Follows
--- scipy.stats.chi2.
---@param df cuna.Operand
---@param loc cuna.Operand|nil default 0
---@param scale cuna.Operand|nil default 1
---@return cuna.Distribution
---@usage cn.stats.chi2.ppf(0.95, {1, 2}) --> [3.84145882 5.99146455]
F.chi2 = distribution.new {name = "chi2", shapes = {"df"}, support = {0, inf},
  logpdf = function(_, z, df)
    local half = df / 2
    return special().xlogy(half - 1, z) - z * 0.5 - constant(z, special().gammaln, half) - half * math.log(2)
  end,
  cdf = function(_, z, df) return special().chdtr(df, z) end,
  sf = function(_, z, df) return special().chdtrc(df, z) end,
  ppf = function(_, q, df) return special().gammaincinv(df / 2, q) * 2 end,
  isf = function(_, q, df) return special().chdtri(df, q) end,
  mean = function(_, df) return df end, var = function(_, df) return df * 2 end,
  draw = function(rng, size, df) return rng:chisquare(df, size) end}

--- The F distribution with dfn and dfd degrees of freedom. Its functions take (x, dfn, dfd, loc, scale). Follows
--- scipy.stats.f.
---@param dfn cuna.Operand
---@param dfd cuna.Operand
---@param loc cuna.Operand|nil default 0
---@param scale cuna.Operand|nil default 1
---@return cuna.Distribution
---@usage cn.stats.f.sf({1, 4}, 2, 10) --> [0.40187757 0.05292215]
F.f = distribution.new {name = "f", shapes = {"dfn", "dfd"}, support = {0, inf},
  logpdf = function(cn, z, dfn, dfd)
    local m, n = dfn / 2, dfd / 2
    return special().xlogy(m - 1, z) + m * log_of(dfn) + n * log_of(dfd) - cn.log(z * dfn + dfd) * (m + n)
      - constant(z, special().betaln, m, n)
  end,
  cdf = function(_, z, dfn, dfd) return special().fdtr(dfn, dfd, z) end,
  sf = function(_, z, dfn, dfd) return special().fdtrc(dfn, dfd, z) end,
  ppf = function(_, q, dfn, dfd) return special().fdtri(dfn, dfd, q) end,
  mean = function(cn, dfn, dfd)
    return moment_from(cn, dfd, 2, dfd / (dfd - 2), inf) * (dfn / dfn)
  end,
  var = function(cn, dfn, dfd)
    local beyond = dfd - 2
    local value = dfd * dfd * 2 * (dfn + dfd - 2) / (dfn * beyond * beyond * (beyond - 2))
    return moment_from(cn, dfd, 4, value, inf)
  end,
  draw = function(rng, size, dfn, dfd) return rng:f(dfn, dfd, size) end}

-- ---- discrete ones ----

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

--- Whether n is a count and p a probability.
local function valid_binomial(n, p)
  local cn = args.namespace
  local is_count = type(n) == "number" and n >= 0 and n % 1 == 0
  if type(n) ~= "number" then is_count = cn.greater_equal(n, 0):band(cn.equal(cn.floor(n), n)) end
  local is_share = type(p) == "number" and p >= 0 and p <= 1
  if type(p) ~= "number" then is_share = cn.greater_equal(p, 0):band(cn.less_equal(p, 1)) end
  return distribution.both(is_count, is_share)
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
    local ln, rest = special().gammaln, -k + n
    return constant(k, ln, n + 1) - ln(k + 1) - ln(rest + 1) + special().xlogy(k, p) + special().xlog1py(rest, -p)
  end,
  cdf = function(_, k, n, p) return special().bdtr(k, n, p) end,
  sf = function(_, k, n, p) return special().bdtrc(k, n, p) end,
  ppf = function(cn, q, n, p)
    return least_count(cn, q, n, function(k) return special().bdtr(cn.minimum(k, n), n, p) end)
  end,
  mean = function(_, n, p) return n * p end,
  var = function(_, n, p) return n * p * (1 - p) end,
  draw = function(rng, size, n, p) return rng:binomial(n, p, size) end}

return M
