--- pool.lua: memory pools as objects, and the choice of the pool for new arrays.
--
-- A pool (bindings/allocator.c) has separate memory on each device; its methods use the current device, or the device
-- given last. An array refers to the owner of its memory, so a pool may be collected before its arrays.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local memory = require "cuna.device.memory"
local suggest = require "cuna.base.suggest"
local with = require "cuna.base.with"

local M = {functions = {}}
local F = M.functions -- of cn.cuda

local fail = check.fail
local metatable, methods = core.pool_metatable(), {}

--- A memory pool. Its methods take a device as the last argument; the default is the current one. Follows
--- cupy.cuda.MemoryPool.
---@class cuna.MemoryPool

local function is_pool(value) return type(value) == "userdata" and getmetatable(value) == "cuna memory pool" end

local function check_self(pool, name)
  if is_pool(pool) then return end
  fail("%s: a pool's function is called with a colon: pool:%s()", name, name)
end

local function read(pool, device, name)
  check_self(pool, name)
  return core.pool_memory(pool, device, name)
end

--- Bytes of the pool in use, a multiple of 512.
---@param device cuna.Device|string|nil default: the current one
---@return integer
---@usage cn.cuda.MemoryPool():used_bytes() --> 0
function methods.used_bytes(pool, device) return read(pool, device, "used_bytes").used_bytes end

--- Bytes in cached free blocks.
---@param device cuna.Device|string|nil default: the current one
---@return integer
---@usage cn.cuda.MemoryPool():free_bytes() --> 0
function methods.free_bytes(pool, device) return read(pool, device, "free_bytes").free_bytes end

--- Bytes that the pool has allocated from the device: used and free ones.
---@param device cuna.Device|string|nil default: the current one
---@return integer
---@usage cn.cuda.MemoryPool():total_bytes() --> 0
function methods.total_bytes(pool, device) return read(pool, device, "total_bytes").total_bytes end

--- The number of cached free blocks.
---@param device cuna.Device|string|nil default: the current one
---@return integer
---@usage cn.cuda.MemoryPool():n_free_blocks() --> 0
function methods.n_free_blocks(pool, device) return read(pool, device, "n_free_blocks").n_free_blocks end

--- The limit of the pool in bytes; 0 for no limit. CUNA_MEMORY_LIMIT sets the initial limit.
---@param device cuna.Device|string|nil default: the current one
---@return integer
---@usage cn.get_default_memory_pool():get_limit() >= 0 --> true
function methods.get_limit(pool, device) return read(pool, device, "get_limit").limit end

--- Returns cached free blocks to the device: all of them, or those of one stream.
---@param stream cuna.Stream|nil
---@param device cuna.Device|string|nil default: the stream's, else the current one
---@usage cn.cuda.MemoryPool():free_all_blocks() -->
function methods.free_all_blocks(pool, stream, device)
  check_self(pool, "free_all_blocks")
  core.pool_trim(pool, device, stream)
end

local function read_fraction(pool, fraction, device)
  if type(fraction) ~= "number" or not (fraction >= 0 and fraction <= 1) then
    fail("set_limit: fraction is from 0 to 1, got %s", check.show(fraction))
  end
  return math.floor(core.pool_memory(pool, device, "set_limit").device_total * fraction)
end

--- The bytes of {size = bytes} or {fraction = 0.5}.
local function read_limit(pool, options, device)
  for name in pairs(options) do
    if name ~= "size" and name ~= "fraction" then
      fail("set_limit: unknown option '%s'; known are size, fraction", tostring(name))
    end
  end
  if options.fraction == nil then return options.size end
  if options.size ~= nil then fail "set_limit: either size or fraction, not both" end
  return read_fraction(pool, options.fraction, device)
end

--- Limits the pool: set_limit(bytes), set_limit{size = bytes} or set_limit{fraction = 0.5}, a share of the device's
--- memory; 0 removes the limit. Blocks in use are not affected.
---@param limit integer|{size?: integer, fraction?: number} bytes
---@param device cuna.Device|string|nil default: the current one
---@usage cn.cuda.MemoryPool():set_limit {fraction = 0.5} -->
function methods.set_limit(pool, limit, device)
  check_self(pool, "set_limit")
  if type(limit) == "table" then limit = read_limit(pool, limit, device) end
  if type(limit) ~= "number" and type(limit) ~= "cdata" then
    fail("set_limit: the limit is a number of bytes, {size = bytes} or {fraction = 0.5}, got %s",
      check.no_number(limit))
  end
  core.pool_limit(pool, device, limit)
end

--- Raw memory of the pool on the current device. A PinnedMemoryPool allocates host memory.
---@param nbytes integer
---@return cuna.MemoryPointer
---@usage cn.cuda.MemoryPool():malloc(100).nbytes --> 100
function methods.malloc(pool, nbytes)
  check_self(pool, "malloc")
  return memory.pointer(core.pool_alloc(pool, check.count(nbytes, "malloc", "nbytes"), "malloc"))
end

--- Runs fn(...) with the pool as the allocator of new arrays, and restores the previous allocator afterwards, after an
--- error or a yield too.
---@param fn function
---@param ... any its arguments
---@return any ... fn's results
---@usage cn.cuda.MemoryPool():with(cn.zeros, 2) --> [0. 0.]
function methods.with(pool, fn, ...)
  check_self(pool, "with")
  return M.run(pool, "with", fn, ...)
end

-- ---- fields ----

local NAMES = {device = "MemoryPool", managed = "MemoryPool of managed memory", pinned = "PinnedMemoryPool",
  async = "MemoryAsyncPool", direct = "no pool"}

local pool_of = setmetatable({}, {__mode = "k"}) -- what pool.malloc gives -> the pool

--- pool.malloc identifies its pool, so that set_allocator accepts it.
local function bind_malloc(pool)
  local function malloc(self, nbytes) return methods.malloc(self, nbytes) end
  pool_of[malloc] = pool
  return malloc
end

function metatable.__index(pool, name)
  if name == "malloc" then return bind_malloc(pool) end
  if methods[name] then return methods[name] end
  fail("a memory pool has no function '%s'%s", tostring(name), suggest.hint(name, methods))
end

function metatable.__newindex(_, name) fail("a memory pool's function '%s' cannot be assigned", tostring(name)) end
function metatable.__tostring(pool) return ("<%s>"):format(NAMES[core.pool_kind(pool)]) end

-- ---- constructors ----

local function default_pool() return core.shared_pool "device" end

M.default, M.default_pinned = default_pool, function() return core.shared_pool "pinned" end

--- Makes a memory pool. Follows cupy.cuda.MemoryPool.
---@param allocator function|nil cn.cuda.malloc: device memory (default); cn.cuda.malloc_managed: memory that the driver
--- moves between the host and devices
---@return cuna.MemoryPool
---@usage tostring(cn.cuda.MemoryPool()) --> <MemoryPool>
---@usage tostring(cn.cuda.MemoryPool(cn.cuda.malloc_managed)) --> <MemoryPool of managed memory>
function F.MemoryPool(allocator)
  args.check_dot("cuda.MemoryPool", allocator)
  if allocator == nil or allocator == F.malloc then return core.pool "device" end
  if allocator == F.malloc_managed then return core.pool "managed" end
  fail("cuda.MemoryPool: the allocator is cn.cuda.malloc (or nothing) or cn.cuda.malloc_managed, got %s",
    check.show(allocator))
end

--- Rejects arguments: CuPy's pools take allocators and handles here.
local function check_nothing(name, ...)
  args.check_dot("cuda." .. name, (...))
  if select("#", ...) > 0 then fail("cuda.%s: takes no arguments, got %s", name, check.show((...))) end
end

--- Makes a pool of pinned host memory, for asynchronous copies from and to devices. Follows cupy.cuda.PinnedMemoryPool.
---@return cuna.MemoryPool
---@usage cn.cuda.PinnedMemoryPool():n_free_blocks() --> 0
function F.PinnedMemoryPool(...)
  check_nothing("PinnedMemoryPool", ...)
  return core.pool "pinned"
end

--- Makes a pool that uses the CUDA driver's stream-ordered allocator (cuMemAllocAsync). Allocating from it in a capture
--- is an error. Follows cupy.cuda.MemoryAsyncPool.
---@return cuna.MemoryPool
---@usage tostring(cn.cuda.MemoryAsyncPool()) --> <MemoryAsyncPool>
function F.MemoryAsyncPool(...)
  check_nothing("MemoryAsyncPool", ...)
  return core.pool "async"
end

-- ---- the allocator of new arrays ----

--- The pool of an allocator argument; `name` is the function for messages.
local function read_allocator(value, name)
  if value == nil or value == F.malloc then return core.shared_pool "direct" end
  if value == F.malloc_managed then return core.shared_pool "managed" end
  local pool = is_pool(value) and value or pool_of[value]
  if not pool then
    fail("%s: the allocator is a pool (cn.cuda.MemoryPool(), cn.cuda.MemoryAsyncPool()) or its malloc, "
      .. "cn.cuda.malloc_managed, or nil or cn.cuda.malloc for no pool, got %s", name, check.show(value))
  elseif core.pool_kind(pool) == "pinned" then
    fail("%s: a PinnedMemoryPool has memory of the host, and arrays are on devices", name)
  end
  return pool
end

--- Runs fn(...) with an allocator for new arrays.
function M.run(allocator, name, fn, ...)
  local pool, before = read_allocator(allocator, name), nil
  check.callable(fn, name)
  local function enter() before = core.use_pool(pool) end
  local function leave() core.use_pool(before) end
  return with.run(enter, leave, fn, ...)
end

--- Sets the allocator of new arrays: a pool, or, with nil, the device itself, which caches nothing and is slow. At the
--- start it is cn.get_default_memory_pool(). Follows cupy.cuda.set_allocator.
---@param allocator cuna.MemoryPool|function|nil a pool or its malloc, cn.cuda.malloc_managed; nil or cn.cuda.malloc
---@usage cn.cuda.set_allocator(cn.get_default_memory_pool()) -->
function F.set_allocator(allocator)
  args.check_dot("cuda.set_allocator", allocator)
  core.use_pool(read_allocator(allocator, "cuda.set_allocator"))
end

--- The allocator of new arrays: a pool, or nil for none. Follows cupy.cuda.get_allocator.
---@return cuna.MemoryPool|nil
---@usage cn.cuda.get_allocator() == cn.get_default_memory_pool() --> true
function F.get_allocator()
  local pool = core.current_pool() or default_pool()
  return pool ~= core.shared_pool "direct" and pool or nil
end

--- Runs fn(...) with another allocator for new arrays, as in set_allocator, and restores the previous one afterwards,
--- after an error or a yield too. Follows cupy.cuda.using_allocator.
---@param allocator cuna.MemoryPool|function|nil
---@param fn function
---@param ... any its arguments
---@return any ... fn's results
---@usage cn.cuda.using_allocator(cn.cuda.MemoryPool(), cn.zeros, 2) --> [0. 0.]
function F.using_allocator(allocator, fn, ...)
  args.check_dot("cuda.using_allocator", allocator)
  return M.run(allocator, "cuda.using_allocator", fn, ...)
end

-- ---- raw memory ----

local function allocate(pool, nbytes, name)
  args.check_dot("cuda." .. name, nbytes)
  name = "cuda." .. name
  return memory.pointer(core.pool_alloc(pool, check.count(nbytes, name, "nbytes"), name))
end

--- Raw memory on the current device, from the allocator of new arrays. Follows cupy.cuda.alloc.
---@param nbytes integer
---@return cuna.MemoryPointer
---@usage cn.cuda.alloc(1024).nbytes --> 1024
function F.alloc(nbytes) return allocate(core.current_pool() or default_pool(), nbytes, "alloc") end

--- Raw memory on the current device, without a pool: it returns to the device when it is freed. Follows
--- cupy.cuda.memory.malloc.
---@param nbytes integer
---@return cuna.MemoryPointer
---@usage cn.cuda.malloc(1024).nbytes --> 1024
function F.malloc(nbytes) return allocate(core.shared_pool "direct", nbytes, "malloc") end

--- Managed memory, which the driver moves between the host and devices on access. Follows cupy.cuda.malloc_managed.
---@param nbytes integer
---@return cuna.MemoryPointer
---@usage cn.cuda.malloc_managed(1024).nbytes --> 1024
function F.malloc_managed(nbytes) return allocate(core.shared_pool "managed", nbytes, "malloc_managed") end

return M
