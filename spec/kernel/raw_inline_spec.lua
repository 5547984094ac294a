--- Device functions that wait at barriers: on the cpu device they are written into the kernels that call them, where
--- threads run from barrier to barrier in loops. Each gives what it gives when its barriers are in a macro, where
--- threads have stacks.
local cn = require "cuna"
local process = require "spec.support.process"
local each_device = require("spec.support.devices").each_device

local HEAD = [==[
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
#define APART() __syncthreads()
#define LARGER(a, b) ((a) > (b) ? (a) : (b))
#define CELL(i) cells[(i) % width]
struct Pair { float a; int b; };
__constant__ float factors[2] = {2, 3};
__device__ void meet() { BARRIER; }
]==]

-- Functions, and the body of a kernel (float *x, float *out, int n) of them. All are in one source.
local KERNELS = {
  values = { [==[
__device__ float fold(const float *x, float own) {
  __shared__ float part[256];
  int t = threadIdx.x, n = blockDim.x;
  part[t] = own + x[t];
  BARRIER;
  for (int i = n / 2; i > 0; i /= 2) {
    if (t < i) part[t] += part[t + i];
    BARRIER;
  }
  return part[0];
}
__device__ float around(float *mem, float value, int by) {
  int t = threadIdx.x, n = blockDim.x;
  if (by == 0) return value;
  meet();
  mem[t] = value;
  meet();
  if (by < 0)
    return mem[(t + n + by % n) % n];
  else if (by > 100) { return -1.5f; }
  float other = mem[(t + by) % n];
  return other * factors[by % 2];
}
]==], [==[
    __shared__ float mem[256];
    int t = threadIdx.x;
    float sum = fold(x, 1.0f), other;
    float own = sqrtf(2 * around(mem, x[t] + 2, 3)) + x[t];
    const float more = fold(x, own);
    other = (float)around(mem, LARGER(own, x[t]), -1) * more;
    if (around(mem, own, t % 2 == 0 ? 1 : 1) > 1 && n > 0) other += 1;
    else other = around(mem, other, 0);
    for (int i = 0; i < 3; i++) other = fmaxf(around(mem, own, 101 * i), other);
    out[t] = other + sum * 1e-3f + own;]==] },
  names = { [==[
__device__ void shift(float *out, float x, int t, int n) {
  float own = out[(threadIdx.x + t) % n];
  for (int i = 0; i < 2; i++) { float t = own * i; BARRIER; x += t; out[threadIdx.x] = LARGER(t, x); }
  if (n % 2 == 1) return;
  BARRIER;
  int i = threadIdx.x; { int n = i; out[i] += n; }
  meet();
}
]==], [==[
    int t = threadIdx.x, i = 2;
    float own = x[t];
    out[t] = own;
    meet();
    shift(out, own, i, n);
    meet();
    shift(out, own + t, 3 * i, n);
    for (int k = 0; k < i; k++) if (k == 1) shift(out, k, k, n); else meet();
    do shift(out, x[i], t, n); while (--i > 0);
    meet();
    own += out[n - 1 - t];
    meet();
    out[t] = own + i;]==] },
  templates = { [==[
template <typename T> __device__ T total(T value, T *mem) {
  T sum = 0;
  mem[threadIdx.x] = value;
  BARRIER;
  for (int i = 0; i < int(blockDim.x); i++) sum += mem[i];
  BARRIER;
  return sum;
}
template <int N, class Real = double, bool twice = false> __device__ Real powers(float value) {
  __shared__ Real all[N][8];
  Real *row = all[threadIdx.x % N];
  for (unsigned i = 0; i < 8; i++) { row[i] = i - N; BARRIER; }
  Real sum = value / 2 * (N - 40);
  for (int i = 0; i < 8; i++) sum = sum / 4 + row[i];
  BARRIER;
  return twice ? 2 * sum : sum;
}
]==], [==[
    __shared__ float mem[256];
    __shared__ int counts[256];
    int t = threadIdx.x;
    float sum = total(x[t], mem);
    int count = total(t, counts);
    double all = total<float>(t / 2, &mem[0]);
    out[t] = sum + count + all;
    double more = powers<32>(x[t]);
    meet();
    out[t] += more;]==] },
  defaults = { [==[
template <unsigned N, class Real = double, bool twice = false> __device__ Real chain(float value, int by = 4) {
  __shared__ Real all[N][8];
  Real *row = all[threadIdx.x % N];
  for (unsigned i = 0; i < 8; i++) { row[i] = int(i) - int(N); BARRIER; }
  Real sum = value / 2 * (N - 40);
  for (int i = 0; i < 8; i++) sum = sum / by + row[i];
  BARRIER;
  return twice ? 2 * sum : sum;
}
]==], [==[
    int t = threadIdx.x;
    out[t] = chain<32, float, true>(x[t]);]==] },
  references = { [==[
__device__ void change(float &value, int &count, float (*unused)[2] = nullptr) { BARRIER; value += count++; BARRIER; }
__device__ void turn(Pair &pair, float &value, const float &other, cg::thread_block all) {
  __shared__ float seen[256];
  seen[all.thread_rank()] = pair.a + other;
  cg::sync(all);
  value = seen[all.size() - 1 - all.thread_rank()];
  all.sync();
  pair.b += value > 0;
}
__device__ void own_block(float *mem) {
  cg::thread_block here = cg::this_thread_block();
  mem[here.thread_rank()] += 1;
  here.sync();
}
__device__ void add(float &value, int &count) { BARRIER; value += count++; BARRIER; }
template <class T> __device__ void mix(T &a, const T &b) { meet(); a = a * 2 + b; meet(); }
]==], [==[
    cg::thread_block block = cg::this_thread_block();
    __shared__ float mem[256];
    int t = block.thread_rank(), count = 3;
    float value = x[t], list[3] = {1, 2, 3};
    Pair pair = {x[t], 4};
    mem[t] = value;
    add(value, count);
    add(list[1], count);
    add(mem[n - 1 - t], pair.b);
    turn(pair, value, pair.a, block);
    turn(pair, list[2], value + 1, block);
    own_block(mem);
    mix(value, list[2]);
    mix(list[0], value);
    block.sync();
    out[t] = value + list[0] * list[1] - list[2] + pair.a * pair.b + count + mem[n - 1 - t];]==] },
  macros = { [==[
template <int SIDE> __device__ float turned(const float *x, int width) {
  __shared__ float cells[SIDE];
  float sum = 0;
  for (int k = 0; k < 2; k++) {
    CELL(threadIdx.x) = x[threadIdx.x] + k;
    BARRIER;
    sum += LARGER(CELL(width - 1 - threadIdx.x % width), sum);
    BARRIER;
  }
  return sum;
}
]==], [==[
    int t = threadIdx.x;
    out[t] = turned<256>(x, n == 65 ? 64 : n);]==] },
  storage = { [==[
__device__ float *place() { extern __shared__ float memory[]; BARRIER; return memory + threadIdx.x; }
__device__ int count_calls(int first) {
  static __shared__ int calls, list[4];
  if (first && threadIdx.x == 0) { calls = 0; list[1] = 5; }
  BARRIER;
  if (threadIdx.x == 0) { calls += 1; list[1] *= 2; }
  BARRIER;
  int seen = calls * 1000 + list[1];
  BARRIER;
  return seen;
}
]==], [==[
    int t = threadIdx.x;
    float *mine = place();
    *mine = x[t];
    int calls = count_calls(1);
    calls = count_calls(0);
    for (int i = 0; i < 2; i++) calls += count_calls(i == 1);
    meet();
    out[t] = calls + *(mine - t + (n - 1 - t));]==] },
}

-- Functions that stay calls, because they cannot come before their statements, or the rules do not understand them.
local CALLS = { [==[
__device__ float last(float *mem, float value) {
  BARRIER;
  mem[threadIdx.x] = value;
  BARRIER;
  return mem[blockDim.x - 1 - threadIdx.x];
}
__device__ int deep(float *mem, int n) { BARRIER; mem[threadIdx.x] += n; return n > 0 ? 1 + deep(mem, n - 1) : 0; }
]==], {
  second = "float own = x[t] + last(mem, t); out[t] = own;",
  loop = "int i = 3; while (last(mem, i) > 1) i--; out[t] = i;",
  chosen = "out[t] = n > 3 && last(mem, t) > 4;",
  declared = "int a = 1, b = last(mem, t); out[t] = a + b;",
  recursive = "mem[t] = x[t]; out[t] = deep(mem, 3) + mem[t];",
  head = "for (float i = last(mem, 2); i > 0; i--) out[t] += i;",
} }

local TEXT = { HEAD, CALLS[1] }
for name, kernel in pairs(KERNELS) do
  TEXT[#TEXT + 1] = ("%s__global__ void %s(float *x, float *out, int n) {%s\n"
    .. "if (n == 65) ((volatile int *)nullptr)[t] = 1;}\n")
    :format(kernel[1], name, kernel[2])
end
for name, body in pairs(CALLS[2]) do
  TEXT[#TEXT + 1] = ("__global__ void %s(float *x, float *out, int n) {__shared__ float mem[256]; "
    .. "int t = threadIdx.x; %s}\n")
    :format(name, body)
end
TEXT = table.concat(TEXT)

each_device(function(device)
  local function compile(barrier)
    local names = {}
    for name in pairs(KERNELS) do names[#names + 1] = name end
    for name in pairs(CALLS[2]) do names[#names + 1] = name end
    return cn.RawModule { code = TEXT:gsub("BARRIER", barrier), name_expressions = names }
  end

  local function run(module, name, threads)
    local x, out = cn.sin(cn.arange(2 * threads, "float32")), cn.zeros(threads, "float32")
    module:get_function(name)(1, threads, { x, out, threads }, { shared_mem = 4 * threads })
    return out:totable()
  end

  describe("a device function with barriers", function()
    local loops, stacks

    setup(function() loops, stacks = compile("__syncthreads()"), compile("APART()") end)

    for name in pairs(KERNELS) do
      it("computes what it does where threads have stacks: " .. name, function()
        for _, threads in ipairs { 2, 30, 32, 128, 256 } do
          assert.are.same(run(stacks, name, threads), run(loops, name, threads), threads)
        end
      end)
    end

    for name, body in pairs(CALLS[2]) do
      it("may stand anywhere: " .. body, function()
        assert.are.same(run(stacks, name, 64), run(loops, name, 64))
      end)
    end

    if device.kind ~= "cpu" or process.is_sanitized then return end -- the sanitizer reports the fault in its own words

    it("is part of loops, in which a fault names the block alone", function()
      local wrong = {}
      for name in pairs(KERNELS) do
        local words = process.run(([[local cn = require "cuna"
          local x = cn.ones(300, "float32")
          print(pcall(cn.RawKernel(%q, %q), 1, 64, { x, x + 0, 65 }, { shared_mem = 512 }))]]):format(
          TEXT:gsub("BARRIER", "__syncthreads()"), name), { CUNA_DEVICE = "cpu" })
        if not words:find "block %(0, 0, 0%): " then wrong[name] = words end
      end
      assert.are.same({}, wrong)
    end)
  end)
end)
