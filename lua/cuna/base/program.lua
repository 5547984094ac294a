--- program.lua: programs spelled out value by value, each once per process.
--
-- All programs of cuna's own vocabulary are found here, but for folds, which reducers.lua finds by four words without
-- joining them. Programs of users' kernels and fused functions go with these, which keep them.
local core = require "cuna.core"

local M = {}
local made = {} -- by draw, then by key

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

--- The table below a node at a key; made when it is not there. Plans that are found by what several arguments are lie
--- in tables in tables.
function M.branch(node, key)
  local next_node = node[key]
  if not next_node then
    next_node = {}
    node[key] = next_node
  end
  return next_node
end

local function make(key, draw, ...)
  local draft = setmetatable({inputs = {}, steps = {}}, Draft)
  draw(draft, ...)
  local program = core.program(draft)
  M.branch(made, draw)[key] = program
  return program
end

--- The program that `draw` spells out for a key, at first: it fills what core.program takes. Its last value is the
--- output where it gives none. A key says all that a program depends on; other functions' keys do not matter.
---@param key string
---@param draw fun(draft: cuna.Draft, ...) of a file, not made by a call
---@return userdata
function M.get(key, draw, ...)
  local known = made[draw]
  return known and known[key] or make(key, draw, ...)
end

return M
