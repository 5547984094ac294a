--- event.lua: events as objects: marks in streams, and the time between two of them.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local suggest = require "cuna.base.suggest"

local M = {functions = {}}
local F = M.functions -- of cn.cuda

local fail = check.fail
local metatable, methods = core.event_metatable(), {}

--- An event: a mark in a stream, which other streams and the script can wait for. Follows cupy.cuda.Event.
---@class cuna.Event
---@field done boolean whether the work before the mark is done; true before the first record
---@field ptr number the driver's handle, 0 before the first record
---@field device cuna.Device|nil the device of its first record

local function is_event(value) return type(value) == "userdata" and getmetatable(value) == metatable end
M.is_event = is_event

local function check_self(event, name)
  if is_event(event) then return end
  fail("%s: an event's function is called with a colon: event:%s()", name, name)
end

local read_record = args.reader("record", {"event", "stream"})

--- Marks the current end of a stream and replaces an earlier mark. The event belongs to the device of its first record.
---@param stream cuna.Stream|nil default: the current stream of the current device
---@return cuna.Event event itself
---@usage cn.cuda.Event():record().device == cn.device() --> true
function methods.record(...)
  local event, stream = read_record(...)
  check_self(event, "record")
  if stream == nil then stream = core.current_stream(core.current_device()) end
  core.event_record(event, stream)
  return event
end

--- Waits until the work before the mark is done.
---@usage cn.cuda.Event():record():synchronize() -->
function methods.synchronize(event)
  check_self(event, "synchronize")
  core.event_synchronize(event)
  core.poll()
end

--- Frees the event now. A second call has no effect; any other use is an error.
---@usage cn.cuda.Event():free() -->
function methods.free(event)
  check_self(event, "free")
  core.event_free(event)
end

local FIELDS = {done = true, ptr = true, device = true}
local HINTS = {elapsed_time = "cn.cuda.get_elapsed_time(a, b)", query = "done", wait = "stream:wait_event(event)"}

function metatable.__index(event, name)
  if methods[name] then return methods[name] end
  local known, value = core.event_info(event, name)
  if known then return value end
  local near = HINTS[name] or suggest.find(tostring(name), FIELDS, methods)
  fail("an event has no field '%s'; there are device, done, free, ptr, record, synchronize%s", tostring(name),
    suggest.phrase(near))
end

function metatable.__newindex(_, name) fail("an event's field '%s' cannot be assigned", tostring(name)) end

local KNOWN = {blocking = true, disable_timing = true, interprocess = true}

--- A new event. Follows cupy.cuda.Event.
---@param options table|nil {blocking = true: waiting for it sleeps instead of spinning, disable_timing = true: records
--- no time and costs less, interprocess = true: with disable_timing, other processes may get a handle of it}
---@return cuna.Event
---@usage cn.cuda.Event(), cn.cuda.Event{disable_timing = true}.done --> <event not recorded>, true
function F.Event(...)
  local name = "cuda.Event"
  args.check_dot(name, (...))
  local options = args.options(name, KNOWN, "{disable_timing = true}", ...)
  local blocking = check.boolean(options.blocking, false, name, "blocking")
  local disable_timing = check.boolean(options.disable_timing, false, name, "disable_timing")
  local interprocess = check.boolean(options.interprocess, false, name, "interprocess")
  if interprocess and not disable_timing then
    fail("%s: an interprocess event cannot record times; pass disable_timing = true too", name)
  end
  return core.event_create(blocking, disable_timing, interprocess)
end

--- The time between two marks in milliseconds; both must be complete. Follows cupy.cuda.get_elapsed_time.
---@param start_event cuna.Event
---@param end_event cuna.Event
---@return number
---@usage (function(e) e:synchronize() return cn.cuda.get_elapsed_time(e, e) end)(cn.cuda.Event():record()) --> 0
function F.get_elapsed_time(start_event, end_event)
  args.check_dot("cuda.get_elapsed_time", start_event)
  return core.event_elapsed(start_event, end_event)
end

return M
