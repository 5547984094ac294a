--- program.lua: describes programs value by value, and keeps each for the life of the process.
--
-- All programs of cuna's own functions are kept here, except for folds, which reducers.lua finds by four words without
-- concatenating a key. Programs of user kernels are kept by these.
local core = require "cuna.core"

local M = {}
local made = {} -- by draw, then by key

---@class cuna.Draft
local Draft = {}
Draft.__index = Draft

--- Adds an input; all inputs precede the first step.
---@param dtype string
---@param kind string|nil "scalar": a number; "address": the address of the loop's element in an array; "head": the
--- address of the first element of an array of any shape
---@return integer value
function Draft:input(dtype, kind)
  self.inputs[#self.inputs + 1] = {dtype = dtype, scalar = kind == "scalar",
    address = kind == "head" and kind or kind == "address"}
  return #self.inputs
end

--- Adds the value of the position in the loop, after all inputs.
---@return integer value
function Draft:position()
  self.index = true
  return #self.inputs + 1
end

--- Adds a step: an expression of the values in `args`, converted to `dtypes` (a list, or one for all; default: the
--- step's). `on_loops` is the expression of loops (cuna_operation_on_loops).
---@return integer value
function Draft:step(name, expr, dtype, args, dtypes, on_loops)
  local list = dtypes
  if type(dtypes) ~= "table" then
    list = {}
    for k = 1, #args do list[k] = dtypes or dtype end
  end
  self.steps[#self.steps + 1] = {name = name, expr = expr, dtype = dtype, args = args, arg_dtypes = list,
    on_loops = on_loops or nil}
  return #self.inputs + (self.index and 1 or 0) + #self.steps
end

--- Adds an output with one of the values.
function Draft:give(value, dtype)
  self.outputs = self.outputs or {}
  self.outputs[#self.outputs + 1] = {dtype = dtype, value = value}
end

--- The table below a node at a key, which is created if it is missing. Plans that depend on several arguments are in
--- nested tables.
function M.branch(node, key)
  local next_node = node[key]
  if not next_node then
    next_node = {}
    node[key] = next_node
  end
  return next_node
end

local function describe(draw, ...)
  local draft = setmetatable({inputs = {}, steps = {}}, Draft)
  draw(draft, ...)
  return core.program(draft)
end

local function make(key, draw, ...)
  local program = describe(draw, ...)
  M.branch(made, draw)[key] = program
  return program
end

--- The program for a key. `draw` describes it on first use: it fills the argument of core.program. If it adds no
--- output, the last value is the output. The key must contain everything that the program depends on, for this `draw`.
---@param key string
---@param draw fun(draft: cuna.Draft, ...) a function of a file, not a closure created by a call
---@return userdata
function M.get(key, draw, ...)
  local known = made[draw]
  return known and known[key] or make(key, draw, ...)
end

local kept = {} -- by draw, then by each of its arguments in turn

local function keep(program, ...)
  local node, count = kept, select("#", ...)
  for k = 1, count - 1 do node = M.branch(node, (select(k, ...)) or false) end
  node[(select(count, ...)) or false] = program
  return program
end

--- The program for what `draw` is called with, which decides all of it: words, numbers and booleans (nil counts as
--- false), always as many.
---@param draw fun(draft: cuna.Draft, ...) a function of a file, not a closure created by a call
---@return userdata
function M.of(draw, ...) return core.kept(kept, draw, ...) or keep(describe(draw, ...), draw, ...) end

return M
