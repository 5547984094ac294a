--- Elements as bytes: arrays made of them, and compared bit by bit or in units of the last place.
local cn = require "cuna"
local ffi = require "ffi"

local M = {}

local LAYOUTS = {
  bool = "uint8_t", int8 = "int8_t", int16 = "int16_t", int32 = "int32_t", int64 = "int64_t", uint8 = "uint8_t",
  uint16 = "uint16_t", uint32 = "uint32_t", uint64 = "uint64_t", float16 = "uint16_t", bfloat16 = "uint16_t",
  float32 = "uint32_t", float64 = "uint64_t", complex64 = "float", complex128 = "double",
}
local INFINITE = {float16 = 0x7c00, bfloat16 = 0x7f80, float32 = 0x7f800000, float64 = 0x7ff0000000000000ULL}
local SIGN = {float16 = 0x8000, bfloat16 = 0x8000, float32 = 0x80000000, float64 = 0x8000000000000000ULL}

--- The bytes that hexadecimal text spells.
function M.from_hex(text)
  return (text:gsub("%x%x", function(pair) return string.char(tonumber(pair, 16)) end))
end

function M.to_hex(bytes)
  return (bytes:gsub(".", function(byte) return ("%02x"):format(byte:byte()) end))
end

--- An array of bytes on the current device.
function M.array(bytes, dtype) return cn.frombuffer(bytes, {dtype = dtype}) end

local function cells(bytes, dtype)
  return ffi.cast("const " .. LAYOUTS[dtype] .. " *", bytes), #bytes / ffi.sizeof(LAYOUTS[dtype])
end

--- Whether two floats, as unsigned integers, are at most `ulps` apart; NaN equals NaN, 0 and -0 differ.
local function near(a, b, dtype, ulps)
  local infinite, sign = INFINITE[dtype], SIGN[dtype]
  local negative_a, negative_b = a >= sign, b >= sign
  if negative_a then a = a - sign end
  if negative_b then b = b - sign end
  if a > infinite or b > infinite then return a > infinite and b > infinite end
  if negative_a ~= negative_b then return a + b <= ulps and a + b > 0 end
  return (a > b and a - b or b - a) <= ulps
end

local function same_part(a, b, tolerance)
  return a == b or (a ~= a and b ~= b) or math.abs(a - b) <= tolerance * math.abs(b) and math.abs(b) < math.huge
end

--- Whether two complex numbers are the same, signs of zeros included; NaN equals NaN.
local function same_complex(a_re, a_im, b_re, b_im)
  return same_part(a_re, b_re, 0) and same_part(a_im, b_im, 0) and (1 / a_re == 1 / b_re or a_re ~= a_re)
    and (1 / a_im == 1 / b_im or a_im ~= a_im)
end

--- Whether two complex numbers agree by the length of their difference, or part by part where one is not finite; beside
--- a NaN the sign of the other part is open.
local function near_complex(a_re, a_im, b_re, b_im, tolerance, least)
  if b_re ~= b_re or b_im ~= b_im then
    return same_part(math.abs(a_re), math.abs(b_re), tolerance) and same_part(math.abs(a_im), math.abs(b_im), tolerance)
  end
  local length = math.max(math.abs(b_re), math.abs(b_im))
  if length < math.huge then
    return math.max(math.abs(a_re - b_re), math.abs(a_im - b_im)) <= tolerance * length + least
  end
  return same_part(a_re, b_re, tolerance) and same_part(a_im, b_im, tolerance)
end

local function differs(actual, expected, i, dtype, tolerance)
  if dtype:find "^complex" then
    local a_re, a_im, b_re, b_im = actual[2 * i], actual[2 * i + 1], expected[2 * i], expected[2 * i + 1]
    if tolerance == 0 then return not same_complex(a_re, a_im, b_re, b_im) end
    return not near_complex(a_re, a_im, b_re, b_im, tolerance, dtype == "complex64" and 2e-45 or 1e-323)
  end
  return actual[i] ~= expected[i] and not (INFINITE[dtype] and near(actual[i], expected[i], dtype, tolerance))
end

local function show(bytes, dtype, i)
  local itemsize = cn.zeros(0, dtype).itemsize
  return cn.array_str(M.array(bytes:sub(i * itemsize + 1, (i + 1) * itemsize), dtype)) .. " 0x"
    .. M.to_hex(bytes:sub(i * itemsize + 1, (i + 1) * itemsize):reverse())
end

--- Nil when the bytes of two arrays agree within the tolerance (units of the last place; of complex numbers relative),
--- else which elements differ. describe(i) says what element i (from 0) was computed of.
function M.why_different(actual, expected, dtype, tolerance, describe)
  if actual == expected then return nil end
  if #actual ~= #expected then return ("%d bytes, expected %d"):format(#actual, #expected) end
  local a, count = cells(actual, dtype)
  local b = cells(expected, dtype)
  if dtype:find "^complex" then count = count / 2 end
  local found = {}
  for i = 0, count - 1 do
    if differs(a, b, i, dtype, tolerance) then
      found[#found + 1] = ("element %d%s: %s, expected %s"):format(i + 1, describe and " of " .. describe(i) or "",
        show(actual, dtype, i), show(expected, dtype, i))
    end
  end
  if #found == 0 then return nil end
  return ("%d of %d differ: %s"):format(#found, count, table.concat(found, "; ", 1, math.min(#found, 5)))
end

--- One element of bytes as text.
M.show = show

return M
