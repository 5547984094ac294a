--- nonzero.lua: the positions where masks are true, or the elements of an array at these positions.
--
-- A mask is cut into tiles. One pass counts the true elements of each tile, a scan of the counts gives the end of each
-- tile's part of the result, and each tile writes its part (kernels/compact_runs.cuh). The mask is read twice. Where
-- blocks have many lanes, one launch counts and another one writes (kernels/compact_lanes.cuh). An array of any dtype
-- is a mask, and is cast to bools first: nonzero elements and NaN are true. Elements are moved as bytes, so a program
-- serves all dtypes of a size.
local check = require "cuna.base.check"
local core = require "cuna.core"
local dtype_facts = require "cuna.base.dtype_facts"
local operands = require "cuna.base.operands"
local program = require "cuna.base.program"
local reducers = require "cuna.reducers"

local M = {}

local fail, row_major, size_of = check.fail, operands.row_major, dtype_facts.size_of
local TILE = 32 -- elements
local MOVED = {"uint8", "uint16", [4] = "uint32", [8] = "uint64", [16] = "complex128"} -- by size

local function draw_counts(draft)
  local held, size = draft:input("bool", "address"), draft:input("int64", "scalar")
  draft.gathers, draft.output = true, "int64"
  draft:step("held", ("held<bool8, %d>(a, b, c)"):format(TILE), "int64", {held, draft:position(), size})
end

local function draw_places(draft, dtype)
  local held, x = draft:input("bool", "address"), dtype and draft:input(dtype, "address")
  local out, ends = draft:input(dtype or "int64", "address"), draft:input("int64", "address")
  local size, position = draft:input("int64", "scalar"), draft:position()
  draft.gathers, draft.outputs = true, {}
  if x then
    draft:step("kept", ("kept<bool8, %s, %d>(a, b, c, d, f, e)"):format(MOVED[size_of[dtype]], TILE), "bool",
      {held, x, out, ends, size, position}, "int64")
  else
    draft:step("found", ("found<bool8, %d>(a, b, c, e, d)"):format(TILE), "bool",
      {held, out, ends, size, position}, "int64")
  end
end

--- The address of an array's first element, as an operand for every tile.
local function at_first(x, tiles) return core.view(x, {tiles}, {0}, 0) end

--- What a mask selects, by blocks of one lane.
local function compact_alone(mask, x, name)
  local ends_of_tiles = reducers.program("sum", "int64", "int64", "int64", "inclusive")
  local size, tiles = mask.size, math.ceil(mask.size / TILE)
  local first, dtype = at_first(mask, tiles), x and x.dtype
  local counts = core.map(program.get("counts", draw_counts), name, nil, nil, first, size)
  local ends = core.scan(ends_of_tiles, name, 0, {false}, counts)
  local count = core.is_preparing() and 1 or ends[tiles] -- cn.prepare computes nothing
  local out = core.empty(count, dtype or "int64", mask.device, name)
  if out.size == 0 then return out end
  local given = {first, at_first(out, tiles), at_first(ends, tiles)}
  if x then table.insert(given, 2, at_first(x, tiles)) end
  given[#given + 1] = size
  core.map(program.get(dtype or "positions", draw_places, dtype), name, {tiles}, {}, unpack(given))
  return out
end

local function draw_compact(draft, dtype)
  draft:input "bool"
  if dtype then draft:input(dtype) end
  draft.compacts, draft.output = true, dtype or "int64"
end

--- The positions where a mask is true, in row-major order, from 1, or the elements of x there. Waits for the count.
---@param mask cuna.Array
---@param x cuna.Array|nil of the mask's shape
---@return cuna.Array 1-d
function M.compact(mask, x, name)
  core.check_waiting(name)
  if mask.size == 0 then return core.empty(0, x and x.dtype or "int64", mask.device, name) end
  mask = mask.dtype == "bool" and row_major(mask, name) or core.cast(mask, "bool", name)
  x = x and row_major(x, name)
  if core.lanes(mask.device) == 1 then return compact_alone(mask, x, name) end
  local dtype = x and x.dtype
  return core.compact(program.get(dtype or "positions", draw_compact, dtype), name, mask, x)
end

local function draw_unraveller(draft)
  draft:step("unravel", "(a - 1) / b % c + 1", "int64",
    {draft:input "int64", draft:input("int64", "scalar"), draft:input("int64", "scalar")})
  draft.output = "int64"
end

--- Converts row-major positions to positions along each axis of a shape.
---@return cuna.Array[]
function M.unravel(flat, shape, name)
  if #shape == 1 then return {flat} end
  local axes, below, unraveller = {}, 1, program.get("unravel", draw_unraveller)
  for axis = #shape, 1, -1 do
    axes[axis] = core.map(unraveller, name, nil, nil, flat, below, math.max(shape[axis], 1))
    below = below * math.max(shape[axis], 1)
  end
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
