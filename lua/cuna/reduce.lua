--- reduce.lua: reductions. A row says how elements are lifted to states, combined and finished; functions and methods are
-- loops over the rows. Texts are kernel text over kernels/reduce.cuh: A and T are dtype and value type of the
-- accumulator, a an element or state, b a later state, i the position, n the count, extra a number of the caller's.
local args = require "cuna.args"
local core = require "cuna.core"
local resolve = require "cuna.resolve"

local M = {functions = {}}

local kind_of, size_of = {}, {}
for _, dtype in ipairs(core.dtypes) do
  kind_of[dtype.name], size_of[dtype.name] = dtype.kind, dtype.size
end

local function fail(format, ...) core.fail(format:format(...)) end

-- ---- dtypes: rule(dtype, asked) -> accumulator, result ----

--- Sums and products: small integers grow to 64 bits, half floats accumulate in float32.
local function sum_types(dtype, asked)
  local kind = kind_of[dtype]
  local result = asked or ((kind == "b" or kind == "i") and "int64") or (kind == "u" and "uint64") or dtype
  return (result == "float16" or result == "bfloat16") and "float32" or result, result
end

--- Means: integers become the default float.
local function mean_types(dtype, asked)
  local exact = kind_of[dtype] ~= "f" and kind_of[dtype] ~= "c"
  return sum_types(exact and (asked or resolve.default_dtype()) or dtype, asked)
end

local function same_types(dtype) return dtype, dtype end
local function bool_types() return "bool", "bool" end
local function position_types(dtype) return dtype, "int64" end
local function count_types() return "bool", "int64" end

local REAL = {complex64 = "float32", complex128 = "float64"}

--- Variances: as means, but real.
local function variance_types(dtype, asked)
  local accumulator, result = mean_types(dtype, asked)
  return REAL[accumulator] or accumulator, REAL[result] or result
end

-- ---- rows ----

local ARG = {state = "Arg<T, %s>", identity = "State{T(), -1}", lift = "make_arg<State>(a, i)",
  combine = "combine_arg(a, b)", finish = "a.index + 1"}

local function arg_row(order)
  local row = {}
  for field, text in pairs(ARG) do row[field] = text:format(order) end
  return row
end

local PLAIN = {state = "T", lift = "a", finish = "a"}
local MEAN = "a / convert<A>(n)"
local COUNTED = {state = "Counted<T>", identity = "State{T(0), 0}", combine = "combine_counted(a, b)",
  lift = "isnan(a) ? State{T(0), 0} : State{a, 1}"}

local function reducer(fields, base)
  return setmetatable(fields, {__index = base or PLAIN})
end

-- zero: -0 added to x is x for every x, and an empty sum is +0.
local SUM = {identity = "wrap_neg(T(0))", combine = "wrap_add(a, b)", finish = "n ? a : T(0)"}
local reducers = {
  sum = reducer(SUM),
  prod = reducer {identity = "T(1)", combine = "wrap_mul(a, b)"},
  mean = reducer {identity = SUM.identity, combine = SUM.combine, finish = MEAN},
  min = reducer {identity = "greatest<T>()", combine = "minimum(a, b)"},
  max = reducer {identity = "least<T>()", combine = "maximum(a, b)"},
  any = reducer {identity = "false", combine = "a | b"},
  all = reducer {identity = "true", combine = "a & b"},
  count_nonzero = reducer {state = "int64", identity = "0", lift = "int64(a)", combine = "a + b"},
  argmax = reducer(arg_row "Greatest"),
  argmin = reducer(arg_row "Least"),
  nansum = reducer {identity = SUM.identity, combine = SUM.combine, finish = SUM.finish, lift = "isnan(a) ? T(0) : a"},
  nanprod = reducer {identity = "T(1)", combine = "wrap_mul(a, b)", lift = "isnan(a) ? T(1) : a"},
  nanmin = reducer {identity = "not_a_number<T>()", combine = "fmin(a, b)"},
  nanmax = reducer {identity = "not_a_number<T>()", combine = "fmax(a, b)"},
  nanargmax = reducer(arg_row "GreatestNumber"),
  nanargmin = reducer(arg_row "LeastNumber"),
  nanmean = reducer({finish = "a.value / convert<A>(a.count)"}, COUNTED),
  var = reducer {identity = SUM.identity, combine = SUM.combine, finish = "a / convert<A>(above_zero(n - extra))"},
  std = reducer {identity = SUM.identity, combine = SUM.combine,
    finish = "sqrt(a / convert<A>(above_zero(n - extra)))"},
  nanvar = reducer({finish = "a.value / convert<A>(positive_or_nan(a.count - extra))"}, COUNTED),
  nanstd = reducer({finish = "sqrt(a.value / convert<A>(positive_or_nan(a.count - extra)))"}, COUNTED),
}
for name, row in pairs(reducers) do row.name = name end

-- ---- programs ----

local programs = {}

--- The program that folds elements of `dtype`, kept by all that decides it.
local function program_of(name, dtype, accumulator, result)
  local key = name .. dtype .. accumulator .. result
  local program = programs[key]
  if not program then
    local row, copy = reducers[name], {}
    for _, field in ipairs {"name", "state", "identity", "lift", "combine", "finish"} do copy[field] = row[field] end
    program = core.program {inputs = {{dtype = dtype}}, reducer = copy, accumulator = accumulator, output = result}
    programs[key] = program
  end
  return program
end

--- Squared distances of elements from a mean, folded: inputs are the array and the mean, which broadcasts.
local function deviation_program(name, dtype, mean, accumulator, result)
  local key = name .. dtype .. mean .. accumulator .. result
  local program = programs[key]
  if not program then
    local row, copy = reducers[name], {}
    for _, field in ipairs {"name", "state", "identity", "lift", "combine", "finish"} do copy[field] = row[field] end
    program = core.program {
      inputs = {{dtype = dtype}, {dtype = mean}},
      steps = {
        {name = "subtract", expr = "wrap_sub(a, b)", dtype = mean, args = {1, 2}, arg_dtypes = {mean, mean}},
        {name = "square_length", expr = REAL[mean] and "square_length(a)" or "wrap_mul(a, a)", dtype = accumulator,
          args = {3}, arg_dtypes = {mean}},
      },
      reducer = copy, accumulator = accumulator, output = result,
    }
    programs[key] = program
  end
  return program
end

-- ---- calls ----

local function check_flag(name, option, value)
  if value ~= nil and type(value) ~= "boolean" then
    fail("%s: %s is true or false, got %s", name, option, type(value))
  end
  return value or false
end

--- The result dtype that an output asks for; the loop's result must reach it.
local function out_dtype(name, out, result)
  if out == nil then return result end
  if not core.is_array(out) then fail("%s: out: expected an array, got %s", name, type(out)) end
  if not core.can_cast(result, out.dtype, "same_kind") then
    fail("%s: a %s result cannot be written to %s", name, result, out.dtype)
  end
  return out.dtype
end

local function folds_nothing(x, axes)
  if x.size ~= 0 then return false end
  local shape, outputs, count = x.shape, 1, 1
  for axis = 1, #shape do
    if math.floor(axes / 2 ^ (axis - 1)) % 2 == 1 then count = count * shape[axis] else outputs = outputs * shape[axis] end
  end
  return count == 0 and outputs > 0
end

local function refuse_empty(name, x, axes)
  if folds_nothing(x, axes) then
    fail("%s: zero elements to reduce, and %s has no identity; the array has shape %s", name, name, tostring(x.shape))
  end
end

local function reads_array(name, x) return core.is_array(x) and x or core.as_array(x, nil, nil, name) end

local function check_dtype(name, dtype) return dtype and core.check_dtype(dtype, name) end

--- Folds with one program.
local function fold(name, x, axes, dtype, out, keepdims, types)
  local accumulator, result = types(x.dtype, dtype)
  result = out_dtype(name, out, result)
  return core.reduce(program_of(name, x.dtype, accumulator, result), name, axes, keepdims, 0, out, x)
end

local function refuse_complex(name, x)
  if kind_of[x.dtype] == "c" then fail("%s: not defined for %s", name, x.dtype) end
end

local function with_dtype(name, types)
  local read = args.reader(name, {"x", "axis", "dtype", "out", "keepdims"})
  return function(...)
    local x, axis, dtype, out, keepdims = read(...)
    x, dtype = reads_array(name, x), check_dtype(name, dtype)
    return fold(name, x, core.axes(axis, x.ndim, name), dtype, out, check_flag(name, "keepdims", keepdims), types)
  end
end

local PLAIN_OF = {nanmin = "min", nanmax = "max", nanargmin = "argmin", nanargmax = "argmax"}

local function extreme(name)
  local read = args.reader(name, {"x", "axis", "out", "keepdims"})
  return function(...)
    local x, axis, out, keepdims = read(...)
    x = reads_array(name, x)
    local axes = core.axes(axis, x.ndim, name)
    refuse_empty(name, x, axes)
    local plain = size_of[x.dtype] and (kind_of[x.dtype] == "f" or kind_of[x.dtype] == "c") and name or PLAIN_OF[name] or name
    return fold(plain, x, axes, nil, out, check_flag(name, "keepdims", keepdims), same_types)
  end
end

--- A slice of NaN only has no greatest number: its position comes out as 0.
local function refuse_all_nan(name, result)
  if result.size > 0 and not core.is_preparing() and M.functions.min(result):item() == 0 then fail("%s: a slice holds only NaN", name) end
  return result
end

local function position(name)
  local read = args.reader(name, {"x", "axis", "dtype", "out", "keepdims"})
  return function(...)
    local x, axis, dtype, out, keepdims = read(...)
    x = reads_array(name, x)
    if dtype ~= nil and check_dtype(name, dtype) ~= "int64" then fail("%s: positions are int64, not %s", name, dtype) end
    if type(axis) == "table" then fail("%s: axis is one number, got a table", name) end
    local axes = core.axes(axis, x.ndim, name)
    refuse_empty(name, x, axes)
    local numbers = PLAIN_OF[name] and (kind_of[x.dtype] == "f" or kind_of[x.dtype] == "c")
    local plain = numbers and name or PLAIN_OF[name] or name
    local result = fold(plain, x, axes, nil, out, check_flag(name, "keepdims", keepdims), position_types)
    return numbers and refuse_all_nan(name, result) or result
  end
end

--- any and all over all axes decide: a Lua boolean. With axis, keepdims or out they stay arrays.
local function decider(name)
  local read = args.reader(name, {"x", "axis", "out", "keepdims"})
  return function(...)
    local x, axis, out, keepdims = read(...)
    x = reads_array(name, x)
    local result = fold(name, x, core.axes(axis, x.ndim, name), nil, out, check_flag(name, "keepdims", keepdims), bool_types)
    if axis ~= nil or out ~= nil or keepdims ~= nil then return result end
    return result:item()
  end
end

local function spread(name, mean_name)
  local read = args.reader(name, {"x", "axis", "dtype", "out", "ddof", "keepdims"})
  return function(...)
    local x, axis, dtype, out, ddof, keepdims = read(...)
    x, dtype = reads_array(name, x), check_dtype(name, dtype)
    if ddof ~= nil and type(ddof) ~= "number" then fail("%s: ddof is a number, got %s", name, type(ddof)) end
    local axes = core.axes(axis, x.ndim, name)
    local mean_dtype = mean_types(x.dtype, dtype)
    local mean = core.reduce(program_of(mean_name, x.dtype, mean_dtype, mean_dtype), mean_name, axes, true, 0, nil, x)
    local accumulator, result = variance_types(x.dtype, dtype)
    result = out_dtype(name, out, result)
    return core.reduce(deviation_program(name, x.dtype, mean_dtype, accumulator, result), name, axes,
      check_flag(name, "keepdims", keepdims), ddof or 0, out, x, mean)
  end
end

--- name -> function; each is a function of the namespace and a method.
local functions = {
  sum = with_dtype("sum", sum_types), prod = with_dtype("prod", sum_types), mean = with_dtype("mean", mean_types),
  nansum = with_dtype("nansum", sum_types), nanprod = with_dtype("nanprod", sum_types),
  nanmean = with_dtype("nanmean", mean_types),
  min = extreme "min", max = extreme "max", nanmin = extreme "nanmin", nanmax = extreme "nanmax",
  argmin = position "argmin", argmax = position "argmax",
  nanargmin = position "nanargmin", nanargmax = position "nanargmax",
  any = decider "any", all = decider "all",
  var = spread("var", "mean"), std = spread("std", "mean"),
  nanvar = spread("nanvar", "nanmean"), nanstd = spread("nanstd", "nanmean"),
}

local read_ptp = args.reader("ptp", {"x", "axis", "out", "keepdims"})
function functions.ptp(...)
  local x, axis, out, keepdims = read_ptp(...)
  x = reads_array("ptp", x)
  refuse_empty("ptp", x, core.axes(axis, x.ndim, "ptp"))
  local greatest = functions.max(x, axis, nil, keepdims)
  return M.subtract(greatest, functions.min(x, axis, nil, keepdims), out)
end

local read_count = args.reader("count_nonzero", {"x", "axis", "keepdims"})
function functions.count_nonzero(...)
  local x, axis, keepdims = read_count(...)
  x = reads_array("count_nonzero", x)
  return fold("count_nonzero", x, core.axes(axis, x.ndim, "count_nonzero"), nil, nil,
    check_flag("count_nonzero", "keepdims", keepdims), count_types)
end

functions.amin, functions.amax = functions.min, functions.max
M.functions = functions
M.refuse_complex = refuse_complex
M.subtract = require("cuna.elementwise").functions.subtract

local methods = core.methods()
for name, call in pairs(functions) do
  if not name:find "^nan" and not name:find "^am" then methods[name] = call end
end

return M
