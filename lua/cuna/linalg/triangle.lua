--- triangle.lua: triangles of matrices as new row-major arrays, made in one pass over any layout.
local core = require "cuna.core"
local formula = require "cuna.base.formula"
local matrices = require "cuna.linalg.matrices"
local program = require "cuna.base.program"

local M = {}

--- What an element a in row b and column c becomes.
local KEPT = {
  lower = "c <= b ? a : T(0)", upper = "c >= b ? a : T(0)",
  unit_lower = "c < b ? a : T(c == b)", -- ones stand on its diagonal
}

local function draw(draft, kind, dtype)
  local given = {draft:input(dtype), draft:input "int32", draft:input "int32"}
  draft:step(kind, KEPT[kind], dtype, given, {dtype, "int32", "int32"})
  draft.output = dtype
end

--- One triangle of matrices and zeros.
---@param x cuna.Array (..., m, n)
---@param kind string "lower", "upper" or "unit_lower"
---@param out cuna.Array|nil x itself, say
---@return cuna.Array
function M.of(name, x, kind, out)
  local shape = x.shape
  local rows, columns = shape[#shape - 1], shape[#shape]
  if x.size == 0 then return out or core.empty(shape, x.dtype, x.device, name) end
  local line = formula.make(name, math.max(rows, columns), "int32", x.device, "a", "int64")
  return core.map(program.get("triangle " .. kind .. x.dtype, draw, kind, x.dtype), name, nil, out, x,
    core.view(line, {rows, 1}, {1, 0}, 0), core.view(line, {columns}, {1}, 0))
end

--- Identity matrices over a stack.
function M.identity(name, stack, rows, like)
  local made = core.empty(matrices.behind(stack, rows, rows), like.dtype, like.device, name)
  local count = matrices.count(stack)
  core.fill(made, 0, name)
  if made.size > 0 then core.fill(core.view(made, {count, rows}, {rows * rows, rows + 1}, 0), 1, name) end
  return made
end

return M
