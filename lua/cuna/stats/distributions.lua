--- distributions.lua: the continuous distributions of cn.stats: rows of distribution.lua.
local args = require "cuna.base.args"
local distribution = require "cuna.stats.distribution"

local M = {functions = {}}
local F = M.functions -- cn.stats

local inf = math.huge
local constant, log_of, special = distribution.constant, distribution.log_of, distribution.special

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

--- What a function gives from a limit of a shape on, or another one below. A number is looked at on the host.
local function from_limit(cn, shape, limit, beyond, below)
  if type(shape) == "number" then return (shape >= limit and beyond or below)() end
  return cn.where(cn.greater_equal(shape, limit), beyond(), below())
end

local GREAT = 1e4 -- from where on Stirling's formula with two terms is exact

--- The logarithm of the density of the gamma distribution of shape a. Its parts a log(z) and log(gamma(a)) cancel where
--- a is great. What Stirling's formula leaves of them is small around the mean.
local function gamma_density(cn, z, a)
  local function whole() return special().xlogy(a - 1, z) - z - constant(z, special().gammaln, a) end
  local function around_mean()
    local off, rest = z - a, 1 / (12 * a) - 1 / (360 * a ^ 3)
    return cn.log1p(off / a) * (a - 1) - off - log_of(a * (2 * math.pi)) * 0.5 - rest
  end
  return from_limit(cn, a, GREAT, around_mean, whole)
end

--- The gamma distribution of shape a. Its functions take (x, a, loc, scale). Follows scipy.stats.gamma.
---@param a cuna.Operand
---@param loc cuna.Operand|nil default 0
---@param scale cuna.Operand|nil default 1
---@return cuna.Distribution
---@usage cn.stats.gamma.cdf({1, 2}, 2) --> [0.26424112 0.59399415]
F.gamma = distribution.new {name = "gamma", shapes = {"a"}, support = {0, inf},
  logpdf = gamma_density,
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
    local half, squares = df / 2, z * z
    local function of_normal() return squares * -0.5 - math.log(2 * math.pi) / 2 end
    local function of_few()
      return -constant(z, special().betaln, 0.5, half) - log_of(df) * 0.5 - cn.log1p(squares / df) * (half + 0.5)
    end
    return from_limit(cn, df, inf, of_normal, of_few)
  end,
  cdf = function(_, z, df) return special().stdtr(df, z) end,
  sf = function(_, z, df) return special().stdtr(df, -z) end,
  ppf = function(_, q, df) return special().stdtrit(df, q) end,
  isf = function(_, q, df) return -special().stdtrit(df, q) end,
  mean = function(cn, df) return moment_from(cn, df, 1, 0, inf) end,
  var = function(cn, df)
    local from_one = moment_from(cn, df, 1, inf, 0 / 0)
    return moment_from(cn, df, 2, 2 / (df - 2) + 1, from_one)
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
  logpdf = function(cn, z, df) return gamma_density(cn, z * 0.5, df / 2) - math.log(2) end,
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
    local ratio = dfn / dfd
    return special().xlogy(m - 1, z) + log_of(ratio) * m - cn.log1p(z * ratio) * (m + n)
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

--- The chi distribution with df degrees of freedom. Its functions take (x, df, loc, scale). Follows scipy.stats.chi.
---@param df cuna.Operand
---@param loc cuna.Operand|nil default 0
---@param scale cuna.Operand|nil default 1
---@return cuna.Distribution
---@usage cn.stats.chi.cdf({1, 2}, 2) --> [0.39346934 0.86466472]
F.chi = distribution.new {name = "chi", shapes = {"df"}, support = {0, inf},
  logpdf = function(_, z, df)
    local half = df / 2
    return special().xlogy(df - 1, z) - z * z * 0.5 - constant(z, special().gammaln, half) - (half - 1) * math.log(2)
  end,
  cdf = function(_, z, df) return special().gammainc(df / 2, z * z * 0.5) end,
  sf = function(_, z, df) return special().gammaincc(df / 2, z * z * 0.5) end,
  ppf = function(_, q, df) return (special().gammaincinv(df / 2, q) * 2) ^ 0.5 end,
  isf = function(_, q, df) return (special().gammainccinv(df / 2, q) * 2) ^ 0.5 end,
  mean = function(_, df) return special().poch(df / 2, 0.5) * math.sqrt(2) end,
  var = function(_, df)
    local ratio = special().poch(df / 2, 0.5)
    return -ratio * ratio * 2 + df
  end,
  draw = function(rng, size, df) return rng:chisquare(df, size) ^ 0.5 end}

--- The distribution of a number whose logarithm is normal with standard deviation s. Its functions take (x, s, loc,
--- scale). Follows scipy.stats.lognorm.
---@param s cuna.Operand
---@param loc cuna.Operand|nil default 0
---@param scale cuna.Operand|nil default 1; its logarithm is the mean of the logarithm
---@return cuna.Distribution
---@usage cn.stats.lognorm.cdf({0, 1, 2}, 0.5) --> [0. 0.5 0.91717148]
F.lognorm = distribution.new {name = "lognorm", shapes = {"s"}, support = {0, inf},
  logpdf = function(cn, z, s)
    local u = cn.log(z) -- the product below is infinite, not NaN, where z is 0
    return -(u * (u / (2 * s * s) + 1)) - log_of(s * math.sqrt(2 * math.pi))
  end,
  cdf = function(cn, z, s) return special().ndtr(cn.log(z) / s) end,
  sf = function(cn, z, s) return special().ndtr(-cn.log(z) / s) end,
  logcdf = function(cn, z, s) return special().log_ndtr(cn.log(z) / s) end,
  logsf = function(cn, z, s) return special().log_ndtr(-cn.log(z) / s) end,
  ppf = function(cn, q, s) return cn.exp(special().ndtri(q) * s) end,
  isf = function(cn, q, s) return cn.exp(-special().ndtri(q) * s) end,
  mean = function(cn, s) return cn.exp(s * s / 2) end,
  var = function(cn, s) return cn.expm1(s * s) * cn.exp(s * s) end,
  draw = function(rng, size, s) return rng:lognormal(0, s, size) end}

--- The Laplace distribution. Its functions take (x, loc, scale). Follows scipy.stats.laplace.
---@param loc cuna.Operand|nil default 0
---@param scale cuna.Operand|nil default 1
---@return cuna.Distribution
---@usage cn.stats.laplace.cdf {-1, 0, 1} --> [0.18393972 0.5 0.81606028]
F.laplace = distribution.new {name = "laplace", support = {-inf, inf}, safe = 0,
  pdf = function(cn, z) return cn.exp(-cn.abs(z)) * 0.5 end,
  logpdf = function(cn, z) return -cn.abs(z) - math.log(2) end,
  cdf = function(cn, z)
    local tail = cn.exp(-cn.abs(z)) * 0.5
    return cn.where(cn.greater(z, 0), 1 - tail, tail)
  end,
  sf = function(cn, z)
    local tail = cn.exp(-cn.abs(z)) * 0.5
    return cn.where(cn.greater(z, 0), tail, 1 - tail)
  end,
  ppf = function(cn, q) return cn.where(cn.greater(q, 0.5), -cn.log((1 - q) * 2), cn.log(q * 2)) end,
  isf = function(cn, q) return cn.where(cn.greater(q, 0.5), cn.log((1 - q) * 2), -cn.log(q * 2)) end,
  mean = function() return 0 end, var = function() return 2 end,
  draw = function(rng, size) return rng:laplace(0, 1, size) end}

--- The logistic distribution. Its functions take (x, loc, scale). Follows scipy.stats.logistic.
---@param loc cuna.Operand|nil default 0
---@param scale cuna.Operand|nil default 1
---@return cuna.Distribution
---@usage cn.stats.logistic.cdf {-1, 0, 1} --> [0.26894142 0.5 0.73105858]
F.logistic = distribution.new {name = "logistic", support = {-inf, inf}, safe = 0,
  logpdf = function(cn, z)
    local y = -cn.abs(z)
    return y - cn.log1p(cn.exp(y)) * 2
  end,
  cdf = function(_, z) return special().expit(z) end,
  sf = function(_, z) return special().expit(-z) end,
  logcdf = function(_, z) return special().log_expit(z) end,
  logsf = function(_, z) return special().log_expit(-z) end,
  ppf = function(_, q) return special().logit(q) end,
  isf = function(_, q) return -special().logit(q) end,
  mean = function() return 0 end, var = function() return math.pi ^ 2 / 3 end,
  draw = function(rng, size) return rng:logistic(0, 1, size) end}

--- The Cauchy distribution, which has no mean. Its functions take (x, loc, scale). Follows scipy.stats.cauchy.
---@param loc cuna.Operand|nil default 0
---@param scale cuna.Operand|nil default 1
---@return cuna.Distribution
---@usage cn.stats.cauchy.sf {0, 1} --> [0.5 0.25]
F.cauchy = distribution.new {name = "cauchy", support = {-inf, inf}, safe = 0,
  pdf = function(_, z) return 1 / ((z * z + 1) * math.pi) end,
  logpdf = function(cn, z) return -cn.log1p(z * z) - math.log(math.pi) end,
  cdf = function(cn, z) return cn.atan2(1, -z) / math.pi end,
  sf = function(cn, z) return cn.atan2(1, z) / math.pi end,
  ppf = function(cn, q)
    local least, middle = cn.minimum(q, 1 - q), q - 0.5 -- the tangent of the lesser one has all digits
    return cn.where(cn.greater(least, 0.25), cn.tan(middle * math.pi), cn.copysign(1 / cn.tan(least * math.pi), middle))
  end,
  mean = function() return 0 / 0 end, var = function() return 0 / 0 end,
  draw = function(rng, size) return rng:standard_cauchy(size) end}

--- The Weibull distribution of shape c. Its functions take (x, c, loc, scale). Follows scipy.stats.weibull_min.
---@param c cuna.Operand
---@param loc cuna.Operand|nil default 0
---@param scale cuna.Operand|nil default 1
---@return cuna.Distribution
---@usage cn.stats.weibull_min.sf({1, 2}, 2) --> [0.36787944 0.01831564]
F.weibull_min = distribution.new {name = "weibull_min", shapes = {"c"}, support = {0, inf},
  logpdf = function(_, z, c) return special().xlogy(c - 1, z) - z ^ c + log_of(c) end,
  cdf = function(cn, z, c) return -cn.expm1(-z ^ c) end,
  sf = function(cn, z, c) return cn.exp(-z ^ c) end,
  logsf = function(_, z, c) return -z ^ c end,
  ppf = function(cn, q, c) return (-cn.log1p(-q)) ^ (1 / c) end,
  isf = function(cn, q, c) return (-cn.log(q)) ^ (1 / c) end,
  mean = function(_, c) return special().gamma(1 / c + 1) end,
  var = function(_, c)
    local mean = special().gamma(1 / c + 1)
    return special().gamma(2 / c + 1) - mean * mean
  end,
  draw = function(rng, size, c) return rng:weibull(c, size) end}

--- The Rayleigh distribution. Its functions take (x, loc, scale). Follows scipy.stats.rayleigh.
---@param loc cuna.Operand|nil default 0
---@param scale cuna.Operand|nil default 1
---@return cuna.Distribution
---@usage cn.stats.rayleigh.cdf {1, 2} --> [0.39346934 0.86466472]
F.rayleigh = distribution.new {name = "rayleigh", support = {0, inf},
  logpdf = function(cn, z) return cn.log(z) - z * z * 0.5 end,
  cdf = function(cn, z) return -cn.expm1(z * z * -0.5) end,
  sf = function(cn, z) return cn.exp(z * z * -0.5) end,
  logsf = function(_, z) return z * z * -0.5 end,
  ppf = function(cn, q) return (cn.log1p(-q) * -2) ^ 0.5 end,
  isf = function(cn, q) return (cn.log(q) * -2) ^ 0.5 end,
  mean = function() return math.sqrt(math.pi / 2) end, var = function() return (4 - math.pi) / 2 end,
  draw = function(rng, size) return rng:rayleigh(1, size) end}

--- The Pareto distribution of shape b, from loc + scale on. Its functions take (x, b, loc, scale). Follows
--- scipy.stats.pareto.
---@param b cuna.Operand
---@param loc cuna.Operand|nil default 0
---@param scale cuna.Operand|nil default 1
---@return cuna.Distribution
---@usage cn.stats.pareto.sf({1, 2, 4}, 2) --> [1. 0.25 0.0625]
F.pareto = distribution.new {name = "pareto", shapes = {"b"}, support = {1, inf},
  logpdf = function(cn, z, b) return log_of(b) - cn.log(z) * (b + 1) end,
  cdf = function(cn, z, b) return -cn.expm1(-cn.log(z) * b) end,
  sf = function(_, z, b) return z ^ -b end,
  logsf = function(cn, z, b) return -cn.log(z) * b end,
  ppf = function(cn, q, b) return cn.exp(-cn.log1p(-q) / b) end,
  isf = function(_, q, b) return q ^ (-1 / b) end,
  mean = function(cn, b) return moment_from(cn, b, 1, b / (b - 1), inf) end,
  var = function(cn, b)
    local less = b - 1
    return moment_from(cn, b, 2, b / (less * less * (b - 2)), inf)
  end,
  draw = function(rng, size, b) return rng:pareto(b, size) + 1 end}

--- The Gumbel distribution of greatest values. Its functions take (x, loc, scale). Follows scipy.stats.gumbel_r.
---@param loc cuna.Operand|nil default 0
---@param scale cuna.Operand|nil default 1
---@return cuna.Distribution
---@usage cn.stats.gumbel_r.cdf {0, 2} --> [0.36787944 0.87342302]
F.gumbel_r = distribution.new {name = "gumbel_r", support = {-inf, inf}, safe = 0,
  logpdf = function(cn, z) return -z - cn.exp(-z) end,
  cdf = function(cn, z) return cn.exp(-cn.exp(-z)) end,
  sf = function(cn, z) return -cn.expm1(-cn.exp(-z)) end,
  logcdf = function(cn, z) return -cn.exp(-z) end,
  ppf = function(cn, q) return -cn.log(-cn.log(q)) end,
  isf = function(cn, q) return -cn.log(-cn.log1p(-q)) end,
  mean = function() return args.namespace.euler_gamma end, var = function() return math.pi ^ 2 / 6 end,
  draw = function(rng, size) return rng:gumbel(0, 1, size) end}

return M
