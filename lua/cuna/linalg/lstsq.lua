--- lstsq.lua: least squares, pseudo-inverses and ranks, by singular values.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local elementwise = require "cuna.elementwise"
local factor = require "cuna.linalg.factor"
local lapack = require "cuna.linalg.lapack"
local manipulate = require "cuna.manipulate"
local matrices = require "cuna.linalg.matrices"
local program = require "cuna.base.program"
local reduce = require "cuna.reduce"
local reducers = require "cuna.reducers"
local slices = require "cuna.base.slices"
local triangle = require "cuna.linalg.triangle"

local M = {functions = {}}
local F = M.functions

local fail = check.fail
local behind = matrices.behind
local E, R = elementwise.functions, reduce.functions

local function matmul(a, b) return require("cuna.linalg.products").functions.matmul(a, b) end

local function last(x) return manipulate.functions.expand_dims(x, -1) end

--- A conjugate transpose: a view of real arrays.
local function adjoint(x) return matrices.transposed(matrices.is_complex(x.dtype) and E.conj(x) or x) end

-- ---- ranks and pseudo-inverses ----

--- Which share of the greatest singular value counts for nothing: a number, or an array over the stack.
local function share_of(share, default, x, name, what)
  if share == nil then return default end
  if not core.is_array(share) and core.number_kind(share) then return check.number(share, name, what) end
  share = check.array(share, name, x.device)
  check.same_device(x, share, name)
  return last(share)
end

--- The smallest share that means something in matrices of x's shape.
local function precision(x, dtype)
  return matrices.epsilon(dtype) * math.max(x.shape[x.ndim - 1], x.shape[x.ndim])
end

--- What is nothing beside singular values: a share of the greatest.
local function cutoff_of(values, share)
  if values.shape[values.ndim] == 0 then return 0 end
  return E.multiply(slices.part(values, values.ndim, 1, 1), share, {dtype = values.dtype})
end

--- Reciprocals of the singular values beyond a cutoff, and 0.
local function draw_reciprocals(draft, dtype)
  local value, cutoff = draft:input(dtype), draft:input(dtype)
  draft:step("reciprocal", "a > b ? T(1) / a : T(0)", dtype, {value, cutoff})
  draft.output = dtype
end

local function reciprocals(name, values, share)
  if values.size == 0 then return values end
  local cutoff = cutoff_of(values, share)
  return core.map(program.get("reciprocals " .. values.dtype, draw_reciprocals, values.dtype), name, nil, nil, values,
    core.cast(cutoff, values.dtype, name))
end

local read_rank = args.reader("linalg.matrix_rank", {"a", "tol", "hermitian"})

--- Ranks of matrices: how many singular values are greater than tol. An array with less than two axes has rank 0 where
--- all of it is 0, else 1. Follows numpy.linalg.matrix_rank.
---@param a cuna.Operand shape (..., m, n)
---@param tol cuna.Operand|nil a number, or one for each matrix; default: the greatest singular value * max(m, n) *
--- epsilon of the dtype
---@param hermitian boolean|nil true: a is Hermitian, which is faster
---@return cuna.Array int64, of the stack's shape
---@usage cn.linalg.matrix_rank {{1, 2}, {2, 4}} --> 1
function F.matrix_rank(...)
  local name, a, tol, hermitian = "linalg.matrix_rank", read_rank(...)
  a, hermitian = check.array(a, name), check.boolean(hermitian, false, name, "hermitian")
  if a.ndim < 2 then return core.cast(E.greater(R.count_nonzero(a), 0), "int64", name) end
  local dtype = matrices.dtype(name, a.dtype)
  tol = share_of(tol, nil, a, name, "tol")
  local values = hermitian and E.abs((factor.hermitian(name, a, "L", false, true))) or factor.singular_values(name, a)
  if tol == nil then
    local greatest = values.size == 0 and 0 or R.max(values, -1, {keepdims = true})
    tol = E.multiply(greatest, precision(a, dtype))
  end
  return R.count_nonzero(E.greater(values, tol), -1)
end

local read_pinv = args.reader("linalg.pinv", {"a", "rcond", "hermitian"})

--- Moore-Penrose pseudo-inverses of matrices, by singular values. Follows numpy.linalg.pinv.
---@param a cuna.Operand shape (..., m, n)
---@param rcond cuna.Operand|nil singular values up to this share of the greatest count as 0: a number, or one for each
--- matrix; default 1e-15
---@param hermitian boolean|nil true: a is Hermitian, which is faster
---@return cuna.Array shape (..., n, m)
---@usage cn.linalg.pinv {{2, 0}, {0, 0}} --> [[0.5 0. ] [0. 0. ]]
function F.pinv(...)
  local name, a, rcond, hermitian = "linalg.pinv", read_pinv(...)
  hermitian = check.boolean(hermitian, false, name, "hermitian")
  local dtype
  a, dtype = factor.open(name, a)
  rcond = share_of(rcond, 1e-15, a, name, "rcond")
  if a.size == 0 then
    local shape = a.shape
    return core.empty(behind(matrices.stack(a), shape[#shape], shape[#shape - 1]), dtype, a.device, name)
  end
  local values, left, right
  if hermitian then
    values, left, right = factor.hermitian_svd(name, a, true, true)
  else
    values, left, right = factor.svd(name, a, "reduced", true)
  end
  local scaled = E.multiply(right, last(reciprocals(name, values, rcond)))
  return matmul(adjoint(scaled), adjoint(left))
end

-- ---- least squares ----

--- A system of equations: a (..., m, n), b (..., m, k), and what of b no x can reach: sums of squares (..., k), or nil.
--- With more rows than columns R of [a b] has in its corners the triangle of a, what b is in its terms, and the rest.
local function reduced(name, a, b, dtype)
  local rows, columns, count = a.shape[a.ndim - 1], a.shape[a.ndim], b.shape[b.ndim]
  if rows <= columns then return core.cast(a, dtype, name), core.cast(b, dtype, name) end
  local stack = matrices.stack(a)
  local joined = core.empty(behind(stack, columns + count, rows), dtype, a.device, name)
  local axis = #stack + 1
  slices.part(joined, axis, 1, columns)[core.ellipsis] = matrices.transposed(a)
  slices.part(joined, axis, columns + 1, count)[core.ellipsis] = matrices.transposed(b)
  lapack.geqrf(name, joined)
  local r = matrices.transposed(joined)
  local sides = slices.part(r, axis + 1, columns + 1, count)
  local rest = triangle.of(name, slices.part(sides, axis, columns + 1, rows - columns), "upper")
  return triangle.of(name, slices.part(slices.part(r, axis, 1, columns), axis + 1, 1, columns), "upper"),
    slices.part(sides, axis, 1, columns), rest
end

--- Sums of squares along the second axis from the end.
local function draw_squares(draft, own, real)
  draft:step("square", "square_length(a)", real, {draft:input(own)}, own)
  draft.reducer, draft.accumulator, draft.output = reducers.row("sum", real), real, real
end

local function sums_of_squares(name, x)
  local real = matrices.real(x.dtype)
  return core.reduce(program.get("squares " .. x.dtype, draw_squares, x.dtype, real), name, 2 ^ (x.ndim - 2), false, 0,
    nil, x)
end

--- What parts of b along the left vectors whose singular values count for nothing leave of it.
local function draw_dropped(draft, own, real)
  local part, kept = draft:input(own), draft:input(real)
  draft:step("dropped", "b != R(0) ? R(0) : square_length(a)", real, {part, kept}, {own, real})
  draft.reducer, draft.accumulator, draft.output = reducers.row("sum", real), real, real
end

--- The squares of b - a x: of its rest, and of the parts that were dropped.
local function residuals_of(name, rest, parts, kept)
  local real = matrices.real(parts.dtype)
  local dropped = core.reduce(program.get("dropped " .. parts.dtype, draw_dropped, parts.dtype, real), name,
    2 ^ (parts.ndim - 2), false, 0, nil, parts, last(kept))
  return E.add(sums_of_squares(name, rest), dropped)
end

--- What is given, over one stack.
local function open_system(name, a, b)
  a, b = matrices.arrays(name, a, b)
  matrices.matrix(a, name)
  local dtype, is_vector = matrices.dtype(name, a.dtype, b.dtype), b.ndim == 1
  if b.shape[math.max(b.ndim - 1, 1)] ~= a.shape[a.ndim - 1] then
    fail("%s: matrices of shape %s do not go with right sides of shape %s; b needs %d rows", name, tostring(a.shape),
      tostring(b.shape), a.shape[a.ndim - 1])
  end
  if is_vector then b = last(b) end
  local stack = matrices.common_stack(a, b, name)
  return matrices.spread(a, stack, name), matrices.spread(b, stack, name), dtype, is_vector, stack
end

--- What cn.linalg.lstsq returns, for functions of this name.
function M.least_squares(name, a, b, rcond)
  local dtype, is_vector, stack
  a, b, dtype, is_vector, stack = open_system(name, a, b)
  rcond = rcond == nil and precision(a, dtype) or check.number(rcond, name, "rcond")
  local rows, columns, count = a.shape[a.ndim - 1], a.shape[a.ndim], b.shape[b.ndim]
  local square, sides, rest = reduced(name, a, b, dtype)
  local values, left, right = factor.svd(name, square, "reduced", true)
  local kept = reciprocals(name, values, rcond)
  local parts = matmul(adjoint(left), sides)
  local x = matmul(adjoint(right), E.multiply(parts, last(kept)))
  local residuals = rows > columns and residuals_of(name, rest, parts, kept)
    or core.empty(behind(stack, 0), matrices.real(dtype), x.device, name)
  if is_vector then x = core.reshape(x, behind(stack, columns), name) end
  return x, core.reshape(residuals, behind(stack, rows > columns and count or 0), name), R.count_nonzero(kept, -1),
    values
end

local read_lstsq = args.reader("linalg.lstsq", {"a", "b", "rcond"}, 2)

--- Least squares: the x of least length among those for which b - a x is shortest. Follows numpy.linalg.lstsq, but that
--- tall matrices of any rank have residuals, since only the device knows it, and that stacks of matrices are welcome.
---@param a cuna.Operand shape (..., m, n)
---@param b cuna.Operand shape (m,) or (..., m, k)
---@param rcond number|nil singular values up to this share of the greatest count as 0; default max(m, n) * epsilon of
--- the dtype
---@return cuna.Array x (..., n) or (..., n, k)
---@return cuna.Array residuals the squared lengths of b - a x, (..., k); with m <= n of length 0
---@return cuna.Array rank int64, of the stack's shape
---@return cuna.Array s singular values of a
---@usage cn.linalg.lstsq({{1, 0}, {0, 2}, {0, 0}}, {1, 4, 3}) --> [1. 2.], [9.], 2, [2. 1.]
function F.lstsq(...) return M.least_squares("linalg.lstsq", read_lstsq(...)) end

return M
