--- cdata.lua: how C reads and creates LuaJIT's boxed numbers (int64_t, uint64_t, complex).
local core = require "cuna.core"
local ffi = require "ffi"
local later = require "cuna.base.later"

local M = {}

local int64, uint64 = ffi.typeof "int64_t", ffi.typeof "uint64_t"
local complex, complex_float = ffi.typeof "complex", ffi.typeof "complex float"
local int64_box, uint64_box = ffi.typeof "int64_t[1]", ffi.typeof "uint64_t[1]"

--- The upper and the lower 32 bits of 64.
local function halves(value) return tonumber(bit.rshift(value, 32)), tonumber(bit.band(value, 0xffffffffULL)) end

--- Kind and value of a boxed number: "int", "uint" or "complex", and two halves or parts; nil for other cdata.
local function read(value)
  if ffi.istype(uint64, value) then
    return "uint", halves(value)
  elseif ffi.istype(int64, value) then
    return "int", halves(uint64(value))
  elseif ffi.istype(complex, value) or ffi.istype(complex_float, value) then
    return "complex", value.re, value.im
  end
end

local function make(kind, first, second)
  if kind == "complex" then return complex(first, second) end
  local box = kind == "uint64" and uint64_box() or int64_box()
  ffi.copy(box, first, 8)
  return box[0]
end

--- A complex number.
---@param re number
---@param im number|nil default 0
---@return ffi.cdata* complex a boxed number that operations accept like a Lua number
function M.complex(re, im)
  if type(re) ~= "number" or (im ~= nil and type(im) ~= "number") then
    core.fail "complex: expected two numbers"
  end
  return complex(re, im or 0)
end

local METAMETHODS = {"__add", "__sub", "__mul", "__div", "__pow", "__unm", "__concat", "__eq", "__index"}

--- Gives complex numbers arithmetic. A type has one metatable in a process: if another library has set it, that one
--- holds.
local function adopt()
  local metatable, arithmetic = {}, later.functions "base.complex"
  for _, event in ipairs(METAMETHODS) do metatable[event] = arithmetic[event] end
  pcall(ffi.metatype, complex, metatable)
  pcall(ffi.metatype, complex_float, metatable)
end

adopt()
core.hook("cdata_read", read)
core.hook("cdata_make", make)

return M
