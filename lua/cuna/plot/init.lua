--- init.lua: cn.plot: figures, drawn by gnuplot. Loaded when it is first named; gnuplot is run by save, text and show.
local namespace = require "cuna.base.namespace"

local M = {namespace = {}}
local F = M.namespace -- cn.plot

for name, fn in pairs(require("cuna.plot.figure").functions) do F[name] = fn end
namespace.make("plot", F)

--- cn.plot(y) is cn.plot.plot(y).
getmetatable(F).__call = function(_, ...) return F.plot(...) end

return M
