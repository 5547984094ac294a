-- Workloads of index arrays and masks, as subjects.lua describes. Their twins are in gather_peers.py. A gathered or
-- scattered element counts with its own size, although more bytes are transferred.
local cn = require "cuna"

local STEP = 7919 -- a prime: scattered positions without repeats, unless the length is a multiple of it

return function(spread, length)
  local n, rows = length(1e7), length(1e6)

  local function scattered(count) return cn.arange(count) * STEP % count + 1 end

  local makers = {
    gx = function() return spread(n) end,
    gm = function() return spread { rows, 100 } end,
    order = function() return cn.arange(n) + 1 end,
    jumps = function() return scattered(n) end,
    row_jumps = function() return scattered(rows) end,
    row_columns = function() return scattered(rows) % 100 + 1 end,
    columns = function() return cn.arange(rows * 10):reshape { rows / 10, 100 } * STEP % 100 + 1 end,
    gl = function() return spread { rows / 10, 100 } end,
    third = function() return (cn.arange(n) % 3):eq(0) end,
    few = function() return scattered(n) % 1000 + 1 end,
    fewest = function() return scattered(n) % 10 + 1 end,
    bins = function() return cn.zeros(1000, "float32") end,
    bins_f16 = function() return cn.zeros(1000, "float16") end,
    bins_f64 = function() return cn.zeros(1000, "float64") end,
    four = function() return cn.array { 1, 3, 5, 7 } end,
  }

  return makers, {
    { "launch_take4", 0, 0, "gx four", function(x, i) return x[i] end },
    { "take_order_f32_1e7", 12 * n, 4 * n, "gx order", function(x, i) return x[i] end },
    { "take_jumps_f32_1e7", 12 * n, 4 * n, "gx jumps", function(x, i) return x[i] end },
    { "take_rows_f32_1e6x100", 408 * rows, 400 * rows, "gm row_jumps", function(m, i) return m[i] end },
    { "take_pairs_f32_1e6", 20 * rows, 4 * rows, "gm row_jumps row_columns", function(m, i, j) return m[{ i, j }] end },
    { "take_along_f32_1e5x100", 120 * rows, 40 * rows, "gl columns",
      function(m, j) return cn.take_along_axis(m, j, 2) end },
    { "put_pairs_f32_1e6", 16 * rows, 4 * rows, "gm row_jumps row_columns", function(m, i, j) m[{ i, j }] = 1 end },
    { "put_rows_f32_1e6x100", 408 * rows, 400 * rows, "gm row_jumps", function(m, i) m[i] = m end },
    { "mask_select_f32_1e7", 5 * n, 4 * n / 3, "gx third", function(x, m) return x[m] end },
    { "mask_fill_f32_1e7", 5 * n, 4 * n, "gx third", function(x, m) x[m] = 0 end },
    { "nonzero_1e7", n, 8 * n / 3, "third", function(m) return cn.flatnonzero(m) end },
    { "put_jumps_f32_1e7", 12 * n, 4 * n, "gx jumps", function(x, i) x[i] = x end },
    { "add_at_f32_1e7", 8 * n, 0, "bins few", function(b, i) b:add_at(i, 1) end },
    { "add_at_f16_1e7", 8 * n, 0, "bins_f16 few", function(b, i) b:add_at(i, 1) end },
    { "add_at_f64_1e7", 8 * n, 0, "bins_f64 few", function(b, i) b:add_at(i, 1) end },
    { "add_at10_f32_1e7", 8 * n, 0, "bins fewest", function(b, i) b:add_at(i, 1) end },
    { "add_at10_f16_1e7", 8 * n, 0, "bins_f16 fewest", function(b, i) b:add_at(i, 1) end },
    { "add_at_wide_f32_1e7", 16 * n, 4 * n, "gx jumps", function(x, i) x:add_at(i, 1) end },
  }
end
