--- cn.cuda.runtime: CuPy's names for CUDA's runtime: devices, memory, streams, events.
local cn = require "cuna"
local devices = require "spec.support.devices"
local ffi = require "ffi"
local raises = require("spec.support.raises").raises

local R = cn.cuda.runtime
local has_cuda = cn.cuda.device_count() > 0

describe("cn.cuda.runtime", function()
  it("counts devices", function()
    assert.equal(cn.cuda.device_count(), R.getDeviceCount())
    for _, id in ipairs {"cuda:0", -1, 0.5} do
      raises("cuda.runtime.setDevice: device is CUDA's number of one, a whole number from 0 on, got ", function()
        R.setDevice(id)
      end)
    end
    if not has_cuda then return end
    raises("there is no device 'cuda:31'", function() R.getDeviceProperties(31) end)
  end)

  it("names what is written otherwise", function()
    raises("cuda.runtime has no function 'hostAlloc'; did you mean 'cn.empty_pinned'?", function()
      return (R.hostAlloc)
    end)
    raises("cuda.runtime has no function 'CUDARuntimeError'; did you mean 'message:find \"DeviceError\"'?", function()
      return (R.CUDARuntimeError)
    end)
    raises('cuda.runtime has no function \'cudaDevAttrWarpSize\'; did you mean \'deviceGetAttribute("WarpSize", 0)\'?',
      function()
      return (R.cudaDevAttrWarpSize)
    end)
    raises("cuda.runtime has no function 'getDeviceCuont'; did you mean 'getDeviceCount'?", function()
      return (R.getDeviceCuont)
    end)
    raises("cuda.runtime.getDeviceCount: a function of cn.cuda.runtime is called with a dot", function()
      R:getDeviceCount()
    end)
  end)
end)

devices.each_device(function(device)
  local is_cuda = device.kind == "cuda"

  it("has the current device", function()
    R.deviceSynchronize()
    local free, total = R.memGetInfo()
    assert.is_true(free > 0 and free <= total and total == device.total_memory)
    if not is_cuda then
      raises("cuda.get_device_id: the current device is cpu", function() R.getDevice() end)
      return
    end
    assert.equal(0, R.getDevice())
    for id = 0, R.getDeviceCount() - 1 do
      R.setDevice(id)
      assert.equal(cn.cuda.Device(id), cn.device())
      assert.equal(id, R.deviceGetByPCIBusId(R.deviceGetPCIBusId(id):upper()))
    end
    device:use()
    raises('cuda.runtime.deviceGetByPCIBusId: there is no CUDA device at "ffff:00:00.0"', function()
      R.deviceGetByPCIBusId "ffff:00:00.0"
    end)
  end)

  it("has the device's properties", function()
    if not is_cuda then return end
    local found, attributes = R.getDeviceProperties(0), device.attributes
    assert.same({device.model, device.total_memory}, {found.name, found.totalGlobalMem})
    assert.equal(device.compute_capability, ("%d%d"):format(found.major, found.minor))
    assert.equal(attributes.MultiProcessorCount, found.multiProcessorCount)
    assert.equal(attributes.MaxSharedMemoryPerBlock, found.sharedMemPerBlock)
    assert.same({attributes.MaxBlockDimX, attributes.MaxBlockDimY, attributes.MaxBlockDimZ}, found.maxThreadsDim)
    assert.same({attributes.PciBusId, attributes.L2CacheSize, attributes.EccEnabled},
      {found.pciBusID, found.l2CacheSize, found.ECCEnabled})
    assert.equal(attributes.WarpSize, R.deviceGetAttribute("WarpSize", 0))
    assert.equal(attributes.WarpSize, R.deviceGetAttribute("cudaDevAttrWarpSize", 0))
    raises("the device has no property 'multiprocessorCount'; did you mean 'multiProcessorCount'?", function()
      return (found.multiprocessorCount)
    end)
    raises("the device has no attribute 'WarpSise'", function() R.deviceGetAttribute("WarpSise", 0) end)
    raises('cuda.runtime.deviceGetAttribute: attrib is a name such as "MultiProcessorCount", got 10', function()
      R.deviceGetAttribute(10, 0)
    end)
  end)

  it("has a place for every property in the device's attributes", function()
    if not is_cuda then return end
    local found = R.getDeviceProperties(0)
    for _, name in ipairs {"clockRate", "memoryBusWidth", "maxGridSize", "maxTexture3D", "regsPerMultiprocessor",
      "maxBlocksPerMultiProcessor", "totalConstMem", "singleToDoublePrecisionPerfRatio"} do
      assert.not_nil(rawget(found, name), name)
    end
    assert.equal(3, #found.maxTexture2DLinear)
  end)

  it("has versions as CUDA's numbers", function()
    if not is_cuda then return end
    local driver, toolkit = R.driverGetVersion(), R.runtimeGetVersion()
    assert.is_true(driver >= 12000 and driver % 10 == 0 and toolkit >= 12000 and toolkit % 10 == 0)
    assert.equal(toolkit, cn.cuda.get_local_runtime_version())
  end)

  it("copies in all four directions, and finds the direction", function()
    local from, to = R.malloc(8), R.malloc(8)
    local host, back = ffi.new("char[8]", "abcdefg"), ffi.new "char[8]"
    local function read() return ffi.string(back, 7) end
    R.memcpy(from, host, 8, R.memcpyHostToDevice)
    R.memcpy(to, from, 8, R.memcpyDeviceToDevice)
    R.memcpy(back, to, 8, R.memcpyDeviceToHost)
    assert.equal("abcdefg", read())
    R.memcpy(back, ffi.cast("const char *", "ABCDEFG"), 7, R.memcpyHostToHost)
    assert.equal("ABCDEFG", read())
    R.memcpy(to, "xyz", 3)
    R.memcpy(back, to, 8, R.memcpyDefault)
    assert.equal("xyzdefg", read())
    R.memset(to + 1, 65, 2)
    R.memcpy(back, to, 3, {kind = R.memcpyDeviceToHost})
    assert.equal("xAAdefg", read())
    R.free(from)
    raises("cuda.runtime.memcpy: the allocation of 8 bytes was freed", function() R.memcpy(from, to, 8) end)
    R.free(from) -- has no effect
  end)

  it("copies and fills in stream order", function()
    local stream = R.streamCreateWithFlags(R.streamNonBlocking)
    local mem, pinned = cn.cuda.alloc(4), cn.zeros_pinned(4, "uint8")
    R.streamSynchronize(0) -- alloc's memory is of the default stream
    R.memsetAsync(mem, 5, 4, stream)
    R.memcpyAsync(pinned, mem, 4, R.memcpyDeviceToHost, stream)
    R.streamSynchronize(stream)
    assert.same({5, 5, 5, 5}, pinned:totable())
    R.streamDestroy(stream)
  end)

  it("reports copies that it does not do", function()
    local mem = R.malloc(8)
    raises("cuda.runtime.memcpy: 9 bytes do not fit: dst has 8, src has 16", function()
      R.memcpy(mem, ("x"):rep(16), 9)
    end)
    raises("cuda.runtime.memcpy: kind is 0 to 4, such as cn.cuda.runtime.memcpyHostToDevice, got 5", function()
      R.memcpy(mem, "x", 1, 5)
    end)
    raises("cuda.runtime.memcpy: src is device memory", function() R.memcpy(mem, "x", 1, R.memcpyDeviceToDevice) end)
    raises("cuda.runtime.memcpy: size is a count, got nil", function() R.memcpy(mem, "x") end)
    raises("cuda.runtime.memset: byte is 0 to 255, got 256", function() R.memset(mem, 256, 1) end)
    raises("cuda.runtime.memset: ptr is device memory", function() R.memset(94817, 0, 1) end)
    raises("cuda.runtime.free: ptr is memory of cn.cuda.runtime.malloc, got a cuna array; write x:free()", function()
      R.free(cn.zeros(2))
    end)
  end)

  it("has streams and events", function()
    local stream, first, last = R.streamCreate(), R.eventCreate(), R.eventCreate()
    R.eventRecord(first, stream)
    stream:with(function() return cn.zeros(4) end)
    R.eventRecord(last, stream)
    R.streamWaitEvent(0, last)
    R.eventSynchronize(last)
    assert.is_true(R.eventElapsedTime(first, last) >= 0)
    assert.equal(R.cudaSuccess, R.eventQuery(last))
    R.streamSynchronize(stream)
    assert.equal(R.cudaSuccess, R.streamQuery(stream))
    if device.model == "Simulated GPU" then -- work runs as late as it may
      local x = stream:with(cn.zeros, 1000)
      stream:with(function()
        for _ = 1, 20 do cn.evaluate(x:add_(1)) end
      end)
      R.eventRecord(last, stream)
      assert.same({R.cudaErrorNotReady, R.cudaErrorNotReady}, {R.streamQuery(stream), R.eventQuery(last)})
      R.streamSynchronize(stream)
    end
    R.eventDestroy(first)
    R.streamDestroy(stream)
    assert.equal(-1 * (is_cuda and 1 or 0), math.min(0, R.streamCreateWithPriority(0, is_cuda and -1 or 0).priority))
    raises("cuda.runtime.streamSynchronize: stream is a stream, not its ptr, or 0 for the default one; got 94817",
      function() R.streamSynchronize(94817) end)
    raises("cuda.runtime.eventRecord: event is an event, not its ptr; got 1", function() R.eventRecord(1, 0) end)
    raises("cuda.runtime.streamCreateWithFlags: flags are at most 1, got 2", function()
      R.streamCreateWithFlags(2)
    end)
    raises("cuda.Event: an interprocess event cannot record times", function()
      R.eventCreateWithFlags(R.eventInterprocess)
    end)
  end)
end)
