--- cn.special as a namespace: dtypes, layouts, outputs, methods, fused functions, errors; and its functions over axes.
local cn = require "cuna"
local devices = require "spec.support.devices"
local elementwise = require "cuna.elementwise"
local raises = require("spec.support.raises").raises

local S = cn.special
local inf = math.huge

local function near(expected, actual, tolerance)
  assert.is_true(cn.allclose(actual, expected, {rtol = tolerance or 1e-14, atol = 0, equal_nan = true}),
    tostring(actual) .. " is not " .. tostring(cn.array(expected)))
end

devices.each_device(function()
  local it = devices.rehearsed_it()

  it("computes half floats as float32", function()
    local x = cn.array({-2, -0.5, 0, 0.75, 3}, "float32")
    for _, dtype in ipairs {"float16", "bfloat16"} do
      local half = S.erf(x:astype(dtype))
      assert.equal(dtype, half.dtype)
      assert.same(S.erf(x):astype(dtype):tobytes(), half:tobytes())
    end
  end)

  it("promotes integers, bools and numbers to the default float", function()
    for _, dtype in ipairs {"bool", "int8", "uint16", "int64"} do
      local y = S.gammaln(cn.array({1, 1}, dtype))
      assert.equal("float64", y.dtype)
      near({0, 0}, y)
    end
    assert.equal("float32", S.xlogy(cn.array({1}, "float32"), 2).dtype)
  end)

  it("has the same bits in every layout, in place, with out and fused", function()
    local x = cn.linspace(-3, 3, 24):reshape(4, 6)
    local y = S.erf(x)
    assert.same(y:transpose():copy():tobytes(), S.erf(x:transpose()):tobytes())
    assert.same(y["::-1, ::2"]:copy():tobytes(), S.erf(x["::-1, ::2"]):tobytes())
    assert.same(y:tobytes(), x:erf():tobytes())
    local z = x:copy()
    assert.equal(z, z:erf_())
    assert.same(y:tobytes(), z:tobytes())
    local out = cn.empty {4, 6}
    assert.equal(out, S.erf(x, out))
    assert.same(y:tobytes(), out:tobytes())
    local fused = cn.fuse(function(a) return S.erf(a) * 2 end)
    assert.same((y * 2):tobytes(), fused(x):tobytes())
    assert.same({2, 0}, {unpack(S.erf(cn.zeros {2, 0}).shape)})
    assert.equal(0, S.erf(cn.scalar(0)).ndim)
  end)

  it("keeps signs of zero, and values that are exact", function()
    assert.equal(math.huge, (1 / S.ndtri(cn.full(1, 0.5)))[1])
    assert.equal(-math.huge, (1 / S.erfinv(cn.full(1, -0.0)))[1])
    assert.equal(0, S.betaln(cn.ones(1), 1)[1])
    local n, factorial = cn.arange(1, 19, 1, "float64"), 1
    local gamma, inverse, half = S.gamma(n), S.rgamma(n), S.betainc(n, n, 0.5)
    for k = 1, 18 do
      assert.same({factorial, 1 / factorial, 0.5}, {gamma[k], inverse[k], half[k]})
      factorial = factorial * k
    end
  end)

  it("computes with subnormal and great operands", function()
    near({2e100, 1.5e250, inf, inf}, S.beta({1e-100, 1e-250, -2, 0}, {1e-100, 2e-250, -2, -12}))
    near({1, 1, 1}, S.gammainc({5e-324, 1e-310, 1e-21}, {0.5, 1, 3}))
    near({1e-310, -1e-310}, S.rgamma {1e-310, -1e-310}, 1e-12)
    near({1e-270}, S.poch({1e-310}, 1e-40), 1e-12)
    near({inf, 1.0270565218131121e58}, S.binom({1e10, 1e16}, {171.62, 3.7}))
    near({6.705128263670997e307, inf}, S.i0 {713, 714})
  end)

  it("gives two results of sici", function()
    local sine, cosine = S.sici {1, 2}
    near({0.946083070367183, 1.605412976802695}, sine)
    near({0.33740392290096813, 0.422980828774865}, cosine)
  end)

  it("gives complex numbers of real ones by lambertw and sph_harm_y", function()
    local x = cn.array({1, 2}, "float32")
    assert.equal("complex64", S.lambertw(x).dtype)
    assert.equal("complex128", S.lambertw({1, 2}, 1).dtype)
    assert.same(S.lambertw(x, 0):tobytes(), S.lambertw(x):tobytes())
    assert.same(S.lambertw(x:astype("float64"), 0):tobytes(), S.lambertw(x, {dtype = "complex128"}):tobytes())
    assert.equal("complex64", S.sph_harm_y(2, 1, x, 0.5).dtype)
    assert.equal("complex128", S.sph_harm_y(2, 1, x, 0.5, {dtype = "complex128"}).dtype)
    local y = S.lambertw({1, 2})
    near({1, 2}, (y * y:exp()).real)
  end)

  it("has the rows of several operands in fused functions", function()
    local x, u = cn.linspace(0.25, 20, 40), cn.linspace(0, 1.5, 40)
    assert.same((S.jv(1.5, x) * 2):tobytes(), cn.fuse(function(a) return S.jv(1.5, a) * 2 end)(x):tobytes())
    assert.same(S.lambertw(x, -1):tobytes(), cn.fuse(function(a) return S.lambertw(a, -1) end)(x):tobytes())
    local sn, cn_, dn, ph = S.ellipj(u, 0.5)
    near(cn.sin(ph), sn)
    near(cn.cos(ph), cn_)
    near(cn.sqrt(1 - sn * sn / 2), dn)
  end)

  it("gives derivatives of spherical Bessel functions", function()
    local x = cn.array({0.5, 2, 30}, "float32")
    for _, kind in ipairs {"jn", "yn", "in", "kn"} do
      local call, prime = S["spherical_" .. kind], S["spherical_" .. kind .. "_prime"](2, x)
      assert.same(prime:tobytes(), call(2, x, true):tobytes())
      assert.same(prime:tobytes(), call(2, x, {derivative = true}):tobytes())
      assert.same(call(2, x):tobytes(), call(2, x, false):tobytes())
      assert.equal("float64", call(2, x, {derivative = true, dtype = "float64"}).dtype)
      local out = cn.empty(3, "float32")
      assert.equal(out, call(2, x, true, out))
      assert.same(prime:tobytes(), out:tobytes())
      assert.same(prime:tobytes(), cn.fuse(function(a) return call(2, a, true) end)(x):tobytes())
    end
  end)

  it("derives Bessel functions of any order", function()
    local x = cn.array {1, 2}
    near({-0.37112524247555223, -0.1598481237645587}, S.jvp(1.5, x, 3), 1e-13)
    near({10.31294416501718, 0.16921445118113398}, S.yvp(cn.array {1.5}, x, {n = 3}), 1e-13)
    near({0.3364599391094383, 1.0421988442285932}, S.ivp(1.5, x, 3), 1e-13)
    near({-16.82900041234815, -0.7674143378268933}, S.kvp(1.5, x, 3), 1e-13)
    near(S.jvp(1.5, x, 3), S.h1vp(1.5, x, 3).real)
    near(S.yvp(1.5, x, 3), -S.h2vp(1.5, x, 3).imag)
    near(-S.k1(x), S.kvp(0, x))
    assert.same(S.jv(2, x):tobytes(), S.jvp(2, x, 0):tobytes())
    assert.same(S.jvp(2, x):tobytes(), cn.fuse(function(a) return S.jvp(2, a) end)(x):tobytes())
  end)

  it("gives complex numbers of real ones by wofz and hankel1", function()
    local x = cn.array({0, 1}, "float32")
    assert.equal("complex64", S.wofz(x).dtype)
    assert.equal("complex128", S.wofz(x, {dtype = "complex128"}).dtype)
    near(cn.exp(-x * x), S.wofz(x).real, 1e-6)
    assert.same(S.wofz(x:astype("complex64")):tobytes(), S.wofz(x):tobytes())
    assert.equal("complex64", S.hankel1(0, x).dtype)
    assert.same(S.jv(0, x + 1):tobytes(), S.jn(0, x + 1):tobytes())
  end)

  it("rounds to floats, and takes sph_harm in older SciPy's order", function()
    assert.same({0, 2, -2}, S.round({0.5, 1.5, -2.5}):totable())
    assert.equal("float64", S.round({1, 2}, {dtype = "float64"}).dtype)
    local azimuth, polar = cn.array {0.25, 1}, cn.array {0.5, 2}
    assert.same(S.sph_harm_y(3, -2, polar, azimuth):tobytes(), S.sph_harm(-2, 3, azimuth, polar):tobytes())
  end)

  it("softmax, log_softmax and logsumexp do not overflow", function()
    local x = cn.array {{1000, 1000}, {-inf, 0}}
    near({{0.5, 0.5}, {0, 1}}, S.softmax(x, 2))
    near({{-math.log(2), -math.log(2)}, {-inf, 0}}, S.log_softmax(x, 2))
    near({1000 + math.log(2), 0}, S.logsumexp(x, 2))
    assert.same({2, 1}, {unpack(S.logsumexp(x, {axis = 2, keepdims = true}).shape)})
    near(-inf, S.logsumexp {-inf, -inf})
    near(inf, S.logsumexp {inf, 1})
    near(0 / 0, S.logsumexp {0 / 0, 1})
    local size, sign = S.logsumexp({1, 2}, {b = {1, -1}, return_sign = true})
    near(math.log(math.exp(2) - math.exp(1)), size)
    near(-1, sign)
    near(2, S.logsumexp({2, inf}, {b = {1, 0}}))
    assert.equal("float32", S.softmax(cn.array({1, 2}, "float32")).dtype)
    near({0.2689414213699951, 0.7310585786300049}, S.softmax(cn.array({1, 2}, "int32")))
  end)

  it("folds in fused functions as outside", function()
    local x = cn.array {{1, 2, 3}, {4, 5, 6.5}}
    near(S.softmax(x * 2, 2), cn.fuse(function(a) return S.softmax(a * 2, 2) end)(x))
    near(S.log_softmax(x), cn.fuse(function(a) return S.log_softmax(a) end)(x))
    near(S.logsumexp(x, 2), cn.fuse(function(a) return S.logsumexp(a, 2) end)(x))
    near(S.zeta(x + 1), cn.fuse(function(a) return S.zeta(a + 1) end)(x))
  end)

  it("multigammaln is a sum of gammaln", function()
    near({0.4515827052894549, 1.5501949939575645, 0 / 0}, S.multigammaln({2, 3, 0.25}, 2))
    near(S.gammaln {2.5, 7}, S.multigammaln({2.5, 7}, 1))
  end)
end)

-- Loops are compiled with the build, kernels here with other flags: the bits depend on neither.
it("has the same bits by loops and by kernels", function()
  cn.device("cpu"):use()
  for _, dtype in ipairs {"float32", "float64"} do
    local x = cn.linspace(-4, 30, 1003, {dtype = dtype})
    local y = x / 31
    local function results()
      return {S.erf(x), S.erfc(x), S.ndtr(x), S.expit(x), S.logit(y), S.entr(x), S.xlogy(x, y), S.gammaln(x),
        S.gamma(x), S.digamma(x)}
    end
    local by_loops = {}
    for i, result in ipairs(results()) do by_loops[i] = result:tobytes() end
    cn.prepare(results)
    for i, result in ipairs(results()) do assert.is_true(by_loops[i] == result:tobytes(), i .. " of " .. dtype) end
  end
end)

it("has the same bits on every device in twice the digits", function()
  local before, bytes = cn.device(), nil
  for _, name in ipairs(devices.names()) do
    cn.device(name):use()
    local v, x = cn.linspace(-20, 60, 300), cn.linspace(0.01, 90, 300)
    local angle, size = S.ellipj(x, v / 60 * v / 60)
    local found = {S.jv(v, x), S.yv(v, x), S.iv(v, x), S.kv(v, x), angle, size, S.ellipkinc(v, 1 / (1 + x)),
      S.lambertw(v, -1), S.loggamma(v:astype("complex128")), S.nctdtr(x, v / 9, v / 6), S.ncfdtr(x, x + 1, x, x / 9),
      S.nctdtrit(x, v / 9, x / 91), S.spherical_jn_prime(v:rint(), x), S.wright_bessel(x / 40, x, x), S.airy(v),
      S.eval_hermite(v:rint(), x), S.hyp2f1(v / 9, x, x + 1, -x), S.hyp1f1(v, x, v), S.elliprj(x, x + 1, 2, v),
      S.wofz(v:astype("complex128") + 1i), S.voigt_profile(v, x, x / 9), S.spence(x), S.erfi(v / 4), S.powm1(x, v / 9)}
    for i, result in ipairs(found) do found[i] = result:tobytes() end
    bytes = bytes or found
    for i in ipairs(found) do assert.is_true(found[i] == bytes[i], i .. " on " .. name) end
  end
  before:use()
end)

describe("errors of cn.special", function()
  it("are one line each", function()
    raises("lambertw: the second operand must be of an integer dtype", function() S.lambertw({1}, 0.5) end)
    raises("jv: not defined for complex128", function() S.jv(1, cn.zeros(2, "complex128")) end)
    raises("special has no function 'erv'; did you mean 'erf'?", function() return S.erv end)
    raises("erf: not defined for complex64", function() S.erf(cn.zeros(2, "complex64")) end)
    raises("erf: argument 1: expected an array", function() S.erf() end)
    raises("beta: shapes", function() S.beta(cn.zeros(2), cn.zeros(3)) end)
    raises("softmax: axis 3", function() S.softmax({{1, 2}}, 3) end)
    raises("softmax: expected an array", function() S.softmax "a" end)
    raises("logsumexp: unknown option 'axes'", function() S.logsumexp({1}, {axes = 1}) end)
    raises("multigammaln: d is a whole number from 1 to 65536, got 0", function() S.multigammaln({1}, 0) end)
    raises("multigammaln: d is a whole number from 1 to 65536, got 9e+18", function() S.multigammaln({1}, 9e18) end)
    raises("spherical_jn: derivative is true or false, got 3", function() S.spherical_jn(1, {1}, {derivative = 3}) end)
    raises("spherical_kn: unknown option 'derivate'", function() S.spherical_kn(1, {1}, {derivate = true}) end)
    raises("jvp: n is from 0 to 64, got 65", function() S.jvp(1, {1}, 65) end)
    raises("nctdtr: argument 3: expected an array", function() S.nctdtr(1, {1}) end)
    local freed = cn.zeros(2)
    freed:free()
    raises("erf: ", function() S.erf(freed) end)
  end)

  it("names each row once", function()
    local known = {}
    for _, rows in ipairs {elementwise.rows(), elementwise.special_rows()} do
      for _, row in ipairs(rows) do
        assert.is_nil(known[row.name], row.name)
        known[row.name] = true
      end
    end
  end)
end)
