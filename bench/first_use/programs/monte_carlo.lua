-- Monte Carlo: pi from points in a square, and the price of an Asian option from paths of a share, with its error.
local cn = require "cuna"

local POINTS, PATHS, DAYS = 200000, 5000, 64
local START, STRIKE, INTEREST, VOLATILITY = 100, 105, 0.03, 0.25
local rng = cn.random.default_rng(17)

local x, y = rng:random(POINTS), rng:random(POINTS)
print(("pi is near %.6f"):format(4 * (x * x + y * y):le(1):mean():item()))

local dt = 1 / DAYS
local noise = rng:standard_normal { PATHS, DAYS }
local growth = (INTEREST - VOLATILITY ^ 2 / 2) * dt + VOLATILITY * math.sqrt(dt) * noise
local paths = START * cn.exp(cn.cumsum(growth, 2))
local payoff = cn.maximum(paths:mean(2) - STRIKE, 0) * math.exp(-INTEREST)
print(("Asian call %.6f, +- %.6f"):format(payoff:mean():item(), payoff:std():item() / math.sqrt(PATHS)))

local last, highest = paths[":, -1"], paths:max(2)
print(("European call %.6f, share in the money %.4f"):format(
  cn.maximum(last - STRIKE, 0):mean():item() * math.exp(-INTEREST), last:gt(STRIKE):mean():item()))
local knocked = cn.where(highest:gt(140), 0, cn.maximum(last - STRIKE, 0))
print(("knocked out at 140: %.6f, of the paths %d"):format(knocked:mean():item() * math.exp(-INTEREST),
  highest:gt(140):sum():item()))
print("ends at", cn.round(cn.percentile(last, { 1, 50, 99 }), 4))
