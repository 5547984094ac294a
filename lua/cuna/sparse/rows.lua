--- rows.lua: the product of two sparse matrices in rows.
--
-- A lane takes a part of the rows with as many products as the others have (kernels/sparse_rows.cuh). It visits those
-- of a row twice: to count the columns that have one, and, when all rows have their places, to add the products up. In
-- between it keeps the columns of one row in a table, which has twice the slots that the longest row can need. Where
-- blocks have one lane, a row that is the one before, moved by a column, has its products in the same places.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local object = require "cuna.sparse.object"
local parts_of = require "cuna.sparse.parts"
local slices = require "cuna.base.slices"

local M = {}

local address, in_dtype = parts_of.address, parts_of.in_dtype
local PARTS, PART_WORK = 1024, 4096       -- parts at most where blocks have one lane; rows and products of one at least
local MANY_PARTS = 65536                  -- parts at most elsewhere
local LEAST_SLOTS, MOST_SLOTS = 16, 2 ^ 24 -- of a table; of all tables, unless one alone needs more

-- ---- sizes ----

--- Writes where lines of so many elements begin and end, from 1 on.
local function write_ends(counts, ends, name)
  local rows = counts.size
  core.fill(slices.part(ends, 1, 1, 1), 0, name)
  args.namespace.cumsum(counts, {out = slices.part(ends, 1, 2, rows)})
  ends:add_(1)
  return ends
end

--- Into how many parts rows are cut that have so many elements.
local function parts_of_rows(rows, count, device)
  local parts = core.lanes(device) == 1 and math.min(PARTS, math.floor((rows + count) / PART_WORK)) or MANY_PARTS
  return math.max(1, math.min(parts, rows))
end

--- Writes behind the work of rows which rows of B are those before, moved by one column, where blocks have one lane.
local function mark_moved(work, rows, B, index, name)
  core.fill(slices.part(work, 1, rows + 2, 1), 0, name)
  if core.lanes(B.device) ~= 1 then return end
  local lines = B.lengths[1]
  local parts = parts_of_rows(lines, B.data.size, B.device)
  parts_of.run("sparse::mark_moved", "iinln", nil, index, parts, name, address(in_dtype(B.indices, index, name)),
    address(in_dtype(B.indptr, index, name)), lines, address(work), rows, parts)
end

--- How many products rows have, as ends that count from 1, and the most of one row. What mark_moved writes is behind
--- the ends.
local function work_of(A, B, index, name)
  local rows, lines = A.lengths[1], B.lengths[1]
  local counts = core.empty(rows, "int64", A.device, name)
  local parts = parts_of_rows(rows, A.data.size, A.device)
  local function positions(x) return address(in_dtype(x, index, name)) end
  parts_of.run("sparse::count_work", "iiinl", nil, index, parts, name, positions(A.indices), positions(A.indptr),
    positions(B.indptr), rows, address(counts), parts)
  local work = core.empty(rows + 2 + math.ceil(lines / 8), "int64", A.device, name)
  write_ends(counts, slices.part(work, 1, 1, rows + 1), name)
  mark_moved(work, rows, B, index, name)
  return work, tonumber(counts:max():item())
end

--- Slots of a table: a power of two.
local function slots_for(most, columns)
  local slots = LEAST_SLOTS
  while slots < 2 * math.min(most, columns) do slots = 2 * slots end
  return slots
end

local function parts_for(work, slots, device)
  local parts = core.lanes(device) == 1 and math.min(PARTS, math.floor(work / PART_WORK)) or MANY_PARTS
  return math.max(1, math.min(parts, math.floor(MOST_SLOTS / slots)))
end

--- A new array for elements of a product, and its address, even if there are none; in a rehearsal their number is below
--- 0.
function M.results(size, dtype, device, name)
  local room = core.empty(math.max(size, 1), dtype, device, name)
  return size > 0 and room or core.view(room, {0}, {1}, 0), address(room)
end

--- Indices of both matrices in a dtype.
local function indices_of(A, B, index, name)
  local list = {}
  for k, x in ipairs {A.indices, A.indptr, B.indices, B.indptr} do list[k] = address(in_dtype(x, index, name)) end
  return unpack(list)
end

-- ---- the product ----

--- The product of two csr matrices of one dtype that fit, neither without elements. Elements may be 0.
---@param A cuna.SparseMatrix
---@param B cuna.SparseMatrix
---@return cuna.SparseMatrix csr, sorted, with one element for each position
function M.multiply(A, B, name)
  local cn, rows, columns = args.namespace, A.lengths[1], B.lengths[2]
  if rows * columns > 2 ^ 62 then
    check.fail("%s: a matrix of shape (%.0f, %.0f) has more than 2^62 positions", name, rows, columns)
  end
  local work, most = work_of(A, B, core.promote(A.indices.dtype, B.indices.dtype), name)
  local products = tonumber(work[rows + 1]) - 1
  local slots = slots_for(most, columns)
  local parts = math.min(rows, parts_for(rows + products, slots, A.device))
  local index = core.promote(core.promote(A.indices.dtype, B.indices.dtype),
    object.index_dtype(rows, columns, products + 1))
  local a_indices, a_ends, b_indices, b_ends = indices_of(A, B, index, name)
  local function pass(what, kinds, dtype, words, ...)
    local tables = address(cn.zeros({parts, words}, "int64"))
    parts_of.run("sparse::" .. what, "iiiinnlln" .. kinds, dtype, index, parts, name, a_indices, a_ends, b_indices,
      b_ends, columns, slots, tables, address(work), rows, ...)
  end
  local counts = core.empty(rows, "int64", A.device, name)
  pass("count_products", "l", nil, slots, address(counts), parts)
  local indptr = in_dtype(write_ends(counts, core.empty(rows + 1, "int64", A.device, name), name), index, name)
  local size = tonumber(indptr[rows + 1]) - 1
  local indices, indices_at = M.results(size, index, A.device, name)
  local data, data_at = M.results(size, A.dtype, A.device, name)
  pass("add_products", "ddiid", A.dtype, slots + slots * A.data.itemsize / 8, address(A.data), address(B.data),
    address(indptr), indices_at, data_at, parts)
  local made = object.index_dtype(rows, columns, size + 1)
  return object.new("csr", {rows, columns}, {data = data, indices = in_dtype(indices, made, name),
    indptr = in_dtype(indptr, made, name)}, A, {is_sorted = true, is_canonical = true})
end

return M
