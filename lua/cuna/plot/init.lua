--- init.lua: cn.plot: figures, drawn by gnuplot. Loaded when it is first named; gnuplot is run by save, text and show.
local namespace = require "cuna.base.namespace"

local M = {namespace = {}}
local F = M.namespace -- cn.plot

local figure = require "cuna.plot.figure"
for name, fn in pairs(figure.functions) do F[name] = fn end
local of_figures = {subplots = "cn.plot.figure"} -- what matplotlib's pyplot has, by its word
for name in pairs(figure.methods) do of_figures[name] = ("cn.plot.figure():%s"):format(name) end
namespace.make("plot", F, of_figures)

--- cn.plot(y) is cn.plot.plot(y).
getmetatable(F).__call = function(_, ...) return F.plot(...) end

return M
