-- Workloads of sums along axes, differences, integrals, convolution and interpolation, as subjects.lua describes. Their
-- twins are in sums_peers.py.
local cn = require "cuna"

return function(spread, length)
  local n, long, rows = length(1e7), length(1e6), length(1e4)

  local makers = {
    line = function() return spread(n) end,
    doubles = function() return spread(n, "float64") end,
    field = function() return spread { rows, 1000 } end,
    plane = function() return spread { rows, rows } end,
    vectors = function() return spread { long, 3 } end,
    others = function() return spread { long, 3 } end,
    series = function() return spread(long) end,
    whole = function() return (spread(long) * 100):astype("int64") end,
    filter = function() return spread(64) end,
    long_filter = function() return spread(1001) end,
    taps = function() return (spread(64) * 100):astype("int64") end,
    points = function() return cn.arange(1000) ^ 1.1 end,
    values = function() return spread(1000, "float64") end,
    inside = function() return cn.arange(n) * (1990 / n) end,
    about = function() return cn.arange(n) * 7919 % n * (1990 / n) end,
    first = function() return spread(rows) end,
    thousand = function() return spread(1000) end,
    places = function() return cn.arange(n / 100, { dtype = "int64" }) * 100 + 1 end,
    far_places = function() return cn.arange(100, { dtype = "int64" }) * (n / 100) + 1 end,
    times = function() return cn.arange(n) * 0.5 end,
  }

  return makers, {
    { "cumsum_f32_1e7", 4 * n, 4 * n, "line", cn.cumsum },
    { "cumsum_f64_1e7", 8 * n, 8 * n, "doubles", cn.cumsum },
    { "cumsum_axis0_f32_1e4x1000", 4000 * rows, 4000 * rows, "field", function(m) return m:cumsum(1) end },
    { "cumsum_axis1_f32_1e4x1000", 4000 * rows, 4000 * rows, "field", function(m) return m:cumsum(2) end },
    { "cummax_f32_1e7", 4 * n, 4 * n, "line", cn.cummax },
    { "diff_f32_1e7", 4 * n, 4 * n, "line", cn.diff },
    { "diff2_f32_1e7", 4 * n, 4 * n, "line", function(x) return cn.diff(x, 2) end },
    { "gradient_f32_1e7", 4 * n, 4 * n, "line", cn.gradient },
    { "gradient_f32_1e4x1000", 4000 * rows, 8000 * rows, "field", cn.gradient },
    { "cross_f32_1e6x3", 24 * long, 12 * long, "vectors others", cn.cross },
    { "trapezoid_f64_1e7", 16 * n, 0, "doubles times", cn.trapezoid },
    { "convolve_f32_1e6x64", 4 * long, 4 * long, "series filter", cn.convolve },
    { "convolve_f32_1e6x1001", 4 * long, 4 * long, "series long_filter", cn.convolve },
    { "windows_mean_f32_1e6x32", 4 * long, 4 * long, "series",
      function(x) return cn.sliding_window_view(x, 32):mean(2) end },
    { "convolve_i64_1e6x64", 8 * long, 8 * long, "whole taps", cn.convolve },
    { "interp_order_f64_1e7", 8 * n, 8 * n, "inside points values", cn.interp },
    { "interp_jumps_f64_1e7", 8 * n, 8 * n, "about points values", cn.interp },
    { "subtract_reduce_f32_1e4x1000", 4000 * rows, 0, "field", cn.subtract_reduce },
    { "subtract_accumulate_f32_1e4x1000", 4000 * rows, 4000 * rows, "field", cn.subtract_accumulate },
    { "add_reduceat_f32_1e7_1e5", 4 * n, 0.04 * n, "line places", cn.add_reduceat },
    { "add_reduceat_f32_1e7_100", 4 * n, 0, "line far_places", cn.add_reduceat },
    { "var_axis0_f32_1e4x1e4", 4 * rows ^ 2, 4 * rows, "plane", function(m) return m:var(1) end },
    { "var_axis1_f32_1e4x1e4", 4 * rows ^ 2, 4 * rows, "plane", function(m) return m:var(2) end },
    { "nanstd_f32_1e4x1e4", 4 * rows ^ 2, 0, "plane", cn.nanstd },
    { "multiply_outer_f32_1e4x1000", 0, 4000 * rows, "first thousand", cn.multiply_outer },
  }
end
