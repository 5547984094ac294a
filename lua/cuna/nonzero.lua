--- nonzero.lua: where masks hold: their positions, or the elements of an array there, one behind the other.
--
-- A mask is cut into tiles. What holds in each is counted, a scan of the counts says where each tile's part of the
-- result ends, and each tile writes its part (kernels/gather.cuh). So the mask is read twice, and nothing of its length
-- is written. Any dtype is a mask: what is not 0 holds, NaN too.
local check = require "cuna.base.check"
local core = require "cuna.core"
local operands = require "cuna.base.operands"
local reducers = require "cuna.reducers"

local M = {}

local fail, row_major = check.fail, operands.row_major
local ALONE, BESIDE = 32, 8 -- elements of a tile: lanes side by side write what lies side by side
local C_TYPES = {bool = "bool8"} -- in kernel text, where a dtype's name is another
local counters, compactors = {}, {}

--- A program that counts what holds in each tile of a mask.
local function counter(mask, tile)
  local key = mask .. tile
  counters[key] = counters[key] or core.program {
    inputs = {{dtype = mask, address = true}, {dtype = "int64", scalar = true}}, index = true, gathers = true,
    steps = {{name = "held", expr = ("held<%s, %d>(a, b, c)"):format(C_TYPES[mask] or mask, tile), dtype = "int64",
      args = {1, 3, 2}, arg_dtypes = {"int64", "int64", "int64"}}},
    output = "int64",
  }
  return counters[key]
end

--- A program that writes each tile's positions, or elements of `dtype`, to their places.
local function compactor(mask, dtype, tile)
  local key = table.concat({mask, dtype or "", tile}, " ")
  if compactors[key] then return compactors[key] end
  local first = C_TYPES[mask] or mask
  local inputs = {{dtype = mask, address = true}, {dtype = "int64", address = true}, {dtype = "int64", address = true},
    {dtype = "int64", scalar = true}}
  local step = {name = "found", expr = ("found<%s, %d>(a, b, c, e, d)"):format(first, tile), dtype = "bool",
    args = {1, 2, 3, 4, 5}, arg_dtypes = {"int64", "int64", "int64", "int64", "int64"}}
  if dtype then
    inputs[2].dtype = dtype
    table.insert(inputs, 2, {dtype = dtype, address = true})
    step.name, step.args[6], step.arg_dtypes[6] = "kept", 6, "int64"
    step.expr = ("kept<%s, %s, %d>(a, b, c, d, f, e)"):format(first, C_TYPES[dtype] or dtype, tile)
  end
  compactors[key] = core.program {inputs = inputs, index = true, outputs = {}, gathers = true, steps = {step}}
  return compactors[key]
end

--- The address of an array's first element, as an operand for every tile.
local function at_first(x, tiles) return core.view(x, {tiles}, {0}, 0) end

--- Where a mask holds: its positions in row-major order, from 1, or the elements of x there. Waits for the count.
---@param mask cuna.Array
---@param x cuna.Array|nil of the mask's shape
---@return cuna.Array 1-d
function M.compact(mask, x, name)
  core.check_waiting(name)
  if mask.size == 0 then return core.empty(0, x and x.dtype or "int64", mask.device, name) end
  local ends_of_tiles = reducers.program("sum", "int64", "int64", "int64", "inclusive")
  local size, tile = mask.size, core.lanes(mask.device) == 1 and ALONE or BESIDE
  local tiles = math.ceil(size / tile)
  mask, x = row_major(mask, name), x and row_major(x, name)
  local first = at_first(mask, tiles)
  local counts = core.map(counter(mask.dtype, tile), name, nil, nil, first, size)
  local ends = core.scan(ends_of_tiles, name, 0, {false}, counts)
  local count = core.is_preparing() and 1 or ends[tiles] -- a rehearsal computes nothing
  local out = core.empty(count, x and x.dtype or "int64", mask.device, name)
  if out.size == 0 then return out end
  local given = {first, at_first(out, tiles), at_first(ends, tiles)}
  if x then table.insert(given, 2, at_first(x, tiles)) end
  given[#given + 1] = size
  core.map(compactor(mask.dtype, x and x.dtype, tile), name, {tiles}, {}, unpack(given))
  return out
end

local unraveller

--- Positions along each axis of a shape, of row-major positions.
---@return cuna.Array[]
function M.unravel(flat, shape, name)
  unraveller = unraveller or core.program {
    inputs = {{dtype = "int64"}, {dtype = "int64", scalar = true}, {dtype = "int64", scalar = true}}, output = "int64",
    steps = {{name = "unravel", expr = "(a - 1) / b % c + 1", dtype = "int64", args = {1, 2, 3},
      arg_dtypes = {"int64", "int64", "int64"}}},
  }
  if #shape == 1 then return {flat} end
  local axes, below = {}, 1
  for axis = #shape, 1, -1 do
    axes[axis] = core.map(unraveller, name, nil, nil, flat, below, math.max(shape[axis], 1))
    below = below * math.max(shape[axis], 1)
  end
  return axes
end

--- The positions where a mask holds, by axis; as the entry of a key it stands for axes of x behind the first `axes`.
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
