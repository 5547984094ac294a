--- banded.lua: banded systems of equations, solved on the host: by elimination with partial pivoting.
--
-- A matrix is a list of rows; row i is a table of its elements by column. Rows have few elements, all near the
-- diagonal, so that a system of n equations takes n steps.
local check = require "cuna.base.check"
local core = require "cuna.core"
local args = require "cuna.base.args"

local M = {}

local HOST = core.device "cpu"

--- The columns that a row reaches.
local function reach_of(row)
  local first, last = math.huge, 0
  for j in pairs(row) do first, last = math.min(first, j), math.max(last, j) end
  return first, last
end

--- The row from i on with the greatest element in column i.
local function pivot_of(rows, i, ends)
  local best, at = 0, nil
  for r = i, #rows do
    if ends[r].first > i then break end
    local size = math.abs(rows[r][i] or 0)
    if size > best then best, at = size, r end
  end
  return at
end

--- Exchanges two rows and those of the right side.
local function exchange(rows, ends, sides, columns, a, b)
  rows[a], rows[b], ends[a], ends[b] = rows[b], rows[a], ends[b], ends[a]
  for k = 0, columns - 1 do
    local i, j = (a - 1) * columns + k, (b - 1) * columns + k
    sides[i], sides[j] = sides[j], sides[i]
  end
end

--- Takes a multiple of row i from row r.
local function eliminate(rows, ends, sides, columns, i, r)
  local factor = (rows[r][i] or 0) / rows[i][i]
  rows[r][i] = nil
  if factor == 0 then return end
  for j = i + 1, ends[i].last do rows[r][j] = (rows[r][j] or 0) - factor * (rows[i][j] or 0) end
  ends[r].last = math.max(ends[r].last, ends[i].last)
  for k = 0, columns - 1 do
    sides[(r - 1) * columns + k] = sides[(r - 1) * columns + k] - factor * sides[(i - 1) * columns + k]
  end
end

local function substitute(rows, ends, sides, columns)
  for i = #rows, 1, -1 do
    local row, at = rows[i], (i - 1) * columns
    for j = i + 1, ends[i].last do
      local factor = row[j] or 0
      if factor ~= 0 then
        for k = 0, columns - 1 do sides[at + k] = sides[at + k] - factor * sides[(j - 1) * columns + k] end
      end
    end
    for k = 0, columns - 1 do sides[at + k] = sides[at + k] / row[i] end
  end
end

--- Solves in place; nil if the matrix is singular.
local function solve(rows, sides, columns)
  local ends = {}
  for i, row in ipairs(rows) do
    local first, last = reach_of(row)
    ends[i] = {first = first, last = last}
  end
  for i = 1, #rows do
    local at = pivot_of(rows, i, ends)
    if not at then return nil end
    if at ~= i then exchange(rows, ends, sides, columns, i, at) end
    for r = i + 1, #rows do
      if ends[r].first > i then break end
      eliminate(rows, ends, sides, columns, i, r)
      ends[r].first = math.max(ends[r].first, i + 1)
    end
  end
  substitute(rows, ends, sides, columns)
  return true
end

--- Right sides (n, ...) of real or complex numbers as a copy on the host, (n, columns) of float64.
local function sides_of(y, name)
  local is_complex = y.dtype:find "^complex" ~= nil
  local host = core.as_array(core.cast(y, is_complex and "complex128" or "float64", name), nil, HOST, name)
  host = host.device == y.device and core.cast(host, nil, name) or host
  local columns = host.size / host.shape[1] * (is_complex and 2 or 1)
  return host, core.view(host, {host.shape[1], columns}, {columns, 1}, 0, "float64"), columns
end

--- The solution (n, ...) of a banded system for right sides (n, ...), on their device and of their dtype. Waits.
---@param rows table<integer, number>[] which are spoilt
---@param y cuna.Array
function M.solve(rows, y, name)
  core.check_waiting(name)
  if y.size == 0 or core.is_preparing() then return core.cast(y, nil, name) end
  local host, sides, columns = sides_of(y, name)
  if not solve(rows, sides:pointer(), columns) then
    core.fail(("LinAlgError: %s: the equations of the spline are singular"):format(name))
  end
  return core.cast(core.as_array(host, nil, y.device, name), y.dtype, name)
end

--- The elements of a vector as Lua numbers; in a rehearsal, in which they mean nothing, 1, 2, ...
function M.numbers(x, name)
  core.check_waiting(name)
  local list = check.array(x, name):totable()
  for k = 1, core.is_preparing() and #list or 0 do list[k] = k end
  return list
end

--- A part of a list, which may be longer than what unpack takes.
function M.cut(list, first, last)
  local part = {}
  for k = first, last do part[k - first + 1] = list[k] end
  return part
end

--- A vector of Lua numbers on a device.
function M.vector(list, device) return args.namespace.array(list, "float64", device) end

return M
