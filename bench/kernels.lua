-- Workloads of user-defined kernels, for cuna.lua and gpu.lua: closures with and without cn.fuse, and each kind of
-- kernel object. Their twins are in kernel_peers.py.
--
-- kernels(spread, length, side) returns the makers of inputs, the rows of small calls and the others; a row is
-- {name, bytes read, bytes written, inputs, function of the inputs}. The bytes are those of the inputs and outputs:
-- the traffic of a fused kernel, and the least traffic of an expression.
local cn = require "cuna"
local folder = arg[0]:match("^.*/") or ""

local CLOSURES = {} -- they capture no table of their own, which would be looked through at every call

function CLOSURES.sqdiff(x, y) return (x - y) ^ 2 end

function CLOSURES.trig(x, y, z) return cn.sin(x) + cn.cos(y) / cn.sqrt(z) end

function CLOSURES.saxpy(x, y) return y:add_(2.5 * x) end

function CLOSURES.softmax(m)
  local e = cn.exp(m - m:max { axis = 2, keepdims = true })
  return e / e:sum { axis = 2, keepdims = true }
end

function CLOSURES.layernorm(m, gain, bias)
  local d = m - m:mean { axis = 2, keepdims = true }
  return d / cn.sqrt((d * d):mean { axis = 2, keepdims = true } + 1e-5) * gain + bias
end

function CLOSURES.var(x)
  local d = x - x:mean()
  return (d * d):mean()
end

function CLOSURES.var_rows(m)
  local d = m - m:mean { axis = 2, keepdims = true }
  return (d * d):mean { axis = 2, keepdims = true }
end

function CLOSURES.l2norm(x) return cn.sqrt((x * x):sum()) end

function CLOSURES.dot(x, y) return (x * y):sum() end

local sqdiff = cn.ElementwiseKernel("T x, T y", "T z", "z = (x - y) * (x - y)", "sqdiff")
local reverse = cn.ElementwiseKernel("raw T x", "T z", "z = x[n - i - 1]", "reverse")
local l2norm = cn.ReductionKernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", 0, "l2norm")
local dot = cn.ReductionKernel("T x, T y", "T z", "x * y", "a + b", "z = a", 0, "dot")
local cumsum = cn.ScanKernel("T x", "T y", "x", "a + b", "y = a", 0, "cumsum")

local jit_saxpy = cn.jit.rawkernel(function(a, x, y, size)
  local i = cn.jit.grid(1)
  if i <= size then y[i] = a * x[i] + y[i] end
end)

--- A function that runs saxpy by a raw kernel: one thread for each element.
local function by_saxpy(kernel)
  return function(x, y)
    local size = x.size
    kernel(math.ceil(size / 256), 256, { 2.5, x, y, size })
  end
end

local raw_saxpy = by_saxpy(cn.RawModule({ path = folder .. "saxpy.cu" }):get_function("saxpy"))
local shared = cn.RawModule { path = folder .. "shared.cu" }
local sum_shared, matmul = shared:get_function("sum_shared"), shared:get_function("matmul_tiled")

local function tiles_side(side) return math.ceil(side(512) / 16) * 16 end

local function list_makers(spread, length, side)
  local n, small, s, k = length(1e8), length(1e7), side(10000), tiles_side(side)
  return {
    z = function() return spread(n) + 1 end,
    x7 = function() return spread(small) end,
    total = function() return cn.zeros(1, "float32") end,
    gain = function() return spread(s) end,
    bias = function() return spread(s) end,
    ma = function() return spread { k, k } end,
    mb = function() return spread { k, k } end,
    mc = function() return cn.zeros({ k, k }, "float32") end,
  }
end

local LAUNCHES = {
  { "launch_kernel16", 0, 0, "a16 b16", function(a, b) return sqdiff(a, b) end },
  { "launch_fused16", 0, 0, "a16 b16", cn.fuse(function(x, y) return (x - y) * (x - y) end) },
  { "launch_reduction16", 0, 0, "a16", function(a) return l2norm(a) end },
  { "launch_scan16", 0, 0, "a16", function(a) return cumsum(a) end },
  { "launch_raw16", 0, 0, "a16 b16", raw_saxpy },
  { "launch_jit16", 0, 0, "a16 b16", by_saxpy(jit_saxpy) },
}

local function list_flat_rows(n)
  return {
    { "sqdiff_%s_f32_1e8", 8 * n, 4 * n, "x y", CLOSURES.sqdiff },
    { "kernel_sqdiff_f32_1e8", 8 * n, 4 * n, "x y", function(x, y) return sqdiff(x, y) end },
    { "kernel_reverse_f32_1e8", 4 * n, 4 * n, "x", function(x) return reverse(x, { size = n }) end },
    { "trig_%s_f32_1e8", 12 * n, 4 * n, "x y z", CLOSURES.trig },
    { "var_%s_f32_1e8", 4 * n, 0, "x", CLOSURES.var },
    { "l2norm_%s_f32_1e8", 4 * n, 0, "x", CLOSURES.l2norm },
    { "kernel_l2norm_f32_1e8", 4 * n, 0, "x", function(x) return l2norm(x) end },
    { "dot_%s_f32_1e8", 8 * n, 0, "x y", CLOSURES.dot },
    { "kernel_dot_f32_1e8", 8 * n, 0, "x y", function(x, y) return dot(x, y) end },
    { "kernel_cumsum_f32_1e8", 4 * n, 4 * n, "x", function(x) return cumsum(x) end },
    { "saxpy_%s_f32_1e8", 8 * n, 4 * n, "x y", CLOSURES.saxpy },
    { "raw_saxpy_f32_1e8", 8 * n, 4 * n, "x y", raw_saxpy },
    { "jit_saxpy_f32_1e8", 8 * n, 4 * n, "x y", by_saxpy(jit_saxpy) },
  }
end

local function list_axis_rows(s)
  local size = 4 * s * s
  return {
    { "kernel_cumsum_axis0_10000", size, size, "m10", function(m) return cumsum(m, { axis = 1 }) end },
    { "kernel_cumsum_axis1_10000", size, size, "m10", function(m) return cumsum(m, { axis = 2 }) end },
    { "softmax_%s_axis1_10000", size, size, "m10", CLOSURES.softmax },
    { "layernorm_%s_axis1_10000", size + 8 * s, size, "m10 gain bias", CLOSURES.layernorm },
    { "var_%s_axis1_10000", size, 4 * s, "m10", CLOSURES.var_rows },
  }
end

local function list_shared_rows(small, k)
  return {
    { "sum_f32_1e7", 4 * small, 0, "x7", function(x) return x:sum() end },
    { "raw_sum_shared_f32_1e7", 4 * small, 0, "x7 total", function(x, total)
      total:fill(0)
      sum_shared(math.ceil(small / 4096), 256, { x, total, small })
    end },
    { "raw_matmul_tiled_512", 0, 0, "ma mb mc", function(a, b, c)
      matmul({ k / 16, k / 16 }, { 16, 16 }, { a, b, c, k })
    end },
  }
end

--- Appends rows to a list; a name with %s stands for two, the closure without and with cn.fuse.
local function append(rows, more)
  for _, row in ipairs(more) do
    local name, read_bytes, written_bytes, inputs, fn = unpack(row)
    local is_pair = name:find("%s", 1, true)
    rows[#rows + 1] = { name:format("unfused"), read_bytes, written_bytes, inputs, fn }
    if is_pair then rows[#rows + 1] = { name:format("fused"), read_bytes, written_bytes, inputs, cn.fuse(fn) } end
  end
end

return function(spread, length, side)
  local rows = {}
  append(rows, list_flat_rows(length(1e8)))
  append(rows, list_axis_rows(side(10000)))
  append(rows, list_shared_rows(length(1e7), tiles_side(side)))
  return list_makers(spread, length, side), LAUNCHES, rows
end
