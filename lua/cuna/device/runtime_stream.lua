--- runtime_stream.lua: cn.cuda.runtime's functions of streams and events.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local events = require "cuna.device.event"
local runtime = require "cuna.device.runtime"
local streams = require "cuna.device.stream"

local M = {functions = {}}
local F = M.functions -- of cn.cuda.runtime

local cn = args.namespace
local fail = check.fail

--- A stream; 0 is the default one.
local function stream_of(stream, name)
  if stream == 0 then return core.default_stream(core.current_device()) end
  if streams.is_stream(stream) then return stream end
  fail("cuda.runtime.%s: stream is a stream, not its ptr, or 0 for the default one; got %s", name, check.show(stream))
end

local function event_of(event, name, what)
  if events.is_event(event) then return event end
  fail("cuda.runtime.%s: %s is an event, not its ptr; got %s", name, what or "event", check.show(event))
end

--- A sum of powers of two up to `most`.
local function flags_of(flags, most, name)
  flags = check.count(flags, "cuda.runtime." .. name, "flags")
  if flags >= 2 * most then fail("cuda.runtime.%s: flags are at most %d, got %d", name, 2 * most - 1, flags) end
  return flags
end

local function has(flags, flag) return bit.band(flags, flag) ~= 0 end

-- ---- streams ----

--- A new stream, as cn.cuda.Stream(). Follows cupy.cuda.runtime.streamCreate.
---@return cuna.Stream
---@usage cn.cuda.runtime.streamCreate().is_non_blocking --> false
function F.streamCreate() return cn.cuda.Stream() end

--- A new stream by CUDA's flags. Follows cupy.cuda.runtime.streamCreateWithFlags.
---@param flags integer cn.cuda.runtime.streamDefault or streamNonBlocking
---@return cuna.Stream
---@usage cn.cuda.runtime.streamCreateWithFlags(cn.cuda.runtime.streamNonBlocking).is_non_blocking --> true
function F.streamCreateWithFlags(flags)
  flags = flags_of(flags, runtime.streamNonBlocking, "streamCreateWithFlags")
  return cn.cuda.Stream {non_blocking = has(flags, runtime.streamNonBlocking)}
end

--- A new stream with a priority: smaller numbers are higher priorities. Follows
--- cupy.cuda.runtime.streamCreateWithPriority.
---@param flags integer
---@param priority integer
---@return cuna.Stream
---@usage cn.cuda.runtime.streamCreateWithPriority(0, 0).priority --> 0
function F.streamCreateWithPriority(flags, priority)
  flags = flags_of(flags, runtime.streamNonBlocking, "streamCreateWithPriority")
  return cn.cuda.Stream {non_blocking = has(flags, runtime.streamNonBlocking), priority = priority}
end

--- Frees a stream, as stream:free(). Follows cupy.cuda.runtime.streamDestroy.
---@param stream cuna.Stream
---@usage cn.cuda.runtime.streamDestroy(cn.cuda.runtime.streamCreate()) -->
function F.streamDestroy(stream) stream_of(stream, "streamDestroy"):free() end

--- Waits until a stream has done all of its work, as stream:synchronize(). Follows cupy.cuda.runtime.streamSynchronize.
---@param stream cuna.Stream|integer 0 is the default one
---@usage cn.cuda.runtime.streamSynchronize(0) -->
function F.streamSynchronize(stream) stream_of(stream, "streamSynchronize"):synchronize() end

--- Whether a stream has work, without waiting; stream.done is a boolean. Follows cupy.cuda.runtime.streamQuery.
---@param stream cuna.Stream|integer 0 is the default one
---@return integer status cn.cuda.runtime.cudaSuccess (0), or cudaErrorNotReady (600) while there is work
---@usage (function(s) s:synchronize() return cn.cuda.runtime.streamQuery(s) end)(cn.cuda.Stream()) --> 0
function F.streamQuery(stream)
  return stream_of(stream, "streamQuery").done and runtime.cudaSuccess or runtime.cudaErrorNotReady
end

--- Makes later work in a stream wait for an event, as stream:wait_event(event). Follows
--- cupy.cuda.runtime.streamWaitEvent.
---@param stream cuna.Stream|integer 0 is the default one
---@param event cuna.Event
---@usage cn.cuda.runtime.streamWaitEvent(0, cn.cuda.Event()) -->
function F.streamWaitEvent(stream, event)
  stream_of(stream, "streamWaitEvent"):wait_event(event_of(event, "streamWaitEvent"))
end

-- ---- events ----

--- A new event, as cn.cuda.Event(). Follows cupy.cuda.runtime.eventCreate.
---@return cuna.Event
---@usage cn.cuda.runtime.eventCreate().done --> true
function F.eventCreate() return cn.cuda.Event() end

--- A new event by CUDA's flags. Follows cupy.cuda.runtime.eventCreateWithFlags.
---@param flags integer a sum of cn.cuda.runtime.eventBlockingSync, eventDisableTiming and eventInterprocess
---@return cuna.Event
---@usage cn.cuda.runtime.eventCreateWithFlags(cn.cuda.runtime.eventDisableTiming).done --> true
function F.eventCreateWithFlags(flags)
  flags = flags_of(flags, runtime.eventInterprocess, "eventCreateWithFlags")
  return cn.cuda.Event {blocking = has(flags, runtime.eventBlockingSync),
    disable_timing = has(flags, runtime.eventDisableTiming), interprocess = has(flags, runtime.eventInterprocess)}
end

--- Frees an event, as event:free(). Follows cupy.cuda.runtime.eventDestroy.
---@param event cuna.Event
---@usage cn.cuda.runtime.eventDestroy(cn.cuda.runtime.eventCreate()) -->
function F.eventDestroy(event) event_of(event, "eventDestroy"):free() end

--- Marks the current end of a stream, as event:record(stream). Follows cupy.cuda.runtime.eventRecord.
---@param event cuna.Event
---@param stream cuna.Stream|integer 0 is the default one
---@usage cn.cuda.runtime.eventRecord(cn.cuda.Event(), 0) -->
function F.eventRecord(event, stream) event_of(event, "eventRecord"):record(stream_of(stream, "eventRecord")) end

--- Waits until the work before an event is done, as event:synchronize(). Follows cupy.cuda.runtime.eventSynchronize.
---@param event cuna.Event
---@usage cn.cuda.runtime.eventSynchronize(cn.cuda.Event():record()) -->
function F.eventSynchronize(event) event_of(event, "eventSynchronize"):synchronize() end

--- Whether the work before an event is done, without waiting; event.done is a boolean. Follows
--- cupy.cuda.runtime.eventQuery.
---@param event cuna.Event
---@return integer status cn.cuda.runtime.cudaSuccess (0), or cudaErrorNotReady (600) while there is work
---@usage cn.cuda.runtime.eventQuery(cn.cuda.Event()) --> 0
function F.eventQuery(event)
  return event_of(event, "eventQuery").done and runtime.cudaSuccess or runtime.cudaErrorNotReady
end

--- The time between two events in milliseconds, as cn.cuda.get_elapsed_time; both must be complete. Follows
--- cupy.cuda.runtime.eventElapsedTime.
---@param start_event cuna.Event
---@param end_event cuna.Event
---@return number
---@usage (function(e) e:synchronize() return cn.cuda.runtime.eventElapsedTime(e, e)end)(cn.cuda.Event():record()) --> 0
function F.eventElapsedTime(start_event, end_event)
  local name = "eventElapsedTime"
  return core.event_elapsed(event_of(start_event, name, "start_event"), event_of(end_event, name, "end_event"))
end

args.bound(F, {streamCreate = "", streamCreateWithFlags = "flags", streamCreateWithPriority = "flags priority",
  streamDestroy = "stream", streamSynchronize = "stream", streamQuery = "stream", streamWaitEvent = "stream event",
  eventCreate = "", eventCreateWithFlags = "flags", eventDestroy = "event", eventRecord = "event stream",
  eventSynchronize = "event", eventQuery = "event", eventElapsedTime = "start_event end_event"}, "cuda.runtime.")

return M
