--- interp1d, polynomials, grids and scattered points of cn.interpolate: SciPy's results, laws, errors.
local cn = require "cuna"
local devices = require "spec.support.devices"
local raises = require("spec.support.raises").raises
local support = require "spec.support.interpolate"

support.check_group "lines"
support.check_group "grids"
support.check_group "scattered"
support.check_group "products"
support.check_group "neighbors"

local interpolate = cn.interpolate

--- Asserts the message of a call whose result is not used.
local function fails(text, fn, ...)
  local list, count = {...}, select("#", ...)
  raises(text, function()
    local value = fn(unpack(list, 1, count))
    return value
  end)
end

devices.each_device(function(device)
  it("objects are on the device of the data, with its dtype", function()
    local x = cn.array({0, 1, 3, 4}, "float64", device)
    local y = cn.array({1, 2, 0, 5}, "float32", device)
    for _, f in ipairs {interpolate.interp1d(x, y, {fill_value = 0}), interpolate.BarycentricInterpolator(x, y),
      interpolate.RBFInterpolator(x, y, {kernel = "cubic"}), interpolate.NearestNDInterpolator(x, y),
      interpolate.RegularGridInterpolator({x}, y, {bounds_error = false})} do
      local value = f(x)
      assert.equal(device, value.device)
      assert.equal("float32", value.dtype, tostring(f))
      assert.is_true(value:allclose(y, 1e-4, 1e-5), tostring(f))
    end
  end)

  it("points on a grid come as arrays by axis, too", function()
    local grid = interpolate.RegularGridInterpolator({{0, 1, 2}, {0, 2}}, cn.arange(6):reshape(3, 2))
    local rows, columns = cn.array {{0.5}, {1.5}}, cn.array {0, 1, 2}
    local expected = rows * 2 + columns / 2
    assert.is_true(grid({rows, columns}):allclose(expected))
    assert.is_true(interpolate.interpn({{0, 1, 2}, {0, 2}}, cn.arange(6):reshape(3, 2), {1, 1}):allclose(2.5))
  end)

  it("splines on a grid have the same values alone and beside others", function()
    for _, lengths in ipairs {{4}, {5, 4}, {4, 5, 6}} do
      local axes, points = {}, {}
      for k, n in ipairs(lengths) do
        axes[k], points[k] = cn.arange(n) ^ 1.25, cn.array {-0.5, 0, 1, 1.5, n - 1, n + 0.5, 0 / 0}
      end
      local values = cn.sin(cn.arange(120)[{{1, cn.prod(lengths):item()}}] * 1.7):reshape(lengths)
      local function at(y)
        return interpolate.RegularGridInterpolator(axes, y,
          {method = "cubic", bounds_error = false, fill_value = "extrapolate"})(points)
      end
      assert.array_equal(at(cn.stack({values, values * 2}, -1))["..., 1"], at(values))
    end
  end)

  it("errors name the argument", function()
    local x, y = cn.array {0, 1, 2}, cn.array {1, 2, 4}
    raises("interpolate.interp1d: kind is", function() interpolate.interp1d(x, y, "spline") end)
    raises("interpolate.interp1d: a spline of degree 3 takes at least 4 points, got 3", function()
      interpolate.interp1d(x, y, "cubic")
    end)
    raises("interpolate.interp1d: bounds_error does not go with extrapolation", function()
      interpolate.interp1d(x, y, {bounds_error = true, fill_value = "extrapolate"})
    end)
    raises("interpolate.interp1d: fill_value is a value", function()
      interpolate.interp1d(x, y, {fill_value = "nearest"})
    end)
    raises("interpolate.interp1d: x has 3 elements, and y", function() interpolate.interp1d(x, cn.ones {3, 2}) end)
    fails("interp1d: x has -1, which is below the first point 0", interpolate.interp1d(x, y), {-1, 1})
    fails("interp1d: x has 2.5, which is beyond the last point 2", interpolate.interp1d(x, y), {1, 2.5})
    fails("interp1d: takes one argument, got 2", interpolate.interp1d(x, y), 1, 2)
    raises("interpolate.BarycentricInterpolator: sorted xi does not rise", function()
      interpolate.BarycentricInterpolator({0, 1, 1}, y)
    end)
    local grid = interpolate.RegularGridInterpolator({x, {0, 1}}, cn.ones {3, 2})
    fails("RegularGridInterpolator: points have 2 coordinates, got shape (3,)", grid, {1, 2, 3})
    fails("RegularGridInterpolator: x has 3, which is beyond the last point 2", grid, {3, 0})
    raises("interpolate.RegularGridInterpolator: the points of axis 2 have shape (3,), and values have 2", function()
      interpolate.RegularGridInterpolator({x, x}, cn.ones {3, 2})
    end)
    raises("interpolate.RegularGridInterpolator: method is one of cubic, linear, nearest, pchip, quintic, slinear, got "
      .. "\"spline\"", function() interpolate.RegularGridInterpolator({x}, y, "spline") end)
    raises("interpolate.RegularGridInterpolator: method \"cubic\" takes at least 4 points along each axis, and axis 1 "
      .. "has 3", function() interpolate.RegularGridInterpolator({x}, y, "cubic") end)
    raises("interpolate.RegularGridInterpolator: method \"pchip\" takes real values, got complex128", function()
      interpolate.RegularGridInterpolator({x}, cn.ones(3, "complex128"), "pchip")
    end)
    raises("interpolate.RegularGridInterpolator: points is a table of vectors", function()
      interpolate.RegularGridInterpolator(x, y)
    end)
    raises("interpolate.RBFInterpolator: kernel is one of cubic, gaussian", function()
      interpolate.RBFInterpolator(x, y, {kernel = "round"})
    end)
    raises("interpolate.RBFInterpolator: kernel \"gaussian\" takes epsilon", function()
      interpolate.RBFInterpolator(x, y, {kernel = "gaussian"})
    end)
    raises("interpolate.RBFInterpolator: neighbors is from 1 on, got 0", function()
      interpolate.RBFInterpolator(x, y, {neighbors = 0})
    end)
    raises("interpolate.RBFInterpolator: a polynomial of degree 1 takes at least 2 neighbors, got 1", function()
      interpolate.RBFInterpolator(x, y, {neighbors = 1})
    end)
    raises("interpolate.RBFInterpolator: a polynomial of degree 1 takes at least 3 points, got 2", function()
      interpolate.RBFInterpolator({{0, 0}, {1, 1}}, {1, 2})
    end)
    raises("interpolate.RBFInterpolator: a polynomial of degree 1e+15 takes at least 1e+15 points, got 3", function()
      interpolate.RBFInterpolator(x, y, {degree = 1e15})
    end)
    raises("interpolate.RBFInterpolator: 3 points, and values of shape (2,)", function()
      interpolate.RBFInterpolator(x, {1, 2})
    end)
    raises("LinAlgError: ", function()
      interpolate.RBFInterpolator({0, 1, 1}, y)
      cn.synchronize()
    end)
    fails("NearestNDInterpolator: points have 2 coordinates, got shape (3,)",
      interpolate.NearestNDInterpolator({{0, 0}, {1, 1}}, {1, 2}), {1, 2, 3})
  end)
end)
