--- cuRAND's numbers in raw kernels, <curand_kernel.h>.
local cn = require "cuna"
local process = require "spec.support.process"
local each_device = require("spec.support.devices").each_device
local golden = dofile "spec/golden/curand_kernel.lua"

local DRAWS = [[
#include <curand_kernel.h>
#include <random_draws.h>
template <class S>
__global__ void f(const unsigned long long *start, unsigned *bits, double *exact, double *reals)
{
    draw<S>(start[0], start[1], start[2], bits, exact, reals);
}]]

local function whole(text) return (loadstring("return " .. text .. "ULL"))() end

each_device(function()
  local module
  setup(function()
    module = cn.RawModule {code = DRAWS, options = {"-I" .. process.root .. "/spec/golden"}, name_expressions = {
      "f<curandStateXORWOW_t>", "f<curandStateMRG32k3a_t>", "f<curandStatePhilox4_32_10_t>"}}
  end)

  for _, case in ipairs(golden) do
    it(("%s has cuRAND's numbers, from %s"):format(case.state, table.concat(case.start, ", ")), function()
      local start = cn.zeros(3, "uint64")
      for k = 1, 3 do start[k] = whole(case.start[k]) end
      local bits, exact, reals = cn.zeros(#case.bits, "uint32"), cn.zeros(#case.exact), cn.zeros(#case.reals)
      module:get_function(("f<%s>"):format(case.state))(1, 1, {start, bits, exact, reals})
      assert.same(case.bits, bits:totable())
      assert.same(case.exact, exact:totable())
      for k, value in ipairs(reals:totable()) do
        local wanted = case.reals[k]
        assert(math.abs(value - wanted) <= 2e-5 * math.max(1, math.abs(wanted)), ("%d: %.9g, not %.9g"):format(k, value,
          wanted))
      end
    end)
  end

  it("states stay in memory between kernels, as in CUDA's samples", function()
    local pi = cn.RawModule {code = [[
      #include <curand_kernel.h>
      extern "C" __global__ void prepare(curandState *states, unsigned long long seed)
      {
          int i = blockIdx.x * blockDim.x + threadIdx.x;
          curand_init(seed, i, 0, &states[i]);
      }
      extern "C" __global__ void estimate(curandState *states, unsigned *hits, int n)
      {
          int i = blockIdx.x * blockDim.x + threadIdx.x;
          curandState state = states[i];
          unsigned inside = 0;
          for (int k = 0; k < n; k++) {
              float x = curand_uniform(&state), y = curand_uniform(&state);
              inside += x * x + y * y <= 1.0f;
          }
          states[i] = state;
          atomicAdd(hits, inside);
      }]]}
    local states, hits = cn.zeros(64 * 48, "uint8"), cn.zeros(1, "uint32")
    pi:get_function "prepare"(2, 32, {states, 1234})
    for _ = 1, 2 do pi:get_function "estimate"(2, 32, {states, hits, 500}) end
    assert(math.abs(4 * hits:item() / 64000 - math.pi) < 0.03, hits:item())
  end)
end)
