-- Captures and graphs by the rows of the driver: the cpu device's and the simulated GPU's follow one set of rules.
local ffi = require "ffi"
local process = require "spec.support.process"
local simgpu = require "spec.simgpu.driver"
local support = require "spec.support.rows"

local must, out = support.must, support.out

local INVALID_VALUE, ILLEGAL_STATE, INVALID_HANDLE = 1, 401, 400
local UNSUPPORTED, INVALIDATED, MERGE, UNMATCHED, UNJOINED = 900, 901, 902, 903, 904
local ISOLATION, IMPLICIT, CAPTURED_EVENT = 905, 906, 907
local GLOBAL, THREAD_LOCAL, RELAXED = 0, 1, 2
local NONE, ACTIVE, INVALID = 0, 1, 2

local KERNEL = [=[
namespace cuna {
struct Args { int64 list, number; };
CUNA_DEVICE void append(const Args &a, unsigned)
{
    int32 *list = (int32 *)a.list;
    if (lane() == 0)
        list[++list[0]] = int32(a.number);
}
}
CUNA_ENTRY(append, cuna::Args, cuna::append, 0)
]=]

for _, device in pairs(support.devices()) do
  local rows, lanes = device.rows, device.lanes

  describe("captures of " .. device.name, function()
    local module, append, list, a, b

    setup(function()
      device.enter()
      module = out("void *", rows.cuModuleLoadData, (device.compile(KERNEL)))
      append = out("void *", rows.cuModuleGetFunction, module, "append")
    end)

    teardown(function()
      must(rows.cuModuleUnload(module))
      device.leave()
    end)

    local function stream(flags) return out("void *", rows.cuStreamCreateWithPriority, flags or 1, 0) end
    local function event() return out("void *", rows.cuEventCreate, 0) end

    local function read(ptr, ctype, count)
      local room = ffi.new(ctype .. "[?]", count)
      must(rows.cuMemcpyDtoHAsync_v2(room, ptr, ffi.sizeof(room), nil))
      return room
    end
    jit.off(read) -- a compiled call cannot come back into Lua

    local function status(of) return tonumber(out("int", function(to) return rows.cuStreamIsCapturing(of, to) end)) end

    before_each(function()
      list = out("uint64_t", rows.cuMemAlloc_v2, 4096)
      must(rows.cuMemsetD8Async(list, 0, 4096, nil))
      must(rows.cuCtxSynchronize())
      a, b = stream(), stream()
    end)

    after_each(function()
      must(rows.cuStreamDestroy_v2(a))
      must(rows.cuStreamDestroy_v2(b))
      must(rows.cuMemFree_v2(list))
    end)

    --- Appends a number to the list, on a stream; returns the result.
    local function try(number, on)
      local params = ffi.new("void *[1]", ffi.cast("void *", ffi.new("int64_t[2]", list, number)))
      return rows.cuLaunchKernel(append, 1, 1, 1, lanes, 1, 1, 0, on, params, nil)
    end
    local function note(number, on) must(try(number, on)) end

    local function noted()
      local values, found = read(list, "int", 100), {}
      for i = 1, values[0] do found[i] = values[i] end
      must(rows.cuMemsetD8Async(list, 0, 4096, nil))
      must(rows.cuCtxSynchronize())
      return found
    end

    local function begin(on, mode) must(rows.cuStreamBeginCapture_v2(on, mode or RELAXED)) end

    --- The result of the end, and the graph, which is NULL when it failed.
    local function finish(on)
      local graph = ffi.new("void *[1]", ffi.cast("void *", 8))
      local result = rows.cuStreamEndCapture(on, graph)
      assert.equal(result ~= 0, graph[0] == nil)
      return result, graph[0]
    end

    --- Ends a capture of stream a well.
    local function discard()
      local result, graph = finish(a)
      must(result)
      must(rows.cuGraphDestroy(graph))
    end

    --- An instance of what `fn` records in stream a.
    local function capture(fn)
      begin(a)
      fn()
      local result, graph = finish(a)
      must(result)
      local instance = out("void *", rows.cuGraphInstantiateWithFlags, graph, 0)
      must(rows.cuGraphDestroy(graph))
      return instance
    end

    local function launch(instance, on)
      must(rows.cuGraphLaunch(instance, on))
      must(rows.cuStreamSynchronize(on))
    end

    local function destroy(instance) must(rows.cuGraphExecDestroy(instance)) end

    --- Records an event in one stream and lets another wait for it.
    local function order(before, after)
      local mark = event()
      must(rows.cuEventRecord(mark, before))
      must(rows.cuStreamWaitEvent(after, mark, 0))
      must(rows.cuEventDestroy_v2(mark))
    end

    it("run nothing, and graphs run all as often as they are launched", function()
      local instance = capture(function()
        for i = 1, 5 do note(i, a) end
        assert.equal(ACTIVE, status(a))
        assert.equal(NONE, status(b))
      end)
      assert.equal(NONE, status(a))
      assert.same({}, noted())
      launch(instance, a)
      launch(instance, b)
      assert.same({ 1, 2, 3, 4, 5, 1, 2, 3, 4, 5 }, noted())
      destroy(instance)
    end)

    it("note addresses of memory, which is read and written when the graph runs", function()
      local room = out("void *", rows.cuMemHostAlloc, 16, 0)
      local pinned, pageable = ffi.cast("int *", room), ffi.new("int[1]", 1)
      local instance = capture(function()
        must(rows.cuMemcpyHtoDAsync_v2(list, pinned, 4, a))
        must(rows.cuMemcpyHtoDAsync_v2(list + 4, pageable, 4, a))
        must(rows.cuMemcpyDtoDAsync_v2(list + 8, list, 8, a))
        must(rows.cuMemsetD8Async(list + 16, 1, 4, a))
        must(rows.cuMemcpyDtoHAsync_v2(pinned + 1, list + 16, 4, a))
      end)
      for i = 2, 3 do
        pinned[0], pinned[1], pageable[0] = i, 0, 10 * i
        launch(instance, a)
        local values = read(list, "int", 5)
        assert.same({ i, 10 * i, i, 10 * i, 0x01010101 }, { values[0], values[1], values[2], values[3], values[4] })
        assert.equal(0x01010101, pinned[1])
      end
      destroy(instance)
      must(rows.cuMemFreeHost(room))
    end)

    it("record host functions", function()
      local calls = 0
      local callback = ffi.cast("void (*)(void *)", function() calls = calls + 1 end)
      jit.off(launch)
      local instance = capture(function()
        note(1, a)
        must(rows.cuLaunchHostFunc(a, callback, nil))
      end)
      assert.equal(0, calls)
      must(rows.cuGraphUpload(instance, a))
      launch(instance, a)
      launch(instance, a)
      assert.equal(2, calls)
      destroy(instance)
      callback:free()
    end)

    it("fork and join by events, and the order of a graph's work is one that they allow", function()
      local seen = {}
      local instance = capture(function()
        note(1, a)
        order(a, b)
        assert.equal(ACTIVE, status(b))
        note(2, b)
        note(3, a)
        order(b, a)
        note(4, a)
      end)
      assert.equal(NONE, status(b))
      for _ = 1, 40 do
        launch(instance, a)
        local found = noted()
        assert.same({ 1, 4 }, { found[1], found[4] })
        seen[table.concat(found, " ", 2, 3)] = true
        table.sort(found)
        assert.same({ 1, 2, 3, 4 }, found)
      end
      assert.is_true(seen["2 3"])
      assert.equal(device.name ~= "cpu", seen["3 2"] == true)
      destroy(instance)
    end)

    it("of nothing are graphs too", function()
      local instance = capture(function() end)
      launch(instance, a)
      destroy(instance)
    end)

    --- What follows a call that a capture forbids: all of the capture fails until its end, which says why.
    local function check_invalid()
      assert.equal(INVALID, status(a))
      assert.equal(INVALIDATED, try(1, a))
      assert.equal(INVALIDATED, (finish(a)))
      assert.equal(NONE, status(a))
      assert.same({}, noted())
    end

    it("are invalidated by waiting, asking and launches of graphs", function()
      local mark, other = event(), capture(function() end)
      for _, forbidden in ipairs {
        function() return rows.cuStreamSynchronize(a) end,
        function() return rows.cuStreamQuery(a) end,
        function() return rows.cuCtxSynchronize() end,
        function() return rows.cuStreamDestroy_v2(a) end,
        function() return rows.cuGraphLaunch(other, a) end,
        function() return rows.cuGraphUpload(other, a) end,
      } do
        begin(a)
        note(1, a)
        assert.equal(UNSUPPORTED, forbidden())
        check_invalid()
      end
      begin(a)
      must(rows.cuEventRecord(mark, a))
      assert.equal(CAPTURED_EVENT, rows.cuEventQuery(mark))
      check_invalid()
      for _, name in ipairs { "cuEventQuery", "cuEventSynchronize" } do
        assert.equal(CAPTURED_EVENT, rows[name](mark))
      end
      assert.equal(CAPTURED_EVENT, rows.cuEventElapsedTime(ffi.new("float[1]"), mark, mark))
      assert.equal(CAPTURED_EVENT, rows.cuStreamWaitEvent(b, mark, 0))
      must(rows.cuEventRecord(mark, a))
      must(rows.cuEventSynchronize(mark))
      destroy(other)
      must(rows.cuEventDestroy_v2(mark))
    end)

    it("begin once and end where they began", function()
      local graph = ffi.new("void *[1]")
      assert.equal(ILLEGAL_STATE, rows.cuStreamEndCapture(a, graph))
      assert.equal(INVALID_VALUE, rows.cuStreamBeginCapture_v2(a, 3))
      for _, legacy in ipairs { ffi.cast("void *", 0), ffi.cast("void *", 1) } do
        assert.equal(UNSUPPORTED, rows.cuStreamBeginCapture_v2(legacy, RELAXED))
      end
      begin(a)
      assert.equal(ILLEGAL_STATE, rows.cuStreamBeginCapture_v2(a, RELAXED))
      assert.equal(ILLEGAL_STATE, (finish(b)))
      order(a, b)
      assert.equal(UNMATCHED, (finish(b)))
      assert.equal(INVALID, status(b))
      check_invalid()
      assert.equal(NONE, status(b))
    end)

    it("end when all work has come back to the stream where they began", function()
      begin(a)
      order(a, b)
      note(2, b)
      assert.equal(UNJOINED, (finish(a)))
      assert.equal(NONE, status(b))
      destroy(capture(function()
        order(a, b)
        note(1, b)
        order(b, a)
      end))
    end)

    it("keep apart from work and captures outside", function()
      local mark, c = event(), stream()
      must(rows.cuEventRecord(mark, b))
      begin(a)
      assert.equal(ISOLATION, rows.cuStreamWaitEvent(a, mark, 0))
      check_invalid()
      begin(a)
      begin(b)
      must(rows.cuEventRecord(mark, b))
      assert.equal(MERGE, rows.cuStreamWaitEvent(a, mark, 0))
      assert.equal(INVALIDATED, rows.cuStreamWaitEvent(c, mark, 0))
      assert.equal(INVALIDATED, (finish(b)))
      check_invalid()
      must(rows.cuEventDestroy_v2(mark))
      must(rows.cuStreamDestroy_v2(c))
    end)

    it("of blocking streams end with work in the legacy default stream", function()
      local blocking, state = stream(0), ffi.new("int[1]")
      begin(a)
      assert.equal(NONE, status(nil))
      note(1, nil) -- stream a does not block
      discard()
      for _, use in ipairs {
        function() return try(1, nil) end,
        function() return rows.cuMemsetD8Async(list, 0, 8, nil) end,
        function() return rows.cuStreamSynchronize(nil) end,
        function() return rows.cuStreamSynchronize(ffi.cast("void *", 1)) end,
      } do
        begin(blocking)
        assert.equal(IMPLICIT, rows.cuStreamIsCapturing(nil, state))
        assert.equal(ACTIVE, status(blocking))
        assert.equal(IMPLICIT, use())
        assert.equal(INVALIDATED, (finish(blocking)))
        assert.equal(NONE, status(nil))
      end
      assert.same({ 1 }, noted())
      must(rows.cuStreamDestroy_v2(blocking))
    end)

    it("forbid unsafe calls unless they are relaxed", function()
      local ptr, room, mark = ffi.new("uint64_t[1]"), ffi.new("void *[1]"), event()
      for _, call in ipairs {
        function() return rows.cuMemAlloc_v2(ptr, 8) end,
        function() return rows.cuMemAllocManaged(ptr, 8, 1) end,
        function() return rows.cuMemFree_v2(list) end,
        function() return rows.cuMemHostAlloc(room, 8, 0) end,
        function() return rows.cuEventQuery(mark) end,
      } do
        for _, mode in ipairs { GLOBAL, THREAD_LOCAL } do
          begin(a, mode)
          assert.equal(UNSUPPORTED, call())
          check_invalid()
        end
      end
      begin(a)
      must(rows.cuMemAlloc_v2(ptr, 8))
      must(rows.cuMemFree_v2(ptr[0]))
      must(rows.cuEventQuery(mark))
      discard()
      must(rows.cuEventDestroy_v2(mark))
    end)

    it("check handles and values", function()
      local instance = ffi.new("void *[1]")
      assert.equal(INVALID_VALUE, rows.cuGraphInstantiateWithFlags(instance, nil, 0))
      assert.equal(INVALID_VALUE, rows.cuGraphLaunch(nil, a))
      assert.equal(INVALID_VALUE, rows.cuGraphUpload(nil, a))
      assert.equal(INVALID_VALUE, rows.cuGraphDestroy(nil))
      assert.equal(INVALID_VALUE, rows.cuGraphExecDestroy(nil))
      assert.equal(INVALID_VALUE, rows.cuStreamEndCapture(a, nil))
      begin(a)
      assert.equal(INVALID_VALUE, rows.cuLaunchKernel(append, 0, 1, 1, lanes, 1, 1, 0, a, instance, nil))
      assert.equal(INVALID_HANDLE, rows.cuStreamWaitEvent(a, nil, 0))
      discard()
    end)
  end)
end

describe("a captured launch of a raw kernel", function()
  local SOURCE = [[
#line 1 "spec.cu"
struct Wide { double x[5]; };
__global__ void add(char one, double *list, Wide by) { list[threadIdx.x] += one * by.x[threadIdx.x]; }
]]

  it("copies each argument by its own size", function()
    local rows = support.devices().cpu.rows
    local image, name = support.cpu_compile(SOURCE, "add")
    local module = out("void *", rows.cuModuleLoadData, image)
    local add = out("void *", rows.cuModuleGetFunction, module, name)
    local stream = out("void *", rows.cuStreamCreateWithPriority, 1, 0)
    local list = ffi.new("double[5]")
    local one, ptr = ffi.new("char[1]", 2), ffi.new("double *[1]", list)
    local by = ffi.new("double[5]", { 1, 2, 3, 4, 5 })
    local params = ffi.new("void *[3]", ffi.cast("void *", one), ffi.cast("void *", ptr), ffi.cast("void *", by))
    must(rows.cuStreamBeginCapture_v2(stream, RELAXED))
    must(rows.cuLaunchKernel(add, 1, 1, 1, 5, 1, 1, 0, stream, params, nil))
    assert.equal(INVALID_VALUE, rows.cuLaunchKernel(add, 1, 1, 1, 2000, 1, 1, 0, stream, params, nil))
    one[0], ptr[0], by[0], params[2] = 0, nil, 0, nil
    local graph = out("void *", function(to) return rows.cuStreamEndCapture(stream, to) end)
    local instance = out("void *", rows.cuGraphInstantiateWithFlags, graph, 0)
    assert.equal(0, list[0])
    for _ = 1, 2 do must(rows.cuGraphLaunch(instance, stream)) end
    assert.same({ 4, 8, 12, 16, 20 }, { list[0], list[1], list[2], list[3], list[4] })
    must(rows.cuGraphExecDestroy(instance))
    must(rows.cuGraphDestroy(graph))
    must(rows.cuStreamDestroy_v2(stream))
    must(rows.cuModuleUnload(module))
  end)
end)

if not simgpu.here then return end

describe("the simulated GPU", function()
  --- Runs a script in which `capture(fn)` is an instance of what fn records in `stream`.
  local function child(script)
    return process.run([[
      local ffi, simgpu = require "ffi", require "spec.simgpu.driver"
      local cuda, must = simgpu.cuda, simgpu.must
      simgpu.enter(0)
      local stream = simgpu.stream(1)
      local function capture(fn)
        must(cuda.cuStreamBeginCapture_v2(stream, 2))
        fn()
        local graph = simgpu.out("void *", function(to) return cuda.cuStreamEndCapture(stream, to) end)
        return simgpu.out("void *", cuda.cuGraphInstantiateWithFlags, graph, 0)
      end
      ]] .. script)
  end

  it("ends a context whose graph has lost its memory, also when it was handed out again", function()
    for _, again in ipairs { "", "simgpu.alloc(64)" } do
      local output = child([[
        local p = simgpu.alloc(64)
        local instance = capture(function() must(cuda.cuMemsetD8Async(p, 0, 64, stream)) end)
        must(cuda.cuGraphLaunch(instance, stream))
        must(cuda.cuMemFree_v2(p)) ]] .. again .. [[ must(cuda.cuGraphLaunch(instance, stream))
        print(cuda.cuStreamSynchronize(stream))]])
      assert.equal("simgpu: cuda:0 is dead (700): a graph's copy or set: memory that it copies or sets was freed\n"
        .. "700\n", output)
    end
  end)

  it("counts graphs and instances", function()
    assert.equal("1\t1\n0\t0\n", (child [[
      must(cuda.cuStreamBeginCapture_v2(stream, 2))
      local graph = simgpu.out("void *", function(to) return cuda.cuStreamEndCapture(stream, to) end)
      local instance = simgpu.out("void *", cuda.cuGraphInstantiateWithFlags, graph, 0)
      print(cuda.simgpu_live "graphs", cuda.simgpu_live "instances")
      must(cuda.cuGraphDestroy(graph)) must(cuda.cuGraphExecDestroy(instance))
      print(cuda.simgpu_live "graphs", cuda.simgpu_live "instances")]]))
  end)

  it("lets launches of one graph wait for each other", function()
    local output = child [[
      local p, room = simgpu.alloc(64), simgpu.out("void *", cuda.cuMemHostAlloc, 8, 0)
      local pinned, other = ffi.cast("int *", room), simgpu.stream(1)
      local first = simgpu.event()
      local instance = capture(function()
        must(cuda.cuMemcpyDtoHAsync_v2(pinned, p, 4, stream))
        must(cuda.cuMemsetD8Async(p, 1, 4, stream))
      end)
      for _ = 1, 20 do
        must(cuda.cuMemsetD8Async(p, 0, 4, stream))
        must(cuda.cuGraphLaunch(instance, stream))
        must(cuda.cuGraphLaunch(instance, other))
        must(cuda.cuStreamSynchronize(other))
        assert(pinned[0] == 0x01010101)
      end
      print "good"]]
    assert.equal("good\n", output)
  end)
end)
