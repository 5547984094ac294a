--- merge.lua: the product of two sparse matrices whose first has few elements in each row.
--
-- A lane takes a row. The rows of the second matrix that it needs are in order, so it merges them: it keeps the
-- next column of each in registers, and adds up products of the least one (kernels/sparse_merge.cuh). It does so twice:
-- to count the columns, and, when all rows have their places, to write them: 32 lanes together where rows are short
-- (kernels/sparse_lanes.cuh). Products are added in the order of rows.lua.
local args = require "cuna.base.args"
local core = require "cuna.core"
local dtype_facts = require "cuna.base.dtype_facts"
local object = require "cuna.sparse.object"
local program = require "cuna.base.program"
local slices = require "cuna.base.slices"
local address = require("cuna.sparse.parts").address
local results = require("cuna.sparse.rows").results

local M = {}

local storage = dtype_facts.storage
local LISTS = {2, 3, 5, 7, 9, 12, 16, 20, 27, 32} -- rows that kernels merge: those of grids have 5, 7, 9 or 27
local MOST_LISTS = 32
local FEW_LISTS = 9                     -- what these find is in registers at once
local WARPS, SHARED_NBYTES = 8, 48 * 1024 -- of a block

local function inputs(draft, count, dtype)
  local list = {}
  for k = 1, count do list[k] = draft:input(dtype, "address") end
  return list
end

local INDICES = 4 -- arrays of indices that both steps read: of both matrices, where elements and rows are

--- How many elements a row has.
local function draw_counts(draft, index, lists, once)
  local list = inputs(draft, INDICES, index)
  list[#list + 1] = draft:position()
  draft.gathers = true
  local text = ("sparse::count_merged<%s, %d, %s>(a, b, c, d, e)"):format(index, lists, tostring(once))
  draft:step("count_merged", text, "int64", list)
  draft.output = "int64"
end

--- The elements of a row, at the place that `ends` has for it. `room`: elements of the product that 32 lanes have room
--- for; nil: they write them one by one. `blocks`: how many shall share the registers of a multiprocessor.
local function draw_sums(draft, dtype, index, lists, once, room, blocks)
  local list = inputs(draft, INDICES, index)
  for _, kind in ipairs {dtype, dtype, "int64", index, dtype} do list[#list + 1] = draft:input(kind, "address") end
  draft.gathers, draft.outputs = true, {}
  local types = ("%s, %s, %d, %s"):format(storage(dtype), index, lists, tostring(once))
  if not room then
    list[#list + 1] = draft:position()
    local text = ("sparse::add_merged<%s>(a, b, c, d, e, f, g, h, i, j)"):format(types)
    draft:step("add_merged", text, "bool", list, "int64")
    return
  end
  list[#list + 1], list[#list + 2] = draft:input("int64", "scalar"), draft:position()
  draft.together = blocks
  local text = ("sparse::add_together<%s, %d>(a, b, c, d, e, f, g, h, i, j, k)"):format(types, room)
  draft:step("add_together", text, "bool", list, "int64")
end

--- The most elements of a row.
local function longest(A)
  local rows = A.lengths[1]
  return tonumber((slices.part(A.indptr, 1, 2, rows) - slices.part(A.indptr, 1, 1, rows)):max():item())
end

local function lists_for(length)
  for _, lists in ipairs(LISTS) do
    if lists >= length then return lists end
  end
  return math.huge
end

--- Elements of the product that 32 lanes have room for, so that they fill it once or twice; nil if there is too little.
local function room_for(data, indices, rows, lists)
  local room, nbytes = 256, data.itemsize + indices.itemsize
  while 2 * room < 32 * data.size / rows do room = 2 * room end
  return lists <= FEW_LISTS and room * WARPS * nbytes <= SHARED_NBYTES and room or nil
end

--- How many blocks have room for what lanes keep of so many lists: two values and three indices of each.
local function blocks_for(data, lists)
  local nbytes = lists * data.itemsize
  return nbytes <= 40 and 4 or nbytes <= 56 and 3 or 2
end

local function in_dtype(x, dtype, name) return x.dtype == dtype and x or core.cast(x, dtype, name) end

--- The product of two csr matrices of one dtype that fit, neither without elements; nil if rows are too long or out of
--- order, and where blocks have one lane, which gain nothing. Elements may be 0.
---@param A cuna.SparseMatrix
---@param B cuna.SparseMatrix
---@return cuna.SparseMatrix|nil csr, sorted, with one element for each position
function M.multiply(A, B, name)
  local cn, rows, columns = args.namespace, A.lengths[1], B.lengths[2]
  local device = A.device
  if core.lanes(device) == 1 then return nil end
  local lists = lists_for(longest(A))
  if lists > MOST_LISTS then return nil end
  local once = B.has_canonical_format
  if not once and not B.has_sorted_indices then return nil end
  local index = core.promote(core.promote(A.indices.dtype, B.indices.dtype), object.index_dtype(rows, columns))
  local read = {}
  for k, x in ipairs {A.indices, A.indptr, B.indices, B.indptr} do read[k] = address(in_dtype(x, index, name)) end
  local counts = core.empty(rows, "int64", device, name)
  local key = table.concat({index, lists, tostring(once)}, " ")
  core.map(program.get(key, draw_counts, index, lists, once), name, nil, counts, unpack(read))
  local ends = cn.concatenate {cn.zeros(1, "int64"), cn.cumsum(counts)} + 1
  local size = tonumber(ends[rows + 1]) - 1
  for _, x in ipairs {A.data, B.data, ends} do read[#read + 1] = address(x) end
  local indices, data
  indices, read[#read + 1] = results(size, index, device, name)
  data, read[#read + 1] = results(size, A.dtype, device, name)
  local room = room_for(data, indices, rows, lists)
  if room then read[#read + 1] = rows end
  key = table.concat({A.dtype, key, room or ""}, " ")
  local made = program.get(key, draw_sums, A.dtype, index, lists, once, room, blocks_for(data, lists))
  core.map(made, name, {rows}, {}, unpack(read))
  local least = object.index_dtype(rows, columns, size + 1)
  return object.new("csr", {rows, columns}, {data = data, indices = in_dtype(indices, least, name),
    indptr = in_dtype(ends, least, name)}, A, {is_sorted = true, is_canonical = true})
end

return M
