--- lsqr.lua: sparse least squares by bidiagonalisation.
--
-- Follows C. C. Paige and M. A. Saunders, LSQR: An algorithm for sparse linear equations and sparse least squares,
-- 1982. One transfer for an iteration: the lengths of two vectors, and the norm of the direction w of x.
local args = require "cuna.base.args"
local bidiagonal = require "cuna.sparse.linalg.bidiagonal"
local check = require "cuna.base.check"
local systems = require "cuna.sparse.linalg.system"

local M = {functions = {}}
local F = M.functions -- of cn.sparse.linalg

local sqrt, EPS = math.sqrt, 2 ^ -52

--- Takes the damping out: a rotation that changes the diagonal.
local function undamp(s, damp)
  if damp == 0 then return s.rhobar, 0 end
  local rhobar = sqrt(s.rhobar ^ 2 + damp ^ 2)
  local psi = damp / rhobar * s.phibar
  s.phibar = s.rhobar / rhobar * s.phibar
  return rhobar, psi
end

--- Estimates the norm of x by a rotation from the right.
local function measure_x(s)
  local delta, gambar = s.sn2 * s.rho, -s.cs2 * s.rho
  local rhs = s.phi - delta * s.z
  s.xnorm = sqrt(s.xxnorm + (rhs / gambar) ^ 2)
  local gamma = sqrt(gambar ^ 2 + s.theta ^ 2)
  s.cs2, s.sn2, s.z = gambar / gamma, s.theta / gamma, rhs / gamma
  s.xxnorm = s.xxnorm + s.z ^ 2
end

--- The norms of the residual, with damping and without.
local function measure_residual(s, psi, damp)
  s.res2 = s.res2 + psi ^ 2
  s.r2norm = sqrt(s.phibar ^ 2 + s.res2)
  s.r1norm = s.r2norm
  if damp > 0 then
    local square = s.r2norm ^ 2 - damp ^ 2 * s.xxnorm
    s.r1norm = square < 0 and -sqrt(-square) or sqrt(square)
  end
end

--- An iteration; `before` is the alfa that it began with.
local function iterate(s, system, options)
  local before = s.alfa
  local length = bidiagonal.step(s, system, systems.norm(s.w))
  if s.beta > 0 then s.anorm = sqrt(s.anorm ^ 2 + before ^ 2 + s.beta ^ 2 + options.damp ^ 2) end
  local rhobar, psi = undamp(s, options.damp)
  local cs, sn
  cs, sn, s.rho = bidiagonal.rotation(rhobar, s.beta)
  s.theta, s.rhobar = sn * s.alfa, -cs * s.alfa
  s.phi, s.phibar = cs * s.phibar, sn * s.phibar
  system.x:add_(s.phi / s.rho * s.w)
  if s.var then s.var:add_((s.w * (1 / s.rho)):abs():square()) end
  s.w = s.v - s.theta / s.rho * s.w
  s.ddnorm = s.ddnorm + (length / s.rho) ^ 2
  measure_x(s)
  s.acond = s.anorm * sqrt(s.ddnorm)
  measure_residual(s, psi, options.damp)
  s.arnorm = s.alfa * math.abs(sn * s.phi)
end

local function verdict(s, options, itn)
  local first = s.r2norm / s.length
  local scale = s.anorm * s.xnorm / s.length
  return bidiagonal.verdict(options, itn, first, s.arnorm / (s.anorm * s.r2norm + EPS), 1 / (s.acond + EPS),
    first / (1 + scale), options.btol + options.atol * scale)
end

local read = args.reader("sparse.linalg.lsqr", {"A", "b", "damp", "atol", "btol", "conlim", "iter_lim", "calc_var",
  "x0"}, 2)

--- The least squares solution of A x = b, or of A x = b with damp x = 0, of least norm if there are several. A need not
--- be square. x is in the dtype that A and b have in common, at least float32. Follows scipy.sparse.linalg.lsqr.
---@param A cuna.SparseMatrix|cuna.LinearOperator|cuna.Operand shape (m, n)
---@param b cuna.Operand shape (m,) or (m, 1)
---@param damp number|nil default 0
---@param atol number|nil accuracy of A; default 1e-6
---@param btol number|nil accuracy of b; default 1e-6
---@param conlim number|nil the solver stops where the condition of A seems greater; 0: it does not; default 1e8
---@param iter_lim integer|nil default 2 n
---@param calc_var boolean|nil whether var is computed; default false
---@param x0 cuna.Operand|nil
---@return cuna.Array x shape (n,)
---@return integer istop why it stopped: 0 x = 0 or x0 is exact, 1 A x = b is solved, 2 in the least squares sense,
---  3 conlim, 4 to 6 as 1 to 3 to the last digits, 7 iter_lim
---@return integer itn the number of iterations
---@return number r1norm the norm of b - A x
---@return number r2norm with damping
---@return number anorm an estimate of the norm of A
---@return number acond of its condition
---@return number arnorm of the norm of A' r
---@return number xnorm of the norm of x
---@return cuna.Array var the diagonal of the inverse of A' A + damp^2, estimated; zeros without calc_var
---@usage cn.around(cn.sparse.linalg.lsqr({{1, 0}, {1, 1}, {1, 2}}, {1, 2, 4}), 4) --> [0.8333 1.5   ]
function F.lsqr(...)
  local name = "sparse.linalg.lsqr"
  local A, b, damp, atol, btol, conlim, limit, calc_var, x0 = read(...)
  local system = systems.rectangular(A, b, x0, name)
  local options = bidiagonal.options(name, damp, atol, btol, conlim, limit, 2 * system.size)
  local var = args.namespace.zeros(system.size, systems.norm(system.b).dtype)
  local s = bidiagonal.begin(system)
  s.var = check.boolean(calc_var, false, name, "calc_var") and var or nil
  s.w, s.rhobar, s.phibar, s.r1norm, s.r2norm = s.v, s.alfa, s.beta, s.beta, s.beta
  s.anorm, s.acond, s.arnorm, s.xnorm, s.ddnorm, s.res2 = 0, 0, s.alfa * s.beta, 0, 0, 0
  s.xxnorm, s.z, s.cs2, s.sn2 = 0, 0, -1, 0
  local istop, itn = 0, 0
  while s.arnorm ~= 0 and istop == 0 and itn < options.maxiter do
    itn = itn + 1
    iterate(s, system, options)
    istop = verdict(s, options, itn)
    if istop ~= 0 then break end
  end
  return system.x, istop, itn, s.r1norm, s.r2norm, s.anorm, s.acond, s.arnorm, s.xnorm, var
end

return M
