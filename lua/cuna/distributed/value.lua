--- value.lua: Lua values as bytes, for other ranks: nil, booleans, numbers, strings, 64-bit integers, tables of them.
--
-- They travel as data, never as code: a letter for the type, then the bytes of the value. Tables have no cycles, and
-- lose their metatables.
local check = require "cuna.base.check"
local ffi = require "ffi"

local M = {}

local int64, uint64 = ffi.typeof "int64_t", ffi.typeof "uint64_t"
local MOST_DEPTH = 64

local write

local function write_eight(out, letter, ctype, value)
  out[#out + 1] = letter .. ffi.string(ffi.new(ctype, value), 8)
end

local function write_table(out, value, name, depth)
  if depth > MOST_DEPTH then
    check.fail("%s: tables are nested more than %d deep, or contain themselves", name, MOST_DEPTH)
  end
  out[#out + 1] = "{"
  for key, entry in pairs(value) do
    write(out, key, name, depth)
    write(out, entry, name, depth)
  end
  out[#out + 1] = "}"
end

local WRITERS = {
  ["nil"] = function(out) out[#out + 1] = "0" end,
  boolean = function(out, value) out[#out + 1] = value and "t" or "f" end,
  number = function(out, value) write_eight(out, "n", "double[1]", value) end,
  table = function(out, value, name, depth) write_table(out, value, name, depth + 1) end,
  string = function(out, value)
    write_eight(out, "s", "double[1]", #value)
    out[#out + 1] = value
  end,
}

function write(out, value, name, depth)
  local writer = WRITERS[type(value)]
  if writer and not (type(value) == "table" and getmetatable(value) ~= nil) then
    writer(out, value, name, depth)
  elseif ffi.istype(int64, value) then
    write_eight(out, "i", "int64_t[1]", value)
  elseif ffi.istype(uint64, value) then
    write_eight(out, "u", "uint64_t[1]", value)
  else
    check.fail("%s: expected nil, booleans, numbers, strings or plain tables of them, got %s", name, check.show(value))
  end
end

--- A value as text.
---@param value any
---@param name string for messages
---@return string
function M.pack(value, name)
  local out = {}
  write(out, value, name, 0)
  return table.concat(out)
end

local read

local function read_eight(text, at, ctype)
  local box = ffi.new(ctype)
  ffi.copy(box, text:sub(at, at + 7), 8)
  return box[0], at + 8
end

local READERS = {
  ["0"] = function(_, at) return nil, at end,
  t = function(_, at) return true, at end,
  f = function(_, at) return false, at end,
  n = function(text, at) return read_eight(text, at, "double[1]") end,
  i = function(text, at) return read_eight(text, at, "int64_t[1]") end,
  u = function(text, at) return read_eight(text, at, "uint64_t[1]") end,
  s = function(text, at)
    local length, first = read_eight(text, at, "double[1]")
    return text:sub(first, first + length - 1), first + length
  end,
  ["{"] = function(text, at)
    local value = {}
    while text:sub(at, at) ~= "}" do
      local key, entry
      key, at = read(text, at)
      entry, at = read(text, at)
      value[key] = entry
    end
    return value, at + 1
  end,
}

function read(text, at) return READERS[text:sub(at, at)](text, at + 1) end

--- The value of a text that M.pack made.
---@param text string
---@return any
function M.unpack(text) return (read(text, 1)) end

return M
