--- How Lua's collector is paced, that limits hold under a heap of garbage, and that what cuna keeps for later calls
--- belongs to no scope.
local cn = require "cuna"
local process = require "spec.support.process"
local each_device = require("spec.support.devices").each_device

local MIB = 2 ^ 20
local slack = process.is_sanitized and 8 or 1

local function settle(pool)
  collectgarbage()
  collectgarbage()
  pool:free_all_blocks()
  return pool:used_bytes()
end

-- ---- what cuna keeps ----

local CODE = [[
  __device__ float offset[2] = {10, 20};
  extern "C" __global__ void shift(float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += offset[i % 2];
  }]]

--- Features that keep something at their first use: a function of no arguments that makes the object, and one that uses
--- it and returns text.
local KEEPERS = {
  fuse = function()
    local f = cn.fuse(function(x) return x + cn.arange(3) * cn.array { 1, 2, 3 } + { 5, 6, 7 } end)
    return function() return tostring(f(cn.ones(3))) end
  end,
  fuse_result = function()
    local f = cn.fuse(function(x)
      local table_of_steps = cn.linspace(0, 1, 3)
      return x * 2, table_of_steps, table_of_steps[{ { 2, 3 } }]
    end)
    return function() return table.concat({ tostring(f(cn.ones(3))), tostring((select(3, f(cn.ones(3))))) }, " ") end
  end,
  fuse_without_steady_trace = function()
    local f = cn.fuse(function(x) return x + cn.arange(3) + (cn.device() and 1) end)
    return function() return tostring(f(cn.ones(3))) end
  end,
  vectorize = function()
    local f = cn.vectorize(function(x, k) return x * k + 1 end)
    return function() return tostring(f(cn.ones(3), 2)) end
  end,
  elementwise_kernel = function()
    local f = cn.ElementwiseKernel("T x, T y", "T z", "z = x + 2 * y", "gc_keeper_elementwise")
    return function() return tostring(f(cn.ones(3), cn.ones(3))) end
  end,
  reduction_kernel = function()
    local f = cn.ReductionKernel("T x", "T y", "x * x", "a + b", "y = a", "0", "gc_keeper_reduction")
    return function() return tostring(f(cn.ones(3))) end
  end,
  raw_module = function()
    local module = cn.RawModule { code = CODE }
    local kernel = module:get_function "shift"
    return function()
      local x = cn.ones(4, "float32")
      kernel({ 1 }, { 4 }, { x, 4 })
      return tostring(x) .. tostring(module:get_global "offset")
    end
  end,
  jit = function()
    local f = cn.jit.rawkernel(function(x, n)
      local i = cn.jit.grid(1)
      if i <= n then x[i] = x[i] + 1 end
    end)
    return function()
      local x = cn.ones(4, "float32")
      f({ 1 }, { 4 }, { x, 4 })
      cn.synchronize()
      return tostring(x)
    end
  end,
  rows = function()
    return function()
      local x = cn.array { { 1, 2 }, { 3, 4 } }
      local y = cn.concatenate({ x, x }) .. x
      local texts = { y, y:std(1), cn.eye(3):argmax(1), cn.tril(x), x:get() }
      for i = 1, #texts do texts[i] = tostring(texts[i]) end
      return table.concat(texts)
    end
  end,
}

each_device(function()
  describe("what cuna keeps for later calls", function()
    for name, make in pairs(KEEPERS) do
      it("is not freed by the scope of its first use: " .. name, function()
        local expected = make()()
        local use = make()
        assert.equal(expected, cn.scope(use))
        assert.equal(expected, use())
        local inner = make()
        cn.scope(function()
          cn.scope(function() cn.device():with(inner) end)
          assert.equal(expected, inner())
        end)
        collectgarbage()
        assert.equal(expected, inner())
        assert.equal(expected, cn.scope(inner))
      end)
    end

    it("is not what the program made in the scope", function()
      local mine
      local f = cn.fuse(function(x) return x + cn.arange(3) end)
      cn.scope(function()
        mine = cn.ones(3)
        f(mine)
      end)
      assert.is_false((pcall(function() return mine.size end)))
      for _ = 1, 3 do assert.equal(6, cn.scope(function() return f(cn.ones(3)):sum():item() end)) end
    end)
  end)

  describe("the collector", function()
    local pool, before
    before_each(function()
      pool = cn.get_default_memory_pool()
      before = pool:get_limit()
    end)
    after_each(function() pool:set_limit(before) end)

    it("is not run for arrays that the program frees itself", function()
      settle(pool)
      local collections = cn.gc_stats().collections
      for _ = 1, 1000 do
        cn.empty(MIB):free()
        cn.scope(function() return cn.empty(MIB).size end)
      end
      assert.equal(collections, cn.gc_stats().collections)
    end)

    it("runs when much came to be in use, and reports what it did", function()
      settle(pool)
      local start, made = cn.gc_stats(), 0
      repeat
        cn.empty(16 * MIB, "uint8")
        made = made + 16 * MIB
      until cn.gc_stats().collections > start.collections or made > 2 ^ 35
      local now = cn.gc_stats()
      assert.equal(start.needed, now.needed)
      assert.is_true(now.collected_bytes - start.collected_bytes >= 12 * MIB)
      assert.is_true(now.used_bytes < made)
      assert.is_true(now.last_seconds > 0)
      assert.is_true(now.total_seconds >= start.total_seconds + now.last_seconds)
    end)

    it("keeps what is in use below twice what is alive and 1 GiB, however fast garbage is made", function()
      local one = 64 * MIB
      local limit = cn.device().kind == "cpu" and 0 or cn.device().total_memory / 8 -- where a GPU waits for collections
      for _, count in ipairs { 0, 5, 20 } do
        local used, alive = settle(pool), {}
        for i = 1, count do alive[i] = cn.empty(one, "uint8") end
        collectgarbage()
        local most = 0
        for _ = 1, 200 do
          cn.empty(one, "uint8")
          most = math.max(most, pool:used_bytes() - used)
        end
        assert.is_true(most <= 2 * (count + 1) * one + math.max(limit, 1024 * MIB), most)
        for i = 1, count do alive[i]:free() end
      end
    end)

    it("leaves what is alive alone when collecting does not help", function()
      local used, alive, start = settle(pool), {}, cn.gc_stats()
      for i = 1, 100 do alive[i] = cn.empty(32 * MIB, "uint8") end
      local now = cn.gc_stats()
      assert.equal(start.needed, now.needed)
      assert.is_true(now.collections - start.collections <= 34, now.collections - start.collections)
      for i = 1, 100 do alive[i]:free() end
      assert.equal(used, settle(pool))
    end)

    it("runs in need under a limit, whatever it costs", function()
      pool:set_limit(settle(pool) + 16 * MIB)
      local start = cn.gc_stats()
      for _ = 1, 50 do cn.empty(12 * MIB, "uint8") end
      local now = cn.gc_stats()
      assert.is_true(now.needed - start.needed >= 49)
      assert.is_true(now.needed <= now.collections)
    end)

    it("runs finalizers that make arrays or raise, and the current call goes on", function()
      pool:set_limit(settle(pool) + 16 * MIB)
      local ran = 0
      for i = 1, 5 do
        local object = newproxy(true)
        getmetatable(object).__gc = function()
          ran = ran + 1
          local x = cn.ones(3) + i
          if i % 2 == 0 then error "a finalizer's own" end
          x:free()
        end
      end
      for _ = 1, 4 do assert.equal(12 * MIB, cn.empty(12 * MIB, "uint8").size) end
      assert.equal(5, ran)
    end)

    it("keeps a limit under many small and many large arrays", function()
      local used = settle(pool)
      local limit, most = used + 1024 * MIB, 0
      pool:set_limit(limit)
      local x = cn.ones(16)
      for i = 1, cn.device().kind == "cpu" and 2e5 or 2e4 do
        x = x * 1
        if i % 100 == 0 then most = math.max(most, pool:used_bytes()) end
      end
      for _ = 1, 100 do
        x = cn.empty(64 * MIB, "float32")
        most = math.max(most, pool:total_bytes())
      end
      assert.is_true(most <= limit, most)
      x:free()
      assert.is_true(settle(pool) <= used)
    end)
  end)
end)

--- Runs a script of the cpu device with a clock of the thread's time that no other process moves; its output.
local function run_by_clock(script)
  local folder = process.folder()
  local said, status = process.shell(("cc -shared -fPIC -o %s/clock.so spec/support/thread_clock.c"):format(folder))
  assert(status == 0, said)
  local output = process.must_run([[
    local ffi = require "ffi"
    ffi.cdef "void thread_clock_advance(int64_t ns);"
  ]] .. script, {CUNA_DEVICE = "cpu", LD_PRELOAD = (os.getenv "LD_PRELOAD" or "") .. ":" .. folder .. "/clock.so"})
  process.remove(folder)
  return output
end

describe("garbage on the cpu device", function()
  local script = [[
    local cn = require "cuna"
    local pool, u, used = cn.get_default_memory_pool(), cn.ones { 256, 256 }, {}
    for i = 1, 3000 do
      local x = u + u
      used[i] = pool:used_bytes()
    end
    table.sort(used)
    print(used[2000])]]

  it("stays in the caches", function()
    local least = math.huge
    for _ = 1, 3 do -- other processes may take the caches that collections are fast in
      least = math.min(least, tonumber(process.must_run(script, { CUNA_DEVICE = "cpu" })))
    end
    assert.is_true(least <= 24 * MIB * slack, least)
  end)

  it("stays there beside arrays that the program begins with", function()
    -- A collection takes 0.1 ms of that clock, an addition 0.02 ms.
    local nbytes = run_by_clock [[
      local cn = require "cuna"
      local pool, u, kept = cn.get_default_memory_pool(), cn.ones {256, 256}, {}
      local function add()
        ffi.C.thread_clock_advance(20000)
        return u + u
      end
      for i = 1, 128 do kept[i] = add() end
      for _ = 1, 500 do add() end
      print(pool:total_bytes() - 128 * u.nbytes)]]
    assert.is_true(tonumber(nbytes) <= 16 * MIB * slack, nbytes)
  end)

  it("is not looked for at each result where a collection costs as much as some", function()
    -- A collection takes 0.5 ms, what 8 MiB of garbage cost. Results wait without memory, or with little of it.
    for _, mode in ipairs { "recorded", "stored" } do
      local collections, nbytes = run_by_clock([[
        local cn = require "cuna"
        cn.set_eager(]] .. tostring(mode == "stored") .. [[)
        local u = cn.evaluate(cn.ones {256, 256})
        local function slow_collection()
          getmetatable(newproxy(true)).__gc = function()
            ffi.C.thread_clock_advance(500000)
            slow_collection()
          end
        end
        slow_collection()
        for _ = 1, 200 do local x = u + u end
        local before = cn.gc_stats().collections
        for _ = 1, 2000 do local x = u + u end
        print(cn.gc_stats().collections - before, cn.get_default_memory_pool():total_bytes())]]):match "(%S+)%s+(%S+)"
      assert.is_true(tonumber(collections) <= 50 and tonumber(collections) > 10, mode .. " " .. collections)
      assert.is_true(tonumber(nbytes) <= (mode == "stored" and 64 or 16) * MIB, mode .. " " .. nbytes)
    end
  end)

  it("is not computed where a slow collection costs less", function()
    -- A collection takes 2 ms. 256 results, as many as wait, would take 9 ms and 128 MiB of fresh memory.
    local computed = run_by_clock [[
      local cn, core = require "cuna", require "cuna.core"
      local function slow_collection()
        local object = newproxy(true)
        getmetatable(object).__gc = function()
          ffi.C.thread_clock_advance(2000000)
          slow_collection()
        end
      end
      cn.set_eager(false)
      local u = cn.evaluate(cn.ones {256, 256})
      slow_collection()
      local before = core.record_stats()
      for _ = 1, 2000 do local x = u + u end
      print(core.record_stats() - before)]]
    assert.is_true(tonumber(computed) <= 256, computed)
  end)
end)

describe("the collector's share", function()
  --- All but the last collection were followed by at least 20 times what they cost.
  local script = [[
    local cn = require "cuna"
    local live = {}
    for i = 1, COUNT do live[i] = MAKE end
    collectgarbage()
    local x = cn.ones(2 ^ 14)
    local function step(nbytes)
      cn.empty(nbytes, "uint8")
      cn.sin(x, { out = x }) -- so that memory is not asked for faster than a program can fill it
    end
    repeat step(2 ^ 20) until cn.gc_stats().collections >= 2 -- so that it is known what they cost
    local start, before = cn.clock(), cn.gc_stats()
    repeat
      step(2 ^ 13) -- less than 1 GiB of garbage meanwhile
      local seconds, now = cn.clock() - start, cn.gc_stats()
    until seconds > 1 and now.collections > before.collections or seconds > 30
    local seconds, now = cn.clock() - start, cn.gc_stats()
    assert(now.needed == before.needed and now.collections > before.collections)
    local spent = now.total_seconds - before.total_seconds - now.last_seconds
    assert(spent <= seconds / 20, spent / seconds)
    assert(#live > 1e4)]]

  -- A collection beside so many takes a twentieth of a few seconds at most, on a busy machine too.
  for name, live in pairs { tables = {count = 1e6, make = "{}"}, arrays = {count = 1e5, make = "cn.empty(16)"} } do
    it("is at most a twentieth beside very many " .. name, function()
      process.must_run((script:gsub("COUNT", ("%d"):format(live.count / slack)):gsub("MAKE", live.make)),
        { CUNA_DEVICE = "cpu" })
    end)
  end
end)

describe("what every collection marks", function()
  it("of cuna is small: what few scripts use is loaded later", function()
    local least = math.huge
    for _ = 1, 3 do -- of what its own tables take, and which traces there are, LuaJIT draws lots
      local text = process.must_run([[
        collectgarbage() collectgarbage()
        local before = collectgarbage "count"
        local x = require("cuna").ones(9)
        x = x + x
        jit.flush()
        collectgarbage() collectgarbage()
        print(collectgarbage "count" - before)]])
      least = math.min(least, tonumber(text))
    end
    assert(least < 380, least .. " KiB")
  end)
end)

describe("machine code that LuaJIT made", function()
  it("keeps no array that was printed", function()
    local text = process.must_run([[
      local cn = require "cuna"
      jit.opt.start("hotloop=1", "hotexit=1")
      local alive, count = setmetatable({}, {__mode = "k"}), 0
      for round = 1, 20 do
        local x = cn.arange(24):reshape(2, 3, 4) + round
        alive[x] = tostring(x) ~= ""
      end
      collectgarbage()
      collectgarbage()
      for _ in pairs(alive) do count = count + 1 end
      print(count)]])
    assert.equal("0\n", text)
  end)
end)

describe("a process that ends", function()
  it("is silent inside a scope, in a coroutine, and while arrays are collected", function()
    for _, text in ipairs {
      "cn.scope(function() x = cn.ones(9) os.exit(0, true) end)",
      "coroutine.wrap(function() cn.scope(function() x = cn.ones(9) os.exit(0, true) end) end)()",
      "coroutine.wrap(function() cn.scope(function() x = cn.ones(9) coroutine.yield() end) end)()",
      "cn.get_default_memory_pool():set_limit(2^24) for _ = 1, 50 do cn.empty(2^23, 'uint8') end",
      "local o = newproxy(true) getmetatable(o).__gc = function() cn.scope(function() return cn.ones(9) + 1 end) end",
    } do
      assert.same({ "", 0 }, { process.run("cn = require 'cuna' " .. text) }, text)
    end
  end)

  local found, gpu = pcall(cn.device, "cuda:0")
  if found and gpu.model == "Simulated GPU" then -- which does its work when it is waited for
    -- A finalizer waits for the device where a collection takes longer than its work.
    local function most_used(text)
      local most = process.must_run(([[
        local cn = require "cuna"
        local work, most = cn.zeros(4), 0
        local function use(steps, waits)
          for _ = 1, steps do work:fill(1) end
          if waits then getmetatable(newproxy(true)).__gc = function() cn.synchronize() end end
        end
        local live = {}
        for i = 1, 1e6 do live[i] = {} end
        cn.set_eager(true)
        for i = 1, 200 do
          %s
          cn.empty(2 ^ 28, "uint8")
          if i > 100 then most = math.max(most, cn.get_default_memory_pool():used_bytes()) end
        end
        assert(#live == 1e6)
        print(most)]]):format(text), {CUNA_DEVICE = "cuda:0", SIMGPU_MEMORY = ("%d"):format(2 ^ 35)})
      return tonumber(most) / 2 ^ 30
    end
    it("waits for an eighth of a GPU's memory where that has nothing to do after collections", function()
      assert.near(4.25, most_used "use(9, true)", 0.26)
    end)
    it("does not wait for more garbage where a GPU is busy all the time, or waited for", function()
      assert.is_true(most_used "use(9)" <= 1.5)
      assert.is_true(most_used "use(9) cn.synchronize()" <= 1.5)
      local last = most_used "use(9, i < 30)"
      assert.is_true(last <= 1.5, last)
    end)
  end
end)
