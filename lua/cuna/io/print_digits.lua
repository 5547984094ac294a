--- Decimal digits of binary floats and columns of them, chosen as in NumPy's dragon4 and FloatingFormat.
--
-- There are two kinds of digits. Shortest: the fewest digits that read back as the same element in its own dtype, and
-- among these the nearest to it. Exact: the element's full decimal expansion, rounded half to even at one place. If a
-- limit is below the number of digits of the shortest form, or a minimum above it, the digits are exact at that place.
--
-- core.shortest_digits finds the former, C's snprintf the latter (LuaJIT's own string.format rounds exact halves up).

local core = require "cuna.core"
local ffi = require "ffi"
local C = ffi.C
local shortest = core.shortest_digits

ffi.cdef "int snprintf(char *text, size_t capacity, const char *spec, ...);"

local M = {}

-- bits: of the significand; lowest, highest: binary exponents, as returned by math.frexp, of the least normal number
-- and of the greatest finite one.
local KINDS = {
  float64 = { bits = 53, lowest = -1021, highest = 1024 },
  float32 = { bits = 24, lowest = -125, highest = 128 },
  float16 = { bits = 11, lowest = -13, highest = 16 },
  bfloat16 = { bits = 8, lowest = -125, highest = 128 },
}

-- Adding and subtracting it rounds a double of magnitude below 2^51 to the nearest integer, halves to even.
local ROUNDER = 2 ^ 52 + 2 ^ 51

---The float of a narrower dtype nearest to a double, halves to even, subnormals kept.
---@param x number
---@param kind string  "float64", "float32", "float16" or "bfloat16"
---@return number
function M.round(x, kind)
  local facts = KINDS[kind]
  if kind == "float64" or x == 0 or x ~= x or x == math.huge or x == -math.huge then return x end
  local _, exponent = math.frexp(x)
  local ulp = math.ldexp(1, math.max(exponent, facts.lowest) - facts.bits)
  local rounded = (x / ulp + ROUNDER - ROUNDER) * ulp
  if math.abs(rounded) >= math.ldexp(1, facts.highest) then return x < 0 and -math.huge or math.huge end
  return rounded
end

local round = M.round

local capacity = 512
local buffer = ffi.new("char[?]", capacity)

local function print_number(spec, x)
  local length = C.snprintf(buffer, capacity, spec, x)
  if length >= capacity then
    capacity = length + 1
    buffer = ffi.new("char[?]", capacity)
    C.snprintf(buffer, capacity, spec, x)
  end
  return ffi.string(buffer, length)
end

local function spec_family(letter)
  return setmetatable({}, { __index = function(specs, places)
    local spec = "%." .. places .. letter
    specs[places] = spec
    return spec
  end })
end

local FIXED, SCIENTIFIC = spec_family("f"), spec_family("e")

-- Digits are separated by position, not at ".", because the C locale determines the decimal point.
local function split_scientific(text, places)
  local at = text:find("e", 2, true)
  return text:sub(1, 1) .. text:sub(at - places, at - 1), tonumber(text:sub(at + 1))
end

local function exact_fixed(x, places)
  local text = print_number(FIXED[places], x)
  return text:match("^%d+"), places == 0 and "" or text:sub(-places)
end

local function strip_zeros(digits)
  if digits:byte(-1) ~= 48 then return digits end
  return (digits:gsub("0+$", ""))
end

-- d1d2d3... * 10^(exponent - count + 1) as the digits before and after the decimal point.
local function place_point(digits, exponent)
  if exponent < 0 then return "0", ("0"):rep(-exponent - 1) .. digits end
  if #digits <= exponent + 1 then return digits .. ("0"):rep(exponent + 1 - #digits), "" end
  return digits:sub(1, exponent + 1), digits:sub(exponent + 2)
end

---Digits before and after the decimal point: exact with `rule.limit` places if `rule.exact`, else the shortest, but
---with at most `rule.limit` and at least `rule.least` places.
---@param x number     positive or zero
---@param kind string  its dtype
---@param rule { exact: boolean?, limit: integer?, least: integer? }
---@return string whole
---@return string fraction
function M.positional(x, kind, rule)
  if rule.exact then return exact_fixed(x, rule.limit) end
  local digits, exponent = shortest(x, kind)
  local places = #digits - 1 - exponent
  if rule.limit and places > rule.limit then return exact_fixed(x, rule.limit) end
  if rule.least and places < rule.least then return exact_fixed(x, rule.least) end
  return place_point(digits, exponent)
end

local function exact_scientific(x, places)
  local digits, exponent = split_scientific(print_number(SCIENTIFIC[places], x), places)
  return digits:sub(1, 1), digits:sub(2), exponent
end

---Digits and exponent of d.ddd * 10^exponent, under the same rule as `positional`.
---@param x number     positive or zero
---@param kind string  its dtype
---@param rule { exact: boolean?, limit: integer?, least: integer? }
---@return string whole     one digit
---@return string fraction
---@return number exponent
function M.scientific(x, kind, rule)
  if rule.exact then return exact_scientific(x, rule.limit) end
  local digits, exponent = shortest(x, kind)
  local places = #digits - 1
  if rule.limit and places > rule.limit then return exact_scientific(x, rule.limit) end
  if rule.least and places < rule.least then return exact_scientific(x, rule.least) end
  return digits:sub(1, 1), digits:sub(2), exponent
end

local function is_finite(x)
  return x - x == 0
end

---Whether the sign bit is set (of a number other than NaN).
---@param x number
---@return boolean
function M.is_negative(x)
  return x < 0 or (x == 0 and 1 / x < 0)
end

local is_negative = M.is_negative

---The number of columns of a text on a line, which is that of its UTF-8 characters.
---@param text string
---@return integer
function M.columns(text)
  local count = 0
  for i = 1, #text do
    local byte = text:byte(i)
    if byte < 128 or byte >= 192 then count = count + 1 end
  end
  return count
end

-- A column is created in two passes: first every element's digits, which determine the widths, then the words. Its
-- fields are values, kind, options, whole[i], fraction[i], exponent[i] (finite elements only), and the widths left and
-- right of the decimal point.

local function sign_of(x, options)
  if is_negative(x) then return "-" end
  return options.sign == "+" and "+" or ""
end

-- NumPy compares in the element's own dtype, so the limits and the quotient are rounded to it; for bfloat16, which
-- NumPy lacks, to float32.
local function needs_exponents(values, kind, suppress)
  if kind == "bfloat16" then kind = "float32" end
  local least, greatest = math.huge, 0
  for i = 1, #values do
    local x = math.abs(values[i])
    if x > 0 and x < math.huge then
      least, greatest = math.min(least, x), math.max(greatest, x)
    end
  end
  if greatest == 0 then return false end
  if greatest >= round(1e8, kind) then return true end
  if suppress then return false end
  return least < round(1e-4, kind) or round(greatest / least, kind) > 1000
end

-- Sets the digits of all finite elements and the width of each side of the point.
local function measure(column, rule)
  local split = column.exponential and M.scientific or M.positional
  for i, x in ipairs(column.values) do
    if is_finite(x) then
      local whole, fraction, exponent = split(math.abs(x), column.kind, rule)
      if not rule.exact then fraction = strip_zeros(fraction) end
      column.whole[i], column.fraction[i], column.exponent[i] = whole, fraction, exponent
      column.left = math.max(column.left, #whole + #sign_of(x, column.options))
      column.right = math.max(column.right, #fraction)
    end
  end
end

-- The number of digits of the longest exponent, at least 2.
local function exponent_width(column)
  local width = 2
  for _, exponent in pairs(column.exponent) do
    width = math.max(width, #tostring(math.abs(exponent)))
  end
  return width
end

-- Elements with fewer digits than their neighbours get more: in equal modes exact digits up to the common width, else
-- all digits before the point (16-bit and large float32 integers have shortest forms that end before it).
local function lengthen(column, rule)
  if rule.exact then return end
  local equal = column.exponential or column.options.floatmode == "maxprec_equal"
  local least = equal and column.right or 0
  local limit = equal and column.right or rule.limit
  local split = column.exponential and M.scientific or M.positional
  for i, fraction in pairs(column.fraction) do
    if #fraction < least or fraction == "" then
      local whole, longer, exponent = split(math.abs(column.values[i]), column.kind, { limit = limit, least = least })
      if not equal then longer = strip_zeros(longer) end
      longer = longer .. ("0"):rep(least - #longer)
      column.whole[i], column.fraction[i], column.exponent[i] = whole, longer, exponent
    end
  end
end

local function special_word(column, x)
  local options = column.options
  local word = x ~= x and (options.sign == "+" and "+" or "") .. options.nanstr or sign_of(x, options) .. options.infstr
  return (" "):rep(column.left + column.tail + 1 - M.columns(word)) .. word
end

-- Adds columns for a sign that no element has, and for nan and inf.
local function widen(column)
  local options = column.options
  local special, negative, negative_inf = false, false, options.sign ~= "-"
  for _, x in ipairs(column.values) do
    if not is_finite(x) then
      special, negative_inf = true, negative_inf or x < 0
    elseif is_negative(x) then
      negative = true
    end
  end
  if options.sign == " " and not negative then column.left = column.left + 1 end
  if special then
    local room = column.tail + 1
    column.left = math.max(column.left, M.columns(options.nanstr) - room,
      M.columns(options.infstr) + (negative_inf and 1 or 0) - room)
  end
end

local function finite_word(column, i)
  local whole = sign_of(column.values[i], column.options) .. column.whole[i]
  local fraction = column.fraction[i]
  local word = (" "):rep(column.left - #whole) .. whole .. "." .. fraction
  if not column.exponential then return word .. (" "):rep(column.right - #fraction) end
  local exponent = column.exponent[i]
  local power = tostring(math.abs(exponent))
  return word .. (exponent < 0 and "e-" or "e+") .. ("0"):rep(column.exponent_width - #power) .. power
end

---Words of equal width for floats of one dtype. Follows FloatingFormat of NumPy's core/arrayprint.py.
---@param values number[]
---@param kind string    their dtype
---@param options table  precision floatmode suppress sign nanstr infstr
---@return string[]
function M.words(values, kind, options)
  local column = {
    values = values, kind = kind, options = options, whole = {}, fraction = {}, exponent = {}, left = 0, right = 0,
    exponential = needs_exponents(values, kind, options.suppress),
  }
  local rule = { exact = options.floatmode == "fixed", limit = options.precision }
  if options.floatmode == "unique" then rule.limit = nil end
  measure(column, rule)
  column.exponent_width = exponent_width(column)
  lengthen(column, rule)
  column.tail = column.right + (column.exponential and column.exponent_width + 2 or 0)
  widen(column)
  local words = {}
  for i, x in ipairs(values) do
    words[i] = is_finite(x) and finite_word(column, i) or special_word(column, x)
  end
  return words
end

local function scalar_digits(x, kind, tail)
  if x ~= 0 and (x >= 1e16 or x < 1e-4) then
    local whole, fraction, exponent = M.scientific(x, kind, {})
    return ("%s%se%s%02d"):format(whole, fraction ~= "" and "." .. fraction or "", exponent < 0 and "-" or "+",
      math.abs(exponent))
  end
  local whole, fraction = M.positional(x, kind, {})
  return whole .. (fraction ~= "" and "." .. fraction or tail)
end

---Text of a single float: all its digits, independent of the print options.
---@param x number
---@param kind string  its dtype
---@param tail string  text after a number without fraction
---@param plus string  text before a number that is not negative
---@return string
function M.scalar(x, kind, tail, plus)
  if x ~= x then return plus .. "nan" end
  local sign = is_negative(x) and "-" or plus
  if not is_finite(x) then return sign .. "inf" end
  return sign .. scalar_digits(math.abs(x), kind, tail)
end

return M
