--- The core's functions for raw kernels: modules, functions, arguments, launches, variables.
local cn = require "cuna"
local core = require "cuna.core"
local devices = require "spec.support.devices"
local process = require "spec.support.process"
local raises = require("spec.support.raises").raises

local SOURCE = [[
#define FACTOR 3
struct Pair { int a; double b; };
__device__ int counter = 7;
__constant__ float limits[4] = {1.0f, 2.0f, 3.0f, 4.0f};

template <class T> __global__ void scale(T *x, T factor, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = x[i] * factor;
}
namespace ns {
__global__ void add(const float *x, const float *y, float *z)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    z[i] = x[i] + FACTOR * y[i];
}
}
__global__ void numbers(double *out, bool b, signed char c, unsigned short s, unsigned int u, long long l,
                        unsigned long long ull, float f, double d)
{
    out[0] = b; out[1] = c; out[2] = s; out[3] = u; out[4] = (double)l; out[5] = (double)(ull >> 1); out[6] = f;
    out[7] = d;
}
__global__ void where(int *out)
{
    int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    out[block * blockDim.x * blockDim.y * blockDim.z + thread] = 1000 * block + thread;
}
__global__ void pairs(double *out, Pair p, float f) { out[0] = p.a; out[1] = p.b; out[2] = f; }
__global__ void vectors(const float4 *x, float *y) { float4 v = x[threadIdx.x]; y[threadIdx.x] = v.x + v.w; }
__global__ void reverse(int *x)
{
    extern __shared__ int room[];
    room[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = room[blockDim.x - 1 - threadIdx.x];
}
__global__ void own(int *x)
{
    __shared__ int room[64];
    room[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = room[63 - threadIdx.x];
}
__global__ void count(float *out) { out[0] = limits[2]; counter = counter + 1; }
__global__ void nothing() {}
]]

local NAMES = { "scale<float>", "scale<int>", "ns::add", "numbers", "where", "pairs", "vectors", "reverse", "own",
  "count", "nothing" }

local function pointer(name, dtype, const, lanes)
  return { name = name, kind = "pointer", dtype = dtype, const = const, lanes = lanes }
end
local function number(name, dtype) return { name = name, kind = "number", dtype = dtype } end
local function opaque(name) return { name = name, kind = "opaque" } end

local PARAMS = {
  ["scale<float>"] = { pointer("x", "float32"), number("factor", "float32"), number("n", "int32") },
  ["scale<int>"] = { pointer("x", "int32"), number("factor", "int32"), number("n", "int32") },
  ["ns::add"] = { pointer("x", "float32", true), pointer("y", "float32", true), pointer("z", "float32") },
  numbers = { pointer("out", "float64"), number("b", "bool"), number("c", "int8"), number("s", "uint16"),
    number("u", "uint32"), number("l", "int64"), number("ull", "uint64"), number("f", "float32"),
    number("d", "float64") },
  where = { pointer("out", "int32") },
  pairs = { pointer("out", "float64"), opaque "p", opaque "f" },
  vectors = { pointer("x", "float32", true, 4), pointer("y", "float32") },
  reverse = { pointer("x", "int32") },
  own = { pointer("x", "int32") },
  count = { pointer("out") },
  nothing = {},
}

--- Launches one row of blocks.
local function launch(f, blocks, threads, ...)
  core.raw_launch(f, blocks, 1, 1, threads, 1, 1, 0, false, { ... }, select("#", ...))
end

--- Asserts that such a launch raises.
local function refuses_launch(text, f, blocks, threads, ...)
  local args, n = { ... }, select("#", ...)
  raises(text, function() core.raw_launch(f, blocks, 1, 1, threads, 1, 1, 0, false, args, n) end)
end

devices.each_device(function(device)
  local module, f

  setup(function()
    module = core.raw_compile(device, "spec", SOURCE, {}, NAMES)
    f = {}
    for _, name in ipairs(NAMES) do
      f[name] = core.raw_function(module, name, name:match "%w+$" or name:match "%w+", PARAMS[name])
    end
  end)

  describe("a function", function()
    it("is an instance of a template, or in a namespace", function()
      local x, k = cn.array({ 1, 2, 3 }, "float32"), cn.array({ 1, 2, 3 }, "int32")
      launch(f["scale<float>"], 1, 32, x, 2.5, 3)
      launch(f["scale<int>"], 2, 2, k, -2, 3)
      assert.same({ 2.5, 5, 7.5 }, x:totable())
      assert.same({ -2, -4, -6 }, k:totable())
      local z = cn.zeros(3, "float32")
      launch(f["ns::add"], 3, 1, x, x, z)
      assert.same({ 10, 20, 30 }, z:totable())
    end)

    it("may have no parameters", function() launch(f.nothing, 1, 1) end)

    it("is launched in three dimensions", function()
      local out = cn.zeros(2 * 3 * 2 * 4 * 2 * 3, "int32")
      core.raw_launch(f.where, 2, 3, 2, 4, 2, 3, 0, false, { out }, 1)
      local got, expected = out:totable(), {}
      for block = 0, 11 do
        for thread = 0, 23 do expected[#expected + 1] = 1000 * block + thread end
      end
      assert.same(expected, got)
    end)

    it("works on memory that is collected right after the launch", function()
      local sum = cn.zeros(1000, "float32")
      for _ = 1, 50 do
        launch(f["ns::add"], 1000, 1, cn.ones(1000, "float32"), cn.zeros(1000, "float32"), sum)
        collectgarbage()
        cn.full(1000, 9, "float32")
      end
      assert.equal(1000, sum:sum():item())
    end)

    it("is launched without waiting for garbage", function()
      local x = cn.array({ 1 }, "float32")
      for _ = 1, 1000 do launch(f["scale<float>"], 1, 1, x, 1, 1) end
      assert.same({ 1 }, x:totable())
    end)

    it("is compiled and not launched in a rehearsal", function()
      local x = cn.array({ 1, 2, 3 }, "float32")
      cn.prepare(function() launch(f["scale<float>"], 1, 32, x, 2, 3) end)
      assert.same({ 1, 2, 3 }, x:totable())
    end)

    it("that the module does not have is an error", function()
      raises("spec: the module has no kernel 'scale<long>'", function()
        core.raw_function(module, "scale<long>", "scale", {})
      end)
    end)
  end)

  describe("numbers", function()
    local function values(...)
      local out = cn.zeros(8)
      launch(f.numbers, 1, 1, out, ...)
      return out:totable()
    end

    it("arrive as what they are declared as", function()
      assert.same({ 1, -128, 65535, 4294967295, -2 ^ 53, 2 ^ 52, 0.5, 0.1 },
        values(true, -128, 65535, 4294967295, -2 ^ 53, 2 ^ 53, 0.5, 0.1))
      assert.same({ 0, 1, 0, 1, -1, 2 ^ 63 - 1, 1, 0 }, values(0, true, -0.0, 1ULL, -1LL, 18446744073709551614ULL, true,
        false))
    end)

    it("that do not suit are errors", function()
      local good = { true, 1, 1, 1, 1, 1, 1, 1 }
      local out = cn.zeros(8)
      for _, case in ipairs {
        { 1, 2, "'b' is bool, and 2 does not fit" },
        { 2, 128, "'c' is int8, and 128 does not fit" },
        { 2, 2.5, "'c' is int8, and 2.5 is not whole" },
        { 3, -1, "'s' is uint16, and -1 does not fit" },
        { 4, 2 ^ 32, "'u' is uint32, and 4294967296 does not fit" },
        { 4, 0 / 0, "'u' is uint32, and nan does not fit" },
        { 4, math.huge, "'u' is uint32, and inf does not fit" },
        { 5, 9223372036854775808ULL, "'l' is int64, and 9223372036854775808 does not fit" },
        { 6, -1LL, "'ull' is uint64, and -1 does not fit" },
        { 7, 2i, "'f' is float32, and 0+2i is complex" },
        { 8, "1", "'d' is float64, got a string" },
        { 8, {}, "'d' is float64; pass a number, got table" },
        { 8, nil, "'d' (float64) is missing" },
        { 8, out, "'d' is float64, got an array; pass a number (x:item()), or declare a pointer" },
        { 8, core.raw_address(out), "'d' is float64, got an address" },
      } do
        local args = { out, unpack(good) }
        args[1 + case[1]] = case[2]
        raises("numbers: parameter " .. case[3], function()
          core.raw_launch(f.numbers, 1, 1, 1, 1, 1, 1, 0, false, args, 9)
        end)
      end
      assert.same({ 0, 0, 0, 0, 0, 0, 0, 0 }, out:totable())
    end)
  end)

  describe("arrays", function()
    local function refuses(text, ...)
      refuses_launch("add: parameter " .. text, f["ns::add"], 1, 1, ...)
    end

    it("that do not suit are errors", function()
      local x, z = cn.ones(4, "float32"), cn.zeros(4, "float32")
      local wide = cn.ones({ 4, 4 }, "float32")
      refuses("'x' is a pointer to float32, got an array of float64; convert it with x:astype(\"float32\")",
        cn.ones(4), x, z)
      refuses("'y' (a pointer to float32) is missing", x, nil, z)
      refuses("'y' is a pointer to float32, got a number; pass an array", x, 3, z)
      refuses("'y' is a pointer to float32, got a string", x, "3", z)
      refuses("'y' is a pointer to float32; pass an array, got table", x, {}, z)
      refuses("'z' is an array that is not C-contiguous", x, x, wide[{ {}, 1 }])
      local row = cn.broadcast_to(cn.ones({ 1, 4 }, "float32"), { 3, 4 })[1]
      refuses("'z' may be written, and the array is a broadcast view", row, row, row)
      local freed = cn.ones(4, "float32")
      freed:free()
      refuses("'x': the array was freed at ", freed, x, z)
      assert.same({ 0, 0, 0, 0 }, z:totable())
    end)

    it("on another device are errors", function()
      if device.name == "cpu" then return end
      refuses("'y' is an array on cpu, and the kernel is for cuda:0; move it with x:to(\"cuda:0\")",
        cn.ones(4, "float32"), cn.ones(4, "float32"):to "cpu", cn.zeros(4, "float32"))
    end)

    it("may be given by their address", function()
      local x, z = cn.ones(4, "float32"), cn.zeros(4, "float32")
      launch(f["ns::add"], 4, 1, core.raw_address(x), x, core.raw_address(z))
      assert.same({ 4, 4, 4, 4 }, z:totable())
    end)

    it("of vectors have whole ones", function()
      local x, y = cn.array({ 1, 2, 3, 4, 5, 6, 7, 8, 9 }, "float32"), cn.zeros(2, "float32")
      launch(f.vectors, 1, 2, x["1:8"], y)
      assert.same({ 5, 13 }, y:totable())
      refuses_launch("vectors: parameter 'x' points to 4 x float32, and the array's 9 elements are not a multiple",
        f.vectors, 1, 2, x, y)
      refuses_launch("vectors: parameter 'x' points to 4 x float32, and the view does not begin at a multiple of 16 "
        .. "bytes; copy it with x:copy()", f.vectors, 1, 2, x["2:9"], y)
    end)
  end)

  describe("parameters of unknown types", function()
    local ffi = require "ffi"
    local pair = ffi.new("struct { int a; double b; }", { 3, 4.5 })
    local bytes = ffi.string(pair, ffi.sizeof(pair))

    it("take bytes and elements", function()
      local out = cn.zeros(3)
      launch(f.pairs, 1, 1, out, bytes, cn.scalar(0.25, "float32"))
      assert.same({ 3, 4.5, 0.25 }, out:totable())
      local g = core.raw_function(module, "pairs", "pairs")
      launch(g, 1, 1, out + 0, bytes, ffi.string(ffi.new("float[1]", 7), 4))
      launch(g, 1, 1, out, bytes, ffi.string(ffi.new("float[1]", 7), 4))
      assert.same({ 3, 4.5, 7 }, out:totable())
    end)

    it("take nothing else", function()
      local out = cn.zeros(3)
      local function refuses(text, p, v)
        refuses_launch("pairs: parameter " .. text, f.pairs, 1, 1, out, p, v)
      end
      refuses("'p' has 16 bytes, got a string of 2", "ab", "1234")
      refuses("'f' has 4 bytes and its type is not known, so a number may mean several things; pass cn.scalar(v, "
        .. "dtype) or a string of its bytes", bytes, 1)
      refuses("'f' has 4 bytes, and an element of float64 has 8", bytes, cn.scalar(1))
      refuses("'f' has 4 bytes, which is not a pointer's size, got an array", bytes, out)
      refuses("'f' is 4 bytes; pass an array, cn.scalar(v, dtype) or a string of its bytes, got table", bytes, {})
      refuses("'f' (4 bytes) is missing", bytes, nil)
    end)
  end)

  describe("declared parameters", function()
    it("must be those that the kernel has", function()
      raises("scale: parameter 'factor' is taken for float64, which has 8 bytes, and has 4", function()
        core.raw_function(module, "scale<float>", "scale", { pointer "x", number("factor", "float64"),
          number("n", "int32") })
      end)
      raises("scale: the kernel is taken for one of 2 parameters, and has 3", function()
        core.raw_function(module, "scale<float>", "scale", { pointer "x", number("factor", "float32") })
      end)
    end)
  end)

  describe("a launch", function()
    it("has as many arguments as the kernel parameters", function()
      refuses_launch("nothing: the kernel has 0 parameters, got 1 arguments", f.nothing, 1, 1, 5)
      refuses_launch("add: the kernel has 3 parameters, got 2 arguments", f["ns::add"], 1, 1, 1, 1)
    end)

    it("has sizes that a device can have", function()
      local function refuses(text, ...)
        local size = { ... }
        raises("nothing: " .. text, function()
          core.raw_launch(f.nothing, size[1], size[2], size[3], size[4], size[5], size[6], 0, false, {}, 0)
        end)
      end
      refuses("a grid has 1 to 2147483647 blocks along x, got 0", 0, 1, 1, 1, 1, 1)
      refuses("a grid has 1 to 2147483647 blocks along x, got 2147483648", 2 ^ 31, 1, 1, 1, 1, 1)
      refuses("a grid has 1 to 65535 blocks along y, got 65536", 1, 65536, 1, 1, 1, 1)
      refuses("a grid has 1 to 65535 blocks along z, got -1", 1, 1, -1, 1, 1, 1)
      refuses("a block has 1 to 1024 threads along x, got 1025", 1, 1, 1, 1025, 1, 1)
      refuses("a block has 1 to 64 threads along z, got 65", 1, 1, 1, 1, 1, 65)
      refuses("a block of 32 x 32 x 2 threads has 2048, and this kernel takes 1024 on " .. device.name,
        1, 1, 1, 32, 32, 2)
      refuses("the grid's x must be an integer, got 1.5", 1.5, 1, 1, 1, 1, 1)
      refuses("the block's y must be an integer, got string", 1, 1, 1, 1, "1", 1)
    end)

    it("may have more shared memory than usual", function()
      local x
      local function reversed(nbytes)
        x = cn.arange(64):astype "int32"
        core.raw_launch(f.reverse, 1, 1, 1, 64, 1, 1, nbytes, false, { x }, 1)
        return x[1] == 63 and x[64] == 0
      end
      local function refuses(text, nbytes)
        raises(text, function() core.raw_launch(f.reverse, 1, 1, 1, 64, 1, 1, nbytes, false, { x }, 1) end)
      end
      assert.is_true(reversed(256))
      assert.is_true(reversed(100000))
      assert.is_true(reversed(256))
      refuses("reverse: 10000000 bytes of dynamic shared memory and 0 of the kernel's own are more than ", 10000000)
      refuses("reverse: 4294967295 bytes of dynamic shared memory ", 2 ^ 32 - 1)
      refuses("reverse: shared memory has -1 bytes", -1)
      core.raw_set_attribute(core.raw_function(module, "reverse", "other", PARAMS.reverse), 8, 100)
      assert.is_true(reversed(256))
      x = cn.arange(64):astype "int32"
      launch(f.own, 1, 64, x)
      assert.equal(63, x[1])
    end)

    it("may be cooperative", function()
      local x = cn.array({ 1, 2 }, "float32")
      core.raw_launch(f["scale<float>"], 2, 1, 1, 1, 1, 1, 0, true, { x, 2, 2 }, 3)
      assert.same({ 2, 4 }, x:totable())
      raises(("nothing: a cooperative launch needs all its blocks on %s at once, and 100000 blocks of 1024 threads "
        .. "are too many"):format(device.name), function()
        core.raw_launch(f.nothing, 100000, 1, 1, 1024, 1, 1, 0, true, {}, 0)
      end)
    end)
  end)

  it("that fails on the cpu device is an error, and the device goes on", function()
    if device.name ~= "cpu" then return end
    local source = "__global__ void give_up(int *x) { if (threadIdx.x == 3) __trap(); x[0] = 1; }\n"
      .. "__global__ void part(int *x) { if (threadIdx.x < 40) __shfl_sync(~0u, x[0], 0); else __syncthreads(); }"
    local failing = core.raw_compile(device, "failing", source, {}, { "give_up", "part" })
    local x = cn.zeros(1, "int32")
    for _, name in ipairs { "give_up", "part" } do
      local k = core.raw_function(failing, name, name, { pointer("x", "int32") })
      refuses_launch(("DeviceError: cpu: %s failed with "):format(name), k, 2, 64, x)
    end
    launch(f.nothing, 1, 1)
    launch(f["scale<int>"], 1, 1, x, 1, 1)
  end)

  describe("attributes", function()
    it("are read and set", function()
      assert.equal(1024, core.raw_attribute(f.nothing, 0))
      local g = core.raw_function(module, "reverse", "reverse", PARAMS.reverse)
      core.raw_set_attribute(g, 8, 65536)
      assert.equal(65536, core.raw_attribute(g, 8))
      raises("nothing: " .. device.name .. " knows no attribute 99 of functions", function()
        core.raw_attribute(f.nothing, 99)
      end)
      raises("nothing: " .. device.name .. " does not set attribute 0 of the function to 1", function()
        core.raw_set_attribute(f.nothing, 0, 1)
      end)
    end)
  end)

  describe("variables of a module", function()
    it("are arrays that are read and written", function()
      local counter, limits = core.raw_global(module, "counter", "int32"), core.raw_global(module, "limits", "float32")
      assert.is_true(limits:has_shape(4))
      assert.is_true(counter:has_shape(1))
      assert.is_true(core.raw_global(module, "limits"):has_shape(16))
      assert.is_true(core.raw_global(module, "limits", "float32", 2):has_shape(2))
      local before = counter[1]
      limits[{ {} }] = cn.array({ 5, 6, 7.5, 8 }, "float32")
      local out = cn.zeros(1, "float32")
      launch(f.count, 1, 1, out)
      assert.equal(7.5, out[1])
      assert.equal(before + 1, counter[1])
      counter[1] = 40
      launch(f.count, 1, 1, out)
      assert.equal(41, counter[1])
    end)

    it("are not there, or smaller, in an error", function()
      raises("spec: the module has no variable 'nonsense'", function() core.raw_global(module, "nonsense") end)
      raises("spec: variable 'counter' has 4 bytes, and 2 elements of int32 are more", function()
        core.raw_global(module, "counter", "int32", 2)
      end)
      raises("spec: variable 'counter' has 4 bytes, no multiple of the 8 of float64", function()
        core.raw_global(module, "counter", "float64")
      end)
    end)
  end)

  describe("a source", function()
    local TINY = "__global__ void k(int *x) { x[0] = VALUE; }"
    local K = { pointer("x", "int32") }

    local function value(options)
      local x = cn.zeros(1, "int32")
      launch(core.raw_function(core.raw_compile(device, "k", TINY, options, { "k" }), "k", "k", K), 1, 1, x)
      return x[1]
    end

    it("is compiled once for each list of options", function()
      assert.equal(3, value { "-DVALUE=3" })
      local compiled, loaded = core.module_stats()
      assert.equal(3, value { "-DVALUE=3" })
      assert.same({ compiled, loaded }, { core.module_stats() })
      assert.equal(4, value { "-DVALUE=4" })
    end)

    it("with an error says so with the user's line", function()
      local broken = "\n\n__global__ void k(int *x)\n{\n    x[0] = y;\n}\n"
      local ok, message = pcall(core.raw_compile, device, "broken", broken, {}, { "k" })
      assert.is_false(ok)
      assert(message:find("cuna: CompileError: broken: line 5: ", 1, true), message)
      assert(message:find("\n>    5 |     x[0] = y;", 1, true), message)
    end)

    it("without the requested name is refused", function()
      local ok, message = pcall(core.raw_compile, device, "k", TINY, { "-DVALUE=1" }, { "k", "other" })
      assert.is_false(ok)
      assert(message:find("cuna: CompileError: k: name expression[^\n]*other"), message)
    end)

    it("is compiled for the device, whatever the options say", function()
      raises("k: the option '-arch=sm_80' is not the user's: kernels are compiled for " .. device.name, function()
        core.raw_compile(device, "k", TINY, { "-arch=sm_80" }, { "k" })
      end)
      raises("k: no kernel of the source is requested; name at least one", function()
        core.raw_compile(device, "k", TINY, {}, {})
      end)
      raises("k: options and names are strings, got number", function()
        core.raw_compile(device, "k", TINY, { 1 }, { "k" })
      end)
    end)

    it("is not loaded as an image", function()
      raises("k: " .. device.name .. " cannot load the image: CUDA_ERROR_INVALID_IMAGE", function()
        core.raw_load(device, "k", "no image at all")
      end)
    end)

    it("is not loaded as an image that is cut off", function()
      local header = "\127ELF\2\1" .. ("\0"):rep(26) .. ("\255"):rep(12) .. "\64\0\56\0\1\0\64\0\1\0\0\0"
      local fatbin = "\80\237\85\186\1\0\16\0\255\0\0\0\0\0\0\0"
      for _, image in ipairs { "\127ELF", "\127ELF\2\1", header:sub(1, 63), header, fatbin, fatbin:sub(1, 5) } do
        raises(("k: %s cannot load the image: its headers do not fit its %d bytes"):format(device.name, #image),
          function() core.raw_load(device, "k", image) end)
      end
    end)

    it("is found on disk by another process", function()
      local folder = process.folder()
      local script = ([[
        local core, cn = require "cuna.core", require "cuna"
        cn.device(%q):use()
        local module = core.raw_compile(%q, "k", %q, {"-DVALUE=12"}, {"k"})
        local x = cn.zeros(1, "int32")
        core.raw_launch(core.raw_function(module, "k", "k"), 1, 1, 1, 1, 1, 1, 0, false, {x}, 1)
        print(core.module_stats())
        print(x[1])]]):format(device.name, device.name, TINY)
      local environment = { CUNA_CACHE_DIR = folder, CUNA_PACK_DIR = "off" }
      assert.equal("1\t0\n12\n", process.must_run(script, environment))
      assert.equal("0\t1\n12\n", process.must_run(script, environment))
      process.remove(folder)
    end)
  end)
end)
