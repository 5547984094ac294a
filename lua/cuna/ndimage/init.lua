--- init.lua: cn.ndimage, functions of images with any number of axes. Loaded when it is first named.
local args = require "cuna.base.args"
local core = require "cuna.core"
local namespace = require "cuna.base.namespace"

local M = {namespace = {}}
local F = M.namespace -- cn.ndimage

--- Calls a function on the device of its first argument, where the arrays that it makes belong.
local function on_device(fn)
  return function(...)
    local x = (...)
    if not core.is_alive(x) or x.device == args.namespace.device() then return fn(...) end
    return x.device:with(fn, ...)
  end
end

for _, file in ipairs {"filters", "ranks", "binary", "interpolation", "measurements", "generic", "fourier"} do
  for name, fn in pairs(require("cuna.ndimage." .. file).functions) do F[name] = on_device(fn) end
end

namespace.make("ndimage", F)

return M
