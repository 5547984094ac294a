--- product.lua: products of sparse matrices in rows with dense vectors and matrices.
--
-- On a device whose blocks have one lane, a lane takes a part of the rows, and parts have as many rows and elements
-- together (kernels/sparse.cuh). Where blocks have many lanes, 32 of them have as many short rows, whose elements they
-- load together, or share a long one, or a piece of it (kernels/sparse_lanes.cuh). The order of additions is the same.
-- Elements are multiplied and added in the dtype that both operands have in common.
local args = require "cuna.base.args"
local core = require "cuna.core"
local dtype_facts = require "cuna.base.dtype_facts"
local object = require "cuna.sparse.object"
local operands = require "cuna.base.operands"
local program = require "cuna.base.program"
local slices = require "cuna.base.slices"
local parts_of = require "cuna.sparse.parts"
local with = require "cuna.base.with"

local M = {}

local address, sum_dtype = parts_of.address, parts_of.sum_dtype
local storage, wrapping = dtype_facts.storage, dtype_facts.wrapping
local PARTS, PART_WORK = 1024, 4096 -- parts of a matrix at most, and rows and elements of a part at least
local WARP, SEGMENT, PIECE = 32, 32, 1024 -- lanes; products of a row that one of them adds, and that all do
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

--- What is kept under a name with the places of elements for the next product; else made(A).
local function kept(A, name, made)
  local known = A.facts[name]
  if known and rawequal(known.indptr, A.indptr) and rawequal(known.indices, A.indices) then return known end
  known = made(A)
  known.indptr, known.indices, known.at, known.ends_at = A.indptr, A.indices, address(A.indices), address(A.indptr)
  return object.remember(A.facts, name, known)
end

local function nothing_more() return {} end

local function multiply_parts(A, x, out, name)
  local rows, data, own = A.lengths[1], A.data, kept(A, "places", nothing_more)
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

-- ---- long rows ----

--- Where rows begin, and where they end, as views.
local function ends_of(A)
  local rows = A.lengths[1]
  return slices.part(A.indptr, 1, 1, rows), slices.part(A.indptr, 1, 2, rows)
end

--- The pieces of rows that are cut: their rows, where they begin and end, and how many are before each row's first.
local function cut(A, rows, lengths)
  local cn = args.namespace
  local counts = (lengths:astype "int64" + (PIECE - 1)):floor_divide(PIECE)
  local ends = cn.concatenate {cn.zeros(1, "int64"), cn.cumsum(counts)}
  local line = cn.repeat_interleave(cn.range(1, rows.size), counts)
  local of = cn.take(rows, line)
  local first = cn.take(A.indptr, of) + (cn.arange(line.size) - cn.take(ends, line)) * PIECE
  return of, first, cn.minimum(first + PIECE, cn.take(A.indptr, of + 1)), ends
end

--- Rows of more than a segment: those of a piece at most, `whole`, and pieces of longer ones.
local function long_rows(A)
  local cn, index, first, last = args.namespace, A.indices.dtype, ends_of(A)
  local lengths = last - first
  local rows = cn.flatnonzero(lengths:gt(SEGMENT))
  local known = {whole = 0, pieces = 0, cut = 0, first = address(A.indptr), last = address(A.indptr),
    places = address(A.indptr, "int64")}
  if rows.size == 0 then return known end
  lengths = cn.take(lengths, rows)
  local is_cut = lengths:gt(PIECE)
  local whole, longer = cn.compress(is_cut:logical_not(), rows), cn.compress(is_cut, rows)
  local of, from, to, ends = cut(A, longer, cn.compress(is_cut, lengths))
  known.whole, known.cut, known.pieces = whole.size, longer.size, whole.size + of.size
  known.cut_first, known.cut_last = from:astype(index), to:astype(index)
  known.rows, known.ends = address(longer), address(ends)
  known.places = address(cn.concatenate {whole, of})
  known.first = address(cn.concatenate {cn.take(A.indptr, whole), known.cut_first})
  known.last = address(cn.concatenate {cn.take(A.indptr, whole + 1), known.cut_last})
  return known
end

local function long_there(A) return with.on(A.device, long_rows, A) end

--- What products of many lanes read of the places of elements. The first product waits for the device.
local function long_of(A) return kept(A, "long", long_there) end

local function draw_pieces(draft, dtype)
  local list = {draft:input(sum_dtype(dtype), "address"), draft:input("int64", "address"),
    draft:input("int64", "address"), draft:input(dtype, "address"), draft:input("int64", "scalar"),
    draft:input("int64", "scalar"), draft:position()}
  draft.gathers, draft.outputs, draft.together = true, {}, 1
  local text = ("sparse::add_pieces<%s>(a, b, c, d, e, f, g)"):format(storage(dtype))
  draft:step("add_pieces", text, "bool", list, "int64")
end

--- Writes the products of rows that were cut from those of pieces.
local function add_pieces(A, own, sums, out, width, name)
  core.map(program.get(A.dtype, draw_pieces, A.dtype), name, {WARP * own.cut * width}, {}, address(sums), own.ends,
    own.rows, address(out), width, own.cut)
end

-- ---- a lane for a row, a warp for a long one ----

local function draw_rows(draft, dtype, index, each, gap)
  local list = {draft:input(dtype, "address"), draft:input(index, "address"), draft:input(index, "address"),
    draft:input(dtype, "address"), draft:input(dtype, "address"), draft:input("int64", "scalar"),
    draft:input(index, "address"), draft:input(index, "address"), draft:input("int64", "address"),
    draft:input("uint8", "address"), draft:input("int64", "scalar"), draft:input("int64", "scalar"), draft:position()}
  draft.gathers, draft.outputs, draft.together = true, {}, BLOCKS[each]
  local text = ("sparse::rows_by_vector<%s, %s, %d, %d>(a, b, c, d, e, f, g, h, i, j, k, l, m)"):format(storage(dtype),
    index, each, gap)
  draft:step("rows_by_vector", text, "bool", list, "int64")
end

--- How many elements a lane loads at once, and the gap after 16 products: figures of an H200. Eight serve rows of seven
--- or eight elements, of which 32 have more than six a lane, and rows of seven begin in different banks without a gap.
local function shape_of(A)
  local mean = math.floor(A.data.size / A.lengths[1] + 0.5)
  if A.data.itemsize == 16 then return 5, 1 end
  return (mean == 7 or mean == 8) and 8 or 6, mean == 7 and 0 or 1
end

local function multiply_rows(A, x, out, name)
  local rows, index, own = A.lengths[1], A.indices.dtype, long_of(A)
  local each, gap = shape_of(A)
  local made = program.get(table.concat({A.dtype, index, each, gap}, " "), draw_rows, A.dtype, index, each, gap)
  local pieces = own.pieces - own.whole
  local sums = pieces > 0 and core.empty(pieces, sum_dtype(A.dtype), A.device, name) or out
  core.map(made, name, {WARP * (math.ceil(rows / WARP) + own.pieces)}, {}, address(A.data), own.at, own.ends_at,
    address(x), address(out), rows, own.first, own.last, own.places, address(sums, "uint8"), own.whole, own.pieces)
  if pieces > 0 then add_pieces(A, own, sums, out, 1, name) end
end

-- ---- a lane for an element ----

local function draw_elements(draft, dtype, index, result)
  local list = {draft:input(dtype, "address"), draft:input(index, "address"), draft:input(dtype, "address"),
    draft:input("int64", "scalar"), draft:input(index), draft:input(index)}
  draft.gathers = true
  local text = ("sparse::element<%s, %s>(a, b, c, d, e, f)"):format(storage(dtype), index)
  draft:step("element", text, result, list, "int64")
  draft.output = result
end

--- Writes the products of rows, or pieces, with a matrix.
local function write_elements(A, x, out, first, last, name)
  local index = A.indices.dtype
  local made = program.get(table.concat({A.dtype, index, out.dtype}, " "), draw_elements, A.dtype, index, out.dtype)
  core.map(made, name, nil, out, address(A.data), address(A.indices), slices.at(x, 1, 1), x.strides[1],
    core.with_axis(first, 2), core.with_axis(last, 2))
end

local function multiply_elements(A, x, out, name)
  local own, width = long_of(A), x.shape[2]
  local first, last = ends_of(A)
  write_elements(A, x, out, first, last, name)
  if own.cut == 0 then return end
  local sums = core.empty({own.pieces - own.whole, width}, sum_dtype(A.dtype), A.device, name)
  write_elements(A, x, sums, own.cut_first, own.cut_last, name)
  add_pieces(A, own, sums, out, width, name)
end

-- ---- products ----

--- The product of a csr matrix and a dense vector or matrix of its dtype that fits.
---@param A cuna.SparseMatrix
---@param x cuna.Array of A's dtype
---@return cuna.Array
function M.multiply(A, x, name)
  local rows, is_matrix = A.lengths[1], x.ndim == 2
  local out = core.empty(is_matrix and {rows, x.shape[2]} or {rows}, A.dtype, x.device, name)
  if out.size == 0 then return out end
  if A.data.size == 0 then return core.fill(out, 0, name) end
  if core.lanes(x.device) == 1 then
    multiply_parts(A, operands.row_major(x, name), out, name)
  elseif is_matrix then
    multiply_elements(A, x, out, name)
  else
    multiply_rows(A, operands.row_major(x, name), out, name)
  end
  return out
end

return M
