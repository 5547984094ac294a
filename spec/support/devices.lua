--- The devices that specs of array behaviour run on.
local cn = require "cuna"

local M = {}

--- Names of the devices that this machine has.
function M.names()
  local names = {}
  for _, name in ipairs { "cpu", "cuda:0" } do
    if pcall(cn.device, name) then names[#names + 1] = name end
  end
  return names
end

--- Describes `block(device)` once per device, which is current in the tests of the block.
function M.each_device(block)
  for _, name in ipairs(M.names()) do
    describe("on " .. name, function()
      local device, before = cn.device(name), nil
      setup(function()
        before = cn.device()
        device:use()
      end)
      teardown(function() before:use() end)
      block(device)
    end)
  end
end

return M
