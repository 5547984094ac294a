--- Functions that take, put and choose by positions or masks, and operations at positions: NumPy's results and errors.
local cn = require "cuna"
local devices = require "spec.support.devices"
local preparing = require "spec.support.golden"
local golden = dofile "spec/golden/take.lua"
local raises = require("spec.support.raises").raises

local it = devices.rehearsed_it()

local prepared = preparing.prepared

local REAL_DTYPES = {"int64", "int8", "float32", "int32"} -- that positions may have

local function array(described, dtype)
  return cn.array(described.values, dtype or "float64"):reshape(described.shape)
end

--- 1, 2, 3, ... in a shape.
local function counting(shape, dtype)
  local size = 1
  for _, length in ipairs(shape) do size = size * length end
  return (cn.arange(size) + 1):reshape(shape):astype(dtype or "int64")
end

--- x in three layouts: row-major, with its axes in memory the other way round, and as every second element backwards.
local function layouts(x)
  local wide = cn.zeros({2 * x.size + 1}, x.dtype)
  local backward = wide[{{-2, 1, -2}}]:reshape(x.shape)
  backward[cn.ellipsis] = x
  return {x:copy(), x.T:copy().T, backward}
end

local function agree(a, b, note) assert.is_true(preparing.equal(a, b), note) end

local function same(expected, x, dtype, note)
  local values = x:astype(dtype:find "^complex" and "complex128" or dtype == "bool" and "bool" or "float64")
  if dtype:find "^complex" then values = values.real end
  values = values:reshape(-1)
  if preparing.rehearsing then return end
  assert.equal(dtype, x.dtype, note)
  assert.is_true(x:has_shape(expected.shape), note)
  assert.same(expected.values, values:totable(), note)
end

devices.each_device(function(device)
  describe("agree with NumPy:", function()
    it("take", prepared(function()
      for number, case in ipairs(golden.takes) do
        local positions = array(case.indices, REAL_DTYPES[number % #REAL_DTYPES + 1])
        local x = layouts(counting(case.shape, case.dtype))[number % 3 + 1]
        local got = x:take(positions, case.axis, nil, case.mode)
        same(case.result, got, case.dtype, "case " .. number)
        local out = layouts(got)[number % 2 + 2]
        out:fill(0)
        assert.equal(out, cn.take(x, positions, {axis = case.axis, mode = case.mode, out = out}))
        agree(out, got, "case " .. number)
      end
    end))

    it("put", prepared(function()
      for number, case in ipairs(golden.puts) do
        local layout = number % 3 + 1
        local x = layouts(counting(case.shape, case.dtype))[layout]
        local positions = layouts(array(case.indices, REAL_DTYPES[number % #REAL_DTYPES + 1]))[layout]
        assert.equal(x, x:put(positions, array(case.values, case.dtype), case.mode))
        same(case.result, x, case.dtype, "case " .. number)
      end
    end))

    it("take_along_axis and put_along_axis", prepared(function()
      for number, case in ipairs(golden.alongs) do
        local positions = layouts(array(case.indices, REAL_DTYPES[number % #REAL_DTYPES + 1]))
        for layout, x in ipairs(layouts(counting(case.shape))) do
          local note = ("case %d, layout %d"):format(number, layout)
          same(case.taken, x:take_along_axis(positions[layout], case.axis), "int64", note)
          same(case.put, x:put_along_axis(positions[layout], -7, {axis = case.axis}), "int64", note)
        end
      end
    end))

    it("choose", prepared(function()
      for number, case in ipairs(golden.chooses) do
        local choices = {}
        for i, choice in ipairs(case.choices) do choices[i] = array(choice, case.dtypes[i]) end
        local positions = array(case.indices, REAL_DTYPES[number % #REAL_DTYPES + 1])
        local got = positions:choose(choices, nil, case.mode)
        same(case.result, got, case.dtype, "case " .. number)
        local out = cn.zeros(got.shape, "complex128")
        assert.equal(out, cn.choose(positions, choices, out, case.mode))
        agree(out, got:astype "complex128")
        for i, choice in ipairs(choices) do choices[i] = cn.broadcast_to(choice, got.shape):astype(case.dtype) end
        same(case.result, cn.choose(positions, cn.stack(choices), {mode = case.mode}), case.dtype, "case " .. number)
      end
    end))

    it("select", prepared(function()
      for number, case in ipairs(golden.selects) do
        local conditions, choices = {}, {}
        for i, choice in ipairs(case.choices) do
          conditions[i], choices[i] = array(case.conditions[i], "bool"), array(choice, case.dtypes[i])
        end
        same(case.result, cn.select(conditions, choices, cn.scalar(5, "int8")), case.dtype, "case " .. number)
      end
    end))

    it("putmask, place, extract and compress", prepared(function()
      for number, case in ipairs(golden.masks) do
        local layout, note = number % 3 + 1, "case " .. number
        local mask, values = layouts(array(case.mask, "bool"))[layout], array(case.values, case.dtype)
        local x, vector = layouts(counting(case.shape, case.dtype))[layout], cn.array(case.vector, "bool")
        same(case.extract, cn.extract(mask, x), case.dtype, note)
        same(case.compress, cn.compress(vector, x, case.axis), case.dtype, note)
        same(case.compress, x:compress(vector, {axis = case.axis}), case.dtype, note)
        same(case.putmask, x:copy():putmask(mask, values), case.dtype, note)
        same(case.place, x:place(mask:astype(layout == 2 and "float32" or "bool"), values), case.dtype, note)
      end
    end))

    it("operations at positions", prepared(function()
      for number, case in ipairs(golden.ats) do
        local x = case.dtype == "bool" and cn.array({1, 0, 1, 1, 0, 1}, "bool") or counting({6}, case.dtype)
        if case.dtype ~= "bool" and not case.power then x:mul_(4) end
        x = layouts(x)[number % 3 + 1]
        local positions = array(case.indices, REAL_DTYPES[number % #REAL_DTYPES + 1])
        assert.equal(x, x[case.name .. "_at"](x, positions, array(case.values, case.dtype)))
        same(case.result, x, case.dtype, ("case %d: %s of %s"):format(number, case.name, case.dtype))
      end
    end))
  end)

  describe("take and put", function()
    it("take numbers, tables and 0-d arrays", function()
      assert.same({20, 10}, cn.take({10, 20}, {2, -2}):totable())
      assert.is_true(cn.take({10, 20}, 2):has_shape({}) and cn.take(7, {1, 1}):has_shape(2))
      assert.is_true(cn.array(7):take(cn.array {{1}, {-1}}):has_shape(2, 1))
      assert.is_true(cn.zeros({0, 3}):take({1, 3}, 2):has_shape(0, 2) and cn.zeros({0, 3}):take({}):has_shape(0))
      assert.equal(9, cn.array(7):put(1, 9):item())
      assert.same({1, 5, 5}, cn.ones(3):put({2, 3}, 5):totable())
      assert.same({0, 1, 2}, cn.arange(3):put({1, 2}, {}):totable())
      local twice = cn.zeros(2):put({1, 1}, {5, 6})[1]
      assert.is_true(twice == 6 or device.kind ~= "cpu" and twice == 5)
    end)

    it("give the first of all positions below 1 by clip; go round by wrap", function()
      local x = cn.array {10, 20, 30}
      assert.same({10, 10, 10, 30}, x:take({0, -1, -9, 9}, {mode = "clip"}):totable())
      assert.same({30, 10, 30, 10}, x:take({-1, -3, -4, 4}, {mode = "wrap"}):totable())
      assert.same({10, 30}, x:take(cn.array({-9223372036854775807LL, 9223372036854775807LL}),
        {mode = "clip"}):totable())
    end)

    it("copy long lists of rows as they copy elements", function()
      local rows = 1500
      local from, to = cn.arange(rows) * 7 % rows + 1, cn.arange(rows) * 11 % rows + 1
      for _, case in ipairs {{"float32", 100}, {"uint8", 98}, {"float16", 96}, {"bool", 101}, {"float64", 7},
        {"complex64", 12}, {"int16", 66}} do
        local dtype, columns = unpack(case)
        local wide = (cn.arange(rows * (columns + 8)) * 31 % 251):astype(dtype):reshape(rows, columns + 8)
        for shift = 0, 8, 4 do -- rows that begin at multiples of 16 bytes, and others
          local note = ("%d columns of %s after %d"):format(columns, dtype, shift)
          local x = wide[{{}, {shift + 1, shift + columns}}]
          local taken, all = x[from], cn.arange(columns) + 1
          agree(taken, x:copy()[{from:reshape(rows, 1), all}], note)
          agree(x:take(from - rows - 1, {axis = 1, out = cn.zeros({rows, columns}, dtype)}), taken, note)
          local put, one = cn.zeros(wide.shape, dtype), cn.zeros(wide.shape, dtype)
          put[{to, {shift + 1, shift + columns}}] = taken
          one[{to:reshape(rows, 1), all + shift}] = taken
          agree(put, one, note)
          put[{to, {shift + 1, shift + columns}}] = taken[1]
          agree(put[{1, {shift + 1, shift + columns}}], taken[1], note)
        end
      end
      local x = cn.zeros {rows, 16}
      raises("index: position 1501 is out of range for an axis of length 1500", function()
        local _ = x[from + 1]
        cn.synchronize()
      end)
    end)

    it("survive overlap", function()
      local x = cn.arange(6)
      x["1:3"]:put({3, 2, 1}, x["1:3"])
      assert.same({2, 1, 0, 3, 4, 5}, x:totable())
      x:take({6, 5, 4, 3, 2, 1}, {out = x})
      assert.same({5, 4, 3, 0, 1, 2}, x:totable())
      local positions = cn.array({3, 1, 2}, "int64")
      positions:put(positions, {10, 20, 30})
      assert.same({20, 30, 10}, positions:totable())
      local y = cn.arange(5) + 1
      y:add_at(y, y)
      assert.same({2, 4, 6, 8, 10}, y:totable())
      local mask = cn.array({1, 0, 2, 0}, "int8")
      assert.same({2, 0, 1, 0}, mask:place(mask, mask["3:1:-2"]):totable())
    end)

    it("work on more axes than one program has", function()
      local x = counting {2, 2, 2, 3, 2, 2}
      local y = x:transpose(6, 5, 4, 3, 2, 1)
      assert.is_true(y:take({1, 50, -1}) == y:reshape(-1):take {1, 50, -1})
      y:put({1, 50, -1}, -5)
      assert.same({-5, -5, -5}, y:take({1, 50, -1}):totable())
      assert.equal(3, cn.equal(x, -5):sum():item())
    end)
  end)

  describe("operations at positions", function()
    it("count what comes twice, by any key", function()
      local x = cn.zeros({3, 4}, "int32")
      x:add_at({cn.array {1, 3, 1}, cn.array {2, 4, 2}}, 1)
      assert.same({{0, 2, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 1}}, x:totable())
      x:add_at({cn.array {2, 2}, {1, 2}}, {{1, 2}, {3, 4}})
      assert.same({{0, 2, 0, 0}, {4, 6, 0, 0}, {0, 0, 0, 1}}, x:totable())
      x:sub_at(x:gt(3), 10)
      assert.same({{0, 2, 0, 0}, {-6, -4, 0, 0}, {0, 0, 0, 1}}, x:totable())
      assert.equal(x, x:add_at({{2, 3}, {1, 2}}, 5))
      x:add_at({3, 4}, 1):add_at("1, 2", 1):add_at(2, {0, 0, 7, 0})
      assert.same({{0, 3, 0, 0}, {-1, 1, 7, 0}, {5, 5, 0, 2}}, x:totable())
      assert.same({1, 2}, cn.add_at(cn.ones(2), -1, 1):totable())
    end)

    it("keep every one of many", function()
      local positions = cn.arange(30000) % 7 + 1
      for _, dtype in ipairs {"uint8", "int16", "float32", "float64", "complex64", "complex128"} do
        local x = cn.zeros(7, dtype):add_at(positions, 1)
        local counts = cn.array {4286, 4286, 4286, 4286, 4286, 4285, 4285}
        if dtype == "uint8" then counts = counts % 256 end
        assert.is_true(x == counts, dtype)
      end
      local x = cn.zeros(3, "bool"):bor_at(positions["1:2"], true)
      assert.same({true, true, false}, x:totable())
    end)

    it("sum the same in few places as in many", function()
      for _, dtype in ipairs {"int32", "uint32", "int64", "uint64", "float16", "bfloat16", "float32", "float64"} do
        local n = dtype:find "float16" and 5000 or 40000 -- half floats hold sums up to 256
        for _, places in ipairs {n == 5000 and 20 or 1, 33, 5000, 20000} do
          local at, ones = cn.arange(n) % places + 1, cn.ones(n, dtype)
          local x = cn.zeros(places, dtype):add_at(at, ones):subtract_at(at, ones)
          assert.is_true(x == cn.zeros(places, dtype), dtype)
          x:add_at(at["1:127"], 1) -- a sum that half floats hold
          assert.equal(127, x:sum():item())
        end
      end
    end)

    it("sum in many places, of which neighbours share some", function()
      local at, values, sums = {}, {}, {}
      for k = 1, 5003 do
        at[k] = k % 3 == 0 and 7 or math.floor(k / 5) + 1
        values[k] = k % 100 - 30
      end
      for place = 1, 20000 do sums[place] = 0 end
      for k, place in ipairs(at) do sums[place] = sums[place] + values[k] end
      at, sums = cn.array(at), cn.array(sums)
      for _, dtype in ipairs {"int32", "int64", "float32", "float64"} do
        assert.is_true(cn.zeros(20000, dtype):add_at(at, cn.array(values, dtype)) == sums, dtype)
      end
      assert.is_true(cn.bincount(at, cn.array(values), 20000) == sums)
    end)

    it("find their places in any layout", function()
      local at, n = cn.arange(9000) % 5 + 1, 9000
      local x = cn.zeros({5, 8})
      x[{{}, {2, 8, 3}}]:add_at({at, at % 3 + 1}, 1)
      x["::-1, 1"]:add_at(at, 2)
      x["2:, 4"]:add_at((at - 1) % 4 + 1, cn.ones(n)) -- behind a view's first element
      local y = cn.zeros({5, 8})
      for k = 1, 5 do
        y[{k, 2 + 3 * (k % 3)}] = y[{k, 2 + 3 * (k % 3)}] + n / 5
        y[{k, 1}] = 2 * n / 5
        local row = 2 + (k - 1) % 4
        y[{row, 4}] = y[{row, 4}] + n / 5
      end
      assert.is_true(x == y)
      local z = cn.full(3, -0.0):add_at(cn.array {1, 1, 2}, cn.array {-0.0, -0.0, 0.0})
      assert.same({-math.huge, math.huge, -math.huge}, (1 / z):totable())
    end)

    it("keep subnormal numbers", function()
      local least = 2 ^ -149
      local list = {0, -0.0, least, -least, 3 * least, 2 ^ -127, -2 ^ -127, 2 ^ -126, -2 ^ -126, 1.5 * 2 ^ -126,
        -1.5 * 2 ^ -126, 2 ^ -101, -2 ^ -101, 2 ^ -100, -2 ^ -100, 2 ^ -100 * (1 + 2 ^ -23),
        -2 ^ -100 * (1 + 2 ^ -23), 1, -1, math.huge, -math.huge}
      local a, b = {}, {}
      for _, x in ipairs(list) do
        for _, y in ipairs(list) do
          if x + y == x + y then a[#a + 1], b[#b + 1] = x, y end
        end
      end
      a, b = cn.array(a, "float32"), cn.array(b, "float32")
      local at = cn.arange(a.size)["::-1"] + 1
      local sum, difference = a:copy(), a:copy()
      sum:add_at(at, b["::-1"])
      difference:subtract_at(at, (-b)["::-1"])
      assert.is_true((a + b):tobytes() == sum:tobytes())
      assert.is_true((a + b):tobytes() == difference:tobytes())
      local counts = cn.zeros(1, "float32")
      counts:add_at(cn.ones(1000, "int64"), cn.full(1000, 2 ^ -140, "float32"))
      assert.equal(1000 * 2 ^ -140, counts:item())
    end)

    it("compute in the common dtype and store within a kind", function()
      assert.equal("float32", cn.zeros(2, "float32"):add_at(cn.array {1}, cn.array {0.5}).dtype)
      assert.equal(0.5, cn.zeros(2, "float16"):add_at(cn.array {1}, 0.5)[1])
      raises("add_at: a float64 result cannot be written to int32", function()
        cn.zeros(2, "int32"):add_at(cn.array {1}, 0.5)
      end)
      raises("divide_at: a float64 result cannot be written to int32", function()
        cn.zeros(2, "int32"):divide_at(cn.array {1}, 2)
      end)
      raises("subtract_at: not defined for bool", function() cn.zeros(2, "bool"):subtract_at(cn.array {1}, true) end)
      raises("bitwise_or_at: not defined for float64", function() cn.zeros(2):bor_at(cn.array {1}, 1) end)
      raises("multiply_at: elements of complex128 can be added to and subtracted from only", function()
        cn.zeros(2, "complex128"):multiply_at(cn.array {1}, 2)
      end)
      raises("add_at: the positions are missing", function() cn.zeros(2):add_at(nil, 1) end)
    end)

    it("blame themselves for a wrong value, whether the key has arrays or is a view", function()
      local x, small = cn.zeros(3), cn.zeros(3, "int8")
      for _, key in ipairs {cn.array {1, 2}, "1:2"} do
        local shapes = "add_at: a value of shape (3,) does not broadcast to shape (2,)"
        raises(shapes, function() x:add_at(key, {1, 2, 3}) end)
        raises(shapes, function() x:add_at(key, x) end)
        raises("add_at: expected an array, a number or a nested table, got nil", function() x:add_at(key, nil) end)
        raises("add_at: expected an array, a number or a nested table, got string", function() x:add_at(key, "a") end)
        raises("add_at: 1000 does not fit int8", function() small:add_at(key, 1000) end)
        raises("add_at: a float64 result cannot be written to int8", function() small:add_at(key, 0.5) end)
        raises("add_at: a float64 result cannot be written to int8", function() small:add_at(key, x["1:1"]) end)
        raises("add_at: the array was freed", function()
          local value = cn.ones(2)
          value:free()
          x:add_at(key, value)
        end)
      end
      raises("add_at: a value of shape (2,) does not broadcast to shape ()", function() x:add_at({1}, {1, 2}) end)
      assert.same({0, 0, 0}, x:totable())
      assert.same({true, false}, cn.zeros(2, "bool"):bor_at({1}, true):totable())
    end)
  end)

  describe("choose and select", function()
    it("take Lua numbers weakly and broadcast", function()
      assert.equal("int8", cn.choose({1, 2}, {cn.array({1, 2}, "int8"), 7}).dtype)
      assert.same({1, 7}, cn.choose({1, 2}, {cn.array({1, 2}, "int8"), 7}):totable())
      assert.same({{1, 3}, {2, 4}}, cn.choose({{1}, {2}}, cn.array {{1, 3}, {2, 4}}):totable())
      assert.same({3, 3}, cn.choose({-1, 3}, {1, 2, 3}):totable())
      assert.same({5, 0}, cn.select({{true, false}}, {5}):totable())
      assert.equal("float32", cn.select({{true, false}}, {cn.ones(2, "float32")}, 1.5).dtype)
      assert.is_true(cn.select({cn.zeros(0, "bool")}, {1}):has_shape(0))
    end)
  end)

  describe("mistakes", function()
    --- Where a position is found out of range: at once on the cpu device.
    local function late(text, fn)
      raises(text, device.kind == "cpu" and fn or function()
        fn()
        cn.synchronize()
      end)
    end

    it("out of range raise and write nothing", function()
      local x = cn.arange(4)
      late("take: position 5 is out of range for an axis of length 4", function() local _ = x:take({1, 5}) end)
      late("take: positions count from 1, and there is a 0", function() local _ = x:take({0, 5}, {mode = "wrap"}) end)
      late("take: position 3 is out of range for an axis of length 2", function()
        local _ = x:reshape(2, 2).T:take({3}, 1)
      end)
      late("take: position 5 is out of range for an axis of length 4", function()
        local _ = x:reshape(2, 2).T:take({5})
      end)
      late("take: a position is a whole number, and there is 1.5", function() local _ = x:take({1.5}) end)
      late("take: position 1 is out of range for an axis of length 0", function()
        local _ = cn.zeros(0):take({1}, {mode = "clip"})
      end)
      late("put: position -5 is out of range for an axis of length 4", function() x:put({-5}, 9) end)
      late("put: position -5 is out of range for an axis of length 4", function()
        x:reshape(2, 1, 2).T:put({-5}, 9)
      end)
      late("add_at: position 5 is out of range for an axis of length 4", function() x:add_at(cn.array {5}, 9) end)
      late("put_along_axis: position 5 is out of range for an axis of length 4", function()
        x:put_along_axis({5}, 9, 1)
      end)
      late("take_along_axis: position 5 is out of range", function() local _ = x:take_along_axis({5}, 1) end)
      late("choose: position 3 is out of range for an axis of length 2", function()
        local _ = cn.choose({1, 3}, {1, 2})
      end)
      late("compress: position 5 is out of range for an axis of length 4", function()
        local _ = x:compress({true, false, true, true, true})
      end)
      assert.same({0, 1, 2, 3}, x:totable())
    end)

    it("leave out as it was on the cpu device", function()
      if device.kind ~= "cpu" then return end
      local out = cn.ones(2)
      raises("take: position 5 is out of range", function() cn.arange(4):take({1, 5}, {out = out:astype "int64"}) end)
      raises("take: position 5 is out of range", function() cn.zeros(4):take({1, 5}, {out = out}) end)
      assert.same({1, 1}, out:totable())
    end)

    it("of the wrong kind raise at once", function()
      local x = cn.arange(4)
      raises("take: the positions are missing", function() cn.take(x) end)
      raises("take: positions are whole numbers, got an array of bool; a mask goes into x[mask]", function()
        x:take({true})
      end)
      raises("take: positions are whole numbers, got an array of complex128", function() x:take({cn.complex(1)}) end)
      raises("take: axis 0: axes count from 1", function() x:take({1}, 0) end)
      raises("take: mode is \"raise\", \"wrap\" or \"clip\", got \"round\"", function() x:take(1, {mode = "round"}) end)
      raises("take: out has shape (3,), but the result has shape (2,)", function()
        x:take({1, 2}, {out = cn.zeros(3)})
      end)
      raises("take: an int64 result cannot be written to bool", function()
        x:take({1, 2}, {out = cn.zeros(2, "bool")})
      end)
      raises("take: out: expected an array, got 5", function() x:take({1, 2}, {out = 5}) end)
      raises("put: expected an array", function() cn.put({1, 2}, 1, 5) end)
      raises("put: the array of shape (2, 2) is a broadcast view", function()
        cn.broadcast_to({1, 2}, {2, 2}):put(1, 5)
      end)
      raises("put: expected an array, a number or a nested table, got nil", function() x:put(1) end)
      raises("take_along_axis: an array of shape (4,) takes positions with as many axes, got shape (1, 1)", function()
        x:take_along_axis({{1}}, 1)
      end)
      raises("take_along_axis: without an axis the positions have one axis", function() x:take_along_axis({{1}}) end)
      raises("take_along_axis: positions of shape (1, 3) do not broadcast with axis 1 of shape (2, 2)", function()
        x:reshape(2, 2):take_along_axis(cn.ones {1, 3}, 1)
      end)
      raises("choose: the choices are missing", function() cn.choose({1}) end)
      raises("choose: the table of choices is empty", function() cn.choose({1}, {}) end)
      raises("select: 1 conditions, but 2 choices", function() cn.select({{true}}, {1, 2}) end)
      raises("select: condition 1 is an array of float64", function() cn.select({{1, 0}}, {1}) end)
      raises("select: got a Lua boolean", function() cn.select({true}, {1}) end)
      raises("compress: the condition has one axis, got shape (1, 1)", function() x:compress({{true}}) end)
      raises("compress: the condition is missing", function() x:compress() end)
      raises("putmask: a mask of shape (3,) does not fit an array of shape (4,)", function()
        x:putmask({true, true, false}, 1)
      end)
      raises("place: there are no values", function() x:place(x:gt(0), {}) end)
      assert.same({0, 1, 2, 3}, x:totable())
    end)
  end)
end)
