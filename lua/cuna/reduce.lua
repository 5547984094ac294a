--- reduce.lua: reductions: functions that fold elements over axes. reductions.lua has a row for each, which names its
--- family; this file has the parameters, checks and calls of each family.
--
-- What all of them share: without axis they fold all elements; keepdims leaves folded axes with length 1; out is an
-- array of the result's shape, which may overlap x. Results are 0-d arrays on x's device, not Lua numbers.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local reducers = require "cuna.reducers"
local shapes = require "cuna.base.shapes"

local M = {families = {}}

local fail = check.fail
local is_inexact = reducers.is_inexact

---@alias cuna.Axes integer|integer[] axes count from 1, negative from the end; {} folds over none
---@alias cuna.Operand cuna.Array|number|table an array, or what cn.array takes

-- ---- parts of a call ----

-- Operations on two arrays that resemble a fold.
local OF_TWO = {max = "maximum", min = "minimum", sum = "add", prod = "multiply", any = "logical_or",
  all = "logical_and"}

--- What is folded, and its axes as a bit mask.
local function open(name, x, axis)
  if x == nil then fail("%s: no array given; write x:%s() with a colon, or cn.%s(x)", name, name, name) end
  if OF_TWO[name] and core.is_array(axis) and axis.ndim > 0 then
    fail("%s: the axis is an array of shape %s; of two arrays cn.%s(a, b)", name, tostring(axis.shape), OF_TWO[name])
  end
  x = check.array(x, name)
  return x, core.axes(axis, x, name)
end

--- Raises when some result would be folded from no elements.
function M.refuse_empty(name, x, axes)
  if x.size > 0 then return end
  for axis, length in ipairs(x.shape) do
    if length == 0 and not shapes.is_named(axes, axis) then return end
  end
  fail("%s: zero elements to reduce, and %s has no identity; the array has shape %s", name, name, tostring(x.shape))
end
local refuse_empty = M.refuse_empty

--- The requested dtype; a complex array is cut to its real part only on request.
local function asked_dtype(name, x, dtype)
  dtype = check.dtype(dtype, name)
  if dtype and x.dtype:find "^complex" and not dtype:find "^complex" then
    fail("%s: %s does not cast to %s; use x.real", name, x.dtype, dtype)
  end
  return dtype
end

local function fold(name, row, x, axes, dtype, out, keepdims)
  local own = x.dtype -- asking an array for it takes as long as all else here
  local accumulator, result = row.types(own, dtype)
  if out ~= nil then result = check.output(out, result, nil, x, name) end
  keepdims = check.boolean(keepdims, false, name, "keepdims")
  return core.reduce(reducers.program(row.name, own, accumulator, result), name, axes, keepdims, 0, out, x)
end

--- Folds the squared distances from the mean.
local function fold_distances(name, row, x, own, mean_dtype, accumulator, result, axes, keepdims, ddof, out)
  local at_once = reducers.at_once(row.name, x.device, mean_dtype)
  if at_once then
    return core.reduce(reducers.program(at_once.name, own, accumulator, result), name, axes, keepdims, ddof, out, x)
  end
  local mean = core.reduce(reducers.program(row.mean, own, mean_dtype, mean_dtype), name, axes, true, 0, nil, x)
  local program = reducers.deviation_program(row.name, own, mean_dtype, accumulator, result)
  return core.reduce(program, name, axes, keepdims, ddof, out, x, mean)
end

M.asked_dtype = asked_dtype

-- ---- families ----

-- Of a family: the parameters after x and the result, in LuaLS's syntax, and make(name, row, read), the
-- function of a row, which messages call `name`. declines(row, dtype) says for which arrays a call without dtype and
-- out does more than fold; decides = true, that over all axes the result is a Lua boolean. keepdims comes last.
local families = M.families

local AXIS, KEEPDIMS = "axis cuna.Axes|nil", "keepdims boolean|nil"
local OUT = "out cuna.Array|nil its dtype must be one that the result can be cast to"

families.fold = {
  parameters = {AXIS, "dtype string|nil dtype to compute in and to give", OUT, KEEPDIMS}, result = "cuna.Array",
  make = function(name, row, read)
    return function(...)
      local x, axis, dtype, out, keepdims = read(...)
      local axes
      x, axes = open(name, x, axis)
      return fold(name, row, x, axes, asked_dtype(name, x, dtype), out, keepdims)
    end
  end,
}

families.spread = {
  parameters = {AXIS, "dtype string|nil float or complex dtype to compute in", OUT,
    "ddof number|nil what is taken from the count before dividing by it, default 0", KEEPDIMS},
  result = "cuna.Array",
  declines = function() return true end,
  make = function(name, row, read)
    local mean_types = reducers.row(row.mean).types
    return function(...)
      local x, axis, dtype, out, ddof, keepdims = read(...)
      local axes
      x, axes = open(name, x, axis)
      dtype = asked_dtype(name, x, dtype)
      if dtype and not is_inexact(dtype) then fail("%s: dtype is a float or complex dtype, not %s", name, dtype) end
      ddof = tonumber(check.number(ddof or 0, name, "ddof"))
      keepdims = check.boolean(keepdims, false, name, "keepdims")
      local own = x.dtype
      local accumulator, result = row.types(own, dtype)
      if out ~= nil then result = check.output(out, result, nil, x, name) end
      return fold_distances(name, row, x, own, mean_types(own, dtype), accumulator, result, axes, keepdims, ddof, out)
    end
  end,
}

local function is_undefined(row, dtype) return row.bool == false and dtype == "bool" end

families.extreme = {
  parameters = {AXIS, "out cuna.Array|nil its dtype must be one that x's dtype can be cast to", KEEPDIMS},
  result = "cuna.Array of x's dtype",
  declines = is_undefined,
  make = function(name, row, read)
    return function(...)
      local x, axis, out, keepdims = read(...)
      local axes
      x, axes = open(name, x, axis)
      if is_undefined(row, x.dtype) then fail("%s: not defined for bool; %s", name, row.hint) end
      refuse_empty(name, x, axes)
      return fold(name, row, x, axes, nil, out, keepdims)
    end
  end,
}

local function may_find_none(row, dtype) return row.plain and is_inexact(dtype) end

--- A slice of NaN only has no greatest number: its position comes out as 0.
local function refuse_all_nan(name, result)
  if result.size == 0 or core.is_preparing() then return end
  core.check_waiting(name)
  if M.functions.min(result):item() == 0 then fail("%s: a slice holds only NaN", name) end
end

--- Positions among the numbers of float arrays: out is written once all are known to be there.
local function fold_numbers(name, row, x, axes, out, keepdims)
  local asked = check.output(out, "int64", nil, x, name)
  local result = fold(name, row, x, axes, nil, nil, keepdims)
  refuse_all_nan(name, result)
  if out == nil then return result end
  return core.reduce(reducers.program("max", "int64", "int64", asked), name, 0, false, 0, out, result)
end

families.position = {
  parameters = {"axis integer|nil", 'dtype string|nil "int64" or nil',
    "out cuna.Array|nil of an integer or float dtype", KEEPDIMS},
  result = "cuna.Array int64",
  declines = may_find_none,
  make = function(name, row, read)
    return function(...)
      local x, axis, dtype, out, keepdims = read(...)
      local axes
      x, axes = open(name, x, axis)
      if (check.dtype(dtype, name) or "int64") ~= "int64" then fail("%s: positions are int64, not %s", name, dtype) end
      if type(axis) == "table" then fail("%s: axis is one number, got a table", name) end
      refuse_empty(name, x, axes)
      if may_find_none(row, x.dtype) then return fold_numbers(name, row, x, axes, out, keepdims) end
      return fold(name, row, x, axes, nil, out, keepdims)
    end
  end,
}

families.truth = {
  parameters = {AXIS, "out cuna.Array|nil", KEEPDIMS}, result = "boolean|cuna.Array", decides = true,
  make = function(name, row, read)
    return function(...)
      local x, axis, out, keepdims = read(...)
      local axes
      x, axes = open(name, x, axis)
      local decides = axis == nil and out == nil and keepdims == nil
      if decides then core.check_waiting(name) end -- before a result that the caller decides by
      local result = fold(name, row, x, axes, nil, out, keepdims)
      if not decides then return result end
      return result:item()
    end
  end,
}

families.count = {
  parameters = {AXIS, KEEPDIMS}, result = "cuna.Array int64",
  make = function(name, row, read)
    return function(...)
      local x, axis, keepdims = read(...)
      local axes
      x, axes = open(name, x, axis)
      return fold(name, row, x, axes, nil, nil, keepdims)
    end
  end,
}

-- ---- the functions ----

M.functions = reducers.functions(families, args.reader)

--- What the front of a row (bindings/fold.c) folds arrays of a dtype with, where neither dtype nor out is given: the
--- program, the place of keepdims among the arguments, and whether the family decides. Nothing where the front has to
--- leave the call to the row's function.
function M.plain(name, dtype)
  local row = reducers.row(name)
  local family = families[row.family]
  if family.declines and family.declines(row, dtype) then return nil end
  return reducers.program(name, dtype, row.types(dtype)), #reducers.parameters(family), family.decides
end

--- The function of a row under another name, for one that folds on its own behalf.
function M.renamed(name, row_name)
  local row = reducers.row(row_name)
  local read = args.reader(name, reducers.parameters(families[row.family]))
  return families[row.family].make(name, row, read)
end

return M
