--- frombuffer.lua: arrays of bytes that lie elsewhere: Lua strings, FFI arrays and pointers.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local dtype_facts = require "cuna.base.dtype_facts"
local dtype_rules = require "cuna.base.dtype_rules"
local ffi = require "ffi"

local M = {functions = {}}
local F = M.functions

local fail = check.fail

local size_of = dtype_facts.size_of

local ELEMENTS = {
  bool = "bool", int8_t = "int8", int16_t = "int16", int32_t = "int32", int64_t = "int64", uint8_t = "uint8",
  uint16_t = "uint16", uint32_t = "uint32", uint64_t = "uint64", float = "float32", double = "float64",
  ["complex float"] = "complex64", ["complex double"] = "complex128",
}

-- LuaJIT prints a type one way however it was spelled (long, size_t, int64_t): its own spelling is the key. char is the
-- same as int8_t on x86-64, and as uint8_t on arm64.
local dtype_of_ctype = {}
for element, dtype in pairs(ELEMENTS) do
  dtype_of_ctype[tostring(ffi.typeof(element)):match "^ctype<(.*)>$"] = dtype
end

--- "const int (&)[3]" is an array of int: qualifiers and references do not matter. ffi.typeof is only asked where a
--- metatype prints otherwise: under busted it keeps what it was asked about alive for good.
local function spelling_of(source)
  local text = tostring(source):match "^cdata<(.*)>: " or tostring(ffi.typeof(source)):match "^ctype<(.*)>$"
  return (text:gsub("const ", ""):gsub("volatile ", ""):gsub("%(&%)", ""):gsub("&", ""):gsub("%s+$", ""))
end

--- The dtype of an FFI object's elements (nil if cuna has no such dtype), and its size in bytes (nil for pointers).
local function describe(source)
  local text = spelling_of(source)
  local pointed = text:match "^(.-)%s*%*$"
  if pointed then return dtype_of_ctype[pointed] end
  local element = text:match "^(.-)%s*%[[%d%[%]?]*%]$"
  if element then return dtype_of_ctype[element], ffi.sizeof(source) end
  if text:find "^struct " or text:find "^union " then return nil, ffi.sizeof(source) end
  fail("frombuffer: expected a string, an FFI array or a pointer, got %s", text)
end

local function address_of(source) return tonumber(ffi.cast("uintptr_t", ffi.cast("const void *", source))) end

local function is_const(source) return tostring(source):find("const ", 1, true) ~= nil end

--- How many elements to take from `nbytes` after `offset`.
local function count_elements(count, nbytes, offset, dtype)
  local room = nbytes and nbytes - offset
  if room and room < 0 then fail("frombuffer: offset %d is beyond the buffer's %d bytes", offset, nbytes) end
  if count == nil or count == -1 then
    if not room then fail "frombuffer: a pointer has no length; give count" end
    if room % size_of[dtype] ~= 0 then
      fail("frombuffer: %d bytes are not a whole number of %s elements", room, dtype)
    end
    return room / size_of[dtype]
  end
  count = check.count(count, "frombuffer", "count")
  if room and count * size_of[dtype] > room then
    fail("frombuffer: %d elements of %s need %d bytes, and there are %d", count, dtype, count * size_of[dtype], room)
  end
  return count
end

local read_frombuffer = args.reader("frombuffer", {"source", "dtype", "count", "offset", "copy"})

--- A 1-d array of the bytes of a Lua string, an FFI array or struct, or a pointer. It is a copy, unless copy = false
--- shares the memory of an FFI object on the cpu device: the array and its views then keep that object alive, and are
--- read-only where it is const. What a pointer points to must stay alive by itself. Follows numpy.frombuffer.
---@param source string|ffi.cdata*
---@param dtype string|nil default: the FFI array's own, else the default float
---@param count integer|nil elements; nil or -1: all
---@param offset integer|nil bytes to skip
---@param copy boolean|nil
---@return cuna.Array 1-d
---@usage cn.frombuffer("\1\2\3\4", "uint8") --> [1 2 3 4]
---@usage cn.frombuffer(require "ffi".new("float[2]", 1, 2)) --> [1. 2.]
function F.frombuffer(...)
  local source, dtype, count, offset, copy = read_frombuffer(...)
  local own, nbytes
  if type(source) == "string" then
    own, nbytes = dtype_rules.default_dtype(), #source
  elseif type(source) == "cdata" then
    own, nbytes = describe(source)
  else
    fail("frombuffer: expected a string, an FFI array or a pointer, got %s", check.show(source))
  end
  dtype, offset = check.dtype(dtype, "frombuffer") or own, check.count(offset or 0, "frombuffer", "offset")
  if not dtype then fail("frombuffer: elements of %s have no dtype; give one", spelling_of(source)) end
  count = count_elements(count, nbytes, offset, dtype)
  if type(source) == "cdata" and count > 0 and address_of(source) == 0 then fail "frombuffer: the pointer is NULL" end
  if not check.boolean(copy, true, "frombuffer", "copy") then
    if type(source) == "string" then fail "frombuffer: a Lua string cannot be shared; leave copy out" end
    return core.wrap(address_of(source) + offset, count, dtype, source, is_const(source))
  end
  local made = core.empty(count, dtype, nil, "frombuffer")
  if count > 0 then
    core.set_bytes(made, type(source) == "string" and source or address_of(source) + offset, offset)
  end
  return made
end

return M
