--- Cooperative groups in raw kernels, in the forms of CUDA's guide and samples.
local cn = require "cuna"
local process = require "spec.support.process"
local each_device = require("spec.support.devices").each_device

local BEFORE = [[
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>
namespace cg = cooperative_groups;
]]

-- The bodies of kernels, each of which writes to its threads' places in `out`.
local BODIES = {
  block = [[
    cg::thread_block block = cg::this_thread_block();
    block.sync();
    int rank = block.thread_rank() + 100 * block.size() + 10000 * block.group_index().x;
    out[block.group_index().x * block.group_dim().x + block.thread_index().x] = rank;]],
  shuffles = [[
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    int x = threadIdx.x;
    out[x] = tile.shfl(x, 3) + 100 * tile.shfl_up(x, 2) + 10000 * tile.shfl_down(x, 1);]],
  votes = [[
    cg::thread_block_tile<4> tile = cg::tiled_partition<4>(cg::this_thread_block());
    int x = threadIdx.x;
    out[x] = tile.shfl_xor(x, 3) + 100 * tile.ballot(x % 2) + 10000 * tile.meta_group_rank();]],
  nested = [[
    auto tile = cg::tiled_partition<4>(cg::tiled_partition<16>(cg::this_thread_block()));
    int x = threadIdx.x;
    out[x] = tile.all(x > 15) + 20 * (tile.num_threads() == 4) + 300 * tile.any(x == 16 || x > 17)
      + 0 * tile.meta_group_size();]],
  wide = [[
    __shared__ cg::block_tile_memory<256> memory;
    auto block = cg::this_thread_block(memory);
    auto tile = cg::tiled_partition<64>(block);
    auto part = cg::tiled_partition<32>(tile);
    __shared__ int values[128];
    int x = threadIdx.x, sum = cg::reduce(tile, 1, cg::plus<int>());
    values[x] = x;
    tile.sync();
    sum += 1000 * (tile.shfl(x, 40) == x / 64 * 64 + 40) + 2000 * tile.any(x == 70) + 4000 * tile.all(x >= 64);
    sum += 10000 * tile.meta_group_rank() + 100000 * part.meta_group_rank() + 1000000 * (tile.thread_rank() == x % 64);
    out[x] = sum + 10000000 * (values[x / 64 * 64 + 63 - x % 64] == x / 64 * 64 + 63 - x % 64);]],
  matches = [[
    auto tile = cg::tiled_partition<4>(cg::this_thread_block());
    int all;
    tile.match_all(7, all);
    out[threadIdx.x] = tile.match_any(threadIdx.x % 2) * all;]],
  large = [[
    struct Three { char c; double d; short s; };
    Three mine = {(char)threadIdx.x, 2.0 * threadIdx.x, (short)(3 * threadIdx.x)};
    Three other = cg::tiled_partition<16>(cg::this_thread_block()).shfl(mine, 1);
    out[threadIdx.x] = other.c + (int)other.d + other.s;]],
  branch = [[
    if (threadIdx.x % 32 % 3 == 1) {
        cg::coalesced_group active = cg::coalesced_threads();
        out[threadIdx.x] = active.thread_rank() + 100 * active.size() + 10000 * active.shfl(threadIdx.x, 0);
    }]],
  aggregate = [[
    int *count = out, before;
    if (threadIdx.x % 3 == 0) {
        auto active = cg::coalesced_threads();
        if (active.thread_rank() == 0) before = atomicAdd(count, active.size());
        if (active.shfl(before, 0) + active.thread_rank() >= 22) *count = -1;
    }]],
  binary = [[
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    auto part = cg::binary_partition(tile, threadIdx.x % 16 % 5 == 1);
    out[threadIdx.x] = part.size() + 100 * part.thread_rank() + 10000 * part.meta_group_rank();]],
  labels = [[
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    auto part = cg::labeled_partition(tile, 70 + threadIdx.x % 8 % 3);
    int rank = part.meta_group_rank();
    out[threadIdx.x] = part.meta_group_size() * 100 + part.thread_rank() * 10 + rank;]],
  tiles_of_branch = [[
    if (threadIdx.x % 2 == 0) {
        auto part = cg::tiled_partition(cg::coalesced_threads(), 4);
        out[threadIdx.x] = part.size();
    }]],
  reduce = [[
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    int x = threadIdx.x;
    out[x] = cg::reduce(tile, x, cg::greater<int>()) + 100 * cg::reduce(tile, x, cg::plus<int>());]],
  scan = [[
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    int x = tile.thread_rank();
    int before = cg::exclusive_scan(tile, x, cg::plus<int>());
    out[threadIdx.x] = cg::inclusive_scan(tile, x) + 1000 * before;]],
  reduce_branch = [[
    if (threadIdx.x % 4 == 3) out[threadIdx.x] = cg::reduce(cg::coalesced_threads(), (int)threadIdx.x,
        [](int a, int b) { return a + b; });]],
  copy = [[
    __shared__ int mine[64];
    auto block = cg::this_thread_block();
    out[threadIdx.x] = 1000 + threadIdx.x;
    block.sync();
    cg::memcpy_async(block, mine, out, sizeof(int) * 64);
    cg::wait(block);
    out[threadIdx.x] = mine[63 - threadIdx.x];]],
  pipeline = [[
    __shared__ int mine[64];
    out[threadIdx.x] = 1000 + threadIdx.x;
    __syncthreads();
    __pipeline_memcpy_async(&mine[threadIdx.x], &out[threadIdx.x], sizeof(int), threadIdx.x == 5 ? 4 : 0);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    out[threadIdx.x] = mine[63 - threadIdx.x];]],
  one = [[
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    cg::invoke_one(tile, [&](int v) { out[threadIdx.x] += v; }, 5);
    out[threadIdx.x] += cg::invoke_one_broadcast(tile, [] { return 7; });]],
}

local NAMES, SOURCE = {}, BEFORE
for name in pairs(BODIES) do NAMES[#NAMES + 1] = name end
table.sort(NAMES)
for _, name in ipairs(NAMES) do
  SOURCE = SOURCE .. ("__global__ void %s(int *out)\n{\n%s\n}\n"):format(name, BODIES[name])
end

--- { fn(0), ..., fn(n - 1) }
local function list(n, fn)
  local values = {}
  for i = 0, n - 1 do values[i + 1] = fn(i) end
  return values
end

each_device(function(device)
  local module
  setup(function()
    module = cn.RawModule {code = SOURCE, name_expressions = NAMES}
  end)

  --- What a body writes to n numbers.
  local function run(name, n, threads)
    local out = cn.zeros(n, "int32")
    module:get_function(name)(math.ceil(n / threads), threads, {out})
    return out:totable()
  end

  describe("groups", function()
    it("of a block know its threads", function()
      assert.same(list(96, function(i) return i % 48 + 100 * 48 + 10000 * math.floor(i / 48) end), run("block", 96, 48))
    end)

    it("may be passed to a function as what they have in common", function()
      local kernel = cn.RawKernel([[
        #include <cooperative_groups.h>
        using namespace cooperative_groups;
        __device__ int reduce_sum(thread_group g, int *temp, int value)
        {
            int lane = g.thread_rank();
            for (int i = g.size() / 2; i > 0; i /= 2) {
                temp[lane] = value;
                g.sync();
                if (lane < i) value += temp[lane + i];
                g.sync();
            }
            return value;
        }
        __global__ void sums(int *sums, const int *x, int n)
        {
            extern __shared__ int temp[];
            int mine = 0;
            for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) mine += x[i];
            auto block = this_thread_block();
            int of_block = reduce_sum(block, temp, mine);
            auto tile = tiled_partition(block, 16);
            int of_tile = reduce_sum(tile, temp + block.thread_rank() / 16 * 16, mine);
            if (tile.thread_rank() == 0) atomicAdd(&sums[1], of_tile);
            if (block.thread_rank() == 0) atomicAdd(&sums[0], of_block);
        }]], "sums")
      local sums, x = cn.zeros(2, "int32"), cn.arange(1000):astype "int32"
      kernel(3, 64, {sums, x, 1000}, {shared_mem = 64 * 4})
      assert.same({499500, 499500}, sums:totable())
    end)

    it("of lanes shuffle and vote", function()
      assert.same(list(64, function(i)
        local rank, first = i % 8, i - i % 8
        return (first + 3) + 100 * (rank < 2 and i or i - 2) + 10000 * (rank > 6 and i or i + 1)
      end), run("shuffles", 64, 64))
      assert.same(list(64, function(i) return (i - i % 4 + (3 - i % 4)) + 100 * 10 + 10000 * math.floor(i / 4) end),
        run("votes", 64, 64))
      assert.same(list(32, function(i) return i < 16 and 0 + 20 + 0 or 1 + 20 + 300 end), run("nested", 32, 32))
      assert.same(list(32, function(i) return i % 2 == 0 and 5 or 10 end), run("matches", 32, 32))
    end)

    it("are tiles of several warps", function()
      assert.same(list(128, function(i)
        local tile = math.floor(i / 64)
        return 11000000 + 64 + 1000 + (tile == 1 and 6000 or 0) + 10000 * tile + 100000 * (math.floor(i / 32) % 2)
      end), run("wide", 128, 128))
    end)

    it("shuffle values of any size", function()
      assert.same(list(32, function(i) return (i - i % 16 + 1) * 6 end), run("large", 32, 32))
    end)

    it("are of the threads that a branch has taken", function()
      assert.same(list(64, function(i)
        local lane = i % 32
        return lane % 3 == 1 and math.floor(lane / 3) + 100 * 11 + 10000 * (i - lane + 1) or 0
      end), run("branch", 64, 64))
    end)

    it("of a branch count for all of its threads at once", function()
      assert.same({22}, run("aggregate", 1, 64))
    end)

    it("are split by a condition, and by labels", function()
      assert.same(list(32, function(i)
        local odd, lane = i % 16 % 5 == 1, i % 16
        return (odd and 3 or 13) + 100 * (odd and math.floor(lane / 5) or lane - math.ceil((lane - 1) / 5))
          + 10000 * (odd and 1 or 0)
      end), run("binary", 32, 32))
      assert.same(list(32, function(i) return 3 * 100 + math.floor(i % 8 / 3) * 10 + (i % 8 % 3) end),
        run("labels", 32, 32))
      assert.same(list(20, function(i) return i % 2 == 0 and (i < 16 and 4 or 2) or 0 end),
        run("tiles_of_branch", 20, 20))
    end)

    it("reduce and scan", function()
      assert.same(list(64, function(i)
        local first = i - i % 32
        return (first + 31) + 100 * (32 * first + 496)
      end), run("reduce", 64, 64))
      assert.same(list(32, function(i)
        local rank = i % 16
        return rank * (rank + 1) / 2 + 1000 * (rank * (rank - 1) / 2)
      end), run("scan", 32, 32))
      assert.same(list(32, function(i) return i % 4 == 3 and 3 + 7 + 11 + 15 + 19 + 23 + 27 + 31 or 0 end),
        run("reduce_branch", 32, 32))
    end)

    it("copy together", function()
      assert.same(list(64, function(i) return 1000 + (63 - i) end), run("copy", 64, 64))
      assert.same(list(64, function(i) return i == 58 and 0 or 1000 + (63 - i) end), run("pipeline", 64, 64))
    end)

    it("choose one thread", function()
      assert.same(list(32, function(i) return i % 8 == 0 and 5 + 7 or 7 end), run("one", 32, 32))
    end)

    it("may be in a file that the source includes", function()
      local folder = process.folder()
      process.write(folder .. "/own.h", "#include <cooperative_groups/reduce.h>\n"
        .. "static __device__ int sum(int x) { return cooperative_groups::reduce("
        .. "cooperative_groups::coalesced_threads(), x, cooperative_groups::plus<int>()); }\n")
      local out = cn.zeros(1, "int32")
      local kernel = cn.RawKernel('#include "own.h"\n__global__ void f(int *out) { *out = sum(2); }', "f",
        {"-I" .. folder})
      kernel(1, 16, {out})
      assert.equal(32, out[1])
      process.remove(folder)
    end)
  end)

  describe("a grid", function()
    local SUMS = [[
      #include <cooperative_groups.h>
      namespace cg = cooperative_groups;
      __global__ void sums(int *x, int *total, int rounds)
      {
          __shared__ int mine;
          cg::grid_group grid = cg::this_grid();
          for (int i = 0; i < rounds; i++) {
              if (threadIdx.x == 0) mine = 0;
              __syncthreads();
              atomicAdd(&mine, x[grid.thread_rank()]);
              __syncthreads();
              if (threadIdx.x == 0) atomicAdd(total, mine);
              grid.sync();
              x[grid.thread_rank()] = *total / (int)grid.size();
              grid.sync();
              if (grid.thread_rank() == 0) *total = 0;
              grid.sync();
          }
      }]]

    --- The kernel; nil on a GPU without a toolkit.
    local function sums()
      local kernel = cn.RawKernel(SUMS, "sums", {enable_cooperative_groups = true})
      local ok, words = pcall(kernel.compile, kernel)
      if ok then return kernel end
      assert(words:find("grid.sync() needs the headers of CUDA's toolkit", 1, true), words)
    end

    it("has blocks that wait for each other in a cooperative launch", function()
      local kernel = sums()
      if not kernel then return pending "no toolkit for this GPU" end
      local x, total = cn.arange(6 * 64):astype "int32", cn.zeros(1, "int32")
      kernel(6, 64, {x, total, 3})
      assert.same(list(384, function() return 191 end), x:totable())
      x = cn.arange(64):astype "int32"
      kernel(1, 64, {x, total, 2})
      assert.equal(31, x[64])
    end)

    it("has blocks that look at each other's memory", function()
      local kernel = cn.RawKernel([[
        __global__ void pass(int *flags)
        {
            if (threadIdx.x > 0) return;
            int next = (blockIdx.x + 1) % gridDim.x;
            if (blockIdx.x > 0) while (atomicAdd(&flags[blockIdx.x], 0) == 0) __nanosleep(100);
            atomicAdd(&flags[next], 1 + blockIdx.x);
        }]], "pass")
      local flags = cn.zeros(5, "int32")
      kernel(5, 32, {flags}, {cooperative = true})
      assert.same({5, 1, 2, 3, 4}, flags:totable())
    end)

    it("may be recorded in a graph", function()
      local kernel = sums()
      if not kernel then return pending "no toolkit for this GPU" end
      local x, total = cn.arange(128):astype "int32", cn.zeros(1, "int32")
      local graph = cn.graph(function(y) kernel(2, 64, {y, total, 1}) return y + 0 end, x)
      assert.same(list(128, function() return 63 end), graph(x):totable())
    end)

    it("says whether it is complete", function()
      local kernel = cn.RawKernel(BEFORE .. [[__global__ void f(int *out)
        { out[cg::this_grid().thread_rank()] = cg::this_grid().is_valid() + 10 * cg::this_grid().num_blocks(); }]], "f")
      local out = cn.zeros(6, "int32")
      kernel({1, 3}, 2, {out}) -- the toolkit's grids of such a launch are valid on some GPUs
      assert.same({3, 3, 3, 3, 3, 3}, cn.floor_divide(out, 10):totable())
      kernel({1, 3}, 2, {out}, {cooperative = true})
      assert.same({31, 31, 31, 31, 31, 31}, out:totable())
    end)

    local function fails(words, body, cooperative, blocks)
      local kernel = cn.RawKernel(BEFORE .. "__global__ void f(int *out) {" .. body .. "}", "f")
      local ok, message = pcall(function()
        kernel(blocks, 64, {cn.zeros(1, "int32")}, {cooperative = cooperative})
        cn.synchronize()
      end)
      assert(not ok and message:find(words, 1, true), message)
    end

    if device.name == "cpu" then
      it("that can never be complete is an error", function()
        fails("grid.sync() in a launch that is not cooperative: launch with cooperative = true",
          "cg::this_grid().sync();", false, 2)
        fails("blocks wait at grid.sync() for ever: 1 of 3 have ended without it",
          "if (blockIdx.x != 1) cg::this_grid().sync();", true, 3)
      end)

      it("ends when one of its blocks fails", function()
        fails("block (1, 0, 0), thread (5, 0, 0): ",
          "if (blockIdx.x == 1 && threadIdx.x == 5) __trap(); cg::this_grid().sync();", true, 3)
      end)
    end
  end)
end)
