--- Arguments of cn.ndimage: outputs, fused functions, bad input.
local cn = require "cuna"
local devices = require "spec.support.devices"
local raises = require("spec.support.raises").raises

devices.each_device(function()
  local nd = cn.ndimage

  it("writes to an output, also where that is the input or a part of it", function()
    local x = cn.random.default_rng(2):random {8, 9}
    for name, call in pairs {
      gaussian = function(y, options) return nd.gaussian_filter(y, 1, options) end,
      median = function(y, options) return nd.median_filter(y, 3, options) end,
      shift = function(y, options) return nd.shift(y, 0.5, options) end,
      closing = function(y, options) return nd.grey_closing(y, 3, options) end,
      tophat = function(y, options) return nd.white_tophat(y, 3, options) end,
      correlate = function(y, options) return nd.correlate(y, {{1, 2}, {3, 4}}, options) end,
    } do
      local expected = call(x, {})
      local out = cn.zeros {8, 9}
      assert.is_true(rawequal(out, call(x, {output = out})), name)
      assert.is_true(out == expected, name)
      local copy = x:copy()
      call(copy, {output = copy})
      assert.is_true(copy == expected, name)
      local wide = cn.zeros {9, 8}
      call(x, {output = wide.T})
      assert.is_true(wide.T == expected, name)
      assert.equal("float32", call(x, {output = "float32"}).dtype, name)
    end
  end)

  it("computes between operations that are recorded", function()
    local x = cn.random.default_rng(2):random {300, 300}
    local y = nd.gaussian_filter(x * 2 + 1, 1) - 1
    assert.is_true(y:allclose(nd.gaussian_filter(x, 1) * 2, 1e-10))
  end)

  it("computes where the image is", function()
    local x = cn.random.default_rng(2):random {12, 10}
    local labels, count = nd.label(x:gt(0.5))
    local index = cn.range(1, count)
    local expected = {nd.gaussian_filter(x, 1), nd.median_filter(x, 3), nd.rotate(x, 20), labels,
      nd.mean(x, labels, index), nd.distance_transform_edt(x:gt(0.2)), nd.binary_fill_holes(x:gt(0.4)),
      nd.generic_filter(x, "return x[0];", 3), nd.fourier_shift(x, 1.5), nd.center_of_mass(x, labels, {1, 2})}
    cn.device("cpu"):with(function()
      local got = {nd.gaussian_filter(x, 1), nd.median_filter(x, 3), nd.rotate(x, 20), (nd.label(x:gt(0.5))),
        nd.mean(x, labels, index), nd.distance_transform_edt(x:gt(0.2)), nd.binary_fill_holes(x:gt(0.4)),
        nd.generic_filter(x, "return x[0];", 3), nd.fourier_shift(x, 1.5), nd.center_of_mass(x, labels, {1, 2})}
      for k, result in ipairs(got) do
        assert.equal(x.device, result.device, k)
        assert.is_true(result == expected[k], k)
      end
      assert.equal(count, #nd.find_objects(labels))
    end)
  end)

  it("counts in bins that are given", function()
    assert.is_true(nd.histogram({0, 0.4, 0.6, 1}, 0, 1, 2) == cn.array {2, 2})
    raises("ndimage.histogram: min is a number, got nil", function() nd.histogram {1, 2} end)
    raises("ndimage.histogram: bins", function() nd.histogram({1, 2}, 0, 1) end)
  end)

  it("takes images of half floats", function()
    for _, dtype in ipairs {"float16", "bfloat16"} do
      local x = (cn.random.default_rng(2):random {8, 7} * 8):rint()
      local half = x:astype(dtype)
      assert.is_true(nd.median_filter(half, 3) == nd.median_filter(x, 3):astype(dtype))
      assert.is_true(nd.uniform_filter1d(half, 3) == nd.uniform_filter1d(x, 3):astype(dtype))
      assert.is_true(nd.grey_opening(half, 3) == nd.grey_opening(x, 3):astype(dtype))
      assert.is_true(nd.shift(half, 0.5, {order = 1}) == nd.shift(x, 0.5, {order = 1}):astype(dtype))
    end
  end)

  it("is called in fused functions", function()
    local f = cn.fuse(function(x) return nd.gaussian_filter(x * 2, 1) + nd.maximum_filter(x, 3) end)
    for seed = 1, 4 do
      local x = cn.random.default_rng(seed):random {9, 10}
      assert.is_true(f(x) == nd.gaussian_filter(x * 2, 1) + nd.maximum_filter(x, 3), seed)
    end
  end)

  it("says what is wrong", function()
    local x = cn.ones {4, 5}
    for text, call in pairs {
      ["ndimage.gaussian_filter: mode is reflect, constant"] = function()
        return nd.gaussian_filter(x, 1, {mode = "edge"})
      end,
      ["ndimage.gaussian_filter: sigma has 3 values for 2 axes"] = function()
        return nd.gaussian_filter(x, {1, 1, 1})
      end,
      ["ndimage.gaussian_filter: sigma is at least 0, got -1"] = function() return nd.gaussian_filter(x, -1) end,
      ["ndimage.correlate: weights of shape (3,) for an image of 2 axes"] = function()
        return nd.correlate(x, {1, 2, 3})
      end,
      ["ndimage.correlate1d: origin 2 moves the center out of a window of 3"] = function()
        return nd.correlate1d(x, {1, 2, 3}, {origin = 2})
      end,
      ["ndimage.median_filter: give a size or a footprint"] = function() return nd.median_filter(x) end,
      ["ndimage.median_filter: a window has 1 to 2097152 elements along an axis, got 0"] = function()
        return nd.median_filter(x, 0)
      end,
      ["ndimage.median_filter: the footprint has no elements"] = function()
        return nd.median_filter(x, {footprint = {{0, 0}}})
      end,
      ["ndimage.rank_filter: rank 0 of 9 neighbours; ranks count from 1"] = function()
        return nd.rank_filter(x, 0, 3)
      end,
      ["ndimage.percentile_filter: a percentile is from -100 to 100, got 101"] = function()
        return nd.percentile_filter(x, 101, 3)
      end,
      ["ndimage.minimum_filter: expected an image of real numbers, got complex128"] = function()
        return nd.minimum_filter(x:astype "complex128", 3)
      end,
      ["ndimage.zoom: order is a whole number from 0 to 5, got 6"] = function() return nd.zoom(x, 2, {order = 6}) end,
      ["ndimage.map_coordinates: an image of 2 axes takes 2 rows of coordinates, got shape (3, 2)"] = function()
        return nd.map_coordinates(x, cn.ones {3, 2})
      end,
      ["ndimage.rotate: an image to turn has at least 2 axes, got shape (3,)"] = function()
        return nd.rotate({1, 2, 3}, 4)
      end,
      ["ndimage.affine_transform: a matrix of shape (3, 2) for an image of 2 axes"] = function()
        return nd.affine_transform(x, {{1, 2}, {3, 4}, {5, 6}})
      end,
      ["ndimage.label: the structure is not symmetric about its middle"] = function()
        return nd.label(x, {{1, 0, 0}, {0, 1, 0}, {0, 0, 0}})
      end,
      ["ndimage.label: a structure has length 3 along 2 axes, got shape (3,)"] = function()
        return nd.label(x, {1, 1, 1})
      end,
      ["ndimage.mean: an index needs labels"] = function() return nd.mean(x, nil, {1}) end,
      ["ndimage.distance_transform_cdt: metric is \"taxicab\" or \"chessboard\", got \"euclidean\""] = function()
        return nd.distance_transform_cdt(x, "euclidean")
      end,
      ["ndimage.binary_erosion: a mask of shape (2,) for an image of shape (4, 5)"] = function()
        return nd.binary_erosion(x, {mask = {1, 0}})
      end,
      ["ndimage.correlate1d: the result is complex128, which an output of float64 does not hold"] = function()
        return nd.correlate1d(x, cn.array({1, 2}, "complex128"), {output = "float64"})
      end,
    } do
      raises(text, function()
        local _ = call()
      end)
    end
  end)
end)
