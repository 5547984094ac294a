-- The heat equation on a square plate by 300 explicit steps on slices: one hot edge, one hot spot.
local cn = require "cuna"

local SIDE, STEPS, RATE = 200, 300, 0.2

local plate = cn.zeros { SIDE, SIDE }
plate["1, :"] = 100
plate["90:110, 90:110"] = 400

local function step(u)
  local inner = u["2:-2, 2:-2"]
  local around = u[":-3, 2:-2"] + u["3:, 2:-2"] + u["2:-2, :-3"] + u["2:-2, 3:"]
  local after = u:copy()
  after["2:-2, 2:-2"] = inner + RATE * (around - 4 * inner)
  return after
end

local change
for _ = 1, STEPS do
  local after = step(plate)
  change = cn.abs(after - plate):max():item()
  plate = after
end
print(("mean %.9g, hottest inside %.9g, last change %.3g"):format(plate:mean():item(),
  plate["2:-2, 2:-2"]:max():item(), change))
print(cn.round(plate["1:101:20, 100"], 4))
print(("%d cells above 50"):format(plate:gt(50):sum():item()))
