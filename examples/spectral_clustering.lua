-- Two half moons, one inside the other's bend, separated by the graph of their points' neighbours: k-means of the
-- points cuts across both, k-means of the first eigenvectors of the graph's Laplacian finds them (Ng, Jordan and Weiss,
-- "On Spectral Clustering", 2001).
--
--   build/cuna examples/spectral_clustering.lua [points]       -- default 1000
local cn = require "cuna"
local sp = cn.sparse

local points = tonumber(arg[1] or 1000)
if not points or points < 100 or points % 2 ~= 0 then
  error("usage: build/cuna examples/spectral_clustering.lua [points, even, from 100]", 0)
end
local NEIGHBOURS, CLUSTERS = 8, 2

-- ---- points ----

local rng = cn.random.default_rng(2001)
local half = points / 2
local turn = cn.linspace(0, math.pi, half)
local x = cn.concatenate {cn.cos(turn), 1 - cn.cos(turn)}
local y = cn.concatenate {cn.sin(turn), 0.5 - cn.sin(turn)}
local moons = cn.stack({x, y}, 2) + rng:normal(0, 0.06, {points, 2})
local truth = cn.repeat_interleave({1, 2}, half)

-- ---- k-means ----

--- Squared distances (rows of a, rows of b).
local function squares(a, b) return ((a ^ 2):sum(2):reshape(-1, 1) - 2 * a:matmul(b.T) + (b ^ 2):sum(2)):maximum(0) end

--- The cluster of each row. The first centre is row 1, each further one the row that is farthest from all before.
local function kmeans(rows)
  local centres = rows["1:1"]
  while #centres < CLUSTERS do
    local farthest = squares(rows, centres):min(2):argmax():item()
    centres = cn.concatenate({centres, rows[{{farthest, farthest}}]}, 1)
  end
  local label
  local before
  repeat
    before, label = label, squares(rows, centres):argmin(2)
    local members = label:reshape(-1, 1):eq(cn.range(1, CLUSTERS)):astype "float64"
    centres = members.T:matmul(rows) / members:sum(1):maximum(1):reshape(-1, 1)
  until before and before:array_equal(label)
  return label
end

--- The share of the points that are in the cluster of their moon, whatever the clusters' numbers.
local function accuracy(label)
  local share = label:eq(truth):mean():item()
  return 100 * math.max(share, 1 - share)
end

-- ---- the graph ----

-- An edge leads from each point to its nearest ones; one way is enough for two points to be neighbours.
local nearest = cn.argsort(squares(moons, moons), 2)[{{}, {2, NEIGHBOURS + 1}}]
local from = cn.repeat_interleave(cn.range(1, points), NEIGHBOURS)
local to = nearest:reshape(-1)
local edges = sp.coo_matrix({data = cn.ones(from.size), row = from, col = to}, {points, points}):tocsr()
local graph = edges:maximum(edges.T)

-- Parts that no edge joins have an eigenvalue 0 each, of which the Lanczos method finds one. A weak link between all
-- points, which an operator adds without storing it, makes them one eigenvalue 0 and others near to it.
local LINK = 1e-4
local degree = cn.ravel(graph:sum(2)) + LINK
local scale = 1 / cn.sqrt(degree)
local function linked(u) return graph:dot(u) + u:sum() * (LINK / points) end

-- The Laplacian is L = I - D^-1/2 W D^-1/2, with the degrees D. The least eigenvalues of L are the greatest of I - L,
-- which are found without factors.
local rest = sp.linalg.LinearOperator({points, points}, function(u) return scale * linked(scale * u) end,
  {dtype = "float64"})
local w, v = sp.linalg.eigsh(rest, CLUSTERS, {which = "LA", tol = 1e-8})
local places = v / cn.sqrt((v ^ 2):sum(2)):reshape(-1, 1) -- on the unit circle

print(("%d points, %d edges; least eigenvalues of the Laplacian %.5f and %.5f"):format(points, graph.nnz / 2,
  math.abs(1 - w[2]), 1 - w[1]))
print(("k-means of the points:       %5.1f %% in their moon"):format(accuracy(kmeans(moons))))
print(("k-means of the eigenvectors: %5.1f %% in their moon"):format(accuracy(kmeans(places))))
