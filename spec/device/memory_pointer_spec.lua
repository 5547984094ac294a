--- Device memory by bytes: pointers, copies and fills, memory that was made elsewhere.
local cn = require "cuna"
local devices = require "spec.support.devices"
local ffi = require "ffi"
local raises = require("spec.support.raises").raises

local cuda = cn.cuda

--- The bytes at a pointer as a string.
local function read(mem, nbytes)
  local target = ffi.new("uint8_t[?]", nbytes or mem.nbytes)
  mem:copy_to_host(target)
  return ffi.string(target, ffi.sizeof(target))
end

local function host(text) return cn.frombuffer(text, "uint8"):to "cpu" end

devices.each_device(function(device)
  local pool
  before_each(function() pool = cuda.MemoryPool() end)

  describe("a pointer", function()
    it("has fields", function()
      local mem = pool:malloc(64)
      assert.same({64, 64, device}, {mem.nbytes, mem.size, mem.device})
      assert.equal("number", type(mem.ptr))
      assert.is_true(mem.ptr > 0 and mem.ptr % 64 == 0)
      assert.equal(("<64 bytes at 0x%x on %s>"):format(mem.ptr, device.name), tostring(mem))
    end)

    it("moves by bytes, inside its allocation", function()
      local mem = pool:malloc(64)
      assert.equal(mem.ptr + 8, (mem + 8).ptr)
      assert.equal(mem.ptr + 8, (8 + mem).ptr)
      assert.equal(mem.ptr + 8, mem:offset(8).ptr)
      assert.equal(mem.ptr, (mem + 8 - 8).ptr)
      assert.equal(mem.ptr, (mem + 8):offset(-8).ptr)
      assert.equal(56, (mem + 8).nbytes)
      assert.equal(0, (mem + 64).nbytes)
      raises("+: byte 65 lies outside of the allocation's 64 bytes", function() return (mem + 65) end)
      raises("+: byte 65 lies outside of the allocation's 64 bytes", function() return (mem + 60 + 5) end)
      raises("-: byte -1 lies outside of the allocation's 64 bytes", function() return (mem - 1) end)
      raises("offset: byte -2 lies outside of the allocation's 64 bytes", function() return (mem:offset(-2)) end)
      raises("+: the offset is a whole number, got 0.5", function() return (mem + 0.5) end)
      raises("+: the offset is a whole number, got a table", function() return (mem + mem) end)
      raises("offset: the offset is a whole number, got nil", function() return (mem:offset()) end)
      raises("-: a pointer cannot be taken from a number", function() return (3 - mem) end)
    end)

    it("of no bytes is fine", function()
      local mem = pool:malloc(0)
      assert.same({0, 0}, {mem.nbytes, mem.ptr})
      assert.equal(0, pool:used_bytes())
      mem:memset(1)
      mem:copy_from ""
      mem:copy_from(mem)
      assert.equal("", read(mem))
      assert.equal(0, mem:array().size)
      raises("copy_from: 1 bytes do not fit: dst has 0, src has 1", function() mem:copy_from "x" end)
      mem:free()
    end)

    it("gives its memory back once, and says so afterwards", function()
      local mem = pool:malloc(64)
      local later = mem + 8
      later:memset(3)
      mem:free()
      assert.equal(0, pool:used_bytes())
      mem:free()
      later:free()
      assert.equal(64, mem.nbytes)
      assert.equal("<64 bytes at freed memory on " .. device.name .. ">", tostring(mem))
      local words = ": the allocation of 64 bytes was freed at "
      for name, use in pairs {
        ptr = function() return (mem.ptr) end, memset = function() mem:memset(0) end,
        copy_from = function() later:copy_from "x" end,
        copy_to_host = function() mem:copy_to_host(ffi.new "char[1]") end,
        array = function() return (later:array()) end, memset_async = function() mem:memset_async(1) end,
        copy_from_device = function() pool:malloc(8):copy_from_device(mem, 3) end,
      } do raises(name .. words, use) end
      assert.equal(63, (mem + 1).nbytes)
    end)

    it("is taken by kernels, from its offset on", function()
      local kernel = cn.RawKernel("__global__ void set(float *x) { x[threadIdx.x] = 7; }", "set")
      local mem = pool:malloc(16)
      mem:memset(0)
      kernel(1, 2, {mem + 8})
      kernel(1, 1, {mem + 8})
      assert.same({0, 0, 7, 7}, mem:array(4, "float32"):get():totable())
      kernel(1, 1, {mem})
      assert.same({7, 0, 7, 7}, mem:array({2, 2}, "float32"):reshape(4):totable())
      collectgarbage()
      mem:free()
      assert.equal(0, pool:used_bytes())
      raises("set: the allocation of 16 bytes was freed at ", function() kernel(1, 1, {mem + 8}) end)
    end)
  end)

  describe("bytes", function()
    it("are copied from anywhere", function()
      local mem, other = pool:malloc(8), pool:malloc(16)
      mem:copy_from "12345678"
      assert.equal("12345678", read(mem))
      mem:copy_from("abcd", 2)
      assert.equal("ab345678", read(mem))
      ;(mem + 6):copy_from_host(host "xy")
      assert.equal("ab3456xy", read(mem))
      local source = ffi.new("uint8_t[3]", 65, 66, 67)
      mem:copy_from(source)
      mem:copy_from_host(source + 1, 1)
      assert.equal("BBC456xy", read(mem))
      other:memset(46)
      ;(other + 3):copy_from_device(mem)
      assert.equal("...BBC456xy.....", read(other))
      mem:copy_from(other + 2, 4)
      assert.equal(".BBC56xy", read(mem))
      local x = cn.array({0x31, 0x32, 0x33}, "uint8")
      mem:copy_from(x)
      assert.equal("123C56xy", read(mem))
      local two = ffi.new("struct { int16_t a, b; }", {0x4141, 0x4242})
      mem:copy_from(two)
      assert.equal("AABB56xy", read(mem))
    end)

    it("are copied within an allocation that overlaps itself", function()
      local mem = pool:malloc(10)
      mem:copy_from "0123456789"
      ;(mem + 2):copy_from(mem, 6)
      assert.equal("0101234589", read(mem))
      mem:copy_from(mem + 3, 6)
      assert.equal("1234584589", read(mem))
    end)

    it("are copied to the host", function()
      local mem = pool:malloc(8)
      mem:copy_from "12345678"
      local x, target = host "........", ffi.new "uint8_t[8]"
      ;(mem + 4):copy_to_host(x, 3)
      assert.equal("567.....", x:tobytes())
      ;(mem + 1):copy_to_host(target, 4)
      assert.equal("2345\0\0\0\0", ffi.string(target, 8))
      mem:copy_to_host(target + 6, 2)
      assert.equal("2345\0\00012", ffi.string(target, 8))
      local numbers = cn.zeros_pinned(1)
      mem:copy_to_host(numbers)
      assert.equal("12345678", numbers:tobytes())
    end)

    it("are set", function()
      local mem = pool:malloc(6)
      mem:memset(0x61)
      ;(mem + 4):memset(0x62)
      mem:memset(0x63, 1)
      mem:memset(0, 0)
      assert.equal("caaabb", read(mem))
    end)

    it("are copied and set in the order of a stream", function()
      local stream = cuda.Stream {non_blocking = true}
      local mem, other = pool:malloc(8), pool:malloc(8)
      local source, target = cn.empty_pinned(8, "uint8"), cn.empty_pinned(8, "uint8")
      source:set {49, 50, 51, 52, 53, 54, 55, 56}
      mem:memset_async(0x2e, {stream = stream})
      mem:copy_from_host_async(source, {nbytes = 4, stream = stream})
      other:copy_from_device_async(mem, 8, {stream = stream})
      ;(other + 6):copy_from_async("xy", nil, stream)
      other:copy_to_host_async(target, {stream = stream})
      source:fill(0)
      assert.equal("1234..xy", target:tobytes())
      other:memset_async(0x2e)
      assert.equal("........", read(other))
      stream:free()
    end)

    it("that are freed are not reused before the streams that use them are done", function()
      local kernel = cn.RawKernel([[
        __global__ void set(int *x, int n, int value) { for (int i = 0; i < n; i++) x[i] = value; }]], "set")
      local stream, out = cuda.Stream {non_blocking = true}, cn.empty_pinned(1000, "int32")
      for round = 1, 40 do
        local mem = pool:malloc(4000)
        stream:with(function() kernel(1, 1, {mem, 1000, round}) end)
        mem:copy_to_host_async(out, {stream = stream})
        mem:free()
        local x = pool:with(cn.full, 1000, 5, "int32")
        if round % 2 == 0 then stream:synchronize() end
        assert.equal(5000, x:sum():item())
        assert.equal(round * 1000, out:sum():item())
        x:free()
      end
      stream:free()
    end)

    it("leave no garbage that holds memory", function()
      local mem = pool:malloc(100000)
      collectgarbage "stop"
      mem:memset(1);
      (mem + 5):memset(2, 7)
      mem:copy_from((mem + 50), 3)
      mem:copy_from("x", 1)
      mem:free()
      collectgarbage "restart"
      assert.equal(0, pool:used_bytes())
    end)
  end)

  describe("memory as an array", function()
    it("is shared, and kept", function()
      local mem = pool:malloc(64)
      local x = (mem + 8):array({2, 3}, "float64")
      assert.equal("(2, 3)", tostring(x.shape))
      x:set {{1, 2, 3}, {4, 5, 6}}
      assert.same({1, 2, 3}, (mem + 8):array(3, "float64"):totable())
      assert.equal(64, mem:array().size)
      assert.equal(14, (mem + 8):array(nil, "float32").size)
      mem:free()
      assert.equal(21, x:sum():item())
      x:free()
      collectgarbage()
      collectgarbage()
      assert.equal(0, pool:used_bytes())
    end)

    it("is refused where it does not fit", function()
      local mem = pool:malloc(10)
      raises("array: 3 elements of float32 do not fit: there are 10 bytes", function()
        return (mem:array(3, "float32"))
      end)
      raises("array: 10 bytes are not a whole number of float32 elements; give the shape", function()
        return (mem:array(nil, "float32"))
      end)
      raises("array: float32 begins at multiples of 4 bytes, not at 0x", function()
        return ((mem + 2):array(1, "float32"))
      end)
      raises("array: 4294967296 elements of uint8 do not fit", function() return (mem:array {65536, 65536}) end)
      raises("array: shape (-1,) has a negative length", function() return (mem:array(-1)) end)
      raises("array: unknown dtype 'float'", function() return (mem:array(1, "float")) end)
      raises("array: a shape is a number or a table of numbers, got string", function() return (mem:array "x") end)
    end)

    it("is pointed into", function()
      local x = cn.arange(4)
      local mem = cuda.MemoryPointer(x, 8)
      assert.equal(24, mem.nbytes)
      assert.equal(1, mem:array(1, "int64"):item())
      mem:memset(0, 8)
      assert.same({0, 0, 2, 3}, x:totable())
      assert.equal(8, cuda.MemoryPointer(mem, 16).nbytes)
      assert.equal(mem.ptr, cuda.MemoryPointer(mem).ptr)
      mem:free()
      assert.equal(5, x:sum():item())
    end)
  end)

  describe("memory that was made elsewhere", function()
    it("is used by its address, and its owner kept alive", function()
      local weak, held = setmetatable({}, {__mode = "v"}), {}
      local function settle()
        collectgarbage()
        collectgarbage()
      end
      do
        local x = cn.arange(8)
        weak.owner = {x}
        held.mem = cuda.UnownedMemory(cuda.MemoryPointer(x).ptr, 64, weak.owner)
      end
      settle()
      assert.is_not_nil(weak.owner)
      assert.same({2, 3}, (held.mem + 16):array(2, "int64"):totable())
      held.y = held.mem:array(8, "int64")
      assert.equal(56, (held.y + held.y):sum():item())
      held.mem = nil
      settle()
      assert.is_not_nil(weak.owner)
      assert.equal(28, held.y:sum():item())
      held.y = nil
      settle()
      assert.is_nil(weak.owner)
    end)

    it("may be an FFI pointer's on the cpu device", function()
      local block = ffi.new("double[4]", 1, 2, 3, 4)
      local mem = cuda.UnownedMemory(ffi.cast("double *", block), 32, block, "cpu")
      assert.equal("cpu", mem.device.name)
      assert.same({1, 2, 3, 4}, mem:array(4, "float64"):totable())
      mem:memset(0, 8)
      assert.equal(0, block[0])
      local address = ffi.cast("uintptr_t", ffi.cast("void *", block))
      assert.equal(2, cuda.UnownedMemory(address, 32, block, "cpu"):array(4, "float64")[2])
      assert.equal(0, cuda.UnownedMemory(0, 0).nbytes)
    end)
  end)
end)

--- What must be refused, and in which words.
local function bad_input(mem)
  local x = cn.arange(8)
  local float_pointer = ffi.new("float[1]") + 0
  return {
    {"copy_from: 9 bytes do not fit: dst has 8, src has 9", function() mem:copy_from "123456789" end},
    {"copy_from: 9 bytes do not fit: dst has 8, src has 8", function() mem:copy_from(mem, 9) end},
    {"copy_from: 5 bytes do not fit: dst has 4, src has 8", function() (mem + 4):copy_from("12345678", 5) end},
    {"copy_from_host: 8 bytes do not fit: dst has 4, src has 8", function() (mem + 4):copy_from_host "12345678" end},
    {"copy_to_host: 16 bytes do not fit: dst has 16, src has 8", function() mem:copy_to_host(ffi.new "double[2]") end},
    {"copy_from: nbytes is a count, got -1", function() mem:copy_from("x", -1) end},
    {"copy_from: nbytes is a count, got 0.5", function() mem:copy_from("x", 0.5) end},
    {"copy_from: src is device memory (cn.cuda.mem_alloc or an array), got nil", function() mem:copy_from() end},
    {"copy_from: src is device memory (cn.cuda.mem_alloc or an array), got 3", function() mem:copy_from(3) end},
    {"copy_from_device: src is device memory (cn.cuda.mem_alloc or an array), got \"x\"",
      function() mem:copy_from_device "x" end},
    {"copy_from_host: src is host memory (an array of the cpu device or an FFI array), got a table; make one: ",
      function() mem:copy_from_host {1, 2} end},
    {"copy_from_host: src is device memory; the order is (dst, src)", function() mem:copy_from_host(mem) end},
    {"copy_to_host: dst is host memory (an array of the cpu device or an FFI array), got \"x\"",
      function() mem:copy_to_host "x" end},
    {"copy_from: src is a strided view; copy it with x:copy()", function() mem:copy_from(x["::2"]) end},
    {"copy_from: src is float *, whose length is not known; ", function() mem:copy_from(float_pointer) end},
    {"copy_from: src is NULL", function() mem:copy_from(ffi.cast("float *", 0), 4) end},
    {"memset: byte is a count, got -1", function() mem:memset(-1) end},
    {"memset: byte is 0 to 255, got 256", function() mem:memset(256) end},
    {"memset: dst has 8 bytes, and count is 9", function() mem:memset(0, 9) end},
    {"memset_async: byte is a count, got nil", function() mem:memset_async() end},
    {"memset_async: stream is a stream, such as cn.cuda.Stream(), got 3",
      function() mem:memset_async(0, {stream = 3}) end},
    {"copy_from_async: unknown option 'strem'; known are nbytes, stream",
      function() mem:copy_from_async("x", {strem = 3}) end},
    {"memset: an allocation's function is called with a colon: allocation:memset()", function() mem.memset(3) end},
    {"copy_from: an allocation's function is called with a colon", function() mem.copy_from("x", 1) end},
    {"copy_from_async: an allocation's function is called with a colon", function() mem.copy_from_async "x" end},
    {"offset: an allocation's function is called with a colon", function() mem.offset(3) end},
    {"an allocation has no field 'memse'; did you mean 'memset'?", function() return (mem.memse) end},
    {"an allocation's field 'ptr' cannot be set", function() mem.ptr = 3 end},
    {"cuda.MemoryPointer: expected device memory or an array, got 3", function() return (cuda.MemoryPointer(3)) end},
    {"cuda.MemoryPointer: mem is a strided view; copy it", function() return (cuda.MemoryPointer(x["::2"])) end},
    {"cuda.MemoryPointer: byte 65 lies outside of", function() return (cuda.MemoryPointer(x, 65)) end},
    {"cuda.UnownedMemory: ptr is 0", function() return (cuda.UnownedMemory(0, 8)) end},
    {"cuda.UnownedMemory: ptr is a count, got -8", function() return (cuda.UnownedMemory(-8, 8)) end},
    {"cuda.UnownedMemory: ptr is a count, got a table", function() return (cuda.UnownedMemory({}, 8)) end},
    {"cuda.UnownedMemory: nbytes is a count, got nil", function() return (cuda.UnownedMemory(8)) end},
    {"there is no device 'gpu'", function() return (cuda.UnownedMemory(64, 8, nil, "gpu")) end},
    {"cuda.UnownedMemory: a function of cn.cuda is called with a dot",
      function() return (cuda:UnownedMemory(64, 8)) end},
  }
end

describe("pointers", function()
  it("refuse bad input in one line", function()
    for _, case in ipairs(bad_input(cuda.alloc(8))) do raises(case[1], case[2]) end
  end)

  it("do not meet a stream of another device", function()
    if cuda.device_count() == 0 then return end
    local mem, stream = cuda.Device(0):with(cuda.alloc, 8), cuda.Stream {device = "cpu"}
    raises("memset_async: the stream is of cpu, and the work is on cuda:0", function()
      mem:memset_async(0, {stream = stream})
    end)
  end)

  it("of two devices are copied to one another", function()
    if cuda.device_count() < 2 then return end
    local one, other = cuda.Device(0):with(cuda.alloc, 8), cuda.Device(1):with(cuda.alloc, 8)
    one:copy_from "12345678"
    other:copy_from(one + 4, 4);
    (other + 4):copy_from_device(one, 4)
    assert.equal("56781234", read(other))
  end)
end)
