--- What may stand in front of a raw kernel: any C++, of which cuna reads the declarations only.
local cn = require "cuna"
local each_device = require("spec.support.devices").each_device

--- The number that `f`, whose body is `body`, computes behind `front`.
local function run(front, body, options)
  local x = cn.zeros(1)
  cn.RawKernel(("%s\n__global__ void f(double *x) { %s }"):format(front, body), "f", options)(1, 1, {x})
  return x[1]
end

each_device(function()
  it("operators", function()
    assert.equal(20, run([[
      inline __host__ __device__ float3 operator+(float3 a, float3 b) {
        return make_float3(a.x + b.x, a.y + b.y, a.z + b.z);
      }
      inline __host__ __device__ void operator+=(float3 &a, float3 b) { a = a + b; }
      inline __host__ __device__ void operator*=(float3 &a, float b) { a.x *= b, a.y *= b, a.z *= b; }
      __device__ bool operator==(float3 a, float3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }
      inline __device__ float3 max(float3 a, float3 b) {
        return make_float3(max(a.x, b.x), max(a.y, b.y), fmaxf(a.z, b.z));
      }
      struct Add { int n; __device__ float operator()(float x) const { return x + n; } };]], [[
      float3 v = make_float3(1, 2, 3);
      v += v, v *= 3, v = max(v, make_float3(0, 0, 0));
      x[0] = Add{2}(v.z) * (v == v);]]))
  end)

  it("types that cuna declares too", function()
    assert.equal(8 + 8 + 1, run([[
      typedef unsigned long uint64_t;
      typedef long int64_t;
      using uint8_t = unsigned char;
      template <class T> __device__ int size() { return sizeof(T); }]],
      "uint64_t n = 1; unsigned long *p = &n; x[0] = *p * size<uint64_t>() + size<int64_t>() + size<uint8_t>();"))
    local y = cn.zeros(1, "uint64")
    local module = cn.RawModule {code = [[
      typedef unsigned long uint64_t;
      template <class T> __global__ void f(T *x) { *x = 3; }]]}
    module:get_function "f<uint64_t>"(1, 1, {y})
    assert.equal(3, tonumber(y[1]))
  end)

  it("conditions on the compiler", function()
    assert.equal(3, run([[
      #if !defined(__CUDACC__) || !defined(__CUDACC_RTC__)
      #error "not CUDA's compiler"
      #include <a header of the host>
      #endif]], "x[0] = 3;"))
  end)

  it("constants whose lengths are computed", function()
    local module = cn.RawModule {code = [[
      #define R 2
      __constant__ float taps[(2 * R + 1)], grid[(R)][R + (1)];
      __global__ void f(float *x) { *x = taps[4] + grid[1][2]; }]]}
    local taps, grid, x = module:get_global "taps", module:get_global "grid", cn.zeros(1, "float32")
    assert.is_true(taps:has_shape(5) and grid:has_shape(2, 3) and taps.dtype == "float32")
    taps[5], grid[{2, 3}] = 4, 3
    module:get_function "f"(1, 1, {x})
    assert.equal(7, x[1])
  end)

  it("overloads, which a cast chooses", function()
    local module = cn.RawModule {code = [[
      __global__ void f(float *x) { *x = 1; }
      __global__ void f(double *x, int n) { *x = n; }]]}
    local x, y = cn.zeros(1, "float32"), cn.zeros(1)
    module:get_function "(void (*)(float *))f"(1, 1, {x})
    module:get_function "static_cast<void (*)(double *, int)>(f)"(1, 1, {y, 2})
    assert.same({1, 2}, {x[1], y[1]})
  end)

  it("functions of integers of one type", function()
    assert.equal(3 + 1 + 2, run("", "x[0] = umin(3u, 4u) + llmin(1ll, 2ll) + ullmax(1ull, 2ull);"))
    assert.equal(4 - 2 + 1, run("", "x[0] = umax(3u, 4u) + llmax(-2ll, -3ll) + ullmin(1ull, 2ull);"))
  end)
end)
