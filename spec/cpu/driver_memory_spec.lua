-- Managed memory, the stream-ordered pool and kinds of streams and events, by the rows of the driver.
local ffi = require "ffi"
local process = require "spec.support.process"
local simgpu = require "spec.simgpu.driver"
local support = require "spec.support.rows"

local must, out = support.must, support.out

local INVALID_VALUE, INVALID_DEVICE = 1, 101

for _, device in pairs(support.devices()) do
  local rows, is_cpu = device.rows, device.name == "cpu"

  describe("memory of " .. device.name, function()
    local pool

    setup(function()
      device.enter()
      pool = out("void *", rows.cuDeviceGetDefaultMemPool, 0)
    end)
    teardown(device.leave)

    local function count(attribute)
      return tonumber(out("uint64_t", function(to) return rows.cuMemPoolGetAttribute(pool, attribute, to) end))
    end

    it("of the stream-ordered pool is counted", function()
      local threshold = ffi.new("uint64_t[1]", 2 ^ 40)
      must(rows.cuMemPoolSetAttribute(pool, 4, threshold))
      assert.equal(2 ^ 40, count(4))
      must(rows.cuCtxSynchronize())
      must(rows.cuMemPoolTrimTo(pool, 0)) -- what specs before this one have left
      must(rows.cuMemPoolSetAttribute(pool, 8, ffi.new "uint64_t[1]"))
      local p = out("uint64_t", rows.cuMemAllocAsync, 5120, nil)
      local q = out("uint64_t", rows.cuMemAllocAsync, 512, nil)
      assert.same({ 5632, 5632 }, { count(7), count(5) })
      must(rows.cuMemFreeAsync(p, nil))
      assert.equal(512, count(7))
      must(rows.cuMemFree_v2(q))
      must(rows.cuCtxSynchronize())
      assert.same({ 0, is_cpu and 0 or 5632, 5632 }, { count(7), count(5), count(8) })
      must(rows.cuMemPoolTrimTo(pool, 0))
      assert.equal(0, count(5))
      must(rows.cuMemPoolSetAttribute(pool, 8, ffi.new("uint64_t[1]", 0)))
      assert.equal(0, count(8))
      threshold[0] = 0
      must(rows.cuMemPoolSetAttribute(pool, 4, threshold))
      assert.equal(INVALID_VALUE, rows.cuMemPoolSetAttribute(pool, 7, threshold))
      assert.equal(INVALID_VALUE, rows.cuMemPoolGetAttribute(pool, 99, threshold))
      assert.equal(INVALID_VALUE, rows.cuMemPoolTrimTo(nil, 0))
      assert.equal(INVALID_VALUE, rows.cuMemFreeAsync(p, nil))
    end)

    if is_cpu then
      it("may be read behind its end, as OpenBLAS's zdotu and zdotc with strides do", function()
        local nbytes, room = 4 * 2 ^ 20, 2 ^ 20
        local p = out("uint64_t", rows.cuMemAlloc_v2, nbytes)
        local bytes = ffi.cast("const char *", ffi.cast("uintptr_t", p))
        assert.same({0, 0}, {bytes[nbytes], bytes[nbytes + room - 1]})
        must(rows.cuMemFree_v2(p))
      end)
    end

    it("that is managed is the host's as well", function()
      local p = out("uint64_t", rows.cuMemAllocManaged, 4096, 1)
      must(rows.cuMemPrefetchAsync(p, 4096, 0, nil))
      must(rows.cuMemPrefetchAsync(p, 4096, -1, nil))
      must(rows.cuMemAdvise(p, 4096, 3, 0))
      must(rows.cuMemsetD8Async(p, 7, 4096, nil))
      must(rows.cuCtxSynchronize())
      assert.equal(7, ffi.cast("char *", p)[4095])
      for _, result in ipairs { rows.cuMemPrefetchAsync(0, 4096, 0, nil), rows.cuMemPrefetchAsync(p, 0, 0, nil),
        rows.cuMemAdvise(p, 4096, 7, 0), rows.cuMemAdvise(p, 4096, 0, 0),
        rows.cuMemAllocManaged(ffi.new("uint64_t[1]"), 8, 0) } do
        assert.equal(INVALID_VALUE, result)
      end
      assert.equal(INVALID_DEVICE, rows.cuMemPrefetchAsync(p, 4096, 77, nil))
      must(rows.cuMemFree_v2(p))
    end)

    it("is used by streams and events of all kinds", function()
      local least, greatest, made = ffi.new("int[1]", 5), ffi.new("int[1]", 5), ffi.new("void *[1]")
      must(rows.cuCtxGetStreamPriorityRange(least, greatest))
      assert.same({ 0, is_cpu and 0 or -5 }, { least[0], greatest[0] })
      assert.equal(INVALID_VALUE, rows.cuEventCreate(made, 4)) -- interprocess events have no times
      must(rows.cuEventCreate(made, 6))
      must(rows.cuEventRecord(made[0], ffi.cast("void *", 2)))
      must(rows.cuEventSynchronize(made[0]))
      must(rows.cuEventDestroy_v2(made[0]))
      must(rows.cuStreamSynchronize(ffi.cast("void *", 2)))
    end)
  end)
end

if not simgpu.here then return end

describe("the simulated GPU", function()
  it("hands memory of the pool out again where that is legal, and poisons it", function()
    local output = process.run [[
      local ffi, simgpu = require "ffi", require "spec.simgpu.driver"
      local cuda, must = simgpu.cuda, simgpu.must
      simgpu.enter(0)
      local stream = simgpu.stream(1)
      local pool, other = simgpu.out("void *", cuda.cuDeviceGetDefaultMemPool, 0), simgpu.stream(1)
      must(cuda.cuMemPoolSetAttribute(pool, 4, ffi.new("uint64_t[1]", 2 ^ 40)))
      local same, early, poisoned = 0, 0, 0
      local function take(on) return simgpu.out("uint64_t", cuda.cuMemAllocAsync, 4096, on) end
      for _ = 1, 200 do
        local p = take(stream)
        must(cuda.cuMemsetD8Async(p, 0, 4096, stream)) must(cuda.cuMemFreeAsync(p, stream))
        local q = take(stream)
        same = same + (q == p and 1 or 0)
        must(cuda.cuMemsetD8Async(q, 0, 4096, stream)) must(cuda.cuMemFreeAsync(q, stream))
        for _ = 1, 6 do cuda.cuStreamQuery(stream) end
        local r = take(other)
        early = early + (r == q and cuda.cuStreamQuery(stream) ~= 0 and 1 or 0)
        local value = simgpu.read(r, "float", 1, other)[0]
        poisoned = poisoned + (value ~= value and 1 or 0)
        must(cuda.cuMemFreeAsync(r, other))
        must(cuda.cuCtxSynchronize())
      end
      print(same > 0, early, poisoned)
      print(cuda.simgpu_live "allocations")]]
    assert.equal("true\t0\t200\n0\n", output)
  end)
end)

if not simgpu.here then return end

describe("memory of a graph on the simulated GPU", function()
  setup(function() simgpu.enter(0) end)
  teardown(function() must(simgpu.cuda.cuDevicePrimaryCtxRelease_v2(0)) end)

  it("is taken once, until it is given back", function()
    local stream, ptr = simgpu.stream(1), ffi.new("uint64_t[1]")
    local function record(gives_back)
      must(simgpu.cuda.cuStreamBeginCapture_v2(stream, 2))
      must(simgpu.cuda.cuMemAllocAsync(ptr, 100, stream))
      must(simgpu.cuda.cuMemsetD8Async(ptr[0], 1, 100, stream))
      if gives_back then must(simgpu.cuda.cuMemFreeAsync(ptr[0], stream)) end
      local graph = simgpu.out("void *", function(to) return simgpu.cuda.cuStreamEndCapture(stream, to) end)
      local exec = simgpu.out("void *", simgpu.cuda.cuGraphInstantiateWithFlags, graph, 0)
      must(simgpu.cuda.cuGraphDestroy(graph))
      return exec
    end
    local exec = record(false)
    must(simgpu.cuda.cuGraphLaunch(exec, stream))
    assert.equal(INVALID_VALUE, simgpu.cuda.cuGraphLaunch(exec, stream))
    must(simgpu.cuda.cuMemFreeAsync(ptr[0], stream))
    assert.equal(INVALID_VALUE, simgpu.cuda.cuMemFreeAsync(ptr[0], stream))
    must(simgpu.cuda.cuGraphLaunch(exec, stream))
    must(simgpu.cuda.cuMemFreeAsync(ptr[0], stream))
    must(simgpu.cuda.cuGraphExecDestroy(exec))
    exec = record(true)
    for _ = 1, 3 do must(simgpu.cuda.cuGraphLaunch(exec, stream)) end
    must(simgpu.cuda.cuStreamSynchronize(stream))
    must(simgpu.cuda.cuGraphExecDestroy(exec))
    must(simgpu.cuda.cuStreamDestroy_v2(stream))
  end)
end)
