--- init.lua: cn.stats: summaries, correlations, tests, distributions, densities. Loaded when it is first named.
--
-- Everything is made of operations on arrays and of cn.special's functions, so it is recorded and fused, and nothing
-- waits unless its documentation says so. What SciPy returns as a named tuple is several values.
local args = require "cuna.base.args"
local core = require "cuna.core"
local namespace = require "cuna.base.namespace"

local M = {namespace = {}}
local F = M.namespace -- cn.stats

--- Calls a function on the device of its first argument, where the arrays that it makes belong.
local function on_device(fn)
  return function(...)
    local x = (...)
    if not core.is_alive(x) or x.device == args.namespace.device() then return fn(...) end
    return x.device:with(fn, ...)
  end
end

for _, file in ipairs {"summary", "ranks", "correlation", "tests", "kolmogorov", "density"} do
  for name, fn in pairs(require("cuna.stats." .. file).functions) do F[name] = on_device(fn) end
end
for name, distribution in pairs(require("cuna.stats.distributions").functions) do F[name] = distribution end

namespace.make("stats", F)

return M
