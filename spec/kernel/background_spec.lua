--- Kernels that are compiled while the script goes on, and the end of processes meanwhile.
local process = require "spec.support.process"

-- Calls a chain of operations until it has lost the time of a compilation, then until `finished()`.
local HOT = [[
  local cn, core = require "cuna", require "cuna.core"
  local chain = cn.fuse(function(a, b) return ((a * b + a - b) * 2 + 1) * a end)
  local a = cn.full(100000, 1.25)
  local b = a + 0.5
  local first = cn.evaluate(chain(a, b))
  local last = first
  local function call() for _ = 1, 50 do last = cn.evaluate(chain(a, b)) end end
  local function call_until(finished)
    local start = cn.clock()
    repeat call() until finished() or cn.clock() - start > 60
  end
]]

-- A compiler that makes a file when it starts, and takes long.
local SLOW = "#!/bin/sh\ncase $1 in --version) exec g++ --version ;; esac\ntouch %s/started\nsleep %d\n%s\n"

local function with_folder(test)
  return function()
    local folder = process.folder()
    local good, message = pcall(test, folder)
    process.remove(folder)
    assert(good, message)
  end
end

--- Processes end with os.exit and fork here: what they had then is not freed.
local function settings(folder, changes)
  local environment = {CUNA_DEVICE = "cpu", CUNA_PACK_DIR = "off", CUNA_CACHE_DIR = folder .. "/cache",
    CUNA_COMPILE = "background", CUNA_CPU_FLAGS = "-O0", TMPDIR = folder,
    ASAN_OPTIONS = process.leak_settings.ASAN_OPTIONS}
  for name, value in pairs(changes or {}) do environment[name] = value end
  return environment
end

--- A compiler that waits and then runs a command, and its settings.
local function slow_compiler(folder, seconds, command)
  process.write(folder .. "/slow-g++", SLOW:format(folder, seconds, command))
  process.shell("chmod +x " .. folder .. "/slow-g++")
  return settings(folder, {CUNA_CXX = folder .. "/slow-g++"})
end

--- Whether a process sleeps in the compiler of a folder.
local function is_compiling(folder)
  return process.shell("grep -sla " .. folder .. "/[s]low-g /proc/[0-9]*/cmdline"):find "cmdline" ~= nil
end

--- Whether a process works in one of the places that a compiler has under a folder.
local function has_worker(folder)
  return process.shell("ls -l /proc/[0-9]*/cwd 2>/dev/null"):find("-> " .. folder .. "/cuna-", 1, true) ~= nil
end

local STARTED = [[
  local function started()
    local file = io.open("%s/started")
    if file then file:close() end
    return file ~= nil
  end
]]

describe("a hot program", function()
  it("is compiled behind the script, with the same values", with_folder(function(folder)
    local text = process.must_run(HOT .. [[
      call_until(function() return core.module_stats() > 0 end)
      call_until(function() return core.background_count() == 0 end)
      call()
      io.write(core.module_stats(), " ", tostring(cn.array_equal(last, first)))]], settings(folder))
    assert.equal("1 true", text)
  end))

  it("of stages stays with its kernel once that is there", with_folder(function(folder)
    local text = process.must_run([[
      local cn, core = require "cuna", require "cuna.core"
      local x = cn.sin(cn.arange(90000)):reshape(600, 150)
      local function kernels()
        local _, before = core.record_stats()
        for _ = 1, 4 do
          local e = cn.exp(x - x:max {axis = 2, keepdims = true})
          cn.evaluate(e / e:sum {axis = 2, keepdims = true})
        end
        local _, after = core.record_stats()
        return (after - before) / 4
      end
      local start = cn.clock()
      repeat until kernels() == 1 or cn.clock() - start > 60
      io.write(kernels(), " ", kernels())]], settings(folder, {CUNA_EAGER = "0"}))
    assert.equal("1 1", text)
  end))

  it("takes the kernel of an earlier process from disk", with_folder(function(folder)
    local environment = settings(folder, {CUNA_COMPILE = "wait"})
    process.must_run(HOT .. "call()", environment)
    environment.CUNA_COMPILE = "background"
    local text = process.must_run(HOT .. [[
      call_until(function() return select(2, core.module_stats()) > 0 end)
      io.write(table.concat({core.module_stats()}, " "))]], environment)
    assert.equal("0 1", text)
  end))

  it("is not compiled when it is short", with_folder(function(folder)
    local text = process.must_run(HOT .. "io.write(core.module_stats(), ' ', core.background_count())",
      settings(folder))
    assert.equal("0 0", text)
  end))

  it("goes on when the compiler fails, which is tried once", with_folder(function(folder)
    local environment = slow_compiler(folder, 0, "echo broken >&2; echo x >> " .. folder .. "/tries; exit 1")
    local text = process.must_run(HOT .. STARTED:format(folder) .. [[
      call_until(started)
      call_until(function() return core.background_count() == 0 end)
      for _ = 1, 20 do call() end
      io.write(core.background_count(), " ", tostring(cn.array_equal(last, first)))]], environment)
    assert.equal("0 true", text)
    assert.equal("x\n", process.read(folder .. "/tries"))
  end))
end)

describe("a process that ends while a kernel is compiled", function()
  for how, ending in pairs {["runs out"] = "", ["os.exit"] = "os.exit(0)", ["a closed state"] = "os.exit(0, true)"} do
    it("ends the compiler: " .. how, with_folder(function(folder)
      local _, status = process.run(HOT .. STARTED:format(folder) .. "call_until(started)" .. ending,
        slow_compiler(folder, 60, "exit 1"))
      assert.equal(0, status)
      assert.is_false(is_compiling(folder))
      assert.equal("", process.shell("ls -d " .. folder .. "/cuna-* 2>/dev/null || true"))
    end))
  end

  it("ends the compiler: an error", with_folder(function(folder)
    local text, status = process.run(HOT .. STARTED:format(folder) .. "call_until(started) error 'reason'",
      slow_compiler(folder, 60, "exit 1"))
    assert.equal(1, status)
    assert.matches("reason", text)
    assert.is_false(is_compiling(folder))
  end))

  for _, mode in ipairs {"background", "wait"} do
    it("ends the compiler and what that started: a kill, with CUNA_COMPILE=" .. mode, with_folder(function(folder)
      local environment = slow_compiler(folder, 1,
        "ls -l /proc/$$/cwd >" .. folder .. "/place\nkill -9 $PPID\nsleep 60")
      environment.CUNA_COMPILE = mode
      local _, status = process.run(HOT .. "call_until(function() end)", environment)
      assert.equal(128 + 9, status)
      assert.has.match(folder .. "/cuna-", process.read(folder .. "/place"), 1, true)
      local tries = 0
      while has_worker(folder) do
        tries = tries + 1
        assert(tries < 100, "the compiler goes on")
        process.shell "sleep 0.05"
      end
    end))
  end

  it("leaves the compiler to its parent in a fork", with_folder(function(folder)
    local text = process.must_run(HOT .. STARTED:format(folder) .. [[
      local ffi = require "ffi"
      ffi.cdef "int fork(void); int waitpid(int, int *, int); void exit(int);"
      call_until(started)
      local child = ffi.C.fork()
      if child == 0 then
        call()
        ffi.C.exit(cn.array_equal(last, first) and core.background_count() == 0 and 7 or 1)
      end
      local status = ffi.new "int[1]"
      ffi.C.waitpid(child, status, 0)
      io.write(bit.rshift(status[0], 8), " ", core.background_count())]], slow_compiler(folder, 60, "exit 1"))
    assert.equal("7 1", text)
    assert.is_false(is_compiling(folder))
  end))
end)
