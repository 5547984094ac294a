--- terminal.lua: whether a descriptor is a terminal, and how wide it is.
local ffi = require "ffi"

ffi.cdef [[
struct cuna_window_size { unsigned short rows, columns, width, height; };
int ioctl(int fd, unsigned long request, ...);
int isatty(int fd);
]]

local M = {STDOUT = 1, STDERR = 2}

local GET_WINDOW_SIZE = 0x5413 -- TIOCGWINSZ

--- Whether a descriptor is a terminal.
---@param fd integer
---@return boolean
function M.is_terminal(fd) return ffi.C.isatty(fd) == 1 end

--- Columns and rows of a terminal; 80 and 24 where they are not known.
---@param fd integer
---@return integer columns
---@return integer rows
function M.size(fd)
  local size = ffi.new "struct cuna_window_size[1]"
  if ffi.C.ioctl(fd, GET_WINDOW_SIZE, size) ~= 0 or size[0].columns == 0 or size[0].rows == 0 then return 80, 24 end
  return size[0].columns, size[0].rows
end

return M
