--- formula.lua: arrays whose elements are a formula of their position.
local core = require "cuna.core"
local dtype_facts = require "cuna.base.dtype_facts"

local M = {}

local kind_of = dtype_facts.kind_of

--- The dtype that formulas of numbers compute in for a result of `dtype`.
function M.loop_of(dtype) return kind_of[dtype] == "c" and "complex128" or "float64" end

local programs = {}

--- The program that computes `expr` of the position a (from 0) and two numbers b, c in dtype `loop`.
local function program_of(expr, loop, dtype)
  local key = expr .. loop .. dtype
  if not programs[key] then
    programs[key] = core.program {
      inputs = {{dtype = loop, scalar = true}, {dtype = loop, scalar = true}}, index = true, output = dtype,
      steps = {{name = "formula", expr = expr, dtype = dtype, args = {3, 1, 2}, arg_dtypes = {loop, loop, loop}}},
    }
  end
  return programs[key]
end

--- Fills an array with a formula in kernel text of the row-major position a (from 0) and two numbers b and c.
---@param out cuna.Array
---@param expr string
---@param loop string dtype of a, b and c
---@return cuna.Array out
function M.fill(out, expr, loop, b, c, name)
  if out.size == 0 then return out end
  return core.map(program_of(expr, loop, out.dtype), name, out.shape, out, b, c)
end

return M
