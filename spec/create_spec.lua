--- Arrays of a shape, of ranges and of patterns: values, dtypes, arguments and errors.
local cn = require "cuna"
local devices = require "spec.support.devices"

local it = devices.rehearsed_it()
local golden = dofile("spec/golden/manipulate.lua")
local raises = require("spec.support.raises").raises

local nan = 0 / 0

local DTYPES = {"bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "bfloat16",
  "float32", "float64", "complex64", "complex128"}

--- The numbers of a golden list, whose floats are hexadecimal texts.
local function numbers(list)
  local out = {}
  for i, value in ipairs(list) do out[i] = tonumber(value) or value end
  return out
end

local function flat(x) return x:reshape(-1):totable() end

--- Asserts elements and dtype of a 1-d array.
local function holds(expected, x, dtype)
  assert.same(expected, flat(x))
  if dtype then assert.equal(dtype, x.dtype) end
end

devices.each_device(function(device)
  describe("of a shape", function()
    it("zeros, ones, full and empty exist in every dtype", function()
      for _, dtype in ipairs(DTYPES) do
        local zeros, ones, full = cn.zeros({2, 2}, dtype), cn.ones(2, dtype), cn.full(2, 1, {dtype = dtype})
        assert.equal(dtype, zeros.dtype)
        assert.is_true(ones == full and zeros == cn.zeros({2, 2}), dtype)
        assert.is_true(cn.array_equal(ones, {1, 1}), dtype)
        assert.is_true(cn.empty({3, 0}, dtype):has_shape(3, 0))
      end
    end)

    it("take shape, dtype and device by position or by name", function()
      assert.equal("float64", cn.zeros(3).dtype)
      assert.is_true(cn.zeros({2LL, 3}, {dtype = "int8", device = device}):has_shape(2, 3))
      assert.equal(device, cn.ones(1, nil, device).device)
      assert.equal(device, cn.ones(1, "int8", device.name).device)
      assert.equal(0, cn.zeros({}).ndim)
      assert.is_true(cn.zeros(cn.zeros({2, 3}).shape):has_shape(2, 3))
      assert.equal("float64", cn.zeros(3, {}).dtype)
    end)

    it("say how to convert what is not a number", function()
      local x, one = cn.zeros {2, 3}, cn.array(3)
      raises("linspace: num is a count, got a cuna array of shape (2, 3); write x:totable() for its numbers",
        function() cn.linspace(0, 1, x) end)
      raises('linspace: num is a count, got "3"; write it without quotes', function() cn.linspace(0, 1, "3") end)
      raises("eye: n is a count, got a table; write its numbers one by one: 2, 3", function() cn.eye {2, 3} end)
      raises("eye: n is a count, got a table", function() cn.eye {{}} end)
      raises("fill: the value is a number or boolean, got a cuna array of shape (); write x:item() for its number",
        function() x:fill(one) end)
      raises("linspace: stop is a number, got a cuna array of shape (1,); write x:item() for its number",
        function() cn.linspace(0, cn.array {3}, 5) end)
    end)

    it("take 0-d arrays where counts and positions are", function()
      local x, three = cn.array({1, 5, 2}), cn.array(3)
      assert.is_true(cn.linspace(0, x:max(), 3) == cn.array {0, 2.5, 5})
      assert.is_true(cn.zeros(x:max()):has_shape(5) and cn.zeros({2, three}):has_shape(2, 3))
      assert.is_true(cn.eye(three):has_shape(3, 3) and cn.range(three, 4) == cn.range(3, 4))
      assert.is_true(x[{{1, x:argmax()}}] == cn.array {1, 5})
      assert.is_true(x:reshape(1, three):has_shape(1, 3) and x:sum(cn.array(1)) == x:sum(1))
      assert.is_true(cn.arange(cn.array(2, "uint8")) == cn.arange(2))
      raises("eye: n is a count, got 2.5", function() cn.eye(cn.array(2.5)) end)
      raises("zeros: a length must be an integer, got 2.5", function() cn.zeros(cn.array(2.5)) end)
      raises("eye: n is a count, got a boolean", function() cn.eye(cn.array(true)) end)
      if device ~= cn.device "cpu" then
        raises("zeros: a length", function() cn.no_sync(function() cn.zeros(three) end) end)
        raises("eye", function() cn.no_sync(function() cn.eye(three) end) end)
      end
    end)

    it("cn.nan has no sign", function()
      assert.equal(1, cn.copysign(1, cn.nan):item())
      assert.equal(1, cn.copysign(1, cn.array {cn.nan}):totable()[1])
      assert.is_true(cn.nan ~= cn.nan)
    end)

    it("full infers its dtype and broadcasts arrays", function()
      assert.equal("float64", cn.full(2, 7).dtype)
      assert.equal("bool", cn.full(2, true).dtype)
      assert.equal("int64", cn.full(2, 7LL).dtype)
      assert.equal("uint64", cn.full(2, 18446744073709551615ULL).dtype)
      assert.equal("complex128", cn.full(2, 2i).dtype)
      assert.is_true(cn.full({2, 2}, cn.arange(2)) == cn.array {{0, 1}, {0, 1}})
      assert.equal("int64", cn.full(2, cn.arange(2)).dtype)
      assert.is_true(cn.full(2, nan):isnan():all())
    end)

    it("arange counts on in arrays that are written past the caches", function()
      local n = 3000000 -- 24 MB, several pieces of several blocks
      local x = cn.arange(n)
      assert.equal(n * (n - 1) / 2, x:sum():item())
      assert.is_true((x["2:"] - x["1:-2"]):eq(1):all())
    end)

    it("the _like forms keep dtype and shape by default", function()
      local x = cn.arange(6, "int16"):reshape(2, 3)
      for _, name in ipairs {"empty_like", "zeros_like", "ones_like"} do
        local y = cn[name](x)
        assert.is_true(y:has_shape(2, 3) and y.dtype == "int16" and x[name](x):has_shape(2, 3))
        y = cn[name](x, {dtype = "float32", shape = 4})
        assert.is_true(y:has_shape(4) and y.dtype == "float32")
      end
      holds({7, 7, 7}, cn.full_like(x[1], 7.9), "int16")
      holds({7.5, 7.5}, cn.full_like({1, 2}, 7.5), "float64")
      holds({1, 2, 3}, cn.full_like(x[1], cn.array {1, 2, 3}), "int16")
    end)

    it("the default float is set by set_default_dtype", function()
      assert.equal("float64", cn.set_default_dtype "float32")
      local ok, message = pcall(function()
        for _, x in ipairs {cn.zeros(2), cn.full(2, 7), cn.array {1}, cn.arange(0, 1, 0.5), cn.linspace(0, 1, 3),
          cn.eye(2), cn.frombuffer "\0\0\0\0"} do
          assert.equal("float32", x.dtype)
        end
        assert.equal("complex64", cn.array({2i}).dtype)
        assert.equal("int64", cn.arange(3).dtype)
      end)
      assert.equal("float32", cn.set_default_dtype "float64")
      assert.is_true(ok, message)
      raises('set_default_dtype: expected "float32" or "float64"', function() cn.set_default_dtype "int8" end)
    end)

    it("an array has at most 32 axes", function()
      local shape = {}
      for i = 1, 32 do shape[i] = i % 16 == 0 and 2 or 1 end
      local x = cn.ones(shape)
      assert.equal(32, x.ndim)
      assert.equal(32, (x + x.T):sum():item())
      shape[33] = 1
      raises("zeros: a shape has at most 32 axes, got 33", function() cn.zeros(shape) end)
      raises("expand_dims: 33 axes are more than", function() x:expand_dims(1) end)
    end)

    it("refuse invalid shapes", function()
      raises("zeros: the shape is missing", function() cn.zeros() end)
      raises("ones: a shape is a number or a table of numbers, got string", function() cn.ones "3" end)
      raises("empty: a shape is a number or a table of numbers, got boolean", function() cn.empty(true) end)
      raises("zeros: a length must be an integer, got 1.5", function() cn.zeros(1.5) end)
      raises("zeros: length 2 of the shape must be an integer, got 1.5", function() cn.zeros {2, 1.5} end)
      raises("zeros: length 1 of the shape must be an integer, got string", function() cn.zeros {"2"} end)
      raises("zeros: a length must be an integer, got inf", function() cn.zeros(math.huge) end)
      raises("zeros: shape (2, -1) has a negative length on axis 2", function() cn.zeros {2, -1} end)
      raises("zeros: the shape has no entry 2 (nil), and has an entry 3", function() cn.zeros {2, nil, 3} end)
      local long = {}
      for i = 1, 5000 do long[i] = 1 end
      long[5002] = 1
      raises("zeros: the shape has no entry 5001 (nil), and has an entry 5002", function() cn.zeros(long) end)
      raises("zeros: the shape has the key 2.5; its keys are 1..n", function() cn.zeros {2, [2.5] = 3} end)
      raises("zeros: the shape has a boolean for a key", function() cn.zeros {2, [true] = 3} end)
      raises("zeros: a shape is a number or a table of numbers such as x.shape or x:totable(), got a cuna array of "
        .. "shape (2,)", function() cn.zeros(cn.array {3, 4}) end)
      raises("zeros: length 2 of the shape must be an integer, got a cuna array of shape (1,); write x:item()",
        function() cn.zeros {3, cn.array {3}} end)
      raises("zeros: the shape has a key 0", function() cn.zeros {[0] = 2} end)
      raises("zeros: the shape has the key 'dtype'; write the shape and options apart, as in "
        .. "zeros({3, 4}, {dtype = ...})",
        function() cn.zeros {3, dtype = "int8"} end)
      raises("zeros: a shape is one table: cn.zeros({2, 3, ...})", function() cn.zeros(2, 3) end)
    end)

    it("refuse sizes that no memory has", function()
      raises("zeros: shape (1099511627776, 1099511627776) has too many elements",
        function() cn.zeros {2 ^ 40, 2 ^ 40} end)
      raises("zeros: an array of shape (4611686018427387904,) and dtype float64 has more bytes",
        function() cn.zeros(2 ^ 62) end)
      raises("zeros: a length must be an integer, got 1e+300", function() cn.zeros(1e300) end)
      raises("OutOfMemoryError: ", function() cn.empty {2 ^ 24, 2 ^ 24} end)
    end)

    it("refuse wrong values, dtypes, options and devices", function()
      raises("zeros: unknown dtype 'flot32'; did you mean 'float32'?", function() cn.zeros(3, "flot32") end)
      raises("ones: unknown option 'dtpe'; known are dtype, device", function() cn.ones(3, {dtpe = 1}) end)
      raises("ones: dtype is given by position and by option", function() cn.ones(3, "int8", {dtype = "int8"}) end)
      raises("ones: takes at most 3 arguments", function() cn.ones(3, "int8", nil, 1, 2) end)
      raises("full: the value is a number, boolean or array, got nil", function() cn.full(2) end)
      raises("full: the value is a number, boolean or array, got a table", function() cn.full(2, {1}, "int8") end)
      raises("full: 300 does not fit int8", function() cn.full(2, 300, "int8") end)
      raises("full_like: -1 does not fit uint8", function() cn.full_like(cn.zeros(2, "uint8"), -1) end)
      raises("zeros_like: got a Lua boolean", function() cn.zeros_like(true) end)
      raises("there is no device 'gpu'", function() cn.zeros(2, nil, "gpu") end)
    end)
  end)

  describe("ranges", function()
    it("agree with NumPy", function()
      for _, case in ipairs(golden.ranges) do
        local x = cn[case.name](unpack(numbers(case.arguments)))
        holds(numbers(case.values), x, case.dtype)
      end
    end)

    it("arange takes its arguments in every form", function()
      holds({2, 3, 4}, cn.arange(2, 5, {dtype = "float32"}), "float32")
      holds({0, 1}, cn.arange(2, "uint8"), "uint8")
      holds({1, 3}, cn.arange(1, 5, 2, "int8"), "int8")
      holds({0, 2, 4}, cn.arange(5, {step = 2}), "int64")
      holds({1, 2}, cn.arange {start = 1, stop = 3}, "int64")
      holds({false, true}, cn.arange(2, "bool"), "bool")
      assert.is_true(cn.arange(3, "complex64") == cn.array {0, 1, 2})
    end)

    it("arange stays exact with 64-bit integers", function()
      local x = cn.arange(9007199254740993LL, 9007199254740998LL, 2)
      assert.equal("[9007199254740993 9007199254740995 9007199254740997]", tostring(x))
      holds({5, 3, 1}, cn.arange(5LL, 0LL, -2LL), "int64")
      holds({}, cn.arange(5LL, 5LL), "int64")
      holds({0, 0.5, 1, 1.5}, cn.arange(0LL, 2, 0.5), "float64")
      holds({1e15, 1e15 + 1}, cn.arange(1e15, 1e15 + 2), "int64")
    end)

    it("arange refuses endless, too long, unfitting and complex ranges", function()
      raises("arange: stop is a number, got nil", function() cn.arange() end)
      raises("arange: stop is a number, got a boolean", function() cn.arange(true) end)
      raises("arange: start is a number, got a table", function() cn.arange({1, 2}, 3) end)
      raises("arange: stop is a real number, got 0+2i", function() cn.arange(2i) end)
      raises("arange: the step must not be 0", function() cn.arange(1, 2, 0) end)
      raises("arange: from 0 to inf there is no end", function() cn.arange(math.huge) end)
      raises("arange: from nan to 3 there is no end", function() cn.arange(nan, 3) end)
      raises("arange: 1e+20 elements are too many", function() cn.arange(1e20) end)
      raises("arange: 299 does not fit int8", function() cn.arange(300, "int8") end)
      raises("arange: -1 does not fit uint8", function() cn.arange(-1, 3, "uint8") end)
      raises("arange: 3 numbers cannot be bools", function() cn.arange(3, "bool") end)
    end)

    it("range includes both ends", function()
      holds({1, 2, 3, 4, 5}, cn.range(1, 5), "int64")
      holds({1, 3, 5}, cn.range(1, 6, 2))
      holds({5, 3, 1}, cn.range(5, 1, -2))
      holds({}, cn.range(1, 0))
      holds({-3, -2, -1}, cn.range(-3, -1))
      holds({7}, cn.range {first = 7, last = 7})
      raises("range: last is a whole number, got nil", function() cn.range(5) end)
      raises("range: first is a whole number, got 1.5", function() cn.range(1.5, 3) end)
      raises("range: the step must not be 0", function() cn.range(1, 3, 0) end)
    end)

    it("linspace and logspace take options and check them", function()
      local x, step = cn.linspace(0, 1, {num = 5, retstep = true})
      holds({0, 0.25, 0.5, 0.75, 1}, x)
      assert.equal(0.25, step)
      step = select(2, cn.linspace(0, 1, 1, true, true))
      assert.is_true(step ~= step)
      assert.equal(50, cn.linspace(0, 1).size)
      holds({1, 2, 3}, cn.linspace(1LL, 3LL, 3))
      holds({0, -4, -7, -11}, cn.linspace(0, -10.5, 4, {dtype = "int8"}))
      assert.allclose(cn.logspace(0, 3, 4), {1, 10, 100, 1000})
      holds({1, 2, 4}, cn.logspace(0, 2, {num = 3, base = 2}))
      holds({1, 10, 100}, cn.logspace(0, 2, 3, {dtype = "int32"}), "int32")
      assert.allclose(cn.logspace(0, 1, 2, false), {1, 10 ^ 0.5})
      raises("linspace: num is a count, got -1", function() cn.linspace(0, 1, -1) end)
      raises("linspace: num is a count, got 2.5", function() cn.linspace(0, 1, 2.5) end)
      raises('linspace: endpoint is true or false, got "yes"', function() cn.linspace(0, 1, 3, "yes") end)
      raises("linspace: stop is a number, got nil", function() cn.linspace(0) end)
      raises("linspace: stop is a real number, got 0+1i", function() cn.linspace(0, 1i) end)
      raises("linspace: 300 does not fit int8", function() cn.linspace(0, 300, 4, {dtype = "int8"}) end)
      raises("logspace: base is a number, got a table", function() cn.logspace(0, 1, 2, true, {1, 2}) end)
    end)
  end)

  describe("patterns", function()
    it("agree with NumPy", function()
      for _, case in ipairs(golden.patterns) do
        local x = cn[case.name](unpack(case.arguments))
        assert.is_true(x:has_shape(case.result))
        holds(case.values, x, "int64")
      end
      for _, case in ipairs(golden.matrices) do
        local x = cn.arange(1, cn.zeros(case.shape, "bool").size + 1):reshape(case.shape)
        local y = cn[case.name](x, case.k)
        assert.is_true(y:has_shape(case.result), case.name)
        holds(case.values, y, "int64")
        assert.is_true(x[case.name](x, {k = case.k}) == y)
      end
    end)

    it("take strided and empty matrices and every dtype", function()
      local x = cn.arange(6):reshape(2, 3)
      holds({1, 5}, cn.diag(x.T["2:"]))
      assert.is_true(cn.tril(x.T) == cn.array {{0, 0}, {1, 4}, {2, 5}})
      assert.is_true(cn.triu(cn.zeros {0, 3}):has_shape(0, 3))
      for _, k in ipairs {-2 ^ 40, -3, -1, 2, 3, 2 ^ 40} do -- both sides of a diagonal are all
        assert.is_true(cn.tril(x, k) + cn.triu(x, k + 1) == x)
      end
      assert.is_true(cn.tril(cn.ones({2, 2}):to "cpu"):eq({{1, 0}, {1, 1}}):all()) -- whichever device is current
      assert.is_true(cn.diag({}):has_shape(0, 0) and cn.diag({}, -2):has_shape(2, 2))
      assert.is_true(cn.identity(2, "bool") == cn.array {{1, 0}, {0, 1}})
      assert.equal("complex64", cn.identity(2, {dtype = "complex64"}).dtype)
      assert.is_false(cn.diag(x):shares_memory(x))
      raises("tril: expected at least 2 axes, got shape (2,)", function() cn.tril {1, 2} end)
      raises("diag: expected 1 or 2 axes, got shape (1, 1, 1)", function() cn.diag(cn.zeros {1, 1, 1}) end)
      raises("triu: k is a whole number, got 0.5", function() cn.triu({{1}}, 0.5) end)
      raises("eye: n is a count, got nil", function() cn.eye() end)
      raises("tri: n is a count, got -1", function() cn.tri(-1) end)
      raises("eye: unknown option 'dtyp'; known are n, m, k, dtype", function() cn.eye(2, {dtyp = "int8"}) end)
    end)

    it("meshgrid", function()
      local a, b = cn.meshgrid({1, 2}, {3, 4, 5})
      assert.is_true(a == cn.array {{1, 2}, {1, 2}, {1, 2}} and b == cn.array {{3, 3}, {4, 4}, {5, 5}})
      a, b = cn.meshgrid({1, 2}, {3, 4, 5}, {indexing = "ij"})
      assert.is_true(a == cn.array {{1, 1, 1}, {2, 2, 2}} and b == cn.array {{3, 4, 5}, {3, 4, 5}})
      a, b = cn.meshgrid({1, 2}, {3, 4, 5}, {sparse = true})
      assert.is_true(a:has_shape(1, 2) and b:has_shape(3, 1) and a.flags.writeable)
      local grids = {cn.meshgrid({1, 2}, {3}, {4, 5, 6})}
      assert.is_true(#grids == 3 and grids[3]:has_shape(1, 2, 3) and grids[1][{1, 2, 1}] == 2)
      assert.equal(0, select("#", cn.meshgrid()))
      assert.is_true(cn.meshgrid({1, 2}):has_shape(2))
      grids[1][{1, 1, 1}] = 9
      assert.equal(1, grids[1][{1, 1, 2}])
      raises('meshgrid: indexing is "xy" or "ij", got "x"', function() cn.meshgrid({1}, {indexing = "x"}) end)
      raises("meshgrid: unknown option 'copy'; known are indexing, sparse", function()
        cn.meshgrid({1}, {copy = true})
      end)
      raises("meshgrid: got a Lua boolean", function() cn.meshgrid({1}, true) end)
    end)
  end)

  it("a colon in place of the dot is reported", function()
    for _, name in ipairs {"zeros", "array", "arange", "eye", "stack", "full", "meshgrid", "reshape", "sum", "sin"} do
      raises(name .. ": a function of cuna is called with a dot: cn." .. name .. "(...)",
        function() cn[name](cn, 3) end)
    end
  end)
end)
