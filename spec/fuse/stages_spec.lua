--- Programs in stages give what their operations give one by one, in rows of any layout, and say what is not for them.
local cn = require "cuna"
local core = require "cuna.core"
local devices = require "spec.support.devices"
local ffi = require "ffi"
local process = require "spec.support.process"
local reducers = require "cuna.reducers"
local simgpu = require "spec.simgpu.driver"

local MAX = {name = "max", state = "T", identity = "least<T>()", lift = "a", combine = "maximum(a, b)", finish = "a"}
local SUM = {name = "sum", state = "T", identity = "wrap_neg(T(0))", lift = "a", combine = "wrap_add(a, b)",
  finish = "n ? a : T(0)"}

local function step(name, expr, dtype, ...)
  local count, dtypes = select("#", ...), {}
  for k = 1, count do dtypes[k] = dtype end
  return {name = name, expr = expr, dtype = dtype, args = {...}, arg_dtypes = dtypes}
end

local function fold(reducer, dtype, value)
  return {reducer = reducer, dtype = dtype, args = {value}, arg_dtypes = {dtype}}
end

--- exp(x * k - max) / sum, and what was folded: for each row the sum, and the greatest negated, as float64.
local function softmax(dtype)
  return core.program {
    inputs = {{dtype = dtype}, {dtype = dtype, scalar = true}}, stages = 2,
    steps = {step("mul", "wrap_mul(a, b)", dtype, 1, 2), fold(MAX, dtype, 3),
      step("sub", "wrap_sub(a, b)", dtype, 3, 4), step("exp", "exp(a)", dtype, 5),
      fold(SUM, dtype, 6), step("div", "divide<D>(a, b)", dtype, 6, 7),
      step("neg", "wrap_neg(a)", dtype, 4)},
    outputs = {{dtype = dtype, value = 8}, {dtype = dtype, value = 7, row = true},
      {dtype = "float64", value = 9, row = true}},
  }
end

local function by_one(x, k)
  local scaled = x * k
  local greatest = scaled:max(2, {keepdims = true})
  local e = (scaled - greatest):exp()
  local sum = e:sum(2, {keepdims = true})
  return e / sum, sum, (-greatest):astype("float64"):reshape(x.shape[1])
end

local function close(a, b, dtype)
  local bound = dtype == "float64" and 1e-13 or 1e-5
  assert.is_true(((a - b):abs() / (b:abs() + bound)):max():item() < bound, "the results differ")
end

local function numbers(rows, count, dtype) return (cn.arange(rows * count, dtype) * 0.37):sin():reshape(rows, count) end

--- sin(i) + sin(j * 0.37) in float32, made on the host: a simulated GPU is slow with many elements.
local function sum_table(rows, count)
  local room, row = ffi.new("float[?]", rows * count), ffi.new("float[?]", count)
  for j = 0, count - 1 do row[j] = math.sin(j * 0.37) end
  for i = 0, rows - 1 do
    local own = math.sin(i)
    for j = 0, count - 1 do room[i * count + j] = own + row[j] end
  end
  return cn.frombuffer(ffi.string(room, ffi.sizeof(room)), {dtype = "float32"}):reshape(rows, count)
end

--- What a float32 matrix is without the sums of its rows, each difference rounded once: computed on the host, too.
local function without_sums(x, sums)
  local rows, count = x.shape[1], x.shape[2]
  local bytes, sum_bytes = x:tobytes(), sums:tobytes()
  local given, sum = ffi.cast("const float *", bytes), ffi.cast("const float *", sum_bytes)
  local room = ffi.new("float[?]", rows * count)
  for i = 0, rows - 1 do
    for j = 0, count - 1 do room[i * count + j] = given[i * count + j] - sum[i] end
  end
  return cn.frombuffer(ffi.string(room, ffi.sizeof(room)), {dtype = "float32"})
end

--- Runs a program by its kernel: a device that interprets declines where there is none.
local function run_stages(...)
  core.prepare_begin()
  core.stages(...)
  core.prepare_end(true)
  return core.stages(...)
end

devices.each_device(function(device)
  for dtype, sizes in pairs {float32 = {{700, 1}, {513, 67}, {600, 1000}}, float64 = {{513, 67}, {512, 4099}}} do
    for _, size in ipairs(sizes) do
      it(("a softmax in one kernel: %s, %d rows of %d"):format(dtype, size[1], size[2]), function()
        local x = numbers(size[1], size[2], dtype)
        local y, sum, greatest = run_stages(softmax(dtype), "softmax", 2, 2, {false, false, false}, x, 3)
        local expected, expected_sum, expected_greatest = by_one(x, 3)
        assert.is_true(sum:has_shape(size[1], 1))
        close(y, expected, dtype)
        close(sum, expected_sum, dtype)
        assert.is_true(greatest == expected_greatest)
      end)
    end
  end

  --- x / max(y) by rows.
  local function by_greatest(dtype)
    return core.program {
      inputs = {{dtype = dtype}, {dtype = dtype}}, stages = 1,
      steps = {fold(MAX, dtype, 2), step("div", "divide<D>(a, b)", dtype, 1, 3)},
      outputs = {{dtype = dtype, value = 4}},
    }
  end

  for dtype, edges in pairs {
    float32 = {0x1p-149, 0x1p-126, 0x1.8p-100, 0x1p-60, 0x1p-61, 0x1p59, 0x1p60, 0x1.fffffep127, 0x1.000002p0},
    float16 = {0x1p-24, 0x1.8p-23, 0x1p-14, 65504, 0x1.004p0, 0x1.ffcp0},
  } do
    it(("elements over a row's number, in bits: %s"):format(dtype), function()
      local values = {0, -0.0, 1 / 0, -1 / 0, 0 / 0, 1, 3, 7, 10, -0.1}
      for _, edge in ipairs(edges) do
        values[#values + 1] = edge
        values[#values + 1] = -edge
      end
      local row = cn.array(values, dtype)
      local x = cn.concatenate {row, (cn.arange(72 - row.size, "float64") * 0.37):sin():astype(dtype)}
      local divisors = cn.concatenate {row, (cn.arange(640 - row.size, "float64") * 1.37):sin():astype(dtype) * 9}
      local all, column = cn.ones({640, 1}, dtype) * x, divisors:reshape(640, 1)
      local ratios = run_stages(by_greatest(dtype), "ratio", 2, 0, {false}, all, cn.ones({640, 72}, dtype) * column)
      local expected = cn.divide(all, column)
      local as = dtype == "float32" and "uint32" or "uint16"
      local same = ratios:view(as):eq(expected:view(as)):logical_or(ratios:isnan():logical_and(expected:isnan()))
      assert.is_true(same:all())
    end)
  end

  it("rows of some warps add as their sums do", function()
    local one = core.program {
      inputs = {{dtype = "float32"}}, stages = 1,
      steps = {fold(SUM, "float32", 1), step("sub", "a - b", "float32", 1, 2)},
      outputs = {{dtype = "float32", value = 3}},
    }
    for _, count in ipairs {1028, 2048, 4100} do
      -- As many rows as keep all lanes busy, with less than a block for each, where there are lanes; the longest have
      -- a block each.
      local rows = device.kind == "cuda" and count < 4096 and 8192 or 600
      local x = sum_table(rows, count)
      local centred, sums = run_stages(one, "centre", 2, 0, {false}, x), x:sum(2)
      assert.is_true(centred:tobytes() == without_sums(x, sums):tobytes())
    end
  end)

  it("rows lie anyhow: apart, backwards, folded over two axes around a kept one", function()
    local x = numbers(520, 60, "float32")
    local wide = cn.zeros({1040, 120}, "float32")
    wide["::2, ::-2"] = x
    local y = run_stages(softmax "float32", "softmax", 2, 0, {false, false, false}, wide["::2, ::-2"], 1)
    close(y, (by_one(x, 1)), "float32")
    local room = cn.zeros({520, 6, 12}, "float32")
    local cube = room[":, :, 1:10"]
    cube[cn.ellipsis] = x:reshape(520, 6, 10)
    local z = run_stages(softmax "float32", "softmax", 5, 0, {false, false, false}, cube:transpose(2, 1, 3), 1)
    close(z:transpose(2, 1, 3):reshape(520, 60), (by_one(x, 1)), "float32")
  end)

  it("rows in pieces, which a fold by itself takes as one, are not for it: it would add in another order", function()
    local cube = numbers(520, 60, "float32"):reshape(520, 6, 10):transpose(2, 1, 3)
    assert.is_nil(run_stages(softmax "float32", "softmax", 5, 0, {false, false, false}, cube, 1))
  end)

  it("an output may be the input, and outputs may be given", function()
    local x = numbers(600, 333, "float32")
    local expected, expected_sum = by_one(x, 2)
    local sum = cn.empty(600, "float32")
    local y = run_stages(softmax "float32", "softmax", 2, 0, {x, sum, false}, x, 2)
    assert.is_true(rawequal(x, y))
    close(x, expected, "float32")
    close(sum, expected_sum:reshape(600), "float32")
  end)

  it("an input may broadcast, along rows and across them", function()
    local p = core.program {
      inputs = {{dtype = "float32"}, {dtype = "float32"}, {dtype = "float32"}}, stages = 1,
      steps = {step("mul", "a * b", "float32", 1, 2), step("add", "a + b", "float32", 4, 3), fold(SUM, "float32", 5),
        step("sub", "a - b", "float32", 5, 6)},
      outputs = {{dtype = "float32", value = 7}},
    }
    local x, w = cn.arange(600 * 64, "float32"):reshape(600, 64) % 32, cn.arange(64, "float32")
    local b = cn.arange(600, "float32"):reshape(600, 1)
    local v = x * w + b
    assert.is_true(run_stages(p, "center", 2, 0, {false}, x, w, b) == v - v:sum(2, {keepdims = true}))
  end)

  it("one stage with many folds, positions and a number of their own", function()
    local x = numbers(530, 77, "float64")
    local types = {"float64", "float64"}
    local p = core.program {
      inputs = {{dtype = "float64"}, {dtype = "float64", scalar = true}}, stages = 2,
      steps = {fold(reducers.row("mean", "float64"), "float64", 1),
        {reducer = reducers.row("argmin", "float64"), dtype = "int64", args = {1}, arg_dtypes = {"float64"}},
        {reducer = reducers.row("ptp", "float64"), dtype = "float64", args = {1}, arg_dtypes = {"float64"}},
        {name = "square_deviation", expr = "square_length(wrap_sub(a, b))", dtype = "float64", args = {1, 3},
          arg_dtypes = types},
        {reducer = reducers.row("var", "float64"), dtype = "float64", args = {6, 2}, arg_dtypes = types}},
      outputs = {{dtype = "float64", value = 3, row = true}, {dtype = "int64", value = 4, row = true},
        {dtype = "float64", value = 5, row = true}, {dtype = "float64", value = 7, row = true}},
    }
    local mean, least, range, variance = run_stages(p, "survey", 2, 0, {false, false, false, false}, x, 1)
    close(mean, x:mean(2), "float64")
    assert.is_true(least == x:argmin(2))
    assert.is_true(range == x:ptp(2))
    close(variance, x:var(2, {ddof = 1}), "float64")
  end)

  it("few long rows, columns and nothing at all are not for it: nothing is done", function()
    for _, case in ipairs {{numbers(3, 5000, "float32"), 2}, {numbers(1000, 600, "float32"), 1},
      {cn.zeros({600, 0}, "float32"), 2}} do
      local outs = {false, false, false}
      assert.equal(0, select("#", run_stages(softmax "float32", "softmax", case[2], 0, outs, case[1], 1)))
    end
  end)
end)

describe("a program in stages", function()
  local function program(fields)
    fields.inputs = {{dtype = "float32"}}
    return pcall(core.program, fields)
  end

  it("counts its stages", function()
    assert.is_false(program {stages = 2, steps = {fold(SUM, "float32", 1)}, output = "float32"})
    assert.is_false(program {steps = {fold(SUM, "float32", 1)}, output = "float32"})
  end)

  it("is of no other kind", function()
    local sum = {reducer = SUM, accumulator = "float32"}
    for _, other in ipairs {sum, {sorts = "elements"}, {sorts = "positions"}, {multiplies = true}} do
      local fields = {stages = 1, steps = {}, output = "float32"}
      for field, value in pairs(other) do fields[field] = value end
      local good, message = program(fields)
      assert.is_false(good)
      assert.truthy(tostring(message):find("not two of these", 1, true), message)
    end
    local good, message = program {scan = "inclusive", steps = {}, output = "float32"}
    assert.is_false(good)
    assert.truthy(tostring(message):find("a scan has nothing to combine", 1, true), message)
  end)

  it("has rows' outputs of rows' values only", function()
    assert.is_false(program {stages = 1, steps = {fold(SUM, "float32", 1)},
      outputs = {{dtype = "float32", value = 1, row = true}}})
  end)

  it("has room in a GPU's shared memory for many states", function()
    if not simgpu.here then return end
    process.must_run([[
      local cn, core, reducers = require "cuna", require "cuna.core", require "cuna.reducers"
      cn.device "cuda:0":use()
      local steps, outputs = {}, {}
      for k = 1, 15 do
        steps[2 * k - 1] = {name = "add" .. k, expr = "a + " .. k, dtype = "float64", args = {1},
          arg_dtypes = {"float64"}}
        steps[2 * k] = {reducer = reducers.row("ptp", "float64"), dtype = "float64", args = {2 * k},
          arg_dtypes = {"float64"}}
        outputs[k] = {dtype = "float64", value = 2 * k + 1, row = true}
      end
      local p = core.program {inputs = {{dtype = "float64"}}, stages = 1, steps = steps, outputs = outputs}
      local outs, x = {}, cn.arange(600 * 40, "float64"):reshape(600, 40)
      for k = 1, 15 do outs[k] = false end
      local made = {core.stages(p, "ranges", 2, 0, outs, x)}
      for k = 1, 15 do assert(made[k] == cn.full(600, 39)) end]], {CUNA_PACK_DIR = "off", SIMGPU_NVRTC_EVERY = "1"})
  end)
end)
