--- Unreachable kernels: a bounded number of them stays loaded.
local cn = require "cuna"
local core = require "cuna.core"
local devices = require "spec.support.devices"
local process = require "spec.support.process"

local SPARE = 8 -- unused kernels that stay loaded here

local function collect()
  collectgarbage()
  collectgarbage()
end

--- Mappings of the process that are of no file: loaded kernels' files are deleted ones.
local function count_loaded()
  local count = 0
  for line in io.lines "/proc/self/maps" do
    if line:find("r-xp", 1, true) and line:find("(deleted)", 1, true) then count = count + 1 end
  end
  return count
end

local RAW = [[
  __device__ int calls = %d;
  extern "C" __global__ void counts(int *x) { x[0] = calls++; }]]

local spare_before
setup(function() spare_before = core.set_spare_modules(SPARE) end)
teardown(function() core.set_spare_modules(spare_before) end)

it("32 unused kernels stay loaded at first", function()
  assert.equal("32\n", process.must_run 'print(require("cuna.core").set_spare_modules(1))')
end)

devices.each_device(function(device)
  local simulated = device.name == "cpu" or require("spec.simgpu.driver").here

  --- Makes kernels by make(k), which returns what each computed; kernels stay loaded in bounds.
  local function stays_bounded(make)
    collect()
    local before = count_loaded()
    for k = 1, SPARE + 4 do
      assert.equal(k, make(k))
      collect()
      assert(count_loaded() - before <= SPARE + 2, count_loaded() - before)
    end
    assert(not simulated or count_loaded() >= SPARE / 2) -- else nothing was counted
  end

  describe("kernels that were dropped", function()
    it("are unloaded, when their source was whole", function()
      local x = cn.zeros(1, "int32")
      stays_bounded(function(k)
        cn.RawKernel(RAW:format(k), "counts")({ 1 }, { 1 }, { x })
        return x[1]
      end)
    end)

    it("are unloaded, when they were expressions", function()
      local x = cn.zeros(1, "int32")
      stays_bounded(function(k)
        return cn.ElementwiseKernel("T x", "T y", ("y = x + %d"):format(k), "adds")(x)[1]
      end)
    end)

    it("are unloaded, when they were fused", function()
      local x = cn.zeros(1)
      stays_bounded(function(k)
        local text = "local k = ... return function(x) return x" .. ("+ x * x"):rep(k % 13)
          .. ("- x:abs()"):rep(math.floor(k / 13)) .. " + k end"
        local f = cn.fuse(assert(loadstring(text))(k))
        cn.prepare(f, x) -- the cpu device would run it without a kernel
        return f(x)[1]
      end)
    end)

    it("are unloaded after the work that is under way", function()
      local x = cn.zeros(1, "int32")
      for k = 1, 2 * SPARE do
        cn.RawKernel(RAW:format(k % (SPARE + 4) + 1), "counts")({ 1 }, { 1 }, { x })
        collect()
      end
      cn.synchronize()
      assert.is_true(x[1] > 0)
    end)

    it("stay for a while, with what they know", function()
      local x = cn.zeros(1, "int32")
      for k = 1, 3 do
        cn.RawKernel(RAW:format(1000), "counts")({ 1 }, { 1 }, { x })
        assert.equal(999 + k, x[1])
        collect()
      end
    end)
  end)

  describe("a kernel that is needed stays loaded", function()
    --- Makes so many kernels that all unused ones are unloaded.
    local function crowd()
      local x = cn.zeros(1, "int32")
      for k = 1, SPARE + 4 do
        cn.RawKernel(RAW:format(k), "counts")({ 1 }, { 1 }, { x })
        collect()
      end
    end

    it("by its object", function()
      local x = cn.zeros(1, "int32")
      local kernel = cn.RawKernel(RAW:format(2000), "counts")
      kernel({ 1 }, { 1 }, { x })
      crowd()
      kernel({ 1 }, { 1 }, { x })
      assert.equal(2001, x[1])
    end)

    it("by an array over a variable of its module", function()
      local function variable()
        local module = cn.RawModule { code = RAW:format(3000) }
        module:get_function "counts" ({ 1 }, { 1 }, { cn.zeros(1, "int32") })
        return module:get_global "calls"
      end
      local calls = variable()
      collect()
      crowd()
      assert.equal(3001, calls[1])
      calls[1] = 7
      assert.equal(7, calls[1])
    end)

    it("by a graph that recorded it", function()
      local x, y, z = cn.zeros(1, "int32"), cn.zeros(1), cn.zeros(1)
      local stream = cn.cuda.Stream()
      local function record()
        local kernel = cn.RawKernel(RAW:format(4000), "counts")
        local adds = cn.ElementwiseKernel("T x", "T y", "y = x + 4000.5", "adds")
        local function work()
          kernel({ 1 }, { 1 }, { x })
          adds(y, z)
        end
        stream:with(work)
        stream:begin_capture()
        stream:with(work)
        return stream:end_capture()
      end
      local graph = record()
      collect()
      crowd()
      z:fill(0)
      cn.synchronize()
      graph:launch(stream)
      stream:synchronize()
      assert.equal(4000.5, z[1])
      assert.equal(4001, x[1])
    end)

    it("while cn.prepare has it in mind", function()
      cn.prepare(function()
        for k = 1, 3 do
          cn.ElementwiseKernel("T x", "T y", ("y = x + %d.5"):format(k), "adds")(cn.zeros(1))
          collect()
        end
      end)
      assert.equal(3.5, cn.ElementwiseKernel("T x", "T y", "y = x + 3.5", "adds")(cn.zeros(1))[1])
    end)
  end)
end)

describe("a process with few mappings left", function()
  if process.is_sanitized then return end -- the sanitizer needs mappings too

  -- fill(n) leaves 2 * n mappings, clear() gives all back. With FIRST kernels are only compiled, which takes some too.
  local HEAD = [[
    local cn, ffi = require "cuna", require "ffi"
    cn.device "cpu":use()
    ffi.cdef "void *mmap(void *, size_t, int, int, int, long); int mprotect(void *, size_t, int);"
    ffi.cdef "int munmap(void *, size_t);"
    local NONE, READ, PRIVATE, NBYTES = 0, 1, 0x4022, 2^30
    local base = ffi.cast("char *", ffi.C.mmap(nil, NBYTES, NONE, PRIVATE, -1, 0))
    local function fill(n)
      if os.getenv "FIRST" then return end
      local count = 0
      while 8192 * count < NBYTES and ffi.C.mprotect(base + 8192 * count, 4096, READ) == 0 do count = count + 1 end
      for k = 1, n do ffi.C.mprotect(base + 8192 * (count - k), 4096, NONE) end
    end
    local function clear() ffi.C.munmap(base, NBYTES) end
    local x = cn.ones(3)
    local function adds(k) return cn.ElementwiseKernel("T x", "T y", ("y = x + %d.25"):format(k), "adds") end
    ]]

  local function run(script)
    process.must_run(HEAD .. script, { FIRST = "1" })
    return process.must_run(HEAD .. script)
  end

  it("says so when a kernel has no room", function()
    local text = run [[
      local f = adds(1)
      fill(2)
      local ok, message = pcall(f, x)
      clear()
      print(ok, message)
      print(f(x))]]
    if text:find "^true" then return end -- a system without a limit in reach
    assert(text:find("^false\t[^\n]*child_spec.lua:%d+: cuna: OutOfMemoryError: cpu: cuModuleLoadData failed with "
      .. "CUDA_ERROR_OUT_OF_MEMORY %(the process has %d+ memory mappings, the system allows %d+, and a kernel takes "
      .. "5; drop kernels that are not needed, or raise vm.max_map_count%)\n%[2.25 2.25 2.25%]\n$"), text)
  end)

  it("gives back kernels that were dropped, though the collector did not come by", function()
    assert.equal("24\n", run [[
      collectgarbage "stop"
      fill(30)
      local sum = 0
      for k = 1, 24 do sum = sum + adds(k)(x)[1] - k - 0.25 end
      clear()
      print(sum)]])
  end)
end)
