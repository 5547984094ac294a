--- graph.lua: recorded work: captures of streams, and functions that are replayed.
--
-- A stream records kernels with the addresses of their arrays. A replayed function therefore works on separate arrays,
-- in a separate pool. A recording serves calls whose arrays have the same dtypes, shapes and devices and whose other
-- arguments are equal. Arguments and results whose addresses the graph knows (slots, runtime/array/graph_slot.c) take
-- the place of the separate arrays in a replay; others are copied in and out.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local scopes = require "cuna.base.scope"
local streams = require "cuna.device.stream"
local suggest = require "cuna.base.suggest"
local with = require "cuna.base.with"

local M = {functions = {}}
local F = M.functions

local fail = check.fail
local MAX_RECORDINGS = 8 -- kept of one function

-- ---- captures of streams ----

local captured = core.graph_metatable()
local methods = {}
local recorded -- whether the function that runs is one that cn.graph records

--- Work that a stream recorded. Follows cupy.cuda.Graph.
---@class cuna.CapturedGraph
---@field device cuna.Device

local function check_self(graph, name)
  if type(graph) == "userdata" and getmetatable(graph) == captured then return end
  fail("%s: a graph's function is called with a colon: graph:%s()", name, name)
end

local read_launch = args.reader("launch", {"graph", "stream"})

--- Repeats the recorded work.
---@param stream cuna.Stream|nil default: the current stream of the graph's device
---@return cuna.CapturedGraph graph itself
---@usage (function(s) s:begin_capture() return tostring(s:end_capture():launch()) end)(cn.cuda.Stream()) --> <graph>
function methods.launch(...)
  local graph, stream = read_launch(...)
  check_self(graph, "launch")
  core.graph_launch(graph, stream)
  return graph
end

local read_upload = args.reader("upload", {"graph", "stream"})

--- Brings the graph to its device, so that the first launch need not do it. Follows cupy.cuda.Graph.upload.
---@param stream cuna.Stream|nil default: the current stream of the graph's device
---@return cuna.CapturedGraph graph itself
---@usage (function(s) s:begin_capture() return tostring(s:end_capture():upload(s)) end)(cn.cuda.Stream()) --> <graph>
function methods.upload(...)
  local graph, stream = read_upload(...)
  check_self(graph, "upload")
  core.graph_upload(graph, stream)
  return graph
end

--- Frees the graph now; work already launched is still done. A second call has no effect; any other use is an error.
---@usage (function(s) s:begin_capture() s:end_capture():free() end)(cn.cuda.Stream()) -->
function methods.free(graph)
  check_self(graph, "free")
  core.graph_free(graph)
end

function captured.__index(graph, name)
  if methods[name] then return methods[name] end
  if name == "device" then return core.graph_device(graph) end
  fail("a graph has no field '%s'; there are device, free, launch, upload%s", tostring(name),
    suggest.hint(name, methods))
end

function captured.__newindex(_, name) fail("a graph's field '%s' cannot be assigned", tostring(name)) end
function captured.__tostring() return "<graph>" end

local function counted(...) return select("#", ...), {...} end

--- Calls fn(...) like pcall. It must not yield: if it were never resumed, the capture would stay open.
local function call_through(fn, ...)
  local thread = coroutine.create(fn)
  local count, results = counted(coroutine.resume(thread, ...))
  if coroutine.status(thread) ~= "suspended" then return count, results end
  return counted(pcall(fail, "graph: the function yields while it is recorded; yield outside of it"))
end

--- Starts recording the work of the stream instead of running it. Until the capture ends, waiting for the device and
--- copies from the host are errors, because neither can be recorded. Arrays that recorded work uses live as long as the
--- graph. A capture that an error leaves open ends when its stream is garbage-collected. The default stream cannot
--- capture. Follows cupy.cuda.Stream.begin_capture.
---@usage cn.cuda.Stream.null.is_capturing --> false
function streams.methods.begin_capture(stream)
  streams.check_self(stream, "begin_capture")
  if recorded then fail "begin_capture: cn.graph records what its function does by itself" end
  core.graph_begin(stream)
end

--- Ends the capture of a stream.
---@return cuna.CapturedGraph
---@usage (function(s) s:begin_capture() s:end_capture() return s.is_capturing end)(cn.cuda.Stream()) --> false
function streams.methods.end_capture(stream)
  streams.check_self(stream, "end_capture")
  return (core.graph_end(stream, {}, {}))
end

--- Records the work of fn(...) on the stream, which is current inside. The capture also ends after an error in fn.
---@param fn function
---@param ... any its arguments
---@return cuna.CapturedGraph
---@usage cn.cuda.Stream():capture(function(x) x:add_(1) end, cn.zeros(2)):launch() --> <graph>
function streams.methods.capture(stream, fn, ...)
  streams.check_self(stream, "capture")
  check.callable(fn, "capture")
  stream:begin_capture()
  local _, results = call_through(streams.methods.with, stream, fn, ...)
  if not results[1] then
    core.graph_drop(stream)
    with.rethrow(results[2])
  end
  return (core.graph_end(stream, {}, {}))
end

-- ---- replayed functions ----

local replayed = {}

--- A function whose operations are replayed. Call it like the function.
---@class cuna.Graph
---@overload fun(...: any): ...

local function check_argument(value, place, device)
  if core.is_array(value) then
    if value.device ~= device then
      fail("graph: argument %d is on %s, and the graph is of %s; move it with x:to(%q)", place, value.device.name,
        device.name, device.name)
    end
  elseif type(value) == "table" then
    fail("graph: argument %d is a table, whose contents may change; pass arrays, numbers and strings", place)
  end
end

--- The value with every array in it, also in nested tables, as copy(array).
local function map_arrays(value, copy, seen)
  if core.is_array(value) then return copy(value) end
  if type(value) ~= "table" then return value end
  if seen[value] then return seen[value] end
  local mapped = {}
  seen[value] = mapped
  for key, inner in pairs(value) do mapped[key] = map_arrays(inner, copy, seen) end
  return mapped
end

local function copy_out(array) return core.cast(array, nil, "graph") end

local function results_of(recording, copy)
  local results, seen = {}, {}
  for i = 1, recording.nresults do results[i] = map_arrays(recording.results[i], copy, seen) end
  return unpack(results, 1, recording.nresults)
end

local function same(a) return a end

--- The copies of the arguments that recorded work reads; other arguments are unchanged.
local function make_inputs(device, count, ...)
  local inputs = {...}
  for i = 1, count do
    check_argument(inputs[i], i, device)
    if core.is_array(inputs[i]) then inputs[i] = copy_out(inputs[i]) end
  end
  return inputs
end

--- Makes a stream wait for the work of another one so far.
local function follow(stream, other)
  local mark = core.event_create(false, true, false)
  core.event_record(mark, other)
  core.stream_wait_event(stream, mark)
  core.event_free(mark)
end

--- Calls fn(inputs) like call_through; work that cannot be recorded raises an error inside.
local function run_strictly(recording, fn)
  local before, confined = core.forbid_waiting "a graph's capture", core.confine(recording.device)
  local composing = core.set_composing(true) -- it is launched often
  streams.recorded = {[core.stream_info(core.current_stream(recording.device), "ptr")] = true}
  local count, results = call_through(scopes.functions.scope, fn, unpack(recording.inputs, 1, recording.count))
  streams.recorded = nil
  core.set_composing(composing)
  core.confine(confined)
  core.forbid_waiting(before)
  return count, results
end

--- Runs fn normally, so that kernels are compiled and the pool has enough memory; its results are computed and dropped.
local function rehearse(recording, stream, fn)
  local function run(...) map_arrays({fn(...)}, core.evaluate, {}) end
  local _, results = run_strictly(recording, run)
  if not results[1] then with.rethrow(results[2]) end
  core.stream_synchronize(stream)
end

--- The different arrays in what fn returned.
local function list_results(recording)
  local list, known = {}, {}
  local function add(array)
    if not known[array] then list[#list + 1] = array end
    known[array] = true
  end
  map_arrays(recording.results, add, {})
  return list
end

--- Whether an array shares memory with none of a list, in which it may be itself.
local function is_apart(array, list, is_listed)
  for _, other in ipairs(list) do
    if not (is_listed and rawequal(array, other)) and core.shares_memory(array, other) then return false end
  end
  return true
end

--- The arguments' private copies and the results that no other array of the two reaches.
local function list_apart(recording)
  local arguments, results, own, made = {}, {}, {}, list_results(recording)
  for i = 1, recording.count do
    if core.is_array(recording.inputs[i]) then own[#own + 1] = recording.inputs[i] end
  end
  for _, array in ipairs(own) do
    if is_apart(array, made) then arguments[#arguments + 1] = array end
  end
  for _, array in ipairs(made) do
    if is_apart(array, made, true) and is_apart(array, own) then results[#results + 1] = array end
  end
  return arguments, results
end

--- Ends the capture. Notes the slots of arguments, by their private copies, and of results, with what new ones need.
local function finish(recording, stream)
  local arguments, results = list_apart(recording)
  local graph, taken, handed = core.graph_end(stream, arguments, results)
  recording.graph, recording.slots, recording.handed, recording.nslots = graph, {}, {}, 0
  for k, slot in ipairs(taken) do
    recording.slots[arguments[k]] = slot
    recording.nslots = math.max(recording.nslots, slot or 0)
  end
  for k, slot in ipairs(handed) do
    local own = results[k]
    if slot then
      table.insert(recording.handed, {slot = slot, own = own, shape = own.shape, dtype = own.dtype})
      recording.nslots = math.max(recording.nslots, slot)
    end
  end
end

--- Captures fn(inputs): a graph, and what fn returned.
local function capture(recording, stream, pool, fn)
  core.graph_begin(stream, pool)
  local count, results = run_strictly(recording, fn)
  if not results[1] then
    core.graph_drop(stream)
    with.rethrow(results[2])
  end
  recording.nresults, recording.results = count - 1, {unpack(results, 2, count)}
  finish(recording, stream)
end

--- Records fn for arguments like these.
local function record(graph, count, ...)
  core.check_waiting "graph"
  local device = core.device_of(...) or core.current_device()
  local stream, pool = core.stream_create(device, true, 0), core.pool "device"
  local recording = {count = count, device = device, values = {...}}
  local outer_recorded, outer, device_before, stream_before, pool_before
  local function enter()
    outer_recorded, recorded = recorded, true
    outer, device_before = core.open_scope(nil), core.use_device(device)
    stream_before, pool_before = core.use_stream(stream, "graph"), core.use_pool(pool)
  end
  local function leave()
    core.open_scope(outer)
    core.use_device(device_before)
    core.restore_stream(stream_before)
    core.use_pool(pool_before)
    recorded = outer_recorded
  end
  follow(stream, core.current_stream(device))
  with.run(enter, leave, function(...)
    recording.inputs = make_inputs(device, count, ...)
    rehearse(recording, stream, graph.fn)
    capture(recording, stream, pool, graph.fn)
  end, ...)
  table.insert(graph, 1, recording)
  graph[MAX_RECORDINGS + 1] = nil
  return recording
end

local function fits(recording, count, ...)
  if recording.count ~= count then return false end
  for i = 1, count do
    local value, input = select(i, ...), recording.inputs[i]
    if not core.is_array(value) then
      local known = recording.values[i]
      if not (rawequal(value, known) or value ~= value and known ~= known) then return false end
    elseif not core.is_array(input) or core.check_alive(value, "graph").dtype ~= input.dtype
      or value.device ~= recording.device or not core.same_shape(value, input) then
      return false
    end
  end
  return true
end

local function find(graph, count, ...)
  for _, recording in ipairs(graph) do
    if fits(recording, count, ...) then return recording end
  end
  return record(graph, count, ...)
end

--- All replays use the same arrays: a replay on another stream waits for the last one. A stream freed meanwhile cannot
--- be queried any more.
local function take_turn(recording, stream)
  if recording.stream ~= nil and recording.stream ~= stream and not pcall(follow, stream, recording.stream) then
    core.synchronize(recording.device)
  end
  recording.stream = stream
end

--- By slot, the arrays that take the place of the graph's own, or false: arguments that fit, and new results if those
--- are handed over. Copies the other arguments in.
local function pass(recording, hands_over, ...)
  local arrays = {}
  for slot = 1, recording.nslots do arrays[slot] = false end
  for i = 1, recording.count do
    local value, own = select(i, ...), recording.inputs[i]
    if core.is_array(value) then
      local slot = recording.slots[own]
      if slot and core.graph_takes(recording.graph, slot, value) then
        arrays[slot] = value
      else
        core.copy(own, value, "graph")
      end
    end
  end
  for _, result in ipairs(hands_over and recording.handed or {}) do
    arrays[result.slot] = core.empty(result.shape, result.dtype, recording.device, "graph")
  end
  return arrays
end

--- Runs the recorded work on the current stream. Returns the recording, and by slot the arrays that it used.
local function replay(graph, hands_over, count, ...)
  if not graph.fn then fail "graph: the graph was freed" end
  local recording = find(graph, count, ...)
  local stream = core.current_stream(recording.device)
  take_turn(recording, stream)
  local arrays = pass(recording, hands_over, ...)
  core.graph_launch(recording.graph, stream, arrays)
  return recording, arrays
end

--- Whether a call runs the operations directly: inside another recording, or in cn.prepare, which runs no kernels.
local function is_recorded()
  return core.is_preparing() or core.current_stream(core.current_device()).is_capturing
end

function replayed.__call(graph, ...)
  if graph.fn and is_recorded() then return graph.fn(...) end
  local recording, arrays = replay(graph, true, select("#", ...), ...)
  local new = {}
  for _, result in ipairs(recording.handed) do new[result.own] = arrays[result.slot] end
  return results_of(recording, function(own) return new[own] or copy_out(own) end)
end

local G = {}

local function check_graph(graph, name)
  if type(graph) == "table" and getmetatable(graph) == replayed then return end
  fail("%s: a graph's function is called with a colon: graph:%s()", name, name)
end

--- Replays the function and returns the graph's arrays without copying them. They keep these results until the next
--- replay of the same recording.
---@param ... any the function's arguments
---@return any ... its results
---@usage cn.graph(function(x) return x * 2 end, cn.ones(2)):launch(cn.ones(2)) --> [2. 2.]
function G.launch(graph, ...)
  check_graph(graph, "launch")
  if graph.fn and is_recorded() then return graph.fn(...) end
  return results_of(replay(graph, false, select("#", ...), ...), same)
end

--- Frees the recordings and their memory.
---@usage cn.graph(function(x) return x * 2 end, cn.ones(2)):free() -->
function G.free(graph)
  check_graph(graph, "free")
  for i = #graph, 1, -1 do
    core.graph_free(graph[i].graph)
    graph[i] = nil
  end
  graph.fn = nil
end

function replayed.__index(_, name)
  if G[name] or name == "fn" then return G[name] end
  fail("a graph has no field '%s'; there are free, launch%s", tostring(name),
    suggest.hint(name, G))
end

function replayed.__tostring() return "<graph>" end

--- Records the operations of fn(...) and returns a function g that replays them: g(...) runs all recorded work with
--- one driver call, and returns new arrays. This removes most of the launch overhead of small operations. A call with
--- arrays of other dtypes or shapes, or with another number, records again; the last 8 recordings are kept, each with
--- its memory.
---
--- A replay reads its arguments where they are, and computes its results in their memory, where only elementwise
--- operations, reductions, scans, fused functions and kernels of cn.ElementwiseKernel, cn.ReductionKernel and
--- cn.ScanKernel touch them. Others are copied: arguments that fn changes, that are not row-major, or that it uses from
--- outside, too; arrays of linear algebra, transforms, sorts, index arrays and raw kernels.
---
--- Recording runs fn twice: once normally, and once in the capture, which computes nothing. Other effects of fn
--- (printing, counting) happen then, and not in replays; numbers from outside keep their recorded values. Writes to
--- arguments stay in the graph's copies; arrays from outside are used, and changed, in place. fn may use one device,
--- and other streams only between events that connect them with the current one. It must not wait for the device (item,
--- print, totable, ...) or copy from the host; both are errors. On the cpu device recorded calls are replayed too.
--- Follows torch.cuda.make_graphed_callables.
---@param fn function
---@param ... any example arguments: dtypes, shapes and devices as in later calls
---@return cuna.Graph
---@usage cn.graph(function(x, y) return x * 2 + y end, cn.ones(2), cn.ones(2))(cn.zeros(2), cn.ones(2)) --> [1. 1.]
function F.graph(fn, ...)
  check.callable(fn, "graph")
  local graph = setmetatable({fn = fn}, replayed)
  if core.is_preparing() then
    scopes.functions.scope(function(...) fn(...) end, ...)
  else
    record(graph, select("#", ...), ...)
  end
  return graph
end

return M
