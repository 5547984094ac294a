--- Distributions: samples against SciPy's functions, moments, bits on every device and in every layout, parameters that
--- are far out or have no distribution.
local cn = require "cuna"
local devices = require "spec.support.devices"
local golden = dofile "spec/golden/distributions.lua"
local preparing = require "spec.support.golden"
local raises = require("spec.support.raises").raises

local it = devices.rehearsed_it()

local prepared = preparing.prepared
local COUNT = 60000

-- Methods whose float32 is looked at, too, and those whose elements are drawn one by one on every device: some of each
-- kind of sampler, since every dtype and layout is a kernel.
local NARROW = {gamma = true, beta = true, standard_t = true, wald = true, gumbel = true, vonmises = true}
local APART = {gamma = true, noncentral_f = true, triangular = true, poisson = true, hypergeometric = true}

local function rng(seed) return cn.random.default_rng(seed) end

--- Draws by a method's name; more are its size, dtype, out.
local function draw(generator, case, ...)
  local list = {unpack(case.arguments)}
  local count = #list
  for k = 1, select("#", ...) do list[count + k] = (select(k, ...)) end
  return generator[case.name](generator, unpack(list, 1, count + select("#", ...)))
end

--- A case whose parameters are arrays.
local function in_arrays(case, size)
  local arrays = {name = case.name, arguments = {}}
  for k, v in ipairs(case.arguments) do arrays.arguments[k] = cn.full(size, v, "float64") end
  return arrays
end

local function title(case) return case.name .. "(" .. table.concat(case.arguments, ", ") .. ")" end

-- ---- samples ----

--- How many values are up to each edge.
local function counts_up_to(values, edges)
  local counts = {}
  for k = 1, #edges + 1 do counts[k] = 0 end
  for i = 1, #values do
    local low, high = 1, #edges + 1 -- the first edge that is not below
    while low < high do
      local middle = math.floor((low + high) / 2)
      if edges[middle] < values[i] then low = middle + 1 else high = middle end
    end
    counts[low] = counts[low] + 1
  end
  return counts
end

--- Kolmogorov's and Pearson's distances at the edges of a case: one sample in some thousands is so far off.
local function check_shape(case, values)
  local counts = counts_up_to(values, case.edges)
  local n, below, chi2, before = #values, 0, 0, 0
  for k = 1, #counts do
    local share = case.shares[k] or 1
    below = below + counts[k]
    local distance = math.abs(below / n - share) * math.sqrt(n)
    assert(distance < 2.1, ("%s: %.2f off at %s"):format(title(case), distance, tostring(case.edges[k])))
    local expected = (share - before) * n
    if expected > 5 then chi2 = chi2 + (counts[k] - expected) ^ 2 / expected end
    before = share
  end
  local freedom = #counts - 1
  assert(chi2 < freedom + 5 * math.sqrt(2 * freedom) + 5, ("%s: chi-square %.1f of %d"):format(title(case), chi2,
    freedom))
end

--- Mean and variance within 5 of their standard deviations; the latter where its own has a say.
local function check_moments(case, values)
  local n, mean, variance = #values, 0, 0
  for i = 1, n do mean = mean + values[i] / n end
  for i = 1, n do variance = variance + (values[i] - mean) ^ 2 / (n - 1) end
  if case.variance ~= case.variance then return end
  local off = math.abs(mean - case.mean) / math.sqrt(case.variance / n)
  assert(off < 5, ("%s: mean %.6g, expected %.6g: %.1f deviations"):format(title(case), mean, case.mean, off))
  if case.kurtosis ~= case.kurtosis or case.kurtosis > 30 then return end
  off = math.abs(variance / case.variance - 1) / math.sqrt((case.kurtosis - 1) / n)
  assert(off < 5, ("%s: variance %.6g, expected %.6g: %.1f deviations"):format(title(case), variance, case.variance,
    off))
end

local function check_sample(case, dtype)
  local x = draw(rng {COUNT, 3}, case, COUNT, dtype)
  if preparing.rehearsing then return end
  local values = x:totable()
  if dtype == "int64" then
    for i = 1, #values do values[i] = tonumber(values[i]) end
  end
  check_shape(case, values)
  check_moments(case, values)
end

local function on_cpu(fn) return prepared(function() cn.device("cpu"):with(fn) end) end

describe("samples are distributed as SciPy's:", function()
  it("continuous ones", on_cpu(function()
    for _, case in ipairs(golden.continuous) do
      check_sample(case, "float64")
      if NARROW[case.name] then check_sample(case, "float32") end
    end
  end))

  it("counts", on_cpu(function()
    for _, case in ipairs(golden.counts) do check_sample(case, "int64") end
  end))

  it("vectors", on_cpu(function()
    local shares = rng(1):dirichlet({0.5, 2, 3.5}, COUNT)
    local times = rng(2):multinomial(100, {0.2, 0.75, 0.05}, COUNT)
    local colors = rng(3):multivariate_hypergeometric({30, 60, 10}, 40, COUNT)
    if preparing.rehearsing then return end
    assert.is_true(cn.allclose(shares:sum(2), 1, 1e-14) and colors:sum(2):eq(40):all())
    for k, count in ipairs {30, 60, 10} do -- 40 of 100
      local x, variance = colors[{{}, k}], 40 * count * (100 - count) * 60 / (100 ^ 2 * 99)
      assert.is_true(math.abs(x:mean():item() - 0.4 * count) < 5 * math.sqrt(variance / COUNT))
      assert.is_true(math.abs(x:var():item() / variance - 1) < 0.05)
    end
    local covariance = cn.cov(colors[{{}, 1}], colors[{{}, 2}])[{1, 2}]
    assert.is_true(math.abs(covariance / (-40 * 30 * 60 * 60 / (100 ^ 2 * 99)) - 1) < 0.05)
    local mean, variance = shares:mean(1):totable(), shares:var(1):totable()
    for k, alpha in ipairs {0.5, 2, 3.5} do
      local expected, expected_variance = alpha / 6, alpha * (6 - alpha) / (36 * 7)
      assert.is_true(math.abs(mean[k] - expected) < 5 * math.sqrt(expected_variance / COUNT))
      assert.is_true(math.abs(variance[k] / expected_variance - 1) < 0.05)
    end
    assert.is_true((times:sum(2):eq(100)):all())
    mean, variance = times:mean(1):totable(), times:var(1):totable()
    for k, p in ipairs {0.2, 0.75, 0.05} do
      assert.is_true(math.abs(mean[k] - 100 * p) < 5 * math.sqrt(100 * p * (1 - p) / COUNT))
      assert.is_true(math.abs(variance[k] / (100 * p * (1 - p)) - 1) < 0.04)
    end
  end))
end)

-- ---- bits ----

--- One case of each method, with its dtypes.
local function samples()
  local seen, list = {}, {}
  for _, group in ipairs {golden.continuous, golden.counts} do
    for _, case in ipairs(group) do
      if not seen[case.name] then
        local dtypes = {group == golden.counts and "int64" or "float64", NARROW[case.name] and "float32"}
        list[#list + 1] = {name = case.name, arguments = case.arguments, dtypes = dtypes}
      end
      seen[case.name] = true
    end
  end
  return list
end

local function agree(a, b, note)
  if preparing.rehearsing then return end
  assert.is_true(cn.array_equal(a:get(), b:get(), {equal_nan = true}), note)
end

devices.each_device(function(device)
  describe("distributions", function()
    it("have the same bits on every device and in every size", prepared(function()
      for _, case in ipairs(samples()) do
        for _, dtype in ipairs(case.dtypes) do
          local here = draw(rng(9), case, {7, 61}, dtype)
          cn.device("cpu"):with(function() agree(draw(rng(9), case, {7, 61}, dtype), here, title(case)) end)
          agree(here:reshape(-1)["1:50"], draw(rng(9), case, 50, dtype), title(case))
        end
      end
    end))

    it("have the same bits where they are drawn one by one", prepared(function()
      for _, case in ipairs(samples()) do
        if #case.arguments > 0 and (device == "cpu" or APART[case.name]) then
          agree(draw(rng(5), case, 64), draw(rng(5), in_arrays(case, 64)), title(case))
        end
      end
      local case = {name = "gamma", arguments = {2.5, 3}}
      local apart = cn.zeros({61, 7}).T
      draw(rng(9), case, nil, nil, apart)
      agree(draw(rng(9), case, {7, 61}), apart)
    end))

    it("have narrow dtypes", prepared(function()
      for _, dtype in ipairs {"float16", "bfloat16"} do
        for _, case in ipairs {{name = "gamma", arguments = {2, 3}}, {name = "laplace", arguments = {0, 1}}} do
          agree(draw(rng(3), case, 200, dtype), draw(rng(3), case, 200, "float32"):astype(dtype), case.name)
        end
        agree(rng(3):dirichlet({1, 2}, 5, dtype), rng(3):dirichlet({1, 2}, 5, "float32"):astype(dtype))
      end
    end))

    it("of vectors have the same bits everywhere", prepared(function()
      local pvals = {{0.5, 0.25, 0.25}, {0.1, 0.2, 0.7}}
      local function all()
        return rng(4):dirichlet({0.3, 1, 2, 9, 4}, {3, 40}), rng(4):dirichlet(cn.array {3, 0.01}, 30, "float32"),
          rng(4):multinomial(1000, pvals[1], {4, 5}), rng(4):multinomial({10, 1000}, pvals),
          rng(4):multivariate_hypergeometric({500, 900, 3}, {5, 1000, 1403, 0})
      end
      local here = {all()}
      local there = cn.device("cpu"):with(function() return {all()} end)
      for k = 1, 5 do agree(here[k], there[k], tostring(k)) end
      agree(here[5]:sum(2), cn.array({5, 1000, 1403, 0}, "int64"))
      agree(here[5][3], cn.array({500, 900, 3}, "int64"))
      assert.is_true(here[1]:has_shape(3, 40, 5))
      assert.is_true(here[4]:has_shape(2, 3))
      agree(rng(4):multinomial(1000, cn.array(pvals[1]), {4, 5}), here[3])
      local out = cn.zeros({3, 20}, "int64").T
      agree(rng(4):multinomial(7, pvals[2], 20), rng(4):multinomial(7, pvals[2], 20, out))
      agree(rng(4):dirichlet({1, 1, 1}, 20), rng(4):dirichlet({1, 1, 1}, 20, nil, cn.zeros({3, 20}).T))
      out = cn.zeros({3, 20}, "int64").T
      agree(rng(4):multivariate_hypergeometric({5, 6, 7}, 9, 20), rng(4):multivariate_hypergeometric({5, 6, 7}, 9, 20,
        {method = "count", out = out}))
      assert.is_true(rng(4):dirichlet({1, 1}, 0):has_shape(0, 2))
      assert.is_true(rng(4):multinomial(3, {1}, {0}):has_shape(0, 1))
      agree(rng(4):multinomial(3, {0, 1, 0}, 4), cn.array({0, 3, 0}, "int64"):broadcast_to {4, 3})
    end))

    it("take parameters that broadcast", prepared(function()
      local shape, scale = cn.array({{0.5}, {3}}, "float32"), cn.array({1, 10, 100}, "int16")
      local x = rng(8):gamma(shape, scale)
      assert.is_true(x:has_shape(2, 3))
      agree(rng(8):gamma(shape, scale, {4, 2, 3})[{1, cn.ellipsis}], x)
      agree(rng(8):binomial({{10}, {1000}}, {0.5, 0.1}, {dtype = "int64"}),
        rng(8):binomial(cn.array({{10}, {1000}}, "int64"), cn.array {0.5, 0.1}))
      assert.is_true(rng(8):poisson(cn.zeros {0, 2}):has_shape(0, 2))
    end))
  end)

  it("wrong numbers are refused with words", function()
    local g = rng(1)
    raises("gamma: shape must not be negative, got -1", function() local _ = g:gamma(-1) end)
    raises("gamma: scale must not be negative, got -2", function() local _ = g:gamma(1, -2) end)
    raises("gamma: shape is missing", function() local _ = g:gamma() end)
    raises("beta: b must be above 0, got 0", function() local _ = g:beta(1, 0) end)
    raises("chisquare: df must be above 0, got -3", function() local _ = g:chisquare {df = -3} end)
    raises("triangular: left <= mode <= right and left < right are to hold of 3, 2 and 1",
      function() local _ = g:triangular(3, 2, 1) end)
    raises("vonmises: kappa must not be negative, got -1", function() local _ = g:vonmises(0, -1) end)
    raises("poisson: lam must be from 0 to 9.22e18, got -1", function() local _ = g:poisson(-1) end)
    raises("poisson: lam must be from 0 to 9.22e18, got nan", function() local _ = g:poisson(0 / 0) end)
    raises("poisson: draws are int64, not float32", function() local _ = g:poisson(3, 4, "float32") end)
    raises("binomial: n is a whole number, got 2.5", function() local _ = g:binomial(2.5, 0.1) end)
    raises("binomial: p must be from 0 to 1, got 1.5", function() local _ = g:binomial(2, 1.5) end)
    raises("binomial: p must be from 0 to 1, got -0.5", function() local _ = g:binomial(2, {0.5, -0.5}) end)
    raises("negative_binomial: p must be above 0 and at most 1, got 0", function()
      local _ = g:negative_binomial(1, 0)
    end)
    raises("hypergeometric: nsample is 8, of ngood + nbad = 7", function() local _ = g:hypergeometric(3, 4, 8) end)
    raises("logseries: p must be from 0 to below 1, got 1", function() local _ = g:logseries(1) end)
    raises("zipf: a must be above 1, got 1", function() local _ = g:zipf(1) end)
    assert.equal(math.huge, g:gamma(math.huge, 1):item())
    raises("dirichlet: alpha is a vector, got 3", function() local _ = g:dirichlet(3) end)
    raises("dirichlet: alpha must not be negative, got -1", function() local _ = g:dirichlet {1, -1} end)
    raises("multinomial: n is a count, got -1", function() local _ = g:multinomial(-1, {1}) end)
    raises("multinomial: pvals[2] must be from 0 to 1, got 2", function() local _ = g:multinomial(1, {1, 2}) end)
    raises("multinomial: pvals but the last add up to 1.5, above 1", function()
      local _ = g:multinomial(1, {0.75, 0.75, 0})
    end)
    local colored = "multivariate_hypergeometric"
    raises(colored .. ": nsample is 4, of 3 in all", function() local _ = g[colored](g, {1, 2}, 4) end)
    raises(colored .. ": colors[2] is a count, got -2", function() local _ = g[colored](g, {1, -2}, 1) end)
    raises(colored .. ": colors is a vector of counts, got 3", function() local _ = g[colored](g, 3, 1) end)
    raises(colored .. ': method is "marginals" or "count", got "counts"', function()
      local _ = g[colored](g, {1, 2}, 1, {method = "counts"})
    end)
    raises("gamma: out has dtype float32, and dtype is float64", function()
      local _ = g:gamma(1, {dtype = "float64", out = cn.zeros(3, "float32")})
    end)
  end)
end)

describe("parameters", function()
  local nan, inf = 0 / 0, math.huge

  --- Draws of parameters in arrays, which no one refuses.
  local function of_arrays(name, ...)
    return draw(rng(1), in_arrays({name = name, arguments = {...}}, 64))
  end

  it("that are NaN give NaN where they may be, as numbers do", on_cpu(function()
    for _, case in ipairs {
      {"gamma", nan, 1}, {"beta", nan, 1}, {"f", 1, nan}, {"noncentral_chisquare", 3, nan}, {"standard_t", nan},
      {"gumbel", 0, nan}, {"vonmises", nan, 1}, {"vonmises", 0, nan},
    } do
      local x = of_arrays(unpack(case))
      assert.is_true(preparing.rehearsing or cn.isnan(x):all(), case[1])
    end
  end))

  it("may lie at the ends", on_cpu(function()
    for _, case in ipairs {
      {0, "gamma", 0, 1}, {0, "gamma", 3, 0}, {inf, "gamma", inf, 1}, {0, "weibull", 0}, {1, "weibull", inf},
      {5, "laplace", 5, 0}, {5, "lognormal", math.log(5), 0}, {1, "beta", inf, 3}, {0, "beta", 3, inf},
      {0, "poisson", 0}, {0, "binomial", 0, 0.5}, {0, "binomial", 10, 0}, {10, "binomial", 10, 1},
      {0, "negative_binomial", 3, 1}, {1, "geometric", 1}, {0, "hypergeometric", 0, 5, 3},
      {3, "hypergeometric", 5, 0, 3}, {0, "hypergeometric", 3, 4, 0}, {7, "hypergeometric", 7, 40, 47},
      {1, "logseries", 0}, {1, "zipf", 2000}, {0, "gamma", 1e-300, 1}, {1, "f", inf, inf},
    } do
      local x = of_arrays(unpack(case, 2))
      assert.is_true(preparing.rehearsing or cn.allclose(x, case[1], 1e-12), case[2])
    end
  end))

  it("may be tiny or huge", on_cpu(function()
    for _, case in ipairs {
      {"gamma", 1e300, 1}, {"gamma", 1e-5, 1}, {"beta", 1e-9, 1e-9}, {"beta", 1e12, 1e12}, {"f", 1e-3, 1e-3},
      {"standard_t", 1e-2}, {"standard_t", inf}, {"wald", 1e-8, 1e8}, {"wald", 1e8, 1e-8}, {"vonmises", 50, 1e-9},
      {"vonmises", 3, 1e12}, {"pareto", 1e-3}, {"power", 1e-9}, {"noncentral_chisquare", 1e-3, 1e6},
      {"noncentral_chisquare", inf, 3},
    } do
      local x = of_arrays(unpack(case))
      assert.is_true(preparing.rehearsing or not cn.isnan(x):any(), case[1])
    end
    for _, case in ipairs {
      {0, 9.3e18, "poisson", 9e18}, {0, 0, "poisson", 1e-300}, {4e17, 6e17, "binomial", 1e18, 0.5},
      {0, 3, "binomial", 1e18, 1e-20}, {1, 9.3e18, "geometric", 1e-19}, {1, 9.3e18, "zipf", 1.0001},
      {4.9e14, 5.1e14, "hypergeometric", 1e15, 1e15, 1e15}, {1, 1e12, "logseries", 1 - 1e-10},
      {0, 9.3e18, "negative_binomial", 1e-3, 1e-15},
    } do
      local x = of_arrays(unpack(case, 3)):astype "float64"
      assert.is_true(preparing.rehearsing or x:ge(case[1]):all() and x:le(case[2]):all(), case[3])
    end
  end))
end)

devices.each_device(function(device)
  describe("parameters in arrays that have no distribution", function()
    local nan, inf = 0 / 0, math.huge
    local NEGATIVE, ABOVE, UNIT = "must not be negative", "must be above 0", "must be from 0 to 1"
    local cases = {
      {"gamma", "shape " .. NEGATIVE, -1, 1}, {"gamma", "scale " .. NEGATIVE, 1, -1}, {"beta", "a " .. ABOVE, 0, 1},
      {"beta", "b " .. ABOVE, 1, -1}, {"f", "dfnum " .. ABOVE, 0, 1}, {"noncentral_f", "nonc " .. NEGATIVE, 1, 1, -1},
      {"noncentral_chisquare", "df " .. ABOVE, -1, 1}, {"standard_t", "df " .. ABOVE, 0},
      {"lognormal", "sigma " .. NEGATIVE, 0, -1}, {"wald", "mean " .. ABOVE, 0, 1}, {"wald", "scale " .. ABOVE, 1, -1},
      {"laplace", "scale " .. NEGATIVE, 0, -1}, {"logistic", "scale " .. NEGATIVE, 0, -1},
      {"rayleigh", "scale " .. NEGATIVE, -1}, {"weibull", "a " .. NEGATIVE, -1}, {"pareto", "a " .. ABOVE, 0},
      {"power", "a " .. ABOVE, -1}, {"vonmises", "kappa " .. NEGATIVE, 0, -1},
      {"normal", "scale " .. NEGATIVE, 0, -1}, {"exponential", "scale " .. NEGATIVE, -1},
      {"uniform", "high must be finite", 0, inf}, {"standard_gamma", "shape " .. NEGATIVE, -1},
      {"uniform", "low and high must be no further apart than float64 holds", -1.7e308, 1.7e308},
      {"triangular", "mode must be from left to right, which is above left", 0, 2, 1},
      {"triangular", "mode must be from left to right, which is above left", 1, 1, 1},
      {"poisson", "lam must be from 0 to 9.22e18", -1}, {"poisson", "lam must be from 0 to 9.22e18", nan},
      {"poisson", "lam must be from 0 to 9.22e18", inf}, {"binomial", "n " .. NEGATIVE, -1, 0.5},
      {"binomial", "n must be a whole number", 1.5, 0.5}, {"binomial", "p " .. UNIT, 5, 1.5},
      {"binomial", "p " .. UNIT, 5, nan}, {"negative_binomial", "n must be above 0 and finite", 0, 0.5},
      {"negative_binomial", "p must be above 0 and at most 1", 1, 0},
      {"geometric", "p must be above 0 and at most 1", 0},
      {"hypergeometric", "ngood " .. NEGATIVE, -1, 3, 1},
      {"hypergeometric", "nsample must be at most ngood + nbad", 3, 3, 7},
      {"logseries", "p must be from 0 to below 1", 1}, {"zipf", "a must be above 1", 1},
    }

    --- Asserts that a draw raises: at once, with the generator as it was, or at the next wait.
    local function refused(what, fn)
      if preparing.rehearsing then return fn(rng(1)) end
      local own = rng(1)
      local before = own:random()
      own = rng(1)
      local good, message = pcall(function()
        local x = fn(own)
        cn.synchronize()
        return x
      end)
      assert.is_false(good, what)
      assert.truthy(tostring(message):find("distributions_spec.lua:%d+: cuna: "), message)
      assert.truthy(tostring(message):find("cuna: " .. what .. ", got ", 1, true), what .. "\n" .. message)
      if device.kind == "cpu" then assert.equal(before, own:random()) end
    end

    it("are refused, whichever distribution it is", prepared(function()
      for _, case in ipairs(cases) do
        local arguments = {unpack(case, 3)}
        refused(case[1] .. ": " .. case[2], function(own)
          return draw(own, in_arrays({name = case[1], arguments = arguments}, 64))
        end)
      end
    end))

    it("are refused in vectors", function()
      refused("multinomial: pvals must be from 0 to 1", function(own)
        return own:multinomial(5, cn.array {-0.1, 0.9, 0.2})
      end)
      refused("multinomial: the sum of pvals but the last must be at most 1", function(own)
        return own:multinomial(5, cn.array {{0.1, 0.9, 0}, {0.8, 0.9, 0.2}})
      end)
      refused("multinomial: n must not be negative", function(own)
        return own:multinomial(cn.array {1, -1}, {0.5, 0.5})
      end)
      refused("dirichlet: alpha must not be negative", function(own) return own:dirichlet(cn.array {1, -1}) end)
      local counts = rng(1):multinomial(cn.array {5, 3}, cn.array({0.1, 0.2, 0.7}, "float32"))
      assert.same({5, 3}, counts:sum(2):totable())
    end)

    it("are found among good ones, in any layout", function()
      local lam = cn.ones({30, 40})
      lam[{17, 5}] = -2
      refused("poisson: lam must be from 0 to 9.22e18", function(own) return own:poisson(lam.T["::-1"]) end)
      lam[{17, 5}] = 1
      assert.is_true((rng(1):poisson(lam):ge(0)):all())
      assert.equal(0, rng(1):poisson(cn.zeros(0)).size)
      cn.synchronize()
    end)
  end)
end)
