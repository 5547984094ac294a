--- keys.lua: what keys of sparse matrices mean: positions of rows and of columns.
--
-- A key has one part for each axis, which is a key of a vector. Positions are an array, or a span {first, count, step},
-- which numbers and slices mean: what becomes of a span need not be read position by position. Slices are read, and
-- checked, by an array as long as the axis, whose elements nobody writes.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local coordinates = require "cuna.sparse.coordinates"
local core = require "cuna.core"

local M = {}

local fail = check.fail

--- The two parts of a key; nil for columns: all.
function M.parts_of(key)
  if type(key) == "string" then
    local first, second = key:match "^([^,]*),([^,]*)$"
    return first or key, second
  end
  if type(key) ~= "table" or core.is_array(key) then return key, nil end
  local count = table.maxn(key)
  if count > 2 then fail("a sparse matrix has two axes, and the key %d parts", count) end
  return key[1], key[2]
end

--- Whether a part of a key is that of all positions: nil, or {}.
function M.is_all(part) return part == nil or type(part) == "table" and next(part) == nil end

local function span(first, count, step) return {first = first, count = count, step = step} end

local function address(x)
  local high, low = core.address(x)
  return high * 2 ^ 32 + low
end

--- The span of a slice, or of another key without arrays; nil where it means something else.
local function span_of(part, length)
  local whole = core.empty(length, "uint8")
  local made = whole[type(part) == "table" and {part} or part]
  if not core.is_array(made) or made.ndim ~= 1 then return nil end
  if made.size == 0 then return span(1, 0, 1) end
  return span(address(made) - address(whole) + 1, made.size, made.size > 1 and made.strides[1] or 1)
end

--- Positions of an array of an axis: those of integers that need no change as they are.
local function array_of(part, length)
  local is_list = part.ndim == 1 and part.size > 0
  if is_list and part.dtype == "bool" and part.size == length then return args.namespace.flatnonzero(part) end
  if is_list and part.dtype == "int64" and part:min():item() >= 1 and part:max():item() <= length then return part end
  return args.namespace.range(1, length)[part]:reshape(-1)
end

--- The positions that a part of a key means, and whether it is an array of positions or a mask.
function M.read(part, length)
  if type(part) == "number" and part == math.floor(part) and part ~= 0 and math.abs(part) <= length then
    return span(part > 0 and part or length + 1 + part, 1, 1), false
  end
  if M.is_all(part) then return span(1, length, 1), false end
  if core.is_array(part) then return array_of(part, length), true end
  local made = span_of(part, length)
  if made then return made, false end
  made = args.namespace.range(1, length)[type(part) == "table" and {part} or part]
  if not core.is_array(made) then made = core.as_array({made}, "int64", nil, "index") end
  return made:reshape(-1), false
end

--- Rows and columns of a key, and whether they are pairs, or one element.
function M.both(A, key)
  local first, second = M.parts_of(key)
  local rows, by_rows = M.read(first, A.lengths[1])
  local columns, by_columns = M.read(second, A.lengths[2])
  return rows, columns, by_rows and by_columns, type(first) == "number" and type(second) == "number"
end

--- How many positions there are.
function M.count(positions) return core.is_array(positions) and positions.size or positions.count end

--- Positions as an array.
---@return cuna.Array int64 (or other integers, of an array)
function M.array(positions)
  if core.is_array(positions) then return positions end
  local first, count, step = positions.first, positions.count, positions.step
  if count == 1 then return args.namespace.full({1}, first, "int64") end
  return args.namespace.arange(first, first + count * step, step, "int64")
end

--- Whether positions rise.
function M.rise(positions)
  if core.is_array(positions) then return coordinates.rises(positions) end
  return positions.step > 0
end

--- The first one of a span side by side, else nil.
function M.first_of(positions)
  return not core.is_array(positions) and positions.step == 1 and positions.first or nil
end

return M
