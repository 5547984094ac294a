-- Conjugate gradients: a dense positive definite system, and Poisson's equation without a matrix.
local cn = require "cuna"

local rng = cn.random.default_rng(9)

--- Solves A x = b, where apply(v) is A v; x and the number of steps.
local function solve(apply, b, tolerance)
  local x, r = cn.zeros_like(b), b:copy()
  local p, rs = r, (r * r):sum():item()
  local wanted = tolerance ^ 2 * rs
  for step = 1, 1000 do
    local ap = apply(p)
    local alpha = rs / (p * ap):sum():item()
    x, r = x + alpha * p, r - alpha * ap
    local after = (r * r):sum():item()
    if after < wanted then return x, step end
    p, rs = r + (after / rs) * p, after
  end
  error "conjugate gradients: no convergence"
end

local m = rng:standard_normal { 200, 200 }
local a, b = cn.matmul(m, m.T) / 200 + cn.eye(200), rng:standard_normal(200)
local x, steps = solve(function(v) return cn.matmul(a, v) end, b, 1e-10)
print(("dense: %d steps, norm %.9g, as solve %s"):format(steps, cn.linalg.norm(x):item(),
  tostring(cn.allclose(x, cn.linalg.solve(a, b)))))

local function minus_laplace(u)
  local v = 4 * u
  v["2:, :"] = v["2:, :"] - u[":-2, :"]
  v[":-2, :"] = v[":-2, :"] - u["2:, :"]
  v[":, 2:"] = v[":, 2:"] - u[":, :-2"]
  v[":, :-2"] = v[":, :-2"] - u[":, 2:"]
  return v
end
local u, count = solve(minus_laplace, cn.ones { 64, 64 }, 1e-8)
print(("Poisson: %d steps, middle %.8f, mean %.8f"):format(count, u[{ 32, 32 }], u:mean():item()))
