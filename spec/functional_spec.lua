--- Functions that are called for slices, axes, conditions and coordinates: NumPy's shapes and answers, and errors.
local cn = require "cuna"
local devices = require "spec.support.devices"
local golden = require "spec.support.golden"
local raises = require("spec.support.raises").raises

local it = devices.rehearsed_it()

local function equal(a, b)
  assert.is_true(golden.rehearsing or (a.dtype == b.dtype and cn.array_equal(a, b)))
end

--- Integers in two layouts.
local function grids()
  local x = (cn.arange(24) * 7 % 11):reshape(2, 3, 4)
  return {x, golden.laid_out(x, 1), golden.laid_out(x, 2)}
end

devices.each_device(function()
  it("apply_along_axis puts what it got where the slices stood", golden.prepared(function()
    for _, x in ipairs(grids()) do
      for axis = -3, 3 do
        if axis ~= 0 then
          equal(x:sum(axis), cn.apply_along_axis(cn.sum, axis, x))
          equal(cn.flip(x, axis), cn.apply_along_axis(cn.flip, axis, x))
        end
      end
      local function outer(v) return v[{{}, cn.newaxis}] * v[{cn.newaxis, {}}] end
      local a, b = x[{{}, {}, cn.newaxis, {}}], x[{{}, cn.newaxis, {}, {}}]
      equal(a * b, cn.apply_along_axis(outer, 2, x))
      equal(x[{{}, {}, 1}] * 3, cn.apply_along_axis(function(v, by) return v[{{1}}]:reshape({}) * by end, 3, x, 3))
    end
  end))

  it("apply_along_axis takes numbers, and empty slices", function()
    local function ends(v) return v[1] * 10 + v[-1] end
    assert.same({13, 46}, cn.apply_along_axis(ends, 2, {{1, 2, 3}, {4, 5, 6}}):totable())
    assert.same({0, 0}, cn.apply_along_axis(cn.sum, 2, cn.zeros({2, 0})):totable())
    assert.equal(6, cn.apply_along_axis(cn.sum, 1, {1, 2, 3}):item())
  end)

  it("apply_over_axes keeps axes", function()
    for _, x in ipairs(grids()) do
      equal(x:sum({1, 3}, {keepdims = true}), cn.apply_over_axes(cn.sum, x, {1, -1}))
      equal(x:max(2, {keepdims = true}), cn.apply_over_axes(cn.max, x, 2))
    end
    equal(cn.array {2, 1}, cn.apply_over_axes(cn.flip, {1, 2}, 1))
  end)

  it("piecewise, with functions, numbers and arrays", function()
    local x = cn.array {-2, -1, 0, 4, 9}
    local pieces = cn.piecewise(x, {x:lt(0), x:gt(0)}, {function(v, by) return v * by end,
      function(v) return v:sqrt() end, 7}, 10)
    assert.same({-20, -10, 7, 2, 3}, pieces:totable())
    assert.same({-1, -1, 0, 0, 0}, cn.piecewise(x, x:lt(0), {-1}):totable())
    assert.same({2, 2, 2, 3, 3}, cn.piecewise(x, {x:gt(-3), x:gt(0)}, {2, cn.array(3)}):totable())
    local whole = cn.piecewise(cn.arange(3), {cn.array {true, false, true}}, {1.9, -1.5})
    assert.same({"int64", 1, -1, 1}, {whole.dtype, unpack(cn.array(whole, "float64"):totable())})
    local rows = cn.array({{true, false}, {false, true}})
    assert.same({5, 6}, cn.piecewise(cn.zeros(2), rows, {5, 6}):totable())
  end)

  it("fromfunction counts from 1", function()
    local made = cn.fromfunction(function(i, j) return i * 10 + j end, {2, 3}, "int64")
    equal(cn.array({{11, 12, 13}, {21, 22, 23}}, "int64"), made)
    assert.equal("float64", cn.fromfunction(function(i) return i end, 3).dtype)
    assert.same({1, 2}, {cn.fromfunction(function() return 1, 2 end, {2, 2})})
  end)

  it("refuse what does not fit", function()
    raises("apply_along_axis: expected a function, got 1", function() cn.apply_along_axis(1, 1, {1}) end)
    raises("apply_along_axis: there is no slice along axis 2 of shape (0, 3)", function()
      cn.apply_along_axis(cn.sum, 2, cn.zeros({0, 3}))
    end)
    raises("apply_along_axis: the function answered nil for slice 1", function()
      cn.apply_along_axis(function() end, 1, {1})
    end)
    raises("apply_along_axis: the function answered shape (1,) for slice 1 and (2,) for slice 2", function()
      cn.apply_along_axis(function(v) return cn.zeros(v[1]) end, 2, {{1}, {2}})
    end)
    raises("apply_over_axes: the function made 0 axes of 2; it may drop the one that it is given", function()
      cn.apply_over_axes(function(v) return v:sum() end, {{1}}, 1)
    end)
    raises("piecewise: 3 functions for 1 conditions; give one for each, and maybe one for the rest", function()
      cn.piecewise({1}, {cn.array {true}}, {1, 2, 3})
    end)
    raises("fromfunction: the shape is missing", function() cn.fromfunction(cn.sum) end)
  end)
end)
