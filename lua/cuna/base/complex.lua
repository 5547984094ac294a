--- complex.lua: arithmetic of LuaJIT's complex numbers, which have none of their own.
--
-- LuaJIT asks the metatable of a boxed number before that of an array, so without one 2i * x fails where x * 2i works.
-- These are its metamethods; cdata.lua sets them, and they are loaded when one is first called.
local core = require "cuna.core"
local ffi = require "ffi"

local complex, complex_float = ffi.typeof "complex", ffi.typeof "complex float"
local int64, uint64 = ffi.typeof "int64_t", ffi.typeof "uint64_t"
local MOST_PRODUCTS = 100 -- whole exponents below it are products, as in NumPy

local function is_complex(value) return ffi.istype(complex, value) or ffi.istype(complex_float, value) end

--- Real and imaginary part of a number; nil for another value.
local function parts(value)
  if type(value) == "number" then return value, 0 end
  if is_complex(value) then return value.re, value.im end
  if ffi.istype(int64, value) or ffi.istype(uint64, value) then return tonumber(value), 0 end
end

local function times(ar, ai, br, bi) return ar * br - ai * bi, ar * bi + ai * br end

--- a / b by Smith's method, whose steps overflow where the quotient does.
local function over(ar, ai, br, bi)
  if math.abs(br) >= math.abs(bi) then
    if br == 0 and bi == 0 then return ar / math.abs(br), ai / math.abs(br) end
    local ratio = bi / br
    local scale = br + bi * ratio
    return (ar + ai * ratio) / scale, (ai - ar * ratio) / scale
  end
  local ratio = br / bi
  local scale = bi + br * ratio
  return (ar * ratio + ai) / scale, (ai * ratio - ar) / scale
end

--- A power with a whole exponent n > 0, by squaring.
local function product(ar, ai, n)
  local re, im = 1, 0
  while n > 0 do
    if n % 2 == 1 then re, im = times(re, im, ar, ai) end
    ar, ai = times(ar, ai, ar, ai)
    n = math.floor(n / 2)
  end
  return re, im
end

local function power(ar, ai, br, bi)
  if br == 0 and bi == 0 then return 1, 0 end
  if ar == 0 and ai == 0 then
    if br > 0 and bi == 0 then return 0, 0 end
    return 0 / 0, 0 / 0
  end
  if bi == 0 and br % 1 == 0 and math.abs(br) < MOST_PRODUCTS then
    if br > 0 then return product(ar, ai, br) end
    return over(1, 0, product(ar, ai, -br))
  end
  local size, angle = math.log(math.sqrt(ar * ar + ai * ai)), math.atan2(ai, ar)
  local length, turn = math.exp(br * size - bi * angle), bi * size + br * angle
  return length * math.cos(turn), length * math.sin(turn)
end

--- The metamethod for an event: the other operand's, unless that is a number, or the function of the four parts.
local function operator(event, word, compute)
  return function(a, b)
    local ar, ai = parts(a)
    local br, bi = parts(b)
    if ar and br then return complex(compute(ar, ai, br, bi)) end
    local other
    if ar then other = b else other = a end
    local metatable = type(other) ~= "string" and debug.getmetatable(other)
    if metatable and metatable[event] then return metatable[event](a, b) end
    core.fail(("%s: expected a number or an array beside the complex number %s, got %s"):format(word,
      tostring(ar and a or b), other == nil and "nil" or type(other)))
  end
end

local PARTS = {real = "re", imag = "im"}

return {
  __add = operator("__add", "add", function(ar, ai, br, bi) return ar + br, ai + bi end),
  __sub = operator("__sub", "subtract", function(ar, ai, br, bi) return ar - br, ai - bi end),
  __mul = operator("__mul", "multiply", times),
  __div = operator("__div", "divide", over),
  __pow = operator("__pow", "power", power),
  __unm = function(a) return complex(-a.re, -a.im) end,
  __concat = function(a, b) return tostring(a) .. tostring(b) end,
  __eq = function(a, b)
    local ar, ai = parts(a)
    local br, bi = parts(b)
    return ar ~= nil and ar == br and ai == bi
  end,
  __index = function(z, name)
    if PARTS[name] then return z[PARTS[name]] end
    core.fail(("a complex number has the fields re and im, and no '%s'; functions such as cn.abs(z) take it")
      :format(tostring(name)))
  end,
}
