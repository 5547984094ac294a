--- folder.lua: folders of plain files: made, listed, renamed, removed.
local check = require "cuna.base.check"
local ffi = require "ffi"

local M = {}

ffi.cdef [[
typedef struct { uint64_t ino; int64_t off; unsigned short reclen; unsigned char type; char name[256]; } cuna_entry;
int mkdir(const char *path, unsigned mode);
int rmdir(const char *path);
void *opendir(const char *path);
cuna_entry *readdir(void *folder);
int closedir(void *folder);
char *strerror(int number);
]]

local ENOENT, EEXIST = 2, 17

local function fail_system(what, path)
  check.fail("cannot %s '%s': %s", what, path, ffi.string(ffi.C.strerror(ffi.errno())))
end

--- Makes a folder that is not there.
function M.make(path)
  if ffi.C.mkdir(path, 511) ~= 0 and ffi.errno() ~= EEXIST then fail_system("make the folder", path) end
end

--- The names in a folder, in no order; nil where it is not there.
---@return string[]|nil
function M.names(path)
  local folder, names = ffi.C.opendir(path), {}
  if folder == nil then
    if ffi.errno() ~= ENOENT then fail_system("read the folder", path) end
    return nil
  end
  while true do
    local entry = ffi.C.readdir(folder)
    if entry == nil then break end
    local name = ffi.string(entry.name)
    if name ~= "." and name ~= ".." then names[#names + 1] = name end
  end
  ffi.C.closedir(folder)
  return names
end

--- Removes a folder and its files, if it is there.
function M.remove(path)
  for _, name in ipairs(M.names(path) or {}) do
    local ok, problem = os.remove(path .. "/" .. name)
    if not ok then check.fail("cannot remove '%s'", problem) end
  end
  if ffi.C.rmdir(path) ~= 0 and ffi.errno() ~= ENOENT then fail_system("remove the folder", path) end
end

--- Renames what is there; the new name must not be.
function M.rename(old, new)
  local ok, problem = os.rename(old, new)
  if not ok then check.fail("cannot rename '%s'", problem) end
end

return M
