--- patterns.lua: matrices of cn.linalg that are made of a pattern, and products of columns.
--
-- Matrices with equal diagonals are views, by strides, of a line with one element for each diagonal, which are copied.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local matrices = require "cuna.linalg.matrices"
local slices = require "cuna.base.slices"

local M = {functions = {}}
local F = M.functions -- cn.linalg

local fail = check.fail

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

local MODES = {full = true, same = true, valid = true}
local read_convolution = args.reader("linalg.convolution_matrix", {"a", "n", "mode"}, 2)

--- The matrix whose product with a vector of n elements is what cn.convolve gives of a and the vector. Follows
--- scipy.linalg.convolution_matrix.
---@param a cuna.Operand a vector, not empty
---@param n integer columns, at least 1
---@param mode string|nil "full" (default), "same" or "valid", as in cn.convolve
---@return cuna.Array shape (m, n), where m is what the mode makes of a's size and n
---@usage cn.linalg.convolution_matrix({1, 2}, 3) --> [[1. 0. 0.] [2. 1. 0.] [0. 2. 1.] [0. 0. 2.]]
---@usage cn.linalg.convolution_matrix({1, 2}, 3, "same") --> [[1. 0. 0.] [2. 1. 0.] [0. 2. 1.]]
function F.convolution_matrix(...)
  local name, a, n, mode = "linalg.convolution_matrix", read_convolution(...)
  a, n, mode = check.array(a, name), check.count(n, name, "n"), mode == nil and "full" or mode
  if a.ndim ~= 1 or a.size == 0 then
    fail("%s: a is a vector with elements, got shape %s", name, tostring(a.shape))
  elseif n == 0 then
    fail("%s: n is at least 1, got 0", name)
  elseif not MODES[mode] then
    fail("%s: mode is \"full\", \"same\" or \"valid\", got %s", name, check.show(mode))
  end
  local least = math.min(n, a.size) - 1
  local rows = a.size + n - 1 - (mode == "same" and least or mode == "valid" and 2 * least or 0)
  local skipped = mode == "same" and math.floor(least / 2) or mode == "valid" and least or 0
  local zeros = args.namespace.zeros(n - 1, a.dtype, a.device)
  return spread(args.namespace.concatenate {zeros, a, zeros}, rows, n, n - 1 + skipped, 1, -1, name)
end

--- The coefficients of a polynomial whose first one, which is waited for, is not 0.
function M.coefficients(a, name)
  a = check.array(a, name)
  if a.ndim ~= 1 or a.size < 2 then
    fail("%s: expected a vector of at least 2 coefficients, got shape %s", name, tostring(a.shape))
  end
  core.check_waiting(name)
  if not core.is_preparing() and slices.part(a, 1, 1, 1):item() == 0 then
    fail("%s: the first coefficient is 0; leave zeros in front out", name)
  end
  return a
end

local read_companion = args.reader("linalg.companion", {"a"})

--- The companion matrix of a polynomial, whose eigenvalues are its roots. Waits for the first coefficient. Follows
--- scipy.linalg.companion.
---@param a cuna.Operand coefficients, at least two, that of the highest power first and not 0
---@return cuna.Array shape (n - 1, n - 1)
---@usage cn.linalg.companion {1, -10, 31} --> [[ 10. -31.] [ 1. 0.]]
function F.companion(...)
  local name, cn = "linalg.companion", args.namespace
  local a = M.coefficients(read_companion(...), name)
  local row = -rest(a) / slices.part(a, 1, 1, 1)
  local made = cn.zeros({a.size - 1, a.size - 1}, row.dtype, a.device)
  core.copy(slices.at(made, 1, 1), row, name)
  if a.size > 2 then core.fill(core.view(made, {a.size - 2}, {a.size}, a.size - 1), 1, name) end
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
