-- Prints the milliseconds of the first `a + b` of this process, and how many kernels it compiled, separated by a tab.
local cn = require "cuna"

local a, b = cn.array({ 1, 2, 3, 4 }, "float32"), cn.array({ 5, 6, 7, 8 }, "float32") -- copies, no kernels
local start = cn.clock() -- waits for the device, as below
local _ = a + b
print(("%.4f\t%d"):format((cn.clock() - start) * 1e3, (require("cuna.core").module_stats())))
