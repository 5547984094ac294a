--- source.lua: finds the text of a Lua function in its file, in its chunk, or in lines entered at the prompt.
--
-- A function has line numbers but not its text. A text found at these lines is accepted only if it compiles to the
-- function's bytecode, without debug information and locations of upvalues: the file may have changed since.
local lex = require "cuna.jit.lex"

local M = {}

local has_util, util = pcall(require, "jit.util")

local kept = {} -- texts by the chunk's name, the latest last
local places = setmetatable({}, {__mode = "k"}) -- what was found, by prototype: closures of one share it

--- A text with "\n" as line ends, which Lua converts all line ends to.
local function with_newlines(text) return (text:gsub("\r\n", "\n"):gsub("\n\r", "\n"):gsub("\r", "\n")) end

--- Keeps a text that was compiled under a name which is not a file ("=stdin").
function M.keep(name, text)
  kept[name] = kept[name] or {}
  table.insert(kept[name], with_newlines(text))
end

-- ---- bytecode ----

--- A LEB128 number and the position after it.
local function read_number(bytes, at)
  local value, factor = 0, 1
  while true do
    local byte = bytes:byte(at)
    value, at = value + byte % 128 * factor, at + 1
    if byte < 128 then return value, at end
    factor = factor * 128
  end
end

--- The position of the last prototype's data in a stripped dump, which is that of the function itself.
local function last_prototype(bytes)
  local _, at = read_number(bytes, 5) -- the flags, after the magic and the version
  local begin
  while true do
    local length, data = read_number(bytes, at)
    if length == 0 then return begin end
    begin, at = data, data + length
  end
end

--- The bytecode of a function as a string, which depends only on the function's text.
local function bytecode(fn)
  local bytes = string.dump(fn, true)
  local begin = last_prototype(bytes)
  local nupvalues = bytes:byte(begin + 3)
  local _, at = read_number(bytes, begin + 4)
  _, at = read_number(bytes, at)
  local ninstructions
  ninstructions, at = read_number(bytes, at)
  local first = at + 4 * ninstructions -- two bytes per upvalue: its location in the outer function
  return bytes:sub(1, first - 1) .. bytes:sub(first + 2 * nupvalues)
end

--- The names of a function's upvalues.
local function upvalue_names(fn)
  local names = {}
  while true do
    local name = debug.getupvalue(fn, #names + 1)
    if not name then return table.concat(names, ", ") end
    names[#names + 1] = name
  end
end

--- Whether a function was compiled from a text. The text is compiled without the enclosing functions, inside of locals
--- with the names of its upvalues; bytecode has only the order of upvalues, not their names.
local function is_text_of(fn, text)
  local names = upvalue_names(fn)
  local chunk = loadstring((names ~= "" and "local " .. names .. "\n" or "") .. "return " .. text, "=text")
  local again = chunk and chunk()
  return again ~= nil and upvalue_names(again) == names and bytecode(again) == bytecode(fn)
end

-- ---- places ----

local OPENS = {["function"] = true, ["if"] = true, ["do"] = true, ["repeat"] = true}

--- The token that ends the function whose keyword is token `at`.
local function function_end(tokens, at)
  local depth = 0
  for k = at, #tokens do
    local kind = tokens[k][1]
    if OPENS[kind] then
      depth = depth + 1
    elseif kind == "end" or kind == "until" then
      depth = depth - 1
      if depth == 0 then return k end
    end
  end
end

--- The tokens "(" and "end" of functions that begin and end at these lines.
local function candidates(tokens, first_line, last_line)
  local list = {}
  for k, token in ipairs(tokens) do
    if token[1] == "function" and token[3] <= first_line and first_line - token[3] < 100 then
      local paren = k + 1
      while tokens[paren][1] ~= "(" and tokens[paren][1] ~= "eof" do paren = paren + 1 end
      local last = (token[3] == first_line or tokens[paren][3] == first_line) and function_end(tokens, k)
      if last and tokens[last][3] == last_line then list[#list + 1] = {paren = paren, last = last} end
    elseif token[3] > first_line then
      break
    end
  end
  return list
end

--- The name of a function in its statement: local f = ...rawkernel(function, function f(.
local function name_of(tokens, paren)
  if tokens[paren - 1][1] == "name" then return tokens[paren - 1][2] end
  local k = paren - 2
  if k > 0 and tokens[k][1] == "(" then k = k - 1 end
  while k > 1 and (tokens[k][1] == "name" and tokens[k - 1][1] == "." or tokens[k][1] == ".") do k = k - 1 end
  if k > 1 and tokens[k][1] == "name" and tokens[k - 1][1] == "=" then k = k - 1 end
  return k > 1 and tokens[k][1] == "=" and tokens[k - 1][1] == "name" and tokens[k - 1][2] or nil
end

local TWO = "two functions are on one line; put the kernel on a separate line"

--- The candidate that the function was compiled from; nil and the problem. Other candidates may enclose it or be inside
--- of it, but not follow or precede it.
local function place_of(list, tokens, text, fn)
  local chosen
  for _, place in ipairs(list) do
    local body = text:sub(tokens[place.paren][4], tokens[place.last][5])
    if not chosen and is_text_of(fn, "function" .. body) then chosen = place end
  end
  for _, place in ipairs(list) do
    local other = chosen or list[1]
    if place.paren > other.last or place.last < other.paren then return nil, TWO end
  end
  return chosen, "the text there is not the function's: the file was changed after it was loaded"
end

--- Finds a function in a text; nil and the problem.
local function search(text, info, fn)
  local ok, tokens = pcall(lex.tokens, text)
  if not ok then return nil, "its text cannot be read: " .. tostring(tokens.message or tokens) end
  local list = candidates(tokens, info.linedefined, info.lastlinedefined)
  if #list == 0 then return nil, "there is no function at this line any more" end
  if #list == 1 and tokens[list[1].paren - 2][1] == ":" then
    return nil, "it is a method, whose first argument is self; write function t.f(x) with a point"
  end
  local place, problem = place_of(list, tokens, text, fn)
  if not place then return nil, problem end
  return {tokens = tokens, at = place.paren - 1, file = info.short_src, line = info.linedefined,
    name = name_of(tokens, place.paren)}
end

local function search_kept(texts, info, fn)
  local problem
  for k = #texts, 1, -1 do
    local found, why = search(texts[k], info, fn)
    if found then return found end
    if not problem or why == TWO then problem = why end
  end
  return nil, problem
end

local ADVICE = "; pass the text itself: cn.jit.rawkernel [[function(x, y) ... end]]"

--- The text of a chunk's source; nil and the reason if there is none.
local function text_of(info)
  local kind, rest = info.source:sub(1, 1), info.source:sub(2)
  if kind == "@" then
    local file = io.open(rest, "rb")
    if not file then return nil, ("its file %s cannot be opened"):format(rest) .. ADVICE end
    local text = file:read "*a"
    file:close()
    return with_newlines(text)
  elseif kind == "=" or not loadstring(info.source) then -- a name instead of a text
    local name = kind == "=" and rest or info.source
    return nil, ("the text of the chunk '%s' is not available"):format(name) .. ADVICE
  end
  return with_newlines(info.source)
end

--- Finds a function in Lua; nil and the problem.
local function find(fn, info)
  if info.linedefined <= 0 or (info.nups > 0 and debug.getupvalue(fn, 1) == "") then
    return nil, "it has no debug information" .. ADVICE
  end
  local found, problem
  if kept[info.source] then
    found, problem = search_kept(kept[info.source], info, fn)
  else
    local text
    text, problem = text_of(info)
    if not text then return nil, problem end
    found, problem = search(text, info, fn)
  end
  return found, problem and ("%s:%d: %s"):format(info.short_src, info.linedefined, problem)
end

--- The text of a Lua function: {tokens, at (the token before its parameters), fn, file, line, name or nil}; nil and the
--- reason if there is none.
---@param fn function
---@return table|nil
---@return string|nil
function M.find(fn)
  local info = debug.getinfo(fn, "Su")
  if info.what == "C" then return nil, "a function in C has no Lua text" end
  local proto = has_util and util.funcinfo(fn).proto or fn
  local place, problem = places[proto], nil
  if not place then place, problem = find(fn, info) end
  if not place then return nil, problem end
  places[proto] = place
  return {tokens = place.tokens, at = place.at, fn = fn, file = place.file, line = place.line, name = place.name}
end

--- A function given as text: "function(x) ... end".
---@param text string
---@param env table its globals
---@return table|nil
---@return string|nil
function M.read(text, env)
  text = with_newlines(text)
  local ok, tokens = pcall(lex.tokens, text)
  if not ok then return nil, ("line %d of the text: %s"):format(tokens.line, tokens.message) end
  if tokens[1][1] ~= "function" or tokens[2][1] ~= "(" then return nil, "the text is not function(...) ... end" end
  local chunk, problem = loadstring("return " .. text, "=text")
  if not chunk then return nil, (problem:gsub("^text:(%d+): ", "line %1 of the text: ")) end
  local last = function_end(tokens, 1)
  if tokens[last + 1][1] ~= "eof" then return nil, "the text continues after the function" end
  local fn = setfenv(chunk, env)()
  return {tokens = tokens, at = 1, fn = setfenv(fn, env), file = "text", line = tokens[1][3]}
end

return M
