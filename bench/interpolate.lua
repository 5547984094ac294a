-- Workloads of interpolation, as subjects.lua describes. Their twins are in interpolate_peers.py. Objects are made
-- once, but for rows whose names say `make`.
local cn = require "cuna"

return function(spread, length)
  local n, knots, side, points = length(1e6), 1000, 256, 2000

  local function once(make)
    local made
    return function(...)
      made = made or make(...)
      return made
    end
  end

  local makers = {
    asked = function() return spread { n }:astype "float64" * 1e3 % 1 * (knots - 1) end,
    asked_2d = function() return spread { n, 2 }:astype "float64" * 1e3 % 1 * (side - 1) end,
    at_knots = function() return cn.arange(knots) * 1.0 end,
    of_knots = function() return cn.sin(cn.arange(knots) * 0.05) end,
    at_side = function() return cn.arange(side) * 1.0 end,
    of_side = function()
      return cn.sin(cn.arange(side) * 0.05):reshape(-1, 1) * cn.cos(cn.arange(side) * 0.07)
    end,
    sites = function() return spread { points, 2 }:astype "float64" * 1e3 % 1 end,
    of_sites = function() return cn.sin(cn.arange(points) * 0.3) end,
    asked_few = function() return spread { length(1e5), 2 }:astype "float64" * 1e5 % 1 end,
  }

  local I = cn.interpolate
  local cubic, pchip, line = once(I.CubicSpline), once(I.PchipInterpolator), once(I.interp1d)
  local spline = once(I.make_interp_spline)
  local function grid(method)
    return once(function(x, y) return I.RegularGridInterpolator({ x, x }, y, { method = method }) end)
  end
  local linear, splines = grid "linear", grid "cubic"
  local radial = once(I.RBFInterpolator)
  local near = once(function(x, y) return I.RBFInterpolator(x, y, { neighbors = 16 }) end)
  local line_inputs, grid_inputs = "at_knots of_knots asked", "at_side of_side asked_2d"
  local few = 16 * length(1e5)

  return makers, {
    { "interpolate_interp1d_1e6", 8 * n, 8 * n, line_inputs, function(x, y, at) return line(x, y)(at) end },
    { "interpolate_cubic_1e6", 8 * n, 8 * n, line_inputs, function(x, y, at) return cubic(x, y)(at) end },
    { "interpolate_pchip_1e6", 8 * n, 8 * n, line_inputs, function(x, y, at) return pchip(x, y)(at) end },
    { "interpolate_bspline_1e6", 8 * n, 8 * n, line_inputs, function(x, y, at) return spline(x, y)(at) end },
    { "interpolate_grid_linear_1e6", 16 * n, 8 * n, grid_inputs, function(x, y, at) return linear(x, y)(at) end },
    { "interpolate_grid_cubic_1e6", 16 * n, 8 * n, grid_inputs, function(x, y, at) return splines(x, y)(at) end },
    { "interpolate_rbf_make_2000", 24 * points, 8 * points, "sites of_sites",
      function(x, y) return I.RBFInterpolator(x, y)(x) end },
    { "interpolate_rbf_1e5_2000", few, few / 2, "sites of_sites asked_few",
      function(x, y, at) return radial(x, y)(at) end },
    { "interpolate_rbf_near16_1e5", few, few / 2, "sites of_sites asked_few",
      function(x, y, at) return near(x, y)(at) end },
  }
end
