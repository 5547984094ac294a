--- functional.lua: functions of functions: called for slices, axes, conditions, or coordinates.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local join = require "cuna.join"
local manipulate = require "cuna.manipulate"
local positions = require "cuna.positions"
local slices = require "cuna.base.slices"
local take = require "cuna.take"

local M = {functions = {}}
local F = M.functions

local fail = check.fail

-- ---- slices ----

--- Calls visit(vector, ...) with the vectors of x along its last axis, in row-major order of the others.
local function each_vector(x, visit, ...)
  if x.ndim == 1 then return visit(x, ...) end
  for i = 1, core.length(x, 1) do each_vector(slices.at(x, 1, i), visit, ...) end
end

--- What a function answered for all slices, as one array; all are of the shape of the first.
local function stacked(results, device, name)
  local first = results[1]
  for i, result in ipairs(results) do
    if not core.is_array(result) then
      results[i] = check.array(result, name, device)
    elseif core.is_array(first) and not core.same_shape(first, result) then
      fail("%s: the function answered shape %s for slice 1 and %s for slice %d", name, tostring(first.shape),
        tostring(result.shape), i)
    end
  end
  return join.functions.stack(results, 1)
end

--- Calls fn(slice, ...) with each 1-d slice of x along an axis; what it returns, numbers or arrays of one shape, stands
--- where the slices stood. Follows numpy.apply_along_axis.
---@param fn fun(slice: cuna.Array, ...): cuna.Operand slices are views
---@param axis integer
---@param x cuna.Operand
---@param ... any further arguments of fn
---@return cuna.Array
---@usage cn.apply_along_axis(function(v) return v[1] * 10 + v[-1] end, 2, {{1, 2, 3}, {4, 5, 6}}) --> [13. 46.]
---@usage cn.apply_along_axis(cn.flip, 1, {{1, 2}, {3, 4}}) --> [[3. 4.] [1. 2.]]
function F.apply_along_axis(fn, axis, x, ...)
  local name = "apply_along_axis"
  check.callable(fn, name)
  x = check.array(x, name)
  axis = core.axis(axis, x.ndim, name)
  local moved, results = manipulate.functions.moveaxis(x, axis, -1), {}
  each_vector(moved, function(vector, ...)
    local result = fn(vector, ...)
    if result == nil then fail("%s: the function answered nil for slice %d", name, #results + 1) end
    results[#results + 1] = result
  end, ...)
  if #results == 0 then fail("%s: there is no slice along axis %d of shape %s", name, axis, tostring(x.shape)) end
  local shape = core.lengths(moved, 1)
  local whole = stacked(results, x.device, name)
  local own = {unpack(whole.shape, 2)}
  local before, source, target = #shape, {}, {}
  for _, length in ipairs(own) do shape[#shape + 1] = length end
  whole = core.reshape(whole, shape, name)
  for k = 1, #own do source[k], target[k] = before + k, axis + k - 1 end
  return #own == 0 and whole or manipulate.functions.moveaxis(whole, source, target)
end

--- Calls fn(x, axis) for each axis in turn, with what it answered before; an axis that it drops is put back with length
--- 1. Follows numpy.apply_over_axes.
---@param fn fun(x: cuna.Array, axis: integer): cuna.Array
---@param x cuna.Operand
---@param axes integer|integer[]
---@return cuna.Array
---@usage cn.apply_over_axes(cn.sum, cn.ones({2, 3, 4}), {1, 3}).shape --> (1, 3, 1)
function F.apply_over_axes(fn, x, axes)
  local name = "apply_over_axes"
  check.callable(fn, name)
  x = check.array(x, name)
  local ndim = x.ndim
  if axes == nil then fail("%s: the axes are missing", name) end
  for _, axis in ipairs(type(axes) == "table" and axes or {axes}) do
    axis = core.axis(axis, ndim, name)
    local result = check.array(fn(x, axis), name, x.device)
    if result.ndim == ndim - 1 then result = manipulate.functions.expand_dims(result, axis) end
    if result.ndim ~= ndim then
      fail("%s: the function made %d axes of %d; it may drop the one that it is given", name, result.ndim, ndim)
    end
    x = result
  end
  return x
end

-- ---- conditions ----

--- Conditions as a list of arrays of bools.
local function conditions_of(condlist, name)
  if core.is_array(condlist) then
    if condlist.ndim == 0 then return {condlist} end
    local list = {}
    for i = 1, condlist.ndim == 1 and 0 or #condlist do list[i] = condlist[{i, core.ellipsis}] end
    return list[1] and list or {condlist}
  end
  return {unpack(check.list(condlist, name, "conditions"))}
end

--- x by pieces: where a condition holds what its function makes of x, of several conditions that of the last. A
--- function is called once, with all of x, and what it makes of elements elsewhere is dropped: nothing waits. Follows
--- numpy.piecewise, but for that.
---@param x cuna.Operand
---@param condlist cuna.Operand[] arrays of bools
---@param funclist table a function or a number for each condition, and maybe one for what is left (default 0)
---@param ... any further arguments of the functions
---@return cuna.Array of x's dtype
---@usage (function(x) return cn.piecewise(x, {x:lt(0), x:ge(0)}, {-1, cn.sqrt}) end)(cn.array {-4, 4}) --> [-1. 2.]
function F.piecewise(x, condlist, funclist, ...)
  local name = "piecewise"
  x = check.array(x, name)
  if condlist == nil then fail("%s: the conditions are missing", name) end
  local conditions, functions = conditions_of(condlist, name), check.list(funclist, name, "functions")
  local count = #conditions
  for i = 1, count do
    conditions[i] = check.array(conditions[i], name, x.device)
    check.same_device(x, conditions[i], name)
  end
  if #functions ~= count and #functions ~= count + 1 then
    fail("%s: %d functions for %d conditions; give one for each, and maybe one for the rest", name, #functions, count)
  end
  local values, turned, default = {}, {}, 0
  for i, fn in ipairs(functions) do
    local value = fn
    if not core.is_array(fn) and not core.number_kind(fn) then value = check.callable(fn, name)(x, ...) end
    if i > count then default = value else values[count + 1 - i], turned[count + 1 - i] = value, conditions[i] end
  end
  return core.cast(take.select(name, turned, values, default), x.dtype, name)
end

-- ---- coordinates ----

--- Rejects a boolean, which Lua makes of a comparison of coordinates.
local function refuse_boolean(...)
  if type((...)) == "boolean" then
    fail "fromfunction: the function returned a Lua boolean; it gets arrays, which it compares as in i:eq(j)"
  end
  return ...
end

local read_fromfunction = args.reader("fromfunction", {"fn", "shape", "dtype"}, 2)

--- What fn makes of the coordinates of a grid: of one array for each axis, which holds positions along it, from 1.
--- Follows numpy.fromfunction, with positions from 1.
---@param fn fun(...): any
---@param shape cuna.Shape
---@param dtype string|nil of the coordinates, default: the default float
---@return any ... fn's results
---@usage cn.fromfunction(function(i, j) return i * 10 + j end, {2, 3}, "int64") --> [[11 12 13] [21 22 23]]
function F.fromfunction(...)
  local fn, shape, dtype = read_fromfunction(...)
  check.callable(fn, "fromfunction")
  if shape == nil then fail "fromfunction: the shape is missing" end
  shape = check.lengths(shape, "fromfunction", "a length of the shape")
  local grid = positions.functions.indices(shape, check.dtype(dtype, "fromfunction") or core.default_dtype())
  local coordinates = {}
  for axis = 1, #shape do coordinates[axis] = grid[{axis, core.ellipsis}] end
  return refuse_boolean(fn(unpack(coordinates)))
end

args.bound(F, {apply_over_axes = "fn x axes"})

return M
