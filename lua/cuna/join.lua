--- join.lua: joining arrays along an existing or a new axis. C compares their shapes.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local displace = require "cuna.displace"

local M = {functions = {}}
local F = M.functions

local fail = check.fail

--- The arrays of a list; an array stands for its slices along the first axis.
local function arrays_of(list, name)
  if core.are_arrays(list, name) then return list end
  local arrays = {}
  if core.is_array(list) then
    if list.ndim == 0 then fail("%s: expected a table of arrays, got a 0-d array", name) end
    for i = 1, #list do arrays[i] = list.ndim == 1 and list[{i, core.ellipsis}] or list[i] end
    if #arrays == 0 then fail("%s: the array has no slices to join", name) end
    return arrays
  end
  local device = check.device_of(check.list(list, name, "arrays"))
  for i, x in ipairs(list) do
    arrays[i] = check.array(x, name, device)
    if i > 1 then check.same_device(arrays[1], arrays[i], name) end
  end
  return arrays
end

--- The two parts of an array, the latter first, as that array rolled: a ring. nil if they are not, or if it is faster
--- to copy them.
local function rolled(x, y, axis, name)
  if core.lanes(x) == 1 then return nil end
  local whole, along = core.rejoined(x, y, axis, name)
  return whole and displace.rolled(whole, {[along] = x.shape[along]}, name)
end

--- Arrays joined along an axis, or with `stacked` along a new one.
local function join(arrays, axis, out, dtype, name, stacked)
  if core.is_array(axis) or type(axis) == "table" then
    fail("%s: the axis is an array; arrays come in one table: cn.%s {a, b}", name, name)
  end
  if core.is_array(dtype) or type(dtype) == "table" then
    fail("%s: the dtype is an array; arrays come in one table: cn.%s {a, b}", name, name)
  end
  dtype = check.dtype(dtype, name)
  if out ~= nil then
    check.output(out, nil, nil, arrays[1], name)
    if dtype then fail("%s: out decides the dtype; give one of out and dtype", name) end
  end
  return not stacked and out == nil and dtype == nil and #arrays == 2 and rolled(arrays[1], arrays[2], axis, name)
    or core.join(arrays, axis, stacked, out, dtype, name)
end

local read_concatenate = args.reader("concatenate", {"arrays", "axis", "out", "dtype"})

--- Arrays joined along an axis that they have; the other axes must agree. `x .. y` does so along the first axis.
--- Follows numpy.concatenate.
---@param arrays cuna.Operand[]|cuna.Array
---@param axis integer|nil default 1
---@param out cuna.Array|nil of the result's shape; it may overlap the arrays
---@param dtype string|nil default: the arrays' common one
---@return cuna.Array
---@usage cn.concatenate({{{1, 2}}, {{3, 4}}}, 2) --> [[1. 2. 3. 4.]]
function F.concatenate(...)
  local list, axis, out, dtype = read_concatenate(...)
  return join(arrays_of(list, "concatenate"), axis, out, dtype, "concatenate")
end
F.concat = F.concatenate

local read_stack = args.reader("stack", {"arrays", "axis", "out", "dtype"})

--- Arrays of one shape joined along a new axis. Follows numpy.stack.
---@param arrays cuna.Operand[]|cuna.Array
---@param axis integer|nil place of the new axis in the result, default 1
---@param out cuna.Array|nil of the result's shape; it may overlap the arrays
---@param dtype string|nil default: the arrays' common one
---@return cuna.Array
---@usage cn.stack({{1, 2}, {3, 4}}, 2) --> [[1. 3.] [2. 4.]]
function F.stack(...)
  local list, axis, out, dtype = read_stack(...)
  return join(arrays_of(list, "stack"), axis, out, dtype, "stack", true)
end

--- x .. y, under its own name in errors.
function M.concat(a, b) return join(arrays_of({a, b}, ".."), 1, nil, nil, "..") end

M.arrays_of, M.join = arrays_of, join

return M
