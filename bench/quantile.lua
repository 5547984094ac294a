-- Workloads of order statistics and of sets, as subjects.lua describes. Their twins are in quantile_peers.py.
local cn = require "cuna"

return function(_, length)
  local n, rows = length(1e7), length(1e5)
  local half = math.floor(n / 2)

  --- Numbers in no order, most of them different.
  local function scattered(count, dtype) return (cn.arange(count) * 2654435761 % 2 ^ 32):astype(dtype) end

  local makers = {
    qx = function() return scattered(n, "float32") end,
    qrows = function() return scattered(rows * 100, "float32"):reshape(rows, 100) end,
    qlong = function() return scattered(rows * 100, "float32"):reshape(rows / 10, 1000) end,
    qnumbers = function() return scattered(n, "int64") % 100000 end,
    qmembers = function() return scattered(10000, "int64") % 100000 end,
    qfew = function() return scattered(10000, "float32") end,
    qhalf = function() return scattered(half, "float32") end,
    qother = function() return scattered(n, "float32")[{ { half + 1, n } }]:copy() end,
  }

  return makers, {
    { "median_f32_1e7", 4 * n, 0, "qx", function(x) return cn.median(x) end },
    { "median_rows_f32_1e5x100", 400 * rows, 4 * rows, "qrows", function(x) return cn.median(x, 2) end },
    { "percentile5_f32_1e7", 4 * n, 0, "qx", function(x) return cn.percentile(x, { 5, 25, 50, 75, 95 }) end },
    { "nanmedian_f32_1e7", 4 * n, 0, "qx", function(x) return cn.nanmedian(x) end },
    { "partition_f32_1e7", 4 * n, 4 * n, "qx", function(x) return cn.partition(x, half) end },
    { "argpartition_f32_1e7", 4 * n, 8 * n, "qx", function(x) return cn.argpartition(x, half) end },
    { "topk100_f32_1e7", 4 * n, 0, "qx", function(x) return cn.topk(x, 100) end },
    { "topk10_rows_f32_1e4x1000", 400 * rows, 1.2 * rows, "qlong", function(x) return cn.topk(x, 10) end },
    { "isin_f32_1e7_1e4", 4 * n, n, "qx qfew", function(x, members) return cn.isin(x, members) end },
    { "isin_i64_1e7_1e4", 8 * n, n, "qnumbers qmembers", function(x, members) return cn.isin(x, members) end },
    { "union1d_f32_2x5e6", 4 * n, 4 * n, "qhalf qother", function(a, b) return cn.union1d(a, b) end },
    { "intersect1d_f32_2x5e6", 4 * n, 0, "qhalf qother", function(a, b) return cn.intersect1d(a, b) end },
  }
end
