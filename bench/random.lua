-- Workloads of random numbers, as subjects.lua describes. Their twins are in random_peers.py. A draw fills its input.
local cn = require "cuna"

return function(_, length)
  local n, few = length(1e8), length(1e7)
  local rng = cn.random.default_rng(1)

  local makers = {
    drawn_f = function() return cn.zeros(n, "float32") end, drawn_d = function() return cn.zeros(n) end,
    drawn_i = function() return cn.zeros(n, "int32") end, drawn_l = function() return cn.zeros(n, "int64") end,
    drawn_few = function() return cn.zeros(few) end, drawn_counts = function() return cn.zeros(few, "int64") end,
    weights_1e3 = function() return cn.ones(1000) / 1000 end,
  }

  local function uniform(x) return rng:random { out = x } end
  local function normal(x) return rng:standard_normal { out = x } end
  local function exponential(x) return rng:standard_exponential { out = x } end
  local function integers(x) return rng:integers(0, 1000, { out = x, dtype = x.dtype }) end

  return makers, {
    { "random_f32_1e8", 0, 4 * n, "drawn_f", uniform },
    { "random_f64_1e8", 0, 8 * n, "drawn_d", uniform },
    { "random_normal_f32_1e8", 0, 4 * n, "drawn_f", normal },
    { "random_normal_f64_1e8", 0, 8 * n, "drawn_d", normal },
    { "random_exponential_f32_1e8", 0, 4 * n, "drawn_f", exponential },
    { "random_exponential_f64_1e8", 0, 8 * n, "drawn_d", exponential },
    { "random_integers_i32_1e8", 0, 4 * n, "drawn_i", integers },
    { "random_integers_i64_1e8", 0, 8 * n, "drawn_l", integers },
    { "random_gamma_f64_1e7", 0, 8 * few, "drawn_few", function(x) return rng:gamma(2.5, 1, { out = x }) end },
    { "random_beta_f64_1e7", 0, 8 * few, "drawn_few", function(x) return rng:beta(2.5, 3.5, { out = x }) end },
    { "random_poisson_1e7", 0, 8 * few, "drawn_counts", function(x) return rng:poisson(20, { out = x }) end },
    { "random_binomial_1e7", 0, 8 * few, "drawn_counts", function(x) return rng:binomial(50, 0.4, { out = x }) end },
    { "random_permutation_1e7", 0, 8 * few, "drawn_few", function() return rng:permutation(few) end },
    { "random_shuffle_f64_1e7", 8 * few, 8 * few, "drawn_few", function(x) return rng:shuffle(x) end },
    { "random_choice_1e7", 0, 8 * few, "weights_1e3", function() return rng:choice(1000, few) end },
    { "random_choice_weights_1e7", 0, 8 * few, "weights_1e3", function(p) return rng:choice(1000, few, { p = p }) end },
  }
end
