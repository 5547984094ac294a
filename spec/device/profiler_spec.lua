local cn = require "cuna"
local each_device = require("spec.support.devices").each_device
local core = require "cuna.core"
local process = require "spec.support.process"

local CHECK = [==[
import json, sys
with open(sys.argv[1], encoding="utf-8") as file:
    events = json.load(file)["traceEvents"]
timed = [e for e in events if e["ph"] != "M"]
times = [e["ts"] for e in timed]
assert times == sorted(times) and (not times or times[0] >= 0), "times"
names = {(e["name"], e["pid"], e["tid"]) for e in events if e["ph"] == "M"}
for e in timed:
    assert ("process_name", e["pid"], 0) in names, e
    if e["ph"] == "X":
        assert e["dur"] >= 0 and ("thread_name", e["pid"], e["tid"]) in names, e
    elif e["ph"] == "C":
        assert e["args"]["bytes"] >= 0, e
    else:
        assert e["ph"] == "i" and e["args"]["bytes"] > 0, e
lanes = {}
for e in timed:
    if e["ph"] == "X":
        lanes.setdefault((e["pid"], e["tid"]), []).append((e["ts"], e["ts"] + e["dur"]))
for lane in lanes.values():
    outer = []
    for begin, end in lane:
        while outer and outer[-1] <= begin + 0.002:
            outer.pop()
        assert not outer or end <= outer[-1] + 0.002, "slices cross"
        outer.append(end)
who = {e["pid"]: e["args"]["name"] for e in events if e["name"] == "process_name"}
for e in events:
    e["who"] = who[e["pid"]].split(": ")[0]
def lua(v):
    if isinstance(v, dict):
        return "{" + ",".join("[%s]=%s" % (lua(k), lua(w)) for k, w in v.items()) + "}"
    if isinstance(v, list):
        return "{" + ",".join(map(lua, v)) + "}"
    return '"' + "".join("\\%03d" % b for b in v.encode()) + '"' if isinstance(v, str) else repr(v)
print("return " + lua(events))
]==]

--- The events of a trace, read and checked by another program.
local function events_of(path)
  local script = os.tmpname()
  process.write(script, CHECK)
  local text, status = process.shell(("python3 %s %s"):format(script, path))
  os.remove(script)
  assert(status == 0, text)
  return loadstring(text)()
end

--- Takes a trace of fn(...) and returns its events and fn's results.
local function traced(fn, ...)
  local path = os.tmpname()
  local function finish(...)
    local events = events_of(path)
    os.remove(path)
    return events, ...
  end
  return finish(cn.profiler.trace(path, fn, ...))
end

--- The events that have all of some fields.
local function find(events, fields)
  local found = {}
  for _, event in ipairs(events) do
    local same = true
    for key, value in pairs(fields) do same = same and event[key] == value end
    if same then found[#found + 1] = event end
  end
  return found
end

local function message_of(fn, ...) return select(2, pcall(fn, ...)) end

each_device(function(device)
  describe("cn.profiler.benchmark", function()
    it("takes the time of every repeat", function()
      local calls, x = 0, cn.ones(16)
      local result = cn.profiler.benchmark(function(a, b, c)
        calls = calls + 1
        assert(rawequal(a, x) and b == nil and c == 3)
        return a + c
      end, { x, nil, 3 }, { n_repeat = 20, n_warmup = 5, name = "plus" })
      assert.equal(25, calls)
      assert.equal(20, #result.cpu_times)
      assert.equal("plus", result.name)
      for _, time in ipairs(result.cpu_times) do assert.is_true(time > 0 and time < 10) end
      assert.equal(device.kind == "cuda" and 1 or 0, #result.gpu_times)
      for _, times in ipairs(result.gpu_times) do
        assert.equal(20, #times)
        for _, time in ipairs(times) do assert.is_true(time >= 0 and time < 10) end
      end
    end)

    it("prints CuPy's line", function()
      local text = tostring(cn.profiler.benchmark(cn.sin, { cn.ones(4) }, { n_repeat = 3 }))
      local part = ": *%d+%.%d%d%d us   %+/%- *%d+%.%d%d%d %(min: *%d+%.%d%d%d / max: *%d+%.%d%d%d%) us"
      local gpu = device.kind == "cuda" and "     GPU%-0" .. part or ""
      assert.has.match("^sin" .. (" "):rep(17) .. ":    CPU" .. part .. gpu .. "$", text)
      local result = cn.profiler.benchmark(function() end, nil, { n_repeat = 2, name = "f" })
      result.cpu_times, result.gpu_times, result.devices = { 1e-6, 3e-6 }, {}, {}
      assert.equal("f                   :    CPU:    2.000 us   +/- 1.000 (min:    1.000 / max:    3.000) us",
        result:to_str())
      result.cpu_times = { 0.0125 }
      result.gpu_times, result.devices = { { 2e-6, 4e-6 } }, { { id = 3 } }
      local first = "f                   :    CPU:12500.000 us"
      assert.equal(first, result:to_str())
      assert.equal(first .. "     GPU-3:    3.000 us   +/- 1.000 (min:    2.000 / max:    4.000) us",
        tostring(result))
    end)

    it("ends after max_duration and passes errors on", function()
      local result = cn.profiler.benchmark(function()
        local start = os.clock()
        while os.clock() - start < 1e-3 do end
      end, {}, { max_duration = 5e-3 })
      assert.is_true(#result.cpu_times >= 1 and #result.cpu_times <= 6)
      assert.equal("mine", message_of(cn.profiler.benchmark, function() error("mine", 0) end))
      assert.has.match("no_sync", message_of(cn.no_sync, cn.profiler.benchmark, print))
    end)
  end)

  describe("cn.profiler.trace", function()
    it("writes launches, copies, fills and memory with names and bytes", function()
      local f = cn.fuse(function(x) return x * 2 + 1 end)
      for _ = 1, 2 do cn.evaluate(f(cn.zeros(64))) end
      local host = cn.ones({ 64 }, { device = "cpu" })
      local events, result = traced(function(n)
        local x = cn.zeros(n)
        x:fill(0)
        local y = f(x)
        local z = y:copy()
        z:free()
        return (y + cn.asarray(host)):get()
      end, 64)
      assert.same({ 64, 2 }, { result.size, result:totable()[1] })
      local on = device.name
      for _, kind in ipairs { "launch", "copy", "set" } do
        local here, on_host = find(events, { cat = kind, who = on }), find(events, { cat = kind, who = "host" })
        assert.is_true(#here > 0 and #on_host >= #here, kind)
      end
      assert.equal(512, find(events, { name = "fill", who = on, cat = "set" })[1].args.bytes)
      assert.equal(512, find(events, { name = "copy", who = on })[1].args.bytes)
      assert.equal(0, #find(events, { name = "multiply", cat = "launch", who = on }))
      assert.equal(2, #find(events, { name = "add", cat = "launch", who = on }))
      local allocs, frees = find(events, { name = "alloc" }), find(events, { name = "free" })
      assert.is_true(#allocs >= 4 and #frees >= 1)
      assert.same({ 512, on }, { allocs[1].args.bytes, allocs[1].args.on })
      assert.is_true(#find(events, { ph = "C", who = on }) >= 4)
    end)

    it("shows graphs that are launched, but not what they capture", function()
      local s, x = cn.cuda.Stream { non_blocking = true }, cn.zeros(2)
      local graph
      local events = traced(function()
        core.graph_begin(s)
        s:with(function() x:add_(1) end)
        graph = core.graph_end(s, {}, {})
        for _ = 1, 3 do core.graph_launch(graph, s) end
      end)
      assert.equal(3, #find(events, { cat = "graph", name = "graph", who = device.name }))
      assert.equal(0, #find(events, { name = "add" }))
      assert.same({ 3, 3 }, x:totable())
    end)

    it("ends while a stream captures, which goes on", function()
      local s, x = cn.cuda.Stream { non_blocking = true }, cn.zeros(2)
      traced(function()
        core.graph_begin(s)
        x:add_(1)
      end)
      s:with(function() x:add_(1) end)
      core.graph_launch(core.graph_end(s, {}, {}), s)
      s:synchronize()
      assert.same({ 2, 2 }, x:totable())
    end)

    it("has a thread for each stream", function()
      local events = traced(function()
        local streams = { cn.cuda.Stream(), cn.cuda.Stream { non_blocking = true } }
        local x = cn.ones(1000)
        cn.synchronize()
        for i = 1, 6 do
          streams[i % 2 + 1]:with(function() x:copy():add_(i) end)
        end
        cn.cuda.Stream():synchronize()
      end)
      local lanes = {}
      for _, event in ipairs(find(events, { name = "add", who = device.name })) do
        lanes[event.tid] = (lanes[event.tid] or 0) + 1
      end
      local counts = {}
      for _, count in pairs(lanes) do counts[#counts + 1] = count end
      assert.same({ 3, 3 }, counts)
    end)

    it("shows ranges, with names of any kind", function()
      local name = 'a "quoted" \\ name\n\1 \195\164 \255 \237\160\128 \240\159\152\128'
      local events, sum = traced(function()
        return cn.profiler.time_range(name, function(x)
          pcall(cn.profiler.time_range, "inner", error, "fails")
          return x + 1
        end, cn.ones(3))
      end)
      assert.same({ 2, 2, 2 }, sum:totable())
      local ranges = find(events, { cat = "range" })
      assert.equal(2, #ranges)
      assert.equal('a "quoted" \\ name\n\1 \195\164 \239\191\189 \239\191\189\239\191\189\239\191\189 \240\159\152\128',
        ranges[1].name)
      assert.equal("inner", ranges[2].name)
      assert.is_true(ranges[2].ts >= ranges[1].ts and ranges[2].ts + ranges[2].dur <= ranges[1].ts + ranges[1].dur)
    end)

    it("writes the file and passes the error on where the function fails", function()
      local path = os.tmpname()
      local message = message_of(cn.profiler.trace, path, function()
        local x = cn.ones(3)
        return x:reshape(2, 2)
      end)
      assert.has.match("profiler_spec.lua:%d+: cuna: reshape", message)
      assert.is_true(#find(events_of(path), { name = "alloc" }) >= 1)
      os.remove(path)
    end)

    it("is one at a time, and its end is the end", function()
      local inner
      local events = traced(function()
        inner = message_of(cn.profiler.trace, "/dev/null", print)
        cn.ones(3)
      end)
      assert.has.match("cuna: profiler.trace: a trace is being taken, and there is one at a time$", inner)
      assert.is_true(#events > 0)
      cn.ones(3)
      assert.equal(0, #find(traced(function() end), { ph = "X" }))
    end)

    it("ends when the coroutine that it was taken in is forgotten", function()
      local co = coroutine.wrap(function() cn.profiler.trace("/dev/null", coroutine.yield) end)
      co()
      cn.ones(3)
      assert.has.match("one at a time", message_of(cn.profiler.trace, "/dev/null", print))
      co = nil -- luacheck: ignore
      collectgarbage()
      collectgarbage()
      assert.equal("fine", cn.profiler.trace("/dev/null", function() return "fine" end))
    end)

    it("keeps few events in a long trace", function()
      local x = cn.ones(16)
      local events = traced(function()
        for i = 1, 2000 do
          x:add_(1)
          if i % 100 == 0 then cn.synchronize() end
        end
      end)
      assert.equal(2000, #find(events, { name = "add", who = device.name }))
      assert.equal(2001, x:totable()[1])
    end)

    it("says where it cannot write", function()
      local ran = false
      local function fn() ran = true end
      assert.has.match("cuna: profiler.trace: cannot write '/no/such/folder/x.json': No such file or directory$",
        message_of(cn.profiler.trace, "/no/such/folder/x.json", fn))
      assert.is_false(ran)
      assert.has.match("cuna: profiler.trace: '/dev/full': cannot write the file: No space left",
        message_of(cn.profiler.trace, "/dev/full", fn))
      assert.is_true(ran)
    end)
  end)
end)

if cn.cuda.device_count() > 1 then
  it("traces and benchmarks tell several devices apart", function()
    local events, y = traced(function()
      local x = cn.cuda.Device(0):with(cn.ones, 100)
      return x:to("cuda:1"):add_(1):to("cpu")
    end)
    assert.equal(2, y:totable()[100])
    assert.equal(1, #find(events, { name = "fill", who = "cuda:0" }))
    assert.equal(1, #find(events, { name = "peer copy", who = "cuda:1" }))
    assert.equal(1, #find(events, { name = "add", who = "cuda:1" }))
    local result = cn.profiler.benchmark(function() end, {}, { n_repeat = 2, devices = { 0, "cuda:1" } })
    assert.same({ 2, 2, 2 }, { #result.gpu_times, #result.gpu_times[1], #result.gpu_times[2] })
    assert.has.match("GPU%-0: .* GPU%-1: ", tostring(result))
  end)
end

it("cn.profiler.time_range opens and closes NVTX's ranges, also around errors and yields", function()
  local folder = process.folder()
  process.write(folder .. "/nvtx.c", [[
    #include <stdio.h>
    int nvtxRangePushA(const char *message) { return printf("push %s\n", message), fflush(stdout); }
    int nvtxRangePop(void) { return printf("pop\n"), fflush(stdout); }
  ]])
  local text, status = process.shell(("cc -shared -fPIC -o %s/libnvToolsExt.so.1 %s/nvtx.c"):format(folder, folder))
  assert.equal(0, status, text)
  local path = folder .. ":" .. (os.getenv "LD_LIBRARY_PATH" or "")
  local said = process.must_run([[
    local cn = require "cuna"
    local range = cn.profiler.time_range
    range("a", pcall, range, "b", error)
    local co = coroutine.wrap(function() range("c", coroutine.yield) end)
    co()
    range("d", function() end)
    co()
  ]], { LD_LIBRARY_PATH = path })
  process.remove(folder)
  assert.equal("push a push b pop pop push c pop push d pop push c pop", (said:gsub("\n(.)", " %1"):gsub("%s+$", "")))
end)

it("a process may end within a trace and a hook", function()
  local script = [[
    local cn = require "cuna"
    local function hook(event) last = event.kind end
    cn.profiler.trace("/dev/null", cn.cuda.memory_hook, hook, function()
      kept = cn.ones(3)
      coroutine.wrap(function() cn.profiler.time_range("range", os.exit, 0, true) end)()
    end)
  ]]
  assert.equal("", process.must_run(script))
end)

it("what the profiler does not accept is reported in one line", function()
  local profiler = cn.profiler
  local function says(pattern, ...) assert.has.match("^[^\n]*cuna: " .. pattern, message_of(...)) end
  says("profiler.benchmark: fn is a function, got 3$", profiler.benchmark, 3)
  says("profiler.benchmark: args is a table of fn's arguments, such as {x, y}, got a cuna array$", profiler.benchmark,
    print, cn.ones(2))
  says("profiler.benchmark: n_repeat is at least 1$", profiler.benchmark, print, {}, { n_repeat = 0 })
  says("profiler.benchmark: n_warmup is a count, got %-1$", profiler.benchmark, print, {}, { n_warmup = -1 })
  says("profiler.benchmark: max_duration is a number of seconds, got nan$", profiler.benchmark, print, {},
    { max_duration = cn.nan - cn.nan })
  says("profiler.benchmark: name is a string, got 1$", profiler.benchmark, print, {}, { name = 1 })
  says("profiler.benchmark: unknown option 'repeats'", profiler.benchmark, print, {}, { repeats = 1 })
  says("profiler.benchmark: devices is a list, got \"cpu\"$", profiler.benchmark, print, {}, { devices = "cpu" })
  says("profiler.time_range: the message is a string and comes first, got a function$", profiler.time_range, print)
  says("profiler.time_range: fn is a function, got nil$", profiler.time_range, "name")
  says("profiler.trace: expected a path and a function, or a function, got 3$", profiler.trace, 3)
  says("profiler.trace: fn is a function, got nil$", profiler.trace, "/dev/null")
  says("profiler.trace: a function of cn.profiler is called with a dot", profiler.trace, profiler)
  says("profiler has no function 'benchmak'; did you mean 'benchmark'%?$", function() return profiler.benchmak end)
  says("a benchmark's result has no field 'times'", function()
    return profiler.benchmark(function() end, {}, { n_repeat = 1 }).times
  end)
end)
