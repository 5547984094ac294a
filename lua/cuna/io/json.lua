--- json.lua: JSON as RFC 8259 defines it: reads a text into Lua values, writes strings.
--
-- Strict, because its texts come from files of others: UTF-8 only, no key twice, no text after the value, limited
-- depth. A pure Lua reader, since its only texts are headers, where a library would be one more dependency.
local M = {
  LIST = {}, -- the metatable of lists; objects have none
  null = setmetatable({}, {__tostring = function() return "null" end}),
}

local MAX_DEPTH = 64
local BLANKS = "^[ \t\r\n]*()"
local ESCAPES = {['"'] = '"', ["\\"] = "\\", ["/"] = "/", b = "\b", f = "\f", n = "\n", r = "\r", t = "\t"}
local WORDS = {["true"] = true, ["false"] = false, null = M.null}

--- Characters of several bytes, by their first byte: no overlong forms, no surrogates, nothing beyond U+10FFFF.
local SEQUENCES = {
  "^[\194-\223][\128-\191]()", "^\224[\160-\191][\128-\191]()", "^[\225-\236\238\239][\128-\191][\128-\191]()",
  "^\237[\128-\159][\128-\191]()", "^\240[\144-\191][\128-\191][\128-\191]()",
  "^[\241-\243][\128-\191][\128-\191][\128-\191]()", "^\244[\128-\143][\128-\191][\128-\191]()",
}

--- The end of the character of several bytes at `at`; nil if there is none.
local function after_sequence(text, at)
  for _, pattern in ipairs(SEQUENCES) do
    local behind = text:match(pattern, at)
    if behind then return behind end
  end
end

--- The position of the first byte that is not UTF-8; nil if all are.
---@param text string
---@return integer|nil
function M.find_no_utf8(text)
  local at = text:find "[\128-\255]"
  while at do
    local behind = after_sequence(text, at)
    if not behind then return at end
    at = text:find("[\128-\255]", behind)
  end
end

local function refuse(at, problem) error({at = at, problem = problem}, 0) end

local function utf8_of(code)
  local function more(shift) return string.char(128 + math.floor(code / 2 ^ shift) % 64) end
  if code < 0x80 then return string.char(code) end
  if code < 0x800 then return string.char(192 + math.floor(code / 64)) .. more(0) end
  if code < 0x10000 then return string.char(224 + math.floor(code / 4096)) .. more(6) .. more(0) end
  return string.char(240 + math.floor(code / 2 ^ 18)) .. more(12) .. more(6) .. more(0)
end

--- The character of "\uXXXX", or of a pair of these, at `at`, and the position after it.
local function read_code(text, at)
  local high = tonumber(text:match("^\\u(%x%x%x%x)", at) or refuse(at, "an escape that JSON does not have"), 16)
  if high < 0xd800 or high > 0xdfff then return utf8_of(high), at + 6 end
  local low = tonumber(text:match("^\\u(%x%x%x%x)", at + 6) or "", 16)
  if high > 0xdbff or not low or low < 0xdc00 or low > 0xdfff then refuse(at, "half of a surrogate pair") end
  return utf8_of(0x10000 + (high - 0xd800) * 0x400 + low - 0xdc00), at + 12
end

--- The string whose quote is at `at`, and the position after it.
local function read_string(text, at)
  local plain, behind = text:match('^"([^"\\%z\1-\31]*)"()', at)
  if plain then return plain, behind end
  local parts, from = {}, at + 1
  while true do
    local stop = text:find('["\\%z\1-\31]', from) or refuse(at, "a string that does not end")
    parts[#parts + 1] = text:sub(from, stop - 1)
    local sign = text:sub(stop, stop)
    if sign == '"' then return table.concat(parts), stop + 1 end
    if sign ~= "\\" then refuse(stop, "a control character in a string") end
    local escaped = ESCAPES[text:sub(stop + 1, stop + 1)]
    from = stop + 2
    if not escaped then escaped, from = read_code(text, stop) end
    parts[#parts + 1] = escaped
  end
end

local function read_number(text, at)
  local behind = text:match("^%-?0()", at) or text:match("^%-?[1-9]%d*()", at) or refuse(at, "no JSON value")
  behind = text:match("^%.%d+()", behind) or behind
  behind = text:match("^[eE][+-]?%d+()", behind) or behind
  return tonumber(text:sub(at, behind - 1)), behind
end

local read_value

--- The position of the next item after a comma, and whether there is one; else that after the closing bracket.
local function after_item(text, at, close)
  at = text:match(BLANKS, at)
  local sign = text:sub(at, at)
  if sign ~= "," and sign ~= close then refuse(at, ("'%s' or a comma is missing"):format(close)) end
  return text:match(BLANKS, at + 1), sign == ","
end

local function read_list(text, at, depth)
  local list, goes_on = setmetatable({}, M.LIST), true
  at = text:match(BLANKS, at + 1)
  if text:sub(at, at) == "]" then return list, at + 1 end
  while goes_on do
    list[#list + 1], at = read_value(text, at, depth)
    at, goes_on = after_item(text, at, "]")
  end
  return list, at
end

local function read_object(text, at, depth)
  local object, goes_on = {}, true
  at = text:match(BLANKS, at + 1)
  if text:sub(at, at) == "}" then return object, at + 1 end
  while goes_on do
    if text:sub(at, at) ~= '"' then refuse(at, "a key is missing") end
    local key, behind = read_string(text, at)
    if object[key] ~= nil then refuse(at, ("the key '%s' is there twice"):format(key)) end
    local colon = text:match(BLANKS, behind)
    if text:sub(colon, colon) ~= ":" then refuse(colon, "a colon is missing") end
    object[key], at = read_value(text, text:match(BLANKS, colon + 1), depth)
    at, goes_on = after_item(text, at, "}")
  end
  return object, at
end

function read_value(text, at, depth)
  local sign = text:sub(at, at)
  if sign == '"' then return read_string(text, at) end
  if sign == "{" or sign == "[" then
    if depth == MAX_DEPTH then refuse(at, ("more than %d levels"):format(MAX_DEPTH)) end
    return (sign == "{" and read_object or read_list)(text, at, depth + 1)
  end
  local word = text:match("^%a+", at)
  if WORDS[word] ~= nil then return WORDS[word], at + #word end
  return read_number(text, at)
end

--- Reads a text that is one JSON value. Objects are tables by key, lists have the metatable M.LIST, null is M.null;
--- numbers are doubles.
---@param text string
---@return any value nil if the text is not JSON
---@return string|nil problem with its byte, which counts from 1
function M.read(text)
  local bad = M.find_no_utf8(text)
  if bad then return nil, ("byte %d is not UTF-8"):format(bad) end
  local read, value, at = pcall(read_value, text, text:match(BLANKS), 0)
  if read then
    at = text:match(BLANKS, at)
    if at > #text then return value end
    return nil, ("text after the value at byte %d"):format(at)
  end
  if type(value) ~= "table" then error(value, 0) end
  return nil, ("%s at byte %d"):format(value.problem, value.at)
end

--- Whether a value that M.read returned is an object.
function M.is_object(value) return type(value) == "table" and value ~= M.null and getmetatable(value) ~= M.LIST end

local SHORT = {['"'] = '\\"', ["\\"] = "\\\\", ["\b"] = "\\b", ["\f"] = "\\f", ["\n"] = "\\n", ["\r"] = "\\r",
  ["\t"] = "\\t"}

--- A string of UTF-8 in quotes.
---@param text string
---@return string
function M.quote(text)
  return '"' .. text:gsub('["\\%z\1-\31]', function(c) return SHORT[c] or ("\\u%04x"):format(c:byte()) end) .. '"'
end

return M
