--- number_text.lua: single numbers as text: in positional and scientific notation, and in other bases.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local digits = require "cuna.io.print_digits"

local M = {functions = {}}
local F = M.functions

local fail = check.fail

--- A float and its dtype: of a 0-d array its own, of a Lua number float64.
local function float_of(value, name)
  local kind = core.is_array(value) and check.self(value, name).dtype or "float64"
  if not kind:find "float" then kind = "float64" end
  return check.real(check.plain(value, name), name, "the number"), kind
end

local TRIMS = {
  k = function(fraction) return "." .. fraction end,
  ["."] = function(fraction) return "." .. fraction:gsub("0+$", "") end,
  ["0"] = function(fraction)
    fraction = fraction:gsub("0+$", "")
    return "." .. (fraction == "" and "0" or fraction)
  end,
  ["-"] = function(fraction)
    fraction = fraction:gsub("0+$", "")
    return fraction == "" and "" or "." .. fraction
  end,
}

--- What comes before a number, or all of it where it is not finite.
local function sign_and_word(x)
  if x ~= x then return "", "nan" end
  local sign = digits.is_negative(x) and "-" or ""
  return sign, math.abs(x) == math.huge and "inf" or nil
end

local NAMES = {"x", "precision", "unique", "trim"}

--- The arguments of both notations.
local function read_options(name, read, ...)
  local x, precision, unique, trim = read(...)
  local value, kind = float_of(x, name)
  trim = trim == nil and "k" or trim
  if not TRIMS[trim] then fail('%s: trim is "k", ".", "0" or "-", got %s', name, check.show(trim)) end
  local limit = precision ~= nil and check.few(precision, 1000, name, "precision") or nil
  local exact = not check.boolean(unique, true, name, "unique")
  if exact and not limit then fail("%s: precision is missing, which unique = false needs", name) end
  return value, kind, {exact = exact or nil, limit = limit}, TRIMS[trim]
end

local read_positional = args.reader("format_float_positional", NAMES)

--- A float without an exponent: by default with the fewest digits that read back as the same number of its dtype.
--- Follows numpy.format_float_positional.
---@param x number|cuna.Array a Lua number, or a 0-d array
---@param precision integer|nil most digits after the point
---@param unique boolean|nil false: exactly `precision` digits of the exact value
---@param trim string|nil "k" keeps zeros at the end and the point, "." drops the zeros, "0" all but one, "-" the point
---  too; default "k"
---@return string
---@usage cn.format_float_positional(3.14159e-6), cn.format_float_positional(5, {trim = "-"}) --> 0.00000314159, 5
function F.format_float_positional(...)
  local x, kind, rule, trim = read_options("format_float_positional", read_positional, ...)
  local sign, word = sign_and_word(x)
  if word then return sign .. word end
  local whole, fraction = digits.positional(math.abs(x), kind, rule)
  return sign .. whole .. trim(fraction)
end

local read_scientific = args.reader("format_float_scientific", NAMES)

--- A float in scientific notation, with the same arguments. Follows numpy.format_float_scientific.
---@param x number|cuna.Array
---@param precision integer|nil most digits after the point
---@param unique boolean|nil
---@param trim string|nil
---@return string
---@usage cn.format_float_scientific(1234.5, {precision = 2}) --> 1.23e+03
function F.format_float_scientific(...)
  local x, kind, rule, trim = read_options("format_float_scientific", read_scientific, ...)
  local sign, word = sign_and_word(x)
  if word then return sign .. word end
  local whole, fraction, exponent = digits.scientific(math.abs(x), kind, rule)
  return ("%s%s%se%s%02d"):format(sign, whole, trim(fraction), exponent < 0 and "-" or "+", math.abs(exponent))
end

-- ---- bases ----

local SYMBOLS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"

local function in_base(n, base)
  local text = ""
  repeat
    local digit = n % base
    text = SYMBOLS:sub(digit + 1, digit + 1) .. text
    n = (n - digit) / base
  until n == 0
  return text
end

local read_base = args.reader("base_repr", {"number", "base", "padding"})

--- A whole number in a base from 2 to 36. Follows numpy.base_repr.
---@param number integer
---@param base integer|nil default 2
---@param padding integer|nil zeros before it, default 0
---@return string
---@usage cn.base_repr(5), cn.base_repr(-255, 16) --> 101, -FF
function F.base_repr(...)
  local n, base, padding = read_base(...)
  n, base = check.integer(n, "base_repr", "the number"), check.integer(base == nil and 2 or base, "base_repr", "base")
  if base < 2 or base > 36 then fail("base_repr: base is 2 to 36, got %d", base) end
  padding = padding == nil and 0 or check.few(padding, 1000, "base_repr", "padding")
  return (n < 0 and "-" or "") .. ("0"):rep(padding) .. in_base(math.abs(n), base)
end

local read_binary = args.reader("binary_repr", {"number", "width"})

--- A whole number in base 2; of a negative one with a width its two's complement. Follows numpy.binary_repr.
---@param number integer
---@param width integer|nil least number of digits
---@return string
---@usage cn.binary_repr(5, 8), cn.binary_repr(-3, 5), cn.binary_repr(-3) --> 00000101, 11101, -11
function F.binary_repr(...)
  local n, width = read_binary(...)
  n = check.integer(n, "binary_repr", "the number")
  if width == nil then return (n < 0 and "-" or "") .. in_base(math.abs(n), 2) end
  width = check.few(width, 53, "binary_repr", "width")
  local text = n >= -2 ^ (width - 1) and in_base(n < 0 and 2 ^ width + n or n, 2)
  if not text or #text > width then fail("binary_repr: %d has more than %d digits", n, width) end
  return ("0"):rep(width - #text) .. text
end

return M
