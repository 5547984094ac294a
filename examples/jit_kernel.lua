-- Kernels written in Lua: their text is translated to CUDA C++ for the types of the arguments, and runs on the device.
--
--   make run SCRIPT=examples/jit_kernel.lua
--   build/cuna examples/jit_kernel.lua 10000000      -- elements
local cn = require "cuna"

local jit = cn.jit -- LuaJIT's own library of that name is hidden from here on

local n = tonumber(arg and arg[1]) or 1e6

-- One thread for each element. Positions count from 1, so grid(1) does too.
local square = jit.rawkernel(function(x, y, size)
  local i = jit.grid(1)
  if i <= size then y[i] = x[i] * x[i] end
end)

-- Any number of threads: each takes every gridsize(1)-th element.
local square_stride = jit.rawkernel(function(x, y)
  for i = jit.grid(1), #x, jit.gridsize(1) do
    y[i] = x[i] * x[i]
  end
end)

local x = cn.arange(n):astype "float32" / n
local y = cn.empty_like(x)
square(math.ceil(n / 256), 256, {x, y, n})
cn.testing.assert_array_equal(y["1:10"], (x * x)["1:10"])
y:fill(0)
square_stride(128, 256, {x, y})
assert(y == x * x)
print("squares of", x["-3:"], "are", y["-3:"])

-- The generated C++ for these arguments; other dtypes and layouts have a separate text.
print(square_stride:source(x, y))

-- Threads of a block share memory and synchronise: each block sums 256 elements, and an atomic adds the sums.
local BLOCK = 256
local function load(v, i) return i <= #v and v[i] or 0 end -- a device function

local total = jit.rawkernel(function(v, sum)
  local room = jit.shared_memory("float64", BLOCK)
  local t = jit.threadIdx.x + 1
  room[t] = load(v, jit.grid(1))
  jit.syncthreads()
  local half = BLOCK / 2
  while half >= 1 do
    if t <= half then room[t] = room[t] + room[t + half] end
    jit.syncthreads()
    half = math.floor(half / 2)
  end
  if t == 1 then jit.atomic_add(sum, 1, room[1]) end
end)
local sum = cn.zeros(1)
total(math.ceil(n / BLOCK), BLOCK, {x, sum})
cn.testing.assert_allclose(sum, {x:astype("float64"):sum():item()}, {rtol = 1e-12})
print("the sum is", sum[1])

-- Its time, the time of the same kernel in C++, and of the operation.
local square_raw = cn.RawKernel([==[
__global__ void square(const float *x, float *y, long long size) {
  long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) y[i] = x[i] * x[i];
}]==], "square")

local function best_of(fn)
  local best = math.huge
  fn() -- compiles
  for _ = 1, 5 do
    local start = cn.clock()
    fn()
    best = math.min(best, cn.clock() - start)
  end
  return best * 1e3
end

local grid = math.ceil(n / 256)
local checked = best_of(function() square(grid, 256, {x, y, n}) end)
local unchecked = best_of(function() square(grid, 256, {x, y, n}, {boundscheck = false}) end)
local raw = best_of(function() square_raw(grid, 256, {x, y, n}) end)
local plain = best_of(function() cn.multiply(x, x, {out = y}) end)
print(("%d squares: in Lua %.2f ms, without checks of positions %.2f ms, in C++ %.2f ms, cn.multiply %.2f ms"):format(n,
  checked, unchecked, raw, plain))

-- A write out of bounds is skipped, and reported with the line in the kernel.
print(select(2, pcall(function()
  square(grid + 1, 256, {x, y, n + 1})
  cn.synchronize() -- a GPU reports the error here at the latest
end)))
