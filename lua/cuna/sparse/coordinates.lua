--- coordinates.lua: lists of elements by row and column: sorted, with sums of elements at one position, as lines.
--
-- A list is {row, col, data, shape, major, is_unique}: arrays of one length, the axis (1 rows, 2 columns) by which the
-- elements are sorted, first by that axis, then by the other one (nil if they are not known to be), and whether no
-- position is there twice. Where blocks have one lane, elements are counted by lines (lines.lua); elsewhere one number
-- for each position is sorted.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local later = require "cuna.base.later"
local lines = require "cuna.sparse.lines"
local object = require "cuna.sparse.object"
local slices = require "cuna.base.slices"

local M = {}

local fail = check.fail
local rearrange = later.functions "rearrange"
local MOST_PLACES = 2 ^ 62

---@class cuna.Coordinates

--- One number for each position: elements are in order where these numbers rise.
---@param shape integer[]
---@param major integer
function M.keys(row, col, shape, major, name)
  if shape[1] * shape[2] > MOST_PLACES then
    fail("%s: a matrix of shape (%.0f, %.0f) has more than 2^62 positions", name, shape[1], shape[2])
  end
  local first, second = row, col
  if major == 2 then first, second = col, row end
  return (core.cast(first, "int64", name) - 1) * shape[3 - major] + second
end

--- Rows and columns of such numbers.
function M.places(keys, shape, major, dtype)
  local length = math.max(shape[3 - major], 1)
  local first = (keys - 1):floor_divide(length)
  local second = keys - first * length
  first, second = (first + 1):astype(dtype), second:astype(dtype)
  if major == 2 then return second, first end
  return first, second
end

--- Whether elements of an array rise, all or (`strictly`) each.
function M.rises(x, strictly)
  if x.size < 2 then return true end
  local before, after = slices.part(x, 1, 1, x.size - 1), slices.part(x, 1, 2, x.size - 1)
  return (after[strictly and "gt" or "ge"](after, before)):all()
end

local function picked(list, order, major)
  local cn = args.namespace
  return {row = cn.take(list.row, order), col = cn.take(list.col, order), data = cn.take(list.data, order),
    shape = list.shape, major = major}
end

--- The list, which is sorted by the other axis, sorted by this one: where the sort is stable one axis is enough.
local function turned(list, major)
  local made = picked(list, args.namespace.argsort(major == 1 and list.row or list.col), major)
  made.is_unique = list.is_unique
  return made
end

--- Elements by row and column in lines along an axis, and the other way round.
local function turn(row, col, major)
  if major == 2 then return col, row end
  return row, col
end

--- The list as lines along an axis, whose elements rise; a list that has this order is not touched.
---@return table {data, indices, indptr, positions (how many each line has), is_unique}; the last two may be nil
local function in_lines(list, major, name)
  local line, indices = turn(list.row, list.col, major)
  local count, length = list.data.size, list.shape[major]
  local index = object.index_dtype(list.shape[1], list.shape[2], count + 1)
  local rises, strictly = list.major == major, list.is_unique
  if not list.major then rises, strictly = lines.order_of_pairs(line, indices, name) end
  if rises then
    return {data = list.data, indices = indices, indptr = lines.begins(line, length, index, name), line = line,
      is_unique = list.is_unique or strictly}
  end
  local data, others, indptr, positions = lines.turned(line, {others = indices}, list.data, length, index, name)
  return {data = data, indices = others, indptr = indptr, positions = positions, is_unique = list.is_unique}
end

--- Sums of neighbours from positions on; of bools, whether one is true.
local function sums(data, starts)
  local cn = args.namespace
  if data.dtype == "bool" then return cn.add_reduceat(data, starts):ne(0) end
  return cn.add_reduceat(data, starts):astype(data.dtype)
end

--- Lines with one element for each position, the sum of those that were there.
---@param own table {data, indices, indptr, positions, is_unique}, elements of lines rise
function M.once(own, name)
  if own.is_unique then return own end
  local positions = own.positions or select(3, lines.sorted(own.indptr, own.indices, own.data, name))
  if tonumber(positions:sum():item()) == own.data.size then
    own.is_unique = true
    return own
  end
  local indices, starts, indptr = lines.firsts(own.indptr, own.indices, positions, name)
  return {data = sums(own.data, starts), indices = indices, indptr = indptr, is_unique = true}
end

--- A list of lines.
local function of_lines(own, shape, major)
  local list = {data = own.data, shape = shape, major = major, is_unique = own.is_unique, indptr = own.indptr}
  local line = own.line or M.line(own.indptr, own.data.size, own.indices.dtype)
  list.row, list.col = turn(line, own.indices, major)
  return list
end

--- The list sorted by an axis.
---@param list cuna.Coordinates
---@param major integer
function M.sorted(list, major, name)
  if list.major == major then return list end
  if lines.serve(list.data) then return of_lines(in_lines(list, major, name), list.shape, major) end
  if list.major then return turned(list, major) end
  local keys = M.keys(list.row, list.col, list.shape, major, name)
  local made
  if M.rises(keys) then
    made = {row = list.row, col = list.col, data = list.data, shape = list.shape, major = major}
  else
    local order = args.namespace.argsort(keys)
    made = picked(list, order, major)
    keys = args.namespace.take(keys, order)
  end
  made.is_unique, made.keys = list.is_unique, keys
  return made
end

--- The list sorted by an axis, with one element for each position: the sum of those that were there.
function M.summed(list, major, name)
  if lines.serve(list.data) then
    if list.major == major and list.is_unique then return list end
    return of_lines(M.once(in_lines(list, major, name), name), list.shape, major)
  end
  local cn = args.namespace
  local made = M.sorted(list, major, name)
  if made.is_unique then return made end
  local keys = made.keys or M.keys(made.row, made.col, made.shape, major, name)
  if M.rises(keys, true) then
    made.is_unique = true
    return made
  end
  local differ = cn.concatenate {cn.ones(1, "bool"),
    slices.part(keys, 1, 2, keys.size - 1):ne(slices.part(keys, 1, 1, keys.size - 1))}
  local starts = cn.flatnonzero(differ)
  return {row = cn.take(made.row, starts), col = cn.take(made.col, starts), data = sums(made.data, starts),
    shape = made.shape, major = major, is_unique = true, keys = cn.take(keys, starts)}
end

--- The elements of a list where a mask is true.
function M.chosen(list, mask)
  if mask:all() then return list end
  local made = picked(list, args.namespace.flatnonzero(mask), list.major)
  made.is_unique = list.is_unique
  return made
end

--- Where the elements of each position of an axis begin, from 1, for positions that rise.
---@param line cuna.Array positions
---@param length integer of the axis
function M.pointers(line, length, dtype)
  if lines.serve(line) then return lines.begins(line, length, dtype, "pointers") end
  local cn = args.namespace
  return cn.searchsorted(line, cn.range(1, length + 1):astype(line.dtype)):astype(dtype)
end

--- The positions that pointers stand for, of `count` elements.
function M.line(indptr, count, dtype)
  local length = indptr.size - 1
  local ends = core.cast(slices.part(indptr, 1, 2, length), "int64", "line") - 1
  return rearrange.repeated(args.namespace.range(1, length):astype(dtype), ends, count, "line")
end

-- ---- matrices ----

local READERS = {}

function READERS.coo(A)
  return {row = A.row, col = A.col, major = A.facts.major, is_unique = A.facts.is_canonical or nil}
end

local function read_lines(A)
  local line = M.line(A.indptr, A.indices.size, A.indices.dtype)
  local list = {is_unique = A.facts.is_canonical or nil, major = A.has_sorted_indices and object.MAJOR[A.format] or nil}
  list.row, list.col = line, A.indices
  if A.format == "csc" then list.row, list.col = A.indices, line end
  return list
end

READERS.csr, READERS.csc = read_lines, read_lines

--- Of dia: without zeros, and without what is beside the matrix.
function READERS.dia(A)
  local cn = args.namespace
  local rows, columns = A.lengths[1], A.lengths[2]
  local dtype = object.index_dtype(rows, columns)
  local col = cn.broadcast_to(cn.range(1, A.data.shape[2]):astype(dtype), A.data.shape)
  local row = col - A.offsets:reshape(-1, 1)
  local inside = row:ge(1):logical_and(row:le(rows)):logical_and(col:le(columns)):logical_and(A.data:ne(0))
  return {row = row[inside]:astype(dtype), col = col[inside], data = A.data[inside], is_unique = true}
end

--- The elements of a matrix.
---@param A cuna.SparseMatrix
---@return cuna.Coordinates
function M.of(A)
  local list = READERS[A.format](A)
  list.data, list.shape = list.data or A.data, A.lengths
  return list
end

--- A coo matrix of a list.
function M.coo(list, like)
  return object.new("coo", list.shape, list, like, {major = list.major, is_canonical = list.is_unique})
end

--- A csr or csc matrix of lines whose elements rise.
---@param own table {data, indices, indptr, is_unique}
function M.of_parts(own, shape, format, like, name)
  local dtype = object.index_dtype(shape[1], shape[2], own.data.size + 1)
  local function in_dtype(x) return x.dtype == dtype and x or core.cast(x, dtype, name) end
  return object.new(format, shape, {data = own.data, indices = in_dtype(own.indices), indptr = in_dtype(own.indptr)},
    like, {is_sorted = true, is_canonical = own.is_unique})
end

--- A csr or csc matrix in the other one of the two formats. What is at one position twice stays twice.
function M.turned(A, format, name)
  local length = A.lengths[object.MAJOR[format]]
  local index = object.index_dtype(A.lengths[1], A.lengths[2], A.data.size + 1)
  local own = {is_unique = A.facts.is_canonical or nil}
  own.data, own.indices, own.indptr = lines.turned(A.indices, {indptr = A.indptr}, A.data, length, index, name)
  return M.of_parts(own, A.lengths, format, A, name)
end

--- A csr or csc matrix whose elements are in order. What is at one position twice stays twice.
function M.in_order(A, name)
  local own = {indptr = A.indptr, is_unique = A.facts.is_canonical or nil}
  own.data, own.indices, own.positions = lines.sorted(A.indptr, A.indices, A.data, name)
  return own
end

--- A csr or csc matrix of a list. Elements at one position are summed, or stay in line.
---@param stays boolean|nil
function M.compressed(list, format, like, name, stays)
  local major = object.MAJOR[format]
  if lines.serve(list.data) then
    local own = in_lines(list, major, name)
    return M.of_parts(stays and own or M.once(own, name), list.shape, format, like, name)
  end
  local made = (stays and M.sorted or M.summed)(list, major, name)
  local line, indices = made.row, made.col
  if major == 2 then line, indices = made.col, made.row end
  local dtype = object.index_dtype(made.shape[1], made.shape[2], made.data.size + 1)
  return object.new(format, made.shape, {data = made.data, indices = indices:astype(dtype),
    indptr = M.pointers(line, made.shape[major], dtype)}, like, {is_sorted = true, is_canonical = made.is_unique})
end

return M
