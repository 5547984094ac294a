--- norm.lua: norms of arrays over ranks. Those of blocks are taken to the power of their order, added over ranks, and
--- taken back; extremes are folds of sizes.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local dtype_facts = require "cuna.base.dtype_facts"
local folds = require "cuna.distributed.array.fold"
local later = require "cuna.base.later"
local object = require "cuna.distributed.array.object"
local ops = require "cuna.distributed.op"

local norms = later.functions "linalg.norm"

local M = {}

local fail = check.fail
local methods = object.methods
local EXTREMES = {[math.huge] = "max", [-math.huge] = "min"}

--- The sizes of elements in the dtype of the norm.
local function sizes(A, dtype)
  local is_complex = dtype_facts.part_of[A.dtype]
  return is_complex and A:abs() or A:astype(dtype):abs()
end

--- The sum over ranks of what the norms of their blocks add.
local function added(y, ord, gone)
  local power = ord == 0 and 1 or ord
  y = y ^ power
  for _, split in ipairs(gone) do y = split.comm:all_reduce(y) end
  return power == 2 and y:sqrt() or y ^ (1 / power)
end

--- The norm of the vectors along axes, in the dtype that it is computed in.
local function of_vectors(A, ord, axis, keepdims)
  local named = folds.axes(A, axis, "norm")
  local gone, left = folds.divided(A, named, keepdims)
  local y = norms.vector_norm(A.block, axis, keepdims, ord)
  return folds.result(A, #gone > 0 and added(y, ord, gone) or y, left)
end

--- The order of the norm of vectors; of matrices there is "fro" alone.
local function order_of(A, ord, axis)
  local naxes = type(axis) == "table" and #axis or axis and 1 or A.ndim
  if ord == nil or ord == "fro" and naxes == 2 then return 2 end
  if naxes > 1 then
    fail("norm: of a matrix there is \"fro\", got %s; write cn.linalg.norm(A:reshard {}, ...)", check.show(ord))
  elseif type(ord) ~= "number" or ord ~= ord then
    fail("norm: the order of a vector's norm is a number, got %s", check.show(ord))
  end
  return ord
end

local read_norm = args.reader("norm", {"A", "ord", "axis", "keepdims"}, 1)

--- The norm of the vectors along an axis, of any order, or of all elements: 2. Over the split axis blocks, then one
--- all_reduce for each split axis; along others blocks alone. Follows numpy.linalg.norm.
---@param ord number|"fro"|nil as of cn.linalg.norm for vectors; default 2
---@param axis integer|integer[]|nil default: all
---@param keepdims boolean|nil default false
---@return cuna.Array|cuna.DistributedArray
---@usage cn.distributed.array({3, 4}, {axis = 1}):norm() --> 5.0
---@usage cn.distributed.array({{3, 4}, {1, -2}}, {axis = 1}):norm(cn.inf, 1) --> [3. 4.]
function methods.norm(...)
  local A, ord, axis, keepdims = read_norm(...)
  object.self(A, "norm")
  keepdims, ord = check.boolean(keepdims, false, "norm", "keepdims"), order_of(A, ord, axis)
  local dtype = ops.find("mean", "norm").dtype(A.dtype)
  dtype = dtype_facts.part_of[dtype] or dtype
  if EXTREMES[ord] then return folds.fold(sizes(A, dtype), EXTREMES[ord], axis, keepdims) end
  local wide = folds.MEANS[dtype]
  local y = of_vectors(wide and A:astype(wide) or A, ord, axis, keepdims)
  return wide and y:astype(dtype) or y
end

return M
