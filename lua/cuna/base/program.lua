--- program.lua: programs spelled out value by value, each once per process.
local core = require "cuna.core"

local M = {}
local made = {} -- by key

---@class cuna.Draft
local Draft = {}
Draft.__index = Draft

--- Adds an input; all of them come before the first step.
---@param dtype string
---@param kind string|nil "scalar": a number; "address": where the walk is in an array
---@return integer value
function Draft:input(dtype, kind)
  self.inputs[#self.inputs + 1] = {dtype = dtype, scalar = kind == "scalar", address = kind == "address"}
  return #self.inputs
end

--- The value that is the position of the walk; behind all inputs.
---@return integer value
function Draft:position()
  self.index = true
  return #self.inputs + 1
end

--- Adds a step: an expression of the values in `args`, taken as `dtypes` (a list, or one for all; default: the
--- step's).
---@return integer value
function Draft:step(name, expr, dtype, args, dtypes)
  local list = dtypes
  if type(dtypes) ~= "table" then
    list = {}
    for k = 1, #args do list[k] = dtypes or dtype end
  end
  self.steps[#self.steps + 1] = {name = name, expr = expr, dtype = dtype, args = args, arg_dtypes = list}
  return #self.inputs + (self.index and 1 or 0) + #self.steps
end

--- Adds an output that has one of the values.
function Draft:give(value, dtype)
  self.outputs = self.outputs or {}
  self.outputs[#self.outputs + 1] = {dtype = dtype, value = value}
end

--- The program of a key, which `draw` spells out at first: it fills what core.program takes. Its last value is the
--- output where it gives none.
---@param key string
---@param draw fun(draft: cuna.Draft, ...)
function M.get(key, draw, ...)
  if not made[key] then
    local draft = setmetatable({inputs = {}, steps = {}}, Draft)
    draw(draft, ...)
    made[key] = core.program(draft)
  end
  return made[key]
end

return M
