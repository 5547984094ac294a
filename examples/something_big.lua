-- Something big: 1024 * 1024 * 1024 pseudo-random float64 numbers (8 GiB), or as many as the device has memory for,
-- multiplied in place.
--
--   make run SCRIPT=examples/something_big.lua
--   build/cuna examples/something_big.lua 256       -- 256 * 256 * 256 numbers
local cn = require "cuna"

local SLABS = 16 -- pieces between two progress lines
local asked = tonumber(arg and arg[1] or 1024)
if not asked or asked < 1 or asked > 4096 or asked % 1 ~= 0 then
  error("usage: build/cuna examples/something_big.lua [side of the cube, 1 to 4096]", 0)
end

local device, pool = cn.device(), cn.get_default_memory_pool()

local function gib(bytes) return ("%.2f GiB"):format(bytes / 2 ^ 30) end

--- Half of the free memory: of the device, and of the pool's limit if it has one.
local function spare_bytes()
  local free, limit = cn.cuda.memory_info(), pool:get_limit()
  if limit > 0 then free = math.min(free, limit - pool:used_bytes()) end
  return free / 2
end

--- The largest cube that fits, up to the requested side.
local function choose_side()
  local side = asked
  while side > 1 and side ^ 3 * 8 > spare_bytes() do side = side > 64 and side - 64 or side - 1 end
  return side
end

-- SplitMix64: a number in [0, 1) that depends on the position alone, so that any part can be computed independently.
local noise = cn.ElementwiseKernel("uint64 start", "float64 y", [==[
  unsigned long long z = (start + i + 1) * 0x9e3779b97f4a7c15ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  y = ((z ^ (z >> 31)) >> 11) * (1.0 / 9007199254740992.0);
]==], "noise")

--- Calls fn(slab, number of the first element) for slabs of the cube, with a line of progress.
local function each_slab(title, cube, fn)
  local side, start, first = cube.shape[1], cn.clock(), 1
  while first <= side do
    local last = math.min(side, first + math.ceil(side / SLABS) - 1)
    local slab = cube[{{first, last}, cn.ellipsis}]
    fn(slab, (first - 1) * side * side)
    slab:free() -- a view keeps its memory alive
    local seconds = cn.clock() - start -- waits for the device
    io.write(("\r%-10s %3d%%  %6.2f s  %s in use"):format(title, 100 * last / side, seconds, gib(pool:used_bytes())))
    io.flush()
    first = last + 1
  end
  print()
end

local side = choose_side()
print(("%s has %s free: a cube of side %d, %s"):format(device.name, gib((cn.cuda.memory_info())), side,
  gib(side ^ 3 * 8)))
if side < asked then print(("(side %d needs %s, and half of what is free is taken at most)"):format(asked,
  gib(asked ^ 3 * 8))) end

local big = cn.empty {side, side, side}
cn.prepare(noise, 0, big)
each_slab("filling", big, function(slab, start) noise(start, slab) end)
local mean = big:mean():item()
each_slab("times 3", big, function(slab) slab:mul_(3) end) -- in place: no additional memory
local tripled = big:mean():item()
print(("mean %.6f, then %.6f; in use %s, total %s"):format(mean, tripled, gib(pool:used_bytes()),
  gib(pool:total_bytes())))
assert(math.abs(tripled - 3 * mean) < 1e-9)

big:free()
pool:free_all_blocks()
print("freed: in use " .. gib(pool:used_bytes()) .. ", total " .. gib(pool:total_bytes()))
