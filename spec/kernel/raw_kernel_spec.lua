--- Kernels from whole CUDA C++ source: how they are made, called and refused. What the source may say on the cpu device
--- is the matter of other specs.
local cn = require "cuna"
local devices = require "spec.support.devices"
local process = require "spec.support.process"
local raises = require("spec.support.raises").raises

local CODE = [[
struct Pair { int a, b; };
__constant__ float limit[2][3];
__device__ int counter = 7;
namespace ns { __device__ double2 pairs[2]; }
__global__ void add(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += x[i];
}
extern "C" __global__ void where_am_i(int *out) {
  int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  out[block * (blockDim.x * blockDim.y * blockDim.z) + thread] = 1000 * block + thread;
}
namespace ns { template <typename T, int N> __global__ void fill(T *x, T a) { x[threadIdx.x] = a * N; } }
__global__ void nothing() {}
__global__ void take(Pair p, int *out) { out[0] = p.a + p.b; }
__global__ void read(float *out) {
  for (int k = 0; k < 6; k++) out[k] = limit[k / 3][k % 3];
  counter++;
  ns::pairs[1].y += 1;
}
__global__ void shared(int *out, int n) {
  extern __shared__ int memory[];
  for (int k = 0; k < n; k++) memory[k] = k;
  out[0] = memory[n - 1];
}
__global__ void numbers(double *out, bool a, signed char b, unsigned long long c, float d, double e) {
  out[0] = a; out[1] = b; out[2] = (double)c; out[3] = d; out[4] = e;
}
__global__ void vectors(float4 *v, float2 a) { v[threadIdx.x].w = a.x + a.y; }
__global__ void anything(void *p, long n) { ((char *)p)[n] = 1; }
]]

--- Asserts that fn raises a CompileError at its own line, whose text has a pattern.
local function fails_to_compile(pattern, fn)
  local _, message = pcall(fn)
  assert.has.match("^spec/kernel/raw_kernel_spec.lua:%d+: cuna: CompileError: " .. pattern, message)
end

local function ones(n) return cn.ones(n, "float32") end
local function zeros(n) return cn.zeros(n, "float32") end

devices.each_device(function(device)
  local add
  setup(function() add = cn.RawKernel(CODE, "add") end)

  describe("a RawKernel", function()
    it("runs over a grid of blocks", function()
      local y = zeros(10)
      assert.is_nil((add(3, 4, {ones(10), y, 9})))
      assert.same({1, 1, 1, 1, 1, 1, 1, 1, 1, 0}, y:totable())
      add({3}, {4, 1, 1}, {y, y, 10})
      assert.equal(18, y:sum():item())
    end)

    it("takes up to three lengths", function()
      local out = cn.zeros(48, "int32")
      cn.RawKernel(CODE, "where_am_i")({2, 1, 2}, {2, 3, 2}, {out})
      local expected = {}
      for k = 0, 47 do expected[k + 1] = 1000 * math.floor(k / 12) + k % 12 end
      assert.same(expected, out:totable())
    end)

    it("converts numbers to the types of the source", function()
      local out = cn.zeros(5)
      local k = cn.RawKernel(CODE, "numbers")
      k(1, 1, {out, true, -3, 2 ^ 53, 0.5, 7LL})
      assert.same({1, -3, 2 ^ 53, 0.5, 7}, out:totable())
      k(1, 1, {out, 0, 127, 5ULL, 1 / 0, -0.0})
      assert.same({0, 127, 5, 1 / 0, 0}, out:totable())
    end)

    it("takes vectors, structs and anything as bytes or arrays", function()
      local v, out = zeros(8), cn.zeros(1, "int32")
      local two = cn.array({1, 2}, "float32"):tobytes()
      cn.RawKernel(CODE, "vectors")(1, 2, {v, two})
      assert.same({0, 0, 0, 3, 0, 0, 0, 3}, v:totable())
      cn.RawKernel(CODE, "take")(1, 1, {cn.array({20, 22}, "int32"):tobytes(), out})
      assert.equal(42, out[1])
      cn.RawKernel(CODE, "take")(1, 1, {cn.scalar(2LL ^ 32 + 5, "int64"), out})
      assert.equal(6, out[1])
      cn.RawKernel(CODE, "anything")(1, 1, {out, 2})
      assert.equal(6 + 65536, out[1])
    end)

    it("may have no parameters", function()
      local k = cn.RawKernel(CODE, "nothing")
      k(1, 1)
      k(1, 1, {})
      k(1, 1, nil, {shared_mem = 0})
      raises("nothing: takes 0 arguments (), got 1", function() k(1, 1, {1}) end)
    end)

    it("may be an instance of a template, in a namespace", function()
      local x = cn.zeros(3, "int16")
      cn.RawKernel(CODE, "ns::fill<short, 3>")(1, 3, {x, 5})
      assert.same({15, 15, 15}, x:totable())
      raises("ns::fill<short, 3>: parameter 'x' is a pointer to int16, got an array of float64", function()
        cn.RawKernel(CODE, "ns::fill<short, 3>")(1, 3, {cn.zeros(3), 5})
      end)
    end)

    it("has options of the compiler", function()
      local x = cn.zeros(1)
      local k = cn.RawKernel("__global__ void f(REAL *x) { *x = N; }", "f", {"-DREAL=double", "-D N=3"})
      k(1, 1, {x})
      assert.equal(3, x[1])
      assert.same({"-DREAL=double", "-D N=3"}, k.options)
      assert.equal("<RawKernel f(double *x)>", tostring(k))
    end)

    it("has dynamic shared memory, also above 48 KiB", function()
      local k, out = cn.RawKernel(CODE, "shared"), cn.zeros(1, "int32")
      k(1, 1, {out, 100}, {shared_mem = 400})
      assert.equal(99, out[1])
      k(1, 1, {out, 16384}, {shared_mem = 65536})
      assert.equal(16383, out[1])
    end)

    it("has attributes", function()
      local k = cn.RawKernel(CODE, "shared"):compile()
      assert.equal(1024, k.max_threads_per_block)
      for _, name in ipairs {"num_regs", "shared_size_bytes", "local_size_bytes", "const_size_bytes"} do
        assert.is_true(k[name] >= 0 and k.attributes[name] == k[name], name)
      end
      k.max_dynamic_shared_size_bytes = 65536
      assert.equal(65536, k.max_dynamic_shared_size_bytes)
      raises("shared: num_regs is determined by the compiler and cannot be set", function() k.num_regs = 3 end)
      raises("shared: max_dynamic_shared_size_bytes is a whole number, got \"3\"", function()
        k.max_dynamic_shared_size_bytes = "3"
      end)
    end)

    it("knows how much memory its blocks share by name", function()
      local k = cn.RawKernel([=[
        __shared__ double common[3];
        __device__ __noinline__ float of(int i) { __shared__ float own[20]; own[i] = common[i]; return own[i + 1]; }
        template <class T> __global__ void f(T *x)
        {
            __shared__ T tile[100];
            int i = threadIdx.x;
            tile[i] = common[i] = x[i];
            __syncthreads();
            x[i] = tile[i + 1] + of(i);
        }
        __global__ void other(int *x) { __shared__ int unused[7]; unused[x[0]] = 1; x[1] = unused[3]; }]=], "f<int>")
      assert.equal(24 + 80 + 400, k.shared_size_bytes)
      assert.equal(0, cn.RawKernel("__global__ void f(int *x) { x[threadIdx.x] = 1; }", "f").shared_size_bytes)
    end)

    it("is compiled by cn.prepare, and not run", function()
      local y = zeros(4)
      cn.prepare(function() cn.RawKernel(CODE, "add", {"-DAHEAD"})(1, 4, {ones(4), y, 4}) end)
      assert.equal(0, y:sum():item())
      cn.RawKernel(CODE, "add", {"-DAHEAD"})(1, 4, {ones(4), y, 4})
      assert.equal(4, y:sum():item())
    end)

    it("runs where its first array is", function()
      local y = cn.device("cpu"):with(function() return zeros(4) end)
      add(1, 4, {y + 1, y, 4})
      assert.equal(4, y:sum():item())
      if device.kind ~= "cpu" then
        raises("add: parameter 'y' is an array on cpu, and the kernel is for cuda:0; move it with x:to(\"cuda:0\")",
          function() add(1, 4, {ones(4), y, 4}) end)
      end
    end)

    it("shows compile errors at the user's line", function()
      for _, options in ipairs {{}, {"-DN=3", "-DM"}} do
        fails_to_compile("f: line 2: .*wibble.*\n>    2 |   %*x = wibble;", function()
          cn.RawKernel("__global__ void f(float *x) {\n  *x = wibble;\n}", "f", options)(1, 1, {ones(1)})
        end)
      end
      fails_to_compile("ns::fill<Wibble, 3>: ", function() cn.RawKernel(CODE, "ns::fill<Wibble, 3>"):compile() end)
    end)
  end)

  describe("a call is refused", function()
    local x, y
    setup(function() x, y = ones(10), zeros(10) end)

    it("without a grid, a block or the arguments in a table", function()
      raises("add: the grid is a cuna array; a call is add(grid, block, {arguments})", function() add(x, y, 10) end)
      raises("add: the block is missing; a call is add(grid, block, {arguments})", function() add({x, y, 10}) end)
      raises("add: the grid is missing", function() add() end)
      raises("add: the grid holds a cuna array; a call is add(grid, block, {arguments})", function() add({x}, 8) end)
      raises("add: the arguments (const float *x, float *y, int n) are missing; a call is", function() add(2, 8) end)
      raises("add: the arguments are a table, got a cuna array; write add(grid, block, {...})", function()
        add(2, 8, x, y, 10)
      end)
      raises("add: takes a grid, a block, arguments and options, got more", function() add(2, 8, {x, y, 10}, {}, 1) end)
    end)

    it("with a grid or block that is none", function()
      local list = {x, y, 10}
      raises("add: the grid is 0; it is 1 at least (leave the call out", function() add(0, 8, list) end)
      raises("add: the block is 0; it is 1 at least", function() add(1, 0, list) end)
      raises("add: the grid is a whole number, got 1.25; math.ceil(n / block) covers n", function()
        add(1.25, 8, list)
      end)
      raises("add: the grid's y is -1; it is 1 at least", function() add({1, -1}, 8, list) end)
      raises("add: the block has up to 3 numbers, as in {16, 16}, and no key '4'", function()
        add(1, {1, 1, 1, 1}, list)
      end)
      raises("add: the grid has up to 3 numbers, as in {16, 16}, and no key 'x'", function()
        add({1, x = 2}, 8, list)
      end)
      raises("add: the grid has no number 2", function() add({1, nil, 3}, 8, list) end)
      raises("add: the block is empty", function() add(1, {}, list) end)
      raises("add: the block is a number or a table of up to 3 numbers, got \"8\"", function() add(1, "8", list) end)
      raises("add: the block's x is a number or a table", function() add(1, {"8"}, list) end)
      raises("add: a block has 1 to 1024 threads along x, got 2048", function() add(1, 2048, list) end)
      raises("add: a block of 1024 x 2 x 1 threads has 2048", function() add(1, {1024, 2}, list) end)
      raises("add: a grid has 1 to 65535 blocks along y, got 65536", function() add({1, 65536}, 8, list) end)
      raises("add: a grid has 1 to 2147483647 blocks along x", function() add(2 ^ 40, 8, list) end)
    end)

    it("with arguments that do not suit", function()
      raises("add: missing argument 3 'n'", function() add(2, 8, {x, y}) end)
      raises("add: missing argument 2 'y'", function() add(2, 8, {x, nil, 10}) end)
      raises("add: takes 3 arguments (const float *x, float *y, int n), got 4", function()
        add(2, 8, {x, y, 10, 11})
      end)
      raises("add: the table of arguments has the key 'shared_mem'; pass arguments in the kernel's order", function()
        add(2, 8, {x, y, 10, shared_mem = 8})
      end)
      raises("add: parameter 'n' is int32, and 10.5 is not whole", function() add(2, 8, {x, y, 10.5}) end)
      raises("add: parameter 'n' is int32, and 4294967296 does not fit", function() add(2, 8, {x, y, 2 ^ 32}) end)
      raises("add: parameter 'n' is int32, got an array", function() add(2, 8, {x, y, x}) end)
      raises("add: parameter 'x' is a pointer to float32, got an array of float64; convert it with", function()
        add(2, 8, {cn.ones(10), y, 10})
      end)
      raises("add: parameter 'y' is an array that is not C-contiguous", function() add(2, 8, {x, y["::2"], 5}) end)
      raises("add: parameter 'x' is a pointer to float32, got a number", function() add(2, 8, {1, y, 5}) end)
      raises("add: parameter 'x' is a pointer to float32; pass an array, got table", function()
        add(2, 8, {{1}, y, 5})
      end)
      local freed = zeros(10)
      freed:free()
      raises("add: argument 1 'x': the array was freed at ", function() add(2, 8, {freed, y, 10}) end)
      raises("add: parameter 'y': the array was freed at ", function() add(2, 8, {x, freed, 10}) end)
      raises("take: parameter 'p' has 8 bytes and its type is not known", function()
        cn.RawKernel(CODE, "take")(1, 1, {5, cn.zeros(1, "int32")})
      end)
    end)

    it("with options that are none", function()
      local list = {x, y, 10}
      raises("add: unknown option 'streams'; known are cooperative, shared_mem, stream", function()
        add(2, 8, list, {streams = 1})
      end)
      raises("add: options are a table such as {shared_mem = 1024}, got 1024", function() add(2, 8, list, 1024) end)
      raises("add: shared_mem is a count, got -1", function() add(2, 8, list, {shared_mem = -1}) end)
      raises("add: cooperative is true or false, got 1", function() add(2, 8, list, {cooperative = 1}) end)
      raises("add: 16777216 bytes of dynamic shared memory", function() add(2, 8, list, {shared_mem = 2 ^ 24}) end)
    end)
  end)

  describe("a RawModule", function()
    it("has kernels, also of templates that are not listed", function()
      local module, y = cn.RawModule {code = CODE}, zeros(4)
      local k = module:get_function "add"
      assert.equal(k, module:get_function "add")
      module:get_function("ns::fill<float, 2>")(1, 4, {y, 3})
      k(1, 4, {y, y, 4})
      assert.same({12, 12, 12, 12}, y:totable())
      assert.equal("<RawModule add, where_am_i, ns::fill<>, nothing, take, read, shared, numbers, vectors, anything>",
        tostring(module))
    end)

    it("lists instances of templates ahead", function()
      local names = {"ns::fill<float, 2>", "ns::fill<double, 5>"}
      local module, x = cn.RawModule {code = CODE, name_expressions = names}:compile(), cn.zeros(2)
      module:get_function(names[2])(1, 2, {x, 3})
      assert.same({15, 15}, x:totable())
      assert.same(names, module.name_expressions)
    end)

    it("gives late instances of their own only where no variable would be there twice", function()
      local code = "template <class T> __global__ void f(T *x) { *x = sizeof(T); } __global__ void g() {}"
      local x = cn.zeros(1)
      cn.RawModule {code = code}:compile():get_function("f<double>")(1, 1, {x})
      assert.equal(8, x[1])
      local module = cn.RawModule {code = "__constant__ float c; " .. code}:compile()
      raises("RawModule: 'f<double>' is requested after the code was compiled, and would have another copy of the "
        .. "variable 'c'; get it before the first call, or list it: name_expressions = {\"f<double>\"}", function()
        module:get_function "f<double>"
      end)
    end)

    it("is not spoilt by a wrong name", function()
      local module, y = cn.RawModule {code = CODE}, zeros(2)
      fails_to_compile("RawModule: ", function() module:get_function("ns::fill<Wibble, 1>")(1, 1, {y, 1}) end)
      module:get_function("ns::fill<float, 1>")(1, 2, {y, 1})
      assert.equal(2, y:sum():item())
    end)

    it("has variables as arrays", function()
      local module, out = cn.RawModule {code = CODE}, zeros(6)
      local limit, counter = module:get_global "limit", module:get_global "counter"
      assert.is_true(limit:has_shape(2, 3) and limit.dtype == "float32" and limit.device == device)
      assert.is_true(counter:has_shape(1) and counter.dtype == "int32")
      assert.equal(7, counter[1])
      limit[":, :"] = cn.arange(6):reshape(2, 3):astype "float32"
      local pairs_ = module:get_global "ns::pairs"
      assert.is_true(pairs_:has_shape(2, 2))
      pairs_:fill(3)
      module:get_function "read"(1, 1, {out})
      assert.same({0, 1, 2, 3, 4, 5}, out:totable())
      assert.equal(8, counter[1])
      assert.same({{3, 3}, {3, 4}}, pairs_:totable())
      raises("get_global: the code has no variable 'limits'; did you mean 'limit'? It has counter, limit, ns::pairs",
        function() module:get_global "limits" end)
    end)

    it("has variables of bytes where the source does not say more", function()
      local code = "struct P { int a, b; }; __device__ P p = {1, 2}; __global__ void f(int *x) { *x = p.a; }"
      local module, x = cn.RawModule {code = code}, cn.zeros(1, "int32")
      local bytes = module:get_global "p"
      assert.same({1, 0, 0, 0, 2, 0, 0, 0}, bytes:totable())
      bytes[1] = 9
      module:get_function "f"(1, 1, {x})
      assert.equal(9, x[1])
    end)

    it("comes from a file", function()
      local folder = process.folder()
      process.write(folder .. "/kernels.cu", CODE)
      local module, y = cn.RawModule {path = folder .. "/kernels.cu"}, zeros(2)
      module:get_function "add"(1, 2, {ones(2), y, 2})
      assert.equal(2, y:sum():item())
      assert.equal(folder .. "/kernels.cu", module.file_path)
      process.remove(folder)
    end)
  end)
end)

describe("a kernel that cannot be", function()
  it("is reported when it is made", function()
    raises("RawKernel: the code has no kernel; a kernel is a function such as: __global__ void", function()
      cn.RawKernel("void f(float *x) {}", "f")
    end)
    raises("RawKernel: the code has no kernel 'ad'; did you mean 'add'? It has add, anything, nothing", function()
      cn.RawKernel(CODE, "ad")
    end)
    raises("RawKernel: the name of a kernel is a string such as \"scale\", got nil", function() cn.RawKernel(CODE) end)
    raises("RawKernel: the name of a kernel is empty", function() cn.RawKernel(CODE, " ") end)
    raises("RawKernel: the name has code in it; write RawKernel(code, name)", function() cn.RawKernel("add", CODE) end)
    raises("RawKernel: code is a string of CUDA C++, got nil", function() cn.RawKernel(nil, "add") end)
    raises("RawKernel: code is a string of CUDA C++, got a table", function() cn.RawKernel {code = CODE} end)
    raises("RawKernel: the code has an unclosed '['; Lua ends a [[ ]] string at the first ]]", function()
      cn.RawKernel([[__global__ void f(float *x, const int *k) { x[k[0]], "f")
    end)
    raises("RawKernel: the code has an unclosed '{'", function()
      cn.RawKernel("__global__ void f(float *x) { if (x) { x[0] = 1; }", "f")
    end)
    raises("RawKernel: the code has a '}' where ')' is expected", function()
      cn.RawKernel("__global__ void f(float *x) { x[0] = (1; }", "f")
    end)
    cn.RawKernel("#define BEGIN(x) { x\n__global__ void f(float *x) BEGIN(x[0] = 1;) }", "f")
    cn.RawKernel("#ifdef __CUDACC__\n__global__ void f(float *x) {\n#else\nvoid f(int x) {\n#endif\n}", "f")
    raises("RawKernel: the code is the name of a file; write cn.RawModule {path = \"kernels.cu\"}", function()
      cn.RawKernel("kernels.cu", "f")
    end)
    raises("RawKernel: the code is empty", function() cn.RawKernel(" ", "add") end)
    raises("RawKernel: the code contains a NUL byte", function() cn.RawKernel(CODE .. "\0", "add") end)
    raises("RawKernel: a function of cuna is called with a dot", function() cn:RawKernel(CODE, "add") end)
    raises("RawKernel: 'ns::fill' is a template <typename T, int N>, and the name gives 0", function()
      cn.RawKernel(CODE, "ns::fill")
    end)
    raises("f: parameter 'x' is a reference", function() cn.RawKernel("__global__ void f(float &x) {}", "f") end)
  end)

  it("has options that are strings", function()
    raises("RawKernel: options is a table of strings such as {\"-DN=4\"}, got \"-DX\"", function()
      cn.RawKernel(CODE, "add", "-DX")
    end)
    raises("RawKernel: options is a table of strings such as {\"-DN=4\"}, got 1 as [1]", function()
      cn.RawKernel(CODE, "add", {1})
    end)
    raises("RawKernel: unknown option 'backends'; known are options, backend, translate_cucomplex", function()
      cn.RawKernel(CODE, "add", {backends = "nvrtc"})
    end)
    raises("RawKernel: backend is \"nvrtc\", got \"nvcc\"; what nvcc compiled is loaded by cn.RawModule {path =",
      function() cn.RawKernel(CODE, "add", {backend = "nvcc"}) end)
    raises("RawModule: jitify is true or false, got 1", function() cn.RawModule {code = CODE, jitify = 1} end)
    raises("RawKernel: enable_cooperative_groups is true or false, got 1", function()
      cn.RawKernel(CODE, "add", {enable_cooperative_groups = 1})
    end)
  end)

  it("may be a module's", function()
    raises("RawModule: code or path is missing", function() cn.RawModule() end)
    raises("RawModule: both code and path are given; pass one", function() cn.RawModule {code = CODE, path = "x"} end)
    raises("RawModule: cannot open /nonexistent.cu: ", function() cn.RawModule {path = "/nonexistent.cu"} end)
    raises("RawModule: path is a string, got 3", function() cn.RawModule {path = 3} end)
    raises("RawModule: name_expressions is a table of strings such as {\"f<float>\"}, got \"f\"", function()
      cn.RawModule {code = CODE, name_expressions = "f"}
    end)
    raises("RawModule: 'ns::fill' is a template", function()
      cn.RawModule {code = CODE, name_expressions = {"ns::fill"}}
    end)
    raises("RawModule: unknown option 'names'; known are code, options, path", function()
      cn.RawModule {code = CODE, names = {}}
    end)
    local module = cn.RawModule(CODE)
    raises("RawModule: the code has no kernel 'adds'; did you mean 'add'?", function() module:get_function "adds" end)
    raises("RawModule: the name of a kernel is a string such as \"scale\", got nil", function()
      module:get_function()
    end)
    raises("get_function: a module's function is called with a colon: module:get_function()", function()
      module.get_function "add"
    end)
    raises("a module has no field 'add'; its kernels are module:get_function(name)", function() return (module.add) end)
    raises("a module's fields cannot be changed: 'code'", function() module.code = "" end)
  end)

  it("may be an image of another device", function()
    cn.device("cpu"):with(function()
      local module = cn.RawModule "\127ELF and no more"
      raises("RawModule: cpu cannot load the image: ", function() module:compile() end)
      raises("RawModule: cpu cannot load the image: ", function() module:get_function "f"(1, 1, {}) end)
    end)
    raises("RawModule: options are for source, and the code is an image", function()
      cn.RawModule(".version 8.0\n.target sm_80\n.address_size 64", {"-DX"})
    end)
    raises("RawModule: name_expressions are for source, and the code is an image", function()
      cn.RawModule {code = "\127ELF", name_expressions = {"f"}}
    end)
  end)
end)

it("finds headers beside a module's file", function()
  cn.device("cpu"):with(function()
    local folder = process.folder()
    process.write(folder .. "/mine.cuh", "__device__ int twice(int x) { return 2 * x; }\n")
    process.write(folder .. "/k.cu", "#include \"mine.cuh\"\n__global__ void f(int *x) { *x = twice(*x); }\n")
    local x = cn.ones(1, "int32")
    cn.RawModule {path = folder .. "/k.cu"}:get_function "f"(1, 1, {x})
    assert.equal(2, x[1])
    process.remove(folder)
  end)
end)

describe("a kernel as an object", function()
  local k = cn.RawKernel(CODE, "add", {"-DX"}, {enable_cooperative_groups = true})

  it("shows itself", function()
    assert.equal("<RawKernel add(const float *x, float *y, int n)>", tostring(k))
    assert.same({"add", CODE, {"-DX"}, true}, {k.name, k.code, k.options, k.enable_cooperative_groups})
  end)

  it("has no other fields", function()
    raises("a kernel has no field 'num_reg'; did you mean 'num_regs'?", function() return (k.num_reg) end)
    raises("a kernel's fields cannot be changed: 'name'", function() k.name = "g" end)
    raises("compile: a kernel's function is called with a colon: kernel:compile()", function() k.compile() end)
    raises("compile: a kernel's function is called with a colon: kernel:compile()", function()
      k.compile(cn.RawModule {code = "__global__ void f() {}"})
    end)
  end)
end)
