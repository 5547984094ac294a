--- doc_reader.lua: reads the documentation blocks of cuna's source files.
--
-- A block is the run of lines that begin with `---` above a definition, in LuaLS's format: text first, then tags. A
-- line of text after a tag continues it. A block with @class or @alias needs no definition. A defined name belongs to a
-- variable of the file (F, methods), whose meaning subjects.lua lists.
local M = {}

local CLOSING = {["("] = ")", ["{"] = "}", ["["] = "]"}

--- Splits "type text": blanks inside of brackets and quotes, and after `:`, `,` and `|`, belong to the type.
local function split_type(text)
  local at, open = 1, {}
  while at <= #text do
    local char = text:sub(at, at)
    if char == '"' then
      at = text:find('"', at + 1, true) or #text
    elseif CLOSING[char] then
      open[#open + 1] = CLOSING[char]
    elseif char == open[#open] then
      open[#open] = nil
    elseif char == " " and #open == 0 and not text:sub(1, at - 1):find "[:,|]$" then
      break
    end
    at = at + 1
  end
  return text:sub(1, at - 1), text:sub(at + 1)
end

--- A parameter, result or field. One that may be omitted has `optional` instead of `|nil` in its type; one that may be
--- repeated has `rest`.
local function described(name, line)
  local kind, text = split_type(line)
  local plain, more = kind:gsub("|nil$", ""), text:match "^%.%.%.%s*(.*)$"
  local bare = name and name:gsub("%?$", "")
  return {name = bare, type = plain, optional = plain ~= kind or bare ~= name, text = more or text, rest = more ~= nil}
end

--- A parameter or field, from the text after its tag.
function M.parameter(text)
  local name, more = text:match "^(%S+)%s*(.*)$"
  return described(name, more)
end

--- A result, from the text after its tag.
function M.result(text) return described(nil, text) end

--- An example, from the text after its tag.
function M.usage(text)
  local expression, expected = text:match "^(.-) %-%->%s?(.*)$"
  return {text = text, expression = expression, expected = expected}
end

local TAGS = {}

function TAGS.param(block, rest) return block.params, M.parameter(rest) end
function TAGS.field(block, rest) return block.fields, M.parameter(rest) end
TAGS["return"] = function(block, rest) return block.returns, M.result(rest) end
function TAGS.usage(block, rest) return block.usages, M.usage(rest) end

function TAGS.class(block, rest)
  return block.classes, {name = rest:match "^[%w_.]+"}
end

function TAGS.alias(block, rest)
  local name, more = rest:match "^(%S+)%s*(.*)$"
  return block.classes, described(name, more)
end

function TAGS.overload(block, rest) return block.overloads, {text = rest} end

--- Adds a line, without its `---`, to a block.
local function add_line(block, line, number)
  local tag, rest = line:match "^@(%a+)%s*(.*)$"
  if tag and TAGS[tag] then
    local list, item = TAGS[tag](block, rest)
    item.line = number
    list[#list + 1], block.last = item, item
  elseif block.last then
    block.last.text = ((block.last.text or "") .. " " .. line:gsub("^ ", "")):gsub("^ ", "")
  else
    block.text[#block.text + 1] = line:gsub("^ ", "")
  end
end

--- The names that a line of code defines: {{variable, name}, ...}; its parameters if it has them, including the self of
--- a colon; and for F.x = text.x the variable that holds the original.
local function defined(line)
  local owner, mark, name, params = line:match "^function ([%w_.]+)([.:])([%w_]+)%((.-)%)"
  if owner then return {{owner, name}}, mark == ":" and "self, " .. params or params end
  local names, left, right = {}, line:match "^([%a][%w_., ]*) = (.*)$"
  for variable, word in (left or ""):gmatch "([%w_.]+)%.([%w_]+)" do names[#names + 1] = {variable, word} end
  return names, nil, right and right:match "^([%w_]+)%.[%w_]+$"
end

--- Second names that a line of code defines: {{variable, name, variable, name}, ...} for F.a, F.b = F.c, F.d.
local function renamed(line, list)
  local left, right = line:match "^([%a][%w_., ]*) = ([%a][%w_., ]*)$"
  local targets = {}
  for variable, name in (right or ""):gmatch "([%w_.]+)%.([%w_]+)" do targets[#targets + 1] = {variable, name} end
  local at = 0
  for variable, name in (left or ""):gmatch "([%w_.]+)%.([%w_]+)" do
    at = at + 1
    local target = targets[at]
    if target then list[#list + 1] = {variable, name, target[1], target[2]} end
  end
end

--- The blocks of a file and their definitions: {line, text (lines), params, returns, fields, usages, overloads; names,
--- args, source, code_line of the definition; classes, with a type if they are aliases}. Also its second names.
---@param path string
---@return table[]|nil blocks nil if the file cannot be read
---@return string[][] renamed
function M.read(path)
  local file = io.open(path)
  if not file then return nil, {} end
  local blocks, second, block, number = {}, {}, nil, 0
  for line in file:lines() do
    number = number + 1
    if line:find "^%-%-%-" then
      block = block or {line = number, text = {}, params = {}, returns = {}, fields = {}, usages = {}, overloads = {},
        classes = {}}
      add_line(block, line:sub(4), number)
    else
      if block then
        block.names, block.args, block.source = defined(line)
        block.code_line = number
        if block.classes[1] or block.names[1] then blocks[#blocks + 1] = block end
      elseif line:find "^[%a][%w_., ]* = " then
        renamed(line, second)
      end
      block = nil
    end
  end
  file:close()
  return blocks, second
end

return M
