--- norm.lua: norms of vectors and matrices, and functions of norms.
--
-- A norm that sums is one program: a step makes an element's part, a reducer sums and finishes. The 1 and inf norms of
-- matrices are sums along one axis and extremes of them; 2, -2 and "nuc" use singular values.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local dtype_rules = require "cuna.base.dtype_rules"
local elementwise = require "cuna.elementwise"
local factor = require "cuna.linalg.factor"
local manipulate = require "cuna.manipulate"
local matrices = require "cuna.linalg.matrices"
local program = require "cuna.base.program"
local reduce = require "cuna.reduce"
local reducers = require "cuna.reducers"

local M = {functions = {}}
local F = M.functions

local fail = check.fail
local E, R = elementwise.functions, reduce.functions

---@alias cuna.NormOrder number|"fro"|"nuc" which norm: see cn.linalg.norm

-- ---- programs ----

-- How the parts of elements are made of an element a and a number b, and how their fold ends; what else the fold does
-- is the reducer's of reductions.lua.
local SQUARES = {part = "square_length(a)", reducer = "sum", finish = "sqrt(n ? a : T(0))"}
local SIZES = {part = "abs(a)", reducer = "sum"}
local COUNTS = {part = "a != decltype(a)(0) ? R(1) : R(0)", reducer = "sum"}
local POWERS = {part = "pow(abs(a), b)", reducer = "sum", finish = "pow(n ? a : T(0), T(1 / extra))"}
local LEAST = {part = "abs(a)", reducer = "min"}
local GREATEST = {part = "abs(a)", reducer = "max"}

--- Kinds by ord; other numbers are POWERS.
local KINDS = {[2] = SQUARES, [1] = SIZES, [0] = COUNTS, [math.huge] = GREATEST, [-math.huge] = LEAST}

local function draw(draft, kind, own, loop, accumulator, result)
  local given = {draft:input(own), kind == POWERS and draft:input(accumulator, "scalar") or nil}
  draft:step("part", kind.part, accumulator, given, {loop, accumulator})
  local row = {}
  for field, text in pairs(reducers.row(kind.reducer, accumulator)) do row[field] = text end
  row.name, row.finish = "norm_" .. kind.reducer, kind.finish or row.finish
  draft.reducer, draft.accumulator, draft.output = row, accumulator, result
end

--- The dtypes of a norm: what elements are taken as, what is summed, what comes out.
local function dtypes_of(dtype)
  if not reducers.is_inexact(dtype) then dtype = dtype_rules.default_dtype() end
  local result = matrices.real(dtype)
  local accumulator = (result == "float16" or result == "bfloat16") and "float32" or result
  return matrices.is_complex(dtype) and dtype or accumulator, accumulator, result
end

--- Folds the parts of elements over axes (bit mask).
local function fold(name, x, axes, kind, ord, keepdims)
  if kind == LEAST or kind == GREATEST then reduce.refuse_empty(name, x, axes) end
  local loop, accumulator, result = dtypes_of(x.dtype)
  local key = table.concat({"norm", kind.part, kind.reducer, x.dtype, loop, result}, " ")
  local made = program.get(key, draw, kind, x.dtype, loop, accumulator, result)
  if kind ~= POWERS then return core.reduce(made, name, axes, keepdims, 0, nil, x) end
  return core.reduce(made, name, axes, keepdims, ord, nil, x, ord)
end

-- ---- orders ----

--- The norm of the vectors along axes.
local function of_vectors(name, x, axes, ord, keepdims)
  ord = ord == nil and 2 or ord
  if type(ord) ~= "number" or ord ~= ord then
    fail("%s: the order of a vector's norm is a number, got %s", name, check.show(ord))
  end
  return fold(name, x, axes, KINDS[ord] or POWERS, ord, keepdims)
end

--- The extreme over one axis of the sums over another; both are of x, and keep their lengths of 1 with keepdims.
local function extreme_of_sums(name, x, summed, axis, greatest, keepdims)
  local sums = fold(name, x, core.axes(summed, x, name), SIZES, 1, true)
  if x.shape[axis] == 0 then
    fail("%s: a matrix without elements has no such norm; the array has shape %s", name, tostring(x.shape))
  end
  local result = (greatest and R.max or R.min)(sums, axis, {keepdims = true})
  return keepdims and result or manipulate.functions.squeeze(result, {summed, axis})
end

--- Singular values of the matrices along two axes, in place of both axes; the greatest first.
local function singular_values(name, x, row, column)
  local order = {}
  for axis = 1, x.ndim do
    if axis ~= row and axis ~= column then order[#order + 1] = axis end
  end
  order[#order + 1], order[#order + 2] = row, column
  return factor.singular_values(name, core.transpose(x, order, name))
end

--- A fold of singular values, with the two axes of length 1 that it stands for.
local function of_singular_values(name, x, row, column, call, keepdims)
  local result = call(singular_values(name, x, row, column), -1)
  if not keepdims then return result end
  local shape = x.shape
  shape[row], shape[column] = 1, 1
  return core.reshape(result, shape, name)
end

local OF_MATRICES = {
  fro = function(name, x, row, column, keepdims)
    return fold(name, x, core.axes({row, column}, x, name), SQUARES, 2, keepdims)
  end,
  nuc = function(name, x, row, column, keepdims)
    return of_singular_values(name, x, row, column, R.sum, keepdims)
  end,
  [2] = function(name, x, row, column, keepdims) return of_singular_values(name, x, row, column, R.max, keepdims) end,
  [-2] = function(name, x, row, column, keepdims) return of_singular_values(name, x, row, column, R.min, keepdims) end,
  [1] = function(name, x, row, column, keepdims) return extreme_of_sums(name, x, row, column, true, keepdims) end,
  [-1] = function(name, x, row, column, keepdims) return extreme_of_sums(name, x, row, column, false, keepdims) end,
  [math.huge] = function(name, x, row, column, keepdims)
    return extreme_of_sums(name, x, column, row, true, keepdims)
  end,
  [-math.huge] = function(name, x, row, column, keepdims)
    return extreme_of_sums(name, x, column, row, false, keepdims)
  end,
}

local function of_matrices(name, x, row, column, ord, keepdims)
  local norm = OF_MATRICES[ord == nil and "fro" or ord]
  if not norm then
    fail("%s: the order of a matrix's norm is \"fro\", \"nuc\", 1, -1, 2, -2, cn.inf or -cn.inf, got %s", name,
      check.show(ord))
  end
  return norm(name, x, row, column, keepdims)
end

-- ---- functions ----

--- Which axes a norm is over: a list of one or two, or none where all elements are one vector.
local function axes_of(x, ord, axis, name)
  if axis == nil and ord == nil then return {} end
  local list, seen = {}, {}
  for k, given in ipairs(axis == nil and {} or type(axis) == "table" and axis or {axis}) do
    list[k] = core.axis(given, x.ndim, name)
    if seen[list[k]] then fail("%s: axis %d is named twice", name, list[k]) end
    seen[list[k]] = true
  end
  if axis == nil then
    for k = 1, x.ndim do list[k] = k end
  end
  if #list ~= 1 and #list ~= 2 then
    fail("%s: a norm of order %s is over one axis or two, and there are %d; the array has shape %s", name,
      tostring(ord), #list, tostring(x.shape))
  end
  return list
end

local read_norm = args.reader("linalg.norm", {"x", "ord", "axis", "keepdims"})

--- Norm of vectors along one axis, or of matrices along two. Without axis and ord it is the 2-norm of all elements.
--- Vectors: ord is any number; sum(abs(x)^ord)^(1/ord), the greatest size for cn.inf, the least for -cn.inf, the count
--- of what is not 0 for 0. Matrices: "fro" (default), "nuc" (sum of singular values), 1 and -1 (greatest and least sum
--- of a column's sizes), cn.inf and -cn.inf (of a row's), 2 and -2 (greatest and least singular value). Integers and
--- bools are computed in the default float; the result is real. Follows numpy.linalg.norm.
---@param x cuna.Operand
---@param ord cuna.NormOrder|nil
---@param axis integer|integer[]|nil one axis, or a pair: rows and columns
---@param keepdims boolean|nil
---@return cuna.Array
---@usage cn.linalg.norm {3, 4} --> 5.0
---@usage cn.linalg.norm({{1, 2}, {3, 4}}, 1), cn.linalg.norm({{1, 2}, {3, 4}}, cn.inf, 2) --> 6.0, [2. 4.]
function F.norm(...)
  local name, x, ord, axis, keepdims = "linalg.norm", read_norm(...)
  x, keepdims = check.array(x, name), check.boolean(keepdims, false, name, "keepdims")
  local axes = axes_of(x, ord, axis, name)
  if #axes == 2 then return of_matrices(name, x, axes[1], axes[2], ord, keepdims) end
  return of_vectors(name, x, core.axes(axes[1], x, name), ord, keepdims)
end

local read_vector_norm = args.reader("linalg.vector_norm", {"x", "axis", "keepdims", "ord"})

--- Norm of vectors along any axes, by default all of them, whose elements are one vector. Follows
--- numpy.linalg.vector_norm.
---@param x cuna.Operand
---@param axis cuna.Axes|nil
---@param keepdims boolean|nil
---@param ord number|nil default 2; as cn.linalg.norm's for vectors
---@return cuna.Array
---@usage cn.linalg.vector_norm {{1, 2}, {2, 4}} --> 5.0
---@usage cn.linalg.vector_norm({{1, 2}, {2, 4}}, 1, {ord = 1}) --> [3. 6.]
function F.vector_norm(...)
  local name, x, axis, keepdims, ord = "linalg.vector_norm", read_vector_norm(...)
  x = check.array(x, name)
  return of_vectors(name, x, core.axes(axis, x, name), ord, check.boolean(keepdims, false, name, "keepdims"))
end

local read_matrix_norm = args.reader("linalg.matrix_norm", {"x", "keepdims", "ord"})

--- Norm of the matrices along the last two axes. Follows numpy.linalg.matrix_norm.
---@param x cuna.Operand shape (..., m, n)
---@param keepdims boolean|nil
---@param ord cuna.NormOrder|nil default "fro"; as cn.linalg.norm's for matrices
---@return cuna.Array
---@usage cn.linalg.matrix_norm({{3, 0}, {0, 4}}), cn.linalg.matrix_norm({{3, 0}, {0, 4}}, {ord = 2}) --> 5.0, 4.0
function F.matrix_norm(...)
  local name, x, keepdims, ord = "linalg.matrix_norm", read_matrix_norm(...)
  x = matrices.matrix(check.array(x, name), name)
  return of_matrices(name, x, x.ndim - 1, x.ndim, ord, check.boolean(keepdims, false, name, "keepdims"))
end

-- ---- condition ----

--- NaN becomes infinity, but where a matrix has NaN itself.
local function draw_condition(draft, own)
  local condition, has_nan = draft:input(own), draft:input("bool")
  draft:step("condition", "isnan(a) && !b ? limits<R>::infinity() : a", own, {condition, has_nan}, {own, "bool"})
  draft.output = own
end

local function without_nan(name, condition, x)
  local made = program.get("condition " .. condition.dtype, draw_condition, condition.dtype)
  return core.map(made, name, nil, nil, condition, R.any(E.isnan(x), {-2, -1}, {keepdims = false}))
end

local function by_singular_values(name, x, p)
  local values = factor.svd(name, x, "none", false)
  local greatest, least = R.max(values, -1), R.min(values, -1)
  return p == -2 and E.divide(least, greatest) or E.divide(greatest, least)
end

local function by_norms(name, x, p)
  matrices.square(x, name)
  x = core.cast(x, matrices.dtype(name, x.dtype), name)
  local inverse = require("cuna.linalg.solve").inverse(name, x, false)
  local row, column = x.ndim - 1, x.ndim
  return E.multiply(of_matrices(name, x, row, column, p, false), of_matrices(name, inverse, row, column, p, false))
end

local read_cond = args.reader("linalg.cond", {"x", "p"})

--- Condition numbers of matrices: the norm times that of the inverse, for p = 2 and -2 the ratio of the greatest and
--- least singular value. Infinite for singular matrices. Follows numpy.linalg.cond.
---@param x cuna.Operand shape (..., m, n); square but for p = 2 and -2
---@param p cuna.NormOrder|nil default 2; as ord of cn.linalg.norm for matrices
---@return cuna.Array real, of the stack's shape
---@usage cn.linalg.cond {{2, 0}, {0, 4}}, cn.linalg.cond({{1, 2}, {2, 4}}, 1) --> 2.0, inf
function F.cond(...)
  local name, x, p = "linalg.cond", read_cond(...)
  x = matrices.matrix(check.array(x, name), name)
  if x.size == 0 then fail("%s: a matrix without elements has no condition; the array has shape %s", name,
    tostring(x.shape)) end
  local is_plain = p == nil or p == 2 or p == -2
  return without_nan(name, (is_plain and by_singular_values or by_norms)(name, x, p), x)
end

return M
