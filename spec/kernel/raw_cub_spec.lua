--- CUB's primitives of blocks and warps in raw kernels.
local cn = require "cuna"
local each_device = require("spec.support.devices").each_device

local CODE = [[
#include <cub/block/block_exchange.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>
#include <cuda/functional>

__global__ void reduce(int *out, const int *x, int n)
{
    typedef cub::BlockReduce<int, 64> BlockReduce;
    __shared__ typename BlockReduce::TempStorage storage;
    int i = threadIdx.x, pair[2] = {x[i], x[i + 64]};
    int sum = BlockReduce(storage).Sum(x[i]);
    __syncthreads();
    int most = BlockReduce(storage).Reduce(x[i], cuda::maximum<>());
    __syncthreads();
    int few = BlockReduce(storage).Sum(x[i], n);
    __syncthreads();
    int all = BlockReduce(storage).Sum(pair);
    __syncthreads();
    int product = BlockReduce(storage).Reduce(x[i] % 2 + 1, [](int a, int b) { return a * b % 1009; });
    if (i == 0) out[0] = sum, out[1] = most, out[2] = few, out[3] = all, out[4] = product;
}

/* Adds the sums of the blocks before. */
struct Running {
    int sum;
    __device__ int operator()(int of_block)
    {
        int before = sum;
        sum += of_block;
        return before;
    }
};

__global__ void scan(int *out, const int *x)
{
    typedef cub::BlockScan<int, 32, cub::BLOCK_SCAN_RAKING, 2> BlockScan; /* 32 by 2 threads */
    __shared__ typename BlockScan::TempStorage storage;
    int i = threadIdx.x + 32 * threadIdx.y, value, total, items[2] = {x[2 * i], x[2 * i + 1]}, sums[2];
    BlockScan(storage).InclusiveSum(x[i], value);
    out[i] = value;
    __syncthreads();
    BlockScan(storage).ExclusiveSum(x[i], value, total);
    out[64 + i] = value + 100000 * (total == 2016);
    __syncthreads();
    BlockScan(storage).ExclusiveSum(items, sums);
    out[128 + 2 * i] = sums[0], out[129 + 2 * i] = sums[1];
    __syncthreads();
    BlockScan(storage).ExclusiveScan(x[i], value, 5, cuda::maximum<>());
    out[256 + i] = value;
    __syncthreads();
    Running running = {1000};
    for (int k = 0; k < 2; k++) {
        BlockScan(storage).InclusiveSum(x[64 * k + i], value, running);
        out[320 + 64 * k + i] = value;
        __syncthreads();
    }
}

__global__ void sort(float *keys, int *values, int n)
{
    typedef cub::BlockLoad<float, 32, 4, cub::BLOCK_LOAD_TRANSPOSE> Load;
    typedef cub::BlockStore<float, 32, 4, cub::BLOCK_STORE_TRANSPOSE> Store;
    typedef cub::BlockRadixSort<float, 32, 4, int> Sort;
    __shared__ union {
        typename Load::TempStorage load;
        typename Store::TempStorage store;
        typename Sort::TempStorage sort;
    } storage;
    float mine[4];
    int numbers[4];
    for (int k = 0; k < 4; k++) numbers[k] = 4 * threadIdx.x + k;
    Load(storage.load).Load(keys, mine, n, 1e30f);
    __syncthreads();
    Sort(storage.sort).Sort(mine, numbers);
    __syncthreads();
    Store(storage.store).Store(keys, mine, n);
    for (int k = 0; k < 4; k++) values[4 * threadIdx.x + k] = numbers[k];
}

__global__ void sort_bits(unsigned *x)
{
    typedef cub::BlockRadixSort<unsigned, 16, 2> Sort;
    typedef cub::BlockExchange<unsigned, 16, 2> Exchange;
    __shared__ typename Sort::TempStorage storage;
    __shared__ typename Exchange::TempStorage exchange;
    unsigned mine[2] = {x[threadIdx.x], x[threadIdx.x + 16]};
    Exchange(exchange).StripedToBlocked(mine);
    Sort(storage).SortDescendingBlockedToStriped(mine, 2, 5);
    x[threadIdx.x] = mine[0], x[threadIdx.x + 16] = mine[1];
}

__global__ void warps(int *out, const int *x)
{
    typedef cub::WarpReduce<int, 8> Reduce;
    typedef cub::WarpScan<int, 8> Scan;
    __shared__ typename Reduce::TempStorage reduce[8];
    __shared__ typename Scan::TempStorage scan[8];
    int i = threadIdx.x, sum = Reduce(reduce[i / 8]).Sum(x[i]), inclusive, exclusive, total;
    Scan(scan[i / 8]).InclusiveSum(x[i], inclusive);
    __syncwarp();
    Scan(scan[i / 8]).ExclusiveSum(x[i], exclusive, total);
    __syncwarp();
    int third = Scan(scan[i / 8]).Broadcast(x[i], 3);
    out[i] = inclusive + 1000 * (exclusive + x[i] == inclusive) + 10000 * (third == i / 8 * 8 + 3);
    if (i % 8 == 0) out[i] += 100000 * (sum == total);
}]]

--- { fn(0), ..., fn(n - 1) }
local function list(n, fn)
  local values = {}
  for i = 0, n - 1 do values[i + 1] = fn(i) end
  return values
end

each_device(function()
  local module, x, found
  setup(function()
    module = cn.RawModule {code = CODE, name_expressions = {"reduce", "scan", "sort", "sort_bits", "warps"}}
    local ok, words = pcall(function() module:compile() end)
    found = ok or not words:find("cannot open source file", 1, true)
    x = cn.arange(128):astype "int32"
  end)

  local function ints(n) return cn.zeros(n, "int32") end

  --- A GPU has the toolkit's headers, if there is a toolkit.
  local function check(name, fn)
    it(name, function()
      if not found then return pending "no CUB on this machine" end
      fn()
    end)
  end

  check("folds over the threads of a block", function()
    local out = ints(5)
    module:get_function "reduce"(1, 64, {out, x, 10})
    local product = 1
    for _ = 1, 32 do product = product * 2 % 1009 end
    assert.same({2016, 63, 45, 127 * 64, product}, out:totable())
  end)

  check("scans over the threads of a block", function()
    local out, expected = ints(448), {}
    module:get_function "scan"(1, {32, 2}, {out, x})
    local function add(n, fn) for i = 0, n - 1 do expected[#expected + 1] = fn(i) end end
    add(64, function(i) return i * (i + 1) / 2 end)
    add(64, function(i) return i * (i - 1) / 2 + 100000 end)
    add(128, function(i) return i * (i - 1) / 2 end)
    add(64, function(i) return math.max(5, i - 1) end)
    add(128, function(i) return 1000 + i * (i + 1) / 2 end)
    assert.same(expected, out:totable())
  end)

  check("loads, sorts and stores", function()
    local keys, values = cn.zeros(128, "float32"), ints(128)
    for i = 0, 99 do keys[i + 1] = (i * 37 % 100 - 50) / 4 end
    module:get_function "sort"(1, 32, {keys, values, 100})
    assert.same(list(100, function(i) return (i - 50) / 4 end), keys["1:100"]:totable())
    assert.same(list(128, function(i) return i < 100 and i * 73 % 100 or i end), values:totable())
  end)

  check("sorts by some bits, and keeps the order of equal keys", function()
    local bits = cn.zeros(32, "uint32")
    for i = 0, 31 do bits[i + 1] = i * 5 % 32 end
    module:get_function "sort_bits"(1, 16, {bits})
    local expected = list(32, function(i) return i * 5 % 32 end)
    local place = {}
    for i, v in ipairs(expected) do place[v] = i end
    table.sort(expected, function(a, b)
      local high, other = math.floor(a / 4) % 8, math.floor(b / 4) % 8
      if high ~= other then return high > other end
      return place[a] < place[b]
    end)
    assert.same(expected, bits:totable())
  end)

  check("works in parts of warps", function()
    local out = ints(64)
    module:get_function "warps"(1, 64, {out, x})
    assert.same(list(64, function(i)
      local first, rank = i - i % 8, i % 8
      return (rank + 1) * first + rank * (rank + 1) / 2 + 11000 + (rank == 0 and 100000 or 0)
    end), out:totable())
  end)
end)
