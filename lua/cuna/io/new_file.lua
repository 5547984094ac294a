--- new_file.lua: atomic writing of files.
local core = require "cuna.core"

local M = {}

--- Calls write(file) with an open file. A regular file appears, or is replaced, after write has returned; if write
--- raises an error, the previous file is kept. In cn.prepare nothing is written, since arrays have no values.
---@param target string|file* a path or an open file
---@param name string the public function, for messages
---@param write function
function M.write(target, name, write)
  if core.is_preparing() then target = "/dev/null" end
  local file = type(target) == "string" and core.file_create(target, name) or core.file_open_handle(target, name)
  local ok, problem = pcall(write, file)
  if ok then file:commit() else file:close() end
  if not ok then error(problem, 0) end
end

--- Raises an error if a regular file cannot be written at a path; an existing file is kept.
function M.check(path, name)
  if not core.file_is_special(path) then core.file_create(path, name):close() end
end

return M
