--- distribution_shapes.lua: continuous distributions beyond those of distributions.lua: a row each, and its doc.
--
-- Parameters for which there is no distribution are refused (demand.lua); elements that are drawn all the same are NaN.
local demand = require "cuna.random.demand"
local draw = require "cuna.random.draw"
local generator = require "cuna.random.generator"

local methods = generator.methods

local LOC = {name = "loc", default = 0}
local SCALE = {name = "scale", default = 1, demand = demand.not_negative}
local DF = {name = "df", demand = demand.positive}
local DFNUM = {name = "dfnum", demand = demand.positive}
local DFDEN = {name = "dfden", demand = demand.positive}
local NONC = {name = "nonc", demand = demand.not_negative}

-- Words that a sampler takes for a value, by the dtype that it computes in.
local TRIAL = {float32 = 2, float64 = 4}
local BLOCK = 4

-- ---- gamma, and what is made of it ----

--- Numbers of the gamma distribution with scale 1. Follows numpy.random.Generator.standard_gamma.
---@param shape number|cuna.Array not negative
---@param size cuna.Shape|nil default: what the parameters broadcast to
---@param dtype string|nil a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@usage cn.random.default_rng(1):standard_gamma(2, 3) --> [2.43916421 3.61714582 1.32466242]
methods.standard_gamma = draw.method {name = "standard_gamma", sampler = "random::Gamma<D>(shape, R(1))",
  parameters = {{name = "shape", demand = demand.not_negative}}, words = TRIAL}

--- Numbers of the gamma distribution, by Marsaglia and Tsang's method. Follows numpy.random.Generator.gamma.
---@param shape number|cuna.Array not negative
---@param scale number|cuna.Array|nil not negative, default 1
---@param size cuna.Shape|nil default: what the parameters broadcast to
---@param dtype string|nil a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@usage cn.random.default_rng(1):gamma(2, 10, 3) --> [24.39164209 36.17145818 13.24662417]
methods.gamma = draw.method {name = "gamma", sampler = "random::Gamma<D>(shape, scale)",
  parameters = {{name = "shape", demand = demand.not_negative}, SCALE}, words = TRIAL}

--- Numbers of the beta distribution: one of two gamma numbers divided by their sum. Follows
--- numpy.random.Generator.beta.
---@param a number|cuna.Array above 0
---@param b number|cuna.Array above 0
---@param size cuna.Shape|nil default: what the parameters broadcast to
---@param dtype string|nil a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@usage cn.random.default_rng(1):beta(2, 3, 3) --> [0.22804187 0.07349179 0.18922391]
methods.beta = draw.method {name = "beta", sampler = "random::Beta<D>(a, b)",
  parameters = {{name = "a", demand = demand.positive}, {name = "b", demand = demand.positive}}, words = BLOCK}

--- Numbers of the chi-square distribution: sums of `df` squared normal numbers. Follows
--- numpy.random.Generator.chisquare.
---@param df number|cuna.Array degrees of freedom, above 0
---@param size cuna.Shape|nil default: what the parameters broadcast to
---@param dtype string|nil a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@usage cn.random.default_rng(1):chisquare(2, 3) --> [2.38565089 4.20068629 0.91942583]
methods.chisquare = draw.method {name = "chisquare", sampler = "random::Gamma<D>(df / 2, R(2))",
  parameters = {DF}, words = TRIAL}

--- Numbers of the noncentral chi-square distribution. Follows numpy.random.Generator.noncentral_chisquare.
---@param df number|cuna.Array degrees of freedom, above 0
---@param nonc number|cuna.Array noncentrality, not negative
---@param size cuna.Shape|nil default: what the parameters broadcast to
---@param dtype string|nil a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@usage cn.random.default_rng(1):noncentral_chisquare(3, 20, 3) --> [18.82376258  5.97001313 16.53759045]
methods.noncentral_chisquare = draw.method {name = "noncentral_chisquare", words = BLOCK,
  sampler = "random::NoncentralChisquare<D>(df, nonc)", parameters = {DF, NONC}}

--- Numbers of the F distribution: quotients of two chi-square numbers, each divided by its degrees of freedom. Follows
--- numpy.random.Generator.f.
---@param dfnum number|cuna.Array above 0
---@param dfden number|cuna.Array above 0
---@param size cuna.Shape|nil default: what the parameters broadcast to
---@param dtype string|nil a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@usage cn.random.default_rng(1):f(5, 10, 3) --> [0.50271192 0.16466463 0.40998222]
methods.f = draw.method {name = "f", sampler = "random::FRatio<D>(dfnum, dfden)",
  parameters = {DFNUM, DFDEN}, words = BLOCK}

--- Numbers of the noncentral F distribution. Follows numpy.random.Generator.noncentral_f.
---@param dfnum number|cuna.Array above 0
---@param dfden number|cuna.Array above 0
---@param nonc number|cuna.Array not negative
---@param size cuna.Shape|nil default: what the parameters broadcast to
---@param dtype string|nil a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@usage cn.random.default_rng(1):noncentral_f(5, 10, 2, 3) --> [0.81730782 0.63685447 3.133951  ]
methods.noncentral_f = draw.method {name = "noncentral_f", sampler = "random::NoncentralF<D>(dfnum, dfden, nonc)",
  parameters = {DFNUM, DFDEN, NONC}, words = BLOCK}

--- Numbers of Student's t distribution. Follows numpy.random.Generator.standard_t.
---@param df number|cuna.Array degrees of freedom, above 0
---@param size cuna.Shape|nil default: what the parameters broadcast to
---@param dtype string|nil a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@usage cn.random.default_rng(1):standard_t(10, 3) --> [-0.40950607 -2.56279636 -0.66766283]
methods.standard_t = draw.method {name = "standard_t", sampler = "random::StandardT<D>(df)",
  parameters = {DF}, words = BLOCK}

-- ---- of a normal number ----

--- Numbers whose logarithms have the normal distribution. Follows numpy.random.Generator.lognormal.
---@param mean number|cuna.Array|nil of the logarithms, default 0
---@param sigma number|cuna.Array|nil their standard deviation, not negative, default 1
---@param size cuna.Shape|nil default: what the parameters broadcast to
---@param dtype string|nil a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@usage cn.random.default_rng(1):lognormal(0, 1, 3) --> [0.63349649 0.11595453 0.47812228]
methods.lognormal = draw.method {name = "lognormal", sampler = "random::Lognormal<D>(mean, sigma)",
  parameters = {{name = "mean", default = 0}, {name = "sigma", default = 1, demand = demand.not_negative}}}

--- Numbers of the Wald (inverse Gaussian) distribution. Follows numpy.random.Generator.wald.
---@param mean number|cuna.Array above 0
---@param scale number|cuna.Array above 0
---@param size cuna.Shape|nil default: what the parameters broadcast to
---@param dtype string|nil a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@usage cn.random.default_rng(1):wald(3, 2, 3) --> [1.59539853 0.8146265  2.1186594 ]
methods.wald = draw.method {name = "wald", sampler = "random::Wald<D>(mean, scale)",
  parameters = {{name = "mean", demand = demand.positive}, {name = "scale", demand = demand.positive}}, words = TRIAL}

-- ---- of one uniform number, by inversion ----

--- Numbers of the Laplace (double exponential) distribution. Follows numpy.random.Generator.laplace.
---@param loc number|cuna.Array|nil default 0
---@param scale number|cuna.Array|nil not negative, default 1
---@param size cuna.Shape|nil default: what the parameters broadcast to
---@param dtype string|nil a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@usage cn.random.default_rng(1):laplace(0, 1, 3) --> [ 0.77655879 -1.79243759  1.32320294]
methods.laplace = draw.method {name = "laplace", sampler = "random::Laplace<D>(loc, scale)", parameters = {LOC, SCALE}}

--- Numbers of the logistic distribution. Follows numpy.random.Generator.logistic.
---@param loc number|cuna.Array|nil default 0
---@param scale number|cuna.Array|nil not negative, default 1
---@param size cuna.Shape|nil default: what the parameters broadcast to
---@param dtype string|nil a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@usage cn.random.default_rng(1):logistic(0, 1, 3) --> [ 1.20835016 -2.39863502  1.87347172]
methods.logistic = draw.method {name = "logistic", sampler = "random::Logistic<D>(loc, scale)",
  parameters = {LOC, SCALE}}

--- Numbers of the Gumbel distribution of extreme values. Follows numpy.random.Generator.gumbel.
---@param loc number|cuna.Array|nil default 0
---@param scale number|cuna.Array|nil not negative, default 1
---@param size cuna.Shape|nil default: what the parameters broadcast to
---@param dtype string|nil a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@usage cn.random.default_rng(1):gumbel(0, 1, 3) --> [ 1.34187257 -0.91050795  1.94576136]
methods.gumbel = draw.method {name = "gumbel", sampler = "random::Gumbel<D>(loc, scale)", parameters = {LOC, SCALE}}

--- Numbers of the Cauchy distribution around 0 with scale 1. Follows numpy.random.Generator.standard_cauchy.
---@param size cuna.Shape|nil default: what the parameters broadcast to
---@param dtype string|nil a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@usage cn.random.default_rng(1):standard_cauchy(3) --> [ 1.13432691 -3.7347019   2.24970314]
methods.standard_cauchy = draw.method {name = "standard_cauchy", sampler = "random::StandardCauchy<D>()",
  parameters = {}}

--- Numbers of the Rayleigh distribution. Follows numpy.random.Generator.rayleigh.
---@param scale number|cuna.Array|nil not negative, default 1
---@param size cuna.Shape|nil default: what the parameters broadcast to
---@param dtype string|nil a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@usage cn.random.default_rng(1):rayleigh(2, 3) --> [1.58674559 4.45922394 1.91219848]
methods.rayleigh = draw.method {name = "rayleigh", sampler = "random::Rayleigh<D>(scale)", parameters = {SCALE}}

--- Numbers of the Weibull distribution with scale 1. Follows numpy.random.Generator.weibull.
---@param a number|cuna.Array the shape, not negative
---@param size cuna.Shape|nil default: what the parameters broadcast to
---@param dtype string|nil a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@usage cn.random.default_rng(1):weibull(5, 3) --> [0.79356942 1.19973607 0.85505724]
methods.weibull = draw.method {name = "weibull", sampler = "random::Weibull<D>(a)",
  parameters = {{name = "a", demand = demand.not_negative}}}

--- Numbers of the Pareto II (Lomax) distribution. Follows numpy.random.Generator.pareto.
---@param a number|cuna.Array the shape, above 0
---@param size cuna.Shape|nil default: what the parameters broadcast to
---@param dtype string|nil a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@usage cn.random.default_rng(1):pareto(3, 3) --> [0.11060702 1.28994605 0.16457276]
methods.pareto = draw.method {name = "pareto", sampler = "random::Pareto<D>(a)",
  parameters = {{name = "a", demand = demand.positive}}}

--- Numbers in [0, 1] with the density a x^(a - 1). Follows numpy.random.Generator.power.
---@param a number|cuna.Array above 0
---@param size cuna.Shape|nil default: what the parameters broadcast to
---@param dtype string|nil a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@usage cn.random.default_rng(1):power(5, 3) --> [0.93899602 0.60828184 0.9126411 ]
methods.power = draw.method {name = "power", sampler = "random::Power<D>(a)",
  parameters = {{name = "a", demand = demand.positive}}}

--- Numbers of the triangular distribution. Follows numpy.random.Generator.triangular.
---@param left number|cuna.Array the least
---@param mode number|cuna.Array the likeliest
---@param right number|cuna.Array the greatest, above left
---@param size cuna.Shape|nil default: what the parameters broadcast to
---@param dtype string|nil a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@usage cn.random.default_rng(1):triangular(0, 1, 4, 3) --> [2.199977   0.57715455 1.90183087]
methods.triangular = draw.method {name = "triangular", sampler = "random::Triangular<D>(left, mode, right)",
  parameters = {{name = "left"}, {name = "mode"}, {name = "right"}},
  check = function(values)
    local left, mode, right = tonumber(values[1]), tonumber(values[2]), tonumber(values[3])
    if left > mode or mode > right or left == right then
      return ("left <= mode <= right and left < right are to hold of %.14g, %.14g and %.14g"):format(left, mode, right)
    end
  end,
  relation = function()
    return demand.relation("mode must be from left to right, which is above left",
      "!(left > mode || mode > right || left == right)", "mode")
  end}

-- ---- on a circle ----

--- Angles from -pi to pi of the von Mises distribution, by Best and Fisher's method. Follows
--- numpy.random.Generator.vonmises.
---@param mu number|cuna.Array the likeliest angle
---@param kappa number|cuna.Array how close to it others are, not negative
---@param size cuna.Shape|nil default: what the parameters broadcast to
---@param dtype string|nil a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@usage cn.random.default_rng(1):vonmises(0, 4, 3) --> [-0.55163539  0.13342151 -1.02300767]
methods.vonmises = draw.method {name = "vonmises", sampler = "random::Vonmises<D>(mu, kappa)",
  parameters = {{name = "mu"}, {name = "kappa", demand = demand.not_negative}}, words = BLOCK}

return {}
