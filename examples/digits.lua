-- Handwritten digits: principal components by the singular value decomposition, then the nearest neighbour's digit.
--
--   make run SCRIPT=examples/digits.lua
--   build/cuna examples/digits.lua 8               -- components to keep, 1 to 64
local cn = require "cuna"

local here = arg[0]:match("^(.*)/[^/]*$") or "."
local kept = tonumber(arg[1] or 16)
if not kept or kept < 1 or kept > 64 or kept % 1 ~= 0 then
  error("usage: build/cuna examples/digits.lua [components, 1 to 64]", 0)
end
local SHADES = " .:-=+*#%@"

--- One image, (64,), as lines of text.
local function draw(image)
  local lines = {}
  for row, pixels in image:reshape(8, 8):iter() do
    local letters = {}
    for column, value in ipairs(pixels:totable()) do
      local shade = math.min(math.floor(value / 17 * #SHADES) + 1, #SHADES)
      letters[column] = SHADES:sub(shade, shade):rep(2)
    end
    lines[row] = table.concat(letters)
  end
  return lines
end

local function print_side_by_side(images)
  local pictures = {}
  for i, image in ipairs(images) do pictures[i] = draw(image) end
  for row = 1, 8 do
    local parts = {}
    for i = 1, #pictures do parts[i] = pictures[i][row] end
    print("  " .. table.concat(parts, "    "))
  end
end

local data = cn.loadtxt(here .. "/data/digits.csv", {delimiter = ","})
local images, digits = data[":, 1:64"], data[":, 65"]:astype "int64"
local count = #images
print(("%d images of 8 x 8 pixels, on %s; the first four are %s:\n"):format(count, images.device.name,
  table.concat(digits["1:4"]:totable(), ", ")))
print_side_by_side {images[1], images[2], images[3], images[4]}

-- Every second image is training data, the others are test data.
local known, asked = images["1::2"], images["2::2"]
local known_digits, asked_digits = digits["1::2"], digits["2::2"]

-- The principal components are the right singular vectors of the centred images.
local mean = known:mean(1)
local _, s, vt = cn.linalg.svd(known - mean, {full_matrices = false})
local share = (s["1:" .. kept] ^ 2):sum() / (s ^ 2):sum()
local components = vt["1:" .. kept]
print(("\n%d of 64 components hold %.1f %% of the variance"):format(kept, 100 * share:item()))

local function project(x) return (x - mean):matmul(components.T) end

--- The position in `near`, (n, k), of the row closest to each row of `far`, (m, k): |a - b|^2 = |a|^2 - 2 ab + |b|^2,
--- where |b|^2 is the same for all.
local function nearest(near, far)
  local distances = (near ^ 2):sum(2) - 2 * far:matmul(near.T)
  return distances:argmin(2)
end

local start = cn.clock()
local found = known_digits[nearest(project(known), project(asked))]
local right = found:eq(asked_digits)
local accuracy = right:mean():item()
print(("%d of %d digits recognised: %.2f %%, in %.1f ms"):format(right:sum():item(), #asked, 100 * accuracy,
  (cn.clock() - start) * 1e3))

local wrong = cn.flatnonzero(right:logical_not())
if wrong.size > 0 then
  local k = wrong[1]
  print(("\nthe first mistake: a %d, taken for a %d"):format(asked_digits[k], found[k]))
  print_side_by_side {asked[k]}
end
if kept >= 16 and accuracy < 0.95 then error("fewer digits were recognised than there should be", 0) end
