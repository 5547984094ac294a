--- dlpack.lua: memory shared with other libraries of the process by DLPack: to_dlpack and from_dlpack.
--
-- A tensor is handed over once. Until then a capsule owns it and releases it when it is collected. Streams are ordered
-- by the protocol of Python's array API: the producer makes the consumer's stream wait for its own stream.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local ffi = require "ffi"
local streams = require "cuna.device.stream"

local M = {functions = {}, methods = {}}
local F, methods = M.functions, M.methods

local fail = check.fail
local PER_THREAD = 2 -- CUDA's number of the default stream of a thread, which is not known here

-- Names only: scripts may declare the structs of array/dlpack.h itself.
ffi.cdef "struct DLManagedTensor; struct DLManagedTensorVersioned;"

-- ---- capsules ----

--- A tensor to be passed to another library, made by x:to_dlpack().
---@class cuna.DLPack
local capsule = {}

local function as_pointer(address, versioned)
  return ffi.cast(versioned and "struct DLManagedTensorVersioned *" or "struct DLManagedTensor *",
    ffi.cast("uintptr_t", address))
end

local function check_capsule(self, name)
  local _, versioned = core.dlpack_peek(self)
  if versioned == nil then fail("%s: a capsule's function is called with a colon: capsule:%s()", name, name) end
end

--- The tensor's pointer, for inspection; the capsule keeps the ownership.
---@return ffi.cdata* a DLManagedTensor *, or a DLManagedTensorVersioned *
---@usage cn.ones(2):to_dlpack():pointer() ~= nil --> true
function capsule.pointer(self)
  check_capsule(self, "pointer")
  local address, versioned = core.dlpack_peek(self)
  if not address then fail "pointer: the DLPack capsule was taken already; export the array once more" end
  return as_pointer(address, versioned)
end

--- The tensor's pointer, with its ownership: the caller, such as a C function that consumes it, must call its deleter
--- once.
---@return ffi.cdata* a DLManagedTensor *, or a DLManagedTensorVersioned *
---@usage cn.from_dlpack(cn.ones(2):to_dlpack():take()) --> [1. 1.]
function capsule.take(self)
  check_capsule(self, "take")
  return as_pointer(core.dlpack_take(self, "take"))
end

local metatable = core.dlpack_metatable()
metatable.__index = capsule

function metatable.__tostring(self)
  local address, versioned = core.dlpack_peek(self)
  return ("DLPack capsule (%s%s)"):format(versioned and "versioned" or "unversioned", address and "" or ", taken")
end

-- ---- out ----

--- Makes a stream that the consumer names wait for the work of the current one; returns it as an object, or nil.
local function order(x, stream)
  local device = x.device
  local own = core.current_stream(device)
  if stream == PER_THREAD then
    core.check_waiting "to_dlpack"
    core.stream_synchronize(own)
    return nil
  end
  if stream == 0 then fail "to_dlpack: stream 0 may be either default stream of CUDA's; 1 is that of all threads" end
  if stream == nil then stream = core.default_stream(device) end
  if type(stream) ~= "userdata" then stream = streams.functions.ExternalStream(stream, device) end
  if not streams.is_stream(stream) then
    fail("to_dlpack: stream is a stream or its number, got %s", check.show(stream))
  end
  if stream.device ~= device then
    fail("to_dlpack: the array is on %s, and the stream on %s", device.name, stream.device.name)
  end
  if stream ~= own then stream:wait_event(own:record()) end
  core.claim(x, stream, "to_dlpack")
  return stream
end

local function major_of(version)
  local major = version
  if type(version) == "table" then major = version[1] end
  if version ~= nil and type(major) ~= "number" then
    fail("to_dlpack: max_version is a version such as {1, 0}, got %s", check.show(version))
  end
  return major or 0
end

local read_to_dlpack = args.reader("to_dlpack", {"x", "stream", "max_version", "copy"})

--- The array as a tensor that shares its memory with another library: a capsule, for cn.from_dlpack or, as
--- capsule:take(), a DLManagedTensor *, for a C function. With max_version = {1, 0} it is a DLManagedTensorVersioned *,
--- the only form that can mark an array as read-only. Later work on the consumer's stream waits for the work so far on
--- the current stream of x's device. The memory is reused only after the work on the consumer's stream up to the call
--- of the tensor's deleter; the stream must exist until then. The tensor keeps the memory alive, even after x:free().
--- Other libraries cannot keep the owner of cn.frombuffer's memory alive, so an array made with copy = false is an
--- error without copy = true. Follows __dlpack__ of Python's array API.
---@param x cuna.Array
---@param stream cuna.Stream|number|nil the consumer's, as an object or a handle; nil or 1: the default stream; 2: the
--- per-thread default stream, for which the script waits; -1: no ordering
---@param max_version integer[]|nil the newest version that the consumer supports
---@param copy boolean|nil true: the tensor of a copy; otherwise the memory is shared
---@return cuna.DLPack
---@usage cn.from_dlpack(cn.arange(3):to_dlpack()) --> [0 1 2]
---@usage tostring(cn.arange(3):to_dlpack{max_version = {1, 0}}) --> DLPack capsule (versioned)
function methods.to_dlpack(...)
  local x, stream, max_version, copy = read_to_dlpack(...)
  core.check_alive(check.self(x, "to_dlpack"), "to_dlpack")
  local versioned = major_of(max_version) >= 1
  if check.boolean(copy, false, "to_dlpack", "copy") then x = core.cast(x, nil, "to_dlpack") end
  local consumer = nil
  if stream ~= -1 then consumer = order(x, stream) end
  return core.dlpack_export(x, versioned, copy, consumer)
end

-- ---- in ----

--- The address of the tensor of a pointer, and whether it is versioned.
local function read_pointer(source, versioned)
  local text = tostring(ffi.typeof(source)):match "^ctype<(.*)>$"
  if not text:find "%*$" then fail("from_dlpack: expected a pointer to a DLManagedTensor, got %s", text) end
  local name = text:match "DLManagedTensor%a*"
  if versioned == nil and not name then
    fail("from_dlpack: a %s does not say what it points to; pass {versioned = true} for a DLManagedTensorVersioned, "
      .. "{versioned = false} for a DLManagedTensor", text)
  end
  local address = tonumber(ffi.cast("uintptr_t", ffi.cast("const void *", source)))
  if address == 0 then fail "from_dlpack: the pointer is NULL" end
  if versioned == nil then versioned = name == "DLManagedTensorVersioned" end
  return address, versioned
end

local function import(source, versioned)
  if type(source) == "cdata" then return core.dlpack_import(read_pointer(source, versioned)) end
  return core.dlpack_import(source)
end

--- Producers order their export for the default stream.
local function import_from(producer)
  local made = producer:to_dlpack {max_version = {1, 0}}
  local x = import(made)
  local own, default = core.current_stream(x.device), core.default_stream(x.device)
  if own ~= default then own:wait_event(default:record()) end
  return x
end

local function is_capsule(value) return select("#", core.dlpack_peek(value)) > 0 end

local read_from_dlpack = args.reader("from_dlpack", {"source", "copy", "versioned"})

--- An array over the memory of another library's tensor, without a copy. It consumes a capsule or pointer. The deleter
--- is called after the last array over the memory has been freed and the device has done the work queued until then;
--- the script checks this when it waits for anything, imports or frees a tensor. After an error the tensor is not
--- consumed. Elements must be ready on the current stream. A read-only tensor makes a read-only array. Follows
--- numpy.from_dlpack.
---@param source cuna.DLPack|ffi.cdata*|cuna.Array|table a capsule, a DLManagedTensor *, a DLManagedTensorVersioned *,
--- an array, or an object with a function to_dlpack that returns one of them
---@param copy boolean|nil true: makes a copy and releases the tensor
---@param versioned boolean|nil for a void *: whether it is a DLManagedTensorVersioned *
---@return cuna.Array
---@usage cn.from_dlpack(cn.ones(2)) --> [1. 1.]
function F.from_dlpack(...)
  local source, copy, versioned = read_from_dlpack(...)
  copy = check.boolean(copy, false, "from_dlpack", "copy")
  check.boolean(versioned, nil, "from_dlpack", "versioned")
  local x
  if type(source) == "cdata" or is_capsule(source) then
    x = import(source, versioned)
  elseif core.is_array(source) or (type(source) == "table" and type(source.to_dlpack) == "function") then
    x = import_from(source)
  else
    fail("from_dlpack: expected a DLPack capsule, a DLManagedTensor * or an array, got %s", check.show(source))
  end
  if not copy then return x end
  local copied = core.cast(x, nil, "from_dlpack")
  core.free(x)
  return copied
end

return M
