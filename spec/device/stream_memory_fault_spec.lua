--- Streams, events, graphs and pools: every driver call of some scenarios fails, one after another, and nothing is
--- lost; what is left open when its owner goes; who keeps what recorded work uses.
local cn = require "cuna"
local devices = require "spec.support.devices"
local process = require "spec.support.process"
local raises = require("spec.support.raises").raises
local simgpu = require "spec.simgpu.driver"

-- ---- what owns what ----

devices.each_device(function(device)
  local function stream() return cn.cuda.Stream { non_blocking = true } end

  describe("a capture", function()
    it("ends when nothing refers to its stream any more", function()
      local core = require "cuna.core"
      for _ = 1, 100 do
        local s = core.stream_create(cn.cuda.get_current_stream().device, false, 0)
        core.graph_begin(s)
        s = nil -- luacheck: ignore
        collectgarbage()
      end
      assert.same({ 2, 2 }, (cn.ones(2) + 1):totable())
      cn.synchronize()
    end)

    it("may end inside of cn.no_sync, which forbids waiting until its own end", function()
      local s, x = stream(), cn.ones(2)
      s:begin_capture()
      cn.no_sync(function()
        s:end_capture()
        raises("item: waits for the device, and cn.no_sync forbids that", function() x:sum():item() end)
      end)
      assert.equal(2, x:sum():item())
    end)

    local function leave_open(options)
      local s = cn.cuda.Stream(options)
      s:begin_capture()
      error("mistake", 0)
    end

    it("that an error leaves open ends with its stream", function()
      local x = cn.ones(3)
      cn.add(x, x)
      for _, options in ipairs { { non_blocking = true }, { non_blocking = false } } do
        assert.same({ false, "mistake" }, { pcall(leave_open, options) })
        collectgarbage()
        assert.equal(6, cn.add(x, x):sum():item())
        stream():capture(function() x:add_(0) end)
      end
    end)

    it("that an error leaves open forbids no waiting", function()
      local x = cn.ones(3)
      assert.same({ false, "mistake" }, { pcall(leave_open, { non_blocking = true }) })
      assert.same({ 1, 1, 1 }, x:totable())
      assert.same({ false, "mistake" }, { pcall(leave_open, { non_blocking = true }) })
      stream():capture(function() x:add_(0) end)
    end)

    it("that an error leaves open is in the way of the default stream once at most", function()
      local x = cn.ones(3)
      cn.add(x, x)
      pcall(leave_open, { non_blocking = false })
      raises("add: the default stream waits for a stream that captures: end that capture, or capture a non-blocking "
        .. "stream (the driver says CUDA_ERROR_STREAM_CAPTURE_IMPLICIT",
        function() cn.add(x, x) end)
      assert.equal(6, cn.add(x, x):sum():item())
    end)

    it("that is open ends with its state", function()
      local script = [[
        local cn = require "cuna"
        cn.device(%q):use()
        s = cn.cuda.Stream {non_blocking = NUMBER == 1}
        s:use()
        s:begin_capture()]]
      local text = process.must_run(([[
        local ffi = require "ffi"
        ffi.cdef "void *luaL_newstate(); void luaL_openlibs(void *); int luaL_loadstring(void *, const char *);"
        ffi.cdef "int lua_pcall(void *, int, int, int); void lua_close(void *);"
        ffi.cdef "const char *lua_tolstring(void *, int, void *);"
        local cn = require "cuna"
        cn.device(%q):use()
        local x = cn.ones(3)
        for number = 1, 2 do
          local L = ffi.C.luaL_newstate()
          ffi.C.luaL_openlibs(L)
          local text = "NUMBER = %%d package.path = %%q package.cpath = %%q "
          text = text:format(number, package.path, package.cpath)
          assert(ffi.C.luaL_loadstring(L, text .. %q) == 0)
          if ffi.C.lua_pcall(L, 0, 0, 0) ~= 0 then error(ffi.string(ffi.C.lua_tolstring(L, -1, nil))) end
          ffi.C.lua_close(L)
          print((x + 1):sum():item())
        end]]):format(device.name, script:format(device.name)))
      assert.equal("6\n6\n", text)
    end)

    it("keeps the workspaces of recorded work", function()
      local s, x, sums = stream(), cn.ones({ 4, 300000 }, "float32"), cn.empty({ 4 }, "float32")
      local scan = cn.ScanKernel("T x", "T y", "x", "a + b", "y = a", 0, "running")
      local scanned = cn.empty({ 300000 }, "float32")
      local function work()
        x:sum { axis = 2, out = sums }
        scan(x[1], scanned)
      end
      s:with(work)
      s:synchronize()
      cn.get_default_memory_pool():free_all_blocks()
      s:begin_capture()
      s:with(work)
      local graph, others = s:end_capture(), {}
      s:with(function()
        for i = 1, 30 do others[i] = cn.full(64 * i, 7, "float64") end
        graph:launch(s)
        graph:launch(s)
      end)
      s:synchronize()
      for i = 1, 30 do assert.is_true(others[i]:eq(7):all()) end
      assert.same({ 300000, 300000, 300000, 300000 }, sums:totable())
      assert.equal(300000, scanned[-1])
    end)

    it("does not stay open in a function that yields", function()
      local calls = 0
      local thread = coroutine.create(function()
        local graph = cn.graph(function(x)
          calls = calls + 1
          if calls == 2 then coroutine.yield() end
          return x * 2
        end, cn.ones(2))
        return graph
      end)
      local ok, message = coroutine.resume(thread)
      assert.is_false(ok)
      assert.matches(":%d+: cuna: graph: the function yields while it is recorded; yield outside of it$", message)
      assert.equal(2, cn.ones(2):sum():item())
    end)
  end)
end)

describe("a Lua state that closes", function()
  it("may still take memory from a pool when the current one is finalized", function()
    local output, status = process.run [[
      local cn = require "cuna"
      local other = cn.cuda.MemoryPool()
      local late = newproxy(true)
      getmetatable(late).__gc = function() print("late", pcall(function() return other:malloc(1000) ~= nil end)) end
      cn.cuda.set_allocator(cn.cuda.MemoryPool())
      KEPT = { other, late, cn.ones(3) }
    ]]
    assert.equal(0, status, output)
    assert.matches("late\ttrue\ttrue", output)
  end)

  it("ends its captures", function()
    local output, status = process.run [[
      local cn = require "cuna"
      local s = cn.cuda.Stream()
      s:begin_capture()
      s:with(function() ONES = cn.ones(3) + 1 end)
    ]]
    assert.equal("", output)
    assert.equal(0, status)
  end)
end)

if not simgpu.here then return end

describe("the child of a fork", function()
  it("does not call the driver for memory of a pool that was dropped before", function()
    local output, status = process.run [[
      local cn = require "cuna"
      local ffi = require "ffi"
      local simgpu = require "spec.simgpu.driver"
      ffi.cdef "int fork(void); int waitpid(int, int *, int);"
      cn.device "cuda:0":use()
      local x, y
      cn.cuda.MemoryPool():with(function() x = cn.ones(1000) end)
      cn.cuda.MemoryAsyncPool():with(function() y = cn.ones(1000) end)
      collectgarbage()
      collectgarbage()
      local calls = simgpu.cuda.simgpu_calls
      local function count() return calls "cuMemFree_v2" + calls "cuMemFreeAsync" end
      local child = ffi.C.fork()
      if child == 0 then
        local before = count()
        x:free()
        y:free()
        io.stdout:write("calls of the child: ", count() - before, "\n")
        os.exit(0, true)
      end
      local answer = ffi.new "int[1]"
      ffi.C.waitpid(child, answer, 0)
      print("answer", answer[0])
    ]]
    assert.equal(0, status, output)
    assert.matches("calls of the child: 0\n", output)
    assert.matches("answer\t0", output)
  end)
end)

describe("a copy that could not be marked", function()
  it("does not outlive its stream in the ring of pinned memory", function()
    cn.device("cuda:0"):with(function()
      local s = cn.cuda.Stream { non_blocking = true }
      cn.array { 1, 2, 3 }
      simgpu.cuda.simgpu_reset()
      simgpu.cuda.simgpu_fail("cuEventRecord", 1, 2, 0)
      pcall(s.with, s, cn.array, { 1, 2, 3 })
      simgpu.cuda.simgpu_reset()
      s:free()
      cn.get_default_pinned_memory_pool():free_all_blocks()
      assert.same({ 4, 5 }, cn.array({ 4, 5 }):totable())
    end)
  end)
end)

-- ---- driver calls that fail ----

local cuda = simgpu.cuda
local scenarios = {}

local function expect(value, x)
  local found = x[1]
  if found ~= value then error(("wrong value: %s, not %s"):format(tostring(found), value), 0) end
end

function scenarios.streams()
  local s, t = cn.cuda.Stream(), cn.cuda.Stream { priority = -1 }
  local start, stop, count = cn.cuda.Event(), cn.cuda.Event(), 0
  local x = cn.ones(1000)
  s:with(function()
    s:record(start)
    x = x + 1
    s:record(stop)
  end)
  t:wait_event(stop)
  t:with(function() x = x * 2 end)
  t:launch_host_func(function() count = count + 1 end)
  t:synchronize()
  stop:synchronize()
  if cn.cuda.get_elapsed_time(start, stop) < 0 or count ~= 1 then error("wrong time or count", 0) end
  expect(4, x)
  t:free()
end

function scenarios.pools()
  for _, make in ipairs { cn.cuda.MemoryPool, cn.cuda.MemoryAsyncPool } do
    local pool, s = make(), cn.cuda.Stream()
    local x = pool:with(function()
      local y = cn.ones(1000)
      return s:with(function() return y + 1 end)
    end)
    s:synchronize()
    expect(2, x)
    pool:free_all_blocks()
  end
end

function scenarios.pinned()
  local s, host = cn.cuda.Stream { non_blocking = true }, cn.empty_pinned(5000)
  host[{ {} }] = 3
  local x = cn.asarray(host, { stream = s })
  local y = s:with(function() return x + 1 end)
  local back = y:get { stream = s, blocking = false }
  s:synchronize()
  expect(4, back)
end

function scenarios.graphs()
  local x = cn.ones(1000, "float32")
  local graph = cn.graph(function(a) return a * 2 + a:sum() end, x)
  expect(1002, graph(x))
  local s, out = cn.cuda.Stream(), cn.zeros({ 4 }, "float32")
  local rows = cn.ones({ 4, 10000 }, "float32") -- folded in segments, which are merged
  local count = 0
  s:begin_capture()
  local ok, message = pcall(s.with, s, function()
    rows:sum { axis = 2, out = out }
    s:launch_host_func(function() count = count + 1 end)
  end)
  local ended, captured = pcall(s.end_capture, s)
  if not ok then error(message, 0) end
  if not ended then error(captured, 0) end
  captured:upload(s):launch(s)
  s:synchronize()
  if count ~= 1 then error("wrong count", 0) end
  expect(10000, out)
end

function scenarios.trace()
  local records = cn.profiler.trace("/dev/null", function() return (cn.ones(100) + 1):get() end)
  if not records then error("no trace", 0) end
end

function scenarios.peers()
  local x, far = cn.ones(5000, "float32"), cn.cuda.Stream { device = "cuda:1", non_blocking = true }
  far:with(function() expect(1, x:to "cuda:1") end)
end

local function run(name)
  local ok, message = pcall(function() cn.device("cuda:0"):with(scenarios[name]) end)
  return not ok and tostring(message) or nil
end

local function live()
  for _ = 1, 3 do collectgarbage() end
  for i = 0, 1 do
    cn.device("cuda:" .. i):with(function()
      cn.synchronize()
      cn.get_default_memory_pool():free_all_blocks()
      cn.get_default_pinned_memory_pool():free_all_blocks()
      local sweeps = cn.cuda.Stream()
      sweeps:free()
    end)
  end
  local counts = {}
  for _, kind in ipairs { "allocations", "streams", "events", "graphs", "instances" } do
    counts[kind] = cuda.simgpu_live(kind)
  end
  return counts
end

-- A failed release is not reported, and what it should release is lost.
local GIVE_BACK = { "Free", "Destroy", "Unload", "Release", "GetError", "TrimTo", "EndCapture", "CtxSetCurrent" }

local function gives_back(row)
  for _, word in ipairs(GIVE_BACK) do
    if row:find(word, 1, true) then return true end
  end
  return row:find "^nvrtc" ~= nil
end

local OUT_OF_MEMORY, MOST = 2, 60
local EACH = 12 -- calls that all are made to fail; then every fourth up to MOST

describe("a driver call that fails", function()
  after_each(function() cuda.simgpu_reset() end)

  for name in pairs(scenarios) do
    it("in the scenario '" .. name .. "' costs nothing but the operation", function()
      assert.is_nil(run(name))
      assert.is_nil(run(name))
      local before = live()
      for _, row in ipairs(simgpu.rows_of(function() assert.is_nil(run(name)) end)) do
        for _, forever in ipairs(gives_back(row) and {} or { 0, 1 }) do
          local n = 0
          while n < MOST do
            n = n + (n < EACH and 1 or 4)
            local context = ("%s call %d of %s fails%s"):format(name, n, row, forever == 1 and " for ever" or "")
            cuda.simgpu_reset()
            cuda.simgpu_fail(row, n, OUT_OF_MEMORY, forever)
            local message = run(name)
            local reached = cuda.simgpu_calls(row) >= n
            cuda.simgpu_reset()
            if message then
              assert(message:match "^[^\n]-:%d+: cuna: ([^\n]+)$", context .. ": not one line of cuna's: " .. message)
            end
            local after = live()
            for kind, count in pairs(before) do
              assert(after[kind] <= count, ("%s: %d %s before, %d after (%s)"):format(context, count, kind, after[kind],
                message or "no error"))
            end
            if not reached then break end
          end
        end
      end
      assert.is_nil(run(name))
    end)
  end
end)
