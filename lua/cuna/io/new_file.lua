--- new_file.lua: files that are written: whole or not at all.
local core = require "cuna.core"

local M = {}

--- Calls write(file) with a file to be written. A plain one appears, or is replaced, when write has returned; when it
--- raises, what was there stays. A rehearsal (cn.prepare) computes nothing that could be written.
---@param target string|file* a path or an open file
---@param name string the user's function, for messages
---@param write function
function M.write(target, name, write)
  if core.is_preparing() then target = "/dev/null" end
  local file = type(target) == "string" and core.file_create(target, name) or core.file_open_handle(target, name)
  local ok, problem = pcall(write, file)
  if ok then file:commit() else file:close() end
  if not ok then error(problem, 0) end
end

--- Raises when a plain file cannot be written at a path; the file that is there stays.
function M.check(path, name)
  if not core.file_is_special(path) then core.file_create(path, name):close() end
end

return M
