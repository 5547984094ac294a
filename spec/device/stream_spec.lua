--- Streams: objects, what is current, order between them, and how many there can be.
local cn = require "cuna"
local devices = require "spec.support.devices"
local ffi = require "ffi"
local raises = require("spec.support.raises").raises

local function is_late(device) return device.model == "Simulated GPU" end -- work runs as late as it may

local function collect()
  collectgarbage()
  collectgarbage()
end

devices.each_device(function(device)
  local function stream(options)
    options = options or {}
    options.device = device
    return cn.cuda.Stream(options)
  end

  after_each(function()
    cn.synchronize()
    cn.cuda.Stream.null:use()
  end)

  describe("a stream", function()
    it("has fields", function()
      local s = cn.cuda.Stream()
      assert.equal(device, s.device)
      assert.equal(device.id, s.device_id)
      assert.is_false(s.is_non_blocking)
      assert.is_false(s.null)
      assert.equal(0, s.priority)
      assert.is_true(s.ptr > 2)
      assert.is_true(s.done)
      assert.matches("^<stream 0x%x+: " .. device.name .. ">$", tostring(s))
      assert.is_true(cn.cuda.Stream{non_blocking = true}.is_non_blocking)
    end)

    it("has a priority that the device has", function()
      local urgent = cn.cuda.Stream{priority = -1000}.priority
      assert.is_true(urgent <= 0 and urgent > -1000)
      assert.equal(0, cn.cuda.Stream{priority = 1000}.priority)
      assert.equal(0, cn.cuda.Stream{priority = 1e10}.priority) -- more than a C int takes
      assert.equal(0, cn.cuda.Stream{priority = 0}.priority)
    end)

    it("is made on any device by object, name and number", function()
      assert.equal(device, cn.cuda.Stream{device = device}.device)
      assert.equal(device, cn.cuda.Stream{device = device.name}.device)
      assert.equal("cpu", cn.cuda.Stream{device = "cpu"}.device.name)
      assert.equal(device, cn.device())
      if device.kind == "cuda" then assert.equal(device, cn.cuda.Stream{device = device.id}.device) end
    end)

    it("is one object", function()
      local s = cn.cuda.Stream()
      s:use()
      assert.is_true(rawequal(s, cn.cuda.get_current_stream()))
      assert.is_true(cn.cuda.Stream.null == cn.cuda.Stream.null)
      assert.is_true(cn.cuda.Stream() ~= s)
      assert.is_true(s ~= cn.cuda.Stream.null)
    end)

    it("that is the default one belongs to the current device", function()
      local null = cn.cuda.Stream.null
      assert.is_true(null.null)
      assert.equal(device, null.device)
      assert.is_false(null.is_non_blocking)
      assert.is_true(null == cn.cuda.get_current_stream(device))
      assert.equal("cpu", cn.device("cpu"):with(function() return cn.cuda.Stream.null.device.name end))
    end)

    it("of this Lua state's own is kept", function()
      local ptds = cn.cuda.Stream.ptds
      assert.is_true(rawequal(ptds, cn.cuda.Stream.ptds))
      assert.is_false(ptds.null)
      assert.is_false(ptds.is_non_blocking)
      assert.equal(device, ptds.device)
      ptds:free()
      assert.is_true(cn.cuda.Stream.ptds.done)
    end)

    it("that was made elsewhere is found by its handle", function()
      local s = stream {non_blocking = true}
      if device.kind == "cpu" then
        raises("cuda.ExternalStream: the cpu device does not support external streams", function()
          cn.cuda.ExternalStream(s.ptr)
        end)
        return
      end
      for _, ptr in ipairs {s.ptr, 0ULL + s.ptr, 0LL + s.ptr, ffi.cast("void *", s.ptr)} do
        local other = cn.cuda.ExternalStream(ptr, device)
        assert.is_true(other == s)
        assert.equal(s.ptr, other.ptr)
        assert.equal(device, other.device)
        local x = other:with(cn.full, {3}, 4)
        other:synchronize()
        assert.same({4, 4, 4}, x:totable())
        other:free()
        assert.is_true(s.done)
      end
      assert.is_true(cn.cuda.ExternalStream(0) == cn.cuda.Stream.null)
      assert.is_true(cn.cuda.ExternalStream(ffi.cast("void *", 1)) == cn.cuda.Stream.null)
    end)

    it("that was freed says so", function()
      local s, event = stream(), cn.cuda.Event()
      s:free()
      s:free()
      assert.equal("<stream freed: " .. device.name .. ">", tostring(s))
      local text = ": the stream of " .. device.name .. " was freed"
      raises("use" .. text, function() s:use() end)
      raises("with" .. text, function() s:with(print) end)
      raises("synchronize" .. text, function() s:synchronize() end)
      raises("record" .. text, function() s:record() end)
      raises("record" .. text, function() event:record(s) end)
      raises("wait_event" .. text, function() s:wait_event(event) end)
      raises("add_callback" .. text, function() s:add_callback(print) end)
      raises("launch_host_func" .. text, function() s:launch_host_func(print) end)
      raises("done" .. text, function() return s.done, 1 end)
      raises("ptr" .. text, function() return s.ptr, 1 end)
      assert.is_false(s == stream())
    end)

    it("that is current is the default one after it was freed", function()
      local s = stream():use()
      s:free()
      assert.is_true(cn.cuda.get_current_stream().null)
      local outer, inner = stream(), stream()
      outer:with(function() inner:with(function() outer:free() end) end)
      assert.is_true(cn.cuda.get_current_stream().null)
      raises("free: the default stream of " .. device.name .. " is never freed", function()
        cn.cuda.Stream.null:free()
      end)
    end)
  end)

  describe("what is current", function()
    it("is used for what follows", function()
      local s = stream()
      assert.is_true(rawequal(s, s:use()))
      assert.is_true(cn.cuda.get_current_stream() == s)
      assert.is_true(cn.cuda.get_current_stream(device.name) == s)
      assert.same({2, 2}, (cn.ones(2) + 1):totable())
    end)

    it("belongs to each device, and is not the current device", function()
      local other = cn.cuda.Stream{device = "cpu"}
      other:use()
      assert.equal(device, cn.device())
      assert.is_true(cn.cuda.get_current_stream("cpu") == other)
      if device.kind ~= "cpu" then assert.is_true(cn.cuda.get_current_stream().null) end
      cn.device("cpu"):with(function() cn.cuda.Stream.null:use() end)
      assert.is_true(cn.cuda.get_current_stream("cpu").null)
    end)

    it("is restored after a block, nested and after an error", function()
      local s, t = stream(), stream()
      assert.same({3, nil, 5}, {s:with(function(...)
        assert.is_true(cn.cuda.get_current_stream() == s)
        t:with(function() assert.is_true(cn.cuda.get_current_stream() == t) end)
        assert.is_true(cn.cuda.get_current_stream() == s)
        return ...
      end, 3, nil, 5)})
      assert.is_true(cn.cuda.get_current_stream().null)
      assert.has_error(function() s:with(error, "oops") end, "oops")
      assert.is_true(cn.cuda.get_current_stream().null)
    end)

    it("leaves with a coroutine and comes back with it", function()
      local s, seen = stream(), {}
      local thread = coroutine.wrap(function()
        s:with(function()
          coroutine.yield()
          seen.inside = cn.cuda.get_current_stream()
        end)
      end)
      thread()
      assert.is_true(cn.cuda.get_current_stream().null)
      thread()
      assert.is_true(seen.inside == s)
      assert.is_true(cn.cuda.get_current_stream().null)
    end)
  end)

  describe("work", function()
    it("is done after synchronize", function()
      local s = stream {non_blocking = true}
      local x = s:with(function()
        local x = cn.zeros(1000)
        for _ = 1, 20 do cn.evaluate(x:add_(1)) end -- a launch each
        if is_late(device) then assert.is_false(cn.cuda.get_current_stream().done) end
        return x
      end)
      s:synchronize()
      assert.is_true(s.done)
      assert.equal(20000, x:sum():item())
    end)

    it("gets done while it is queried", function()
      local s = stream {non_blocking = true}
      local x = s:with(function() return cn.ones(10) * 3 end)
      repeat until s.done
      assert.equal(30, x:sum():item())
    end)

    --- How many of 30 copies on a stream have old values: another stream writes, which is not waited for.
    local function count_stale()
      local a, b, stale = stream {non_blocking = true}, stream {non_blocking = true}, 0
      for k = 1, 30 do
        local x = cn.evaluate(cn.zeros(4))
        cn.synchronize()
        a:with(x.fill, x, k)
        local y = b:with(x.copy, x)
        b:synchronize()
        local value = b:with(y.item, y[{{1}}])
        assert.is_true(value == 0 or value == k)
        if value == 0 then stale = stale + 1 end
        a:synchronize()
      end
      return stale
    end

    it("of a stream that was not waited for may be late", function()
      count_stale() -- a recorded write gives the array another content: the old one or the new one is seen
      local was_eager = cn.is_eager()
      cn.set_eager(true)
      local ok, stale = pcall(count_stale)
      cn.set_eager(was_eager)
      assert.is_true(ok, stale)
      if is_late(device) then assert.is_true(stale > 0) end
      if device.kind == "cpu" then assert.equal(0, stale) end
    end)

    it("is ordered by events", function()
      local a, b, event = stream {non_blocking = true}, stream {non_blocking = true}, cn.cuda.Event()
      local x = cn.zeros(4)
      cn.synchronize()
      for k = 1, 30 do
        a:with(x.fill, x, k)
        assert.is_true(rawequal(event, a:record(event)))
        b:wait_event(event)
        local y = b:with(x.copy, x)
        a:wait_event(b:record())
        assert.equal(4 * k, b:with(function() return y:sum():item() end))
      end
    end)

    it("of blocking streams and the default one is in order", function()
      local s, null = stream(), cn.cuda.Stream.null
      local x = cn.zeros(4)
      for k = 1, 20 do
        s:with(x.add_, x, k)
        null:with(x.mul_, x, 2)
      end
      local expected = 0
      for k = 1, 20 do expected = (expected + k) * 2 end
      assert.same({expected, expected, expected, expected}, x:totable())
    end)

    it("goes on when its stream was dropped or freed", function()
      local list = {}
      for k = 1, 200 do
        local s = stream {non_blocking = true}
        list[k] = s:with(function() return cn.full({10}, k) * 2 end)
        if k % 2 == 0 then s:free() end
        if k % 20 == 0 then collect() end
      end
      cn.synchronize()
      for k = 1, 200 do assert.equal(20 * k, list[k]:sum():item()) end
    end)

    it("keeps memory that another stream still reads", function()
      local a, b = stream {non_blocking = true}, stream {non_blocking = true}
      for k = 1, 30 do
        local x = a:with(cn.full, {1000}, k)
        b:wait_event(a:record())
        local y = b:with(function() return x * 1 end)
        x:free()
        local z = a:with(cn.full, {1000}, -k)
        b:synchronize()
        assert.equal(1000 * k, b:with(function() return y:sum():item() end))
        a:synchronize()
        assert.equal(-1000 * k, a:with(function() return z:sum():item() end))
        y:free()
        z:free()
      end
    end)

    it("waits for another device's event", function()
      if device.kind ~= "cuda" or cn.cuda.device_count() < 2 then return end
      local other = cn.cuda.Device((device.id + 1) % 2)
      local a, b = stream {non_blocking = true}, cn.cuda.Stream{device = other, non_blocking = true}
      for k = 1, 10 do
        local x = a:with(cn.full, {8}, k)
        local event = a:record()
        b:wait_event(event)
        local y = b:with(x.to, x, other)
        assert.equal(8 * k, b:with(function() return y:sum():item() end))
      end
      raises("record: the event was recorded on cuda:", function() a:record():record(b) end)
    end)
  end)

  describe("streams", function()
    it("come back when nothing refers to them", function()
      for _ = 1, 2000 do stream {non_blocking = true}:with(cn.ones, 3) end
      cn.synchronize()
      collect()
    end)

    it("are at most 63 on a device", function()
      collect()
      cn.synchronize()
      local held = {}
      local ok, message
      repeat
        ok, message = pcall(stream)
        held[#held + 1] = ok and message or nil
      until not ok or #held > 100
      assert.is_true(#held > 40 and #held <= 63)
      assert.matches("^[^\n]*cuna: [^\n]*" .. device.name .. " has %d+ streams[^\n]*$", message)
      held[1]:free()
      assert.is_true(stream().done)
      held[2] = nil
      assert.is_true(stream().done)
    end)
  end)

  describe("what is wrong", function()
    local s = cn.cuda.Stream.null

    it("is reported by constructors", function()
      raises("cuda.Stream: unknown option 'priorty'; known are device, non_blocking, priority", function()
        cn.cuda.Stream{priorty = 1}
      end)
      raises("cuda.Stream: takes a table of options such as {non_blocking = true}, got boolean", function()
        cn.cuda.Stream(true)
      end)
      raises("cuda.Stream: non_blocking is true or false, got 1", function() cn.cuda.Stream{non_blocking = 1} end)
      raises("cuda.Stream: priority is a whole number, got 0.5", function() cn.cuda.Stream{priority = 0.5} end)
      raises("cuda.Stream: device is a device, its name or its number, got a table", function()
        cn.cuda.Stream{device = {}}
      end)
      raises("cuda.Stream: a function of cn.cuda is called with a dot", function() cn.cuda:Stream() end)
      raises("cuda.Stream has no field 'nul'; there are null, ptds; did you mean 'null'?", function()
        return cn.cuda.Stream.nul, 1
      end)
      raises("cuda.Stream's field 'null' cannot be assigned", function() cn.cuda.Stream.null = s end)
      raises("cuda.ExternalStream: ptr is a number or a pointer, got nil", function() cn.cuda.ExternalStream() end)
      raises("cuda.ExternalStream: ptr is a number or a pointer, got \"a\"", function() cn.cuda.ExternalStream "a" end)
      raises("cuda.ExternalStream: ptr is a count, got -1", function() cn.cuda.ExternalStream(-1) end)
      raises("cuda.ExternalStream: 2 is CUDA's per-thread default stream", function() cn.cuda.ExternalStream(2) end)
      raises("cuda.get_current_stream: device is a count, got -1", function() cn.cuda.get_current_stream(-1) end)
    end)

    it("is reported by methods", function()
      raises("use: a stream's function is called with a colon: stream:use()", function() s.use() end)
      raises("synchronize: a stream's function is called with a colon", function() s.synchronize() end)
      raises("with: expected a function, got 3", function() s:with(3) end)
      raises("record: expected an event, such as cn.cuda.Event(), got table", function() s:record {} end)
      raises("wait_event: expected an event, such as cn.cuda.Event(), got nil", function() s:wait_event() end)
      raises("wait_event: expected an event, such as cn.cuda.Event(), got userdata", function() s:wait_event(s) end)
      raises("add_callback: expected a function, got nil", function() s:add_callback() end)
      raises("launch_host_func: expected a function, got 3", function() s:launch_host_func(3) end)
    end)

    it("is reported for fields", function()
      assert.error_matches(function() return s.wait_stream end, "did you mean 'wait_event'%?$")
      raises("a stream has no field 'synchronise'; there are add_callback, ", function()
        s:synchronise()
      end)
      assert.matches("did you mean 'synchronize'%?$", select(2, pcall(function() return s.synchronise end)))
      raises("a stream's field 'priority' cannot be assigned", function() s.priority = 1 end)
      raises("a stream is not a function: write stream:use() or stream:with(fn)", function() s(print) end)
    end)
  end)
end)
