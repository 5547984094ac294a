--- What specs of the recorder share.
local busted = require "busted"
local cn = require "cuna"
local core = require "cuna.core"
local devices = require "spec.support.devices"

local M = {}

--- Calls block(device), in a describe of its own, for each device that records. In each test operations run at once at
-- first.
function M.each_device(block)
  devices.each_device(function(device)
    if core.is_host(device) then return end
    local was_eager = cn.is_eager()
    busted.before_each(function() cn.set_eager(true) end)
    busted.after_each(function() cn.set_eager(was_eager) end)
    block(device)
  end)
end

--- Results of fn(...), recorded, and how many units with kernels this process compiled or loaded for them.
function M.recorded(fn, ...)
  cn.synchronize()
  cn.set_eager(false)
  local compiled, loaded = core.module_stats()
  local results = {cn.evaluate(fn(...))}
  local compiled_then, loaded_then = core.module_stats()
  cn.set_eager(true)
  return results, compiled_then + loaded_then - compiled - loaded
end

--- Raises unless two arrays have the same bytes.
function M.same(expected, x) assert(expected:tobytes() == x:tobytes(), "the arrays differ") end

return M
