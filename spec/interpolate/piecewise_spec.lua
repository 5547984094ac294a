--- Cubic functions, piecewise polynomials and B-splines of cn.interpolate: SciPy's results, laws, errors.
local cn = require "cuna"
local devices = require "spec.support.devices"
local raises = require("spec.support.raises").raises
local support = require "spec.support.interpolate"

support.check_group "cubics"
support.check_group "polynomials"
support.check_group "splines"
support.check_group "periodic"

local interpolate = cn.interpolate

it("splines go through more points than a call takes arguments", function()
  local x = cn.arange(9001)
  for _, bc_type in ipairs {"not-a-knot", "periodic"} do
    local s = cn.interpolate.make_interp_spline(x, cn.remainder(x, 9000), 1, {bc_type = bc_type})
    assert.equal(4500.5, s(4500.5):item())
    assert.is_true(math.abs(s:derivative()(77.5):item() - 1) < 1e-9 and s:integrate(0, 8000):item() == 32e6)
  end
end)

devices.each_device(function(device)
  it("objects are on the device of the data, with its dtype", function()
    local x = cn.array({0, 1, 3, 4}, "float64", device)
    local spline = interpolate.CubicSpline(x, cn.array({1, 2, 0, 5}, "float32", device))
    assert.equal(device, spline.c.device)
    assert.equal("float32", spline(2).dtype)
    assert.equal(0, spline(2).ndim)
    assert.is_true(spline({{1, 2}, {3, 4}}):has_shape(2, 2))
    assert.is_true(spline(x):allclose({1, 2, 0, 5}, 1e-6))
    cn.no_sync(function() assert.equal(device, spline(x).device) end)
    assert.equal("PPoly(3 intervals, degree 3)", tostring(spline))
    assert.equal(1, spline.axis)
  end)

  it("long splines and many columns", function()
    local n = 3000
    local x = cn.arange(n) + (cn.arange(n) * 12.9898):sin() * 0.3
    local y = cn.stack({cn.sin(x / 50), cn.cos(x / 70)}, 2)
    for _, spline in ipairs {interpolate.CubicSpline(x, y), interpolate.make_interp_spline(x, y)} do
      local at = cn.linspace(100, n - 100, 501)
      assert.is_true(spline(at):allclose(cn.stack({cn.sin(at / 50), cn.cos(at / 70)}, 2), 1e-5, 1e-6))
      assert.is_true(spline(x):allclose(y, 1e-12, 1e-12))
    end
  end)

  it("roots of several functions are a table, jumps count, extrapolation is asked for", function()
    local p = interpolate.PPoly({{{1, 1}, {1, 1}}, {{-1, -5}, {1, 3}}}, {0, 2, 4})
    local found = p:roots()
    assert.same({{1}, {2}}, {found[1]:totable(), found[2]:totable()})
    found = p:roots(false)
    assert.same({{1}, {}}, {found[1]:totable(), found[2]:totable()})
    assert.same({2}, interpolate.PPoly({{1}, {-2}}, {0, 1}):roots():totable())
    assert.same({}, interpolate.PPoly({{1}, {-2}}, {0, 1}):roots(true, false):totable())
    assert.same({1}, interpolate.PPoly({{1}, {-2}, {1}}, {0, 3}):roots():totable())
    assert.same({1, 3}, interpolate.PPoly({{1}, {-4}, {0}}, {0, 4}):solve(-3):totable())
  end)

  it("errors name the argument", function()
    local x, y = cn.array {0, 1, 2}, cn.array {1, 2, 4}
    raises("interpolate.CubicSpline: x does not rise: element 2 is 1, and the next one 1", function()
      interpolate.CubicSpline({0, 1, 1}, y)
    end)
    raises("interpolate.CubicSpline: x has 3 elements, and y of shape (2,) has 2 along axis 1", function()
      interpolate.CubicSpline(x, {1, 2})
    end)
    raises("interpolate.CubicSpline: expected at least 2 points, got 1", function()
      interpolate.CubicSpline({1}, {1})
    end)
    raises("interpolate.CubicSpline: a condition of bc_type is", function()
      interpolate.CubicSpline(x, y, 1, "free")
    end)
    raises("interpolate.CubicSpline: bc_type is \"periodic\" at one end", function()
      interpolate.CubicSpline(x, y, 1, {"periodic", "natural"})
    end)
    raises("interpolate.CubicSpline: the first and the last y differ", function()
      interpolate.CubicSpline(x, y, 1, "periodic")
    end)
    raises("interpolate.CubicSpline: extrapolate is true, false or \"periodic\", got 3", function()
      interpolate.CubicSpline(x, y, {extrapolate = 3})
    end)
    raises("interpolate.PchipInterpolator: takes real y", function()
      interpolate.PchipInterpolator(x, y:astype "complex128")
    end)
    raises("interpolate.PPoly: expected coefficients (k + 1, intervals, ...)", function()
      interpolate.PPoly({{1, 2}}, {0, 1})
    end)
    raises("interpolate.BSpline: 3 coefficients of degree 3 take 7 knots, got shape (3,)", function()
      interpolate.BSpline(x, y, 3)
    end)
    raises("interpolate.make_interp_spline: degree 3 takes at least 4 points and conditions, got 3", function()
      interpolate.make_interp_spline(x, y)
    end)
    raises("interpolate.make_interp_spline: without t the degree is odd or 2, got 4", function()
      interpolate.make_interp_spline(cn.arange(9), cn.arange(9), 4)
    end)
    raises("interpolate.make_interp_spline: bc_type is \"periodic\", or \"not-a-knot\", \"natural\"", function()
      interpolate.make_interp_spline(x, y, 2, {bc_type = {{{5, 0}}}})
    end)
    raises("interpolate.make_interp_spline: the first and the last y differ", function()
      interpolate.make_interp_spline(x, y, 3, {bc_type = "periodic"})
    end)
    raises("interpolate.make_interp_spline: bc_type \"periodic\" has knots of its own; leave t out", function()
      interpolate.make_interp_spline(x, {1, 2, 1}, 3, {1, 2}, {bc_type = "periodic"})
    end)
    raises("interpolate.make_interp_spline: bc_type \"periodic\" takes a degree from 1 and 2 points, got degree",
      function() interpolate.make_interp_spline(x, {1, 2, 1}, 0, {bc_type = "periodic"}) end)
    raises("LinAlgError: interpolate.make_interp_spline: the equations of the spline are singular", function()
      interpolate.make_interp_spline({0, 1, 2, 3}, {1, 2, 3, 4}, 1, {0, 0, 2.2, 2.4, 3, 3})
    end)
    local spline = interpolate.CubicSpline(x, y)
    raises("PPoly: x is real", function()
      local value = spline(cn.ones(2, "complex64"))
      return value
    end)
    raises("BSpline.antiderivative: nu is at most 1000, got 1e+15", function()
      cn.interpolate.make_interp_spline({1, 2, 3, 4}, {1, 4, 9, 16}):antiderivative(1e15)
    end)
    raises("PPoly.antiderivative: nu is at most 1000, got 1e+15", function() spline:antiderivative(1e15) end)
    raises("PPoly: nu is a count", function()
      local value = spline(1, -1)
      return value
    end)
    raises("a piecewise polynomial has no method 'derive'", function() return spline.derive end)
    raises("derivative: a piecewise polynomial's function is called with a colon", function() spline.derivative(3) end)
    raises("PPoly.solve: takes real functions", function()
      interpolate.CubicSpline(x, y:astype "complex128"):solve()
    end)
  end)
end)
