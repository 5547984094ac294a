--- choose.lua: functions whose row depends on the arguments: clip with open bounds, rounding to decimals.
local args = require "cuna.args"
local core = require "cuna.core"
local elementwise = require "cuna.elementwise"

local M = {functions = {}}
local F, methods = M.functions, core.methods()
local rows = {}
for name, call in pairs(elementwise.functions) do rows[name] = call end

--- x kept between two bounds; a bound that is nil is open.
---@param x cuna.Array
---@param min cuna.Array|number|nil
---@param max cuna.Array|number|nil
local read_clip = args.reader("clip", {"x", "min", "max", "out"})
function F.clip(...)
  local x, min, max, out = read_clip(...)
  if min == nil and max == nil then core.fail "clip: give min, max or both" end
  if min == nil then return rows.minimum(x, max, out) end
  if max == nil then return rows.maximum(x, min, out) end
  return rows.clip(x, min, max, out)
end

--- x clipped in place.
function methods.clip_(x, min, max) return F.clip(x, min, max, x) end

--- x rounded to a number of decimals (default 0), halves to even; negative decimals count left of the point.
local read_round = args.reader("round", {"x", "decimals", "out"})
function F.round(...)
  local x, decimals, out = read_round(...)
  if decimals == nil or decimals == 0 then return rows.round(x, out) end
  if type(decimals) ~= "number" or decimals ~= math.floor(decimals) then
    core.fail(("round: decimals is a whole number, got %s"):format(tostring(decimals)))
  end
  return rows.round_decimals(x, decimals, out)
end
F.around = F.round

methods.clip, methods.round, methods.around = F.clip, F.round, F.round

return M
