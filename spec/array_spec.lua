--- Arrays as Lua objects: fields, views and base, comparison, wrong names, freed arrays.
local cn = require "cuna"
local core = require "cuna.core"
local devices = require "spec.support.devices"
local raises = require("spec.support.raises").raises

local it = devices.rehearsed_it()

local nan = 0 / 0

devices.each_device(function(device)
  describe("fields", function()
    it("describe shape and memory", function()
      local x = cn.zeros({2, 3, 4}, "int16")
      assert.same({2, 3, 4}, {unpack(x.shape)})
      assert.same({24, 8, 2}, {unpack(x.strides)})
      assert.same({2, 8, 24}, {unpack(x.T.strides)})
      assert.same({-4}, {unpack(cn.zeros(5, "int16")["::-2"].strides)})
      assert.is_true(x.ndim == 3 and x.size == 24 and x.dtype == "int16" and x.itemsize == 2 and x.nbytes == 48)
      assert.is_true(x.device == device and x.device == cn.zeros(1).device)
      assert.is_true(cn.zeros({2, 0}).size == 0 and cn.array(5).size == 1 and cn.array(5).ndim == 0)
      assert.equal(16, cn.zeros(1, "complex128").itemsize)
    end)

    it("count bytes beyond 64 bits", function()
      assert.equal(2 ^ 64, cn.broadcast_to(cn.ones(1), {2 ^ 61}).nbytes)
      assert.equal(2 ^ 64, cn.zeros({0, 2 ^ 61}).strides[1])
    end)

    it("of views stay inside the memory of their array", function()
      local x = cn.zeros(4)
      for _, wrong in ipairs {{{2 ^ 60}, {1}, 0}, {{1}, {1}, 2 ^ 61}, {{1}, {1}, -2 ^ 61}, {{5}, {1}, 0}} do
        raises("a view must stay inside the memory of its array", function() core.view(x, unpack(wrong)) end)
      end
      assert.equal(0, core.view(x, {2}, {-3}, 3)[2])
    end)

    it("shape compares and prints", function()
      local x, y = cn.zeros {2, 3}, cn.ones {2, 3}
      assert.is_true(x.shape == y.shape and x.shape ~= x.T.shape and x.shape ~= cn.zeros(2).shape)
      assert.equal("(2, 3)", tostring(x.shape))
      assert.equal("(3,)", tostring(cn.zeros(3).shape))
      assert.equal("()", tostring(cn.array(5).shape))
      assert.equal("(1125899906842624, 2)", tostring(cn.broadcast_to(cn.zeros(1), {2 ^ 50, 2}).shape))
      x.shape[1] = 7
      assert.equal(2, x.shape[1])
      assert.is_true(x:has_shape(2, 3) and x:has_shape {2, 3} and x:has_shape(x.shape) and cn.array(5):has_shape())
      assert.is_false(x:has_shape(2) or x:has_shape(2, 3, 1) or x:has_shape {3, 2} or x:has_shape "23")
    end)

    it("flags and base tell views", function()
      local x = cn.arange(6)
      assert.is_true(x.base == nil and x.flags.owndata and x.flags.c_contiguous and x.flags.writeable)
      local y = x:reshape(2, 3)
      assert.is_true(y.base == x and y.T.base == x and y[1]["2:"].base == x)
      assert.is_true(not y.flags.owndata and y.T.flags.f_contiguous and not y.T.flags.c_contiguous)
      y.base[1] = 9
      assert.equal(9, x[1])
      assert.is_nil((y + 1).base)
      assert.is_false(cn.broadcast_to(x, {2, 6}).flags.writeable)
    end)

    it("called as methods say that they are fields", function()
      local x = cn.zeros {2, 3}
      raises("shape is a field: write x.shape without brackets; it is (2, 3)", function() x:shape() end)
      raises("an array is not a function: index it with x[...]; fields such as T, real, imag and base are written "
        .. "without brackets", function() x:T() end)
      raises("an array is not a function", function() x(1) end)
      assert.has.match("array_spec.lua:%d+: attempt to call method 'ndim'", select(2, pcall(function() x:ndim() end)))
    end)
  end)

  describe("names", function()
    local x
    setup(function() x = cn.zeros(3) end)

    it("that are unknown bring the nearest", function()
      for name, near in pairs {clone = "copy", t = "T", numel = "size", permute = "transpose",
        unsqueeze = "expand_dims",
        dim = "ndim", len = "size", reshap = "reshape", shap = "shape", totabel = "totable"} do
        raises(("an array has no field or method '%s'; did you mean '%s'?"):format(name, near), function()
          local _ = x[name]
        end)
      end
      raises("an array has no field or method 'q'", function() local _ = x.q end)
      raises("cuna has no function 'zeroes'; did you mean 'zeros'?", function() cn.zeroes(3) end)
      raises("cuna has no function 'sotr'; did you mean 'sort'?", function() cn.sotr(3) end)
      raises("cuna has no function '1'", function() local _ = cn[1] end)
    end)

    it("of lengths that a shape has not say so, where no loop asks for them", function()
      local shape = cn.zeros({3, 4}).shape
      raises("shape[0]: axes count from 1 to 2, the shape is (3, 4)", function() return shape[0] + 1 end)
      raises("shape[-1]: axes count from 1 to 2, the shape is (3, 4); write x.shape[x.ndim] for the last one",
        function() return shape[-1] + 1 end)
      raises("shape[1.5]: axes count from 1 to 2", function() return shape[1.5] + 1 end)
      local seen = {}
      for axis, length in ipairs(shape) do seen[axis] = length end
      assert.same({3, 4}, seen)
      local axis = 1
      while shape[axis] do axis = axis + 1 end
      assert.is_true(axis == 3 and shape[3] == nil and #shape == 2 and (shape[3] or 1) == 1 and shape.x == nil)
      assert.same({3, 4}, {unpack(shape)})
      local empty = cn.zeros({}).shape
      assert.is_true(empty[0] == nil and empty[1] == nil)
    end)

    it("of methods called with a dot say so", function()
      for _, name in ipairs {"copy", "item", "totable", "iter", "tobytes", "fill", "free", "reshape", "flip", "clip",
        "astype", "pointer", "has_shape", "ravel"} do
        raises(name .. ": expected an array, got nil; a method is called with a colon, x:" .. name .. "()",
          function() x[name]() end)
      end
      raises("fill: expected an array, got 3; a method is called with a colon, x:fill(3)", function() x.fill(3) end)
    end)
  end)

  describe("comparison", function()
    it("== compares shape and elements, whatever the dtypes", function()
      local x = cn.arange(3)
      assert.is_true(x == cn.arange(3) and x == cn.array({0, 1, 2}, "float32") and x ~= cn.array {0, 1, 3})
      assert.is_true(x ~= cn.arange(4) and x ~= x:reshape(3, 1) and cn.zeros(0) == cn.zeros(0))
      assert.is_true(cn.array {nan} ~= cn.array {nan} and cn.zeros({0, 2}) ~= cn.zeros({2, 0}))
      assert.is_true(x ~= nil and (x == nil) == false and (x == 0) == false)
      assert.is_true(cn.array(5) == cn.array(5) and cn.arange(6):reshape(2, 3).T == cn.array {{0, 3}, {1, 4}, {2, 5}})
    end)

    it("array_equal takes tables, numbers and equal_nan", function()
      assert.is_true(cn.array_equal({1, 2}, cn.array {1, 2}) and cn.array_equal(5, 5))
      assert.is_false(cn.array_equal({1, 2}, {1, 3}) or cn.array_equal({1}, 1) or cn.array_equal({nan}, {nan}))
      assert.is_true(cn.array_equal({1, nan}, {1, nan}, {equal_nan = true}) and cn.array_equal({nan}, {nan}, true))
      assert.is_false(cn.array_equal({1, nan}, {nan, 1}, {equal_nan = true}))
      raises("array_equal: unknown option 'nan'; known are equal_nan", function()
        cn.array_equal(1, 1, {nan = 1})
      end)
      raises("array_equal: got a Lua boolean", function() cn.array_equal({1}, true) end)
    end)

    it("< and <= compare single elements", function()
      local one, two = cn.array(1), cn.array {{2}}
      assert.is_true(one < two and one <= two and two > one and two >= two)
      assert.is_false(two < one or cn.array(nan) < one or cn.array(nan) >= one)
      raises("<: Lua makes one boolean of it, so it needs single elements, not shape (3,); for all elements write "
        .. "x:lt(y)", function() local _ = cn.zeros(3) < cn.zeros(3) end)
      raises("<=: Lua makes one boolean of it", function() local _ = cn.zeros(0) >= one end)
    end)

    it("a freed array has no text", function()
      local x = cn.zeros(3)
      x:free()
      raises("tostring: the array was freed at ", function() return tostring(x) .. "" end)
      raises("array_repr: the array was freed at ", function() return (cn.array_repr(x)) end)
    end)

    it("shares_memory distinguishes views from copies", function()
      local x = cn.arange(10)
      assert.is_true(x:shares_memory(x) and x:shares_memory(x["3:4"]) and cn.shares_memory(x["2:4"], x["4:6"]))
      assert.is_false(x["1:3"]:shares_memory(x["4:"]) or x:shares_memory(x:copy()) or x["1:0"]:shares_memory(x))
      raises("shares_memory: expected an array, got table", function() cn.shares_memory(x, {1}) end)
    end)

    it("# is the length of the first axis", function()
      assert.is_true(#cn.zeros {4, 2} == 4 and #cn.zeros({4, 2}).T == 2 and #cn.zeros {0, 2} == 0)
      raises("#: a 0-d array has no length", function() local _ = #cn.array(5) end)
    end)
  end)

  describe("freed arrays", function()
    --- A freed array and the place that its errors name.
    local function freed()
      local x = cn.arange(6):reshape(2, 3):copy()
      local line = debug.getinfo(1, "l").currentline + 1
      x:free()
      return x, "the array was freed at spec/array_spec.lua:" .. line
    end

    it("refuse every use and say where they were freed", function()
      local x, said = freed()
      local y = cn.zeros {2, 3}
      for name, use in pairs {
        index = function() local _ = x[1] end, assignment = function() x[1] = 1 end,
        ["#"] = function() local _ = #x end,
        shape = function() local _ = x.shape end, dtype = function() local _ = x.dtype end,
        T = function() local _ = x.T end, base = function() local _ = x.base end, sum = function() x:sum() end,
        reshape = function() x:reshape(6) end, totable = function() x:totable() end, item = function() x:item() end,
        fill = function() x:fill(1) end, tostring = function() tostring(x) end, iter = function() x:iter() end,
        add = function() local _ = y + x end, add_ = function() y:add_(x) end, sqrt = function() cn.sqrt(x) end,
        out = function() cn.add(y, y, {out = x}) end, equal = function() local _ = y == x end,
        concatenate = function() cn.concatenate {y, x} end, array = function() cn.array(x) end,
        leaf = function() cn.array {{1, 2, 3}, x} end, value = function() y["..."] = x end,
        asarray = function() cn.asarray(x) end, tobytes = function() x:tobytes() end, flip = function() x:flip() end,
        shares_memory = function() y:shares_memory(x) end, copy = function() x:copy() end, zeros_like = function()
          cn.zeros_like(x)
        end,
      } do
        local ok, message = pcall(use)
        assert.is_false(ok, name)
        assert.is_truthy(message:find(said, 1, true), name .. ": " .. message)
        assert.is_truthy(message:find "^spec/array_spec.lua:%d+: cuna: [^\n]*$", name .. ": " .. message)
      end
    end)

    it("by a finalizer that runs inside an operation are refused there", function()
      --- An array that nothing but its finalizer's closure will free, at the next collection.
      local function doomed()
        local x, owner = cn.ones {64, 3}, newproxy(true)
        getmetatable(owner).__gc = function() x:free() end
        return x
      end
      local out = cn.zeros {64, 3}
      for name, use in pairs {
        add = function(x) return x + 1 end, in_place = function(x) return x:add_(1) end,
        out = function(x) return cn.add(out, 1, x) end, copy = function(x) return x:copy() end,
        shape = function(x) return x.shape end, view = function(x) return x["2:5, :"] end,
        sum = function(x) return x:sum(1) end, value = function(x) out[{1, {}}] = {x["1, 1"], 2, 3} end,
        totable = function(x) return x:totable() end, base = function(x) return x.T.base end,
      } do
        local multiplier, pause = collectgarbage("setstepmul", 1e7), collectgarbage("setpause", 0)
        collectgarbage() -- from now on every allocation collects
        local ok, message = pcall(use, doomed())
        collectgarbage("setstepmul", multiplier)
        collectgarbage("setpause", pause)
        -- What a successful call returned may be freed by now, so nothing looks at it.
        if not ok then assert.is_truthy(message:find("freed", 1, true), name .. ": " .. tostring(message)) end
      end
    end)

    it("keep their metamethods to themselves", function()
      assert.equal("cuna array", getmetatable(cn.arange(3)))
    end)

    it("may be freed twice, and are arrays still", function()
      local x = freed()
      x:free()
      assert.is_true(cn.is_array(x))
    end)

    it("keep their memory for views", function()
      local x = cn.arange(1000)
      local view, row = x["11:20"], x:reshape(10, 100)[2]
      x:free()
      local other = cn.full(1000, -1, "int64")
      assert.is_true(view[1] == 10 and row[1] == 100 and view.base[1000] == 999)
      view:free()
      assert.equal(100, row[1])
      other:free()
    end)
  end)
end)
