--- Polynomials as arrays of coefficients: NumPy's results and errors.
local cn = require "cuna"
local devices = require "spec.support.devices"
local golden = require "spec.support.golden"
local raises = require("spec.support.raises").raises
local values = dofile "spec/golden/polynomial.lua"

local it = devices.rehearsed_it()

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

  it("roots agree with NumPy", prepared(function()
    for number, case in ipairs(values.solved) do
      local roots = cn.roots(laid_out(array(case.p), number))
      if not golden.rehearsing then
        agrees(case.roots, cn.sort(roots), "case " .. number)
        agrees(case.roots, cn.sort(cn.poly1d(array(case.p)).roots), "case " .. number)
      end
    end
  end))

  it("characteristic polynomials agree with NumPy", function()
    for number, case in ipairs(values.characteristic) do
      agrees(case.result, cn.poly(laid_out(array(case.a), number)), "case " .. number)
    end
  end)

  it("fits agree with NumPy", prepared(function()
    for number, case in ipairs(values.fits) do
      local x, y = laid_out(array(case.x), number), laid_out(array(case.y), number + 1)
      local w, note = case.w and array(case.w), "case " .. number
      agrees(case.c, cn.polyfit(x, y, case.deg, {w = w}), note)
      local c, residuals, rank, s = cn.polyfit(x, y, case.deg, {w = w, full = true})
      agrees(case.c, c, note)
      agrees(case.residuals, residuals, note)
      same(case.rank, rank, note)
      agrees(case.s, s, note)
      for _, cov in ipairs {true, "unscaled"} do
        local again, covariances = cn.polyfit(x, y, case.deg, {w = w, cov = cov})
        agrees(case.c, again, note)
        agrees(case[cov == true and "scaled" or "unscaled"], covariances, note)
      end
    end
  end))

  it("take numbers, and what has no elements", function()
    assert.is_true(cn.roots({}):has_shape(0) and cn.roots({0, 0}):has_shape(0) and cn.roots(7):has_shape(0))
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
    raises("poly: expected a square matrix or a stack of them, got shape (1, 2)", function() cn.poly({{1, 2}}) end)
    raises("poly: coefficients have one axis, got shape (1, 1, 1)", function() cn.poly({{{1}}}) end)
    raises("roots: coefficients have one axis, got shape (1, 2)", function() cn.roots({{1, 2}}) end)
    raises("polyfit: x is a vector with at least one point, got shape (0,)", function() cn.polyfit({}, {}, 1) end)
    raises("polyfit: y has a value, or a row of them, for each of 2 points, got shape (3,)", function()
      cn.polyfit({1, 2}, {1, 2, 3}, 1)
    end)
    raises("polyfit: weights of shape (3,) for 2 points", function() cn.polyfit({1, 2}, {1, 2}, 1, {w = {1, 2, 3}}) end)
    raises("polyfit: 2 points for 2 coefficients have no covariance", function()
      cn.polyfit({1, 2}, {1, 2}, 1, {cov = true})
    end)
    raises("polyfit: deg is a count, got -1", function() cn.polyfit({1, 2}, {1, 2}, -1) end)
    raises("polymul: a polynomial has at least one coefficient", function() cn.polymul({}, {1}) end)
    raises("polyder: m is a count, got -1", function() cn.polyder({1, 2}, -1) end)
    raises("polyint: 3 constants for 2 integrations; give one for all, or one for each", function()
      cn.polyint({1, 2}, 2, {1, 2, 3})
    end)
    raises("vander: expected one axis, got shape (1, 1)", function() cn.vander {{1}} end)
    raises("vander: increasing is true or false, got 1", function() cn.vander({1}, 1, 1) end)
  end)

  it("are values: called, added, multiplied, raised, compared, printed", function()
    local p, q = cn.poly1d {0, 1, 2, 3}, cn.poly1d({1, 2}, {r = true})
    assert.same({"1 x^2 + 2 x + 3", "1 x^2 - 3 x + 2", 2}, {tostring(p), tostring(q), p.order})
    assert.equal(cn.array {3.0, 6.0, 11.0}, p(cn.array {0, 1, 2}))
    assert.same({"2 x^2 - 1 x + 5", "5 x + 1", "1 x^4 - 1 x^3 - 1 x^2 - 5 x + 6", "-1 x^2 - 2 x - 3"},
      {tostring(p + q), tostring(p - q), tostring(p * q), tostring(-p)})
    assert.same({"1 x^2 + 2 x + 4", "2 x^2 + 4 x + 6", "1 x^3 + 3 x^2 + 3 x + 1", "1"},
      {tostring(1 + p), tostring(p * 2), tostring(cn.poly1d {1, 1} ^ 3), tostring(p ^ 0)})
    assert.same({"2 x + 2", "1 x^2 + 4 x + 6"}, {tostring(p:deriv()), tostring(p(cn.poly1d {1, 1}))})
    assert.same({"0", "(1+2i) t"}, {tostring(p - p), tostring(cn.poly1d(cn.array({cn.complex(1, 2), 0}), nil, "t"))})
    assert.same({3, 2, 1, 0}, {p[0], p[1], p[2], p[3]})
    assert.is_true(p == cn.poly1d {1, 2, 3} and p ~= q and cn.poly1d(p) == p and p:integ(2):deriv(2) == p)
  end)

  it("refuse invalid coefficients, powers and fields", function()
    local p = cn.poly1d {1, 2}
    raises("poly1d: coefficients have one axis, got shape (1, 2)", function() cn.poly1d {{1, 2}} end)
    raises("poly1d: powers are whole numbers from 0, got 0.5", function() return p ^ 0.5 end)
    raises("poly1d: coefficients are those of powers from 0, got -1", function() return p[-1] end)
    raises("poly1d: a polynomial has coeffs, order, roots, variable, deriv and integ, not 'root'",
      function() return p.root end)
    raises("poly1d: polynomials do not change; 'order2' cannot be set", function() p.order2 = 1 end)
    raises("poly1d: variable is a string, got a number", function() cn.poly1d({1}, false, 1) end)
  end)
end)
