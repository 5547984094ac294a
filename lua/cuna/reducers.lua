--- reducers.lua: the table of reductions and running results, the dtypes they choose, and the programs that fold.
--
-- Functions, methods, fused functions, documentation and what the specs demand are loops over the rows; adding a
-- reduction is adding a row. A row's fields; what is left out has the value in brackets.
--   name, alias    NumPy's name, and the other names {}
--   family         what the function takes and checks: FAMILIES in reduce.lua and cumulative.lua
--   types          how the dtypes of accumulator and result follow from the elements' and the one asked for
--   state, lift, combine, finish, identity
--                  how elements are lifted to states, combined and finished, in kernel text over kernels/reduce.cuh: A
--                  and T are dtype and value type of the accumulator, a an element or state, b a later state, i the
--                  position, n the count of elements (0 of an empty fold), extra a number of the caller's
--   nothing        what stands for elements that a mask leaves out [the identity]
--   test           a step before the fold, of elements
--   plain          the row for dtypes that have no NaN, of one that ignores NaN
--   mean           the row of the mean from which squared distances are folded
--   of             the row whose texts a running result combines with; it has no texts then
--   initial        what a running result begins with where the caller asks for it
--   bool, hint     bool = false: not for bools; hint says what to use instead
--   method         whether x:name() exists [true, but not of what ignores NaN]
--   doc, source    what it does, in lines, and what it follows ["numpy.<name>"; false: nothing]
--   usage          examples: expression --> result
local core = require "cuna.core"
local dtype_rules = require "cuna.base.dtype_rules"
local branch = require("cuna.base.tree").branch

local M = {}

local kind_of, size_of = {}, {}
for _, dtype in ipairs(core.dtypes) do kind_of[dtype.name], size_of[dtype.name] = dtype.kind, dtype.size end

local function is_inexact(dtype) return kind_of[dtype] == "f" or kind_of[dtype] == "c" end
M.is_inexact = is_inexact

-- ---- dtypes: rule(dtype, asked) -> accumulator, result ----

--- Sums and products: small integers grow to 64 bits, half floats accumulate in float32.
function M.sum_types(dtype, asked)
  local kind = kind_of[dtype]
  local result = asked or ((kind == "b" or kind == "i") and "int64") or (kind == "u" and "uint64") or dtype
  return (result == "float16" or result == "bfloat16") and "float32" or result, result
end

--- Means: integers become the default float.
function M.mean_types(dtype, asked)
  return M.sum_types(is_inexact(dtype) and dtype or asked or dtype_rules.default_dtype(), asked)
end

local REAL = {complex64 = "float32", complex128 = "float64"}

--- Variances: as means, but real.
function M.variance_types(dtype, asked)
  local accumulator, result = M.mean_types(dtype, asked)
  return REAL[accumulator] or accumulator, REAL[result] or result
end

function M.same_types(dtype) return dtype, dtype end

--- Running extremes: compared in the dtype asked for.
function M.asked_types(dtype, asked) return asked or dtype, asked or dtype end

local TRUTH = {"uint8", "uint16", [4] = "uint32", [8] = "uint64", [16] = "uint64"}

--- Truths fold as integers of the elements' size, so that they take as many lanes as the elements.
function M.bool_types(dtype) return TRUTH[size_of[dtype]], "bool" end
function M.position_types(dtype) return dtype, "int64" end
function M.count_types() return "bool", "int64" end

-- ---- rows ----

local function derive(base, fields)
  local row = {}
  for field, text in pairs(base) do row[field] = text end
  for field, text in pairs(fields) do row[field] = text end
  return row
end

local VALUE = {state = "T", lift = "a", finish = "a"}
-- -0 added to x is x for every x, and an empty sum is +0.
local SUM = derive(VALUE, {nothing = "T(0)",
  identity = "wrap_neg(T(0))", combine = "wrap_add(a, b)", finish = "n ? a : T(0)"})
local PRODUCT = derive(VALUE, {identity = "T(1)", combine = "wrap_mul(a, b)"})
local COUNTED = {state = "Counted<T>", identity = "State{T(0), 0}", combine = "combine_counted(a, b)",
  lift = "isnan(a) ? State{T(0), 0} : State{a, 1}"}
-- Squared deviations are not negative: -1 stands for an element that is NaN (see deviation_program).
local COUNTED_SQUARES = derive(COUNTED, {lift = "a < 0 ? State{T(0), 0} : State{a, 1}"})
local TRUTH_ROW = derive(VALUE, {finish = "a != T(0)", test = "a != T(0)", types = M.bool_types})

local function position_row(order, fields)
  return derive({state = ("Arg<T, %s>"):format(order), identity = "State{T(), -1}", lift = "make_arg<State>(a, i)",
    combine = "combine_arg(a, b)", finish = "a.index + 1", family = "position", types = M.position_types}, fields)
end

M.rows = {
  -- sums and products
  derive(SUM, {name = "sum", family = "fold", types = M.sum_types, doc = [[
Sum over axes. The sum of no elements is 0. Integers and bools are summed in 64 bits and wrap; float16 and
bfloat16 are summed in float32 and rounded once.]], usage = {"cn.sum({{1, 2}, {3, 4}}, 1) --> [4. 6.]"}}),
  derive(PRODUCT, {name = "prod", family = "fold", types = M.sum_types, doc = [[
Product over axes, in the dtypes of `sum`. The product of no elements is 1.]],
    usage = {"cn.prod({1, 2, 3, 4}) --> 24.0"}}),
  derive(SUM, {name = "mean", family = "fold", types = M.mean_types, finish = "divide_by(a, n)", doc = [[
Mean over axes: of integers and bools in the default float dtype. The mean of no elements is NaN. An integer dtype
cuts the mean.]], usage = {"cn.mean({{1, 2}, {3, 5}}, 2) --> [1.5 4. ]"}}),
  derive(SUM, {name = "nansum", plain = "sum", family = "fold", types = M.sum_types, lift = "isnan(a) ? T(0) : a",
    doc = "Sum over axes in which NaN counts as 0.", usage = {"cn.nansum({1, cn.nan, 3}) --> 4.0"}}),
  derive(PRODUCT, {name = "nanprod", plain = "prod", family = "fold", types = M.sum_types,
    lift = "isnan(a) ? T(1) : a", doc = "Product over axes in which NaN counts as 1.",
    usage = {"cn.nanprod({2, cn.nan, 3}) --> 6.0"}}),
  derive(COUNTED, {name = "nanmean", plain = "mean", family = "fold", types = M.mean_types,
    finish = "divide_by(a.value, a.count)",
    doc = "Mean over axes of the elements that are not NaN; NaN where there are none.",
    usage = {"cn.nanmean({1, cn.nan, 3}) --> 2.0"}}),

  -- variances
  derive(SUM, {name = "var", mean = "mean", family = "spread", types = M.variance_types,
    finish = "divide_by(a, above_zero(n - extra))", doc = [[
Variance over axes: the mean squared distance from the mean, divided by count - ddof. The mean is computed first,
so a large mean costs no digits. Real also for complex x; infinite or NaN when ddof reaches the count.]],
    usage = {"cn.var({1, 2, 3, 4}, {ddof = 1}) --> 1.6666666666666667"}}),
  derive(SUM, {name = "std", mean = "mean", family = "spread", types = M.variance_types,
    finish = "sqrt(divide_by(a, above_zero(n - extra)))",
    doc = "Standard deviation over axes: the square root of `var`.",
    usage = {"cn.std({1, 3, 5, 7}) --> 2.23606797749979"}}),
  derive(COUNTED_SQUARES, {name = "nanvar", plain = "var", mean = "nanmean", family = "spread",
    types = M.variance_types, finish = "divide_by(a.value, positive_or_nan(a.count - extra))",
    doc = "Variance over axes of the elements that are not NaN; NaN where ddof reaches their count.",
    usage = {"cn.nanvar({1, cn.nan, 3}) --> 1.0"}}),
  derive(COUNTED_SQUARES, {name = "nanstd", plain = "std", mean = "nanmean", family = "spread",
    types = M.variance_types, finish = "sqrt(divide_by(a.value, positive_or_nan(a.count - extra)))",
    doc = "Standard deviation over axes of the elements that are not NaN: the square root of `nanvar`.",
    usage = {"cn.nanstd({1, cn.nan, 3}) --> 1.0"}}),

  -- extremes
  derive(VALUE, {name = "min", alias = {"amin"}, family = "extreme", types = M.same_types,
    identity = "greatest<T>()", combine = "minimum(a, b)", doc = [[
Least element over axes, or NaN if there is one; complex numbers compare by real, then imaginary part.
Folding no elements is an error.]], usage = {"cn.min({{3, 1}, {2, 4}}, 1) --> [2. 1.]"}}),
  derive(VALUE, {name = "max", alias = {"amax"}, family = "extreme", types = M.same_types,
    identity = "least<T>()", combine = "maximum(a, b)", doc = [[
Greatest element over axes, or NaN if there is one; complex numbers compare by real, then imaginary part.
Folding no elements is an error.]],
    usage = {"cn.max({{3, 1}, {2, 4}}, {axis = 2, keepdims = true}) --> [[3.] [4.]]"}}),
  {name = "ptp", family = "extreme", types = M.same_types, bool = false, hint = 'use astype("int8")',
    state = "Range<T>", identity = "State{greatest<T>(), least<T>()}", lift = "State{a, a}",
    combine = "combine_range(a, b)", finish = "wrap_sub(a.most, a.least)", doc = [[
Greatest less least element over axes (peak to peak), in x's dtype: integers wrap. Folding no elements is an
error.]], usage = {"cn.ptp({3, 9, 4}) --> 6.0"}},
  derive(VALUE, {name = "nanmin", plain = "min", family = "extreme", types = M.same_types,
    identity = "not_a_number<T>()", combine = "fmin(a, b)", doc = [[
Least element over axes that is not NaN; NaN where there is none. Folding no elements is an error.]],
    usage = {"cn.nanmin({cn.nan, 2, 1}) --> 1.0"}}),
  derive(VALUE, {name = "nanmax", plain = "max", family = "extreme", types = M.same_types,
    identity = "not_a_number<T>()", combine = "fmax(a, b)", doc = [[
Greatest element over axes that is not NaN; NaN where there is none. Folding no elements is an error.]],
    usage = {"cn.nanmax({cn.nan, 2, 1}) --> 2.0"}}),

  -- positions
  position_row("Least", {name = "argmin", doc = [[
Position (from 1) of the least element along an axis, or of the first NaN; of equals the first. Without axis, the
position in row-major order. Folding no elements is an error.]], usage = {"cn.argmin({3, 1, 2}) --> 2"}}),
  position_row("Greatest", {name = "argmax", doc = [[
Position (from 1) of the greatest element along an axis, or of the first NaN; of equals the first. Without axis,
the position in row-major order. Folding no elements is an error.]],
    usage = {"cn.argmax({{3, 1}, {2, 4}}, 2) --> [1 2]"}}),
  position_row("LeastNumber", {name = "nanargmin", plain = "argmin", doc = [[
Position (from 1) of the least element that is not NaN along an axis. A slice of NaN only is an error, which
synchronises float arrays.]], usage = {"cn.nanargmin({cn.nan, 2, 1}) --> 3"}}),
  position_row("GreatestNumber", {name = "nanargmax", plain = "argmax", doc = [[
Position (from 1) of the greatest element that is not NaN along an axis. A slice of NaN only is an error, which
synchronises float arrays.]], usage = {"cn.nanargmax({cn.nan, 2, 1}) --> 2"}}),

  -- truth
  derive(TRUTH_ROW, {name = "any", family = "truth", identity = "T(0)", combine = "a | b", doc = [[
Whether any element is not 0 (NaN is not). Over all axes it decides, hence a Lua boolean, and synchronises; with
axis, out or keepdims the result is an array. Of no elements it is false.]],
    usage = {"cn.any({{0, 1}, {0, 0}}, 2) --> [ True False]"}}),
  derive(TRUTH_ROW, {name = "all", family = "truth", identity = "T(1)", combine = "a & b", doc = [[
Whether no element is 0. Over all axes it decides, hence a Lua boolean, and synchronises; with axis, out or
keepdims the result is an array. Of no elements it is true.]], usage = {"cn.all({1, 2, 3}) --> true"}}),
  derive(VALUE, {name = "count_nonzero", family = "count", types = M.count_types, state = "int64", identity = "0",
    lift = "int64(a)", combine = "a + b", doc = "Count of the elements that are not 0 (NaN is not) over axes.",
    usage = {"cn.count_nonzero({{1, 0}, {2, 3}}, 1) --> [2 1]"}}),

  -- running results
  {name = "cumsum", of = "sum", family = "running", types = M.sum_types, doc = [[
Sum of every element with those before it along an axis. Integers and bools are summed in 64 bits and wrap; float16
and bfloat16 are summed in float32.]], usage = {"cn.cumsum {1, 2, 3} --> [1. 3. 6.]",
    'cn.array({{1, 2}, {3, 4}}, "int8"):cumsum(1) --> [[1 2] [4 6]]'}},
  {name = "cumprod", of = "prod", family = "running", types = M.sum_types, doc = [[
Product of every element with those before it along an axis, in the dtypes of `cumsum`.]],
    usage = {"cn.cumprod {1, 2, 3, 4} --> [ 1. 2. 6. 24.]"}},
  {name = "cummax", of = "max", family = "running", types = M.asked_types,
    source = "numpy.maximum.accumulate, but that without an axis all elements are one", doc = [[
Greatest of every element and those before it along an axis, in x's dtype unless asked for another; from a NaN on it
is NaN. Complex numbers compare by real, then imaginary part.]],
    usage = {"cn.cummax {2, 1, 3, cn.nan, 4} --> [ 2. 2. 3. nan nan]"}},
  {name = "cummin", of = "min", family = "running", types = M.asked_types,
    source = "numpy.minimum.accumulate, but that without an axis all elements are one", doc = [[
Least of every element and those before it along an axis, in x's dtype unless asked for another; from a NaN on it is
NaN. Complex numbers compare by real, then imaginary part.]],
    usage = {"cn.cummin {2, 3, 1, 4} --> [2. 2. 1. 1.]"}},
  {name = "nancumsum", of = "nansum", family = "running", types = M.sum_types, method = false, doc = [[
Sum of every element with those before it along an axis, in which NaN counts as 0.]],
    usage = {"cn.nancumsum {1, cn.nan, 3} --> [1. 1. 4.]"}},
  {name = "nancumprod", of = "nanprod", family = "running", types = M.sum_types, method = false, doc = [[
Product of every element with those before it along an axis, in which NaN counts as 1.]],
    usage = {"cn.nancumprod {2, cn.nan, 3} --> [2. 2. 6.]"}},
  {name = "cumulative_sum", of = "sum", family = "running_along", types = M.sum_types, initial = 0, method = false,
    doc = [[
Sum of every element with those before it, in the dtypes of `cumsum`; with include_initial a 0 stands first.]],
    usage = {"cn.cumulative_sum({1, 2, 3}, {include_initial = true}) --> [0. 1. 3. 6.]"}},
  {name = "cumulative_prod", of = "prod", family = "running_along", types = M.sum_types, initial = 1, method = false,
    doc = [[
Product of every element with those before it, in the dtypes of `cumsum`; with include_initial a 1 stands first.]],
    usage = {"cn.cumulative_prod({2, 3}, {include_initial = true}) --> [1. 2. 6.]"}},
}

local rows = {} -- that fold, by name: those above, and those of M.declare
for _, row in ipairs(M.rows) do
  row.alias = row.alias or {}
  if row.method == nil then row.method = row.plain == nil end
  if row.source == nil then row.source = "numpy." .. row.name end
  if not row.of then rows[row.name] = row end
end

--- The names of a family's parameters: the words that its `parameters` begin with, behind x.
function M.parameters(family)
  local names = {"x"}
  for k, parameter in ipairs(family.parameters) do names[k + 1] = parameter:match "^%S+" end
  return names
end

--- The functions of the rows of some families, by all names of each row.
---@param families table<string, table> {parameters =, make = function(name, row, read, ...)} by name
---@param reader fun(name: string, parameters: string[]): function as args.reader
---@param ... any for make
function M.functions(families, reader, ...)
  local functions = {}
  for _, row in ipairs(M.rows) do
    local family = families[row.family]
    if family then
      local call = family.make(row.name, row, reader(row.name, M.parameters(family)), ...)
      for _, name in ipairs {row.name, unpack(row.alias)} do functions[name] = call end
    end
  end
  return functions
end

-- ---- programs ----

--- The row that folds elements of `dtype`: where none can be NaN, none is looked for.
local function row_for(name, dtype)
  return dtype and not is_inexact(dtype) and rows[name].plain or name
end

local programs = {} -- by row, dtype of the elements, accumulator, result

local function known_programs(name, dtype, accumulator)
  return branch(branch(branch(programs, name), dtype), accumulator)
end

--- Adds a row of an operation that combines values: what it leaves out is as a maximum's.
function M.declare(name, fields)
  rows[name] = derive(VALUE, fields)
  rows[name].name = name
end

local function make_program(row, dtype, accumulator, result, kind)
  local spelled = {inputs = {{dtype = dtype}}, steps = {}, reducer = row, accumulator = accumulator, output = result}
  if kind == "masked" then
    spelled.inputs[2] = {dtype = "bool"}
  else
    spelled.scan = kind
  end
  local value = 1
  local function add(step)
    spelled.steps[#spelled.steps + 1], value = step, #spelled.inputs + #spelled.steps + 1
  end
  if row.test then add {name = "test", expr = row.test, dtype = accumulator, args = {1}, arg_dtypes = {dtype}} end
  if kind == "masked" then
    add {name = "masked", expr = ("b ? a : %s"):format(row.nothing or row.identity), dtype = accumulator,
      args = {value, 2}, arg_dtypes = {accumulator, "bool"}}
  end
  return core.program(spelled)
end

--- The program that folds elements of `dtype`.
---@param kind string|nil "inclusive": it scans; "masked": a second input, of bools, says which elements it folds
function M.program(name, dtype, accumulator, result, kind)
  name = row_for(name, dtype)
  local known = known_programs(kind and kind .. name or name, dtype, accumulator)
  known[result] = known[result] or make_program(rows[name], dtype, accumulator, result, kind)
  return known[result]
end

--- The row that folds elements of `dtype`; without one, the row of that name.
function M.row(name, dtype) return rows[row_for(name, dtype)] end

--- The step that makes a squared distance of an element of `dtype` and a mean.
function M.deviation_step(name, dtype, mean, accumulator)
  return {name = "square_deviation", dtype = accumulator, args = {1, 2}, arg_dtypes = {mean, mean},
    expr = (M.row(name, dtype).plain and "isnan(a) ? R(-1) : " or "") .. "square_length(wrap_sub(a, b))"}
end

--- The program that folds squared distances from a mean: inputs are the array and the mean, which broadcasts.
function M.deviation_program(name, dtype, mean, accumulator, result)
  local known = known_programs(row_for(name, dtype), dtype, mean)
  known[result] = known[result] or core.program {
    inputs = {{dtype = dtype}, {dtype = mean}}, steps = {M.deviation_step(name, dtype, mean, accumulator)},
    reducer = M.row(name, dtype), accumulator = accumulator, output = result,
  }
  return known[result]
end

return M
