--- x:view(dtype): the same memory in another dtype: NumPy's shapes and bytes, bools of any byte, what keeps memory.
local cn = require "cuna"
local core = require "cuna.core"
local devices = require "spec.support.devices"

local it = devices.rehearsed_it()
local ffi = require "ffi"
local sizes = require "cuna.base.dtype_facts"
local golden = dofile("spec/golden/view.lua").views
local raises = require("spec.support.raises").raises
local recorder = require "spec.support.recorder"

--- An array whose bytes are 0, 1, 2, ...
local function counting(dtype, shape)
  local size, bytes = 1, {}
  for _, length in ipairs(shape) do size = size * length end
  for k = 1, size * sizes.size_of[dtype] do bytes[k] = string.char(k - 1) end
  return cn.frombuffer(table.concat(bytes), dtype):reshape(shape)
end

local function hex(x)
  return (x:tobytes():gsub(".", function(byte) return ("%02x"):format(byte:byte()) end))
end

-- Each element of a byte is counted by four threads, one for each byte of the words that they read.
local COUNTS = [==[
#define BINS 64
extern "C" __global__ void counts(const unsigned int *words, int n, unsigned int *bins)
{
    __shared__ unsigned int own[BINS];
    own[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const unsigned int word = words[i];
        for (int k = 0; k < 32; k += 8)
            atomicAdd(own + (word >> k & 0xff) / 4, 1u);
    }
    __syncthreads();
    atomicAdd(bins + threadIdx.x, own[threadIdx.x]);
}
extern "C" __global__ void brighten(uchar4 *pixels, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        uchar4 p = pixels[i];
        pixels[i] = make_uchar4(p.x + 1, p.y + 2, p.z + 3, p.w);
    }
}
]==]

devices.each_device(function(device)
  describe("x:view", function()
    it("has NumPy's shapes, strides and bytes", function()
      for _, case in ipairs(golden) do
        local x = counting(case.dtype, case.shape)[case.key]
        if not core.is_array(x) then x = counting(case.dtype, {}) end
        local note = ("%s of %s[%s] to %s"):format(case.dtype, tostring(x.shape), case.key, case.to)
        if case.refused or case.unaligned then
          local ok, message = pcall(x.view, x, case.to)
          assert.is_false(ok, note)
          assert.match(case.refused and "view: [at]" or "view: elements of", message)
        else
          local y = x:view(case.to)
          assert.equal(case.to, y.dtype, note)
          assert.same(case.result, {unpack(y.shape)}, note)
          if case.strides then assert.same(case.strides, {unpack(y.strides)}, note) end
          assert.equal(case.bytes, hex(y), note)
          assert.equal(x.size > 0, y:shares_memory(x), note)
        end
      end
    end)

    it("writes through to the array, whose bits it shows", function()
      local x = cn.array({1, -0.0, cn.inf, cn.nan}, "float32")
      local bits = x:view "uint32"
      assert.same({0x3f800000, 0x80000000, 0x7f800000}, bits["1:3"]:totable())
      bits:bxor_(0x80000000)
      assert.same({-1, 0, -cn.inf}, x["1:3"]:totable())
      assert.equal(cn.inf, 1 / x[2])
      x[1] = 2
      assert.equal(0x40000000, bits[1])
      bits["3:"] = x["1:2"]:view "uint32"
      assert.same({2, 0, 2, 0}, x:totable())
      assert.same({0, 0, 0, 0x40}, x["1:1"]:view("uint8"):totable())
      assert.same({1.5, 0}, cn.array({0x3fc0, 0}, "uint16"):view("bfloat16"):totable())
      assert.equal(0x3e00, cn.array({1.5}, "float16"):view("int16")[1])
      local z = cn.array {1, 2, 3, 4}
      assert.is_true(z:view "complex128" == cn.array {cn.complex(1, 2), cn.complex(3, 4)})
      assert.is_true(z:view("complex128").imag == cn.array {2, 4})
      assert.is_true(z:view("complex128"):view "float64" == z)
    end)

    it("computes with both in one call", function()
      local x = cn.array({1, 2, 3, 4}, "float32")
      local bits = x:view "int32"
      assert.same({1.0, 2.0, 3.0, 4.0}, x:totable())
      x:add_(bits) -- the same places: read before they are written
      assert.same({0x3f800000, 0x40000000, 0x40400000, 0x40800000}, x:totable())
      local bytes = cn.arange(8, nil, nil, "uint8")
      local words = bytes:view "uint16"
      words["1:2"] = bytes["3:4"] -- half of what is read is written
      assert.same({2, 0, 3, 0, 4, 5, 6, 7}, bytes:totable())
      cn.add(bytes["1:4"], bytes["5:8"], {out = words})
      assert.same({6, 5, 9, 7}, words:totable())
    end)

    it("is another view without a dtype", function()
      local x = cn.arange(6):reshape(2, 3)
      for _, y in ipairs {x:view(), x:view(nil), x:view {}, x:view "int64", x:view {dtype = "int64"}, cn.view(x)} do
        assert.is_true(y == x and y:shares_memory(x) and not rawequal(x, y))
        assert.equal("int64", y.dtype)
      end
      assert.is_true(x.T["::-1"]:view() == x.T["::-1"])
      assert.is_true(x.T["::-1"]:view "uint64" == x.T["::-1"]:astype "uint64")
      assert.equal(7, cn.array(7, "int32"):view("uint32"):item())
      assert.is_true(cn.view({1, 2}, "int64"):has_shape(2))
    end)

    it("takes every byte but 0 of a bool for true", function()
      local x = cn.array({0, 2, 1, 255, 1, 0}, "uint8")
      local b = x:view "bool"
      assert.same({false, true, true, true, true, false}, b:totable())
      assert.is_true(b[2] and b["4:4"]:item() and b:any() and not b:all())
      assert.equal(4, b:sum():item())
      assert.same({0, 1, 2, 3, 4, 4}, b:cumsum():totable())
      assert.same({0, 1, 1, 1, 1, 0}, b:astype("uint8"):totable())
      assert.same({1, 6, 2, 3, 4, 5}, b:argsort():totable())
      assert.same({2, 3, 4, 5, 1, 6}, b:argsort({descending = true}):totable())
      assert.same({0, 0, 1, 1, 1, 1}, b:sort():view("uint8"):totable())
      assert.same({0, 1}, cn.unique(b):view("uint8"):totable())
      assert.same({2, 3, 4, 5}, b:nonzero()[1]:totable())
      assert.same({2, 1, 255, 1}, x[b]:totable())
      assert.same({0x78}, cn.packbits(b):totable())
      assert.is_true(b == x:ne(0) and b:bxor(x:ne(0)):logical_not():all())
      assert.is_true(cn.matmul(b:reshape(2, 3), b:reshape(3, 2)) == cn.ones({2, 2}, "bool"))
      local long = cn.arange(5000):astype("uint8"):view "bool" -- beyond what one block sorts
      assert.equal(1, long:sort():view("uint8"):max():item())
      assert.equal(20, long:logical_not():sum():item())
      assert.same({1, 257}, long:argsort()["1:2"]:totable())
    end)

    it("keeps the memory, and its rules", function()
      local x = cn.arange(4, nil, nil, "float32")
      local y = x:view "uint8"
      assert.equal(16, #y.base:view "uint8")
      x:free()
      collectgarbage()
      assert.same({0, 0, 128, 63}, y["5:8"]:totable())
      raises("view: the array was freed", function() return (x:view()) end)
      local wide = cn.broadcast_to(cn.array({1, 2}, "int32"), {2, 2})
      assert.is_false(wide:view("float32").flags.writeable)
      raises("fill: the array of shape (2, 2) is a broadcast view", function() wide:view("float32"):fill(0) end)
      assert.is_true(wide:view "int8" == cn.broadcast_to(cn.array({1, 0, 0, 0, 2, 0, 0, 0}, "int8"), {2, 8}))
      raises("view: the last axis must be contiguous for a dtype of another size, int32 to int16, and its stride is 0",
        function() return (wide.T:view "int16") end)
    end)

    it("is what kernels of CUDA's read bytes as", function()
      local numbers = cn.arange(0, 4096, 1, "int64")
      local image = (numbers * numbers % 251):astype "uint8":reshape(16, 256)
      local bins = cn.zeros(64, "uint32")
      local module = cn.RawModule {code = COUNTS}
      module:get_function "counts"(3, 64, {image:view "uint32", image.size / 4, bins})
      assert.same(cn.bincount(image:reshape(-1):astype "int64":floor_divide(4) + 1, {minlength = 64}):totable(),
        bins:totable())
      local before = image:copy()
      module:get_function "brighten"(16, 64, {image, 1024})
      assert.is_true(image:reshape(-1, 4) == before:reshape(-1, 4) + cn.array({1, 2, 3, 0}, "uint8"))
    end)

    it("is part of a fused function", function()
      local f = cn.fuse(function(x) return x:view "int32" + 1 end)
      assert.same({1, 0x3f800001}, f(cn.array({0, 1}, "float32")):totable())
      assert.same({1, 1, 0x3f800001}, f(cn.array({0, 0, 1}, "float32")):totable())
      assert.same({1, 2}, f(cn.array({1}, "int64") * 2 ^ 32):totable())
      assert.has.match("view: the last axis of shape %(3,%) has 3 bytes, not a multiple of int32's 4$",
        select(2, pcall(f, cn.zeros(3, "int8"))))
      local x = cn.ones(2)
      assert.is_true(cn.array_equal((x + 1):view "int64", cn.fuse(function(y) return (y + 1):view "int64" end)(x)))
    end)

    it("says what is wrong", function()
      local x = cn.arange(12):reshape(3, 4)
      raises("view: expected a dtype; for another shape write x:reshape(...)", function() return (x:view(2, 6)) end)
      raises("view: expected a dtype; for another shape write x:reshape(...)", function() return (x:view {-1}) end)
      raises("view: unknown dtype 'float'; did you mean 'float64'?", function() return (x:view "float") end)
      raises('view: a dtype is a string such as "float32", got userdata', function() return (x:view(x)) end)
      raises("view: takes at most 2 arguments (x, dtype), got 3", function() return (x:view("int8", 1)) end)
      raises("view: expected an array, got nil", function() return (cn.view()) end)
      raises("view: the last axis must be contiguous for a dtype of another size, int64 to int8, and its stride is 32 "
        .. 'bytes; copy the array first: x:copy():view "int8"', function() return (x.T:view "int8") end)
      raises("view: a 0-d array of float64 (8 bytes) has no axis to scale for int8 (1 bytes); write x:reshape(1):view",
        function() return (cn.array(1):view "int8") end)
      raises("view: elements of complex128 begin at multiples of 16 bytes, and the array's first element does not; ",
        function() return (x[":, 2:3"]["1:1"]:view "complex128") end)
      raises("view: elements of int16 begin at multiples of 2 bytes, and the stride of axis 1 is 5 bytes; copy",
        function() return (cn.zeros({3, 5}, "int8")[":, 1:2"]:view "int16") end)
      assert.is_true(cn.zeros(5)["2:"]["2:1"]:view("complex128"):has_shape(0))
    end)

    if core.is_host(device) then
      it("shows foreign memory", function()
        local memory = ffi.new("float[2]", 1, 2)
        local bits = cn.frombuffer(memory, {copy = false}):view "uint32"
        bits[1] = 0x40400000
        assert.equal(3, memory[0])
      end)
      return
    end

    it("is recorded as a view of what will be computed", function()
      local x = cn.arange(0, 8, 1, "float32")
      local function work()
        local y = x * 2
        return y:view "int32" + 1, y:view "uint8", y:view("int32"):view "float32" - 1
      end
      local a, b, c = work()
      local results = recorder.recorded(work)
      recorder.same(a, results[1])
      recorder.same(b, results[2])
      recorder.same(c, results[3])
    end)

    it("is written to while operations are recorded", function()
      local was_eager = cn.set_eager(false)
      local x = cn.ones(4, "float32") * 1
      local y = x + 1
      x:view("int32"):add_(1) -- all of the memory, in another dtype
      local z = x + 1
      x:view("int32"):multiply_(0)
      cn.set_eager(was_eager)
      assert.same({2, 2, 2, 2}, y:totable())
      assert.same({2, 2, 2, 2}, z:round():totable())
      assert.same({0, 0, 0, 0}, x:totable())
    end)
  end)
end)
