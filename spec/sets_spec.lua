--- Arrays as sets: NumPy's results and errors.
local cn = require "cuna"
local devices = require "spec.support.devices"
local golden = require "spec.support.golden"
local raises = require("spec.support.raises").raises
local values = dofile "spec/golden/sets.lua"

local it = devices.rehearsed_it()

local array, laid_out, same, prepared = golden.array, golden.laid_out, golden.same, golden.prepared

devices.each_device(function(device)
  describe("sets", function()
    it("agree with NumPy", prepared(function()
      for number, case in ipairs(values.pairs) do
        local a, b = laid_out(array(case.a), number), laid_out(array(case.b), math.floor(number / 4))
        local note = "case " .. number
        same(case.isin, a:isin(b), note .. ": isin")
        same(case.isnot, cn.isin(a, b, {invert = true, kind = "sort"}), note .. ": isin, inverted")
        same(case.in1d, cn.in1d(a, b), note .. ": in1d")
        same(case.common, cn.intersect1d(a, b), note .. ": intersect1d")
        local common, in_a, in_b = cn.intersect1d(a, b, {return_indices = true})
        same(case.common, common, note .. ": intersect1d with positions")
        same(case.in_a, in_a, note .. ": positions in a")
        same(case.in_b, in_b, note .. ": positions in b")
        same(case.difference, cn.setdiff1d(a, b), note .. ": setdiff1d")
        same(case.left, cn.setdiff1d(array(case.different), b, true), note .. ": setdiff1d in order")
        same(case.either, cn.setxor1d(a, b), note .. ": setxor1d")
        same(case.union, cn.union1d(a, b), note .. ": union1d")
      end
    end))

    it("of different elements are looked through less", prepared(function()
      local a, b = cn.array {4, 1, 3}, cn.array {3, 9, 4}
      local common, in_a, in_b = cn.intersect1d(a, b, true, true)
      if golden.rehearsing then return end
      assert.same({3, 4}, common:totable())
      assert.same({3, 1}, in_a:totable())
      assert.same({1, 3}, in_b:totable())
      assert.same({1, 9}, cn.setxor1d(a, b, true):totable())
    end))

    it("isin waits for nothing, the others do", prepared(function()
      local a, b = cn.array {4, 1, 3}, cn.array {3, 9, 4}
      cn.no_sync(function() return a:isin(b), cn.in1d(a, b) end)
      for _, name in ipairs {"intersect1d", "setdiff1d", "setxor1d", "union1d"} do
        assert.is_false((pcall(cn.no_sync, cn[name], a, b)))
      end
    end))

    it("hold many elements", function()
      local a, b = cn.arange(100001) * 7919LL % 100001, cn.range(50000, 150000)
      assert.is_true(cn.intersect1d(a, b) == cn.range(50000, 100000))
      assert.is_true(cn.setdiff1d(a, b) == cn.arange(50000))
      assert.is_true(cn.union1d(a, b) == cn.arange(150001))
      assert.is_true(cn.isin(a, b) == a:ge(50000))
    end)

    it("refuse what they cannot do", function()
      raises("isin: the second array is missing", function() cn.isin({1}) end)
      raises("isin: kind is \"sort\" or \"table\", got \"hash\"", function() cn.isin({1}, {1}, {kind = "hash"}) end)
      raises("isin: invert is true or false, got 1", function() cn.isin({1}, {1}, {invert = 1}) end)
      raises("intersect1d: assume_unique is true or false, got 1", function() cn.intersect1d({1}, {1}, 1) end)
      raises("setdiff1d: expected an array, got nil", function() cn.setdiff1d(nil, {1}) end)
      raises("union1d: got a Lua boolean", function() cn.union1d({1}, true) end)
      if device.kind == "cpu" then return end
      raises("setxor1d: one array is on cuda:0 and another on cpu", function()
        cn.setxor1d(cn.zeros(2), cn.zeros(2, nil, "cpu"))
      end)
    end)
  end)

  it("unique agrees with NumPy", prepared(function()
    for number, case in ipairs(values.uniques) do
      local x, note = laid_out(array(case.x), number), "case " .. number
      local options = {return_index = true, return_inverse = true, return_counts = true, axis = case.axis,
        equal_nan = case.equal_nan}
      local all, index, inverse, counts = x:unique(options)
      same(case.values, all, note .. ": values")
      same(case.index, index, note .. ": index")
      same(case.inverse, inverse, note .. ": inverse")
      same(case.counts, counts, note .. ": counts")
      same(case.values, x:unique {axis = case.axis, equal_nan = case.equal_nan}, note .. ": values alone")
    end
  end))
end)
