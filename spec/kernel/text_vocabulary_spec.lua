--- What CUDA programs write in the texts of kernels besides functions: headers, complex numbers, 16-bit floats, jumps.
local cn = require "cuna"
local devices = require "spec.support.devices"
local raises = require("spec.support.raises").raises

local it = devices.rehearsed_it()

local kernel = cn.ElementwiseKernel

local function same(expected, x) assert.same(expected, x:totable()) end

devices.each_device(function()
  local function f32(list) return cn.array(list, "float32") end
  local function c64(list) return cn.array(list, "complex64") end

  describe("a preamble", function()
    it("includes the headers that every device has", function()
      for _, case in ipairs {
        {"#include <cuComplex.h>", "cuCrealf(make_cuFloatComplex(x, 0))"},
        {"  #  include \"cuda_fp16.h\"", "__half2float(__float2half(x))"},
        {"#include <math_constants.h>\n#include <cmath>", "x < CUDART_INF_F ? x : 0"},
        {"#include <cupy/complex.cuh>", "complex<float>(x, 3).real()"},
      } do
        local preamble = ("__device__ int one() { return 1; }\n%s\n__device__ float f(float x) { return %s; }"):format(
          case[1], case[2])
        same({1, -2.5}, kernel("T x", "T y", "y = f(x)", {preamble = preamble})(f32 {1, -2.5}))
      end
    end)

    it("does not include a user's file", function()
      raises("kernel: preamble includes \"own.h\"; put that text into preamble, or use cn.RawModule, which takes -I",
        function() kernel("T x", "T y", "y = x", {preamble = "#include \"own.h\""}) end)
    end)

    it("keeps the numbers of its lines", function()
      local bad = kernel("T x", "T y", "y = x", {preamble = "#include <cuComplex.h>\n\nint f() { return nothing; }"})
      local done, words = pcall(bad, f32 {1})
      assert.is_false(done)
      assert.is_truthy(words:find("preamble of kernel line 3", 1, true), words)
    end)

    it("declares constants, and functions that CUDA and cuna have too", function()
      same({6, 9}, kernel("T x", "T y", "y = x * c[1]", {preamble = "__constant__ float c[2] = {1, 3};"})(f32 {2, 3}))
      same({7}, kernel("T x", "T y", "y = sign(x) + hypot(x, x)", {preamble = [[
        template <class T> __device__ T sign(T x) { return 3; }
        template <class T> __device__ T hypot(T a, T b) { return a + b; }]]})(f32 {2}))
    end)

    it("overloads CUDA's functions, which stay", function()
      local preamble = [[
        __device__ float2 operator*(float2 a, float b) { return make_float2(a.x * b, a.y * b); }
        __device__ void operator+=(float2 &a, float2 b) { a.x += b.x, a.y += b.y; }
        __device__ float2 floorf(float2 v) { return make_float2(floorf(v.x), floorf(v.y)); }
        __device__ float2 max(float2 a, float2 b) { return make_float2(max(a.x, b.x), fmaxf(a.y, b.y)); }
        struct Pair { float v; };
        __device__ void atomicAdd(Pair *p, float v) { atomicAdd(&p->v, v); }
        __device__ float sqrt(Pair p) { return sqrt(p.v); }]]
      local sum = cn.zeros(1, "float32")
      same({3 + 2 + 4}, kernel("T x", "T y, raw T sum", [[
        float2 v = floorf(make_float2(x, 1.5f)), w = make_float2(floorf(x), 2);
        v += max(v, w) * 0.5f;
        Pair p = {16};
        atomicAdd((Pair *)&sum[0], 2.0f), atomicAdd(&sum[0], 1.0f);
        y = v.x + v.y + sqrt(p)]], {preamble = preamble})(f32 {2.5}, f32 {0}, sum))
      same({3}, sum)
    end)
  end)

  it("leave an element by continue, break and return", function()
    for _, word in ipairs {"continue", "break"} do
      same({0, 3}, kernel("T x", "T y", "y = 0; if (x < 0) " .. word .. "; y = x", {after_loop = "y = y + (y > 0)"})(
        f32 {-1, 2}))
      local out = f32 {7, 7}
      same({7, 2}, kernel("T x", "T y", "if (x < 0) " .. word .. "; y = x")(f32 {-1, 2}, out))
    end
    same({0, 2}, kernel("T x", "T y", "y = 0; if (x < 0) return; y = x")(f32 {-1, 2}))
    same({1, 3}, cn.ReductionKernel("T x", "T y", "x", "a + b", "y = 1; if (a < 0) continue; y = a", 0)(
      f32 {{-1, -2}, {1, 2}}, {axis = 2}))
  end)

  describe("complex numbers", function()
    it("have thrust's members, and operators with real numbers", function()
      local z = c64 {cn.complex(3, 4), cn.complex(1, 0)}
      same({25, 1}, kernel("T z", "float32 r", "r = z.real() * z.real() + z.imag() * z.imag()")(z))
      same({13, 5}, kernel("complex64 z", "float32 r", [[
        complex<float> w(z.real(), -z.imag());
        w.imag(z.imag() + 1), w += 1, w -= complex<float>(0, 1), w *= 2.0f, w /= 2;
        complex<double> wide = w;
        r = (2.0f + w - 1).real() + (z != 5) + norm(w * 0) + (conj(wide).imag() + w.imag()) + (z == z)
            + 1.5f * (abs(z) - 1);]])(z))
    end)

    it("are found in thrust", function()
      same({5}, kernel("complex128 z", "float64 r", "r = f(z)", {preamble = [[
        __device__ double f(const thrust::complex<double> &z) {
          return thrust::abs(z * thrust::complex<double>(0, 1)) + thrust::arg(thrust::polar(2.0, 0.0));
        }]]})(cn.array({cn.complex(3, 4)}, "complex128")))
    end)

    it("are reduced by their parts", function()
      local k = cn.ReductionKernel("complex64 x", "float32 y", "x.real() * x.real() + x.imag() * x.imag()", "a + b",
        "y = sqrt(a)", "0")
      assert.equal(5, k(c64 {cn.complex(3, 0), cn.complex(0, 4)}):item())
    end)
  end)

  it("name 16-bit floats as functions and types", function()
    local x = cn.array({1, 2}, "float16")
    same({2, 3}, kernel("float16 x", "float16 y", "y = x + float16(1)")(x))
    same({2, 4}, kernel("raw float16 x", "float16 y", "y = x[i] * float16(2)")(x, {size = 2}))
    same({3, 6}, kernel("T x", "T y", "half h = __float2half(x); y = __half2float(h) * 3")(f32 {1, 2}))
  end)

  it("add to raw arrays atomically", function()
    local x, counts = cn.arange(1000) % 3, cn.zeros(3, "int32")
    kernel("int64 x", "raw int32 counts", "atomicAdd(&counts[x], 1)", "histogram")(x, counts)
    same({334, 333, 333}, counts)
    for _, dtype in ipairs {"float32", "float64"} do
      local sum = cn.zeros(1, dtype)
      kernel("T x", "raw T sum", "atomicAdd(&sum[0], x)")(cn.ones(1000, dtype), sum)
      same({1000}, sum)
    end
  end)

  it("mean CUDA's functions by names that cuna has too", function()
    same({-1, 1}, kernel("T x", "T y", "y = remainder(x, T(3))")(f32 {5, 7}))
    same({2, 3}, kernel("int32 x", "int32 y", "y = sqrt(x) + pow(x, 0)")(cn.array({1, 4}, "int32")))
    same({3}, kernel("T x, int32 k", "float64 y", "y = max(x, 2) + min(k, x)")(f32 {1.5}, cn.array({1}, "int32")))
    same({2}, kernel("T x", "T y", "y = fmax(x, NAN)")(f32 {2}))
  end)

  it("read the clock", function()
    same({1, 1}, kernel("T x", "T y", [[
      unsigned long long t;
      asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
      y = t > 1000000000ull + highest(0)]], {preamble = [[
      __device__ unsigned highest(unsigned x) { unsigned y; asm("bfind.u32 %0, %1;" : "=r"(y) : "r"(x + 1)); return y; }
      ]]})(f32 {2, 3}))
    same({1, 1}, kernel("T x", "T y", "long long t = clock64(); y = (clock64() >= t) + (clock() == 0) * 0")(f32 {2, 3}))
  end)

  it("serve all kinds of kernels", function()
    local text = "tgamma(x) + __popc(7) * 0 + (x < CUDART_INF_F ? 0 : erfinv(x)) + lround(x) * 0"
    local sum = cn.ReductionKernel("T x", "T y", text, "a + b", "y = a", "0 * CUDART_PI_F")(f32 {3, 4})
    assert.is_true(cn.allclose(8, sum))
    assert.is_true(cn.allclose({2, 8}, cn.ScanKernel("T x", "T y", text, "a + b", "y = a", 0)(f32 {3, 4})))
  end)
end)

describe("options of CuPy", function()
  it("are taken with their meaning", function()
    local copy = kernel("T x", "T y", "y = x", "copy", {no_return = true, return_tuple = true})
    local y = cn.zeros(2)
    assert.equal(0, select("#", copy({1, 2}, y, {block_size = 64})))
    same({1, 2}, y)
    same({3}, kernel("T x", "T y", "y = x", "copy", true, "", false, true)({3}, {block_size = 256}))
    same({6}, kernel("T x", "T y", "y = x * N", {options = {"-DN=2", "--std=c++17", "--use_fast_math"}})({3}))
    raises("copy: block_size", function() copy({1, 2}, y, {block_size = "many"}) end)
    raises("copy: no_return is true or false", function() kernel("T x", "T y", "y = x", "copy", {no_return = 1}) end)
  end)

  it("of raw kernels name a compiler", function()
    local x = cn.zeros(1, "complex64")
    local code = "#include <cuComplex.h>\n__global__ void f(cuFloatComplex *z) { *z = make_cuFloatComplex(1, 2); }"
    cn.RawKernel(code, "f", {}, "nvrtc", true)(1, 1, {x})
    local module = cn.RawModule {code = code, backend = "nvrtc", translate_cucomplex = true, jitify = true}
    module:get_function "f"(1, 1, {x})
    assert.is_true(cn.array_equal(x, cn.array({cn.complex(1, 2)}, "complex64")))
  end)

  it("of eigenvalues may be written as NumPy's", function()
    local a = cn.array {{2, 100}, {1, 2}}
    for _, triangle in ipairs {"L", "l"} do
      assert.is_true(cn.allclose({1, 3}, cn.linalg.eigvalsh(a, {UPLO = triangle})))
      assert.is_true(cn.allclose({1, 3}, (cn.linalg.eigh(a, triangle))))
    end
    assert.is_true(cn.allclose({-98, 102}, cn.linalg.eigvalsh(a, {uplo = "u"})))
  end)
end)

describe("on the cpu device", function()
  it("a failed assertion ends the kernel, and the device goes on", function()
    local x = cn.device("cpu"):with(cn.array, {1, 9}, "float32")
    local checked = kernel("T x", "T y", "assert(x < 3); y = x", "checked")
    local done, words = pcall(checked, x)
    assert.is_false(done)
    assert.is_truthy(words:find("assertion `x < 3' failed", 1, true), words)
    same({2, 10}, x + 1)
  end)
end)
