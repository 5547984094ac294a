--- Positions among sorted elements: searchsorted and digitize, NumPy's results and errors.
local cn = require "cuna"
local devices = require "spec.support.devices"
local golden = require "spec.support.golden"
local raises = require("spec.support.raises").raises
local values = dofile "spec/golden/search.lua"

local it = devices.rehearsed_it()

local array, laid_out, same, prepared = golden.array, golden.laid_out, golden.same, golden.prepared

devices.each_device(function(device)
  describe("searchsorted", function()
    it("agrees with NumPy", prepared(function()
      for number, case in ipairs(values.sorts) do
        local a, v = laid_out(array(case.a), number), laid_out(array(case.v), math.floor(number / 4))
        same(case.result, a:searchsorted(v, case.side), "case " .. number)
        local unsorted, sorter = laid_out(array(case.unsorted), number), laid_out(array(case.sorter), number + 1)
        same(case.by_sorter, cn.searchsorted(unsorted, v, {side = case.side, sorter = sorter}), "case " .. number)
      end
    end))

    it("takes numbers and tables, in the dtype that distinguishes them", function()
      assert.equal(3, cn.searchsorted({1, 2, 3}, 2.5):item())
      assert.is_true(cn.searchsorted({1, 2, 3}, 2):has_shape {})
      assert.equal(2, cn.searchsorted(cn.array({5, 6}, "int8"), 5.5):item())
      assert.equal(3, cn.searchsorted(cn.array({5, 6}, "uint8"), 1000):item())
      assert.equal(1, cn.searchsorted(cn.array({5, 6}, "uint8"), -1000):item())
      local great = cn.array({9007199254740992LL, 9007199254740993LL})
      assert.equal(2, great:searchsorted(9007199254740993LL):item())
      assert.equal(3, cn.array({1, 18446744073709551614ULL}, "uint64"):searchsorted(18446744073709551615ULL):item())
      assert.same({{1, 2}, {3, 4}}, cn.searchsorted({1, 2, 3}, {{0, 2}, {3, 9}}):totable())
    end)

    it("finds many values in a long array", function()
      local a, v = cn.arange(70000), cn.arange(100001) * 7919LL % 70000
      assert.is_true(a:searchsorted(v) == v + 1)
      assert.is_true(a:searchsorted(v, "right") == v + 2)
    end)

    it("finds many values where it finds them one by one", prepared(function()
      local inf, nan = math.huge, 0 / 0
      local spread = cn.sort(cn.arange(100) * 7919 % 101 / 8)
      local function with(first, last) return cn.concatenate({cn.array(first), spread, cn.array(last)}) end
      local great = cn.sort(cn.concatenate({cn.array({-2 ^ 63, -2 ^ 62, 2 ^ 53}, "int64"),
        cn.arange(90, "int64") + 9223372036854775700LL}))
      for number, case in ipairs {
        {spread, spread}, {spread, spread:astype("int8")}, {spread:astype("float16"), spread},
        {with({-inf, -inf}, {inf}), with({-inf, nan}, {inf})},
        {with({-1e300}, {1e300, nan, nan}), with({-1e301}, {1e301, nan})},
        {cn.full(70, 3), spread}, {great, great}, {great:astype("uint64"), great:astype("uint64")},
      } do
        local a, v = cn.sort(case[1]), cn.tile(cn.concatenate({case[2], case[2] + 1}), 8)
        for _, side in ipairs {"left", "right"} do
          local found, places = cn.searchsorted(a, v, side), {}
          for first = 1, v.size, 50 do
            places[#places + 1] = cn.searchsorted(a, v[{{first, math.min(first + 49, v.size)}}], side)
          end
          local note = ("case %d, %s"):format(number, side)
          assert.is_true(golden.rehearsing or cn.array_equal(found, cn.concatenate(places)), note)
        end
        local held, member = {}, cn.isin(v, a)
        for first = 1, v.size, 50 do
          held[#held + 1] = cn.isin(v[{{first, math.min(first + 49, v.size)}}], a)
        end
        assert.is_true(golden.rehearsing or cn.array_equal(member, cn.concatenate(held)), "members, case " .. number)
      end
    end))

    it("refuses what it cannot do", function()
      raises("searchsorted: the sorted array has one axis, got shape (1, 2)", function()
        cn.searchsorted({{1, 2}}, 1)
      end)
      raises("searchsorted: side is \"left\" or \"right\", got \"middle\"", function()
        cn.searchsorted({1}, 1, "middle")
      end)
      raises("searchsorted: sorter has 1 positions for 2 elements", function()
        cn.searchsorted({1, 2}, 1, {sorter = {1}})
      end)
      raises("searchsorted: the values are missing", function() cn.searchsorted({1, 2}) end)
      raises("searchsorted: got a Lua boolean", function() cn.searchsorted({1, 2}, true) end)
      raises("searchsorted: position 3 is out of range for an axis of length 2", function()
        cn.searchsorted({1, 2}, 1, {sorter = {1, 3}})
        cn.synchronize()
      end)
    end)
  end)

  describe("digitize", function()
    it("agrees with NumPy", prepared(function()
      for number, case in ipairs(values.bins) do
        local x, bins = laid_out(array(case.x), number), laid_out(array(case.bins), math.floor(number / 4))
        same(case.result, cn.digitize(x, bins, case.right), "case " .. number)
      end
    end))

    it("refuses what it cannot do", function()
      raises("digitize: the edges are not sorted: that at position 3 is out of order", function()
        cn.digitize({1}, {1, 3, 2})
        cn.synchronize()
      end)
      raises("digitize: the edges are not sorted: that at position 2 is out of order", function()
        cn.digitize({1}, {3, 4, 2})
        cn.synchronize()
      end)
      raises("digitize: bins are of real numbers, got an array of complex128", function()
        cn.digitize({cn.complex(1, 1)}, {1})
      end)
      raises("digitize: bins has one axis, got shape ()", function() cn.digitize({1}, 5) end)
      raises("digitize: the bins are missing", function() cn.digitize({1}) end)
    end)
  end)

  it("arrays of two devices are refused", function()
    if device.kind == "cpu" then return end
    raises("searchsorted: one array is on cuda:0 and another on cpu", function()
      cn.searchsorted(cn.zeros(2), cn.zeros(2, nil, "cpu"))
    end)
  end)
end)
