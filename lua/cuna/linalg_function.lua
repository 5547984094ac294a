--- linalg_function.lua: what is made of factorisations: least squares, pseudo-inverses, ranks, exponentials.
local args = require "cuna.args"
local check = require "cuna.check"
local core = require "cuna.core"
local elementwise = require "cuna.elementwise"
local factor = require "cuna.linalg_factor"
local lapack = require "cuna.lapack"
local manipulate = require "cuna.manipulate"
local matrices = require "cuna.matrices"
local program = require "cuna.program"
local reduce = require "cuna.reduce"
local reducers = require "cuna.reducers"
local slices = require "cuna.slices"
local solve = require "cuna.linalg_solve"
local triangle = require "cuna.triangle"

local M = {functions = {}}
local F = M.functions

local fail = check.fail
local behind = matrices.behind
local E, R = elementwise.functions, reduce.functions

local function matmul(a, b) return require("cuna.products").functions.matmul(a, b) end

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

--- What cn.linalg.lstsq answers, for functions of this name.
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

-- ---- exponentials ----

-- Coefficients of the Pade approximants, by degree, and up to which 1-norm each is exact in float64 and float32
-- (Higham, "The scaling and squaring method for the matrix exponential revisited", 2005).
local PADE = {
  {3, 1.495585217958292e-2, 4.258730016922831e-1, {120, 60, 12, 1}},
  {5, 2.539398330063230e-1, 1.880152677804762, {30240, 15120, 3360, 420, 30, 1}},
  {7, 9.504178996162932e-1, 3.925724783138660, {17297280, 8648640, 1995840, 277200, 25200, 1512, 56, 1}},
  {9, 2.097847961257068, math.huge, {17643225600, 8821612800, 2075673600, 302702400, 30270240, 2162160, 110880, 3960,
    90, 1}},
  {13, math.huge, math.huge, {64764752532480000, 32382376266240000, 7771770303897600, 1187353796428800,
    129060195264000, 10559470521600, 670442572800, 33522128640, 1323241920, 40840800, 960960, 16380, 182, 1}},
}
local LIMIT = {float64 = 5.371920351148152, float32 = 3.925724783138660} -- what is beyond is scaled down

--- The 1-norms of matrices, and how often each is to be halved.
local function draw_halvings(draft, dtype, limit)
  local norm = draft:input(dtype)
  draft:step("halvings", ("a > T(%.17g) && isfinite(a) ? ceil(log2(a / T(%.17g))) : T(0)"):format(limit, limit), dtype,
    {norm})
  draft.output = dtype
end

local function halvings_of(name, norms)
  local dtype = norms.dtype
  return core.map(program.get("halvings " .. dtype, draw_halvings, dtype, LIMIT[dtype]), name, nil, nil, norms)
end

--- The greatest norm and count of halvings, which are waited for. A rehearsal has none.
local function greatest(name, norms, halvings)
  local norm, most = R.max(norms), R.max(halvings)
  if core.is_preparing() then return 0, 1 end
  core.check_waiting(name)
  return require("cuna.array").functions.item(norm, most)
end

--- The row of PADE for a norm.
local function pade_for(norm, dtype)
  if dtype == "float32" and norm > PADE[2][3] then return PADE[3] end
  for _, row in ipairs(PADE) do
    if norm <= (dtype == "float32" and row[3] or row[2]) then return row end
  end
  return PADE[#PADE]
end

local function draw_sum(draft, coefficients, dtype)
  local given, sum = {}, nil
  for k = 1, #coefficients do given[k] = draft:input(dtype) end
  for k, factor_of in ipairs(coefficients) do
    local expr = (k == 1 and "a * T(%.17g)" or "b + a * T(%.17g)"):format(factor_of)
    sum = draft:step("power", expr, dtype, {given[k], sum})
  end
  draft.output = dtype
end

--- A sum of matrices with coefficients, in one pass: c[first], c[first + 2], ...
local function sum_of_powers(list, c, first)
  local coefficients = {}
  for k = 1, #list do coefficients[k] = c[first + 2 * (k - 1)] end
  local dtype = list[1].dtype
  local made = program.get("sum of powers " .. dtype .. table.concat(coefficients, " "), draw_sum, coefficients, dtype)
  return core.map(made, "linalg.expm", nil, nil, unpack(list))
end

--- Even powers of a up to `count`.
local function even_powers(a, count)
  local powers = {matmul(a, a)}
  for k = 2, count do powers[k] = matmul(powers[k - 1], powers[1]) end
  return powers
end

--- The odd and the even part of an approximant's numerator: coefficients c[k] of a^(k - 1). Of the thirteenth degree,
--- powers beyond the sixth are products of it.
local function pade_parts(a, row, unit)
  local degree, c = row[1], row[4]
  local powers = even_powers(a, degree == 13 and 3 or (degree - 1) / 2)
  local function part(first)
    local low = sum_of_powers({unit, unpack(powers)}, c, first)
    if degree < 13 then return low end
    return E.add(matmul(powers[3], sum_of_powers(powers, c, first + 8)), low)
  end
  return matmul(a, part(2)), part(1)
end

--- Squares each matrix as often as it was halved.
local function squared(name, x, halvings, most)
  for k = 1, most do
    local square = matmul(x, x)
    x = halvings.size == 1 and square or E.where(E.greater_equal(halvings, k), square, x)
  end
  return core.cast(x, nil, name)
end

local read_expm = args.reader("linalg.expm", {"a"})

--- Exponentials of square matrices, by Pade approximants of scaled matrices that are squared again. How often is asked
--- of the device, so it waits. Follows scipy.linalg.expm.
---@param a cuna.Operand shape (..., n, n)
---@return cuna.Array
---@usage cn.linalg.expm(cn.zeros {2, 2}) --> [[1. 0.] [0. 1.]]
---@usage cn.linalg.expm {{0, 1}, {0, 0}} --> [[1. 1.] [0. 1.]]
function F.expm(...)
  local name, a = "linalg.expm", read_expm(...)
  local dtype
  a, dtype = factor.open(name, a)
  local rows = matrices.square(a, name)
  a = core.cast(a, dtype, name)
  if a.size == 0 then return a end
  local norms = require("cuna.linalg_norm").functions.matrix_norm(a, true, 1)
  local halvings = halvings_of(name, norms)
  local norm, most = greatest(name, norms, halvings)
  local unit = triangle.identity(name, {}, rows, a)
  local scaled = E.multiply(a, E.exp2(E.negative(halvings)))
  local odd, even = pade_parts(scaled, pade_for(norm, norms.dtype), unit)
  local x = solve.quotient(name, E.subtract(even, odd), E.add(even, odd), false)
  return squared(name, x, halvings, most)
end

return M
