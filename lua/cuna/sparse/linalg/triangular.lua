--- triangular.lua: systems with a sparse triangular matrix, solved row by row in the host's memory. A maker of factors,
--- as cuna.sparse.linalg.direct uses them: the matrix is its own factor.
local ffi = require "ffi"

local check = require "cuna.base.check"
local core = require "cuna.core"
local incomplete = require "cuna.sparse.linalg.incomplete"

local M = {}

local fail = check.fail

--- The rows of the matrix in the host's memory, sorted.
M.read = incomplete.read

--- Which elements of row i lie beside the diagonal, and where that is; a second result of nil: it has none.
local function row_of(f, i)
  local first, last = f.starts[i], f.starts[i + 1] - 1
  local diagonal = f.is_lower and last or first
  if first > last or f.at[diagonal] ~= i then return nil, first, last end
  if f.is_lower then return diagonal, first, last - 1 end
  return diagonal, first + 1, last
end

--- Raises where row i has elements in the other triangle, or 0 on the diagonal.
local function check_row(f, i, name)
  local diagonal, first, last = row_of(f, i)
  if first <= last and (f.is_lower and f.at[last] > i or not f.is_lower and f.at[first] < i) then
    local column = f.at[f.is_lower and last or first]
    fail("%s: A has element (%d, %d), so it is not %s; give cn.sparse.%s(A)", name, i + 1, column + 1,
      f.is_lower and "lower triangular" or "upper triangular", f.is_lower and "tril" or "triu")
  end
  if not f.is_unit and (not diagonal or f.numbers.size(f.elements, diagonal) == 0) then
    fail("LinAlgError: %s: A is singular: element (%d, %d) is 0", name, i + 1, i + 1)
  end
end

--- Keeps what is asked for, and checks every row.
---@param asked {is_lower: boolean, is_unit: boolean}
function M.factor(f, asked, name)
  f.is_lower, f.is_unit = asked.is_lower, asked.is_unit
  for i = 0, f.size - 1 do check_row(f, i, name) end
end

--- Solves for one right side, in place.
local function solve_row(f, y)
  local numbers = f.numbers
  local from, to, step = 0, f.size - 1, 1
  if not f.is_lower then from, to, step = f.size - 1, 0, -1 end
  for i = from, to, step do
    local diagonal, first, last = row_of(f, i)
    numbers.set(y, i, numbers.rest(y, i, f.at, f.elements, first, last))
    if not f.is_unit then numbers.set(y, i, numbers.quotient(y, i, f.elements, diagonal)) end
  end
end

--- Solves for each row of b, in the host's memory and of the factors' dtype: rows x.
function M.solve(f, _, b, name)
  local x = core.cast(b, nil, name)
  local at, width = ffi.cast("double *", x:pointer()), f.size * f.numbers.width
  for row = 0, b.shape[1] - 1 do solve_row(f, at + row * width) end
  return x
end

return M
