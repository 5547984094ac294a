--- long.lua: rows of sparse matrices of more than a segment of 32 elements, for products where blocks have many lanes.
--
-- Such rows are listed, those of more than a piece, 1024 elements, once for each piece (kernels/sparse.cuh). The device
-- makes the list at the first product, and products read from its memory how long it is: nothing waits. The host reads
-- it, and the most entries of a row, in pinned memory, to which the device writes them sometime. Until then it expects
-- rows that are cut, if there are elements enough, and adds their pieces in another launch. Products do not depend on
-- the list, which may be older than indptr: a row that has moved since is done without it.
local args = require "cuna.base.args"
local core = require "cuna.core"
local dtype_facts = require "cuna.base.dtype_facts"
local ffi = require "ffi"
local object = require "cuna.sparse.object"
local parts_of = require "cuna.sparse.parts"
local program = require "cuna.base.program"
local slices = require "cuna.base.slices"
local with = require "cuna.base.with"

local M = {}

local address, sum_dtype, storage = parts_of.address, parts_of.sum_dtype, dtype_facts.storage
local WARP, SEGMENT = core.cut "WARP", core.cut "SPARSE_SEGMENT"
local PIECE = SEGMENT * SEGMENT
local READERS = 4096 -- of a list of unknown length, and where all have rows of a matrix under way: figures of an H200

-- ---- the list ----

local function draw_entries(draft, index)
  draft:step("entries", "sparse::entries_of(b - a)", index, {draft:input(index), draft:input(index)}, "int64")
  draft.gathers, draft.output = true, index
end

local function draw_list(draft, index)
  local list = {draft:input(index, "address"), draft:input(index, "address"), draft:input(index, "address"),
    draft:input("int64", "scalar"), draft:input("int64", "scalar"), draft:position()}
  draft.gathers, draft.outputs = true, {}
  draft:step("list_row", ("sparse::list_row<%s>(a, b, c, d, e, f)"):format(index), "bool", list, "int64")
end

--- Lets the device send two numbers to the host when it gets to them; returns a function that reads them, nil before.
local function sent(x)
  local heard = core.empty_pinned(2, "int64", "dot")
  local high, low = core.address(heard)
  local at = ffi.cast("volatile int64_t *", high * 2 ^ 32 + low)
  at[0], at[1] = -1, -1
  core.copy_async(heard, x, "dot")
  return function()
    local first, second = tonumber(at[0]), tonumber(at[1])
    if heard and first >= 0 and second >= 0 then return first, second end
  end
end

--- Lists the rows of a matrix, with room for so many entries; also how many there are, and the most of a row.
local function make(A, room)
  local cn, rows, index = args.namespace, A.lengths[1], A.indptr.dtype
  local counts = core.empty(rows, index, A.device, "dot")
  core.map(program.get(index, draw_entries, index), "dot", nil, counts, slices.part(A.indptr, 1, 1, rows),
    slices.part(A.indptr, 1, 2, rows))
  local before = cn.concatenate {cn.zeros(1, index), cn.cumsum(counts, {dtype = index})}
  local list = address(core.empty(rows + 1 + 3 * room, index, A.device, "dot"))
  core.map(program.get(index, draw_list, index), "dot", {rows}, {}, address(before), address(A.indptr), list, rows,
    room)
  local count = slices.part(before, 1, rows + 1, 1)
  return {list = list, room = room, entries = room, count = address(count)},
    cn.concatenate {count, counts:max():reshape(1)}
end

--- Whether work given to the current stream of the matrix's device runs later, and again.
local function is_captured(A)
  return core.stream_info(core.current_stream(A.device), "is_capturing")
end

local function fresh(A, room)
  local known, numbers = make(A, room)
  if is_captured(A) then return known end
  numbers = numbers:astype "int64"
  if core.is_preparing() then return known end
  known.indptr, known.stream = A.indptr, core.stream_info(core.current_stream(A.device), "ptr")
  known.read = sent(numbers)
  return object.remember(A.facts, "long", known)
end

--- Takes what the device has sent: how many entries there are, and the most of one row.
local function settle(known)
  if not known.read then return end
  local entries, most = known.read()
  if entries then known.entries, known.most, known.read, known.stream = entries, most, nil, nil end
end

local function find(A)
  local room = math.floor(A.data.size / (SEGMENT + 1))
  if room == 0 then return {list = address(A.indptr), count = address(A.indptr), room = 0, entries = 0} end
  local known = A.facts.long
  if not (known and rawequal(known.indptr, A.indptr)) then return fresh(A, room) end
  settle(known)
  -- A list that may still be made in another stream is not for this one.
  if known.stream and (is_captured(A) or known.stream ~= core.stream_info(core.current_stream(A.device), "ptr")) then
    return (make(A, room))
  end
  return known
end

--- The long rows of a csr matrix: their `list`, its room, and how many entries it has, in device memory at `count` and,
--- as far as is known, `entries`; `most` of one row, if that is known.
function M.of(A) return with.on(A.device, find, A) end

--- How many go through the list together.
function M.readers(listed) return listed.most and listed.entries or math.min(listed.entries, READERS) end

--- Room for the sums of pieces in `width` columns; nil if no row is cut.
function M.sums(A, listed, width, name)
  if A.data.size <= PIECE or listed.entries == 0 or listed.most and listed.most <= 1 then return nil end
  return core.empty((math.floor(A.data.size / (PIECE / 2)) + 1) * width, sum_dtype(A.dtype), A.device, name)
end

-- ---- their pieces ----

local function draw_pieces(draft, dtype, index)
  local list = {draft:input(dtype, "address"), draft:input(index, "address"), draft:input(index, "head"),
    draft:input(dtype, "address"), draft:input("int64", "scalar"), draft:input("int64", "scalar"),
    draft:input(index, "address"), draft:input(index, "address"), draft:input("int64", "scalar"),
    draft:input(sum_dtype(dtype), "address"), draft:input("int64", "scalar"), draft:input("int64", "scalar"),
    draft:position()}
  draft.gathers, draft.outputs = true, {}
  local text = ("sparse::pieces_by_matrix<%s, %s>(a, b, c, d, e, f, g, h, i, j, k, l, m)"):format(storage(dtype), index)
  draft:step("pieces_by_matrix", text, "bool", list, "int64")
end

--- Writes the products of pieces of rows with a matrix.
function M.add_pieces(A, listed, x, sums, name)
  local index, width, step = A.indices.dtype, x.shape[2], math.min(listed.entries, READERS)
  core.map(program.get(A.dtype .. " " .. index, draw_pieces, A.dtype, index), name, {step, width}, {}, address(A.data),
    address(A.indices), A.indptr, slices.at(x, 1, 1), x.strides[1], A.lengths[1], listed.count, listed.list,
    listed.room, address(sums), width, step)
end

local function draw_sums(draft, dtype, index)
  local list = {draft:input(sum_dtype(dtype), "address"), draft:input(index, "address"), draft:input("int64", "scalar"),
    draft:input(index, "address"), draft:input(index, "address"), draft:input("int64", "scalar"),
    draft:input(dtype, "address"), draft:input("int64", "scalar"), draft:input("int64", "scalar"), draft:position()}
  draft.gathers, draft.outputs, draft.together = true, {}, 1
  local text = ("sparse::add_pieces<%s, %s>(a, b, c, d, e, f, g, h, i, j)"):format(storage(dtype), index)
  draft:step("add_pieces", text, "bool", list, "int64")
end

--- Writes the products of rows that are cut, in `width` columns, from those of their pieces.
function M.add_up(A, listed, sums, out, width, name)
  local index, step = A.indptr.dtype, math.ceil(M.readers(listed) / WARP)
  core.map(program.get(A.dtype .. " " .. index, draw_sums, A.dtype, index), name, {WARP * step * width}, {},
    address(sums), address(A.indptr), A.lengths[1], listed.count, listed.list, listed.room, address(out), width, step)
end

return M
