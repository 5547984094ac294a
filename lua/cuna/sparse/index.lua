--- index.lua: elements, rows and columns of sparse matrices, and their assignment.
--
-- Rows and columns are picked line by line; where blocks have one lane, positions in lines are mapped to new ones
-- (lines.lua).
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local convert = require "cuna.sparse.convert"
local coordinates = require "cuna.sparse.coordinates"
local core = require "cuna.core"
local elements = require "cuna.sparse.elements"
local keys = require "cuna.sparse.keys"
local lines = require "cuna.sparse.lines"
local object = require "cuna.sparse.object"
local slices = require "cuna.base.slices"

local M = {}

local fail = check.fail

-- ---- reading ----

--- The new positions of an axis, 0 for those that are not picked; nil if one is picked twice.
local function table_of(positions, length, dtype)
  local cn, count = args.namespace, positions.size
  local map, own = cn.zeros(length, dtype), cn.range(1, count):astype(dtype)
  if count == 0 then return map end
  map[positions] = own
  return cn.take(map, positions):eq(own):all() and map or nil
end

--- The same; the first one of positions side by side.
local function map_of(positions, length, dtype)
  local first = keys.first_of(positions)
  if first then return first end
  positions = keys.array(positions)
  local count = positions.size
  first = count > 0 and tonumber(positions[1])
  if first and tonumber(positions[count]) - first + 1 == count and coordinates.rises(positions, true) then
    return first
  end
  return table_of(positions, length, dtype)
end

--- Lines at positions, one after the other.
local function lines_at(A, positions)
  local first = keys.first_of(positions)
  if first then return lines.between(A.indptr, A.indices, A.data, first, positions.count) end
  return lines.chosen(A.indptr, A.indices, A.data, keys.array(positions), "index")
end

--- Positions of an axis, of lines along it or across it.
local function pick_lines(A, axis, positions)
  if not object.MAJOR[A.format] then A = convert.to(A, "csr") end
  local major, shape = object.MAJOR[A.format], {A.lengths[1], A.lengths[2]}
  local own = {is_unique = A.facts.is_canonical or nil}
  shape[axis] = keys.count(positions)
  local is_sorted = A.has_sorted_indices
  if major == axis then
    own.data, own.indices, own.indptr = lines_at(A, positions)
  else
    local map = map_of(positions, A.lengths[axis], A.indices.dtype)
    if not map then return pick_lines(convert.to(A, object.OTHER[A.format]), axis, positions) end
    own.data, own.indices, own.indptr = lines.mapped(A.indptr, A.indices, A.data, map, shape[axis], "index")
    is_sorted = is_sorted and keys.rise(positions)
  end
  local made = coordinates.of_parts(own, shape, A.format, A, "index")
  made.facts.is_sorted = is_sorted
  made:sort_indices()
  return made
end

--- Positions of an axis, in line, as a list of elements.
local function pick(A, axis, positions)
  if lines.serve(A.data) then return pick_lines(A, axis, positions) end
  local cn = args.namespace
  positions = keys.array(positions)
  local along = convert.to(A, axis == 1 and "csr" or "csc")
  local length = along.lengths[axis]
  local begins = cn.take(slices.part(along.indptr, 1, 1, length), positions)
  local counts = (cn.take(slices.part(along.indptr, 1, 2, length), positions) - begins):astype "int64"
  local line = cn.repeat_interleave(cn.range(1, positions.size), counts)
  local place = cn.range(1, line.size) - cn.take(cn.cumsum(counts) - counts, line) + cn.take(begins, line) - 1
  local shape = {A.lengths[1], A.lengths[2]}
  shape[axis] = positions.size
  local list = {shape = shape, data = cn.take(along.data, place), is_unique = along.facts.is_canonical or nil,
    major = along.has_sorted_indices and axis or nil}
  line = line:astype(along.indices.dtype)
  local indices = cn.take(along.indices, place)
  list.row, list.col = line, indices
  if axis == 2 then list.row, list.col = indices, line end
  return coordinates.compressed(list, axis == 1 and "csr" or "csc", A, "index", true)
end

--- Vectors of pairs, which broadcast.
local function paired(rows, columns)
  rows, columns = keys.array(rows), keys.array(columns)
  if rows.size == columns.size then return rows, columns end
  if rows.size ~= 1 and columns.size ~= 1 then
    fail("a key has %d rows and %d columns; arrays of positions are pairs", rows.size, columns.size)
  end
  local count = rows.size == 1 and columns.size or rows.size
  local cn = args.namespace
  return core.cast(cn.broadcast_to(rows, {count}), nil, "index"),
    core.cast(cn.broadcast_to(columns, {count}), nil, "index")
end

--- A[key].
local function at(A, key)
  local first, second = keys.parts_of(key)
  local rows, columns, are_pairs, is_element = keys.both(A, key)
  if is_element then return elements.at_pairs(A, keys.array(rows), keys.array(columns))[1] end
  if are_pairs then return elements.at_pairs(A, paired(rows, columns)) end
  local made = A
  if not keys.is_all(first) then made = pick(made, 1, rows) end
  if not keys.is_all(second) then made = pick(made, 2, columns) end
  return made == A and A:copy() or convert.to(made, A.format)
end

-- ---- writing ----

--- The rows and columns of all positions of a key, as vectors, and their shape.
local function spread(rows, columns, are_pairs)
  if are_pairs then
    rows, columns = paired(rows, columns)
    return rows, columns, {rows.size}
  end
  rows, columns = keys.array(rows), keys.array(columns)
  local cn, shape = args.namespace, {rows.size, columns.size}
  return core.cast(cn.broadcast_to(rows:reshape(-1, 1), shape), nil, "index"):reshape(-1),
    core.cast(cn.broadcast_to(columns, shape), nil, "index"):reshape(-1), shape
end

--- The places of the last of equal keys.
local function last_of(places)
  local _, first = args.namespace.unique(places["::-1"], {return_index = true})
  return places.size + 1 - first
end

--- A[key] = value.
local function set_at(A, key, value)
  local cn = args.namespace
  local rows, columns, are_pairs = keys.both(A, key)
  local row, col, shape = spread(rows, columns, are_pairs)
  if object.is(value) then value = value:toarray() end
  if type(value) == "boolean" then value = cn.full({}, value, "bool") end
  value = core.cast(check.array(value, "index", A.device), A.dtype, "index")
  if not are_pairs and value.ndim == 1 and value.size > 1 and keys.count(columns) == 1 then
    value = value:reshape(-1, 1)
  end
  local joint = check.broadcast(value.shape, shape)
  if not joint or #joint ~= #shape or joint[1] ~= shape[1] or joint[2] ~= shape[2] then
    fail("the key has shape (%s), and the value %s", table.concat(shape, ", "), tostring(value.shape))
  end
  if row.size == 0 then return end
  local wanted = coordinates.keys(row, col, A.lengths, 1, "index")
  local last = last_of(wanted)
  local list = convert.list_of(A, 1, "index")
  local old = coordinates.keys(list.row, list.col, A.lengths, 1, "index")
  local dtype = list.row.dtype
  local values = core.cast(cn.broadcast_to(value, shape), nil, "index"):reshape(-1)
  local made = elements.joined(coordinates.chosen(list, cn.isin(old, wanted):logical_not()), {
    row = cn.take(row, last):astype(dtype), col = cn.take(col, last):astype(dtype), data = cn.take(values, last)})
  made.is_unique = true
  object.replace(A, convert.of_list(made, A.format, A))
end

object.read_at, object.write_at = object.on_device(at), object.on_device(set_at)

-- ---- rows and columns ----

local methods = {}

--- Row i, as a matrix of one row. Follows scipy.sparse.csr_matrix.getrow.
---@param i integer
---@return cuna.SparseMatrix csr
---@usage cn.sparse.csr_matrix({{1, 0}, {2, 3}}):getrow(2):toarray() --> [[2. 3.]]
function methods.getrow(A, i)
  return convert.to(pick(A, 1, (keys.read(check.integer(i, "getrow", "i"), A.lengths[1]))), "csr")
end

--- Column i, as a matrix of one column. Follows scipy.sparse.csr_matrix.getcol.
---@param i integer
---@return cuna.SparseMatrix csr
---@usage cn.sparse.csr_matrix({{1, 0}, {2, 3}}):getcol(2):toarray() --> [[0.] [3.]]
function methods.getcol(A, i)
  return convert.to(pick(A, 2, (keys.read(check.integer(i, "getcol", "i"), A.lengths[2]))), "csr")
end

object.add_methods(methods)
M.methods = methods

return M
