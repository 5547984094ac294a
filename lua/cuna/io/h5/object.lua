--- object.lua: what groups and datasets have in common: their identifier, their place in a file, their attributes.
--
-- Identifiers are closed when their objects are collected. A file that is closed closes all that was opened in it; its
-- life then says so, and objects of it raise errors.
local ffi = require "ffi"

local attribute = require "cuna.io.h5.attribute"
local check = require "cuna.base.check"
local library = require "cuna.io.h5.library"

local M = {}

local fail = check.fail
local lib = library.lib

M.STATE = {} -- the key of an object's state, which differs from all names
M.GROUP, M.DATASET = 2, 5 -- of H5Iget_type
local STATE = M.STATE

local methods = {}
M.methods = methods

--- The state of an object that is open: id, file (with is_open and path), name, label.
---@param noun string "group" or "dataset"
function M.state(object, noun, method)
  local state = type(object) == "table" and rawget(object, STATE)
  if not state or noun and state.noun ~= noun then
    fail("%s: a function of a %s is called with a colon: %s:%s()", method, noun or "group", noun or "group", method)
  end
  if not state.file.life.is_open then fail("h5: '%s': the file is closed", state.file.path) end
  return state
end

--- A handle that closes an identifier when it is collected, unless the file is closed before. The finalizer must not
--- reach what has the handle: that would keep both alive.
---@param life table is_open: whether the file is open
---@param close fun(id: ffi.cdata*)
function M.held(id, life, close)
  return ffi.gc(ffi.new("int64_t[1]", id), function(box)
    if life.is_open then close(box[0]) end
  end)
end

local kinds = {} -- makers by H5Iget_type; group.lua and dataset.lua add theirs

--- Names the maker of objects of a kind: make(state) returns the object.
function M.add_kind(kind, noun, make) kinds[kind] = {noun = noun, make = make} end

--- The object of an identifier, which it closes.
---@param id ffi.cdata* int64
---@param file table
---@param name string its path in the file
function M.make(id, file, name)
  local kind = kinds[lib.H5Iget_type(id)]
  if not kind then
    lib.H5Oclose(id)
    fail("h5: '%s': '%s' is neither a group nor a dataset", file.path, name)
  end
  local state = {id = id, handle = M.held(id, file.life, lib.H5Oclose), file = file, name = name, noun = kind.noun}
  state.label = ("h5: '%s': '%s'"):format(file.path, name)
  return kind.make(state)
end

--- Rejects writing to a file that is open for reading.
function M.check_writable(state)
  if state.file.mode == "r" then
    fail("%s: the file is open for reading; open it with mode \"r+\"", state.label)
  end
end

-- ---- attributes ----

--- The attributes of an object: obj.attrs.name reads one, nil if there is none, and obj.attrs.name = value sets it.
local attrs_metatable = {
  __index = function(attrs, name)
    local state = M.state(rawget(attrs, STATE), nil, "attrs")
    return attribute.read(state.id, name, state.label)
  end,
  __newindex = function(attrs, name, value)
    local state = M.state(rawget(attrs, STATE), nil, "attrs")
    M.check_writable(state)
    attribute.write(state.id, name, value, state.label)
  end,
}

function M.attrs(object) return setmetatable({[STATE] = object}, attrs_metatable) end

--- All attributes by name.
---@param noun string "group" or "dataset"
function M.attributes(object, noun)
  local state = M.state(object, noun, "attributes")
  return attribute.read_all(state.id, state.label)
end

return M
