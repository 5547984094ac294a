-- Times cn.distributed on GPUs, a rank for each, beside NCCL called by FFI in the same process. The rows of
-- distributed_gpu_peers.py are PyTorch's and CuPy's. The last rows relate all ranks to one GPU alone.
--
--   build/cuna -n 2 bench/distributed_gpu.lua [side of matrices]
--   python3 -m torch.distributed.run --nproc-per-node 2 bench/distributed_gpu_peers.py
--
-- A time is the least of some rounds, and of these the greatest over the ranks.
local cn = require "cuna"
local ffi = require "ffi"
local clock_ms = dofile((arg[0]:match "^.*/" or "") .. "clock.lua")

local comm = cn.distributed.init()
if comm.backend ~= "nccl" then error("usage: build/cuna -n 2 bench/distributed_gpu.lua, on a machine with GPUs", 0) end

ffi.cdef [[
  typedef struct { char bytes[128]; } ncclUniqueId;
  int ncclGetUniqueId(ncclUniqueId *id);
  int ncclCommInitRank(void **comm, int size, ncclUniqueId id, int rank);
  int ncclAllReduce(const void *in, void *out, size_t count, int type, int op, void *comm, void *stream);
]]
local NCCL_FLOAT, NCCL_SUM, MIB = 7, 0, 2 ^ 20
local SIDE = tonumber(arg[1] or 16384)
local nccl = ffi.load "libnccl.so.2"

--- NCCL's sum of an array in place, on the current stream.
local function make_raw()
  local id, handle = ffi.new "ncclUniqueId", ffi.new "void *[1]"
  if comm.rank == 0 then nccl.ncclGetUniqueId(id) end
  ffi.copy(id, comm:share(ffi.string(id, 128)), 128)
  assert(nccl.ncclCommInitRank(handle, comm.size, id, comm.rank) == 0, "ncclCommInitRank failed")
  local stream = ffi.cast("void *", cn.cuda.get_current_stream().ptr)
  return function(x)
    local data, count = ffi.cast("void *", cn.cuda.MemoryPointer(x).ptr), x.size
    return function() nccl.ncclAllReduce(data, data, count, NCCL_FLOAT, NCCL_SUM, handle[0], stream) end
  end
end

--- Microseconds of a call of fn: until the host goes on, and until the device has done the work.
local function round(fn, calls)
  cn.synchronize()
  comm:barrier()
  local start = clock_ms()
  for _ = 1, calls do fn() end
  local queued = clock_ms()
  cn.synchronize()
  return 1e3 * (queued - start) / calls, 1e3 * (clock_ms() - start) / calls
end

local function slowest(us) return comm:all_reduce(cn.array({us}, "float64", "cpu"), "max"):item() end

local function time(fn, calls, rounds)
  local host, device = math.huge, math.huge
  fn()
  for _ = 1, rounds or 10 do
    local queued, done = round(fn, calls)
    host, device = math.min(host, queued), math.min(device, done)
  end
  return slowest(host), slowest(device)
end

local function say(text, ...)
  if comm.rank == 0 then print(text:format(...)) io.stdout:flush() end
end

--- GB/s of a link, by the way of counting of NCCL's tests.
local function bus(nbytes, us) return 2 * (comm.size - 1) / comm.size * nbytes / us / 1e3 end

local raw = make_raw()

local function sums()
  for _, nbytes in ipairs {4, 1024, 2 ^ 16, MIB, 16 * MIB, 64 * MIB, 1024 * MIB} do
    local x = cn.evaluate(cn.zeros(nbytes / 4, "float32"))
    local calls = nbytes < MIB and 200 or nbytes < 2 ^ 28 and 40 or 8
    local own_host, own = time(function() comm:all_reduce_(x) end, calls)
    local raw_host, bare = time(raw(x), calls)
    say("all_reduce %11d bytes: host %7.2f us, done %9.2f us, bus %6.1f GB/s; raw NCCL %7.2f, %9.2f, %6.1f",
      nbytes, own_host, own, bus(nbytes, own), raw_host, bare, bus(nbytes, bare))
    x:free()
  end
end

local function lists()
  local gradients = {}
  for i = 1, 100 do gradients[i] = cn.evaluate(cn.zeros(MIB / 4, "float32")) end
  local whole = cn.evaluate(cn.zeros(100 * MIB / 4, "float32"))
  local _, one = time(function() comm:all_reduce_(whole) end, 20)
  local host, list = time(function() comm:all_reduce_(gradients) end, 20)
  say("100 arrays of 1 MiB: host %.1f us, done %.1f us; one of 100 MiB %.1f us: %.2f", host, list, one, one / list)
  local x = cn.evaluate(cn.zeros(64 * MIB / 4, "float32"))
  local _, sum = time(function() comm:all_reduce_(x) end, 20)
  local _, max = time(function() comm:all_reduce_(x, "max") end, 20)
  say("max of 64 MiB %.1f us, sum %.1f us: %.2f", max, sum, sum / max)
end

local function small_operations()
  local x = cn.evaluate(cn.zeros({1024, 4}, "float32"))
  local A = cn.distributed.from_block(x, {axis = 1})
  local plain = time(function() return cn.evaluate(x + x) end, 200)
  local over = time(function() return cn.evaluate((A + A).block) end, 200)
  say("A + A %.2f us, its block alone %.2f us: %.2f us more", over, plain, over - plain)
end

--- A row of a piece of work on one GPU and on all.
local function compare(name, alone, together, calls)
  local _, one = time(alone, calls, 5)
  local _, all = time(together, calls, 5)
  say("%s: one GPU %.2f ms, %d GPUs %.2f ms: %.2f", name, one / 1e3, comm.size, all / 1e3, one / all)
end

local function products(side)
  local x = cn.evaluate(cn.random.standard_normal({side, side}, {dtype = "float32"}))
  local A = cn.distributed.array(x, {axis = 1})
  compare(("matmul %d^2 float32"):format(side), function() return cn.evaluate(x:matmul(x)) end,
    function() return cn.evaluate(A:matmul(A).block) end, 2)
end

local function transforms(side)
  local x = cn.evaluate(cn.random.standard_normal({side, side}, {dtype = "float32"}):astype "complex64")
  local A = cn.distributed.array(x, {axis = 1})
  compare(("fft2 %d^2 complex64"):format(side), function() return cn.evaluate(cn.fft.fft2(x)) end,
    function() return cn.evaluate(A:fft2().block) end, 4)
end

--- A step of gradient descent of three layers with 25 million weights; each rank has its own batch of 4096.
local function training()
  local sizes, weights = {1024, 4096, 4096, 1000}, {}
  for i = 1, 3 do
    weights[i] = cn.random.standard_normal({sizes[i], sizes[i + 1]}, {dtype = "float32"}) * 0.02
  end
  local x = cn.random.standard_normal({4096, 1024}, {dtype = "float32"})
  local target = cn.random.standard_normal({4096, 1000}, {dtype = "float32"})
  cn.evaluate(x, target, weights[1], weights[2], weights[3])
  local function step(average)
    local first = cn.maximum(x:matmul(weights[1]), 0)
    local second = cn.maximum(first:matmul(weights[2]), 0)
    local error_ = (second:matmul(weights[3]) - target) * (2 / 4096 / 1000)
    local back = error_:matmul(weights[3].T) * second:gt(0)
    local slopes = {x.T:matmul(back:matmul(weights[2].T) * first:gt(0)), first.T:matmul(back), second.T:matmul(error_)}
    if average then comm:all_reduce_(slopes, "mean") end
    for i, weight in ipairs(weights) do weight:sub_(slopes[i] * 0.1) end
  end
  local _, one = time(function() step(false) end, 5, 5)
  local _, all = time(function() step(true) end, 5, 5)
  say("training, 4096 samples a GPU: alone %.2f ms, with the mean of %d GPUs' gradients %.2f ms: %.3f of %d", one / 1e3,
    comm.size, all / 1e3, one / all * comm.size, comm.size)
end

say("%d ranks, %s, checks %s", comm.size, comm.version, tostring(comm.checks))
sums()
lists()
small_operations()
products(SIDE)
transforms(SIDE)
training()
