--- chrome_trace.lua: records of a trace as JSON for Perfetto and chrome://tracing.
--
-- In the file, a process is the host or a device, and a thread is a list of calls or a stream. All events except names
-- have a time, in microseconds from the beginning of the trace, and are written in the order of their times.
local M = {}

local HOST = 1 -- its process; the devices have the next numbers
local RANGES, MEMORY, CALLS = 1, 2, 2 -- threads of the host's; the calls of its thread k are CALLS + k

-- The bytes that UTF-8 allows after the first byte of a sequence.
local SEQUENCES = {
  "^[\194-\223][\128-\191]", "^\224[\160-\191][\128-\191]", "^[\225-\236\238\239][\128-\191][\128-\191]",
  "^\237[\128-\159][\128-\191]", "^\240[\144-\191][\128-\191][\128-\191]",
  "^[\241-\243][\128-\191][\128-\191][\128-\191]", "^\244[\128-\143][\128-\191][\128-\191]",
}

--- Bytes from 128 on, with a mark instead of those that are not UTF-8.
local function mend(bytes)
  local parts, at = {}, 1
  while at <= #bytes do
    local found
    for _, sequence in ipairs(SEQUENCES) do found = found or bytes:match(sequence, at) end
    parts[#parts + 1] = found or "\\ufffd"
    at = at + #(found or " ")
  end
  return table.concat(parts)
end

--- A JSON string.
local function quote(text)
  local escaped = text:gsub('[%c"\\\127]', function(c) return ("\\u%04x"):format(c:byte()) end)
  return '"' .. escaped:gsub("[\128-\255]+", mend) .. '"'
end

-- ---- a file's contents: lines of JSON and their times ----

local function add(contents, seconds, format, ...)
  local count = #contents.lines + 1
  local time = math.max(0, seconds - contents.begin)
  contents.times[count] = time
  contents.lines[count] = ('{"ts":%.3f,' .. format .. "}"):format(1e6 * time, ...)
end

--- A name, which precedes all events with times.
local function name(contents, what, process, thread, text)
  contents.names[#contents.names + 1] = ('{"ph":"M","name":"%s","pid":%d,"tid":%d,"args":{"name":%s}}'):format(what,
    process, thread, quote(text))
end

local function add_slice(contents, process, thread, kind, title, first, last, nbytes)
  local moved = nbytes > 0 and (',"args":{"bytes":%.0f}'):format(nbytes) or ""
  add(contents, first, '"dur":%.3f,"ph":"X","pid":%d,"tid":%d,"cat":"%s","name":%s%s',
    1e6 * math.max(0, last - math.max(first, contents.begin)), process, thread, kind, quote(title), moved)
end

--- The process of a device.
local function process_of(contents, device)
  local process = contents.processes[device]
  if not process then
    process = {number = HOST + #contents.devices + 1, ends = {}, change = 0, least = 0, changes = {}}
    contents.processes[device] = process
    contents.devices[#contents.devices + 1] = device
    name(contents, "process_name", process.number, 0, ("%s: %s"):format(device.name, device.model))
  end
  return process
end

--- Work in a stream starts after the work before it: each recorded time has a rounding error.
local function place(contents, process, stream, first, last)
  if not process.ends[stream] then
    name(contents, "thread_name", process.number, stream, stream == 0 and "default stream" or "stream " .. stream)
  end
  local before = process.ends[stream] or 0
  if first < before and last > before then first = before end
  process.ends[stream] = math.max(before, last)
  return first, last
end

--- The thread of the file for a thread of the host.
local function calls_of(contents, thread)
  if not contents.threads[thread] then
    contents.threads[thread] = true
    name(contents, "thread_name", HOST, CALLS + thread, thread == 1 and "calls" or "calls of thread " .. thread)
  end
  return CALLS + thread
end

local function add_work(contents, kind, title, device, stream, thread, nbytes, begun, ended, first, last)
  local process = process_of(contents, device)
  add_slice(contents, HOST, calls_of(contents, thread), kind, title, begun, math.max(begun, ended), nbytes)
  if first < 0 then return end
  first, last = place(contents, process, stream, first, last)
  add_slice(contents, process.number, stream, kind, title, first, last, nbytes)
end

local function add_memory(contents, kind, device, nbytes, seconds)
  local process = process_of(contents, device)
  process.change = process.change + (kind == "alloc" and nbytes or -nbytes)
  process.least = math.min(process.least, process.change)
  process.changes[#process.changes + 1] = {seconds, process.change}
  add(contents, seconds, '"ph":"i","s":"t","pid":%d,"tid":%d,"cat":"memory","name":"%s","args":{"bytes":%.0f,"on":%s}',
    HOST, MEMORY, kind, nbytes, quote(device.name))
end

--- The memory in use when the trace began is the present amount minus the changes: known for the device's default pool,
--- and at least as much as keeps all values at 0 or above.
local function add_counters(contents, device)
  local process = contents.processes[device]
  local known, memory = pcall(function() return device.memory end)
  local base = math.max(-process.least, known and memory.used_bytes - process.change or 0)
  for _, change in ipairs(process.changes) do
    add(contents, change[1], '"ph":"C","pid":%d,"tid":0,"name":"memory in use","args":{"bytes":%.0f}', process.number,
      base + change[2])
  end
end

local function in_order(contents)
  local order, times = {}, contents.times
  for i = 1, #contents.lines do order[i] = i end
  table.sort(order, function(a, b)
    if times[a] ~= times[b] then return times[a] < times[b] end
    return a < b
  end)
  return order
end

local function write(file, contents)
  local separator = '{"displayTimeUnit":"ns","traceEvents":[\n'
  local function put(line)
    file:write(separator .. line)
    separator = ",\n"
  end
  for _, line in ipairs(contents.names) do put(line) end
  for _, i in ipairs(in_order(contents)) do put(contents.lines[i]) end
  file:write "\n]}\n"
end

--- Writes a trace to a file of io/new_file.lua.
---@param file userdata
---@param begin number seconds of the host's clock when the trace began
---@param ranges table[] {name, begin, end}
---@param count integer
---@param read function(i): the results of core.trace_record
function M.write(file, begin, ranges, count, read)
  local contents = {begin = begin, times = {}, lines = {}, names = {}, processes = {}, devices = {}, threads = {}}
  name(contents, "process_name", HOST, 0, "host")
  name(contents, "thread_name", HOST, RANGES, "ranges")
  name(contents, "thread_name", HOST, MEMORY, "memory")
  for _, range in ipairs(ranges) do add_slice(contents, HOST, RANGES, "range", range[1], range[2], range[3], 0) end
  for i = 1, count do
    local kind, title, device, stream, thread, nbytes, begun, ended, first, last = read(i)
    if kind == "alloc" or kind == "free" then
      add_memory(contents, kind, device, nbytes, begun)
    else
      add_work(contents, kind, title, device, stream, thread, nbytes, begun, ended, first, last)
    end
  end
  for _, device in ipairs(contents.devices) do add_counters(contents, device) end
  write(file, contents)
end

return M
