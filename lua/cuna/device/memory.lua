--- memory.lua: raw device memory: pointers, copies from and to them, and memory allocated elsewhere.
--
-- An allocation is an array of bytes. A pointer is an allocation with an offset; it extends to the allocation's end.
-- All access is to parts of that array, which are checked here, so that no other memory is read or written.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local ffi = require "ffi"
local suggest = require "cuna.base.suggest"
local transfer = require "cuna.device.transfer"

local M = {functions = {}}
local F = M.functions -- of cn.cuda

local fail = check.fail
local INSIDE = {} -- the key of a pointer's state: its allocation and its offset

-- ---- pointers ----

local methods, metatable = {}, {}

--- Device memory from an address to the end of its allocation. `mem + 8` points 8 bytes further. Kernels accept it for
--- any pointer. Follows cupy.cuda.MemoryPointer.
---@class cuna.MemoryPointer
---@field ptr number|ffi.cdata* the address: a uint64_t beyond 2^53; 0 for an empty allocation
---@field nbytes integer bytes from there to the end of the allocation
---@field size integer the same as nbytes
---@field device cuna.Device

local function make(allocation, offset)
  return setmetatable({[INSIDE] = {of = allocation, offset = offset}}, metatable)
end

--- The pointer to all of an array of bytes.
function M.pointer(bytes)
  local views = setmetatable({}, {__mode = "v"})
  return make({bytes = bytes, nbytes = bytes.size, device = bytes.device, views = views}, 0)
end

function M.is_pointer(value) return type(value) == "table" and getmetatable(value) == metatable end

--- The fields of a pointer, for a method called with a colon.
local function inside(self, name)
  if not M.is_pointer(self) then
    fail("%s: an allocation's function is called with a colon: allocation:%s()", name, name)
  end
  return rawget(self, INSIDE)
end

--- The array of bytes that a pointer points into, its offset there, and the number of bytes to its end.
local function reach(self, name)
  local state = inside(self, name)
  local allocation = state.of
  local place = core.freed_at(allocation.bytes)
  if place then
    fail("%s: the allocation of %d bytes was freed%s", name, allocation.nbytes, place)
  end
  return allocation.bytes, state.offset, allocation.nbytes - state.offset
end

--- The bytes from the pointer on as an array, for a kernel that gets its address and is next on the stream (by default
--- the current one). Views are registered: freeing the allocation frees them.
function metatable.pointer_of(self, name, stream)
  local bytes, offset, count = reach(self, name)
  core.claim(bytes, stream, name)
  if offset == 0 then return bytes end
  local views = rawget(self, INSIDE).of.views
  local view = views[offset] or core.view(bytes, {count}, {1}, offset)
  views[offset] = view
  return view
end

local fields = {}

function fields.nbytes(self)
  local state = rawget(self, INSIDE)
  return state.of.nbytes - state.offset
end
fields.size = fields.nbytes

function fields.device(self) return rawget(self, INSIDE).of.device end

function fields.ptr(self)
  local bytes, offset = reach(self, "ptr")
  if bytes.size == 0 then return 0 end
  local high, low = core.address(bytes)
  local address = high * 2 ^ 32 + low + offset
  return address < 2 ^ 53 and address or ffi.cast("uint64_t", high) * 2 ^ 32 + low + offset
end

function metatable.__index(self, key)
  if methods[key] then return methods[key] end
  if fields[key] then return fields[key](self) end
  fail("an allocation has no field '%s'%s", tostring(key), suggest.hint(key, methods, fields))
end

function metatable.__newindex(_, key) fail("an allocation's field '%s' cannot be set", tostring(key)) end

function metatable.__tostring(self)
  local freed = core.freed_at(rawget(self, INSIDE).of.bytes)
  local place = freed and "freed memory" or ("0x%x"):format(tonumber(self.ptr))
  return ("<%d bytes at %s on %s>"):format(self.nbytes, place, self.device.name)
end

local function move(self, step, name)
  local state = inside(self, name)
  step = check.integer(step, name, "the offset")
  local allocation, offset = state.of, state.offset + step
  if offset < 0 or offset > allocation.nbytes then
    fail("%s: byte %d lies outside of the allocation's %d bytes", name, offset, allocation.nbytes)
  end
  return make(allocation, offset)
end

function metatable.__add(a, b)
  if M.is_pointer(a) then return move(a, b, "+") end
  return move(b, a, "+")
end

function metatable.__sub(a, b)
  if not M.is_pointer(a) then fail "-: a pointer cannot be taken from a number" end
  return move(a, -check.integer(b, "-", "the offset"), "-")
end

--- The pointer `nbytes` bytes further, like mem + nbytes. An error if it leaves the allocation.
---@param nbytes integer may be negative
---@return cuna.MemoryPointer
---@usage cn.cuda.alloc(64):offset(16).nbytes --> 48
function methods:offset(nbytes) return move(self, nbytes, "offset") end

--- Frees the memory now, for pointers made from this one too, unless arrays still use it. A second call has no effect;
--- any other use is an error.
---@usage cn.cuda.alloc(64):free() -->
function methods:free()
  local allocation = inside(self, "free").of
  if core.freed_at(allocation.bytes) then return end
  for _, view in pairs(allocation.views) do core.free(view) end
  core.free(allocation.bytes)
end

--- The memory as an array, which shares it and keeps it alive. Follows cupy.ndarray(shape, dtype, memptr).
---@param shape cuna.Shape|nil default: one axis with all of it
---@param dtype string|nil default: uint8
---@return cuna.Array
---@usage cn.cuda.alloc(64):array({2, 4}, "float64").shape --> (2, 4)
function methods:array(shape, dtype)
  local bytes, offset = reach(self, "array")
  return core.array_at(bytes, offset, shape, dtype, "array")
end

-- ---- spans: {array, offset, nbytes}, the operands of copies ----

local function span_of_array(x, name, what)
  if core.check_alive(x, name).flags.c_contiguous then return {x, 0, x.nbytes} end
  fail("%s: %s is a strided view; copy it with x:copy()", name, what)
end

--- Device memory: of a pointer or an array.
function M.device_span(value, name, what)
  if M.is_pointer(value) then return {reach(value, name)} end
  if core.is_array(value) then return span_of_array(value, name, what) end
  fail("%s: %s is device memory (cn.cuda.mem_alloc or an array), got %s", name, what, check.show(value))
end

--- Host memory that `owner` keeps alive.
local function span_of_host(pointer, nbytes, owner)
  local address = tonumber(ffi.cast("uintptr_t", pointer))
  return {core.adopt(core.device "cpu", address, nbytes, owner), 0, nbytes}
end

local function span_of_cdata(value, name, what, nbytes)
  local text = tostring(value):match "^cdata<(.*)>: " or ""
  local is_pointer, pointer = pcall(ffi.cast, "const void *", value)
  if not is_pointer then fail("%s: %s is memory of the host, got %s", name, what, check.show(value)) end
  if text:find "%]" or text:find "^struct" or text:find "^union" then
    return span_of_host(pointer, ffi.sizeof(value), value)
  elseif nbytes == nil then
    fail("%s: %s is %s, whose length is not known; write cn.frombuffer(pointer, {count = n, copy = false})", name, what,
      text)
  elseif pointer == nil and nbytes > 0 then
    fail("%s: %s is NULL", name, what)
  end
  return span_of_host(pointer, nbytes, value)
end

local function span_of_host_array(x, name, what)
  local device = core.check_alive(x, name).device
  if core.is_host(device) then return span_of_array(x, name, what) end
  fail("%s: %s is on %s; host memory is an array of the cpu device (cuda.memcpy_dtod copies on a device)", name, what,
    device.name)
end

--- Host memory: of an array on the cpu device, an FFI array or struct, or a string, which is only read. A pointer
--- counts as `nbytes` bytes.
function M.host_span(value, name, what, nbytes)
  if core.is_array(value) then
    return span_of_host_array(value, name, what)
  elseif type(value) == "cdata" then
    return span_of_cdata(value, name, what, nbytes)
  elseif type(value) == "string" and what == "src" then
    return span_of_host(ffi.cast("const char *", value), #value, value)
  elseif M.is_pointer(value) then
    fail("%s: %s is device memory; the order is (dst, src)", name, what)
  end
  fail("%s: %s is host memory (an array of the cpu device or an FFI array), got %s%s", name, what, check.show(value),
    type(value) == "table" and "; make one: cn.array(t, dtype)" or "")
end

--- Copies the first `count` bytes of one span to another; with `async` it does not wait.
function M.copy(dst, src, count, name, async)
  if count > dst[3] or count > src[3] then
    fail("%s: %d bytes do not fit: dst has %d, src has %d", name, count, dst[3], src[3])
  end
  if count > 0 then core.copy_bytes(dst[1], dst[2], src[1], src[2], count, async, name) end
end

--- Sets the first `count` bytes of a span, by default all.
function M.fill(dst, byte, count, name)
  byte = check.count(byte, name, "byte")
  if byte > 255 then fail("%s: byte is 0 to 255, got %d", name, byte) end
  count = count == nil and dst[3] or check.count(count, name, "count")
  if count > dst[3] then fail("%s: dst has %d bytes, and count is %d", name, dst[3], count) end
  if count > 0 then core.fill_bytes(dst[1], dst[2], count, byte, name) end
end

-- ---- copies and fills by pointers ----

local function count_bytes(nbytes, name)
  return nbytes ~= nil and check.count(nbytes, name, "nbytes") or nil
end

local function is_host(value, name)
  return type(value) == "string" or type(value) == "cdata"
    or core.is_array(value) and core.is_host(core.check_alive(value, name).device)
end

--- Copies to a pointer, by default all of src; `read` converts and checks src.
local function copy_from(self, src, nbytes, name, async, read)
  inside(self, name)
  nbytes = count_bytes(nbytes, name)
  local to = M.device_span(self, name, "dst")
  local from = (read or is_host(src, name) and M.host_span or M.device_span)(src, name, "src", nbytes)
  M.copy(to, from, nbytes or from[3], name, async)
end

local function copy_to(self, dst, nbytes, name, async)
  inside(self, name)
  if not async then core.check_waiting(name) end
  nbytes = count_bytes(nbytes, name)
  local to, from = M.host_span(dst, name, "dst", nbytes), M.device_span(self, name, "src")
  M.copy(to, from, nbytes or to[3], name, async)
end

--- A method that takes {stream = s} after its arguments and does not wait.
local function with_stream(name, names, fn)
  local read = args.reader(name, names, 1)
  return function(self, ...)
    local device = inside(self, name).of.device
    local given, nbytes, stream = read(...)
    transfer.on_stream(stream, device, name, fn, self, given, nbytes, name)
  end
end

--- Copies bytes to the memory from any source; src may be changed after the call. Follows MemoryPointer.copy_from.
---@param src cuna.MemoryPointer|cuna.Array|ffi.cdata*|string device memory, an array, an FFI array or pointer, or bytes
---@param nbytes integer|nil default: all of src
---@usage cn.cuda.alloc(8):copy_from("12345678") -->
function methods:copy_from(src, nbytes) copy_from(self, src, nbytes, "copy_from", false) end

--- Copies bytes from other device memory. Follows MemoryPointer.copy_from_device.
---@param src cuna.MemoryPointer|cuna.Array
---@param nbytes integer|nil default: all of src
---@usage cn.cuda.alloc(8):copy_from_device(cn.ones(1)) -->
function methods:copy_from_device(src, nbytes)
  copy_from(self, src, nbytes, "copy_from_device", false, M.device_span)
end

--- Copies bytes from host memory, which may be changed after the call. Follows MemoryPointer.copy_from_host.
---@param src cuna.Array|ffi.cdata*|string
---@param nbytes integer|nil default: all of src
---@usage cn.cuda.alloc(8):copy_from_host("1234") -->
function methods:copy_from_host(src, nbytes) copy_from(self, src, nbytes, "copy_from_host", false, M.host_span) end

--- Copies bytes to host memory, and waits for them. Follows MemoryPointer.copy_to_host.
---@param dst cuna.Array|ffi.cdata*
---@param nbytes integer|nil default: the size of dst
---@usage cn.cuda.alloc(8):copy_to_host(cn.zeros(1, {device = "cpu"})) -->
function methods:copy_to_host(dst, nbytes) copy_to(self, dst, nbytes, "copy_to_host", false) end

--- Sets bytes to one value. Follows MemoryPointer.memset.
---@param value integer 0 to 255
---@param nbytes integer|nil default: all
---@usage cn.cuda.alloc(8):memset(255) -->
function methods:memset(value, nbytes)
  M.fill({reach(self, "memset")}, value, nbytes, "memset")
end

local COPY = {"src", "nbytes", "stream"}

--- copy_from in stream order, without waiting. Pinned host memory must not change before the stream has copied it;
--- other memory has been read when the call returns. Follows MemoryPointer.copy_from_async.
---@param src cuna.MemoryPointer|cuna.Array|ffi.cdata*|string
---@param nbytes integer|nil default: all of src
---@param stream cuna.Stream|nil default: the current one
---@usage cn.cuda.alloc(8):copy_from_async(cn.zeros(1)) -->
methods.copy_from_async = with_stream("copy_from_async", COPY, function(self, src, nbytes, name)
  copy_from(self, src, nbytes, name, true)
end)

--- copy_from_device in stream order. Follows MemoryPointer.copy_from_device_async.
---@param src cuna.MemoryPointer|cuna.Array
---@param nbytes integer|nil default: all of src
---@param stream cuna.Stream|nil default: the current one
---@usage cn.cuda.alloc(8):copy_from_device_async(cn.zeros(1)) -->
methods.copy_from_device_async = with_stream("copy_from_device_async", COPY, function(self, src, nbytes, name)
  copy_from(self, src, nbytes, name, true, M.device_span)
end)

--- copy_from_host in stream order, without waiting. Follows MemoryPointer.copy_from_host_async.
---@param src cuna.Array|ffi.cdata*|string pinned memory (cn.empty_pinned), or other memory, which has been read when
--- the call returns
---@param nbytes integer|nil default: all of src
---@param stream cuna.Stream|nil default: the current one
---@usage cn.cuda.alloc(8):copy_from_host_async(cn.zeros_pinned(1)) -->
methods.copy_from_host_async = with_stream("copy_from_host_async", COPY, function(self, src, nbytes, name)
  copy_from(self, src, nbytes, name, true, M.host_span)
end)

--- copy_to_host in stream order, without waiting: reading an array afterwards waits automatically. Follows
--- MemoryPointer.copy_to_host_async.
---@param dst cuna.Array|ffi.cdata* pinned memory (cn.empty_pinned), or other memory, which is complete when the call
--- returns
---@param nbytes integer|nil default: the size of dst
---@param stream cuna.Stream|nil default: the current one
---@usage cn.cuda.alloc(8):copy_to_host_async(cn.zeros_pinned(1)) -->
methods.copy_to_host_async = with_stream("copy_to_host_async", {"dst", "nbytes", "stream"}, function(self, dst,
  nbytes, name)
  copy_to(self, dst, nbytes, name, true)
end)

--- memset in stream order. Follows MemoryPointer.memset_async.
---@param value integer 0 to 255
---@param nbytes integer|nil default: all
---@param stream cuna.Stream|nil default: the current one
---@usage cn.cuda.alloc(8):memset_async(0) -->
methods.memset_async = with_stream("memset_async", {"value", "nbytes", "stream"}, function(self, value, nbytes, name)
  M.fill({reach(self, name)}, value, nbytes, name)
end)

-- ---- existing memory ----

--- A pointer into other memory: of a pointer, or of a contiguous array. Follows cupy.cuda.MemoryPointer.
---@param mem cuna.MemoryPointer|cuna.Array
---@param offset integer|nil bytes, default 0
---@return cuna.MemoryPointer
---@usage cn.cuda.MemoryPointer(cn.zeros(4), 8).nbytes --> 24
function F.MemoryPointer(mem, offset)
  args.check_dot("cuda.MemoryPointer", mem)
  if core.is_array(mem) then
    local span = span_of_array(mem, "cuda.MemoryPointer", "mem")
    mem = M.pointer(core.view(mem, {span[3]}, {1}, 0, "uint8"))
  elseif not M.is_pointer(mem) then
    fail("cuda.MemoryPointer: expected device memory or an array, got %s", check.show(mem))
  end
  return move(mem, offset or 0, "cuda.MemoryPointer")
end

--- An address as a number: of a number, a 64-bit integer or an FFI pointer.
local function read_address(ptr, name)
  if type(ptr) == "cdata" then
    local is_integer = core.number_kind(ptr) == "int" or core.number_kind(ptr) == "uint"
    local ok, pointer = pcall(ffi.cast, is_integer and "uintptr_t" or "const void *", ptr)
    if ok then return tonumber(ffi.cast("uintptr_t", pointer)) end
  end
  return check.count(ptr, name, "ptr")
end

local read_unowned = args.reader("cuda.UnownedMemory", {"ptr", "nbytes", "owner", "device"}, 1)

--- Device memory allocated elsewhere, by its address. `owner` is kept alive as long as cuna uses the memory. The
--- address is not checked. Follows cupy.cuda.UnownedMemory.
---@param ptr integer|ffi.cdata* an address or an FFI pointer
---@param nbytes integer
---@param owner any nil if the memory needs no owner
---@param device cuna.Device|string|nil default: the current one
---@return cuna.MemoryPointer
---@usage cn.cuda.UnownedMemory(cn.zeros(2, {device = "cpu"}):pointer(), 16, nil, "cpu").nbytes --> 16
function F.UnownedMemory(...)
  args.check_dot("cuda.UnownedMemory", (...))
  local name = "cuda.UnownedMemory"
  local ptr, nbytes, owner, device = read_unowned(...)
  local address = read_address(ptr, name)
  nbytes = check.count(nbytes, name, "nbytes")
  if address == 0 and nbytes > 0 then fail("%s: ptr is 0", name) end
  device = device and core.device(device, name) or core.current_device()
  return M.pointer(core.adopt(device, address, nbytes, owner == nil and ptr or owner))
end

--- Free and total memory of a device in bytes, as in mem_info. Follows cudaMemGetInfo.
---@param device cuna.Device|integer|string|nil default: the current one
---@return integer free
---@return integer total
---@usage select("#", cn.cuda.memory_info()) --> 2
function F.memory_info(device)
  args.check_dot("cuda.memory_info", device)
  if type(device) == "number" then device = ("cuda:%d"):format(check.count(device, "cuda.memory_info", "device")) end
  local info = core.device_info(device and core.device(device, "cuda.memory_info") or core.current_device(),
    "mem_info")
  return info.free, info.total
end

return M
