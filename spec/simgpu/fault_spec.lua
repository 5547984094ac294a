-- Every driver call of some scenarios fails, one after another: one clear line, nothing lost, and the device goes on.
local process = require "spec.support.process"
local simgpu = require "spec.simgpu.driver"

if not simgpu.here then return end

local scenarios = require "spec.simgpu.scenarios"
local cuda = simgpu.cuda

local OUT_OF_MEMORY, LAUNCH_OUT_OF_RESOURCES, LAUNCH_FAILED, ILLEGAL_ADDRESS = 2, 701, 719, 700
local CONTAINED, MPS_CLIENT_TERMINATED = 226, 810
local NVRTC_OUT_OF_MEMORY, CUBLAS_ALLOC_FAILED, CUSOLVER_ALLOC_FAILED = 1, 3, 2
local CUFFT_ALLOC_FAILED, CURAND_ALLOCATION_FAILED = 2, 102

-- Rows that describe errors or release objects: their failures are not reported.
local SILENT = { cuGetErrorName = true, cuGetErrorString = true, cuMemFree_v2 = true, cuMemFreeHost = true,
  cuStreamDestroy_v2 = true, cuEventDestroy_v2 = true, cuModuleUnload = true, nvrtcDestroyProgram = true,
  nvrtcGetProgramLogSize = true, nvrtcGetProgramLog = true, cuDevicePrimaryCtxRelease_v2 = true,
  cuGraphDestroy = true, cuGraphExecDestroy = true, cufftDestroy = true, curandDestroyGenerator = true,
  cuArrayDestroy = true, cuTexObjectDestroy = true, cuSurfObjectDestroy = true,
  cublasLtMatmulDescDestroy = true, cublasLtMatrixLayoutDestroy = true, cublasLtMatmulPreferenceDestroy = true,
  cuCtxSetCurrent = true } -- which comes before giving back

local MOST = 60 -- the last call of one row in one scenario that is made to fail
local EACH = 6 -- calls that all are; then every fourth

--- The result of a row when there is no memory.
local function code_of(row)
  if row:find "^nvrtc" then return NVRTC_OUT_OF_MEMORY end
  if row:find "^cublas" then return CUBLAS_ALLOC_FAILED end
  if row:find "^cusolver" then return CUSOLVER_ALLOC_FAILED end
  if row:find "^cufft" then return CUFFT_ALLOC_FAILED end
  if row:find "^curand" then return CURAND_ALLOCATION_FAILED end
  return OUT_OF_MEMORY
end

-- Rows that take no memory of a device, whose pools could make room; and one whose work cannot be done again.
local ONCE = { cuInit = true, cuCtxSetCurrent = true, cuStreamEndCapture = true }

--- The ways a row fails without ending its context: a code, whether for ever, and whether work goes on all the same.
local function failures_of(row)
  local survives = not ONCE[row] and not row:find "^nvrtc"
  local ways = { { code = code_of(row), forever = 0, survives = survives }, { code = code_of(row), forever = 1 } }
  if row == "cuLaunchKernel" then
    ways[3], ways[4] = { code = LAUNCH_OUT_OF_RESOURCES, forever = 0 }, { code = LAUNCH_OUT_OF_RESOURCES, forever = 1 }
  end
  return ways
end

local function assert_one_line(message, context)
  local said = message:match "^[^\n]-:%d+: cuna: ([^\n]+)$"
  assert(said, context .. ": not one line of cuna's: " .. message)
end

local LIVE = { "allocations", "streams", "modules", "arrays", "textures", "surfaces" }
local MOST_KERNELS = 3 -- of a scenario: what a failure leaves recorded becomes other kernels, which stay loaded

local function count_live(name)
  local counts = { scenarios.settle(name) }
  for i, kind in ipairs(LIVE) do counts[i + 1] = cuda.simgpu_live(kind) end
  return counts
end

--- What is there when garbage is collected: once, or again for what finalizers let go of, where more is there.
local function live(name, before)
  local counts = count_live(name)
  for i, count in ipairs(counts) do
    if not before or count > before[i] then return count_live(name) end
  end
  return counts
end

describe("a driver call that fails", function()
  after_each(function() cuda.simgpu_reset() end)

  for _, name in ipairs(scenarios.names) do
    it("in the scenario '" .. name .. "' costs nothing but the operation", function()
      assert.is_nil(scenarios.run(name)) -- compiles and loads
      local before, wrong = live(name), {}
      local room = {modules = MOST_KERNELS}
      local failures = 0
      for _, row in ipairs(simgpu.rows_of(function() assert.is_nil(scenarios.run(name)) end)) do
        for _, way in ipairs(failures_of(row)) do
          local n = 0
          while n < MOST do
            n = n + (n < EACH and 1 or 4)
            local context = ("%s call %d of %s fails with %d%s"):format(name, n, row, way.code,
              way.forever == 1 and " for ever" or "")
            cuda.simgpu_reset()
            cuda.simgpu_fail(row, n, way.code, way.forever)
            local message = scenarios.run(name)
            local reached = cuda.simgpu_calls(row) >= n
            cuda.simgpu_reset()
            if message then assert_one_line(message, context) end
            if message then assert(reached, context .. ": failed by itself: " .. message) end
            if way.survives and message then wrong[#wrong + 1] = context .. ": " .. message end
            failures = failures + (message and 1 or 0)
            local after = live(name, before)
            for i = 1, #before do
              local kind = i == 1 and "bytes in use" or LIVE[i - 1]
              local more = after[i] - before[i]
              assert(SILENT[row] or more <= (room[kind] or 0), ("%s: %s: %d before, %d after"):format(context, kind,
                before[i], after[i]))
              if room[kind] and more > 0 then room[kind] = room[kind] - more end
              before[i] = after[i] -- less: what specs before this one left behind was collected meanwhile
            end
            if not reached then break end
          end
        end
      end
      assert.same({}, wrong)
      assert.is_nil(scenarios.run(name))
      assert.is_true(failures > 0)
    end)
  end
end)

local CHILD = [[
local simgpu = require "spec.simgpu.driver"
local scenarios = require "spec.simgpu.scenarios"
print("first", scenarios.run(%s))
print("calls", simgpu.cuda.simgpu_calls(%q))
simgpu.cuda.simgpu_reset()
print("then", scenarios.run(%s))
print("settled", pcall(scenarios.settle))
]]

--- Runs scenarios in a process of their own in which a row fails; what it said, as a table.
local function run_child(row, n, code, forever, name, environment)
  environment = environment or {}
  environment.SIMGPU_FAIL = ("%s:%d=%d%s"):format(row, n, code, forever and "!" or "")
  local which = name and ("%q"):format(name) or ""
  local output, status = process.run(CHILD:format(which, row, which), environment)
  local context = ("%s: %s"):format(environment.SIMGPU_FAIL, output)
  assert(status == 0, context)
  local first, calls, after = output:match "first\t([^\n]*)\ncalls\t(%d+)\nthen\t([^\n]*)\nsettled"
  assert(first, context)
  return { first = first, calls = tonumber(calls), after = after, context = context }
end

describe("a driver call that fails while CUDA starts or a kernel is made", function()
  local folder
  setup(function() folder = process.folder() end)
  teardown(function() process.remove(folder) end)

  it("is one line, and the next try succeeds", function()
    local STARTS = { "cuInit", "cuDriverGetVersion", "cuDeviceGetCount", "cuDeviceGet", "cuDeviceGetName",
      "cuDeviceGetAttribute", "cuDevicePrimaryCtxRetain", "cuCtxGetCurrent", "cuCtxSetCurrent", "cuMemGetInfo_v2",
      "cuModuleLoadData", "cuModuleGetFunction", "cuMemHostAlloc", "cuStreamCreateWithPriority", "cuEventCreate",
      "nvrtcVersion", "nvrtcGetNumSupportedArchs", "nvrtcGetSupportedArchs", "cublasCreate_v2", "cusolverDnCreate",
      "cusolverDnCreateParams", "cusolverDnCreateGesvdjInfo" }
    for _, row in ipairs(STARTS) do
      for n = 1, 2 do
        local scenario = row:find "^cu%l" and "lapack" or "add"
        local child = run_child(row, n, code_of(row), false, scenario, { CUNA_CACHE_DIR = folder })
        if child.first ~= "nil" then assert_one_line(child.first, child.context) end
        -- what was found out while loading the libraries is not asked again
        local once = row == "cuInit" or row == "cuDriverGetVersion" or row:find "^nvrtc"
        if once and child.after ~= "nil" then assert_one_line(child.after, child.context)
        else assert(child.after == "nil", child.context) end
        if child.calls < n then break end
      end
    end
  end)

  it("finds room in what the pool keeps, without a collection", function()
    local ROWS = { cuModuleLoadData = "add", cuModuleGetFunction = "add", cuMemHostAlloc = "create",
      cuStreamCreateWithPriority = "streams", cuEventCreate = "streams", cuGraphInstantiateWithFlags = "graph",
      cuGraphLaunch = "graph", cuArray3DCreate_v2 = "textures", cuTexObjectCreate = "textures",
      cuSurfObjectCreate = "textures", cuMemcpy3DAsync_v2 = "textures", cublasCreate_v2 = "products",
      cusolverDnCreate = "lapack", cusolverDnCreateGesvdjInfo = "lapack", cufftCreate = "fft",
      cufftXtMakePlanMany = "fft", curandCreateGenerator = "random" }
    for row, name in pairs(ROWS) do
      local output, status = process.run(([[
        local cn = require "cuna"
        local scenarios, simgpu = require "spec.simgpu.scenarios", require "spec.simgpu.driver"
        cn.evaluate(cn.zeros(2^24, "uint8")):free()
        simgpu.cuda.simgpu_fail("%s", 1, %d, 0)
        print(scenarios.run "%s", simgpu.cuda.simgpu_calls "cuMemFree_v2" > 0, cn.gc_stats().needed)]]):format(row,
          code_of(row), name), { CUNA_DEVICE = "cuda:0", CUNA_CACHE_DIR = folder })
      assert.same({ "nil\ttrue\t0\n", 0 }, { output, status }, row)
    end
  end)

  it("finds room in a full device, by a collection where arrays are garbage", function()
    local output, status = process.run([[
      local cn = require "cuna"
      local stream = cn.cuda.Stream()
      local x, y = cn.arange(3, "float32"), cn.zeros(3, "float32")
      local function capture()
        return stream:with(function()
          stream:begin_capture()
          cn.add(x, 1, { out = y })
          return stream:end_capture()
        end)
      end
      capture():free()
      local function fill() -- with arrays of 2 MiB, which is what a graph takes too
        local kept = {}
        while cn.device().mem_info.free >= 2^21 do kept[#kept + 1] = cn.empty(2^21, "uint8") end
        return kept
      end
      collectgarbage "stop"
      for _, array in ipairs(fill()) do array:free() end
      local cached = cn.device().mem_info.free
      capture():free()
      fill()
      local before = cn.gc_stats().needed
      local graph = capture()
      graph:launch()
      stream:synchronize()
      print(cached < 2^21, before, y[1], cn.gc_stats().needed)
      graph:free()
      local kept = fill()
      local ok, message = pcall(capture)
      print(ok, #kept > 0, message)]], { CUNA_DEVICE = "cuda:0", SIMGPU_MEMORY = "64M", CUNA_CACHE_DIR = folder })
    assert.equal(0, status, output)
    assert.has.match("^true\t0\t1\t1\nfalse\ttrue\t[^\n]*OutOfMemoryError: cuda:0: cuGraphInstantiate failed with "
      .. "[^\n]*\n$", output)
  end)

  it("takes what libraries say of a full device for want of memory, but not of work that has begun", function()
    local NOT_INITIALIZED, CUSOLVER_INTERNAL, CUBLAS_INTERNAL = 1, 7, 14
    local SCRIPT = [[
      local cuda, scenarios = require "spec.simgpu.driver".cuda, require "spec.simgpu.scenarios"
      for _, case in ipairs { { "cublasCreate_v2", %d, "products" }, { "cusolverDnCreateParams", %d, "lapack" },
        { "cublasLtMatmul", %d, "products" } } do
        cuda.simgpu_fail(case[1], 1, case[2], 0)
        print(((scenarios.run(case[3]) or "survived"):gsub("^[^\n]-cuna: ", ""):match "^%%w+"))
      end]]
    for memory, expected in pairs { ["128M"] = "survived\nsurvived\nDeviceError\n",
      ["8G"] = "DeviceError\nDeviceError\nDeviceError\n" } do
      local output = process.must_run(SCRIPT:format(NOT_INITIALIZED, CUSOLVER_INTERNAL, CUBLAS_INTERNAL),
        { CUNA_CACHE_DIR = folder, SIMGPU_MEMORY = memory })
      assert.equal(expected, output)
    end
  end)

  it("leaves no share of the memory as a limit unknown", function()
    local script = "local cn = require 'cuna' print(pcall(cn.device, 'cuda:0')) print(cn.device 'cuda:0'.memory.limit)"
    local output = process.run(script, { SIMGPU_FAIL = "cuMemGetInfo_v2:1=999", SIMGPU_MEMORY = "1000000000",
      CUNA_MEMORY_LIMIT = "50%", CUNA_DEVICE = "cpu" })
    assert.matches("^false\t[^\n]*cuMemGetInfo failed[^\n]*\n500000000\n$", output)
  end)

  it("and no image is in the cache is one line too", function()
    for _, row in ipairs { "nvrtcCreateProgram", "nvrtcCompileProgram", "nvrtcGetCUBINSize", "nvrtcGetCUBIN",
      "nvrtcGetProgramLogSize", "nvrtcGetProgramLog", "nvrtcAddNameExpression", "nvrtcGetLoweredName" } do
      local scenario = row:find "Name" and "raw" or "create"
      local child = run_child(row, 1, code_of(row), false, scenario, { CUNA_CACHE_DIR = "off", SIMGPU_NVRTC = "" })
      if child.first ~= "nil" then assert_one_line(child.first, child.context) end
      assert(child.after == "nil", child.context)
    end
  end)
end)

describe("a device that died", function()
  it("says so, and since which kernel, to every later call", function()
    for _, row in ipairs { "cuLaunchKernel", "cuMemcpyHtoDAsync_v2", "cuMemcpyDtoHAsync_v2", "cuMemAlloc_v2",
      "cuStreamSynchronize", "cuCtxSynchronize", "cuMemFree_v2", "cusolverDnXpotrf", "cublasDtrsmBatched_64" } do
      for n, code in ipairs { ILLEGAL_ADDRESS, LAUNCH_FAILED } do
        local child = run_child(row, n, code, false)
        if child.first ~= "nil" then
          assert_one_line(child.first, child.context)
          assert_one_line(child.after, child.context)
          assert(child.after:find("cuda:%d is dead since"), child.context)
        end
      end
    end
  end)

  it("is dead after each sticky error of the driver", function()
    for _, code in ipairs { CONTAINED, MPS_CLIENT_TERMINATED } do
      local child = run_child("cuLaunchKernel", 1, code, false)
      assert(child.first:find("the device is dead", 1, true), child.context)
      assert(child.after:find("cuda:%d is dead since"), child.context)
    end
  end)

  it("leaves pointers to the host's memory in use", function()
    local output, status = process.run([[
      local cn = require "cuna"
      local x = cn.array({ 5 }, { device = "cpu" })
      print(require "spec.simgpu.scenarios".run "add" ~= nil)
      cn.device("cuda:0"):use()
      print(x:pointer()[0])]], { SIMGPU_FAIL = "cuLaunchKernel:1=700", CUNA_DEVICE = "cpu" })
    assert.same({ "true\n5\n", 0 }, { output, status })
  end)

  it("leaves the cpu device and the other GPU in use", function()
    local output, status = process.run([[
      local cn = require "cuna"
      local scenarios = require "spec.simgpu.scenarios"
      print(scenarios.run "add" ~= nil)
      cn.device("cpu"):with(function() print((cn.arange(3) + 1):sum():item()) end)
      cn.device("cuda:1"):with(function() print((cn.arange(3) + 1):sum():item()) end)]],
      { SIMGPU_FAIL = "cuLaunchKernel:1=700" })
    assert.same({ "true\n6\n6\n", 0 }, { output, status })
  end)
end)
