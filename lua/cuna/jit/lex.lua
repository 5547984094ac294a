--- lex.lua: Lua text as tokens, as LuaJIT reads it. Lines end in "\n".
--
-- A token is {kind, value, line, first, last}: kind is "name", "number", "string", "eof", or the keyword or operator
-- itself; value is the text of names and numbers and the bytes of strings; first and last are positions in the text.
-- Problems are raised as {line =, message =}.
local M = {}

local KEYWORDS = {}
for word in ([[and break do else elseif end false for function if in local nil not or repeat return then true until
  while]]):gmatch "%a+" do
  KEYWORDS[word] = true
end

local OPERATORS = {"...", "..", "==", "~=", "<=", ">=", "::"} -- the longer ones first; others have one character

--- Raises a problem at a line of the text.
---@param line integer
function M.fail(line, format, ...) error({line = line, message = format:format(...)}, 0) end

--- The number of line ends between two positions.
local function count_lines(text, first, last)
  local count, at = 0, first
  while true do
    at = text:find("\n", at, true)
    if not at or at > last then return count end
    count, at = count + 1, at + 1
  end
end

--- The end of [[...]] or [=[...]=] that begins at a position; nil if none begins there.
local function long_bracket(text, at, line)
  local level = text:match("^%[(=*)%[", at)
  if not level then return nil end
  local _, last = text:find("]" .. level .. "]", at, true)
  if not last then M.fail(line, "unfinished long string or comment") end
  return last, #level + 2
end

--- The end of a comment that begins at a position.
local function comment_end(text, at, line)
  local last = long_bracket(text, at + 2, line)
  return last or (text:find("\n", at, true) or #text + 1) - 1
end

--- A number's last position: letters, digits, points, and a sign after the letter of an exponent.
local function number_end(text, at)
  local exponent = text:find("^0[xX]", at) and "[pP]" or "[eE]"
  local last = at
  while true do
    local c = text:sub(last + 1, last + 1)
    local is_sign = c:find "^[+-]$" and text:sub(last, last):find(exponent)
    if not (is_sign or c:find "^[%w_.]$") then return last end
    last = last + 1
  end
end

--- The end of a string in quotes, and its bytes.
local function read_string(text, at, line)
  local quote, last = text:sub(at, at), at + 1
  while true do
    local c = text:sub(last, last)
    if c == "" or c == "\n" then M.fail(line, "unfinished string") end
    if c == quote then break end
    if c == "\\" and text:find("^z", last + 1) then
      last = text:find("%S", last + 2) or #text + 1
    else
      last = last + (c == "\\" and 2 or 1)
    end
  end
  local chunk = loadstring("return " .. text:sub(at, last))
  if not chunk then M.fail(line, "malformed string %s", text:sub(at, last)) end
  return last, chunk()
end

local function read_operator(text, at, line)
  for _, operator in ipairs(OPERATORS) do
    if text:sub(at, at + #operator - 1) == operator then return operator end
  end
  local c = text:sub(at, at)
  if not c:find "^[%+%-%*/%%%^#=<>%(%){}%[%];:,.]$" then M.fail(line, "unexpected character %q", c) end
  return c
end

--- The token at a position: kind, value, last.
local function read_token(text, at, line)
  local name = text:match("^[%a_\128-\255][%w_\128-\255]*", at)
  if name then return KEYWORDS[name] and name or "name", name, at + #name - 1 end
  if text:find("^%.?%d", at) then
    local last = number_end(text, at)
    return "number", text:sub(at, last), last
  elseif text:find("^[\"']", at) then
    local last, value = read_string(text, at, line)
    return "string", value, last
  end
  local last, edge = long_bracket(text, at, line)
  if last then return "string", text:sub(at + edge, last - edge):gsub("^\n", ""), last end
  local operator = read_operator(text, at, line)
  return operator, operator, at + #operator - 1
end

--- The position of the first token: after a byte order mark and a first line for the shell.
local function skip_head(text)
  local at = text:find "^\239\187\191" and 4 or 1
  return text:find("^#", at) and (text:find("\n", at, true) or #text + 1) or at
end

--- All tokens of a text, the last of which is "eof".
---@param text string
---@return table[]
function M.tokens(text)
  local list, at, line = {}, skip_head(text), 1
  while true do
    local first = text:find("%S", at) or #text + 1
    line = line + count_lines(text, at, first - 1)
    if first > #text then break end
    if text:find("^%-%-", first) then
      at = comment_end(text, first, line) + 1
      line = line + count_lines(text, first, at - 1)
    else
      local kind, value, last = read_token(text, first, line)
      list[#list + 1] = {kind, value, line, first, last}
      line = line + count_lines(text, first, last)
      at = last + 1
    end
  end
  list[#list + 1] = {"eof", "<eof>", line, #text + 1, #text}
  return list
end

return M
