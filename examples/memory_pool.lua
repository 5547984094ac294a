-- Memory pools: used and cached memory, limits, separate pools, allocation hooks.
--
--   make run SCRIPT=examples/memory_pool.lua
local cn = require "cuna"
local ffi = require "ffi"

local pool, pinned = cn.get_default_memory_pool(), cn.get_default_pinned_memory_pool()

local function show(title)
  print(("%-34s used %9d   total %9d   free blocks %d   pinned free blocks %d"):format(title, pool:used_bytes(),
    pool:total_bytes(), pool:n_free_blocks(), pinned:n_free_blocks()))
end

-- ---- host and device ----

-- 400 bytes of LuaJIT's memory, outside every pool.
local numbers = ffi.new("float[100]")
show(("%d bytes of LuaJIT's"):format(ffi.sizeof(numbers)))

-- Pools hand out multiples of 512 bytes. On a GPU the copy goes through pinned memory, which the pinned pool keeps.
local x = cn.frombuffer(numbers)
show(("an array of %d bytes"):format(x.nbytes))
assert(pool:used_bytes() == 512 and pool:total_bytes() == 512)

-- A freed array's memory stays in the pool, for the next array. Lua's garbage collector, which allocations drive, frees
-- unreferenced arrays some time later; x:free() and cn.scope free them at once.
x:free()
show "x:free()"
assert(pool:used_bytes() == 0 and pool:total_bytes() == 512)

pool:free_all_blocks()
pinned:free_all_blocks()
show "free_all_blocks()"
assert(pool:total_bytes() == 0 and pinned:n_free_blocks() == 0)

-- ---- many arrays ----

-- Without cn.scope the arrays made inside would wait for the collector.
local total = cn.scope(function()
  local a, b = cn.ones(100000), cn.ones(100000)
  return ((a + b) * (a - b + 1)):sum()
end)
show "what a scope returned is in use"
print("total", total)

-- ---- a limit ----

local before = pool:get_limit()
pool:free_all_blocks()
pool:set_limit {size = 2 ^ 20}
local ok, message = pcall(cn.zeros, 2 ^ 20) -- 8 MiB
assert(not ok and message:find "OutOfMemoryError")
print("under a limit of 1 MiB: " .. message)
print("half a MiB still fits", cn.zeros(2 ^ 16).nbytes)
pool:set_limit {fraction = 0.5} -- of the device's memory
print(("half of the device: %.1f GiB"):format(pool:get_limit() / 2 ^ 30))
pool:set_limit(before)

-- ---- a separate pool ----

local own = cn.cuda.MemoryPool()
local y = cn.cuda.using_allocator(own, function() return cn.ones(1000) end)
print("its pool", own, own:used_bytes() .. " bytes in use")
y = (y + 1):sum() -- the result comes from the default pool again
collectgarbage()
own:free_all_blocks()
print("the same, cleared", own:total_bytes() .. " bytes", y)

-- ---- allocation hooks ----

local z = cn.ones(1000)
cn.cuda.memory_hook(function(event)
  print(("  %-5s %5d bytes on %s"):format(event.kind, event.bytes, event.device.name))
end, function()
  local sum = z + z * 2
  sum:free()
end)
