local process = require "spec.support.process"

local FORK = [[
  local cn, ffi = require "cuna", require "ffi"
  ffi.cdef "int fork(void); int waitpid(int, int *, int); void _exit(int);"
  -- The child's work is checked by its exit status; nothing of Lua's may run at its end.
  local function fork(work)
    io.stdout:flush()
    local child = ffi.C.fork()
    if child == 0 then
      local ok, message = pcall(work)
      if not ok then io.stderr:write(message, "\n") end
      ffi.C._exit(ok and 7 or 1)
    end
    return child
  end
  local function wait(child)
    local status = ffi.new "int[1]"
    assert(ffi.C.waitpid(child, status, 0) == child and status[0] == 7 * 256, status[0])
  end
  local n = 2^20
]]

describe("another Lua than LuaJIT", function()
  it("is reported, and how busted finds LuaJIT", function()
    local written, status = process.run "jit = nil; require 'cuna'"
    assert.has.match("child_spec.lua:1: cuna: needs LuaJIT, and this is Lua 5.1; for busted write busted %-%-lua=",
      written)
    assert.not_equal(0, status)
  end)
end)

describe("a forked child", function()
  local environment = { CUNA_NUM_THREADS = "4" }

  it("computes with threads and new kernels, and the parent goes on", function()
    process.must_run(FORK .. [[
      local x = cn.ones(n)
      assert((x + 1):sum():item() == 2 * n)
      local child = fork(function()
        assert((x + 1):sum():item() == 2 * n)
        x:add_(4)
        assert((x * x):sum():item() == 25 * n)
        assert(cn.ones(n, "int32"):sum():item() == n)
        x = nil
        collectgarbage()
      end)
      assert((x - 3):sum():item() == -2 * n)
      wait(child)
      assert(x:sum():item() == n)
      local grandchild = fork(function()
        wait(fork(function() assert((x + 1):sum():item() == 2 * n) end))
        assert((x / 4):sum():item() == n / 4)
      end)
      wait(grandchild)
      assert((x + 2):sum():item() == 3 * n)]], environment)
  end)

  it("may be the first to compute", function()
    process.must_run(FORK .. [[
      local children = {}
      for i = 1, 4 do
        children[i] = fork(function() assert((cn.ones(n) + i):sum():item() == (1 + i) * n) end)
      end
      for i = 1, 4 do wait(children[i]) end
      assert(cn.ones(n):sum():item() == n)]], environment)
  end)

  it("may come from the middle of a loop of work, many times", function()
    process.must_run(FORK .. [[
      local x = cn.arange(n)
      for i = 1, 20 do
        local y = x + i
        local child = fork(function() assert((x + i):sum():item() == y:sum():item()) end)
        assert((x * 2).size == n)
        wait(child)
      end]], environment)
  end)
end)

describe("several Lua states", function()
  local folder, host

  setup(function()
    folder = process.folder()
    host = folder .. "/states"
    local text, status = process.shell("cc -O1 -g -o " .. host .. " spec/support/states.c "
      .. "$(pkg-config --cflags --libs luajit) -lpthread")
    assert(status == 0, text)
  end)
  teardown(function() process.remove(folder) end)

  local function run(threads, script)
    process.write(folder .. "/script.lua", script)
    local paths = ("LUA_PATH='%s/lua/?.lua;%s/lua/?/init.lua' LUA_CPATH='%s/lib/?.so' "):format(process.root,
      process.root, process.build)
    local command = ("CUNA_NUM_THREADS=3 %s %s/script.lua %d"):format(host, folder, threads)
    local text, status = process.capture(paths .. command)
    assert(status == 0, text)
    assert.equal("", text)
  end

  it("compute in threads of their own at once", function()
    run(3, [[
      local cn = require "cuna"
      for i = 1, 200 do
        local x = cn.arange(1000 + i) * NUMBER
        local size = 1000 + i
        assert(x:sum():item() == NUMBER * size * (size - 1) / 2)
        assert((x + x:copy())[2] == 2 * NUMBER)
        if i % 20 == 0 then assert((cn.ones(300000) + NUMBER):sum():item() == 300000 * (1 + NUMBER)) end
        if i % 50 == 0 then collectgarbage() end
      end
      local ok, message = pcall(function() return cn.ones(NUMBER + 1) + cn.ones(NUMBER + 3) end)
      assert(not ok and message:find("(" .. NUMBER + 1 .. ",)", 1, true), message)]])
  end)

  it("may request the same new kernels at once", function()
    run(4, [[
      local cn = require "cuna"
      for _, dtype in ipairs { "int8", "float32" } do
        local x = cn.ones({ 3, 4 }, dtype)
        assert((x + x):sum():item() == 24)
      end]])
  end)

  it("get reports of only their own positions out of range on the cpu device", function()
    run(4, [[
      local cn = require "cuna"
      cn.device("cpu"):use()
      local x, good, bad = cn.arange(5), cn.array {1, 5}, cn.array {1, 10 + NUMBER}
      for _ = 1, 500 do
        assert(x[good][2] == 4)
        x[good] = 4
        local ok, message = pcall(function() x[bad] = 7 end)
        assert(not ok and message:find("position " .. 10 + NUMBER .. " is out of range", 1, true), message)
        assert(x[1] == 4)
        x:add_(0)
      end]])
  end)

  it("get reports of only their own positions out of range at their own waits", function()
    run(4, [[
      local cn = require "cuna"
      if cn.cuda.device_count() == 0 then return end
      cn.device("cuda:0"):use()
      local x, good, bad = cn.arange(5), cn.array {1, 5}, cn.array {1, 10 + NUMBER}
      local waits = {cn.synchronize, function() return x:sum():item() end,
        function() cn.cuda.get_current_stream():synchronize() end,
        function() cn.cuda.Event():record():synchronize() end}
      for i = 1, 300 do
        local wait, is_bad = waits[i % 4 + 1], NUMBER % 2 == 1
        x[is_bad and bad or good] = 4
        for _ = 1, 10 do x:add_(0) end
        local ok, message = pcall(wait)
        local is_reported = not ok and message:find("position " .. 10 + NUMBER .. " is out of range", 1, true) ~= nil
        assert(ok == not is_bad and is_reported == is_bad, message)
      end]])
  end)

  it("may end before their streams call them", function()
    run(4, [[
      local cn = require "cuna"
      for _, device in ipairs {"cpu", cn.cuda.device_count() > 0 and "cuda:0" or nil} do
        cn.device(device):use()
        local s, ran = cn.cuda.Stream{non_blocking = true}, 0
        local x = s:with(cn.zeros, 10)
        for _ = 1, 50 do
          s:with(x.add_, x, 1)
          s:add_callback(function() ran = ran + 1 end)
        end
        if NUMBER > 2 then
          s:synchronize()
          assert(ran == 50 and s:with(x.item, x["1:1"]) == 50)
        end
      end]])
  end)

  it("capture while others wait for the device", function()
    run(4, [[
      local cn = require "cuna"
      for _, device in ipairs {"cpu", cn.cuda.device_count() > 0 and "cuda:0" or nil} do
        cn.device(device):use()
        local x = cn.ones(100, "float32")
        for _ = 1, 20 do
          local graph = cn.graph(function(v) return v * 2 + v:sum() end, x)
          assert(graph(x):sum():item() == 10200)
          cn.synchronize()
        end
      end]])
  end)

  it("have settings of their own", function()
    run(2, [[
      local cn = require "cuna"
      if NUMBER == 1 then cn.set_default_dtype "float32" end
      for _ = 1, 300 do assert(cn.zeros(3).dtype == (NUMBER == 1 and "float32" or "float64")) end
      cn.scope(function()
        for _ = 1, 300 do assert(cn.zeros(3).size == 3) end
      end)]])
  end)
end)

describe("one Lua state", function()
  it("may load the module twice, and arrays of the first load go on", function()
    process.must_run [[
      local first = require "cuna"
      local x = first.array { 1, 2, 3 }
      for name in pairs(package.loaded) do
        if name:find "^cuna" then package.loaded[name] = nil end
      end
      local second = require "cuna"
      assert(first ~= second)
      local y = second.array { 10, 20, 30 }
      assert(second.is_array(x) and first.is_array(y))
      assert((x + y)[3] == 33 and first.add(x, y) == second.add(y, x))
      assert(tostring(x) == "[1. 2. 3.]" and x:sum():item() == 6 and first.device() == second.device())
      first.scope(function() assert((x + 1):add(y)[1] == 12) end)]]
  end)

  it("computes inside coroutines", function()
    process.must_run [[
      local cn = require "cuna"
      local function worker(k)
        return coroutine.wrap(function()
          local x = cn.zeros(100)
          while true do
            x:add_(k)
            coroutine.yield(x:sum():item())
          end
        end)
      end
      local workers = {}
      for k = 1, 50 do workers[k] = worker(k) end
      for round = 1, 20 do
        for k = 1, 50 do assert(workers[k]() == 100 * k * round) end
      end
      local ok, message = coroutine.resume(coroutine.create(function()
        return cn.ones(2) + cn.ones(3)
      end))
      assert(not ok and message:find("child_spec.lua:17: cuna: add: ", 1, true), message)]]
  end)

  it("gives the same with the JIT compiler off", function()
    local script = [[
      local cn = require "cuna"
      local total = 0
      for i = 1, 300 do
        local x = cn.arange(i)
        total = total + x:sum():item() + #x + x.shape[1] + (x * 2 + i)[1]
        x[1] = i
        total = total + x[1] + (-x)[-1]
      end
      print(total, cn.arange(5), (select(2, pcall(cn.add, 1, "x")):gsub("^.*_spec", "")))]]
    assert.equal(process.must_run(script), process.must_run("jit.off() " .. script))
  end)

  it("may call a kernel while the state closes", function()
    local text = process.must_run([[
      local cn = require "cuna"
      local first = newproxy(true)
      local k = cn.RawKernel("__global__ void f() {}", "f")
      k(1, 1, {})
      getmetatable(first).__gc = function() print(pcall(k, 1, 1, {})) end]], { CUNA_DEVICE = "cpu" })
    assert.has.match("^false\t[^\n]*cuna: a kernel was finalized while it was in use: the Lua state closes\n$", text)
  end)

  it("takes next to nothing of the loader's room for thread-local data", function()
    local image = process.read(process.build .. "/lib/cuna/core.so")
    local ffi = require "ffi"
    local at = ffi.cast("const uint8_t *", image)
    local table_at = tonumber(ffi.cast("const uint64_t *", at + 32)[0])
    local count, size = tonumber(ffi.cast("const uint16_t *", at + 56)[0]), 0
    for k = 0, count - 1 do
      local segment = at + table_at + 56 * k
      if ffi.cast("const uint32_t *", segment)[0] == 7 then -- PT_TLS
        size = size + tonumber(ffi.cast("const uint64_t *", segment + 40)[0])
      end
    end
    assert(size <= 64, size)
  end)

  it("starts no thread and no compiler before it must", function()
    process.must_run [[
      local start = os.clock()
      local cn = require "cuna"
      assert(os.clock() - start < 0.1)
      assert(tostring(cn.array { { 1, 2 }, { 3, 4 } }[2]) == "[3. 4.]")
      local status = io.open("/proc/self/status"):read("*a")
      assert(status:find "Threads:%s+1\n", status)
      assert(require("cuna.core").module_stats() == 0)]]
  end)

  it("reports a bad environment in one line, again at each try", function()
    local text = process.must_run([[
      print(pcall(require, "cuna"))
      package.loaded["cuna.core"] = nil
      print(pcall(require, "cuna.core"))]], { CUNA_DEVICE = "tpu" })
    local line = "false\t[^\n]*cuna: CUNA_DEVICE: there is no device 'tpu'[^\n]*\n"
    assert.has.match("^" .. line .. line .. "$", text)
  end)
end)
