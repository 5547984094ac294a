--- Distributions of cn.stats: SciPy's values, on every device, fused and not; draws; errors.
local cn = require "cuna"
local devices = require "spec.support.devices"
local golden = dofile "spec/golden/stats_laws.lua"
local raises = require("spec.support.raises").raises
local support = require "spec.support.golden"
local it = devices.rehearsed_it()

local stats = cn.stats
local unpack = unpack

local function near(a, b, tolerance, least)
  if a ~= a or b ~= b then return a ~= a and b ~= b end
  return a == b or math.abs(a - b) <= tolerance * math.max(math.abs(a), math.abs(b), 1e-290) + (least or 0)
end

--- What differs between an array and the values of a list at some arguments.
local function differing(got, wanted, at, tolerance, least)
  for i, v in ipairs(got:totable()) do
    if not near(v, wanted[i], tolerance, least) then
      return ("at %g: %.17g, expected %.17g"):format(at[i], v, wanted[i])
    end
  end
end

-- Of words whose rounding depends on how they are computed, the relative and the absolute tolerance; SciPy's ppf of f
-- is exact to 8 digits only.
local RELATIVE = {logcdf = 1e-9, logsf = 1e-9, ppf = 1e-7, isf = 1e-6}
local ABSOLUTE = {logpdf = 1e-14, logpmf = 1e-14, logcdf = 1e-14, logsf = 1e-14, ppf = 1e-14, isf = 1e-14}

-- On the simulated GPU each word of each law is kernels to be compiled, whose texts are those of the cpu device's
-- loops: these words have them all but for an exponential, a complement or a logarithm around them.
local FEW = {pdf = true, pmf = true, cdf = true, ppf = true}

local function check(case, words)
  local findings = {}
  local d, frozen = stats[case.name], stats[case.name](unpack(case.parameters))
  for group, at in pairs {points = golden.points, chances = golden.chances} do
    local x = cn.array(at)
    for word, wanted in pairs(case[group]) do
      local got = (not words or words[word]) and d[word](x, unpack(case.parameters))
      if got and not support.rehearsing then
        local why = differing(got, wanted, at, RELATIVE[word] or 1e-11, ABSOLUTE[word])
          or differing(frozen[word](frozen, x), got:totable(), at, 0)
        if why then
          findings[#findings + 1] = ("%s of %s: %s"):format(word, table.concat(case.parameters, ", "), why)
        end
      end
    end
  end
  for _, word in ipairs {"mean", "var"} do
    local got = d[word](unpack(case.parameters))
    if not support.rehearsing and not near(got:item(), case[word], 1e-13) then
      findings[#findings + 1] = ("%s: %s, expected %s"):format(word, tostring(got), tostring(case[word]))
    end
  end
  assert(#findings == 0, "\n  " .. table.concat(findings, "\n  "))
end

local EXAMPLES = {norm = {}, uniform = {1, 2}, expon = {}, gamma = {2.5}, beta = {2, 3}, t = {9}, chi2 = {4},
  f = {5, 20}, poisson = {3.5}, binom = {12, 0.3}, chi = {3}, lognorm = {0.4}, laplace = {}, logistic = {1, 2},
  cauchy = {}, weibull_min = {2}, rayleigh = {}, pareto = {9}, gumbel_r = {}, bernoulli = {0.3}, geom = {0.3},
  nbinom = {4, 0.4}}

devices.each_device(function(device)
  describe("SciPy's values:", function()
    local words = device.kind == "cuda" and device.model == "Simulated GPU" and FEW or nil
    for name in pairs(EXAMPLES) do
      it(name, support.prepared(function()
        for _, case in ipairs(golden.distributions) do
          if case.name == name then check(case, words) end
        end
      end))
    end
  end)

  it("draws have the mean, the variance and the quartiles", function()
    for name, parameters in pairs(EXAMPLES) do
      local d = stats[name](unpack(parameters))
      local x = d:rvs(20000, 3)
      assert.is_true(x:has_shape(20000))
      assert.equal(device, x.device)
      local deviation = d:std():item() -- NaN of cauchy, which has none
      if deviation == deviation then
        assert.is_true(math.abs(x:mean():item() - d:mean():item()) < 0.05 * deviation, name)
        assert.is_true(math.abs(x:var():item() / d:var():item() - 1) < 0.1, name)
      end
      local quartile = d:ppf(0.25):item()
      local share = x:le(quartile):mean():item()
      assert.is_true(math.abs(share - d:cdf(quartile):item()) < 0.02, name)
      assert.is_true(d:rvs({2, 3}, cn.random.default_rng(3)):has_shape(2, 3))
    end
    assert.is_true(stats.norm.rvs({1, 2}, {{1}, {2}}, {random_state = 1}):has_shape(2, 2))
    assert.is_true(stats.gamma.rvs({1, 2, 3}):has_shape(3))
  end)

  it("parameters broadcast, and are NaN one by one", function()
    local p = stats.norm.cdf({{0}, {1}}, {0, 1, 2}, {1, -1, 0.5})
    assert.is_true(p:has_shape(2, 3))
    assert.is_true(p:isnan() == cn.array {{false, true, false}, {false, true, false}})
    assert.is_true(stats.gamma.pdf({1, 2}, {-1, 1}):isnan() == cn.array {true, false})
    assert.is_true(stats.binom.ppf({0.5, 0.5}, {10, 2.5}, 0.5):isnan() == cn.array {false, true})
    assert.is_true(stats.geom.pmf(1, {0, 0.5, 1.5}):isnan() == cn.array {true, false, true})
    assert.is_true(stats.poisson.ppf({{0.1}, {0.9}}, {1, 100}) == cn.array {{0, 87}, {2, 113}})
  end)

  it("a fused function has the same bits", function()
    local x = cn.linspace(-3, 3, 101)
    local function likelihood(v) return stats.norm.logpdf(v, 0.5, 2) + stats.t.logpdf(v, 4) * 2 end
    local fused = cn.fuse(likelihood)
    local expected = likelihood(x)
    assert.is_true(fused(x) == expected)
    assert.is_true(fused(x) == expected)
  end)

  it("float32 stays single, and numbers make 0-d arrays", function()
    local x = cn.array({0.25, 0.5}, "float32")
    for _, name in ipairs {"norm", "uniform", "expon", "chi2"} do
      local d = stats[name](unpack(EXAMPLES[name]))
      for _, word in ipairs {"pdf", "logpdf", "cdf", "ppf"} do assert.equal("float32", d[word](d, x).dtype, name) end
      assert.equal(0, d:cdf(1).ndim)
      assert.is_true(math.abs(d:cdf(1):item() + d:sf(1):item() - 1) < 1e-14)
    end
    assert.equal("float64", stats.norm.pdf(cn.array({1, 2}, "int64")).dtype)
    local low, high = stats.norm(1, 2):interval(0.95)
    assert.is_true(math.abs(low:item() + 2.919927969080108) < 1e-12)
    assert.is_true(math.abs(high:item() - 4.919927969080108) < 1e-12)
    assert.is_true(math.abs(stats.gamma.median(2):item() - 1.6783469900166605) < 1e-12)
  end)

  it("densities keep their digits at large parameters", function()
    for text, expected in pairs { -- by mpmath
      ["t.pdf(0.5, 1e15)"] = 0.35206532676429935, ["t.pdf(1, 1e17)"] = 0.24197072451914335,
      ["t.pdf(3, 1e9)"] = 0.0044318484806316576, ["t.pdf(1, 1 / 0)"] = 0.24197072451914335,
      ["binom.pmf(3, 1e12, 1e-12)"] = 0.061313240195209728, ["binom.pmf(2, 1e15, 1e-15)"] = 0.18393972058572127,
      ["f.pdf(1, 2, 1e12)"] = 0.36787944117107444, ["f.pdf(2.5, 7, 1e15)"] = 0.037795078512017627,
      ["nbinom.pmf(5, 1e10, 1 - 1e-10)"] = 0.0030656630272905628, ["gamma.pdf(1e12, 1e12)"] = 3.9894228040139943e-7,
      ["gamma.pdf(10050, 1e4)"] = 0.0035045628656077902, ["chi2.pdf(1e10, 1e10)"] = 2.8209479176917656e-6,
    } do
      local value = setfenv(assert(loadstring("return " .. text)), stats)():item()
      assert.is_true(math.abs(value / expected - 1) < 1e-10, text .. ": " .. value)
    end
    assert.equal(1, stats.t.var(1 / 0):item())
    assert.is_true(stats.gamma.pdf({0, -1, 1e4}, {2e4, 2e4, 1e4}):isclose({0, 0, 0.0039893895589628258}):all())
  end)

  it("draws of a distribution with parameters take options", function()
    local d = stats.gamma(2)
    assert.is_true(d:rvs {size = 5, random_state = 1} == stats.gamma.rvs(2, {size = 5, random_state = 1}))
    assert.is_true(d:rvs({2, 3}, 1):has_shape {2, 3} and d:rvs(4):has_shape {4} and d:rvs().ndim == 0)
    raises("rvs: unknown option 'sise'", function() d:rvs {sise = 3} end)
  end)

  it("errors name the distribution and the argument", function()
    raises("stats.gamma.pdf: a is missing", function() stats.gamma.pdf(1) end)
    raises("stats.norm.cdf: x is missing", function() stats.norm.cdf() end)
    raises("stats.norm.cdf: unknown option 'mean'; known are loc, scale", function() stats.norm.cdf(1, {mean = 2}) end)
    raises("stats.norm.cdf: x is real", function() stats.norm.cdf(cn.ones(2, "complex64")) end)
    raises("stats.norm has no function 'pmf'; did you mean 'pdf'?", function() return stats.norm.pmf end)
    raises("stats.poisson has no function 'pdf'", function() stats.poisson(1):pdf(1) end)
    raises("stats.beta: b is missing", function() stats.beta(1) end)
    raises("a distribution has no method 'cfd'; did you mean 'cdf'?", function() return stats.norm().cfd end)
    raises("stats.norm.rvs: a parameter is not possible", function() stats.norm.rvs(0, -1) end)
    raises("stats.norm.rvs: random_state is a generator or a seed", function()
      stats.norm.rvs {random_state = "x"}
    end)
    raises("stats.norm.interval: confidence is from 0 to 1, got 2", function() stats.norm.interval(2) end)
    raises("cdf: a distribution's function is called with a colon: d:cdf(...)", function() stats.norm().cdf(1) end)
    raises("stats.norm.cdf: a function of cn.stats.norm is called with a dot", function() stats.norm:cdf(1) end)
  end)
end)
