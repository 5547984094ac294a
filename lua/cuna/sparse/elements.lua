--- elements.lua: what is stored of a sparse matrix: sums of elements at one position, their order, zeros, diagonals.
--
-- Functions that change a matrix give it new parts, so that another one which shares the old ones stays as it is.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local convert = require "cuna.sparse.convert"
local coordinates = require "cuna.sparse.coordinates"
local core = require "cuna.core"
local diagonals = require "cuna.sparse.diagonals"
local given = require "cuna.sparse.given"
local lines = require "cuna.sparse.lines"
local object = require "cuna.sparse.object"
local with = require "cuna.base.with"

local M = {functions = {}}
local F, methods = M.functions, {}

local fail = check.fail

--- Gives a matrix the elements of a list, in its format.
local function become(A, list) object.replace(A, convert.of_list(list, A.format, A)) end

--- Rejects dia, which has whole diagonals.
local function listed(A, name)
  if A.format == "dia" then fail("%s: a dia matrix has whole diagonals; write A:tocoo()", name) end
  return A
end

--- Adds up the elements at one position, in place. Those of coo are then in order of columns, and of rows in each.
--- Follows scipy.sparse.csr_matrix.sum_duplicates.
---@usage (function(A) A:sum_duplicates() return A.data end)(cn.sparse.coo_matrix({{1, 2}, {{1, 1}, {1, 1}}})) --> [3.]
function methods.sum_duplicates(A)
  listed(A, "sum_duplicates")
  if object.MAJOR[A.format] then
    object.replace(A, convert.canonical(A))
  else
    become(A, convert.list_of(A, 2, "sum_duplicates"))
  end
end

--- Puts the elements of each row of csr, or column of csc, in order, in place. Follows
--- scipy.sparse.csr_matrix.sort_indices.
---@usage (function(A) A:sort_indices() return A.indices end)(cn.sparse.csr_matrix({{1, 2}})) --> [1 2]
function methods.sort_indices(A)
  local major = object.MAJOR[A.format]
  if not major then fail("sort_indices: a matrix that is csr or csc, got %s", A.format) end
  if A.has_sorted_indices then return end
  if lines.serve(A.data) then
    local own = coordinates.in_order(A, "sort_indices")
    return object.replace(A, coordinates.of_parts(own, A.lengths, A.format, A, "sort_indices"))
  end
  local list = coordinates.sorted(coordinates.of(A), major, "sort_indices")
  object.replace(A, object.new(A.format, A.lengths, {data = list.data, indptr = A.indptr,
    indices = major == 1 and list.col or list.row}, A, {is_sorted = true, is_canonical = A.facts.is_canonical or nil}))
end

--- A copy of csr or csc whose elements are in order. Follows scipy.sparse.csr_matrix.sorted_indices.
---@return cuna.SparseMatrix
---@usage cn.sparse.csr_matrix({data = {1, 2}, indices = {2, 1}, indptr = {1, 3}}):sorted_indices().data --> [2. 1.]
function methods.sorted_indices(A)
  local made = A:copy()
  methods.sort_indices(made)
  return made
end

--- A matrix without the stored elements where a mask is false, in its format; elements keep their order.
function M.kept(A, mask)
  if not object.MAJOR[A.format] then return coordinates.coo(coordinates.chosen(coordinates.of(A), mask), A) end
  local cn, places = args.namespace, args.namespace.flatnonzero(mask)
  local before = cn.concatenate {cn.zeros(1, "int64"), cn.cumsum(mask, {dtype = "int64"})}
  return object.new(A.format, A.lengths, {data = cn.take(A.data, places), indices = cn.take(A.indices, places),
    indptr = (cn.take(before, A.indptr) + 1):astype(A.indptr.dtype)}, A, A.facts)
end

--- Drops stored zeros, in place. Follows scipy.sparse.csr_matrix.eliminate_zeros.
---@usage (function(A) A.data[1] = 0 A:eliminate_zeros() return A.nnz end)(cn.sparse.eye(3):tocsr()) --> 2
function methods.eliminate_zeros(A)
  local mask = listed(A, "eliminate_zeros").data:ne(0)
  if not mask:all() then object.replace(A, M.kept(A, mask)) end
end

--- The number of elements that are not 0. Follows scipy.sparse.csr_matrix.count_nonzero.
---@return integer
---@usage cn.sparse.coo_matrix({{1, -1, 2}, {{1, 1, 2}, {1, 1, 1}}}):count_nonzero() --> 1
function methods.count_nonzero(A)
  local own = object.MAJOR[A.format] and convert.canonical(A) or convert.list_of(A, 1, "count_nonzero")
  return tonumber(args.namespace.count_nonzero(own.data):item())
end

--- The number of stored elements, of all or along an axis. Follows scipy.sparse.csr_matrix.getnnz.
---@param axis integer|nil 1: of each column, 2: of each row
---@return integer|cuna.Array
---@usage cn.sparse.csr_matrix({{1, 0, 2}, {0, 0, 3}}):getnnz(1) --> [1 0 2]
function methods.getnnz(A, axis)
  if axis == nil then return A.nnz end
  axis = core.axis(axis, 2, "getnnz")
  local major = object.MAJOR[A.format]
  if major and major ~= axis then return args.namespace.diff(A.indptr):astype "int64" end
  local list = major and {row = A.indices, col = A.indices} or coordinates.of(A)
  return args.namespace.bincount(axis == 1 and list.col or list.row, {minlength = A.lengths[3 - axis]})
end

-- ---- diagonals ----

--- The number of positions of a diagonal.
local function length_of(A, k)
  return math.max(0, math.min(A.lengths[1] + math.min(k, 0), A.lengths[2] - math.max(k, 0)))
end

--- The k-th diagonal of csr or csc, in its lines.
local function diagonal_of(own, k)
  local below = own.format == "csr" and -k or k -- where lines are along
  return {first = math.max(below, 0), count = length_of(own, k), position = 1 + math.max(-below, 0)}
end

--- Elements at pairs of positions, as a dense vector.
---@param rows cuna.Array from 1
---@param columns cuna.Array of this shape
---@return cuna.Array
function M.at_pairs(A, rows, columns)
  local cn = args.namespace
  local out = cn.zeros(rows.size, A.dtype)
  local own = convert.canonical(A)
  if own.data.size == 0 or rows.size == 0 then return out end
  local line, position = rows, columns
  if own.format == "csc" then line, position = columns, rows end
  local place = lines.places(own.indptr, own.indices, line, position, "index")
  return cn.where(place:gt(0), cn.take(own.data, cn.maximum(place, 1)), out)
end

--- The k-th diagonal as a dense array. Follows scipy.sparse.csr_matrix.diagonal.
---@param k integer|nil default 0, the main one; above it greater than 0
---@return cuna.Array 1-d
---@usage cn.sparse.csr_matrix({{1, 4}, {0, 3}}):diagonal() --> [1. 3.]
---@usage cn.sparse.csr_matrix({{1, 4}, {0, 3}}):diagonal(1) --> [4.]
function methods.diagonal(A, k)
  k = check.integer(k or 0, "diagonal", "k")
  if lines.serve(A.data) and length_of(A, k) > 0 and A.format ~= "dia" then
    local own = convert.canonical(A)
    return diagonals.elements(own, diagonal_of(own, k), "diagonal")
  elseif object.MAJOR[A.format] then
    local along = args.namespace.range(1, length_of(A, k))
    return M.at_pairs(A, k < 0 and along - k or along, k > 0 and along + k or along)
  end
  local list = convert.list_of(A, 1, "diagonal")
  local on = coordinates.chosen(list, (list.col - list.row):eq(k))
  local x = args.namespace.zeros(length_of(A, k), A.dtype)
  if on.data.size > 0 then x[k > 0 and on.row or on.col] = on.data end
  return x
end

--- The sum of the k-th diagonal. Follows scipy.sparse.csr_matrix.trace.
---@param offset integer|nil default 0
---@return cuna.Array 0-d
---@usage cn.sparse.csr_matrix({{1, 4}, {0, 3}}):trace() --> 4.0
function methods.trace(A, offset)
  return methods.diagonal(A, check.integer(offset or 0, "trace", "offset")):sum()
end

--- Two lists of elements, one behind the other.
function M.joined(a, b)
  local cn = args.namespace
  return {row = cn.concatenate {a.row, b.row}, col = cn.concatenate {a.col, b.col},
    data = cn.concatenate {a.data, b.data}, shape = a.shape}
end

--- The same as setdiag for csr and csc.
local function set_lines(A, values, k, count)
  local own, name = convert.canonical(A), "setdiag"
  local on, index = diagonal_of(own, k), object.index_dtype(A.lengths[1], A.lengths[2], A.data.size + count + 1)
  on.count = count
  local made = diagonals.replaced(own, on, values.flags.c_contiguous and values or values:copy(), index, name)
  object.replace(A, coordinates.of_parts(made, A.lengths, A.format, A, name))
end

--- Gives the k-th diagonal elements, in place: a number for all, or an array for as many as it has. Follows
--- scipy.sparse.csr_matrix.setdiag.
---@param values cuna.Operand
---@param k integer|nil default 0
---@usage (function(A) A:setdiag({5, 6}) return A:toarray() end)(cn.sparse.eye(2)) --> [[5. 0.] [0. 6.]]
function methods.setdiag(A, values, k)
  k = check.integer(k or 0, "setdiag", "k")
  values = core.cast(check.array(values, "setdiag", A.device), A.dtype, "setdiag")
  if values.ndim > 1 then fail("setdiag: values are a number or a vector, got shape %s", tostring(values.shape)) end
  local cn, count = args.namespace, length_of(A, k)
  if count == 0 then fail("setdiag: the matrix has no diagonal %d", k) end
  if values.ndim == 0 then values = cn.broadcast_to(values, {count}) end
  count = math.min(count, values.size)
  if count == 0 then return end
  values = values[{{1, count}}]
  if lines.serve(A.data) and object.MAJOR[A.format] then return set_lines(A, values, k, count) end
  local list = convert.list_of(A, 1, "setdiag")
  local along = k > 0 and list.row or list.col
  local old = (list.col - list.row):eq(k):logical_and(along:le(count))
  local places = cn.range(1, count):astype(list.row.dtype)
  become(A, M.joined(coordinates.chosen(list, old:logical_not()), {row = places - math.min(k, 0),
    col = places + math.max(k, 0), data = values}))
end

-- ---- find ----

--- Rows, columns and values of the elements that are not 0, column by column. Follows scipy.sparse.find.
---@param A cuna.SparseMatrix|cuna.Operand
---@return cuna.Array row from 1
---@return cuna.Array col from 1
---@return cuna.Array values
---@usage cn.sparse.find({{1, 0, 2}, {0, 0, 3}}) --> [1 1 2], [1 3 3], [1. 2. 3.]
function F.find(A)
  A = given.matrix(A, "coo", nil, nil, "sparse.find")
  return with.on(A.device, function()
    local list = convert.list_of(A, 2, "sparse.find")
    list = coordinates.chosen(list, list.data:ne(0))
    return list.row, list.col, list.data
  end)
end

--- Rows and columns of the elements that are not 0, row by row. Follows scipy.sparse.csr_matrix.nonzero.
---@return cuna.Array[] {rows, columns}, from 1
---@usage cn.sparse.csr_matrix({{1, 0, 2}, {0, 0, 3}}):nonzero()[2] --> [1 3 3]
function methods.nonzero(A)
  local list = convert.list_of(A, 1, "nonzero")
  list = coordinates.chosen(list, list.data:ne(0))
  return {list.row, list.col}
end

-- ---- other shapes ----

--- The lengths of a shape for `size` elements; one may be -1.
local function lengths_of(shape, size)
  if type(shape) ~= "table" or #shape ~= 2 then fail("reshape: a sparse matrix has a shape of two lengths") end
  local m, n = check.integer(shape[1], "reshape", "a length"), check.integer(shape[2], "reshape", "a length")
  if m == -1 and n > 0 then m = size / n elseif n == -1 and m > 0 then n = size / m end
  if m < 0 or n < 0 or m * n ~= size or m ~= math.floor(m) or n ~= math.floor(n) then
    fail("reshape: %.0f positions do not fit the shape (%d, %d)", size, shape[1], shape[2])
  end
  return {m, n}
end

--- The matrix in another shape, row by row, in its format. Follows scipy.sparse.csr_matrix.reshape.
---@param ... integer|integer[] (rows, columns), one of which may be -1
---@return cuna.SparseMatrix
---@usage cn.sparse.csr_matrix({{1, 0, 2}, {0, 0, 3}}):reshape(3, 2):toarray() --> [[1. 0.] [2. 0.] [0. 3.]]
function methods.reshape(A, ...)
  local shape = lengths_of(type(...) == "table" and (...) or {...}, A.lengths[1] * A.lengths[2])
  local list = convert.list_of(A, 1, "reshape")
  local row, col = coordinates.places(coordinates.keys(list.row, list.col, list.shape, 1, "reshape"), shape, 1,
    object.index_dtype(shape[1], shape[2]))
  list = {row = row, col = col, data = list.data, shape = shape, major = 1, is_unique = true}
  return convert.of_list(list, A.format, A)
end

object.add_methods(methods)
M.methods = methods

return M
