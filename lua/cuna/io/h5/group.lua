--- group.lua: groups of HDF5 files, of which the file itself is one: objects by name.
local ffi = require "ffi"

local args = require "cuna.base.args"
local check = require "cuna.base.check"
local dataset = require "cuna.io.h5.dataset"
local library = require "cuna.io.h5.library"
local object = require "cuna.io.h5.object"
local suggest = require "cuna.base.suggest"

local M = {}

local fail = check.fail
local lib, using = library.lib, library.using
local BY_NAME, RISING, UTF8, LOCAL = 0, 0, 1, 0

--- A group of an HDF5 file, or the file itself. g[name] opens what has this name: a cuna.H5Dataset or a cuna.H5Group;
--- g[name] = value writes a new dataset. Names may be paths. If a name is also that of a method or a field, use
--- g:get(name).
---@class cuna.H5Group
---@field name string path in the file
---@field attrs table attributes: g.attrs.unit reads one, g.attrs.unit = "m" sets it, nil deletes it
local methods = {}
M.methods = methods

local function state_of(g, method) return object.state(g, "group", method) end

local function check_name(state, name)
  if type(name) == "string" and name ~= "" and not name:find("\0", 1, true) then return name end
  fail("%s: the name of an object is a string, got %s", state.label, check.show(name))
end

--- The path of an object from the root.
local function path_of(state, name)
  if name:sub(1, 1) == "/" then return name end
  return (state.name == "/" and "/" or state.name .. "/") .. name
end

-- ---- what is there ----

--- The names in the group, sorted.
---@return string[]
---@usage table.concat(cn.h5.open("spec/golden/files/tree.h5"):keys(), " ") --> names runs title
function methods.keys(g)
  local state = state_of(g, "keys")
  local info, names = ffi.new "cuna_h5_group_info[1]", {}
  library.check(lib.H5Gget_info(state.id, info), state.label)
  for k = 1, tonumber(info[0].nlinks) do
    names[k] = library.text(state.label, function(buffer, size)
      return lib.H5Lget_name_by_idx(state.id, ".", BY_NAME, RISING, k - 1, buffer, size, 0)
    end)
  end
  return names
end

--- Whether the group has an object of this name, which may be a path.
---@param name string
---@return boolean
---@usage cn.h5.open("spec/golden/files/tree.h5"):has "runs/x" --> true
function methods.has(g, name)
  local state = state_of(g, "has")
  check_name(state, name)
  if name:find "^/+$" then return true end
  for at in (name .. "/"):gmatch "()/" do
    local part = name:sub(1, at - 1)
    if part ~= "" and lib.H5Lexists(state.id, part, 0) <= 0 then return false end
  end
  return true
end

--- Opens what has a name.
---@param name string a name or a path
---@return cuna.H5Group|cuna.H5Dataset
---@usage cn.h5.open("spec/golden/files/tree.h5"):get("runs").name --> /runs
function methods.get(g, name)
  local state = state_of(g, "get")
  if not methods.has(g, name) then
    local known = {}
    for _, key in ipairs(methods.keys(g)) do known[key] = true end
    fail("%s has no object '%s'%s", state.label, name, suggest.hint(name, known))
  end
  local id = library.check(lib.H5Oopen(state.id, name, 0), state.label)
  return object.make(id, state.file, path_of(state, name))
end

--- Reads a dataset, or a part of it: g:get(name):read(key).
---@param name string
---@param key any|nil
---@return cuna.Array|string|table
---@usage cn.h5.open("spec/golden/files/tree.h5"):read("runs/x", 2) --> [3 4 5]
---@usage cn.h5.open("spec/golden/files/tree.h5"):read "title" --> a tree
function methods.read(g, name, key)
  state_of(g, "read")
  local found = methods.get(g, name)
  local state = rawget(found, object.STATE)
  if state.noun == "group" then fail("%s is a group; g[name]:keys() lists it", state.label) end
  return dataset.methods.read(found, key)
end

--- An iterator over names and what they name.
---@return function
---@usage (function(n) for _ in cn.h5.open("spec/golden/files/tree.h5"):iter() do n = n + 1 end return n end)(0) --> 3
function methods.iter(g)
  state_of(g, "iter")
  local names, k = methods.keys(g), 0
  return function()
    k = k + 1
    if names[k] then return names[k], methods.get(g, names[k]) end
  end
end

--- All attributes by name: numbers, booleans, strings, lists of strings and arrays.
---@return table<string, any>
---@usage cn.h5.open("spec/golden/files/tree.h5"):attributes().version --> 2
function methods.attributes(g) return object.attributes(g, "group") end

-- ---- writing ----

--- Calls use(links): how links are made, with the groups on the way.
local function with_links(label, use)
  return using(lib.H5Pcreate(lib.H5P_CLS_LINK_CREATE_ID_g), "H5Pclose", label, function(links)
    lib.H5Pset_create_intermediate_group(links, 1)
    lib.H5Pset_char_encoding(links, UTF8)
    return use(links)
  end)
end

--- The state of a group to which an object of a name can be added.
local function check_new(g, name, method)
  local state = state_of(g, method)
  object.check_writable(state)
  if methods.has(g, check_name(state, name)) then
    fail("%s has '%s' already; delete it, or write to it: g[name]:write(value)", state.label, name)
  end
  return state, ("h5: '%s': '%s'"):format(state.file.path, path_of(state, name))
end

local read_write = args.reader("h5: write", {"g", "name", "value", "chunks", "compression", "compression_opts",
  "shuffle", "maxshape", "dtype"}, 3)

--- Writes a new dataset, with the groups on the way to it; g[name] = value does the same. Strings and lists of strings
--- are UTF-8 of varying lengths, bool is h5py's enumeration, complex numbers its compound of r and i. Synchronises.
--- Follows h5py.Group.create_dataset.
---@param name string a name or a path
---@param value cuna.Operand|string|string[]
---@param chunks integer[]|boolean|nil shape of the pieces that are stored, compressed and read as one; true: chosen
---@param compression string|integer|nil "gzip", or its level from 0 to 9
---@param compression_opts integer|nil the level of "gzip"; default 4
---@param shuffle boolean|nil whether bytes are sorted by their places in elements, which then compress better
---@param maxshape number|number[]|nil what d:resize may make of the shape; math.huge: anything
---@param dtype string|nil default: the value's
---@return cuna.H5Dataset
---@usage cn.h5.open("x", "w", "core"):write("a/b", cn.arange(3), {compression = "gzip"}).shape[1] --> 3
function methods.write(...)
  local g, name, value, chunks, compression, compression_opts, shuffle, maxshape, dtype = read_write(...)
  local state, label = check_new(g, name, "write")
  local options = {chunks = chunks, compression = compression, compression_opts = compression_opts, shuffle = shuffle,
    maxshape = maxshape, dtype = dtype}
  local id = with_links(label, function(links)
    return dataset.create(state.id, links, name, value, options, label)
  end)
  return object.make(id, state.file, path_of(state, name))
end

--- Makes a group, with those on the way to it.
---@param name string a name or a path
---@return cuna.H5Group
---@usage cn.h5.open("x", "w", "core"):create_group("a/b").name --> /a/b
function methods.create_group(g, name)
  local state, label = check_new(g, name, "create_group")
  local id = with_links(label, function(links) return lib.H5Gcreate2(state.id, name, links, 0, 0) end)
  return object.make(library.check(id, label), state.file, path_of(state, name))
end

--- Deletes what has a name. The file keeps its size; new objects use the room.
---@param name string
---@usage (function(f) f.a = 1; f:delete "a"; return f:has "a" end)(cn.h5.open("x", "w", "core")) --> false
function methods.delete(g, name)
  local state = state_of(g, "delete")
  object.check_writable(state)
  if not methods.has(g, name) then fail("%s has no object '%s'", state.label, name) end
  library.check(lib.H5Ldelete(state.id, name, 0), state.label)
end

--- Writes what HDF5 keeps in memory to the file.
---@usage cn.h5.open("x", "w", "core"):flush() -->
function methods.flush(g)
  local state = state_of(g, "flush")
  library.check(lib.H5Fflush(state.id, LOCAL), state.label)
end

--- Closes the file and all that was opened in it; arrays that were read remain valid.
---@usage cn.h5.open("spec/golden/files/tree.h5"):close() -->
function methods.close(g)
  local state = state_of(g, "close")
  if state.name ~= "/" then fail("%s: close: only the file is closed", state.label) end
  local file = state.file
  file.life.is_open = false
  library.check(lib.H5Oclose(state.id), state.label)
  library.check(file.close(file.id), state.label)
end

-- ---- objects ----

local metatable = {__metatable = "cuna group"}

function metatable.__index(g, key)
  if methods[key] then return methods[key] end
  if key == "attrs" then return object.attrs(g) end
  if key == "name" then return state_of(g, "name").name end
  return methods.get(g, key)
end

function metatable.__newindex(g, key, value) methods.write(g, key, value) end

function metatable.__tostring(g)
  local state = state_of(g, "tostring")
  return ("group '%s' of '%s': %s"):format(state.name, state.file.path, table.concat(methods.keys(g), ", "))
end

object.add_kind(object.GROUP, "group", function(state)
  return setmetatable({[object.STATE] = state}, metatable)
end)

return M
