--- Functions of <cuda_fp16.h> and <cuda_bf16.h> in raw kernels, whose results have CUDA's bits.
local cn = require "cuna"
local process = require "spec.support.process"
local each_device = require("spec.support.devices").each_device
local golden = dofile "spec/golden/half.lua"

local HASHES = [[
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <half_functions.h>
__global__ void half_(unsigned *hashes) { hash_half(hashes); }
__global__ void bfloat16_(unsigned *hashes) { hash_bfloat16(hashes); }]]

each_device(function()
  for name, rows in pairs(golden) do
    it(name .. " has CUDA's bits", function()
      local module = cn.RawModule {code = HASHES, options = {"-I" .. process.root .. "/spec/golden"}}
      local hashes, wrong = cn.zeros(#rows, "uint32"), {}
      module:get_function(name .. "_")(1, 1, {hashes})
      for k, hash in ipairs(hashes:totable()) do
        if hash ~= rows[k][2] then wrong[#wrong + 1] = rows[k][1] end
      end
      assert.same({}, wrong)
    end)
  end

  -- Those that the toolkit has for GPUs only.
  for type, name in pairs {__half = "half", __nv_bfloat16 = "bfloat16"} do
    it(name .. " has fused products that saturate, and of complex numbers", function()
      local out = cn.zeros(12, "float32")
      cn.RawKernel(([[
        #include <cuda_fp16.h>
        #include <cuda_bf16.h>
        __global__ void f(float *out)
        {
            H one = __float2NAME(1.0f), two = __float2NAME(2.0f), minus = __float2NAME(-1.0f);
            H nan = __float2NAME(NAN);
            out[0] = __hfma_sat(one, two, one);
            out[1] = __hfma_sat(minus, two, one);
            out[2] = __hfma_sat(nan, two, one);
            out[3] = __hfma_relu(two, two, one);
            out[4] = __hfma_relu(minus, two, one);
            out[5] = __hisnan(__hfma_relu(nan, two, one));
            auto z = __hcmadd(__halves2NAME2(one, two), __halves2NAME2(two, minus), __halves2NAME2(one, one));
            out[6] = __low2float(z);
            out[7] = __high2float(z);
            out[8] = __int2NAME_rz(16777217) == __float2NAME_rz(16777216.0f);
            out[9] = __low2float(__hfma2_relu(__NAME2NAME2(minus), __NAME2NAME2(two), __NAME2NAME2(one)));
            out[10] = __NAME2short_rn(__float2NAME(40000.0f)) + __NAME2int_rd(__float2NAME(-2.5f));
            H##_raw raw = one;
            out[11] = H(raw);
        }]]):gsub("H##", type):gsub("%f[%w]H%f[%W]", type):gsub("NAME", name), "f")(1, 1, {out})
      assert.same({1, 0, 0, 5, 0, 1, 5, 4, 1, 0, 32767 - 3, 1}, out:totable())
    end)
  end
end)
