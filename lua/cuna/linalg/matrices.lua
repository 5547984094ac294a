--- matrices.lua: checks and conversions of the arguments of linear algebra.
--
-- Matrices lie along the last two axes; the axes before them are a stack. float32, float64, complex64 and complex128
-- are computed in their own dtype, integers and bools in the default float. The libraries cannot factor float16 and
-- bfloat16.
local check = require "cuna.base.check"
local core = require "cuna.core"
local dtype_facts = require "cuna.base.dtype_facts"
local dtype_rules = require "cuna.base.dtype_rules"
local reducers = require "cuna.reducers"

local M = {}

local fail = check.fail

local REAL = dtype_facts.part_of
local COMPLEX = {float32 = "complex64", float64 = "complex128"}
local EPSILON = {float32 = 2 ^ -23, complex64 = 2 ^ -23, float64 = 2 ^ -52, complex128 = 2 ^ -52}

--- The real dtype of a dtype's parts, the complex one of its pairs, and the distance from 1 to the number above it.
function M.real(dtype) return REAL[dtype] or dtype end
function M.complex(dtype) return COMPLEX[dtype] or dtype end
function M.epsilon(dtype) return EPSILON[dtype] end
function M.is_complex(dtype) return REAL[dtype] ~= nil end

--- The dtype that matrices of these dtypes are computed in together.
function M.dtype(name, ...)
  local dtype
  for _, own in ipairs {...} do
    if own == "float16" or own == "bfloat16" then fail("%s: %s is not supported; cast to float32", name, own) end
    own = reducers.is_inexact(own) and own or dtype_rules.default_dtype()
    dtype = dtype and core.promote(dtype, own) or own
  end
  return dtype
end

--- Raises unless x has the axes of a matrix.
function M.matrix(x, name)
  if x.ndim < 2 then fail("%s: expected a matrix or a stack of them, got shape %s", name, tostring(x.shape)) end
  return x
end

--- Raises unless x is a square matrix or a stack of them; returns how many rows these have.
function M.square(x, name)
  local shape = M.matrix(x, name).shape
  if shape[#shape - 1] ~= shape[#shape] then
    fail("%s: expected a square matrix or a stack of them, got shape %s", name, tostring(shape))
  end
  return shape[#shape]
end

--- Arrays of operands, all on one device.
function M.arrays(name, ...)
  local device, list = check.device_of {...}, {...}
  for i = 1, select("#", ...) do
    list[i] = check.array(list[i], name, device)
    check.same_device(list[1], list[i], name)
  end
  return unpack(list, 1, select("#", ...))
end

--- The lengths of the axes in front of a matrix.
function M.stack(x)
  local shape = x.shape
  shape[#shape], shape[#shape - 1] = nil, nil
  return {unpack(shape)}
end

--- The shape of a stack followed by more axes.
function M.behind(stack, ...)
  local shape = {unpack(stack)}
  for _, length in ipairs {...} do shape[#shape + 1] = length end
  return shape
end

--- How many matrices a stack has.
function M.count(stack)
  local count = 1
  for _, length in ipairs(stack) do count = count * length end
  return count
end

--- The last two axes exchanged: a view.
function M.transposed(x)
  local order = {}
  for axis = 1, x.ndim do order[axis] = axis end
  order[x.ndim - 1], order[x.ndim] = x.ndim, x.ndim - 1
  return core.transpose(x, order, "transpose")
end

--- A new array with x's elements, or their conjugates, in row-major order.
function M.copy(x, dtype, name, conjugated)
  if not (conjugated and M.is_complex(x.dtype)) then return core.cast(x, dtype, name) end
  return require("cuna.elementwise").functions.conj(x, {dtype = dtype})
end

--- The stack that two stacks of matrices broadcast to.
function M.common_stack(a, b, name)
  local stack = check.broadcast(M.stack(a), M.stack(b))
  if not stack then
    fail("%s: the stacks of matrices of shapes %s and %s do not broadcast", name, tostring(a.shape), tostring(b.shape))
  end
  return stack
end

--- An array over a stack, which its own broadcasts to.
function M.spread(x, stack, name)
  local shape = x.shape
  local wanted = M.behind(stack, shape[#shape - 1], shape[#shape])
  return core.has_shape(x, unpack(wanted)) and x or core.broadcast_to(x, wanted, name)
end

return M
