--- launch.lua: `build/cuna -n 4 script.lua`: runs a script as several ranks, under the launcher of an MPI.
--
-- The launcher is the first on the PATH of those below, whatever MPI it is of: the ranks open the library that belongs
-- to it. This process becomes the launcher, so signals and the exit status are its own.
local ffi = require "ffi"

ffi.cdef [[
int execv(const char *path, char *const argv[]);
int setenv(const char *name, const char *value, int overwrite);
int access(const char *path, int mode);
unsigned geteuid(void);
]]

local M = {}

local NAMES = {"mpirun", "mpiexec", "mpiexec.hydra", "mpirun.openmpi", "mpirun.mpich"}
local EXECUTABLE = 1 -- X_OK
local MOST = 1e6

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

--- Reads "-n 4 script.lua ..." or "-n4 script.lua ...": the number, and the rest.
---@param words string[]
---@return integer|nil, string[]
function M.read(words)
  local joined = words[1]:match "^%-n(.+)$"
  local count = tonumber(joined or words[2])
  local rest = {unpack(words, joined and 2 or 3)}
  if not count or count < 1 or count > MOST or count ~= math.floor(count) then count = nil end
  return count, rest
end

--- Runs the command line; returns what went wrong.
---@param launcher string the program that runs a script as one rank
---@param words string[]
---@return string problem
function M.run(launcher, words)
  local count, script = M.read(words)
  if not count or not script[1] then return "usage: cuna -n RANKS script.lua [arguments]" end
  local file = M.find()
  if not file then
    return "cuna: -n needs the mpirun of an MPI, and there is none on the PATH: install openmpi-bin or mpich"
  end
  local command = {file, "-n", ("%d"):format(count)}
  for _, option in ipairs(is_open_mpi(file) and open_mpi_options() or {}) do command[#command + 1] = option end
  command[#command + 1] = launcher
  for _, word in ipairs(script) do command[#command + 1] = word end
  return become(command)
end

if ... ~= "cuna.tools.launch" then -- run as a script, not required
  io.stderr:write(M.run((...), {select(2, ...)}), "\n")
  os.exit(1)
end

return M
