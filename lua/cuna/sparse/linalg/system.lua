--- system.lua: what solvers are given: A, b, x0, M, tolerances, callbacks; and what they share.
--
-- A system has b as a vector, the first x, and products as functions of vectors, all of one dtype. A matrix is brought
-- to that dtype, and in rows, once.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local convert = require "cuna.sparse.convert"
local core = require "cuna.core"
local later = require "cuna.base.later"
local object = require "cuna.sparse.object"
local operator = require "cuna.sparse.linalg.operator"
local product = require "cuna.sparse.product"

local M = {}

local fail = check.fail
local norms = later.functions "linalg.norm"
local FLOATS = {float32 = true, float64 = true, complex64 = true, complex128 = true}

-- ---- dtypes ----

--- The dtype of results for elements of a dtype.
function M.inexact(dtype) return FLOATS[dtype] and dtype or "float64" end
local inexact = M.inexact

--- The dtype of x. A function that keeps whole numbers, such as 2 * x, says nothing of it.
local function dtype_of(op, b)
  if not op.matrix and not FLOATS[op.dtype] then return inexact(b.dtype) end
  return core.promote(inexact(op.dtype), inexact(b.dtype))
end

--- x in a dtype; complex numbers do not become real ones.
local function in_dtype(x, dtype, name, what)
  if x.dtype == dtype then return x end
  if x.dtype:find "^complex" and not dtype:find "^complex" then
    fail("%s: %s is %s, and A and b are real", name, what, x.dtype)
  end
  return core.cast(x, dtype, name)
end

-- ---- products ----

--- A matrix's product with vectors of a dtype.
local function by_matrix(A, dtype, name)
  if object.is(A) then
    local rows = convert.rows(A)
    if rows.dtype ~= dtype then rows = convert.with_data(rows, core.cast(rows.data, dtype, name)) end
    return function(x) return product.multiply(rows, x, name) end
  end
  if A.dtype ~= dtype then A = core.cast(A, dtype, name) end
  return function(x) return A:matmul(x) end
end

--- The products of an operator with vectors of a dtype, as a function.
---@param what string "matvec" or "rmatvec"
function M.product_with(op, what, dtype, name)
  if not op.matrix then
    return function(x) return in_dtype(operator.product(op, what, x), dtype, name, what .. "'s result") end
  end
  local made -- rmatvec's matrix is made when it is needed
  return function(x)
    made = made or by_matrix(what == "matvec" and op.matrix or operator.adjoint_of(op.matrix), dtype, name)
    return made(x)
  end
end
local product_with = M.product_with

local function same(x) return x end

-- ---- arguments ----

local function shape_text(lengths) return ("(%d, %d)"):format(lengths[1], lengths[2]) end

local function check_device(op, b, name)
  if op.where and op.where ~= b.device then
    fail("%s: one matrix is on %s and b on %s; move one with x:to(%q)", name, op.where.name, b.device.name,
      op.where.name)
  end
end

--- A vector of `length` elements: of shape (length,) or (length, 1).
local function vector(x, length, device, what, op, name)
  if x == nil or type(x) == "string" then fail("%s: %s is a vector, got %s", name, what, check.show(x)) end
  x = check.array(x, name, device)
  if x.shape[1] ~= length or x.ndim ~= 1 and not (x.ndim == 2 and x.shape[2] == 1) then
    fail("%s: A has shape %s, and %s has shape %s; a vector of %d elements fits", name, shape_text(op.lengths), what,
      tostring(x.shape), length)
  end
  if x.device ~= device then
    fail("%s: b is on %s and %s on %s; move one with x:to(%q)", name, device.name, what, x.device.name, device.name)
  end
  return x:reshape(length)
end

--- An operator of what a user gave for A or M.
function M.operator_of(value, what, name)
  if operator.is(value) or object.is(value) then return operator.functions.aslinearoperator(value) end
  if value == nil or type(value) == "string" then
    fail("%s: %s is a matrix or an operator, got %s", name, what, check.show(value))
  end
  value = check.array(value, name)
  if value.ndim ~= 2 then fail("%s: %s is a matrix, got shape %s", name, what, tostring(value.shape)) end
  return operator.functions.aslinearoperator(value)
end
local operator_of = M.operator_of

--- A and b, and the x to begin with: x0, or zeros.
---@class cuna.System
local function system_of(A, b, x0, name)
  local op = operator_of(A, "A", name)
  b = vector(b, op.lengths[1], core.is_alive(b) and b.device or op.where or args.namespace.device(), "b", op, name)
  check_device(op, b, name)
  local system = {name = name, operator = op, size = op.lengths[2]}
  system.dtype = dtype_of(op, b)
  if x0 ~= nil then
    x0 = vector(x0, op.lengths[2], b.device, "x0", op, name)
    system.x = in_dtype(x0, system.dtype, name, "x0")
    system.x = rawequal(system.x, x0) and x0:copy() or system.x
  else
    system.x = args.namespace.zeros(op.lengths[2], system.dtype)
  end
  system.b, system.has_x0 = in_dtype(b, system.dtype, name, "b"), x0 ~= nil
  if not system.b.flags.c_contiguous then system.b = system.b:copy() end
  system.matvec = product_with(op, "matvec", system.dtype, name)
  return system
end

--- A system of least squares, with products by the conjugate transpose.
function M.rectangular(A, b, x0, name)
  local system = system_of(A, b, x0, name)
  system.rmatvec = product_with(system.operator, "rmatvec", system.dtype, name)
  return system
end

--- A square system and its preconditioner M, which is an approximate inverse of A.
function M.square(A, b, x0, preconditioner, name)
  local op = operator_of(A, "A", name)
  if op.lengths[1] ~= op.lengths[2] then
    fail("%s: A is square, got shape %s; sparse.linalg.lsqr takes others", name, shape_text(op.lengths))
  end
  local system = system_of(op, b, x0, name)
  system.psolve = same
  if preconditioner ~= nil then
    local inverse = operator_of(preconditioner, "M", name)
    if inverse.lengths[1] ~= system.size or inverse.lengths[2] ~= system.size then
      fail("%s: A has shape %s, and M has shape %s", name, shape_text(op.lengths), shape_text(inverse.lengths))
    end
    check_device(inverse, system.b, name)
    if inverse.matrix then in_dtype(args.namespace.empty(0, inverse.dtype), system.dtype, name, "M") end
    system.psolve = product_with(inverse, "matvec", system.dtype, name)
  end
  return system
end

--- A tolerance: a number of at least 0, or `default`.
function M.tolerance(value, default, name, what)
  if value == nil then return default end
  value = check.number(value, name, what)
  if type(value) ~= "number" or value < 0 or value ~= value then
    fail("%s: %s is a number of at least 0, got %s", name, what, check.show(value))
  end
  return value
end

--- A number of iterations, or `default`.
function M.iterations(value, default, name, what)
  if value == nil then return default end
  return check.count(value, name, what)
end

--- A callback; nil if there is none.
function M.callback(value, name) return value ~= nil and check.callable(value, name) or nil end

-- ---- what solvers compute ----

--- The norm of a vector, as a 0-d array.
function M.norm(x) return norms.vector_norm(x) end

--- The dot product of two vectors, the first one conjugated, as a 0-d array.
function M.dot(x, y) return args.namespace.vdot(x, y) end

--- The residual of the first x.
function M.residual(system)
  return system.has_x0 and system.b - system.matvec(system.x) or system.b:copy()
end

--- Whole and real numbers of several 0-d arrays, in one transfer.
function M.numbers(...) return unpack(args.namespace.stack({...}):totable()) end

--- The distance between two numbers at 1 of a dtype.
function M.eps(dtype) return args.namespace.finfo(dtype).eps end

return M
