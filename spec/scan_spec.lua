--- Scans give every element its fold with those before it, in any shape and layout, against plain loops; and always the
--- same bits.
local cn = require "cuna"
local core = require "cuna.core"
local devices = require "spec.support.devices"
local index_bits = require "spec.support.index_bits"
local process = require "spec.support.process"
local raises = require("spec.support.raises").raises

local is_rehearsing = false -- elements mean nothing, so nothing is compared

--- Runs fn once to learn its kernels, then in earnest.
local function prepared(fn, ...)
  is_rehearsing = true
  cn.prepare(fn, ...)
  is_rehearsing = false
  return fn(...)
end

local function size_of(shape)
  local size = 1
  for _, length in ipairs(shape) do size = size * length end
  return size
end

local function flat(x) return x:reshape(x.size):totable() end

--- The same array, laid out otherwise in memory; all but the first are views.
local LAYOUTS = {
  function(x) return x end,
  function(x) return x:transpose():copy():transpose() end,
  function(x) -- every second
    local shape, entries = {}, {}
    for axis, length in ipairs(x.shape) do shape[axis], entries[axis] = 2 * length, {1, -1, 2} end
    local wide = cn.full(shape, 99, x.dtype)
    wide[entries] = x
    return wide[entries]
  end,
  function(x) -- reversed
    local entries = {}
    for axis in ipairs(x.shape) do entries[axis] = {-1, 1, -1} end
    return x[entries]:copy()[entries]
  end,
  function(x) return x.ndim ~= 3 and x or x:transpose(2, 1, 3):copy():transpose(2, 1, 3) end,
}

-- ---- programs ----

local KINDS = {"inclusive", "exclusive"}

--- Sums of `dtype` in `accumulator`.
local function sum_of(kind, dtype, accumulator)
  return core.program {inputs = {{dtype = dtype}}, scan = kind, accumulator = accumulator, output = accumulator,
    reducer = {name = "sum", state = "T", identity = "T(0)", lift = "a", combine = "wrap_add(a, b)", finish = "a"}}
end

--- A program of texts: state, identity, map, combine and finish.
local function text_of(kind, texts)
  local inputs, outputs, names = {}, {}, {}
  for _, name in ipairs(texts.inputs) do
    inputs[#inputs + 1], names[#names + 1] = {dtype = texts.dtype or "int64"}, name
  end
  for _, name in ipairs(texts.outputs) do
    outputs[#outputs + 1], names[#names + 1] = {dtype = texts.result or "int64"}, name
  end
  return core.program {inputs = inputs, outputs = outputs, index = texts.index, scan = kind,
    statement = {name = texts.name, text = texts.map, before = "", after = "", types = "",
      preamble = texts.preamble or "", names = names, state = texts.state, identity = texts.identity,
      combine = texts.combine, finish = texts.finish}}
end

-- y = c * y + x (mod 1024): maps that follow each other, which do not commute.
local RECURRENCE = {name = "recurrence", inputs = {"c", "x"}, outputs = {"y"}, state = "Line", identity = "Line{1, 0}",
  preamble = "struct Line { int64_t a, b; };", map = "(Line{c, x})", finish = "y = a.b",
  combine = "(Line{a.a * b.a & 1023, (a.b * b.a + b.b) & 1023})"}

-- Products of 2x2 matrices (x 1; 1 0), as large as a state may be; two results, and the position.
local MATRICES = {name = "matrices", inputs = {"x"}, outputs = {"y", "z"}, state = "Matrix", index = true,
  preamble = "struct Matrix { int64_t at[4]; };", identity = "Matrix{{1, 0, 0, 1}}", map = "(Matrix{{x, 1, 1, 0}})",
  combine = "(Matrix{{(a.at[0] * b.at[0] + a.at[1] * b.at[2]) & 1023, (a.at[0] * b.at[1] + a.at[1] * b.at[3]) & 1023,"
    .. "(a.at[2] * b.at[0] + a.at[3] * b.at[2]) & 1023, (a.at[2] * b.at[1] + a.at[3] * b.at[3]) & 1023}})",
  finish = "y = a.at[0] * 2000 + a.at[1]; z = (i + n) * 1000 + x"}

-- ---- references: what a line of elements becomes ----

local function sum_line(kind, line)
  local sums, sum = {}, 0
  for k, value in ipairs(line) do
    sums[k] = kind == "inclusive" and sum + value or sum
    sum = sum + value
  end
  return sums
end

local function recurrence_line(kind, line, factors)
  local values, y = {}, 0
  for k, x in ipairs(line) do
    local before = y
    y = (factors[k] * y + x) % 1024
    values[k] = kind == "inclusive" and y or before
  end
  return values
end

local function matrix_line(kind, line)
  local y, z, a, b, c, d = {}, {}, 1, 0, 0, 1
  for k, x in ipairs(line) do
    if kind == "exclusive" then y[k] = a * 2000 + b end
    a, b, c, d = (a * x + b) % 1024, a, (c * x + d) % 1024, c
    if kind == "inclusive" then y[k] = a * 2000 + b end
    z[k] = (k - 1 + #line) * 1000 + x
  end
  return y, z
end

--- Calls fn(positions) for each line of a shape along an axis; axis 0: the only line of all elements.
local function each_line(shape, axis, fn)
  local size, stride = size_of(shape), 1
  for later = axis + 1, #shape do stride = stride * shape[later] end
  local length = axis > 0 and shape[axis] or size
  if axis == 0 then stride = 1 end
  for outer = 0, size - 1, math.max(length * stride, 1) do
    for inner = 1, stride do
      local positions = {}
      for k = 1, length do positions[k] = outer + inner + (k - 1) * stride end
      fn(positions)
    end
  end
end

local function check_values(expected, actual, what)
  if is_rehearsing then return end
  local values = flat(actual)
  assert.are_equal(#expected, #values)
  for k, value in ipairs(expected) do
    if values[k] ~= value then
      error(("%s: element %d is %s, not %s"):format(what, k, tostring(values[k]), tostring(value)))
    end
  end
end

--- Compares a scan of arrays of one shape with its reference.
local function check(kind, program, line_of, axis, inputs, outs)
  local results = {core.scan(program, "scan", axis, outs or {false, false}, unpack(inputs))}
  if is_rehearsing then return end
  local shape, values, expected = inputs[1].shape, {}, {{}, {}}
  for k, x in ipairs(inputs) do values[k] = flat(x) end
  each_line(shape, axis, function(positions)
    local lines = {}
    for k, all in ipairs(values) do
      lines[k] = {}
      for at, position in ipairs(positions) do lines[k][at] = all[position] end
    end
    for k, folded in ipairs {line_of(kind, lines[1], lines[2])} do
      for at, position in ipairs(positions) do expected[k][position] = folded[at] end
    end
  end)
  for k, result in ipairs(results) do
    check_values(expected[k], result, ("%s of %s %s, strides %s, axis %d, result %d"):format(kind, inputs[1].dtype,
      tostring(shape), table.concat(inputs[1].strides, " "), axis, k))
    assert.same(axis == 0 and {size_of(shape)} or {unpack(shape)}, {unpack(result.shape)})
  end
end

--- Small whole numbers.
local function whole(shape, dtype, factor)
  return cn.arange(size_of(shape)):mul(factor or 7919):mod(23):astype(dtype):reshape(shape)
end

--- The arguments of RECURRENCE, the array of elements first in the reference.
local function check_recurrence(kind, program, axis, c, x, outs)
  check(kind, program, function(_, factors, line) return recurrence_line(kind, line, factors) end, axis, {c, x}, outs)
end

-- ---- what is checked ----

local LENGTHS = {0, 1, 2, 7, 8, 9, 31, 63, 64, 65, 127, 255, 256, 257, 511, 513, 1000, 1023, 1025, 2048, 4095, 4097,
  8191, 8192, 8193, 16384, 16385, 40000, 100003}

local function check_lengths()
  for _, kind in ipairs(KINDS) do
    local program = sum_of(kind, "int32", "int64")
    for _, n in ipairs(LENGTHS) do check(kind, program, sum_line, 1, {whole({n}, "int32")}) end
  end
end

local SHAPES = {{0, 3}, {3, 0}, {1, 1}, {5, 1}, {1, 5}, {3, 5}, {2000, 3}, {3, 2000}, {9, 8200}, {8200, 9}, {3, 20000},
  {20000, 3}, {300, 300}, {1500, 130}, {40, 2100}, {3, 500, 7}, {5, 3, 600}, {600, 4, 9}, {2, 4100, 12}}

local function check_shapes()
  local programs = {}
  for k, kind in ipairs(KINDS) do programs[k] = sum_of(kind, "float64", "float64") end
  for k, shape in ipairs(SHAPES) do
    local x = whole(shape, "float64")
    for axis = 0, #shape do
      local at = (k + axis) % 2 + 1
      check(KINDS[at], programs[at], sum_line, axis, {x})
    end
  end
end

local function check_layouts()
  for k, shape in ipairs {{130, 70}, {4, 50, 60}, {3, 9, 10, 11}, {3000, 2}} do
    local kind = KINDS[k % 2 + 1]
    local program = sum_of(kind, "float32", "float32")
    for _, layout in ipairs(LAYOUTS) do
      local x = layout(whole(shape, "float32"))
      for axis = 0, #shape do check(kind, program, sum_line, axis, {x}) end
      local out = layout(cn.zeros(shape, "float32"))
      check(kind, program, sum_line, 1, {whole(shape, "float32")}, {out})
    end
  end
end

local function check_dtypes()
  for k, types in ipairs {{"bool", "int64"}, {"int8", "int64"}, {"uint8", "uint8"}, {"uint16", "uint64"},
    {"float16", "float32"}, {"bfloat16", "float32"}, {"complex64", "complex64"}} do
    local kind = KINDS[k % 2 + 1]
    local program = sum_of(kind, types[1], types[2])
    for _, shape in ipairs {{10000}, {300, 17}} do
      local x = whole(shape, "int64"):mod(2)
      local expected = core.scan(sum_of(kind, "int64", "int64"), "scan", 1, {false}, x)
      local actual = core.scan(program, "scan", 1, {false}, x:astype(types[1]))
      assert.are_equal(types[2], actual.dtype)
      if not is_rehearsing then assert.array_equal(expected:astype(types[2]), actual) end
    end
  end
end

local function check_order()
  for k, shape in ipairs {{1}, {100}, {5000}, {30011}, {3, 9000}, {9000, 3}, {3000, 70}, {400, 20}} do
    local kind, other = KINDS[k % 2 + 1], KINDS[2 - k % 2]
    local x, c = whole(shape, "int64"), whole(shape, "int64", 104729)
    for axis = 0, #shape do
      check_recurrence(kind, text_of(kind, RECURRENCE), axis, c, x)
      check(other, text_of(other, MATRICES), matrix_line, axis, {x})
    end
  end
end

--- Inputs that broadcast together, against the same ones spread out.
local function check_broadcast()
  for _, shapes in ipairs {{{40, 1}, {1, 300}}, {{300, 1}, {40}}, {{1}, {300, 40}}, {{30, 40, 1}, {1, 9}}} do
    local program = text_of("inclusive", RECURRENCE)
    local c, x = whole(shapes[1], "int64", 31), whole(shapes[2], "int64")
    local both = cn.add(c, x).shape
    local wide_c, wide_x = cn.broadcast_to(c, both):copy(), cn.broadcast_to(x, both):copy()
    for axis = 0, #both do
      local expected = core.scan(program, "scan", axis, {false}, wide_c, wide_x)
      local actual = core.scan(program, "scan", axis, {false}, c, x)
      if not is_rehearsing then assert.array_equal(expected, actual) end
      check_recurrence("inclusive", program, axis, wide_c, wide_x)
    end
  end
end

--- Outputs over the input: the same places, and others.
local function check_overlaps()
  for k, shape in ipairs {{30}, {20000}, {300, 200}, {9000, 3}} do
    local program = sum_of(KINDS[k % 2 + 1], "int64", "int64")
    for axis = 1, #shape do
      local x = whole(shape, "int64")
      local expected = core.scan(program, "scan", axis, {false}, x)
      local reversed = core.scan(program, "scan", axis, {false}, cn.flip(x))
      local place, overwritten = x:copy(), x:copy()
      assert.are_equal(place, core.scan(program, "scan", axis, {place}, place))
      core.scan(program, "scan", axis, {overwritten}, cn.flip(overwritten))
      if not is_rehearsing then assert.array_equal(expected, place) end
      if not is_rehearsing then assert.array_equal(reversed, overwritten) end
    end
  end
  local program = sum_of("inclusive", "int64", "int64")
  local long = whole({20001}, "int64")
  local expected = core.scan(program, "scan", 1, {false}, long[{{1, 20000}}])
  core.scan(program, "scan", 1, {long[{{2, 20001}}]}, long[{{1, 20000}}])
  if not is_rehearsing then assert.array_equal(expected, long[{{2, 20001}}]) end
  local square = whole({100, 300}, "int64")
  local all = core.scan(program, "scan", 0, {false}, square)
  core.scan(program, "scan", 0, {square:reshape(30000)}, square)
  if not is_rehearsing then assert.array_equal(all, square:reshape(30000)) end
end

devices.each_device(function(device)
  describe("a scan folds what comes before", function()
    it("in rows of every length", function() prepared(check_lengths) end)
    it("along every axis of every shape", function() prepared(check_shapes) end)
    it("in every layout", function() prepared(check_layouts) end)
    it("in every dtype", function() prepared(check_dtypes) end)
    it("in order", function() prepared(check_order) end)
    it("of inputs that broadcast", function() prepared(check_broadcast) end)
    it("over its own input", function() prepared(check_overlaps) end)
  end)

  describe("a scan", function()
    it("never combines the identity with elements", function()
      local texts = {name = "sum_or_seven", inputs = {"x"}, outputs = {"y"}, state = "int64_t", identity = "7",
        map = "x", combine = "a + b", finish = "y = a"}
      for _, shape in ipairs {{20000}, {300, 40}, {9000, 9}} do
        local x = whole(shape, "int64")
        for axis = 1, #shape do
          check("inclusive", text_of("inclusive", texts), sum_line, axis, {x})
          local exclusive = core.scan(text_of("exclusive", texts), "scan", axis, {false}, x)
          local entries = {}
          for other = 1, #shape do entries[other] = other == axis and {1} or {} end
          assert.is_true((exclusive[entries] == cn.full_like(exclusive[entries], 7)))
          local inclusive = core.scan(text_of("inclusive", texts), "scan", axis, {false}, x)
          local early, late = {}, {}
          for other = 1, #shape do
            early[other], late[other] = other == axis and {1, -2} or {}, other == axis and {2, -1} or {}
          end
          assert.array_equal(inclusive[early], exclusive[late])
        end
      end
    end)

    it("keeps the sign of zero", function()
      local x = cn.full({3}, -0.0, "float64")
      local sums = core.scan(sum_of("inclusive", "float64", "float64"), "scan", 1, {false}, x)
      assert.array_equal(cn.signbit(sums), {true, true, true})
    end)

    it("gives the same bits on every run", function()
      local program = sum_of("inclusive", "float32", "float32")
      local x = cn.sin(cn.arange(120000):astype "float32")
      for _, shape in ipairs {{120000}, {120, 1000}, {12000, 10}} do
        for axis = 1, #shape do
          local first = core.scan(program, "scan", axis, {false}, x:reshape(shape)):tobytes()
          for _ = 1, 3 do
            assert.is_true(first == core.scan(program, "scan", axis, {false}, x:reshape(shape)):tobytes())
          end
        end
      end
    end)

    it("reads and writes raw arrays, and takes numbers", function()
      local program = core.program {inputs = {{dtype = "int64"}, {dtype = "int64", scalar = true}}, outputs = {},
        raws = {{dtype = "int64", ndim = 1, writable = true}}, index = true, scan = "inclusive",
        statement = {name = "scatter", text = "x * f", before = "", after = "", types = "", preamble = "",
          names = {"x", "f", "w"}, state = "int64_t", identity = "0", combine = "a + b", finish = "w[n - 1 - i] = a"}}
      local x, w = cn.arange(10000), cn.zeros({10000}, "int64")
      core.scan(program, "scatter", 1, {}, x, 3, w)
      assert.array_equal(cn.flip(core.scan(sum_of("inclusive", "int64", "int64"), "scan", 1, {false}, x) * 3), w)
    end)

    it("refuses what it cannot do", function()
      local program = sum_of("inclusive", "int64", "int64")
      local x = cn.arange(6):reshape(2, 3)
      local function refuses(message, axis, out)
        raises("my_scan: " .. message, function() local _ = core.scan(program, "my_scan", axis, {out}, x) end)
      end
      refuses("out has shape (6,), but the result has shape (2, 3)", 1, cn.zeros({6}, "int64"))
      refuses("out has shape (2, 3), but the result has shape (6,)", 0, cn.zeros({2, 3}, "int64"))
      refuses("an int64 result cannot be written to float32; cast it with astype", 1, cn.zeros({2, 3}, "float32"))
      refuses("axis 3 of arrays with 2 axes", 3, false)
      program = core.program {inputs = {{dtype = "int64"}}, accumulator = "int64", output = "int64",
        reducer = {name = "sum", state = "T", identity = "T(0)", lift = "a", combine = "a + b", finish = "a"}}
      refuses("the program does not scan", 1, false)
      assert.are_equal(device, x.device)
    end)
  end)
end)

-- ---- bits ----

-- Prints a digest of results over many shapes; run in processes with other settings.
local DIGEST = [[
  local cn = require "cuna"
  local core = require "cuna.core"
  cn.device("cpu"):use()
  local digest = 0
  local function add(x)
    local bytes = cn.ascontiguousarray(x):tobytes()
    for i = 1, #bytes, math.max(1, math.floor(#bytes / 4000)) do digest = (digest * 31 + bytes:byte(i)) % 2147483647 end
  end
  local function scan_all()
    local program = core.program {inputs = {{dtype = "float32"}}, scan = "inclusive", accumulator = "float32",
      output = "float32", reducer = {name = "sum", state = "T", identity = "T(0)", lift = "a",
        combine = "wrap_add(a, b)", finish = "a"}}
    for _, shape in ipairs {{200003}, {70000, 9}, {3, 50000}, {5, 600, 17}, {40, 3000}} do
      local size = 1
      for _, length in ipairs(shape) do size = size * length end
      local x = cn.arange(size):mul(7919):mod(10007):astype("float32"):div(317):reshape(shape)
      for axis = 0, #shape do add(core.scan(program, "scan", axis, {false}, x)) end
      add(core.scan(program, "scan", 1, {false}, x:transpose()))
    end
  end
  cn.prepare(scan_all)
  digest = 0
  require("spec.support.index_bits").print(function()
    scan_all()
    print(digest)
  end)
]]

it("gives the same bits with any number of threads and with 64-bit indices", function()
  local function digest_with(environment) return index_bits.split(process.must_run(DIGEST, environment)) end
  local one, wide = digest_with {CUNA_NUM_THREADS = "1"}
  assert.is_truthy(one:find("^%d+$"), one)
  assert.equal("  ", wide)
  assert.are_equal(one, (digest_with {CUNA_NUM_THREADS = "2"}))
  assert.are_equal(one, (digest_with {CUNA_NUM_THREADS = "7"}))
  local text = process.must_run(DIGEST, {CUNA_NUM_THREADS = "3", CUNA_INDEX_LIMIT = "64"})
  assert.are_equal(one, index_bits.assert_wide(text, {"scan"}))
end)
