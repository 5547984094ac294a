--- Scripts that run as several ranks, under each MPI that `make test` installs.
--
-- Ranks of MPICH spin while they wait: three of them on two processors take thirty times as long as two.
local process = require "spec.support.process"

local M = {}

-- The launchers by their Debian names: Open MPI refuses root, and more ranks than processors, unless it is asked. Ranks
-- are of one machine: to look for its networks is half of what an MPI does at the start.
local LAUNCHERS = {
  openmpi = "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_pml=ob1 "
    .. "OMPI_MCA_btl=^tcp,openib,uct,ofi,usnic mpirun.openmpi --oversubscribe",
  mpich = "UCX_TLS=posix,self mpirun.mpich",
}

M.names = {"openmpi", "mpich"}

-- Where arrays over ranks are tested: one rank without MPI, an even division, an odd one.
M.CASES = {{"alone", 1}, {"mpich", 2}, {"openmpi", 3}}

--- What scripts begin with: a communicator, and comparisons whose failure ends the job.
M.HEAD = [[
local cn = require "cuna"
local comm = cn.distributed.init {timeout = 30}
local rank, size = comm.rank, comm.size
local function same(got, expected, what)
  if tostring(got) == tostring(expected) and (not cn.is_array(got) or got.dtype == expected.dtype) then return end
  error(("rank %d: %s: got %s %s, expected %s %s"):format(rank, what or "", cn.is_array(got) and got.dtype or "",
    tostring(got), cn.is_array(expected) and expected.dtype or "", tostring(expected)), 2)
end
]]

--- After it: comparisons of arrays over ranks with plain ones, and errors at the line that asks.
M.ARRAYS = [[
local D = cn.distributed
local function whole(A) return type(A) == "table" and A.block and A:reshard {} or A end
local function check(A, expected, what)
  local got = whole(A)
  if type(expected) == "boolean" then return same(got, expected, what) end
  if not cn.allclose(got, expected, {equal_nan = true}) then same(got, expected, what) end
  same(tostring(A.shape), tostring(expected.shape), what .. " shape")
  same(A.dtype, expected.dtype, what .. " dtype")
end

-- The same bits: what is computed block by block, or only moved.
local function exact(A, expected, what)
  check(A, expected, what)
  same(cn.array_equal(whole(A), expected, {equal_nan = true}), true, what .. " bits")
end

local function refused(pattern, fn)
  local ok, message = pcall(fn)
  if ok or not message:find "ranks.lua:%d+: cuna: " or not message:find(pattern) then error(tostring(message), 2) end
end
]]

--- The command that runs a shell command as `count` ranks. Sanitizers watch the ranks only, and not for leaks, which
--- the libraries of MPI have.
local function command_of(mpi, count, command)
  if mpi == "alone" then return command end
  local preload = process.quote(os.getenv "LD_PRELOAD" or "")
  return ("env -u LD_PRELOAD %s%s -n %d env LD_PRELOAD=%s %s"):format(process.unleaking, LAUNCHERS[mpi], count, preload,
    command)
end

--- Runs a script's text as `count` ranks, as the file ranks.lua: output, exit status, seconds. Nothing is compiled for
--- the cpu device but kernels of the script's own text.
---@param mpi string of M.names; "alone": one rank that nothing launches
---@param environment table|nil variables of the ranks
function M.run(mpi, count, script, environment)
  local folder, words = process.folder(), {CUNA_DEVICE = "cpu", CUNA_NUM_THREADS = "1", CUNA_COMPILE = "never"}
  for name, value in pairs(environment or {}) do words[name] = value end
  process.write(folder .. "/ranks.lua", script)
  local command = command_of(mpi, count, process.command(folder .. "/ranks.lua", words))
  local clock = io.popen("date +%s.%N"):read "*n"
  local text, status = process.capture("timeout -k 2 60 " .. command)
  local seconds = io.popen("date +%s.%N"):read "*n" - clock
  process.remove(folder)
  return text, status, seconds
end

--- Runs a script, with M.HEAD before it, that must end well on all ranks; its output.
function M.must_run(mpi, count, script, environment)
  local text, status = M.run(mpi, count, M.HEAD .. script, environment)
  assert(status == 0, ("%d ranks of %s: exit status %s: %s"):format(count, mpi, tostring(status), text))
  return text
end

return M
