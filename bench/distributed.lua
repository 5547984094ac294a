-- Times cn.distributed beside bare MPI, called by FFI, in one run; distributed_peers.py times mpi4py the same way.
--
--   mpirun -n 2 build/cuna bench/distributed.lua
--   mpirun -n 2 env CUNA_DISTRIBUTED_CHECK=off build/cuna bench/distributed.lua
--   mpirun -n 2 python3 bench/distributed_peers.py
--
-- A row is the sum of float32 over all ranks, in place: least time of a call, in microseconds. Rounds are short, and
-- those of both alternate, so that other work on the machine disturbs both alike.
local cn = require "cuna"
local ffi = require "ffi"

ffi.cdef [[
  extern char ompi_mpi_comm_world[1], ompi_mpi_float[1], ompi_mpi_op_sum[1];
  int MPI_Allreduce(const void *in, void *out, int count, uintptr_t type, uintptr_t op, uintptr_t comm);
]]

local comm = cn.distributed.init()
if comm.backend == "alone" then error("usage: mpirun -n 2 build/cuna bench/distributed.lua", 0) end
local mpi = ffi.load(comm.version:match ", (%S+)%)")

--- MPI's sum in place; handles are addresses in Open MPI, and numbers in MPICH's family.
local function bare()
  if not comm.version:find "ABI of Open MPI" then
    local place = ffi.cast("void *", -1)
    return function(data, count) mpi.MPI_Allreduce(place, data, count, 0x4c00040a, 0x58000003, 0x44000000) end
  end
  local function address(symbol) return ffi.cast("uintptr_t", ffi.cast("char *", symbol)) end
  local place, world = ffi.cast("void *", 1), address(mpi.ompi_mpi_comm_world)
  local float, sum = address(mpi.ompi_mpi_float), address(mpi.ompi_mpi_op_sum)
  return function(data, count) mpi.MPI_Allreduce(place, data, count, float, sum, world) end
end

local function seconds(fn, calls)
  comm:barrier()
  local start = cn.clock()
  for _ = 1, calls do fn() end
  return (cn.clock() - start) / calls
end

local reduce = bare()
local lines = {("%d ranks, %s, checks %s"):format(comm.size, comm.version, tostring(comm.checks)),
  "| bytes | bare MPI | cuna | cuna / bare |", "|---:|---:|---:|---:|"}
for _, nbytes in ipairs {4, 1024, 2 ^ 16, 2 ^ 20, 2 ^ 24} do
  local x, count = cn.zeros(nbytes / 4, "float32", "cpu"), nbytes / 4
  local memory = ffi.new("char[?]", nbytes + 64)
  local data = ffi.cast("void *", ffi.cast("uintptr_t", memory) / 64 * 64 + 64)
  local calls = math.max(4, math.min(200, 2 ^ 24 / nbytes))
  local plain, own = math.huge, math.huge
  for _ = 1, nbytes < 2 ^ 20 and 60 or 15 do
    plain = math.min(plain, seconds(function() reduce(data, count) end, calls))
    own = math.min(own, seconds(function() comm:all_reduce_(x) end, calls))
  end
  lines[#lines + 1] = ("| %d | %.2f | %.2f | %.2f |"):format(nbytes, 1e6 * plain, 1e6 * own, own / plain)
end
if comm.rank == 0 then print(table.concat(lines, "\n")) end
