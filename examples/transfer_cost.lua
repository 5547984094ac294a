-- The cost of transfers: the dot product of two vectors that were created on the device, and of two that are first
-- copied there.
--
--   make run SCRIPT=examples/transfer_cost.lua
--   build/cuna examples/transfer_cost.lua 1000000  -- elements
local cn = require "cuna"

local n = tonumber(arg and arg[1] or 1e8)
if not n or n < 1 or n % 1 ~= 0 then error("usage: build/cuna examples/transfer_cost.lua [elements]", 0) end
local device, host = cn.device(), cn.device "cpu"

--- Milliseconds that fn takes, with synchronisation, and its result.
local function time_of(fn)
  cn.synchronize()
  local start = cn.clock()
  local result = fn()
  return (cn.clock() - start) * 1e3, result
end

--- The best of three.
local function best_of(fn)
  local best, result = time_of(fn)
  for _ = 1, 2 do best = math.min(best, (time_of(fn))) end
  return best, result
end

local function make(on)
  return on:with(function() return cn.linspace(0, 1, n, {dtype = "float32"}), cn.full({n}, 2, "float32") end)
end

print(("two vectors of %d float32 numbers (%.0f MB each), multiplied on %s\n"):format(n, n * 4e-6, device.name))
cn.ones(2):dot(cn.ones(2)):item() -- loads and compiles

local x, y = make(device)
local born_ms, born = best_of(function() return x:dot(y):item() end)
print(("born there      %10.2f ms   dot %.6g"):format(born_ms, born))

local host_x, host_y = make(host)
local brought_ms, brought = best_of(function() return host_x:to(device):dot(host_y:to(device)):item() end)
print(("brought there   %10.2f ms   dot %.6g"):format(brought_ms, brought))

if device == host then
  print "\n(the cpu device has the host's memory: bringing costs nothing but a look. A GPU shows the difference.)"
else
  local moved_ms = brought_ms - born_ms
  print(("\nmoving %.0f MB took %.2f ms, %.1f GB/s: %.0f times the product itself"):format(n * 8e-6, moved_ms,
    n * 8e-6 / moved_ms, moved_ms / born_ms))
end
if math.abs(born - n) > 1e-3 * n or born ~= brought then error("the dot products are wrong", 0) end
