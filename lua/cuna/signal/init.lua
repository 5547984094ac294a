--- init.lua: cn.signal, functions of signals along an axis. Loaded when it is first named.
local args = require "cuna.base.args"
local core = require "cuna.core"
local namespace = require "cuna.base.namespace"
local windows = require "cuna.signal.windows"

local M = {namespace = {}}
local F = M.namespace -- cn.signal

--- Calls a function on the device of its first argument, where the arrays that it makes belong.
local function on_device(fn)
  return function(...)
    local x = (...)
    if not core.is_alive(x) or x.device == args.namespace.device() then return fn(...) end
    return x.device:with(fn, ...)
  end
end

for _, file in ipairs {"windows", "waveforms", "convolution", "prototypes", "transforms", "iir", "orders", "fir",
  "response",
  "filters", "resampling", "smoothing", "spectra", "short_time", "zoom", "wavelets",
  "peaks"} do
  for name, fn in pairs(require("cuna.signal." .. file).functions) do F[name] = on_device(fn) end
end

F.windows = namespace.make("signal.windows", windows.windows)
namespace.make("signal", F)

return M
