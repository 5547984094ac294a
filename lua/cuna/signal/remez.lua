--- remez.lua: filters with the least greatest error, by the exchange of extremes of Parks and McClellan (1972).
--
-- A symmetric filter's gain is a polynomial in cos(2 pi f), for some kinds times a fixed factor, which moves to what is
-- desired and to the weights. Between extremes the polynomial is known by Lagrange's formula in its barycentric form.
local check = require "cuna.base.check"

local M = {}

local pi, cos, sin, abs = math.pi, math.cos, math.sin, math.abs

--- The factor of the polynomial for each kind of symmetry, by frequency.
local function factor_of(is_odd, is_negative)
  if not is_negative then return is_odd and function() return 1 end or function(f) return cos(pi * f) end end
  return is_odd and function(f) return sin(2 * pi * f) end or function(f) return sin(pi * f) end
end

--- Frequencies of the bands, what is desired there, and weights.
---@class cuna.RemezGrid
local function grid_of(asked)
  local grid, step = {f = {}, desired = {}, weight = {}}, 0.5 / (asked.density * asked.functions)
  local function add(f, band)
    local slope = asked.kind == "differentiator"
    local desired, weight = asked.desired[band], asked.weight[band]
    grid.f[#grid.f + 1] = f
    grid.weight[#grid.f] = slope and desired >= 0.0001 and weight / f or weight
    grid.desired[#grid.f] = slope and desired * f or desired
  end
  for band = 1, #asked.desired do
    local f, last = asked.bands[2 * band - 1], asked.bands[2 * band]
    if band == 1 and asked.is_negative and f < step then f = step end
    local list = {}
    repeat
      list[#list + 1] = f
      f = f + step
    until f > last
    list[#list] = last
    for _, at in ipairs(list) do add(at, band) end
  end
  if asked.is_negative == asked.is_odd and grid.f[#grid.f] > 0.5 - step then
    for _, list in pairs(grid) do list[#list] = nil end
  end
  for k, f in ipairs(grid.f) do
    local factor = asked.factor(f)
    grid.desired[k], grid.weight[k] = grid.desired[k] / factor, grid.weight[k] * factor
  end
  return grid
end

--- Barycentric weights of points, each without the factor that all share.
local function barycentric(x)
  local weights, stride = {}, math.floor((#x - 2) / 15) + 1
  for i = 1, #x do
    local product = 1
    for first = 1, stride do
      for j = first, #x, stride do
        if j ~= i then product = product * 2 * (x[i] - x[j]) end
      end
    end
    weights[i] = 1 / product
  end
  return weights
end

--- The polynomial of the points that it goes through.
local function polynomial(x, y, weights)
  return function(at)
    local above, below = 0, 0
    for k = 1, #x do
      local away = at - x[k]
      if abs(away) < 1e-15 then return y[k] end
      away = weights[k] / away
      above, below = above + away * y[k], below + away
    end
    return above / below
  end
end

--- The polynomial whose weighted errors at the extremes are equal and alternate; and this error.
local function through(grid, extremes)
  local x = {}
  for k, at in ipairs(extremes) do x[k] = cos(2 * pi * grid.f[at]) end
  local weights, above, below, sign = barycentric(x), 0, 0, 1
  for k, at in ipairs(extremes) do
    above, below = above + weights[k] * grid.desired[at], below + sign * weights[k] / grid.weight[at]
    sign = -sign
  end
  local error_, y = above / below, {}
  sign = 1
  for k, at in ipairs(extremes) do
    y[k] = grid.desired[at] - sign * error_ / grid.weight[at]
    sign = -sign
  end
  return polynomial(x, y, weights), abs(error_)
end

--- Leaves out of alternating extremes those with the least error, at one end, until `count` are left.
local function trim(list, errors, count)
  while #list > count do
    if abs(errors[list[1]]) <= abs(errors[list[#list]]) then table.remove(list, 1) else list[#list] = nil end
  end
  return list
end

--- Places of the grid where errors are greatest and alternate.
local function extremes_of(errors, starts)
  local list = {}
  for k = 1, #errors do
    local e = errors[k]
    local before, after = not starts[k] and errors[k - 1] or nil, not starts[k + 1] and errors[k + 1] or nil
    local is_extreme = e > 0 and (not before or e > before) and (not after or e >= after)
      or e < 0 and (not before or e < before) and (not after or e <= after)
    if is_extreme then
      local last = list[#list]
      if last and (errors[last] > 0) == (e > 0) then
        if abs(e) > abs(errors[last]) then list[#list] = k end
      else
        list[#list + 1] = k
      end
    end
  end
  return list
end

--- The places where bands begin.
local function starts_of(asked, grid)
  local starts, band = {}, 1
  for k, f in ipairs(grid.f) do
    if band <= #asked.desired and f >= asked.bands[2 * band - 1] then starts[k], band = true, band + 1 end
  end
  return starts
end

--- The best polynomial.
local function exchange(asked, grid, name)
  local count, n, extremes = asked.functions + 1, #grid.f, {}
  if n < count then check.fail("%s: bands are too narrow for %d taps", name, asked.numtaps) end
  for k = 1, count do extremes[k] = math.floor((k - 1) * (n - 1) / (count - 1)) + 1 end
  local starts, errors = starts_of(asked, grid), {}
  for _ = 1, asked.maxiter do
    local value, level = through(grid, extremes)
    local most = 0
    for k = 1, n do
      errors[k] = (grid.desired[k] - value(cos(2 * pi * grid.f[k]))) * grid.weight[k]
      most = math.max(most, abs(errors[k]))
    end
    if most ~= most then check.fail("%s: the exchange does not converge; are bands too close?", name) end
    if most - level <= 1e-10 * most then return value end
    local found = trim(extremes_of(errors, starts), errors, count)
    if #found < count then return value end
    local is_same = true
    for k = 1, count do is_same = is_same and found[k] == extremes[k] end
    if is_same then return value end
    extremes = found
  end
  check.fail("%s: the exchange has not converged after %d iterations; give more, or other bands", name, asked.maxiter)
end

--- Taps of a gain, which is sampled at as many frequencies.
local function taps_of(asked, gain)
  local n, taps, samples = asked.numtaps, {}, {}
  local middle = (n - 1) / 2
  for k = 0, math.floor(n / 2) do samples[k] = gain(k / n) end
  for i = 0, n - 1 do
    local x, sum = 2 * pi * (i - middle) / n, 0
    if asked.is_negative then
      for k = 1, math.floor((n - 1) / 2) do sum = sum - 2 * samples[k] * sin(x * k) end
      if n % 2 == 0 then sum = sum - samples[n / 2] * sin(pi * (i - middle)) end
    else
      sum = samples[0]
      for k = 1, math.floor((n - 1) / 2) do sum = sum + 2 * samples[k] * cos(x * k) end
    end
    taps[i + 1] = sum / n
  end
  return taps
end

--- The taps of the best filter. asked has numtaps, bands (0 to 0.5), desired, weight (by band), kind, maxiter, density.
---@return number[]
function M.taps(asked, name)
  asked.is_negative, asked.is_odd = asked.kind ~= "bandpass", asked.numtaps % 2 == 1
  asked.functions = math.floor(asked.numtaps / 2) + (asked.is_odd and not asked.is_negative and 1 or 0)
  asked.factor = factor_of(asked.is_odd, asked.is_negative)
  local value = exchange(asked, grid_of(asked), name)
  return taps_of(asked, function(f) return value(cos(2 * pi * f)) * asked.factor(f) end)
end

return M
