--- krylov.lua: cg, cgs and bicgstab: solvers whose iterations need a few vectors.
--
-- Where the host would wait for the device, all numbers of an iteration stay there (scalars.lua). One of them is a
-- code: 0 while the solver runs, 1 and the number of iterations when x seems to be found, less than 0 when it has
-- broken down. As soon as it is not 0 the steps have length 0, so that x stays what it was, to the bit. So the host
-- need not know the code at once. Where it would have to wait it reads the code every few iterations: an eighth of
-- those that were, 16 at most. With a callback it reads every time.
--
-- Steps change the residual as they change x, and in hard systems it drifts away from b - A x. So x is found only if
-- b - A x is small as well. If it is not the solver begins again from there, until that does not halve it.
local args = require "cuna.base.args"
local core = require "cuna.core"
local scalars = require "cuna.sparse.linalg.scalars"
local systems = require "cuna.sparse.linalg.system"

local M = {functions = {}}
local F = M.functions -- of cn.sparse.linalg

local dot, norm = systems.dot, systems.norm
local MOST_UNREAD = 16

-- ---- one loop for all ----

--- Changes the code after a check, if it is 0.
local function stop(state, mask, value)
  local S, code = state.scalars, state.code
  state.code = S.choose(S.both(mask, S.is_zero(code)), value, code)
end

local function interval_of(iteration, is_lazy)
  return is_lazy and math.max(1, math.min(MOST_UNREAD, math.floor(iteration / 8))) or 1
end

--- Makes a method begin, after `iteration` iterations, at an x with the residual r, which has the norm `size`.
local function begin(method, state, r, size, iteration)
  state.r, state.size, state.iteration, state.is_first = r, size, iteration, true
  state.code = state.scalars.whole(0)
  if method.first then method.first(state) end
end

--- What comes before the first iteration: the state that steps change; nil if b is 0.
local function new_state(method, system, options)
  local length = norm(system.b):item()
  if length == 0 then return nil end
  local state = {x = system.x, limit = math.max(options.atol, options.rtol * length), drifted = math.huge,
    scalars = scalars.of(system.dtype, system.b.device)}
  local r = systems.residual(system)
  begin(method, state, r, system.has_x0 and norm(r):item() or length, 0)
  return state
end

--- The code of the residual: that x seems to be found, or -10 if it is not a number.
local function look(method, state, system)
  local S = state.scalars
  local length = method.length and method.length(state, system) or S.read(norm(state.r))
  local code = S.choose(S.is_less(length, state.limit), 1 + state.iteration, S.choose(S.is_nan(length), -10, 0))
  state.code = S.choose(S.is_zero(state.code), S.whole(code), state.code)
end

--- Reads the code. If the solver has stopped for good: its info. If not: whether it begins again, at the residual that
--- x has in truth.
local function verdict(method, state, system)
  local code = state.scalars.item(state.code)
  if code <= 0 then return code < 0 and code or nil, false end
  local r = system.b - system.matvec(state.x)
  local length = norm(r)
  local is_small, size = args.namespace.item(length:lt(state.limit), length)
  if is_small then return 0 end
  local has_halved = size < 0.5 * state.drifted
  if not has_halved then return code - 1 end
  state.drifted = size
  begin(method, state, r, size, code - 1)
  return nil, true
end

local function step(method, state, system)
  method.step(state, system, state.is_first)
  state.is_first, state.iteration = false, state.iteration + 1
end

--- Iterates a method until its code, when it is read, says that it has stopped. `length` is the norm of the residual,
--- for methods that have it from a number that their steps need.
---@param method {first: function|nil, length: function|nil, step: fun(state, system, is_first: boolean)}
local function iterate(method, system, options)
  local state = new_state(method, system, options)
  if not state then return args.namespace.zeros(system.size, system.dtype), 0 end
  local callback = options.callback
  local is_lazy, due = not callback and core.is_asynchronous(system.b), 0
  while true do
    local info, is_again
    local is_last = state.iteration >= options.maxiter
    if not is_last then look(method, state, system) end
    if is_last or state.iteration >= due then
      info, is_again = verdict(method, state, system)
      if info then return state.x, info end
      due = state.iteration + (is_again and 0 or interval_of(state.iteration, is_lazy))
      is_last = is_last and not is_again
    end
    if is_last then return state.x, options.maxiter end
    if not is_again then
      step(method, state, system)
      if callback then
        info = verdict(method, state, system)
        if info then return state.x, info end
        callback(state.x)
      end
    end
  end
end

local NAMES = {"A", "b", "x0", "rtol", "atol", "maxiter", "M", "callback"}

--- A solver of a method, with its arguments.
local function solver(title, method)
  local name = "sparse.linalg." .. title
  local read = args.reader(name, NAMES, 2)
  return function(...)
    local A, b, x0, rtol, atol, maxiter, preconditioner, callback = read(...)
    local system = systems.square(A, b, x0, preconditioner, name)
    return iterate(method, system, {rtol = systems.tolerance(rtol, 1e-5, name, "rtol"),
      atol = systems.tolerance(atol, 0, name, "atol"), callback = systems.callback(callback, name),
      maxiter = systems.iterations(maxiter, 10 * system.size, name, "maxiter")})
  end
end

--- The least product of residuals that differs from 0; those of a small residual are small as well.
local function least(state, system) return systems.eps(system.dtype) ^ 2 * math.min(1, state.size ^ 2) end

--- A number while the code is 0, else 0.
local function while_running(state, a)
  local S = state.scalars
  return S.choose(S.is_zero(state.code), a, 0)
end

--- A quotient while the code is 0, else 0.
local function quotient(state, a, b) return while_running(state, state.scalars.divide(a, b)) end

--- The dot product of two vectors.
local function product(state, x, y) return state.scalars.read(dot(x, y)) end

-- ---- cg ----

local cg = {}

--- Without a preconditioner the square of the norm is the product that the step needs.
function cg.length(state, system)
  state.z = system.psolve(state.r)
  state.next_rho = product(state, state.r, state.z)
  if not rawequal(state.z, state.r) or system.dtype:find "^complex" then return state.scalars.read(norm(state.r)) end
  return state.scalars.root(state.next_rho)
end

function cg.step(state, system, is_first)
  local z, rho = state.z, state.next_rho
  if is_first then
    state.p = z:copy()
  else
    state.p = state.p * quotient(state, rho, state.rho) + z
  end
  local q = system.matvec(state.p)
  local curvature = product(state, state.p, q)
  stop(state, state.scalars.is_zero(curvature), -10)
  local alpha = quotient(state, rho, curvature)
  state.x:add_(alpha * state.p)
  state.r:subtract_(alpha * q)
  state.rho = rho
end

--- Solves A x = b by conjugate gradients, for A that is symmetric (Hermitian) and positive definite.
---
--- x is in the dtype that A and b have in common, at least float32. It is found when the norm of b - A x, as computed
--- at the end, is less than `atol` or `rtol` times the norm of b. Follows scipy.sparse.linalg.cg.
---@param A cuna.SparseMatrix|cuna.LinearOperator|cuna.Operand shape (n, n)
---@param b cuna.Operand shape (n,) or (n, 1)
---@param x0 cuna.Operand|nil where to begin; default: zeros
---@param rtol number|nil default 1e-5
---@param atol number|nil default 0
---@param maxiter integer|nil default 10 n
---@param M cuna.SparseMatrix|cuna.LinearOperator|cuna.Operand|nil an approximate inverse of A
---@param callback fun(x: cuna.Array)|nil called after each iteration with x, which the next one changes
---@return cuna.Array x shape (n,)
---@return integer info 0: found; above 0: the number of iterations after which it was not, because they were maxiter or
---  the dtype's precision allows no less; below 0: a breakdown, where a product is 0 by which the method divides
---@usage cn.sparse.linalg.cg({{4, 1}, {1, 3}}, {1, 2}, {rtol = 1e-12}) --> [0.09090909 0.63636364], 0
F.cg = solver("cg", cg)

-- ---- cgs ----

local cgs = {}

function cgs.first(state) state.shadow = state.r:copy() end

function cgs.step(state, system, is_first)
  local rho = product(state, state.shadow, state.r)
  stop(state, state.scalars.is_tiny(rho, least(state, system)), -10)
  if is_first then
    state.u, state.p = state.r, state.r:copy()
  else
    local beta = quotient(state, rho, state.rho)
    state.u = state.r + beta * state.q
    state.p = (state.p * beta + state.q) * beta + state.u
  end
  local v = system.matvec(system.psolve(state.p))
  local divisor = product(state, state.shadow, v)
  stop(state, state.scalars.is_zero(divisor), -11)
  local alpha = quotient(state, rho, divisor)
  state.q = state.u - alpha * v
  state.x:add_(alpha * system.psolve(state.u + state.q))
  state.r = system.b - system.matvec(state.x)
  state.rho = rho
end

--- Solves A x = b by conjugate gradients squared, for any square A. Arguments and results as cg's. Follows
--- scipy.sparse.linalg.cgs.
---@param A cuna.SparseMatrix|cuna.LinearOperator|cuna.Operand shape (n, n)
---@param b cuna.Operand shape (n,) or (n, 1)
---@param x0 cuna.Operand|nil
---@param rtol number|nil default 1e-5
---@param atol number|nil default 0
---@param maxiter integer|nil default 10 n
---@param M cuna.SparseMatrix|cuna.LinearOperator|cuna.Operand|nil
---@param callback fun(x: cuna.Array)|nil
---@return cuna.Array x shape (n,)
---@return integer info -10, -11: a breakdown
---@usage cn.sparse.linalg.cgs({{4, 1}, {0, 2}}, {5, 2}, {rtol = 1e-12}) --> [1. 1.], 0
F.cgs = solver("cgs", cgs)

-- ---- bicgstab ----

local bicgstab = {first = cgs.first}

--- The direction of an iteration after the first one.
local function next_direction(state, system, rho)
  local S = state.scalars
  stop(state, S.is_tiny(state.omega, systems.eps(system.dtype) ^ 2), -11)
  local beta = S.multiply(quotient(state, rho, state.rho), S.divide(state.alpha, state.omega))
  beta = while_running(state, beta)
  return (state.p - state.omega * state.v) * beta + state.r
end

--- The second half of an iteration: the residual s becomes as small as a multiple of A s makes it.
local function stabilise(state, system)
  local shat = system.psolve(state.r)
  local t = system.matvec(shat)
  state.omega = quotient(state, product(state, t, state.r), product(state, t, t))
  state.x:add_(state.omega * shat)
  state.r:subtract_(state.omega * t)
end

function bicgstab.step(state, system, is_first)
  local rho = product(state, state.shadow, state.r)
  stop(state, state.scalars.is_tiny(rho, least(state, system)), -10)
  state.p = is_first and state.r:copy() or next_direction(state, system, rho)
  local phat = system.psolve(state.p)
  state.v = system.matvec(phat)
  local divisor = product(state, state.shadow, state.v)
  stop(state, state.scalars.is_zero(divisor), -11)
  state.alpha = quotient(state, rho, divisor)
  state.x:add_(state.alpha * phat)
  state.r:subtract_(state.alpha * state.v)
  local length = state.scalars.read(norm(state.r))
  stop(state, state.scalars.is_less(length, state.limit), 2 + state.iteration) -- x is found in the middle
  stabilise(state, system)
  state.rho = rho
end

--- Solves A x = b by stabilised biconjugate gradients, for any square A. Arguments and results as cg's. Follows
--- scipy.sparse.linalg.bicgstab.
---@param A cuna.SparseMatrix|cuna.LinearOperator|cuna.Operand shape (n, n)
---@param b cuna.Operand shape (n,) or (n, 1)
---@param x0 cuna.Operand|nil
---@param rtol number|nil default 1e-5
---@param atol number|nil default 0
---@param maxiter integer|nil default 10 n
---@param M cuna.SparseMatrix|cuna.LinearOperator|cuna.Operand|nil
---@param callback fun(x: cuna.Array)|nil
---@return cuna.Array x shape (n,)
---@return integer info -10, -11: a breakdown
---@usage cn.sparse.linalg.bicgstab({{4, 1}, {0, 2}}, {5, 2}, {rtol = 1e-12}) --> [1. 1.], 0
F.bicgstab = solver("bicgstab", bicgstab)

return M
