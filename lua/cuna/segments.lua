--- segments.lua: what segments of an array combine to along an axis, for the forms cn.add_reduceat and its kind.
--
-- A program has one lane for each segment and position of the other axes, which combines from left to right
-- (kernels/segment.cuh). Of operations that may combine in any order, folds first combine parts of 64 elements, and
-- parts of these, so that no lane takes long; the segments' lanes only combine what is between them and their ends.
local check = require "cuna.base.check"
local combiner = require "cuna.combiner"
local core = require "cuna.core"
local dtype_facts = require "cuna.base.dtype_facts"
local gather = require "cuna.gather"
local program = require "cuna.base.program"
local slices = require "cuna.base.slices"

local M = {}

local fail, storage = check.fail, dtype_facts.storage

-- ---- where segments begin ----

local function draw_starts(draft, dtype)
  local position, length = draft:input(dtype), draft:input("int64", "scalar")
  local mark = draft:input("int64", "scalar")
  draft.gathers, draft.output = true, "int64"
  local moved = draft:step("moved", "moved<RAISE>(int64(1), a, int64(1), b, c)", "int64", {position, length, mark},
    {gather.AS_WHOLE[dtype] or "int64", "int64", "int64"})
  draft:step("start", "a > 0 ? a - 1 : int64(0)", "int64", {moved})
end

--- Positions of an axis with `length` elements, from 0, followed by its length. Those out of range are reported.
local function starts_of(positions, length, name)
  local count, device = positions.size, positions.device
  local starts = core.empty({count + 1}, "int64", device, name)
  core.map(program.get(positions.dtype, draw_starts, positions.dtype), name, {count},
    {slices.part(starts, 1, 1, count)},
    positions, length, core.report_mark(device, name))
  core.fill(slices.part(starts, 1, count + 1, 1), length, name)
  return starts
end

--- The positions that a call was given, as a 1-d array on x's device.
function M.positions(indices, x, name)
  if indices == nil then fail("%s: the positions are missing", name) end
  indices = check.array(indices, name, x.device)
  check.same_device(x, indices, name)
  local dtype = indices.dtype
  if dtype == "bool" or dtype:find "complex" then
    fail("%s: positions are whole numbers, got an array of %s", name, dtype)
  elseif indices.ndim ~= 1 then
    fail("%s: the positions have one axis, got shape %s", name, tostring(indices.shape))
  end
  return indices
end

-- ---- parts ----

local PART, LEVELS = 64, 3 -- of kernels/segment.cuh
local LEAST = 32 -- parts of a level that are worth combining

--- The whole parts along an axis, which becomes two: the parts, and the elements of each.
local function in_parts(x, axis)
  local shape, strides, itemsize = x.shape, x.strides, x.itemsize
  for k = 1, #strides do strides[k] = strides[k] / itemsize end
  shape[axis] = math.floor(shape[axis] / PART)
  table.insert(shape, axis + 1, PART)
  table.insert(strides, axis + 1, strides[axis])
  strides[axis] = strides[axis] * PART
  return core.view(x, shape, strides, 0)
end

--- The levels of parts of x; `fold(x, axes)` combines them.
local function levels_of(x, axis, fold)
  local levels = {}
  while fold and #levels < LEVELS and x.shape[axis] >= LEAST * PART do
    x = fold(in_parts(x, axis), 2 ^ axis)
    levels[#levels + 1] = x
  end
  return levels
end

-- ---- the program ----

local COMBINED = "combined<%s, %s>(%s, a, b, c, d, e, f, g, h, i, j)"

local function draw_segments(draft, what)
  local own, result, D, S = what.own, what.result, storage(what.accumulator), storage(what.own)
  local list = {draft:input(own, "address"), draft:input("int64", "scalar"), draft:input "int64", draft:input "int64"}
  for k = 1, LEVELS do
    list[#list + 1] = k <= what.levels and draft:input(what.accumulator, "address") or draft:input("int64", "scalar")
    list[#list + 1] = draft:input("int64", "scalar")
  end
  draft.gathers = true
  local combine = combiner.text(D, D, S, what.expr)
  local value = draft:step("combined", COMBINED:format(D, S, combine), what.accumulator, list, "int64")
  draft:give(value, result)
end

--- The addresses of x's first elements along an axis, for `count` positions there.
local function heads_of(x, axis, count)
  local shape, strides, itemsize = x.shape, x.strides, x.itemsize
  for k = 1, #strides do strides[k] = strides[k] / itemsize end
  shape[axis], strides[axis] = count, 0
  return core.view(x, shape, strides, 0)
end

--- Combines the segments of x that begin at positions along an axis, each up to the next one; a position that is not
--- below the next one has a segment of one element.
---@class cuna.Segments
---@field name string of the operation
---@field own string dtype of elements, x's
---@field accumulator string
---@field result string
---@field expr string
---@field fold function|nil combines parts: levels are worth it

---@param what cuna.Segments
---@param positions cuna.Array 1-d, from 1, or from the end below 0
---@param out cuna.Array of the result's dtype and shape, apart from x's memory
function M.combine(what, x, axis, positions, out, name)
  local count, length = positions.size, x.shape[axis]
  if out.size == 0 then return end
  if length == 0 then fail("%s: axis %d has no elements for %d positions", name, axis, count) end
  local starts, levels = starts_of(positions, length, name), levels_of(x, axis, what.fold)
  local operands = {heads_of(x, axis, count), x.strides[axis],
    slices.along(slices.part(starts, 1, 1, count), axis, x.ndim),
    slices.along(slices.part(starts, 1, 2, count), axis, x.ndim)}
  for k = 1, LEVELS do
    local level = levels[k]
    operands[#operands + 1] = level and heads_of(level, axis, count) or 0
    operands[#operands + 1] = level and level.strides[axis] or 0
  end
  what.levels = #levels
  local key = table.concat({what.name, what.own, what.accumulator, what.result, #levels}, " ")
  core.map(program.get(key, draw_segments, what), name, out.shape, {out}, unpack(operands))
end

return M
