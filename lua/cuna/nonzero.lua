--- nonzero.lua: the positions where masks are true, or the elements of an array at these positions.
--
-- An array of any dtype is a mask, and is cast to bools first: nonzero elements and NaN are true.
local check = require "cuna.base.check"
local core = require "cuna.core"
local operands = require "cuna.base.operands"
local program = require "cuna.base.program"

local M = {}

local fail, row_major = check.fail, operands.row_major

local function draw_compact(draft, dtype)
  draft:input "bool"
  if dtype then draft:input(dtype) end
  draft.compacts, draft.output = true, dtype or "int64"
end

--- The program that selects elements of a dtype; without one, positions.
function M.selecting(dtype) return program.get(dtype or "positions", draw_compact, dtype) end

--- The positions where a mask is true, in row-major order, from 1, or the elements of x there. Waits for the count.
---@param mask cuna.Array
---@param x cuna.Array|nil of the mask's shape
---@return cuna.Array 1-d
function M.compact(mask, x, name)
  core.check_waiting(name)
  if mask.size == 0 then return core.empty(0, x and x.dtype or "int64", mask.device, name) end
  mask = mask.dtype == "bool" and row_major(mask, name) or core.cast(mask, "bool", name)
  x = x and row_major(x, name)
  return core.compact(M.selecting(x and x.dtype), name, mask, x)
end

--- Positions of rows of a length, and positions in the rows. One division serves both, of the kind that vectors have.
local function draw_rows(draft)
  local flat, length = draft:input "int64", draft:input("int64", "scalar")
  local row = draft:step("row", "floor_divide(a - 1, b) + 1", "int64", {flat, length})
  draft:give(row, "int64")
  draft:give(draft:step("column", "a - (b - 1) * c", "int64", {flat, row, length}), "int64")
end

--- Converts row-major positions to positions along each axis of a shape.
---@return cuna.Array[]
function M.unravel(flat, shape, name)
  local axes, rows = {}, program.get("rows", draw_rows)
  for axis = #shape, 2, -1 do
    flat, axes[axis] = core.map(rows, name, nil, {false, false}, flat, math.max(shape[axis], 1))
  end
  axes[1] = flat
  return axes
end

--- The positions where a mask is true, by axis. A mask in a key indexes the axes of x after the first `axes`.
---@return cuna.Array[]
function M.nonzero(mask, name, x, axes)
  local shape = mask.shape
  for k = 1, x and #shape or 0 do
    if x.shape[axes + k] ~= shape[k] then
      fail("%s: a mask of shape %s does not fit an array of shape %s", name, tostring(shape), tostring(x.shape))
    end
  end
  return M.unravel(M.compact(mask, nil, name), shape, name)
end

return M
