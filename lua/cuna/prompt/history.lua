--- history.lua: the lines of earlier prompts, in a file of the user's: one line each, the latest last.
--
-- A line is written when it is entered, so that nothing is lost however the process ends, and prompts that run side by
-- side keep their lines. A file of more than twice the lines that are kept is cut when it is read.
local ffi = require "ffi"

ffi.cdef [[
int mkdir(const char *path, unsigned mode);
unsigned umask(unsigned mask);
]]

local M = {}

local KEPT = 1000
local OWNER_ONLY = 63 -- 077: what others may not

--- Makes the folders of a path that are missing.
local function make_folders(path)
  for place in path:gmatch "()/" do
    if place > 1 then ffi.C.mkdir(path:sub(1, place - 1), 448) end -- 0700
  end
end

--- Opens a file that only its owner may read if it is made.
local function open(path, mode)
  local before = ffi.C.umask(OWNER_ONLY)
  local file, problem = io.open(path, mode)
  ffi.C.umask(before)
  return file, problem
end

--- Where histories are; nil without a home.
---@return string|nil
function M.path()
  local state, home = os.getenv "XDG_STATE_HOME", os.getenv "HOME"
  if state and state:sub(1, 1) == "/" then return state .. "/cuna/history" end
  return home and home ~= "" and home .. "/.local/state/cuna/history" or nil
end

local function read(path)
  local lines, file = {}, io.open(path, "r")
  if not file then return lines end
  for line in file:lines() do lines[#lines + 1] = line end
  file:close()
  return lines
end

--- Opens a history, and cuts it if it is long.
---@param path string|nil
---@return string[] lines
---@return fun(line: string): string|nil add keeps a line; returns what went wrong, once
function M.open(path)
  local lines, complained = {}, false
  if path then
    make_folders(path)
    lines = read(path)
  end
  local is_long = #lines > 2 * KEPT
  if #lines > KEPT then lines = {unpack(lines, #lines - KEPT + 1)} end
  local function write(mode, text)
    local file, problem
    if path then file, problem = open(path, mode) end
    if file then
      file:write(text)
      file:close()
    elseif path and not complained then
      complained = true
      return "history is not kept: " .. problem
    end
  end
  if is_long then write("w", table.concat(lines, "\n") .. "\n") end
  return lines, function(line) return write("a", line .. "\n") end
end

return M
