--- lsmr.lua: sparse least squares by bidiagonalisation, whose A' r gets smaller in every iteration.
--
-- Follows D. C.-L. Fong and M. A. Saunders, LSMR: An iterative algorithm for sparse least-squares problems, 2011. The
-- norm of x, by which an iteration is judged, is fetched with the lengths of the next one: one transfer for an
-- iteration, and two products too many at the end.
local args = require "cuna.base.args"
local bidiagonal = require "cuna.sparse.linalg.bidiagonal"
local systems = require "cuna.sparse.linalg.system"

local M = {functions = {}}
local F = M.functions -- of cn.sparse.linalg

local rotation = bidiagonal.rotation
local sqrt = math.sqrt

--- The rotations that give the next x: their numbers.
local function rotate(s, damp)
  local r = {}
  r.chat, r.shat, r.alphahat = rotation(s.alphabar, damp)
  r.rhoold, r.rhobarold, r.zetaold = s.rho, s.rhobar, s.zeta
  r.c, r.s, s.rho = rotation(r.alphahat, s.beta)
  r.thetanew = r.s * s.alfa
  s.alphabar = r.c * s.alfa
  r.thetabar, r.rhotemp = s.sbar * s.rho, s.cbar * s.rho
  s.cbar, s.sbar, s.rhobar = rotation(r.rhotemp, r.thetanew)
  s.zeta, s.zetabar = s.cbar * s.zetabar, -s.sbar * s.zetabar
  return r
end

local function update(s, x, r)
  s.hbar = s.h - r.thetabar * s.rho / (r.rhoold * r.rhobarold) * s.hbar
  x:add_(s.zeta / (s.rho * s.rhobar) * s.hbar)
  s.h = s.v - r.thetanew / s.rho * s.h
end

--- Estimates the norm of the residual.
local function measure_residual(s, r)
  local betaacute, betacheck = r.chat * s.betadd, -r.shat * s.betadd
  local betahat = r.c * betaacute
  s.betadd = -r.s * betaacute
  local thetatildeold = s.thetatilde
  local ctilde, stilde, rhotilde = rotation(s.rhodold, r.thetabar)
  s.thetatilde, s.rhodold = stilde * s.rhobar, ctilde * s.rhobar
  s.betad = -stilde * s.betad + ctilde * betahat
  s.tautildeold = (r.zetaold - thetatildeold * s.tautildeold) / rhotilde
  local taud = (s.zeta - s.thetatilde * s.tautildeold) / s.rhodold
  s.d = s.d + betacheck * betacheck
  s.normr = sqrt(s.d + (s.betad - taud) ^ 2 + s.betadd ^ 2)
end

--- Estimates the norm and the condition of A.
local function measure_matrix(s, r, itn)
  s.squares = s.squares + s.beta ^ 2
  s.normA = sqrt(s.squares)
  s.squares = s.squares + s.alfa ^ 2
  s.maxrbar = math.max(s.maxrbar, r.rhobarold)
  if itn > 1 then s.minrbar = math.min(s.minrbar, r.rhobarold) end
  s.condA = math.max(s.maxrbar, r.rhotemp) / math.min(s.minrbar, r.rhotemp)
  s.normar = math.abs(s.zetabar)
end

local function verdict(s, options, itn, length)
  s.normx = length
  local first = s.normr / s.length
  local scale = s.normA * length / s.length
  local product = s.normA * s.normr
  return bidiagonal.verdict(options, itn, first, product ~= 0 and s.normar / product or math.huge, 1 / s.condA,
    first / (1 + scale), options.btol + options.atol * scale)
end

--- Numbers before the first iteration.
local function begin(system)
  local s = bidiagonal.begin(system)
  s.h, s.hbar = s.v, args.namespace.zeros(system.size, system.dtype)
  s.zetabar, s.alphabar, s.rho, s.rhobar, s.cbar, s.sbar = s.alfa * s.beta, s.alfa, 1, 1, 1, 0
  s.betadd, s.betad, s.rhodold, s.tautildeold, s.thetatilde, s.zeta, s.d = s.beta, 0, 1, 0, 0, 0, 0
  s.squares, s.maxrbar, s.minrbar = s.alfa ^ 2, 0, 1e100
  s.normA, s.condA, s.normx, s.normr, s.normar = s.alfa, 1, 0, s.beta, s.alfa * s.beta
  return s
end

--- Iterates to the end: why it is one, and the number of iterations.
local function iterate(s, system, options)
  local norm = systems.norm
  for itn = 1, options.maxiter do
    local length = bidiagonal.step(s, system, norm(system.x))
    local istop = itn > 1 and verdict(s, options, itn - 1, length) or 0
    if istop ~= 0 then return istop, itn - 1 end
    local r = rotate(s, options.damp)
    update(s, system.x, r)
    measure_residual(s, r)
    measure_matrix(s, r, itn)
  end
  if options.maxiter == 0 then return 0, 0 end
  return verdict(s, options, options.maxiter, norm(system.x):item()), options.maxiter
end

local read = args.reader("sparse.linalg.lsmr", {"A", "b", "damp", "atol", "btol", "conlim", "maxiter", "x0"}, 2)

--- The least squares solution of A x = b, or of A x = b with damp x = 0, as lsqr, which may need more iterations to the
--- same accuracy. Follows scipy.sparse.linalg.lsmr.
---@param A cuna.SparseMatrix|cuna.LinearOperator|cuna.Operand shape (m, n)
---@param b cuna.Operand shape (m,) or (m, 1)
---@param damp number|nil default 0
---@param atol number|nil accuracy of A; default 1e-6
---@param btol number|nil accuracy of b; default 1e-6
---@param conlim number|nil as lsqr's; default 1e8
---@param maxiter integer|nil default: the lesser one of m and n
---@param x0 cuna.Operand|nil
---@return cuna.Array x shape (n,)
---@return integer istop why it stopped, as lsqr's
---@return integer itn the number of iterations
---@return number normr the norm of b - A x
---@return number normar of A' r
---@return number norma an estimate of the norm of A
---@return number conda of its condition
---@return number normx the norm of x
---@usage cn.around(cn.sparse.linalg.lsmr({{1, 0}, {1, 1}, {1, 2}}, {1, 2, 4}), 4) --> [0.8333 1.5   ]
function F.lsmr(...)
  local name = "sparse.linalg.lsmr"
  local A, b, damp, atol, btol, conlim, maxiter, x0 = read(...)
  local system = systems.rectangular(A, b, x0, name)
  local rows, columns = system.operator.lengths[1], system.operator.lengths[2]
  local options = bidiagonal.options(name, damp, atol, btol, conlim, maxiter, math.min(rows, columns))
  local s = begin(system)
  local istop, itn = 0, 0
  if s.length == 0 then
    system.x = args.namespace.zeros(system.size, system.dtype)
  elseif s.normar ~= 0 then
    istop, itn = iterate(s, system, options)
  end
  return system.x, istop, itn, s.normr, s.normar, s.normA, s.condA, s.normx
end

return M
