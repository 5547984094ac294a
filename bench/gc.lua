-- The cost of pacing Lua's garbage collector: a loop of x = a + b without x:free(), and one with it.
--
--   build/cuna bench/gc.lua [--seconds 5] [--bytes 1048576] [--device cpu]
--
-- It is measured with no other live objects, and with 1e5 tables, 1e6 tables or 1e6 small arrays, all of which every
-- collection marks. Prints microseconds per operation, collected and freed; the collector's share of the time and the
-- milliseconds of its last run; the most MiB of arrays in use. Operations whose results are collected allocate new
-- memory at first, so short runs are slower than long ones.
local cn = require "cuna"

local options = { seconds = "5", bytes = "1048576", device = cn.device().name }
for i = 1, #arg, 2 do
  local key = arg[i]:match("^%-%-(%a+)$")
  if not options[key] or not arg[i + 1] then
    error("unknown option " .. arg[i] .. "; known are --seconds, --bytes, --device", 0)
  end
  options[key] = arg[i + 1]
end
cn.device(options.device):use()

local LIVE = {
  { "nothing", 0, function() return {} end },
  { "1e5 tables", 1e5, function() return {} end },
  { "1e6 tables", 1e6, function() return {} end },
  { "1e6 arrays", 1e6, function() return cn.empty(16) end },
}
local CALLS = 100 -- between two readings of the clock

local function loop(frees)
  local a, b = cn.ones(options.bytes / 4, "float32"), cn.ones(options.bytes / 4, "float32")
  local before, calls, most = cn.gc_stats(), 0, 0
  local start = cn.clock()
  local stats
  repeat
    for _ = 1, CALLS do
      local x = a + b
      if frees then x:free() end
    end
    calls, stats = calls + CALLS, cn.gc_stats()
    most = math.max(most, stats.used_bytes - before.used_bytes)
  until cn.clock() - start > tonumber(options.seconds)
  local seconds = cn.clock() - start
  return seconds / calls * 1e6, (stats.total_seconds - before.total_seconds) / seconds * 100, stats.last_seconds * 1e3,
    most / 2 ^ 20
end

print(("%-12s %12s %12s %8s %12s %10s"):format("alive", "left us", "freed us", "share", "last ms", "most MiB"))
for _, case in ipairs(LIVE) do
  local name, count, make = unpack(case)
  local live = {}
  for i = 1, count do live[i] = make() end
  collectgarbage()
  local freed = loop(true)
  local left, share, last, most = loop(false)
  print(("%-12s %12.1f %12.1f %7.1f%% %12.2f %10.0f"):format(name, left, freed, share, last, most))
  assert(#live == count) -- it is alive until here
  live = nil -- luacheck: ignore
  collectgarbage()
  collectgarbage()
  cn.get_default_memory_pool():free_all_blocks()
end
