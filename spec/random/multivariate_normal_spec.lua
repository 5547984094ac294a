--- Normal vectors: their law, factors of covariances that are definite, semidefinite and none, bits on every device.
local cn = require "cuna"
local devices = require "spec.support.devices"
local golden = require "spec.support.golden"
local raises = require("spec.support.raises").raises

local it = devices.rehearsed_it()

local prepared = golden.prepared
local COUNT = 100000
local METHODS = {"cholesky", "eigh", "svd"}

local function rng(seed) return cn.random.default_rng(seed) end

--- Draws of a new generator.
local function draw(...) return rng(7):multivariate_normal(...) end

local function agree(a, b, note)
  if not golden.rehearsing then assert.is_true(cn.array_equal(a:get(), b:get()), note) end
end

local MEAN, COV = {1, -2, 30}, {{4, 2, -1}, {2, 10, 3}, {-1, 3, 5}}

-- ---- the law ----

--- Asserts mean and covariance of draws within 5 of their standard deviations.
local function check_moments(x, mean, cov, note)
  if golden.rehearsing then return end
  local count = x.shape[1]
  local own_mean, own_cov = x:mean(1):totable(), cn.cov(x.T):totable()
  for i = 1, #mean do
    assert(math.abs(own_mean[i] - mean[i]) <= 5 * math.sqrt(cov[i][i] / count) + 1e-12, note .. ": mean " .. i)
    for j = 1, i do
      local deviation = math.sqrt((cov[i][i] * cov[j][j] + cov[i][j] ^ 2) / count)
      assert(math.abs(own_cov[i][j] - cov[i][j]) <= 5 * deviation + 1e-12, ("%s: cov %d, %d"):format(note, i, j))
    end
  end
end

-- What one in ten, two in ten, ... standard normal numbers are below.
local TENTHS = {-1.2815515655446004, -0.8416212335729143, -0.5244005127080407, -0.2533471031357997, 0,
  0.2533471031357997, 0.5244005127080407, 0.8416212335729143, 1.2815515655446004}

--- Asserts that a combination of the elements of vectors is normal: Kolmogorov's and Pearson's distances.
local function check_combination(x, weights, mean, cov, note)
  local expected, variance = 0, 0
  for i = 1, #mean do
    expected = expected + weights[i] * mean[i]
    for j = 1, #mean do variance = variance + weights[i] * weights[j] * cov[i][j] end
  end
  local values = x:astype("float64"):dot(cn.array(weights)):sub(expected):div(math.sqrt(variance))
  local counts = cn.bincount(cn.digitize(values, TENTHS), nil, 10)
  if golden.rehearsing then return end
  local below, chi2 = 0, 0
  for k, count in ipairs(counts:totable()) do
    count = tonumber(count)
    below, chi2 = below + count, chi2 + (count - COUNT / 10) ^ 2 / (COUNT / 10)
    assert(math.abs(below / COUNT - k / 10) * math.sqrt(COUNT) < 2.1, note .. ": share up to " .. k)
  end
  assert(chi2 < 9 + 5 * math.sqrt(18) + 5, note .. ": chi-square " .. chi2)
end

local function on_cpu(fn) return prepared(function() cn.device("cpu"):with(fn) end) end

describe("normal vectors are distributed as they should:", function()
  it("by every method", on_cpu(function()
    for number, method in ipairs(METHODS) do
      local x = rng(number):multivariate_normal(MEAN, COV, COUNT, {method = method})
      check_moments(x, MEAN, COV, method)
      for _, weights in ipairs {{1, 0, 0}, {0, 0, 1}, {1, -2, 0.5}, {3, 1, 1}} do
        check_combination(x, weights, MEAN, COV, method)
      end
    end
  end))

  it("in float32, and by cuRAND's numbers", on_cpu(function()
    local x = rng(11):multivariate_normal(MEAN, COV, {COUNT}, {dtype = "float32"})
    check_moments(x:astype "float64", MEAN, COV, "float32")
    check_combination(x, {1, -2, 0.5}, MEAN, COV, "float32")
    x = cn.random.RandomState(3):multivariate_normal(MEAN, COV, COUNT)
    check_moments(x, MEAN, COV, "RandomState")
    check_combination(x, {1, -2, 0.5}, MEAN, COV, "RandomState")
  end))

  it("of a semidefinite covariance", on_cpu(function()
    local mean, cov = {0, 1, 2, 3}, {{1, 2, 0, 0}, {2, 4, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 9}}
    for number, method in ipairs(METHODS) do
      local x = rng(20 + number):multivariate_normal(mean, cov, COUNT, {method = method})
      check_moments(x, mean, cov, method)
      if not golden.rehearsing then
        local near = method == "cholesky" and 1e-13 or 1e-6 -- the root of a rounded 0
        assert.is_true(cn.allclose(x[{{}, 2}], x[{{}, 1}] * 2 + 1, near, near), method)
        assert.is_true(cn.allclose(x[{{}, 3}], 2, 0, method == "cholesky" and 0 or near), method)
      end
    end
  end))
end)

-- ---- factors ----

--- Standard normal numbers that draw() makes its vectors of.
local function numbers(...) return rng(7):standard_normal({...}) end

describe("the Cholesky factor of a covariance", function()
  local covariance = require "cuna.random.covariance"

  --- How far f f^T is from cov, as a share of its variances.
  local function distance(cov, tol)
    local of = covariance.open(cn.zeros(#cov), cov, "factor")
    covariance.check_symmetric(of, tol or of.tol, "factor")
    local f, n, most = covariance.cholesky(of, tol or of.tol, true, "factor"), of.n, 0
    for i = 0, n - 1 do
      for j = 0, n - 1 do
        local sum = 0
        for k = 0, n - 1 do sum = sum + f[i * n + k] * f[j * n + k] end
        local scale = math.sqrt(of.values[i * n + i] * of.values[j * n + j])
        most = math.max(most, math.abs(sum - of.values[i * n + j]) / scale)
      end
    end
    return most
  end

  local function wide(n, rank, dtype)
    local a = cn.device("cpu"):with(function() return rng(n):normal(0, 1, {n, rank}, dtype) end)
    return a:matmul(a.T)
  end

  --- A symmetric matrix of small numbers.
  local function noise(n, size)
    local a = cn.device("cpu"):with(function() return rng(n + 1):normal(0, size, {n, n}) end)
    return a + a.T
  end

  it("is one", function()
    assert.is_true(distance(cn.array(COV)) < 1e-15)
    for _, n in ipairs {1, 2, 7, 60} do assert.is_true(distance(wide(n, n + 3)) < 1e-14) end
    local scales = cn.device("cpu"):with(cn.array, {1e-12, 1, 1e9, 1e-3, 1})
    assert.is_true(distance(wide(5, 9) * scales * scales:reshape(5, 1)) < 1e-14)
  end)

  it("may be of lower rank", function()
    for _, rank in ipairs {1, 3, 30} do assert.is_true(distance(wide(40, rank)) < 1e-12) end
    local place = cn.arange(80) / 20
    local smooth = cn.exp(-(place - place:reshape(80, 1)) ^ 2) -- nearly singular
    assert.is_true(distance(smooth) < 1e-13)
  end)

  it("takes what is rounded within the tolerance, and no more", function()
    for _, n in ipairs {10, 50} do
      assert.is_true(distance(wide(n, 4) + noise(n, 1e-10)) < 1e-8)
      assert.is_true(distance(wide(n, 4, "float32"):astype "float32") < 1e-4)
      assert.is_true(distance(wide(n, 4) + noise(n, 1e-4), 1e-2) < 0.05)
      local ok, message = pcall(distance, wide(n, 4) + noise(n, 1e-4))
      assert.is_true(not ok and message:find("not positive semidefinite", 1, true) ~= nil)
    end
  end)
end)

devices.each_device(function(device)
  describe("multivariate_normal", function()
    it("is a product with the Cholesky factor, plus the mean", prepared(function()
      local z = numbers(5, 2)
      local expected = cn.stack({z[{{}, 1}] * 2 + 3, z[{{}, 1}] + z[{{}, 2}] * 3 - 1}, 2)
      agree(expected, draw({3, -1}, {{4, 2}, {2, 10}}, 5))
      agree(numbers(5, 2), draw({0, 0}, {{1, 0}, {0, 1}}, {5}))
    end))

    it("has the same bits on every device, of every size and layout", prepared(function()
      local wide = cn.device("cpu"):with(function()
        local a = rng(1):normal(0, 1, {70, 90})
        return a:matmul(a.T):totable()
      end)
      local zero = {}
      for i = 1, 70 do zero[i] = i / 3 end
      for _, dtype in ipairs {"float64", "float32"} do
        for _, case in ipairs {{MEAN, COV}, {zero, wide}} do
          local here = draw(case[1], case[2], {7, 61}, {dtype = dtype})
          assert.equal(device, here.device)
          assert.is_true(here:has_shape(7, 61, #case[1]) and here.dtype == dtype)
          cn.device("cpu"):with(function() agree(here, draw(case[1], case[2], {7, 61}, {dtype = dtype})) end)
          agree(here:reshape(7 * 61, -1)["1:50"], draw(case[1], case[2], 50, {dtype = dtype}))
          agree(here[{1, 1, {}}], draw(case[1], case[2], {dtype = dtype}))
        end
      end
      local x = draw(MEAN, COV, 9)
      agree(x, draw(cn.array(MEAN), cn.array(COV).T:copy().T, 9))
      agree(x, draw(cn.array(MEAN, "int8")["::-1"]:copy()["::-1"], cn.array(COV, "float32"), 9))
    end))

    it("has narrow dtypes, and outputs", prepared(function()
      local x = draw(MEAN, COV, 9, {dtype = "float32"})
      for _, dtype in ipairs {"float16", "bfloat16"} do
        agree(draw(MEAN, COV, 9, {dtype = dtype}), x:astype(dtype))
        local out = cn.zeros({9, 3}, dtype)
        assert.is_true(rawequal(out, draw(MEAN, COV, {out = out})))
        agree(out, x:astype(dtype))
      end
      local apart = cn.zeros {3, 2, 9, 4}
      local out = apart:transpose(2, 3, 4, 1)
      assert.is_true(rawequal(out, draw(MEAN, COV, {2, 9, 4}, {out = out})))
      agree(out, draw(MEAN, COV, {2, 9, 4}))
      local line = cn.zeros {5}
      draw(MEAN, COV, {out = line["5:1:-2"]})
      agree(line["5:1:-2"], draw(MEAN, COV))
      local cov = cn.array(COV)
      agree(draw(MEAN, cov, 3), draw(MEAN, cov:copy(), {out = cov})) -- over what it is read from
    end))

    it("has no size or one element", prepared(function()
      assert.is_true(draw(MEAN, COV, 0):has_shape(0, 3))
      assert.is_true(draw(MEAN, COV, {2, 0}, {method = "eigh"}):has_shape(2, 0, 3))
      for _, method in ipairs(METHODS) do
        assert.is_true(draw(cn.zeros(0), cn.zeros {0, 0}, 4, {method = method}):has_shape(4, 0))
        assert.is_true(draw({5}, {{0}}, {method = method}):has_shape(1))
      end
      agree(numbers(4, 1) * 3 + 5, draw({5}, {{9}}, 4))
      agree(cn.full({2, 2}, 4), draw({4, 4}, {{0, 0}, {0, 0}}, 2))
    end))

    it("by cn.linalg is equal up to rounding", prepared(function()
      for _, method in ipairs {"eigh", "svd"} do
        local here = draw(MEAN, COV, 50, {method = method})
        assert.equal(device, here.device)
        if not golden.rehearsing then
          local there = cn.device("cpu"):with(function() return draw(MEAN, COV, 50, {method = method}) end)
          assert.is_true(cn.allclose(here:get(), there, 1e-9, 1e-9), method)
        end
      end
    end))

    it("takes invalid covariances with check_valid = ignore", prepared(function()
      local z, loose = numbers(4, 2), {check_valid = "ignore"}
      agree(cn.stack({z[{{}, 1}], z[{{}, 1}] * 2}, 2), draw({0, 0}, {{1, 7}, {2, 1}}, 4, loose))
      for _, method in ipairs(METHODS) do
        local x = draw({0, 0}, {{1, 5}, {2, 1}}, 4, {check_valid = "ignore", method = method})
        assert.is_true(golden.rehearsing or cn.isfinite(x):all())
      end
    end))

    it("is a function of cn.random and of RandomState, too", function()
      cn.random.seed(7)
      agree(cn.random.multivariate_normal(MEAN, COV, 4), draw(MEAN, COV, 4))
      local z = cn.random.RandomState(5):standard_normal({4, 2})
      local x = cn.random.RandomState(5):multivariate_normal({3, -1}, {{4, 2}, {2, 10}}, 4)
      agree(x, cn.stack({z[{{}, 1}] * 2 + 3, z[{{}, 1}] + z[{{}, 2}] * 3 - 1}, 2))
      x = cn.random.RandomState(5):multivariate_normal(MEAN, COV, {dtype = "float32", method = "svd"})
      assert.is_true(x:has_shape(3) and x.dtype == "float32")
    end)

    it("waits for arrays alone, and draws at each call in fused functions", function()
      assert.is_true(cn.no_sync(draw, MEAN, COV, 3):has_shape(3, 3))
      raises("multivariate_normal: waits for the device, and cn.no_sync forbids that", function()
        cn.no_sync(draw, MEAN, cn.array(COV), 3)
      end)
      raises("multivariate_normal: waits for the device, and cn.no_sync forbids that", function()
        cn.no_sync(draw, MEAN, COV, 3, {method = "eigh"})
      end)
      local own = rng(3)
      local noisy = cn.fuse(function(x) return x + own:multivariate_normal(MEAN, COV) end)
      local x = cn.zeros(3)
      local first, second, twin = noisy(x), noisy(x), rng(3)
      agree(first, twin:multivariate_normal(MEAN, COV))
      agree(second, twin:multivariate_normal(MEAN, COV))
    end)

    it("refuses with words", function()
      local function refused(message, ...)
        local list, count = {...}, select("#", ...)
        raises("multivariate_normal: " .. message, function() local _ = draw(unpack(list, 1, count)) end)
      end
      refused "mean is missing"
      refused("cov is missing", {1, 2})
      refused("mean has shape (); expected one vector", 3, {{1}})
      refused("mean has shape (2, 2); expected one vector: add others to what is drawn around 0", cn.zeros {2, 2}, COV)
      refused("cov has shape (3, 3), and mean (2,); expected one matrix of shape (2, 2)", {1, 2}, COV)
      refused("cov has shape (2, 3, 3), and mean (3,); expected one matrix of shape (3, 3)", MEAN, {COV, COV})
      refused("cov has shape (), and mean (1,); expected one matrix of shape (1, 1)", {1}, 4)
      refused("mean is real, got complex128", cn.array({1, 2}, "complex128"), {{1, 0}, {0, 1}})
      refused("cov is real, got complex64", {1}, cn.ones({1, 1}, "complex64"))
      refused("mean must be finite, got inf in it", {1, math.huge}, {{1, 0}, {0, 1}})
      refused("cov must be finite, got nan in it", {1, 2}, {{1, 0}, {0 / 0, 1}})
      refused("cov is not symmetric: cov[{1, 2}] is 0.25, and cov[{2, 1}] 0.5", {1, 2}, {{1, 0.25}, {0.5, 1}})
      local text = "cov is not positive semidefinite: "
      refused(text .. "its pivot at position 2 is -3", {1, 2}, {{1, 2}, {2, 1}})
      refused(text .. "its pivot at position 1 is -1", {1, 2}, {{-1, 0}, {0, 1}})
      refused(text .. "its pivot at position 3 is -4", {1, 2, 3}, {{1, 0, 2}, {0, 1, 0}, {2, 0, 0}})
      refused(text .. "the pivots at positions 1 and 3 are 0, with 1 between them", {1, 2, 3},
        {{0, 0, 1}, {0, 1, 0}, {1, 0, 0}})
      refused(text .. "it has the eigenvalue -1", {1, 2}, {{1, 2}, {2, 1}}, {method = "eigh"})
      refused(text .. "its negative eigenvalues add up to -1", {1, 2}, {{1, 2}, {2, 1}}, {method = "svd"})
      refused("tol must not be negative, got -1", MEAN, COV, {tol = -1})
      refused("tol is a number, got \"x\"", MEAN, COV, {tol = "x"})
      refused("check_valid is \"raise\" or \"ignore\", got \"warn\"", MEAN, COV, {check_valid = "warn"})
      refused("method is \"cholesky\", \"eigh\" or \"svd\", got \"qr\"", MEAN, COV, {method = "qr"})
      refused("draws are bfloat16, float16, float32, float64, not int32", MEAN, COV, {dtype = "int32"})
      refused("out has shape (3, 4), but the result has shape (3, 3)", MEAN, COV, {out = cn.zeros {3, 4}})
      refused("out has shape (4, 3), but the result has shape (5, 3)", MEAN, COV, 5, {out = cn.zeros {4, 3}})
      refused("out has dtype float32, and dtype is float64", MEAN, COV,
        {dtype = "float64", out = cn.zeros({3}, "float32")})
      refused("size is a count, got -1", MEAN, COV, -1)
      refused("unknown option 'cov'", MEAN, COV, {cov = COV})
      if device ~= cn.device "cpu" then
        refused("one array is on", cn.zeros(3), cn.array(COV, nil, "cpu"))
      end
      local own = rng(3)
      assert.is_false(pcall(own.multivariate_normal, own, {1, 2}, {{1, 2}, {2, 1}}))
      assert.equal(0ULL, own:get_state().calls)
      raises("multivariate_normal: dtype is float32 or float64, got float16", function()
        local _ = cn.random.RandomState(1):multivariate_normal(MEAN, COV, {dtype = "float16"})
      end)
    end)
  end)
end)
