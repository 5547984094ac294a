--- catalog.lua: all documented names: functions, methods, fields, classes, operations.
--
-- The entries come from the blocks that doc_reader.lua finds in the files of subjects.lua, and from the rows of
-- ops.lua, special/ops.lua and reductions.lua. Fields of an entry:
--   kind                   "function", "method", "class", "alias" (of a type) or "operation"
--   owner, name            "cn" and "zeros", "cn.cuda" and "Event", "cuna.Array" and "fill"; of a class "cuna", "Event"
--   title                  as in code: cn.zeros, cn.cuda.Event, x:fill, Stream:record, cuna.Event
--   page, file             its page in docs/reference/ and its file in lua/cuna/
--   text                   lines
--   params, returns, fields, usages, overloads    as from doc_reader.lua; a method's params without the array
--   aliases                other names: {{owner, name}, ...}
--   is_method              whether a function is x:name(...) too
--   follows                the function of another library that it follows, or nil
--   type                   the type of an alias
--   row                    of ops.lua or special/ops.lua
local array_methods = require "cuna.method"
local core = require "cuna.core"
local elementwise = require "cuna.elementwise"
local home = require "cuna.base.home"
local reader = require "cuna.tools.doc_reader"
local reducers = require "cuna.reducers"
local subjects = require "cuna.tools.subjects"

local M = {}

local WIDTH = 116 -- of a line of text

--- The title of a name that belongs to an owner.
local function title_of(owner, name)
  if owner == "cuna.Array" then return "x:" .. name end
  local class = owner:match "^cuna%.(.+)$"
  return class and class .. ":" .. name or owner .. "." .. name
end
M.title = title_of

local function follows(lines)
  local source = table.concat(lines, " "):match "Follows%s+([%w_.]+)"
  return source and source:gsub("%.$", "")
end

--- Removes the first parameter if the block describes the array before the colon.
local function without_self(block, owner)
  local own = (block.args or ""):match "^[%w_]+"
  local first = block.params[1]
  local is_own = first and (first.name == own or owner == "cuna.Array" and first.type == "cuna.Array")
  return is_own and {unpack(block.params, 2)} or block.params
end

local function new_entry(block, file, owner, name)
  local is_method = owner:find "^cuna%." ~= nil
  return {
    kind = is_method and "method" or "function", owner = owner, name = name, title = title_of(owner, name), file = file,
    page = file == "init" and subjects.page(block.source) or subjects.page(file), line = block.line,
    code_line = block.code_line, text = block.text, params = is_method and without_self(block, owner) or block.params,
    returns = block.returns, fields = block.fields, usages = block.usages, overloads = block.overloads, aliases = {},
    follows = follows(block.text),
  }
end

local function class_entry(block, file, class)
  local owner, name = class.name:match "^(.*)%.([^.]+)$"
  return {kind = class.type and "alias" or "class", owner = owner, name = name, title = class.name, file = file,
    page = subjects.page(file), line = block.line, text = class.type and {class.text} or block.text, aliases = {},
    params = {}, returns = {}, fields = block.fields, usages = block.usages, overloads = block.overloads,
    type = class.type, follows = follows(block.text)}
end

local function parsed(parse, list)
  local items = {}
  for i, text in ipairs(list) do items[i] = parse(text) end
  return items
end

local function key_of(owner, name) return owner .. "\0" .. name end

--- Adds an entry unless there is one with its names.
local function add(catalog, entry)
  local key = key_of(entry.owner, entry.name)
  if catalog.by_key[key] then return catalog.by_key[key] end
  catalog.by_key[key] = entry
  catalog.entries[#catalog.entries + 1] = entry
  return entry
end

local function add_alias(catalog, owner, name, entry)
  local key = key_of(owner, name)
  if catalog.by_key[key] then return end
  catalog.by_key[key] = entry
  entry.aliases[#entry.aliases + 1] = {owner, name}
end

local function add_block(catalog, block, file, owners)
  for _, class in ipairs(block.classes) do add(catalog, class_entry(block, file, class)) end
  if block.classes[1] then return end
  local entry
  for _, pair in ipairs(block.names) do
    local owner = owners[pair[1]]
    if entry and owner then
      add_alias(catalog, owner, pair[2], entry)
    elseif owner then
      entry = add(catalog, new_entry(block, file, owner, pair[2]))
    end
  end
end

--- Adds the blocks of a file; returns the second names in it.
local function add_file(catalog, file)
  local owners = subjects.owners(file)
  local blocks, renamed = reader.read(home.folder .. file .. ".lua")
  if not blocks then core.fail("help: cannot read " .. home.folder .. file .. ".lua, where its documentation is") end
  for _, block in ipairs(blocks) do add_block(catalog, block, file, owners) end
  return {owners = owners, names = renamed}
end

--- Adds the second names of a file whose first names are in the catalog.
local function add_second_names(catalog, renamed)
  local owners = renamed.owners
  for _, second in ipairs(renamed.names) do
    local owner, target_owner = owners[second[1]], owners[second[3]]
    local entry = owner and target_owner and catalog.by_key[key_of(target_owner, second[4])]
    local is_same_method = owner == "cuna.Array" and second[2] == second[4]
    if entry and not is_same_method then add_alias(catalog, owner, second[2], entry) end
  end
end

-- ---- the rows of ops.lua and special/ops.lua ----

local OPERATORS = {__add = "%s + %s", __sub = "%s - %s", __mul = "%s * %s", __div = "%s / %s", __mod = "%s %% %s",
  __pow = "%s ^ %s", __unm = "-%s"}
local KINDS = {b = "bool", i = "signed integers", u = "unsigned integers", f = "floats", c = "complex numbers"}

--- The additional forms of operations with two operands, and their files.
local FORMS = {
  {name = "at", file = "at", text = "at positions x:%s_at(key, x2)"},
  {name = "reduce", file = "ufunc", text = "along an axis cn.%s_reduce(x, axis)"},
  {name = "accumulate", file = "ufunc", text = "step by step cn.%s_accumulate(x, axis)"},
  {name = "reduceat", file = "ufunc", text = "of segments cn.%s_reduceat(x, positions)"},
  {name = "outer", file = "ufunc", text = "of all pairs cn.%s_outer(x1, x2)"},
}

local function has_form(name, form, owner)
  return owner == "cn" and require("cuna." .. form.file).functions[name .. "_" .. form.name] ~= nil
end

--- Lines that describe a row in addition to its `doc`.
local function describe_row(row, owner)
  local lines, kinds = {row.doc}, {}
  for kind in row.kinds:gmatch "." do kinds[#kinds + 1] = KINDS[kind] end
  lines[2] = ("Computes with %s%s."):format(table.concat(kinds, ", "), row.bool == false and row.hint
    and "; not for bool: " .. row.hint or "")
  if row.rule == "float" then lines[2] = lines[2] .. " Integers and bools become floats." end
  if row.rule == "divide" then lines[2] = lines[2] .. " Integers and bools become the default float." end
  local forms = {}
  if row.operator then
    forms[1] = "the operator " .. OPERATORS[row.operator]:format(row.nargs == 1 and "x" or "x1", "x2")
  end
  if row.inplace then
    forms[#forms + 1] = ("in place x:%s_(%s)"):format(row.name, row.nargs == 2 and "x2" or "")
  end
  for _, form in ipairs(FORMS) do
    if has_form(row.name, form, owner) then forms[#forms + 1] = form.text:format(row.name) end
  end
  if #forms > 0 then lines[#lines + 1] = "Also: " .. table.concat(forms, ", ") .. "." end
  lines[#lines + 1] = "Follows " .. row.source .. "."
  return lines
end

local RESULTS = {same = "", real = "real also for complex operands"}

local function row_params(row)
  local params = {}
  for name in (row.operands or row.nargs == 1 and "x" or ("x1 x2 x3 x4"):sub(1, 3 * row.nargs)):gmatch "%S+" do
    params[#params + 1] = {name = name, type = "cuna.Operand", text = ""}
  end
  params[#params + 1] = {name = "out", type = "cuna.Array", optional = true, text = "where the result goes"}
  params[#params + 1] = {name = "options", type = "{out?: cuna.Array, dtype?: string}", optional = true,
    text = "dtype is the one to compute in"}
  return params
end

local function row_entry(row, owner, file)
  local returns = {}
  for k, result in ipairs(row.results) do returns[k] = {type = "cuna.Array", text = RESULTS[result] or result} end
  return {kind = "operation", owner = owner, name = row.name, title = title_of(owner, row.name), file = file,
    page = subjects.page(file), text = describe_row(row, owner), params = row_params(row), returns = returns,
    fields = {}, usages = parsed(reader.usage, row.usage), overloads = {}, aliases = {}, follows = row.source,
    is_method = row.method, row = row}
end

--- Adds a row and its other names, unless a block documents the name, since blocks have more detail.
local function add_row(catalog, row, owner, file)
  local entry = add(catalog, row_entry(row, owner, file))
  for _, name in ipairs {row.name, unpack(row.alias)} do
    add_alias(catalog, owner, name, entry)
    if row.method and owner ~= "cn" then add_alias(catalog, "cuna.Array", name, entry) end
    if row.inplace then add_alias(catalog, "cuna.Array", name .. "_", entry) end
    for _, form in ipairs(FORMS) do
      local described = catalog.by_key[key_of("cn", "add_" .. form.name)]
      if has_form(name, form, owner) then add_alias(catalog, "cn", name .. "_" .. form.name, described) end
    end
  end
end

-- ---- the rows of reductions.lua ----

--- The description of a row as lines; "Follows ..." is appended to the last line if it fits.
local function lines_of(row)
  local lines = {}
  for line in row.doc:gmatch "[^\n]+" do lines[#lines + 1] = line end
  if not row.source then return lines end
  local joined = ("%s Follows %s."):format(lines[#lines], row.source)
  if #joined <= WIDTH then
    lines[#lines] = joined
  else
    lines[#lines + 1] = ("Follows %s."):format(row.source)
  end
  return lines
end

local function reduction_entry(row, family)
  local text = lines_of(row)
  local operand = row.bool == false and "any shape; not bool" or family.operand or "any shape and dtype"
  local params = parsed(reader.parameter, {"x cuna.Operand " .. operand, unpack(family.parameters)})
  return {kind = "function", owner = "cn", name = row.name, title = "cn." .. row.name, file = "reducers",
    page = subjects.page "reducers", text = text, params = params, returns = {reader.result(family.result)},
    fields = {}, usages = parsed(reader.usage, row.usage), overloads = {}, aliases = {}, follows = follows(text)}
end

--- Adds the functions of the rows, and their other names.
local function add_reductions(catalog)
  local folding, running = require("cuna.reduce").families, require("cuna.cumulative").families
  for _, row in ipairs(reducers.rows) do
    local entry = add(catalog, reduction_entry(row, folding[row.family] or running[row.family]))
    for _, name in ipairs(row.alias) do add_alias(catalog, "cn", name, entry) end
  end
end

-- ---- the catalog ----

--- Adds the functions of a namespace that are methods of a shared object.
local function add_shared(catalog, namespace, class, file)
  for name in pairs(require(subjects.module(file)).namespace) do
    local method = catalog.by_key[key_of(class, name)]
    if method then add_alias(catalog, namespace, name, method) end
  end
end

local function index_names(catalog)
  local by_name, methods = {}, array_methods.all()
  for key, entry in pairs(catalog.by_key) do
    local owner, name = key:match "^(.-)%z(.*)$"
    if owner == "cn" and rawget(methods, name) and not catalog.by_key[key_of("cuna.Array", name)] then
      entry.is_method = true
    end
    by_name[name] = by_name[name] or {}
    by_name[name][owner] = entry
  end
  catalog.by_name = by_name
end

local loaded

--- All entries, in the order of pages, files and lines, and by_name[name][owner].
---@return table catalog {entries = list, by_key, by_name}
function M.load()
  if loaded then return loaded end
  local catalog = {entries = {}, by_key = {}}
  local renamed = {}
  for _, row in ipairs(subjects.rows) do
    for file in row[3]:gmatch "%S+" do
      renamed[#renamed + 1] = add_file(catalog, file)
      if file == "reducers" then add_reductions(catalog) end
    end
  end
  for _, names in ipairs(renamed) do add_second_names(catalog, names) end
  for _, row in ipairs(elementwise.rows()) do add_row(catalog, row, "cn", "ops") end
  for _, row in ipairs(elementwise.special_rows()) do add_row(catalog, row, "cn.special", "special/ops") end
  for name, call in pairs(require("cuna.special").namespace) do
    local same = elementwise.functions[name] == call and catalog.by_key[key_of("cn", name)]
    if same then add_alias(catalog, "cn.special", name, same) end
  end
  for _, row in ipairs(subjects.shared) do add_shared(catalog, unpack(row)) end
  index_names(catalog)
  loaded = catalog
  return catalog
end

--- The entry of an owner's name; a method of arrays may be a function of cn.
---@param owner string
---@param name string
---@return table|nil
function M.entry(owner, name)
  local catalog = M.load()
  local entry = catalog.by_key[key_of(owner, name)]
  if entry or owner ~= "cuna.Array" then return entry end
  local of_cn = catalog.by_key[key_of("cn", name)]
  return of_cn and array_methods.find(name) and of_cn or nil
end

return M
