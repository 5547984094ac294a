-- Integrals by the trapezoid rule: of a curve and of a surface, with more and more samples.
--
--   make run SCRIPT=examples/integrals.lua
--   build/cuna examples/integrals.lua 500          -- samples of the finest curve, and of each side of the surface
local cn = require "cuna"

local finest = tonumber(arg and arg[1] or 4000)
if not finest or finest < 8 or finest % 1 ~= 0 then
  error("usage: build/cuna examples/integrals.lua [samples, at least 8]", 0)
end

-- The results of adaptive quadrature for both.
local CURVE, SURFACE = 1.31791168857095, 1.85740791828286

--- The integral of sin(x^2 + cos x) over [0, pi].
local function curve(n)
  local x = cn.linspace(0, cn.pi, n)
  return cn.trapezoid(cn.sin(x ^ 2 + cn.cos(x)), x):item()
end

--- The integral of sin(x^2 + cos y) over [0, pi] x [0, pi]: x runs along rows, y down columns, and broadcasting makes
--- the square of samples.
local function surface(n)
  local x = cn.linspace(0, cn.pi, n)
  local y = x[{{}, cn.newaxis}]
  return cn.trapz2d(cn.sin(x ^ 2 + cn.cos(y)), x, x):item()
end

--- The integral with more and more samples, and how the error shrinks: to a quarter with each doubling.
local function refine(title, integrate, exact)
  print(title)
  local n, before = math.max(math.floor(finest / 8), 2), nil
  while n <= finest do
    local value = integrate(n)
    local problem = math.abs(value - exact)
    print(("  %6d samples: %.10f, off by %.1e%s"):format(n, value, problem,
      before and (", %.2f times less"):format(before / problem) or ""))
    n, before = 2 * n, problem
  end
  return before
end

print(("on %s\n"):format(cn.device().name))
local off = refine("sin(x^2 + cos x) from 0 to pi", curve, CURVE)
local off2 = refine("\nsin(x^2 + cos y) over a square of side pi", surface, SURFACE)
local bound = 40 / finest ^ 2
if off > bound or off2 > bound then error("the integrals are off by more than the rule allows", 0) end
