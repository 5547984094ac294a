--- Averages with weights, covariances and correlations: NumPy's results and errors.
local cn = require "cuna"
local devices = require "spec.support.devices"
local golden = require "spec.support.golden"
local raises = require("spec.support.raises").raises
local values = dofile "spec/golden/statistics.lua"

local it = devices.rehearsed_it()

local array, laid_out, same, prepared = golden.array, golden.laid_out, golden.same, golden.prepared
local TOLERANCE = {float16 = 2e-3, float32 = 1e-6, complex64 = 1e-6}

local function optional(described, layout) return described and laid_out(array(described), layout) end

devices.each_device(function()
  it("average agrees with NumPy", prepared(function()
    for number, case in ipairs(values.averages) do
      local x, weights = laid_out(array(case.x), number), optional(case.weights, number + 1)
      local result, sum = cn.average(x, case.axis, weights, true)
      local tolerance = TOLERANCE[case.result.dtype] or 1e-13
      same(case.result, result, "case " .. number, tolerance)
      same(case.sum, sum, "case " .. number, tolerance)
      local kept = cn.average(x, {axis = case.axis, weights = weights, keepdims = true})
      assert.is_true(golden.rehearsing or kept.ndim == x.ndim)
    end
  end))

  it("cov and corrcoef agree with NumPy", prepared(function()
    for number, case in ipairs(values.covariances) do
      local x, y, given = laid_out(array(case.x), number), optional(case.y, number + 1), case.weights
      local result = cn.cov(x, y, case.rowvar, case.bias, case.ddof, optional(given.fweights, 0),
        optional(given.aweights, 0))
      same(case.result, result, "case " .. number, 1e-12)
      same(case.correlations, cn.corrcoef(x, y, {rowvar = case.rowvar}), "case " .. number, 1e-12)
    end
  end))

  it("cov of many variables is what it is of pairs of them", function()
    local x = cn.sin(cn.arange(9 * 30):reshape(9, 30) ^ 1.1)
    for _, z in ipairs {x, x + 1i * cn.cos(x * 7), x:astype "float32"} do
      local whole, tolerance = cn.cov(z, {dtype = z.dtype}), z.dtype == "float32" and 1e-6 or 1e-14
      assert.is_true(whole == whole:conj().T)
      for _, pair in ipairs {{1, 9}, {4, 3}} do
        local two = cn.cov(z[cn.array(pair)], {dtype = z.dtype})
        assert.is_true(cn.abs(two - whole[cn.ix_(pair, pair)]):max():item() < tolerance, z.dtype)
      end
    end
    local weighted = {aweights = cn.arange(1, 31)}
    assert.is_true(cn.allclose(cn.cov(x[{{1, 2}}], weighted), cn.cov(x, weighted)[{{1, 2}, {1, 2}}]))
  end)

  it("take numbers and tables, and what has no elements", function()
    assert.equal(2, cn.average({1, 3}):item())
    assert.equal(5, cn.average(5):item())
    assert.is_true(cn.cov(cn.zeros({0, 3})):has_shape(0, 0))
    assert.equal("float32", cn.cov({{1, 2}, {3, 5}}, {dtype = "float32"}).dtype)
    local nothing = cn.average({1, 2}, {weights = {0, 0}}):item()
    assert.is_true(nothing ~= nothing)
    assert.equal(cn.inf, cn.cov({1, 2}, {ddof = 2}):item())
  end)

  it("refuse what does not fit", function()
    raises("average: weights of shape (2,) for an array of shape (2, 3) need one axis", function()
      cn.average(cn.zeros({2, 3}), {weights = {1, 2}})
    end)
    raises("average: weights of shape (2,) do not fit axis 2 of shape (2, 3)", function()
      cn.average(cn.zeros({2, 3}), 2, {1, 2})
    end)
    raises("cov: expected at most 2 axes, got shape (1, 1, 1)", function() cn.cov({{{1}}}) end)
    raises("cov: fweights of shape (1,) for 3 observations", function() cn.cov({1, 2, 3}, {fweights = {1}}) end)
    raises("cov: dtype is a float or complex dtype, not int32", function() cn.cov({1, 2}, {dtype = "int32"}) end)
    raises("cov: ddof is a whole number, got 0.5", function() cn.cov({1, 2}, {ddof = 0.5}) end)
    raises("average: axis 3", function() cn.average({{1, 2}}, 3) end)
  end)
end)
