--- gnuplot.lua: runs gnuplot on a script, in a folder of its own.
--
-- gnuplot reads a script and files of numbers that lie in a new folder, and writes the picture to its standard output,
-- so it never gets a path of the user's. Its own message is the error. Texts are quoted: between single quotes gnuplot
-- looks for nothing but quotes, which stand between double quotes then ('' would be one, but not where a text begins).
local check = require "cuna.base.check"
local ffi = require "ffi"

local M = {command = "gnuplot"}

ffi.cdef "char *mkdtemp(char *template);"

local fail = check.fail

--- A text as gnuplot's expression.
---@param text string
---@return string
function M.quote(text)
  local lines = {}
  for line in (text .. "\n"):gmatch "(.-)\n" do
    lines[#lines + 1] = "'" .. line:gsub("[%z\1-\31\127]", " "):gsub("'", [['."'".']]) .. "'"
  end
  return table.concat(lines, '."\\n".')
end

local function shell_quote(text) return "'" .. text:gsub("'", "'\\''") .. "'" end

local function read_all(path)
  local file = io.open(path, "rb")
  local text = file and file:read "*a" or ""
  if file then file:close() end
  return text
end

local function write_all(path, text, name)
  local file, problem = io.open(path, "wb")
  local done = file and file:write(text) and file:close()
  if not done then fail("%s: cannot write for gnuplot: %s", name, problem or path) end
end

local function make_folder(name)
  local template = (os.getenv "TMPDIR" or "/tmp") .. "/cuna-plot-XXXXXX"
  local buffer = ffi.new("char[?]", #template + 1, template)
  if ffi.C.mkdtemp(buffer) == nil then fail("%s: cannot make a folder %s: %s", name, template, "see TMPDIR") end
  return ffi.string(buffer)
end

local function output_of(command)
  local pipe = assert(io.popen(command, "r"))
  local text = pipe:read "*a"
  pipe:close()
  return text
end

local function check_installed(name)
  if output_of("command -v " .. shell_quote(M.command) .. " 2>/dev/null") == "" then
    fail("%s: plots need gnuplot, which is not found; Debian's package is gnuplot-nox (gnuplot-qt has windows)", name)
  end
end

--- The lines of gnuplot's message that say something, as one.
local function message_of(text)
  local lines = {}
  for line in text:gmatch "[^\n]+" do
    local said = line:gsub('^%s*"script",? line %d+: ', ""):gsub("^%s+", ""):gsub("^gnuplot: ", "")
    if said:find "%S" and not said:find "^%^" and not line:find "^gnuplot> " then lines[#lines + 1] = said end
  end
  return lines[#lines] or "gnuplot failed without a message"
end

local function remedy_of_window()
  local screen = os.getenv "DISPLAY" or os.getenv "WAYLAND_DISPLAY"
  return "; there is no window on the screen " .. screen
    .. ", and without DISPLAY and WAYLAND_DISPLAY show writes characters"
end

-- The process of a window that stays open would keep the pipe open, too. The terminal x11 reports no failure.
local function run_in(folder, has_window, name)
  local words = has_window and "-persist script >/dev/null" or "script"
  local picture = output_of(("cd %s && { %s -d %s 2>errors; echo $? >status; }"):format(shell_quote(folder),
    shell_quote(M.command), words))
  local said = read_all(folder .. "/errors")
  if tonumber(read_all(folder .. "/status")) ~= 0 or has_window and said:find "unable to open display" then
    fail("%s: gnuplot: %s%s", name, message_of(said):gsub("%.$", ""), has_window and remedy_of_window() or "")
  end
  return picture
end

--- Runs a script; returns what gnuplot writes to its standard output.
---@param script string
---@param files table<string, string> contents of the files that the script reads, by name
---@param name string the user's function
---@param has_window boolean|nil whether the script opens a window, which stays when gnuplot ends
---@return string
function M.run(script, files, name, has_window)
  check_installed(name)
  local folder = make_folder(name)
  local ok, result = pcall(function()
    for file, text in pairs(files) do write_all(folder .. "/" .. file, text, name) end
    write_all(folder .. "/script", script, name)
    return run_in(folder, has_window, name)
  end)
  for file in pairs(files) do os.remove(folder .. "/" .. file) end
  for _, file in ipairs {"script", "errors", "status"} do os.remove(folder .. "/" .. file) end
  os.remove(folder)
  if not ok then error(result, 0) end
  return result
end

--- The first of gnuplot's terminals that open windows, or nil: it may have none, and the user no screen.
---@return string|nil
function M.window(name)
  if not (os.getenv "DISPLAY" or os.getenv "WAYLAND_DISPLAY") then return nil end
  check_installed(name)
  local terminals = " " .. output_of(shell_quote(M.command) .. " -d -e 'print GPVAL_TERMINALS' 2>&1") .. " "
  for _, terminal in ipairs {"qt", "wxt", "x11"} do
    if terminals:find("%s" .. terminal .. "%s") then return terminal end
  end
end

return M
