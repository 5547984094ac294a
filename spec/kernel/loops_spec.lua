--- Programs give the same bits on loops, which were compiled with cuna, as by their kernels.
--
-- Each case runs three times: on loops, rehearsed for cn.prepare, and by the kernel that this compiled. CUNA_SPEC_ALL=1
-- takes every dtype and layout of each operation where otherwise a few take turns.
local bits = require "spec.support.bits"
local cn = require "cuna"
local core = require "cuna.core"
local process = require "spec.support.process"
local reductions = require "cuna.reductions"
local rows = require "cuna.ops"

local EVERY = os.getenv "CUNA_SPEC_ALL" == "1"
local LENGTH = 1100 -- several blocks of the widest values, and a part of one
local DTYPES = {"bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "bfloat16",
  "float32", "float64", "complex64", "complex128"}

local state = 1
local function below(n)
  state = state * 16807 % 2147483647
  return state % n
end

--- Numbers of every size, with what is special to floats among them.
local SPECIAL = {0, -0.0, 1, -1, cn.inf, -cn.inf, cn.nan, 1e-40, -1e-310, 65504, 1e38, 0.5, -2.5}
local function draw(n, dtype)
  local values = {}
  for i = 1, n do
    values[i] = below(7) == 0 and SPECIAL[below(#SPECIAL) + 1] or (below(2001) - 1000) / (below(4) + 1)
  end
  local x = cn.array(values, "float64")
  return dtype:find "^[fb]" and x:astype(dtype) or cn.nan_to_num(x, {posinf = 7, neginf = 9}):clip(-120, 120)
    :astype(dtype)
end

local LAYOUTS = {
  flat = function(x) return x end,
  strided = function(x) return x["::2"] end,
  every_third = function(x) return x["::3"] end,
  reversed = function(x) return x["::-1"] end,
  short_rows = function(x) return x[{{1, 1100}}]:reshape(275, 4)[{{}, {1, 3}}] end,
  rows = function(x) return x[{{1, 1100}}]:reshape(2, 550)[{{}, {3, 500}}] end,
  tiles = function(x) return x[{{1, 1100}}]:reshape(25, 44).T end,
  columns = function(x, k) return k == 1 and x[{{1, 44}}]:reshape(44, 1) or x[{{1, 1100}}]:reshape(44, 25) end,
  row = function(x, k) return k == 1 and x[{{1, 3}}] or x[{{1, 1100}}]:reshape(275, 4)[{{}, {2, 4}}] end,
}
local NAMES = {}
for name in pairs(LAYOUTS) do NAMES[#NAMES + 1] = name end
table.sort(NAMES)

--- The operands of a row in a loop's dtype; nil where the row has none of it.
local function operands_of(row, dtype, layout)
  local list = {}
  for k = 1, row.nargs or 1 do
    list[k] = LAYOUTS[layout](draw(LENGTH, row.rule == "select" and k == 1 and "bool" or dtype), k)
  end
  return pcall(cn[row.name], unpack(list)) and list
end

--- Runs cases, each a function that returns arrays, on loops and by kernels.
local function compare(cases)
  local function run() for _, case in ipairs(cases) do case.results = {case.call()} end end
  run()
  local compiled, loaded = core.module_stats()
  local on_loops = {}
  for i, case in ipairs(cases) do on_loops[i] = case.results end
  cn.prepare(run)
  local compiled_since, loaded_since = core.module_stats()
  assert.is_true(compiled_since + loaded_since > compiled + loaded, "no kernel was made")
  run()
  for i, case in ipairs(cases) do
    for k, result in ipairs(case.results) do
      if cn.is_array(result) then
        assert.is_nil(bits.why_different(on_loops[i][k]:tobytes(), result:tobytes(), result.dtype, 0), case.name)
      end
    end
  end
end

describe("loops and kernels give the same bits", function()
  local before
  setup(function()
    before = cn.device()
    cn.device("cpu"):use()
  end)
  teardown(function() before:use() end)

  for part = 1, 4 do
    it("of operations, part " .. part, function()
      local cases = {}
      for index = part, #rows, 4 do
        local row = rows[index]
        for d, dtype in ipairs(DTYPES) do
          for l, layout in ipairs(NAMES) do
            local operands = (EVERY or (d + l + index) % 29 == 0) and operands_of(row, dtype, layout)
            if operands then
              cases[#cases + 1] = {name = row.name .. " of " .. dtype .. ", " .. layout,
                call = function() return cn[row.name](unpack(operands)) end}
            end
          end
        end
      end
      compare(cases)
    end)
  end

  it("of casts and copies", function()
    local cases = {}
    for i, from in ipairs(DTYPES) do
      local x = draw(LENGTH, from)
      for k, to in ipairs(DTYPES) do
        if (EVERY or (i + k) % 3 == 0) and not (from:find "complex" and not to:find "complex") then
          cases[#cases + 1] = {name = from .. " to " .. to, call = function() return x:astype(to) end}
          cases[#cases + 1] = {name = from .. " to " .. to .. ", strided",
            call = function() return x["::-3"]:astype(to) end}
        end
      end
    end
    compare(cases)
  end)

  it("of reductions", function()
    local cases = {}
    for index, row in ipairs(reductions.rows) do
      for d, dtype in ipairs(DTYPES) do
        local x = draw(LENGTH, dtype):reshape(25, 44)
        for axis = 1, 2 do
          local function call() return cn[row.name](x, axis) end
          if (EVERY or (d + 2 * index + axis) % 7 == 0) and pcall(call) then
            cases[#cases + 1] = {name = ("%s of %s along axis %d"):format(row.name, dtype, axis), call = call}
          end
        end
      end
    end
    assert.is_true(#cases > 60)
    compare(cases)
  end)

  --- Fused programs of 1 to 20 operations over three arrays and a number.
  local UNARY = {"negative", "sqrt", "exp", "absolute", "floor", "isnan", "square"}
  local BINARY = {"add", "subtract", "multiply", "maximum", "less", "arctan2", "copysign", "divide"}
  local function random_program(count)
    local steps = {}
    for i = 1, count do
      local unary = below(3) == 0
      steps[i] = {name = unary and UNARY[below(#UNARY) + 1] or BINARY[below(#BINARY) + 1], a = below(i + 2) + 1,
        b = not unary and below(i + 2) + 1 or nil}
    end
    return cn.fuse(function(x, y, z)
      local values = {x, y, z}
      for _, step in ipairs(steps) do
        local a, b = values[step.a], step.b and values[step.b]
        if step.name ~= "isnan" and a.dtype == "bool" then a = a * 1.5 end
        if b and b.dtype == "bool" then b = b * 1.5 end
        values[#values + 1] = b and cn[step.name](a, b) or cn[step.name](a)
      end
      return values[#values], values[#values - 1]
    end)
  end

  it("of fused programs", function()
    local cases = {}
    for i = 1, EVERY and 400 or 40 do
      local fused, layout = random_program(below(20) + 1), NAMES[i % #NAMES + 1]
      local arrays = {}
      for k = 1, 3 do arrays[k] = LAYOUTS[layout](draw(LENGTH, DTYPES[below(3) + 11]), k) end
      cases[#cases + 1] = {name = "program " .. i .. ", " .. layout, call = function() return fused(unpack(arrays)) end}
    end
    compare(cases)
  end)

  it("of casts inside fused functions", function()
    local cases = {}
    for i, from in ipairs(DTYPES) do
      for k, to in ipairs(DTYPES) do
        if (EVERY or (i + k) % 4 == 0) and not (from:find "complex" and not to:find "complex") then
          local x = draw(LENGTH, from)
          local f = cn.fuse(function(z) return cn.add(z:astype(to), z:astype(to)):astype "complex128" end)
          cases[#cases + 1] = {name = from .. " to " .. to, call = function() return f(x) end}
        end
      end
    end
    compare(cases)
  end)

  it("of rows of products, of which a block has room for some", function()
    local cases = {}
    for _, dtype in ipairs {"int64", "float16", "float32", "float64", "complex128"} do
      for _, length in ipairs {64, 100, 255, 256, 512, 700, 1100} do
        local x, y = draw(9 * length, dtype):reshape(9, length), draw(length, dtype)
        local name = (" of %d %s"):format(length, dtype)
        cases[#cases + 1] = {name = "matvec" .. name, call = function() return cn.matvec(x, y) end}
        cases[#cases + 1] = {name = "vecdot, reversed" .. name,
          call = function() return cn.vecdot(x["::-1"], x[{{}, {-1, 1, -1}}]) end}
        cases[#cases + 1] = {name = "var" .. name, call = function() return cn.var(x, 2) end}
      end
    end
    compare(cases)
  end)

  it("of rows that a fused function folds", function()
    local softmax = cn.fuse(function(z)
      local e = cn.exp(z - z:max {axis = 2, keepdims = true})
      return e / e:sum {axis = 2, keepdims = true}
    end)
    local cases = {}
    for _, shape in ipairs {{513, 1}, {5000, 3}, {600, 33}, {600, 63}, {512, 64}, {520, 1000}, {17, 5000},
      {16, 70000}} do
      local x = draw(4096, "float32")[cn.arange(shape[1] * shape[2]) % 4096 + 1]:reshape(unpack(shape)):clip(-9, 9)
      cases[#cases + 1] = {name = ("softmax of %d x %d"):format(unpack(shape)), call = function()
        return softmax(x), softmax(x[{{}, {-1, 1, -1}}])
      end}
    end
    compare(cases)
  end)

  it("of neighbours in images, side by side or not", function()
    local images, cases = cn.ndimage, {}
    for k, dtype in ipairs(DTYPES) do
      local x = draw(41 * 67, dtype):reshape(41, 67)
      local layouts = {x, x.T, x["::-1, ::2"], x[{{}, {3, 21}}]:copy(), x[{{5, 5}}]}
      local y = layouts[k % #layouts + 1]
      cases[k] = {name = dtype, call = function()
        local complex = dtype:find "complex"
        return images.convolve(y, cn.array {{0.3, -1, 2}, {0.5, 7, 1}, {1, 1, 0.1}}), images.uniform_filter(y, 5),
          images.gaussian_filter(y, 1.5), images.sobel(y, 1), not complex and images.minimum_filter(y, 7),
          not complex and images.grey_dilation(y, {structure = cn.array {{1, 0, 2}, {0, 3, 1}}})
      end}
    end
    compare(cases)
  end)

  it("of recursive filters, of lines and of parts side by side", function()
    local signal, cases = cn.signal, {}
    local b, a = signal.butter(3, 0.2)
    local sections = signal.butter(9, 0.3, {output = "sos"})
    for _, dtype in ipairs {"float32", "float64", "complex128"} do
      local lines, long = draw(19 * 70, dtype), cn.concatenate {draw(9001, dtype), draw(300, dtype)}
      lines, long = cn.nan_to_num(lines, {posinf = 1, neginf = 1}), cn.nan_to_num(long, {posinf = 1, neginf = 1})
      cases[#cases + 1] = {name = dtype, call = function()
        local filtered, states = signal.lfilter(b, a, lines:reshape(19, 70), 1, cn.ones({3, 70}, dtype))
        return filtered, states, signal.lfilter(b, a, lines:reshape(70, 19)), signal.lfilter(b, a, long),
          signal.sosfilt(sections, long), signal.lfilter({0.5}, {1, -0.9}, long["::-1"])
      end}
    end
    compare(cases)
  end)

  it("of outputs that are inputs, or are written past the caches", function()
    local n = 3 * 2 ^ 20
    local x, y = draw(n, "float32"), draw(n, "float32")
    local fused = cn.fuse(function(a, b) return (a * b + a) * b - a end)
    compare {
      {name = "large", call = function() return fused(x, y), x + y, x["2:"] * 2 end},
      {name = "in place", call = function()
        local z = y:copy()
        cn.multiply(x, z, {out = z})
        return z:add_(x), z["::2"]:mul_(z["::2"])
      end},
    }
  end)
end)

describe("CUNA_COMPILE", function()
  local SCRIPT = [[
    local cn, core = require "cuna", require "cuna.core"
    local x = cn.arange(1000):astype("float32")
    local y = ((x * 2 + 1) / 3):sqrt()
    io.write(core.module_stats(), " ", tostring(y[1000]))]]

  it("says whether programs wait for kernels", function()
    local waiting = process.must_run(SCRIPT, {CUNA_COMPILE = "wait", CUNA_CACHE_DIR = "off", CUNA_DEVICE = "cpu"})
    local never = process.must_run(SCRIPT, {CUNA_COMPILE = "never", CUNA_DEVICE = "cpu"})
    assert.equal("0", never:match "^%d+")
    assert.is_true(tonumber(waiting:match "^%d+") > 0)
    assert.equal(waiting:match " .*", never:match " .*")
  end)
end)
