--- Sobol's sequences, MTGP32, and the distributions of Poisson and of tables of <curand_kernel.h>, in raw kernels.
local cn = require "cuna"
local process = require "spec.support.process"
local each_device = require("spec.support.devices").each_device
local golden = dofile "spec/golden/curand_more.lua"

local DRAWS = [[
#include <curand_kernel.h>
#include <random_more_draws.h>
template <class S> __global__ void f(unsigned long long *bits, double *reals)
{
    S state;
    draw_state(&state, bits, reals);
}
__global__ void mtgp(curandStateMtgp32_t *state, mtgp32_kernel_params_t *params, unsigned long long *bits,
                     double *reals)
{
    draw_mtgp(state, params, bits, reals);
}
__global__ void draw(curandStateMtgp32_t *state, mtgp32_kernel_params_t *params, unsigned *bits, int n)
{
    if (threadIdx.x == 0) {
        state->offset = 0;
        state->k = params;
        for (unsigned i = 0; i < 1024; i++) state->s[i] = (i + 1) * 2654435761u;
    }
    __syncthreads();
    for (int k = 0; k < n; k++) bits[k * blockDim.x + threadIdx.x] = curand(state);
}]]

local REJECTING = {curandStateXORWOW_t = true, curandStateMRG32k3a_t = true, curandStatePhilox4_32_10_t = true}

--- Checks values 5 to 10 of a GPU, whose fast functions may reject others, and takes them out of the comparison.
local function check_rejected(case, found)
  for k = 5, 10 do
    local mean = k <= 8 and 90.5 or 2000
    assert(math.abs(tonumber(found[k]) - mean) < 6 * math.sqrt(mean), found[k])
    found[k] = case.bits[k]
  end
end

each_device(function(device)
  local is_gpu = device.name ~= "cpu" and device.model ~= "Simulated GPU"
  local module
  setup(function()
    local names = {"mtgp", "draw"}
    for _, case in ipairs(golden) do
      if case.state ~= "curandStateMtgp32_t" then names[#names + 1] = ("f<%s>"):format(case.state) end
    end
    module = cn.RawModule {code = DRAWS, options = {"-I" .. process.root .. "/spec/golden"}, name_expressions = names}
  end)

  -- A state, and MTGP32's parameters.
  local function rooms() return cn.zeros(4112, "uint8"), cn.zeros(200 * 4 * 51 + 4, "uint8") end

  for _, case in ipairs(golden) do
    it(case.state .. " has cuRAND's numbers", function()
      local bits, reals = cn.zeros(#case.bits, "uint64"), cn.zeros(#case.reals)
      if case.state == "curandStateMtgp32_t" then
        local state, params = rooms()
        module:get_function "mtgp"(1, 1, {state, params, bits, reals})
      else
        module:get_function(("f<%s>"):format(case.state))(1, 1, {bits, reals})
      end
      local found = {}
      for k, v in ipairs(bits:totable()) do found[k] = tostring(v):gsub("U?LL$", "") end
      if is_gpu and REJECTING[case.state] then check_rejected(case, found) end
      assert.same(case.bits, found)
      for k, value in ipairs(reals:totable()) do
        local wanted = case.reals[k]
        assert(math.abs(value - wanted) <= 2e-5 * math.max(1, math.abs(wanted)), ("%d: %.9g, not %.9g"):format(k, value,
          wanted))
      end
    end)
  end

  it("threads of a block make the numbers that one thread makes", function()
    local state, params = rooms()
    local bits, reals = cn.zeros(24, "uint64"), cn.zeros(12)
    module:get_function "mtgp"(1, 1, {state, params, bits, reals})
    local alone, together = cn.zeros(256, "uint32"), cn.zeros(256, "uint32")
    module:get_function "draw"(1, 1, {state, params, alone, 256})
    module:get_function "draw"(1, 64, {state, params, together, 4})
    assert.same(alone:totable(), together:totable())
  end)
end)
