-- The simulated GPU keeps what it promises: closed memory, queues, poison, checks of arguments, reports.
local ffi = require "ffi"
local process = require "spec.support.process"
local simgpu = require "spec.simgpu.driver"

if not simgpu.here then return end

local cuda, must = simgpu.cuda, simgpu.must

local INVALID_VALUE, OUT_OF_MEMORY, NOT_INITIALIZED, INVALID_CONTEXT = 1, 2, 3, 201
local INVALID_IMAGE, INVALID_HANDLE, NOT_FOUND, NOT_READY = 200, 400, 500, 600
local ILLEGAL_ADDRESS, CONTEXT_IS_DESTROYED, ILLEGAL_INSTRUCTION, MISALIGNED_ADDRESS = 700, 709, 715, 716
local LAUNCH_FAILED, NOT_PERMITTED = 719, 800

local TEXT = [=[
namespace cuna {
struct Args { int64 out, in, count; };
CUNA_DEVICE void fill(const Args &a, unsigned block)
{
    const int64 i = block * 256ll + lane();
    if (i < a.count)
        ((int32 *)a.out)[i] = int32(a.in);
}
CUNA_DEVICE void append(const Args &a, unsigned)
{
    int32 *list = (int32 *)a.out;
    if (lane() == 0)
        list[++list[0]] = int32(a.in);
}
struct Wide { int64 part[12]; };
CUNA_DEVICE void fold(const Args &a, unsigned block)
{
    CUNA_SHARED int64 part[8];
    Wide x = {};
    x.part[0] = x.part[11] = lane() + 1000 * block;
    for (int distance = 16; distance > 0; distance /= 2) {
        const Wide y = shuffle_down(x, distance);
        x.part[0] += y.part[0];
        x.part[11] += y.part[11];
    }
    if (lane() % 32 == 0)
        part[lane() / 32] = x.part[0] == x.part[11] ? x.part[0] : -1;
    barrier();
    int64 sum = 0;
    for (int i = 0; i < 8; ++i)
        sum += part[i];
    ((int64 *)a.out)[block * 256 + lane()] = sum;
}
CUNA_DEVICE void far_away(const Args &a, unsigned) { ((char *)a.out)[1ll << 32] = 1; }
CUNA_DEVICE void nowhere(const Args &, unsigned) { *(volatile int *)16 = 1; }
CUNA_DEVICE void odd(const Args &a, unsigned)
{
    struct alignas(16) Four { float v[4]; };
    const Four four = pack_load((const Four *)(a.out + 4));
    pack_store((Four *)a.out, four);
}
CUNA_DEVICE void some(const Args &, unsigned)
{
    if (lane() < 100)
        barrier();
}
CUNA_DEVICE void parted(const Args &a, unsigned)
{
    if (lane() % 2)
        ((int32 *)a.out)[lane()] = shuffle_down(int32(lane()), 1);
}
/* In memory of the block, where GPUs have another instruction. */
CUNA_DEVICE void misplaced(const Args &a, unsigned)
{
    CUNA_SHARED float sum;
    add_beside(&sum, 1.0f);
    add_atomically((float *)a.out, 1.0f);
    add_atomically(&sum, 1.0f);
}
}
CUNA_ENTRY(fill, cuna::Args, cuna::fill, 0)
CUNA_ENTRY(append, cuna::Args, cuna::append, 0)
CUNA_ENTRY(fold, cuna::Args, cuna::fold, 1)
CUNA_ENTRY(far_away, cuna::Args, cuna::far_away, 0)
CUNA_ENTRY(nowhere, cuna::Args, cuna::nowhere, 1)
CUNA_ENTRY(odd, cuna::Args, cuna::odd, 0)
CUNA_ENTRY(some, cuna::Args, cuna::some, 1)
CUNA_ENTRY(parted, cuna::Args, cuna::parted, 1)
CUNA_ENTRY(misplaced, cuna::Args, cuna::misplaced, 1)
]=]

local function args(out, value, count) return ffi.new("int64_t[3]", out, value or 0, count or 0) end

--- Runs a script that has `simgpu`, `ffi`, `cuda`, `must`, `args` and the kernels' text: output and exit status.
local function child(script, environment)
  return process.run(("local ffi = require 'ffi'; local simgpu = require 'spec.simgpu.driver'\n"
    .. "local cuda, must, TEXT = simgpu.cuda, simgpu.must, %q\n"
    .. "local function args(out, value, count) return ffi.new('int64_t[3]', out, value or 0, count or 0) end\n%s")
    :format(TEXT, script), environment)
end

describe("the simulated GPU", function()
  local context, fill, append, fold, module

  setup(function()
    context = simgpu.enter(0)
    fill, append, fold, module = simgpu.functions(TEXT, "fill", "append", "fold")
  end)

  teardown(function()
    must(cuda.cuModuleUnload(module))
    must(cuda.cuDevicePrimaryCtxRelease_v2(0))
  end)

  after_each(function() must(cuda.cuCtxSetCurrent(context)) end)

  describe("keeps device memory closed", function()
    local function touch(what) return "simgpu.enter(0) local p = simgpu.alloc(1000) " .. what end

    it("to writes and reads of the host", function()
      for _, access in ipairs { "ffi.cast('char *', p)[17] = 1", "print(ffi.cast('char *', p)[17])" } do
        local output, status = child(touch(access))
        assert.equal(139, status)
        assert.matches("^simgpu: host code touched device memory: address 0x%x+ of cuda:0, "
          .. "byte 17 of the allocation of 1000 bytes at 0x%x+\n$", output)
      end
    end)

    it("also after work, and after it was freed", function()
      for _, access in ipairs { "must(cuda.cuMemsetD8Async(p, 1, 1000, nil)) must(cuda.cuCtxSynchronize())",
        "must(cuda.cuMemFree_v2(p))" } do
        local output, status = child(touch(access .. " print(ffi.cast('char *', p)[0])"))
        assert.equal(139, status)
        assert.matches("^simgpu: host code touched device memory", output)
      end
    end)

    it("to kernels beyond what was ever used, and to other devices' kernels", function()
      local output = child [[
        simgpu.enter(1) local theirs = simgpu.alloc(1000)
        simgpu.enter(0) local far_away, nowhere, fill = simgpu.functions(TEXT, "far_away", "nowhere", "fill")
        must(simgpu.launch(fill, 1, args(theirs, 1, 10)))
        print(cuda.cuCtxSynchronize())]]
      assert.matches("simgpu: cuda:0 is dead %(700%): kernel fill: touched address 0x%x+", output)
      assert.matches("\n700\n$", output)
    end)
  end)

  it("ends a context whose kernel faults, for ever and by name", function()
    for name, expected in pairs {
      far_away = { ILLEGAL_ADDRESS, "touched address 0x%x+, where it has no memory" },
      nowhere = { ILLEGAL_ADDRESS, "touched address 0x10, where it has no memory" },
      odd = { MISALIGNED_ADDRESS, "an access of several elements at 0x%x+04, which is not aligned for it" },
      some = { LAUNCH_FAILED, "in block 0 156 lanes ended and 100 wait at a barrier" },
      misplaced = { ILLEGAL_INSTRUCTION, "an illegal instruction at 0x%x+" },
      parted = { LAUNCH_FAILED, "in block 0 128 lanes ended and 0 wait at a barrier" },
    } do
      local output, status = child(([[
        simgpu.enter(0) local p = simgpu.alloc(1000)
        local kernel = simgpu.functions(TEXT, %q)
        print(simgpu.launch(kernel, 1, args(p)), cuda.cuCtxSynchronize(), cuda.cuCtxSynchronize(), cuda.cuMemFree_v2(p))
        simgpu.enter(1) must(cuda.cuMemFree_v2(simgpu.alloc(10)))]]):format(name))
      assert.matches(("^simgpu: cuda:0 is dead %%(%d%%): kernel %s: %s"):format(expected[1], name, expected[2]), output)
      assert.matches(("\n0\t%d\t%d\t%d\n$"):format(expected[1], expected[1], expected[1]), output)
      assert.equal(0, status)
    end
  end)

  it("sees that a kernel wrote past the end of an allocation", function()
    if process.is_sanitized then return end -- the sanitizer sees it first
    local output = child [[
      simgpu.enter(0) local p, q = simgpu.alloc(1000), simgpu.alloc(1000)
      must(simgpu.launch(simgpu.functions(TEXT, "fill"), 1, args(p, 1, 251)))
      print(cuda.cuCtxSynchronize())]]
    assert.matches("kernel fill: wrote past the end of the 1000 bytes at 0x%x+\n700\n$", output)
  end)

  it("poisons fresh and freed memory with NaN", function()
    for _ = 1, 2 do
      local p = simgpu.alloc(1024)
      local values = simgpu.read(p, "float", 256)
      for i = 0, 255 do assert.is_true(values[i] ~= values[i]) end
      assert.is_true(simgpu.read(p, "double", 1)[0] ~= simgpu.read(p, "double", 1)[0])
      must(cuda.cuMemsetD8Async(p, 0, 1024, nil))
      must(cuda.cuMemFree_v2(p))
    end
  end)

  describe("queues work", function()
    local list

    before_each(function()
      list = simgpu.alloc(4096)
      must(cuda.cuMemsetD8Async(list, 0, 4096, nil))
      must(cuda.cuCtxSynchronize())
    end)
    after_each(function() must(cuda.cuMemFree_v2(list)) end)

    --- Appends a number to the list on a stream.
    local function note(number, stream) must(simgpu.launch(append, 1, args(list, number), stream)) end

    local function noted()
      local values, found = simgpu.read(list, "int", 100), {}
      for i = 1, values[0] do found[i] = values[i] end
      return found
    end

    it("with a copy of the arguments", function()
      local block = args(list, 7)
      must(simgpu.launch(append, 1, block))
      block[0], block[1] = 0, 0
      assert.same({ 7 }, noted())
    end)

    it("which does not run by itself, but in the order of its stream", function()
      for i = 1, 20 do note(i) end
      local pending = cuda.cuStreamQuery(nil) == NOT_READY
      local found = noted()
      assert.is_true(pending)
      for i = 1, 20 do assert.equal(i, found[i]) end
    end)

    it("and polling ends", function()
      local event = simgpu.event()
      note(1)
      must(cuda.cuEventRecord(event, nil))
      local polls = 0
      while cuda.cuEventQuery(event) == NOT_READY do polls = polls + 1 end
      assert.is_true(polls > 0 and polls < 1000)
      must(cuda.cuEventDestroy_v2(event))
    end)

    it("of streams that do not block in any order", function()
      local a, b = simgpu.stream(1), simgpu.stream(1)
      local first = {}
      for _ = 1, 40 do
        must(cuda.cuMemsetD8Async(list, 0, 4, nil))
        must(cuda.cuCtxSynchronize())
        note(1, a)
        note(2, b)
        must(cuda.cuCtxSynchronize())
        local found = noted()
        table.sort(found, function(x, y) return x < y end)
        assert.same({ 1, 2 }, found)
        first[simgpu.read(list, "int", 2)[1]] = true
      end
      assert.same({ true, true }, first)
      must(cuda.cuStreamDestroy_v2(a))
      must(cuda.cuStreamDestroy_v2(b))
    end)

    it("of the legacy default stream between that of blocking streams", function()
      local a, b = simgpu.stream(0), simgpu.stream(0)
      for i = 1, 30 do note(i, i % 3 == 0 and a or i % 3 == 1 and b or nil) end
      must(cuda.cuStreamSynchronize(a))
      must(cuda.cuCtxSynchronize())
      local found, place = noted(), {}
      for i = 1, 30 do place[found[i]] = i end
      for i = 2, 30, 3 do
        for j = 1, 30 do assert.is_true(i == j or (j < i) == (place[j] < place[i])) end
      end
      must(cuda.cuStreamDestroy_v2(a))
      must(cuda.cuStreamDestroy_v2(b))
    end)

    it("that waits for an event as it was at the time of the call", function()
      local a, b, event = simgpu.stream(1), simgpu.stream(1), simgpu.event()
      must(cuda.cuStreamWaitEvent(b, event, 0)) -- was never recorded: nothing to wait for
      for _ = 1, 20 do
        must(cuda.cuMemsetD8Async(list, 0, 4, nil))
        must(cuda.cuCtxSynchronize())
        note(1, a)
        must(cuda.cuEventRecord(event, a))
        must(cuda.cuStreamWaitEvent(b, event, 0))
        note(2, b)
        must(cuda.cuStreamSynchronize(b))
        assert.same({ 1, 2 }, noted())
      end
      must(cuda.cuEventDestroy_v2(event))
      must(cuda.cuStreamDestroy_v2(a))
      must(cuda.cuStreamDestroy_v2(b))
    end)

    it("and times it", function()
      local start, stop = simgpu.event(), simgpu.event()
      local ms = ffi.new("float[1]", -1)
      assert.equal(INVALID_HANDLE, cuda.cuEventElapsedTime(ms, start, stop))
      must(cuda.cuEventRecord(start, nil))
      note(1)
      must(cuda.cuEventRecord(stop, nil))
      assert.equal(NOT_READY, cuda.cuEventElapsedTime(ms, start, stop))
      must(cuda.cuEventSynchronize(stop))
      must(cuda.cuEventElapsedTime(ms, start, stop))
      assert.is_true(ms[0] >= 0 and ms[0] < 10000)
      must(cuda.cuEventDestroy_v2(start))
      must(cuda.cuEventDestroy_v2(stop))
    end)

    it("reading pageable memory at once and pinned memory late", function()
      local pageable, pinned = ffi.new("int[1]", 5), simgpu.out("void *", cuda.cuMemHostAlloc, 4, 0)
      pinned = ffi.cast("int *", pinned)
      pinned[0] = 5
      must(cuda.cuMemcpyHtoDAsync_v2(list, pageable, 4, nil))
      must(cuda.cuMemcpyHtoDAsync_v2(list + 4, pinned, 4, nil))
      pageable[0], pinned[0] = 6, 6
      local values = simgpu.read(list, "int", 2)
      assert.same({ 5, 6 }, { values[0], values[1] })
      pinned[0] = 0
      must(cuda.cuMemcpyDtoHAsync_v2(pinned, list, 4, nil))
      assert.equal(0, pinned[0])
      must(cuda.cuCtxSynchronize())
      assert.equal(5, pinned[0])
      must(cuda.cuMemFreeHost(pinned))
    end)

    it("with host functions, which may not call the driver", function()
      local inside = {}
      local callback = ffi.cast("void (*)(void *)", function()
        inside[#inside + 1] = cuda.cuCtxSynchronize()
      end)
      note(1)
      must(cuda.cuLaunchHostFunc(nil, callback, nil))
      note(2)
      assert.same({}, inside)
      jit.off(simgpu.read) -- a compiled call cannot come back into Lua
      assert.same({ 1, 2 }, noted())
      assert.same({ NOT_PERMITTED }, inside)
      callback:free()
    end)

    it("of finite length", function()
      for i = 1, 5000 do must(simgpu.launch(fill, 1, args(list, i, 1))) end
      local polls = 0
      while cuda.cuStreamQuery(nil) == NOT_READY do polls = polls + 1 end
      assert.is_true(polls < 4 * 1024)
      assert.equal(5000, simgpu.read(list, "int", 1)[0])
    end)
  end)

  it("runs the lanes of a block together", function()
    local out = simgpu.alloc(3 * 256 * 8)
    must(simgpu.launch(fold, 3, args(out)))
    local values = simgpu.read(out, "int64_t", 3 * 256)
    for i = 0, 3 * 256 - 1 do assert.equal(255 * 128 + 256000 * math.floor(i / 256), tonumber(values[i])) end
    must(cuda.cuMemFree_v2(out))
  end)

  describe("checks", function()
    local function launch(kernel, gx, gy, gz, bx, by, bz, shared, params)
      return cuda.cuLaunchKernel(kernel, gx, gy, gz, bx, by, bz, shared, nil, params, nil)
    end

    it("launches", function()
      local params = ffi.new("void *[1]", ffi.cast("void *", args(0)))
      for _, case in ipairs { { 0, 1, 1, 256, 1, 1, 0 }, { 1, 0, 1, 256, 1, 1, 0 }, { 1, 1, 0, 256, 1, 1, 0 },
        { 1, 65536, 1, 256, 1, 1, 0 }, { 1, 1, 65536, 256, 1, 1, 0 }, { 2 ^ 31, 1, 1, 256, 1, 1, 0 },
        { 1, 1, 1, 0, 1, 1, 0 }, { 1, 1, 1, 1025, 1, 1, 0 }, { 1, 1, 1, 32, 33, 1, 0 }, { 1, 1, 1, 1, 1, 65, 0 },
        { 1, 1, 1, 256, 1, 1, 49153 } } do
        case[8] = params
        assert.equal(INVALID_VALUE, launch(fill, unpack(case)))
      end
      assert.equal(INVALID_VALUE, launch(fill, 1, 1, 1, 256, 1, 1, 0, nil))
      assert.equal(INVALID_HANDLE, launch(nil, 1, 1, 1, 256, 1, 1, 0, params))
      assert.equal(INVALID_HANDLE, launch(module, 1, 1, 1, 256, 1, 1, 0, params))
      assert.equal(INVALID_HANDLE, simgpu.launch(fill, 1, args(0), params))
    end)

    it("memory", function()
      local p, q, room = simgpu.alloc(100), simgpu.alloc(100), ffi.new("char[200]")
      local out = ffi.new("uint64_t[1]")
      assert.equal(0, tonumber(p % 512))
      assert.equal(INVALID_VALUE, cuda.cuMemAlloc_v2(out, 0))
      assert.equal(INVALID_VALUE, cuda.cuMemAlloc_v2(nil, 1))
      assert.equal(OUT_OF_MEMORY, cuda.cuMemAlloc_v2(out, 2 ^ 50))
      assert.equal(INVALID_VALUE, cuda.cuMemcpyHtoDAsync_v2(p, room, 101, nil))
      assert.equal(INVALID_VALUE, cuda.cuMemcpyHtoDAsync_v2(p + 50, room, 51, nil))
      assert.equal(INVALID_VALUE, cuda.cuMemcpyHtoDAsync_v2(p, nil, 1, nil))
      assert.equal(INVALID_VALUE, cuda.cuMemcpyDtoHAsync_v2(room, 0, 1, nil))
      assert.equal(INVALID_VALUE, cuda.cuMemcpyDtoHAsync_v2(room, ffi.cast("uint64_t", room), 1, nil))
      assert.equal(INVALID_VALUE, cuda.cuMemcpyDtoDAsync_v2(p, q, 101, nil))
      assert.equal(INVALID_VALUE, cuda.cuMemsetD8Async(p, 0, 101, nil))
      assert.equal(0, cuda.cuMemsetD8Async(p, 0, 0, nil))
      assert.equal(INVALID_HANDLE, cuda.cuMemsetD8Async(p, 0, 1, room))
      assert.equal(INVALID_VALUE, cuda.cuMemFree_v2(p + 1))
      assert.equal(INVALID_VALUE, cuda.cuMemFree_v2(ffi.cast("uint64_t", room)))
      assert.equal(INVALID_VALUE, cuda.cuMemFreeHost(room))
      must(cuda.cuMemFree_v2(p))
      assert.equal(INVALID_VALUE, cuda.cuMemFree_v2(p))
      assert.equal(INVALID_VALUE, cuda.cuMemsetD8Async(p, 0, 1, nil))
      must(cuda.cuMemFree_v2(q))
    end)

    it("handles", function()
      local stream, event = simgpu.stream(), simgpu.event()
      assert.equal(INVALID_HANDLE, cuda.cuStreamSynchronize(event))
      assert.equal(INVALID_HANDLE, cuda.cuEventRecord(stream, nil))
      must(cuda.cuStreamDestroy_v2(stream))
      must(cuda.cuEventDestroy_v2(event))
      for _, result in ipairs { cuda.cuStreamDestroy_v2(stream), cuda.cuStreamSynchronize(stream),
        cuda.cuEventDestroy_v2(event), cuda.cuEventRecord(event, nil), cuda.cuEventQuery(event),
        cuda.cuStreamDestroy_v2(nil), cuda.cuModuleUnload(nil) } do
        assert.equal(INVALID_HANDLE, result)
      end
      local out = ffi.new("void *[1]")
      assert.equal(INVALID_VALUE, cuda.cuStreamCreateWithPriority(out, 2, 0))
      assert.equal(INVALID_VALUE, cuda.cuEventCreate(out, 8))
      assert.equal(NOT_FOUND, cuda.cuModuleGetFunction(out, module, "malloc"))
      assert.equal(INVALID_IMAGE, cuda.cuModuleLoadData(out, "no image"))
    end)

    it("contexts", function()
      local out = ffi.new("uint64_t[1]")
      must(cuda.cuCtxSetCurrent(nil))
      assert.equal(INVALID_CONTEXT, cuda.cuMemAlloc_v2(out, 1))
      assert.equal(INVALID_CONTEXT, cuda.cuCtxSetCurrent(ffi.cast("void *", out)))
      must(cuda.cuCtxSetCurrent(context))
      local stream, event, room = simgpu.stream(), simgpu.event(), simgpu.alloc(8)
      simgpu.enter(1)
      for _, result in ipairs { simgpu.launch(fill, 1, args(0)), cuda.cuStreamQuery(stream),
        cuda.cuStreamSynchronize(stream), cuda.cuEventQuery(event), cuda.cuEventRecord(event, nil),
        cuda.cuMemsetD8Async(room, 0, 8, stream), cuda.cuModuleUnload(module) } do
        assert.equal(INVALID_HANDLE, result)
      end
      assert.equal(INVALID_VALUE, cuda.cuMemFree_v2(room))
      must(cuda.cuCtxSetCurrent(context))
      must(cuda.cuMemFree_v2(room))
      must(cuda.cuStreamDestroy_v2(stream))
      must(cuda.cuEventDestroy_v2(event))
      must(cuda.cuDevicePrimaryCtxRelease_v2(1))
      local output = child [[
        print(cuda.cuCtxSynchronize(), cuda.cuDeviceGetCount(ffi.new("int[1]")))
        simgpu.enter(0) local p = simgpu.alloc(8)
        must(cuda.cuDevicePrimaryCtxRelease_v2(0))
        print(cuda.cuMemFree_v2(p), cuda.simgpu_live("allocations"))]]
      assert.equal(("%d\t%d\n%d\t0\n"):format(NOT_INITIALIZED, NOT_INITIALIZED, CONTEXT_IS_DESTROYED), output)
    end)

    it("kernel text and options", function()
      local image, log, result = simgpu.compile("int x = ;\n")
      assert.same({ nil, 6 }, { image, result })
      local _, lines = process.read("kernels/prelude_cuda.h"):gsub("\n", "")
      assert.truthy(log:find(("spec.cu(%d): error"):format(lines + 1), 1, true), log)
      image, log, result = simgpu.compile("", nil, "// another prelude\n")
      assert.same({ nil, 6 }, { image, result })
      assert.matches("does not begin with the text of kernels/prelude_cuda.h", log)
      for _, option in ipairs { "--no-such-option", "-arch=sm_12", "--gpu-architecture=x", "nothing" } do
        assert.equal(5, select(3, simgpu.compile("", { option })))
      end
      assert.truthy(simgpu.compile("", { "-arch=sm_90", "--fmad=false", "-diag-suppress=186", "-DA=1", "-lineinfo" }))
    end)
  end)

  describe("fails on demand", function()
    after_each(function() cuda.simgpu_reset() end)

    it("once or for ever, counted from now", function()
      local out = ffi.new("uint64_t[1]")
      cuda.simgpu_reset()
      assert.equal(-1, cuda.simgpu_fail("cuNothing", 1, 2, 0))
      assert.equal(0, cuda.simgpu_fail("cuMemAlloc_v2", 2, OUT_OF_MEMORY, 0))
      local results = {}
      for i = 1, 3 do
        results[i] = cuda.cuMemAlloc_v2(out, 8)
        if results[i] == 0 then must(cuda.cuMemFree_v2(out[0])) end
      end
      assert.same({ 0, OUT_OF_MEMORY, 0 }, results)
      assert.equal(3, cuda.simgpu_calls("cuMemAlloc_v2"))
      cuda.simgpu_fail("cuMemAlloc_v2", 1, OUT_OF_MEMORY, 1)
      for _ = 1, 3 do assert.equal(OUT_OF_MEMORY, cuda.cuMemAlloc_v2(out, 8)) end
    end)

    it("from the environment, with sticky codes when the work runs", function()
      local output = child([[
        simgpu.enter(0) local p = simgpu.alloc(8) print(cuda.cuMemAlloc_v2(ffi.new("uint64_t[1]"), 8))
        print(cuda.cuMemsetD8Async(p, 0, 8, nil), cuda.cuCtxSynchronize(), cuda.cuMemsetD8Async(p, 0, 8, nil))]],
        { SIMGPU_FAIL = "cuMemAlloc_v2:2=2,cuMemsetD8Async:1=719" })
      assert.equal("2\n0\t719\t719\n", output)
    end)
  end)

  it("counts what lives, and reports it at exit", function()
    local output = child([[simgpu.enter(0) simgpu.alloc(1234) simgpu.event() simgpu.stream()]], { SIMGPU_LEAKS = "1" })
    assert.matches("^simgpu: live at exit: 1 allocations 0 pinned 1 streams 1 events 0 modules "
      .. "0 graphs 0 instances 0 arrays 0 textures 0 surfaces\n"
      .. "simgpu: cuda:0: 1234 bytes at 0x%x+\n$", output)
    local before = cuda.simgpu_live "events"
    local event = simgpu.event()
    assert.equal(before + 1, cuda.simgpu_live "events")
    must(cuda.cuEventDestroy_v2(event))
    assert.equal(-1, cuda.simgpu_live "nothing")
  end)

  it("refuses the child of a fork", function()
    local output, status = child [[
      ffi.cdef "int fork(void); int waitpid(int, int *, int); void _exit(int);"
      simgpu.enter(0) local p, out = simgpu.alloc(8), ffi.new("uint64_t[1]")
      local pid = ffi.C.fork()
      if pid == 0 then os.exit(cuda.cuInit(0) + 10 * cuda.cuMemFree_v2(p)) end
      local status = ffi.new("int[1]")
      ffi.C.waitpid(pid, status, 0)
      print(status[0] / 256) must(cuda.cuMemFree_v2(p))]]
    assert.same({ "33\n", 0 }, { output, status })
  end)
end)
