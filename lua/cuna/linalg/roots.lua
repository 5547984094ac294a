--- roots.lua: square roots and logarithms of matrices, by Schur's form on the host.
--
-- The root of a triangle is made block by block: the roots of two blocks on its diagonal, and what lies between them,
-- which solves a Sylvester equation (Deadman, Higham and Ralha, 2013); of small blocks it is made element by element
-- (Bjorck and Hammarling, 1983). The logarithm of a triangle is that of a root near the identity, by a Pade approximant
-- in partial fractions, times the power of 2 (Higham, "Functions of Matrices", 2008, algorithm 11.9); its diagonal is
-- exact. Triangles are column by column, as LAPACK has them.
local args = require "cuna.base.args"
local core = require "cuna.core"
local factor = require "cuna.linalg.factor"
local lapack = require "cuna.linalg.lapack"
local matrices = require "cuna.linalg.matrices"
local schur = require "cuna.linalg.schur"
local slices = require "cuna.base.slices"
local solve = require "cuna.linalg.solve"
local triangle = require "cuna.linalg.triangle"

local M = {functions = {}}
local F = M.functions -- cn.linalg

local BLOCK = 24 -- rows whose root is made element by element

-- ---- complex numbers on the host ----

local function root_of(re, im)
  local size = math.sqrt((math.sqrt(re * re + im * im) + math.abs(re)) / 2)
  if size == 0 then return 0, 0 end
  if re >= 0 then return size, im / (2 * size) end
  return math.abs(im) / (2 * size), im < 0 and -size or size
end

local function quotient(a, b, c, d)
  local size = c * c + d * d
  return (a * c + b * d) / size, (b * c - a * d) / size
end

-- ---- square roots of triangles ----

--- Rows and columns first to last of a triangle, with as many columns from `from` to `to`: column by column, a copy.
local function block(t, first, last, from, to, name)
  local part = slices.part(slices.part(t, 1, from, to - from + 1), 2, first, last - first + 1)
  return core.cast(part, nil, name)
end

local function put(t, value, first, from, name)
  local shape = value.shape
  core.copy(slices.part(slices.part(t, 1, from, shape[1]), 2, first, shape[2]), value, name)
end

--- The elements of a block by columns: lists of real and imaginary parts.
local function parts_of(t)
  local re, im = t.real:totable(), matrices.is_complex(t.dtype) and t.imag:totable()
  if not im then
    im = {}
    for j = 1, #re do
      im[j] = {}
      for i = 1, #re do im[j][i] = 0 end
    end
  end
  return re, im
end

--- Element (i, j) of a root, of what is left of the block's: over the sum of two elements on the diagonal.
local function set_element(re, im, i, j)
  local x, y = re[j][i], im[j][i]
  for k = i + 1, j - 1 do
    local a, b, c, d = re[k][i], im[k][i], re[j][k], im[j][k]
    x, y = x - (a * c - b * d), y - (a * d + b * c)
  end
  local c, d = re[i][i] + re[j][j], im[i][i] + im[j][j]
  if c == 0 and d == 0 then
    re[j][i], im[j][i] = 0, 0
    return x == 0 and y == 0
  end
  re[j][i], im[j][i] = quotient(x, y, c, d)
  return true
end

--- The root of a small triangle; and whether there is one.
local function small_root(t, name)
  local re, im = parts_of(t)
  local exists, n = true, #re
  for j = 1, n do
    re[j][j], im[j][j] = root_of(re[j][j], im[j][j])
    for i = j - 1, 1, -1 do exists = set_element(re, im, i, j) and exists end
  end
  local cn = args.namespace
  local root = cn.array(re, matrices.real(t.dtype), t.device)
  if matrices.is_complex(t.dtype) then
    root = cn.add(root, cn.multiply(cn.array(im, "float64", t.device), cn.complex(0, 1)))
  end
  return core.cast(root, t.dtype, name), exists
end

--- Puts the root of rows first to last of t into r.
local function fill_root(t, r, first, last, name)
  if last - first < BLOCK then
    local root, exists = small_root(block(t, first, last, first, last, name), name)
    put(r, root, first, first, name)
    return exists
  end
  local middle = math.floor((first + last) / 2)
  local left, right = fill_root(t, r, first, middle, name), fill_root(t, r, middle + 1, last, name)
  local between = block(t, first, middle, middle + 1, last, name)
  local info = lapack.trsyl(name, block(r, first, middle, first, middle, name),
    block(r, middle + 1, last, middle + 1, last, name), between)
  put(r, between, first, middle + 1, name)
  return left and right and info:item() == 0
end

local function is_root(r, t)
  local cn = args.namespace
  local rows = matrices.transposed(r)
  local off = cn.abs(cn.subtract(cn.matmul(rows, rows), matrices.transposed(t))):max():item()
  return off <= 1e-6 * cn.abs(t):max():item()
end

--- The root of a triangle, column by column. A LinAlgError where there is none.
local function triangle_root(t, name)
  local r = core.fill(core.empty_like(t, nil, name), 0, name)
  if fill_root(t, r, 1, t.shape[1], name) or is_root(r, t) then return r end
  core.fail(("LinAlgError: %s: the matrix is singular, and has no square root"):format(name))
end

-- ---- logarithms of triangles ----

local NEAR = 0.264 -- the 1-norm up to which the approximant of degree 7 is exact to float64
local NODES = {0.025446043828620757, 0.12923440720030277, 0.2970774243113014, 0.5, 0.7029225756886985,
  0.8707655927996972, 0.9745539561713792} -- of Gauss and Legendre, on 0 to 1
local WEIGHTS = {0.06474248308443532, 0.1398526957446383, 0.19091502525255916, 0.20897959183673448,
  0.19091502525255916, 0.1398526957446383, 0.06474248308443532}
local MOST_ROOTS = 100

local function diagonal_of(t) return core.view(t, {t.shape[1]}, {t.shape[1] + 1}, 0) end

--- exp(z) - 1 of complex numbers, exact near 0.
local function expm1(z)
  local cn = args.namespace
  local x, y = z.real, z.imag
  local half = cn.sin(y / 2)
  local re = cn.expm1(x) * cn.cos(y) - half * half * 2
  return cn.add(re, cn.multiply(cn.exp(x) * cn.sin(y), cn.complex(0, 1)))
end

--- t less the identity; its diagonal from the logarithms, since a difference from 1 loses digits.
local function beyond_identity(t, logs, count, name)
  local y = core.cast(t, nil, name)
  core.copy(diagonal_of(y), expm1(logs * 2 ^ -count), name)
  return y
end

--- The logarithm of 1 + y, row by row.
local function near_logarithm(y, name)
  local cn = args.namespace
  local rows = core.cast(matrices.transposed(y), nil, name)
  local unit, sum = triangle.identity(name, {}, rows.shape[1], rows), nil
  for k, node in ipairs(NODES) do
    local part = solve.functions.solve_triangular(cn.add(unit, rows * node), rows) * WEIGHTS[k]
    sum = sum and cn.add(sum, part) or part
  end
  return sum
end

--- The logarithm of a complex triangle without zeros on its diagonal; row by row.
local function triangle_logarithm(t, name)
  local cn, count = args.namespace, 0
  local logs = cn.log(core.cast(diagonal_of(t), nil, name))
  local y = beyond_identity(t, logs, 0, name)
  while cn.abs(y):sum(2):max():item() > NEAR and count < MOST_ROOTS do
    t, count = triangle_root(t, name), count + 1
    y = beyond_identity(t, logs, count, name)
  end
  local made = near_logarithm(y, name) * 2 ^ count
  core.copy(diagonal_of(made), logs, name)
  return made
end

-- ---- matrices ----

--- z f z^H of column by column z, and row by row f.
local function turned(f, z)
  local cn = args.namespace
  return cn.matmul(cn.matmul(matrices.transposed(z), f), matrices.is_complex(z.dtype) and cn.conj(z) or z)
end

--- Whether a value is on the negative real axis, and whether all are real and at least 0.
local function judge(values)
  local negative, plain = false, true
  for _, v in ipairs(values:totable()) do
    negative = negative or v.im == 0 and v.re < 0
    plain = plain and v.im == 0 and v.re >= 0
  end
  return negative, plain
end

--- Takes eigenvalues of a real matrix for real that are negative and as good as real, so that they have the root and
--- the logarithm above the real axis.
local function settle_negative(t, name)
  local cn, values = args.namespace, diagonal_of(t)
  local w = core.cast(values, nil, name)
  local near = cn.abs(w.imag):le(cn.abs(w):max() * 1e-13)
  local real = cn.multiply(w.real, cn.complex(1, 0))
  core.copy(values, cn.where(near:band(w.real:lt(0)), real, w), name)
end

--- The function of one matrix on the host, by of_triangle(t, is_real).
local function one(a, name, of_triangle)
  local is_real = not matrices.is_complex(a.dtype)
  local wide = is_real and "float64" or "complex128"
  local t, z, values = schur.columns(name, a, wide, "N")
  local negative, plain = judge(values)
  if is_real and not plain then
    t, z = schur.columns(name, a, "complex128", "N")
    if negative then settle_negative(t, name) end
  end
  local made = turned(of_triangle(t), z)
  return is_real and not negative and made.real or made
end

--- The function of each matrix of a stack. A rehearsal has a result of the matrices' dtype.
local function each(name, a, of_triangle)
  local dtype
  a, dtype = factor.open(name, a)
  local n, device, shape = matrices.square(a, name), a.device, a.shape
  core.check_waiting(name)
  if a.size == 0 or core.is_preparing() then return core.cast(a, dtype, name) end
  local stack = core.reshape(core.cast(schur.at_home(name, a, "gees"), dtype, name), {-1, n, n}, name)
  local made = {}
  for k = 1, stack.shape[1] do made[k] = one(slices.at(stack, 1, k), name, of_triangle) end
  local joined = args.namespace.stack(made)
  local result = matrices.is_complex(joined.dtype) and matrices.complex(dtype) or matrices.real(dtype)
  return (schur.back(name, device, core.reshape(core.cast(joined, result, name), shape, name)))
end

local read_sqrtm = args.reader("linalg.sqrtm", {"a"})

--- Principal square roots x of square matrices, x x = a. Of real matrices they are real unless an eigenvalue is
--- negative. Computed on the host; this waits. A singular matrix without a root is a LinAlgError. By Schur's form
--- (Bjorck and Hammarling, 1983). Follows scipy.linalg.sqrtm, which returns complex numbers for some real roots.
---@param a cuna.Operand shape (..., n, n)
---@return cuna.Array
---@usage cn.linalg.sqrtm {{4, 5}, {0, 9}} --> [[2. 1.] [0. 3.]]
function F.sqrtm(...)
  local name = "linalg.sqrtm"
  return each(name, read_sqrtm(...), function(t) return matrices.transposed(triangle_root(t, name)) end)
end

local function check_diagonal(t, name)
  if args.namespace.count_nonzero(diagonal_of(t)):item() < t.shape[1] then
    core.fail(("LinAlgError: %s: the matrix is singular, and has no logarithm"):format(name))
  end
end

local read_logm = args.reader("linalg.logm", {"a"})

--- Principal logarithms x of square matrices, expm(x) = a. Of real matrices they are real unless an eigenvalue is
--- negative. Computed on the host; this waits. A singular matrix is a LinAlgError. By scaling and Schur's form (Higham,
--- 2008). Follows scipy.linalg.logm.
---@param a cuna.Operand shape (..., n, n)
---@return cuna.Array
---@usage cn.linalg.logm {{1, 2}, {0, 1}} --> [[0. 2.] [0. 0.]]
function F.logm(...)
  local name = "linalg.logm"
  return each(name, read_logm(...), function(t)
    check_diagonal(t, name)
    local made = triangle_logarithm(core.cast(t, "complex128", name), name)
    return matrices.is_complex(t.dtype) and made or made.real
  end)
end

return M
