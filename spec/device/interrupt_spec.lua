--- Ctrl-C: blocks restore what they switched wherever the signal comes, long work ends, and the error is one line at
--- the user's line. Each test is a process of its own, which luajit's own handler serves.
local devices = require "spec.support.devices"
local process = require "spec.support.process"

local COMMON = [[
  jit.off() -- compiled code looks at no hook
  local ffi = require "ffi"
  ffi.cdef "int raise(int); int getpid(void);"
  local cn = require "cuna"
  local core = require "cuna.core"
  local x, other = cn.ones(8), cn.cuda.Stream()
]]

-- Interrupts each block at its k-th instruction, for every k (or every step-th).
local EVERYWHERE = COMMON .. [[
  local pool = cn.cuda.MemoryPool()
  local kernel = cn.RawKernel('extern "C" __global__ void one(double *x) { x[0] = 1; }', "one")
  local steps = {fuse = 97}
  local blocks = {
    stream = function() other:with(function() local y = x + 1 return y end) end,
    pool = function() pool:with(function() local y = x + 1 return y end) end,
    scope = function() cn.scope(function() local y = x + 1 return y end) end,
    no_sync = function() cn.no_sync(function() local y = x + 1 return y end) end,
    device = function() cn.device("cpu"):with(function() local y = cn.ones(2) return y end) end,
    hook = function() cn.cuda.memory_hook(function() end, function() local y = x + 1 return y end) end,
    graph = function() cn.graph(function(a) return a + 1 end, x)(x) end,
    prepare = function() cn.prepare(function() local y = x + 1 return y end) end,
    capture = function() other:capture(function() x:add_(0) end):launch() end,
    fuse = function() cn.fuse(function(a) return a * 2 + 1 end)(x) end,
    kernel = function() kernel({1}, {1}, {x}, {stream = other}) end,
    range = function() cn.profiler.time_range("t", function() local y = x + 1 return y end) end,
  }
  local null, device, own = cn.cuda.get_current_stream(), cn.device(), core.current_pool()
  local function check(name, k)
    local held = cn.cuda.get_current_stream() == null and cn.device() == device and core.scope() == nil
      and rawequal(core.current_pool(), own) and not core.is_preparing() and not other.is_capturing
      and cn.ones(1):item() == 1
    assert(held, name .. " is left open by an interruption at instruction " .. k)
    for again, block in pairs(blocks) do
      if again == name and again ~= "fuse" or k % 25 == 0 then
        local ok, message = pcall(block)
        assert(ok, ("%s fails after %s was interrupted at instruction %d: %s"):format(again, name, k,
          tostring(message)))
      end
    end
  end
  local function interrupt(block, k)
    local rung, over = false, false
    local ok, message = pcall(function()
      debug.sethook(function()
        if over then return end
        debug.sethook()
        rung = true
        ffi.C.raise(2)
      end, "", k)
      block()
      over = true
    end)
    if not rung then debug.sethook() end
    return rung, ok, message
  end
  for _, block in pairs(blocks) do block() end
  for name, block in pairs(blocks) do
    local k, rung, ok, message = 1, true
    while rung do
      rung, ok, message = interrupt(block, k)
      local is_one_line = not ok and message:find "^[^\n]*child_spec.lua:%d+: interrupted!$"
      assert(not rung or is_one_line, name .. ": " .. tostring(message))
      check(name, k)
      k = k + (steps[name] or 1)
    end
    assert(k > 5, name)
  end
  print "ok"
]]

-- What takes long, interrupted from outside.
local LONG = COMMON .. [[
  local function kernel(barrier)
    return cn.RawKernel('extern "C" __global__ void f(double *x, long n) { double s = 0; for (long i = 0; i < n; i++) '
      .. 's += 1.0 / (i + 1 + s); ' .. barrier .. ' x[blockIdx.x] = s; }', "f")
  end
  local endless = cn.RawKernel('#include <cuda/barrier>\n__device__ cuda::barrier<cuda::thread_scope_device> all; ' ..
    'extern "C" __global__ void f(double *x) { if (threadIdx.x == 0) init(&all, 3); __syncthreads(); ' ..
    'if (threadIdx.x > 0) all.arrive_and_wait(); x[0] = 1; }', "f")
  local sums, small, blocks, teams = cn.zeros(20000), cn.ones(3), kernel "", kernel "__syncthreads();"
  blocks({1}, {1}, {sums, 1LL})
  teams({1}, {1}, {sums, 1LL})
  local long = {
    {"blocks", function() blocks({20000}, {1}, {sums, 1000000LL}) end},
    {"teams", function() teams({20000}, {4}, {sums, 1000000LL}) end},
    {"barrier", function() endless({1}, {3}, {sums}) end},
    {"operators", function() local y = small while true do y = y + 1 end end},
    {"functions", function() while true do small:sum() end end},
    {"elements", function() while true do local y = small[1] assert(y) end end},
    {"lua", function() while true do tostring(1) end end},
    {"compiler", function()
      for i = 1, 1000 do
        cn.RawKernel('extern "C" __global__ void f(double *x) { x[0] = ' .. i .. '; }', "f")({1}, {1}, {sums})
      end
    end},
    {"prepare", function()
      cn.prepare(function()
        for _, dtype in ipairs {"float32", "int64", "int32", "uint8", "int16", "uint64"} do
          local y = cn.ones(10, dtype)
          y = cn.sin(y):sum() + y:cumsum() + y:sort() + y:argsort()
        end
      end)
    end},
  }
  for _, row in ipairs(long) do
    for _, compiled in ipairs {false, true} do
      if compiled and row[1] ~= "lua" then jit.on() end
      os.execute(("(sleep 0.15; kill -INT %d) &"):format(ffi.C.getpid()))
      local began = core.clock()
      local ok, message = pcall(row[2])
      jit.off()
      assert(not ok and message:find "^[^\n]*child_spec.lua:%d+: interrupted!$", row[1] .. ": " .. tostring(message))
      assert(core.clock() - began < 20, row[1] .. " took " .. core.clock() - began .. " s")
      assert(cn.ones(2):sum():item() == 2)
    end
  end
  local children = io.open("/proc/self/task/" .. ffi.C.getpid() .. "/children"):read "*a"
  for child in children:gmatch "%d+" do
    local name = io.open("/proc/" .. child .. "/comm")
    assert(not name or not name:read "*a":find "+", "a compiler is left")
  end
  print "ok"
]]

devices.each_device(function(device)
  it("an interruption at any instruction leaves no block open", function()
    assert.equal("ok\n", process.must_run(EVERYWHERE, {CUNA_DEVICE = device.name}))
  end)
end)

it("long work ends at an interruption and leaves no files", function()
  local folder = process.folder()
  local text = process.must_run(LONG, {CUNA_DEVICE = "cpu", CUNA_CACHE_DIR = "off", TMPDIR = folder})
  assert.equal("ok\n", text)
  assert.equal("", (process.shell("ls " .. folder)))
  process.remove(folder)
end)

it("luajit's own prompt is served at each line", function()
  local folder = process.folder()
  process.write(folder .. "/lines", COMMON:gsub("local ", "") .. [[
    null = cn.cuda.get_current_stream()
    function ring() debug.sethook() ffi.C.raise(2) end
    function at(k) debug.sethook(ring, "", k) other:with(function() return x + 1 end) end
    at(60)
    print("restored", cn.cuda.get_current_stream() == null)
    at(80)
    print("restored", cn.cuda.get_current_stream() == null)
  ]])
  local text = process.capture(process.command("-i", {CUNA_DEVICE = "cpu"}) .. " < " .. folder .. "/lines")
  assert.equal(2, select(2, text:gsub("interrupted!", "")), text)
  assert.equal(2, select(2, text:gsub("restored\ttrue", "")), text)
  process.remove(folder)
end)

it("other programs' ways with the signal stay theirs", function()
  local text = process.must_run [[
    local ffi = require "ffi"
    ffi.cdef "typedef void (*handler)(int); handler signal(int, handler); int raise(int);"
    local ignored = ffi.cast("handler", 1)
    ffi.C.signal(2, ignored)
    local cn = require "cuna"
    cn.scope(function() ffi.C.raise(2) end)
    assert(ffi.C.signal(2, ignored) == ignored)
    local count = 0
    ffi.C.signal(2, function() count = count + 1 end)
    cn.scope(function() return cn.ones(3) + 1 end)
    ffi.C.raise(2)
    assert(cn.ones(3):sum():item() == 3 and count == 1)
    print "ok"
  ]]
  assert.equal("ok\n", text)
end)
