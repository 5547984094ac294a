--- Scripts that run in processes of their own, with folders and an environment of their own.
local M = {}

local build = os.getenv("CUNA_BUILD") or "build"

local function output_of(command)
  local pipe = assert(io.popen(command))
  local text = pipe:read("*a")
  pipe:close()
  return text
end

M.root = output_of("pwd"):gsub("\n$", "")
M.launcher = M.root .. "/" .. build .. "/cuna"
M.build = M.root .. "/" .. build

--- A word of a shell command that means `text` and nothing else.
function M.quote(text) return "'" .. text:gsub("'", "'\\''") .. "'" end

--- Whether the specs run on a build with sanitizers.
M.is_sanitized = (os.getenv("ASAN_OPTIONS") or "") ~= ""

--- Settings of a process that ends without freeing what it has, and what goes before a command that runs other programs
-- besides cuna: these may leak.
M.leak_settings = M.is_sanitized and {ASAN_OPTIONS = os.getenv "ASAN_OPTIONS" .. ":detect_leaks=0"} or {}
M.unleaking = M.is_sanitized and ("ASAN_OPTIONS=%s:detect_leaks=0 "):format(os.getenv "ASAN_OPTIONS") or ""

--- Runs a shell command in which cuna runs; what it wrote to both outputs, and its exit status (128 + n when signal n
--- ended it).
function M.capture(command)
  local text = output_of("( " .. command .. " ) 2>&1; printf '\\n%d' $?")
  local output, status = text:match("^(.*)\n(%d+)$")
  return output, tonumber(status)
end

--- Runs a shell command of tools alone, which no sanitizer is to watch; results as above.
function M.shell(command) return M.capture("unset LD_PRELOAD; " .. command) end

--- The objects that the build has of the sources in folders, and of the texts of kernels, for a shell.
---@param folders string as in "runtime"
function M.objects(folders)
  local sources = ("$(find %s -name '*.c' | sed 's|^\\(.*\\)c$|%s/obj/\\1o|')"):format(folders, M.build)
  return ("%s %s/text/texts.o %s/text/version.o"):format(sources, M.build, M.build)
end

--- A new empty folder in `place`, or where temporary files are; M.remove takes it away.
function M.folder(place)
  return (output_of("mktemp -d" .. (place and " -p " .. M.quote(place) or "")):gsub("\n$", ""))
end

function M.remove(folder) os.execute("chmod -R u+rwx " .. M.quote(folder) .. "; rm -rf " .. M.quote(folder)) end

function M.write(path, text)
  local file = assert(io.open(path, "wb"))
  file:write(text)
  file:close()
end

function M.read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read("*a")
  file:close()
  return text
end

local function assignments(environment)
  local words = {}
  for name, value in pairs(environment or {}) do
    words[#words + 1] = value == false and "-u " .. name or name .. "=" .. M.quote(value)
  end
  table.sort(words, function(a, b) return a:sub(1, 2) == "-u" and b:sub(1, 2) ~= "-u" end)
  return table.concat(words, " ")
end

--- The command that runs a script file; false as a variable's value takes it out of the environment.
function M.command(path, environment)
  return "env " .. assignments(environment) .. " " .. M.quote(M.launcher) .. " " .. M.quote(path)
end

--- Runs a script's text, as the file child_spec.lua: output and exit status, as above.
function M.run(script, environment)
  local folder = M.folder()
  M.write(folder .. "/child_spec.lua", script)
  local text, status = M.capture(M.command(folder .. "/child_spec.lua", environment))
  M.remove(folder)
  return text, status
end

--- Runs a script that must end well; its output.
function M.must_run(script, environment)
  local text, status = M.run(script, environment)
  assert(status == 0, ("exit status %d: %s"):format(status, text))
  return text
end

--- The sanitizers of the build, which its kernels have too, as an option of compilers; "" of a usual one.
function M.sanitizers() return (os.getenv "CUNA_CPU_FLAGS" or ""):match "%-fsanitize=address%S*" or "" end

return M
