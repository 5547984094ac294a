--- What CUDA C++ offers to users' kernels: functions, intrinsics, vectors, atomics, warps.
local cn = require "cuna"
local each_device = require("spec.support.devices").each_device
local golden = require "spec.golden.raw"

-- How a text is run: makers of kernels `f` that run `lines` for each i, with the parameters given; all are called
-- f(1, count of i, arguments).
local makers = {}

function makers.RawKernel(params, lines, before)
  return cn.RawKernel(("%s\n__global__ void f(%s)\n{\n    int i = threadIdx.x;\n%s\n}\n"):format(before or "", params,
    lines), "f")
end

--- The loop has its own n, which is the count.
function makers.ElementwiseKernel(params, lines, before)
  local own = params:gsub(", int n$", "")
  local run = cn.ElementwiseKernel(own, "", lines, "f", {preamble = before})
  return function(_, count, arguments)
    local list = {unpack(arguments)}
    if own ~= params then list[#list] = nil end
    list[#list + 1] = {size = count}
    run(unpack(list))
  end
end

local kernel

--- Describes `block` for each way to run a text.
local function each_maker(block)
  for name, maker in pairs(makers) do
    describe("in a " .. name, function()
      setup(function() kernel = maker end)
      block()
    end)
  end
end

local function is_close(got, expected, tolerance)
  if expected ~= expected then return got ~= got end
  if got == expected then return true end
  return math.abs(got - expected) <= tolerance * math.abs(expected) + 1e-300
end

--- The columns of a golden row's points, as tables of numbers.
local function columns(entry, count)
  local result = {}
  for k = 1, count do
    result[k] = {}
    for n, point in ipairs(entry) do result[k][n] = point[k] end
  end
  return result
end

local UNITS = {float64 = 2 ^ -52, float32 = 2 ^ -23}
-- In units of the last place. Near a zero of its own a function is off by more: j0, lgamma.
local LOOSE = {tgamma = 12, lgamma = 16, erfcx = 12, normcdf = 12, normcdfinv = 12, erfcinv = 12, erfinv = 8, j0 = 32,
  j1 = 32, y0 = 32, y1 = 32, cyl_bessel_i0 = 16, cyl_bessel_i1 = 16, erfc = 8, tan = 8, exp10 = 8, pow = 8, sinh = 8}

local function compare_functions(entries, nargs, dtype)
  local lines, text, suffix = {}, dtype == "float64" and "double" or "float", dtype == "float64" and "" or "f"
  local longest = 0
  for k, entry in ipairs(entries) do
    longest = math.max(longest, #entry)
    lines[k] = ("    out[%d * n + i] = %s%s(x[%d * n + i]%s);"):format(k - 1, entry.name, suffix, k - 1,
      nargs == 2 and (", y[%d * n + i]"):format(k - 1) or "")
  end
  local x, y, n = cn.ones({#entries, longest}, dtype), cn.ones({#entries, longest}, dtype), longest
  for k, entry in ipairs(entries) do
    local all = columns(entry, 2)
    for j = 1, #entry do
      x[{k, j}] = all[1][j]
      if nargs == 2 then y[{k, j}] = all[2][j] end
    end
  end
  local out = cn.zeros({#entries, n}, dtype)
  kernel(("const %s *x, const %s *y, %s *out, int n"):format(text, text, text), table.concat(lines, "\n"))(1, n,
    {x, y, out, n})
  local got = out:totable()
  for k, entry in ipairs(entries) do
    for j, point in ipairs(entry) do
      local expected = point[nargs + (dtype == "float64" and 1 or 2)]
      assert(is_close(got[k][j], expected, UNITS[dtype] * (LOOSE[entry.name] or 4)),
        ("%s%s(%.17g): got %.17g, expected %.17g"):format(entry.name, suffix, point[1], got[k][j], expected))
    end
  end
end

--- Numbers as words of so many hexadecimal digits.
local function words_of(array, ndigits)
  local list = {}
  for _, value in ipairs(array:totable()) do
    list[#list + 1] = bit.tohex(ndigits == 8 and value or value + 0ULL, ndigits)
  end
  return table.concat(list, " ")
end

local function word(text)
  if #text == 8 then return tonumber(text, 16) end
  return tonumber(text:sub(1, 8), 16) * 0x100000000ULL + tonumber(text:sub(9), 16)
end

local function compare_integers(set, nargs, dtype, ndigits)
  local arguments = {}
  for k = 1, nargs do
    arguments[k] = {}
    for j, row in ipairs(set.arguments) do arguments[k][j] = word(row[k]) end
    arguments[k] = cn.array(arguments[k], dtype)
  end
  local lines, n = {}, #set.arguments
  for k, result in ipairs(set.results) do
    lines[k] = ("    out[%d * n + i] = %s;"):format(k - 1, result[1])
  end
  local type = ndigits == 8 and "unsigned int" or "unsigned long long"
  local out = cn.zeros({#lines, n}, dtype)
  kernel(("const T *x, const T *y, const T *z, T *out, int n"):gsub("T", type),
    "    " .. type .. " a = x[i], b = y[i], c = z[i];\n" .. table.concat(lines, "\n"))(1, n,
    {arguments[1], arguments[2], arguments[3] or arguments[2], out, n})
  for k, result in ipairs(set.results) do
    assert.are.equal(result[1] .. ": " .. result[2], result[1] .. ": " .. words_of(out[k], ndigits))
  end
end

--- What threads have that do not wait for each other.
local function vocabulary()
  describe("functions of numbers", function()
    for _, dtype in ipairs {"float64", "float32"} do
      it("agree with exact values: one argument, " .. dtype, function() compare_functions(golden.one, 1, dtype) end)
      it("agree with exact values: two arguments, " .. dtype, function() compare_functions(golden.two, 2, dtype) end)
    end

    it("take floats and integers by their C++ names", function()
      local out = cn.zeros(12, "float64")
      kernel("double *out, float x, int k", [[
    static_assert(sizeof(sin(x)) == 4 && sizeof(sin(k)) == 8 && sizeof(pow(x, 2.0f)) == 4, "");
    static_assert(sizeof(pow(x, 2)) == 4 && sizeof(pow(x, 2.0)) == 8, "");
    static_assert(sizeof(max(k, 2.0)) == 8 && sizeof(max(x, 2.0f)) == 4, "");
    static_assert(sizeof(fabs(x)) == 4 && sizeof(abs(x)) == 4 && sizeof(abs(k)) == 4 && sizeof(sqrt(k)) == 8, "");
    out[0] = sin(x) - sinf(x), out[1] = sqrt(k), out[2] = pow(k, 3) + pow(x, 2) - 2.25, out[3] = max(k, 2.5);
    out[4] = min(3u, 2);
    out[5] = abs(-x), out[6] = abs(-4.5), out[7] = abs(-7ll), out[8] = fmaf(x, 2, 1), out[9] = fmod(7, 4);
    out[10] = max(-1ll, (long long)k), out[11] = fma(x, x, x);]])(1, 1, {out, 1.5, 4})
      assert.are.same({0, 2, 64, 4, 2, 1.5, 4.5, 7, 4, 3, 4, 3.75}, out:totable())
    end)

    it("return several values through pointers", function()
      local out = cn.zeros(14, "float64")
      kernel("double *out, double x", [[
    double s, c; float sf, cf, whole; int e, q;
    sincos(x, &s, &c); sincospif(0.5f, &sf, &cf);
    out[0] = s - sin(x), out[1] = c - cos(x), out[2] = sf, out[3] = cf;
    out[4] = frexp(6.5, &e), out[5] = e, out[6] = modff(2.75f, &whole), out[7] = whole;
    out[8] = ldexp(0.75, 3), out[9] = remquo(7.0, 2.0, &q), out[10] = q & 7, out[11] = scalbnf(1.5f, 4);
    out[12] = norm3d(2.0, 3.0, 6.0), out[13] = ilogb(10.0) + lrint(2.5) + llround(2.5) + lroundf(-0.5f);]])(1, 1,
        {out, 1.25})
      assert.are.same({0, 0, 1, 0, 0.8125, 3, 0.75, 2, 6, -1, 4, 24, 7, 7}, out:totable())
    end)

    it("tell infinities and NaN", function()
      local out = cn.zeros(12, "int32")
      kernel("int *out, float inf, double nan", [[
    out[0] = isnan(nan), out[1] = isnan(inf), out[2] = isinf(-inf), out[3] = isfinite(inf), out[4] = signbit(-inf) != 0;
    out[5] = isfinite(1.0f), out[6] = inf == INFINITY && -inf < -FLT_MAX, out[7] = NAN != NAN;
    out[8] = fmaxf(NAN, 2) == 2 && fmin(1.0, nan) == 1 && max(NAN, 3.0f) == 3, out[9] = isnormal(1e-310);
    out[10] = DBL_MAX < HUGE_VAL && CUDART_INF_F == inf, out[11] = INT_MAX == 2147483647 && LLONG_MIN < 0;]])(1, 1,
        {out, math.huge, 0 / 0})
      assert.are.same({1, 0, 1, 0, 1, 1, 1, 1, 1, 0, 1, 1}, out:totable())
    end)

    it("have fast forms", function()
      local out = cn.zeros(10, "float32")
      kernel("float *out, float x", [[
    float s, c;
    __sincosf(x, &s, &c);
    out[0] = __sinf(x) - s, out[1] = __cosf(x) - c, out[2] = __expf(0), out[3] = __logf(1), out[4] = __log2f(8);
    out[5] = __powf(2, 3), out[6] = __fdividef(3, 2), out[7] = __saturatef(1.5f), out[8] = __saturatef(-x);
    out[9] = __frcp_rn(4) + __fsqrt_rn(9) + __frsqrt_rn(4);]])(1, 1, {out, 0.5})
      local got = out:totable()
      for k, expected in ipairs {0, 0, 1, 0, 3, 8, 1.5, 1, 0, 3.75} do
        assert(math.abs(got[k] - expected) < 1e-5, k .. ": " .. got[k])
      end
    end)
  end)

  describe("intrinsics", function()
    it("of 32-bit words are exact", function() compare_integers(golden.words, 3, "uint32", 8) end)
    it("of 64-bit words are exact", function() compare_integers(golden.longs, 2, "uint64", 16) end)

    it("convert to integers with every rounding", function()
      local set = golden.converted
      local n, lines = #set.arguments, {}
      for k, result in ipairs(set.results) do
        lines[k] = ("    %s[%d * n + i] = %s(x[i]);"):format(result[2] == 32 and "w" or "l", k - 1, result[1])
      end
      local w, l = cn.zeros({#lines, n}, "uint32"), cn.zeros({#lines, n}, "uint64")
      kernel("const double *x, unsigned *w, unsigned long long *l, int n", table.concat(lines, "\n"))(1, n,
        {cn.array(set.arguments, "float64"), w, l, n})
      for k, result in ipairs(set.results) do
        local got = words_of(result[2] == 32 and w[k] or l[k], result[2] / 4)
        assert.are.equal(result[1] .. ": " .. result[3], result[1] .. ": " .. got)
      end
    end)

    it("compute with every rounding", function()
      local set = golden.directed
      local n, lines = #set.arguments, {}
      local FORMS = {rcp = "x[i]", sqrt = "fabs(x[i])", fma = "x[i], y[i], z[i]"}
      for k, result in ipairs(set.results) do
        lines[k] = ("    out[%d * n + i] = %s(%s);"):format(k - 1, result[1], FORMS[result[2]] or "x[i], y[i]")
      end
      local all, out = columns(set.arguments, 3), cn.zeros({#lines, n}, "float64")
      kernel("const double *x, const double *y, const double *z, double *out, int n", table.concat(lines, "\n"))(1, n,
        {cn.array(all[1]), cn.array(all[2]), cn.array(all[3]), out, n})
      local got = out:totable()
      for k, result in ipairs(set.results) do
        for j = 1, n do
          assert(got[k][j] == result[3][j], ("%s of arguments %d: got %.17g, expected %.17g"):format(result[1], j,
            got[k][j], result[3][j]))
        end
      end
    end)

    it("reinterpret bits", function()
      local out = cn.zeros(6, "int64")
      kernel("long long *out", [[
    out[0] = __float_as_int(1.0f), out[1] = __float_as_uint(-0.0f), out[2] = __double_as_longlong(1.0);
    out[3] = __double2hiint(-2.0), out[4] = __hiloint2double(0x3ff00000, 0) == 1 && __int_as_float(0x40000000) == 2;
    out[5] = __ll2float_ru((1ll << 40) + 1) > __ll2float_rn((1ll << 40) + 1);
    out[5] = out[5] && __int2float_rz(16777219) == 16777218;]])(1, 1, {out})
      assert.is_true(out == cn.array({0x3f800000, 0x80000000, 0x3ff0000000000000LL, -0x40000000, 1, 1}, "int64"))
    end)
  end)

  describe("atomics", function()
    it("count what threads of all blocks do", function()
      local out = {cn.zeros(6, "int32"), cn.zeros(6, "uint32"), cn.zeros(6, "int64"), cn.zeros(6, "uint64"),
        cn.zeros(2, "float32"), cn.zeros(2, "float64")}
      cn.RawKernel([[
template <class T> __device__ void all(T *x, int i)
{
    atomicAdd(&x[0], 3), atomicMax(&x[1], i), atomicOr(&x[2], 1 << i % 30), atomicSub(&x[3], 2), atomicXor(&x[4], i);
    for (T seen = x[5], next; (next = atomicCAS(&x[5], seen, seen + 1)) != seen; seen = next) {}
}
__global__ void f(int *a, unsigned *b, long long *c, unsigned long long *d, float *e, double *g)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    all(a, i), all(b, i), all(c, i), all(d, i);
    atomicAdd(&e[0], 1.0f), atomicAdd(&g[0], 0.5), atomicAdd_system(&e[1], 2), atomicAdd_block(&g[1], 1.0);
}]], "f")(16, 64, out)
      local XOR = 0
      for k = 0, 1023 do XOR = bit.bxor(XOR, k) end
      for k = 1, 4 do
        local got = out[k]:astype("int64"):totable()
        local wrapped = k == 2 and 2 ^ 32 - 2048 or -2048
        assert.are.same({3072, 1023, 2 ^ 30 - 1, wrapped, XOR, 1024}, got)
      end
      assert.are.same({1024, 2048}, out[5]:totable())
      assert.are.same({512, 1024}, out[6]:totable())
    end)

    it("give back what was there", function()
      local x, old = cn.array({5, 5, 5, 5, 5, 5, 7, 0}, "uint32"), cn.zeros(9, "int32")
      kernel("unsigned *x, int *old", [[
    old[0] = atomicExch(&x[0], 9), old[1] = atomicInc(&x[1], 5), old[2] = atomicInc(&x[2], 9);
    old[3] = atomicDec(&x[3], 3), old[4] = atomicMin((int *)&x[4], -2), old[5] = atomicAnd(&x[5], 4);
    old[6] = atomicCAS(&x[6], 8, 1), old[7] = atomicDec(&x[7], 6), old[8] = atomicAdd(&x[6], 1);]])(1, 1, {x, old})
      assert.are.same({9, 0, 6, 3, 2 ^ 32 - 2, 4, 8, 6}, x:totable())
      assert.are.same({5, 5, 5, 5, 5, 5, 7, 0, 7}, old:totable())
    end)

    it("may be the user's own", function()
      local x = cn.array({1, 2}, "float64")
      local m = cn.array({4, 5}, "float32")
      kernel("double *x, float *m", "    atomicMin(&m[0], -i);\n    x[1] = twice(3) + atomicMin(&m[1], 9.0f);", [[
__device__ float atomicMin(float *p, float v)
{
    int *bits = (int *)p, old = *bits, seen;
    do {
        seen = old;
        old = atomicCAS(bits, seen, __float_as_int(fminf(v, __int_as_float(seen))));
    } while (seen != old);
    return __int_as_float(old);
}
template <class T> __device__ T max(T a, T b) { return a < b ? b : a; }
__device__ int twice(int x) { return max(2 * x, max(x, 0)); }]])(1, 8, {x, m})
      assert.are.same({1, 11}, x:totable())
      assert.are.same({-7, 5}, m:totable())
    end)
  end)

  describe("types", function()
    it("of vectors have CUDA's size and alignment", function()
      local out = cn.zeros(3, "int32")
      kernel("int *out", [[
#define IS(V, size, align) static_assert(sizeof(V) == size && alignof(V) == align, #V);
    IS(char2, 2, 2) IS(char3, 3, 1) IS(uchar4, 4, 4) IS(short2, 4, 4) IS(ushort3, 6, 2) IS(short4, 8, 8)
    IS(int2, 8, 8) IS(int3, 12, 4) IS(uint4, 16, 16) IS(float1, 4, 4) IS(float2, 8, 8) IS(float3, 12, 4)
    IS(float4, 16, 16) IS(longlong2, 16, 16) IS(double2, 16, 16) IS(double3, 24, 8) IS(dim3, 12, 4)
    float4 v = make_float4(1, 2, 3, 4);
    uchar4 c = make_uchar4(1, 2, 3, 255);
    out[0] = v.w + make_double2(5, 6).y, out[1] = c.w + make_int3(1, 2, 3).z, out[2] = make_longlong2(1, 2).y;]])(1, 1,
        {out})
      assert.are.same({10, 258, 2}, out:totable())
    end)

    it("of C's headers are there", function()
      local out = cn.zeros(2, "int64")
      kernel("int64_t *out", [[
    static_assert(sizeof(int8_t) + sizeof(uint16_t) + sizeof(int32_t) + sizeof(uint64_t) + sizeof(uintptr_t) == 23, "");
    size_t n = 5; uint u = UINT_MAX; ptrdiff_t d = -1; uint8_t b = 300;
    out[0] = (int64_t)n + d + b, out[1] = u;]])(1, 1, {out})
      assert.are.same({48, 2 ^ 32 - 1}, out:totable())
    end)
  end)
end

each_device(function()
  each_maker(vocabulary)

  describe("headers", function()
    setup(function() kernel = makers.RawKernel end)

    it("bring 16-bit floats", function()
      local x = cn.array({0.1, -2.5, 300, 65000, 1e-7, 0 / 0}, "float16")
      local y = cn.array({0.3, 1.5, 300, 600, 1e-7, 1}, "float16")
      for dtype, type in pairs {float16 = "half", bfloat16 = "__nv_bfloat16"} do
        local a, b, out = x:astype(dtype), y:astype(dtype), cn.zeros({5, 6}, dtype)
        kernel(("const T *x, const T *y, T *out"):gsub("T", type), ([[
      out[i] = x[i] + y[i], out[6 + i] = x[i] * y[i], out[12 + i] = x[i] / y[i], out[18 + i] = -x[i];
      out[24 + i] = __float2NAME(__NAME2float(x[i]) * 3.0f);]]):gsub("NAME", dtype == "float16" and "half" or dtype),
          "#include <cuda_fp16.h>\n#include <cuda_bf16.h>")(1, 6, {a, b, out})
        for k, expected in ipairs {a + b, a * b, a / b, -a, (a:astype "float32" * 3):astype(dtype)} do
          assert.is_true(cn.array_equal(expected, out[k], {equal_nan = true}), dtype .. " " .. k)
        end
      end
    end)

    it("bring complex numbers of CuPy and of CUDA", function()
      local x = cn.array({cn.complex(1, 2), cn.complex(-0.5, 3)}, "complex64")
      local out = cn.zeros({6, 2}, "complex64")
      kernel("complex<float> *x, complex<float> *out, cuFloatComplex *c", [[
      complex<float> z = x[i], one(1, 0);
      z += complex<float>(0, 1);
      out[i] = z * conj(x[i]) / 2.0f, out[2 + i] = exp(z) - log(x[i]), out[4 + i] = complex<float>(abs(z), arg(z));
      out[6 + i] = pow(z, 2.0f), out[8 + i] = z == one ? one : sqrt(one - z);
      c[10 + i] = cuCdivf(make_cuFloatComplex(x[i].real(), x[i].imag()), make_cuFloatComplex(0, 2));]],
        "#include <cupy/complex.cuh>\n#include \"cuComplex.h\"")(1, 2, {x, out, out})
      local function agree(a, b) return ((a - b):abs() / (a:abs() + 1)):max():item() < 1e-6 end
      local z = x + cn.scalar(cn.complex(0, 1), "complex64")
      local expected = {z * x:conj() / 2, z:exp() - x:log(), nil, z * z, (1 - z):sqrt(), x / cn.complex(0, 2)}
      for k = 1, 6 do
        if expected[k] then assert.is_true(agree(expected[k], out[k]), k) end
      end
      assert.is_true(agree(z:abs(), out[3].real) and agree(z:angle(), out[3].imag))
    end)

    it("bring the types of transforms, and CUDA's version", function()
      local x, out = cn.array({cn.complex(1, 2)}, "complex64"), cn.zeros(2, "complex128")
      kernel("const cufftComplex *x, cufftDoubleComplex *out", [[
      cufftReal scale = CUFFT_INVERSE;
      out[0] = cuComplexFloatToDouble(cuCmulf(x[0], make_cuFloatComplex(scale, CUFFT_FORWARD)));
#if CUDART_VERSION >= 11000 && CUDA_VERSION == CUDART_VERSION
      out[1] = make_cuDoubleComplex(sizeof(cufftDoubleReal), 0);
#endif]], "#include <cufft.h>\n#include <cufftXt.h>")(1, 1, {x, out})
      assert.same({{3, 8}, {1, 0}}, {out.real:totable(), out.imag:totable()})
    end)

    it("leave the names free when they are not there", function()
      local out = cn.zeros(1, "int32")
      kernel("int *out",
        "    complex<int> c = {3};\n    float half = 0.5f;\n    out[0] = c.re + cuComplex(2, 4 * half).i;",
        [[
  struct cuComplex { float r, i; __device__ cuComplex(float a, float b) : r(a), i(b) {} };
  template <class T> struct complex { T re; };]])(1, 1, {out})
      assert.are.equal(5, out[1])
    end)
  end)

  describe("warps", function()
    setup(function() kernel = makers.RawKernel end)

    local function run(lines, n, before)
      local out = cn.zeros(n or 64, "int32")
      kernel("int *out", lines, before)(1, n or 64, {out})
      return out:totable()
    end

    local function expect(got, f)
      for k = 0, #got - 1 do assert.are.equal(f(k), got[k + 1], "thread " .. k) end
    end

    it("shuffle values of all types", function()
      expect(run "    out[i] = __shfl_sync(~0u, i, 3);", function(k) return k < 32 and 3 or 35 end)
      expect(run "    out[i] = (int)__shfl_up_sync(~0u, (float)i, 2, 8);",
        function(k) return k % 8 < 2 and k or k - 2 end)
      expect(run "    out[i] = (int)__shfl_down_sync(~0u, (double)i, 5, 16);",
        function(k) return k % 16 > 10 and k or k + 5 end)
      expect(run "    out[i] = (int)__shfl_xor_sync(~0u, (long long)i, 17);",
        function(k) return bit.bxor(k, 17) end)
      expect(run "    out[i] = (int)__shfl_sync(~0u, (unsigned long long)i, i + 1, 4);",
        function(k) return k - k % 4 + (k + 1) % 4 end)
    end)

    it("shuffle zeros from lanes that are not there", function()
      expect(run "    if (i < 8) out[i] = __shfl_down_sync(0xffu, i + 1, 4);",
        function(k) return k < 4 and k + 5 or 0 end)
      expect(run "    if (i % 32 < 8) out[i] = __shfl_xor_sync(0xffu, (double)i + 1, 16) + (i < 8);",
        function(k) return k < 8 and 1 or 0 end)
    end)

    it("vote", function()
      expect(run "    out[i] = __ballot_sync(~0u, i % 3 == 0) == (i < 32 ? 0x49249249u : 0x92492492u);",
        function() return 1 end)
      expect(run "    out[i] = __any_sync(~0u, i == 40) + 2 * __all_sync(~0u, i < 32);",
        function(k) return k < 32 and 2 or 1 end)
      expect(run "    if (i & 1) out[i] = __popc(__ballot_sync(0xaaaaaaaau, i > 2));",
        function(k) return k % 2 == 0 and 0 or k < 32 and 15 or 16 end)
      expect(run "    out[i] = __popc(__match_any_sync(~0u, i / 4));", function() return 4 end)
      expect(run [[
    int all;
    out[i] = __popc(__match_all_sync(~0u, i / 32, &all)) * all;]], function() return 32 end)
      expect(run "    unsigned mask = __activemask();\n    __syncwarp();\n    out[i] = mask == ~0u;",
        function() return 1 end)
    end)

    it("reduce", function()
      expect(run "    out[i] = __reduce_add_sync(~0u, i) + __reduce_max_sync(~0u, -i) + (int)__reduce_or_sync(~0u, i);",
        function(k) return k < 32 and 496 + 31 or 1520 - 32 + 63 end)
    end)

    it("count at barriers", function()
      expect(run [[
    int n = __syncthreads_count(i < 5), all = __syncthreads_and(i >= 0), any = __syncthreads_or(i == 9);
    out[i] = n + 100 * all + 1000 * any;]], function() return 1105 end)
    end)
  end)
end)

describe("on the cpu device", function()
  it("a user's header may include those of C++", function()
    local folder = os.tmpname()
    os.remove(folder)
    os.execute("mkdir " .. folder)
    local file = assert(io.open(folder .. "/own.h", "w"))
    file:write("#include <math.h>\n#include <stdint.h>\n#include <algorithm>\n#include <unistd.h>\n"
      .. "static __device__ int64_t own(double x) { return std::max<int64_t>(floor(sqrt(x)), 2); }\n")
    file:close()
    local out = cn.device("cpu"):with(cn.zeros, 1, "int64")
    cn.RawKernel("#include \"own.h\"\n__global__ void f(int64_t *out) { *out = own(50.0) + (int)fabsf(-1.5f); }", "f",
      {options = {"-I" .. folder}})(1, 1, {out})
    os.execute("rm -r " .. folder)
    assert.are.equal(8, out[1])
  end)

  it("a failed assertion names its place", function()
    local x = cn.device("cpu"):with(cn.array, {0, 1, 2, 9}, "int32")
    local checked = cn.RawKernel("__global__ void g(int *x)\n{\n    assert(x[threadIdx.x] < 3);\n}", "g")
    local done, words = pcall(function()
      cn.device("cpu"):with(function() checked(1, 4, {x}) end)
    end)
    assert.is_false(done)
    assert.is_truthy(words:find("g:3: g: assertion `x[threadIdx.x] < 3' failed", 1, true), words)
    assert.is_truthy(words:find("thread (3, 0, 0)", 1, true), words)
  end)
end)
