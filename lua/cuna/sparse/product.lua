--- product.lua: products of sparse matrices in rows with dense vectors and matrices.
--
-- On a device whose blocks have one lane, a lane takes a part of the rows, and parts have as many rows and elements
-- together (kernels/sparse.cuh). Where blocks have many lanes, 32 of them have as many short rows, whose elements they
-- load together (kernels/sparse_lanes.cuh), or share a long one. Elements are multiplied and added in the dtype that
-- both operands have in common.
local args = require "cuna.base.args"
local core = require "cuna.core"
local dtype_facts = require "cuna.base.dtype_facts"
local later = require "cuna.base.later"
local object = require "cuna.sparse.object"
local operands = require "cuna.base.operands"
local program = require "cuna.base.program"
local slices = require "cuna.base.slices"
local address = require("cuna.sparse.parts").address
local with = require "cuna.base.with"

local M = {}

local reducers = later.functions "reducers"
local storage, wrapping = dtype_facts.storage, dtype_facts.wrapping
local PARTS, PART_WORK = 1024, 4096 -- parts of a matrix at most, and rows and elements of a part at least
local MOST_LANES = 32               -- of a row
local SHORT = 16                    -- elements of a mean row at most, for a lane to have a row
local UNDER_WAY = 6                 -- elements that a lane loads at once, in blocks of which
local BLOCKS = 5                    -- so many have room on a multiprocessor

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

--- Where elements are, kept for the next product.
local function places_of(A)
  local known = A.facts.places
  if known and rawequal(known.indptr, A.indptr) and rawequal(known.indices, A.indices) then return known end
  known = {indptr = A.indptr, indices = A.indices, at = address(A.indices), ends = address(A.indptr)}
  return object.remember(A.facts, "places", known)
end

local function multiply_parts(A, x, out, name)
  local rows, data, own = A.lengths[1], A.data, places_of(A)
  local parts = math.max(1, math.min(PARTS, math.floor((rows + data.size) / PART_WORK)))
  local dtype, index = data.dtype, A.indices.dtype
  if x.ndim == 2 then
    core.map(program.get(dtype .. " matrix " .. index, draw_parts, dtype, index, "by_matrix"), name, {parts}, {},
      address(data), own.at, own.ends, rows, address(x), address(out), x.shape[2], parts)
  else
    core.map(program.get(dtype .. " " .. index, draw_parts, dtype, index, "by_vector"), name, {parts}, {},
      address(data), own.at, own.ends, rows, address(x), address(out), parts)
  end
end

-- ---- a lane for a row ----

local function draw_rows(draft, dtype, index)
  local list = {draft:input(dtype, "address"), draft:input(index, "address"), draft:input(index, "address"),
    draft:input(dtype, "address"), draft:input(dtype, "address"), draft:input("int64", "scalar"), draft:position()}
  draft.gathers, draft.outputs, draft.together = true, {}, BLOCKS
  local text = ("sparse::rows_by_vector<%s, %s, %d>(a, b, c, d, e, f, g)"):format(storage(dtype), index, UNDER_WAY)
  draft:step("rows_by_vector", text, "bool", list, "int64")
end

local function multiply_rows(A, x, out, name)
  local rows, index, own = A.lengths[1], A.indices.dtype, places_of(A)
  local made = program.get(A.dtype .. " " .. index, draw_rows, A.dtype, index)
  core.map(made, name, {rows}, {}, address(A.data), own.at, own.ends, address(x), address(out), rows)
end

-- ---- several lanes for a row ----

local function draw_shares(draft, dtype, index)
  local list = {draft:input(dtype, "address"), draft:input(index, "address"), draft:input(dtype, "address"),
    draft:input(index), draft:input(index), draft:input "int32", draft:input("int64", "scalar")}
  draft.gathers = true
  local text = ("sparse::share<%s, %s>(a, b, c, d, e, f, g)"):format(storage(dtype), index)
  draft:step("share", text, dtype, list, "int64")
  draft.reducer, draft.accumulator, draft.output = reducers.row("sum", dtype), dtype, dtype
end

--- Where rows begin, and where they end, as views.
local function ends_of(A)
  local rows = A.lengths[1]
  return slices.part(A.indptr, 1, 1, rows), slices.part(A.indptr, 1, 2, rows)
end

--- How many elements a row has.
local function mean_length(A) return A.data.size / math.max(A.lengths[1], 1) end

--- How many lanes a row has: a power of two near the elements of a mean row.
local function lanes_for(A)
  local mean, lanes = mean_length(A), 1
  while lanes < mean and lanes < MOST_LANES do lanes = 2 * lanes end
  return lanes
end

--- What products with vectors read of the places of elements, kept for the next one.
local function shares_of(A)
  local known = A.facts.shares
  if known and rawequal(known.indptr, A.indptr) and rawequal(known.indices, A.indices) then return known end
  local lanes, first, last = lanes_for(A), ends_of(A)
  known = {indptr = A.indptr, indices = A.indices, lanes = lanes, first = core.with_axis(first, 2),
    last = core.with_axis(last, 2), at = address(A.indices),
    lane = with.on(A.device, args.namespace.arange, lanes, {dtype = "int32"})}
  return object.remember(A.facts, "shares", known)
end

local function multiply_shares(A, x, out, name)
  local own, index = shares_of(A), A.indices.dtype
  local made = program.get(A.dtype .. " " .. index, draw_shares, A.dtype, index)
  core.reduce(made, name, 2, false, 0, out, address(A.data), own.at, address(x), own.first, own.last, own.lane,
    own.lanes)
end

local function draw_elements(draft, dtype, index)
  local list = {draft:input(dtype, "address"), draft:input(index, "address"), draft:input(dtype, "address"),
    draft:input("int64", "scalar"), draft:input(index), draft:input(index)}
  draft.gathers = true
  local text = ("sparse::element<%s, %s>(a, b, c, d, e, f)"):format(storage(dtype), index)
  draft:step("element", text, dtype, list, "int64")
  draft.output = dtype
end

local function multiply_elements(A, x, out, name)
  local first, last = ends_of(A)
  local made = program.get(A.dtype .. " " .. A.indices.dtype, draw_elements, A.dtype, A.indices.dtype)
  core.map(made, name, nil, out, address(A.data), address(A.indices), slices.at(x, 1, 1), x.strides[1],
    core.with_axis(first, 2), core.with_axis(last, 2))
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
  if core.lanes(x) == 1 then
    multiply_parts(A, operands.row_major(x, name), out, name)
  elseif is_matrix then
    multiply_elements(A, x, out, name)
  else
    local multiply = mean_length(A) <= SHORT and multiply_rows or multiply_shares
    multiply(A, operands.row_major(x, name), out, name)
  end
  return out
end

return M
