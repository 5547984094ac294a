--- What specs of the recorder share.
local busted = require "busted"
local cn = require "cuna"
local core = require "cuna.core"
local devices = require "spec.support.devices"

local M = {}

--- Calls block(device), in a describe of its own, for each device. In each test operations run at once at first, and
-- small ones are recorded as well.
function M.each_device(block)
  devices.each_device(function(device)
    local was_eager, limit = cn.is_eager(), nil
    busted.before_each(function()
      limit = core.set_record_limit(device, 0)
      cn.set_eager(true)
    end)
    busted.after_each(function()
      cn.set_eager(was_eager)
      core.set_record_limit(device, limit)
    end)
    block(device)
  end)
end

--- Results of fn(...), recorded, and as how many kernels its operations ran.
function M.recorded(fn, ...)
  cn.synchronize()
  cn.set_eager(false)
  local composing = core.set_composing(true)
  local _, before = core.record_stats()
  local results = {cn.evaluate(fn(...))}
  local _, kernels = core.record_stats()
  cn.set_eager(true)
  core.set_composing(composing)
  return results, kernels - before
end

--- Raises unless two arrays have the same bytes.
function M.same(expected, x) assert(expected:tobytes() == x:tobytes(), "the arrays differ") end

return M
