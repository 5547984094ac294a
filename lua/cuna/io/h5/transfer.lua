--- transfer.lua: elements between files and Lua: arrays, strings and lists of strings.
--
-- A call of HDF5 reads or writes through `move(type in memory, pointer)`, which is H5Dread, H5Dwrite, H5Aread or
-- H5Awrite with the rest of its arguments; `move` raises errors.
local ffi = require "ffi"

local check = require "cuna.base.check"
local core = require "cuna.core"
local datatype = require "cuna.io.h5.datatype"
local library = require "cuna.io.h5.library"

local M = {}

local fail = check.fail
local lib = library.lib
local HOST = core.device "cpu"

local function count_of(shape)
  local count = 1
  for k = 1, #shape do count = count * shape[k] end
  return count
end

--- A flat list as nested lists of a shape; the only element, where the shape is ().
local function nest(list, shape)
  if #shape == 0 then return list[1] end
  for axis = #shape, 2, -1 do
    local rows, length = {}, shape[axis]
    for first = 1, #list, math.max(length, 1) do rows[#rows + 1] = {unpack(list, first, first + length - 1)} end
    list = rows
  end
  return list
end

-- ---- reading ----

local function read_array(dtype, shape, move, label)
  local x = core.empty(shape, dtype, HOST, label)
  core.check_waiting(label) -- for what used the memory before
  if x.size > 0 then move(datatype.of(dtype), x:pointer()) end
  return x
end

-- Strings are read in the file's own type, because HDF5 does not convert between their sets of characters.

local function read_variable(count, type, move)
  local list, pointers = {}, ffi.new("char *[?]", math.max(count, 1))
  if count > 0 then move(type, pointers) end
  for k = 1, count do
    list[k] = pointers[k - 1] == nil and "" or ffi.string(pointers[k - 1])
    if pointers[k - 1] ~= nil then lib.H5free_memory(pointers[k - 1]) end
  end
  return list
end

local function read_fixed(count, size, type, move)
  local list, bytes, padding = {}, ffi.new("char[?]", math.max(count * size, 1)), datatype.padding(type)
  if count > 0 then move(type, bytes) end
  for k = 1, count do list[k] = ffi.string(bytes + (k - 1) * size, size):gsub(padding, "") end
  return list
end

--- Reads elements of a type in a file: an array on the host, or strings: one, or nested lists of a shape.
---@param type ffi.cdata* int64, of the file
---@param shape integer[]
---@param move function
---@param label string
function M.read(type, shape, move, label)
  local dtype = datatype.describe(type, label)
  if dtype ~= "string" then return read_array(dtype, shape, move, label) end
  local count, size = count_of(shape), datatype.fixed_size(type)
  return nest(size and read_fixed(count, size, type, move) or read_variable(count, type, move), shape)
end

-- ---- writing ----

--- Whether a value is a string or a list of strings.
local function is_text(value)
  return type(value) == "string" or type(value) == "table" and not core.is_array(value) and type(value[1]) == "string"
end

local function check_texts(list, label)
  for k = 1, #list do
    if type(list[k]) ~= "string" or list[k]:find("\0", 1, true) then
      fail("%s: entry %d is not a string without NUL bytes", label, k)
    end
  end
  return list
end

--- What a value is in a file: dtype ("string" too), shape, and the array on the host or the list of strings.
---@return table value
function M.prepare(value, dtype, label)
  if is_text(value) then
    local list = check_texts(type(value) == "string" and {value} or value, label)
    return {dtype = "string", shape = type(value) == "string" and {} or {#list}, list = list}
  end
  check.dot(value, label)
  core.check_waiting(label)
  if value == nil then fail("%s: the value is missing", label) end
  local x = core.as_array(value, dtype, HOST, label)
  if not x.flags.c_contiguous then x = core.cast(x, nil, label) end
  return {dtype = x.dtype, shape = x.shape, array = x}
end

--- Writes what M.prepare made.
function M.write(value, move)
  if value.array then
    if value.array.size > 0 then move(datatype.of(value.dtype), value.array:pointer()) end
    return
  end
  local pointers = ffi.new("const char *[?]", math.max(#value.list, 1))
  for k, text in ipairs(value.list) do pointers[k - 1] = text end
  if #value.list > 0 then move(datatype.of "string", pointers) end
end

return M
