--- product.lua: products of sparse matrices in rows with dense vectors and matrices.
--
-- On a device whose blocks have one lane, a lane takes a part of the rows, and parts have as many rows and elements
-- together (kernels/sparse.cuh). Where blocks have many lanes, 32 of them have as many short rows, whose elements they
-- load together, and share long ones, or pieces of these (kernels/sparse_lanes.cuh; long.lua lists them); of products
-- with matrices a lane has up to 16 bytes of a row. The order of additions is the same.
-- Elements are multiplied and added in the dtype that both operands have in common.
local core = require "cuna.core"
local dtype_facts = require "cuna.base.dtype_facts"
local long = require "cuna.sparse.long"
local object = require "cuna.sparse.object"
local operands = require "cuna.base.operands"
local program = require "cuna.base.program"
local parts_of = require "cuna.sparse.parts"

local M = {}

local address = parts_of.address
local storage, wrapping = dtype_facts.storage, dtype_facts.wrapping
local PARTS, PART_WORK = 1024, 4096 -- parts of a matrix at most, and rows and elements of a part at least
local WARP = core.cut "WARP"
local MOST_AHEAD, BESIDE = 8, 4 -- elements that a lane of a product with a matrix loads at once, and blocks: of an H200
local BLOCKS = {[5] = 5, [6] = 5, [8] = 4} -- that have room on a multiprocessor, by elements that a lane loads at once

-- ---- parts of rows ----

local function draw_parts(draft, dtype, index, what)
  local list = {draft:input(dtype, "address"), draft:input(index, "address"), draft:input(index, "address"),
    draft:input("int64", "scalar"), draft:input(dtype, "address"), draft:input(dtype, "address")}
  if what == "by_matrix" then list[#list + 1] = draft:input("int64", "scalar") end
  local parts = draft:input("int64", "scalar")
  list[#list + 1], list[#list + 2] = draft:position(), parts
  local letters = {}
  for k = 1, #list do letters[k] = string.char(96 + k) end
  draft.gathers, draft.outputs, draft.span_log2 = true, {}, 14
  local function text(type) return ("sparse::%s<%s, %s>(%s)"):format(what, type, index, table.concat(letters, ", ")) end
  draft:step(what, text(storage(dtype)), "bool", list, "int64", text(wrapping(dtype)))
end

--- Addresses of the places of elements, kept for the next product.
local function places_of(A)
  local known = A.facts.places
  if known and rawequal(known.indptr, A.indptr) and rawequal(known.indices, A.indices) then return known end
  known = {indptr = A.indptr, indices = A.indices, at = address(A.indices), ends_at = address(A.indptr)}
  return object.remember(A.facts, "places", known)
end

local function multiply_parts(A, x, out, name)
  local rows, data, own = A.lengths[1], A.data, places_of(A)
  local parts = math.max(1, math.min(PARTS, math.floor((rows + data.size) / PART_WORK)))
  local dtype, index = data.dtype, A.indices.dtype
  if x.ndim == 2 then
    core.map(program.get(dtype .. " matrix " .. index, draw_parts, dtype, index, "by_matrix"), name, {parts}, {},
      address(data), own.at, own.ends_at, rows, address(x), address(out), x.shape[2], parts)
  else
    core.map(program.get(dtype .. " " .. index, draw_parts, dtype, index, "by_vector"), name, {parts}, {},
      address(data), own.at, own.ends_at, rows, address(x), address(out), parts)
  end
end

-- ---- a lane for a row, warps for long ones ----

local function draw_rows(draft, dtype, index, each, gap)
  local list = {}
  for k, kind in ipairs {dtype, index, index, dtype, dtype, "n", index, index, "n", "uint8", "n"} do
    list[k] = draft:input(kind == "n" and "int64" or kind, kind == "n" and "scalar" or "address")
  end
  list[#list + 1] = draft:position()
  draft.gathers, draft.outputs, draft.together = true, {}, BLOCKS[each]
  local text = ("sparse::rows_by_vector<%s, %s, %d, %d>(a, b, c, d, e, f, g, h, i, j, k, l)"):format(storage(dtype),
    index, each, gap)
  draft:step("rows_by_vector", text, "bool", list, "int64")
end

--- How many elements a lane loads at once, and the gap after 16 products: figures of an H200. Eight serve rows of seven
--- or eight elements, of which 32 have more than six a lane; rows of odd lengths begin in different banks anyway.
local function shape_of(A)
  local mean = math.floor(A.data.size / A.lengths[1] + 0.5)
  if A.data.itemsize == 16 then return 5, 1 end
  return (mean == 7 or mean == 8) and 8 or 6, mean % 2 == 1 and 0 or 1
end

local function multiply_rows(A, x, out, name)
  local rows, index, own, listed = A.lengths[1], A.indices.dtype, places_of(A), long.of(A)
  local each, gap = shape_of(A)
  local made = program.get(table.concat({A.dtype, index, each, gap}, " "), draw_rows, A.dtype, index, each, gap)
  local sums, readers = long.sums(A, listed, 1, name), long.readers(listed)
  core.map(made, name, {WARP * (math.ceil(rows / WARP) + readers)}, {}, address(A.data), own.at, own.ends_at,
    address(x), address(out), rows, listed.count, listed.list, listed.room, address(sums or out, "uint8"), readers)
  if sums then long.add_up(A, listed, sums, out, 1, name) end
end

-- ---- a lane for neighbours of a row, of products with matrices ----

local function draw_neighbours(draft, dtype, index, columns, each)
  local list = {}
  for k, kind in ipairs {dtype, index, index, dtype, dtype, "n", "n", index, "n"} do
    list[k] = draft:input(kind == "n" and "int64" or kind, kind == "n" and "scalar" or "address")
  end
  list[#list + 1] = draft:position()
  draft.gathers, draft.outputs, draft.together = true, {}, BESIDE
  local text = ("sparse::rows_by_matrix<%s, %s, %d, %d>(a, b, c, d, e, f, g, h, i, j)"):format(storage(dtype), index,
    columns, each)
  draft:step("rows_by_matrix", text, "bool", list, "int64")
end

--- How many columns a lane has, of 16 bytes at most, and how many elements it loads at once: a row, half of it, ...
local function neighbours_of(A, width)
  local columns, mean = 16 / A.data.itemsize, math.max(1, math.ceil(A.data.size / A.lengths[1]))
  while width % columns ~= 0 do columns = columns / 2 end
  return columns, math.ceil(mean / math.ceil(mean / MOST_AHEAD))
end

local function multiply_neighbours(A, x, out, name)
  local rows, index, width, own, listed = A.lengths[1], A.indices.dtype, x.shape[2], places_of(A), long.of(A)
  local sums, columns, each = long.sums(A, listed, width, name), neighbours_of(A, width)
  local made = program.get(table.concat({A.dtype, index, columns, each}, " "), draw_neighbours, A.dtype, index, columns,
    each)
  core.map(made, name, {rows * (width / columns)}, {}, address(A.data), own.at, own.ends_at, address(x), address(out),
    rows, width, listed.list, sums and 1 or 0)
  if not sums then return end
  long.add_pieces(A, listed, x, sums, name)
  long.add_up(A, listed, sums, out, width, name)
end

-- ---- products ----

--- The product of a csr matrix and a dense vector or matrix of its dtype that fits.
---@param A cuna.SparseMatrix
---@param x cuna.Array of A's dtype
---@param out cuna.Array|nil row-major, other memory than x
---@return cuna.Array
function M.multiply(A, x, name, out)
  local rows, is_matrix = A.lengths[1], x.ndim == 2
  out = out or core.empty(is_matrix and {rows, x.shape[2]} or {rows}, A.dtype, x.device, name)
  if out.size == 0 then return out end
  if A.data.size == 0 then return core.fill(out, 0, name) end
  if core.lanes(x.device) == 1 then
    multiply_parts(A, operands.row_major(x, name), out, name)
  elseif is_matrix then
    multiply_neighbours(A, operands.row_major(x, name), out, name)
  else
    multiply_rows(A, operands.row_major(x, name), out, name)
  end
  return out
end

return M
