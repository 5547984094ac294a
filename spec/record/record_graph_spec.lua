--- Recorded operations in captures: a graph has the kernels that operations become, and launches compute all that a
--- program can ask for.
local cn = require "cuna"
local core = require "cuna.core"
local recorder = require "spec.support.recorder"

local same = recorder.same
local N = 4096

--- Calls fn(...) while operations are recorded; the number of kernels that its operations ran as, then its results.
local function count_kernels(fn, ...)
  cn.set_eager(false)
  cn.synchronize()
  local _, before = core.record_stats()
  local results = {fn(...)}
  local _, after = core.record_stats()
  cn.set_eager(true)
  return after - before, unpack(results)
end

local function make() return cn.linspace(1, 2, N, {dtype = "float32"}) end

local function chain(x, y)
  local z = cn.sqrt(x) * y + 1
  for _ = 1, 3 do z = z / (1 + z * z) + x end
  return z, (z - y):sum()
end

recorder.each_device(function(device)
  describe("a graph", function()
    it("has a kernel for what operators become together", function()
      local kernels, g = count_kernels(cn.graph, chain, make(), make() + 1)
      assert.is_true(kernels <= 2 * 3) -- for the rehearsal and the capture; there are 16 operations
      for i = 1, 3 do
        local x, y = make() * i, make() + i
        local z, sum = g(x, y)
        local expected_z, expected_sum = chain(x, y)
        same(expected_z, z)
        same(expected_sum, sum)
      end
    end)

    it("holds more operations than a queue, and products between them", function()
      local w = cn.ones({64, 64}, "float32") * 0.01
      local function step(h)
        for _ = 1, 4 do
          h = cn.tanh(cn.matmul(h, w) * 2 + 0.01)
          for _ = 1, 30 do h = h * 0.5 + 0.25 end
        end
        return h
      end
      local h = cn.ones({64, 64}, "float32")
      local kernels, g = count_kernels(cn.graph, step, h)
      assert.is_true(kernels <= 2 * 10)
      for i = 1, 2 do same(step(h * i), g(h * i)) end
    end)

    it("changes arrays from outside in place, at each launch", function()
      local state = cn.zeros(N)
      local function add(v)
        state:add_(v)
        local twice = v * 2
        twice:add_(state)
        twice:mul_(twice)
        return twice
      end
      local _, g = count_kernels(cn.graph, add, cn.ones(N))
      assert.equal(1, state[N])
      for i = 2, 4 do
        assert.equal((2 + i) ^ 2, g(cn.ones(N))[N])
        assert.equal(i, state[1])
      end
    end)

    it("may be one of several over the same arrays", function()
      local w = make()
      local function scale(x) return (x * w + 1) * w end
      for n = N, N - 2, -1 do
        w = make()["1:" .. n]
        local x = make()["1:" .. n] * 3
        local kernels, g = count_kernels(cn.graph, scale, x)
        assert.is_true(kernels <= 2)
        same(scale(x), g(x))
        local again, h = count_kernels(cn.graph, scale, x)
        assert.is_true(again <= 2)
        same(scale(x + 1), h(x + 1))
      end
    end)

    it("whose function fails leaves what was recorded before as it was", function()
      cn.set_eager(false)
      local x = make()
      local y = x * 2
      local z = y + 1
      assert.has_error(function()
        cn.graph(function(v)
          y = y + v
          error("stop", 0)
        end, x)
      end, "stop")
      same(x * 2 + 1, z)
      cn.set_eager(true)
    end)
  end)

  describe("a capture", function()
    local function capture(fn)
      local stream = cn.cuda.Stream()
      local kernels, graph = count_kernels(stream.capture, stream, fn)
      return graph, kernels
    end

    it("computes all values that the program keeps, at each launch", function()
      local x, inner, outer = make(), nil, nil
      local graph, kernels = capture(function()
        inner = cn.exp(x)
        outer = (inner + x) / 2
        outer = outer + inner
      end)
      assert.is_true(kernels <= 3)
      for i = 1, 3 do
        x:fill(i / 4)
        graph:launch()
        cn.synchronize()
        local e = cn.exp(cn.full_like(x, i / 4))
        same(e, inner)
        same((e + x) / 2 + e, outer)
      end
    end)

    it("computes nothing that was recorded before it", function()
      cn.set_eager(false)
      local x = make()
      local early = x * 3
      local stream = cn.cuda.Stream()
      local used = early + 1
      local late
      local graph = stream:capture(function() late = early - x end)
      x:fill(1)
      cn.set_eager(true)
      same(make() * 3, early)
      same(make() * 3 + 1, used)
      graph:launch()
      cn.synchronize()
      same(make() * 3 - 1, late)
    end)

    it("gives its values to work on other streams of the capture", function()
      local x = make()
      local first, second = cn.cuda.Stream {non_blocking = true}, cn.cuda.Stream {non_blocking = true}
      cn.synchronize()
      cn.set_eager(false)
      local a, b, c
      first:begin_capture()
      first:with(function() a = cn.sin(x) * 2 end)
      second:wait_event(first:record())
      second:with(function() b = a * a + x end)
      first:wait_event(second:record())
      first:with(function() c = a - b end)
      local graph = first:end_capture()
      cn.set_eager(true)
      for i = 1, 2 do
        x:fill(i)
        cn.synchronize()
        graph:launch(first)
        first:synchronize()
        local s = cn.sin(x) * 2
        same(s, a)
        same(s * s + x, b)
        same(s - (s * s + x), c)
      end
    end)

    it("that nobody ends does not outlive its stream, with what is recorded for it", function()
      cn.set_eager(false)
      local x = make()
      local function lose()
        local stream = cn.cuda.Stream()
        stream:begin_capture()
        local y
        stream:with(function() y = x + 1 end)
        return y.size
      end
      assert.equal(N, lose())
      collectgarbage()
      collectgarbage()
      cn.synchronize()
      same(make() * 2, x * 2)
      cn.set_eager(true)
    end)
  end)

  describe("a pool", function()
    it("gives memory to what was recorded while it was current", function()
      local pool = cn.cuda.MemoryPool()
      local x = make()
      cn.set_eager(false)
      local before = x * 2
      local inside, read, stored
      pool:with(function()
        cn.zeros(1)
        inside = x * 3
        read = inside + 1
        stored = read * 2
      end)
      cn.synchronize()
      same(x * 2, before)
      local used = pool:used_bytes(device)
      assert.is_true(used >= 4 * N and used < 4 * 4 * N) -- one to three arrays: `before` is not among them
      same(x * 3 + 1, read)
      assert.is_true(pool:used_bytes(device) >= 8 * N)
      pool:with(function() same(x * 3, inside) end)
      same((x * 3 + 1) * 2, stored)
      cn.set_eager(true)
    end)
  end)
end)
