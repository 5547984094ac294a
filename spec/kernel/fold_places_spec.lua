--- Where a fold is, by CuPy's names: _i, _J, _j, _in_ind, _out_ind. Each walk finds its outputs in its own way.
local cn = require "cuna"
local devices = require "spec.support.devices"

local it = devices.rehearsed_it()

local reduction = cn.ReductionKernel

-- Shapes and axes for each way to walk: long and short rows, columns, segments that are merged, axes in between.
local CASES = {
  {{4}, {1}}, {{3, 5}, {2}}, {{3, 5}, {1}}, {{3, 5}, {1, 2}}, {{2, 3, 4}, {2}}, {{2, 3, 4}, {1, 3}}, {{700, 3}, {2}},
  {{3, 700}, {1}}, {{2, 40000}, {2}}, {{40000, 2}, {1}}, {{1, 3, 1}, {2}}, {{300, 2, 70}, {2}},
}

--- The order of a fold's places: reduced axes, then the others. Returns the permutation and its inverse.
local function order_of(ndim, axes)
  local is_reduced, order, inverse = {}, {}, {}
  for _, axis in ipairs(axes) do is_reduced[axis] = true end
  for pass = 1, 2 do
    for axis = 1, ndim do
      if (is_reduced[axis] or false) == (pass == 1) then order[#order + 1] = axis end
    end
  end
  for at, axis in ipairs(order) do inverse[axis] = at end
  return order, inverse
end

--- An array whose elements are their places in a fold.
local function places(shape, axes)
  local order, inverse = order_of(#shape, axes)
  local lengths, size = {}, 1
  for at, axis in ipairs(order) do
    lengths[at] = shape[axis]
    size = size * shape[axis]
  end
  return cn.arange(size):reshape(lengths):transpose(inverse)
end

devices.each_device(function()
  it("is the same on all walks, for arrays of any layout", function()
    local count = reduction("T x, T place", "int64 y", [[place == _j && place == _J * _out_ind.size()
      + _i && i == _J && _in_ind.size() == n * _out_ind.size()]], "a + b", "y = a", 0, "count")
    for _, case in ipairs(CASES) do
      local shape, axes = unpack(case)
      local expected = places(shape, axes)
      for _, place in ipairs {expected, expected:copy()} do
        local got = count(place, place, {axis = axes})
        assert.is_true(cn.array_equal(got, cn.ones_like(place):sum(axes)), tostring(got))
      end
    end
  end)

  it("knows positions along axes", function()
    local x = cn.zeros({2, 3, 4}, "int64")
    local last = reduction("T x", "T y", "x + 10000 * _in_ind.get()[0] + 100 * _in_ind.get()[1] + _in_ind.get()[2]",
      "max(a, b)", "y = a", -1)
    assert.same({{20000, 20001, 20002, 20003}, {20100, 20101, 20102, 20103}}, last(x, {axis = 2}):totable())
    local out = reduction("T x", "T y", "0", "a + b", "y = 10 * _out_ind.get()[0] + _out_ind.get()[1] + 100 * _i", 0)
    assert.same({{0, 101, 202, 303}, {410, 511, 612, 713}}, out(x, {axis = 2}):totable())
    assert.same({{0, 101, 202}, {310, 411, 512}}, out(x, {axis = 3}):totable())
  end)

  it("is right for outputs that are given, of any layout", function()
    local x, whole = cn.zeros({3, 2}, "int64"), cn.zeros({3, 2}, "int64")
    local out = whole["..., 2"]
    local places_of = reduction("T x", "T y", "_i + x", "max(a, b)", "y = a + _i", 0)
    assert.is_true(places_of(x, out, {axis = 2}) == out)
    assert.same({{0, 0}, {0, 2}, {0, 4}}, whole:totable())
    assert.same({0, 2, 4}, places_of(x, cn.zeros(3, "int64"), {axis = 2}):totable())
  end)

  it("finds the position of the greatest element, as CuPy's argmax does", function()
    local argmax = reduction("T x", "int64 y", "Best(x, _J)", "a.v >= b.v ? a : b", "y = a.i", "Best(-CUDART_INF, 0)",
      "argmax", "Best", {preamble = [[struct Best {
        double v; long long i;
        __device__ Best() {}
        __device__ Best(double a, long long b) : v(a), i(b) {}
      };]]})
    local x = cn.array {{1, 9, 3}, {7, 5, 6}}
    assert.same({1, 0}, argmax(x, {axis = 2}):totable())
    assert.same({1, 0, 1}, argmax(x, {axis = 1}):totable())
    assert.equal(1, argmax(x):item())
  end)
end)
