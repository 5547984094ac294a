--- CUB's primitives that rearrange, compare and sort items of blocks and warps, in raw kernels.
local cn = require "cuna"
local each_device = require("spec.support.devices").each_device

local BEFORE = [==[
#include <cub/cub.cuh>
struct Less { template <class T> __device__ bool operator()(const T &a, const T &b) const { return a < b; } };
struct Unequal { template <class T> __device__ bool operator()(const T &a, const T &b) const { return a != b; } };
struct Minus { template <class T> __device__ T operator()(const T &a, const T &b) const { return a - b; } };
struct Plus { template <class T> __device__ T operator()(const T &a, const T &b) const { return a + b; } };
]==]

-- Kernels of one block of 64 threads over x, 64 * (i + 1) % 100 at i, that write to `out`. With f(i): what they write.
local CASES = {
  histogram = {[[
    typedef cub::BlockHistogram<unsigned char, 64, 2, 8> Histogram;
    __shared__ Histogram::TempStorage storage;
    __shared__ int counts[8];
    unsigned char items[2] = {(unsigned char)(i % 8), (unsigned char)(i % 2)};
    Histogram(storage).Histogram(items, counts);
    __syncthreads();
    if (i < 8) out[i] = counts[i];]], 8, function(i) return 8 + (i < 2 and 32 or 0) end},
  shuffle = {[[
    typedef cub::BlockShuffle<int, 64> Shuffle;
    __shared__ Shuffle::TempStorage storage;
    int items[2] = {2 * i, 2 * i + 1}, up[2] = {-1, -1}, down[2] = {-1, -1}, offset = -1, rotated;
    Shuffle(storage).Up(items, up);
    __syncthreads();
    Shuffle(storage).Down(items, down);
    __syncthreads();
    Shuffle(storage).Offset(i, offset, 2);
    __syncthreads();
    Shuffle(storage).Rotate(i, rotated, 3);
    out[i] = (up[0] + 1) + 1000 * (down[1] + 1) + 1000000 * (offset + 1) + 100000000 * (rotated / 4);]], 64, function(i)
      return 2 * i + 1000 * (i < 63 and 2 * i + 3 or 0) + 1000000 * (i < 62 and i + 3 or 0)
        + 100000000 * math.floor((i + 3) % 64 / 4)
    end},
  flags = {[[
    typedef cub::BlockDiscontinuity<int, 64> Flags;
    __shared__ Flags::TempStorage storage;
    int items[2] = {2 * i / 3, (2 * i + 1) / 3}, heads[2], tails[2], more[2];
    Flags(storage).FlagHeadsAndTails(heads, tails, items, Unequal());
    __syncthreads();
    Flags(storage).FlagHeads(more, items, Unequal(), 0);
    out[2 * i] = heads[0] + 10 * tails[0] + 100 * more[0];
    out[2 * i + 1] = heads[1] + 10 * tails[1] + 100 * more[1];]], 128, function(i)
      local head, tail = i % 3 == 0, i % 3 == 2 or i == 127
      return (head and 1 or 0) + (tail and 10 or 0) + (head and i > 0 and 100 or 0)
    end},
  differences = {[[
    typedef cub::BlockAdjacentDifference<int, 64> Difference;
    __shared__ Difference::TempStorage storage;
    int items[2] = {4 * i * i, (2 * i + 1) * (2 * i + 1)}, left[2], right[2], part[2];
    Difference(storage).SubtractLeft(items, left, Minus());
    __syncthreads();
    Difference(storage).SubtractRight(items, right, Minus());
    __syncthreads();
    Difference(storage).SubtractLeftPartialTile(items, part, Minus(), 10);
    for (int k = 0; k < 2; k++) out[2 * i + k] = left[k] - 1000 * right[k] + (part[k] != left[k]);]], 128, function(i)
      return (i > 0 and 2 * i - 1 or 0) - 1000 * (i < 127 and -(2 * i + 1) or 127 * 127) + (i >= 10 and 1 or 0)
    end},
  merge_sort = {[[
    typedef cub::BlockMergeSort<int, 64, 2, int> Sort;
    __shared__ Sort::TempStorage storage;
    int keys[2] = {(2 * i) * 37 % 128, (2 * i + 1) * 37 % 128}, values[2] = {2 * i, 2 * i + 1};
    Sort(storage).Sort(keys, values, Less());
    out[2 * i] = keys[0] + 1000 * (values[0] * 37 % 128);
    out[2 * i + 1] = keys[1] + 1000 * (values[1] * 37 % 128);]], 128,
    function(i) return 1001 * i end},
  stable = {[[
    typedef cub::BlockMergeSort<int, 64, 1, int> Sort;
    __shared__ Sort::TempStorage storage;
    int key[1] = {i % 4}, value[1] = {i};
    Sort(storage).StableSort(key, value, Less(), 40, 99);
    out[i] = i < 40 ? key[0] + 100 * value[0] : 0; // what the others hold is CUB's affair]], 64, function(i)
      return i < 40 and math.floor(i / 10) + 100 * (math.floor(i / 10) + i % 10 * 4) or 0
    end},
  run_lengths = {[[
    typedef cub::BlockRunLengthDecode<int, 64, 1, 2> Decode;
    __shared__ Decode::TempStorage storage;
    unsigned length[1] = {unsigned(i % 2 + 1)}, total, places[2];
    int run[1] = {i}, items[2];
    Decode decode(storage, run, length, total);
    decode.RunLengthDecode(items, places, 0);
    for (int k = 0; k < 2; k++) if (2 * i + k < 96) out[2 * i + k] = items[k] + 100 * places[k] + 1000 * total;]], 96,
    function(i) return math.floor(i / 3) * 2 + ({0, 1, 1})[i % 3 + 1] + 100 * ({0, 0, 1})[i % 3 + 1] + 96000 end},
  empty_runs = {[[
    typedef cub::BlockRunLengthDecode<int, 64, 1, 3> Decode;
    __shared__ Decode::TempStorage storage;
    unsigned length[1] = {i < 41 ? unsigned(i % 2 + 1) : 0}, total, places[3];
    int run[1] = {i}, items[3];
    Decode(storage, run, length, total).RunLengthDecode(items, places, 0);
    for (int k = 0; k < 3; k++) if (3 * i + k < 128) out[3 * i + k] = items[k] + 100 * places[k];]], 128, function(i)
      if i < 61 then return math.floor(i / 3) * 2 + ({0, 1, 1})[i % 3 + 1] + 100 * ({0, 0, 1})[i % 3 + 1] end
      return (i < 63 and 41 or 63) + 100 * (i - 61) -- the thread that passes the end takes the next run
    end},
  run_offsets = {[[
    typedef cub::BlockRunLengthDecode<int, 64, 1, 2> Decode;
    __shared__ Decode::TempStorage storage;
    unsigned offset[1] = {unsigned(i / 2 * 3 + i % 2)}, places[2];
    int run[1] = {i}, items[2];
    Decode(storage, run, offset).RunLengthDecode(items, places, 0);
    for (int k = 0; k < 2; k++) if (2 * i + k < 96) out[2 * i + k] = items[k] + 100 * places[k];]], 96,
    function(i) return math.floor(i / 3) * 2 + ({0, 1, 1})[i % 3 + 1] + 100 * ({0, 0, 1})[i % 3 + 1] end},
  exchange = {[[
    typedef cub::BlockExchange<int, 64, 2> Exchange;
    __shared__ Exchange::TempStorage storage;
    int items[2] = {2 * i, 2 * i + 1}, ranks[2] = {127 - 2 * i, 126 - 2 * i}, warps[2], scattered[2];
    Exchange(storage).BlockedToWarpStriped(items, warps);
    __syncthreads();
    Exchange(storage).ScatterToStriped(items, scattered, ranks);
    out[i] = warps[1] + 1000 * scattered[0] + 1000000 * scattered[1];]], 64, function(i)
      return math.floor(i / 32) * 64 + 32 + i % 32 + 1000 * (127 - i) + 1000000 * (63 - i)
    end},
  warp_sort = {[[
    typedef cub::WarpMergeSort<int, 2, 16, int> Sort;
    typedef cub::WarpExchange<int, 2, 16> Exchange;
    __shared__ Sort::TempStorage sort[4];
    __shared__ Exchange::TempStorage exchange[4];
    int keys[2] = {(2 * i) * 13 % 32, (2 * i + 1) * 13 % 32}, values[2] = {2 * i, 2 * i + 1};
    Sort(sort[i / 16]).Sort(keys, values, Less());
    Exchange(exchange[i / 16]).BlockedToStriped(keys, keys);
    out[i] = keys[0] + 100 * keys[1] + 10000 * (values[0] * 13 % 32 == i % 16 * 2);]], 64,
    function(i) return i % 16 + 100 * (i % 16 + 16) + 10000 end},
  segments = {[[
    typedef cub::WarpReduce<int> Reduce;
    __shared__ Reduce::TempStorage storage[2];
    int head = Reduce(storage[i / 32]).HeadSegmentedSum(1, i % 5 == 0), tail;
    __syncwarp();
    tail = Reduce(storage[i / 32]).TailSegmentedReduce(i, i % 4 == 3, Plus());
    out[i] = (i % 5 == 0 || i % 32 == 0 ? head : 0) + 100 * (i % 4 == 0 ? tail : 0);]], 64, function(i)
      local last = math.floor(i / 32) * 32 + 31
      local head = (i % 5 == 0 or i % 32 == 0) and math.min(math.floor(i / 5) * 5 + 4, last) - i + 1 or 0
      return head + (i % 4 == 0 and 100 * (4 * i + 6) or 0)
    end},
  moves = {[[
    typedef cub::WarpLoad<int, 2, cub::WARP_LOAD_STRIPED, 16> Load;
    typedef cub::WarpStore<int, 2, cub::WARP_STORE_DIRECT, 16> Store;
    __shared__ Load::TempStorage load[4];
    __shared__ Store::TempStorage store[4];
    int items[2], more[2];
    Load(load[i / 16]).Load(x + 32 * (i / 16), items, 20, -1);
    Store(store[i / 16]).Store(out + 32 * (i / 16), items);
    __syncthreads();
    cub::LoadDirectStriped<64>(i, x, more);
    out[i] += 1000 * more[1] + 100000 * (cub::ThreadLoad<cub::LOAD_CG>(x + i) == i);]], 64, function(i)
      local place, lane = i % 32, math.floor(i % 32 / 2)
      local from = lane + (i % 2) * 16
      return (from < 20 and i - place + from or -1) + 1000 * (64 + i) + 100000
    end},
}

each_device(function()
  local NAMES, SOURCE = {}, BEFORE
  for name in pairs(CASES) do NAMES[#NAMES + 1] = name end
  table.sort(NAMES)
  for _, name in ipairs(NAMES) do
    SOURCE = SOURCE .. ("__global__ void %s(int *out, const int *x)\n{\nint i = threadIdx.x;\n%s\n}\n"):format(name,
      CASES[name][1])
  end
  local module, found, x
  setup(function()
    module = cn.RawModule {code = SOURCE, name_expressions = NAMES}
    local ok, words = pcall(function() module:compile() end)
    found = ok or not words:find("cannot open source file", 1, true)
    if found then assert(ok, words) end
    x = cn.arange(128):astype "int32"
  end)

  for _, name in ipairs(NAMES) do
    it("has " .. name, function()
      if not found then return pending "no CUB on this machine" end
      local _, count, fn = unpack(CASES[name])
      local out, expected = cn.zeros(128, "int32"), {}
      module:get_function(name)(1, 64, {out, x})
      for i = 0, count - 1 do expected[i + 1] = fn(i) end
      assert.same(expected, {unpack(out:totable(), 1, count)})
    end)
  end
end)
