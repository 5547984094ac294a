--- join.lua: arrays one behind the other, along an axis that they have or a new one.
local args = require "cuna.args"
local check = require "cuna.check"
local core = require "cuna.core"
local manipulate = require "cuna.manipulate"

local M = {functions = {}}
local F = M.functions

local fail = check.fail

--- The arrays of a list; an array stands for its slices along the first axis.
local function arrays_of(list, name)
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

local function common_dtype(arrays)
  local dtype = arrays[1].dtype
  for i = 2, #arrays do dtype = core.promote(dtype, arrays[i].dtype) end
  return dtype
end

local function axes_text(x) return x.ndim == 1 and "1 axis" or x.ndim .. " axes" end

local function joined_shape(arrays, axis, name)
  local first = arrays[1]
  local shape = first.shape
  for i = 2, #arrays do
    local other = arrays[i].shape
    if #other ~= #shape then
      fail("%s: array 1 has %s and array %d has %s", name, axes_text(first), i, axes_text(arrays[i]))
    end
    for k = 1, #shape do
      if k ~= axis and other[k] ~= shape[k] then
        fail("%s: array 1 of shape %s and array %d of shape %s differ in axis %d, along which nothing is joined", name,
          tostring(first.shape), i, tostring(other), k)
      end
    end
    shape[axis] = shape[axis] + other[axis]
  end
  return shape
end

--- Copies arrays one behind the other into out.
local function fill_joined(out, arrays, axis)
  local key, at = {}, 0
  for i = 1, out.ndim do key[i] = {} end
  for _, x in ipairs(arrays) do
    local length = x.shape[axis]
    if length > 0 then
      key[axis] = {at + 1, at + length}
      out[key] = x
      at = at + length
    end
  end
  return out
end

--- Refuses an output that does not fit; inputs that share its memory are copied.
local function prepare_out(out, arrays, shape, name)
  if not core.is_array(out) then fail("%s: out: expected an array, got %s", name, check.show(out)) end
  check.same_device(out, arrays[1], name)
  if out.shape ~= shape then
    fail("%s: out has shape %s, but the result has shape %s", name, tostring(out.shape), tostring(shape))
  end
  if not out.flags.writeable then fail("%s: out is %s", name, core.why_readonly(out)) end
  local dtype = common_dtype(arrays)
  if not core.can_cast(dtype, out.dtype, "same_kind") then
    fail("%s: a %s result cannot be written to %s; cast it with astype", name, dtype, out.dtype)
  end
  for i, x in ipairs(arrays) do
    if core.shares_memory(out, x) then arrays[i] = core.cast(x, nil, name) end
  end
end

local function join(arrays, axis, out, dtype, name)
  local first = arrays[1]
  if core.is_array(axis) then fail("%s: the axis is an array; arrays come in one table: cn.%s {a, b}", name, name) end
  if first.ndim == 0 then fail("%s: 0-d arrays cannot be joined; stack them", name) end
  axis, dtype = core.axis(axis == nil and 1 or axis, first.ndim, name), check.dtype(dtype, name)
  local shape = joined_shape(arrays, axis, name)
  if out == nil then
    return fill_joined(core.empty(shape, dtype or common_dtype(arrays), first.device, name), arrays, axis)
  end
  if dtype then fail("%s: out decides the dtype; give one of out and dtype", name) end
  prepare_out(out, arrays, shape, name)
  return fill_joined(out, arrays, axis)
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
  local arrays = arrays_of(list, "stack")
  local shape = arrays[1].shape
  axis = core.axis(axis == nil and 1 or axis, #shape + 1, "stack")
  for i, x in ipairs(arrays) do
    if x.shape ~= shape then
      fail("stack: array 1 has shape %s and array %d has shape %s", tostring(shape), i, tostring(x.shape))
    end
  end
  for i, x in ipairs(arrays) do arrays[i] = manipulate.functions.expand_dims(x, axis) end
  return join(arrays, axis, out, dtype, "stack")
end

--- The arrays of a list with at least `ndim` axes: new ones come first.
local function raised(list, ndim, name)
  local arrays = arrays_of(list, name)
  for i, x in ipairs(arrays) do
    while x.ndim < ndim do x = x[{core.newaxis, core.ellipsis}] end
    arrays[i] = x
  end
  return arrays
end

local read_vstack = args.reader("vstack", {"arrays", "dtype"})

--- Arrays joined along the first axis; vectors become rows before. Follows numpy.vstack.
---@param arrays cuna.Operand[]|cuna.Array
---@param dtype string|nil default: the arrays' common one
---@return cuna.Array
---@usage cn.vstack {{1, 2}, {3, 4}} --> [[1. 2.] [3. 4.]]
function F.vstack(...)
  local list, dtype = read_vstack(...)
  return join(raised(list, 2, "vstack"), 1, nil, dtype, "vstack")
end
F.row_stack = F.vstack

local read_hstack = args.reader("hstack", {"arrays", "dtype"})

--- Arrays joined along the second axis; vectors and numbers along the first. Follows numpy.hstack.
---@param arrays cuna.Operand[]|cuna.Array
---@param dtype string|nil default: the arrays' common one
---@return cuna.Array
---@usage cn.hstack {{1, 2}, {3}} --> [1. 2. 3.]
function F.hstack(...)
  local list, dtype = read_hstack(...)
  local arrays = raised(list, 1, "hstack")
  return join(arrays, arrays[1].ndim == 1 and 1 or 2, nil, dtype, "hstack")
end

--- x .. y, under its own name in errors.
function M.concat(a, b) return join(arrays_of({a, b}, ".."), 1, nil, nil, "..") end

return M
