--- reducers.lua: how reductions compute: the dtypes they choose and the programs that fold.
--
-- A row says how elements are lifted to states, combined and finished, in kernel text over kernels/reduce.cuh: A and T
-- are dtype and value type of the accumulator, a an element or state, b a later state, i the position, n the count of
-- elements (0 of an empty fold), extra a number of the caller's. `nothing` stands for elements that a mask leaves out,
-- where that is not the identity.
local core = require "cuna.core"
local dtype_facts = require "cuna.base.dtype_facts"
local dtype_rules = require "cuna.base.dtype_rules"
local branch = require("cuna.base.program").branch

local M = {}

local kind_of, size_of = dtype_facts.kind_of, dtype_facts.size_of

local is_inexact = dtype_facts.is_inexact
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

local REAL = dtype_facts.part_of

--- Variances: as means, but real.
function M.variance_types(dtype, asked)
  local accumulator, result = M.mean_types(dtype, asked)
  return REAL[accumulator] or accumulator, REAL[result] or result
end

function M.same_types(dtype) return dtype, dtype end

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

local function position_row(order)
  return {state = ("Arg<T, %s>"):format(order), identity = "State{T(), -1}", lift = "make_arg<State>(a, i)",
    combine = "combine_arg(a, b)", finish = "a.index + 1"}
end

local rows = {
  sum = SUM, prod = PRODUCT,
  mean = derive(SUM, {finish = "divide_by(a, n)"}),
  var = derive(SUM, {finish = "divide_by(a, above_zero(n - extra))"}),
  std = derive(SUM, {finish = "sqrt(divide_by(a, above_zero(n - extra)))"}),
  min = derive(VALUE, {identity = "greatest<T>()", combine = "minimum(a, b)"}),
  max = derive(VALUE, {identity = "least<T>()", combine = "maximum(a, b)"}),
  ptp = {state = "Range<T>", identity = "State{greatest<T>(), least<T>()}", lift = "State{a, a}",
    combine = "combine_range(a, b)", finish = "wrap_sub(a.most, a.least)"},
  argmin = position_row "Least", argmax = position_row "Greatest",
  any = derive(VALUE, {identity = "T(0)", combine = "a | b", finish = "a != T(0)", test = "a != T(0)"}),
  all = derive(VALUE, {identity = "T(1)", combine = "a & b", finish = "a != T(0)", test = "a != T(0)"}),
  count_nonzero = derive(VALUE, {state = "int64", identity = "0", lift = "int64(a)", combine = "a + b"}),
  nansum = derive(SUM, {lift = "isnan(a) ? T(0) : a"}),
  nanprod = derive(PRODUCT, {lift = "isnan(a) ? T(1) : a"}),
  nanmean = derive(COUNTED, {finish = "divide_by(a.value, a.count)"}),
  nanvar = derive(COUNTED_SQUARES, {finish = "divide_by(a.value, positive_or_nan(a.count - extra))"}),
  nanstd = derive(COUNTED_SQUARES, {finish = "sqrt(divide_by(a.value, positive_or_nan(a.count - extra)))"}),
  nanmin = derive(VALUE, {identity = "not_a_number<T>()", combine = "fmin(a, b)"}),
  nanmax = derive(VALUE, {identity = "not_a_number<T>()", combine = "fmax(a, b)"}),
  nanargmin = position_row "LeastNumber", nanargmax = position_row "GreatestNumber",
}
for name, row in pairs(rows) do row.name = name end

-- ---- programs ----

local plain_of = {} -- nansum -> sum, ...
for name in pairs(rows) do
  if name:find "^nan" then plain_of[name] = name:sub(4) end
end

--- The row that folds elements of `dtype`: where none can be NaN, none is looked for.
local function row_for(name, dtype)
  return not is_inexact(dtype) and plain_of[name] or name
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

--- The row that folds elements of `dtype`.
function M.row(name, dtype) return rows[row_for(name, dtype)] end

--- The step that makes a squared distance of an element of `dtype` and a mean.
function M.deviation_step(name, dtype, mean, accumulator)
  return {name = "square_deviation", dtype = accumulator, args = {1, 2}, arg_dtypes = {mean, mean},
    expr = (plain_of[row_for(name, dtype)] and "isnan(a) ? R(-1) : " or "") .. "square_length(wrap_sub(a, b))"}
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
