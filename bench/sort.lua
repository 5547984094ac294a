-- Workloads of sorting, as subjects.lua describes. Their twins are in sort_peers.py. The bytes of a sort are those of
-- its input and its result, although it transfers more.
local cn = require "cuna"

return function(_, length)
  local n, rows = length(1e7), length(1e6)

  --- Numbers in no order, many of them different.
  local function scattered(count, dtype)
    return function() return (cn.arange(count) * 2654435761 % 2 ^ 32):astype(dtype) end
  end

  local function scattered_rows(count, width)
    return function() return scattered(count * width, "float32")():reshape(count, width) end
  end

  local makers = {
    sf = scattered(n, "float32"), sd = scattered(n, "float64"), si = scattered(n, "int32"), sl = scattered(n, "int64"),
    small = function() return scattered(n, "int64")() % 1000 end,
    tens = scattered_rows(rows, 10), hundreds = scattered_rows(rows / 10, 100),
    thousands = scattered_rows(rows / 100, 1000),
    huge = scattered(10 * n, "float32"),
    bytes = function() return (scattered(n, "int64")() % 256):astype "uint8" end,
    long_rows = scattered_rows(rows / 1000, 10000), longer_rows = scattered_rows(rows / 10000, 100000),
  }

  local function sorted(x) return x:sort() end
  local function ordered(x) return x:argsort() end

  return makers, {
    { "sort_f32_1e7", 4 * n, 4 * n, "sf", sorted },
    { "sort_f32_1e8", 40 * n, 40 * n, "huge", sorted },
    { "sort_f64_1e7", 8 * n, 8 * n, "sd", sorted },
    { "sort_i32_1e7", 4 * n, 4 * n, "si", sorted },
    { "sort_i64_1e7", 8 * n, 8 * n, "sl", sorted },
    { "sort_rows_f32_1e6x10", 40 * rows, 40 * rows, "tens", sorted },
    { "sort_rows_f32_1e5x100", 40 * rows, 40 * rows, "hundreds", sorted },
    { "sort_rows_f32_1e4x1000", 40 * rows, 40 * rows, "thousands", sorted },
    { "sort_rows_f32_1e3x1e4", 40 * rows, 40 * rows, "long_rows", sorted },
    { "sort_rows_f32_100x1e5", 40 * rows, 40 * rows, "longer_rows", sorted },
    { "sort_u8_1e7", n, n, "bytes", sorted },
    { "sort_i64_few_1e7", 8 * n, 8 * n, "small", sorted },
    { "argsort_f32_1e7", 4 * n, 8 * n, "sf", ordered },
    { "argsort_i64_1e7", 8 * n, 8 * n, "sl", ordered },
    { "argsort_rows_f32_1e5x100", 40 * rows, 80 * rows, "hundreds", ordered },
    { "unique_i64_1e7", 8 * n, 0, "small", function(x) return cn.unique(x) end },
  }
end
