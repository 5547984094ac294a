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

local function up(x) return floor(x * 256 + 0.5) / 256 end
local function down(x) return math.ceil(x * 256 - 0.5) / 256 end

--- The weight of a corner. The guide has a product; an H100 divides 1 along the third axis, each part along the first
--- one, and these along the second one, and rounds to multiples of 1/256.
local function weight_of_corner(corner)
  local x, y, z = corner[1], corner[2], corner[3]
  if not y then return x.weight end
  local whole = z and z.weight or 1
  local far = up(whole * x.last)
  local part, round = whole - far, down
  if x.is_last then part, round = far, up end
  local rest = round(part * y.last)
  return y.is_last and rest or part - rest
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
      taps[axis] = {{at = index_of(floor(x), n, mode), weight = 1, last = 0}} -- not filtered
    end
  end
  local sum = 0
  local function visit(axis, corner, places, is_border)
    if axis > #lengths then
      sum = sum + weight_of_corner(corner) * (is_border and (options.border or 0) or texel(unpack(places, 1, #lengths)))
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
