--- Views at strides: diagonals, windows and any others inside of an array's memory; writing to diagonals.
local cn = require "cuna"
local devices = require "spec.support.devices"

local it = devices.rehearsed_it()
local golden = dofile("spec/golden/positions.lua")
local raises = require("spec.support.raises").raises

local function counting(...) return cn.arange(cn.zeros({...}, "int8").size):reshape({...}) end

local function flat(x) return x:reshape(-1):totable() end

--- The same elements as a view that is not row-major.
local function scattered(x)
  local shape = x.shape
  for axis = 1, #shape do shape[axis] = 2 * shape[axis] end
  local room = cn.ones(shape, x.dtype)["::-2" .. (", ::2"):rep(#shape - 1)]
  room["..."] = x
  return room
end

devices.each_device(function()
  describe("diagonals", function()
    it("diagonal and trace agree with NumPy", function()
      for _, case in ipairs(golden.diagonals) do
        local whole = counting(unpack(case.shape))
        for _, x in ipairs {whole, scattered(whole)} do
          local y = x:diagonal(case.offset, case.axis1, case.axis2)
          assert.is_true(y:has_shape(case.result))
          assert.same(case.values, flat(y))
          assert.is_true(y.size == 0 or y:shares_memory(x))
          assert.same(case.trace, flat(cn.trace(x, case.offset, case.axis1, case.axis2)))
        end
      end
    end)

    it("diagonal is a view that can be written to", function()
      local x = cn.zeros {2, 3}
      x:diagonal(1)["..."] = {5, 6}
      assert.same({0, 5, 0, 0, 0, 6}, flat(x))
      assert.same({5, 6}, x:diagonal({offset = -1, axis1 = 2, axis2 = 1}):totable())
      raises("diagonal: expected at least 2 axes, got shape (3,)", function() cn.diagonal {1, 2, 3} end)
      raises("diagonal: axis1 and axis2 are both 2", function() x:diagonal(0, 2, -1) end)
      raises("diagonal: axis 3 is out of range", function() x:diagonal(0, 1, 3) end)
      raises("diagonal: offset is a whole number, got 0.5", function() x:diagonal(0.5) end)
    end)

    it("trace has sum's dtypes and out", function()
      assert.equal("int64", cn.zeros({2, 2}, "int8"):trace().dtype)
      assert.equal("float32", cn.eye(2):trace({dtype = "float32"}).dtype)
      local out = cn.zeros({})
      assert.is_true(rawequal(out, cn.eye(3):trace({out = out})) and out:item() == 3)
      raises("trace: expected at least 2 axes, got shape ()", function() cn.trace(5) end)
    end)

    it("fill_diagonal agrees with NumPy", function()
      for _, case in ipairs(golden.fills) do
        local whole = counting(unpack(case.shape))
        for _, x in ipairs {whole, scattered(whole)} do
          assert.is_true(rawequal(x, x:fill_diagonal(#case.value == 1 and case.value[1] or case.value, case.wrap)))
          assert.same(case.values, flat(x))
        end
      end
    end)

    it("fill_diagonal takes numbers, arrays and its own elements", function()
      local x = counting(3, 3)
      x:fill_diagonal(x[1])
      assert.same({0, 1, 2, 3, 1, 5, 6, 7, 2}, flat(x))
      cn.fill_diagonal(x, cn.array({{7.9}}), {wrap = true})
      assert.same({7, 1, 2, 3, 7, 5, 6, 7, 7}, flat(x))
      assert.same({true, false, false, true}, flat(cn.zeros({2, 2}, "bool"):fill_diagonal(true)))
      assert.is_true(cn.zeros({0, 3}):fill_diagonal(1, true):has_shape(0, 3))
      raises("fill_diagonal: expected at least 2 axes, all of one length, got shape (3,)", function()
        cn.zeros(3):fill_diagonal(1)
      end)
      raises("fill_diagonal: expected at least 2 axes, all of one length, got shape (2, 2, 3)", function()
        cn.zeros({2, 2, 3}):fill_diagonal(1)
      end)
      raises("fill_diagonal: the value has no elements", function() x:fill_diagonal(cn.zeros(0)) end)
      raises("assignment: ", function() cn.broadcast_to(1, {2, 2}):fill_diagonal(1) end)
      raises("fill_diagonal: expected an array", function() cn.fill_diagonal({{1, 2}, {3, 4}}, 1) end)
      raises("fill_diagonal: wrap is true or false, got 1", function() x:fill_diagonal(1, 1) end)
    end)
  end)

  describe("strides", function()
    it("as_strided agrees with NumPy", function()
      for _, case in ipairs(golden.strided) do
        local x = counting(4, 6)
        local y = x:as_strided(case.shape, case.strides)
        assert.is_true(y:has_shape(case.shape))
        assert.same(case.values, flat(y))
        assert.is_true(y.size == 0 or y:shares_memory(x))
      end
      local x = cn.arange(6)
      assert.same({5, 3, 1}, x["::-1"]:as_strided(3, -16):totable())
      assert.is_true(x:as_strided() == x and x:as_strided({}, {}):item() == 0)
      assert.is_true(x:as_strided({shape = {3}}) == cn.arange(3))
    end)

    it("as_strided stays inside of the array", function()
      local x = cn.arange(6)
      raises("as_strided: the view reaches from byte 0 to byte 56, and the array from byte 0 to byte 48", function()
        x:as_strided({7}, {8})
      end)
      raises("as_strided: the view reaches from byte -8 to byte 8", function() x:as_strided({2}, {-8}) end)
      raises("as_strided: the view reaches from byte 0 to byte 24", function() x["1:2"]:as_strided({3}, {8}) end)
      raises("as_strided: the view reaches from byte 0 to byte 8", function() cn.zeros(0):as_strided({1}, {8}) end)
      raises("as_strided: a stride of 4 bytes is not a multiple of the element size, 8 bytes", function()
        x:as_strided({2}, {4})
      end)
      raises("as_strided: 1 strides for 2 axes", function() x:as_strided({2, 2}, {8}) end)
      raises("as_strided: a length of the shape is a count, got -1", function() x:as_strided({-1}, {8}) end)
    end)

    it("views whose elements share memory are read-only", function()
      local x = cn.arange(6)
      assert.is_true(x:as_strided({2, 3}, {24, 8}).flags.writeable and x:as_strided({3, 2}, {8, 24}).flags.writeable)
      assert.is_false(x:as_strided({3, 2}, {8, 8}).flags.writeable or x:as_strided({3}, {0}).flags.writeable)
      x:as_strided({2}, {40})["..."] = -1
      assert.same({-1, 1, 2, 3, 4, -1}, x:totable())
      raises("assignment: the array of shape (2,) is a broadcast view", function()
        x:sliding_window_view(2)[1] = 0
      end)
    end)

    it("sliding_window_view agrees with NumPy", function()
      for _, case in ipairs(golden.windows) do
        local whole = counting(unpack(case.shape))
        for _, x in ipairs {whole, scattered(whole)} do
          local y = cn.sliding_window_view(x, case.window, case.axis)
          assert.is_true(y:has_shape(case.result))
          assert.same(case.values, flat(y))
          assert.is_false(y.flags.writeable)
        end
      end
      local x = cn.arange(5)
      assert.same({3, 6, 9}, x:sliding_window_view(3):sum(2):totable())
      assert.is_true(x:sliding_window_view(2, {axis = 1}) == x:sliding_window_view({2}))
      raises("sliding_window_view: a window of length 7 does not fit on axis 1 of shape (5,)", function()
        x:sliding_window_view(7)
      end)
      raises("sliding_window_view: 2 lengths of a window for 1 axes", function() x:sliding_window_view({2, 2}) end)
      raises("sliding_window_view: a length of the window is a count, got nil", function() x:sliding_window_view() end)
    end)

    it("work in place reads what was there before", function()
      local x = cn.arange(6)
      x["1:5"]:add_(x:sliding_window_view(2)["..., 2"])
      assert.same({1, 3, 5, 7, 9, 5}, x:totable())
    end)
  end)
end)
