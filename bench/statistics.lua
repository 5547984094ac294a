-- Workloads of searches and counts, as subjects.lua describes. Their twins are in statistics_peers.py.
local cn = require "cuna"

local STEP, ROUND = 7919, 104729 -- primes: values that jump about

return function(_, length)
  local n, count = length(1e7), 1000

  local function scattered(dtype) return (cn.arange(n) * STEP % ROUND / ROUND):astype(dtype) end

  local makers = {
    scattered = function() return scattered "float32" end,
    sw = function() return scattered "float64" end,
    sorted = function() return ((cn.arange(count) / count) ^ 2):astype "float32" end,
    sorted_long = function() return (cn.arange(1e6) / 1e6):astype "float32" end,
    slots = function() return cn.arange(n) * STEP % count + 1 end,
    few_slots = function() return cn.arange(n) * STEP % 16 + 1 end,
    many_slots = function() return cn.arange(n) * STEP % 1e6 + 1 end,
    one_slot = function() return (cn.arange(n / 10) % 100):eq(0):astype "int64" + 1 end, -- of nearly all
    uneven_slots = function() return cn.arange(n) * STEP % 1e6 * (cn.arange(n) % 10):eq(0) + 1 end,
  }

  return makers, {
    { "searchsorted_f32_1e7_1e3", 4 * n, 8 * n, "sorted scattered", function(s, x) return cn.searchsorted(s, x) end },
    { "searchsorted_f32_1e7_1e6", 4 * n, 8 * n, "sorted_long scattered",
      function(s, x) return cn.searchsorted(s, x) end },
    { "digitize_f32_1e7_1e3", 4 * n, 8 * n, "sorted scattered", function(s, x) return cn.digitize(x, s) end },
    { "histogram10_f32_1e7", 4 * n, 0, "scattered", function(x) return cn.histogram(x) end },
    { "histogram1000_f32_1e7", 4 * n, 0, "scattered", function(x) return cn.histogram(x, 1000) end },
    { "histogram1e6_f32_1e7", 4 * n, 8e6, "scattered", function(x) return cn.histogram(x, 1e6) end },
    { "histogram_edges_f32_1e7", 4 * n, 0, "sorted scattered", function(s, x) return cn.histogram(x, s) end },
    { "histogram_weights_f32_1e7", 12 * n, 0, "scattered sw",
      function(x, w) return cn.histogram(x, 1000, { weights = w }) end },
    { "bincount16_1e7", 8 * n, 0, "few_slots", function(v) return cn.bincount(v) end },
    { "bincount_1e7", 8 * n, 0, "slots", function(v) return cn.bincount(v) end },
    { "bincount1e6_1e7", 8 * n, 8e6, "many_slots", function(v) return cn.bincount(v) end },
    { "bincount_one_1e6", 0.8 * n, 0, "one_slot", function(v) return cn.bincount(v, { minlength = 16 }) end },
    { "bincount_uneven1e6_1e7", 8 * n, 8e6, "uneven_slots", function(v) return cn.bincount(v) end },
    { "bincount_weights_1e7", 16 * n, 0, "slots sw", function(v, w) return cn.bincount(v, w) end },
  }
end
