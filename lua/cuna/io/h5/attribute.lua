--- attribute.lua: attributes of groups and datasets: numbers, booleans, strings and arrays by name.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local datatype = require "cuna.io.h5.datatype"
local library = require "cuna.io.h5.library"
local space = require "cuna.io.h5.space"
local transfer = require "cuna.io.h5.transfer"

local M = {}

local fail = check.fail
local lib = library.lib
local BY_NAME, RISING = 0, 0

local function check_name(name, label)
  if type(name) == "string" and name ~= "" and not name:find("\0", 1, true) then return name end
  fail("%s: the name of an attribute is a string, got %s", label, check.show(name))
end

--- The value of an attribute that is open: an array on the current device, a number, a boolean, a string or strings.
local function read_open(attribute, label)
  local shape = library.using(lib.H5Aget_space(attribute), "H5Sclose", label, function(id)
    return space.shape(id, label)
  end)
  local value = library.using(lib.H5Aget_type(attribute), "H5Tclose", label, function(type)
    return transfer.read(type, shape, function(memory, data)
      library.check(lib.H5Aread(attribute, memory, data), label)
    end, label)
  end)
  if not core.is_array(value) then return value end
  if #shape == 0 then return value:item() end
  return core.as_array(value, nil, args.namespace.device(), label)
end

--- The value of an attribute of an object; nil if there is none.
function M.read(object, name, label)
  label = ("%s: attribute '%s'"):format(label, check_name(name, label))
  if library.check(lib.H5Aexists(object, name), label) == 0 then return nil end
  return library.using(lib.H5Aopen(object, name, 0), "H5Aclose", label, function(attribute)
    return read_open(attribute, label)
  end)
end

--- All attributes of an object by name. Their number is not asked for: how it is depends on the library's version.
function M.read_all(object, label)
  local all, n = {}, 0
  while true do
    local attribute = lib.H5Aopen_by_idx(object, ".", BY_NAME, RISING, n, 0, 0)
    if attribute < 0 then return all end
    library.using(attribute, "H5Aclose", label, function()
      local name = library.text(label, function(buffer, size) return lib.H5Aget_name(attribute, size, buffer) end)
      all[name] = read_open(attribute, ("%s: attribute '%s'"):format(label, name))
    end)
    n = n + 1
  end
end

--- Numbers of Lua that are whole are int64, as Python's are.
local function dtype_of(value)
  local is_whole = type(value) == "number" and value == math.floor(value) and math.abs(value) <= 2 ^ 53
  return is_whole and "int64" or nil
end

--- Sets an attribute of an object; nil deletes it.
function M.write(object, name, value, label)
  label = ("%s: attribute '%s'"):format(label, check_name(name, label))
  local made = value ~= nil and transfer.prepare(value, dtype_of(value), label)
  if library.check(lib.H5Aexists(object, name), label) > 0 then
    library.check(lib.H5Adelete(object, name), label)
  end
  if not made then return end
  library.using(space.make(made.shape), "H5Sclose", label, function(shape)
    local attribute = lib.H5Acreate2(object, name, datatype.of(made.dtype), shape, 0, 0)
    library.using(attribute, "H5Aclose", label, function()
      transfer.write(made, function(memory, data) library.check(lib.H5Awrite(attribute, memory, data), label) end)
    end)
  end)
end

return M
