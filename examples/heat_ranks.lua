-- The heat equation on a plate, whose rows are divided among ranks. Each step computes a rank's rows, with an edge of
-- its neighbours' on either side. The figures have the same bits for every number of ranks: an element is computed from
-- the same values in the same order.
--
--   build/cuna examples/heat_ranks.lua
--   build/cuna -n 4 examples/heat_ranks.lua 500     -- 4 ranks; steps
local cn = require "cuna"

local steps = tonumber(arg[1] or 200)
if not steps or steps < 1 or steps % 1 ~= 0 then
  error("usage: build/cuna [-n ranks] examples/heat_ranks.lua [steps]", 0)
end
local ROWS, COLUMNS, RATE = 96, 128, 0.2

local comm = cn.distributed.init()

-- A hot square on a cold plate, whose border stays cold.
local start = cn.zeros {ROWS, COLUMNS}
start["33:64, 49:80"] = 100
local plate = cn.distributed.array(start, {axis = 1})

--- A step of time: every element goes towards the mean of its four neighbours.
local flow = cn.fuse(function(here, above, below, left, right)
  return here + RATE * (above + below + left + right - 4 * here)
end)

local function step(u)
  local wide = cn.pad(u:halo(), {{0, 0}, {1, 1}})
  local here = wide["2:-2, 2:-2"]
  return cn.distributed.from_block(flow(here, wide["1:-3, 2:-2"], wide["3:-1, 2:-2"], wide["2:-2, 1:-3"],
    wide["2:-2, 3:-1"]), {axis = 1})
end

for i = 1, steps do
  plate = step(plate)
  if i % math.ceil(steps / 4) == 0 or i == steps then
    local hottest, warm = plate:max():item(), cn.greater(plate, 1):sum():item()
    if comm.rank == 0 then print(("step %4d: hottest %.12f, %5d elements above 1"):format(i, hottest, warm)) end
  end
end
comm:log(("rows %d to %d on %s"):format(plate.range[1], plate.range[2], comm.device.name))
