--- Labels, measurements and distances in cn.ndimage.
local cn = require "cuna"
local devices = require "spec.support.devices"
local nd = require "spec.support.ndimage"

nd.check_group "measure"
nd.check_group "distance"

devices.each_device(function()
  it("find_objects gives keys of the parts with a label", function()
    local labels = cn.array({{1, 1, 0, 4}, {0, 2, 2, 0}, {0, 2, 0, 0}}, "int32")
    local boxes = cn.ndimage.find_objects(labels)
    assert.equal(4, #boxes)
    assert.same({{1, 1}, {1, 2}}, boxes[1])
    assert.same({{2, 3}, {2, 3}}, boxes[2])
    assert.is_false(boxes[3])
    assert.same({{1, 1}, {4, 4}}, boxes[4])
    assert.is_true(labels[boxes[2]] == cn.array({{2, 2}, {2, 0}}, "int32"))
    assert.equal(2, #cn.ndimage.find_objects(labels, 2))
  end)

  it("extrema, value_indices and labeled_comprehension agree with what they are made of", function()
    local x = cn.array {{3, 1, 4}, {1, 5, 9}}
    local labels = cn.array({{1, 2, 2}, {1, 2, 0}}, "int64")
    local least, greatest, first, last = cn.ndimage.extrema(x, labels, {1, 2})
    assert.same({1, 1}, least:totable())
    assert.same({3, 5}, greatest:totable())
    assert.is_true(first == cn.array({{2, 1}, {1, 2}}, "int64"))
    assert.is_true(last == cn.array({{1, 1}, {2, 2}}, "int64"))
    local places = cn.ndimage.value_indices(labels, 0)
    assert.is_nil(places[0])
    assert.is_true(labels[places[2]] == cn.array({2, 2, 2}, "int64"))
    local sums = cn.ndimage.labeled_comprehension(x, labels, {2, 3, 1}, cn.sum, "float64", -1)
    assert.same({10, -1, 4}, sums:totable())
    local seen = {}
    cn.ndimage.labeled_comprehension(x, labels, {2}, function(values, where)
      seen = where:totable()
      return values.size
    end, "float64", 0, true)
    assert.equal(3, #seen)
  end)

  it("the positions that distances come from are at these distances", function()
    local x = cn.random.default_rng(3):random({12, 15}):gt(0.1)
    for _, spacing in ipairs {{1, 1}, {2, 0.5}} do
      local distances, places = cn.ndimage.distance_transform_edt(x, spacing, true, true)
      assert.is_true(places:has_shape(2, 12, 15))
      assert.is_false(x[{places[1], places[2]}]:any())
      local rows, columns = cn.range(1, 12):reshape(12, 1), cn.range(1, 15)
      local squares = ((places[1] - rows) * spacing[1]) ^ 2 + ((places[2] - columns) * spacing[2]) ^ 2
      assert.is_true(squares:sqrt():allclose(distances, 1e-12))
    end
    assert.is_true(cn.ndimage.distance_transform_edt(cn.ones {2, 3}):isinf():all())
  end)

  --- Distances from the background, Euclidean, taxicab and chessboard, by the cpu device from all of it.
  local function distances_of(x)
    return cn.device("cpu"):with(function()
      local row, column = unpack(cn.nonzero(x:to("cpu"):logical_not()))
      local down = (cn.range(1, x.shape[1]):reshape(-1, 1, 1) - row):abs()
      local across = (cn.range(1, x.shape[2]):reshape(1, -1, 1) - column):abs()
      return cn.sqrt((down ^ 2 + across ^ 2):min(3):astype "float64"), (down + across):min(3):astype "int32",
        cn.maximum(down, across):min(3):astype "int32"
    end)
  end

  it("distances along long lines are the least over all elements", function()
    for _, shape in ipairs {{3, 700}, {700, 3}, {17, 270}} do
      for _, background in ipairs {0.3, 0.004} do
        local x = cn.random.default_rng(7):random(shape):ge(background)
        x[{1, 1}] = 0
        local euclidean, taxicab, chessboard = distances_of(x)
        local distances, places = cn.ndimage.distance_transform_edt(x, nil, true, true)
        assert.is_true(distances:to("cpu") == euclidean)
        assert.is_false(x[{places[1], places[2]}]:any())
        assert.is_true(cn.ndimage.distance_transform_cdt(x, "taxicab"):to("cpu") == taxicab)
        assert.is_true(cn.ndimage.distance_transform_cdt(x):to("cpu") == chessboard)
      end
    end
  end)

  it("nothing but foreground is infinitely far", function()
    assert.is_true(cn.ndimage.distance_transform_edt(cn.ones {300, 3}):isinf():all())
    assert.is_true(cn.ndimage.distance_transform_cdt(cn.ones {2, 3}):eq(-1):all())
  end)
end)
