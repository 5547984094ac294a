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

--- The dtype that matrices of one dtype are computed in.
local function computed(own, name)
  if own == "float16" or own == "bfloat16" then fail("%s: %s is not supported; cast to float32", name, own) end
  return reducers.is_inexact(own) and own or dtype_rules.default_dtype()
end

--- The dtype that matrices of these dtypes are computed in together.
function M.dtype(name, dtype, ...)
  dtype = computed(dtype, name)
  for k = 1, select("#", ...) do
    local own = computed(select(k, ...), name)
    if own ~= dtype then dtype = core.promote(dtype, own) end
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
  local rows = core.length(M.matrix(x, name), -2)
  if rows ~= core.length(x, -1) then
    fail("%s: expected a square matrix or a stack of them, got shape %s", name, tostring(x.shape))
  end
  return rows
end

--- Arrays of operands, all on one device.
function M.arrays(name, ...)
  local list = {...}
  for i = 1, select("#", ...) do
    list[i] = check.beside(list[i], name, ...)
    if i > 1 then check.same_device(list[1], list[i], name) end
  end
  return unpack(list, 1, select("#", ...))
end

--- The lengths of the axes in front of a matrix.
function M.stack(x) return core.lengths(x, 2) end

--- The shape of a stack followed by more axes.
function M.behind(stack, ...)
  if #stack == 0 then return {...} end
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

--- M.transposed(x): the last two axes exchanged: a view.
M.transposed = core.swap_last

--- A new array with x's elements, or their conjugates, in row-major order.
function M.copy(x, dtype, name, conjugated)
  if not (conjugated and M.is_complex(x.dtype)) then return core.cast(x, dtype, name) end
  return require("cuna.elementwise").functions.conj(x, {dtype = dtype})
end

--- The stack that two stacks of matrices broadcast to.
function M.common_stack(a, b, name)
  if a.ndim == 2 and b.ndim == 2 then return {} end
  local stack = check.broadcast(M.stack(a), M.stack(b))
  if not stack then
    fail("%s: the stacks of matrices of shapes %s and %s do not broadcast", name, tostring(a.shape), tostring(b.shape))
  end
  return stack
end

--- An array over a stack, which its own broadcasts to.
function M.spread(x, stack, name)
  if #stack == 0 and x.ndim == 2 then return x end
  local shape = x.shape
  local wanted = M.behind(stack, shape[#shape - 1], shape[#shape])
  return core.has_shape(x, unpack(wanted)) and x or core.broadcast_to(x, wanted, name)
end

return M
