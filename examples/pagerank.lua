-- PageRank of a graph whose links follow a power law, as those of the web do: few pages have many of them. A page's
-- rank is the share of time that a reader spends there who follows links at random, and now and then jumps anywhere.
--
--   build/cuna examples/pagerank.lua [pages]       -- default 20000
local cn = require "cuna"
local sp = cn.sparse

local pages = tonumber(arg[1] or 20000)
if not pages or pages < 10 or pages % 1 ~= 0 then
  error("usage: build/cuna examples/pagerank.lua [pages, from 10]", 0)
end
local LINKS, JUMP = 8, 0.15

-- The share of links that lead to page p falls as p^(-2/3): so do cubes of uniform numbers.
local rng = cn.random.default_rng(1998)
local from = rng:integers(1, pages + 1, {size = {LINKS * pages}})
local to = cn.floor(rng:random(LINKS * pages) ^ 3 * pages):astype "int64" + 1
local graph = sp.coo_matrix({data = cn.ones(from.size), row = to, col = from}, {pages, pages}):tocsr()

-- Columns sum to 1; pages without links, whose columns are empty, lead everywhere.
local out = cn.ravel(graph:sum(1))
local is_end = out:eq(0)
local step = graph:dot(sp.diags(1 / cn.maximum(out, 1)):tocsr())

-- One step of the reader, as an operator: links, jumps of those at an end.
local function follow(rank) return step:dot(rank) + (rank * is_end):sum() / pages end

-- (1 - (1 - JUMP) P) rank = JUMP / pages, by a solver and by steps.
local system = sp.linalg.LinearOperator({pages, pages}, function(rank) return rank - (1 - JUMP) * follow(rank) end,
  {dtype = "float64"})
local rank, info = sp.linalg.gmres(system, cn.full({pages}, JUMP / pages), {rtol = 1e-10})
assert(info == 0, "no solution")

local walked = cn.full({pages}, 1 / pages)
local steps = 0
repeat
  local before = walked
  walked, steps = (1 - JUMP) * follow(walked) + JUMP / pages, steps + 1
until cn.abs(walked - before):sum():item() < 1e-10

print(("%d pages, %d links, %d ends: gmres and %d steps differ by %.0e"):format(pages, graph.nnz,
  is_end:sum():item(), steps, cn.abs(rank - walked):sum():item()))
print(("sum of the ranks %.6f; the first hundredth of the pages has %.1f %%"):format(rank:sum():item(),
  100 * rank[{{1, math.ceil(pages / 100)}}]:sum():item()))
local best = cn.argsort(-rank)["1:5"]
local links = cn.ravel(graph:sum(2))
for place, page in ipairs(best:totable()) do
  print(("  %d: page %5d, rank %.5f, %4d links to it"):format(place, tonumber(page), rank[page], links[page]))
end
