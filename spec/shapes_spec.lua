--- Functions that join, cut, repeat, move, edit and pad arrays: NumPy's results, and errors.
local cn = require "cuna"
local devices = require "spec.support.devices"
local preparing = require "spec.support.golden"
local golden = dofile "spec/golden/shapes.lua"
local raises = require("spec.support.raises").raises

local it = devices.rehearsed_it()

local prepared = preparing.prepared

--- (7 k + 1) % 11 for k = 0, 1, ... in a shape.
local function counting(shape, dtype)
  local size = 1
  for _, length in ipairs(shape) do size = size * length end
  return ((cn.arange(size) * 7 + 1) % 11):reshape(shape):astype(dtype or "int64")
end

--- x in three layouts: row-major, with its axes in memory the other way round, and as every second element backwards.
local function in_layout(x, number)
  if number % 3 == 0 then return x end
  if number % 3 == 1 then return x.T:copy().T end
  local backward = cn.zeros({2 * x.size + 1}, x.dtype)[{{-2, 1, -2}}]:reshape(x.shape)
  backward[cn.ellipsis] = x
  return backward
end

local function same(expected, x, dtype, note)
  if preparing.rehearsing then return end
  assert.equal(dtype, x.dtype, note)
  assert.is_true(x:has_shape(expected.shape), note .. ": " .. tostring(x.shape))
  local values = {}
  for i, value in ipairs(expected.values) do values[i] = type(value) == "boolean" and value or tonumber(value) end
  if dtype == "bool" then values = expected.values end
  local got = dtype:find "^complex" and x.real or x
  assert.same(values, got:reshape(-1):totable(), note)
end

local function agree(cases)
  local methods = require("cuna.core").methods()
  for number, case in ipairs(cases) do
    local note = ("case %d: %s of %s"):format(number, case.name, case.dtype)
    local x = in_layout(counting(case.shape, case.dtype), number)
    local got = cn[case.name](x, unpack(case.arguments))
    if type(got) ~= "table" then got = {got} end
    if not preparing.rehearsing then assert.equal(#case.results, #got, note) end
    for i, result in ipairs(case.results) do
      if got[i] then same(result, got[i], case.dtype, note) end
    end
    if number % 5 == 0 and methods[case.name] and #got == 1 then
      same(case.results[1], x[case.name](x, unpack(case.arguments)), case.dtype, note)
    end
  end
end

devices.each_device(function()
  describe("agree with NumPy:", function()
    for _, family in ipairs {"splits", "repeats", "turns", "edits", "pads"} do
      it(family, prepared(function() agree(golden[family]) end))
    end

    it("joins", prepared(function()
      for number, case in ipairs(golden.joins) do
        local arrays = {}
        for k, shape in ipairs(case.shapes) do arrays[k] = in_layout(counting(shape, case.dtypes[k]), number + k) end
        same(case.result, cn[case.name](arrays), case.dtype, ("case %d: %s"):format(number, case.name))
      end
    end))

    it("trims", prepared(function()
      for number, case in ipairs(golden.trims) do
        for _, dtype in ipairs {"int64", "float32"} do
          local x = in_layout(cn.array(case.values, dtype):reshape(case.shape), number)
          same(case.result, cn.trim_zeros(x, case.trim, case.axis), dtype, "case " .. number)
        end
      end
    end))
  end)

  describe("joining", function()
    it("takes many arrays, of several dtypes, overlapping out", function()
      local list, out = {}, cn.zeros(300)
      for i = 1, 100 do list[i] = cn.full(3, i, ({"int8", "float32", "int16"})[i % 3 + 1]) end
      assert.equal("float32", cn.concatenate(list).dtype)
      assert.is_true(cn.concatenate(list) == cn.repeat_interleave(cn.range(1, 100), 3))
      list[1], list[2] = out["4:6"], out["1:3"]
      out["1:6"] = {1, 2, 3, 4, 5, 6}
      cn.concatenate(list, {out = out})
      assert.same({4, 5, 6, 1, 2, 3, 3, 3, 3}, out["1:9"]:totable())
    end)

    it("stacks along any axis, into strided outputs too", function()
      local a, b = counting {2, 3}, counting({2, 3}, "float32") * 2
      for axis = 1, 3 do
        local c = cn.stack({a, b}, axis)
        assert.equal("float64", c.dtype)
        local out = cn.zeros(c.T.shape).T
        assert.equal(out, cn.stack({a, b.T:copy().T}, {axis = axis, out = out}))
        assert.is_true(out == c and c:moveaxis(axis, 1)[1] == a and c:moveaxis(axis, 1)[2] == b)
      end
      assert.is_true(cn.stack({cn.zeros {0, 2}, cn.zeros {0, 2}}, 2):has_shape(0, 2, 2))
      raises("stack: array 1 has shape (2, 3) and array 3 has shape (3, 2)", function() cn.stack {a, b, a.T} end)
      raises("stack: 33 axes are more than the 32", function() cn.stack {cn.zeros(cn.ones(32):totable())} end)
    end)

    it("makes rows, columns and layers of tables and numbers", function()
      assert.same({{1, 3}, {2, 4}}, cn.column_stack {{1, 2}, {3, 4}}:totable())
      assert.same({{{1, 2}}}, cn.dstack {1, 2}:totable())
      assert.equal("int8", cn.dstack({{1, 2}, {3, 4}}, "int8").dtype)
      assert.is_true(cn.column_stack(cn.arange(6):reshape(3, 2)) == cn.arange(6):reshape(3, 2).T)
      raises("column_stack: array 1 of shape (2, 1) and array 2 of shape (3, 1) differ in axis 1", function()
        cn.column_stack {{1, 2}, {1, 2, 3}}
      end)
      raises("dstack: expected a table of arrays, got 5", function() cn.dstack(5) end)
      local freed = cn.ones(2)
      freed:free()
      raises("hstack: the array was freed at", function() cn.hstack {cn.ones(2), freed} end)
    end)

    it("puts blocks together", function()
      local a, b = cn.ones({2, 2}, "int8"), cn.zeros({2, 3}, "int16")
      local c = cn.block {{a, b}, {cn.full({1, 5}, 7, "int8")}}
      assert.equal("int16", c.dtype)
      assert.same({{1, 1, 0, 0, 0}, {1, 1, 0, 0, 0}, {7, 7, 7, 7, 7}}, c:totable())
      assert.is_true(cn.block {1, 2, 3} == cn.array {1, 2, 3} and cn.block(5):has_shape {})
      assert.is_true(cn.block {{1, 2}, {3, 4}} == cn.array {{1, 2}, {3, 4}})
      assert.is_true(cn.block {a, a} == cn.hstack {a, a} and cn.block {{a}, {a}} == cn.vstack {a, a})
      assert.is_true(cn.block {{{a}}, {{a}}} == cn.stack {a, a} and cn.block {{{1}}}:has_shape(1, 1, 1))
      assert.equal("int8", cn.block {{a, cn.zeros({2, 0}, "int8")}, {3, 4}}.dtype)
      assert.equal("float64", cn.block {1.5, cn.arange(2)}.dtype)
      assert.is_false(cn.block(a):shares_memory(a))
      raises("block: part 2 of a table has length 1 along axis 1, and the first one 2", function()
        cn.block {{a, cn.zeros {1, 2}}}
      end)
      raises("block: part 2 of a table has length 2 along axis 2, and the first one 4", function()
        cn.block {{a, a}, {a}}
      end)
      raises("block: one array is nested in 2 tables and another one in 1", function() cn.block {{a}, a} end)
      raises("block: the table of arrays is empty", function() cn.block {{}} end)
      raises("block: expected arrays and numbers in nested tables, got \"x\"", function() cn.block {"x"} end)
    end)
  end)

  describe("views", function()
    it("share memory", function()
      local x = counting {2, 3, 4}
      for _, view in ipairs {cn.split(x, 2)[2], cn.dsplit(x, {2})[2], x:rot90(), x:rot90(0), x:rot90(2), x:flipud(),
        x:fliplr(), x:rollaxis(3), x:matrix_transpose(), cn.permute_dims(x, {2, 1, 3}), (cn.broadcast_arrays(x, 1)),
        (cn.atleast_3d(x[1]))} do
        assert.is_true(view:shares_memory(x))
      end
      assert.is_true(rawequal(x, cn.atleast_3d(x)) and x:permute_dims(3, 1, 2) == x:transpose(3, 1, 2))
      x:split(2)[1]:fill(0)
      assert.equal(0, x[1]:sum():item())
    end)

    it("are made of several arrays at once", function()
      local a, b, c = cn.atleast_2d(5, {1, 2}, cn.zeros {2, 2})
      assert.is_true(a:has_shape(1, 1) and b:has_shape(1, 2) and c:has_shape(2, 2))
      a, b = cn.broadcast_arrays(cn.arange(2), {{1}, {2}, {3}})
      assert.is_true(a:has_shape(3, 2) and b:has_shape(3, 2) and not a.flags.writeable)
      assert.same({{1, 1}, {2, 2}, {3, 3}}, b:totable())
      local shape = cn.broadcast_shapes({2, 1}, 3, {1, 1, 1}, {})
      assert.is_true(shape == cn.zeros({1, 2, 3}).shape)
      assert.equal("(1, 2, 3)", tostring(shape))
      assert.equal("()", tostring(cn.broadcast_shapes()))
      assert.is_true(cn.broadcast_shapes({0}, {1}) == cn.zeros(0).shape)
      raises("broadcast_shapes: shapes (2,), (3,) do not broadcast", function() cn.broadcast_shapes(2, {3}) end)
      raises("broadcast_arrays: shapes (2,), (3,) do not broadcast", function()
        cn.broadcast_arrays({1, 2}, {1, 2, 3})
      end)
      raises("broadcast_arrays: expected an array", function() cn.broadcast_arrays() end)
      raises("atleast_1d: got a Lua boolean", function() cn.atleast_1d(true) end)
    end)

    it("check axes and split points", function()
      local x = counting {2, 3}
      raises("split: an axis of length 3 does not divide into 2 equal parts; use cn.array_split", function()
        x:split(2, 2)
      end)
      raises("split: the number of parts is 0", function() x:split(0) end)
      raises("split: the number of parts is a count, got 1.5", function() x:split(1.5) end)
      raises("split: split points count from 1, and there is a 0", function() x:split({0}) end)
      raises("split: a split point is a whole number, got 1.5", function() x:split({1.5}) end)
      raises("split: split points have one axis", function() x:split(cn.ones {1, 1}) end)
      raises("array_split: expected how many parts, or a table of split points, got nil", function()
        cn.array_split(x)
      end)
      raises("split: axis 3 is out of range for an array of 2 axes", function() x:split(1, 3) end)
      raises("vsplit: expected at least 2 axes, got shape (3,)", function() x[1]:vsplit(1) end)
      raises("dsplit: expected at least 3 axes, got shape (2, 3)", function() x:dsplit(1) end)
      raises("hsplit: expected at least 1 axis, got shape ()", function() cn.hsplit(5, 1) end)
      raises("rollaxis: start is an axis of the 2, or 3, got 4", function() x:rollaxis(1, 4) end)
      raises("rollaxis: start is an axis of the 2, or 3, got 0", function() x:rollaxis(1, 0) end)
      raises("rot90: both axes are 2", function() x:rot90(1, {2, -1}) end)
      raises("rot90: axes are a table of two", function() x:rot90(1, 1) end)
      raises("rot90: k is a whole number, got 0.5", function() x:rot90(0.5) end)
      raises("fliplr: expected at least 2 axes, got shape (3,)", function() x[1]:fliplr() end)
      raises("matrix_transpose: expected at least 2 axes, got shape (3,)", function() x[1]:matrix_transpose() end)
    end)

    it("are fused", function()
      local f = cn.fuse(function(x) return x:flipud():rot90() + x.T:permute_dims() end)
      local x = counting({3, 3}, "float32")
      assert.is_true(f(x) == x:flipud():rot90() + x)
    end)
  end)

  describe("repeating", function()
    it("takes counts as arrays of any real dtype, and as masks", function()
      local counts = counting {500}
      local x = cn.arange(500)
      local expected = x:repeat_interleave(counts:totable())
      assert.equal(counts:sum():item(), expected.size)
      for _, dtype in ipairs {"int64", "uint8", "float32", "float16"} do
        assert.is_true(x:repeat_interleave(counts:astype(dtype)) == expected, dtype)
      end
      assert.is_true(x:repeat_interleave(counts:gt(5)) == x[counts:gt(5)])
      assert.is_true(x:reshape(20, 25):repeat_interleave(counts["1:25"], 2)
        == x:reshape(20, 25)[{{}, cn.arange(25):repeat_interleave(counts["1:25"]) + 1}])
      assert.same({1, 1, 2, 2}, cn.repeat_interleave({1, 2}, cn.array {2}):totable())
      assert.same({3, 3}, cn.repeat_interleave({1, 2, 3, 4}, {0, 0, 2, 0}):totable())
      assert.is_true(cn.repeat_interleave({1, 2}, cn.array {0, 0}):has_shape(0))
      assert.is_true(cn.repeat_interleave({}, {}):has_shape(0) and cn.repeat_interleave({}, cn.zeros(0)):has_shape(0))
    end)

    it("skips elements that do not come", function()
      local counts = cn.zeros(100000, "int64")
      counts[70000], counts[99999] = 40, 3
      local got = cn.arange(100000):repeat_interleave(counts)
      assert.is_true(got == cn.repeat_interleave({69999, 99998}, {40, 3}))
    end)

    it("refuses invalid counts", function()
      local x = cn.arange(3)
      for value, text in pairs {[-1] = "-1", [1.5] = "1.5", [cn.inf] = "a value that is not finite"} do
        raises("repeat_interleave: a count is a whole number of at least 0, got " .. text, function()
          return (x:repeat_interleave(cn.array {1, value, 1}))
        end)
      end
      raises("repeat_interleave: repeats is a count, got -1", function() x:repeat_interleave(-1) end)
      raises("repeat_interleave: repeats is a count, got nil", function() x:repeat_interleave() end)
      raises("repeat_interleave: repeats is a count, got 0.5", function() x:repeat_interleave({1, 0.5, 1}) end)
      raises("repeat_interleave: 2 counts for an axis of length 3", function()
        x:repeat_interleave({1, 2})
      end)
      raises("repeat_interleave: counts are whole numbers, got an array of complex128", function()
        x:repeat_interleave(cn.ones(3, "complex128"))
      end)
      raises("tile: reps is a count, got -1", function() x:tile(-1) end)
      raises("tile: reps is missing", function() x:tile() end)
      raises("roll: 2 shifts for 3 axes", function() cn.ones({1, 1, 1}):roll({1, 2}, {1, 2, 3}) end)
      assert.is_true(cn.roll(5, {}, {axis = {}}) == cn.array(5))
      raises("roll: a shift is a whole number, got 0.5", function() x:roll(0.5) end)
      raises("roll: a shift is a number or a table of numbers, got a cuna array of shape ", function() x:roll(x) end)
      raises("roll: a shift is a number or a table of numbers, got a cuna array of shape (); write x:item() for its "
        .. "number", function() x:roll(cn.array(1)) end)
      raises("roll: axis 2 is out of range", function() x:roll(1, 2) end)
      raises("roll: the shift is missing", function() x:roll() end)
    end)
  end)

  describe("editing", function()
    it("takes positions and masks in arrays", function()
      local x = counting {4, 5}
      for axis = 1, 2 do
        assert.is_true(x:delete(cn.array {2, -1, 2}, axis) == x:delete({2, -1}, axis))
        assert.is_true(x:insert(cn.array {2, -1, 1}, 7, axis) == x:insert({2, -1, 1}, 7, axis))
      end
      assert.is_true(x:delete(cn.range(2, 19)) == x:delete(x:reshape(-1):lt(0)) [cn.array {1, 20}])
      assert.is_true(x:delete(cn.array {false, true, false, false}, 1) == x:delete(2, 1))
      assert.is_true(x:delete(cn.array(3), 2) == x:delete(3, 2))
      assert.is_true(cn.insert({1, 2, 3}, cn.array {true, false, true}, {8, 9}) == cn.array {8, 1, 2, 9, 3})
      raises("delete: position 6 is out of range for an axis of length 5", function()
        local _ = x:delete(cn.array {1, 6}, 2)
      end)
    end)

    it("keeps dtypes, takes numbers weakly", function()
      local x = cn.arange(3):astype "int8"
      assert.equal("int8", x:append(7).dtype)
      assert.equal("float64", x:append(0.5).dtype)
      assert.equal("int16", x:append(cn.zeros(1, "int16")).dtype)
      assert.equal("int8", x:insert(1, 7).dtype)
      assert.equal("int8", x:insert(1, cn.array {1.5}).dtype)
      assert.same({0, 1, 2, 7, 8}, x:append({{7}, {8}}):totable())
      assert.same({{1, 2}, {3, 4}}, cn.append({{1, 2}}, {{3, 4}}, {axis = 1}):totable())
      raises("insert: 300 does not fit int8", function() x:insert(1, 300) end)
    end)

    it("refuses what does not fit", function()
      local x = counting {2, 3}
      raises("delete: the positions are missing", function() x:delete() end)
      raises("delete: position 4 is out of range for an axis of length 3", function() x:delete(4, 2) end)
      raises("delete: position -4 is out of range for an axis of length 3", function() x:delete({1, -4}, 2) end)
      raises("delete: positions count from 1, and there is a 0", function() x:delete(0) end)
      raises("delete: a position is a whole number, got 1.5", function() x:delete(1.5) end)
      raises("delete: a mask of shape (2,) for an axis of length 3", function() x:delete({true, false}, 2) end)
      raises("delete: positions have one axis, got shape (1, 1)", function() x:delete(cn.ones {1, 1}) end)
      raises("insert: position 5 is out of range for an axis of length 3", function() x:insert(5, 1, 2) end)
      raises("insert: values of shape (1, 1, 1) have more axes than the array of shape (2, 3)", function()
        x:insert(1, {{{1}}}, 1)
      end)
      raises("insert: shape (2,) does not broadcast to (3,)", function() x:insert({1, 2, 3}, {1, 2}) end)
      raises("insert: the values are missing", function() x:insert(1) end)
      raises("append: array 1 has 2 axes and array 2 has 1 axis", function() x:append({1}, 1) end)
      raises("append: the values are missing", function() x:append() end)
      raises("resize: a length of the shape is a count, got -1", function() x:resize(-1) end)
      raises("resize: the shape is missing", function() x:resize() end)
      raises("trim_zeros: trim is made of \"f\" and \"b\", got \"x\"", function() x:trim_zeros("x") end)
    end)

    it("trims NaN and what is not 0 only", function()
      assert.equal(2, cn.trim_zeros({0, cn.nan, 1, -0, 0}).size)
      assert.is_true(cn.array({false, true, false}):trim_zeros():has_shape(1))
      assert.is_true(cn.trim_zeros(cn.zeros {0, 3}):has_shape(0, 3) and cn.trim_zeros(5):has_shape {})
      raises("trim_zeros: waits for the device, and cn.no_sync forbids that", function()
        cn.no_sync(cn.trim_zeros, cn.ones(3))
      end)
    end)

    it("copies by castings and masks", function()
      local x = cn.zeros {2, 3}
      assert.equal(x, x:copyto({1, 2, 3}))
      assert.same({{1, 2, 3}, {1, 2, 3}}, x:totable())
      x:copyto(cn.array({{7}}, "int8"), {where = {{true}, {false}}})
      assert.same({{7, 7, 7}, {1, 2, 3}}, x:totable())
      x.T:copyto(x.T["::-1"], {where = x.T:gt(2)})
      assert.same({{7, 7, 7}, {1, 2, 1}}, x:totable())
      local y = cn.zeros(2, "int8")
      raises('copyto: float64 does not cast to int8 by the rule "same_kind"', function() y:copyto(cn.ones(2)) end)
      raises('copyto: int64 does not cast to int8 by the rule "safe"', function() y:copyto(cn.arange(2), "safe") end)
      raises('copyto: uint8 does not cast to int8 by the rule "no"', function() y:copyto(cn.ones(2, "uint8"), "no") end)
      assert.same({1, 0}, y:copyto(cn.array {1.9, 2}, "unsafe", {true, false}):totable())
      assert.same({5, 5}, y:copyto(5):totable())
      raises("copyto: 300 does not fit int8", function() y:copyto(300) end)
      raises('copyto: casting is "no", "equiv"', function() y:copyto(5, "maybe") end)
      raises("copyto: a value of shape (3,) does not broadcast to shape (2,)", function() y:copyto({1, 2, 3}) end)
      raises("copyto: shape (3,) does not broadcast to (2,)", function() y:copyto(1, {where = {1, 1, 0}}) end)
      raises("copyto: got a Lua boolean", function() y:copyto(1, {where = true}) end)
      raises("copyto: the array of shape (3,) is a broadcast view", function() cn.broadcast_to(1, 3):copyto(1) end)
    end)
  end)

  describe("pad", function()
    it("calls a function for every vector", function()
      local seen = {}
      local got = cn.pad({{1, 2}, {3, 4}}, {{1, 0}, {0, 2}}, function(vector, widths, axis)
        seen[#seen + 1] = ("%d %d %d %d"):format(axis, widths[1], widths[2], #vector)
        if widths[1] > 0 then vector[{{1, widths[1]}}] = 9 end
        if widths[2] > 0 then vector[{{-widths[2], -1}}] = 8 end
      end)
      assert.same({{9, 9, 8, 8}, {1, 2, 8, 8}, {3, 4, 8, 8}}, got:totable())
      assert.same({"1 1 0 3", "1 1 0 3", "1 1 0 3", "1 1 0 3", "2 0 2 4", "2 0 2 4", "2 0 2 4"}, seen)
    end)

    it("leaves the middle of empty borders as it is", function()
      local x = cn.pad({{1, 2}}, 1, "empty")
      assert.is_true(x:has_shape(3, 4) and x["2:2, 2:3"] == cn.array {{1, 2}})
      assert.is_true(cn.pad(cn.ones(1, "complex64"), {1, 0}, {constant_values = 2i}) == cn.array {2i, 1})
    end)

    it("refuses what it does not know", function()
      local x = counting {2, 3}
      raises("pad: the widths are missing", function() x:pad() end)
      raises("pad: pad_width is a count, got -1", function() x:pad(-1) end)
      raises("pad: pad_width for 3 axes, and the array has 2", function() x:pad {{1}, {1}, {1}} end)
      raises("pad: pad_width of an axis is one number or two, got 3", function() x:pad {1, 2, 3} end)
      raises('pad: mode is one of "constant", "edge", "empty", "linear_ramp", "maximum", "mean", "median", "minimum", '
        .. '"reflect", "symmetric", "wrap", or a function, got "odd"', function() x:pad(1, "odd") end)
      raises('pad: mode "edge" does not take constant_values', function() x:pad(1, "edge", {constant_values = 1}) end)
      raises('pad: mode "mean" does not take end_values; it takes stat_length', function()
        x:pad(1, "mean", {end_values = 1})
      end)
      raises('pad: reflect_type is "even" or "odd", got "no"', function()
        x:pad(1, "reflect", {reflect_type = "no"})
      end)
      raises("pad: stat_length is 0, but the max of no elements is undefined", function()
        x:pad(1, "maximum", {stat_length = 0})
      end)
      raises("pad: axis 1 has no elements to fill its borders from", function() cn.zeros({0, 2}):pad(1, "wrap") end)
      raises("pad: constant_values is a number, got \"a\"", function() x:pad(1, {constant_values = "a"}) end)
      raises("pad: 300 does not fit int8", function() cn.ones(1, "int8"):pad(1, {constant_values = 300}) end)
      raises("pad: got a Lua boolean", function() cn.pad(true, 1) end)
    end)
  end)
end)
