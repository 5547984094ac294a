--- Work that is recorded and done again: captures of streams, and functions that are replayed.
local cn = require "cuna"
local core = require "cuna.core"
local each_device = require("spec.support.devices").each_device
local process = require "spec.support.process"
local raises = require("spec.support.raises").raises

local function new_stream() return cn.cuda.Stream { non_blocking = true } end

each_device(function(device)
  describe("a captured stream", function()
    --- What fn gives to a stream, as a graph.
    local function record(fn)
      local stream = new_stream()
      local ok, message = pcall(stream.with, stream, function()
        stream:begin_capture()
        fn(stream)
      end)
      local graph = stream:end_capture()
      if not ok then error(message, 0) end
      return graph
    end

    it("takes no memory from a MemoryAsyncPool, and raises where it is requested", function()
      local x, y, pool = cn.arange(3), cn.zeros(3), cn.cuda.MemoryAsyncPool()
      cn.add(x, y, { out = y })
      local graph = record(function()
        raises("a stream that captures takes no memory from a MemoryAsyncPool: a graph would own it, and could be "
          .. "launched once; make the array before, or use a MemoryPool", function() pool:with(cn.add, x, 1) end)
        pool:with(cn.add, x, y, { out = y })
      end)
      graph:launch():launch { stream = new_stream() }
      cn.synchronize()
      assert.same({ 0, 3, 6 }, y:totable())
    end)

    it("does nothing while it records, and all of it at each launch", function()
      local x, y = cn.arange(5), cn.zeros(5)
      cn.add(x, 1, { out = y }) -- compiled before
      local graph = record(function(stream)
        assert.is_true(stream.is_capturing)
        cn.add(x, y, { out = y })
      end)
      assert.same({ 1, 2, 3, 4, 5 }, y:totable())
      graph:launch()
      assert.same({ 1, 3, 5, 7, 9 }, y:totable())
      x:fill(100)
      graph:launch():launch()
      assert.same({ 201, 203, 205, 207, 209 }, y:totable())
    end)

    it("records copies, fills, casts, reductions, scans and kernels of users", function()
      local x, y, z = cn.arange(0, 2000, 1, "float64"):reshape(40, 50):copy(), cn.empty({ 50, 40 }), cn.empty(40)
      local total, sums, small = cn.empty({}), cn.empty(2000), cn.empty({ 40, 50 }, "float32")
      local k = cn.ElementwiseKernel("float64 a", "float64 b", "b = a * 2", "twice")
      local cumsum = cn.ScanKernel("float64 x", "float64 y", "x", "a + b", "y = a", 0, "cumsum")
      local raw = cn.RawKernel('extern "C" __global__ void bump(double *x, int n) {\n'
        .. "int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] += 1; }", "bump")
      local function work()
        y[{ {}, {} }] = x.T
        small[{ {}, {} }] = x
        z:fill(3)
        cn.sum(x, { out = total })
        cumsum(x:reshape(-1), { out = sums })
        k(z, { out = z })
        raw(1, 64, { z, 40 })
      end
      work()
      local graph = record(work)
      x:mul_(2)
      graph:launch()
      assert.is_true(cn.array_equal(y, x.T))
      assert.is_true(cn.array_equal(small, x:astype("float32")))
      assert.same({ 7, 7 }, { z[1], z[40] })
      assert.equal(2 * 1999 * 1000, total:item())
      assert.equal(2 * 1999 * 1000, sums[-1])
    end)

    it("keeps the arrays that its work uses", function()
      local y = cn.zeros(1000)
      local function record_and_free(x)
        cn.add(x, y, { out = y })
        local graph = record(function() cn.add(x, y, { out = y }) end)
        x:free()
        return graph
      end
      local graph = record_and_free(cn.ones(1000))
      collectgarbage()
      local others = {}
      for i = 1, 20 do others[i] = cn.full(1000, 77) end
      graph:launch()
      assert.equal(2, y[500])
      assert.equal(77, others[20][500])
    end)

    it("keeps one workspace for the work of a stream, as large as the largest", function()
      local pool, side = cn.cuda.MemoryPool(), new_stream()
      local a, out = cn.ones({ 64, 64 }, "float32"), cn.empty({ 64, 64 }, "float32")
      local keys, orders = cn.array({ 3, 1, 2 }):expand_dims(2):broadcast_to({ 3, 2000 }):reshape(-1), {}
      local function work(k)
        cn.matmul(a, a, { out = out })
        orders[k] = cn.argsort(keys)
      end
      local function used_by(count)
        local before = pool:used_bytes()
        local graph = pool:with(record, function(stream)
          side:wait_event(stream:record())
          side:with(function() orders[count + 1] = cn.argsort(keys) end)
          for k = 1, count do work(k) end
          stream:wait_event(side:record())
        end)
        local kept = pool:used_bytes() - before
        graph:launch()
        for k = 1, count + 1 do assert.equal(2001, orders[k][1]) end
        assert.equal(64, out[{ 3, 5 }])
        graph:free()
        for k = 1, count + 1 do orders[k]:free() end
        return kept
      end
      work(1)
      local results = keys.size * 8 + 512
      used_by(1)
      local few = used_by(2)
      assert.is_true(used_by(20) - few <= 18 * results)
    end)

    it("takes part of other streams that wait for its events, and back", function()
      local x, y, z = cn.ones(100), cn.zeros(100), cn.zeros(100)
      local side = new_stream()
      cn.add(x, y, { out = z })
      z:fill(0)
      local graph = record(function(stream)
        cn.add(x, y, { out = y })
        side:wait_event(stream:record())
        side:with(function() cn.add(y, y, { out = z }) end)
        stream:wait_event(side:record())
        cn.add(z, 1, { out = z })
      end)
      graph:launch()
      assert.same({ 1, 3 }, { y[7], z[7] })
      assert.is_false(side.is_capturing)
    end)

    it("raises at what cannot be recorded, by its name, and goes on afterwards", function()
      local x = cn.ones(3)
      for name, fn in pairs {
        item = function() x:sum():item() end, totable = function() x:totable() end,
        get = function() x:get() end, synchronize = function() cn.synchronize() end,
      } do
        local graph = record(function()
          raises(name .. ": waits for the device, and a graph's capture forbids that", fn)
          x:add_(1)
        end)
        graph:launch()
      end
      assert.equal(5, x:totable()[1])
      record(function()
        raises("a copy from or to " .. device.name .. " cannot be captured", function() cn.array { 1, 2 } end)
      end)
    end)

    it("records what a function does, and ends after an error too", function()
      local stream, x = new_stream(), cn.zeros(3)
      stream:capture(function(y, step) y:add_(step) end, x, 2):launch():launch()
      assert.same({ 4, 4, 4 }, x:totable())
      assert.error_matches(function() stream:capture(function() error("mistake", 0) end) end, "^mistake$")
      raises("graph: the function yields while it is recorded", function() stream:capture(coroutine.yield) end)
      assert.is_false(stream.is_capturing)
      assert.equal(4, x[1])
    end)

    it("records numbers that are written to elements, and arrays that are filled", function()
      local x, y = cn.zeros(3), cn.empty(3)
      local graph = new_stream():capture(function()
        x[2] = 5
        y["..."] = cn.full(3, 7) + cn.linspace(0, 1, 3)
      end)
      assert.same({ 0, 0, 0 }, x:totable())
      graph:launch()
      assert.same({ 0, 5, 0 }, x:totable())
      assert.same({ 7, 7.5, 8 }, y:totable())
    end)

    it("may be queried whether it is done: it is not", function()
      local stream = new_stream()
      stream:begin_capture()
      assert.is_false(stream.done)
      stream:end_capture()
      assert.is_true(stream.done)
    end)

    it("refuses misuse in one line", function()
      local stream = new_stream()
      raises("begin_capture: the default stream cannot capture", function() cn.cuda.Stream.null:begin_capture() end)
      raises("end_capture: the stream does not capture", function() stream:end_capture() end)
      stream:begin_capture()
      raises("begin_capture", function() stream:begin_capture() end)
      raises("free: the stream captures", function() stream:free() end)
      local graph = stream:end_capture()
      raises("launch: a stream that captures does not record the launch of another graph", function()
        record(function() graph:launch() end)
      end)
      raises("a graph has no field 'lanch'; there are device, free, launch, upload; did you mean 'launch'?", function()
        local _ = graph.lanch
      end)
      raises("upload: a stream that captures does not record the upload of another graph", function()
        record(function() graph:upload() end)
      end)
      raises("upload: expected a stream", function() graph:upload(3) end)
      raises("upload: a graph's function is called with a colon", function() graph.upload() end)
      raises("upload: takes at most 2 arguments (graph, stream), got 3", function() graph:upload(stream, stream) end)
      assert.equal(graph, graph:upload(stream):upload())
      raises("launch: expected a stream", function() graph:launch(3) end)
      raises("launch: a graph's function is called with a colon", function() graph.launch() end)
      graph:launch()
      graph:free()
      graph:free()
      raises("launch: the graph was freed", function() graph:launch() end)
      raises("upload: the graph was freed", function() graph:upload() end)
    end)
  end)

  describe("cn.graph", function()
    it("replays a function with new inputs", function()
      local calls = 0
      local g = cn.graph(function(x, y)
        calls = calls + 1
        return (x - y) ^ 2, cn.sum(x * y)
      end, cn.zeros(4), cn.zeros(4))
      assert.equal(2, calls)
      for i = 1, 3 do
        local x, y = cn.arange(4):astype("float64") * i, cn.ones(4)
        local square, total = g(x, y)
        assert.is_true(cn.array_equal(square, (x - y) ^ 2))
        assert.equal(6 * i, total:item())
      end
      assert.equal(2, calls)
    end)

    it("gives results that are the caller's, and its own by launch", function()
      local g = cn.graph(function(x) return { double = x * 2, name = "n" } end, cn.ones(2))
      local first = g(cn.ones(2))
      local own = g:launch(cn.full(2, 3))
      assert.same({ 2, 2 }, first.double:totable())
      assert.equal("n", first.name)
      assert.same({ 6, 6 }, own.double:totable())
      g:launch(cn.full(2, 5))
      assert.same({ 10, 10 }, own.double:totable())
      assert.same({ 2, 2 }, first.double:totable())
    end)

    it("records again for another dtype, shape, number or count", function()
      local calls = 0
      local g = cn.graph(function(x, k)
        calls = calls + 1
        return x * (k or 1)
      end, cn.ones(2), 3)
      assert.same({ 3, 3 }, g(cn.ones(2), 3):totable())
      assert.equal(2, calls)
      assert.same({ 4, 4 }, g(cn.ones(2), 4):totable())
      assert.same({ 3, 3, 3 }, g(cn.ones(3), 3):totable())
      assert.equal("float32", g(cn.ones(2, "float32"), 3).dtype)
      assert.same({ 1, 1 }, g(cn.ones(2)):totable())
      assert.equal(10, calls)
      assert.same({ 9, 9 }, g(cn.full(2, 3), 3):totable())
      assert.equal(10, calls)
    end)

    it("uses and changes arrays from outside where they are", function()
      local weight, count = cn.full(3, 2), cn.zeros(1)
      local g = cn.graph(function(x)
        count:add_(1)
        return x * weight
      end, cn.ones(3))
      assert.equal(1, count[1])
      weight:fill(5)
      assert.same({ 5, 10, 15 }, g(cn.array { 1, 2, 3 }):totable())
      assert.equal(2, count[1])
      local x = cn.ones(3)
      local h = cn.graph(function(a) return a:add_(1) end, x)
      assert.same({ 2, 2, 2 }, h(x):totable())
      assert.same({ 1, 1, 1 }, x:totable())
    end)

    it("takes strided arguments, empty ones and functions without results", function()
      local y = cn.zeros({ 3, 2 })
      local g = cn.graph(function(x) y[{ {}, {} }] = x end, cn.arange(6):reshape(2, 3).T)
      assert.equal(0, select("#", g((cn.arange(6):reshape(2, 3) * 2).T)))
      assert.same({ { 0, 6 }, { 2, 8 }, { 4, 10 } }, y:totable())
      assert.equal(0, cn.graph(function(x) return x + 1 end, cn.zeros(0))(cn.zeros(0)).size)
    end)

    it("works with fused functions, inside of scopes and on any current stream", function()
      local f = cn.fuse(function(x) return cn.sqrt(x) + 1 end)
      local g = cn.scope(function() return cn.graph(function(x) return f(x):sum() end, cn.ones(10)) end)
      local stream = new_stream()
      for i = 1, 3 do
        assert.equal(10 * (i + 1), g(cn.full(10, i * i)):item())
        local x = cn.full(10, i * i)
        stream:wait_event(cn.cuda.get_current_stream():record())
        assert.equal(10 * (i + 1), stream:with(function() return g(x):item() end))
      end
    end)

    it("is recorded by its operations where another graph is", function()
      local inner = cn.graph(function(x) return x * 3 end, cn.ones(4))
      local outer = cn.graph(function(x) return inner(x) + inner:launch(x * 2) end, cn.ones(4))
      assert.same({ 18, 18, 18, 18 }, outer(cn.full(4, 2)):totable())
    end)

    it("passes errors on, and leaves everything as it was", function()
      local stream, pool = cn.cuda.get_current_stream(), cn.cuda.get_allocator()
      raises("item: waits for the device, and a graph's capture forbids that", function()
        cn.graph(function(x) return x:sum():item() end, cn.ones(2))
      end)
      assert.error_matches(function() cn.graph(function() error("mistake", 0) end) end, "^mistake$")
      raises("add: shapes (2,) and (3,) do not broadcast", function()
        cn.graph(function(x) return x + cn.ones(3) end, cn.ones(2))
      end)
      assert.equal(stream, cn.cuda.get_current_stream())
      assert.equal(pool, cn.cuda.get_allocator())
      assert.equal(1, cn.ones(2)[1])
    end)

    it("refuses misuse in one line", function()
      raises("graph: expected a function, got 3", function() cn.graph(3) end)
      raises("graph: argument 1 is a table", function() cn.graph(function() end, { 1, 2 }) end)
      local g = cn.graph(function(x) return x end, cn.ones(1))
      assert.equal("<graph>", tostring(g))
      raises("a graph has no field 'lunch'; there are free, launch; did you mean", function() return g.lunch end)
      raises("launch: a graph's function is called with a colon: graph:launch()", function() g.launch(cn.ones(1)) end)
      local freed = cn.ones(1)
      freed:free()
      raises("graph: the array was freed", function() g(freed) end)
      raises("graph: waits for the device, and cn.no_sync forbids that", function()
        cn.no_sync(cn.graph, function() end)
      end)
      g:free()
      raises("graph: the graph was freed", function() g(cn.ones(1)) end)
      raises("begin_capture: cn.graph records what its function does by itself", function()
        cn.graph(function() cn.cuda.get_current_stream():begin_capture() end)
      end)
      assert.equal(1, cn.ones(1)[1]) -- nothing is recorded any more
    end)

    it("refuses streams that it does not record, and takes those that joined", function()
      local other = cn.cuda.Stream { non_blocking = true }
      local twice = cn.ElementwiseKernel("T x", "T y", "y = 2 * x", "twice")
      raises("with: the graph does not record this stream", function()
        cn.graph(function(x) return other:with(function() return x * 2 end) end, cn.ones(2))
      end)
      raises("twice: the graph does not record this stream", function()
        cn.graph(function(x) return twice(x, { stream = other }) end, cn.ones(2))
      end)
      raises("use: the graph does not record this stream", function()
        cn.graph(function(x)
          local before = cn.cuda.get_current_stream():use()
          other:use()
          before:use()
          return x * 2
        end, cn.ones(2))
      end)
      local g = cn.graph(function(x)
        local own = cn.cuda.get_current_stream()
        other:wait_event(own:record())
        local y = other:with(function() return x * 2 end)
        own:wait_event(other:record())
        return y + 1
      end, cn.ones(2))
      assert.same({ 11, 11 }, g(cn.full(2, 5)):totable())
    end)

    it("records what would wait for a count that the arguments' shapes tell", function()
      local g = cn.graph(function(x, v, labels)
        x[x:gt(2)] = v
        x[x:lt(1)] = -1
        return x, cn.bincount(labels, { minlength = 3 })
      end, cn.arange(5), cn.array { 7, 8 }, cn.array { 1, 1, 3 })
      local x, counts = g(cn.array { 9, 1, 0, 2, 5 }, cn.array { 6, 4 }, cn.array { 3, 2, 3 })
      assert.same({ { 6, 1, -1, 2, 4 }, { 0, 1, 2 } }, { x:totable(), counts:totable() })
      raises("assignment: a mask is true as often as there are values, 2 times, got 4", function()
        g(cn.arange(2, 7), cn.array { 6, 4 }, cn.array { 1, 1, 1 })
        cn.synchronize()
      end)
      raises("bincount: without waiting, values are whole numbers from 1 to minlength = 3, got 4", function()
        g(cn.arange(5), cn.array { 6, 4 }, cn.array { 1, 1, 4 })
        cn.synchronize()
      end)
    end)

    it("records nothing while kernels are only prepared", function()
      local total, g = cn.zeros(2), nil
      local double = cn.graph(function(x) return total:add_(x * 2) end, cn.ones(2))
      total:fill(0)
      cn.prepare(function()
        double(cn.ones(2))
        g = cn.graph(function(x) return x * 3 end, cn.ones(2))
      end)
      assert.same({ 0, 0 }, total:totable())
      assert.same({ 12, 12 }, g(cn.full(2, 4)):totable())
      assert.same({ 2, 2 }, double(cn.ones(2)):totable())
    end)

    it("is recorded while every launch is waited for, too", function()
      local script = [[
        local cn = require "cuna"
        local g = cn.graph(function(x) return x * 2 + 1 end, cn.ones(3))
        print(g(cn.full(3, 5)))
      ]]
      local where = { CUNA_SYNC = "1", CUNA_DEVICE = device.name }
      assert.equal("[11. 11. 11.]\n", process.run(script, where))
    end)

    it("takes nan for itself", function()
      local count = 0
      local g = cn.graph(function(x)
        count = count + 1
        return x * 2
      end, cn.ones(1), 0 / 0)
      g(cn.ones(1), 0 / 0)
      assert.equal(2, count)
    end)

    it("gives its memory back", function()
      local function settle()
        for _ = 1, 3 do collectgarbage() end
        cn.get_default_memory_pool():free_all_blocks()
        return device.memory.used_bytes, core.device_info(device, "memory").device_free
      end
      local used, free = settle()
      local g = cn.graph(function(x) return x * 2 + 1 end, cn.ones(1e6))
      assert.equal(3, g(cn.ones(1e6))[1])
      g:free()
      g = nil -- luacheck: ignore
      local used_then, free_then = settle()
      assert.equal(used, used_then)
      if device.kind ~= "cpu" then assert.equal(free, free_then) end
    end)
  end)
end)
