-- k-means: 20000 points around 8 centres in the plane, Lloyd's iteration from the first points until nothing moves.
local cn = require "cuna"

local COUNT, CLUSTERS = 20000, 8
local rng = cn.random.default_rng(11)

local made = rng:uniform(-10, 10, { CLUSTERS, 2 })
local points = made:take(rng:integers(1, CLUSTERS, COUNT, { endpoint = true }), 1) + rng:normal(0, 0.7, { COUNT, 2 })
local centres = points["1:8, :"]:copy()

local function distances_to(where)
  local difference = points[{ {}, cn.newaxis, {} }] - where[{ cn.newaxis, {}, {} }]
  return (difference * difference):sum(3)
end

local function means_of(labels)
  local sizes = cn.maximum(cn.bincount(labels, { minlength = CLUSTERS }), 1)
  local columns = {}
  for axis = 1, 2 do
    columns[axis] = cn.bincount(labels, points[{ {}, axis }], CLUSTERS) / sizes
  end
  return cn.stack(columns, 2)
end

local labels
for step = 1, 30 do
  labels = distances_to(centres):argmin(2)
  local moved = means_of(labels)
  local shift = cn.abs(moved - centres):max():item()
  centres = moved
  if shift < 1e-6 then
    print(("settled after %d steps"):format(step))
    break
  end
end
print("sizes", cn.sort(cn.bincount(labels)))
print(("inertia %.9g"):format(distances_to(centres):min(2):sum():item()))
