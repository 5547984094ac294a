--- Memory that is shared with other libraries by DLPack: exported, imported, given back once, and refused.
local cn = require "cuna"
local devices = require "spec.support.devices"
local ffi = require "ffi"
local simgpu = require "spec.simgpu.driver"
local process = require "spec.support.process"
local raises = require("spec.support.raises").raises

local DTYPES = {"bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "bfloat16",
  "float32", "float64", "complex64", "complex128"}
local CODES = {b = 6, i = 0, u = 1, f = 2, c = 5}

require "spec.support.dlpack"
pcall(ffi.cdef, [[
  int peer_deleted(void);
  DLManagedTensor *peer_make(const DLTensor *like, const void *bytes, size_t nbytes);
  DLManagedTensorVersioned *peer_make_versioned(const DLTensor *like, const void *bytes, size_t nbytes, uint32_t major,
    uint64_t flags);
  double peer_consume(DLManagedTensor *managed);
]])

local folder, peer = process.folder(), nil

setup(function()
  local command = "cc -std=gnu11 -g -shared -fPIC -o %s/peer.so spec/support/dlpack_peer.c -lpthread"
  local text, status = process.shell(command:format(folder))
  assert(status == 0, text)
  peer = ffi.load(folder .. "/peer.so")
end)
teardown(function() process.remove(folder) end)

--- A tensor as another library describes it; the fields of `wrong` take the place of its own.
local function tensor(wrong)
  local t = ffi.new "DLTensor"
  local like = {device = {1, 0}, ndim = 2, dtype = {2, 64, 1}, shape = {2, 3}, byte_offset = 0}
  for name, value in pairs(wrong or {}) do like[name] = value end
  t.data = ffi.cast("void *", like.data or 64) -- 0: none; else the peer puts its own
  t.device, t.ndim, t.dtype, t.byte_offset = like.device, like.ndim, like.dtype, like.byte_offset
  local anchor = {}
  for _, name in ipairs {"shape", "strides"} do
    anchor[name] = like[name] and ffi.new("int64_t[?]", math.max(#like[name], 1), like[name])
    t[name] = anchor[name] or nil
  end
  return t, anchor
end

local BYTES = ffi.new("double[64]")
for k = 0, 63 do BYTES[k] = k end

local function make(wrong, flags, major)
  local like, anchor = tensor(wrong)
  local made = flags and peer.peer_make_versioned(like, BYTES, ffi.sizeof(BYTES), major or 1, flags)
    or peer.peer_make(like, BYTES, ffi.sizeof(BYTES))
  anchor.shape = nil
  return made
end

local function collect()
  collectgarbage()
  collectgarbage()
end

--- How many tensors of the peer's fn() made it delete.
local function deleted(fn)
  collect()
  local before = peer.peer_deleted()
  fn()
  collect()
  return peer.peer_deleted() - before
end

--- The numbers from first to last in the order of their names.
local function list(pointer, count)
  local values = {}
  for k = 1, count do values[k] = tonumber(pointer[k - 1]) end
  return values
end

devices.each_device(function(device)
  describe("an exported array", function()
    it("is described", function()
      for _, dtype in ipairs(DTYPES) do
        local x = cn.zeros({4, 6}, dtype)["::2, ::-1"]
        local capsule = x:to_dlpack()
        local t = capsule:pointer().dl_tensor
        assert.equal(dtype == "bfloat16" and 4 or CODES[dtype:sub(1, 1)], t.dtype.code, dtype)
        assert.equal(8 * x.itemsize, t.dtype.bits)
        assert.equal(1, t.dtype.lanes)
        assert.same({device.kind == "cpu" and 1 or 2, 0}, {t.device.device_type, t.device.device_id})
        assert.same({2, 6}, list(t.shape, t.ndim))
        assert.same({12, -1}, list(t.strides, t.ndim))
        assert.equal(0, tonumber(t.byte_offset))
      end
      local capsule = cn.zeros(0):to_dlpack {max_version = {1, 2}}
      local v = capsule:pointer()
      assert.same({1, 1, 0}, {v.version.major, v.version.minor, tonumber(v.flags)})
      assert.is_true(v.dl_tensor.data == nil)
      assert.equal(2, tonumber(cn.zeros(2):to_dlpack({max_version = {1, 0}, copy = true}):pointer().flags))
      assert.equal(1, tonumber(cn.broadcast_to(1, 3):to_dlpack({max_version = {1, 0}}):pointer().flags))
    end)

    it("comes back sharing memory, in every layout and dtype", function()
      for _, dtype in ipairs(DTYPES) do
        for _, max_version in ipairs {{0, 8}, {1, 0}} do
          local x = cn.array({{0, 1, 1}, {1, 0, 1}}, dtype)
          for _, y in ipairs {x, x.T, x["::-1, ::2"], x[1], x[{1, 1, cn.ellipsis}], x[{{}, {2, 1}}]} do
            local z = cn.from_dlpack(y:to_dlpack {max_version = max_version})
            assert.equal(dtype, z.dtype)
            assert.is_true(z == y and z.shape == y.shape and z.device == device)
            assert.is_false(z.flags.owndata)
            assert.is_true(cn.shares_memory(z, y) or y.size == 0)
          end
        end
      end
    end)

    it("is written to and read by both", function()
      local x = cn.arange(6):astype "float64":reshape(2, 3)
      local y = cn.from_dlpack(x.T)
      y[{1, 2}] = 10
      x:add_(1)
      assert.same({{1, 11}, {2, 5}, {3, 6}}, y:totable())
      local copy = cn.from_dlpack(x, {copy = true})
      copy:fill(0)
      assert.same({{1, 2, 3}, {11, 5, 6}}, x:totable())
      local own = cn.from_dlpack(x:to_dlpack {copy = true})
      own:fill(0)
      assert.same({{1, 2, 3}, {11, 5, 6}}, x:totable())
    end)

    it("keeps its memory", function()
      local x = cn.ones(1000)
      local capsule = x:to_dlpack()
      x:free()
      collect()
      cn.zeros(1000):fill(7)
      local y = cn.scope(function() return cn.from_dlpack(capsule) end)
      local z = y["2:5"]
      y:free()
      collect()
      assert.same({1, 1, 1, 1}, z:totable())
    end)

    it("gives its memory back", function()
      local pool = cn.cuda.MemoryPool()
      pool:with(function()
        local capsule = cn.ones(100):to_dlpack()
        collect()
        assert.equal(1024, pool:used_bytes())
        capsule = tostring(capsule) and nil
        collect()
        assert.equal(0, pool:used_bytes())
        local x = cn.from_dlpack(cn.ones(100))
        collect()
        assert.equal(1024, pool:used_bytes())
        x:free()
        cn.synchronize() -- memory of another library goes back when the device has finished its work
        assert.equal(0, pool:used_bytes())
        return capsule
      end)
    end)

    it("is ordered for the consumer's stream", function()
      local own, other = cn.cuda.Stream {non_blocking = true}, cn.cuda.Stream {non_blocking = true}
      local x = cn.zeros(100000)
      cn.synchronize()
      own:with(function() for _ = 1, 5 do x:add_(1) end end)
      local capsule = own:with(function() return x:to_dlpack {stream = other} end)
      local sum = other:with(function() return cn.from_dlpack(capsule):sum() end)
      other:synchronize()
      assert.equal(500000, sum:item())
      own:with(function() x:add_(1) end)
      capsule = own:with(function() return x:to_dlpack() end)
      assert.equal(600000, cn.from_dlpack(capsule):sum():item())
      own:with(function() x:add_(1) end)
      local y = other:with(function() return own:with(function() return cn.from_dlpack(x) end) end)
      own:with(function() assert.equal(700000, y:sum():item()) end)
      for _, stream in ipairs {-1, 1, 2} do assert.equal(100000, cn.from_dlpack(x:to_dlpack {stream = stream}).size) end
    end)
  end)
end)

describe("a tensor of another library", function()
  it("is read where it is", function()
    assert.equal(1, deleted(function()
      local x = cn.from_dlpack(make())
      assert.same({{0, 1, 2}, {3, 4, 5}}, x:totable())
      x:mul_(2)
      assert.same({0, 2, 4}, x[1]:totable())
    end))
    for _, case in ipairs {
      {{strides = {1, 2}}, {{0, 2, 4}, {1, 3, 5}}},
      {{strides = {3, 1}, byte_offset = 16}, {{2, 3, 4}, {5, 6, 7}}},
      {{strides = {-3, -1}, byte_offset = 40}, {{5, 4, 3}, {2, 1, 0}}},
      {{ndim = 1, shape = {3}, strides = {0}, byte_offset = 8}, {1, 1, 1}},
      {{ndim = 1, shape = {0}}, {}},
      {{ndim = 2, shape = {0, 5}, data = 0}, {}},
      {{ndim = 0, shape = false}, 0},
      {{ndim = 1, shape = {1}, strides = {1000000}}, {0}},
      {{device = {3, 0}, ndim = 1, shape = {2}}, {0, 1}},
    } do
      for _, flags in ipairs {false, 0} do
        assert.equal(1, deleted(function()
          assert.same(case[2], cn.from_dlpack(make(case[1], flags)):totable())
        end))
      end
    end
  end)

  it("is given back when the last view is gone", function()
    local x = cn.from_dlpack(make())
    local view = x.T["2:"]
    assert.equal(0, deleted(function() x:free() end))
    assert.same({{1, 4}, {2, 5}}, view:totable())
    assert.equal(1, deleted(function() view:free() end))
    assert.equal(1, deleted(function() cn.scope(function() return (cn.from_dlpack(make()) + 1) end) end))
    assert.equal(1, deleted(function() cn.from_dlpack(make(), {copy = true}) end))
    assert.equal(1, deleted(function() cn.from_dlpack(ffi.cast("void *", make({}, 0)), {versioned = true}) end))
    local made = make()
    local deleter = made.deleter
    made.deleter = nil
    assert.equal(0, deleted(function() assert.equal(15, cn.from_dlpack(made):sum():item()) end))
    deleter(made)
  end)

  it("may be read-only", function()
    local x = cn.from_dlpack(make({strides = {1, 2}}, 1))
    assert.is_false(x.flags.writeable or x[1].flags.writeable or x.base.flags.writeable)
    raises("fill: the array of shape (2, 3) is read-only memory of another owner", function() x:fill(1) end)
    raises("to_dlpack: the array is read-only memory of another owner, and only versioned tensors",
      function() x:to_dlpack() end)
    assert.is_false(cn.from_dlpack(x).flags.writeable)
    assert.is_true(cn.from_dlpack(make({}, 2)).flags.writeable)
    x = cn.from_dlpack(make({ndim = 1, shape = {4}}, 1))
    assert.is_true(ffi.istype("const double *", x:pointer()))
  end)

  it("is what an object exports", function()
    local producer = {to_dlpack = function() return make({}, 0) end}
    assert.equal(1, deleted(function() assert.equal(15, cn.from_dlpack(producer):sum():item()) end))
    producer.to_dlpack = function() return cn.arange(4):to_dlpack() end
    assert.equal(6, cn.from_dlpack(producer):sum():item())
  end)
end)

if cn.cuda.is_available() then
  describe("memory of a GPU that is shared", function()
    pcall(ffi.cdef, [[
      int dlpack_spec_create(void **stream, unsigned flags, int priority) __asm__("cuStreamCreateWithPriority");
      int dlpack_spec_destroy(void *stream) __asm__("cuStreamDestroy_v2");
    ]])
    local driver = ffi.load "libcuda.so.1"
    local device, before = nil, nil

    setup(function()
      before, device = cn.device(), cn.device("cuda:0")
      device:use()
    end)
    teardown(function() before:use() end)

    --- A tensor over x's memory, and a table with how often it was deleted.
    local function tensor_of(x)
      local kept, seen = x:to_dlpack(), {count = 0}
      local made = ffi.new("DLManagedTensor", ffi.cast("DLManagedTensor *", kept:pointer())[0])
      seen.kept, seen.tensor = kept, made
      made.deleter = ffi.cast("void (*)(DLManagedTensor *)", function() seen.count = seen.count + 1 end)
      return made, seen
    end

    it("goes back when the device has finished its work, without a wait", function()
      local x = cn.arange(1000)
      local function waits()
        local sum = 0
        for _, row in ipairs(simgpu.here and {"cuStreamSynchronize", "cuCtxSynchronize", "cuEventSynchronize"} or {}) do
          sum = sum + simgpu.cuda.simgpu_calls(row)
        end
        return sum
      end
      --- Whether memory that the device still reads was kept when its array was freed.
      local function is_kept()
        cn.synchronize()
        local shared, seen = tensor_of(x)
        local y = cn.from_dlpack(ffi.cast("DLManagedTensor *", shared))
        local z, count = y + 1, waits()
        y:free()
        local kept = seen.count == 0
        assert.equal(count, waits())
        cn.synchronize()
        assert.equal(1, seen.count)
        assert.equal(1000, z[1000])
        return kept
      end
      local tries = 0
      repeat -- a device may be done before its work is looked at
        tries = tries + 1
        assert.is_true(tries <= 50)
      until is_kept()
      local shared, seen = tensor_of(x)
      cn.from_dlpack(ffi.cast("DLManagedTensor *", shared)):free()
      assert.equal(1, seen.count) -- the device had nothing to do
    end)

    it("ends no capture when it was another library's stream that used it", function()
      local handle = ffi.new "void *[1]"
      assert.equal(0, driver.dlpack_spec_create(handle, 1, 0))
      local side, held = cn.cuda.Stream {non_blocking = true}, cn.cuda.Stream {non_blocking = true}
      local y = cn.zeros(10)
      cn.add(y, 1, {out = y})
      for _, is_deleted_early in ipairs {true, false} do
        cn.get_default_memory_pool():free_all_blocks()
        local x = side:with(cn.ones, 2 ^ 18)
        local taken = side:with(function() return x:to_dlpack {stream = handle[0]}:take() end)
        x:free()
        if is_deleted_early then taken.deleter(taken) end
        collectgarbage()
        held:begin_capture()
        held:with(cn.add, y, 1, {out = y})
        if not is_deleted_early then taken.deleter(taken) end
        local again = side:with(function() return cn.ones(2 ^ 18) + 1 end)
        held:end_capture():launch(side)
        side:synchronize()
        assert.equal(2 ^ 19, again:sum():item())
      end
      assert.equal(3, y[10])
      assert.equal(0, driver.dlpack_spec_destroy(handle[0]))
      cn.synchronize()
      cn.get_default_memory_pool():free_all_blocks()
      assert.equal(2 ^ 18, side:with(function() return cn.ones(2 ^ 18):sum():item() end))
    end)
  end)
end

describe("another library", function()
  it("uses an array, and gives it back from another thread", function()
    local x = cn.device("cpu"):with(function() return cn.arange(24):astype "float64":reshape(2, 3, 4) end)
    for _, y in ipairs {x, x:transpose(3, 1, 2), x["::-1, 2:, ::3"]} do
      assert.equal(y:sum():item(), peer.peer_consume(y:to_dlpack():take()))
    end
    local capsule = x:to_dlpack()
    peer.peer_consume(capsule:take())
    raises("from_dlpack: the DLPack capsule was taken already", function() cn.from_dlpack(capsule) end)
    raises("take: the DLPack capsule was taken already", function() local _ = capsule:take() end)
    raises("pointer: the DLPack capsule was taken already", function() local _ = capsule:pointer() end)
    assert.equal("DLPack capsule (unversioned, taken)", tostring(capsule))
  end)

  it("is NumPy, where there is one", function()
    local python = "/usr/bin/python3"
    local library = process.shell("ls /usr/lib/*/libluajit-5.1.so.2 2>/dev/null"):match "^[^\n]+"
    local has_numpy = os.execute("env -u LD_PRELOAD " .. python .. " -c 'import numpy' 2>/dev/null") == 0
    if not library or not has_numpy or process.is_sanitized then return end
    local command = "LUA_PATH='./lua/?.lua;./lua/?/init.lua' LUA_CPATH='%s/lib/?.so' CUNA_DEVICE=cpu %s -u %s %s"
    local text, status = process.shell(command:format(process.build, python, "spec/support/dlpack_numpy.py", library))
    assert.equal(0, status, text)
    assert.equal([=[
[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]
[[0, 4, 8], [1, 5, 9], [2, 6, 10], [3, 7, 11]]
[[9, 10, 11], [5, 6, 7], [1, 2, 3]]
[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0]]
[(1+2j)]
66
[[ 0 10 20] [30 40 50]] int64
[[0, 10, 20], [30, 40, 50]] 1
[[ 0. 30.] [10. 40.] [20. 50.]] float64
[[0.0, 30.0], [10.0, 40.0], [20.0, 50.0]] 1
[70 50 30 10] uint8
[70, 50, 30, 10] 1
]=], text)
  end)
end)

describe("tensors that cannot be arrays", function()
  --- Asserts that what is made is refused, was not taken, and can be given back.
  local function refuses(text, wrong, flags, major)
    local made = make(wrong, flags, major)
    assert.equal(0, deleted(function()
      raises("from_dlpack: " .. text, function() cn.from_dlpack(made) end)
    end))
    made.deleter(made)
  end

  it("are refused, and stay with their producer", function()
    refuses("cuna has no dtype for elements of 2 lanes", {dtype = {2, 32, 2}})
    refuses("cuna has no dtype for type code 2 with 128 bits", {dtype = {2, 128, 1}})
    refuses("cuna has no dtype for type code 3 with 64 bits", {dtype = {3, 64, 1}})
    refuses("memory of device type 8 is none that cuna knows", {device = {8, 0}})
    refuses("there is no device with the number -1", {device = {2, -1}})
    refuses("a tensor of 33 axes; arrays have 0 to 32", {ndim = 33, shape = false})
    refuses("a tensor of -1 axes", {ndim = -1, shape = false})
    refuses("a tensor of 2 axes without a shape", {shape = false})
    refuses("shape (2, -3) has a negative length", {shape = {2, -3}})
    refuses("the tensor's strides reach beyond any memory", {strides = {2^61, 1}})
    refuses("a view with length 3 and stride 4611686018427387904 on axis 2", {strides = {1, 2^62}})
    refuses("the memory is not aligned for float64; copy it", {byte_offset = 4})
    refuses("a tensor of DLPack 2.3; cuna knows versions up to 1", {}, 0, 2)
    local made = make()
    local data = made.dl_tensor.data
    made.dl_tensor.data = nil
    raises("from_dlpack: a tensor of elements without memory", function() cn.from_dlpack(made) end)
    made.dl_tensor.data = data
    made.deleter(made)
  end)

  it("are refused with other mistakes", function()
    local x = cn.ones(2)
    raises("from_dlpack: expected a DLPack capsule, a DLManagedTensor * or an array, got 5",
      function() cn.from_dlpack(5) end)
    raises("from_dlpack: the pointer is NULL", function() cn.from_dlpack(ffi.cast("DLManagedTensor *", 0)) end)
    raises("from_dlpack: a void * does not say what it points to", function()
      cn.from_dlpack(ffi.cast("void *", 64))
    end)
    raises("from_dlpack: expected a pointer to a DLManagedTensor, got int", function()
      cn.from_dlpack(ffi.new "int[2]")
    end)
    raises("from_dlpack: copy is true or false, got 1", function() cn.from_dlpack(x, {copy = 1}) end)
    raises("to_dlpack: max_version is a version such as {1, 0}, got \"1\"", function()
      x:to_dlpack {max_version = "1"}
    end)
    raises("to_dlpack: stream 0 may be either", function() x:to_dlpack {stream = 0} end)
    raises("to_dlpack: unknown option 'strem'", function() x:to_dlpack {strem = 1} end)
    raises("to_dlpack: expected an array, got 5", function() require("cuna.core").methods().to_dlpack(5) end)
    raises("to_dlpack: the array was freed", function()
      x:free()
      x:to_dlpack()
    end)
    local shared = cn.device("cpu"):with(cn.frombuffer, ffi.new("double[2]", 1, 2), {copy = false})
    raises("to_dlpack: an object of Lua's keeps the array's memory alive", function() shared:to_dlpack() end)
    assert.same({1, 2}, cn.from_dlpack(shared:to_dlpack {copy = true}):totable())
  end)
end)
