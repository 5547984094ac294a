--- init.lua: cn.sparse, sparse matrices. Loaded when it is first named.
local core = require "cuna.core"
local namespace = require "cuna.base.namespace"
local object = require "cuna.sparse.object"
local with = require "cuna.base.with"

local M = {namespace = {}}
local F = M.namespace -- cn.sparse

--- Calls a function on the device of its first argument, where the arrays that it makes belong.
local function on_device(fn)
  return function(...)
    local x = (...)
    if not (core.is_alive(x) or object.is(x)) then return fn(...) end
    return with.on(x.device, fn, ...)
  end
end

for _, file in ipairs {"arithmetic", "index", "fold"} do require("cuna.sparse." .. file) end -- methods and operators

for _, file in ipairs {"formats", "build", "blocks", "arrays", "elements", "files"} do
  for name, fn in pairs(require("cuna.sparse." .. file).functions) do F[name] = on_device(fn) end
end

namespace.make("sparse", F, nil, {linalg = "sparse.linalg"})

return M
