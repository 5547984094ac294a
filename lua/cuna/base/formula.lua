--- formula.lua: arrays whose elements are computed from their position by a formula.
local core = require "cuna.core"
local dtype_facts = require "cuna.base.dtype_facts"
local program = require "cuna.base.program"

local M = {}

local kind_of = dtype_facts.kind_of

--- The dtype in which formulas of numbers are computed for a result of `dtype`.
function M.loop_of(dtype) return kind_of[dtype] == "c" and "complex128" or "float64" end

local function draw(draft, expr, loop, dtype)
  local b, c = draft:input(loop, "scalar"), draft:input(loop, "scalar")
  draft.output = dtype
  draft:step("formula", expr, dtype, {draft:position(), b, c}, loop)
end

--- The program that computes `expr` of the position a (from 0) and two numbers b, c in dtype `loop`.
local function program_of(expr, loop, dtype) return program.get(expr .. loop .. dtype, draw, expr, loop, dtype) end

--- Fills an array with a formula, in kernel text, of the row-major position a (from 0) and two numbers b and c.
---@param out cuna.Array
---@param expr string
---@param loop string dtype of a, b and c
---@return cuna.Array out
function M.fill(out, expr, loop, b, c, name)
  if out.size == 0 then return out end
  return core.map(program_of(expr, loop, out.dtype), name, out.shape, out, b, c)
end

return M
