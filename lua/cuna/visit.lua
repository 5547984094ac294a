--- visit.lua: loops over positions and elements, and arrays of what a loop gives: ndindex, ndenumerate, fromiter.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"

local M = {functions = {}}
local F = M.functions

local fail = check.fail

--- A function that moves a list of positions on to the next ones in row-major order; false after the last.
local function stepper(shape)
  local at, is_first = {}, true
  for axis, length in ipairs(shape) do
    at[axis] = 1
    if length == 0 then return function() return false end, at end
  end
  return function()
    if is_first then
      is_first = false
      return true
    end
    for axis = #shape, 1, -1 do
      if at[axis] < shape[axis] then
        at[axis] = at[axis] + 1
        return true
      end
      at[axis] = 1
    end
    return false
  end, at
end

--- A loop over all positions of a shape in row-major order, one number for each axis, from 1. Follows numpy.ndindex.
---@param ... integer|integer[] lengths, or a shape
---@return function
---@usage (function(sum) for i, j in cn.ndindex(2, 3) do sum = sum + i * j end return sum end)(0) --> 18
function F.ndindex(...)
  local shape = type((...)) == "table" and (...) or {...}
  shape = check.lengths(shape, "ndindex", "a length")
  if #shape == 0 then fail "ndindex: a shape has at least one axis" end
  local step, at = stepper(shape)
  return function()
    if step() then return unpack(at) end
  end
end

--- A loop over the elements of an array and their positions: the element first, then a position for each axis, from 1.
--- Elements are fetched at once, which waits for the device. Follows numpy.ndenumerate.
---@param x cuna.Operand at least 1-d
---@return function
---@usage (function(sum) for v, i in cn.ndenumerate {5, 7} do sum = sum + v * i end return sum end)(0) --> 19
function F.ndenumerate(x)
  x = check.array(x, "ndenumerate")
  if x.ndim == 0 then fail "ndenumerate: a 0-d array has no axis to go along" end
  local values, k = core.elements(x, "ndenumerate"), 0
  local step, at = stepper(x.shape)
  return function()
    k = k + 1
    if step() then return values[k], unpack(at) end
  end
end

local read_fromiter = args.reader("fromiter", {"loop", "dtype", "count"})

--- A vector of what an iterator gives, until it gives nil. Follows numpy.fromiter.
---@param loop function an iterator that needs no state, such as string.gmatch's; its first results are numbers
---@param dtype string|nil default: the default float
---@param count integer|nil how many numbers are taken; fewer are an error; -1, the default: all
---@return cuna.Array 1-d
---@usage cn.fromiter(("3 1 4"):gmatch "%d") --> [3. 1. 4.]
function F.fromiter(...)
  local loop, dtype, count = read_fromiter(...)
  loop, dtype = check.callable(loop, "fromiter"), check.dtype(dtype, "fromiter")
  count = count ~= nil and count ~= -1 and check.count(count, "fromiter", "count") or nil
  local values = {}
  while not count or #values < count do
    local value = loop()
    if value == nil then break end
    values[#values + 1] = type(value) == "string" and tonumber(value)
      or check.number(value, "fromiter", ("number %d of the loop"):format(#values + 1))
  end
  if count and #values < count then fail("fromiter: the loop gave %d numbers of %d", #values, count) end
  if #values == 0 then return core.empty({0}, dtype or core.default_dtype(), nil, "fromiter") end
  return core.as_array(values, dtype, nil, "fromiter")
end

args.bound(F, {ndenumerate = "x"})

return M
