-- Times cuna's workloads on a device; prints one JSON object per line and workload, as the twin gpu_peers.py does.
--
--   build/cuna bench/gpu.lua [--device cuda:0] [--only sum,add_f32] [--skip h2d] [--scale 0.01] [--jsonl FILE]
--                            [--results collected|freed] [--total 0.3]
--
--   {"name", "peer": "cuna", "median_us", "min_us", "bytes", "gbps", "reps", "batch"}   or   {"name", "peer", "error"}
--   {"name", "peer": "cuna", "ratio"}   of workloads that are a ratio of times
--
-- `bytes` is the least traffic the result needs: every input read once, every output written once. Two warm-up calls
-- come first, then batches of about 30 ms of back-to-back calls, each ended by one synchronisation, for --total
-- seconds; the time is the median over the batches. Results are new arrays from the pool unless the name ends in _out.
-- As in a plain loop of a user, they are not freed explicitly, so the figures include garbage collections, which
-- allocations trigger. With --results freed, x:free() frees each call's result at once (but not intermediate arrays),
-- which shows the cost of collecting. Names keep NumPy's axis numbers; axes count from 1 here. The file of --jsonl is
-- appended to.
local cn = require "cuna"
local folder = arg[0]:match("^.*/") or ""
local common, measure = dofile(folder .. "common.lua"), dofile(folder .. "measure.lua")
local spread = measure.spread

local options = { device = "cuda:0", only = "", skip = "", scale = "1", jsonl = "", results = "collected",
  total = "0.3" }
for i = 1, #arg, 2 do
  local key = arg[i]:match("^%-%-(%a+)$")
  if not options[key] or not arg[i + 1] then
    error("unknown option " .. arg[i] .. "; the head of bench/gpu.lua lists them", 0)
  end
  options[key] = arg[i + 1]
end
local scale = assert(tonumber(options.scale), "--scale needs a number")
local total_s = assert(tonumber(options.total), "--total needs a number")
local log = options.jsonl ~= "" and assert(io.open(options.jsonl, "a"))

local function length(n) return math.max(16, math.floor(n * scale)) end
local function side(n) return math.max(16, math.floor(n * math.sqrt(scale))) end

local n = length(1e8)
local half, s10, s8, s16, tall = math.floor(n / 2), side(10000), side(8192), side(16384), length(1e6)

-- Inputs by name; each is created when a workload first needs it and freed when the next one does not.
local MAKERS = {
  a16 = function() return spread(16) end,
  b16 = function() return spread(16) end,
  o16 = function() return cn.zeros(16, "float32") end,
  x = function() return spread(n) end,
  y = function() return spread(n) end,
  o = function() return cn.zeros(n, "float32") end,
  mask = function() return spread(n):gt(0.5) end,
  host = function() return spread(n):get() end,
  xd = function() return spread(n, "float64") end,
  yd = function() return spread(n, "float64") end,
  xh = function() return spread(n):astype("float16") end,
  yh = function() return spread(n):astype("float16") end,
  xu = function() return (spread(n) * 100):astype("uint8") end,
  yu = function() return (spread(n) * 100):astype("uint8") end,
  xhalf = function() return spread(half) end,
  yhalf = function() return spread(half) end,
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
}

-- name, bytes, inputs, function of the inputs; the function returns a new array, or the input that it writes to.
local LAUNCHES = {
  { "launch_add16", 0, "a16 b16", function(a, b) return a + b end },
  { "launch_add16_out", 0, "a16 b16 o16", function(a, b, o) return cn.add(a, b, { out = o }) end },
  { "launch_chain10_16", 0, "a16 b16", function(a, b)
    local c = a
    for _ = 1, 10 do c = c + b end
    return c
  end },
  { "launch_sum16", 0, "a16", function(a) return a:sum() end },
}

local WORKLOADS = {
  { "copy_f32_1e8", 8 * n, "x o", function(x, o) o[":"] = x end },
  { "fill_f32_1e8", 4 * n, "o", function(o) return o:fill(1.5) end },
  { "add_f32_1e8", 12 * n, "x y", function(x, y) return x + y end },
  { "add_out_f32_1e8", 12 * n, "x y o", function(x, y, o) return cn.add(x, y, { out = o }) end },
  { "add_scalar_f32_1e8", 8 * n, "x", function(x) return x + 1.25 end },
  { "mul_f32_1e8", 12 * n, "x y", function(x, y) return x * y end },
  { "axpy_f32_1e8", 12 * n, "x y", function(x, y) return 2.5 * x + y end },
  { "sin_f32_1e8", 8 * n, "x", function(x) return cn.sin(x) end },
  { "exp_f32_1e8", 8 * n, "x", function(x) return cn.exp(x) end },
  { "cast_f32_f64_1e8", 12 * n, "x", function(x) return x:astype("float64") end },
  { "where_f32_1e8", 13 * n, "mask x y", function(c, x, y) return cn.where(c, x, y) end },
  { "sum_f32_1e8", 4 * n, "x", function(x) return x:sum() end },
  { "max_f32_1e8", 4 * n, "x", function(x) return x:max() end },
  { "argmax_f32_1e8", 4 * n, "x", function(x) return x:argmax() end },
  { "var_f32_1e8", 4 * n, "x", function(x) return x:var() end },
  { "concat_f32_2x5e7", 16 * half, "xhalf yhalf", function(x, y) return cn.concatenate { x, y } end },
  { "add_f16_1e8", 6 * n, "xh yh", function(x, y) return x + y end },
  { "sum_f16_1e8", 2 * n, "xh", function(x) return x:sum() end },
  { "add_u8_1e8", 3 * n, "xu yu", function(x, y) return x + y end },
  { "add_f64_1e8", 24 * n, "xd yd", function(x, y) return x + y end },
  { "tanh_f64_1e8", 16 * n, "xd", function(x) return cn.tanh(x) end },
  { "sum_f64_1e8", 8 * n, "xd", function(x) return x:sum() end },
  { "broadcast_add_10000", 4 * s10 * s10 + 8 * s10, "column row", function(c, r) return c + r end },
  { "rowbias_add_10000", 8 * s10 * s10 + 4 * s10, "m10 vector", function(m, v) return m + v end },
  { "colbias_add_10000", 8 * s10 * s10 + 4 * s10, "m10 column", function(m, c) return m + c end },
  { "transpose_copy_8192", 8 * s8 * s8, "m8", function(m) return m.T:copy() end },
  { "transpose_add_8192", 12 * s8 * s8, "m8 t8", function(m, t) return m.T + t end },
  { "slice_step2_copy_8192", 8 * s8 * s8, "wide8", function(m) return m[":, ::2"]:copy() end },
  { "permute4d_copy_64x128x128x64", 8 * 2 ^ 26, "q4", function(q) return q:transpose(1, 3, 4, 2):copy() end },
  { "sum_axis0_16384", 4 * s16 * s16, "m16", function(m) return m:sum { axis = 1 } end },
  { "sum_axis1_16384", 4 * s16 * s16, "m16", function(m) return m:sum { axis = 2 } end },
  { "max_axis1_16384", 4 * s16 * s16, "m16", function(m) return m:max { axis = 2 } end },
  { "sum_axis1_1e6x32", 128 * tall, "tall", function(m) return m:sum { axis = 2 } end },
  { "sum_axis0_1e6x32", 128 * tall, "tall", function(m) return m:sum { axis = 1 } end },
  { "h2d_f32_1e8", 4 * n, "host", function(h) return cn.frombuffer(h:pointer(), "float32", n) end },
  { "d2h_f32_1e8", 4 * n, "x", function(x) return x:get() end },
}

local function json_of(value)
  if type(value) == "number" then return ("%.10g"):format(value) end
  return '"' .. value:gsub('[%c"\\]', function(c) return ("\\u%04x"):format(c:byte()) end) .. '"'
end

--- Prints a JSON object from alternating keys and values.
local function put(...)
  local fields = {}
  for i = 1, select("#", ...), 2 do
    local key, value = select(i, ...)
    fields[#fields + 1] = ('"%s": %s'):format(key, json_of(value))
  end
  local line = "{" .. table.concat(fields, ", ") .. "}\n"
  io.stdout:write(line)
  io.stdout:flush()
  if log then
    log:write(line)
    log:flush()
  end
end

local function is_wanted(name)
  return (options.only == "" or common.has_prefix(name, options.only)) and not common.has_prefix(name, options.skip)
end

local function is_one_of(array, first, ...)
  if first == nil then return false end
  return rawequal(array, first) or is_one_of(array, ...)
end

local function freeing(fn)
  return function(...)
    local result = fn(...)
    if not result then return end
    cn.evaluate(result)
    if not is_one_of(result, ...) then result:free() end
  end
end

local function run(held, name, nbytes, names, fn)
  if options.results == "freed" then fn = freeing(fn) end
  local inputs = measure.take_inputs(held, names, MAKERS)
  collectgarbage() -- what the last workload and the inputs left behind
  local times, calls, median = measure.measure(total_s, fn, unpack(inputs))
  put("name", name, "peer", "cuna", "median_us", median * 1e6, "min_us", times[1] * 1e6, "bytes", nbytes,
    "gbps", nbytes / median / 1e9, "reps", #times * calls, "batch", calls)
end

local function seconds(fn, ...) return (select(3, measure.measure(total_s, fn, ...))) end

local function run_ratio(held, name, names, fn)
  put("name", name, "peer", "cuna", "ratio", fn(seconds, unpack(measure.take_inputs(held, names, MAKERS))))
end

local function first_line(message) return (tostring(message):match("^[^\n]*")) end

local ok, device = pcall(function() return cn.device(options.device):use() end)
if not ok then
  put("name", "peer", "peer", "cuna", "error", first_line(device))
  os.exit(1)
end
put("name", "peer", "peer", "cuna", "version", cn._VERSION, "device", device.model)

local kernel_makers, KERNEL_LAUNCHES, KERNEL_WORKLOADS = dofile(folder .. "kernels.lua")(spread, length, side)
local stream_makers, STREAM_WORKLOADS, RATIOS = dofile(folder .. "streams.lua")(spread, length)
local subject_makers, SUBJECT_WORKLOADS =
  dofile(folder .. "subjects.lua")(folder, spread, length, is_wanted, options.only)
for _, makers in ipairs { kernel_makers, stream_makers, subject_makers } do
  for name, make in pairs(makers) do MAKERS[name] = make end
end

local held = {}

local function try_by(runner, name, ...)
  if not is_wanted(name) then return end
  local fine, message = pcall(runner, held, name, ...)
  if not fine then put("name", name, "peer", "cuna", "error", first_line(message)) end
end

local function try_parts(workloads) -- bytes read and bytes written apart
  for _, workload in ipairs(workloads) do
    local name, read_bytes, written_bytes, names, fn = unpack(workload)
    try_by(run, name, read_bytes + written_bytes, names, fn)
  end
end

for _, workload in ipairs(LAUNCHES) do try_by(run, unpack(workload)) end
try_parts(KERNEL_LAUNCHES)
for _, workload in ipairs(WORKLOADS) do try_by(run, unpack(workload)) end
try_parts(KERNEL_WORKLOADS)
try_parts(STREAM_WORKLOADS)
try_parts(SUBJECT_WORKLOADS)
for _, workload in ipairs(RATIOS) do try_by(run_ratio, unpack(workload)) end
local interpreter = ("CUNA_DEVICE=%s %s"):format(common.quoted(options.device), common.quoted(arg[-1]))
for _, row in ipairs(common.first_uses(interpreter, folder, is_wanted)) do
  put("name", row[1], "peer", "cuna", "median_us", row[2] * 1e3, "min_us", row[2] * 1e3, "bytes", 0, "gbps", 0,
    "reps", 1, "batch", 1)
end
