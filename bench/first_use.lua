-- Prints the milliseconds of `require "cuna"` and of the first use of a kernel in this process, separated by a tab.
-- Another kernel runs before, so that waking the device and its compiler up is not counted.
local ffi = require "ffi"
ffi.cdef [[
  typedef struct { long seconds, nanoseconds; } bench_timespec;
  int clock_gettime(int clock, bench_timespec *time);
]]
local CLOCK_MONOTONIC = 1

local function now_ms()
  local time = ffi.new("bench_timespec")
  ffi.C.clock_gettime(CLOCK_MONOTONIC, time)
  return tonumber(time.seconds) * 1e3 + tonumber(time.nanoseconds) / 1e6
end

local start = now_ms()
local cn = require "cuna"
local loaded = now_ms()
local x = cn.ones(1000, "float32")
local y = x + x
cn.synchronize()
local before = now_ms()
cn.cos(y)
cn.synchronize()
print(("%.3f\t%.3f"):format(loaded - start, now_ms() - before))
