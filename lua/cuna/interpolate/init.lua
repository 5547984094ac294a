--- init.lua: cn.interpolate: functions through points: piecewise polynomials, splines, grids, scattered points. Loaded
--- when it is first named.
--
-- Objects have their coefficients on the device of the data, and are called: a call is a search of intervals, reads at
-- positions and Horner's scheme, all of them operations on arrays. Systems of equations for splines are banded, and
-- solved on the host (banded.lua).
local args = require "cuna.base.args"
local core = require "cuna.core"
local namespace = require "cuna.base.namespace"

local M = {namespace = {}}
local F = M.namespace -- cn.interpolate

--- Calls a function on the device of the first array among its arguments, where the arrays that it makes belong.
local function on_device(fn)
  return function(...)
    for k = 1, math.min(select("#", ...), 2) do
      local x = select(k, ...)
      if core.is_alive(x) and x.device ~= args.namespace.device() then return x.device:with(fn, ...) end
      if core.is_alive(x) then break end
    end
    return fn(...)
  end
end

for _, file in ipairs {"piecewise", "cubic", "bspline", "line", "grid", "scattered"} do
  for name, fn in pairs(require("cuna.interpolate." .. file).functions) do F[name] = on_device(fn) end
end

namespace.make("interpolate", F)

return M
