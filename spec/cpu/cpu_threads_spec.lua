--- The threads of the cpu device where they have fewer processors than there are threads, or less work.
local process = require "spec.support.process"

local SCRIPT = [[
local ffi = require "ffi"
ffi.cdef "typedef struct { long s, ns; } cuna_spec_time; int clock_gettime(int, cuna_spec_time *);"
ffi.cdef "int sched_getcpu(void); int sched_setaffinity(int, size_t, const uint64_t *);"
local mask, cpu = ffi.new "uint64_t[16]", ffi.C.sched_getcpu()
mask[math.floor(cpu / 64)] = bit.lshift(1ULL, cpu % 64)
assert(ffi.C.sched_setaffinity(0, ffi.sizeof(mask), mask) == 0)
local cn = require "cuna"
local x, out, time = cn.ones(30000), cn.zeros(30000), ffi.new "cuna_spec_time"
local function process_s()
  ffi.C.clock_gettime(2, time)
  return tonumber(time.s) + 1e-9 * tonumber(time.ns)
end
local least = math.huge
for _ = 1, 9 do
  local begin = process_s()
  for _ = 1, 500 do cn.add(x, x, {out = out}) end
  least = math.min(least, process_s() - begin)
end
print(least)
]]

local SHORT = [[
local ffi = require "ffi"
ffi.cdef "int getrusage(int, long *);"
local cn = require "cuna"
local x, out, usage = cn.ones(30000), cn.zeros(30000), ffi.new "long[18]"
local function times_asleep() -- voluntary context switches of the process
  ffi.C.getrusage(0, usage)
  return tonumber(usage[16])
end
local least = math.huge
for _ = 1, 60 do -- other processes may take the processors meanwhile, and then threads sleep
  local before = times_asleep()
  for _ = 1, 1000 do cn.add(x, x, {out = out}) end
  least = math.min(least, times_asleep() - before)
end
print(least)
]]

local TEST = "cc -std=gnu11 -D_GNU_SOURCE -O1 -Wall -Wextra -Werror -Iruntime -I. -o %s/test "
  .. "spec/support/threads_test.c runtime/cpu/execute/threads.c runtime/cpu/execute/limits.c "
  .. "runtime/base/environment.c runtime/base/status.c -lpthread"

describe("threads of the cpu device", function()
  it("share the next job unless a worker lost more time than it worked", function()
    local folder = process.folder()
    local said, status = process.shell(TEST:format(folder))
    assert.same({"", 0}, {said, status})
    for percent, is_shared in pairs {[100] = true, [90] = true, [10] = false} do
      local text = process.shell(("%s/test %d"):format(folder, percent))
      assert.equal(is_shared, assert(tonumber(text), text) > 0, percent)
    end
    process.remove(folder)
  end)

  it("that a short job has no piece for sleep on", function()
    local text = process.must_run(SHORT, {CUNA_NUM_THREADS = "16", CUNA_DEVICE = "cpu", CUNA_CPU_FLAGS = "-O3"})
    assert(tonumber(text) < 12, text .. " of 1000 jobs")
  end)

  it("that share a processor take little more of it than one thread", function()
    local function seconds(threads)
      local text = process.must_run(SCRIPT, {CUNA_NUM_THREADS = threads, CUNA_DEVICE = "cpu", CUNA_CPU_FLAGS = "-O3"})
      return assert(tonumber(text), text)
    end
    local least = math.huge
    for _ = 1, 3 do -- other processes may take the caches
      least = math.min(least, seconds "2" / seconds "1")
    end
    assert(least < 1.3, least)
  end)
end)
