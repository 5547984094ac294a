-- The Poisson equation -(u_xx + u_yy) = f on a square, with u = 0 on its edge, by conjugate gradients. f is chosen so
-- that u is known: sin(pi x) sin(2 pi y).
--
--   build/cuna examples/poisson.lua [points]       -- inner points of a side; default 64
local cn = require "cuna"
local sp = cn.sparse

local side = tonumber(arg[1] or 64)
if not side or side < 2 or side % 1 ~= 0 then error("usage: build/cuna examples/poisson.lua [points, from 2]", 0) end

-- Differences of second order along a line; along x and along y they add up to those of the square.
local h = 1 / (side + 1)
local line = sp.diags({-1, 2, -1}, {-1, 0, 1}, {side, side}) / h ^ 2
local A = sp.kronsum(line, line):tocsr()

local points = cn.range(1, side) * h
local x, y = points:reshape(1, -1), points:reshape(-1, 1)
local known = cn.sin(math.pi * x) * cn.sin(2 * math.pi * y)
-- A second part, which is not an eigenvector of A, gives the solver something to do.
local rough = x * (1 - x) * y * (1 - y) * cn.exp(x * y)
local expected = (known + rough):reshape(-1)
local b = 5 * math.pi ^ 2 * known:reshape(-1) + A:dot(rough:reshape(-1))

local iteration = 0
local u, info = sp.linalg.cg(A, b, {rtol = 1e-8, callback = function(now)
  iteration = iteration + 1
  if iteration % 20 == 0 then
    local residual = cn.linalg.norm(b - A:dot(now)) / cn.linalg.norm(b)
    print(("iteration %4d: residual %.1e"):format(iteration, residual:item()))
  end
end})
assert(info == 0, "no solution")

local off = cn.abs(u - expected):max():item()
print(("%d unknowns, %d elements: solved in %d iterations"):format(A.shape[1], A.nnz, iteration))
print(("greatest error %.1e, which is %.2f h^2"):format(off, off / h ^ 2))
