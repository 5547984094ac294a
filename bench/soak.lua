-- Allocates and drops many arrays under a memory limit, which must hold; at the end no more may be in use than before.
--
--   build/cuna bench/soak.lua [--small 1e7] [--large 2000] [--device cpu]
--
-- The small arrays have 16 float64, the large ones 256 MiB that are never accessed; half of the large ones are kept for
-- one round. The limit is 1 GiB. Prints a line per kind: seconds, most bytes in use, statistics of the collector. On
-- the cpu device 1e7 small arrays take about 10 s. For the simulated GPU, set LD_LIBRARY_PATH=build/simgpu and --device
-- cuda:0. Ends with status 1 if the limit was exceeded or memory leaked.
local cn = require "cuna"

local LIMIT = 2 ^ 30
local LARGE = 2 ^ 26 -- float32 elements
local LOOK = 1000    -- small arrays between two readings of the memory in use

local options = { small = "1e7", large = "2000", device = cn.device().name }
for i = 1, #arg, 2 do
  local key = arg[i]:match("^%-%-(%a+)$")
  if not options[key] or not arg[i + 1] then
    error("unknown option " .. arg[i] .. "; known are --small, --large, --device", 0)
  end
  options[key] = arg[i + 1]
end

cn.device(options.device):use()
local pool = cn.get_default_memory_pool()

local function settle()
  collectgarbage()
  collectgarbage()
  pool:free_all_blocks()
  return pool:used_bytes()
end

--- Runs work(look), which calls look() regularly, and prints the figures.
local function soak(name, count, work)
  local before, stats, most, start = settle(), cn.gc_stats(), 0, cn.clock()
  work(function() most = math.max(most, pool:total_bytes()) end)
  local seconds, now, after = cn.clock() - start, cn.gc_stats(), settle()
  print(("%s on %s: %d arrays in %.1f s, at most %.0f MiB held; %d collections (%d needed), %.2f s (%.1f%%), %.0f MiB "
    .. "collected; in use %d bytes before, %d after"):format(name, options.device, count, seconds, most / 2 ^ 20,
    now.collections - stats.collections, now.needed - stats.needed, now.total_seconds - stats.total_seconds,
    (now.total_seconds - stats.total_seconds) / seconds * 100, (now.collected_bytes - stats.collected_bytes) / 2 ^ 20,
    before, after))
  return most <= LIMIT and after == before
end

local function small(look)
  local x = cn.ones(16)
  for i = 1, tonumber(options.small) do
    x = x * 1
    if i % LOOK == 0 then look() end
  end
end

local function large(look)
  local held
  for i = 1, tonumber(options.large) do
    local x = cn.empty(LARGE, "float32")
    held = i % 2 == 0 and x or held
    look()
  end
end

local limit = pool:get_limit()
pool:set_limit(LIMIT)
local ok = soak("16 float64", tonumber(options.small), small)
ok = soak("256 MiB", tonumber(options.large), large) and ok
pool:set_limit(limit)
os.exit(ok and 0 or 1, true)
