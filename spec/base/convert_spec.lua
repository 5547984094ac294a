--- Lua values, FFI memory and bytes into arrays, and arrays into Lua values, bytes and pointers.
local cn = require "cuna"
local devices = require "spec.support.devices"
local ffi = require "ffi"
local raises = require("spec.support.raises").raises

local it = devices.rehearsed_it()

local nan = 0 / 0

--- Collects what arrays held too: first the array goes, then its anchor, then what the anchor held.
local function collect()
  for _ = 1, 3 do collectgarbage() end
end

devices.each_device(function(device)
  describe("array", function()
    it("infers shape and dtype from nested tables", function()
      for _, case in ipairs {
        {5, {}, "float64"}, {true, {}, "bool"}, {{1, 2, 3}, {3}, "float64"}, {{true, false}, {2}, "bool"},
        {{true, 2}, {2}, "float64"}, {{1LL, 2}, {2}, "int64"}, {{true, 1LL}, {2}, "int64"},
        {{1LL, 2.5}, {2}, "float64"},
        {{18446744073709551615ULL, 1}, {2}, "uint64"}, {{1e19}, {1}, "float64"}, {{2i, 1}, {2}, "complex128"},
        {{{1, 2}, {3, 4}, {5, 6}}, {3, 2}, "float64"}, {{{{7}}}, {1, 1, 1}, "float64"}, {{}, {0}, "float64"},
        {{{}, {}}, {2, 0}, "float64"}, {{{{}}, {{}}}, {2, 1, 0}, "float64"}, {{nan, 1 / 0}, {2}, "float64"},
      } do
        local x = cn.array(case[1])
        assert.is_true(x:has_shape(case[2]), tostring(x))
        assert.equal(case[3], x.dtype)
      end
    end)

    it("keeps every digit of 64-bit integers", function()
      local x = cn.array {9007199254740993LL, -9223372036854775807LL, 3}
      assert.equal("[    9007199254740993 -9223372036854775807                    3]", tostring(x))
      assert.is_true(cn.array(x:totable()) == x and cn.array(x:totable()).dtype == "int64")
      assert.equal("[18446744073709551615]", tostring(cn.array {18446744073709551615ULL}))
      assert.equal("[18446744073709551615]", tostring(cn.array({18446744073709551615ULL}, "uint64")))
    end)

    it("takes arrays as leaves, beside which numbers are weak", function()
      local a, b = cn.arange(3), cn.arange(3, "float32")
      assert.is_true(cn.array {a, b} == cn.array {{0, 1, 2}, {0, 1, 2}})
      assert.equal("float64", cn.array({a, b}).dtype)
      assert.equal("int64", cn.array({a, {1, 2, 3}}).dtype)
      assert.equal("float64", cn.array({a, {1, 2, 3.5}}).dtype)
      assert.equal("float32", cn.array({b, {1, 2, 3.5}}).dtype)
      assert.equal("int8", cn.array({a, a}, "int8").dtype)
      assert.is_true(cn.array {cn.array(1), 2} == cn.array {1, 2})
      assert.is_true(cn.array {{a.T, a["::-1"]}}:has_shape(1, 2, 3))
      assert.equal("complex64", cn.array({b, {1, 2i, 3}}):astype("complex64").dtype)
    end)

    it("copies, and asarray does not", function()
      local x = cn.arange(3)
      local y = cn.array(x)
      y[1] = 9
      assert.equal(0, x[1])
      assert.is_true(rawequal(cn.asarray(x), x) and rawequal(cn.asarray(x, "int64"), x))
      assert.is_false(rawequal(cn.asarray(x, "int8"), x))
      assert.equal(device, cn.asarray({1, 2}).device)
      assert.equal("int8", cn.array(x, {dtype = "int8"}).dtype)
      assert.equal("float64", cn.array({1, 2}, {}).dtype)
    end)

    it("converts to the requested dtype", function()
      assert.same({1, -1, 127, 0}, cn.array({1.7, -1.7, 1e9 + 0.5, nan}, "int8"):totable())
      assert.same({true, false, true}, cn.array({2, 0, nan}, "bool"):totable())
      assert.same({true}, cn.array({2i}, "bool"):totable())
      assert.same({1, 0}, cn.array({true, false}, "uint16"):totable())
      assert.is_true(cn.array({0.1}, "float32")[1] ~= 0.1)
      assert.equal(1.5, cn.array({1.5}, "bfloat16")[1])
    end)

    it("scalar makes a strong 0-d array", function()
      assert.equal("int32", (cn.zeros(2, "int8") + cn.scalar(1, "int32")).dtype)
      assert.equal("int8", (cn.zeros(2, "int8") + 1).dtype)
      assert.equal("complex128", cn.scalar(2i).dtype)
      assert.equal("bool", cn.scalar(true).dtype)
      assert.equal("int64", cn.scalar(5LL).dtype)
      assert.equal("int8", cn.scalar(5, {dtype = "int8"}).dtype)
      raises("scalar: expected a number or boolean, got a table", function() cn.scalar {1} end)
      raises("scalar: expected a number or boolean, got a cuna array", function() cn.scalar(cn.zeros(1)) end)
      raises("scalar: 300 does not fit int8", function() cn.scalar(300, "int8") end)
    end)

    it("names the place of what is wrong", function()
      for said, value in pairs {
        ["array: position {2} has length 1 where the first of its level has 2: the data is ragged"] = {{1, 2}, {3}},
        ["array: position {2} has length 0 where the first of its level has 1"] = {{1}, {}},
        ["array: position {2} is a single value where others are tables: the data is ragged"] = {{1, 2}, 3},
        ["array: position {2} is a table where others are single values"] = {1, {2}},
        ["array: position {2} has length 2 where the first of its level has 3"] = {cn.zeros(3), cn.zeros(2)},
        ["array: position {2} is nil: the data has a hole"] = {1, nil, 3},
        ["array: position {2, 1, 2} is nil: the data has a hole"] = {{{1, 2, 3}}, {{1, nil, 3}}},
        ["array: the data has a key 0; positions count from 1"] = {[0] = 1, 2, 3},
        ["array: position {1} has a key 0"] = {{[0] = 1}},
        ["array: the data has a key that is not a number"] = {1, [print] = 2},
        ["array: position {1, 2} is a string, not a number, boolean, table or array"] = {{1, "a"}},
        ["array: position {1} is a function, not"] = {print},
        ["array: the data has the key 'dtype'; write data and options apart, as in array({1, 2}, {dtype = ...})"] =
          {1, 2, dtype = "int8"},
        ["array: position {2} has the key 'x'; write data and options apart"] = {{1, 2}, {3, x = 4}},
      } do
        raises(said, function() cn.array(value) end)
      end
      local deep = {}
      deep[1] = deep
      raises("array: position {1, 1, 1, 1,", function() cn.array(deep) end)
      raises("array: position {2}: 300 does not fit int8", function() cn.array({1, 300}, "int8") end)
      raises("array: position {2}: -1 does not fit uint64", function() cn.array {18446744073709551615ULL, -1} end)
      raises("array: position {1}: 0+2i is complex and float64 is not", function() cn.array({2i}, "float64") end)
    end)

    it("refuses a table that a finalizer changes meanwhile", function()
      --- Converts a value of which `change` makes another one at the next collection; returns what pcall does.
      local function try(value, change)
        local owner = newproxy(true)
        getmetatable(owner).__gc = change
        local multiplier, pause = collectgarbage("setstepmul", 1e7), collectgarbage("setpause", 0)
        collectgarbage() -- from now on every allocation collects
        owner = nil -- luacheck: ignore
        local ok, message = pcall(cn.array, value)
        collectgarbage("setstepmul", multiplier)
        collectgarbage("setpause", pause)
        return ok, message
      end
      local function convert(value, change, before)
        local ok, message = try(value, change)
        assert(ok or message:find("changed while it was read", 1, true) or before and message:find(before, 1, true),
          message)
      end
      local long, deep, arrays = {1, 2}, {1, 2}, {cn.ones(2)}
      convert(long, function() for i = 3, 1e5 do long[i] = i end end)
      convert(deep, function() deep[2] = {{1, 2}, {3, 4}} end,
        "position {2} is a table where others are single values") -- as it is if nothing was read before
      convert(arrays, function() arrays[1] = cn.ones(1e5) end)
      for _ = 1, 3 do -- the first conversion may collect before it reads anything
        local words = {1, 2}
        local ok, made = try(words, function() words[2] = print end)
        assert(ok and made:totable()[2] == 2 or not ok and made:find "position {2}", "an element without a number")
      end
    end)

    it("refuses other values and arguments", function()
      raises("array: expected an array, a number or a nested table, got nil", function() cn.array() end)
      raises("array: expected an array, a number or a nested table, got string", function() cn.array "abc" end)
      raises("array: expected an array, a number or a nested table, got cdata (for an FFI array or pointer write "
        .. "cn.frombuffer)", function() cn.array(ffi.new "int[3]") end)
      raises("array: unknown dtype 'foo'", function() cn.array(5, "foo") end)
      raises('array: several numbers come in one table: cn.array {5, 7, ...}', function() cn.array(5, 7) end)
      raises("array: unknown option 'dtyp'; known are dtype, device", function() cn.array(5, {dtyp = "int8"}) end)
      raises("array: dtype is given by position and by option", function() cn.array(5, "int8", {dtype = "int8"}) end)
      raises("there is no device 'gpu'", function() cn.array(5, {device = "gpu"}) end)
      raises("complex: expected two numbers", function() cn.complex "1" end)
    end)
  end)

  describe("frombuffer", function()
    it("reads strings", function()
      assert.same({1, 2, 3, 4}, cn.frombuffer("\1\2\3\4", "uint8"):totable())
      assert.same({513, 1027}, cn.frombuffer("\1\2\3\4", "uint16"):totable())
      assert.same({1027}, cn.frombuffer("\1\2\3\4", "uint16", 1, 2):totable())
      assert.same({2, 3}, cn.frombuffer("\1\2\3\4", {dtype = "int8", count = 2, offset = 1}):totable())
      assert.same({2, 3, 4}, cn.frombuffer("\1\2\3\4", "int8", -1, 1):totable())
      assert.same({}, cn.frombuffer("", "int32"):totable())
      assert.equal("float64", cn.frombuffer(("\0"):rep(16)).dtype)
      local x = cn.array({1.5, -2, 3}, "float16")
      assert.is_true(cn.frombuffer(x:tobytes(), "float16") == x)
    end)

    it("reads FFI arrays of every element type", function()
      local is_signed = ffi.cast("char", -1) < 0
      for ctype, dtype in pairs {
        bool = "bool", int8_t = "int8", int16_t = "int16", int32_t = "int32", int64_t = "int64", uint8_t = "uint8",
        uint16_t = "uint16", uint32_t = "uint32", uint64_t = "uint64", float = "float32", double = "float64",
        char = is_signed and "int8" or "uint8",
        short = "int16", int = "int32", long = "int64", ["unsigned char"] = "uint8", unsigned = "uint32",
        size_t = "uint64", ["long long"] = "int64", complex = "complex128", ["complex float"] = "complex64",
        ["const int"] = "int32", ["volatile float"] = "float32",
      } do
        for _, source in ipairs {ffi.new(ctype .. "[2]", {1, 0}), ffi.new(ctype .. "[?]", 2, {1, 0})} do
          local x = cn.frombuffer(source)
          assert.equal(dtype, x.dtype, ctype)
          assert.is_true(cn.array_equal(x, {1, 0}), ctype)
        end
        local source = ffi.new(ctype .. "[2]", {1, 0})
        assert.equal(dtype, cn.frombuffer(ffi.cast(ffi.typeof("const " .. ctype .. " *"), source), {count = 2}).dtype)
      end
    end)

    it("reads matrices, struct fields, structs and pointers", function()
      assert.same({1, 2, 3, 4}, cn.frombuffer(ffi.new("int[2][2]", {{1, 2}, {3, 4}})):totable())
      local pair = ffi.new("struct { int16_t tag, pad; float values[3]; }", 7, 0, {1, 2, 3})
      assert.same({1, 2, 3}, cn.frombuffer(pair.values):totable())
      assert.same({1, 2, 3}, cn.frombuffer(pair, {dtype = "float32", offset = 4}):totable())
      assert.equal(7, cn.frombuffer(pair, "int16")[1])
      local numbers = ffi.new("double[4]", 1, 2, 3, 4)
      assert.same({2, 3}, cn.frombuffer(numbers + 1, nil, 2):totable())
      assert.same({3}, cn.frombuffer(ffi.cast("void *", numbers), "float64", 1, 16):totable())
      assert.equal(8, cn.frombuffer(numbers, "float32").size)
    end)

    it("copies unless sharing is requested", function()
      local numbers = ffi.new("double[3]", 1, 2, 3)
      local x = cn.frombuffer(numbers)
      numbers[0] = 9
      assert.equal(1, x[1])
      if device.kind ~= "cpu" then return end
      local y = cn.frombuffer(numbers, {copy = false, offset = 8})
      numbers[1] = 20
      assert.same({20, 3}, y:totable())
      y["..."] = y * 2
      assert.is_true(numbers[1] == 40 and numbers[2] == 6)
    end)

    it("keeps shared memory alive for arrays, views and base", function()
      if device.kind ~= "cpu" then return end
      local alive = 0
      local function shared()
        local numbers = ffi.new("int32_t[4]", 1, 2, 3, 4)
        alive = alive + 1
        return cn.frombuffer(ffi.gc(numbers, function() alive = alive - 1 end), {copy = false})
      end
      local function use()
        local view, base = shared()["2:3"], shared()["::2"].base
        collect()
        assert.equal(2, alive)
        assert.same({2, 3}, view:totable())
        assert.same({1, 2, 3, 4}, base:totable())
        view, base = view.T.base["1:1"], base:reshape(2, 2).T
        collect()
        assert.equal(2, alive)
        assert.is_true(view[1] == 1 and base[{2, 1}] == 2)
      end
      coroutine.wrap(use)() -- leaves nothing on this stack
      collect()
      assert.equal(0, alive)
    end)

    it("refuses what does not fit", function()
      local numbers = ffi.new("double[3]")
      raises("frombuffer: 4 bytes are not a whole number of float64 elements", function() cn.frombuffer "abcd" end)
      raises("frombuffer: 3 elements of uint16 need 6 bytes, and there are 4", function()
        cn.frombuffer("abcd", "uint16", 3)
      end)
      raises("frombuffer: offset 5 is beyond the buffer's 4 bytes", function()
        cn.frombuffer("abcd", "int8", 1, 5)
      end)
      raises("frombuffer: count is a count, got -2", function() cn.frombuffer("abcd", "int8", -2) end)
      raises("frombuffer: offset is a count, got -1", function() cn.frombuffer("abcd", "int8", 1, -1) end)
      raises("frombuffer: a Lua string cannot be shared", function() cn.frombuffer("abcd", "int8", {copy = false}) end)
      raises("frombuffer: a pointer has no length; give count", function() cn.frombuffer(numbers + 0) end)
      raises("frombuffer: the pointer is NULL", function() cn.frombuffer(ffi.cast("int *", nil), nil, 1) end)
      raises("frombuffer: elements of void * have no dtype; give one", function()
        cn.frombuffer(ffi.cast("void *", numbers), {count = 1})
      end)
      raises("frombuffer: elements of struct", function() cn.frombuffer(ffi.new "struct { int a; }[2]") end)
      raises("frombuffer: expected a string, an FFI array or a pointer, got int64_t", function() cn.frombuffer(5LL) end)
      raises("frombuffer: expected a string, an FFI array or a pointer, got a table", function() cn.frombuffer {1} end)
      raises("frombuffer: expected a string, an FFI array or a pointer, got nil", function() cn.frombuffer() end)
      local shares = device.kind == "cpu"
      raises(shares and "frombuffer: the memory is not aligned for float64"
        or "frombuffer: device cuda:0 cannot share host memory; copy it", function()
        cn.frombuffer(numbers, {offset = 4, count = 1, copy = false})
      end)
    end)
  end)

  describe("out of arrays", function()
    it("item, totable and tobytes give Lua values", function()
      assert.equal(5, cn.array({{5}}):item())
      assert.is_true(cn.array(true):item())
      assert.is_true(cn.scalar(9007199254740993LL):item() == 9007199254740993LL)
      assert.same({5, "a", true}, {cn.item(cn.array(5), "a", cn.array {true})})
      local a, b = cn.item(nil, cn.array(1))
      assert.is_true(a == nil and b == 1)
      local x = cn.arange(6):reshape(2, 3)
      assert.same({{0, 1, 2}, {3, 4, 5}}, x:totable())
      assert.same({{0, 3}, {1, 4}, {2, 5}}, x.T:tolist())
      assert.equal(7, cn.array(7):totable())
      assert.same({}, cn.zeros({0, 2}):totable())
      assert.same({{}, {}}, cn.zeros({2, 0}):totable())
      assert.equal("\0\3\1\4\2\5", x.T:astype("int8"):tobytes())
      assert.equal("", cn.zeros(0):tobytes())
      raises("item: the array has 6 elements, shape (2, 3); index one of them", function() x:item() end)
      raises("item: the array has 0 elements", function() cn.zeros(0):item() end)
      raises("item: the array has 2 elements", function() cn.item(cn.zeros(2)) end)
      local large = cn.broadcast_to(cn.zeros(1, "int8"), {2 ^ 31})
      raises("tobytes: 2147483648 elements of int8 are more bytes than a Lua string holds; write x:tofile(path)",
        function() large:tobytes() end)
      raises("totable: 134217728 elements are more than a Lua table holds", function()
        large["1:134217728"]:totable()
      end)
    end)

    it("iter goes along the first axis", function()
      local x, rows = cn.arange(6):reshape(3, 2), {}
      for i, row in x:iter() do
        row[1] = row[1] * 10
        rows[i] = row:totable()
      end
      assert.same({{0, 1}, {20, 3}, {40, 5}}, rows)
      assert.equal(40, x[{3, 1}])
      local sum, count = 0, 0
      for i, value in cn.arange(3000)["::-1"]:iter() do
        assert.equal(3000 - i, value)
        sum, count = sum + value, i
      end
      assert.is_true(sum == 2999 * 1500 and count == 3000)
      for _ in cn.zeros({0, 3}):iter() do error "no rows" end
      for _ in cn.zeros(0):iter() do error "no elements" end
      raises("iter: a 0-d array has no axis to go along", function() cn.array(5):iter() end)
    end)

    it("pointer is typed, counts from 0 and shares", function()
      if device.kind ~= "cpu" then return end
      for dtype, ctype in pairs {bool = "bool *", int8 = "int8_t *", uint16 = "uint16_t *", int64 = "int64_t *",
        float16 = "uint16_t *", float32 = "float *", float64 = "double *", complex64 = "complex float *"} do
        assert.is_true(ffi.istype(ctype, cn.ones(2, dtype):pointer()), dtype)
      end
      local x = cn.arange(4)
      local p = x:pointer()
      p[3] = 70
      x[1] = 50
      assert.is_true(x[4] == 70 and p[0] == 50)
      assert.equal(2, tonumber(x["3:"]:pointer()[0]))
      assert.equal(1, cn.frombuffer(p + 1, nil, 1)[1])
    end)

    it("pointer keeps the array alive", function()
      if device.kind ~= "cpu" then return end
      local p = (cn.arange(1000) + 1):pointer()
      for _ = 1, 20 do
        local _ = cn.zeros(1000, "int64")
        collect()
      end
      for i = 0, 999 do assert.is_true(p[i] == i + 1) end
    end)

    it("pointer refuses strided, freed and other arrays", function()
      if device.kind ~= "cpu" then return end
      local x = cn.arange(6):reshape(2, 3)
      raises("pointer: the array is a strided view; copy it with x:copy()", function() x.T:pointer() end)
      raises("pointer: the array is a strided view", function() cn.broadcast_to({1}, {3}):pointer() end)
      raises("pointer: expected an array, got nil; a method is called with a colon", function() x.pointer() end)
      x:free()
      raises("pointer: the array was freed at spec/base/convert_spec.lua:", function() x:pointer() end)
    end)
  end)
end)
