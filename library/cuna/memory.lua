---@meta _
-- Made by `make docs` from the comments in lua/cuna/, for editors: nothing loads this file.
-- Memory: scopes, pools, pointers.

---@class cuna
local cn = {}

---@class cuna.cuda
local cuda = {}

--- A memory pool. Its methods take a device as the last argument; the default is the current one. Follows
--- cupy.cuda.MemoryPool.
---@class cuna.MemoryPool
local MemoryPool = {}

--- Device memory from an address to the end of its allocation. `mem + 8` points 8 bytes further. Kernels accept it for
--- any pointer. Follows cupy.cuda.MemoryPointer.
---@class cuna.MemoryPointer
---@field ptr number|ffi.cdata* the address: a uint64_t beyond 2^53; 0 for an empty allocation
---@field nbytes integer bytes from there to the end of the allocation
---@field size integer the same as nbytes
---@field device cuna.Device
local MemoryPointer = {}

--- The default memory pool of arrays; cn.cuda.set_allocator selects another. It has the methods used_bytes, free_bytes,
--- total_bytes, n_free_blocks, free_all_blocks, set_limit, get_limit, malloc and with, which use the current device, or
--- the one given last. Follows cupy.get_default_memory_pool.
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

--- Runs fn(...) and frees every array created inside except those it returns, also inside returned tables, and those
--- marked with cn.keep; these belong to the enclosing scope, if there is one. A view keeps its memory alive. If fn
--- raises an error, the arrays are freed too, and the error propagates. A coroutine that yields inside leaves the scope
--- until it is resumed.
---
--- ```lua
--- cn.scope(function(x) local y = x + 1 return y * 2 end, cn.zeros(2)) --> [2. 2.]
--- ```
---@param fn function
---@param ... any # its arguments
---@return any ... # its results
function cn.scope(fn, ...) end

--- Marks arrays, also those inside tables, so that the end of the open scope does not free them: they then belong to
--- the enclosing scope, if there is one. An array that outlives several scopes must be kept, or returned, in each.
---
--- ```lua
--- cn.keep(cn.zeros(2)) --> [0. 0.]
--- ```
---@param ... any
---@return any ... # the same
function cn.keep(...) end

--- Statistics of the garbage collections that cuna requests, since Lua's collector does not count the memory of arrays:
--- collections (their number), needed (the number of those requested because memory had run out; the others followed a
--- large increase of memory in use), total_seconds and last_seconds (thread time of all, and of the last one),
--- collected_bytes (memory that they freed on all devices), used_bytes (memory in use on the current device now).
--- Collections that are not needed take less time than the garbage costs, or a twentieth of the thread's time, as long
--- as the memory in use on each device is at most twice that of live arrays and 1 GiB, on a GPU up to an eighth of its
--- memory.
---
--- ```lua
--- cn.gc_stats().collections >= cn.gc_stats().needed --> true
--- ```
---@return table
function cn.gc_stats() end

--- Bytes of the pool in use, a multiple of 512.
---
--- ```lua
--- cn.cuda.MemoryPool():used_bytes() --> 0
--- ```
---@param device cuna.Device|string|nil # default: the current one
---@return integer
function MemoryPool:used_bytes(device) end

--- Bytes in cached free blocks.
---
--- ```lua
--- cn.cuda.MemoryPool():free_bytes() --> 0
--- ```
---@param device cuna.Device|string|nil # default: the current one
---@return integer
function MemoryPool:free_bytes(device) end

--- Bytes that the pool has allocated from the device: used and free ones.
---
--- ```lua
--- cn.cuda.MemoryPool():total_bytes() --> 0
--- ```
---@param device cuna.Device|string|nil # default: the current one
---@return integer
function MemoryPool:total_bytes(device) end

--- The number of cached free blocks.
---
--- ```lua
--- cn.cuda.MemoryPool():n_free_blocks() --> 0
--- ```
---@param device cuna.Device|string|nil # default: the current one
---@return integer
function MemoryPool:n_free_blocks(device) end

--- The limit of the pool in bytes; 0 for no limit. CUNA_MEMORY_LIMIT sets the initial limit.
---
--- ```lua
--- cn.get_default_memory_pool():get_limit() >= 0 --> true
--- ```
---@param device cuna.Device|string|nil # default: the current one
---@return integer
function MemoryPool:get_limit(device) end

--- Returns cached free blocks to the device: all of them, or those of one stream.
---
--- ```lua
--- cn.cuda.MemoryPool():free_all_blocks() -->
--- ```
---@param stream cuna.Stream|nil
---@param device cuna.Device|string|nil # default: the stream's, else the current one
function MemoryPool:free_all_blocks(stream, device) end

--- Limits the pool: set_limit(bytes), set_limit{size = bytes} or set_limit{fraction = 0.5}, a share of the device's
--- memory; 0 removes the limit. Blocks in use are not affected.
---
--- ```lua
--- cn.cuda.MemoryPool():set_limit {fraction = 0.5} -->
--- ```
---@param limit integer|{size?: integer, fraction?: number} # bytes
---@param device cuna.Device|string|nil # default: the current one
function MemoryPool:set_limit(limit, device) end

--- Raw memory of the pool on the current device. A PinnedMemoryPool allocates host memory.
---
--- ```lua
--- cn.cuda.MemoryPool():malloc(100).nbytes --> 100
--- ```
---@param nbytes integer
---@return cuna.MemoryPointer
function MemoryPool:malloc(nbytes) end

--- Runs fn(...) with the pool as the allocator of new arrays, and restores the previous allocator afterwards, after an
--- error or a yield too.
---
--- ```lua
--- cn.cuda.MemoryPool():with(cn.zeros, 2) --> [0. 0.]
--- ```
---@param fn function
---@param ... any # its arguments
---@return any ... # fn's results
function MemoryPool:with(fn, ...) end

--- Makes a memory pool. Follows cupy.cuda.MemoryPool.
---
--- ```lua
--- tostring(cn.cuda.MemoryPool()) --> <MemoryPool>
--- tostring(cn.cuda.MemoryPool(cn.cuda.malloc_managed)) --> <MemoryPool of managed memory>
--- ```
---@param allocator function|nil # cn.cuda.malloc: device memory (default); cn.cuda.malloc_managed: memory that the driver moves between the host and devices
---@return cuna.MemoryPool
function cuda.MemoryPool(allocator) end

--- Makes a pool of pinned host memory, for asynchronous copies from and to devices. Follows cupy.cuda.PinnedMemoryPool.
---
--- ```lua
--- cn.cuda.PinnedMemoryPool():n_free_blocks() --> 0
--- ```
---@return cuna.MemoryPool
function cuda.PinnedMemoryPool() end

--- Makes a pool that uses the CUDA driver's stream-ordered allocator (cuMemAllocAsync). Allocating from it in a capture
--- is an error. Follows cupy.cuda.MemoryAsyncPool.
---
--- ```lua
--- tostring(cn.cuda.MemoryAsyncPool()) --> <MemoryAsyncPool>
--- ```
---@return cuna.MemoryPool
function cuda.MemoryAsyncPool() end

--- Sets the allocator of new arrays: a pool, or, with nil, the device itself, which caches nothing and is slow. At the
--- start it is cn.get_default_memory_pool(). Follows cupy.cuda.set_allocator.
---
--- ```lua
--- cn.cuda.set_allocator(cn.get_default_memory_pool()) -->
--- ```
---@param allocator cuna.MemoryPool|function|nil # a pool or its malloc, cn.cuda.malloc_managed; nil or cn.cuda.malloc
function cuda.set_allocator(allocator) end

--- The allocator of new arrays: a pool, or nil for none. Follows cupy.cuda.get_allocator.
---
--- ```lua
--- cn.cuda.get_allocator() == cn.get_default_memory_pool() --> true
--- ```
---@return cuna.MemoryPool|nil
function cuda.get_allocator() end

--- Runs fn(...) with another allocator for new arrays, as in set_allocator, and restores the previous one afterwards,
--- after an error or a yield too. Follows cupy.cuda.using_allocator.
---
--- ```lua
--- cn.cuda.using_allocator(cn.cuda.MemoryPool(), cn.zeros, 2) --> [0. 0.]
--- ```
---@param allocator cuna.MemoryPool|function|nil
---@param fn function
---@param ... any # its arguments
---@return any ... # fn's results
function cuda.using_allocator(allocator, fn, ...) end

--- Raw memory on the current device, from the allocator of new arrays. Follows cupy.cuda.alloc.
---
--- ```lua
--- cn.cuda.alloc(1024).nbytes --> 1024
--- ```
---@param nbytes integer
---@return cuna.MemoryPointer
function cuda.alloc(nbytes) end

--- Raw memory on the current device, without a pool: it returns to the device when it is freed. Follows
--- cupy.cuda.memory.malloc.
---
--- ```lua
--- cn.cuda.malloc(1024).nbytes --> 1024
--- ```
---@param nbytes integer
---@return cuna.MemoryPointer
function cuda.malloc(nbytes) end

--- Managed memory, which the driver moves between the host and devices on access. Follows cupy.cuda.malloc_managed.
---
--- ```lua
--- cn.cuda.malloc_managed(1024).nbytes --> 1024
--- ```
---@param nbytes integer
---@return cuna.MemoryPointer
function cuda.malloc_managed(nbytes) end

--- The pointer `nbytes` bytes further, like mem + nbytes. An error if it leaves the allocation.
---
--- ```lua
--- cn.cuda.alloc(64):offset(16).nbytes --> 48
--- ```
---@param nbytes integer # may be negative
---@return cuna.MemoryPointer
function MemoryPointer:offset(nbytes) end

--- Frees the memory now, for pointers made from this one too, unless arrays still use it. A second call has no effect;
--- any other use is an error.
---
--- ```lua
--- cn.cuda.alloc(64):free() -->
--- ```
function MemoryPointer:free() end

--- The memory as an array, which shares it and keeps it alive. Follows cupy.ndarray(shape, dtype, memptr).
---
--- ```lua
--- cn.cuda.alloc(64):array({2, 4}, "float64").shape --> (2, 4)
--- ```
---@param shape cuna.Shape|nil # default: one axis with all of it
---@param dtype cuna.Dtype|nil # default: uint8
---@return cuna.Array
function MemoryPointer:array(shape, dtype) end

--- Copies bytes to the memory from any source; src may be changed after the call. Follows MemoryPointer.copy_from.
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

--- Copies bytes from host memory, which may be changed after the call. Follows MemoryPointer.copy_from_host.
---
--- ```lua
--- cn.cuda.alloc(8):copy_from_host("1234") -->
--- ```
---@param src cuna.Array|ffi.cdata*|string
---@param nbytes integer|nil # default: all of src
function MemoryPointer:copy_from_host(src, nbytes) end

--- Copies bytes to host memory, and waits for them. Follows MemoryPointer.copy_to_host.
---
--- ```lua
--- cn.cuda.alloc(8):copy_to_host(cn.zeros(1, {device = "cpu"})) -->
--- ```
---@param dst cuna.Array|ffi.cdata*
---@param nbytes integer|nil # default: the size of dst
function MemoryPointer:copy_to_host(dst, nbytes) end

--- Sets bytes to one value. Follows MemoryPointer.memset.
---
--- ```lua
--- cn.cuda.alloc(8):memset(255) -->
--- ```
---@param value integer # 0 to 255
---@param nbytes integer|nil # default: all
function MemoryPointer:memset(value, nbytes) end

--- copy_from in stream order, without waiting. Pinned host memory must not change before the stream has copied it;
--- other memory has been read when the call returns. Follows MemoryPointer.copy_from_async.
---
--- ```lua
--- cn.cuda.alloc(8):copy_from_async(cn.zeros(1)) -->
--- ```
---@param src cuna.MemoryPointer|cuna.Array|ffi.cdata*|string
---@param nbytes integer|nil # default: all of src
---@param stream cuna.Stream|nil # default: the current one
---@overload fun(self: cuna.MemoryPointer, src: cuna.MemoryPointer|cuna.Array|ffi.cdata*|string, options: {nbytes?: integer, stream?: cuna.Stream})
function MemoryPointer:copy_from_async(src, nbytes, stream) end

--- copy_from_device in stream order. Follows MemoryPointer.copy_from_device_async.
---
--- ```lua
--- cn.cuda.alloc(8):copy_from_device_async(cn.zeros(1)) -->
--- ```
---@param src cuna.MemoryPointer|cuna.Array
---@param nbytes integer|nil # default: all of src
---@param stream cuna.Stream|nil # default: the current one
---@overload fun(self: cuna.MemoryPointer, src: cuna.MemoryPointer|cuna.Array, options: {nbytes?: integer, stream?: cuna.Stream})
function MemoryPointer:copy_from_device_async(src, nbytes, stream) end

--- copy_from_host in stream order, without waiting. Follows MemoryPointer.copy_from_host_async.
---
--- ```lua
--- cn.cuda.alloc(8):copy_from_host_async(cn.zeros_pinned(1)) -->
--- ```
---@param src cuna.Array|ffi.cdata*|string # pinned memory (cn.empty_pinned), or other memory, which has been read when the call returns
---@param nbytes integer|nil # default: all of src
---@param stream cuna.Stream|nil # default: the current one
---@overload fun(self: cuna.MemoryPointer, src: cuna.Array|ffi.cdata*|string, options: {nbytes?: integer, stream?: cuna.Stream})
function MemoryPointer:copy_from_host_async(src, nbytes, stream) end

--- copy_to_host in stream order, without waiting: reading an array afterwards waits automatically. Follows
--- MemoryPointer.copy_to_host_async.
---
--- ```lua
--- cn.cuda.alloc(8):copy_to_host_async(cn.zeros_pinned(1)) -->
--- ```
---@param dst cuna.Array|ffi.cdata* # pinned memory (cn.empty_pinned), or other memory, which is complete when the call returns
---@param nbytes integer|nil # default: the size of dst
---@param stream cuna.Stream|nil # default: the current one
---@overload fun(self: cuna.MemoryPointer, dst: cuna.Array|ffi.cdata*, options: {nbytes?: integer, stream?: cuna.Stream})
function MemoryPointer:copy_to_host_async(dst, nbytes, stream) end

--- memset in stream order. Follows MemoryPointer.memset_async.
---
--- ```lua
--- cn.cuda.alloc(8):memset_async(0) -->
--- ```
---@param value integer # 0 to 255
---@param nbytes integer|nil # default: all
---@param stream cuna.Stream|nil # default: the current one
---@overload fun(self: cuna.MemoryPointer, value: integer, options: {nbytes?: integer, stream?: cuna.Stream})
function MemoryPointer:memset_async(value, nbytes, stream) end

--- A pointer into other memory: of a pointer, or of a contiguous array. Follows cupy.cuda.MemoryPointer.
---
--- ```lua
--- cn.cuda.MemoryPointer(cn.zeros(4), 8).nbytes --> 24
--- ```
---@param mem cuna.MemoryPointer|cuna.Array
---@param offset integer|nil # bytes, default 0
---@return cuna.MemoryPointer
function cuda.MemoryPointer(mem, offset) end

--- Device memory allocated elsewhere, by its address. `owner` is kept alive as long as cuna uses the memory. The
--- address is not checked. Follows cupy.cuda.UnownedMemory.
---
--- ```lua
--- cn.cuda.UnownedMemory(cn.zeros(2, {device = "cpu"}):pointer(), 16, nil, "cpu").nbytes --> 16
--- ```
---@param ptr integer|ffi.cdata* # an address or an FFI pointer
---@param nbytes integer
---@param owner any # nil if the memory needs no owner
---@param device cuna.Device|string|nil # default: the current one
---@return cuna.MemoryPointer
---@overload fun(ptr: integer|ffi.cdata*, options: {nbytes?: integer, owner?: any, device?: cuna.Device|string}): cuna.MemoryPointer
function cuda.UnownedMemory(ptr, nbytes, owner, device) end

--- Free and total memory of a device in bytes, as in mem_info. Follows cudaMemGetInfo.
---
--- ```lua
--- select("#", cn.cuda.memory_info()) --> 2
--- ```
---@param device cuna.Device|integer|string|nil # default: the current one
---@return integer # free
---@return integer # total
function cuda.memory_info(device) end

--- Runs fn(...) and calls hook(event) whenever this Lua state allocates or frees device or pinned memory meanwhile,
--- before the call that does so returns: debug.traceback() in the hook shows its line. An event has kind ("alloc" or
--- "free"), device, bytes (the size of the block, a multiple of 512) and ptr (the address). That call raises the errors
--- of the hook; if a garbage collection frees the memory, the next call or the end of memory_hook does. The hook may
--- use arrays, for which it is not called. What was recorded before runs before the hook begins. Hooks nest: the outer
--- one is called first. Follows cupy.cuda.MemoryHook.
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
