--- fold.lua: sums, means, extremes and their positions over the axes of sparse matrices; functions that keep zeros.
--
-- A line is a row or column. The greatest element of a line is that of its stored ones, or 0 if others are not stored.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local combine = require "cuna.sparse.combine"
local convert = require "cuna.sparse.convert"
local coordinates = require "cuna.sparse.coordinates"
local core = require "cuna.core"
local dtype_facts = require "cuna.base.dtype_facts"
local given = require "cuna.sparse.given"
local later = require "cuna.base.later"
local lines = require "cuna.sparse.lines"
local object = require "cuna.sparse.object"

local M = {}
local methods = {}

local fail, kind_of = check.fail, dtype_facts.kind_of
local E = later.functions "elementwise"

--- A vector of results along an axis: of a matrix it keeps the axis, of an array it does not.
local function shaped(A, line, axis)
  if A.is_array then return line end
  return axis == 1 and line:reshape(1, -1) or line:reshape(-1, 1)
end

-- ---- sums ----

--- The dtype of sums: integers and bools are summed as int64.
local function sum_dtype(dtype)
  local kind = kind_of[dtype]
  return (kind == "b" or kind == "i") and "int64" or kind == "u" and "uint64" or dtype
end

--- Sums of the lines across an axis, by a product with ones unless lines are read one by one.
local function sums(A, axis, dtype, name)
  local own = axis == 1 and A:transpose() or A
  own = own.dtype == dtype and own or own:astype(dtype)
  if own.format == "csr" and lines.serve(own.data) then
    return lines.sums(own.indptr, own.data, name)
  end
  return combine.by_dense(own, args.namespace.ones(own.lengths[2], dtype), name)
end

local read_sum = args.reader("sum", {"A", "axis", "dtype"})

--- The sum of the elements, or sums over an axis: a dense array, for csr_matrix and its kind of two axes. Follows
--- scipy.sparse.csr_matrix.sum.
---@param axis integer|nil 1: of each column, 2: of each row; default: of all
---@param dtype string|nil
---@return cuna.Array
---@usage cn.sparse.csr_matrix({{1, 0}, {2, 3}}):sum() --> 6.0
---@usage cn.sparse.csr_matrix({{1, 0}, {2, 3}}):sum(1) --> [[3. 3.]]
function methods.sum(...)
  local A, axis, dtype = read_sum(...)
  dtype = check.dtype(dtype, "sum") or sum_dtype(A.dtype)
  if axis == nil then
    local data = A.format == "dia" and coordinates.of(A).data or A.data
    return (data.dtype == dtype and data or core.cast(data, dtype, "sum")):sum()
  end
  axis = core.axis(axis, 2, "sum")
  return shaped(A, sums(A, axis, dtype, "sum"), axis)
end

local read_mean = args.reader("mean", {"A", "axis", "dtype"})

--- The mean of all elements, or means over an axis, as sum. Follows scipy.sparse.csr_matrix.mean.
---@param axis integer|nil
---@param dtype string|nil
---@return cuna.Array
---@usage cn.sparse.csr_matrix({{1, 0}, {2, 3}}):mean(2) --> [[0.5] [2.5]]
function methods.mean(...)
  local A, axis, dtype = read_mean(...)
  local is_whole = kind_of[A.dtype] ~= "f" and kind_of[A.dtype] ~= "c"
  dtype = check.dtype(dtype, "mean") or is_whole and "float64" or A.dtype
  axis = axis ~= nil and core.axis(axis, 2, "mean") or nil
  local count = axis and A.lengths[axis] or A.lengths[1] * A.lengths[2]
  return methods.sum(A, axis, dtype) / count
end

-- ---- extremes ----

local REDUCEAT = {maximum = "maximum_reduceat", minimum = "minimum_reduceat"}

--- Elements in lines across an axis, and how many each has.
local function lines_of(A, axis, name)
  if kind_of[A.dtype] == "c" then fail("%s: complex numbers have no order", name) end
  if A.lengths[axis] == 0 then fail("%s: axis %d has no elements", name, axis) end
  local own = convert.canonical(A, axis == 2 and "csr" or "csc")
  return own, args.namespace.diff(own.indptr)
end

--- The extreme elements of lines, as a dense vector.
local function extremes(own, counts, axis, which)
  local cn = args.namespace
  local values, filled = cn.zeros(counts.size, own.dtype), cn.flatnonzero(counts)
  if filled.size == 0 then return values end
  values[filled] = cn[REDUCEAT[which]](own.data, cn.take(own.indptr, filled))
  return cn.where(counts:lt(own.lengths[axis]), E[which](values, cn.zeros({}, own.dtype)), values)
end

--- The extreme element of all: of those that are stored, and 0 if others are not.
local function extreme_of_all(A, which, name)
  if kind_of[A.dtype] == "c" then fail("%s: complex numbers have no order", name) end
  local data = (object.MAJOR[A.format] and convert.canonical(A) or convert.list_of(A, 1, name)).data
  local zero = args.namespace.zeros({}, A.dtype)
  if data.size == 0 then return zero end
  local found = which == "maximum" and data:max() or data:min()
  return data.size < A.lengths[1] * A.lengths[2] and E[which](found, zero) or found
end

local function extreme(which, name)
  local read = args.reader(name, {"A", "axis"})
  return function(...)
    local A, axis = read(...)
    if axis == nil then
      if A.lengths[1] * A.lengths[2] == 0 then fail("%s: the matrix has no elements", name) end
      return extreme_of_all(A, which, name)
    end
    axis = core.axis(axis, 2, name)
    local own, counts = lines_of(A, axis, name)
    local line = extremes(own, counts, axis, which)
    local made = given.matrix(axis == 1 and line:reshape(1, -1) or line:reshape(-1, 1), "coo", nil, nil, name)
    return object.new("coo", made.lengths, made, A, made.facts)
  end
end

--- The greatest element, or those over an axis as a coo matrix; elements that are not stored are 0. Follows
--- scipy.sparse.csr_matrix.max.
---@param axis integer|nil
---@return cuna.Array|cuna.SparseMatrix
---@usage cn.sparse.csr_matrix({{1, 0}, {2, 3}}):max(), cn.sparse.csr_matrix({{1, 0}}):max(1).data --> 3.0, [1.]
methods.max = extreme("maximum", "max")

--- The least element, or those over an axis as a coo matrix, as max. Follows scipy.sparse.csr_matrix.min.
---@param axis integer|nil
---@return cuna.Array|cuna.SparseMatrix
---@usage cn.sparse.csr_matrix({{1, 0}, {2, 3}}):min() --> 0.0
methods.min = extreme("minimum", "min")

-- ---- their positions ----

--- The first position of each line, from 1, where a mask of stored elements is true; `none` where it never is.
local function first_where(line, places, mask, count, none)
  local first, chosen = args.namespace.full({count}, none, "int64"), args.namespace.flatnonzero(mask)
  if chosen.size > 0 then
    first:minimum_at(args.namespace.take(line, chosen), args.namespace.take(places, chosen):astype "int64")
  end
  return first
end

--- First positions of extremes in lines: of a stored element, or of the first one that is not stored.
local function places_of(own, counts, axis, which)
  local cn, length = args.namespace, own.lengths[axis]
  local values = extremes(own, counts, axis, which)
  local line = coordinates.line(own.indptr, own.indices.size, "int64")
  local is_one = own.data:eq(cn.take(values, line))
  if kind_of[own.dtype] == "f" then is_one = is_one:logical_or(own.data:isnan()) end
  local stored = first_where(line, own.indices, is_one, counts.size, length + 1)
  local rank = cn.range(1, line.size) - cn.take(own.indptr, line) + 1
  local gap = first_where(line, rank, rank:ne(own.indices), counts.size, length + 1)
  gap = cn.minimum(gap, counts:astype "int64" + 1)
  return cn.where(values:eq(0):logical_and(counts:lt(length)), cn.minimum(stored, gap), stored), values
end

--- Whether an extreme of stored elements is one of all, whatever others there are: NaN is the extreme of all.
local function is_beyond_zero(value, which)
  if type(value) == "boolean" then return value and which == "maximum" end
  if value ~= value then return true end
  if which == "maximum" then return value > 0 end
  return value < 0
end

--- The position of the extreme of all elements of csr, in row-major order; nil if elements that are not stored count.
local function place_of_stored(own, which)
  local data, is_full = own.data, own.data.size == own.lengths[1] * own.lengths[2]
  if data.size == 0 or core.is_preparing() then return nil end
  local at = tonumber((which == "maximum" and data:argmax() or data:argmin()):item())
  if not is_full and not is_beyond_zero(data[at], which) then return nil end
  local row = tonumber(args.namespace.searchsorted(own.indptr, at, "right"):item()) - 1
  return (row - 1) * own.lengths[2] + tonumber(own.indices[at])
end

local function arg_extreme(which, name)
  local read = args.reader(name, {"A", "axis"})
  return function(...)
    local A, axis = read(...)
    axis = axis ~= nil and core.axis(axis, 2, name) or nil
    local own, counts = lines_of(A, axis or 2, name)
    local found = not axis and place_of_stored(own, which)
    if found then return found end
    local places, values = places_of(own, counts, axis or 2, which)
    if axis then return shaped(A, places, axis) end
    local row = which == "maximum" and values:argmax():item() or values:argmin():item()
    if core.is_preparing() then return row end
    return (row - 1) * A.lengths[2] + tonumber(places[row])
  end
end

--- The position of the greatest element, from 1: of all in row-major order, or in each line over an axis. Follows
--- scipy.sparse.csr_matrix.argmax.
---@param axis integer|nil
---@return integer|cuna.Array
---@usage cn.sparse.csr_matrix({{1, 0}, {2, 3}}):argmax() --> 4
---@usage cn.sparse.csr_matrix({{1, 0}, {2, 3}}):argmax(2) --> [[1] [2]]
methods.argmax = arg_extreme("maximum", "argmax")

--- The position of the least element, as argmax. Follows scipy.sparse.csr_matrix.argmin.
---@param axis integer|nil
---@return integer|cuna.Array
---@usage cn.sparse.csr_matrix({{1, 0}, {2, 3}}):argmin() --> 2
methods.argmin = arg_extreme("minimum", "argmin")

-- ---- functions that keep zeros ----

--- The matrix with one element for each position, in its format.
local function deduped(A)
  if object.MAJOR[A.format] then return convert.canonical(A) end
  return A.format == "coo" and coordinates.coo(convert.list_of(A, 1, "coo"), A) or A
end

--- The square root of each element; also sin tan arcsin arctan sinh tanh arcsinh arctanh expm1 log1p ceil floor rint
--- trunc sign deg2rad rad2deg abs: functions that keep zeros. Follows scipy.sparse.csr_matrix.sqrt.
---@return cuna.SparseMatrix
---@usage cn.sparse.csr_matrix({{4, 0}, {9, 16}}):sqrt():toarray() --> [[2. 0.] [3. 4.]]
function methods.sqrt(A)
  local made = deduped(A)
  return convert.with_data(made, E.sqrt(made.data))
end

for name in ("sin tan arcsin arctan sinh tanh arcsinh arctanh expm1 log1p ceil floor rint trunc sign deg2rad rad2deg "
  .. "abs"):gmatch "%S+" do
  methods[name] = function(A)
    local made = deduped(A)
    return convert.with_data(made, E[name](made.data))
  end
end

object.add_methods(methods)
M.methods = methods

return M
