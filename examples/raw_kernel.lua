-- Raw kernels in CUDA C++: two ways to add up the layers of a block of numbers. The first adds to global memory at
-- every step; the second adds in a register and writes once. The same text runs on a GPU and on the cpu device.
--
--   make run SCRIPT=examples/raw_kernel.lua
--   build/cuna examples/raw_kernel.lua 4096      -- layers of 512 x 512 doubles: 8 GiB
local cn = require "cuna"

local ROWS, COLUMNS = 512, 512

local module = cn.RawModule {code = [==[
__global__ void accumulate_global(const double *x, double *sum, int layers, int size) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size) return;
  sum[i] = 0;
  for (int k = 0; k < layers; k++) sum[i] += x[(long long)k * size + i];
}

__global__ void accumulate_register(const double *__restrict__ x, double *sum, int layers, int size) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size) return;
  double total = 0;
  for (int k = 0; k < layers; k++) total += x[(long long)k * size + i];
  sum[i] = total;
}
]==]}

--- As many layers as fit into memory, up to 4096; on the cpu device only a few, to save time.
local function choose_layers()
  local device, wanted = cn.device(), tonumber(arg and arg[1])
  local room = math.floor(device.mem_info.free * 0.8 / (ROWS * COLUMNS * 8)) - 2
  return math.max(1, math.min(wanted or (device.kind == "cpu" and 64 or 4096), room))
end

local layers, size = choose_layers(), ROWS * COLUMNS
local x = cn.empty {layers, ROWS, COLUMNS}
for k = 1, layers do x[k] = k end
local sum = cn.zeros {ROWS, COLUMNS}
print(("%s: %d x %d x %d doubles, %.2f GiB"):format(cn.device().model, layers, ROWS, COLUMNS, x.nbytes / 2 ^ 30))

local function best_of(fn)
  local best = math.huge
  for _ = 1, 3 do
    local start = cn.clock()
    fn()
    best = math.min(best, cn.clock() - start)
  end
  return best
end

-- A call is kernel(grid, block, arguments): how many blocks, how many threads each, and the arguments in a table. They
-- are checked against the kernel's own parameters.
local threads = 256
local blocks = math.ceil(size / threads)
for _, name in ipairs {"accumulate_global", "accumulate_register"} do
  local kernel = module:get_function(name):compile()
  local seconds = best_of(function() kernel(blocks, threads, {x, sum, layers, size}) end)
  assert(sum:min():item() == layers * (layers + 1) / 2 and sum:max():item() == sum:min():item())
  local registers = kernel.num_regs -- 0 if unknown
  print(("%-20s %8.2f ms  %7.1f GB/s%s"):format(name, seconds * 1e3, x.nbytes / seconds / 1e9,
    registers > 0 and ("  %d registers"):format(registers) or ""))
end

-- Arguments of the wrong type are errors that name the parameter; CuPy would compute garbage from them.
local kernel = module:get_function "accumulate_register"
for _, wrong in ipairs {{x[1]:astype "float32", sum, 1, size}, {x, sum, layers + 0.5, size}, {x, sum, layers},
  {x[1].T, sum, 1, size}} do
  print(select(2, pcall(function() kernel(blocks, threads, wrong) end)))
end
