--- Operations that are recorded: when they run, which kernels compute them, what they keep.
local cn = require "cuna"
local core = require "cuna.core"
local devices = require "spec.support.devices"
local process = require "spec.support.process"
local recorder = require "spec.support.recorder"

local recorded, same = recorder.recorded, recorder.same

describe("the recorder", function()
  local was_eager = cn.is_eager()
  before_each(function()
    cn.set_eager(true)
    collectgarbage() -- what tests before left would be evaluated with what a test asks for
    collectgarbage()
  end)
  after_each(function() cn.set_eager(was_eager) end)

  it("is on at first, and says so", function()
    assert.equal("false\n", process.must_run("print(require('cuna').is_eager())", {CUNA_EAGER = ""}))
    cn.set_eager(true)
    assert.is_true(cn.set_eager(false))
    assert.is_false(cn.is_eager())
    assert.is_false(cn.set_eager(true))
    assert.has.match("set_eager: expected true or false, got 3$", select(2, pcall(cn.set_eager, 3)))
    assert.has.match("evaluate: expected an array, got number$", select(2, pcall(cn.evaluate, 3)))
    assert.equal("true\n", process.must_run("print(require('cuna').is_eager())", {CUNA_EAGER = "1"}))
  end)

  devices.each_device(function(device)
    if core.is_host(device) then return end

    it("computes several operations in one kernel", function()
      local x, y = cn.arange(0, 100, 1, "float32"), cn.ones(100, "float32")
      local function work() return cn.sqrt(x * 2 + y) - x / (y + 1), cn.maximum(x, 3 * y) end
      local a, b = work()
      local results, kernels = recorded(work)
      same(a, results[1])
      same(b, results[2])
      assert.equal(1, kernels)
    end)

    it("computes conversions in the kernel of what reads them", function()
      local x = cn.arange(0, 100, 1, "int32")
      local function work() return (x * 3):astype "float32" / 7 - x:astype "uint8" end
      local results, kernels = recorded(work)
      same(work(), results[1])
      assert.equal(1, kernels)
    end)

    it("checks at the call what needs no values", function()
      cn.set_eager(false)
      local x = cn.ones({2, 3})
      assert.has.match("add: shapes %(2, 3%) and %(4,%) do not broadcast$", select(2, pcall(cn.add, x, cn.ones(4))))
      local y = x + 1
      assert.same({2, 3}, {y.shape[1], y.shape[2]})
      assert.equal("float64", y.dtype)
      y:free()
      assert.has.match("freed", select(2, pcall(cn.add, y, 1)))
    end)

    it("reads what a view, a broadcast or another shape needs from memory", function()
      cn.set_eager(false)
      local x = cn.arange(12):reshape(3, 4) + 0.5
      local y = x * 2
      assert.same({2, 10, 18}, (y[{{}, 1}] + 1):totable())
      assert.same({{1.5, 5.5, 9.5}}, {(x.T[1] + 1):totable()})
      local column = x:sum(2):reshape(3, 1) * 1
      assert.same((column + x)[3]:totable(), (x[3] + x[3]:sum()):totable())
    end)

    it("evaluates what reads an array before that is written to", function()
      cn.set_eager(false)
      local x = cn.ones(4)
      local y = x * 3
      local z = y + 1
      x:add_(10)
      assert.same({{4, 4, 4, 4}, {3, 3, 3, 3}, {11, 11, 11, 11}}, {z:totable(), y:totable(), x:totable()})
      local p = cn.ones(3) + 1
      local q = p * 2
      local r = q + 1
      assert.is_false(cn.shares_memory(p, q))
      cn.synchronize() -- p and q are recipes now
      p:add_(10)
      assert.same({{4, 4, 4}, {5, 5, 5}, {12, 12, 12}}, {q:totable(), r:totable(), p:totable()})
      local u = x - 1
      local v = u * 2
      cn.synchronize() -- u is a recipe now
      x[2] = 0
      x[cn.array {1, 3}] = 7
      cn.add_at(x, cn.array {4}, 5)
      assert.same({{20, 20, 20, 20}, {10, 10, 10, 10}, {7, 0, 7, 16}}, {v:totable(), u:totable(), x:totable()})
    end)

    it("keeps what arrays that were freed are needed for", function()
      cn.set_eager(false)
      local x = cn.ones(4)
      local y = x + 1
      local z = y * 2
      x:free()
      y:free()
      assert.same({4, 4, 4, 4}, z:totable())
    end)

    it("never computes what nobody can ask for", function()
      local x = cn.ones(1000)
      local function work()
        local y = cn.cosh(x) * cn.tan(x)
        y:free()
        return x
      end
      local _, kernels = recorded(work)
      assert.equal(0, kernels)
    end)

    it("stores a value that was asked for after it was passed the next time", function()
      local x = cn.arange(64) / 7
      local function work()
        local y = cn.exp(x) * 0.5
        return cn.log(y + 1), y
      end
      local expected, y = work()
      local counts = {}
      finally(function() core.set_composing(false) end)
      core.set_composing(true)
      for i = 1, 3 do
        cn.synchronize()
        cn.set_eager(false)
        local before = core.module_stats()
        local a, b = work()
        cn.evaluate(a)
        cn.synchronize()
        same(y, b)
        same(expected, a)
        counts[i] = core.module_stats() - before
        cn.set_eager(true)
      end
      assert.equal(0, counts[3])
    end)

    it("needs no more kernels after the first rounds of a loop that never reads", function()
      --- Units that the script waited for: those that are hot are compiled meanwhile.
      local function count_units()
        local stats = cn.cuda.compile_stats()
        return stats.compiled - stats.background
      end
      finally(function() core.set_composing(false) end)
      core.set_composing(true)
      cn.set_eager(false)
      local x, y = cn.evaluate(cn.ones(50), cn.zeros(50))
      local function round()
        x = x * 0.99 + y * 0.01 - 0.001
        y = cn.absolute(y - x) * 0.5
      end
      for _ = 1, 36 * 2 do round() end
      cn.evaluate(x, y)
      local before = count_units()
      for _ = 1, 36 * 7 do round() end
      cn.evaluate(x, y)
      assert.equal(before, count_units())
      local u, v = x:tobytes(), y:tobytes()
      cn.set_eager(true)
      x, y = cn.ones(50), cn.zeros(50)
      for _ = 1, 36 * 9 do round() end
      assert.same({x:tobytes(), y:tobytes()}, {u, v})
    end)

    it("has flushes of a loop begin where the loop does, not at a round inside of it", function()
      finally(function() core.set_composing(false) end)
      core.set_composing(true)
      cn.set_eager(false)
      local a, b = cn.evaluate(cn.ones(30), cn.zeros(30))
      local function step(x, y)
        for _ = 1, 20 do
          x = x * 0.75 + y * 0.01 - 0.002
          y = cn.absolute(y - x) * 0.5
        end
        return x + y
      end
      for _ = 1, 4 do step(a, b) end
      cn.synchronize()
      local before = cn.cuda.compile_stats().compiled
      local last
      for _ = 1, 12 do last = step(a, b) end
      cn.synchronize()
      assert.equal(before, cn.cuda.compile_stats().compiled)
      last = last:tobytes()
      cn.set_eager(true)
      assert.equal(step(a, b):tobytes(), last)
    end)

    it("cuts what is too much for one kernel", function()
      local x = cn.arange(0, 20, 1, "float32") / 20
      local many = {}
      for i = 1, 24 do many[i] = x * i + 1 end
      cn.evaluate(unpack(many))
      local function chain()
        local y = x
        for i = 1, 100 do y = y * 0.5 + i end
        return y
      end
      local function wide()
        local sum = many[1]
        for i = 2, 24 do sum = sum + many[i] * i end
        return sum
      end
      local a, b = chain(), wide()
      cn.set_eager(false)
      same(a, chain())
      same(b, wide())
    end)

    it("gives numbers, bools, casts and half floats the values that they have in memory", function()
      local DTYPES = {"float16", "bfloat16", "int8", "uint8", "bool", "complex64"}
      local function work(dtype)
        local x = cn.arange(0, 9, 1, "float64"):astype(dtype)
        local y = (x + x):astype "float32":astype(dtype)
        local z = cn.where(y:ne(0), y, x) * y
        return z, z:astype "float64" + 1, y:eq(x)
      end
      cn.prepare(function() for _, dtype in ipairs(DTYPES) do work(dtype) end end)
      for _, dtype in ipairs(DTYPES) do
        local expected = {work(dtype)}
        cn.set_eager(false)
        for i, result in ipairs {work(dtype)} do same(expected[i], result) end
        cn.set_eager(true)
      end
    end)

    it("lets streams, events, graphs and pointers find everything done", function()
      cn.set_eager(false)
      local x = cn.ones(100)
      local y = x + 1
      local stream = cn.cuda.Stream()
      stream:with(function() assert.same(3, (y + 1)[1]) end)
      local z = y * 2
      local pointer = z:to_dlpack()
      assert.is_true(pointer ~= nil)
      local w = z + 1 -- others may write to z now: this runs at once
      assert.equal(5, w[1])
      local event = cn.cuda.Event()
      local v = x + 5
      event:record()
      event:synchronize()
      assert.equal(6, v[7])
    end)

    it("evaluates what reads an array before others learn its address", function()
      local raw = cn.RawKernel([[extern "C" __global__ void put(double *x) { x[threadIdx.x] = 100; }]], "put")
      cn.set_eager(false)
      local x, u = cn.ones(4), cn.ones(4)
      local y, v = cn.tan(x), cn.cosh(u)
      local z, w = y + x, v - u -- y and v are recipes after these are computed
      local before = {cn.tan(cn.ones(4)):totable(), cn.cosh(cn.ones(4)):totable()}
      raw(1, 4, {x})
      cn.from_dlpack(u:to_dlpack()):fill(9)
      assert.same({{100, 100, 100, 100}, {9, 9, 9, 9}}, {x:totable(), u:totable()})
      assert.same(before, {y:totable(), v:totable()})
      assert.same({4, 4}, {z.size, w.size})
    end)

    it("names the line of an operation for whose result memory is missing later", function()
      local pool, n = cn.get_default_memory_pool(), 2.2e6
      local x = cn.ones(n)
      local nbytes = n * x.itemsize
      collectgarbage()
      collectgarbage()
      pool:free_all_blocks()
      local used = pool:used_bytes()
      pool:set_limit(used + 18 * nbytes) -- of more than a sixteenth an operation runs at once
      local held = cn.empty(17.5 * nbytes, "int8")
      cn.set_eager(false)
      local y = x * 2
      local line = debug.getinfo(1, "l").currentline - 1
      local z = y + y:sum(1, {keepdims = true})
      local good, message = pcall(function() return z[1] end)
      pool:set_limit(0)
      assert.is_false(good)
      local named = message:match "OutOfMemoryError: .*; it is for the result of %l+ at [^\n]*record_spec%.lua:(%d+)$"
      assert(tonumber(named) == line or tonumber(named) == line + 2, message)
      assert.equal(2 + 2 * n, z[1]) -- it is still recorded
      held:free()
    end)

    it("evaluates everything before a graph is captured", function()
      cn.set_eager(false)
      local x = cn.ones(4)
      local y = cn.sinh(x)
      local z = y + 1
      cn.evaluate(z)
      local expected = cn.sinh(cn.ones(4)):totable()
      local stream = cn.cuda.Stream()
      stream:with(function()
        stream:begin_capture()
        local _ = x + y
        stream:end_capture() -- and nobody launches it
      end)
      assert.same(expected, y:totable())
    end)

    it("evaluates no garbage before a graph is captured", function()
      local x, stream = cn.evaluate(cn.ones(100)), cn.cuda.Stream()
      cn.set_eager(false)
      local function work() return cn.evaluate(cn.cosh(x) * 2 + 1) end
      local y = work() -- what it is made of was passed, and is garbage
      local _, before = core.record_stats()
      stream:with(function()
        stream:begin_capture()
        stream:end_capture()
      end)
      local _, after = core.record_stats()
      assert.equal(before, after)
      assert.equal(100, y.size)
    end)

    it("is rehearsed by cn.prepare", function()
      local x = cn.arange(0, 33, 1, "float32")
      local function work() return cn.tan(x) * 3 - 1 end
      local expected = work()
      cn.set_eager(false)
      local before = x * 2
      assert.equal(1, cn.prepare(work))
      local compiled = core.module_stats()
      same(expected, work())
      assert.equal(compiled, (core.module_stats()))
      assert.equal(4, before[3])
    end)

    if device.name ~= "cpu" then -- which waits for no compiler
      it("compiles the kernels of a flush together, before it runs them", function()
        local text = process.must_run([[
          local cn = require "cuna"
          local x = cn.zeros({64, 48})
          cn.synchronize()
          io.stderr:write "here\n"
          local a, b, c = x:sum(1), cn.tan(x):max(2), x.T + x.T:sum(1)
          cn.evaluate(a, b, c)
        ]], {CUNA_EAGER = "0", CUNA_LOG = "all", CUNA_DEVICE = device.name, CUNA_CACHE_DIR = "off"})
        local compiled, ran = text:match "here\n(.-)(cuna: fuse.*)"
        local _, kernels = ran:gsub("cuna: fuse", "")
        assert.is_true(kernels >= 3)
        assert.has.match("cuna: compile", compiled)
        assert.is_nil(ran:gsub("[^\n]*, background[^\n]*", ""):match "cuna: compile")
      end)
    end

    it("composes what runs repeatedly, once its kernels are there", function()
      local output = process.must_run([[
        local cn, core, ffi = require "cuna", require "cuna.core", require "ffi"
        ffi.cdef "int usleep(unsigned int microseconds);"
        local x, y = cn.arange(0, 100, 1, "float32"), cn.ones(100, "float32")
        local function work() return (x - y) * (x - 1) end
        cn.set_eager(true)
        local expected = work():tobytes() -- the kernels of the single operations
        cn.set_eager(false)
        local start = cn.clock()
        for i = 1, 3 do
          cn.synchronize()
          if i == 2 then -- the first time asked for kernels, which a thread compiles
            while core.background_count() > 0 and cn.clock() - start < 60 do ffi.C.usleep(1000) end
          end
          local _, before = core.record_stats()
          local z = cn.evaluate(work())
          local _, after = core.record_stats()
          io.write(after - before, z:tobytes() == expected and " " or "wrong ")
        end
      ]], {CUNA_EAGER = "0", CUNA_RECORD_LIMIT = "0", CUNA_DEVICE = device.name, CUNA_CACHE_DIR = "off"})
      assert.equal(core.lanes(device) == 1 and "1 1 1 " or "3 1 1 ", output)
    end)

    it("composes at once where single values would not fit", function()
      local output = process.must_run([[
        local cn = require "cuna"
        local function work(n)
          local generator = cn.random.default_rng(3)
          local u, v = generator:random(n), generator:random(n)
          return (u * u + v * v):lt(1):sum():item()
        end
        cn.set_eager(true)
        local expected = work(2 ^ 17)
        cn.get_default_memory_pool():free_all_blocks()
        local full = cn.evaluate(cn.empty(38000000, "uint8"))
        print(pcall(work, 2 ^ 17))
        cn.set_eager(false)
        print(work(2 ^ 17) == expected, full.size)
      ]], {CUNA_EAGER = "0", CUNA_RECORD_LIMIT = "0", CUNA_DEVICE = device.name, CUNA_MEMORY_LIMIT = "40000000"})
      assert.has.match("^false.*OutOfMemoryError.*\ntrue\t38000000\n$", output)
    end)

    it("computes equal operations once", function()
      local text = process.must_run([[
        local cn = require "cuna"
        local x, y = cn.evaluate(cn.arange(4) / 4, cn.ones(4))
        local z = cn.evaluate(cn.tan(x) * y + cn.tan(x) * y * cn.tan(x), cn.tan(x))
        print(cn.allclose(z, cn.tan(x) + cn.tan(x) ^ 2))
      ]], {CUNA_EAGER = "0", CUNA_RECORD_LIMIT = "0", CUNA_COMPILE = "wait", CUNA_LOG = "compile",
        CUNA_DEVICE = device.name, CUNA_CACHE_DIR = "off"})
      local name = assert(text:match "cuna_tan_[%a_]*multiply_add", text)
      assert.equal(1, select(2, name:gsub("tan", "")), text)
      assert.has.match("true\n", text)
    end)

    it("ends with its state", function()
      local script = [[
        local cn = require "cuna"
        local x = cn.ones(10)
        local y = x + 1
        local z = y * 2
        os.exit(0, true)
      ]]
      for _ = 1, 2 do
        process.must_run(script, {CUNA_EAGER = "0", CUNA_DEVICE = device.name})
        script = script:gsub("os.exit%(0, true%)", "")
      end
    end)

    it("keeps a bounded room for operations to come, until its state ends", function()
      -- The driver of a real GPU takes memory of its own.
      if process.is_sanitized or not core.is_host(device) and device.model ~= "Simulated GPU" then return end
      local counted, script = [[
        local ffi = require "ffi"
        ffi.cdef "typedef struct { size_t other[7], taken, rest[2]; } malloc_facts; malloc_facts mallinfo2(void);"
        local function taken_nbytes()
          collectgarbage()
          collectgarbage()
          return tonumber(ffi.C.mallinfo2().taken)
        end
      ]], [[
        local cn = require "cuna"
        local function record(count)
          local chain = {[0] = cn.ones(10)}
          for i = 1, count do chain[i] = chain[i - 1] + 1 end
          cn.evaluate(chain[count])
        end
        record(300)
        local before = taken_nbytes()
        record(300 + 78 * 256) -- flushes of the same lengths: nothing is compiled meanwhile
        local kept = taken_nbytes() - before
        assert(kept > 4096 * 480 and kept < 2 * 4096 * 480, "kept " .. kept)
      ]]
      local output = process.must_run(counted .. [[
        if not pcall(function() return ffi.C.mallinfo2 end) then print "fine: nobody counts" return end
        ffi.cdef "void *luaL_newstate(); void luaL_openlibs(void *); void lua_close(void *);"
        ffi.cdef "int luaL_loadstring(void *, const char *); int lua_pcall(void *, int, int, int);"
        local function taken_by_state()
          local state = ffi.C.luaL_newstate()
          ffi.C.luaL_openlibs(state)
          assert(ffi.C.luaL_loadstring(state, [=[]] .. counted .. script .. "]=]" .. [[) == 0)
          assert(ffi.C.lua_pcall(state, 0, 0, 0) == 0, "kept too much, or nothing")
          ffi.C.lua_close(state)
          return taken_nbytes()
        end
        local left = -taken_by_state() + taken_by_state()
        print(left < 4096 * 480 / 2 and "fine" or left)
      ]], {CUNA_EAGER = "0", CUNA_DEVICE = device.name, CUNA_COMPILE = "wait"}) -- or a thread takes memory meanwhile
      assert.has.match("^fine", output)
    end)
  end)
end)
