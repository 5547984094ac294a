-- Products of matrices that are divided among ranks: by rows, by the contraction, and over a mesh of ranks in two
-- directions. The numbers are whole, so every way gives the same for every number of ranks.
--
--   build/cuna examples/distributed_matmul.lua
--   build/cuna -n 4 examples/distributed_matmul.lua 2048    -- 4 ranks; side
local cn = require "cuna"

local side = tonumber(arg[1] or 256)
if not side or side < 1 or side % 1 ~= 0 then
  error("usage: build/cuna [-n ranks] examples/distributed_matmul.lua [side]", 0)
end

local comm = cn.distributed.init()

--- The most square mesh of all ranks.
local function mesh_of(size)
  local down = math.floor(math.sqrt(size))
  while size % down > 0 do down = down - 1 end
  return comm:mesh {x = down, y = size / down}
end

local rng = cn.distributed.default_rng(7) -- the same numbers for every number of ranks
local function draw(layout) return rng:integers(-4, 5, {side, side}, {layout = layout}):astype "float64" end

local function report(way, product)
  local sum, size = product:sum():item(), product:abs():max():item()
  if comm.rank == 0 then print(("%-46s sum %d, greatest %d"):format(way, sum, size)) end
end

local A, B = draw {axis = 1}, draw {axis = 1}
report("rows by rows: one all_gather of the second", A:matmul(B))
report("columns by rows: one reduce_scatter", A:reshard({axis = 2}):matmul(B, {layout = {axis = 1}}))

local mesh = mesh_of(comm.size)
local over = {x = 1, y = 2, mesh = mesh}
local P = cn.distributed.array(A:reshard {}, over):matmul(cn.distributed.array(B:reshard {}, over))
report("blocks over a mesh: SUMMA's broadcasts", P)
comm:log(("%s, a block of %s"):format(tostring(mesh), tostring(P.block.shape)))
