--- show.lua: the text of arrays over ranks: that of the whole, of which only what is shown travels.
local core = require "cuna.core"
local format = require "cuna.io.format"
local moves = require "cuna.distributed.array.move"
local object = require "cuna.distributed.array.object"
local slices = require "cuna.base.slices"

local M = {}

local methods = object.methods

--- The positions of a block along an axis that are among the first or last `edge` of the whole, joined.
local function edges_of(block, axis, first, length, edge)
  local last, parts = first + block.shape[axis] - 1, {}
  for i, range in ipairs {{1, edge}, {length - edge + 1, length}} do
    local from, to = math.max(range[1], first), math.min(range[2], last)
    parts[i] = slices.part(block, axis, from <= to and from - first + 1 or 1, to - from + 1)
  end
  return core.join(parts, axis, false, nil, nil, "text")
end

--- The elements that are shown, on every rank: the block's, then one all_gather for each split.
local function corner_of(view, edge)
  local A, shape = view.array, view.shape
  local block = A.block
  for axis = 1, edge and #shape or 0 do
    if shape[axis] > 2 * edge then block = edges_of(block, axis, A.ranges[axis][1], shape[axis], edge) end
  end
  block = moves.whole(object.over(A, block, A.splits))
  return core.elements(block, "text"), block.shape
end

--- The text that tostring has of the whole, on every rank. One all_gather (over a mesh, one for each split axis), of
--- the elements that are shown: above cn.get_printoptions().threshold elements those near the corners. tostring(A)
--- itself sends nothing, and says dtype, shape and layout.
---@return string
---@usage cn.distributed.array({1, 2, 3}, {axis = 1}):text() --> [1. 2. 3.]
function methods.text(A)
  object.self(A, "text")
  core.check_waiting "text"
  return format.str {array = A, dtype = A.dtype, shape = A.shape, ndim = A.ndim, size = A.size, corner = corner_of}
end

--- Prints text() by rank 0.
---@usage cn.distributed.array({1, 2, 3}, {axis = 1}):print() -->
function methods.print(A)
  local text = methods.text(object.self(A, "print"))
  if A.comm.rank > 0 or core.is_preparing() then return end
  io.stdout:write(text, "\n")
  io.stdout:flush()
end

return M
