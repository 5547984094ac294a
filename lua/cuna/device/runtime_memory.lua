--- runtime_memory.lua: cn.cuda.runtime's functions of memory: allocations, copies, fills.
--
-- The operands are spans of memory.lua, which checks that all access is inside of them.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local memory = require "cuna.device.memory"
local transfer = require "cuna.device.transfer"

local M = {functions = {}}
local F = M.functions -- of cn.cuda.runtime

local cn = args.namespace
local fail = check.fail

--- Device memory outside of pools, as cn.cuda.malloc(size). Follows cupy.cuda.runtime.malloc.
---@param size integer bytes
---@return cuna.MemoryPointer
---@usage cn.cuda.runtime.malloc(64).nbytes --> 64
function F.malloc(size) return cn.cuda.malloc(check.count(size, "cuda.runtime.malloc", "size")) end

--- Memory that the driver moves between host and device, as cn.cuda.malloc_managed(size). Follows
--- cupy.cuda.runtime.mallocManaged.
---@param size integer bytes
---@return cuna.MemoryPointer
---@usage cn.cuda.runtime.mallocManaged(64).nbytes --> 64
function F.mallocManaged(size)
  return cn.cuda.malloc_managed(check.count(size, "cuda.runtime.mallocManaged", "size"))
end

--- Frees memory of malloc or another allocator. The garbage collector does so, too. Follows cupy.cuda.runtime.free.
---@param ptr cuna.MemoryPointer
---@usage cn.cuda.runtime.free(cn.cuda.runtime.malloc(64)) -->
function F.free(ptr)
  if not memory.is_pointer(ptr) then
    fail("cuda.runtime.free: ptr is memory of cn.cuda.runtime.malloc, got %s%s", check.show(ptr),
      core.is_array(ptr) and "; write x:free()" or "")
  end
  ptr:free()
end

local function is_device_memory(value, name)
  return memory.is_pointer(value) or core.is_array(value) and not core.is_host(core.check_alive(value, name).device)
end

local HOST, DEVICE = "host_span", "device_span"
local KINDS = {[0] = {HOST, HOST}, {HOST, DEVICE}, {DEVICE, HOST}, {DEVICE, DEVICE}} -- of src and dst

--- The functions of memory.lua that read src and dst.
local function spans_of(dst, src, kind, name)
  if kind == nil or kind == 4 then
    return is_device_memory(src, name) and DEVICE or HOST, is_device_memory(dst, name) and DEVICE or HOST
  end
  local row = KINDS[check.count(kind, name, "kind")]
  if not row then fail("%s: kind is 0 to 4, such as cn.cuda.runtime.memcpyHostToDevice, got %d", name, kind) end
  return unpack(row)
end

--- Checks a copy; returns its spans and its size.
local function prepare_copy(name, dst, src, size, kind)
  size = check.count(size, name, "size")
  local read_src, read_dst = spans_of(dst, src, kind, name)
  return memory[read_dst](dst, name, "dst", size), memory[read_src](src, name, "src", size), size
end

local read_copy = args.reader("cuda.runtime.memcpy", {"dst", "src", "size", "kind"}, 3)

--- Copies bytes, and waits for those that go to the host. Follows cupy.cuda.runtime.memcpy.
---@param dst cuna.MemoryPointer|cuna.Array|ffi.cdata* device memory, an array, an FFI array or pointer
---@param src cuna.MemoryPointer|cuna.Array|ffi.cdata*|string
---@param size integer bytes
---@param kind integer|nil cn.cuda.runtime.memcpyHostToDevice and so on; default: memcpyDefault, as the operands are
---@usage (function(m) cn.cuda.runtime.memcpy(m, "1234", 4, 1) return m:array() end)(cn.cuda.alloc(4)) --> [49 50 51 52]
function F.memcpy(...)
  local name = "cuda.runtime.memcpy"
  local to, from, size = prepare_copy(name, read_copy(...))
  if core.is_host(to[1].device) then core.check_waiting(name) end
  memory.copy(to, from, size, name, false)
end

local read_async_copy = args.reader("cuda.runtime.memcpyAsync", {"dst", "src", "size", "kind", "stream"}, 3)

--- Copies bytes in stream order, without waiting: only pinned memory of the host (cn.empty_pinned) is copied while the
--- script goes on. Follows cupy.cuda.runtime.memcpyAsync.
---@param dst cuna.MemoryPointer|cuna.Array|ffi.cdata*
---@param src cuna.MemoryPointer|cuna.Array|ffi.cdata*|string
---@param size integer bytes
---@param kind integer|nil default: memcpyDefault
---@param stream cuna.Stream|nil default: the current one
---@usage cn.cuda.runtime.memcpyAsync(cn.cuda.alloc(8), cn.cuda.alloc(8), 8, 3, cn.cuda.Stream.null) -->
function F.memcpyAsync(...)
  local name = "cuda.runtime.memcpyAsync"
  local dst, src, bytes, kind, stream = read_async_copy(...)
  local to, from, size = prepare_copy(name, dst, src, bytes, kind)
  local device = core.is_host(to[1].device) and from[1].device or to[1].device
  transfer.on_stream(stream, device, name, memory.copy, to, from, size, name, true)
end

--- Sets bytes of device memory to one value. Follows cupy.cuda.runtime.memset.
---@param ptr cuna.MemoryPointer|cuna.Array
---@param value integer 0 to 255
---@param size integer bytes
---@usage (function(m) cn.cuda.runtime.memset(m, 7, 2) return m:array()["1:2"] end)(cn.cuda.alloc(4)) --> [7 7]
function F.memset(ptr, value, size)
  local name = "cuda.runtime.memset"
  memory.fill(memory.device_span(ptr, name, "ptr"), value, check.count(size, name, "size"), name)
end

--- memset in stream order. Follows cupy.cuda.runtime.memsetAsync.
---@param ptr cuna.MemoryPointer|cuna.Array
---@param value integer 0 to 255
---@param size integer bytes
---@param stream cuna.Stream|nil default: the current one
---@usage cn.cuda.runtime.memsetAsync(cn.cuda.alloc(4), 0, 4, cn.cuda.Stream.null) -->
function F.memsetAsync(ptr, value, size, stream)
  local name = "cuda.runtime.memsetAsync"
  local span = memory.device_span(ptr, name, "ptr")
  transfer.on_stream(stream, span[1].device, name, memory.fill, span, value, check.count(size, name, "size"), name)
end

args.bound(F, {malloc = "size", mallocManaged = "size", free = "ptr", memset = "ptr value size",
  memsetAsync = "ptr value size stream"}, "cuda.runtime.")

return M
