-- k-means on handwritten digits, on several ranks: each has a part of the images, all have the same centres. The result
-- is the same for every number of ranks: sums of whole numbers are exact.
--
--   build/cuna examples/kmeans.lua
--   build/cuna -n 4 examples/kmeans.lua 20          -- 4 ranks; rounds
local cn = require "cuna"

local here = arg[0]:match("^(.*)/[^/]*$") or "."
local rounds = tonumber(arg[1] or 15)
if not rounds or rounds < 1 or rounds % 1 ~= 0 then
  error("usage: build/cuna [-n ranks] examples/kmeans.lua [rounds]", 0)
end
local CLUSTERS = 10

local comm = cn.distributed.init()

-- Rank 0 reads the file; each rank gets its share of the rows.
local table_ = comm.rank == 0 and cn.loadtxt(here .. "/data/digits.csv", {delimiter = ","}) or nil
local part = comm:scatter(table_)
local images, digits = part[":, 1:64"]:copy(), part[":, 65"]
local count = comm:all_reduce(#images):item()

--- The position of the nearest centre of each image, where |x - c|^2 = |x|^2 - 2 x c + |c|^2 is least.
local function nearest(centres)
  return ((centres ^ 2):sum(2) - 2 * images:matmul(centres.T)):argmin(2)
end

--- (images, clusters): 1 where an image belongs to a cluster.
local function members(label) return label:reshape(-1, 1):eq(cn.range(1, CLUSTERS)):astype "float64" end

local centres = comm:broadcast(comm.rank == 0 and table_[("1:%d, 1:64"):format(CLUSTERS)]:copy() or nil)
for _ = 1, rounds do
  local one = members(nearest(centres))
  local sums, sizes = unpack(comm:all_reduce {one.T:matmul(images), one:sum(1)})
  centres = sums / sizes:maximum(1):reshape(-1, 1)
end

-- How many images of each digit a cluster has; its digit is the most frequent one.
local label = nearest(centres)
local votes = comm:all_reduce(members(label).T:matmul(digits:reshape(-1, 1):eq(cn.range(0, 9)):astype "float64"))
if comm.rank == 0 then
  print(("%d images in %d clusters, after %d rounds"):format(count, CLUSTERS, rounds))
  for cluster = 1, CLUSTERS do
    print(("  cluster %2d: %3d images, most of them %d"):format(cluster, votes[cluster]:sum():item(),
      votes[cluster]:argmax():item() - 1))
  end
  print(("%d images are in a cluster of their digit"):format(votes:max(2):sum():item()))
end
comm:log(("%d images on %s"):format(#images, comm.device.name))
