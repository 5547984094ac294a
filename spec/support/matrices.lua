--- Stacks of matrices for specs of linear algebra, and what is computed of them here, in doubles: entries lie column by
--- column, as LAPACK has them. A matrix is {m =, n =, re =, im =}.
local cn = require "cuna"
local core = require "cuna.core"
local ffi = require "ffi"

local M = {}

local function complex_of(dtype) return dtype:find "^complex" ~= nil end

--- How well a dtype computes.
function M.tolerance(dtype)
  return (dtype == "float32" or dtype == "complex64") and 2e-4 or 1e-10
end

--- The dtype of real parts.
function M.real_of(dtype)
  return (dtype == "float32" or dtype == "complex64") and "float32" or "float64"
end

--- The dtype of complex results.
function M.complex_of(dtype)
  return (dtype == "float32" or dtype == "complex64") and "complex64" or "complex128"
end

--- A matrix by a function of row and column, which answers real and imaginary part.
function M.make(m, n, entry)
  local made = { m = m, n = n, re = ffi.new("double[?]", m * n + 1), im = ffi.new("double[?]", m * n + 1) }
  for j = 0, n - 1 do
    for i = 0, m - 1 do
      local re, im = entry(i, j)
      made.re[i + j * m], made.im[i + j * m] = re, im or 0
    end
  end
  return made
end

local seed = 1
local function draw()
  seed = (seed * 16807) % 2147483647
  return seed / 2147483647 - 0.5
end

--- A matrix of numbers in [-0.5, 0.5], with `more` added along the diagonal.
function M.random(m, n, dtype, more)
  local is_complex = complex_of(dtype)
  return M.make(m, n, function(i, j) return draw() + (i == j and more or 0), is_complex and draw() or 0 end)
end

--- The product of two matrices; `op` is done to the first one: "N", "T" or "C".
function M.multiply(a, b, op)
  local turned = op and op ~= "N"
  local m, inner, sign = turned and a.n or a.m, b.m, op == "C" and -1 or 1
  local row, column = turned and a.m or 1, turned and 1 or a.m
  return M.make(m, b.n, function(i, j)
    local re, im = 0, 0
    for k = 0, inner - 1 do
      local p, q = i * row + k * column, k + j * b.m
      local x, y = a.re[p], sign * a.im[p]
      re, im = re + x * b.re[q] - y * b.im[q], im + x * b.im[q] + y * b.re[q]
    end
    return re, im
  end)
end

--- The matrix transposed, and conjugate.
function M.adjoint(a)
  return M.make(a.n, a.m, function(i, j) return a.re[j + i * a.m], -a.im[j + i * a.m] end)
end

function M.identity(n)
  return M.make(n, n, function(i, j) return i == j and 1 or 0 end)
end

--- Some columns.
function M.columns(a, first, last)
  return M.make(a.m, last - first + 1, function(i, j) return a.re[i + (j + first - 1) * a.m],
    a.im[i + (j + first - 1) * a.m] end)
end

--- One triangle: "L" or "U"; with `unit`, 1 on the diagonal.
function M.triangle(a, which, unit)
  return M.make(a.m, a.n, function(i, j)
    if i == j and unit then return 1 end
    local inside = which == "L" and i >= j or which == "U" and i <= j
    if not inside then return 0 end
    return a.re[i + j * a.m], a.im[i + j * a.m]
  end)
end

--- A Hermitian matrix; positive definite.
function M.definite(n, dtype)
  local a = M.random(n, n, dtype)
  local product = M.multiply(a, a, "C")
  for i = 0, n - 1 do product.re[i + i * n], product.im[i + i * n] = product.re[i + i * n] + n, 0 end
  return product
end

--- The greatest difference of two matrices, NaN included.
function M.distance(a, b)
  assert(a.m == b.m and a.n == b.n, ("%d x %d and %d x %d"):format(a.m, a.n, b.m, b.n))
  local most = 0
  for k = 0, a.m * a.n - 1 do
    local re, im = math.abs(a.re[k] - b.re[k]), math.abs(a.im[k] - b.im[k])
    if re > most or re ~= re then most = re end
    if im > most or im ~= im then most = im end
  end
  return most
end

-- ---- arrays ----

local function with(shape, ...)
  local all = { unpack(shape) }
  for _, length in ipairs { ... } do all[#all + 1] = length end
  return all
end
M.with = with

--- A stack as an array of shape (batch..., columns, rows); with `is_vector`, of one column each, (batch..., rows).
function M.array(list, batch, dtype, is_vector)
  local m, n = list[1].m, list[1].n
  local is_complex, wide = complex_of(dtype), dtype == "complex64" or dtype == "float32"
  local x = cn.empty(with(batch, is_vector and m or n, not is_vector and m or nil), dtype, cn.device "cpu")
  local scalar = is_complex and 2 or 1
  local at = ffi.cast(wide and "float *" or "double *", x:pointer())
  for i, a in ipairs(list) do
    for k = 0, m * n - 1 do
      local to = ((i - 1) * m * n + k) * scalar
      at[to] = a.re[k]
      if is_complex then at[to + 1] = a.im[k] end
    end
  end
  return x:to(cn.device())
end

--- The stack of an array: matrices of shape (n, m), or vectors of m elements as one column.
function M.read(x, m, n)
  local host, list = x:get(), {}
  local is_complex, narrow = complex_of(x.dtype), x.dtype == "complex64" or x.dtype == "float32"
  local scalar = is_complex and 2 or 1
  local at = ffi.cast(narrow and "float *" or "double *", host:pointer())
  for i = 1, x.size / (m * n) do
    list[i] = M.make(m, n, function(row, column)
      local from = ((i - 1) * m * n + row + column * m) * scalar
      return at[from], is_complex and at[from + 1] or 0
    end)
  end
  return list
end

-- ---- assertions ----

--- So many matrices of a function.
function M.list(count, make)
  local list = {}
  for i = 1, count do list[i] = make(i) end
  return list
end

--- Asserts that matrices are as expected.
function M.check(list, expected, dtype, what)
  for i, matrix in ipairs(list) do
    local distance, most = M.distance(matrix, expected[i]), M.tolerance(dtype) * (5 + matrix.m)
    assert(distance <= most, ("%s of %s, %d x %d, matrix %d: off by %g"):format(what, dtype, matrix.m, matrix.n, i,
      distance))
  end
end

--- How each matrix of a stack ended, not written yet.
function M.new_info(batch) return cn.full(batch, -7, "int32") end

--- Asserts that all ended well.
function M.assert_well(info)
  for _, value in ipairs(info:ravel():totable()) do assert(value == 0, "info is " .. value) end
end

--- What getrf makes of a stack: lu, pivots, info.
function M.factorise(list, batch, dtype)
  local m, n = list[1].m, list[1].n
  local a, info = M.array(list, batch, dtype), M.new_info(batch)
  local pivots = cn.empty(M.with(batch, math.min(m, n)), "int64")
  core.lapack("test", "getrf", { a, pivots }, info)
  return a, pivots, info
end

return M
