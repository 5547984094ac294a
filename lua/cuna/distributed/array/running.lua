--- running.lua: what looks along an axis of arrays over ranks: running sums and extremes, places of extremes.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local folds = require "cuna.distributed.array.fold"
local later = require "cuna.base.later"
local layouts = require "cuna.distributed.array.layout"
local object = require "cuna.distributed.array.object"
local ops = require "cuna.distributed.op"
local slices = require "cuna.base.slices"

local elementwise = later.functions "elementwise"

local M = {}

local fail = check.fail
local methods = object.methods

--- An axis, which only a vector may leave out.
local function axis_of(A, axis, name)
  if axis == nil and A.ndim > 1 then
    fail("%s: the axis is missing; all elements in one row would be another layout", name)
  end
  return core.axis(axis == nil and 1 or axis, A.ndim, name)
end

-- ---- running results ----

-- How blocks combine with what is before them.
local COMBINES = {sum = "add", prod = "multiply", max = "maximum", min = "minimum"}

--- The last position of a block's running results; of an empty block what changes nothing.
local function total_of(y, axis, op)
  local length = y.shape[axis]
  if length > 0 then return slices.part(y, axis, length, 1) end
  local shape = y.shape
  shape[axis] = 1
  return core.fill(core.empty(shape, y.dtype, y.device, op), ops.find(op, op).start(y.dtype), op)
end

local function runner(name, op)
  local read = args.reader(name, {"A", "axis", "dtype"}, 1)
  return function(...)
    local A, axis, dtype = read(...)
    axis = axis_of(object.self(A, name), axis, name)
    local y, split = A.block[name](A.block, axis, {dtype = dtype}), layouts.at(A.splits, axis)
    if split then
      local before = split.comm:exscan(total_of(y, axis, op), op)
      if split.comm.rank > 0 then y = elementwise[COMBINES[op]](before, y) end
    end
    return object.like(A, y)
  end
end

--- Sums of each element with those before it along an axis. Along the split axis blocks, then one exscan of their
--- totals; along others blocks alone. So do cumprod, cummax and cummin. Sums of floats along the split axis may differ
--- in the last bits for another number of ranks.
---@param axis integer|nil may be left out for a vector
---@param dtype string|nil dtype to compute in and to give
---@return cuna.DistributedArray
---@usage cn.distributed.array({1, 2, 3}, {axis = 1}):cumsum():get() --> [1. 3. 6.]
methods.cumsum = runner("cumsum", "sum")

--- Products of each element with those before it along an axis, as cumsum.
---@param axis integer|nil
---@param dtype string|nil
---@return cuna.DistributedArray
---@usage cn.distributed.array({1, 2, 3}, {axis = 1}):cumprod():get() --> [1. 2. 6.]
methods.cumprod = runner("cumprod", "prod")

--- The greatest of each element and those before it along an axis, as cumsum; NaN wins.
---@param axis integer|nil
---@param dtype string|nil
---@return cuna.DistributedArray
---@usage cn.distributed.array({1, 3, 2}, {axis = 1}):cummax():get() --> [1. 3. 3.]
methods.cummax = runner("cummax", "max")

--- The least of each element and those before it along an axis, as cumsum; NaN wins.
---@param axis integer|nil
---@param dtype string|nil
---@return cuna.DistributedArray
---@usage cn.distributed.array({2, 1, 3}, {axis = 1}):cummin():get() --> [2. 1. 1.]
methods.cummin = runner("cummin", "min")

-- ---- places of extremes ----

local NOWHERE = 2 ^ 53 -- beyond every position

--- A position in the whole, of one in a block whose elements are in one row.
local function whole_position(A, own)
  local shape, block, stride, rest, at = A.shape, A.block.shape, 1, own - 1, nil
  for axis = A.ndim, 1, -1 do
    local part = (rest % block[axis] + (A.ranges[axis][1] - 1)) * stride
    at, rest, stride = at and at + part or part, elementwise.floor_divide(rest, block[axis]), stride * shape[axis]
  end
  return at + 1
end

--- Extremes of a block and their positions in the whole, before those of other ranks are known.
local function place_in_block(A, fold, axis, keepdims, gone)
  local block, options = A.block, {keepdims = keepdims}
  if block.size == 0 and A.size > 0 and #gone > 0 then
    local filled = folds.filled_block(A, gone, fold)
    local values = filled[fold](filled, axis, options)
    return values, core.fill(core.empty(values.shape, "int64", A.device, fold), NOWHERE)
  end
  local places = block["arg" .. fold](block, axis, options)
  if axis == nil then
    places = whole_position(A, places)
  elseif #gone > 0 then
    places = places + (layouts.place(gone[1]) - 1)
  end
  return block[fold](block, axis, options), places
end

local function place(A, fold, axis, keepdims)
  local name = "arg" .. fold
  object.self(A, name)
  keepdims = check.boolean(keepdims, false, name, "keepdims")
  if axis ~= nil then axis = core.axis(axis, A.ndim, name) end
  if A.size == 0 then fail("%s: an array of shape %s has no extreme", name, tostring(A.shape)) end
  local gone, left = folds.divided(A, folds.axes(A, axis, name), keepdims)
  local values, places = place_in_block(A, fold, axis, keepdims, gone)
  for _, split in ipairs(gone) do
    local all = split.comm:all_reduce(values, fold)
    local is_extreme = elementwise.logical_or(elementwise.equal(values, all), elementwise.not_equal(values, values))
    places = split.comm:all_reduce(elementwise.where(is_extreme, places, NOWHERE), "min")
    values = all
  end
  return folds.result(A, places, left)
end

local function placer(fold)
  local read = args.reader("arg" .. fold, {"A", "axis", "keepdims"}, 1)
  return function(...)
    local A, axis, keepdims = read(...)
    return place(A, fold, axis, keepdims)
  end
end

--- The positions of the greatest elements along an axis, or of the greatest of all in row-major order; of equal ones
--- the first, and NaN wins. Over the split axis two all_reduces: of the elements, and of their positions.
---@param axis integer|nil default: all elements
---@param keepdims boolean|nil default false
---@return cuna.Array|cuna.DistributedArray
---@usage cn.distributed.array({1, 3, 2}, {axis = 1}):argmax() --> 2
methods.argmax = placer "max"

--- The positions of the least elements, as argmax.
---@param axis integer|nil
---@param keepdims boolean|nil
---@return cuna.Array|cuna.DistributedArray
---@usage cn.distributed.array({3, 1, 2}, {axis = 1}):argmin() --> 2
methods.argmin = placer "min"

return M
