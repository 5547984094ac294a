--- Counts by bins: histogram and its variants, bincount: NumPy's results, layouts, many elements, errors.
local cn = require "cuna"
local core = require "cuna.core"
local devices = require "spec.support.devices"
local golden = require "spec.support.golden"
local process = require "spec.support.process"
local raises = require("spec.support.raises").raises
local values = dofile "spec/golden/histogram.lua"

local it = devices.rehearsed_it()

local array, laid_out, same, prepared = golden.array, golden.laid_out, golden.same, golden.prepared

local function optional(described, layout) return described and laid_out(array(described), layout) end

--- The dtype of a result where NumPy has another: counts of several axes, sums of bools.
local function dtype_of(case, dtype)
  if case.density then return dtype end
  return case.weights and case.weights.dtype or "int64"
end

devices.each_device(function(device)
  it("histogram agrees with NumPy", prepared(function()
    for number, case in ipairs(values.ones) do
      local note, x = "case " .. number, laid_out(array(case.x), number)
      local hist, edges = cn.histogram(x, case.bins, case.range, optional(case.weights, number), case.density)
      local is_float = case.x.dtype:find "^float"
      local given = type(case.bins) == "table"
      same(case.edges, edges, note, case.x.dtype == "float16" and 1e-3 or is_float and 1e-6 or 1e-14,
        given and "float64" or is_float and case.x.dtype or "float64")
      same(case.hist, hist, note, case.density and 2e-3 or 0, hist.dtype)
      if not case.density then assert.equal(dtype_of(case), hist.dtype, note) end
    end
  end))

  it("rules choose NumPy's number of bins", prepared(function()
    for number, case in ipairs(values.rules) do
      same(case.edges, cn.histogram_bin_edges(array(case.x), case.rule, case.range), case.rule .. number, 1e-13)
    end
  end))

  it("grids agree with NumPy", prepared(function()
    for number, case in ipairs(values.grids) do
      local note, x = "case " .. number, laid_out(array(case.x), number)
      local weights = optional(case.weights, number)
      local hist, edges = cn.histogramdd(x, case.bins, case.range, weights, case.density)
      local tolerance = case.x.dtype == "float32" and 1e-6 or 1e-13
      same(case.hist, hist, note, tolerance, case.density and hist.dtype or dtype_of(case))
      for k, own in ipairs(case.edges) do same(own, edges[k], note, tolerance, edges[k].dtype) end
      local columns = {}
      for k = 1, x.shape[2] do columns[k] = x[{{}, k}] end
      local again = cn.histogramdd(columns, case.bins, {range = case.range, weights = weights, density = case.density})
      assert.is_true(golden.rehearsing or again == hist)
      if #columns == 2 then
        again = cn.histogram2d(columns[1], columns[2], case.bins, case.range, weights, case.density)
        assert.is_true(golden.rehearsing or again == hist)
      end
    end
  end))

  it("bincount agrees with NumPy", prepared(function()
    for number, case in ipairs(values.counts) do
      local x = laid_out(array(case.x), number)
      if golden.rehearsing or x.size > 0 or not case.weights then
        same(case.result, cn.bincount(x, optional(case.weights, number), case.minlength), "case " .. number)
      end
    end
  end))

  it("many elements are counted exactly, whatever the shares", function()
    local x = cn.arange(200003)
    for _, bins in ipairs {1, 7, 1000, 30000} do
      local counts = cn.bincount(x % bins + 1)
      assert.equal(200003, counts:sum():item())
      assert.is_true(counts:ptp():item() <= 1)
    end
    local hist, edges = cn.histogram(x, 1000)
    assert.equal(200003, hist:sum():item())
    assert.is_true(hist == cn.histogram(x, edges))
    assert.is_true(cn.histogram(x["::-1"], edges, {weights = cn.full(200003, 2.0)}) == hist * 2)
    local twice = cn.broadcast_to(x, {2, 200003})
    assert.is_true(cn.histogram(twice, 1000) == hist * 2)
  end)

  it("many values are counted, whatever the greatest one is", function()
    local n = 140000
    local x = cn.arange(n) % 100 + 1
    for _, dtype in ipairs {"uint8", "int32", "float32", "uint64"} do
      local counts = cn.bincount(x:astype(dtype))
      assert.equal("int64", counts.dtype)
      assert.is_true(counts == cn.full(100, 1400))
      assert.same({100, 300}, {counts.size, cn.bincount(x:astype(dtype), {minlength = 300}).size})
    end
    for _, greatest in ipairs {999, 1000, 8191, 200000} do
      x[-1] = greatest
      local counts = cn.bincount(x)
      assert.same({greatest, n, 1399, 1}, {counts.size, counts:sum():item(), counts[100], counts[-1]})
    end
    assert.equal(9000, cn.bincount(x * 0 + 1, {minlength = 9000}).size)
    for _, wrong in ipairs {0, -5, 1.5} do
      local mixed = cn.concatenate {x, {wrong}}
      raises("bincount: ", function() cn.bincount(mixed) end)
    end
  end)

  it("elements on edges fall where the edges say", function()
    local x = cn.linspace(0, 1, 1001)
    for _, bins in ipairs {3, 10, 100, 997} do
      local hist, edges = cn.histogram(x, bins)
      assert.is_true(hist == cn.histogram(x, edges))
      assert.equal(1001, hist:sum():item())
    end
    assert.same({0, 3, 0}, cn.histogram({5, 5, 5}, 3):totable())
    assert.same({4.5, 5.5}, cn.histogram_bin_edges({5, 5, 5}, 1):totable())
    assert.same({1, 1}, cn.histogram({cn.nan, 1, 2, cn.inf}, 2, {1, 2}):totable())
    assert.same({1, 2}, cn.histogram({cn.nan, 1, 2, 3, cn.inf}, {1, 2, 3}):totable())
  end)

  it("bins of equal width are those between their edges, however edges are rounded", function()
    local draws = cn.random.default_rng(1)
    for _, dtype in ipairs {"float16", "bfloat16", "float32", "float64", "int32", "uint8"} do
      for _, case in ipairs {{1, 0}, {1e-3, 1000}, {1e4, -77.7}} do
        local x = cn.abs(draws:random(3000) * case[1] + case[2]) % 255
        -- A simulated GPU, whose kernels bin by the same text, is slow with as many edges.
        local counts = (core.is_host(cn.device()) or case[1] == 1e-3) and {1, 10, 1000, 65536} or {1, 10, 1000}
        for _, bins in ipairs(counts) do
          local own = cn.histogram_bin_edges(x:astype(dtype), bins)
          local all = cn.concatenate {x:astype(dtype), own:astype(dtype)}
          local hist, edges = cn.histogram(all, bins)
          assert.is_true(hist == cn.histogram(all, edges), dtype .. bins)
        end
      end
    end
    local wide = (cn.linspace(-1, 1, 1001) * 3.4e38):astype "float32" -- its bins have a width beyond float32
    local hist, edges = cn.histogram(wide, 64)
    assert.equal(1001, hist:sum():item())
    assert.is_true(hist == cn.histogram(wide, edges))
    for dtype, least in pairs {float32 = 2 ^ -149, float64 = 2 ^ -1074} do
      local subnormal = (cn.arange(1001) * least):astype(dtype)
      hist, edges = cn.histogram(subnormal, 7)
      assert.equal(1001, hist:sum():item())
      assert.is_true(hist == cn.histogram(subnormal, edges))
    end
  end)

  it("the range of elements is their least and greatest", function()
    for _, dtype in ipairs {"bool", "uint8", "int64", "uint64", "float16", "float64"} do
      local x = cn.array({1, 0, 1, 1}, dtype)
      assert.same({0, 0.5, 1}, cn.histogram_bin_edges(x, 2):totable(), dtype)
    end
    assert.same({-5, 5}, cn.histogram_bin_edges(cn.array({-5, 5, 0}, "int8"), 1):totable())
  end)

  it("sums of weights have the same bits in every run", function()
    local text, first = [[
      local cn = require "cuna"
      local draws = cn.random.default_rng(7)
      local x, w = draws:integers(1, 40, 20000), draws:random(20000) * cn.exp(draws:normal(0, 20, 20000))
      local z = w:astype "complex128"
      z.imag["::"] = -w["::-1"]
      local function show(y) print((y:tobytes():gsub(".", function(c) return ("%02x"):format(c:byte()) end))) end
      show(cn.bincount(x, w))
      show(cn.bincount(x, z))
      show((cn.histogram(x, 7, {weights = w:astype "float32"})))
      show((cn.histogram(x, {1, 3, 17, 40}, {weights = w})))
      show((cn.histogram2d(x, w, {5, 6}, {weights = -w})))
      show((cn.histogramdd({x, x, x, x}, {bins = 3, weights = w})))
      show(cn.bincount(x["::-1"], w["::-1"]))]], nil
    for seed = 1, 4 do
      local said = process.must_run(text, {SIMGPU_SEED = tostring(seed), CUNA_DEVICE = device.name,
        CUNA_NUM_THREADS = tostring(seed)})
      first = first or said
      assert.is_true(first == said, "other bits in run " .. seed)
    end
  end)

  it("sums of weights are right, however their sizes differ", function()
    local function sums(x, w) return cn.bincount(cn.array(x), cn.array(w)):totable() end
    assert.same({2 ^ -1073, 2 ^ 1000, 3}, sums({1, 1, 2, 2, 2, 3, 3},
      {2 ^ -1074, 2 ^ -1074, 2 ^ 1000, 1, -1, 2 ^ 53, 3 - 2 ^ 53}))
    assert.same({2 ^ 1023 * (2 - 2 ^ -52), 0.1, -0.3}, sums({1, 2, 3}, {2 ^ 1023 * (2 - 2 ^ -52), 0.1, -0.3}))
    assert.same({math.huge, -math.huge, 1, math.huge}, sums({1, 1, 2, 3, 4, 4},
      {math.huge, -1e308, -math.huge, 1, 1.7e308, 1.7e308}))
    local unordered = sums({1, 1, 2, 3, 3}, {math.huge, -math.huge, 0 / 0, 2, -0.5})
    assert.is_true(unordered[1] ~= unordered[1] and unordered[2] ~= unordered[2] and unordered[3] == 1.5)
    local x, w = cn.arange(100000) % 10 + 1, (cn.arange(100000) - 50000) / 8
    assert.is_true(cn.bincount(x, w) == w:reshape(10000, 10):sum(1))
    local odd = cn.random.default_rng(3):normal(0, 1, 100000)
    assert.is_true(cn.allclose(cn.bincount(x, odd), odd:reshape(10000, 10):sum(1), {rtol = 1e-12}))
    assert.same({0.5, 0, 0}, cn.bincount({1}, {0.5}, 3):totable())
    assert.same({0, 0}, cn.bincount(cn.zeros(0, "int64"), cn.zeros(0), 2):totable())
  end)

  it("weights of bool count, and density keeps the integral 1", function()
    assert.same({1, 1}, cn.histogram({1, 1, 2}, 2, {weights = {true, false, true}}):totable())
    local hist, edges = cn.histogram(cn.arange(100) ^ 2, 7, {density = true})
    local width = edges["2:"] - edges["1:-2"]
    assert.is_true(math.abs((hist * width):sum():item() - 1) < 1e-14)
  end)

  it("nothing waits but rules and bincount", function()
    cn.no_sync(function()
      cn.histogram({1, 2, 3}, 2)
      cn.histogram2d({1, 2}, {3, 4}, {2, {1, 2, 3}})
    end)
    raises("histogram: waits for the device", function()
      cn.no_sync(function() cn.histogram({1, 2, 3}, "sqrt") end)
    end)
    raises("bincount: waits for the device", function()
      cn.no_sync(function() cn.bincount({1, 2, 3}) end)
    end)
  end)

  it("bincount does not wait where that is forbidden and minlength is given", function()
    local function count(x, w) return cn.no_sync(cn.bincount, x, w, 4) end
    for _, dtype in ipairs {"uint8", "int64", "uint64", "float32"} do
      assert.same({1, 2, 0, 1}, count(cn.array({2, 1, 4, 2}, dtype)):totable())
      assert.same({0, 1.5, 2, 0}, count(cn.array({2, 3}, dtype), cn.array {1.5, 2}):totable())
    end
    for _, value in ipairs {5, 0, -1, 2.5} do
      raises(("bincount: without waiting, values are whole numbers from 1 to minlength = 4, got %g"):format(value),
        function()
          count(cn.array {1, value})
          cn.synchronize()
        end)
    end
    assert.same({0, 0, 1, 0}, count(cn.array {3}):totable())
  end)

  describe("mistakes", function()
    local function late(text, fn)
      raises(text, device.kind == "cpu" and fn or function()
        fn()
        cn.synchronize()
      end)
    end

    it("in bins and ranges", function()
      late("histogram: the elements' range is not finite; give range = {least, greatest}", function()
        cn.histogram({1, cn.nan})
      end)
      late("histogram: the edges are not sorted: that at position 3 is out of order", function()
        cn.histogram({1}, {1, 3, 2})
      end)
      raises("histogram: bins is 0; there is at least one", function() cn.histogram({1}, 0) end)
      raises("histogram: bins is a count, got 1.5", function() cn.histogram({1}, 1.5) end)
      raises("histogram: bins \"car\" is not a rule; known are auto, doane, fd, rice, scott, sqrt, stone, sturges",
        function() cn.histogram({1}, "car") end)
      raises("histogram: range is {least, greatest}, two finite numbers, got {2, 1}", function()
        cn.histogram({1}, 3, {2, 1})
      end)
      raises("histogram: range is {least, greatest}, got 5", function() cn.histogram({1}, 3, 5) end)
      raises("histogram: bins is a count, a rule, or a 1-d array of edges, got shape (1, 2)", function()
        cn.histogram({1}, {{1, 2}})
      end)
    end)

    it("in elements and weights", function()
      raises("histogram: complex numbers have no order; give x.real or abs(x)", function()
        cn.histogram({cn.complex(1, 1)})
      end)
      raises("histogram: weights of shape (2,) for elements of shape (1,)", function()
        cn.histogram({1}, 2, {weights = {1, 2}})
      end)
      raises("histogram: the rule \"sqrt\" does not support weights; pass a number of bins", function()
        cn.histogram({1}, "sqrt", {weights = {1}})
      end)
      raises("histogram2d: x and y have one axis of the same length, got shapes (2,) and (1,)", function()
        cn.histogram2d({1, 2}, {1})
      end)
      raises("histogramdd: points have shape (n, d), or are a table of d arrays; got shape (2,)", function()
        cn.histogramdd({1, 2})
      end)
      raises("histogramdd: bins for 3 axes, but there are 2", function()
        cn.histogramdd({{1, 2}}, {{1, 2}, {1, 2}, {1, 2}})
      end)
    end)

    it("in counted values", function()
      raises("bincount: slots are numbered by the values, from 1; the least value is 0", function()
        cn.bincount({1, 0, 2})
      end)
      raises("bincount: slots are numbered by the values, from 1; the least value is -3", function()
        cn.bincount(cn.array({1, -3}, "int32"))
      end)
      raises("bincount: values are whole numbers, but one has a fraction or is too large", function()
        cn.bincount({1, 1.5})
      end)
      raises("bincount: expected one axis, got shape (1, 1)", function() cn.bincount({{1}}) end)
    end)
  end)
end)

describe("cn.prepare", function()
  it("compiles all that bincount needs", function()
    local text = process.must_run([[
      local cn, core = require "cuna", require "cuna.core"
      local x = cn.array({1, 3, 3}, "int32")
      cn.prepare(function() return cn.bincount(x) end)
      local units = core.module_stats()
      print(cn.bincount(x), core.module_stats() - units)]],
      {CUNA_DEVICE = "cpu", CUNA_CACHE_DIR = "off", CUNA_PACK_DIR = "off", CUNA_COMPILE = "wait"})
    assert.equal("[1 0 2]\t0\n", text)
  end)
end)
