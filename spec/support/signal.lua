--- The functions of cn.signal against SciPy's results.
local cases = require "spec.support.cases"
local cn = require "cuna"

local M = {}

--- Tests of a group's functions on every device.
function M.check_group(group)
  cases.check_group(cases.read("spec/golden/signals.lua", function() return cn.signal end), group)
end

return M
