--- Random programs over streams, events, graphs and two devices: what they compute is what plain loops compute, however
--- late the devices are and whatever fails; and the faults are listed that these programs must find.
local cn = require "cuna"
local each_device = require("spec.support.devices").each_device
local faults = require "spec.support.planted_faults"
local process = require "spec.support.process"
local program = require "spec.support.stream_program"
local simgpu = require "spec.simgpu.driver"

local PROGRAMS, FAILURES, DEATHS = process.is_sanitized and 100 or 600, 154, 6

local function partner_of(device)
  local other = device.kind == "cuda" and cn.cuda.device_count() > 1 and cn.cuda.Device(1)
  return other and {device, other} or {device}
end

local function report(seed, steps, message)
  return ("program %d, SIMGPU_SEED=%s: %s\n%s"):format(seed, os.getenv "SIMGPU_SEED" or 1, message,
    program.describe(steps))
end

each_device(function(device)
  describe("a random program over streams", function()
    it("computes what is computed at once", function()
      local devices = partner_of(device)
      for seed = 1, device.kind == "cuda" and PROGRAMS or PROGRAMS / 2 do
        local steps = program.generate(seed)
        local message = program.run(steps, devices, seed)
        if message then error(report(seed, program.shrink(steps, devices, seed), message), 0) end
      end
    end)
  end)
end)

describe("a planted fault", function()
  for _, fault in ipairs(faults.faults) do
    it("has its place: " .. fault.name, function() faults.planted(fault, process.root) end)
  end
end)

if not simgpu.here then return end

local cuda = simgpu.cuda
local OUT_OF_MEMORY, LAUNCH_OUT_OF_RESOURCES, LAUNCH_FAILED, ILLEGAL_ADDRESS = 2, 701, 719, 700

local ROWS = {"cuMemAlloc_v2", "cuMemAllocAsync", "cuMemAllocManaged", "cuMemHostAlloc", "cuMemcpyHtoDAsync_v2",
  "cuMemcpyDtoHAsync_v2", "cuMemcpyDtoDAsync_v2", "cuMemcpyPeerAsync", "cuMemsetD8Async", "cuStreamWaitEvent",
  "cuStreamCreateWithPriority", "cuStreamSynchronize", "cuStreamQuery", "cuEventCreate",
  "cuEventSynchronize", "cuCtxSynchronize", "cuLaunchKernel", "cuStreamBeginCapture_v2",
  "cuGraphInstantiateWithFlags", "cuGraphLaunch"}
local LIVE = {"allocations", "pinned", "streams", "events", "graphs", "instances"}

--- What is there when all garbage is collected and all streams have done their work.
local function live()
  collectgarbage()
  collectgarbage()
  for _, name in ipairs {"cuda:0", "cuda:1"} do
    cn.device(name):with(function()
      cn.synchronize()
      cn.cuda.Stream():free() -- streams without an owner go with it
      cn.get_default_memory_pool():free_all_blocks()
      program.trim(cn.device())
      cn.get_default_pinned_memory_pool():free_all_blocks()
    end)
  end
  local counts = {}
  for i, kind in ipairs(LIVE) do counts[i] = cuda.simgpu_live(kind) end
  return counts
end

local function assert_none_lost(before, after, context)
  for i, kind in ipairs(LIVE) do
    assert(after[i] <= before[i], ("%s: %d %s before, %d after"):format(context, before[i], kind, after[i]))
  end
end

describe("a random program in which a call fails", function()
  after_each(function() cuda.simgpu_reset() end)

  it("ends with one line or with the right values, and loses nothing", function()
    local devices, failed = {cn.device "cuda:0", cn.device "cuda:1"}, 0
    for seed = 1, 20 do program.run(program.generate(seed), devices, seed) end -- kernels, and what is kept
    local before = live()
    for seed = 1, FAILURES do
      local steps, row = program.generate(seed), ROWS[seed % #ROWS + 1]
      local n = seed * 5 % 7 + 1
      local context = ("program %d, call %d of %s fails"):format(seed, n, row)
      cuda.simgpu_reset()
      cuda.simgpu_fail(row, n, row == "cuLaunchKernel" and LAUNCH_OUT_OF_RESOURCES or OUT_OF_MEMORY, 0)
      local message = program.run(steps, devices, seed, function()
        failed = failed + (cuda.simgpu_calls(row) >= n and 1 or 0)
        cuda.simgpu_reset()
      end)
      assert(not message or message:find "cuna: [^\n]+$", ("%s: %s"):format(context, message))
      if seed % 10 == 0 then
        local after = live()
        assert_none_lost(before, after, context)
        before = after
      end
    end
    assert(failed > FAILURES / 8, failed)
  end)
end)

local DEATH = [[
local cn = require "cuna"
local program = require "spec.support.stream_program"
local devices = {cn.device "cuda:0", cn.device "cuda:1"}
for seed = %d, %d do
  local message = program.run(program.generate(seed), devices, seed)
  if message then
    print(message)
    break
  end
end
cn.device("cpu"):with(function() print((cn.arange(3) + 1):sum():item()) end)
]]

describe("a device that dies in a random program", function()
  it("says so at a later call, and is never wrong", function()
    for k = 1, DEATHS do
      local row = k % 3 == 0 and "cuMemcpyDtoHAsync_v2" or "cuLaunchKernel"
      local code = k % 2 == 0 and LAUNCH_FAILED or ILLEGAL_ADDRESS
      local failure = ("%s:%d=%d!"):format(row, 5 + 37 * k, code) -- and later ones: one in a graph may never run
      local output, status = process.run(DEATH:format(k * 500, k * 500 + 400), {SIMGPU_FAIL = failure,
        CUNA_DEVICE = "cpu"})
      assert(status == 0, failure .. ": " .. output)
      assert(output:find "cuna: DeviceError: [^\n]*dead[^\n]*\n6\n$", ("%s: %s"):format(failure, output))
    end
  end)
end)

local FIRST = [[
local cn = require "cuna"
local function check(name)
  cn.device(name):use()
  local pool = cn.cuda.MemoryPool()
  cn.cuda.set_allocator(pool)
  local results, blocks = {}, {}
  for i = 1, 20 do
    local x = cn.empty(1000):fill(i)
    results[i] = x * 1
    x:free()
  end
  pool:set_limit(pool:total_bytes())
  cn.cuda.Stream{non_blocking = true}:with(function()
    for i = 1, 20 do
      local ok, block = pcall(cn.empty, 1000)
      if ok then blocks[i] = block:fill(-1) end
    end
    cn.cuda.get_current_stream():synchronize()
  end)
  assert(#blocks > 0, "no memory changed hands")
  for i = 1, 20 do
    if results[i][500] ~= i then return "wrong" end
  end
  return "right"
end
print(check "cuda:0", check "cuda:1")
]]

describe("a device's second stream", function()
  it("does not take memory from work that the default stream was given before", function()
    assert.equal("right\tright\n", process.must_run(FIRST, {CUNA_DEVICE = "cpu"}))
  end)
end)

local REHEARSAL = [[
local cn = require "cuna"
local stream, pool = cn.cuda.Stream {non_blocking = true}, cn.cuda.MemoryPool()
cn.cuda.set_allocator(pool)
local sources, results, taken = {}, {}, 0
for i = 1, 200 do
  sources[i] = cn.empty(1000):fill(i)
  results[i] = sources[i] * 1
end
for _, x in ipairs(sources) do x:free() end
pool:set_limit(pool:total_bytes())
stream:with(cn.prepare, function()
  for _ = 1, 200 do taken = taken + (pcall(cn.empty, 1000) and 1 or 0) end
end)
stream:synchronize()
assert(taken == 200, "no memory changed hands")
for i = 1, 200 do assert(results[i][500] == i, "a rehearsal wrote to memory that was in use") end
]]

describe("the zeros of a rehearsal", function()
  it("wait for those who use the memory", function() process.must_run(REHEARSAL, {CUNA_DEVICE = "cuda:0"}) end)
end)
