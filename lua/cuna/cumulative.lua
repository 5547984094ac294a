--- cumulative.lua: sums, products and extremes of every element with those before it along an axis. The rows of
--- reductions.lua say which there are and how each combines; the families here say what a row's function takes.
--
-- Each is a scan with the texts of a reduction: one pass, in which rows and tiles run beside each other. Floats are
-- added in an order that depends on the shape, so the last sum may differ from cn.sum's in the last bits.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local reduce = require "cuna.reduce"
local reducers = require "cuna.reducers"
local slices = require "cuna.base.slices"

local M = {families = {}}

local fail = check.fail
local families = M.families

--- Scans x along an axis, or all its elements as one axis without one.
local function scan(name, row, x, axis, dtype, out)
  local accumulator, result = row.types(x.dtype, reduce.asked_dtype(name, x, dtype))
  result = check.output(out, result, nil, x, name)
  local program = reducers.program(row.of, x.dtype, accumulator, result, "inclusive")
  return core.scan(program, name, axis == nil and 0 or core.axis(axis, x.ndim, name), {out or false}, x)
end

families.running = {
  parameters = {"axis integer|nil default: all elements in row-major order, as one axis",
    "dtype string|nil dtype to compute in and to give",
    "out cuna.Array|nil of the result's shape, and of a dtype that the result can be cast to; it may overlap x"},
  result = "cuna.Array",
  make = function(name, row, read)
    return function(...)
      local x, axis, dtype, out = read(...)
      return scan(name, row, check.array(x, name), axis, dtype, out)
    end
  end,
}

-- ---- the array API's functions ----

--- The axis of an array API function, which only a vector may leave out.
local function own_axis(name, x, axis)
  if x.ndim == 0 then fail("%s: a 0-d array has no axis; give x:reshape(1)", name) end
  if axis == nil and x.ndim > 1 then fail("%s: the axis is missing; the array has %d", name, x.ndim) end
  return core.axis(axis == nil and 1 or axis, x.ndim, name)
end

--- Scans x along an axis, with the row's initial value in front.
local function scan_behind(name, row, x, axis, dtype, out)
  local shape, length = x.shape, x.shape[axis]
  shape[axis] = length + 1
  local _, result = row.types(x.dtype, reduce.asked_dtype(name, x, dtype))
  check.output(out, result, shape, x, name)
  if out and core.shares_memory(out, x) then x = core.cast(x, nil, name) end
  out = out or core.empty(shape, result, x.device, name)
  core.fill(slices.part(out, axis, 1, 1), row.initial, name)
  scan(name, row, x, axis, dtype, slices.part(out, axis, 2, length))
  return out
end

families.running_along = {
  operand = "at least 1-d",
  parameters = {"axis integer|nil may be left out for a vector", "dtype string|nil dtype to compute in and to give",
    "out cuna.Array|nil", "include_initial boolean|nil default false"},
  result = "cuna.Array",
  make = function(name, row, read)
    return function(...)
      local x, axis, dtype, out, include_initial = read(...)
      x = check.array(x, name)
      axis = own_axis(name, x, axis)
      local has_initial = check.boolean(include_initial, false, name, "include_initial")
      return (has_initial and scan_behind or scan)(name, row, x, axis, dtype, out)
    end
  end,
}

M.functions = reducers.functions(families, args.reader)

return M
