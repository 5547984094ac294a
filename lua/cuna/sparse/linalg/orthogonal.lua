--- orthogonal.lua: bases of orthonormal rows that grow: what gmres and eigsh make of a vector.
--
-- A new row is a vector less its parts along the rows before, by two products with all of them, in its place in the
-- basis. What is left of it may be so small that rounding has given it parts again: then they are taken off once more
-- (J. Daniel, W. Gragg, L. Kaufman, G. Stewart, 1976). Where the host would wait for its length they always are. Rows
-- of which a tenth is left are orthogonal to ten roundings.
local args = require "cuna.base.args"
local core = require "cuna.core"
local norm = require("cuna.sparse.linalg.system").norm

local M = {}

local LEAST = 0.1 -- of the parts' length, for what is left

---@class cuna.RowBasis
---@field rows cuna.Array (count, size)
---@field row cuna.Array[] its rows, as views
---@field room cuna.Array (size,)
---@field is_lazy boolean whether the host would wait for numbers
---@field weigh nil|fun(x: cuna.Array): cuna.Array of a metric; without it rows are orthonormal as they are

--- A basis with room for `count` rows, which are orthonormal in the metric of `weigh`, a positive definite matrix times
--- vectors.
---@return cuna.RowBasis
function M.new(count, size, dtype, weigh)
  local cn = args.namespace
  local rows = cn.zeros({count, size}, dtype)
  local basis = {rows = rows, room = cn.empty(size, dtype), row = {}, first = {}, is_lazy = core.is_asynchronous(rows),
    weigh = weigh}
  for j = 1, count do basis.row[j], basis.first[j] = basis.rows[j], basis.rows[{{1, j}}] end
  return basis
end

--- Makes row j + 1 what is left of w without its parts along the first j rows; returns these.
local function project(basis, w, j)
  local cn, rows = args.namespace, basis.first[j]
  local parts = cn.vecdot(rows, basis.weigh and basis.weigh(w) or w)
  cn.subtract(w, cn.matmul(parts, rows, {out = basis.room}), {out = basis.row[j + 1]})
  return parts
end

--- The length of a vector in the metric of a basis.
function M.length(basis, x)
  if not basis.weigh then return norm(x) end
  local square = args.namespace.vdot(x, basis.weigh(x))
  return args.namespace.sqrt(square.dtype:find "^complex" and square.real or square)
end
local length = M.length

--- The length of a few numbers.
local function length_of(parts)
  if parts.dtype:find "^complex" then return norm(parts):item() end
  local sum = 0
  for _, part in ipairs(parts:totable()) do sum = sum + part * part end
  return math.sqrt(sum)
end

--- Makes row j + 1, not yet of length 1, of w: its coordinates along the first j rows, its length and that of the
--- coordinates: numbers, or 0-d arrays where the host would wait.
function M.append(basis, w, j)
  local row, parts = basis.row[j + 1], project(basis, w, j)
  if not basis.is_lazy then
    local left, size = length(basis, row):item(), length_of(parts)
    if left >= LEAST * size then return parts, left, size end
    parts:add_(project(basis, row, j))
    return parts, length(basis, row):item(), size
  end
  parts = parts + project(basis, row, j)
  return parts, length(basis, row), norm(parts)
end

return M
