--- command.lua: the command `cuna` with options of its own, or without a script: -e, -i, --version, --help, the prompt.
--
-- The launcher runs all other command lines by LuaJIT alone. Code of -e, a script after it and the prompt share their
-- globals, among them `cn`.
local ffi = require "ffi"

ffi.cdef "int isatty(int fd);"

local M = {}

local USAGE = [=[
usage: cuna [-e code]... [-i] [script.lua [arguments]]
       cuna -n RANKS script.lua [arguments]
       cuna doctor

  -e code        run code, in which cn is cuna
  -i             go on with a prompt
  -n RANKS       run the script as several processes, under an MPI
  doctor         report what works on this machine, and what is missing
  -v, --version  print the version
  -h, --help     print this

Without a script: a prompt, or the script that the standard input has. Other options are LuaJIT's.
]=]

--- Reads a command line.
---@param words string[]
---@return table|nil command {codes, is_interactive, prints: "version" or "help", script: words from the script on}
---@return string|nil problem
function M.read(words)
  local command, k = {codes = {}}, 1
  while words[k] and words[k]:find "^%-." do
    local word = words[k]
    if word == "-i" then
      command.is_interactive = true
    elseif word == "-v" or word == "--version" then
      command.prints = "version"
    elseif word == "-h" or word == "--help" then
      command.prints = "help"
    elseif word:find "^%-e" then
      if word == "-e" then k = k + 1 end
      local code = word == "-e" and words[k] or word:sub(3)
      if code == "" then return nil, "-e needs code" end
      command.codes[#command.codes + 1] = code
    else
      return nil, ("unknown option %s after -e or -i"):format(word)
    end
    k = k + 1
  end
  if words[k] and words[k] ~= "" then command.script = {unpack(words, k)} end
  return command
end

--- Runs a chunk as LuaJIT runs a script; an error ends the process, unless a prompt follows.
local function run(command, chunk, problem, ...)
  local ran = chunk ~= nil
  if chunk then ran, problem = xpcall(chunk, debug.traceback, ...) end
  if ran then return end
  io.stderr:write("cuna: ", tostring(problem), "\n")
  if not command.is_interactive then os.exit(1, true) end
end

local function run_script(command)
  local words = command.script
  rawset(_G, "arg", {[0] = words[1], unpack(words, 2)})
  local chunk, problem = loadfile(words[1] ~= "-" and words[1] or nil)
  run(command, chunk, problem, unpack(words, 2))
end

--- Runs a command line.
---@param words string[]
function M.run(words)
  local command, problem = M.read(words)
  if not command then
    io.stderr:write("cuna: ", problem, "\n", USAGE)
    os.exit(1, true)
  elseif command.prints == "help" then
    return io.write(USAGE)
  end
  local cn = require "cuna"
  rawset(_G, "cn", cn)
  if command.prints == "version" then
    return print(("cuna %s on %s, %s"):format(cn._VERSION, jit.version, jit.arch))
  end
  for _, code in ipairs(command.codes) do
    require("cuna.jit.source").keep("=(command line)", code) -- kernels need the text of their functions
    run(command, loadstring(code, "=(command line)"))
  end
  local is_bare = not command.script and not command.codes[1] and not command.is_interactive
  if is_bare and ffi.C.isatty(0) == 0 then command.script = {"-"} end
  if command.script then run_script(command) end
  if command.is_interactive or is_bare and not command.script then require("cuna.prompt.loop").start() end
end

if ... ~= "cuna.tools.command" then M.run {...} end -- run as a script, not required

return M
