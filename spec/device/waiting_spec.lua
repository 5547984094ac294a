--- Waiting for a device: functions that streams call run there, and cn.no_sync refuses it by name.
local cn = require "cuna"
local devices = require "spec.support.devices"
local raises = require("spec.support.raises").raises

devices.each_device(function(device)
  describe("cn.no_sync", function()
    local x, y, m, host
    setup(function()
      x, y, m, host = cn.arange(4), cn.arange(4), cn.zeros {2, 2}, cn.zeros(1, {device = "cpu"})
    end)

    local function refused(name, fn)
      it("refuses " .. name, function()
        fn()
        local text = name .. ": waits for the device, and cn.no_sync forbids that"
        local ok, message = pcall(cn.no_sync, fn)
        assert.is_false(ok)
        assert.equal(text, message:match "^[^\n]-:%d+: cuna: (.*)$")
        fn()
      end)
    end

    refused("item", function() return x[{{1}}]:item(), 1 end)
    refused("item", function() return cn.item(x["1:1"], 3), 1 end)
    refused("totable", function() return x:totable(), 1 end)
    refused("totable", function() return m:tolist(), 1 end)
    refused("tobytes", function() return x:tobytes(), 1 end)
    refused("get", function() return x:get(), 1 end)
    refused("asnumpy", function() return cn.asnumpy(x), 1 end)
    refused("iter", function() return x:iter()(nil, 0), 1 end)
    refused("tostring", function() return tostring(x), 1 end)
    refused("tostring", function() return "x is " .. x, 1 end)
    refused("array2string", function() return cn.array2string(x), 1 end)
    refused("array_repr", function() return cn.array_repr(x), 1 end)
    refused("array_str", function() return cn.array_str(x), 1 end)
    refused("savetxt", function() cn.savetxt("/dev/null", x) end)
    refused("index", function() return x[1], 1 end)
    refused("index", function() return m[{1, 2}], 1 end)
    refused("==", function() return x == y, 1 end)
    refused("<", function() return x[{{1}}] < y[{{2}}], 1 end)
    refused("<=", function() return x[{{1}}] <= y[{{2}}], 1 end)
    refused("any", function() return x:any(), 1 end)
    refused("all", function() return cn.all(x), 1 end)
    refused("array_equal", function() return cn.array_equal(x, y), 1 end)
    refused("nanargmax", function() return cn.nanargmax(m), 1 end)
    refused("nanargmin", function() return cn.nanargmin(m, 1), 1 end)
    refused("array", function() return cn.array {x, {1, 2, 3, 4}}, 1 end)
    refused("synchronize", function() cn.synchronize() end)
    refused("synchronize", function() device:synchronize() end)
    refused("synchronize", function() cn.cuda.Stream.null:synchronize() end)
    refused("synchronize", function() cn.cuda.Event():record():synchronize() end)
    refused("clock", function() return cn.clock(), 1 end)
    refused("cuda.memcpy_dtoh", function() cn.cuda.memcpy_dtoh(host, cn.cuda.mem_alloc(8)) end)
    if device.kind == "cpu" then
      refused("pointer", function() return x:pointer(), 1 end)
    else
      refused("to", function() return x:to "cpu", 1 end)
      refused("synchronize", function() cn.cuda.synchronize() end)
    end

    it("lets pass what does not wait", function()
      local jit = cn.jit.rawkernel([[function(a, n) a[cn.jit.grid(1)] = n end]], "set")
      local square = cn.ElementwiseKernel("T x", "T y", "y = x * x", "square")
      local z, total = cn.no_sync(function(k)
        local z = square(x) + k
        z[{{1, 2}}] = 7
        z[4] = cn.array(5)
        m:fill(3)
        for _ = 1, 70 do jit(1, 1, {z, 2}) end
        local _, _ = #z, z.shape
        for _, row in m:iter() do row:add_(1) end
        assert.is_false(x == m)
        assert.is_true(z.device == device)
        cn.cuda.Stream():with(function() return z:any(1), z:copy() end)
        cn.cuda.Event():record()
        cn.poll()
        return z, z:sum()
      end, 1)
      assert.same({2, 7, 5, 5}, z:totable())
      assert.equal(19, total:item())
      cn.synchronize()
    end)

    it("names the kernel that reads a 0-d array", function()
      local jit, n = cn.jit.rawkernel([[function(a, n) a[1] = n end]], "set"), cn.scalar(3, "int32")
      jit(1, 1, {x, n})
      raises("set: the 0-d array 'n': waits for the device, and cn.no_sync forbids that", function()
        cn.no_sync(function() jit(1, 1, {x, n}) end)
      end)
      x[1] = 0
    end)

    it("ends with its function, also after an error and outside a yield", function()
      pcall(cn.no_sync, error, "oops")
      assert.equal(0, x[1])
      local thread = coroutine.wrap(function()
        cn.no_sync(function()
          coroutine.yield()
          coroutine.yield(pcall(x.item, x[{{1}}]))
        end)
      end)
      thread()
      assert.equal(0, x[1])
      assert.is_false((thread()))
      assert.equal(0, x[1])
    end)

    it("nests, and passes arguments and results", function()
      assert.same({1, nil, 3}, {cn.no_sync(function(...)
        cn.no_sync(function() end)
        assert.is_false((pcall(x.item, x[{{1}}])))
        return ...
      end, 1, nil, 3)})
    end)

    it("takes a function", function()
      raises("no_sync: expected a function, got a table", function() cn.no_sync {} end)
      raises("no_sync: a function of cuna is called with a dot", function() cn:no_sync(print) end)
    end)
  end)

  describe("a function that a stream calls", function()
    it("runs at the next wait, in order, with its arguments", function()
      local s, seen = cn.cuda.Stream{non_blocking = true}, {}
      s:add_callback(function(...) seen[1] = {n = select("#", ...), ...} end, "arg")
      s:launch_host_func(function(...) seen[2] = {n = select("#", ...), ...} end, 7)
      s:launch_host_func(function(arg) seen[3] = arg == nil end)
      assert.equal(0, #seen)
      s:synchronize()
      assert.is_true(rawequal(s, seen[1][1]))
      assert.same({3, 0, "arg"}, {seen[1].n, seen[1][2], seen[1][3]})
      assert.same({n = 1, 7}, seen[2])
      assert.is_true(seen[3])
    end)

    it("runs where the script waits", function()
      local s, x, event = cn.cuda.Stream{non_blocking = true}, cn.zeros(1), cn.cuda.Event()
      local count = 0
      local function call() s:launch_host_func(function() count = count + 1 end) end
      local waits = {
        function() s:synchronize() end, function() s:record(event):synchronize() end, function() cn.synchronize() end,
        function() cn.clock() end, function() device:synchronize() end, function() repeat until s.done end,
        function() repeat until s:record(event).done end,
        function() s:with(function() return x:item() end) end, function() s:with(function() return x:totable() end) end,
        function() s:with(function() return x:tobytes() end) end, function() s:with(tostring, x) end,
        function() s:synchronize() end,
      }
      for k, wait in ipairs(waits) do
        call()
        wait()
        cn.poll()
        assert.equal(k, count)
      end
    end)

    it("runs when polled", function()
      local s, ran = cn.cuda.Stream{non_blocking = true}, 0
      for _ = 1, 5 do s:add_callback(function() ran = ran + 1 end) end
      local late = cn.clock() + 10
      while ran < 5 and cn.clock() < late do -- other calls may run them, too
        cn.poll()
        if device.kind == "cuda" then local _ = cn.cuda.Event():record(s).done end
      end
      assert.equal(5, ran)
      assert.equal(0, cn.poll())
    end)

    it("comes after what the stream was given before", function()
      local s, sums = cn.cuda.Stream{non_blocking = true}, {}
      local x = s:with(cn.zeros, 100)
      for k = 1, 10 do
        s:with(x.add_, x, 1)
        s:add_callback(function() sums[k] = s:with(function() return x:sum():item() end) end)
      end
      s:synchronize()
      cn.poll()
      assert.equal(10, #sums)
      for k = 1, 10 do assert.is_true(sums[k] >= 100 * k) end
    end)

    it("raises in the call that ran it, and the others run later", function()
      local s, ran = cn.cuda.Stream{non_blocking = true}, false
      s:add_callback(function() error("oops", 0) end)
      s:add_callback(function() ran = true end)
      assert.has_error(function() s:synchronize() end, "oops")
      assert.is_false(ran)
      cn.synchronize()
      assert.is_true(ran)
    end)

    it("may give the stream more of them, for the next time", function()
      local s, count = cn.cuda.Stream{non_blocking = true}, 0
      local function again()
        count = count + 1
        s:launch_host_func(again)
      end
      s:launch_host_func(again)
      s:synchronize()
      local first = count
      s:synchronize()
      assert.is_true(first == 1 and count == 2)
      again = function() end
      cn.synchronize()
      cn.poll()
    end)

    it("keeps its stream alive", function()
      local seen
      cn.cuda.Stream():add_callback(function(s) seen = s end)
      collectgarbage()
      collectgarbage()
      cn.synchronize()
      assert.equal(device, seen.device)
    end)
  end)

  describe("a function that a graph calls", function()
    local stream, x
    before_each(function()
      stream, x = cn.cuda.Stream{non_blocking = true}, cn.zeros(2)
    end)

    --- What fn gives to the stream, as a graph.
    local function record(fn)
      return stream:capture(function()
        x:add_(1)
        fn()
      end)
    end

    --- A function, and a weak table that has it while something refers to it.
    local function make(list)
      local function fn() list[#list + 1] = "called" end
      return fn, setmetatable({[fn] = true}, {__mode = "k"})
    end

    --- Whether nothing holds what a weak table names: a thread that ends a launch may do so for a while, and a trace of
    --- LuaJIT, which has the functions that it calls as constants, until it is flushed.
    local function is_empty(t)
      local start = cn.clock()
      repeat
        jit.flush()
        collectgarbage()
        cn.poll()
        collectgarbage()
      until next(t) == nil or cn.clock() - start > 30
      return next(t) == nil
    end

    it("runs once for each launch, in order, with its arguments", function()
      local seen = {}
      local graph = record(function()
        stream:launch_host_func(function(arg) seen[#seen + 1] = "a" .. arg end, 1)
        x:add_(1)
        stream:add_callback(function(s, code, arg)
          seen[#seen + 1] = ("b%d%s"):format(code, tostring(rawequal(s, stream) and arg))
        end)
      end)
      cn.synchronize()
      assert.same({}, seen)
      graph:upload(stream):launch(stream):launch(stream)
      stream:launch_host_func(function() seen[#seen + 1] = "c" end)
      graph:launch(stream)
      assert.same({}, seen)
      stream:synchronize()
      assert.same({"a1", "b0nil", "a1", "b0nil", "c", "a1", "b0nil"}, seen)
      assert.same({6, 6}, x:totable())
      assert.equal(0, cn.poll())
    end)

    it("is kept as long as launches may call it", function()
      local list = {}
      local fn, weak = make(list)
      local graph = record(function() stream:launch_host_func(fn) end)
      fn = nil -- luacheck: ignore
      graph:launch(stream):launch(stream)
      graph:free() -- what was launched goes on
      graph = nil -- luacheck: ignore
      collectgarbage()
      stream:synchronize()
      assert.same({"called", "called"}, list)
      assert.is_true(is_empty(weak))
    end)

    it("is given up with its graph, or with a capture that failed", function()
      local list = {}
      local fn, weak = make(list)
      local graph = record(function() stream:launch_host_func(fn) end)
      graph = graph:launch(stream) and nil -- luacheck: ignore
      assert.has_error(function()
        record(function()
          stream:add_callback(fn)
          error("oops", 0)
        end)
      end, "oops")
      stream:synchronize()
      fn = nil -- luacheck: ignore
      assert.same({"called"}, list)
      assert.is_true(is_empty(weak))
    end)

    it("may raise, and launch the graph once more", function()
      local graph, count = nil, 0
      graph = record(function()
        stream:launch_host_func(function()
          count = count + 1
          if count == 1 then graph:launch(stream) end
          if count == 2 then error("oops", 0) end
        end)
      end)
      graph:launch(stream)
      stream:synchronize()
      assert.has_error(function() stream:synchronize() end, "oops")
      stream:synchronize()
      assert.equal(2, count)
      assert.same({2, 2}, x:totable())
    end)

    it("is part of what cn.graph records", function()
      local count, fields = 0, {}
      local function work(a)
        cn.cuda.get_current_stream():launch_host_func(function(step) count = count + step end, 2)
        return a * 2
      end
      local graph = cn.graph(work, x)
      cn.synchronize()
      assert.equal(0, count) -- neither the rehearsal nor the capture
      for k = 1, 3 do fields[k] = graph(cn.full(2, k)) end
      cn.synchronize()
      assert.equal(6, count)
      assert.same({6, 6}, fields[3]:totable())
      local ok, message = pcall(cn.graph, function() stream:launch_host_func(print) end)
      assert.is_false(ok)
      assert.match("launch_host_func: the graph does not record this stream;", message)
    end)

    if device.kind ~= "cpu" then return end

    it("does not run for what comes behind a failure", function()
      local trap = cn.RawKernel("__global__ void trap(int *x) { if (*x) __trap(); }", "trap")
      local bad, list = cn.zeros(1, "int32"), {}
      local fn, weak = make(list)
      trap(1, 1, {bad})
      local graph = record(function()
        stream:launch_host_func(fn)
        stream:with(trap, 1, 1, {bad})
        stream:launch_host_func(fn)
      end)
      graph:launch(stream)
      stream:synchronize()
      bad:fill(1)
      assert.is_false((pcall(graph.launch, graph, stream)))
      stream:synchronize()
      bad:fill(0)
      graph:launch(stream)
      stream:synchronize()
      assert.equal(5, #list)
      graph:free()
      fn, graph = nil, nil -- luacheck: ignore
      assert.is_true(is_empty(weak))
    end)
  end)
end)
