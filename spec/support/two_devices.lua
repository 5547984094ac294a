--- What specs of two CUDA devices share; where there are fewer nothing is described.
local busted = require "busted" -- the words of a spec file are not known outside it
local cn = require "cuna"

local M = {}

local has_two = cn.cuda.is_available() and cn.cuda.device_count() >= 2
if has_two then M.zero, M.one = cn.cuda.Device(0), cn.cuda.Device(1) end

M.is_late = has_two and M.one.model == "Simulated GPU" -- work runs as late as it may

--- A new non-blocking stream of a device.
function M.stream_on(device) return cn.cuda.Stream{device = device, non_blocking = true} end

--- Runs fn(...) with streams of several devices current.
function M.with_streams(streams, fn, ...)
  if #streams == 0 then return fn(...) end
  local first = table.remove(streams, 1)
  return first:with(M.with_streams, streams, fn, ...)
end

--- Nothing stays behind: the first device is current, and on both the default streams are, with nothing to do.
local function settle()
  busted.assert.equal(M.zero, cn.device())
  for _, device in ipairs {M.zero, M.one} do
    device:synchronize()
    busted.assert.is_true(cn.cuda.get_current_stream(device).null)
  end
end

--- Describes what happens with two devices, the first of which is current in the tests of the block.
function M.describe(block)
  if not has_two then return end
  busted.describe("on two devices", function()
    local before
    busted.setup(function()
      before = cn.device()
      M.zero:use()
    end)
    busted.after_each(settle)
    busted.teardown(function() before:use() end)
    block()
  end)
end

return M
