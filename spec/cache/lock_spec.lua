--- One compilation per key: processes and threads that need the same kernel at the same time wait for the first.
local devices = require "spec.support.devices"
local process = require "spec.support.process"

-- Two kernels, whose results and the counts of units compiled and found on disk are written.
local SCRIPT = [[
  local cn, core = require "cuna", require "cuna.core"
  local x = cn.array { 1, 2, 3 }
  local y = (x + 1) * x
  print(y[1], y[2], y[3], core.module_stats())]]
local RESULTS = "2\t6\t12\t"

-- Notes each start; the first compilation of a folder with the file "holding" waits until it is killed.
local COMPILER = [[
#!/bin/sh
here=$(dirname "$0")
case "$*" in *--version*) echo "fake 1.0"; exit 0 ;; esac
echo $$ >>"$here/started"
if rm "$here/holding" 2>/dev/null; then exec sleep 100; fi
if [ -e "$here/broken" ]; then echo "spilled ink" >&2; exit 1; fi
exec g++ "$@"
]]

describe("the lock of a key", function()
  local folder, environment

  local function shell(command)
    local text, status = process.shell("cd " .. process.quote(folder) .. " && " .. command)
    assert(status == 0, text)
    return text
  end

  local function lines(name) return tonumber(shell(("cat %s 2>/dev/null | wc -l"):format(name))) end
  local function locks() return shell "find cache -name '*.lock' | sort" end

  local function changed(changes)
    local variables = {}
    for name, value in pairs(environment) do variables[name] = value end
    for name, value in pairs(changes or {}) do variables[name] = value end
    return variables
  end

  --- The command of a process that runs a script.
  local function command(script, changes)
    local path = ("%s/%d_spec.lua"):format(folder, #script)
    process.write(path, script)
    return process.command(path, changed(changes))
  end

  --- Runs a script in some processes at once; what they wrote.
  local function race(count, script, changes)
    local text, status = process.capture((command(script, changes) .. " & "):rep(count) .. " wait")
    assert.equal(0, status, text)
    return text
  end

  --- Runs a script in some threads of one process; what they wrote.
  local function run_threads(count, script)
    local host, words = folder .. "/states", {}
    local said, status = process.shell("cc -O1 -o " .. host .. " spec/support/states.c "
      .. "$(pkg-config --cflags --libs luajit) -lpthread")
    assert(status == 0, said)
    process.write(folder .. "/threads_spec.lua", script)
    local paths = {LUA_PATH = process.root .. "/lua/?.lua;" .. process.root .. "/lua/?/init.lua",
      LUA_CPATH = process.build .. "/lib/?.so", STARTED = folder .. "/started"}
    for name, value in pairs(changed(paths)) do words[#words + 1] = name .. "=" .. process.quote(value) end
    return (process.capture(("%s %s %s/threads_spec.lua %d; :"):format(table.concat(words, " "), host, folder, count)))
  end

  --- Checks the results of processes; how many units they compiled, and found on disk, together.
  local function counts(text, count)
    local compiled, found, seen = 0, 0, 0
    for one, other in text:gmatch("[^\n]*" .. RESULTS .. "(%d+)\t(%d+)\n") do
      compiled, found, seen = compiled + one, found + other, seen + 1
    end
    assert.equal(count, seen, text)
    return compiled, found
  end

  --- Starts a process whose compiler hangs, and waits for that; the process's id. Its death ends the compiler.
  local function start_holder(script)
    shell "touch holding"
    local text = process.capture(command(script or SCRIPT) .. " >/dev/null 2>&1 & echo $!")
    for _ = 1, 1000 do
      if lines "started" > 0 then return tonumber(text) end
      shell "sleep 0.02"
    end
    error("no compiler was started: " .. text)
  end

  setup(function()
    folder = process.folder()
    process.write(folder .. "/cxx", COMPILER)
    shell "chmod +x cxx"
    for name, source in pairs {disks = "disks", clock = "sleep_clock"} do
      local text, status =
        process.shell(("cc -shared -fPIC -o %s/%s.so spec/support/%s.c -ldl"):format(folder, name, source))
      assert(status == 0, text)
    end
    environment = {CUNA_DEVICE = "cpu", CUNA_CACHE_DIR = folder .. "/cache", CUNA_PACK_DIR = "off",
      CUNA_CXX = folder .. "/cxx", CUNA_NUM_THREADS = "1", CUNA_COMPILE = "wait",
      CUNA_EAGER = "1"} -- kernels are counted
  end)
  teardown(function() process.remove(folder) end)
  before_each(function() shell "rm -rf cache started holding broken" end)

  local function preload(name) return (os.getenv "LD_PRELOAD" or "") .. ":" .. folder .. "/" .. name end

  it("lets one of many processes compile each kernel", function()
    local compiled, found = counts(race(6, SCRIPT), 6)
    assert.equal(2, compiled)
    assert.equal(10, found)
    assert.equal(2, lines "started")
    assert.equal("", locks())
  end)

  it("serves every device, units of kernels and users' sources", function()
    for _, device in ipairs(devices.names()) do
      shell "rm -rf cache"
      local text = race(3, [[
        local cn = require "cuna"
        local x = cn.array { 1, 2, 3 }
        cn.prepare(function() return (x + 1) * x, cn.exp(x) end)
        local y = (x + 1) * x
        cn.RawKernel('extern "C" __global__ void same(double *x) { x[0] *= 1; }', "same")({1}, {1}, {y})
        print(y[1], y[2], y[3], cn.cuda.compile_stats().kernels, 0)]], {CUNA_DEVICE = device, CUNA_CXX = false})
      assert.equal(4, (counts(text, 3)), device)
      assert.equal("", locks())
    end
  end)

  -- Compiles kernels of twenty operations ahead, the first of them by number; how many this process compiled.
  local AHEAD = [=[
    local cn = require "cuna"
    local x, start = cn.array { 1, 2, 3 }, cn.clock()
    local names = { "sin", "cos", "tan", "exp", "log", "sqrt", "sinh", "cosh", "tanh", "arcsin", "arccos", "arctan",
      "exp2", "log2", "log10", "log1p", "expm1", "cbrt", "square", "reciprocal", "absolute", "negative", "sign",
      "floor", "ceil", "trunc", "rint", "isnan", "isinf", "isfinite" }
    local count = cn.prepare(function() for i = FIRST, FIRST + 19 do cn[names[i % 30 + 1]](x) end end)
    assert(count == 20 and cn.square(x)[3] == 9 and cn.clock() - start < 120)
    print(2, 6, 12, cn.cuda.compile_stats().kernels, 0)]=]

  -- The same by one thread, which holds all locks, however many processors there are.
  local ONE_UNIT = [=[
    local core = require "cuna.core"
    require "cuna".prepare = function(fn)
      core.prepare_begin()
      fn()
      core.prepare_part(0, 1)
      return core.prepare_end(true)
    end
]=]

  it("lets one of many processes compile each of the kernels that they compile ahead", function()
    local commands = {}
    for number = 1, 4 do
      local script = AHEAD:gsub("FIRST", number * 5) .. (" "):rep(number) -- another length is another file
      commands[number] = command(script) .. " & "
    end
    local text, status = process.capture(table.concat(commands) .. " wait")
    assert.equal(0, status, text)
    assert.equal(30, (counts(text, 4)))
    assert.equal("", locks())
  end)

  it("lets one of many threads compile each kernel", function()
    assert.equal("", run_threads(8, SCRIPT:gsub("print%b()", "assert(y[3] == 12)")))
    assert.equal(2, lines "started")
    assert.equal("", locks())
  end)

  it("leaves fifty processes with right values", function()
    local compiled, found = counts(race(50, SCRIPT), 50)
    assert.equal(2, compiled)
    assert.equal(98, found)
    assert.equal("", locks())
  end)

  it("is freed when its holder is killed", function()
    shell(("(sleep 0.5; kill -9 %d) >/dev/null 2>&1 &"):format(start_holder()))
    local compiled = counts(race(3, SCRIPT), 3)
    assert.equal(2, compiled)
    assert.equal(3, lines "started")
    assert.equal("", locks())
  end)

  it("is freed when its holder is killed, though a forked child lives on", function()
    shell "touch holding"
    local child = run_threads(2, [[
      local ffi = require "ffi"
      ffi.cdef "int fork(void); int kill(int, int); int getpid(void); int close(int); int usleep(unsigned);"
      if NUMBER == 1 then return require "cuna".array { 1, 2, 3 } + 1 end
      while not io.open(os.getenv "STARTED") do ffi.C.usleep(20000) end
      local child = ffi.C.fork()
      if child == 0 then
        ffi.C.close(1)
        ffi.C.close(2)
        for _ = 1, 1000 do ffi.C.usleep(100000) end
        ffi.C.kill(ffi.C.getpid(), 9)
      end
      io.stdout:write(child)
      io.stdout:flush()
      ffi.C.kill(ffi.C.getpid(), 9)]])
    local began = os.time()
    local compiled = counts(race(1, SCRIPT), 1)
    assert(os.time() - began < 20)
    shell("kill -9 " .. child:match "%d+")
    assert.equal(2, compiled)
    assert.equal("", locks())
  end)

  it("is not in the way when a dead process left its file", function()
    local images = "find cache -type f -size +1 -name '[0-9a-f]*'"
    race(1, SCRIPT)
    local names = shell(images .. " | sort")
    shell(images .. " -exec sh -c 'rm $0 && echo >$0.lock' {} ';'")
    assert.equal(names:gsub("\n", ".lock\n"), locks())
    assert.equal(2, (counts(race(3, SCRIPT), 3)))
    assert.equal("", locks())
    assert.equal(names, shell(images .. " | sort"))
  end)

  it("loses its file to a sweep when no process holds it", function()
    local zeros, place = ("0"):rep(63) .. ".lock", "cache/v1/00/"
    race(1, SCRIPT)
    shell(("mkdir -p %s && cd %s && touch 2%s && touch -d '2 hours ago' ../.swept 0%s 1%s"):format(place, place, zeros,
      zeros, zeros))
    local text = process.capture(("flock %s/%s1%s %s"):format(folder, place, zeros,
      command "print(require 'cuna'.ones(2):sum())"))
    assert.equal("2.0\n", text)
    assert.equal(("%s1%s\n%s2%s\n"):format(place, zeros, place, zeros), locks())
  end)

  it("is done without where the cache cannot be used", function()
    for _, changes in ipairs {
      {DISKS_LOCKED = folder .. "/cache"}, {DISKS_FULL = folder .. "/cache"}, {DISKS_NO_LOCKS = folder .. "/cache"},
      {CUNA_CACHE_DIR = "off"}, {CUNA_CACHE_DIR = "/proc/cuna/cache"},
    } do
      changes.LD_PRELOAD = preload "disks.so"
      shell "rm -rf cache; mkdir -p cache/v1"
      local compiled, found = counts(race(2, SCRIPT, changes), 2)
      assert.equal(4, compiled + found)
      assert.equal("", locks())
      if changes.CUNA_CACHE_DIR or changes.DISKS_LOCKED then assert.equal(4, compiled) end
    end
  end)

  it("does not queue processes whose compiler fails", function()
    shell "touch broken"
    local text = race(4, [[
      local cn = require "cuna"
      local x = cn.array { 1, 2, 3 }
      print(select(2, pcall(function() return x + 1 end)))]])
    assert.equal(4, select(2, text:gsub("CompileError: cuna_add[%w_]*: spilled ink", "")), text)
    assert.equal("", locks())
  end)

  it("is waited for no longer than a compilation may take", function()
    local holder = start_holder()
    local compiled = counts(race(1, SCRIPT, {LD_PRELOAD = preload "clock.so"}), 1)
    assert.equal(2, compiled)
    shell(("kill -9 %d"):format(holder))
  end)

  it("is waited for a minute at most when its holder has many", function()
    local script = ONE_UNIT .. AHEAD:gsub("FIRST", 0)
    local holder = start_holder(script)
    assert.equal(20, (counts(race(1, script, {LD_PRELOAD = preload "clock.so"}), 1)))
    shell(("kill -9 %d"):format(holder))
  end)

  it("ends a wait at an interruption", function()
    local holder = start_holder()
    local text = race(1, [[
      local ffi = require "ffi"
      ffi.cdef "int getpid(void);"
      local cn, core = require "cuna", require "cuna.core"
      local x = cn.array { 1, 2, 3 }
      os.execute(("(sleep 0.3; kill -INT %d) &"):format(ffi.C.getpid()))
      local began = core.clock()
      local ok, message = pcall(function() return x + 1 end)
      print(ok, message, core.clock() - began < 10, core.module_stats())]])
    assert.has.match("^false\t[^\n]*%d+_spec.lua:7: interrupted!\ttrue\t0\t0\n$", text)
    shell(("kill -9 %d"):format(holder))
    assert.equal(2, (counts(race(1, SCRIPT), 1)))
    assert.equal("", locks())
  end)
end)
