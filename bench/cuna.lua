-- Times cuna's workloads; prints "name, median us, bytes read, bytes written" per line, separated by tabs.
--
--   build/cuna bench/cuna.lua [--only sum,add_f32] [--scale 0.01]
--
-- Names, sizes and method are those of numpy_twin.py: two warm-up calls, then batches of about 30 ms, each ended by one
-- synchronisation; the time is the median over the batches. Results are new arrays unless the name ends in _out, so the
-- figures include garbage collection. Axes count from 1 here; names keep NumPy's numbers.
local cn = require "cuna"
local folder = arg[0]:match("^.*/") or ""
local common, measure = dofile(folder .. "common.lua"), dofile(folder .. "measure.lua")
local spread = measure.spread

local TOTAL_S = 0.6 -- per workload

local options = { only = "", scale = "1" }
for i = 1, #arg, 2 do
  local key = arg[i]:match("^%-%-(%a+)$")
  if not options[key] or not arg[i + 1] then error("unknown option " .. arg[i] .. "; known are --only, --scale", 0) end
  options[key] = arg[i + 1]
end
local scale = tonumber(options.scale)

local function length(n) return math.max(16, math.floor(n * scale)) end
local function side(n) return math.max(16, math.floor(n * math.sqrt(scale))) end

local n = length(1e8)
local s10, s8, s16, tall = side(10000), side(8192), side(16384), length(1e6)

-- Inputs by name; each is created when a workload first needs it and freed when the next one does not.
local MAKERS = {
  a16 = function() return spread(16) end,
  b16 = function() return spread(16) end,
  o16 = function() return cn.zeros(16, "float32") end,
  x = function() return spread(n) end,
  y = function() return spread(n) end,
  o = function() return cn.zeros(n, "float32") end,
  mask = function() return spread(n):gt(0.5) end,
  xd = function() return spread(n, "float64") end,
  yd = function() return spread(n, "float64") end,
  u = function() return (spread(n) * 100):astype("uint8") end,
  column = function() return spread { s10, 1 } end,
  row = function() return spread { 1, s10 } end,
  vector = function() return spread(s10) end,
  m10 = function() return spread { s10, s10 } end,
  m8 = function() return spread { s8, s8 } end,
  t8 = function() return spread { s8, s8 } end,
  wide8 = function() return spread { s8, 2 * s8 } end,
  q4 = function() return spread { 64, 128, 128, 64 } end,
  m16 = function() return spread { s16, s16 } end,
  tall = function() return spread { tall, 32 } end,
  xhalf = function() return spread(math.floor(n / 2)) end,
  yhalf = function() return spread(math.floor(n / 2)) end,
}

local function is_wanted(name) return options.only == "" or common.has_prefix(name, options.only) end
local function workloads(file) return common.workloads(folder .. file, options.only) end
local kernel_makers, KERNEL_LAUNCHES, KERNEL_WORKLOADS = workloads "kernels.lua"(spread, length, side)
local stream_makers, STREAM_WORKLOADS = workloads "streams.lua"(spread, length)
local subject_makers, SUBJECT_WORKLOADS =
  dofile(folder .. "subjects.lua")(folder, spread, length, is_wanted, options.only)
for _, makers in ipairs { kernel_makers, stream_makers, subject_makers } do
  for name, make in pairs(makers) do MAKERS[name] = make end
end

-- name, bytes read, bytes written, inputs, function of the inputs
local LAUNCHES = {
  { "launch_add16", 0, 0, "a16 b16", function(a, b) return a + b end },
  { "launch_add16_out", 0, 0, "a16 b16 o16", function(a, b, o) return cn.add(a, b, { out = o }) end },
  { "launch_chain10_16", 0, 0, "a16 b16", function(a, b)
    local c = a
    for _ = 1, 10 do c = c + b end
    return c
  end },
  { "launch_sum16", 0, 0, "a16", function(a) return a:sum() end },
}

local WORKLOADS = {
  { "copy_f32_1e8", 4 * n, 4 * n, "x o", function(x, o) o[":"] = x end },
  { "fill_f32_1e8", 0, 4 * n, "o", function(o) return o:fill(1.5) end },
  { "add_f32_1e8", 8 * n, 4 * n, "x y", function(x, y) return x + y end },
  { "add_out_f32_1e8", 8 * n, 4 * n, "x y o", function(x, y, o) return cn.add(x, y, { out = o }) end },
  { "add_scalar_f32_1e8", 4 * n, 4 * n, "x", function(x) return x + 1.25 end },
  { "mul_f32_1e8", 8 * n, 4 * n, "x y", function(x, y) return x * y end },
  { "axpy_f32_1e8", 8 * n, 4 * n, "x y", function(x, y) return 2.5 * x + y end },
  { "sin_f32_1e8", 4 * n, 4 * n, "x", function(x) return cn.sin(x) end },
  { "exp_f32_1e8", 4 * n, 4 * n, "x", function(x) return cn.exp(x) end },
  { "cast_f32_f64_1e8", 4 * n, 8 * n, "x", function(x) return x:astype("float64") end },
  { "where_f32_1e8", 9 * n, 4 * n, "mask x y", function(c, x, y) return cn.where(c, x, y) end },
  { "sum_f32_1e8", 4 * n, 0, "x", function(x) return x:sum() end },
  { "max_f32_1e8", 4 * n, 0, "x", function(x) return x:max() end },
  { "argmax_f32_1e8", 4 * n, 0, "x", function(x) return x:argmax() end },
  { "var_f32_1e8", 4 * n, 0, "x", function(x) return x:var() end },
  { "add_u8_1e8", 2 * n, n, "u", function(u) return u + u end },
  { "concat_f32_2x5e7", 4 * n, 4 * n, "xhalf yhalf", function(x, y) return cn.concatenate { x, y } end },
  { "add_f64_1e8", 16 * n, 8 * n, "xd yd", function(x, y) return x + y end },
  { "axpy_f64_1e8", 16 * n, 8 * n, "xd yd", function(x, y) return 2.5 * x + y end },
  { "copy_f64_1e8", 8 * n, 8 * n, "xd yd", function(x, o) o[":"] = x end },
  { "sin_f64_1e8", 8 * n, 8 * n, "xd", function(x) return cn.sin(x) end },
  { "exp_f64_1e8", 8 * n, 8 * n, "xd", function(x) return cn.exp(x) end },
  { "tanh_f64_1e8", 8 * n, 8 * n, "xd", function(x) return cn.tanh(x) end },
  { "sum_f64_1e8", 8 * n, 0, "xd", function(x) return x:sum() end },
  { "broadcast_add_10000", 8 * s10, 4 * s10 * s10, "column row", function(c, r) return c + r end },
  { "rowbias_add_10000", 4 * s10 * s10, 4 * s10 * s10, "m10 vector", function(m, v) return m + v end },
  { "colbias_add_10000", 4 * s10 * s10, 4 * s10 * s10, "m10 column", function(m, c) return m + c end },
  { "transpose_copy_8192", 4 * s8 * s8, 4 * s8 * s8, "m8", function(m) return m.T:copy() end },
  { "transpose_add_8192", 8 * s8 * s8, 4 * s8 * s8, "m8 t8", function(m, t) return m.T + t end },
  { "slice_step2_copy_8192", 8 * s8 * s8, 4 * s8 * s8, "wide8", function(m) return m[":, ::2"]:copy() end },
  { "permute4d_copy_64x128x128x64", 4 * 2 ^ 26, 4 * 2 ^ 26, "q4", function(q)
    return q:transpose(1, 3, 4, 2):copy()
  end },
  { "sum_axis0_16384", 4 * s16 * s16, 0, "m16", function(m) return m:sum { axis = 1 } end },
  { "sum_axis1_16384", 4 * s16 * s16, 0, "m16", function(m) return m:sum { axis = 2 } end },
  { "max_axis1_16384", 4 * s16 * s16, 0, "m16", function(m) return m:max { axis = 2 } end },
  { "sum_axis1_1e6x32", 128 * tall, 0, "tall", function(m) return m:sum { axis = 2 } end },
  { "sum_axis0_1e6x32", 128 * tall, 0, "tall", function(m) return m:sum { axis = 1 } end },
}

local function run(held, name, read_bytes, written_bytes, inputs, fn)
  local ok, seconds = pcall(function()
    return (select(3, measure.measure(TOTAL_S, fn, unpack(measure.take_inputs(held, inputs, MAKERS)))))
  end)
  if ok then
    print(("%s\t%.3f\t%.0f\t%.0f"):format(name, seconds * 1e6, read_bytes, written_bytes))
  else
    io.stderr:write(name, ": ", tostring(seconds), "\n")
  end
  io.stdout:flush()
end

local held = {}
local LISTS = { LAUNCHES, KERNEL_LAUNCHES, WORKLOADS, KERNEL_WORKLOADS, STREAM_WORKLOADS, SUBJECT_WORKLOADS }
for _, list in ipairs(LISTS) do
  for _, workload in ipairs(list) do
    if is_wanted(workload[1]) then run(held, unpack(workload)) end
  end
end
