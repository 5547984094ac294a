--- fold.lua: folds of arrays over ranks: blocks, then one reduction over ranks where the axis is split.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local dtype_facts = require "cuna.base.dtype_facts"
local layouts = require "cuna.distributed.array.layout"
local object = require "cuna.distributed.array.object"
local ops = require "cuna.distributed.op"

local M = {}

local methods = object.methods

-- Dtypes that means and norms are computed in, where not their own.
local MEANS = {float16 = "float32", bfloat16 = "float32"}
M.MEANS = MEANS
local EXTREMES = {max = true, min = true} -- of no elements plain arrays have none

--- The axes of a fold, as a set and their number of elements.
function M.axes(A, axis, name)
  local named, count, shape = {}, 1, A.shape
  if axis == nil then
    for i = 1, A.ndim do named[i] = true end
  end
  for _, one in ipairs(type(axis) == "table" and axis or {axis}) do named[core.axis(one, A.ndim, name)] = true end
  for i in pairs(named) do count = count * shape[i] end
  return named, count
end

--- The splits that a fold over axes combines, and those that remain, along the axes of its result.
function M.divided(A, named, keepdims)
  local gone, left = {}, {}
  for _, split in ipairs(A.splits) do
    if named[split.axis] then
      gone[#gone + 1] = split
    else
      local before = 0
      for i = 1, split.axis - 1 do before = before + (named[i] and not keepdims and 1 or 0) end
      left[#left + 1] = layouts.moved(split, split.axis - before)
    end
  end
  return gone, left
end

--- The array over ranks of blocks with splits; the block where there are none.
function M.result(A, block, splits) return #splits > 0 and object.over(A, block, splits) or block end

--- The block with something along split axes that are folded: where it has no positions, what changes nothing.
function M.filled_block(A, gone, name)
  local block, shape, is_empty = A.block, A.block.shape, false
  for _, split in ipairs(gone) do
    if shape[split.axis] == 0 and split.length > 0 then shape[split.axis], is_empty = 1, true end
  end
  if not is_empty or not EXTREMES[name] then return block end
  return core.fill(core.empty(shape, A.dtype, A.device, name), ops.find(name, name).start(A.dtype), name)
end

--- Folds over axes: blocks, then one all_reduce for each split among them.
function M.fold(A, name, axis, keepdims)
  local gone, left = M.divided(A, M.axes(A, axis, name), keepdims)
  local block = M.filled_block(A, gone, name)
  local y = block[name](block, axis, {keepdims = keepdims})
  for _, split in ipairs(gone) do y = split.comm:all_reduce(y, name) end
  return M.result(A, y, left)
end
local fold = M.fold

--- `decides`: over all axes the result is a Lua boolean, as of plain arrays.
local function folder(name, decides)
  local read = args.reader(name, {"A", "axis", "keepdims"}, 1)
  return function(...)
    local A, axis, keepdims = read(...)
    local y = fold(object.self(A, name), name, axis, check.boolean(keepdims, false, name, "keepdims"))
    if decides and axis == nil and keepdims == nil then return y:item() end
    return y
  end
end

--- The sum over axes. Over the split axis: blocks, then one all_reduce, and a plain array on all ranks; over others
--- only blocks. Over a mesh, one all_reduce for each split axis among them; the result is plain when none is left. So
--- do prod, max, min, any, all and mean.
---@param axis integer|integer[]|nil default: all
---@param keepdims boolean|nil default false
---@return cuna.Array|cuna.DistributedArray
---@usage cn.distributed.array({{1, 2}, {3, 4}}, {axis = 1}):sum(1) --> [4. 6.]
methods.sum = folder "sum"

--- The product over axes, as sum.
---@param axis integer|integer[]|nil
---@param keepdims boolean|nil
---@return cuna.Array|cuna.DistributedArray
---@usage cn.distributed.array({1, 2, 3}, {axis = 1}):prod() --> 6.0
methods.prod = folder "prod"

--- The greatest elements over axes, as sum; NaN wins.
---@param axis integer|integer[]|nil
---@param keepdims boolean|nil
---@return cuna.Array|cuna.DistributedArray
---@usage cn.distributed.array({1, 3, 2}, {axis = 1}):max() --> 3.0
methods.max = folder "max"

--- The least elements over axes, as sum; NaN wins.
---@param axis integer|integer[]|nil
---@param keepdims boolean|nil
---@return cuna.Array|cuna.DistributedArray
---@usage cn.distributed.array({1, 3, 2}, {axis = 1}):min() --> 1.0
methods.min = folder "min"

--- Whether any element over axes is not 0, as sum. Over all axes it decides, hence a Lua boolean.
---@param axis integer|integer[]|nil
---@param keepdims boolean|nil
---@return boolean|cuna.Array|cuna.DistributedArray
---@usage cn.distributed.array({0, 1}, {axis = 1}):any() --> true
methods.any = folder("any", true)

--- Whether all elements over axes are not 0, as sum. Over all axes it decides, hence a Lua boolean.
---@param axis integer|integer[]|nil
---@param keepdims boolean|nil
---@return boolean|cuna.Array|cuna.DistributedArray
---@usage cn.distributed.array({0, 1}, {axis = 1}):all() --> false
methods.all = folder("all", true)

local read_mean = args.reader("mean", {"A", "axis", "keepdims"}, 1)

--- The mean in the dtype that it is computed in, and the dtype that it has.
local function mean_of(A, axis, keepdims)
  local _, count = M.axes(A, axis, "mean")
  local dtype = ops.find("mean", "mean").dtype(A.dtype)
  return fold(A:astype(MEANS[dtype] or dtype), "sum", axis, keepdims) / count, dtype
end

local function in_dtype(x, dtype) return x.dtype == dtype and x or x:astype(dtype) end

--- The mean over axes: the sum, divided. Integers have the default float dtype.
---@param axis integer|integer[]|nil
---@param keepdims boolean|nil
---@return cuna.Array|cuna.DistributedArray
---@usage cn.distributed.array({1, 2}, {axis = 1}):mean() --> 1.5
function methods.mean(...)
  local A, axis, keepdims = read_mean(...)
  return in_dtype(mean_of(object.self(A, "mean"), axis, check.boolean(keepdims, false, "mean", "keepdims")))
end

-- ---- distances from the mean ----

--- The sum of squared distances from the mean, divided; its dtype.
local function variance(A, axis, ddof, keepdims, name)
  object.self(A, name)
  keepdims = check.boolean(keepdims, false, name, "keepdims")
  ddof = check.number(ddof == nil and 0 or ddof, name, "ddof")
  local _, count = M.axes(A, axis, name)
  local mean, dtype = mean_of(A, axis, true)
  local away = (A:astype(mean.dtype) - mean):abs()
  local sum = fold(away * away, "sum", axis, keepdims)
  return sum / math.max(count - ddof, 0), dtype_facts.part_of[dtype] or dtype
end

local read_var = args.reader("var", {"A", "axis", "ddof", "keepdims"}, 1)

--- The variance over axes, of the distances from the mean. Over the split axis two all_reduces: of the mean, and of
--- the squares.
---@param axis integer|integer[]|nil default: all
---@param ddof number|nil subtracted from the count, default 0
---@param keepdims boolean|nil default false
---@return cuna.Array|cuna.DistributedArray
---@usage cn.distributed.array({1, 2, 3, 4}, {axis = 1}):var() --> 1.25
function methods.var(...)
  local A, axis, ddof, keepdims = read_var(...)
  return in_dtype(variance(A, axis, ddof, keepdims, "var"))
end

local read_std = args.reader("std", {"A", "axis", "ddof", "keepdims"}, 1)

--- The standard deviation over axes, the square root of var.
---@param axis integer|integer[]|nil
---@param ddof number|nil
---@param keepdims boolean|nil
---@return cuna.Array|cuna.DistributedArray
---@usage cn.distributed.array({1, 3}, {axis = 1}):std() --> 1.0
function methods.std(...)
  local A, axis, ddof, keepdims = read_std(...)
  local square, dtype = variance(A, axis, ddof, keepdims, "std")
  return in_dtype(square:sqrt(), dtype)
end

-- ---- counts and comparisons ----

local read_count = args.reader("count_nonzero", {"A", "axis", "keepdims"}, 1)

--- How many elements over axes are not 0, as sum.
---@param axis integer|integer[]|nil
---@param keepdims boolean|nil
---@return cuna.Array|cuna.DistributedArray
---@usage cn.distributed.array({0, 2, 3}, {axis = 1}):count_nonzero() --> 2
function methods.count_nonzero(...)
  local A, axis, keepdims = read_count(...)
  object.self(A, "count_nonzero")
  return fold(A:astype "bool", "sum", axis, check.boolean(keepdims, false, "count_nonzero", "keepdims"))
end

return M
