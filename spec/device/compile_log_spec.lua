--- What cuna says about its compilations: counts, CUNA_LOG=compile, and the line on a terminal.
local process = require "spec.support.process"

local folder

--- A compiler that sleeps first, and fails once there is a file `broken`.
local COMPILER = [[
#!/bin/sh
case "$*" in *--version*) echo fake 1.0; exit 0 ;; esac
if [ -e FOLDER/broken ]; then echo "x.cc:1:1: error: a broken compiler" >&2; exit 1; fi
sleep SECONDS
exec g++ "$@"
]]

local function environment(more)
  local variables = {CUNA_DEVICE = "cpu", CUNA_PACK_DIR = "off", CUNA_CACHE_DIR = folder .. "/cache",
    CUNA_CPU_FLAGS = "-O0", CUNA_LOG = "compile", CUNA_COMPILE = "background"}
  for name, value in pairs(more or {}) do variables[name] = value end
  return variables
end

--- The path of a compiler that takes that much longer.
local function compiler(seconds)
  local path = folder .. "/cxx-" .. seconds
  process.write(path, (COMPILER:gsub("FOLDER", folder):gsub("SECONDS", seconds)))
  os.execute("chmod +x " .. path)
  return path
end

before_each(function() folder = process.folder() end)
after_each(function() process.remove(folder) end)

local KERNEL = [[
  local cn = require "cuna"
  local add = cn.ElementwiseKernel("T x", "T y", "y = x + 1", "add_one")
  add(cn.array {1, 2})
]]
local SAY = [[
  local stats = cn.cuda.compile_stats()
  assert(stats.compile_time >= 0 and (stats.compile_time > 0) == (stats.compiled > 0))
  assert((stats.wait_time > 0) == (stats.compiled > stats.background))
  print(stats.compiled, stats.kernels, stats.background, stats.failed, stats.loaded)
]]

describe("CUNA_LOG=compile", function()
  it("has a line for each compilation, none for what the cache has", function()
    local text = process.must_run(KERNEL .. SAY, environment())
    assert.has.match("^cuna: compile: cpu: cuna_add_one_float64_flat_0, %d+ ms\n1\t1\t0\t0\t0\n$", text)
    assert.equal("0\t0\t0\t0\t1\n", process.must_run(KERNEL .. SAY, environment()))
    assert.equal("1\t1\t0\t0\t0\n", process.must_run(KERNEL .. SAY, environment {CUNA_LOG = "",
      CUNA_CACHE_DIR = folder .. "/other"}))
  end)

  it("says how many kernels a unit has", function()
    local text = process.must_run([[
      local cn, core = require "cuna", require "cuna.core"
      local x = cn.array {1.5, 2.5}
      core.prepare_begin()
      local sum, product, difference = x + x, x * x, x - x
      core.prepare_part(0, 1) -- what one thread compiles
      assert(core.prepare_end(true) == 3)]] .. SAY, environment())
    assert.has.match("^cuna: compile: cpu: cuna_%w+_float64_[%w_]*flat_0 and 2 more, %d+ ms\n1\t3\t0\t0\t0\n$", text)
  end)

  it("lists modules by their names", function()
    local text = process.must_run([[
      local cn = require "cuna"
      local code = 'extern "C" __global__ void f(int *x) { x[0] = 1; } extern "C" __global__ void g(int *x) { }'
      local module = cn.RawModule {code = code}
      local x = cn.array({0}, "int32")
      module:get_function "f" ({1}, {1}, {x})
      assert(x[1] == 1)]] .. SAY, environment())
    assert.has.match("^cuna: compile: cpu: [^\n]+, %d+ ms\n1\t%d\t0\t0\t0\n$", text)
  end)

  it("gives the first line of a failure", function()
    local text = process.must_run([[
      local cn = require "cuna"
      local ok, message = pcall(cn.ElementwiseKernel("T x", "T y", "y = unknown_1", "bad"), cn.array {1})
      assert(not ok and message:find "unknown_1")]] .. SAY, environment())
    assert.has.match("^cuna: compile: cpu: cuna_bad_float64_flat_0, %d+ ms, failed: [^\n]*unknown_1[^\n]*\n"
      .. "1\t0\t0\t1\t0\n$", text)
  end)

  local HOT = [[
    local cn = require "cuna"
    local x, y = cn.array {1.5, 2.5}:astype "float32":repeat_interleave(500000), nil
    local before = cn.cuda.compile_stats()
    local chain = cn.fuse(function(a) return ((a * a + a - a) * 2 + 1) * a - 3 end)
    local stats
    local function is_done() return stats.background > 0 and stats.kernels + stats.failed == stats.compiled end
    for _ = 1, 2000 do
      y = cn.evaluate(chain(x))
      stats = cn.cuda.compile_stats()
      if is_done() then break end
    end
    for _ = 1, 300 do
      stats = cn.cuda.compile_stats()
      if is_done() then break end
      os.execute "sleep 0.1"
    end
    assert(chain(x)[2] == y[2])
    assert(stats.wait_time == before.wait_time)
    print(stats.background, stats.failed)]]

  it("marks what was compiled while the script went on", function()
    local text = process.must_run(HOT, environment())
    assert.has.match("cuna: compile: cpu: cuna_%S+, %d+ ms, background\n1\t0\n$", text)
  end)

  it("reports what fails there once, and the script goes on", function()
    local script = HOT:gsub("local before", ("io.open(%q, 'w'):close() %%0"):format(folder .. "/broken"))
    local variables = environment {CUNA_CXX = compiler "0"}
    local text = process.must_run(script, variables)
    assert.has.match("cuna: compile: cpu: cuna_%S+, %d+ ms, background, failed: [^\n]*a broken compiler[^\n]*\n1\t1\n$",
      text)
    assert.equal(1, select(2, text:gsub(", failed: ", "")))
    variables.CUNA_LOG = ""
    os.remove(folder .. "/broken")
    assert.equal("1\t1\n", process.must_run(script, variables))
  end)
end)

describe("a terminal", function()
  local TERMINALS = {
    {"script", function(command) return "script -qec " .. process.quote(command) .. " /dev/null </dev/null" end},
    {"python3", function(command)
      return "python3 -c 'import pty, sys; pty.spawn(sys.argv[1:])' sh -c " .. process.quote(command) .. " </dev/null"
    end},
  }

  --- What a command writes to a terminal; nil without a tool that makes one.
  local function show(command)
    for _, row in ipairs(TERMINALS) do
      local _, status = process.shell("command -v " .. row[1])
      if status == 0 then
        local text, code = process.capture(row[2](command))
        assert(code == 0, text)
        return (text:gsub("\r\n", "\n"))
      end
    end
    pending "neither script nor python3 is here to make a terminal"
  end

  -- Kernels that a script waits for one after another, each with that many texts before.
  local SCRIPT = [[
    local cn = require "cuna"
    local x = cn.array {1, 2}
    for k = 1, COUNT do cn.ElementwiseKernel("T x", "T y", ("y = x + %d"):format(k), "add_some")(x) end
    print(("waited %.3f"):format(cn.cuda.compile_stats().wait_time))]]
  local LINE, ERASE = "\r\27[Kcuna: compiling 1 kernel for cpu ...", "\r\27[K"

  local function run(count, seconds, more)
    process.write(folder .. "/child_spec.lua", (SCRIPT:gsub("COUNT", count)))
    local variables = environment {CUNA_LOG = "", CUNA_CXX = compiler(seconds)}
    return show(process.command(folder .. "/child_spec.lua", variables) .. (more or ""))
  end

  --- How often the line came, all else being the script's own; a busy machine may make any compilation long.
  local function count_lines(text)
    local rest, count = text:gsub((LINE .. ERASE):gsub("%p", "%%%0"), "")
    local seconds = tonumber(rest:match "^waited ([%d.]+)\n$")
    assert.is_truthy(seconds, ("%q"):format(text))
    if math.abs(seconds - 1) > 0.1 then assert.equal(seconds > 1, count > 0) end
    return count, seconds
  end

  it("shows a long compilation", function()
    assert.equal(1, count_lines(run(1, "1.3")))
  end)

  it("shows short ones that come one after another", function()
    local count, seconds = count_lines(run(6, "0.3"))
    assert.is_true(count >= 1 and count < 6 or seconds > 6)
  end)

  it("shows nothing of a short one", function()
    count_lines(run(1, "0"))
  end)

  it("is not another file", function()
    local text = run(1, "1.3", " 2>" .. process.quote(folder .. "/errors"))
    assert.has.match("^waited [%d.]+\n$", text)
    assert.equal("", process.read(folder .. "/errors"))
  end)

  it("shows the kernels that several threads compile", function()
    process.write(folder .. "/child_spec.lua", [[
      local cn = require "cuna"
      local x = cn.array {1.5, 2.5}
      assert(cn.prepare(function() return x + x, x * x, x - x end) == 3)]])
    local variables = environment {CUNA_CXX = compiler "1.3"}
    local text = show(process.command(folder .. "/child_spec.lua", variables))
    local shown, kernels = "\r\27%[Kcuna: compiling %d kernels? for cpu %.%.%.", 0
    local done = "\r\27%[Kcuna: compile: cpu: cuna_[%w_]+([^\n]*), %d+ ms\n"
    assert.has.match("^" .. shown:gsub("%%d", "3", 1) .. done, text)
    for more in text:gmatch(done) do kernels = kernels + 1 + (more:match "^ and (%d) more$" or 0) end
    assert.equal(3, kernels) -- in units for as many processors as there are
    assert.equal("\r\27[K", (text:gsub(done, ""):gsub(shown, "")))
  end)
end)

describe("a folder that cannot be written", function()
  local function run(more)
    local variables = environment(more)
    variables.CUNA_LOG = ""
    return process.must_run(KERNEL .. [[
      cn.ElementwiseKernel("T x", "T y", "y = x + 2", "add_two")(cn.array {1, 2})
      print "done"]], variables)
  end

  it("is reported once", function()
    assert.equal("cuna: kernels are not kept: cannot use /proc/cuna/cache: No such file or directory; "
      .. "set CUNA_CACHE_DIR\ndone\n", run {CUNA_CACHE_DIR = "/proc/cuna/cache"})
    assert.equal("cuna: kernels are not kept: none of CUNA_CACHE_DIR, XDG_CACHE_HOME and HOME names a folder; "
      .. "set CUNA_CACHE_DIR\ndone\n", run {CUNA_CACHE_DIR = false, XDG_CACHE_HOME = false, HOME = false})
  end)

  it("is reported when it is full", function()
    local text, status = process.shell(("cc -shared -fPIC -o %s/disks.so spec/support/disks.c -ldl"):format(folder))
    assert(status == 0, text)
    text = run {DISKS_FULL = folder .. "/cache",
      LD_PRELOAD = (os.getenv "LD_PRELOAD" or "") .. ":" .. folder .. "/disks.so"}
    assert.equal(("cuna: kernels are not kept: cannot write to %s/cache: No space left on device; "
      .. "set CUNA_CACHE_DIR\ndone\n"):format(folder), text)
  end)

  it("is not reported when the user wants none", function()
    assert.equal("done\n", run {CUNA_CACHE_DIR = "off"})
    assert.equal("done\n", run {CUNA_CACHE_SIZE = "0"})
  end)
end)
