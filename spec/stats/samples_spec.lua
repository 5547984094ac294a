--- cn.stats of samples: SciPy's results, in several layouts; NaN; errors.
local cn = require "cuna"
local devices = require "spec.support.devices"
local golden = dofile "spec/golden/stats.lua"
local raises = require("spec.support.raises").raises
local support = require "spec.support.golden"
local it = devices.rehearsed_it()

for _, case in ipairs(dofile("spec/golden/stats_averages.lua").cases) do table.insert(golden.cases, case) end

local stats = cn.stats

local function value(given, layout)
  if type(given) ~= "table" then return given end
  return support.laid_out(support.array(given), layout)
end

local function call(case, layout)
  local list = {}
  for k, given in ipairs(case.args) do list[k] = value(given, layout + k) end
  list[#list + 1] = next(case.options) and case.options or nil
  return {stats[case.name](unpack(list))}
end

local function check(case, number)
  local note = ("case %d: %s"):format(number, case.name)
  local results = call(case, number)
  if support.rehearsing then return end
  assert(#results == #case.results, note .. ": number of results")
  for k, result in ipairs(results) do
    local expected = case.results[k]
    if not cn.is_array(result) then result = cn.array(result, expected.dtype) end
    support.same(expected, result, note .. " result " .. k, case.tolerance)
  end
end

it("ks_2samp sums few terms for many elements", function()
  cn.device("cpu"):with(function()
    local x = cn.arange(80000)
    local _, p = stats.ks_2samp(x, x + 894, {method = "asymp"})
    assert.is_true(math.abs(p / 9.09705384968339e-05 - 1) < 1e-9) -- SciPy 1.10
  end)
end)

devices.each_device(function(device)
  describe("SciPy's results:", function()
    local names, of = {}, {}
    for number, case in ipairs(golden.cases) do
      if not of[case.name] then names[#names + 1], of[case.name] = case.name, {} end
      table.insert(of[case.name], number)
    end
    for _, name in ipairs(names) do
      it(name, support.prepared(function()
        for _, number in ipairs(of[name]) do check(golden.cases[number], number) end
      end))
    end

    it("gaussian_kde", support.prepared(function()
      for number, case in ipairs(golden.densities) do
        local x, points = value(case.x, number), value(case.points, number + 1)
        local kde = stats.gaussian_kde(x, case.method, case.weights and value(case.weights, number))
        if not support.rehearsing then
          support.same(case.pdf, kde(points), "pdf " .. number, 1e-12)
          support.same(case.pdf, kde:evaluate(points), "evaluate " .. number, 1e-12)
          support.same(case.logpdf, kde:logpdf(points), "logpdf " .. number, 1e-11)
          support.same(case.covariance, kde.covariance, "covariance " .. number, 1e-12)
          assert.is_true(math.abs(case.factor - kde.factor) < 1e-12)
          assert.is_true(math.abs(case.neff - kde.neff) < 1e-9)
          if case.box then assert.is_true(math.abs(kde:integrate_box_1d(-1, 2):item() - case.box) < 1e-12) end
        end
      end
    end))
  end)

  it("results are on the device of the samples, without waiting", function()
    local x = cn.array({3, 1, 2, 5}, "float64", device)
    cn.no_sync(function()
      for _, name in ipairs {"zscore", "skew", "kurtosis", "rankdata", "entropy"} do
        assert.equal(device, stats[name](x).device)
      end
      local t, p = stats.ttest_ind(x, x * 2)
      assert.equal(device, t.device)
      assert.equal(device, p.device)
      assert.equal(device, (stats.linregress(x, x ^ 2)).device)
      assert.equal(device, stats.gaussian_kde(x)(x).device)
    end)
  end)

  it("knows nothing but the line of points on a level", function()
    local x = cn.array({3, 1, 2, 5}, "float64", device)
    local slope, intercept, r, p, stderr, other = stats.linregress(x, x * 0 + 5)
    assert.is_true(slope:item() == 0 and intercept:item() == 5)
    assert.is_true(cn.isnan(cn.stack {r, p, stderr, other}):all())
  end)

  it("keeps the axis where that is asked for", function()
    local x = cn.array({{3, 1, 2, 5}, {1, 1, 4, 0}}, "float64", device)
    for name, made in pairs {skew = stats.skew, kurtosis = stats.kurtosis,
      ttest_1samp = function(y, options) return stats.ttest_1samp(y, 1, options) end,
      ttest_rel = function(y, options) return stats.ttest_rel(y, y ^ 2, options) end} do
      local kept, plain = {made(x, {axis = 2, keepdims = true})}, {made(x, {axis = 2})}
      for i, result in ipairs(kept) do
        assert.is_true(result:has_shape(2, 1) and cn.allclose(result:reshape(2), plain[i]), name)
      end
    end
  end)

  it("float32 stays single", function()
    local x = cn.array({3, 1, 2, 5}, "float32")
    for _, name in ipairs {"zscore", "skew", "kurtosis", "entropy"} do assert.equal("float32", stats[name](x).dtype) end
    for _, result in ipairs {stats.ttest_1samp(x, 1)} do assert.equal("float32", result.dtype) end
    assert.equal("float32", stats.gaussian_kde(x)(x).dtype)
    assert.is_true(stats.mode(x).dtype == "float32")
  end)

  it("draws of a density have its mean and covariance", function()
    local x = cn.array {{0, 1, 2, 3, 4}, {1, 0, 4, 2, 8}}
    local kde = stats.gaussian_kde(x, 0.5)
    local drawn = kde:resample(20000, 7)
    assert.is_true(drawn:has_shape(2, 20000))
    assert.is_true(drawn:mean(2):allclose(x:mean(2), 0.05, 0.05))
    local covariance = cn.cov(x, {bias = true}) + kde.covariance
    assert.is_true(cn.cov(drawn):allclose(covariance, 0.1, 0.1))
    assert.is_true(kde:resample(20000, 7) == drawn)
    assert.equal(0.25, kde:set_bandwidth(0.25).factor)
    assert.equal(2, stats.gaussian_kde(x, function(k) return k.d end).factor)
  end)

  it("errors name the argument", function()
    local x = cn.array {1, 2, 4}
    raises("stats.zscore: nan_policy is \"propagate\", \"raise\" or \"omit\", got \"skip\"", function()
      stats.zscore(x, {nan_policy = "skip"})
    end)
    raises("stats.zscore: the sample has NaN", function() stats.zscore({1, 0 / 0}, {nan_policy = "raise"}) end)
    raises("stats.zscore: axis 2", function() stats.zscore(x, 2) end)
    raises("stats.zscore: takes real numbers", function() stats.zscore(cn.ones(3, "complex64")) end)
    raises("stats.iqr: rng is two percentiles, got 5", function() stats.iqr(x, {rng = 5}) end)
    raises("stats.iqr: a percentile of rng is a number, got \"b\"", function() stats.iqr(x, {rng = {25, "b"}}) end)
    raises("stats.iqr: scale is a number or \"normal\", got \"raw\"", function() stats.iqr(x, {scale = "raw"}) end)
    raises("stats.gmean: samples of shapes (3,) and (2,) do not fit", function() stats.gmean(x, 1, {1, 2}) end)
    raises("stats.gmean: nan_policy is \"propagate\" or \"raise\"", function()
      stats.gmean(x, 1, x, "omit")
    end)
    raises("stats.moment: order is a count, got -1", function() stats.moment(x, -1) end)
    raises("stats.percentileofscore: kind is", function() stats.percentileofscore(x, 1, "best") end)
    raises("stats.scoreatpercentile: interpolation_method is", function()
      stats.scoreatpercentile(x, 1, {interpolation_method = "linear"})
    end)
    raises("stats.scoreatpercentile: limit is two numbers", function() stats.scoreatpercentile(x, 1, {1}) end)
    raises("stats.kendalltau: method is", function() stats.kendalltau(x, x, "best") end)
    raises("stats.kendalltau: method \"exact\" takes samples without equal elements", function()
      stats.kendalltau({1, 1, 2}, x, "exact")
    end)
    raises("stats.trim_mean: proportiontocut is a share", function() stats.trim_mean(x, 0.5) end)
    assert.near(0.811278, stats.entropy({1, 3}, nil, 2LL):item(), 1e-6)
    raises("stats.entropy: base is a positive number, got -1", function() stats.entropy(x, nil, -1) end)
    raises("stats.mode: axis 1 has no elements", function() stats.mode(cn.zeros(0)) end)
    raises("stats.rankdata: method is", function() stats.rankdata(x, "best") end)
    raises("stats.pearsonr: expected vectors of one length, got shapes (3,) and (2,)", function()
      stats.pearsonr(x, {1, 2})
    end)
    raises("stats.pearsonr: expected at least 2 elements, got 1", function() stats.pearsonr({1}, {2}) end)
    raises("stats.pearsonr: alternative is", function() stats.pearsonr(x, x, "more") end)
    raises("stats.spearmanr: expected two variables, got one", function() stats.spearmanr(x) end)
    raises("stats.spearmanr: nan_policy is \"propagate\" or \"raise\"", function()
      stats.spearmanr(x, x, {nan_policy = "omit"})
    end)
    raises("stats.ttest_rel: samples of shapes (3,) and (2,) differ in shape", function()
      stats.ttest_rel(x, {1, 2})
    end)
    raises("stats.ttest_ind: samples of shapes (2, 3) and (2, 2) do not fit beside axis 1", function()
      stats.ttest_ind(cn.ones {2, 3}, cn.ones {2, 2})
    end)
    raises("stats.entropy: samples of shapes (3,) and (2,) do not fit", function() stats.entropy(x, {1, 2}) end)
    raises("stats.norm.rvs: size is a count, got -1", function() stats.norm.rvs({size = -1}) end)
    raises("stats.ttest_ind: samples of shapes (3,) and (1, 2) differ in axes", function()
      stats.ttest_ind(x, {{1, 2}})
    end)
    raises("stats.ttest_1samp: popmean of shape (3,)", function() stats.ttest_1samp(x, x) end)
    raises("stats.chisquare: observed and expected frequencies have different sums", function()
      stats.chisquare(x, {1, 2, 5})
    end)
    raises("stats.ks_2samp: method is", function() stats.ks_2samp(x, x, {method = "fast"}) end)
    raises("stats.ks_2samp: expected vectors with elements", function() stats.ks_2samp(x, cn.zeros(0)) end)
    raises("stats.gaussian_kde: expected at least 2 elements", function() stats.gaussian_kde {1} end)
    raises("stats.gaussian_kde: bw_method is", function() stats.gaussian_kde(x, "wide") end)
    raises("stats.gaussian_kde: weights of shape (2,) for 3 elements", function()
      stats.gaussian_kde(x, {weights = {1, 2}})
    end)
    raises("gaussian_kde.evaluate: expected points of 1 coordinates, got shape (2, 2)", function()
      local density = stats.gaussian_kde(x)({{1, 2}, {3, 4}})
      return density
    end)
    raises("LinAlgError: ", function()
      local density = stats.gaussian_kde {{1, 2, 3}, {2, 4, 6}}
      cn.synchronize()
      return density
    end)
  end)
end)
