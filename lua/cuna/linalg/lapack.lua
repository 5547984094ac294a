--- lapack.lua: LAPACK's operations over stacks of matrices. They allocate their outputs and return LAPACK's info.
--
-- Matrices are passed in column-major order, as a row-major array of shape (..., columns, rows). LAPACK therefore reads
-- an array of shape (..., m, n) as the transposes of its matrices; to pass the matrices themselves, callers exchange
-- the last two axes and copy. In-place operations overwrite their input: callers pass copies.
local core = require "cuna.core"
local matrices = require "cuna.linalg.matrices"
local program = require "cuna.base.program"
local reducers = require "cuna.reducers"
local shapes = require "cuna.base.shapes"
local triangle = require "cuna.linalg.triangle"

local M = {}

local behind = matrices.behind

--- Shape of the stack, columns and rows of matrices that stand column by column.
local function sizes_of(a)
  return matrices.stack(a), core.length(a, -2), core.length(a, -1)
end

--- Runs an operation and returns its info.
---@return cuna.Array info an int32 for each matrix
local function info_of(name, operation, options, ...)
  local info = core.empty(matrices.stack((...)), "int32", (...), name)
  core.lapack(name, operation, {...}, info, options)
  return info
end

local function draw_nan(draft, dtype)
  draft:step("has_nan", "isnan(a)", "int32", {draft:input(dtype)}, {dtype})
  draft.reducer, draft.accumulator, draft.output = reducers.row("max", "int32"), "int32", "int32"
end

--- Which matrices contain NaN (1, else 0), if the operation may lose NaN; nil if it does not.
---@param uplo string|nil the triangle that is read
local function nan_of(name, operation, a, uplo)
  if a.size == 0 or not core.lapack_loses_nan(a, operation) then return nil end
  if uplo then a = triangle.of(name, a, uplo == "L" and "upper" or "lower") end
  local axes = shapes.bit_of(a.ndim) + shapes.bit_of(a.ndim - 1)
  return core.reduce(program.of(draw_nan, a.dtype), name, axes, false, 0, nil, a)
end

local function draw_noted(draft, expr)
  draft:step("noted", expr, "int32", {draft:input "int32", draft:input "int32"})
  draft.output = "int32"
end

--- Makes the expression's value of info (a) where there is NaN (b).
local function note(name, info, found, expr)
  core.map(program.get(expr, draw_noted, expr), name, nil, info, info, found)
end

--- The info of iterations; those over NaN did not converge.
local function noted(name, info, found)
  if found then note(name, info, found, "b != 0 ? 1 : a") end
  return info
end

local function new(like, stack, ...) return core.empty(behind(stack, ...), like.dtype, like) end

local function new_real(like, stack, ...)
  return core.empty(behind(stack, ...), matrices.real(like.dtype), like)
end

-- ---- operations ----

--- LU factors of (..., n, m) in place.
---@return cuna.Array pivots int64 from 1, (..., min(m, n))
---@return cuna.Array info
function M.getrf(name, a)
  local stack, n, m = sizes_of(a)
  local pivots = core.empty(behind(stack, math.min(m, n)), "int64", a, name)
  local found = nan_of(name, "getrf", a)
  local info = info_of(name, "getrf", nil, a, pivots)
  if found then -- factors of NaN are NaN, which is not an error
    M.settle(name, found, a)
    note(name, info, found, "b != 0 ? 0 : a")
  end
  return pivots, info
end

--- Solves op(a) x = b in place, of LU factors; b is (..., k, n).
---@param trans string "N", "T" or "C"
function M.getrs(name, lu, pivots, b, trans)
  core.lapack(name, "getrs", {lu, pivots, b}, nil, trans)
  return b
end

--- The inverse of LU factors, which are spoilt.
function M.getri(name, lu, pivots)
  local stack, n = sizes_of(lu)
  local inverse = new(lu, stack, n, n)
  core.lapack(name, "getri", {lu, pivots, inverse})
  return inverse
end

--- A triangle's Cholesky factor in place.
---@param uplo string "L" or "U"
---@return cuna.Array info
function M.potrf(name, a, uplo) return info_of(name, "potrf", uplo, a) end

--- Solves a x = b in place, of a Cholesky factor; b is (..., k, n).
function M.potrs(name, factor, b, uplo)
  core.lapack(name, "potrs", {factor, b}, nil, uplo)
  return b
end

--- Solves op(a) x = b in place, of a triangle; b is (..., k, n).
---@param options string uplo, trans and diag: "LNN"
function M.trsm(name, a, b, options)
  core.lapack(name, "trsm", {a, b}, nil, options)
  return b
end

--- R and Q's reflectors of (..., n, m) in place.
---@return cuna.Array scales of the reflectors, (..., min(m, n))
function M.geqrf(name, a)
  local stack, n, m = sizes_of(a)
  local scales = new(a, stack, math.min(m, n))
  core.lapack(name, "geqrf", {a, scales})
  return scales
end

--- The first columns of Q, in place of reflectors, of which there are at most as many as columns.
function M.orgqr(name, a, scales)
  core.lapack(name, "orgqr", {a, scales})
  return a
end

--- Singular values of (..., n, m), which is spoilt; m >= n.
---@param kind string "none": values alone; "reduced": n left vectors; "full": m
---@return cuna.Array values (..., n), the greatest first
---@return cuna.Array info
---@return cuna.Array|nil left (..., n or m, m): columns of u
---@return cuna.Array|nil right (..., n, n): columns of v^H
function M.gesvd(name, a, kind)
  local stack, n, m = sizes_of(a)
  local values = new_real(a, stack, n)
  local left, right
  if kind ~= "none" then left, right = new(a, stack, kind == "full" and m or n, m), new(a, stack, n, n) end
  local found = nan_of(name, "gesvd", a)
  return values, noted(name, info_of(name, "gesvd", nil, a, values, left, right), found), left, right
end

--- Eigenvalues of Hermitian matrices, ascending, of one triangle of a; with `vectors` these take its place.
---@return cuna.Array values
---@return cuna.Array info
function M.syevd(name, a, uplo, vectors)
  local stack, n = sizes_of(a)
  local values = new_real(a, stack, n)
  local found = nan_of(name, "syevd", a, uplo)
  return values, noted(name, info_of(name, "syevd", (vectors and "V" or "N") .. uplo, a, values), found)
end

--- Eigenvalues of any square matrices, and right vectors. a is spoilt.
---@return cuna.Array values complex
---@return cuna.Array info
---@return cuna.Array|nil vectors complex, columns
function M.geev(name, a, vectors)
  local stack, n = sizes_of(a)
  local values = core.empty(behind(stack, n), matrices.complex(a.dtype), a.device, name)
  if not vectors then return values, info_of(name, "geev", nil, a, values) end
  local columns = new(values, stack, n, n)
  return values, info_of(name, "geev", nil, a, values, columns), columns
end

--- Schur's form in place of square matrices.
---@param order string which eigenvalues come first: "N" any, "L" left half plane, "R" right one, "I" unit circle, "O"
--- outside
---@return cuna.Array z columns
---@return cuna.Array values complex
---@return cuna.Array info
function M.gees(name, a, order)
  local stack, n = sizes_of(a)
  local values = core.empty(behind(stack, n), matrices.complex(a.dtype), a.device, name)
  local z = new(a, stack, n, n)
  return z, values, info_of(name, "gees", order, a, values, z)
end

--- Hessenberg's form in place of square matrices, and reflectors below it.
---@return cuna.Array scales of the reflectors, of which the last is not used
function M.gehrd(name, a)
  local stack, n = sizes_of(a)
  local scales = new(a, stack, n)
  core.lapack(name, "gehrd", {a, scales})
  return scales
end

--- Solves a x + x b = c in place, of upper triangles a (m, m) and b (n, n); c is (n, m).
---@return cuna.Array info 1 where the solution is not unique
function M.trsyl(name, a, b, c) return info_of(name, "trsyl", "", a, b, c) end

-- ---- how they ended ----

--- Reports a matrix of a stack that an operation did not end well with: at once on the cpu device, elsewhere where the
--- script next waits.
---@param info cuna.Array
---@param what string "singular", "indefinite" or "unconverged"
function M.check(name, info, what) core.lapack_check(name, what, info) end

local function draw_settled(draft, dtype)
  draft:step("settled", "b != 0 ? limits<T>::nan() : a + T(0)", dtype, {draft:input(dtype), draft:input "int32"},
    {dtype, "int32"})
  draft.output = dtype
end

--- Makes NaN of what an operation gave where it did not end well, and 0 of -0.
---@param ... cuna.Array results
function M.settle(name, info, ...)
  for _, result in ipairs {...} do
    local shape = info.shape
    for k = #shape + 1, result.ndim do shape[k] = 1 end
    core.map(program.of(draw_settled, result.dtype), name, nil, result, result,
      core.reshape(info, shape, name))
  end
end

--- Checks how an operation ended, or without checks settles what it gave.
function M.conclude(name, info, what, checks, ...)
  if checks then return M.check(name, info, what) end
  M.settle(name, info, ...)
end

--- Spells out a step over elements that reports a matrix of a stack by one of them.
local function draw_checked(draft, expr, from, dtype, to)
  local x, size = draft:input(from), draft:input("int64", "scalar")
  local mark, is_stack = draft:input("int64", "scalar"), draft:input("int64", "scalar")
  draft:step("checked", expr, to, {x, draft:position(), size, is_stack, mark},
    {dtype, "int64", "int64", "int64", "int64"})
  draft.gathers = true
end

local function draw_diagonals(draft, dtype)
  draw_checked(draft, "nonzero(a, b, c, d, e)", dtype, dtype, "bool")
  draft.outputs = {}
end

--- Reports a 0 among the diagonals of triangles.
---@param diagonals cuna.Array (..., n)
function M.check_diagonals(name, diagonals)
  if diagonals.size == 0 then return end
  local made = program.get("diagonals " .. diagonals.dtype, draw_diagonals, diagonals.dtype)
  core.map(made, name, diagonals.shape, {}, diagonals, diagonals.shape[diagonals.ndim],
    core.report_mark(diagonals, name), diagonals.ndim > 1 and 1 or 0)
end

local function draw_finite(draft, from, dtype)
  draw_checked(draft, "finite(a, b, c, d, e) ? a : T(0)", from, dtype, dtype)
  draft.output = dtype
end

local function draw_cleaned(draft, from, dtype)
  draft:step("cleaned", "isfinite(a) ? a : T(0)", dtype, {draft:input(from)}, {dtype})
  draft.output = dtype
end

--- A copy of matrices with 0 for infinite elements and NaN, of which some operations would not find an end; these are
--- reported where there are checks.
function M.finite(name, x, dtype, checks)
  local key = x.dtype .. " " .. dtype
  if not checks then
    return core.map(program.get("cleaned " .. key, draw_cleaned, x.dtype, dtype), name, nil, nil, x)
  end
  local shape = x.shape
  return core.map(program.get("finite " .. key, draw_finite, x.dtype, dtype), name, nil, nil, x,
    shape[#shape] * shape[#shape - 1], core.report_mark(x, name), #shape > 2 and 1 or 0)
end

local function draw_permutation(draft)
  draft.inputs = {{dtype = "int64", address = true}, {dtype = "int64", address = true},
    {dtype = "int64", scalar = true}, {dtype = "int64", scalar = true}}
  draft:step("permuted", "permuted(a, b, c, d)", "bool", {1, 2, 3, 4}, "int64")
  draft.outputs, draft.gathers = {}, true
end

--- The rows of matrices as pivots exchanged them: positions from 1, (..., rows).
function M.permutation(name, pivots, rows)
  local stack = pivots.shape
  local count = table.remove(stack)
  local places = core.empty(behind(stack, rows), "int64", pivots.device, name)
  if places.size == 0 then return places end
  local all = matrices.count(stack)
  local from = count > 0 and core.view(pivots, {all}, {count}, 0) or core.view(places, {all}, {rows}, 0)
  core.map(program.get("permuted", draw_permutation), name, {all}, {}, from, core.view(places, {all}, {rows}, 0), count,
    rows)
  return places
end

return M
