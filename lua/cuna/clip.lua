--- clip.lua: functions whose row depends on the arguments: clip with open bounds, rounding to decimals, angles in
-- degrees.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local elementwise = require "cuna.elementwise"

local M = {functions = {}, methods = {}}
local F, methods, rows = M.functions, M.methods, elementwise.functions

--- A bound of clip as an array, or a number, which stays weak.
local function bound(value, device)
  if value == nil or type(value) ~= "boolean" and core.number_kind(value) then return value end
  return check.array(value, "clip", device)
end

local read_clip = args.reader("clip", {"x", "min", "max", "out"})

--- x kept between two bounds, which broadcast; a bound that is nil is open. Where the bounds cross, max holds. Follows
--- numpy.clip.
---@param x cuna.Operand
---@param min cuna.Operand|nil
---@param max cuna.Operand|nil
---@param out cuna.Array|nil
---@return cuna.Array
---@usage cn.clip({1, 5, 9}, 2, 6) --> [2. 5. 6.]
---@usage cn.clip({1, 5, 9}, {max = 6}) --> [1. 5. 6.]
function F.clip(...)
  local x, min, max, out = read_clip(...)
  local device = core.device_of(min, max)
  if not core.number_kind(x) then x = check.array(x, "clip", device) end -- a number stays weak
  if min == nil and max == nil then check.fail "clip: give min, max or both" end
  min, max = bound(min, device), bound(max, device)
  if min == nil then return rows.minimum(x, max, {out = out}) end
  if max == nil then return rows.maximum(x, min, {out = out}) end
  return rows.clip(x, min, max, {out = out})
end

--- x clipped in place.
---@param x cuna.Array
---@param min cuna.Operand|nil
---@param max cuna.Operand|nil
---@return cuna.Array x
---@usage cn.array({1, 5, 9}):clip_(2, 6) --> [2. 5. 6.]
function methods.clip_(x, min, max) return F.clip(check.self(x, "clip_"), min, max, x) end

local read_round = args.reader("round", {"x", "decimals", "out"})

--- x rounded to a number of decimals, halves to even; negative decimals count left of the point. Follows numpy.round.
---@param x cuna.Operand
---@param decimals integer|nil default 0
---@param out cuna.Array|nil
---@return cuna.Array
---@usage cn.round({0.5, 1.5, 2.25}, 1), cn.round(1250, -2) --> [0.5 1.5 2.2], 1200.0
function F.round(...)
  local x, decimals, out = read_round(...)
  x = check.array(x, "round")
  if decimals == nil or decimals == 0 then return rows.round(x, {out = out}) end
  return rows.round_decimals(x, check.integer(decimals, "round", "decimals"), {out = out})
end
F.around = F.round

local read_angle = args.reader("angle", {"z", "deg", "out", "dtype"})

--- The angle of z in the complex plane, from -pi to pi, or from -180 to 180 degrees. Follows numpy.angle.
---@param z cuna.Operand
---@param deg boolean|nil whether it is in degrees, default false
---@param out cuna.Array|nil
---@param dtype string|nil of the loop, complex or real
---@return cuna.Array real
---@usage cn.angle {cn.complex(0, 1), cn.complex(-1, 0)} --> [1.57079633 3.14159265]
---@usage cn.angle({cn.complex(0, 1), -1}, {deg = true}) --> [ 90. 180.]
function F.angle(...)
  local z, deg, out, dtype = read_angle(...)
  if not check.boolean(deg, false, "angle", "deg") then return rows.angle(z, {out = out, dtype = dtype}) end
  local angles = rows.angle(z, {dtype = dtype})
  if core.is_array(angles) then check.output(out, angles.dtype, angles.shape, nil, "angle") end
  return rows.rad2deg(angles, {out = out})
end

methods.clip, methods.round, methods.around, methods.angle = F.clip, F.round, F.round, F.angle

args.bound(methods, {clip_ = "x min max"})

return M
