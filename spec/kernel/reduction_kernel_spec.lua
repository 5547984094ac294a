--- Reductions of the user's own text: what they compute, how they are called, what they refuse at a call.
local cn = require "cuna"
local devices = require "spec.support.devices"
local index_bits = require "spec.support.index_bits"
local operands = require "spec.support.operands"
local process = require "spec.support.process"
local raises = require("spec.support.raises").raises

local it = devices.rehearsed_it(cn.prepare)

local kernel = cn.ReductionKernel

--- 0, 1, 2, ... in float64.
local function arange(n) return cn.arange(n):astype "float64" end

local function same(expected, x) assert.same(expected, x:totable()) end

-- The least and the greatest element, and where the first least one is: a state of 24 bytes.
local EXTREMES = {reduce_type = "extremes", preamble = [[
  struct extremes { double least, most; long long at; };
  __device__ extremes merge(extremes a, extremes b) {
    extremes c = a.least < b.least || (a.least == b.least && a.at < b.at) ? a : b;
    c.least = min(a.least, b.least);
    c.most = max(a.most, b.most);
    return c;
  }
  __device__ extremes lift(double x, long long i) { extremes e = {x, x, i}; return e; }
]]}

--- A kernel that finds them.
local function extremes()
  return kernel("T x", "T least, T most, int64 at", "lift(x, i)", "merge(a, b)",
    "least = a.least; most = a.most; at = a.at + 1", "{1e300, -1e300, -1}", "extremes", EXTREMES)
end

--- Positions of the elements that are folded together: of a shape, over the axes of a set.
local function positions(shape, is_folded)
  local lengths, count = {}, 1
  for axis, length in ipairs(shape) do
    lengths[axis] = is_folded[axis] and length or 1
    count = count * lengths[axis]
  end
  return arange(count):reshape(lengths)
end

-- The same elements, laid out otherwise in memory.
local LAYOUTS = {
  function(x) return x end,
  function(x) return operands.by_columns(x) end,
  function(x)
    local room = cn.zeros({6, 16, 5}, x.dtype)
    room["::2, ::-2, :"] = x
    return room["::2, ::-2, :"]
  end,
}

devices.each_device(function(device)
  local norm, add, dot
  setup(function()
    norm = kernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "l2norm")
    add = kernel("T x", "T y", "x", "a + b", "y = a", 0, "add")
    dot = kernel("T x, T y", "T z", "x * y", "a + b", "z = a", "0", "dot")
  end)

  describe("a reduction", function()
    it("computes what its texts say", function()
      local x = cn.array({{3, 4}, {6, 8}}, "float32")
      assert.equal("float32", norm(x).dtype)
      assert.equal(0, norm(x).ndim)
      assert.equal(math.sqrt(125), norm(x:astype "float64"):item())
      same({5, 10}, norm(x, {axis = 2}))
      same({{5}, {10}}, norm(x, {axis = 2, keepdims = true}))
      assert.equal(3 * 2 + 4 * 5, dot(cn.array {3, 4}, cn.array {2, 5}):item())
    end)

    it("folds over any axes of any layout", function()
      local weigh = kernel("T x", "T y", "x * (i + 1)", "a + b", "y = a + 1000 * n", 0, "weigh")
      local shape = {3, 8, 5}
      local x = arange(120):reshape(shape)
      for _, layout in ipairs(LAYOUTS) do
        local view = layout(x)
        for _, axes in ipairs {{1}, {2}, {3}, {1, 2}, {1, 3}, {2, 3}, {1, 2, 3}, {-1, 1}, {}} do
          local is_folded, count = {}, 1
          for _, axis in ipairs(axes) do
            is_folded[axis % 4] = true -- -1 is 3
            count = count * shape[axis % 4]
          end
          local expected = (x * (positions(shape, is_folded) + 1)):sum {axis = axes} + 1000 * count
          local y = weigh(view, {axis = axes})
          assert.equal(expected, y, table.concat(axes, " "))
        end
      end
      assert.equal(weigh(x, {axis = 2}), weigh(x, {axis = {-2}}))
    end)

    it("folds many elements to few results and few to many", function()
      local n = 300000
      local x = arange(n) % 1009
      assert.equal(x:sum():item(), add(x):item())
      local m = x:reshape(300, 1000)
      for axis = 1, 2 do
        local least, most, at = extremes()(m, {axis = axis})
        assert.equal(m:min(axis), least)
        assert.equal(m:max(axis), most)
        assert.equal(m:argmin(axis), at)
      end
      local least, most, at = extremes()(x["::-1"])
      assert.same({0, 1008, x["::-1"]:argmin():item()}, {least:item(), most:item(), at:item()})
      assert.equal(x:reshape(n / 2, 2):sum(2), add(x:reshape(n / 2, 2), {axis = 2}))
      assert.equal(x:reshape(2, n / 2):sum(1), add(x:reshape(2, n / 2), {axis = 1}))
    end)

    it("gives the same bits at every run", function()
      local x = cn.sin(arange(200000))
      local bytes = add(x):tobytes()
      for _ = 1, 3 do assert.equal(bytes, add(x):tobytes()) end
    end)

    it("takes numbers, booleans, boxed numbers and tables in any place", function()
      local x = cn.array({1, 2, 3}, "float32")
      assert.equal("float32", dot(x, 2).dtype)
      assert.equal(12, dot(x, 2):item())
      assert.equal(12, dot(2, x):item())
      assert.equal(6, dot(x, true):item())
      assert.equal(30, dot(5LL, x):item())
      assert.equal(14, dot(x, {1, 2, 3}):item())
      assert.equal("float32", dot({1, 2, 3}, x).dtype)
      assert.equal(32, dot({1, 2, 3}, {4, 5, 6}):item())
    end)

    it("folds the one element that numbers make", function()
      local z = dot(3, 4)
      assert.same({0, "float64", 12}, {z.ndim, z.dtype, z:item()})
      assert.equal("int64", dot(5LL, 2LL).dtype)
      assert.equal(3, add(cn.scalar(3)):item())
      assert.equal(3, add(cn.scalar(3), {axis = {}}):item())
    end)

    it("broadcasts inputs", function()
      local x, y = arange(3), arange(2):reshape(2, 1)
      assert.equal(3, dot(x, y):item())
      same({0, 3}, dot(x, y, {axis = 2}))
      same({0, 1, 2}, dot(x, y, {axis = 1}))
      assert.equal(10, dot(cn.broadcast_to(cn.scalar(2), {5}), 1):item())
    end)

    it("leaves the identity of nothing", function()
      assert.equal(0, add(cn.zeros(0)):item())
      same({0, 0}, add(cn.zeros {2, 0}, {axis = 2}))
      assert.is_true(add(cn.zeros {2, 0}, {axis = 1}):has_shape(0))
      local text = kernel("T x", "T y, int64 count", "x", "max(a, b)", "y = a + 1; count = n", 7, "seven")
      local y, count = text(cn.zeros {0, 3})
      assert.same({8, 0}, {y:item(), count:item()})
    end)

    it("has several outputs", function()
      local least, most, at = extremes()(cn.array {4, 2, 8, 2})
      assert.same({2, 8, 2}, {least:item(), most:item(), at:item()})
      local mean, sum = kernel("T x", "float64 mean, T sum", "x", "a + b", "sum = a; mean = a / n", 0, "two",
        {reduce_type = "double"})(cn.array({1, 2, 6}, "int32"))
      assert.same({3, "float64", 9, "int32"}, {mean:item(), mean.dtype, sum:item(), sum.dtype})
    end)

    it("takes every dtype through a placeholder", function()
      local dtypes = {"int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "bfloat16",
        "float32", "float64", "complex64", "complex128"}
      cn.prepare(function()
        for _, dtype in ipairs(dtypes) do add(cn.array({1, 2, 3, 40}, dtype)) end
      end)
      for _, dtype in ipairs(dtypes) do
        local y = add(cn.array({1, 2, 3, 40}, dtype))
        assert.equal(dtype, y.dtype)
        assert.equal(46, y:astype "float64":item(), dtype)
      end
      local any = kernel("T x", "bool y", "x != 0", "a || b", "y = a", false, "any_of")
      assert.is_true(any(cn.array {0, 2}):item())
      assert.is_false(any(cn.zeros(3)):item())
    end)
  end)

  describe("a state", function()
    it("is of the first output's type", function()
      assert.equal(44, kernel("T x", "uint8 y", "x", "a + b", "y = a", 0, "wraps")(cn.array {100, 200}):item())
      local x = cn.array({2048, 1, 1}, "float16") -- in float16, 2048 + 1 is 2048
      assert.equal(2050, add(x):item())
    end)

    it("is of the type that reduce_type says", function()
      for _, name in ipairs {"float64", "double", "long long", "uint32", "T", "complex<double>"} do
        local k = kernel("T x", "uint8 y", "x", "a + b", name:find "complex" and "y = a.re / 2" or "y = a / 2", 0,
          "halved", {reduce_type = name})
        assert.equal(150, k(cn.array {100, 200}):item(), name)
      end
      local x = kernel("T x", "T y", "x", "a + b", "y = a", 0, "half", {reduce_type = "float16"})(cn.ones(3, "float16"))
      assert.equal(3, x:item())
    end)

    it("may be a type of 32 bytes, or a template", function()
      local k = kernel("T x", "T y", "four<T>(x)", "a + b", "y = a.all[3]", "four<T>()", "four", {
        reduce_type = "four<T>", preamble = [[
          template <class A> struct four {
            A all[4];
            CUNA_DEVICE four() { for (int k = 0; k < 4; ++k) all[k] = 0; }
            CUNA_DEVICE explicit four(A x) { for (int k = 0; k < 4; ++k) all[k] = k * x; }
            CUNA_DEVICE four operator+(four b) const { for (int k = 0; k < 4; ++k) b.all[k] += all[k]; return b; }
          };]]})
      assert.equal(3 * 4950, k(arange(100)):item())
    end)

    it("has its type's name in the texts", function()
      assert.equal(3, kernel("T x", "int32 y", "_type_reduce(x)", "_type_reduce(a + b)", "_type_reduce c = a; y = c",
        "_type_reduce(0)", "named")(cn.array {1.5, 2.5}):item())
    end)

    it("begins with any number", function()
      local most = kernel("T x", "T y", "x", "max(a, b)", "y = a", -math.huge, "most")
      assert.equal(-5, most(cn.array {-7, -5}):item())
      assert.equal(-math.huge, most(cn.zeros(0, "float32")):item())
      local function identity(value, out)
        return tostring(kernel("T x", out .. " y", "x", "a", "y = a", value, "begin")(cn.zeros(0, out)):item())
      end
      assert.equal("0.1", identity(0.1, "float64"))
      assert.equal("nan", (identity(0 / 0, "float64"):gsub("-", "")))
      assert.equal("-3", identity(-3, "int8"))
      assert.equal("-9223372036854775808LL", identity(-2 ^ 63, "int64"))
      assert.equal("-9223372036854775808LL", identity(-9223372036854775807LL - 1, "int64"))
      assert.equal("18446744073709551615ULL", identity(18446744073709551615ULL, "uint64"))
      assert.equal("1+2i", identity(cn.complex(1, 2), "complex64"))
      assert.equal("true", identity(true, "bool"))
    end)
  end)

  describe("outputs that are given", function()
    it("come by position or by option", function()
      local x, y = arange(6):reshape(2, 3), cn.zeros(2)
      assert.equal(y, add(x, y, {axis = 2}))
      same({3, 12}, y)
      y:fill(0)
      assert.equal(y, add(x, {axis = 2, out = y}))
      same({3, 12}, y)
      local least, most, at = cn.zeros(2), cn.zeros(2), cn.zeros(2, "int64")
      local one, two, three = extremes()(x, {out = {least, most, at}, axis = 2})
      assert.is_true(one == least and two == most and three == at)
      same({2, 5}, most)
      extremes()(x["::-1"], least, most, at, {axis = 2})
      same({5, 2}, most)
    end)

    it("decide placeholders", function()
      local y = cn.zeros({}, "int8")
      assert.equal(y, dot({1, 2}, 3, y))
      assert.equal(9, y:item())
    end)

    it("may be views, and overlap the input", function()
      local x = arange(6):reshape(2, 3)
      add(x, x["1, :"], {axis = 1})
      same({{3, 5, 7}, {3, 4, 5}}, x)
      add(x, x[":, 3"], {axis = 2})
      same({{3, 5, 15}, {3, 4, 12}}, x)
      local y = cn.zeros(6)
      add(x, y["::-3"], {axis = 2})
      same({0, 0, 19, 0, 0, 23}, y)
    end)

    it("are read where the text does", function()
      local accumulate = kernel("T x", "T y", "x", "a + b", "y += a", 0, "accumulate")
      local x, y = cn.ones {2, 3}, cn.array {10, 20}
      accumulate(x, y, {axis = 2})
      same({13, 23}, y)
      same({3, 3}, accumulate(x, {axis = 2}))
      local most = kernel("T x", "T y", "x", "max(a, b)", "if (a > 0) y = a", -1e300, "most")
      same({13, 5}, most(cn.array {{-1, -2}, {5, 4}}, y, {axis = 2}))
    end)
  end)

  describe("raw parameters", function()
    it("are seen by the map and the end", function()
      local weigh = kernel("T x, raw T w", "T y", "x * w[i]", "a + b", "y = a / w.size()", 0, "weigh")
      assert.equal((1 * 3 + 2 * 2 + 3 * 1) / 3, weigh({1, 2, 3}, {3, 2, 1}):item())
      local w = cn.array {7, 6, 5}["::-2"]
      same({(1 * 5 + 2 * 7) / 2, (3 * 5 + 4 * 7) / 2}, weigh(cn.array {{1, 2}, {3, 4}}, w, {axis = 2}))
      local histogram = kernel("T x, _non_const raw T w", "T y", "(w[int(x)] = 1, x)", "a + b", "y = a", 0, "mark")
      w = cn.zeros(4)
      assert.equal(3, histogram({1, 2}, w):item())
      same({0, 1, 1, 0}, w)
    end)
  end)

  describe("the text around a reduction", function()
    it("may have functions, and macros that end with the kernel", function()
      local x = cn.array {1, 2, 3}
      local k = kernel("T x", "T y", "merge(x)", "PLUS(a, b)", "y = load(a)", 0, {options = {"-DTWO=2"}, preamble = [[
        template <class A> CUNA_DEVICE A merge(A a) { return TWO * a; }
        inline double load(double x) { return x; }
        #define PLUS(a, b) ((a) + (b))]]})
      assert.equal(12, k(x):item())
      k = kernel("T x", "T y", "x * SCALE", "a + b", "y_is a", 0, "macros",
        {preamble = "#define SCALE 2\n#define y_is y ="})
      assert.equal(12, k(x):item())
      assert.equal(3, kernel("T x", "int64 y", "AT", "a + b", "y = a", 0, {preamble = "#define AT i"})(x):item())
    end)

    it("may end in comments, and have several lines", function()
      assert.equal(7, kernel("T x", "T y", "x // each", "a\n + b // both", "y = a;\ny += 1 // end", "0 // none")(
        cn.array {1, 2, 3}):item())
    end)

    it("is compiled ahead by cn.prepare", function()
      local x = cn.ones {3, 4}
      local k = kernel("T x", "T y", "x + SHIFT", "a + b", "y = a", 0, "ahead", {options = {"-DSHIFT=2"}})
      local l = kernel("T x", "T y", "T(1)", "a + b", "T SHIFT = 1; y = a + SHIFT", 0, "ahead2")
      cn.prepare(function()
        k(x)
        l(x, {axis = 1})
      end)
      assert.equal(36, k(x):item())
      same({4, 4, 4, 4}, l(x, {axis = 1}))
    end)
  end)

  describe("a call is refused", function()
    it("with axes that are none", function()
      local x = cn.zeros {2, 3}
      raises("add: axis 3 is out of range for an array of 2 axes (axes run from 1 to 2", function()
        add(x, {axis = 3})
      end)
      raises("add: axis 0", function() add(x, {axis = 0}) end)
      raises("add: axis 1 is named twice", function() add(x, {axis = {1, -2}}) end)
      raises("add: axis 1 is out of range: an array of 0 axes has none", function() add(3, {axis = 1}) end)
      raises("add: ", function() add(x, {axis = "1"}) end)
      raises("add: keepdims is true or false, got 1", function() add(x, {keepdims = 1}) end)
      raises("add: unknown option 'axes'; known are axis, keepdims, out, stream", function() add(x, {axes = 1}) end)
    end)

    it("with arguments or outputs that do not fit", function()
      local x = cn.zeros {2, 3}
      raises("dot: takes 2 arguments (T x, T y, T z), got 1", function() dot(x) end)
      raises("dot: takes 2 arguments, or 3 with outputs, (T x, T y, T z), got 4", function() dot(x, x, x, x) end)
      raises("dot: parameter 'y' takes an array, a number or a nested table, got nil", function() dot(x, nil) end)
      raises("dot: T is float64 by 'x' and float32 by 'y'", function() dot(x, cn.zeros(3, "float32")) end)
      raises("dot: shapes (2, 3) and (2,) do not broadcast", function() dot(x, cn.zeros(2)) end)
      local freed = cn.zeros(3)
      freed:free()
      raises("dot: parameter 'y': the array was freed at ", function() dot(x, freed) end)
      raises("dot: parameter 'y': the array was freed at ", function() dot({1, 2, 3}, freed) end)
      raises("dot: parameter 'z': the array was freed at ", function() dot(x, x, {out = freed}) end)
      raises("add: output 'y' must be an array, got 3", function() add(x, 3) end)
      raises("add: out has shape (3,), but the result has shape (2,)", function()
        add(x, {axis = 2, out = cn.zeros(3)})
      end)
      raises("add: out has shape (2,), but the result has shape (2, 1)", function()
        add(x, {axis = 2, out = cn.zeros(2), keepdims = true})
      end)
      raises("add: T is float32 by 'y' and float64 by 'x'", function() add(x, cn.zeros({}, "float32")) end)
      raises("add: parameter 'x' is int8, and 1.5 is not whole", function() add(1.5, cn.zeros({}, "int8")) end)
      raises("extremes: out has 1 arrays, and the kernel has 3 outputs", function() extremes()(x, {out = x}) end)
      raises("extremes: two outputs share memory", function()
        local y = cn.zeros {}
        extremes()(x, y, y, cn.zeros({}, "int64"))
      end)
    end)

    it("with an identity that is not a value of the state", function()
      local k = kernel("T x", "T y", "x", "max(a, b)", "y = a", 0.5, "begin")
      assert.equal(0.5, k(cn.zeros(0)):item())
      raises("begin: parameter 'identity' is int32, and 0.5 is not whole", function() k(cn.ones(1, "int32")) end)
    end)

    if device.kind ~= "cpu" then
      it("with arrays of two devices", function()
        raises("dot: ", function() dot(cn.ones(2), cn.ones(2):to "cpu") end)
      end)
    end
  end)
end)

it("counts with 64 bits where arrays are large", function()
  local text = process.must_run([[
    local cn = require "cuna"
    local k = cn.ReductionKernel("T x, raw T y", "T z", "x * y[n - 1 - i]", "a + b", "z = a", 0, "wide")
    local m = cn.arange(60):reshape(6, 10)
    require("spec.support.index_bits").print(function()
      print(k(m, m):item(), k(m, m, {axis = 2}):totable()[2])
    end)
  ]], {CUNA_INDEX_LIMIT = "40"})
  text = index_bits.assert_wide(text, {"wide"})
  local expected, row = 0, 0
  for i = 0, 59 do expected = expected + i * (59 - i) end
  for i = 0, 9 do row = row + (10 + i) * (9 - i) end
  assert.equal(("%d\t%d"):format(expected, row), (text:gsub("%s+$", "")))
end)
