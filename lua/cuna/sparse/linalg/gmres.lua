--- gmres.lua: generalised minimal residuals with restarts.
--
-- A cycle makes an orthonormal basis of the space of r, A r, A^2 r, ... on the device (orthogonal.lua). The numbers
-- that come of it go to the host, which solves the small problem (hessenberg.lua). Where the host would wait for the
-- device, it fetches the numbers of several columns at once: an eighth of those that there were, and leaves what lies
-- behind the end.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local hessenberg = require "cuna.sparse.linalg.hessenberg"
local orthogonal = require "cuna.sparse.linalg.orthogonal"
local systems = require "cuna.sparse.linalg.system"

local M = {functions = {}}
local F = M.functions -- of cn.sparse.linalg

local fail, norm = check.fail, systems.norm

-- ---- columns ----

--- Makes vector j + 1 of the basis: its coordinates along those before, and its length before it was made 1.
local function extend(cycle, system, j)
  local basis = cycle.basis
  local parts, length = orthogonal.append(basis, system.psolve(system.matvec(basis.row[j])), j)
  basis.row[j + 1]:div_(length)
  return parts, length
end

local function pair(value) return type(value) == "number" and {value, 0} or {value.re, value.im} end

--- Keeps column j of the small matrix: its numbers down to the diagonal, the one below, and the norm of A v.
local function keep(cycle, j, numbers, place, after)
  local column, sum = {}, after * after
  for k = 1, j do
    column[k] = pair(numbers[place + k])
    sum = sum + column[k][1] ^ 2 + column[k][2] ^ 2
  end
  cycle.columns[j] = {column = column, after = after, before = math.sqrt(sum)}
end

--- Makes columns first..last and fetches their numbers.
local function fetch(cycle, system, first, last)
  local all = {}
  for j = first, last do
    local parts, length = extend(cycle, system, j)
    if not cycle.basis.is_lazy then
      keep(cycle, j, parts:totable(), 0, length)
    else
      all[#all + 1], all[#all + 2] = parts, length:astype(system.dtype):reshape(1)
    end
  end
  if not cycle.basis.is_lazy then return end
  local numbers, place = args.namespace.concatenate(all):totable(), 0
  for j = first, last do
    keep(cycle, j, numbers, place, pair(numbers[place + j + 1])[1])
    place = place + j + 1
  end
end

--- Column j, which is fetched together with the next ones if the host would wait.
local function column_of(cycle, system, j, options)
  if not cycle.columns[j] then
    local count = cycle.basis.is_lazy and math.max(1, math.floor(options.count / 8)) or 1
    fetch(cycle, system, j, math.min(options.restart, j + count - 1))
  end
  return cycle.columns[j]
end

-- ---- a cycle ----

--- Whether a callback of the old kind counts vectors, and has seen as many as it may.
local function is_over(options) return options.kind == "legacy" and options.count == options.maxiter end

--- Runs one cycle from the residual r; changes x.
---@return number residual of the preconditioned system
---@return boolean breakdown whether the space has been left nothing to grow by
local function run_cycle(system, r, options)
  local v = system.psolve(r)
  local length = norm(v):item()
  local cycle = {columns = {}, basis = options.basis}
  args.namespace.multiply(v, 1 / length, {out = cycle.basis.row[1]})
  local problem, residual, breakdown = hessenberg.new(length), length, false
  for j = 1, options.restart do
    local made = column_of(cycle, system, j, options)
    breakdown = made.after <= options.eps * made.before
    residual = hessenberg.add(problem, made.column, breakdown and 0 or made.after)
    options.count = options.count + 1
    if options.kind == "legacy" or options.kind == "pr_norm" then options.callback(residual / options.length) end
    if is_over(options) or residual <= options.inner or breakdown then break end
  end
  local y = hessenberg.solve(problem, system.dtype)
  system.x:add_(y:matmul(cycle.basis.rows[{{1, y.size}}]))
  return residual, breakdown
end

--- How small the preconditioned residual has to be in the next cycle.
local function adapt(options, residual, length)
  if residual <= options.inner then
    options.factor = math.max(options.eps, 0.25 * options.factor)
  else
    options.factor = math.min(1, 1.5 * options.factor)
  end
  options.inner = residual * math.min(options.factor, options.limit / length)
end

local function iterate(system, options)
  local r = systems.residual(system)
  local length = norm(r):item()
  if length < options.limit then return system.x, 0 end
  for _ = 1, options.maxiter do
    local residual, breakdown = run_cycle(system, r, options)
    r = system.b - system.matvec(system.x)
    length = norm(r):item()
    if is_over(options) then break end
    if options.kind == "x" then options.callback(system.x) end
    if length <= options.limit or breakdown or length ~= length then break end
    adapt(options, residual, length)
  end
  return system.x, length <= options.limit and 0 or options.maxiter
end

-- ---- what users call ----

local KINDS = {x = true, pr_norm = true, legacy = true}
local read = args.reader("sparse.linalg.gmres", {"A", "b", "x0", "rtol", "atol", "restart", "maxiter", "M", "callback",
  "callback_type"}, 2)

local function check_restart(restart, size, name)
  if restart == nil then restart = 20 end
  restart = check.count(restart, name, "restart")
  if restart == 0 then fail("%s: restart is a count from 1, got 0", name) end
  return math.min(restart, size)
end

--- Solves A x = b by generalised minimal residuals, for any square A. Arguments and results as cg's, but that `maxiter`
--- counts cycles of `restart` vectors. Follows scipy.sparse.linalg.gmres.
---@param A cuna.SparseMatrix|cuna.LinearOperator|cuna.Operand shape (n, n)
---@param b cuna.Operand shape (n,) or (n, 1)
---@param x0 cuna.Operand|nil
---@param rtol number|nil default 1e-5
---@param atol number|nil default 0
---@param restart integer|nil vectors of a cycle, which are in memory together; default 20
---@param maxiter integer|nil default 10 n
---@param M cuna.SparseMatrix|cuna.LinearOperator|cuna.Operand|nil
---@param callback function|nil what it gets, callback_type says
---@param callback_type string|nil "x": x after each cycle; "pr_norm": for each vector the norm of the preconditioned
---  residual relative to that of b; "legacy" (default): the same, and maxiter counts vectors
---@return cuna.Array x shape (n,)
---@return integer info 0: found; else maxiter
---@usage cn.sparse.linalg.gmres({{4, 1}, {0, 2}}, {5, 2}, {rtol = 1e-12}) --> [1. 1.], 0
function F.gmres(...)
  local name = "sparse.linalg.gmres"
  local A, b, x0, rtol, atol, restart, maxiter, preconditioner, callback, kind = read(...)
  if kind ~= nil and not KINDS[kind] then
    fail("%s: callback_type is \"x\", \"pr_norm\" or \"legacy\", got %s", name, check.show(kind))
  end
  local system = systems.square(A, b, x0, preconditioner, name)
  rtol, atol = systems.tolerance(rtol, 1e-5, name, "rtol"), systems.tolerance(atol, 0, name, "atol")
  local options = {callback = systems.callback(callback, name), eps = systems.eps(system.dtype), factor = 1, count = 0,
    maxiter = systems.iterations(maxiter, 10 * system.size, name, "maxiter"),
    restart = check_restart(restart, system.size, name)}
  options.kind = options.callback and (kind or "legacy")
  options.length = norm(system.b):item()
  if options.length == 0 then return args.namespace.zeros(system.size, system.dtype), 0 end
  options.limit = math.max(atol, rtol * options.length)
  options.inner = norm(system.psolve(system.b)):item() * math.min(1, options.limit / options.length)
  options.basis = orthogonal.new(options.restart + 1, system.size, system.dtype)
  return iterate(system, options)
end

return M
