--- profiler.lua: cn.profiler: the time of calls, and timelines of devices. Loaded on first use.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local chrome_trace = require "cuna.device.chrome_trace"
local core = require "cuna.core"
local namespace = require "cuna.base.namespace"
local new_file = require "cuna.io.new_file"
local with = require "cuna.base.with"

local M = {namespace = {}}
local F = M.namespace -- cn.profiler

local fail = check.fail

local DEFAULT_PATH = "cuna-trace.json"

local function is_callable(value)
  local metatable = type(value) == "table" and debug.getmetatable(value)
  return type(value) == "function" or metatable and metatable.__call ~= nil
end

local function check_callable(fn, name)
  if not is_callable(fn) then fail("profiler.%s: fn is a function, got %s", name, check.show(fn)) end
end

-- ---- benchmark ----

--- The result of benchmark. tostring gives the line that CuPy prints.
---@class cuna.Benchmark
---@field name string
---@field cpu_times number[] seconds
---@field gpu_times number[][] seconds, a list for each CUDA device
---@field devices cuna.Device[] the CUDA devices
local Result = {}

--- Mean, standard deviation, minimum and maximum of a list of numbers.
local function statistics(times)
  local sum, squares, least, greatest = 0, 0, math.huge, -math.huge
  for _, time in ipairs(times) do
    sum, least, greatest = sum + time, math.min(least, time), math.max(greatest, time)
  end
  local mean = sum / #times
  for _, time in ipairs(times) do squares = squares + (time - mean) ^ 2 end
  return mean, math.sqrt(squares / #times), least, greatest
end

local function column(title, times)
  local mean, deviation, least, greatest = statistics(times)
  local text = ("    %s:%9.3f us"):format(title, 1e6 * mean)
  if #times == 1 then return text end
  return text .. ("   +/-%6.3f (min:%9.3f / max:%9.3f) us"):format(1e6 * deviation, 1e6 * least, 1e6 * greatest)
end

--- The times as one line: of the host, and with show_gpu of the CUDA devices.
---@param show_gpu boolean|nil default false
---@return string
---@usage cn.profiler.benchmark(function() end, {}, {n_repeat = 1, name = "f"}):to_str():match "%S+" --> f
function Result:to_str(show_gpu)
  if getmetatable(self) ~= Result then fail "to_str: a result's function is called with a colon: result:to_str()" end
  local columns = {column("CPU", self.cpu_times)}
  for i, device in ipairs(show_gpu and self.devices or {}) do
    columns[i + 1] = column(("GPU-%d"):format(device.id), self.gpu_times[i])
  end
  return ("%-20s:%s"):format(self.name, table.concat(columns, " "))
end

function Result.__tostring(self) return self:to_str(true) end

function Result.__index(_, name)
  if name == "to_str" then return Result.to_str end
  fail("a benchmark's result has no field '%s'; there are name, cpu_times, gpu_times, devices, to_str", tostring(name))
end

--- The default name of a function: its name in cn, else its position in the source.
local function name_of(fn)
  for name, value in pairs(args.namespace) do
    if rawequal(value, fn) then return name end
  end
  if type(fn) ~= "function" then return tostring(fn) end
  local info = debug.getinfo(fn, "S")
  return info.what == "C" and "?" or ("%s:%d"):format(info.short_src:match "[^/]*$", info.linedefined)
end

--- The devices with separate times: those that work while the host does, so that events time them. Work of the others
--- is done when its call returns.
local function timed_devices(devices, name)
  local timed = {}
  if devices == nil then devices = {core.current_device()} end
  if type(devices) ~= "table" then fail("%s: devices is a list, got %s", name, check.show(devices)) end
  for _, device in ipairs(devices) do
    if type(device) == "number" then device = ("cuda:%d"):format(check.count(device, name, "a device")) end
    device = core.device(device, name)
    if core.is_asynchronous(device) then timed[#timed + 1] = device end
  end
  return timed
end

local function make_events(devices)
  local events = {}
  for i = 1, #devices do events[i] = core.event_create() end
  return events
end

local function record(events, devices)
  for i, device in ipairs(devices) do core.event_record(events[i], core.current_stream(device)) end
end

--- Calls fn once between events; adds its times to the result.
local function measure(result, befores, afters, fn, values, count)
  local devices = result.devices
  record(befores, devices)
  local start = core.clock()
  fn(unpack(values, 1, count))
  local stop = core.clock()
  record(afters, devices)
  local place = #result.cpu_times + 1
  for i, event in ipairs(afters) do
    core.event_synchronize(event)
    result.gpu_times[i][place] = 1e-3 * core.event_elapsed(befores[i], event)
  end
  result.cpu_times[place] = stop - start
  return core.clock() - start
end

local function repeat_calls(result, fn, values, n_repeat, n_warmup, max_duration)
  local count = table.maxn(values)
  local befores, afters = make_events(result.devices), make_events(result.devices)
  for _ = 1, n_warmup do fn(unpack(values, 1, count)) end
  for _, device in ipairs(result.devices) do core.stream_synchronize(core.current_stream(device)) end
  local duration = 0
  for _ = 1, n_repeat do
    duration = duration + measure(result, befores, afters, fn, values, count)
    if duration > max_duration then break end
  end
  core.poll()
  return result
end

local read_benchmark = args.reader("profiler.benchmark", {"fn", "args", "n_repeat", "n_warmup", "max_duration", "name",
  "devices"}, 1)

local function check_arguments(fn, values, n_repeat, max_duration, title)
  local name = "profiler.benchmark"
  check_callable(fn, "benchmark")
  if type(values) ~= "table" then
    fail("%s: args is a table of fn's arguments, such as {x, y}, got %s", name, check.show(values))
  end
  n_repeat = check.count(n_repeat, name, "n_repeat")
  if n_repeat == 0 then fail("%s: n_repeat is at least 1", name) end
  if type(max_duration) ~= "number" or max_duration ~= max_duration or max_duration < 0 then
    fail("%s: max_duration is a number of seconds, got %s", name, check.no_number(max_duration))
  end
  if type(title) ~= "string" then fail("%s: name is a string, got %s", name, check.show(title)) end
end

--- Measures calls of fn: the host's time for each, and, by events, the time that the current streams of CUDA devices
--- are busy. Waits for the device after each call. Follows cupyx.profiler.benchmark.
---@param fn function
---@param args table|nil its arguments, as a list
---@param options table|nil {n_repeat = 10000, n_warmup = 10: calls before the measurement, max_duration = math.huge:
--- seconds after which it ends early, name = the name of fn in the line, devices = a list of devices to measure;
--- default: the current one}
---@return cuna.Benchmark result print it, or take the seconds from result.cpu_times and result.gpu_times
---@usage #cn.profiler.benchmark(cn.sin, {cn.ones(4)}, {n_repeat = 5}).cpu_times --> 5
---@usage tostring(cn.profiler.benchmark(cn.sin, {cn.ones(4)}, {n_repeat = 5})):match "^sin" --> sin
function F.benchmark(...)
  args.check_dot("profiler.benchmark", (...))
  local name = "profiler.benchmark"
  local fn, values, n_repeat, n_warmup, max_duration, title, devices = read_benchmark(...)
  values, n_repeat, n_warmup = values == nil and {} or values, n_repeat or 10000, n_warmup or 10
  max_duration = max_duration == nil and math.huge or max_duration
  if title == nil then title = is_callable(fn) and name_of(fn) or "?" end
  check_arguments(fn, values, n_repeat, max_duration, title)
  n_warmup = check.count(n_warmup, name, "n_warmup")
  core.check_waiting(name)
  local result = {name = title, cpu_times = {}, gpu_times = {}, devices = timed_devices(devices, name)}
  for i = 1, #result.devices do result.gpu_times[i] = {} end
  return repeat_calls(setmetatable(result, Result), fn, values, n_repeat, n_warmup, max_duration)
end

-- ---- ranges and traces ----

-- `trace` is the running trace: {handle, begin, ranges}. It belongs to its call: if that is in a coroutine that is
-- collected, the trace ends.
local open = setmetatable({}, {__mode = "v"})

--- Runs fn(...) as a named range in the timelines of NVIDIA's profilers (NVTX, if its library is installed) and in
--- cn.profiler.trace. Ranges nest; one ends when fn ends, fails or yields. Follows cupyx.profiler.time_range.
---@param message string
---@param fn function
---@param ... any its arguments
---@return any ... fn's results
---@usage cn.profiler.time_range("double", function(x) return x * 2 end, cn.ones(2)) --> [2. 2.]
function F.time_range(message, fn, ...)
  args.check_dot("profiler.time_range", message)
  if type(message) ~= "string" then
    fail("profiler.time_range: the message is a string and comes first, got %s", check.show(message))
  end
  check_callable(fn, "time_range")
  local trace, begin
  local function enter()
    core.nvtx_push(message)
    trace, begin = open.trace, core.clock()
  end
  local function leave()
    core.nvtx_pop()
    if trace and trace == open.trace then trace.ranges[#trace.ranges + 1] = {message, begin, core.clock()} end
  end
  return with.run(enter, leave, fn, ...)
end

--- Ends the trace and writes it, whether fn succeeded or not; passes its results or its error on.
local function finish(trace, path, ok, ...)
  open.trace = nil
  local count, complete = core.trace_end(trace.handle)
  local function read(i) return core.trace_record(trace.handle, i) end
  local written, problem = pcall(new_file.write, path, "profiler.trace", function(file)
    chrome_trace.write(file, trace.begin, trace.ranges, count, read)
  end)
  if not ok then error((...), 0) end
  if not written then error(problem, 0) end
  if not complete then fail("profiler.trace: %s lacks the last records: the host has no memory left", path) end
  return ...
end

local function take(path, fn, ...)
  if type(path) ~= "string" then
    fail("profiler.trace: expected a path and a function, or a function, got %s", check.show(path))
  end
  check_callable(fn, "trace")
  core.check_waiting "profiler.trace"
  new_file.check(path, "profiler.trace")
  local trace = {handle = core.trace_begin(), begin = core.clock(), ranges = {}}
  open.trace = trace
  return finish(trace, path, pcall(fn, ...))
end

--- Runs fn(...) and writes the device work of the process meanwhile as a Chrome trace, for https://ui.perfetto.dev and
--- chrome://tracing. The trace has launches, copies, fills, graphs and transfers between ranks by name, with bytes, in
--- each device's streams and as calls on the host; allocations and frees, memory in use; ranges (time_range). The path
--- is the first argument, like time_range's message, and optional. Waits for the devices at the end. The file is
--- written after an error in fn too.
---@param path string|nil default: "cuna-trace.json" in the current folder
---@param fn function
---@param ... any its arguments
---@return any ... fn's results
---@usage cn.profiler.trace("/dev/null", function(x) return x + 1 end, cn.ones(2)) --> [2. 2.]
function F.trace(...)
  args.check_dot("profiler.trace", (...))
  if is_callable((...)) then return take(DEFAULT_PATH, ...) end
  return take(...)
end

namespace.make("profiler", F)

return M
