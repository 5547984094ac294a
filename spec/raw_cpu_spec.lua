--- Kernels that users write whole, on the cpu device: how their text becomes C++, and how threads of a block wait.
local cn = require "cuna"
local core = require "cuna.core"

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
    refused('__global__ void f(int *x) {\n  int l;\n  asm("mov.u32 %0, %%laneid;" : "=r"(l));\n}',
      "user: line 3: asm (inline PTX) cannot run on the cpu device")
    refused("\n#include <curand_kernel.h>\n__global__ void f() {}", "user: line 2: <curand_kernel.h> is for GPUs")
    refused("__global__ void f(cudaTextureObject_t t) {}", "user: line 1: the cpu device has no textures")
    refused("__global__ void g() {}\n__global__ void f() { g<<<1, 1>>>(); }", "user: line 2: a kernel cannot launch")
    refused("__global__ void f() {\n auto g = cooperative_groups::this_grid(); }", "user: line 2: blocks of a grid")
    refused("__global__ int f() { return 1; }", "a kernel is a __global__ function that returns void")
    refused("__global__ void h() {}", "name expression f line 1: 'f' was not declared")
  end)

  it("keeps its line numbers behind what is translated", function()
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

  it("are 1024 at most", function()
    local launch = kernel("__global__ void f(int *out, int n) { atomicAdd(out, n); __syncthreads(); }", "f")
    local x = cn.zeros(1, "int32")
    launch(2, 1024, 0, x, 1)
    assert.equal(2048, x[1])
    raises(function() launch(1, 1025, 0, x, 1) end, "1024")
  end)
end)
