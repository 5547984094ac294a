--- init.lua: cn.stats: summaries, correlations, tests, distributions, densities. Loaded when it is first named.
--
-- Everything is made of operations on arrays and of cn.special's functions, so it is recorded and fused, and nothing
-- waits unless its documentation says so. What SciPy returns as a named tuple is several values.
local namespace = require "cuna.base.namespace"

local M = {namespace = {}}
local F = M.namespace -- cn.stats

namespace.fill(F, "stats", {"summary", "averages", "ranks", "correlation", "kendall", "tests", "kolmogorov", "density"})
for _, file in ipairs {"distributions", "discrete"} do
  for name, distribution in pairs(require("cuna.stats." .. file).functions) do F[name] = distribution end
end

namespace.make("stats", F)

return M
