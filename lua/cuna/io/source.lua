--- source.lua: what users name as files: paths, open files of Lua's io library, and {text = bytes}; arrays to write.
local check = require "cuna.base.check"
local core = require "cuna.core"

local M = {}

local fail = check.fail
local HOST = core.device "cpu"

--- Rejects paths with NUL bytes, which the system would cut.
function M.check_path(path, name)
  if path:find("\0", 1, true) then fail("%s: a path cannot contain NUL bytes", name) end
  return path
end

--- Opens a file for reading.
---@param source string|file*|table a path, an open file, or {text = bytes}
---@param name string the user's function, for messages
---@param update boolean|nil whether mappings may write to it
function M.open(source, name, update)
  check.dot(source, name)
  if source == nil then fail("%s: the file is missing", name) end
  if type(source) == "string" then return core.file_open(M.check_path(source, name), name, update) end
  if type(source) == "table" and type(source.text) == "string" and next(source, (next(source))) == nil then
    return core.file_open_text(source.text, name)
  end
  local file = core.file_open_handle(source, name)
  if not file then fail("%s: expected a path, an open file or {text = bytes}, got %s", name, check.show(source)) end
  return file
end

local function pass_on(file, ok, ...)
  if ok then return ... end
  file:close()
  error((...), 0)
end

--- Calls read(), passes its results on, and closes the file after an error.
function M.reading(file, read) return pass_on(file, pcall(read)) end

--- A path, with the suffix appended if it is missing, or an open file.
---@param suffix string "": none
function M.check_target(target, name, suffix)
  check.dot(target, name)
  if type(target) ~= "string" then
    if not core.file_open_handle(target, name) then
      fail("%s: expected a path or an open file, got %s", name, check.show(target))
    end
    return target
  end
  M.check_path(target, name)
  if suffix == "" or target:sub(-#suffix) == suffix or core.file_is_special(target) then return target end
  return target .. suffix
end

--- A value as an array to write; a value that is not an array is converted on the host.
function M.as_array(value, name)
  if core.is_array(value) then return core.check_alive(value, name) end
  check.dot(value, name)
  if value == nil then fail("%s: the array is missing", name) end
  return core.as_array(value, nil, HOST, name)
end

--- How a file is mapped for a mmap_mode; nil for nil.
function M.check_mapping(mode, name)
  local how = mode ~= nil and M.MAPPINGS[mode]
  if mode ~= nil and not how then
    fail("%s: mmap_mode is \"r\", \"r+\" or \"c\", got %s", name, check.show(mode))
  end
  return how or nil
end

M.MAPPINGS = {r = "read", c = "copy", ["r+"] = "write"}

return M
