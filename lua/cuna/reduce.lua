--- reduce.lua: reductions: functions that fold elements over axes. How each folds is said in reducers.lua.
--
-- What all of them share: without axis they fold all elements; keepdims leaves folded axes with length 1; out is an
-- array of the result's shape, which may overlap x. Results are 0-d arrays on x's device, not Lua numbers.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local reducers = require "cuna.reducers"

local M = {functions = {}}
local F = M.functions

local fail = check.fail
local is_inexact = reducers.is_inexact

---@alias cuna.Axes integer|integer[] axes count from 1, negative from the end; {} folds over none
---@alias cuna.Operand cuna.Array|number|table an array, or what cn.array takes

-- ---- parts of a call ----

local function open(name, x, axis)
  if x == nil then fail("%s: no array given; write x:%s() with a colon, or cn.%s(x)", name, name, name) end
  x = check.array(x, name)
  return x, core.axes(axis, x, name)
end

local function is_named(axes, axis) return math.floor(axes / 2 ^ (axis - 1)) % 2 == 1 end

--- Raises when some result would be folded from no elements.
local function refuse_empty(name, x, axes)
  if x.size ~= 0 then return end
  for axis, length in ipairs(x.shape) do
    if length == 0 and not is_named(axes, axis) then return end
  end
  fail("%s: zero elements to reduce, and %s has no identity; the array has shape %s", name, name, tostring(x.shape))
end

--- Folds with one program: that of a row of reducers.lua, by default the one of the function's name.
local function fold(name, x, axes, dtype, out, keepdims, types, row)
  local own = x.dtype
  local accumulator, result = types(own, dtype)
  result = check.output(out, result, nil, x, name)
  keepdims = check.boolean(keepdims, false, name, "keepdims")
  return core.reduce(reducers.program(row or name, own, accumulator, result), name, axes, keepdims, 0, out, x)
end

--- The dtype asked for; a complex array is not cut to its real part unasked.
local function asked_dtype(name, x, dtype)
  dtype = check.dtype(dtype, name)
  if dtype and x.dtype:find "^complex" and not dtype:find "^complex" then
    fail("%s: %s does not cast to %s; use x.real", name, x.dtype, dtype)
  end
  return dtype
end

M.asked_dtype, M.refuse_empty = asked_dtype, refuse_empty

-- ---- families ----

local function with_dtype(name, types, row)
  local read = args.reader(name, {"x", "axis", "dtype", "out", "keepdims"})
  return function(...)
    local x, axis, dtype, out, keepdims = read(...)
    local axes
    x, axes = open(name, x, axis)
    return fold(name, x, axes, asked_dtype(name, x, dtype), out, keepdims, types, row)
  end
end
M.with_dtype = with_dtype

local function extreme(name)
  local read = args.reader(name, {"x", "axis", "out", "keepdims"})
  return function(...)
    local x, axis, out, keepdims = read(...)
    local axes
    x, axes = open(name, x, axis)
    if name == "ptp" and x.dtype == "bool" then fail "ptp: not defined for bool; use astype(\"int8\")" end
    refuse_empty(name, x, axes)
    return fold(name, x, axes, nil, out, keepdims, reducers.same_types)
  end
end

--- A slice of NaN only has no greatest number: its position comes out as 0.
local function refuse_all_nan(name, result)
  if result.size == 0 or core.is_preparing() then return end
  core.check_waiting(name)
  if F.min(result):item() == 0 then fail("%s: a slice holds only NaN", name) end
end

--- Positions among the numbers of float arrays: out is written once all are known to be there.
local function position_of_number(name, x, axes, out, keepdims)
  local asked = check.output(out, "int64", nil, x, name)
  local result = fold(name, x, axes, nil, nil, keepdims, reducers.position_types)
  refuse_all_nan(name, result)
  if out == nil then return result end
  return core.reduce(reducers.program("max", "int64", "int64", asked), name, 0, false, 0, out, result)
end

local function position(name)
  local read = args.reader(name, {"x", "axis", "dtype", "out", "keepdims"})
  local ignores_nan = name:find "^nan"
  return function(...)
    local x, axis, dtype, out, keepdims = read(...)
    local axes
    x, axes = open(name, x, axis)
    if (check.dtype(dtype, name) or "int64") ~= "int64" then fail("%s: positions are int64, not %s", name, dtype) end
    if type(axis) == "table" then fail("%s: axis is one number, got a table", name) end
    refuse_empty(name, x, axes)
    if ignores_nan and is_inexact(x.dtype) then return position_of_number(name, x, axes, out, keepdims) end
    return fold(name, x, axes, nil, out, keepdims, reducers.position_types)
  end
end

local function decider(name)
  local read = args.reader(name, {"x", "axis", "out", "keepdims"})
  return function(...)
    local x, axis, out, keepdims = read(...)
    local axes
    x, axes = open(name, x, axis)
    local decides = axis == nil and out == nil and keepdims == nil
    if decides then core.check_waiting(name) end
    local result = fold(name, x, axes, nil, out, keepdims, reducers.bool_types)
    if not decides then return result end
    return result:item()
  end
end

local function spread(name, mean_name)
  local read = args.reader(name, {"x", "axis", "dtype", "out", "ddof", "keepdims"})
  return function(...)
    local x, axis, dtype, out, ddof, keepdims = read(...)
    local axes
    x, axes = open(name, x, axis)
    dtype = asked_dtype(name, x, dtype)
    if dtype and not is_inexact(dtype) then fail("%s: dtype is a float or complex dtype, not %s", name, dtype) end
    ddof = tonumber(check.number(ddof or 0, name, "ddof"))
    keepdims = check.boolean(keepdims, false, name, "keepdims")
    local accumulator, result = reducers.variance_types(x.dtype, dtype)
    result = check.output(out, result, nil, x, name)
    local mean_dtype = reducers.mean_types(x.dtype, dtype)
    local mean = core.reduce(reducers.program(mean_name, x.dtype, mean_dtype, mean_dtype), name, axes, true, 0, nil, x)
    local program = reducers.deviation_program(name, x.dtype, mean_dtype, accumulator, result)
    return core.reduce(program, name, axes, keepdims, ddof, out, x, mean)
  end
end

-- ---- sums and products ----

--- Sum over axes. The sum of no elements is 0. Integers and bools are summed in 64 bits and wrap; float16 and
--- bfloat16 are summed in float32 and rounded once. Follows numpy.sum.
---@param x cuna.Operand any shape and dtype
---@param axis cuna.Axes|nil
---@param dtype string|nil dtype to compute in and to give
---@param out cuna.Array|nil of a dtype that the result's casts to
---@param keepdims boolean|nil
---@return cuna.Array
---@usage cn.sum({{1, 2}, {3, 4}}, 1) --> [4. 6.]
F.sum = with_dtype("sum", reducers.sum_types)

--- Product over axes, in the dtypes of `sum`. The product of no elements is 1. Follows numpy.prod.
---@param x cuna.Operand any shape and dtype
---@param axis cuna.Axes|nil
---@param dtype string|nil dtype to compute in and to give
---@param out cuna.Array|nil of a dtype that the result's casts to
---@param keepdims boolean|nil
---@return cuna.Array
---@usage cn.prod({1, 2, 3, 4}) --> 24.0
F.prod = with_dtype("prod", reducers.sum_types)

--- Mean over axes: of integers and bools in the default float dtype. The mean of no elements is NaN. Follows
--- numpy.mean.
---@param x cuna.Operand any shape and dtype
---@param axis cuna.Axes|nil
---@param dtype string|nil dtype to compute in and to give; an integer one cuts the mean
---@param out cuna.Array|nil of a dtype that the result's casts to
---@param keepdims boolean|nil
---@return cuna.Array
---@usage cn.mean({{1, 2}, {3, 5}}, 2) --> [1.5 4. ]
F.mean = with_dtype("mean", reducers.mean_types)

--- Sum over axes in which NaN counts as 0. Follows numpy.nansum.
---@param x cuna.Operand any shape and dtype
---@param axis cuna.Axes|nil
---@param dtype string|nil dtype to compute in and to give
---@param out cuna.Array|nil of a dtype that the result's casts to
---@param keepdims boolean|nil
---@return cuna.Array
---@usage cn.nansum({1, cn.nan, 3}) --> 4.0
F.nansum = with_dtype("nansum", reducers.sum_types)

--- Product over axes in which NaN counts as 1. Follows numpy.nanprod.
---@param x cuna.Operand any shape and dtype
---@param axis cuna.Axes|nil
---@param dtype string|nil dtype to compute in and to give
---@param out cuna.Array|nil of a dtype that the result's casts to
---@param keepdims boolean|nil
---@return cuna.Array
---@usage cn.nanprod({2, cn.nan, 3}) --> 6.0
F.nanprod = with_dtype("nanprod", reducers.sum_types)

--- Mean over axes of the elements that are not NaN; NaN where there are none. Follows numpy.nanmean.
---@param x cuna.Operand any shape and dtype
---@param axis cuna.Axes|nil
---@param dtype string|nil dtype to compute in and to give
---@param out cuna.Array|nil of a dtype that the result's casts to
---@param keepdims boolean|nil
---@return cuna.Array
---@usage cn.nanmean({1, cn.nan, 3}) --> 2.0
F.nanmean = with_dtype("nanmean", reducers.mean_types)

-- ---- variances ----

--- Variance over axes: the mean squared distance from the mean, divided by count - ddof. The mean is computed first,
--- so a large mean costs no digits. Real also for complex x; infinite or NaN when ddof reaches the count. Follows
--- numpy.var.
---@param x cuna.Operand any shape and dtype
---@param axis cuna.Axes|nil
---@param dtype string|nil float or complex dtype to compute in
---@param out cuna.Array|nil of a dtype that the result's casts to
---@param ddof number|nil what is taken from the count before dividing by it, default 0
---@param keepdims boolean|nil
---@return cuna.Array
---@usage cn.var({1, 2, 3, 4}, {ddof = 1}) --> 1.6666666666666667
F.var = spread("var", "mean")

--- Standard deviation over axes: the square root of `var`. Follows numpy.std.
---@param x cuna.Operand any shape and dtype
---@param axis cuna.Axes|nil
---@param dtype string|nil float or complex dtype to compute in
---@param out cuna.Array|nil of a dtype that the result's casts to
---@param ddof number|nil what is taken from the count before dividing by it, default 0
---@param keepdims boolean|nil
---@return cuna.Array
---@usage cn.std({1, 3, 5, 7}) --> 2.23606797749979
F.std = spread("std", "mean")

--- Variance over axes of the elements that are not NaN; NaN where ddof reaches their count. Follows numpy.nanvar.
---@param x cuna.Operand any shape and dtype
---@param axis cuna.Axes|nil
---@param dtype string|nil float or complex dtype to compute in
---@param out cuna.Array|nil of a dtype that the result's casts to
---@param ddof number|nil what is taken from the count before dividing by it, default 0
---@param keepdims boolean|nil
---@return cuna.Array
---@usage cn.nanvar({1, cn.nan, 3}) --> 1.0
F.nanvar = spread("nanvar", "nanmean")

--- Standard deviation over axes of the elements that are not NaN: the square root of `nanvar`. Follows numpy.nanstd.
---@param x cuna.Operand any shape and dtype
---@param axis cuna.Axes|nil
---@param dtype string|nil float or complex dtype to compute in
---@param out cuna.Array|nil of a dtype that the result's casts to
---@param ddof number|nil what is taken from the count before dividing by it, default 0
---@param keepdims boolean|nil
---@return cuna.Array
---@usage cn.nanstd({1, cn.nan, 3}) --> 1.0
F.nanstd = spread("nanstd", "nanmean")

-- ---- extremes ----

--- Least element over axes, or NaN if there is one; complex numbers compare by real, then imaginary part.
--- Folding no elements is an error. Follows numpy.min.
---@param x cuna.Operand any shape and dtype
---@param axis cuna.Axes|nil
---@param out cuna.Array|nil of a dtype that x's casts to
---@param keepdims boolean|nil
---@return cuna.Array of x's dtype
---@usage cn.min({{3, 1}, {2, 4}}, 1) --> [2. 1.]
F.min = extreme "min"

--- Greatest element over axes, or NaN if there is one; complex numbers compare by real, then imaginary part.
--- Folding no elements is an error. Follows numpy.max.
---@param x cuna.Operand any shape and dtype
---@param axis cuna.Axes|nil
---@param out cuna.Array|nil of a dtype that x's casts to
---@param keepdims boolean|nil
---@return cuna.Array of x's dtype
---@usage cn.max({{3, 1}, {2, 4}}, {axis = 2, keepdims = true}) --> [[3.] [4.]]
F.max = extreme "max"

--- Greatest less least element over axes (peak to peak), in x's dtype: integers wrap. Not for bool.
--- Folding no elements is an error. Follows numpy.ptp.
---@param x cuna.Operand any shape
---@param axis cuna.Axes|nil
---@param out cuna.Array|nil of a dtype that x's casts to
---@param keepdims boolean|nil
---@return cuna.Array of x's dtype
---@usage cn.ptp({3, 9, 4}) --> 6.0
F.ptp = extreme "ptp"

--- Least element over axes that is not NaN; NaN where there is none. Folding no elements is an error. Follows
--- numpy.nanmin.
---@param x cuna.Operand any shape and dtype
---@param axis cuna.Axes|nil
---@param out cuna.Array|nil of a dtype that x's casts to
---@param keepdims boolean|nil
---@return cuna.Array of x's dtype
---@usage cn.nanmin({cn.nan, 2, 1}) --> 1.0
F.nanmin = extreme "nanmin"

--- Greatest element over axes that is not NaN; NaN where there is none. Folding no elements is an error. Follows
--- numpy.nanmax.
---@param x cuna.Operand any shape and dtype
---@param axis cuna.Axes|nil
---@param out cuna.Array|nil of a dtype that x's casts to
---@param keepdims boolean|nil
---@return cuna.Array of x's dtype
---@usage cn.nanmax({cn.nan, 2, 1}) --> 2.0
F.nanmax = extreme "nanmax"

-- ---- positions ----

--- Position (from 1) of the least element along an axis, or of the first NaN; of equals the first. Without axis, the
--- position in row-major order. Folding no elements is an error. Follows numpy.argmin.
---@param x cuna.Operand any shape and dtype
---@param axis integer|nil
---@param dtype string|nil "int64" or nil
---@param out cuna.Array|nil of an integer or float dtype
---@param keepdims boolean|nil
---@return cuna.Array int64
---@usage cn.argmin({3, 1, 2}) --> 2
F.argmin = position "argmin"

--- Position (from 1) of the greatest element along an axis, or of the first NaN; of equals the first. Without axis,
--- the position in row-major order. Folding no elements is an error. Follows numpy.argmax.
---@param x cuna.Operand any shape and dtype
---@param axis integer|nil
---@param dtype string|nil "int64" or nil
---@param out cuna.Array|nil of an integer or float dtype
---@param keepdims boolean|nil
---@return cuna.Array int64
---@usage cn.argmax({{3, 1}, {2, 4}}, 2) --> [1 2]
F.argmax = position "argmax"

--- Position (from 1) of the least element that is not NaN along an axis. A slice of NaN only is an error, which
--- synchronises float arrays. Follows numpy.nanargmin.
---@param x cuna.Operand any shape and dtype
---@param axis integer|nil
---@param dtype string|nil "int64" or nil
---@param out cuna.Array|nil of an integer or float dtype
---@param keepdims boolean|nil
---@return cuna.Array int64
---@usage cn.nanargmin({cn.nan, 2, 1}) --> 3
F.nanargmin = position "nanargmin"

--- Position (from 1) of the greatest element that is not NaN along an axis. A slice of NaN only is an error, which
--- synchronises float arrays. Follows numpy.nanargmax.
---@param x cuna.Operand any shape and dtype
---@param axis integer|nil
---@param dtype string|nil "int64" or nil
---@param out cuna.Array|nil of an integer or float dtype
---@param keepdims boolean|nil
---@return cuna.Array int64
---@usage cn.nanargmax({cn.nan, 2, 1}) --> 2
F.nanargmax = position "nanargmax"

-- ---- truth ----

--- Whether any element is not 0 (NaN is not). Over all axes it decides, hence a Lua boolean, and synchronises; with
--- axis, out or keepdims the result is an array. Of no elements it is false. Follows numpy.any.
---@param x cuna.Operand any shape and dtype
---@param axis cuna.Axes|nil
---@param out cuna.Array|nil
---@param keepdims boolean|nil
---@return boolean|cuna.Array
---@usage cn.any({{0, 1}, {0, 0}}, 2) --> [ True False]
F.any = decider "any"

--- Whether no element is 0. Over all axes it decides, hence a Lua boolean, and synchronises; with axis, out or
--- keepdims the result is an array. Of no elements it is true. Follows numpy.all.
---@param x cuna.Operand any shape and dtype
---@param axis cuna.Axes|nil
---@param out cuna.Array|nil
---@param keepdims boolean|nil
---@return boolean|cuna.Array
---@usage cn.all({1, 2, 3}) --> true
F.all = decider "all"

local read_count = args.reader("count_nonzero", {"x", "axis", "keepdims"})

--- Count of the elements that are not 0 (NaN is not) over axes. Follows numpy.count_nonzero.
---@param x cuna.Operand any shape and dtype
---@param axis cuna.Axes|nil
---@param keepdims boolean|nil
---@return cuna.Array int64
---@usage cn.count_nonzero({{1, 0}, {2, 3}}, 1) --> [2 1]
function F.count_nonzero(...)
  local x, axis, keepdims = read_count(...)
  local axes
  x, axes = open("count_nonzero", x, axis)
  return fold("count_nonzero", x, axes, nil, nil, keepdims, reducers.count_types)
end

local methods = core.methods()
for name, call in pairs(F) do
  if not name:find "^nan" then methods[name] = call end
end

F.amin, F.amax = F.min, F.max

return M
