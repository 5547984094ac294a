--- completion.lua: completes words at the prompt: variables, functions, methods, fields and options.
--
-- Nothing is called or computed for it: names of cuna's come from its documentation, others from tables.
local catalog = require "cuna.tools.catalog"
local core = require "cuna.core"
local subjects = require "cuna.tools.subjects"

local M = {}

local KEYWORDS = {"and", "break", "do", "else", "elseif", "end", "exit", "false", "for", "function", "goto", "help",
  "if", "in", "local", "nil", "not", "or", "repeat", "return", "then", "true", "until", "while"}

local function add_keys(names, value)
  for key in next, value do
    if type(key) == "string" and key:find "^[%a_][%w_]*$" then names[key] = true end
  end
end

--- The keys of a table, and of those that it looks into.
local function add_table(names, value)
  for _ = 1, 8 do
    if type(value) ~= "table" then return end
    add_keys(names, value)
    local meta = debug.getmetatable(value)
    value = type(meta) == "table" and rawget(meta, "__index")
  end
end

--- The entry of a table without running anything; of cuna's tables also what is loaded when it is first asked for.
local function lookup(value, name)
  for _ = 1, 8 do
    if type(value) ~= "table" then return end
    local found = rawget(value, name)
    if found ~= nil then return found end
    local meta = debug.getmetatable(value)
    value = type(meta) == "table" and rawget(meta, "__index")
  end
end

--- The owner in the catalog of a table of functions: "cn.linalg".
local function owner_of(value)
  local cn = require "cuna"
  for _, owner in ipairs(subjects.namespaces) do
    local place = cn
    for word in owner:gmatch "%.([^.]+)" do place = place and place[word] end
    if rawequal(place, value) then return owner end
  end
end

--- The value of a path such as "cn.linalg"; nil if only running code would tell.
local function value_of(path, env)
  local value
  for word in path:gmatch "[^.:]+" do
    if value == nil then
      value = lookup(env, word)
    else
      value = owner_of(value) and value[word] or lookup(value, word)
    end
    if value == nil then return end
  end
  return value
end

local function add_owned(names, owner)
  local start = owner .. "\0"
  for key in pairs(catalog.load().by_key) do
    if key:sub(1, #start) == start then names[key:sub(#start + 1)] = true end
  end
end

local function add_array(names, separator)
  if separator == "." then
    for _, field in ipairs(catalog.entry("cuna", "Array").fields) do names[field.name] = true end
    return
  end
  add_keys(names, require("cuna.method").all())
end

--- The names after "head." or "head:".
local function add_members(names, head, separator, env)
  local value = value_of(head, env)
  local owner = type(value) == "table" and owner_of(value)
  if core.is_array(value) then return add_array(names, separator) end
  if type(value) == "string" and separator == ":" then return add_keys(names, string) end
  if owner then
    add_owned(names, owner)
    for _, inner in ipairs(subjects.namespaces) do
      local name = inner:sub(1, #owner + 1) == owner .. "." and inner:sub(#owner + 2):match "^[^.]+"
      if name then names[name] = true end
    end
  end
  add_table(names, value)
end

--- The function whose arguments or options a place of a line is in: "cn.sum" for "y = cn.sum(x, {axis = 1, ".
local function call_before(line)
  local depth = 0
  for at = #line, 1, -1 do
    local char = line:sub(at, at)
    if char:find "[)}%]]" then depth = depth + 1 end
    if char:find "[({%[]" then
      local name = depth == 0 and line:sub(1, at - 1):match "([%a_][%w_.:]*)%s*$"
      if name then return name end
      depth = math.max(0, depth - 1)
    end
  end
end

local function entry_of(path, env)
  local head, separator, name = path:match "^(.*)([.:])([%w_]+)$"
  if not head then return end
  if separator == ":" then return catalog.entry("cuna.Array", name) end
  local owner = owner_of(value_of(head, env))
  return owner and catalog.entry(owner, name)
end

--- The options of the call that a word is in, as "axis = ".
local function add_options(names, line, env)
  local path = call_before(line)
  local entry = path and entry_of(path, env)
  for _, param in ipairs(entry and entry.params or {}) do
    if param.name ~= "options" and param.optional then names[param.name .. " = "] = true end
    for option in param.type:gmatch "([%a_][%w_]*)%?:" do names[option .. " = "] = true end
  end
end

local function listed(names, start, front)
  local list = {}
  for name in pairs(names) do
    if name:sub(1, #start) == start then list[#list + 1] = front .. name end
  end
  table.sort(list)
  return list
end

--- The words that a word may become.
---@param line string up to the end of the word
---@param word string names with dots and colons
---@param env table where its variables are
---@return string[]
function M.complete(line, word, env)
  local head, separator, start = word:match "^(.*)([.:])([%w_]*)$"
  local names = {}
  if head then
    add_members(names, head, separator, env)
    return listed(names, start, head .. separator)
  end
  local before = line:sub(1, #line - #word)
  if before:find "^%s*%?%s*$" then
    for name in pairs(catalog.load().by_name) do names[name] = true end
    return listed(names, word, "")
  end
  if before:find "[{,]%s*$" then add_options(names, before, env) end
  add_table(names, env)
  for _, keyword in ipairs(KEYWORDS) do names[keyword] = true end
  return listed(names, word, "")
end

return M
