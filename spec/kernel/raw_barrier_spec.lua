--- Barriers of blocks: what threads keep while they wait, and the order of those that do not all wait alike.
local cn = require "cuna"
local each_device = require("spec.support.devices").each_device
local simgpu = require "spec.simgpu.driver"

each_device(function(device)
  describe("threads that wait at a barrier", function()
    it("keep vectors, masks, structs and calls, compiled with optimisation", function()
      local out = cn.zeros(96, "float64")
      -- NVRTC has no long double.
      local wide = (device.kind == "cpu" or simgpu.here) and "long double" or "double"
      cn.RawKernel(([==[
#pragma GCC optimize ("O3")
struct Pair { double a; int b; };
__device__ __noinline__ double deep(double x, int n)
{
    if (n == 0) { __syncthreads(); return x; }
    return deep(x + n, n - 1) * 0.5 + n;
}
__global__ void keep(double *out, int n)
{
    __shared__ double seen[96];
    float many[40];
    WIDE wide = threadIdx.x;
    Pair pair = {double(threadIdx.x), 3};
    bool odd[16];
    int t = threadIdx.x;
    for (int i = 0; i < 40; i++) many[i] = t * i;
    for (int i = 0; i < 16; i++) odd[i] = (t + i) % 3 == 1;
    for (int k = 0; k < n; k++) {
        seen[t] = k + t;
        __syncthreads();
        double other = seen[(t + 1 + k) % 96];
        for (int i = 0; i < 40; i++) many[i] = odd[i % 16] ? many[i] + 1 : many[i] * 0.5f + 2;
        wide = wide / 3 + other;
        pair.a += k * pair.b;
        __syncthreads();
    }
    double sum = wide + pair.a + deep(t, 5) + threadIdx.x + blockDim.x;
    for (int i = 0; i < 40; i++) sum += many[i] * (i + 1);
    out[t] = sum;
}]==]):gsub("WIDE", wide), "keep")(1, 96, { out, 7 })
      for t = 0, 95 do
        local many, x, a = {}, t, t
        for i = 0, 39 do many[i] = t * i end
        for k = 0, 6 do
          for i = 0, 39 do many[i] = (t + i % 16) % 3 == 1 and many[i] + 1 or many[i] * 0.5 + 2 end
          x = x / 3 + k + (t + 1 + k) % 96
          a = a + 3 * k
        end
        local deep = t + 15
        for n = 1, 5 do deep = deep * 0.5 + n end
        local sum = x + a + deep + t + 96
        for i = 0, 39 do sum = sum + many[i] * (i + 1) end
        assert.near(sum, out[t + 1], 1e-9 * sum, "thread " .. t)
      end
    end)

    it("go on together when some sleep, vote, shuffle or have ended", function()
      for _, threads in ipairs { 1, 2, 31, 64, 100, 1024 } do
        local out = cn.zeros(4, "int32")
        cn.RawKernel([==[
__global__ void mixed(int *out)
{
    __shared__ int sum;
    int t = threadIdx.x, n = blockDim.x;
    if (t == 0) sum = 0;
    int even = __syncthreads_count(t % 2 == 0);
    if (t == n - 1) out[0] = even;
    for (int k = 0; k < 5; k++) {
        if (t % 7 == k) __nanosleep(10);
        if (t / 32 == k) __syncwarp(n - t / 32 * 32 >= 32 ? ~0u : (1u << n % 32) - 1);
        atomicAdd(&sum, 1);
        __syncthreads();
        if (sum != (k + 1) * n) atomicAdd(&out[1], 1);
        __syncthreads();
    }
    if (t % 3 == 1) return;
    int left = __syncthreads_count(1);
    if (!__syncthreads_and(left > 0) || __syncthreads_or(left != n - (n + 1) / 3)) out[1] = 1000;
    if (t == 0) out[2] = left;
    if (t > 0) return;
    __syncthreads();
    out[3] = __syncthreads_count(1);
}]==], "mixed")(1, threads, { out })
        local left = threads - math.floor((threads + 1) / 3)
        assert.are.same({ math.ceil(threads / 2), 0, left, 1 }, out:totable(), threads)
      end
    end)
  end)
end)
