--- direct.lua: systems with sparse matrices solved by factors: splu, spilu, spsolve, spsolve_triangular, factorized.
--
-- The factors are in the host's memory, in float64 or complex128: UMFPACK's, or incomplete ones. What is solved for
-- travels there, and x back to the matrix's device. `maker` is the module that made the factors. A rehearsal
-- (cn.prepare) has no elements to factor: it moves and converts, and what it gets has no elements, too.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local convert = require "cuna.sparse.convert"
local core = require "cuna.core"
local incomplete = require "cuna.sparse.linalg.incomplete"
local object = require "cuna.sparse.object"
local orders = require "cuna.sparse.linalg.order"
local systems = require "cuna.sparse.linalg.system"
local triangular = require "cuna.sparse.linalg.triangular"
local umfpack = require "cuna.sparse.linalg.umfpack"
local with = require "cuna.base.with"

local M = {functions = {}}
local F = M.functions -- of cn.sparse.linalg

local fail = check.fail
local HOST = core.device "cpu"

--- The factors of a sparse matrix, which cn.sparse.linalg.splu and spilu make: P A Q = L U, where P and Q change the
--- order of rows and columns. Those of spilu give about A.
---@class cuna.SparseLU
---@field shape integer[] (n, n)
---@field nnz integer stored elements of L and U together
---@field L cuna.SparseMatrix csc, 1 on its diagonal
---@field U cuna.SparseMatrix csc
---@field perm_r cuna.Array int64: row i of the matrix is row perm_r[i] of L U
---@field perm_c cuna.Array int64: column j is column perm_c[j] of L U
---@field device cuna.Device
local methods, fields = {}, {}
local meta = {__metatable = "cuna sparse LU"}

function M.is(value) return type(value) == "table" and getmetatable(value) == meta.__metatable end

-- ---- arguments ----

--- A square sparse matrix; dense ones are converted.
local function matrix_of(A, name)
  if not object.is(A) then
    if A == nil or type(A) == "string" then fail("%s: A is a sparse matrix, got %s", name, check.show(A)) end
    A = require("cuna.sparse").namespace.csc_matrix(check.array(A, name))
  end
  if A.lengths[1] ~= A.lengths[2] then fail("%s: A is square, got shape %s", name, tostring(A.shape)) end
  return A
end

--- b as an array whose first axis is as long as the matrix, on the matrix's device.
local function right_side(b, size, device, name)
  b = check.array(b, name, device)
  if b.ndim < 1 or b.ndim > 2 or b.shape[1] ~= size then
    fail("%s: the matrix has shape (%d, %d), and b has shape %s; (%d,) or (%d, k) fits", name, size, size,
      tostring(b.shape), size, size)
  end
  if b.device ~= device then
    fail("%s: the matrix is on %s and b on %s; move one with x:to(%q)", name, device.name, b.device.name, device.name)
  end
  return b
end

-- ---- solutions ----

--- Rows x of the system for rows b of the host, in the factors' dtype.
local function solve_alike(lu, system, b, name)
  b = core.cast(b, lu.factors.dtype, name)
  b = b.flags.c_contiguous and b or b:copy()
  return core.is_preparing() and b or lu.maker.solve(lu.factors, system, b, name)
end

--- The same, of any dtype.
local function solve_rows(lu, system, b, name)
  if not (b.dtype:find "^complex" and lu.factors.dtype == "float64") then return solve_alike(lu, system, b, name) end
  local x = core.empty(b.shape, "complex128", HOST, name)
  core.copy(x.real, solve_alike(lu, system, b.real, name), name)
  core.copy(x.imag, solve_alike(lu, system, b.imag, name), name)
  return x
end

local function solve(lu, b, system, name)
  local shape, device = b.shape, b.device
  local dtype = core.promote(systems.inexact(lu.dtype), systems.inexact(b.dtype))
  if b.size == 0 then return core.empty(shape, dtype, device, name) end
  if #shape == 1 then
    local x = solve_rows(lu, system, b:reshape(1, -1):to(HOST), name)
    return core.cast(x:to(device):reshape(shape[1]), dtype, name)
  end
  local x = solve_rows(lu, system, b.T:copy():to(HOST), name)
  return core.cast(x:to(device).T, dtype, name)
end

--- Factors of a matrix that has been checked.
local function factored(A, maker, how, name)
  local lu = {size = A.lengths[1], dtype = A.dtype, device = A.device, maker = maker}
  if lu.size == 0 then return lu end
  lu.factors = maker.read(A, name)
  if not core.is_preparing() then maker.factor(lu.factors, how, name) end
  return lu
end

-- ---- the object ----

--- Solves the system for b.
---@param b cuna.Operand shape (n,) or (n, k)
---@param trans string|nil "N": A x = b; "T": of the transpose; "H": of the conjugate transpose; default "N"
---@return cuna.Array x the shape of b, in the dtype that A and b have in common, at least float32
---@usage cn.sparse.linalg.splu({{4, 1}, {1, 3}}):solve({5, 4}) --> [1. 1.]
---@usage cn.sparse.linalg.splu({{4, 1}, {0, 3}}):solve({4, 4}, "T") --> [1. 1.]
function methods.solve(lu, b, trans)
  local name = "solve"
  if not M.is(lu) then fail("%s: a method is called with a colon: lu:solve(b)", name) end
  local system = trans == nil and "N" or trans
  if system ~= "N" and system ~= "T" and system ~= "H" then
    fail('%s: trans is "N", "T" or "H", got %s', name, check.show(trans))
  end
  return solve(lu, right_side(b, lu.size, lu.device, name), system, name)
end

--- A triangle of the factors as a matrix on their device.
local function triangle(lu, arrays)
  local dtype = object.index_dtype(lu.size, arrays[2].size)
  local function placed(x) return core.cast(x + 1, dtype, "splu"):to(lu.device) end
  local parts = {indptr = placed(arrays[1]), indices = placed(arrays[2]),
    data = core.cast(arrays[3], systems.inexact(lu.dtype), "splu"):to(lu.device)}
  return convert.to(object.new(arrays.format, {lu.size, lu.size}, parts), "csc")
end

--- The places that an order gives to what was in order.
local function places(order, lu) return args.namespace.argsort(order):to(lu.device) end

--- Reads L, U and the orders once.
local function read_parts(lu)
  if lu.size == 0 or core.is_preparing() then
    local make, shape = require("cuna.sparse").namespace.csc_matrix, {shape = {lu.size, lu.size}}
    local empty = with.on(lu.device, make, shape, {dtype = systems.inexact(lu.dtype)})
    local order = core.empty({lu.size}, "int64", lu.device, "splu")
    return {L = empty, U = empty, perm_r = order, perm_c = order}
  end
  local L, U, p, q = lu.maker.parts(lu.factors, "splu")
  return {L = triangle(lu, L), U = triangle(lu, U), perm_r = places(p, lu), perm_c = places(q, lu)}
end

function fields.shape(lu) return object.shape {lu.size, lu.size} end
function fields.nnz(lu) return lu.L.nnz + lu.U.nnz end

for _, field in ipairs {"L", "U", "perm_r", "perm_c"} do
  fields[field] = function(lu)
    local parts = rawget(lu, "parts") or read_parts(lu)
    if not core.is_preparing() then rawset(lu, "parts", parts) end
    return parts[field]
  end
end

function meta.__index(lu, key)
  if fields[key] then return fields[key](lu) end
  if methods[key] then return methods[key] end
  fail("factors of a sparse matrix have no field or method '%s'; they have L, U, perm_r, perm_c, nnz, shape, solve",
    tostring(key))
end

function meta.__newindex(_, key) fail("'%s' of factors cannot be set", tostring(key)) end

function meta.__tostring(lu) return ("<factors of a %dx%d sparse matrix>"):format(lu.size, lu.size) end

-- ---- functions ----

--- Factors of a square sparse matrix, by UMFPACK of SuiteSparse, in the host's memory. A singular matrix is a
--- LinAlgError. Follows scipy.sparse.linalg.splu.
---@param A cuna.SparseMatrix|cuna.Operand shape (n, n)
---@return cuna.SparseLU
---@usage cn.sparse.linalg.splu({{4, 1}, {1, 3}}):solve({5, 4}) --> [1. 1.]
---@usage cn.sparse.linalg.splu(cn.sparse.eye(3)).U:toarray():diagonal() --> [1. 1. 1.]
function F.splu(A)
  local name = "sparse.linalg.splu"
  return setmetatable(factored(matrix_of(A, name), umfpack, false, name), meta)
end

local read_spilu = args.reader("sparse.linalg.spilu", {"A", "drop_tol", "fill_factor", "diag_pivot_thresh",
  "permc_spec"}, 1)

--- A number of at least `least` and at most `most`.
local function within(value, default, least, most, name, what)
  value = check.real(value == nil and default or value, name, what)
  if value >= least and value <= most then return value end
  fail("%s: %s is %s, got %g", name, what, most < math.huge and ("from %g to %g"):format(least, most)
    or ("at least %g"):format(least), value)
end

--- An order of lines that users may ask for.
local function order_of(value, name)
  if value == nil or orders.kinds[value] then return value end
  fail('%s: permc_spec is "NATURAL", "COLAMD", "MMD_ATA" or "MMD_AT_PLUS_A", got %s', name, check.show(value))
end

--- Incomplete factors of a square sparse matrix, whose L U is about A, by rows in the host's memory; `solve` of them is
--- a preconditioner of iterations. Rows and columns first get an order in which factors have few elements: AMD's where
--- the pattern is about symmetric, else COLAMD's. These libraries of SuiteSparse come with UMFPACK; without them lines
--- keep their order. Pivots then change that of columns. Factors that are singular are a LinAlgError. Follows
--- scipy.sparse.linalg.spilu, which drops by SuperLU's rules; the method is ILUTP (Saad, "Iterative Methods for Sparse
--- Linear Systems", 2003).
---@param A cuna.SparseMatrix|cuna.Operand shape (n, n)
---@param drop_tol number|nil what changes a row less, relative to its greatest element, is dropped; default 1e-4
---@param fill_factor number|nil how many elements L and U have together for each of A's, at most; default 10
---@param diag_pivot_thresh number|nil from 0 to 1: the element on the diagonal is the pivot if it is at least this part
---  of the row's greatest one; default 0.1
---@param permc_spec string|nil "NATURAL": lines keep their order; "MMD_AT_PLUS_A": by AMD; "COLAMD", "MMD_ATA": by
---  COLAMD; default: by what serves the pattern
---@return cuna.SparseLU
---@usage cn.sparse.linalg.spilu({{4, 1}, {1, 3}}):solve({5, 4}) --> [1. 1.]
---@usage cn.sparse.linalg.spilu({{4, 1}, {1, 3}}, {drop_tol = 0.5}).L:toarray() --> [[1. 0.] [0. 1.]]
function F.spilu(...)
  local name = "sparse.linalg.spilu"
  local A, drop_tol, fill_factor, threshold, permc_spec = read_spilu(...)
  return setmetatable(factored(matrix_of(A, name), incomplete, {
    drop_tol = within(drop_tol, 1e-4, 0, math.huge, name, "drop_tol"),
    fill_factor = within(fill_factor, 10, 1, math.huge, name, "fill_factor"),
    diag_pivot_thresh = within(threshold, 0.1, 0, 1, name, "diag_pivot_thresh"),
    permc_spec = order_of(permc_spec, name),
  }, name), meta)
end

--- A function that solves A x = b for each b that it gets, by factors of A that are made once. Follows
--- scipy.sparse.linalg.factorized.
---@param A cuna.SparseMatrix|cuna.Operand shape (n, n); singular: a LinAlgError
---@return fun(b: cuna.Operand): cuna.Array b and x have shape (n,) or (n, k)
---@usage cn.sparse.linalg.factorized({{4, 1}, {1, 3}})({5, 4}) --> [1. 1.]
function F.factorized(A)
  local name = "sparse.linalg.factorized"
  local lu = factored(matrix_of(A, name), umfpack, true, name)
  return function(b) return solve(lu, right_side(b, lu.size, lu.device, name), "N", name) end
end

--- Solves A x = b for a square sparse matrix, by factors that UMFPACK of SuiteSparse makes in the host's memory, in
--- float64 or complex128. Follows scipy.sparse.linalg.spsolve.
---@param A cuna.SparseMatrix|cuna.Operand shape (n, n); singular: a LinAlgError
---@param b cuna.SparseMatrix|cuna.Operand shape (n,) or (n, k)
---@return cuna.Array|cuna.SparseMatrix x the shape of b, in the dtype that both have in common, at least float32; csc
---  where b is sparse
---@usage cn.sparse.linalg.spsolve(cn.sparse.csr_matrix {{4, 1}, {1, 3}}, {5, 4}) --> [1. 1.]
function F.spsolve(A, b)
  local name = "sparse.linalg.spsolve"
  A = matrix_of(A, name)
  local is_sparse = object.is(b)
  b = right_side(is_sparse and b:toarray() or b, A.lengths[1], A.device, name)
  local x = solve(factored(A, umfpack, true, name), b, "N", name)
  return is_sparse and require("cuna.sparse").namespace.csc_matrix(x) or x
end

--- The inverse of a square sparse matrix, by factors as spsolve's. It has elements nearly everywhere: for A x = b write
--- spsolve or factorized. Follows scipy.sparse.linalg.inv.
---@param A cuna.SparseMatrix|cuna.Operand shape (n, n); singular: a LinAlgError
---@return cuna.SparseMatrix csc, of A's dtype, at least float32
---@usage cn.sparse.linalg.inv({{2, 0}, {0, 4}}):toarray() --> [[0.5  0.  ] [0.   0.25]]
function F.inv(A)
  local name = "sparse.linalg.inv"
  A = matrix_of(A, name)
  local eye = with.on(A.device, args.namespace.eye, A.lengths[1], {dtype = systems.inexact(A.dtype)})
  local x = solve(factored(A, umfpack, true, name), eye, "N", name)
  return require("cuna.sparse").namespace.csc_matrix(x)
end

local read_triangular = args.reader("sparse.linalg.spsolve_triangular", {"A", "b", "lower", "overwrite_A",
  "overwrite_b", "unit_diagonal"}, 2)

--- Solves A x = b for a sparse triangular matrix, row by row in the host's memory. Follows
--- scipy.sparse.linalg.spsolve_triangular.
---@param A cuna.SparseMatrix|cuna.Operand shape (n, n), without elements in the other triangle
---@param b cuna.Operand shape (n,) or (n, k)
---@param lower boolean|nil true (default): A is lower triangular; false: upper
---@param overwrite_A boolean|nil as SciPy's; A is never overwritten
---@param overwrite_b boolean|nil as SciPy's; b is never overwritten
---@param unit_diagonal boolean|nil true: 1 is taken for each element on the diagonal, whatever A has there. Default:
---  false; then a 0 there is a LinAlgError
---@return cuna.Array x the shape of b, in the dtype that both have in common, at least float32
---@usage cn.sparse.linalg.spsolve_triangular({{2, 0}, {1, 4}}, {2, 9}) --> [1. 2.]
---@usage cn.sparse.linalg.spsolve_triangular({{1, 2}, {0, 1}}, {5, 1}, false) --> [3. 1.]
function F.spsolve_triangular(...)
  local name = "sparse.linalg.spsolve_triangular"
  local A, b, lower, overwrite_A, overwrite_b, unit = read_triangular(...)
  A = matrix_of(A, name)
  b = right_side(b, A.lengths[1], A.device, name)
  check.boolean(overwrite_A, false, name, "overwrite_A")
  check.boolean(overwrite_b, false, name, "overwrite_b")
  local asked = {is_lower = check.boolean(lower, true, name, "lower"),
    is_unit = check.boolean(unit, false, name, "unit_diagonal")}
  return solve(factored(A, triangular, asked, name), b, "N", name)
end

return M
