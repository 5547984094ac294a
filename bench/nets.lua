-- Workloads of networks and of single numbers, as subjects.lua describes: long and short rows, attention, products with
-- a vector, and numbers that the host reads or gives. Their twins are in nets_peers.py.
local cn = require "cuna"

local ROWS = { axis = 2, keepdims = true }
local LAST = { axis = 3, keepdims = true }

local function softmax(m, options)
  local e = cn.exp(m - m:max(options))
  return e / e:sum(options)
end

local function softmax_rows(m) return softmax(m, ROWS) end

local function layernorm(m, gain, bias)
  local d = m - m:mean(ROWS)
  return d / cn.sqrt((d * d):mean(ROWS) + 1e-5) * gain + bias
end

local function scores(q) return cn.matmul(q, q:transpose(1, 3, 2)) end

local function attention(q) return cn.matmul(softmax(scores(q) * 0.125, LAST), q) end

--- A function that computes its result while products may use TensorFloat-32.
local function by_tf32(fn)
  return function(...)
    local before = cn.set_tf32(true)
    local result = cn.evaluate(fn(...))
    cn.set_tf32(before)
    return result
  end
end

return function(spread, length)
  local rows, side = length(16384), length(4096)

  --- Values between -1 and 1, in a dtype.
  local function around(dtype, ...)
    local shape = { ... }
    return function() return (spread(shape) * 2 - 1):astype(dtype) end
  end

  local makers = {
    nt_half = around("float16", rows, side), nt_half_gain = around("float16", side),
    nt_single = around("float32", rows, side), nt_single_gain = around("float32", side),
    nt_1000 = around("float32", 1000, length(1e5)), nt_64 = around("float32", 64, length(1e6)),
    nt_1e5 = around("float32", length(1e5), 1000), nt_64_half = around("float16", 64, length(1e6)),
    nt_heads = around("float32", 32, length(2048), 64), nt_heads_half = around("float16", 32, length(2048), 64),
    nt_few = around("float32", 16), nt_others = around("float32", 16), nt_bytes = around("int8", length(1e7)),
    nt_eights = around("float32", length(1e5), 8, 8),
  }
  local workloads = {
    { "layernorm_f16_16384x4096", 2 * rows * side, 2 * rows * side, "nt_half nt_half_gain nt_half_gain", layernorm },
    { "layernorm_f32_16384x4096", 4 * rows * side, 4 * rows * side, "nt_single nt_single_gain nt_single_gain",
      layernorm },
    { "softmax_f32_1000x1e5", 4000 * length(1e5), 4000 * length(1e5), "nt_1000", softmax_rows },
    { "softmax_f32_64x1e6", 256 * length(1e6), 256 * length(1e6), "nt_64", softmax_rows },
    { "softmax_f16_64x1e6", 128 * length(1e6), 128 * length(1e6), "nt_64_half", softmax_rows },
    { "softmax_f32_1e5x1000", 4000 * length(1e5), 4000 * length(1e5), "nt_1e5", softmax_rows },
    { "attention_scores_f32_32x2048x64", 0, 0, "nt_heads", scores },
    { "attention_scores_f16_32x2048x64", 0, 0, "nt_heads_half", scores },
    { "attention_scores_tf32_32x2048x64", 0, 0, "nt_heads", by_tf32(scores) },
    { "attention_f32_32x2048x64", 0, 0, "nt_heads", attention },
    { "attention_tf32_32x2048x64", 0, 0, "nt_heads", by_tf32(attention) },
    { "attention_f16_32x2048x64", 0, 0, "nt_heads_half", attention },
    { "launch_item", 0, 0, "nt_few", function(x) return x[3] end },
    { "launch_array16", 0, 0, "", function()
      return cn.array({ 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 }, "float32")
    end },
    { "launch_sum_item", 0, 0, "nt_few nt_others", function(x, y) return (x + y):sum():item() end },
    { "launch_matmul16_out", 0, 0, "nt_square16", function(x) cn.matmul(x, x, { out = x }) end },
    { "matmul_f32_1e5x8", 25.6e6, 25.6e6, "nt_eights", function(x) return cn.matmul(x, x) end },
    { "dot_i8_1e7", 1e7, 0, "nt_bytes", function(x) return cn.dot(x, x) end },
  }
  for _, shape in ipairs { { 4096, 4096 }, { 16384, 1024 }, { 1024, 16384 }, { 64, 1e6 }, { 1e6, 64 } } do
    local m, n = length(shape[1]), length(shape[2])
    for dtype, size in pairs { float32 = 4, float16 = 2 } do
      local name = ("%dx%d_%s"):format(shape[1], shape[2], dtype == "float32" and "f32" or "f16")
      makers["nt_m" .. name], makers["nt_v" .. name] = around(dtype, m, n), around(dtype, n)
      workloads[#workloads + 1] = { "gemv_" .. name, size * m * n, size * m, ("nt_m%s nt_v%s"):format(name, name),
        cn.matmul }
    end
  end
  makers.nt_square16 = function() return cn.eye(16, { dtype = "float32" }) end
  table.sort(workloads, function(a, b) return a[1] < b[1] end)
  return makers, workloads
end
