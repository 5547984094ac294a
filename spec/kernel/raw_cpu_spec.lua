--- Raw kernels on the cpu device: how their text becomes C++, and how threads of a block wait.
local cn = require "cuna"
local core = require "cuna.core"
local process = require "spec.support.process"

--- Asserts that fn fails with a message of cuna's that has all these words.
local function raises(fn, ...)
  local ok, message = pcall(fn)
  assert.is_false(ok)
  for _, words in ipairs { "cuna: ", ... } do
    assert(message:find(words, 1, true), ("says: %s\nexpected: %s"):format(message, words))
  end
end

--- A function that launches one kernel of a source: launch(blocks, threads, shared_nbytes, arrays...).
local function kernel(source, expression, options, params)
  local module = core.raw_compile("cpu", "user", source, options or {}, { expression })
  local f = core.raw_function(module, expression, "user",
    params or { { name = "out", kind = "pointer" }, { name = "n", kind = "number", dtype = "int32" } })
  return function(blocks, threads, shared_nbytes, ...)
    core.raw_launch(f, blocks, 1, 1, threads, 1, 1, shared_nbytes, false, { ... }, select("#", ...))
  end, module
end

local function refused(source, words)
  raises(function() kernel(source, "f") end, words)
end

describe("a raw kernel's text on the cpu device", function()
  before_each(function() cn.device "cpu":use() end)

  it("says at the user's line what cannot run", function()
    refused('__global__ void f(int *x) {\n  int l;\n  asm("mov.u32 %0, %%gridid;" : "=r"(l));\n}',
      "user: line 3: asm (inline PTX) cannot run on the cpu device: mov.u32;")
    refused("#include <cub/device/device_reduce.cuh>\n__global__ void f() {}", "device_reduce.cuh> is for hosts")
    refused("\n#include <curand_mtgp32.h>\n__global__ void f() {}", "user: line 2: <curand_mtgp32.h> is for GPUs")
    refused("__global__ void f(cudaTextureObject_t t, float *x) {\n  *x = texCubemap<float>(t, 1, 2, 3);\n}",
      "user: line 2: cuna makes no textures and surfaces of cubemaps")
    refused("__global__ void f(cudaTextureObject_t t, double *x) {\n  *x = tex1D<double>(t, 1);\n}",
      "user: line 2: no matching function for call to 'tex1D<double>")
    refused("__global__ void g() {}\n__global__ void f() { g<<<1, 1>>>(); }", "user: line 2: a kernel cannot launch")
    refused("__global__ void f() {\n auto g = cooperative_groups::this_cluster(); }",
      "user: line 2: the cpu device has no clusters")
    refused("#include <cooperative_groups.h>\nusing namespace cooperative_groups;\n"
      .. "__global__ void f() { tiled_partition<48>(this_thread_block()); }", "the size of a tile is a power of two")
    refused("__global__ int f() { return 1; }", "a kernel is a __global__ function that returns void")
    refused("__global__ void h() {}", "name expression f line 1: 'f' was not declared")
  end)

  it("refuses other kernels that it cannot run", function()
    refused("__global__ void f(int *x) {\n  __shared__ volatile int s[2] = {0};\n}",
      "user: line 2: a __shared__ variable cannot have an initial value")
    refused("\n#include <iostream>\n__global__ void f() {}", "user: line 2: <iostream> is for hosts")
    refused("__global__ void f(int n, ...) {}", "name expression f line 1: static assertion failed: a kernel is")
    refused("__global__ void f(int *x) {}\n__global__ void f(float *x) {}", "name expression f line 1: ")
    refused("__device__ int g(float x);\n__global__ void f(int *x) { *x = g(1); }",
      "user: declared or used, and not defined for the cpu device: g(float)")
    refused("struct S {};\n__global__ void f(floot *x) {}", "user: line 2: 'floot' was not declared")
  end)

  it("may have values where only a variable of a block may have none", function()
    local launch = kernel([[
      template <int N> struct W { int x[N]; };
      template <class A, class B> struct P { A a; B b; };
      __shared__ int flags[1 << 1];
      __global__ void f(int *out, int n)
      {
          __shared__ W<(3 > 2)> w; __shared__ P<int, float> p[4 >> 1]; __shared__ struct { int a; } s; int z = n + 1;
          if (threadIdx.x == 0) { w.x[0] = 1; p[1].a = 2; s.a = 3; flags[1] = 5; }
          __syncthreads();
          out[threadIdx.x] = w.x[0] + p[1].a + s.a + z + flags[1];
      }]], "f")
    local x = cn.zeros(2, "int32")
    launch(1, 2, 0, x, 3)
    assert.same({ 15, 15 }, x:totable())
  end)

  it("may instantiate its templates", function()
    local launch = kernel([[
      #define INSTANCE(T) template __global__ void f<T, 3>(T *, int)
      template <class T> __device__ __forceinline__ T half(T x) { return x / 2; }
      template __device__ int half<int>(int);
      template <class T, int N> __global__ void f(T *out, int) { out[threadIdx.x] = half(T(2 * N)); }
      template __global__ void f<double, 3>(double *, int);
      INSTANCE(int);
      __global__ void other(int *out) { f<int, 3>(out, 1); }]], "f<int, 3>")
    local x = cn.zeros(2, "int32")
    launch(1, 2, 0, x, 3)
    assert.same({ 3, 3 }, x:totable())
  end)

  it("has new, delete and lists of values without a library", function()
    local launch = kernel([[
      struct Node { int value; Node *next; };
      __global__ void f(int *out, int n)
      {
          Node *head = nullptr;
          int sum = 0;
          alignas(Node) char room[sizeof(Node)];
          for (int i = 0; i < n; ++i)
              head = new Node{i, head};
          while (head) {
              Node *next = head->next;
              sum += head->value;
              delete head;
              head = next;
          }
          for (int v : {100, 200})
              sum += v;
          *out = sum + (new (room) Node{1000, nullptr})->value;
      }]], "f")
    local x = cn.zeros(1, "int32")
    launch(1, 1, 0, x, 5)
    assert.equal(1310, x[1])
  end)

  it("keeps its line numbers after translated lines", function()
    refused("__global__ void f(int *o) {\n extern __shared__\n  float\n s[];\n s[0] = 0;\n o[0] = missing; }",
      "user: line 6: 'missing' was not declared")
  end)

  it("may hold anything in comments, strings and parts that are left out", function()
    local launch = kernel([[
      #if 0
      asm <<< this_grid
      #include <cub/cub.cuh>
      #endif
      // don't asm <<< \
         tex2D(
      #define TEXT "asm <<< \" /* "
      __device__ const char *raw = R"x(asm " <<< )" )x", quote = '"'; /* surf2Dread */
      static __device__ __noinline__ int thrice(int x) { return 3 * x; }
      __global__ void f(int *out, int n) { out[threadIdx.x] = thrice(threadIdx.x) + 1'000 * n + (quote == '"'); }]],
      "f")
    local x = cn.zeros(3, "int32")
    launch(1, 3, 0, x, 2)
    assert.same({ 2001, 2004, 2007 }, x:totable())
  end)

  it("may begin a comment after an include", function()
    local launch = kernel("\n#include <math.h> /* asm\n asm */ __global__ void f(int *out, int n) { *out = n; }", "f")
    local x = cn.zeros(1, "int32")
    launch(1, 1, 0, x, 5)
    assert.equal(5, x[1])
  end)

  it("takes all options or none", function()
    local options = {}
    for k = 1, 250 do options[k] = "-DN" .. k .. "=" .. k end
    raises(function() kernel("__global__ void f(int *x) { *x = N1; }", "f", options) end, "CompileError",
      "one too many: -DN193=193")
  end)

  it("declares shared memory of the launch's size inside and outside of functions", function()
    local source = [[
      extern __shared__ __align__(16) unsigned char room[];
      namespace inner { extern __shared__ int again[]; }
      template <class T> __device__ T first(const T *x) { return x[0]; }
      template <class T> __global__ void f(int *out, int n)
      {
          extern __shared__ T own[];
          own[threadIdx.x] = T(threadIdx.x) + 1;
          __syncthreads();
          T *other = reinterpret_cast<T *>(room);
          out[threadIdx.x] = int(other[n - 1 - threadIdx.x]) * 100 + int(((T *)room)[0]);
          __syncthreads();
          inner::again[threadIdx.x] = 7;
          __syncthreads();
          out[threadIdx.x] += 10000 * first<int>(inner::again);
      }]]
    for _, dtype in ipairs { "int", "double" } do
      local x = cn.zeros(3, "int32")
      kernel(source, "f<" .. dtype .. ">")(1, 3, 64, x, 3)
      assert.same({ 70301, 70201, 70101 }, x:totable())
    end
  end)

  it("declares rows of shared memory, and with the words in any order", function()
    local launch = kernel([[
      extern __shared__ int rows[][4];
      template <class T, int N> __device__ T *row(int i) { extern __shared__ T own[][N]; return own[i]; }
      __global__ void f(int *out, int n)
      {
          __shared__ extern int flat[];
          row<int, 4>(threadIdx.x)[1] = threadIdx.x + 1;
          __syncthreads();
          out[threadIdx.x] = n * rows[1 - threadIdx.x][1] + flat[4 * threadIdx.x + 1];
      }]], "f")
    local x = cn.zeros(2, "int32")
    launch(1, 2, 32, x, 10)
    assert.same({ 21, 12 }, x:totable())
  end)

  it("takes NVRTC's options in one word and in two", function()
    local source = [[__global__ void f(int *out, int n) {
      out[0] = A * 100 + B * 10 + C + n * (__cplusplus == 201402L); }]]
    local x = cn.zeros(1, "int32")
    kernel(source, "f", { "-D", "A=1", "-DB=2", "--define-macro=C=3", "--std=c++14", "--use_fast_math",
      "--maxrregcount", "32", "-lineinfo", "--ftz=true" })(1, 1, 0, x, 1000)
    assert.equal(1123, x[1])
    raises(function() kernel(source, "f", { "--nonsense" }) end, "--nonsense")
    raises(function() kernel(source, "f", { "-I" }) end, "-I")
  end)
end)

describe("threads of a block on the cpu device", function()
  before_each(function() cn.device "cpu":use() end)

  it("wait at barriers for those that have not ended", function()
    local launch = kernel([[__global__ void f(int *out, int n) {
      int t = threadIdx.x;
      if (t >= n) return;
      int low = __syncthreads_count(t < 50);
      if (t < 32) { out[t] = low; return; }
      out[t] = low + __syncthreads_or(t == 100) * 1000 + __syncthreads_and(t >= 32) * 2000; }]], "f")
    local x = cn.zeros(256, "int32")
    launch(1, 256, 0, x, 200)
    assert.equal(50, x[1])
    assert.equal(3050, x[33])
    assert.equal(3050, x[200])
    assert.equal(0, x[201])
  end)

  it("meet in parts of a warp", function()
    local launch = kernel([[__global__ void f(int *out, int n) {
      int t = threadIdx.x, v;
      if (t % 32 < 16) {
        v = __shfl_down_sync(0x0000ffffu, t, 1);
      } else {
        v = __shfl_sync(0xffff0000u, t, 16);
        v += __shfl_xor_sync(0xffff0000u, 1, 1);
      }
      out[t] = v + n * __popc(__ballot_sync(0xffffffffu, 1)); }]], "f")
    local x = cn.zeros(40, "int32")
    launch(1, 40, 0, x, 1000)
    assert.equal(32002, x[2])
    assert.equal(32017, x[21])
    assert.equal(8034, x[34]) -- eight lanes are in the second warp
  end)

  it("end the launch, and nothing else, when they wait for each other for ever or trap", function()
    local launch = kernel([[__device__ __noinline__ void deep(int t) { if (t == 9) __trap(); }
      __global__ void f(int *out, int n) {
      int t = threadIdx.x;
      if (n == 1 && t == 3) __shfl_sync(3u, t, 0);
      if (n == 2 && t == 3) __shfl_sync(24u, t, 3);
      if (n == 3) assert(t < 7);
      if (n == 4) deep(t);
      __syncthreads();
      out[t] = t; }]], "f")
    local x = cn.zeros(64, "int32")
    local function fails(n, words)
      raises(function() launch(3, 64, 0, x, n) end, "cuna: DeviceError: cpu: ", words)
      launch(1, 64, 0, x:fill(0) or x, 0)
      assert.equal(63, x[64])
    end
    fails(1, "thread (3, 0, 0): a warp function is called by a lane that its mask does not name")
    fails(2, "wait for each other for ever: 63 of 64 at a barrier, 1 at a warp function")
    fails(3, "assertion `t < 7' failed")
    fails(4, "thread (9, 0, 0): user:1: deep: __trap()")
  end)

  it("trap where threads need no stacks of their own", function()
    local launch = kernel([[__global__ void f(int *out, int n) {
      if (threadIdx.x == n) __trap();
      out[threadIdx.x] = 1; }]], "f")
    local x = cn.zeros(64, "int32")
    raises(function() launch(300, 64, 0, x, 9) end, "thread (9, 0, 0): user:2: f: __trap()")
    launch(1, 64, 0, x, -1)
    assert.equal(64, x:sum():item())
  end)

  it("leave room for mappings, however many threads of the system run blocks", function()
    if process.is_sanitized then return end
    local text = process.must_run([[
      local cn = require "cuna"
      local k = cn.RawKernel("__global__ void f(int *x) { __syncthreads(); for (int i = 0; i < 100; ++i) "
        .. "atomicAdd(x + blockIdx.x, 1); __syncthreads(); }", "f")
      local x = cn.zeros(512, "int32")
      k(512, 1024, {x})
      assert(x:min():item() == 102400)
      local count = 0
      for _ in io.lines "/proc/self/maps" do count = count + 1 end
      print(count)]], { CUNA_DEVICE = "cpu", CUNA_NUM_THREADS = "36" })
    assert(tonumber(text) < 40000, text)
  end)

  it("are 1024 at most", function()
    local launch = kernel("__global__ void f(int *out, int n) { atomicAdd(out, n); __syncthreads(); }", "f")
    local x = cn.zeros(1, "int32")
    launch(2, 1024, 0, x, 1)
    assert.equal(2048, x[1])
    raises(function() launch(1, 1025, 0, x, 1) end, "1024")
  end)
end)

describe("a kernel's threads, beside others that wait for each other, on the cpu device", function()
  before_each(function() cn.device "cpu":use() end)

  -- All have one signature. `calm` mentions what the waiting functions' declarations mention, and nothing of theirs.
  local SOURCE = [[
    #define MEET() __syncthreads()
    #define MEET_TWICE MEET(); MEET()
    #define BLOCK 64
    #define TWICE(x) ((x) * 2)
    #define WAITING(name) __device__ void name(int n)
    __device__ void forward(float *x, int n);
    __device__ void inner(int n) { if (n >= 0) __syncthreads(); }
    namespace { namespace tools { __device__ __noinline__ void outer(int n) { inner(n); } } }
    __device__ void forward(float *x, int n) { tools::outer(n); }
    WAITING(by_macro) { inner(n); }
    template <class T> __device__ T meet(T x) { __syncthreads(); return x; }
    template <class T> __device__ T (same)(T x) { return meet(x); }
    __device__ __noinline__ int stack() { return int((unsigned long long)__builtin_frame_address(0) >> 17); }
    __device__ void calm_function(int n) {}
    typedef void (*function)(int);
    __device__ const function table[] = {calm_function, inner};
    struct Calm { int a; __device__ Calm(int n) : a{n}, b{n} {} int b; __device__ int get() const { return a; } };
    struct Barrier { int a; __device__ void meet() { __syncthreads(); } __device__ void rest(); };
    void __device__ Barrier::rest() { a = 0; }
    struct Opened { int a; __device__ Opened(int n); };
    __device__ Opened::Opened(int n) : a{n} { __syncthreads(); }
    struct Closed { __device__ ~Closed() { __syncthreads(); } };
    typedef Closed Alias;
    struct Both : Calm { Alias alias; __device__ Both(int n) : Calm(n) {} };
    template <class W> __device__ void apply(W w) { w(); }
    __device__ __forceinline__ int saxpy(int n, int x) { return TWICE(x) + n; }
    #ifdef NOWHERE
    __device__ void nothing() {
    }
    #else
    __device__ void nothing() {}
    #endif
    ]]
  local KERNELS = {
    through_two = { true, "forward(0, n);" },
    through_macro = { true, "MEET_TWICE;" },
    through_named_macro = { true, "by_macro(n);" },
    through_template = { true, "same<float>(1.0f);" },
    through_table = { true, "table[n > 0](n);" },
    through_method = { true, "Barrier b = {0}; b.meet();" },
    through_constructor = { true, "Opened b(n);" },
    through_destructor = { true, "Closed b;" },
    through_alias = { true, "Both b(n);" },
    through_lambda = { true, "auto w = [] { __syncthreads(); }; apply(w);" },
    through_a_shuffle = { true, "n += __shfl_sync(~0u, 0, 0);" },
    calm = { false, "int x = n; Calm c(x); x = saxpy(c.get(), x); calm_function(x); nothing(); // __syncthreads()" },
    calm_lambda = { false, "auto w = [] {}; apply(w);" },
  }

  -- Threads say which stack they are on, and the first of them how many began before it went on.
  local FORM = "\n__global__ void __launch_bounds__(BLOCK) %s(int *out, int n) { atomicAdd(out + 64, 1); { %s\n }\n" ..
    " if (threadIdx.x == 0) out[65] = out[64]; out[threadIdx.x] = stack(); }\n"

  --- Whether a kernel's threads have stacks of their own, and how many began before the first went on.
  local function look(source, name, options)
    local launch = kernel(source, name, options)
    local x = cn.zeros(66, "int32")
    launch(1, 64, 0, x, 1)
    assert.equal(64, x[65])
    return x[1] ~= x[2] and x[2] ~= x[64], x[66]
  end

  local function sources(extra)
    local whole = { SOURCE }
    for name, kind in pairs(KERNELS) do whole[#whole + 1] = FORM:format(name, kind[2]) end
    return table.concat(whole) .. (extra or "")
  end

  it("have stacks of their own where a function that waits is reached in any way, and only there", function()
    local source = sources()
    for name, kind in pairs(KERNELS) do
      local own, began = look(source, name)
      assert.equal(kind[1], own, name)
      assert.equal(kind[1], began >= 32, name)
    end
  end)

  it("have them where a name expression names what waits", function()
    local source = SOURCE .. [[
      struct Wait { __device__ void operator()() { __syncthreads(); } };
      struct Go { __device__ void operator()() {} };
      namespace ns { template <class W> __global__ void f(int *out, int n) { W()(); out[threadIdx.x] = stack();
        atomicAdd(out + 64, 1); } }]]
    assert.is_true((look(source, "ns::f<Wait>")))
    assert.is_false((look(source, "ns::f<Go>")))
  end)

  it("have them wherever the source is not understood, and where an operator waits", function()
    for _, extra in ipairs {
      "",
      "#define PASTE(a) calm_##a\n",
      "#define OPEN {\nnamespace hidden OPEN }\n",
      "struct V { int a; };\n__device__ V operator+(V a, V b) { __syncthreads(); return a; }\n",
      "#if 1\nnamespace odd {\n#endif\n}\n",
    } do
      local calm = sources(extra):gsub("__sync%a+%(%)", "0"):gsub("__shfl_sync%b()", "1")
      assert.equal(extra ~= "", (look(sources(extra), "calm")), extra)
      assert.is_false((look(calm, "calm")), extra)
    end
    assert.is_true((look(sources(), "calm", { "-DWORDS=a##b" })))
  end)

  it("are reported when they wait and have none", function()
    local text = "#define WAIT(a, b) a##b\n__global__ void f(int *out, int n) { WAIT(%s)(); }"
    kernel(text:format "__sync, threads", "f")(1, 2, 0, cn.zeros(1, "int32"), 1)
    local launch = kernel(text:format "__syn, cthreads", "f")
    raises(function() launch(1, 2, 0, cn.zeros(1, "int32"), 1) end, "has no literal name in the source")
  end)
end)
