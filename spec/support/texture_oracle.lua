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

--- The weight of a corner of a square. The guide has the product; an H100 rounds that of the last corner to a weight, and
--- the other three make up for it.
local function square_weight(x, y)
  local product = x.last * y.last
  local correction = floor(product * 256 + 0.5) / 256 - product
  return x.weight * y.weight + (x.is_last == y.is_last and correction or -correction)
end

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
      taps[axis] = {{at = index_of(i, n, mode), weight = 1 - weight, last = weight},
        {at = index_of(i + 1, n, mode), weight = weight, last = weight, is_last = true}}
    else
      taps[axis] = {{at = index_of(floor(x), n, mode), weight = 1, last = 0}}
    end
  end
  local sum = 0
  local function visit(axis, corner, places, is_border)
    if axis > #lengths then
      local weight = #lengths > 1 and square_weight(corner[1], corner[2]) or corner[1].weight
      if #lengths > 2 then weight = weight * corner[3].weight end
      sum = sum + weight * (is_border and (options.border or 0) or texel(unpack(places, 1, #lengths)))
      return
    end
    for _, tap in ipairs(taps[axis]) do
      corner[axis], places[axis] = tap, tap.at or -1
      visit(axis + 1, corner, places, is_border or tap.at == nil)
    end
  end
  visit(1, {}, {}, false)
  return sum
end

return M
