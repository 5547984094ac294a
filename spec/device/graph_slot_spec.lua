--- Arguments and results of cn.graph: used where they are, handed over, or copied.
local cn = require "cuna"
local each_device = require("spec.support.devices").each_device
local simgpu = require "spec.simgpu.driver"

local function new_stream() return cn.cuda.Stream { non_blocking = true } end

each_device(function(device)
  describe("arrays of a cn.graph", function()
    local SETS, COPIES = { "cuGraphExecKernelNodeSetParams" }, { "cuLaunchKernel", "cuMemcpyDtoDAsync_v2" }

    --- How often rows were called while fn(...) ran; nil where calls are not counted.
    local function calls_of(rows, fn, ...)
      if not simgpu.here or device.kind == "cpu" then return fn(...) and nil end
      local function count()
        local sum = 0
        for _, row in ipairs(rows) do sum = sum + simgpu.cuda.simgpu_calls(row) end
        return sum
      end
      local before = count()
      fn(...)
      return count() - before
    end

    --- Expects that g(...) sets nodes, and copies arrays, so often.
    local function costs(sets, copies, g, ...)
      assert.equal(copies, calls_of(COPIES, g, ...) or copies)
      assert.equal(sets, calls_of(SETS, g, ...) or sets)
    end

    --- A graph with a node for each operation.
    local function graph_of_all(...)
      local was_eager = cn.is_eager()
      cn.set_eager(true)
      local g = cn.graph(...)
      cn.set_eager(was_eager)
      return g
    end

    it("are used where they are, and results are new ones", function()
      local g = cn.graph(function(x, y) return (x * 2 + y):sum(), x - y end, cn.ones(64), cn.ones(64))
      local kept = {}
      for i = 1, 6 do
        local x, y = cn.full(64, i), cn.full(64, -i)
        local total, difference = g(x, y)
        kept[i] = { total, difference }
        x:free()
        y:free()
      end
      for i = 1, 6 do assert.same({ 64 * i, 2 * i }, { kept[i][1]:item(), kept[i][2][64] }) end
      g:free()
      assert.same({ 64 * 3, 6 }, { kept[3][1]:item(), kept[3][2][1] })
    end)

    it("cost a call for each node that has another address, and no copy", function()
      local g = graph_of_all(function(x, y) return cn.exp(x) + y end, cn.ones(10), cn.ones(10))
      local x, y = cn.evaluate(cn.zeros(10), cn.ones(10))
      local results = {}
      local function call(...) results[#results + 1] = g(...) end
      call(x, y)
      costs(1, 0, call, x, y) -- exp reads what it read before, and the sum gets new memory
      local u, v = cn.evaluate(cn.zeros(10), cn.ones(10))
      assert.equal(0, calls_of(COPIES, call, u, y) or 0)
      assert.equal(2, calls_of(SETS, call, x, v) or 2)
      g:launch(u, v)
      assert.equal(0, calls_of(SETS, g.launch, g, u, v) or 0)
      for _, result in ipairs(results) do assert.same({ 2, 2 }, { result[1], result[10] }) end
    end)

    it("are copied where many nodes have their addresses, unless they come again", function()
      local g = graph_of_all(function(x, y)
        for _ = 1, 10 do x = x + y end
        return x
      end, cn.ones(8), cn.ones(8))
      local x, y, z = cn.ones(8), cn.full(8, 2), cn.full(8, 3)
      assert.equal(21, g(x, y)[8])
      assert.equal(31, g(x, z)[8])
      assert.equal(1, calls_of(COPIES, g, x, y) or 1)
      assert.equal(0, calls_of(COPIES, g, x, y) or 0)
      assert.equal(21, g(x, y)[8])
      assert.equal(31, g(x, z)[8])
    end)

    it("may be the same, views, of other layouts, and results of calls before", function()
      local g = cn.graph(function(x, y) return x - 2 * y end, cn.ones({ 4, 4 }), cn.ones({ 4, 4 }))
      local x = cn.arange(96):astype("float64"):reshape(6, 16)
      local square = x["2, :"]:reshape(4, 4)
      assert.is_true(cn.array_equal(g(square, square), -square))
      assert.is_true(cn.array_equal(g(square.T, square), square.T - 2 * square))
      local odd = x:reshape(-1)[{ { 4, 19 } }]:reshape(4, 4)
      assert.is_true(cn.array_equal(g(odd, square), odd - 2 * square))
      local backwards = x["2, ::-1"]:reshape(4, 4)
      assert.is_true(cn.array_equal(g(square, backwards), square - 2 * backwards))
      local y = square
      for _ = 1, 4 do y = g(y, y) end
      assert.is_true(cn.array_equal(y, square))
      local own = g:launch(square, square)
      assert.is_true(cn.array_equal(g:launch(own, square), -3 * square))
      assert.is_true(cn.array_equal(g(own, own), 3 * square))
      local turn = cn.graph(function(a) return a["::-1"] + 0 end, cn.zeros(3000))
      local turned = turn:launch(turn:launch(cn.arange(3000):astype "float64"))
      assert.is_true(cn.array_equal(turned, cn.arange(3000)))
    end)

    it("keep their elements where the function changes its own", function()
      local x, y = cn.ones(100), cn.zeros(100)
      local g = cn.graph(function(a, b)
        a:add_(1)
        b[{ { 1, 50 } }] = a[{ { 51, 100 } }]
        return a, b
      end, x, y)
      for _ = 1, 3 do
        local a, b = g(x, y)
        assert.same({ 2, 2, 0 }, { a[100], b[50], b[51] })
      end
      assert.same({ 1, 0 }, { x[1], y[1] })
      local h = cn.graph(function(a) return a:add_(1):sum() end, x)
      for _ = 1, 3 do assert.equal(200, h(x):item()) end
      assert.equal(1, x[1])
    end)

    it("that the graph uses from outside, too, are read before it changes them", function()
      local weight = cn.ones(10)
      local g = cn.graph(function(x)
        weight:mul_(2)
        return x + weight
      end, cn.zeros(10))
      weight:fill(1)
      assert.equal(3, g(weight)[1])
      assert.equal(6, g(weight)[10])
      assert.equal(4, weight[1])
    end)

    it("are results as they are, parts of results, and the same result twice", function()
      local g = cn.graph(function(x)
        local y, t = x * 2, x * 3
        return x, y, y, y[{ { 1, 2 } }], t[{ { 2, 3 } }], { x["::-1"] }
      end, cn.ones(3))
      for i = 1, 3 do
        local given = cn.arange(i, i + 3):astype "float64"
        local x, y, again, part, inner, list = g(given)
        given:fill(0)
        assert.same({ i, i + 1, i + 2 }, x:totable())
        assert.same({ 2 * i, 2 * i + 2, 2 * i + 4 }, y:totable())
        assert.same({ 2 * i, 2 * i + 2, 2 * i + 4 }, again:totable())
        assert.same({ { 2 * i, 2 * i + 2 }, { 3 * i + 3, 3 * i + 6 } }, { part:totable(), inner:totable() })
        assert.same({ i + 2, i + 1, i }, list[1]:totable())
      end
    end)

    it("have no part in memory that was another array's before", function()
      local g = cn.graph(function(x)
        local before = x * 7
        local total = before:sum()
        before:free()
        return x + 1, total
      end, cn.ones(1000))
      local x = cn.full(1000, 2)
      local y, total = g(x)
      assert.same({ 3, 3, 14000 }, { y[1], y[1000], total:item() })
      costs(2, 0, g, x) -- the sum's last kernel and the addition
    end)

    it("are known to libraries, kernels of users, random draws and sorts", function()
      local rng = cn.random.default_rng(5)
      local raw = cn.RawKernel('extern "C" __global__ void bump(double *x, int n) {\n'
        .. "int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] += 1; }", "bump")
      local scale = cn.ElementwiseKernel("T x, raw T y", "T z", "z = x * y[0]", "scale")
      local g = cn.graph(function(a, b, c)
        local bumped = c:copy()
        raw(1, 64, { bumped, 16 })
        return cn.matmul(a, b), bumped, scale(c, c), cn.sort(c), c:cumsum(), rng:random(16) + c, cn.fft.fft(c).real
      end, cn.ones({ 4, 4 }), cn.ones({ 4, 4 }), cn.ones(16))
      for i = 1, 3 do
        local a, b, c = cn.full({ 4, 4 }, i), cn.full({ 4, 4 }, 2), cn.arange(16, 0, -1):astype "float64" * i
        local product, bumped, scaled, sorted, sums, random, transformed = g(a, b, c)
        assert.same({ 8 * i, 16 * i + 1 }, { product[{ 4, 4 }], bumped[1] })
        assert.same({ 256 * i * i, i, 136 * i }, { scaled[1], sorted[1], sums[16] })
        assert.is_true(random[1] >= 16 * i and random[1] < 16 * i + 1)
        assert.equal(136 * i, transformed[1])
      end
    end)

    it("stay where replays need them, whatever follows", function()
      local f = function(x, y) return cn.sin(x) * y + x end
      local g, stream = cn.graph(f, cn.ones(20000), cn.ones(20000)), new_stream()
      local results, expected = {}, {}
      for i = 1, 12 do
        local function call()
          local x, y = cn.full(20000, i), cn.full(20000, 2 * i)
          results[i], expected[i] = g(x, y), f(x, y)
          x:free()
          y:free()
          cn.full(20000, 1e9):free() -- gets memory that the replay may still read
        end
        if i % 3 == 0 then stream:with(call) else call() end
      end
      for i = 13, 16 do -- memory that one stream gives up and the next one gets
        local x, y = cn.full(20000, i), cn.full(20000, 2 * i)
        expected[i] = f(x, y)
        stream:wait_event(cn.cuda.get_current_stream():record())
        results[i] = stream:with(g, x, y)
        x:free()
        y:free()
        cn.full(20000, 1e9):add_(cn.full(20000, 1e9))
      end
      cn.synchronize()
      collectgarbage()
      for i = 1, 16 do assert.is_true(cn.array_equal(results[i], expected[i]), "replay " .. i) end
    end)

    --- A function of three (4, 4) arrays: random steps over them and what they made, some of which are freed, changed
    --- in place, views or results.
    local STEPS = {
      function(a, b) return a + b end,
      function(a) return a * 2 end,
      function(a, b) return a.T - b end,
      function(a) return a:cumsum(1) end,
      function(a, b) return b + a:sum(1) end,
      function(a) return a:copy() end,
      function(a) return a.T end,
      function(a, b)
        a["1:2"] = b["3:4"]
        return a
      end,
      function(a, b) return a:add_(b) end,
      function(a, b) return cn.maximum(a, b, { out = cn.empty({ 4, 4 }) }) end,
      function(a) return a["::-1"] end,
      function(a, b) return cn.matmul(a % 3, b % 3) end,
    }

    local function random_function(seed)
      local steps, results = {}, {}
      math.randomseed(seed)
      for i = 1, 8 do
        local drop = math.random(4) == 1 and i > 3 and math.random(4, i + 2)
        steps[i] = { STEPS[math.random(#STEPS)], math.random(i + 2), math.random(i + 2), drop }
      end
      for i = 1, 3 do results[i] = math.random(11) end
      return function(x, y, z)
        local made = { x, y, z }
        for i, step in ipairs(steps) do
          local fn, a, b, drop = unpack(step, 1, 4)
          made[i + 3] = fn(made[a] or x, made[b] or y)
          if drop then made[drop] = nil end
        end
        return made[results[1]] or x, made[results[2]] or made[11], made[results[3]] or made[10] or y
      end
    end

    local seed = tonumber(os.getenv "CUNA_SEED") or 1
    it("give what the function gives, whatever it does", function()
      for number = seed, seed + 39 do
        local f = random_function(number)
        local x = (cn.arange(64):astype "float64" * (number % 7 + 1) % 11):reshape(4, 4, 4)
        local function views(i) return x[i], x[i % 4 + 1]:copy(), x[(i + 1) % 4 + 1].T end
        local g = cn.graph(f, views(1))
        local given, before, expected, found = {}, {}, {}, {}
        for i = 1, 4 do
          given[i], before[i] = { views(i) }, {}
          for k, array in ipairs(given[i]) do before[i][k] = array:copy() end
          expected[i] = { f(before[i][1]:copy(), before[i][2]:copy(), before[i][3]:copy()) }
          found[i] = { g(unpack(given[i])) }
        end
        for i = 1, 4 do
          for k = 1, 3 do
            local where = ("CUNA_SEED=%d, call %d, result %d"):format(number, i, k)
            assert(cn.array_equal(found[i][k], expected[i][k]), where)
            assert(cn.array_equal(given[i][k], before[i][k]), where .. ": the argument was changed")
          end
        end
        g:free()
        collectgarbage() -- what the function left is freed between captures
      end
    end)

    it("are right after a replay that failed", function()
      if not simgpu.here or device.kind == "cpu" then return end
      local g = cn.graph(function(x, y) return x * y end, cn.ones(5), cn.ones(5))
      local x, y = cn.full(5, 2), cn.full(5, 3)
      simgpu.cuda.simgpu_fail(SETS[1], 1, 1, 0)
      assert.error_matches(function() g(x, y) end, SETS[1] .. " failed")
      simgpu.cuda.simgpu_fail(SETS[1], 0, 0, 0)
      assert.equal(6, g(x, y)[5])
      assert.equal(6, g:launch(x, y)[5])
    end)
  end)
end)
