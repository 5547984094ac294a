-- Counts the coins in a gray picture: blur, threshold, fill, separate, label, measure; draws their edges into a copy.
-- Without a picture it makes one: disks of known places and sizes, with noise, shade and scratches.
--
--   build/cuna examples/coins.lua
--   build/cuna examples/coins.lua coins.png counted.png     -- PNG, JPEG or PGM; the second one is written
local cn = require "cuna"
local nd = cn.ndimage

local source, target = arg[1] ~= "" and arg[1], arg[2]

-- ---- pictures ----

--- A picture's brightness, from 0 to 1.
local function read_gray(path)
  local picture = cn.imread(path)
  local full = picture.dtype == "uint16" and 65535 or 255
  if picture.ndim == 3 then picture = picture[{{}, {}, {1, math.min(3, picture.shape[3])}}]:mean(3) end
  return picture:astype "float32" / full
end

local COINS = { -- row, column, radius
  {60, 70, 32}, {70, 180, 24}, {64, 300, 40}, {90, 420, 28}, {175, 90, 40}, {190, 215, 32}, {180, 330, 24},
  {215, 440, 40}, {290, 60, 24}, {300, 165, 36}, {295, 275, 28}, {320, 380, 32},
}

--- A picture of coins on a table.
local function scene()
  local rows, columns = cn.range(1, 380):reshape(380, 1):astype "float32", cn.range(1, 520):astype "float32"
  local picture = rows * 0.0004 + columns * 0.0002 + 0.15 -- shade
  for _, coin in ipairs(COINS) do
    local distance = ((rows - coin[1]) ^ 2 + (columns - coin[2]) ^ 2):sqrt()
    local face = 0.6 + 0.1 * (distance * 0.7):cos() -- rings
    picture = cn.where(distance:le(coin[3]), face, picture)
  end
  local noise = cn.random.default_rng(7)
  return picture + noise:standard_normal({380, 520}, {dtype = "float32"}) * 0.12
end

local picture = source and read_gray(source) or scene()

-- ---- coins ----

local smooth = nd.gaussian_filter(nd.median_filter(picture, 5), 1.5)

--- Otsu's threshold: the level that divides the elements into two classes with the greatest variance between them.
local function otsu(x)
  local counts, edges = cn.histogram(x, 256)
  local middles = (edges["1:-2"] + edges["2:"]) / 2
  local below, total = counts:cumsum(), counts:sum()
  local weight = (counts * middles):cumsum()
  local between = (weight * total - weight[-1] * below) ^ 2 / (below * (total - below)):maximum(1)
  return middles[between:argmax():item()]
end

local mask = nd.binary_fill_holes(smooth:gt(otsu(smooth)))
mask = nd.binary_opening(mask, {structure = nd.iterate_structure(nd.generate_binary_structure(2, 1), 3)})

-- Coins that touch are one object, but each has a middle far from the background.
local depth = nd.distance_transform_edt(mask)
local cores, count = nd.label(depth:gt(depth:max() * 0.35))

print(("%d coins in a picture of %d x %d"):format(count, picture.shape[2], picture.shape[1]))
local labels = cn.range(1, count)
local centres = nd.center_of_mass(cores:ne(0), cores, labels):totable()
local radii = nd.maximum(depth, cores, labels):totable()
for k, centre in ipairs(centres) do
  print(("  coin %2d: row %5.1f, column %5.1f, radius %4.1f"):format(k, centre[1], centre[2], radii[k]))
end

-- ---- edges ----

if target then
  local found = nd.binary_propagation(cores:gt(0), {mask = mask}) -- only coins have cores
  local edges = nd.generic_gradient_magnitude(found:astype "float32", nd.sobel):gt(0)
  cn.imsave(target, cn.where(edges, 1, picture * 0.7))
  print("the picture with edges is " .. target)
end
