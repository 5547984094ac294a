--- help.lua: cn.help: the documentation of a name, a function or an object.
--
-- A name is split at its last dot or colon. The word after it selects entries of catalog.lua, the part before it the
-- owner. A function is searched in the tables of functions, and otherwise identified by the source line where it
-- begins. What is not a name is looked for among the pages of topics.lua, and in the texts of all entries.
local args = require "cuna.base.args"
local catalog = require "cuna.tools.catalog"
local check = require "cuna.base.check"
local core = require "cuna.core"
local find = require "cuna.tools.find"
local home = require "cuna.base.home"
local subjects = require "cuna.tools.subjects"
local suggest = require "cuna.base.suggest"
local terminal = require "cuna.base.terminal"
local topics = require "cuna.tools.topics"

local M = {functions = {}}
local F = M.functions

local fail = check.fail

local NAMESPACES = subjects.namespaces
local MOST, LEAST = 100, 40
local width = MOST -- of lines: of a narrower terminal, its own
local SHOWN = 12 -- entries that have the words of a query
local OPERATORS = {["+"] = "add", ["-"] = "subtract", ["*"] = "multiply", ["/"] = "divide", ["%"] = "remainder",
  ["^"] = "power", [".."] = "concatenate"}

-- ---- an entry as text ----

local function signature(entry, title, skip)
  local words = {}
  for k = 1 + (skip or 0), #entry.params do
    local param = entry.params[k]
    words[#words + 1] = param.name .. (param.optional and "?" or "")
  end
  return ("%s(%s)"):format(title, table.concat(words, ", "))
end

--- The ways to call an entry: the function, the method, and the other names.
---@return string[] calls
---@return string[] names
function M.calls(entry)
  if entry.kind == "class" or entry.kind == "alias" then return {entry.title}, {} end
  local calls, names = {signature(entry, entry.title)}, {}
  if entry.is_method then calls[2] = signature(entry, "x:" .. entry.name, 1) end
  for _, pair in ipairs(entry.aliases) do names[#names + 1] = catalog.title(pair[1], pair[2]) end
  return calls, names
end

--- Breaks a text into lines of at most `most` characters, with `indent` before all but the first.
local function wrapped(text, most, indent)
  local lines, line = {}, ""
  for word in text:gmatch "%S+" do
    if line ~= "" and #line + 1 + #word > most then
      lines[#lines + 1], line = line, word
    else
      line = line == "" and word or line .. " " .. word
    end
  end
  lines[#lines + 1] = line
  return table.concat(lines, "\n" .. indent)
end

--- Adds a description: its paragraphs and the items of its lists fill lines, code keeps its own.
local function add_text(lines, text)
  local part, indent = {}, ""
  local function finish()
    if part[1] then lines[#lines + 1] = wrapped(table.concat(part, " "), width - #indent, indent) end
    part, indent = {}, ""
  end
  for _, line in ipairs(text) do
    local is_own = line == "" or line:find "^%s%s%s"
    if is_own or line:find "^- " then finish() end
    if is_own then
      lines[#lines + 1] = line
    else
      if line:find "^- " then indent = "  " end
      part[#part + 1] = line
    end
  end
  finish()
end

--- `missing` is the text for an optional one.
local function add_described(lines, list, missing, word)
  for _, item in ipairs(list) do
    local kind = item.type .. (item.rest and " ..." or "") .. (item.optional and missing or "")
    local text = kind .. (item.text ~= "" and ": " .. item.text or "")
    lines[#lines + 1] = ("  %-10s %s"):format(word or item.name, wrapped(text, width - 14, (" "):rep(13)))
  end
end

--- The methods of a class, as calls.
local function methods_of(class)
  local titles = {}
  for _, entry in ipairs(catalog.load().entries) do
    if entry.owner == class then titles[#titles + 1] = entry.title end
    if class == "cuna.Array" and entry.is_method then titles[#titles + 1] = "x:" .. entry.name end
  end
  return titles
end

--- An entry as text for people.
local function entry_text(entry)
  local calls, names = M.calls(entry)
  local lines = {table.concat(calls, "    ")}
  if entry.type then lines[1] = lines[1] .. " = " .. entry.type end
  if #names > 0 then lines[2] = wrapped("also " .. table.concat(names, ", "), width, "     ") end
  lines[#lines + 1] = ""
  add_text(lines, entry.text)
  if #entry.params + #entry.returns + #entry.fields > 0 then lines[#lines + 1] = "" end
  add_described(lines, entry.params, ", may be left out")
  add_described(lines, entry.fields, " or nil")
  add_described(lines, entry.returns, " or nil", "->")
  local methods = entry.kind == "class" and methods_of(entry.title) or {}
  if #methods > 0 then lines[#lines + 1] = "\n  " .. wrapped(table.concat(methods, "  "), width, "  ") end
  if #entry.usages > 0 then lines[#lines + 1] = "" end
  for _, usage in ipairs(entry.usages) do lines[#lines + 1] = "  " .. usage.text end
  return table.concat(lines, "\n") .. "\n"
end

-- ---- finding entries ----

--- Whether a word may precede a name of an owner: cuda, Stream, stream, cn.cuda.Stream, x, ...
local function is_owner(owner, word)
  word = word:gsub("^cn%.", ""):gsub("^cuna%.", ""):gsub("^cuda%.", ""):lower()
  local full = owner:gsub("^cn%.", ""):gsub("^cuna%.", ""):lower()
  return word == full or word == full:match "[^.]+$" or owner == "cn" and word == "cuna"
    or owner == "cuna.Array" and word == "x"
end

local function by_place(a, b) return a.page .. a.title < b.page .. b.title end

--- The entries of a name; only those of cn if no owner precedes it.
local function find_named(name)
  local front, word = name:match "^(.-)[.:]?([%w_]+)$"
  local by_owner, found, seen = catalog.load().by_name[word or ""] or {}, {}, {}
  if front == "" and by_owner.cn then return {by_owner.cn} end
  for owner, entry in pairs(by_owner) do
    local is_wanted = front == "" or is_owner(owner, front) or entry.is_method and is_owner("cuna.Array", front)
    if is_wanted and not seen[entry] then found[#found + 1], seen[entry] = entry, true end
  end
  table.sort(found, by_place)
  return found
end

--- The fields of classes with this name, as text.
local function fields_text(name)
  local front, word = name:match "^(.-)[.:]?([%w_]+)$"
  local lines = {}
  for _, entry in ipairs(catalog.load().entries) do
    for _, field in ipairs(entry.kind == "class" and entry.fields or {}) do
      if field.name == word and (front == "" or is_owner(entry.title, front)) then
        lines[#lines + 1] = ("%s.%s"):format(entry.title, word)
        lines[#lines + 1] = ("\n  %s%s\n"):format(field.type, field.text ~= "" and ": " .. field.text or "")
      end
    end
  end
  return #lines > 0 and table.concat(lines, "\n") or nil
end

--- The names of a page, or of the functions of a namespace, as text.
local function list_text(title, belongs)
  local names = {}
  for _, entry in ipairs(catalog.load().entries) do
    if belongs(entry) then names[#names + 1] = entry.title end
  end
  return ("%s\n\n  %s\n"):format(title, wrapped(table.concat(names, "  "), width, "  "))
end

local function subject_text(name)
  for _, row in ipairs(subjects.rows) do
    if row[1] == name then
      return list_text(row[2] .. ":", function(entry) return entry.page == name end)
    end
  end
end

local function namespace_text(owner)
  return list_text(owner .. ":", function(entry) return entry.owner == owner end)
end

local function texts_of(entries)
  local texts = {}
  for i, entry in ipairs(entries) do texts[i] = entry_text(entry) end
  return #texts > 0 and table.concat(texts, "\n") or nil
end

--- What is called nearly so, as "; did you mean 'sum'?", or "".
local function near_text(name)
  local pages, known = {}, {}
  for _, list in ipairs {subjects.rows, topics.rows} do
    for _, row in ipairs(list) do pages[row[1] or row.name] = true end
  end
  for _, entry in pairs(catalog.load().by_key) do known[entry.title:gsub("^cn%.", "")] = true end
  local near = suggest.find(name:match "[%w_]*$", catalog.load().by_name, pages)
    or suggest.find(name:gsub("^cn%.", ""), known, pages)
  return suggest.phrase(near)
end

--- The entries that speak of what nothing is called, as text; nil if there are none, or if the name has an owner.
local function found_text(name)
  local entries = name:find "[.:]" and {} or find.entries(name)
  if #entries == 0 then return nil end
  local near = near_text(name)
  local lines = {name:find "^[%w_]+$" and ("Nothing is called '%s'%s These %d speak of it:\n"):format(name,
    near == "" and "." or near, #entries) or ("%d entries speak of '%s':\n"):format(#entries, name)}
  for i = 1, math.min(SHOWN, #entries) do
    local title, summary = entries[i].title, find.summary(entries[i])
    if #title + #summary > width - 6 then summary = summary:sub(1, width - 9 - #title):gsub("%s%S*$", " ...") end
    lines[#lines + 1] = ("  %-28s %s"):format(title, summary)
  end
  if #entries > SHOWN then lines[#lines + 1] = ("  and %d more"):format(#entries - SHOWN) end
  return table.concat(lines, "\n") .. "\n"
end

local function refuse(name)
  fail("help: nothing is called '%s'%s; cn.help() lists the subjects", name, near_text(name))
end

local function text_of_name(name)
  for _, owner in ipairs(NAMESPACES) do
    if name == owner or "cn." .. name == owner then return namespace_text(owner) end
  end
  local texts, topic = {}, topics.find(name)
  if topic and topic.name == name then texts[1] = topics.text(topic) end
  texts[#texts + 1] = texts_of(find_named(OPERATORS[name] or name))
  texts[#texts + 1] = subject_text(name)
  if topic and not texts[1] then texts[1] = topics.text(topic) end
  return texts[1] and table.concat(texts, "\n") or fields_text(name) or found_text(name) or refuse(name)
end

-- ---- functions and objects ----

local function resolve(path)
  local value = args.namespace
  for word in path:gmatch "[^.]+" do
    if word ~= "cn" then value = value[word] end
  end
  return value
end

--- The entry of a value of a table, the shortest name first.
local function find_in(owner, list, value)
  local names = {}
  for name, other in pairs(list) do
    if rawequal(value, other) and type(name) == "string" then names[#names + 1] = name end
  end
  table.sort(names, function(a, b) return #a < #b or #a == #b and a < b end)
  for _, name in ipairs(names) do
    local entry = catalog.entry(owner, name)
    if entry then return entry end
  end
end

--- The entry of the function that begins at a line of one of cuna's files.
local function find_by_line(fn)
  local info = debug.getinfo(fn, "S")
  local file = home.file(info.source)
  for _, entry in ipairs(catalog.load().entries) do
    if entry.file == file and entry.code_line == info.linedefined then return entry end
  end
end

local function find_value(value)
  for _, owner in ipairs(NAMESPACES) do
    local entry = find_in(owner, resolve(owner), value)
    if entry then return entry end
  end
  return find_in("cuna.Array", core.methods(), value) or type(value) == "function" and find_by_line(value) or nil
end

local function text_of_value(value)
  for _, owner in ipairs(NAMESPACES) do
    if rawequal(value, resolve(owner)) then
      return namespace_text(owner)
    end
  end
  if core.is_array(value) then return entry_text(catalog.entry("cuna", "Array")) end
  local entry = find_value(value)
  if entry then return entry_text(entry) end
  fail("help: cuna has no such %s; give a name such as \"sum\" or \"x:reshape\", or a function of cuna's", type(value))
end

local function subjects_text()
  local lines = {'cn.help "sum" prints the entry of a function; methods are "x:reshape" or "Stream:record".',
    "cn.help(cn.sum) takes functions. These subjects have lists of names, as in cn.help \"sums\":", ""}
  for _, row in ipairs(subjects.rows) do lines[#lines + 1] = ("  %-14s %s"):format(row[1], row[2]) end
  lines[#lines + 1] = "\nThese are pages about syntax, as in cn.help \"index\":\n"
  for _, row in ipairs(topics.rows) do lines[#lines + 1] = ("  %-14s %s"):format(row.name, row.title) end
  lines[#lines + 1] = "\nOther words are searched in all entries, as in cn.help \"gaussian blur\"."
  return table.concat(lines, "\n") .. "\n"
end

local read_help = args.reader("help", {"name", "text"}, 1)

--- Prints the documentation of a function: how to call it, what it does, its arguments and results, and examples.
--- Without a name it lists the subjects. A name is that of a function ("sum", "cuda.Event"), a method ("x:reshape",
--- "Stream:record"), a field ("x.shape"), a class ("Stream"), a subject ("sorting") or a page about syntax ("index",
--- "mask", "operators"). A function of cuna itself is accepted too. Other words are searched in the texts of all
--- entries, which are listed, best first. A name that nothing has is an error that suggests the most similar one.
---@param name string|function|table|nil
---@param text boolean|nil true returns the text instead of printing it
---@return string|nil
---@usage cn.help("flatnonzero", {text = true}):match "^[^\n]+" --> cn.flatnonzero(x) x:flatnonzero()
---@usage cn.help(cn.amin, {text = true}):match "^%S+" --> cn.min(x,
---@usage cn.help("gaussian blur", {text = true}):match "  (cn%S+)" --> cn.ndimage.gaussian_filter
function F.help(...)
  local name, as_text = read_help(...)
  local text
  width = MOST
  if not as_text and terminal.is_terminal(terminal.STDOUT) then
    width = math.max(LEAST, math.min(MOST, terminal.size(terminal.STDOUT) - 1))
  end
  if name == nil then
    text = subjects_text()
  elseif type(name) == "string" then
    text = text_of_name(name)
  else
    text = text_of_value(name)
  end
  if check.boolean(as_text, false, "help", "text") then return text end
  io.stdout:write(text)
end

return M
