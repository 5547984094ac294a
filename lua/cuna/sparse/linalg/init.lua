--- init.lua: cn.sparse.linalg: operators, solvers, norms. Loaded when it is first named.
local args = require "cuna.base.args"
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

--- Calls a function on the device of its first argument, or else its second, where the arrays that it makes belong.
local function on_device(fn)
  return function(a, b, ...)
    local device = device_of(a) or device_of(b)
    if not device or device == args.namespace.device() then return fn(a, b, ...) end
    return device:with(fn, a, b, ...)
  end
end

for _, file in ipairs {"operator", "krylov", "gmres", "minres", "lsqr", "lsmr", "norm", "direct", "eigen", "lobpcg",
  "exponential"} do
  for name, fn in pairs(require("cuna.sparse.linalg." .. file).functions) do F[name] = on_device(fn) end
end

namespace.make("sparse.linalg", F)

return M
