--- Runs many random programs over streams by hand: build/cuna spec/support/run_programs.lua cuda|cpu FIRST LAST.
--
-- Stops at the first that fails, makes it smaller, prints it and ends with status 1. SIMGPU_SEED chooses the schedules.
local cn = require "cuna"
local program = require "spec.support.stream_program"

local devices = {}
for i, name in ipairs(arg[1] == "cpu" and {"cpu"} or {"cuda:0", "cuda:1"}) do devices[i] = cn.device(name) end
devices[1]:use()

for seed = tonumber(arg[2]), tonumber(arg[3]) do
  local steps = program.generate(seed)
  local message, at = program.run(steps, devices, seed)
  if message then
    print(("program %d, step %d of %d: %s\nSIMGPU_SEED=%s"):format(seed, at, #steps, message,
      os.getenv "SIMGPU_SEED" or 1))
    if not message:find("DeviceError", 1, true) then
      print(program.describe(program.shrink(steps, devices, seed)))
    end
    os.exit(1)
  end
end
print(("programs %s to %s: no difference"):format(arg[2], arg[3]))
