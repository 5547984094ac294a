--- compare.lua: whether arrays over ranks are equal, or close: blocks, then one all_reduce of the answers.
local args = require "cuna.base.args"
local later = require "cuna.base.later"
local object = require "cuna.distributed.array.object"
local transfer = require "cuna.distributed.transfer"

local logic = later.functions "logic"

local M = {}

local methods = object.methods

--- Whether all ranks answer true.
local function all_say(comm, answer) return comm:all_reduce(answer and 1 or 0, "min"):item() == 1 end

--- Compares the blocks of two arrays that lie alike.
local function compare(A, B, name, ...)
  local blocks, first = object.blocks(name, A, B)
  return all_say(first.comm, logic[name](blocks[1], blocks[2], ...))
end

local read_array_equal = args.reader("array_equal", {"A", "B", "equal_nan"}, 2)

--- Whether two arrays have the same shape and elements; dtypes do not matter. Lua's `A == B` asks it too. Other shapes
--- need no communication, else one all_reduce. Follows numpy.array_equal.
---@param B cuna.DistributedArray|cuna.Array of the same layout, or a plain array whose axes are not split
---@param equal_nan boolean|nil true lets NaN equal NaN
---@return boolean the same on all ranks
---@usage cn.distributed.ones({3}, nil, {axis = 1}):array_equal(cn.distributed.ones({3}, "int8", {axis = 1})) --> true
function methods.array_equal(...)
  local A, B, equal_nan = read_array_equal(...)
  object.self(A, "array_equal")
  if not object.is_over(B) then B = transfer.operand(B, "array_equal") end
  if A.shape ~= B.shape then return false end
  return compare(A, B, "array_equal", {equal_nan = equal_nan})
end

local read_allclose = args.reader("allclose", {"A", "B", "rtol", "atol", "equal_nan"}, 2)

--- Whether |A - B| <= atol + rtol |B| for all elements: blocks, then one all_reduce. Follows numpy.allclose.
---@param B cuna.DistributedArray|cuna.Operand lies as an operand of A + B does
---@param rtol number|nil default 1e-5
---@param atol number|nil default 1e-8
---@param equal_nan boolean|nil true lets NaN be close to NaN
---@return boolean the same on all ranks
---@usage cn.distributed.ones({3}, nil, {axis = 1}):allclose(1 + 1e-9) --> true
function methods.allclose(...)
  local A, B, rtol, atol, equal_nan = read_allclose(...)
  return compare(object.self(A, "allclose"), B, "allclose", {rtol = rtol, atol = atol, equal_nan = equal_nan})
end

return M
