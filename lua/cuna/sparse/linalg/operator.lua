--- operator.lua: linear operators: matrices that are known by their products with vectors.
--
-- An operator has up to four functions: matvec and rmatvec of vectors, matmat and rmatmat of matrices, where the r's
-- multiply by the conjugate transpose. The operators made of others have functions that call theirs. A function that
-- is missing is made of the others, if they are enough.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local object = require "cuna.sparse.object"

local M = {functions = {}}
local F = M.functions -- of cn.sparse.linalg

local fail = check.fail

--- A matrix that is known by its products with vectors. Operators add (`A + B`), subtract, multiply (`A * B` is the
--- product of both, `A * 2` a multiple), and have powers; `A * x` and `A(x)` multiply a vector or a dense matrix.
---@class cuna.LinearOperator
---@field shape integer[] (rows, columns)
---@field ndim integer 2
---@field dtype string of its products with numbers of few bits
---@field device cuna.Device|nil of the matrix that it is made of; nil: the device of its functions' arrays
---@field T cuna.LinearOperator the transpose
---@field H cuna.LinearOperator the conjugate of the transpose
local methods, fields = {}, {}
local meta = {__metatable = "cuna linear operator"}
M.methods = methods

--- Whether a value is an operator.
function M.is(value) return type(value) == "table" and rawequal(debug.getmetatable(value), meta) end

--- An operator of functions.
---@param lengths integer[]
---@param dtype string|nil nil: found out when it is first needed
---@param fns table<string, function>
local function new(lengths, dtype, fns, device)
  return setmetatable({lengths = lengths, fns = fns, known = dtype, where = device}, meta)
end

local function shape_text(lengths) return ("(%d, %d)"):format(lengths[1], lengths[2]) end

-- ---- products ----

--- What a user's function gave, in the shape that it should have.
local function shaped(y, length, columns, what)
  local wanted = columns and ("(%d, %d)"):format(length, columns) or ("(%d,)"):format(length)
  if not core.is_alive(y) then
    fail("LinearOperator: %s gave %s, not an array of shape %s", what, check.show(y), wanted)
  end
  if not columns and y.ndim == 2 and y.shape[1] == length and y.shape[2] == 1 then return y:reshape(length) end
  if not y:has_shape(columns and {length, columns} or {length}) then
    fail("LinearOperator: %s gave shape %s, expected %s", what, tostring(y.shape), wanted)
  end
  return y
end

local OF_MATRIX = {matvec = "matmat", rmatvec = "rmatmat"}
local OF_VECTOR = {matmat = "matvec", rmatmat = "rmatvec"}

--- The columns of a matrix through a function of vectors.
local function by_columns(op, fn, what, X, length)
  local cn, columns = args.namespace, {}
  if X.shape[2] == 0 then return cn.zeros({length, 0}, core.promote(op.dtype, X.dtype)) end
  for k = 1, X.shape[2] do columns[k] = shaped(fn(X[{{}, k}]), length, nil, what) end
  return cn.stack(columns, 2)
end

--- The product of one of four kinds; x fits.
function M.product(op, what, x)
  local is_adjoint = what:sub(1, 1) == "r"
  local length, columns = op.lengths[is_adjoint and 2 or 1], x.ndim == 2 and x.shape[2] or nil
  local fn = op.fns[what]
  if fn then return shaped(fn(x), length, columns, what) end
  local other = OF_MATRIX[what] or OF_VECTOR[what]
  fn = op.fns[other]
  if not fn then
    local missing = OF_VECTOR[what] or what
    fail("LinearOperator: the operator has no %s; give it one with {%s = fn}", missing, missing)
  end
  if OF_VECTOR[what] then return by_columns(op, fn, other, x, length) end
  return shaped(fn(x:reshape(-1, 1)), length, 1, other):reshape(length)
end

--- Products that users ask for: checks of what they give.
local function asked(what)
  local is_adjoint, is_matrix = what:sub(1, 1) == "r", what:find "mat$" ~= nil
  return function(op, x)
    x = check.array(x, what, op.where)
    local length = op.lengths[is_adjoint and 1 or 2]
    local is_column = not is_matrix and x.ndim == 2 and x.shape[2] == 1
    if x.ndim ~= (is_matrix and 2 or 1) and not is_column or x.shape[1] ~= length then
      fail("%s: an operator of shape %s multiplies a %s of %d %s, got shape %s", what, shape_text(op.lengths),
        is_matrix and "matrix" or "vector", length, is_matrix and "rows" or "elements", tostring(x.shape))
    end
    if not is_column then return M.product(op, what, x) end
    return M.product(op, what, x:reshape(length)):reshape(-1, 1)
  end
end

--- The product with a vector, of n elements or of shape (n, 1). Follows scipy.sparse.linalg.LinearOperator.matvec.
---@param x cuna.Operand
---@return cuna.Array
---@usage cn.sparse.linalg.aslinearoperator({{1, 2}, {3, 4}}):matvec({1, 1}) --> [3. 7.]
methods.matvec = asked "matvec"

--- The product of the conjugate transpose with a vector. Follows scipy.sparse.linalg.LinearOperator.rmatvec.
---@param x cuna.Operand
---@return cuna.Array
---@usage cn.sparse.linalg.aslinearoperator({{1, 2}, {3, 4}}):rmatvec({1, 1}) --> [4. 6.]
methods.rmatvec = asked "rmatvec"

--- The product with a dense matrix. Follows scipy.sparse.linalg.LinearOperator.matmat.
---@param X cuna.Operand
---@return cuna.Array
---@usage cn.sparse.linalg.aslinearoperator({{1, 2}, {3, 4}}):matmat({{1}, {1}}) --> [[3.] [7.]]
methods.matmat = asked "matmat"

--- The product of the conjugate transpose with a dense matrix. Follows scipy.sparse.linalg.LinearOperator.rmatmat.
---@param X cuna.Operand
---@return cuna.Array
---@usage cn.sparse.linalg.aslinearoperator({{1, 2}, {3, 4}}):rmatmat({{1}, {1}}) --> [[4.] [6.]]
methods.rmatmat = asked "rmatmat"

-- ---- operators of operators ----

--- An operator whose functions `make` gives for each of the four kinds.
local function composed(lengths, dtype, parts, make)
  local fns, device = {}, nil
  for what in ("matvec rmatvec matmat rmatmat"):gmatch "%S+" do fns[what] = make(what) end
  for _, op in ipairs(parts) do device = device or op.where end
  return new(lengths, dtype, fns, device)
end

local ADJOINT = {matvec = "rmatvec", rmatvec = "matvec", matmat = "rmatmat", rmatmat = "matmat"}

local function common_dtype(A, B) return core.promote(A.dtype, B.dtype) end

local function sum_of(A, B, name)
  if A.lengths[1] ~= B.lengths[1] or A.lengths[2] ~= B.lengths[2] then
    fail("%s: the operators have shapes %s and %s", name, shape_text(A.lengths), shape_text(B.lengths))
  end
  return composed(A.lengths, common_dtype(A, B), {A, B}, function(what)
    return function(x) return M.product(A, what, x) + M.product(B, what, x) end
  end)
end

local function product_of(A, B)
  if A.lengths[2] ~= B.lengths[1] then
    fail("multiply: operators of shapes %s and %s do not fit", shape_text(A.lengths), shape_text(B.lengths))
  end
  return composed({A.lengths[1], B.lengths[2]}, common_dtype(A, B), {A, B}, function(what)
    local first, second = B, A
    if what:sub(1, 1) == "r" then first, second = A, B end
    return function(x) return M.product(second, what, M.product(first, what, x)) end
  end)
end

local function conjugate(value)
  if core.is_array(value) then return value:conj() end
  return core.number_kind(value) == "complex" and args.namespace.complex(value.re, -value.im) or value
end

local function multiple_of(A, factor)
  local dtype = args.namespace.result_type(A.dtype, factor)
  return composed(A.lengths, dtype, {A}, function(what)
    local by = what:sub(1, 1) == "r" and conjugate(factor) or factor
    return function(x) return M.product(A, what, x) * by end
  end)
end

local function power_of(A, n)
  n = check.count(n, "power", "the power of an operator")
  if A.lengths[1] ~= A.lengths[2] then fail("power: a square operator, got shape %s", shape_text(A.lengths)) end
  return composed(A.lengths, A.dtype, {A}, function(what)
    return function(x)
      for _ = 1, n do x = M.product(A, what, x) end
      return n > 0 and x or x:copy()
    end
  end)
end

--- The conjugate of the transpose, as A.H. Follows scipy.sparse.linalg.LinearOperator.adjoint.
---@return cuna.LinearOperator
---@usage cn.sparse.linalg.aslinearoperator({{1, 2, 3}}):adjoint().shape --> (3, 1)
function methods.adjoint(A)
  local fns = {}
  for what, other in pairs(ADJOINT) do fns[what] = A.fns[other] end
  return new({A.lengths[2], A.lengths[1]}, A.known, fns, A.where)
end

--- The transpose, as A.T. Follows scipy.sparse.linalg.LinearOperator.transpose.
---@return cuna.LinearOperator
---@usage cn.sparse.linalg.aslinearoperator({{1, 2, 3}}):transpose():matvec({2}) --> [2. 4. 6.]
function methods.transpose(A)
  local fns = {}
  for what, other in pairs(ADJOINT) do
    fns[what] = (A.fns[other] or A.fns[OF_VECTOR[other]] or A.fns[OF_MATRIX[other]]) and function(x)
      return M.product(A, other, x:conj()):conj()
    end
  end
  return new({A.lengths[2], A.lengths[1]}, A.known, fns, A.where)
end

local function is_number(value)
  return type(value) ~= "boolean" and core.number_kind(value) or core.is_alive(value) and value.ndim == 0
end

--- The product with an operator, a number, a vector or a dense matrix. Follows scipy.sparse.linalg.LinearOperator.dot.
---@param x cuna.LinearOperator|cuna.SparseMatrix|cuna.Operand
---@return cuna.LinearOperator|cuna.Array
---@usage cn.sparse.linalg.aslinearoperator({{1, 2}, {3, 4}}):dot({{1, 0}, {0, 1}}) --> [[1. 2.] [3. 4.]]
function methods.dot(A, x)
  if M.is(x) then return product_of(A, x) end
  if object.is(x) then return product_of(A, F.aslinearoperator(x)) end
  if is_number(x) then return multiple_of(A, x) end
  x = check.array(x, "dot", A.where)
  if x.ndim == 2 and x.shape[2] ~= 1 then return methods.matmat(A, x) end
  return methods.matvec(A, x)
end

-- ---- objects ----

for name, method in pairs(methods) do
  methods[name] = function(A, ...)
    if not M.is(A) then fail("%s: an operator's function is called with a colon: A:%s(...)", name, name) end
    return method(A, ...)
  end
end

function fields.shape(A) return object.shape(A.lengths) end
function fields.ndim() return 2 end
function fields.device(A) return A.where end
fields.T, fields.H = methods.transpose, methods.adjoint

--- The dtype of the product with a vector of the least dtype.
function fields.dtype(A)
  if not A.known then
    rawset(A, "known", M.product(A, "matvec", args.namespace.zeros(A.lengths[2], "int8")).dtype)
  end
  return A.known
end

function meta.__index(A, key)
  if fields[key] then return fields[key](A) end
  if methods[key] then return methods[key] end
  if key == "known" or key == "where" or key == "matrix" then return nil end
  fail("an operator has no field or method '%s'", tostring(key))
end

function meta.__newindex(_, key) fail("'%s' of an operator cannot be set", tostring(key)) end

function meta.__call(A, x) return methods.dot(A, x) end

--- A value in an operator's place, if it can be one.
local function operator_of(value, name)
  if M.is(value) then return value end
  if object.is(value) or core.is_alive(value) and value.ndim == 2 then return F.aslinearoperator(value) end
  fail("%s: expected an operator or a matrix, got %s", name, check.show(value))
end

function meta.__mul(a, b)
  if M.is(a) then return methods.dot(a, b) end
  if is_number(a) then return multiple_of(b, a) end
  if object.is(a) then return product_of(F.aslinearoperator(a), b) end
  a = check.array(a, "multiply", b.where)
  if a.ndim == 1 then return methods.matvec(b.T, a) end
  return methods.matmat(b.T, a.T).T
end

function meta.__add(a, b) return sum_of(operator_of(a, "add"), operator_of(b, "add"), "add") end
function meta.__unm(A) return multiple_of(A, -1) end
function meta.__sub(a, b) return sum_of(operator_of(a, "subtract"), -operator_of(b, "subtract"), "subtract") end

function meta.__div(a, b)
  if not (M.is(a) and is_number(b)) then fail "divide: an operator is divided by numbers only" end
  return multiple_of(a, 1 / b)
end

function meta.__pow(a, n)
  if not M.is(a) then fail "power: an operator cannot be an exponent" end
  return power_of(a, n)
end

local EVENTS = {multiply = meta.__mul, add = meta.__add, subtract = meta.__sub, divide = meta.__div, power = meta.__pow}

--- A dense array on the left (bindings/right.c).
function meta.__cuna_operator(name, a, b)
  if not EVENTS[name] then fail("%s: a linear operator has no such operator", name) end
  return EVENTS[name](a, b)
end

function meta.__tostring(A)
  return ("<%dx%d LinearOperator with dtype=%s>"):format(A.lengths[1], A.lengths[2], A.known or "unspecified")
end

-- ---- made by users ----

local read_operator = args.reader("sparse.linalg.LinearOperator", {"shape", "matvec", "rmatvec", "matmat", "dtype",
  "rmatmat"}, 1)

--- An operator of functions, each of which gets an array and gives one. They stay on the device of what they get, and
--- may be called more often than a result needs (a solver looks at it now and then). Follows
--- scipy.sparse.linalg.LinearOperator.
---@param shape integer[] (rows, columns)
---@param matvec fun(x: cuna.Array): cuna.Array the product with a vector
---@param rmatvec (fun(x: cuna.Array): cuna.Array)|nil that of the conjugate transpose
---@param matmat (fun(X: cuna.Array): cuna.Array)|nil the product with a matrix; default: by columns
---@param dtype string|nil default: that of a product with int8
---@param rmatmat (fun(X: cuna.Array): cuna.Array)|nil
---@return cuna.LinearOperator
---@usage cn.sparse.linalg.LinearOperator({2, 2}, function(x) return 2 * x end):matvec({1, 2}) --> [2. 4.]
---@usage cn.sparse.linalg.LinearOperator({2, 2}, function(x) return x end, {dtype = "float32"}).dtype --> float32
function F.LinearOperator(...)
  local name = "sparse.linalg.LinearOperator"
  local shape, matvec, rmatvec, matmat, dtype, rmatmat = read_operator(...)
  local lengths = check.lengths(shape, name, "shape")
  if #lengths ~= 2 then fail("%s: an operator has a shape of two lengths, got %d", name, #lengths) end
  local fns = {matvec = check.callable(matvec, name)}
  for what, fn in pairs {rmatvec = rmatvec or false, matmat = matmat or false, rmatmat = rmatmat or false} do
    fns[what] = fn and check.callable(fn, name) or nil
  end
  return new(lengths, check.dtype(dtype, name), fns)
end

--- The conjugate of a matrix's transpose.
function M.adjoint_of(A) return A.dtype:find "^complex" and A.T:conj() or A.T end

--- An operator of a sparse or dense matrix. Solvers read `matrix`.
local function of_matrix(A, lengths)
  local function by(x) return A:dot(x) end
  local function by_adjoint(x) return M.adjoint_of(A):dot(x) end
  local op = new(lengths, A.dtype, {matvec = by, matmat = by, rmatvec = by_adjoint, rmatmat = by_adjoint}, A.device)
  rawset(op, "matrix", A)
  return op
end

--- An operator of a matrix: sparse, or dense (a vector is a row); itself if it is one. Follows
--- scipy.sparse.linalg.aslinearoperator.
---@param A cuna.LinearOperator|cuna.SparseMatrix|cuna.Operand
---@return cuna.LinearOperator
---@usage cn.sparse.linalg.aslinearoperator(cn.sparse.eye(3)) --> <3x3 LinearOperator with dtype=float64>
function F.aslinearoperator(A)
  local name = "sparse.linalg.aslinearoperator"
  if M.is(A) then return A end
  if object.is(A) then return of_matrix(A, A.lengths) end
  A = check.array(A, name)
  if A.ndim > 2 then fail("%s: a matrix has two axes, got shape %s", name, tostring(A.shape)) end
  if A.ndim < 2 then A = A:reshape {1, -1} end
  return of_matrix(A, {A.shape[1], A.shape[2]})
end

return M
