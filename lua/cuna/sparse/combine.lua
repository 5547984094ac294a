--- combine.lua: two sparse matrices element by element, and their product.
--
-- Element by element: lines are joined (join.lua). Products are those of merge.lua, rows.lua and product.lua, in one
-- dtype.
local check = require "cuna.base.check"
local convert = require "cuna.sparse.convert"
local coordinates = require "cuna.sparse.coordinates"
local core = require "cuna.core"
local join = require "cuna.sparse.join"
local lines = require "cuna.sparse.lines"
local merge = require "cuna.sparse.merge"
local object = require "cuna.sparse.object"
local operands = require "cuna.base.operands"
local product = require "cuna.sparse.product"
local rows = require "cuna.sparse.rows"

local M = {}

local fail = check.fail

--- The format that both have in common.
local function format_for(A, B)
  if A.format == "dia" and B.format == "dia" then return "dia" end
  return A.format == "csc" and "csc" or "csr"
end

--- An operation on the elements of two matrices of one shape; where both have none it gives 0.
---@param operation string
---@return cuna.SparseMatrix without zeros
function M.elementwise(A, B, operation, name)
  object.same_device(A, B, name)
  local format = format_for(A, B)
  local own = format == "dia" and "csr" or format
  return convert.to(join.join(convert.canonical(A, own), convert.canonical(B, own), operation, name), format)
end

--- A matrix in rows with elements of a dtype.
local function rows_in(A, dtype, name)
  A = convert.to(A, "csr")
  return A.dtype == dtype and A or convert.with_data(A, core.cast(A.data, dtype, name))
end

--- The product of two sparse matrices that fit, as csr without zeros; as csc if the first is.
function M.product(A, B, name)
  object.same_device(A, B, name)
  if A.format == "csc" then return M.product(convert.to(B.T, "csr"), A.T, name).T end
  local dtype = core.promote(A.dtype, B.dtype)
  local loop = dtype == "bool" and "int64" or dtype
  local a, b = rows_in(A, loop, name), rows_in(B, loop, name)
  local shape = {A.lengths[1], B.lengths[2]}
  if a.data.size == 0 or b.data.size == 0 then
    return convert.to(object.new("coo", shape, {data = core.empty(0, dtype, a.device, name),
      row = core.empty(0, "int32", a.device, name), col = core.empty(0, "int32", a.device, name)}, A), "csr")
  end
  local made = merge.multiply(a, b, name) or rows.multiply(a, b, name)
  local has_zeros = not made.data:all()
  if dtype == "bool" then made = convert.with_data(made, made.data:ne(0)) end
  if not has_zeros then return made end
  local mask = made.data:ne(0)
  return coordinates.compressed(coordinates.chosen(coordinates.of(made), mask), "csr", A, name)
end

--- Rejects what has other rows than A has columns.
function M.check_inner(A, shape, name)
  if A.lengths[2] == shape[1] then return end
  local text = #shape == 1 and ("(%d,)"):format(shape[1]) or ("(%d, %d)"):format(shape[1], shape[2])
  fail("%s: shapes (%d, %d) and %s do not fit: the first has %d columns, the second %d rows", name, A.lengths[1],
    A.lengths[2], text, A.lengths[2], shape[1])
end

--- The product of a sparse matrix and a dense vector or matrix.
function M.by_dense(A, x, name)
  x = check.array(x, name, A.device)
  object.same_device(A, x, name)
  if x.ndim ~= 1 and x.ndim ~= 2 then
    fail("%s: a sparse matrix has products with vectors and matrices, got shape %s", name, tostring(x.shape))
  end
  M.check_inner(A, x.shape, name)
  local dtype = core.promote(A.dtype, x.dtype)
  local loop = dtype == "bool" and "int64" or dtype
  x = x.dtype == loop and x or core.cast(x, loop, name)
  local goes_across = A.format == "csc" and x.ndim == 1 and lines.serve(A.data)
  local own = goes_across and A or convert.rows(A)
  if own.dtype ~= loop then own = convert.with_data(own, core.cast(own.data, loop, name)) end
  A.facts.shared = A.facts.shared or {}
  local made = goes_across and lines.summed_across(own.indptr, own.indices, own.data, operands.row_major(x, name),
    A.lengths[1], A.facts.shared, name) or product.multiply(own, x, name)
  return dtype == "bool" and made:ne(0) or made
end

return M
