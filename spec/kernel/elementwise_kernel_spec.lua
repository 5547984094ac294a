--- Kernels of the user's own text, element by element: what they compute, how they are called, what they refuse.
local bits = require "spec.support.bits"
local cn = require "cuna"
local devices = require "spec.support.devices"
local index_bits = require "spec.support.index_bits"
local operands = require "spec.support.operands"
local process = require "spec.support.process"
local raises = require("spec.support.raises").raises

local it, kernel = devices.rehearsed_it(cn.prepare), cn.ElementwiseKernel

--- 0, 1, 2, ... in float64.
local function arange(n) return cn.arange(n):astype "float64" end

local function same(expected, x) assert.same(expected, x:totable()) end

devices.each_device(function()
  local add, squared, both
  setup(function()
    add = kernel("T x, T y", "T z", "z = x + y", "my_add")
    squared = kernel("T x, T y", "T z", "z = (x - y) * (x - y)", "squared_diff")
    both = kernel("T x, T y", "T s, T d", "s = x + y; d = x - y", "both")
  end)

  describe("a kernel", function()
    it("computes what its text says", function()
      local x, y = cn.sin(arange(1000):astype "float32"), cn.ones(1000, "float32")
      assert.equal(cn.add(x, y):tobytes(), add(x, y):tobytes())
      assert.equal(((x - y) * (x - y)):tobytes(), squared(x, y):tobytes())
    end)

    it("has several outputs", function()
      local s, d = both(cn.array {5, 7}, cn.array {1, 2})
      same({6, 9}, s)
      same({4, 5}, d)
    end)

    it("takes numbers, booleans, boxed numbers and tables in any place", function()
      local x = cn.array({1, 2, 3}, "float32")
      local z = add(x, 2)
      assert.equal("float32", z.dtype)
      same({3, 4, 5}, z)
      same({3, 4, 5}, add(2, x))
      same({2, 3, 4}, add(x, true))
      same({6, 7, 8}, add(5LL, x))
      same({2, 4, 6}, add(x, {1, 2, 3}))
      assert.equal("float32", add({1, 2, 3}, x).dtype)
      same({11, 22}, add({1, 2}, {10, 20}))
    end)

    it("makes one element of numbers only, in the dtype they say", function()
      local function made(...)
        local z = add(...)
        return z.ndim .. " " .. z.dtype .. " " .. tostring(z:item())
      end
      assert.equal("0 float64 3.5", made(1, 2.5))
      assert.equal("0 bool true", made(true, false))
      assert.equal("0 int64 7", made(5LL, 2LL))
      assert.equal("0 uint64 7", made(5ULL, 2LL))
      assert.equal("0 float64 2", made(1, true))
      assert.equal("0 complex128 1+2i", made(1, 2i))
      cn.set_default_dtype "float32"
      local text = made(1, 2)
      cn.set_default_dtype "float64"
      assert.equal("0 float32 3", text)
      assert.equal("0 float64 3", made(1, 2))
    end)

    it("broadcasts inputs, and to an output", function()
      local x, y = arange(3), arange(2):reshape(2, 1)
      same({{0, 1, 2}, {1, 2, 3}}, add(x, y))
      local z = cn.zeros {2, 3}
      assert.equal(z, add(x, 10, z))
      same({{10, 11, 12}, {10, 11, 12}}, z)
      same({7}, add(cn.scalar(3), {4}))
      assert.equal(0, add(cn.scalar(3), cn.scalar(4)).ndim)
    end)

    it("runs over nothing", function()
      assert.is_true(add(cn.zeros(0), 1):has_shape(0))
      assert.is_true(add(cn.zeros {3, 0}, cn.zeros {3, 1}):has_shape(3, 0))
      assert.is_true(kernel("", "int z", "z = i")({size = 0}):has_shape(0))
    end)

    it("walks views of any layout", function()
      local x, y = arange(24):reshape(4, 6), cn.ones {4, 6}
      for _, key in ipairs {"::-1", "::2, ::3", "2:3, ::-2", ":, 4"} do
        local z = add(x[key], y[key])
        assert.equal(cn.add(x[key], y[key]):tobytes(), z:tobytes())
      end
      assert.equal(cn.add(x.T, y.T):tobytes(), add(x.T, y.T):tobytes())
      local big = operands.by_columns(arange(70 * 90):reshape(70, 90))
      assert.equal(cn.add(big, 1):tobytes(), add(big, 1):tobytes())
    end)

    it("takes every dtype through a placeholder, bit for bit", function()
      local same_kernel = kernel("T x", "T y", "y = x", "same")
      local bytes = {}
      for k = 1, 512 do bytes[k] = string.char(k * 37 % 120 + k % 2 * 128) end -- none is a NaN
      bytes = table.concat(bytes)
      for _, dtype in ipairs {"int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16",
        "bfloat16", "float32", "float64", "complex64", "complex128"} do
        local x = bits.array(bytes, dtype)
        local y = same_kernel(x)
        assert.equal(dtype, y.dtype)
        assert.equal(bits.to_hex(bytes), bits.to_hex(y:tobytes()), dtype)
      end
      same({true, false, true}, same_kernel(cn.array {true, false, true}))
    end)

    it("computes halves in float, and complex numbers", function()
      local half = cn.array({1, 2.5, -3}, "float16")
      local z = kernel("T x", "T y", "T f = x / 3.0f; y = f * f", "third")(half)
      assert.equal("float16", z.dtype)
      local f = half:astype "float32" / cn.array(3, "float32")
      assert.equal((f * f):astype "float16":tobytes(), z:tobytes())
      local c = cn.array({cn.complex(1, 2), cn.complex(-3, 0.5)}, "complex64")
      assert.equal((c * c):tobytes(), kernel("complex64 x", "complex<float> y", "y = x * x")(c):tobytes())
    end)

    it("has names of C for types", function()
      local z = kernel("float x, unsigned char y, long long w", "double z", "z = x + y + w")(cn.array({1.5}, "float32"),
        cn.array({200}, "uint8"), cn.array({1000}, "int64"))
      assert.equal("float64", z.dtype)
      same({1201.5}, z)
    end)

    it("knows its position and size", function()
      same({0, 3, 6}, kernel("T x", "int64 z", "z = i * n")(cn.zeros(3)))
      same({{0, 1, 2}, {3, 4, 5}}, kernel("T x", "int64 z", "z = i")(cn.zeros {3, 2}.T))
      same({3, 3, 3}, kernel("T x", "int64 z", "z = n")(cn.zeros(3)))
      same({0, 2, 4}, kernel("", "float z", "z = 2 * i")({size = 3}))
      same({{0, 1, 2}, {10, 11, 12}},
        kernel("T x", "int64 z", "z = _ind.get()[0] * 10 + _ind.get()[1]")(cn.zeros {2, 3}))
      same({12, 12}, kernel("T x", "int64 z", "z = _ind.size() * _ind.ndim")(cn.zeros {2, 3})[{1, {1, 2}}])
    end)

    it("makes a program per number of axes where its text names them", function()
      local k = kernel("T x", "int32 z", "z = _ind.ndim", "axes")
      same({1, 1}, k(cn.zeros(2)))
      same({{2}, {2}}, k(cn.zeros {2, 1}))
      same({{2, 2}}, k(1, cn.zeros({1, 2}, "int32")))
      assert.equal(0, k(1):item())
    end)
  end)

  describe("raw parameters", function()
    it("are indexed from 0", function()
      local reverse = kernel("raw T x", "T z", "z = x[n - i - 1]", "reverse")
      same({3, 2, 1}, reverse(cn.array {1, 2, 3}, {size = 3}))
      same({30, 10}, kernel("raw T x, int64 at", "T z", "z = x[at]", "gather")(cn.array {10, 20, 30},
        cn.array({2, 0}, "int64")))
      same({3, 2}, reverse({1, 2, 3}, {out = cn.zeros(2)}) + 1)
    end)

    it("may have any strides", function()
      local x = arange(12):reshape(3, 4)
      local flat = kernel("raw T x", "T z", "z = x[i]", "flat")
      assert.equal(x.T:flatten():tobytes(), flat(x.T, {size = 12}):tobytes())
      assert.equal(x["::-2, 2:3"]:flatten():tobytes(), flat(x["::-2, 2:3"], {size = 4}):tobytes())
      local swap = kernel("raw T x, U y", "T z", "ptrdiff_t at[] = {_ind.get()[1], _ind.get()[0]}; z = x[at]", "swap")
      assert.equal(x.T:tobytes(), swap(x, cn.zeros {4, 3}):tobytes())
      assert.equal(x["::-1"].T:tobytes(), swap(x["::-1"], cn.zeros {4, 3}):tobytes())
      assert.equal(x:tobytes(), kernel("raw T x, U y", "T z", "z = x[_ind.get()]")(x, cn.zeros {3, 4}):tobytes())
    end)

    it("know size, shape, strides and axes", function()
      local facts = kernel("raw T x", "int64 z", [[
        int64 all[] = {x.size(), x.shape()[0], x.shape()[1], x.strides()[0], x.strides()[1], x.ndim};
        z = all[i];
      ]], "facts")
      same({6, 2, 3, 24, 8, 2}, facts(cn.zeros {2, 3}, {size = 6}))
      same({6, 3, 2, 8, 24, 2}, facts(cn.zeros {2, 3}.T, {size = 6}))
      same({6, 2, 3, 6, 2, 2}, facts(cn.zeros({2, 3}, "float16"), {size = 6}))
    end)

    it("may be outputs, and written to as inputs when they say so", function()
      local scatter = kernel("int64 at, T v", "raw T z", "z[at] = v", "scatter")
      local z = cn.zeros(4)
      assert.equal(z, scatter(cn.array({3, 1}, "int64"), cn.array {7.0, 8}, z))
      same({0, 8, 0, 7}, z)
      same({0, 2, 4}, kernel("", "raw float z", "z[i] = 2 * i")({size = 3}))
      local w = cn.zeros(3)
      assert.is_nil((kernel("_non_const raw T w, T x", "", "w[i] = x + 1")(w, arange(3))))
      same({1, 2, 3}, w)
      local half = cn.zeros(3, "float16")
      kernel("_non_const raw T w", "", "w[i] = 1.5f; w[i] += 1")(half, {size = 3})
      same({2.5, 2.5, 2.5}, half)
    end)

    it("come back among the outputs in their order", function()
      local a, b, c = kernel("T x", "raw T a, T b, raw T c", "a[i] = x; b = x + 1; c[i] = x + 2")(
        arange(2), cn.zeros(2), cn.zeros(2), cn.zeros(2))
      same({0, 1}, a)
      same({1, 2}, b)
      same({2, 3}, c)
    end)

    it("as pointers give the loop its size, as in PyCUDA", function()
      local combine = kernel("float a, float *x, float b, float *y", "float *z", "z[i] = a*x[i] + b*y[i]",
        "linear_combination")
      local x, y = cn.array({1, 2, 3}, "float32"), cn.array({10, 20, 30}, "float32")
      local z = cn.empty_like(x)
      combine(5, x, 6, y, z)
      same({65, 130, 195}, z)
      same({65, 130, 195}, combine(5, x, 6, y))
      same({65, 130}, combine(5, x, 6, y, {size = 2}))
      kernel("float a, float *x", "", "x[i] *= a")(2, x)
      same({2, 4, 6}, x)
    end)
  end)

  describe("outputs that are given", function()
    it("are written to, and read before", function()
      local x, z = arange(3), cn.full(3, 10)
      local accumulate = kernel("T x", "T z", "z += x", "accumulate")
      assert.equal(z, accumulate(x, z))
      accumulate(x, {out = z})
      same({10, 12, 14}, z)
      same({0, 1, 2}, accumulate(x))
      local s, d = cn.zeros(3), cn.zeros(3)
      both(x, x, {out = {s, d}})
      both(x, x, s, d)
      same({0, 2, 4}, s)
    end)

    it("keep their values where the text leaves them alone", function()
      local x = cn.array {1, -2, 3}
      for text, expected in pairs {
        ["if (x > 0) z = x"] = {1, 9, 3}, ["if (x < 0) return; z = x"] = {1, 9, 3}, ["z = x"] = {1, -2, 3},
        ["T old = z; z = old + x"] = {10, 7, 12}, ["z = OLD + x"] = {10, 7, 12}, ["SKIP z = x"] = {1, 9, 3},
      } do
        local z = cn.full(3, 9.0)
        kernel("T x", "T z", text, {preamble = "#define OLD \\\n z\n#define SKIP if (x < 0) return;"})(x, z)
        assert.same(expected, z:totable(), text)
        kernel("T x", "T z", text, "plain", {options = {"-DOLD=z", "-DSKIP=if (x < 0) return;"}})(x, {out = z})
      end
    end)

    it("may be inputs or views", function()
      local x = arange(4)
      add(x, 1, x)
      same({1, 2, 3, 4}, x)
      add(x["1:3"], 0, x["2:4"])
      same({1, 1, 2, 3}, x)
      local m = cn.zeros {2, 3}
      add(arange(2), 1, m[":, 2"])
      same({{0, 1, 0}, {0, 2, 0}}, m)
      add(arange(3), 5, m["2, ::-1"])
      same({{0, 1, 0}, {7, 6, 5}}, m)
    end)

    it("decide placeholders", function()
      local z = cn.zeros(2, "int8")
      assert.equal(z, add(1, 2, z))
      same({3, 3}, z)
      same({3, 4}, add({1, 2}, 2, z))
    end)
  end)

  describe("the text around a kernel", function()
    it("may have functions, a beginning and an end", function()
      local k = kernel("T x", "T z", "z = twice(x) + base;", "around", {
        preamble = "template <class A> CUNA_DEVICE A twice(A a) { return a + a; }\nenum { OFFSET = 4 };",
        loop_prep = "const T base = OFFSET", after_loop = "(void)base", reduce_dims = false,
      })
      same({4, 6, 8}, k(arange(3)))
    end)

    it("may have macros, which end with the kernel", function()
      local k = kernel("T x", "T z", "z = SCALE * x + ONE", "macros", {options = {"-DSCALE=3", "-D ONE"}})
      same({1, 4, 7}, k(arange(3)))
      same({0, 1, 2}, kernel("", "float z", "z = AT", {options = {"-DAT=i"}})({size = 3}))
      same({0, 1, 2}, kernel("", "float z", "z = AT", {preamble = "#define AT (i)"})({size = 3}))
    end)

    it("may end in a comment", function()
      same({1, 2}, kernel("T x", "T z", "z = x + 1 // one more")(arange(2)))
    end)

    it("may differ under one name", function()
      local one, two = kernel("T x", "T z", "z = x + 1", "alike"), kernel("T x", "T z", "z = x + 2", "alike")
      local x = cn.zeros(1)
      same({1}, one(x))
      same({2}, two(x))
    end)
  end)

  it("is compiled ahead by cn.prepare", function()
    local k, x = kernel("T x, raw T y", "T z", "z = x + y[i]", "ahead"), cn.ones(5)
    cn.prepare(function()
      k(x, x)
      kernel("T x", "T z", "z = x * N", "ahead2", {options = {"-DN=7"}})(x)
      kernel("T x", "T z", "T N = 2; z = x * N", "ahead3")(x)
    end)
    same({2, 2, 2, 2, 2}, k(x, x))
    same({2, 2, 2, 2, 2}, kernel("T x", "T z", "T N = 2; z = x * N", "ahead3")(x))
  end)

  describe("a call is refused", function()
    it("with too few or many arguments", function()
      raises("my_add: takes 2 arguments (T x, T y, T z), got 1", function() add(cn.zeros(2)) end)
      raises("my_add: takes 2 arguments, or 3 with outputs, (T x, T y, T z), got 4", function()
        add(1, 2, cn.zeros(2), 4)
      end)
      raises("both: takes 2 arguments, or 4 with outputs, ", function() both(1, 2, cn.zeros(2)) end)
    end)

    it("with values that are not arrays", function()
      raises("my_add: parameter 'y' takes an array, a number or a nested table, got nil", function() add(1, nil) end)
      raises("my_add: parameter 'x' takes an array, a number or a nested table, got \"1\"", function() add("1", 2) end)
      raises("my_add: parameter 'x' takes an array, a number or a nested table, got a userdata", function()
        add(io.stdout, 2)
      end)
      raises("my_add: parameter 'x' takes an array", function() add(cn.device(), 2) end)
      raises("my_add: output 'z' must be an array, got 3", function() add(1, 2, 3) end)
      raises("r: parameter 'x' is raw: it takes an array, got 3", function()
        kernel("raw T x", "T z", "z = x[i]", "r")(3, {size = 2})
      end)
    end)

    it("with options that are none", function()
      raises("my_add: unknown option 'stride'; known are block_size, out", function() add(1, 2, {stride = 1}) end)
      raises("my_add: out is given by position and by option", function()
        add(1, 2, cn.zeros(2), {out = cn.zeros(2)})
      end)
      raises("my_add: out must be an array, got 3", function() add(1, 2, {out = 3}) end)
      raises("both: out has 1 arrays, and the kernel has 2 outputs (T s, T d)", function()
        both(1, 2, {out = cn.zeros(2)})
      end)
      raises("both: out has 3 arrays, and the kernel has 2 outputs (T s, T d)", function()
        local out = cn.zeros(2)
        both(cn.zeros(2), 1, {out = {out, out, [5] = out}})
      end)
      raises("my_add: size is a count, got -1", function() add(1, 2, {size = -1}) end)
      raises("my_add: size is for calls in which all arrays are raw", function() add(cn.zeros(2), 2, {size = 2}) end)
      raises("my_add: size is for calls in which all arrays are raw", function()
        add(1, 2, {size = 2, out = cn.zeros(2)})
      end)
    end)

    it("when the loop's size is unknown", function()
      raises("r: the loop's size is unknown; pass {size = n}", function()
        kernel("raw T x", "T z", "z = x[i]", "r")(cn.zeros(3))
      end)
      raises("p: 'x' has 3 elements and 'y' has 2; pass the loop's size: {size = n}", function()
        kernel("float *x, float *y", "", "x[i] = y[i]", "p")(cn.zeros(3, "float32"), cn.zeros(2, "float32"))
      end)
      raises("r: output 'z' is raw and its size is open; pass an array for it", function()
        kernel("T x", "raw T z", "z[i] = x", "r")(cn.zeros(3))
      end)
    end)

    it("with dtypes that differ", function()
      raises("my_add: T is float64 by 'x' and float32 by 'y'; convert one, as in y:astype(\"float64\")", function()
        add(cn.zeros(2), cn.zeros(2, "float32"))
      end)
      raises("my_add: T is int8 by 'z' and float64 by 'x'", function() add(cn.zeros(2), 1, cn.zeros(2, "int8")) end)
      raises("f: parameter 'x' is float32, and the array given is float64; convert it with x:astype(\"float32\")",
        function() kernel("float x", "float z", "z = x", "f")(cn.zeros(2)) end)
      raises("u: U of 'z' is unknown; pass an array for it, or name a dtype instead of U", function()
        kernel("T x", "U z", "z = x", "u")(cn.zeros(2))
      end)
    end)

    it("with numbers that do not fit", function()
      local x = cn.zeros(2, "int8")
      raises("my_add: parameter 'y' is int8, and 1.5 is not whole", function() add(x, 1.5) end)
      raises("my_add: parameter 'y' is int8, and 300 does not fit", function() add(x, 300) end)
      add(x, 1)
      raises("my_add: parameter 'y' is int8, and 300 does not fit", function() add(x, 300) end)
      raises("my_add: parameter 'x' is int8, and 300LL does not fit", function() add(300LL, x) end)
      raises("my_add: parameter 'y' is float64, and a complex number was given", function() add(cn.zeros(2), 2i) end)
    end)

    it("with shapes that do not fit", function()
      raises("my_add: ", function() add(cn.zeros(2), cn.zeros(3)) end)
      raises("my_add: ", function() add(cn.zeros(2), 1, cn.zeros(3)) end)
      raises("my_add: ", function() add(cn.zeros(2), 1, cn.broadcast_to(cn.zeros(1), {2})) end)
      raises("both: ", function() both(1, 1, cn.zeros(3), cn.zeros(2)) end)
    end)

    it("when the text does not compile, with the kernel's name and line", function()
      local broken = kernel("T x", "T z", "z = x;\nz = wibble(x)", "broken")
      local ok, message = pcall(function() broken(cn.zeros(2)) end)
      assert.is_false(ok)
      assert.has.match("elementwise_kernel_spec.lua:%d+: cuna: CompileError: [^\n]*broken", message)
      assert.has.match("wibble", message)
      os.remove(message:match "whole source: (%S+)")
      local x = cn.zeros(2)
      for part, word in pairs {preamble = "CUNA_DEVICE int f() { return wibble; }", loop_prep = "wibble",
        after_loop = "wibble"} do
        broken = kernel("T x", "T z", "z = x", "broken", {[part] = "\n" .. word, options = {"-DA=1"}})
        ok, message = pcall(function() broken(x) end)
        assert.is_false(ok)
        assert.has.match("CompileError: [^\n]*" .. part .. " of broken line 2: [^\n]*wibble", message)
        os.remove(message:match "whole source: (%S+)")
      end
    end)
  end)
end)

describe("a kernel's construction is refused", function()
  it("with arguments of a wrong kind", function()
    raises("kernel: operation is a string, got nil", function() kernel("T x", "T z") end)
    raises("kernel: in_params is a string", function() kernel(nil, "T z", "z = 1") end)
    raises("kernel: operation contains a NUL byte", function() kernel("T x", "T z", "z = x;\0") end)
    raises("kernel: the operation is empty", function() kernel("T x", "T z", " \n") end)
    raises("ElementwiseKernel: name is an identifier such as \"squared_diff\", got \"a b\"", function()
      kernel("T x", "T z", "z = x", "a b")
    end)
    raises("ElementwiseKernel: name is a string, got 3", function() kernel("T x", "T z", "z = x", 3) end)
    raises("kernel: preamble is a string, got 3", function() kernel("T x", "T z", "z = x", {preamble = 3}) end)
    raises("ElementwiseKernel: unknown option 'no_result'; known are name, reduce_dims, preamble, no_return", function()
      kernel("T x", "T z", "z = x", {no_result = true})
    end)
    raises("kernel: the option \"-O3\" is not supported; options are {\"-DNAME=VALUE\"}", function()
      kernel("T x", "T z", "z = x", {options = {"-O3"}})
    end)
    raises("ElementwiseKernel: a function of cuna is called with a dot", function()
      cn:ElementwiseKernel("T x", "T z", "z = x")
    end)
  end)

  it("with parameters that make no kernel", function()
    raises("f: parameter 'x' has the unknown type 'flot32'; did you mean 'float32'?", function()
      kernel("flot32 x", "T z", "z = x", "f")
    end)
    raises("f: parameter 'x' occurs twice", function() kernel("T x", "T x", "x = x", "f") end)
    raises("f: the kernel writes nothing", function() kernel("T x, raw T y, const T *p", "", "x", "f") end)
    raises("f: the operation does not name the output 'z'", function() kernel("T x", "T z", "y = x", "f") end)
    raises("f: the operation has a '}' that is unmatched", function() kernel("T x", "T z", "z = x; }", "f") end)
    raises("f: the operation has an unclosed '('", function() kernel("T x", "T z", "z = (x", "f") end)
    raises("f: the operation has a ']' where ')' is expected", function() kernel("T x", "T z", "z = (x]", "f") end)
    local many = {}
    for k = 1, 24 do many[k] = "T x" .. k end
    raises("f: at most 23 parameters that are not raw, got 25", function()
      kernel(table.concat(many, ", "), "T z", "z = x1", "f")
    end)
    raises("f: at most 8 raw parameters, got 24", function()
      kernel("raw " .. table.concat(many, ", raw "), "T z", "z = x1[i]", "f")
    end)
  end)
end)

describe("a kernel as an object", function()
  local k = kernel("T x,\n  raw U y", "T z", "z = x + y[0]", "f")

  it("shows itself", function()
    assert.equal("<ElementwiseKernel f(T x, raw U y) -> (T z)>", tostring(k))
    assert.same({"f", "T x, raw U y", "T z", "z = x + y[0]"}, {k.name, k.in_params, k.out_params, k.operation})
  end)

  it("has no other fields", function()
    raises("a kernel has no field 'operaton'; did you mean 'operation'?", function() return (k.operaton) end)
    raises("a kernel has no field 'wibble'; known are", function() return (k.wibble) end)
    raises("a kernel's fields cannot be changed: 'name'", function() k.name = "g" end)
  end)
end)

it("counts with 64 bits where arrays are large", function()
  assert.equal("60\t5310", index_bits.assert_wide(process.must_run([[
    local cn = require "cuna"
    local k = cn.ElementwiseKernel("T x, raw T y", "T z", "z = x + y[n - 1 - i] + i", "wide")
    local m = cn.arange(60):reshape(6, 10)
    local part = m["::2, ::3"]
    require("spec.support.index_bits").print(function() print(k(part, part):totable()[3][4], k(m, m):sum():item()) end)
  ]], {CUNA_INDEX_LIMIT = "40"}), {"wide", "sum"}))
end)

devices.each_device(function()
  describe("outputs of two shapes", function()
    local shapes = "out[1] has shape (3,), but the result has shape (2, 3)"

    it("are refused, also where the second is the larger one", function()
      local x = cn.arange(3):astype("float32")
      local outs = {cn.zeros(3, "float32"), cn.zeros({2, 3}, "float32")}
      raises("two: " .. shapes, function() kernel("T x", "T y, T z", "y = x; z = x", "two")(x, {out = outs}) end)
      raises("divmod: " .. shapes, function() cn.divmod(x, 2, {out = outs}) end)
      assert.equal(0, outs[1]:sum():item())
    end)

    it("leave a larger one its axes", function()
      local k = kernel("T x", "T y", "y = x + _ind.get()[0] * 10", "axes")
      local out = k(cn.arange(3):astype("float32"), {out = cn.zeros({2, 3}, "float32")})
      assert.same({{0, 1, 2}, {10, 11, 12}}, out:totable())
    end)
  end)

  describe("a preamble's functions", function()
    it("may be CUDA's or plain", function()
      local k = kernel("T x", "T y", "y = twice(fmaxf(x, 2.5f)) + half_of(x)", "pre", {preamble = [[
        __device__ __forceinline__ float twice(float v) { return 2 * v; }
        inline float half_of(float v) { return v / 2; }]]})
      assert.same({5, 5.5, 6, 7.5}, k(cn.arange(4):astype("float32")):totable())
    end)
  end)
end)
