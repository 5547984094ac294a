--- Polynomials as arrays of coefficients: NumPy's answers and errors.
local cn = require "cuna"
local devices = require "spec.support.devices"
local golden = require "spec.support.golden"
local raises = require("spec.support.raises").raises
local values = dofile "spec/golden/polynomial.lua"

local array, laid_out, same, prepared = golden.array, golden.laid_out, golden.same, golden.prepared
local TOLERANCE = {float32 = 1e-5, float64 = 1e-12, complex128 = 1e-12}

local function agrees(expected, result, note) same(expected, result, note, TOLERANCE[expected.dtype]) end

devices.each_device(function()
  it("sums, differences and products agree with NumPy", prepared(function()
    for number, case in ipairs(values.pairs) do
      local a, b = laid_out(array(case.a), number), laid_out(array(case.b), number + 1)
      agrees(case.sum, cn.polyadd(a, b), "case " .. number)
      agrees(case.difference, cn.polysub(a, b), "case " .. number)
      agrees(case.product, cn.polymul(a, b), "case " .. number)
    end
  end))

  it("values agree with NumPy", prepared(function()
    for number, case in ipairs(values.values) do
      local p, x = laid_out(array(case.p), number), laid_out(array(case.x), number + 1)
      agrees(case.result, cn.polyval(p, x), "case " .. number)
    end
  end))

  it("derivatives and integrals agree with NumPy", prepared(function()
    for number, case in ipairs(values.calculus) do
      local p = laid_out(array(case.p), number)
      agrees(case.derivative, cn.polyder(p, case.m), "case " .. number)
      agrees(case.integral, cn.polyint(p, case.m, case.k), "case " .. number)
    end
  end))

  it("polynomials of roots, and powers, agree with NumPy", prepared(function()
    for number, case in ipairs(values.roots) do
      if not (golden.rehearsing and case.roots.dtype == "complex128") then
        agrees(case.result, cn.poly(laid_out(array(case.roots), number)), "case " .. number)
      end
    end
    for number, case in ipairs(values.powers) do
      agrees(case.result, cn.vander(laid_out(array(case.x), number), case.n, case.increasing), "case " .. number)
    end
  end))

  it("take numbers, and what has no elements", function()
    assert.equal(7, cn.polyval(7, 3):item())
    assert.same({0, 0}, cn.polyval({}, {1, 2}):totable())
    assert.same({1}, cn.poly({}):totable())
    assert.is_true(cn.polyder({5}):has_shape(0) and cn.polyder({5}, 3):has_shape(0))
    assert.same({4}, cn.polyint({}, {k = 4}):totable())
    assert.is_true(cn.vander({}, 3):has_shape(0, 3))
    assert.equal("float32", cn.poly(cn.array({1, 2}, "float32")).dtype)
    assert.same({1, 2, 3, 5, 5}, cn.polyadd({1, 2, 3, 4, 5}, {1, 0}):totable())
  end)

  it("refuse what does not fit", function()
    raises("polyval: coefficients have one axis, got shape (1, 2)", function() cn.polyval({{1, 2}}, 1) end)
    raises("poly: coefficients have one axis, got shape (2, 2)", function() cn.poly({{1, 2}, {3, 4}}) end)
    raises("polymul: a polynomial has at least one coefficient", function() cn.polymul({}, {1}) end)
    raises("polyder: m is a count, got -1", function() cn.polyder({1, 2}, -1) end)
    raises("polyint: 3 constants for 2 integrations; give one for all, or one for each", function()
      cn.polyint({1, 2}, 2, {1, 2, 3})
    end)
    raises("vander: expected one axis, got shape (1, 1)", function() cn.vander {{1}} end)
    raises("vander: increasing is true or false, got 1", function() cn.vander({1}, 1, 1) end)
  end)
end)
