--- GPUs that are too old for the kernels are refused by name.
local process = require "spec.support.process"
local simgpu = require "spec.simgpu.driver"

if not simgpu.here then return end

describe("a GPU of compute capability 6.1", function()
  local OLD = {CUNA_DEVICE = false, SIMGPU_CAPABILITY = "61"}
  local WORDS = "Simulated GPU has compute capability 6%.1, and kernels need 7%.0 or newer"

  it("is refused by name, and the cpu device works", function()
    process.must_run(([[
      local cn = require "cuna"
      local ok, message = pcall(function() return (cn.device "cuda:1") end)
      assert(not ok and message:find "DeviceError: device 'cuda:1' cannot be used: %s$", message)
      assert(cn.cuda.is_available() == false and cn.device().name == "cpu")
      assert(require "cuna.core".device_reason():find "%s$", require "cuna.core".device_reason())
      assert((cn.ones(3) + 1):sum():item() == 6)
      assert(require "spec.simgpu.driver".cuda.simgpu_calls "cuDevicePrimaryCtxRetain" == 0)
      ]]):format(WORDS, WORDS), OLD)
  end)

  it("is reported at the line of require when CUNA_DEVICE names it, and by the doctor", function()
    local text = process.run("require 'cuna'", {CUNA_DEVICE = "cuda:0", SIMGPU_CAPABILITY = "61"})
    assert.has.match("child_spec.lua:1: cuna: DeviceError: CUNA_DEVICE: device 'cuda:0' cannot be used: " .. WORDS,
      text)
    text = process.capture("env -u CUNA_DEVICE SIMGPU_CAPABILITY=61 " .. process.quote(process.launcher) .. " doctor")
    assert.has.match("\nmissing +cuda:0 [^\n]*" .. WORDS .. "\n", text)
    assert.has.match("\nok +default +cpu: ", text)
  end)

  it("has no packs made for it", function()
    process.must_run(([[
      local ok, message = pcall(require "cuna".device, "cuda:sm_61")
      assert(not ok and (message:find "'cuda:sm_61' cannot be used: compiler for sm_61 has compute capability 6%.1, "
        or message:find "NVRTC here compiles for sm_[789]"), message)]]), {CUNA_DEVICE = "cpu"})
  end)
end)
