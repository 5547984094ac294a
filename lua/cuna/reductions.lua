--- reductions.lua: the table of reductions and running results, and the dtypes they choose.
--
-- Functions, methods, documentation and what the specs demand are loops over the rows; adding a
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
--   at_once        the texts that fold them without one, in one pass
--   of             the row whose texts a running result combines with; it has no texts then
--   initial        what a running result begins with where the caller asks for it
--   bool, hint     bool = false: not for bools; hint says what to use instead
--   method         whether x:name() exists [true, but not of what ignores NaN]
--   doc, source    what it does, in lines, and what it follows ["numpy.<name>"; false: nothing]
--   usage          examples: expression --> result
local dtype_facts = require "cuna.base.dtype_facts"
local dtype_rules = require "cuna.base.dtype_rules"

local M = {}

local kind_of, size_of = dtype_facts.kind_of, dtype_facts.size_of

M.is_inexact = dtype_facts.is_inexact

-- ---- dtypes: rule(dtype, asked) -> accumulator, result ----

--- Sums and products: small integers grow to 64 bits, half floats accumulate in float32.
function M.sum_types(dtype, asked)
  local kind = kind_of[dtype]
  local result = asked or ((kind == "b" or kind == "i") and "int64") or (kind == "u" and "uint64") or dtype
  return (result == "float16" or result == "bfloat16") and "float32" or result, result
end

--- Means: integers become the default float.
function M.mean_types(dtype, asked)
  return M.sum_types(M.is_inexact(dtype) and dtype or asked or dtype_rules.default_dtype(), asked)
end

local REAL = dtype_facts.part_of

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

--- A row with other fields.
function M.derive(base, fields)
  local row = {}
  for field, text in pairs(base) do row[field] = text end
  for field, text in pairs(fields) do row[field] = text end
  return row
end

local derive = M.derive

M.VALUE = {state = "T", lift = "a", finish = "a"}
-- -0 added to x is x for every x, and an empty sum is +0.
local SUM = derive(M.VALUE, {nothing = "T(0)",
  identity = "wrap_neg(T(0))", combine = "wrap_add(a, b)", finish = "n ? a : T(0)"})
local PRODUCT = derive(M.VALUE, {identity = "T(1)", combine = "wrap_mul(a, b)"})
local COUNTED = {state = "Counted<T>", identity = "State{T(0), 0}", combine = "combine_counted(a, b)",
  lift = "isnan(a) ? State{T(0), 0} : State{a, 1}"}
-- Squared deviations are not negative: -1 stands for an element that is NaN (see deviation_program).
local COUNTED_SQUARES = derive(COUNTED, {lift = "a < 0 ? State{T(0), 0} : State{a, 1}"})
local DEVIATIONS = {state = "Deviations<T>", identity = "State{T(0), T(0), T(0), T(0)}",
  lift = "make_deviations(a)", combine = "combine_deviations(a, b)"}
local COUNTED_DEVIATIONS = derive(DEVIATIONS, {lift = "isnan(a) ? identity() : make_deviations(a)"})
local TRUTH_ROW = derive(M.VALUE, {finish = "a != T(0)", test = "a != T(0)", types = M.bool_types})

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
    finish = "divide_by(a, above_zero(n - extra))",
    at_once = derive(DEVIATIONS, {finish = "divide_by(squares_of(a), above_zero(n - extra))"}), doc = [[
Variance over axes: the mean squared distance from the mean, divided by count - ddof. Distances are taken from the
mean, on GPUs from elements first, so a large mean costs no digits. Real also for complex x; infinite or NaN when
ddof reaches the count.]],
    usage = {"cn.var({1, 2, 3, 4}, {ddof = 1}) --> 1.6666666666666667"}}),
  derive(SUM, {name = "std", mean = "mean", family = "spread", types = M.variance_types,
    finish = "sqrt(divide_by(a, above_zero(n - extra)))",
    at_once = derive(DEVIATIONS, {finish = "sqrt(divide_by(squares_of(a), above_zero(n - extra)))"}),
    doc = "Standard deviation over axes: the square root of `var`.",
    usage = {"cn.std({1, 3, 5, 7}) --> 2.23606797749979"}}),
  derive(COUNTED_SQUARES, {name = "nanvar", plain = "var", mean = "nanmean", family = "spread",
    types = M.variance_types, finish = "divide_by(a.value, positive_or_nan(a.count - extra))",
    at_once = derive(COUNTED_DEVIATIONS, {finish = "divide_by(squares_of(a), positive_or_nan(a.count - extra))"}),
    doc = "Variance over axes of the elements that are not NaN; NaN where ddof reaches their count.",
    usage = {"cn.nanvar({1, cn.nan, 3}) --> 1.0"}}),
  derive(COUNTED_SQUARES, {name = "nanstd", plain = "std", mean = "nanmean", family = "spread",
    types = M.variance_types, finish = "sqrt(divide_by(a.value, positive_or_nan(a.count - extra)))",
    at_once = derive(COUNTED_DEVIATIONS, {finish = "sqrt(divide_by(squares_of(a), positive_or_nan(a.count - extra)))"}),
    doc = "Standard deviation over axes of the elements that are not NaN: the square root of `nanvar`.",
    usage = {"cn.nanstd({1, cn.nan, 3}) --> 1.0"}}),

  -- extremes
  derive(M.VALUE, {name = "min", alias = {"amin"}, family = "extreme", types = M.same_types,
    identity = "greatest<T>()", combine = "minimum(a, b)", doc = [[
Least element over axes, or NaN if there is one; complex numbers compare by real, then imaginary part.
Folding no elements is an error.]], usage = {"cn.min({{3, 1}, {2, 4}}, 1) --> [2. 1.]"}}),
  derive(M.VALUE, {name = "max", alias = {"amax"}, family = "extreme", types = M.same_types,
    identity = "least<T>()", combine = "maximum(a, b)", doc = [[
Greatest element over axes, or NaN if there is one; complex numbers compare by real, then imaginary part.
Folding no elements is an error.]],
    usage = {"cn.max({{3, 1}, {2, 4}}, {axis = 2, keepdims = true}) --> [[3.] [4.]]"}}),
  {name = "ptp", family = "extreme", types = M.same_types, bool = false, hint = 'use astype("int8")',
    state = "Range<T>", identity = "State{greatest<T>(), least<T>()}", lift = "State{a, a}",
    combine = "combine_range(a, b)", finish = "wrap_sub(a.most, a.least)", doc = [[
Greatest less least element over axes (peak to peak), in x's dtype: integers wrap. Folding no elements is an
error.]], usage = {"cn.ptp({3, 9, 4}) --> 6.0"}},
  derive(M.VALUE, {name = "nanmin", plain = "min", family = "extreme", types = M.same_types,
    identity = "not_a_number<T>()", combine = "fmin(a, b)", doc = [[
Least element over axes that is not NaN; NaN where there is none. Folding no elements is an error.]],
    usage = {"cn.nanmin({cn.nan, 2, 1}) --> 1.0"}}),
  derive(M.VALUE, {name = "nanmax", plain = "max", family = "extreme", types = M.same_types,
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
  derive(M.VALUE, {name = "count_nonzero", family = "count", types = M.count_types, state = "Count",
    identity = "State{0}", lift = "State{int64(a)}", combine = "combine_counts(a, b)", finish = "a.n",
    doc = "Count of the elements that are not 0 (NaN is not) over axes.",
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

for _, row in ipairs(M.rows) do
  row.alias = row.alias or {}
  if row.method == nil then row.method = row.plain == nil end
  if row.source == nil then row.source = "numpy." .. row.name end
end

return M
