--- init.lua: cn.sparse.linalg: operators, solvers, norms. Loaded when it is first named.
local core = require "cuna.core"
local namespace = require "cuna.base.namespace"
local object = require "cuna.sparse.object"
local operator = require "cuna.sparse.linalg.operator"

local M = {namespace = {}}
local F = M.namespace -- cn.sparse.linalg

--- The device of a value: a matrix, an array or an operator; nil for others.
local function device_of(x)
  if core.is_alive(x) or object.is(x) or operator.is(x) then return x.device end
end

namespace.fill(F, "sparse.linalg", {
  "operator", "krylov", "gmres", "minres", "lsqr", "lsmr", "norm", "direct", "eigen", "lobpcg", "exponential"
}, device_of)

namespace.make("sparse.linalg", F)

return M
