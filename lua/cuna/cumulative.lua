--- cumulative.lua: sums, products and extremes of every element with those before it along an axis.
--
-- Each is a scan with a row of reducers.lua: one pass, in which rows and tiles run beside each other. Floats are
-- added in an order that the shape decides, so a last sum may differ from cn.sum's in the last bits.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local reduce = require "cuna.reduce"
local reducers = require "cuna.reducers"
local slices = require "cuna.base.slices"

local M = {functions = {}}
local F = M.functions

local fail = check.fail

--- The dtype to scan in, which extremes give as it is asked for.
local function own_types(dtype, asked) return asked or dtype, asked or dtype end

--- Scans x along an axis, or all its elements as one axis without one.
local function scan(name, row, types, x, axis, dtype, out)
  local accumulator, result = types(x.dtype, reduce.asked_dtype(name, x, dtype))
  result = check.output(out, result, nil, x, name)
  local program = reducers.program(row, x.dtype, accumulator, result, "inclusive")
  return core.scan(program, name, axis == nil and 0 or core.axis(axis, x.ndim, name), {out or false}, x)
end

local function cumulative(name, row, types)
  local read = args.reader(name, {"x", "axis", "dtype", "out"})
  return function(...)
    local x, axis, dtype, out = read(...)
    return scan(name, row, types, check.array(x, name), axis, dtype, out)
  end
end

--- Sum of every element with those before it along an axis. Integers and bools are summed in 64 bits and wrap; float16
--- and bfloat16 are summed in float32. Follows numpy.cumsum.
---@param x cuna.Operand any shape and dtype
---@param axis integer|nil default: all elements in row-major order, as one axis
---@param dtype string|nil dtype to compute in and to give
---@param out cuna.Array|nil of the result's shape, and a dtype that the result's casts to; it may overlap x
---@return cuna.Array
---@usage cn.cumsum {1, 2, 3} --> [1. 3. 6.]
---@usage cn.array({{1, 2}, {3, 4}}, "int8"):cumsum(1) --> [[1 2] [4 6]]
F.cumsum = cumulative("cumsum", "sum", reducers.sum_types)

--- Product of every element with those before it along an axis, in the dtypes of `cumsum`. Follows numpy.cumprod.
---@param x cuna.Operand any shape and dtype
---@param axis integer|nil default: all elements in row-major order, as one axis
---@param dtype string|nil dtype to compute in and to give
---@param out cuna.Array|nil of the result's shape, and a dtype that the result's casts to; it may overlap x
---@return cuna.Array
---@usage cn.cumprod {1, 2, 3, 4} --> [ 1. 2. 6. 24.]
F.cumprod = cumulative("cumprod", "prod", reducers.sum_types)

--- Greatest of every element and those before it along an axis; from a NaN on it is NaN. Complex numbers compare by
--- real, then imaginary part. Follows numpy.maximum.accumulate, but that without an axis all elements are one.
---@param x cuna.Operand any shape and dtype
---@param axis integer|nil default: all elements in row-major order, as one axis
---@param dtype string|nil dtype to compare in and to give, default x's
---@param out cuna.Array|nil of the result's shape, and a dtype that the result's casts to; it may overlap x
---@return cuna.Array
---@usage cn.cummax {2, 1, 3, cn.nan, 4} --> [ 2. 2. 3. nan nan]
F.cummax = cumulative("cummax", "max", own_types)

--- Least of every element and those before it along an axis; from a NaN on it is NaN. Complex numbers compare by real,
--- then imaginary part. Follows numpy.minimum.accumulate, but that without an axis all elements are one.
---@param x cuna.Operand any shape and dtype
---@param axis integer|nil default: all elements in row-major order, as one axis
---@param dtype string|nil dtype to compare in and to give, default x's
---@param out cuna.Array|nil of the result's shape, and a dtype that the result's casts to; it may overlap x
---@return cuna.Array
---@usage cn.cummin {2, 3, 1, 4} --> [2. 2. 1. 1.]
F.cummin = cumulative("cummin", "min", own_types)

--- Sum of every element with those before it along an axis, in which NaN counts as 0. Follows numpy.nancumsum.
---@param x cuna.Operand any shape and dtype
---@param axis integer|nil default: all elements in row-major order, as one axis
---@param dtype string|nil dtype to compute in and to give
---@param out cuna.Array|nil of the result's shape, and a dtype that the result's casts to; it may overlap x
---@return cuna.Array
---@usage cn.nancumsum {1, cn.nan, 3} --> [1. 1. 4.]
F.nancumsum = cumulative("nancumsum", "nansum", reducers.sum_types)

--- Product of every element with those before it along an axis, in which NaN counts as 1. Follows numpy.nancumprod.
---@param x cuna.Operand any shape and dtype
---@param axis integer|nil default: all elements in row-major order, as one axis
---@param dtype string|nil dtype to compute in and to give
---@param out cuna.Array|nil of the result's shape, and a dtype that the result's casts to; it may overlap x
---@return cuna.Array
---@usage cn.nancumprod {2, cn.nan, 3} --> [2. 2. 6.]
F.nancumprod = cumulative("nancumprod", "nanprod", reducers.sum_types)

-- ---- the array API's functions ----

--- The axis of an array API function, which only a vector may leave out.
local function own_axis(name, x, axis)
  if x.ndim == 0 then fail("%s: a 0-d array has no axis; give x:reshape(1)", name) end
  if axis == nil and x.ndim > 1 then fail("%s: the axis is missing; the array has %d", name, x.ndim) end
  return core.axis(axis == nil and 1 or axis, x.ndim, name)
end

local function with_initial(name, row, initial)
  local read = args.reader(name, {"x", "axis", "dtype", "out", "include_initial"})
  return function(...)
    local x, axis, dtype, out, include_initial = read(...)
    x = check.array(x, name)
    axis = own_axis(name, x, axis)
    if not check.boolean(include_initial, false, name, "include_initial") then
      return scan(name, row, reducers.sum_types, x, axis, dtype, out)
    end
    local shape, length = x.shape, x.shape[axis]
    shape[axis] = length + 1
    local _, result = reducers.sum_types(x.dtype, reduce.asked_dtype(name, x, dtype))
    check.output(out, result, shape, x, name)
    if out and core.shares_memory(out, x) then x = core.cast(x, nil, name) end
    out = out or core.empty(shape, result, x.device, name)
    core.fill(slices.part(out, axis, 1, 1), initial, name)
    scan(name, row, reducers.sum_types, x, axis, dtype, slices.part(out, axis, 2, length))
    return out
  end
end

--- Sum of every element with those before it, in the dtypes of `cumsum`; with include_initial a 0 stands first.
--- Follows numpy.cumulative_sum.
---@param x cuna.Operand at least 1-d
---@param axis integer|nil may be left out for a vector
---@param dtype string|nil dtype to compute in and to give
---@param out cuna.Array|nil
---@param include_initial boolean|nil default false
---@return cuna.Array
---@usage cn.cumulative_sum({1, 2, 3}, {include_initial = true}) --> [0. 1. 3. 6.]
F.cumulative_sum = with_initial("cumulative_sum", "sum", 0)

--- Product of every element with those before it, in the dtypes of `cumsum`; with include_initial a 1 stands first.
--- Follows numpy.cumulative_prod.
---@param x cuna.Operand at least 1-d
---@param axis integer|nil may be left out for a vector
---@param dtype string|nil dtype to compute in and to give
---@param out cuna.Array|nil
---@param include_initial boolean|nil default false
---@return cuna.Array
---@usage cn.cumulative_prod({2, 3}, {include_initial = true}) --> [1. 2. 6.]
F.cumulative_prod = with_initial("cumulative_prod", "prod", 1)

return M
