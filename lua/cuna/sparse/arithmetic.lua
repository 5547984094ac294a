--- arithmetic.lua: operators and products of sparse matrices, as users call them.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local combine = require "cuna.sparse.combine"
local convert = require "cuna.sparse.convert"
local coordinates = require "cuna.sparse.coordinates"
local core = require "cuna.core"
local given = require "cuna.sparse.given"
local later = require "cuna.base.later"
local object = require "cuna.sparse.object"

local M = {}
local methods, meta, methods_of = {}, object.meta, convert.methods

local fail = check.fail
local E = later.functions "elementwise"

local function is_number(value)
  return core.number_kind(value) and type(value) ~= "boolean" or core.is_alive(value) and value.ndim == 0
end

local function shape_text(shape) return ("(%d, %d)"):format(shape[1], shape[2]) end

local function same_shape(A, B) return A.lengths[1] == B.lengths[1] and A.lengths[2] == B.lengths[2] end

local function check_shapes(A, B, name)
  if same_shape(A, B) then return end
  fail("%s: the matrices have shapes %s and %s", name, shape_text(A.lengths), shape_text(B.lengths))
end

-- ---- products ----

local function product(A, B, name)
  if not object.is(B) then return combine.by_dense(A, B, name) end
  combine.check_inner(A, B.lengths, name)
  return combine.product(A, B, name)
end

--- The product with a vector, a dense matrix or a sparse matrix; with a sparse one it is sparse, csr or csc. csr is the
--- format for products; csc, coo and dia are put in rows first. Follows numpy.matmul, scipy's `A @ B`.
---@param B cuna.SparseMatrix|cuna.Operand shape (n,), (n, k)
---@return cuna.Array|cuna.SparseMatrix
---@usage cn.sparse.csr_matrix({{1, 0, 2}, {0, 0, 3}}):matmul({1, 2, 3}) --> [7. 9.]
---@usage cn.sparse.csr_matrix({{1, 2}}):matmul(cn.sparse.eye(2)):toarray() --> [[1. 2.]]
function methods.matmul(A, B)
  if is_number(B) then fail "matmul: the second operand is a vector or matrix; write A:multiply(number)" end
  return product(A, B, "matmul")
end

--- The product of matrices, as matmul, or with a number. Follows scipy.sparse.csr_matrix.dot.
---@param B cuna.SparseMatrix|cuna.Operand
---@return cuna.Array|cuna.SparseMatrix
---@usage cn.sparse.csr_matrix({{1, 0, 2}, {0, 0, 3}}):dot({{1}, {2}, {3}}) --> [[7.] [9.]]
function methods.dot(A, B)
  if is_number(B) then return methods.multiply(A, B) end
  return product(A, B, "dot")
end

-- ---- with dense arrays, by elements ----

--- The elements of a dense array, which broadcasts, where A has elements.
local function at_elements(A, x, list, name)
  return args.namespace.broadcast_to(core.cast(x, nil, name), A.lengths)[{list.row, list.col}]
end

--- fn of A's elements and those of a dense array that broadcasts: coo, as SciPy's.
local function with_dense(A, x, fn, name)
  x = check.array(x, name, A.device)
  object.same_device(A, x, name)
  local shape = check.broadcast(A.lengths, x.shape)
  if not shape or #shape ~= 2 then
    fail("%s: shapes %s and %s do not broadcast", name, shape_text(A.lengths), tostring(x.shape))
  end
  if shape[1] ~= A.lengths[1] or shape[2] ~= A.lengths[2] then
    local whole = given.matrix(fn(A:toarray(), x), "coo", nil, nil, name)
    return object.new("coo", whole.lengths, whole, A, whole.facts)
  end
  local list = coordinates.of(A)
  local made = coordinates.coo(list, A)
  made.parts.data = fn(list.data, at_elements(A, x, list, name))
  return made
end

--- The product by elements: with a number, a sparse matrix (shapes (1, n) and (m, 1) broadcast) or a dense array, which
--- broadcasts. With a dense array it is coo. Follows scipy.sparse.csr_matrix.multiply.
---@param B cuna.SparseMatrix|cuna.Operand
---@return cuna.SparseMatrix
---@usage cn.sparse.csr_matrix({{1, 0}, {2, 3}}):multiply({{5, 6}, {7, 8}}):toarray() --> [[ 5. 0.] [14. 24.]]
function methods.multiply(A, B)
  if is_number(B) then return convert.with_data(A, E.multiply(A.data, B)) end
  if not object.is(B) then return with_dense(A, B, E.multiply, "multiply") end
  if same_shape(A, B) then return combine.elementwise(A, B, "multiply", "multiply") end
  if B.lengths[1] == 1 or B.lengths[2] == 1 then return with_dense(A, B:toarray(), E.multiply, "multiply"):tocsr() end
  if A.lengths[1] == 1 or A.lengths[2] == 1 then return with_dense(B, A:toarray(), E.multiply, "multiply"):tocsr() end
  check_shapes(A, B, "multiply")
end

--- A divided by elements by a number or a dense array; by a sparse matrix the result is dense, NaN where both are 0.
--- Follows scipy.sparse.csr_matrix's `A / B`.
---@param B cuna.SparseMatrix|cuna.Operand
---@return cuna.SparseMatrix|cuna.Array
---@usage cn.sparse.csr_matrix({{1, 0}, {2, 3}}):divide(2):toarray() --> [[0.5 0. ] [1.  1.5]]
function methods.divide(A, B)
  if is_number(B) then return convert.with_data(A, E.divide(A.data, B)) end
  if not object.is(B) then return with_dense(A, B, E.divide, "divide") end
  check_shapes(A, B, "divide")
  return E.divide(A:toarray(), B:toarray())
end

-- ---- sums ----

--- The sum or difference: of sparse matrices sparse, with a dense array dense.
local function adder(name)
  return function(A, B)
    if object.is(B) then
      check_shapes(A, B, name)
      return combine.elementwise(A, B, name, name)
    end
    if is_number(B) then
      if core.is_array(B) and B:item() == 0 or B == 0 then return A:copy() end
      fail("%s: a number other than 0 makes every element differ from 0; write A:toarray()", name)
    end
    return E[name](A:toarray(), B)
  end
end

--- The sum with a sparse matrix, which is sparse, or with a dense array, which is dense. Follows
--- scipy.sparse.csr_matrix's `A + B`.
---@param B cuna.SparseMatrix|cuna.Operand
---@return cuna.SparseMatrix|cuna.Array
---@usage cn.sparse.eye(2):add(cn.sparse.eye(2)):toarray() --> [[2. 0.] [0. 2.]]
methods.add = adder "add"

--- The difference, as add.
---@param B cuna.SparseMatrix|cuna.Operand
---@return cuna.SparseMatrix|cuna.Array
---@usage cn.sparse.eye(2):subtract(cn.sparse.eye(2)).nnz --> 0
methods.subtract = adder "subtract"

-- ---- extremes, comparisons ----

local function extreme(name)
  return function(A, B)
    if object.is(B) then
      check_shapes(A, B, name)
      return combine.elementwise(A, B, name, name)
    end
    if not is_number(B) then return E[name](A:toarray(), B) end
    local value = core.is_array(B) and B:item() or B
    if (name == "maximum" and value <= 0) or (name == "minimum" and value >= 0) then
      local made = convert.canonical(A)
      return convert.with_data(made, E[name](made.data, B))
    end
    return given.made(E[name](A:toarray(), B), "csr", nil, nil, false, A.is_array, name)
  end
end

--- The greater ones of two elements: with a sparse matrix or number sparse, with a dense array dense. Follows
--- scipy.sparse.csr_matrix.maximum.
---@param B cuna.SparseMatrix|cuna.Operand
---@return cuna.SparseMatrix|cuna.Array
---@usage cn.sparse.csr_matrix({{1, -2}}):maximum(cn.sparse.csr_matrix({{0, -1}})):toarray() --> [[ 1. -1.]]
methods.maximum = extreme "maximum"

--- The less ones of two elements, as maximum. Follows scipy.sparse.csr_matrix.minimum.
---@param B cuna.SparseMatrix|cuna.Operand
---@return cuna.SparseMatrix|cuna.Array
---@usage cn.sparse.csr_matrix({{1, -2}}):minimum(0):toarray() --> [[ 0. -2.]]
methods.minimum = extreme "minimum"

--- A comparison; `at_zero` says whether it holds of 0 and a number: then most elements of the result are true.
local function comparison(name, operation, at_zero)
  return function(A, B)
    if not object.is(B) and not is_number(B) then return E[operation](A:toarray(), B) end
    local value = 0
    if object.is(B) then
      check_shapes(A, B, name)
      if not at_zero(0) then return combine.elementwise(A, B, operation, name) end
    else
      value = core.is_array(B) and B:item() or B
    end
    if at_zero(value) then
      local made = E[operation](A:toarray(), object.is(B) and B:toarray() or B)
      return given.made(made, "csr", nil, nil, false, A.is_array, name)
    end
    local own = convert.canonical(A, A.format == "csc" and "csc" or "csr")
    local made = convert.with_data(own, E[operation](own.data, B))
    made:eliminate_zeros()
    return made
  end
end

--- Where two sparse matrices differ, or one and a number. With a dense array the result is dense. Follows
--- scipy.sparse.csr_matrix's `A != B`.
---@param B cuna.SparseMatrix|cuna.Operand
---@return cuna.SparseMatrix|cuna.Array of bool
---@usage cn.sparse.eye(2):ne(cn.sparse.eye(2)).nnz --> 0
methods.ne = comparison("ne", "not_equal", function(value) return value ~= 0 end)

--- Where the first of two sparse matrices is less, or elements are less than a number. Follows
--- scipy.sparse.csr_matrix's `A < B`.
---@param B cuna.SparseMatrix|cuna.Operand
---@return cuna.SparseMatrix|cuna.Array of bool
---@usage cn.sparse.eye(2):lt(cn.sparse.eye(2) * 3).nnz --> 2
methods.lt = comparison("lt", "less", function(value) return 0 < value end)

--- Where the first of two sparse matrices is greater, or elements are greater than a number. Follows
--- scipy.sparse.csr_matrix's `A > B`.
---@param B cuna.SparseMatrix|cuna.Operand
---@return cuna.SparseMatrix|cuna.Array of bool
---@usage cn.sparse.csr_matrix({{1, 0, 4}}):gt(3).nnz --> 1
methods.gt = comparison("gt", "greater", function(value) return 0 > value end)

--- Where two sparse matrices are equal, or elements are a number: also where neither has elements. Follows
--- scipy.sparse.csr_matrix's `A == B`.
---@param B cuna.SparseMatrix|cuna.Operand
---@return cuna.SparseMatrix|cuna.Array of bool
---@usage cn.sparse.csr_matrix({{1, 0, 4}}):eq(4).nnz --> 1
methods.eq = comparison("eq", "equal", function(value) return value == 0 end)

--- Where the first of two sparse matrices is not greater, as eq. Follows scipy.sparse.csr_matrix's `A <= B`.
---@param B cuna.SparseMatrix|cuna.Operand
---@return cuna.SparseMatrix|cuna.Array of bool
---@usage cn.sparse.csr_matrix({{1, 0, -4}}):le(-1).nnz --> 1
methods.le = comparison("le", "less_equal", function(value) return 0 <= value end)

--- Where the first of two sparse matrices is not less, as eq. Follows scipy.sparse.csr_matrix's `A >= B`.
---@param B cuna.SparseMatrix|cuna.Operand
---@return cuna.SparseMatrix|cuna.Array of bool
---@usage cn.sparse.csr_matrix({{1, 0, 4}}):ge(4).nnz --> 1
methods.ge = comparison("ge", "greater_equal", function(value) return 0 >= value end)

-- ---- powers ----

--- Each element raised to a number other than 0. Follows scipy.sparse.csr_matrix.power.
---@param n number
---@param dtype string|nil of the elements
---@return cuna.SparseMatrix
---@usage cn.sparse.csr_matrix({{1, 0, 3}}):power(2):toarray() --> [[1. 0. 9.]]
function methods.power(A, n, dtype)
  n = check.number(n, "power", "n")
  if n == 0 then fail "power: the power 0 makes every element 1; write A:toarray()" end
  local made = convert.canonical(dtype and A:astype(dtype) or A)
  return convert.with_data(made, E.power(made.data, n))
end

--- A square matrix times itself, n times in all, by squaring.
local function matrix_power(A, n)
  if A.lengths[1] ~= A.lengths[2] then fail("power: a square matrix, got shape %s", shape_text(A.lengths)) end
  n = check.count(n, "power", "the power of a matrix")
  if n == 0 then
    local eye = args.namespace.sparse.eye(A.lengths[1], nil, 0, A.dtype, "csr")
    return object.new("csr", eye.lengths, eye, A, eye.facts)
  end
  local half = n > 1 and matrix_power(A, math.floor(n / 2))
  if not half then return A:copy() end
  local square = combine.product(half, half, "power")
  return n % 2 == 1 and combine.product(square, A, "power") or square
end

-- ---- operators ----

local function operator(event, fn)
  meta[event] = object.on_device(fn)
end

--- The operands with the sparse one first: the other one is a number, a table or a sparse matrix too.
operator("__mul", function(a, b)
  if not object.is(a) then
    if is_number(a) or b.is_array then return methods.multiply(b, a) end
    a = check.array(a, "matmul", b.device)
    return product(methods_of.transpose(b), a.T, "matmul").T
  end
  if is_number(b) or a.is_array then return methods.multiply(a, b) end
  return product(a, b, "matmul")
end)

operator("__add", function(a, b)
  if object.is(a) then return methods.add(a, b) end
  return methods.add(b, a)
end)

operator("__sub", function(a, b)
  if object.is(a) then return methods.subtract(a, b) end
  return methods.add(convert.with_data(b, E.negative(b.data)), a)
end)

operator("__div", function(a, b)
  if object.is(a) then return methods.divide(a, b) end
  fail "divide: a sparse matrix divides by its zeros; write A:toarray()"
end)

operator("__unm", function(A) return convert.with_data(A, E.negative(A.data)) end)

operator("__pow", function(A, n)
  if not object.is(A) then fail "power: a sparse matrix cannot be an exponent" end
  return (A.is_array and methods.power or matrix_power)(A, n)
end)

local EVENTS = {multiply = "__mul", add = "__add", subtract = "__sub", divide = "__div", power = "__pow"}

--- A dense array on the left (bindings/object.c).
function meta.__cuna_operator(name, a, b)
  local event = EVENTS[name]
  if not event then fail("%s: a sparse matrix has no such operator; write A:toarray()", name) end
  return meta[event](a, b)
end

object.add_methods(methods)
M.methods = methods

return M
