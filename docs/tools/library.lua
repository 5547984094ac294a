--- library.lua: library/: what cuna has, in the words of LuaLS, for editors. Nothing loads these files.
--
-- library/cuna.lua is the module, library/cuna/<page>.lua what the page of docs/reference/ describes. Functions whose
-- arguments base/args.lua reads have a second form, with options: which these are is found by listening to args.reader.
local args = require "cuna.base.args"
local core = require "cuna.core"

local M = {}

local readers = {} -- lists by operation, of those that take options: names of arguments, how many are required

local function listen()
  local reader = args.reader
  function args.reader(operation, names, required)
    if (required or 1) < #names then
      readers[operation] = readers[operation] or {}
      table.insert(readers[operation], {names = names, required = required or 1})
    end
    return reader(operation, names, required)
  end
end
listen()

local catalog = require "cuna.tools.catalog"
local subjects = require "cuna.tools.subjects"

local cn = require "cuna"

local HEAD = "-- Made by `make docs` from the comments in lua/cuna/, for editors: nothing loads this file.\n"
local KEYWORDS = {["end"] = true, ["repeat"] = true, ["function"] = true, ["not"] = true, ["or"] = true, ["and"] = true}

local function add(lines, format, ...) lines[#lines + 1] = select("#", ...) > 0 and format:format(...) or format end

local function safe(name) return KEYWORDS[name] and name .. "_" or name end

--- A type in LuaLS's words; dtypes are their names.
local function base_type(item)
  return item.name == "dtype" and item.type:gsub("%f[%w]string%f[%W]", "cuna.Dtype") or item.type
end

local function typed(item) return item.optional and base_type(item) .. "|nil" or base_type(item) end

local function comment(text) return text ~= "" and " # " .. text or "" end

local function add_text(lines, entry)
  for _, line in ipairs(entry.text) do add(lines, "--- %s", line) end
  if #entry.usages > 0 then add(lines, "---\n--- ```lua") end
  for _, usage in ipairs(entry.usages) do add(lines, "--- %s", usage.text) end
  if #entry.usages > 0 then add(lines, "--- ```") end
end

--- The result types of an entry, as fun(...) has them.
local function result_types(entry)
  local types = {}
  for i, item in ipairs(entry.returns) do types[i] = typed(item) .. (item.rest and ", ..." or "") end
  return #types > 0 and ": " .. table.concat(types, ", ") or ""
end

--- How many of an entry's parameters come by position only, if a reader reads them: names that may be options are the
--- same in the same places. Readers of methods have the object first, which entries leave out.
local function required_by(reader, entry)
  local skipped = #reader.names - #entry.params
  if skipped ~= 0 and skipped ~= 1 then return end
  for i = math.max(reader.required, skipped) + 1, #reader.names do
    if entry.params[i - skipped].name ~= reader.names[i] then return end
  end
  return math.max(0, reader.required - skipped)
end

--- How many parameters of an entry come by position only; nil if it takes no options.
local function required_of(entry)
  if entry.kind == "operation" then return end
  for _, key in ipairs {entry.title:gsub("^cn%.", ""), entry.name} do
    for _, reader in ipairs(readers[key] or {}) do
      local required = required_by(reader, entry)
      if required then return required end
    end
  end
end

--- The form in which options come in a table, or nil. `from` is the first parameter that counts.
local function options_form(entry, from, self)
  local required = required_of(entry)
  local words, options = {self}, {}
  if not required then return end
  for i = from, #entry.params do
    local param = entry.params[i]
    if i <= required then
      words[#words + 1] = ("%s: %s"):format(safe(param.name), typed(param))
    else
      options[#options + 1] = ("%s?: %s"):format(param.name, base_type(param))
    end
  end
  if #options == 0 then return end
  words[#words + 1] = ("options: {%s}"):format(table.concat(options, ", "))
  return ("fun(%s)%s"):format(table.concat(words, ", "), result_types(entry))
end

--- A function's lines: of params from the one at `from` on; `self` is what a method's form with options takes first.
local function add_function(lines, entry, full_name, from, self)
  local words = {}
  add_text(lines, entry)
  for k = from, #entry.params do
    local param = entry.params[k]
    words[#words + 1] = safe(param.name)
    add(lines, "---@param %s %s%s", safe(param.name), typed(param), comment(param.text))
  end
  for _, item in ipairs(entry.returns) do add(lines, "---@return %s%s%s", typed(item), item.rest and " ..." or "",
    comment(item.text)) end
  local form = options_form(entry, from, self)
  if form then add(lines, "---@overload %s", form) end
  for _, overload in ipairs(from == 1 and entry.overloads or {}) do add(lines, "---@overload %s", overload.text) end
  add(lines, "function %s(%s) end\n", full_name, table.concat(words, ", "))
end

-- ---- classes ----

local OPERATORS = {__add = "add", __sub = "sub", __mul = "mul", __div = "div", __mod = "mod", __pow = "pow"}

local function add_operators(lines, entries)
  for _, entry in ipairs(entries) do
    local operator = entry.row and OPERATORS[entry.row.operator]
    if operator then add(lines, "---@operator %s(cuna.Operand): cuna.Array", operator) end
  end
  add(lines, "---@operator unm: cuna.Array")
  add(lines, "---@operator concat(cuna.Operand): cuna.Array")
  add(lines, "---@operator len: integer")
  add(lines, "---@field [integer|string|table|cuna.Array] any a number, a view or a copy")
end

local function add_class(lines, entry)
  add_text(lines, entry)
  if entry.type then return add(lines, "---@alias %s %s\n", entry.title, entry.type) end
  add(lines, "---@class %s", entry.title)
  for _, field in ipairs(entry.fields) do
    add(lines, "---@field %s %s%s", field.name, typed(field), field.text ~= "" and " " .. field.text or "")
  end
  for _, overload in ipairs(entry.overloads) do add(lines, "---@overload %s", overload.text) end
  if entry.title == "cuna.Array" then add_operators(lines, catalog.load().entries) end
  add(lines, "local %s = {}\n", entry.name)
end

--- A function with fields: cn.cuda.Stream.
local function add_callable(lines, entry, full_name)
  add(lines, "---@class %s.class", entry.title:gsub("^cn%.", "cuna."))
  for _, field in ipairs(entry.fields) do add(lines, "---@field %s %s %s", field.name, typed(field), field.text) end
  local words = {}
  for i, param in ipairs(entry.params) do words[i] = safe(param.name) .. ": " .. typed(param) end
  add(lines, "---@overload fun(%s)%s", table.concat(words, ", "), result_types(entry))
  add(lines, "local %sClass = {}\n", entry.name)
  add_text(lines, entry)
  add(lines, "%s = %sClass\n", full_name, entry.name)
end

-- ---- pages ----

--- The variable that stands for an owner: cn.cuda -> cuda, cuna.Array -> Array.
local function variable_of(owner) return owner:match "[^.]+$" end

--- Names of arrays' methods that are the functions of an entry.
local function method_names(entry)
  local names, methods = {}, core.methods()
  if not entry.owner:find "^cn" then return names end
  local function check(owner, name)
    local is_method = owner == "cn" and rawget(methods, name) and catalog.entry("cuna.Array", name) == entry
    if is_method or owner == "cuna.Array" then names[#names + 1] = name end
  end
  check(entry.owner, entry.name)
  for _, pair in ipairs(entry.aliases) do check(pair[1], pair[2]) end
  return names
end

local function is_in_place(entry, name) return entry.row and name:find "_$" end

local function add_methods(lines, entry)
  local first
  for _, name in ipairs(method_names(entry)) do
    if is_in_place(entry, name) then
      local params = entry.row.nargs == 2 and "x2" or ""
      add(lines, "--- %s In place.", entry.text[1])
      if params ~= "" then add(lines, "---@param x2 cuna.Operand") end
      add(lines, "---@return cuna.Array\nfunction Array:%s(%s) end\n", name, params)
    elseif first then
      add(lines, "Array.%s = Array.%s\n", name, first)
    else
      first = name
      add_function(lines, entry, "Array:" .. name, 2, "self: cuna.Array")
    end
  end
end

--- Whether another name of an entry is in a table of functions, or of the entry's own class.
local function is_other_name(entry, pair) return pair[1] == entry.owner or pair[1]:find "^cn%f[.%z]" ~= nil end

--- The other names of an entry. Functions of a table may be methods of an object that they share.
local function add_other_names(lines, entry)
  for _, pair in ipairs(entry.aliases) do
    local full = variable_of(pair[1]) .. "." .. pair[2]
    if entry.kind == "method" and pair[1] ~= entry.owner and is_other_name(entry, pair) then
      add_function(lines, entry, full, 1)
    elseif is_other_name(entry, pair) then
      add(lines, "%s = %s.%s\n", full, variable_of(entry.owner), entry.name)
    end
  end
end

local function add_entry(lines, entry)
  if entry.kind == "class" or entry.kind == "alias" then return add_class(lines, entry) end
  local variable = variable_of(entry.owner)
  if entry.kind == "method" then
    add_function(lines, entry, variable .. ":" .. entry.name, 1, "self: " .. entry.owner)
    return add_other_names(lines, entry)
  elseif #entry.fields > 0 then
    return add_callable(lines, entry, variable .. "." .. entry.name)
  end
  add_function(lines, entry, variable .. "." .. entry.name, 1)
  add_other_names(lines, entry)
  add_methods(lines, entry)
end

--- The declarations of what a page's functions belong to, where the page itself does not make them.
local function add_owners(lines, entries)
  local needed, made = {}, {}
  for _, entry in ipairs(entries) do
    if entry.kind == "class" then made[entry.title] = true end
    if entry.owner ~= "cuna" then needed[entry.owner:gsub("^cn%f[.%z]", "cuna")] = true end
    if #method_names(entry) > 0 then needed["cuna.Array"] = true end
    for _, pair in ipairs(entry.aliases) do
      if is_other_name(entry, pair) then needed[pair[1]:gsub("^cn%f[.%z]", "cuna")] = true end
    end
  end
  local list = {}
  for class in pairs(needed) do
    if not made[class] then list[#list + 1] = class end
  end
  table.sort(list)
  for _, class in ipairs(list) do
    add(lines, "---@class %s\nlocal %s = {}\n", class, class == "cuna" and "cn" or variable_of(class))
  end
end

local function is_class(entry) return entry.kind == "class" or entry.kind == "alias" end

local function page_text(row, entries)
  local lines = {"---@meta _", HEAD .. "-- " .. row[2] .. ".\n"}
  add_owners(lines, entries)
  for _, wanted in ipairs {true, false} do -- methods need their class
    for _, entry in ipairs(entries) do
      if is_class(entry) == wanted then add_entry(lines, entry) end
    end
  end
  return (table.concat(lines, "\n"):gsub("%s+$", "") .. "\n"):gsub("[ \t]+\n", "\n")
end

--- The fields of tables of functions that are in others: cn.cuda.texture.
local function add_inner(lines)
  for _, owner in ipairs(subjects.namespaces) do
    local outer, name = owner:match "^cn%.(.*)%.([^.]+)$"
    if outer then add(lines, "---@class cuna.%s\n---@field %s cuna.%s.%s\n", outer, name, outer, name) end
  end
end

--- The names of a table's strings, numbers and userdata, sorted.
local function value_names(space)
  local names = {}
  for name, value in pairs(space) do
    if type(value) ~= "function" and type(value) ~= "table" then names[#names + 1] = name end
  end
  table.sort(names)
  return names
end

--- The constants of tables of functions: cn.linalg.LinAlgError.
local function add_constants(lines)
  for _, owner in ipairs(subjects.namespaces) do
    local space, class = cn, owner:gsub("^cn", "cuna")
    for name in owner:gmatch "%.([^.]+)" do space = space[name] end
    local described = catalog.load().by_key[class:gsub("%.([^.]+)$", "\0%1")] -- with its fields
    local names = owner ~= "cn" and not described and value_names(space) or {}
    if #names > 0 then add(lines, "---@class %s", class) end
    for _, name in ipairs(names) do add(lines, "---@field %s %s", name, type(space[name])) end
    if #names > 0 then add(lines, "") end
  end
end

local function module_text()
  local lines, names = {"---@meta cuna", HEAD}, value_names(cn)
  add_inner(lines)
  add_constants(lines)
  local dtypes = {}
  for i, dtype in ipairs(core.dtypes) do dtypes[i] = ("%q"):format(dtype.name) end
  add(lines, "---@alias cuna.Dtype %s\n", table.concat(dtypes, "|"))
  add(lines, "---@class cuna")
  for _, name in ipairs(names) do
    local kind = type(cn[name])
    local is_dtype = kind == "string" and name ~= "_VERSION"
    add(lines, "---@field %s %s", name, is_dtype and ('"%s" a dtype'):format(cn[name]) or kind)
  end
  for _, owner in ipairs(subjects.namespaces) do
    local name = owner:match "^cn%.([^.]+)$"
    if name then add(lines, "---@field %s cuna.%s", name, name) end
  end
  add(lines, "local cn = {}\n\nreturn cn")
  return table.concat(lines, "\n") .. "\n"
end

--- The files: their texts by their paths.
---@return table<string, string>
function M.make()
  local files, by_page = {["library/cuna.lua"] = module_text()}, {}
  for _, row in ipairs(subjects.rows) do
    by_page[row[1]] = {}
    for file in row[3]:gmatch "%S+" do require(subjects.module(file)) end -- to listen
  end
  for _, entry in ipairs(catalog.load().entries) do table.insert(by_page[entry.page], entry) end
  for _, row in ipairs(subjects.rows) do
    files["library/cuna/" .. row[1] .. ".lua"] = page_text(row, by_page[row[1]])
  end
  return files
end

return M
