--- home.lua: the folder of cuna's Lua files. Errors are not reported at their lines; documentation is read from them.
local M = {}

local FOLDER = "base/home%.lua$"

--- The beginning of the source names that debug.getinfo returns for cuna's functions.
M.source = debug.getinfo(1, "S").source:gsub(FOLDER, "")

--- The folder, with a slash at its end.
M.folder = M.source:gsub("^@", "")

--- The path of one of cuna's files relative to the folder, without its suffix; nil for other sources.
---@param source string from debug.getinfo
---@return string|nil file such as "linalg/solve"
function M.file(source)
  return source:sub(1, #M.source) == M.source and source:sub(#M.source + 1):match "^(.*)%.lua$" or nil
end

return M
