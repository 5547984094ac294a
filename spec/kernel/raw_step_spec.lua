--- CUDA kernels of before Volta, whose lanes go in step: they access volatile shared memory without a barrier.
local cn = require "cuna"

--- n reproducible whole numbers between -8 and 8.
local function numbers(n)
  local list, state = {}, 4711
  for k = 1, n do
    state = (state * 1103515245 + 12345) % 2147483648
    list[k] = math.floor(state / 65536) % 17 - 8
  end
  return list
end

local function sum(list, first, last)
  local total = 0
  for k = first or 1, last or #list do total = total + list[k] end
  return total
end

--- The sums of the first 1, 2, ... numbers of each group of `width`.
local function running(list, width)
  local out = {}
  for k, x in ipairs(list) do out[k] = x + ((k - 1) % width > 0 and out[k - 1] or 0) end
  return out
end

local function module(code, ...) return cn.RawModule { code = code, name_expressions = { ... } } end

describe("kernels that rely on warps in lock step", function()
  before_each(function() cn.device "cpu":use() end)

  it("fold a block in a function over a volatile parameter, for all sizes of blocks", function()
    local code = [==[
template <unsigned int blockSize, class T>
__device__ void warpReduce(volatile T *sdata, unsigned int tid)
{
    if (blockSize >= 64) sdata[tid] += sdata[tid + 32];
    if (blockSize >= 32) sdata[tid] += sdata[tid + 16];
    if (blockSize >= 16) sdata[tid] += sdata[tid + 8];
    if (blockSize >= 8) sdata[tid] += sdata[tid + 4];
    if (blockSize >= 4) sdata[tid] += sdata[tid + 2];
    if (blockSize >= 2) sdata[tid] += sdata[tid + 1];
}
template <unsigned int blockSize, class T>
__global__ void fold(const T *in, T *out, unsigned int n)
{
    extern __shared__ __align__(8) unsigned char memory[];
    T *sdata = (T *)memory;
    unsigned int tid = threadIdx.x, i = blockIdx.x * (blockSize * 2) + tid;
    sdata[tid] = 0;
    for (int k = tid; k < 32; k += blockSize) sdata[blockSize + k] = 0;
    while (i < n) {
        sdata[tid] += in[i] + (i + blockSize < n ? in[i + blockSize] : T(0));
        i += blockSize * 2 * gridDim.x;
    }
    __syncthreads();
    if (blockSize >= 512) { if (tid < 256) { sdata[tid] += sdata[tid + 256]; } __syncthreads(); }
    if (blockSize >= 256) { if (tid < 128) { sdata[tid] += sdata[tid + 128]; } __syncthreads(); }
    if (blockSize >= 128) { if (tid < 64) { sdata[tid] += sdata[tid + 64]; } __syncthreads(); }
    if (tid < 32) warpReduce<blockSize>(sdata, tid);
    if (tid == 0) out[blockIdx.x] = sdata[0];
}]==]
    local names, sizes, types = {}, { 512, 256, 128, 64, 32, 16, 8, 4, 2, 1 }, { "float", "double", "int" }
    for _, t in ipairs(types) do
      for _, size in ipairs(sizes) do names[#names + 1] = ("fold<%d, %s>"):format(size, t) end
    end
    local m, list = module(code, unpack(names)), numbers(3000)
    local dtypes = { float = "float32", double = "float64", int = "int32" }
    for _, t in ipairs(types) do
      local x, out = cn.array(list, dtypes[t]), cn.zeros(3, dtypes[t])
      for _, size in ipairs(sizes) do
        m:get_function(("fold<%d, %s>"):format(size, t))(3, size, { x, out, 3000 }, { shared_mem = (size + 32) * 8 })
        assert.are.equal(sum(list), out:sum():item(), t .. " " .. size)
      end
    end
  end)

  it("fold a warp in the kernel itself: a local pointer, an array, a cast, a macro, an alias", function()
    local m = module([==[
#define FOLD(k) w[t] = w[t] + \
                       w[t + k]
typedef volatile float shown;
extern volatile __shared__ int dynamic[];
__global__ void by_pointer(const float *x, float *out)
{
    __shared__ float sdata[96];
    unsigned int t = threadIdx.x;
    float mySum = x[t];
    sdata[t] = mySum;
    __syncthreads();
    if (t < 32) {
        volatile float *smem = sdata;
        smem[t] = mySum = mySum + smem[t + 32];
        smem[t] = mySum = mySum + smem[t + 16];
        for (int k = 8; k > 0; k >>= 1) smem[t] = mySum = mySum + smem[t + k];
    }
    if (t == 0) *out = sdata[0];
}
__global__ void by_array(const float *x, float *out)
{
    __shared__ volatile float u[64], w[64];
    int t = threadIdx.x;
    u[t] = x[t]; w[t] = x[t + 32]; u[t + 32] = w[t + 32] = 0;
    FOLD(16); FOLD(8); FOLD(4); FOLD(2); FOLD(1);
#pragma unroll
    for (int k = 16; k > 0; k /= 2) *(u + t) = u[t] + u[t + k];
    if (t == 0) *out = u[0] + *w;
}
__global__ void by_cast(const float *x, float *out)
{
    __shared__ float s[96];
    int t = threadIdx.x;
    s[t] = x[t]; s[t + 32] = x[t + 32]; s[t + 64] = 0;
    __syncthreads();
    for (int k = 32; k; k /= 2)
        if (k >= 1) ((volatile float *)s)[t] += ((volatile float *)s)[t + k];
        else return;
    shown *best = s;
    s[t] = x[t];
    for (int k = 16; k; k /= 2) best[t] = fmaxf(best[t], best[t + k]);
    if (t == 0) { out[0] = s[32] - s[32]; out[1] = best[0]; }
}
__global__ void by_launch(const int *x, int *out)
{
    int t = threadIdx.x;
    dynamic[t] = x[t];
    dynamic[t + 32] = 0;
    dynamic[t] += dynamic[t + 16]; dynamic[t] += dynamic[t + 8]; dynamic[t] += dynamic[t + 4];
    dynamic[t] += dynamic[t + 2]; dynamic[t] += dynamic[t + 1];
    *out = dynamic[0];
}]==], "by_pointer", "by_array", "by_cast", "by_launch")
    local list = numbers(64)
    local x, out, best = cn.array(list, "float32"), cn.zeros(1, "float32"), cn.zeros(2, "float32")
    m:get_function("by_pointer")(1, 64, { x, out })
    assert.are.equal(sum(list), out:item())
    m:get_function("by_array")(1, 32, { x, out })
    assert.are.equal(sum(list), out:item())
    m:get_function("by_cast")(1, 32, { x, best })
    assert.are.equal(math.max(unpack(list, 1, 32)), best[2])
    local whole = cn.zeros(1, "int32")
    m:get_function("by_launch")(1, 32, { x:astype "int32", whole }, { shared_mem = 256 })
    assert.are.equal(sum(list, 1, 32), whole:item())
  end)

  it("scan, and exchange between lanes of which some have nothing to do", function()
    local m = module([==[
struct Add { static __device__ int apply(int a, int b) { return a + b; } };
template <class OP, class T> __device__ T scan_warp(volatile T *ptr, const unsigned int idx = threadIdx.x)
{
    const unsigned int lane = idx & 31;
    if (lane >= 1) ptr[idx] = OP::apply(ptr[idx - 1], ptr[idx]);
    if (lane >= 2) ptr[idx] = OP::apply(ptr[idx - 2], ptr[idx]);
    if (lane >= 4) ptr[idx] = OP::apply(ptr[idx - 4], ptr[idx]);
    if (lane >= 8) ptr[idx] = OP::apply(ptr[idx - 8], ptr[idx]);
    if (lane >= 16) ptr[idx] = OP::apply(ptr[idx - 16], ptr[idx]);
    return ptr[idx];
}
__global__ void scan(const int *x, int *out)
{
    extern __shared__ int s[];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    scan_warp<Add, int>(s);
    out[t] = scan_warp<Add>(s);
}
__global__ void sort(int *x, int n)
{
    __shared__ volatile int s[32];
    int t = threadIdx.x;
    s[t] = x[t];
    for (int k = 2; k <= 32; k *= 2)
        for (int j = k / 2; j > 0; j /= 2) {
            int other = t ^ j;
            if (other < t) continue;
            int a = s[t], b = s[other];
            if ((t & k) == 0 ? a > b : a < b) { s[t] = b; s[other] = a; }
        }
    x[t] = s[t];
    if (t >= n) return;
    for (int i = 0; i < t; i++) {
        if (i % 3 == 2) continue;
        s[i] = s[i] + 1;
    }
    x[32 + t] = s[t];
}
__global__ void histogram(const unsigned char *x, unsigned *counts, int n)
{
    __shared__ volatile unsigned bins[8];
    int t = threadIdx.x;
    if (t < 8) bins[t] = 0;
    for (int i = t; i < n; i += 32) {
        unsigned count;
        do {
            count = bins[x[i]] & 0x07ffffffu;
            count = (t << 27) | (count + 1);
            bins[x[i]] = count;
        } while (bins[x[i]] != count);
    }
    if (t < 8) counts[t] = bins[t] & 0x07ffffffu;
}]==], "scan", "sort", "histogram")
    local list = numbers(96)
    local x, out = cn.array(list, "int32"), cn.zeros(96, "int32")
    m:get_function("scan")(1, 96, { x, out }, { shared_mem = 384 })
    assert.are.same(running(running(list, 32), 32), out:totable())

    local sorted = cn.zeros(64, "int32")
    for k = 1, 32 do sorted[k] = list[k] end
    m:get_function("sort")(1, 32, { sorted, 5 })
    local expected = { unpack(list, 1, 32) }
    table.sort(expected)
    assert.are.same(expected, sorted[{ { 1, 32 } }]:totable())
    -- Lanes 1 to 4 add one to s[0], and so on, all at once.
    local added = {}
    for k = 1, 5 do added[k] = expected[k] + (k < 5 and k ~= 3 and 1 or 0) end
    assert.are.same(added, sorted[{ { 33, 37 } }]:totable())

    local keys, counts = {}, { 0, 0, 0, 0, 0, 0, 0, 0 }
    for k = 1, 500 do
      keys[k] = k * k % 7
      counts[keys[k] + 1] = counts[keys[k] + 1] + 1
    end
    local found = cn.zeros(8, "uint32")
    m:get_function("histogram")(1, 32, { cn.array(keys, "uint8"), found, 500 })
    assert.are.same(counts, found:totable())
  end)

  it("go on when lanes have left, spin, sleep, or wait at a barrier", function()
    local m = module([==[
__global__ void partly(const int *x, int *out, int n)
{
    __shared__ volatile int s[128];
    int t = threadIdx.x;
    s[t] = t < n ? x[t] : 0;
    if (t % 32 > 15 || t >= n) return;
    if (t % 32 < 8) s[t] += s[t + 8];
    if (t % 32 < 4) s[t] += s[t + 4];
    __syncthreads();
    if (t > 0) return;
    *out = 0;
    for (int w = 0; w < n; w += 32) for (int k = 0; k < 4; k++) *out += s[w + k];
}
__global__ void turns(int *out)
{
    __shared__ volatile int turn[1], last;
    volatile __shared__ int log[64];
    int t = threadIdx.x;
    if (t == 0) { turn[0] = 63; last = 0; }
    __syncthreads();
    while (turn[0] != t) {}
    log[last] = t;
    last = last + 1;
    turn[0] = t - 1;
    __syncthreads();
    out[t] = log[t];
}
__global__ void lock(int *mutex, int *out)
{
    __shared__ volatile int s[32];
    int t = threadIdx.x;
    s[t] = t;
    if (t == 0) {
        while (atomicCAS(mutex, 0, 1) != 0) __nanosleep(10);
        volatile int *shown = out;
        shown[0] = shown[0] + s[(t + 1) % 32];
        __threadfence();
        atomicExch(mutex, 0);
    }
}
__global__ void alone(volatile float *x, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x) x[i] = x[i] + 1;
}]==], "partly", "turns", "lock", "alone")
    local list, out = numbers(100), cn.zeros(64, "int32")
    m:get_function("partly")(1, 128, { cn.array(list, "int32"), out, 100 })
    assert.are.equal(sum(list, 1, 16) + sum(list, 33, 48) + sum(list, 65, 80) + sum(list, 97, 100), out[1])
    m:get_function("turns")(1, 64, { out })
    assert.are.same({ 63, 62, 0 }, { out[1], out[2], out[64] })
    local total = cn.zeros(1, "int32")
    m:get_function("lock")(50, 32, { cn.zeros(1, "int32"), total })
    assert.are.equal(50, total:item())
    local x = cn.zeros(1000, "float32")
    m:get_function("alone")(1, 256, { x, 1000 })
    assert.are.equal(1000, x:sum():item())
  end)

  it("keep their lines, and texts that only look like accesses", function()
    local m = module([==[
template <class T> __device__ T first(const T *s, int k = 0) { return s[k]; }
struct Pair { volatile int s[2]; unsigned bits : 3; };
__device__ void swap(volatile int &a, volatile int &b) { int c = a; a = b; b = c; }
__global__ void odd(int *x, int n)
{
    __shared__ volatile int s[3][40], *row;
    __shared__ Pair p[2];
    int t = threadIdx.x, m[2] = {1, 2}, *q = m, y[3], z = 2 * s[0][t], k[1];
    volatile int *const at = &s[1][0], (&whole)[40] = s[2];
    p[0].bits = 5; row = s[0]; z = k[0] = 0;
    for (int i = 0, s[1] = {3}; i < 1; i++) z += s[0];
    row[t] = t; at[t] = 10 * t; whole[t] = 100 * t, y[t % 3] = 1;
    x[t] = row[31 - t] + at[31 - t] + whole[31 - t] * m[0] + (y[t % 3] & m[0]) + (*q)++ - first(m) + z - 3 + 1;
    ++row[t]; row[t]--; --at[t]; at[t] ^= 1; whole[t] <<= 1; whole[t] %= 7;
    if (t == 0) swap(*&s[0][0], *&s[0][1]);
    p[t / 16].s[t % 2] = t; (&p[t / 16])->s[t % 2] |= 32;
    x[32 + t] = row[t] + sizeof s[0] / sizeof(s[0][0]) + p[0].bits * p[t / 16].s[t % 2] + int(__LINE__);
    assert(n > 0 || s[0][t] < 0);
}]==], "odd")
    local x = cn.zeros(64, "int32")
    m:get_function("odd")(1, 32, { x, 1 })
    local expected = {}
    for t = 0, 31 do expected[t + 1] = 111 * (31 - t) + 1 end
    assert.are.same(expected, x[{ { 1, 32 } }]:totable())
    assert.are.equal(1 + 40 + 5 * (14 + 32) + 17, x[33])
    assert.are.equal(31 + 40 + 5 * (31 + 32) + 17, x[64])
    assert.error_matches(function() m:get_function("odd")(1, 32, { x, 0 }) end, ":18: odd: assertion")
  end)

  it("go in step only where no barrier separates a store from a load", function()
    --- Whether lane 1 passes the first line of the log before lane 0 passes the second.
    local function steps(access, barrier)
      local log = cn.zeros(64, "int32")
      local m = module(([==[
__device__ int count;
__global__ void f(int *log)
{
    __shared__ volatile int s[64];
    int t = threadIdx.x;
    log[atomicAdd(&count, 1)] = t;
    %s;
    log[atomicAdd(&count, 1)] = t;
    %s;
}]==]):format(access, barrier), "f")
      m:get_function("f")(1, 32, { log })
      return log[2] == 1
    end
    assert.is_true(steps("s[t] = t; t += s[t + 1] * 0", ""))
    assert.is_true(steps("s[t] += s[t + 1]", "__syncwarp()"))
    assert.is_false(steps("s[t] = t", "__syncthreads(); t = s[t + 1]"))
    assert.is_false(steps("s[t] += 1", "__syncwarp(); for (int i = 0; i < 2; i++) t += s[i]"))
  end)
end)
