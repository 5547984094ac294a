--- highlight.lua: Lua code as HTML, with spans around comments, strings, numbers and keywords.
local M = {}

local KEYWORDS = {}
for word in ("and break do else elseif end false for function goto if in local nil not or repeat return then true "
  .. "until while"):gmatch "%S+" do KEYWORDS[word] = true end

local ESCAPES = {["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;"}
local CHARACTERS = {["&amp;"] = "&", ["&lt;"] = "<", ["&gt;"] = ">", ["&quot;"] = '"'}

function M.escaped(text) return (text:gsub('[&<>"]', ESCAPES)) end
function M.unescaped(html) return (html:gsub("&%a+;", CHARACTERS)) end

--- The end of a string in quotes that begins at a position; of an open one the end of its line.
local function end_of_quoted(text, from)
  local quote, at = text:sub(from, from), from + 1
  while at <= #text do
    local char = text:sub(at, at)
    if char == quote then return at end
    if char == "\n" then return at - 1 end
    at = at + (char == "\\" and 2 or 1)
  end
  return #text
end

--- The end of a string in long brackets at a position, or nil.
local function end_of_long(text, from)
  local level = text:match("^%[(=*)%[", from)
  if not level then return nil end
  local _, last = text:find("]" .. level .. "]", from, true)
  return last or #text
end

--- The kind and the end of what begins at a position; no kind: plain text.
local function token(text, at)
  local char = text:sub(at, at)
  if text:find("^%-%-", at) then
    local last = end_of_long(text, at + 2) or (text:find("\n", at, true) or #text + 1) - 1
    return text:find("^%-%->", at) and "result" or "comment", last
  elseif char == '"' or char == "'" then
    return "string", end_of_quoted(text, at)
  elseif char == "[" and end_of_long(text, at) then
    return "string", end_of_long(text, at)
  end
  local _, last = text:find("^[%a_][%w_]*", at)
  if last then return KEYWORDS[text:sub(at, last)] and "keyword", last end
  _, last = text:find("^%d[%w.]*", at)
  return last and "number", last or at
end

--- Code as HTML.
---@param text string
---@return string
function M.lua(text)
  local parts, at = {}, 1
  while at <= #text do
    local kind, last = token(text, at)
    local piece = M.escaped(text:sub(at, last))
    parts[#parts + 1] = kind and ('<span class="%s">%s</span>'):format(kind, piece) or piece
    at = last + 1
  end
  return table.concat(parts)
end

return M
