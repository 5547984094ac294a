--- PyCUDA's form of kernels: SourceModule, prepared calls, memory by bytes, host arrays as arguments.
local cn = require "cuna"
local devices = require "spec.support.devices"
local ffi = require "ffi"
local raises = require("spec.support.raises").raises

local cuda = cn.cuda

local CODE = [[
__global__ void doublify(float *a) {
  int idx = threadIdx.x + threadIdx.y * 4;
  a[idx] *= 2;
}
__global__ void VecAdd(const float *A, const float *B, float *C, int N) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}
struct Pair { int a, b; };
__global__ void take(Pair p, int *out, double d) { out[0] = p.a + (int)d; }
__global__ void grow(unsigned char *bytes, int n) { extern __shared__ int s[]; s[n - 1] = 5; bytes[0] = s[n - 1]; }
__constant__ float scale[2];
]]

--- 1, 2, 3, ... of float32 on the cpu device.
local function host(n)
  return cn.device("cpu"):with(function() return (cn.arange(n) + 1):astype "float32" end)
end

devices.each_device(function(device)
  local module
  setup(function() module = cuda.SourceModule(CODE) end)

  describe("a SourceModule's function", function()
    it("doubles what was copied to the device, as in PyCUDA's tutorial", function()
      local a = host(16):reshape(4, 4)
      local a_gpu = cuda.mem_alloc(a.nbytes)
      cuda.memcpy_htod(a_gpu, a)
      local doublify = module:get_function "doublify"
      doublify(a_gpu, {block = {4, 4, 1}})
      local a_doubled = a * 0
      cuda.memcpy_dtoh(a_doubled, a_gpu)
      assert.equal(a * 2, a_doubled)
    end)

    it("takes arrays of the device and numbers", function()
      local x = device:with(function() return cn.ones(10, "float32") end)
      local z = cn.zeros(10, "float32")
      module:get_function "VecAdd"(x, x, z, 9, {block = {4, 1, 1}, grid = {3, 1}})
      assert.same({2, 2, 2, 2, 2, 2, 2, 2, 2, 0}, z:totable())
      module:get_function "VecAdd"(x, x, z, 10, {block = 10})
      assert.equal(20, z:sum():item())
    end)

    it("takes host arrays by In, Out and InOut", function()
      local a, b, c = host(8), host(8), host(8) * 0
      local VecAdd = module:get_function "VecAdd"
      VecAdd(cuda.In(a), cuda.In(b), cuda.Out(c), 8, {block = {8, 1, 1}, grid = {1, 1}})
      assert.equal(a + b, c)
      VecAdd(cuda.In {1, 1, 1, 1}, cuda.In(b[{{1, 4}}]), cuda.Out(c["::2"]), 4, {block = 4})
      assert.same({2, 4, 3, 8, 4, 12, 5, 16}, c:totable())
      module:get_function "doublify"(cuda.InOut(a), {block = {4, 2, 1}})
      assert.equal(b * 2, a)
      module:get_function "doublify"(cuda.In(a), {block = {4, 2, 1}})
      assert.equal(b * 2, a)
      module:get_function "doublify"(cuda.InOut(a["::-1"]), {block = {4, 2, 1}})
      assert.equal(b * 4, a)
      raises("VecAdd: parameter 'A' is a pointer to float32, got an array of float64", function()
        VecAdd(cuda.In(a:astype "float64"), cuda.In(b), cuda.Out(c), 8, {block = 8})
      end)
    end)

    it("has dynamic shared memory", function()
      local memory = cuda.mem_alloc(4)
      module:get_function "grow"(memory, 100, {block = 1, shared = 400})
      local bytes = cn.device("cpu"):with(function() return cn.zeros(1, "uint8") end)
      cuda.memcpy_dtoh(bytes, memory)
      assert.equal(5, bytes[1])
    end)

    it("is prepared by letters", function()
      local f = module:get_function "VecAdd"
      local x, z = cn.ones(6, "float32"), cn.zeros(6, "float32")
      assert.equal(f, f:prepare "PPPi")
      f:prepared_call({2, 1}, {3, 1, 1}, x, x, z, 6)
      assert.equal(12, z:sum():item())
      f:prepared_call(2, 3, x, z, z, 6, {shared_size = 16})
      assert.equal(18, z:sum():item())
      local out = cn.zeros(1, "int32")
      local take = module:get_function "take":prepare "qPd"
      take:prepared_call(1, 1, 2LL ^ 32 + 5, out, 3.5)
      assert.equal(8, out[1])
    end)

    it("is refused without a block", function()
      local f, x = module:get_function "doublify", cn.zeros(16, "float32")
      local words = "doublify: the block is missing; a call is doublify(arguments..., {block = {x, y, z}, grid = "
      raises(words, function() f(x) end)
      raises(words, function() f() end)
      raises(words, function() f(x, {grid = 1}) end)
      raises(words, function() f(1, 16, {x}) end)
      raises("doublify: unknown option 'streams'; known are block, grid, shared, stream", function()
        f(x, {block = 1, streams = 2})
      end)
      raises("doublify: shared is a count, got -1", function() f(x, {block = 1, shared = -1}) end)
      raises("doublify: the block is 0; it is 1 at least", function() f(x, {block = 0}) end)
      raises("doublify: the grid's y is 0", function() f(x, {block = 1, grid = {1, 0}}) end)
      raises("doublify: missing argument 1 'a'", function() f({block = 1}) end)
      raises("doublify: takes 1 arguments (float *a), got 2", function() f(x, x, {block = 1}) end)
      raises("doublify: missing argument 1 'a'", function() f(nil, {block = 1}) end)
      raises("doublify: parameter 'a' is a pointer to float32, got a number", function() f(3, {block = 1}) end)
    end)

    it("is refused when what prepare says is not the code's", function()
      local f = module:get_function "VecAdd"
      raises("VecAdd: prepared_call: the types come first: f:prepare(\"PPi\")", function() f:prepared_call(1, 1) end)
      raises("VecAdd: prepare: argument 4 is 'int N' in the code, and 'f' is float32", function() f:prepare "PPPf" end)
      raises("VecAdd: prepare: argument 2 is 'const float *B' in the code, and 'i' is int32", function()
        f:prepare "PiPi"
      end)
      raises("VecAdd: prepare: argument 4 is 'int N' in the code, and 'P' is a pointer", function()
        f:prepare "PPPP"
      end)
      raises("VecAdd: prepare: the kernel takes 4 arguments (const float *A, const float *B, float *C, int N), and "
        .. "\"PPP\" says 3", function() f:prepare "PPP" end)
      raises("VecAdd: prepare: 'x' is not a type; P is a pointer", function() f:prepare "PPPx" end)
      raises("VecAdd: prepare: the types are a string such as \"PPi\", got 3", function() f:prepare(3) end)
      raises("prepare: a function's function is called with a colon", function() f.prepare "PPPi" end)
      f:prepare "PPPi"
      raises("VecAdd: unknown option 'shared'; known are shared_size, stream", function()
        f:prepared_call(1, 1, {shared = 4})
      end)
    end)
  end)

  describe("memory", function()
    it("is an object with bytes", function()
      local memory = cuda.mem_alloc(64)
      assert.equal(64, memory.nbytes)
      assert.equal(device, memory.device)
      assert.equal(("<64 bytes at 0x%x on %s>"):format(memory.ptr, device.name), tostring(memory))
      memory:free()
      memory:free()
      raises("doublify: the allocation of 64 bytes was freed", function()
        module:get_function "doublify"(memory, {block = 1})
      end)
      raises("cuda.memset: the allocation of 64 bytes was freed", function() cuda.memset(memory, 0) end)
      raises("cuda.mem_alloc: nbytes is a count, got -1", function() cuda.mem_alloc(-1) end)
      raises("cuda.mem_alloc: nbytes is 1 at least", function() cuda.mem_alloc(0) end)
      raises("an allocation has no field 'nbyte'; did you mean 'nbytes'?", function() return (memory.nbyte) end)
      raises("an allocation's field 'nbytes' cannot be set", function() memory.nbytes = 3 end)
      raises("free: an allocation's function is called with a colon", function() memory.free() end)
    end)

    it("is taken by a RawKernel as well", function()
      local memory, back = cuda.mem_alloc(16), host(4)
      cuda.memset(memory, 0)
      cn.RawKernel("__global__ void set(float *x) { x[threadIdx.x] = 7; }", "set")(1, 3, {memory})
      cuda.memcpy_dtoh(back, memory)
      assert.same({7, 7, 7, 0}, back:totable())
    end)

    it("is copied by bytes", function()
      local x, back = host(4), host(4) * 0
      local memory = cuda.mem_alloc(32)
      cuda.memset(memory, 255, 32)
      cuda.memcpy_htod(memory, x)
      local other = cuda.mem_alloc(16)
      cuda.memcpy_dtod(other, memory, 16)
      cuda.memcpy_dtoh(back, other)
      assert.equal(x, back)
      cuda.memcpy_htod(other, "\0\0\128\63\0\0\0\64")
      cuda.memcpy_dtoh(back, other)
      assert.same({1, 2, 3, 4}, back:totable())
      local source, target = ffi.new("float[3]", 5, 6, 7), ffi.new "struct { float a, b; }"
      cuda.memcpy_htod(other, source)
      cuda.memcpy_dtoh(target, other)
      assert.same({5, 6}, {target.a, target.b})
      local array = cn.zeros(4, "float32")
      cuda.memcpy_htod(array, x)
      assert.same({1, 2, 3, 4}, array:totable())
      cuda.memcpy_dtod(array, other)
      assert.same({5, 6, 7, 4}, array:totable())
      cuda.memset(array, 0, 8)
      cuda.memcpy_dtoh(back, array)
      assert.same({0, 0, 7, 4}, back:totable())
    end)

    it("is refused where sizes or places do not suit", function()
      local memory, x = cuda.mem_alloc(8), host(4)
      raises("cuda.memcpy_htod: 16 bytes do not fit: dst has 8, src has 16", function() cuda.memcpy_htod(memory, x) end)
      raises("cuda.memcpy_dtoh: 16 bytes do not fit: dst has 16, src has 8", function() cuda.memcpy_dtoh(x, memory) end)
      raises("cuda.memcpy_dtod: 9 bytes do not fit: dst has 8, src has 8", function()
        cuda.memcpy_dtod(memory, memory, 9)
      end)
      raises("cuda.memset: dst has 8 bytes, and count is 9", function() cuda.memset(memory, 0, 9) end)
      raises("cuda.memset: byte is 0 to 255, got 256", function() cuda.memset(memory, 256) end)
      raises("cuda.memcpy_htod: src is device memory; the order is (dst, src)", function()
        cuda.memcpy_htod(memory, memory)
      end)
      raises("cuda.memcpy_dtoh: dst is device memory; the order is (dst, src)", function()
        cuda.memcpy_dtoh(memory, x)
      end)
      raises("cuda.memcpy_htod: dst is device memory (cn.cuda.mem_alloc or an array), got a table", function()
        cuda.memcpy_htod({1, 2}, x)
      end)
      raises("cuda.memcpy_htod: src is host memory (an array of the cpu device or an FFI array), got a table; make "
        .. "one: cn.array(t, dtype)", function() cuda.memcpy_htod(memory, {1, 2}) end)
      raises("cuda.memcpy_dtoh: dst is host memory (an array of the cpu device or an FFI array), got \"\"", function()
        cuda.memcpy_dtoh("", memory)
      end)
      raises("cuda.memcpy_htod: src is float *, whose length is not known; write cn.frombuffer(", function()
        cuda.memcpy_htod(memory, ffi.new("float[1]") + 0)
      end)
      raises("cuda.memcpy_htod: src is a strided view; copy it with x:copy()", function()
        cuda.memcpy_htod(memory, x["::2"])
      end)
      raises("cuda.memcpy_htod: dst is an array of float64 and src one of float32; convert one", function()
        cuda.memcpy_htod(cn.zeros(4), x)
      end)
      if device.kind ~= "cpu" then
        raises("cuda.memcpy_htod: src is on cuda:0; host memory is an array of the cpu device", function()
          cuda.memcpy_htod(memory, cn.zeros(1))
        end)
      end
    end)

    it("is a module's variable, and its size", function()
      local scale, nbytes = module:get_global "scale"
      assert.equal(8, nbytes)
      cuda.memcpy_htod(scale, host(2))
      assert.same({1, 2}, scale:totable())
    end)
  end)
end)

describe("PyCUDA's form", function()
  it("refuses invalid sources", function()
    raises("SourceModule: source is a string of CUDA C++, got nil", function() cuda.SourceModule() end)
    raises("SourceModule: the code has no kernel", function() cuda.SourceModule "int f();" end)
    raises("SourceModule: the code has no kernel 'f'; it has VecAdd, doublify, grow, take", function()
      cuda.SourceModule(CODE):get_function "f"
    end)
    raises("SourceModule: unknown option 'nvcc'; known are options, include_dirs, no_extern_c", function()
      cuda.SourceModule(CODE, {nvcc = "nvcc"})
    end)
    raises("SourceModule: include_dirs is a table of strings, got 3", function()
      cuda.SourceModule(CODE, {include_dirs = 3})
    end)
    raises("cuda.SourceModule: a function of cn.cuda is called with a dot: cn.cuda.SourceModule(...)", function()
      cuda:SourceModule(CODE)
    end)
    raises("cuda.mem_alloc: a function of cn.cuda is called with a dot", function() cuda:mem_alloc(3) end)
  end)

  it("refuses values that are not host arrays", function()
    raises("cuda.In: expected an array or a nested table, got 3", function() cuda.In(3) end)
    raises("cuda.Out: expected an array, got a table", function() cuda.Out {1, 2} end)
    raises("cuda.InOut: expected an array, got nil", function() cuda.InOut() end)
  end)

  it("shows itself", function()
    local module = cuda.SourceModule(CODE, {"-DX"}, {"/tmp"}, true)
    local f = module:get_function "doublify"
    assert.equal("<SourceModule> <function doublify(float *a)>", tostring(module) .. " " .. tostring(f))
    assert.equal("doublify", f.name)
    raises("a function has no field 'prepar'; did you mean 'prepare'?", function() return (f.prepar) end)
    raises("a function's fields cannot be changed: 'name'", function() f.name = "g" end)
    raises("a module has no field 'get_functio'; did you mean 'get_function'?", function()
      return (module.get_functio)
    end)
    raises("a module's fields cannot be changed: 'x'", function() module.x = 1 end)
    raises("get_function: a module's function is called with a colon: module:get_function()", function()
      module.get_function "doublify"
    end)
  end)
end)
