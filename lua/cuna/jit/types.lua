--- types.lua: types of values in kernels written in Lua, and their conversions.
--
-- A value is {type, text (C++)} with properties: literal (its number), weak (a float that takes the dtype of another
-- float, as Lua's numbers do), open (an integer that is a Lua number and not an element), whole (a float without a
-- fraction), small (an integer far from overflow), positive, quotient (the two integers that it divides). A variable's
-- state is {type, weak, whole, open}: `open` if its first value was a literal, open or weak, so that a later value may
-- still determine its float type.
local core = require "cuna.core"

local M = {}

local function number_type(name, kind, bits, c) return {name = name, kind = kind, bits = bits, c = c} end

local TYPES = {
  bool = number_type("bool", "b", 1, "bool"),
  int8 = number_type("int8", "i", 8, "signed char"), uint8 = number_type("uint8", "u", 8, "unsigned char"),
  int16 = number_type("int16", "i", 16, "short"), uint16 = number_type("uint16", "u", 16, "unsigned short"),
  int32 = number_type("int32", "i", 32, "int"), uint32 = number_type("uint32", "u", 32, "unsigned"),
  int64 = number_type("int64", "i", 64, "long long"), uint64 = number_type("uint64", "u", 64, "unsigned long long"),
  float32 = number_type("float32", "f", 32, "float"), float64 = number_type("float64", "f", 64, "double"),
}
M.TYPES = TYPES

-- C++ types of elements in memory that differ from the type of their values.
local STORAGE = {bool = "jit::bool8", float16 = "jit::float16", bfloat16 = "jit::bfloat16"}

--- The type of the values of a dtype, and the C++ type of its elements; nil for complex dtypes. Elements of float16 and
--- bfloat16 are float32 as values.
function M.of(dtype)
  local value = TYPES[dtype] or (STORAGE[dtype] and TYPES.float32)
  return value, value and (STORAGE[dtype] or value.c)
end

--- The C++ type of an array with dtype, ndim and density.
function M.array_type(array)
  local _, storage = M.of(array.dtype)
  return ("jit::array<%s, %d, %s>"):format(storage, array.ndim, tostring(array.dense))
end

--- The size of an element.
function M.nbytes(dtype)
  local t = M.of(dtype)
  return STORAGE[dtype] and (t.kind == "b" and 1 or 2) or t.bits / 8
end

function M.is_int(v) return v.type.kind == "i" or v.type.kind == "u" end

--- Whether a value is a whole number, of any type.
function M.is_whole(v) return v.whole or M.is_int(v) end

function M.is_float(v) return v.type.kind == "f" end
function M.is_number(v) return v.type ~= nil and v.type.kind ~= "b" end
function M.is_bool(v) return v.type == TYPES.bool end

-- ---- literals ----

local function bounds(t)
  if t.kind == "i" then return -2 ^ (t.bits - 1), 2 ^ (t.bits - 1) - 1 end
  return 0, 2 ^ t.bits - 1
end

--- Whether a number is in the range of an integer type.
function M.fits(value, t)
  local least, greatest = bounds(t)
  if t.bits == 64 then return value >= least and value < greatest end -- 2^63 and 2^64 as doubles
  return value >= least and value <= greatest
end

local INFINITE = {float32 = "__int_as_float(0x7f800000)", float64 = "__longlong_as_double(0x7ff0000000000000ll)"}
local NOT_A_NUMBER = {float32 = "__int_as_float(0x7fc00000)", float64 = "__longlong_as_double(0x7ff8000000000000ll)"}

local function float_text(value, t)
  if value ~= value then return NOT_A_NUMBER[t.name] end
  if math.abs(value) == math.huge then return (value < 0 and "-" or "") .. INFINITE[t.name] end
  local text = (t.bits == 32 and "%.9g" or "%.17g"):format(value)
  if t.bits == 64 and tonumber(("%.15g"):format(value)) == value then text = ("%.15g"):format(value) end
  if not text:find "[.e]" then text = text .. ".0" end
  return t.bits == 32 and text .. "f" or text
end

local SUFFIX = {int64 = "ll", uint64 = "ull", uint32 = "u"}

local function int_text(value, t)
  if value == -2 ^ 63 then return "(-9223372036854775807ll - 1)" end
  return ("%.0f"):format(value) .. (SUFFIX[t.name] or "")
end

--- A number as C++ of a type; negative ones are in brackets.
function M.literal_text(value, t)
  local text = t.kind == "f" and float_text(value, t) or int_text(value, t)
  return text:sub(1, 1) == "-" and "(" .. text .. ")" or text
end

--- The value of a number in the source, or of a captured one.
---@param is_float boolean|nil it is written with a point
function M.number(value, is_float)
  local is_integral = value % 1 == 0 and math.abs(value) < 2 ^ 63
  if is_integral and not is_float and not (value == 0 and 1 / value < 0) then
    return {type = TYPES.int64, literal = value, small = math.abs(value) < 2 ^ 31, positive = value > 0,
      text = M.literal_text(value, TYPES.int64)}
  end
  return {type = TYPES.float64, literal = value, weak = true, whole = is_integral,
    text = M.literal_text(value, TYPES.float64)}
end

function M.boolean(value) return {type = TYPES.bool, text = tostring(value), truth = value} end

-- ---- conversion ----

--- A value as C++ of another type.
function M.convert(v, t)
  if v.literal and t.kind ~= "b" and (t.kind == "f" or M.is_int(v)) then return M.literal_text(v.literal, t) end
  if v.type == t then return v.text end
  if v.type.kind == "f" and t.kind ~= "f" then return ("jit::to_int<%s>(%s)"):format(t.c, v.text) end
  return ("(%s)(%s)"):format(t.c, v.text)
end

--- A whole number as C++ of an int64, for positions and loops; nil for other values.
function M.to_index(v)
  if M.is_int(v) then return M.convert(v, TYPES.int64) end
  return M.is_float(v) and v.whole and ("jit::to_int<long long>(%s)"):format(v.text) or nil
end

-- ---- two numbers ----

--- The common type of two numbers, and whether it is weak; nil and the problem if there is none. An integer combined
--- with a float takes the float's dtype, a literal combined with an integer takes the integer's dtype if it fits.
function M.promote(a, b)
  if M.is_float(a) and M.is_float(b) then
    if a.weak ~= b.weak then return a.weak and b.type or a.type, nil end
    return a.type.bits >= b.type.bits and a.type or b.type, a.weak
  elseif M.is_float(a) then
    return a.type, a.weak
  elseif M.is_float(b) then
    return b.type, b.weak
  elseif a.literal and not b.literal and M.fits(a.literal, b.type) then
    return b.type
  elseif b.literal and not a.literal and M.fits(b.literal, a.type) then
    return a.type
  end
  local t = TYPES[core.promote(a.type.name, b.type.name)]
  if not t or t.kind == "f" then
    return nil, ("%s and %s have no common integer dtype; convert one with cn.jit.cast(value, dtype)"):format(
      a.type.name, b.type.name)
  end
  return t
end

-- ---- variables ----

--- The state of a variable whose first value is `v`.
function M.begin(v)
  return {type = v.type, weak = v.weak, whole = v.whole, open = v.literal ~= nil or v.open or v.weak or nil}
end

--- Whether the result of two integers is open.
function M.both_open(a, b) return (a.literal or a.open) and (b.literal or b.open) and true or nil end

--- Whether a type can represent all values of another.
local function is_exact(from, to)
  if from == to then return true end
  if from.kind == "b" or to.kind == "b" then return false end
  if from.kind == "f" then return to.kind == "f" and to.bits >= from.bits end
  if to.kind == "f" then return from.bits < to.bits or to.bits == 64 end -- as Lua's numbers, which are doubles
  if from.kind == to.kind then return from.bits <= to.bits end
  return from.kind == "u" and from.bits < to.bits
end

local function settle(state, v)
  if state.type ~= v.type or state.weak ~= v.weak then
    state.type, state.weak, state.changed = v.type, v.weak, true
  end
  return true
end

--- Assigns another value to a variable: true, or nil if its type cannot represent it. Records changes of the state.
function M.join(state, v)
  local t = state.type
  if state.whole and not (v.whole or M.is_int(v)) then state.whole, state.changed = nil, true end
  if t.kind == "f" and M.is_float(v) then
    if v.weak then return true end
    if state.weak or (state.open and v.type.bits > t.bits) then return settle(state, v) end
  elseif state.open and M.is_int({type = t}) and M.is_float(v) then
    state.whole = v.whole
    return settle(state, v)
  elseif M.is_int({type = t}) and v.whole then
    return true
  end
  if M.is_int(v) and t.kind == "f" and (v.literal or v.open) then return true end
  if v.literal and M.is_int(v) and t.kind ~= "b" then return M.fits(v.literal, t) or nil end
  return is_exact(v.type, t) or nil
end

--- Whether a value may be stored in elements of a type: integers and floats in all sizes of their kind, integers in
--- floats, floats without a fraction (results of math.floor) in integers.
function M.can_store(v, t)
  if t.kind == "b" or v.type.kind == "b" then return v.type == t end
  return t.kind == "f" or v.type.kind ~= "f" or v.whole == true
end

return M
