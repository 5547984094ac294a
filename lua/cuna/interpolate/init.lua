--- init.lua: cn.interpolate: functions through points: piecewise polynomials, splines, grids, scattered points. Loaded
--- when it is first named.
--
-- Objects have their coefficients on the device of the data, and are called: a call is a search of intervals, reads at
-- positions and Horner's scheme, all of them operations on arrays. Systems of equations for splines are banded, and
-- solved on the host (banded.lua).
local namespace = require "cuna.base.namespace"

local M = {namespace = {}}
local F = M.namespace -- cn.interpolate

namespace.fill(F, "interpolate", {"piecewise", "cubic", "bspline", "line", "grid", "scattered"})

namespace.make("interpolate", F)

return M
