--- formula.lua: arrays whose elements are computed from their position by a formula.
local core = require "cuna.core"
local dtype_facts = require "cuna.base.dtype_facts"
local program = require "cuna.base.program"

local M = {}

local kind_of = dtype_facts.kind_of

--- The dtype in which formulas of numbers are computed for a result of `dtype`.
function M.loop_of(dtype) return kind_of[dtype] == "c" and "complex128" or "float64" end

local function draw(draft, expr, loop, dtype, count)
  local places = {}
  for k = 1, count do places[1 + k] = draft:input(loop, "scalar") end
  places[1] = draft:position()
  draft.output = dtype
  draft:step("formula", expr, dtype, places, loop)
end

--- The program of a formula with `count` numbers.
local function program_of(expr, loop, dtype, count) return program.of(draw, expr, loop, dtype, count) end
M.program = program_of

--- A new array of a formula, in kernel text, of the row-major position a (from 0) and numbers b, c and so on.
---@param name string
---@param shape cuna.Shape
---@param dtype string|nil default: the default float
---@param device cuna.Device|cuna.Array|nil default: the current one
---@param expr string
---@param loop string dtype of a and the numbers
---@return cuna.Array
function M.make(name, shape, dtype, device, expr, loop, ...)
  dtype = dtype or core.default_dtype()
  return core.make(program_of(expr, loop, dtype, select("#", ...)), name, shape, device, ...)
end

return M
