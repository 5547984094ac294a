--- Atomic objects, barriers and pipelines of libcu++ in raw kernels, in the forms of CUDA's guide.
local cn = require "cuna"
local each_device = require("spec.support.devices").each_device

local CODE = [==[
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>
#include <cooperative_groups.h>
#pragma nv_diag_suppress static_var_with_dynamic_init
namespace cg = cooperative_groups;

__global__ void atomics(int *x, float *sum)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> count(x[0]), most(x[1]), bits(x[2]);
    cuda::atomic_ref<float, cuda::thread_scope_device> total(*sum);
    __shared__ cuda::atomic<int, cuda::thread_scope_block> turn;
    if (threadIdx.x == 0) turn = 0;
    __syncthreads();
    int before = count.fetch_add(2, cuda::memory_order_relaxed);
    most.fetch_max(before, cuda::std::memory_order_relaxed);
    bits |= 1 << threadIdx.x % 8;
    total.fetch_add(0.5f);
    while (turn.load(cuda::memory_order_acquire) != threadIdx.x) {}
    if (blockIdx.x == 0) x[4 + threadIdx.x] = x[3]++;
    turn.store(turn.load() + 1, cuda::memory_order_release);
    int expected = 0;
    if (blockIdx.x == 0 && cuda::atomic_ref<int>(x[3]).compare_exchange_strong(expected, -1)) x[3] = -2;
    cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device);
}

/* Sums with the next thread's value, whose store happened before the barrier. */
__global__ void barriers(int *out)
{
    __shared__ int values[64];
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    auto block = cg::this_thread_block();
    if (block.thread_rank() == 0) init(&barrier, block.size());
    block.sync();
    for (int k = 0; k < 3; k++) {
        values[threadIdx.x] = 100 * k + threadIdx.x;
        auto token = barrier.arrive();
        barrier.wait(std::move(token));
        out[threadIdx.x] += values[(threadIdx.x + 1) % 64];
        barrier.arrive_and_wait();
    }
    if (threadIdx.x >= 32) {
        barrier.arrive_and_drop();
        return;
    }
    barrier.arrive_and_wait();
    values[threadIdx.x] = threadIdx.x;
    barrier.arrive_and_wait();
    out[threadIdx.x] += 1000 * values[31 - threadIdx.x];
}

/* The first half of the threads fills one of two buffers while the second half sums the other. */
__global__ void handover(int *out, int n)
{
    typedef cuda::barrier<cuda::thread_scope_block> Barrier;
    __shared__ Barrier full[2], empty[2];
    __shared__ int buffer[2][32];
    if (threadIdx.x < 2) {
        init(&full[threadIdx.x], 64);
        init(&empty[threadIdx.x], 64);
    }
    __syncthreads();
    int i = threadIdx.x % 32, sum = 0;
    if (threadIdx.x < 32) {
        for (int k = 0; k < n; k++) {
            empty[k % 2].arrive_and_wait();
            buffer[k % 2][i] = i * k;
            (void)full[k % 2].arrive();
        }
        return;
    }
    (void)empty[0].arrive();
    (void)empty[1].arrive();
    for (int k = 0; k < n; k++) {
        full[k % 2].arrive_and_wait();
        sum += buffer[k % 2][31 - i];
        if (k + 2 < n) (void)empty[k % 2].arrive();
    }
    out[i] = sum;
}

__global__ void copies(int *out, const int *x)
{
    __shared__ int buffer[64];
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    auto block = cg::this_thread_block();
    if (block.thread_rank() == 0) init(&barrier, block.size());
    block.sync();
    cuda::memcpy_async(block, buffer, x, sizeof(int) * block.size(), barrier);
    barrier.arrive_and_wait();
    out[threadIdx.x] = buffer[63 - threadIdx.x];
}

__global__ void staged(int *out, const int *x, int nbatches)
{
    constexpr size_t stages = 2;
    extern __shared__ int room[];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
    auto block = cg::this_thread_block();
    auto pipeline = cuda::make_pipeline(block, &state);
    int sum = 0;
    for (int next = 0, batch = 0; batch < nbatches; batch++) {
        for (; next < nbatches && next < batch + (int)stages; next++) {
            pipeline.producer_acquire();
            cuda::memcpy_async(block, room + next % stages * block.size(), x + next * block.size(),
                               cuda::aligned_size_t<4>(sizeof(int) * block.size()), pipeline);
            pipeline.producer_commit();
        }
        pipeline.consumer_wait();
        sum += room[batch % stages * block.size() + (threadIdx.x + 1) % block.size()];
        pipeline.consumer_release();
    }
    out[threadIdx.x] = sum;
}

__global__ void roles(int *out, const int *x, int nbatches)
{
    constexpr size_t stages = 2;
    __shared__ int room[stages][32];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
    auto block = cg::this_thread_block();
    bool produces = threadIdx.x < 32;
    auto pipeline = cuda::make_pipeline(block, &state,
        produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
    int i = threadIdx.x % 32, sum = 0;
    for (int k = 0; k < nbatches; k++) {
        if (produces) {
            pipeline.producer_acquire();
            cuda::memcpy_async(&room[k % stages][i], &x[32 * k + i], sizeof(int), pipeline);
            pipeline.producer_commit();
        } else {
            pipeline.consumer_wait();
            sum += room[k % stages][31 - i];
            pipeline.consumer_release();
        }
    }
    if (!produces) out[i] = sum;
}

__global__ void own(int *out, const int *x)
{
    __shared__ int room[64];
    auto pipeline = cuda::make_pipeline();
    pipeline.producer_acquire();
    cuda::memcpy_async(&room[threadIdx.x], &x[threadIdx.x], sizeof(int), pipeline);
    pipeline.producer_commit();
    pipeline.consumer_wait();
    out[threadIdx.x] = room[threadIdx.x] * 2;
    pipeline.consumer_release();
}

/* At most two threads of a block are inside at once. */
__global__ void limited(int *x)
{
    __shared__ cuda::counting_semaphore<cuda::thread_scope_block, 2> *room;
    __shared__ cuda::latch<cuda::thread_scope_block> *done;
    __shared__ alignas(8) char places[2][64];
    if (threadIdx.x == 0) {
        room = new (places[0]) cuda::counting_semaphore<cuda::thread_scope_block, 2>(2);
        done = new (places[1]) cuda::latch<cuda::thread_scope_block>(blockDim.x);
    }
    __syncthreads();
    room->acquire();
    int inside = atomicAdd(&x[0], 1) + 1;
    atomicMax(&x[1], inside);
    __nanosleep(100);
    atomicSub(&x[0], 1);
    room->release();
    atomicAdd(&x[2], 1);
    done->arrive_and_wait();
    if (threadIdx.x == 5) x[3] = x[2];
}
]==]

-- Functions that libcu++ of CUDA 13 keeps private, and newer ones have.
local TRIES = [==[
/* Attempts, repeated until they succeed: the other threads go on meanwhile. */
__global__ void tries(int *out)
{
    __shared__ int values[64];
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    if (threadIdx.x == 0) init(&barrier, 64);
    __syncthreads();
    for (int k = 0; k < 3; k++) {
        values[threadIdx.x] = 100 * k + threadIdx.x;
        (void)barrier.arrive();
        while (!barrier.try_wait_parity(0)) {}
        out[threadIdx.x] += values[(threadIdx.x + 1) % 64];
        (void)barrier.arrive();
        while (!barrier.try_wait_parity(1)) {}
    }
}]==]

local NAMES = {"atomics", "barriers", "handover", "copies", "staged", "roles", "own", "limited", "tries"}

local function list(n, fn)
  local values = {}
  for i = 0, n - 1 do values[i + 1] = fn(i) end
  return values
end

local function ints(n) return cn.zeros(n, "int32") end

each_device(function(device)
  local module, found, x
  setup(function()
    local has_tries = device.name == "cpu" or device.model == "Simulated GPU"
    module = cn.RawModule {code = CODE .. (has_tries and TRIES or "__global__ void tries(int *) {}"),
      name_expressions = NAMES, options = {"-std=c++17"}}
    local ok, words = pcall(function() module:compile() end)
    found = ok or not words:find("could not open source file", 1, true)
    if found then assert(ok, words) end
    x = cn.arange(256):astype "int32"
  end)

  local function check(name, fn)
    it(name, function()
      if not found then return pending "no toolkit for this GPU" end
      fn()
    end)
  end
  local function run(name, threads, args, options)
    module:get_function(name)(1, threads, args, options)
    return args[1]:totable()
  end

  check("atomic objects and references count and order", function()
    local out, sum = ints(4 + 32), cn.zeros(1, "float32")
    module:get_function "atomics"(3, 32, {out, sum})
    local values = out:totable()
    assert.same({192, 190, 255}, {values[1], values[2], values[3]})
    assert.same(list(32, function(i) return i end), {unpack(values, 5)})
    assert.equal(48, sum:item())
  end)

  check("barriers let threads wait, and leave", function()
    assert.same(list(64, function(i)
      return 3 * ((i + 1) % 64) + 300 + (i < 32 and 1000 * (31 - i) or 0)
    end), run("barriers", 64, {ints(64)}))
    assert.same(list(32, function(i) return (31 - i) * 15 end), run("handover", 64, {ints(32), 6}))
  end)

  check("attempts let the other threads go on", function()
    if device.name ~= "cpu" and device.model ~= "Simulated GPU" then return end
    assert.same(list(64, function(i) return 3 * ((i + 1) % 64) + 300 end), run("tries", 64, {ints(64)}))
  end)

  check("copies are complete behind a barrier", function()
    assert.same(list(64, function(i) return 63 - i end), run("copies", 64, {ints(64), x}))
  end)

  check("pipelines hand stages over", function()
    assert.same(list(32, function(i) return 5 * ((i + 1) % 32) + 32 * 10 end),
      run("staged", 32, {ints(32), x, 5}, {shared_mem = 2 * 32 * 4}))
    assert.same(list(32, function(i) return 7 * (31 - i) + 32 * 21 end), run("roles", 64, {ints(32), x, 7}))
    assert.same(list(64, function(i) return 2 * i end), run("own", 64, {ints(64), x}))
  end)

  check("semaphores and latches limit and gather threads", function()
    local values = run("limited", 40, {ints(4)})
    assert.same({0, 40, 40}, {values[1], values[3], values[4]})
    assert(values[2] >= 1 and values[2] <= 2, values[2])
  end)
end)

describe("on the cpu device", function()
  local device
  setup(function()
    device = cn.device()
    cn.device("cpu"):use()
  end)
  teardown(function() device:use() end)

  it("threads that wait for each other for ever end the launch", function()
    local kernel = cn.RawKernel([==[
#include <cuda/barrier>
typedef cuda::barrier<cuda::thread_scope_block> Barrier;
__global__ void f(int *out, int n)
{
    __shared__ Barrier left, right, pair;
    int t = threadIdx.x, all = blockDim.x;
    if (t == 0) { init(&left, all + (n == 1)); init(&right, all); init(&pair, 2); }
    __syncthreads();
    for (int k = 0; k < 3; k++) left.arrive_and_wait();
    if (t == 40 && n == 3) return;
    if (t < 32 && n == 2) right.arrive_and_wait();
    if (t == 50 && n == 4) pair.arrive_and_wait();
    left.arrive_and_wait();
    if (t == all - 1) pair.arrive();
    __syncthreads();
    if (t == 10 && n == 5) right.arrive_and_wait();
    if (t < 2 && n == 6) while (!right.try_wait_parity(0)) {}
    __syncthreads();
    out[t] = t;
}]==], "f")
    local function fails(n, threads, words)
      local ok, message = pcall(kernel, 3, threads, {ints(threads), n})
      assert.is_false(ok)
      assert.matches("its threads wait for each other for ever: " .. words, message, 1, true)
    end
    local out = ints(64)
    kernel(1, 64, {out, 0})
    assert.equal(63, out[64])
    local words = "%d of %d at a barrier, 0 at a warp function for lanes of its mask, %d for an object of the block " ..
      "(cuda::barrier), %d have ended"
    -- Threads that try repeatedly are given up after as many attempts as there are threads, by a million: 8 do.
    for n, counts in ipairs {{0, 64, 0}, {0, 64, 0}, {0, 63, 1}, {0, 64, 0}, {63, 1, 0}, {6, 2, 0}} do
      local threads = n == 6 and 8 or 64
      fails(n, threads, words:format(counts[1], threads, counts[2], counts[3]))
      kernel(1, 64, {out, 0})
    end
  end)
end)
