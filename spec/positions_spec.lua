--- Positions as arrays: where elements are not 0, of grids and triangles, flat and by axis. That every function
--- counts positions from 1 is positions_rule_spec.lua's.
local cn = require "cuna"
local devices = require "spec.support.devices"

local it = devices.rehearsed_it()
local golden = dofile("spec/golden/positions.lua")
local raises = require("spec.support.raises").raises

local DTYPES = {"bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "bfloat16",
  "float32", "float64", "complex64", "complex128"}

local function counting(...) return cn.arange(cn.zeros({...}, "int8").size):reshape({...}) end

local function flat(x) return x:reshape(-1):totable() end

--- The elements of each array of a table, all of which are int64.
local function flat_all(list)
  local out = {}
  for k, array in ipairs(list) do
    assert.equal("int64", array.dtype)
    out[k] = flat(array)
  end
  return out
end

--- The same elements as a view that is not row-major.
local function scattered(x)
  local shape = x.shape
  for axis = 1, #shape do shape[axis] = 2 * shape[axis] end
  local room = cn.ones(shape, x.dtype)["::-2" .. (", ::2"):rep(#shape - 1)]
  room["..."] = x
  return room
end

local function array_of(values, shape, dtype) return cn.array(values, dtype):reshape(shape) end

devices.each_device(function(device)
  describe("where elements are not 0", function()
    it("agrees with NumPy", function()
      for _, case in ipairs(golden.nonzero) do
        local m = array_of(case.mask, case.shape, "bool")
        for _, mask in ipairs {m, scattered(m), m:astype "float32"} do
          assert.same(case.axes, flat_all(cn.nonzero(mask)))
          assert.same(case.axes, flat_all(cn.where(mask)))
          assert.same(case.flat, flat(cn.flatnonzero(mask)))
          local where = cn.argwhere(mask)
          assert.is_true(where:has_shape(#case.flat, #case.shape) and where.dtype == "int64")
          assert.same(case.where, flat(where))
        end
      end
    end)

    it("takes every dtype: NaN is not 0, -0 is", function()
      for _, dtype in ipairs(DTYPES) do
        assert.same({2, 4}, cn.array({0, 1, 0, 1, 0}, dtype):flatnonzero():totable(), dtype)
      end
      for _, dtype in ipairs {"float16", "bfloat16", "float32", "float64"} do
        assert.same({2, 4, 5}, flat(cn.nonzero(cn.array({-0.0, cn.nan, 0, -cn.inf, 2 ^ -14}, dtype))[1]), dtype)
      end
      for _, dtype in ipairs {"complex64", "complex128"} do
        local values = {cn.complex(0, 0), cn.complex(0, 2), cn.complex(-0.0, 0), cn.complex(0, cn.nan), 1}
        assert.same({2, 4, 5}, flat(cn.nonzero(cn.array(values, dtype))[1]), dtype)
      end
      assert.same({1, 4}, flat(cn.nonzero(cn.array({-2, 0, 0, 300}, "int16"))[1]))
      assert.same({3}, flat(cn.nonzero {0, 0, 5}[1]))
    end)

    it("selects elements of every dtype and size", function()
      for _, dtype in ipairs(DTYPES) do
        local x = cn.array({1, 0, 1, 1, 0}, dtype)
        assert.is_true(x[x:ne(0)] == cn.ones(3, dtype), dtype)
      end
      for _, size in ipairs {1, 31, 32, 33, 64, 1000, 100003} do
        local x = cn.arange(size)
        local m = x:mod(3):eq(1)
        assert.is_true(x[m] == cn.arange(1, size, 3), size)
        assert.is_true(x["::-1"][m["::-1"]] == cn.arange(1, size, 3)["::-1"], size)
        assert.is_true(cn.broadcast_to(7, size)[m] == cn.full(#cn.arange(1, size, 3), 7), size)
        assert.is_true(x[m:logical_not():logical_and(m)]:has_shape(0))
        assert.is_true(x[cn.ones(size, "bool")] == x)
      end
      local x = counting(40, 50)
      assert.is_true(x.T[x.T:gt(700)] == x.T:flatten()[x.T:flatten():gt(700)])
    end)

    it("gives keys that read and write", function()
      local x, m = counting(3, 4), counting(3, 4):mod(2):eq(1)
      assert.same({1, 3, 5, 7, 9, 11}, x[cn.nonzero(m)]:totable())
      x[cn.nonzero(m)] = -1
      assert.same({0, -1, 2, -1, 4, -1, 6, -1, 8, -1, 10, -1}, flat(x))
      x[cn.where(m)] = cn.arange(6)
      assert.same({0, 0, 2, 1, 4, 2, 6, 3, 8, 4, 10, 5}, flat(x))
      local v = cn.arange(5)
      v[cn.nonzero(v:gt(2))] = {7, 8}
      assert.same({0, 1, 2, 7, 8}, v:totable())
      assert.is_true(x[cn.nonzero(cn.zeros({3, 4}))]:has_shape(0))
      assert.is_true(x[cn.nonzero {0, 1, 1}] == x["2:3"])
    end)

    it("0-d arrays have no axis", function()
      assert.same({1}, cn.flatnonzero(5):totable())
      assert.same({}, cn.flatnonzero(0):totable())
      assert.is_true(cn.argwhere(5):has_shape(1, 0) and cn.argwhere(0):has_shape(0, 0))
      raises("nonzero: a 0-d array has no axis to name a position on", function() cn.nonzero(5) end)
      raises("where: a 0-d array has no axis to name a position on", function() cn.where(cn.array(5)) end)
      raises("nonzero: got a Lua boolean", function() cn.nonzero(true) end)
      raises("nonzero: expected an array, got nil", function() cn.nonzero() end)
    end)

    it("where with three arguments is as before", function()
      local m, x = cn.array {true, false}, cn.array({1, 2}, "int8")
      assert.same({1, -1}, cn.where(m, x, -1):totable())
      assert.equal("int8", cn.where(m, x, -1).dtype)
      assert.same({9, 2}, cn.where(m, 9, x, {out = x}):totable())
      assert.same({true, false}, cn.where(m, true, false):totable())
      raises("where: ", function() cn.where(m, 1) end)
      raises("where: ", function() cn.where(m, nil, 1) end)
    end)

    it("waits, which no_sync refuses", function()
      local m = cn.ones(3)
      for _, name in ipairs {"nonzero", "flatnonzero", "argwhere", "where"} do
        local ok, message = pcall(cn.no_sync, function() return cn[name](m) end)
        assert.is_false(ok)
        assert.truthy(message:find(name == "where" and "where" or name, 1, true), message)
      end
    end)
  end)

  describe("positions flat and by axis", function()
    it("unravel_index agrees with NumPy", function()
      for _, case in ipairs(golden.unravel) do
        for _, dtype in ipairs {"int64", "int8", "float32"} do
          local list = cn.unravel_index(cn.array(case.indices, dtype), case.shape, case.order)
          assert.same(case.axes, flat_all(list))
        end
      end
      local list = cn.unravel_index(cn.array {{1, 2}, {3, 4}}, {2, 2})
      assert.is_true(list[1] == cn.array {{1, 1}, {2, 2}} and list[2] == cn.array {{1, 2}, {1, 2}})
      assert.is_true(list[1]:has_shape(2, 2) and cn.unravel_index(3, 4)[1].ndim == 0)
      assert.same({}, cn.unravel_index(1, {}))
      assert.same({{}, {}}, flat_all(cn.unravel_index(cn.zeros(0, "int64"), {0, 3})))
      assert.same({{2}, {3}}, flat_all(cn.unravel_index(cn.array({6}, "uint64"), {2, 3})))
      local far = cn.array({2 ^ 53, 2 ^ 53 - 1, 2 ^ 27 + 1, 1, -1}, "int64") -- as far as positions go
      assert.same({{2 ^ 26, 2 ^ 26, 2, 1, 2 ^ 26}, {2 ^ 27, 2 ^ 27 - 1, 1, 1, 2 ^ 27}},
        flat_all(cn.unravel_index(far, {2 ^ 26, 2 ^ 27})))
    end)

    it("ravel_multi_index agrees with NumPy", function()
      for _, case in ipairs(golden.ravel) do
        assert.same(case.flat, flat(cn.ravel_multi_index(case.axes, case.shape, case.mode, case.order)))
        assert.same(case.flat, flat(cn.ravel_multi_index(cn.array(case.axes, "int16"), case.shape, {mode = case.mode,
          order = case.order})))
      end
      assert.same({2, 5}, flat(cn.ravel_multi_index({{1, 2}, 2}, {2, 3})))
      assert.same({4, 6}, flat(cn.ravel_multi_index({{4, 2}, {1, 9}}, {2, 3}, {"wrap", "clip"})))
      assert.same({{1, 2}, {4, 5}}, cn.ravel_multi_index({cn.array {{1}, {2}}, cn.array {1, 2}}, {2, 3}):totable())
      local all = cn.range(1, 60)
      assert.is_true(cn.ravel_multi_index(cn.unravel_index(all, {3, 4, 5}), {3, 4, 5}) == all)
    end)

    it("refuse what is out of range", function()
      local function reports(text, fn) -- where the script waits
        local ok, message = pcall(function()
          fn()
          device:synchronize()
        end)
        assert.is_true(not ok and message:find("cuna: " .. text, 1, true) ~= nil, tostring(message))
      end
      reports("unravel_index: position 7 is out of range for an axis of length 6", function()
        cn.unravel_index({1, 7}, {2, 3})
      end)
      reports("unravel_index: positions count from 1, and there is a 0", function() cn.unravel_index({0}, {2, 3}) end)
      reports("unravel_index: position -7 is out of range", function() cn.unravel_index(-7, {2, 3}) end)
      reports("unravel_index: a position is a whole number, and there is 1.5", function()
        cn.unravel_index(cn.array {1.5}, {2, 3})
      end)
      reports("ravel_multi_index: position 4 is out of range for an axis of length 3", function()
        cn.ravel_multi_index({1, 4}, {2, 3})
      end)
      for _, mode in ipairs {"raise", "wrap", "clip"} do
        reports("ravel_multi_index: positions count from 1, and there is a 0", function()
          cn.ravel_multi_index({1, 0}, {2, 3}, mode)
        end)
      end
    end)

    it("refuse other arguments", function()
      raises("unravel_index: the positions are missing", function() cn.unravel_index(nil, {2}) end)
      raises("unravel_index: a length of the shape is a count, got nil", function() cn.unravel_index({1}) end)
      raises("unravel_index: a length of the shape is a count, got -2", function() cn.unravel_index({1}, {3, -2}) end)
      raises("unravel_index: a shape of 1e+18 elements has more positions", function()
        cn.unravel_index({1}, {1e9, 1e9})
      end)
      raises('unravel_index: order is "C" or "F", got "K"', function() cn.unravel_index({1}, {3}, "K") end)
      raises("unravel_index: positions are whole numbers, got an array of bool", function()
        cn.unravel_index(cn.array {true}, {3})
      end)
      raises("ravel_multi_index: positions are whole numbers, got an array of complex128", function()
        cn.ravel_multi_index({cn.array {cn.complex(1, 1)}}, {3})
      end)
      raises("ravel_multi_index: positions for 1 axes, but dims has 2", function()
        cn.ravel_multi_index({{1}}, {2, 3})
      end)
      raises('ravel_multi_index: mode is "raise", "wrap" or "clip", got "error" for axis 1', function()
        cn.ravel_multi_index({1, 1}, {2, 3}, "error")
      end)
      raises("unravel_index: the shape has a length of 0", function() cn.unravel_index({1}, {0, 3}) end)
      raises("ravel_multi_index: the shape has a length of 0, so there is no position in it", function()
        cn.ravel_multi_index({1, 1}, {2, 0}, "wrap")
      end)
      raises("ravel_multi_index: expected a table of positions, got 5", function() cn.ravel_multi_index(5, {2}) end)
    end)
  end)

  describe("grids and triangles", function()
    it("tril_indices and triu_indices agree with NumPy", function()
      for _, case in ipairs(golden.triangles) do
        local options = {k = case.k, m = case.m}
        assert.same(case.lower, flat_all(cn.tril_indices(case.n, options)))
        assert.same(case.upper, flat_all(cn.triu_indices(case.n, options)))
        local x = cn.zeros {case.n, case.m or case.n}
        assert.same(case.lower, flat_all(x:tril_indices_from(case.k)))
        assert.same(case.upper, flat_all(x:triu_indices_from(case.k)))
      end
      assert.is_true(cn.tril_indices(2)[1].device == device)
      raises("tril_indices: n is a count, got -1", function() cn.tril_indices(-1) end)
      raises("triu_indices: k is a whole number, got 0.5", function() cn.triu_indices(2, 0.5) end)
      raises("triu_indices_from: expected 2 axes, got shape (3,)", function() cn.triu_indices_from {1, 2, 3} end)
    end)

    it("diag_indices are keys of diagonals", function()
      assert.same({{1, 2, 3}, {1, 2, 3}}, flat_all(cn.diag_indices(3)))
      assert.equal(3, #cn.diag_indices(2, 3))
      local x = counting(3, 3, 3)
      assert.same({0, 13, 26}, x[x:diag_indices_from()]:totable())
      assert.same({{}, {}}, flat_all(cn.diag_indices(0)))
      raises("diag_indices_from: expected at least 2 axes, all of one length, got shape (2, 3)", function()
        cn.diag_indices_from(cn.zeros {2, 3})
      end)
      raises("diag_indices_from: expected at least 2 axes", function() cn.diag_indices_from {1, 2} end)
    end)

    it("indices agree with NumPy", function()
      for _, case in ipairs(golden.indices) do
        local grid = cn.indices(case.shape)
        assert.is_true(grid:has_shape(case.result) and grid.dtype == "int64")
        assert.same(case.values, flat(grid))
        assert.same(case.sparse, flat_all(cn.indices(case.shape, {sparse = true})))
      end
      assert.is_true(cn.indices({2, 3}, nil, true)[2]:has_shape(1, 3) and cn.indices(3):has_shape(1, 3))
      assert.equal("float32", cn.indices({2}, "float32").dtype)
      raises("indices: a length of the shape is a count, got 1.5", function() cn.indices {1.5} end)
    end)

    it("ix_ makes keys of grids", function()
      local x = counting(3, 4)
      assert.same({{4, 6}, {8, 10}}, x[cn.ix_({2, 3}, {1, 3})]:totable())
      assert.same({{8, 9, 10, 11}}, x[cn.ix_(cn.array {false, false, true}, cn.range(1, 4))]:totable())
      assert.is_true(x[cn.ix_(cn.array({-1}, "int8"), {true, false, true, false})] == cn.array {{8, 10}})
      assert.is_true(x[cn.ix_({}, {1, 2})]:has_shape(0, 2))
      x[cn.ix_({1, 3}, {1, 4})] = -1
      assert.same({-1, 1, 2, -1, 4, 5, 6, 7, -1, 9, 10, -1}, flat(x))
      raises("ix_: expected 1-d lists, got shape (1, 2) as argument 2", function() cn.ix_({1}, {{1, 2}}) end)
    end)
  end)
end)
