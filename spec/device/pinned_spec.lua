--- Pinned arrays, and copies between the host and a device while the script goes on.
local cn = require "cuna"
local devices = require "spec.support.devices"
local raises = require("spec.support.raises").raises

local cuda = cn.cuda
local HOST = cn.device "cpu"

local function settle()
  collectgarbage()
  collectgarbage()
end

--- 0, 1, 2, ... in pinned memory.
local function numbers(n, dtype)
  local x = cn.empty_pinned(n, dtype or "int32")
  return x:set(HOST:with(cn.arange, n):astype(dtype or "int32"))
end

devices.each_device(function(device)
  describe("a pinned array", function()
    it("is an array of the cpu device", function()
      local x = cn.zeros_pinned({2, 3}, "float32")
      assert.equal(HOST, x.device)
      assert.equal("(2, 3)", tostring(x.shape))
      assert.equal("float32", x.dtype)
      assert.same({{0, 0, 0}, {0, 0, 0}}, x:totable())
      x[{2, 3}] = 7
      assert.equal(13, (x + 1):sum():item())
      assert.equal(7, x:pointer()[5])
      assert.equal("float64", cn.empty_pinned(3).dtype)
      assert.equal(0, cn.empty_pinned({3, 0}).size)
      assert.equal(1, cn.empty_pinned({}).size)
    end)

    it("is made like another, on any device", function()
      local x = cn.arange(6):reshape(2, 3)
      local y = cn.zeros_like_pinned(x)
      assert.same({"cpu", "int64", {{0, 0, 0}, {0, 0, 0}}}, {y.device.name, y.dtype, y:totable()})
      assert.equal("(2, 3)", tostring(cn.empty_like_pinned(x).shape))
      assert.equal("float32", cn.empty_like_pinned(x, "float32").dtype)
      assert.equal("(4,)", tostring(cn.empty_like_pinned(x, {shape = 4}).shape))
    end)

    it("has memory of the pinned pool, beside a CUDA device", function()
      local has_cuda = cuda.is_available()
      local pool = has_cuda and cn.get_default_pinned_memory_pool() or cn.get_default_memory_pool()
      local where = has_cuda and device.kind == "cpu" and "cuda:0" or device
      settle()
      local used = pool:used_bytes(where)
      local x = cn.empty_pinned(1000, "uint8")
      assert.equal(used + 1024, pool:used_bytes(where))
      x:free()
      assert.equal(used, pool:used_bytes(where))
      pool:free_all_blocks(nil, where)
      assert.same({0, 0}, {pool:n_free_blocks(where), pool:free_bytes(where)})
    end)
  end)

  describe("get", function()
    it("waits for what it brings", function()
      local x = cn.arange(1000) * 2
      local out = HOST:with(cn.zeros, 1000, "int64")
      assert.is_true(rawequal(out, x:get {out = out}))
      assert.equal(999000, out:sum():item())
      assert.equal(999000, x:get(nil, true):sum():item())
      local strided = HOST:with(cn.zeros, 2000, "int64")
      x:get {out = strided["::2"]}
      assert.same({0, 0, 2, 0, 4}, strided[{{1, 5}}]:totable())
    end)

    it("copies while the script goes on: the next reader waits", function()
      local x = cn.arange(100000) + 1
      local out = cn.empty_pinned(100000, "int64")
      x:get {blocking = false, out = out}
      x:fill(0)
      assert.equal(100000, out[-1])
      local made = cn.arange(100000):get {blocking = false}
      assert.equal("cpu", made.device.name)
      assert.equal(99999, made:pointer()[99999])
      local view = cn.arange(12):reshape(3, 4)["::2, ::-1"]
      assert.same({{3, 2, 1, 0}, {11, 10, 9, 8}}, view:get {blocking = false}:totable())
      assert.equal(8, (cn.ones(7):get {blocking = false} + 0):sum():item() + 1)
    end)

    it("goes to a stream, in its order", function()
      local stream = cuda.Stream {non_blocking = true}
      local x = cn.zeros(50000, "int32")
      cn.synchronize()
      local out = cn.zeros_pinned(50000, "int32")
      local out2 = cn.zeros_pinned(50000, "int32")
      stream:with(function()
        x:fill(3)
      end)
      x:get {stream = stream, blocking = false, out = out}
      stream:with(function() x:add_(1) end)
      x:get {stream = stream, out = out2}
      assert.same({3, 4}, {out[50000], out2[50000]})
      assert.equal(150000, out:sum():item())
      stream:free()
    end)

    it("may end before its arrays", function()
      local pinned = cn.get_default_pinned_memory_pool()
      settle()
      local used = pinned:used_bytes()
      for i = 1, 20 do
        local x = cn.full(20000, i, "int32")
        local y = x:get {blocking = false}
        x:free()
        cn.full(20000, 99, "int32"):free()
        if i % 2 == 0 then assert.equal(20000 * i, y:sum():item()) end
        y:free()
      end
      settle()
      assert.equal(used, pinned:used_bytes())
    end)
  end)

  describe("asarray and to", function()
    it("take a pinned array while the script goes on", function()
      local source = numbers(100000)
      local x = cn.asarray(source, {blocking = false})
      assert.equal(device, x.device)
      if device.kind ~= "cpu" then
        source:fill(0) -- waits until it was copied
        assert.equal(99999, x[-1])
      end
      local y = numbers(10, "float32"):to(device, {blocking = false})
      assert.equal(45, y:sum():item())
    end)

    it("go to a stream, in its order", function()
      local stream = cuda.Stream {non_blocking = true}
      for _ = 1, 5 do
        local source = numbers(60000)
        local x = cn.asarray(source, {stream = stream})
        local y = stream:with(function() return x + 1 end)
        local back = y:to("cpu", {stream = stream})
        local again = cn.asarray(source, {stream = stream, dtype = "int64", blocking = true})
        assert.equal(60000, back[-1])
        assert.equal(59999, again[-1])
        assert.equal("int64", again.dtype)
      end
      stream:free()
    end)

    it("take other memory, other dtypes, strides and Lua values too", function()
      local host = HOST:with(function() return cn.arange(24):reshape(4, 6) end)
      for _, options in ipairs {{blocking = false}, {blocking = true}, {stream = cuda.get_current_stream()}} do
        local x = cn.asarray(host["::2, ::-1"], options)
        assert.same({{5, 4, 3, 2, 1, 0}, {17, 16, 15, 14, 13, 12}}, x:totable())
        assert.same({1, 2}, cn.asarray({1, 2}, {dtype = "int8", stream = options.stream}):totable())
        options.dtype = "float32"
        assert.equal("float32", cn.asarray(host, options).dtype)
        assert.equal(276, cn.asarray(host, options):sum():item())
      end
      local here = cn.ones(3)
      assert.is_true(rawequal(here, cn.asarray(here, {blocking = false})))
      assert.is_true(rawequal(here, here:to(device, {stream = cuda.get_current_stream()})))
      local copy = cn.ones(3):to("cpu", {blocking = false})
      assert.same({1, 1, 1}, copy:totable())
    end)
  end)

  describe("set", function()
    it("writes an array of the host, or a table", function()
      local x = cn.zeros({2, 3}, "int32")
      local host = numbers(6):reshape(2, 3)
      assert.is_true(rawequal(x, x:set(host)))
      assert.same({{0, 1, 2}, {3, 4, 5}}, x:totable())
      x:set {{1, 1, 1}, {2, 2, 2}}
      assert.same({{1, 1, 1}, {2, 2, 2}}, x:totable())
    end)

    it("writes while the script goes on, also to views", function()
      local stream = cuda.Stream()
      local x, host = cn.zeros(80000, "int32"), numbers(80000)
      x:set(host, {blocking = false})
      assert.equal(79999, x[-1])
      x:fill(0)
      x:set(host, {stream = stream})
      stream:with(function() x:add_(1) end)
      host:fill(5)
      stream:synchronize()
      assert.equal(80000, x[-1])
      x["::2"]:set(numbers(40000), {stream = stream, blocking = true})
      assert.same({0, 2, 1, 4, 2, 6}, x[{{1, 6}}]:totable())
      stream:free()
    end)
  end)

  it("what does not wait is fine where waiting is forbidden", function()
    local source, out, x = numbers(1000), cn.empty_pinned(1000, "int32"), cn.zeros(1000, "int32")
    cn.no_sync(function()
      x:set(source, {blocking = false})
      x:get {blocking = false, out = out}
    end)
    assert.equal(999, out[-1])
    raises("get: waits for the device, and cn.no_sync forbids that", function()
      cn.no_sync(function() return (x:get()) end)
    end)
    raises("set: waits for the device", function() cn.no_sync(function() x:set(source, {blocking = true}) end) end)
    raises("copy_to_host: waits for the device", function()
      cn.no_sync(function() cuda.MemoryPointer(x):copy_to_host(source) end)
    end)
  end)
end)

--- What must be refused, and in which words.
local function bad_input()
  local x, host = cn.zeros(3, "int32"), numbers(3)
  return {
    {"empty_pinned: the shape is missing", function() return (cn.empty_pinned()) end},
    {"empty_pinned: a shape is a number or a table of numbers, got string",
      function() return (cn.empty_pinned "3") end},
    {"zeros_pinned: unknown dtype 'float'", function() return (cn.zeros_pinned(3, "float")) end},
    {"empty_pinned: shape (-1,) has a negative length", function() return (cn.empty_pinned(-1)) end},
    {"zeros_pinned: unknown option 'device'; known are dtype",
      function() return (cn.zeros_pinned(3, {device = 1})) end},
    {"zeros_pinned: a function of cuna is called with a dot", function() return (cn:zeros_pinned(3)) end},
    {"zeros_like_pinned: expected an array, got nil", function() return (cn.zeros_like_pinned()) end},
    {"get: out is an array on the cpu device, got 3", function() return (x:get {out = 3}) end},
    {"get: out has shape (2,) and dtype int32, and the array (3,) and int32", function()
      return (x:get {out = numbers(2)})
    end},
    {"get: out has shape (3,) and dtype int8, and the array (3,) and int32", function()
      return (x:get {out = numbers(3, "int8")})
    end},
    {"get: out is a strided view; leave out blocking = false", function()
      return (x:get {out = numbers(6)["::2"], blocking = false})
    end},
    {"get: blocking is true or false, got 1", function() return (x:get {blocking = 1}) end},
    {"get: unknown option 'strem'; known are stream, blocking, out", function() return (x:get {strem = 1}) end},
    {"get: stream is a stream, such as cn.cuda.Stream(), got 1", function() return (x:get {stream = 1}) end},
    {"to: the device is missing", function() return (x:to()) end},
    {"to: blocking is true or false, got \"no\"", function() return (x:to("cpu", {blocking = "no"})) end},
    {"to: unknown option 'strem'; known are stream, blocking", function() return (x:to("cpu", {strem = 1})) end},
    {"asarray: stream is a stream, such as cn.cuda.Stream(), got \"s\"", function()
      return (cn.asarray(host, {stream = "s"}))
    end},
    {"asarray: unknown option 'strem'; known are dtype, stream, blocking", function()
      return (cn.asarray(host, {strem = 1}))
    end},
    {"set: the data is missing; a method is called with a colon", function() x:set() end},
    {"set: the data is an array on the cpu device or a nested table, got 3", function() x:set(3) end},
    {"set: the data has shape (4,) and dtype int32, and the array (3,) and int32", function() x:set(numbers(4)) end},
    {"set: the data has shape (2,) and dtype int32, and the array (3,) and int32", function() x:set {1, 2} end},
    {"set: the data has shape (3,) and dtype float64, and the array (3,) and int32", function()
      x:set(host:astype "float64")
    end},
    {"set: expected an array, got nil; a method is called with a colon", function() x.set() end},
  }
end

describe("transfers", function()
  it("refuse bad input in one line", function()
    for _, case in ipairs(bad_input()) do raises(case[1], case[2]) end
  end)

  it("refuse a stream of another device, and data of a device", function()
    if cuda.device_count() == 0 then return end
    local x, stream = cuda.Device(0):with(cn.zeros, 3), cuda.Stream {device = "cpu"}
    raises("get: the stream is of cpu, and the work is on cuda:0", function() return (x:get {stream = stream}) end)
    raises("to: the stream is of cpu, and the work is on cuda:0", function()
      return (x:to("cpu", {stream = stream}))
    end)
    raises("set: the data is an array on the cpu device or a nested table, got one on cuda:0", function()
      x:set(x + 1)
    end)
    raises("get: out is an array on the cpu device, got one on cuda:0", function() return (x:get {out = x}) end)
  end)

  it("refuse what was freed", function()
    local x, host = cn.zeros(3), cn.zeros_pinned(3)
    host:free()
    local words = ": the array was freed at "
    raises("set" .. words, function() x:set(host) end)
    raises("get" .. words, function() x:get {out = host, blocking = false} end)
    raises("get" .. words, function() return (host:get()) end)
    raises("set" .. words, function() host:set {1, 2, 3} end)
    raises("to" .. words, function() return (host:to("cpu", {blocking = false})) end)
    raises("asarray" .. words, function() return (cn.asarray(host, {blocking = false})) end)
    raises("cuda.MemoryPointer" .. words, function() return (cuda.MemoryPointer(host)) end)
    raises("copy_from" .. words, function() cuda.alloc(24):copy_from(host) end)
  end)
end)
