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
