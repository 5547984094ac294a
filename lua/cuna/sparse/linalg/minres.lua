--- minres.lua: minimal residuals, for symmetric matrices that need not be definite.
--
-- Follows C. C. Paige and M. A. Saunders, Solution of sparse indefinite systems of linear equations, 1975. Vectors stay
-- on the device; the numbers of rotations are made on the host. The norm of x, by which an iteration is judged, is
-- fetched with the numbers of the next one: one transfer for an iteration, and a product too many at the end.
--
-- The norm of the residual that rotations give drifts away from that of b - A x. So x is found only if b - A x is small
-- as well. If it is not the solver begins again from there, until that does not halve it.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local systems = require "cuna.sparse.linalg.system"

local M = {functions = {}}
local F = M.functions -- of cn.sparse.linalg

local fail, norm = check.fail, systems.norm
local sqrt = math.sqrt

--- The dot product, which is real here.
local function dot(x, y)
  local made = systems.dot(x, y)
  return made.dtype:find "^complex" and made.real or made
end

-- ---- an iteration ----

--- Makes the next vector of Lanczos; its numbers alfa and beta squared are on the device.
local function next_vector(s, system, itn)
  s.v = s.y * (1 / s.beta)
  local y = system.matvec(s.v)
  if s.shift ~= 0 then y = y - s.shift * s.v end
  if itn >= 2 then y = y - (s.beta / s.oldb) * s.r1 end
  local alfa = dot(s.v, y)
  y = y - (alfa / s.beta) * s.r2
  s.r1, s.r2 = s.r2, y
  s.y = system.psolve(y)
  return alfa, dot(y, s.y)
end

--- Takes the numbers of a vector into the rotations.
local function rotate(s, alfa, beta)
  s.oldb, s.beta = s.beta, beta
  s.tnorm2 = s.tnorm2 + alfa ^ 2 + s.oldb ^ 2 + beta ^ 2
  s.oldeps = s.epsln
  s.delta = s.cs * s.dbar + s.sn * alfa
  s.gbar = s.sn * s.dbar - s.cs * alfa
  s.epsln, s.dbar = s.sn * beta, -s.cs * beta
  s.root = sqrt(s.gbar ^ 2 + s.dbar ^ 2)
  s.gamma = math.max(sqrt(s.gbar ^ 2 + beta ^ 2), s.eps)
  s.cs, s.sn = s.gbar / s.gamma, beta / s.gamma
  s.phi, s.phibar = s.cs * s.phibar, s.sn * s.phibar
  s.gmax, s.gmin = math.max(s.gmax, s.gamma), math.min(s.gmin, s.gamma)
end

local function update(s, x)
  local older, old = s.w2, s.w
  s.w2 = old
  s.w = (s.v - s.oldeps * older - s.delta * old) * (1 / s.gamma)
  x:add_(s.phi * s.w)
end

--- Whether an iteration was the last one, by the norm of its x: 0 if it was not, 6 if there are no more.
local function verdict(s, itn, length)
  local anorm = sqrt(s.tnorm2)
  local first = (length == 0 or anorm == 0) and math.huge or s.phibar / (anorm * length)
  local second = anorm == 0 and math.huge or s.root / anorm
  if s.is_eigenvector then return -1 end
  if first <= s.rtol or 1 + first <= 1 then return 1 end
  if second <= s.rtol or 1 + second <= 1 then return 2 end
  if anorm * length * s.eps >= s.beta1 then return 3 end
  if s.gmax / s.gmin >= 0.1 / s.eps then return 4 end
  return itn >= s.maxiter and 6 or 0
end

-- ---- all of them ----

local function check_symmetric(x, y, z, eps, name, what)
  local s, t = systems.numbers(dot(x, x), dot(y, z))
  if math.abs(s - t) > (s + eps) * eps ^ (1 / 3) then
    fail("%s: %s is not symmetric", name, what)
  end
end

local function check_system(system, r, y)
  local eps = systems.eps(system.dtype)
  local w = system.matvec(y)
  check_symmetric(w, y, system.matvec(w), eps, system.name, "A")
  check_symmetric(y, r, system.psolve(y), eps, system.name, "M")
end

local function begin(system, beta1, r, y, options, maxiter)
  local zeros = args.namespace.zeros(system.size, system.dtype)
  return {v = nil, y = y, r1 = r, r2 = r, w = zeros, w2 = zeros, beta = beta1, oldb = 0, beta1 = beta1, dbar = 0,
    epsln = 0, phibar = beta1, tnorm2 = 0, gmax = 0, gmin = math.huge, cs = -1, sn = 0, shift = options.shift,
    rtol = options.rtol, maxiter = maxiter, eps = systems.eps(system.dtype)}
end

--- Iterates from one x until there is a verdict: the number of iterations, and whether they were enough for one.
local function run(system, s, callback)
  local length, alfa, beta2
  for itn = 1, s.maxiter do
    local on_device, squared = next_vector(s, system, itn)
    alfa, beta2, length = systems.numbers(on_device, squared, norm(system.x))
    if itn > 1 and verdict(s, itn - 1, length) ~= 0 then return itn - 1, true end
    if beta2 < 0 then fail("%s: A is not symmetric, or M not positive definite", system.name) end
    rotate(s, alfa, sqrt(beta2))
    s.is_eigenvector = itn == 1 and s.beta / s.beta1 <= 10 * s.eps
    update(s, system.x)
    if callback then callback(system.x) end
  end
  return s.maxiter, s.maxiter > 0 and verdict(s, s.maxiter, norm(system.x):item()) ~= 6
end

--- The residual of x in truth, after the preconditioner, its norm in the metric of M, and that of x.
local function measure(system, shift)
  local r = system.b - system.matvec(system.x)
  if shift ~= 0 then r = r + shift * system.x end
  local y = system.psolve(r)
  local squared, length = systems.numbers(dot(r, y), norm(system.x))
  return r, y, sqrt(math.max(squared, 0)), length
end

--- Runs until x is found, or its residual gets no smaller: the code for the user.
local function iterate(system, r, y, beta1, options)
  local left, least, anorm = options.maxiter, math.huge, 0
  while true do
    local s = begin(system, beta1, r, y, options, left)
    local count, is_over = run(system, s, options.callback)
    left = left - count
    if not is_over then return options.maxiter end
    local size
    r, y, beta1, size = measure(system, options.shift)
    anorm = math.max(anorm, sqrt(s.tnorm2))
    if beta1 <= math.max(options.rtol, 16 * s.eps) * anorm * size then return 0 end
    local has_halved = beta1 < 0.5 * least
    if not has_halved or left == 0 then return options.maxiter - left end
    least = beta1
  end
end

local read = args.reader("sparse.linalg.minres", {"A", "b", "x0", "rtol", "shift", "maxiter", "M", "callback",
  "check"}, 2)

--- Solves A x = b, or (A - shift) x = b, by minimal residuals, for A that is symmetric (Hermitian); it may be
--- indefinite, or singular if b is in its range. M is positive definite. Follows scipy.sparse.linalg.minres.
---@param A cuna.SparseMatrix|cuna.LinearOperator|cuna.Operand shape (n, n)
---@param b cuna.Operand shape (n,) or (n, 1)
---@param x0 cuna.Operand|nil
---@param rtol number|nil relative to the norms of A and x; default 1e-5
---@param shift number|nil default 0
---@param maxiter integer|nil default 5 n
---@param M cuna.SparseMatrix|cuna.LinearOperator|cuna.Operand|nil an approximate inverse of A
---@param callback fun(x: cuna.Array)|nil called after each iteration with x, which the next one changes
---@param check boolean|nil whether A and M are tested to be symmetric; default false
---@return cuna.Array x shape (n,)
---@return integer info 0: found, the norm of b - A x is at most `rtol` times those of A, as estimated, and x; else the
---  number of iterations after which it was not
---@usage cn.sparse.linalg.minres({{1, 2}, {2, -3}}, {3, -1}, {rtol = 1e-12}) --> [1. 1.], 0
function F.minres(...)
  local name = "sparse.linalg.minres"
  local A, b, x0, rtol, shift, maxiter, preconditioner, callback, checks = read(...)
  local system = systems.square(A, b, x0, preconditioner, name)
  local options = {rtol = systems.tolerance(rtol, 1e-5, name, "rtol"),
    maxiter = systems.iterations(maxiter, 5 * system.size, name, "maxiter"),
    shift = shift == nil and 0 or check.number(shift, name, "shift"), callback = systems.callback(callback, name)}
  checks = check.boolean(checks, false, name, "check")
  local r = systems.residual(system)
  local y = system.psolve(r)
  local beta2, length = systems.numbers(dot(r, y), norm(system.b))
  if beta2 < 0 then fail("%s: M is not positive definite", name) end
  if length == 0 then return args.namespace.zeros(system.size, system.dtype), 0 end
  if beta2 == 0 then return system.x, 0 end
  if checks then check_system(system, r, y) end
  return system.x, iterate(system, r, y, sqrt(beta2), options)
end

return M
