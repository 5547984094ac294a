--- The functions of cn.ndimage against SciPy's results.
local cases = require "spec.support.cases"
local cn = require "cuna"

local M = {}

--- Tests of a group's functions on every device.
function M.check_group(group)
  cases.check_group(cases.read("spec/golden/ndimage.lua", function() return cn.ndimage end), group)
end

return M
