--- search.lua: positions of values in sorted arrays.
--
-- A lane bisects for each value (kernels/search.cuh). Elements and values are searched in one of few dtypes, which have
-- the order of the others, so that few programs serve all pairs. A block of one lane processes a tile of values at once
-- to fill its vectors. For many values, a guide narrows the search first: it divides the range of the elements into
-- many equal parts and has the number of elements before each part, so that the lane bisects only the elements of one
-- part.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local dtype_facts = require "cuna.base.dtype_facts"
local gather = require "cuna.gather"
local program = require "cuna.base.program"

local M = {functions = {}}
local F = M.functions

local fail = check.fail
local kind_of = dtype_facts.kind_of

-- The dtypes that values are compared in: all numbers of a dtype have their values and order in the one named here.
local COMPARED = {bool = "int32", int8 = "int32", int16 = "int32", int32 = "int32", int64 = "int64", uint8 = "int32",
  uint16 = "int32", uint32 = "int64", uint64 = "uint64", float16 = "float32", bfloat16 = "float32",
  float32 = "float32", float64 = "float64", complex64 = "complex128", complex128 = "complex128"}

-- Dtypes of elements that positions are also searched among as they are, by the dtype that they are compared in.
local READ = {int64 = {int32 = true}, float64 = {int32 = true, int64 = true, uint64 = true, float32 = true}}

--- An array, row-major, in the dtype that its elements are compared in, or those of two dtypes.
function M.comparable(x, other, name)
  return core.dense(x, COMPARED[other and core.promote(x.dtype, other) or x.dtype], name)
end

local PLACES = {PLACE_BEFORE = true, PLACE_BEHIND = true}

--- A sorted array and values, row-major, to be compared, and their dtypes. A long array is not cast for the sake of few
--- values.
local function comparable_pair(sorted, values, asked, name)
  local from, own = sorted.dtype, values.dtype
  local dtype = COMPARED[from == own and own or core.promote(own, from)]
  local read = READ[dtype]
  if not (read and read[from] and PLACES[asked] and sorted.size > values.size) then from = dtype end
  return core.dense(sorted, from, name), core.dense(values, dtype, name), from, dtype
end

--- The number of neighbouring values that a lane finds: one, or in a block of one lane as many as fill its vectors.
local function tile_on(x) return core.lanes(x) == 1 and 32 or 1 end

local function draw_search(draft, sorted, value, asked, answer, tile, guided)
  local elements, values, out = draft:input(sorted, "head"), draft:input(value, "head"),
    draft:input(answer, "head")
  local n, size = draft:input("int64", "scalar"), draft:input("int64", "scalar")
  local guide = guided and {draft:input("int32", "head"), draft:input("int64", "scalar")} or {}
  draft.gathers, draft.outputs = true, {}
  local text = ("searched<%s, %s, %s, %s, %d>(a, b, c, d, e, f%s)"):format(sorted, value, value, asked, tile,
    guided and ", g, h" or "")
  draft:step(guided and "searched_by_guide" or "searched", text, "bool",
    {elements, n, values, out, size, draft:position(), guide[1], guide[2]}, "int64")
end

--- A program that writes the answers for values (kernels/search.cuh), a tile at each position, from inputs: the sorted
--- elements, the values and the results, the counts of sorted elements and of values, and the guide and its parts if
--- any.
local function searcher(sorted, value, asked, answer, tile, guided)
  return program.of(draw_search, sorted, value, asked, answer, tile, guided)
end

-- ---- guides ----

local LEAST, MOST_PARTS, VALUES_EACH = 64, 2 ^ 18, 4 -- elements, parts, and values per part of a guide

local function draw_guide(draft, dtype)
  local elements, n, parts = draft:input(dtype, "head"), draft:input("int64", "scalar"),
    draft:input("int64", "scalar")
  draft:step("guided", ("guided<%s, %s>(a, b, c, d)"):format(dtype, dtype), "int32",
    {elements, n, draft:position(), parts}, "int64")
  draft.gathers, draft.output = true, "int32"
end

--- A guide for a search of values in sorted elements, and the number of its parts (kernels/search.cuh); nil if it does
--- not pay off: the steps of bisection bound a block of one lane, while many lanes hide their latency.
local function guide_for(sorted, values, asked, name)
  local n = sorted.size
  if n < LEAST or n >= 2 ^ 31 or core.lanes(sorted) > 1 then return nil end
  if asked:find "^EITHER" or kind_of[values.dtype] == "c" or sorted.dtype ~= values.dtype then return nil end
  local parts = math.min(2 ^ math.ceil(math.log(n) / math.log(2)), MOST_PARTS)
  if values.size < VALUES_EACH * parts then return nil end
  return core.map(program.of(draw_guide, sorted.dtype), name, parts + 1, nil, sorted, n, parts), parts
end

local ANSWERS = {MEMBER = "bool", STRANGER = "bool"} -- others are int64

--- The answers for values searched in sorted elements: a position from 1, a bin from 0, or a bool.
---@param asked string the kind of answer: "PLACE_BEFORE", ... of kernels/search.cuh
function M.search(sorted, values, asked, name)
  local answer, size = ANSWERS[asked] or "int64", values.size
  local out, tile = core.empty_like(values, answer, name), tile_on(values)
  if size == 0 then return out end
  local from, dtype
  sorted, values, from, dtype = comparable_pair(sorted, values, asked, name)
  local guide, parts = guide_for(sorted, values, asked, name)
  core.map(searcher(from, dtype, asked, answer, tile, guide ~= nil), name, math.ceil(size / tile), nil, sorted, values,
    out, sorted.size, size, guide, parts)
  return out
end

local function draw_sorted(draft, dtype, may_fall)
  local edges, size = draft:input(dtype, "head"), draft:input("int64", "scalar")
  local mark = draft:input("int64", "scalar")
  draft.gathers, draft.outputs = true, {}
  draft:step("sorted", ("sorted<%s>(a, b, c, d, %s)"):format(dtype, tostring(may_fall)), "bool",
    {edges, size, draft:position(), mark}, "int64")
end

--- Reports edges that are not sorted in ascending order, or with may_fall in either order.
function M.check_sorted(edges, may_fall, name)
  if edges.size < 2 then return end
  edges = M.comparable(edges, nil, name)
  core.map(program.of(draw_sorted, edges.dtype, may_fall), name, edges.size - 1, nil, edges, edges.size,
    core.report_mark(edges, name))
end

--- A whole number beside integers is converted to an integer.
local function array_of_number(value, sorted, name)
  local kind, dtype = core.number_kind(value), nil
  if kind == "int" and kind_of[sorted.dtype] == "u" and value >= 0 or kind == "uint" then
    dtype = "uint64"
  elseif kind == "int" and kind_of[sorted.dtype]:find "[biu]" then
    dtype = "int64"
  end
  return core.as_array(value, dtype, sorted.device, name)
end

--- The values to search as an array, on the device of the sorted one.
local function values_of(values, sorted, name)
  if not core.is_array(values) and type(values) ~= "boolean" and core.number_kind(values) then
    return array_of_number(values, sorted, name)
  end
  values = check.array(values, name, sorted.device)
  check.same_device(sorted, values, name)
  return values
end

local function check_vector(x, name, what)
  if x.ndim ~= 1 then fail("%s: %s has one axis, got shape %s", name, what, tostring(x.shape)) end
  return x
end

local ASKED = {left = "PLACE_BEFORE", right = "PLACE_BEHIND"}
local read_searchsorted = args.reader("searchsorted", {"a", "v", "side", "sorter"}, 2)

--- The position of each value in a sorted array, from 1 to its length + 1: before equal elements, or after them. NaN is
--- sorted last. The order of the array is not checked. Follows numpy.searchsorted, with positions from 1.
---@param a cuna.Operand 1-d, in ascending order, or in the order of `sorter`
---@param v cuna.Operand values
---@param side string|nil "left" (default): before equal elements; "right": after them
---@param sorter cuna.Operand|nil the positions that sort `a`, as returned by argsort
---@return cuna.Array int64, of v's shape
---@usage cn.searchsorted({1, 2, 2, 5}, {2, 9}), cn.searchsorted({1, 2, 2, 5}, 2, "right") --> [2 5], 4
---@usage cn.searchsorted({5, 1, 3}, {2}, {sorter = {2, 3, 1}}) --> [2]
function F.searchsorted(...)
  local a, v, side, sorter = read_searchsorted(...)
  local name = "searchsorted"
  if v == nil then fail "searchsorted: the values are missing" end
  a = check_vector(check.beside(a, name, v), name, "the sorted array")
  local asked = ASKED[side == nil and "left" or side]
  if asked == nil then fail("searchsorted: side is \"left\" or \"right\", got %s", check.show(side)) end
  if sorter ~= nil then
    sorter = check_vector(check.array(sorter, name, a.device), name, "sorter")
    if sorter.size ~= a.size then
      fail("searchsorted: sorter has %d positions for %d elements", sorter.size, a.size)
    end
    a = gather.rows(a, sorter, name)
  end
  return M.search(a, values_of(v, a, name), asked, name)
end

local read_digitize = args.reader("digitize", {"x", "bins", "right"}, 2)

--- The number of the bin of each value: k if bins[k - 1] <= x < bins[k], 1 below the first edge, the number of edges +
--- 1 from the last edge on. Edges may also descend; unsorted edges raise an error. Follows numpy.digitize, with numbers
--- from 1.
---@param x cuna.Operand real
---@param bins cuna.Operand 1-d edges, in ascending or descending order
---@param right boolean|nil true: bins include their upper edge instead of the lower one
---@return cuna.Array int64, of x's shape
---@usage cn.digitize({0.5, 1, 7}, {0, 1, 2}) --> [2 3 4]
---@usage cn.digitize({0.5, 1, 7}, {2, 1, 0}, {right = true}) --> [3 3 1]
function F.digitize(...)
  local x, bins, right = read_digitize(...)
  if bins == nil then fail "digitize: the bins are missing" end
  bins = check_vector(check.beside(bins, "digitize", x), "digitize", "bins")
  right = check.boolean(right, false, "digitize", "right")
  if x == nil then fail "digitize: expected an array, got nil" end
  x = values_of(x, bins, "digitize")
  for _, array in ipairs {x, bins} do
    if kind_of[array.dtype] == "c" then fail("digitize: bins are of real numbers, got an array of %s", array.dtype) end
  end
  M.check_sorted(bins, true, "digitize")
  return M.search(bins, x, right and "EITHER_BEFORE" or "EITHER_BEHIND", "digitize")
end

return M
