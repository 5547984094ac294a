---@meta _
-- Made by `make docs` from the comments in lua/cuna/, for editors: nothing loads this file.
-- Memory: scopes, pools, pointers.

---@class cuna
local cn = {}

---@class cuna.cuda
local cuda = {}

--- A memory pool. Its functions take a device last; the default is the current one. Follows cupy.cuda.MemoryPool.
---@class cuna.MemoryPool
local MemoryPool = {}

--- Device memory from an address on. `mem + 8` is 8 bytes further on. Kernels take it for any pointer. Follows
--- cupy.cuda.MemoryPointer.
---@class cuna.MemoryPointer
---@field ptr number|ffi.cdata* the address: a uint64_t beyond 2^53; 0 where there are no bytes
---@field nbytes integer bytes from there to the end of the allocation
---@field size integer the same
---@field device cuna.Device
local MemoryPointer = {}

--- The memory pool that arrays have their memory from, where nothing else is said (cn.cuda.set_allocator). It has the
--- functions used_bytes, free_bytes, total_bytes, n_free_blocks, free_all_blocks, set_limit, get_limit, malloc and
--- with, which are about the current device, or one given last. Follows cupy.get_default_memory_pool.
---
--- ```lua
--- cn.get_default_memory_pool():n_free_blocks() >= 0 --> true
--- ```
---@return cuna.MemoryPool
function cn.get_default_memory_pool() end

--- The pool of pinned arrays (cn.empty_pinned), with the same functions; what transfers keep for themselves it counts
--- as free. Follows cupy.get_default_pinned_memory_pool.
---
--- ```lua
--- cn.get_default_pinned_memory_pool():n_free_blocks() >= 0 --> true
--- ```
---@return cuna.MemoryPool
function cn.get_default_pinned_memory_pool() end

--- Runs fn(...) and frees every array made inside except those it returns, also inside returned tables, and those
--- marked with cn.keep; these belong to the scope outside, if there is one. A view keeps its memory alive. After an
--- error the arrays are freed, too, and the error passes on. A coroutine that yields inside leaves the scope until it
--- is resumed.
---
--- ```lua
--- cn.scope(function(x) local y = x + 1 return y * 2 end, cn.zeros(2)) --> [2. 2.]
--- ```
---@param fn function
---@param ... any # its arguments
---@return any ... # its results
function cn.scope(fn, ...) end

--- Marks arrays, also those inside tables, so that the end of the open scope does not free them: they belong to the
--- scope outside of it then, if there is one. An array to outlive several scopes is kept, or returned, in each.
---
--- ```lua
--- cn.keep(cn.zeros(2)) --> [0. 0.]
--- ```
---@param ... any
---@return any ... # the same
function cn.keep(...) end

--- How cuna paces Lua's collector, which does not see the memory of arrays: collections (that cuna asked for), needed
--- (how many of them because memory had run out, the others because much had come to be in use), total_seconds and
--- last_seconds (the thread's time of all, and of the last one), collected_bytes (what they freed on all devices),
--- used_bytes (what is in use on the current device now). Collections that are not needed take less time than the
--- garbage costs, or a twentieth of the thread's time, as long as no device has more in use than twice what is alive
--- and 1 GiB.
---
--- ```lua
--- cn.gc_stats().collections >= cn.gc_stats().needed --> true
--- ```
---@return table
function cn.gc_stats() end

--- Bytes of the pool that are in use, in units of 512.
---
--- ```lua
--- cn.cuda.MemoryPool():used_bytes() --> 0
--- ```
---@param device cuna.Device|string|nil # default: the current one
---@return integer
function MemoryPool:used_bytes(device) end

--- Bytes that the pool keeps for what comes next.
---
--- ```lua
--- cn.cuda.MemoryPool():free_bytes() --> 0
--- ```
---@param device cuna.Device|string|nil # default: the current one
---@return integer
function MemoryPool:free_bytes(device) end

--- Bytes that the pool has from the device: used and free ones.
---
--- ```lua
--- cn.cuda.MemoryPool():total_bytes() --> 0
--- ```
---@param device cuna.Device|string|nil # default: the current one
---@return integer
function MemoryPool:total_bytes(device) end

--- How many blocks the pool keeps for what comes next.
---
--- ```lua
--- cn.cuda.MemoryPool():n_free_blocks() --> 0
--- ```
---@param device cuna.Device|string|nil # default: the current one
---@return integer
function MemoryPool:n_free_blocks(device) end

--- How many bytes the pool may have; 0 where there is no limit. CUNA_MEMORY_LIMIT says it at first.
---
--- ```lua
--- cn.get_default_memory_pool():get_limit() >= 0 --> true
--- ```
---@param device cuna.Device|string|nil # default: the current one
---@return integer
function MemoryPool:get_limit(device) end

--- Gives the blocks that the pool keeps back to the device: all of them, or those kept for one stream.
---
--- ```lua
--- cn.cuda.MemoryPool():free_all_blocks() -->
--- ```
---@param stream cuna.Stream|nil
---@param device cuna.Device|string|nil # default: the stream's, else the current one
function MemoryPool:free_all_blocks(stream, device) end

--- Limits the pool: set_limit(bytes), set_limit{size = bytes} or set_limit{fraction = 0.5}, a share of the device's
--- memory; 0 removes the limit. What is in use stays so.
---
--- ```lua
--- cn.cuda.MemoryPool():set_limit {fraction = 0.5} -->
--- ```
---@param limit integer|table
---@param device cuna.Device|string|nil # default: the current one
function MemoryPool:set_limit(limit, device) end

--- Memory of the pool on the current device, by bytes. A PinnedMemoryPool gives memory of the host.
---
--- ```lua
--- cn.cuda.MemoryPool():malloc(100).nbytes --> 100
--- ```
---@param nbytes integer
---@return cuna.MemoryPointer
function MemoryPool:malloc(nbytes) end

--- Runs fn(...) with arrays getting their memory from the pool; where they got it before holds again afterwards, also
--- after an error or a yield.
---
--- ```lua
--- cn.cuda.MemoryPool():with(cn.zeros, 2) --> [0. 0.]
--- ```
---@param fn function
---@param ... any # its arguments
---@return any ... # fn's results
function MemoryPool:with(fn, ...) end

--- A memory pool of its own. Follows cupy.cuda.MemoryPool.
---
--- ```lua
--- tostring(cn.cuda.MemoryPool()) --> <MemoryPool>
--- tostring(cn.cuda.MemoryPool(cn.cuda.malloc_managed)) --> <MemoryPool of managed memory>
--- ```
---@param allocator function|nil # cn.cuda.malloc: devices' memory (default); cn.cuda.malloc_managed: memory that the driver moves between the host and devices
---@return cuna.MemoryPool
function cuda.MemoryPool(allocator) end

--- A pool of memory of the host that devices copy from and to while the script goes on. Follows
--- cupy.cuda.PinnedMemoryPool.
---
--- ```lua
--- cn.cuda.PinnedMemoryPool():n_free_blocks() --> 0
--- ```
---@return cuna.MemoryPool
function cuda.PinnedMemoryPool() end

--- A pool that the CUDA driver keeps, in the order of streams (cuMemAllocAsync). A stream that captures takes nothing
--- from it: that raises. Follows cupy.cuda.MemoryAsyncPool.
---
--- ```lua
--- tostring(cn.cuda.MemoryAsyncPool()) --> <MemoryAsyncPool>
--- ```
---@return cuna.MemoryPool
function cuda.MemoryAsyncPool() end

--- Says where arrays get their memory from now on: from a pool, or, with nil, from the device itself, which caches
--- nothing and is slow. At first it is cn.get_default_memory_pool(). Follows cupy.cuda.set_allocator.
---
--- ```lua
--- cn.cuda.set_allocator(cn.get_default_memory_pool()) -->
--- ```
---@param allocator cuna.MemoryPool|function|nil # a pool or its malloc, cn.cuda.malloc_managed; nil or cn.cuda.malloc
function cuda.set_allocator(allocator) end

--- Where arrays get their memory: a pool, or nil where there is none. Follows cupy.cuda.get_allocator.
---
--- ```lua
--- cn.cuda.get_allocator() == cn.get_default_memory_pool() --> true
--- ```
---@return cuna.MemoryPool|nil
function cuda.get_allocator() end

--- Runs fn(...) with arrays getting their memory elsewhere, as set_allocator has it; what held before holds again
--- afterwards, also after an error or a yield. Follows cupy.cuda.using_allocator.
---
--- ```lua
--- cn.cuda.using_allocator(cn.cuda.MemoryPool(), cn.zeros, 2) --> [0. 0.]
--- ```
---@param allocator cuna.MemoryPool|function|nil
---@param fn function
---@param ... any # its arguments
---@return any ... # fn's results
function cuda.using_allocator(allocator, fn, ...) end

--- Memory of the current device from where arrays get theirs. Follows cupy.cuda.alloc.
---
--- ```lua
--- cn.cuda.alloc(1024).nbytes --> 1024
--- ```
---@param nbytes integer
---@return cuna.MemoryPointer
function cuda.alloc(nbytes) end

--- Memory of the current device, from no pool: it goes back to the device when it is freed. Follows
--- cupy.cuda.memory.malloc.
---
--- ```lua
--- cn.cuda.malloc(1024).nbytes --> 1024
--- ```
---@param nbytes integer
---@return cuna.MemoryPointer
function cuda.malloc(nbytes) end

--- Managed memory, which the driver moves between the host and devices as it is used. Follows cupy.cuda.malloc_managed.
---
--- ```lua
--- cn.cuda.malloc_managed(1024).nbytes --> 1024
--- ```
---@param nbytes integer
---@return cuna.MemoryPointer
function cuda.malloc_managed(nbytes) end

--- The pointer `nbytes` bytes further on, as mem + nbytes is. Raises where that leaves the allocation.
---
--- ```lua
--- cn.cuda.alloc(64):offset(16).nbytes --> 48
--- ```
---@param nbytes integer # may be negative
---@return cuna.MemoryPointer
function MemoryPointer:offset(nbytes) end

--- Gives the memory back now, also that of pointers made from this one, unless arrays still use it; freeing twice is
--- harmless, any other use raises.
---
--- ```lua
--- cn.cuda.alloc(64):free() -->
--- ```
function MemoryPointer:free() end

--- The memory as an array, which shares it and keeps it from being freed. Follows cupy.ndarray(shape, dtype, memptr).
---
--- ```lua
--- cn.cuda.alloc(64):array({2, 4}, "float64").shape --> (2, 4)
--- ```
---@param shape cuna.Shape|nil # default: one axis with all of it
---@param dtype string|nil # default: uint8
---@return cuna.Array
---@overload fun(self: cuna.MemoryPointer, options: {dtype?: string}): cuna.Array
function MemoryPointer:array(shape, dtype) end

--- Copies bytes to the memory from anywhere; src may be changed when it returns. Follows MemoryPointer.copy_from.
---
--- ```lua
--- cn.cuda.alloc(8):copy_from("12345678") -->
--- ```
---@param src cuna.MemoryPointer|cuna.Array|ffi.cdata*|string # device memory, an array, an FFI array or pointer, or bytes
---@param nbytes integer|nil # default: all of src
function MemoryPointer:copy_from(src, nbytes) end

--- Copies bytes from other device memory. Follows MemoryPointer.copy_from_device.
---
--- ```lua
--- cn.cuda.alloc(8):copy_from_device(cn.ones(1)) -->
--- ```
---@param src cuna.MemoryPointer|cuna.Array
---@param nbytes integer|nil # default: all of src
function MemoryPointer:copy_from_device(src, nbytes) end

--- Copies bytes from the host's memory, which may be changed when it returns. Follows MemoryPointer.copy_from_host.
---
--- ```lua
--- cn.cuda.alloc(8):copy_from_host("1234") -->
--- ```
---@param src cuna.Array|ffi.cdata*|string
---@param nbytes integer|nil # default: all of src
function MemoryPointer:copy_from_host(src, nbytes) end

--- Copies bytes to the host's memory, and waits for them. Follows MemoryPointer.copy_to_host.
---
--- ```lua
--- cn.cuda.alloc(8):copy_to_host(cn.zeros(1, {device = "cpu"})) -->
--- ```
---@param dst cuna.Array|ffi.cdata*
---@param nbytes integer|nil # default: all that dst has
function MemoryPointer:copy_to_host(dst, nbytes) end

--- Sets bytes to one value. Follows MemoryPointer.memset.
---
--- ```lua
--- cn.cuda.alloc(8):memset(255) -->
--- ```
---@param value integer # 0 to 255
---@param nbytes integer|nil # default: all
function MemoryPointer:memset(value, nbytes) end

--- copy_from in the order of a stream, while the host goes on: memory of the host that is pinned must not change before
--- the stream is there; other memory was read when it returns. Follows MemoryPointer.copy_from_async.
---
--- ```lua
--- cn.cuda.alloc(8):copy_from_async(cn.zeros(1)) -->
--- ```
---@param src cuna.MemoryPointer|cuna.Array|ffi.cdata*|string
---@param nbytes integer|nil # default: all of src
---@param stream cuna.Stream|nil # default: the current one
---@overload fun(self: cuna.MemoryPointer, options: {nbytes?: integer, stream?: cuna.Stream})
function MemoryPointer:copy_from_async(src, nbytes, stream) end

--- copy_from_device in the order of a stream. Follows MemoryPointer.copy_from_device_async.
---
--- ```lua
--- cn.cuda.alloc(8):copy_from_device_async(cn.zeros(1)) -->
--- ```
---@param src cuna.MemoryPointer|cuna.Array
---@param nbytes integer|nil # default: all of src
---@param stream cuna.Stream|nil # default: the current one
---@overload fun(self: cuna.MemoryPointer, options: {nbytes?: integer, stream?: cuna.Stream})
function MemoryPointer:copy_from_device_async(src, nbytes, stream) end

--- copy_from_host in the order of a stream, while the host goes on. Follows MemoryPointer.copy_from_host_async.
---
--- ```lua
--- cn.cuda.alloc(8):copy_from_host_async(cn.zeros_pinned(1)) -->
--- ```
---@param src cuna.Array|ffi.cdata*|string # pinned memory (cn.empty_pinned), or other, which was read when it returns
---@param nbytes integer|nil # default: all of src
---@param stream cuna.Stream|nil # default: the current one
---@overload fun(self: cuna.MemoryPointer, options: {nbytes?: integer, stream?: cuna.Stream})
function MemoryPointer:copy_from_host_async(src, nbytes, stream) end

--- copy_to_host in the order of a stream, while the host goes on: who reads an array next waits by itself. Follows
--- MemoryPointer.copy_to_host_async.
---
--- ```lua
--- cn.cuda.alloc(8):copy_to_host_async(cn.zeros_pinned(1)) -->
--- ```
---@param dst cuna.Array|ffi.cdata* # pinned memory (cn.empty_pinned), or other, where all is there when it returns
---@param nbytes integer|nil # default: all that dst has
---@param stream cuna.Stream|nil # default: the current one
---@overload fun(self: cuna.MemoryPointer, options: {nbytes?: integer, stream?: cuna.Stream})
function MemoryPointer:copy_to_host_async(dst, nbytes, stream) end

--- memset in the order of a stream. Follows MemoryPointer.memset_async.
---
--- ```lua
--- cn.cuda.alloc(8):memset_async(0) -->
--- ```
---@param value integer # 0 to 255
---@param nbytes integer|nil # default: all
---@param stream cuna.Stream|nil # default: the current one
---@overload fun(self: cuna.MemoryPointer, options: {nbytes?: integer, stream?: cuna.Stream})
function MemoryPointer:memset_async(value, nbytes, stream) end

--- A pointer into other memory: of a pointer, or of an array without gaps. Follows cupy.cuda.MemoryPointer.
---
--- ```lua
--- cn.cuda.MemoryPointer(cn.zeros(4), 8).nbytes --> 24
--- ```
---@param mem cuna.MemoryPointer|cuna.Array
---@param offset integer|nil # bytes, default 0
---@return cuna.MemoryPointer
function cuda.MemoryPointer(mem, offset) end

--- Device memory that somebody else made, from its address. `owner` is kept alive as long as the memory is used here;
--- nobody checks that the address is right. Follows cupy.cuda.UnownedMemory.
---
--- ```lua
--- cn.cuda.UnownedMemory(cn.zeros(2, {device = "cpu"}):pointer(), 16, nil, "cpu").nbytes --> 16
--- ```
---@param ptr integer|ffi.cdata* # an address or an FFI pointer
---@param nbytes integer
---@param owner any # nil when the memory stays by itself
---@param device cuna.Device|string|nil # default: the current one
---@return cuna.MemoryPointer
---@overload fun(ptr: integer|ffi.cdata*, options: {nbytes?: integer, owner?: any, device?: cuna.Device|string}): cuna.MemoryPointer
function cuda.UnownedMemory(ptr, nbytes, owner, device) end

--- Memory of a device in bytes, free and all there is, as mem_info has it. Follows cudaMemGetInfo.
---
--- ```lua
--- select("#", cn.cuda.memory_info()) --> 2
--- ```
---@param device cuna.Device|integer|string|nil # default: the current one
---@return integer # free
---@return integer # total
function cuda.memory_info(device) end

--- Runs fn(...) and calls hook(event) for each piece of device or pinned memory that this Lua state is handed or gives
--- back meanwhile, before the call that does so returns: debug.traceback() in the hook shows where. An event has kind
--- ("alloc" or "free"), device, bytes (what the pool handed out, a multiple of 512) and ptr (the address). What the
--- hook raises, that call raises; what it raises where a collection frees memory, the next call or the end of
--- memory_hook. The hook may use arrays, which it is not told of. Hooks nest: the outer one is called first. Follows
--- cupy.cuda.MemoryHook.
---
--- ```lua
--- cn.cuda.memory_hook(function(event) assert(event.bytes % 512 == 0) end, cn.ones, 3) --> [1. 1. 1.]
--- (pcall(cn.cuda.memory_hook, function(e) assert(e.kind ~= "alloc", "no") end, cn.ones, 3)) --> false
--- ```
---@param hook fun(event: {kind: string, device: cuna.Device, bytes: integer, ptr: number})
---@param fn function
---@param ... any # its arguments
---@return any ... # fn's results
function cuda.memory_hook(hook, fn, ...) end
