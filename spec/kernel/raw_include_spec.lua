--- What raw kernels include: headers that every device has, and files, which may change.
local cn = require "cuna"
local core = require "cuna.core"
local process = require "spec.support.process"
local raises = require("spec.support.raises").raises
local each_device = require("spec.support.devices").each_device

local HARMLESS = {"cuda.h", "cuda_runtime.h", "cuda_runtime_api.h", "device_launch_parameters.h", "device_functions.h",
  "device_types.h", "math_functions.h", "math_constants.h", "vector_types.h", "vector_functions.h", "builtin_types.h",
  "host_defines.h", "driver_types.h", "stdint.h", "cstdint", "inttypes.h", "stddef.h", "cstddef", "stdbool.h",
  "limits.h", "climits", "float.h", "cfloat", "math.h", "cmath", "stdio.h", "cstdio", "stdlib.h", "cstdlib",
  "string.h", "cstring", "assert.h", "cassert", "time.h", "ctime"}

--- What a kernel of this text writes; `value` is its expression.
local function run(before, value, options)
  local out = cn.zeros(1, "int32")
  cn.RawKernel(before .. "\n__global__ void f(int *out) { *out = " .. value .. "; }", "f", options or {})(1, 1, {out})
  return out[1]
end

--- How many kernels were compiled meanwhile, and what fn returned.
local function count(fn)
  local before = core.module_stats()
  local result = fn()
  return core.module_stats() - before, result
end

each_device(function(device)
  local folder
  before_each(function() folder = process.folder() end)
  after_each(function() process.remove(folder) end)

  local function write(name, text) process.write(folder .. "/" .. name, text .. "\n") end
  local function value(text) return "static __device__ int value() { return " .. text .. "; }" end
  local function run_own(options) return run('#include "own.h"', "value()", options or {"-I" .. folder}) end

  describe("headers of every device", function()
    it("are CUDA's and C's, with and without quotes", function()
      local lines = {}
      for k, name in ipairs(HARMLESS) do
        lines[k] = (k % 2 == 0 and '#include "%s"' or "# include <%s>"):format(name)
      end
      assert.equal(7, run(table.concat(lines, "\n"), "(int)(int64_t)sqrt(49.0) + (M_PI < 3)"))
    end)

    it("may be included by the user's", function()
      write("own.h", "#include <stdint.h>\n#include <math.h>\n#include <cuda_runtime.h>\n#include <cuda_fp16.h>\n"
        .. "#include <cupy/complex.cuh>\n#include <cuComplex.h>\n" .. value "(int)(int64_t)__half2float(half(-3.0f))")
      assert.equal(-3, run_own())
      assert.equal(-3, run('#include <cuda_fp16.h>\n#include <cupy/complex.cuh>\n#include "own.h"', "value()",
        {"-I" .. folder}))
    end)

    it("are CuPy's own", function()
      local code = [[
        #include <cupy/float16.cuh>
        #include <cupy/math_constants.h>
        template <typename T> __global__ void f(const float16 *x, T *out) {
          __shared__ float16 most;
          if (threadIdx.x == 0) most = float16(CUDART_INF_F);
          __syncthreads();
          float16 v = x[threadIdx.x];
          v += 2; v *= 0.5f;
          out[threadIdx.x] = v.isnan() ? T(-1) : v.isfinite() && v < most ? T(v) : T(CUDART_INF);
        }]]
      local x = cn.array({1, 0.1, 65504, cn.inf, cn.nan}, "float16")
      for _, dtype in ipairs {"float16", "float32"} do
        local module = cn.RawModule {code = code, name_expressions = {"f<float>", "f<float16>"}}
        local out = cn.zeros(5, dtype)
        module:get_function(dtype == "float16" and "f<float16>" or "f<float>")(1, 5, {x, out})
        assert.same({1.5, 1.0498046875, 32752, math.huge, -1}, out:astype("float64"):totable())
      end
    end)

    describe("CuPy's carray.cuh", function()
      local CODE = [==[
        #include <cupy/carray.cuh>
        #include <cupy/complex.cuh>
        typedef CArray<float, 1 + 1> matrix;
        __global__ void scale(matrix x, CArray<float, 2, true> y, float a) {
          CUPY_FOR(i, x.size()) {
            const ptrdiff_t index[] = {i / x.shape()[1], i % x.shape()[1]};
            y[index] = a * x[index] + x[i];
          }
        }
        template <typename T, int N> __global__ void flat(const CArray<T, N> x, CArray<T, 1, true, true> out,
                                                          CArray<const int, 0> add) {
          for (int i = threadIdx.x; i < x.size(); i += blockDim.x) out[i] = x[i] + T(float(add[0]));
        }
        __global__ void made(double *p) {
          CArray<double, 2> t(p, {3, 2}, {8, 24});
          CArray<double, 2, true> c(p + 6, {2, 3});
          for (int i = 0; i < 2; ++i)
            for (int j = 0; j < 3; ++j) c[{i, j}] = t[{j, i}] * 10;
          int shape[2] = {2, 3}, strides[2] = {24, 8};
          CArray<double, 2> same(p + 6, shape, strides), pointers(p + 6, &shape[0], &strides[0]);
          p[12] = same[{1, 2}];
          p[13] = pointers[4];
          p[14] = same.strides()[0] + CArray<double, 2>::ndim + sizeof(same);
        }]==]

      local function kernel(name)
        return cn.RawModule({code = CODE, name_expressions = {"flat<double, 3>", "flat<float16, 1>",
          "flat<complex<double>, 1>"}}):get_function(name)
      end

      it("has arrays with their shapes and strides", function()
        local x, y = cn.arange(12, {dtype = "float32"}):reshape(3, 4), cn.zeros({4, 3}, "float32")
        kernel "scale"(2, 32, {x.T + 0, y, 2})
        kernel "scale"(2, 32, {x.T, y, 2})
        assert.is_true(y == x.T * 3)
        local z = cn.arange(24, {dtype = "float64"}):reshape(2, 3, 4)[{{}, {3, 1, -1}, {1, -1, 2}}]
        local out, five = cn.zeros(12), cn.scalar(5, "int32")
        kernel "flat<double, 3>"(1, 4, {z, out, five})
        assert.is_true(out == z:ravel() + 5)
        for name, dtype in pairs {["flat<float16, 1>"] = "float16", ["flat<complex<double>, 1>"] = "complex128"} do
          local v, w = cn.arange(4, {dtype = dtype})["::-1"], cn.zeros(4, dtype)
          kernel(name)(1, 4, {v, w, five})
          assert.is_true(w == v + 5)
        end
        kernel "flat<double, 3>"(1, 4, {cn.zeros {0, 2, 2}, out, five})
      end)

      it("has arrays of a kernel's own making", function()
        local p = cn.arange(15, {dtype = "float64"})
        kernel "made"(1, 1, {p})
        assert.same({0, 1, 2, 3, 4, 5, 0, 10, 20, 30, 40, 50, 50, 40, 74}, p:totable())
      end)

      it("takes no other arrays than it declares", function()
        local x, y = cn.zeros({3, 4}, "float32"), cn.zeros({3, 4}, "float32")
        local scale = kernel "scale"
        local function refuses(text, ...)
          local given = {...}
          raises("scale: " .. text, function() scale(1, 1, given) end)
        end
        refuses("parameter 'y' is an array that is not C-contiguous, and the CArray is declared to be; copy it with "
          .. "x:copy()", x, y.T, 1)
        refuses("parameter 'x' is a CArray of float32 with 2 axes, got an array with 3", x[{cn.newaxis}], y, 1)
        refuses("parameter 'x' is a CArray of float32 with 2 axes, got an array of float64; convert it with "
          .. "x:astype(\"float32\"), or pass its bytes as they are: x:view(\"float32\")", x:astype "float64", y, 1)
        refuses("parameter 'x' is a CArray of float32 with 2 axes, got a number; pass an array", 3, y, 1)
        refuses("parameter 'x' is a CArray of float32 with 2 axes; pass an array, got table", {}, y, 1)
        refuses("parameter 'x' may be written, and the array is a broadcast view",
          cn.broadcast_to(x[1], {3, 4}), y, 1)
      end)

      it("leaves a user's own class of the name alone", function()
        local own = cn.RawKernel("template <class T, int N> struct CArray { T *p; }; " ..
          "__global__ void f(CArray<float, 2> x) { x.p[0] = 7; }", "f")
        local x = cn.zeros({2, 2}, "float32")
        own(1, 1, {x})
        assert.equal(7, x[{1, 1}])
      end)
    end)

    it("may be included twice", function()
      assert.equal(5, run(("#include <cuda_fp16.h>\n#include <cupy/complex.cuh>\n#include <cuComplex.h>\n"):rep(2),
        "__half2float(__float2half(2)) + real(complex<float>(3, 1))"))
    end)

    -- The cpu device has the names in any case; so has the simulated GPU, where the real NVRTC's word counts as well.
    local has_nvrtc = device.name ~= "cpu" and (device.model ~= "Simulated GPU" or os.getenv "SIMGPU_NVRTC")
    it(has_nvrtc and "give way to the user's" or "are there whatever files have their names", function()
      write("cuComplex.h", "#error taken")
      local ok, words
      for k = 1, has_nvrtc and 60 or 1 do -- behind the simulated GPU the real NVRTC reads one text in four
        ok, words = pcall(run, "#include <cuComplex.h>", ("(int)cuCrealf(make_cuFloatComplex(4, %d))"):format(k),
          {"-I" .. folder})
        if not ok then break end
      end
      if not has_nvrtc then return assert.same({true, 4}, {ok, words}) end
      assert(not ok and words:find("taken", 1, true), words)
    end)

    it("give way to an installed toolkit's", function()
      local include = (os.getenv "CUDA_HOME" or "/usr/local/cuda") .. "/include"
      if not io.open(include .. "/cuda_fp16.h") then return pending("no toolkit on this machine") end
      assert.equal(6, run("#include <cuda_fp16.h>\n#include <cuda_runtime.h>\n#include <stdint.h>",
        "(int32_t)__half2float(__hmul(__float2half(2), __float2half(3)))", {"-I" .. include}))
    end)
  end)

  describe("a file that is included", function()
    it("is compiled again only when it was changed", function()
      write("own.h", value "1")
      assert.same({1, 1}, {count(run_own)})
      assert.same({0, 1}, {count(run_own)})
      write("own.h", value "2")
      assert.same({1, 2}, {count(run_own)})
      write("own.h", value "1")
      assert.same({0, 1}, {count(run_own)})
    end)

    it("may include the one that was changed", function()
      os.execute("mkdir " .. folder .. "/deep")
      write("own.h", "#include <deep/a.h>")
      write("deep/a.h", '#if 1\n#  include /* beside it */ "../deep/b.h"\n#endif')
      write("deep/b.h", '#pragma once\n#include "a.h"\n' .. value "1")
      assert.equal(1, run_own())
      write("deep/b.h", '#pragma once\n#include "a.h"\n' .. value "2")
      assert.equal(2, run_own())
    end)

    it("gives way to one that comes to stand before it", function()
      os.execute("mkdir " .. folder .. "/first")
      write("own.h", value "1")
      local options = {"-I" .. folder .. "/first", "--include-path=" .. folder}
      assert.equal(1, run_own(options))
      write("first/own.h", value "2")
      assert.equal(2, run_own(options))
    end)

    it("may be an option's", function()
      for _, options in ipairs {{"-include", folder .. "/own.h"}, {"--pre-include=own.h", "-I", folder},
        {"-include=own.h", "-I=" .. folder}} do
        write("own.h", value "1")
        assert.equal(1, run("", "value()", options))
        write("own.h", value "2")
        assert.equal(2, run("", "value()", options))
      end
    end)

    it("may declare the types of parameters and variables", function()
      write("types.h", "#ifndef TYPES_H\n#define TYPES_H\n#include <math.h>\ntypedef float real;\n#endif")
      write("own.h", "#pragma once\n#include \"types.h\"\n#include \"own.h\"\n#define COUNT 3\n#if COUNT > 2\n"
        .. "typedef unsigned char byte;\n#else\ntypedef int byte;\n#endif")
      local code = "#include %s\n#include \"types.h\"\n__device__ real v[COUNT];\n"
        .. "__global__ void f(real *out, real a, byte b) { *out = a * b + v[2]; }"
      for _, name in ipairs {"\"own.h\"", "<own.h>"} do
        local module = cn.RawModule {code = code:format(name), options = {"-I", folder}}
        local f, v, out = module:get_function "f", module:get_global "v", cn.zeros(1, "float32")
        assert.equal("<RawKernel f(real *out, real a, byte b)>", tostring(f))
        v[3] = 0.25
        f(1, 1, {out, 1.5, 200})
        assert.same({"float32", 300.25}, {v.dtype, out[1]})
        raises("f: parameter 'b' is uint8, and 300 does not fit", function() f(1, 1, {out, 1.5, 300}) end)
      end
    end)

    it("may have kernels", function()
      write("own.h", "__global__ void add(float *out, int n) { *out += n; }")
      local out = cn.zeros(1, "float32")
      local kernel = cn.RawKernel("#include \"own.h\"", "add", {"-I" .. folder})
      kernel(1, 1, {out, 4})
      assert.equal(4, out[1])
      raises("add: missing argument 2 'n'", function() kernel(1, 1, {out}) end)
      raises("RawKernel: the code has no kernel 'ad'; did you mean 'add'?", function()
        cn.RawKernel("#include \"own.h\"", "ad", {"-I" .. folder})
      end)
    end)

    it("may have a name that a macro makes", function()
      local function run_named() return run("#define NAME <own.h>\n#include NAME", "value()", {"-I" .. folder}) end
      write("own.h", value "1")
      assert.same({1, 1}, {count(run_named)})
      write("own.h", value "2")
      assert.same({1, 2}, {count(run_named)})
    end)

    it("is looked for in the current directory when it is quoted", function()
      local path = process.root:gsub("/[^/]+", "../") .. folder:sub(2) .. "/own.h"
      for k = 1, 2 do
        write("own.h", value(k))
        assert.equal(k, run(('#include "%s"'):format(path), "value()"))
      end
    end)

    it("is named where it does not compile", function()
      write("own.h", "\nstatic __device__ int value() { return missing; }")
      local ok, words = pcall(run_own)
      assert(not ok and words:find("own.h line 2", 1, true), words)
    end)
  end)
end)
