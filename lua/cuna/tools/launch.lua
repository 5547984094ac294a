--- launch.lua: `build/cuna -n 4 script.lua`: runs a script as several ranks, under the launcher of an MPI.
--
-- The launcher is the first on the PATH of those below, whatever MPI it is of: the ranks open the library that belongs
-- to it. This process becomes the launcher, so signals and the exit status are its own. With --restarts it stays, and
-- runs the launcher again after a failure; it ends by the signals of a terminal as usual, and the launcher with it.
-- Without a launcher there is nothing to start: ranks find each other, compare calls and end together by the library
-- that belongs to it.
local ffi = require "ffi"

ffi.cdef [[
int execv(const char *path, char *const argv[]);
int setenv(const char *name, const char *value, int overwrite);
int access(const char *path, int mode);
unsigned geteuid(void);
int fork(void);
int waitpid(int pid, int *status, int options);
int prctl(int option, unsigned long a, unsigned long b, unsigned long c, unsigned long d);
void _exit(int status);
]]

local M = {}

local NAMES = {"mpirun", "mpiexec", "mpiexec.hydra", "mpirun.openmpi", "mpirun.mpich"}
local EXECUTABLE = 1 -- X_OK
local MOST = 1e6
local PR_SET_PDEATHSIG, SIGINT, SIGTERM = 1, 2, 15
local ENDED_BY_USER = {[128 + SIGINT] = true, [128 + SIGTERM] = true}

--- The path of the first launcher on the PATH; nil if there is none.
---@param path string|nil default: $PATH
function M.find(path)
  for _, name in ipairs(NAMES) do
    for folder in ((path or os.getenv "PATH" or "") .. ":"):gmatch "([^:]*):" do
      local file = (folder == "" and "." or folder) .. "/" .. name
      if ffi.C.access(file, EXECUTABLE) == 0 then return file end
    end
  end
end

--- Whether a launcher is Open MPI's, by what it says about itself.
local function is_open_mpi(file)
  local pipe = io.popen("'" .. file:gsub("'", "'\\''") .. "' --version 2>&1")
  local text = pipe and pipe:read "*a" or ""
  if pipe then pipe:close() end
  return text:find "Open MPI" ~= nil or text:find "OpenRTE" ~= nil or text:find "PRTE" ~= nil
end

--- Options that let Open MPI start as many ranks as were asked for, each free to run on all processors: cuna shares
--- these out. It runs for root only if that is asked for twice.
local function open_mpi_options()
  if ffi.C.geteuid() == 0 then
    ffi.C.setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 0)
    ffi.C.setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 0)
  end
  return {"--oversubscribe", "--bind-to", "none"}
end

--- Replaces this process by a program.
local function become(words)
  local argv = ffi.new("char *[?]", #words + 1)
  local texts = {}
  for i, word in ipairs(words) do
    texts[i] = ffi.new("char[?]", #word + 1, word)
    argv[i - 1] = texts[i]
  end
  argv[#words] = nil
  ffi.C.execv(words[1], argv)
  return "cuna: " .. words[1] .. " cannot be run"
end

--- Runs a program, which ends when this process does; its exit status, or 128 and the signal that ended it.
local function run(words)
  local pid = ffi.C.fork()
  if pid < 0 then return nil, "cuna: no process can be started" end
  if pid == 0 then
    ffi.C.prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0)
    io.stderr:write(become(words), "\n")
    ffi.C._exit(1)
  end
  local status = ffi.new "int[1]"
  repeat until ffi.C.waitpid(pid, status, 0) == pid
  local signal = bit.band(status[0], 127)
  return signal > 0 and 128 + signal or bit.rshift(status[0], 8)
end

--- Runs a program, and again after each failure, at most `restarts` times; returns its last status, or what went wrong.
local function run_again(words, restarts)
  for count = 1, restarts + 1 do
    local status, problem = run(words)
    if not status or status == 0 or count > restarts or ENDED_BY_USER[status] then return status, problem end
    io.stderr:write(("cuna: the job ended with status %d; restart %d of %d\n"):format(status, count, restarts))
  end
end

local function is_count(value, least)
  return value ~= nil and value >= least and value <= MOST and value == math.floor(value)
end

--- Reads "-n 4 [--restarts 3] script.lua ..." or "-n4 ...": the number of ranks, that of restarts, and the rest.
---@param words string[]
---@return integer|nil count nil if something is not as it must be
---@return integer|nil restarts
---@return string[] rest
function M.read(words)
  local joined = words[1]:match "^%-n(.+)$"
  local count, at, restarts = tonumber(joined or words[2]), joined and 2 or 3, 0
  if words[at] == "--restarts" then restarts, at = tonumber(words[at + 1]), at + 2 end
  local rest = {unpack(words, at)}
  local is_right = is_count(count, 1) and is_count(restarts, 0) and rest[1] ~= nil
  return is_right and count or nil, restarts, rest
end

--- Runs the command line; returns what went wrong, or with restarts the exit status.
---@param launcher string the program that runs a script as one rank
---@param words string[]
---@return integer|nil status
---@return string|nil problem
function M.run(launcher, words)
  local count, restarts, script = M.read(words)
  if not count then return nil, "usage: cuna -n RANKS [--restarts COUNT] script.lua [arguments]" end
  local file = M.find()
  if not file then
    return nil, "cuna: -n needs the mpirun of an MPI, and there is none on the PATH: install openmpi-bin or mpich; "
      .. "several GPUs of one process need none: cn.distributed.group"
  end
  local command = {file, "-n", ("%d"):format(count)}
  for _, option in ipairs(is_open_mpi(file) and open_mpi_options() or {}) do command[#command + 1] = option end
  command[#command + 1] = launcher
  for _, word in ipairs(script) do command[#command + 1] = word end
  if restarts > 0 then return run_again(command, restarts) end
  return nil, become(command)
end

if ... ~= "cuna.tools.launch" then -- run as a script, not required
  local status, problem = M.run((...), {select(2, ...)})
  if problem then io.stderr:write(problem, "\n") end
  os.exit(status or 1)
end

return M
