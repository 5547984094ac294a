--- lobpcg.lua: the greatest or least eigenvalues of Hermitian matrices, with a preconditioner: lobpcg.
--
-- Each iteration takes the best vectors out of the space of three blocks of columns: the vectors X, the residuals W
-- after the preconditioner, and P, by which X changed last (Knyazev, 2001). Columns of a block whose Gram matrix is
-- nearly singular are left out of the space.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local systems = require "cuna.sparse.linalg.system"

local M = {functions = {}}
local F = M.functions -- of cn.sparse.linalg

local fail = check.fail
local NAME = "sparse.linalg.lobpcg"
local HOST = core.device "cpu"

local function adjoint(x) return x.dtype:find "^complex" and x:conj().T or x.T end

-- ---- blocks: columns, and A and B times them ----

local function block_of(problem, x) return {x = x, a = problem.A(x), b = problem.B(x)} end

--- A block's columns in other coordinates.
local function turned(block, c)
  return {x = block.x:matmul(c), a = block.a:matmul(c), b = rawequal(block.b, block.x) and nil or block.b:matmul(c)}
end

--- B is often the identity: then no memory is spent on it.
local function complete(block)
  block.b = block.b or block.x
  return block
end

local function joined(blocks)
  local x, a, b = {}, {}, {}
  for i, block in ipairs(blocks) do x[i], a[i], b[i] = block.x, block.a, block.b end
  local is_plain = rawequal(blocks[1].b, blocks[1].x)
  local cn = args.namespace
  return complete {x = cn.concatenate(x, 2), a = cn.concatenate(a, 2), b = not is_plain and cn.concatenate(b, 2) or nil}
end

--- Coordinates in which columns with this Gram matrix, of the host, are orthonormal; directions of hardly any length
--- are left out.
local function orthonormal(gram, eps)
  local cn = args.namespace
  local lengths, c = cn.linalg.eigh(gram)
  local values, first = lengths:totable(), 1
  local least = eps * #values * values[#values]
  while first <= #values and values[first] <= least do first = first + 1 end
  if first > #values then return nil end
  local kept = c[{{}, {first, -1}}]
  return kept / cn.sqrt(lengths[{{first, -1}}])
end

local function gram(left, right) return adjoint(left):matmul(right):to(HOST) end

--- A block whose columns are orthonormal in the metric of B; nil where nothing is left.
local function normalised(problem, block)
  local c = orthonormal(gram(block.x, block.b), problem.eps)
  return c and complete(turned(block, c:to(block.x.device))) or nil
end

-- ---- iterations ----

--- The best vectors of the space of blocks: eigenvalues in the order that is wanted, as Lua numbers, and coordinates.
local function best_of(problem, space, count)
  local cn = args.namespace
  local c = orthonormal(gram(space.x, space.b), problem.eps)
  local small = adjoint(c):matmul(gram(space.x, space.a)):matmul(c)
  local w, s = cn.linalg.eigh(small)
  local size = #w
  if size < count then fail("LinAlgError: %s: the vectors span only %d dimensions of %d", NAME, size, count) end
  local wanted = problem.largest and {size, size - count + 1, -1} or {1, count}
  return w[{wanted}], c:matmul(s[{{}, wanted}])
end

--- x without what Y's columns have of it in the metric of B.
local function constrained(problem, x)
  if not problem.Y then return x end
  return x - problem.Y:matmul(problem.of_Y(adjoint(problem.BY):matmul(x)))
end

--- The next space: the block itself, residuals of the columns that are not found, and the last change.
local function widened(problem, block, residual, change)
  local w = constrained(problem, problem.M(residual))
  w = w - block.x:matmul(adjoint(block.b):matmul(w))
  local blocks = {block, normalised(problem, block_of(problem, w))}
  -- A times the last change is computed again: the change is small, and so the rounding of its product is large
  blocks[#blocks + 1] = change and normalised(problem, block_of(problem, change)) or nil
  return joined(blocks)
end

--- What the block itself, the first `count` columns, does not give of the new one; nil where that is all.
local function change_of(x, c, count)
  if x.shape[2] == count then return nil end
  return x[{{}, {count + 1, -1}}]:matmul(c[{{count + 1, -1}}])
end

--- One iteration: values, the block and how its columns change.
local function step(problem, space, count)
  local values, c = best_of(problem, space, count)
  c = core.cast(c, space.x.dtype, NAME):to(space.x.device)
  return values, complete(turned(space, c)), change_of(space.x, c, count)
end

--- The residuals of a block's columns, and their norms.
local function residual_of(block, values)
  local residual = block.a - block.b * core.cast(values, block.x.dtype, NAME):to(block.x.device)
  return residual, args.namespace.linalg.norm(residual, {axis = 1}):totable()
end

--- The same; where all seem to be small, of products that are computed again.
local function sure_residual(problem, block, values)
  local residual, norms = residual_of(block, values)
  if math.max(unpack(norms)) > problem.tol then return residual, norms end
  return residual_of(block_of(problem, block.x), values)
end

--- Iterates until all residuals are at most tol: values, block, the greatest residual.
local function iterate(problem, x)
  local count = x.shape[2]
  local block = normalised(problem, block_of(problem, constrained(problem, x)))
  if not block or block.x.shape[2] < count then fail("%s: the columns of X are not independent", NAME) end
  local values, change, worst
  values, block = step(problem, block, count)
  for round = 0, problem.maxiter do
    local residual, norms = sure_residual(problem, block, values)
    worst = math.max(unpack(norms))
    if round == problem.maxiter or worst <= problem.tol then break end
    local active = {}
    for i, norm in ipairs(norms) do active[#active + 1] = norm > problem.tol and i or nil end
    if #active < count then
      residual = args.namespace.take(residual, args.namespace.array(active, {dtype = "int64"}), 2)
    end
    values, block, change = step(problem, widened(problem, block, residual, change), count)
  end
  return values, block.x, worst
end

-- ---- arguments ----

--- A function that multiplies columns by a matrix or an operator; the columns themselves for nil.
local function product_of(value, what, size, dtype)
  if value == nil then return function(x) return x end end
  local op = systems.operator_of(value, what, NAME)
  if op.lengths[1] ~= size or op.lengths[2] ~= size then
    fail("%s: X has %d rows, and %s has shape %s", NAME, size, what, tostring(op.shape))
  end
  return function(x) return core.cast(op:matmat(x), dtype, NAME) end
end

local function columns_of(x, what, size)
  x = check.array(x, NAME)
  if x.ndim ~= 2 or size and x.shape[1] ~= size then
    fail("%s: %s is a matrix of %s rows, got shape %s", NAME, what, size or "n", tostring(x.shape))
  end
  return x
end

--- Reads Y, a matrix of columns that the vectors are orthogonal to.
local function constrain(problem, Y, size, dtype)
  if Y == nil then return end
  problem.Y = core.cast(columns_of(Y, "Y", size), dtype, NAME)
  problem.BY = problem.B(problem.Y)
  local matrix = adjoint(problem.Y):matmul(problem.BY)
  problem.of_Y = function(x) return args.namespace.linalg.solve(matrix, x) end
end

local read = args.reader(NAME, {"A", "X", "B", "M", "Y", "tol", "maxiter", "largest"}, 2)

--- Eigenvalues and vectors of A v = w B v, for Hermitian A and B, B positive definite, from approximate vectors on.
--- Waits for the device in each iteration. Follows scipy.sparse.linalg.lobpcg, whose third result is an option there.
---@param A cuna.SparseMatrix|cuna.LinearOperator|cuna.Operand shape (n, n)
---@param X cuna.Operand shape (n, k): independent columns; 3 k is at most n
---@param B cuna.SparseMatrix|cuna.LinearOperator|cuna.Operand|nil default: the identity
---@param M cuna.SparseMatrix|cuna.LinearOperator|cuna.Operand|nil an approximate inverse of A
---@param Y cuna.Operand|nil shape (n, l): the vectors are orthogonal to its columns in the metric of B
---@param tol number|nil greatest norm of A v - w B v; default: n times the root of the dtype's precision
---@param maxiter integer|nil default 20
---@param largest boolean|nil whether the greatest values are wanted, or the least; default true
---@return cuna.Array w shape (k,), the best first
---@return cuna.Array v shape (n, k)
---@return number residual the greatest norm, above tol where maxiter iterations were not enough
---@usage (cn.sparse.linalg.lobpcg(cn.sparse.diags(cn.arange(1, 10)), cn.eye(9, 2))) --> [2. 1.]
function F.lobpcg(...)
  local A, X, B, preconditioner, Y, tol, maxiter, largest = read(...)
  X = columns_of(X, "X")
  local size, count = X.shape[1], X.shape[2]
  local op = systems.operator_of(A, "A", NAME)
  local dtype = core.promote(systems.inexact(op.dtype), systems.inexact(X.dtype))
  if count < 1 or 3 * count > size then
    fail("%s: X has 1 to n / 3 columns, got shape %s; cn.linalg.eigh(A:toarray()) takes more", NAME, tostring(X.shape))
  end
  local problem = {A = product_of(op, "A", size, dtype), B = product_of(B, "B", size, dtype),
    M = product_of(preconditioner, "M", size, dtype), eps = systems.eps(dtype),
    largest = check.boolean(largest, true, NAME, "largest"), maxiter = systems.iterations(maxiter, 20, NAME, "maxiter")}
  problem.tol = systems.tolerance(tol, size * math.sqrt(problem.eps), NAME, "tol")
  constrain(problem, Y, size, dtype)
  local values, vectors, worst = iterate(problem, core.cast(X, dtype, NAME))
  return values:to(vectors.device), vectors, worst
end

return M
