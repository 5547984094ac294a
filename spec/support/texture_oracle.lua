--- What textures return, by the formulas of the CUDA programming guide's appendix on texture fetching.
--
-- Written apart from the emulation: every texel is looked up by a coordinate's own rule, and the sums are the guide's.
local M = {}

local floor = math.floor

local function frac(x) return x - floor(x) end

--- The texel of an axis at an index that may lie outside, from 0; nil is the border.
local function index_of(i, n, mode)
  if mode == "clamp" then return math.min(math.max(i, 0), n - 1) end
  if mode == "border" then return i >= 0 and i < n and i or nil end
  if mode == "wrap" then return floor(n * frac((i + 0.5) / n)) end
  local x = (i + 0.5) / n
  return floor(n * (floor(x) % 2 == 0 and frac(x) or 1 - frac(x)))
end

--- A coordinate in texels.
local function to_texels(x, n, normalized) return normalized and x * n or x end

--- The guide's weight: 9 bits, 8 of them after the point.
local function weight_of(x) return floor(frac(x) * 256 + 0.5) / 256 end

--- One texel or the weighted mean of neighbours: `at` are the coordinates, `lengths` those of the axes;
--- `texel(i, j, k)` counts from 0. Options: linear, normalized, modes (by axis), border.
function M.sample(at, lengths, texel, options)
  local taps = {}
  for axis = 1, #lengths do
    local n, mode = lengths[axis], options.modes[axis]
    if not options.normalized and (mode == "wrap" or mode == "mirror") then mode = "clamp" end
    local x = to_texels(at[axis], n, options.normalized)
    if options.linear then
      local i, weight = floor(x - 0.5), weight_of(x - 0.5)
      taps[axis] = {{index_of(i, n, mode), 1 - weight}, {index_of(i + 1, n, mode), weight}}
    else
      taps[axis] = {{index_of(floor(x), n, mode), 1}}
    end
  end
  local sum = 0
  local function visit(axis, places, weight, is_border)
    if axis > #lengths then
      sum = sum + weight * (is_border and (options.border or 0) or texel(unpack(places, 1, #lengths)))
      return
    end
    for _, tap in ipairs(taps[axis]) do
      places[axis] = tap[1] or -1
      visit(axis + 1, places, weight * tap[2], is_border or tap[1] == nil)
    end
  end
  visit(1, {}, 1, false)
  return sum
end

return M
