--- The headers of a toolkit, which raw kernels for CUDA devices may include.
local cn = require "cuna"
local process = require "spec.support.process"

-- A real device's toolkit is beside its NVRTC; that of the simulated GPU is where CUDA_HOME says.
local is_simulated = cn.cuda.is_available() and cn.device "cuda:0".model == "Simulated GPU"

describe("a toolkit's headers", function()
  local home
  before_each(function()
    home = process.folder()
    os.execute(("mkdir -p %s/include/cccl/deep %s/cache %s/own"):format(home, home, home))
    process.write(home .. "/include/cuda_runtime.h", "#error taken\n")
    process.write(home .. "/include/cuda_fp16.h", "#error taken\n")
    process.write(home .. "/include/stdint.h", "#error taken\n")
    process.write(home .. "/include/toolkit.h", "#include <deep/value.h>\n")
    process.write(home .. "/include/cccl/deep/value.h", "static __device__ int value() { return 1; }\n")
  end)
  after_each(function() process.remove(home) end)

  --- What a kernel gets whose text begins with `before`, and how many were compiled for it.
  local function run(before, value, options, every)
    local text = process.must_run(([[
      local cn, core = require "cuna", require "cuna.core"
      cn.device "cuda:0":use()
      local out = cn.zeros(1, "int32")
      cn.RawKernel(%q, "f", {%s})(1, 1, {out})
      print(out:item(), (core.module_stats()))]])
      :format(before .. "\n__global__ void f(int *out) { *out = " .. value .. "; }", options or ""),
      {CUDA_HOME = home, CUNA_CACHE_DIR = home .. "/cache", SIMGPU_NVRTC_EVERY = every})
    local result, count = text:match "^(%-?%d+)%s+(%d+)"
    return {tonumber(result), tonumber(count)}
  end
  local function run_value() return run("#include <toolkit.h>", "value()") end

  it("are found in its folders", function()
    if not is_simulated then return pending "no simulated GPU" end
    assert.same({1, 1}, run_value())
    assert.same({1, 1}, run('#define NAME <toolkit.h>\n#include NAME', "value()"))
    process.write(home .. "/own/own.h", "#include <toolkit.h>\n")
    assert.same({1, 1}, run('#include "own.h"', "value()", ("%q"):format("-I" .. home .. "/own")))
  end)

  it("are compiled again when they change", function()
    if not is_simulated then return pending "no simulated GPU" end
    assert.same({1, 1}, run_value())
    assert.same({1, 0}, run_value())
    process.write(home .. "/include/toolkit.h", "static __device__ int value() { return 22; }\n")
    assert.same({22, 1}, run_value())
    process.write(home .. "/include/cccl/more.h", "")
    assert.same({22, 1}, run_value())
  end)

  it("give way to the user's", function()
    if not is_simulated then return pending "no simulated GPU" end
    process.write(home .. "/own/toolkit.h", "static __device__ int value() { return 3; }\n")
    assert.same({3, 1}, run("#include <toolkit.h>", "value()", ("%q"):format("-I" .. home .. "/own")))
  end)

  it("replace the device's that have declarations, never those of C", function()
    if not is_simulated then return pending "no simulated GPU" end
    assert.same({8, 1}, run("#include <cuda_runtime.h>\n#include <stdint.h>", "(int32_t)sizeof(int64_t)"))
    if not os.getenv "SIMGPU_NVRTC" then return pending "the real NVRTC has the headers" end
    local ok, words = pcall(run, "#include <cuda_fp16.h>", "1", nil, "1") -- the real NVRTC reads every text
    assert(not ok and words:find("taken", 1, true), words)
  end)
end)
