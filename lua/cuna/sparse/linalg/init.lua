--- init.lua: cn.sparse.linalg: operators, solvers, norms. Loaded when it is first named.
local core = require "cuna.core"
local namespace = require "cuna.base.namespace"
local object = require "cuna.sparse.object"
local operator = require "cuna.sparse.linalg.operator"

local M = {namespace = {}}
local F = M.namespace -- cn.sparse.linalg

local function has_device(x) return core.is_alive(x) or object.is(x) or operator.is(x) end

--- The device of the first matrix, array or operator; nil if there is none.
local function device_of(a, b)
  if has_device(a) then return a.device end
  if has_device(b) then return b.device end
end

namespace.fill(F, "sparse.linalg", {
  "operator", "krylov", "gmres", "minres", "lsqr", "lsmr", "norm", "direct", "eigen", "arnoldi", "lobpcg",
  "exponential"
}, device_of)

namespace.make("sparse.linalg", F)

return M
