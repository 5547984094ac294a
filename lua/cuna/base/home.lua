--- home.lua: where cuna's Lua files lie. Errors are never blamed on them, and documentation is read from them.
local M = {}

local FOLDER = "base/home%.lua$"

--- How debug.getinfo begins to name the source of one of cuna's functions.
M.source = debug.getinfo(1, "S").source:gsub(FOLDER, "")

--- The folder, with a slash at its end.
M.folder = M.source:gsub("^@", "")

--- The path of a file of cuna's in the folder, without its suffix; nil for other sources.
---@param source string as debug.getinfo has it
---@return string|nil file as in "linalg/solve"
function M.file(source)
  return source:sub(1, #M.source) == M.source and source:sub(#M.source + 1):match "^(.*)%.lua$" or nil
end

return M
