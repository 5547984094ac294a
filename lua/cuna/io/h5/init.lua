--- init.lua: cn.h5: HDF5 files, as h5py reads and writes them, through the HDF5 library of the system. Loaded when it
--- is first named.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local library = require "cuna.io.h5.library"
local namespace = require "cuna.base.namespace"
local object = require "cuna.io.h5.object"
local source = require "cuna.io.source"
require "cuna.io.h5.group" -- adds its kind of objects

local M = {namespace = {}}
local F = M.namespace -- cn.h5

local fail = check.fail
local lib, using = library.lib, library.using

local READ, UPDATE, TRUNCATE, EXCLUSIVE = 0, 1, 2, 4 -- flags of H5Fopen and H5Fcreate
local MEMORY_STEP = 65536 -- bytes by which a file in memory grows
local STRONG = 3 -- closing a file closes what was opened in it

local function exists(path)
  local file = io.open(path, "rb")
  if file then file:close() end
  return file ~= nil
end

--- What opens a file in a mode, and its flags.
local MODES = {
  r = function() return "H5Fopen", READ end,
  ["r+"] = function() return "H5Fopen", UPDATE end,
  w = function() return "H5Fcreate", TRUNCATE end,
  x = function() return "H5Fcreate", EXCLUSIVE end,
  a = function(path) if exists(path) then return "H5Fopen", UPDATE end return "H5Fcreate", EXCLUSIVE end,
}
MODES["w-"] = MODES.x

local made_in_memory = 0

local function open_file(path, mode, on_disk, label)
  local call, flags = MODES[mode](path)
  if not on_disk and call == "H5Fcreate" then -- HDF5 compares the names of files in memory
    made_in_memory = made_in_memory + 1
    path = ("%s %d"):format(path, made_in_memory)
  end
  return using(lib.H5Pcreate(lib.H5P_CLS_FILE_ACCESS_ID_g), "H5Pclose", label, function(access)
    lib.H5Pset_fclose_degree(access, STRONG)
    if on_disk then lib.H5Pset_fapl_sec2(access) else lib.H5Pset_fapl_core(access, MEMORY_STEP, false) end
    if call == "H5Fopen" then
      return library.check(library.patiently(function() return lib.H5Fopen(path, flags, access) end), label)
    end
    local id = library.patiently(function() return lib.H5Fcreate(path, flags, 0, access) end)
    if id >= 0 then return id end
    collectgarbage() -- the file may be open still, though nothing refers to it
    collectgarbage()
    return library.check(lib.H5Fcreate(path, flags, 0, access), label)
  end)
end

local read_open = args.reader("h5.open", {"path", "mode", "driver"})

--- Opens an HDF5 file and returns its root, a group. Needs the HDF5 library, 1.10 or later (Debian's libhdf5-103-1).
--- The file is closed by f:close(), or when nothing of it is referenced any more. HDF5 writes in place: unlike other
--- files of cuna, one that is being written is not whole until it is closed. Follows h5py.File.
---@param path string
---@param mode string|nil "r" (default): read; "r+": read and write; "w": create or truncate; "x": create; "a": read and
---  write, create if it does not exist
---@param driver string|nil "core": the file is in memory; a new one is never written, the path is only its name
---@return cuna.H5Group
---@usage cn.h5.open("spec/golden/files/tree.h5")["runs/x"].dtype --> int64
---@usage cn.h5.open("spec/golden/files/tree.h5").attrs.version --> 2
---@usage cn.h5.open("x", "w", "core"):write("a", cn.ones(2)):read() --> [1. 1.]
function F.open(...)
  local path, mode, driver = read_open(...)
  mode = mode == nil and "r" or mode
  check.dot(path, "h5.open")
  if type(path) ~= "string" then fail("h5.open: expected a path, got %s", check.show(path)) end
  source.check_path(path, "h5.open")
  if not MODES[mode] then
    fail("h5.open: mode is \"r\", \"r+\", \"w\", \"x\" or \"a\", got %s", check.show(mode))
  end
  if driver ~= nil and driver ~= "core" then
    fail("h5.open: driver is \"core\" or nil, got %s", check.show(driver))
  end
  local label = ("h5.open: '%s'"):format(path)
  local on_disk = not (driver or core.is_preparing() and mode ~= "r") -- in cn.prepare arrays have no values to write
  local function close(id) return library.close_file(id, on_disk) end
  local file = {path = path, mode = mode, life = {is_open = true}, id = open_file(path, mode, on_disk, label)}
  file.handle, file.close = object.held(file.id, file.life, close), close
  return object.make(library.check(lib.H5Oopen(file.id, "/", 0), label), file, "/")
end

namespace.make("h5", F)

return M
