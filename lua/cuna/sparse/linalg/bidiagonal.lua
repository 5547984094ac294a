--- bidiagonal.lua: the bidiagonalisation of Golub and Kahan, of which lsqr and lsmr are made, and their rotations.
--
-- beta u = A v - alfa u and alfa v = A' u - beta v give the next vectors. They and their lengths are made on the
-- device; the lengths are fetched together, with another number that a solver asks for.
local args = require "cuna.base.args"
local systems = require "cuna.sparse.linalg.system"

local M = {}

local norm = systems.norm

local function choose(mask, a, b) return args.namespace.where(mask, a, b) end

--- x divided by its length; itself if that is 0.
local function scaled(x, length) return x * choose(length:gt(0), 1 / length, 1) end

--- The first vectors, and the norm of b.
---@param system cuna.System
function M.begin(system)
  local r = systems.residual(system)
  local beta = norm(r)
  local u = scaled(r, beta)
  local v = system.rmatvec(u)
  local alfa = norm(v)
  local s = {u = u, v = scaled(v, alfa)}
  s.beta, s.alfa, s.length = systems.numbers(beta, alfa, norm(system.b))
  return s
end

--- The next vectors. Where beta is 0, v and alfa stay as they are.
---@param other cuna.Array 0-d, fetched as well
---@return number other
function M.step(s, system, other)
  local u = system.matvec(s.v) - s.alfa * s.u
  local beta = norm(u)
  s.u = scaled(u, beta)
  local v = system.rmatvec(s.u) - beta * s.v
  local alfa = norm(v)
  local goes_on = beta:gt(0)
  s.v = choose(goes_on, scaled(v, alfa), s.v)
  s.beta, s.alfa, other = systems.numbers(beta, choose(goes_on, alfa, s.alfa), other)
  return other
end

local function sign(x) return x > 0 and 1 or x < 0 and -1 or 0 end

--- The rotation that turns (a, b) into (r, 0): c, s, r.
function M.rotation(a, b)
  if b == 0 then return sign(a), 0, math.abs(a) end
  if a == 0 then return 0, sign(b), math.abs(b) end
  if math.abs(b) > math.abs(a) then
    local tau = a / b
    local s = sign(b) / math.sqrt(1 + tau * tau)
    return s * tau, s, b / s
  end
  local tau = b / a
  local c = sign(a) / math.sqrt(1 + tau * tau)
  return c, c * tau, a / c
end

--- Why a solver stops: what both ask after an iteration. 0: it goes on.
---@param first number residual relative to b
---@param second number A' r relative to A and r
---@param third number 1 / the condition of A
---@param relative number the first one, relative to A and x too
---@param enough number what the first one has to come down to
function M.verdict(options, itn, first, second, third, relative, enough)
  if first <= enough then return 1 end
  if second <= options.atol then return 2 end
  if third <= options.ctol then return 3 end
  if 1 + relative <= 1 then return 4 end
  if 1 + second <= 1 then return 5 end
  if 1 + third <= 1 then return 6 end
  return itn >= options.maxiter and 7 or 0
end

--- Tolerances and limits that users give.
function M.options(name, damp, atol, btol, conlim, maxiter, default)
  local options = {damp = systems.tolerance(damp, 0, name, "damp"), atol = systems.tolerance(atol, 1e-6, name, "atol"),
    btol = systems.tolerance(btol, 1e-6, name, "btol")}
  local most = systems.tolerance(conlim, 1e8, name, "conlim")
  options.ctol = most > 0 and 1 / most or 0
  options.maxiter = systems.iterations(maxiter, default, name, name:find "lsqr" and "iter_lim" or "maxiter")
  return options
end

return M
