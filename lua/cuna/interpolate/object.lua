--- object.lua: objects of interpolation that are called at points and have no other functions.
local check = require "cuna.base.check"
local with = require "cuna.base.with"

local M = {}

--- A function through data, which is called at points.
---@class cuna.Interpolator

local meta = {__metatable = "cuna interpolator"}

function meta.__index(object, name)
  check.fail("%s has no field '%s'; call it at points: f(x)", rawget(object, "title"), tostring(name))
end

function meta.__tostring(object) return rawget(object, "title") end

function meta.__call(object, ...) return with.on(object.device, object.evaluate, ...) end

--- An object with a title that calls evaluate(...) on a device.
---@return cuna.Interpolator
function M.new(title, device, evaluate)
  return setmetatable({title = title, device = device, evaluate = evaluate}, meta)
end

return M
