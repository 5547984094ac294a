--- arnoldi.lua: some eigenvalues of square matrices that need not be Hermitian: eigs.
--
-- The method of Krylov and Schur (G. W. Stewart, 2002). Rows 1 to j + 1 of the basis are orthonormal, and A times the
-- first j of them has its coordinates in the columns of H, in the host's memory. With `ncv` rows the eigenvectors of H
-- give approximate ones of A. A restart keeps the space of the best of them: Q, orthonormal columns that span it, makes
-- H triangular, and the last row goes on. All is complex, as eigenvalues of real matrices may be.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local eigen = require "cuna.sparse.linalg.eigen"
local orthogonal = require "cuna.sparse.linalg.orthogonal"
local projection = require "cuna.sparse.linalg.projection"
local systems = require "cuna.sparse.linalg.system"

local M = {functions = {}}
local F = M.functions -- of cn.sparse.linalg

local fail = check.fail
local HOST = core.device "cpu"
local COMPLEX = {float32 = "complex64", complex64 = "complex64"}

local function parts_of(value)
  if type(value) == "number" then return value, 0 end
  return value.re, value.im
end

-- ---- which eigenvalues ----

local function size(re, im) return re * re + im * im end

--- What values are in order of, the wanted ones the greatest.
local WEIGHTS = {
  LM = size, SM = function(re, im) return -size(re, im) end, LR = function(re) return re end,
  SR = function(re) return -re end, LI = function(_, im) return im end, SI = function(_, im) return -im end,
}

--- The places of values, the wanted ones first. Of real matrices both values of a pair have one imaginary size.
local function places_of(values, space)
  local places, weights = {}, {}
  for i, value in ipairs(values) do
    local re, im = parts_of(value)
    places[i], weights[i] = i, WEIGHTS[space.which](re, space.is_real and math.abs(im) or im)
  end
  table.sort(places, function(i, j) return weights[i] > weights[j] or weights[i] == weights[j] and i < j end)
  return places
end

-- ---- the space ----

--- Writes column j of H and makes row j + 1: its length before it was made 1, 0 where the space is closed.
local function extend(space, j)
  local coordinates, norm, scale = orthogonal.append(space.basis, space.multiply(space.basis.row[j]), j)
  if space.basis.is_lazy then norm, scale = args.namespace.item(norm, scale) end
  for i, value in ipairs(coordinates:totable()) do projection.set(space.H, i, j, parts_of(value)) end
  if j == space.size then return 0 end
  local is_closed = norm <= space.eps * scale
  if is_closed then eigen.refresh(space, j) else space.basis.row[j + 1]:div_(norm) end
  norm = is_closed and 0 or norm
  if j < space.count then projection.set(space.H, j + 1, j, norm) end
  return norm
end

--- Eigenvalues and vectors of H, in the host's memory; places, the wanted ones first; how many of the first k are
--- found, and the greatest of their residuals.
local function solve(space, beta)
  local linalg = args.namespace.linalg
  local w, s = linalg.eig(space.H.array)
  local values, last = w:totable(), s[{-1, {}}]:abs():totable()
  local solved = {values = values, vectors = s, places = places_of(values, space), found = 0, worst = 0, beta = beta}
  local rounding = space.eps * linalg.norm(space.H.array):item()
  for i = 1, space.k do
    local place = solved.places[i]
    local residual = beta * last[place]
    solved.worst = math.max(solved.worst, residual)
    local least = math.max(space.tol * math.sqrt(size(parts_of(values[place]))), rounding)
    if residual <= least then solved.found = solved.found + 1 end
  end
  return solved
end

--- The first `count` wanted vectors in terms of the basis, as columns.
local function wanted_of(space, solved, count)
  local places = core.as_array({unpack(solved.places, 1, count)}, nil, HOST, space.name)
  return args.namespace.take(solved.vectors, places, 2)
end

--- Rows of the basis in other coordinates, which are columns.
local function rows_of(space, columns)
  local c = core.cast(columns.T:copy(), space.dtype, space.name)
  return c:to(space.basis.rows.device):matmul(space.basis.rows[{{1, space.count}}])
end

--- Begins the space with that of the best vectors, from whose last row it grows: the number of this row.
local function restart(space, solved)
  local cn = args.namespace
  local keep = math.min(space.k + math.floor((space.count - space.k) / 2), space.count - 1)
  local Q = cn.linalg.qr(wanted_of(space, solved, keep))
  local T, last = cn.triu(Q:conj().T:matmul(space.H.array:matmul(Q))), Q[{-1, {}}]:totable()
  local rows = rows_of(space, Q)
  space.basis.rows[{{1, keep}}] = rows
  space.basis.rows[keep + 1] = space.basis.rows[space.count + 1]
  projection.clear(space.H)
  space.H.array[{{1, keep}, {1, keep}}] = T
  for i, value in ipairs(last) do
    local re, im = parts_of(value)
    projection.set(space.H, keep + 1, i, solved.beta * re, solved.beta * im)
  end
  return keep + 1
end

--- Restarts until k values are found: values, and rows that are their vectors.
local function iterate(space)
  local from, beta, solved = 1, nil, nil
  for _ = 1, space.maxiter do
    for j = from, space.count do beta = extend(space, j) end
    solved = solve(space, beta)
    if solved.found == space.k then
      local values = {}
      for i = 1, space.k do values[i] = solved.values[solved.places[i]] end
      return values, rows_of(space, wanted_of(space, solved, space.k))
    end
    from = restart(space, solved)
  end
  fail("LinAlgError: %s: no convergence in %d restarts: %d of %d values are found, the greatest residual is %.1e%s",
    space.name, space.maxiter, solved and solved.found or 0, space.k, solved and solved.worst or math.huge,
    space.which == "SM" and "; {sigma = 0} finds those by factors" or "")
end

-- ---- arguments ----

local NAME = "sparse.linalg.eigs"
local read = args.reader(NAME, {"A", "k", "sigma", "which", "v0", "ncv", "maxiter", "tol", "return_eigenvectors"}, 1)

local function new_space(multiply, op, dtype, given)
  local space = eigen.new_space(multiply, op.lengths[1], dtype, given, NAME)
  space.which, space.is_real = given.which, not op.dtype:find "^complex" and not given.is_shifted
  return space
end

--- A number of the user's: a complex one, or Lua's, for whole numbers of LuaJIT would round what is added to them.
local function shift_of(sigma)
  if core.is_array(sigma) and sigma.size == 1 then sigma = sigma:item() end
  return core.number_kind(sigma) == "complex" and sigma or check.real(sigma, NAME, "sigma")
end

--- k eigenvalues of a square matrix, and their vectors, by the method of Arnoldi with restarts. Only products with A
--- are needed. With sigma the values nearest to it are found, by the factors of A - sigma I (see
--- cn.sparse.linalg.splu). Of values that are there several times some copies may be missing, as with ARPACK. The
--- vector to begin with is the same at every call. Waits for the device in each step. Follows
--- scipy.sparse.linalg.eigs.
---@param A cuna.SparseMatrix|cuna.LinearOperator|cuna.Operand shape (n, n)
---@param k integer|nil 1 to n - 1; default 6
---@param sigma cuna.Number|nil
---@param which string|nil "LM", "SM": of greatest or least size; "LR", "SR": of greatest or least real part; "LI",
---  "SI": of greatest or least imaginary part, of real matrices by its size; with sigma of the values 1 / (w - sigma);
---  default "LM"
---@param v0 cuna.Operand|nil the vector to begin with, shape (n,)
---@param ncv integer|nil vectors that are kept, k + 1 to n; default max(2 k + 1, 20)
---@param maxiter integer|nil restarts; default 10 n; if they are not enough it is a LinAlgError with what is missing
---@param tol number|nil of the residual, relative to a value; default 0: the dtype's precision
---@param return_eigenvectors boolean|nil default true
---@return cuna.Array w shape (k,), complex, the wanted ones first
---@return cuna.Array|nil v shape (n, k), complex: a column for each value
---@usage cn.sparse.linalg.eigs(cn.sparse.diags {1, 2, 3, 4}, 2, {return_eigenvectors = false}).real --> [4. 3.]
---@usage cn.sparse.linalg.eigs({{0, 1}, {-1, 0}}, 1, {return_eigenvectors = false}).real:round(6):abs() --> [0.]
function F.eigs(...)
  local A, k, sigma, which, v0, ncv, maxiter, tol, wants_vectors = read(...)
  local op = eigen.square_operator(A, NAME)
  which = which or "LM"
  if not WEIGHTS[which] then
    fail('%s: which is "LM", "SM", "LR", "SR", "LI" or "SI", got %s', NAME, check.show(which))
  end
  local dtype = COMPLEX[systems.inexact(op.dtype)] or "complex128"
  local multiply = systems.product_with(op, "matvec", dtype, NAME)
  if sigma ~= nil then
    sigma = shift_of(sigma)
    local solved = eigen.inverse_of(op, sigma, NAME)
    multiply = function(x) return core.cast(solved(x), dtype, NAME) end
  end
  local given = {k = k, ncv = ncv, tol = tol, which = which, v0 = v0, maxiter = maxiter, is_shifted = sigma ~= nil}
  local values, rows = iterate(new_space(multiply, op, dtype, given))
  local w = core.cast(args.namespace.array(values), dtype, NAME)
  if sigma ~= nil then w = sigma + 1 / w end
  if not check.boolean(wants_vectors, true, NAME, "return_eigenvectors") then return w end
  return w, rows.T
end

return M
