--- stream.lua: streams as objects, the current stream, and launches on a stream.
--
-- A stream belongs to one device, and each device has a current stream: at the start the default stream. Lua functions
-- that a stream calls are queued in C (bindings/waiting.c) and run when the script waits.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local devices = require "cuna.device"
local ffi = require "ffi"
local suggest = require "cuna.base.suggest"
local with = require "cuna.base.with"

local M = {functions = {}, methods = {}}
local F = M.functions -- of cn.cuda

local fail = check.fail
local metatable, methods = core.stream_metatable(), M.methods

--- A stream: a queue of work for one device. Work in different streams may overlap. Equal streams are ==. Follows
--- cupy.cuda.Stream.
---@class cuna.Stream
---@field device cuna.Device
---@field device_id integer CUDA's number of the device
---@field done boolean whether all of its work is done
---@field is_capturing boolean between begin_capture and end_capture
---@field is_non_blocking boolean
---@field null boolean whether it is the default stream
---@field priority integer
---@field ptr number the driver's handle

local function is_stream(value) return type(value) == "userdata" and getmetatable(value) == metatable end
M.is_stream = is_stream

local function check_self(stream, name)
  if is_stream(stream) then return end
  fail("%s: a stream's function is called with a colon: stream:%s()", name, name)
end

M.check_self = check_self

-- While a function is recorded (graph.lua): the streams that take part, by their handles, as keys.
M.recorded = nil

--- Rejects a stream whose work would run while a function is recorded, but not in replays.
local function check_recorded(stream, name)
  if M.recorded and not M.recorded[core.stream_info(stream, "ptr")] then
    fail("%s: the graph does not record this stream; make it wait for an event of the recorded stream, and that "
      .. "stream wait for a later event of it", name)
  end
end

--- A device given as an object, a name or CUDA's number; the current one by default.
local function device_of(device, name)
  if device == nil then return core.current_device() end
  if type(device) == "number" then return core.device(("cuda:%d"):format(check.count(device, name, "device"))) end
  if type(device) ~= "string" and type(device) ~= "userdata" then
    fail("%s: device is a device, its name or its number, got %s", name, check.show(device))
  end
  return core.device(device, name)
end

-- ---- the current stream ----

--- Makes the stream current on its device: the script's work there goes to it. The current device does not change.
---@return cuna.Stream stream itself
---@usage cn.cuda.Stream.null:use() == cn.cuda.get_current_stream() --> true
function methods.use(stream)
  check_self(stream, "use")
  check_recorded(stream, "use")
  core.use_stream(stream, "use")
  return stream
end

--- Runs fn(...) with the stream current on its device, and restores the previous stream afterwards, after an error or a
--- yield too.
---@param fn function
---@param ... any its arguments
---@return any ... fn's results
---@usage cn.cuda.Stream():with(function(x) return x + 1 end, cn.zeros(2)) --> [1. 1.]
function methods.with(stream, fn, ...)
  check_self(stream, "with")
  check.callable(fn, "with")
  check_recorded(stream, "with")
  local before
  local function enter() before = core.use_stream(stream, "with") end
  local function leave() core.restore_stream(before) end
  return with.run(enter, leave, fn, ...)
end

--- The stream that is current on a device. Follows cupy.cuda.get_current_stream.
---@param device cuna.Device|integer|string|nil default: the current device
---@return cuna.Stream
---@usage cn.cuda.get_current_stream().null --> true
function F.get_current_stream(device)
  args.check_dot("cuda.get_current_stream", device)
  return core.current_stream(device_of(device, "cuda.get_current_stream"))
end

-- ---- waiting ----

--- Waits until the stream has done all of its work.
---@usage cn.cuda.Stream():synchronize() -->
function methods.synchronize(stream)
  check_self(stream, "synchronize")
  core.stream_synchronize(stream)
  for _, look in ipairs(devices.watchers) do look(stream.device, stream) end
end

--- Records the current end of the stream in an event.
---@param event cuna.Event|nil default: a new one
---@return cuna.Event event
---@usage cn.cuda.Stream.null:record():synchronize() -->
function methods.record(stream, event)
  check_self(stream, "record")
  if event == nil then event = core.event_create() end
  core.event_record(event, stream)
  return event
end

--- Makes later work in the stream wait for an event: for its last mark, in any stream of any device. The script does
--- not wait. An event that was never recorded has no effect.
---@param event cuna.Event
---@usage cn.cuda.Stream():wait_event(cn.cuda.Stream.null:record()) -->
function methods.wait_event(stream, event)
  check_self(stream, "wait_event")
  core.stream_wait_event(stream, event)
  if M.recorded then M.recorded[core.stream_info(stream, "ptr")] = true end
end

-- ---- functions that streams call ----

--- Gives a function to a stream. While cn.graph rehearses a function, nothing is called: replays will.
local function call(stream, name, fn)
  check_recorded(stream, name)
  if not M.recorded or core.stream_info(stream, "is_capturing") then core.stream_call(stream, name, fn) end
end

--- Calls fn(stream, error_code, arg) after the work in the stream so far; the code is 0. fn runs in the script itself,
--- when it next waits for a device (synchronize, done, item, totable, cn.clock) or calls cn.poll(). That call raises
--- the errors of fn. While the stream captures, fn becomes part of the graph: every launch calls it once. Follows
--- cupy.cuda.Stream.add_callback.
---@param fn function
---@param arg any
---@usage cn.cuda.Stream.null:add_callback(function(stream, code, arg) end, "an argument") -->
function methods.add_callback(stream, fn, arg)
  check_self(stream, "add_callback")
  check.callable(fn, "add_callback")
  call(stream, "add_callback", function() fn(stream, 0, arg) end)
end

--- Calls fn(arg) after the work in the stream so far, like add_callback. Follows cupy.cuda.Stream.launch_host_func.
---@param fn function
---@param arg any
---@usage cn.cuda.Stream.null:launch_host_func(function(arg) end, "an argument") -->
function methods.launch_host_func(stream, fn, arg)
  check_self(stream, "launch_host_func")
  check.callable(fn, "launch_host_func")
  call(stream, "launch_host_func", function() fn(arg) end)
end

--- Frees the stream now; its work is still done. If it is current, the default stream becomes current. A second call
--- has no effect; any other use is an error.
---@usage cn.cuda.Stream():free() -->
function methods.free(stream)
  check_self(stream, "free")
  core.stream_free(stream)
end

-- ---- fields ----

local HINTS = {query = "done", wait = "wait_event", wait_stream = "wait_event", record_event = "record"} -- PyTorch's

local fields = {}
for _, name in ipairs(core.stream_fields()) do fields[name] = true end

local function sorted(...)
  local names = {}
  for _, set in ipairs {...} do
    for name in pairs(set) do names[#names + 1] = name end
  end
  table.sort(names)
  return table.concat(names, ", ")
end

function metatable.__index(stream, name)
  if methods[name] then return methods[name] end
  local value = core.stream_info(stream, name)
  if value ~= nil then return value end
  local near = HINTS[name] or suggest.find(tostring(name), fields, methods)
  fail("a stream has no field '%s'; there are %s%s", tostring(name), sorted(fields, methods),
    suggest.phrase(near))
end

function metatable.__newindex(_, name) fail("a stream's field '%s' cannot be assigned", tostring(name)) end

function metatable.__call(stream)
  fail("a stream is not a function: write stream:use() or stream:with(fn); it is %s", tostring(stream))
end

-- ---- constructors ----

local KNOWN = {device = true, non_blocking = true, priority = true}
local MOST_PRIORITY = 2 ^ 31 - 1 -- a C int's

--- A new stream. It and the default stream of its device wait for each other's earlier work, unless it is non-blocking.
--- Smaller numbers are higher priorities: 0 is the lowest, and a number outside the device's range becomes the nearest
--- one inside. On the cpu device work is done when its call returns, in any stream. A device has at most 63 streams at
--- a time; unreferenced ones are freed. To read an array in another stream than the one that makes it (item, get and
--- printing read in the current one), first wait for a non-blocking stream: stream:synchronize() or wait_event. Follows
--- cupy.cuda.Stream.
---@field null cuna.Stream the default stream of the current device: cn.cuda.Stream.null
---@field ptds cuna.Stream CUDA's per-thread default stream: a blocking stream of this Lua state on the current device,
--- made on first use and kept. Lua states of other threads have different ones
---@param options table|nil {non_blocking = boolean, priority = integer, device = cuna.Device|string|integer}
---@return cuna.Stream
---@usage cn.cuda.Stream{non_blocking = true}.is_non_blocking, cn.cuda.Stream().null --> true, false
---@usage cn.cuda.Stream.null.null, cn.cuda.Stream.ptds == cn.cuda.Stream.ptds --> true, true
---@usage cn.cuda.Stream{device = "cpu"}.device.name --> cpu
function F.Stream(...)
  args.check_dot("cuda.Stream", (...))
  local name = "cuda.Stream"
  local options = args.options(name, KNOWN, "{non_blocking = true}", ...)
  local priority = options.priority
  if priority == nil then priority = 0 end
  priority = math.max(-MOST_PRIORITY, math.min(check.integer(priority, name, "priority"), MOST_PRIORITY))
  return core.stream_create(device_of(options.device, name), check.boolean(options.non_blocking, false, name,
    "non_blocking"), priority)
end

--- A handle as a number, from a number or a cdata.
local function handle_of(ptr)
  local name = "cuda.ExternalStream"
  if type(ptr) == "number" then return check.count(ptr, name, "ptr") end
  local known, address = pcall(ffi.cast, "uintptr_t", ptr)
  if type(ptr) ~= "cdata" or not known then
    fail("%s: ptr is a number or a pointer, got %s", name, check.show(ptr))
  end
  return tonumber(address)
end

--- A stream made by another library, by its handle. The other library destroys it, after cuna has stopped using it.
--- cuna treats it as non-blocking, since it cannot know how it was made. Follows cupy.cuda.ExternalStream.
---@param ptr number|ffi.cdata* the handle, a cudaStream_t; 0 and 1 are the default stream
---@param device cuna.Device|integer|string|nil its device; default: the current device
---@return cuna.Stream
---@usage cn.cuda.ExternalStream(0).null --> true
function F.ExternalStream(ptr, device)
  args.check_dot("cuda.ExternalStream", ptr)
  local handle, where = handle_of(ptr), device_of(device, "cuda.ExternalStream")
  if handle <= 1 then return core.default_stream(where) end
  if handle == 2 then fail "cuda.ExternalStream: 2 is CUDA's per-thread default stream; use cn.cuda.Stream.ptds" end
  if not core.is_asynchronous(where) then
    fail("cuda.ExternalStream: the %s device does not support external streams", where.name)
  end
  return core.stream_adopt(where, handle)
end

-- Stored so that the module finds them when it is loaded a second time.
metatable.private_streams = metatable.private_streams or {}

local CLASS_FIELDS = {}

function CLASS_FIELDS.null() return core.default_stream(core.current_device()) end

function CLASS_FIELDS.ptds()
  local device = core.current_device()
  local stream = metatable.private_streams[device]
  if not stream or not pcall(core.stream_info, stream, "ptr") then -- or it was freed
    stream = core.stream_create(device, false, 0)
    metatable.private_streams[device] = stream
  end
  return stream
end

local create = F.Stream

F.Stream = setmetatable({}, {
  __call = function(_, ...) return create(...) end,
  __index = function(_, name)
    if CLASS_FIELDS[name] then return CLASS_FIELDS[name]() end
    fail("cuda.Stream has no field '%s'; there are null, ptds%s", tostring(name),
      suggest.hint(name, CLASS_FIELDS))
  end,
  __newindex = function(_, name) fail("cuda.Stream's field '%s' cannot be assigned", tostring(name)) end,
  __tostring = function() return "<cuda.Stream>" end,
})

-- ---- launches on a stream ----

local function restore(before, ok, ...)
  core.restore_stream(before)
  if not ok then error((...), 0) end
  return ...
end

--- Calls fn(...), which works on `device` for the function `name`, with the user's option `stream` current there.
---@param stream any
---@param device cuna.Device
---@param name string
---@param fn function
---@param ... any
---@return any ... fn's results
function M.run(stream, device, name, fn, ...)
  if not is_stream(stream) then
    fail("%s: stream is a stream, such as cn.cuda.Stream(), got %s", name, check.show(stream))
  end
  check_recorded(stream, name)
  local before = core.use_stream(stream, name)
  if before.device ~= device then
    core.restore_stream(before)
    fail("%s: the stream is of %s, and the work is on %s", name, before.device.name, device.name)
  end
  return restore(before, pcall(fn, ...))
end

return M
