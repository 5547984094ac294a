--- Complete CUDA C++ kernels, unchanged, with what they compute.
local cn = require "cuna"
local each_device = require("spec.support.devices").each_device

--- n reproducible numbers, multiples of 1/8 between -8 and 8.
local function numbers(n)
  local list, state = {}, 12345
  for k = 1, n do
    state = (state * 1103515245 + 12345) % 2147483648
    list[k] = math.floor(state / 65536) % 128 / 8 - 8
  end
  return list
end

local function close(got, expected, tolerance)
  for k, value in ipairs(expected) do
    assert(math.abs(got[k] - value) <= tolerance * (1 + math.abs(value)),
      ("element %d: got %.9g, expected %.9g"):format(k, got[k], value))
  end
  assert.are.equal(#expected, #got)
end

local function kernel(name, code, options) return cn.RawKernel(code, name, options) end

each_device(function()
  describe("a raw kernel computes", function()
    it("saxpy", function()
      local x, y = numbers(1000), numbers(1000)
      local out = cn.array(y, "float32")
      kernel("saxpy", [[
extern "C" __global__ void saxpy(int n, float a, const float *__restrict__ x, float *__restrict__ y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}]])(4, 256, {1000, 2.5, cn.array(x, "float32"), out})
      for k = 1, 1000 do y[k] = 2.5 * x[k] + y[k] end
      close(out:totable(), y, 0)
    end)

    it("a grid-stride loop", function()
      local out = cn.zeros(777, "float64")
      kernel("squares", [[
__global__ void squares(double *out, size_t n)
{
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        out[i] = (double)i * i;
}]])(2, 64, {out, 777})
      assert.is_true(out == cn.arange(777):square())
    end)

    it("a tiled matrix product", function()
      local m = 40
      local a, b = cn.array(numbers(m * m), "float32"):reshape(m, m), cn.arange(m * m):reshape(m, m):astype "float32"
      local out = cn.zeros({m, m}, "float32")
      kernel("matmul", [[
#define TILE 16
__global__ void __launch_bounds__(TILE * TILE) matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE], Bs[TILE][TILE + 1];
    const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float sum = 0.f;
    for (int t = 0; t < (N + TILE - 1) / TILE; ++t) {
        As[ty][tx] = row < N && t * TILE + tx < N ? A[row * N + t * TILE + tx] : 0.f;
        Bs[ty][tx] = col < N && t * TILE + ty < N ? B[(t * TILE + ty) * N + col] : 0.f;
        __syncthreads();
        #pragma unroll
        for (int k = 0; k < TILE; ++k) sum = fmaf(As[ty][k], Bs[k][tx], sum);
        __syncthreads();
    }
    if (row < N && col < N) C[row * N + col] = sum;
}]])({3, 3}, {16, 16}, {a, b, out, m})
      local x, y, expected = a:totable(), b:totable(), {}
      for i = 1, m do
        for j = 1, m do
          local sum = 0
          for k = 1, m do sum = sum + x[i][k] * y[k][j] end
          expected[#expected + 1] = sum
        end
      end
      close(out:ravel():totable(), expected, 1e-4)
    end)

    it("a sum by shuffles and one atomic per block", function()
      local x, sum = numbers(5000), 0
      for _, value in ipairs(x) do sum = sum + value end
      local out = cn.zeros(1, "float32")
      kernel("sum", [[
__inline__ __device__ float warpReduceSum(float val)
{
    for (int offset = warpSize / 2; offset > 0; offset /= 2) val += __shfl_down_sync(0xffffffff, val, offset);
    return val;
}
__inline__ __device__ float blockReduceSum(float val)
{
    static __shared__ float shared[32];
    int lane = threadIdx.x % warpSize, wid = threadIdx.x / warpSize;
    val = warpReduceSum(val);
    if (lane == 0) shared[wid] = val;
    __syncthreads();
    val = threadIdx.x < blockDim.x / warpSize ? shared[lane] : 0;
    if (wid == 0) val = warpReduceSum(val);
    return val;
}
__global__ void sum(const float *in, float *out, int N)
{
    float total = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += blockDim.x * gridDim.x) total += in[i];
    total = blockReduceSum(total);
    if (threadIdx.x == 0) atomicAdd(out, total);
}]])(5, 256, {cn.array(x, "float32"), out, 5000})
      close(out:totable(), {sum}, 1e-6)
    end)

    it("a tree of partial sums in dynamic shared memory", function()
      local out = cn.zeros(4, "int32")
      kernel("reduce", [[
template <typename T, unsigned int blockSize> __device__ T tree(T *sdata, T mine)
{
    unsigned int tid = threadIdx.x;
    sdata[tid] = mine;
    __syncthreads();
    for (unsigned int s = blockSize / 2; s > 0; s >>= 1) {
        if (tid < s) sdata[tid] += sdata[tid + s];
        __syncthreads();
    }
    return sdata[0];
}
extern __shared__ int sdata[];
__global__ void reduce(const int *in, int *out)
{
    unsigned int i = blockIdx.x * 256 + threadIdx.x;
    int sum = tree<int, 128>(sdata, in[i] + in[i + 128]);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}]])(4, 128, {cn.arange(1024):astype "int32", out}, {shared_mem = 512})
      assert.are.same({32640, 98176, 163712, 229248}, out:totable())
    end)

    it("a histogram with atomics in shared memory", function()
      local out, expected = cn.zeros(16, "uint32"), {}
      kernel("histogram", [[
__global__ void histogram(const unsigned char *data, unsigned int *bins, int n)
{
    __shared__ unsigned int local[16];
    if (threadIdx.x < 16) local[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&local[data[i] >> 4], 1u);
    __syncthreads();
    if (threadIdx.x < 16) atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}]])(3, 96, {(cn.arange(2560) % 256):astype "uint8", out, 2560})
      for k = 1, 16 do expected[k] = 160 end
      assert.are.same(expected, out:totable())
    end)

    it("a scan of a block (Blelloch)", function()
      local out = cn.zeros(256, "int32")
      kernel("scan", [[
__global__ void scan(int *g_odata, const int *g_idata, int n)
{
    extern __shared__ int temp[];
    int thid = threadIdx.x, offset = 1;
    temp[2 * thid] = g_idata[2 * thid];
    temp[2 * thid + 1] = g_idata[2 * thid + 1];
    for (int d = n >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (thid < d) {
            int ai = offset * (2 * thid + 1) - 1, bi = offset * (2 * thid + 2) - 1;
            temp[bi] += temp[ai];
        }
        offset *= 2;
    }
    if (thid == 0) temp[n - 1] = 0;
    for (int d = 1; d < n; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (thid < d) {
            int ai = offset * (2 * thid + 1) - 1, bi = offset * (2 * thid + 2) - 1, t = temp[ai];
            temp[ai] = temp[bi];
            temp[bi] += t;
        }
    }
    __syncthreads();
    g_odata[2 * thid] = temp[2 * thid];
    g_odata[2 * thid + 1] = temp[2 * thid + 1];
}]])(1, 128, {out, cn.arange(256):astype "int32", 256}, {shared_mem = 1024})
      local n = cn.arange(256)
      assert.is_true(out:astype "float64" == n * (n - 1) / 2)
    end)

    it("a transposition through a tile", function()
      local x = cn.arange(64 * 96):reshape(64, 96):astype "float32"
      local out = cn.zeros({96, 64}, "float32")
      kernel("transpose", [[
const int TILE_DIM = 32, BLOCK_ROWS = 8;
__global__ void transpose(float *odata, const float *idata, int width, int height)
{
    __shared__ float tile[TILE_DIM][TILE_DIM + 1];
    int x = blockIdx.x * TILE_DIM + threadIdx.x, y = blockIdx.y * TILE_DIM + threadIdx.y;
    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
        tile[threadIdx.y + j][threadIdx.x] = __ldg(&idata[(y + j) * width + x]);
    __syncthreads();
    x = blockIdx.y * TILE_DIM + threadIdx.x;
    y = blockIdx.x * TILE_DIM + threadIdx.y;
    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS) odata[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}]])({3, 2}, {32, 8}, {out, x, 96, 64})
      assert.is_true(out == x.T)
    end)

    it("a stencil with a halo", function()
      local n, radius = 256, 3
      local x, out = numbers(n), cn.zeros(n, "float32")
      kernel("stencil", [[
#define RADIUS 3
#define BLOCK_SIZE 64
__global__ void stencil(const float *in, float *out, int n)
{
    __shared__ float temp[BLOCK_SIZE + 2 * RADIUS];
    int g = threadIdx.x + blockIdx.x * blockDim.x, l = threadIdx.x + RADIUS;
    temp[l] = in[g];
    if (threadIdx.x < RADIUS) {
        temp[l - RADIUS] = g >= RADIUS ? in[g - RADIUS] : 0;
        temp[l + BLOCK_SIZE] = g + BLOCK_SIZE < n ? in[g + BLOCK_SIZE] : 0;
    }
    __syncthreads();
    float result = 0;
    for (int offset = -RADIUS; offset <= RADIUS; offset++) result += temp[l + offset];
    out[g] = result;
}]])(4, 64, {cn.array(x, "float32"), out, n})
      local expected = {}
      for k = 1, n do
        expected[k] = 0
        for d = -radius, radius do expected[k] = expected[k] + (x[k + d] or 0) end
      end
      close(out:totable(), expected, 0)
    end)

    it("the Mandelbrot set", function()
      local out = cn.zeros({24, 32}, "int32")
      kernel("mandelbrot", [[
struct complex { float re, im; };
__device__ complex operator*(complex a, complex b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
__device__ complex operator+(complex a, complex b) { return {a.re + b.re, a.im + b.im}; }
__global__ void mandelbrot(int *out, int width, int height, int limit)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    complex c = {3.0f * x / width - 2.0f, 2.0f * y / height - 1.0f}, z = {0, 0};
    int n = 0;
    while (n < limit && z.re * z.re + z.im * z.im < 4) { z = z * z + c; n++; }
    out[y * width + x] = n;
}]])({4, 3}, {8, 8}, {out, 32, 24, 50})
      assert.are.equal(50, out[{13, 17}]) -- c = -0.5
      assert.are.equal(1, out[{1, 1}])    -- c = -2 - i
      assert.are.equal(50, out[{13, 12}]) -- c = -0.97
      assert.are.equal(3, out[{13, 32}])  -- c = 0.91
    end)

    it("forces of bodies", function()
      local n = 64
      local p = cn.array(numbers(4 * n), "float32"):reshape(n, 4)
      p["..., 4"] = 1
      local out = cn.zeros({n, 3}, "float32")
      kernel("forces", [[
#define EPS2 0.01f
__device__ float3 interact(float4 bi, float4 bj, float3 ai)
{
    float3 r = make_float3(bj.x - bi.x, bj.y - bi.y, bj.z - bi.z);
    float inv = rsqrtf(r.x * r.x + r.y * r.y + r.z * r.z + EPS2), s = bj.w * inv * inv * inv;
    ai.x += r.x * s, ai.y += r.y * s, ai.z += r.z * s;
    return ai;
}
__global__ void forces(const float4 *X, float3 *A, int N)
{
    extern __shared__ float4 shPosition[];
    float4 mine = X[blockIdx.x * blockDim.x + threadIdx.x];
    float3 acc = {0.0f, 0.0f, 0.0f};
    for (int tile = 0; tile * (int)blockDim.x < N; tile++) {
        shPosition[threadIdx.x] = X[tile * blockDim.x + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < (int)blockDim.x; i++) acc = interact(mine, shPosition[i], acc);
        __syncthreads();
    }
    A[blockIdx.x * blockDim.x + threadIdx.x] = acc;
}]])(2, 32, {p, out, n}, {shared_mem = 32 * 16})
      local x, expected = p:totable(), {}
      for i = 1, n do
        local sum = {0, 0, 0}
        for j = 1, n do
          local d, size = {}, 0.01
          for k = 1, 3 do
            d[k] = x[j][k] - x[i][k]
            size = size + d[k] * d[k]
          end
          for k = 1, 3 do sum[k] = sum[k] + d[k] * size ^ -1.5 end
        end
        for k = 1, 3 do expected[#expected + 1] = sum[k] end
      end
      close(out:ravel():totable(), expected, 1e-4)
    end)

    it("a bitonic sort", function()
      local x = cn.array(numbers(256), "float32")
      local sorted = numbers(256)
      table.sort(sorted)
      kernel("sort", [[
__global__ void sort(float *values)
{
    extern __shared__ float shared[];
    const unsigned int tid = threadIdx.x;
    shared[tid] = values[tid];
    __syncthreads();
    for (unsigned int k = 2; k <= blockDim.x; k *= 2)
        for (unsigned int j = k / 2; j > 0; j /= 2) {
            unsigned int ixj = tid ^ j;
            if (ixj > tid && (shared[tid] > shared[ixj]) == ((tid & k) == 0)) {
                float t = shared[tid];
                shared[tid] = shared[ixj];
                shared[ixj] = t;
            }
            __syncthreads();
        }
    values[tid] = shared[tid];
}]])(1, 256, {x}, {shared_mem = 1024})
      assert.are.same(sorted, x:totable())
    end)

    it("the last block's sum of partial sums", function()
      local out = cn.zeros(1, "float64")
      kernel("total", [[
__device__ unsigned int count = 0;
__global__ void total(const double *x, double *partial, double *out)
{
    __shared__ bool isLastBlockDone;
    __shared__ double sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    atomicAdd(&sum, x[blockIdx.x * blockDim.x + threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = sum;
        __threadfence();
        isLastBlockDone = atomicInc(&count, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (isLastBlockDone && threadIdx.x == 0) {
        double all = 0;
        for (int i = 0; i < gridDim.x; i++) all += ((volatile double *)partial)[i];
        *out = all;
        count = 0;
    }
}]])(8, 64, {cn.arange(512):astype "float64", cn.zeros(8), out})
      assert.are.equal(511 * 256, out[1])
    end)

    it("a compaction by ballots", function()
      local out, count = cn.zeros(128, "int32"), cn.zeros(1, "int32")
      kernel("filter", [[
__global__ void filter(const int *src, int *dst, int *nres, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x, lane = threadIdx.x & 31, start = 0;
    bool keep = i < n && src[i] % 3 == 0;
    unsigned votes = __ballot_sync(0xffffffffu, keep);
    if (lane == 0) start = atomicAdd(nres, __popc(votes));
    start = __shfl_sync(0xffffffffu, start, 0);
    if (keep) dst[start + __popc(votes & ((1u << lane) - 1))] = src[i];
}]])(2, 64, {cn.arange(128):astype "int32", out, count, 100})
      local kept = out:totable()
      table.sort(kept)
      assert.are.equal(34, count[1])
      assert.are.equal(99, kept[128])
      assert.are.equal(3, kept[128 - 32])
    end)

    it("a convolution with constant weights and a functor", function()
      local out = cn.zeros(62, "float32")
      kernel("convolve<Twice>", [[
__constant__ float weights[3] = {0.25f, 0.5f, 0.25f};
struct Twice { __host__ __device__ float operator()(float x) const { return 2 * x; } };
template <class F> __global__ void convolve(const float *__restrict__ x, float *__restrict__ y, int n)
{
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i >= n - 2) return;
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 3; ++k) sum += weights[k] * x[i + k];
    y[i] = F()(sum);
}]])(1, 64, {cn.arange(64):astype "float32", out, 64})
      assert.is_true(out == (cn.arange(62) * 2 + 2):astype "float32")
    end)

    it("a generator of random bits", function()
      local out = cn.zeros(32, "uint32")
      kernel("draw", [[
__device__ __forceinline__ unsigned int xorshift(unsigned int &s) { s ^= s << 13; s ^= s >> 17; s ^= s << 5; return s; }
static __device__ __forceinline__ unsigned mix(unsigned s) { return s * 2654435761u; }
static __device__ __noinline__ unsigned seed(unsigned i) { return mix(i + 1); }
__global__ void draw(unsigned int *out) { unsigned s = seed(threadIdx.x); out[threadIdx.x] = xorshift(s); }]])(1, 32,
        {out})
      local s = 2654435761
      s = bit.bxor(s, bit.lshift(s, 13))
      s = bit.bxor(s, bit.rshift(s, 17))
      s = bit.bxor(s, bit.lshift(s, 5))
      assert.are.equal(s % 2 ^ 32, out[1])
    end)

    it("with a lock between blocks", function()
      local out = cn.zeros(2, "int32")
      kernel("locked", [[
__global__ void locked(int *x)
{
    if (threadIdx.x != 0) return;
    for (int k = 0; k < 100; k++) {
        while (atomicCAS(&x[0], 0, 1) != 0) {}
        __threadfence();
        ((volatile int *)x)[1] = ((volatile int *)x)[1] + 1;
        __threadfence();
        atomicExch(&x[0], 0);
    }
}]])(8, 32, {out})
      assert.are.same({0, 800}, out:totable())
    end)
  end)
end)
