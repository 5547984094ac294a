--- Scans of the user's own text: what they compute, how they are called, what they refuse at a call.
local cn = require "cuna"
local devices = require "spec.support.devices"
local index_bits = require "spec.support.index_bits"
local operands = require "spec.support.operands"
local process = require "spec.support.process"
local raises = require("spec.support.raises").raises

local alone, it = it, devices.rehearsed_it(cn.prepare)

local kernel = cn.ScanKernel

--- 0, 1, 2, ... in float64.
local function arange(n) return cn.arange(n):astype "float64" end

local function same(expected, x) assert.same(expected, x:totable()) end

-- ---- reference ----

local function flat(x) return x:reshape(x.size):totable() end

--- The running results of a list; `combine` begins with `identity`.
local function running(list, combine, identity, options)
  local result, state, n = {}, identity, #list
  for step = 1, n do
    local at = options.reverse and n + 1 - step or step
    local next_state = combine(state, list[at])
    result[at] = options.exclusive and state or next_state
    state = next_state
  end
  return result
end

--- A scan in plain loops: values in row-major order.
local function reference(x, combine, identity, options)
  local values, shape, axis = flat(x), x.shape, options.axis
  if not axis then return running(values, combine, identity, options) end
  local inner, result = 1, {}
  for k = axis + 1, #shape do inner = inner * shape[k] end
  for first = 1, x.size do
    if math.floor((first - 1) / inner) % shape[axis] == 0 then
      local list = {}
      for k = 1, shape[axis] do list[k] = values[first + (k - 1) * inner] end
      for k, value in ipairs(running(list, combine, identity, options)) do result[first + (k - 1) * inner] = value end
    end
  end
  return result
end

--- Asserts that an array has the values of a list, in row-major order.
local function equals(expected, x, what)
  local values = flat(x)
  for k = 1, math.max(#expected, #values) do
    if expected[k] ~= values[k] then
      error(("%selement %d is %s, expected %s"):format(what and what .. ": " or "", k, tostring(values[k]),
        tostring(expected[k])), 2)
    end
  end
end

local function plus(a, b) return a + b end
local function last_number(a, b) return b ~= 0 and b or a end

-- The same elements, laid out otherwise in memory.
local LAYOUTS = {
  function(x) return x end,
  function(x) return operands.by_columns(x) end,
  function(x)
    local room = cn.zeros({6, 16, 5}, x.dtype)
    room["::2, ::-2, :"] = x
    return room["::2, ::-2, :"]
  end,
  function(x) return x["::-1, ::-1, ::-1"]:copy()["::-1, ::-1, ::-1"] end,
}

devices.each_device(function(device)
  local sum, fill, both
  setup(function()
    sum = kernel("T x", "T y", "x", "a + b", "y = a", 0, "running_sum")
    fill = kernel("T x", "T y", "x", "b != 0 ? b : a", "y = a", "0", "fill_forward") -- its order matters
    both = kernel("T x", "T least, T most", "lift(x)", "merge(a, b)", "least = a.least; most = a.most",
      "lift_two(1e300, -1e300)", "running_range", {scan_type = "span", preamble = [[
        struct span { double least, most; };
        __device__ span lift_two(double x, double y) { span s = {x, y}; return s; }
        __device__ span lift(double x) { return lift_two(x, x); }
        __device__ span merge(span a, span b) { return lift_two(min(a.least, b.least), max(a.most, b.most)); }]]})
  end)

  describe("a scan", function()
    it("computes what its texts say", function()
      local x = cn.array({3, 1, 2}, "float32")
      assert.equal("float32", sum(x).dtype)
      same({3, 4, 6}, sum(x))
      same({0, 3, 4}, sum(x, {exclusive = true}))
      same({6, 3, 2}, sum(x, {reverse = true}))
      same({3, 2, 0}, sum(x, {reverse = true, exclusive = true}))
      same({3, 4, 6}, sum(x, {axis = 1}))
      same({3, 4, 6}, sum(x, {axis = -1}))
      same({5, 5, 7, 7, 7}, fill(cn.array {5, 0, 7, 0, 0}))
    end)

    it("runs over any axis of any layout, in any direction", function()
      local shape = {3, 8, 5}
      local x = (arange(120) * 7 % 11 % 5):reshape(shape)
      --- Calls visit(kernel, its combination, the view, options) for all of them.
      local function each_call(visit)
        for at = 0, 15 do
          local axis, mode = math.floor(at / 4), at % 4
          local options = {axis = axis > 0 and axis or nil, exclusive = mode % 2 == 1, reverse = mode > 1}
          for k, layout in ipairs(LAYOUTS) do
            visit(k == 3 and fill or sum, k == 3 and last_number or plus, layout(x), options)
          end
        end
      end
      cn.prepare(function()
        each_call(function(k, _, view, options) k(view, options) end)
      end)
      each_call(function(k, combine, view, options)
        local y = k(view, options)
        assert.equal(options.axis and view.shape or cn.zeros(120).shape, y.shape)
        equals(reference(x, combine, 0, options), y, k.name)
      end)
    end)

    alone("runs over long axes, and many short ones", function()
      local x = arange(120000) % 10 % 3
      local expected = reference(x, plus, 0, {})
      equals(expected, sum(x))
      local function each_axis(visit)
        for _, shape in ipairs {{300, 400}, {3, 40000}, {40000, 3}, {2, 20000, 3}} do
          for axis = 1, #shape do visit(x:reshape(shape), {axis = axis}, {axis = axis, exclusive = true}) end
        end
      end
      cn.prepare(function()
        each_axis(function(m, inclusive, exclusive)
          sum(m, inclusive)
          fill(m, exclusive)
        end)
      end)
      each_axis(function(m, inclusive, exclusive)
        equals(reference(m, plus, 0, inclusive), sum(m, inclusive))
        equals(reference(m, last_number, 0, exclusive), fill(m, exclusive))
      end)
    end)

    it("gives the same bits at every run", function()
      local x = cn.sin(arange(200000))
      local bytes = sum(x):tobytes()
      for _ = 1, 3 do assert.equal(bytes, sum(x):tobytes()) end
    end)

    it("has several outputs, and states of the user's type", function()
      local least, most = both(cn.array {4, 6, 2, 8})
      same({4, 4, 2, 2}, least)
      same({4, 6, 6, 8}, most)
      least, most = both(cn.array {{4, 6}, {2, 8}}, {axis = 1, exclusive = true})
      same({{1e300, 1e300}, {4, 6}}, least)
      same({{-1e300, -1e300}, {4, 6}}, most)
    end)

    it("shows its end the inputs, the position and the length", function()
      local before = kernel("T x", "T y, int64 at", "x", "a + b", "y = a - x; at = i * 10 + n", 0, "before")
      local y, at = before(cn.array {3, 1, 2})
      same({0, 3, 4}, y)
      same({3, 13, 23}, at)
      y, at = before(cn.array {{3, 1}, {2, 4}}, {axis = 1})
      same({{0, 0}, {3, 1}}, y)
      same({{2, 2}, {12, 12}}, at)
      same({0, 2, 6}, kernel("T x", "T y", "x * i", "a + b", "y = a", 0, "weighted")(cn.array {9, 2, 2}))
      same({13, 22, 31}, kernel("T x", "int64 y", "1", "a + b", "y = a * 10 + n - i", 0, "count")(cn.ones(3)))
    end)

    it("takes numbers and tables, and broadcasts", function()
      local k = kernel("T x, T y", "T z", "x * y", "a + b", "z = a", 0, "products")
      same({2, 6, 12}, k({1, 2, 3}, 2))
      same({{1, 3}, {2, 6}}, k(cn.array {1, 2}, cn.array {{1}, {2}}, {axis = 2}))
      same({{3, 2}, {6, 4}}, k(cn.array {1, 2}, cn.array {{1}, {2}}, {axis = -1, reverse = true}))
      same({{3, 6}, {2, 4}}, k(cn.array {1, 2}, cn.array {{1}, {2}}, {axis = 1, reverse = true}))
      same({9, 8, 6, 4}, k(cn.array {1, 2}, cn.array {{1}, {2}}, {reverse = true}))
      same({12}, k(3, 4))
      same({7}, sum(cn.scalar(7)))
      assert.equal("float32", k(cn.ones(2, "float32"), {1, 2}).dtype)
    end)

    it("makes nothing of nothing", function()
      assert.is_true(sum(cn.zeros(0)):has_shape(0))
      assert.is_true(sum(cn.zeros {2, 0}):has_shape(0))
      for axis = 1, 2 do
        for _, reverse in ipairs {true, false} do
          assert.is_true(sum(cn.zeros {2, 0}, {axis = axis, reverse = reverse}):has_shape(2, 0))
        end
      end
    end)

    it("takes every dtype through a placeholder", function()
      local dtypes = {"int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "bfloat16",
        "float32", "float64", "complex64", "complex128"}
      cn.prepare(function()
        for _, dtype in ipairs(dtypes) do sum(cn.array({1, 2, 3, 40}, dtype)) end
      end)
      for _, dtype in ipairs(dtypes) do
        local y = sum(cn.array({1, 2, 3, 40}, dtype))
        assert.equal(dtype, y.dtype)
        same({1, 3, 6, 46}, y:astype "float64")
      end
      local any = kernel("T x", "bool y", "x != 0", "a || b", "y = a", false, "any_so_far")
      same({false, true, true}, any(cn.array {0, 2, 0}))
      local x = cn.array({2048, 1, 1}, "float16") -- in float16, 2048 + 1 is 2048
      same({2048, 2048, 2050}, sum(x):astype "float64")
    end)

    it("may be exclusive or reversed by itself", function()
      local k = kernel("T x", "T y", "x", "a + b", "y = a", 0, "both", {exclusive = true, reverse = true})
      same({5, 3, 0}, k(cn.array {1, 2, 3}))
      same({6, 5, 3}, k(cn.array {1, 2, 3}, {exclusive = false}))
      same({0, 1, 3}, k(cn.array {1, 2, 3}, {reverse = false}))
    end)
  end)

  describe("raw outputs", function()
    it("take what a scan picks", function()
      local compact = kernel("T x", "raw T y, raw int64 count", "x > 0", "a + b",
        "if (x > 0) y[a - 1] = x; if (i == n - 1) count[0] = a", 0, "compact", {scan_type = "int64"})
      local y, count = cn.zeros(4), cn.zeros({}, "int64")
      local one, two = compact(cn.array {-1, 3, 0, 7, -2, 5}, y, count)
      assert.is_true(one == y and two == count)
      same({3, 7, 5, 0}, y)
      assert.equal(3, count:item())
      local x = arange(100000) % 7 - 3
      y = cn.zeros(x.size)
      compact(x, y, count)
      local expected = {}
      for _, value in ipairs(flat(x)) do
        if value > 0 then expected[#expected + 1] = value end
      end
      assert.equal(#expected, count:item())
      equals(expected, y[{{1, #expected}}])
    end)

    it("stand beside others, in their order", function()
      local k = kernel("T x, raw T w", "raw T at, T y", "x * w[i]", "a + b", "y = a; at[i] = x", 0, "beside")
      local at, y = k({1, 2, 3}, {3, 2, 1}, cn.zeros(3), cn.zeros(3))
      same({1, 2, 3}, at)
      same({3, 7, 10}, y)
      at, y = k({1, 2, 3}, {3, 2, 1}, {out = {cn.zeros(3), cn.zeros(3)}, reverse = true})
      same({3, 2, 1}, at)
      same({1 * 1 + 2 * 2 + 3 * 3, 2 * 2 + 3 * 3, 3 * 3}, y) -- w too is seen from the end
    end)
  end)

  describe("outputs that are given", function()
    it("come by position or by option", function()
      local x, y = cn.array {{1, 2}, {3, 4}}, cn.zeros {2, 2}
      assert.equal(y, sum(x, y, {axis = 2}))
      same({{1, 3}, {3, 7}}, y)
      assert.equal(y, sum(x, {axis = 1, out = y, reverse = true}))
      same({{4, 6}, {3, 4}}, y)
      local flat_y = cn.zeros(4)
      assert.equal(flat_y, sum(x, flat_y, {exclusive = true}))
      same({0, 1, 3, 6}, flat_y)
      local least, most = cn.zeros(2), cn.zeros(2)
      both(cn.array {3, 1}, {out = {least, most}})
      same({3, 1}, least)
    end)

    it("may be views, and the input itself", function()
      local x = cn.array {1, 2, 3}
      sum(x, x)
      same({1, 3, 6}, x)
      sum(x, x, {reverse = true})
      same({10, 9, 6}, x)
      sum(x, {out = x["::-1"]})
      same({25, 19, 10}, x)
      local m = cn.zeros {3, 4}
      sum(cn.ones {3, 2}, m[":, ::2"], {axis = 1})
      same({{1, 0, 1, 0}, {2, 0, 2, 0}, {3, 0, 3, 0}}, m)
    end)

    it("are read where the text does", function()
      local y = cn.array {10, 20, 30}
      kernel("T x", "T y", "x", "a + b", "y += a", 0, "accumulate")(cn.ones(3), y)
      same({11, 22, 33}, y)
      kernel("T x", "T y", "x", "a + b", "if (x > 0) y = a", 0, "some")(cn.array {1, -1, 2}, y)
      same({1, 22, 2}, y)
    end)
  end)

  it("is compiled ahead by cn.prepare", function()
    local k = kernel("T x", "T y", "x + SHIFT", "a + b", "y = a", 0, "ahead", {options = {"-DSHIFT=2"}})
    local x = cn.ones(3)
    cn.prepare(function()
      k(x)
      kernel("T x", "T y", "x", "a + b", "T SHIFT = 1; y = a + SHIFT", 0, "ahead2")(x)
    end)
    same({3, 6, 9}, k(x))
  end)

  it("shows a compiler's words at the user's lines", function()
    local x = cn.ones(3)
    for place, texts in pairs {
      ["map_expr of f line 2: [^\n]*wibble"] = {"\nwibble(x)", "a + b", "y = a", "0"},
      ["scan_expr of f line 1: [^\n]*wibble"] = {"x", "wibble(a, b)", "y = a", "0"},
      ["post_map_expr of f line 2: [^\n]*wibble"] = {"x", "a + b", "y = a +\nwibble", "0"},
      ["identity of f line 2: [^\n]*wibble"] = {"x", "a + b", "y = a", "\nwibble"},
    } do
      local k = kernel("T x", "T y", texts[1], texts[2], texts[3], texts[4], "f")
      local ok, message = pcall(function() return (k(x)) end)
      assert.is_false(ok, place)
      assert.has.match("scan_kernel_spec.lua:%d+: cuna: CompileError: cuna_f_float64_[^\n]*" .. place, message)
      os.remove(message:match "whole source: (%S+)")
    end
  end)

  describe("a call is refused", function()
    it("with an axis that is none", function()
      local x = cn.zeros {2, 3}
      raises("running_sum: axis 3 is out of range for an array of 2 axes (axes run from 1 to 2", function()
        sum(x, {axis = 3})
      end)
      raises("running_sum: axis 0", function() sum(x, {axis = 0}) end)
      raises("running_sum: axis is one number, got a table", function() sum(x, {axis = {1, 2}}) end)
      raises("running_sum: axis 1 is out of range: an array of 0 axes has none", function() sum(3, {axis = 1}) end)
      raises("running_sum: exclusive is true or false, got 1", function() sum(x, {exclusive = 1}) end)
      raises("running_sum: reverse is true or false, got \"\"", function() sum(x, {reverse = ""}) end)
      raises("running_sum: unknown option 'keepdims'; known are axis, exclusive, out, reverse, stream", function()
        sum(x, {keepdims = true})
      end)
    end)

    it("with outputs or inputs that do not fit", function()
      local x = cn.zeros {2, 3}
      raises("running_sum: output 'y' must be an array, got 3", function() sum(x, 3) end)
      raises("running_sum: out has shape (2, 3), but the result has shape (6,)", function() sum(x, x) end)
      for _, reverse in ipairs {false, true} do
        raises("running_sum: out has shape (6,), but the result has shape (2, 3)", function()
          sum(x, {axis = 2, out = cn.zeros(6), reverse = reverse})
        end)
      end
      raises("running_sum: T is float32 by 'y' and float64 by 'x'", function() sum(x, cn.zeros(6, "float32")) end)
      local k = kernel("T x, T y", "T z", "x * y", "a + b", "z = a", 0, "products")
      raises("products: ", function() k(x, cn.zeros(2)) end)
      raises("products: ", function() k(x, cn.zeros(2), {axis = 1, reverse = true}) end)
      raises("raws: output 'y' is raw and its size is open; pass an array for it", function()
        kernel("T x", "raw T y", "x", "a + b", "y[i] = a", 0, "raws")(x)
      end)
      if device.kind ~= "cpu" then
        raises("products: ", function() k(x, x:to "cpu") end)
      end
    end)
  end)
end)

it("counts with 64 bits where arrays are large", function()
  local text = process.must_run([[
    local cn = require "cuna"
    local k = cn.ScanKernel("T x, raw T y", "T z", "x * y[n - 1 - i]", "a + b", "z = a", 0, "wide")
    local m = cn.arange(60):reshape(6, 10)
    require("spec.support.index_bits").print(function()
      print(k(m, m)[60], k(m, m, {axis = 2}):totable()[2][10])
    end)
  ]], {CUNA_INDEX_LIMIT = "40"})
  text = index_bits.assert_wide(text, {"wide"})
  local expected, row = 0, 0
  for i = 0, 59 do expected = expected + i * (59 - i) end
  for i = 0, 9 do row = row + (10 + i) * (9 - i) end
  assert.equal(("%d\t%d"):format(expected, row), (text:gsub("%s+$", "")))
end)
