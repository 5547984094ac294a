--- patterns.lua: matrices of cn.linalg that are made of a pattern, and products of columns.
--
-- Matrices with equal diagonals are views, by strides, of a line with one element for each diagonal, which are copied.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local ffi = require "ffi"
local matrices = require "cuna.linalg.matrices"
local slices = require "cuna.base.slices"

local M = {functions = {}}
local F = M.functions -- cn.linalg

local fail = check.fail
local int64 = ffi.typeof "int64_t"

--- The elements of an operand as a vector.
local function line_of(x, name, device)
  x = check.array(x, name, device)
  return x.ndim == 1 and x or core.reshape(x, -1, name)
end

local function reversed(x) return slices.part(x, 1, x.size, x.size, -1) end

--- Everything from the second element on.
local function rest(x) return slices.part(x, 1, 2, x.size - 1) end

--- A copy of the matrix whose element (i, j) is number first + i down + j right of a line, from 0.
local function spread(line, rows, columns, first, down, right, name)
  line = core.cast(line, nil, name)
  if rows * columns == 0 then return core.empty({rows, columns}, line.dtype, line.device, name) end
  return core.cast(core.view(line, {rows, columns}, {down, right}, first), nil, name)
end

--- Two lines on one device; the second one is make(first) where it is left out.
local function lines_of(name, first, second, make)
  first = line_of(first, name, core.is_array(second) and check.array(second, name).device or nil)
  if second == nil then return first, make(first) end
  second = line_of(second, name, first.device)
  check.same_device(first, second, name)
  return first, second
end

local function join(a, b) return args.namespace.concatenate {a, b} end

local read_toeplitz = args.reader("linalg.toeplitz", {"c", "r"}, 2)

--- The matrix with equal elements along each diagonal, whose first column is c and whose first row is r. Follows
--- scipy.linalg.toeplitz.
---@param c cuna.Operand of any shape, whose elements are taken in row-major order
---@param r cuna.Operand|nil default: the conjugates of c; its first element is not used
---@return cuna.Array shape (size of c, size of r)
---@usage cn.linalg.toeplitz({1, 2}, {1, 5, 6}) --> [[1. 5. 6.] [2. 1. 5.]]
---@usage cn.linalg.toeplitz {1, 2} --> [[1. 2.] [2. 1.]]
function F.toeplitz(...)
  local name, c, r = "linalg.toeplitz", read_toeplitz(...)
  c, r = lines_of(name, c, r, args.namespace.conj)
  return spread(join(reversed(c), rest(r)), c.size, r.size, c.size - 1, -1, 1, name)
end

local read_hankel = args.reader("linalg.hankel", {"c", "r"}, 2)

--- The matrix with equal elements along each diagonal from the lower left to the upper right, whose first column is c
--- and whose last row is r. Follows scipy.linalg.hankel.
---@param c cuna.Operand of any shape, whose elements are taken in row-major order
---@param r cuna.Operand|nil default: zeros; its first element is not used
---@return cuna.Array shape (size of c, size of r)
---@usage cn.linalg.hankel({1, 2}, {2, 3, 4}) --> [[1. 2. 3.] [2. 3. 4.]]
---@usage cn.linalg.hankel {1, 2} --> [[1. 2.] [2. 0.]]
function F.hankel(...)
  local name, c, r = "linalg.hankel", read_hankel(...)
  c, r = lines_of(name, c, r, args.namespace.zeros_like)
  return spread(join(c, rest(r)), c.size, r.size, 0, 1, 1, name)
end

local read_circulant = args.reader("linalg.circulant", {"c"})

--- The matrix whose first column is c, and each further one the one before it, rolled by 1. Follows
--- scipy.linalg.circulant.
---@param c cuna.Operand of any shape, whose elements are taken in row-major order
---@return cuna.Array shape (size of c, size of c)
---@usage cn.linalg.circulant {1, 2, 3} --> [[1. 3. 2.] [2. 1. 3.] [3. 2. 1.]]
function F.circulant(...)
  local name = "linalg.circulant"
  local c = line_of(read_circulant(...), name)
  local back = reversed(c)
  local line = join(back, slices.part(back, 1, 1, c.size - 1))
  return spread(line, c.size, c.size, c.size - 1, -1, 1, name)
end

local read_companion = args.reader("linalg.companion", {"a"})

--- The companion matrix of a polynomial, whose eigenvalues are its roots. Waits for the first coefficient. Follows
--- scipy.linalg.companion.
---@param a cuna.Operand coefficients, at least two, that of the highest power first and not 0
---@return cuna.Array shape (n - 1, n - 1)
---@usage cn.linalg.companion {1, -10, 31} --> [[ 10. -31.] [ 1. 0.]]
function F.companion(...)
  local name, cn = "linalg.companion", args.namespace
  local a = check.array(read_companion(...), name)
  if a.ndim ~= 1 or a.size < 2 then
    fail("%s: expected a vector of at least 2 coefficients, got shape %s", name, tostring(a.shape))
  end
  core.check_waiting(name)
  if not core.is_preparing() and slices.part(a, 1, 1, 1):item() == 0 then
    fail("%s: the first coefficient is 0; leave zeros in front out", name)
  end
  local row = -rest(a) / slices.part(a, 1, 1, 1)
  local made = cn.zeros({a.size - 1, a.size - 1}, row.dtype, a.device)
  core.copy(slices.at(made, 1, 1), row, name)
  if a.size > 2 then core.fill(core.view(made, {a.size - 2}, {a.size}, a.size - 1), 1, name) end
  return made
end

--- Numbers of rows, which `most` bounds.
local function rows_of(n, name, most)
  n = check.count(n, name, "n")
  if most and n > most then fail("%s: n is at most %d with exact elements, got %d", name, most, n) end
  return n
end

local read_hilbert = args.reader("linalg.hilbert", {"n"})

--- Hilbert's matrix, with the elements 1 / (i + j - 1). Follows scipy.linalg.hilbert.
---@param n integer rows
---@return cuna.Array float64, shape (n, n)
---@usage cn.linalg.hilbert(2) --> [[1. 0.5 ] [0.5 0.33333333]]
function F.hilbert(...)
  local name = "linalg.hilbert"
  local n = rows_of(read_hilbert(...), name)
  return spread(1 / args.namespace.arange(1, math.max(2 * n, 2), 1, "float64"), n, n, 0, 1, 1, name)
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

--- Positions from 0 as a column and a row.
local function positions(n)
  local line = args.namespace.arange(0, n, 1, "float64")
  return line:reshape(n, 1), line
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

--- Operands as matrices of a dtype in common: a vector is a row, a number one element.
local function blocks_of(name, list)
  local device, dtype = check.device_of(list), nil
  for i = 1, #list do
    local x = check.array(list[i], name, device)
    check.same_device(i > 1 and list[1] or x, x, name)
    if x.ndim > 2 then fail("%s: block %d has %d axes, and at most 2 are possible", name, i, x.ndim) end
    dtype = dtype and core.promote(dtype, x.dtype) or x.dtype
    list[i] = x.ndim == 2 and x or core.reshape(x, {1, x.size}, name)
  end
  return list, dtype
end

--- The matrix with blocks along its diagonal, and zeros elsewhere. Follows scipy.linalg.block_diag.
---@param ... cuna.Operand matrices; a vector is a row, a number one element
---@return cuna.Array
---@usage cn.linalg.block_diag({{1, 2}}, {{3}, {4}}) --> [[1. 2. 0.] [0. 0. 3.] [0. 0. 4.]]
function F.block_diag(...)
  local name, cn = "linalg.block_diag", args.namespace
  check.dot((...), name)
  local list = {...}
  if #list ~= select("#", ...) then fail("%s: block %d is nil", name, #list + 1) end
  if #list == 0 then return cn.zeros {1, 0} end
  local blocks, dtype = blocks_of(name, list)
  local rows, columns = 0, 0
  for _, x in ipairs(blocks) do rows, columns = rows + x.shape[1], columns + x.shape[2] end
  local made = cn.zeros({rows, columns}, dtype, blocks[1].device)
  rows, columns = 0, 0
  for _, x in ipairs(blocks) do
    local shape = x.shape
    if x.size > 0 then
      core.copy(slices.part(slices.part(made, 1, rows + 1, shape[1]), 2, columns + 1, shape[2]), x, name)
    end
    rows, columns = rows + shape[1], columns + shape[2]
  end
  return made
end

local read_khatri_rao = args.reader("linalg.khatri_rao", {"a", "b"}, 2)

--- Kronecker products of the columns of two matrices, column by column. Follows scipy.linalg.khatri_rao.
---@param a cuna.Operand shape (m, n)
---@param b cuna.Operand shape (k, n)
---@return cuna.Array shape (m k, n)
---@usage cn.linalg.khatri_rao({{1, 2}}, {{3, 4}, {5, 6}}) --> [[ 3. 8.] [ 5. 12.]]
function F.khatri_rao(...)
  local name, a, b = "linalg.khatri_rao", read_khatri_rao(...)
  a, b = matrices.arrays(name, a, b)
  local own, other = a.shape, b.shape
  if a.ndim ~= 2 or b.ndim ~= 2 or own[2] ~= other[2] then
    fail("%s: expected matrices with as many columns, got shapes %s and %s", name, tostring(own), tostring(other))
  end
  local columns = own[2]
  return (a:reshape(own[1], 1, columns) * b:reshape(1, other[1], columns)):reshape(own[1] * other[1], columns)
end

return M
