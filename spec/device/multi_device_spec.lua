--- Two CUDA devices: what each has for itself, and what may not meet.
local cn = require "cuna"
local process = require "spec.support.process"
local raises = require("spec.support.raises").raises
local two_devices = require "spec.support.two_devices"

local zero, one, is_late = two_devices.zero, two_devices.one, two_devices.is_late
local stream_on, with_streams = two_devices.stream_on, two_devices.with_streams

local MIB = 2 ^ 20

two_devices.describe(function()
  describe("arrays", function()
    it("are made on the current device, or where one says", function()
      assert.equal(zero, cn.ones(3).device)
      assert.equal(one, one:with(cn.ones, 3).device)
      assert.equal(one, cn.ones(3, {device = one}).device)
      assert.equal(one, cn.ones(3, "float32", "cuda:1").device)
    end)

    it("are computed on where they are, whichever device is current", function()
      local square = cn.ElementwiseKernel("T x", "T y", "y = x * x", "square")
      local bump = cn.RawKernel("__global__ void bump(double *x) { x[threadIdx.x] += 1; }", "bump")
      local double = cn.fuse(function(x) return x * 2 end)
      local x = one:with(cn.arange, 4):astype "float64"
      bump(1, 4, {x})
      for _, y in ipairs {x + 0, square(x), double(x), x["::-1"], x:sum(), x:reshape(2, 2).T:copy()} do
        assert.equal(one, y.device)
      end
      assert.same({1, 2, 3, 4}, x:totable())
      assert.same({1, 4, 9, 16}, square(x):totable())
      assert.same({2, 4, 6, 8}, double(x):totable())
      assert.equal(10, x:sum():item())
      assert.equal(4, x[4])
    end)

    it("have the same bits on both", function()
      local values = cn.linspace(-3, 3, 1000)
      local function work(x) return cn.exp(cn.sin(x)), cn.sum(x * x), x["::-1"]:copy() end
      local here, there = {work(values)}, {work(values:to(one))}
      for i = 1, 3 do assert.equal(here[i]:tobytes(), there[i]:tobytes()) end
    end)

    it("are compared on the host only", function()
      local x, y = cn.arange(3), one:with(cn.arange, 3)
      assert.same(x:totable(), y:totable())
      assert.is_true(cn.array_equal(x, y:to(zero)))
    end)
  end)

  describe("the current device", function()
    it("changes for a function, nested", function()
      one:with(function()
        assert.equal(1, cn.cuda.get_device_id())
        assert.equal(one, cn.cuda.Device())
        zero:with(function()
          assert.equal(0, cn.cuda.get_device_id())
          cn.device("cpu"):with(function() assert.equal("cpu", cn.zeros(1).device.name) end)
          assert.equal(0, cn.cuda.get_device_id())
        end)
        assert.equal(one, cn.zeros(1).device)
      end)
    end)

    it("is what it was after an error, at any depth", function()
      local fault = {}
      local ok, value = pcall(one.with, one, function()
        assert.is_false((pcall(zero.with, zero, error, fault)))
        assert.equal(one, cn.device())
        zero:with(function() one:with(error, fault) end)
      end)
      assert.is_false(ok)
      assert.equal(fault, value)
      assert.equal(zero, cn.device())
    end)

    it("goes away with a coroutine and comes back with it", function()
      local seen = {}
      local thread = coroutine.wrap(function()
        one:with(function()
          coroutine.yield()
          seen[#seen + 1] = cn.device()
          coroutine.yield()
          seen[#seen + 1] = cn.device()
        end)
      end)
      for _ = 1, 3 do
        thread()
        assert.equal(zero, cn.device())
      end
      assert.same({"cuda:1", "cuda:1"}, {seen[1].name, seen[2].name})
    end)

    it("stays changed by use inside of with only", function()
      one:with(function()
        zero:use()
        assert.equal(zero, cn.device())
      end)
      assert.equal(zero, cn.device())
    end)
  end)

  describe("memory pools", function()
    it("count for each device", function()
      local pool = cn.cuda.MemoryPool()
      local x = one:with(pool.with, pool, cn.empty, 1000)
      assert.same({0, 8192}, {pool:used_bytes(), pool:used_bytes(one)})
      assert.equal(8192, one:with(pool.used_bytes, pool))
      local y = pool:with(cn.empty, 64)
      assert.same({512, 8192}, {pool:used_bytes(zero), pool:used_bytes "cuda:1"})
      x:free()
      y:free()
      assert.same({1, 1}, {pool:n_free_blocks(zero), pool:n_free_blocks(one)})
      pool:free_all_blocks(nil, one)
      assert.same({512, 0}, {pool:total_bytes(zero), pool:total_bytes(one)})
      pool:free_all_blocks()
      assert.equal(0, pool:total_bytes(zero))
    end)

    it("do not use one device's blocks for another", function()
      local pool = cn.cuda.MemoryPool()
      pool:with(cn.empty, 1000):free()
      local x = one:with(pool.with, pool, cn.ones, 1000)
      assert.equal(8192, pool:free_bytes(zero))
      assert.equal(1000, x:sum():item())
      x:free()
    end)

    it("have limits of their own; one may be full while the other works", function()
      local pool = cn.cuda.MemoryPool()
      pool:set_limit({size = MIB}, one)
      assert.same({0, MIB}, {pool:get_limit(), pool:get_limit(one)})
      local function fill(nbytes) return pool:with(function() return cn.evaluate(cn.zeros(nbytes / 8)) end) end
      one:with(function()
        local x = fill(MIB)
        raises("OutOfMemoryError: cannot allocate 512 bytes on cuda:1: 1048576 in use", function()
          local _ = fill(512)
        end)
        assert.equal(2 ^ 18, zero:with(function() return (fill(2 * MIB) + 1):sum():item() end))
        x:free()
        fill(MIB):free()
      end)
      pool:set_limit(0, one)
      one:with(fill, 2 * MIB):free()
    end)

    it("have the environment's limit on each device", function()
      local said = process.must_run([[
        local cn = require "cuna"
        for id = 0, 1 do
          cn.cuda.Device(id):with(function()
            local x = cn.evaluate(cn.zeros(2^17))
            print(cn.get_default_memory_pool():get_limit(), (pcall(cn.empty, 64)), x[-1])
          end)
        end]], {CUNA_MEMORY_LIMIT = "1048576"})
      assert.equal(("1048576\tfalse\t0\n"):rep(2), said)
    end)

    it("leave the other device's memory when a device is full", function()
      local pool = cn.cuda.MemoryPool()
      local free = math.min(cn.cuda.memory_info(0), (cn.cuda.memory_info(1)))
      local most = math.floor(free * 0.6 / MIB) * MIB
      local function take() return pool:with(cn.empty, most, "uint8") end
      local x = one:with(take)
      one:with(function()
        raises(("OutOfMemoryError: cannot allocate %d bytes on cuda:1"):format(most), function() local _ = take() end)
      end)
      local y = take()
      assert.equal(6, cn.sum(one:with(cn.ones, 6)):item())
      x:free()
      y:free()
      pool:free_all_blocks()
      pool:free_all_blocks(nil, one)
      assert.same({0, 0}, {pool:total_bytes(zero), pool:total_bytes(one)})
    end)
  end)

  describe("streams", function()
    it("are current on their device, and change no other", function()
      local a, b = stream_on(zero), stream_on(one)
      with_streams({b}, function()
        assert.equal(zero, cn.device())
        assert.is_true(cn.cuda.get_current_stream().null)
        assert.is_true(cn.cuda.get_current_stream(1) == b)
        with_streams({a}, function()
          assert.is_true(cn.cuda.get_current_stream(0) == a)
          assert.is_true(cn.cuda.get_current_stream(one) == b)
        end)
        one:with(function() assert.is_true(cn.cuda.get_current_stream() == b) end)
      end)
      assert.is_false(cn.cuda.Stream.null == one:with(function() return cn.cuda.Stream.null end))
      assert.is_false(cn.cuda.Stream.ptds == one:with(function() return cn.cuda.Stream.ptds end))
    end)

    it("take the work of their device only", function()
      local b = stream_on(one)
      local x, y = cn.zeros(1000), one:with(cn.zeros, 1000)
      one:synchronize()
      b:with(function()
        for _ = 1, 5 do
          x:add_(1)
          y:add_(2)
        end
        if is_late then assert.is_false(b.done) end
      end)
      assert.equal(5000, x:sum():item())
      b:synchronize()
      assert.equal(10000, y:sum():item())
    end)

    it("work beside each other, and one is waited for alone", function()
      local a, b, seen = stream_on(zero), stream_on(one), {}
      for k = 1, 20 do
        local x = a:with(function() return cn.full(100, k) * 2 end)
        local y = one:with(b.with, b, function() return cn.full(100, k) * 3 end)
        a:add_callback(function() seen[#seen + 1] = "zero" end)
        b:add_callback(function() seen[#seen + 1] = "one" end)
        b:synchronize()
        assert.equal(300 * k, b:with(function() return y:sum():item() end))
        a:synchronize()
        assert.equal(200 * k, a:with(function() return x:sum():item() end))
      end
      local count = {zero = 0, one = 0}
      for _, name in ipairs(seen) do count[name] = count[name] + 1 end
      assert.same({zero = 20, one = 20}, count)
    end)

    it("of another device are refused by kernels, copies and memory", function()
      local s, x, host = stream_on(one), cn.ones(4), cn.zeros_pinned(4)
      local square = cn.ElementwiseKernel("T x", "T y", "y = x * x", "square")
      local bump = cn.RawKernel("__global__ void bump(double *x) { x[threadIdx.x] += 1; }", "bump")
      raises("square: the stream is of cuda:1, and the work is on cuda:0", function() square(x, {stream = s}) end)
      raises("bump: the stream is of cuda:1, and the work is on cuda:0", function()
        bump(1, 4, {x}, {stream = s})
      end)
      raises("get: the stream is of cuda:1, and the work is on cuda:0", function() local _ = x:get {stream = s} end)
      raises("set: the stream is of cuda:1, and the work is on cuda:0", function() x:set(host, {stream = s}) end)
      raises("to: the stream is of cuda:1, and the work is on cuda:0", function()
        local _ = host:to(zero, {stream = s})
      end)
      assert.same({1, 1, 1, 1}, x:totable())
      assert.is_true(cn.cuda.get_current_stream(one).null)
    end)
  end)

  describe("arrays of both", function()
    local x, y, f

    before_each(function()
      x, y = cn.ones(4), one:with(cn.ones, 4)
      f = function(a, b) return a + b end
    end)

    local TWO = "one array is on cuda:0 and another on cuda:1; move one with x:to(\"cuda:0\")"

    it("never meet in an operation, which names both", function()
      raises("add: " .. TWO, function() local _ = x + y end)
      raises("add: " .. TWO, function() x:add_(y) end)
      raises("where: " .. TWO, function() local _ = cn.where(x:gt(0), x, y) end)
      raises("concatenate: " .. TWO, function() local _ = cn.concatenate {x, y} end)
      raises("sqrt: ", function() cn.sqrt(x, {out = y}) end)
      local out = cn.zeros({}, "float64", one)
      raises("sum: " .. TWO, function() cn.sum(x, {out = out}) end)
      raises('assignment: the array is on cuda:0 and the value on cuda:1; move it with value:to("cuda:0")',
        function() x["1:4"] = y end)
      assert.same({{1, 1, 1, 1}, {1, 1, 1, 1}}, {x:totable(), y:totable()})
    end)

    it("never meet in a kernel", function()
      local sum = cn.ElementwiseKernel("T x, T y", "T z", "z = x + y", "sum_of")
      local raw = cn.RawKernel("__global__ void both(double *x, double *y) { x[0] = y[0]; }", "both")
      raises("sum_of: " .. TWO, function() local _ = sum(x, y) end)
      local ok, message = pcall(raw, 1, 1, {x, y})
      assert.is_false(ok)
      assert.has.match("cuna: both: [^\n]*cuda:1[^\n]*cuda:0[^\n]*$", message)
      local fused = cn.fuse(f)
      local ok_fused, message_fused = pcall(fused, x, y)
      assert.is_false(ok_fused)
      assert.has.match("cuda:0[^\n]*cuda:1", message_fused)
    end)
  end)

  describe("graphs", function()
    local function work(x, y) return x * 2 + y end

    it("are recorded and replayed on the device of their arrays", function()
      local here = cn.graph(work, cn.zeros(3), cn.zeros(3))
      local there = one:with(function() return cn.graph(work, cn.zeros(3), cn.zeros(3)) end)
      for k = 1, 10 do
        local z = here(cn.full(3, k), cn.ones(3))
        local w = one:with(function() return there(cn.full(3, k), cn.full(3, 2)) end)
        assert.same({zero, one}, {z.device, w.device})
        assert.same({2 * k + 1, 2 * k + 2}, {z[3], w[3]})
      end
      here:free()
      there:free()
    end)

    it("record again for arrays of the other device", function()
      local graph = cn.graph(work, cn.zeros(3), cn.zeros(3))
      local x = one:with(cn.ones, 3)
      for _ = 1, 2 do
        assert.equal(one, graph(x, x).device)
        assert.same({3, 3, 3}, graph(x, x):totable())
        assert.same({5, 5, 5}, graph(cn.full(3, 2), cn.ones(3)):totable())
      end
    end)

    it("are captured on each, while the other goes on", function()
      local graphs, sums, streams = {}, {}, {stream_on(zero), stream_on(one)}
      for i, s in ipairs(streams) do
        sums[i] = s.device:with(cn.zeros, 4)
        sums[i]:add_(0)
        s.device:synchronize()
      end
      for i, s in ipairs(streams) do
        local other = sums[3 - i]
        s:begin_capture()
        s:with(sums[i].add_, sums[i], i)
        other:add_(100)
        graphs[i] = s:end_capture()
        assert.equal(s.device, graphs[i].device)
      end
      for i, s in ipairs(streams) do
        s.device:synchronize()
        for _ = 1, 5 do graphs[i]:launch(s) end
        s:synchronize()
        assert.equal(100 + 5 * i, sums[i][4])
      end
    end)

    it("are not launched on a stream of the other device", function()
      local s, x = stream_on(zero), cn.zeros(3)
      x:add_(1)
      zero:synchronize()
      s:begin_capture()
      s:with(x.add_, x, 1)
      local graph = s:end_capture()
      local ok, message = pcall(graph.launch, graph, stream_on(one))
      assert.is_false(ok)
      assert.has.match("cuna: [^\n]*cuda:1[^\n]*$", message)
      graph:launch(s)
      s:synchronize()
      assert.equal(2, x[1])
    end)

    it("of functions are of one device", function()
      local x, w = zero:with(cn.ones, 2), one:with(cn.ones, 2)
      raises("graph: argument 2 is on cuda:1, and the graph is of cuda:0; move it", function()
        cn.graph(function(a, b) return a, b end, x, w)
      end)
      raises("a graph of cuda:0 cannot record work on cuda:1", function()
        cn.graph(function(a) w:add_(1) return a * 2 end, x)
      end)
      raises("a graph of cuda:0 cannot record work on cuda:1", function()
        cn.graph(function(a) return a:to(one) end, x)
      end)
      assert.equal(1, w[1])
    end)
  end)
end)
