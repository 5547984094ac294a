--- named_matrices.lua: matrices of cn.linalg that bear a name: Hilbert's, Pascal's, Hadamard's, Fourier's, Helmert's,
--- Leslie's, Fiedler's.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local ffi = require "ffi"
local patterns = require "cuna.linalg.patterns"
local slices = require "cuna.base.slices"

local M = {functions = {}}
local F = M.functions -- cn.linalg

local fail = check.fail
local int64 = ffi.typeof "int64_t"

--- Numbers of rows, which `most` bounds.
local function rows_of(n, name, most)
  n = check.count(n, name, "n")
  if most and n > most then fail("%s: n is at most %d with exact elements, got %d", name, most, n) end
  return n
end

--- Positions from 0 as a column and a row.
local function positions(n)
  local line = args.namespace.arange(0, n, 1, "float64")
  return line:reshape(n, 1), line
end

local read_hilbert = args.reader("linalg.hilbert", {"n"})

--- Hilbert's matrix, with the elements 1 / (i + j - 1). Follows scipy.linalg.hilbert.
---@param n integer rows
---@return cuna.Array float64, shape (n, n)
---@usage cn.linalg.hilbert(2) --> [[1. 0.5 ] [0.5 0.33333333]]
function F.hilbert(...)
  local i, j = positions(rows_of(read_hilbert(...), "linalg.hilbert"))
  return 1 / (i + j + 1)
end

--- An (n, n) array of element(i, j), from 0, which the host computes in whole numbers.
local function exact_matrix(n, dtype, element)
  local rows = {}
  for i = 1, n do
    rows[i] = {}
    for j = 1, n do rows[i][j] = element(i - 1, j - 1) end
  end
  return n == 0 and args.namespace.zeros({0, 0}, dtype) or args.namespace.array(rows, dtype)
end

--- The binomial coefficient of whole numbers, in 64 bits.
local function choose(n, k)
  if k < 0 or k > n then return 0ULL end
  local rows = {1ULL}
  for i = 1, n do
    for j = math.min(i, k), 1, -1 do rows[j + 1] = (rows[j + 1] or 0ULL) + rows[j] end
  end
  return rows[k + 1]
end

local read_invhilbert = args.reader("linalg.invhilbert", {"n", "exact"})

--- The inverse of Hilbert's matrix, whose elements are whole numbers. Follows scipy.linalg.invhilbert.
---@param n integer rows
---@param exact boolean|nil true: int64, for n up to 14; false (default): float64
---@return cuna.Array shape (n, n)
---@usage cn.linalg.invhilbert(2, true) --> [[ 4 -6] [-6 12]]
function F.invhilbert(...)
  local name, n, exact = "linalg.invhilbert", read_invhilbert(...)
  exact = check.boolean(exact, false, name, "exact")
  rows_of(n, name, exact and 14)
  if exact then
    return exact_matrix(n, "int64", function(i, j)
      local size = (i + j + 1) * choose(n + i, n - j - 1) * choose(n + j, n - i - 1) * choose(i + j, i) ^ 2
      return (i + j) % 2 == 0 and int64(size) or -int64(size)
    end)
  end
  local cn, i, j = args.namespace, positions(n)
  local binom = cn.special.binom
  local size = (i + j + 1) * binom(n + i, n - 1 - j) * binom(n + j, n - 1 - i) * binom(i + j, i) ^ 2
  return size * (1 - (i + j) % 2 * 2)
end

local KINDS = {symmetric = true, lower = true, upper = true}
local read_pascal = args.reader("linalg.pascal", {"n", "kind", "exact"})

--- Pascal's matrix, with the binomial coefficients as elements. Follows scipy.linalg.pascal, which overflows from 35
--- rows on.
---@param n integer rows
---@param kind string|nil "symmetric" (default), "lower" or "upper": a triangle
---@param exact boolean|nil true (default): uint64, for n up to 34; false: float64
---@return cuna.Array shape (n, n)
---@usage cn.linalg.pascal(3) --> [[1 1 1] [1 2 3] [1 3 6]]
---@usage cn.linalg.pascal(3, "lower") --> [[1 0 0] [1 1 0] [1 2 1]]
function F.pascal(...)
  local name, n, kind, exact = "linalg.pascal", read_pascal(...)
  kind, exact = kind == nil and "symmetric" or kind, check.boolean(exact, true, name, "exact")
  if not KINDS[kind] then
    fail("%s: kind is \"symmetric\", \"lower\" or \"upper\", got %s", name, check.show(kind))
  end
  rows_of(n, name, exact and 34)
  if exact then
    return exact_matrix(n, "uint64", function(i, j)
      if kind == "symmetric" then return choose(i + j, i) end
      return kind == "lower" and choose(i, j) or choose(j, i)
    end)
  end
  local cn, i, j = args.namespace, positions(n)
  if kind == "symmetric" then return cn.special.binom(i + j, j) end
  if kind == "upper" then i, j = j, i end
  return cn.where(cn.less(i, j), 0, cn.special.binom(i, cn.minimum(i, j)))
end

local read_hadamard = args.reader("linalg.hadamard", {"n", "dtype"})

--- Hadamard's matrix by Sylvester's construction: of 1 and -1, with orthogonal rows. Follows scipy.linalg.hadamard.
---@param n integer rows: a power of 2
---@param dtype string|nil default int64
---@return cuna.Array shape (n, n)
---@usage cn.linalg.hadamard(2) --> [[ 1 1] [ 1 -1]]
function F.hadamard(...)
  local name, n, dtype = "linalg.hadamard", read_hadamard(...)
  n = check.count(n, name, "n")
  local power = n > 0 and math.floor(math.log(n) / math.log(2) + 0.5) or -1
  if 2 ^ power ~= n then fail("%s: n is a power of 2, got %s", name, tostring(n)) end
  local cn = args.namespace
  local made = cn.ones({1, 1}, check.dtype(dtype, name) or "int64")
  for _ = 1, power do
    local row = cn.concatenate({made, made}, 2)
    made = cn.concatenate({row, cn.concatenate({made, -made}, 2)}, 1)
  end
  return made
end

local SCALES = {sqrtn = 0.5, n = 1}
local read_dft = args.reader("linalg.dft", {"n", "scale"})

--- The matrix of the discrete Fourier transform: its product with x is cn.fft.fft(x). Follows scipy.linalg.dft.
---@param n integer rows
---@param scale string|nil "sqrtn" divides by the square root of n, so that the matrix is unitary, "n" by n; default:
---  neither
---@return cuna.Array complex128, shape (n, n)
---@usage cn.linalg.dft(2, "n").real --> [[ 0.5 0.5] [ 0.5 -0.5]]
function F.dft(...)
  local name, n, scale = "linalg.dft", read_dft(...)
  rows_of(n, name)
  if scale ~= nil and not SCALES[scale] then
    fail("%s: scale is nil, \"sqrtn\" or \"n\", got %s", name, check.show(scale))
  end
  local cn, i, j = args.namespace, positions(n)
  local angle = (i * j) % math.max(n, 1) * (-2 * math.pi / math.max(n, 1))
  local made = cn.exp(angle * cn.complex(0, 1))
  return scale == nil and made or made * n ^ -SCALES[scale]
end

local read_helmert = args.reader("linalg.helmert", {"n", "full"})

--- Helmert's matrix, with orthonormal rows: row i compares element i + 1 with the mean of those before it. Follows
--- scipy.linalg.helmert.
---@param n integer columns, at least 1
---@param full boolean|nil true: with a first row of equal elements; default false
---@return cuna.Array float64, shape (n - 1, n), or (n, n)
---@usage cn.linalg.helmert(2, true) --> [[ 0.70710678 0.70710678] [ 0.70710678 -0.70710678]]
function F.helmert(...)
  local name, n, full = "linalg.helmert", read_helmert(...)
  full = check.boolean(full, false, name, "full")
  if rows_of(n, name) == 0 then fail("%s: n is at least 1, got 0", name) end
  local cn, i, j = args.namespace, positions(n)
  local made = cn.where(cn.less(j, i), 1, cn.where(cn.equal(i, j), -i, 0)) / cn.sqrt(i * (i + 1))
  if not full then return slices.part(made, 1, 2, n - 1):copy() end
  core.fill(slices.at(made, 1, 1), n ^ -0.5, name)
  return made
end

--- A vector on the device of another one, if there is one.
local function vector_of(x, name, what, device)
  x = check.array(x, name, device)
  if x.ndim ~= 1 then fail("%s: %s is a vector, got shape %s", name, what, tostring(x.shape)) end
  return x
end

local read_leslie = args.reader("linalg.leslie", {"f", "s"}, 2)

--- Leslie's matrix of a population in age groups. Follows scipy.linalg.leslie.
---@param f cuna.Operand shape (n,): how many offspring each group has, the first row
---@param s cuna.Operand shape (n - 1,): the part of each group that reaches the next one, below the diagonal
---@return cuna.Array shape (n, n)
---@usage cn.linalg.leslie({0.5, 2}, {0.25}) --> [[0.5 2. ] [0.25 0. ]]
function F.leslie(...)
  local name, f, s = "linalg.leslie", read_leslie(...)
  f = vector_of(f, name, "f", core.device_of(f, s))
  s = vector_of(s, name, "s", f.device)
  check.same_device(f, s, name)
  if f.size < 2 or s.size ~= f.size - 1 then
    fail("%s: f has at least 2 elements, and s one less; got %d and %d", name, f.size, s.size)
  end
  local made = args.namespace.zeros({f.size, f.size}, core.promote(f.dtype, s.dtype), f.device)
  core.copy(slices.at(made, 1, 1), f, name)
  core.copy(core.view(made, {s.size}, {f.size + 1}, f.size), s, name)
  return made
end

local read_fiedler = args.reader("linalg.fiedler", {"a"})

--- Fiedler's matrix, with the elements abs(a[i] - a[j]). Follows scipy.linalg.fiedler.
---@param a cuna.Operand shape (n,)
---@return cuna.Array shape (n, n)
---@usage cn.linalg.fiedler {1, 4, 9} --> [[0. 3. 8.] [3. 0. 5.] [8. 5. 0.]]
function F.fiedler(...)
  local name = "linalg.fiedler"
  local a = vector_of(read_fiedler(...), name, "a")
  return args.namespace.abs(a:reshape(a.size, 1) - a)
end

local read_fiedler_companion = args.reader("linalg.fiedler_companion", {"a"})

--- Fiedler's companion matrix of a polynomial: with five diagonals, its eigenvalues are the roots. Waits for the first
--- coefficient. Follows scipy.linalg.fiedler_companion.
---@param a cuna.Operand coefficients, at least two, that of the highest power first and not 0
---@return cuna.Array shape (n - 1, n - 1)
---@usage cn.linalg.fiedler_companion {1, -10, 31} --> [[ 10. -31.] [ 1. 0.]]
function F.fiedler_companion(...)
  local name = "linalg.fiedler_companion"
  local a = patterns.coefficients(read_fiedler_companion(...), name)
  local n = a.size - 1
  local row = -slices.part(a, 1, 2, n) / slices.part(a, 1, 1, 1)
  local made = args.namespace.zeros({n, n}, row.dtype, a.device)
  --- Puts a value, or every second coefficient, on every second place of a diagonal that begins at (i, j), from 0.
  local function put(i, j, first)
    local count = math.floor((n - math.max(i, j) + 1) / 2)
    if count <= 0 then return end
    local places = core.view(made, {count}, {2 * n + 2}, i * n + j)
    if first then core.copy(places, slices.part(row, 1, first, count, 2), name) else core.fill(places, 1, name) end
  end
  core.copy(slices.part(slices.at(made, 1, 1), 1, 1, 1), slices.part(row, 1, 1, 1), name)
  put(0, 1, 2)
  put(2, 1, 3)
  put(0, 2)
  put(3, 1)
  if n > 1 then core.fill(core.view(made, {1}, {1}, n), 1, name) end
  return made
end

return M
