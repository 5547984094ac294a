--- index.lua: elements, rows and columns of sparse matrices, and their assignment.
--
-- A key has one part for rows and one for columns, each as a key of a vector; that vector is the one of all positions,
-- so arrays read keys, and check them. Rows and columns are picked line by line; where blocks have one lane, positions
-- in lines are mapped to new ones (lines.lua).
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local convert = require "cuna.sparse.convert"
local coordinates = require "cuna.sparse.coordinates"
local core = require "cuna.core"
local elements = require "cuna.sparse.elements"
local lines = require "cuna.sparse.lines"
local object = require "cuna.sparse.object"
local slices = require "cuna.base.slices"

local M = {}

local fail = check.fail

-- ---- keys ----

--- The two parts of a key; nil for columns: all.
local function parts_of(key)
  if type(key) == "string" then
    local first, second = key:match "^([^,]*),([^,]*)$"
    return first or key, second
  end
  if type(key) ~= "table" or core.is_array(key) then return key, nil end
  local count = table.maxn(key)
  if count > 2 then fail("a sparse matrix has two axes, and the key %d parts", count) end
  return key[1], key[2]
end

--- Whether a part of a key is that of all positions: nil, or {}.
local function is_all(part) return part == nil or type(part) == "table" and next(part) == nil end

--- The positions that a part of a key means, and whether it is an array of positions or a mask.
local function positions_of(part, length)
  if type(part) == "number" and part == math.floor(part) and part ~= 0 and math.abs(part) <= length then
    return args.namespace.full({1}, part > 0 and part or length + 1 + part, "int64"), false
  end
  local all = args.namespace.range(1, length)
  if is_all(part) then return all, false end
  local made = all[type(part) == "table" and {part} or part]
  if not core.is_array(made) then made = core.as_array({made}, "int64", all.device, "index") end
  return made:reshape(-1), core.is_array(part)
end

--- Rows and columns of a key, and whether they are pairs.
local function read_key(A, key)
  local first, second = parts_of(key)
  local rows, by_rows = positions_of(first, A.lengths[1])
  local columns, by_columns = positions_of(second, A.lengths[2])
  return rows, columns, by_rows and by_columns, type(first) == "number" and type(second) == "number"
end

-- ---- reading ----

--- The new positions of an axis, 0 for those that are not picked; the first one of positions side by side; nil if one
--- is picked twice.
local function map_of(positions, length, dtype)
  local cn, count = args.namespace, positions.size
  local map, own = cn.zeros(length, dtype), cn.range(1, count):astype(dtype)
  if count == 0 then return map end
  local first, last = tonumber(positions[1]), tonumber(positions[count])
  if last - first + 1 == count and coordinates.rises(positions, true) then return first end
  map[positions] = own
  return cn.take(map, positions):eq(own):all() and map or nil
end

--- Positions of an axis, of lines along it or across it.
local function pick_lines(A, axis, positions)
  if not object.MAJOR[A.format] then A = convert.to(A, "csr") end
  local major, shape = object.MAJOR[A.format], {A.lengths[1], A.lengths[2]}
  local own = {is_unique = A.facts.is_canonical or nil}
  shape[axis] = positions.size
  local is_sorted = A.has_sorted_indices
  if major == axis then
    own.data, own.indices, own.indptr = lines.chosen(A.indptr, A.indices, A.data, positions, "index")
  else
    local map = map_of(positions, A.lengths[axis], A.indices.dtype)
    if not map then return pick_lines(convert.to(A, object.OTHER[A.format]), axis, positions) end
    own.data, own.indices, own.indptr = lines.mapped(A.indptr, A.indices, A.data, map, positions.size, "index")
    is_sorted = is_sorted and coordinates.rises(positions)
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
  local first, second = parts_of(key)
  local rows, columns, are_pairs, is_element = read_key(A, key)
  if is_element then return elements.at_pairs(A, rows, columns)[1] end
  if are_pairs then return elements.at_pairs(A, paired(rows, columns)) end
  local made = A
  if not is_all(first) then made = pick(made, 1, rows) end
  if not is_all(second) then made = pick(made, 2, columns) end
  return made == A and A:copy() or convert.to(made, A.format)
end

-- ---- writing ----

--- The rows and columns of all positions of a key, as vectors, and their shape.
local function spread(rows, columns, are_pairs)
  if are_pairs then
    rows, columns = paired(rows, columns)
    return rows, columns, {rows.size}
  end
  local cn, shape = args.namespace, {rows.size, columns.size}
  return core.cast(cn.broadcast_to(rows:reshape(-1, 1), shape), nil, "index"):reshape(-1),
    core.cast(cn.broadcast_to(columns, shape), nil, "index"):reshape(-1), shape
end

--- The places of the last of equal keys.
local function last_of(keys)
  local _, first = args.namespace.unique(keys["::-1"], {return_index = true})
  return keys.size + 1 - first
end

--- A[key] = value.
local function set_at(A, key, value)
  local cn = args.namespace
  local rows, columns, are_pairs = read_key(A, key)
  local row, col, shape = spread(rows, columns, are_pairs)
  if object.is(value) then value = value:toarray() end
  value = core.cast(check.array(value, "index", A.device), A.dtype, "index")
  if not are_pairs and value.ndim == 1 and columns.size == 1 and value.size > 1 then value = value:reshape(-1, 1) end
  local joint = check.broadcast(value.shape, shape)
  if not joint or #joint ~= #shape or joint[1] ~= shape[1] or joint[2] ~= shape[2] then
    fail("the key has shape (%s), and the value %s", table.concat(shape, ", "), tostring(value.shape))
  end
  if row.size == 0 then return end
  local keys = coordinates.keys(row, col, A.lengths, 1, "index")
  local last = last_of(keys)
  local list = convert.list_of(A, 1, "index")
  local old = coordinates.keys(list.row, list.col, A.lengths, 1, "index")
  local dtype = list.row.dtype
  local values = core.cast(cn.broadcast_to(value, shape), nil, "index"):reshape(-1)
  local made = elements.joined(coordinates.chosen(list, cn.isin(old, keys):logical_not()), {
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
  return pick(A, 1, (positions_of(check.integer(i, "getrow", "i"), A.lengths[1])))
end

--- Column i, as a matrix of one column. Follows scipy.sparse.csr_matrix.getcol.
---@param i integer
---@return cuna.SparseMatrix csr
---@usage cn.sparse.csr_matrix({{1, 0}, {2, 3}}):getcol(2):toarray() --> [[0.] [3.]]
function methods.getcol(A, i)
  return convert.to(pick(A, 2, (positions_of(check.integer(i, "getcol", "i"), A.lengths[2]))), "csr")
end

object.add_methods(methods)
M.methods = methods

return M
