-- A function that returns the milliseconds of a clock that never goes back, without cuna.
local ffi = require "ffi"
ffi.cdef [[
  typedef struct { long seconds, nanoseconds; } bench_timespec;
  int clock_gettime(int clock, bench_timespec *time);
]]
local CLOCK_MONOTONIC = 1

return function()
  local time = ffi.new("bench_timespec")
  ffi.C.clock_gettime(CLOCK_MONOTONIC, time)
  return tonumber(time.seconds) * 1e3 + tonumber(time.nanoseconds) / 1e6
end
