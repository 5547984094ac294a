--- given.lua: the arguments that functions of images share: images, axes, sizes, origins, modes, outputs.
local args = require "cuna.base.args"
local border = require "cuna.ndimage.border"
local check = require "cuna.base.check"
local core = require "cuna.core"
local dtype_facts = require "cuna.base.dtype_facts"

local M = {}

local fail = check.fail

--- An image: an array of any number of axes from 1 on.
---@param real boolean|nil whether complex numbers are refused
function M.image(x, name, real)
  x = check.array(x, name)
  if x.ndim == 0 then x = core.reshape(x, 1, name) end
  if real and dtype_facts.kind_of[x.dtype] == "c" then
    fail("%s: expected an image of real numbers, got %s", name, x.dtype)
  end
  return x
end

--- The elements of a parameter on the host, row-major, and its shape. Arrays are fetched; in a preparation, in which
--- their elements mean nothing, all of them are 1.
---@return any[]
---@return integer[] shape
function M.elements(x, name)
  local is_unknown = core.is_array(x) and core.is_preparing()
  x = check.array(x, name, args.namespace.device "cpu")
  local list = core.reshape(x, -1, name):totable()
  for k = 1, is_unknown and #list or 0 do list[k] = 1 end
  return list, x.shape
end

--- The name of a dtype's type in kernel text.
function M.type_of(dtype) return dtype == "bool" and "bool8" or dtype end

--- The axes of a function, in ascending order; all without `axes`.
---@return integer[]
function M.axes(axes, x, name)
  local list = {}
  if axes == nil then
    for axis = 1, x.ndim do list[axis] = axis end
    return list
  end
  for i, axis in ipairs(type(axes) == "table" and axes or {axes}) do list[i] = core.axis(axis, x.ndim, name) end
  table.sort(list)
  for i = 2, #list do
    if list[i] == list[i - 1] then fail("%s: axis %d is given twice", name, list[i]) end
  end
  return list
end

--- A value for each of `count` axes, from one for all or a list.
function M.each(value, count, name, what)
  local list = {}
  if type(value) ~= "table" then
    for k = 1, count do list[k] = value end
    return list
  end
  if #value ~= count then fail("%s: %s has %d values for %d axes", name, what, #value, count) end
  for k = 1, count do list[k] = value[k] end
  return list
end

--- Moves of a window's center for each of `count` axes.
function M.origins(value, count, name)
  local list = M.each(value == nil and 0 or value, count, name, "origin")
  for k = 1, count do list[k] = check.integer(list[k], name, "origin") end
  return list
end

--- More arguments of a user's function: a table, or nil for none.
function M.extra(value, name)
  if value ~= nil and type(value) ~= "table" then
    fail("%s: extra_arguments is a table of arguments, got %s", name, check.show(value))
  end
  return value or {}
end

--- Real numbers for each of `count` axes.
function M.numbers(value, default, count, name, what)
  if value == nil then value = default end
  local list = M.each(value, count, name, what)
  for k = 1, count do list[k] = check.real(list[k], name, what) end
  return list
end

local MOST_SIZE = 2 ^ 21 -- weights and places are tables of Lua's

--- Refuses a length that no window has.
function M.check_size(size, name)
  if size < 1 or size > MOST_SIZE then
    fail("%s: a window has 1 to %d elements along an axis, got %.0f", name, MOST_SIZE, size)
  end
end

--- Lengths of a window for each of `count` axes.
function M.sizes(value, count, name)
  local list = M.each(value, count, name, "size")
  for k = 1, count do M.check_size(check.integer(list[k], name, "size"), name) end
  return list
end

--- The modes of cn.pad for each of `count` axes.
function M.modes(value, count, name)
  local list = M.each(value, count, name, "mode")
  for k = 1, count do list[k] = border.mode(list[k], name) end
  return list
end

--- The number beyond the border.
function M.cval(value, name) return check.number(value == nil and 0 or value, name, "cval") end

--- How many neighbours a window of `size` has on either side, with its center moved by `origin`.
---@return integer before
---@return integer after
function M.reach(size, origin, name)
  origin = check.integer(origin == nil and 0 or origin, name, "origin")
  local before = math.floor(size / 2) + origin
  if before < 0 or before >= size then
    fail("%s: origin %d moves the center out of a window of %d", name, origin, size)
  end
  return before, size - 1 - before
end

--- Calls compute(out) with an array for the result, and returns this array. `output` is an array, which may share
--- memory with what compute reads, a dtype, or nil.
---@param output cuna.Array|string|nil
---@param x cuna.Array
---@param dtype string the result's without an output
---@param compute fun(out: cuna.Array)
function M.output(output, x, shape, dtype, name, compute)
  if core.is_array(output) then
    check.output(output, nil, shape, x, name)
    if output.size == 0 then return output end
    if not core.shares_memory(output, x) then
      compute(output)
      return output
    end
    local out = core.empty(shape, output.dtype, x.device, name)
    compute(out)
    return core.copy(output, out, name)
  end
  local out = core.empty(shape, output ~= nil and check.dtype(output, name) or dtype, x.device, name)
  if out.size > 0 then compute(out) end
  return out
end

--- Runs steps one after the other, each on the result of the one before: step(src, out, k) for k = 1..count. Results
--- between have the dtype of the last one. Without steps the result is a copy.
---@param step fun(src: cuna.Array, out: cuna.Array, k: integer)
function M.chain(output, x, dtype, count, name, step)
  return M.output(output, x, x.shape, dtype, name, function(out)
    if count == 0 then return core.copy(out, x, name) end
    local src = x
    for k = 1, count do
      local to = k == count and out or core.empty_like(x, out.dtype, name)
      step(src, to, k)
      src = to
    end
  end)
end

return M
