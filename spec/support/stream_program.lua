--- Random programs over streams that are ordered as users must order them, run beside a model that does all at once.
--
-- An array knows the work that wrote it last and the work that read it since, as a stream and a number. A stream knows
-- how far it is behind each other one: by events, by what the host waited for, and by the default stream's rule. Where
-- work is not known to be behind what it needs, the program records an event and waits for it. Nothing else is ordered
-- here: memory that changes hands, temporaries, workspaces and copies beside the host are cuna's business. Values are
-- whole numbers below MOD, so that both sides are exact.
--
-- A step is a name and numbers that choose among what there is when it runs: any list of steps is a program.
local cn = require "cuna"
local core = require "cuna.core"
local ops = require "spec.support.stream_steps"

local M = {}

local MOST_STREAMS = 4

-- ---- numbers that look random ----

--- A generator of its own, so that programs do not depend on each other.
local function generator(seed)
  local state = seed % 2147483646 + 1
  return function(n)
    state = (state * 16807) % 2147483647
    return state % n + 1
  end
end

local NAMES = {}
for name, weight in pairs(ops.weights) do
  for _ = 1, weight do NAMES[#NAMES + 1] = name end
end
table.sort(NAMES)

--- A program of 5 to 60 steps; the first settles where memory comes from.
function M.generate(seed)
  local draw = generator(seed * 7919 + 12345)
  for _ = 1, 5 do draw(2) end
  local steps = {{name = "begin", draw(1e6), draw(1e6), draw(1e6)}}
  for _ = 1, 4 + draw(56) do
    steps[#steps + 1] = {name = NAMES[draw(#NAMES)], draw(1e6), draw(1e6), draw(1e6), draw(1e6), draw(1e6)}
  end
  return steps
end

-- ---- who is behind whom ----

local function merge(to, from)
  for id, number in pairs(from) do
    if (to[id] or 0) < number then to[id] = number end
  end
end

local function copy_of(clock)
  local copy = {}
  merge(copy, clock)
  return copy
end

--- What holds for work that the stream is given now: it is behind all that the host waited for, and, by the default
--- stream's rule, behind others.
local function catch_up(p, stream)
  merge(stream.clock, p.host)
  if not stream.blocking then return end
  for _, other in ipairs(p.by_id) do
    if other.device == stream.device and other.blocking and (stream.null or other.null) then
      merge(stream.clock, other.clock)
    end
  end
end

--- A mark in a stream: an event, and what it is behind.
local function mark(stream)
  return {event = stream.object:record(cn.cuda.Event {disable_timing = true}), clock = copy_of(stream.clock)}
end

local function wait(stream, marked)
  stream.object:wait_event(marked.event)
  merge(stream.clock, marked.clock)
end

--- Lets the host wait for all that a stream was given.
local function synchronize(p, stream)
  stream.object:synchronize()
  merge(p.host, stream.clock)
end

local function put_behind(p, stream, id, number)
  if (stream.clock[id] or 0) >= number then return end
  local other = p.by_id[id]
  if other.last then
    wait(stream, other.last)
  elseif p.draw(6) == 1 then
    synchronize(p, other)
    merge(stream.clock, p.host)
  else
    wait(stream, mark(other))
  end
end

--- Puts the work that comes next on a stream behind what it needs, and notes what it does.
local function order(p, stream, reads, writes)
  catch_up(p, stream)
  for _, list in ipairs {reads, writes} do
    for _, array in ipairs(list) do put_behind(p, stream, array.writer, array.written) end
  end
  for _, array in ipairs(writes) do
    for id, number in pairs(array.readers) do put_behind(p, stream, id, number) end
  end
  local number = (stream.clock[stream.id] or 0) + 1
  stream.clock[stream.id] = number
  for _, array in ipairs(reads) do array.readers[stream.id] = number end
  for _, array in ipairs(writes) do array.writer, array.written, array.readers = stream.id, number, {} end
end

-- ---- what there is ----

local P = {}
P.__index = P

function P.add_stream(p, object)
  local stream = {object = object, device = object.device, null = object.null, blocking = not object.is_non_blocking,
    id = #p.by_id + 1, clock = {}}
  p.by_id[stream.id] = stream
  p.streams[#p.streams + 1] = stream
  return stream
end

--- Makes a stream, if there may be one more.
function P.make_stream(p, r)
  if #p.streams >= MOST_STREAMS then return end
  local device = p:device(r)
  p:add_stream(cn.cuda.Stream {device = device, non_blocking = r % 2 > 0, priority = -(r % 3)})
end

--- Takes a stream out of the program; what comes later waits for its last mark. Answers the object.
function P.end_stream(p, stream)
  stream.last = mark(stream)
  p:remove(p.streams, stream)
  local object = stream.object
  stream.object = nil
  return object
end

--- The same of any stream but a default one.
function P.leave_stream(p, r)
  local stream = p:pick(p.streams, r)
  return not stream.null and p:end_stream(stream) or nil
end

function P.pick(_, list, r) return list[r % #list + 1] end

--- One of the program's devices, more often the first.
function P.device(p, r) return p.devices[r % 4 == 0 and #p.devices or 1] end

--- A stream, of a device if one is given; made where there is none.
function P.stream(p, r, device)
  local fitting = {}
  for _, stream in ipairs(p.streams) do
    if not device or stream.device == device then fitting[#fitting + 1] = stream end
  end
  if #fitting > 0 then return p:pick(fitting, r) end
  for _, stream in ipairs(p.by_id) do
    if stream.null and stream.device == device then return stream end
  end
  return p:add_stream(device:with(function() return cn.cuda.Stream.null end))
end

--- A stream of a device that is neither of two others, if there is one.
function P.third(p, r, device, a, b)
  for i = 1, #p.streams do
    local stream = p.streams[(r + i) % #p.streams + 1]
    if stream.device == device and stream ~= a and stream ~= b then return stream end
  end
  return p:stream(r, device)
end

--- A stream of an array's device; often the one whose cache has the array's memory when it is freed.
function P.taker(p, r, array)
  return r % 3 > 0 and array.home.object and array.home or p:stream(r, array.device)
end

--- An array that fits(array), or nil.
function P.array(p, r, fits)
  for i = 1, #p.arrays do
    local array = p.arrays[(r + i) % #p.arrays + 1]
    if not array.lost and (not fits or fits(array)) then return array end
  end
end

function P.remove(_, list, item)
  for i, each in ipairs(list) do
    if each == item then return table.remove(list, i) end
  end
end

local NEVER_RECORDED = 2 ^ 40 -- bytes

--- Calls fn(...) with the stream current, which may stay so. What it begins is recorded, or runs at once.
function P.on(p, stream, fn, ...)
  stream.device:use()
  core.set_record_limit(stream.device, p.draw(3) == 1 and NEVER_RECORDED or 0)
  if p.draw(2) == 1 then return stream.object:with(fn, ...) end
  stream.object:use()
  return fn(...)
end

--- Runs fn(...), which writes arrays: where it fails nobody knows what is in them.
local function risking(written, fn, ...)
  for _, array in ipairs(written) do array.lost = true end
  local results = {fn(...)}
  for _, array in ipairs(written) do array.lost = nil end
  return unpack(results)
end

--- Gives work to a stream: fn(...), which reads and writes arrays.
function P.work(p, stream, reads, writes, fn, ...)
  order(p, stream, reads, writes)
  return risking(writes, p.on, p, stream, fn, ...)
end

--- The same, while another stream is current.
function P.work_elsewhere(p, current, stream, reads, writes, fn, ...)
  order(p, stream, reads, writes)
  return risking(writes, p.on, p, current, fn, ...)
end

--- The same of a copy to the host's memory, whose order is cuna's business.
function P.work_to_host(p, stream, reads, hosts, fn, ...)
  order(p, stream, reads, {})
  return risking(hosts, p.on, p, stream, fn, ...)
end

--- The same of a copy that the streams of two devices do together.
function P.work_between(p, from, to, reads, writes, fn, ...)
  order(p, from, reads, {})
  order(p, to, {}, writes)
  from.object:use()
  return risking(writes, p.on, p, to, fn, ...)
end

--- Ends a capture and returns the graph; raises if recording, the result of a pcall, failed.
local function end_capture(stream, ok, message)
  local ended, graph = pcall(stream.object.end_capture, stream.object)
  if not ok or not ended then error(ok and graph or message, 0) end
  return graph
end

--- Puts what a stream is given from now on behind another one's work.
function P.join(p, stream, other)
  put_behind(p, stream, other.id, other.clock[other.id])
  stream.clock[stream.id] = stream.clock[stream.id] + 1
end

--- Records fn(...) on a stream: the graph.
function P.capture(_, stream, fn, ...)
  stream.device:use()
  stream.object:begin_capture()
  return end_capture(stream, pcall(stream.object.with, stream.object, fn, ...))
end

--- The same with memory of a pool that nobody else uses.
function P.capture_in(_, stream, pool, fn)
  stream.device:use()
  core.graph_begin(stream.object, pool)
  return end_capture(stream, pcall(pool.with, pool, stream.object.with, stream.object, fn))
end

--- Notes what work that a stream was given last made.
function P.add_array(p, stream, x, value)
  local array = {x = x, n = #value, value = value, device = stream.device, writer = stream.id,
    written = stream.clock[stream.id], readers = {}, home = stream}
  p.arrays[#p.arrays + 1] = array
  return array
end

P.synchronize, P.order = synchronize, order
function P.mark(_, stream) return mark(stream) end
function P.wait(_, stream, marked) wait(stream, marked) end

-- ---- running ----

local function start(devices, seed)
  local limits = {}
  for i, device in ipairs(devices) do limits[i] = core.set_record_limit(device, 0) end
  local p = setmetatable({devices = devices, record_limits = limits, streams = {}, by_id = {}, arrays = {}, hosts = {},
    events = {}, graphs = {}, host = {}, pools = {}, draw = generator(seed), k = 0}, P)
  p:stream(1, devices[1])
  return p
end

local function lift_limits(p)
  for _, device in ipairs(p.devices) do
    cn.get_default_memory_pool():set_limit(0, device)
    if p.pools[2] then p.pools[2]:set_limit(0, device) end
  end
end

--- Compares all that there is with the model. What was recorded under a limit may be computed without it: no step is
--- left that could raise its error.
local function check_all(p)
  lift_limits(p)
  for _, array in ipairs(p.arrays) do
    if not array.lost then ops.check(p, array, p:stream(p.draw(100), array.device)) end
  end
  for _, host in ipairs(p.hosts) do
    if not host.lost then ops.check_host(host) end
  end
end

local function finish(p)
  for _, list in ipairs {p.arrays, p.hosts} do
    for _, each in ipairs(list) do each.x:free() end
  end
  for _, graph in ipairs(p.graphs) do graph.object:free() end
  if p.replayed then p.replayed:free() end
  for i, device in ipairs(p.devices) do
    device:with(function() cn.cuda.Stream.null:use() end)
    core.set_record_limit(device, p.record_limits[i])
  end
  lift_limits(p)
  for _, stream in ipairs(p.by_id) do
    if stream.object and not stream.null then stream.object:free() end
  end
  cn.cuda.set_allocator(cn.get_default_memory_pool())
end

--- Lets the host wait for all streams. What was recorded under a limit may not fit: it is lifted then.
local function synchronize_all(p)
  for _, device in ipairs(p.devices) do
    if not pcall(cn.synchronize, device) then
      lift_limits(p)
      cn.synchronize(device)
    end
  end
  for _, stream in ipairs(p.by_id) do merge(p.host, stream.clock) end
end

--- Work that a limit refused was noted as if a stream had been given it, and orders nothing: all is waited for.
local function step(p, each)
  local ok, message = pcall(ops.run[each.name], p, unpack(each))
  if ok then return end
  local is_limit = p.limited and tostring(message):find("OutOfMemoryError", 1, true)
  if not is_limit then return tostring(message) end
  local fine, wrong = pcall(synchronize_all, p) -- where the device may die, too
  if not fine then return tostring(wrong) end
end

--- Runs a program on devices: nil, or what went wrong and the number of the step (beyond the last one: the comparison
--- at the end). `before_check()`, if given, is called before that comparison, which is made after a failure too then.
function M.run(steps, devices, seed, before_check)
  local p = start(devices, seed)
  local message, at
  for i, each in ipairs(steps) do
    message, at = step(p, each), i
    if message then break end
  end
  if before_check then before_check() end
  if not message or before_check then
    local ok, wrong = pcall(check_all, p)
    if not ok then message, at = tostring(wrong), #steps + 1 end
  end
  local ok, wrong = pcall(finish, p)
  if not ok and not message then message, at = tostring(wrong), #steps + 1 end
  return message, at
end

M.trim = ops.trim

-- ---- smaller programs ----

local TRIES = 12 -- schedules in which a smaller program may fail

local function fails(steps, devices, seed)
  for _ = 1, TRIES do
    local message = M.run(steps, devices, seed)
    if message then return message end
  end
end

local function without(steps, first, count)
  local left = {}
  for i, each in ipairs(steps) do
    if i < first or i >= first + count then left[#left + 1] = each end
  end
  return left
end

--- A part of a failing program that still fails, by leaving out halves, quarters, ... and single steps.
function M.shrink(steps, devices, seed)
  local size = math.floor(#steps / 2)
  while size >= 1 do
    local first = 1
    while first <= #steps do
      local smaller = without(steps, first, size)
      if fails(smaller, devices, seed) then steps = smaller else first = first + size end
    end
    size = math.floor(size / 2)
  end
  return steps
end

--- A program as text.
function M.describe(steps)
  local lines = {}
  for i, each in ipairs(steps) do lines[i] = ("  {name = %q, %s},"):format(each.name, table.concat(each, ", ")) end
  return table.concat(lines, "\n")
end

return M
