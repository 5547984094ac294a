--- exponential.lua: powers of matrices, and the exponential of a matrix times vectors: expm_multiply.
--
-- The exponential by Taylor polynomials of the matrix without the mean of its diagonal, in steps that are short enough
-- (Al-Mohy and Higham, "Computing the action of the matrix exponential", 2011). Its 1-norm bounds the error; a
-- polynomial ends where its terms no longer count.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local convert = require "cuna.sparse.convert"
local core = require "cuna.core"
local object = require "cuna.sparse.object"
local product = require "cuna.sparse.product"
local systems = require "cuna.sparse.linalg.system"

local M = {functions = {}}
local F = M.functions -- of cn.sparse.linalg

local fail = check.fail
local NAME = "sparse.linalg.expm_multiply"

-- The greatest 1-norms for which polynomials of these degrees are exact to float64 (table 3.1 there).
local THETA = {[5] = 2.4e-3, [10] = 0.144, [15] = 0.641, [20] = 1.44, [25] = 2.43, [30] = 3.54, [35] = 4.7, [40] = 6,
  [45] = 7.2, [50] = 8.5, [55] = 9.9}

--- The degree and the number of steps that need the fewest products.
local function plan(norm)
  local degree, steps = 0, 1
  for candidate, theta in pairs(THETA) do
    local count = math.max(1, math.ceil(norm / theta))
    if degree == 0 or candidate * count < degree * steps then degree, steps = candidate, count end
  end
  return degree, steps
end

local function empty(like) return core.empty(like.shape, like.dtype, like.device, NAME) end

local function greatest(x) return x:abs():max():item() end

--- One step: the polynomial of degree `degree` of A t times b. The greatest element of the sum counts only where terms
--- are small against what it can be at most.
local function polynomial(problem, b, t, degree)
  local sum, before = b:copy(), greatest(b)
  local most = before
  problem.room = problem.room or {empty(b), empty(b)} -- terms in turn
  for j = 1, degree do
    b = problem.multiply(b, problem.room[j % 2 + 1]):multiply_(t / j)
    sum:add_(b)
    local size = greatest(b)
    most = most + size
    if before + size <= 2 * problem.eps * most and before + size <= problem.eps * greatest(sum) then break end
    before = size
  end
  return sum
end

--- The exponential of t A times b.
local function advance(problem, b, t)
  if t == 0 or b.size == 0 then return b:copy() end
  local norm = problem.norm * math.abs(t)
  local degree, steps = plan(norm)
  local factor = args.namespace.exp(problem.mean * (t / steps)) -- of what was taken from the diagonal
  for _ = 1, steps do b = polynomial(problem, b, t / steps, degree):multiply_(factor) end
  return b
end

-- ---- arguments ----

--- The 1-norm of a square matrix.
local function norm_of(A)
  if object.is(A) then return require("cuna.sparse.linalg.norm").functions.norm(A, 1):item() end
  return args.namespace.linalg.norm(A, 1):item()
end

local function identity_like(A, size)
  local eye = object.is(A) and require("cuna.sparse").namespace.eye or args.namespace.eye
  return eye(size, {dtype = A.dtype})
end

--- The product of a matrix with arrays of its dtype, as a function.
local function product_of(A)
  if not object.is(A) then return function(x, out) return A:matmul(x, {out = out}) end end
  local rows = convert.rows(A)
  return function(x, out) return product.multiply(rows, x, NAME, out) end
end

--- The matrix without the mean of its diagonal, ready to multiply.
local function problem_of(A, trace, b)
  local op = systems.operator_of(A, "A", NAME)
  local size = op.lengths[1]
  if size ~= op.lengths[2] then fail("%s: A is square, got shape %s", NAME, tostring(op.shape)) end
  if not op.matrix then fail("%s: A is a matrix, whose norm is needed, got a function", NAME) end
  if b.ndim < 1 or b.ndim > 2 or b.shape[1] ~= size then
    fail("%s: A has shape %s, and B has shape %s; (%d,) or (%d, k) fits", NAME, tostring(op.shape), tostring(b.shape),
      size, size)
  end
  local dtype = core.promote(systems.inexact(op.dtype), systems.inexact(b.dtype))
  A = op.matrix:astype(dtype)
  if trace == nil then trace = A:diagonal():sum() end
  local mean = size > 0 and trace * (1 / size) or 0
  local value = core.is_array(mean) and mean:item() or mean
  local shifted = size > 0 and A - identity_like(A, size) * value or A
  local norm = size > 0 and norm_of(shifted) or 0
  if norm ~= norm or norm == math.huge then fail("%s: A has elements that are infinite or NaN, or too great", NAME) end
  return {multiply = product_of(shifted), mean = args.namespace.scalar(value, dtype), dtype = dtype, norm = norm,
    eps = systems.eps(dtype)}
end

--- The times of an interval as Lua numbers.
local function times_of(start, stop, num, endpoint)
  start = check.number(start, NAME, "start")
  stop = check.number(stop, NAME, "stop")
  num = num == nil and 50 or check.count(num, NAME, "num")
  if num < 1 then fail("%s: num is at least 1, got %d", NAME, num) end
  local gaps = check.boolean(endpoint, true, NAME, "endpoint") and num - 1 or num
  local times = {}
  for i = 1, num do times[i] = gaps > 0 and start + (stop - start) * (i - 1) / gaps or start end
  return times
end

local read = args.reader(NAME, {"A", "B", "start", "stop", "num", "endpoint", "traceA"}, 2)

--- The exponential of a matrix times a vector or a matrix, exp(A) B, without exp(A) itself; with `start` and `stop`,
--- exp(t A) B for times t between them. Waits for the device after each product. Follows
--- scipy.sparse.linalg.expm_multiply.
---@param A cuna.SparseMatrix|cuna.Operand shape (n, n)
---@param B cuna.Operand shape (n,) or (n, k)
---@param start number|nil the first time
---@param stop number|nil the last time
---@param num integer|nil number of times; default 50
---@param endpoint boolean|nil whether `stop` is one of the times; default true
---@param traceA cuna.Number|nil the sum of A's diagonal, if it is known
---@return cuna.Array the shape of B, with times an axis for them before it
---@usage cn.sparse.linalg.expm_multiply(cn.sparse.diags {0, 1}, {1, 1}) --> [1.         2.71828183]
---@usage cn.sparse.linalg.expm_multiply(cn.sparse.eye(1), {1}, 0, 1, 2):reshape(-1) --> [1.         2.71828183]
function F.expm_multiply(...)
  local A, b, start, stop, num, endpoint, trace = read(...)
  b = check.array(b, NAME, core.is_alive(A) and A.device or object.is(A) and A.device or nil)
  if trace ~= nil and not (core.is_array(trace) and trace.size == 1) then check.number(trace, NAME, "traceA") end
  local problem = problem_of(A, trace, b)
  b = core.cast(b, problem.dtype, NAME)
  if start == nil and stop == nil and num == nil and endpoint == nil then return advance(problem, b, 1) end
  if start == nil or stop == nil then fail("%s: start and stop are given together", NAME) end
  local times, results = times_of(start, stop, num, endpoint), {}
  for i, t in ipairs(times) do
    b = advance(problem, b, i == 1 and t or t - times[i - 1])
    results[i] = b
  end
  return args.namespace.stack(results)
end

local read_power = args.reader("sparse.linalg.matrix_power", {"A", "power"}, 2)

--- A square sparse matrix, multiplied `power` times with itself; 0 times: the identity. Follows
--- scipy.sparse.linalg.matrix_power.
---@param A cuna.SparseMatrix shape (n, n)
---@param power integer at least 0
---@return cuna.SparseMatrix
---@usage cn.sparse.linalg.matrix_power(cn.sparse.csr_matrix {{1, 1}, {1, 0}}, 5):toarray() --> [[8. 5.] [5. 3.]]
function F.matrix_power(...)
  local name, A, power = "sparse.linalg.matrix_power", read_power(...)
  if not object.is(A) then fail("%s: A is a sparse matrix, got %s", name, check.show(A)) end
  if A.lengths[1] ~= A.lengths[2] then fail("%s: A is square, got shape %s", name, tostring(A.shape)) end
  power = check.count(power, name, "power")
  local made = power % 2 == 1 and A:copy() or nil
  while power > 1 do
    A, power = A:dot(A), math.floor(power / 2)
    if power % 2 == 1 then made = made and made:dot(A) or A end
  end
  return made or require("cuna.sparse").namespace.eye(A.lengths[1], {dtype = A.dtype, format = A.format})
end

return M
