--- factor.lua: factorisations of matrices: QR, Cholesky, singular values, eigenvalues.
--
-- LAPACK takes matrices in column-major order, so it reads a row-major matrix as its transpose. If the factors of the
-- transpose give the result (the transpose of a Hermitian matrix is its conjugate), no matrix is transposed.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local elementwise = require "cuna.elementwise"
local lapack = require "cuna.linalg.lapack"
local manipulate = require "cuna.manipulate"
local matrices = require "cuna.linalg.matrices"
local slices = require "cuna.base.slices"
local triangle = require "cuna.linalg.triangle"

local M = {functions = {}}
local F = M.functions

local fail = check.fail
local E = elementwise.functions

--- A matrix or a stack of them, and the dtype to compute in.
local function open(name, x)
  x = matrices.matrix(check.array(x, name), name)
  return x, matrices.dtype(name, x.dtype)
end
M.open = open

--- The matrices column by column: a copy.
local function columns_of(x, dtype, name) return core.cast(matrices.transposed(x), dtype, name) end
M.columns_of = columns_of

--- What stands column by column as row-major matrices: a copy.
local function rows_of(columns, name) return core.cast(matrices.transposed(columns), nil, name) end
M.rows_of = rows_of

-- ---- QR ----

--- R of what geqrf left.
local function upper_of(name, factors, rows)
  return triangle.of(name, slices.part(matrices.transposed(factors), factors.ndim - 1, 1, rows), "upper")
end

--- Q with so many columns.
local function orthogonal_of(name, factors, scales, columns)
  local stack, shape, axis = matrices.stack(factors), factors.shape, factors.ndim - 1
  local rows, known = shape[#shape], math.min(columns, shape[#shape - 1])
  if scales.size == 0 then
    if columns == rows then return triangle.identity(name, stack, rows, factors) end
    return core.empty(matrices.behind(stack, rows, columns), factors.dtype, factors.device, name)
  end
  local columns_made = factors
  if columns ~= shape[#shape - 1] then
    columns_made = core.empty(matrices.behind(stack, columns, rows), factors.dtype, factors.device, name)
    slices.part(columns_made, axis, 1, known)[core.ellipsis] = slices.part(factors, axis, 1, known)
  end
  return rows_of(lapack.orgqr(name, columns_made, scales), name)
end

local read_qr = args.reader("linalg.qr", {"a", "mode"})

--- Factors matrices as q r: q has orthonormal columns, r is upper triangular. Follows numpy.linalg.qr.
---@param a cuna.Operand shape (..., m, n)
---@param mode string|nil with k = min(m, n): "reduced" (default): q is (..., m, k), r (..., k, n); "complete":
--- (..., m, m) and (..., m, n); "r": r alone; "raw": LAPACK's reflectors (..., n, m) and their scales (..., k)
---@return cuna.Array
---@return cuna.Array|nil
---@usage cn.linalg.qr({{0, 2}, {3, 4}}, "r"):abs() --> [[3. 4.] [0. 2.]]
---@usage cn.linalg.qr(cn.ones {3, 2}, "complete").shape --> (3, 3)
function F.qr(...)
  local name, a, mode = "linalg.qr", read_qr(...)
  local dtype
  a, dtype = open(name, a)
  mode = mode == nil and "reduced" or mode
  if mode ~= "reduced" and mode ~= "complete" and mode ~= "r" and mode ~= "raw" then
    fail("%s: mode is \"reduced\", \"complete\", \"r\" or \"raw\", got %s", name, check.show(mode))
  end
  local rows = a.shape[a.ndim - 1]
  local least = math.min(rows, a.shape[a.ndim])
  local factors = columns_of(a, dtype, name)
  local scales = lapack.geqrf(name, factors)
  if mode == "raw" then return factors, scales end
  local columns = mode == "complete" and rows or least
  local r = upper_of(name, factors, columns)
  if mode == "r" then return r end
  return orthogonal_of(name, factors, scales, columns), r
end

-- ---- Cholesky ----

--- The Cholesky factors of the lower or upper triangles of a. Its memory, column by column, is conj(a) = u^H u, and the
--- lower triangle there is the upper one: a = l l^H with l = u^T, which the same memory is row by row. Where a library
--- does upper triangles more slowly, it gets a itself column by column, and the factors are not row-major.
function M.cholesky(name, a, upper, checks)
  local dtype
  a, dtype = open(name, a)
  matrices.square(a, name)
  local turned = not upper and core.lapack_triangle(a.device) == "L"
  local factor = turned and columns_of(a, dtype, name) or core.cast(a, dtype, name)
  local info = lapack.potrf(name, factor, (upper or turned) and "L" or "U")
  lapack.conclude(name, info, "indefinite", checks, factor)
  return turned and matrices.transposed(factor) or factor
end

local read_cholesky = args.reader("linalg.cholesky", {"a", "upper", "check"})

--- The Cholesky factor l, lower triangular with a = l l^H, of Hermitian positive definite matrices; with `upper` u with
--- a = u^H u. Only this triangle of a is read. Another matrix is a LinAlgError, unless check is false: then its factor
--- is NaN. Follows numpy.linalg.cholesky.
---@param a cuna.Operand shape (..., n, n)
---@param upper boolean|nil default false
---@param check boolean|nil default true
---@return cuna.Array
---@usage cn.linalg.cholesky {{4, 2}, {2, 10}} --> [[2. 0.] [1. 3.]]
---@usage cn.linalg.cholesky({{4, 2}, {2, 10}}, {upper = true}) --> [[2. 1.] [0. 3.]]
function F.cholesky(...)
  local name, a, upper, checks = "linalg.cholesky", read_cholesky(...)
  upper = check.boolean(upper, false, name, "upper")
  local factor = M.cholesky(name, a, upper, check.boolean(checks, true, name, "check"))
  return triangle.of(name, factor, upper and "upper" or "lower", factor.flags.c_contiguous and factor or nil)
end

-- ---- eigenvalues ----

local TRIANGLES = {L = "U", U = "L"} -- of the conjugate that a row-major matrix is

--- Eigenvalues and, with `vectors`, eigenvectors of Hermitian matrices. The conjugate of a, row by row, is a column by
--- column.
function M.hermitian(name, a, uplo, vectors, checks)
  local dtype
  a, dtype = open(name, a)
  matrices.square(a, name)
  local opposite = TRIANGLES[uplo == nil and "L" or type(uplo) == "string" and uplo:upper()]
  if not opposite then fail("%s: uplo is \"L\" or \"U\", got %s", name, check.show(uplo)) end
  local work = matrices.copy(a, dtype, name, vectors)
  local values, info = lapack.syevd(name, work, opposite, vectors)
  lapack.conclude(name, info, "unconverged", checks, values, vectors and work or nil)
  return values, vectors and rows_of(work, name) or nil
end

local read_eigh = args.reader("linalg.eigh", {"a", "uplo", "check"})

--- Eigenvalues, ascending, and eigenvectors, as columns, of real symmetric or complex Hermitian matrices, of which one
--- triangle is read. Follows numpy.linalg.eigh.
---@param a cuna.Operand shape (..., n, n)
---@param uplo string|nil the triangle: "L" (default) or "U", in any case, as is the option's name
---@param check boolean|nil false: matrices whose values are not found raise no LinAlgError, and give NaN
---@return cuna.Array values real, (..., n)
---@return cuna.Array vectors (..., n, n)
---@usage cn.linalg.eigh {{2, 0}, {0, 1}} --> [1. 2.], [[0. 1.] [1. 0.]]
function F.eigh(...)
  local name, a, uplo, checks = "linalg.eigh", read_eigh(...)
  return M.hermitian(name, a, uplo, true, check.boolean(checks, true, name, "check"))
end

local read_eigvalsh = args.reader("linalg.eigvalsh", {"a", "uplo", "check"})

--- Eigenvalues, ascending, of real symmetric or complex Hermitian matrices. Follows numpy.linalg.eigvalsh.
---@param a cuna.Operand shape (..., n, n)
---@param uplo string|nil the triangle that is read, as cn.linalg.eigh's
---@param check boolean|nil as cn.linalg.eigh's
---@return cuna.Array values real, (..., n)
---@usage cn.linalg.eigvalsh {{2, 0}, {0, 1}} --> [1. 2.]
function F.eigvalsh(...)
  local name, a, uplo, checks = "linalg.eigvalsh", read_eigvalsh(...)
  return (M.hermitian(name, a, uplo, false, check.boolean(checks, true, name, "check")))
end

--- Which matrices have elements that are infinite or NaN: as LAPACK's info has it.
local function infinite_of(a, name) return core.cast(E.isfinite(a):all({-2, -1}):logical_not(), "int32", name) end

local function eigenvalues(name, a, vectors, checks)
  local dtype
  a, dtype = open(name, a)
  matrices.square(a, name)
  local values, info, columns = lapack.geev(name, lapack.finite(name, matrices.transposed(a), dtype, checks), vectors)
  lapack.conclude(name, info, "unconverged", checks, values, columns)
  if not checks then lapack.settle(name, infinite_of(a, name), values, columns) end
  if not vectors then return values end
  return values, rows_of(columns, name)
end

--- Eigenvalues of square matrices, for functions of this name.
function M.eigenvalues(name, a) return (eigenvalues(name, a, false, true)) end

local read_eig = args.reader("linalg.eig", {"a", "check"})

--- Eigenvalues and right eigenvectors, as columns of length 1, of square matrices. Both are always complex, since only
--- the device knows whether all of them are real. Infinite elements and NaN are a LinAlgError. Follows
--- numpy.linalg.eig, but for the dtype of real results.
---@param a cuna.Operand shape (..., n, n)
---@param check boolean|nil false: matrices whose values are not found raise no LinAlgError, and give NaN
---@return cuna.Array values complex, (..., n), in no order
---@return cuna.Array vectors complex, (..., n, n)
---@usage cn.linalg.eig {{2, 0}, {0, 3}} --> [2.+0.j 3.+0.j], [[1.+0.j 0.+0.j] [0.+0.j 1.+0.j]]
function F.eig(...)
  local name, a, checks = "linalg.eig", read_eig(...)
  return eigenvalues(name, a, true, check.boolean(checks, true, name, "check"))
end

local read_eigvals = args.reader("linalg.eigvals", {"a", "check"})

--- Eigenvalues of square matrices: always complex. Follows numpy.linalg.eigvals, but for the dtype of real results.
---@param a cuna.Operand shape (..., n, n)
---@param check boolean|nil as cn.linalg.eig's
---@return cuna.Array values complex, (..., n), in no order
---@usage cn.linalg.eigvals {{2, 1}, {0, 3}} --> [2.+0.j 3.+0.j]
function F.eigvals(...)
  local name, a, checks = "linalg.eigvals", read_eigvals(...)
  return (eigenvalues(name, a, false, check.boolean(checks, true, name, "check")))
end

-- ---- singular values ----

--- Of matrices with at least as many rows as columns: LAPACK's u and v^H are theirs, column by column.
local function tall_svd(name, a, dtype, kind)
  local values, info, left, right = lapack.gesvd(name, columns_of(a, dtype, name), kind)
  if kind == "none" then return values, info end
  return values, info, rows_of(left, name), rows_of(right, name)
end

--- Factors the transpose of a wide matrix, as which LAPACK reads the unchanged array: a^T = v* s u^T. v* in
--- column-major order is v^H in row-major order; the same holds for u^T and u.
local function wide_svd(name, a, dtype, kind)
  local values, info, left, right = lapack.gesvd(name, core.cast(a, dtype, name), kind)
  return values, info, right, left
end

--- Singular values and, with another kind than "none" (of lapack.gesvd), vectors.
---@return cuna.Array values
---@return cuna.Array|nil left
---@return cuna.Array|nil right v^H
function M.svd(name, a, kind, checks)
  local dtype
  a, dtype = open(name, a)
  local rows, columns = a.shape[a.ndim - 1], a.shape[a.ndim]
  local values, info, left, right = (rows > columns and tall_svd or wide_svd)(name, a, dtype, kind)
  lapack.conclude(name, info, "unconverged", checks, values, left, right)
  if kind == "full" and values.size == 0 then
    left = triangle.identity(name, matrices.stack(a), rows, values)
    right = triangle.identity(name, matrices.stack(a), columns, values)
    return values, core.cast(left, dtype, name), core.cast(right, dtype, name)
  end
  return values, left, right
end

--- Singular values of x, for functions of this name.
function M.singular_values(name, x) return (M.svd(name, x, "none", true)) end

--- Singular values, and vectors, by the eigenvalues of Hermitian matrices: their sizes.
function M.hermitian_svd(name, a, vectors, checks)
  local sort, take = require("cuna.sort").functions, require("cuna.take").functions
  local values, left = M.hermitian(name, a, "L", vectors, checks)
  if not vectors then return manipulate.functions.flip(sort.sort(E.abs(values)), -1) end
  local order = manipulate.functions.flip(sort.argsort(E.abs(values)), -1)
  values = take.take_along_axis(values, order, -1)
  left = take.take_along_axis(left, manipulate.functions.expand_dims(order, -2), -1)
  local signs = E.copysign(core.fill(core.empty({}, values.dtype, values.device, name), 1, name), values)
  local right = E.multiply(left, manipulate.functions.expand_dims(signs, -2))
  return E.abs(values), left, matrices.copy(matrices.transposed(right), nil, name, true)
end

local read_svd = args.reader("linalg.svd", {"a", "full_matrices", "compute_uv", "hermitian", "check"})

--- Singular value decomposition a = u s v^H. Follows numpy.linalg.svd.
---@param a cuna.Operand shape (..., m, n)
---@param full_matrices boolean|nil true (default): u is (..., m, m) and v^H (..., n, n); false: they have k = min(m, n)
--- columns and rows
---@param compute_uv boolean|nil false: the singular values alone
---@param hermitian boolean|nil true: a is Hermitian, and only its lower triangle is read
---@param check boolean|nil false: matrices whose values are not found raise no LinAlgError, and give NaN
---@return cuna.Array u
---@return cuna.Array|nil s real, (..., k), the greatest first
---@return cuna.Array|nil vh
---@usage cn.linalg.svd({{3, 0}, {0, 4}}, {compute_uv = false}) --> [4. 3.]
---@usage cn.linalg.svd(cn.ones {3, 2}).shape, cn.linalg.svd(cn.ones {3, 2}, false).shape --> (3, 3), (3, 2)
function F.svd(...)
  local name, a, full, vectors, hermitian, checks = "linalg.svd", read_svd(...)
  full, vectors = check.boolean(full, true, name, "full_matrices"), check.boolean(vectors, true, name, "compute_uv")
  checks = check.boolean(checks, true, name, "check")
  local values, left, right
  if check.boolean(hermitian, false, name, "hermitian") then
    values, left, right = M.hermitian_svd(name, a, vectors, checks)
  else
    values, left, right = M.svd(name, a, not vectors and "none" or full and "full" or "reduced", checks)
  end
  if not vectors then return values end
  return left, values, right
end

local read_svdvals = args.reader("linalg.svdvals", {"x"})

--- Singular values of matrices. Follows numpy.linalg.svdvals.
---@param x cuna.Operand shape (..., m, n)
---@return cuna.Array real, (..., min(m, n)), the greatest first
---@usage cn.linalg.svdvals {{3, 0}, {0, 4}} --> [4. 3.]
function F.svdvals(...) return M.singular_values("linalg.svdvals", (read_svdvals(...))) end

return M
