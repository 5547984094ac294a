--- Kernels that fault: their device is dead, and the process goes on. Every case runs in a process of its own.
local cn = require "cuna"
local process = require "spec.support.process"
local raises = require("spec.support.raises").raises
local simgpu = require "spec.simgpu.driver"

-- Case `what` is done by thread 3 of block 37 alone; x[1] is 0.
local SOURCE = [[
#define TRAP %s
struct Meeting { __device__ void meet() { __syncthreads(); } };
__device__ __attribute__((noinline)) int down(int *x, int n)
{
    volatile int room[64];
    room[n & 63] = n;
    return n < 0 ? 0 : 1 + down(x, n + 1) + room[(n + 1) & 63];
}
__device__ __attribute__((noinline)) void fault(int *x, const int *raw, int what)
{
    if (what == 1) x[-(1ll << 41)] = 1;
    if (what == 2) x[0] = raw[-(1ll << 41)];
    if (what == 3) *(volatile int *)8 = 1;
    if (what == 4) *(volatile int *)0xdeadbeefdeadbeefull = 1;
    if (what == 5) TRAP();
    if (what == 6) x[0] = 7 / x[1];
    if (what == 7) x[0] = down(x, 1);
}
extern "C" __global__ void bad(int *x, const int *raw, int what)
{
    %s
    if (blockIdx.x == 37 && threadIdx.x == 3)
        fault(x, raw, what);
}
]]

-- Prints "before" into a buffer, what the launch raised, what later uses of the device raise, and what works still.
local SCRIPT = [[
  local cn = require "cuna"
  local device = cn.device(%q)
  local other = device.name == "cpu" and pcall(cn.device, "cuda:0") and "cuda:0" or "cpu"
  device:use()
  io.stdout:setvbuf "full"
  io.write "before\n"
  local bad = cn.RawKernel(%q, "bad")
  local x = cn.array({ 1, 0, 0, 0 }, "int32")
  local run = %s
  print(run(function() bad({ 64 }, { 8 }, { x, x, %d }) end))
  print(pcall(function() return x[1] end))
  print(pcall(function() return x + 1 end))
  print(pcall(cn.zeros, 3))
  print(cn.device(other):with(function() return cn.ones(100000):sum():item() end))
  x = nil
  collectgarbage()
  print(("x"):rep(3))]]

-- Threads of a block that do not wait, or wait in the kernel itself, are iterations of loops, which have no place of
-- their own; those that wait in a method have stacks.
local LOOPED, REGIONS, STACKS = "", "__syncthreads();", "Meeting together; together.meet();"
local WAYS = { { "", LOOPED }, { ", where threads wait", REGIONS }, { ", where threads with stacks wait", STACKS } }

local PLAIN = "pcall"
local COROUTINE = "function(fn) return coroutine.resume(coroutine.create(fn)) end"

local ADDRESS, STACK = "CUDA_ERROR_ILLEGAL_ADDRESS", "CUDA_ERROR_HARDWARE_STACK_ERROR"
local CASES = {
  { "writes far away", ADDRESS, "touched address 0x%x+, where it has no memory" },
  { "reads far away", ADDRESS, "touched address 0x%x+, where it has no memory" },
  { "writes near 0", ADDRESS, "touched address 0x8, where it has no memory" },
  { "writes where no address is", ADDRESS, "touched an address beyond all memory" },
  { "traps", "CUDA_ERROR_ILLEGAL_INSTRUCTION", "an illegal instruction at 0x%x+, as __builtin_trap is" },
  { "divides by 0", "CUDA_ERROR_LAUNCH_FAILED", "an integer was divided by 0" },
  { "recurs without end", STACK, "the stack overflowed at address 0x%x+: a recursion that does not end" },
}

local function run(device, what, way, how, threads)
  local source = SOURCE:format(device == "cpu" and "__builtin_trap" or "__trap", way)
  local environment = { CUNA_NUM_THREADS = tostring(threads), CUNA_SYNC = "1", CUNA_PACK_DIR = "off" }
  return process.run(SCRIPT:format(device, source, how or PLAIN, what), environment)
end

--- The whole output of a child, line by line, and its end.
local function check(device, what, way, how, threads)
  local _, name, words = unpack(CASES[what])
  local text, status = run(device, what, way, how, threads)
  text = text:gsub("^simgpu: [^\n]*\n", "")
  local place = "block %(37, 0, 0%)" .. (way == STACKS and ", thread %(3, 0, 0%)" or "")
  local why = device == "cpu" and place .. ": " .. words or ""
  why = "bad failed with " .. name .. " %(" .. why .. "[^\n]*"
  local later = "false\t[^\n]*child_spec.lua:%d+: cuna: DeviceError: " .. device .. " is dead since bad failed with "
    .. name .. "[^\n]*; restart the process; other devices go on working\n"
  local pattern = "^before\nfalse\t[^\n]*child_spec.lua:%d+: cuna: DeviceError: " .. device .. ": " .. why .. "\n"
    .. later .. later .. later .. "100000\nxxx\n$"
  if device == "cpu" and #require("spec.support.devices").names() == 1 then
    pattern = pattern:gsub("100000\nxxx\n%$", ".*")
  else
    assert.equal(0, status, text)
  end
  assert(text:find(pattern), text .. "\n" .. pattern)
end

describe("a thread of a block whose threads wait", function()
  it("has 512 KiB of local memory", function()
    local kernel = cn.RawKernel([[
      extern "C" __global__ void sums(int *x)
      {
          char room[512 << 10];
          for (int i = 0; i < int(sizeof room); ++i)
              room[i] = char(i + threadIdx.x);
          __syncthreads();
          int sum = 0;
          for (int i = 0; i < int(sizeof room); i += 4096 + 1)
              sum += room[i];
          x[threadIdx.x] = sum;
      }]], "sums")
    local x = cn.device("cpu"):with(function()
      local made = cn.zeros(32, "int32")
      kernel({ 1 }, { 32 }, { made })
      return made
    end)
    local expected = {}
    for t = 0, 31 do
      local sum = 0
      for i = 0, 2 ^ 19 - 1, 4097 do
        local byte = (i + t) % 256
        sum = sum + (byte < 128 and byte or byte - 256)
      end
      expected[t + 1] = sum
    end
    assert.same(expected, x:totable())
  end)

  it("may give up in any thread of the pool, and the pool goes on", function()
    cn.device("cpu"):with(function()
      for _, way in ipairs { LOOPED, REGIONS, STACKS } do
        local kernel = cn.RawKernel(([[
          struct Meeting { __device__ void meet() { __syncthreads(); } };
          extern "C" __global__ void gives_up(int *x)
          {
              %s
              if (threadIdx.x == 5)
                  __trap();
          }]]):format(way), "gives_up")
        local x = cn.zeros(8, "int32")
        for _ = 1, 200 do
          raises("DeviceError: cpu: gives_up failed with CUDA_ERROR_LAUNCH_FAILED (block (",
            function() kernel({ 64 }, { 8 }, { x }) end)
        end
        assert.equal(2 ^ 20, cn.ones(2 ^ 20):sum():item())
      end
    end)
  end)
end)

if process.is_sanitized then return end -- the sanitizer reports the same faults in its own words, and ends the process

describe("on the cpu device a kernel", function()
  for what, case in ipairs(CASES) do
    for _, way in ipairs(WAYS) do
      it(("that %s ends, and its device%s"):format(case[1], way[1]), function()
        check("cpu", what, way[2], PLAIN, 1)
        check("cpu", what, way[2], PLAIN, 2)
      end)
    end
  end

  it("may fault in a coroutine", function()
    check("cpu", 1, LOOPED, COROUTINE, 2)
    for _, way in ipairs { REGIONS, STACKS } do check("cpu", 7, way, COROUTINE, 2) end
  end)

  it("may fault in the thread of one Lua state, and the others learn it", function()
    local folder = process.folder()
    local host = folder .. "/states"
    local text, status = process.shell("cc -O1 -g -o " .. host .. " spec/support/states.c "
      .. "$(pkg-config --cflags --libs luajit) -lpthread")
    assert(status == 0, text)
    process.write(folder .. "/child_spec.lua", [[
      if NUMBER == 1 then
        local cn = require "cuna"
        local x, last = cn.device("cpu"):with(cn.ones, 3), os.time() + 100
        repeat
          local ok, message = pcall(function() return x + 1 end)
          if not ok then return io.write("other\t" .. message .. "\n") end -- one write: threads share stdout
        until os.time() > last
        error "the device lives"
      end
      do ]] .. SCRIPT:format("cpu", SOURCE:format("__builtin_trap", STACKS), PLAIN, 7) .. " end")
    local command = "cd %s && env CUNA_NUM_THREADS=2 LUA_PATH=%s LUA_CPATH=%s %s child_spec.lua"
    local path = process.root .. "/lua/?.lua;" .. process.root .. "/lua/?/init.lua;;"
    text, status = process.capture(command:format(process.quote(folder), process.quote(path),
      process.quote(process.build .. "/lib/?.so;;"), host))
    process.remove(folder)
    assert.equal(0, status, text)
    assert(text:find("cpu: bad failed with CUDA_ERROR_HARDWARE_STACK_ERROR (block (37, 0, 0), thread (3, 0, 0): the "
      .. "stack overflowed", 1, true), text)
    assert(text:find "xxx\n", text)
    assert(text:find "other\t[^\n]*cuna: DeviceError: cpu is dead since bad failed with CUDA_ERROR_HARDWARE_ST", text)
  end)

  it("that is not caught ends the script as any error does", function()
    local text, status = process.run([[
      io.write "before\n"
      local bad = require("cuna").RawKernel("extern \"C\" __global__ void bad(int *x) { *(int *)16 = 1; }", "bad")
      require("cuna").device("cpu"):use()
      bad({ 1 }, { 1 }, { require("cuna").ones(3, "int32") })
    ]])
    assert.equal(1, status)
    assert(text:find "before\n", text)
    assert(text:find "child_spec.lua:4: cuna: DeviceError: cpu: bad failed with [^\n]*touched address 0x10, w", text)
  end)

  it("may be an expression of the user's", function()
    for _, threads in ipairs { "1", "2" } do
      local text = process.run([[
        local cn = require "cuna"
        cn.device "cpu":use()
        local f = cn.ElementwiseKernel("T x, raw T y, int64 far", "T z", "z = x + y[far]", "gather_far")
        print(pcall(f, cn.ones(2^18), cn.ones(3), 2^40))
        print(pcall(cn.ones, 3))]], { CUNA_NUM_THREADS = threads })
      assert(text:find("^false\t[^\n]*:4: cuna: DeviceError: cpu: gather_far failed with CUDA_ERROR_ILLEGAL_ADDRESS "
        .. "%(touched a[^\n]*the device is dead[^\n]*\nfalse\t[^\n]*:5: cuna: DeviceError: cpu is dead since"), text)
    end
  end)

  it("may be part of a graph", function()
    local text = process.run([[
      local cn = require "cuna"
      cn.device "cpu":use()
      local k = cn.RawKernel("extern \"C\" __global__ void far(int *x) { x[*x] = 0; }", "far")
      local x = cn.zeros(2, "int32")
      local graph = cn.graph(function() k({ 1 }, { 1 }, { x }) end)
      graph()
      x:fill(-2^31)
      print(pcall(graph))
      print(pcall(cn.ones, 3))]])
    assert(text:find("^false\t[^\n]*:8: cuna: DeviceError: cpu: [^\n]*CUDA_ERROR_ILLEGAL_ADDRESS %(block %(0, 0, 0%): "
      .. "touched[^\n]*\nfalse\t[^\n]*:9: cuna: DeviceError: cpu is dead since"), text)
  end)
end)

describe("a handler of signals", function()
  local HEAD = [[
    local cn, ffi = require "cuna", require "ffi"
    cn.device "cpu":use()
    ffi.cdef "void *signal(int, void (*)(int)); void _exit(int); int raise(int);"
    local SIGSEGV = 11
    %s
    assert(cn.ones(3):sum():item() == 3)
    %s
    print "not here"]]

  local function ends(expected, before, after)
    local text, status = process.run(HEAD:format(before, after), {})
    assert.equal(expected, status, text)
    assert(not text:find "not here")
  end

  it("that was there before cuna's gets the faults outside of kernels", function()
    local before = "ffi.C.signal(SIGSEGV, ffi.C._exit)" -- ends with the signal's number
    ends(11, before, "print(ffi.cast('int *', 8)[0])")
    ends(11, before, "ffi.C.raise(SIGSEGV)")
  end)

  it("is not there: the process ends as it always did", function()
    ends(139, "", "print(ffi.cast('int *', 8)[0])")
    ends(139, "", "ffi.C.raise(SIGSEGV)")
  end)
end)

if simgpu.here then
  describe("on a GPU a kernel", function()
    for _, what in ipairs { 1, 2, 3, 4, 7 } do
      it(("that %s ends, and its device"):format(CASES[what][1]), function()
        check("cuda:0", what, LOOPED, PLAIN, 2)
        check("cuda:0", what, REGIONS, PLAIN, 2)
      end)
    end
  end)
end
