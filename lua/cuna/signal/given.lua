--- given.lua: the arguments that functions of signals share: signals, axes, coefficients on the host, names of modes.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local dtype_facts = require "cuna.base.dtype_facts"
local dtype_rules = require "cuna.base.dtype_rules"

local M = {}

local fail, kind_of = check.fail, dtype_facts.kind_of

--- A signal: an array of at least one axis.
function M.signal(x, name, device)
  x = check.array(x, name, device)
  if x.ndim == 0 then x = core.reshape(x, 1, name) end
  return x
end

--- A vector.
function M.vector(x, name, what, device)
  x = M.signal(x, name, device)
  if x.ndim ~= 1 then fail("%s: %s is a vector, got shape %s", name, what, tostring(x.shape)) end
  return x
end

--- Refuses complex numbers.
function M.real(x, name, what)
  if kind_of[x.dtype] == "c" then fail("%s: %s is real, got %s", name, what, x.dtype) end
  return x
end

--- Two arrays on one device.
function M.pair(a, b, name)
  local device = core.device_of(a, b)
  a, b = check.array(a, name, device), check.array(b, name, device)
  check.same_device(a, b, name)
  return a, b
end

function M.axis(axis, x, name) return core.axis(axis == nil and -1 or axis, x.ndim, name) end

--- One of several words; the first is the default.
function M.word(value, words, name, what)
  if value == nil then return words[1] end
  for _, word in ipairs(words) do
    if word == value then return word end
  end
  local list = {}
  for k, word in ipairs(words) do list[k] = ("%q"):format(word) end
  fail("%s: %s is %s or %s, got %s", name, what, table.concat(list, ", ", 1, #list - 1), list[#list], check.show(value))
end

--- The elements of a parameter on the host, row-major, as numbers or boxed complex numbers, and its shape. In a
--- preparation, in which elements mean nothing, all of them are `unknown` (default 1).
---@return any[]
---@return integer[] shape
function M.elements(x, name, unknown)
  local is_unknown = core.is_array(x) and core.is_preparing()
  x = check.array(x, name, args.namespace.device "cpu")
  local list = core.reshape(x, -1, name):totable()
  for k = 1, #list do
    local value = list[k]
    list[k] = is_unknown and (unknown or 1) or type(value) == "boolean" and (value and 1 or 0) or value
  end
  return list, x.shape
end

--- Real numbers of a parameter on the host, and its shape.
function M.reals(x, name, what, unknown)
  local list, shape = M.elements(x, name, unknown)
  for k = 1, #list do list[k] = check.real(list[k], name, what) end
  return list, shape
end

--- The dtype of floats or complex numbers that several dtypes have in common: of whole numbers float64.
function M.inexact(...)
  local dtype = dtype_rules.common {...}
  return dtype_facts.is_inexact(dtype) and dtype or "float64"
end

--- x with an axis last, row-major, in a dtype; the shape without the axis; its length.
function M.lines(x, axis, dtype, name)
  local moved = axis == x.ndim and x or args.namespace.moveaxis(x, axis, -1)
  if moved.dtype ~= dtype or not moved.flags.c_contiguous then moved = core.cast(moved, dtype, name) end
  local shape = moved.shape
  local n = table.remove(shape)
  local count = 1
  for _, length in ipairs(shape) do count = count * length end
  return core.reshape(moved, {count, n}, name), shape, n
end

--- Lines as an array of a shape with the last axis moved to `axis`.
function M.unlined(lines, shape, axis, name)
  local whole = {unpack(shape)}
  whole[#whole + 1] = lines.shape[2]
  local made = core.reshape(lines, whole, name)
  return axis == #whole and made or args.namespace.moveaxis(made, -1, axis)
end

return M
