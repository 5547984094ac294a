--- ranges.lua: arrays and keys of ranges that are written down: mgrid, ogrid, r_, c_, s_.
--
-- NumPy writes these functions with an index, np.mgrid[0:5]. Here a range is text, "0:5", or a table of its numbers,
-- {0, 5}. Its numbers are values, as cn.arange's: the second one is left out, unless a count takes the step's place.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"

local M = {functions = {}}
local F = M.functions

local fail = check.fail

--- The numbers of a range's text, and its count where the step is written as one ("5j").
local function parse(text, name)
  local first, rest = text:match "^%s*([^:]*):(.*)$"
  local last, step = (rest or ""):match "^([^:]*):?([^:]*)$"
  local count = step and step:match "^%s*(%d+)j%s*$"
  local numbers = {tonumber(first) or first and first:match "^%s*$" and 0, tonumber(last),
    count and 1 or tonumber(step) or step == "" and 1}
  if not (numbers[1] and numbers[2] and numbers[3]) then
    fail('%s: a range is "first:last", "first:last:step" or "first:last:5j" for 5 numbers, got %q', name, text)
  end
  return numbers[1], numbers[2], numbers[3], tonumber(count)
end

--- The numbers of a range that is a table, of which a step such as 5i is a count; of a number n from 0.
local function read_table(range, name)
  if type(range) == "number" then return 0, range, 1 end
  if type(range) ~= "table" or #range < 1 or #range > 3 then
    fail('%s: a range is text such as "0:5", a table {first, last, step} or a number, got %s', name, check.show(range))
  end
  local step = range[3] == nil and 1 or range[3]
  if core.number_kind(step) == "complex" then
    return check.real(range[1], name, "first"), check.real(range[2], name, "last"), 1, math.abs(step.im)
  end
  if #range == 1 then return 0, check.real(range[1], name, "last"), 1 end
  return check.real(range[1], name, "first"), check.real(range[2], name, "last"), check.real(step, name, "step")
end

--- The numbers of a range as an array.
local function line(range, name)
  local first, last, step, count
  if type(range) == "string" then
    first, last, step, count = parse(range, name)
  else
    first, last, step, count = read_table(range, name)
  end
  if count then return args.namespace.linspace(first, last, count) end
  return args.namespace.arange(first, last, step)
end

--- One line of numbers for each range, all of one dtype.
local function lines_of(name, ...)
  local lines, dtypes = {}, {}
  for i = 1, select("#", ...) do
    lines[i] = line(select(i, ...), name)
    dtypes[i] = lines[i].dtype
  end
  if #lines == 0 then fail('%s: the ranges are missing, as in cn.%s("0:5", "0:3")', name, name) end
  local dtype = args.namespace.result_type(unpack(dtypes))
  for i, x in ipairs(lines) do lines[i] = core.cast(x, dtype, name) end
  return lines
end

--- A line along its own axis of `count`.
local function open(x, axis, count, name)
  local shape = {}
  for i = 1, count do shape[i] = i == axis and x.size or 1 end
  return core.reshape(x, shape, name)
end

--- Coordinates of a grid: for each range an array of the grid's shape. Ranges hold values: "0:3" is
--- 0, 1, 2, and "0:1:5j" are 5 numbers from 0 to 1. Follows numpy.mgrid, which joins the arrays in one.
---@param ... string|number[]|number "first:last:step", {first, last, step}, or the last alone; {0, 1, 5i} as "0:1:5j"
---@return cuna.Array ... as many as there are ranges
---@usage cn.mgrid("0:2", "0:3") --> [[0 0 0] [1 1 1]], [[0 1 2] [0 1 2]]
---@usage cn.mgrid {0, 1, 5i} --> [0. 0.25 0.5 0.75 1. ]
function F.mgrid(...)
  local lines, shape = lines_of("mgrid", ...), {}
  for axis, x in ipairs(lines) do shape[axis] = x.size end
  for axis, x in ipairs(lines) do
    lines[axis] = core.cast(core.broadcast_to(open(x, axis, #lines, "mgrid"), shape, "mgrid"), nil, "mgrid")
  end
  return unpack(lines)
end

--- As mgrid, with lines that broadcast to the grid in place of the whole. Follows numpy.ogrid.
---@param ... string|number[]|number
---@return cuna.Array ... as many as there are ranges
---@usage cn.ogrid("0:2", "0:3") --> [[0] [1]], [[0 1 2]]
function F.ogrid(...)
  local lines = lines_of("ogrid", ...)
  for axis, x in ipairs(lines) do lines[axis] = open(x, axis, #lines, "ogrid") end
  return unpack(lines)
end

--- What r_ and c_ join: a range as text, or a number, boolean, table or array.
local function piece(value, name, ...)
  if type(value) == "string" then return line(value, name) end
  if type(value) == "boolean" then return core.as_array({value}, nil, core.device_of(...), name) end
  return check.beside(value, name, ...)
end

local function pieces(name, ...)
  local list = {}
  for i = 1, select("#", ...) do
    list[i] = piece(select(i, ...), name, ...)
    if list[i].ndim == 0 then list[i] = core.reshape(list[i], 1, name) end
  end
  if #list == 0 then fail('%s: nothing to join, as in cn.%s("0:5", 7)', name, name) end
  return list
end

--- Ranges, numbers and arrays joined along the first axis. Follows numpy.r_.
---@param ... string|boolean|cuna.Operand "first:last:step"; other values are data
---@return cuna.Array
---@usage cn.r_("0:3", 7, {8, 9}) --> [0. 1. 2. 7. 8. 9.]
---@usage cn.flatnonzero(cn.r_(true, cn.diff({5, 5, 6}):ne(0))) --> [1 3]
function F.r_(...) return args.namespace.concatenate(pieces("r_", ...)) end

--- Vectors as the columns of a matrix, and matrices, joined along the last axis. Follows numpy.c_.
---@param ... string|boolean|cuna.Operand as r_'s
---@return cuna.Array
---@usage cn.c_({1, 2}, "5:7") --> [[1. 5.] [2. 6.]]
function F.c_(...)
  local list = pieces("c_", ...)
  for i, x in ipairs(list) do
    if x.ndim == 1 then list[i] = core.reshape(x, {x.size, 1}, "c_") end
  end
  return args.namespace.concatenate(list, -1)
end

--- A key of arrays that is kept in a variable: the table of the entries, as x[{...}] takes it. Follows numpy.s_ and
--- numpy.index_exp.
---@param ... any entries: numbers, ranges {first, last, step}, arrays, cn.newaxis, cn.ellipsis
---@return table
---@usage cn.array({{1, 2, 3}, {4, 5, 6}})[cn.s_(2, {1, 2})] --> [4. 5.]
function F.s_(...) return {...} end

return M
