-- The game of life on a torus: a random soup, 200 generations, and what is left of it.
local cn = require "cuna"

local ROWS, COLUMNS, GENERATIONS = 128, 160, 200

local cells = cn.random.default_rng(4):random({ ROWS, COLUMNS }):lt(0.3):astype "int8"

local function neighbours(g)
  local count = cn.zeros_like(g)
  for rows = -1, 1 do
    for columns = -1, 1 do
      if rows ~= 0 or columns ~= 0 then count = count + cn.roll(g, { rows, columns }, { 1, 2 }) end
    end
  end
  return count
end

local population = {}
for k = 1, GENERATIONS do
  local n = neighbours(cells)
  cells = cn.logical_or(n:eq(3), cn.logical_and(cells:eq(1), n:eq(2))):astype "int8"
  population[k] = cells:sum():item()
end
local curve = cn.array(population)
print(("first %d, most %d, last %d, mean %.4f"):format(population[1], curve:max():item(), population[GENERATIONS],
  curve:mean():item()))
print("rows with most cells", cn.argsort(-cells:sum(2):astype "int64", { kind = "stable" })["1:5"])
print(("%d of %d columns are empty"):format(COLUMNS - cn.any(cells, 1):sum():item(), COLUMNS))
