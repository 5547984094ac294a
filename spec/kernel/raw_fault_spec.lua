--- Raw kernels on a GPU that fails or that they break.
local cn = require "cuna"
local core = require "cuna.core"
local ffi = require "ffi"
local process = require "spec.support.process"
local raises = require("spec.support.raises").raises
local simgpu = require "spec.simgpu.driver"

if not simgpu.here then return end

local SOURCE = [[
struct Pair { int a; double b; };
__device__ int counter = 7;
template <class T> __global__ void scale(T *x, T factor) { x[threadIdx.x] *= factor; }
__global__ void pairs(double *out, Pair p) { out[0] = p.a; out[1] = p.b; }
__global__ void nothing() {}
]]

--- Launches one row of blocks.
local function launch(f, blocks, threads, ...)
  core.raw_launch(f, blocks, 1, 1, threads, 1, 1, 0, false, { ... }, select("#", ...))
end

describe("a raw kernel of a GPU", function()
  local SCRIPT = [[
    local core, cn = require "cuna.core", require "cuna"
    cn.device "cuda:0":use()
    local module = core.raw_compile("cuda:0", "bad", %q, {}, {"bad"})
    local bad = core.raw_function(module, "bad", "bad", {{name = "x", kind = "pointer", dtype = "int32"}})
    local x = cn.zeros(4, "int32")
    core.raw_launch(bad, 2, 1, 1, 32, 1, 1, 0, false, {x}, 1)
    print(pcall(cn.synchronize))
    print(pcall(function() return x[1] end))
    print(cn.ones(3):to("cpu"))]]

  local function dies(source, words)
    local text = process.run(SCRIPT:format(source), { CUNA_PACK_DIR = "off" })
    assert(text:find("false[^\n]*cuna: DeviceError: cuda:0: cuCtxSynchronize failed with " .. words), text)
    assert(text:find("after one of these launches: .*bad"), text)
    assert(text:find("false[^\n]*cuda:0 is dead since"), text)
  end

  it("that touches what is not its own kills its device", function()
    dies("__global__ void bad(int *x) { x[1 << 28] = 1; }", "CUDA_ERROR_ILLEGAL_ADDRESS")
    dies("__global__ void bad(int *x) { __syncthreads(); x[(1 << 28) + threadIdx.x] = 1; }",
      "CUDA_ERROR_ILLEGAL_ADDRESS")
  end)

  it("says so at its line when every launch is waited for", function()
    local text = process.run(SCRIPT:format("__global__ void bad(int *x) { x[1 << 28] = 1; }"),
      { CUNA_PACK_DIR = "off", CUNA_SYNC = "1" })
    assert(text:find("child_spec.lua:6: cuna: DeviceError: cuda:0: bad failed with CUDA_ERROR_ILLEGAL_ADDRESS", 1,
      true), text)
  end)

  it("may come as an image from elsewhere", function()
    cn.device("cuda:0") -- cuna finds its NVRTC before the check loads the real one
    local image = assert(simgpu.compile [[
      namespace cuna {
      struct Args { int64 out, count; };
      CUNA_DEVICE void fill(const Args &a, unsigned block)
      {
          const int64 i = block * 256ll + lane();
          if (i < a.count)
              ((int32 *)a.out)[i] = 7;
      }
      }
      CUNA_ENTRY(fill, cuna::Args, cuna::fill, 0)]])
    cn.device("cuda:0"):with(function()
      local module = core.raw_load("cuda:0", "filler", ffi.string(image, ffi.sizeof(image)))
      local fill = core.raw_function(module, "fill", "fill")
      local x = cn.zeros(300, "int32")
      local args = ffi.new("intptr_t[2]", { ffi.cast("intptr_t", core.raw_address(x)), 299 })
      raises("fill: parameter '1' has 16 bytes, which is not a pointer's size, got an array", function()
        core.raw_launch(fill, 2, 1, 1, 256, 1, 1, 0, false, { x }, 1)
      end)
      launch(fill, 2, 256, ffi.string(args, 16))
      assert.equal(7 * 299, x:sum():item())
      raises("filler: the module has no kernel 'empty'", function() core.raw_function(module, "empty", "empty") end)
    end)
  end)

  it("that writes past the pool's memory kills its device", function()
    if process.is_sanitized then return end -- the sanitizer comes first
    dies("__global__ void bad(int *x) { x[(2 << 20) / 4 + threadIdx.x] = 1; }", "CUDA_ERROR_ILLEGAL_ADDRESS")
  end)

  it("that gives up kills its device", function()
    dies("__global__ void bad(int *x) { if (threadIdx.x == 3) __trap(); }", "CUDA_ERROR_LAUNCH_FAILED")
  end)

  describe("whose driver fails", function()
    local cuda = simgpu.cuda
    local module, f
    setup(function()
      module = core.raw_compile("cuda:0", "spec", SOURCE, {}, { "scale<float>", "pairs", "nothing" })
      f = core.raw_function(module, "nothing", "nothing", {})
    end)
    after_each(function() cuda.simgpu_reset() end)

    local function failing(row, code, text, fn)
      cuda.simgpu_fail(row, 1, code, 1)
      raises(text, fn)
      cuda.simgpu_reset()
    end

    it("says which call failed", function()
      failing("cuLaunchKernel", 701, "nothing: cuda:0 has not enough registers for a block of 32 threads", function()
        core.raw_launch(f, 1, 1, 1, 32, 1, 1, 0, false, {}, 0)
      end)
      failing("cuLaunchCooperativeKernel", 720, "nothing: a cooperative launch needs all its blocks", function()
        core.raw_launch(f, 1, 1, 1, 1, 1, 1, 0, true, {}, 0)
      end)
      failing("cuLaunchKernel", 2, "OutOfMemoryError: cuda:0: nothing failed with CUDA_ERROR_OUT_OF_MEMORY", function()
        core.raw_launch(f, 1, 1, 1, 1, 1, 1, 0, false, {}, 0)
      end)
      failing("cuModuleGetFunction", 2, "OutOfMemoryError: cuda:0: cuModuleGetFunction failed", function()
        core.raw_function(module, "nothing", "nothing", {})
      end)
      failing("cuFuncGetAttribute", 3, "DeviceError: cuda:0: cuFuncGetAttribute failed", function()
        core.raw_function(module, "nothing", "nothing", {})
      end)
      failing("cuModuleGetGlobal_v2", 3, "DeviceError: cuda:0: cuModuleGetGlobal failed", function()
        core.raw_global(module, "counter")
      end)
      failing("nvrtcAddNameExpression", 1, "CompileError: k: nvrtcAddNameExpression failed with NVRTC_ERROR_OUT_OF_",
        function() core.raw_compile("cuda:0", "k", "__global__ void k() {} // 1", {}, { "k" }) end)
      failing("nvrtcGetLoweredName", 10, "CompileError: k: 'k' names no function or variable of the source",
        function() core.raw_compile("cuda:0", "k", "__global__ void k() {} // 2", {}, { "k" }) end)
      launch(f, 1, 1)
      cn.device("cuda:0"):synchronize()
    end)

    it("takes declared parameters for what they are when it cannot tell", function()
      cuda.simgpu_fail("cuFuncGetParamInfo", 1, 500, 1)
      local params = { { name = "x", kind = "pointer", dtype = "float32" },
        { name = "factor", kind = "number", dtype = "float32" } }
      local g = core.raw_function(module, "scale<float>", "scale", params)
      raises("scale: cuda:0 cannot tell the kernel's parameters, as its driver is older than CUDA 12.4; declare them",
        function() core.raw_function(module, "scale<float>", "scale") end)
      raises("pairs: cuda:0 cannot tell the size of parameter 'p', whose type is not known; its driver is older than",
        function() core.raw_function(module, "pairs", "pairs",
          { { name = "out", kind = "pointer" }, { name = "p", kind = "opaque" } }) end)
      cuda.simgpu_reset()
      cn.device("cuda:0"):with(function()
        local x = cn.array({ 1, 2 }, "float32")
        launch(g, 1, 2, x, 3)
        assert.same({ 3, 6 }, x:totable())
      end)
    end)
  end)
end)
