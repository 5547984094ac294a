--- Filters of cn.ndimage by a user's function, and those of Fourier transforms.
local cn = require "cuna"
local devices = require "spec.support.devices"
local raises = require("spec.support.raises").raises

require("spec.support.ndimage").check_group "fourier"

local MEAN = "double sum = 0; for (int k = 0; k < n; ++k) sum += x[k]; return sum / n;"

devices.each_device(function()
  it("generic_filter agrees with the filters by name", function()
    local x = cn.random.default_rng(5):random {9, 11}
    for _, mode in ipairs {"reflect", "constant", "wrap", "mirror"} do
      local options = {mode = mode, cval = 0.25, size = {3, 5}, origin = {1, -2}}
      local mean = cn.ndimage.uniform_filter(x, {3, 5}, {mode = mode, cval = 0.25, origin = {1, -2}})
      assert.is_true(cn.ndimage.generic_filter(x, MEAN, options):allclose(mean, 1e-12))
      assert.is_true(cn.ndimage.generic_filter(x, function(w) return w:mean(-1) end, options):allclose(mean, 1e-12))
    end
    local cross = {{0, 1, 0}, {1, 1, 1}, {0, 1, 0}}
    local least = cn.ndimage.minimum_filter(x, {footprint = cross})
    assert.is_true(least == cn.ndimage.generic_filter(x, function(w) return w:min(-1) end, {footprint = cross}))
    local text = "double m = x[0]; for (int k = 1; k < n; ++k) m = x[k] < m ? x[k] : m; return m * a1 + a2;"
    local scaled = cn.ndimage.generic_filter(x, text, {footprint = cross, extra_arguments = {2, 1}})
    assert.is_true(scaled:allclose(least * 2 + 1))
    local counts = cn.ndimage.generic_filter(cn.array({1, 0, 1, 1}, "uint8"), "return x[0] + x[1] + x[2];", 3)
    assert.is_true(counts == cn.array({2, 2, 2, 3}, "uint8"))
  end)

  it("generic_filter says what a function should return", function()
    raises("ndimage.generic_filter: the function returns an array of shape (4,): it folds the last axis; it returned "
      .. "shape (4, 3)", function()
      local _ = cn.ndimage.generic_filter({1, 2, 3, 4}, function(w) return w end, 3)
    end)
    raises("ndimage.generic_filter: expected a function", function()
      local _ = cn.ndimage.generic_filter({1, 2, 3, 4}, 3, 3)
    end)
    raises("ndimage.generic_filter: give a size or a footprint", function()
      local _ = cn.ndimage.generic_filter({1, 2, 3, 4}, MEAN)
    end)
  end)
end)
