--- positions.lua: arrays of positions: of nonzero elements, grids, triangles and diagonals; flat or by axis.
--
-- Positions count from 1 and are int64. Those along several axes are a table with one array per axis, which is a key:
-- x[cn.nonzero(m)].
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local create = require "cuna.create"
local elementwise = require "cuna.elementwise"
local gather = require "cuna.gather"
local join = require "cuna.join"
local matrix = require "cuna.matrix"
local nonzero = require "cuna.nonzero"
local program = require "cuna.base.program"
local with = require "cuna.base.with"

local M = {functions = {}}
local F = M.functions

local fail = check.fail
local MOST_AXES = 32

-- ---- nonzero elements ----

local function nonzero_of(x, name)
  x = check.array(x, name)
  if x.ndim == 0 then fail("%s: a 0-d array has no axis to name a position on; give x:reshape(1)", name) end
  return nonzero.nonzero(x, name)
end

--- The positions of the elements of x that are not 0 (or false): for each axis an array, in row-major order, in one
--- table. The table is a key: x[cn.nonzero(m)] reads and writes these elements. NaN is not 0. Waits for the count.
--- Follows numpy.nonzero.
---@param x cuna.Operand at least 1-d
---@return cuna.Array[] 1-d, int64, counting from 1
---@usage cn.nonzero({0, 3, 0, 4})[1] --> [2 4]
---@usage unpack(cn.nonzero {{0, 3}, {4, 0}}) --> [1 2], [2 1]
function F.nonzero(x) return nonzero_of(x, "nonzero") end

--- The row-major positions, over all axes, of elements of x that are not 0. Waits for the count. Follows
--- numpy.flatnonzero.
---@param x cuna.Operand
---@return cuna.Array 1-d, int64, counting from 1
---@usage cn.flatnonzero {{0, 3}, {4, 0}} --> [2 3]
function F.flatnonzero(x) return nonzero.compact(check.array(x, "flatnonzero"), nil, "flatnonzero") end

--- The positions of the elements of x that are not 0, one row each. Waits for the count. Follows numpy.argwhere.
---@param x cuna.Operand
---@return cuna.Array shape (count, x.ndim), int64, counting from 1
---@usage cn.argwhere {{0, 3}, {4, 0}} --> [[1 2] [2 1]]
function F.argwhere(x)
  x = check.array(x, "argwhere")
  local axes = nonzero.nonzero(x, "argwhere")
  if x.ndim > 0 then return join.functions.stack(axes, 2) end
  return core.empty({nonzero.compact(x, nil, "argwhere").size, 0}, "int64", x.device, "argwhere")
end

local select_where = elementwise.functions.where

--- x where the condition is true, else y. With the condition alone, the positions where it is true: cn.nonzero. Follows
--- numpy.where.
---@param condition cuna.Operand
---@param x cuna.Operand|nil
---@param y cuna.Operand|nil
---@param ... cuna.Array|table out, options
---@return cuna.Array|cuna.Array[]
---@usage cn.where(cn.array {true, false}, {1, 2}, 0) --> [1. 0.]
---@usage cn.where(cn.array {true, false, true})[1] --> [1 3]
function F.where(condition, x, y, ...)
  if x == nil and y == nil and select("#", ...) == 0 then return nonzero_of(condition, "where") end
  return select_where(condition, x, y, ...)
end

-- ---- conversion between flat positions and positions by axis ----

--- An array of positions, or of values in place of it. The program that reads floats checks that they are whole.
local function positions_of(value, device, name)
  if type(value) == "boolean" then value = check.array(value, name) end
  if not core.is_array(value) then return core.as_array(value, "float64", device, name) end
  core.check_alive(value, name)
  if value.dtype == "bool" or value.dtype:find "^complex" then
    fail("%s: positions are whole numbers, got an array of %s", name, value.dtype)
  end
  return value
end

-- Kernel text that converts position a on an axis of length b by the mode; the next step rejects results out of range.
local MODES = {
  raise = "a",
  wrap = "a > 0 ? (a - 1) % b + 1 : a == 0 || a % b != 0 ? a % b : -b",
  clip = "a > b ? b : a < 0 ? int64(1) : a",
}
-- One step, as gather.lua says.
local RAVELLED = "(a - 1) * c + displaced(1, [](int64 a, int64 b) { return %s; }(whole(b, d), c), 1, c, d)"

local function draw_raveller(draft, dtype, mode)
  local flat, position = draft:input "int64", draft:input(dtype)
  local length, mark = draft:input("int64", "scalar"), draft:input("int64", "scalar")
  draft:step("ravelled", RAVELLED:format(MODES[mode]), "int64", {flat, position, length, mark},
    {"int64", gather.AS_WHOLE[dtype] or "int64", "int64", "int64"})
  draft.gathers, draft.output = true, "int64"
end

--- A program that appends an axis to flat positions: the flat position so far, that on the axis, its length, a mark.
local function raveller(dtype, mode) return program.get(dtype .. " " .. mode, draw_raveller, dtype, mode) end

--- Flat positions from positions along axes.
local function ravel(list, shape, modes, name)
  local device = check.device_of(list)
  local flat = core.as_array(1, "int64", device, name)
  for axis, value in ipairs(list) do
    local positions = positions_of(value, flat.device, name)
    check.same_device(flat, positions, name)
    if shape[axis] == 0 and positions.size > 0 then
      fail("%s: the shape has a length of 0, so there is no position in it", name)
    end
    flat = core.map(raveller(positions.dtype, modes[axis]), name, nil, nil, flat, positions, shape[axis],
      core.report_mark(flat, name))
  end
  return flat
end

--- The number of flat positions of a shape. Rejects shapes whose positions a double cannot represent.
local function size_of(shape, name)
  local size = 1
  for _, length in ipairs(shape) do size = size * length end
  if size > 2 ^ 53 then fail("%s: a shape of %g elements has more positions than a number holds", name, size) end
  return size
end

--- The list unchanged for order "C", reversed for "F".
local function in_order(list, order, name)
  if order == nil or order == "C" then return list end
  if order ~= "F" then fail("%s: order is \"C\" or \"F\", got %s", name, check.show(order)) end
  local reversed = {}
  for i = 1, #list do reversed[i] = list[#list + 1 - i] end
  return reversed
end

local read_unravel_index = args.reader("unravel_index", {"indices", "shape", "order"}, 2)

--- Converts flat positions to positions along each axis of a shape: for each axis an array, in one table. Raises an
--- error for positions out of range. Follows numpy.unravel_index.
---@param indices cuna.Operand whole numbers from 1, or negative from the end
---@param shape cuna.Shape
---@param order string|nil "C" (row-major, default) or "F"
---@return cuna.Array[] int64, of the shape of `indices`, counting from 1
---@usage unpack(cn.unravel_index({1, 6, -1}, {2, 3})) --> [1 2 2], [1 3 3]
function F.unravel_index(...)
  local indices, shape, order = read_unravel_index(...)
  if indices == nil then fail "unravel_index: the positions are missing" end
  shape = in_order(check.lengths(shape, "unravel_index", "a length of the shape"), order, "unravel_index")
  local size = size_of(shape, "unravel_index")
  local flat = ravel({indices}, {size}, {"raise"}, "unravel_index")
  return #shape == 0 and {} or in_order(nonzero.unravel(flat, shape, "unravel_index"), order, "unravel_index")
end

--- The mode of each axis.
local function modes_of(mode, count)
  local modes = {}
  for axis = 1, count do
    local own = mode
    if type(mode) == "table" then own = mode[axis] elseif mode == nil then own = "raise" end
    if not MODES[own] then
      fail("ravel_multi_index: mode is \"raise\", \"wrap\" or \"clip\", got %s for axis %d", check.show(own), axis)
    end
    modes[axis] = own
  end
  return modes
end

local read_ravel_multi_index = args.reader("ravel_multi_index", {"multi_index", "dims", "mode", "order"}, 2)

--- Converts positions along axes, which broadcast, to flat positions. Follows numpy.ravel_multi_index.
---@param multi_index cuna.Operand[]|cuna.Array positions for each axis: a table, or an array's first axis
---@param dims cuna.Shape
---@param mode string|string[]|nil treatment of positions out of range, for all axes or each: "raise" (default) raises
--- an error, "wrap" counts around, "clip" takes the first or the last; 0 is an error in any case
---@param order string|nil "C" (row-major, default) or "F"
---@return cuna.Array int64, counting from 1
---@usage cn.ravel_multi_index({{1, 2, -1}, {1, 3, 3}}, {2, 3}) --> [1 6 6]
---@usage cn.ravel_multi_index({{2}, {7}}, {2, 3}, "wrap") --> [4]
function F.ravel_multi_index(...)
  local name, list = "ravel_multi_index", {}
  local multi_index, dims, mode, order = read_ravel_multi_index(...)
  dims = check.lengths(dims, name, "a length of dims")
  if core.is_array(multi_index) then
    if multi_index.ndim == 0 then fail("%s: a 0-d array has no axis to take positions from", name) end
    for axis = 1, #multi_index do list[axis] = multi_index[{axis, core.ellipsis}] end
  else
    list = check.list(multi_index, name, "positions")
  end
  if #list ~= #dims then fail("%s: positions for %d axes, but dims has %d", name, #list, #dims) end
  size_of(dims, name)
  local modes = modes_of(mode, #dims)
  return ravel(in_order(list, order, name), in_order(dims, order, name), in_order(modes, order, name), name)
end

-- ---- grids and triangles ----

--- A list along one axis of `ndim`.
local function along(line, axis, ndim, name)
  local lengths = {}
  for k = 1, ndim do lengths[k] = k == axis and -1 or 1 end
  if line.size == 0 then lengths[axis] = 0 end
  return core.reshape(line, lengths, name)
end

--- A list of positions as an array; the program that uses it checks its elements.
local function line_of(list, array, name)
  if core.is_array(list) then return positions_of(list, nil, name) end
  for _, position in ipairs(list) do
    if type(position) == "number" then check.integer(position, name, "a position") end
  end
  return core.as_array(list, "int64", array.device, name)
end

--- Lists of positions as a key of a grid: x[cn.ix_({1, 3}, {2, 4})] is rows 1, 3 of columns 2, 4. Bool arrays
--- are converted to the positions where they are true. Follows numpy.ix_.
---@param ... cuna.Operand 1-d
---@return cuna.Array[] the lists, each along a separate axis
---@usage cn.arange(6):reshape(2, 3)[cn.ix_({1, 2}, {1, 3})] --> [[0 2] [3 5]]
function F.ix_(...)
  local lists, count, device = {}, select("#", ...), core.device_of(...)
  for k = 1, count do
    local list = select(k, ...)
    local array = check.array(list, "ix_", device)
    check.same_device(lists[1] or array, array, "ix_")
    if array.ndim ~= 1 then fail("ix_: expected 1-d lists, got shape %s as argument %d", tostring(array.shape), k) end
    if array.dtype == "bool" and array.size > 0 then
      array = nonzero.compact(array, nil, "ix_")
    else
      array = line_of(list, array, "ix_")
    end
    lists[k] = along(array, k, count, "ix_")
  end
  return lists
end

local read_indices = args.reader("indices", {"shape", "dtype", "sparse"})

--- The positions of a grid's elements: element {axis, i, j, ...} is its position along that axis. Follows
--- numpy.indices, with positions from 1.
---@param shape cuna.Shape
---@param dtype string|nil default int64
---@param sparse boolean|nil true: returns a table of arrays that broadcast, each of length 1 along the other axes
---@return cuna.Array|cuna.Array[] shape (#shape, ...)
---@usage cn.indices {2, 2} --> [[[1 1] [2 2]] [[1 2] [1 2]]]
---@usage cn.indices({2, 3}, {sparse = true})[2] --> [[1 2 3]]
function F.indices(...)
  local shape, dtype, sparse = read_indices(...)
  shape, dtype = check.lengths(shape, "indices", "a length of the shape"), check.dtype(dtype, "indices") or "int64"
  sparse = check.boolean(sparse, false, "indices", "sparse")
  local lines = {}
  for axis, length in ipairs(shape) do
    local line = create.functions.range(1, length)
    lines[axis] = along(dtype == "int64" and line or core.cast(line, dtype, "indices"), axis, #shape, "indices")
  end
  if sparse then return lines end
  local out = core.empty({#shape, unpack(shape)}, dtype, nil, "indices")
  for axis, line in ipairs(lines) do out[{axis, core.ellipsis}] = line end
  return out
end

--- Positions of a triangle of an (n, m) matrix: at and below the k-th diagonal, or at and above it.
local function triangle(name, lower, n, k, m)
  n = check.count(n, name, "n")
  m = m == nil and n or check.count(m, name, "m")
  k = check.integer(k or 0, name, "k")
  local mask = matrix.functions.tri(n, m, lower and k or k - 1, "bool")
  return nonzero.nonzero(lower and mask or elementwise.functions.logical_not(mask), name)
end

local read_tril_indices = args.reader("tril_indices", {"n", "k", "m"}, 0)
local read_triu_indices = args.reader("triu_indices", {"n", "k", "m"}, 0)

--- The positions at and below the k-th diagonal of an (n, m) matrix: rows and columns in one table, a key. Follows
--- numpy.tril_indices.
---@param n integer rows
---@param k integer|nil default 0, the main diagonal
---@param m integer|nil columns, default n
---@return cuna.Array[] 1-d, int64, counting from 1
---@usage unpack(cn.tril_indices(2)) --> [1 2 2], [1 1 2]
function F.tril_indices(...) return triangle("tril_indices", true, read_tril_indices(...)) end

--- The positions at and above the k-th diagonal of an (n, m) matrix: rows and columns in one table, a key. Follows
--- numpy.triu_indices.
---@param n integer rows
---@param k integer|nil default 0, the main diagonal
---@param m integer|nil columns, default n
---@return cuna.Array[] 1-d, int64, counting from 1
---@usage unpack(cn.triu_indices(2)) --> [1 1 2], [1 2 2]
function F.triu_indices(...) return triangle("triu_indices", false, read_triu_indices(...)) end

--- A function that returns a triangle of an array's shape, on its device.
local function triangle_from(name, lower)
  local read = args.reader(name, {"x", "k"})
  return function(...)
    local x, k = read(...)
    x = check.array(x, name)
    if x.ndim ~= 2 then fail("%s: expected 2 axes, got shape %s", name, tostring(x.shape)) end
    return with.on(x, triangle, name, lower, x.shape[1], k, x.shape[2])
  end
end

--- The positions at and below the k-th diagonal of x, as cn.tril_indices. Follows numpy.tril_indices_from.
---@param x cuna.Operand shape (n, m)
---@param k integer|nil default 0
---@return cuna.Array[]
---@usage cn.array({{1, 2}, {3, 4}})[cn.tril_indices_from {{1, 2}, {3, 4}}] --> [1. 3. 4.]
F.tril_indices_from = triangle_from("tril_indices_from", true)

--- The positions at and above the k-th diagonal of x, as cn.triu_indices. Follows numpy.triu_indices_from.
---@param x cuna.Operand shape (n, m)
---@param k integer|nil default 0
---@return cuna.Array[]
---@usage cn.array({{1, 2}, {3, 4}})[cn.triu_indices_from {{1, 2}, {3, 4}}] --> [1. 2. 4.]
F.triu_indices_from = triangle_from("triu_indices_from", false)

local read_diag_indices = args.reader("diag_indices", {"n", "ndim"}, 0)

--- The positions of the main diagonal of an array with `ndim` axes of length n: a key. Follows numpy.diag_indices.
---@param n integer
---@param ndim integer|nil default 2
---@return cuna.Array[] the same 1-d int64 array for each axis, counting from 1
---@usage unpack(cn.diag_indices(3)) --> [1 2 3], [1 2 3]
function F.diag_indices(...)
  local n, ndim = read_diag_indices(...)
  local line, list = create.functions.range(1, check.count(n, "diag_indices", "n")), {}
  for axis = 1, check.few(ndim or 2, MOST_AXES, "diag_indices", "ndim") do list[axis] = line end
  return list
end

--- The positions of the main diagonal of x, as cn.diag_indices. Follows numpy.diag_indices_from.
---@param x cuna.Operand at least 2 axes, all of one length
---@return cuna.Array[]
---@usage cn.diag_indices_from(cn.eye(2))[1] --> [1 2]
function F.diag_indices_from(x)
  x = check.array(x, "diag_indices_from")
  check.cube(x, "diag_indices_from")
  return with.on(x, F.diag_indices, x.shape[1], x.ndim)
end

args.bound(F, {nonzero = "x", flatnonzero = "x", argwhere = "x", diag_indices_from = "x"})

return M
