--- The forms of operations of two operands, reduce, accumulate and outer: NumPy's results, and errors.
local cn = require "cuna"
local calls = require "spec.support.calls"
local devices = require "spec.support.devices"
local golden = dofile "spec/golden/ufunc.lua"
local raises = require("spec.support.raises").raises

local it = devices.rehearsed_it()

devices.each_device(function()
  describe("forms of operations agree with NumPy:", function()
    for name, list in pairs(golden) do
      it(name, function() calls.check_all(list) end)
    end
  end)

  describe("forms of operations", function()
    it("have all names of the operations", function()
      for _, row in ipairs(require "cuna.ops") do
        for _, name in ipairs {row.name, unpack(row.alias)} do
          local is_one = row.nargs == 2 and row.method
          assert.equal(is_one, rawget(cn, name .. "_outer") ~= nil, name)
          assert.equal(is_one and #row.expr == 1, rawget(cn, name .. "_reduce") ~= nil, name)
          assert.equal(is_one and #row.expr == 1, rawget(cn, name .. "_reduceat") ~= nil, name)
        end
      end
      raises("cuna has no function 'add_rduce'", function() local _ = cn.add_rduce end)
      raises("cuna has no function 'foo_reduce'", function() local _ = cn.foo_reduce end)
    end)

    it("begin with the identity, or with the first element", function()
      assert.equal(3, cn.hypot_reduce({-3}):item())
      assert.same({-3, 5}, cn.hypot_accumulate({-3, 4}):totable())
      assert.equal(4, cn.gcd_reduce(cn.array({-4}, "int8")):item())
      assert.equal(-4, cn.lcm_reduce(cn.array({-4}, "int8")):item())
      assert.equal(-math.huge, cn.logaddexp_reduce({}):item())
      assert.equal(-1, cn.bitwise_and_reduce(cn.zeros(0, "int8")):item())
      assert.is_true(cn.bitwise_and_reduce(cn.zeros(0, "bool")):item())
      assert.is_true(cn.subtract_reduce(cn.zeros {3, 0}):has_shape(0))
      assert.equal(5, cn.subtract_reduce(5):item())
      assert.equal(-2, cn.subtract_reduce(3, {initial = 1}):item())
      assert.same({{1, 2}}, cn.subtract_reduce({{1, 2}}, {axis = {}}):totable())
    end)

    it("combine segments in any order and of any length, by parts where they are long", function()
      local x = (cn.arange(3 * 70000, {dtype = "int64"}) * 7919LL % 1013 - 500):reshape(3, 70000)
      local positions = {1, 65, 66, 64 * 64 + 1, 101, -1, 2, 2501, 2501, 1, 69000, 3}
      for _, case in ipairs {{x, 2}, {x.T, 1}, {x[":, ::-1"], 2}, {x.T:copy(), 1}} do
        local rows, axis = case[1], case[2]
        local length = rows.shape[axis]
        for _, name in ipairs {"add", "maximum", "subtract"} do
          local got = cn[name .. "_reduceat"](rows, positions, axis):moveaxis(axis, 1)
          for k, first in ipairs(positions) do
            first = first < 0 and length + 1 + first or first
            local after = positions[k + 1] or length + 1
            after = after < 0 and length + 1 + after or after
            local part = rows:moveaxis(axis, 1)[{{first, after > first and after - 1 or first}}]
            assert.is_true(cn[name .. "_reduce"](part, 1) == got[k], name .. k)
          end
        end
      end
      assert.is_true(cn.add_reduceat({1, 2}, cn.zeros(0, "int64")):has_shape(0))
      assert.is_true(cn.add_reduceat(cn.zeros {0, 3}, {1, 3}, 2):has_shape(0, 2))
      local out = cn.array {1, 2, 3, 4}
      assert.equal(out, cn.add_reduceat(out, {1, 2, 3, 4}, {out = out}))
      assert.same({1, 2, 3, 4}, out:totable())
    end)

    it("combine columns that lie side by side, or apart", function()
      local wide = cn.arange(3 * 2500):reshape(3, 2500) % 97
      local expected = wide[1] - wide[2] - wide[3]
      for _, x in ipairs {wide, wide.T:copy().T, cn.concatenate {wide, wide, wide}["4:6"]} do
        assert.is_true(cn.subtract_reduce(x) == expected)
        assert.is_true(cn.subtract_reduce(x["::-1, ::-1"]["::-1"]) == expected["::-1"])
        assert.is_true(cn.subtract_accumulate(x)[3] == expected)
        assert.is_true(cn.subtract_accumulate(x.T, {axis = 2})[":, 3"] == expected)
      end
      assert.is_true(cn.subtract_reduce(wide:reshape(3, 50, 50)) == expected:reshape(50, 50))
      local square = wide:reshape(3, 50, 50)["..., ::7"]
      assert.is_true(cn.subtract_accumulate(square)[3] == expected:reshape(50, 50)[":, ::7"])
    end)

    it("combine as many as there are, in order", function()
      for _, count in ipairs {15, 16, 17, 31, 32, 33, 143, 144, 145, 300} do
        local x = cn.arange(count * 3):reshape(count, 3) * 37 % 101
        local expected = x:cumsum(1) * -1 + 2 * x[1] -- exact: whole numbers
        for _, m in ipairs {x, x.T:copy().T} do
          assert.is_true(cn.subtract_accumulate(m) == expected, count)
          assert.is_true(cn.subtract_reduce(m) == expected[-1], count)
          assert.is_true(cn.subtract_reduce(m, {initial = 5}) == 5 - x:sum(1), count)
          assert.is_true(cn.subtract_reduce(m, {initial = 5, where = x:gt(9)}) == 5 - (x * x:gt(9)):sum(1), count)
        end
      end
    end)

    it("keep NaN, -0 and what comes first", function()
      assert.is_true(cn.isnan(cn.maximum_reduce {1, cn.nan, 2}):item())
      assert.same({true, true, true}, cn.isnan(cn.minimum_accumulate {cn.nan, 1, 2}):totable())
      assert.same({1, 2}, cn.fmax_accumulate({1, cn.nan, 2})["::2"]:totable())
      assert.equal(-math.huge, 1 / cn.subtract_reduce({-0.0}):item())
      assert.equal(math.huge, 1 / cn.add_reduce({-0.0, 1}, {where = {false, false}}):item())
    end)

    it("write to out, which may be what they read", function()
      local x = cn.array {5, 2, 1}
      assert.equal(x, cn.subtract_accumulate(x, {out = x}))
      assert.same({5, 3, 2}, x:totable())
      cn.subtract_accumulate(x, {out = x["::-1"]})
      assert.same({0, 2, 5}, x:totable())
      local m = cn.arange(6):reshape(2, 3):astype "float64"
      cn.subtract_reduce(m, {out = m[1]})
      assert.same({{-3, -3, -3}, {3, 4, 5}}, m:totable())
      local kept = cn.zeros({2, 1}, "float32")
      assert.equal(kept, cn.divide_reduce(cn.array {{8, 2}, {9, 3}}, {axis = 2, keepdims = true, out = kept}))
      assert.same({{4}, {3}}, kept:totable())
      cn.maximum_reduce(cn.array({1, 2}, "float16"), {initial = 3, out = kept[{1, 1, cn.ellipsis}]})
      assert.equal(3, kept[{1, 1}])
    end)

    it("compute in the requested dtype", function()
      assert.equal("int8", cn.add_reduce(cn.array({1, 2}, "int8"), {dtype = "int8"}).dtype)
      assert.equal(3, cn.subtract_reduce({5.5, 2}, {dtype = "int32"}):item())
      assert.equal(true, cn.less_reduce({0, 2}, {dtype = "bool"}):item())
      assert.equal("float32", cn.divide_accumulate(cn.array({8, 2}, "int8"), {dtype = "float32"}).dtype)
      assert.equal(0.5, cn.subtract_reduce(cn.array({1, 0.5}, "bfloat16")):item())
      assert.equal("bfloat16", cn.add_accumulate(cn.array({1, 0.5}, "bfloat16")).dtype)
      assert.equal("float32", cn.add_outer(cn.array({1, 2}, "float32"), 0.5).dtype)
      local quotients, rests = cn.divmod_outer({3, 4}, {2, 3})
      assert.same({{{1, 1}, {2, 1}}, {{1, 0}, {0, 1}}}, {quotients:totable(), rests:totable()})
    end)

    it("raise", function()
      local x = cn.ones {2, 3}
      raises("subtract_reduce: zero elements to reduce, and subtract_reduce has no identity", function()
        cn.subtract_reduce {}
      end)
      raises("maximum_reduce: zero elements to reduce", function() cn.maximum_reduce {} end)
      raises("maximum_reduce: where may exclude all elements, and maximum has no identity; give initial", function()
        cn.maximum_reduce({1, 2}, {where = {true, false}})
      end)
      raises("subtract_reduce: the order of combining matters, so it takes one axis, not 2", function()
        cn.subtract_reduce(x, {axis = {1, 2}})
      end)
      raises("less_reduce: less of two float64 is bool, which does not combine with the next", function()
        cn.less_reduce {3, 2}
      end)
      raises("logical_and_reduce: gives bool, not int8", function() cn.logical_and_reduce({1}, {dtype = "int8"}) end)
      raises("subtract_reduce: not defined for bool; use bitwise_xor", function() cn.sub_reduce(x:gt(0)) end)
      raises("gcd_reduce: not defined for float64", function() cn.gcd_reduce(x) end)
      raises("add_reduce: complex128 does not cast to float64; use x.real", function()
        cn.add_reduce({cn.complex(1, 2)}, {dtype = "float64"})
      end)
      raises("add_reduce: axis 3 is out of range", function() cn.add_reduce(x, 3) end)
      raises("add_reduce: out has shape (2,), but the result has shape (3,)", function()
        cn.add_reduce(x, {out = cn.zeros(2)})
      end)
      raises("divide_reduce: a float64 result cannot be written to int8", function()
        cn.divide_reduce(x, {out = cn.zeros(3, "int8")})
      end)
      raises("add_reduce: where is an array of bools, got float64", function()
        cn.add_reduce(x, {where = {1, 0, 1}})
      end)
      raises("add_reduce: initial is one number, got shape (2,)", function() cn.add_reduce(x, {initial = {1, 2}}) end)
      raises("add_reduce: expected an array, got nil", function() cn.add_reduce() end)
      raises("add_accumulate: a 0-d array has no axis; give x:reshape(1)", function() cn.add_accumulate(5) end)
      raises("subtract_accumulate: the array of shape (3,) is a broadcast view", function()
        cn.subtract_accumulate({1, 2, 3}, {out = cn.broadcast_to(1, 3)})
      end)
      raises("add_reduceat: a 0-d array has no axis", function() cn.add_reduceat(5, {1}) end)
      raises("add_reduceat: the positions are missing", function() cn.add_reduceat(x) end)
      raises("add_reduceat: the positions have one axis, got shape (1, 1)", function() cn.add_reduceat(x, {{1}}) end)
      raises("add_reduceat: positions are whole numbers, got an array of bool", function()
        cn.add_reduceat(x, {true})
      end)
      raises("add_reduceat: axis 1 has no elements for 2 positions", function() cn.add_reduceat({}, {1, 2}) end)
      raises("add_reduceat: position 7 is out of range", function()
        cn.add_reduceat({1, 2}, {7})
        cn.synchronize()
      end)
      raises("add_outer: takes two arrays; the second is missing", function() cn.add_outer(x) end)
    end)
  end)
end)
