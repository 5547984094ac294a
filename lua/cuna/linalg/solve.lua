--- solve.lua: linear equations, inverses and determinants.
--
-- LAPACK reads a row-major matrix as its transpose. The LU factors of the transpose serve as well for solving, inverses
-- and determinants, so these functions pass the matrix without transposing it.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local factor = require "cuna.linalg.factor"
local lapack = require "cuna.linalg.lapack"
local matrices = require "cuna.linalg.matrices"
local program = require "cuna.base.program"
local with = require "cuna.base.with"

local M = {functions = {}}
local F = M.functions

local fail = check.fail
local behind = matrices.behind

-- ---- right sides ----

--- Right sides b of equations with matrices a: the stack of both, b with the axes of a matrix, and whether b is a
--- vector, which one with one axis is.
local function sides_of(name, a, b)
  local is_vector = b.ndim == 1
  local rows = core.length(b, is_vector and 1 or -2)
  if rows ~= core.length(a, -2) then
    fail("%s: matrices of shape %s do not go with right sides of shape %s; b needs %d rows", name, tostring(a.shape),
      tostring(b.shape), a.shape[a.ndim - 1])
  end
  if is_vector then b = core.reshape(b, {b.size, 1}, name) end
  return matrices.common_stack(a, b, name), b, is_vector
end

--- Right sides column by column, over a stack: a copy.
local function columns_of(b, stack, dtype, name)
  return core.cast(matrices.transposed(matrices.spread(b, stack, name)), dtype, name)
end

--- Solutions that stand column by column as row-major arrays.
local function solutions_of(columns, is_vector, name)
  local count, rows = core.length(columns, -2), core.length(columns, -1)
  local stack = matrices.stack(columns)
  if is_vector then return core.reshape(columns, behind(stack, rows), name) end
  if count == 1 then return core.reshape(columns, behind(stack, rows, 1), name) end
  return factor.rows_of(columns, name)
end

--- Solves equations with all matrices of a stack, or with one matrix for all right sides of the stack at once.
---@param solve fun(a: cuna.Array, columns: cuna.Array) in place of the columns
local function solve_all(name, a, b, dtype, solve)
  local stack, is_vector
  stack, b, is_vector = sides_of(name, a, b)
  local columns = columns_of(b, stack, dtype, name)
  if matrices.count(matrices.stack(a)) == 1 then
    local rows, shape = core.length(a, -1), columns.shape
    local count = columns.size == 0 and 0 or columns.size / rows
    solve(core.reshape(a, {rows, rows}, name), core.reshape(columns, {count, rows}, name))
    columns = core.reshape(columns, shape, name)
  else
    solve(matrices.spread(a, stack, name), columns)
  end
  return solutions_of(columns, is_vector, name)
end
M.solve_all = solve_all

-- ---- solve and inv ----

--- Solutions x of a x = b.
function M.quotient(name, a, b, checks)
  local dtype = matrices.dtype(name, a.dtype, b.dtype)
  return solve_all(name, a, b, dtype, function(whole, columns)
    local factors = core.cast(whole, dtype, name)
    local pivots, info = lapack.getrf(name, factors)
    if checks then lapack.check(name, info, "singular") end
    lapack.getrs(name, factors, pivots, columns, "T")
    if not checks then lapack.settle(name, info, columns) end
  end)
end

local read_solve = args.reader("linalg.solve", {"a", "b", "check"}, 2)

--- Solves a x = b. b is a vector where it has one axis, else a stack of matrices. A singular matrix is a LinAlgError,
--- unless check is false: then its solutions are NaN. Follows numpy.linalg.solve.
---@param a cuna.Operand shape (..., n, n)
---@param b cuna.Operand shape (n,) or (..., n, k); stacks broadcast
---@param check boolean|nil default true
---@return cuna.Array x of shape (..., n) or (..., n, k)
---@usage cn.linalg.solve({{3, 1}, {1, 2}}, {9, 8}) --> [2. 3.]
function F.solve(...)
  local name, a, b, checks = "linalg.solve", read_solve(...)
  checks = check.boolean(checks, true, name, "check")
  a, b = matrices.arrays(name, a, b)
  matrices.square(a, name)
  return M.quotient(name, a, b, checks)
end

--- Inverses: the transposes' inverses are the inverses' transposes.
function M.inverse(name, a, checks)
  local dtype = matrices.dtype(name, a.dtype)
  local factors = core.cast(a, dtype, name)
  local pivots, info = lapack.getrf(name, factors)
  if checks then lapack.check(name, info, "singular") end
  local inverse = lapack.getri(name, factors, pivots)
  lapack.settle(name, info, inverse) -- the inverse of a diagonal has zeros without signs
  return inverse
end

local read_inv = args.reader("linalg.inv", {"a", "check"})

--- Inverses of matrices. A singular one is a LinAlgError, unless check is false: then its inverse is NaN. Follows
--- numpy.linalg.inv.
---@param a cuna.Operand shape (..., n, n)
---@param check boolean|nil default true
---@return cuna.Array
---@usage cn.linalg.inv {{1, 2}, {3, 4}} --> [[-2. 1. ] [ 1.5 -0.5]]
function F.inv(...)
  local name, a, checks = "linalg.inv", read_inv(...)
  a = check.array(a, name)
  matrices.square(a, name)
  return M.inverse(name, a, check.boolean(checks, true, name, "check"))
end

-- ---- determinants ----

--- A fold of the diagonals of LU factors, each negative where its row was exchanged. Behind a pivot that is 0 or NaN
--- factors mean nothing. What the fold ends with is made of the product, a.value * 2^a.power.
local ENDS = {
  product = "ldexp(a.value, a.power) + T(0)", -- without the sign of -0
  sign = "extent(a.value) == 0 ? T(0) : a.value / T(abs(a.value))",
  log = "log(abs(a.value)) + a.power * 0.69314718055994531",
}

local function draw_product(draft, kind, dtype)
  local element, pivot, row = draft:input(dtype), draft:input "int64", draft:input "int64"
  local info = draft:input "int32"
  draft:step("signed", "d > 0 && c > d ? T(1) : b != c ? wrap_neg(a) : a", dtype, {element, pivot, row, info},
    {dtype, "int64", "int64", "int32"})
  draft.reducer = {name = "pivots_" .. kind, state = "Scaled<T>", identity = "State{T(1), 0}",
    lift = "make_scaled(a, 0)", combine = "combine_scaled(a, b)", finish = ENDS[kind]}
  draft.accumulator, draft.output = dtype, kind == "log" and matrices.real(dtype) or dtype
end

--- Folds of the pivots of a.
---@param ... string what to end with
local function pivots_of(name, a, ...)
  local rows, dtype = matrices.square(a, name), matrices.dtype(name, a.dtype)
  local factors, stack = core.cast(a, dtype, name), matrices.stack(a)
  local pivots, info = lapack.getrf(name, factors)
  local diagonals = require("cuna.strides").functions.diagonal(factors, 0, -2, -1)
  local positions = require("cuna.create").functions
  local line = with.on(a, positions.range, 1, rows)
  info = core.reshape(info, behind(stack, 1), name)
  local results = {}
  for k, kind in ipairs {...} do
    local made = program.of(draw_product, kind, dtype)
    results[k] = core.reduce(made, name, 2 ^ #stack, false, 0, nil, diagonals, pivots, line, info)
  end
  return unpack(results)
end

local read_det = args.reader("linalg.det", {"a"})

--- Determinants: products of the diagonals of LU factors. Follows numpy.linalg.det, but that products are exact where
--- they can be.
---@param a cuna.Operand shape (..., n, n)
---@return cuna.Array of the stack's shape
---@usage cn.linalg.det {{1, 2}, {3, 4}}, cn.linalg.det(2 * cn.eye(3)) --> -2.0, 8.0
function F.det(...)
  local name, a = "linalg.det", read_det(...)
  return pivots_of(name, check.array(a, name), "product")
end

local read_slogdet = args.reader("linalg.slogdet", {"a"})

--- Signs and logarithms of the sizes of determinants, which may be too large or small themselves; 0 and -inf for
--- singular matrices. Follows numpy.linalg.slogdet.
---@param a cuna.Operand shape (..., n, n)
---@return cuna.Array sign of the stack's shape; complex ones have size 1
---@return cuna.Array logabsdet real
---@usage cn.linalg.slogdet {{1, 2}, {2, 4}} --> 0.0, -inf
function F.slogdet(...)
  local name, a = "linalg.slogdet", read_slogdet(...)
  return pivots_of(name, check.array(a, name), "sign", "log")
end

-- ---- triangles and Cholesky factors ----

local TRANS = {[0] = "N", [1] = "T", [2] = "C", N = "N", T = "T", C = "C"}

--- The letter of a transposition.
local function trans_of(trans, name)
  local letter = TRANS[trans == nil and 0 or trans]
  return letter or fail("%s: trans is 0 or \"N\", 1 or \"T\", 2 or \"C\", got %s", name, check.show(trans))
end

M.trans_of = trans_of

--- A pair that one function answered and another takes, as a table.
local function pair_of(pair, name, what)
  if type(pair) ~= "table" or core.is_array(pair) then
    fail("%s: expected a table {%s}, got %s", name, what, check.show(pair))
  end
  return pair[1], pair[2]
end
M.pair_of = pair_of

local read_triangular = args.reader("linalg.solve_triangular",
  {"a", "b", "trans", "lower", "unit_diagonal", "check"}, 2)

--- Solves a x = b for triangles a; their other halves are not read. A 0 on a diagonal is a LinAlgError, unless check is
--- false: then solutions hold infinities and NaN. Follows scipy.linalg.solve_triangular.
---@param a cuna.Operand shape (..., n, n)
---@param b cuna.Operand shape (n,) or (..., n, k)
---@param trans integer|string|nil 0 or "N" (default); 1 or "T": the transpose of a; 2 or "C": its conjugate transpose
---@param lower boolean|nil true: the lower triangle; default the upper one
---@param unit_diagonal boolean|nil true: the diagonal is taken for ones, and not read
---@param check boolean|nil default true
---@return cuna.Array
---@usage cn.linalg.solve_triangular({{2, 1}, {0, 4}}, {4, 8}) --> [1. 2.]
function F.solve_triangular(...)
  local name, a, b, trans, lower, unit, checks = "linalg.solve_triangular", read_triangular(...)
  local letter = trans_of(trans, name)
  lower, unit = check.boolean(lower, false, name, "lower"), check.boolean(unit, false, name, "unit_diagonal")
  checks = check.boolean(checks, true, name, "check")
  a, b = matrices.arrays(name, a, b)
  matrices.square(a, name)
  local dtype = matrices.dtype(name, a.dtype, b.dtype)
  return solve_all(name, a, b, dtype, function(whole, columns)
    if checks and not unit then
      lapack.check_diagonals(name, require("cuna.strides").functions.diagonal(whole, 0, -2, -1))
    end
    lapack.trsm(name, factor.columns_of(whole, dtype, name), columns, (lower and "L" or "U") .. letter
      .. (unit and "U" or "N"))
  end)
end

local read_cho_factor = args.reader("linalg.cho_factor", {"a", "lower", "check"})

--- A Cholesky factor for cn.linalg.cho_solve: in its other triangle anything may stand. Follows
--- scipy.linalg.cho_factor.
---@param a cuna.Operand shape (..., n, n): Hermitian and positive definite, else it is a LinAlgError
---@param lower boolean|nil which triangle of a is read and becomes the factor; default the upper one
---@param check boolean|nil false: no LinAlgError, and other matrices' factors are NaN
---@return cuna.Array factor
---@return boolean lower
---@usage cn.linalg.cho_factor(4 * cn.eye(1)) --> [[2.]], false
function F.cho_factor(...)
  local name, a, lower, checks = "linalg.cho_factor", read_cho_factor(...)
  lower = check.boolean(lower, false, name, "lower")
  local made = factor.cholesky(name, a, not lower, check.boolean(checks, true, name, "check"))
  return core.dense(made, nil, name), lower
end

local read_cho_solve = args.reader("linalg.cho_solve", {"factor_and_lower", "b"}, 2)

--- Solves a x = b by what cn.linalg.cho_factor gave of a. Follows scipy.linalg.cho_solve.
---@param factor_and_lower (cuna.Array|boolean)[] {factor, lower}
---@param b cuna.Operand shape (n,) or (..., n, k)
---@return cuna.Array
---@usage cn.linalg.cho_solve({cn.linalg.cho_factor {{4, 2}, {2, 10}}}, {6, 12}) --> [1. 1.]
function F.cho_solve(...)
  local name, given, b = "linalg.cho_solve", read_cho_solve(...)
  local held, lower = pair_of(given, name, "factor, lower")
  lower = check.boolean(lower, false, name, "lower")
  held, b = matrices.arrays(name, held, b)
  matrices.square(held, name)
  local dtype = matrices.dtype(name, held.dtype, b.dtype)
  return solve_all(name, held, b, dtype, function(whole, columns)
    lapack.potrs(name, factor.columns_of(whole, dtype, name), columns, lower and "L" or "U")
  end)
end

-- ---- tensors ----

--- The product of lengths.
local function product(lengths, first, last)
  local size = 1
  for k = first, last do size = size * lengths[k] end
  return size
end

local read_tensorinv = args.reader("linalg.tensorinv", {"a", "ind"})

--- The inverse of an array for cn.tensordot over its first axes. Follows numpy.linalg.tensorinv.
---@param a cuna.Operand
---@param ind integer|nil how many axes come first; their lengths' product is that of the others'. Default 2
---@return cuna.Array
---@usage cn.linalg.tensorinv(cn.eye(24):reshape(4, 6, 8, 3)).shape --> (8, 3, 4, 6)
function F.tensorinv(...)
  local name, a, ind = "linalg.tensorinv", read_tensorinv(...)
  a = check.array(a, name)
  ind = ind == nil and 2 or check.count(ind, name, "ind")
  if ind == 0 or ind > a.ndim then fail("%s: ind is from 1 to the %d axes, got %d", name, a.ndim, ind) end
  local shape, turned = a.shape, {}
  for k = 1, #shape do turned[k] = shape[(k + ind - 1) % #shape + 1] end
  local rows, columns = product(shape, 1, ind), product(shape, ind + 1, #shape)
  if rows ~= columns then
    fail("%s: the first %d axes of shape %s have %d elements, and the others %d", name, ind, tostring(shape), rows,
      columns)
  end
  return core.reshape(M.inverse(name, core.reshape(a, {rows, columns}, name), true), turned, name)
end

--- A view with some axes moved after the others.
local function at_end(name, x, axes)
  local order, moved = {}, {}
  for _, axis in ipairs(axes) do
    moved[core.axis(axis, x.ndim, name)] = true
  end
  for axis = 1, x.ndim do
    if not moved[axis] then order[#order + 1] = axis end
  end
  for _, axis in ipairs(axes) do order[#order + 1] = axis end
  return core.transpose(x, order, name)
end

local read_tensorsolve = args.reader("linalg.tensorsolve", {"a", "b", "axes"}, 2)

--- Solves cn.tensordot(a, x, x.ndim) = b. Follows numpy.linalg.tensorsolve.
---@param a cuna.Operand of b's shape, then x's
---@param b cuna.Operand
---@param axes integer|integer[]|nil axes of a that go to its end first
---@return cuna.Array x
---@usage cn.linalg.tensorsolve(cn.eye(6):reshape(2, 3, 6), cn.ones {2, 3}) --> [1. 1. 1. 1. 1. 1.]
function F.tensorsolve(...)
  local name, a, b, axes = "linalg.tensorsolve", read_tensorsolve(...)
  a, b = matrices.arrays(name, a, b)
  a = axes ~= nil and at_end(name, a, type(axes) == "table" and axes or {axes}) or a
  local shape = a.shape
  local rest = {unpack(shape, b.ndim + 1)}
  if a.ndim < b.ndim or product(shape, 1, b.ndim) ~= b.size or product(rest, 1, #rest) ~= b.size then
    fail("%s: an array of shape %s does not go with one of shape %s", name, tostring(shape), tostring(b.shape))
  end
  local x = F.solve(core.reshape(a, {b.size, b.size}, name), core.reshape(b, -1, name))
  return core.reshape(x, rest, name)
end

return M
