--- CUDA kernels that query the active lanes of their warp (__activemask).
local cn = require "cuna"
local each_device = require("spec.support.devices").each_device
local simgpu = require "spec.simgpu.driver"

--- n reproducible numbers, multiples of 1/8 between -8 and 8.
local function numbers(n)
  local list, state = {}, 12345
  for k = 1, n do
    state = (state * 1103515245 + 12345) % 2147483648
    list[k] = math.floor(state / 65536) % 128 / 8 - 8
  end
  return list
end

local function kernel(name, code) return cn.RawKernel(code, name) end

each_device(function(device)
  describe("lanes that query the active lanes find", function()
    it("the elements that pass a filter, with one atomic per group of lanes", function()
      local x, positive = numbers(5000), {}
      for _, value in ipairs(x) do
        if value > 0 then positive[#positive + 1] = value end
      end
      local out, count = cn.zeros(5000, "float32"), cn.zeros(1, "int32")
      kernel("filter", [[
__device__ int atomicAggInc(int *ctr)
{
    unsigned int active = __activemask();
    int leader = __ffs(active) - 1;
    int change = __popc(active);
    unsigned int rank = __popc(active & ((1u << (threadIdx.x & 31)) - 1));
    int warp_res;
    if (rank == 0) warp_res = atomicAdd(ctr, change);
    warp_res = __shfl_sync(active, warp_res, leader);
    return warp_res + rank;
}
__global__ void filter(float *dst, int *nres, const float *src, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        if (src[i] > 0) dst[atomicAggInc(nres)] = src[i];
}]])(3, 96, {out, count, cn.array(x, "float32"), 5000})
      table.sort(positive)
      assert.are.equal(#positive, count:item())
      assert.are.same(positive, out[{{1, #positive}}]:sort():totable())
    end)

    it("two counts by one function that aggregates, called in both branches", function()
      for _, noinline in ipairs {"", "__noinline__"} do
        local counts, lanes = cn.zeros(2, "int32"), cn.zeros(100, "int32")
        kernel("sides", noinline .. [[ __device__ int aggregated(int *ctr)
{
    unsigned m = __activemask();
    int leader = __ffs(m) - 1, res = 0;
    if ((threadIdx.x & 31) == leader) res = atomicAdd(ctr, __popc(m));
    return __shfl_sync(m, res, leader) + __popc(m & ((1u << (threadIdx.x & 31)) - 1));
}
__global__ void sides(int *counts, int *lanes, int n)
{
    int t = threadIdx.x;
    if (t >= n) return;
    if (t % 3 == 0) lanes[t] = aggregated(&counts[0]);
    else lanes[t] = aggregated(&counts[1]);
}]])(1, 128, {counts, lanes, 100})
        assert.are.equal(100, counts:sum():item())
        if device.name == "cpu" or simgpu.here then -- NVIDIA's compiler may make one call of the two
          assert.are.same({34, 66}, counts:totable())
          assert.are.equal(34 * 33 / 2 + 66 * 65 / 2, lanes:sum():item())
        end
      end
    end)

    it("a histogram whose lanes elect a leader for each key", function()
      local counts = cn.zeros(7, "int32")
      kernel("votes", [[
__global__ void votes(int *counts, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        unsigned todo = __activemask();
        int key = i * i % 7;
        bool done = false;
        while (!done) {
            int leader = __ffs(todo) - 1;
            int chosen = __shfl_sync(todo, key, leader);
            unsigned peers = __ballot_sync(todo, chosen == key);
            if ((threadIdx.x & 31) == leader) atomicAdd(&counts[key], __popc(peers));
            done = chosen == key;
            todo &= ~peers;
        }
        unsigned same = __match_any_sync(__activemask(), key);
        if (__ffs(same) - 1 == (threadIdx.x & 31)) atomicSub(&counts[key], __popc(same) - 1);
    }
}]])(1, 64, {counts, 700})
      local groups, list = 0, counts:totable()
      for _, count in ipairs(list) do groups = groups + count end
      assert.is_true(groups >= 4 * 22 and groups <= 700) -- of lanes with one of four keys, in 22 rounds of warps
      if device.kind == "cpu" then assert.are.equal(4 * 22, groups) end
      assert.are.same({0, 0, 0}, {list[4], list[6], list[7]})
    end)

    it("the active lanes, where others left or sleep", function()
      local seen = cn.zeros(64, "uint32")
      kernel("present", [[
__global__ void present(unsigned *seen)
{
    int t = threadIdx.x, lane = t % 32;
    if (lane < 8) {
        seen[t] = __activemask();
        if (lane < 4) return;
        seen[t] += __activemask() - 0xf0;
    } else if (lane < 16) {
        __syncwarp(0xff00);
        seen[t] = __activemask();
    } else {
        seen[t] = __activemask();
    }
    __syncthreads();
}]])(1, 64, {seen})
      for k, mask in ipairs(seen:totable()) do
        local lane = (k - 1) % 32
        local expected = lane < 8 and 0xff or lane < 16 and 0xff00 or 0xffff0000
        assert.are.equal(expected, mask, "thread " .. k - 1)
      end
      local lock, sum = cn.zeros(2, "int32"), cn.zeros(1, "int32")
      kernel("turns", [[
__global__ void turns(int *lock, int *sum)
{
    bool done = false;
    while (!done) {
        if (atomicCAS(lock, 0, 1) == 0) {
            *(volatile int *)sum += __popc(__activemask());
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        } else
            __nanosleep(20);
    }
}]])(2, 64, {lock, sum})
      assert.are.equal(128, sum:item())
    end)

    it("themselves, where a block has one thread", function()
      local x = cn.zeros(2, "int32")
      kernel("alone", [[
__global__ void alone(int *x)
{
    for (int i = 0; i < 5; ++i) {
        __nanosleep(10);
        x[0] += 1;
        x[1] += __activemask();
    }
}]])(1, 1, {x})
      assert.are.same({5, 5}, x:totable())
    end)
  end)
end)
