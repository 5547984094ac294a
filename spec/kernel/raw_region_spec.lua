--- Kernels whose threads run from barrier to barrier in loops on the cpu device: each gives what it gives when its
--- barriers are in a macro, where threads have stacks.
local cn = require "cuna"
local process = require "spec.support.process"
local each_device = require("spec.support.devices").each_device

local HEAD = [==[
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
#define APART() __syncthreads()
__device__ void meet() { __syncthreads(); }
__device__ void meet_all(cg::thread_block &all) { all.sync(); }
struct Pair { double a; int b; };
struct Box { typedef int Word; Word word; __device__ Word get() const { return word; } };
struct Many { float x[3]; };
struct Steps { int n, m; };
#define TWICE(n) ((n) * 2)
#define REAL(name) float name
__device__ float add_one(float x) { return x + 1; }
#define SIDE 8
#define SEEN seen[t]
__constant__ int hidden = 1000;
]==]

-- BARRIER is __syncthreads(), meet() or APART(). All take (float *x, float *out, int n, Steps steps).
local KERNELS = {
  declarations = [==[
    __shared__ float part[256], other[2][128];
    int t = threadIdx.x, unused;
    const int last = n - 1;
    typedef float Real;
    constexpr int COUNT = 3;
    Real many[COUNT] = {1, 2}, *pointer = many + 1;
    auto half = x[t] * 0.5f;
    const float kept = x[last - t], more(kept + 1);
    Pair pair = {double(t), 3}, copy;
    bool odd{t % 2 == 1};
    float2 both = make_float2(kept, more);
    part[t] = half;
    BARRIER;
    copy = pair;
    copy.b += COUNT;
    *pointer += part[last - t];
    other[odd][t / 2] = both.x * both.y;
    BARRIER;
    out[t] = many[0] + many[1] + many[2] + copy.b + float(copy.a) + half + kept + other[!odd][t / 2];]==],
  addresses = [==[
    __shared__ float part[256];
    int t = threadIdx.x;
    float grid[2][2] = {{1, 2}, {3}}, flat[2], *row = grid[1], *first = flat;
    Pair pair = {1, 2}, *pointer = &pair;
    Many many = {{float(t), 2, 3}};
    float *element = many.x, *chosen = t % 2 == 0 ? flat : &grid[0][1];
    float4 four = {1, 2, 3, 4};
    float tile[2][3];
    for (int i = 0; i < 6; i++) tile[i / 3][i % 3] = i + t;
    part[t] = x[t];
    BARRIER;
    row[1] = part[n - 1 - t];
    first[0] = 5;
    first[1] = 6;
    pointer->b += 7;
    element[1] += 8;
    four.y += row[1];
    for (int i = 0; i < 6; i++) tile[i / 3][i % 3] *= four.y;
    BARRIER;
    *chosen += 9;
    four.z -= many.x[1];
    BARRIER;
    out[t] = grid[1][1] + flat[0] * flat[1] + pair.b + many.x[0] + many.x[1] + grid[0][1] + four.z + tile[1][1];]==],
  large = [==[
    __shared__ float part[256];
    int t = threadIdx.x;
    double values[2048];
    float half[1000];
    for (int i = 0; i < 2048; i++) values[i] = x[t] + i;
    for (int i = 0; i < 1000; i++) half[i] = float(values[2 * i]) / 2;
    part[t] = x[t];
    BARRIER;
    values[t] += part[n - 1 - t];
    BARRIER;
    double sum = 0;
    for (int i = 0; i < 2048; i++) sum += values[i] * (i % 7) + half[i % 1000];
    out[t] = float(sum);]==],
  hidden_types = [==[
    REAL(sum);
    float (*shift)(float);
    int t = threadIdx.x;
    sum = x[t];
    shift = add_one;
    BARRIER;
    decltype(sum) before = sum;
    sum = shift(sum);
    BARRIER;
    out[t] = sum + before;]==],
  loops = [==[
    extern __shared__ float part[];
    unsigned t = threadIdx.x;
    float own = 0, factor = 2;
    for (int i = t; i < 2 * n; i += n) own += x[i % n];
    part[t] = own;
    for (int i = n / 2, j = 0; i > 0; i /= 2, ++j) {
      BARRIER;
      float mine = part[(t + i) % n];
      if (j == 1) { BARRIER; continue; }
      BARRIER;
      part[t] += mine;
      if (j == 4) break;
    }
    for (int i = 0; i < 2; i++)
#pragma unroll
      for (int k = 0; k < 3; k++) {
        BARRIER;
        own += part[(t + k * i) % n] * factor;
      }
    int k = 3;
    do { BARRIER; part[t] += k; factor *= 0.5f; } while (--k);
    while (k < 2) { k++; BARRIER; own += part[n - 1 - t]; BARRIER; part[t] = own; }
    out[t] = own + factor + k;]==],
  hides = [==[
    int t = threadIdx.x;
    out[t] = hidden;
    for (int hidden = 0; hidden < 2; hidden++) { BARRIER; out[t] += hidden; }]==],
  branches = [==[
    __shared__ float seen[256];
    int t = threadIdx.x;
    seen[t] = x[t];
    if (n > 1) BARRIER;
    if (n > 1000000) { BARRIER; out[t] = 1; }
    else if (n > 0) { float a = seen[n - 1 - t]; BARRIER; seen[t] = a; } else BARRIER;
    { float a = seen[t]; BARRIER; SEEN = a + TWICE(t); }
    BARRIER;
    out[t] = seen[n - 1 - t];]==],
  apart = [==[
    __shared__ int order[256], count;
    int t = threadIdx.x, turn = 0;
    if (t == 0) count = 0;
    if (t % 5 == 4) { out[t] = -1; return; }
    BARRIER;
    if (t % 2 == 0) { order[t] = t; BARRIER; turn = order[(t + 2) % n % (n - 1)]; }
    else { order[t] = 2 * t; BARRIER; turn = order[t - 1]; }
    for (int k = 0; k < t % 3; k++) turn += k;
    if (t % 3 == 1) { out[t] = turn; return; }
    BARRIER;
    atomicAdd(&count, 1);
    BARRIER;
    out[t] = turn + count;]==],
  changed = [==[
    __shared__ float part[256];
    int t = threadIdx.x;
    x += t;
    n -= 1;
    steps.n += t;
    part[t] = *x + steps.n % steps.m;
    BARRIER;
    int *address = &n;
    part[t] *= 2;
    BARRIER;
    *address += 1;
    BARRIER;
    out[t] = part[n - 1 - t] + steps.n + n;]==],
  group = [==[
    cg::thread_block block = cg::this_thread_block();
    __shared__ float part[256];
    const unsigned t = block.thread_rank();
    part[t] = x[t];
    GROUP;
    float other = part[n - 1 - t];
    if (n > 0) { GROUP; part[t] += other; }
    BARRIER;
    out[t] = part[(t + 1) % block.size()];]==],
  square = [==[
    __shared__ alignas(32) float a[SIDE][SIDE + 1];
    const int tx = threadIdx.x, ty = threadIdx.y, z = threadIdx.z;
    float sum = 0;
    for (int k = 0; k < n; k += SIDE) {
      if (z == 0) a[ty][tx] = x[ty * SIDE + tx] + k;
      BARRIER;
      for (int i = 0; i < SIDE; i++) sum += a[tx][i] * a[i][ty];
      BARRIER;
    }
    out[(z * SIDE + ty) * SIDE + tx] = sum + z;]==],
}

each_device(function(device)
  local function compile(name, barrier, group)
    local text = KERNELS[name]:gsub("BARRIER", barrier):gsub("GROUP", group)
    return cn.RawKernel(HEAD .. "__global__ void f(float *x, float *out, int n, Steps steps) {" .. text .. "\n}", "f")
  end

  local function run(kernel, shape, threads)
    local x, out = cn.sin(cn.arange(2 * threads, "float32")), cn.zeros(threads, "float32")
    kernel(1, shape, { x, out, threads, "\3\0\0\0\7\0\0\0" }, { shared_mem = 4 * threads })
    return out:totable()
  end

  describe("a kernel with barriers of its own", function()
    local function check(name)
      local group = name == "group"
      local loops = compile(name, "__syncthreads()", group and "block.sync()" or "")
      local calls = device.kind == "cpu" and compile(name, "meet()", group and "meet_all(block)" or "") or loops
      local stacks = compile(name, "APART()", "APART()")
      for _, threads in ipairs(name == "square" and { 64, 192 } or { 1, 2, 30, 128, 256 }) do
        if name ~= "apart" or threads > 2 then
          local shape = name == "square" and { 8, 8, threads / 64 } or threads
          local expected = run(stacks, shape, threads)
          assert.are.same(expected, run(loops, shape, threads), threads)
          assert.are.same(expected, run(calls, shape, threads), threads)
        end
      end
    end

    for name in pairs(KERNELS) do
      -- Threads that wait at different barriers wait for ever on a GPU.
      if name ~= "apart" or device.kind == "cpu" then
        it("computes what one does whose threads have stacks: " .. name, function() check(name) end)
      end
    end

    if device.kind ~= "cpu" then return end

    local WRONG = HEAD .. [==[
__global__ void f(int n) {
    int t = threadIdx.x;
    Box box = {t};
    %s;
    if (box.get() == n) __trap();
    if (t == -n) ((volatile int *)nullptr)[t] = 1;
}]==]

    it("names the thread that traps", function()
      for _, barrier in ipairs { "__syncthreads()", "meet()", "APART()" } do
        local kernel = cn.RawKernel(WRONG:format(barrier), "f")
        local ok, message = pcall(kernel, 1, 64, { 40 })
        assert.is_false(ok)
        assert.matches("block (0, 0, 0), thread (40, 0, 0): ", message, 1, true)
      end
    end)

    it("is iterations of a loop, which have no place of their own", function()
      local function words(barrier)
        return process.run(('local cn = require "cuna" print(pcall(cn.RawKernel(%q, "f"), 1, 64, { -40 }))'):format(
          WRONG:format(barrier)), { CUNA_DEVICE = "cpu" })
      end
      assert.matches("block %(0, 0, 0%): [^\n]*0xa0", words("__syncthreads()"))
      assert.matches("block %(0, 0, 0%), thread %(40, 0, 0%): [^\n]*0xa0", words("APART()"))
    end)
  end)
end)
