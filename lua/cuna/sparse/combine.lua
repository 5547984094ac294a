--- combine.lua: two sparse matrices element by element, and their product.
--
-- Element by element: the positions that one of them has, in order, with the elements of both there (0 where one has
-- none), go through an operation of arrays. The product expands: each element of A meets a row of B; what comes to one
-- position is added up by sorting.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local convert = require "cuna.sparse.convert"
local coordinates = require "cuna.sparse.coordinates"
local core = require "cuna.core"
local object = require "cuna.sparse.object"
local product = require "cuna.sparse.product"
local slices = require "cuna.base.slices"

local M = {}

local fail = check.fail

--- The elements of a matrix at positions that contain its own.
local function spread(list, keys, places)
  local x = args.namespace.zeros(places.size, list.data.dtype)
  if keys.size > 0 then x[args.namespace.searchsorted(places, keys)] = list.data end
  return x
end

--- The format that both have in common.
local function format_for(A, B)
  if A.format == "dia" and B.format == "dia" then return "dia" end
  return A.format == "csc" and "csc" or "csr"
end

--- fn of the elements of two matrices of one shape; where both have none it gives 0.
---@param fn fun(a: cuna.Array, b: cuna.Array): cuna.Array
---@return cuna.SparseMatrix without zeros
function M.elementwise(A, B, fn, name)
  object.same_device(A, B, name)
  local format = format_for(A, B)
  local major = object.MAJOR[format] or 1
  local a, b = convert.list_of(A, major, name), convert.list_of(B, major, name)
  local first = coordinates.keys(a.row, a.col, A.lengths, major, name)
  local second = coordinates.keys(b.row, b.col, A.lengths, major, name)
  local places = args.namespace.union1d(first, second)
  local list = {shape = A.lengths, major = major, is_unique = true}
  list.data = fn(spread(a, first, places), spread(b, second, places))
  list.row, list.col = coordinates.places(places, A.lengths, major, a.row.dtype)
  return convert.of_list(coordinates.chosen(list, list.data:ne(0)), format, A)
end

--- The product of two sparse matrices that fit, as csr; as csc if the first is.
function M.product(A, B, name)
  object.same_device(A, B, name)
  if A.format == "csc" then return M.product(convert.to(B.T, "csr"), A.T, name).T end
  local cn, a, b = args.namespace, convert.to(A, "csr"), convert.to(B, "csr")
  local lengths = slices.part(b.indptr, 1, 2, b.lengths[1]) - slices.part(b.indptr, 1, 1, b.lengths[1])
  local counts = cn.take(lengths, a.indices):astype "int64"
  local element = cn.repeat_interleave(cn.range(1, counts.size), counts)
  local begins = cn.cumsum(counts) - counts
  local place = cn.range(1, element.size) - cn.take(begins, element)
    + cn.take(b.indptr, cn.take(a.indices, element)) - 1
  local list = {shape = {A.lengths[1], B.lengths[2]}}
  list.row = cn.take(coordinates.line(a.indptr, a.indices.dtype), element)
  list.col = cn.take(b.indices, place):astype(list.row.dtype)
  list.data = cn.multiply(cn.take(a.data, element), cn.take(b.data, place))
  list = coordinates.summed(list, 1, name)
  return coordinates.compressed(coordinates.chosen(list, list.data:ne(0)), "csr", A, name)
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
  local rows = convert.rows(A)
  if rows.dtype ~= loop then rows = convert.with_data(rows, core.cast(rows.data, loop, name)) end
  local made = product.multiply(rows, x.dtype == loop and x or core.cast(x, loop, name), name)
  return dtype == "bool" and made:ne(0) or made
end

return M
