--- convert.lua: sparse matrices in other formats, as dense arrays, in other dtypes, transposed.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local coordinates = require "cuna.sparse.coordinates"
local core = require "cuna.core"
local diagonals = require "cuna.sparse.diagonals"
local lines = require "cuna.sparse.lines"
local object = require "cuna.sparse.object"

local M = {}
local methods, fields = {}, {}

local fail = check.fail

-- ---- formats ----

--- A dia matrix of a list of elements.
local function to_dia(list, like)
  local cn = args.namespace
  local made = coordinates.summed(list, 1, "todia")
  local distances = core.cast(made.col, "int64", "todia") - made.row
  local offsets, places = cn.unique(distances, {return_inverse = true})
  local width = made.col.size > 0 and made.col:max():item() or 0
  local data = cn.zeros({offsets.size, width}, made.data.dtype)
  if made.data.size > 0 then data[{places, made.col}] = made.data end
  return object.new("dia", made.shape, {data = data,
    offsets = offsets:astype(object.index_dtype(made.shape[1], made.shape[2]))}, like)
end

local MAKERS = {dia = to_dia, coo = coordinates.coo}

--- What csr has twice stays twice in csc.
local function stays(like) return object.is(like) and object.MAJOR[like.format] ~= nil end

function MAKERS.csr(list, like) return coordinates.compressed(list, "csr", like, "tocsr", stays(like)) end
function MAKERS.csc(list, like) return coordinates.compressed(list, "csc", like, "tocsc", stays(like)) end

--- The matrix in a format; itself if it has it.
---@param A cuna.SparseMatrix
---@param format string
function M.to(A, format)
  if A.format == format then return A end
  if object.MAJOR[A.format] and object.MAJOR[format] and lines.serve(A.data) then
    return coordinates.turned(A, format, "to" .. format)
  end
  return MAKERS[format](coordinates.of(A), A)
end

--- The matrix of a list of elements in a format.
function M.of_list(list, format, like) return MAKERS[format](list, like) end

--- The matrix in csr or csc, sorted and with one element for each position.
function M.canonical(A, format)
  format = format or (object.MAJOR[A.format] and A.format) or "csr"
  local made = M.to(A, format)
  if made.has_canonical_format then return made end
  if lines.serve(made.data) then
    local own = coordinates.in_order(made, "sum_duplicates")
    return coordinates.of_parts(coordinates.once(own, "sum_duplicates"), made.lengths, format, made, "sum_duplicates")
  end
  return coordinates.compressed(coordinates.of(made), format, made, "sum_duplicates")
end

--- Where the elements of csc are in rows.
local function order_in_rows(A)
  local order = args.namespace.range(1, A.data.size)
  if lines.serve(A.data) then
    local places = object.new("csc", A.lengths, {data = order, indices = A.indices, indptr = A.indptr})
    local made = coordinates.turned(places, "csr", "tocsr")
    return {indices = A.indices, indptr = A.indptr, order = made.data, col = made.indices, ends = made.indptr}
  end
  local list = {row = A.indices, col = coordinates.line(A.indptr, A.indices.size, A.indices.dtype), shape = A.lengths,
    data = order}
  list = coordinates.sorted(list, 1, "tocsr")
  return {indices = A.indices, indptr = A.indptr, order = list.data, col = list.col,
    ends = coordinates.pointers(list.row, A.lengths[1], A.indptr.dtype)}
end

--- The matrix of coo in rows. Where lines begin is kept if elements are where they were.
local function rows_of_list(A)
  local known = A.facts.in_rows
  if not known or not (rawequal(known.row, A.row) and rawequal(known.col, A.col)) then
    local made = M.to(A, "csr")
    if rawequal(made.data, A.data) then
      object.remember(A.facts, "in_rows", {row = A.row, col = A.col, indices = made.indices, indptr = made.indptr})
    end
    return made
  end
  return object.new("csr", A.lengths, {data = A.data, indices = known.indices, indptr = known.indptr}, A,
    {is_sorted = true, is_canonical = true})
end

--- The matrix in rows, for products. Of csc the order of its elements in rows is kept: the next time, and for the
--- transpose of the transpose, only elements are moved.
function M.rows(A)
  if A.format == "coo" then return rows_of_list(A) end
  if A.format ~= "csc" then return M.to(A, "csr") end
  local shared = A.facts.shared or {}
  local known = shared.in_rows
  A.facts.shared = shared
  if not known or not (rawequal(known.indices, A.indices) and rawequal(known.indptr, A.indptr)) then
    known = order_in_rows(A)
    object.remember(shared, "in_rows", known)
  end
  return object.new("csr", A.lengths, {data = args.namespace.take(A.data, known.order), indices = known.col,
    indptr = known.ends}, A)
end

--- The elements of a matrix, one for each position, in order.
---@return cuna.Coordinates
function M.list_of(A, major, name) return coordinates.summed(coordinates.of(A), major or 1, name) end

local function converter(format)
  return function(A, copy)
    copy = check.boolean(copy, false, "to" .. format, "copy")
    return copy and A.format == format and A:copy() or M.to(A, format)
  end
end

--- The matrix as csr; itself if it is. Elements of coo at one position are summed. Follows
--- scipy.sparse.csr_matrix.tocsr.
---@param copy boolean|nil whether a matrix that is csr is copied; default false
---@return cuna.SparseMatrix
---@usage cn.sparse.coo_matrix({{1, 2, 3}, {{1, 1, 2}, {2, 2, 1}}}):tocsr():toarray() --> [[0. 3.] [3. 0.]]
methods.tocsr = converter "csr"

--- The matrix as csc; itself if it is. Elements of coo at one position are summed. Follows
--- scipy.sparse.csr_matrix.tocsc.
---@param copy boolean|nil
---@return cuna.SparseMatrix
---@usage cn.sparse.csr_matrix({{1, 0}, {2, 3}}):tocsc().indptr --> [1 3 4]
methods.tocsc = converter "csc"

--- The matrix as coo; itself if it is. Follows scipy.sparse.csr_matrix.tocoo.
---@param copy boolean|nil
---@return cuna.SparseMatrix
---@usage cn.sparse.csr_matrix({{1, 0}, {2, 3}}):tocoo().row --> [1 2 2]
methods.tocoo = converter "coo"

--- The matrix as dia; itself if it is. Follows scipy.sparse.csr_matrix.todia.
---@param copy boolean|nil
---@return cuna.SparseMatrix
---@usage cn.sparse.csr_matrix({{1, 4}, {0, 3}}):todia().offsets --> [0 1]
methods.todia = converter "dia"

--- The matrix in a format by its name. Follows scipy.sparse.csr_matrix.asformat.
---@param format string|nil "csr", "csc", "coo" or "dia"; nil: as it is
---@param copy boolean|nil
---@return cuna.SparseMatrix
---@usage cn.sparse.eye(2):asformat("csc").format --> csc
function methods.asformat(A, format, copy)
  if format == nil then format = A.format end
  if not MAKERS[format] then
    fail("asformat: format is \"csr\", \"csc\", \"coo\" or \"dia\", got %s", check.show(format))
  end
  return methods["to" .. format](A, copy)
end

-- ---- dense ----

--- The matrix as a dense array; elements at one position are summed. Follows scipy.sparse.csr_matrix.toarray, without
--- order and out.
---@return cuna.Array shape (rows, columns)
---@usage cn.sparse.csr_matrix({{1, 0}, {2, 3}}):toarray() --> [[1. 0.] [2. 3.]]
function methods.toarray(A)
  local x = args.namespace.zeros(A.lengths, A.dtype)
  if A.format ~= "dia" and lines.serve(A.data) then
    local own = M.canonical(A)
    local width = A.lengths[2]
    diagonals.scatter(own, x, own.format == "csr" and width or 1, own.format == "csr" and 1 or width, "toarray")
    return x
  end
  local list = M.list_of(A, 1, "toarray")
  if list.data.size > 0 then x[{list.row, list.col}] = list.data end
  return x
end

--- The same: cuna has no matrices beside arrays. Follows scipy.sparse.csr_matrix.todense.
---@return cuna.Array shape (rows, columns)
---@usage cn.sparse.csr_matrix({{1, 0}, {2, 3}}):todense() --> [[1. 0.] [2. 3.]]
function methods.todense(A) return methods.toarray(A) end

-- ---- the same elements ----

--- A matrix of the same positions, shared, with other elements.
---@param A cuna.SparseMatrix
---@param data cuna.Array of data's shape
function M.with_data(A, data)
  local parts = {data = data}
  for _, part in ipairs(object.PARTS[A.format]) do parts[part] = parts[part] or A.parts[part] end
  return object.new(A.format, A.lengths, parts, A, A.facts)
end

--- A copy, which shares nothing. Follows scipy.sparse.csr_matrix.copy.
---@return cuna.SparseMatrix
---@usage cn.sparse.eye(2):copy().nnz --> 2
function methods.copy(A)
  local parts = {}
  for _, part in ipairs(object.PARTS[A.format]) do parts[part] = A.parts[part]:copy() end
  return object.new(A.format, A.lengths, parts, A, A.facts)
end

--- The matrix with elements of another dtype; its positions are shared. Follows scipy.sparse.csr_matrix.astype.
---@param dtype string
---@return cuna.SparseMatrix
---@usage cn.sparse.eye(2):astype("complex64").dtype --> complex64
function methods.astype(A, dtype)
  if dtype == nil then fail "astype: the dtype is missing" end
  return M.with_data(A, core.cast(A.data, check.dtype(dtype, "astype"), "astype"))
end

--- The conjugates; the matrix itself if it is real. Follows scipy.sparse.csr_matrix.conj.
---@return cuna.SparseMatrix
---@usage cn.sparse.csr_matrix({{1, 0}, {2, 3}}):conj().nnz --> 3
function methods.conj(A)
  if not A.dtype:find "^complex" then return A end
  return M.with_data(A, A.data:conj())
end

methods.conjugate = methods.conj

--- The transpose of dia: a column of data becomes the one of the row where its element was.
local function transpose_dia(A)
  local cn, rows, width = args.namespace, A.lengths[1], A.data.shape[2]
  local col = cn.range(1, rows):astype(A.offsets.dtype) + A.offsets:reshape(-1, 1)
  local inside = col:ge(1):logical_and(col:le(math.min(width, A.lengths[2])))
  local data = cn.zeros(col.shape, A.dtype)
  if width > 0 and rows > 0 then
    local moved = cn.take_along_axis(A.data, cn.clip(col, 1, width), 2)
    data = cn.where(inside, moved, data)
  end
  return object.new("dia", {A.lengths[2], rows}, {data = data, offsets = -A.offsets}, A)
end

--- The transpose. That of csr is csc and shares its parts, and the other way round; that of coo shares them too; A.T is
--- the same. Follows scipy.sparse.csr_matrix.transpose, without axes.
---@param copy boolean|nil whether the parts are copied; default false
---@return cuna.SparseMatrix
---@usage cn.sparse.csr_matrix({{1, 0}, {2, 3}}).T.format --> csc
---@usage cn.sparse.csr_matrix({{1, 0}, {2, 3}}):transpose():toarray() --> [[1. 2.] [0. 3.]]
function methods.transpose(A, copy)
  if check.boolean(copy, false, "transpose", "copy") then A = A:copy() end
  if A.format == "dia" then return transpose_dia(A) end
  local own, facts = A.parts, {}
  local parts = {data = own.data, indices = own.indices, indptr = own.indptr, row = own.col, col = own.row}
  A.facts.shared = A.facts.shared or {} -- what is found out of one serves the other
  for name, fact in pairs(A.facts) do facts[name] = fact end
  facts.major = facts.major and 3 - facts.major
  return object.new(object.OTHER[A.format], {A.lengths[2], A.lengths[1]}, parts, A, facts)
end

--- The conjugate of the transpose. Follows scipy.sparse.csr_matrix.getH.
---@return cuna.SparseMatrix
---@usage cn.sparse.csr_matrix({{1, 0}, {2, 3}}):getH():toarray() --> [[1. 2.] [0. 3.]]
function methods.getH(A) return methods.conj(methods.transpose(A)) end

-- ---- facts ----

--- Finds out whether the elements of csr or csc rise, within their lines, and whether each does.
local function find_order(A)
  if not object.MAJOR[A.format] then
    fail("has_sorted_indices and has_canonical_format are of csr and csc, and this is %s", A.format)
  end
  if lines.serve(A.data) then return lines.order_in_lines(A.indptr, A.indices, "has_sorted_indices") end
  local line = coordinates.line(A.indptr, A.indices.size, A.indices.dtype)
  local row, col = line, A.indices
  if A.format == "csc" then row, col = A.indices, line end
  local keys = coordinates.keys(row, col, A.lengths, object.MAJOR[A.format], "has_sorted_indices")
  return coordinates.rises(keys), coordinates.rises(keys, true)
end

local function order_of(A, name)
  if A.facts[name] ~= nil then return A.facts[name] end
  local facts = {}
  facts.is_sorted, facts.is_canonical = find_order(A)
  for fact, value in pairs(facts) do object.remember(A.facts, fact, value) end
  return facts[name]
end

function fields.has_sorted_indices(A) return order_of(A, "is_sorted") end
function fields.has_canonical_format(A) return order_of(A, "is_canonical") end

for name, read in pairs(fields) do object.fields[name] = read end
object.add_methods(methods)
M.methods = methods

return M
