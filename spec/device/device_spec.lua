--- Devices as objects: names, fields, what is current, the default one, and what happens where there is none.
local cn = require "cuna"
local core = require "cuna.core"
local devices = require "spec.support.devices"
local process = require "spec.support.process"
local raises = require("spec.support.raises").raises

local count = cn.cuda.device_count()

-- A process that finds no GPU, whatever this machine has.
local NO_CUDA = {LD_LIBRARY_PATH = false, CUDA_VISIBLE_DEVICES = "-1", CUNA_DEVICE = false}

describe("the name of a device", function()
  it("is cpu, cuda:0, cuda:1, ...; objects are interned", function()
    assert.equal(cn.device "cpu", cn.device(cn.device "cpu"))
    assert.is_true(cn.device "cpu" == cn.zeros(2, {device = "cpu"}).device)
    for id = 0, count - 1 do
      local device = cn.device("cuda:" .. id)
      assert.equal(device, cn.cuda.Device(id))
      assert.same({"cuda:" .. id, "cuda", id}, {device.name, device.kind, device.id})
    end
    if count > 0 then assert.equal(cn.device "cuda", cn.device "cuda:0") end
  end)

  it("that is unknown is reported with the known ones", function()
    for _, name in ipairs {"gpu", "cuda:", "cuda:-1", "cuda:01", "cuda:1x", "cuda:99999999999", "CPU", "cpu:0", ""} do
      raises(("there is no device '%s'; this machine has cpu"):format(name), function() return (cn.device(name)) end)
    end
    raises("device: a function of cuna is called with a dot: cn.device(", function() return (cn:device "cpu") end)
    raises("device: expected a device or its name", function() return (cn.device(3)) end)
  end)

  it("has a number within what there is", function()
    local expected = count == 0 and "DeviceError: device 'cuda:31' cannot be used: "
      or ("there is no device 'cuda:31'; this machine has %d CUDA device"):format(count)
    raises(expected, function() return (cn.device "cuda:31") end)
    raises(expected, function() return (cn.cuda.Device(31)) end)
  end)
end)

devices.each_device(function(device)
  it("has fields of memory", function()
    local info, memory = device.mem_info, device.memory
    assert.is_true(device.total_memory > 2 ^ 20)
    assert.is_true(info.free > 0 and info.free <= info.total)
    assert.equal(info.total, memory.device_total)
    assert.equal(memory.total_bytes, memory.used_bytes + memory.free_bytes)
  end)

  it("has attributes by CUDA's names", function()
    local attributes = device.attributes
    assert.is_true(attributes.MaxThreadsPerBlock >= 1 and attributes.MultiProcessorCount >= 1)
    for name, value in pairs(attributes) do
      assert.is_true(name:find "^%u%w+$" ~= nil and value == math.floor(value), name)
    end
    raises("the device has no attribute 'MultiprocessorCount'; did you mean 'MultiProcessorCount'?", function()
      return (attributes.MultiprocessorCount)
    end)
  end)

  it("names the field that was meant", function()
    raises("a device has no field 'total_memroy'; there are ", function() return (device.total_memroy) end)
    local _, message = pcall(function() return (device.total_memroy) end)
    assert.has.match("did you mean 'total_memory'%?$", message)
    raises("a device's field 'name' cannot be assigned", function() device.name = "x" end)
    raises("a device has no field '1'", function() return (device[1]) end)
  end)

  it("says what it is", function()
    assert.is_true(#device.model > 0)
    assert.equal(("<device %s: %s>"):format(device.name, device.model), tostring(device))
  end)

  it("has the fields of its kind", function()
    if device.kind == "cuda" then
      assert.has.match("^%d%d%d?$", device.compute_capability)
      assert.equal(tonumber(device.compute_capability),
        10 * device.attributes.ComputeCapabilityMajor + device.attributes.ComputeCapabilityMinor)
      assert.has.match("^%x+:%x+:%x+%.%x$", device.pci_bus_id)
      assert.is_true(device.attributes.WarpSize >= 1)
    else
      raises("device cpu has no compute capability: that is a field of CUDA devices", function()
        return (device.compute_capability)
      end)
      raises("device cpu has no PCI bus id: that is a field of CUDA devices", function()
        return (device.pci_bus_id)
      end)
    end
  end)

  it("is where arrays are made and moved to", function()
    assert.equal(device, cn.zeros(3).device)
    local host = cn.array({1, 2, 3}, {device = "cpu"})
    local x = cn.asarray(host)
    assert.equal(device, x.device)
    assert.same({1, 2, 3}, x:totable())
    assert.equal(device, host:to(device).device)
    assert.equal(cn.device "cpu", x:get().device)
    assert.is_true(rawequal(x, cn.asarray(x)) and rawequal(x, x:to(device.name)))
    device:synchronize()
  end)

  it("is current inside with, and as long as use says", function()
    local host, before = cn.device "cpu", cn.device()
    assert.equal("cpu", host:with(function() return cn.device().name end))
    assert.equal(before, cn.device())
    assert.is_false((pcall(host.with, host, error)))
    assert.equal(before, cn.device())
    assert.equal(host, host:use())
    assert.equal(host, cn.device())
    before:use()
  end)
end)

if count > 0 then
  it("arrays of two devices do not meet, and the line says how to move one", function()
    local x, y = cn.ones(3, {device = "cpu"}), cn.ones(3, {device = "cuda:0"})
    raises("add: one array is on cpu and another on cuda:0; move one with x:to(\"cpu\")", function()
      return (x + y)
    end)
  end)

  it("arrays of two devices do not meet in what is made of several operations either", function()
    local x, y = cn.ones(3, {device = "cpu"}), cn.ones(3, {device = "cuda:0"})
    local calls = {
      [".."] = function() return (x .. y) end,
      ["=="] = function() return (x == y) end,
      array_equal = function() return (cn.array_equal(x, y:reshape(1, 3))) end,
      concatenate = function() return (cn.concatenate {x, y}) end,
      stack = function() return (cn.stack {x, y}) end,
      vstack = function() return (cn.vstack {{1, 2, 3}, x, y}) end,
      hstack = function() return (cn.hstack {x, y}) end,
      full_like = function() return (cn.full_like(x, y)) end,
      full = function() return (cn.full(3, y, {device = "cpu"})) end,
    }
    for name, call in pairs(calls) do
      raises(("%s: one array is on cpu and another on cuda:0; move one with x:to(\"cpu\")"):format(name), call)
    end
    raises("concatenate: one array is on cuda:0 and another on cpu", function()
      return (cn.concatenate({y, y}, {out = cn.empty(6, {device = "cpu"})}))
    end)
  end)
end

it("a nested table is made on the device of the arrays beside it, whatever its place", function()
  local here = cn.device(count > 0 and "cuda:0" or "cpu")
  for _, name in ipairs {"cpu", here.name} do
    local other = name == "cpu" and here or cn.device "cpu"
    local x = cn.arange(3, {device = name})
    other:with(function()
      local found = {
        {1, 2, 3} + x, x + {1, 2, 3}, cn.hypot({1, 1, 1}, x), cn.where({true, false, true}, 1, x),
        cn.where({true, false, true}, x, {7, 8, 9}), cn.clip({1, 5, 9}, x, 3), cn.clip({1, 5, 9}, {max = x}),
        {1, 2} .. x, x .. {1, 2}, cn.concatenate {{1, 2}, x}, cn.stack {{1, 2, 3}, x}, cn.vstack {{1, 2, 3}, x},
        cn.hstack {1, x},
      }
      for i, y in ipairs(found) do assert.equal(name, y.device.name, i) end
      assert.same({1, 3, 5}, found[1]:totable())
      assert.is_true(cn.array_equal({0, 1, 2}, x))
    end)
  end
end)

it("a device's functions are called with a colon", function()
  local device = cn.device "cpu"
  for _, name in ipairs {"use", "with", "synchronize"} do
    raises(("%s: a device's function is called with a colon: device:%s()"):format(name, name), function()
      device[name]()
    end)
  end
end)

it("synchronize takes a device", function()
  cn.synchronize "cpu"
  cn.synchronize(cn.device())
  raises("there is no device 'gpu'", function() cn.synchronize "gpu" end)
  raises("cuda.synchronize: cpu is not a CUDA device; ", function() cn.cuda.synchronize "cpu" end)
  raises("cuda.synchronize: a function of cn.cuda is called with a dot", function() cn.cuda:synchronize() end)
end)

it("a memory pool names what it does not have, and is called with a colon", function()
  local pool = cn.get_default_memory_pool()
  raises("a memory pool has no function 'used_byte'; did you mean 'used_bytes'?", function()
    return (pool.used_byte)
  end)
  raises("used_bytes: a pool's function is called with a colon: pool:used_bytes()", function()
    return (pool.used_bytes())
  end)
end)

describe("cn.cuda", function()
  it("knows whether CUDA can be used, and never raises", function()
    assert.equal("boolean", type(cn.cuda.is_available()))
    assert.is_true(cn.cuda.device_count() == count and (count > 0 or not cn.cuda.is_available()))
    assert.equal(cn.cuda.is_available(), (core.check_cuda()))
  end)

  it("refuses invalid device numbers", function()
    for _, id in ipairs {-1, 0.5, 1e9, "0"} do
      raises("cuda.Device: the number of a device is a whole number from 0 on, got ", function()
        return (cn.cuda.Device(id))
      end)
    end
    raises("cuda.Device: a function of cn.cuda is called with a dot", function() return (cn.cuda:Device(0)) end)
    raises("cuda has no function 'nvtx'; did you mean 'cn.profiler.time_range'?", function() return cn.cuda.nvtx end)
  raises("cuda has no function 'isavailable'; did you mean 'is_available'?", function()
      return (cn.cuda.isavailable())
    end)
  end)

  it("wants a CUDA device to be current where none is named", function()
    local before = cn.device()
    cn.device("cpu"):use()
    assert.equal(cn.device(), cn.cuda.Device())
    raises("cuda.get_device_id: the current device is cpu; ", function() return (cn.cuda.get_device_id()) end)
    raises("cuda.synchronize: the current device is cpu; ", function() cn.cuda.synchronize() end)
    for id = 0, count - 1 do
      cn.cuda.Device(id):with(function()
        assert.equal(id, cn.cuda.get_device_id())
        assert.equal(id, cn.cuda.Device().id)
        cn.cuda.synchronize()
      end)
      cn.cuda.synchronize(id)
    end
    before:use()
  end)
end)

describe("the default device", function()
  it("is CUDA's first where CUDA can be used, else the cpu device", function()
    local expected = cn.cuda.is_available() and "cuda:0" or "cpu"
    assert.equal(expected .. "\n", process.must_run("print(require('cuna').device().name)", {CUNA_DEVICE = false}))
  end)

  it("is the one that CUNA_DEVICE names", function()
    for _, name in ipairs(devices.names()) do
      assert.equal(name .. "\n", process.must_run("print(require('cuna').device().name)", {CUNA_DEVICE = name}))
    end
    for _, name in ipairs {"tpu", "cuda:31"} do
      local text = process.run("require 'cuna'", {CUNA_DEVICE = name})
      assert.has.match("child_spec.lua:1: cuna: [^\n]*device '" .. name .. "'", text)
    end
  end)

  it("is not looked for before the first request", function()
    process.must_run([[
      local cn = require "cuna"
      local function maps() return io.open("/proc/self/maps"):read "*a" end
      assert(not maps():find "libcuda" and not maps():find "libnvrtc", "loaded by require")
      assert(cn.device("cpu"):with(function() return (cn.ones(3) + 1):sum():item() end) == 6)
      cn.device("cpu"):use()
      assert(cn.zeros(2).device.name == "cpu" and cn.arange(3, {device = "cpu"}):get()[2] == 1)
      assert(not maps():find "libcuda" and not maps():find "libnvrtc", "loaded by work on the cpu device")]],
      {CUNA_DEVICE = false})
  end)
end)

describe("a machine without CUDA", function()
  it("says so in one line, and the cpu device works", function()
    process.must_run([[
      local cn = require "cuna"
      assert(cn.cuda.is_available() == false and cn.cuda.device_count() == 0)
      for _, name in ipairs {"cuda", "cuda:0", "cuda:7"} do
        local ok, message = pcall(function() return (cn.device(name)) end)
        assert(not ok and message:find("^[^\n]-child_spec.lua:4: cuna: DeviceError: device '[^\n]*$"), message)
        assert(message:find "cannot be used: " and #message > 80, message)
      end
      local ok, message = pcall(function() return (cn.device "gpu") end)
      assert(not ok and message:find "this machine has cpu and no usable CUDA device", message)
      assert(cn.device().name == "cpu" and (cn.ones(3) + 1):sum():item() == 6)]], NO_CUDA)
  end)

  it("reports at the line of require that CUNA_DEVICE is not available", function()
    local environment = {CUNA_DEVICE = "cuda:0"}
    for name, value in pairs(NO_CUDA) do environment[name] = environment[name] or value end
    local text, status = process.run("require 'cuna'", environment)
    assert.has.match("child_spec.lua:1: cuna: DeviceError: CUNA_DEVICE: device 'cuda:0' cannot be used: ", text)
    assert.not_equal(0, status)
  end)
end)

if cn.cuda.is_available() then
  describe("the child of a fork", function()
    it("is refused CUDA in one line, ends well, and the cpu device works in it", function()
      process.must_run([[
        local cn, ffi = require "cuna", require "ffi"
        ffi.cdef "int fork(void); int waitpid(int, int *, int);"
        local x = cn.ones(1000, {device = "cuda:0"})
        local y = x + 1
        local child = ffi.C.fork()
        if child == 0 then
          local ok, message = pcall(function() return (x + 1) end)
          assert(not ok and message:find "DeviceError: cuda:0 was in use before this process was forked; ", message)
          ok, message = pcall(function() return (cn.device "cuda:31") end)
          assert(not ok and message:find "DeviceError: [^\n]*before this process was forked; ", message)
          for _, field in ipairs {"total_memory", "mem_info", "compute_capability", "pci_bus_id", "attributes"} do
            ok, message = pcall(function() return x.device[field] end)
            assert(not ok and message:find "cuda:0 was in use before this process was forked; ", message)
          end
          assert(not cn.cuda.is_available() and cn.cuda.device_count() == 0)
          x, y = nil
          collectgarbage()
          cn.get_default_memory_pool():free_all_blocks()
          cn.device("cpu"):use()
          assert((cn.ones(3) + 1):sum():item() == 6)
          os.exit(7, true)
        end
        local status = ffi.new "int[1]"
        assert(ffi.C.waitpid(child, status, 0) == child and status[0] == 7 * 256, status[0])
        assert((y + 1):sum():item() == 3000)]])
    end)

    it("is refused CUDA that the parent only described", function()
      process.must_run([[
        local cn, ffi = require "cuna", require "ffi"
        ffi.cdef "int fork(void); int waitpid(int, int *, int);"
        require "cuna.core".describe_driver "cuda"
        local child = ffi.C.fork()
        if child == 0 then
          local ok, message = pcall(cn.device, "cuda:0")
          assert(not ok and message:find "cannot be used: CUDA was in use before this process was forked; ", message)
          os.exit(7, true)
        end
        local status = ffi.new "int[1]"
        assert(ffi.C.waitpid(child, status, 0) == child and status[0] == 7 * 256, status[0])]], {CUNA_DEVICE = "cpu"})
    end)

    it("may use CUDA when it is the first to do so", function()
      process.must_run([[
        local cn, ffi = require "cuna", require "ffi"
        ffi.cdef "int fork(void); int waitpid(int, int *, int);"
        local child = ffi.C.fork()
        if child == 0 then
          assert((cn.ones(3, {device = "cuda:0"}) + 1):sum():item() == 6)
          os.exit(7, true)
        end
        local status = ffi.new "int[1]"
        assert(ffi.C.waitpid(child, status, 0) == child and status[0] == 7 * 256, status[0])
        assert((cn.ones(3, {device = "cuda:0"}) + 1):sum():item() == 6)]])
    end)
  end)
end

if count > 0 and cn.cuda.Device(0).model == "Simulated GPU" then -- which fails on demand
  describe("a device that a kernel killed", function()
    local DEATH = [[
      local cn = require "cuna"
      local x = cn.ones(8, {device = "cuda:0"})
      x:add_(1)
      cn.cuda.synchronize(0)
      x:multiply_(3)
      local function message(fn)
        local ok, text = pcall(fn)
        assert(not ok)
        print(text)
      end
      message(function()
        x:sqrt_()
        x:abs_()
        cn.cuda.synchronize(0)
      end)
      message(function() x:add_(1) end)
      message(function() return (cn.zeros(2 ^ 22, {device = "cuda:0"})) end)
      message(function() return x[1] end)
      x = nil
      collectgarbage()
      cn.cuda.Device(0)
      assert(cn.cuda.device_count() == 2)
      for _, name in ipairs {"cpu", "cuda:1"} do
        assert((cn.ones(3, {device = name}) + 1):sum():item() == 6)
      end]]
    local CODE = "CUDA_ERROR_LAUNCH_FAILED"

    local function lines_of(environment)
      environment.CUNA_DEVICE, environment.CUNA_EAGER = "cuda:0", "1" -- launches are counted
      local lines = {}
      for line in process.must_run(DEATH, environment):gmatch "[^\n]+" do lines[#lines + 1] = line end
      for i = 2, 4 do
        assert.has.match(": cuna: DeviceError: cuda:0 is dead since ", lines[i])
        assert.has.match(CODE .. "[^\n]*; restart the process; other devices go on working$", lines[i])
      end
      assert.has.match("; the device is dead: restart the process; other devices go on working$", lines[1])
      return lines
    end

    it("is dead, says what may have done it, and leaves the other devices alone", function()
      local lines = lines_of {SIMGPU_FAIL = "cuLaunchKernel:4=719"}
      assert.has.match("cuna: DeviceError: cuda:0: cu%w+ failed with " .. CODE .. "[^\n]* after one of these launches: "
        .. "multiply, sqrt, abs[^\n]* %(newest last%); run with CUNA_SYNC=1 to find the line; ", lines[1])
    end)

    it("may have died of what a stream was given that no wait was for", function()
      local text = process.must_run([[
        local cn = require "cuna"
        local x, s = cn.zeros(3), cn.cuda.Stream {non_blocking = true}
        cn.sqrt(x)
        cn.synchronize()
        s:with(cn.negative, x)
        for _ = 1, 4 do cn.abs(x) end
        cn.cuda.Stream.null:synchronize()
        print(pcall(s.synchronize, s))
        ]], {SIMGPU_FAIL = "cuLaunchKernel:2=719", CUNA_DEVICE = "cuda:0"})
      assert.has.match(CODE .. "[^\n]* after one of these launches: negative %(newest last%)", text)
    end)

    it("names the very kernel with CUNA_SYNC", function()
      local lines = lines_of {SIMGPU_FAIL = "cuLaunchKernel:4=719", CUNA_SYNC = "1"}
      assert.has.match("child_spec.lua:12: cuna: DeviceError: cuda:0: sqrt failed with " .. CODE, lines[1])
    end)
  end)
end

describe("an attribute of devices", function()
  it("has the number that cuda.h gives it", function()
    local header = io.open((os.getenv "CUDA_HOME" or "/usr/local/cuda") .. "/include/driver_types.h")
    if not header then return end -- only a toolkit has it
    local numbers = {}
    for name, number in header:read("*a"):gmatch "cudaDevAttr(%w+)%s*=%s*(%d+)" do numbers[name] = number end
    header:close()
    local source = process.read "runtime/device/attributes.c"
    local checked = 0
    for number, name in source:gmatch "X%((%d+), (%w+)%)" do
      if numbers[name] then
        assert.equal(numbers[name], number, name)
        checked = checked + 1
      end
    end
    assert.is_true(checked > 60, checked)
  end)
end)

if count > 0 then
  it("garbage of a device that is not current is collected", function()
    local before, start = cn.device(), cn.gc_stats().collections
    cn.device("cpu"):use()
    local taken = 0
    while cn.gc_stats().collections == start and taken < 2 ^ 33 do
      local x = cn.empty(2 ^ 24, "float32", "cuda:0")
      taken = taken + x.nbytes
    end
    before:use()
    assert.is_true(cn.gc_stats().collections > start)
  end)
end

describe("work on several devices", function()
  it("is rehearsed as a whole", function()
    local names = devices.names()
    local function work(name)
      cn.device(name):with(function() return cn.ones(5, "int16") - cn.ones(5, "int16") end)
    end
    local sum = 0
    for _, name in ipairs(names) do
      local one = cn.prepare(work, name)
      assert.is_true(one > 0)
      sum = sum + one
    end
    assert.equal(sum, (cn.prepare(function()
      for _, name in ipairs(names) do work(name) end
    end)))
  end)
end)

devices.each_device(function()
  it("arrays of a rehearsal are zeros, whatever their memory had before", function()
    local image, sevens, zeros = cn.zeros(1000), {}, {}
    for i = 1, 1000 do sevens[i], zeros[i] = 7, 0 end
    cn.prepare(function()
      for _ = 1, 20 do cn.array(sevens):free() end
      assert.same(zeros, (image + 1):totable())
      return cn.ndimage.binary_dilation(image, nil, -1) -- until nothing changes
    end)
  end)
end)

describe("an error in a block's last call", function()
  it("is reported at the line of the block", function()
    raises("linspace: endpoint is true or false", function()
      cn.device("cpu"):with(function() return cn.linspace(0, 1, 5, "float32") end)
    end)
    raises("linspace: endpoint is true or false", function()
      cn.scope(function() return cn.linspace(0, 1, 5, "float32") end)
    end)
  end)
end)
