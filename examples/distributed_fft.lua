-- A picture is smoothed by its Fourier transform, whose rows are divided among ranks. fft2 transforms the axis that is
-- whole, exchanges blocks so that the other one is, and transforms that; ifft2 goes back in the same way. A row is
-- transformed by one rank, so only the sums in the errors depend on the number of ranks, in their last bits.
--
--   build/cuna examples/distributed_fft.lua
--   build/cuna -n 4 examples/distributed_fft.lua 1024       -- 4 ranks; side
local cn = require "cuna"

local side = tonumber(arg[1] or 256)
if not side or side < 1 or side % 1 ~= 0 then
  error("usage: build/cuna [-n ranks] examples/distributed_fft.lua [side]", 0)
end
local WIDTH = 0.05 -- of the filter, as a part of the highest frequency

local comm = cn.distributed.init()

--- What the filter leaves of each frequency along an axis of the transform.
local function filter() return cn.exp(-(cn.fft.fftfreq(side) / (0.5 * WIDTH)) ^ 2) end

-- A disk with noise. Every rank draws its rows alone, and they are those of one generator.
local at = cn.linspace(-1, 1, side)
local disk = (at:reshape(-1, 1) ^ 2 + at ^ 2):less(0.25):astype "float64"
local noise = cn.distributed.default_rng(3):normal(0, 0.5, {side, side}, {layout = {axis = 1}})
local picture = cn.distributed.array(disk, {axis = 1}) + noise

local spectrum = picture:fft2() -- its columns are divided: {axis = 2}
local columns = cn.distributed.array(filter(), {axis = 1})
local smooth = (spectrum * columns * filter():reshape(-1, 1)):ifft2():real()

local function error_of(A) return (A - cn.distributed.array(disk, A.layout)):norm():item() / side end

local before, after = error_of(picture), error_of(smooth)
if comm.rank == 0 then
  print(("%d x %d: error %.6f before, %.6f after"):format(side, side, before, after))
end
comm:log(("rows %d to %d of the picture, columns %d to %d of its transform"):format(picture.range[1], picture.range[2],
  spectrum.range[1], spectrum.range[2]))
